#include "wide_tests.h"

#include <stddef.h>

const wide_tests *wide_tests_of(int width) {
#ifdef SCREE_WIDE_OBJECTS
    if (width > 4) return width == 16 ? &wide_tests_16 : &wide_tests_8;
#endif
    return width == 4 ? &wide_tests_4 : NULL;
}
