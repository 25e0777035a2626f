/* Contact points of two convex bodies, or of one and a half-space, from their support functions alone.
 *
 * Normal and gap. For a unit n from a to b the bodies are apart along n by
 *
 *     gap(n) = min over b of n·x − max over a of n·x,
 *
 * and their distance, or minus their depth if they overlap, is its maximum over all n. GJK finds it while the
 * cores are apart, even if they overlap along the line of centres. Otherwise b is moved out along the best n
 * known so far until the cores are ε apart. GJK's direction m there is at least as good: gap(m) = distance −
 * t n·m ≥ ε − t = gap(n). The iteration ends at a direction that moving out does not change, a local maximum
 * of the gap; it starts at the best of the axes of both bodies and of the normals of round sides. Between
 * smooth bodies with radii ρ an error of n shrinks by t/(ρ_a + ρ_b + ε) per round; flat faces and edges are
 * found at once.
 *
 * Points. The faces that face each other are clipped to each other as seen along n. Their corners are points
 * of the bodies, so no gap between them is below gap(n). The nearest points themselves are added if the faces
 * do not come as near. */
#ifndef SCREE_KERNELS_CONVEX_H
#define SCREE_KERNELS_CONVEX_H

#include "disc_patch.h"
#include "edge_normal.h"
#include "gjk.h"
#include "manifold_points.h"

enum { CONVEX_ROUNDS = 12 };

/* Normal, unit from a to b, and the nearest points. If gap > reach the search stopped early and the points
 * are not valid. */
typedef struct convex_separation {
    vec3s normal, on_a, on_b; /* points of the surfaces */
    scalar gap;
    scalar flush; /* overlap that edges of flush faces are allowed, m (edge_normal.h) */
} convex_separation;

CALLED scalar convex_gap(convex a, convex b, vec3s n) {
    const vec3s between = glms_vec3_sub(convex_farthest(b, glms_vec3_negate(n)), convex_farthest(a, n));
    return glms_vec3_dot(n, between) - a.radius - b.radius;
}

/* Returns the better of two directions; `found` has the best so far and its gap. */
SHARED convex_separation convex_tried(convex a, convex b, convex_separation found, vec3s n) {
    const scalar gap = convex_gap(a, b, n);
    if (gap > found.gap) found.gap = gap, found.normal = n;
    return found;
}

SHARED convex_separation convex_tried_axes(convex a, convex b, convex_separation found, convex axes) {
    const vec3s all[3] = {axes.x, axes.y, axes.z};
    for (int i = 0; i < 3; ++i) {
        found = convex_tried(a, b, found, all[i]);
        found = convex_tried(a, b, found, glms_vec3_negate(all[i]));
    }
    return found;
}

/* Try the directions of a cube's edges and corners in a body's axes, those of a hull's sides, and the cross
 * products of the axes of both bodies: for cores that overlap so deeply that the shortest way out may be
 * anywhere. */
SHARED convex_separation convex_tried_askew(convex a, convex b, convex_separation found, convex axes) {
    for (int i = 0; i < 27; ++i) {
        const int x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1, square = x * x + y * y + z * z;
        if (square < 2) continue;
        const vec3s sum = glms_vec3_add(glms_vec3_add(glms_vec3_scale(axes.x, x), glms_vec3_scale(axes.y, y)),
                                        glms_vec3_scale(axes.z, z));
        found = convex_tried(a, b, found, glms_vec3_scale(sum, 1 / scalar_sqrt(square)));
    }
    return found;
}

SHARED convex_separation convex_tried_sides(convex a, convex b, convex_separation found, convex axes,
                                            scalar outward) {
    const int count = axes.kind == SHAPE_HULL ? axes.core.hull.side_count : 0;
    for (int i = 0; i < count; ++i) {
        const vec3s n = hull_normal_at(axes.core.hull, i);
        const vec3s out =
            glms_vec3_add(glms_vec3_add(glms_vec3_scale(axes.x, n.x), glms_vec3_scale(axes.y, n.y)),
                          glms_vec3_scale(axes.z, n.z));
        found = convex_tried(a, b, found, glms_vec3_scale(out, outward / glms_vec3_norm(out)));
    }
    return found;
}

SHARED convex_separation convex_tried_crossings(convex a, convex b, convex_separation found) {
    const vec3s of_a[3] = {a.x, a.y, a.z}, of_b[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 9; ++i) {
        const vec3s cross = glms_vec3_cross(of_a[i / 3], of_b[i % 3]);
        const scalar length = glms_vec3_norm(cross);
        if (!(length > (scalar)1e-3)) continue;
        const vec3s n = glms_vec3_scale(cross, 1 / length);
        found = convex_tried(a, b, convex_tried(a, b, found, n), glms_vec3_negate(n));
    }
    return found;
}

/* Tries the normal of the side of one body (b if `of_b`) towards the centre of the other. */
SHARED convex_separation convex_tried_side(convex a, convex b, convex_separation found, int of_b) {
    const convex of = of_b ? b : a;
    const vec3s between = glms_vec3_sub(b.centre, a.centre), to = of_b ? glms_vec3_negate(between) : between;
    const vec3s side = convex_sidewards(of, convex_inwards(of, to));
    const scalar length = glms_vec3_norm(side);
    if (!(length > 0)) return found;
    const vec3s n = convex_turned(of, glms_vec3_scale(side, 1 / length));
    return convex_tried(a, b, found, of_b ? glms_vec3_negate(n) : n);
}

/* Fractions of the smaller body's half width. Cores nearer than CONVEX_NEAR are moved out to CONVEX_OUT (ε),
 * since a direction between nearly coincident points is all rounding. */
#define CONVEX_NEAR ((scalar)1e-4)
#define CONVEX_OUT ((scalar)0.05)
#define CONVEX_DEEP ((scalar)0.05)
#define CONVEX_DOUBTFUL ((scalar)0.02) /* deeper: there may be a shorter way out elsewhere */
#define CONVEX_TOLERANCE ((scalar)1e-8)

/* Tries GJK's direction, for cores that may be apart. */
SHARED convex_separation convex_tried_apart(convex a, convex b, convex_separation found, scalar width) {
    const gjk_nearest near = gjk_distance(a, b, vec3_of(0, 0, 0), found.normal, CONVEX_TOLERANCE);
    return near.distance > CONVEX_NEAR * width ? convex_tried(a, b, found, near.direction) : found;
}

/* Moves b out along the best direction repeatedly, until that leads to no better one. */
SHARED convex_separation convex_climbed(convex a, convex b, convex_separation found, scalar width) {
    const scalar radii = a.radius + b.radius;
    for (int turn = 0; turn < CONVEX_ROUNDS; ++turn) {
        const scalar apart = found.gap + radii,
                     out = apart > CONVEX_NEAR * width ? 0 : CONVEX_OUT * width - apart;
        const int first = out > 0 && turn == 0; /* need not be as accurate as the directions that follow */
        const gjk_nearest near = gjk_distance(a, b, glms_vec3_scale(found.normal, out), found.normal,
                                              first ? (scalar)1e-3 : CONVEX_TOLERANCE);
        const scalar gap = convex_gap(a, b, near.direction);
        const int better = gap >= found.gap, far = gap > found.gap + (scalar)1e-7 * width;
        if (better) found.gap = gap, found.normal = near.direction;
        found.on_a = near.on_a, found.on_b = near.on_b;
        if (out == 0 || (!far && !first)) break;
    }
    return found;
}

/* Searches for a shorter way out. convex_climbed, started from axes and sides, may end at a depth of half a
 * body where two edges overlap by a hair. Cores shrunk towards the bodies' centres, by increasing amounts
 * until they are apart, show the nearby way out: along the best n they overlap by less than the removed share
 * of their own extents. A small overlap therefore separates at once, along nearly the same n, whatever the
 * edges. */
SHARED convex_separation convex_tried_drawn(convex a, convex b, convex_separation found, scalar width) {
    for (scalar off = (scalar)0.0009765625; off < 1; off *= 2) {
        convex less_a = a, less_b = b;
        less_a.core.size = glms_vec3_scale(a.core.size, 1 - off);
        less_b.core.size = glms_vec3_scale(b.core.size, 1 - off);
        const gjk_nearest near =
            gjk_distance(less_a, less_b, vec3_of(0, 0, 0), found.normal, CONVEX_TOLERANCE);
        if (near.distance > CONVEX_NEAR * width) found = convex_tried(a, b, found, near.direction);
    }
    return found;
}

CALLED convex_separation convex_separate(convex a, convex b, scalar reach) {
    const vec3s between = glms_vec3_sub(b.centre, a.centre);
    const scalar distance = glms_vec3_norm(between), width = scalar_min(a.width, b.width),
                 radii = a.radius + b.radius;
    convex_separation found;
    found.normal =
        distance > SCALAR_EPSILON * width ? glms_vec3_scale(between, 1 / distance) : vec3_of(0, 0, 1);
    found.on_a = a.centre, found.on_b = b.centre;
    found.gap = convex_gap(a, b, found.normal), found.flush = 0;
    if (found.gap > reach) return found;
    if (!(found.gap + radii > CONVEX_NEAR * width)) found = convex_tried_apart(a, b, found, width);
    if (!(found.gap + radii > CONVEX_NEAR * width)) {
        found = convex_tried_side(a, b, found, 0);
        found = convex_tried_side(a, b, found, 1);
        found = convex_tried_axes(a, b, found, a);
        found = convex_tried_axes(a, b, found, b);
        if (found.gap + radii < -CONVEX_DEEP * width) {
            found = convex_tried_askew(a, b, found, a);
            found = convex_tried_askew(a, b, found, b);
            found = convex_tried_crossings(a, b, found);
            found = convex_tried_sides(a, b, found, a, 1);
            found = convex_tried_sides(a, b, found, b, -1);
        }
        if (found.gap > reach) return found;
    }
    found = convex_climbed(a, b, found, width);
    if (found.gap + radii < -CONVEX_DOUBTFUL * width) {
        const convex_separation drawn = convex_tried_drawn(a, b, found, width);
        if (drawn.gap > found.gap + CONVEX_NEAR * width) found = convex_climbed(a, b, drawn, width);
    }
    found.on_a = glms_vec3_add(found.on_a, glms_vec3_scale(found.normal, a.radius));
    found.on_b = glms_vec3_sub(found.on_b, glms_vec3_scale(found.normal, b.radius));
    return found;
}

/* Edges that meet (edge_normal.h). */

/* Fraction of the smaller body's half width: directions whose gaps differ by less are equally good. */
#define CONVEX_SLOP ((scalar)1e-3)

/* Adds the normals of the sides of a body (b if `of_b`) that contain the nearest point. */
SHARED edge_normals convex_sides_near(convex a, convex b, edge_normals in, vec3s on, int of_b,
                                      scalar margin) {
    const convex of = of_b ? b : a;
    const vec3s at = convex_inwards(of, glms_vec3_sub(on, of.centre));
    for (int i = 0; i < polyhedron_side_count(of); ++i) {
        const vec3s side = polyhedron_normal(of, i);
        if (!(glms_vec3_dot(side, at) > polyhedron_height(of, i, side) - 2 * margin)) continue;
        const vec3s out = convex_turned(of, side), n = of_b ? glms_vec3_negate(out) : out;
        in = edge_normals_with(in, n, convex_gap(a, b, n), of_b ? 2 : 1);
    }
    return in;
}

/* Returns the separation along the mean normal of sides that are equally good. The direction found counts by
 * how much it is better than they are. An overlap is not deeper than before. */
CALLED convex_separation convex_levelled(convex a, convex b, convex_separation found) {
    const scalar width = scalar_min(a.width, b.width),
                 margin = CONVEX_SLOP * width + (scalar)0.02 * scalar_abs(found.gap);
    edge_normals sides;
    sides.count = 0, sides.most = -INFINITY;
    if (!polyhedron_side_count(a) || !polyhedron_side_count(b) || !(found.gap > -CONVEX_DOUBTFUL * width))
        return found;
    sides = convex_sides_near(a, b, sides, found.on_a, 0, margin);
    sides = convex_sides_near(a, b, sides, found.on_b, 1, margin);
    if (sides.count == 0) return found;
    const scalar most = scalar_max(sides.most, found.gap);
    vec3s sum = glms_vec3_scale(found.normal, scalar_max(found.gap - sides.most, 0));
    for (int i = 0; i < sides.count; ++i)
        sum = glms_vec3_add(sum,
                            glms_vec3_scale(sides.normals[i], scalar_max(margin + sides.gaps[i] - most, 0)));
    const vec3s n = glms_vec3_scale(sum, 1 / glms_vec3_norm(sum));
    if (!(glms_vec3_dot(n, found.normal) <= EDGE_PARALLEL)) return found;
    found.normal = n, found.gap = scalar_max(convex_gap(a, b, n), scalar_min(most, 0));
    found.flush = edge_flush_overlap(sides, margin);
    return found;
}

/* Points. */

/* Largest inclination of faces to n, as a cosine: along a more inclined face n gives gaps of bodies that pass
 * each other. */
#define PATCH_LEVEL ((scalar)0.9)

/* Returns the points of a line (of b if `of_b`) on a face with corners or a disc. */
SHARED patch patch_of_line_over(seen_face line, seen_face face, int of_b) {
    return face.round > 0 ? patch_of_line_on_disc(line, face, of_b) : patch_of_line(line, face, of_b);
}

/* Returns the points of two edges that meet over a length. */
SHARED patch patch_of_edges(seen_face a, seen_face b) {
    patch none;
    none.count = 0;
    return a.level > PATCH_LEVEL && b.level > PATCH_LEVEL ? patch_of_lines(a, b) : none;
}

SHARED patch patch_between(seen_face a, seen_face b) {
    patch none;
    none.count = 0;
    if (a.count == 1 || b.count == 1) return none;
    if (a.count == 2 && b.count == 2) return patch_of_edges(a, b);
    if (a.count == 2) return b.level > PATCH_LEVEL ? patch_of_line_over(a, b, 0) : none;
    if (b.count == 2) return a.level > PATCH_LEVEL ? patch_of_line_over(b, a, 1) : none;
    const int flat = !(a.round > 0 || b.round > 0);
    if (flat && !(scalar_max(a.level, b.level) > PATCH_LEVEL))
        return patch_of_edges(seen_edge(a, 1), seen_edge(b, -1));
    if (!(scalar_max(a.level, b.level) > PATCH_LEVEL) || !(scalar_min(a.level, b.level) > 0.1f)) return none;
    if (flat) return patch_of_faces(a, b);
    return a.round > b.round ? patch_of_disc(a, b, 0) : patch_of_disc(b, a, 1);
}

/* Selection of four points. */

/* Returns twice the area of a triangle, positive if it is counter-clockwise. */
SHARED scalar patch_triangle(patch_point p, patch_point q, patch_point r) {
    return (q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u);
}

/* Selects `first`, the point farthest from it, and those that span the largest area on either side of the
 * two; a later point wins only by more than rounding. */
SHARED patch patch_spanned(patch in, int first) {
    int second = first, left = -1, right = -1;
    scalar farthest = 0, left_area = 0, right_area = 0;
    patch out;
    out.count = 0;
    for (int i = 0; i < in.count; ++i) {
        const scalar du = in.points[i].u - in.points[first].u, dv = in.points[i].v - in.points[first].v;
        if (du * du + dv * dv > (scalar)1.01 * farthest) farthest = du * du + dv * dv, second = i;
    }
    for (int i = 0; i < in.count; ++i) {
        const scalar area = patch_triangle(in.points[first], in.points[second], in.points[i]);
        if (i == first || i == second) continue;
        if (area > (scalar)1.01 * left_area) left_area = area, left = i;
        if (-area > (scalar)1.01 * right_area) right_area = -area, right = i;
    }
    out.points[out.count++] = in.points[first];
    if (second != first) out.points[out.count++] = in.points[second];
    if (left >= 0) out.points[out.count++] = in.points[left];
    if (right >= 0) out.points[out.count++] = in.points[right];
    return out;
}

/* Returns the merit of a point: a position in the face that does not change with every small motion,
 * outweighed by depth (a tilt of 1 in 20 outweighs any position). */
SHARED scalar patch_merit(patch_point p) { return (scalar)0.8 * p.u + (scalar)0.6 * p.v - 20 * p.gap; }

SHARED scalar patch_least(patch in) {
    scalar least = in.count ? in.points[0].gap : 0;
    for (int i = 1; i < in.count; ++i) least = scalar_min(least, in.points[i].gap);
    return least;
}

/* Selects four points, one of which is as deep as any within `slop`: an inclined body stands on its deepest
 * point. */
SHARED patch patch_four(patch in, int first, scalar slop) {
    const patch four = patch_spanned(in, first);
    int lowest = 0;
    for (int i = 1; i < in.count; ++i)
        if (in.points[i].gap < in.points[lowest].gap) lowest = i;
    return patch_least(four) > in.points[lowest].gap + slop ? patch_spanned(in, lowest) : four;
}

/* Selects up to four points within reach. The nearest points are first if the others do not come as near. */
SHARED patch patch_chosen(patch in, patch_point nearest, scalar reach, scalar width) {
    const scalar slop = CONVEX_SLOP * width, beside = (scalar)0.2 * width;
    const int joins = !in.count || patch_least(in) > nearest.gap + slop;
    patch out;
    out.count = 0;
    if (joins) out.points[out.count++] = nearest;
    for (int i = 0; i < in.count && out.count < PATCH_POINTS; ++i) {
        const scalar du = in.points[i].u - nearest.u, dv = in.points[i].v - nearest.v;
        if (!(in.points[i].gap <= reach) || (joins && du * du + dv * dv < beside * beside)) continue;
        out.points[out.count] = in.points[i];
        out.points[out.count].gap = scalar_max(in.points[i].gap, nearest.gap);
        ++out.count;
    }
    if (out.count <= MANIFOLD_POINTS) return out;
    int first = 0;
    for (int i = 1; i < out.count && !joins; ++i)
        if (patch_merit(out.points[i]) > patch_merit(out.points[first])) first = i;
    return patch_four(out, first, slop / 10);
}

SHARED manifold_points convex_manifold_of(patch points, view_axes axes) {
    manifold_points out;
    out.count = points.count, out.mean = 0, out.normal = axes.n;
    for (int i = 0; i < points.count; ++i) {
        const patch_point p = points.points[i];
        const vec3s across = glms_vec3_add(glms_vec3_scale(axes.u, p.u), glms_vec3_scale(axes.v, p.v));
        out.points[i].position =
            glms_vec3_add(axes.origin, glms_vec3_add(across, glms_vec3_scale(axes.n, p.middle)));
        out.points[i].gap = p.gap, out.points[i].feature = p.feature;
    }
    return out;
}

SHARED patch_point patch_nearest(view_axes axes, vec3s middle, scalar gap) {
    const vec3s from = glms_vec3_sub(middle, axes.origin);
    patch_point p;
    p.u = glms_vec3_dot(from, axes.u), p.v = glms_vec3_dot(from, axes.v);
    p.middle = glms_vec3_dot(from, axes.n), p.gap = gap, p.side = 0,
    p.feature = feature_of(FEATURE_NEAREST, 0);
    return p;
}

/* Returns the contact points with gap ≤ reach along the normal of a separation. */
CALLED manifold_points convex_points_along(convex a, convex b, convex_separation s, scalar reach) {
    const view_axes axes = view_axes_of(a, a.centre, s.normal);
    const seen_face face_a = seen_from(convex_face_of(a, s.normal), axes, a.radius),
                    face_b = seen_from(convex_face_of(b, glms_vec3_negate(s.normal)), axes, -b.radius);
    const patch_point nearest =
        patch_nearest(axes, glms_vec3_scale(glms_vec3_add(s.on_a, s.on_b), (scalar)0.5), s.gap);
    return convex_manifold_of(
        patch_chosen(patch_between(face_a, face_b), nearest, reach, scalar_min(a.width, b.width)), axes);
}

/* Returns the contact points of two convex bodies with gap ≤ reach. `level`: along the mean normal of sides
 * that are equally good. */
SHARED manifold_points convex_contact_found(convex a, convex b, scalar reach, int level) {
    manifold_points none;
    none.count = none.mean = 0, none.normal = vec3_of(0, 0, 1);
    const convex_separation s = convex_separate(a, b, reach);
    if (!(s.gap <= reach)) return none;
    const convex_separation levelled = level ? convex_levelled(a, b, s) : s;
    manifold_points found = convex_points_along(a, b, levelled, reach - levelled.flush);
    for (int i = 0; i < found.count; ++i) found.points[i].gap += levelled.flush;
    found.mean = glms_vec3_dot(levelled.normal, s.normal) <= EDGE_PARALLEL;
    return found;
}

SHARED manifold_points convex_contact(convex a, convex b, scalar reach) {
    return convex_contact_found(a, b, reach, 0);
}

/* Returns the contact points of a convex body with the half-space below the plane through `origin` with the
 * unit normal `outward`. */
SHARED manifold_points convex_over_plane(convex a, vec3s origin, vec3s outward, scalar reach) {
    const vec3s n = glms_vec3_negate(outward);
    const view_axes axes = view_axes_of(a, origin, n);
    const vec3s lowest = glms_vec3_add(convex_farthest(a, n), glms_vec3_scale(n, a.radius));
    const scalar gap = glms_vec3_dot(outward, glms_vec3_sub(lowest, origin));
    manifold_points none;
    none.count = none.mean = 0, none.normal = n;
    if (!(gap <= reach)) return none;
    const seen_face face = seen_from(convex_face_of(a, n), axes, a.radius);
    patch all;
    all.count = 0;
    for (int i = 0; i < face.count && face.count > 1; ++i) {
        patch_point p;
        p.u = face.u[i], p.v = face.v[i], p.side = 0, p.feature = feature_of_corner_a(face, i);
        all.points[all.count++] = patch_measured(p, face.height[i], 0);
    }
    const vec3s middle = glms_vec3_add(lowest, glms_vec3_scale(n, gap / 2));
    return convex_manifold_of(patch_chosen(all, patch_nearest(axes, middle, gap), reach, a.width), axes);
}

#endif
