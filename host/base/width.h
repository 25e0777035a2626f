/* How many lanes wide code has; widths are objects of their own, of which the processor decides. */
#ifndef SCREE_BASE_WIDTH_H
#define SCREE_BASE_WIDTH_H

/* 16 (AVX-512), 8 (AVX2) or 1: the widest that this processor can do, or what the environment variable
 * SCREE_WIDTH asks for if it can. */
int width_choose(void);

#endif
