/* What the stages ask of a shape, kind by kind through a table. */
#ifndef SCREE_WORLD_SHAPES_H
#define SCREE_WORLD_SHAPES_H

#include <scree/shape.h>

#include "dialect.h"

/* Principal moments about the body's axes for mass 1, m². */
vec3s shape_unit_inertia(scree_shape shape);
/* Whether a body of this shape may be dynamic. */
bool shape_movable(scree_shape shape);

#endif
