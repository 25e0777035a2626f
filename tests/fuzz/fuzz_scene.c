/* Fuzz target: arbitrary bytes as a scene. An accepted scene is built into a world if it is small. With
 * clang's libFuzzer this file is a program of its own, run as build/asan/fuzz_scene
 * -dict=tests/fuzz/fuzz_scene.dict tests/data/fuzz_scene; test_scene_fuzz.c includes it for a short run with
 * any compiler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scree/tools/scene.h>

#include "scene/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_scene: %s: %s\n", what, scree_error_get_message());
    abort();
}

/* Returns whether a build makes few bodies and tries few places for them. */
static bool is_small(const scree_scene *scene) {
    double attempts = 0;
    for (int i = 0; i < scene->generator_count; ++i) {
        const generator *g = &scene->generators[i];
        if (g->kind == GENERATOR_FILL)
            attempts += g->attempts + 50.0 * g->count; /* plus the last body of a fill that fails */
    }
    return scene->total <= 2000 && attempts <= 400000;
}

static void build_twice(const scree_scene *scene) {
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    scree_world *world = NULL;
    if (scree_world_create(&def, &world) != SCREE_OK) return;
    const int before = scree_body_count(world);
    if (scree_scene_build(scene, world, scree_scene_get_run_def(scene).seed) == SCREE_OK)
        require(scree_body_count(world) == scene->total,
                "a build made another number of bodies than was counted");
    else
        require(scree_body_count(world) == before && scree_error_get_message()[0],
                "a failed build left bodies or no message");
    scree_scene_build(scene, world, 1); /* adds the scene a second time */
    scree_world_destroy(world);
}

/* The scenes of the first worlds are valid, or refused with a place. */
static void make_worlds(const scree_scene *scene) {
    enum { WORLDS = 3 };
    const int count = scree_scene_get_worlds_def(scene).count;
    for (int i = 0; i < count && i < WORLDS; i++) {
        scree_scene *world = NULL;
        size_t line = 0, column = 0;
        if (scree_scene_make_world(scene, i, 1, &world) == SCREE_OK)
            scree_scene_destroy(world);
        else
            require(sscanf(scree_error_get_message(), "fuzz:%zu:%zu: ", &line, &column) == 2 && line > 0 &&
                        column > 0,
                    "a world without line and column");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    scree_scene *scene = NULL;
    const scree_result result = scree_scene_parse((const char *)data, size, "fuzz", &scene);
    if (result != SCREE_OK) {
        size_t line = 0, column = 0;
        require(result == SCREE_ERROR_FORMAT && !scene, "not refused as bad content");
        require(sscanf(scree_error_get_message(), "fuzz:%zu:%zu: ", &line, &column) == 2 && line > 0 &&
                    column > 0,
                "a message without line and column");
        return 0;
    }
    make_worlds(scene);
    const scree_run_def run = scree_scene_get_run_def(scene);
    require((run.length.steps > 0 || run.length.seconds > 0) && scene->total >= 0 &&
                scene->total <= SCENE_BODIES_MOST,
            "limits were passed");
    if (is_small(scene)) build_twice(scene);
    scree_scene_destroy(scene);
    return 0;
}
