/* Edges of boxes that are cut away. */
#pragma once

#include "parts.h"

typedef struct edges {
    GLuint program, array, buffer;
} edges;

scree_result edges_make(edges *self);
void edges_release(edges *self);
/* Errors: MEMORY. */
scree_result edges_draw(const edges *self, const outline_part *boxes, int count);
