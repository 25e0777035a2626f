#include "mass_unit.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "block.h"
#include "survey.h"

body_mass mass_unit_of(body_mass mass, int exponent) {
    return mass_scaled(mass, scalar_shifted(1, -exponent));
}

/* Converts from kilograms by the factor of impulses; compliances have its inverse. */
static bounded_rows rows_scaled(bounded_rows rows, scalar factor, scalar inverse) {
    rows.low = glms_vec3_scale(rows.low, factor);
    rows.high = glms_vec3_scale(rows.high, factor);
    rows.push_low = glms_vec3_scale(rows.push_low, factor);
    rows.push_high = glms_vec3_scale(rows.push_high, factor);
    rows.compliance = glms_vec3_scale(rows.compliance, inverse);
    rows.correction = glms_vec3_scale(rows.correction, inverse); /* the compliance of problem_relax */
    return rows;
}

void mass_unit_convert(problem *p, int first, int end) {
    const scalar inverse = p->kilograms, factor = 1 / inverse;
    for (int i = first; i < end; i++) {
        constraint_block *block = &p->blocks[i];
        block->compliance *= inverse;
        p->impulses[i].value = glms_vec3_scale(p->impulses[i].value, factor);
        p->pseudo_impulses[i].value = glms_vec3_scale(p->pseudo_impulses[i].value, factor);
        if (block_is_bounded(*block))
            p->rows[block->rows] = rows_scaled(p->rows[block->rows], factor, inverse);
    }
}

typedef struct unit_loop {
    mass_unit *self;
    body_array *bodies;
    scalar factor;
} unit_loop;

static void convert_slice(const void *context, slice part) {
    const unit_loop loop = *(const unit_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        loop.self->masses[i] = mass_scaled(loop.bodies->masses[i], loop.factor);
        loop.self->loads[i] = load_scaled(loop.bodies->loads[i], loop.factor);
    }
}

scree_result mass_unit_take(mass_unit *self, body_array *bodies, const problem *p, int threads,
                            int *regrown) {
    const scalar factor = 1 / p->kilograms;
    TRY(MEMORY_RESERVE(self->masses, self->mass_capacity, bodies->count, regrown));
    TRY(MEMORY_RESERVE(self->loads, self->load_capacity, bodies->count, regrown));
    parallel_for(parallel_threads(threads, bodies->count), bodies->count, convert_slice,
                 &(const unit_loop){.self = self, .bodies = bodies, .factor = factor});
    mass_unit_retake(self, bodies);
    return SCREE_OK;
}

void mass_unit_retake(const mass_unit *self, body_array *bodies) {
    bodies->masses = self->masses;
    bodies->loads = self->loads;
}

void mass_unit_release(mass_unit *self) {
    memory_release(self->masses);
    memory_release(self->loads);
}
