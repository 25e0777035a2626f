/* Arguments of a kernel's launch. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* An argument of a kernel: ARGUMENT(int or struct), BUFFER(opencl_buffer). */
typedef struct kernel_argument {
    size_t bytes;
    const void *value;
    bool buffer;
} kernel_argument;
#define ARGUMENT(x)                                                                                          \
    { sizeof(x), &(x), false }
#define BUFFER(buffer)                                                                                       \
    { sizeof(cl_mem), &(buffer).memory, true }
