#include "narrow_phase_simd.h"

#include <stddef.h>

const narrow_phase_simd *narrow_phase_simd_of(int width) {
#ifdef SCREE_WIDE_OBJECTS
    if (width > 4) return width == 16 ? &narrow_phase_simd_16 : &narrow_phase_simd_8;
#endif
    return width == 4 ? &narrow_phase_simd_4 : NULL;
}
