/* Entry point of the rows of contacts whose bodies cohesion holds: their arms end in one point, and bends of
 * all shapes open or close their gaps (bound_bend.h). The others are filled by rows.cl and row_bends.cl.
 * Work-groups have any number of work-items, one on processors. */
#include "row_blocks.h"
#include "row_turns.h"

#include "bound_bend.h"
#include "bound_pair.h"

/* Moves the arms of a block to a common point. */
SHARED constraint_block joined_block(const row_bodies bodies, const row_pair of, const vec3s period,
                                     constraint_block block) {
    const contact_head head = of.head;
    const vec3s between = glms_vec3_sub(image_position(bodies.poses[head.b].position, head_image(head), period),
                                        bodies.poses[head.a].position);
    const joined_arms arms = arms_joined(head.normal, between, joins_on_b(of), block.arm_a, block.arm_b);
    block.arm_a = arms.a, block.arm_b = arms.b;
    return block;
}

/* Returns the radius of the round surface of a body at a contact, m; infinite where the body carries the
 * contact along. */
SHARED scalar place_radius(const row_bodies bodies, const row_body of, const int slot, const int part,
                           const vec3s normal) {
    const contact_surface surface = surface_turned(bodies, of, slot, bodies.poses[slot].rotation, part);
    const vec3s axis = rotate(surface.rotation, vec3_of(0, 0, 1));
    return surface_roundness(surface.kind, axis, axis, normal) > (scalar)0.5 ? surface.size.x : INFINITY;
}

/* Returns the bend of a body's surface at the arm r of a contact that turns at the common spin. */
SHARED vec3s bound_place(const row_bodies bodies, const row_body of, const int slot, const int part,
                         const bound_turn turn, const scalar radius, const vec3s arm) {
    const scalar h = turn.time_step;
    const vec3s spin = bodies.velocities[slot].angular;
    vec3s gain = glms_vec3_zero();
    if (!(of.bits & ROW_HELD))
        gain = glms_vec3_sub(gyration_of(bodies.poses[slot], spin, bodies.masses[slot], h).mean, spin);
    const vec3s loose = glms_vec3_cross(gain, arm);
    if (!(radius < INFINITY)) return glms_vec3_add(carried_bend(spin, arm, h), loose);
    const versors own =
        rotation_turned(glms_vec3_scale(glms_vec3_sub(spin, turn.common), h), versor_of(0, 0, 0, 1));
    const vec3s rolled = glms_vec3_sub(arm_turned(bodies, of, slot, turn.normal, arm, own, part), arm);
    return glms_vec3_add(rolled_bend(turn, spin, arm, rolled), loose);
}

/* Returns the bend at a point. */
SHARED vec3s bound_bend(const row_bodies bodies, const row_pair of, const row_turns turns,
                        const constraint_block block, const scalar h) {
    const contact_head head = of.head;
    const bound_turn turn = bound_turn_of(
        h, head.normal, bodies.velocities[head.a], bodies.velocities[head.b], block.arm_a, block.arm_b,
        place_radius(bodies, of.a, head.a, of.part_a, head.normal),
        place_radius(bodies, of.b, head.b, of.part_b, head.normal));
    const vec3s at_b = place_velocity(bodies, of.b, head.b, head.normal, turns.b, block.arm_b, h, 1, of.part_b),
                at_a = place_velocity(bodies, of.a, head.a, head.normal, turns.a, block.arm_a, h, 1, of.part_a),
                slip = glms_vec3_sub(at_b, at_a),
                on_b = slip_bend(turns.b, head.normal, glms_vec3_scale(slip, turns.share - 1)),
                on_a = slip_bend(turns.a, head.normal, glms_vec3_scale(slip, turns.share));
    return bound_bend_of(turn, bound_place(bodies, of.a, head.a, of.part_a, turn, turn.radius_a, block.arm_a),
                         bound_place(bodies, of.b, head.b, of.part_b, turn, turn.radius_b, block.arm_b), on_a,
                         on_b);
}

/* Returns the block of a point; `noted`: the bias of its last row. */
SHARED row_block bound_block(const row_bodies bodies, const row_pair of, const row_turns turns,
                             const row_terms terms, const row_parameters p, const float4 place,
                             const scalar noted) {
    constraint_block block = joined_block(bodies, of, p.period, bare_block(of, terms, place));
    const vec3s bent = bound_bend(bodies, of, turns, block, p.scheme.time_step),
                now = relative_velocity(block, bodies.velocities[of.head.a], bodies.velocities[of.head.b]),
                before = p.scheme.kind == SCHEME_RELAXED ? relative_before(bodies, of, block) : now;
    const contact_slip more = contact_slip_of(block.tangent, block_tangent2(block), block.rolling, p.slip_factor,
                                              glms_vec3_sub(before, bent), bent);
    block.rolling += more.rolling, block.spinning += more.spinning;
    return with_row(bodies, of, terms, p, block, place,
                    place.w + gap_remainder(terms.remainders, block.arm_a, block.arm_b),
                    p.scheme.time_step * glms_vec3_dot(of.head.normal, bent), noted, FILL_MOVING);
}

kernel void rows_bound(FILL_PARAMETERS) {
    const row_bodies bodies = FILL_BODIES;
    const row_output out = {rows, blocks, starts, pushes};
    const row_problem of_rows = row_problem_of(p, totals, capacity, arrangement, arranged, block_capacity);
    const tile_range range = range_of_group(of_rows.entries, TILE_GROUP);
    FOR_RANGE(i, range) {
        const row_pair of = row_pair_of(heads, tags, bodies, i);
        const row_material material = material_between(materials, p.material_count, of);
        const int first = firsts[i], turns = row_resists(material), stride = turns ? 2 : 1;
        if (!of.held || !row_has_room(of_rows, of.head, first, stride)) continue;
        const row_terms terms = terms_of(bodies, of, material, of_rows.p, INFINITY);
        const row_turns bent = turns_filled(bodies, of, turns_of(bodies, of, of_rows.p, 0), p.scheme.time_step);
        int rebound = 0, at = first;
        for (int k = of.head.first; k < of.head.first + head_count(of.head); k++, at += stride)
            rebound |= put_block(out, of_rows.p,
                                 bound_block(bodies, of, bent, terms, of_rows.p, places[k],
                                             terms.deferred ? rows[k].bias : 0),
                                 impulses[k], at, k);
        if (rebound) atomic_or(&counts[counts_at + ROWS_REBOUND], 1u);
        if (turns) fill_resistances(bodies, of, material, of_rows.p, torques, out, first);
    }
}
