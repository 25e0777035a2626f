/* Entry points of cohesion: the forces of the contacts of a step (host/rows/cohesion.c), the contacts of balls that
 * they hold, the loads of bodies, and what returns the angular momentum of held pairs (host/rows/held_pair.c).
 *
 * A body adds what its contacts give in their order: those of entries with it as second body, whose first bodies are
 * lower, then those with it as first body. Work-groups have any number of work-items, one on processors. */
#include "bound_pair.h"
#include "listed_entries.h"
#include "row_blocks.h"

/* -- Forces ----------------------------------------------------------------------------- */

/* Divides the force of each pair of bodies among its touching points: writes those at the points of each entry, N. */
kernel void cohesion_divide(global const contact_head *heads, global const uint *words,
                            global const row_body *constants, global const row_material *materials,
                            const row_parameters p, global const uint *marks, global float4 *forces) {
    const uint n = words[COHESION_ENTRIES];
    const tile_range range = range_of_group(n, TILE_GROUP);
    FOR_RANGE(i, range) {
        const contact_head head = heads[i];
        if (i > 0 && same_bodies(heads[i - 1], head)) continue;
        const scalar cohesion =
            materials[row_material_of(constants[head.a]) * p.material_count + row_material_of(constants[head.b])]
                .cohesion;
        int touching = 0;
        uint end = i;
        for (; end < n && same_bodies(heads[end], head); end++) touching += (int)popcount(marks[end] & TOUCH_ALL);
        const scalar force = touching > 0 ? cohesion / (scalar)touching : 0;
        for (uint k = i; k < end; k++)
            forces[k] = (float4)(marks[k] & 1 ? force : 0, marks[k] & 2 ? force : 0, marks[k] & 4 ? force : 0,
                                 marks[k] & 8 ? force : 0);
    }
}

/* -- Contacts --------------------------------------------------------------------------- */

/* Places the contacts of balls that are held, makes impulses of the forces, and with `first` adds them to the impulses of
 * contacts. Flags the entries with a force. */
kernel void cohesion_hold(global contact_head *heads, global float4 *places, global float4 *impulses,
                          global const uint *words, global const row_body *constants,
                          global const body_pose *poses, const row_parameters p, global const float4 *forces,
                          const int first, global float4 *pulls, global uint *flags) {
    const tile_range range = range_of_group(words[COHESION_ENTRIES], TILE_GROUP);
    FOR_RANGE(i, range) {
        contact_head head = heads[i];
        const row_body a = constants[head.a], b = constants[head.b];
        const float4 force = forces[i];
        if (force.x > 0 && row_is_ball(a) && row_is_ball(b)) {
            const float4 acted = impulses[head.first];
            const held_balls balls =
                held_balls_of(poses[head.a].position, a.size.x,
                              image_position(poses[head.b].position, head_image(head), p.period), b.size.x);
            const held_contact now = held_contact_of(balls, head.normal, xyz(acted));
            head.normal = now.normal;
            heads[i].normal = now.normal;
            places[head.first] = (float4)(now.position.x, now.position.y, now.position.z, now.gap);
            impulses[head.first] = (float4)(now.impulse.x, now.impulse.y, now.impulse.z, acted.w);
        }
        const float4 pull = (float4)(force.x * p.scheme.time_step, force.y * p.scheme.time_step,
                                     force.z * p.scheme.time_step, force.w * p.scheme.time_step);
        const scalar of[4] = {pull.x, pull.y, pull.z, pull.w};
        for (int k = 0; k < head_count(head) && first; k++) {
            if (!(of[k] > 0)) continue;
            const float4 acted = impulses[head.first + k];
            const vec3s sum = glms_vec3_add(xyz(acted), glms_vec3_scale(head.normal, of[k]));
            impulses[head.first + k] = (float4)(sum.x, sum.y, sum.z, acted.w);
        }
        pulls[i] = pull;
        flags[i] = force.x > 0 || force.y > 0 || force.z > 0 || force.w > 0;
    }
}

/* -- Loads ------------------------------------------------------------------------------ */

/* Lists of the flagged entries: in their order, and by their second bodies. */
#define BY_BODIES                                                                                            \
    global const uint *list, global const uint *words, global const uint *keys, global const uint *values

SHARED void add_force(body_load *to, const vec3s force, const vec3s arm) {
    to->force = glms_vec3_add(to->force, force);
    to->torque = glms_vec3_add(to->torque, glms_vec3_cross(arm, force));
}

/* Adds the forces of entry i on its second body (`second`), or on its first. */
SHARED void add_forces(const row_bodies bodies, global const contact_head *heads, global const contact_tag *tags,
                       global const float4 *places, global const float4 *forces, const vec3s period, const uint i,
                       const int second, body_load *to) {
    const row_pair of = row_pair_of(heads, tags, bodies, i);
    const contact_head head = of.head;
    const int image = head_image(head), predicted = (of.tag.bits & TAG_PREDICTED) != 0;
    const arm_base base_a = base_of(bodies, of.a, head.a, 0, period, head.normal, of.part_a, predicted),
                   base_b = base_of(bodies, of.b, head.b, image, period, glms_vec3_negate(head.normal), of.part_b,
                                    predicted);
    const vec3s between = glms_vec3_sub(image_position(bodies.poses[head.b].position, image, period),
                                        bodies.poses[head.a].position);
    const float4 force = forces[i];
    const scalar at[4] = {force.x, force.y, force.z, force.w};
    for (int k = 0; k < head_count(head); k++) {
        if (!(at[k] > 0)) continue;
        const vec3s place = xyz(places[head.first + k]), on_a = glms_vec3_scale(head.normal, at[k]);
        const joined_arms arms = arms_joined(head.normal, between, joins_on_b(of), arm_from(base_a, place),
                                             arm_from(base_b, place));
        add_force(to, second ? glms_vec3_negate(on_a) : on_a, second ? arms.b : arms.a);
    }
}

/* Writes the loads of bodies with those of cohesion. */
kernel void cohesion_loads(global const contact_head *heads, global const contact_tag *tags,
                           global const float4 *places, const uint capacity, global const row_body *constants,
                           global const body_pose *poses, global const body_mass *masses, const vec3s period,
                           global const float4 *forces, BY_BODIES, global const body_load *own, const uint slots,
                           global body_load *loads ROW_TABLES) {
    const row_bodies bodies = {constants, poses, 0, 0, 0, 0, masses, 0, 0, 0 ROW_TABLES_HERE};
    const uint listed = min(words[COHESION_LISTED], capacity);
    const tile_range range = range_of_group(slots, TILE_GROUP);
    FOR_RANGE(slot, range) {
        body_load sum = own[slot];
        if (masses[slot].mass > 0) {
            for (uint k = lower_bound(keys, 0, listed, slot); k < listed && keys[k] == slot; k++)
                add_forces(bodies, heads, tags, places, forces, period, values[k], 1, &sum);
            for (uint k = listed_below(heads, list, listed, slot); k < listed && heads[list[k]].a == (int)slot; k++)
                add_forces(bodies, heads, tags, places, forces, period, list[k], 0, &sum);
        }
        loads[slot] = sum;
    }
}

/* -- Settling --------------------------------------------------------------------------- */

/* Returns the impulse on the second body of entry i that takes back what the pushes gave to a held pair. */
SHARED vec3s settling_of(global const contact_head *heads, global const float4 *impulses, global const float4 *pulls,
                         global const row_body *constants, global const body_pose *poses, global const body_pose *after,
                         global const body_velocity *velocities, const row_parameters p, const uint i) {
    const contact_head head = heads[i];
    const row_body a = constants[head.a], b = constants[head.b];
    const int balls = row_is_ball(a) && row_is_ball(b);
    scalar push = 0;
    for (int k = 0; k < head_count(head); k++) push += impulses[head.first + k].w;
    if (!(push > 0) || !(pulls[i].x > 0) || !(balls || (row_is_dynamic(a) && row_is_dynamic(b)))) return glms_vec3_zero();
    const vec3s own = poses[head.b].position,
                start = glms_vec3_sub(image_position(own, head_image(head), p.period), own),
                between = glms_vec3_add(glms_vec3_sub(after[head.b].position, after[head.a].position), start);
    if (!(glms_vec3_norm2(between) > 0)) return glms_vec3_zero();
    return settling_impulse(head.normal, between,
                            glms_vec3_sub(velocities[head.b].linear, velocities[head.a].linear), push,
                            p.scheme.time_step);
}

SHARED vec3s pushed(const vec3s velocity, const vec3s inverse_mass, const vec3s impulse) {
    if (impulse.x == 0 && impulse.y == 0 && impulse.z == 0) return velocity;
    return glms_vec3_add(velocity, glms_vec3_mul(inverse_mass, impulse));
}

/* Writes the velocities of bodies after the angular momentum of held pairs has been taken back. */
kernel void cohesion_settle(global const contact_head *heads, global const float4 *impulses, const uint capacity,
                            global const float4 *pulls, global const row_body *constants,
                            global const body_pose *poses, global const body_pose *after,
                            global const body_mass *masses, global const body_velocity *velocities,
                            const row_parameters p, BY_BODIES, const uint slots, global body_velocity *out) {
    const uint listed = min(words[COHESION_LISTED], capacity);
    const tile_range range = range_of_group(slots, TILE_GROUP);
    FOR_RANGE(slot, range) {
        body_velocity v = velocities[slot];
        if (masses[slot].mass > 0) {
            const vec3s inverse_mass = mobility_of(poses[slot], masses[slot]).inverse_mass;
            for (uint k = lower_bound(keys, 0, listed, slot); k < listed && keys[k] == slot; k++)
                v.linear = pushed(v.linear, inverse_mass,
                                  settling_of(heads, impulses, pulls, constants, poses, after, velocities, p, values[k]));
            for (uint k = listed_below(heads, list, listed, slot); k < listed && heads[list[k]].a == (int)slot; k++)
                v.linear = pushed(v.linear, inverse_mass,
                                  glms_vec3_negate(settling_of(heads, impulses, pulls, constants, poses, after,
                                                               velocities, p, list[k])));
        }
        out[slot] = v;
    }
}
