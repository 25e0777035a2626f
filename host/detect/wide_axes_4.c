/* 128-bit vectors, which every processor has. */
#define SCREE_WIDTH 4
#define AXES wide_axes_4
#include "wide_axes_body.h"
