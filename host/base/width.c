#include "width.h"

#include <stdlib.h>
#include <string.h>

/* Every processor for which compilers have 128-bit vectors can use four lanes; no code
 * exists for two lanes. */
static int is_supported(int width) {
#ifdef SCREE_WIDE_OBJECTS
    if (width == 16) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    if (width == 8) return __builtin_cpu_supports("avx2");
#endif
    return width <= 4;
}

static const struct {
    int width;
    const char *name;
} widths[] = {{16, "16"}, {8, "8"}, {4, "4"}, {1, "1"}};
enum { WIDTHS = sizeof widths / sizeof *widths };

/* Returns the largest width that SCREE_WIDTH allows: the widest if it is unset or empty, 0 if it is none. */
static int width_limit(const char *given) {
    if (!given || !*given) return widths[0].width;
    for (int i = 0; i < WIDTHS; i++)
        if (!strcmp(given, widths[i].name)) return widths[i].width;
    return 0;
}

scree_result width_check(void) {
    const char *given = getenv("SCREE_WIDTH");
    if (width_limit(given)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "environment variable SCREE_WIDTH: \"%.40s\"; must be 1, 4, 8 or 16",
                given);
}

int width_choose(void) {
    const int most = width_limit(getenv("SCREE_WIDTH"));
    for (int i = 0; i < WIDTHS; i++)
        if (most >= widths[i].width && is_supported(widths[i].width)) return widths[i].width;
    return 1;
}
