/* The record that a world keeps of its scene, so that a later stage can detect changes. */
#include <stdlib.h>
#include <string.h>

#include "scene.h"

#include "base/hash.h"

static const char format[] = "scree scene 4"; /* increment when the layout of the JSON below changes */

static scree_result no_memory(void) {
    return fail(SCREE_ERROR_MEMORY, "out of memory for the world's record of its scene");
}

/* Returns a hash, as JSON, of the scene's text with sorted keys and without spaces: equal for scenes whose
 * keys and values are equal. NULL: out of memory. */
static json_t *hash_of(const json_t *scene) {
    char *text = json_dumps(scene, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text) return NULL;
    const uint64_t hash = hash_bytes(HASH_BASIS, text, strlen(text));
    free(text);
    return json_sprintf("%08lx%08lx", (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffff));
}

static void find_parts(record *self) {
    self->name = json_string_value(json_object_get(self->json, "name"));
    self->scene = json_object_get(self->json, "scene");
    self->files = json_object_get(self->json, "files");
    self->materials = json_object_get(self->json, "materials");
    self->bodies = json_object_get(self->json, "bodies");
    self->walls = json_object_get(self->json, "walls");
    self->generated = json_object_get(self->json, "generated");
    self->kinematic_groups = json_object_get(self->json, "assemblies");
    self->inlets = json_object_get(self->json, "inlets");
    self->outlets = json_object_get(self->json, "outlets");
    self->stage = (int)json_integer_value(json_object_get(self->json, "stage"));
    self->ended = json_object_get(self->json, "ended");
    self->stage_time = json_number_value(json_object_get(self->json, "stage_time"));
}

scree_result record_make(const scree_scene *scene, record *out) {
    const char *slash = strrchr(scene->source.name, '/'), *name = slash ? slash + 1 : scene->source.name;
    json_t *shown = json_string(name); /* NULL for a name that is not UTF-8 */
    if (!shown) shown = json_string("?");
    *out = (record){.json = json_pack("{s:s, s:o, s:o, s:O, s:O, s:{}, s:[], s:[], s:[], s:[], s:[]}",
                                      "format", format, "name", shown, "hash", hash_of(scene->root), "scene",
                                      scene->root, "files", scene->files, "materials", "bodies", "walls",
                                      "assemblies", "inlets", "outlets")};
    if (!out->json) return no_memory();
    find_parts(out);
    return SCREE_OK;
}

scree_result record_read(const scree_world *world, record *out) {
    const char *note = scree_world_get_note(world);
    *out = (record){.json = json_loads(note, JSON_REJECT_DUPLICATES, NULL),
                    .world = scree_world_get_number(world)};
    const char *found = json_string_value(json_object_get(out->json, "format"));
    find_parts(out);
    if (found && !strcmp(found, format) && out->name && json_is_object(out->scene) &&
        json_is_object(out->materials) && json_is_array(out->bodies) && json_is_array(out->walls) &&
        json_is_array(out->kinematic_groups) && json_is_array(out->inlets) && json_is_array(out->outlets) &&
        out->stage >= 0)
        return SCREE_OK;
    record_release(out);
    return fail(SCREE_ERROR_FORMAT,
                "the world has no record of a scene; must be a world built from a scene file");
}

scree_result record_write(const record *self, scree_world *world) {
    char *text = json_dumps(self->json, JSON_COMPACT);
    if (!text) return no_memory();
    const scree_result result = scree_world_set_note(world, text);
    free(text);
    return result;
}

void record_release(record *self) {
    json_decref(self->json);
    *self = (record){0};
}

static json_t *id_to_json(uint32_t index, uint32_t generation) {
    return json_pack("[I, I]", (json_int_t)index, (json_int_t)generation);
}

/* Returns 0 (null) if there is no id. */
static uint32_t id_part(const json_t *id, size_t part) {
    const json_int_t value = json_integer_value(json_array_get(id, part));
    return value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

scree_result record_keep_material(record *self, const char *name, scree_material_id id) {
    return json_object_set_new(self->materials, name, id_to_json(id.index, id.generation)) ? no_memory()
                                                                                           : SCREE_OK;
}

scree_result record_keep_body(record *self, scree_body_id id) {
    return json_array_append_new(self->bodies, id_to_json(id.index, id.generation)) ? no_memory() : SCREE_OK;
}

scree_result record_keep_generated(record *self, int number, const scree_body_id *ids, int count) {
    for (int i = 1; i < count; ++i)
        if (ids[i].index != ids[i - 1].index + 1 || ids[i].generation != ids[0].generation) return SCREE_OK;
    if (count == 0) return SCREE_OK;
    if (!self->generated) {
        if (json_object_set_new(self->json, "generated", json_array())) return no_memory();
        self->generated = json_object_get(self->json, "generated");
    }
    json_t *entry =
        json_pack("[i, I, I, i]", number, (json_int_t)ids[0].index, (json_int_t)ids[0].generation, count);
    return json_array_append_new(self->generated, entry) ? no_memory() : SCREE_OK;
}

scree_result record_keep_walls(record *self, const scree_body_id *ids, int count) {
    json_t *list = json_array();
    bool failed = !list || json_array_append_new(self->walls, list);
    for (int i = 0; i < count && !failed; ++i)
        failed = json_array_append_new(list, id_to_json(ids[i].index, ids[i].generation));
    return failed ? no_memory() : SCREE_OK;
}

scree_result record_keep_stage(record *self, int stage, double time) {
    self->stage = stage, self->stage_time = time;
    return json_object_set_new(self->json, "stage", json_integer(stage)) ||
                   json_object_set_new(self->json, "stage_time", json_real(time))
               ? no_memory()
               : SCREE_OK;
}

scree_result record_keep_end(record *self, json_t *until) {
    if (until && json_object_set(self->json, "ended", until)) return no_memory();
    self->ended = until;
    return SCREE_OK;
}

scree_result record_replace_body(record *self, int index, scree_body_id id) {
    return json_array_set_new(self->bodies, (size_t)index, id_to_json(id.index, id.generation)) ? no_memory()
                                                                                                : SCREE_OK;
}

scree_result record_replace_walls(record *self, int index, const scree_body_id *ids, int count) {
    json_t *list = json_array();
    bool failed = !list || json_array_set_new(self->walls, (size_t)index, list);
    for (int i = 0; i < count && !failed; ++i)
        failed = json_array_append_new(list, id_to_json(ids[i].index, ids[i].generation));
    return failed ? no_memory() : SCREE_OK;
}

scree_result record_keep_kinematic_group(record *self, scree_kinematic_group_id id) {
    return json_array_append_new(self->kinematic_groups, id_to_json(id.index, id.generation)) ? no_memory()
                                                                                              : SCREE_OK;
}

scree_material_id record_material(const record *self, const char *name) {
    const json_t *id = json_object_get(self->materials, name);
    return id ? (scree_material_id){id_part(id, 0), id_part(id, 1), self->world} : (scree_material_id){0};
}

scree_body_id record_body(const record *self, int index) {
    const json_t *id = json_array_get(self->bodies, (size_t)index);
    return id ? (scree_body_id){id_part(id, 0), id_part(id, 1), self->world} : (scree_body_id){0};
}

int record_walls(const record *self, int index, scree_body_id out[CONTAINER_WALLS_MOST]) {
    const json_t *list = json_array_get(self->walls, (size_t)index);
    int count = 0;
    for (; count < CONTAINER_WALLS_MOST && (size_t)count < json_array_size(list); ++count) {
        const json_t *id = json_array_get(list, (size_t)count);
        out[count] = (scree_body_id){id_part(id, 0), id_part(id, 1), self->world};
    }
    return count;
}

scree_kinematic_group_id record_kinematic_group(const record *self, int index) {
    const json_t *id = json_array_get(self->kinematic_groups, (size_t)index);
    return id ? (scree_kinematic_group_id){id_part(id, 0), id_part(id, 1), self->world}
              : (scree_kinematic_group_id){0};
}

static scree_result keep_flow(json_t *list, scree_flow_id id) {
    return json_array_append_new(list, id_to_json(id.index, id.generation)) ? no_memory() : SCREE_OK;
}

/* An inlet's entry is its id followed by its seed. */
scree_result record_keep_inlet(record *self, scree_flow_id id, uint64_t seed) {
    TRY(keep_flow(self->inlets, id));
    json_t *last = json_array_get(self->inlets, json_array_size(self->inlets) - 1);
    return json_array_append_new(last, json_integer((json_int_t)seed)) ? no_memory() : SCREE_OK;
}

uint64_t record_inlet_seed(const record *self, int index, uint64_t unknown) {
    const json_t *seed = json_array_get(json_array_get(self->inlets, (size_t)index), 2);
    return json_is_integer(seed) ? (uint64_t)json_integer_value(seed) : unknown;
}

static scree_flow_id flow_of(const record *self, const json_t *list, int index) {
    const json_t *id = json_array_get(list, (size_t)index);
    return id ? (scree_flow_id){id_part(id, 0), id_part(id, 1), self->world} : (scree_flow_id){0};
}

scree_result record_keep_outlet(record *self, scree_flow_id id) { return keep_flow(self->outlets, id); }
scree_flow_id record_inlet(const record *self, int index) { return flow_of(self, self->inlets, index); }
scree_flow_id record_outlet(const record *self, int index) { return flow_of(self, self->outlets, index); }
