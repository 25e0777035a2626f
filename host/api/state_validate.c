/* Checks of a stored state, before a world is made from it. */
#include "state_solver.h"

#include "base/finite.h"
#include "base/vector.h"
#include "geometry/shape.h"
#include "step/periodic_wrap.h"

#include <math.h>
#include <string.h>

/* Refuses a vector of item `i` that is not finite, with its value. */
static scree_result check_vector(vec3s v, const char *unit, const char *field, const char *item, int i) {
    return state_refused(finite_check(vec3_out(v), unit, "%s", field), item, i);
}

static scree_result validate_world(const world_row *row) {
    const scree_world_def *def = &row->def;
    unsigned char warm_start;
    memcpy(&warm_start, &def->solver.warm_start, 1);
    REFUSE(warm_start > 1, "solver.warm_start: %d; must be 0 or 1", (int)warm_start);
    TRY(check_vector(vec3_in(def->gravity), "m/s²", "gravity", "world", 0));
    REFUSE(!((float)def->time_step > 0) || !isfinite((float)def->time_step), "time_step: %g s; must be > 0 s",
           def->time_step);
    REFUSE(!(def->speculative_distance >= 0) || !isfinite(def->speculative_distance),
           "speculative_distance: %g m; must be >= 0 m", (double)def->speculative_distance);
    REFUSE(def->maximum_bodies < 0 || def->maximum_contacts < 0,
           "maximum_bodies, maximum_contacts: %d, %d; must be >= 0", def->maximum_bodies,
           def->maximum_contacts);
    REFUSE(!isfinite(row->gravity_begin), "gravity_begin: %g s; must be finite", row->gravity_begin);
    REFUSE(!isfinite(row->time_before) || row->steps_before > row->steps,
           "time_before, steps_before: %g s, %llu; must be finite, and at most steps, %llu", row->time_before,
           (unsigned long long)row->steps_before, (unsigned long long)row->steps);
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

static scree_result validate_motion(const slot_row *row, int i) {
    const versors q = row->pose.rotation;
    TRY(check_vector(row->remainder.position, "m", "remainder of the position", "body", i));
    TRY(check_vector(row->remainder.rotation, "rad", "remainder of the rotation", "body", i));
    TRY(check_vector(row->pose.position, "m", "position", "body", i));
    REFUSE(!rotation_good(q), "body %d: rotation: (%g, %g, %g, %g); must be a unit quaternion", i,
           (double)q.x, (double)q.y, (double)q.z, (double)q.w);
    TRY(check_vector(row->velocity.linear, "m/s", "velocity", "body", i));
    TRY(check_vector(row->velocity.angular, "rad/s", "angular velocity", "body", i));
    TRY(check_vector(row->earlier.linear, "m/s", "earlier velocity", "body", i));
    TRY(check_vector(row->earlier.angular, "rad/s", "earlier angular velocity", "body", i));
    TRY(check_vector(row->load.force, "N", "force", "body", i));
    TRY(check_vector(row->load.torque, "N m", "torque", "body", i));
    TRY(check_vector(row->constant_load.force, "N", "constant force", "body", i));
    return check_vector(row->constant_load.torque, "N m", "constant torque", "body", i);
}

static scree_result validate_slot(const slot_row *row, int i, const state_rows *self) {
    const body_mass *mass = &row->mass;
    const bool dynamic = row->type == SLOT_DYNAMIC;
    REFUSE(row->type > SLOT_DYNAMIC, "body %d: type: %d; must be 0 to %d", i, (int)row->type, SLOT_DYNAMIC);
    REFUSE((unsigned)row->shape.kind >= SCREE_SHAPE_COUNT, "body %d: shape: %d; must be 0 to below %d", i,
           (int)row->shape.kind, SCREE_SHAPE_COUNT);
    REFUSE(row->material < 0 || row->material >= self->material_count,
           "body %d: material: %d; must be 0 to below %d", i, row->material, self->material_count);
    REFUSE(row->type != SLOT_FREE && !(self->materials[row->material].generation & 1),
           "body %d: material: %d, which is destroyed; must be alive", i, row->material);
    REFUSE(row->generation == 0, "body %d: generation: 0; must be > 0", i);
    TRY(validate_motion(row, i));
    REFUSE(!(row->settings.mass >= 0) || !isfinite(row->settings.mass),
           "body %d: given mass: %g kg; must be >= 0 and finite", i, (double)row->settings.mass);
    TRY(check_vector(vec3_in(row->settings.inertia), "kg m²", "given inertia", "body", i));
    TRY(check_vector(vec3_in(row->settings.surface_velocity), "m/s", "surface velocity", "body", i));
    REFUSE(!isfinite(mass->gravity_scale), "body %d: gravity scale: %g; must be finite", i,
           (double)mass->gravity_scale);
    REFUSE(mass->locks < 0 || mass->locks > 63, "body %d: locks: %g; must be 0 to 63", i,
           (double)mass->locks);
    if (row->type != SLOT_FREE) TRY(state_refused(scree_validate_shape(row->shape), "body", i));
    if (row->type != SLOT_FREE) TRY(validate_periodic(row, i, self));
    if (!dynamic) {
        REFUSE(
            mass->mass != 0 || mass->inertia.x != 0 || mass->inertia.y != 0 || mass->inertia.z != 0,
            "body %d: mass and inertia of a body that is not dynamic: %g kg, (%g, %g, %g) kg m²; must be 0",
            i, (double)mass->mass, (double)mass->inertia.x, (double)mass->inertia.y, (double)mass->inertia.z);
        return SCREE_OK;
    }
    REFUSE(!shape_movable(row->shape), "body %d: shape: %d, which cannot move; must have a volume", i,
           (int)row->shape.kind);
    REFUSE(!(mass->mass > 0) || !isfinite(mass->mass) || !vec3_finite(mass->inertia) ||
               !(mass->inertia.x > 0) || !(mass->inertia.y > 0) || !(mass->inertia.z > 0),
           "body %d: mass and inertia: %g kg, (%g, %g, %g) kg m²; must be > 0 and finite", i,
           (double)mass->mass, (double)mass->inertia.x, (double)mass->inertia.y, (double)mass->inertia.z);
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
               "contact pair %d: between slots %d and %d, image %d; must be in ascending order", i, pair->a,
               pair->b, pair->image);
        REFUSE(pair->count < 1 || pair->count > MANIFOLD_POINTS,
               "contact pair %d: points: %d; must be 1 to %d", i, pair->count, MANIFOLD_POINTS);
        REFUSE(pair->colour < -1 || pair->colour > PROBLEM_COLOURS,
               "contact pair %d: colour: %d; must be -1 to %d", i, pair->colour, PROBLEM_COLOURS);
        REFUSE(pair->image && !(cell.any && period_is_image(&cell, pair->image)),
               "contact pair %d: image: %d; must be one of the periodic cell", i, pair->image);
        REFUSE(pair->part < 0, "contact pair %d: child: %d; must be >= 0", i, pair->part);
        REFUSE(pair->hits < 0 || pair->hits > pair->count, "contact pair %d: hits: %d; must be 0 to %d", i,
               pair->hits, pair->count);
        REFUSE(pair->predicted < 0 || pair->predicted > 1,
               "contact pair %d: detection flag: %d; must be 0 or 1", i, pair->predicted);
        TRY(check_vector(pair->normal, "", "normal", "contact pair", i));
        points += pair->count;
    }
    REFUSE(points != self->point_count, "contact points: %d; must be %lld", self->point_count,
           (long long)points);
    for (int i = 0; i < self->point_count; i++) {
        const point_row *point = &self->points[i];
        TRY(check_vector(point->position, "m", "position", "contact point", i));
        TRY(check_vector(point->impulse, "N s", "impulse", "contact point", i));
        TRY(check_vector(point->torque, "N m s", "torque", "contact point", i));
        REFUSE(!isfinite(point->gap) || !isfinite(point->pull) || !isfinite(point->push) ||
                   !isfinite(point->bias) || !isfinite(point->compliance),
               "contact point %d: gap, pull, push, bias, compliance: %g, %g, %g, %g, %g; must be finite", i,
               (double)point->gap, (double)point->pull, (double)point->push, (double)point->bias,
               (double)point->compliance);
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
               "joint %d: generation: %u, free rank: %d; must be odd with rank -1, or even with one below %d",
               i, row->generation, (int)row->free_rank, places);
        for (int k = 0; k < i && !alive_now; k++)
            REFUSE(self->joints[k].free_rank == row->free_rank,
                   "joint %d: free rank: %d, as of joint %d; must differ", i, (int)row->free_rank, k);
        REFUSE(row->collide > 1 || row->broken > 1 || row->state.colour < -1 ||
                   row->state.colour > PROBLEM_COLOURS,
               "joint %d: collide, broken, colour: %d, %d, %d; must be 0 or 1, 0 or 1, -1 to %d", i,
               (int)row->collide, (int)row->broken, row->state.colour, PROBLEM_COLOURS);
        TRY(check_vector(row->state.force, "N", "force", "joint", i));
        TRY(check_vector(row->state.torque, "N m", "torque", "joint", i));
        REFUSE(!joint_state_finite(&row->state),
               "joint %d: impulses, pushes or coordinates: NaN or infinite; "
               "must be finite",
               i);
    }
    return SCREE_OK;
}

static scree_result link_shape(const state_rows *self, int32_t geometry, const char *what, int i,
                               scree_shape *shape) {
    REFUSE(geometry < 0 || geometry > self->geometries.count, "%s %d: geometry: %d; must be 0 to %d", what, i,
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
