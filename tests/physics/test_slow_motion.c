/* Motion that is smaller in a step than the spacing of the numbers of a pose is not lost: poses carry their
 * rounding. Speeds are right to 1e-5. */
#include "scenery.h"

#include "step/world.h"

/* A motion without loads. */
typedef struct slow_case {
    double distance; /* from the origin, m */
    float speed;     /* m/s */
    float spin;      /* rad/s */
    double time_step;
} slow_case;

static const slow_case cases[] = {
    {1.5, 5e-3f, 1e-3f, 1e-5}, {0.3, 5e-3f, 1e-2f, 1e-5}, {1, 1e-3f, 1e-3f, 1e-7},
    {1e3, 1, 1, 1e-4},         {1e4, 1, 1, 1e-5},         {1e4, 20, 1, 1e-7},
};
enum { CASES = sizeof cases / sizeof cases[0], KINDS = 5, STEPS = 1000, FEW_STEPS = 100 };

/* A body in the directions (1, 2, 3)/√14 from the origin, which moves across and turns about a slanting axis:
 * a ball (integrated in vector lanes), a box (not), one of locked rotations, a kinematic body, and a tumbling
 * one. */
static scree_body_def body_of(const slow_case *of, int kind) {
    scree_body_def def = scree_default_body_def();
    const float at = (float)(of->distance / sqrt(14)), turn = of->spin / 3;
    def.type = kind == 3 ? SCREE_BODY_KINEMATIC : SCREE_BODY_DYNAMIC;
    def.shape = kind == 0 ? scree_shape_sphere(0.01f) : scree_shape_box(0.01f, 0.01f, 0.01f);
    def.locks = kind == 2 ? SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z : 0;
    def.state.position = (scree_vec3){at + 0.1f * (float)kind, 2 * at, 3 * at};
    def.state.rotation = (scree_quat){0.5f, -0.1f, 0.7f, 0.5f};
    def.state.linear_velocity = (scree_vec3){of->speed, -0.5f * of->speed, of->speed / 3};
    def.state.angular_velocity = (scree_vec3){turn, 2 * turn, -2 * turn};
    if (kind == 2) def.state.angular_velocity = (scree_vec3){0};
    if (kind == 4) def.shape = scree_shape_box(0.01f, 0.02f, 0.03f), def.state.angular_velocity.y = 0;
    if (kind == 4) def.state.rotation = (scree_quat){0, 0, 0, 1}, def.state.angular_velocity.z = 0;
    const scree_quat q = def.state.rotation;
    const float norm = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    def.state.rotation = (scree_quat){q.x / norm, q.y / norm, q.z / norm, q.w / norm};
    return def;
}

static const double ROUNDED = 0x1p-49; /* rad */

/* A body's pose with its rounding: coordinates as if it had crossed no periodic boundary. */
typedef struct place {
    double position[3], rotation[4], turned[3];
} place;

static place place_of(const scree_world *world, int slot) {
    const body_array *bodies = &world->state.bodies;
    const body_remainder left = bodies->remainders[slot];
    const versors q = bodies->poses[slot].rotation;
    place out = {.rotation = {(double)q.x, (double)q.y, (double)q.z, (double)q.w}};
    for (int k = 0; k < 3; k++) {
        out.position[k] = body_unwrapped(bodies, slot, bodies->poses[slot].position, k) +
                          (double)vec3_along(left.position, k);
        out.turned[k] = (double)vec3_along(left.rotation, k);
    }
    return out;
}

/* Computes the rotation vector from one place to another. */
static void turn_between(const place *from, const place *to, double out[3]) {
    const double *p = from->rotation, *q = to->rotation, w = q[3] - p[3];
    double sine[3], square = 0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        sine[k] = p[3] * (q[k] - p[k]) - w * p[k] - ((q[i] - p[i]) * p[j] - (q[j] - p[j]) * p[i]);
        square += sine[k] * sine[k];
    }
    const double factor = square > 0 ? 2 * asin(sqrt(square)) / sqrt(square) : 2;
    for (int k = 0; k < 3; k++) out[k] = factor * sine[k] + to->turned[k] - from->turned[k];
}

/* Asserts that the body moved with its velocities, to 1e-5 of the speed and of the spin. A remainder of a
 * rotation is up to 2^-24 rad, so that a step rounds it by up to `ROUNDED`. */
static void check_moved(const place *from, const place *to, const scree_body_def *def, int steps,
                        double time) {
    const scree_vec3 v = def->state.linear_velocity, w = def->state.angular_velocity;
    const double linear[] = {(double)v.x, (double)v.y, (double)v.z},
                 angular[] = {(double)w.x, (double)w.y, (double)w.z};
    const double rounded = steps * ROUNDED;
    double turn[3];
    turn_between(from, to, turn);
    for (int k = 0; k < 3; k++) {
        ASSERT_WITHIN(to->position[k] - from->position[k], linear[k] * time, 1e-5 * length_of(v) * time);
        ASSERT_WITHIN(turn[k], angular[k] * time, 1e-5 * length_of(w) * time + rounded);
    }
}

static void check_case(void **state, const slow_case *of, scree_stabilisation stabilisation, int steps) {
    scree_world_def def = def_on(state);
    place from[KINDS];
    def.gravity = (scree_vec3){0};
    def.time_step = of->time_step;
    def.solver = scree_solver_def_with_stabilisation(def.solver, stabilisation);
    scree_world *world = world_of(&def);
    for (int i = 0; i < KINDS; i++) {
        const scree_body_def body = body_of(of, i);
        CHECK(scree_body_create(world, &body, NULL));
        from[i] = place_of(world, i);
    }
    for (int i = 0; i < steps; i++) CHECK(scree_world_step(world, NULL));
    for (int i = 0; i < KINDS; i++) {
        const scree_body_def body = body_of(of, i);
        const place to = place_of(world, i);
        check_moved(&from[i], &to, &body, steps, steps * of->time_step);
    }
    scree_world_destroy(world);
}

static void slow_motion_keeps_its_speed(void **state) {
    const bool native = backend_of(state) == SCREE_BACKEND_NATIVE;
    for (int i = 0; i < CASES; i++) {
        check_case(state, &cases[i], SCREE_STABILISATION_SPLIT, native ? STEPS : FEW_STEPS);
        check_case(state, &cases[i], SCREE_STABILISATION_SUBSTEP, FEW_STEPS);
    }
}

/* The rounded position that callers read moves too: 5 mm/s at 1.5 m from the origin, 1e-5 s a step. */
static void a_platen_moves(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 1e-5;
    scree_world *world = world_of(&def);
    scree_body_def platen = scree_default_body_def();
    scree_body_id id;
    platen.type = SCREE_BODY_KINEMATIC, platen.shape = scree_shape_box(0.1f, 0.1f, 0.01f);
    platen.state.position.z = 1.5f, platen.state.linear_velocity.z = -0.005f;
    CHECK(scree_body_create(world, &platen, &id));
    for (int i = 0; i < 1000; i++) CHECK(scree_world_step(world, NULL));
    ASSERT_WITHIN(state_of(world, id).position.z, 1.5 - 5e-5, 1.2e-7);
    scree_world_destroy(world);
}

/* A body that crosses a periodic boundary every hundred steps keeps its rounding. */
static void slow_motion_crosses_boundaries(void **state) {
    scree_world_def def = def_on(state);
    scree_body_def ball = scree_default_body_def();
    def.gravity = (scree_vec3){0};
    def.time_step = 1e-5;
    def.period = (scree_vec3){0.1f, 0.1f, 0}, def.period_centre = (scree_vec3){7, 3, 0};
    scree_world *world = world_of(&def);
    ball.shape = scree_shape_sphere(0.01f);
    ball.state.position = (scree_vec3){7.049f, 3, 0.3f};
    ball.state.linear_velocity = (scree_vec3){0.3f, -100, 0.01f};
    CHECK(scree_body_create(world, &ball, NULL));
    const place from = place_of(world, 0);
    for (int i = 0; i < 1000; i++) CHECK(scree_world_step(world, NULL));
    const place to = place_of(world, 0);
    assert_int_equal(world->state.bodies.cells[0].n[1], -10);
    ASSERT_NEAR(to.position[0] - from.position[0], 0.3f * 0.01, 1e-5);
    ASSERT_NEAR(to.position[1] - from.position[1], -1, 1e-5);
    ASSERT_NEAR(to.position[2] - from.position[2], 1e-4, 1e-5);
    scree_world_destroy(world);
}

/* A stack of five cubes 10 km from the origin, where coordinates are 1 mm apart, rests as at the origin. */
static void a_distant_stack_rests(void **state) {
    scree_world_def def = def_on(state);
    const float at = 1e4f;
    double energy = 0;
    scree_world *world = world_of(&def);
    scree_body_def floor = scree_default_body_def();
    floor.type = SCREE_BODY_STATIC, floor.shape = scree_shape_box(1, 1, 0.1f);
    floor.state.position = (scree_vec3){at, at, at - 0.1f};
    CHECK(scree_body_create(world, &floor, NULL));
    for (int i = 0; i < 5; i++)
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){at, at, at + 0.1f + 0.2f * (float)i},
                 (scree_vec3){0});
    run_for(world, 1);
    for (int i = 0; i < 60; i++) energy = fmax(energy, run_for(world, 1.0 / 120).kinetic_energy);
    ASSERT_AT_MOST(energy, 1e-8);
    scree_world_destroy(world);
}

/* Rounding is part of the state: it goes into checkpoints and hashes, and a state set by the caller has
 * none. */
static void rounding_is_part_of_the_state(void **state) {
    scree_world_def def = def_on(state);
    scree_body_state at;
    def.time_step = 1e-5;
    scree_world *world = world_of(&def);
    const scree_body_id id = add_body(world, scree_shape_box(0.1f, 0.2f, 0.3f), (scree_vec3){1.5f, 2, 3},
                                      (scree_vec3){0.005f, 0.003f, 0.001f});
    for (int i = 0; i < 7; i++) CHECK(scree_world_step(world, NULL));
    assert_true(world->state.bodies.remainders[0].position.x != 0);
    check_goes_on(world, &def, "slow_motion_checkpoint");
    const uint64_t before = scree_world_get_hash(world);
    CHECK(scree_body_get_state(world, id, &at));
    CHECK(scree_body_set_state(world, id, &at));
    assert_true(world->state.bodies.remainders[0].position.x == 0);
    assert_true(scree_world_get_hash(world) != before);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(slow_motion_keeps_its_speed),
        ON_EACH_BACKEND(a_platen_moves),
        ON_EACH_BACKEND(slow_motion_crosses_boundaries),
        ON("native", a_distant_stack_rests),
        ON("opencl", a_distant_stack_rests),
        ON("native", rounding_is_part_of_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
