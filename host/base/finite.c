#include "finite.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

scree_result finite_check(scree_vec3 v, const char *unit, const char *format, ...) {
    char field[256];
    va_list arguments;
    if (isfinite(v.x) && isfinite(v.y) && isfinite(v.z)) return SCREE_OK;
    va_start(arguments, format);
    vsnprintf(field, sizeof field, format, arguments);
    va_end(arguments);
    return fail(SCREE_ERROR_ARGUMENT, "%s: (%g, %g, %g)%s%s; must be finite", field, (double)v.x, (double)v.y,
                (double)v.z, *unit ? " " : "", unit);
}
