#include "number.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

int number_print(double value, char *out, size_t size) {
    int length = 0;
    if (isnan(value)) return 0;
    for (int digits = 9; digits <= 17; digits += digits == 9 ? 6 : 1) {
        length = snprintf(out, size, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
    return length;
}

static locale_t plain;

/* The "C" locale needs no memory in glibc and musl; elsewhere a failure keeps the thread's locale. */
static void make_plain(void) { plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

locale_t number_locale_set(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain);
    return uselocale(plain);
}

void number_locale_restore(const locale_t *before) { uselocale(*before); }
