#include "body_bounds.h"

#include "base/parallel.h"
#include "base/vector.h"

scalar bounds_turning_speed(const body_array *bodies, int slot, scalar distance) {
    return surface_turning_speed(bodies->velocities[slot].angular,
                                 bounds_turning_radius(bodies->shapes[slot]), distance);
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

/* Returns the box that a body sweeps within the step, extended by `padding` and, if `speculates`, by its
 * speculative margin. */
static inline bounds body_swept_box_padded(const body_array *bodies, int slot, scalar padding,
                                           bool speculates, scalar time_step) {
    if (bodies->types[slot] == SLOT_FREE) return BOUNDS_NOWHERE;
    const scree_shape *shape = &bodies->shapes[slot];
    const box_sweep sweep =
        box_sweep_of(bodies->types[slot], bodies->velocities[slot], bounds_turning_radius(*shape),
                     speculates ? bounds_half_width(*shape) : 0, padding, time_step);
    scree_shape scratch;
    const scree_shape *touched = body_collision_shape_at(bodies, slot, &scratch);
    return bounds_swept(bounds_padded(touched, bodies->poses[slot], sweep.padding), sweep);
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
