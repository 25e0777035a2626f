/* The kernel sources that are built into the library (kernels/embed.cmake writes the table). */
#ifndef SCREE_DEVICE_OPENCL_KERNEL_SOURCE_H
#define SCREE_DEVICE_OPENCL_KERNEL_SOURCE_H

typedef struct kernel_source {
    const char *name; /* file name, such as "law.h" */
    const char *text;
} kernel_source;

/* Ends with a null name. */
extern const kernel_source kernel_sources[];

#endif
