/* Entry points of the sweep over groups that are contacts alone. Each method's sweep is a separate program, as in balls.cl:
 * SWEEP_LAW (law_kind), SWEEP_HELD (held_shift), SWEEP_POSITIONS (position_pass) and SWEEP_RELAXED.
 *
 * The contacts of a group are read once, with loads that do not wait for each other, and written once. Between, those of
 * the velocity pass are in local memory: four contacts in registers would take more than 200 of them. The bits equal those
 * of sweep_group (sweep.cl). */
#include "update.h"

/* The data that a sweep reads of a contact, with Coulomb's preparation of A_cc (schur2). An odd number of 16-byte words keeps
 * the work-items of a work-group apart in the banks of local memory. */
typedef struct swept_contact {
    vec3s normal;
    scalar friction;
    vec3s tangent;
    scalar compliance;
    vec3s arm_a;
    scalar bias;
    vec3s arm_b;
    scalar slope;
    vec3s diagonal;
    scalar inverse_normal;
    vec3s off_diagonal;
    scalar inverse_tangent;
    vec3s impulse;
    scalar shift; /* with held shifts; else the trace of S */
    scalar rolling, spinning, size, swapped;
    scalar inverse_pivot, inverse_rest, pivot, rest;
} WORDS swept_contact;

/* The two bodies of a group. */
typedef struct swept_pair {
    body_velocity a, b;
    body_mobility mobility_a, mobility_b;
} swept_pair;

SHARED solve_parameters parameters_of_program(solve_parameters parameters) {
    parameters.law = SWEEP_LAW, parameters.held_shift = SWEEP_HELD, parameters.position_pass = SWEEP_POSITIONS;
#if !SWEEP_RELAXED
    parameters.relaxation = 1;
#endif
    return parameters;
}

SHARED constraint_block contact_alone(constraint_block block) {
    block.kind = BLOCK_CONTACT, block.angular = 0;
    return block;
}

/* Without the preparation, so that nothing waits for a load before the loads of the next contact begin. */
SHARED swept_contact contact_kept(const constraint_block block, const block_diagonal of, const block_impulse r) {
    swept_contact out;
    out.normal = block.normal, out.friction = block.friction;
    out.tangent = block.tangent, out.compliance = block.compliance;
    out.arm_a = block.arm_a, out.bias = block.bias;
    out.arm_b = block.arm_b, out.slope = 0;
    out.diagonal = of.diagonal, out.inverse_normal = of.inverse_normal;
    out.off_diagonal = of.off_diagonal, out.inverse_tangent = of.inverse_tangent;
    out.impulse = r.value, out.shift = SWEEP_HELD ? r.shift : 0;
    out.rolling = block.rolling, out.spinning = block.spinning;
    out.size = out.swapped = out.inverse_pivot = out.inverse_rest = out.pivot = out.rest = 0;
    return out;
}

SHARED constraint_block block_of_kept(const swept_contact from) {
    constraint_block block;
    block.body_a = block.body_b = block.rows = 0;
    block.kind = BLOCK_CONTACT, block.angular = 0;
    block.correction = block.closing = block.length = 0;
    block.normal = from.normal, block.friction = from.friction;
    block.tangent = from.tangent, block.compliance = from.compliance;
    block.arm_a = from.arm_a, block.bias = from.bias;
    block.arm_b = from.arm_b;
    block.rolling = from.rolling, block.spinning = from.spinning;
    return block;
}

SHARED block_diagonal diagonal_of_kept(const swept_contact from) {
    block_diagonal out;
    out.diagonal = from.diagonal, out.inverse_normal = from.inverse_normal;
    out.off_diagonal = from.off_diagonal, out.inverse_tangent = from.inverse_tangent;
    return out;
}

SHARED schur2 schur2_of_kept(const swept_contact from) {
    schur2 s;
    s.inverse_normal = from.diagonal.x > 0 ? from.inverse_normal : 1;
    s.slope = from.slope, s.swapped = from.swapped > 0;
    s.size = from.size, s.trace = from.shift;
    s.inverse_pivot = from.inverse_pivot, s.inverse_rest = from.inverse_rest;
    s.pivot = from.pivot, s.rest = from.rest;
    return s;
}

SHARED void keep_preparation(local swept_contact *to, const schur2 s) {
    to->slope = s.slope, to->size = s.size, to->swapped = s.swapped ? 1 : 0;
    to->inverse_pivot = s.inverse_pivot, to->inverse_rest = s.inverse_rest;
    to->pivot = s.pivot, to->rest = s.rest;
    if (!SWEEP_HELD) to->shift = s.trace;
}

SHARED block_impulse impulse_of_kept(const swept_contact from) {
    block_impulse r;
    r.value = from.impulse, r.shift = SWEEP_HELD ? from.shift : 0;
    return r;
}

/* Returns the place of the k-th contact in the order of the sweep, or of the last one if there are fewer: loads need
 * no branch. */
SHARED int contact_place(const block_group group, const solve_parameters parameters, const int k) {
    return group_block(group, parameters, k < group.count ? k : group.count - 1);
}

/* Solves the normal impulses of up to PRESS_POINTS contacts and applies them to the two bodies. */
SHARED press_impulses pressed_pair(const press *rows, const int sweeps, const solve_parameters parameters,
                                   swept_pair *pair) {
    const press_impulses pressed = press_swept(rows, sweeps, parameters.relaxation);
    pair->a = press_applied(rows, pressed, pair->a, -1), pair->b = press_applied(rows, pressed, pair->b, 1);
    return pressed;
}

SHARED block_step contact_stepped(const constraint_block block, const block_diagonal diagonal, const schur2 prepared,
                                  const solve_parameters parameters, const block_impulse r, const swept_pair pair) {
    return contact_swept(block, diagonal, prepared, parameters, diagonal.inverse_tangent > 0, r, pair.a, pair.b,
                         pair.mobility_a, pair.mobility_b, 0);
}

/* Sweeps the contacts where they are, for groups of more than PRESS_POINTS, and in the position pass. */
SHARED void sweep_in_place(const block_group group, global const constraint_block *blocks,
                           global const block_diagonal *diagonals, global block_impulse *impulses,
                           const solve_parameters parameters, const int sweeps, swept_pair *pair) {
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int k = 0; k < group.count; k++) {
            const int i = group_block(group, parameters, k);
            const block_diagonal of = diagonals[i];
            const block_step step =
                contact_stepped(contact_alone(blocks[i]), of, contact_prepared(of, parameters, 0), parameters,
                                impulses[i], *pair);
            impulses[i] = step.impulse;
            pair->a = step.a, pair->b = step.b;
        }
}

#if SWEEP_POSITIONS
/* Presses a group of 2 to PRESS_POINTS contacts, all of whose sweeps are of normal rows. */
SHARED void sweep_few(const block_group group, global const constraint_block *blocks,
                      global const block_diagonal *diagonals, global block_impulse *impulses,
                      const solve_parameters parameters, const int sweeps, swept_pair *pair) {
    press rows;
    rows.count = group.count;
    UNROLLED for (int k = 0; k < PRESS_POINTS; k++) {
        const int i = contact_place(group, parameters, k);
        rows.rows[k] = press_row_of(contact_alone(blocks[i]), diagonals[i], parameters, impulses[i], pair->a, pair->b,
                                    pair->mobility_a, pair->mobility_b, 0);
    }
    const press_impulses pressed = pressed_pair(&rows, sweeps, parameters, pair);
    UNROLLED for (int k = 0; k < PRESS_POINTS; k++)
        if (k < group.count) {
            block_impulse r;
            r.value = glms_vec3_zero(), r.shift = 0;
            impulses[contact_place(group, parameters, k)] = impulse_pressed(r, pressed.values[k], parameters);
        }
}
#else
/* Reads the contacts of a group to own[0], own[stride], …, in the order of the sweep, and prepares them. */
SHARED void keep_contacts(const block_group group, global const constraint_block *blocks,
                          global const block_diagonal *diagonals, global const block_impulse *impulses,
                          const solve_parameters parameters, local swept_contact *own, const int stride) {
    UNROLLED for (int k = 0; k < PRESS_POINTS; k++) {
        const int i = contact_place(group, parameters, k);
        own[stride * k] = contact_kept(blocks[i], diagonals[i], impulses[i]);
    }
    for (int k = 0; k < group.count; k++)
        keep_preparation(&own[stride * k],
                         contact_prepared(diagonal_of_kept(own[stride * k]), parameters, 0));
}

SHARED void press_kept(const int count, const int sweeps, const solve_parameters parameters,
                       local swept_contact *own, const int stride, swept_pair *pair) {
    press rows;
    rows.count = count;
    UNROLLED for (int k = 0; k < PRESS_POINTS; k++) {
        const swept_contact at = own[stride * k];
        rows.rows[k] = press_row_of(block_of_kept(at), diagonal_of_kept(at), parameters, impulse_of_kept(at), pair->a,
                                    pair->b, pair->mobility_a, pair->mobility_b, 0);
    }
    const press_impulses pressed = pressed_pair(&rows, sweeps, parameters, pair);
    UNROLLED for (int k = 0; k < PRESS_POINTS; k++)
        if (k < count) own[stride * k].impulse.x = pressed.values[k];
}

/* Sweeps a group of up to PRESS_POINTS contacts. */
SHARED void sweep_few(const block_group group, global const constraint_block *blocks,
                      global const block_diagonal *diagonals, global block_impulse *impulses,
                      const solve_parameters parameters, const local_sweeps sweeps, local swept_contact *own,
                      const int stride, swept_pair *pair) {
    keep_contacts(group, blocks, diagonals, impulses, parameters, own, stride);
    if (sweeps.pressed > 0) press_kept(group.count, sweeps.pressed, parameters, own, stride, pair);
    for (int sweep = 0; sweep < sweeps.whole; sweep++)
        for (int k = 0; k < group.count; k++) {
            const swept_contact at = own[stride * k];
            const block_step step = contact_stepped(block_of_kept(at), diagonal_of_kept(at), schur2_of_kept(at),
                                                    parameters, impulse_of_kept(at), *pair);
            own[stride * k].impulse = step.impulse.value;
            pair->a = step.a, pair->b = step.b;
        }
    UNROLLED for (int k = 0; k < PRESS_POINTS; k++)
        if (k < group.count) impulses[group_block(group, parameters, k)].value = own[stride * k].impulse;
}
#endif

/* Sweeps a group of contacts. Only movable bodies are written, since groups of a colour may share one that does not
 * move. */
SHARED void sweep_contacts(const block_group group, global const constraint_block *blocks,
                           global const block_diagonal *diagonals, global block_impulse *impulses,
                           global body_velocity *velocities, global const body_mobility *mobility,
                           const solve_parameters parameters, local swept_contact *own, const int stride) {
    swept_pair pair;
    if (group.count == 0) return;
    pair.mobility_a = mobility[group.body_a], pair.mobility_b = mobility[group.body_b];
    pair.a = velocities[group.body_a], pair.b = velocities[group.body_b];
    const local_sweeps sweeps = manifold_sweeps(group.count, parameters);
#if SWEEP_POSITIONS
    if (sweeps.pressed > 0) sweep_few(group, blocks, diagonals, impulses, parameters, sweeps.pressed, &pair);
    sweep_in_place(group, blocks, diagonals, impulses, parameters, sweeps.whole, &pair);
#else
    if (group.count <= PRESS_POINTS)
        sweep_few(group, blocks, diagonals, impulses, parameters, sweeps, own, stride, &pair);
    else
        sweep_in_place(group, blocks, diagonals, impulses, parameters, sweeps.whole, &pair);
#endif
    if (body_moves(pair.mobility_a)) velocities[group.body_a] = pair.a;
    if (body_moves(pair.mobility_b)) velocities[group.body_b] = pair.b;
}

/* One work-item per group of a colour. */
kernel void sweep_manifolds(global const block_group *groups, global const constraint_block *blocks,
                            global const block_diagonal *diagonals, global block_impulse *impulses,
                            global body_velocity *velocities, global const body_mobility *mobility,
                            const solve_parameters parameters, const int first, const int count) {
    local swept_contact kept[PRESS_POINTS * MANIFOLD_GROUP];
    const int g = (int)get_global_id(0);
    if (g >= count) return;
    sweep_contacts(groups[first + g], blocks, diagonals, impulses, velocities, mobility,
                   parameters_of_program(parameters), kept + get_local_id(0), MANIFOLD_GROUP);
}

/* Work-items per bundle: as many as there is local memory for, since the groups of a rank have to wait for each other if
 * there are more. */
#ifndef MANIFOLD_BUNDLE
#define MANIFOLD_BUNDLE WORK_GROUP
#endif

/* One work-group per bundle, starting at bundle `first`; its ranks run one after another (sweep_plan.h). */
kernel void sweep_manifold_bundles(global const block_group *groups, global const constraint_block *blocks,
                                   global const block_diagonal *diagonals, global block_impulse *impulses,
                                   global body_velocity *velocities, global const body_mobility *mobility,
                                   const solve_parameters parameters, global const int *order,
                                   global const int *rank_first, global const int *bundle_first, const int first) {
    local swept_contact kept[PRESS_POINTS * MANIFOLD_BUNDLE];
    const int bundle = first + (int)get_group_id(0), last = bundle_first[bundle + 1];
    for (int rank = bundle_first[bundle]; rank < last; rank++) {
        const int end = rank_first[rank + 1];
        for (int k = rank_first[rank] + (int)get_local_id(0); k < end; k += MANIFOLD_BUNDLE)
            sweep_contacts(groups[order[k] >> ORDER_SHIFT], blocks, diagonals, impulses, velocities, mobility,
                           parameters_of_program(parameters), kept + get_local_id(0), MANIFOLD_BUNDLE);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
