/* Capsules, cylinders, cones and ellipsoids at rest and in motion, against closed forms. */
#include "joint_scenery.h"

#include "convex_geometry.h"
#include "random.h"

static const double g = 9.81;
static const scree_quat upright = {0, 0, 0, 1}, lying = {0.70710678f, 0, 0, 0.70710678f};

static scree_body_id add_turned(scree_world *world, scree_shape shape, scree_vec3 position,
                                scree_quat rotation) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = shape, def.state.position = position, def.state.rotation = rotation;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* A body lying or standing keeps its place and height for ten seconds, on a half-space and on a box. */
static void lying_bodies_stay(void **state) {
    const struct {
        scree_shape shape;
        float height;
        scree_quat rotation;
    } cases[] = {
        {scree_shape_capsule(0.1f, 0.2f), 0.1f, lying},
        {scree_shape_cylinder(0.1f, 0.15f), 0.15f, upright},
        {scree_shape_cylinder(0.1f, 0.15f), 0.1f, lying},
        {scree_shape_cone(0.1f, 0.2f), 0.05f, upright},
        {scree_shape_ellipsoid(0.2f, 0.15f, 0.1f), 0.1f, upright},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    scree_body_id ids[2 * CASES];
    for (int i = 0; i < 2 * CASES; i++) {
        const float x = (float)(i % CASES), y = i < CASES ? 0 : 2, top = i < CASES ? 0 : 0.5f;
        if (i >= CASES) {
            scree_body_def table = scree_default_body_def();
            scree_body_id id;
            table.type = SCREE_BODY_STATIC, table.shape = scree_shape_box(0.4f, 0.4f, 0.5f);
            table.state.position = (scree_vec3){x, y, 0};
            CHECK(scree_body_create(world, &table, &id));
        }
        ids[i] = add_turned(world, cases[i % CASES].shape, (scree_vec3){x, y, top + cases[i % CASES].height},
                            cases[i % CASES].rotation);
    }
    run_for(world, 10);
    for (int i = 0; i < 2 * CASES; i++) {
        const scree_body_state s = state_of(world, ids[i]);
        ASSERT_WITHIN(s.position.x, i % CASES, 2e-5);
        ASSERT_WITHIN(s.position.y, i < CASES ? 0 : 2, 2e-5);
        ASSERT_WITHIN(s.position.z, cases[i % CASES].height + (i < CASES ? 0 : 0.5f), 2e-5);
        ASSERT_AT_MOST(length_of(s.linear_velocity), 1e-4);
    }
    scree_world_destroy(world);
}

/* Down a slope without slipping a = g sin θ/(1 + I/(m r²)): 2/3 g sin θ for a cylinder, and a sphere's 5/7
 * for an ellipsoid of equal axes. */
static void round_bodies_roll_down_a_slope(void **state) {
    const double angle = 0.2, r = 0.1, l = 0.2;
    /* I/(m r²) of a capsule about its line: 1/2 for the cylinder, 2/5 for the ends. */
    const double cylinder = 2 * l, ends = 4.0 / 3 * r,
                 capsule = (cylinder / 2 + ends * 0.4) / (cylinder + ends);
    const struct {
        scree_shape shape;
        double inertia;
    } cases[] = {{scree_shape_cylinder((float)r, 0.2f), 0.5},
                 {scree_shape_capsule((float)r, (float)l), capsule},
                 {scree_shape_ellipsoid((float)r, (float)r, 0.2f), 0.4},
                 {scree_shape_ellipsoid((float)r, (float)r, (float)r), 0.4}};
    for (int i = 0; i < 4; i++) {
        scree_world_def def = def_on(state);
        def.time_step = 1.0 / 240;
        scree_world *world = world_of(&def);
        add_slope(world, (float)angle);
        const scree_vec3 start = {(float)(r * sin(angle)), 0, (float)(r * cos(angle))};
        const scree_body_id id = add_turned(world, cases[i].shape, start, lying);
        run_for(world, 1);
        const scree_body_state s = state_of(world, id);
        const double along = ((double)s.position.x - (double)start.x) * cos(angle) -
                             ((double)s.position.z - (double)start.z) * sin(angle);
        const double a = g * sin(angle) / (1 + cases[i].inertia);
        ASSERT_NEAR(length_of(s.linear_velocity), a, 0.01);
        ASSERT_NEAR(along, a / 2, 0.015);
        ASSERT_WITHIN(s.position.y, 0, 1e-3);
        scree_world_destroy(world);
    }
}

/* An ellipsoid on its flat side rocks: with R = a²/c the radius of curvature below, ω² = g (R − c)/(c² + (a²
 * + c²)/5). */
static void an_ellipsoid_rocks(void **state) {
    const double a = 0.2, c = 0.1, tilt = 0.02;
    scree_world_def def = def_on(state);
    def.time_step = 1e-3;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    const double width = sqrt(a * a * sin(tilt) * sin(tilt) + c * c * cos(tilt) * cos(tilt));
    const scree_body_id id = add_turned(world, scree_shape_ellipsoid((float)a, (float)a, (float)c),
                                        (scree_vec3){0, 0, (float)width},
                                        (scree_quat){0, (float)sin(tilt / 2), 0, (float)cos(tilt / 2)});
    const double omega = sqrt(g * (a * a / c - c) / (c * c + (a * a + c * c) / 5));
    double crossings[2] = {0}, before = tilt;
    int found = 0;
    for (int step = 1; step < 3000 && found < 2; step++) {
        CHECK(scree_world_step(world, NULL));
        const double now = 2 * (double)state_of(world, id).rotation.y;
        if (before * now < 0) crossings[found++] = (step - now / (now - before)) * 1e-3;
        before = now;
    }
    assert_int_equal(found, 2);
    ASSERT_NEAR(crossings[1] - crossings[0], M_PI / omega, 0.02);
    scree_world_destroy(world);
}

/* A car on four cylinders, which touch along lines, stays in place with the default settings. */
static void a_car_stands_on_cylinders(void **state) {
    const float r = 0.3f;
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    const scree_body_id car =
        add_body(world, scree_shape_box(1, 0.5f, 0.15f), (scree_vec3){0, 0, 2 * r}, any);
    scree_body_id wheels[4];
    for (int i = 0; i < 4; i++) {
        const scree_vec3 at = {i & 1 ? 0.7f : -0.7f, i & 2 ? 0.6f : -0.6f, r};
        wheels[i] = add_turned(world, scree_shape_cylinder(r, 0.075f), at, lying);
        const scree_joint_def axle =
            joint_at(world, SCREE_JOINT_HINGE, car, wheels[i], at, (scree_vec3){0, 1, 0});
        add_joint(world, &axle);
    }
    run_for(world, 4);
    for (int i = 0; i < 4; i++) ASSERT_AT_MOST(length_of(state_of(world, wheels[i]).angular_velocity), 1e-4);
    ASSERT_AT_MOST(fabsf(state_of(world, car).position.x), 2e-5);
    ASSERT_AT_MOST(fabsf(state_of(world, car).position.y), 1e-4);
    ASSERT_WITHIN(state_of(world, car).position.z, 2 * r, 1e-4);
    scree_world_destroy(world);
}

/* A pile of five kinds falls into a box and comes to rest without overlap, confirmed by a search over
 * directions. Without rolling friction a cylinder on top may roll to and fro in its trough for a quarter of a
 * minute. */
static void a_mixed_pile_comes_to_rest(void **state) {
    skip_if_short();
    enum { SIDE = 3, LAYERS = 8, COUNT = SIDE * SIDE * LAYERS };
    static scree_body_id ids[COUNT];
    static solid solids[COUNT];
    scree_world_def def = def_on(state);
    def.time_step = 1.0 / 200;
    def.material.rolling_friction = 1e-3f;
    scree_world *world = world_of(&def);
    const scree_shape shapes[] = {scree_shape_capsule(0.03f, 0.04f), scree_shape_cylinder(0.04f, 0.035f),
                                  scree_shape_cone(0.045f, 0.09f),
                                  scree_shape_ellipsoid(0.06f, 0.045f, 0.03f),
                                  scree_shape_box(0.05f, 0.03f, 0.025f)};
    const float wall = 0.22f, s = 0.70710678f;
    const scree_quat inward[5] = {{0, 0, 0, 1}, {0, s, 0, s}, {0, -s, 0, s}, {-s, 0, 0, s}, {s, 0, 0, s}};
    const scree_vec3 places[5] = {{0, 0, 0}, {-wall, 0, 0}, {wall, 0, 0}, {0, -wall, 0}, {0, wall, 0}};
    for (int i = 0; i < 5; i++) {
        scree_body_def plane = scree_default_body_def();
        scree_body_id id;
        plane.type = SCREE_BODY_STATIC, plane.shape = scree_shape_half_space();
        plane.state.position = places[i], plane.state.rotation = inward[i];
        CHECK(scree_body_create(world, &plane, &id));
    }
    uint64_t seed = 1;
    for (int i = 0; i < COUNT; i++) {
        float q[4], norm = 0;
        for (int k = 0; k < 4; k++) q[k] = (float)random_noise(&seed), norm += q[k] * q[k];
        norm = sqrtf(norm);
        const scree_vec3 place = {0.14f * (float)(i % SIDE - 1), 0.14f * (float)(i / SIDE % SIDE - 1),
                                  0.1f + 0.15f * (float)(i / SIDE / SIDE)};
        ids[i] = add_turned(world, shapes[i % 5], place,
                            (scree_quat){q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm});
    }
    const scree_statistics quantities = run_for(world, 3);
    double deepest = 0;
    for (int i = 0; i < COUNT; i++) {
        scree_body_def body;
        CHECK(scree_body_get_def(world, ids[i], &body));
        const scree_vec3 p = body.state.position;
        const scree_quat q = body.state.rotation;
        solids[i] = solid_of(body.shape, (body_pose){.position = vec3_of(p.x, p.y, p.z),
                                                     .rotation = versor_of(q.x, q.y, q.z, q.w)});
        ASSERT_AT_MOST(length_of(body.state.linear_velocity), 0.02);
        for (int k = 0; k < i; k++) {
            const double *a = solids[i].centre, *b = solids[k].centre;
            if (hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) > 0.15) continue;
            deepest = fmax(deepest, -solid_separation(&solids[i], &solids[k], 2000));
        }
    }
    ASSERT_AT_MOST(deepest, 5e-4);
    ASSERT_AT_MOST(quantities.penetration_max, 5e-4);
    print_message("# deepest overlap %g m, kinetic energy %g J\n", deepest, quantities.kinetic_energy);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", lying_bodies_stay),
        ON("opencl", round_bodies_roll_down_a_slope),
        ON("native", a_car_stands_on_cylinders),
        ON("reference", round_bodies_roll_down_a_slope),
        ON("native", round_bodies_roll_down_a_slope),
        ON("native", an_ellipsoid_rocks),
        ON("native", a_mixed_pile_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
