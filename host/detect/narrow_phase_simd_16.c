/* AVX-512. */
#define SCREE_WIDTH 16
#define NARROW_PHASE_SIMD narrow_phase_simd_16
#include "narrow_phase_simd_body.h"
