#include "reference_iteration.h"

#include "../base/memory.h"
#include "reference_law.h"

#include <string.h>

/* Symmetric block Gauss–Seidel, with and without momentum.
 *
 * Plain: each block is solved exactly under its law with the others held. Reliable, and slow on large stacks.
 *
 * With momentum (Nesterov 1983, restarted as O'Donoghue & Candès 2015) sweeps begin at y = r + β (r − r_old),
 * β = (t − 1)/t⁺ with t⁺ = (1 + √(1 + 4t²))/2. Coulomb's law is not a minimisation; it becomes one when the
 * shift μ‖u_T‖ is held, so the shift is read at r (not at y) every other iteration, and in between each block
 * solves its convex problem. A step that goes back on the last one, Σ λ_a (y_a − r_a)·(r_a − r_old,a) > 0,
 * restarts the momentum.
 *
 * The moving shift makes long momentum drift away from the solution of some problems, while others need it.
 * So t has a ceiling, which is halved where the residual rises or stagnates and raised where it falls; each
 * time the iteration returns to the best r and makes some plain sweeps. When the lowest ceiling no longer
 * helps, a long stretch of plain sweeps follows, and then the momentum is free again; a whole such round
 * without progress ends the solve. */
enum {
    PLAIN_START = 6,     /* enough for problems whose blocks hardly couple */
    PLAIN_RECOVERY = 10, /* after the residual rose */
    CHECK_EVERY = 2,     /* iterations between two residuals, and between two readings of the shifts */
    PATIENCE = 400       /* iterations without halving the best residual that are stagnation */
};
static const double RISE = 5; /* over the best residual */
static const double LOWEST_CEILING = 4, HIGHEST_CEILING = 1000;

typedef struct iteration {
    const delassus *a;
    scree_law law;
    real3 *r, *old, *y, *best;
    double *shift, *weight, *rho;
    double drive;             /* ‖ρ q‖₂² */
    double momentum, ceiling; /* t and the most that it may be */
} iteration;

static real3 solved(const iteration *self, real3 *r, int i, bool held) {
    const delassus *a = self->a;
    const real3x3 *block = &a->entries[a->diagonal[i]];
    const real3 q = real3_difference(delassus_velocity(a, r, i), real3x3_times(block, r[i]));
    if (held) return reference_held_solve(block, q, a->friction[i], self->shift[i], r[i]);
    return reference_law_solve(self->law, block, q, a->friction[i], r[i]);
}

/* Forward and back. */
static void sweep(iteration *self, bool held) {
    for (int i = 0; i < self->a->count; ++i) self->r[i] = solved(self, self->r, i, held);
    for (int i = self->a->count - 1; i >= 0; --i) self->r[i] = solved(self, self->r, i, held);
}

static void accelerated_sweep(iteration *self, bool held) {
    const size_t bytes = (size_t)self->a->count * sizeof *self->r;
    memcpy(self->old, self->r, bytes);
    memcpy(self->r, self->y, bytes);
    sweep(self, held);
    double uphill = 0;
    for (int i = 0; i < self->a->count; ++i)
        uphill += self->weight[i] * real3_inner(real3_difference(self->y[i], self->r[i]),
                                                real3_difference(self->r[i], self->old[i]));
    double next = (1 + sqrt(1 + 4 * self->momentum * self->momentum)) / 2, beta = (self->momentum - 1) / next;
    if (uphill > 0) next = 1, beta = 0;
    next = fmin(next, self->ceiling);
    self->momentum = next;
    for (int i = 0; i < self->a->count; ++i)
        self->y[i] = real3_sum(self->r[i], real3_scaled(beta, real3_difference(self->r[i], self->old[i])));
}

static void begin_momentum(iteration *self) {
    memcpy(self->y, self->r, (size_t)self->a->count * sizeof *self->r);
    self->momentum = 1;
}

/* The scaled residual at r; also reads the shifts μ‖u_T‖ from the same velocities. */
static double measure(iteration *self, double *absolute) {
    double map = 0, impulse = 0, largest = 0;
    for (int i = 0; i < self->a->count; ++i) {
        const real3 u = delassus_velocity(self->a, self->r, i);
        const double friction = self->a->friction[i];
        const double f =
            real3_square(reference_natural_map(self->law, self->r[i], u, friction, self->rho[i]));
        map += f;
        impulse += real3_square(self->r[i]);
        if (!(f <= largest)) largest = f; /* NaN stays */
        self->shift[i] = friction * sqrt(u.y * u.y + u.z * u.z);
    }
    const double scale = fmax(impulse, self->drive);
    *absolute = sqrt(largest);
    return map > 0 || !(map <= 0) ? sqrt(map / scale) : 0;
}

/* Where the iteration stands. */
typedef struct progress {
    double best, best_absolute; /* residuals of the best r */
    double milestone;           /* best residual when `since` was set back */
    double round_start;         /* best residual when the momentum was last set free */
    int plain;                  /* plain sweeps still to make */
    int since;                  /* iterations since the milestone */
    bool fruitless;             /* a whole round brought nothing */
} progress;

/* Momentum was too long, or does not help any more. */
static void hold_back(iteration *self, progress *state) {
    memcpy(self->r, self->best, (size_t)self->a->count * sizeof *self->r);
    state->since = 0;
    if (self->ceiling > LOWEST_CEILING) {
        self->ceiling = fmax(LOWEST_CEILING, fmin(self->ceiling, self->momentum) / 2);
        state->plain = PLAIN_RECOVERY;
    } else {
        self->ceiling = HIGHEST_CEILING;
        state->plain = PATIENCE;
        state->fruitless = state->best > state->round_start / 2;
        state->round_start = state->best;
    }
}

/* Keeps the best, and decides how to go on. */
static void judge(iteration *self, progress *state, double residual, double absolute) {
    if (residual < state->best) {
        state->best = residual, state->best_absolute = absolute;
        memcpy(self->best, self->r, (size_t)self->a->count * sizeof *self->r);
    }
    if (state->best < state->milestone / 2) {
        state->milestone = state->best, state->since = 0;
        self->ceiling = fmin(1.5 * self->ceiling, HIGHEST_CEILING);
    }
    const bool rose = !(residual <= RISE * state->best);
    if (state->plain == 0 && (rose || state->since > PATIENCE)) hold_back(self, state);
}

static void run(iteration *self, double tolerance, int iterations, scree_solve_report *report) {
    const bool convex = self->law == SCREE_LAW_COULOMB;
    double absolute;
    progress state = {.plain = PLAIN_START};
    self->ceiling = HIGHEST_CEILING;
    report->residual_before = measure(self, &absolute);
    state.best = state.milestone = state.round_start = report->residual_before;
    state.best_absolute = absolute;
    memcpy(self->best, self->r, (size_t)self->a->count * sizeof *self->r);
    while (report->iterations < iterations && state.best > tolerance && isfinite(state.best) &&
           !state.fruitless) {
        const bool plain = state.plain > 0;
        if (plain)
            sweep(self, false), --state.plain;
        else
            accelerated_sweep(self, convex);
        ++report->iterations;
        ++state.since;
        if (!plain && report->iterations % CHECK_EVERY) continue;
        const double residual = measure(self, &absolute);
        judge(self, &state, residual, absolute);
        if (plain && state.plain == 0) begin_momentum(self), state.since = 0;
    }
    memcpy(self->r, self->best, (size_t)self->a->count * sizeof *self->r);
    report->residual = state.best;
    report->residual_absolute = state.best_absolute;
    report->stop = state.best <= tolerance ? SCREE_STOP_RESIDUAL : SCREE_STOP_ITERATIONS;
}

/* The largest eigenvalue of A_ii is at most its trace and at least a third of it; as a weight of the restart
 * test that is close enough. */
static void prepare(iteration *self) {
    for (int i = 0; i < self->a->count; ++i) {
        self->rho[i] = delassus_rho(self->a, i);
        self->weight[i] = real3x3_trace(&self->a->entries[self->a->diagonal[i]]);
        self->drive += self->rho[i] * self->rho[i] * real3_square(self->a->q[i]);
    }
}

scree_result reference_iterate(const delassus *a, scree_law law, double tolerance, int iterations, real3 *r,
                               scree_solve_report *report) {
    *report = (scree_solve_report){.stop = SCREE_STOP_NONE};
    if (a->count == 0) return SCREE_OK;
    const size_t n = (size_t)a->count;
    iteration self = {.a = a, .law = law, .r = r};
    real3 *vectors = memory_allocate(3 * n, sizeof *vectors);
    double *numbers = memory_allocate(3 * n, sizeof *numbers);
    scree_result result = SCREE_OK;
    if (vectors && numbers) {
        self.old = vectors, self.y = vectors + n, self.best = vectors + 2 * n;
        self.shift = numbers, self.weight = numbers + n, self.rho = numbers + 2 * n;
        prepare(&self);
        run(&self, tolerance, iterations, report);
    } else {
        result = fail(SCREE_ERROR_MEMORY, "out of memory: the iteration over %d contacts", a->count);
    }
    memory_release(vectors);
    memory_release(numbers);
    return result;
}
