/* Which width the native backend sweeps at. */
#include "wide_sweep.h"

#include "base/width.h"

#include <stddef.h>

wide_sweep wide_sweep_choose(int *width) {
    *width = width_choose();
#ifdef SCREE_WIDE_OBJECTS
    if (*width > 1) return *width == 16 ? wide_sweep_16 : wide_sweep_8;
#endif
    return NULL;
}
