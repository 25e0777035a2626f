/* Threads of a world: those of its own, and those of a caller's pool. Neither changes a result. */
#include "expect.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <scree/scree.h>

enum { EDGE = 10, STEPS = 6 };

static scree_world *pile(int threads, scree_tasks tasks) {
    scree_world *world = NULL;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = threads;
    def.tasks = tasks;
    CHECK(scree_world_create(&def, &world));
    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_STATIC;
    body.shape = scree_shape_half_space();
    CHECK(scree_body_create(world, &body, NULL));
    body.type = SCREE_BODY_DYNAMIC;
    body.shape = scree_shape_sphere(0.05f);
    for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
        body.state.position = (scree_vec3){0.099f * (float)(i % EDGE), 0.098f * (float)(i / EDGE % EDGE),
                                           0.049f + 0.097f * (float)(i / EDGE / EDGE)};
        CHECK(scree_body_create(world, &body, NULL));
    }
    return world;
}

static uint64_t hash_after(scree_world *world, int steps) {
    for (int i = 0; i < steps; i++) CHECK(scree_world_step(world, NULL));
    return scree_world_get_hash(world);
}

static uint64_t hash_alone(int steps) {
    scree_world *world = pile(1, (scree_tasks){0});
    const uint64_t hash = hash_after(world, steps);
    scree_world_destroy(world);
    return hash;
}

static int threads_now(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    assert_non_null(folder);
    while (readdir(folder)) count++;
    closedir(folder);
    return count - 2; /* . and .. */
}

/* A thread that has been joined may be listed a little longer. */
static void expect_threads(int count) {
    for (int i = 0; i < 5000 && threads_now() != count; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_int_equal(threads_now(), count);
}

static void threads_end_with_the_world(void **state) {
    (void)state;
    const int before = threads_now();
    scree_world *world = pile(4, (scree_tasks){0});
    expect_threads(before);
    hash_after(world, 1);
    const int with = threads_now();
    assert_true(with >= before + 3); /* TSan has one of its own */
    scree_world_destroy(world);
    expect_threads(with - 3);
}

typedef struct stepping {
    scree_world *world;
    uint64_t hash;
} stepping;

static void *step_there(void *context) {
    stepping *self = context;
    self->hash = hash_after(self->world, 1);
    return NULL;
}

/* The caller's threads may be others from step to step. */
static void short_lived_threads_step_a_world(void **state) {
    (void)state;
    stepping self = {.world = pile(3, (scree_tasks){0})};
    const int before = threads_now();
    for (int i = 0; i < STEPS; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, step_there, &self), 0);
        pthread_join(thread, NULL);
        expect_threads(before + 2);
    }
    assert_true(self.hash == hash_alone(STEPS));
    scree_world_destroy(self.world);
}

/* A child process has none of its parent's threads. */
static void a_child_process_steps_on(void **state) {
    (void)state;
    int status;
    scree_world *world = pile(3, (scree_tasks){0});
    hash_after(world, 2);
    fflush(NULL);
    const pid_t child = fork();
    if (!child) {
        const bool same = hash_after(world, STEPS - 2) == hash_alone(STEPS);
        scree_world_destroy(world);
        _exit(!same);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    const pid_t idle = fork();
    if (!idle) {
        scree_world_destroy(world);
        _exit(0);
    }
    assert_int_equal(waitpid(idle, &status, 0), idle);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(hash_after(world, STEPS - 2) == hash_alone(STEPS));
    scree_world_destroy(world);
}

/* A pool of a program: one thread for each task. */
typedef struct pool {
    int calls, tasks;
    pthread_t caller;
    int drops; /* tasks that a faulty pool leaves out */
} pool;

typedef struct pool_task {
    void (*task)(void *data, int index);
    void *data;
    int index;
} pool_task;

static void *run_task(void *context) {
    const pool_task *self = context;
    self->task(self->data, self->index);
    return NULL;
}

static void run(void *context, int count, void (*task)(void *data, int index), void *data) {
    pool *self = context;
    pthread_t threads[8];
    pool_task tasks[8];
    assert_true(count >= 2 && count <= 3 && pthread_equal(pthread_self(), self->caller));
    self->calls++;
    self->tasks += count;
    for (int i = self->drops; i < count; i++) {
        tasks[i] = (pool_task){task, data, i};
        assert_int_equal(pthread_create(&threads[i], NULL, run_task, &tasks[i]), 0);
    }
    for (int i = self->drops; i < count; i++) pthread_join(threads[i], NULL);
}

static void a_pool_gives_the_same_bits(void **state) {
    (void)state;
    for (int threads = 2; threads <= 3; threads++) {
        pool own = {.caller = pthread_self()};
        scree_world *world = pile(threads, (scree_tasks){.context = &own, .run = run});
        const int before = threads_now();
        assert_true(hash_after(world, STEPS) == hash_alone(STEPS));
        expect_threads(before);
        assert_true(own.calls > STEPS && own.tasks >= 2 * own.calls);
        scree_world_destroy(world);
    }
}

static void a_pool_that_drops_tasks_is_refused(void **state) {
    (void)state;
    pool own = {.caller = pthread_self()};
    scree_world *world = pile(2, (scree_tasks){.context = &own, .run = run});
    const uint64_t before = hash_after(world, 2);
    own.drops = 1;
    assert_int_equal(scree_world_step(world, NULL), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "tasks.run"));
    assert_true(scree_world_get_hash(world) == before);
    own.drops = 0;
    assert_true(hash_after(world, STEPS - 2) == hash_alone(STEPS));
    scree_world_destroy(world);
}

static void a_context_without_a_pool_is_refused(void **state) {
    (void)state;
    int context;
    scree_world *world = NULL;
    scree_world_def def = scree_default_world_def();
    def.tasks.context = &context;
    assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "tasks.run"));
    assert_null(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_end_with_the_world),
        cmocka_unit_test(short_lived_threads_step_a_world),
        cmocka_unit_test(a_child_process_steps_on),
        cmocka_unit_test(a_pool_gives_the_same_bits),
        cmocka_unit_test(a_pool_that_drops_tasks_is_refused),
        cmocka_unit_test(a_context_without_a_pool_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
