/* Worlds that repeat themselves: what touches across the border, and what must not see it. */
#include "scenery.h"

#include <unistd.h>

static scree_world_def periodic_on(void **state, float x, float y, float z) {
    scree_world_def def = def_on(state);
    def.period = (scree_vec3){x, y, z};
    return def;
}

static scree_vec3 vector(double x, double y, double z) { return (scree_vec3){(float)x, (float)y, (float)z}; }
static double along(scree_vec3 v, int axis) { return (double)(axis == 0 ? v.x : axis == 1 ? v.y : v.z); }

/* Where a body has come to. */
static double place_of(const scree_world *world, scree_body_id id, int axis) {
    const scree_vec3 period = scree_world_get(world).period;
    int periods[3];
    CHECK(scree_body_periods_get(world, id, periods));
    return along(state_of(world, id).position, axis) + periods[axis] * along(period, axis);
}

/* Two bodies that touch through a face, an edge or a corner of the cell have the contact of the same two
 * beside each other. */
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

static void faces_edges_and_corners_are_doors(void **state) {
    const double one = 0.49, two = 0.7, three = 0.57;
    for (int way = 1; way < 8; way++) {
        const int axes = (way & 1) + (way >> 1 & 1) + (way >> 2);
        const double side = axes == 1 ? 2 * one : axes == 2 ? two : three;
        const scree_vec3 offset = vector(way & 1 ? side : 0, way & 2 ? side : 0, way & 4 ? side : 0);
        touch_through(state, scree_sphere(0.5f), offset);
        if (axes == 1) touch_through(state, scree_box(0.5f, 0.5f, 0.5f), offset);
        if (axes == 1) touch_through(state, scree_capsule(0.5f, 0.3f), offset);
    }
}

/* A gas of spheres in a cell that has no walls: nothing takes its momentum, and all keep inside. */
static void a_gas_keeps_its_momentum(void **state) {
    scree_world_def def = periodic_on(state, 2, 1.5f, 1);
    def.period_centre = (scree_vec3){1, 0, -0.5f};
    def.gravity = (scree_vec3){0, 0, 0};
    def.material.restitution = 0.9f;
    def.solver.restitution_speed = 0;
    scree_world *world = world_of(&def);
    scree_body_id ids[60];
    scree_statistics first, s;
    for (int i = 0; i < 60; i++)
        ids[i] = add_body(world, scree_sphere(0.12f),
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
        CHECK(scree_body_periods_get(world, ids[i], periods));
        for (int axis = 0; axis < 3; axis++) crossed[axis] |= periods[axis] != 0;
        assert_true(at.x >= 0 && at.x <= 2 && at.y >= -0.75f && at.y <= 0.75f && at.z >= -1 && at.z <= 0);
    }
    assert_true(slow || (crossed[0] && crossed[1] && crossed[2]));
    assert_true(s.penetration_max < 0.02);
    scree_world_destroy(world);
}

/* g (sin θ − μ cos θ) after many rounds. */
static void slide(void **state, scree_shape shape) {
    const double theta = 0.5, mu = 0.3, g = 9.81;
    scree_world_def def = periodic_on(state, 2, 2, 0);
    def.gravity = vector(g * sin(theta), 0, -g * cos(theta));
    def.material.friction = (float)mu;
    def.time_step = 1.0 / 240;
    scree_world *world = world_of(&def);
    scree_body_def ground = scree_default_body_def();
    ground.type = SCREE_BODY_STATIC;
    ground.shape = scree_half_space();
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

static void a_block_slides_round_and_round(void **state) { slide(state, scree_box(0.3f, 0.3f, 0.2f)); }

/* A pile in a cell without walls: boxes, spheres and capsules over a half-space. */
static scree_world *pile_of(const scree_world_def *def, double shift_x, double shift_y) {
    scree_world *world = world_of(def);
    add_slope(world, 0);
    for (int i = 0; i < 48; i++) {
        const scree_shape shapes[3] = {scree_sphere(0.11f), scree_box(0.1f, 0.09f, 0.12f),
                                       scree_capsule(0.07f, 0.08f)};
        const int x = i % 4, y = i / 4 % 3, z = i / 12;
        const scree_vec3 at = vector(0.05 + 0.3 * x + 0.03 * z + shift_x,
                                     0.02 + 0.33 * y - 0.02 * z + shift_y, 0.14 + 0.26 * z);
        add_body(world, shapes[i % 3], at, vector(0.3, -0.2, 0));
    }
    return world;
}

/* A run that goes on from its checkpoint has the bits of one that was not interrupted, and so has one on more
 * threads. */
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
    assert_true(scree_world_hash(world) == scree_world_hash(again));
    run_for(world, 0.5), run_for(again, 0.5);
    assert_true(scree_world_hash(world) == scree_world_hash(again));
    int count = scree_contact_count(again);
    assert_true(count > 48);
    scree_world_destroy(world);
    scree_world_destroy(again);
}

/* Where the border runs does not matter: nothing is exact but the law, so figures of the fall are compared
 * before rounding has grown. */
static void the_border_is_nowhere(void **state) {
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

static void refuses(scree_world *world, const scree_body_def *def, const char *why) {
    assert_int_equal(scree_body_create(world, def, NULL), SCREE_ERROR_ARGUMENT);
    if (!strstr(scree_error_message(), why))
        fail_msg("'%s' says nothing of '%s'", scree_error_message(), why);
}

static void nonsense_is_refused(void **state) {
    scree_world_def def = periodic_on(state, 2, -1, 0);
    scree_world *world = NULL;
    assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_message(), "period.y is -1"));
    def.period = (scree_vec3){2, 0, INFINITY};
    assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT);
    def = periodic_on(state, 2, 0, 0), def.period_centre.x = NAN;
    assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT);
    def.period_centre.x = 0;
    world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    body.shape = scree_sphere(1);
    refuses(world, &body, "own image");
    body.shape = scree_capsule(0.1f, 0.95f);
    refuses(world, &body, "own image");
    body.shape = scree_sphere(0.9f);
    body.state.position.x = 250;
    refuses(world, &body, "position.x is 250");
    body.state.position = (scree_vec3){0, 1e6f, 1e6f};
    scree_body_id id;
    CHECK(scree_body_create(world, &body, &id));
    scree_body_state away = state_of(world, id);
    away.position.x = -1e7f;
    assert_int_equal(scree_body_state_set(world, id, &away), SCREE_ERROR_ARGUMENT);
    body.type = SCREE_BODY_STATIC;
    body.shape = scree_box(1.1f, 1, 1);
    body.state.position = (scree_vec3){0, 0, 0};
    refuses(world, &body, "own image");
    body.shape = scree_half_space();
    CHECK(scree_body_create(world, &body, NULL));
    body.state.rotation = (scree_quat){0, sinf(0.05f), 0, cosf(0.05f)};
    refuses(world, &body, "normal");
    body.type = SCREE_BODY_KINEMATIC;
    body.state.rotation = (scree_quat){0, 0, 0, 1};
    body.state.angular_velocity.y = 1;
    CHECK(scree_body_create(world, &body, NULL));
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_world_step(world, NULL), SCREE_ERROR_ARGUMENT);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(faces_edges_and_corners_are_doors),
        ON_EACH_BACKEND(a_gas_keeps_its_momentum),
        ON_EACH_BACKEND(a_block_slides_round_and_round),
        ON("native", checkpoints_and_threads_keep_bits),
        ON("opencl", checkpoints_and_threads_keep_bits),
        ON("native", the_border_is_nowhere),
        ON("native", nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
