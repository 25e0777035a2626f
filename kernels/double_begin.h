/* Begins the part of a program that is in double precision, which ends with double_end.h. Headers that are
 * included in between define the names below with the suffix _double. A program includes this part before all
 * else; it then has the dialect in both precisions. A name that is missing here is defined twice, which no
 * compiler accepts. */
#ifndef SCREE_KERNELS_DOUBLE_BEGIN_H
#define SCREE_KERNELS_DOUBLE_BEGIN_H

#define SCREE_DOUBLE

/* dialect.h */
#define uniform uniform_double
#define uniform_sqrt uniform_sqrt_double
#define scalar scalar_double
#define scalar_sqrt scalar_sqrt_double
#define scalar_exponent scalar_exponent_double
#define scalar_shifted scalar_shifted_double
#define scalar_mask scalar_mask_double
#define scalar_int scalar_int_double
#define scalar_bits scalar_bits_double
#define scalar_of scalar_of_double
#define choose choose_double
#define any_lane any_lane_double
#define int_of int_of_double
#define int_from int_from_double
#define choose_int choose_int_double
#define scalar_min scalar_min_double
#define scalar_max scalar_max_double
#define scalar_abs scalar_abs_double
#define scalar_clamp scalar_clamp_double
#define scalar_finite scalar_finite_double
#define uint32 uint32_double
#define long64 long64_double
#define vec3s vec3s_double
#define versors versors_double
#define vec3_of vec3_of_double
#define versor_of versor_of_double
#define vec3_along vec3_along_double
#define glms_vec3_zero glms_vec3_zero_double
#define glms_vec3_add glms_vec3_add_double
#define glms_vec3_sub glms_vec3_sub_double
#define glms_vec3_mul glms_vec3_mul_double
#define glms_vec3_scale glms_vec3_scale_double
#define glms_vec3_negate glms_vec3_negate_double
#define glms_vec3_dot glms_vec3_dot_double
#define vec3_choose vec3_choose_double
#define glms_vec3_norm2 glms_vec3_norm2_double
#define glms_vec3_norm glms_vec3_norm_double
#define glms_vec3_cross glms_vec3_cross_double

/* symmetric.h */
#define symmetric3 symmetric3_double
#define symmetric_of symmetric_of_double
#define symmetric_times symmetric_times_double
#define symmetric_trace symmetric_trace_double

/* rotation.h */
#define rotate rotate_double
#define rotate_inverse rotate_inverse_double
#define rotation_product rotation_product_double
#define rotation_normalised rotation_normalised_double
#define turn_parts turn_parts_double
#define turn_parts_of turn_parts_of_double
#define rotation_turned rotation_turned_double
#define rotation_vector rotation_vector_double
#define tangent_of tangent_of_double
#define rotation_tensor rotation_tensor_double

/* manifold_points.h */
#define MANIFOLD_POINTS MANIFOLD_POINTS_double
#define manifold_point manifold_point_double
#define manifold_points manifold_points_double
#define manifold_point_of manifold_point_of_double
#define manifold_points_none manifold_points_none_double
#define manifold_points_one manifold_points_one_double

/* support.h: the name of another function in oriented_box.h */
#define box_face box_face_double

#endif
