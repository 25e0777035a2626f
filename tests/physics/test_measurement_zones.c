/* Measurements of zones and planes against cases worked out by hand, and volumes in zones against closed
 * forms and brute force. */
#include "base/vector.h"
#include "detect/zone_frame.h"
#include "measurement_scenery.h"
#include "rotation.h"

static zone_frame frame_at(scree_zone_kind kind, float x, float y, float z) {
    const scree_zone zone = zone_of(kind, (scree_vec3){x, y, z}, (scree_vec3){0, 0, 0});
    return zone_frame_of(&zone);
}

static double cut_ball(const zone_frame *zone, float r, float x, float y, float z) {
    return zone_frame_cut(zone, scree_shape_sphere(r),
                          (body_pose){.position = vec3_of(x, y, z), .rotation = versor_of(0, 0, 0, 1)});
}

static void balls_are_clipped_exactly(void **state) {
    (void)state;
    const zone_frame tube = frame_at(SCREE_ZONE_CYLINDER, 0.5f, 0, 4),
                     ball = frame_at(SCREE_ZONE_SPHERE, 1, 0, 0), box = frame_at(SCREE_ZONE_BOX, 1, 2, 3),
                     disc = frame_at(SCREE_ZONE_CYLINDER, 2, 0, 0.25f);
    /* about the tube's axis: a ball without its outer ring, 4π/3 (r³ − (r² − R²)^(3/2)) */
    ASSERT_NEAR(cut_ball(&tube, 1, 0, 0, 0), 4 * M_PI / 3 * (1 - pow(0.75, 1.5)), 1e-8);
    ASSERT_NEAR(cut_ball(&tube, 0.25f, 0.25f, 0, 3), 4 * M_PI / 3 * pow(0.25, 3), 1e-8); /* touches from
                                                                                          * inside */
    assert_true(cut_ball(&tube, 0.25f, 0.75f, 0, 0) == 0);                               /* and from
                                                                                          * outside */
    /* Viviani's: a ball and a tube of half its radius through its centre: (2π/3 − 8/9) r³ */
    ASSERT_NEAR(cut_ball(&tube, 1, 0.5f, 0, 0), 2 * M_PI / 3 - 8.0 / 9, 1e-8);
    /* a slab of a ball: π (r² h − h³/12) with h = 0.5 */
    ASSERT_NEAR(cut_ball(&disc, 1, 0, 0, 0), M_PI * (0.5 - 0.125 / 12), 1e-8);
    ASSERT_NEAR(cut_ball(&disc, 1, 0, 0, 1.25f), 0, 0);
    /* two balls of radius 1, centres 1 apart: π (4 + d)(2 − d)²/12 */
    ASSERT_NEAR(cut_ball(&ball, 1, 0.6f, 0, 0.8f), 5 * M_PI / 12, 1e-6);
    ASSERT_NEAR(cut_ball(&ball, 0.25f, 0.5f, 0.5f, 0), 4 * M_PI / 3 * pow(0.25, 3), 1e-12);
    ASSERT_NEAR(cut_ball(&ball, 3, 0.5f, 0.5f, 0), 4 * M_PI / 3, 1e-12);
    ASSERT_NEAR(cut_ball(&box, 0.5f, 1, 0, 3), M_PI / 3 * 0.125, 1e-6); /* a quarter */
    ASSERT_NEAR(zone_frame_volume(&tube), 2 * M_PI, 1e-12);
}

/* A rotated box in a ball and in a tube, by counting points of a fine grid. */
static void other_shapes_are_clipped_to_a_hundredth(void **state) {
    (void)state;
    const zone_frame zones[2] = {frame_at(SCREE_ZONE_SPHERE, 1, 0, 0),
                                 frame_at(SCREE_ZONE_CYLINDER, 0.8f, 0, 0.5f)};
    const versors turn = versor_of(0.18257418f, 0.36514837f, 0.54772256f, 0.73029674f);
    const scree_shape shape = scree_shape_box(0.4f, 0.3f, 0.5f);
    enum { N = 60 };
    for (int i = 0; i < 4; i++) {
        const zone_frame *zone = &zones[i % 2];
        const body_pose pose = {.position = vec3_of(i < 2 ? 0.7f : 0.4f, 0.3f, 0.2f), .rotation = turn};
        int inside = 0;
        for (int k = 0; k < N * N * N; k++) {
            const vec3s p = vec3_of((2 * (k % N) + 1.0f) / N - 1, (2 * (k / N % N) + 1.0f) / N - 1,
                                    (2 * (k / N / N) + 1.0f) / N - 1);
            const vec3s at = rotate(turn, glms_vec3_mul(p, vec3_of(0.4f, 0.3f, 0.5f)));
            double local[3];
            zone_frame_local(zone, glms_vec3_add(at, pose.position), local);
            inside += zone_frame_holds(zone, local);
        }
        const double expected = 8 * 0.4 * 0.3 * 0.5 * inside / (N * N * N);
        assert_true(inside > N * N * N / 10 && inside < N * N * N);
        ASSERT_NEAR(zone_frame_cut(zone, shape, pose), expected, 1e-2);
    }
}

/* For separate spheres, a zone contains the sum of the closed forms; a small one inside a large one adds
 * nothing. */
static void clumps_are_clipped_like_their_spheres(void **state) {
    (void)state;
    const zone_frame zones[2] = {frame_at(SCREE_ZONE_SPHERE, 1, 0, 0),
                                 frame_at(SCREE_ZONE_CYLINDER, 0.8f, 0, 0.5f)};
    const scree_clump_sphere spheres[] = {{{0.6f, 0, 0.3f}, 0.5f},
                                          {{-0.6f, 0.4f, 0}, 0.35f},
                                          {{0.2f, 0.9f, -0.3f}, 0.4f},
                                          {{0.65f, 0, 0.3f}, 0.1f}};
    scree_geometry *made = NULL;
    CHECK(scree_clump_create(spheres, 4, &made));
    scree_vec3 origin;
    scree_quat axes;
    scree_geometry_get_frame(made, &origin, &axes);
    const body_pose pose = {.position = vec3_in(origin), .rotation = quat_in(axes)};
    for (int i = 0; i < 2; i++) {
        double expected = 0;
        for (int k = 0; k < 3; k++) {
            const scree_vec3 at = spheres[k].position;
            const double part = cut_ball(&zones[i], spheres[k].radius, at.x, at.y, at.z);
            assert_true(part > 0.01 && part < 4 * M_PI / 3 * pow((double)spheres[k].radius, 3) - 1e-4);
            expected += part;
        }
        ASSERT_NEAR(zone_frame_cut(&zones[i], scree_shape_clump(made, 1), pose), expected, 1e-2);
    }
    scree_geometry_release(made);
}

/* Balls of radius r at a distance d share a lens π (4 r + d)(2 r − d)²/12: it counts once in a clump of them,
 * twice for two grains, and twice in a compound, whose mass includes it twice too. */
static void overlaps_count_once_only_in_clumps(void **state) {
    const double r = 0.3, d = 0.4, lens = M_PI * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12,
                 ball = 4 * M_PI / 3 * r * r * r, side = 4;
    const scree_clump_sphere spheres[] = {{{-0.2f, 0, 0}, 0.3f}, {{0.2f, 0, 0}, 0.3f}};
    scree_geometry *clump = NULL, *compound = NULL;
    (void)def_on(state);
    scree_compound_child parts[2] = {scree_default_compound_child(), scree_default_compound_child()};
    for (int i = 0; i < 2; i++)
        parts[i].shape = scree_shape_sphere(0.3f), parts[i].position = spheres[i].position;
    CHECK(scree_clump_create(spheres, 2, &clump));
    CHECK(scree_compound_create(parts, 2, &compound));
    for (int kind = 0; kind < 3; kind++) {
        scree_world_def on = def_on(state);
        on.time_step = 1e-9, on.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&on);
        const scree_vec3 none = {0, 0, 0};
        if (kind == 0) add_body(world, scree_shape_clump(clump, 1), none, none);
        if (kind == 1) add_body(world, scree_shape_compound(compound, 1), none, none);
        for (int i = 0; i < 2 && kind == 2; i++)
            add_body(world, scree_shape_sphere(0.3f), spheres[i].position, none);
        scree_measurement_def def = measurement_def_of(SCREE_MEASUREMENT_SOLID_FRACTION, "phi");
        def.everywhere = false;
        def.zone = zone_of(SCREE_ZONE_BOX, (scree_vec3){2, 2, 2}, none);
        const scree_measurement_id id = measurement_made(world, def);
        CHECK(scree_world_step(world, NULL));
        ASSERT_NEAR(sample_of(world, id, "solid_fraction") * side * side * side, 2 * ball - (kind ? 0 : lens),
                    1e-3);
        scree_world_destroy(world);
    }
    scree_geometry_release(clump);
    scree_geometry_release(compound);
}

/* A zone inside a body is full, and half full if the body's face goes through its centre. */
static void a_zone_inside_a_body_is_full(void **state) {
    (void)state;
    const zone_frame zones[2] = {frame_at(SCREE_ZONE_SPHERE, 0.2f, 0, 0),
                                 frame_at(SCREE_ZONE_CYLINDER, 0.2f, 0, 0.15f)};
    const versors turn = versor_of(0.18257418f, 0.36514837f, 0.54772256f, 0.73029674f);
    const scree_shape shapes[] = {scree_shape_box(1, 0.5f, 0.3f), scree_shape_cylinder(0.6f, 0.4f),
                                  scree_shape_ellipsoid(1, 1, 0.6f), scree_shape_half_space()};
    for (int i = 0; i < 8; i++) {
        const scree_shape shape = shapes[i / 2];
        const zone_frame *zone = &zones[i % 2];
        const vec3s down = i / 2 == 3 ? vec3_of(0, 0, 0.4f) : vec3_of(0, 0, 0);
        ASSERT_NEAR(
            zone_frame_cut(zone, shape, (body_pose){.position = rotate(turn, down), .rotation = turn}),
            zone_frame_volume(zone), 1e-6);
    }
    for (int i = 0; i < 2; i++)
        ASSERT_NEAR(
            zone_frame_cut(&zones[i], shapes[0],
                           (body_pose){.position = vec3_of(0, 0.5f, 0), .rotation = versor_of(0, 0, 0, 1)}),
            zone_frame_volume(&zones[i]) / 2, 1e-2);
}

static void paths_are_split_between_cells(void **state) {
    (void)state;
    const zone_frame ball = frame_at(SCREE_ZONE_SPHERE, 1, 0, 0),
                     tube = frame_at(SCREE_ZONE_CYLINDER, 1, 0, 2), box = frame_at(SCREE_ZONE_BOX, 1, 1, 1);
    const double a[3] = {-3, 0, 0.6}, b[3] = {1, 0, 0.6}, up[3] = {0, 0, 0}, end[3] = {0, 0, 8},
                 out[3] = {2, 2, 2}, far[3] = {2, 2, 5};
    ASSERT_NEAR(zone_frame_fraction(&ball, a, b), 1.6 / 4, 1e-12);
    ASSERT_NEAR(zone_frame_fraction(&tube, a, b), 0.5, 1e-12);
    ASSERT_NEAR(zone_frame_fraction(&box, a, b), 0.5, 1e-12);
    ASSERT_NEAR(zone_frame_fraction(&tube, up, end), 0.25, 1e-12);
    assert_true(zone_frame_fraction(&tube, out, far) == 0 && zone_frame_fraction(&box, out, far) == 0);
    assert_true(zone_frame_fraction(&ball, out, far) == 0);
}

/* 5 × 5 balls in free fall; a disc of radius 0.25 m lets 13 of them through (those within two spacings of 0.1
 * m except corners); two are thrown up from below and fall back, one of them outside the disc. */
static void grains_through_a_plane_are_counted(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.01;
    scree_world *world = world_of(&def);
    for (int i = 0; i < 25; i++)
        add_body(world, scree_shape_sphere(0.02f),
                 (scree_vec3){0.1f * (float)(i % 5 - 2), 0.1f * (float)(i / 5 - 2), 1 + 0.01f * (float)i},
                 (scree_vec3){0, 0, 0});
    for (int i = 0; i < 2; i++)
        add_body(world, scree_shape_sphere(0.02f), (scree_vec3){0.05f + (float)i, 0.05f, -0.5f},
                 (scree_vec3){0, 0, 4});
    scree_measurement_def disc = measurement_def_of(SCREE_MEASUREMENT_FLOW, "disc"),
                          plane = measurement_def_of(SCREE_MEASUREMENT_FLOW, "plane");
    disc.every.steps = plane.every.steps = 100;
    disc.everywhere = plane.everywhere = false;
    disc.zone = zone_of(SCREE_ZONE_CYLINDER, (scree_vec3){0.21f, 0, 1}, (scree_vec3){0, 0, 0});
    plane.zone = zone_of(SCREE_ZONE_HALF_SPACE, (scree_vec3){0, 0, 0}, (scree_vec3){0, 0, 0});
    const scree_measurement_id some = measurement_made(world, disc), all = measurement_made(world, plane);
    run_for(world, 1);
    const double m = 1000 * 4 * M_PI / 3 * pow(0.02, 3);
    assert_true(sample_of(world, some, "grains") == 14 && sample_of(world, some, "grains_back") == 1);
    assert_true(sample_of(world, all, "grains") == 27 && sample_of(world, all, "grains_back") == 2);
    ASSERT_NEAR(sample_of(world, some, "mass_kg"), 14 * m, 1e-6);
    ASSERT_NEAR(sample_of(world, all, "mass_back_kg"), 2 * m, 1e-6);
    /* over the second of the row: mass over time */
    ASSERT_NEAR(mean_of(world, some, "mass_rate_kg_per_s"), 13 * m, 1e-6);
    ASSERT_NEAR(mean_of(world, all, "grain_rate_per_s"), 25, 1e-9);
    scree_world_destroy(world);
}

/* Without gravity nothing moves: a ball wholly inside, one half inside, one outside, and a plate that
 * occupies a tenth of the volume. */
static void solid_fraction_is_solid_over_total_volume(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    add_body(world, scree_shape_sphere(0.25f), (scree_vec3){0, 0, 0}, (scree_vec3){0, 0, 0});
    add_body(world, scree_shape_sphere(0.25f), (scree_vec3){1, 0, 0}, (scree_vec3){0, 0, 0});
    add_body(world, scree_shape_sphere(0.25f), (scree_vec3){3, 0, 0}, (scree_vec3){0, 0, 0});
    scree_body_def plate = scree_default_body_def();
    plate.type = SCREE_BODY_STATIC, plate.shape = scree_shape_box(2, 2, 0.5f), plate.state.position.z = -1.3f;
    CHECK(scree_body_create(world, &plate, NULL));
    scree_measurement_def box = measurement_def_of(SCREE_MEASUREMENT_SOLID_FRACTION, "box"), tube = box,
                          ball = box, turned = box;
    box.everywhere = tube.everywhere = ball.everywhere = turned.everywhere = false;
    box.zone = zone_of(SCREE_ZONE_BOX, (scree_vec3){1, 1, 1}, (scree_vec3){0, 0, 0});
    box.cells[0] = 4, box.cells[1] = 1, box.cells[2] = 2;
    tube.zone = zone_of(SCREE_ZONE_CYLINDER, (scree_vec3){0.25f, 0, 0.5f}, (scree_vec3){0, 0, 0.25f});
    ball.zone = zone_of(SCREE_ZONE_SPHERE, (scree_vec3){0.5f, 0, 0}, (scree_vec3){0, 0, 0});
    turned.zone = (scree_zone){SCREE_ZONE_BOX, {0.1f, 0.1f, 2}, {0, 0, 0}, {0, sqrtf(0.5f), 0, sqrtf(0.5f)}};
    tube.name = "tube", ball.name = "ball", turned.name = "turned";
    const scree_measurement_id in_box = measurement_made(world, box), in_tube = measurement_made(world, tube),
                               in_ball = measurement_made(world, ball),
                               along_x = measurement_made(world, turned);
    CHECK(scree_world_step(world, NULL));
    const double v = 4 * M_PI / 3 * pow(0.25, 3);
    /* the plate reaches up to −0.8: a tenth of the box */
    ASSERT_NEAR(sample_of(world, in_box, "solid_fraction"), 1.5 * v / 7.2, 1e-6);
    /* cells: 0.5 × 2 × 1 m: the first ball is in four of them, half of the other in two */
    ASSERT_NEAR(sample_of(world, in_box, "solid_fraction_1_0_1"), v / 4, 1e-6);
    ASSERT_NEAR(sample_of(world, in_box, "solid_fraction_1_0_0"), v / 4 / 0.8, 1e-6);
    ASSERT_NEAR(sample_of(world, in_box, "solid_fraction_3_0_1"), v / 4, 1e-6);
    assert_true(sample_of(world, in_box, "solid_fraction_0_0_0") == 0);
    ASSERT_NEAR(sample_of(world, in_tube, "solid_fraction"), v / (M_PI * 0.0625), 1e-5);
    ASSERT_NEAR(sample_of(world, in_ball, "solid_fraction"), 0.125, 1e-6);
    /* a square bar of 0.2 m along x: through the first ball and the second, up to x = 2 */
    const double bar = sample_of(world, along_x, "solid_fraction") * 0.16;
    assert_true(bar > 2 * 0.04 * 0.45 && bar < 2 * 0.04 * 0.5);
    scree_world_destroy(world);
}

/* A column of 4 balls on the ground: contact k, from the ground up, carries (4 − k) m g. */
static void a_column_is_stressed_by_its_weight(void **state) {
    scree_world_def def = def_on(state);
    def.solver.tolerance = 1e-6f, def.solver.iterations = 300;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 4; i++)
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0.1f + 0.2f * (float)i},
                 (scree_vec3){0, 0, 0});
    add_body(world, scree_shape_sphere(0.1f), (scree_vec3){3, 0, 50}, (scree_vec3){0, 0, 0}); /* falling */
    scree_measurement_def all = measurement_def_of(SCREE_MEASUREMENT_STRESS, "all"), part = all,
                          fabric = measurement_def_of(SCREE_MEASUREMENT_FABRIC, "fabric"),
                          every = measurement_def_of(SCREE_MEASUREMENT_COORDINATION, "every"), some = every;
    all.everywhere = part.everywhere = some.everywhere = false;
    all.zone = zone_of(SCREE_ZONE_BOX, (scree_vec3){0.5f, 0.5f, 1}, (scree_vec3){0, 0, 1});
    part.zone = zone_of(SCREE_ZONE_CYLINDER, (scree_vec3){0.5f, 0, 0.05f}, (scree_vec3){0, 0, 0.2f});
    some.zone = part.zone, some.zone.size.z = 0.15f;
    part.name = "part", some.name = "some";
    const scree_measurement_id whole = measurement_made(world, all), slice = measurement_made(world, part),
                               normals = measurement_made(world, fabric),
                               grains = measurement_made(world, every), two = measurement_made(world, some);
    run_for(world, 1);
    const double w = 1000 * 4 * M_PI / 3 * 1e-3 * 9.81;
    /* V = 2 m³: σ_zz V = r 4 w + 2 r (3 + 2 + 1) w, pressure is a third of σ_zz, the deviator is σ_zz */
    ASSERT_NEAR(sample_of(world, whole, "stress_zz_Pa"), (0.1 * 4 + 0.2 * 6) * w / 2, 1e-3);
    ASSERT_NEAR(sample_of(world, whole, "pressure_Pa"), (0.1 * 4 + 0.2 * 6) * w / 6, 1e-3);
    ASSERT_NEAR(sample_of(world, whole, "deviator_Pa"), (0.1 * 4 + 0.2 * 6) * w / 2, 1e-3);
    ASSERT_WITHIN(sample_of(world, whole, "stress_xx_Pa"), 0, 1e-3 * w);
    /* 0.15 to 0.25 m is within the branch between the two lowest, which carries 3 w over the area */
    ASSERT_NEAR(sample_of(world, slice, "stress_zz_Pa"), 3 * w / (M_PI * 0.25), 1e-3);
    ASSERT_NEAR(sample_of(world, normals, "fabric_zz"), 1, 1e-5);
    ASSERT_NEAR(sample_of(world, normals, "anisotropy"), 1, 1e-5);
    assert_true(sample_of(world, normals, "contacts") == 4);
    /* coordination numbers 2, 2, 2, 1 and 0 */
    assert_true(sample_of(world, grains, "grains") == 5 && sample_of(world, grains, "rattlers") == 2);
    ASSERT_NEAR(sample_of(world, grains, "coordination"), 7.0 / 5, 1e-12);
    ASSERT_NEAR(sample_of(world, grains, "coordination_without_rattlers"), 2, 1e-12);
    ASSERT_NEAR(sample_of(world, grains, "share_2"), 0.6, 1e-12);
    ASSERT_NEAR(sample_of(world, grains, "share_0"), 0.2, 1e-12);
    assert_true(sample_of(world, two, "grains") == 2 && sample_of(world, two, "coordination") == 2);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_are_clipped_exactly),
        cmocka_unit_test(other_shapes_are_clipped_to_a_hundredth),
        cmocka_unit_test(clumps_are_clipped_like_their_spheres),
        ON("native", overlaps_count_once_only_in_clumps),
        cmocka_unit_test(a_zone_inside_a_body_is_full),
        cmocka_unit_test(paths_are_split_between_cells),
        ON_EACH_BACKEND(grains_through_a_plane_are_counted),
        ON_EACH_BACKEND(solid_fraction_is_solid_over_total_volume),
        ON_EACH_BACKEND(a_column_is_stressed_by_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
