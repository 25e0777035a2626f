/* From the host's bodies, materials and options to what a device fills the rows of contacts from
 * (kernels/row_layout.h). */
#pragma once

#include "problem_input.h"

#include "row_layout.h"

/* Returns the constants of a body. `joints` may be null. */
row_body row_body_of(const body_array *bodies, const joint_array *joints, int slot);
/* Writes the pairs of all materials, count² of them; row a, column b. */
void row_materials_of(const material_table *materials, row_material *out);
/* `kilograms`: unit of mass of the problem; `mass_unit`: of the device's masses and loads, kg. */
row_parameters row_parameters_of(const problem_input *from, scalar kilograms, scalar mass_unit);
