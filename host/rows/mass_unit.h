/* Unit of mass of a solve. */
#pragma once

#include "problem.h"
#include "state/bodies.h"

/* Residuals, momentum and cones use squares of impulses, which single precision represents from 1e-19 to 1e19
 * N s; masses range from 1e-15 to 1e25 kg. Velocities do not depend on the unit of mass. If masses are far
 * from a kilogram, the solve uses a power of two of it, so no digit changes. */
typedef struct mass_unit {
    int exponent; /* 2^exponent kg; 0: bodies and problem are unchanged */
    int mass_capacity, load_capacity;
    body_mass *masses; /* of bodies in the unit, as are the loads */
    body_load *loads;
} mass_unit;

/* Chooses the unit from the masses of the movable bodies. Unless it is the kilogram, converts the assembled
 * problem and points the masses and loads of `bodies` to converted arrays of `self`. Errors: MEMORY. */
scree_result mass_unit_take(mass_unit *self, body_array *bodies, problem *p, int threads, int *regrown);
/* Converts the solved problem back to kilograms. All its arrays must have been fetched. */
void mass_unit_give_back(const mass_unit *self, problem *p, int threads);
void mass_unit_release(mass_unit *self);
