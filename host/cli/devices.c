/* `scree devices`: lists the OpenCL devices of this machine and the choice of `auto`. */
#include "program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "progress.h"

static int longest(int width, const char *text) {
    return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static void print_table(const scree_device_info *devices, int count) {
    int name = 6, platform = 8, driver = 6;
    for (int i = 0; i < count; i++) {
        name = longest(name, devices[i].name);
        platform = longest(platform, devices[i].platform);
        driver = longest(driver, devices[i].driver);
    }
    printf("%3s  %-*s  %-*s  %-4s %5s  %10s  %12s  %-4s  %-8s  %-*s\n", "#", name, "Device", platform,
           "Platform", "Kind", "Units", "Memory", "One buffer", "fp64", "Rounding", driver, "Driver");
    for (int i = 0; i < count; i++) {
        const scree_device_info *d = &devices[i];
        printf("%3d%c %-*s  %-*s  %-4s %5d  %6.1f GiB  %8.1f GiB  %-4s  %-8s  %-*s%s\n", i,
               d->chosen ? '*' : ' ', name, d->name, platform, d->platform, d->gpu ? "GPU" : "CPU",
               d->compute_units, (double)d->memory / (1 << 30), (double)d->max_allocation / (1 << 30),
               d->fp64 ? "yes" : "no", d->correctly_rounded ? "correct" : "own", driver, d->driver,
               d->available ? "" : "  (not available now)");
    }
}

static void print_choice(const scree_device_info *devices, int count, long cores) {
    const scree_device_info *chosen = NULL;
    for (int i = 0; i < count; i++)
        if (devices[i].chosen) chosen = &devices[i];
    if (chosen && chosen->gpu)
        printf("`--backend auto` selects %s (*): it is a GPU%s.\n", chosen->name,
               count > 1 ? ", and the one with the most compute units" : "");
    else
        printf("`--backend auto` selects native (%ld %s): %s.\n", cores, noun_of(cores, "thread", "threads"),
               chosen ? "there is no GPU" : "no device is available");
}

int command_devices(int argc, char **argv) {
    const option_row rows[] = {{.name = NULL}};
    const option_command command = {
        .name = "scree devices",
        .operands = "",
        .rows = rows,
        .summary = "Lists the OpenCL devices of this machine. The number in the first column or any part of "
                   "the name\nselects a device for `--device`; * marks the one that `auto` considers."};
    const option_outcome outcome = options_parse(&command, argc, argv, NULL, NULL);
    if (outcome != OPTION_OK) return (int)outcome;

    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int count = 0;
    scree_result result = scree_device_list(NULL, 0, &count);
    if (result == SCREE_ERROR_NO_PLATFORM || result == SCREE_ERROR_NO_DEVICE) {
        printf("%s\n`--backend auto` selects native (%ld %s).\n", scree_error_get_message(), cores,
               noun_of(cores, "thread", "threads"));
        return EXIT_DONE;
    }
    const int capacity = count;
    SCOPED scree_device_info *devices = memory_allocate((size_t)count, sizeof *devices);
    if (!devices) result = fail(SCREE_ERROR_MEMORY, "out of memory");
    if (result == SCREE_OK) result = scree_device_list(devices, capacity, &count);
    if (result != SCREE_OK) return complain("scree devices", result);
    if (count > capacity) count = capacity;
    print_table(devices, count);
    print_choice(devices, count, cores);
    return EXIT_DONE;
}
