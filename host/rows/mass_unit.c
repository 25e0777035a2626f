#include "mass_unit.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "block.h"

/* Masses from 2^-ORDINARY to 2^ORDINARY kg, 1e-12 to 1e12 kg, are solved in kilograms. */
enum { ORDINARY = 40 };

static vec3s shifted(vec3s v, int by) {
    return vec3_of(scalar_shifted(v.x, by), scalar_shifted(v.y, by), scalar_shifted(v.z, by));
}

int mass_unit_exponent(int lightest, int heaviest) {
    if (lightest > heaviest || (lightest >= -ORDINARY && heaviest <= ORDINARY)) return 0;
    return lightest + (heaviest - lightest) / 2;
}

body_mass mass_unit_of(body_mass mass, int exponent) {
    mass.mass = scalar_shifted(mass.mass, -exponent);
    mass.inertia = shifted(mass.inertia, -exponent);
    return mass;
}

static body_load load_shifted(body_load load, int by) {
    load.force = shifted(load.force, by);
    load.torque = shifted(load.torque, by);
    return load;
}

static bounded_rows rows_shifted(bounded_rows rows, int by) {
    rows.low = shifted(rows.low, by);
    rows.high = shifted(rows.high, by);
    rows.push_low = shifted(rows.push_low, by);
    rows.push_high = shifted(rows.push_high, by);
    rows.compliance = shifted(rows.compliance, -by);
    return rows;
}

void mass_unit_convert(problem *p, block_group group) {
    const int by = -p->mass_exponent;
    for (int i = group.first; i < group.first + group.count; i++) {
        constraint_block *block = &p->blocks[i];
        block->compliance = scalar_shifted(block->compliance, -by);
        p->impulses[i].value = shifted(p->impulses[i].value, by);
        p->pseudo_impulses[i].value = shifted(p->pseudo_impulses[i].value, by);
        if (block_is_bounded(*block)) p->rows[block->rows] = rows_shifted(p->rows[block->rows], by);
    }
}

typedef struct unit_loop {
    mass_unit *self;
    body_array *bodies;
    int exponent;
} unit_loop;

static void convert_slice(const void *context, slice part) {
    const unit_loop loop = *(const unit_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        loop.self->masses[i] = mass_unit_of(loop.bodies->masses[i], loop.exponent);
        loop.self->loads[i] = load_shifted(loop.bodies->loads[i], -loop.exponent);
    }
}

scree_result mass_unit_take(mass_unit *self, body_array *bodies, const problem *p, int threads,
                            int *regrown) {
    const int exponent = p->mass_exponent;
    if (!exponent) return SCREE_OK;
    TRY(MEMORY_RESERVE(self->masses, self->mass_capacity, bodies->count, regrown));
    TRY(MEMORY_RESERVE(self->loads, self->load_capacity, bodies->count, regrown));
    parallel_for(parallel_threads(threads, bodies->count), bodies->count, convert_slice,
                 &(const unit_loop){.self = self, .bodies = bodies, .exponent = exponent});
    bodies->masses = self->masses;
    bodies->loads = self->loads;
    return SCREE_OK;
}

void mass_unit_release(mass_unit *self) {
    memory_release(self->masses);
    memory_release(self->loads);
}
