/* The unit of mass in which a step is solved. */
#ifndef SCREE_ROWS_MASS_UNIT_H
#define SCREE_ROWS_MASS_UNIT_H

#include "problem.h"
#include "state/bodies.h"

/* Residuals, momentum and cones are made of squares of impulses, which single precision holds from 1e-19 to
 * 1e19 N s; masses go from 1e-15 to 1e25 kg. Velocities do not depend on the unit of mass: where masses are
 * far from a kilogram, bodies and problem are solved in a power of two of it, so that no digit changes. */
typedef struct mass_unit {
    int exponent; /* 2^exponent kg; 0: the bodies and the problem are as they were */
    int mass_capacity, load_capacity;
    body_mass *masses; /* in the unit, as the loads */
    body_load *loads;
} mass_unit;

/* Chooses the unit by the masses of the movable bodies, and brings `bodies` (masses and loads: arrays of
 * `self` from here on) and the assembled problem to it, if it is not the kilogram. Errors: MEMORY. */
scree_result mass_unit_take(mass_unit *self, body_array *bodies, problem *p, int threads, int *regrown);
/* The solved problem, whose arrays have all been fetched, back to kilograms. */
void mass_unit_give_back(const mass_unit *self, problem *p, int threads);
void mass_unit_release(mass_unit *self);

#endif
