/* Builds a scene in a world. */
#include "base/memory.h"
#include "scene.h"

scree_material_id scene_material_id(const scree_material_id *ids, int index) {
    return index == MATERIAL_DEFAULT ? (scree_material_id){0} : ids[index];
}

static scree_result build_body(builder *b, const scene_body *body) {
    scree_body_def def = body->def;
    b->bodies[b->made] = (scree_body_id){0};
    def.material = scene_material_id(b->materials, body->material);
    if (!body->absent) TRY(scree_body_create(b->world, &def, &b->bodies[b->made]));
    b->made++;
    return SCREE_OK;
}

static scree_result build_container(builder *b, int index) {
    scene_body walls[CONTAINER_WALLS_MOST];
    const int count = container_walls(&b->scene->containers[index], walls);
    for (int i = 0; i < count; i++) TRY(build_body(b, &walls[i]));
    return SCREE_OK;
}

static scree_result build_generator(builder *b, int index) {
    const generator *g = &b->scene->generators[index];
    SCOPED_PACKING places;
    TRY(packing_make(g, b->seed, index, &places));
    if (places.positions && places.placed < g->count)
        return fail(SCREE_ERROR_FORMAT,
                    "placed only %d of %d grains (solid fraction %.3f) with %d attempts each; use a "
                    "larger region or fewer grains (random placement rarely exceeds 0.3 for spheres, 0.1 "
                    "for cubes and less for longer boxes)",
                    places.placed, g->count, places.volume / region_volume(&g->space), g->attempts);
    for (int item = 0; item < g->count; item++) {
        const scene_body body = generator_item(g, b->seed, index, &places, item);
        TRY(build_body(b, &body));
    }
    return SCREE_OK;
}

static scree_result build_listed(builder *b, int index) { return build_body(b, &b->scene->bodies[index]); }

/* Builds a joint unless one of its bodies is absent; the stage that adds the body adds the joint. */
static scree_result build_joint(builder *b, int index) {
    const scene_joint *of = &b->scene->joints[index];
    const int ends[2] = {of->a, of->b};
    scree_body_id ids[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        if (ends[k] == JOINT_WORLD) continue;
        if (b->scene->bodies[ends[k]].absent) return SCREE_OK;
        ids[k] = b->bodies[b->listed + ends[k]];
    }
    return joint_build(b->world, of, ids[0], ids[1]);
}

/* Finds the members of a kinematic group: objects of this build, or listed bodies of earlier stages. */
static scree_result find_members(const builder *b, const scene_kinematic_group *of, scree_body_id *out,
                                 int *count) {
    *count = 0;
    for (int i = 0; i < of->body_count; i++) {
        const int index = of->bodies[i];
        out[(*count)++] = index < b->first[SCENE_BODIES]
                              ? record_body(b->kept, index)
                              : b->bodies[b->listed + index - b->first[SCENE_BODIES]];
    }
    for (int i = 0; i < of->container_count; i++) {
        scene_body walls[CONTAINER_WALLS_MOST];
        int64_t first = 0;
        if (of->containers[i] < b->first[SCENE_CONTAINERS])
            return fail(SCREE_ERROR_ARGUMENT, "containers[%d] was built in an earlier stage and cannot move",
                        of->containers[i]);
        for (int k = b->first[SCENE_CONTAINERS]; k < of->containers[i]; k++)
            first += container_walls(&b->scene->containers[k], walls);
        const int more = container_walls(&b->scene->containers[of->containers[i]], walls);
        for (int k = 0; k < more; k++) out[(*count)++] = b->bodies[first + k];
    }
    int present = 0;
    for (int i = 0; i < *count; i++)
        if (out[i].index) out[present++] = out[i];
    *count = present;
    return SCREE_OK;
}

static scree_result build_kinematic_group(builder *b, int index) {
    const scene_kinematic_group *of = &b->scene->kinematic_groups[index];
    scree_kinematic_group_def def = {.motions = of->motions, .motion_count = of->motion_count};
    SCOPED scree_body_id *members = memory_allocate(
        (size_t)of->body_count + CONTAINER_WALLS_MOST * (size_t)of->container_count, sizeof *members);
    if (!members) return fail(SCREE_ERROR_MEMORY, "out of memory for an kinematic group");
    TRY(find_members(b, of, members, &def.body_count));
    def.bodies = members;
    TRY(scree_kinematic_group_create(b->world, &def, &b->kinematic_groups[b->group_count]));
    b->group_count++;
    return SCREE_OK;
}

static scree_result build_inlet(builder *b, int index) {
    TRY(inlet_build(b->world, &b->scene->inlets[index], b->materials, b->seed, index, (scree_flow_id){0},
                    &b->inlets[b->let_in]));
    b->let_in++;
    return SCREE_OK;
}

static scree_result build_outlet(builder *b, int index) {
    TRY(scree_outlet_create(b->world, &b->scene->outlets[index], &b->outlets[b->let_out]));
    b->let_out++;
    return SCREE_OK;
}

static scree_result build_all(builder *b) {
    static scree_result (*const builders[SCENE_MEASUREMENTS])(builder *, int) = {
        build_container,       build_listed, build_generator, build_joint,
        build_kinematic_group, build_inlet,  build_outlet};
    for (scene_list list = 0; list < SCENE_MEASUREMENTS; list++) {
        if (list == SCENE_BODIES) b->listed = b->made;
        for (int i = b->first[list]; i < scene_list_count(b->scene, list); i++)
            TRY(scene_entry_fail(b->scene, list, i, builders[list](b, i)));
    }
    return SCREE_OK;
}

/* Refuses scenes that exceed the machine's memory, for which the system would kill the process without a
 * message. The estimate counts bodies only, so it is a lower bound. */
static scree_result check_memory(const scree_scene *scene) {
    static const double least = 300; /* bytes per body */
    const double needed = least * (double)scene->total, there = memory_of_machine();
    if (needed <= there) return SCREE_OK;
    return fail(SCREE_ERROR_MEMORY,
                "a scene of %lld bodies needs at least %.3g GB, and each contact as much again as a body; "
                "this machine has %.3g GB",
                (long long)scene->total, needed * 1e-9, there * 1e-9);
}

scree_result builder_make(builder *b) {
    TRY(check_memory(b->scene));
    b->bodies = memory_allocate((size_t)b->scene->total, sizeof *b->bodies);
    b->kinematic_groups =
        memory_allocate((size_t)b->scene->kinematic_group_count, sizeof *b->kinematic_groups);
    b->inlets = memory_allocate((size_t)b->scene->inlet_count, sizeof *b->inlets);
    b->outlets = memory_allocate((size_t)b->scene->outlet_count, sizeof *b->outlets);
    if (!b->bodies || !b->kinematic_groups || !b->inlets || !b->outlets)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a scene of %lld bodies",
                    (long long)b->scene->total);
    const scree_result result = build_all(b);
    if (result != SCREE_OK) builder_undo(b);
    return result;
}

void builder_undo(builder *b) {
    while (b->let_out > 0) scree_flow_destroy(b->world, b->outlets[--b->let_out]);
    while (b->let_in > 0) scree_flow_destroy(b->world, b->inlets[--b->let_in]);
    while (b->group_count > 0) scree_kinematic_group_destroy(b->world, b->kinematic_groups[--b->group_count]);
    /* Absent bodies were never made, and destroying one would overwrite the error message. */
    while (b->made > 0)
        if (b->bodies[--b->made].index) scree_body_destroy(b->world, b->bodies[b->made]);
}

void builder_release(builder *b) {
    memory_release(b->bodies);
    memory_release(b->kinematic_groups);
    memory_release(b->inlets);
    memory_release(b->outlets);
    memory_release(b->materials);
}

static scree_result make_materials(const scree_scene *scene, scree_world *world, scree_material_id *ids) {
    for (int i = 0; i < scene->material_count; i++)
        TRY(scree_material_create(world, &scene->materials[i], &ids[i]));
    for (int i = 0; i < scene->pair_count; i++) {
        const scene_pair *pair = &scene->pairs[i];
        TRY(scree_material_set_pair(world, scene_material_id(ids, pair->a), scene_material_id(ids, pair->b),
                                    &pair->contact));
    }
    return SCREE_OK;
}

void builder_remember(const builder *b, record *out) {
    const scree_scene *scene = b->scene;
    const scree_body_id *next = b->bodies;
    for (int i = b->first[SCENE_CONTAINERS]; i < scene->container_count; i++) {
        scene_body walls[CONTAINER_WALLS_MOST];
        const int count = container_walls(&scene->containers[i], walls);
        record_keep_walls(out, next, count);
        next += count;
    }
    for (int i = b->first[SCENE_BODIES]; i < scene->body_count; i++, next++)
        record_keep(out, RECORD_BODIES, next->index, next->generation);
    for (int i = b->first[SCENE_GENERATORS]; i < scene->generator_count; i++) {
        record_keep_generated(out, i, next, scene->generators[i].count);
        next += scene->generators[i].count;
    }
    for (int i = 0; i < b->group_count; i++)
        record_keep(out, RECORD_GROUPS, b->kinematic_groups[i].index, b->kinematic_groups[i].generation);
    for (int i = 0; i < b->let_in; i++) record_keep_inlet(out, b->inlets[i], b->seed);
    for (int i = 0; i < b->let_out; i++)
        record_keep(out, RECORD_OUTLETS, b->outlets[i].index, b->outlets[i].generation);
}

/* Records the created objects for later stages. */
static scree_result remember(const builder *b, const char **names) {
    SCOPED_RECORD kept;
    TRY(record_make(b->scene, &kept));
    scene_material_names(b->scene, names);
    for (int i = 0; i < b->scene->material_count; i++) record_keep_material(&kept, names[i], b->materials[i]);
    builder_remember(b, &kept);
    TRY(measurements_give(b->scene, b->world, &kept, NULL));
    return record_write(&kept, b->world);
}

static scree_result build_and_remember(builder *b, const char **names) {
    if (!b->materials || !names) return fail(SCREE_ERROR_MEMORY, "out of memory for a scene's materials");
    TRY(make_materials(b->scene, b->world, b->materials));
    TRY(builder_make(b));
    scree_result result = SCREE_OK;
    if (b->scene->gravity_count > 0)
        result = scree_world_set_gravity_schedule(b->world, b->scene->gravity, b->scene->gravity_count);
    if (result == SCREE_OK) result = remember(b, names);
    if (result != SCREE_OK) builder_undo(b);
    return result;
}

/* Builds the scene. On failure the bodies are removed; the materials remain, unused. */
scree_result scree_scene_build(const scree_scene *scene, scree_world *world, uint64_t seed) {
    REQUIRE(scene);
    REQUIRE(world);
    SCOPED_BUILDER b = {.scene = scene, .world = world, .seed = seed};
    b.materials = memory_allocate((size_t)scene->material_count, sizeof *b.materials);
    SCOPED const char **names = memory_allocate((size_t)scene->material_count, sizeof *names);
    return build_and_remember(&b, names);
}

int scree_scene_generator_count(const scree_scene *scene) {
    REQUIRE_ELSE(scene, 0);
    return scene->generator_count;
}

int scree_scene_get_size_classes(const scree_scene *scene, int index, uint64_t seed, scree_size_class *out,
                                 int capacity) {
    REQUIRE_ELSE(scene, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    if (index < 0 || index >= scene->generator_count) return 0;
    const generator *g = &scene->generators[index];
    SCOPED_PACKING places;
    if (packing_sizes(g, seed, index, &places) != SCREE_OK) return 0;
    const int material = g->body.material, count = places.class_count;
    const scree_shape shape = g->body.def.shape;
    const double of_material = (double)(material == MATERIAL_DEFAULT ? scene->world.material.density
                                                                     : scene->materials[material].density),
                 density = scree_shape_get_mass(shape, of_material) / scree_shape_get_volume(shape),
                 unit = g->sizes.by == BY_NUMBER ? 1 : density * generator_volume(g, 1),
                 level = grading_level(places.classes, count);
    for (int i = 0; i < count && i < capacity; i++) {
        const grading_class *of = &places.classes[i];
        out[i] =
            (scree_size_class){of->from, of->to, unit * level * of->share, unit * of->amount, of->grains};
    }
    return count;
}
