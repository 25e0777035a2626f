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
typedef enum model_unit {
    OF_BODIES,
    OF_PAIRS,
    OF_MANIFOLDS,
    OF_CONTACTS,
    OF_CORNERS, /* contacts of manifolds that have several */
    OF_UPDATES,
    OF_ITEMS
} model_unit;

/* A kernel. `bytes` of memory for a unit (0: those of an update); `loads` in a chain, each waiting for the
 * one before; `nanoseconds` for a unit on one core.
 *
 * Loads follow from the times of kernels on the H100 (bench/gpu.md), less 6 µs of a launch that does nothing,
 * in loads of 148 ns: arithmetic between the loads is in them; for groups of several contacts it is apart
 * (group_chain).
 * Nanoseconds are those of a core of a Xeon with AVX-512 and PoCL 3.1 (median launches of A1000, B1000 and
 * A8000, which differ by up to a fifth; a search for pairs by up to a half). Kernels from contacts to sums
 * were timed with 1000 balls between half-spaces (tests/data/bed.json) and B1000; no GPU has run them in a
 * step, so their loads are assumed: 12 for a pass over an array, 40 with arithmetic, 60 for a search. */
typedef struct model_kernel {
    const char *name;
    model_unit unit;
    double bytes, loads, nanoseconds;
    double positions; /* nanoseconds and loads in the position pass, as a part of these; 0: all */
    bool of_strays;   /* in detection passes it works on the few bodies that stray or turn: its items are the
                         units */
} model_kernel;
static const model_kernel kernels[] = {
    {"predict", OF_BODIES, 208, 40, 32, 0, false},
    {"integrate", OF_BODIES, 300, 28, 108, 0, false},
    {"prepare", OF_CONTACTS, 240, 42, 100, 0, false},
    {"gather", OF_CONTACTS, 270, 20, 38, 0, false},
    {"gather_pieces", OF_CONTACTS, 270, 20, 38, 0, false},
    {"regather", OF_CONTACTS, 300, 20, 38, 0, false},
    {"sweep_balls", OF_UPDATES, 288, 30, 105, 0.64, false},
    {"sweep_ball_bundles", OF_UPDATES, 288, 30, 105, 0.64, false},
    {"sweep_balls_ahead", OF_UPDATES, 324, 40, 115, 0, false},
    {"sweep_ball_bundles_ahead", OF_UPDATES, 346, 40, 115, 0, false},
    {"sweep_manifolds", OF_UPDATES, 0, 20, 74, 0.43, false},
    {"sweep_manifold_bundles", OF_UPDATES, 0, 20, 74, 0.43, false},
    {"sweep", OF_UPDATES, 0, 20, 74, 0.43, false},
    {"sweep_bundles", OF_UPDATES, 0, 20, 74, 0.43, false},
    {"update", OF_UPDATES, 0, 30, 74, 0.43, false},
    {"residual_chunks", OF_CONTACTS, 288, 67, 133, 0.66, false},
    {"nesterov_chunks", OF_CONTACTS, 80, 8, 6, 0, false},
    {"nesterov_terms", OF_CONTACTS, 4, 8, 4, 0, false},
    {"nesterov_bodies", OF_BODIES, 96, 8, 14, 0, false},
    {"nesterov_step", OF_CONTACTS, 112, 8, 14, 0, false},
    {"correct", OF_CONTACTS, 192, 20, 14, 0, false},
    {"grid_keys", OF_BODIES, 40, 8, 44, 0, false},
    {"grid_gather", OF_BODIES, 64, 8, 22, 0, false},
    {"grid_count", OF_PAIRS, 70, 150, 200, 0, false},
    {"grid_emit", OF_PAIRS, 80, 150, 190, 0, false},
    {"grid_rows", OF_PAIRS, 8, 20, 18, 0, false},
    {"sort_count", OF_PAIRS, 4, 20, 0.8, 0, false},
    {"sort_rows", OF_ITEMS, 4, 8, 10, 0, false},
    {"sort_scatter", OF_PAIRS, 16, 20, 1.8, 0, false},
    {"reduce_parts", OF_BODIES, 4, 8, 1, 0, false},
    {"scan_write", OF_BODIES, 8, 8, 1, 0, false},
    {"contacts_records", OF_BODIES, 160, 12, 34, 0, false},
    {"contacts_kinds_of_balls", OF_PAIRS, 88, 40, 94, 0, true},
    {"contacts_kinds", OF_PAIRS, 200, 60, 195, 0, true},
    {"contacts_points", OF_MANIFOLDS, 300, 60, 1200, 0, true},
    {"contacts_examine", OF_PAIRS, 4, 12, 0.5, 0, true},
    {"contacts_match", OF_MANIFOLDS, 260, 60, 200, 0, true},
    {"contacts_store_balls", OF_MANIFOLDS, 150, 40, 57, 0, true},
    {"contacts_store", OF_MANIFOLDS, 150, 40, 35, 0, true},
    {"compact_write", OF_PAIRS, 8, 12, 2, 0, true},
    {"arrange_clear", OF_BODIES, 40, 12, 19, 0, false},
    {"arrange_pairs", OF_MANIFOLDS, 60, 40, 43, 0, false},
    {"arrange_count", OF_MANIFOLDS, 40, 40, 45, 0, false},
    {"arrange_place", OF_MANIFOLDS, 60, 40, 86, 0, false},
    {"arrange_fill", OF_MANIFOLDS, 40, 40, 30, 0, false},
    {"arrange_balls", OF_CONTACTS, 40, 12, 18, 0, false},
    {"colours_keep", OF_MANIFOLDS, 32, 40, 22, 0, false},
    {"colours_list", OF_MANIFOLDS, 8, 12, 8.5, 0, false},
    {"rows_fill", OF_CONTACTS, 300, 40, 92, 0, false},
    {"bends_add", OF_CORNERS, 200, 40, 110, 0, false},
    {"rows_read", OF_CONTACTS, 64, 12, 20, 0, false},
    {"excess_test", OF_BODIES, 200, 40, 42, 0, false},
    {"excess_join", OF_MANIFOLDS, 24, 60, 98, 0, false},
    {"excess_ranks", OF_BODIES, 12, 60, 95, 0, false},
    {"excess_sum", OF_BODIES, 16, 12, 8, 0, false},
    {"detect_bodies", OF_BODIES, 170, 40, 70, 0, false},
    {"detect_test", OF_CORNERS, 40, 60, 262, 0, true},
    {"detect_select", OF_CORNERS, 8, 12, 8, 0, true},
    {"boxes_of_trial", OF_BODIES, 130, 12, 35, 0, false},
    {"boxes_count", OF_PAIRS, 40, 60, 70, 0, true},
    {"boxes_emit", OF_PAIRS, 48, 60, 75, 0, true},
    {"insert_contacts", OF_MANIFOLDS, 180, 12, 40, 0, false},
    {"insert_settle", OF_MANIFOLDS, 8, 12, 4, 0, false},
    {"sums_of_bodies", OF_BODIES, 150, 40, 85, 0, false},
    {"sums_of_contacts", OF_MANIFOLDS, 130, 40, 84, 0, false},
    {NULL, OF_ITEMS, 64, 20, 60, 0, false}, /* any other */
};

/* Costs of a work-item in the sweep of a group of several contacts: loads in a chain, then cycles of
 * instructions that wait for each other, of a group, of each contact, and of each contact in a sweep that
 * presses and in a whole one. Those of manifolds.cl follow from the stall counts that ptxas 13 writes into
 * the code for sm_90, with 22 cycles for a reciprocal or a root and 30 for a load of local memory, where a
 * work-item of a warp slides (344 cycles if none does). `resident`: work-items that a compute unit of the
 * H100 holds, with 182 registers and 576 bytes of local memory each; in the position pass with 152.
 *
 * sweep.cl: the two launches of B1000 that the H100 took 86 and 118 µs for have bundles of 7 and 12 groups in
 * a row, 10 µs each. A whole update gets what is left, as the others are assumed to take what they take in
 * manifolds.cl. With 134 registers there are 448 work-items. */
typedef struct group_chain {
    const char *name;
    double loads, group, contact, pressed, whole;
    double position_group; /* in the position pass, where all sweeps press */
    double resident, position_resident;
} group_chain;
static const group_chain group_chains[] = {
    {"sweep_manifolds", 3, 1250, 405, 72, 1006, 1900, 352, 416},
    {"sweep_manifold_bundles", 4, 1250, 405, 72, 1006, 1900, 352, 416},
    {"sweep", 3, 1250, 405, 72, 1790, 1900, 448, 448},
    {"sweep_bundles", 4, 1250, 405, 72, 1790, 1900, 448, 448},
};
enum { GROUP_CHAINS = sizeof group_chains / sizeof *group_chains };

/* Boost clock of the H100, assumed for all; work-items of its compute units. */
static const double CLOCK = 1.755e9, UNIT_ITEMS = 2 * KIB;

static const group_chain *group_chain_of(const char *name) {
    for (int i = 0; i < GROUP_CHAINS; i++)
        if (!strcmp(group_chains[i].name, name)) return &group_chains[i];
    return NULL;
}

/* Returns the cycles of a group. Half of the sweeps press (manifold_sweeps in update.h). */
static double group_cycles(const group_chain *chain, const model_sizes *sizes, bool position) {
    const double pressed = floor(sizes->local_sweeps / 2), whole = sizes->local_sweeps - pressed;
    if (position) return chain->position_group + sizes->points * chain->pressed * sizes->local_sweeps;
    return chain->group + sizes->points * (chain->contact + chain->pressed * pressed + chain->whole * whole);
}

static const model_kernel *kernel_of(const char *name) {
    const model_kernel *at = kernels;
    while (at->name && strcmp(at->name, name) != 0) at++;
    return at;
}

/* Returns the number of units of a launch. */
static double units_of(model_unit unit, const model_sizes *sizes, double items) {
    const double of[] = {[OF_BODIES] = sizes->bodies,
                         [OF_PAIRS] = sizes->pairs,
                         [OF_MANIFOLDS] = sizes->contacts / sizes->points,
                         [OF_CONTACTS] = sizes->contacts,
                         [OF_CORNERS] = sizes->points > 1 ? sizes->contacts : 0,
                         [OF_UPDATES] = sizes->updates,
                         [OF_ITEMS] = items};
    return of[unit];
}

/* Launches of the same kind. */
typedef struct launch_plan {
    double count, units;       /* launches, and units of each */
    double items;              /* work-items of each */
    double chain, cycles;      /* loads of an item, one after another, and cycles after them */
    double resident;           /* part of the work-items of the device that it holds of this kernel; 0: all */
    double bytes, nanoseconds; /* for a unit */
} launch_plan;

static void add_plan(const model_device *on, launch_plan plan, model_stage *to) {
    const double moved = on->processors > 0 ? 0 : plan.units * plan.bytes / on->bandwidth,
                 worked = on->processors > 0
                              ? 1e-9 * plan.nanoseconds * plan.units / on->processors
                              : ceil(plan.items / (on->resident * (plan.resident > 0 ? plan.resident : 1))) *
                                    (plan.chain * on->latency + plan.cycles / CLOCK),
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

/* Ranks of a bundle for each colour of its launches: 19 in the two launches of B1000, with 12 colours. */
static const double RANKS = 1.6;

static bool is_bundled(const char *name) { return strstr(name, "bundles") != NULL; }

static launch_plan sweep_plan_of(const model_sizes *sizes, double factor, const model_launches *from,
                                 const model_kernel *kernel) {
    const group_chain *chain = sizes->points > 1 ? group_chain_of(from->name) : NULL;
    const bool position = from->stage == SCREE_STAGE_POSITIONS;
    const double groups = factor * sizes->updates / sizes->points, items = factor * from->items / from->count,
                 of_colour = factor * sizes->contacts / sizes->points / fmax(1, sizes->colours);
    launch_plan plan = {.count = from->count,
                        .units = factor * sizes->updates,
                        .items = items,
                        .chain = chain ? chain->loads : kernel->loads,
                        .cycles = chain ? group_cycles(chain, sizes, position) : 0,
                        .resident =
                            chain ? (position ? chain->position_resident : chain->resident) / UNIT_ITEMS : 0,
                        .bytes = kernel->bytes > 0 ? kernel->bytes : sizes->bytes_update,
                        .nanoseconds = kernel->nanoseconds};
    double row = fmax(1, groups / items);
    if (of_colour > SHARED_GROUPS) {
        plan.count = from->count * groups / of_colour;
        plan.units = of_colour * sizes->points, plan.items = of_colour, row = 1;
    } else if (chain && is_bundled(from->name)) {
        row = fmax(row, RANKS * sizes->colours / sizes->launches_sweep);
    }
    plan.chain *= row, plan.cycles *= row;
    if (sizes->points > 1) plan.nanoseconds *= sizes->local_sweeps;
    return plan;
}

void model_add(const model_device *on, const model_sizes *sizes, double factor, const model_launches *from,
               model_stage *to) {
    const model_kernel *kernel = kernel_of(from->name);
    const bool of_strays = kernel->of_strays && from->stage == SCREE_STAGE_DETECTION;
    const double units =
        factor * units_of(of_strays ? OF_ITEMS : kernel->unit, sizes, from->items / from->count);
    launch_plan plan = {.count = from->count,
                        .units = units,
                        .items = units,
                        .chain = kernel->loads,
                        .bytes = kernel->bytes,
                        .nanoseconds = kernel->nanoseconds};
    if (kernel->unit == OF_UPDATES) plan = sweep_plan_of(sizes, factor, from, kernel);
    if (from->stage == SCREE_STAGE_POSITIONS && kernel->positions > 0) {
        plan.nanoseconds *= kernel->positions;
        if (!(plan.cycles > 0)) plan.chain *= kernel->positions;
    }
    add_plan(on, plan, to);
}

void model_add_bounds(const model_device *on, const model_sizes *sizes, double factor, model_stage *to) {
    const double bodies = factor * sizes->bodies;
    to->planned = true;
    add_plan(on, (launch_plan){.count = 1, .units = bodies, .items = bodies, .chain = 20, .bytes = 150}, to);
}
