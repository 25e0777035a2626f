/* AVX2. */
#define SCREE_WIDTH 8
#define BOXES wide_boxes_8
#include "wide_boxes_body.h"
