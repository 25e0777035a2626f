/* AVX-512. */
#define SCREE_WIDTH 16
#define WIDE_CODE wide_code_16
#include "wide_code_body.h"
