/* AVX2. */
#define SCREE_WIDTH 8
#define AXES wide_axes_8
#include "wide_axes_body.h"
