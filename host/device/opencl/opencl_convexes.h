/* The convex shapes of bodies and the tables of their hulls on the device, for the narrow phase. */
#pragma once

#include "opencl_contacts.h"

#include "state/bodies.h"

/* A hull in the tables. */
typedef struct hull_place {
    const scree_geometry *of;
    int first_corner, first_side;
} hull_place;

typedef struct opencl_convexes {
    opencl_device *device;
    int capacity, hull_count, hull_capacity, corner_count, corner_capacity, side_count, side_capacity;
    convex_shape *shapes; /* of bodies */
    hull_place *hulls;    /* each once, sorted */
    hull_corner *corners;
    hull_side *sides;
    opencl_buffer on_device, corners_on_device, sides_on_device;
} opencl_convexes;

/* `device` outlives the shapes. */
void opencl_convexes_open(opencl_convexes *self, opencl_device *device);
/* A zeroed struct is allowed. */
void opencl_convexes_close(opencl_convexes *self);

/* Copies the shapes that other bodies touch. Waits. Errors: MEMORY, DEVICE, DEVICE_MEMORY. */
scree_result opencl_convexes_send(opencl_convexes *self, const body_array *bodies, int *regrown);

/* Returns the place of a hull, or that of a solid's, which a body or its children have. */
const hull_place *opencl_convexes_hull(const opencl_convexes *self, const scree_geometry *of);

/* Sets the fields of `out` that tell of shapes: balls, boxes, others, convexes and its tables. Free slots do
 * not count. */
void opencl_convexes_refer(const opencl_convexes *self, const body_array *bodies, device_bodies *out);
