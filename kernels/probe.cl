/* Reports this device's layout of the shared structs. */
#include "layout_fields.h"

#define SIZE_OF(type) out[used++] = (int)sizeof(type);
#define OFFSET_OF(type, field)                                                                               \
    {                                                                                                        \
        type value;                                                                                          \
        out[used++] = (int)((private char *)&value.field - (private char *)&value);                          \
    }

/* Writes the sizes and offsets in the order of LAYOUT_FIELDS, followed by their number. Runs in one
 * work-item. */
kernel void probe_layout(global int *out) {
    int used = 0;
    if (get_global_id(0) != 0) return;
    LAYOUT_FIELDS(SIZE_OF, OFFSET_OF)
    out[used] = used;
}

/* Does nothing; measures the cost of a launch. */
kernel void probe_nothing(global int *out) {
    (void)out;
}
