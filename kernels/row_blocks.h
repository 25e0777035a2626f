/* The blocks of contacts from entries on a device, with their warm start: what lay_block and start_block
 * (host/rows/fill_contact.c) do. */
#ifndef SCREE_KERNELS_ROW_BLOCKS_H
#define SCREE_KERNELS_ROW_BLOCKS_H

#include "contact_surface.h"
#include "displacement.h"
#include "row_gather.h"

#ifdef __OPENCL_VERSION__

SHARED vec3s surface_velocity_of(const row_bodies bodies, const row_body of, const int slot) {
    return rotate(bodies.poses[slot].rotation, of.surface_velocity);
}

SHARED contact_frame frame_of(const row_bodies bodies, const row_pair of) {
    const vec3s normal = of.head.normal;
    if ((row_is_dynamic(of.a) && row_is_dynamic(of.b)) || !((of.a.bits | of.b.bits) & ROW_FLOWS))
        return contact_frame_still(normal);
    return contact_frame_of(normal, surface_velocity_of(bodies, of.a, of.head.a),
                            surface_velocity_of(bodies, of.b, of.head.b));
}

/* -- Arms ------------------------------------------------------------------------------- */

/* `part`: the child of the body that touches; `predicted`: a detection pass has found the contact. Its point
 * is where the child will be, and is used unchanged. */
SHARED arm_base base_of(const row_bodies bodies, const row_body of, const int slot, const int image,
                        const vec3s period, const vec3s outward, const int part, const int predicted) {
    if (row_is_ball(of)) return arm_base_of_ball(outward, of.size.x);
    body_pose pose = bodies.poses[slot];
    pose.position = image_position(pose.position, image, period);
#ifdef ROWS_CHILDREN
    if (of.bits & ROW_CHILDREN && !(predicted && of.bits & ROW_TURNS)) {
        const placed_child child = child_place(bodies.tables, slot, pose, part);
        arm_base out = arm_base_of_ball(outward, child.of.size.x);
        out.at = glms_vec3_add(child.arm, out.at);
        if (child.of.kind == SHAPE_SPHERE) return out;
    }
#endif
    return arm_base_of_centre(pose.position);
}

/* -- Points ----------------------------------------------------------------------------- */

SHARED contact_surface surface_at(const row_body of, const body_pose pose, const int image,
                                  const vec3s period) {
    return contact_surface_of(row_kind(of), of.size, image_position(pose.position, image, period),
                              pose.rotation);
}

SHARED touched_place place_on(const row_bodies bodies, const row_body of, const int slot, const int image,
                              const vec3s period, const vec3s normal, const vec3s point) {
    return surface_place_moved(surface_at(of, bodies.collided[slot], image, period),
                               surface_at(of, bodies.poses[slot], image, period), of.reach, normal, point);
}

/* Returns the position and gap of a point of bodies that have moved since their contacts were found. The gap
 * is along the normal of detection. */
SHARED float4 point_moved(const row_bodies bodies, const row_pair of, const vec3s period,
                          const float4 place) {
    const contact_head head = of.head;
    const touched_place a = place_on(bodies, of.a, head.a, 0, period, head.normal, xyz(place)),
                        b = place_on(bodies, of.b, head.b, head_image(head), period, head.normal, xyz(place));
    const vec3s at = place_between(a, b);
    return (float4)(at.x, at.y, at.z,
                    place.w + glms_vec3_dot(head.normal, glms_vec3_sub(b.position, a.position)));
}

/* -- Rows ------------------------------------------------------------------------------- */

/* Terms that the points of an entry share. */
typedef struct row_terms {
    row_scheme scheme;
    row_material material;
    contact_frame frame;
    arm_base arm_a, arm_b;
    gap_remainders remainders;
    scalar overlap_most; /* overlap before the step, of an entry of a detection pass; else infinite */
    int deferred;
} row_terms;

SHARED int same_bodies(const contact_head one, const contact_head other) {
    return one.a == other.a && one.b == other.b && head_image(one) == head_image(other);
}

/* Returns the overlap before the step of the children of entry i, which a detection pass found, from their
 * first entry. */
SHARED scalar overlap_before(global const contact_head *heads, global const contact_tag *tags,
                             global const float4 *places, const uint i) {
    const contact_head of = heads[i];
    scalar deepest = 0;
    for (uint k = i; k > 0 && same_bodies(heads[k - 1], of); k--) {
        if (tags[k - 1].bits & TAG_PREDICTED || tags[k - 1].children != tags[i].children) continue;
        const contact_head first = heads[k - 1];
        for (int j = 0; j < head_count(first); j++) deepest = scalar_max(deepest, -places[first.first + j].w);
        break;
    }
    return deepest;
}

SHARED row_terms terms_of(const row_bodies bodies, const row_pair of, const row_material material,
                          const row_parameters p, const scalar overlap_most) {
    const contact_head head = of.head;
    row_terms out;
    out.material = material;
    out.scheme = p.scheme;
    if (material.stiffness > 0)
        out.scheme = scheme_with_spring(p.scheme, material.stiffness, material.damping);
    out.frame = frame_of(bodies, of);
    const int predicted = (of.tag.bits & TAG_PREDICTED) != 0;
    out.arm_a = base_of(bodies, of.a, head.a, 0, p.period, head.normal, of.part_a, predicted);
    out.arm_b = base_of(bodies, of.b, head.b, head_image(head), p.period, glms_vec3_negate(head.normal),
                        of.part_b, predicted);
    out.remainders = gap_remainders_of(head.normal, bodies.remainders[head.a], bodies.remainders[head.b]);
    out.overlap_most = overlap_most;
    out.deferred = (of.tag.bits & TAG_DEFERRED) != 0;
    return out;
}

SHARED vec3s acceleration_of(const row_bodies bodies, const int slot, const vec3s gravity, const vec3s arm) {
    const body_mass mass = bodies.masses[slot];
    if (!(mass.mass > 0)) return glms_vec3_zero();
    return acceleration_at(bodies.poses[slot], mass, bodies.loads[slot], gravity, arm);
}

/* Returns the relative acceleration along the normal. */
SHARED scalar normal_acceleration(const row_bodies bodies, const contact_head head, const vec3s gravity,
                                  const constraint_block block) {
    return glms_vec3_dot(head.normal, glms_vec3_sub(acceleration_of(bodies, head.b, gravity, block.arm_b),
                                                    acceleration_of(bodies, head.a, gravity, block.arm_a)));
}

/* Returns the mobility of the normal impulse in the unit of the masses. */
SHARED scalar normal_mobility(const row_bodies bodies, const constraint_block block) {
    return block_delassus(block, mobility_of(bodies.poses[block.body_a], bodies.masses[block.body_a]),
                          mobility_of(bodies.poses[block.body_b], bodies.masses[block.body_b]), 1, 1)
        .diagonal.x;
}

/* Returns the terms of a row with restitution or a deferred impact, or of another scheme than `split`. */
SHARED stabilisation terms_in_motion(const row_bodies bodies, const row_pair of, const row_terms terms,
                                     const row_parameters p, const constraint_block block, const scalar gap,
                                     const scalar overlap, const scalar noted) {
    const contact_head head = of.head;
    const scalar restitution = terms.material.restitution;
    row_state at;
    at.gap = gap, at.overlap = overlap;
    at.rate = glms_vec3_dot(head.normal,
                            relative_velocity(block, bodies.velocities[head.a], bodies.velocities[head.b]));
    at.rate_before = at.rate;
    if (p.scheme.kind == SCHEME_RELAXED)
        at.rate_before = glms_vec3_dot(head.normal, relative_before(bodies, of, block));
    at.mobility = p.scheme.kind == SCHEME_SUBSTEP ? normal_mobility(bodies, block) / p.mass_unit : 0;
    at.load_velocity = 0;
    if (restitution > 0)
        at.load_velocity = load_velocity_of(head.load, bodies.masses[head.a].mass * p.mass_unit,
                                            bodies.masses[head.b].mass * p.mass_unit);
    at.deferred = terms.deferred ? noted : 0;
    return normal_row_terms(terms.scheme, at,
                            restitution > 0 ? normal_acceleration(bodies, head, p.gravity, block) : 0,
                            restitution);
}

/* A block and its row as it is solved; of `substep` the row of the relax sweep. */
typedef struct row_block {
    constraint_block block;
    contact_row row;
} row_block;

SHARED contact_row row_noted(const stabilisation row, const int kind) {
    contact_row out;
    out.bias = kind == SCHEME_SUBSTEP ? row.correction : row.bias;
    out.compliance = kind == SCHEME_SUBSTEP ? 0 : row.compliance + 0; /* not −0 */
    return out;
}

/* Rows depend on no velocities: `split` without restitution; they may; bodies have moved since their contacts
 * were found. */
enum { FILL_RESTING, FILL_MOVING, FILL_MOVED };

/* Returns the block of a point without its row. `place`: where the contact is now. */
SHARED constraint_block bare_block(const row_pair of, const row_terms terms, const float4 place) {
    constraint_block block;
    block.body_a = of.head.a, block.body_b = of.head.b;
    block.kind = BLOCK_CONTACT, block.angular = 0, block.rows = 0;
    block.arm_a = arm_from(terms.arm_a, xyz(place)), block.arm_b = arm_from(terms.arm_b, xyz(place));
    block.normal = of.head.normal, block.tangent = terms.frame.tangent;
    block.friction = terms.material.friction;
    block.rolling = terms.frame.speed, block.spinning = block.length = 0;
    block.compliance = 0;
    return block;
}

/* Returns a block with its row. `found`: the place when the contact was found; `gap`: now; `bend`: the gap
 * that opens in the step between bodies that cohesion holds; `noted`: the bias of the last row. */
SHARED row_block with_row(const row_bodies bodies, const row_pair of, const row_terms terms,
                          const row_parameters p, constraint_block block, const float4 found,
                          const scalar gap, const scalar bend, const scalar noted, const int motion) {
    const scalar opened = gap + bend, at = opened >= 0 ? opened : gap,
                 approach = !of.held || opened >= 0 ? 0 : bend / p.scheme.time_step,
                 overlap = scalar_min(scalar_max(-found.w, 0), terms.overlap_most);
    const int rests = motion == FILL_RESTING ||
                      (p.scheme.kind == SCHEME_SPLIT && !(terms.material.restitution > 0) && !terms.deferred);
    const stabilisation row = rests ? split_row_terms(terms.scheme, at, overlap)
                                    : terms_in_motion(bodies, of, terms, p, block, at, overlap, noted);
    block.bias = row.bias + approach;
    block.correction = block.closing = row.correction + approach;
    block.compliance = row.compliance * p.kilograms;
    row_block out;
    out.block = block, out.row = row_noted(row, p.scheme.kind);
    return out;
}

/* Returns the block of a point without the bends of turning bodies; `noted`: the bias of its last row. */
SHARED row_block block_of(const row_bodies bodies, const row_pair of, const row_terms terms,
                          const row_parameters p, const float4 found, const scalar noted, const int motion) {
    const float4 place = motion == FILL_MOVED ? point_moved(bodies, of, p.period, found) : found;
    const constraint_block block = bare_block(of, terms, place);
    return with_row(bodies, of, terms, p, block, found,
                    place.w + gap_remainder(terms.remainders, block.arm_a, block.arm_b), 0, noted, motion);
}

/* -- Fill ------------------------------------------------------------------------------- */

SHARED block_impulse impulse_of(const vec3s value) {
    block_impulse out;
    out.value = value, out.shift = 0;
    return out;
}

/* Returns the warm start of a contact's block, from the impulse that acted there. */
SHARED block_impulse start_of(const constraint_block block, const float4 acted, const row_parameters p) {
    const vec3s start = block_to_frame(block, glms_vec3_scale(xyz(acted), p.fraction));
    return impulse_of(impulse_admitted(p.law, start, block.friction));
}

SHARED block_impulse push_of(const float4 acted, const row_parameters p) {
    return impulse_of(vec3_of(acted.w * p.unit * PUSH_WARM_START, 0, 0));
}

/* Returns the warm start of the resistance block that follows a contact with the impulse `normal`. */
SHARED block_impulse turning_start_of(const constraint_block block, const float4 torque, const scalar normal,
                                      const row_parameters p) {
    const vec3s start = block_to_frame(block, glms_vec3_scale(xyz(torque), p.fraction / block.length));
    return impulse_of(torque_admitted(start, normal, block.rolling, block.spinning));
}

SHARED void store_row(global contact_row *to, const contact_row row) {
    *(global float2 *)to = (float2)(row.bias, row.compliance);
}

/* Buffers that a fill writes. */
typedef struct row_output {
    global contact_row *rows;
    global constraint_block *blocks;
    global block_impulse *starts, *pushes;
} row_output;

/* Writes the block `at` of contact k, with its row and the warm start. Returns whether it rebounds. */
SHARED int put_block(const row_output out, const row_parameters p, const row_block filled, const float4 acted,
                     const int at, const int k) {
    store_block(&out.blocks[at], filled.block), store_row(&out.rows[k], filled.row);
    out.starts[at] = start_of(filled.block, acted, p), out.pushes[at] = push_of(acted, p);
    return block_rebounds(filled.block);
}

/* Fills the resistance blocks of an entry, behind those of its contacts. */
SHARED void fill_resistances(const row_bodies bodies, const row_pair of, const row_material material,
                             const row_parameters p, global const float4 *torques, const row_output out,
                             const int first) {
    const contact_head head = of.head;
    const constraint_block block =
        resistance_block(head.a, head.b, head.normal, material.rolling_friction, material.spinning_friction,
                         angular_length_of(bodies.masses[head.a], bodies.masses[head.b]));
    for (int i = 0; i < head_count(head); i++) {
        const int at = first + 2 * i + 1;
        store_block(&out.blocks[at], block);
        out.starts[at] = turning_start_of(block, torques[head.first + i], out.starts[at - 1].value.x, p);
        out.pushes[at] = impulse_of(glms_vec3_zero());
    }
}

/* Arguments of kernels that fill blocks. `counts`: ROWS_COUNTS words from `counts_at` on. */
#define FILL_PARAMETERS                                                                                      \
    global const contact_head *heads, global const contact_tag *tags, global const float4 *places,           \
        global const float4 *impulses, global const float4 *torques, global contact_row *rows,               \
        global const uint *totals, const uint capacity, global const row_body *constants,                    \
        global const body_pose *poses, global const body_pose *collided,                                     \
        global const body_remainder *remainders, global const body_velocity *velocities,                     \
        global const body_velocity *earlier, global const body_mass *masses, global const body_load *loads,  \
        global const float4 *pulls, const int cohesive, global const row_material *materials,                \
        const row_parameters p, global const int *firsts, global constraint_block *blocks,                   \
        global block_impulse *starts, global block_impulse *pushes, global uint *counts,                     \
        const uint counts_at, global const uint *arrangement, const int arranged,                            \
        const uint block_capacity ROW_TABLES
#define FILL_BODIES                                                                                          \
    {                                                                                                        \
        constants, poses, remainders, collided, velocities, earlier, masses, loads, pulls,                   \
            cohesive ROW_TABLES_HERE                                                                         \
    }

#endif

#endif
