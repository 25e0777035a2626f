#include "source_position.h"

#include <stdio.h>

static bool enter(origin_trail *t, const char *key, size_t index) {
    const scene_node *from = &t->nodes[t->count - 1],
                     next = key ? node_member(from, key) : node_element(from, index);
    if (!next.value || t->count == ORIGIN_DEPTH) return false;
    t->nodes[t->count++] = next;
    return true;
}

/* Enters an entry of a list: of a list that the stage sets, of an existing entry that it changes by index, or
 * of one that it adds. */
static bool enter_entry(origin_trail *t, size_t index, const json_t *before) {
    const size_t built = json_array_size(before);
    char *place = t->indices[t->count];
    if (json_is_array(t->nodes[t->count - 1].value)) return enter(t, NULL, index);
    snprintf(place, sizeof t->indices[0], "%zu", index);
    return index < built ? enter(t, place, 0) : enter(t, "add", 0) && enter(t, NULL, index - built);
}

/* Follows the path down the stage's changes; `before` follows the same path down the scene that the stage
 * changes. */
static void follow(origin_trail *t, const scene_node *node, const json_t **before) {
    if (!node->parent) return;
    follow(t, node->parent, before);
    if (!t->whole) return;
    t->whole = node->key ? enter(t, node->key, 0) : enter_entry(t, node->index, *before);
    *before = node->key ? json_object_get(*before, node->key) : json_array_get(*before, node->index);
}

/* Follows the path down a stage's changes, as far as they go. */
static void follow_stage(origin_trail *trail, const scene_node *node, const struct stage_origin *stage) {
    const json_t *before = stage->before;
    trail->whole = true;
    trail->nodes[0] = (scene_node){stage->file, NULL, NULL, NULL, 0};
    trail->nodes[1] = (scene_node){stage->file, NULL, &trail->nodes[0], "stages", 0};
    trail->nodes[2] = (scene_node){stage->file, stage->patch, &trail->nodes[1], NULL, (size_t)stage->index};
    trail->count = 3;
    follow(trail, node, &before);
}

/* Follows the same path in the file outside its stages. */
static void follow_file(origin_trail *trail, const scene_node *node, const scene_source *file) {
    if (node->parent) follow_file(trail, node->parent, file);
    if (trail->count == ORIGIN_DEPTH) return;
    const scene_node *parent = trail->count ? &trail->nodes[trail->count - 1] : NULL;
    trail->nodes[trail->count++] = (scene_node){file, NULL, parent, node->key, node->index};
}

const scene_node *origin_find(const scene_node *node, origin_trail *trail) {
    const struct stage_origin *stage = node->source->stage;
    trail->whole = true;
    if (!stage) return node;
    follow_stage(trail, node, stage);
    while (node->source->inherits && stage->earlier && !trail->whole)
        follow_stage(trail, node, stage = stage->earlier);
    if (stage->index || (trail->whole && node->parent)) return &trail->nodes[trail->count - 1];
    trail->whole = true;
    if (node->source == stage->file) return node;
    trail->count = 0;
    follow_file(trail, node, stage->file);
    return &trail->nodes[trail->count - 1];
}
