/* Constants of bodies, materials and a step from which a device fills the rows of contacts. */
#ifndef SCREE_KERNELS_ROW_LAYOUT_H
#define SCREE_KERNELS_ROW_LAYOUT_H

#include "contact_set.h"
#include "normal_row.h"

#if SCREE_WIDTH == 1

/* Constants of a body in a step, which rows read. */
typedef struct row_body {
    vec3s size;   /* as in scree_shape, of the shape that other bodies touch */
    scalar reach; /* radius of that shape about its centre, m; infinite if the body is not dynamic */
    vec3s surface_velocity; /* body's axes, m/s */
    int bits;               /* below; the shape's kind in the lowest, the material in the highest */
} WORDS row_body;

enum {
    ROW_KIND_MASK = 15,
    ROW_DYNAMIC = 1 << 4,
    ROW_KINEMATIC = 1 << 5,
    ROW_HELD = 1 << 6,  /* by a joint */
    ROW_FLOWS = 1 << 7, /* has a surface velocity */
    ROW_CHILDREN = 1 << 8,
    ROW_TURNS = 1 << 9, /* rotation moves its surface */
    ROW_MATERIAL_SHIFT = 10,
    ROW_MATERIALS = 1 << 10 /* most materials: their pairs are a table */
};

SHARED int row_kind(row_body of) { return of.bits & ROW_KIND_MASK; }
SHARED int row_material_of(row_body of) { return of.bits >> ROW_MATERIAL_SHIFT; }
SHARED int row_is_ball(row_body of) { return row_kind(of) == SHAPE_SPHERE; }
SHARED int row_is_dynamic(row_body of) { return (of.bits & ROW_DYNAMIC) != 0; }

/* A pair of materials; the fields are those of scree_material_pair_def. */
typedef struct row_material {
    scalar friction, restitution, rolling_friction, spinning_friction;
    scalar cohesion, cohesion_distance, stiffness, damping;
} WORDS row_material;

SHARED int row_resists(row_material of) { return of.rolling_friction > 0 || of.spinning_friction > 0; }

/* Parameters of all rows of a solve. */
typedef struct row_parameters {
    row_scheme scheme;
    vec3s gravity;
    scalar slip_factor;    /* scheme_slip_factor */
    vec3s period;          /* lengths of the periodic cell, m */
    scalar kilograms;      /* unit of mass of the problem */
    scalar fraction, unit; /* factors of the stored impulses and pushes in the warm start */
    int law;
    int material_count;
    scalar mass_unit; /* unit of the bodies' masses and loads, kg: 1, or `kilograms` */
    int reserved[3];
} WORDS row_parameters;

/* Words that a fill sets: whether a contact rebounds. */
enum { ROWS_REBOUND, ROWS_COUNTS };

STATIC_ASSERT(sizeof(row_body) == 7 * sizeof(scalar) + 4, "row_body");
STATIC_ASSERT(sizeof(row_material) == 8 * sizeof(scalar), "row_material");
STATIC_ASSERT(sizeof(row_scheme) == 10 * sizeof(scalar) + 8, "row_scheme");
STATIC_ASSERT(sizeof(row_parameters) == 21 * sizeof(scalar) + 28, "row_parameters");

#endif

#endif
