/* The second test after a solve, for devices with double precision (start_energy.h): whether the impulses of some island may have
 * to be scaled, where the energies of the bodies (excess.cl) suspect that. Its islands are those of that test; after this launch
 * come the same sums again. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "start_energy.h"
#include "step_report.h"
#include "tiles.h"

SHARED start_energy energy_at(global const constraint_block *blocks, global const bounded_rows *rows,
                              global const block_impulse *impulses, global const body_velocity *free_velocity,
                              const int i) {
    const constraint_block block = blocks[i];
    const body_velocity a = free_velocity[block.body_a], b = free_velocity[block.body_b];
    return block_is_bounded(block) ? start_energy_of_bounded(block, rows[block.rows], impulses[i].value, a, b)
                                   : start_energy_of_block(block, impulses[i].value, a, b);
}

/* Bounds what each body adds to the excess of its island. A block counts for its first dynamic body. */
kernel void weigh_bodies(global const constraint_block *blocks, global const bounded_rows *rows,
                         global const block_impulse *impulses, global const uint *first, global const int *incidence,
                         global const body_mobility *mobility, global const body_velocity *free_velocity,
                         global const uchar *types, const uint bodies, global float *excess, global uint *ranks,
                         global uint2 *units, global uint *report) {
    local uint some, unknown;
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    if (get_local_id(0) == 0) some = unknown = 0;
    LOCAL_BARRIER;
    FOR_RANGE(i, range) {
        start_energy own;
        body_impulse sum;
        own.kinetic = own.driven = 0;
        sum.linear = sum.angular = glms_vec3_zero();
        for (uint k = types[i] == SLOT_DYNAMIC ? first[i] : first[i + 1]; k < first[i + 1]; k++) {
            const int at = incidence[k] / 2, side = incidence[k] % 2;
            sum = body_impulse_plus(sum, blocks[at], impulses[at], side);
            if (side && types[blocks[at].body_a] == SLOT_DYNAMIC) continue;
            const start_energy of = energy_at(blocks, rows, impulses, free_velocity, at);
            own.kinetic += of.kinetic, own.driven += of.driven;
        }
        own.kinetic += start_energy_of_body(mobility[i], sum);
        const float bound = (float)start_energy_bound(own);
        const int known = scalar_finite(bound);
        excess[i] = known ? bound : 0, ranks[i] = 0, units[i] = (uint2)(0);
        if (!known) atomic_or(&unknown, 1u);
        if (bound > 0) atomic_or(&some, 1u);
    }
    LOCAL_BARRIER;
    if (get_local_id(0) == 0 && some) atomic_or(&report[REPORT_SOME], 1u);
    if (get_local_id(0) == 0 && unknown) atomic_or(&report[REPORT_SUSPECTED], 1u);
}
