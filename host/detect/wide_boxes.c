#include "wide_boxes.h"

#include <stddef.h>

wide_boxes_find *wide_boxes_of(int width) {
#ifdef SCREE_WIDE_OBJECTS
    if (width > 4) return width == 16 ? wide_boxes_16 : wide_boxes_8;
#endif
    return width == 4 ? wide_boxes_4 : NULL;
}
