/* AVX-512. */
#define SCREE_WIDTH 16
#define WIDE_TESTS wide_tests_16
#include "wide_tests_body.h"
