#include "measurement.h"

#include "base/finite.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const measurement_kind *const kinds[] = {
    [SCREE_MEASUREMENT_FORCE] = &measurement_force,
    [SCREE_MEASUREMENT_FLOW] = &measurement_flow,
    [SCREE_MEASUREMENT_SOLID_FRACTION] = &measurement_solid_fraction,
    [SCREE_MEASUREMENT_COORDINATION] = &measurement_coordination,
    [SCREE_MEASUREMENT_STRESS] = &measurement_stress,
    [SCREE_MEASUREMENT_FABRIC] = &measurement_fabric,
    [SCREE_MEASUREMENT_CONTACT_FORCE] = &measurement_contact_force,
    [SCREE_MEASUREMENT_PROFILE] = &measurement_profile,
    [SCREE_MEASUREMENT_SURFACE] = &measurement_surface,
    [SCREE_MEASUREMENT_MIXING] = &measurement_mixing,
    [SCREE_MEASUREMENT_ENERGY] = &measurement_energy,
    [SCREE_MEASUREMENT_POSITION] = &measurement_position,
};
_Static_assert(sizeof kinds / sizeof *kinds == SCREE_MEASUREMENT_COUNT,
               "every kind of measurement has a row");

const char *scree_measurement_kind_name(scree_measurement_kind kind) {
    return (unsigned)kind < SCREE_MEASUREMENT_COUNT ? kinds[kind]->name : NULL;
}

const measurement_kind *measurement_kind_of(const scree_measurement_def *def) { return kinds[def->kind]; }

int measurement_cells(const scree_measurement_def *def) {
    const measurement_kind *kind = measurement_kind_of(def);
    const int cells = def->cells[0] * def->cells[1] * def->cells[2];
    return kind->cell_quantity_count && !(cells == 1 && kind->one_cell_is_none) ? cells : 0;
}

int measurement_quantities(const scree_measurement_def *def) {
    const measurement_kind *kind = measurement_kind_of(def);
    return kind->quantity_count + kind->cell_quantity_count * measurement_cells(def);
}

int measurement_cell_quantity(const scree_measurement_def *def, int cell) {
    const measurement_kind *kind = measurement_kind_of(def);
    return kind->quantity_count + kind->cell_quantity_count * cell;
}

static measurement_quantity quantity_of(const scree_measurement_def *def, int quantity) {
    const measurement_kind *kind = measurement_kind_of(def);
    const int behind = quantity - kind->quantity_count;
    return behind < 0 ? kind->quantities[quantity]
                      : kind->cell_quantities[behind % kind->cell_quantity_count];
}

bool measurement_is_total(const scree_measurement_def *def, int quantity) {
    const measurement_kind *kind = measurement_kind_of(def);
    return quantity < kind->quantity_count && quantity >= kind->quantity_count - kind->totals;
}

/* Writes the suffix of the quantity's cell, such as "_2_0_1", or nothing if it has none. */
static void print_cell_suffix(const scree_measurement_def *def, int quantity, char *out, size_t size) {
    const measurement_kind *kind = measurement_kind_of(def);
    const int behind = quantity - kind->quantity_count, *n = def->cells;
    *out = 0;
    if (behind < 0) return;
    const int cell = behind / kind->cell_quantity_count;
    if ((n[0] > 1) + (n[1] > 1) + (n[2] > 1) <= 1)
        snprintf(out, size, "_%d", cell);
    else if (n[2] == 1)
        snprintf(out, size, "_%d_%d", cell % n[0], cell / n[0]);
    else
        snprintf(out, size, "_%d_%d_%d", cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]);
}

void measurement_quantity_name(const scree_measurement_def *def, int quantity, int component, char *out,
                               size_t size) {
    static const char *const suffixes[] = {"", "_mean", "_max"};
    const measurement_quantity of = quantity_of(def, quantity);
    char cell[64];
    print_cell_suffix(def, quantity, cell, sizeof cell);
    snprintf(out, size, "%s%s%s%s%s", of.stem, cell, suffixes[component], *of.unit ? "_" : "", of.unit);
}

int measurement_value_count(const scree_measurement_def *def) {
    return measurement_kind_of(def)->memory + MEASUREMENT_VALUE_KINDS * measurement_quantities(def);
}

double *measurement_values(const measurement *self, measurement_value_kind kind) {
    return self->values + measurement_kind_of(&self->def)->memory + kind * measurement_quantities(&self->def);
}

static scree_result check_name(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const size_t length = name ? strlen(name) : 0;
    if (length > 0 && length < SCREE_MEASUREMENT_NAME_SIZE && strspn(name, letters) == length)
        return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "name: '%.80s'; must be 1 to %d letters, digits, '-' and '_'",
                name ? name : "", SCREE_MEASUREMENT_NAME_SIZE - 1);
}

static scree_result check_zone(const measurement_kind *kind, const scree_measurement_def *def) {
    double cells = 1;
    for (int k = 0; k < 3; k++) {
        if (def->cells[k] < 1)
            return fail(SCREE_ERROR_ARGUMENT, "cells[%d]: %d; must be >= 1", k, def->cells[k]);
        cells *= def->cells[k];
    }
    if (cells > SCREE_MEASUREMENT_CELLS_MOST)
        return fail(SCREE_ERROR_ARGUMENT, "cells: %.9g in total; must be at most %d", cells,
                    SCREE_MEASUREMENT_CELLS_MOST);
    if (def->everywhere)
        return kind->needs_zone
                   ? fail(SCREE_ERROR_ARGUMENT, "everywhere: true; a measurement of kind %s must have a zone",
                          kind->name)
                   : SCREE_OK;
    TRY(scree_validate_zone(&def->zone));
    if (def->zone.kind == SCREE_ZONE_HALF_SPACE && !kind->takes_plane)
        return fail(SCREE_ERROR_ARGUMENT, "zone: a half-space; must be finite");
    if (def->zone.kind != SCREE_ZONE_BOX && (kind->needs_box || (kind->has_cells && cells > 1)))
        return fail(SCREE_ERROR_ARGUMENT, "zone: a %s; must be a box, since there are cells",
                    scree_zone_kind_name(def->zone.kind));
    return SCREE_OK;
}

scree_result measurement_validate(const scree_measurement_def *def) {
    TRY(check_name(def->name));
    if ((unsigned)def->kind >= SCREE_MEASUREMENT_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "kind: %d; must be 0 to %d", (int)def->kind,
                    SCREE_MEASUREMENT_COUNT - 1);
    const measurement_kind *kind = measurement_kind_of(def);
    if (!(def->every.seconds >= 0) || !isfinite(def->every.seconds) ||
        (def->every.seconds == 0 && def->every.steps < 1))
        return fail(SCREE_ERROR_ARGUMENT, "every: %g s or %llu steps; must be at least one step",
                    def->every.seconds, (unsigned long long)def->every.steps);
    if (def->sample_every < 1 || (kind->every_step && def->sample_every > 1))
        return fail(SCREE_ERROR_ARGUMENT, "sample_every: %llu; must be %s",
                    (unsigned long long)def->sample_every,
                    kind->every_step ? "1, since this kind must sample every step" : ">= 1");
    if (def->body_count < 0 || (def->body_count > 0 && !def->bodies))
        return fail(SCREE_ERROR_ARGUMENT, "body_count: %d; must be the number of entries of bodies",
                    def->body_count);
    TRY(finite_check(def->point, "m", "point"));
    TRY(check_zone(kind, def));
    return kind->check ? kind->check(def) : SCREE_OK;
}

void measurement_release(measurement *self) {
    memory_release(self->bodies);
    memory_release(self->values);
    *self = (measurement){.generation = self->generation};
}

scree_result measurement_bodies_take(measurement *self, const scree_body_id *bodies, int count) {
    TRY(MEMORY_RESERVE(self->bodies, self->body_capacity, count, NULL));
    if (count > 0) memmove(self->bodies, bodies, sizeof *bodies * (size_t)count);
    self->def.bodies = self->bodies;
    self->def.body_count = count;
    return SCREE_OK;
}

scree_result measurement_make(measurement *self, const scree_measurement_def *def) {
    measurement_release(self);
    self->def = *def;
    memcpy(self->name, def->name, strlen(def->name) + 1);
    self->def.name = self->name;
    self->value_count = measurement_value_count(def);
    self->values = memory_allocate((size_t)self->value_count, sizeof *self->values);
    const scree_result result = self->values ? measurement_bodies_take(self, def->bodies, def->body_count)
                                             : fail(SCREE_ERROR_MEMORY, "out of memory for a measurement");
    if (result != SCREE_OK) measurement_release(self);
    return result;
}

static void forget_samples(measurement *self) {
    for (int i = 0; i < measurement_quantities(&self->def); i++)
        measurement_values(self, MEASUREMENT_SUM)[i] = measurement_values(self, MEASUREMENT_MAXIMUM)[i] =
            measurement_values(self, MEASUREMENT_TIME)[i] = 0;
    self->samples = 0;
}

scree_result measurement_change(measurement *self, const scree_measurement_def *def) {
    TRY(measurement_bodies_take(self, def->bodies, def->body_count));
    self->def = *def;
    self->def.name = self->name;
    self->def.bodies = self->bodies;
    forget_samples(self);
    return SCREE_OK;
}

/* Means are over time: each sample is weighted by its time step, which a stage may change. The weight is
 * rounded to single precision, which leaves enough bits in the sums (double) for counts: means of whole
 * numbers are exact. */
static void take_sample(measurement *self, const double *quantities, double time_step) {
    const double weight = (double)(float)time_step;
    memcpy(measurement_values(self, MEASUREMENT_LATEST), quantities,
           sizeof *quantities * (size_t)measurement_quantities(&self->def));
    double *sums = measurement_values(self, MEASUREMENT_SUM),
           *maxima = measurement_values(self, MEASUREMENT_MAXIMUM),
           *times = measurement_values(self, MEASUREMENT_TIME);
    for (int i = 0; i < measurement_quantities(&self->def); i++) {
        if (isnan(quantities[i])) continue;
        sums[i] += weight * quantities[i];
        if (times[i] == 0 || quantities[i] > maxima[i]) maxima[i] = quantities[i];
        times[i] += weight;
    }
    self->samples++;
}

void measurement_end_row(measurement *self, uint64_t step, double time) {
    if (self->samples == 0) return;
    const double *quantities = measurement_values(self, MEASUREMENT_LATEST);
    double *sums = measurement_values(self, MEASUREMENT_SUM),
           *maxima = measurement_values(self, MEASUREMENT_MAXIMUM),
           *times = measurement_values(self, MEASUREMENT_TIME);
    for (int i = 0; i < measurement_quantities(&self->def); i++) {
        const bool total = measurement_is_total(&self->def, i);
        measurement_values(self, MEASUREMENT_ROW_SAMPLE)[i] = quantities[i];
        measurement_values(self, MEASUREMENT_ROW_MEAN)[i] = total          ? quantities[i]
                                                            : times[i] > 0 ? sums[i] / times[i]
                                                                           : NAN;
        measurement_values(self, MEASUREMENT_ROW_MAXIMUM)[i] = total          ? quantities[i]
                                                               : times[i] > 0 ? maxima[i]
                                                                              : NAN;
    }
    self->row_step = step;
    self->row_time = time;
    self->row_samples = self->samples;
    forget_samples(self);
}

void measurement_step(measurement *self, const measurement_view *view, double *quantities) {
    if (self->def.paused) return;
    const bool row = view->step % scree_span_get_steps(self->def.every, view->time_step) == 0;
    if (!row && view->step % self->def.sample_every != 0) return;
    for (int i = 0; i < measurement_quantities(&self->def); i++) quantities[i] = NAN;
    measurement_kind_of(&self->def)->measure(view, self, quantities);
    take_sample(self, quantities, view->time_step);
    if (row) measurement_end_row(self, view->step, view->time);
}
