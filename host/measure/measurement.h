/* Measurements take quantities of a step and accumulate the samples into rows. A kind of measurement is an
 * entry of the table in measurement.c and a file with a function that computes the quantities of a step. */
#pragma once

#include "base/column.h"

#include <scree/tools/measurement.h>
#include <scree/world.h>

/* Input of the measurements: the world at the end of a step, before inlets and outlets act. Forces are
 * impulses divided by the time step. */
typedef struct measurement_view {
    const scree_world *world;
    scree_body_columns bodies;
    bool periodic;
    double period[3];       /* m; 0: not periodic */
    double time_step, time; /* s; `time` at the end of the step */
    uint64_t step;
    double gravity[3]; /* m/s² */
    const scree_body_state
        *before; /* of each slot at the beginning of the step; NULL unless a measurement needs it */
    scree_contact_work work; /* during the step; 0 unless a measurement needs it */
    uint8_t *marks;          /* one byte per slot, all zero; measurements must restore the zeros */
    int *counts;             /* scratch, one number per slot */
    double *scratch;         /* scratch, one number per quantity */
} measurement_view;

typedef struct measurement {
    uint32_t generation;       /* odd: alive */
    scree_measurement_def def; /* owns copies of name and bodies */
    char name[SCREE_MEASUREMENT_NAME_SIZE];
    int body_capacity;
    scree_body_id *bodies;
    uint64_t samples; /* in the unfinished row */
    uint64_t row_step, row_samples;
    double row_time;
    /* The kind's memory, then for every quantity in turn: sums over time, maxima and total times of the
     * samples with a value; sample, mean and maximum of the last row. */
    int value_count;
    double *values;
} measurement;

static inline bool measurement_is_alive(const measurement *self) { return self->generation & 1; }

/* Returns whether a body is a grain: dynamic, and not a wall whose locks leave at most one direction free,
 * such as a servo's platen. Balls are always grains: a column of balls held upright by their locks consists
 * of grains. */
static inline bool measurement_is_grain(const scree_body_columns *bodies, int slot) {
    enum { TURNS = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z };
    const int locks = column_int(bodies->locks, slot);
    const int ways = 3 - !!(locks & SCREE_LOCK_X) - !!(locks & SCREE_LOCK_Y) - !!(locks & SCREE_LOCK_Z);
    const bool ball = bodies->shapes[slot].kind == SCREE_SHAPE_SPHERE;
    return bodies->types[slot] == 1 + SCREE_BODY_DYNAMIC && (ball || (locks & TURNS) != TURNS || ways > 1);
}

static inline scree_pose measurement_pose(const scree_body_columns *bodies, int slot) {
    return (scree_pose){.position = column_vec3(bodies->positions, slot),
                        .rotation = column_quat(bodies->rotations, slot)};
}

static inline scree_body_state measurement_state(const scree_body_columns *bodies, int slot) {
    return (scree_body_state){.position = column_vec3(bodies->positions, slot),
                              .rotation = column_quat(bodies->rotations, slot),
                              .linear_velocity = column_vec3(bodies->velocities, slot),
                              .angular_velocity = column_vec3(bodies->spins, slot)};
}

/* Returns the images of a zone that a body reaches. */
static inline scree_zone_images measurement_images(const measurement_view *view, const scree_zone_frame *zone,
                                                   int slot) {
    scree_box around = {0};
    if (view->periodic)
        around = scree_shape_get_box(view->bodies.shapes[slot], measurement_pose(&view->bodies, slot));
    return scree_zone_get_images(view->world, zone, around);
}

/* A quantity of a kind. Its columns are named "stem_unit" with sample, mean or max inserted. */
typedef struct measurement_quantity {
    const char *stem, *unit; /* the unit may be empty */
} measurement_quantity;

/* Properties of a kind of measurement. */
typedef struct measurement_kind {
    const char *name;
    const measurement_quantity *quantities;
    int quantity_count;
    /* Further quantities for every cell, after the others: "stem_2_0_1_unit". */
    const measurement_quantity *cell_quantities;
    int cell_quantity_count;
    bool one_cell_is_none; /* whether the names omit the suffix of a single cell */
    int totals;            /* count of the last quantities that are running totals */
    int memory;            /* count of numbers that the kind keeps from step to step, initially zero */
    bool has_bodies;       /* whether it measures a list of bodies */
    bool needs_zone;       /* whether it requires a zone */
    bool takes_plane;      /* whether its zone may be a half-space */
    bool has_cells;        /* whether its cells, if there are several, divide a box */
    bool needs_box;        /* whether its zone must be a box */
    bool needs_before;     /* whether it needs the state at the beginning of the step */
    bool needs_work;       /* whether it needs the work of contacts */
    bool every_step;       /* whether it must sample every step: sample_every is then 1 */
    /* Checks the rest of a definition; NULL: nothing to check. Errors: ARGUMENT. */
    scree_result (*check)(const scree_measurement_def *def);
    /* Fills `out`, which contains NaN, with the quantities of a step. The kind's memory is self->values. */
    void (*measure)(const measurement_view *view, const measurement *self, double *out);
} measurement_kind;

#define MEASUREMENT_COUNT_OF(quantities) ((int)(sizeof(quantities) / sizeof *(quantities)))
/* A kind with the function `measure`; further members follow. */
#define MEASUREMENT_KIND(NAME, QUANTITIES, ...)                                                              \
    {                                                                                                        \
        .name = (NAME), .quantities = (QUANTITIES), .quantity_count = MEASUREMENT_COUNT_OF(QUANTITIES),      \
        .measure = measure, __VA_ARGS__                                                                      \
    }

/* The kinds, each defined in its own file. */
extern const measurement_kind measurement_force, measurement_flow, measurement_solid_fraction,
    measurement_coordination, measurement_stress, measurement_fabric, measurement_contact_force,
    measurement_profile, measurement_surface, measurement_mixing, measurement_energy, measurement_position;

const measurement_kind *measurement_kind_of(const scree_measurement_def *def);
int measurement_quantities(const scree_measurement_def *def);
bool measurement_is_total(const scree_measurement_def *def, int quantity);
/* Writes the name of a column: a quantity with its component (0: sample, 1: mean, 2: maximum) and its unit,
 * truncated to `size`. */
void measurement_quantity_name(const scree_measurement_def *def, int quantity, int component, char *out,
                               size_t size);
/* measurement_cells returns the number of cells with their own quantities, measurement_cell_quantity the
 * first quantity of a cell; those of a cell are consecutive. */
int measurement_cells(const scree_measurement_def *def);
int measurement_cell_quantity(const scree_measurement_def *def, int cell);
int measurement_value_count(const scree_measurement_def *def);
/* The arrays in a measurement's values, each with one value for every quantity. */
typedef enum measurement_value_kind {
    MEASUREMENT_SUM,
    MEASUREMENT_MAXIMUM,
    MEASUREMENT_TIME,
    MEASUREMENT_LATEST, /* the latest sample */
    MEASUREMENT_ROW_SAMPLE,
    MEASUREMENT_ROW_MEAN,
    MEASUREMENT_ROW_MAXIMUM,
    MEASUREMENT_VALUE_KINDS
} measurement_value_kind;
double *measurement_values(const measurement *self, measurement_value_kind kind);

/* Checks a definition. Errors: ARGUMENT. */
scree_result measurement_validate(const scree_measurement_def *def);
/* Initialises a new or released measurement: copies name and bodies, sets the values to zero. On error the
 * measurement is released. Errors: MEMORY. */
scree_result measurement_make(measurement *self, const scree_measurement_def *def);
/* Replaces the list of bodies. Errors: MEMORY; the measurement is then unchanged. */
scree_result measurement_bodies_take(measurement *self, const scree_body_id *bodies, int count);
/* Replaces the definition by another valid one of the same name, kind and cells; drops the samples of an
 * unfinished row. Errors: MEMORY; the measurement is then unchanged. */
scree_result measurement_change(measurement *self, const scree_measurement_def *def);
void measurement_release(measurement *self);

/* Takes a sample and makes a row if they are due. `quantities` must hold measurement_quantities entries. */
void measurement_step(measurement *self, const measurement_view *view, double *quantities);
/* Makes a row of the samples since the last one, if there are any, at the end of a step. */
void measurement_end_row(measurement *self, uint64_t step, double time);
