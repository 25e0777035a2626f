/* Arguments of a kernel's launch. */
#pragma once

#include <stddef.h>

/* An argument of a kernel: ARGUMENT(int, struct or cl_mem), BUFFER(opencl_buffer). */
typedef struct kernel_argument {
    size_t bytes;
    const void *value;
} kernel_argument;
#define ARGUMENT(x)                                                                                          \
    { sizeof(x), &(x) }
#define BUFFER(buffer)                                                                                       \
    { sizeof(cl_mem), &(buffer).memory }
