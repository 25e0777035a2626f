/* One contact block in double precision: its frame, and impulses and velocities in it. */
#pragma once

#include "rows/problem.h"
#include "base/real3.h"
#include "host_bounded.h"

/* Axes (n, t₁, n × t₁) and the arms of bodies a (0) and b (1). `length` scales the rows of angular blocks. */
typedef struct host_frame {
    real3 axis[3], arm[2];
    double length;
    bool angular;
} host_frame;

typedef struct host_velocity {
    real3 linear, angular;
} host_velocity;

static inline host_frame host_frame_of(const constraint_block *block) {
    const real3 n = real3_of(block->normal), t = real3_of(block->tangent);
    return (host_frame){{n, t, real3_cross(n, t)},
                        {real3_of(block->arm_a), real3_of(block->arm_b)},
                        (double)block->length,
                        block->angular != 0};
}

static inline host_velocity host_velocity_of(body_velocity v) {
    return (host_velocity){real3_of(v.linear), real3_of(v.angular)};
}

/* Returns M⁻¹ applied to an impulse and an angular impulse about the centre of mass, in the layout of a
 * velocity. */
static inline host_velocity host_response(const body_mobility *body, host_velocity push) {
    const real3 d = real3_of(body->diagonal), o = real3_of(body->off_diagonal);
    const real3x3 inverse = {{{d.x, o.z, o.y}, {o.z, d.y, o.x}, {o.y, o.x, d.z}}};
    return (host_velocity){real3_products(real3_of(body->inverse_mass), push.linear),
                           real3x3_times(&inverse, push.angular)};
}

/* Returns the velocity of a block's contact point on one body, or that body's scaled angular velocity. */
static inline real3 host_seen(const host_frame *frame, int side, host_velocity v) {
    return frame->angular ? real3_scaled(frame->length, v.angular)
                          : real3_sum(v.linear, real3_cross(v.angular, frame->arm[side]));
}

/* Returns the impulse and angular impulse about the centre of mass of a block's impulse p on a body. */
static inline host_velocity host_applied(const host_frame *frame, int side, real3 p) {
    if (frame->angular) return (host_velocity){{0, 0, 0}, real3_scaled(frame->length, p)};
    return (host_velocity){p, real3_cross(frame->arm[side], p)};
}

/* Returns the relative velocity of b against a in the frame. */
static inline real3 host_relative(const host_frame *frame, host_velocity a, host_velocity b) {
    const real3 v = real3_difference(host_seen(frame, 1, b), host_seen(frame, 0, a));
    return (real3){real3_inner(frame->axis[0], v), real3_inner(frame->axis[1], v),
                   real3_inner(frame->axis[2], v)};
}

/* Returns r in world axes: the impulse on b. */
static inline real3 host_on_b(const host_frame *frame, real3 r) {
    return real3_sum(real3_scaled(r.x, frame->axis[0]),
                     real3_sum(real3_scaled(r.y, frame->axis[1]), real3_scaled(r.z, frame->axis[2])));
}

/* Returns the bounds of a bounded block; low = high prescribes the impulse of a row. */
static inline host_box host_box_of(const problem *p, const constraint_block *block, bool position_pass) {
    const bounded_rows *rows = &p->rows[block->rows];
    return (host_box){real3_of(position_pass ? rows->push_low : rows->low),
                      real3_of(position_pass ? rows->push_high : rows->high)};
}

/* Returns a velocity of bounded rows with zeros in rows whose impulse is prescribed. */
static inline real3 host_unheld(host_box box, real3 u) {
    return (real3){box.low.x < box.high.x ? u.x : 0, box.low.y < box.high.y ? u.y : 0,
                   box.low.z < box.high.z ? u.z : 0};
}

/* Returns q of block i: J V*, for contacts plus bias and surface velocity, for bounded rows plus bias; in the
 * position pass the correction alone. */
static inline real3 host_drive(const problem *p, int i, bool position_pass) {
    const constraint_block *block = &p->blocks[i];
    const bool contact = block->kind == BLOCK_CONTACT, bounded = block->kind == BLOCK_BOUNDED;
    if (position_pass && bounded)
        return host_unheld(host_box_of(p, block, true), real3_of(p->rows[block->rows].correction));
    if (position_pass) return (real3){contact ? (double)block->correction : 0, 0, 0};
    const host_frame frame = host_frame_of(block);
    real3 q = host_relative(&frame, host_velocity_of(p->free_velocity[block->body_a]),
                            host_velocity_of(p->free_velocity[block->body_b]));
    if (contact)
        q = real3_sum(q, (real3){(double)block->bias, (double)block->rolling, (double)block->spinning});
    if (bounded)
        return host_unheld(host_box_of(p, block, false), real3_sum(q, real3_of(p->rows[block->rows].bias)));
    return q;
}
