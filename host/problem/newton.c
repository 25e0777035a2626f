/* The proximal point method (Rockafellar 1976): r⁺ solves the problem with A + ε and q − ε r. Zero
 * eigenvalues of A (many contacts between few bodies) do not make that singular, and its solution is close to
 * its initial guess. ε falls while that works.
 *
 * Each such problem is solved by semi-smooth Newton on the natural map. The region of x = r − ρ û determines
 * the state of a contact: in the polar cone it is open (r = 0), in the cone it sticks (u = 0), else it
 * slides. A sliding contact has r = r_N (1, μ t), ‖t‖ = 1, and two unknowns: dr = e dn + s dτ with e = (1, μ
 * t), s the tangent ⟂ t. u_N = 0 and s·u = 0; as s turns with dτ, its derivative is s·du + λ dτ, u_T = −λ
 * r_T. With P_c the rows and E_c the columns of a contact, the linear system is Σ_d P_c A_cd E_d z_d = −P_c
 * u_c, with λ on the diagonal. */
#include "newton.h"

#include "base/memory.h"
#include "host_law.h"

#include <string.h>

enum { NEWTON_STEPS = 10, PROXIMAL_STEPS = 40, FAILURES = 3 };
static const double FIRST = 1e-2, LEAST = 1e-13, MOST = 1, FALL = 10, BACK = 30; /* values and factors of ε */
static const double INNER = 0.1; /* fraction of the centre's error to which a problem is solved */

static double tangential(real3 v) { return sqrt(v.y * v.y + v.z * v.z); }

/* Returns the state of contact i at r and u, and changes r to fit it: 0 if open, on the cone's surface if
 * sliding. */
static newton_contact state_at(const delassus *a, int i, real3 *r, real3 u) {
    const double rho = delassus_rho(a, i), friction = a->friction[i];
    real3 x = real3_difference(*r, real3_scaled(rho, u));
    x.x -= rho * friction * tangential(u);
    const double t = tangential(x);
    newton_contact out = {.state = t <= friction * x.x ? NEWTON_STICK : NEWTON_SLIDE};
    if (x.x <= -friction * t) {
        *r = (real3){0, 0, 0};
        out.state = NEWTON_OPEN;
    } else if (out.state == NEWTON_SLIDE) {
        const real3 along = {0, x.y / t, x.z / t};
        /* Without a normal impulse yet, use that of the projection. */
        const double pressed = r->x > 0 ? r->x : (x.x + friction * t) / (1 + friction * friction);
        out.e = (real3){1, friction * along.y, friction * along.z};
        if (friction > 0) out.s = (real3){0, -along.z, along.y};
        *r = real3_scaled(pressed, out.e);
        if (friction > 0) out.curvature = fmax(0, -real3_inner(along, u)) / (friction * pressed);
    }
    return out;
}

/* P_c A_cd E_d */
static real3x3 reduced(const newton_contact *row, const real3x3 *entry, const newton_contact *column) {
    real3x3 right = *entry, out = {0};
    if (column->state == NEWTON_SLIDE) {
        const real3 e = real3x3_times(entry, column->e), s = real3x3_times(entry, column->s);
        right = (real3x3){{{e.x, s.x, 0}, {e.y, s.y, 0}, {e.z, s.z, 0}}};
    }
    if (row->state == NEWTON_STICK) return right;
    for (int j = 0; j < 3; j++) {
        out.m[0][j] = right.m[0][j];
        out.m[1][j] = row->s.y * right.m[1][j] + row->s.z * right.m[2][j];
    }
    return out;
}

static double epsilon_of(const newton *self, int i) {
    return self->regular * real3x3_trace(&self->a->entries[self->a->diagonal[i]]) / 3;
}

/* Fills row i of the linear system. Returns false if there is no memory. */
static bool fill_row(newton *self, int i) {
    const delassus *a = self->a;
    const newton_contact *c = &self->contacts[i];
    for (int entry = a->first[i]; entry < a->first[i + 1]; entry++) {
        const int j = a->column[entry];
        if (self->contacts[j].state == NEWTON_OPEN) continue;
        real3x3 *block = elimination_block(&self->system, c->row, self->contacts[j].row),
                sum = a->entries[entry];
        if (!block) return false;
        for (int k = 0; k < 3 && i == j; k++) sum.m[k][k] += epsilon_of(self, i);
        *block = reduced(c, &sum, &self->contacts[j]);
    }
    self->z[c->row] = real3_scaled(-1, self->u[i]);
    if (c->state == NEWTON_STICK) return true;
    real3x3 *own = elimination_block(&self->system, c->row, c->row);
    self->z[c->row] = (real3){-self->u[i].x, -real3_inner(c->s, self->u[i]), 0};
    own->m[1][1] += c->curvature;
    own->m[2][2] = own->m[0][0]; /* no unknown */
    if (!(a->friction[i] > 0)) own->m[1][1] = own->m[0][0];
    return true;
}

/* Returns r moved by the solution z, projected onto the cone's surface if the contact slides. */
static real3 moved(const newton_contact *c, real3 r, real3 z) {
    if (c->state == NEWTON_STICK) return real3_sum(r, z);
    const real3 out = {fmax(0, r.x + z.x), r.y + z.y * c->s.y, r.z + z.y * c->s.z};
    const double t = tangential(out), cone = tangential(c->e) * out.x;
    return (real3){out.x, t > 0 ? cone * out.y / t : 0, t > 0 ? cone * out.z / t : 0};
}

/* Computes u = A r + q + ε (r − centre) of every contact. */
static void find_velocities(newton *self) {
    for (int i = 0; i < self->a->count; i++)
        self->u[i] =
            real3_sum(delassus_velocity(self->a, self->r, i),
                      real3_scaled(epsilon_of(self, i), real3_difference(self->r[i], self->centre[i])));
}

/* Returns ‖F‖₂ at r, and fills the velocities. */
static double error_at(newton *self) {
    const delassus *a = self->a;
    double sum = 0;
    find_velocities(self);
    for (int i = 0; i < a->count; i++)
        sum += real3_square(host_natural_map(SCREE_LAW_COULOMB, &a->entries[a->diagonal[i]], self->r[i],
                                             self->u[i], a->friction[i], delassus_rho(a, i)));
    return sqrt(sum);
}

/* Makes one Newton step. Returns false if the system is singular or its work or memory would exceed the
 * limit. */
static bool step(newton *self) {
    int rows = 0;
    for (int i = 0; i < self->a->count; i++) {
        newton_contact *c = &self->contacts[i];
        *c = state_at(self->a, i, &self->r[i], self->u[i]);
        if (c->state != NEWTON_OPEN) c->row = rows++;
    }
    find_velocities(self);
    elimination_begin(&self->system, rows);
    for (int i = 0; i < self->a->count; i++)
        if (self->contacts[i].state != NEWTON_OPEN && !fill_row(self, i)) return false;
    const double most = fmin(self->work, self->max_of_step);
    double left = most;
    const bool solved = elimination_solve(&self->system, self->z, &left);
    self->work -= most - left;
    ++self->steps;
    if (!solved) return false;
    for (int i = 0; i < self->a->count; i++)
        if (self->contacts[i].state != NEWTON_OPEN)
            self->r[i] = moved(&self->contacts[i], self->r[i], self->z[self->contacts[i].row]);
    return true;
}

/* Solves the problem around `centre` into r, to a fraction of the centre's own error; false if Newton's
 * method fails. */
static bool proximal_step(newton *self) {
    memcpy(self->r, self->centre, (size_t)self->a->count * sizeof *self->r);
    const double goal = INNER * error_at(self);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        if (!step(self)) return false;
        const double error = error_at(self);
        if (error <= goal) return true;
        if (!isfinite(error)) return false;
    }
    return false;
}

/* Makes r the new centre, stores it if it is the best, and returns its error. */
static double keep(newton *self, const host_goal *goal, double best, host_norms *norms) {
    const size_t bytes = (size_t)self->a->count * sizeof *self->r;
    memcpy(self->centre, self->r, bytes);
    const host_norms now = host_measure(self->a, goal->law, self->centre, NULL);
    const double error = host_error_of(&now, goal->measure);
    if (error < best) {
        memcpy(self->best, self->centre, bytes);
        *norms = now;
    }
    return error;
}

/* ε falls after each step that succeeds, and rises further after each that fails, so that small values are
 * tried again from another centre. */
bool newton_finish(newton *self, const host_goal *goal, real3 *r, host_norms *norms) {
    const size_t bytes = (size_t)self->a->count * sizeof *r;
    const double before = host_error_of(norms, goal->measure);
    double best = before;
    memcpy(self->centre, r, bytes);
    self->regular = FIRST;
    for (int k = 0, failures = 0; k < PROXIMAL_STEPS && failures < FAILURES; k++) {
        if (proximal_step(self)) {
            best = fmin(best, keep(self, goal, best, norms));
            if (best <= goal->tolerance) break;
            self->regular = fmax(self->regular / FALL, LEAST);
            failures = 0;
        } else {
            if (self->regular >= MOST || !(self->work > 0) || self->steps == 1) break;
            self->regular = fmin(self->regular * BACK, MOST);
            ++failures;
        }
    }
    if (!(best < before)) return false;
    memcpy(r, self->best, bytes);
    return true;
}

bool newton_applies(const delassus *a, scree_law law) {
    if (law != SCREE_LAW_COULOMB) return false;
    for (int i = 0; i < a->count; i++)
        if (a->kind[i] != SCREE_BLOCK_CONTACT) return false;
    return a->count <= ELIMINATION_ROWS_MOST;
}

scree_result newton_allocate(newton *self, const delassus *a) {
    *self = (newton){.a = a};
    TRY(elimination_allocate(&self->system, a->count));
    const size_t n = (size_t)a->count;
    self->contacts = memory_allocate(n, sizeof *self->contacts);
    self->r = memory_allocate(5 * n, sizeof *self->r);
    if (!self->contacts || !self->r) {
        newton_release(self);
        return fail(SCREE_ERROR_MEMORY, "out of memory: Newton's method over %zu contacts", n);
    }
    self->centre = self->r + n;
    self->u = self->r + 2 * n;
    self->z = self->r + 3 * n;
    self->best = self->r + 4 * n;
    return SCREE_OK;
}

void newton_release(newton *self) {
    elimination_release(&self->system);
    memory_release(self->contacts);
    memory_release(self->r);
    *self = (newton){0};
}
