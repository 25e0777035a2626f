/* The geometries of shapes made of children on the device (kernels/child_shapes.h). */
#pragma once

#include "opencl_convexes.h"

#include "child_shapes.h"

/* Bytes of a table on their way to the device. */
typedef struct child_table {
    unsigned char *bytes;
    int size, capacity;
} child_table;

typedef struct opencl_children {
    opencl_device *device;
    const scree_geometry **geometries; /* of the bodies, each once, sorted, with a reference to each */
    const scree_geometry **listed;     /* the same on its way, without references */
    int count, capacity, listed_capacity;
    child_table tables[CHILD_TABLE_COUNT];
    child_table sent[2]; /* the first two tables as they are on the device: they depend on tables of hulls */
    child_body *bodies;
    int body_capacity;
    bool surfaces_sent;
    opencl_buffer on_device[CHILD_TABLE_COUNT], bodies_on_device;
    device_children told; /* to others */
} opencl_children;

/* `device` outlives the children. */
void opencl_children_open(opencl_children *self, opencl_device *device);
/* A zeroed struct is allowed. */
void opencl_children_close(opencl_children *self);

/* Returns whether a shape of this kind is made of children that have tests on the device. */
bool device_children_tested(const opencl_device *device, scree_shape_kind kind);

/* Copies the geometries of the bodies' shapes, and which one each body has. Tables that have not changed
 * since the last call are not sent. `convexes` have the hulls. Waits. Errors: MEMORY, DEVICE, DEVICE_MEMORY.
 */
scree_result opencl_children_send(opencl_children *self, const opencl_convexes *convexes,
                                  const body_array *bodies, int *regrown);

/* Sets the fields of `out` that tell of children, if a body has any. */
void opencl_children_refer(opencl_children *self, const opencl_convexes *convexes, device_bodies *out);
