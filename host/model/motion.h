/* Prescribed motions: evaluation at a time in double precision, and composition. */
#pragma once

#include <scree/kinematic_group.h>

/* The rigid map x → R(q) x + p. */
typedef struct placement {
    double q[4]; /* x, y, z, w; unit */
    double p[3]; /* m */
} placement;

placement placement_none(void);
/* Returns the map `inner` followed by `outer`. */
placement placement_after(const placement *outer, const placement *inner);
void placement_point(const placement *by, const double x[3], double out[3]);
void quaternion_product(const double a[4], const double b[4], double out[4]);

/* Returns the displacement by all motions `time` seconds after they began. */
placement motions_at(const scree_motion_def *motions, int count, double time);
/* Computes the rotation vector between two times, including whole turns: its length is unbounded. */
void motions_rotation(const scree_motion_def *motions, int count, double from, double to, double out[3]);
