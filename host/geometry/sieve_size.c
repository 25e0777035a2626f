#include "solid_moments.h"

#include "base/error.h"
#include "base/memory.h"
#include "hull.h"

#include <math.h>
#include <stdbool.h>

/* A ball projected along the normal. */
typedef struct disc {
    double x, y, radius;
} disc;

typedef struct box_search {
    int count, outer_count, turn_count;
    disc *discs;
    int *outer;    /* discs on the hull of all discs */
    bool *touched; /* whether a disc is in `outer` */
    double *turns; /* angles at which the hull's support passes from one disc to another */
    double least_radius, volume, middle;
} box_search;

/* Tolerances: relative for volumes of boxes and for reaches of discs; rad for angles. */
static const double EQUAL_VOLUME = 1e-6, EQUAL_PLACE = 1e-12, SAME_ANGLE = 1e-12;

static double reach(const disc *of, double c, double s) { return of->x * c + of->y * s + of->radius; }

/* Returns the disc with the largest reach in a direction and adds it to `outer`. */
static int farthest(box_search *self, double angle) {
    const double c = cos(angle), s = sin(angle);
    double most = -INFINITY;
    int best = 0;
    for (int i = 0; i < self->count; i++) {
        const double it = reach(&self->discs[i], c, s);
        if (it > most) {
            most = it;
            best = i;
        }
    }
    if (!self->touched[best]) {
        self->touched[best] = true;
        self->outer[self->outer_count++] = best;
    }
    return best;
}

/* Shifts an angle into [a, a + 2π). */
static double past(double angle, double a) {
    while (angle < a) angle += 2 * M_PI;
    while (angle >= a + 2 * M_PI) angle -= 2 * M_PI;
    return angle;
}

static void find_turns(box_search *self, double a, int i, double b, int j);

/* Between a and b, where disc i supports at both ends, looks for a smaller disc that protrudes from behind
 * it. */
static void find_bulge(box_search *self, double a, int i, double b) {
    const disc *of = &self->discs[i];
    double most = EQUAL_PLACE * of->radius, at = a;
    if (!(of->radius > self->least_radius)) return;
    for (int k = 0; k < self->count; k++) {
        const disc *to = &self->discs[k];
        if (to->radius >= of->radius) continue;
        const double x = to->x - of->x, y = to->y - of->y, beyond = hypot(x, y) + to->radius - of->radius;
        if (beyond <= most) continue;
        const double angle = past(atan2(y, x), a);
        if (angle > a + SAME_ANGLE && angle < b - SAME_ANGLE) {
            most = beyond;
            at = angle;
        }
    }
    if (at <= a) return;
    const int k = farthest(self, at);
    if (k == i) return;
    find_turns(self, a, i, at, k);
    find_turns(self, at, k, b, i);
}

/* Between a and b, where discs i and j support, both reach equally far where D cos(θ − φ) = r_i − r_j,
 * with D and φ of the vector from i to j. If a third disc reaches farther there, splits the interval. */
static void find_turns(box_search *self, double a, int i, double b, int j) {
    const disc *of = &self->discs[i], *to = &self->discs[j];
    const double x = to->x - of->x, y = to->y - of->y, way = hypot(x, y);
    if (i == j) {
        find_bulge(self, a, i, b);
        return;
    }
    const double turned = way > 0 ? acos(fmax(-1, fmin(1, (of->radius - to->radius) / way))) : 0;
    const double angle = fmax(a, fmin(past(atan2(y, x) - turned, a - 1), b)), c = cos(angle), s = sin(angle);
    const int k = farthest(self, angle);
    const double most = reach(&self->discs[k], c, s);
    if (k != i && k != j && angle > a + SAME_ANGLE && angle < b - SAME_ANGLE &&
        most - reach(of, c, s) > EQUAL_PLACE * (fabs(most) + way)) {
        find_turns(self, a, i, angle, k);
        find_turns(self, angle, k, b, j);
        return;
    }
    if (self->turn_count < 4 * self->count) self->turns[self->turn_count++] = angle;
    find_bulge(self, a, i, angle);
    find_bulge(self, angle, j, b);
}

/* Returns the width in a direction. */
static double width_at(const box_search *self, double angle) {
    const double c = cos(angle), s = sin(angle);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < self->outer_count; i++) {
        const disc *of = &self->discs[self->outer[i]];
        high = fmax(high, reach(of, c, s));
        low = fmin(low, -reach(of, -c, -s));
    }
    return high - low;
}

static void take_box(box_search *self, double a, double b, double c) {
    const double volume = a * b * c, middle = fmax(fmin(a, b), fmin(fmax(a, b), c));
    if (volume > self->volume * (1 + EQUAL_VOLUME)) return;
    const bool less = volume < self->volume * (1 - EQUAL_VOLUME);
    self->middle = less ? middle : fmin(self->middle, middle);
    self->volume = fmin(self->volume, volume);
}

/* Completes a unit vector to an orthonormal basis. */
static void span(const double n[3], double u[3], double v[3]) {
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(n[k]) < fabs(n[least])) least = k;
    const int j = (least + 1) % 3, k = (least + 2) % 3;
    const double length = hypot(n[j], n[k]);
    u[least] = 0;
    u[j] = n[k] / length;
    u[k] = -n[j] / length;
    for (int i = 0; i < 3; i++) v[i] = n[(i + 1) % 3] * u[(i + 2) % 3] - n[(i + 2) % 3] * u[(i + 1) % 3];
}

/* Tries boxes with a side normal to n. While the supporting discs stay the same, the logarithm of a width
 *
 *     w(θ) = D cos(θ − φ) + r_i + r_j,  D cos(θ − φ) ≥ 0
 *
 * is concave in the angle, so the rectangle of least area has a side that touches two discs. */
static void try_normal(box_search *self, const solid_ball *balls, const double n[3]) {
    double u[3], v[3], low = INFINITY, high = -INFINITY;
    span(n, u, v);
    self->outer_count = self->turn_count = 0;
    for (int i = 0; i < self->count; i++) {
        const double at[3] = {balls[i].x, balls[i].y, balls[i].z}, r = balls[i].radius;
        const double z = at[0] * n[0] + at[1] * n[1] + at[2] * n[2];
        self->discs[i] =
            (disc){at[0] * u[0] + at[1] * u[1] + at[2] * u[2], at[0] * v[0] + at[1] * v[1] + at[2] * v[2], r};
        low = fmin(low, z - r);
        high = fmax(high, z + r);
        self->touched[i] = false;
    }
    int at[4];
    for (int k = 0; k < 4; k++) at[k] = farthest(self, k * M_PI / 2);
    for (int k = 0; k < 4; k++) find_turns(self, k * M_PI / 2, at[k], (k + 1) * M_PI / 2, at[(k + 1) % 4]);
    if (!self->turn_count) self->turns[self->turn_count++] = 0;
    for (int i = 0; i < self->turn_count; i++)
        take_box(self, width_at(self, self->turns[i]), width_at(self, self->turns[i] + M_PI / 2), high - low);
}

scree_result sieve_size_of(const solid_ball *balls, int count, double (*normals)[3], int normal_count,
                           double *out) {
    SCOPED disc *discs = memory_allocate((size_t)count, sizeof *discs);
    SCOPED int *outer = memory_allocate((size_t)count, sizeof *outer);
    SCOPED bool *touched = memory_allocate((size_t)count, sizeof *touched);
    SCOPED double *turns = memory_allocate(4 * (size_t)count, sizeof *turns);
    box_search self = {.count = count,
                       .discs = discs,
                       .outer = outer,
                       .touched = touched,
                       .turns = turns,
                       .least_radius = INFINITY,
                       .volume = INFINITY};
    if (!discs || !outer || !touched || !turns)
        return fail(SCREE_ERROR_MEMORY, "out of memory for the size of a body");
    for (int i = 0; i < count; i++) self.least_radius = fmin(self.least_radius, balls[i].radius);
    for (int i = 0; i < normal_count; i++) try_normal(&self, balls, normals[i]);
    *out = self.middle;
    return SCREE_OK;
}

/* Keeps the balls that may touch the hull of all: points only if they are corners of it. Returns their
 * number. */
static int keep_outer(solid_ball *balls, int count, const hull_sides *sides, bool *is_corner) {
    int kept = 0;
    for (int i = 0; i < sides->first[sides->count]; i++) is_corner[sides->corners[i]] = true;
    for (int i = 0; i < count; i++)
        if (is_corner[i] || balls[i].radius > 0) balls[kept++] = balls[i];
    return kept;
}

static scree_result size_by_sides(solid_ball *balls, int count, const hull_sides *sides, double (*centres)[3],
                                  double *out) {
    SCOPED double(*normals)[3] = memory_allocate((size_t)sides->count, sizeof *normals);
    SCOPED bool *is_corner = memory_allocate((size_t)count, sizeof *is_corner);
    if (!normals || !is_corner) return fail(SCREE_ERROR_MEMORY, "out of memory for the size of a body");
    for (int i = 0; i < sides->count; i++)
        hull_normal(centres, sides->corners + sides->first[i], sides->first[i + 1] - sides->first[i],
                    normals[i]);
    count = keep_outer(balls, count, sides, is_corner);
    return sieve_size_of(balls, count, normals, sides->count, out);
}

scree_result sieve_size_of_balls(solid_ball *balls, int count, double *out) {
    SCOPED double(*centres)[3] = memory_allocate((size_t)count, sizeof *centres);
    double line[3] = {0}, normal[3] = {0, 0, 1}, other[3];
    if (!centres) return fail(SCREE_ERROR_MEMORY, "out of memory for the size of a body");
    for (int i = 0; i < count; i++) {
        centres[i][0] = balls[i].x;
        centres[i][1] = balls[i].y;
        centres[i][2] = balls[i].z;
    }
    const int flatness = hull_flatness(centres, count, line, normal);
    if (flatness < 3) {
        if (flatness == 1) span(line, normal, other);
        return sieve_size_of(balls, count, &normal, 1, out);
    }
    hull_sides sides = {0};
    scree_result result = hull_find(centres, count, &sides);
    if (result == SCREE_OK) result = size_by_sides(balls, count, &sides, centres, out);
    hull_release(&sides);
    return result;
}
