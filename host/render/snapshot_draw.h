/* The device part of the ray caster. */
#ifndef SCREE_RENDER_SNAPSHOT_DRAW_H
#define SCREE_RENDER_SNAPSHOT_DRAW_H

#include "snapshot_scene.h"

/* Draws a scene on a device (as in opencl_device_open) into `pixels`: red, green and blue bytes, rows from
 * the top. Errors: NO_PLATFORM, NO_DEVICE, KERNEL_BUILD, DEVICE_MEMORY, DEVICE, MEMORY. */
scree_result snapshot_draw(const snapshot_scene *scene, const char *device, uint8_t *pixels);

#endif
