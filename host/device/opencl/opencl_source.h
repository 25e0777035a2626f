/* The source of a kernel program: an entry file with its includes in one string. */
#pragma once

#include "base/error.h"

/* Expands `#include "name"` in the entry file, each file once, with #line directives so that compiler
 * messages name the right file and line. Files come from the folder SCREE_KERNEL_DIR if that is set, else
 * from the library. The caller releases *out with memory_release. Errors: KERNEL_BUILD (a file is missing),
 * FILE, MEMORY. */
scree_result opencl_source_expand(const char *entry, char **out);
