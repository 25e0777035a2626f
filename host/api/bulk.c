/* Solid fraction of a pile's bulk, measured in a robustly chosen box. */
#include <math.h>

#include "base/memory.h"
#include "geometry/bounds.h"
#include "geometry/cut_volume.h"
#include "step/world.h"

/* Quantiles of the centres at the faces of the box, tried in this order: in a pile that is not a block, a
 * smaller box may still be full. */
static const double quantiles[] = {0.15, 0.20, 0.25, 0.30, 0.35};
enum { QUANTILES = sizeof quantiles / sizeof *quantiles };

/* Least width of the box and of its cells in mean diameters. A cell that no dynamic body reaches has
 * space for one more: a box with such a cell contains air besides the pores of the pile. */
static const double box_diameters = 2, cell_diameters = 1;

/* Returns the k-th smallest of `count` values and reorders them (Hoare's selection). */
static float select_value(float *values, int count, int k) {
    int first = 0, last = count - 1;
    while (first < last) {
        const float pivot = values[first + (last - first) / 2];
        int low = first, high = last;
        while (low <= high) {
            while (values[low] < pivot) low++;
            while (values[high] > pivot) high--;
            if (low > high) break;
            const float swap = values[low];
            values[low++] = values[high];
            values[high--] = swap;
        }
        if (k <= high)
            last = high;
        else if (k >= low)
            first = low;
        else
            break;
    }
    return values[k];
}

/* Returns the box between the quantiles `fraction` and 1 − `fraction` of the centres along each axis. */
static cut_box quantile_box(const body_array *bodies, double fraction, float *values) {
    cut_box box;
    const int behind = (int)(fraction * (bodies->dynamic - 1));
    for (int axis = 0; axis < 3; axis++) {
        int count = 0;
        for (int i = 0; i < bodies->count; i++)
            if (body_is_dynamic(bodies, i)) values[count++] = vec3_along(bodies->poses[i].position, axis);
        box.lower[axis] = (double)select_value(values, count, behind);
        box.upper[axis] = (double)select_value(values, count, count - 1 - behind);
    }
    return box;
}

/* Returns the diameter of the sphere with the mean volume of the dynamic bodies, m. */
static double mean_diameter(const body_array *bodies) {
    double sum = 0;
    for (int i = 0; i < bodies->count; i++)
        if (body_is_dynamic(bodies, i)) sum += scree_shape_get_volume(bodies->shapes[i]);
    return cbrt(6 / M_PI * sum / bodies->dynamic);
}

/* Marks the cells that a body's bounds reach. Returns the number of newly marked cells. */
static int mark_cells(const cut_box *box, const int cells[3], bounds around, uint8_t *marked) {
    int first[3], last[3], newly_marked = 0;
    for (int k = 0; k < 3; k++) {
        const double width = (box->upper[k] - box->lower[k]) / cells[k];
        const double low = ((double)vec3_along(around.lower, k) - box->lower[k]) / width,
                     high = ((double)vec3_along(around.upper, k) - box->lower[k]) / width;
        if (high <= 0 || low >= cells[k]) return 0;
        first[k] = (int)fmax(low, 0);
        last[k] = (int)fmin(high, cells[k] - 1);
    }
    for (int z = first[2]; z <= last[2]; z++)
        for (int y = first[1]; y <= last[1]; y++)
            for (int x = first[0]; x <= last[0]; x++) {
                uint8_t *cell =
                    &marked[((size_t)z * (size_t)cells[1] + (size_t)y) * (size_t)cells[0] + (size_t)x];
                newly_marked += !*cell;
                *cell = 1;
            }
    return newly_marked;
}

/* Writes whether the box is a bulk: wide enough, and dynamic bodies reach every cell of it. */
static scree_result classify_box(const body_array *bodies, const cut_box *box, double diameter,
                                 scree_bulk_status *status) {
    int cells[3];
    double total = 1;
    *status = SCREE_BULK_NARROW;
    for (int k = 0; k < 3; k++) {
        const double diameters = (box->upper[k] - box->lower[k]) / diameter;
        if (!(diameters >= box_diameters)) return SCREE_OK;
        total *= floor(diameters / cell_diameters);
        cells[k] = (int)fmin(diameters / cell_diameters, INT32_MAX);
    }
    *status = SCREE_BULK_GAPS;
    /* A body of mean volume reaches at most 8 such cells, so a larger number cannot all be full. */
    if (total > 8.0 * bodies->dynamic) return SCREE_OK;
    uint8_t *marked = memory_allocate((size_t)total, 1);
    if (!marked) return fail(SCREE_ERROR_MEMORY, "out of memory: bulk of %d bodies", bodies->dynamic);
    double reached = 0;
    for (int i = 0; i < bodies->count; i++)
        if (body_is_dynamic(bodies, i))
            reached += mark_cells(box, cells, bounds_of(bodies->shapes[i], bodies->poses[i]), marked);
    memory_release(marked);
    if (reached == total) *status = SCREE_BULK_FOUND;
    return SCREE_OK;
}

/* Returns the volume of dynamic bodies in the box over the volume not taken by obstacles. */
static double fraction_in(const body_array *bodies, const cut_box *box) {
    double solid = 0, space = 1;
    for (int k = 0; k < 3; k++) space *= box->upper[k] - box->lower[k];
    for (int i = 0; i < bodies->count; i++) {
        if (bodies->types[i] == SLOT_FREE) continue;
        const double volume = cut_volume(bodies->shapes[i], bodies->poses[i], box);
        if (body_is_dynamic(bodies, i))
            solid += volume;
        else
            space -= volume;
    }
    return space > 0 ? solid / space : NAN;
}

static scree_result find_bulk(const body_array *bodies, float *values, scree_bulk *out) {
    const double diameter = mean_diameter(bodies);
    for (int i = 0; i < QUANTILES; i++) {
        scree_bulk_status status;
        const cut_box box = quantile_box(bodies, quantiles[i], values);
        TRY(classify_box(bodies, &box, diameter, &status));
        if (i == 0 || status == SCREE_BULK_FOUND) out->status = status;
        if (status != SCREE_BULK_FOUND) continue;
        for (int k = 0; k < 3; k++) {
            out->lower[k] = box.lower[k];
            out->upper[k] = box.upper[k];
        }
        out->solid_fraction = fraction_in(bodies, &box);
        break;
    }
    return SCREE_OK;
}

scree_result scree_world_get_bulk(const scree_world *world, scree_bulk *out) {
    REQUIRE(world);
    REQUIRE(out);
    const body_array *bodies = &world->state.bodies;
    *out = (scree_bulk){{NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN, SCREE_BULK_EMPTY};
    if (bodies->dynamic < 1) return SCREE_OK;
    TRY(bodies_bring(bodies));
    float *values = memory_allocate((size_t)bodies->dynamic, sizeof *values);
    if (!values) return fail(SCREE_ERROR_MEMORY, "out of memory: bulk of %d bodies", bodies->dynamic);
    const scree_result result = find_bulk(bodies, values, out);
    memory_release(values);
    return result;
}
