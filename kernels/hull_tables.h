/* Tables of all hulls, on a device. */
#ifndef SCREE_KERNELS_HULL_TABLES_H
#define SCREE_KERNELS_HULL_TABLES_H

#include "hull_table.h"

#ifdef __OPENCL_VERSION__

typedef struct hull_tables {
    LOOKUP hull_corner *corners;
    LOOKUP hull_side *sides;
} hull_tables;

#endif

#endif
