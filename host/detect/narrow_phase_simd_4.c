/* 128-bit vectors, which every processor has. */
#define SCREE_WIDTH 4
#define NARROW_PHASE_SIMD narrow_phase_simd_4
#include "narrow_phase_simd_body.h"
