/* Finds the place in the file of a value in a stage's scene, which is the preceding scene with some keys
 * changed. */
#pragma once

#include "node.h"

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
