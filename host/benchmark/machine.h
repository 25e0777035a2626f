/* Speed of the machine itself, as a reference for the solver's results. */
#pragma once

#include <scree/scree.h>
#include <scree/tools/tools.h>

typedef struct machine {
    char processor[128];
    int cores;    /* available to this process */
    double triad; /* B/s: a = b + s c over arrays far larger than the caches, counting three words per element
                     (McCalpin's STREAM); 0: not measured, out of memory */
    bool has_device;
    scree_device_info device;        /* the one selected by `device`, or the first choice */
    scree_device_speed device_speed; /* zero: not measured */
} machine;

/* Measures with `threads` threads (0: all). `device` as in scree_world_def. */
void machine_measure(int threads, const char *device, machine *out);

/* Returns the bandwidth (B/s) of the memory that a backend of this name uses: from the triad or the device's
 * copies; 0: not measured. */
double machine_bandwidth(const machine *self, const char *backend);
