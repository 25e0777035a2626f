/* What is measured of a step, and how samples become rows. A kind of gauge is a row of the table in
 * measurement_kind.c and a file of its own with a function from a step to figures. */
#ifndef SCREE_MEASURE_MEASUREMENT_H
#define SCREE_MEASURE_MEASUREMENT_H

#include <scree/measurement.h>

#include "rows/contact_work.h"

/* A step as gauges see it: the world at its end, before flows act. Forces are impulses over its time. */
typedef struct measurement_view {
    const body_array *bodies;
    const contact_set *contacts;
    double time_step, time; /* s; of its end */
    uint64_t step;
    double gravity[3]; /* m/s² */
    /* At its beginning; null where no gauge asks. */
    const body_pose *poses_before;
    const body_velocity *velocities_before;
    const contact_work *work; /* in it, where one asks */
    uint8_t *marks;           /* a byte for every slot, all zero: to be left so */
    int *counts;              /* a number for every slot, to be filled */
    double *scratch;          /* a number for every figure, to be filled */
} measurement_view;

typedef struct measurement {
    uint32_t generation;       /* odd: alive */
    scree_measurement_def def; /* name and bodies are its own */
    char name[SCREE_MEASUREMENT_NAME_SIZE];
    int body_capacity;
    scree_body_id *bodies;
    uint64_t samples; /* of the row that is being made */
    uint64_t row_step, row_samples;
    double row_time;
    /* What the kind remembers, then for every figure in turn: sums over time, maxima and times of the samples
     * with a value; sample, mean and maximum of the last row. */
    int value_count;
    double *values;
} measurement;

static inline bool measurement_is_alive(const measurement *self) { return self->generation & 1; }

/* Whether a body is a grain: dynamic, and not a wall that locks leave one way at most, as a servo's platen. A
 * ball bounds no pile: a column of balls held upright by their locks is one of grains. */
static inline bool measurement_is_grain(const body_array *bodies, int slot) {
    const int locks = bodies->masses[slot].locks;
    const int ways = 3 - !!(locks & SCREE_LOCK_X) - !!(locks & SCREE_LOCK_Y) - !!(locks & SCREE_LOCK_Z);
    const bool ball = bodies->shapes[slot].kind == SCREE_SHAPE_SPHERE;
    return body_is_dynamic(bodies, slot) && (ball || !locks_forbid_turns((uint32_t)locks) || ways > 1);
}

/* A figure that a kind has: "stem_unit" with sample, mean or max between. */
typedef struct measurement_quantity {
    const char *stem, *unit; /* the unit may be empty */
    bool total;
} measurement_quantity;

/* What a kind of gauge is. */
typedef struct measurement_kind {
    const char *name;
    const measurement_quantity *quantities;
    int quantity_count;
    /* What it has again for every cell, behind the others: "stem_2_0_1_unit". */
    const measurement_quantity *cell_quantities;
    int cell_quantity_count;
    bool one_cell_is_none; /* whether a single cell is not said apart */
    int memory;            /* numbers that it remembers from step to step, zero at first */
    bool has_bodies;       /* whether it looks at bodies of its own */
    bool needs_zone;       /* whether it cannot be everywhere */
    bool takes_plane;      /* whether its zone may be a half-space */
    bool has_cells;        /* whether its cells are those of a box, where there are more than one */
    bool needs_box;        /* whether its zone is always a box */
    bool asks_before;      /* whether it looks at the beginning of the step too */
    bool asks_work;        /* whether it looks at what contacts do to energy */
    bool every_step;       /* whether it may miss no step: then sample_every is 1 */
    /* What else is wrong with a definition; null: nothing can be. Errors: ARGUMENT. */
    scree_result (*check)(const scree_measurement_def *def);
    /* Fills `out`, which is NaN, with the figures of a step. */
    void (*measure)(const measurement_view *view, const measurement *self, double *memory, double *out);
} measurement_kind;

const measurement_kind *measurement_kind_of(const scree_measurement_def *def);
/* How many figures a gauge has, and one of them. */
int measurement_quantities(const scree_measurement_def *def);
measurement_quantity measurement_quantity_of(const scree_measurement_def *def, int quantity);
/* What names the cell of a figure, such as "_2_0_1"; nothing where it is of none. */
void measurement_cell_suffix(const scree_measurement_def *def, int quantity, char *out, size_t size);
/* A figure's name with its part (0: sample, 1: mean, 2: maximum) and its unit, cut to `size`. */
void measurement_quantity_name(const scree_measurement_def *def, int quantity, int part, char *out,
                               size_t size);
/* Cells that have figures of their own, and the first figure of one; figures of a cell follow one another. */
int measurement_cells(const scree_measurement_def *def);
int measurement_cell_quantity(const scree_measurement_def *def, int cell);
int measurement_value_count(const scree_measurement_def *def);
/* Parts of a gauge's values. */
typedef enum measurement_part {
    MEASUREMENT_SUM,
    MEASUREMENT_MAXIMUM,
    MEASUREMENT_TIME,
    MEASUREMENT_LATEST, /* sample */
    MEASUREMENT_ROW_SAMPLE,
    MEASUREMENT_ROW_MEAN,
    MEASUREMENT_ROW_MAXIMUM,
    MEASUREMENT_PARTS
} measurement_part;
double *measurement_values(const measurement *self, measurement_part part);

/* Errors: ARGUMENT. */
scree_result measurement_validate(const scree_measurement_def *def);
/* Gives a gauge that is released or new its definition: name and bodies are copied, values begin at zero. On
 * error it is released. Errors: MEMORY. */
scree_result measurement_make(measurement *self, const scree_measurement_def *def);
/* Errors: MEMORY; then it is as it was. */
scree_result measurement_bodies_take(measurement *self, const scree_body_id *bodies, int count);
/* Another definition that is valid, of the same name, kind and cells; samples of an unfinished row are
 * dropped. Errors: MEMORY; then it is as it was. */
scree_result measurement_change(measurement *self, const scree_measurement_def *def);
void measurement_release(measurement *self);

/* Takes a sample where one is due, and makes a row where one is. `figures` has room for
 * measurement_quantities. */
void measurement_step(measurement *self, const measurement_view *view, double *quantities);
/* Makes a row of the samples since the last one, if there are any, at the end of a step. */
void measurement_end_row(measurement *self, uint64_t step, double time);

#endif
