/* One contact block in double precision: its frame, and what impulses and velocities are in it. */
#ifndef SCREE_BACKEND_REFERENCE_BLOCK_H
#define SCREE_BACKEND_REFERENCE_BLOCK_H

#include "../problem/problem.h"
#include "reference_maths.h"

/* Axes (n, t₁, n × t₁) and the arms of bodies a (0) and b (1); or, of a block of angular rows, the length by
 * which they are multiplied, else 0. */
typedef struct reference_frame {
    real3 axis[3], arm[2];
    double length;
} reference_frame;

typedef struct reference_velocity {
    real3 linear, angular;
} reference_velocity;

static inline reference_frame reference_frame_of(const contact_block *block) {
    const real3 n = real3_of(block->normal), t = real3_of(block->tangent);
    return (reference_frame){
        {n, t, real3_outer(n, t)}, {real3_of(block->arm_a), real3_of(block->arm_b)}, (double)block->length};
}

static inline reference_velocity reference_velocity_of(body_velocity v) {
    return (reference_velocity){real3_of(v.linear), real3_of(v.angular)};
}

/* M⁻¹ applied to an impulse and an angular impulse about the centre of mass, in the places of velocities. */
static inline reference_velocity reference_response(const body_mobility *body, reference_velocity push) {
    const real3 d = real3_of(body->diagonal), o = real3_of(body->off_diagonal);
    const real3x3 inverse = {{{d.x, o.z, o.y}, {o.z, d.y, o.x}, {o.y, o.x, d.z}}};
    return (reference_velocity){real3_products(real3_of(body->inverse_mass), push.linear),
                                real3x3_times(&inverse, push.angular)};
}

/* What a block sees of a body's motion: the velocity of its contact point, or its turning. */
static inline real3 reference_seen(const reference_frame *frame, int side, reference_velocity v) {
    return frame->length > 0 ? real3_scaled(frame->length, v.angular)
                             : real3_sum(v.linear, real3_outer(v.angular, frame->arm[side]));
}

/* An impulse p of a block on a body, as impulse and angular impulse about the centre of mass. */
static inline reference_velocity reference_applied(const reference_frame *frame, int side, real3 p) {
    if (frame->length > 0) return (reference_velocity){{0, 0, 0}, real3_scaled(frame->length, p)};
    return (reference_velocity){p, real3_outer(frame->arm[side], p)};
}

/* What it sees of b less what it sees of a, in the frame. */
static inline real3 reference_relative(const reference_frame *frame, reference_velocity a,
                                       reference_velocity b) {
    const real3 v = real3_difference(reference_seen(frame, 1, b), reference_seen(frame, 0, a));
    return (real3){real3_inner(frame->axis[0], v), real3_inner(frame->axis[1], v),
                   real3_inner(frame->axis[2], v)};
}

/* r in world axes: the impulse on b. */
static inline real3 reference_on_b(const reference_frame *frame, real3 r) {
    return real3_sum(real3_scaled(r.x, frame->axis[0]),
                     real3_sum(real3_scaled(r.y, frame->axis[1]), real3_scaled(r.z, frame->axis[2])));
}

/* q of block i: J V* + bias; in the position pass the correction alone. */
static inline real3 reference_drive(const problem *p, int i, bool position_pass) {
    const contact_block *block = &p->blocks[i];
    if (position_pass) return (real3){(double)block->correction, 0, 0};
    const reference_frame frame = reference_frame_of(block);
    real3 q = reference_relative(&frame, reference_velocity_of(p->free_velocity[block->body_a]),
                                 reference_velocity_of(p->free_velocity[block->body_b]));
    q.x += (double)block->bias;
    return q;
}

#endif
