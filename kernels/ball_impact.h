/* Contact of two balls: at their current positions, and at the time of impact (detect/impact.h). For any
 * width. */
#ifndef SCREE_KERNELS_BALL_IMPACT_H
#define SCREE_KERNELS_BALL_IMPACT_H

#include "dialect.h"

typedef struct ball {
    vec3s centre; /* m */
    scalar radius;
} ball;

/* `normal` is a unit vector from the first to the second ball; `position` is midway between the surfaces. */
typedef struct ball_contact {
    scalar_mask touches;
    vec3s normal, position;
    scalar gap;
} ball_contact;

/* Returns the contact of the balls at their current positions. */
SHARED ball_contact balls_touch(ball a, ball b, scalar reach) {
    const vec3s between = glms_vec3_sub(b.centre, a.centre);
    const scalar radii = a.radius + b.radius, square = glms_vec3_norm2(between);
    const scalar distance = scalar_sqrt(square);
    ball_contact out;
    out.normal = vec3_choose(square > FLT_MIN, glms_vec3_scale(between, 1 / distance),
                             vec3_of(scalar_of(0), scalar_of(0), scalar_of(1)));
    out.gap = distance - radii;
    out.position = glms_vec3_add(a.centre, glms_vec3_scale(out.normal, a.radius + out.gap / 2));
    out.touches = (square <= (radii + reach) * (radii + reach)) & (out.gap <= reach);
    return out;
}

/* Returns the time at which two separated balls, of which b moves at w, touch: ‖d + w t‖ = R, with b = d·w <
 * 0, c = d² − R² = gap (distance + R), t = c/(−b + √(b² − w² c)), which avoids the cancellation of the
 * textbook's form. If there is no root, returns the time of the closest approach, t = −b/w²; 0 if they do not
 * approach. */
SHARED scalar balls_meet(ball a, ball b, vec3s velocity, scalar gap) {
    const vec3s d = glms_vec3_sub(b.centre, a.centre);
    const scalar along = glms_vec3_dot(d, velocity), square = glms_vec3_norm2(velocity);
    const scalar c = gap * (gap + 2 * (a.radius + b.radius));
    const scalar discriminant = along * along - square * c;
    const scalar_mask meet = discriminant > 0;
    const scalar root = scalar_sqrt(choose(meet, discriminant, scalar_of(0)));
    return choose(along < 0, choose(meet, c / (root - along), -along / square), scalar_of(0));
}

SHARED ball_contact ball_impact(ball a, ball b, vec3s velocity, scalar time_step, scalar reach) {
    const ball_contact now = balls_touch(a, b, reach);
    const scalar time = scalar_min(balls_meet(a, b, velocity, now.gap), time_step);
    const vec3s motion = glms_vec3_scale(velocity, time);
    b.centre = glms_vec3_add(b.centre, motion);
    ball_contact then = balls_touch(a, b, reach);
    then.gap -= glms_vec3_dot(then.normal, motion);
    then.position = glms_vec3_sub(then.position, glms_vec3_scale(motion, scalar_of(0.5f)));
    const scalar_mask later = then.touches & (now.gap > 0) & (time > 0);
    ball_contact out;
    out.touches = now.touches;
    out.normal = vec3_choose(later, then.normal, now.normal);
    out.position = vec3_choose(later, then.position, now.position);
    out.gap = choose(later, then.gap, now.gap);
    return out;
}

#endif
