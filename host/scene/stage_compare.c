/* Compares two versions of a scene key by key. Accepts changes that are possible in a running world and
 * refuses all others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stage.h"

enum { VALUE = 72 };

/* Handles a difference. `before` is NULL if the key is new; now->value is NULL if the key is gone. */
typedef void verdict(stage *s, const scene_node *now, json_t *before);

/* Keeps the message of a refusal: one that --add cannot lift in preference to one that it can (`addable`), so
 * that the message never suggests --add in vain. */
static void refuse(stage *s, bool addable, scree_result failed) {
    (void)failed; /* only its message matters */
    if (!s->refusals || (!addable && s->refusals == s->additions))
        snprintf(s->first, sizeof s->first, "%s", scree_error_get_message());
    s->refusals++;
    s->additions += addable;
}

/* Two values as JSON text, or "not given". */
typedef struct value_pair {
    char old[VALUE], new[VALUE];
} value_pair;

static char *text_of(const json_t *value) {
    return value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9)) : NULL;
}

/* Copies the text from byte `first` on, which must not be inside a UTF-8 character, truncated to a fixed
 * width. */
static void cut_text(const char *text, size_t first, char out[VALUE]) {
    enum { WIDTH = 40 };
    if (!text) text = "not given";
    snprintf(out, VALUE, "%s%.40s%s", first > 0 ? "… " : "", text + first,
             strlen(text + first) > WIDTH ? " …" : "");
}

/* Formats both values; long ones start shortly before the first difference. */
static value_pair value_texts(const json_t *old, const json_t *new) {
    enum { BEFORE = 16, SHORT = 40 };
    value_pair out;
    char *a = text_of(old), *b = text_of(new);
    size_t first = 0;
    while (a && b && a[first] && a[first] == b[first]) first++;
    first = first > BEFORE && a && b && (strlen(a) > SHORT || strlen(b) > SHORT) ? first - BEFORE : 0;
    while (first > 0 && ((unsigned char)a[first] & 0xC0) == 0x80) first--;
    cut_text(a, first, out.old);
    cut_text(b, first, out.new);
    free(a);
    free(b);
    return out;
}

static void take(stage *s, const scene_node *now, json_t *before) {
    char path[NODE_PATH], message_text[STAGE_MESSAGE];
    if (!s->reporting || !s->def->tell) return;
    const value_pair texts = value_texts(before, now->value);
    snprintf(message_text, sizeof message_text, "%s: %s, now %s", node_path(now, path), texts.old, texts.new);
    s->def->tell(s->def->context, message_text);
}

enum { PLACE = 128 };

/* Names the source of the old values. */
static const char *former_place(const stage *s, char out[PLACE]) {
    if (s->enters < 0)
        snprintf(out, PLACE, "the scene of the checkpoint (%.80s)", s->kept.name);
    else
        snprintf(out, PLACE, "stages[%d]", s->enters - 1);
    return out;
}

/* The period over which a refused change would take place. */
static const char *since(const stage *s) { return s->enters < 0 ? "since the checkpoint" : "between stages"; }

static void keep_out(stage *s, const scene_node *now, json_t *before) {
    char place[PLACE];
    const value_pair texts = value_texts(before, now->value);
    refuse(s, false,
           node_fail(now, "%s, but %s in %s: cannot change %s", texts.new, texts.old, former_place(s, place),
                     since(s)));
}

/* Returns whether two values are equal: 1 equals 1.0, and descriptions are ignored. */
static bool same(const json_t *a, const json_t *b) {
    if (json_is_number(a) && json_is_number(b)) return json_number_value(a) == json_number_value(b);
    return a && b && json_equal(a, b);
}

static bool is_description(const char *key, const json_t *value) {
    return !strcmp(key, "description") && json_is_string(value);
}

static bool alike_arrays(const json_t *a, const json_t *b) {
    return json_is_array(a) && json_is_array(b) && json_array_size(a) == json_array_size(b) &&
           json_is_object(json_array_get(a, 0));
}

/* Refuses a file whose name is unchanged but whose content differs. */
static void compare_file(stage *s, const scene_node *now) {
    char name[NODE_TEXT], place[PLACE];
    const char *key = json_string_value(now->value);
    const json_t *old = json_object_get(s->kept.files, key), *new = json_object_get(s->now->files, key);
    if (old && new && !json_equal(old, new))
        refuse(s, false,
               node_fail(now, "content of %s differs from that in %s: cannot change %s",
                         node_describe(now, name), former_place(s, place), since(s)));
}

/* Calls `found` for the deepest keys that differ; arrays of numbers are compared as a whole. */
static void compare(stage *s, const scene_node *now, json_t *before, verdict *found) {
    const char *key;
    json_t *value;
    if (!now->value && !before) return;
    if (json_is_object(now->value) && json_is_object(before)) {
        json_object_foreach(now->value, key, value) {
            const scene_node member = node_member(now, key);
            if (!is_description(key, value)) compare(s, &member, json_object_get(before, key), found);
        }
        json_object_foreach(before, key, value) {
            const scene_node member = node_member(now, key);
            if (!member.value && !is_description(key, value)) found(s, &member, value);
        }
    } else if (alike_arrays(now->value, before)) {
        for (size_t i = 0; i < json_array_size(before); i++) {
            const scene_node element = node_element(now, i);
            compare(s, &element, json_array_get(before, i), found);
        }
    } else if (json_is_array(now->value) && json_is_array(before) &&
               json_array_size(now->value) == json_array_size(before)) {
        for (size_t i = 0; i < json_array_size(before); i++)
            if (!same(json_array_get(now->value, i), json_array_get(before, i))) {
                found(s, now, before);
                return;
            }
    } else if (!same(now->value, before)) {
        found(s, now, before);
    } else if (now->key && !strcmp(now->key, "file") && json_is_string(now->value)) {
        compare_file(s, now);
    }
}

/* Compares named shapes that exist in both scenes. New shapes and removed unused ones do not matter. */
static void compare_shapes(stage *s, const scene_node *now, json_t *before) {
    const char *name;
    json_t *value;
    json_object_foreach(before, name, value) {
        const scene_node member = node_member(now, name);
        if (member.value) compare(s, &member, value, keep_out);
    }
}

/* Returns NULL if the scene has no material of that name. */
static const scree_material_def *material_named(const scree_scene *scene, const char *name) {
    for (int i = 0; i < scene->material_count; i++)
        if (!strcmp(scene->materials[i].name, name)) return &scene->materials[i].def;
    return NULL;
}

/* Finds the density of a material of any earlier stage: the world keeps all of them. */
static bool find_density(const stage *s, const char *name, float *out) {
    if (s->world) {
        scree_material_def old;
        const scree_material_id id = record_material(&s->kept, name);
        if (!id.index || scree_material_get_def(s->world, id, &old) != SCREE_OK) return false;
        *out = old.density;
        return true;
    }
    const scree_material_def *found = NULL;
    for (int i = s->enters - 1; i >= 0 && !found; --i)
        found = material_named(scene_at_stage(s->scene, i), name);
    if (found) *out = found->density;
    return found;
}

/* Densities cannot change, because they determined the masses. Friction and the like can, because each step
 * looks them up. */
static void compare_densities(stage *s, const scene_node *materials) {
    const scene_node fallback = node_member(materials, "default");
    if (s->now->world.material.density != s->before->world.material.density) {
        const scene_node density = node_member(&fallback, "density");
        keep_out(s, &density,
                 json_object_get(json_object_get(json_object_get(s->kept.scene, "materials"), "default"),
                                 "density"));
    }
    for (int i = 0; i < s->now->material_count; i++) {
        const char *name = s->now->materials[i].name;
        const scene_node material = node_member(materials, name), density = node_member(&material, "density");
        const float now = s->now->materials[i].def.density;
        float old = now;
        if (!find_density(s, name, &old) || old == now) continue;
        json_t *was = json_real((double)old);
        keep_out(s, &density, was);
        json_decref(was);
    }
}

static bool is_still(const scene_body *body) { return body->def.type != SCREE_BODY_DYNAMIC; }

/* How a key may change. */
typedef enum change {
    FIXED,
    TAKEN,
    TAKEN_WHOLE, /* reported as one change */
    OF_STILL,    /* taken for a static or kinematic body, */
    OF_DYNAMIC,  /* and for a dynamic body, if it is one in both scenes */
    ABSENCE
} change;

/* Keys of entries of lists, and of the scene besides lists (SCENE_LISTS); others are TAKEN in inlets, outlets
 * and measurements, and else FIXED. The columns of a measurement's file are fixed, and so are the keys that
 * determine their names and number. */
static const struct {
    scene_list list;
    change change;
    const char *keys[9];
} rules[] = {
    {SCENE_CONTAINERS, ABSENCE, {"absent"}},
    {SCENE_BODIES, ABSENCE, {"absent"}},
    {SCENE_BODIES, OF_STILL, {"linear_velocity", "angular_velocity", "surface_velocity", "type"}},
    {SCENE_BODIES, OF_DYNAMIC, {"force", "torque", "locks", "gravity_scale", "servo"}},
    {SCENE_GROUPS, TAKEN_WHOLE, {"motions"}},
    {SCENE_MEASUREMENTS, FIXED, {"kind", "name", "cells", "classes"}},
    {SCENE_LISTS,
     TAKEN,
     {"gravity", "time_step", "solver", "backend", "run", "outputs", "materials", "material_pairs"}},
    {SCENE_LISTS, TAKEN_WHOLE, {"gravity_schedule"}},
};

static change change_of(scene_list list, const char *key) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (const char *const *known = rules[i].keys; rules[i].list == list && *known; known++)
            if (!strcmp(*known, key)) return rules[i].change;
    return list == SCENE_INLETS || list == SCENE_OUTLETS || list == SCENE_MEASUREMENTS ? TAKEN : FIXED;
}

/* An object that reappears must not be in a kinematic group. */
static void compare_absence(stage *s, const scene_node *now, json_t *before, scene_list list, size_t index) {
    const int group =
        list == SCENE_BODIES ? s->now->bodies[index].kinematic : s->now->containers[index].kinematic;
    if (json_is_true(now->value) == json_is_true(before)) return;
    if (group != KINEMATIC_GROUP_NONE && !json_is_true(now->value)) {
        refuse(s, false,
               node_fail(
                   now,
                   "it is in kinematic_groups[%d]: an object that reappears must not be in a kinematic group",
                   group));
        return;
    }
    take(s, now, before);
    s->presence_changed[list][index] = true;
}

static void compare_member(stage *s, const scene_node *now, json_t *before, scene_list list, size_t index) {
    change how = change_of(list, now->key);
    if (how == ABSENCE) {
        compare_absence(s, now, before, list, index);
        return;
    }
    if (how == OF_STILL || how == OF_DYNAMIC) {
        const bool still = is_still(&s->now->bodies[index]);
        how = still == (how == OF_STILL) && still == is_still(&s->before->bodies[index]) ? TAKEN : FIXED;
    }
    const bool differs = !json_equal(now->value, before);
    s->differs[list][index] |= differs && how != FIXED;
    if (how != TAKEN_WHOLE)
        compare(s, now, before, how == TAKEN ? take : keep_out); /* also the content of files */
    else if (differs)
        take(s, now, before);
}

static void compare_entry(stage *s, const scene_node *now, json_t *before, scene_list list, size_t index) {
    const char *key;
    json_t *value;
    json_object_foreach(now->value, key, value) {
        const scene_node member = node_member(now, key);
        if (!is_description(key, value))
            compare_member(s, &member, json_object_get(before, key), list, index);
    }
    json_object_foreach(before, key, value) {
        const scene_node member = node_member(now, key);
        if (!member.value && !is_description(key, value)) compare_member(s, &member, value, list, index);
    }
}

/* Lists may grow only at their ends. */
static void compare_list(stage *s, const scene_node *now, json_t *before, scene_list list) {
    const size_t count = json_array_size(now->value), built = json_array_size(before);
    char place[PLACE];
    if (count < built) {
        refuse(s, false,
               node_fail(now, "%zu entries, but %zu in %s: objects that were built cannot be removed", count,
                         built, former_place(s, place)));
        return;
    }
    for (size_t i = 0; i < built; i++) {
        const scene_node element = node_element(now, i);
        compare_entry(s, &element, json_array_get(before, i), list, i);
    }
    for (size_t i = built; i < count; i++) {
        const scene_node element = node_element(now, i);
        if (s->def->add)
            take(s, &element, NULL);
        else
            refuse(
                s, true,
                node_fail(&element, "new since the checkpoint (%.80s): use --add to add it", s->kept.name));
    }
}

/* A new kinematic group moves containers that are added with it, or existing bodies. */
static void compare_members(stage *s, const scene_node *kinematic, const scene_kinematic_group *of) {
    const scene_node containers = node_member(kinematic, "containers");
    for (int i = 0; i < of->members.container_count; i++) {
        const scene_node entry = node_element(&containers, (size_t)i);
        if (of->members.containers[i] < s->before->container_count)
            refuse(s, false,
                   node_fail(&entry, "containers[%d] was built in an earlier stage and cannot move",
                             of->members.containers[i]));
    }
}

static void compare_new_groups(stage *s, const scene_node *now) {
    for (int i = s->before->kinematic_group_count; i < s->now->kinematic_group_count; i++) {
        const scene_node kinematic = node_element(now, (size_t)i);
        compare_members(s, &kinematic, &s->now->kinematic_groups[i]);
    }
}

static void compare_key(stage *s, const char *key) {
    const scene_node root = {.source = &s->source, .value = s->now->root}, now = node_member(&root, key);
    json_t *before = json_object_get(s->kept.scene, key);
    const change how = change_of(SCENE_LISTS, key);
    scene_list list = 0;
    while (list < SCENE_LISTS && strcmp(scene_list_keys[list], key) != 0) list++;
    if (list < SCENE_LISTS && list != SCENE_JOINTS)
        compare_list(s, &now, before, list);
    else if (!strcmp(key, "shapes"))
        compare_shapes(s, &now, before);
    else if (how != TAKEN_WHOLE)
        compare(s, &now, before, how == TAKEN ? take : keep_out);
    else if (!json_equal(now.value, before))
        take(s, &now, before);
    if (list == SCENE_GROUPS) compare_new_groups(s, &now);
    if (!strcmp(key, "materials")) compare_densities(s, &now);
    if (!strcmp(key, "gravity_schedule")) s->rescheduled = !json_equal(now.value, before);
}

scree_result stage_compare(stage *s) {
    const char *key;
    json_t *value;
    s->source = s->now->source;
    s->source.inherits = s->enters < 0;
    json_object_foreach(s->now->root, key, value) if (!is_description(key, value)) compare_key(s, key);
    json_object_foreach(s->kept.scene, key, value) {
        if (!json_object_get(s->now->root, key) && !is_description(key, value)) compare_key(s, key);
    }
    if (!s->refusals) return SCREE_OK;
    if (s->refusals == 1) return fail(SCREE_ERROR_FORMAT, "%s", s->first);
    return fail(SCREE_ERROR_FORMAT, "%s; and %d more", s->first, s->refusals - 1);
}

scree_result stage_reserve(stage *s) {
    for (int list = 0; list < SCENE_LISTS; list++) {
        const size_t count = json_array_size(json_object_get(s->now->root, scene_list_keys[list])) +
                             json_array_size(json_object_get(s->kept.scene, scene_list_keys[list]));
        s->differs[list] = memory_allocate(count, sizeof *s->differs[list]);
        s->presence_changed[list] = memory_allocate(count, sizeof *s->presence_changed[list]);
        if (!s->differs[list] || !s->presence_changed[list])
            return fail(SCREE_ERROR_MEMORY, "out of memory for a stage");
    }
    return SCREE_OK;
}

void stage_release(stage *s) {
    for (int list = 0; list < SCENE_LISTS; list++) {
        memory_release(s->differs[list]);
        memory_release(s->presence_changed[list]);
    }
}
