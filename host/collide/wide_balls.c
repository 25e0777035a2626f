#include "wide_balls.h"

#include <stddef.h>

wide_balls_find *wide_balls_of(int width) {
#ifdef SCREE_WIDE_OBJECTS
    if (width > 1) return width == 16 ? wide_balls_16 : wide_balls_8;
#endif
    (void)width;
    return NULL;
}
