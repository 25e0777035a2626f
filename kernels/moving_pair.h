/* The tests of a pair of moving balls or boxes within a time step h, for any width: the contacts whose gaps
 * can close within the step (reach.h). */
#ifndef SCREE_KERNELS_MOVING_PAIR_H
#define SCREE_KERNELS_MOVING_PAIR_H

#include "ball_impact.h"
#include "box_points.h"
#include "reach.h"
#include "skimming_test.h"

/* A ball as its record has it (body_record.h). */
typedef struct moving_ball {
    ball of;
    scalar half_width;
    vec3s velocity; /* m/s */
    scalar square_speed;
} moving_ball;

/* Returns the contact of two balls at the time of impact; `touches` if its gap can close. A ball's surface
 * does not approach by rotation. */
SHARED ball_contact moving_balls_contact(moving_ball a, moving_ball b, scalar margin, scalar h) {
    const vec3s velocity = glms_vec3_sub(b.velocity, a.velocity);
    const scalar still = scalar_of(0);
    const scalar full_margin =
        margin + reach_margin(a.square_speed, b.square_speed, a.half_width, b.half_width, h);
    ball_contact found = ball_impact(a.of, b.of, velocity, h, reach_of(full_margin, velocity, still, h));
    found.touches = found.touches & (found.gap <= reach_along(full_margin, found.normal, velocity, still, h));
    return found;
}

/* The motion of a box as its record has it. */
typedef struct moving_box {
    scalar radius, half_width; /* m */
    vec3s velocity;            /* m/s */
    scalar square_speed, turning_speed;
} moving_box;

/* Separating axis test of two boxes. */
typedef struct box_test {
    scalar reach;                /* largest gap at which the pair is tested, m */
    scalar_mask parted, crossed; /* it is farther apart; edges are preferred to faces */
    box_axes axes;
} box_test;

SHARED scalar moving_boxes_margin(moving_box a, moving_box b, scalar margin, scalar h) {
    return margin + reach_margin(a.square_speed, b.square_speed, a.half_width, b.half_width, h);
}

/* `a` has its centre at the origin. */
SHARED box_test moving_boxes_test(oriented_box a, oriented_box b, moving_box of_a, moving_box of_b,
                                  scalar margin, scalar h) {
    const box_couple pair = box_couple_of(a, b);
    box_test out;
    out.reach =
        reach_of(moving_boxes_margin(of_a, of_b, margin, h), glms_vec3_sub(of_b.velocity, of_a.velocity),
                 of_a.turning_speed + of_b.turning_speed, h);
    const scalar far = of_a.radius + of_b.radius + out.reach;
    out.axes = box_axes_of(pair, out.reach);
    out.parted = out.axes.parted | (glms_vec3_norm2(pair.between) > far * far);
    out.crossed = edges_preferred(out.axes, box_separation_slop(a, b));
    return out;
}

SHARED skimming_motion moving_boxes_motion(oriented_box a, oriented_box b, moving_box of_a, moving_box of_b) {
    skimming_motion out;
    out.velocity = glms_vec3_sub(of_b.velocity, of_a.velocity);
    out.turning_speed = of_a.turning_speed + of_b.turning_speed;
    out.width = scalar_min(box_smallest_half(a), box_smallest_half(b));
    return out;
}

/* Returns the largest gap along the normal that can close, m. */
SHARED scalar moving_boxes_closing(skimming_motion motion, moving_box of_a, moving_box of_b, vec3s normal,
                                   scalar margin, scalar h) {
    return reach_along(moving_boxes_margin(of_a, of_b, margin, h), normal, motion.velocity,
                       motion.turning_speed, h);
}

#endif
