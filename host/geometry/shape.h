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
    double (*volume)(scree_shape);           /* m³ */
    double (*bounding_radius)(scree_shape);  /* of the smallest sphere around the centre that holds it, m */
    double (*sieve_size)(scree_shape);       /* side of the smallest square hole that it falls through, m */
    vec3s (*unit_inertia)(scree_shape);      /* principal moments for mass 1, m² */
    scree_vec3 (*size_from_box)(vec3s half); /* lengths of a shape whose own box has this half size */
    vec3s (*half_extent)(scree_shape, versors rotation); /* half the size of the box along world axes around
                                                       it, about its centre or its geometry's middle */
    scalar (*turning_radius)(scree_shape);               /* as bounds_turning_radius */
    scalar (*half_width)(scree_shape);                   /* half of its smallest width */
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
/* Functions that rows have in common, as in shape_row. `shape_middle_length`, `shape_size_of_half` and
 * `shape_smallest_half` are those of shapes whose size is half their lengths along their own three axes. */
double shape_diameter(scree_shape shape); /* 2 size.x */
double shape_middle_length(scree_shape shape);
double shape_endless(scree_shape shape);
vec3s shape_endless_inertia(scree_shape shape);
scree_vec3 shape_size_of_half(vec3s half);
scree_vec3 shape_first_of_half(vec3s half);
scalar shape_whole_radius(scree_shape shape); /* the row's bounding radius */
scalar shape_smallest_half(scree_shape shape);
scalar shape_first_size(scree_shape shape); /* size.x */
/* A row whose file defines the functions of these names; the other arguments are the rest of its fields. */
#define SHAPE_ROW(NAME, ...)                                                                                 \
    {                                                                                                        \
        .name = (NAME), .volume = volume, .bounding_radius = bounding_radius, .unit_inertia = unit_inertia,  \
        .half_extent = half_extent, __VA_ARGS__                                                              \
    }
/* Those of shapes with a geometry, whose lengths are those of the geometry times size.x. */
double scaled_volume(scree_shape shape);
double scaled_bounding_radius(scree_shape shape);
double scaled_sieve_size(scree_shape shape);
vec3s scaled_unit_inertia(scree_shape shape);
scalar scaled_turning_radius(scree_shape shape);
scalar scaled_half_width(scree_shape shape);
/* The row of such a shape; its parameters are the fields that differ. Files store the scale, not the size. */
#define SCALED_SHAPE_ROW(NAME, FLAT, UNIT_INERTIA, EXTENT, CUT)                                              \
    {                                                                                                        \
        .name = (NAME), .sizes = 1, .flat = (FLAT), .volume = scaled_volume,                                 \
        .bounding_radius = scaled_bounding_radius, .sieve_size = scaled_sieve_size,                          \
        .unit_inertia = (UNIT_INERTIA), .size_from_box = shape_first_of_half, .half_extent = (EXTENT),       \
        .turning_radius = scaled_turning_radius, .half_width = scaled_half_width, .cut = (CUT)               \
    }
/* Returns whether the kind is known and the geometry is of this kind, or null if the kind has none. */
bool shape_is_complete(scree_shape shape);
/* Returns whether a body of this shape may be dynamic. */
bool shape_movable(scree_shape shape);
/* As in shape_row. */
static inline bool shape_is_ball(scree_shape shape) { return shape_rows[shape.kind]->ball; }
static inline bool shape_is_plane(scree_shape shape) { return shape_rows[shape.kind]->plane; }
static inline bool shape_is_flat(scree_shape shape) { return shape_rows[shape.kind]->flat; }
