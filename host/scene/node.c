#include "node.h"

#include "base/edit_distance.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

scene_node node_member(const scene_node *object, const char *key) {
    return (scene_node){object->source, object->value ? json_object_get(object->value, key) : NULL, object,
                        key, 0};
}

scene_node node_element(const scene_node *array, size_t index) {
    return (scene_node){array->source, array->value ? json_array_get(array->value, index) : NULL, array, NULL,
                        index};
}

enum { PLACE_TEXT = 1792, MESSAGE_TEXT = 2048 };

void path_append(char *path, size_t size, const char *key, size_t index) {
    const size_t used = strlen(path);
    if (key)
        snprintf(path + used, size - used, "%s%.80s", used ? "." : "", key);
    else
        snprintf(path + used, size - used, "[%zu]", index);
}

static void append_path(const scene_node *node, char *out, size_t size) {
    if (!node->parent) return;
    append_path(node->parent, out, size);
    path_append(out, size, node->key, node->index);
}

const char *node_path(const scene_node *node, char out[NODE_PATH]) {
    out[0] = 0;
    append_path(node, out, NODE_PATH);
    return out;
}

/* Returns the place of the values of a number that varies, if `path` is that of one, and extends it. */
static bool locate_varied(const scene_source *source, char path[NODE_PATH], text_place *place) {
    if (!source->varied || !json_object_get(source->varied, path)) return false;
    const scene_node root = {source, NULL, NULL, NULL, 0}, worlds = {source, NULL, &root, "worlds", 0},
                     vary = {source, NULL, &worlds, "vary", 0}, entry = {source, NULL, &vary, path, 0};
    char own[NODE_PATH];
    *place = locate(&entry, true);
    snprintf(path, NODE_PATH, "%s", node_path(&entry, own));
    return true;
}

static void describe_place(const scene_node *node, bool key, char out[PLACE_TEXT]) {
    char path[NODE_PATH], rest[NODE_PATH] = "";
    origin_trail trail;
    const scene_node *found = origin_find(node, &trail);
    node_path(found, path);
    if (!trail.whole) node_path(node, rest);
    text_place place;
    if (!locate_varied(found->source, path, &place)) place = locate(found, key);
    snprintf(out, PLACE_TEXT, "%.512s:%zu:%zu%s%s%s%s", node->source->name, place.line, place.column,
             *path ? ": " : "", path, *rest ? ": " : "", rest);
}

scree_result node_fail_at(const scene_node *node, bool key, const char *format, ...) {
    char place[PLACE_TEXT], message_text[MESSAGE_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message_text, sizeof message_text, format, arguments);
    va_end(arguments);
    describe_place(node, key, place);
    return fail(SCREE_ERROR_FORMAT, "%s: %s", place, message_text);
}

scree_result node_fail_prefix(const scene_node *node, scree_result result) {
    char place[PLACE_TEXT];
    if (result == SCREE_OK) return SCREE_OK;
    describe_place(node, false, place);
    return fail_prefix(result == SCREE_ERROR_ARGUMENT ? SCREE_ERROR_FORMAT : result, "%s", place);
}

const char *node_describe(const scene_node *node, char out[NODE_TEXT]) {
    const json_t *value = node->value;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        snprintf(out, NODE_TEXT, "an object");
        break;
    case JSON_ARRAY:
        snprintf(out, NODE_TEXT, "an array of %zu", json_array_size(value));
        break;
    case JSON_STRING:
        snprintf(out, NODE_TEXT, "the string \"%.40s\"%s", json_string_value(value),
                 json_string_length(value) > 40 ? "…" : "");
        break;
    case JSON_INTEGER:
        snprintf(out, NODE_TEXT, "%lld", (long long)json_integer_value(value));
        break;
    case JSON_REAL:
        snprintf(out, NODE_TEXT, "%.9g", json_real_value(value));
        break;
    case JSON_TRUE:
        snprintf(out, NODE_TEXT, "true");
        break;
    case JSON_FALSE:
        snprintf(out, NODE_TEXT, "false");
        break;
    default:
        snprintf(out, NODE_TEXT, "null");
        break;
    }
    return out;
}

/* Returns whether `word` is one of the underscore-separated words of `name`. */
static bool has_word(const char *name, const char *word) {
    const size_t length = strlen(word);
    const char *at = strstr(name, word);
    return at && (at == name || at[-1] == '_') && (!at[length] || at[length] == '_');
}

const char *node_suggest(const char *word, const char *const *names, int count, char out[SUGGESTION_TEXT]) {
    out[0] = '\0';
    const size_t length = strlen(word);
    if (length > EDIT_DISTANCE_WORD) return out;
    /* Tolerated edits: one in words below five letters, two below nine, otherwise a third of the length. */
    int best = 1 + (length < 5 ? 1 : length < 9 ? 2 : (int)length / 3);
    for (int i = 0; i < count; i++) {
        if (!names[i] || strlen(names[i]) > EDIT_DISTANCE_WORD) continue;
        const int distance = edit_distance(word, names[i]);
        if (distance >= best) continue;
        best = distance;
        snprintf(out, SUGGESTION_TEXT, "; did you mean \"%s\"?", names[i]);
    }
    for (int i = 0; i < count && length >= 4 && !out[0]; i++)
        if (names[i] && has_word(names[i], word))
            snprintf(out, SUGGESTION_TEXT, "; did you mean \"%s\"?", names[i]);
    return out;
}
