/* Ends the part of a program that is in double precision (double_begin.h). The headers of the dialect may
 * be included again, in single precision. */
#ifndef SCREE_KERNELS_DOUBLE_END_H
#define SCREE_KERNELS_DOUBLE_END_H

#undef SCREE_DOUBLE
#undef SCALAR_EPSILON
#undef WORDS
#undef SCREE_KERNELS_DIALECT_H
#undef SCREE_KERNELS_SYMMETRIC_H
#undef SCREE_KERNELS_ROTATION_H
#undef SCREE_KERNELS_MANIFOLD_POINTS_H

/* dialect.h */
#undef uniform
#undef uniform_sqrt
#undef scalar
#undef scalar_sqrt
#undef scalar_exponent
#undef scalar_shifted
#undef scalar_mask
#undef scalar_int
#undef scalar_bits
#undef scalar_of
#undef choose
#undef any_lane
#undef int_of
#undef int_from
#undef choose_int
#undef scalar_min
#undef scalar_max
#undef scalar_abs
#undef scalar_clamp
#undef scalar_finite
#undef uint32
#undef long64
#undef vec3s
#undef versors
#undef vec3_of
#undef versor_of
#undef vec3_along
#undef glms_vec3_zero
#undef glms_vec3_add
#undef glms_vec3_sub
#undef glms_vec3_mul
#undef glms_vec3_scale
#undef glms_vec3_negate
#undef glms_vec3_dot
#undef vec3_choose
#undef glms_vec3_norm2
#undef glms_vec3_norm
#undef glms_vec3_cross

/* symmetric.h */
#undef symmetric3
#undef symmetric_of
#undef symmetric_times
#undef symmetric_trace

/* rotation.h */
#undef rotate
#undef rotate_inverse
#undef rotation_product
#undef rotation_normalised
#undef turn_parts
#undef turn_parts_of
#undef rotation_turned
#undef rotation_vector
#undef tangent_of
#undef rotation_tensor

/* manifold_points.h */
#undef MANIFOLD_POINTS
#undef manifold_point
#undef manifold_points
#undef manifold_point_of
#undef manifold_points_none
#undef manifold_points_one

/* support.h */
#undef box_face

#include "dialect.h"

#endif
