#include "width.h"

#include <stdlib.h>

#ifdef SCREE_WIDE_OBJECTS

static int can(int width) {
    if (width == 16) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    return width == 8 && __builtin_cpu_supports("avx2");
}

int width_choose(void) {
    const char *asked = getenv("SCREE_WIDTH");
    const int most = asked && *asked ? atoi(asked) : 16;
    return most >= 16 && can(16) ? 16 : most >= 8 && can(8) ? 8 : 1;
}

#else

int width_choose(void) { return 1; }

#endif
