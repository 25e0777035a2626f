/* AVX-512. */
#define SCREE_WIDTH 16
#define BOXES wide_boxes_16
#include "wide_boxes_body.h"
