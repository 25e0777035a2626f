/* Chooses the width of the native backend's sweeps. */
#include "wide_sweep.h"

#include "base/width.h"

#include <stddef.h>

const wide_code *wide_code_choose(int *width) {
    *width = width_choose();
#ifdef SCREE_WIDE_OBJECTS
    if (*width > 4) return *width == 16 ? &wide_code_16 : &wide_code_8;
#endif
    return *width == 4 ? &wide_code_4 : NULL;
}
