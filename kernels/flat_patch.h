/* A box on a floor of small triangles touches each of them at corners of either and where edges cross. Points
 * between the outermost ones carry no load that those could not, but they make the problem larger and
 * singular: from the fourth on, each point in a plane adds three redundant rows. The points kept are corners
 * of the patch, mostly of the body itself, whose features are the same on all triangles of a plane.
 *
 * At width 1. A file that includes this one first defines FLAT_LIST, the type of the argument that stands for
 * the manifolds of a pair of bodies, and flat_count(list, i), flat_normal(list, i), flat_point(list, i, p);
 * flat_child(list, i), the number of the child of the body that is not the surface; and flat_keep(list, i,
 * kept), which removes the points of manifold i without a bit in `kept`. */
#ifndef SCREE_KERNELS_FLAT_PATCH_H
#define SCREE_KERNELS_FLAT_PATCH_H

#include "box_points.h"
#include "feature.h"

/* Tolerances of coplanar triangles: of a unit normal, and relative to the width. */
#define FLAT_SAME_NORMAL 2e-3f
#define FLAT_SAME_HEIGHT 1e-3f
/* Relative to the smaller half size: distance of equal points. */
#define FLAT_SAME_PLACE 2e-3f

enum { FLAT_DIRECTIONS = 8 };

/* A pair of bodies, one of which is made of triangles, and its manifolds from `first` to `end`. */
typedef struct flat_touch {
    int first, end;
    scalar side;  /* 1 if the surface is the first body's, else −1 */
    scalar width; /* smaller half size of the pair, m */
} flat_touch;

/* The manifolds of one plane with one child of the touching body. */
typedef struct flat_plane {
    vec3s origin, normal, u, v;
    scalar tolerance, side;
    int child;
} flat_plane;

/* Directions in the plane, oblique, so that no side of a patch along the axes is normal to one. */
SHARED scalar flat_along(int k, scalar u, scalar v) {
    const scalar near = k & 1 ? 0.1414f : 0.8f, far = k & 1 ? 0.99f : 0.6f;
    switch (k / 2) {
    case 0:
        return near * u + far * v;
    case 1:
        return -far * u + near * v;
    case 2:
        return -near * u + -far * v;
    default:
        return far * u + -near * v;
    }
}

SHARED vec3s flat_on_surface(flat_plane self, manifold_point point) {
    const scalar to = -self.side * point.gap / 2;
    return glms_vec3_add(glms_vec3_sub(point.position, self.origin), glms_vec3_scale(self.normal, to));
}

SHARED flat_plane flat_plane_of(FLAT_LIST list, int i, flat_touch by) {
    flat_plane self;
    self.normal = flat_normal(list, i), self.side = by.side;
    self.child = flat_child(list, i), self.tolerance = FLAT_SAME_HEIGHT * by.width;
    self.origin = glms_vec3_zero();
    self.origin = flat_on_surface(self, flat_point(list, i, 0));
    self.u = tangent_of(self.normal), self.v = glms_vec3_cross(self.normal, self.u);
    return self;
}

SHARED int flat_lies_in(flat_plane self, FLAT_LIST list, int i) {
    const int count = flat_count(list, i);
    if (count == 0 || flat_child(list, i) != self.child) return 0;
    if (!(glms_vec3_norm2(glms_vec3_sub(flat_normal(list, i), self.normal)) <=
          FLAT_SAME_NORMAL * FLAT_SAME_NORMAL))
        return 0;
    for (int p = 0; p < count; p++)
        if (!(scalar_abs(glms_vec3_dot(flat_on_surface(self, flat_point(list, i, p)), self.normal)) <=
              self.tolerance))
            return 0;
    return 1;
}

/* `label` is 4 × manifold + point. */
SHARED clip_point flat_seen(flat_plane self, manifold_point point, int label) {
    const vec3s at = flat_on_surface(self, point);
    clip_point out;
    out.u = glms_vec3_dot(at, self.u), out.v = glms_vec3_dot(at, self.v), out.gap = point.gap;
    out.label = label, out.before = 0;
    return out;
}

/* Returns the farthest point in each direction and the deepest one, without repetition. */
SHARED clip_points flat_outermost(flat_plane self, FLAT_LIST list, flat_touch by) {
    clip_point best[FLAT_DIRECTIONS + 1];
    scalar far[FLAT_DIRECTIONS + 1];
    clip_points out;
    out.count = 0;
    for (int k = 0; k <= FLAT_DIRECTIONS; k++) far[k] = -INFINITY, best[k].label = -1;
    for (int i = by.first; i < by.end; i++) {
        if (!flat_lies_in(self, list, i)) continue;
        for (int p = 0; p < flat_count(list, i); p++) {
            const clip_point point = flat_seen(self, flat_point(list, i, p), MANIFOLD_POINTS * i + p);
            for (int k = 0; k <= FLAT_DIRECTIONS; k++) {
                const scalar at = k < FLAT_DIRECTIONS ? flat_along(k, point.u, point.v) : -point.gap;
                if (at > far[k]) far[k] = at, best[k] = point;
            }
        }
    }
    for (int k = 0; k <= FLAT_DIRECTIONS; k++) {
        int is_new = far[k] > -INFINITY;
        for (int i = 0; i < out.count; i++) is_new &= out.at[i].label != best[k].label;
        if (is_new) out.at[out.count++] = best[k];
    }
    return out;
}
STATIC_ASSERT(FLAT_DIRECTIONS + 1 <= CLIP_POINTS, "all outermost points fit");

SHARED int flat_points_in(flat_plane self, FLAT_LIST list, flat_touch by) {
    int points = 0;
    for (int i = by.first; i < by.end; i++)
        if (flat_lies_in(self, list, i)) points += flat_count(list, i);
    return points;
}

/* Returns a bit for each point of manifold i that is chosen. */
SHARED int flat_kept(FLAT_LIST list, int i, const clip_points *points, chosen_points chosen) {
    int kept = 0;
    for (int p = 0; p < flat_count(list, i); p++)
        for (int k = 0; k < chosen.count; k++)
            if (points->at[chosen.at[k]].label == MANIFOLD_POINTS * i + p) kept |= 1 << p;
    return kept;
}

/* Triangles of one plane together keep at most four points for each child that touches them, as a half-space
 * does. */
SHARED void flat_thin(FLAT_LIST list, flat_touch by) {
    for (int i = by.first; i < by.end; i++) {
        if (flat_count(list, i) == 0) continue;
        const flat_plane self = flat_plane_of(list, i, by);
        if (flat_points_in(self, list, by) <= MANIFOLD_POINTS) continue;
        const clip_points outer = flat_outermost(self, list, by);
        const chosen_points chosen = clip_chosen(&outer, self.tolerance);
        for (int k = by.first; k < by.end; k++)
            if (flat_lies_in(self, list, k)) flat_keep(list, k, flat_kept(list, k, &outer, chosen));
    }
}

/* Returns whether manifold i is the one point at which a body right over the edge of two coplanar faces
 * touches the second one. */
SHARED int flat_is_twin(FLAT_LIST list, int i, flat_touch by) {
    if (flat_count(list, i) != 1) return 0;
    const manifold_point point = flat_point(list, i, 0);
    if (!(point.feature & FEATURE_OF_PLANE)) return 0;
    for (int k = by.first; k < i; k++) {
        if (flat_count(list, k) != 1 || flat_child(list, k) != flat_child(list, i)) continue;
        const manifold_point other = flat_point(list, k, 0);
        if (other.feature == point.feature &&
            glms_vec3_norm(glms_vec3_sub(other.position, point.position)) <= FLAT_SAME_PLACE * by.width)
            return 1;
    }
    return 0;
}

/* Drops twins. */
SHARED void flat_drop_twins(FLAT_LIST list, flat_touch by) {
    for (int i = by.first; i < by.end; i++)
        if (flat_is_twin(list, i, by)) flat_keep(list, i, 0);
}

#endif
