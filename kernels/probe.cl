/* Tells the host how this device lays out the structs that cross the border. */
#include "layout_fields.h"

#define SIZE_OF(type) out[used++] = (int)sizeof(type);
#define OFFSET_OF(type, field)                                                                               \
    {                                                                                                        \
        type value;                                                                                          \
        out[used++] = (int)((private char *)&value.field - (private char *)&value);                          \
    }

/* One work-item writes the sizes and offsets in the order of LAYOUT_FIELDS, and how many there are after
 * them. */
kernel void probe_layout(global int *out) {
    int used = 0;
    if (get_global_id(0) != 0) return;
    LAYOUT_FIELDS(SIZE_OF, OFFSET_OF)
    out[used] = used;
}

/* Does nothing: what a launch costs by itself. */
kernel void probe_nothing(global int *out) {
    (void)out;
}
