/* A body as the narrow phase reads it over and over, in two cache lines of its own; known to objects of every
 * width, so nothing in it is a scalar of the dialect. */
#ifndef SCREE_DETECT_BODY_RECORD_H
#define SCREE_DETECT_BODY_RECORD_H

/* What pairs of the same are looked at in lanes. */
enum { RECORD_OTHER, RECORD_BALL, RECORD_BOX };

/* In words of four floats, as lanes load them (base/lanes.h); balls ask for the first three. Axes and half
 * sizes are those of a box, of a ball half[0] is the radius; other shapes have none. */
typedef struct body_record {
    float centre[3]; /* m */
    float radius;    /* bounds_turning_radius, m: of a box half its diagonal, as others touch it */
    float half[3];   /* m */
    float half_width;
    float velocity[3]; /* m/s */
    float square_speed;
    float axis_x[3]; /* unit */
    float turning;   /* |ω| radius, m/s; where the radius is infinite |ω| */
    float axis_y[3];
    int kind; /* RECORD_BALL, … */
    float axis_z[3];
    float reserved;
} body_record;

enum { RECORD_FLOATS = 24, RECORD_PAIRS = 256 /* that are looked at together */ };
_Static_assert(sizeof(body_record) == RECORD_FLOATS * sizeof(float), "body_record");

#endif
