/* The triangles of a mesh that stand between the eye and the dynamic bodies. */
#pragma once

#include <scree/tools/frame.h>

#include "base/vector.h"

/* The numbers of dynamic bodies behind an object and in front of it, seen from the eye. */
typedef struct cover {
    int hidden, before;
} cover;

/* Returns whether an object hides bodies, and none or few are in front of it. */
static inline bool cover_is_in_the_way(cover of) { return of.hidden > 0 && of.before * 8 < of.hidden; }

/* Marks in `cut` (one entry a triangle) those that are cut away. A sheet, triangles that meet at corners with
 * one sense of rotation, has the bodies on one side. The triangles that show the eye the other side are cut
 * together if they hide bodies, so that the rim of a cut vessel is its outline. `witnesses`: positions of
 * dynamic bodies relative to the eye. Errors: MEMORY. */
scree_result sheet_cut(scree_shape mesh, const scree_body_state *state, vec3s eye, const vec3s *witnesses,
                       int count, bool *cut);
