/* How many lanes wide code has; widths are objects of their own, of which the processor decides. */
#ifndef SCREE_BASE_WIDTH_H
#define SCREE_BASE_WIDTH_H

/* 16 (AVX-512), 8 (AVX2) or 4 (SSE2 and the 128-bit vectors of others): the widest that this processor can
 * do, or at most what the environment variable SCREE_WIDTH asks for; 1 where it asks for less. */
int width_choose(void);

#endif
