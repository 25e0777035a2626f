/* Checkpoints: a run continues bit for bit, and a kill at any moment leaves a valid file. */
#include "checkpoint_scenery.h"

#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>

#include "folder.h"
#include "forgeries.h"

static void assert_same_removal(const scree_solver_def *s, const scree_solver_def *t) {
    if (s->stabilisation == SCREE_STABILISATION_BAUMGARTE) {
        assert_true(s->baumgarte.error_reduction == t->baumgarte.error_reduction);
        assert_true(s->baumgarte.correction_speed == t->baumgarte.correction_speed);
    } else if (s->stabilisation == SCREE_STABILISATION_RELAXED) {
        assert_true(s->relaxed.relaxation_time == t->relaxed.relaxation_time);
        assert_true(s->relaxed.damping_ratio == t->relaxed.damping_ratio);
        assert_true(s->relaxed.correction_speed == t->relaxed.correction_speed);
    } else if (s->stabilisation == SCREE_STABILISATION_SPLIT) {
        assert_true(s->split.error_reduction == t->split.error_reduction);
        assert_true(s->split.correction_speed == t->split.correction_speed);
        assert_true(s->split.position_iterations == t->split.position_iterations);
        assert_true(s->split.position_follows == t->split.position_follows);
        assert_true(s->split.position_tolerance == t->split.position_tolerance);
    }
}

static void assert_same_springs(const scree_contact_spring *s, const scree_contact_spring *t) {
    assert_true(s->stiffness == t->stiffness && s->damping == t->damping);
}

static void assert_same_stabilisation(const scree_solver_def *s, const scree_solver_def *t) {
    assert_same_removal(s, t);
    if (s->stabilisation == SCREE_STABILISATION_SOFT) assert_same_springs(&s->soft, &t->soft);
    if (s->stabilisation == SCREE_STABILISATION_PENALTY) assert_same_springs(&s->penalty, &t->penalty);
    if (s->stabilisation != SCREE_STABILISATION_SUBSTEP) return;
    assert_true(s->substep.substeps == t->substep.substeps);
    assert_true(s->substep.contact_frequency == t->substep.contact_frequency);
    assert_true(s->substep.contact_damping_ratio == t->substep.contact_damping_ratio);
    assert_true(s->substep.correction_speed == t->substep.correction_speed);
    assert_same_springs(&s->substep.spring, &t->substep.spring);
}

/* Asserts that every stored field of the definition agrees. */
static void assert_same_def(scree_world_def a, scree_world_def b) {
    assert_memory_equal(&a.gravity, &b.gravity, sizeof a.gravity);
    assert_true(a.time_step == b.time_step && a.speculative_distance == b.speculative_distance);
    assert_memory_equal(&a.material, &b.material, sizeof a.material);
    assert_true(a.maximum_bodies == b.maximum_bodies && a.maximum_contacts == b.maximum_contacts);
    const scree_solver_def *s = &a.solver, *t = &b.solver;
    assert_true(s->method == t->method && s->law == t->law && s->iterations == t->iterations);
    assert_true(s->tolerance == t->tolerance && s->change_tolerance == t->change_tolerance);
    assert_true(s->reduction == t->reduction && s->violation_tolerance == t->violation_tolerance);
    assert_true(s->local_sweeps == t->local_sweeps && s->direct_joints == t->direct_joints);
    assert_true(s->check_every == t->check_every && s->relaxation == t->relaxation);
    assert_true(s->warm_start == t->warm_start && s->colours == t->colours && s->slop == t->slop);
    assert_true(s->stabilisation == t->stabilisation);
    assert_same_stabilisation(s, t);
    assert_true(s->restitution_speed == t->restitution_speed);
}

/* Asserts that all body definitions agree in order. The two worlds have different ids. */
static void assert_same_bodies(const scree_world *a, const scree_world *b) {
    scree_body_id ids_a[128], ids_b[128];
    const int count = scree_body_list(a, ids_a, 128);
    assert_int_equal(scree_body_list(b, ids_b, 128), count);
    for (int i = 0; i < count; ++i) {
        scree_body_def one, other;
        CHECK(scree_body_get_def(a, ids_a[i], &one));
        CHECK(scree_body_get_def(b, ids_b[i], &other));
        assert_int_equal(scree_body_get_def(b, ids_a[i], &other), SCREE_ERROR_HANDLE);
        assert_int_equal(one.material.index, other.material.index);
        assert_int_equal(one.material.generation, other.material.generation);
        assert_true(one.mass == other.mass && one.inertia.z == other.inertia.z);
        assert_memory_equal(&one.force, &other.force, sizeof one.force);
        assert_memory_equal(&one.torque, &other.torque, sizeof one.torque);
        assert_true(one.user_data == other.user_data && one.locks == other.locks);
        assert_true(one.groups == other.groups && one.mask == other.mask);
    }
    assert_int_equal(scree_material_count(a), scree_material_count(b));
}

/* 50 steps, a checkpoint, 50 more; bodies come and go in both worlds, so the free list matters. */
static void a_resumed_run_is_the_same_to_the_bit(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "run.checkpoint");
    scree_world *stayed = make_world();
    CHECK(scree_checkpoint_save(stayed, path)); /* before the first step: loads and free slots */
    scree_world *fresh = load(path);
    assert_true(scree_world_get_hash(stayed) == scree_world_get_hash(fresh));
    run(stayed, 50);
    run(fresh, 50);
    assert_true(scree_world_get_hash(stayed) == scree_world_get_hash(fresh));
    scree_world_destroy(fresh);

    assert_true(scree_contact_count(stayed) > 20);
    CHECK(scree_checkpoint_save(stayed, path));
    scree_world *resumed = load(path);
    assert_true(scree_world_get_hash(stayed) == scree_world_get_hash(resumed));
    assert_true(scree_world_get_time(stayed) == scree_world_get_time(resumed));
    assert_same_def(scree_world_get_def(stayed), scree_world_get_def(resumed));
    assert_same_bodies(stayed, resumed);

    static scree_contact a[1024], b[1024];
    const int contacts = scree_contact_list(stayed, a, 1024);
    assert_int_equal(contacts, scree_contact_list(resumed, b, 1024));
    for (int i = 0; i < contacts; ++i) a[i].a.world = a[i].b.world = b[i].a.world = b[i].b.world = 0;
    assert_memory_equal(a, b, (size_t)contacts * sizeof *a);

    scree_world *const both[2] = {stayed, resumed};
    for (int i = 0; i < 2; ++i) {
        scree_body_def body = scree_default_body_def();
        for (int k = 0; k < 5; ++k) /* three free slots, then new ones */
            add(both[i], body, scree_shape_sphere(0.1f), (scree_vec3){0.3f, 0.3f, 2 + 0.3f * (float)k});
        scree_statistics statistics;
        for (int k = 0; k < 50; ++k) CHECK(scree_world_step(both[i], &statistics));
        assert_int_equal(statistics.step, 100);
        assert_true(statistics.cache_hits > 0);
    }
    assert_true(scree_world_get_hash(stayed) == scree_world_get_hash(resumed));
    scree_world_destroy(stayed);
    scree_world_destroy(resumed);
    assert_int_equal(folder_count(&place, ".tmp."), 0);
    folder_remove(&place);
}

/* Changing settings on a resumed world and on the original gives the same results: a step reads nothing
 * outside the state, whatever solver both used before. */
static void new_settings_act_equally_after_resuming(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "run.checkpoint");
    scree_world *stayed = make_world();
    run(stayed, 40);
    for (int i = 0; i < SCREE_STABILISATION_COUNT * SCREE_STABILISATION_COUNT; ++i) {
        const int to = i % SCREE_STABILISATION_COUNT, from = i / SCREE_STABILISATION_COUNT;
        scree_solver_def solver = scree_world_get_def(stayed).solver;
        solver.relaxation = 1;
        solver = scree_solver_def_with_stabilisation(solver, (scree_stabilisation)from);
        CHECK(scree_world_set_solver(stayed, &solver));
        run(stayed, 2);
        CHECK(scree_checkpoint_save(stayed, path));
        scree_world *const resumed = load(path);
        solver = scree_solver_def_with_stabilisation(solver, (scree_stabilisation)to);
        solver.method = (scree_method)(i % 4);
        CHECK(scree_world_set_solver(stayed, &solver));
        CHECK(scree_world_set_solver(resumed, &solver));
        run(stayed, 1);
        run(resumed, 1);
        if (scree_world_get_hash(stayed) != scree_world_get_hash(resumed))
            fail_msg("stabilisation %d and then %d, method %d", from, to, (int)solver.method);
        scree_world_destroy(resumed);
    }
    scree_world_destroy(stayed);
    folder_remove(&place);
}

/* Each setting differs from its default and from the others. */
static const scree_solver_def unusual = {.method = SCREE_METHOD_JACOBI,
                                         .law = SCREE_LAW_RADIAL,
                                         .iterations = 17,
                                         .tolerance = 0.011f,
                                         .violation_tolerance = 0.012f,
                                         .reduction = 0.013f,
                                         .change_tolerance = 0.014f,
                                         .check_every = 18,
                                         .relaxation = 0.015f,
                                         .local_sweeps = 19,
                                         .warm_start = false,
                                         .direct_joints = true,
                                         .colours = 21,
                                         .slop = 0.025f,
                                         .restitution_speed = 0.026f};
static const scree_solver_def unusual_stabilisations[] = {
    [SCREE_STABILISATION_BAUMGARTE] = {.baumgarte = {.error_reduction = 0.017f, .correction_speed = 0.024f}},
    [SCREE_STABILISATION_SOFT] = {.soft = {.stiffness = 0.018f, .damping = 0.019f}},
    [SCREE_STABILISATION_SPLIT] = {.split = {.error_reduction = 0.017f,
                                             .correction_speed = 0.024f,
                                             .position_iterations = 20,
                                             .position_follows = true,
                                             .position_tolerance = 0.016f}},
    [SCREE_STABILISATION_RELAXED] = {.relaxed = {.relaxation_time = 0.02f,
                                                 .damping_ratio = 0.021f,
                                                 .correction_speed = 0.024f}},
    [SCREE_STABILISATION_PENALTY] = {.penalty = {.stiffness = 0.018f, .damping = 0.019f}},
    [SCREE_STABILISATION_SUBSTEP] = {.substep = {.substeps = 22,
                                                 .contact_frequency = 0.022f,
                                                 .contact_damping_ratio = 0.023f,
                                                 .correction_speed = 0.024f,
                                                 .spring = {.stiffness = 0.018f, .damping = 0.019f}}},
};

static scree_solver_def unusual_solver(scree_stabilisation kind) {
    scree_solver_def out = unusual_stabilisations[kind];
    memcpy(&out, &unusual, offsetof(scree_solver_def, stabilisation));
    out.stabilisation = kind;
    return out;
}

static void every_solver_setting_is_stored(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "settings.checkpoint");
    for (int kind = 0; kind < SCREE_STABILISATION_COUNT; kind++) {
        scree_world_def def = native();
        def.solver = unusual_solver((scree_stabilisation)kind);
        scree_world *world;
        CHECK(scree_world_create(&def, &world));
        CHECK(scree_checkpoint_save(world, path));
        scree_world *other = load(path);
        assert_same_def(scree_world_get_def(world), scree_world_get_def(other));
        assert_same_def(def, scree_world_get_def(other));
        scree_world_destroy(world);
        scree_world_destroy(other);
    }
    folder_remove(&place);
}

/* A child that saves checkpoints in a loop is killed: the file is always valid. */
static void a_kill_leaves_a_valid_checkpoint(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "run.checkpoint");
    scree_world *world = make_world();
    run(world, 20);
    CHECK(scree_checkpoint_save(world, path));
    const uint64_t hash = scree_world_get_hash(world);
    for (int round = 0; round < 20; ++round) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (!child)
            for (;;)
                if (scree_checkpoint_save(world, path) != SCREE_OK) _exit(1);
        /* 0.5 … 20 ms, different in every round: early and late in a save */
        const struct timespec pause = {0, 500000 + 975000L * ((round * 7) % 20)};
        nanosleep(&pause, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status)); /* it was saving until killed */
        scree_world *loaded = load(path);
        assert_true(scree_world_get_hash(loaded) == hash);
        scree_world_destroy(loaded);
    }
    scree_world_destroy(world);
    folder_remove(&place);
}

/* Bodies and contacts are written in pieces of some thousands. A world with more of each, whose contacts
 * begin and end inside a piece, is restored completely. */
static void a_large_world_is_restored(void **state) {
    (void)state;
    enum { SIDE = 70, BODIES = SIDE * SIDE };
    const folder place = folder_make();
    scree_world_def def = native();
    scree_world *world;
    CHECK(scree_world_create(&def, &world));
    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_STATIC;
    add(world, body, scree_shape_half_space(), (scree_vec3){0, 0, 0});
    body.type = SCREE_BODY_DYNAMIC;
    for (int i = 0; i < BODIES; ++i)
        add(world, body, i % 5 ? scree_shape_sphere(0.05f) : scree_shape_box(0.05f, 0.05f, 0.05f),
            (scree_vec3){0.2f * (float)(i % SIDE), 0.2f * (float)(i / SIDE), 0.05f});
    run(world, 3);
    assert_true(scree_contact_count(world) > 7000);
    CHECK(scree_checkpoint_save(world, folder_file(&place, "large")));
    scree_world *loaded = load(folder_file(&place, "large"));
    assert_true(scree_world_get_hash(loaded) == scree_world_get_hash(world));
    scree_world_destroy(loaded);
    scree_world_destroy(world);
    folder_remove(&place);
}

/* Checkpoints of earlier versions: the velocity that a group's body had before the step is its stored
 * velocity, also if it was set after the last step and the stored earlier velocity is still 0. */
static void a_group_starts_from_the_stored_velocity(void **state) {
    (void)state;
    const folder place = folder_make();
    scree_world_def def = native();
    scree_world *world;
    scree_body_id plate;
    char path[256];
    def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_RELAXED);
    def.gravity = (scree_vec3){-10, 0, 0};
    CHECK(scree_world_create(&def, &world));
    scree_body_def body = scree_default_body_def();
    add(world, body, scree_shape_sphere(0.1f), (scree_vec3){0.1995f, 0, 0});
    body.type = SCREE_BODY_KINEMATIC;
    body.shape = scree_shape_box(0.1f, 1, 1);
    body.state.linear_velocity.x = 1;
    CHECK(scree_body_create(world, &body, &plate));
    scree_motion_def motion = scree_default_motion_def(SCREE_MOTION_LINEAR);
    motion.velocity.x = 1;
    CHECK(scree_kinematic_group_create(world, &(scree_kinematic_group_def){&plate, 1, &motion, 1}, NULL));
    snprintf(path, sizeof path, "%s", folder_file(&place, "whole"));
    CHECK(scree_checkpoint_save(world, path));
    content whole = read_content(path);
    forge(path, whole, (forgery){"bodies/earlier_velocity", 0}); /* x of the plate */
    free(whole.bytes);
    scree_world *loaded = load(path);
    run(world, 3), run(loaded, 3);
    assert_true(scree_world_get_hash(loaded) == scree_world_get_hash(world));
    scree_world_destroy(loaded);
    scree_world_destroy(world);
    folder_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_world_is_restored),
        cmocka_unit_test(a_group_starts_from_the_stored_velocity),
        cmocka_unit_test(a_resumed_run_is_the_same_to_the_bit),
        cmocka_unit_test(new_settings_act_equally_after_resuming),
        cmocka_unit_test(every_solver_setting_is_stored),
        cmocka_unit_test(a_kill_leaves_a_valid_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
