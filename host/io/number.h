/* Numbers as text that reads back exactly. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints the shortest decimal that reads back as the same double (17 digits always do), as snprintf does;
 * prints nothing for NaN. The decimal sign is that of the calling thread's locale. */
static inline int number_print(double value, char *out, size_t size) {
    int length = 0;
    if (isnan(value)) return 0;
    for (int digits = 9; digits <= 17; digits += digits == 9 ? 6 : 1) {
        length = snprintf(out, size, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
    return length;
}
