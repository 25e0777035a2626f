/* Entry points of the bends of turning bodies: added to the blocks of rows.cl. Most entries have none. Work-groups
 * have any number of work-items, one on processors. */
#include "row_turns.h"

/* Adds the bends of turning bodies, and the slip of `relaxed`, to the blocks of rows_fill. `rolls`: whether a
 * body may be round about an axis or an ellipsoid. */
SHARED void bend_entries(const tile_range range, global const contact_head *heads, global const contact_tag *tags,
                         const row_bodies bodies, global const row_material *materials, const row_problem of_rows,
                         global const int *firsts, global constraint_block *blocks, const int rolls) {
    const row_parameters p = of_rows.p;
    FOR_RANGE(i, range) {
        const row_pair of = row_pair_of(heads, tags, bodies, i);
        if (of.held) continue;
        const int balls = row_is_ball(of.a) && row_is_ball(of.b), slips = p.scheme.kind == SCHEME_RELAXED;
        if (balls && !slips) continue;
        row_turns turns = turns_of(bodies, of, p, rolls);
        if (balls) turns.turns = turns.tilts = 0;
        if (!turns.turns && !turns.tilts && !slips) continue;
        const row_material material = material_between(materials, p.material_count, of);
        const int stride = row_resists(material) ? 2 : 1;
        if (!row_has_room(of_rows, of.head, firsts[i], stride)) continue;
        const body_velocity a = bodies.velocities[of.head.a], b = bodies.velocities[of.head.b];
        int at = firsts[i];
        for (int k = 0; k < head_count(of.head); k++, at += stride) {
            const constraint_block block = blocks[at];
            const vec3s relative = relative_velocity(block, a, b);
            const int bends = turns.turns && surface_bends(turns.a.rate, turns.b.rate, block.arm_a,
                                                           block.arm_b, relative, turns.least);
            if (!bends && !turns.tilts && !slips) continue;
            if (bends) turns = turns_filled(bodies, of, turns, p.scheme.time_step);
            store_block(&blocks[at], bent_block(bodies, of, turns, block, p, bends, relative, rolls));
        }
    }
}

#define BEND_PARAMETERS                                                                                      \
    global const contact_head *heads, global const contact_tag *tags, global const uint *totals,             \
        const uint capacity, global const row_body *constants, global const body_pose *poses,                \
        global const body_velocity *velocities, global const body_velocity *earlier,                         \
        global const body_mass *masses, global const float4 *pulls, const int cohesive,                      \
        global const row_material *materials, const row_parameters p,                                        \
        global const int *firsts, global constraint_block *blocks, global const uint *arrangement,           \
        const int arranged, const uint block_capacity ROW_TABLES
#define BEND_ENTRIES(rolls)                                                                                  \
    const row_bodies bodies = {constants, poses, 0, 0, velocities, earlier, masses, 0, pulls, cohesive ROW_TABLES_HERE};      \
    const row_problem of_rows =                                                                              \
        row_problem_of(p, totals, capacity, arrangement, arranged, block_capacity);                          \
    bend_entries(range_of_group(of_rows.entries, TILE_GROUP), heads, tags, bodies, materials,              \
                 of_rows, firsts, blocks, rolls)

kernel void bends_add(BEND_PARAMETERS) { BEND_ENTRIES(0); }
kernel void bends_add_rolling(BEND_PARAMETERS) { BEND_ENTRIES(1); }
