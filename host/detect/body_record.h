/* A body as the narrow phase reads it repeatedly, in two cache lines. Objects of every width include this
 * file, so it has no scalar of the dialect. */
#pragma once

/* Pairs of balls and pairs of boxes are tested in lanes. */
enum { RECORD_OTHER, RECORD_BALL, RECORD_BOX };

/* Words of four floats, as lanes load them (base/lanes.h). Balls use the first three words. Axes and half
 * sizes are those of a box; half[0] of a ball is its radius. Other shapes set none of them. */
typedef struct body_record {
    float centre[3]; /* m */
    float radius;    /* bounds_turning_radius, m; for a box that of body_collision_shape, half its diagonal */
    float half[3];   /* m */
    float half_width;
    float velocity[3]; /* m/s */
    float square_speed;
    float axis_x[3];     /* unit */
    float turning_speed; /* |ω| radius, m/s; |ω| if the radius is infinite */
    float axis_y[3];
    int kind; /* RECORD_BALL, … */
    float axis_z[3];
    float reserved;
} body_record;

enum { RECORD_FLOATS = 24, RECORD_PAIRS = 256 /* pairs tested together */ };
_Static_assert(sizeof(body_record) == RECORD_FLOATS * sizeof(float), "body_record");
