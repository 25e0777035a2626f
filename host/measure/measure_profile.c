/* Density, velocity and granular temperature in the cells of a box. A grain contributes to each cell with its
 * mass in that cell. */
#include "measurement.h"
#include "grid.h"

#include <math.h>

enum { DENSITY, VELOCITY, TEMPERATURE = 4 };

static const measurement_quantity quantities[] = {
    {"density", "kg_per_m3"},  {"velocity_x", "m_per_s"},    {"velocity_y", "m_per_s"},
    {"velocity_z", "m_per_s"}, {"temperature", "m2_per_s2"},
};
enum { QUANTITIES = MEASUREMENT_COUNT_OF(quantities) };

/* A grain, and the sums of m, m v and m v² of the cells. */
typedef struct grain {
    double density, velocity[3];
    double *sums;
} grain;

static void add_mass(void *context, int cell, double volume) {
    const grain *of = context;
    double *sums = of->sums + QUANTITIES * cell;
    const double mass = of->density * volume;
    sums[DENSITY] += mass;
    for (int k = 0; k < 3; k++) {
        sums[VELOCITY + k] += mass * of->velocity[k];
        sums[TEMPERATURE] += mass * of->velocity[k] * of->velocity[k];
    }
}

/* T = (⟨v²⟩ − ⟨v⟩²)/3 */
static void finish(double *sums, double volume) {
    const double mass = sums[DENSITY];
    double square = 0;
    for (int k = 0; k < 3; k++) {
        sums[VELOCITY + k] = mass > 0 ? sums[VELOCITY + k] / mass : NAN;
        square += sums[VELOCITY + k] * sums[VELOCITY + k];
    }
    sums[TEMPERATURE] = mass > 0 ? fmax(sums[TEMPERATURE] / mass - square, 0) / 3 : NAN;
    sums[DENSITY] = mass / volume;
}

static void measure(const measurement_view *view, const measurement *self, double *out) {
    const scree_body_columns *bodies = &view->bodies;
    const scree_zone_frame zone = scree_zone_get_frame(&self->def.zone);
    const grid over = grid_of(&zone, self->def.cells);
    const int cells = measurement_cells(&self->def);
    for (int i = 0; i < QUANTITIES * cells; i++) out[i] = 0;
    for (int i = 0; i < bodies->count; i++) {
        if (!measurement_is_grain(bodies, i)) continue;
        const scree_vec3 v = column_vec3(bodies->velocities, i);
        grain of = {(double)column_float(bodies->masses, i) / scree_shape_get_volume(bodies->shapes[i]),
                    {(double)v.x, (double)v.y, (double)v.z},
                    out};
        for (scree_zone_images in = measurement_images(view, &zone, i); scree_zone_images_next(&in);)
            grid_cut(&over, bodies->shapes[i],
                     scree_zone_get_local_pose(&in.zone, measurement_pose(bodies, i)), 1, add_mass, &of);
    }
    for (int i = 0; i < cells; i++) finish(out + QUANTITIES * i, scree_zone_get_volume(&zone) / cells);
}

const measurement_kind measurement_profile = {.name = "profile",
                                              .cell_quantities = quantities,
                                              .cell_quantity_count = QUANTITIES,
                                              .needs_zone = true,
                                              .needs_box = true,
                                              .measure = measure};
