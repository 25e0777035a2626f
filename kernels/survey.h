/* The unit of mass of a problem (host/rows/mass_unit.h), and the numbers of the bodies that it follows from.
 */
#ifndef SCREE_KERNELS_SURVEY_H
#define SCREE_KERNELS_SURVEY_H

#include "layout.h"

/* Histogram of the accelerations by loads, by exponent. */
enum { SURVEY_LEAST = -64, SURVEY_KINDS = 128 };

/* Extrema over movable bodies, but of all velocities. Exponents are of masses in kg. */
typedef struct body_survey {
    int movable, lightest, heaviest;
    scalar smallest; /* half size, m; infinite if nothing is movable */
    scalar fastest;  /* largest component of a linear velocity, m/s */
} body_survey;

/* Masses and impulses are in units of 2^mass_exponent kg. */
typedef struct survey_unit {
    scalar drive_speed; /* that gravity, or the forces on most bodies, add in the step, m/s */
    int mass_exponent;
    scalar kilograms; /* of the unit */
} survey_unit;

SHARED scalar largest_component(vec3s v) {
    return scalar_max(scalar_abs(v.x), scalar_max(scalar_abs(v.y), scalar_abs(v.z)));
}

/* Returns where the histogram counts an acceleration, m/s², or −1. */
SHARED int acceleration_kind(scalar acceleration) {
    if (!(acceleration > 0)) return -1;
    const int kind = scalar_exponent(acceleration) - SURVEY_LEAST;
    return kind < 0 ? -1 : kind < SURVEY_KINDS ? kind : SURVEY_KINDS - 1;
}

/* Returns the acceleration 2^e that at least half of the movable bodies exceed, from a histogram of
 * exponents, of which the first `kinds` are in use; 0 if most have none. A few strong forces do not matter,
 * nor does the order of summation. */
SHARED scalar typical_acceleration(LOOKUP int *counts, int kinds, int movable) {
    int kind = kinds, above = 0;
    while (kind > 0 && 2 * above < movable) above += counts[--kind];
    return movable > 0 && 2 * above >= movable ? scalar_shifted(1, kind + SURVEY_LEAST) : 0;
}

/* Returns the speed for mass_unit_exponent. Bodies that only spin have linear velocities that are rounding,
 * as little as 1e-25 m/s; the impulses of a motor or an impact would be too large to be squared in a unit of
 * such velocities. A small fraction of the smallest size per step leaves squares of larger and smaller ones
 * within single precision. */
SHARED scalar unit_speed(scalar fastest, scalar smallest, scalar time_step) {
    const scalar own = smallest / time_step, least = scalar_shifted(own, -20);
    if (!(fastest > 0)) return own;
    return least < INFINITY ? scalar_max(fastest, least) : fastest;
}

/* The unit's exponent is at most this, so that its factors are floats. */
enum { MASS_UNIT_FARTHEST = 120 };

/* Returns the exponent of the unit for movable bodies whose masses lie between 2^lightest and
 * 2^(heaviest + 1) kg, and whose velocities change by about `speed`. Solutions contain square roots of
 * masses, which keep their digits under even powers of two. The typical mass is therefore near an even power
 * of two of the unit, in any unit of the caller. */
SHARED int mass_unit_exponent(int lightest, int heaviest, scalar speed) {
    if (lightest > heaviest || !(speed > 0) || !(speed < INFINITY)) return 0;
    const int typical = lightest + (heaviest - lightest) / 2,
              exponent = typical + 2 * scalar_exponent(scalar_sqrt(speed));
    return exponent > MASS_UNIT_FARTHEST    ? MASS_UNIT_FARTHEST
           : exponent < -MASS_UNIT_FARTHEST ? -MASS_UNIT_FARTHEST
                                            : exponent;
}

/* Returns the unit for these bodies, most of which have loads of this acceleration. */
SHARED survey_unit unit_of_survey(body_survey of, scalar acceleration, motion_parameters motion) {
    survey_unit out;
    out.drive_speed = motion.time_step * scalar_max(glms_vec3_norm(motion.gravity), acceleration);
    const scalar fastest = scalar_max(of.fastest, out.drive_speed);
    out.mass_exponent =
        mass_unit_exponent(of.lightest, of.heaviest, unit_speed(fastest, of.smallest, motion.time_step));
    out.kilograms = scalar_shifted(1, out.mass_exponent);
    return out;
}

#endif
