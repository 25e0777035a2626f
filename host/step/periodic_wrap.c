#include "periodic_wrap.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "geometry/shape.h"
#include "rotation.h"
#include "world.h"

static const char axes[] = "xyz";
static const scalar ROUNDED = 1e-4f; /* relative tolerance of a period or a unit vector: rounding in files */
static const scalar LEVEL = 1e-5f;   /* the same for the direction of a floor, rad */

scree_result periodic_check_period(scree_vec3 length, scree_vec3 centre) {
    for (int axis = 0; axis < 3; axis++) {
        const scalar along = vec3_along(vec3_in(length), axis), at = vec3_along(vec3_in(centre), axis);
        if (!(along >= 0) || !isfinite(along))
            return fail(SCREE_ERROR_ARGUMENT, "period.%c: %g; must be > 0 m, or 0 for none", axes[axis],
                        (double)along);
        if (!isfinite(at))
            return fail(SCREE_ERROR_ARGUMENT, "period_centre.%c: %g m; must be finite", axes[axis],
                        (double)at);
        if (along > 0 && !(scalar_abs(at) < PERIOD_CELLS_MOST * along))
            return fail(SCREE_ERROR_ARGUMENT, "period_centre.%c: %g m; must be less than %d periods from 0",
                        axes[axis], (double)at, PERIOD_CELLS_MOST);
    }
    return SCREE_OK;
}

static scree_result check_plane(const period *cell, body_pose pose) {
    const vec3s normal = rotate(pose.rotation, vec3_of(0, 0, 1));
    for (int axis = 0; axis < 3; axis++)
        if (vec3_along(cell->length, axis) > 0 && scalar_abs(vec3_along(normal, axis)) > ROUNDED)
            return fail(SCREE_ERROR_ARGUMENT,
                        "half-space normal: (%g, %g, %g); must be perpendicular to the periodic axis %c",
                        (double)normal.x, (double)normal.y, (double)normal.z, axes[axis]);
    return SCREE_OK;
}

/* Returns whether a rotation about an axis leaves a direction where it is, apart from rounding. */
static bool turns_about(vec3s angular, vec3s direction) {
    return glms_vec3_norm2(glms_vec3_cross(angular, direction)) <= LEVEL * LEVEL * glms_vec3_norm2(angular);
}

static vec3s unit_along(int axis) { return vec3_of(axis == 0, axis == 1, axis == 2); }

/* The normal n stays perpendicular to the axis e at all times if it turns about e or about itself. */
scree_result periodic_check_turn(const period *cell, scree_body_type type, scree_shape shape, body_pose pose,
                                 vec3s angular) {
    if (!cell->any || type != SCREE_BODY_KINEMATIC || !shape_is_plane(shape)) return SCREE_OK;
    const vec3s normal = rotate(pose.rotation, vec3_of(0, 0, 1));
    for (int axis = 0; axis < 3; axis++)
        if (vec3_along(cell->length, axis) > 0 && !turns_about(angular, unit_along(axis)) &&
            !turns_about(angular, normal))
            return fail(SCREE_ERROR_ARGUMENT,
                        "angular_velocity of a half-space: (%g, %g, %g) rad/s; its normal must stay "
                        "perpendicular to the periodic axis %c, so it must be along that axis or the normal",
                        (double)angular.x, (double)angular.y, (double)angular.z, axes[axis]);
    return SCREE_OK;
}

static bool may_turn(scree_body_type type, uint32_t locks) {
    return type == SCREE_BODY_DYNAMIC && !locks_forbid_turns(locks);
}

/* A body that can turn must fit into the period at any orientation. Any other body may be exactly as long as
 * the period, like a floor or a platen with locked rotations. */
static scree_result check_length(const period *cell, bool turns, scree_shape shape, body_pose pose,
                                 int axis) {
    const scalar length = vec3_along(cell->length, axis);
    const bounds box = bounds_of(shape, pose);
    const scalar own = turns ? (scalar)(2 * scree_shape_get_radius(shape))
                             : vec3_along(box.upper, axis) - vec3_along(box.lower, axis);
    if (turns ? own < length : own <= (1 + ROUNDED) * length) return SCREE_OK;
    if (turns)
        return fail(SCREE_ERROR_ARGUMENT,
                    "bounding sphere of this %s: %g m wide; must be less than the period of %g m along %c, "
                    "or all rotations locked",
                    scree_shape_kind_name(shape.kind), (double)own, (double)length, axes[axis]);
    return fail(SCREE_ERROR_ARGUMENT, "length of this %s: %g m along %c; must be at most the period of %g m",
                scree_shape_kind_name(shape.kind), (double)own, axes[axis], (double)length);
}

scree_result periodic_check_body(const period *cell, scree_body_type type, uint32_t locks, scree_shape shape,
                                 body_pose pose) {
    if (!cell->any) return SCREE_OK;
    if (shape_is_plane(shape)) return check_plane(cell, pose);
    for (int axis = 0; axis < 3; axis++) {
        const scalar length = vec3_along(cell->length, axis), at = vec3_along(pose.position, axis);
        if (!(length > 0)) continue;
        if (!(scalar_abs(at - vec3_along(cell->lower, axis)) < PERIOD_CELLS_MOST * length))
            return fail(SCREE_ERROR_ARGUMENT, "position.%c: %g m; must be at most %d periods from the cell",
                        axes[axis], (double)at, PERIOD_CELLS_MOST - 1);
        TRY(check_length(cell, may_turn(type, locks), shape, pose, axis));
    }
    return SCREE_OK;
}

/* Returns the body axis that lies along a world axis and keeps that direction; −1: none. */
static int own_axis(const body_array *bodies, int slot, int axis) {
    const vec3s way = unit_along(axis);
    if (glms_vec3_norm2(glms_vec3_cross(bodies->velocities[slot].angular, way)) > 0) return -1;
    for (int own = 0; own < 3; own++) {
        const vec3s along = rotate(bodies->poses[slot].rotation, unit_along(own));
        if (glms_vec3_norm2(glms_vec3_cross(along, way)) <= LEVEL * LEVEL) return own;
    }
    return -1;
}

/* Returns the body axis of a body as long as the period along a world axis; −1: none. */
static int endless_axis(const body_array *bodies, int slot, int axis) {
    const scree_shape shape = bodies->shapes[slot];
    const vec3s half = shape.kind == SCREE_SHAPE_MESH ? glms_vec3_scale(shape.geometry->half, shape.size.x)
                                                      : vec3_in(shape.size);
    const scalar length = vec3_along(bodies->period.length, axis);
    const int own = length > 0 ? own_axis(bodies, slot, axis) : -1;
    return own >= 0 && 2 * vec3_along(half, own) >= (1 - ROUNDED) * length ? own : -1;
}

static bool may_be_endless(const body_array *bodies, int slot) {
    const scree_shape_kind kind = bodies->shapes[slot].kind;
    return bodies->types[slot] != SLOT_FREE &&
           !may_turn(body_type_of(bodies, slot), (uint32_t)bodies->masses[slot].locks) &&
           (kind == SCREE_SHAPE_BOX || kind == SCREE_SHAPE_MESH);
}

static uint8_t endless_bits(const body_array *bodies, int slot) {
    const bool is_box = bodies->shapes[slot].kind == SCREE_SHAPE_BOX;
    uint8_t bits = 0;
    if (!may_be_endless(bodies, slot)) return 0;
    for (int axis = 0; axis < 3; axis++) {
        const int own = endless_axis(bodies, slot, axis);
        if (own >= 0) bits |= (uint8_t)(1 << axis | is_box << own << ENDLESS_OWN);
    }
    return bits;
}

/* Contacts treat endless boxes as longer ones, and endless meshes as their tiling. */
void periodic_mark(body_array *bodies, int slot) {
    if (!bodies->endless) return;
    const uint8_t bits = endless_bits(bodies, slot);
    if (bits != bodies->endless[slot]) bodies->definitions++;
    bodies->endless[slot] = bits;
}

scree_result periodic_tile(body_array *bodies) {
    if (!bodies->period.any) return SCREE_OK;
    for (int slot = 0; slot < bodies->count; slot++) {
        const scree_shape shape = bodies->shapes[slot];
        vec3s step = vec3_of(0, 0, 0);
        if (!bodies->endless[slot] || shape.kind != SCREE_SHAPE_MESH) {
            if (bodies->tilings[slot].made) bodies->definitions++;
            tiling_drop(&bodies->tilings[slot]);
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            const int own = endless_axis(bodies, slot, axis);
            if (own >= 0)
                *vec3_component(&step, own) = vec3_along(bodies->period.length, axis) / shape.size.x;
        }
        const scree_geometry *before = bodies->tilings[slot].made;
        TRY(tiling_follow(&bodies->tilings[slot], shape.geometry, step));
        if (bodies->tilings[slot].made != before) bodies->definitions++;
    }
    return SCREE_OK;
}

scree_result periodic_prepare(body_array *bodies) {
    if (!bodies->period.any) return SCREE_OK;
    for (int slot = 0; slot < bodies->count; slot++) {
        if (bodies->types[slot] != SLOT_KINEMATIC) continue;
        periodic_mark(bodies, slot);
        if (shape_is_plane(bodies->shapes[slot]) &&
            check_plane(&bodies->period, bodies->poses[slot]) != SCREE_OK)
            return fail_naming(fail_prefix(SCREE_ERROR_ARGUMENT, "body with id %d", slot + 1), slot, -1);
    }
    return periodic_tile(bodies);
}

void periodic_place(body_array *bodies, int slot) {
    periodic_mark(bodies, slot);
    if (bodies->period.any && !shape_is_plane(bodies->shapes[slot]))
        body_cross(bodies, slot, period_wrap(&bodies->period, bodies->poses[slot].position));
}

scree_result periodic_reserve(scree_world *world) {
    if (!world->state.bodies.period.any) return SCREE_OK;
    return MEMORY_RESERVE(world->scratch.crossed, world->scratch.crossed_capacity, world->state.bodies.count,
                          NULL);
}

static bool moves(const body_array *bodies, int slot) {
    return bodies->types[slot] >= SLOT_KINEMATIC && !shape_is_plane(bodies->shapes[slot]);
}

typedef struct wrap_loop {
    body_array *bodies;
    const body_pose *poses; /* after the step */
    int *crossed;
    bool *any;
} wrap_loop;

static void find_slice(const void *context, slice part) {
    const wrap_loop loop = *(const wrap_loop *)context;
    bool any = false;
    for (int slot = part.first; slot < part.end; slot++) {
        loop.crossed[slot] =
            moves(loop.bodies, slot) ? period_wrap(&loop.bodies->period, loop.poses[slot].position) : 0;
        any |= loop.crossed[slot] != 0;
    }
    if (any) parallel_set(loop.any);
}

static void wrap_slice(const void *context, slice part) {
    const wrap_loop loop = *(const wrap_loop *)context;
    for (int slot = part.first; slot < part.end; slot++) body_cross(loop.bodies, slot, loop.crossed[slot]);
}

static void run_loop(scree_world *world, parallel_loop *run, bool *any) {
    body_array *bodies = &world->state.bodies;
    parallel_for(parallel_threads(world->model.threads, bodies->count), bodies->count, run,
                 &(const wrap_loop){bodies, world->scratch.next_poses, world->scratch.crossed, any});
}

scree_result periodic_find_crossings(scree_world *world) {
    const contact_set *contacts = &world->scratch.contacts_next;
    bool any = false;
    if (world->state.bodies.period.any) run_loop(world, find_slice, &any);
    world->scratch.crosses = any;
    if (!any || !contacts->away) return SCREE_OK;
    return world->backend->operations->stay->cross(world->backend, contacts, &world->state.bodies,
                                                   world->scratch.crossed);
}

void periodic_wrap(scree_world *world) {
    contact_set *contacts = &world->state.contacts;
    if (!world->scratch.crosses) return;
    run_loop(world, wrap_slice, NULL);
    if (!contacts->away) contacts_cross(contacts, &world->state.bodies, world->scratch.crossed);
}
