/* Prescribed motions: where a motion has led to at a time, in double precision, and their composition. */
#ifndef SCREE_MODEL_MOTION_H
#define SCREE_MODEL_MOTION_H

#include <scree/kinematic_group.h>

/* The rigid map x → R(q) x + p. */
typedef struct placement {
    double q[4]; /* x, y, z, w; unit */
    double p[3]; /* m */
} placement;

placement placement_none(void);
/* First `inner`, then `outer`. */
placement placement_after(const placement *outer, const placement *inner);
void placement_point(const placement *by, const double x[3], double out[3]);
void quaternion_product(const double a[4], const double b[4], double out[4]);

/* Where the motions have led to `time` seconds after they were given. */
placement motions_at(const scree_motion_def *motions, int count, double time);
/* The rotation vector of the way between two times, of any length: with the whole turns. */
void motions_turn(const scree_motion_def *motions, int count, double from, double to, double out[3]);

#endif
