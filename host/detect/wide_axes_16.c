/* AVX-512. */
#define SCREE_WIDTH 16
#define AXES wide_axes_16
#include "wide_axes_body.h"
