/* Lists every struct of layout.h, contact_set.h, row_layout.h, ray.h and system_layout.h with its fields in
 * order. The layout probe compares them between host and device. */
/* Lists every struct of layout.h, contact_set.h, ray.h, swept_box.h and system_layout.h with its fields in
 * order. The layout probe compares them between host and device. */
#ifndef SCREE_KERNELS_LAYOUT_FIELDS_H
#define SCREE_KERNELS_LAYOUT_FIELDS_H

#include "contact_set.h"
#include "layout.h"
#include "ray.h"
#include "row_layout.h"
#include "swept_box.h"
#include "system_layout.h"

/* Calls STRUCT(type) for each struct, followed by FIELD(type, field) for each of its fields. */
#define LAYOUT_FIELDS(STRUCT, FIELD)                                                                         \
    STRUCT(body_pose)                                                                                        \
    FIELD(body_pose, position)                                                                               \
    FIELD(body_pose, reserved)                                                                               \
    FIELD(body_pose, rotation)                                                                               \
    STRUCT(body_remainder)                                                                                   \
    FIELD(body_remainder, position)                                                                          \
    FIELD(body_remainder, reserved)                                                                          \
    FIELD(body_remainder, rotation)                                                                          \
    FIELD(body_remainder, reserved_rotation)                                                                 \
    STRUCT(body_plane)                                                                                       \
    FIELD(body_plane, normal)                                                                                \
    FIELD(body_plane, padding)                                                                               \
    FIELD(body_plane, origin)                                                                                \
    FIELD(body_plane, rotation_angle)                                                                        \
    FIELD(body_plane, slot)                                                                                  \
    FIELD(body_plane, reserved)                                                                              \
    STRUCT(hull_corner)                                                                                      \
    FIELD(hull_corner, x)                                                                                    \
    FIELD(hull_corner, y)                                                                                    \
    FIELD(hull_corner, z)                                                                                    \
    FIELD(hull_corner, reserved)                                                                             \
    STRUCT(hull_side)                                                                                        \
    FIELD(hull_side, x)                                                                                      \
    FIELD(hull_side, y)                                                                                      \
    FIELD(hull_side, z)                                                                                      \
    FIELD(hull_side, count)                                                                                  \
    FIELD(hull_side, corners)                                                                                \
    STRUCT(convex_shape)                                                                                     \
    FIELD(convex_shape, size)                                                                                \
    FIELD(convex_shape, width)                                                                               \
    FIELD(convex_shape, kind)                                                                                \
    FIELD(convex_shape, corner_count)                                                                        \
    FIELD(convex_shape, side_count)                                                                          \
    FIELD(convex_shape, first_corner)                                                                        \
    FIELD(convex_shape, first_side)                                                                          \
    FIELD(convex_shape, middle_x)                                                                            \
    FIELD(convex_shape, middle_y)                                                                            \
    FIELD(convex_shape, middle_z)                                                                            \
    STRUCT(body_velocity)                                                                                    \
    FIELD(body_velocity, linear)                                                                             \
    FIELD(body_velocity, reserved)                                                                           \
    FIELD(body_velocity, angular)                                                                            \
    FIELD(body_velocity, reserved_angular)                                                                   \
    STRUCT(record_shape)                                                                                     \
    FIELD(record_shape, halves)                                                                              \
    FIELD(record_shape, half_width)                                                                          \
    FIELD(record_shape, turning_radius)                                                                      \
    FIELD(record_shape, radius)                                                                              \
    FIELD(record_shape, kind)                                                                                \
    FIELD(record_shape, reserved)                                                                            \
    STRUCT(contact_head)                                                                                     \
    FIELD(contact_head, a)                                                                                   \
    FIELD(contact_head, b)                                                                                   \
    FIELD(contact_head, image_count)                                                                         \
    FIELD(contact_head, first)                                                                               \
    FIELD(contact_head, normal)                                                                              \
    FIELD(contact_head, load)                                                                                \
    STRUCT(contact_tag)                                                                                      \
    FIELD(contact_tag, children)                                                                             \
    FIELD(contact_tag, bits)                                                                                 \
    STRUCT(contact_row)                                                                                      \
    FIELD(contact_row, bias)                                                                                 \
    FIELD(contact_row, compliance)                                                                           \
    STRUCT(bounds)                                                                                           \
    FIELD(bounds, lower)                                                                                     \
    FIELD(bounds, padding)                                                                                   \
    FIELD(bounds, upper)                                                                                     \
    FIELD(bounds, rotation_angle)                                                                            \
    STRUCT(body_mass)                                                                                        \
    FIELD(body_mass, inertia)                                                                                \
    FIELD(body_mass, mass)                                                                                   \
    FIELD(body_mass, gravity_scale)                                                                          \
    FIELD(body_mass, reserved_scalar)                                                                        \
    FIELD(body_mass, locks)                                                                                  \
    FIELD(body_mass, reserved)                                                                               \
    STRUCT(body_load)                                                                                        \
    FIELD(body_load, force)                                                                                  \
    FIELD(body_load, reserved)                                                                               \
    FIELD(body_load, torque)                                                                                 \
    FIELD(body_load, reserved_torque)                                                                        \
    STRUCT(body_mobility)                                                                                    \
    FIELD(body_mobility, inverse_mass)                                                                       \
    FIELD(body_mobility, reserved)                                                                           \
    FIELD(body_mobility, diagonal)                                                                           \
    FIELD(body_mobility, reserved_diagonal)                                                                  \
    FIELD(body_mobility, off_diagonal)                                                                       \
    FIELD(body_mobility, reserved_off_diagonal)                                                              \
    STRUCT(body_split)                                                                                       \
    FIELD(body_split, all)                                                                                   \
    FIELD(body_split, remainder)                                                                             \
    FIELD(body_split, reserved)                                                                              \
    FIELD(body_split, reserved_remainder)                                                                    \
    STRUCT(constraint_block)                                                                                 \
    FIELD(constraint_block, arm_a)                                                                           \
    FIELD(constraint_block, bias)                                                                            \
    FIELD(constraint_block, arm_b)                                                                           \
    FIELD(constraint_block, correction)                                                                      \
    FIELD(constraint_block, normal)                                                                          \
    FIELD(constraint_block, friction)                                                                        \
    FIELD(constraint_block, tangent)                                                                         \
    FIELD(constraint_block, compliance)                                                                      \
    FIELD(constraint_block, body_a)                                                                          \
    FIELD(constraint_block, body_b)                                                                          \
    FIELD(constraint_block, kind)                                                                            \
    FIELD(constraint_block, angular)                                                                         \
    FIELD(constraint_block, rows)                                                                            \
    FIELD(constraint_block, closing)                                                                         \
    FIELD(constraint_block, rolling)                                                                         \
    FIELD(constraint_block, spinning)                                                                        \
    FIELD(constraint_block, length)                                                                          \
    STRUCT(bounded_rows)                                                                                     \
    FIELD(bounded_rows, low)                                                                                 \
    FIELD(bounded_rows, reserved_low)                                                                        \
    FIELD(bounded_rows, high)                                                                                \
    FIELD(bounded_rows, reserved_high)                                                                       \
    FIELD(bounded_rows, bias)                                                                                \
    FIELD(bounded_rows, reserved_bias)                                                                       \
    FIELD(bounded_rows, compliance)                                                                          \
    FIELD(bounded_rows, reserved_compliance)                                                                 \
    FIELD(bounded_rows, closing)                                                                             \
    FIELD(bounded_rows, reserved_closing)                                                                    \
    FIELD(bounded_rows, correction)                                                                          \
    FIELD(bounded_rows, reserved_correction)                                                                 \
    FIELD(bounded_rows, push_low)                                                                            \
    FIELD(bounded_rows, reserved_push_low)                                                                   \
    FIELD(bounded_rows, push_high)                                                                           \
    FIELD(bounded_rows, reserved_push_high)                                                                  \
    STRUCT(block_diagonal)                                                                                   \
    FIELD(block_diagonal, diagonal)                                                                          \
    FIELD(block_diagonal, inverse_normal)                                                                    \
    FIELD(block_diagonal, off_diagonal)                                                                      \
    FIELD(block_diagonal, inverse_tangent)                                                                   \
    STRUCT(ball_mobility)                                                                                    \
    FIELD(ball_mobility, push_a)                                                                             \
    FIELD(ball_mobility, turn_a)                                                                             \
    FIELD(ball_mobility, push_b)                                                                             \
    FIELD(ball_mobility, turn_b)                                                                             \
    STRUCT(block_impulse)                                                                                    \
    FIELD(block_impulse, value)                                                                              \
    FIELD(block_impulse, shift)                                                                              \
    STRUCT(nesterov_state)                                                                                   \
    FIELD(nesterov_state, t)                                                                                 \
    FIELD(nesterov_state, extrapolation)                                                                     \
    FIELD(nesterov_state, restarts)                                                                          \
    FIELD(nesterov_state, ceiling)                                                                           \
    STRUCT(block_group)                                                                                      \
    FIELD(block_group, body_a)                                                                               \
    FIELD(block_group, body_b)                                                                               \
    FIELD(block_group, first)                                                                                \
    FIELD(block_group, count)                                                                                \
    STRUCT(joint_system)                                                                                     \
    FIELD(joint_system, stride)                                                                              \
    FIELD(joint_system, held_count)                                                                          \
    FIELD(joint_system, bounded_count)                                                                       \
    FIELD(joint_system, rigid)                                                                               \
    FIELD(joint_system, rows)                                                                                \
    FIELD(joint_system, low)                                                                                 \
    FIELD(joint_system, high)                                                                                \
    FIELD(joint_system, compliance)                                                                          \
    FIELD(joint_system, held)                                                                                \
    FIELD(joint_system, inverses)                                                                            \
    FIELD(joint_system, jacobian)                                                                            \
    FIELD(joint_system, solve)                                                                               \
    FIELD(joint_system, response)                                                                            \
    STRUCT(joint_node)                                                                                       \
    FIELD(joint_node, body)                                                                                  \
    FIELD(joint_node, other)                                                                                 \
    FIELD(joint_node, parent)                                                                                \
    FIELD(joint_node, first_child)                                                                           \
    FIELD(joint_node, child_count)                                                                           \
    FIELD(joint_node, row_count)                                                                             \
    FIELD(joint_node, rows)                                                                                  \
    STRUCT(joint_factor)                                                                                     \
    FIELD(joint_factor, bias)                                                                                \
    FIELD(joint_factor, compliance)                                                                          \
    FIELD(joint_factor, jacobian)                                                                            \
    FIELD(joint_factor, parent_jacobian)                                                                     \
    FIELD(joint_factor, response)                                                                            \
    FIELD(joint_factor, parent_response)                                                                     \
    FIELD(joint_factor, hold)                                                                                \
    FIELD(joint_factor, lift)                                                                                \
    FIELD(joint_factor, lift_back)                                                                           \
    FIELD(joint_factor, pass)                                                                                \
    FIELD(joint_factor, pass_back)                                                                           \
    FIELD(joint_factor, push)                                                                                \
    FIELD(joint_factor, push_back)                                                                           \
    FIELD(joint_factor, yield)                                                                               \
    STRUCT(joint_node_state)                                                                                 \
    FIELD(joint_node_state, residual)                                                                        \
    FIELD(joint_node_state, force)                                                                           \
    FIELD(joint_node_state, lifted)                                                                          \
    FIELD(joint_node_state, velocity)                                                                        \
    FIELD(joint_node_state, change)                                                                          \
    FIELD(joint_node_state, before)                                                                          \
    FIELD(joint_node_state, stood)                                                                           \
    STRUCT(block_residual)                                                                                   \
    FIELD(block_residual, map)                                                                               \
    FIELD(block_residual, impulse)                                                                           \
    FIELD(block_residual, drive)                                                                             \
    FIELD(block_residual, change)                                                                            \
    FIELD(block_residual, violation)                                                                         \
    FIELD(block_residual, free)                                                                              \
    FIELD(block_residual, reserved)                                                                          \
    FIELD(block_residual, reserved_residual)                                                                 \
    STRUCT(solve_parameters)                                                                                 \
    FIELD(solve_parameters, law)                                                                             \
    FIELD(solve_parameters, position_pass)                                                                   \
    FIELD(solve_parameters, split)                                                                           \
    FIELD(solve_parameters, relaxation)                                                                      \
    FIELD(solve_parameters, local_sweeps)                                                                    \
    FIELD(solve_parameters, backward)                                                                        \
    FIELD(solve_parameters, held_shift)                                                                      \
    FIELD(solve_parameters, read_shift)                                                                      \
    FIELD(solve_parameters, ceiling)                                                                         \
    FIELD(solve_parameters, unit_measure)                                                                    \
    FIELD(solve_parameters, violation_limit)                                                                 \
    FIELD(solve_parameters, reserved)                                                                        \
    STRUCT(motion_parameters)                                                                                \
    FIELD(motion_parameters, gravity)                                                                        \
    FIELD(motion_parameters, time_step)                                                                      \
    STRUCT(row_scheme)                                                                                       \
    FIELD(row_scheme, kind)                                                                                  \
    FIELD(row_scheme, time_step)                                                                             \
    FIELD(row_scheme, slop)                                                                                  \
    FIELD(row_scheme, restitution_speed)                                                                     \
    FIELD(row_scheme, error_reduction)                                                                       \
    FIELD(row_scheme, correction_speed)                                                                      \
    FIELD(row_scheme, stiffness)                                                                             \
    FIELD(row_scheme, damping)                                                                               \
    FIELD(row_scheme, rate)                                                                                  \
    FIELD(row_scheme, damping_ratio)                                                                         \
    FIELD(row_scheme, highest)                                                                               \
    FIELD(row_scheme, reserved)                                                                              \
    STRUCT(row_body)                                                                                         \
    FIELD(row_body, size)                                                                                    \
    FIELD(row_body, reach)                                                                                   \
    FIELD(row_body, surface_velocity)                                                                        \
    FIELD(row_body, bits)                                                                                    \
    STRUCT(row_material)                                                                                     \
    FIELD(row_material, friction)                                                                            \
    FIELD(row_material, restitution)                                                                         \
    FIELD(row_material, rolling_friction)                                                                    \
    FIELD(row_material, spinning_friction)                                                                   \
    FIELD(row_material, cohesion)                                                                            \
    FIELD(row_material, cohesion_distance)                                                                   \
    FIELD(row_material, stiffness)                                                                           \
    FIELD(row_material, damping)                                                                             \
    STRUCT(row_parameters)                                                                                   \
    FIELD(row_parameters, scheme)                                                                            \
    FIELD(row_parameters, gravity)                                                                           \
    FIELD(row_parameters, slip_factor)                                                                       \
    FIELD(row_parameters, period)                                                                            \
    FIELD(row_parameters, kilograms)                                                                         \
    FIELD(row_parameters, fraction)                                                                          \
    FIELD(row_parameters, unit)                                                                              \
    FIELD(row_parameters, law)                                                                               \
    FIELD(row_parameters, material_count)                                                                    \
    FIELD(row_parameters, mass_unit)                                                                         \
    FIELD(row_parameters, reserved)                                                                          \
    STRUCT(ray_body)                                                                                         \
    FIELD(ray_body, position)                                                                                \
    FIELD(ray_body, kind)                                                                                    \
    FIELD(ray_body, rotation)                                                                                \
    FIELD(ray_body, size)                                                                                    \
    FIELD(ray_body, gloss)                                                                                   \
    FIELD(ray_body, colour)                                                                                  \
    FIELD(ray_body, reserved)                                                                                \
    STRUCT(ray_node)                                                                                         \
    FIELD(ray_node, lower)                                                                                   \
    FIELD(ray_node, child)                                                                                   \
    FIELD(ray_node, upper)                                                                                   \
    FIELD(ray_node, end)                                                                                     \
    STRUCT(ray_plane)                                                                                        \
    FIELD(ray_plane, position)                                                                               \
    FIELD(ray_plane, reserved)                                                                               \
    FIELD(ray_plane, rotation)                                                                               \
    STRUCT(ray_view)                                                                                         \
    FIELD(ray_view, eye)                                                                                     \
    FIELD(ray_view, pixel)                                                                                   \
    FIELD(ray_view, forward)                                                                                 \
    FIELD(ray_view, spread)                                                                                  \
    FIELD(ray_view, right)                                                                                   \
    FIELD(ray_view, tile)                                                                                    \
    FIELD(ray_view, up)                                                                                      \
    FIELD(ray_view, fade)                                                                                    \
    FIELD(ray_view, light)                                                                                   \
    FIELD(ray_view, reach)                                                                                   \
    FIELD(ray_view, width)                                                                                   \
    FIELD(ray_view, height)                                                                                  \
    FIELD(ray_view, samples)                                                                                 \
    FIELD(ray_view, node_count)                                                                              \
    FIELD(ray_view, plane_count)                                                                             \
    FIELD(ray_view, outline_count)                                                                           \
    FIELD(ray_view, reserved)

#endif
