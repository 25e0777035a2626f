/* 128-bit vectors, which every processor has. */
#define SCREE_WIDTH 4
#define WIDE_CODE wide_code_4
#include "wide_code_body.h"
