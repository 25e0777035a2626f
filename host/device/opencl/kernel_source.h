/* The kernel sources embedded in the library (host/package/embed.cmake writes the table). */
#pragma once

typedef struct kernel_source {
    const char *name; /* file name, such as "law.h" */
    const char *text;
} kernel_source;

/* Terminated by an entry whose name is NULL. */
extern const kernel_source kernel_sources[];
