/* A body as the narrow phase reads it repeatedly, in two cache lines. Objects of every width include this
 * file, so the record itself has no scalar of the dialect. */
#ifndef SCREE_KERNELS_BODY_RECORD_H
#define SCREE_KERNELS_BODY_RECORD_H

#include "layout.h"

/* Shapes that have a test of their own in lanes or on a device, in the order of shape_kind. */
enum {
    RECORD_OTHER,
    RECORD_BALL,
    RECORD_BOX,
    RECORD_HALF_SPACE,
    RECORD_CAPSULE,
    RECORD_CYLINDER,
    RECORD_CONE,
    RECORD_ELLIPSOID,
    RECORD_HULL
};

/* Returns whether spin about the body's z axis does not move the surface. */
SHARED int record_revolves(int kind) { return kind >= RECORD_CAPSULE && kind <= RECORD_CONE; }

/* Words of four floats, as lanes load them (base/lanes.h). Tests of balls read the first three words and the
 * kind. Axes and half sizes are those of a box; halves[0] of a ball is its radius; axis_z is also the normal
 * of a half-space. Other shapes set none of them. */
typedef struct body_record {
    float centre[3]; /* m */
    float radius;    /* record_shape.radius */
    float halves[3]; /* m */
    float half_width;
    float velocity[3]; /* m/s */
    float square_speed;
    float axis_x[3]; /* unit */
    int kind;        /* RECORD_BALL, … */
    float axis_y[3];
    float turning_speed; /* |ω| turning_radius, m/s; |ω| if the radius is infinite */
    float axis_z[3];
    float reserved;
} WORDS body_record;

enum { RECORD_FLOATS = 24 };
STATIC_ASSERT(sizeof(body_record) == RECORD_FLOATS * sizeof(float), "body_record");

#endif
