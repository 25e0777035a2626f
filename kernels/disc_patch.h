/* Contact points of a flat face or a line with a disc, clipped at the circle itself instead of its eight
 * points.
 *
 * A disc is seen as an ellipse. In coordinates (x, y) along the radii to its points 0 and 2 it is the unit
 * circle. A line from p (t = 0) to p + d (t = 1) is inside where |p + t d|² ≤ 1,
 *
 *     t = (−p·d ∓ √D)/d²,  D = (p·d)² − d² (p² − 1),
 *
 * and D/d² = 1 − δ², with δ the distance of the line from the centre.
 *
 * The corners of the clipped face are the face's corners inside the circle, the ends of the parts of its
 * edges inside the circle, and, on the arcs between these, the disc's eight points. If the face is off the
 * disc's centre, and perhaps small, the rim point farthest towards the face's middle joins. */
#ifndef SCREE_KERNELS_DISC_PATCH_H
#define SCREE_KERNELS_DISC_PATCH_H

#include "face_patch.h"

/* Coordinates x = (x_u, x_v)·((u, v) − centre), and y accordingly. */
typedef struct seen_disc {
    scalar u, v, x_u, x_v, y_u, y_v;
} seen_disc;

typedef struct disc_place {
    scalar x, y;
} disc_place;

/* Part t = from … to of an edge inside the circle; empty if to ≤ from. */
typedef struct disc_chord {
    scalar from, to;
} disc_chord;

SHARED seen_disc seen_disc_of(seen_face f) {
    seen_disc out;
    out.u = (f.u[0] + f.u[4]) / 2, out.v = (f.v[0] + f.v[4]) / 2;
    const scalar e_u = f.u[0] - out.u, e_v = f.v[0] - out.v, g_u = f.u[2] - out.u, g_v = f.v[2] - out.v,
                 all = e_u * g_v - e_v * g_u;
    out.x_u = g_v / all, out.x_v = -g_u / all, out.y_u = -e_v / all, out.y_v = e_u / all;
    return out;
}

SHARED disc_place disc_place_of(seen_disc disc, scalar u, scalar v) {
    disc_place out;
    out.x = disc.x_u * (u - disc.u) + disc.x_v * (v - disc.v);
    out.y = disc.y_u * (u - disc.u) + disc.y_v * (v - disc.v);
    return out;
}

SHARED scalar disc_distance(disc_place p, disc_place q) {
    return scalar_sqrt((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y));
}

/* An edge that only grazes the circle does not cut it, so that an edge along the rim does not come and go
 * with every small motion. */
SHARED disc_chord disc_chord_of(disc_place p, disc_place q) {
    const scalar x = q.x - p.x, y = q.y - p.y, square = x * x + y * y, along = p.x * x + p.y * y,
                 all = along * along - square * (p.x * p.x + p.y * p.y - 1),
                 least = 2 * PATCH_BESIDE * scalar_min(1, scalar_sqrt(square));
    disc_chord out;
    out.from = 0, out.to = -1;
    if (!(all > least * square)) return out;
    const scalar root = scalar_sqrt(all);
    out.from = scalar_max(0, (-along - root) / square), out.to = scalar_min(1, (-along + root) / square);
    return out;
}

/* Faces. */

/* A face and the disc that clips it, which is b if `disc_is_b`, with the corners of both in the disc's
 * coordinates. Points within `near` of a corner have its feature. */
typedef struct disc_cut {
    seen_face round, flat;
    int disc_is_b;
    scalar near;
    disc_place rim[FACE_POINTS], corners[FACE_POINTS];
} disc_cut;

SHARED disc_cut disc_cut_of(seen_face round, seen_face flat, int disc_is_b) {
    const seen_disc disc = seen_disc_of(round);
    disc_cut self;
    self.round = round, self.flat = flat, self.disc_is_b = disc_is_b;
    for (int i = 0; i < FACE_POINTS; ++i) {
        self.rim[i] = disc_place_of(disc, round.u[i], round.v[i]);
        self.corners[i] = disc_place_of(disc, flat.u[i], flat.v[i]);
    }
    self.near = disc_distance(self.rim[0], self.rim[1]);
    for (int i = 0; i < flat.count; ++i)
        self.near = scalar_min(self.near,
                               disc_distance(self.corners[i], self.corners[i + 1 < flat.count ? i + 1 : 0]));
    self.near *= PATCH_END;
    return self;
}

SHARED unsigned int disc_feature_of_rim(disc_cut self, int i) {
    return self.disc_is_b ? feature_of_corner_b(self.round, i) : feature_of_corner_a(self.round, i);
}
SHARED unsigned int disc_feature_of_corner(disc_cut self, int i) {
    return self.disc_is_b ? feature_of_corner_a(self.flat, i) : feature_of_corner_b(self.flat, i);
}

/* Returns the feature of the corner at a point, preferably of a; else `otherwise`. */
SHARED unsigned int disc_name(disc_cut self, disc_place at, unsigned int otherwise) {
    int rim = -1, corner = -1;
    for (int i = 0; i < FACE_POINTS; ++i) {
        if (disc_distance(self.rim[i], at) <= self.near) rim = i;
        if (i < self.flat.count && disc_distance(self.corners[i], at) <= self.near) corner = i;
    }
    if (rim >= 0 && (corner < 0 || !self.disc_is_b)) return disc_feature_of_rim(self, rim);
    return corner >= 0 ? disc_feature_of_corner(self, corner) : otherwise;
}

SHARED patch disc_patch_with(patch in, disc_cut self, disc_place at, unsigned int otherwise) {
    const seen_face round = self.round;
    const scalar u = (round.u[0] + round.u[4]) / 2, v = (round.v[0] + round.v[4]) / 2;
    patch_point p;
    p.u = u + at.x * (round.u[0] - u) + at.y * (round.u[2] - u);
    p.v = v + at.x * (round.v[0] - v) + at.y * (round.v[2] - v);
    p.side = 0, p.feature = disc_name(self, at, otherwise);
    const scalar of_disc = seen_height(round, p.u, p.v), of_flat = seen_height(self.flat, p.u, p.v);
    return patch_with(in, self.disc_is_b ? patch_measured(p, of_flat, of_disc)
                                         : patch_measured(p, of_disc, of_flat));
}

/* Returns whether a point of the rim is on the left of all edges, or on them. */
SHARED int disc_covered(disc_cut self, disc_place at) {
    for (int i = 0; i < self.flat.count; ++i) {
        const disc_place from = self.corners[i], to = self.corners[i + 1 < self.flat.count ? i + 1 : 0];
        const scalar length = disc_distance(from, to),
                     left = (to.x - from.x) * (at.y - from.y) - (to.y - from.y) * (at.x - from.x);
        if (left < -PATCH_BESIDE * length * scalar_min(1, length)) return 0;
    }
    return 1;
}

/* Returns the mean of the face's corners. */
SHARED disc_place disc_middle(disc_cut self) {
    disc_place sum;
    sum.x = sum.y = 0;
    for (int i = 0; i < self.flat.count; ++i) sum.x += self.corners[i].x, sum.y += self.corners[i].y;
    sum.x /= (scalar)self.flat.count, sum.y /= (scalar)self.flat.count;
    return sum;
}

/* Returns the points of a disc (of b if `disc_is_b`) and a flat face. */
SHARED patch patch_of_disc(seen_face round, seen_face flat, int disc_is_b) {
    const disc_cut self = disc_cut_of(round, flat, disc_is_b);
    patch out;
    out.count = 0;
    int crossings = 0;
    for (int i = 0; i < flat.count; ++i) {
        const disc_place here = self.corners[i], next = self.corners[i + 1 < flat.count ? i + 1 : 0];
        const disc_chord chord = disc_chord_of(here, next);
        if (here.x * here.x + here.y * here.y <= 1)
            out = disc_patch_with(out, self, here, disc_feature_of_corner(self, i));
        for (int end = 0; end < 2 && chord.to > chord.from; ++end) {
            const scalar t = end ? chord.to : chord.from;
            if (!(t > 0 && t < 1)) continue;
            disc_place at;
            at.x = here.x + t * (next.x - here.x), at.y = here.y + t * (next.y - here.y);
            out = disc_patch_with(out, self, at,
                                  disc_is_b ? feature_of_crossing(flat, i, round, end)
                                            : feature_of_crossing(round, end, flat, i));
            ++crossings;
        }
    }
    for (int i = 0; i < FACE_POINTS; ++i)
        if (disc_covered(self, self.rim[i]))
            out = disc_patch_with(out, self, self.rim[i], disc_feature_of_rim(self, i));
    disc_place farthest = disc_middle(self);
    const scalar square = farthest.x * farthest.x + farthest.y * farthest.y, length = scalar_sqrt(square);
    if (crossings == 0 || !(square > (scalar)0.25)) return out;
    farthest.x /= length, farthest.y /= length;
    return disc_covered(self, farthest) ? disc_patch_with(out, self, farthest, feature_of(FEATURE_NEAREST, 1))
                                        : out;
}

/* Lines. */

/* Returns the points of a line (of b if `of_b`) on a disc. */
SHARED patch patch_of_line_on_disc(seen_face line, seen_face round, int of_b) {
    const seen_disc disc = seen_disc_of(round);
    const disc_chord chord =
        disc_chord_of(disc_place_of(disc, line.u[0], line.v[0]), disc_place_of(disc, line.u[1], line.v[1]));
    return patch_of_line_part(line, round, of_b, chord.from, chord.to, 0, 0);
}

#endif
