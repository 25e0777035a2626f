/* Volume inside a box of shapes that are round about an axis: integrates the area shared by a disc and the
 * box's polygon over slices across the axis. Gauss's rule applies between the heights at which the polygon or
 * the outline has a corner, a side of the polygon touches the disc, or a corner of it crosses the circle. An
 * ellipsoid is the unit sphere in coordinates divided by its semi-axes, where the box is a parallelepiped,
 * whose slices are polygons as well. */
#include "cut_volume.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "rotation.h"

enum { PIECES = 3, TOUCHES = (6 + 12) * 2 * PIECES, HEIGHTS = 12 + TOUCHES, POLYGON = 16, SAMPLES = 8 };

/* The body is where x² + y² ≤ square(z), low ≤ z ≤ high. The outline has corners at ± `corner`. Lengths are
 * divided by `scale`. */
typedef struct outline {
    double low, high, corner;
    double radius, height; /* parameters of `square` */
    double (*square)(const struct outline *self, double z);
    double scale[3];
} outline;

/* The box in the body's coordinates: coordinate k of the world is centre[k] + Σ axes[k][i] x[i]. */
typedef struct cutter {
    double centre[3], axes[3][3];
    const cut_box *box;
} cutter;

typedef struct corner {
    double x, y;
} corner;

static double cross(corner a, corner b) { return a.x * b.y - a.y * b.x; }
static double dot(corner a, corner b) { return a.x * b.x + a.y * b.y; }
static double sector(corner a, corner b, double square) { return square / 2 * atan2(cross(a, b), dot(a, b)); }

/* Returns the signed area shared by the disc about the origin and the triangle from it to a and b: a sector
 * up to where the edge enters the disc, a triangle, a sector. */
static double disc_and_triangle(corner a, corner b, double square) {
    const corner along = {b.x - a.x, b.y - a.y};
    const double length = dot(along, along), middle = dot(a, along), rest = dot(a, a) - square;
    const double root = middle * middle - length * rest;
    if (!(root > 0)) return sector(a, b, square);
    const double enter = (-middle - sqrt(root)) / length, leave = (-middle + sqrt(root)) / length;
    if (enter >= 1 || leave <= 0) return sector(a, b, square);
    const double from = fmax(enter, 0), to = fmin(leave, 1);
    const corner p = {a.x + from * along.x, a.y + from * along.y},
                 q = {a.x + to * along.x, a.y + to * along.y};
    return (enter > 0 ? sector(a, p, square) : 0) + cross(p, q) / 2 + (leave < 1 ? sector(q, b, square) : 0);
}

/* Clips a polygon to a x + b y ≤ c. */
static int clip(const corner *in, int count, double a, double b, double c, corner *out) {
    int kept = 0;
    for (int i = 0; i < count && kept + 2 <= POLYGON; i++) {
        const corner here = in[i], next = in[i + 1 < count ? i + 1 : 0];
        const double over = a * here.x + b * here.y - c, next_over = a * next.x + b * next.y - c;
        if (over <= 0) out[kept++] = here;
        if ((over <= 0) == (next_over <= 0)) continue;
        const double fraction = over / (over - next_over);
        out[kept++] = (corner){here.x + fraction * (next.x - here.x), here.y + fraction * (next.y - here.y)};
    }
    return kept;
}

static double slice(const outline *of, const cutter *by, double z) {
    const double square = of->square(of, z), r = sqrt(fmax(square, 0));
    corner one[POLYGON] = {{-r, -r}, {r, -r}, {r, r}, {-r, r}}, other[POLYGON];
    int count = 4;
    for (int k = 0; k < 3; k++) {
        const double *axis = by->axes[k], at = by->centre[k] + axis[2] * z;
        count = clip(one, count, axis[0], axis[1], by->box->upper[k] - at, other);
        count = clip(other, count, -axis[0], -axis[1], at - by->box->lower[k], one);
    }
    double area = 0;
    for (int i = 0; i < count; i++) area += disc_and_triangle(one[i], one[i + 1 < count ? i + 1 : 0], square);
    return area;
}

/* Integrates by Gauss's rule with z = middle + half (3 s − s³)/2 instead of s, which smooths the powers 3/2
 * with which areas begin. */
static double between(const outline *of, const cutter *by, double low, double high) {
    static const double nodes[SAMPLES / 2] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                              0.9602898564975363},
                                        weights[SAMPLES / 2] = {0.3626837833783620, 0.3137066458778873,
                                                                0.2223810344533745, 0.1012285362903763};
    double sum = 0;
    const double half = (high - low) / 2, middle = (high + low) / 2;
    for (int i = 0; i < SAMPLES / 2; i++) {
        const double s = nodes[i], at = half * s * (3 - s * s) / 2, weight = 1.5 * (1 - s * s) * weights[i];
        sum += weight * (slice(of, by, middle - at) + slice(of, by, middle + at));
    }
    return half * sum;
}

static int compare_heights(const void *a, const void *b) {
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* Finds the zeros of f between two heights, from three values of a quadratic at low, in the middle and at
 * high. A missing zero is set to the lower end. */
static void zeros(const double f[3], double low, double high, double out[2]) {
    /* f over t = 0 … 2: f0 + p t + q t². */
    const double q = (f[2] - 2 * f[1] + f[0]) / 2, p = f[1] - f[0] - q, root = p * p - 4 * q * f[0];
    const double s = -(p + copysign(sqrt(fmax(root, 0)), p)) / 2, roots[2] = {s / q, f[0] / s};
    for (int i = 0; i < 2; i++) {
        const bool there = root > 0 && roots[i] > 0 && roots[i] < 2;
        out[i] = there ? low + roots[i] * (high - low) / 2 : low;
    }
}

/* A plane a x + b y + c z = d touches the disc where (d − c z)² = (a² + b²) square(z). Between two corners of
 * the outline both sides are quadratic in z. */
static void touches(const outline *of, const cutter *by, int face, double low, double high, double out[2]) {
    const double *axis = by->axes[face / 2];
    const double d = (face % 2 ? by->box->upper : by->box->lower)[face / 2] - by->centre[face / 2];
    double f[3];
    for (int i = 0; i < 3; i++) {
        const double z = low + i * (high - low) / 2, over = d - axis[2] * z;
        f[i] = over * over - (axis[0] * axis[0] + axis[1] * axis[1]) * of->square(of, z);
    }
    zeros(f, low, high, out);
}

/* The line x = p + s w along an edge of the box crosses the body's surface where x² + y² = square(z), which
 * is quadratic as well. Multiplied by w_z², the equation also holds for lines across the axis. */
static void crossings(const outline *of, const cutter *by, int edge, double low, double high, double out[2]) {
    const int k = edge / 4, a = (k + 1) % 3, b = (k + 2) % 3;
    const double d[2] = {(edge & 1 ? by->box->upper : by->box->lower)[a] - by->centre[a],
                         (edge & 2 ? by->box->upper : by->box->lower)[b] - by->centre[b]};
    double p[3], w[3], f[3];
    for (int i = 0; i < 3; i++) {
        const double square = of->scale[i] * of->scale[i];
        p[i] = (d[0] * by->axes[a][i] + d[1] * by->axes[b][i]) / square;
        w[i] = by->axes[k][i] / square;
    }
    for (int i = 0; i < 3; i++) {
        const double z = low + i * (high - low) / 2, x = p[0] * w[2] + (z - p[2]) * w[0],
                     y = p[1] * w[2] + (z - p[2]) * w[1];
        f[i] = x * x + y * y - w[2] * w[2] * of->square(of, z);
    }
    zeros(f, low, high, out);
}

static double cut(const outline *of, const double centre[3], versors rotation, const cut_box *box) {
    const vec3s turned[3] = {rotate(rotation, vec3_of(1, 0, 0)), rotate(rotation, vec3_of(0, 1, 0)),
                             rotate(rotation, vec3_of(0, 0, 1))};
    cutter by = {.box = box};
    double heights[HEIGHTS] = {of->low, fmax(-of->corner, of->low), fmin(of->corner, of->high), of->high};
    for (int k = 0; k < 3; k++) {
        by.centre[k] = centre[k];
        for (int i = 0; i < 3; i++) by.axes[k][i] = (double)vec3_along(turned[i], k) * of->scale[i];
    }
    for (int i = 0; i < 8; i++) {
        double z = 0;
        for (int k = 0; k < 3; k++)
            z +=
                ((i >> k & 1 ? box->upper[k] : box->lower[k]) - centre[k]) * (double)vec3_along(turned[2], k);
        heights[4 + i] = fmin(fmax(z / of->scale[2], of->low), of->high);
    }
    double *next = heights + 12;
    for (int piece = 0; piece < PIECES; piece++) {
        const double low = heights[piece], high = heights[piece + 1];
        for (int face = 0; face < 6; face++, next += 2) touches(of, &by, face, low, high, next);
        for (int edge = 0; edge < 12; edge++, next += 2) crossings(of, &by, edge, low, high, next);
    }
    qsort(heights, HEIGHTS, sizeof *heights, compare_heights);
    double sum = 0;
    for (int i = 0; i + 1 < HEIGHTS; i++)
        if (heights[i + 1] > heights[i]) sum += between(of, &by, heights[i], heights[i + 1]);
    return sum * of->scale[0] * of->scale[1] * of->scale[2];
}

static double capsule_square(const outline *self, double z) {
    const double beyond = fmax(fabs(z) - self->corner, 0);
    return self->radius * self->radius - beyond * beyond;
}
static double cylinder_square(const outline *self, double z) { return (void)z, self->radius * self->radius; }
static double cone_square(const outline *self, double z) {
    const double r = self->radius * (self->high - z) / self->height;
    return r * r;
}
static double ball_square(const outline *self, double z) { return (void)self, 1 - z * z; }

double cut_capsule(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const double r = (double)shape.size.x, half = (double)shape.size.y;
    const outline of = {-r - half, r + half, half, r, 0, capsule_square, {1, 1, 1}};
    return cut(&of, centre, rotation, box);
}

double cut_cylinder(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const double r = (double)shape.size.x, half = (double)shape.size.y;
    const outline of = {-half, half, half, r, 0, cylinder_square, {1, 1, 1}};
    return cut(&of, centre, rotation, box);
}

double cut_cone(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const double r = (double)shape.size.x, h = (double)shape.size.y;
    const outline of = {-h / 4, h * 3 / 4, h, r, h, cone_square, {1, 1, 1}};
    return cut(&of, centre, rotation, box);
}

double cut_ellipsoid(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const double x = (double)shape.size.x, y = (double)shape.size.y, z = (double)shape.size.z;
    const outline of = {-1, 1, 1, 1, 0, ball_square, {x, y, z}};
    return cut(&of, centre, rotation, box);
}
