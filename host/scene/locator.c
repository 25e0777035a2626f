/* Finds lines and columns. Jansson keeps no positions, so the text is scanned again after an error. */
#include "node.h"

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

text_place locate(const scene_node *node, bool key) {
    cursor c = {node->source->text, node->source->length, 0};
    size_t key_at = 0;
    enter(&c, node, &key_at);
    const size_t target = key ? key_at : c.at;
    text_place place = {1, 1};
    for (size_t i = 0; i < target && i < c.length; i++) {
        if (c.text[i] == '\n')
            place = (text_place){place.line + 1, 1};
        else if ((c.text[i] & 0xc0) != 0x80) /* not a continuation byte of UTF-8 */
            place.column++;
    }
    return place;
}
