/* Worlds in threads of one process: the first use of OpenCL, which loads its drivers, by several threads at
 * once. */
#include "device.h"
#include "expect.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

enum { THREADS = 3, TRIALS = 6 };

static pthread_barrier_t start;

static scree_result list_devices(int number) {
    int count = 0;
    (void)number;
    return scree_device_list(NULL, 0, &count);
}

static scree_result draw(int number) {
    scree_view view = scree_default_view();
    view.width = view.height = 32;
    view.device = test_device();
    scree_world *world = NULL;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    scree_result result = scree_world_create(&def, &world);
    scree_body_def ball = scree_default_body_def();
    ball.shape = scree_shape_sphere(0.1f);
    if (result == SCREE_OK) result = scree_body_create(world, &ball, NULL);
    scree_frame frame = {0};
    if (result == SCREE_OK) result = scree_frame_from_world(world, &frame);
    char path[64];
    snprintf(path, sizeof path, "/tmp/scree-test-threads-%ld-%d.png", (long)getpid(), number);
    if (result == SCREE_OK) result = scree_snapshot_save(&frame, &view, path);
    scree_frame_release(&frame);
    scree_world_destroy(world);
    unlink(path);
    return result;
}

static scree_result step(scree_backend_kind backend) {
    scree_world *world = NULL;
    scree_world_def def = scree_default_world_def();
    def.backend = backend;
    def.threads = 1;
    def.device = test_device();
    scree_result result = scree_world_create(&def, &world);
    scree_body_def ball = scree_default_body_def();
    ball.shape = scree_shape_sphere(0.1f);
    for (int i = 0; i < 10 && result == SCREE_OK; ++i) {
        ball.state.position.z = 0.19f * (float)i;
        result = scree_body_create(world, &ball, NULL);
    }
    for (int i = 0; i < 10 && result == SCREE_OK; ++i) result = scree_world_step(world, NULL);
    scree_world_destroy(world);
    return result;
}

static scree_result step_automatic(int number) {
    (void)number;
    return step(SCREE_BACKEND_AUTO);
}

static scree_result step_opencl(int number) {
    (void)number;
    return step(SCREE_BACKEND_OPENCL);
}

typedef struct job {
    scree_result (*call)(int number);
    int number;
    scree_result result;
} job;

static void *work(void *argument) {
    job *self = argument;
    pthread_barrier_wait(&start);
    self->result = self->call(self->number);
    if (self->result != SCREE_OK) fprintf(stderr, "# %s\n", scree_error_get_message());
    return NULL;
}

/* Runs the calls in a new process that has not used OpenCL yet. */
static int all_at_once(scree_result (*call)(int number)) {
    pthread_t threads[THREADS];
    job jobs[THREADS];
    int failures = 0;
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; ++i) {
        jobs[i] = (job){call, i, SCREE_OK};
        if (pthread_create(&threads[i], NULL, work, &jobs[i])) return 100;
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
        failures += jobs[i].result != SCREE_OK;
    }
    return failures;
}

static int in_child(scree_result (*call)(int number)) {
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (!child) _exit(all_at_once(call));
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* Returns whether there is OpenCL, tested in a child, because this process must not use it. */
static scree_result have_device(int number) {
    return number || device_is_there() ? SCREE_OK : SCREE_ERROR_NO_DEVICE;
}

static void expect_all(scree_result (*call)(int number)) {
    if (in_child(have_device)) skip();
    for (int i = 0; i < TRIALS; ++i) {
        const int status = in_child(call);
        if (WIFSIGNALED(status)) fail_msg("the process died of signal %d", WTERMSIG(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

static void devices_are_listed_at_once(void **state) {
    (void)state;
    expect_all(list_devices);
}

static void pictures_are_drawn_at_once(void **state) {
    (void)state;
    expect_all(draw);
}

static void automatic_worlds_step_at_once(void **state) {
    (void)state;
    expect_all(step_automatic);
}

static void opencl_worlds_step_at_once(void **state) {
    (void)state;
    expect_all(step_opencl);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_are_listed_at_once),
        cmocka_unit_test(pictures_are_drawn_at_once),
        cmocka_unit_test(automatic_worlds_step_at_once),
        cmocka_unit_test(opencl_worlds_step_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
