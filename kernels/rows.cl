/* Entry points of the rows of contacts: blocks with their warm start from the contacts of a step, and the
 * impulses of a solution back. A work-item fills the blocks of the points of entry i of the contacts, from block
 * firsts[i] on. Programs with ROWS_CHILDREN fill those of bodies with children.
 *
 * Work-groups have any number of work-items, one on processors. */
#include "row_blocks.h"

/* Fills the blocks of an entry's contacts, each `stride` blocks behind the last, from block `first` on.
 * Returns whether one rebounds. */
SHARED int fill_contacts(const row_bodies bodies, const row_pair of, const row_terms terms,
                         const row_parameters p, global const float4 *places, global const float4 *impulses,
                         const row_output out, const int first, const int stride, const int motion) {
    int rebound = 0;
    for (int i = 0; i < head_count(of.head); i++) {
        const int k = of.head.first + i, at = first + stride * i;
        const scalar noted = motion != FILL_RESTING && terms.deferred ? out.rows[k].bias : 0;
        rebound |= put_block(out, p, block_of(bodies, of, terms, p, places[k], noted, motion), impulses[k], at, k);
    }
    return rebound;
}

/* Fills the blocks of all contacts but for those that cohesion holds (rows_bound.cl) and the bends of turning bodies
 * (row_bends.cl), and their warm start.
 * `counts`: ROWS_COUNTS words from `counts_at` on, zero before; clears the other ROWS_COUNTS words, those of
 * the next fill. */
SHARED void fill_entries(const tile_range range, global const contact_head *heads, global const contact_tag *tags,
                         global const float4 *places, global const float4 *impulses,
                         global const float4 *torques, const row_bodies bodies,
                         global const row_material *materials, const row_problem of_rows,
                         global const int *firsts, const row_output out, global uint *counts,
                         const uint counts_at, const int motion) {
    const row_parameters p = of_rows.p;
    for (int k = 0; k < ROWS_COUNTS && get_global_id(0) == 0; k++) counts[ROWS_COUNTS - counts_at + k] = 0;
    FOR_RANGE(i, range) {
        const row_pair of = row_pair_of(heads, tags, bodies, i);
        const row_material material = material_between(materials, p.material_count, of);
        if (of.held) continue;
        const int first = firsts[i], turns = row_resists(material);
        if (!row_has_room(of_rows, of.head, first, turns ? 2 : 1)) continue;
        const scalar most = of.tag.bits & TAG_PREDICTED ? overlap_before(heads, tags, places, i) : INFINITY;
        const row_terms terms = terms_of(bodies, of, material, p, most);
        if (fill_contacts(bodies, of, terms, p, places, impulses, out, first, turns ? 2 : 1, motion))
            atomic_or(&counts[counts_at + ROWS_REBOUND], 1u);
        if (turns) fill_resistances(bodies, of, material, p, torques, out, first);
    }
}

#define FILL_ENTRIES(motion)                                                                                 \
    const row_bodies bodies = FILL_BODIES;                                                                   \
    const row_output out = {rows, blocks, starts, pushes};                                                   \
    const row_problem of_rows =                                                                              \
        row_problem_of(p, totals, capacity, arrangement, arranged, block_capacity);                          \
    fill_entries(range_of_group(of_rows.entries, TILE_GROUP), heads, tags, places, impulses, torques,        \
                 bodies, materials, of_rows, firsts, out, counts, counts_at, motion)

kernel void rows_fill(FILL_PARAMETERS) { FILL_ENTRIES(FILL_RESTING); }
kernel void rows_fill_moving(FILL_PARAMETERS) { FILL_ENTRIES(FILL_MOVING); }
kernel void rows_fill_moved(FILL_PARAMETERS) { FILL_ENTRIES(FILL_MOVED); }

/* -- Solution --------------------------------------------------------------------------- */

/* Reads the impulses of a solution back to the contacts. The frames follow from the contacts: blocks may have
 * been packed. */
kernel void rows_read(global const contact_head *heads, global const contact_tag *tags,
                      global float4 *impulses, global float4 *torques, const int resists,
                      global const uint *totals, const uint capacity, global const row_body *constants,
                      global const body_pose *poses, global const body_mass *masses,
                      global const row_material *materials, const row_parameters p,
                      global const int *firsts, global const block_impulse *solution, global const block_impulse *pushes ROW_TABLES) {
    const row_bodies bodies = {constants, poses, 0, 0, 0, 0, masses, 0, 0, 0 ROW_TABLES_HERE};
    const tile_range range = range_of_group(min(totals[CONTACTS_PAIRS], capacity), TILE_GROUP);
    FOR_RANGE(i, range) {
        const row_pair of = row_pair_of(heads, tags, bodies, i);
        const row_material material = material_between(materials, p.material_count, of);
        const int turns = row_resists(material), stride = turns ? 2 : 1;
        constraint_block frame, turning;
        frame.normal = turning.normal = of.head.normal;
        frame.tangent = frame_of(bodies, of).tangent, turning.tangent = tangent_of(of.head.normal);
        const scalar length = turns ? angular_length_of(masses[of.head.a], masses[of.head.b]) : 0;
        int at = firsts[i];
        for (int k = of.head.first; k < of.head.first + head_count(of.head); k++, at += stride) {
            const vec3s acted = block_to_world(frame, glms_vec3_scale(solution[at].value, p.kilograms));
            impulses[k] = (float4)(acted.x, acted.y, acted.z, pushes[at].value.x * p.kilograms);
            if (!resists) continue;
            vec3s turned = glms_vec3_zero();
            if (turns) turned = block_to_world(turning, glms_vec3_scale(solution[at + 1].value, p.kilograms));
            turned = glms_vec3_scale(turned, length);
            torques[k] = (float4)(turned.x, turned.y, turned.z, 0);
        }
    }
}
