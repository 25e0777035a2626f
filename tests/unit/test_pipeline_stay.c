/* Contacts that stay on the device for many steps: random worlds under random calls are the same on both
 * pipelines. The hash, which brings the contacts to the host, is read in few steps only. */
#include "random_calls.h"

#include <scree/columns.h>

enum { SEEDS = 8, STEPS = 60 };

/* -- Comparison ------------------------------------------------------------------------- */

/* Statistics that the pipelines share. */
static scree_statistics shared_of(scree_statistics s) {
    s.timing = (scree_timing){0};
    s.device = (scree_device_traffic){0};
    s.device_memory = 0;
    memset(s.stages, 0, sizeof s.stages);
    s.contacts_barrier = s.stay_barrier = NULL;
    s.regrown = 0;
    return s;
}

static void compare_statistics(const both *self) {
    const scree_statistics host = shared_of(self->s[0]), device = shared_of(self->s[1]);
    if (memcmp(&host, &device, sizeof host) == 0) return;
    size_t at = 0;
    while (((const char *)&host)[at] == ((const char *)&device)[at]) at++;
    fail_msg(
        "seed %llu, step %d: statistics differ at byte %zu of %zu (%d pairs, %d contacts, %d late on the "
        "host; %d, %d, %d on the device); calls:%s",
        (unsigned long long)self->begun, self->step, at, sizeof host, host.pairs, host.contacts, host.late,
        device.pairs, device.contacts, device.late, self->trail);
}

static void compare_hashes(const both *self) {
    AGREE(self, scree_world_get_hash(self->worlds[0]) == scree_world_get_hash(self->worlds[1]), "hash");
}

static void compare_contacts(const both *self) {
    enum { CONTACTS = 4096 };
    static scree_contact lists[2][CONTACTS];
    int counts[2];
    for (int k = 0; k < 2; k++) {
        counts[k] = scree_contact_list(self->worlds[k], lists[k], CONTACTS);
        assert_int_equal(scree_contact_count(self->worlds[k]), counts[k]);
        for (int i = 0; i < counts[k]; i++) lists[k][i].a.world = lists[k][i].b.world = 0;
    }
    AGREE(self, counts[0] == counts[1], "number of contacts");
    AGREE(self, !memcmp(lists[0], lists[1], (size_t)counts[0] * sizeof **lists), "list of contacts");
}

static void compare_events(const both *self) {
    scree_body_pair lists[2][MOST];
    int counts[2][2];
    for (int ended = 0; ended < 2; ended++) {
        for (int k = 0; k < 2; k++) {
            counts[ended][k] = ended ? scree_contact_list_ended(self->worlds[k], lists[k], MOST)
                                     : scree_contact_list_begun(self->worlds[k], lists[k], MOST);
            for (int i = 0; i < counts[ended][k] && i < MOST; i++)
                lists[k][i].a.world = lists[k][i].b.world = 0;
        }
        const int count = counts[ended][0] < MOST ? counts[ended][0] : MOST;
        AGREE(self, counts[ended][0] == counts[ended][1], "number of events");
        AGREE(self, !memcmp(lists[0], lists[1], (size_t)count * sizeof **lists), "list of events");
    }
}

static void compare_arrays(const both *self, const void *one, const void *other, size_t bytes,
                           const char *what) {
    AGREE(self, !one == !other, what);
    AGREE(self, !one || !memcmp(one, other, bytes), what);
}

static void compare_problems(const both *self) {
    scree_problem *problems[2];
    scree_problem_def of[2];
    for (int k = 0; k < 2; k++) {
        CHECK(scree_problem_from_world(self->worlds[k], &problems[k]));
        of[k] = scree_problem_get_def(problems[k]);
    }
    const size_t n = (size_t)of[0].contacts, value = sizeof(double);
    AGREE(self, of[0].contacts == of[1].contacts, "number of blocks");
    if (n > 0) {
        compare_arrays(self, of[0].first, of[1].first, (n + 1) * sizeof(int), "first");
        const size_t entries = (size_t)of[0].first[n];
        compare_arrays(self, of[0].column, of[1].column, entries * sizeof(int), "columns");
        compare_arrays(self, of[0].blocks, of[1].blocks, 9 * entries * value, "W");
        compare_arrays(self, of[0].q, of[1].q, 3 * n * value, "q");
        compare_arrays(self, of[0].friction, of[1].friction, n * value, "friction");
        compare_arrays(self, of[0].kind, of[1].kind, n * sizeof *of[0].kind, "kinds");
        compare_arrays(self, of[0].rolling, of[1].rolling, n * value, "rolling friction");
        compare_arrays(self, of[0].spinning, of[1].spinning, n * value, "spinning friction");
        compare_arrays(self, scree_problem_get_warm_start(problems[0]),
                       scree_problem_get_warm_start(problems[1]), 3 * n * value, "warm start");
    }
    for (int k = 0; k < 2; k++) scree_problem_destroy(problems[k]);
}

static void compare_causes(const both *self) {
    scree_infeasible found[2];
    for (int k = 0; k < 2; k++) {
        CHECK(scree_world_find_infeasible(self->worlds[k], &found[k]));
        found[k].a.world = found[k].b.world = 0;
    }
    AGREE(self, found[0].kind == found[1].kind, "cause");
    AGREE(self, !memcmp(&found[0].a, &found[1].a, sizeof found->a), "body of a cause");
    AGREE(self, !memcmp(&found[0].b, &found[1].b, sizeof found->b), "body of a cause");
}

static void compare_columns(const both *self) {
    scree_body_columns of[2];
    for (int k = 0; k < 2; k++) CHECK(scree_world_get_columns(self->worlds[k], &of[k]));
    AGREE(self, of[0].count == of[1].count, "number of slots");
    for (int i = 0; i < of[0].count; i++)
        for (int column = 0; column < 4; column++) {
            const void *at[2];
            for (int k = 0; k < 2; k++) {
                const scree_strided_column columns[] = {of[k].positions, of[k].rotations, of[k].velocities,
                                                        of[k].spins};
                at[k] = (const char *)columns[column].base + columns[column].stride * (size_t)i;
            }
            AGREE(self, !memcmp(at[0], at[1], (column == 1 ? 4 : 3) * sizeof(float)), "columns");
        }
}

static void compare_states(const both *self) {
    scree_body_id ids[2][MOST];
    scree_body_state states[2][MOST];
    int counts[2];
    for (int k = 0; k < 2; k++) {
        counts[k] = scree_body_list(self->worlds[k], ids[k], MOST);
        if (counts[k] > MOST) counts[k] = MOST;
        CHECK(scree_body_get_states(self->worlds[k], ids[k], counts[k], states[k]));
    }
    AGREE(self, counts[0] == counts[1], "number of bodies");
    AGREE(self, !memcmp(states[0], states[1], (size_t)counts[0] * sizeof **states), "states");
}

static void compare_rays(const both *self) {
    const scree_ray ray = {.origin = {0.02f, 0.01f, 5}, .direction = {0.1f, 0, -1}, .distance = 10};
    scree_ray_hit hits[2];
    for (int k = 0; k < 2; k++) {
        CHECK(scree_world_cast_ray(self->worlds[k], &ray, NULL, &hits[k]));
        hits[k].body.world = 0;
    }
    AGREE(self, hits[0].body.index == hits[1].body.index, "body of a ray");
    AGREE(self, hits[0].distance == hits[1].distance, "distance of a ray");
}

static void compare_bulks(const both *self) {
    scree_bulk of[2];
    for (int k = 0; k < 2; k++) CHECK(scree_world_get_bulk(self->worlds[k], &of[k]));
    AGREE(self, of[0].status == of[1].status, "bulk");
}

/* The first ones read contacts. */
static void (*const readers[])(const both *) = {compare_hashes,   compare_contacts, compare_events,
                                                compare_problems, compare_causes,   compare_columns,
                                                compare_states,   compare_rays,     compare_bulks};
enum { READERS = sizeof readers / sizeof *readers };

/* Reads something in few steps, so that contacts and bodies stay for many. */
static void compare_some(both *self) {
    static const char *const names[READERS] = {"hash",    "contacts", "events", "problem", "cause",
                                               "columns", "states",   "ray",    "bulk"};
    const int which = random_below(&self->seed, 5 * READERS);
    if (which >= READERS) return;
    note(self, names[which]);
    readers[which](self);
}

/* -- Runs ------------------------------------------------------------------------------- */

/* Steps both worlds, which succeed or fail alike. */
static bool step_both(both *self) {
    scree_result results[2];
    char messages[2][512];
    for (int k = 0; k < 2; k++) {
        results[k] = scree_world_step(self->worlds[k], &self->s[k]);
        snprintf(messages[k], sizeof messages[k], "%s", scree_error_get_message());
    }
    if (results[0] != results[1])
        fail_msg("seed %llu, step %d: %s (%s) and %s (%s); calls:%s", (unsigned long long)self->begun,
                 self->step, scree_result_name(results[0]), messages[0], scree_result_name(results[1]),
                 messages[1], self->trail);
    if (results[0] == SCREE_OK) return true;
    AGREE(self, strcmp(messages[0], messages[1]) == 0, "message");
    return false;
}

/* A limit that the next step exceeds at its start, or in a detection pass. */
static void fail_by_limit(both *self) {
    const int contacts = self->s[0].contacts,
              most = contacts > 4 ? contacts - 2 + random_below(&self->seed, 5) : 3;
    note(self, "limit");
    for (int k = 0; k < 2; k++) CHECK(scree_world_set_limits(self->worlds[k], 0, most));
    if (!step_both(self) && random_below(&self->seed, 2)) compare_problems(self);
    for (int k = 0; k < 2; k++) CHECK(scree_world_set_limits(self->worlds[k], 0, 0));
}

/* A velocity with which the step fails with NOT_FINITE, or after which an outlet takes the body. */
static void fail_by_speed(both *self) {
    const uint64_t before = random_bits(&self->seed);
    scree_body_id ids[2];
    scree_body_state kept = scree_default_body_def().state;
    note(self, "speed");
    for (int k = 0; k < 2; k++) {
        uint64_t seed = before;
        ids[k] = any_body(self->worlds[k], &seed);
        if (!ids[k].index || def_of(self->worlds[k], ids[k]).type != SCREE_BODY_DYNAMIC) return;
        kept = state_of(self->worlds[k], ids[k]);
        scree_body_state fast = kept;
        fast.linear_velocity = (scree_vec3){-1e18f, 1e18f, -1e18f}, fast.angular_velocity.x = 1e18f;
        CHECK(scree_body_set_state(self->worlds[k], ids[k], &fast));
    }
    (void)step_both(self);
    for (int k = 0; k < 2; k++)
        if (scree_body_is_valid(self->worlds[k], ids[k]))
            CHECK(scree_body_set_state(self->worlds[k], ids[k], &kept));
}

static both both_of(void **state, uint64_t begun) {
    both self = {.begun = begun, .seed = 977 * begun + 5};
    for (int k = 0; k < 2; k++) {
        scree_world_def *def = &self.defs[k];
        *def = def_on(state);
        def->pipeline = k ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST;
        def->solver.iterations = 8; /* few launches */
        def->threads = 1 + (int)(begun % 3);
        if (begun % 3 == 1) def->solver.method = SCREE_METHOD_PGS;
        if (begun % 5 == 2) def->material.rolling_friction = 0.005f, def->solver.colours = 3;
        if (begun % 4 == 3) def->material.restitution = 0.7f;
        if (begun % 16 == 4) def->material.cohesion = 0.3f, def->material.cohesion_distance = 1e-3f;
        if (begun % 8 == 6) def->period = (scree_vec3){CELL, CELL, 0};
        def->profile = begun % 3 == 0; /* the bytes of a sweep are statistics */
        self.worlds[k] = world_with(def, begun);
    }
    return self;
}

static void both_release(both *self) {
    forget_snapshot(self);
    for (int k = 0; k < 2; k++) scree_world_destroy(self->worlds[k]);
}

static void verify_once(both *self) {
    for (int k = 0; k < 2; k++) CHECK(scree_world_set_verify(self->worlds[k], 0));
}

static int run(void **state, uint64_t begun, int steps) {
    opencl_test_hooks.without_staging = begun % 4 == 1; /* commands read and write the host's arrays */
    opencl_test_hooks.separate_colours = begun % 6 == 2;
    opencl_test_hooks.without_double = begun % 10 == 7;
    both self = both_of(state, begun);
    for (self.step = 0; self.step < steps; self.step++) {
        while (random_below(&self.seed, 3) == 0) call_both(&self);
        if (self.s[0].verified) verify_once(&self);
        if (random_below(&self.seed, 30) == 0) fail_by_limit(&self);
        if (random_below(&self.seed, 60) == 0) fail_by_speed(&self);
        if (step_both(&self)) {
            compare_statistics(&self);
            self.stayed += self.s[1].contacts > 0 && !self.s[1].contacts_barrier;
        }
        compare_some(&self);
    }
    compare_problems(&self);
    compare_hashes(&self);
    compare_contacts(&self);
    both_release(&self);
    return self.stayed;
}

/* Each reader, before any other one has brought contacts and bodies from the device. */
static void readers_bring_all(void **state) {
    enum { BEGUN = 58, LANDED = 30 };
    if (!device_has_native_bits()) skip();
    for (size_t i = 0; i < READERS; i++) {
        both self = both_of(state, BEGUN);
        for (int k = 0; k < 2; k++) CHECK(scree_world_set_contact_events(self.worlds[k], true));
        for (self.step = 0; self.step < LANDED; self.step++) {
            assert_true(step_both(&self));
            assert_non_null(self.worlds[1]->state.contacts.away);
            assert_true(self.worlds[1]->state.bodies.store->away);
            readers[i](&self);
        }
        assert_true(self.s[1].contacts > 20);
        both_release(&self);
    }
}

/* A launch, a copy, a wait or an allocation that the driver refuses fails the step and changes nothing,
 * wherever it is: the next step is that of the host. */
static void refused_commands_change_nothing(void **state) {
    enum { BEGUN = 58, FAILURES = 45 };
    if (!device_has_native_bits()) skip();
    opencl_test_hooks.without_staging = true; /* commands read and write the host's arrays */
    both self = both_of(state, BEGUN);
    opencl_test_hooks = (opencl_hooks){0};
    int refused = 0, number = 1;
    for (self.step = 0; self.step < FAILURES; self.step++, number += 1 + number / 12) {
        scree_statistics s;
        opencl_test_hooks.failing_command = number;
        const scree_result result = scree_world_step(self.worlds[1], &s);
        const bool reached = opencl_test_hooks.failing_command == 0;
        opencl_test_hooks.failing_command = 0;
        if ((result != SCREE_OK) != reached) fail_msg("command %d: %s", number, scree_error_get_message());
        refused += reached;
        if (!reached) CHECK(scree_world_step(self.worlds[0], NULL));
        if (!reached) number = 1;
        if (self.step % 3 == 0) compare_hashes(&self);
        assert_true(step_both(&self));
        compare_statistics(&self);
        if (self.step % 4 == 0) compare_hashes(&self);
    }
    assert_true(refused > FAILURES / 2);
    both_release(&self);
}

static void worlds_agree(void **state) {
    const char *only = getenv("SCREE_TEST_SEED"), *last = getenv("SCREE_TEST_SEEDS");
    const int first = only ? atoi(only) : 1, end = only ? first + (last ? atoi(last) : 1) : SEEDS + 1;
    int stayed = 0;
    if (!device_has_native_bits()) skip();
    const int apart = !only && getenv("SCREE_TEST_SHORT") ? 3 : 1; /* slow under a sanitizer */
    for (int i = first; i < end; i += apart) stayed += run(state, (uint64_t)i, STEPS);
    opencl_test_hooks = (opencl_hooks){0};
    if (!only) assert_true(stayed > SEEDS * STEPS / 3 / apart);
}

/* The fifth one is periodic, and the sixth one cohesive. */
static void worlds_with_children_agree(void **state) {
    enum { WORLDS = 6 };
    static const int some[WORLDS] = {0, 1, 2, 3, 6, 12};
    int stayed = 0;
    if (!device_has_native_bits()) skip();
    for (int i = 0; i < WORLDS; i++) stayed += run(state, (uint64_t)(WITH_CHILDREN + some[i]), STEPS / 2);
    opencl_test_hooks = (opencl_hooks){0};
    assert_true(stayed > WORLDS * STEPS / 4);
}

/* Contacts of clumps stay once the clumps rest. */
static void settled_clumps_stay(void **state) {
    enum { BEGUN = WITH_CHILDREN + 4, SETTLED = 130, LAST = 30 };
    if (!device_has_native_bits()) skip();
    both self = both_of(state, BEGUN);
    for (self.step = 0; self.step < SETTLED + LAST; self.step++) {
        assert_true(step_both(&self));
        compare_statistics(&self);
        self.stayed += self.step >= SETTLED && self.worlds[1]->state.contacts.away;
    }
    assert_true(self.stayed > LAST / 2 && self.s[1].contacts > 100);
    compare_problems(&self);
    compare_hashes(&self);
    both_release(&self);
}

/* Plates of 25 balls, of which two are joined: pairs of them have up to 50 blocks, and joints. */
static void add_plates(scree_world *world) {
    enum { EDGE = 5, PLATES = 4 };
    scree_clump_sphere spheres[EDGE * EDGE];
    scree_geometry *plate;
    scree_body_id ids[PLATES];
    for (int i = 0; i < EDGE * EDGE; i++)
        spheres[i] =
            (scree_clump_sphere){{0.05f * (float)(i % EDGE - 2), 0.05f * (float)(i / EDGE - 2), 0}, 0.03f};
    CHECK(scree_clump_create(spheres, EDGE * EDGE, &plate));
    for (int i = 0; i < PLATES; i++)
        ids[i] = add_body(world, scree_shape_clump(plate, 1),
                          (scree_vec3){0.01f * (float)i, 0, 0.03f + 0.061f * (float)i}, (scree_vec3){0});
    scree_geometry_release(plate);
    scree_joint_def joint = scree_default_joint_def(SCREE_JOINT_FIXED);
    joint.a = ids[0], joint.b = ids[1], joint.collide = true;
    CHECK(scree_joint_get_frame(world, &joint, (scree_vec3){0, 0, 0.06f}, (scree_vec3){0, 0, 1},
                                (scree_vec3){0}));
    CHECK(scree_joint_create(world, &joint, NULL));
}

static void pairs_of_many_blocks_stay(void **state) {
    enum { LAST = 40 };
    if (!device_has_native_bits()) skip();
    both self = {.begun = 1};
    for (int k = 0; k < 2; k++) {
        scree_world_def *def = &self.defs[k];
        *def = def_on(state);
        def->pipeline = k ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST;
        def->material.rolling_friction = 0.002f, def->solver.iterations = 8;
        self.worlds[k] = world_of(def);
        add_slope(self.worlds[k], 0);
        add_plates(self.worlds[k]);
    }
    for (self.step = 0; self.step < LAST; self.step++) {
        assert_true(step_both(&self));
        compare_statistics(&self);
        self.stayed += self.worlds[1]->state.contacts.away != NULL;
    }
    assert_true(self.stayed > LAST / 2 && self.s[1].contacts >= 75);
    compare_problems(&self);
    compare_hashes(&self);
    both_release(&self);
}

/* Contacts of grains that cohesion binds stay. */
static void cohesive_grains_stay(void **state) {
    enum { BEGUN = 4, LAST = 60 };
    if (!device_has_native_bits()) skip();
    both self = both_of(state, BEGUN);
    for (self.step = 0; self.step < LAST; self.step++) {
        assert_true(step_both(&self));
        compare_statistics(&self);
        self.stayed += self.worlds[1]->state.contacts.away != NULL;
        if (self.step % 20 == 19) compare_contacts(&self);
    }
    assert_true(self.stayed > LAST / 2 && self.s[1].contacts > 10);
    compare_problems(&self);
    compare_hashes(&self);
    both_release(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("opencl", readers_bring_all),   ON("opencl", refused_commands_change_nothing),
        ON("opencl", worlds_agree),        ON("opencl", worlds_with_children_agree),
        ON("opencl", settled_clumps_stay), ON("opencl", pairs_of_many_blocks_stay),
        ON("opencl", cohesive_grains_stay)};
    if (getenv("SCREE_TEST_SEED")) cmocka_set_test_filter("worlds_agree *");
    return cmocka_run_group_tests(tests, children_pool_make, children_pool_release);
}
