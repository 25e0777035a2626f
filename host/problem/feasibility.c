/* Farkas' lemma: either some impulses r give u = A r + q with u_N ≥ 0 in every contact, or there are normal
 * impulses d ≥ 0 with A d = 0 and q·d < 0; both cannot hold, as 0 ≤ d·u = (A d)·r + d·q = d·q. In the second
 * case the contacts press against each other in balance on every body, while the drive closes them. Friction
 * cannot help, as every law requires u_N ≥ 0. Rows of bounded blocks take part in the directions in which
 * their impulse is unbounded: upwards with u ≥ 0, downwards with u ≤ 0.
 *
 * With friction, d lies in the cones ‖d_T‖ ≤ μ d_N. The associated law requires d·u ≥ 0, so d then proves
 * that it has no solution. Coulomb's law requires only u_N ≥ 0, hence d·u ≥ d_T·u_T, and leaves a way out:
 * bodies that slip against d with −d_T·u_T ≥ −q·d. For a sphere in a closing wedge steeper than its friction,
 * d is the pair of impulses along the chord between its contacts; the way out is to slide away between the
 * plates, against impulses in the cones that cannot drive it out. Whether a Coulomb solution with such a slip
 * exists is not decided here. Instead d is weighed against the velocities u of an attempted solution: d·u =
 * q·d holds for all impulses, so the drive −q·d is taken up by slip, −d_T·u_T, and by contacts that close. If
 * slip takes up less than half, the bodies are jammed: they neither slip away nor keep apart.
 *
 * Gauss–Seidel minimises ½ r·A r + q·r over these impulses. Without a minimum it drifts along such a d: the
 * difference δ of two iterates far apart tends to it. Numerically A δ is not exactly zero, and δ proves that
 * every solution has ‖r‖ ≥ −q·δ/‖A δ‖. Each component of the problem is tested separately: one that still
 * converges, or has a larger drive, would mask the proof of another. */
#include "feasibility.h"

#include "base/memory.h"
#include "host_law.h"

enum {
    STRETCH = 16,
    LEAST_STRETCHES = FEASIBILITY_SWEEPS / STRETCH
}; /* STRETCH: sweeps between two compared iterates */
/* A problem counts as infeasible if ‖r‖ would have to exceed this many times ‖ρ q‖. */
static const double BEYOND = 1e8;
/* Largest fraction of the drive that slip takes up between jammed bodies. */
static const double LARGEST_SLIP = 0.5;

typedef struct search {
    const delassus *a;
    const feasibility_goal *goal;
    const int *rows; /* of a component */
    int count;
    real3 *r, *before, *lowest, *highest; /* bounds of r, of contacts without friction or bounded: 0 or ±∞ */
    double *normals; /* of each entry: the effect of a normal impulse on a normal row; NULL: there is
                        friction, or there are other blocks than contacts */
    double floor;    /* mobility used for rows that no impulse moves; any positive value serves */
} search;

/* Returns whether block i is a contact whose friction takes part. */
static bool has_cone(const search *self, int i) {
    return self->goal->velocities && self->a->kind[i] == SCREE_BLOCK_CONTACT && self->a->friction[i] > 0;
}

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

static real3 nearest_in_cone(real3 x, double friction) {
    const real3 none = {0, 0, 0};
    return real3_difference(x, host_natural_map(SCREE_LAW_ASSOCIATED, NULL, x, none, friction, 0));
}

/* Returns an impulse after its Gauss–Seidel update. */
static double stepped(double r, double u, double mobility, double low, double high) {
    return fmin(fmax(r - u / mobility, low), high);
}

/* Updates the rows of a block one by one; each sees the updates of those before it. */
static void update_rows(const search *self, int i, real3 u, real3 *r) {
    const real3x3 *own = &self->a->entries[self->a->diagonal[i]];
    const real3 low = self->lowest[i], high = self->highest[i];
    const double floor = self->floor;
    const double x = stepped(r->x, u.x, fmax(own->m[0][0], floor), low.x, high.x) - r->x;
    u.y += own->m[1][0] * x;
    u.z += own->m[2][0] * x;
    const double y = stepped(r->y, u.y, fmax(own->m[1][1], floor), low.y, high.y) - r->y;
    u.z += own->m[2][1] * y;
    r->x += x;
    r->y += y;
    r->z = stepped(r->z, u.z, fmax(own->m[2][2], floor), low.z, high.z);
}

static void sweep(search *self) {
    for (int row = 0; row < self->count; row++) {
        const int i = self->rows[row];
        const real3 u = delassus_velocity(self->a, self->r, i);
        if (!has_cone(self, i)) {
            update_rows(self, i, u, &self->r[i]);
            continue;
        }
        /* A projected step; the trace is at least the largest eigenvalue, so the step descends. */
        const double trace = real3x3_trace(&self->a->entries[self->a->diagonal[i]]);
        self->r[i] =
            nearest_in_cone(real3_difference(self->r[i], real3_scaled(1 / fmax(trace, self->floor), u)),
                            self->a->friction[i]);
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

/* Returns the part of a difference of impulses of block i in the directions in which they are unbounded. */
static real3 direction_of(const search *self, int i, real3 difference) {
    if (has_cone(self, i)) return nearest_in_cone(difference, self->a->friction[i]);
    const real3 low = self->lowest[i], high = self->highest[i];
    return (real3){fmin(fmax(difference.x, low.x), high.x), fmin(fmax(difference.y, low.y), high.y),
                   fmin(fmax(difference.z, low.z), high.z)};
}

/* Sums over the blocks of a component for a direction d. */
typedef struct verdict {
    double drive;                       /* −q·d */
    double slip;                        /* −d_T·u_T of the contacts with friction */
    double largest;                     /* of ‖d_i‖ */
    double moved, scale, reached, size; /* squares of ‖A d‖, ‖ρ q‖, ‖r‖, and ‖d‖ */
} verdict;

static void add_block(const search *self, int i, verdict *sum) {
    const delassus *a = self->a;
    const real3 d = self->before[i];
    const double size = real3_length(d), rho = delassus_rho(a, i);
    real3 u = {0, 0, 0};
    for (int k = a->first[i]; k < a->first[i + 1]; k++)
        u = real3_sum(u, real3x3_times(&a->entries[k], self->before[a->column[k]]));
    sum->drive -= real3_inner(d, a->q[i]);
    sum->moved += real3_square(u);
    sum->scale += rho * rho * real3_square(a->q[i]);
    sum->reached += real3_square(self->r[i]);
    sum->size += size * size;
    if (has_cone(self, i)) {
        const real3 slip = self->goal->velocities[i];
        sum->slip -= d.y * slip.y + d.z * slip.z;
    }
    sum->largest = fmax(sum->largest, size);
}

/* Returns the contact with the largest part in d, or else the block. A part below this fraction of the
 * largest counts as none. */
static const double LEAST_PART = 1e-3;
static int largest_part(const search *self, double largest) {
    int block = self->rows[0];
    double most[2] = {0, LEAST_PART * largest};
    bool contact = false;
    for (int row = 0; row < self->count; row++) {
        const int i = self->rows[row], of_contact = self->a->kind[i] == SCREE_BLOCK_CONTACT;
        const double size = real3_length(self->before[i]);
        if (size <= most[of_contact] || of_contact < contact) continue;
        most[of_contact] = size;
        contact = of_contact;
        block = i;
    }
    return block;
}

/* Returns whether the change of r since `before` proves infeasibility, which it replaces by d. */
static bool proves(search *self, int *block) {
    verdict sum = {0};
    for (int row = 0; row < self->count; row++) {
        const int i = self->rows[row];
        self->before[i] = direction_of(self, i, real3_difference(self->r[i], self->before[i]));
    }
    for (int row = 0; row < self->count; row++) add_block(self, self->rows[row], &sum);
    *block = largest_part(self, sum.largest);
    const bool drifts = sum.size >= 1e-12 * sum.reached; /* more than round-off */
    return drifts && sum.drive > 0 && sum.drive >= BEYOND * sqrt(sum.moved) * sqrt(sum.scale) &&
           sum.drive >= self->goal->least_speed * sum.largest && sum.slip <= LARGEST_SLIP * sum.drive;
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

/* Tests one component after the other until one is infeasible. */
static void test_all(search *self, const components *all, infeasibility *out) {
    const delassus *a = self->a;
    const bool friction = self->goal->velocities;
    const double sweeps =
        self->goal->work / feasibility_work(a, friction, 1); /* each block has at least one entry */
    for (int c = 0; c < all->count && !out->proven; c++) {
        int entries = 0;
        self->rows = all->rows + all->first[c];
        self->count = all->first[c + 1] - all->first[c];
        for (int row = 0; row < self->count; row++)
            entries += a->first[self->rows[row] + 1] - a->first[self->rows[row]];
        test(self, sweeps, feasibility_work(a, friction, 1) * entries / a->first[a->count], out);
    }
    if (!out->proven) out->block = -1;
}

static bool only_contacts(const delassus *a) {
    for (int i = 0; i < a->count; i++)
        if (a->kind[i] != SCREE_BLOCK_CONTACT) return false;
    return true;
}

scree_result feasibility_test(const delassus *a, const feasibility_goal *goal, infeasibility *out) {
    *out = (infeasibility){.block = -1};
    if (a->count == 0) return SCREE_OK;
    const size_t n = (size_t)a->count,
                 entries = !goal->velocities && only_contacts(a) ? (size_t)a->first[a->count] : 0;
    components all;
    TRY(components_find(&all, a));
    real3 *scratch = memory_allocate(4 * n + (entries + 2) / 3, sizeof *scratch);
    scree_result result =
        scratch ? SCREE_OK
                : fail(SCREE_ERROR_MEMORY, "out of memory: the feasibility of %d contacts", a->count);
    if (scratch) {
        search self = {.a = a,
                       .goal = goal,
                       .r = scratch,
                       .before = scratch + n,
                       .lowest = scratch + 2 * n,
                       .highest = scratch + 3 * n};
        if (entries > 0) self.normals = &scratch[4 * n].x;
        for (size_t k = 0; k < entries; k++) self.normals[k] = a->entries[k].m[0][0];
        find_ranges(&self);
        test_all(&self, &all, out);
    }
    memory_release(scratch);
    components_release(&all);
    return result;
}
