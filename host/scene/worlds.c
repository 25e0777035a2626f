/* The worlds of an ensemble: their values and their scenes. */
#include "worlds.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/noise.h"
#include "scene.h"
#include "value_path.h"

/* Streams of variations have the highest bit, those of generators do not. A stream depends on the path, so
 * that another variation in the file does not change its values. */
static uint32_t stream_of(const char *key) {
    return (uint32_t)hash_bytes(HASH_BASIS, key, strlen(key)) | UINT32_C(0x80000000);
}

static double spaced_value(const scene_worlds *worlds, const scene_variation *of, int index) {
    const double part = worlds->count > 1 ? (double)index / (worlds->count - 1) : 0;
    if (part >= 1) return of->to;
    return of->kind == VARIATION_LINEAR ? of->from + part * (of->to - of->from)
                                        : of->from * pow(of->to / of->from, part);
}

static double random_value(const scene_variation *of, int index, uint64_t seed) {
    const double middle = 0x1p-25; /* of an interval of noise_unit */
    return distribution_quantile(
        &of->sampled, noise_unit(noise_key(seed, stream_of(of->key), 0), (uint32_t)index, 0) + middle);
}

double variation_value(const scene_worlds *worlds, int variation, int index, uint64_t seed) {
    const scene_variation *of = &worlds->variations[variation];
    const double value = of->kind == VARIATION_LIST
                             ? json_number_value(json_array_get(of->numbers, (size_t)index))
                         : of->kind <= VARIATION_LOGARITHMIC ? spaced_value(worlds, of, index)
                                                             : random_value(of, index, seed);
    return of->whole ? floor(value + 0.5) : value;
}

static bool is_world(const scree_scene *scene, int world) {
    return world >= 0 && world < scene->worlds.count * scene->worlds.repeats;
}

static bool is_sampled(const scene_worlds *worlds) {
    for (int i = 0; i < worlds->variation_count; i++) {
        const scene_variation *of = &worlds->variations[i];
        const bool random =
            of->kind == VARIATION_UNIFORM || of->kind == VARIATION_NORMAL || of->kind == VARIATION_LOG_NORMAL;
        if (!random && strcmp(of->key, "seed") != 0) return false;
    }
    return true;
}

scree_worlds_def scree_scene_get_worlds_def(const scree_scene *scene) {
    REQUIRE_ELSE(scene, (scree_worlds_def){0});
    const scene_worlds *of = &scene->worlds;
    return (scree_worlds_def){.count = of->count * of->repeats,
                              .repeats = of->repeats,
                              .varied = of->variation_count,
                              .reported = of->report_count,
                              .plotted = of->plot_count,
                              .sampled = is_sampled(of),
                              .keep = of->keep};
}

const char *scree_scene_get_varied_path(const scree_scene *scene, int i) {
    REQUIRE_ELSE(scene, NULL);
    return i >= 0 && i < scene->worlds.variation_count ? scene->worlds.variations[i].key : NULL;
}

double scree_scene_get_varied_value(const scree_scene *scene, int i, int world, uint64_t seed) {
    REQUIRE_ELSE(scene, 0);
    if (i < 0 || i >= scene->worlds.variation_count || !is_world(scene, world)) return NAN;
    return variation_value(&scene->worlds, i, world / scene->worlds.repeats, seed);
}

const char *scree_scene_get_reported_column(const scree_scene *scene, int i) {
    REQUIRE_ELSE(scene, NULL);
    return i >= 0 && i < scene->worlds.report_count ? scene->worlds.reports[i].column : NULL;
}

scree_worlds_plot scree_scene_get_worlds_plot(const scree_scene *scene, int i) {
    REQUIRE_ELSE(scene, (scree_worlds_plot){0});
    if (i < 0 || i >= scene->worlds.plot_count) return (scree_worlds_plot){0};
    const scene_plot *plot = &scene->worlds.plots[i];
    return (scree_worlds_plot){.column = plot->of.column,
                               .varied = plot->varied,
                               .logarithmic =
                                   scene->worlds.variations[plot->varied].kind == VARIATION_LOGARITHMIC};
}

/* Sets the values of a world in a copy of the scene. */
static scree_result values_set(const scree_scene *scene, int world, uint64_t seed, json_t *root) {
    bool set = root && !json_object_set_new(root, "seed", json_integer((json_int_t)(seed + (uint64_t)world)));
    for (int i = 0; i < scene->worlds.variation_count && set; i++)
        set = value_path_set(root, scene->worlds.variations[i].key,
                             scree_scene_get_varied_value(scene, i, world, seed));
    return set ? SCREE_OK : fail(SCREE_ERROR_MEMORY, "out of memory for world %d of a scene", world);
}

/* Names the world in the message of a scene that is valid only with other values. */
static scree_result fail_in_world(scree_result result, int world) {
    char message[4096];
    if (result == SCREE_OK) return SCREE_OK;
    snprintf(message, sizeof message, "%s", scree_error_get_message());
    return fail(result, "%s (world %d)", message, world);
}

scree_result scree_scene_make_world(const scree_scene *scene, int world, uint64_t seed, scree_scene **out) {
    REQUIRE(scene);
    REQUIRE(out);
    if (!is_world(scene, world))
        return fail(SCREE_ERROR_ARGUMENT, "world: %d; must be 0 to %d", world,
                    scene->worlds.count * scene->worlds.repeats - 1);
    json_auto_t *root = json_deep_copy(scene->worlds.root);
    TRY(values_set(scene, world, seed, root));
    return fail_in_world(scene_make_varied(scene, root, out), world);
}
