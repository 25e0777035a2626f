#include <scree/tools/statistics_file.h>

#include "interval.h"
#include "number.h"
#include "row_file.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Type of a column's value. */
typedef enum column_kind {
    COLUMN_STEP,         /* uint64_t: the step, and other large counts */
    COLUMN_COUNT,        /* int */
    COLUMN_FLAG,         /* bool, as 0 or 1 */
    COLUMN_STAGE,        /* name given to scree_statistics_file_set_stage */
    COLUMN_STOP,         /* scree_stop, by name */
    COLUMN_QUANTITY,     /* double: the shortest text that reads back exactly; empty for NaN */
    COLUMN_SOLVED,       /* as COLUMN_QUANTITY; empty if there was nothing to solve */
    COLUMN_VERIFY,       /* as COLUMN_QUANTITY; empty if there was no comparison */
    COLUMN_MILLISECONDS, /* seconds, printed as ms */
} column_kind;

/* How a column combines the steps since the last row, including this one. */
typedef enum column_span {
    SPAN_STEP, /* value of the row's step */
    SPAN_MAX,
    SPAN_MEAN, /* over the steps that have a value */
    SPAN_SUM,
} column_span;

typedef struct column {
    const char *name;
    column_kind kind;
    size_t offset;
    column_span span;
} column;

/* Inputs of a row. */
typedef struct sample {
    scree_statistics step;
    scree_bulk bulk; /* NaN if there is none */
    int steps;       /* always 1: its sum counts the steps of a span */
} sample;

#define AT(field) offsetof(sample, step.field)
#define BULK(field) offsetof(sample, bulk.field)

static const column columns[] = {
    {"step", COLUMN_STEP, AT(step), SPAN_STEP},
    {"time_s", COLUMN_QUANTITY, AT(time), SPAN_STEP},
    {"stage", COLUMN_STAGE, AT(time), SPAN_STEP},
    {"bodies", COLUMN_COUNT, AT(bodies), SPAN_STEP},
    {"dynamic_bodies", COLUMN_COUNT, AT(dynamic_bodies), SPAN_STEP},
    {"pairs", COLUMN_COUNT, AT(pairs), SPAN_STEP},
    {"touching", COLUMN_COUNT, AT(touching), SPAN_STEP},
    {"contacts", COLUMN_COUNT, AT(contacts), SPAN_STEP},
    {"late", COLUMN_COUNT, AT(late), SPAN_STEP},
    {"colours", COLUMN_COUNT, AT(colours), SPAN_STEP},
    {"tail", COLUMN_COUNT, AT(remainder), SPAN_STEP},
    {"cache_hits", COLUMN_COUNT, AT(cache_hits), SPAN_STEP},
    {"regrown", COLUMN_COUNT, AT(regrown), SPAN_STEP},
    {"iterations", COLUMN_COUNT, AT(solve.iterations), SPAN_STEP},
    {"stop", COLUMN_STOP, AT(solve.stop), SPAN_STEP},
    {"residual_before", COLUMN_QUANTITY, AT(solve.residual_before), SPAN_STEP},
    {"residual", COLUMN_QUANTITY, AT(solve.residual), SPAN_STEP},
    {"violation", COLUMN_QUANTITY, AT(solve.violation), SPAN_STEP},
    {"residual_absolute_Ns", COLUMN_QUANTITY, AT(solve.residual_absolute), SPAN_STEP},
    {"change", COLUMN_QUANTITY, AT(solve.change), SPAN_STEP},
    {"joints", COLUMN_COUNT, AT(joints), SPAN_STEP},
    {"joint_error_max_m", COLUMN_QUANTITY, AT(joint_error_max), SPAN_STEP},
    {"joint_angle_error_max_rad", COLUMN_QUANTITY, AT(joint_angle_error_max), SPAN_STEP},
    {"inserted", COLUMN_STEP, AT(inserted_total), SPAN_STEP},
    {"removed", COLUMN_STEP, AT(removed_total), SPAN_STEP},
    {"inserted_mass_kg", COLUMN_QUANTITY, AT(inserted_mass), SPAN_STEP},
    {"removed_mass_kg", COLUMN_QUANTITY, AT(removed_mass), SPAN_STEP},
    {"inlets_waiting", COLUMN_COUNT, AT(inlets_waiting), SPAN_STEP},
    {"penetration_max_m", COLUMN_QUANTITY, AT(penetration_max), SPAN_STEP},
    {"penetration_mean_m", COLUMN_QUANTITY, AT(penetration_mean), SPAN_STEP},
    {"travel_max", COLUMN_QUANTITY, AT(travel_max), SPAN_STEP},
    {"solid_fraction", COLUMN_QUANTITY, BULK(solid_fraction), SPAN_STEP},
    {"bulk_x_from_m", COLUMN_QUANTITY, BULK(lower[0]), SPAN_STEP},
    {"bulk_x_to_m", COLUMN_QUANTITY, BULK(upper[0]), SPAN_STEP},
    {"bulk_y_from_m", COLUMN_QUANTITY, BULK(lower[1]), SPAN_STEP},
    {"bulk_y_to_m", COLUMN_QUANTITY, BULK(upper[1]), SPAN_STEP},
    {"bulk_z_from_m", COLUMN_QUANTITY, BULK(lower[2]), SPAN_STEP},
    {"bulk_z_to_m", COLUMN_QUANTITY, BULK(upper[2]), SPAN_STEP},
    {"kinetic_energy_J", COLUMN_QUANTITY, AT(kinetic_energy), SPAN_STEP},
    {"potential_energy_J", COLUMN_QUANTITY, AT(potential_energy), SPAN_STEP},
    {"momentum_x_Ns", COLUMN_QUANTITY, AT(momentum[0]), SPAN_STEP},
    {"momentum_y_Ns", COLUMN_QUANTITY, AT(momentum[1]), SPAN_STEP},
    {"momentum_z_Ns", COLUMN_QUANTITY, AT(momentum[2]), SPAN_STEP},
    {"angular_momentum_x_Nms", COLUMN_QUANTITY, AT(angular_momentum[0]), SPAN_STEP},
    {"angular_momentum_y_Nms", COLUMN_QUANTITY, AT(angular_momentum[1]), SPAN_STEP},
    {"angular_momentum_z_Nms", COLUMN_QUANTITY, AT(angular_momentum[2]), SPAN_STEP},
    {"static_impulse_x_Ns", COLUMN_QUANTITY, AT(static_impulse[0]), SPAN_STEP},
    {"static_impulse_y_Ns", COLUMN_QUANTITY, AT(static_impulse[1]), SPAN_STEP},
    {"static_impulse_z_Ns", COLUMN_QUANTITY, AT(static_impulse[2]), SPAN_STEP},
    {"interval_steps", COLUMN_COUNT, offsetof(sample, steps), SPAN_SUM},
    {"interval_iterations_mean", COLUMN_COUNT, AT(solve.iterations), SPAN_MEAN},
    {"interval_iterations_max", COLUMN_COUNT, AT(solve.iterations), SPAN_MAX},
    {"interval_residual_mean", COLUMN_SOLVED, AT(solve.residual), SPAN_MEAN},
    {"interval_residual_max", COLUMN_SOLVED, AT(solve.residual), SPAN_MAX},
    {"interval_residual_absolute_max_Ns", COLUMN_SOLVED, AT(solve.residual_absolute), SPAN_MAX},
    {"interval_penetration_max_m", COLUMN_QUANTITY, AT(penetration_max), SPAN_MAX},
    {"interval_penetration_mean_m", COLUMN_QUANTITY, AT(penetration_mean), SPAN_MEAN},
    {"interval_contacts_mean", COLUMN_COUNT, AT(contacts), SPAN_MEAN},
    {"interval_contacts_max", COLUMN_COUNT, AT(contacts), SPAN_MAX},
    {"interval_joints_broken", COLUMN_COUNT, AT(joints_broken), SPAN_SUM},
    {"interval_inserted", COLUMN_COUNT, AT(inserted), SPAN_SUM},
    {"interval_removed", COLUMN_COUNT, AT(removed), SPAN_SUM},
    {"interval_late", COLUMN_COUNT, AT(late), SPAN_SUM},
    {"interval_tail_max", COLUMN_COUNT, AT(remainder), SPAN_MAX},
    {"interval_travel_max", COLUMN_QUANTITY, AT(travel_max), SPAN_MAX},
    {"interval_kinetic_energy_mean_J", COLUMN_QUANTITY, AT(kinetic_energy), SPAN_MEAN},
    {"interval_kinetic_energy_max_J", COLUMN_QUANTITY, AT(kinetic_energy), SPAN_MAX},
    {"interval_potential_energy_mean_J", COLUMN_QUANTITY, AT(potential_energy), SPAN_MEAN},
    {"interval_static_impulse_x_Ns", COLUMN_QUANTITY, AT(static_impulse[0]), SPAN_SUM},
    {"interval_static_impulse_y_Ns", COLUMN_QUANTITY, AT(static_impulse[1]), SPAN_SUM},
    {"interval_static_impulse_z_Ns", COLUMN_QUANTITY, AT(static_impulse[2]), SPAN_SUM},
    {"interval_verified", COLUMN_FLAG, AT(verified), SPAN_SUM},
    {"interval_verify_difference_max_m_per_s", COLUMN_VERIFY, AT(verify_difference), SPAN_MAX},
    {"verified", COLUMN_FLAG, AT(verified), SPAN_STEP},
    {"verify_difference_m_per_s", COLUMN_VERIFY, AT(verify_difference), SPAN_STEP},
    {"verify_backend_difference_m_per_s", COLUMN_VERIFY, AT(verify_backend_difference), SPAN_STEP},
    {"verify_residual", COLUMN_VERIFY, AT(verify_residual), SPAN_STEP},
    {"bounds_ms", COLUMN_MILLISECONDS, AT(timing.bounds), SPAN_STEP},
    {"pairs_ms", COLUMN_MILLISECONDS, AT(timing.pairs), SPAN_STEP},
    {"manifolds_ms", COLUMN_MILLISECONDS, AT(timing.manifolds), SPAN_STEP},
    {"problem_ms", COLUMN_MILLISECONDS, AT(timing.problem), SPAN_STEP},
    {"predict_ms", COLUMN_MILLISECONDS, AT(timing.predict), SPAN_STEP},
    {"solve_ms", COLUMN_MILLISECONDS, AT(timing.solve), SPAN_STEP},
    {"integrate_ms", COLUMN_MILLISECONDS, AT(timing.integrate), SPAN_STEP},
    {"statistics_ms", COLUMN_MILLISECONDS, AT(timing.statistics), SPAN_STEP},
    {"total_ms", COLUMN_MILLISECONDS, AT(timing.total), SPAN_STEP},
};
enum {
    COLUMN_TOTAL = sizeof columns / sizeof *columns,
    FIELD_SIZE = 48,
    ROW_SIZE = COLUMN_TOTAL * FIELD_SIZE
};

_Static_assert((int)COLUMN_TOTAL <= (int)INTERVAL_COLUMNS, "an interval has a value for each column");

struct scree_statistics_file {
    row_file file;
    interval own, *span; /* the interval in use: `own`, or that of a world */
};

/* Returns the value of a step as a number; NaN if there is none. */
static double quantity_of(const column *field, const sample *row) {
    const char *value = (const char *)row + field->offset;
    switch (field->kind) {
    case COLUMN_STEP:
        return (double)*(const uint64_t *)value;
    case COLUMN_COUNT:
        return *(const int *)value;
    case COLUMN_FLAG:
        return *(const bool *)value;
    case COLUMN_STAGE:
    case COLUMN_STOP:
        return NAN;
    case COLUMN_SOLVED:
        return row->step.solve.stop == SCREE_STOP_NONE ? NAN : *(const double *)value;
    case COLUMN_VERIFY:
        return row->step.verified ? *(const double *)value : NAN;
    case COLUMN_QUANTITY:
    case COLUMN_MILLISECONDS:
        return *(const double *)value;
    }
    return NAN;
}

static void span_add(scree_statistics_file *self, const sample *row) {
    for (int i = 0; i < COLUMN_TOTAL; i++) {
        const double value = quantity_of(&columns[i], row);
        if (columns[i].span == SPAN_STEP || isnan(value)) continue;
        interval_value *at = &self->span->values[i];
        const bool first = at->steps++ == 0;
        if (columns[i].span != SPAN_MAX)
            at->quantity += value;
        else if (first || value > at->quantity)
            at->quantity = value;
    }
    self->span->spanned = true;
    self->span->last = row->step.step;
}

static void span_begin(scree_statistics_file *self) { *self->span = (interval){.count = COLUMN_TOTAL}; }

/* Returns NaN if no step of the span had a value. */
static double span_quantity(const scree_statistics_file *self, int i) {
    const interval_value *at = &self->span->values[i];
    if (!at->steps) return NAN;
    return columns[i].span == SPAN_MEAN ? at->quantity / at->steps : at->quantity;
}

static int print_field(const column *field, const sample *row, char *out, size_t size) {
    const double value = quantity_of(field, row);
    if (field->kind == COLUMN_STEP || field->kind == COLUMN_COUNT || field->kind == COLUMN_FLAG)
        return snprintf(out, size, "%.0f", value);
    if (field->kind == COLUMN_MILLISECONDS) return snprintf(out, size, "%.6g", 1e3 * value);
    if (field->kind != COLUMN_STOP) return number_print(value, out, size);
    const char *name = scree_stop_name(row->step.solve.stop);
    return snprintf(out, size, "%s", name ? name : "");
}

static void print_header(char out[ROW_SIZE]) {
    size_t length = 0;
    for (int i = 0; i < COLUMN_TOTAL; i++)
        length += (size_t)snprintf(out + length, ROW_SIZE - length, "%s%s", columns[i].name,
                                   i + 1 < COLUMN_TOTAL ? "," : "\n");
}

static size_t print_row(const scree_statistics_file *self, const sample *row, char out[ROW_SIZE]) {
    size_t length = 0;
    for (int i = 0; i < COLUMN_TOTAL; i++) {
        if (columns[i].kind == COLUMN_STAGE)
            length += (size_t)snprintf(out + length, ROW_SIZE - length, "%s", self->file.stage);
        else
            length += (size_t)(columns[i].span == SPAN_STEP
                                   ? print_field(&columns[i], row, out + length, ROW_SIZE - length)
                                   : number_print(span_quantity(self, i), out + length, ROW_SIZE - length));
        out[length++] = i + 1 < COLUMN_TOTAL ? ',' : '\n';
    }
    return length;
}

scree_result scree_statistics_file_set_stage(scree_statistics_file *measurements, const char *name) {
    REQUIRE(measurements);
    return row_file_stage_set(&measurements->file, name);
}

scree_result scree_statistics_file_open(const char *path, uint64_t from_step, scree_statistics_file **out) {
    REQUIRE(path);
    REQUIRE(out);
    SCOPED scree_statistics_file *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory for '%s'", path);
    char header[ROW_SIZE];
    print_header(header);
    TRY(row_file_open(&self->file, path, header, from_step));
    self->span = &self->own;
    span_begin(self);
    *out = self;
    self = NULL;
    return SCREE_OK;
}

scree_result scree_statistics_file_attach(scree_statistics_file *measurements, scree_world *world) {
    REQUIRE(measurements);
    REQUIRE(world);
    interval *kept;
    TRY(interval_make(world, &kept));
    measurements->span = kept;
    if (kept->count != COLUMN_TOTAL) span_begin(measurements);
    return SCREE_OK;
}

static const scree_bulk no_bulk = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN, SCREE_BULK_EMPTY};

scree_result scree_statistics_file_add(scree_statistics_file *measurements,
                                       const scree_statistics *statistics) {
    REQUIRE(measurements);
    REQUIRE(statistics);
    const sample now = {*statistics, no_bulk, 1};
    span_add(measurements, &now);
    return SCREE_OK;
}

scree_result scree_statistics_file_write(scree_statistics_file *measurements,
                                         const scree_statistics *statistics, const scree_bulk *bulk) {
    REQUIRE(measurements);
    REQUIRE(statistics);
    const sample now = {*statistics, bulk ? *bulk : no_bulk, 1};
    if (!measurements->span->spanned || measurements->span->last != statistics->step)
        span_add(measurements, &now);
    char row[ROW_SIZE];
    SCOPED_LOCALE before = number_locale_set();
    TRY(row_file_write(&measurements->file, row, print_row(measurements, &now, row)));
    span_begin(measurements);
    return SCREE_OK;
}

scree_result scree_statistics_file_close(scree_statistics_file *measurements) {
    if (!measurements) return SCREE_OK;
    const scree_result result = row_file_close(&measurements->file);
    memory_release(measurements);
    return result;
}
