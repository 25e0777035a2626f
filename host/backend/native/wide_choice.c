/* Which width the native backend sweeps at. */
#include "wide_sweep.h"

#include <stdlib.h>

#ifdef SCREE_WIDE_OBJECTS

static bool can(int width) {
    if (width == 16) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    return width == 8 && __builtin_cpu_supports("avx2");
}

wide_sweep wide_sweep_choose(int *width) {
    const char *asked = getenv("SCREE_WIDTH");
    const int most = asked && *asked ? atoi(asked) : 16;
    *width = most >= 16 && can(16) ? 16 : most >= 8 && can(8) ? 8 : 1;
    return *width == 16 ? wide_sweep_16 : *width == 8 ? wide_sweep_8 : NULL;
}

#else

wide_sweep wide_sweep_choose(int *width) {
    *width = 1;
    return NULL;
}

#endif
