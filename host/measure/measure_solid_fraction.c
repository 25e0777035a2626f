/* Volume of grains in a zone, and in each of its cells, over that of the zone outside obstacles. */
#include "measurement.h"
#include "grid.h"

#include <math.h>

static const measurement_quantity quantities[] = {{"solid_fraction", ""}};

static void add_volume(void *context, int cell, double volume) { ((double *)context)[cell] += volume; }

static double fraction_of(double solid, double space) { return space > 0 ? solid / space : NAN; }

static void measure_cells(const measurement_view *view, const measurement *self, const scree_zone_frame *zone,
                          double *out) {
    const scree_body_columns *bodies = &view->bodies;
    const int cells = measurement_cells(&self->def);
    double *solid = out + measurement_cell_quantity(&self->def, 0), *space = view->scratch;
    const grid over = grid_of(zone, self->def.cells);
    for (int i = 0; i < cells; i++) {
        solid[i] = 0;
        space[i] = scree_zone_get_volume(zone) / cells;
    }
    for (int i = 0; i < bodies->count; i++) {
        if (!bodies->types[i]) continue;
        const bool grain = measurement_is_grain(bodies, i);
        for (scree_zone_images in = measurement_images(view, zone, i); scree_zone_images_next(&in);)
            grid_cut(&over, bodies->shapes[i],
                     scree_zone_get_local_pose(&in.zone, measurement_pose(bodies, i)), grain ? 1 : -1,
                     add_volume, grain ? solid : space);
    }
    for (int i = 0; i < cells; i++) solid[i] = fraction_of(solid[i], space[i]);
}

static void measure(const measurement_view *view, const measurement *self, double *out) {
    const scree_body_columns *bodies = &view->bodies;
    const scree_zone_frame zone = scree_zone_get_frame(&self->def.zone);
    double solid = 0, space = scree_zone_get_volume(&zone);
    for (int i = 0; i < bodies->count; i++) {
        if (!bodies->types[i]) continue;
        double volume = 0;
        for (scree_zone_images in = measurement_images(view, &zone, i); scree_zone_images_next(&in);)
            volume += scree_zone_cut_shape(&in.zone, bodies->shapes[i], measurement_pose(bodies, i));
        if (measurement_is_grain(bodies, i))
            solid += volume;
        else
            space -= volume;
    }
    out[0] = fraction_of(solid, space);
    if (measurement_cells(&self->def)) measure_cells(view, self, &zone, out);
}

const measurement_kind measurement_solid_fraction =
    MEASUREMENT_KIND("solid_fraction", quantities, .cell_quantities = quantities,
                     .cell_quantity_count = MEASUREMENT_COUNT_OF(quantities), .one_cell_is_none = true,
                     .needs_zone = true, .has_cells = true);
