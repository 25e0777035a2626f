/* Unit of mass of a problem. */
#pragma once

#include "problem.h"
#include "state/bodies.h"

/* Residuals, momentum and cones use squares of impulses, which single precision represents from 1e-19 to 1e19
 * N s; masses range from 1e-15 to 1e25 kg. Velocities do not depend on the unit of mass. If masses are far
 * from a kilogram, a problem is assembled in a power of two of it (problem.mass_exponent), so no digit
 * changes. */
typedef struct mass_unit {
    int mass_capacity, load_capacity;
    body_mass *masses; /* of bodies in the unit, as are the loads */
    body_load *loads;
} mass_unit;

/* Returns the exponent of the unit, 0 for kilograms, for movable bodies whose masses lie between
 * 2^lightest and 2^(heaviest + 1) kg. */
int mass_unit_exponent(int lightest, int heaviest);
body_mass mass_unit_of(body_mass mass, int exponent);
/* Converts a group's blocks, rows and impulses from kilograms to the problem's unit. */
void mass_unit_convert(problem *p, block_group group);
/* Unless the problem's unit is the kilogram, points the masses and loads of `bodies` to converted arrays of
 * `self`. Errors: MEMORY. */
scree_result mass_unit_take(mass_unit *self, body_array *bodies, const problem *p, int threads, int *regrown);
void mass_unit_release(mass_unit *self);
