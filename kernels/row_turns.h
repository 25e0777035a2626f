/* The bends of turning bodies (surface_bend.h) from entries on a device, as host/rows/contact_bend.c finds
 * them. */
#ifndef SCREE_KERNELS_ROW_TURNS_H
#define SCREE_KERNELS_ROW_TURNS_H

#include "contact_surface.h"
#include "displacement.h"
#include "row_gather.h"
#include "surface_bend.h"

#ifdef __OPENCL_VERSION__

/* The turns of the bodies of an entry. */
typedef struct row_turns {
    surface_turn a, b;
    surface_tilt tilt_a, tilt_b;
    scalar least; /* accelerations without a bend, m/s² */
    scalar share; /* to which a contact moves with its place on b */
    int turns, tilts;
    int filled; /* whether `share` is set, and a and b beyond `turns` and `rate` */
} row_turns;

SHARED int is_driven(const row_body of) { return (of.bits & (ROW_KINEMATIC | ROW_HELD)) != 0; }

/* Returns the turn of a body under a contact as far as it tells whether there is one. */
SHARED surface_turn turn_begun(const row_body of, const vec3s normal, const vec3s spin, const scalar h) {
    surface_turn out;
    out.rate = glms_vec3_dot(spin, normal);
    out.turns = surface_turns(out.rate, h) && !row_is_ball(of);
    return out;
}

/* Returns the rotation of a round body over the step. Joints turn the spin of a body, such as a wheel on an
 * arm; other bodies tumble. */
CALLED body_turn turn_in_step(const body_pose pose, const body_mass mass, const vec3s spin, const scalar h,
                              const int held) {
    return held ? turn_continued(pose, mass, spin, h) : turn_free(pose, mass, spin, h);
}

SHARED surface_tilt tilt_of(const row_bodies bodies, const row_body of, const int slot, const vec3s normal,
                            const vec3s spin, const scalar h) {
    if (!surface_rolls(row_kind(of)) || !row_is_dynamic(of) || !surface_tilts(normal, spin, h))
        return surface_tilt_none();
    return surface_tilt_of(
        normal, turn_in_step(bodies.poses[slot], bodies.masses[slot], spin, h, of.bits & ROW_HELD), h);
}

/* Returns what tells whether the contact turns or tilts; most do neither. */
SHARED row_turns turns_of(const row_bodies bodies, const row_pair of, const row_parameters p,
                          const int rolls) {
    const vec3s normal = of.head.normal, spin_a = bodies.velocities[of.head.a].angular,
                spin_b = bodies.velocities[of.head.b].angular;
    const scalar h = p.scheme.time_step;
    row_turns out;
    out.a = turn_begun(of.a, normal, spin_a, h), out.b = turn_begun(of.b, normal, spin_b, h);
    out.turns = out.a.turns || out.b.turns;
    out.least = is_driven(of.a) || is_driven(of.b) ? 0 : BEND_GRAVITY * glms_vec3_norm(p.gravity);
    out.share = 0, out.filled = out.tilts = 0;
    if (!rolls || of.tag.bits & TAG_PREDICTED || !(scheme_traits(p.scheme.kind) & SCHEME_PUSHES) ||
        !(surface_rolls(row_kind(of.a)) || surface_rolls(row_kind(of.b))))
        return out;
    out.tilt_a = tilt_of(bodies, of.a, of.head.a, normal, spin_a, h);
    out.tilt_b = tilt_of(bodies, of.b, of.head.b, normal, spin_b, h);
    out.tilts = out.tilt_a.tilts || out.tilt_b.tilts;
    return out;
}

SHARED scalar place_share(const row_body a, const row_body b) {
    if (row_is_ball(a) && row_is_ball(b)) return a.size.x / (a.size.x + b.size.x);
    return surface_share(a.reach, b.reach);
}

SHARED surface_turn turn_filled(const row_bodies bodies, const row_body of, const int slot,
                                const surface_turn turn, const scalar h) {
    return surface_turn_filled(turn, bodies.velocities[slot].angular, h,
                               !(of.bits & ROW_CHILDREN) && !surface_is_round(row_kind(of)));
}

SHARED row_turns turns_filled(const row_bodies bodies, const row_pair of, row_turns turns, const scalar h) {
    if (turns.filled) return turns;
    turns.a = turn_filled(bodies, of.a, of.head.a, turns.a, h);
    turns.b = turn_filled(bodies, of.b, of.head.b, turns.b, h);
    turns.share = place_share(of.a, of.b);
    turns.filled = 1;
    return turns;
}

/* Returns the surface of a body, or of a child of it, about the body's centre. */
SHARED contact_surface surface_turned(const row_bodies bodies, const row_body of, const int slot,
                                      const versors rotation, const int part) {
#ifdef ROWS_CHILDREN
    if (of.bits & ROW_CHILDREN) {
        body_pose pose;
        pose.position = glms_vec3_zero(), pose.rotation = rotation;
        const placed_child child = child_place(bodies.tables, slot, pose, part);
        return contact_surface_of(child.of.kind, child.of.size, child.pose.position, child.pose.rotation);
    }
#endif
    return contact_surface_of(row_kind(of), of.size, glms_vec3_zero(), rotation);
}

/* Returns the arm to a contact on a body after a rotation of the body. */
SHARED vec3s arm_turned(const row_bodies bodies, const row_body of, const int slot, const vec3s normal,
                        const vec3s arm, const versors turn, const int part) {
    const versors was = bodies.poses[slot].rotation;
    return surface_arm_turned(surface_turned(bodies, of, slot, was, part),
                              surface_turned(bodies, of, slot, rotation_product(turn, was), part), normal,
                              arm);
}

/* Returns the velocity in the plane of a contact's place on a body over the last step. */
SHARED vec3s place_velocity(const row_bodies bodies, const row_body of, const int slot, const vec3s normal,
                            const surface_turn turn, const vec3s arm, const scalar h, const int rolls,
                            const int part) {
    vec3s before = arm; /* of a ball */
    if (turn.carries)
        before = rotate(turn.back, arm);
    else if (rolls)
        before = arm_turned(bodies, of, slot, normal, arm, turn.back, part);
    return place_velocity_of(normal, velocity_before(bodies, of, slot).linear, arm, before, h);
}

/* Returns the velocity in the plane at which a contact moves. */
SHARED vec3s velocity_of_place(const row_bodies bodies, const row_pair of, const row_turns turns,
                               const constraint_block block, const scalar h, const int rolls) {
    const contact_head head = of.head;
    vec3s out = glms_vec3_zero();
    if (turns.share < 1)
        out = glms_vec3_scale(
            place_velocity(bodies, of.a, head.a, head.normal, turns.a, block.arm_a, h, rolls, of.part_a),
            1 - turns.share);
    if (!(turns.share > 0)) return out;
    const vec3s of_b =
        place_velocity(bodies, of.b, head.b, head.normal, turns.b, block.arm_b, h, rolls, of.part_b);
    return glms_vec3_add(out, glms_vec3_scale(of_b, turns.share));
}

SHARED vec3s bend_of(const row_bodies bodies, const row_pair of, const row_turns turns,
                     const constraint_block block, const scalar h, const int rolls) {
    const vec3s n = of.head.normal, arm_a = vec3_in_plane(n, block.arm_a),
                arm_b = vec3_in_plane(n, block.arm_b);
    if (!surface_sweeps(turns.a.turns, block.arm_a, arm_a) &&
        !surface_sweeps(turns.b.turns, block.arm_b, arm_b))
        return glms_vec3_zero();
    return contact_bend(
        turns.a, turns.b, n, arm_a, arm_b, velocity_of_place(bodies, of, turns, block, h, rolls),
        velocity_before(bodies, of.a, of.head.a).linear, velocity_before(bodies, of.b, of.head.b).linear);
}

SHARED vec3s tilt_bend_of(const row_bodies bodies, const row_body of, const int slot, const vec3s normal,
                          const surface_tilt tilt, const vec3s arm, const int part) {
    if (!tilt.tilts) return glms_vec3_zero();
    return tilt_bend(tilt, arm, arm_turned(bodies, of, slot, normal, arm, tilt.ahead, part));
}

/* Returns the block with the bend of surfaces that tilt. `relative`: velocity of b's surface relative to a's,
 * `speed`: the surface velocity along the first tangent. */
SHARED constraint_block tilted(const row_bodies bodies, const row_pair of, const row_turns turns,
                               constraint_block block, const vec3s relative, const vec3s bent,
                               const scalar speed) {
    const contact_head head = of.head;
    const vec3s slip = glms_vec3_add(glms_vec3_sub(relative, bent), glms_vec3_scale(block.tangent, speed)),
                of_b = tilt_bend_of(bodies, of.b, head.b, head.normal, turns.tilt_b, block.arm_b, of.part_b),
                of_a = tilt_bend_of(bodies, of.a, head.a, head.normal, turns.tilt_a, block.arm_a, of.part_a),
                bend = block_to_frame(block, contact_tilt(head.normal, glms_vec3_sub(of_b, of_a), slip));
    block.rolling += bend.y, block.spinning += bend.z;
    block.bias += bend.x;
    block.correction = block.closing = block.closing + bend.x;
    return block;
}

/* Returns the block with the bends of its bodies, and with the slip of `relaxed`. */
SHARED constraint_block bent_block(const row_bodies bodies, const row_pair of, const row_turns turns,
                                   constraint_block block, const row_parameters p, const int bends,
                                   const vec3s relative, const int rolls) {
    const scalar speed = block.rolling;
    const vec3s bent =
        bends ? bend_of(bodies, of, turns, block, p.scheme.time_step, rolls) : glms_vec3_zero();
    if (bends || p.slip_factor != 0) {
        const vec3s before = p.scheme.kind == SCHEME_RELAXED ? relative_before(bodies, of, block) : relative;
        const contact_slip more = contact_slip_of(block.tangent, block_tangent2(block), speed, p.slip_factor,
                                                  glms_vec3_sub(before, bent), bent);
        block.rolling += more.rolling, block.spinning += more.spinning;
    }
    if (rolls && turns.tilts && !block_rebounds(block))
        block = tilted(bodies, of, turns, block, relative, bent, speed);
    return block;
}

#endif

#endif
