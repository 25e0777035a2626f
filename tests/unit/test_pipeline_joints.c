/* Mechanisms among grains on both pipelines: joints of all kinds with limits, motors, springs and friction,
 * hubs with more joints than colours, several joints between two bodies that touch, and kinematic groups.
 * Contacts stay on the device, and each step has the host's bits. */
#include "random_vectors.h"
#include "scenery.h"

#include "children_pool.h"

#include "device/opencl/opencl_device.h"
#include "step/world.h"

enum { SEEDS = 6, STEPS = 20, MOST_JOINTS = 256 };

static bool with_children; /* some bodies are clumps or compounds */

/* -- Worlds ----------------------------------------------------------------------------- */

static scree_vec3 vector(uint64_t *seed, double size) {
    const vec3s v = random_vector(seed, -size, size);
    return (scree_vec3){v.x, v.y, v.z};
}

static scree_body_id add_part(scree_world *world, uint64_t *seed, scree_vec3 at) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    const vec3s half = random_vector(seed, 0.03, 0.08);
    def.shape = random_below(seed, 3) ? scree_shape_box(half.x, half.y, half.z) : scree_shape_sphere(half.x);
    if (with_children && random_below(seed, 3) == 0)
        def.shape = children_shape(seed, random_below(seed, 2) ? SCREE_SHAPE_CLUMP : SCREE_SHAPE_COMPOUND,
                                   0.08, 0.15);
    def.state.position = at;
    def.state.linear_velocity = vector(seed, 0.5), def.state.angular_velocity = vector(seed, 2);
    if (random_below(seed, 12) == 0) def.locks = SCREE_LOCK_ROTATION_X;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static void change_axis(uint64_t *seed, scree_joint_axis *axis) {
    const scree_spring springs[] = {
        {0}, {.frequency = 20, .damping_ratio = 1}, {.stiffness = 500, .damping = 5}};
    const scree_spring spring = springs[random_below(seed, 3)];
    const int which = random_below(seed, 6);
    const float target = (float)random_between(seed, -2, 2);
    if (axis->mode == SCREE_AXIS_LOCKED) {
        if (which == 0) axis->spring = spring;
        return;
    }
    if (which < 3) axis->mode = SCREE_AXIS_LIMITED, axis->low = -0.05f, axis->high = 0.2f;
    if (which == 1) axis->spring = spring;
    if (which == 3) axis->drive = SCREE_DRIVE_VELOCITY, axis->target = target, axis->max_force = 20;
    if (which == 4) axis->drive = SCREE_DRIVE_POSITION, axis->target = target / 4;
    if (which == 4) axis->servo = springs[1], axis->max_force = 50;
    if (which == 5 || which == 3) axis->friction = 0.3f;
}

/* Some definitions are not allowed, in either world. */
static void join(scree_world *world, uint64_t *seed, scree_body_id a, scree_body_id b, scree_vec3 at) {
    scree_joint_def def =
        scree_default_joint_def((scree_joint_kind)random_below(seed, SCREE_JOINT_KIND_COUNT));
    const scree_vec3 x = vector(seed, 1), none = {0};
    def.a = a, def.b = b;
    CHECK(scree_joint_get_frame(world, &def, at, x, none));
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) change_axis(seed, &def.axes[i]);
    if (def.kind == SCREE_JOINT_DISTANCE) {
        def.anchor_a = vector(seed, 0.05), def.axes[SCREE_AXIS_X].low = 0;
        def.axes[SCREE_AXIS_X].mode = SCREE_AXIS_LIMITED, def.axes[SCREE_AXIS_X].high = 0.2f;
    }
    def.collide = random_below(seed, 3) == 0;
    if (random_below(seed, 8) == 0) def.break_force = 30;
    (void)scree_joint_create(world, &def, NULL);
}

static scree_vec3 between(const scree_world *world, scree_body_id a, scree_body_id b) {
    const scree_vec3 p = state_of(world, a).position, q = state_of(world, b).position;
    return (scree_vec3){(p.x + q.x) / 2, (p.y + q.y) / 2, (p.z + q.z) / 2};
}

/* A chain, whose first body may hang from the world, and whose neighbours may have several joints. */
static void add_chain(scree_world *world, uint64_t *seed, int links) {
    const scree_body_id ground = {0};
    scree_vec3 at = vector(seed, 0.3);
    scree_body_id last = {0};
    at.z += 0.6f;
    for (int i = 0; i < links; i++) {
        const scree_body_id part = add_part(world, seed, at);
        const int joints = random_below(seed, 4) ? 1 : 3;
        for (int k = 0; i > 0 && k < joints; k++) join(world, seed, last, part, between(world, last, part));
        if (i == 0 && random_below(seed, 2)) join(world, seed, ground, part, at);
        at.x += 0.12f, last = part;
    }
}

static void add_hub(scree_world *world, uint64_t *seed, int arms) {
    const scree_vec3 middle = {0, 0, 0.5f};
    const scree_body_id hub = add_part(world, seed, middle);
    for (int i = 0; i < arms; i++) {
        scree_vec3 at = vector(seed, 0.25);
        at.z += middle.z;
        const scree_body_id arm = add_part(world, seed, at);
        join(world, seed, i % 2 ? hub : arm, i % 2 ? arm : hub, between(world, hub, arm));
    }
}

/* A wall that sweeps or turns, and a floor that may rise or tilt. */
static void add_group(scree_world *world, uint64_t *seed) {
    scree_kinematic_group_def group = scree_default_kinematic_group_def();
    scree_motion_def motions[] = {scree_default_motion_def(SCREE_MOTION_LINEAR),
                                  scree_default_motion_def(SCREE_MOTION_ROTATION),
                                  scree_default_motion_def(SCREE_MOTION_OSCILLATION)};
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    motions[0].velocity = vector(seed, 0.4), motions[1].speed = random_between(seed, -3, 3);
    motions[1].axis = vector(seed, 1), motions[2].amplitude = 0.05, motions[2].frequency = 6;
    def.type = SCREE_BODY_KINEMATIC;
    def.shape = random_below(seed, 3) ? scree_shape_box(0.2f, 0.05f, 0.1f) : scree_shape_half_space();
    if (def.shape.kind != SCREE_SHAPE_HALF_SPACE) def.state.position = vector(seed, 0.3);
    CHECK(scree_body_create(world, &def, &id));
    group.bodies = &id, group.body_count = 1;
    group.motions = &motions[random_below(seed, 3)], group.motion_count = 1;
    CHECK(scree_kinematic_group_create(world, &group, NULL));
}

static scree_world *mechanisms(const scree_world_def *def, uint64_t begun) {
    scree_world *world = world_of(def);
    uint64_t seed = 71 * begun + 3;
    if (begun % 8) add_slope(world, 0.1f);
    for (int i = 0; i < 2; i++) add_chain(world, &seed, 2 + random_below(&seed, 6));
    if (begun % 2) add_hub(world, &seed, 3 + random_below(&seed, 10));
    for (int i = 0; i < 2 && begun % 3; i++) add_group(world, &seed);
    for (int i = 0; i < 25; i++) {
        scree_vec3 at = vector(&seed, 0.35);
        at.z += 0.5f;
        add_part(world, &seed, at);
    }
    return world;
}

static scree_world_def def_of(void **state, uint64_t begun, bool device) {
    scree_world_def def = def_on(state);
    const scree_stabilisation schemes[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_BAUMGARTE,
                                           SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_RELAXED,
                                           SCREE_STABILISATION_SOFT};
    def.solver = scree_solver_def_with_stabilisation(def.solver, schemes[begun % 5]);
    def.pipeline = device ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST;
    def.solver.iterations = 8, def.solver.direct_joints = begun % 2;
    def.solver.colours = begun % 7 == 3 ? 4 : begun % 4 ? 12 : 32;
    def.solver.warm_start = begun % 6 != 4;
    def.threads = 1 + (int)(begun % 2);
    if (begun % 3 == 1) def.material.rolling_friction = 0.004f;
    return def;
}

static scree_result ask_for_work(const scree_world *world, void *user, bool *needs_work) {
    (void)world, (void)user;
    *needs_work = true;
    return SCREE_OK;
}

/* -- Comparison ------------------------------------------------------------------------- */

typedef struct pair_of_worlds {
    uint64_t begun;
    int step;
    scree_world *worlds[2];
    scree_statistics s[2];
} pair_of_worlds;

#define AGREE(self, condition, what)                                                                         \
    do {                                                                                                     \
        if (!(condition)) fail_msg("seed %d, step %d: %s differs", (int)(self)->begun, (self)->step, what);  \
    } while (0)

static void compare_joints(const pair_of_worlds *self) {
    scree_joint_id ids[2][MOST_JOINTS];
    scree_joint_state states[2];
    const int count = scree_joint_list(self->worlds[0], ids[0], MOST_JOINTS);
    assert_true(count < MOST_JOINTS);
    assert_int_equal(scree_joint_list(self->worlds[1], ids[1], MOST_JOINTS), count);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) CHECK(scree_joint_get_state(self->worlds[k], ids[k][i], &states[k]));
        AGREE(self, memcmp(&states[0].position, &states[1].position, sizeof states[0].position) == 0,
              "position of a joint");
        AGREE(self, memcmp(&states[0].force, &states[1].force, sizeof states[0].force) == 0, "force");
        AGREE(self, memcmp(&states[0].torque, &states[1].torque, sizeof states[0].torque) == 0, "torque");
    }
}

static void compare_step(const pair_of_worlds *self) {
    const scree_statistics *host = &self->s[0], *device = &self->s[1];
    AGREE(self, host->contacts == device->contacts && host->late == device->late, "number of contacts");
    AGREE(self, host->colours == device->colours && host->remainder == device->remainder, "colours");
    AGREE(self, host->cache_hits == device->cache_hits, "number of warm starts");
    AGREE(self, host->joints_broken == device->joints_broken, "number of broken joints");
    AGREE(self, memcmp(&host->solve, &device->solve, sizeof host->solve) == 0, "report of the solve");
    AGREE(self, host->joint_error_max == device->joint_error_max, "error of joints");
    AGREE(self, host->joint_angle_error_max == device->joint_angle_error_max, "error of angles");
    const scree_contact_work done[2] = {scree_world_get_contact_work(self->worlds[0]),
                                        scree_world_get_contact_work(self->worlds[1])};
    AGREE(self, memcmp(&done[0], &done[1], sizeof done[0]) == 0, "work of contacts");
    AGREE(self, host->kinetic_energy == device->kinetic_energy, "energy");
    AGREE(self, !memcmp(host->static_impulse, device->static_impulse, sizeof host->static_impulse),
          "impulse");
}

/* The problem comes from the device, with its joints. */
static void compare_problems(const pair_of_worlds *self) {
    scree_problem *problems[2];
    scree_problem_def of[2];
    for (int k = 0; k < 2; k++) {
        CHECK(scree_problem_from_world(self->worlds[k], &problems[k]));
        of[k] = scree_problem_get_def(problems[k]);
    }
    AGREE(self, of[0].contacts == of[1].contacts, "number of blocks");
    const size_t n = (size_t)of[0].contacts, entries = n > 0 ? (size_t)of[0].first[n] : 0;
    AGREE(self, !entries || !memcmp(of[0].column, of[1].column, entries * sizeof(int)), "column");
    AGREE(self, !entries || !memcmp(of[0].blocks, of[1].blocks, 9 * entries * sizeof(double)), "W");
    AGREE(self, !n || !memcmp(of[0].q, of[1].q, 3 * n * sizeof(double)), "q");
    AGREE(self, !n || !memcmp(of[0].kind, of[1].kind, n * sizeof *of[0].kind), "kind");
    for (int k = 0; k < 2; k++) scree_problem_destroy(problems[k]);
}

/* The forests of a problem that was brought are the host's. */
static void compare_forests(const pair_of_worlds *self) {
    const problem *host = &self->worlds[0]->scratch.problem, *device = &self->worlds[1]->scratch.problem;
    AGREE(self, host->forest.node_count == device->forest.node_count, "number of nodes");
    for (int i = 0; i < host->forest.node_count; i++) {
        AGREE(self, host->forest.groups[i] == device->forest.groups[i], "group of a node");
        const joint_node *of = &host->forest.nodes[i], *is = &device->forest.nodes[i];
        AGREE(self, of->body == is->body && of->other == is->other && of->parent == is->parent,
              "body of a node");
        AGREE(self, of->row_count == is->row_count, "number of rows of a node");
        AGREE(self, !memcmp(of->rows, is->rows, (size_t)of->row_count * sizeof *of->rows), "rows of a node");
    }
    AGREE(self, host->system_count == device->system_count, "number of systems");
    for (int i = 0; i < host->system_count; i++) {
        AGREE(self, host->places[i].block_count == device->places[i].block_count, "size of a system");
        if (host->places[i].block_count == 0) continue; /* without a place */
        AGREE(self, host->places[i].first_block == device->places[i].first_block, "place of a system");
        AGREE(self, host->places[i].node == device->places[i].node, "node of a system");
    }
}

/* Returns the number of steps after which the contacts are on the device. */
static int run(void **state, uint64_t begun, int steps) {
    pair_of_worlds self = {.begun = begun};
    int stayed = 0;
    opencl_test_hooks.without_staging = begun % 2; /* commands read and write the host's arrays */
    opencl_test_hooks.separate_colours = begun % 4 == 2;
    opencl_test_hooks.without_double = begun % 6 == 5;
    with_children = begun % 3 == 0;
    for (int k = 0; k < 2; k++) {
        const scree_world_def def = def_of(state, begun, k);
        const scree_observer observer = {.name = "work", .begin = ask_for_work};
        self.worlds[k] = mechanisms(&def, begun);
        if (begun % 2) CHECK(scree_world_add_observer(self.worlds[k], &observer));
    }
    assert_true(scree_joint_count(self.worlds[0]) > 0);
    for (self.step = 1; self.step <= steps; self.step++) {
        for (int k = 0; k < 2; k++) CHECK(scree_world_step(self.worlds[k], &self.s[k]));
        compare_step(&self);
        compare_joints(&self);
        stayed += self.worlds[1]->state.contacts.away != NULL;
        if (self.step % 10 == 0) {
            compare_problems(&self);
            compare_forests(&self);
        }
        if (self.step % 20 == 0)
            AGREE(&self, scree_world_get_hash(self.worlds[0]) == scree_world_get_hash(self.worlds[1]),
                  "hash");
    }
    for (int k = 0; k < 2; k++) scree_world_destroy(self.worlds[k]);
    return stayed;
}

static void mechanisms_have_the_hosts_bits(void **state) {
    const char *only = getenv("SCREE_TEST_SEED"), *last = getenv("SCREE_TEST_SEEDS");
    const int first = only ? atoi(only) : 1, end = only ? first + (last ? atoi(last) : 1) : SEEDS + 1;
    int stayed = 0;
    if (!device_has_native_bits()) skip();
    for (int i = first; i < end; i++) {
        const int here = run(state, (uint64_t)i, STEPS);
        if (only) printf("# seed %d: stayed %d of %d\n", i, here, STEPS);
        stayed += here;
    }
    opencl_test_hooks = (opencl_hooks){0};
    if (!only)
        assert_true(stayed > SEEDS * STEPS / 2); /* one has too few colours, another no double precision */
}

static void release(pair_of_worlds *self) {
    for (int k = 0; k < 2; k++) scree_world_destroy(self->worlds[k]);
}

static void step_both(pair_of_worlds *self) {
    for (int k = 0; k < 2; k++) CHECK(scree_world_step(self->worlds[k], &self->s[k]));
    compare_step(self);
    self->step++;
}

static void compare_hashes(const pair_of_worlds *self) {
    AGREE(self, scree_world_get_hash(self->worlds[0]) == scree_world_get_hash(self->worlds[1]), "hash");
}

/* Two balls that touch and are joined over the edges and corners of a periodic cell: their contact is that of
 * any image, and one pair with the joint. */
static void joined_bodies_touch_over_all_boundaries(void **state) {
    enum { TOUCHING = 6 };
    const float cell = 0.8f, near = 0.38f, out = 0.02f / near; /* to the boundary */
    if (!device_has_native_bits()) skip();
    for (int image = 0; image < 27; image++) {
        pair_of_worlds self = {.begun = (uint64_t)image};
        const float x = near * (float)(image % 3 - 1), y = near * (float)(image / 3 % 3 - 1),
                    z = near * (float)(image / 9 - 1);
        if (image == 13) continue;
        for (int k = 0; k < 2; k++) {
            scree_world_def def = def_on(state);
            scree_joint_def joint = scree_default_joint_def(SCREE_JOINT_BALL);
            def.pipeline = k ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST;
            def.period = (scree_vec3){cell, cell, cell}, def.gravity = (scree_vec3){0};
            self.worlds[k] = world_of(&def);
            joint.a = add_body(self.worlds[k], scree_shape_sphere(0.04f), (scree_vec3){x, y, z},
                               (scree_vec3){x, y, z});
            joint.b = add_body(self.worlds[k], scree_shape_sphere(0.04f), (scree_vec3){-x, -y, -z},
                               (scree_vec3){0});
            joint.anchor_a = (scree_vec3){out * x, out * y, out * z}, joint.collide = true;
            joint.anchor_b = (scree_vec3){-out * x, -out * y, -out * z};
            CHECK(scree_joint_create(self.worlds[k], &joint, NULL));
        }
        while (self.step < TOUCHING) {
            step_both(&self);
            assert_int_equal(self.s[0].contacts, 1);
            assert_non_null(self.worlds[1]->state.contacts.away);
        }
        compare_problems(&self);
        compare_hashes(&self);
        release(&self);
    }
}

/* Calls after a step that failed change the prescribed velocities of the next one. */
static void a_failed_step_leaves_no_prescribed_velocity(void **state) {
    pair_of_worlds self = {0};
    scree_kinematic_group_id groups[2];
    scree_motion_def motion = scree_default_motion_def(SCREE_MOTION_ROTATION);
    if (!device_has_native_bits()) skip();
    motion.speed = 2, motion.axis = (scree_vec3){0, 0.1f, 1};
    for (int k = 0; k < 2; k++) {
        const scree_world_def def = def_of(state, 0, k);
        scree_kinematic_group_def group = scree_default_kinematic_group_def();
        scree_body_def floor = scree_default_body_def();
        scree_body_id id;
        self.worlds[k] = world_of(&def);
        floor.type = SCREE_BODY_KINEMATIC, floor.shape = scree_shape_box(0.4f, 0.4f, 0.05f);
        CHECK(scree_body_create(self.worlds[k], &floor, &id));
        group.bodies = &id, group.body_count = 1, group.motions = &motion, group.motion_count = 1;
        CHECK(scree_kinematic_group_create(self.worlds[k], &group, &groups[k]));
        for (int i = 0; i < 9; i++)
            add_body(self.worlds[k], scree_shape_sphere(0.05f),
                     (scree_vec3){0.11f * (float)(i % 3), 0.11f * (float)(i / 3), 0.101f}, (scree_vec3){0});
    }
    while (self.step < 4) step_both(&self);
    for (int call = 0; call < 2; call++) {
        motion.speed = -3;
        for (int k = 0; k < 2; k++) {
            CHECK(scree_world_set_limits(self.worlds[k], 0, 2));
            assert_int_equal(scree_world_step(self.worlds[k], NULL), SCREE_ERROR_CAPACITY);
            CHECK(scree_world_set_limits(self.worlds[k], 0, 0));
            CHECK(call ? scree_kinematic_group_set_motions(self.worlds[k], groups[k], &motion, 1)
                       : scree_world_set_time_step(self.worlds[k], 1 / 240.0));
        }
        step_both(&self);
        compare_hashes(&self);
    }
    release(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {ON("opencl", mechanisms_have_the_hosts_bits),
                                       ON("opencl", joined_bodies_touch_over_all_boundaries),
                                       ON("opencl", a_failed_step_leaves_no_prescribed_velocity)};
    return cmocka_run_group_tests(tests, children_pool_make, children_pool_release);
}
