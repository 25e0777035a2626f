#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The H100 was measured by scree-device-costs (bench/results/h100). The others have the bandwidth and the
 * work-items of their data sheets; copies reach 0.84 of the former on the H100, and the same is assumed, as
 * are its times of launches, waits and loads. */
#define FROM_SHEET "data sheet; launches, waits and loads of the H100"
enum { KIB = 1024 };
static const model_device devices[] = {
    {"h100", "measured", 2.8e12, 4.7e-6, 24e-6, 54e9, 148e-9, 132 * 2 * KIB, 0},
    {"a100", FROM_SHEET, 0.84 * 2.04e12, 4.7e-6, 24e-6, 25e9, 148e-9, 108 * 2 * KIB, 0},
    {"rtx4090", FROM_SHEET, 0.84 * 1.01e12, 4.7e-6, 24e-6, 25e9, 148e-9, 128 * 1.5 * KIB, 0},
    {"rtx5090", FROM_SHEET, 0.84 * 1.79e12, 4.7e-6, 24e-6, 50e9, 148e-9, 170 * 1.5 * KIB, 0},
    {"mi300x", FROM_SHEET, 0.84 * 5.3e12, 4.7e-6, 24e-6, 50e9, 148e-9, 304 * 2 * KIB, 0},
};
enum { DEVICES = sizeof devices / sizeof *devices };

const model_device *model_device_find(const char *name, const machine *here) {
    static model_device own;
    for (int i = 0; i < DEVICES; i++)
        if (!strcmp(devices[i].name, name)) return &devices[i];
    if (strcmp(name, "this") != 0 || !here->has_device || here->device.gpu) return NULL;
    const scree_device_speed *speed = &here->device_speed;
    own = (model_device){"this",
                         "measured",
                         speed->copy_bandwidth,
                         speed->launch,
                         speed->wait,
                         speed->copy_bandwidth,
                         0,
                         here->device.compute_units,
                         here->device.compute_units};
    return &own;
}

void model_device_list(char *out, size_t size) {
    size_t length = 0;
    for (int i = 0; i < DEVICES && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s, ", devices[i].name);
    if (length < size) snprintf(out + length, size - length, "this");
}

/* --- kernels --- */

/* On which of a step's numbers the time of a launch depends. */
typedef enum model_unit { OF_BODIES, OF_PAIRS, OF_CONTACTS, OF_UPDATES, OF_ITEMS } model_unit;

/* A kernel. `bytes` of memory for a unit (0: those of an update); `loads` in a chain, each waiting for the
 * one before; `nanoseconds` for a unit on one core.
 *
 * Loads follow from the times of kernels on the H100 (bench/gpu.md), less 6 µs of a launch that does nothing,
 * in loads of 148 ns: arithmetic between the loads is in them. Nanoseconds are those of a core of a Xeon with
 * AVX-512 and PoCL 3.1 (median launches of A1000, B1000 and A8000, which differ by up to a fifth; a search
 * for pairs by up to a half). */
typedef struct model_kernel {
    const char *name;
    model_unit unit;
    double bytes, loads, nanoseconds;
    double positions; /* nanoseconds and loads in the position pass, as a part of these; 0: all */
} model_kernel;
static const model_kernel kernels[] = {
    {"predict", OF_BODIES, 208, 40, 32, 0},
    {"integrate", OF_BODIES, 300, 28, 108, 0},
    {"prepare", OF_CONTACTS, 200, 42, 100, 0},
    {"gather", OF_CONTACTS, 120, 20, 38, 0},
    {"gather_pieces", OF_CONTACTS, 120, 20, 38, 0},
    {"regather", OF_CONTACTS, 120, 20, 38, 0},
    {"sweep_balls", OF_UPDATES, 0, 30, 105, 0.64},
    {"sweep_ball_bundles", OF_UPDATES, 0, 30, 105, 0.64},
    {"sweep_ball_bundles_ahead", OF_UPDATES, 0, 40, 115, 0},
    {"sweep", OF_UPDATES, 0, 30, 74, 0.43},
    {"sweep_bundles", OF_UPDATES, 0, 30, 74, 0.43},
    {"update", OF_UPDATES, 0, 30, 74, 0.43},
    {"residual_chunks", OF_CONTACTS, 180, 67, 133, 0.66},
    {"nesterov_chunks", OF_CONTACTS, 32, 8, 6, 0},
    {"nesterov_step", OF_CONTACTS, 48, 8, 14, 0},
    {"correct", OF_CONTACTS, 164, 20, 14, 0},
    {"grid_keys", OF_BODIES, 40, 8, 44, 0},
    {"grid_gather", OF_BODIES, 64, 8, 22, 0},
    {"grid_count", OF_PAIRS, 70, 150, 200, 0},
    {"grid_emit", OF_PAIRS, 80, 150, 190, 0},
    {"grid_rows", OF_PAIRS, 8, 20, 18, 0},
    {"sort_count", OF_PAIRS, 4, 20, 0.8, 0},
    {"sort_rows", OF_ITEMS, 4, 8, 10, 0},
    {"sort_scatter", OF_PAIRS, 16, 20, 1.8, 0},
    {"reduce_parts", OF_BODIES, 4, 8, 1, 0},
    {"scan_write", OF_BODIES, 8, 8, 1, 0},
    {NULL, OF_ITEMS, 64, 20, 60, 0}, /* any other */
};

/* Launches of stages that the host does, from the kernels that are tested but not yet part of a step
 * (kernels/README.md) or, where there are none, from the bytes of their arrays. Contacts of boxes take 10
 * launches more. */
static const struct {
    scree_step_stage stage;
    model_unit unit;
    double launches, of_boxes, bytes, loads;
} planned[] = {
    {SCREE_STAGE_BOUNDS, OF_BODIES, 1, 0, 150, 20},      {SCREE_STAGE_CONTACTS, OF_BODIES, 1, 0, 200, 20},
    {SCREE_STAGE_CONTACTS, OF_PAIRS, 2, 6, 80, 40},      {SCREE_STAGE_CONTACTS, OF_CONTACTS, 3, 4, 130, 40},
    {SCREE_STAGE_ROWS, OF_CONTACTS, 8, 0, 100, 20},      {SCREE_STAGE_ROWS, OF_CONTACTS, 1, 0, 300, 60},
    {SCREE_STAGE_COLOURS, OF_CONTACTS, 25, 0, 24, 12},   {SCREE_STAGE_DETECTION, OF_BODIES, 2, 0, 200, 20},
    {SCREE_STAGE_DETECTION, OF_CONTACTS, 2, 0, 120, 40}, {SCREE_STAGE_COMMIT, OF_BODIES, 1, 0, 200, 8},
};

static const model_kernel *kernel_of(const char *name) {
    const model_kernel *at = kernels;
    while (at->name && strcmp(at->name, name) != 0) at++;
    return at;
}

/* Returns the number of units of a launch. */
static double units_of(model_unit unit, const model_sizes *sizes, double items) {
    const double of[] = {[OF_BODIES] = sizes->bodies,
                         [OF_PAIRS] = sizes->pairs,
                         [OF_CONTACTS] = sizes->contacts,
                         [OF_UPDATES] = sizes->updates,
                         [OF_ITEMS] = items};
    return of[unit];
}

/* Launches of the same kind. */
typedef struct launch_plan {
    double count, units;       /* launches, and units of each */
    double items;              /* work-items of each */
    double chain;              /* loads of an item, one after another */
    double bytes, nanoseconds; /* for a unit */
} launch_plan;

static void add_plan(const model_device *on, launch_plan plan, model_stage *to) {
    const double moved = on->processors > 0 ? 0 : plan.units * plan.bytes / on->bandwidth,
                 worked = on->processors > 0 ? 1e-9 * plan.nanoseconds * plan.units / on->processors
                                             : ceil(plan.items / on->resident) * plan.chain * on->latency,
                 time = fmax(moved, worked);
    to->launches += plan.count;
    to->starts += plan.count * on->launch;
    to->kernels += plan.count * time;
    to->of[time < on->launch ? MODEL_LAUNCH
           : moved > worked  ? MODEL_BANDWIDTH
                             : MODEL_LATENCY] += plan.count * (on->launch + time);
}

/* From this many groups on, a colour has launches of its own (LARGEST_SHARED of opencl_backend.c). Smaller
 * ones share them: the groups of a work-group are then a chain. */
static const double SHARED_GROUPS = 16384;

static launch_plan sweep_plan_of(const model_sizes *sizes, double factor, const model_launches *from,
                                 const model_kernel *kernel) {
    const double local = sizes->points > 1 ? sizes->local_sweeps * sizes->points : 1,
                 groups = factor * sizes->updates / sizes->points, items = factor * from->items / from->count,
                 of_colour = factor * sizes->contacts / sizes->points / fmax(1, sizes->colours);
    launch_plan plan = {from->count,           factor * sizes->updates, items,
                        kernel->loads * local, sizes->bytes_update,     kernel->nanoseconds};
    if (of_colour > SHARED_GROUPS) {
        plan.count = from->count * groups / of_colour;
        plan.units = of_colour * sizes->points, plan.items = of_colour;
    } else {
        plan.chain *= fmax(1, groups / items);
    }
    if (sizes->points > 1) plan.nanoseconds *= sizes->local_sweeps;
    return plan;
}

void model_add(const model_device *on, const model_sizes *sizes, double factor, const model_launches *from,
               model_stage *to) {
    const model_kernel *kernel = kernel_of(from->name);
    const double units = factor * units_of(kernel->unit, sizes, from->items / from->count);
    launch_plan plan = {from->count, units, units, kernel->loads, kernel->bytes, kernel->nanoseconds};
    if (kernel->unit == OF_UPDATES) plan = sweep_plan_of(sizes, factor, from, kernel);
    if (from->stage == SCREE_STAGE_POSITIONS && kernel->positions > 0)
        plan.nanoseconds *= kernel->positions, plan.chain *= kernel->positions;
    add_plan(on, plan, to);
}

void model_add_planned(const model_device *on, const model_sizes *sizes, double factor, bool boxes,
                       model_stage stages[SCREE_STAGE_COUNT]) {
    for (int i = 0; i < SCREE_STAGE_COUNT; i++) stages[i].planned = stages[i].launches < 1;
    for (size_t i = 0; i < sizeof planned / sizeof *planned; i++) {
        model_stage *to = &stages[planned[i].stage];
        const double units = factor * units_of(planned[i].unit, sizes, 0),
                     count = planned[i].launches + (boxes ? planned[i].of_boxes : 0);
        if (to->planned)
            add_plan(on, (launch_plan){count, units, units, planned[i].loads, planned[i].bytes, 0}, to);
    }
}
