/* Bodies and entries of contacts as the kernels of rows read them, and the blocks that they write. */
#ifndef SCREE_KERNELS_ROW_GATHER_H
#define SCREE_KERNELS_ROW_GATHER_H

#include "arrangement.h"
#include "contact_block.h"
#include "row_layout.h"
#include "tiles.h"

#ifdef __OPENCL_VERSION__

/* Programs with ROWS_CHILDREN fill the rows of bodies with children, whose tables they have. */
#ifdef ROWS_CHILDREN
#include "child_shapes.h"
#define ROW_TABLES , CHILD_TABLES
#define ROW_TABLES_HERE , CHILD_TABLES_HERE
#else
#define ROW_TABLES
#define ROW_TABLES_HERE
#endif

SHARED vec3s xyz(const float4 word) { return vec3_of(word.x, word.y, word.z); }

/* Where a fill finds numbers of an arrangement that the host has not read: entries and unit of mass. */
typedef struct row_problem {
    row_parameters p;
    uint entries;
    uint blocks; /* capacity */
} row_problem;

/* `totals`: counts of the contact set, which has room for `capacity` entries. `arranged`: whether the report
 * of an arrangement (arrangement.h) is used instead; it has no entries if contacts did not fit. */
SHARED row_problem row_problem_of(row_parameters p, global const uint *totals, const uint capacity,
                                  global const uint *arrangement, const int arranged, const uint blocks) {
    row_problem out;
    out.entries = min(arranged ? arrangement[ARRANGED_ENTRIES] : totals[CONTACTS_PAIRS], capacity);
    out.blocks = blocks;
    if (arranged) {
        p.kilograms = as_float(arrangement[ARRANGED_KILOGRAMS]), p.unit = 1 / p.kilograms;
        p.fraction *= p.unit;
    }
    out.p = p;
    return out;
}

/* Returns whether the blocks of an entry, from `first` on, have room; `stride`: blocks of a contact. */
SHARED int row_has_room(const row_problem self, const contact_head head, const int first, const int stride) {
    return (uint)(first + head_count(head) * stride) <= self.blocks;
}

/* The bodies at the start of the step or substep. */
typedef struct row_bodies {
    global const row_body *constants;
    global const body_pose *poses;
    global const body_remainder *remainders;
    global const body_pose *collided; /* in which the contacts were found, if bodies have moved since */
    global const body_velocity *velocities, *earlier; /* earlier: of kinematic bodies */
    global const body_mass *masses;
    global const body_load *loads;
    global const float4 *pulls; /* of entries: cohesive impulses of their points, if `cohesive` */
    int cohesive;
#ifdef ROWS_CHILDREN
    child_tables tables;
#endif
} row_bodies;

/* An entry with the constants of its bodies. */
typedef struct row_pair {
    contact_head head;
    contact_tag tag;
    row_body a, b;
    int part_a, part_b; /* children that touch */
    int held;           /* whether cohesion holds the bodies (held_pair_holds) */
} row_pair;

SHARED row_pair row_pair_of(global const contact_head *heads, global const contact_tag *tags,
                            const row_bodies bodies, const uint i) {
    row_pair out;
    out.head = heads[i], out.tag = tags[i];
    out.a = bodies.constants[out.head.a], out.b = bodies.constants[out.head.b];
    out.part_a = out.part_b = 0;
    out.held = bodies.cohesive && bodies.pulls[i].x > 0;
#ifdef ROWS_CHILDREN
    const child_numbers at = children_of(bodies.tables, out.head.b, out.tag.children);
    out.part_a = at.a, out.part_b = at.b;
#endif
    return out;
}

SHARED row_material material_between(global const row_material *materials, const int count,
                                     const row_pair of) {
    return materials[row_material_of(of.a) * count + row_material_of(of.b)];
}

/* Returns whether the arm of b is exact to rounding where both arms end in one point (arms_joined). */
SHARED int joins_on_b(const row_pair of) {
    return row_is_dynamic(of.b) && (!row_is_dynamic(of.a) || row_is_ball(of.b));
}

SHARED body_velocity velocity_before(const row_bodies bodies, const row_body of, const int slot) {
    return of.bits & ROW_KINEMATIC ? bodies.earlier[slot] : bodies.velocities[slot];
}

SHARED vec3s relative_velocity(const constraint_block block, const body_velocity a, const body_velocity b) {
    return glms_vec3_sub(velocity_at(b, block.arm_b), velocity_at(a, block.arm_a));
}

/* Returns the velocity of b's surface relative to a's before the step. */
SHARED vec3s relative_before(const row_bodies bodies, const row_pair of, const constraint_block block) {
    return relative_velocity(block, velocity_before(bodies, of.a, of.head.a),
                             velocity_before(bodies, of.b, of.head.b));
}

SHARED uint4 word_of(const vec3s v, const scalar w) { return as_uint4((float4)(v.x, v.y, v.z, w)); }

/* Stores a block in words of four scalars, which compilers do not find: 6 instead of 24 stores. */
SHARED void store_block(global constraint_block *to, const constraint_block block) {
    global uint4 *words = (global uint4 *)to;
    words[0] = word_of(block.arm_a, block.bias);
    words[1] = word_of(block.arm_b, block.correction);
    words[2] = word_of(block.normal, block.friction);
    words[3] = word_of(block.tangent, block.compliance);
    words[4] = (uint4)((uint)block.body_a, (uint)block.body_b, as_uint((short2)(block.kind, block.angular)),
                       (uint)block.rows);
    words[5] = word_of(vec3_of(block.closing, block.rolling, block.spinning), block.length);
}

#endif

#endif
