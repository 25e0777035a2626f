/* AVX2. */
#define SCREE_WIDTH 8
#define WIDE_CODE wide_code_8
#include "wide_code_body.h"
