/* The record that a world keeps of its scene: a later stage detects changes by it, and messages name bodies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

#include "base/memory.h"

static const char format[] = "scree scene 5"; /* increment when the layout of the JSON below changes */

static scree_result no_memory(void) {
    return fail(SCREE_ERROR_MEMORY, "out of memory for the world's record of its scene");
}

static const char *const list_keys[RECORD_LISTS] = {"bodies", "walls", "kinematic_groups", "inlets",
                                                    "outlets"};

static void find_members(record *self) {
    self->name = json_string_value(json_object_get(self->json, "name"));
    self->scene = json_object_get(self->json, "scene");
    self->files = json_object_get(self->json, "files");
    self->materials = json_object_get(self->json, "materials");
    self->generated = json_object_get(self->json, "generated");
    for (int i = 0; i < RECORD_LISTS; i++) self->lists[i] = json_object_get(self->json, list_keys[i]);
    self->stage = (int)json_integer_value(json_object_get(self->json, "stage"));
    self->ended = json_object_get(self->json, "ended");
    self->stage_time = json_number_value(json_object_get(self->json, "stage_time"));
}

scree_result record_make(const scree_scene *scene, const scree_world *world, record *out) {
    const char *slash = strrchr(scene->source.name, '/'), *name = slash ? slash + 1 : scene->source.name;
    json_t *shown = json_string(name); /* NULL for a name that is not UTF-8 */
    if (!shown) shown = json_string("?");
    *out = (record){.json = json_pack("{s:s, s:o, s:O, s:O, s:{}}", "format", format, "name", shown, "scene",
                                      scene->root, "files", scene->files, "materials"),
                    .world = scree_world_get_number(world)};
    for (int i = 0; i < RECORD_LISTS; i++)
        out->failed |= json_object_set_new(out->json, list_keys[i], json_array()) != 0;
    if (!out->json || out->failed) return no_memory();
    find_members(out);
    return SCREE_OK;
}

scree_result record_read(const scree_world *world, record *out) {
    const char *note = scree_world_get_note(world);
    *out = (record){.json = json_loads(note, JSON_REJECT_DUPLICATES, NULL),
                    .world = scree_world_get_number(world)};
    const char *found = json_string_value(json_object_get(out->json, "format"));
    find_members(out);
    bool whole = found && !strcmp(found, format) && out->name && json_is_object(out->scene) &&
                 json_is_object(out->materials) && out->stage >= 0;
    for (int i = 0; i < RECORD_LISTS; i++) whole &= json_is_array(out->lists[i]);
    if (whole) return SCREE_OK;
    record_release(out);
    return fail(SCREE_ERROR_FORMAT,
                "the world has no record of a scene; must be a world built from a scene file");
}

scree_result record_write(const record *self, scree_world *world) {
    char *text = self->failed ? NULL : json_dumps(self->json, JSON_COMPACT);
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
static uint32_t id_number(const json_t *id, size_t part) {
    const json_int_t value = json_integer_value(json_array_get(id, part));
    return value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

static void note(record *self, int failed) { self->failed |= failed != 0; }

void record_keep(record *self, record_list list, uint32_t index, uint32_t generation) {
    note(self, json_array_append_new(self->lists[list], id_to_json(index, generation)));
}

void record_keep_material(record *self, const char *name, scree_material_id id) {
    note(self, json_object_set_new(self->materials, name, id_to_json(id.index, id.generation)));
}

void record_keep_generated(record *self, int number, const scree_body_id *ids, int count) {
    for (int i = 1; i < count; i++)
        if (ids[i].index != ids[i - 1].index + 1 || ids[i].generation != ids[0].generation) return;
    if (count == 0) return;
    if (!self->generated) {
        note(self, json_object_set_new(self->json, "generated", json_array()));
        self->generated = json_object_get(self->json, "generated");
    }
    note(self,
         json_array_append_new(self->generated, json_pack("[i, I, I, i]", number, (json_int_t)ids[0].index,
                                                          (json_int_t)ids[0].generation, count)));
}

static json_t *walls_to_json(record *self, const scree_body_id *ids, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        note(self, json_array_append_new(list, id_to_json(ids[i].index, ids[i].generation)));
    return list;
}

void record_keep_walls(record *self, const scree_body_id *ids, int count) {
    note(self, json_array_append_new(self->lists[RECORD_WALLS], walls_to_json(self, ids, count)));
}

void record_keep_inlet(record *self, scree_flow_id id, uint64_t seed) {
    note(self, json_array_append_new(self->lists[RECORD_INLETS],
                                     json_pack("[I, I, I]", (json_int_t)id.index, (json_int_t)id.generation,
                                               (json_int_t)seed)));
}

void record_keep_stage(record *self, int stage, double time) {
    if (self->stage == stage && self->stage_time == time) return;
    self->stage = stage;
    self->stage_time = time;
    note(self, json_object_set_new(self->json, "stage", json_integer(stage)) ||
                   json_object_set_new(self->json, "stage_time", json_real(time)));
}

void record_keep_end(record *self, json_t *until) {
    if (until) note(self, json_object_set(self->json, "ended", until));
    self->ended = until;
}

void record_replace_body(record *self, int index, scree_body_id id) {
    note(self,
         json_array_set_new(self->lists[RECORD_BODIES], (size_t)index, id_to_json(id.index, id.generation)));
}

void record_replace_walls(record *self, int index, const scree_body_id *ids, int count) {
    note(self, json_array_set_new(self->lists[RECORD_WALLS], (size_t)index, walls_to_json(self, ids, count)));
}

scree_material_id record_material(const record *self, const char *name) {
    const json_t *id = json_object_get(self->materials, name);
    return (scree_material_id){id_number(id, 0), id_number(id, 1), id ? self->world : 0};
}

#define LOOK_UP(TYPE, LIST)                                                                                  \
    const json_t *id = json_array_get(self->lists[LIST], (size_t)index);                                     \
    return (TYPE) { id_number(id, 0), id_number(id, 1), id ? self->world : 0 }

scree_body_id record_body(const record *self, int index) { LOOK_UP(scree_body_id, RECORD_BODIES); }
scree_kinematic_group_id record_kinematic_group(const record *self, int index) {
    LOOK_UP(scree_kinematic_group_id, RECORD_GROUPS);
}
scree_flow_id record_inlet(const record *self, int index) { LOOK_UP(scree_flow_id, RECORD_INLETS); }
scree_flow_id record_outlet(const record *self, int index) { LOOK_UP(scree_flow_id, RECORD_OUTLETS); }

int record_walls(const record *self, int index, scree_body_id out[CONTAINER_WALLS_MOST]) {
    const json_t *list = json_array_get(self->lists[RECORD_WALLS], (size_t)index);
    int count = 0;
    for (; count < CONTAINER_WALLS_MOST && (size_t)count < json_array_size(list); count++) {
        const json_t *id = json_array_get(list, (size_t)count);
        out[count] = (scree_body_id){id_number(id, 0), id_number(id, 1), self->world};
    }
    return count;
}

int record_size(const record *self, record_list list) { return (int)json_array_size(self->lists[list]); }

int members_most(const scene_members *of) {
    return of->body_count + CONTAINER_WALLS_MOST * of->container_count;
}

int record_members(const record *self, const scene_members *of, scree_body_id *out) {
    int count = 0, present = 0;
    for (int i = 0; i < of->body_count; i++) out[count++] = record_body(self, of->bodies[i]);
    for (int i = 0; i < of->container_count; i++) count += record_walls(self, of->containers[i], out + count);
    for (int i = 0; i < count; i++)
        if (out[i].index) out[present++] = out[i];
    return present;
}

uint64_t record_inlet_seed(const record *self, int index, uint64_t unknown) {
    const json_t *seed = json_array_get(json_array_get(self->lists[RECORD_INLETS], (size_t)index), 2);
    return json_is_integer(seed) ? (uint64_t)json_integer_value(seed) : unknown;
}

/* Returns the id of the living body with this index, or null. */
static scree_body_id living(const scree_world *world, uint32_t index) {
    const int count = scree_body_count(world);
    SCOPED scree_body_id *all = memory_allocate((size_t)count, sizeof *all);
    if (all) scree_body_list(world, all, count);
    for (int i = 0; i < count && all; i++)
        if (all[i].index == index) return all[i];
    return (scree_body_id){0};
}

static bool same_id(scree_body_id a, scree_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

static bool find_listed(const record *kept, scree_body_id id, char *out, size_t size) {
    for (int i = 0; i < record_size(kept, RECORD_BODIES); i++)
        if (same_id(record_body(kept, i), id)) return snprintf(out, size, "bodies[%d]", i) > 0;
    for (int i = 0; i < record_size(kept, RECORD_WALLS); i++) {
        scree_body_id walls[CONTAINER_WALLS_MOST];
        const int count = record_walls(kept, i, walls);
        for (int k = 0; k < count; k++)
            if (same_id(walls[k], id)) return snprintf(out, size, "containers[%d], wall %d", i, k) > 0;
    }
    return false;
}

static bool find_generated(const record *kept, scree_body_id id, char *out, size_t size) {
    for (size_t i = 0; i < json_array_size(kept->generated); i++) {
        const json_t *entry = json_array_get(kept->generated, i);
        const json_int_t first = json_integer_value(json_array_get(entry, 1)),
                         item = (json_int_t)id.index - first;
        if (item < 0 || item >= json_integer_value(json_array_get(entry, 3)) ||
            json_integer_value(json_array_get(entry, 2)) != (json_int_t)id.generation)
            continue;
        return snprintf(out, size, "generators[%d], item %lld",
                        (int)json_integer_value(json_array_get(entry, 0)), (long long)item) > 0;
    }
    return false;
}

bool scree_scene_get_body_path(const scree_world *world, uint32_t index, char *out, size_t size) {
    REQUIRE_ELSE(world, false);
    REQUIRE_ELSE(out, false);
    if (size > 0) out[0] = 0;
    const scree_body_id id = living(world, index);
    SCOPED_RECORD kept = {0};
    if (!id.index || record_read(world, &kept) != SCREE_OK) return false;
    return find_listed(&kept, id, out, size) || find_generated(&kept, id, out, size);
}
