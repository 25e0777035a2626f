#include "machine.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/team.h"
#include "median.h"

#include <stdio.h>
#include <string.h>

enum { TRIAD_WORDS = 1 << 24 /* 128 MiB per array */, TRIAD_REPEATS = 7 };

/* Finds the processor's name on Linux; "unknown" elsewhere. */
static void find_processor(char *out, size_t size) {
    snprintf(out, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[512];
    while (file && fgets(line, sizeof line, file)) {
        const char *name = strncmp(line, "model name", 10) ? NULL : strchr(line, ':');
        if (!name) continue;
        name += 1 + strspn(name + 1, " \t");
        snprintf(out, size, "%.*s", (int)strcspn(name, "\n"), name);
        break;
    }
    if (file) fclose(file);
}

typedef struct triad_loop {
    double *a, *b, *c;
} triad_loop;

static void touch_slice(const void *context, slice part) {
    const triad_loop loop = *(const triad_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        loop.a[i] = 0;
        loop.b[i] = i;
        loop.c[i] = 1;
    }
}

static void triad_slice(const void *context, slice part) {
    const triad_loop loop = *(const triad_loop *)context;
    for (int i = part.first; i < part.end; i++) loop.a[i] = loop.b[i] + 3 * loop.c[i];
}

/* The calling thread leads a team. */
static double measure_triad(int threads) {
    SCOPED double *a = memory_allocate(TRIAD_WORDS, sizeof *a);
    SCOPED double *b = memory_allocate(TRIAD_WORDS, sizeof *b);
    SCOPED double *c = memory_allocate(TRIAD_WORDS, sizeof *c);
    double rates[TRIAD_REPEATS];
    if (!a || !b || !c) return 0;
    /* Each thread first touches its slice, so that the pages are in its own memory. */
    parallel_for(threads, TRIAD_WORDS, touch_slice, &(const triad_loop){.a = a, .b = b, .c = c});
    for (int r = 0; r < TRIAD_REPEATS; r++) {
        const double begun = clock_seconds();
        parallel_for(threads, TRIAD_WORDS, triad_slice, &(const triad_loop){.a = a, .b = b, .c = c});
        rates[r] = 3 * sizeof(double) * (double)TRIAD_WORDS / (clock_seconds() - begun);
    }
    /* The condition keeps the compiler from removing the computation. */
    return a[TRIAD_WORDS - 1] > 0 ? median(rates, TRIAD_REPEATS) : 0;
}

void machine_measure(int threads, const char *device, machine *out) {
    *out = (machine){.cores = parallel_all_threads()};
    find_processor(out->processor, sizeof out->processor);
    team *helpers = team_create(threads > 0 ? threads : out->cores, NULL);
    team *const before = team_lead(helpers);
    out->triad = measure_triad(team_size(helpers));
    team_lead(before);
    team_destroy(helpers);
    out->has_device = scree_device_find(device, &out->device) == SCREE_OK;
    if (out->has_device && scree_device_measure(device, &out->device_speed) != SCREE_OK)
        out->device_speed = (scree_device_speed){0};
}

double machine_bandwidth(const machine *self, const char *backend) {
    return strncmp(backend, "opencl", 6) ? self->triad : self->device_speed.copy_bandwidth;
}
