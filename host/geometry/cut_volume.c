#include "cut_volume.h"

#include <math.h>

#include "geometry.h"
#include "rotation.h"
#include "shape.h"

/* -- Spheres -----------------------------------------------------------------------------------------------
 *
 * Inclusion and exclusion over the corners p of the box give the volume of the unit sphere inside it from the
 * volumes beyond a corner, O(p) = volume of { ‖x‖ ≤ 1, x ≥ p in every axis }:
 *
 *     V = Σ (−1)^(number of upper coordinates in p) O(p).
 *
 * A plane at −a < 0 is mirrored: the volume beyond it is that beyond the other planes, less the volume beyond
 * a. So planes at a, b, c ≥ 0 remain. The region beyond them is bounded by a patch of the sphere of area S
 * and by flat faces of areas A_a, A_b, A_c at distances a, b, c, whose outward normals point at the centre.
 * The divergence theorem for the field x gives
 *
 *     3 V = S − a A_a − b A_b − c A_c.
 *
 * S follows from Gauss–Bonnet. Its edges are arcs of the small circles in the planes, with radius ρ_a = √(1 −
 * a²), geodesic curvature a/ρ_a and angle φ_a. At the corner of two circles the boundary turns by the angle
 * between the planes' normals projected on the sphere there, e_a − a x and e_b − b x:
 *
 *     S = 2π − Σ a φ_a − Σ corners acos(−a b/(ρ_a ρ_b)).
 *
 * (Checks: one plane, S = 2π (1 − a); three planes through the centre, S = 2π − 3π/2 = 4π/8.) */

/* A face: the part of a disc of radius ρ beyond y = b and z = c, or beyond y = b alone. */
typedef struct face {
    double area, angle; /* of the arc that bounds it, rad */
} face;

static double height(double radius, double at) { return sqrt(fmax(radius * radius - at * at, 0)); }

static face segment(double radius, double b) {
    const double angle = 2 * acos(fmin(b / radius, 1));
    return (face){0.5 * radius * radius * angle - b * height(radius, b), angle};
}

static face corner_of_disc(double radius, double b, double c) {
    const double angle = acos(fmin(b / radius, 1)) - asin(fmin(c / radius, 1));
    return (face){0.5 * (radius * radius * angle - b * (height(radius, b) - c) - c * (height(radius, c) - b)),
                  angle};
}

static double turn(double a, double b) { return acos(-a * b / (height(1, a) * height(1, b))); }

/* Volumes of the unit sphere beyond one, two or three perpendicular planes at distances ≥ 0. */
static double beyond_one(double a) { return M_PI / 3 * (1 - a) * (1 - a) * (2 + a); }

static double beyond_two(double a, double b) {
    if (a * a + b * b >= 1) return 0;
    const face in_a = segment(height(1, a), b), in_b = segment(height(1, b), a);
    const double patch = 2 * M_PI - a * in_a.angle - b * in_b.angle - 2 * turn(a, b);
    return (patch - a * in_a.area - b * in_b.area) / 3;
}

static double beyond_three(const double p[3]) {
    if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] >= 1) return 0;
    double sum = 2 * M_PI;
    for (int i = 0; i < 3; i++) {
        const double a = p[i], b = p[(i + 1) % 3], c = p[(i + 2) % 3];
        const face in_a = corner_of_disc(height(1, a), b, c);
        sum -= a * in_a.angle + turn(a, b) + a * in_a.area;
    }
    return sum / 3;
}

/* Returns the volume of the unit sphere beyond `count` perpendicular planes at any distances. */
static double beyond(const double *planes, int count) {
    double p[3];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (planes[i] >= 1) return 0;
        if (planes[i] > -1) p[kept++] = planes[i];
    }
    for (int i = 0; i < kept; i++) {
        if (p[i] >= 0) continue;
        double rest[3];
        for (int k = 0, n = 0; k < kept; k++)
            if (k != i) rest[n++] = p[k];
        p[i] = -p[i];
        return beyond(rest, kept - 1) - beyond(p, kept);
    }
    return kept == 0   ? 4 * M_PI / 3
           : kept == 1 ? beyond_one(p[0])
           : kept == 2 ? beyond_two(p[0], p[1])
                       : beyond_three(p);
}

double cut_sphere(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const double radius = (double)shape.size.x;
    double sum = 0;
    (void)rotation;
    for (int corner = 0; corner < 8; corner++) {
        double p[3];
        int upper = 0;
        for (int k = 0; k < 3; k++) {
            const int side = corner >> k & 1;
            upper += side;
            p[k] = ((side ? box->upper[k] : box->lower[k]) - centre[k]) / radius;
        }
        sum += (upper % 2 ? -1 : 1) * beyond(p, 3);
    }
    return radius * radius * radius * fmax(sum, 0);
}

/* -- Flat shapes -------------------------------------------------------------------------------------------
 *
 * A box is six tetrahedra around a diagonal. Each triangle of a closed surface forms a tetrahedron with the
 * origin, whose volume is negative if the triangle is clockwise as seen from there; their sum is the solid. A
 * plane cuts a tetrahedron down to nothing, all of it, a smaller one, or a prism, which is three. So every
 * piece is a tetrahedron again and goes to the next plane. Pieces without volume do no harm. */

typedef struct point {
    double x[3];
} point;

/* The side that is kept: n·x ≤ offset. */
typedef struct plane {
    double normal[3], offset;
} plane;

static double height_over(const plane *cut, const point *p) {
    return cut->normal[0] * p->x[0] + cut->normal[1] * p->x[1] + cut->normal[2] * p->x[2] - cut->offset;
}

static double tetrahedron_volume(const point t[4]) {
    double e[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) e[i][k] = t[i + 1].x[k] - t[0].x[k];
    return fabs(e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
           6;
}

static point crossing(const point *a, double height_a, const point *b, double height_b) {
    const double fraction = height_a / (height_a - height_b);
    point out;
    for (int k = 0; k < 3; k++) out.x[k] = a->x[k] + fraction * (b->x[k] - a->x[k]);
    return out;
}

static double cut_tetrahedron(const point t[4], const plane *cuts, int count);

/* Returns the cut volume between the triangles a and b, whose corners i are joined. */
static double cut_prism(const point a[3], const point b[3], const plane *cuts, int count) {
    const point pieces[3][4] = {{a[0], a[1], a[2], b[2]}, {a[0], a[1], b[1], b[2]}, {a[0], b[0], b[1], b[2]}};
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += cut_tetrahedron(pieces[i], cuts, count);
    return sum;
}

/* Returns the volume that all planes leave. */
static double cut_tetrahedron(const point t[4], const plane *cuts, int count) {
    if (!count) return tetrahedron_volume(t);
    point p[4]; /* those inside first */
    double h[4];
    int inside = 0, outside = 4;
    for (int i = 0; i < 4; i++) {
        const double over = height_over(cuts, &t[i]);
        const int at = over <= 0 ? inside++ : --outside;
        p[at] = t[i];
        h[at] = over;
    }
    point on[4][4]; /* crossings of the edges with the plane */
    for (int i = 0; i < inside; i++)
        for (int k = inside; k < 4; k++) on[i][k] = crossing(&p[i], h[i], &p[k], h[k]);
    switch (inside) {
    case 4:
        return cut_tetrahedron(t, cuts + 1, count - 1);
    case 3:
        return cut_prism(p, (point[3]){on[0][3], on[1][3], on[2][3]}, cuts + 1, count - 1);
    case 2:
        return cut_prism((point[3]){p[0], on[0][2], on[0][3]}, (point[3]){p[1], on[1][2], on[1][3]}, cuts + 1,
                         count - 1);
    case 1:
        return cut_tetrahedron((point[4]){p[0], on[0][1], on[0][2], on[0][3]}, cuts + 1, count - 1);
    default:
        return 0;
    }
}

/* Returns the cut volume of the body with these corners; bit k of a corner's index is its end of axis k. */
static double cut_corners(const point corners[8], const plane *cuts, int count) {
    static const int paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}}; /* from 0 to 7 */
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += cut_tetrahedron((point[4]){corners[0], corners[paths[i][0]], corners[paths[i][1]], corners[7]},
                               cuts, count);
    return sum;
}

static void sides_of(const cut_box *box, plane out[6]) {
    for (int i = 0; i < 6; i++) {
        const int axis = i / 2;
        out[i] = (plane){{0}, i % 2 ? box->upper[axis] : -box->lower[axis]};
        out[i].normal[axis] = i % 2 ? 1 : -1;
    }
}

double cut_flat_box(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const double half[3] = {(double)shape.size.x, (double)shape.size.y, (double)shape.size.z};
    point corners[8];
    plane sides[6];
    vec3s axes[3] = {rotate(rotation, vec3_of(1, 0, 0)), rotate(rotation, vec3_of(0, 1, 0)),
                     rotate(rotation, vec3_of(0, 0, 1))};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            corners[i].x[k] = centre[k];
            for (int axis = 0; axis < 3; axis++)
                corners[i].x[k] +=
                    (i >> axis & 1 ? half[axis] : -half[axis]) * (double)vec3_along(axes[axis], k);
        }
    sides_of(box, sides);
    return cut_corners(corners, sides, 6);
}

/* The surface of a hull or a solid. */
double cut_surface(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const mesh *surface = &shape.geometry->surface;
    cut_box around;
    plane sides[6];
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        around.lower[k] = box->lower[k] - centre[k];
        around.upper[k] = box->upper[k] - centre[k];
    }
    sides_of(&around, sides);
    for (int i = 0; i < surface->count; i++) {
        const mesh_triangle *of = &surface->triangles[i];
        point t[4] = {{{0, 0, 0}}};
        for (int k = 0; k < 3; k++) {
            const vec3s at =
                rotate(rotation, glms_vec3_scale(surface->vertices[of->corners[k]], shape.size.x));
            t[k + 1] = (point){{(double)at.x, (double)at.y, (double)at.z}};
        }
        const double inside = cut_tetrahedron(t, sides, 6);
        sum += glms_vec3_dot(of->normal, surface->vertices[of->corners[0]]) < 0 ? -inside : inside;
    }
    return sum;
}

/* The half-space is solid where the body's own z is below 0. */
double cut_half_space(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    (void)shape;
    const vec3s up = rotate(rotation, vec3_of(0, 0, 1));
    plane surface = {{(double)up.x, (double)up.y, (double)up.z}, 0};
    point corners[8];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) corners[i].x[k] = i >> k & 1 ? box->upper[k] : box->lower[k];
    for (int k = 0; k < 3; k++) surface.offset += surface.normal[k] * centre[k];
    return cut_corners(corners, &surface, 1);
}

/* Sheets have no volume. */
double cut_nothing(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    (void)shape;
    (void)centre;
    (void)rotation;
    (void)box;
    return 0;
}

double cut_volume_at(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const double reach = scree_shape_get_radius(shape);
    bool whole = true;
    for (int k = 0; k < 3; k++) {
        if (centre[k] + reach <= box->lower[k] || centre[k] - reach >= box->upper[k]) return 0;
        whole = whole && centre[k] - reach >= box->lower[k] && centre[k] + reach <= box->upper[k];
    }
    return whole && isfinite(scree_shape_get_volume(shape))
               ? scree_shape_get_volume(shape)
               : shape_row_of(shape)->cut(shape, centre, rotation, box);
}

double cut_volume(scree_shape shape, body_pose pose, const cut_box *box) {
    const double centre[3] = {(double)pose.position.x, (double)pose.position.y, (double)pose.position.z};
    return cut_volume_at(shape, centre, pose.rotation, box);
}
