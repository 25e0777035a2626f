/* The fraction of a zone, and of each of its cells, that grains fill. */
#include "measurement_kinds.h"
#include "grid.h"
#include "zone_images.h"

#include <math.h>

static const measurement_quantity quantities[] = {{"solid_fraction", "", false}};

static void add_volume(void *context, int cell, double volume) { ((double *)context)[cell] += volume; }

/* Returns the volume of grains relative to the space outside obstacles. */
static double share(double solid, double space) { return space > 0 ? solid / space : NAN; }

static void measure_cells(const measurement_view *view, const measurement *self, const zone_frame *zone,
                          double *out) {
    const body_array *bodies = view->bodies;
    const int cells = measurement_cells(&self->def);
    double *solid = out + measurement_cell_quantity(&self->def, 0), *space = view->scratch;
    const grid over = grid_of(zone, self->def.cells);
    for (int i = 0; i < cells; i++) solid[i] = 0, space[i] = zone_frame_volume(zone) / cells;
    for (int i = 0; i < bodies->count; i++) {
        if (bodies->types[i] == SLOT_FREE) continue;
        const bool grain = measurement_is_grain(bodies, i);
        for (zone_images in = zone_images_of_body(zone, bodies, i); zone_images_next(&in);)
            grid_cut(&over, bodies->shapes[i], zone_frame_pose(&in.zone, bodies->poses[i]), grain ? 1 : -1,
                     add_volume, grain ? solid : space);
    }
    for (int i = 0; i < cells; i++) solid[i] = share(solid[i], space[i]);
}

static void measure(const measurement_view *view, const measurement *self, double *memory, double *out) {
    const body_array *bodies = view->bodies;
    const zone_frame zone = zone_frame_of(&self->def.zone);
    double solid = 0, space = zone_frame_volume(&zone);
    (void)memory;
    for (int i = 0; i < bodies->count; i++) {
        if (bodies->types[i] == SLOT_FREE) continue;
        double volume = 0;
        for (zone_images in = zone_images_of_body(&zone, bodies, i); zone_images_next(&in);)
            volume += zone_frame_cut(&in.zone, bodies->shapes[i], bodies->poses[i]);
        if (measurement_is_grain(bodies, i))
            solid += volume;
        else
            space -= volume;
    }
    out[0] = share(solid, space);
    if (measurement_cells(&self->def)) measure_cells(view, self, &zone, out);
}

const measurement_kind measurement_solid_fraction = {.name = "solid_fraction",
                                                     .quantities = quantities,
                                                     .quantity_count = MEASUREMENT_COUNT_OF(quantities),
                                                     .cell_quantities = quantities,
                                                     .cell_quantity_count = MEASUREMENT_COUNT_OF(quantities),
                                                     .one_cell_is_none = true,
                                                     .needs_zone = true,
                                                     .has_cells = true,
                                                     .measure = measure};
