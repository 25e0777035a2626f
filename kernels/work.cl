/* Entry points of the work of contacts (point_work.h), for devices with double precision: a work-item finds that of an entry's
 * points; then a work-item for each slice of the entries and each number adds them, in order, as host/rows/contact_work.c does. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "contact_set.h"
#include "point_work.h"
#include "row_layout.h"
#include "tiles.h"

SHARED vec3s xyz(const float4 word) { return vec3_of(word.x, word.y, word.z); }

typedef struct work_arrays {
    global const row_body *constants;
    global const body_pose *poses;
    global const body_velocity *before, *after;
    global const body_mass *masses;
    global const body_load *loads;
} work_arrays;

SHARED work_body body_at(const work_arrays all, const int slot, const vec3s arm, const vec3s gravity) {
    const row_body constants = all.constants[slot];
    const body_mass mass = all.masses[slot];
    work_body out;
    out.before = all.before[slot], out.after = all.after[slot];
    out.rotation = all.poses[slot].rotation, out.surface_velocity = constants.surface_velocity;
    out.arm = arm, out.gravity = gravity, out.force = all.loads[slot].force;
    out.mass = mass.mass, out.gravity_scale = mass.gravity_scale;
    out.dynamic = row_is_dynamic(constants);
    return out;
}

/* `firsts`: the first block of each entry, whose arms are those of the contact. */
kernel void work_points(global const contact_head *heads, global const float4 *places, global const float4 *impulses,
                        global const float4 *torques, const int resists, global const float4 *pulls, const int cohesive, global const uint *totals, const uint capacity,
                        global const row_body *constants, global const body_pose *poses,
                        global const body_velocity *before, global const body_velocity *after,
                        global const body_mass *masses, global const body_load *loads,
                        global const row_material *materials, const int material_count, global const int *firsts,
                        global const constraint_block *blocks, const motion_parameters motion,
                        global work_terms *works) {
    const work_arrays all = {constants, poses, before, after, masses, loads};
    const tile_range range = range_of_group(min(totals[CONTACTS_PAIRS], capacity), TILE_GROUP);
    FOR_RANGE(i, range) {
        const contact_head head = heads[i];
        const row_material material =
            materials[row_material_of(constants[head.a]) * material_count + row_material_of(constants[head.b])];
        const int stride = row_resists(material) ? 2 : 1;
        for (int k = 0; k < head_count(head); k++) {
            const constraint_block block = blocks[firsts[i] + stride * k];
            const int at = head.first + k;
            work_point point;
            point.normal = head.normal, point.gap = places[at].w;
            point.impulse = xyz(impulses[at]);
            if (cohesive)
                point.impulse = glms_vec3_sub(point.impulse, glms_vec3_scale(head.normal, ((global const float *)(pulls + i))[k]));
            point.torque = resists ? xyz(torques[at]) : glms_vec3_zero();
            point.time_step = (double)motion.time_step;
            works[at] = work_of_point(point, body_at(all, head.a, block.arm_a, motion.gravity),
                                      body_at(all, head.b, block.arm_b, motion.gravity));
        }
    }
}

kernel void work_sums(global const contact_head *heads, global const uint *totals, const uint capacity,
                      global const work_terms *works, global double *sums) {
    const long64 count = (long64)min(totals[CONTACTS_PAIRS], capacity);
    for (uint item = (uint)get_global_id(0); item < WORK_SLICES * WORK_NUMBERS; item += (uint)get_global_size(0)) {
        const int slice = (int)item / WORK_NUMBERS, number = (int)item % WORK_NUMBERS;
        double sum = 0;
        for (uint i = (uint)(count * slice / WORK_SLICES); i < (uint)(count * (slice + 1) / WORK_SLICES); i++) {
            const contact_head head = heads[i];
            for (int k = 0; k < head_count(head); k++) sum = work_added(sum, works[head.first + k].of[number], number);
        }
        sums[item] = sum;
    }
}
