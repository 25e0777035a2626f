#include "width.h"

#include <stdlib.h>

/* Every processor for which compilers have 128-bit vectors can use four lanes; no code
 * exists for two lanes. */
static int is_supported(int width) {
#ifdef SCREE_WIDE_OBJECTS
    if (width == 16) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    if (width == 8) return __builtin_cpu_supports("avx2");
#endif
    return width <= 4;
}

int width_choose(void) {
    const char *asked = getenv("SCREE_WIDTH");
    const int most = asked && *asked ? atoi(asked) : 16;
    for (int width = 16; width > 1; width /= 2)
        if (most >= width && width != 2 && is_supported(width)) return width;
    return 1;
}
