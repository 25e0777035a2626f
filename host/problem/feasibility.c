/* Farkas' lemma: either some impulses r give u = A r + q with u_N ≥ 0 in every contact, or there are normal
 * impulses d ≥ 0 with A d = 0 and q·d < 0; both cannot hold, as 0 ≤ d·u = (A d)·r + d·q = d·q. In the second
 * case the contacts press against each other in balance on every body, while the drive closes them. Friction
 * cannot help, as every law requires u_N ≥ 0. Rows of bounded blocks take part in the directions in which
 * their impulse is unbounded: upwards with u ≥ 0, downwards with u ≤ 0.
 *
 * Gauss–Seidel on these rows alone minimises ½ r·A r + q·r over r ≥ 0. Without a minimum it drifts along such
 * a d: the difference δ of two iterates far apart tends to it. Numerically A δ is not exactly zero, and δ
 * proves that every solution has ‖r‖ ≥ −q·δ/‖A δ‖. Each component of the problem is tested separately: one
 * that still converges, or has a larger drive, would mask the proof of another. */
#include "feasibility.h"

#include "base/memory.h"

enum {
    STRETCH = 16,
    LEAST_STRETCHES = FEASIBILITY_SWEEPS / STRETCH
}; /* STRETCH: sweeps between two compared iterates */
/* A problem counts as infeasible if ‖r‖ would have to exceed this many times ‖ρ q‖. */
static const double BEYOND = 1e8;

typedef struct search {
    const delassus *a;
    const int *rows; /* of a component */
    int count;
    real3 *r, *before, *lowest, *highest; /* bounds of r: 0 or ±∞ */
    double *normals; /* of each entry: the effect of a normal impulse on a normal row; NULL: there are other
                        blocks than contacts */
    double floor;    /* mobility used for rows that no impulse moves; any positive value serves */
} search;

/* Finds the bounds of r; for contacts only r_N ≥ 0. */
static void find_ranges(search *self) {
    for (int i = 0; i < self->a->count; i++) {
        self->lowest[i] = self->highest[i] = (real3){0, 0, 0};
        if (self->a->kind[i] == SCREE_BLOCK_CONTACT) self->highest[i].x = INFINITY;
        if (self->a->kind[i] != SCREE_BLOCK_BOUNDED) continue;
        const host_box box = delassus_box(self->a, i);
        self->lowest[i] = (real3){isinf(box.low.x) ? -INFINITY : 0, isinf(box.low.y) ? -INFINITY : 0,
                                  isinf(box.low.z) ? -INFINITY : 0};
        self->highest[i] = (real3){isinf(box.high.x) ? INFINITY : 0, isinf(box.high.y) ? INFINITY : 0,
                                   isinf(box.high.z) ? INFINITY : 0};
    }
}

/* Returns an impulse after its Gauss–Seidel update. */
static double stepped(double r, double u, double mobility, double low, double high) {
    return fmin(fmax(r - u / mobility, low), high);
}

/* Sweeps over single rows. Rows of a block see the updates of those before them. */
static void sweep(search *self) {
    for (int row = 0; row < self->count; row++) {
        const int i = self->rows[row];
        const real3x3 *own = &self->a->entries[self->a->diagonal[i]];
        const real3 low = self->lowest[i], high = self->highest[i];
        const double floor = self->floor;
        real3 *r = &self->r[i];
        real3 u = delassus_velocity(self->a, self->r, i);
        const double x = stepped(r->x, u.x, fmax(own->m[0][0], floor), low.x, high.x) - r->x;
        u.y += own->m[1][0] * x;
        u.z += own->m[2][0] * x;
        const double y = stepped(r->y, u.y, fmax(own->m[1][1], floor), low.y, high.y) - r->y;
        u.z += own->m[2][1] * y;
        r->x += x;
        r->y += y;
        r->z = stepped(r->z, u.z, fmax(own->m[2][2], floor), low.z, high.z);
    }
}

/* The variant for contacts alone, where only normal impulses are nonzero. */
static void sweep_contacts(search *self) {
    const delassus *a = self->a;
    const double floor = self->floor;
    for (int row = 0; row < self->count; row++) {
        const int i = self->rows[row];
        const double own = self->normals[a->diagonal[i]], mobility = own > floor ? own : floor;
        double *r = &self->r[i].x, u = a->q[i].x;
        for (int k = a->first[i]; k < a->first[i + 1]; k++) u += self->normals[k] * self->r[a->column[k]].x;
        const double next = *r - u / mobility;
        *r += (next > 0 ? next : 0) - *r;
    }
}

/* Clamps a difference to the directions in which a row is unbounded. */
static double direction_of(double difference, double low, double high) {
    return fmin(fmax(difference, low), high);
}

/* Returns whether the change of r since `before` proves infeasibility, which it replaces by d. Sets `block`
 * to the block with the largest part of d. */
static bool proves(search *self, int *block) {
    const delassus *a = self->a;
    double along = 0, scale = 0, moved = 0, largest = 0, reached = 0, change_size = 0;
    real3 *d = self->before;
    for (int row = 0; row < self->count; row++) {
        const int i = self->rows[row];
        const real3 change = real3_difference(self->r[i], d[i]), low = self->lowest[i],
                    high = self->highest[i];
        d[i] = (real3){direction_of(change.x, low.x, high.x), direction_of(change.y, low.y, high.y),
                       direction_of(change.z, low.z, high.z)};
    }
    for (int row = 0; row < self->count; row++) {
        const int i = self->rows[row];
        real3 u = {0, 0, 0};
        for (int k = a->first[i]; k < a->first[i + 1]; k++)
            u = real3_sum(u, real3x3_times(&a->entries[k], d[a->column[k]]));
        const double term = -real3_inner(d[i], a->q[i]), size = real3_length(d[i]), rho = delassus_rho(a, i);
        along += term;
        moved += real3_square(u);
        scale += rho * rho * real3_square(a->q[i]);
        reached += real3_square(self->r[i]);
        change_size += size * size;
        if (size > largest) {
            largest = size;
            *block = i;
        }
    }
    const bool drifts = change_size >= 1e-12 * reached; /* more than round-off */
    return drifts && along > 0 && along >= BEYOND * sqrt(moved) * sqrt(scale);
}

/* Searches the current component for `sweeps` sweeps, each of which costs `cost`. */
static void test(search *self, double sweeps, double cost, infeasibility *out) {
    const delassus *a = self->a;
    self->floor = 0;
    for (int row = 0; row < self->count; row++)
        self->floor += 1e-9 / self->count * real3x3_trace(&a->entries[a->diagonal[self->rows[row]]]);
    if (!(self->floor > 0)) self->floor = 1;
    for (int stretch = 0; !out->proven && (stretch < LEAST_STRETCHES || STRETCH * stretch < sweeps);
         ++stretch) {
        for (int row = 0; row < self->count; row++) self->before[self->rows[row]] = self->r[self->rows[row]];
        for (int k = 0; k < STRETCH; k++) self->normals ? sweep_contacts(self) : sweep(self);
        out->proven = proves(self, &out->block);
        out->work += STRETCH * cost;
    }
}

/* Tests one component after the other until one is infeasible. `work` is the budget of all. */
static void test_all(search *self, const components *all, double work, infeasibility *out) {
    const delassus *a = self->a;
    const double sweeps = work / feasibility_work(a, 1); /* each block has at least one entry */
    for (int c = 0; c < all->count && !out->proven; c++) {
        int entries = 0;
        self->rows = all->rows + all->first[c];
        self->count = all->first[c + 1] - all->first[c];
        for (int row = 0; row < self->count; row++)
            entries += a->first[self->rows[row] + 1] - a->first[self->rows[row]];
        test(self, sweeps, feasibility_work(a, 1) * entries / a->first[a->count], out);
    }
    if (!out->proven) out->block = -1;
}

static bool only_contacts(const delassus *a) {
    for (int i = 0; i < a->count; i++)
        if (a->kind[i] != SCREE_BLOCK_CONTACT) return false;
    return true;
}

scree_result feasibility_test(const delassus *a, double work, infeasibility *out) {
    *out = (infeasibility){.block = -1};
    if (a->count == 0) return SCREE_OK;
    const size_t n = (size_t)a->count, entries = only_contacts(a) ? (size_t)a->first[a->count] : 0;
    components all;
    TRY(components_find(&all, a));
    real3 *scratch = memory_allocate(4 * n + (entries + 2) / 3, sizeof *scratch);
    scree_result result =
        scratch ? SCREE_OK
                : fail(SCREE_ERROR_MEMORY, "out of memory: the feasibility of %d contacts", a->count);
    if (scratch) {
        search self = {.a = a,
                       .r = scratch,
                       .before = scratch + n,
                       .lowest = scratch + 2 * n,
                       .highest = scratch + 3 * n};
        if (entries > 0) self.normals = &scratch[4 * n].x;
        for (size_t k = 0; k < entries; k++) self.normals[k] = a->entries[k].m[0][0];
        find_ranges(&self);
        test_all(&self, &all, work, out);
    }
    memory_release(scratch);
    components_release(&all);
    return result;
}
