#include "mass_unit.h"

#include "block.h"
#include "motion.h"

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
    const scalar inverse = p->kilograms, factor = mass_unit_factor(p);
    for (int i = first; i < end; i++) {
        constraint_block *block = &p->blocks[i];
        block->compliance *= inverse;
        p->impulses[i].value = glms_vec3_scale(p->impulses[i].value, factor);
        p->pseudo_impulses[i].value = glms_vec3_scale(p->pseudo_impulses[i].value, factor);
        if (block_is_bounded(*block))
            p->rows[block->rows] = rows_scaled(p->rows[block->rows], factor, inverse);
    }
}
