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
    REFUSE(warm_start > 1, "solver.warm_start: %d; must be 0 or 1", (int)warm_start);
    REFUSE(!vec3_finite(vec3_in(def->gravity)), "gravity: must be finite");
    REFUSE(!((float)def->time_step > 0) || !isfinite((float)def->time_step), "time_step: %g s; must be > 0 s",
           def->time_step);
    REFUSE(!(def->speculative_distance >= 0) || !isfinite(def->speculative_distance),
           "speculative_distance: %g m; must be >= 0 m", (double)def->speculative_distance);
    REFUSE(def->maximum_bodies < 0 || def->maximum_contacts < 0,
           "maximum_bodies, maximum_contacts: must be >= 0");
    REFUSE(!isfinite(row->gravity_begin), "gravity_begin: must be finite");
    REFUSE(!isfinite(row->time_before) || row->steps_before > row->steps,
           "time_before, steps_before: must be finite, and at most steps");
    TRY(state_refused(material_validate(&def->material), "default material", 0));
    TRY(state_refused(periodic_check_period(def->period, def->period_centre), "world", 0));
    scree_solver_def solver = def->solver;
    state_give_stabilisation(&row->stabilisation, &solver);
    return state_refused(scree_validate_solver_def(&solver), "solver", 0);
}

static scree_result validate_materials(const state_rows *self) {
    REFUSE(self->material_count < 1, "materials: no default material; must have one");
    for (int i = 0; i < self->material_count; i++)
        TRY(state_refused(material_validate(&self->materials[i].def), "material", i));
    REFUSE(!(self->materials[0].generation & 1), "materials: the default is destroyed; must be alive");
    for (int i = 0; i < self->material_pair_count; i++) {
        const material_pair *pair = &self->material_pairs[i], *before = i ? pair - 1 : NULL;
        REFUSE(pair->a < 0 || pair->b < pair->a || pair->b >= self->material_count,
               "material pair %d: between %d and %d; must be in order, below %d", i, pair->a, pair->b,
               self->material_count);
        REFUSE(!(self->materials[pair->a].generation & self->materials[pair->b].generation & 1),
               "material pair %d: of a destroyed material; must be alive", i);
        REFUSE(before && (before->a > pair->a || (before->a == pair->a && before->b > pair->b)),
               "material pair %d: out of order; must be sorted", i);
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
    REFUSE(row->type > SLOT_DYNAMIC, "body %d: type: %d; unknown", i, (int)row->type);
    REFUSE((unsigned)row->shape.kind >= SCREE_SHAPE_COUNT, "body %d: shape: %d; unknown", i,
           (int)row->shape.kind);
    REFUSE(row->material < 0 || row->material >= self->material_count,
           "body %d: material: %d; must be 0 to below %d", i, row->material, self->material_count);
    REFUSE(row->type != SLOT_FREE && !(self->materials[row->material].generation & 1),
           "body %d: material: %d, which is destroyed; must be alive", i, row->material);
    REFUSE(row->generation == 0, "body %d: generation: 0; must be > 0", i);
    REFUSE(!vec3_finite(row->remainder.position) || !vec3_finite(row->remainder.rotation),
           "body %d: remainders must be finite", i);
    REFUSE(!vec3_finite(row->pose.position) || !rotation_good(row->pose.rotation),
           "body %d: pose must be finite, with a unit quaternion", i);
    REFUSE(!vec3_finite(row->velocity.linear) || !vec3_finite(row->velocity.angular),
           "body %d: velocity must be finite", i);
    REFUSE(!vec3_finite(row->earlier.linear) || !vec3_finite(row->earlier.angular),
           "body %d: earlier velocity must be finite", i);
    REFUSE(!vec3_finite(row->load.force) || !vec3_finite(row->load.torque), "body %d: load must be finite",
           i);
    REFUSE(!vec3_finite(row->constant_load.force) || !vec3_finite(row->constant_load.torque),
           "body %d: constant load must be finite", i);
    REFUSE(!(row->settings.mass >= 0) || !isfinite(row->settings.mass) ||
               !vec3_finite(vec3_in(row->settings.inertia)),
           "body %d: given mass and inertia must be >= 0 and finite", i);
    REFUSE(!vec3_finite(vec3_in(row->settings.surface_velocity)), "body %d: surface velocity must be finite",
           i);
    REFUSE(!isfinite(mass->gravity_scale) || mass->locks < 0 || mass->locks > 63,
           "body %d: gravity scale or locks out of range", i);
    if (row->type != SLOT_FREE) TRY(state_refused(scree_validate_shape(row->shape), "body", i));
    if (row->type != SLOT_FREE) TRY(validate_periodic(row, i, self));
    if (!dynamic) {
        REFUSE(mass->mass != 0 || mass->inertia.x != 0 || mass->inertia.y != 0 || mass->inertia.z != 0,
               "body %d: mass of a body that is not dynamic; must be 0", i);
        return SCREE_OK;
    }
    REFUSE(!shape_movable(row->shape), "body %d: shape cannot move; must have a volume", i);
    REFUSE(!(mass->mass > 0) || !isfinite(mass->mass) || !vec3_finite(mass->inertia) ||
               !(mass->inertia.x > 0) || !(mass->inertia.y > 0) || !(mass->inertia.z > 0),
           "body %d: mass and inertia must be > 0 and finite", i);
    return SCREE_OK;
}

/* The free slots are exactly those of the list that begins at free_head. A list longer than their number
 * has a loop. */
static scree_result validate_free_list(const state_rows *self) {
    int64_t free_slots = 0;
    for (int i = 0; i < self->slot_count; i++) free_slots += self->slots[i].type == SLOT_FREE;
    for (int slot = self->world.free_head; slot != -1; slot = self->slots[slot].next_free) {
        REFUSE(slot < 0 || slot >= self->slot_count || self->slots[slot].type != SLOT_FREE,
               "list of free slots: leads to %d; must lead to free slots", slot);
        REFUSE(--free_slots < 0, "list of free slots: has a loop; must end");
    }
    REFUSE(free_slots, "list of free slots: incomplete; must contain all of them");
    return SCREE_OK;
}

static bool alive(const state_rows *self, int slot) {
    return slot >= 0 && slot < self->slot_count && self->slots[slot].type != SLOT_FREE;
}

static scree_result validate_contacts(const state_rows *self) {
    const period cell = period_make(self->world.def.period, self->world.def.period_centre);
    int64_t points = 0;
    for (int i = 0; i < self->pair_count; i++) {
        const pair_row *pair = &self->pairs[i], *before = i ? pair - 1 : NULL;
        REFUSE(pair->a >= pair->b || !alive(self, pair->a) || !alive(self, pair->b),
               "contact pair %d: between slots %d and %d; must be two bodies in order", i, pair->a, pair->b);
        REFUSE(before && (before->a > pair->a || (before->a == pair->a && before->b > pair->b) ||
                          (before->a == pair->a && before->b == pair->b && before->image > pair->image)),
               "contact pair %d is out of order", i);
        REFUSE(pair->count < 1 || pair->count > MANIFOLD_POINTS, "contact pair %d: %d points; out of range",
               i, pair->count);
        REFUSE(pair->colour < -1 || pair->colour > PROBLEM_COLOURS,
               "contact pair %d: colour: %d; out of range", i, pair->colour);
        REFUSE(pair->image && !(cell.any && period_is_image(&cell, pair->image)),
               "contact pair %d is across image %d", i, pair->image);
        REFUSE(pair->part < 0, "contact pair %d: child: %d; must be >= 0", i, pair->part);
        REFUSE(pair->hits < 0 || pair->hits > pair->count, "contact pair %d: %d hits; out of range", i,
               pair->hits);
        REFUSE(pair->predicted < 0 || pair->predicted > 1,
               "contact pair %d: detection flag: %d; must be 0 or 1", i, pair->predicted);
        REFUSE(!vec3_finite(pair->normal), "contact pair %d: normal must be finite", i);
        points += pair->count;
    }
    REFUSE(points != self->point_count, "contact points: %d; must be %lld", self->point_count,
           (long long)points);
    for (int i = 0; i < self->point_count; i++) {
        const point_row *point = &self->points[i];
        REFUSE(!vec3_finite(point->position) || !isfinite(point->gap) || !vec3_finite(point->impulse) ||
                   !vec3_finite(point->torque) || !isfinite(point->pull) || !isfinite(point->push) ||
                   !isfinite(point->bias) || !isfinite(point->compliance),
               "contact point %d: must be finite", i);
    }
    return SCREE_OK;
}

static bool joint_state_finite(const joint_state *state) {
    bool finite = vec3_finite(state->force) && vec3_finite(state->torque);
    for (int k = 0; k < JOINT_BLOCKS; k++)
        finite = finite && vec3_finite(state->impulses[k]) && vec3_finite(state->pushes[k]);
    for (int k = 0; k < SCREE_AXIS_COUNT; k++) finite = finite && isfinite(state->position[k]);
    return finite;
}

/* Places in use are alive; each of the others is in the stack of free places once. */
static scree_result validate_joints(const state_rows *self) {
    int places = 0;
    REFUSE(self->axis_count != SCREE_AXIS_COUNT * self->joint_count,
           "joints: %d with %d axes; must be %d axes", self->joint_count, self->axis_count,
           SCREE_AXIS_COUNT * self->joint_count);
    for (int i = 0; i < self->joint_count; i++) places += self->joints[i].free_rank >= 0;
    for (int i = 0; i < self->joint_count; i++) {
        const joint_row *row = &self->joints[i];
        const bool alive_now = row->generation & 1;
        REFUSE(alive_now != (row->free_rank < 0) || row->free_rank >= places,
               "joint %d: generation %u, free rank %d; out of range", i, row->generation,
               (int)row->free_rank);
        for (int k = 0; k < i && !alive_now; k++)
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
    for (int i = 0; i < self->slot_count; i++)
        TRY(link_shape(self, self->slots[i].geometry, "body", i, &self->slots[i].shape));
    for (int i = 0; i < self->flow_count; i++)
        TRY(link_shape(self, self->flows[i].geometry, "flow", i, &self->flows[i].item.inlet.body.shape));
    return SCREE_OK;
}

scree_result state_rows_validate(const state_rows *self) {
    TRY(validate_world(&self->world));
    TRY(validate_materials(self));
    for (int i = 0; i < self->slot_count; i++) TRY(validate_slot(&self->slots[i], i, self));
    TRY(validate_free_list(self));
    TRY(validate_joints(self));
    return validate_contacts(self);
}
