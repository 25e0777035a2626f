/* 128-bit vectors, which every processor has. */
#define SCREE_WIDTH 4
#define BOXES wide_boxes_4
#include "wide_boxes_body.h"
