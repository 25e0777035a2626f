/* Puts a scene into a world. */
#include "base/memory.h"
#include "scene.h"

/* What a build has made so far. */
typedef struct builder {
    const scree_scene *scene;
    scree_world *world;
    uint64_t seed;
    scree_material_id *materials; /* by the scene's index */
    scree_body_id *bodies;        /* room for scene->total */
    int64_t made;
} builder;

static scree_material_id material_of(const builder *b, int index) {
    return index == MATERIAL_DEFAULT ? (scree_material_id){0} : b->materials[index];
}

static scree_result build_materials(builder *b) {
    const scree_scene *scene = b->scene;
    for (int i = 0; i < scene->material_count; ++i)
        TRY(scree_material_create(b->world, &scene->materials[i], &b->materials[i]));
    for (int i = 0; i < scene->pair_count; ++i) {
        const scene_pair *pair = &scene->pairs[i];
        TRY(scree_material_pair_set(b->world, material_of(b, pair->a), material_of(b, pair->b),
                                    &pair->contact));
    }
    return SCREE_OK;
}

static scree_result build_body(builder *b, const scene_body *body) {
    scree_body_def def = body->def;
    def.material = material_of(b, body->material);
    TRY(scree_body_create(b->world, &def, &b->bodies[b->made]));
    b->made++;
    return SCREE_OK;
}

static scree_result build_container(builder *b, int index) {
    scene_body walls[CONTAINER_WALLS_MOST];
    const int count = container_walls(&b->scene->containers[index], walls);
    for (int i = 0; i < count; ++i) TRY(build_body(b, &walls[i]));
    return SCREE_OK;
}

static scree_result build_items(builder *b, int index, const packing *places) {
    const generator *g = &b->scene->generators[index];
    for (int item = 0; item < g->count; ++item) {
        const scene_body body = generator_item(g, b->seed, index, places, item);
        TRY(build_body(b, &body));
    }
    return SCREE_OK;
}

static scree_result build_generator(builder *b, int index) {
    const generator *g = &b->scene->generators[index];
    packing places;
    TRY(packing_make(g, b->seed, index, &places));
    scree_result result;
    if (places.positions && places.placed < g->count)
        result =
            fail(SCREE_ERROR_FORMAT,
                 "placed %d of %d grains, a solid fraction of %.3f, before one found no place in %d "
                 "attempts: expected "
                 "a larger region or fewer grains (random places rarely allow more than 0.3 for spheres)",
                 places.placed, g->count, places.volume / region_volume(&g->space), g->attempts);
    else
        result = build_items(b, index, &places);
    packing_release(&places);
    return result;
}

/* Builds one entry of the array called `key`, and names it where that fails. */
static scree_result build_entry(builder *b, const char *key, int index,
                                scree_result (*build)(builder *, int)) {
    const scree_result result = build(b, index);
    if (result == SCREE_OK) return result;
    const scene_node root = {&b->scene->source, NULL, NULL, NULL, 0};
    const scene_node array = node_member(&root, key), entry = node_element(&array, (size_t)index);
    return node_fail_prefix(&entry, result);
}

static scree_result build_listed(builder *b, int index) { return build_body(b, &b->scene->bodies[index]); }

static scree_result build_all(builder *b) {
    const scree_scene *scene = b->scene;
    TRY(build_materials(b));
    for (int i = 0; i < scene->container_count; ++i) TRY(build_entry(b, "containers", i, build_container));
    for (int i = 0; i < scene->body_count; ++i) TRY(build_entry(b, "bodies", i, build_listed));
    for (int i = 0; i < scene->generator_count; ++i) TRY(build_entry(b, "generators", i, build_generator));
    return SCREE_OK;
}

/* On failure the bodies made so far go again; the materials stay, unused. */
scree_result scree_scene_build(const scree_scene *scene, scree_world *world, uint64_t seed) {
    if (!scene || !world) return fail(SCREE_ERROR_ARGUMENT, "a build needs a scene and a world");
    builder b = {.scene = scene, .world = world, .seed = seed};
    b.materials = memory_allocate((size_t)scene->material_count, sizeof *b.materials);
    b.bodies = memory_allocate((size_t)scene->total, sizeof *b.bodies);
    scree_result result;
    if (b.materials && b.bodies)
        result = build_all(&b);
    else
        result = fail(SCREE_ERROR_MEMORY, "out of memory: a scene of %lld bodies", (long long)scene->total);
    if (result != SCREE_OK)
        while (b.made > 0) scree_body_destroy(world, b.bodies[--b.made]);
    memory_release(b.bodies);
    memory_release(b.materials);
    return result;
}
