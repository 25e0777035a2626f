/* What the machine itself can do, beside which the solver's figures are read. */
#ifndef SCREE_BENCHMARK_MACHINE_H
#define SCREE_BENCHMARK_MACHINE_H

#include <scree/scree.h>
#include <scree/tools/tools.h>

typedef struct machine {
    char processor[128];
    int cores;    /* that this process may use */
    double triad; /* B/s: a = b + s c over arrays far larger than the caches, three words a step counted
                     (McCalpin's STREAM); 0: not measured, out of memory */
    bool has_device;
    scree_device_info device;        /* that `device` means, or the one that is looked at first */
    scree_device_speed device_speed; /* zeros: not measured */
} machine;

/* Measures with `threads` threads (0: all). `device` as in scree_world_def. */
void machine_measure(int threads, const char *device, machine *out);

/* B/s of the memory that a backend of this name works on: the triad's or those of the device's copies; 0: not
 * measured. */
double machine_bandwidth(const machine *self, const char *backend);

#endif
