/* Functions of shapes with a geometry, whose lengths are those of the geometry times size.x. */
#pragma once

#include "shape.h"

#include <scree/shape.h>

/* As in shape_row. */
double scaled_volume(scree_shape shape);
double scaled_radius(scree_shape shape);
double scaled_sieve_size(scree_shape shape);
vec3s scaled_unit_inertia(scree_shape shape);
scree_vec3 scaled_size_of(vec3s half); /* files store the scale */
scalar scaled_turning_radius(scree_shape shape);
scalar scaled_half_width(scree_shape shape);
/* Returns the extent of a hull's corners about the origin, which need not be the middle. */
vec3s scaled_hull_extent(scree_shape shape, versors rotation);

/* The row of such a shape; its parameters are the fields that differ. */
#define SCALED_SHAPE_ROW(NAME, FLAT, UNIT_INERTIA, EXTENT, CUT)                                              \
    {                                                                                                        \
        .name = (NAME), .sizes = 1, .flat = (FLAT), .volume = scaled_volume, .radius = scaled_radius,        \
        .sieve_size = scaled_sieve_size, .unit_inertia = (UNIT_INERTIA), .size_of = scaled_size_of,          \
        .extent = (EXTENT), .turning_radius = scaled_turning_radius, .half_width = scaled_half_width,        \
        .cut = (CUT)                                                                                         \
    }
