/* Entry points of sweeps over groups of contacts in lanes: on a processor, whose runtime makes no vectors of arrays of
 * structs by itself, a work-item updates as many groups of a colour at once as a register has floats, each in a lane of
 * its own with the bits of balls.cl and sweep.cl. What is known of the sweep when it is compiled is
 * as in balls.cl: SWEEP_LAW, SWEEP_POSITIONS and SWEEP_RELAXED. */
#include "wide_momentum.h"

/* What sweeps read and write. `ahead`: they begin at the point that momentum leads to from the iterate `before`, whose
 * place is taken by the next one, and leave what each block adds to the restart test. */
typedef struct wide_problem {
    global const int *batches;
    global const float *fields;
    global float4 *impulses, *velocities;
    solve_parameters parameters;
    int ahead;
    global float4 *before;
    global float *uphill;
    scalar extrapolation;
} wide_problem;

SHARED solve_parameters parameters_of_program(solve_parameters parameters) {
    parameters.law = SWEEP_LAW, parameters.held_shift = 0, parameters.position_pass = SWEEP_POSITIONS;
#if !SWEEP_RELAXED
    parameters.relaxation = 1;
#endif
    return parameters;
}

SHARED wide_problem problem_of(global const int *batches, global const float *fields, global float4 *impulses,
                               global float4 *velocities, const solve_parameters parameters) {
    wide_problem on;
    on.batches = batches, on.fields = fields, on.impulses = impulses, on.velocities = velocities;
    on.parameters = parameters_of_program(parameters);
    on.ahead = 0, on.before = 0, on.uphill = 0, on.extrapolation = scalar_of(0);
    return on;
}

/* Where momentum is kept. `sums`: of the chunks' terms, which a work-item that sweeps all blocks makes; `block_count` is 0
 * for one that does not. */
typedef struct wide_momentum {
    global nesterov_state *states;
    int at;
    global float *sums;
    global float4 *velocities_before;
    int block_count, body_count;
} wide_momentum;

SHARED wide_momentum momentum_of(global nesterov_state *states, const int at, global float *sums,
                                 global float4 *velocities_before, const int block_count, const int body_count) {
    wide_momentum out;
    out.states = states, out.at = at, out.sums = sums, out.velocities_before = velocities_before;
    out.block_count = block_count, out.body_count = body_count;
    return out;
}

SHARED wide_problem problem_ahead(wide_problem on, const wide_momentum momentum, global float4 *before,
                                  global float *uphill) {
    on.ahead = 1, on.before = before, on.uphill = uphill;
    on.extrapolation = scalar_of(momentum.states[momentum.at].extrapolation);
    return on;
}

/* After a sweep over all blocks: momentum goes on, and bodies and blocks exchange what is with what was. */
SHARED wide_problem problem_stepped(const wide_problem on, wide_momentum *momentum) {
    wide_problem out = on;
    const nesterov_state state = momentum_on(momentum->states, momentum->sums, on.parameters.ceiling, momentum->at,
                                             momentum->block_count);
    bodies_ahead((global const float8 *)on.velocities, (global float8 *)momentum->velocities_before,
                 state.extrapolation, momentum->body_count);
    out.extrapolation = scalar_of(state.extrapolation);
    out.velocities = momentum->velocities_before, momentum->velocities_before = on.velocities;
    out.impulses = on.before, out.before = on.impulses;
    momentum->at = 1 - momentum->at;
    return out;
}

/* Where an impulse is, what it was, and where its sweep began. */
typedef struct wide_start {
    lane_places at;
    block_impulse before, start;
} wide_start;

SHARED wide_start start_of(const wide_problem on, const wide_batch batch, const int k) {
    wide_start out;
    out.at = batch_places(batch.first.at, k);
    out.start = impulses_load(on.impulses, out.at);
    out.before = out.start;
    if (!on.ahead) return out;
    out.before = impulses_load(on.before, out.at);
    out.start = impulse_extrapolated(out.before, out.start, on.extrapolation);
    return out;
}

SHARED void impulse_finished(const wide_problem on, const wide_batch batch, const wide_start from,
                             const block_diagonal delassus, const block_impulse r) {
    impulses_store(on.impulses, from.at, batch.used, r);
    if (on.ahead) floats_store(on.uphill, from.at, batch.used, block_uphill(delassus, from.start, r, from.before));
}

/* A batch of contacts of balls (balls.cl). */
SHARED void sweep_balls(const wide_problem on, const int number) {
    const wide_batch batch = batch_of(on.batches, number);
    global const float *bodies = fields_at(on.fields, batch.fields), *at = fields_at(bodies, ROUND_FIELDS);
    const block_diagonal delassus = field_diagonal(at, 1);
    const body_mobility mobility_a = field_mobility(bodies, 0, 1), mobility_b = field_mobility(bodies, 1, 1);
    const wide_start from = start_of(on, batch, 0);
    const block_step step = contact_swept(
        field_contact(at), delassus, contact_prepared(delassus, on.parameters, 1), on.parameters, 1, from.start,
        velocities_load(on.velocities, batch.a), velocities_load(on.velocities, batch.b), mobility_a, mobility_b, 1);
    impulse_finished(on, batch, from, delassus, step.impulse);
    velocities_store(on.velocities, batch.a, (mobility_a.inverse_mass.x > 0) & batch.used, step.a);
    velocities_store(on.velocities, batch.b, (mobility_b.inverse_mass.x > 0) & batch.used, step.b);
}

WIDE_KERNEL void sweep_wide_balls(global const int *batches, global const float *fields, global float4 *impulses,
                                  global float4 *velocities, const solve_parameters parameters,
                                  const batch_range range) {
    const wide_problem on = problem_of(batches, fields, impulses, velocities, parameters);
    for (int sweep = 0; sweep < range.sweeps; sweep++)
        for (int i = range_first(range); i < range_end(range); i++) sweep_balls(on, i);
}

/* The contacts of a batch's groups, as many in each, and what sweeps make of them. */
typedef struct wide_manifold {
    int count, round; /* round: both bodies of every lane are */
    global const float *points;
    block_impulse impulses[PRESS_POINTS];
    body_velocity a, b;
    body_mobility mobility_a, mobility_b;
} wide_manifold;

SHARED int manifold_point(const wide_manifold *of, const solve_parameters parameters, const int k) {
    return parameters.backward ? of->count - 1 - k : k;
}

SHARED global const float *point_fields(const wide_manifold *of, const int k) {
    return fields_at(of->points, POINT_FIELDS * k);
}

SHARED void manifold_press(wide_manifold *of, const solve_parameters parameters, const int sweeps) {
    press rows;
    rows.count = of->count;
    for (int i = 0; i < of->count; i++) {
        const int k = manifold_point(of, parameters, i);
        global const float *at = point_fields(of, k);
        rows.rows[i] = press_row_of(field_contact(at), field_diagonal(at, 0), parameters, of->impulses[k], of->a,
                                    of->b, of->mobility_a, of->mobility_b, of->round);
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
SHARED block_step point_swept(const wide_manifold *of, const int k, const solve_parameters parameters) {
    global const float *at = point_fields(of, k);
    const block_diagonal delassus = field_diagonal(at, 0);
    const scalar_mask isotropic = delassus.inverse_tangent > 0;
    block_step general, simple;
    if (!parameters.position_pass && any_lane(!isotropic)) {
        general = contact_swept(field_contact(at), delassus, field_prepared(at), parameters, 0, of->impulses[k], of->a,
                                of->b, of->mobility_a, of->mobility_b, of->round);
        if (!any_lane(isotropic)) return general;
    }
    simple = contact_swept(field_contact(at), delassus, contact_prepared(delassus, parameters, 1), parameters, 1,
                           of->impulses[k], of->a, of->b, of->mobility_a, of->mobility_b, of->round);
    if (parameters.position_pass || !any_lane(!isotropic)) return simple;
    return step_chosen(isotropic, simple, general);
}

/* A batch of groups of up to four contacts and nothing else. */
SHARED void sweep_manifolds(const wide_problem on, const int number) {
    const wide_batch batch = batch_of(on.batches, number);
    global const float *bodies = fields_at(on.fields, batch.fields);
    const solve_parameters parameters = on.parameters;
    wide_manifold of;
    wide_start from[PRESS_POINTS];
    of.count = batch.points;
    of.points = fields_at(bodies, BODY_FIELDS);
    of.round = bodies[FIELD_ROUND * SCREE_WIDTH] > 0;
    of.mobility_a = field_mobility(bodies, 0, of.round), of.mobility_b = field_mobility(bodies, 1, of.round);
    of.a = velocities_load(on.velocities, batch.a), of.b = velocities_load(on.velocities, batch.b);
    for (int k = 0; k < of.count; k++) {
        from[k] = start_of(on, batch, k);
        of.impulses[k] = from[k].start;
    }
    const local_sweeps sweeps = manifold_sweeps(of.count, parameters);
    if (sweeps.pressed > 0) manifold_press(&of, parameters, sweeps.pressed);
    for (int sweep = 0; sweep < sweeps.whole; sweep++)
        for (int i = 0; i < of.count; i++) {
            const int k = manifold_point(&of, parameters, i);
            const block_step step = point_swept(&of, k, parameters);
            of.impulses[k] = step.impulse;
            of.a = step.a, of.b = step.b;
        }
    for (int k = 0; k < of.count; k++)
        impulse_finished(on, batch, from[k], field_diagonal(point_fields(&of, k), 0), of.impulses[k]);
    velocities_store(on.velocities, batch.a, body_moves(of.mobility_a) & batch.used, of.a);
    velocities_store(on.velocities, batch.b, body_moves(of.mobility_b) & batch.used, of.b);
}

WIDE_KERNEL void sweep_wide_manifolds(global const int *batches, global const float *fields, global float4 *impulses,
                                      global float4 *velocities, const solve_parameters parameters,
                                      const batch_range range) {
    const wide_problem on = problem_of(batches, fields, impulses, velocities, parameters);
    for (int sweep = 0; sweep < range.sweeps; sweep++)
        for (int i = range_first(range); i < range_end(range); i++) sweep_manifolds(on, i);
}

#if !SWEEP_POSITIONS
/* The sweeps of a work-item. One that has all batches makes so many iterations, with what is between them. */
SHARED void sweep_ahead(wide_problem on, wide_momentum momentum, const batch_range range, const int balls) {
    for (int sweep = 0; sweep < range.sweeps; sweep++) {
        if (sweep > 0) on = problem_stepped(on, &momentum);
        for (int i = range_first(range); i < range_end(range); i++) {
            if (balls)
                sweep_balls(on, i);
            else
                sweep_manifolds(on, i);
        }
        if (momentum.block_count > 0) uphill_summed(on.uphill, momentum.sums, momentum.block_count);
    }
}

/* The same ahead. */
WIDE_KERNEL void sweep_wide_balls_ahead(global const int *batches, global const float *fields, global float4 *impulses,
                                        global float4 *velocities, const solve_parameters parameters,
                                        const batch_range range, global float4 *before, global float *uphill,
                                        global nesterov_state *states, const int at, global float *sums,
                                        global float4 *velocities_before, const int block_count,
                                        const int body_count) {
    if (range_first(range) >= range.end) return;
    const wide_momentum momentum = momentum_of(states, at, sums, velocities_before, block_count, body_count);
    sweep_ahead(problem_ahead(problem_of(batches, fields, impulses, velocities, parameters), momentum, before, uphill),
                momentum, range, 1);
}

WIDE_KERNEL void sweep_wide_manifolds_ahead(global const int *batches, global const float *fields,
                                            global float4 *impulses, global float4 *velocities,
                                            const solve_parameters parameters, const batch_range range,
                                            global float4 *before, global float *uphill,
                                            global nesterov_state *states, const int at, global float *sums,
                                            global float4 *velocities_before, const int block_count,
                                            const int body_count) {
    if (range_first(range) >= range.end) return;
    const wide_momentum momentum = momentum_of(states, at, sums, velocities_before, block_count, body_count);
    sweep_ahead(problem_ahead(problem_of(batches, fields, impulses, velocities, parameters), momentum, before, uphill),
                momentum, range, 0);
}
#endif
