#include "reference_sweep.h"

#include "base/memory.h"
#include "reference_block.h"
#include "reference_locks.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Weight of the largest violation in the scaled residual (solver.h). */
static const double VIOLATION_WEIGHT = 0.001;

/* Returns the rule of block i, where the contact before it has the normal impulse `pressed`. */
static reference_rule rule_of(const scree_problem_def *p, int i, scree_law law, double pressed) {
    reference_rule out = {.kind = p->kind ? p->kind[i] : SCREE_BLOCK_CONTACT, .law = law};
    out.friction = p->friction[i];
    out.rolling = p->rolling ? p->rolling[i] * fmax(0, pressed) : 0;
    out.spinning = p->spinning ? p->spinning[i] * fmax(0, pressed) : 0;
    for (int k = 0; k < 3; k++) {
        out.low[k] = p->low ? p->low[3 * (size_t)i + (size_t)k] : -INFINITY;
        out.high[k] = p->high ? p->high[3 * (size_t)i + (size_t)k] : INFINITY;
    }
    return out;
}

static double square(const double x[3]) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; }

/* Error of a block: ‖F‖², and the same as a velocity. */
typedef struct block_error {
    double map, violation;
} block_error;

static block_error error_of(const reference_rule *rule, const double a[9], const double r[3],
                            const double u[3]) {
    const double rho = reference_block_rho(a),
                 closing = rule->kind == SCREE_BLOCK_CONTACT ? fmax(0, -u[0]) : 0;
    double map[3];
    reference_block_map(rule, a, u, r, rho, map);
    const double stopped = rho * closing,
                 missed = rule->law != SCREE_LAW_RADIAL && stopped * stopped > square(map)
                              ? stopped * stopped
                              : square(map); /* NaN is kept */
    return (block_error){missed, rho > 0 ? (sqrt(missed) + DBL_EPSILON * sqrt(square(r))) / rho : closing};
}

void reference_sum_add(reference_sum *self, const reference_rule *rule, const double a[9], const double r[3],
                       const double u[3], const double q[3]) {
    static const double none[3] = {0};
    reference_rule idle_rule = *rule;
    idle_rule.rolling = idle_rule.spinning = 0; /* bounds of a contact without impulse */
    const block_error error = error_of(rule, a, r, u), idle = error_of(&idle_rule, a, none, q);
    double unit[3];
    reference_block_map(rule, a, u, r, 1, unit);
    self->map += error.map;
    self->unit_map += square(unit);
    self->impulse += square(r);
    self->velocity += square(u);
    self->drive += square(q);
    self->idle_map += idle.map;
    if (self->count == 0 || !(error.map <= self->largest)) {
        self->largest = error.map;
        self->worst = self->count;
    }
    self->violation = fmax(self->violation, error.violation);
    self->idle_violation = fmax(self->idle_violation, idle.violation);
    ++self->count;
}

reference_error reference_error_of(const reference_sum *sum) {
    const double scale = fmax(sum->impulse, sum->idle_map),
                 siconos = fmax(sum->drive, fmax(sum->impulse, sum->velocity));
    reference_error out = {.absolute = sqrt(sum->largest), .worst = sum->count ? sum->worst : -1};
    out.measure[SCREE_MEASURE_SCALED] = sum->map > 0 || !(sum->map <= 0) ? sqrt(sum->map / scale) : 0;
    out.violation = sum->idle_violation > 0 ? sum->violation / sum->idle_violation : 0;
    if (VIOLATION_WEIGHT * out.violation > out.measure[SCREE_MEASURE_SCALED])
        out.measure[SCREE_MEASURE_SCALED] = VIOLATION_WEIGHT * out.violation;
    out.measure[SCREE_MEASURE_SICONOS] = sqrt(sum->unit_map / (siconos > 5e-32 ? siconos : 1));
    out.measure[SCREE_MEASURE_FCLIB] = sqrt(sum->unit_map) / (1 + sqrt(sqrt(sum->drive)));
    return out;
}

/* Returns A_ii, which every row begins with. */
static const double *own_block(const scree_problem_def *p, int i) {
    return p->blocks + 9 * (size_t)p->first[i];
}

static void velocity_at(const scree_problem_def *p, int i, const double *r, double u[3]) {
    memcpy(u, p->q + 3 * (size_t)i, 3 * sizeof *u);
    for (int n = p->first[i]; n < p->first[i + 1]; n++) {
        const double *a = p->blocks + 9 * (size_t)n, *x = r + 3 * (size_t)p->column[n];
        for (int k = 0; k < 3; k++) u[k] += a[3 * k] * x[0] + a[3 * k + 1] * x[1] + a[3 * k + 2] * x[2];
    }
}

static double pressed_before(int i, const double *r) { return i > 0 ? r[3 * (size_t)i - 3] : 0; }

/* Returns the error of r (3 per block). Fills u = A r + q unless it is NULL. */
static reference_error measure(const scree_problem_def *p, scree_law law, const double *r, double *u) {
    reference_sum sum = {0};
    for (int i = 0; i < p->contacts; i++) {
        const reference_rule rule = rule_of(p, i, law, pressed_before(i, r));
        double velocity[3];
        velocity_at(p, i, r, velocity);
        reference_sum_add(&sum, &rule, own_block(p, i), r + 3 * (size_t)i, velocity, p->q + 3 * (size_t)i);
        if (u) memcpy(u + 3 * (size_t)i, velocity, sizeof velocity);
    }
    return reference_error_of(&sum);
}

/* Returns the velocity of one row. */
static double row_velocity(const scree_problem_def *p, size_t row, const double *r) {
    double u = p->q[row];
    for (int n = p->first[row / 3]; n < p->first[row / 3 + 1]; n++) {
        const double *a = p->blocks + 9 * (size_t)n + 3 * (row % 3), *x = r + 3 * (size_t)p->column[n];
        u += a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
    }
    return u;
}

/* Gauss–Seidel: solves one block after another under its law, with the newest impulses of the others, then
 * all locks at once. */
static void sweep(const scree_problem_def *p, scree_law law, reference_locks *locks, double *r) {
    for (int i = 0; i < p->contacts; i++) {
        reference_rule rule = rule_of(p, i, law, pressed_before(i, r));
        double u[3];
        velocity_at(p, i, r, u);
        reference_locks_hold(locks, i, r + 3 * (size_t)i, rule.low, rule.high);
        reference_block_solve(&rule, own_block(p, i), u, r + 3 * (size_t)i);
    }
    for (int i = 0; i < locks->count; i++) locks->change[i] = row_velocity(p, (size_t)locks->row[i], r);
    reference_locks_solve(locks, locks->change, r);
}

/* Anderson acceleration (1965) of the map r → sweep(r) = r + f(r): combines the last steps so that Σ γ Δf is
 * nearest to f, and the next sweep begins at g − Σ γ Δg, where g is the end of the last one. If a sweep from
 * there makes a larger step than the one before, it is rejected: the method restarts from g without
 * history. */
enum { MEMORY = 8 };

typedef struct acceleration {
    size_t n;
    int kept;
    double *weight;               /* of the norm, √(trace A_ii / 3) */
    double *start, *f, *g, *best; /* the sweep's start; f and g of the previous sweep; the best r */
    double *df[MEMORY], *dg[MEMORY];
} acceleration;

/* Computes the weights of the kept steps from the normal equations of the least-squares problem, slightly
 * regularised. */
static void weigh(const acceleration *self, const double *f, int m, double gamma[MEMORY]) {
    double a[MEMORY][MEMORY + 1];
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= m; j++) {
            const double *other = j < m ? self->df[j] : f;
            a[i][j] = 0;
            for (size_t k = 0; k < self->n; k++) a[i][j] += self->df[i][k] * other[k];
        }
    for (int i = 0; i < m; i++) a[i][i] *= 1 + 1e-12;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++) {
            if (k == i || !(a[i][i] > 0)) continue;
            const double factor = a[k][i] / a[i][i];
            for (int j = i; j <= m; j++) a[k][j] -= factor * a[i][j];
        }
    for (int i = 0; i < m; i++) gamma[i] = a[i][i] > 0 ? a[i][m] / a[i][i] : 0;
}

/* Replaces r, the result of the sweep from `start`, by the start of the next sweep. */
static void accelerate(acceleration *self, double *r) {
    double gamma[MEMORY] = {0};
    const int slot = self->kept < 0 ? 0 : self->kept % MEMORY;
    for (size_t k = 0; k < self->n; k++) {
        const double f = self->weight[k] * (r[k] - self->start[k]);
        self->df[slot][k] = f - self->f[k];
        self->dg[slot][k] = r[k] - self->g[k];
        self->f[k] = f;
        self->g[k] = r[k];
    }
    const int m = self->kept < MEMORY ? self->kept + 1 : MEMORY;
    if (self->kept++ < 0) return;
    weigh(self, self->f, m, gamma);
    for (int i = 0; i < m; i++)
        for (size_t k = 0; k < self->n; k++) r[k] -= gamma[i] * self->dg[i][k];
}

/* Returns ‖r − from‖ in the weighted norm; ‖r‖ if `from` is NULL. */
static double size_of(const acceleration *self, const double *r, const double *from) {
    double sum = 0;
    for (size_t k = 0; k < self->n; k++) {
        const double f = self->weight[k] * (r[k] - (from ? from[k] : 0));
        sum += f * f;
    }
    return sqrt(sum);
}

/* Relative to ‖r‖. Redundant locks can contradict each other by the rounding of q, so that no solution
 * exists; then a sweep with a smaller change is the last one. */
static const double STILL = 1e-12;

/* Relative to ‖r‖: a smaller change in a sweep is round-off. */
static const double ROUNDING = 2 * DBL_EPSILON;

static void iterate(const scree_problem_def *p, const reference_goal *goal, reference_locks *locks,
                    acceleration *self, double *r, reference_outcome *out) {
    const size_t bytes = self->n * sizeof *r;
    double *best = &out->after.measure[goal->measure], before = INFINITY;
    memcpy(self->best, r, bytes);
    self->kept = -1; /* the first step has no predecessor */
    while (out->sweeps < goal->sweeps && !(*best <= goal->tolerance) && !out->still) {
        memcpy(self->start, r, bytes);
        sweep(p, goal->law, locks, r);
        ++out->sweeps;
        const reference_error now = measure(p, goal->law, r, NULL);
        const double error = now.measure[goal->measure];
        if (goal->history && out->history_count < goal->history_capacity)
            goal->history[out->history_count++] = error;
        if (error < *best) {
            out->after = now;
            memcpy(self->best, r, bytes);
        }
        const double size = size_of(self, r, self->start);
        out->still = size <= (locks->rank < locks->count ? STILL : ROUNDING) * size_of(self, r, NULL);
        if (goal->plain) continue;
        if (size <= before) {
            before = size;
            accelerate(self, r);
        } else {
            memcpy(r, self->g, bytes);
            self->kept = -1;
            before = INFINITY;
            ++out->fallbacks;
        }
    }
    memcpy(r, self->best, bytes);
}

scree_result reference_solve(const scree_problem_def *p, const reference_goal *goal, double *r,
                             reference_outcome *out) {
    const size_t n = 3 * (size_t)p->contacts;
    acceleration self = {.n = n};
    *out = (reference_outcome){.before = measure(p, goal->law, r, NULL)};
    out->after = out->before;
    reference_locks locks;
    TRY(reference_locks_form(&locks, p));
    double *scratch = memory_allocate((5 + 2 * MEMORY) * n, sizeof *scratch);
    if (!scratch) {
        reference_locks_release(&locks);
        return fail(SCREE_ERROR_MEMORY, "out of memory: sweeps over %d contacts", p->contacts);
    }
    double **const places[] = {&self.weight, &self.start, &self.f, &self.g, &self.best};
    for (int i = 0; i < 5; i++) *places[i] = scratch + (size_t)i * n;
    for (int i = 0; i < MEMORY; i++) {
        self.df[i] = scratch + (size_t)(5 + i) * n;
        self.dg[i] = self.df[i] + MEMORY * n;
    }
    for (size_t k = 0; k < n; k++) {
        const double *a = own_block(p, (int)(k / 3));
        self.weight[k] = sqrt((a[0] + a[4] + a[8]) / 3);
    }
    iterate(p, goal, &locks, &self, r, out);
    reference_locks_release(&locks);
    out->solved = out->after.measure[goal->measure] <= goal->tolerance;
    memory_release(scratch);
    return SCREE_OK;
}

scree_stop reference_stop(const reference_outcome *out) {
    return out->solved ? SCREE_STOP_RESIDUAL : out->still ? SCREE_STOP_CHANGE : SCREE_STOP_ITERATIONS;
}
