/* Measurements of packings and of energy against cases worked out by hand. */
#include "measurement_scenery.h"

static scree_measurement_def boxed(scree_measurement_kind kind, const char *name, scree_vec3 half,
                                   scree_vec3 centre, int x, int y, int z) {
    scree_measurement_def def = measurement_def_of(kind, name);
    def.everywhere = false;
    def.zone = zone_of(SCREE_ZONE_BOX, half, centre);
    def.cells[0] = x, def.cells[1] = y, def.cells[2] = z;
    return def;
}

/* Columns of 4 balls: forces of 4, 3, 2 and 1 weights in each, with a mean of 2.5. */
static void forces_over_their_mean_are_counted(void **state) {
    scree_world_def def = def_on(state);
    def.solver.tolerance = 1e-6f, def.solver.iterations = 300;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 12; i++)
        add_body(world, scree_shape_sphere(0.1f),
                 (scree_vec3){(float)(i % 3), 0, 0.1f + 0.2f * (float)(i / 3)}, (scree_vec3){0, 0, 0});
    scree_measurement_def all = measurement_def_of(SCREE_MEASUREMENT_CONTACT_FORCE, "all");
    all.cells[0] = 5, all.range = 1.5; /* classes of 0.3; forces of 0.4, 0.8, 1.2 and, out of range, 1.6 */
    const scree_measurement_id id = measurement_made(world, all);
    run_for(world, 1);
    const double w = 1000 * 4 * M_PI / 3 * 1e-3 * 9.81, expected[5] = {0, 1, 1, 0, 1};
    assert_true(sample_of(world, id, "contacts") == 12);
    ASSERT_NEAR(sample_of(world, id, "normal_force_N"), 2.5 * w, 1e-3);
    ASSERT_NEAR(sample_of(world, id, "normal_force_largest_N"), 4 * w, 1e-3);
    ASSERT_NEAR(sample_of(world, id, "beyond"), 0.25, 1e-12);
    for (int i = 0; i < 5; i++) {
        char name[32];
        /* 1.2 is on the boundary of two classes */
        if (i == 3 || i == 4) continue;
        snprintf(name, sizeof name, "density_%d", i);
        ASSERT_NEAR(sample_of(world, id, name), expected[i] * 0.25 / 0.3, 1e-12);
    }
    ASSERT_NEAR(sample_of(world, id, "density_3") + sample_of(world, id, "density_4"), 0.25 / 0.3, 1e-12);
    scree_world_destroy(world);
}

/* A contact with less than 1e-6 of the mean force counts as open: of two balls at rest one has a neighbour if
 * the other has 1e-7 of its mass, both have one if it has 1e-5. */
static void traces_of_a_force_do_not_count(void **state) {
    for (int light = 0; light < 2; light++) {
        scree_world_def def = def_on(state);
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        for (int i = 0; i < 2; i++) {
            scree_body_def ball = scree_default_body_def();
            ball.shape = scree_shape_sphere(0.1f);
            ball.state.position = (scree_vec3){(float)i, 0, 0.1f};
            ball.mass = i == 0 ? 1 : light ? 1e-7f : 1e-5f;
            CHECK(scree_body_create(world, &ball, NULL));
        }
        const scree_measurement_id touches = measurement_made(
                                       world, measurement_def_of(SCREE_MEASUREMENT_COORDINATION, "touches")),
                                   fabric = measurement_made(
                                       world, measurement_def_of(SCREE_MEASUREMENT_FABRIC, "fabric")),
                                   forces = measurement_made(
                                       world, measurement_def_of(SCREE_MEASUREMENT_CONTACT_FORCE, "forces"));
        run_for(world, 0.1);
        ASSERT_NEAR(sample_of(world, touches, "coordination"), light ? 0.5 : 1, 1e-12);
        ASSERT_NEAR(sample_of(world, fabric, "contacts"), light ? 1 : 2, 1e-12);
        ASSERT_NEAR(sample_of(world, forces, "contacts"), light ? 1 : 2, 1e-12);
        scree_world_destroy(world);
    }
}

/* Flying balls without gravity: one in the lower cell, one halved by the cell boundary, with other speeds. */
static void a_profile_averages_over_its_cells(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0}, def.time_step = 1e-6;
    scree_world *world = world_of(&def);
    add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, -0.5f}, (scree_vec3){1, 0, 0});
    add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0.3f, 0, 0}, (scree_vec3){4, 2, 0});
    add_slope(world, 0);
    const scree_measurement_id id = measurement_made(
        world, boxed(SCREE_MEASUREMENT_PROFILE, "z", (scree_vec3){1, 1, 1}, (scree_vec3){0, 0, 0}, 1, 1, 2));
    CHECK(scree_world_step(world, NULL));
    const double m = 1000 * 4 * M_PI / 3 * 1e-3;
    ASSERT_NEAR(sample_of(world, id, "density_0_kg_per_m3"), 1.5 * m / 4, 1e-4);
    ASSERT_NEAR(sample_of(world, id, "density_1_kg_per_m3"), 0.5 * m / 4, 1e-4);
    ASSERT_NEAR(sample_of(world, id, "velocity_x_0_m_per_s"), 2, 1e-4);
    ASSERT_NEAR(sample_of(world, id, "velocity_y_0_m_per_s"), 2.0 / 3, 1e-4);
    ASSERT_NEAR(sample_of(world, id, "velocity_x_1_m_per_s"), 4, 1e-5);
    /* (2/3 · 1 + 1/3 · 20 − 4 − 4/9)/3 */
    ASSERT_NEAR(sample_of(world, id, "temperature_0_m2_per_s2"), (22.0 / 3 - 40.0 / 9) / 3, 1e-4);
    ASSERT_WITHIN(sample_of(world, id, "temperature_1_m2_per_s2"), 0, 1e-5);
    scree_world_destroy(world);
}

/* Balls whose tops lie on a cone, and on a plane. */
static void the_surface_of_a_cone_has_its_angle(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    enum { N = 9 };
    for (int plane = 0; plane < 2; plane++) {
        scree_world *world = world_of(&def);
        for (int i = 0; i < N * N; i++) {
            const float x = 0.2f * (float)(i % N - N / 2), y = 0.2f * (float)(i / N - N / 2);
            const float height = plane ? 1 + 0.3f * x + 0.4f * y : 2 - 0.5f * hypotf(x, y);
            add_body(world, scree_shape_sphere(0.09f), (scree_vec3){5 + x, y, height - 0.09f},
                     (scree_vec3){0, 0, 0});
            add_body(world, scree_shape_sphere(0.05f), (scree_vec3){5 + x, y, height - 0.3f},
                     (scree_vec3){0, 0, 0});
        }
        const scree_vec3 half = {1.1f, 1.1f, 1}, middle = {5, 0, 1};
        const scree_measurement_id id = measurement_made(world, boxed(SCREE_MEASUREMENT_SURFACE, "top", half,
                                                                      middle, 11, 11, 1)),
                                   along_x = measurement_made(
                                       world, boxed(SCREE_MEASUREMENT_SURFACE, "x", half, middle, 11, 1, 1)),
                                   along_y = measurement_made(
                                       world, boxed(SCREE_MEASUREMENT_SURFACE, "y", half, middle, 1, 11, 1));
        CHECK(scree_world_step(world, NULL));
        ASSERT_NEAR(sample_of(world, id, "covered"), 81.0 / 121, 1e-12);
        ASSERT_NEAR(sample_of(world, id, "covered_radius_m"), sqrt(81 * 0.2 * 0.2 / M_PI), 1e-6);
        if (plane) {
            ASSERT_NEAR(sample_of(world, id, "slope_degrees"), atan(0.5) * 180 / M_PI, 1e-4);
            ASSERT_NEAR(sample_of(world, along_x, "slope_degrees"), atan(0.3) * 180 / M_PI, 1e-4);
            ASSERT_NEAR(sample_of(world, along_y, "slope_degrees"), atan(0.4) * 180 / M_PI, 1e-4);
            ASSERT_NEAR(sample_of(world, id, "height_m"), 1, 1e-5);
            ASSERT_NEAR(sample_of(world, id, "height_9_1_m"), 1 + 0.24 - 0.32, 1e-5);
            ASSERT_NEAR(sample_of(world, id, "height_highest_m"), 1.56, 1e-5);
        } else {
            ASSERT_NEAR(sample_of(world, id, "repose_degrees"), atan(0.5) * 180 / M_PI, 1e-4);
            ASSERT_WITHIN(sample_of(world, id, "slope_degrees"), 0, 1e-3);
            ASSERT_NEAR(sample_of(world, id, "height_5_5_m"), 2, 1e-5);
        }
        assert_true(isnan(sample_of(world, id, "height_0_0_m")));
        scree_world_destroy(world);
    }
}

/* Three balls between a floor and a platen locked except along one axis, pressed by 90 N on 4 m²: the platen
 * counts as a wall, half of it in the zone, and not as a fourth grain with branch vectors. */
static void a_platen_is_a_wall(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    def.solver.tolerance = 1e-6f, def.solver.iterations = 300;
    scree_world *world = world_of(&def);
    static const float places[3][2] = {{0.8f, 0}, {0.2f, 0.3f}, {0.2f, -0.3f}};
    add_slope(world, 0);
    for (int i = 0; i < 3; i++)
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){places[i][0], places[i][1], 0.1f},
                 (scree_vec3){0, 0, 0});
    scree_body_def platen = scree_default_body_def();
    platen.shape = scree_shape_box(1, 1, 0.05f);
    platen.mass = 100;
    platen.state.position.z = 0.25f;
    platen.locks = 63 & ~SCREE_LOCK_Z;
    platen.force.z = -90;
    CHECK(scree_body_create(world, &platen, NULL));
    const scree_vec3 half = {1, 1, 0.125f}, middle = {0, 0, 0.125f};
    const scree_measurement_id
        touches = measurement_made(world, measurement_def_of(SCREE_MEASUREMENT_COORDINATION, "z")),
        share =
            measurement_made(world, boxed(SCREE_MEASUREMENT_SOLID_FRACTION, "share", half, middle, 1, 1, 1)),
        stress = measurement_made(world, boxed(SCREE_MEASUREMENT_STRESS, "stress", half, middle, 1, 1, 1)),
        surface = measurement_made(world, boxed(SCREE_MEASUREMENT_SURFACE, "top", half, middle, 5, 5, 1)),
        profile = measurement_made(world, boxed(SCREE_MEASUREMENT_PROFILE, "profile", half, middle, 1, 1, 1));
    run_for(world, 1);
    const double ball = 4 * M_PI / 3 * 1e-3;
    assert_true(sample_of(world, touches, "grains") == 3 && sample_of(world, touches, "coordination") == 2);
    ASSERT_NEAR(sample_of(world, share, "solid_fraction"), 3 * ball / 0.8, 1e-4);
    /* Forces along z on branches along z, 0.2 m in all: f l/V */
    ASSERT_NEAR(sample_of(world, stress, "stress_zz_Pa"), 90 * 0.2, 1e-3);
    ASSERT_WITHIN(sample_of(world, stress, "stress_zx_Pa"), 0, 1e-3);
    ASSERT_NEAR(sample_of(world, surface, "height_highest_m"), 0.2, 1e-3);
    ASSERT_NEAR(sample_of(world, profile, "density_0_kg_per_m3"), 3 * 1000 * ball, 1e-3);
    scree_world_destroy(world);
}

/* Three balls on each other, kept upright by locks, are grains: one contact is with the floor, and each of
 * the other two counts for two grains. */
static void locked_balls_count_as_grains(void **state) {
    scree_world_def def = def_on(state);
    def.solver.tolerance = 1e-6f, def.solver.iterations = 300;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 3; i++) {
        scree_body_def ball = scree_default_body_def();
        ball.shape = scree_shape_sphere(0.1f);
        ball.state.position.z = 0.1f + 0.2f * (float)i;
        ball.locks = 63 & ~SCREE_LOCK_Z;
        CHECK(scree_body_create(world, &ball, NULL));
    }
    const scree_vec3 half = {1, 1, 0.5f}, middle = {0, 0, 0.5f};
    const scree_measurement_id touches = measurement_made(
                                   world, measurement_def_of(SCREE_MEASUREMENT_COORDINATION, "z")),
                               share = measurement_made(world, boxed(SCREE_MEASUREMENT_SOLID_FRACTION,
                                                                     "share", half, middle, 1, 1, 1));
    run_for(world, 0.2);
    assert_true(sample_of(world, touches, "grains") == 3);
    ASSERT_NEAR(sample_of(world, touches, "coordination"), 5.0 / 3, 1e-12);
    ASSERT_NEAR(sample_of(world, share, "solid_fraction"), 4 * M_PI * 1e-3 / 4, 1e-6);
    scree_world_destroy(world);
}

/* Two cells with 4 grains each: the index is 0 if segregated, and 1 at the variance p (1 − p)/4. */
static void mixing_goes_from_zero_to_one(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    scree_material_id other;
    const scree_material_def material = scree_default_material_def();
    CHECK(scree_material_create(world, &material, &other));
    scree_body_id ids[8];
    for (int i = 0; i < 8; i++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(i % 2 ? 0.04f : 0.05f);
        body.state.position = (scree_vec3){i < 4 ? -0.5f : 0.5f, 0.2f * (float)(i % 4), 0};
        if (i >= 4) body.material = other;
        CHECK(scree_body_create(world, &body, &ids[i]));
    }
    scree_measurement_def stuff = boxed(SCREE_MEASUREMENT_MIXING, "stuff", (scree_vec3){1, 1, 1},
                                        (scree_vec3){0, 0, 0}, 2, 1, 1),
                          size = stuff;
    stuff.material = other, size.name = "size", size.size_above = 0.09;
    const scree_measurement_id by_material = measurement_made(world, stuff),
                               by_size = measurement_made(world, size);
    CHECK(scree_world_step(world, NULL));
    ASSERT_WITHIN(sample_of(world, by_material, "lacey"), 0, 1e-12);
    /* S² = 0: (S₀²)/(S₀² − S₀²/4) */
    ASSERT_NEAR(sample_of(world, by_size, "lacey"), 4.0 / 3, 1e-12);
    assert_true(sample_of(world, by_size, "share") == 0.5 && sample_of(world, by_size, "grains_1") == 4);
    assert_true(sample_of(world, by_material, "share_1") == 1 &&
                sample_of(world, by_material, "share_0") == 0);
    /* one of each changes sides: fractions 1/4 and 3/4, S² = 1/16 = p (1 − p)/4 */
    scree_body_state a = state_of(world, ids[0]), b = state_of(world, ids[4]);
    const float x = a.position.x;
    a.position.x = b.position.x, b.position.x = x;
    a.position.y = b.position.y += 0.1f;
    CHECK(scree_body_set_state(world, ids[0], &a));
    CHECK(scree_body_set_state(world, ids[4], &b));
    CHECK(scree_world_step(world, NULL));
    ASSERT_NEAR(sample_of(world, by_material, "lacey"), 1, 1e-12);
    scree_world_destroy(world);
}

/* A ball that slides until it rolls loses 2/7 of its energy to friction, and one dropped without restitution
 * all of it; one that a belt accelerates from rest to rolling reaches 2/7 of the belt's speed, for which the
 * belt does the work m v · 2/7 v, and friction dissipates m v²/7. */
static void energy_is_balanced(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 1e-3, def.solver.tolerance = 1e-6f, def.solver.iterations = 100;
    const double m = 1000 * 4 * M_PI / 3 * 1e-3;
    for (int i = 0; i < 3; i++) {
        scree_world *world = world_of(&def);
        scree_body_def ground = scree_default_body_def();
        ground.type = SCREE_BODY_STATIC, ground.shape = scree_shape_half_space();
        if (i == 2) ground.surface_velocity = (scree_vec3){2, 0, 0};
        CHECK(scree_body_create(world, &ground, NULL));
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, i == 1 ? 0.6f : 0.1f},
                 (scree_vec3){i == 0 ? 2 : 0, 0, 0});
        scree_measurement_def energy = measurement_def_of(SCREE_MEASUREMENT_ENERGY, "energy");
        energy.every.steps = 10;
        const scree_measurement_id id = measurement_made(world, energy);
        run_for(world, 0.5);
        const double friction = sample_of(world, id, "friction_J"), impact = sample_of(world, id, "impact_J"),
                     drive = sample_of(world, id, "drive_J"), residue = sample_of(world, id, "residue_J"),
                     kinetic = sample_of(world, id, "kinetic_energy_J");
        if (i == 0) {
            ASSERT_NEAR(friction, m * 4 / 7, 2e-3);
            ASSERT_NEAR(kinetic, m * 2 * 5 / 7, 2e-3);
            ASSERT_WITHIN(impact, 0, 1e-4 * m);
        } else if (i == 1) {
            ASSERT_NEAR(impact, m * 9.81 * 0.5, 1e-2);
            ASSERT_WITHIN(friction, 0, 1e-4 * m);
            assert_true(kinetic < 1e-4 * m);
        } else {
            ASSERT_NEAR(drive, m * 2 * 2 * 2 / 7, 4e-3);
            ASSERT_NEAR(friction, m * 4 / 7, 4e-3);
            ASSERT_NEAR(kinetic, m * 4 / 7, 4e-3);
        }
        ASSERT_WITHIN(residue, 0, 0.01 * m * 9.81 * 0.5);
        assert_true(sample_of(world, id, "rolling_J") == 0);
        scree_world_destroy(world);
    }
}

/* A ball that falls H from rest with restitution e loses m g H (1 − e²) at its first impact, for any time
 * step. */
static void impact_loss_does_not_depend_on_the_time_step(void **state) {
    static const double steps[] = {1.0 / 60, 1.0 / 240};
    const double m = 1000 * 4 * M_PI / 3 * 1e-3;
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.time_step = steps[i], def.material.restitution = 0.8f;
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 1.1f}, (scree_vec3){0, 0, 0});
        scree_measurement_def energy = measurement_def_of(SCREE_MEASUREMENT_ENERGY, "energy");
        const scree_measurement_id id = measurement_made(world, energy);
        run_for(world, 0.75); /* it hits the ground at 0.45 s and again at 1.17 s */
        ASSERT_NEAR(sample_of(world, id, "impact_J"), m * 9.81 * (1 - 0.64), 2e-3);
        scree_world_destroy(world);
    }
}

/* Every kind in a scene, by its keys. */
static void a_scene_defines_every_kind(void **state) {
    (void)state;
    static const char text[] =
        "{\"backend\": {\"kind\": \"native\", \"threads\": 1}, \"materials\": {\"red\": {}},\n"
        " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"material\": \"red\"},\n"
        "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [0.5, 0, 0]}],\n"
        " \"measurements\": [\n"
        "  {\"kind\": \"contact_force\", \"name\": \"f\", \"classes\": 3, \"range\": 2, \"every\": 1},\n"
        "  {\"kind\": \"profile\", \"name\": \"p\", \"zone\": {\"kind\": \"box\", \"size\": [2, 2, 2]}, "
        "\"cells\": [4], "
        "\"every\": 1},\n"
        "  {\"kind\": \"surface\", \"name\": \"s\", \"zone\": {\"kind\": \"box\", \"size\": [2, 2, 2]}, "
        "\"cells\": [4, 4], "
        "\"every\": 1},\n"
        "  {\"kind\": \"mixing\", \"name\": \"m\", \"zone\": {\"kind\": \"box\", \"size\": [2, 2, 2]}, "
        "\"cells\": [2], "
        "\"material\": \"red\", \"every\": 1},\n"
        "  {\"kind\": \"mixing\", \"name\": \"d\", \"zone\": {\"kind\": \"box\", \"size\": [2, 2, 2]}, "
        "\"cells\": [2], "
        "\"material\": \"default\", \"every\": 1},\n"
        "  {\"kind\": \"energy\", \"name\": \"e\", \"every\": 1}%s]}";
    static const char *const wrong[][2] = {
        {", {\"kind\": \"mixing\", \"name\": \"x\", \"cells\": [2], \"zone\": {\"kind\": \"sphere\", "
         "\"radius\": 1}}",
         "measurements[6]:"},
        {", {\"kind\": \"surface\", \"name\": \"x\", \"cells\": [2, 2, 2], \"zone\": {\"kind\": \"box\", "
         "\"size\": [1, 1, "
         "1]}}",
         "measurements[6]:"},
        {", {\"kind\": \"energy\", \"name\": \"x\", \"sample_every\": 2}", "measurements[6]"},
        {", {\"kind\": \"contact_force\", \"name\": \"x\", \"range\": 0}", "measurements[6].range:"},
        {", {\"kind\": \"mixing\", \"name\": \"x\", \"cells\": [2], \"material\": \"rde\", \"zone\": "
         "{\"kind\": \"box\", "
         "\"size\": [1, 1, 1]}}",
         "measurements[6].material"},
    };
    char whole[4096];
    scree_scene *scene = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(whole, sizeof whole, text, wrong[i][0]);
        CHECK_FAILS(scree_scene_parse(whole, strlen(whole), "all.json", &scene), SCREE_ERROR_FORMAT,
                    wrong[i][1]);
    }
    snprintf(whole, sizeof whole, text, "");
    CHECK(scree_scene_parse(whole, strlen(whole), "all.json", &scene));
    const scree_world_def def = scree_scene_get_world_def(scene);
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, 0));
    CHECK(scree_world_step(world, NULL));
    const scree_measurement_id red = scree_measurement_find(world, "m"),
                               rest = scree_measurement_find(world, "d");
    assert_true(sample_of(world, red, "share_0") != 1 && sample_of(world, red, "share") == 0.5);
    assert_true(sample_of(world, rest, "share") == 0.5 && sample_of(world, rest, "grains_1") == 2);
    ASSERT_NEAR(sample_of(world, scree_measurement_find(world, "p"), "density_2_kg_per_m3") +
                    sample_of(world, scree_measurement_find(world, "p"), "density_1_kg_per_m3"),
                1.5 * 4188.79 * 1e-3 / 2, 1e-4);
    assert_true(sample_of(world, scree_measurement_find(world, "f"), "contacts") == 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(forces_over_their_mean_are_counted),
        ON("native", traces_of_a_force_do_not_count),
        ON("native", a_profile_averages_over_its_cells),
        ON("native", the_surface_of_a_cone_has_its_angle),
        ON("native", locked_balls_count_as_grains),
        ON("native", mixing_goes_from_zero_to_one),
        ON_EACH_BACKEND(a_platen_is_a_wall),
        ON_EACH_BACKEND(energy_is_balanced),
        ON_EACH_BACKEND(impact_loss_does_not_depend_on_the_time_step),
        cmocka_unit_test(a_scene_defines_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
