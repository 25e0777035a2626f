/* Boxes of the periodic images of bodies, for the grid (kernels/grid.cl). */
#pragma once

#include "opencl_primitives.h"

#include "periodic_pairs.h"

typedef struct opencl_images {
    opencl_primitives *primitives;
    cl_uint capacity;      /* images that fit */
    opencl_buffer words;   /* PERIODIC_WORDS words */
    opencl_buffer ghosts;  /* slot and image of each */
    opencl_buffer numbers; /* of each body, then their places */
    opencl_buffer endless; /* a byte for each body: axes along which it joins its images; the caller's */
} opencl_images;

/* `primitives` outlive the images. */
void opencl_images_open(opencl_images *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_images_close(opencl_images *self);

/* Writes the boxes of images that may meet another body behind those of `bodies`; `boxes` has space for
 * `capacity` more. `period`: lengths of the cell. Enqueues commands and does not wait. Errors: KERNEL_BUILD,
 * DEVICE, DEVICE_MEMORY. */
scree_result opencl_images_add(opencl_images *self, const opencl_buffer *endless, const float period[3],
                               cl_uint bodies, const opencl_buffer *boxes);
/* Given the number of images that a search found: if they exceeded their capacity, raises it and returns
 * true, for the search must be repeated. */
bool opencl_images_grow(opencl_images *self, cl_uint count);
/* Takes the first capacity again. */
void opencl_images_shrink(opencl_images *self);
