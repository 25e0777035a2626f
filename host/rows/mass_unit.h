/* Unit of mass of a problem. */
#pragma once

#include "problem.h"
#include "state/bodies.h"

/* Residuals, momentum and cones use squares and fourth powers of impulses, of which single precision
 * represents those from 1e-19 and 1e-9 N s; a grain of 0.1 mm gets 1e-11 N s in a step. Velocities do not
 * depend on the unit of mass. A problem is assembled in a power of two of a kilogram (problem.mass_exponent)
 * in which a typical impulse is near 1, so no digit changes. Bodies keep their masses and loads in kilograms;
 * readers that need them in the unit multiply them by this factor (mass_scaled, load_scaled of motion.h). */
static inline scalar mass_unit_factor(const problem *p) { return 1 / p->kilograms; }

body_mass mass_unit_of(body_mass mass, int exponent);
/* Converts the blocks from `first` up to `end`, their rows and impulses from kilograms to the problem's unit.
 */
void mass_unit_convert(problem *p, int first, int end);
