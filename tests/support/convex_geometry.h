/* Convex shapes in double precision, independent of the library: support functions, membership, and the
 * largest separation by a search over directions. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <scree/shape.h>

#include "detect/manifold.h"
#include "state/bodies.h"

/* Returns the smallest gap of a manifold's points; infinity if it has none. */
static inline double least_gap(const manifold *m) {
    double least = INFINITY;
    for (int i = 0; i < m->count; i++) least = fmin(least, m->points[i].gap);
    return least;
}

typedef struct solid {
    scree_shape_kind kind;
    double size[3], centre[3], axis[3][3]; /* axis[i]: the body's i-th axis */
    const scree_geometry *hull;
} solid;

/* Returns the corner of a hull that is farthest along a direction in hull coordinates. */
static inline double solid_corner(const solid *self, double x, double y, double z, double out[3]) {
    double most = -INFINITY;
    for (int i = 0; i < scree_hull_corner_count(self->hull); i++) {
        const scree_vec3 c = scree_hull_get_corner(self->hull, i);
        const double s = self->size[0], at[3] = {s * (double)c.x, s * (double)c.y, s * (double)c.z},
                     along = x * at[0] + y * at[1] + z * at[2];
        if (along > most) most = along, out[0] = at[0], out[1] = at[1], out[2] = at[2];
    }
    return most;
}

static inline solid solid_of(scree_shape shape, body_pose pose) {
    const double x = pose.rotation.x, y = pose.rotation.y, z = pose.rotation.z, w = pose.rotation.w;
    const double s = 2 / (x * x + y * y + z * z + w * w);
    return (solid){.kind = shape.kind,
                   .hull = shape.geometry,
                   .size = {shape.size.x, shape.size.y, shape.size.z},
                   .centre = {pose.position.x, pose.position.y, pose.position.z},
                   .axis = {{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                            {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
                            {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}}};
}

static inline double solid_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Returns the extent of a body from its centre along a unit direction, m. */
static inline double solid_width(const solid *self, const double direction[3]) {
    const double *size = self->size;
    const double x = solid_dot(self->axis[0], direction), y = solid_dot(self->axis[1], direction),
                 z = solid_dot(self->axis[2], direction), across = hypot(x, y);
    switch (self->kind) {
    case SCREE_SHAPE_SPHERE:
        return size[0];
    case SCREE_SHAPE_BOX:
        return fabs(x) * size[0] + fabs(y) * size[1] + fabs(z) * size[2];
    case SCREE_SHAPE_CAPSULE:
        return fabs(z) * size[1] + size[0];
    case SCREE_SHAPE_CYLINDER:
        return fabs(z) * size[1] + across * size[0];
    case SCREE_SHAPE_CONE:
        return fmax(0.75 * size[1] * z, across * size[0] - 0.25 * size[1] * z);
    case SCREE_SHAPE_ELLIPSOID:
        return sqrt(x * x * size[0] * size[0] + y * y * size[1] * size[1] + z * z * size[2] * size[2]);
    case SCREE_SHAPE_HULL:
        return solid_corner(self, x, y, z, (double[3]){0});
    default:
        return INFINITY;
    }
}

/* Computes the farthest point of a body in a direction of any length, in world coordinates. */
static inline void solid_farthest(const solid *self, const double direction[3], double out[3]) {
    const double *size = self->size;
    const double x = solid_dot(self->axis[0], direction), y = solid_dot(self->axis[1], direction),
                 z = solid_dot(self->axis[2], direction), across = hypot(x, y), length = hypot(across, z);
    const double to_rim = across > 0 ? size[0] / across : 0;
    double p[3] = {0};
    switch (self->kind) {
    case SCREE_SHAPE_SPHERE:
        p[0] = size[0] * x / length, p[1] = size[0] * y / length, p[2] = size[0] * z / length;
        break;
    case SCREE_SHAPE_BOX:
        p[0] = copysign(size[0], x), p[1] = copysign(size[1], y), p[2] = copysign(size[2], z);
        break;
    case SCREE_SHAPE_CAPSULE:
        p[0] = size[0] * x / length, p[1] = size[0] * y / length;
        p[2] = size[0] * z / length + copysign(size[1], z);
        break;
    case SCREE_SHAPE_CYLINDER:
        p[0] = x * to_rim, p[1] = y * to_rim, p[2] = copysign(size[1], z);
        break;
    case SCREE_SHAPE_CONE:
        if (across * size[0] - 0.25 * size[1] * z > 0.75 * size[1] * z)
            p[0] = x * to_rim, p[1] = y * to_rim, p[2] = -0.25 * size[1];
        else
            p[2] = 0.75 * size[1];
        break;
    case SCREE_SHAPE_ELLIPSOID: {
        const double norm = hypot(hypot(size[0] * x, size[1] * y), size[2] * z);
        p[0] = size[0] * size[0] * x / norm, p[1] = size[1] * size[1] * y / norm,
        p[2] = size[2] * size[2] * z / norm;
        break;
    }
    case SCREE_SHAPE_HULL:
        solid_corner(self, x, y, z, p);
        break;
    default:
        break;
    }
    for (int k = 0; k < 3; k++) {
        out[k] = self->centre[k];
        for (int axis = 0; axis < 3; axis++) out[k] += p[axis] * self->axis[axis][k];
    }
}

/* Returns min over b of n·x − max over a of n·x. */
static inline double solid_gap(const solid *a, const solid *b, const double n[3]) {
    const double back[3] = {-n[0], -n[1], -n[2]};
    const double between[3] = {b->centre[0] - a->centre[0], b->centre[1] - a->centre[1],
                               b->centre[2] - a->centre[2]};
    return solid_dot(n, between) - solid_width(a, n) - solid_width(b, back);
}

/* Refines the direction n by trying directions around it at decreasing distances. */
static inline double solid_refined(const solid *a, const solid *b, double n[3], double best, double step) {
    for (int round = 0; step > 1e-9 && round < 400; round++) {
        bool better = false;
        for (int k = 0; k < 6; k++) {
            double m[3] = {n[0], n[1], n[2]};
            m[k / 2] += k % 2 ? step : -step;
            const double length = sqrt(solid_dot(m, m));
            for (int i = 0; i < 3; i++) m[i] /= length;
            const double gap = solid_gap(a, b, m);
            if (gap > best) best = gap, memcpy(n, m, sizeof m), better = true;
        }
        if (!better) step /= 2;
    }
    return best;
}

/* Returns the largest gap over all directions (the distance, or minus the depth): samples a Fibonacci lattice
 * and the bodies' axes and refines the best. */
static inline double solid_separation(const solid *a, const solid *b, int samples) {
    enum { KEPT = 4 };
    double kept[KEPT], directions[KEPT][3] = {{0}};
    for (int i = 0; i < KEPT; i++) kept[i] = -INFINITY;
    for (int i = 0; i < samples + 12; i++) {
        const double z = 1 - (2 * i + 1.0) / samples, around = 2.399963229728653 * i,
                     r = sqrt(fmax(1 - z * z, 0));
        double n[3] = {r * cos(around), r * sin(around), z};
        const int axis = i - samples;
        for (int k = 0; k < 3 && axis >= 0; k++)
            n[k] = (axis % 2 ? 1 : -1) * (axis < 6 ? a : b)->axis[axis % 6 / 2][k];
        const double gap = solid_gap(a, b, n);
        int worst = 0;
        for (int k = 1; k < KEPT; k++)
            if (kept[k] < kept[worst]) worst = k;
        if (gap > kept[worst]) kept[worst] = gap, memcpy(directions[worst], n, sizeof n);
    }
    double best = -INFINITY;
    for (int k = 0; k < KEPT; k++)
        best = fmax(best, solid_refined(a, b, directions[k], kept[k], 2 / sqrt(samples)));
    return best;
}

/* Returns whether a point is in the body, widened by `more`. */
static inline bool solid_holds(const solid *self, const double point[3], double more) {
    const double from[3] = {point[0] - self->centre[0], point[1] - self->centre[1],
                            point[2] - self->centre[2]};
    const double x = solid_dot(self->axis[0], from), y = solid_dot(self->axis[1], from),
                 z = solid_dot(self->axis[2], from), across = hypot(x, y);
    const double *size = self->size;
    switch (self->kind) {
    case SCREE_SHAPE_SPHERE:
        return hypot(across, z) <= size[0] + more;
    case SCREE_SHAPE_BOX:
        return fabs(x) <= size[0] + more && fabs(y) <= size[1] + more && fabs(z) <= size[2] + more;
    case SCREE_SHAPE_CAPSULE:
        return hypot(across, fmax(fabs(z) - size[1], 0)) <= size[0] + more;
    case SCREE_SHAPE_CYLINDER:
        return across <= size[0] + more && fabs(z) <= size[1] + more;
    case SCREE_SHAPE_CONE:
        return z >= -0.25 * size[1] - more &&
               (across * size[1] + (z - 0.75 * size[1]) * size[0]) / hypot(size[0], size[1]) <= more;
    case SCREE_SHAPE_ELLIPSOID:
        return hypot(hypot(x / (size[0] + more), y / (size[1] + more)), z / (size[2] + more)) <= 1;
    default:
        return false;
    }
}
