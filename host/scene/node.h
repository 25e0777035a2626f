/* A place in a scene file: a JSON value with its path, so that every error can name file, line, column and
 * key path. */
#pragma once

#include <jansson.h>

#include "base/error.h"

struct stage_origin;
struct scene_reader;

/* The text of a scene. */
typedef struct scene_source {
    char *name;
    char *text; /* valid JSON once parsed */
    size_t length;
    const char *folder; /* the name of a file in the folder that relative paths start from; NULL: `name` */
    const struct stage_origin
        *stage; /* the stage whose changes the scene contains; NULL: none. Later stages have no text */
    const json_t *varied;        /* the values of a world, by their paths; NULL: those of the text */
    struct scene_reader *reader; /* of the readers of fields; NULL while nothing is read */
    bool inherits; /* where a key that the stage does not change is located: at the earlier stage or scene
                      that sets it (true), or at the stage itself (false) */
} scene_source;

/* The root has no parent; a member of an object has a key, an element of an array an index. Nodes live on the
 * stack and point to their parents. `value` is borrowed, and NULL if only the place matters. */
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

/* Returns the place of a node's value or, with `key`, of its key. A node that is not in the text is located
 * at its nearest parent. */
text_place locate(const scene_node *node, bool key);
/* Writes the path of the key that ends at byte `end` of the text to `out`, and returns the place of the key.
 * The text is valid JSON up to there. */
text_place locate_key(const scene_source *source, size_t end, char *out, size_t size);
/* Appends a key, or an index if `key` is NULL, to a path. */
void path_append(char *path, size_t size, const char *key, size_t index);

/* Finds the place in the file of a value in a stage's scene, which is the preceding scene with some keys
 * changed. */
struct stage_origin {
    const scene_source *file;
    int index;                          /* index of the stage */
    json_t *patch;                      /* stages[index] in the file */
    const json_t *before;               /* the scene that it changes */
    const struct stage_origin *earlier; /* origin of the preceding stage; NULL: the first */
};

enum { ORIGIN_DEPTH = 32 };
/* The path down the file to a place. Contains pointers into itself. */
typedef struct origin_trail {
    scene_node nodes[ORIGIN_DEPTH];
    char indices[ORIGIN_DEPTH + 1][24]; /* array indices as keys */
    int count;
    bool whole; /* whether the stage contains the whole path; otherwise the path ends where the stage's keys
                   end */
} origin_trail;

/* Returns the node in the file for a node of a stage's scene; the result is in `trail` or `node` itself.
 * Values that the first stage leaves unchanged are located in the scene itself, as are those that no stage of
 * a source that `inherits` changes (`whole` is then true). For other stages the result is the part of the
 * path that the stage contains. */
const scene_node *origin_find(const scene_node *node, origin_trail *trail);

scene_node node_member(const scene_node *object, const char *key);
scene_node node_element(const scene_node *array, size_t index);

/* Fails with SCREE_ERROR_FORMAT and the message "file:line:column: key.path[3]: message", at the value or at
 * the key. */
#define node_fail(node, ...) node_fail_at(node, false, __VA_ARGS__)
#define node_key_fail(node, ...) node_fail_at(node, true, __VA_ARGS__)
scree_result node_fail_at(const scene_node *node, bool key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts the node's place before the message of a failure; ARGUMENT becomes FORMAT, since the error is in the
 * file. */
scree_result node_fail_prefix(const scene_node *node, scree_result result);

/* Size of the buffer of node_path. */
enum { NODE_PATH = 512 };
/* Writes the path of the node, e.g. `bodies[3].mass`. Returns `out`. */
const char *node_path(const scene_node *node, char out[NODE_PATH]);

/* Size of the buffer of node_describe. */
enum { NODE_TEXT = 96 };
/* Describes the value briefly, e.g. `-1`, `the string "x"`, `an array of 2`. Returns `out`. */
const char *node_describe(const scene_node *node, char out[NODE_TEXT]);

/* Size of the buffer of node_suggest. */
enum { SUGGESTION_TEXT = 96 };
/* Writes `; did you mean "friction"?` if one of `count` names (NULL entries are skipped) is similar to `word`
 * or contains it as a word, otherwise the empty string. Returns `out`. */
const char *node_suggest(const char *word, const char *const *names, int count, char out[SUGGESTION_TEXT]);
