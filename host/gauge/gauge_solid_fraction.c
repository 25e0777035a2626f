/* The share of a zone that grains fill, and of each of its cells. */
#include "gauge_kinds.h"
#include "zone_frame.h"

#include "collide/bounds.h"
#include "rotation.h"

#include <math.h>

static const gauge_figure figures[] = {{"solid_fraction", "", false}};

/* The cells of a box in its own coordinates. */
typedef struct grid {
    const int *cells;
    double half[3], width[3];
} grid;

/* Adds `factor` times the body's volume in each cell that it reaches. */
static void add_body(const grid *over, scree_shape shape, body_pose local, double factor, double *out) {
    const bounds around = bounds_of(shape, local);
    int first[3], last[3];
    for (int k = 0; k < 3; k++) {
        const double low = ((double)vec3_along(around.lower, k) + over->half[k]) / over->width[k],
                     high = ((double)vec3_along(around.upper, k) + over->half[k]) / over->width[k];
        if (high < 0 || low >= over->cells[k]) return;
        first[k] = (int)fmax(low, 0), last[k] = (int)fmin(high, over->cells[k] - 1);
    }
    for (int z = first[2]; z <= last[2]; z++)
        for (int y = first[1]; y <= last[1]; y++)
            for (int x = first[0]; x <= last[0]; x++) {
                const int at[3] = {x, y, z};
                cut_box cell;
                for (int k = 0; k < 3; k++) {
                    cell.lower[k] = at[k] * over->width[k] - over->half[k];
                    cell.upper[k] = (at[k] + 1) * over->width[k] - over->half[k];
                }
                out[(z * over->cells[1] + y) * over->cells[0] + x] +=
                    factor * cut_volume(shape, local, &cell);
            }
}

/* Grains over what obstacles leave. */
static double share(double solid, double space) { return space > 0 ? solid / space : NAN; }

static void measure_cells(const gauge_view *view, const gauge *self, const zone_frame *zone, double *out) {
    const body_array *bodies = view->bodies;
    const int cells = gauge_cells(&self->def);
    double *solid = out + gauge_cell_figure(&self->def, 0), *space = view->scratch;
    grid over = {.cells = self->def.cells};
    for (int k = 0; k < 3; k++) {
        over.half[k] = zone->size[k];
        over.width[k] = 2 * zone->size[k] / over.cells[k];
    }
    for (int i = 0; i < cells; i++) solid[i] = 0, space[i] = zone_frame_volume(zone) / cells;
    for (int i = 0; i < bodies->count; i++) {
        if (bodies->types[i] == SLOT_FREE) continue;
        const bool grain = body_is_dynamic(bodies, i);
        add_body(&over, bodies->shapes[i], zone_frame_pose(zone, bodies->poses[i]), grain ? 1 : -1,
                 grain ? solid : space);
    }
    for (int i = 0; i < cells; i++) solid[i] = share(solid[i], space[i]);
}

static void measure(const gauge_view *view, const gauge *self, double *memory, double *out) {
    const body_array *bodies = view->bodies;
    const zone_frame zone = zone_frame_of(&self->def.zone);
    double solid = 0, space = zone_frame_volume(&zone);
    (void)memory;
    for (int i = 0; i < bodies->count; i++) {
        if (bodies->types[i] == SLOT_FREE) continue;
        const double volume = zone_frame_cut(&zone, bodies->shapes[i], bodies->poses[i]);
        if (body_is_dynamic(bodies, i))
            solid += volume;
        else
            space -= volume;
    }
    out[0] = share(solid, space);
    if (gauge_cells(&self->def)) measure_cells(view, self, &zone, out);
}

static scree_result check(const scree_gauge_def *def) {
    if (def->zone.kind == SCREE_ZONE_BOX || (def->cells[0] == 1 && def->cells[1] == 1 && def->cells[2] == 1))
        return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "cells of a zone that is a %s, expected a box",
                scree_zone_kind_name(def->zone.kind));
}

const gauge_kind gauge_solid_fraction = {.name = "solid_fraction",
                                         .figures = figures,
                                         .figure_count = GAUGE_COUNT_OF(figures),
                                         .cell_figures = figures,
                                         .cell_figure_count = GAUGE_COUNT_OF(figures),
                                         .one_cell_is_none = true,
                                         .needs_zone = true,
                                         .check = check,
                                         .measure = measure};
