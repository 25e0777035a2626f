/* Periodic worlds: contacts across the boundary, and results that must not depend on it. */
#include "joint_scenery.h"

#include <unistd.h>

static scree_world_def periodic_on(void **state, float x, float y, float z) {
    scree_world_def def = def_on(state);
    def.period = (scree_vec3){x, y, z};
    return def;
}

static scree_vec3 vector(double x, double y, double z) { return (scree_vec3){(float)x, (float)y, (float)z}; }
static double along(scree_vec3 v, int axis) { return (double)(axis == 0 ? v.x : axis == 1 ? v.y : v.z); }

/* Returns a body's position along an axis, including whole periods. */
static double place_of(const scree_world *world, scree_body_id id, int axis) {
    const scree_vec3 period = scree_world_get_def(world).period;
    int periods[3];
    CHECK(scree_body_get_periods(world, id, periods));
    return along(state_of(world, id).position, axis) + periods[axis] * along(period, axis);
}

/* Two bodies that touch through a face, an edge or a corner of the cell have the same contact as inside
 * it. */
static void touch_through(void **state, scree_shape shape, scree_vec3 offset) {
    scree_contact near[8], far[8];
    int count[2];
    double end[2][3];
    for (int across = 0; across < 2; across++) {
        scree_world_def def = periodic_on(state, across ? 4 : 0, across ? 4 : 0, across ? 4 : 0);
        def.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&def);
        const scree_vec3 corner =
            across ? (scree_vec3){1.75f, 1.75f, 1.75f} : (scree_vec3){-0.25f, -0.25f, -0.25f};
        const scree_body_id a = add_body(world, shape, corner, (scree_vec3){0, 0, 0});
        const scree_body_id b = add_body(
            world, shape, (scree_vec3){corner.x + offset.x, corner.y + offset.y, corner.z + offset.z},
            (scree_vec3){-offset.x, -offset.y, -offset.z});
        (void)a;
        CHECK(scree_world_step(world, NULL));
        count[across] = scree_contact_list(world, across ? far : near, 8);
        for (int axis = 0; axis < 3; axis++)
            end[across][axis] = along(state_of(world, b).linear_velocity, axis);
        scree_world_destroy(world);
    }
    assert_true(count[0] > 0);
    assert_int_equal(count[0], count[1]);
    for (int i = 0; i < count[0]; i++)
        for (int axis = 0; axis < 3; axis++) {
            assert_float_equal(along(near[i].normal, axis), along(far[i].normal, axis), 2e-6);
            assert_float_equal(along(near[i].impulse, axis), along(far[i].impulse, axis),
                               2e-5 * (1 + length_of(near[i].impulse)));
            assert_float_equal(along(near[i].point, axis) + 2, along(far[i].point, axis), 2e-6);
        }
    for (int axis = 0; axis < 3; axis++) assert_float_equal(end[0][axis], end[1][axis], 2e-6);
}

static void contacts_cross_faces_edges_and_corners(void **state) {
    const double one = 0.49, two = 0.7, three = 0.57;
    (void)def_on(state); /* may skip the test, so call it before allocating */
    scree_geometry *cross = NULL;
    scree_clump_sphere arms[6];
    for (int i = 0; i < 6; i++) {
        const double at = i % 2 ? 0.3 : -0.3;
        arms[i].position = vector(i / 2 == 0 ? at : 0, i / 2 == 1 ? at : 0, i / 2 == 2 ? at : 0);
        arms[i].radius = 0.2f;
    }
    CHECK(scree_clump_create(arms, 6, &cross));
    for (int way = 1; way < 8; way++) {
        const int axes = (way & 1) + (way >> 1 & 1) + (way >> 2);
        const double side = axes == 1 ? 2 * one : axes == 2 ? two : three;
        const scree_vec3 offset = vector(way & 1 ? side : 0, way & 2 ? side : 0, way & 4 ? side : 0);
        touch_through(state, scree_shape_sphere(0.5f), offset);
        if (axes == 1) touch_through(state, scree_shape_box(0.5f, 0.5f, 0.5f), offset);
        if (axes == 1) touch_through(state, scree_shape_capsule(0.5f, 0.3f), offset);
        /* as wide as a ball along each axis: spheres of both meet, or a sphere of one and the middle of the
         * other */
        if (axes == 1) touch_through(state, scree_shape_clump(cross, 1), offset);
        if (axes == 2)
            touch_through(state, scree_shape_clump(cross, 1),
                          vector(way & 1 ? 0.56 : 0, way & 2 ? 0.56 : 0, way & 4 ? 0.56 : 0));
    }
    scree_geometry_release(cross);
}

/* A gas of spheres in a cell without walls conserves momentum, and all positions stay inside. */
static void a_gas_conserves_momentum(void **state) {
    scree_world_def def = periodic_on(state, 2, 1.5f, 1);
    def.period_centre = (scree_vec3){1, 0, -0.5f};
    def.gravity = (scree_vec3){0, 0, 0};
    def.material.restitution = 0.9f;
    def.solver.restitution_speed = 0;
    scree_world *world = world_of(&def);
    scree_body_id ids[60];
    scree_statistics first, s;
    for (int i = 0; i < 60; i++)
        ids[i] = add_body(world, scree_shape_sphere(0.12f),
                          vector(0.2 + 0.4 * (i % 5), -0.7 + 0.375 * (i / 5 % 4), -0.9 + 0.33 * (i / 20)),
                          vector(sin(7.0 * i), cos(3.0 * i), sin(5.0 * i + 1)));
    CHECK(scree_world_step(world, &first));
    bool crossed[3] = {false, false, false};
    double impulse = 0;
    const bool slow = def.backend == SCREE_BACKEND_REFERENCE;
    for (int step = 0; step < (slow ? 30 : 300); step++) {
        CHECK(scree_world_step(world, &s));
        scree_contact contacts[400];
        const int count = scree_contact_list(world, contacts, 400);
        for (int i = 0; i < count && i < 400; i++) impulse += length_of(contacts[i].impulse);
    }
    assert_true(impulse > (slow ? 5 : 100) * s.dynamic_mass / 60);
    for (int axis = 0; axis < 3; axis++)
        assert_float_equal(s.momentum[axis], first.momentum[axis], 1e-4 * s.dynamic_mass);
    for (int i = 0; i < 60; i++) {
        int periods[3];
        const scree_vec3 at = state_of(world, ids[i]).position;
        CHECK(scree_body_get_periods(world, ids[i], periods));
        for (int axis = 0; axis < 3; axis++) crossed[axis] |= periods[axis] != 0;
        assert_true(at.x >= 0 && at.x <= 2 && at.y >= -0.75f && at.y <= 0.75f && at.z >= -1 && at.z <= 0);
    }
    assert_true(slow || (crossed[0] && crossed[1] && crossed[2]));
    assert_true(s.penetration_max < 0.02);
    scree_world_destroy(world);
}

/* g (sin θ − μ cos θ) after many periods. */
static void slide(void **state, scree_shape shape) {
    const double theta = 0.5, mu = 0.3, g = 9.81;
    scree_world_def def = periodic_on(state, 2, 2, 0);
    def.gravity = vector(g * sin(theta), 0, -g * cos(theta));
    def.material.friction = (float)mu;
    def.time_step = 1.0 / 240;
    scree_world *world = world_of(&def);
    scree_body_def ground = scree_default_body_def();
    ground.type = SCREE_BODY_STATIC;
    ground.shape = scree_shape_half_space();
    CHECK(scree_body_create(world, &ground, NULL));
    const scree_vec3 half = {0, 0, 0.2f};
    const scree_body_id id = add_body(world, shape, half, (scree_vec3){0, 0, 0});
    const double seconds = 3;
    run_for(world, seconds);
    const double a = g * (sin(theta) - mu * cos(theta)), way = a * seconds * seconds / 2;
    assert_true(way > 4 * 2);
    assert_float_equal((double)state_of(world, id).linear_velocity.x, a * seconds, 0.01 * a * seconds);
    assert_float_equal(place_of(world, id, 0), way, 0.01 * way);
    assert_float_equal((double)state_of(world, id).position.z, 0.2, 0.002);
    assert_float_equal((double)state_of(world, id).linear_velocity.z, 0, 0.01);
    scree_world_destroy(world);
}

static void a_block_slides_through_many_periods(void **state) {
    slide(state, scree_shape_box(0.3f, 0.3f, 0.2f));
}

/* Makes a pile in a cell without walls: boxes, spheres and capsules over a half-space. */
static scree_world *pile_of(const scree_world_def *def, double shift_x, double shift_y) {
    scree_world *world = world_of(def);
    add_slope(world, 0);
    for (int i = 0; i < 48; i++) {
        const scree_shape shapes[3] = {scree_shape_sphere(0.11f), scree_shape_box(0.1f, 0.09f, 0.12f),
                                       scree_shape_capsule(0.07f, 0.08f)};
        const int x = i % 4, y = i / 4 % 3, z = i / 12;
        const scree_vec3 at = vector(0.05 + 0.3 * x + 0.03 * z + shift_x,
                                     0.02 + 0.33 * y - 0.02 * z + shift_y, 0.14 + 0.26 * z);
        add_body(world, shapes[i % 3], at, vector(0.3, -0.2, 0));
    }
    return world;
}

/* A run resumed from its checkpoint has the bits of an uninterrupted one, and so has one on more threads. */
static void checkpoints_and_threads_keep_bits(void **state) {
    char path[64];
    scree_world_def def = periodic_on(state, 1.2f, 1, 0);
    scree_world *world = pile_of(&def, 0, 0), *again = NULL;
    run_for(world, 0.5);
    snprintf(path, sizeof path, "/tmp/scree-periodic-%d", (int)getpid());
    CHECK(scree_checkpoint_save(world, path));
    def.threads = 3;
    CHECK(scree_checkpoint_load(path, &def, &again));
    remove(path);
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(again));
    run_for(world, 0.5), run_for(again, 0.5);
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(again));
    int count = scree_contact_count(again);
    assert_true(count > 48);
    scree_world_destroy(world);
    scree_world_destroy(again);
}

/* A chain of ball-jointed links hangs from the world, and two hinged boxes fly through all boundaries,
 * with a checkpoint in between: the position of the boundary changes neither, and joints keep their
 * periodic images. */
static void joints_cross_the_boundary(void **state) {
    enum { LINKS = 5, BODIES = LINKS + 2 };
    const scree_vec3 centres[2] = {{0.3f, 0.1f, 0}, {1.37f, -0.9f, 0.5f}};
    double end[2][BODIES][3], tilt[2], turned[2];
    char path[64];
    snprintf(path, sizeof path, "/tmp/scree-chain-%d", (int)getpid());
    for (int run = 0; run < 2; run++) {
        scree_world_def def = periodic_on(state, 2.4f, 2, 5);
        def.period_centre = centres[run], def.time_step = 1.0 / 240;
        def.solver.iterations = 200, def.solver.tolerance = 1e-6f;
        scree_world *world = world_of(&def);
        scree_body_id ids[BODIES];
        for (int i = 0; i < LINKS; i++) {
            const scree_vec3 at = vector(0.15 + 0.3 * i, 0.05 * i, 0);
            ids[i] = add_body(world, scree_shape_capsule(0.03f, 0.2f), at, vector(0, 0, 0));
            const scree_joint_def ball = joint_at(world, SCREE_JOINT_BALL, i ? ids[i - 1] : nothing, ids[i],
                                                  vector(0.3 * i, 0.05 * (i - 0.5), 0), vector(1, 0, 0));
            add_joint(world, &ball);
        }
        for (int i = 0; i < 2; i++) {
            ids[LINKS + i] = add_body(world, scree_shape_box(0.1f, 0.1f, 0.05f),
                                      vector(0.7 + 0.2 * i, 0.5, 1.5), vector(3, -2, i ? 1 : -1));
        }
        scree_joint_def hinge = joint_at(world, SCREE_JOINT_HINGE, ids[LINKS], ids[LINKS + 1],
                                         vector(0.8, 0.5, 1.5), vector(0, 1, 0));
        hinge.axes[SCREE_AXIS_ROTATION_X].drive = SCREE_DRIVE_VELOCITY;
        hinge.axes[SCREE_AXIS_ROTATION_X].target = 2;
        add_joint(world, &hinge);
        run_for(world, 0.35);
        CHECK(scree_checkpoint_save(world, path));
        scree_world_destroy(world);
        CHECK(scree_checkpoint_load(path, &def, &world));
        remove(path);
        assert_int_equal(scree_body_list(world, ids, BODIES), BODIES);
        scree_joint_id joints[BODIES];
        assert_int_equal(scree_joint_list(world, joints, BODIES), LINKS + 1);
        run_for(world, 0.35);
        for (int i = 0; i < BODIES; i++)
            for (int axis = 0; axis < 3; axis++) end[run][i][axis] = place_of(world, ids[i], axis);
        for (int i = 0; i < LINKS + 1; i++) {
            const scree_joint_state at = joint_state_of(world, joints[i]);
            ASSERT_AT_MOST(at.error, 2e-3);
            if (i == LINKS) tilt[run] = at.velocity[SCREE_AXIS_ROTATION_X], turned[run] = at.position[3];
        }
        scree_world_destroy(world);
    }
    int periods = 0;
    for (int i = 0; i < BODIES; i++)
        for (int axis = 0; axis < 3; axis++) {
            ASSERT_WITHIN(end[0][i][axis], end[1][i][axis], 2e-3);
            periods += i >= LINKS && fabs(end[0][i][axis]) > 1.4;
        }
    assert_true(periods >= 2);
    ASSERT_WITHIN(tilt[0], tilt[1], 1e-2);
    ASSERT_WITHIN(turned[0], turned[1], 1e-2);
    ASSERT_WITHIN(turned[0], 1.4, 2e-2);
}

/* Two balls joined by a rod across the boundary, positions within the cell: 0.4 m apart, not 3.6. */
static void a_joint_uses_the_nearest_image(void **state) {
    scree_world_def def = periodic_on(state, 4, 0, 0);
    def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    const scree_body_id a = add_body(world, scree_shape_sphere(0.1f), vector(1.8, 0, 0), vector(0, 1, 0)),
                        b = add_body(world, scree_shape_sphere(0.1f), vector(-1.8, 0, 0), vector(0, -1, 0));
    scree_joint_def rod = scree_default_joint_def(SCREE_JOINT_DISTANCE);
    rod.a = a, rod.b = b;
    rod.axes[SCREE_AXIS_X].mode = SCREE_AXIS_LOCKED;
    rod.axes[SCREE_AXIS_X].low = 0.4f;
    const scree_joint_id id = add_joint(world, &rod);
    for (int step = 0; step < 120; step++) {
        CHECK(scree_world_step(world, NULL));
        const scree_joint_state at = joint_state_of(world, id);
        ASSERT_WITHIN(at.position[0], 0.4, 2e-3);
    }
    const double m = scree_shape_get_volume(scree_shape_sphere(0.1f)) * 1000, speed = 1, r = 0.2;
    ASSERT_NEAR(length_of(joint_state_of(world, id).force), m * speed * speed / r, 0.02);
    ASSERT_NEAR(length_of(state_of(world, a).linear_velocity), speed, 0.01);
    scree_world_destroy(world);
}

/* The position of the boundary does not matter: only the law is exact, so statistics of the fall are compared
 * before round-off has grown. */
static void the_boundary_position_does_not_matter(void **state) {
    const double shifts[2][2] = {{0, 0}, {0.37, -0.41}};
    double end[2][48][3];
    for (int run = 0; run < 2; run++) {
        const scree_world_def def = periodic_on(state, 1.2f, 1, 0);
        scree_world *world = pile_of(&def, shifts[run][0], shifts[run][1]);
        scree_body_id ids[49];
        run_for(world, 0.3);
        assert_int_equal(scree_body_list(world, ids, 49), 49);
        for (int i = 0; i < 48; i++)
            for (int axis = 0; axis < 3; axis++)
                end[run][i][axis] = place_of(world, ids[i + 1], axis) - (axis < 2 ? shifts[run][axis] : 0);
        scree_world_destroy(world);
    }
    for (int i = 0; i < 48; i++)
        for (int axis = 0; axis < 3; axis++) assert_float_equal(end[0][i][axis], end[1][i][axis], 2e-3);
}

/* A floor as long as the period supports bodies wherever its middle is in the cell, even farther away than
 * its corners, without a further detection pass. */
static void a_periodic_floor_may_be_off_centre(void **state) {
    const scree_shape shapes[2] = {scree_shape_box(0.04f, 0.05f, 0.06f), scree_shape_sphere(0.06f)};
    scree_world_def def = periodic_on(state, 1.2f, 1, 0);
    def.time_step = 0.0005;
    scree_world *world = world_of(&def);
    scree_body_def floor = scree_default_body_def();
    floor.type = SCREE_BODY_STATIC;
    floor.shape = scree_shape_box(0.6f, 0.5f, 0.1f);
    floor.state.position = vector(0.55, 0.45, -0.1);
    CHECK(scree_body_create(world, &floor, NULL));
    scree_body_id ids[30];
    for (int i = 0; i < 30; i++)
        ids[i] = add_body(world, shapes[i % 2], vector(-0.5 + 0.2 * (i % 6), -0.4 + 0.2 * (i / 6), 0.06),
                          (scree_vec3){0, 0, 0});
    for (int step = 0; step < 100; step++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        assert_int_equal(s.contacts, 15 * 4 + 15);
        assert_int_equal(s.late, 0);
    }
    for (int i = 0; i < 30; i++) assert_float_equal((double)state_of(world, ids[i]).position.z, 0.06, 1e-5);
    scree_world_destroy(world);
}

/* Makes a square of the plane z = 0 with its corner at the origin. */
static scree_shape square_of(float side) {
    const scree_vec3 corners[] = {{0, 0, 0}, {side, 0, 0}, {side, side, 0}, {0, side, 0}};
    const scree_triangle halves[] = {{{0, 1, 2}}, {{0, 2, 3}}};
    scree_geometry *made = NULL;
    CHECK(scree_mesh_create(corners, 4, halves, 2, &made));
    return scree_shape_mesh(made, 1);
}

/* A mesh's length does not depend on its origin: one as long as the period is an endless floor. */
static void a_periodic_mesh_may_be_off_centre(void **state) {
    for (int turned = 0; turned < 2; turned++) {
        scree_world_def def = periodic_on(state, 2, 2, 0);
        def.period_centre = vector(turned ? 0 : 1, 1, 0), def.time_step = 0.01, def.material.friction = 0;
        scree_world *world = world_of(&def);
        scree_body_def floor = scree_default_body_def();
        floor.type = SCREE_BODY_STATIC;
        floor.shape = square_of(2.2f);
        assert_int_equal(scree_body_create(world, &floor, NULL), SCREE_ERROR_ARGUMENT);
        assert_non_null(strstr(scree_error_get_message(), "mesh"));
        scree_geometry_release(floor.shape.geometry);
        floor.shape = square_of(2);
        if (turned) floor.state.rotation = (scree_quat){0, 0, sqrtf(0.5f), sqrtf(0.5f)};
        CHECK(scree_body_create(world, &floor, NULL));
        scree_geometry_release(floor.shape.geometry);
        const scree_body_id ball = add_body(world, scree_shape_sphere(0.3f), (scree_vec3){0.1f, 0.9f, 0.3f},
                                            (scree_vec3){3, 0.5f, 0});
        for (int i = 0; i < 150; i++) {
            CHECK(scree_world_step(world, NULL));
            assert_float_equal(state_of(world, ball).position.z, 0.3, 1e-3);
        }
        assert_float_equal(place_of(world, ball, 0), 4.6, 1e-2);
        assert_float_equal(place_of(world, ball, 1), 1.65, 1e-2);
        scree_world_destroy(world);
    }
}

/* Rays and overlap queries find a mesh where balls rest on it, any number of periods from its origin. */
static void queries_find_an_off_centre_mesh(void **state) {
    const scree_triangle halves[] = {{{0, 1, 2}}, {{0, 2, 3}}};
    for (int i = 0; i < 8; i++) {
        scree_world_def def = periodic_on(state, 2, 2, 0);
        scree_world *world = world_of(&def);
        const float at = (float)(i < 7 ? i : -37);
        const scree_vec3 corners[] = {{at, 0, 0}, {at + 0.5f, 0, 0}, {at + 0.5f, 0.5f, 0}, {at, 0.5f, 0}};
        const scree_ray ray = {{i % 2 ? -0.75f : 0.25f, 0.25f, 1}, {0, 0, -1}, 5};
        scree_body_def floor = scree_default_body_def();
        scree_geometry *made = NULL;
        scree_body_id id, found[2];
        scree_ray_hit hit;
        int count = 0;
        CHECK(scree_mesh_create(corners, 4, halves, 2, &made));
        floor.type = SCREE_BODY_STATIC, floor.shape = scree_shape_mesh(made, 1);
        CHECK(scree_body_create(world, &floor, &id));
        scree_geometry_release(made);
        CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
        assert_int_equal(hit.body.index, id.index);
        assert_float_equal(hit.distance, 1, 1e-4);
        const scree_vec3 point = {ray.origin.x, ray.origin.y, 0};
        CHECK(scree_world_overlap_sphere(world, point, 0.02f, NULL, found, 2, &count));
        assert_int_equal(count, 1);
        scree_world_destroy(world);
    }
}

static void refuses(scree_world *world, const scree_body_def *def, const char *why) {
    assert_int_equal(scree_body_create(world, def, NULL), SCREE_ERROR_ARGUMENT);
    if (!strstr(scree_error_get_message(), why))
        fail_msg("'%s' says nothing of '%s'", scree_error_get_message(), why);
}

static void invalid_periods_are_rejected(void **state) {
    scree_world_def def = periodic_on(state, 2, -1, 0);
    scree_world *world = NULL;
    assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "period.y"));
    def.period = (scree_vec3){2, 0, INFINITY};
    assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT);
    def = periodic_on(state, 2, 0, 0), def.period_centre.x = NAN;
    assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT);
    def.period_centre.x = 0;
    world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    body.shape = scree_shape_sphere(1);
    refuses(world, &body, "sphere");
    body.shape = scree_shape_capsule(0.1f, 0.95f);
    refuses(world, &body, "sphere");
    body.shape = scree_shape_sphere(0.9f);
    body.state.position.x = 250;
    refuses(world, &body, "position.x");
    body.state.position = (scree_vec3){0, 1e6f, 1e6f};
    scree_body_id id;
    CHECK(scree_body_create(world, &body, &id));
    scree_body_state away = state_of(world, id);
    away.position.x = -1e7f;
    assert_int_equal(scree_body_set_state(world, id, &away), SCREE_ERROR_ARGUMENT);
    body.type = SCREE_BODY_STATIC;
    body.shape = scree_shape_box(1.1f, 1, 1);
    body.state.position = (scree_vec3){0, 0, 0};
    refuses(world, &body, "box");
    body.shape = scree_shape_half_space();
    CHECK(scree_body_create(world, &body, NULL));
    body.state.rotation = (scree_quat){0, sinf(0.05f), 0, cosf(0.05f)};
    refuses(world, &body, "half-space");
    body.type = SCREE_BODY_KINEMATIC;
    body.state.rotation = (scree_quat){0, 0, 0, 1};
    body.state.angular_velocity.y = 1;
    refuses(world, &body, "angular_velocity");
    body.state.angular_velocity = (scree_vec3){1e-3f, 0, 1};
    refuses(world, &body, "angular_velocity");
    scree_world_destroy(world);
}

/* In a world that is periodic along x a half-space may turn about x and about its normal, for ever. */
static void half_spaces_turn_if_they_stay_perpendicular(void **state) {
    scree_world_def def = def_on(state);
    def.period = (scree_vec3){2, 0, 0};
    scree_world *world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.type = SCREE_BODY_KINEMATIC;
    body.shape = scree_shape_half_space();
    const scree_vec3 good[] = {{3, 0, 0}, {0, 0, 3}};
    for (int i = 0; i < 2; i++) {
        body.state.angular_velocity = good[i];
        CHECK(scree_body_create(world, &body, &id));
    }
    scree_body_state bad = state_of(world, id);
    bad.angular_velocity = (scree_vec3){0, 1, 0};
    CHECK_FAILS(scree_body_set_state(world, id, &bad), SCREE_ERROR_ARGUMENT, "angular_velocity");
    for (int i = 0; i < 300; i++) CHECK(scree_world_step(world, NULL));
    scree_world_destroy(world);
}

/* A kinematic group can turn a half-space towards a periodic axis. The step that finds it so names the body,
 * and the world goes on without it. */
static void a_step_names_a_half_space_that_turned(void **state) {
    scree_world_def def = def_on(state);
    def.period = (scree_vec3){2, 0, 0};
    scree_world *world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    CHECK(scree_body_create(world, &body, NULL));
    body.type = SCREE_BODY_KINEMATIC;
    body.shape = scree_shape_half_space();
    body.state.position.z = -2;
    CHECK(scree_body_create(world, &body, &id));
    scree_motion_def turn = scree_default_motion_def(SCREE_MOTION_ROTATION);
    turn.axis = (scree_vec3){0, 1, 0}, turn.speed = 1;
    const scree_kinematic_group_def group = {
        .bodies = &id, .body_count = 1, .motions = &turn, .motion_count = 1};
    CHECK(scree_kinematic_group_create(world, &group, NULL));
    CHECK(scree_world_step(world, NULL));
    uint32_t named[2] = {0, 0};
    CHECK_FAILS(scree_world_step(world, NULL), SCREE_ERROR_ARGUMENT, "id 2: half-space normal");
    assert_int_equal(scree_error_get_bodies(named), 1);
    assert_int_equal(named[0], id.index);
    CHECK(scree_body_destroy(world, id));
    CHECK(scree_world_step(world, NULL));
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(contacts_cross_faces_edges_and_corners),
        ON_EACH_BACKEND(a_gas_conserves_momentum),
        ON_EACH_BACKEND(a_block_slides_through_many_periods),
        ON_EACH_BACKEND(joints_cross_the_boundary),
        ON_EACH_BACKEND(a_joint_uses_the_nearest_image),
        ON("native", checkpoints_and_threads_keep_bits),
        ON("opencl", checkpoints_and_threads_keep_bits),
        ON("native", the_boundary_position_does_not_matter),
        ON("native", a_periodic_floor_may_be_off_centre),
        ON("native", a_periodic_mesh_may_be_off_centre),
        ON("native", queries_find_an_off_centre_mesh),
        ON("native", invalid_periods_are_rejected),
        ON("native", half_spaces_turn_if_they_stay_perpendicular),
        ON("native", a_step_names_a_half_space_that_turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
