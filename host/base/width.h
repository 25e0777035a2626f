/* Lane count of wide code. Each width is compiled as an object of its own; the processor selects one. */
#pragma once

#include "error.h"

/* Checks the environment variable SCREE_WIDTH: unset, empty or one of the widths. Errors: ARGUMENT. */
scree_result width_check(void);
/* Returns the largest supported width: 16 (AVX-512), 8 (AVX2) or 4 (SSE2 and other 128-bit vectors), at most
 * the environment variable SCREE_WIDTH; 1 if that is 1 or not valid. */
int width_choose(void);
