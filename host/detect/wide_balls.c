#include "wide_balls.h"

#include <stddef.h>

wide_balls_find *wide_balls_of(int width) {
#ifdef SCREE_WIDE_OBJECTS
    if (width > 4) return width == 16 ? wide_balls_16 : wide_balls_8;
#endif
    return width == 4 ? wide_balls_4 : NULL;
}
