/* Rotation of a body over the step for which rows are linearised. */
#ifndef SCREE_KERNELS_MEAN_SPIN_H
#define SCREE_KERNELS_MEAN_SPIN_H

#include "motion.h"

#if SCREE_WIDTH == 1

typedef struct body_turn {
    vec3s start, mean; /* spins: at the start of the step, after its impulses; over the step; rad/s */
} body_turn;

/* Faster turns have hardly a gyroscopic term (spin_gain), rad. With 1, 2, 2.5 and 3, ropes that part at three
 * lengths a step exceed theirs by 5, 2.6, 1.2 and 1.5 % (95 % of 1000 pairs). */
#define TURN_LIMIT ((scalar)2.5)

/* With the mean spin ω̄ = s/2 the equation of spin_gain is linear in the gain ω' − ω, half of which ω̄ has
 * beyond ω:
 *
 *     ω − ω̄ = (h/2) tan(x)/x I⁻¹ (ω̄ × I ω̄),   x = h ‖ω̄‖/2. */
SHARED vec3s free_start(body_pose pose, vec3s inertia, vec3s mean, scalar time_step) {
    const vec3s own = rotate_inverse(pose.rotation, mean), moments = moments_scaled(inertia);
    const turn_parts parts = turn_parts_of(time_step * time_step * glms_vec3_norm2(mean));
    const vec3s twist = glms_vec3_scale(glms_vec3_cross(own, glms_vec3_mul(moments, own)),
                                        time_step / 2 * parts.sine / parts.cosine);
    const vec3s loss = vec3_of(twist.x / moments.x, twist.y / moments.y, twist.z / moments.z);
    return glms_vec3_add(mean, rotate(pose.rotation, loss));
}

/* The equation of locked_gyration, ω' = K(R') I(R) ω with ω + ω' = 2 ω̄, is linear in ω, too. */
SHARED vec3s locked_start(body_pose pose, body_mass mass, vec3s mean, scalar time_step) {
    const vec3s moments = moments_scaled(mass.inertia);
    const symmetric3 inverse =
        locked_inverse(rotation_turned(glms_vec3_scale(mean, time_step), pose.rotation), moments, mass.locks);
    vec3s columns[3];
    for (int i = 0; i < 3; i++) {
        const vec3s axis = vec3_of(i == 0, i == 1, i == 2);
        columns[i] =
            glms_vec3_add(axis, symmetric_times(inverse, inertia_times(pose.rotation, moments, axis)));
    }
    return solve_columns(columns[0], columns[1], columns[2], glms_vec3_scale(mean, 2));
}

/* Returns the free rotation with this mean spin. */
SHARED body_turn turn_of_mean(body_pose pose, body_mass mass, vec3s mean, scalar time_step) {
    body_turn out;
    out.start = out.mean = mean;
    if (spins_steadily(mass) || !(time_step * glms_vec3_norm(mean) < TURN_LIMIT)) return out;
    out.start = mass.locks & LOCK_ANY_ROTATION ? locked_start(pose, mass, mean, time_step)
                                               : free_start(pose, mass.inertia, mean, time_step);
    return out;
}

/* Returns the rotation of a body that continues that of the last step, which ended with this spin. The
 * impulses of steady motion turn along with a body: if it turns steadily about an axis that is not principal,
 * its mean spin is constant, unlike those at the start and the end of the step. Free rotation is the same in
 * reverse. */
SHARED body_turn turn_continued(body_pose pose, body_mass mass, vec3s spin, scalar time_step) {
    const vec3s back = glms_vec3_negate(spin);
    return turn_of_mean(pose, mass, glms_vec3_negate(gyration_of(pose, back, mass, time_step).mean),
                        time_step);
}

/* Returns the free rotation from this spin. */
SHARED body_turn turn_free(body_pose pose, body_mass mass, vec3s spin, scalar time_step) {
    body_turn out;
    out.start = spin, out.mean = gyration_of(pose, spin, mass, time_step).mean;
    return out;
}

#endif

#endif
