#include "mass_unit.h"

#include "base/memory.h"
#include "base/parallel.h"

/* Masses from 2^-ORDINARY to 2^ORDINARY kg, 1e-12 to 1e12 kg, are solved in kilograms. */
enum { ORDINARY = 40 };

static vec3s shifted(vec3s v, int by) {
    return vec3_of(scalar_shifted(v.x, by), scalar_shifted(v.y, by), scalar_shifted(v.z, by));
}

/* Returns the middle of the smallest and the largest exponent. */
static int choose_exponent(const problem *p) {
    const int least = p->lightest, most = p->heaviest;
    if (least > most || (least >= -ORDINARY && most <= ORDINARY)) return 0;
    return least + (most - least) / 2;
}

static body_mass mass_shifted(body_mass mass, int by) {
    mass.mass = scalar_shifted(mass.mass, by);
    mass.inertia = shifted(mass.inertia, by);
    return mass;
}

static body_load load_shifted(body_load load, int by) {
    load.force = shifted(load.force, by);
    load.torque = shifted(load.torque, by);
    return load;
}

static bounded_rows rows_shifted(bounded_rows rows, int by) {
    rows.low = shifted(rows.low, by), rows.high = shifted(rows.high, by);
    rows.push_low = shifted(rows.push_low, by), rows.push_high = shifted(rows.push_high, by);
    rows.compliance = shifted(rows.compliance, -by);
    return rows;
}

/* Converts blocks, rows and impulses to a unit 2^-by of theirs. */
static void shift_blocks(problem *p, int by, int threads) {
#pragma omp parallel for schedule(static) num_threads(parallel_threads(threads, p->block_count))
    for (int i = 0; i < p->block_count; i++) {
        p->blocks[i].compliance = scalar_shifted(p->blocks[i].compliance, -by);
        p->impulses[i].value = shifted(p->impulses[i].value, by);
        p->pseudo_impulses[i].value = shifted(p->pseudo_impulses[i].value, by);
    }
    for (int i = 0; i < p->row_count; i++) p->rows[i] = rows_shifted(p->rows[i], by);
}

scree_result mass_unit_take(mass_unit *self, body_array *bodies, problem *p, int threads, int *regrown) {
    self->exponent = choose_exponent(p);
    if (!self->exponent) return SCREE_OK;
    TRY(MEMORY_RESERVE(self->masses, self->mass_capacity, bodies->count, regrown));
    TRY(MEMORY_RESERVE(self->loads, self->load_capacity, bodies->count, regrown));
#pragma omp parallel for schedule(static) num_threads(parallel_threads(threads, bodies->count))
    for (int i = 0; i < bodies->count; i++) {
        self->masses[i] = mass_shifted(bodies->masses[i], -self->exponent);
        self->loads[i] = load_shifted(bodies->loads[i], -self->exponent);
    }
    bodies->masses = self->masses, bodies->loads = self->loads;
    problem_settle(p); /* blocks must outlive the solve to be converted back */
    shift_blocks(p, -self->exponent, threads);
    joint_forest_follow(&p->forest, bodies);
    return SCREE_OK;
}

void mass_unit_give_back(const mass_unit *self, problem *p, int threads) {
    const int by = self->exponent;
    if (!by) return;
    shift_blocks(p, by, threads);
    for (int i = 0; i < p->body_count; i++) {
        body_mobility *m = &p->mobility[i];
        m->inverse_mass = shifted(m->inverse_mass, -by);
        m->diagonal = shifted(m->diagonal, -by), m->off_diagonal = shifted(m->off_diagonal, -by);
    }
    for (int i = 0; i < p->block_count; i++) {
        block_diagonal *a = &p->diagonals[i];
        a->diagonal = shifted(a->diagonal, -by), a->off_diagonal = shifted(a->off_diagonal, -by);
        a->inverse_normal = scalar_shifted(a->inverse_normal, by);
        a->inverse_tangent = scalar_shifted(a->inverse_tangent, by);
    }
}

void mass_unit_release(mass_unit *self) {
    memory_release(self->masses);
    memory_release(self->loads);
}
