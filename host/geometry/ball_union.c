/* The union is cut into slices x = constant, each a plane region bounded by the arcs of circles that no
 * other disc covers. Green's theorem gives its area and moments,
 *
 *     ∫∫ yᵖ z^q dy dz = 1/(p + 1) ∮ yᵖ⁺¹ z^q dz,
 *
 * with y = a + R cos θ, z = b + R sin θ; Gauss quadrature on pieces of an arc is exact to round-off.
 * Between the ends of the spheres and of their circles of intersection the slices' moments are smooth in
 * x. They are integrated by adaptive Simpson quadrature. */
#include "solid_moments.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SUMS = 10, GAUSS = 6, DEPTH = 14, CIRCLES = 512 };
static const double TOLERANCE = 1e-8; /* relative to the volume; divided among the intervals */

typedef struct disc {
    double y, z, radius;
} disc;

typedef struct arc {
    double from, to; /* rad */
} arc;

/* Inputs and scratch of the quadrature. */
typedef struct slicer {
    const solid_ball *balls;
    int count;
    disc *discs;
    arc *covered;
    double scale; /* of the sums: V, V L and V L² */
    double length;
} slicer;

static int compare_arcs(const void *a, const void *b) {
    const arc *one = a, *other = b;
    return (one->from > other->from) - (one->from < other->from);
}

/* Adds the contribution of an arc to the integrals of 1, y, z, yy, zz, yz. */
static void add_arc(const disc *of, double from, double to, double sums[6]) {
    static const double at[GAUSS] = {-0.9324695142031521, -0.6612093864662645, -0.2386191860831969,
                                     0.2386191860831969,  0.6612093864662645,  0.9324695142031521};
    static const double weight[GAUSS] = {0.1713244923791704, 0.3607615730481386, 0.4679139345726910,
                                         0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
    const int pieces = (int)ceil((to - from) / (M_PI / 4));
    for (int piece = 0; piece < pieces; piece++) {
        const double half = (to - from) / pieces / 2, middle = from + (2 * piece + 1) * half;
        for (int k = 0; k < GAUSS; k++) {
            const double angle = middle + half * at[k], c = cos(angle);
            const double y = of->y + of->radius * c, z = of->z + of->radius * sin(angle);
            const double along = weight[k] * half * of->radius * c; /* dz */
            sums[0] += along * y;
            sums[1] += along * y * y / 2;
            sums[2] += along * y * z;
            sums[3] += along * y * y * y / 3;
            sums[4] += along * y * z * z;
            sums[5] += along * y * y * z / 2;
        }
    }
}

static int cover(arc *covered, int count, double from, double to) {
    if (from < 0) {
        from += 2 * M_PI;
        to += 2 * M_PI;
    }
    if (from >= 2 * M_PI) {
        from -= 2 * M_PI;
        to -= 2 * M_PI;
    }
    covered[count++] = (arc){from, fmin(to, 2 * M_PI)};
    if (to > 2 * M_PI) covered[count++] = (arc){0, to - 2 * M_PI};
    return count;
}

/* Finds the arcs of disc i that others cover; returns their number, or −1 if it is covered entirely. The
 * first of several equal discs is kept. */
static int covered_arcs(const slicer *self, int discs, int i) {
    const disc *of = &self->discs[i];
    int count = 0;
    for (int j = 0; j < discs; j++) {
        const disc *by = &self->discs[j];
        const double y = by->y - of->y, z = by->z - of->z, d = hypot(y, z);
        if (j == i || d >= of->radius + by->radius) continue;
        if (d + of->radius <= by->radius) {
            if (d + by->radius > of->radius || j < i) return -1;
            continue;
        }
        if (d + by->radius <= of->radius) continue;
        const double cosine =
            (d * d + of->radius * of->radius - by->radius * by->radius) / (2 * d * of->radius);
        const double half = acos(fmax(-1, fmin(1, cosine))), middle = atan2(z, y);
        count = cover(self->covered, count, middle - half, middle + half);
    }
    return count;
}

static void slice(const slicer *self, double x, double out[SUMS]) {
    double sums[6] = {0};
    int discs = 0;
    for (int i = 0; i < self->count; i++) {
        const solid_ball *of = &self->balls[i];
        const double away = x - of->x, r = of->radius, square = r * r - away * away;
        if (square > 0) self->discs[discs++] = (disc){of->y, of->z, sqrt(square)};
    }
    for (int i = 0; i < discs; i++) {
        const int count = covered_arcs(self, discs, i);
        double free_from = 0;
        if (count < 0) continue;
        qsort(self->covered, (size_t)count, sizeof *self->covered, compare_arcs);
        for (int k = 0; k < count; k++) {
            if (self->covered[k].from > free_from)
                add_arc(&self->discs[i], free_from, self->covered[k].from, sums);
            free_from = fmax(free_from, self->covered[k].to);
        }
        if (free_from < 2 * M_PI) add_arc(&self->discs[i], free_from, 2 * M_PI, sums);
    }
    const double l = self->length; /* sums in units of V, V L and V L² */
    const double all[SUMS] = {sums[0],
                              x * sums[0] / l,
                              sums[1] / l,
                              sums[2] / l,
                              x * x * sums[0] / (l * l),
                              sums[3] / (l * l),
                              sums[4] / (l * l),
                              sums[5] / (l * l),
                              x * sums[2] / (l * l),
                              x * sums[1] / (l * l)};
    memcpy(out, all, sizeof all);
}

/* Bisects with Simpson's rule until both levels agree (Richardson's error estimate). */
static void integrate(const slicer *self, double from, double to, const double low[SUMS],
                      const double middle[SUMS], const double high[SUMS], double tolerance, int depth,
                      double out[SUMS]) {
    const double width = to - from, at = (from + to) / 2;
    double left[SUMS], right[SUMS], worst = 0, sum[SUMS];
    slice(self, (from + at) / 2, left);
    slice(self, (at + to) / 2, right);
    for (int i = 0; i < SUMS; i++) {
        const double once = width / 6 * (low[i] + 4 * middle[i] + high[i]);
        const double twice = width / 12 * (low[i] + 4 * left[i] + 2 * middle[i] + 4 * right[i] + high[i]);
        sum[i] = twice + (twice - once) / 15;
        worst = fmax(worst, fabs(twice - once) / 15);
    }
    if (worst <= tolerance || depth == 0) {
        for (int i = 0; i < SUMS; i++) out[i] += sum[i];
        return;
    }
    integrate(self, from, at, low, left, middle, tolerance / 2, depth - 1, out);
    integrate(self, at, to, middle, right, high, tolerance / 2, depth - 1, out);
}

static int compare_numbers(const void *a, const void *b) {
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* Finds the extent along x of the circle of intersection of two spheres; returns the number of values, 0
 * or 2. */
static int circle_ends(const solid_ball *a, const solid_ball *b, double *out) {
    const double n[3] = {b->x - a->x, b->y - a->y, b->z - a->z};
    const double r = a->radius, s = b->radius, d = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(d > 0)) return 0;
    const double t = (d * d + r * r - s * s) / (2 * d), square = r * r - t * t, along = n[0] / d;
    if (!(square > 0)) return 0;
    const double middle = a->x + t * along, half = sqrt(square * fmax(0, 1 - along * along));
    out[0] = middle - half;
    out[1] = middle + half;
    return 2;
}

/* Finds the places along x where slices change, so that the quadrature misses no ball. If there are more
 * circles than the array can hold, uses the ends of all balls and even intervals instead. */
static int find_breaks(const slicer *self, double *out) {
    int count = 0;
    for (int i = 0; i < self->count; i++) {
        const double x = self->balls[i].x, r = self->balls[i].radius;
        out[count++] = x - r;
        out[count++] = x + r;
    }
    const int ends = count;
    for (int i = 0; i < self->count; i++)
        for (int j = 0; j < i && count <= ends + CIRCLES; j++)
            count += circle_ends(&self->balls[i], &self->balls[j], out + count);
    if (count > ends + CIRCLES) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < ends; i++) {
            low = fmin(low, out[i]);
            high = fmax(high, out[i]);
        }
        for (int i = 1; i < CIRCLES; i++) out[ends + i - 1] = low + (high - low) * i / CIRCLES;
        count = ends + CIRCLES - 1;
    }
    qsort(out, (size_t)count, sizeof *out, compare_numbers);
    return count;
}

static void sum_up(slicer *self, double *breaks, double sums[SUMS]) {
    double largest = 0;
    const int count = find_breaks(self, breaks);
    self->length = breaks[count - 1] - breaks[0];
    for (int i = 0; i < self->count; i++) {
        const double r = self->balls[i].radius;
        largest = fmax(largest, r);
        self->length = fmax(self->length, fmax(fabs(self->balls[i].y) + r, fabs(self->balls[i].z) + r));
    }
    const double tolerance = TOLERANCE * 4 * largest * largest * largest / count;
    for (int i = 0; i + 1 < count; i++) {
        double low[SUMS], middle[SUMS], high[SUMS];
        const double from = breaks[i], to = breaks[i + 1];
        if (!(to > from)) continue;
        slice(self, from, low);
        slice(self, (from + to) / 2, middle);
        slice(self, to, high);
        integrate(self, from, to, low, middle, high, tolerance, DEPTH, sums);
    }
}

scree_result ball_union_moments(const solid_ball *balls, int count, solid_moments *out) {
    const size_t n = (size_t)count, places = 2 * n + CIRCLES + 2;
    SCOPED double *breaks = memory_allocate(places, sizeof *breaks);
    SCOPED disc *discs = memory_allocate(n, sizeof *discs);
    SCOPED arc *covered = memory_allocate(2 * n, sizeof *covered);
    if (!breaks || !discs || !covered)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a clump of %d spheres", count);
    slicer self = {.balls = balls, .count = count, .discs = discs, .covered = covered};
    double sums[SUMS] = {0};
    sum_up(&self, breaks, sums);
    const double l = self.length;
    *out = (solid_moments){.volume = sums[0]};
    for (int k = 0; k < 3; k++) out->first[k] = sums[1 + k] * l;
    for (int k = 0; k < 6; k++) out->second[k] = sums[4 + k] * l * l;
    return SCREE_OK;
}
