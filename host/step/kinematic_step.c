/* Kinematic groups during a step. */
#include "kinematic_step.h"

#include "base/memory.h"
#include "base/vector.h"
#include "rotation.h"

#include <string.h>

/* A rigid motion in double precision. */
typedef struct precise_pose {
    double position[3], rotation[4];
} precise_pose;

/* Returns the pose that results from the rotation q and translation p of a placement. */
static precise_pose moved(const placement *by, body_pose from) {
    const double x[3] = {(double)from.position.x, (double)from.position.y, (double)from.position.z},
                 q[4] = {(double)from.rotation.x, (double)from.rotation.y, (double)from.rotation.z,
                         (double)from.rotation.w};
    precise_pose out;
    placement_point(by, x, out.position);
    quaternion_product(by->q, q, out.rotation);
    return out;
}

/* Returns the time of a group's motions after the fraction part/parts of the step, s. */
static double motion_time(const step_context *step, const kinematic_group_item *group, int part, int parts) {
    const double now = world_time_after(step->model, step->state, 0),
                 next = world_time_after(step->model, step->state, 1);
    return (part == parts ? next : now + (next - now) * part / parts) - group->begin;
}

/* Sets the velocities that bring the bodies of a group through a part of the step; all have the same angular
 * velocity. */
static void set_velocities(const step_context *step, const kinematic_group_item *group, int part, int parts,
                           body_velocity *velocities) {
    const double h = step->model->def.time_step / parts, time = motion_time(step, group, part, parts),
                 next = motion_time(step, group, part + 1, parts);
    const placement now = motions_at(group->motions, group->motion_count, time),
                    then = motions_at(group->motions, group->motion_count, next);
    double rotation[3];
    motions_rotation(group->motions, group->motion_count, time, next, rotation);
    for (int i = 0; i < group->body_count; i++) {
        const precise_pose before = moved(&now, group->initial_poses[i]),
                           after = moved(&then, group->initial_poses[i]);
        const double *a = before.position, *b = after.position;
        body_velocity *velocity = &velocities[group->slots[i]];
        velocity->linear =
            vec3_of((scalar)((b[0] - a[0]) / h), (scalar)((b[1] - a[1]) / h), (scalar)((b[2] - a[2]) / h));
        velocity->angular =
            vec3_of((scalar)(rotation[0] / h), (scalar)(rotation[1] / h), (scalar)(rotation[2] / h));
    }
}

void kinematic_step_part(const step_context *step, int part, int parts, body_velocity *velocities) {
    const kinematic_group_array *all = &step->model->kinematic_groups;
    for (int i = 0; i < all->count; i++)
        if (kinematic_group_is_alive(&all->items[i]))
            set_velocities(step, &all->items[i], part, parts, velocities);
}

/* Lists a group's bodies, and keeps their velocities before the step. */
static scree_result begin_group(step_context *step, const kinematic_group_item *group) {
    step_scratch *scratch = step->scratch;
    TRY(MEMORY_RESERVE(scratch->prescribed, scratch->prescribed_capacity,
                       scratch->prescribed_count + group->body_count, &step->statistics->regrown));
    for (int i = 0; i < group->body_count; i++) {
        scratch->earlier[group->slots[i]] = scratch->velocities[group->slots[i]];
        scratch->prescribed[scratch->prescribed_count++] = group->slots[i];
    }
    return SCREE_OK;
}

scree_result kinematic_step_begin(step_context *step) {
    const kinematic_group_array *all = &step->model->kinematic_groups;
    step_scratch *scratch = step->scratch;
    const int count = step->state->bodies.count;
    scratch->bodies = step->state->bodies;
    scratch->prescribed_count = 0;
    if (!kinematic_groups_any(all)) return SCREE_OK;
    TRY(MEMORY_RESERVE(scratch->velocities, scratch->velocity_capacity, count, &step->statistics->regrown));
    TRY(MEMORY_RESERVE(scratch->earlier, scratch->earlier_capacity, count, &step->statistics->regrown));
    memcpy(scratch->velocities, step->state->bodies.velocities, (size_t)count * sizeof *scratch->velocities);
    memcpy(scratch->earlier, step->state->bodies.earlier, (size_t)count * sizeof *scratch->earlier);
    for (int i = 0; i < all->count; i++)
        if (kinematic_group_is_alive(&all->items[i])) TRY(begin_group(step, &all->items[i]));
    kinematic_step_part(step, 0, 1, scratch->velocities);
    scratch->bodies.velocities = scratch->velocities;
    scratch->bodies.earlier = scratch->earlier;
    return SCREE_OK;
}

/* Sets the end pose of a body, wrapped into the cell of a periodic world. The pose of the next step follows
 * from the time alone, but the body may leave its group. */
static void set_end_pose(step_scratch *scratch, const body_array *bodies, int slot, precise_pose at) {
    const double *q = at.rotation;
    for (int axis = 0; axis < 3 && bodies->cells; axis++)
        at.position[axis] -=
            (double)bodies->cells[slot].n[axis] * (double)vec3_along(bodies->period.length, axis);
    const vec3s to = vec3_of((scalar)at.position[0], (scalar)at.position[1], (scalar)at.position[2]);
    scratch->next_poses[slot] = (body_pose){
        .position = to,
        .rotation = rotation_normalised(versor_of((scalar)q[0], (scalar)q[1], (scalar)q[2], (scalar)q[3]))};
    scratch->next_remainders[slot] = (body_remainder){.position = vec3_rounding(at.position, to)};
}

void kinematic_step_set_end_poses(step_context *step) {
    const kinematic_group_array *all = &step->model->kinematic_groups;
    for (int i = 0; i < all->count; i++) {
        const kinematic_group_item *group = &all->items[i];
        if (!kinematic_group_is_alive(group)) continue;
        const placement then =
            motions_at(group->motions, group->motion_count, motion_time(step, group, 1, 1));
        for (int k = 0; k < group->body_count; k++)
            set_end_pose(step->scratch, &step->state->bodies, group->slots[k],
                         moved(&then, group->initial_poses[k]));
    }
}
