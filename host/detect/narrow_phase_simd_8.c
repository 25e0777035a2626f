/* AVX2. */
#define SCREE_WIDTH 8
#define NARROW_PHASE_SIMD narrow_phase_simd_8
#include "narrow_phase_simd_body.h"
