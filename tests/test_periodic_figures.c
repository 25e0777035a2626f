/* What is measured and asked of worlds that repeat themselves, and floors whose images continue them. */
#include "gauge_scenery.h"

static scree_world_def periodic_on(void **state, float x, float y, float z) {
    scree_world_def def = def_on(state);
    def.period = (scree_vec3){x, y, z};
    return def;
}

static scree_vec3 vector(double x, double y, double z) { return (scree_vec3){(float)x, (float)y, (float)z}; }

static double place_along_x(const scree_world *world, scree_body_id id) {
    int periods[3];
    CHECK(scree_body_periods_get(world, id, periods));
    return (double)state_of(world, id).position.x + periods[0] * (double)scree_world_get(world).period.x;
}

static scree_body_id add_floor(scree_world *world, scree_body_type type, double at, double speed) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = type;
    def.shape = scree_box(1, 1, 0.5f);
    def.state.position = vector(at, 0.1, -0.5);
    def.state.linear_velocity = vector(speed, 0, 0);
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* g (sin θ − μ cos θ) over a floor that ends where its image begins, and nothing where that is. */
static void a_floor_has_no_seam(void **state) {
    const double theta = 0.5, mu = 0.3, g = 9.81, seconds = 3, a = g * (sin(theta) - mu * cos(theta));
    scree_world_def def = periodic_on(state, 2, 2, 0);
    def.gravity = vector(g * sin(theta), 0, -g * cos(theta));
    def.material.friction = (float)mu;
    def.time_step = 1.0 / 240;
    scree_world *world = world_of(&def);
    add_floor(world, SCREE_BODY_STATIC, 0.3, 0);
    const scree_body_id block = add_body(world, scree_box(0.3f, 0.3f, 0.2f), vector(0, 0.9, 0.2),
                                         vector(0, 0, 0)),
                        ball = add_body(world, scree_sphere(0.1f), vector(0.9, 0, 0.1), vector(0, 0, 0));
    run_for(world, seconds);
    assert_float_equal(place_along_x(world, block), a * seconds * seconds / 2,
                       0.01 * a * seconds * seconds / 2);
    assert_float_equal((double)state_of(world, block).linear_velocity.x, a * seconds, 0.01 * a * seconds);
    assert_float_equal((double)state_of(world, block).position.z, 0.2, 0.002);
    /* tan θ = 0.55 < 7/2 μ: the ball rolls, at 5/7 of what slides freely */
    const double rolls = 5.0 / 7 * g * sin(theta);
    assert_float_equal((double)state_of(world, ball).linear_velocity.x, rolls * seconds,
                       0.01 * rolls * seconds);
    assert_float_equal((double)state_of(world, ball).position.z, 0.1, 0.002);
    scree_world_destroy(world);
}

/* A belt that runs round the cell takes along what lies on it. */
static void a_belt_carries_across_the_border(void **state) {
    scree_world_def def = periodic_on(state, 2, 2, 0);
    def.material.friction = 0.5f;
    scree_world *world = world_of(&def);
    const scree_body_id belt = add_floor(world, SCREE_BODY_KINEMATIC, 0.2, 0.8),
                        block = add_body(world, scree_box(0.2f, 0.2f, 0.1f), vector(0.7, 0, 0.1),
                                         vector(0.8, 0, 0));
    run_for(world, 5);
    assert_float_equal(place_along_x(world, belt), 0.2 + 4, 1e-4);
    assert_float_equal(place_along_x(world, block), 0.7 + 4, 1e-3);
    assert_float_equal((double)state_of(world, block).position.z, 0.1, 1e-3);
    assert_true(state_of(world, belt).position.x >= -1 && state_of(world, belt).position.x <= 1);
    scree_world_destroy(world);
}

/* Spheres that stick out over the border fill the cell as any others, whichever part of it is looked at. */
static void nothing_is_lost_at_the_border(void **state) {
    scree_world_def def = periodic_on(state, 2, 2, 2);
    def.gravity = vector(0, 0, 0);
    scree_world *world = world_of(&def);
    const double r = 0.2, ball = 4 * 3.14159265358979 / 3 * r * r * r;
    const scree_body_id corner =
        add_body(world, scree_sphere((float)r), vector(0.95, 0.98, -0.99), vector(0, 0, 0));
    add_body(world, scree_sphere((float)r), vector(-0.95, 0.1, 0), vector(0, 0, 0));
    scree_gauge_def whole = gauge_def_of(SCREE_GAUGE_SOLID_FRACTION, "whole"),
                    left = gauge_def_of(SCREE_GAUGE_SOLID_FRACTION, "left"),
                    profile = gauge_def_of(SCREE_GAUGE_PROFILE, "profile");
    whole.everywhere = left.everywhere = profile.everywhere = false;
    whole.zone = profile.zone = zone_of(SCREE_ZONE_BOX, vector(1, 1, 1), vector(0, 0, 0));
    left.zone = zone_of(SCREE_ZONE_BOX, vector(0.4, 1, 1), vector(-1.1, 0, 0));
    const scree_gauge_id all = gauge_made(world, whole), part = gauge_made(world, left),
                         density = gauge_made(world, profile);
    CHECK(scree_world_step(world, NULL));
    assert_float_equal(sample_of(world, all, "solid_fraction"), 2 * ball / 8, 1e-5 * ball);
    assert_float_equal(sample_of(world, part, "solid_fraction"), 2 * ball / (8 * 0.4), 1e-5 * ball);
    assert_float_equal(row_of(world, density).sample[0], 2 * ball / 8 * (double)def.material.density,
                       1e-4 * (double)def.material.density * ball);
    int found = 0;
    scree_body_id id;
    CHECK(scree_world_overlap_sphere(world, vector(-0.9, -0.9, 0.9), 0.05f, &id, 1, &found));
    assert_int_equal(found, 1);
    assert_int_equal(id.index, corner.index);
    CHECK(scree_world_overlap_sphere(world, vector(-0.9, -0.9, 0.6), 0.05f, &id, 1, &found));
    assert_int_equal(found, 0);
    scree_world_destroy(world);
}

/* Two spheres that push each other have the stress of the same two in the middle: Σ f l/V. */
static void stress_crosses_the_border(void **state) {
    double stress[2];
    for (int across = 0; across < 2; across++) {
        scree_world_def def = periodic_on(state, 2, 2, 2);
        def.gravity = vector(0, 0, 0);
        scree_world *world = world_of(&def);
        const double x = across ? 0.9 : 0;
        add_body(world, scree_sphere(0.2f), vector(x, 0, 0), vector(1, 0, 0));
        add_body(world, scree_sphere(0.2f), vector(x + 0.4, 0, 0), vector(-1, 0, 0));
        scree_gauge_def gauge = gauge_def_of(SCREE_GAUGE_STRESS, "stress");
        gauge.everywhere = false;
        gauge.zone = zone_of(SCREE_ZONE_BOX, vector(1, 1, 1), vector(0, 0, 0));
        const scree_gauge_id id = gauge_made(world, gauge);
        CHECK(scree_world_step(world, NULL));
        scree_contact contact;
        assert_int_equal(scree_contact_list(world, &contact, 1), 1);
        assert_float_equal((double)contact.offset.x, across ? 2 : 0, 1e-6);
        stress[across] = sample_of(world, id, "stress_xx_Pa");
        const double force = length_of(contact.impulse) / def.time_step;
        /* centres after the step, which does not move them any more */
        assert_float_equal(stress[across], force * 0.4 / 8, 1e-3 * force);
        scree_world_destroy(world);
    }
    assert_float_equal(stress[0], stress[1], 1e-5 * stress[0]);
}

/* What falls for ever through its cell keeps its energy, and goes through a plane once in each round. */
static void rounds_are_counted(void **state) {
    scree_world_def def = periodic_on(state, 0, 0, 2);
    scree_world *world = world_of(&def);
    add_body(world, scree_sphere(0.2f), vector(0, 0, 0.5), vector(0, 0, 0));
    scree_gauge_id flows[3];
    for (int i = 0; i < 3; i++) {
        char name[8];
        snprintf(name, sizeof name, "f%d", i);
        scree_gauge_def gauge = gauge_def_of(SCREE_GAUGE_FLOW, name);
        gauge.everywhere = false;
        gauge.zone = zone_of(SCREE_ZONE_HALF_SPACE, vector(0, 0, 0),
                             vector(0, 0,
                                    i == 0   ? -1
                                    : i == 1 ? 0.97
                                             : 0.1));
        flows[i] = gauge_made(world, gauge);
    }
    scree_statistics first, s;
    CHECK(scree_world_step(world, &first));
    s = run_for(world, 2);
    /* 20 m: ten rounds. Velocities are those of half a step later: m v g h/2, where a period is m g L */
    const double way = 0.5 - (2 * (double)s.potential_energy / (2 * 9.81 * s.dynamic_mass));
    assert_true(way > 19 && way < 21.5);
    assert_float_equal(s.kinetic_energy + s.potential_energy, first.kinetic_energy + first.potential_energy,
                       6e-3 * s.kinetic_energy);
    for (int i = 0; i < 3; i++) {
        const double plane = i == 0 ? -1 : i == 1 ? 0.97 : 0.1, bottom = 0.5 - way;
        double crossings = 0;
        for (int n = 0; n < 30; n++) crossings += plane - 2 * n > bottom && plane - 2 * n < 0.5;
        assert_float_equal(sample_of(world, flows[i], "grains"), crossings, 0.1);
    }
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(a_floor_has_no_seam),
        ON_EACH_BACKEND(a_belt_carries_across_the_border),
        ON("native", nothing_is_lost_at_the_border),
        ON("native", stress_crosses_the_border),
        ON("native", rounds_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
