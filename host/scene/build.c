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
    const scree_body_id *ids = b->bodies + b->made;
    const int count = container_walls(&b->scene->containers[index], walls);
    for (int i = 0; i < count; i++) TRY(build_body(b, &walls[i]));
    record_keep_walls(b->record, ids, count);
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
    const scree_body_id *ids = b->bodies + b->made;
    for (int item = 0; item < g->count; item++) {
        const scene_body body = generator_item(g, b->seed, index, &places, item);
        TRY(build_body(b, &body));
    }
    record_keep_generated(b->record, index, ids, g->count);
    return SCREE_OK;
}

static scree_result build_listed(builder *b, int index) {
    const scree_body_id *id = &b->bodies[b->made];
    TRY(build_body(b, &b->scene->bodies[index]));
    record_keep(b->record, RECORD_BODIES, id->index, id->generation);
    return SCREE_OK;
}

/* Builds a joint unless one of its bodies is absent; the stage that adds the body adds the joint. */
static scree_result build_joint(builder *b, int index) {
    const scene_joint *of = &b->scene->joints[index];
    scree_body_id ids[2];
    return joint_find_bodies(b->scene, b->world, b->record, of, ids)
               ? joint_build(b->world, of, ids[0], ids[1])
               : SCREE_OK;
}

static scree_result build_kinematic_group(builder *b, int index) {
    const scene_kinematic_group *of = &b->scene->kinematic_groups[index];
    scree_kinematic_group_def def = {.motions = of->motions, .motion_count = of->motion_count};
    scree_kinematic_group_id id;
    SCOPED scree_body_id *members = memory_allocate((size_t)members_most(&of->members), sizeof *members);
    if (!members) return fail(SCREE_ERROR_MEMORY, "out of memory for a kinematic group");
    for (int i = 0; i < of->members.container_count; i++)
        if (of->members.containers[i] < b->first[SCENE_CONTAINERS])
            return fail(SCREE_ERROR_ARGUMENT, "containers[%d] was built in an earlier stage and cannot move",
                        of->members.containers[i]);
    def.body_count = record_members(b->record, &of->members, members);
    def.bodies = members;
    TRY(scree_kinematic_group_create(b->world, &def, &id));
    record_keep(b->record, RECORD_GROUPS, id.index, id.generation);
    return SCREE_OK;
}

static scree_result build_inlet(builder *b, int index) {
    scree_flow_id id;
    TRY(inlet_build(b->world, &b->scene->inlets[index], b->materials, b->seed, index, (scree_flow_id){0},
                    &id));
    record_keep_inlet(b->record, id, b->seed);
    return SCREE_OK;
}

static scree_result build_outlet(builder *b, int index) {
    scree_flow_id id;
    TRY(scree_outlet_create(b->world, &b->scene->outlets[index], &id));
    record_keep(b->record, RECORD_OUTLETS, id.index, id.generation);
    return SCREE_OK;
}

static scree_result build_all(builder *b) {
    static scree_result (*const builders[SCENE_MEASUREMENTS])(builder *, int) = {
        build_container,       build_listed, build_generator, build_joint,
        build_kinematic_group, build_inlet,  build_outlet};
    for (scene_list list = 0; list < SCENE_MEASUREMENTS; list++)
        for (int i = b->first[list]; i < scene_list_count(b->scene, list); i++)
            TRY(scene_entry_fail(b->scene, list, i, builders[list](b, i)));
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

/* Removes what was made so far. */
static void undo(builder *b) {
    const record *r = b->record;
    for (int i = record_size(r, RECORD_OUTLETS); i-- > b->first[SCENE_OUTLETS];)
        scree_flow_destroy(b->world, record_outlet(r, i));
    for (int i = record_size(r, RECORD_INLETS); i-- > b->first[SCENE_INLETS];)
        scree_flow_destroy(b->world, record_inlet(r, i));
    for (int i = record_size(r, RECORD_GROUPS); i-- > b->first[SCENE_GROUPS];)
        scree_kinematic_group_destroy(b->world, record_kinematic_group(r, i));
    /* Absent bodies were never made, and destroying one would overwrite the error message. */
    while (b->made > 0)
        if (b->bodies[--b->made].index) scree_body_destroy(b->world, b->bodies[b->made]);
}

scree_result builder_make(builder *b, const bool *changed) {
    const scree_scene *scene = b->scene;
    TRY(check_memory(scene));
    b->bodies = memory_allocate((size_t)scene->total, sizeof *b->bodies);
    if (!b->bodies)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a scene of %lld bodies", (long long)scene->total);
    for (int i = 0; i < scene->material_count; i++)
        record_keep_material(b->record, scene->materials[i].name, b->materials[i]);
    scree_result result = build_all(b);
    if (result == SCREE_OK && !changed && scene->gravity_count > 0)
        result = scree_world_set_gravity_schedule(b->world, scene->gravity, scene->gravity_count);
    if (result == SCREE_OK) result = measurements_give(scene, b->world, b->record, changed);
    if (result == SCREE_OK) result = record_write(b->record, b->world);
    if (result != SCREE_OK) undo(b);
    return result;
}

void builder_release(builder *b) {
    memory_release(b->bodies);
    memory_release(b->materials);
}

static scree_result make_materials(const scree_scene *scene, scree_world *world, scree_material_id *ids) {
    for (int i = 0; i < scene->material_count; i++)
        TRY(scree_material_create(world, &scene->materials[i].def, &ids[i]));
    for (int i = 0; i < scene->pair_count; i++) {
        const scene_pair *pair = &scene->pairs[i];
        TRY(scree_material_set_pair(world, scene_material_id(ids, pair->a), scene_material_id(ids, pair->b),
                                    &pair->contact));
    }
    return SCREE_OK;
}

/* Builds the scene. On failure the bodies are removed; the materials remain, unused. */
scree_result scree_scene_build(const scree_scene *scene, scree_world *world, uint64_t seed) {
    REQUIRE(scene);
    REQUIRE(world);
    SCOPED_RECORD kept;
    TRY(record_make(scene, world, &kept));
    SCOPED_BUILDER b = {.scene = scene, .world = world, .seed = seed, .record = &kept};
    b.materials = memory_allocate((size_t)scene->material_count, sizeof *b.materials);
    if (!b.materials) return fail(SCREE_ERROR_MEMORY, "out of memory for a scene's materials");
    TRY(make_materials(scene, world, b.materials));
    return builder_make(&b, NULL);
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
    const double of_material =
                     (double)(material == MATERIAL_DEFAULT ? scene->world.material.density
                                                           : scene->materials[material].def.density),
                 density = scree_shape_get_mass(shape, of_material) / scree_shape_get_volume(shape),
                 unit = g->sizes.basis == FRACTION_BY_NUMBER ? 1 : density * generator_volume(g, 1),
                 level = grading_level(places.classes, count);
    for (int i = 0; i < count && i < capacity; i++) {
        const grading_class *of = &places.classes[i];
        out[i] =
            (scree_size_class){of->from, of->to, unit * level * of->share, unit * of->amount, of->grains};
    }
    return count;
}
