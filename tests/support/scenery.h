/* Shared by the physics tests: worlds on each backend, grounds, and stepping with every result checked. */
#pragma once

#include "expect.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include "device.h"

/* Entries for a CMUnitTest array: a test on one backend, or on each, with the backend's name as its state. */
#define ON(backend, test)                                                                                    \
    { #test " on " backend, test, NULL, NULL, (void *)(uintptr_t)backend }
#define ON_EACH_BACKEND(test) ON("native", test), ON("opencl", test), ON("reference", test)

/* Returns the backend of a test made by ON(). */
static inline scree_backend_kind backend_of(void **state) {
    const char *name = *state;
    for (int kind = 0; kind < SCREE_BACKEND_COUNT; kind++)
        if (strcmp(name, scree_backend_name((scree_backend_kind)kind)) == 0) return (scree_backend_kind)kind;
    fail_msg("no backend is called %s", name);
    return SCREE_BACKEND_AUTO;
}

/* Skips a test that takes minutes under a sanitizer and covers nothing that others do not. */
static inline void skip_if_short(void) {
    if (getenv("SCREE_TEST_SHORT")) skip();
}

/* Returns whether the test runs on the reference backend, which is a hundred times slower: long tests reduce
 * their cases. */
static inline bool on_reference(void **state) { return backend_of(state) == SCREE_BACKEND_REFERENCE; }

/* Returns a definition for a test's backend, on the device of SCREE_TEST_DEVICE. For tools that cannot follow
 * OpenCL drivers, SCREE_TEST_BACKEND=native skips the other backends. */
static inline scree_world_def def_on(void **state) {
    const char *only = getenv("SCREE_TEST_BACKEND");
    scree_world_def def = scree_default_world_def();
    def.backend = backend_of(state);
    def.device = test_device();
    def.threads = 1;
    if (only && strcmp(only, *state) != 0) skip();
    return def;
}

/* SCREE_TEST_PIPELINE=device selects that pipeline on OpenCL, where the definition selects none. */
static inline scree_world *world_of(const scree_world_def *def) {
    const char *pipeline = getenv("SCREE_TEST_PIPELINE");
    scree_world *world = NULL;
    scree_world_def own = *def;
    if (pipeline && strcmp(pipeline, "device") == 0 && own.backend == SCREE_BACKEND_OPENCL &&
        own.pipeline == SCREE_PIPELINE_AUTO)
        own.pipeline = SCREE_PIPELINE_DEVICE;
    CHECK(scree_world_create(&own, &world));
    return world;
}

/* Loads a scene file of the checkout. */
static inline scree_scene *scene_of(const char *name) {
    char path[512];
    scree_scene *scene = NULL;
    snprintf(path, sizeof path, SCREE_SOURCE_DIR "/%s", name);
    CHECK(scree_scene_load(path, &scene));
    return scene;
}

/* Returns the hash of a scene's world after `steps` steps with this definition. */
static inline uint64_t scene_hash(const scree_scene *scene, const scree_world_def *def, int steps) {
    scree_world *world = world_of(def);
    CHECK(scree_scene_build(scene, world, scree_scene_get_run_def(scene).seed));
    for (int i = 0; i < steps; i++) CHECK(scree_world_step(world, NULL));
    const uint64_t hash = scree_world_get_hash(world);
    scree_world_destroy(world);
    return hash;
}

/* Adds the half-space below z = 0, tilted about the y axis by `angle` (rad): downhill is +x for angle > 0. */
static inline scree_body_id add_slope(scree_world *world, float angle) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = SCREE_BODY_STATIC;
    def.shape = scree_shape_half_space();
    def.state.rotation = (scree_quat){0, sinf(angle / 2), 0, cosf(angle / 2)};
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* Makes a world with a half-space below z = 0 and one material. */
static inline scree_world *ground_on(void **state, float friction, float restitution) {
    scree_world_def def = def_on(state);
    def.material.friction = friction, def.material.restitution = restitution;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    return world;
}

static inline scree_body_id add_body(scree_world *world, scree_shape shape, scree_vec3 position,
                                     scree_vec3 velocity) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = shape;
    def.state.position = position;
    def.state.linear_velocity = velocity;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static inline scree_body_state state_of(const scree_world *world, scree_body_id id) {
    scree_body_state state;
    CHECK(scree_body_get_state(world, id, &state));
    return state;
}

/* Steps for `seconds`; returns the last step's statistics. */
static inline scree_statistics run_for(scree_world *world, double seconds) {
    scree_statistics s = {0};
    const long steps = lround(seconds / scree_world_get_def(world).time_step);
    for (long i = 0; i < steps; i++) CHECK(scree_world_step(world, &s));
    return s;
}

static inline double length_of(scree_vec3 v) {
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

/* Asserts that a world restored from its checkpoint continues bit for bit. */
static inline void check_goes_on(scree_world *world, const scree_world_def *runtime, const char *path) {
    scree_world *other = NULL;
    CHECK(scree_checkpoint_save(world, path));
    CHECK(scree_checkpoint_load(path, runtime, &other));
    remove(path);
    for (int i = 0; i < 40; i++) {
        CHECK(scree_world_step(world, NULL));
        CHECK(scree_world_step(other, NULL));
    }
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(other));
    scree_world_destroy(other);
}
