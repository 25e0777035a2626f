/* Lacey's mixing index of two sorts of grains over the cells of a box (Lacey 1954): M = (S₀² − S²)/(S₀² −
 * S_r²). p is the fraction of the first sort in all cells and S² the variance of its fraction over the cells,
 * weighted by their numbers of grains. S₀² = p (1 − p) holds for full segregation, and S_r² = S₀²/n̄ for
 * random mixing with n̄ grains per cell. */
#include "measurement.h"
#include "grid.h"

#include "base/error.h"

#include <math.h>

enum { INDEX, GRAINS, SHARE };
enum { CELL_GRAINS, CELL_SHARE, CELL_QUANTITIES };

static const measurement_quantity quantities[] = {{"lacey", ""}, {"grains", ""}, {"share", ""}};
static const measurement_quantity cell_quantities[] = {{"grains", ""}, {"share", ""}};

static bool is_of_sort(const measurement_view *view, const scree_measurement_def *def, int slot) {
    if (def->material.index) return view->bodies.materials[slot] + 1 == (int)def->material.index;
    return scree_shape_get_sieve_size(view->bodies.shapes[slot]) > def->size_above;
}

static void measure(const measurement_view *view, const measurement *self, double *out) {
    const scree_zone_frame zone = scree_zone_get_frame(&self->def.zone);
    const grid over = grid_of(&zone, self->def.cells);
    const int cells = measurement_cells(&self->def);
    double *of = out + measurement_cell_quantity(&self->def, 0), all = 0, sort = 0, occupied = 0,
           variance = 0;
    for (int i = 0; i < CELL_QUANTITIES * cells; i++) of[i] = 0;
    for (int i = 0; i < view->bodies.count; i++) {
        double at[3];
        if (!measurement_is_grain(&view->bodies, i) ||
            !scree_zone_holds(view->world, &zone, column_vec3(view->bodies.positions, i), at))
            continue;
        const int cell = grid_cell(&over, at);
        if (cell < 0) continue;
        const bool is = is_of_sort(view, &self->def, i);
        of[CELL_QUANTITIES * cell + CELL_GRAINS]++;
        of[CELL_QUANTITIES * cell + CELL_SHARE] += is;
        all++;
        sort += is;
    }
    const double p = sort / all, apart = p * (1 - p);
    for (int i = 0; i < cells; i++) {
        const double grains = of[CELL_QUANTITIES * i + CELL_GRAINS];
        double *fraction = &of[CELL_QUANTITIES * i + CELL_SHARE];
        *fraction = grains > 0 ? *fraction / grains : NAN;
        occupied += grains > 0;
        if (grains > 0) variance += grains * (*fraction - p) * (*fraction - p) / all;
    }
    const double most = apart - apart * occupied / all;
    out[GRAINS] = all;
    out[SHARE] = all > 0 ? p : NAN;
    out[INDEX] = most > 0 ? (apart - variance) / most : NAN;
}

static scree_result check(const scree_measurement_def *def) {
    if (def->size_above >= 0 && isfinite(def->size_above)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "size_above: %g m; must be >= 0 m", def->size_above);
}

const measurement_kind measurement_mixing = MEASUREMENT_KIND(
    "mixing", quantities, .cell_quantities = cell_quantities, .cell_quantity_count = CELL_QUANTITIES,
    .needs_zone = true, .needs_box = true, .check = check);
