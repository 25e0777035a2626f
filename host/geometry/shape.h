/* Properties of shapes. A kind of shape is one row, in a file of its own, shape_NAME.c. */
#pragma once

#include <stdbool.h>

#include "cut_volume.h"
#include "kinds.h"

/* One kind. Every row has all functions (tests/unit/test_kinds.c). Lengths are those of scree_shape.size, in
 * m. */
typedef struct shape_row {
    const char *name;
    int sizes;  /* number of size.x, y, z that are used */
    bool plane; /* solid below its plane z = 0, infinite: kept out of trees, and never dynamic */
    bool ball;  /* a ball about its centre, so that no rotation changes it */
    bool flat;  /* made of flat faces: drawn without gloss, and cut away where it hides grains */
    double (*volume)(scree_shape);      /* m³ */
    double (*radius)(scree_shape);      /* of the smallest sphere around the centre that holds it, m */
    double (*sieve_size)(scree_shape);  /* side of the smallest square hole that it falls through, m */
    vec3s (*unit_inertia)(scree_shape); /* principal moments for mass 1, m² */
    scree_vec3 (*size_of)(vec3s half);  /* lengths of a shape whose own box has this half size */
    vec3s (*extent)(scree_shape, versors rotation); /* half the size of the box along world axes around it,
                                                       about its centre or its geometry's middle */
    scalar (*turning_radius)(scree_shape);          /* as bounds_turning_radius */
    scalar (*half_width)(scree_shape);              /* half of its smallest width */
    cut_function *cut; /* volume inside a box that it is neither wholly in nor out of, m³ */
} shape_row;

#define ROW(KIND, name) extern const shape_row shape_##name;
SHAPE_KINDS(ROW)
#undef ROW

/* The row of each known kind. */
extern const shape_row *const shape_rows[SCREE_SHAPE_COUNT];
static inline const shape_row *shape_row_of(scree_shape shape) { return shape_rows[shape.kind]; }

/* Returns the principal moments about the body's axes for mass 1, m². */
vec3s shape_unit_inertia(scree_shape shape);
/* For shapes whose size is half their lengths along their own three axes, boxes and ellipsoids: the middle
 * one of the lengths, m, the size of a shape in a box of that half size, and half of the smallest length,
 * m. */
double shape_middle_length(scree_shape shape);
scree_vec3 shape_size_of_half(vec3s half);
scalar shape_smallest_half(scree_shape shape);
/* Returns whether the kind is known and the geometry is of this kind. */
bool shape_is_complete(scree_shape shape);
/* Returns whether a body of this shape may be dynamic. */
bool shape_movable(scree_shape shape);
/* As in shape_row. */
static inline bool shape_is_ball(scree_shape shape) { return shape_rows[shape.kind]->ball; }
static inline bool shape_is_plane(scree_shape shape) { return shape_rows[shape.kind]->plane; }
static inline bool shape_is_flat(scree_shape shape) { return shape_rows[shape.kind]->flat; }
