#include "gauge_kinds.h"

#include "base/memory.h"
#include "world/zone.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const gauge_kind *const kinds[] = {
    [SCREE_GAUGE_FORCE] = &gauge_force,
    [SCREE_GAUGE_FLOW] = &gauge_flow,
    [SCREE_GAUGE_SOLID_FRACTION] = &gauge_solid_fraction,
    [SCREE_GAUGE_COORDINATION] = &gauge_coordination,
    [SCREE_GAUGE_STRESS] = &gauge_stress,
    [SCREE_GAUGE_FABRIC] = &gauge_fabric,
    [SCREE_GAUGE_CONTACT_FORCE] = &gauge_contact_force,
    [SCREE_GAUGE_PROFILE] = &gauge_profile,
    [SCREE_GAUGE_SURFACE] = &gauge_surface,
    [SCREE_GAUGE_MIXING] = &gauge_mixing,
    [SCREE_GAUGE_ENERGY] = &gauge_energy,
    [SCREE_GAUGE_POSITION] = &gauge_position,
};
_Static_assert(sizeof kinds / sizeof *kinds == SCREE_GAUGE_COUNT, "every kind of gauge has a row");

const char *scree_gauge_kind_name(scree_gauge_kind kind) {
    return (unsigned)kind < SCREE_GAUGE_COUNT ? kinds[kind]->name : NULL;
}

const gauge_kind *gauge_kind_of(const scree_gauge_def *def) { return kinds[def->kind]; }

int gauge_cells(const scree_gauge_def *def) {
    const gauge_kind *kind = gauge_kind_of(def);
    const int cells = def->cells[0] * def->cells[1] * def->cells[2];
    return kind->cell_figure_count && !(cells == 1 && kind->one_cell_is_none) ? cells : 0;
}

int gauge_figures(const scree_gauge_def *def) {
    const gauge_kind *kind = gauge_kind_of(def);
    return kind->figure_count + kind->cell_figure_count * gauge_cells(def);
}

int gauge_cell_figure(const scree_gauge_def *def, int cell) {
    const gauge_kind *kind = gauge_kind_of(def);
    return kind->figure_count + kind->cell_figure_count * cell;
}

gauge_figure gauge_figure_of(const scree_gauge_def *def, int figure) {
    const gauge_kind *kind = gauge_kind_of(def);
    const int behind = figure - kind->figure_count;
    return behind < 0 ? kind->figures[figure] : kind->cell_figures[behind % kind->cell_figure_count];
}

void gauge_cell_suffix(const scree_gauge_def *def, int figure, char *out, size_t size) {
    const gauge_kind *kind = gauge_kind_of(def);
    const int behind = figure - kind->figure_count, *n = def->cells;
    *out = 0;
    if (behind < 0) return;
    const int cell = behind / kind->cell_figure_count;
    if ((n[0] > 1) + (n[1] > 1) + (n[2] > 1) <= 1)
        snprintf(out, size, "_%d", cell);
    else if (n[2] == 1)
        snprintf(out, size, "_%d_%d", cell % n[0], cell / n[0]);
    else
        snprintf(out, size, "_%d_%d_%d", cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]);
}

void gauge_figure_name(const scree_gauge_def *def, int figure, int part, char *out, size_t size) {
    static const char *const parts[] = {"", "_mean", "_max"};
    const gauge_figure of = gauge_figure_of(def, figure);
    char cell[64];
    gauge_cell_suffix(def, figure, cell, sizeof cell);
    snprintf(out, size, "%s%s%s%s%s", of.stem, cell, parts[part], *of.unit ? "_" : "", of.unit);
}

int gauge_value_count(const scree_gauge_def *def) {
    return gauge_kind_of(def)->memory + GAUGE_PARTS * gauge_figures(def);
}

double *gauge_values(const gauge *self, gauge_part part) {
    return self->values + gauge_kind_of(&self->def)->memory + part * gauge_figures(&self->def);
}

static scree_result check_name(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const size_t length = name ? strlen(name) : 0;
    if (length > 0 && length < SCREE_GAUGE_NAME_SIZE && strspn(name, letters) == length) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "name is '%.80s', expected 1 to %d letters, digits, '-' and '_'",
                name ? name : "", SCREE_GAUGE_NAME_SIZE - 1);
}

static scree_result check_zone(const gauge_kind *kind, const scree_gauge_def *def) {
    double cells = 1;
    for (int k = 0; k < 3; k++) {
        if (def->cells[k] < 1)
            return fail(SCREE_ERROR_ARGUMENT, "cells[%d] is %d, expected at least 1", k, def->cells[k]);
        cells *= def->cells[k];
    }
    if (cells > SCREE_GAUGE_CELLS_MOST)
        return fail(SCREE_ERROR_ARGUMENT, "cells are %.9g in all, expected at most %d", cells,
                    SCREE_GAUGE_CELLS_MOST);
    if (def->everywhere)
        return kind->needs_zone
                   ? fail(SCREE_ERROR_ARGUMENT, "everywhere, expected a zone for a gauge of %s", kind->name)
                   : SCREE_OK;
    TRY(zone_validate(&def->zone));
    if (def->zone.kind == SCREE_ZONE_HALF_SPACE && !kind->takes_plane)
        return fail(SCREE_ERROR_ARGUMENT, "zone is a half-space, expected one with an end");
    if (def->zone.kind != SCREE_ZONE_BOX && (kind->needs_box || (kind->has_cells && cells > 1)))
        return fail(SCREE_ERROR_ARGUMENT, "cells of a zone that is a %s, expected a box",
                    scree_zone_kind_name(def->zone.kind));
    return SCREE_OK;
}

scree_result gauge_validate(const scree_gauge_def *def) {
    TRY(check_name(def->name));
    if ((unsigned)def->kind >= SCREE_GAUGE_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "kind is %d, expected 0 to %d", (int)def->kind,
                    SCREE_GAUGE_COUNT - 1);
    const gauge_kind *kind = gauge_kind_of(def);
    if (!(def->every.seconds >= 0) || !isfinite(def->every.seconds) ||
        (def->every.seconds == 0 && def->every.steps < 1))
        return fail(SCREE_ERROR_ARGUMENT, "every is %g s or %llu steps, expected a step at least",
                    def->every.seconds, (unsigned long long)def->every.steps);
    if (def->sample_every < 1 || (kind->every_step && def->sample_every > 1))
        return fail(SCREE_ERROR_ARGUMENT, "sample_every is %llu, expected %s",
                    (unsigned long long)def->sample_every,
                    kind->every_step ? "1, since this kind may miss no step" : "a step at least");
    if (def->body_count < 0 || (def->body_count > 0 && !def->bodies))
        return fail(SCREE_ERROR_ARGUMENT, "body_count is %d, expected so many bodies", def->body_count);
    if (!isfinite(def->point.x) || !isfinite(def->point.y) || !isfinite(def->point.z))
        return fail(SCREE_ERROR_ARGUMENT, "point is not finite");
    TRY(check_zone(kind, def));
    return kind->check ? kind->check(def) : SCREE_OK;
}

void gauge_release(gauge *self) {
    memory_release(self->bodies);
    memory_release(self->values);
    *self = (gauge){.generation = self->generation};
}

scree_result gauge_bodies_take(gauge *self, const scree_body_id *bodies, int count) {
    TRY(MEMORY_RESERVE(self->bodies, self->body_capacity, count, NULL));
    if (count > 0) memmove(self->bodies, bodies, sizeof *bodies * (size_t)count);
    self->def.bodies = self->bodies;
    self->def.body_count = count;
    return SCREE_OK;
}

scree_result gauge_make(gauge *self, const scree_gauge_def *def) {
    gauge_release(self);
    self->def = *def;
    memcpy(self->name, def->name, strlen(def->name) + 1);
    self->def.name = self->name;
    self->value_count = gauge_value_count(def);
    self->values = memory_allocate((size_t)self->value_count, sizeof *self->values);
    const scree_result result = self->values ? gauge_bodies_take(self, def->bodies, def->body_count)
                                             : fail(SCREE_ERROR_MEMORY, "out of memory for a gauge");
    if (result != SCREE_OK) gauge_release(self);
    return result;
}

static void forget_samples(gauge *self) {
    for (int i = 0; i < gauge_figures(&self->def); i++)
        gauge_values(self, GAUGE_SUM)[i] = gauge_values(self, GAUGE_MAXIMUM)[i] =
            gauge_values(self, GAUGE_TIME)[i] = 0;
    self->samples = 0;
}

scree_result gauge_change(gauge *self, const scree_gauge_def *def) {
    TRY(gauge_bodies_take(self, def->bodies, def->body_count));
    self->def = *def;
    self->def.name = self->name;
    self->def.bodies = self->bodies;
    forget_samples(self);
    return SCREE_OK;
}

/* A mean is over time: each sample counts by the length of its step, which a stage may change. In single
 * precision that leaves the sums of a double the bits that counts need: means of whole numbers are exact. */
static void take_sample(gauge *self, const double *figures, double time_step) {
    const double weight = (double)(float)time_step;
    memcpy(gauge_values(self, GAUGE_LATEST), figures, sizeof *figures * (size_t)gauge_figures(&self->def));
    double *sums = gauge_values(self, GAUGE_SUM), *maxima = gauge_values(self, GAUGE_MAXIMUM),
           *times = gauge_values(self, GAUGE_TIME);
    for (int i = 0; i < gauge_figures(&self->def); i++) {
        if (isnan(figures[i])) continue;
        sums[i] += weight * figures[i];
        if (times[i] == 0 || figures[i] > maxima[i]) maxima[i] = figures[i];
        times[i] += weight;
    }
    self->samples++;
}

void gauge_end_row(gauge *self, uint64_t step, double time) {
    if (self->samples == 0) return;
    const double *figures = gauge_values(self, GAUGE_LATEST);
    double *sums = gauge_values(self, GAUGE_SUM), *maxima = gauge_values(self, GAUGE_MAXIMUM),
           *times = gauge_values(self, GAUGE_TIME);
    for (int i = 0; i < gauge_figures(&self->def); i++) {
        const bool total = gauge_figure_of(&self->def, i).total;
        gauge_values(self, GAUGE_ROW_SAMPLE)[i] = figures[i];
        gauge_values(self, GAUGE_ROW_MEAN)[i] = total ? figures[i] : times[i] > 0 ? sums[i] / times[i] : NAN;
        gauge_values(self, GAUGE_ROW_MAXIMUM)[i] = total ? figures[i] : times[i] > 0 ? maxima[i] : NAN;
    }
    self->row_step = step;
    self->row_time = time;
    self->row_samples = self->samples;
    forget_samples(self);
}

void gauge_step(gauge *self, const gauge_view *view, double *figures) {
    if (self->def.paused) return;
    const bool row = view->step % scree_span_get_steps(self->def.every, view->time_step) == 0;
    if (!row && view->step % self->def.sample_every != 0) return;
    for (int i = 0; i < gauge_figures(&self->def); i++) figures[i] = NAN;
    gauge_kind_of(&self->def)->measure(view, self, self->values, figures);
    take_sample(self, figures, view->time_step);
    if (row) gauge_end_row(self, view->step, view->time);
}
