/* Where in the file stands what a stage's scene has: that scene is the one before it with some keys changed.
 */
#ifndef SCREE_SCENE_SOURCE_POSITION_H
#define SCREE_SCENE_SOURCE_POSITION_H

#include "node.h"

struct stage_origin {
    const scene_source *file;
    int index;                          /* of the stage */
    json_t *patch;                      /* stages[index] in the file */
    const json_t *before;               /* the scene that it changes */
    const struct stage_origin *earlier; /* that of the stage before it; null: the first */
};

enum { ORIGIN_DEPTH = 32 };
/* The way down the file to a place, which points into itself. */
typedef struct origin_trail {
    scene_node nodes[ORIGIN_DEPTH];
    char indices[ORIGIN_DEPTH + 1][24]; /* as keys */
    int count;
    bool whole; /* whether the stage says all of it; else it ends where the stage has no more */
} origin_trail;

/* The node that the file has for one of a stage's scene, in `trail` or itself. What the first stage leaves as
 * the scene has it stands there, and so does what no stage of a source that `inherits` changes (`whole` is
 * true then). Of another stage it is the part of the way that the stage says. */
const scene_node *origin_find(const scene_node *node, origin_trail *trail);

#endif
