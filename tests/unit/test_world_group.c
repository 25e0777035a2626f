/* Worlds that share the launches of a device: they have the same bits as alone, also when others begin late,
 * end early or fail, and they take fewer launches and waits. */
#include "device.h"
#include "expect.h"

#include <pthread.h>

#include <scree/scree.h>
#include <scree/tools/scene.h>

enum { WORLDS = 6, STEPS = 36, EVERY = 12, HASHES = STEPS / EVERY };

/* Spheres, boxes and capsules that fall into a box: the worlds have other numbers of grains, frictions, sizes
 * and time steps, so that they make other numbers of launches. `%s`: the pipeline. */
static const char text[] =
    "{\"seed\": 7, \"time_step\": 0.006, \"backend\": {\"kind\": \"opencl\", \"pipeline\": \"%s\", "
    "\"maximum_contacts\": 0},"
    " \"materials\": {\"glass\": {\"friction\": 0.3, \"restitution\": 0.2}},"
    " \"containers\": [{\"kind\": \"box\", \"inner_size\": [0.5, 0.5, 2], \"wall_thickness\": 0.05}],"
    " \"generators\": ["
    "  {\"kind\": \"lattice\", \"cells\": [4, 4, 2], \"spacing\": 0.11, \"jitter\": 0.004, \"position\": [0, "
    "0, 0.02],"
    "   \"body\": {\"material\": \"glass\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}},"
    "  {\"kind\": \"lattice\", \"cells\": [3, 3, 2], \"spacing\": 0.13, \"jitter\": 0.004, \"position\": [0, "
    "0, 0.3],"
    "   \"body\": {\"material\": \"glass\", \"shape\": {\"kind\": \"box\", \"size\": [0.08, 0.06, 0.05]}}},"
    "  {\"kind\": \"lattice\", \"cells\": [2, 1, 1], \"spacing\": 0.2, \"position\": [0, 0, 0.6],"
    "   \"body\": {\"material\": \"glass\", \"shape\": {\"kind\": \"capsule\", \"radius\": 0.03, \"length\": "
    "0.05}}}],"
    " \"worlds\": {\"vary\": {\"materials.glass.friction\": [0.1, 0.9, 0.5, 0.3, 0.2, 0.7],"
    "  \"generators[0].cells[2]\": [1, 2, 3, 1, 4, 2],"
    "  \"backend.maximum_contacts\": [0, 0, 0, 24, 0, 0]}}}";

/* The fate of a world. */
typedef struct job {
    const char *pipeline;
    int number;
    bool native; /* no device */
    scree_group *group;
    uint64_t hashes[HASHES];
    uint64_t launches, waits; /* that it would make alone */
    int made;                 /* steps */
} job;

static scree_scene *scene_for(const char *pipeline) {
    char filled[sizeof text + 16];
    scree_scene *scene = NULL;
    snprintf(filled, sizeof filled, text, pipeline);
    const scree_result result = scree_scene_parse(filled, strlen(filled), "s.json", &scene);
    if (result != SCREE_OK) fail_msg("%s", scree_error_get_message());
    return scene;
}

static scree_world *make(const job *self) {
    scree_scene *all = scene_for(self->pipeline), *scene = NULL; /* a scene is used by one thread */
    scree_world *world = NULL;
    CHECK(scree_scene_make_world(all, self->number, 7, &scene));
    scree_world_def def = scree_scene_get_world_def(scene);
    def.device = test_device();
    def.group = self->group;
    def.threads = 1;
    if (self->native) {
        def.backend = SCREE_BACKEND_NATIVE;
        def.pipeline = SCREE_PIPELINE_AUTO;
    }
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 7 + (uint64_t)self->number));
    scree_scene_destroy(scene);
    scree_scene_destroy(all);
    return world;
}

/* Steps a world until it fails, at most STEPS steps. */
static void *run(void *context) {
    job *self = context;
    scree_group_enter(self->group);
    scree_world *world = make(self);
    for (self->made = 0; self->made < STEPS; self->made++) {
        scree_statistics s;
        if (scree_world_step(world, &s) != SCREE_OK) break;
        self->launches += s.device.launches;
        self->waits += s.device.waits;
        if ((self->made + 1) % EVERY == 0) self->hashes[self->made / EVERY] = scree_world_get_hash(world);
    }
    scree_world_destroy(world);
    scree_group_leave(self->group);
    return NULL;
}

static void run_alone(const char *pipeline, job alone[WORLDS]) {
    for (int i = 0; i < WORLDS; i++) {
        alone[i] = (job){.pipeline = pipeline, .number = i};
        run(&alone[i]);
    }
    assert_int_equal(alone[0].made, STEPS);
    assert_true(alone[3].made > 0 && alone[3].made < STEPS); /* it has too many contacts */
}

/* Runs all worlds in a group, and compares them with those alone. */
static scree_device_traffic run_together(const char *pipeline, const job alone[WORLDS]) {
    job jobs[WORLDS];
    pthread_t threads[WORLDS];
    scree_group *group = NULL;
    CHECK(scree_group_create(test_device(), WORLDS, &group));
    for (int i = 0; i < WORLDS; i++) {
        jobs[i] = (job){.pipeline = pipeline, .number = i, .group = group};
        assert_int_equal(pthread_create(&threads[i], NULL, run, &jobs[i]), 0);
    }
    for (int i = 0; i < WORLDS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < WORLDS; i++) {
        assert_int_equal(jobs[i].made, alone[i].made);
        assert_memory_equal(jobs[i].hashes, alone[i].hashes, sizeof alone[i].hashes);
    }
    const scree_device_traffic traffic = scree_group_get_traffic(group);
    scree_group_destroy(group);
    return traffic;
}

static void compare(const char *pipeline) {
    if (!device_is_there()) skip();
    static job alone[WORLDS];
    run_alone(pipeline, alone);
    const scree_device_traffic traffic = run_together(pipeline, alone);
    uint64_t launches = 0, waits = 0;
    for (int i = 0; i < WORLDS; i++) {
        launches += alone[i].launches;
        waits += alone[i].waits;
        for (int k = 0; k < i; k++) assert_true(alone[i].hashes[0] != alone[k].hashes[0]);
    }
    print_message("# %s: %llu launches, %llu waits alone; %llu, %llu together\n", pipeline,
                  (unsigned long long)launches, (unsigned long long)waits,
                  (unsigned long long)traffic.launches, (unsigned long long)traffic.waits);
    /* Worlds alone would take 5 to 6 times those of the one with most. These differ much from each other. */
    ASSERT_AT_MOST(3 * traffic.launches, 2 * launches);
    ASSERT_AT_MOST(2 * traffic.waits, waits);
}

static void worlds_have_the_same_bits_on_the_pipeline_host(void **state) {
    (void)state;
    compare("host");
}

static void worlds_have_the_same_bits_on_the_pipeline_device(void **state) {
    (void)state;
    compare("device");
}

/* A thread that is not in the group steps its world alone, and does not wait for those in it. */
static void a_world_can_step_alone(void **state) {
    (void)state;
    if (!device_is_there()) skip();
    scree_group *group = NULL;
    CHECK(scree_group_create(test_device(), 0, &group));
    job of = {.pipeline = "device", .group = group};
    scree_world *world = make(&of), *other = make(&(job){.pipeline = "device"});
    for (int i = 0; i < 3; i++) {
        CHECK(scree_world_step(world, NULL));
        CHECK(scree_world_step(other, NULL));
        assert_true(scree_world_get_hash(world) == scree_world_get_hash(other));
    }
    scree_world_destroy(world);
    scree_world_destroy(other);
    scree_group_destroy(group);
}

/* Two steps on the pipeline host, few enough for the simulator. */
static void a_world_of_a_group_has_the_bits_of_native(void **state) {
    (void)state;
    if (!device_is_there()) skip();
    scree_group *group = NULL;
    CHECK(scree_group_create(test_device(), 0, &group));
    scree_world *world = make(&(job){.pipeline = "host", .group = group});
    scree_world *native = make(&(job){.pipeline = "host", .native = true});
    for (int i = 0; i < 2; i++) {
        CHECK(scree_world_step(world, NULL));
        CHECK(scree_world_step(native, NULL));
    }
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(native));
    scree_world_destroy(world);
    scree_world_destroy(native);
    scree_group_destroy(group);
}

static void a_group_refuses(void **state) {
    (void)state;
    if (!device_is_there()) skip();
    scree_group *group = NULL;
    CHECK_FAILS(scree_group_create(test_device(), -1, &group), SCREE_ERROR_ARGUMENT, "threads");
    CHECK_FAILS(scree_group_create("no such device", 0, &group), SCREE_ERROR_NO_DEVICE, "no such device");
    CHECK(scree_group_create(test_device(), 0, &group));
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    def.backend = SCREE_BACKEND_OPENCL;
    def.group = group;
    def.profile = true;
    CHECK_FAILS(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT, "profile");
    scree_group_destroy(group);
}

/* --small: only what a simulator of the device can run. */
int main(int count, char **words) {
    const struct CMUnitTest small[] = {cmocka_unit_test(a_world_of_a_group_has_the_bits_of_native)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_have_the_same_bits_on_the_pipeline_host),
        cmocka_unit_test(worlds_have_the_same_bits_on_the_pipeline_device),
        cmocka_unit_test(a_world_can_step_alone),
        cmocka_unit_test(a_world_of_a_group_has_the_bits_of_native),
        cmocka_unit_test(a_group_refuses),
    };
    if (count > 1 && strcmp(words[1], "--small") == 0) return cmocka_run_group_tests(small, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
