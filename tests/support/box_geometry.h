/* Distance and overlap of two boxes in double precision, by brute force over corners, edges and axes. */
#pragma once

#include <math.h>

#include "state/bodies.h"

typedef struct double3 {
    double x, y, z;
} double3;

typedef struct double_box {
    double3 centre, axes[3];
    double half[3];
} double_box;

static inline double3 add3(double3 a, double3 b) { return (double3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline double3 scale3(double3 a, double s) { return (double3){a.x * s, a.y * s, a.z * s}; }
static inline double3 sub3(double3 a, double3 b) { return add3(a, scale3(b, -1)); }
static inline double dot3(double3 a, double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double norm3(double3 a) { return sqrt(dot3(a, a)); }
static inline double3 cross3(double3 a, double3 b) {
    return (double3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double3 to_double3(vec3s v) { return (double3){v.x, v.y, v.z}; }
static inline double clamp_between(double x, double low, double high) { return fmin(fmax(x, low), high); }

/* Returns the box with the columns of the rotation matrix of q, normalised first, as axes. */
static inline double_box double_box_of(scree_shape shape, body_pose pose) {
    const versors q = pose.rotation;
    const double n = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
    const double x = q.x / n, y = q.y / n, z = q.z / n, w = q.w / n;
    return (double_box){to_double3(pose.position),
                        {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                         {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                         {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}},
                        {shape.size.x, shape.size.y, shape.size.z}};
}

static inline double3 double_corner(const double_box *box, int corner) {
    double3 p = box->centre;
    for (int k = 0; k < 3; k++)
        p = add3(p, scale3(box->axes[k], corner >> k & 1 ? box->half[k] : -box->half[k]));
    return p;
}

/* Returns the distance of a point outside the box from the box; 0 inside. */
static inline double outside_box(const double_box *box, double3 point) {
    const double3 from = sub3(point, box->centre);
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double beyond = fmax(fabs(dot3(from, box->axes[k])) - box->half[k], 0);
        square += beyond * beyond;
    }
    return sqrt(square);
}

/* Returns the depth of a point inside the box below the nearest face; negative outside. */
static inline double inside_box(const double_box *box, double3 point) {
    const double3 from = sub3(point, box->centre);
    double depth = INFINITY;
    for (int k = 0; k < 3; k++) depth = fmin(depth, box->half[k] - fabs(dot3(from, box->axes[k])));
    return depth;
}

/* Returns the distance of the segments p … p + d and q … q + e (Ericson, Real-Time Collision Detection, 2005,
 * 5.1.9). */
static inline double segment_distance(double3 p, double3 d, double3 q, double3 e) {
    const double3 r = sub3(p, q);
    const double a = dot3(d, d), c = dot3(d, r), ee = dot3(e, e), f = dot3(e, r), b = dot3(d, e);
    const double denominator = a * ee - b * b;
    double s = denominator > 1e-14 * a * ee ? clamp_between((b * f - c * ee) / denominator, 0, 1) : 0;
    double t = (b * s + f) / ee;
    if (t < 0 || t > 1) {
        t = clamp_between(t, 0, 1);
        s = clamp_between((b * t - c) / a, 0, 1);
    }
    return norm3(sub3(add3(p, scale3(d, s)), add3(q, scale3(e, t))));
}

/* Returns the largest separation over the 15 axes: minus the penetration depth of overlapping boxes, positive
 * only for separate ones. */
static inline double box_axis_separation(const double_box *a, const double_box *b) {
    double largest = -INFINITY;
    for (int axis = 0; axis < 15; axis++) {
        double3 n = axis < 3   ? a->axes[axis]
                    : axis < 6 ? b->axes[axis - 3]
                               : cross3(a->axes[(axis - 6) / 3], b->axes[(axis - 6) % 3]);
        const double length = norm3(n);
        if (length < 1e-9) continue;
        n = scale3(n, 1 / length);
        double separation = fabs(dot3(n, sub3(b->centre, a->centre)));
        for (int k = 0; k < 3; k++)
            separation -= fabs(dot3(n, a->axes[k])) * a->half[k] + fabs(dot3(n, b->axes[k])) * b->half[k];
        largest = fmax(largest, separation);
    }
    return largest;
}

/* Returns the distance of two boxes, 0 if they overlap. Nearest points are a corner and a box, or two
 * edges. */
static inline double box_distance(const double_box *a, const double_box *b) {
    if (box_axis_separation(a, b) <= 0) return 0;
    double nearest = INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        nearest = fmin(nearest, outside_box(b, double_corner(a, corner)));
        nearest = fmin(nearest, outside_box(a, double_corner(b, corner)));
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int p = 0; p < 8; p++)
                for (int q = 0; q < 8; q++) {
                    if ((p >> i & 1) || (q >> j & 1)) continue;
                    nearest = fmin(nearest,
                                   segment_distance(double_corner(a, p), scale3(a->axes[i], 2 * a->half[i]),
                                                    double_corner(b, q), scale3(b->axes[j], 2 * b->half[j])));
                }
    return nearest;
}
