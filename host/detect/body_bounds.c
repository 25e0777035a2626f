#include "body_bounds.h"

#include "base/parallel.h"
#include "base/vector.h"

scalar bounds_turning_speed(const body_array *bodies, int slot, scalar distance) {
    const scalar radius = bounds_turning_radius(bodies->shapes[slot]);
    return glms_vec3_norm(bodies->velocities[slot].angular) * (isinf(radius) ? distance : radius);
}

static scalar speculative_margin(scalar half_width, scalar speed, scalar time_step) {
    return scalar_min(time_step * speed, half_width);
}

scalar speculative_margin_of_body(scree_shape shape, body_velocity velocity, scalar time_step) {
    return speculative_margin(bounds_half_width(shape), glms_vec3_norm(velocity.linear), time_step);
}

scalar bounds_pair_half_width(const body_array *bodies, int a, int b) {
    return scalar_min(bounds_half_width(bodies->shapes[a]), bounds_half_width(bodies->shapes[b]));
}

typedef struct width_loop {
    const body_array *bodies;
    scalar *smallest;
} width_loop;

static void smallest_of_slice(const void *context, slice part) {
    const width_loop loop = *(const width_loop *)context;
    scalar smallest = INFINITY;
    for (int slot = part.first; slot < part.end; slot++)
        if (body_is_dynamic(loop.bodies, slot))
            smallest = scalar_min(smallest, bounds_half_width(loop.bodies->shapes[slot]));
    parallel_lower_float(loop.smallest, smallest);
}

scalar bounds_smallest_half_width(const body_array *bodies, int threads) {
    scalar smallest = INFINITY;
    parallel_for(threads, bodies->count, smallest_of_slice,
                 &(const width_loop){.bodies = bodies, .smallest = &smallest});
    return smallest;
}

scalar speculative_margin_of_pair(const body_array *bodies, int a, int b, scalar time_step) {
    const scalar square = scalar_max(glms_vec3_norm2(bodies->velocities[a].linear),
                                     glms_vec3_norm2(bodies->velocities[b].linear));
    return speculative_margin(bounds_pair_half_width(bodies, a, b), scalar_sqrt(square), time_step);
}

/* Returns the box that a box sweeps along `motion`. */
static bounds swept(bounds box, vec3s motion) {
    const vec3s back = vec3_lesser(motion, glms_vec3_zero());
    box.lower = glms_vec3_add(box.lower, back);
    box.upper = glms_vec3_add(box.upper, glms_vec3_sub(motion, back));
    return box;
}

/* Returns the box that a body sweeps within the step, extended by `padding` and, if `speculates`, by its
 * speculative margin. */
static inline bounds body_swept_box_padded(const body_array *bodies, int slot, scalar padding,
                                           bool speculates, scalar time_step) {
    if (bodies->types[slot] == SLOT_FREE) return BOUNDS_NOWHERE;
    const scree_shape *shape = &bodies->shapes[slot];
    const body_pose pose = bodies->poses[slot];
    const body_velocity velocity = bodies->velocities[slot];
    const bool moves = bodies->types[slot] != SLOT_STATIC;
    const vec3s motion = moves ? glms_vec3_scale(velocity.linear, time_step) : glms_vec3_zero();
    const scalar rotation_angle = moves ? time_step * glms_vec3_norm(velocity.angular) : 0;
    const scalar radius = bounds_turning_radius(*shape);
    const scalar speculative =
        moves && speculates ? speculative_margin_of_body(*shape, velocity, time_step) : 0;
    const scalar total_padding =
        padding + speculative + (isinf(radius) ? glms_vec3_norm(motion) : rotation_angle * radius);
    scree_shape scratch;
    const scree_shape *touched = body_collision_shape_at(bodies, slot, &scratch);
    bounds out = swept(bounds_padded(touched, pose, total_padding), motion);
    if (isinf(radius)) out.rotation_angle = rotation_angle;
    return out;
}

typedef struct bounds_loop {
    bounds *out;
    const body_array *bodies;
    scalar margin, time_step;
} bounds_loop;

static void update_slice(const void *context, slice part) {
    const bounds_loop loop = *(const bounds_loop *)context;
    for (int slot = part.first; slot < part.end; slot++)
        loop.out[slot] = body_swept_box_padded(loop.bodies, slot, loop.margin / 2, true, loop.time_step);
}

void bounds_compute_padded(const body_array *bodies, scalar margin, scalar time_step, int threads,
                           bounds *out) {
    parallel_for(
        threads, bodies->count, update_slice,
        &(const bounds_loop){.out = out, .bodies = bodies, .margin = margin, .time_step = time_step});
}

bounds body_swept_box(const body_array *bodies, int slot, scalar time_step) {
    return body_swept_box_padded(bodies, slot, 0, false, time_step);
}

static void sweep_slice(const void *context, slice part) {
    const bounds_loop loop = *(const bounds_loop *)context;
    for (int slot = part.first; slot < part.end; slot++)
        loop.out[slot] = body_swept_box(loop.bodies, slot, loop.time_step);
}

void body_swept_boxes(const body_array *bodies, scalar time_step, int threads, bounds *out) {
    parallel_for(threads, bodies->count, sweep_slice,
                 &(const bounds_loop){.out = out, .bodies = bodies, .time_step = time_step});
}
