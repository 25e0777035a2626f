/* Lane count of wide code. Each width is compiled as an object of its own; the processor selects one. */
#pragma once

/* Returns the largest supported width: 16 (AVX-512), 8 (AVX2) or 4 (SSE2 and other 128-bit vectors), at most
 * the environment variable SCREE_WIDTH; 1 if that is below 4. */
int width_choose(void);
