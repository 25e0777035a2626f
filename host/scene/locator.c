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

static void skip_string(cursor *c) {
    for (c->at++; c->at < c->length && c->text[c->at] != '"'; c->at++)
        if (c->text[c->at] == '\\') c->at++;
    if (c->at < c->length) c->at++;
}

/* Counts brackets instead of recursing, so that deep nesting cannot overflow the stack. */
static void skip_value(cursor *c) {
    size_t depth = 0;
    do {
        const int character = peek(c);
        if (character == '"') {
            skip_string(c);
            continue;
        }
        if (character == '{' || character == '[') depth++;
        if (character == '}' || character == ']') depth--;
        c->at++;
        if (depth == 0 && character != '}' && character != ']')
            while (c->at < c->length && !strchr(",]} \t\r\n", c->text[c->at])) c->at++;
    } while (depth > 0 && c->at < c->length);
    if (c->at > c->length) c->at = c->length;
}

/* Returns whether the string token from `start` to `end`, quotes included, equals `key`. */
static bool spells(const char *start, const char *end, const char *key) {
    const size_t length = (size_t)(end - start);
    if (length < 2) return false;
    if (!memchr(start, '\\', length)) return length - 2 == strlen(key) && !memcmp(start + 1, key, length - 2);
    json_t *decoded = json_loadb(start, length, JSON_DECODE_ANY, NULL);
    const bool same = json_is_string(decoded) && !strcmp(json_string_value(decoded), key);
    json_decref(decoded);
    return same;
}

/* Moves from the start of an object to the value of a member; `key_at` gets the position of its key. */
static bool enter_member(cursor *c, const char *key, size_t *key_at) {
    if (peek(c) != '{') return false;
    c->at++;
    for (;;) {
        skip_space(c);
        if (peek(c) != '"') return false;
        const size_t start = c->at;
        skip_string(c);
        const size_t end = c->at;
        skip_space(c);
        if (peek(c) != ':') return false;
        c->at++;
        skip_space(c);
        if (spells(c->text + start, c->text + end, key)) {
            *key_at = start;
            return true;
        }
        skip_value(c);
        skip_space(c);
        if (peek(c) != ',') return false;
        c->at++;
    }
}

static bool enter_element(cursor *c, size_t index) {
    if (peek(c) != '[') return false;
    c->at++;
    skip_space(c);
    for (size_t i = 0; i < index; i++) {
        if (peek(c) == ']') return false;
        skip_value(c);
        skip_space(c);
        if (peek(c) != ',') return false;
        c->at++;
        skip_space(c);
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
    const bool found =
        node->key ? enter_member(&inside, node->key, &key) : enter_element(&inside, node->index);
    if (!found) {
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
