/* Unit of mass of a problem. */
#pragma once

#include "problem.h"
#include "state/bodies.h"

/* Residuals, momentum and cones use squares and fourth powers of impulses, of which single precision
 * represents those from 1e-19 and 1e-9 N s; a grain of 0.1 mm gets 1e-11 N s in a step. Velocities do not
 * depend on the unit of mass. A problem is assembled in a power of two of a kilogram (problem.mass_exponent)
 * in which a typical impulse is near 1, so no digit changes. */
typedef struct mass_unit {
    int mass_capacity, load_capacity;
    body_mass *masses; /* of bodies in the unit, as are the loads */
    body_load *loads;
} mass_unit;

body_mass mass_unit_of(body_mass mass, int exponent);
/* Converts the blocks from `first` up to `end`, their rows and impulses from kilograms to the problem's unit.
 */
void mass_unit_convert(problem *p, int first, int end);
/* Points the masses and loads of `bodies` to arrays in the problem's unit, of
 * `self`. Errors: MEMORY. */
scree_result mass_unit_take(mass_unit *self, body_array *bodies, const problem *p, int threads, int *regrown);
/* Points them to the same arrays again, without computing these. */
void mass_unit_retake(const mass_unit *self, body_array *bodies);
void mass_unit_release(mass_unit *self);
