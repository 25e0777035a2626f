/* AVX2. */
#define SCREE_WIDTH 8
#define WIDE_TESTS wide_tests_8
#include "wide_tests_body.h"
