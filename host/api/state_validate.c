/* Checks of a stored state, before a world is made from it. */
#include "state_solver.h"

#include "base/vector.h"
#include "geometry/shape.h"
#include "step/periodic_wrap.h"

#include <math.h>
#include <string.h>

static scree_result validate_world(const world_row *row) {
    const scree_world_def *def = &row->def;
    unsigned char warm_start;
    memcpy(&warm_start, &def->solver.warm_start, 1);
    REFUSE(warm_start > 1, "solver.warm_start is %d", (int)warm_start);
    REFUSE(!vec3_finite(vec3_in(def->gravity)), "gravity is not finite");
    REFUSE(!((float)def->time_step > 0) || !isfinite((float)def->time_step), "time_step is %g s",
           def->time_step);
    REFUSE(!(def->speculative_distance >= 0) || !isfinite(def->speculative_distance),
           "speculative_distance is %g m", (double)def->speculative_distance);
    REFUSE(def->maximum_bodies < 0 || def->maximum_contacts < 0,
           "maximum_bodies or maximum_contacts is negative");
    REFUSE(!isfinite(row->gravity_begin), "the start of gravity's schedule is not finite");
    REFUSE(!isfinite(row->time_before) || row->steps_before > row->steps,
           "time_before is not finite, or steps_before exceeds steps");
    REFUSE(row->feasible_proven > 1 || !feasible_is_possible(&row->feasible),
           "the infeasibility record is corrupt");
    TRY(state_refused(material_validate(&def->material), "default material", 0));
    TRY(state_refused(periodic_check_period(def->period, def->period_centre), "world", 0));
    scree_solver_def solver = def->solver;
    state_give_stabilisation(&row->stabilisation, &solver);
    return state_refused(scree_validate_solver_def(&solver), "solver", 0);
}

static scree_result validate_materials(const state_rows *self) {
    REFUSE(self->material_count < 1, "there is no default material");
    for (int i = 0; i < self->material_count; ++i)
        TRY(state_refused(material_validate(&self->materials[i].def), "material", i));
    REFUSE(!(self->materials[0].generation & 1), "the default material is destroyed");
    for (int i = 0; i < self->material_pair_count; ++i) {
        const material_pair *pair = &self->material_pairs[i], *before = i ? pair - 1 : NULL;
        REFUSE(pair->a < 0 || pair->b < pair->a || pair->b >= self->material_count,
               "material pair %d is between %d and %d of %d", i, pair->a, pair->b, self->material_count);
        REFUSE(!(self->materials[pair->a].generation & self->materials[pair->b].generation & 1),
               "material pair %d is of a destroyed material", i);
        REFUSE(before && (before->a > pair->a || (before->a == pair->a && before->b > pair->b)),
               "material pair %d is out of order", i);
        TRY(state_refused(material_pair_validate(&pair->contact), "material pair", i));
    }
    return SCREE_OK;
}

static bool rotation_good(versors q) {
    const scalar norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return norm > 0.9f && norm < 1.1f;
}

static scree_result validate_periodic(const slot_row *row, int i, const state_rows *self) {
    const period cell = period_make(self->world.def.period, self->world.def.period_centre);
    const scree_body_type type = row->type == SLOT_DYNAMIC ? SCREE_BODY_DYNAMIC : SCREE_BODY_STATIC;
    if (row->type == SLOT_KINEMATIC && !shape_is_plane(row->shape))
        return SCREE_OK; /* its rotation may have changed */
    return state_refused(periodic_check_body(&cell, type, (uint32_t)row->mass.locks, row->shape, row->pose),
                         "body", i);
}

static scree_result validate_slot(const slot_row *row, int i, const state_rows *self) {
    const body_mass *mass = &row->mass;
    const bool dynamic = row->type == SLOT_DYNAMIC;
    REFUSE(row->type > SLOT_DYNAMIC, "body %d has the unknown type %d", i, (int)row->type);
    REFUSE((unsigned)row->shape.kind >= SCREE_SHAPE_COUNT, "body %d has the unknown shape %d", i,
           (int)row->shape.kind);
    REFUSE(row->material < 0 || row->material >= self->material_count, "body %d is of material %d of %d", i,
           row->material, self->material_count);
    REFUSE(row->type != SLOT_FREE && !(self->materials[row->material].generation & 1),
           "body %d is of material %d, which is destroyed", i, row->material);
    REFUSE(row->generation == 0, "body %d has the generation 0", i);
    REFUSE(!vec3_finite(row->pose.position) || !rotation_good(row->pose.rotation),
           "the pose of body %d is not finite, or its rotation is not a unit quaternion", i);
    REFUSE(!vec3_finite(row->velocity.linear) || !vec3_finite(row->velocity.angular),
           "the velocity of body %d is not finite", i);
    REFUSE(!vec3_finite(row->earlier.linear) || !vec3_finite(row->earlier.angular),
           "the earlier velocity of body %d is not finite", i);
    REFUSE(!vec3_finite(row->load.force) || !vec3_finite(row->load.torque),
           "the load of body %d is not finite", i);
    REFUSE(!vec3_finite(row->constant_load.force) || !vec3_finite(row->constant_load.torque),
           "the constant load of body %d is not finite", i);
    REFUSE(!(row->settings.mass >= 0) || !isfinite(row->settings.mass) ||
               !vec3_finite(vec3_in(row->settings.inertia)),
           "the given mass or inertia of body %d is negative or not finite", i);
    REFUSE(!vec3_finite(vec3_in(row->settings.surface_velocity)),
           "the surface velocity of body %d is not finite", i);
    REFUSE(!isfinite(mass->gravity_scale) || mass->locks < 0 || mass->locks > 63,
           "the gravity scale or the locks of body %d are out of range", i);
    if (row->type != SLOT_FREE) TRY(state_refused(scree_validate_shape(row->shape), "body", i));
    if (row->type != SLOT_FREE) TRY(validate_periodic(row, i, self));
    if (!dynamic) {
        REFUSE(mass->mass != 0 || mass->inertia.x != 0 || mass->inertia.y != 0 || mass->inertia.z != 0,
               "body %d has a mass and is not dynamic", i);
        return SCREE_OK;
    }
    REFUSE(!shape_movable(row->shape), "body %d has a shape that cannot move", i);
    REFUSE(!(mass->mass > 0) || !isfinite(mass->mass) || !vec3_finite(mass->inertia) ||
               !(mass->inertia.x > 0) || !(mass->inertia.y > 0) || !(mass->inertia.z > 0),
           "the mass or inertia of body %d is not positive and finite", i);
    return SCREE_OK;
}

/* The free slots are exactly those of the list that begins at free_head. A list longer than their number
 * has a loop. */
static scree_result validate_free_list(const state_rows *self) {
    int64_t free_slots = 0;
    for (int i = 0; i < self->slot_count; ++i) free_slots += self->slots[i].type == SLOT_FREE;
    for (int slot = self->world.free_head; slot != -1; slot = self->slots[slot].next_free) {
        REFUSE(slot < 0 || slot >= self->slot_count || self->slots[slot].type != SLOT_FREE,
               "the list of free slots leads to %d", slot);
        REFUSE(--free_slots < 0, "the list of free slots has a loop");
    }
    REFUSE(free_slots, "the list of free slots does not contain all of them");
    return SCREE_OK;
}

static bool alive(const state_rows *self, int slot) {
    return slot >= 0 && slot < self->slot_count && self->slots[slot].type != SLOT_FREE;
}

static scree_result validate_contacts(const state_rows *self) {
    const period cell = period_make(self->world.def.period, self->world.def.period_centre);
    int64_t points = 0;
    for (int i = 0; i < self->pair_count; ++i) {
        const pair_row *pair = &self->pairs[i], *before = i ? pair - 1 : NULL;
        REFUSE(pair->a >= pair->b || !alive(self, pair->a) || !alive(self, pair->b),
               "contact pair %d is between slots %d and %d", i, pair->a, pair->b);
        REFUSE(before && (before->a > pair->a || (before->a == pair->a && before->b > pair->b) ||
                          (before->a == pair->a && before->b == pair->b && before->image > pair->image)),
               "contact pair %d is out of order", i);
        REFUSE(pair->count < 1 || pair->count > MANIFOLD_POINTS, "contact pair %d has %d points", i,
               pair->count);
        REFUSE(pair->colour < -1 || pair->colour > PROBLEM_COLOURS, "contact pair %d has the colour %d", i,
               pair->colour);
        REFUSE(pair->image && !(cell.any && period_is_image(&cell, pair->image)),
               "contact pair %d is across image %d", i, pair->image);
        REFUSE(pair->part < 0, "contact pair %d has the child index %d", i, pair->part);
        REFUSE(pair->hits < 0 || pair->hits > pair->count, "contact pair %d has %d hits", i, pair->hits);
        REFUSE(pair->predicted < 0 || pair->predicted > 1, "contact pair %d has the detection flag %d", i,
               pair->predicted);
        REFUSE(!vec3_finite(pair->normal), "the normal of contact pair %d is not finite", i);
        points += pair->count;
    }
    REFUSE(points != self->point_count, "there are %d contact points, %lld expected", self->point_count,
           (long long)points);
    for (int i = 0; i < self->point_count; ++i) {
        const point_row *point = &self->points[i];
        REFUSE(!vec3_finite(point->position) || !isfinite(point->gap) || !vec3_finite(point->impulse) ||
                   !vec3_finite(point->torque) || !isfinite(point->pull) || !isfinite(point->push) ||
                   !isfinite(point->bias) || !isfinite(point->compliance),
               "contact point %d is not finite", i);
    }
    return SCREE_OK;
}

static bool joint_state_finite(const joint_state *state) {
    bool finite = vec3_finite(state->force) && vec3_finite(state->torque);
    for (int k = 0; k < JOINT_BLOCKS; ++k)
        finite = finite && vec3_finite(state->impulses[k]) && vec3_finite(state->pushes[k]);
    for (int k = 0; k < SCREE_AXIS_COUNT; ++k) finite = finite && isfinite(state->position[k]);
    return finite;
}

/* Places in use are alive; each of the others is in the stack of free places once. */
static scree_result validate_joints(const state_rows *self) {
    int places = 0;
    REFUSE(self->axis_count != SCREE_AXIS_COUNT * self->joint_count, "%d joints have %d axes, expected %d",
           self->joint_count, self->axis_count, SCREE_AXIS_COUNT * self->joint_count);
    for (int i = 0; i < self->joint_count; ++i) places += self->joints[i].free_rank >= 0;
    for (int i = 0; i < self->joint_count; ++i) {
        const joint_row *row = &self->joints[i];
        const bool alive_now = row->generation & 1;
        REFUSE(alive_now != (row->free_rank < 0) || row->free_rank >= places,
               "joint %d has the generation %u and the free rank %d", i, row->generation,
               (int)row->free_rank);
        for (int k = 0; k < i && !alive_now; ++k)
            REFUSE(self->joints[k].free_rank == row->free_rank, "joints %d and %d have the same free rank", k,
                   i);
        REFUSE(row->collide > 1 || row->broken > 1 || row->state.colour < -1 ||
                   row->state.colour > PROBLEM_COLOURS || !joint_state_finite(&row->state),
               "the state of joint %d is out of range or not finite", i);
    }
    return SCREE_OK;
}

static scree_result link_shape(const state_rows *self, int32_t geometry, const char *what, int i,
                               scree_shape *shape) {
    REFUSE(geometry < 0 || geometry > self->geometries.count, "%s %d has geometry %d of %d", what, i,
           (int)geometry, self->geometries.count);
    shape->geometry = geometry ? self->geometries.items[geometry - 1] : NULL;
    return SCREE_OK;
}

scree_result state_rows_link(state_rows *self) {
    for (int i = 0; i < self->slot_count; ++i)
        TRY(link_shape(self, self->slots[i].geometry, "body", i, &self->slots[i].shape));
    for (int i = 0; i < self->flow_count; ++i)
        TRY(link_shape(self, self->flows[i].geometry, "flow", i, &self->flows[i].item.inlet.body.shape));
    return SCREE_OK;
}

scree_result state_rows_validate(const state_rows *self) {
    TRY(validate_world(&self->world));
    TRY(validate_materials(self));
    for (int i = 0; i < self->slot_count; ++i) TRY(validate_slot(&self->slots[i], i, self));
    TRY(validate_free_list(self));
    TRY(validate_joints(self));
    return validate_contacts(self);
}
