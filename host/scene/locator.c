/* Finds lines and columns. Jansson keeps no positions, so the text is scanned again after an error. */
#include "node.h"

#include <stdio.h>
#include <string.h>

typedef struct cursor {
    const char *text;
    size_t length, at;
} cursor;

static int peek(const cursor *c) { return c->at < c->length ? (unsigned char)c->text[c->at] : -1; }

static void skip_space(cursor *c) {
    while (peek(c) == ' ' || peek(c) == '\t' || peek(c) == '\r' || peek(c) == '\n') c->at++;
}

/* Skips a value and the spaces after it. Returns whether it is the string `key`. */
static bool skip_value(cursor *c, const char *key) {
    json_error_t end;
    json_t *value = json_loadb(c->text + c->at, c->length - c->at,
                               JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, &end);
    const bool same = json_is_string(value) && !strcmp(json_string_value(value), key);
    c->at = value ? c->at + (size_t)end.position : c->length;
    json_decref(value);
    skip_space(c);
    return same;
}

/* Skips a character and the spaces after it if it is next; returns whether it was. */
static bool pass(cursor *c, char character) {
    if (peek(c) != character) return false;
    c->at++;
    skip_space(c);
    return true;
}

/* Moves from the start of an object to the value of a member; `key_at` gets the position of its key. */
static bool enter_member(cursor *c, const char *key, size_t *key_at) {
    if (!pass(c, '{')) return false;
    do {
        const size_t start = c->at;
        if (peek(c) != '"') return false;
        const bool found = skip_value(c, key);
        if (!pass(c, ':')) return false;
        if (found) {
            *key_at = start;
            return true;
        }
        skip_value(c, "");
    } while (pass(c, ','));
    return false;
}

static bool enter_element(cursor *c, size_t index) {
    if (!pass(c, '[')) return false;
    for (size_t i = 0; i < index; i++) {
        if (peek(c) == ']') return false;
        skip_value(c, "");
        if (!pass(c, ',')) return false;
    }
    return peek(c) != ']';
}

/* Moves the cursor to the node's value and returns true. If the text does not contain it, moves to its
 * deepest parent in the text and returns false. */
static bool enter(cursor *c, const scene_node *node, size_t *key_at) {
    if (!node->parent) {
        skip_space(c);
        *key_at = c->at;
        return true;
    }
    if (!enter(c, node->parent, key_at)) return false;
    cursor inside = *c;
    size_t key = *key_at;
    if (!(node->key ? enter_member(&inside, node->key, &key) : enter_element(&inside, node->index))) {
        *key_at = c->at;
        return false;
    }
    *c = inside;
    *key_at = node->key ? key : inside.at;
    return true;
}

static text_place place_of(const char *text, size_t target) {
    text_place place = {1, 1};
    for (size_t i = 0; i < target; i++) {
        if (text[i] == '\n')
            place = (text_place){place.line + 1, 1};
        else if ((text[i] & 0xc0) != 0x80) /* not a continuation byte of UTF-8 */
            place.column++;
    }
    return place;
}

text_place locate(const scene_node *node, bool key) {
    cursor c = {node->source->text, node->source->length, 0};
    size_t key_at = 0;
    enter(&c, node, &key_at);
    const size_t target = key ? key_at : c.at;
    return place_of(c.text, target < c.length ? target : c.length);
}

/* Moves from the start of an object to its member whose key or value contains the byte before `end`. Returns
 * whether that is the key. */
static bool enter_member_at(cursor *c, size_t end, size_t *key_at, char *path, size_t size) {
    for (bool more = true; more; more = pass(c, ',')) {
        const size_t start = c->at;
        json_t *key =
            json_loadb(c->text + start, c->length - start, JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, NULL);
        skip_value(c, "");
        const bool is_key = c->at >= end;
        pass(c, ':');
        cursor value = *c;
        skip_value(&value, "");
        if (value.at >= end) path_append(path, size, key ? json_string_value(key) : "", 0);
        json_decref(key);
        *key_at = start;
        if (value.at >= end) return is_key;
        *c = value;
    }
    return true;
}

/* Moves from the start of an array to its element that contains the byte before `end`. */
static void enter_element_at(cursor *c, size_t end, char *path, size_t size) {
    for (size_t index = 0;; index++) {
        cursor value = *c;
        skip_value(&value, "");
        if (value.at >= end || value.at >= c->length || value.text[value.at] != ',') {
            path_append(path, size, NULL, index);
            return;
        }
        *c = value;
        pass(c, ',');
    }
}

text_place locate_key(const scene_source *source, size_t end, char *out, size_t size) {
    cursor c = {source->text, source->length, 0};
    size_t key_at = 0;
    out[0] = 0;
    skip_space(&c);
    for (bool found = false; !found && c.at < end;) {
        if (pass(&c, '{'))
            found = enter_member_at(&c, end, &key_at, out, size);
        else if (pass(&c, '['))
            enter_element_at(&c, end, out, size);
        else
            break;
    }
    return place_of(source->text, key_at);
}

static bool enter_origin(origin_trail *t, const char *key, size_t index) {
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
    if (json_is_array(t->nodes[t->count - 1].value)) return enter_origin(t, NULL, index);
    snprintf(place, sizeof t->indices[0], "%zu", index);
    return index < built ? enter_origin(t, place, 0)
                         : enter_origin(t, "add", 0) && enter_origin(t, NULL, index - built);
}

/* Follows the path down the stage's changes; `before` follows the same path down the scene that the stage
 * changes. */
static void follow(origin_trail *t, const scene_node *node, const json_t **before) {
    if (!node->parent) return;
    follow(t, node->parent, before);
    if (!t->whole) return;
    t->whole = node->key ? enter_origin(t, node->key, 0) : enter_entry(t, node->index, *before);
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
