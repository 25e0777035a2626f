/* A place in a scene file: a JSON value with the way to it, so that every error can name file, line, column
 * and key path. */
#ifndef SCREE_SCENE_NODE_H
#define SCREE_SCENE_NODE_H

#include <jansson.h>

#include "base/error.h"

struct stage_origin;

/* The text that a scene was read from. */
typedef struct scene_source {
    char *name;
    char *text; /* valid JSON once parsed */
    size_t length;
    const char *folder; /* a name, of whose folder files in the text are seen from; null: `name` */
    const struct stage_origin *stage; /* whose changes the scene has; null: none. A later one has no text */
    bool inherits; /* whether what the stage leaves alone is told where an earlier stage or the scene says it;
                      else it is the stage that is told */
} scene_source;

/* The root has no parent; a member of an object has a key, an element of an array an index. Nodes live on the
 * stack and point upwards. `value` is borrowed, and null where only the place is wanted. */
typedef struct scene_node {
    const scene_source *source;
    json_t *value;
    const struct scene_node *parent;
    const char *key;
    size_t index;
} scene_node;

/* Line and column, from 1; columns count code points. */
typedef struct text_place {
    size_t line, column;
} text_place;

/* Where a node's value (or, with `key`, its key) stands. A node that the text does not have stands where its
 * nearest parent does. */
text_place locate(const scene_node *node, bool key);

scene_node node_member(const scene_node *object, const char *key);
scene_node node_element(const scene_node *array, size_t index);

/* SCREE_ERROR_FORMAT with "file:line:column: key.path[3]: sentence", at the value or at the key. */
scree_result node_fail(const scene_node *node, const char *format, ...) __attribute__((format(printf, 2, 3)));
scree_result node_key_fail(const scene_node *node, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Puts the node's place before the sentence of the last fail(); an ARGUMENT becomes FORMAT, since the file is
 * at fault. */
scree_result node_fail_prefix(const scene_node *node, scree_result result);

/* Room for what node_path writes. */
enum { NODE_PATH = 512 };
/* The way to the node: `bodies[3].mass`. Returns `out`. */
const char *node_path(const scene_node *node, char out[NODE_PATH]);

/* Room for what node_describe writes. */
enum { NODE_TEXT = 96 };
/* The value in a few words: `-1`, `the string "x"`, `an array of 2`. Returns `out`. */
const char *node_describe(const scene_node *node, char out[NODE_TEXT]);

/* Room for what node_suggest writes. */
enum { SUGGESTION_TEXT = 96 };
/* `; did you mean "friction"?` where one of `count` names (null ones are skipped) is near to `word`, or has
 * it among its words, else the empty string. Returns `out`. */
const char *node_suggest(const char *word, const char *const *names, int count, char out[SUGGESTION_TEXT]);

#endif
