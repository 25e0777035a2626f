#include "wide_axes.h"

#include <stddef.h>

wide_axes_find *wide_axes_of(int width) {
#ifdef SCREE_WIDE_OBJECTS
    if (width > 4) return width == 16 ? wide_axes_16 : wide_axes_8;
#endif
    return width == 4 ? wide_axes_4 : NULL;
}
