/* Statistics of a step as sums in double precision over fixed chunks: whatever the number of threads or of
 * work-groups, host and device add the same numbers in the same order. For devices with double precision. */
#ifndef SCREE_KERNELS_STEP_SUMS_H
#define SCREE_KERNELS_STEP_SUMS_H

#include "layout.h"
#include "rotation.h"

#if SCREE_WIDTH == 1

/* A lane adds consecutive items in order, a chunk its lanes in order. The sums of chunks are added as items
 * of chunks again, and those of these chunks in order. */
enum { STATISTICS_LANE = 4, STATISTICS_LANES = 256, STATISTICS_CHUNK = STATISTICS_LANE * STATISTICS_LANES };

/* Sums over bodies and over contacts; the last number of either is a maximum. */
enum {
    SUM_OF_MASS, /* kg */
    SUM_OF_KINETIC_ENERGY,
    SUM_OF_POTENTIAL_ENERGY,
    SUM_OF_MOMENTUM,
    SUM_OF_ANGULAR_MOMENTUM = SUM_OF_MOMENTUM + 3,
    STATISTICS_MAXIMUM = SUM_OF_ANGULAR_MOMENTUM + 3, /* of the travel relative to size; of the depth, m */
    STATISTICS_NUMBERS
};
enum {
    SUM_OF_POINTS,
    SUM_OF_TOUCHING,
    SUM_OF_HITS,
    SUM_OF_OVERLAPPING,
    SUM_OF_DEPTHS,
    SUM_OF_IMPULSE,
    SUM_UNUSED = SUM_OF_IMPULSE + 3
};
STATIC_ASSERT(SUM_UNUSED < (int)STATISTICS_MAXIMUM, "contacts have as many numbers");

typedef struct statistic_sums {
    double of[STATISTICS_NUMBERS];
} statistic_sums;

LARGE statistic_sums sums_zero(void) {
    statistic_sums out;
    for (int k = 0; k < STATISTICS_NUMBERS; k++) out.of[k] = 0;
    return out;
}

/* Returns the sum, or the larger one, of the numbers k of two sums. */
SHARED double number_plus(int k, double a, double b) {
    return k < STATISTICS_MAXIMUM ? a + b : a > b ? a : b;
}

LARGE statistic_sums sums_plus(statistic_sums a, statistic_sums b) {
    for (int k = 0; k < STATISTICS_NUMBERS; k++) a.of[k] = number_plus(k, a.of[k], b.of[k]);
    return a;
}

LARGE statistic_sums sums_vector(statistic_sums sums, int at, vec3s v, double factor) {
    sums.of[at] += factor * (double)v.x;
    sums.of[at + 1] += factor * (double)v.y;
    sums.of[at + 2] += factor * (double)v.z;
    return sums;
}

/* Adds L = x × m v + R I Rᵀ ω and E = ½ m v² + ½ ω·R I Rᵀ ω; rotational terms are computed in body axes. g·x:
 * of the position as if the body had never crossed a periodic boundary. */
LARGE statistic_sums sums_dynamic(statistic_sums sums, body_pose pose, body_velocity velocity, body_mass mass,
                                  double g_x) {
    const double m = (double)mass.mass;
    const vec3s omega = rotate_inverse(pose.rotation, velocity.angular);
    const vec3s spin = glms_vec3_mul(mass.inertia, omega);
    sums.of[SUM_OF_MASS] += m;
    sums.of[SUM_OF_KINETIC_ENERGY] +=
        0.5 * m * (double)glms_vec3_norm2(velocity.linear) + 0.5 * (double)glms_vec3_dot(omega, spin);
    sums.of[SUM_OF_POTENTIAL_ENERGY] -= m * (double)mass.gravity_scale * g_x;
    sums = sums_vector(sums, SUM_OF_MOMENTUM, velocity.linear, m);
    sums = sums_vector(sums, SUM_OF_ANGULAR_MOMENTUM, glms_vec3_cross(pose.position, velocity.linear), m);
    return sums_vector(sums, SUM_OF_ANGULAR_MOMENTUM, rotate(pose.rotation, spin), 1);
}

LARGE statistic_sums sums_travel(statistic_sums sums, body_velocity velocity, double time_step,
                                 scalar half_width) {
    const double travel = time_step * sqrt((double)glms_vec3_norm2(velocity.linear)) / (double)half_width;
    sums.of[STATISTICS_MAXIMUM] = number_plus(STATISTICS_MAXIMUM, sums.of[STATISTICS_MAXIMUM], travel);
    return sums;
}

/* Without branches: at rest, every other point overlaps, unpredictably. */
LARGE statistic_sums sums_depth(statistic_sums sums, scalar gap) {
    const double depth = gap < 0 ? -(double)gap : 0;
    sums.of[SUM_OF_DEPTHS] += depth;
    sums.of[SUM_OF_OVERLAPPING] += gap < 0;
    sums.of[STATISTICS_MAXIMUM] = number_plus(STATISTICS_MAXIMUM, depth, sums.of[STATISTICS_MAXIMUM]);
    return sums;
}

#endif

#endif
