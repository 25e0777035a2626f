/* The energies of the impulses of blocks, in double precision: f(r) = ½ r·A r + q·r of an island
 * (host/step/warm_start.c has the derivation). A device with double precision tells by them that no island is
 * to be scaled. */
#ifndef SCREE_KERNELS_START_ENERGY_H
#define SCREE_KERNELS_START_ENERGY_H

#include "bounded_rows.h"
#include "excess.h"

#if SCREE_WIDTH == 1

/* The terms ½ r·A r and q·r, J in the problem's unit of mass. */
typedef struct start_energy {
    double kinetic, driven;
} start_energy;

SHARED start_energy start_energy_of(vec3s r, vec3s q, vec3s compliance) {
    const double x = (double)r.x, y = (double)r.y, z = (double)r.z;
    start_energy out;
    out.kinetic =
        (x * x * (double)compliance.x + y * y * (double)compliance.y + z * z * (double)compliance.z) / 2;
    out.driven = x * (double)q.x + y * (double)q.y + z * (double)q.z;
    return out;
}

/* Returns q·r, and ½ r·C r with the compliance C, which is part of A; `a`, `b`: V*. */
SHARED start_energy start_energy_of_block(constraint_block block, vec3s r, body_velocity a, body_velocity b) {
    solve_parameters parameters;
    parameters.position_pass = 0;
    const scalar compliance = block_is_contact(block) ? block.compliance : 0;
    return start_energy_of(r, block_velocity(block, parameters, glms_vec3_zero(), a, b),
                           vec3_of(compliance, 0, 0));
}

SHARED start_energy start_energy_of_bounded(constraint_block block, bounded_rows rows, vec3s r,
                                            body_velocity a, body_velocity b) {
    return start_energy_of(r, glms_vec3_add(block_relative_velocity(block, a, b), rows.bias),
                           rows.compliance);
}

/* Returns ½ P·M⁻¹ P for the sum P of the impulses on a body: the kinetic energy that they give to it at rest.
 */
SHARED double start_energy_of_body(body_mobility mobility, body_impulse sum) {
    body_velocity rest;
    rest.linear = rest.angular = glms_vec3_zero(), rest.reserved = rest.reserved_angular = 0;
    const body_velocity v = velocity_after(rest, mobility, sum.linear, sum.angular);
    return ((double)glms_vec3_dot(sum.linear, v.linear) + (double)glms_vec3_dot(sum.angular, v.angular)) / 2;
}

/* Returns f(r) less its value at s = EXCESS_ENOUGH: positive if s is smaller. */
SHARED double start_energy_excess(start_energy of) {
    return of.kinetic + of.driven + (2 * EXCESS_ENOUGH - 1) * of.kinetic;
}

/* Returns an upper bound of what a body adds to that, for sums of such numbers of up to 2^27 bodies, each
 * rounded as excess_units does. */
SHARED double start_energy_bound(start_energy of) {
    const double driven = of.driven < 0 ? -of.driven : of.driven;
    return start_energy_excess(of) + (of.kinetic + driven) / 128;
}

#endif

#endif
