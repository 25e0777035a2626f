/* Normal of two polyhedra whose edges meet.
 *
 * Where an edge touches an edge, the gap is the same along every direction in the normal cones of both, so
 * that rounding would choose one. The normal is the middle of these directions: with the normals n_k of the
 * bodies' sides, the gaps g_k along them, and the largest gap g of all directions,
 *
 *     n ∝ Σ w_k n_k,   w_k = max(0, margin + g_k − g),
 *
 * where parallel normals count once. n turns continuously to the normal of a side as the other body's edge
 * moves along that side by the margin, and does not depend on the depth of the overlap. gap(n) is a concave
 * and positively homogeneous function, so that gap(Σ w n) ≥ Σ w g: the bodies are not nearer along n than
 * along the directions that it is the mean of.
 *
 * Flush faces are those whose normals n_k each belong to a side of both bodies, as of two cubes in a grid
 * that share an edge. Each body can then pass the other along either face, and a load along n would push
 * columns of a grid apart that carry themselves. The gap of such edges is larger than gap(n) by the
 * second-largest w_k, which is the margin where they meet and vanishes where the normal becomes that of a
 * side.
 *
 * box_separation.h has the same rules for boxes in vector lanes. */
#ifndef SCREE_KERNELS_EDGE_NORMAL_H
#define SCREE_KERNELS_EDGE_NORMAL_H

#include "support.h"

/* Returns the number of flat sides of a box or a hull; 0 for other shapes. */
SHARED int polyhedron_side_count(convex self) {
    return self.kind == SHAPE_HULL ? self.core.hull.side_count : self.kind == SHAPE_BOX ? 6 : 0;
}

/* Returns the unit outward normal of a side in the body's axes. */
SHARED vec3s polyhedron_normal(convex self, int side) {
    if (self.kind == SHAPE_BOX) {
        const scalar out = side < 3 ? 1 : -1;
        return vec3_of(side % 3 == 0 ? out : 0, side % 3 == 1 ? out : 0, side % 3 == 2 ? out : 0);
    }
    const vec3s n = hull_normal_at(self.core.hull, side);
    return glms_vec3_scale(n, 1 / glms_vec3_norm(n));
}

/* Returns the distance of a side's plane from the body's centre. */
SHARED scalar polyhedron_height(convex self, int side, vec3s normal) {
    if (self.kind == SHAPE_BOX) return vec3_along(self.core.size, side % 3);
    return self.core.size.x *
           glms_vec3_dot(normal, hull_corner_at(self.core.hull, self.core.hull.sides[side].corners[0]));
}

/* Cosine of a milliradian: normals at a smaller angle count as one. */
#define EDGE_PARALLEL ((scalar)0.9999995)

enum { EDGE_NORMALS = 16 };

/* Normals from a to b of different directions, with the gap along each. */
typedef struct edge_normals {
    int count;
    scalar most; /* largest gap */
    vec3s normals[EDGE_NORMALS];
    scalar gaps[EDGE_NORMALS];
    int of[EDGE_NORMALS]; /* bodies with such a side: 1 for a, 2 for b, 3 for both */
} edge_normals;

/* Adds the normal of a side of a body, 1 for a, 2 for b. */
SHARED edge_normals edge_normals_with(edge_normals in, vec3s n, scalar gap, int of) {
    in.most = scalar_max(in.most, gap);
    for (int i = 0; i < in.count; ++i)
        if (glms_vec3_dot(in.normals[i], n) > EDGE_PARALLEL) {
            in.gaps[i] = scalar_max(in.gaps[i], gap), in.of[i] |= of;
            return in;
        }
    if (in.count == EDGE_NORMALS) return in;
    in.normals[in.count] = n, in.of[in.count] = of, in.gaps[in.count++] = gap;
    return in;
}

/* Returns the overlap that edges of flush faces are allowed; 0 if a side within the margin has no parallel
 * one. */
SHARED scalar edge_flush_overlap(edge_normals in, scalar margin) {
    scalar best = 0, second = 0;
    for (int i = 0; i < in.count; ++i) {
        const scalar w = scalar_max(margin + in.gaps[i] - in.most, 0);
        if (w > 0 && in.of[i] != 3) return 0;
        second = scalar_max(second, scalar_min(w, best)), best = scalar_max(best, w);
    }
    return second;
}

#endif
