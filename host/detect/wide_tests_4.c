/* 128-bit vectors, which every processor has. */
#define SCREE_WIDTH 4
#define WIDE_TESTS wide_tests_4
#include "wide_tests_body.h"
