/* Entry points of sweeps over groups of contacts in lanes: on a processor, whose runtime makes no vectors of arrays of
 * structs by itself, a work-item updates as many groups of a colour at once as a register has floats, each in a lane of
 * its own with the bits of balls.cl and sweep.cl. What is known of the sweep when it is compiled is
 * as in balls.cl: SWEEP_LAW, SWEEP_POSITIONS and SWEEP_RELAXED. */
#include "update.h"
#include "lanes.h"

/* What sweeps read and write, as words. */
typedef struct wide_problem {
    global const float4 *blocks, *diagonals, *mobility;
    global float4 *impulses, *velocities;
} wide_problem;

/* The groups of a batch, a field of block_group after the other, each [lane]. Lanes beyond the last group repeat the
 * first one, but for their counts, which are 0. */
typedef struct wide_groups {
    lane_places a, b, first;
    scalar_mask used;
    int points;
} wide_groups;

SHARED lane_places batch_places(global const int *at, const int more) {
    return places_of(at, 1, more, SCREE_WIDTH - 1);
}

SHARED wide_groups groups_at(global const int *from) {
    wide_groups out;
    out.a = batch_places(from, 0), out.b = batch_places(from + SCREE_WIDTH, 0);
    out.first = batch_places(from + 2 * SCREE_WIDTH, 0);
    out.points = from[3 * SCREE_WIDTH];
    out.used = vload8(0, from + 3 * SCREE_WIDTH) > 0;
    return out;
}

SHARED solve_parameters parameters_of_program(solve_parameters parameters) {
    parameters.law = SWEEP_LAW, parameters.held_shift = 0, parameters.position_pass = SWEEP_POSITIONS;
#if !SWEEP_RELAXED
    parameters.relaxation = 1;
#endif
    return parameters;
}

SHARED wide_problem problem_of(global const float4 *blocks, global const float4 *diagonals,
                                      global float4 *impulses, global float4 *velocities,
                                      global const float4 *mobility) {
    wide_problem on;
    on.blocks = blocks, on.diagonals = diagonals, on.impulses = impulses;
    on.velocities = velocities, on.mobility = mobility;
    return on;
}

/* One work-item per batch of contacts of balls (balls.cl). */
kernel void sweep_wide_balls(global const int *batches, global const float4 *blocks, global const float4 *diagonals,
                             global float4 *impulses, global float4 *velocities, global const float4 *mobility,
                             const solve_parameters given, const int first, const int count) {
    const int item = (int)get_global_id(0);
    if (item >= count) return;
    const wide_problem on = problem_of(blocks, diagonals, impulses, velocities, mobility);
    const solve_parameters parameters = parameters_of_program(given);
    const wide_groups groups = groups_at(batches + 4 * SCREE_WIDTH * (first + item));
    const block_diagonal delassus = diagonals_load(on.diagonals, groups.first);
    const body_mobility mobility_a = mobilities_load(on.mobility, groups.a), mobility_b = mobilities_load(on.mobility, groups.b);
    const block_step step =
        contact_swept(contacts_load(on.blocks, groups.first), delassus, contact_prepared(delassus, parameters, 1), parameters, 1,
                      impulses_load(on.impulses, groups.first), velocities_load(on.velocities, groups.a), velocities_load(on.velocities, groups.b), mobility_a,
                      mobility_b, 1);
    impulses_store(on.impulses, groups.first, groups.used, step.impulse);
    velocities_store(on.velocities, groups.a, (mobility_a.inverse_mass.x > 0) & groups.used, step.a);
    velocities_store(on.velocities, groups.b, (mobility_b.inverse_mass.x > 0) & groups.used, step.b);
}

/* The contacts of a batch's groups, as many in each, and what sweeps make of them. */
typedef struct wide_manifold {
    int count, round; /* round: both bodies of every lane are */
    constraint_block blocks[PRESS_POINTS];
    block_diagonal diagonals[PRESS_POINTS];
    block_impulse impulses[PRESS_POINTS];
    body_velocity a, b;
    body_mobility mobility_a, mobility_b;
} wide_manifold;

SHARED int manifold_point(const wide_manifold *of, const solve_parameters parameters, const int k) {
    return parameters.backward ? of->count - 1 - k : k;
}

SHARED void manifold_press(wide_manifold *of, const solve_parameters parameters, const int sweeps) {
    press rows;
    rows.count = of->count;
    for (int i = 0; i < of->count; i++) {
        const int k = manifold_point(of, parameters, i);
        rows.rows[i] = press_row_of(of->blocks[k], of->diagonals[k], parameters, of->impulses[k], of->a, of->b,
                                    of->mobility_a, of->mobility_b, of->round);
    }
    const press_impulses pressed = press_swept(&rows, sweeps, parameters.relaxation);
    of->a = press_applied(&rows, pressed, of->a, -1), of->b = press_applied(&rows, pressed, of->b, 1);
    for (int i = 0; i < of->count; i++) {
        const int k = manifold_point(of, parameters, i);
        of->impulses[k] = impulse_pressed(of->impulses[k], pressed.values[i], parameters);
    }
}

SHARED block_step step_chosen(const scalar_mask m, const block_step one, const block_step other) {
    block_step out = other;
    out.impulse.value = vec3_choose(m, one.impulse.value, other.impulse.value);
    out.a.linear = vec3_choose(m, one.a.linear, other.a.linear);
    out.a.angular = vec3_choose(m, one.a.angular, other.a.angular);
    out.b.linear = vec3_choose(m, one.b.linear, other.b.linear);
    out.b.angular = vec3_choose(m, one.b.angular, other.b.angular);
    return out;
}

/* Contact k, whose A_cc may be diag(a, t, t) in some lanes. */
SHARED block_step point_swept(const wide_manifold *of, const int k, const solve_parameters parameters,
                                     const schur2 prepared) {
    const block_diagonal delassus = of->diagonals[k];
    const scalar_mask isotropic = delassus.inverse_tangent > 0;
    block_step general, simple;
    if (!parameters.position_pass && any_lane(!isotropic)) {
        general = contact_swept(of->blocks[k], delassus, prepared, parameters, 0, of->impulses[k], of->a, of->b,
                                of->mobility_a, of->mobility_b, of->round);
        if (!any_lane(isotropic)) return general;
    }
    simple = contact_swept(of->blocks[k], delassus, prepared, parameters, 1, of->impulses[k], of->a, of->b,
                           of->mobility_a, of->mobility_b, of->round);
    if (parameters.position_pass || !any_lane(!isotropic)) return simple;
    return step_chosen(isotropic, simple, general);
}

/* One work-item per batch of groups of up to four contacts and nothing else. */
kernel void sweep_wide_manifolds(global const int *batches, global const float4 *blocks,
                                 global const float4 *diagonals, global float4 *impulses, global float4 *velocities,
                                 global const float4 *mobility, const solve_parameters given, const int first,
                                 const int count) {
    const int item = (int)get_global_id(0);
    if (item >= count) return;
    const wide_problem on = problem_of(blocks, diagonals, impulses, velocities, mobility);
    const solve_parameters parameters = parameters_of_program(given);
    const wide_groups groups = groups_at(batches + 4 * SCREE_WIDTH * (first + item));
    wide_manifold of;
    schur2 prepared[PRESS_POINTS];
    of.count = groups.points;
    of.mobility_a = mobilities_load(on.mobility, groups.a), of.mobility_b = mobilities_load(on.mobility, groups.b);
    of.round = !any_lane(!(body_round(of.mobility_a) & body_round(of.mobility_b)));
    of.a = velocities_load(on.velocities, groups.a), of.b = velocities_load(on.velocities, groups.b);
    for (int k = 0; k < of.count; k++) {
        const lane_places at = batch_places(groups.first.at, k);
        of.blocks[k] = contacts_load(on.blocks, at);
        of.diagonals[k] = diagonals_load(on.diagonals, at);
        of.impulses[k] = impulses_load(on.impulses, at);
        prepared[k] = contact_prepared(of.diagonals[k], parameters, 0);
    }
    const local_sweeps sweeps = manifold_sweeps(of.count, parameters);
    if (sweeps.pressed > 0) manifold_press(&of, parameters, sweeps.pressed);
    for (int sweep = 0; sweep < sweeps.whole; sweep++)
        for (int i = 0; i < of.count; i++) {
            const int k = manifold_point(&of, parameters, i);
            const block_step step = point_swept(&of, k, parameters, prepared[k]);
            of.impulses[k] = step.impulse;
            of.a = step.a, of.b = step.b;
        }
    for (int k = 0; k < of.count; k++)
        impulses_store(on.impulses, batch_places(groups.first.at, k), groups.used, of.impulses[k]);
    velocities_store(on.velocities, groups.a, body_moves(of.mobility_a) & groups.used, of.a);
    velocities_store(on.velocities, groups.b, body_moves(of.mobility_b) & groups.used, of.b);
}
