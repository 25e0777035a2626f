/* Check that a device lays out the structs of kernels/layout.h as the host does. */
#pragma once

#include "opencl_device.h"

/* Runs probe.cl. Errors: DEVICE, naming the struct or field that differs; those of opencl_program_build. */
scree_result opencl_layout_check(opencl_device *device);
