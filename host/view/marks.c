#include "marks.h"

#include "base/memory.h"
#include "render/joint_marks.h"
#include "render/snapshot_colour.h"

#include <stdlib.h>

static scalar force_of(const scree_frame *frame, const scree_contact *contact) {
    if (!(frame->time_step > 0)) return 0;
    return scalar_abs(glms_vec3_dot(vec3_in(contact->normal), vec3_in(contact->impulse))) / frame->time_step;
}

static int compare(const void *a, const void *b) {
    const scalar x = *(const scalar *)a, y = *(const scalar *)b;
    return (x > y) - (x < y);
}

/* Sets `high` to the force that 1 % of the forces exceed; 0: there are none. */
static scree_result find_high(const scree_frame *frame, double *high) {
    SCOPED scalar *forces = memory_allocate((size_t)frame->contact_count, sizeof *forces);
    if (!forces) return fail(SCREE_ERROR_MEMORY, "out of memory for %d force chains", frame->contact_count);
    int count = 0;
    for (int i = 0; i < frame->contact_count; i++) {
        const scalar force = force_of(frame, &frame->contacts[i]);
        if (force > 0 && isfinite(force)) forces[count++] = force;
    }
    if (count) qsort(forces, (size_t)count, sizeof *forces, compare);
    *high = count ? (double)forces[count - 1 - count / 100] : 0;
    return SCREE_OK;
}

/* Returns where a chain ends at a body. */
static vec3s end_of(const scree_frame *frame, scree_body_id id, vec3s point) {
    const int body = snapshot_find(frame, id);
    if (body < 0 || frame->types[body] != SCREE_BODY_DYNAMIC) return point;
    return vec3_in(frame->states[body].position);
}

/* A contact across a periodic boundary has a rod on either side of it. */
static scree_result add_chain(part_set *self, const scree_frame *frame, const scree_contact *contact,
                              scalar radius, vec3s colour) {
    const vec3s point = vec3_in(contact->point), offset = vec3_in(contact->offset);
    const vec3s a = end_of(frame, contact->a, point),
                b = end_of(frame, contact->b, glms_vec3_sub(point, offset));
    if (!(glms_vec3_norm2(offset) > 0)) return parts_add_rod(self, a, b, radius, colour);
    TRY(parts_add_rod(self, a, point, radius, colour));
    return parts_add_rod(self, glms_vec3_sub(point, offset), b, radius, colour);
}

scree_result marks_add_chains(part_set *self, const scree_frame *frame, double *high) {
    TRY(find_high(frame, high));
    const scalar most = (scalar)*high, thickest = (scalar)(snapshot_mean_radius(frame) / 4);
    for (int i = 0; i < frame->contact_count; i++) {
        const scalar force = force_of(frame, &frame->contacts[i]);
        if (!(force > most / 10)) continue;
        const scalar share = scalar_min(force / most, 1);
        const vec3s colour = colouring_row_of(SCREE_COLOURING_FORCE)->colour(share);
        TRY(add_chain(self, frame, &frame->contacts[i], thickest * scalar_sqrt(share), colour));
    }
    return SCREE_OK;
}

scree_result marks_add_joints(part_set *self, const scree_frame *frame, scalar pixel) {
    const vec3s ink = vec3_of(0.014f, 0.016f, 0.02f), axis_ink = vec3_of(0.66f, 0.016f, 0.32f),
                broken_ink = vec3_of(0.6f, 0.004f, 0.004f);
    for (int i = 0; i < frame->joint_count; i++) {
        const scree_frame_joint *joint = &frame->joints[i];
        const bool broken = joint->state.broken;
        const vec3s a = vec3_in(joint->state.point_a), b = vec3_in(joint->state.point_b);
        if (!vec3_finite(a) || !vec3_finite(b)) continue;
        joint_axis axes[2];
        for (int k = joint_marks_axes(joint, axes); k-- > 0;) {
            const vec3s way = glms_vec3_scale(axes[k].direction, 20 * pixel);
            TRY(parts_add_rod(self, glms_vec3_sub(axes[k].point, way), glms_vec3_add(axes[k].point, way),
                              pixel, broken ? broken_ink : axis_ink));
        }
        if (!broken) TRY(parts_add_rod(self, a, b, pixel, ink));
        TRY(parts_add_ball(self, a, 3 * pixel, broken ? broken_ink : ink));
        TRY(parts_add_ball(self, b, 3 * pixel, broken ? broken_ink : ink));
    }
    return SCREE_OK;
}
