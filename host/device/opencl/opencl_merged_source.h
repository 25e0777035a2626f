/* Kernels that run for several worlds at once. */
#pragma once

#include "base/error.h"

/* Rewrites a source (opencl_source_expand) that is compiled with `options` (NULL: none) so that a launch of a
 * kernel runs it for several worlds: dimension 1 counts worlds. The parameters
 *
 *     kernel void NAME(global const float *x, const int n)
 *
 * become variables, which each work-group reads from the row of its world (opencl_commands.h):
 *
 *     kernel void NAME(global uchar *merged_memory, global const uint *merged_table, const uint merged_first)
 *
 * The table has, from `merged_first` on, the place of each world's row in it. Work-groups beyond those of
 * their world return, and get_num_groups and get_global_size are the world's own. The body of the kernel
 * stays. The caller releases *out. Errors: KERNEL_BUILD (parameters that are not understood), MEMORY. */
scree_result opencl_source_merge(const char *source, const char *options, char **out);
