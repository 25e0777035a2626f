/* The solid fraction of a pile's bulk, in a box that is found robustly. */
#include <math.h>

#include "base/memory.h"
#include "detect/bounds.h"
#include "detect/cut_volume.h"
#include "world.h"

/* Shares of the centres that lie beyond each face of the box, tried in this order: where a pile is no block,
 * a box further inside may still be full. */
static const double shares[] = {0.15, 0.20, 0.25, 0.30, 0.35};
enum { SHARES = sizeof shares / sizeof *shares };

/* A cell that no grain reaches into, this many mean diameters wide, is no part of a bulk. */
static const double cell_diameters = 2;

/* The k-th smallest of `count` values, which are put into another order (Hoare's selection). */
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

/* Between the centres of the two bodies that have `share` of all before and behind them, along each axis. */
static cut_box quantile_box(const body_array *bodies, double share, float *values) {
    cut_box box;
    const int behind = (int)(share * (bodies->dynamic - 1));
    for (int axis = 0; axis < 3; axis++) {
        int count = 0;
        for (int i = 0; i < bodies->count; i++)
            if (body_is_dynamic(bodies, i)) values[count++] = vec3_along(bodies->poses[i].position, axis);
        box.lower[axis] = (double)select_value(values, count, behind);
        box.upper[axis] = (double)select_value(values, count, count - 1 - behind);
    }
    return box;
}

/* Diameter of the sphere that has the dynamic bodies' mean volume, m. */
static double mean_diameter(const body_array *bodies) {
    double sum = 0;
    for (int i = 0; i < bodies->count; i++)
        if (body_is_dynamic(bodies, i)) sum += scree_shape_get_volume(bodies->shapes[i]);
    return cbrt(6 / M_PI * sum / bodies->dynamic);
}

/* Marks the cells that a body's bounds reach into; returns how many of them are new. */
static int mark(const cut_box *box, const int cells[3], bounds around, uint8_t *marked) {
    int first[3], last[3], fresh = 0;
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
                fresh += !*cell;
                *cell = 1;
            }
    return fresh;
}

/* Whether grains reach into every part of the box, and it is wide enough to have parts. */
static scree_result check_full(const body_array *bodies, const cut_box *box, double diameter,
                               scree_bulk_status *lack) {
    int cells[3];
    double total = 1;
    *lack = SCREE_BULK_NARROW;
    for (int k = 0; k < 3; k++) {
        const double across = (box->upper[k] - box->lower[k]) / (cell_diameters * diameter);
        if (!(across >= 1)) return SCREE_OK;
        total *= floor(across);
        cells[k] = (int)fmin(across, INT32_MAX);
    }
    *lack = SCREE_BULK_GAPS;
    /* A body of mean volume reaches into 8 such cells at most: more of them cannot all be full. */
    if (total > 8.0 * bodies->dynamic) return SCREE_OK;
    uint8_t *marked = memory_allocate((size_t)total, 1);
    if (!marked) return fail(SCREE_ERROR_MEMORY, "out of memory for the bulk of %d bodies", bodies->dynamic);
    double reached = 0;
    for (int i = 0; i < bodies->count; i++)
        if (body_is_dynamic(bodies, i))
            reached += mark(box, cells, bounds_of(bodies->shapes[i], bodies->poses[i]), marked);
    memory_release(marked);
    if (reached == total) *lack = SCREE_BULK_FOUND;
    return SCREE_OK;
}

/* The grains' volume in the box over that which obstacles leave. */
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
    for (int i = 0; i < SHARES; i++) {
        scree_bulk_status lack;
        const cut_box box = quantile_box(bodies, shares[i], values);
        TRY(check_full(bodies, &box, diameter, &lack));
        if (i == 0 || lack == SCREE_BULK_FOUND) out->lack = lack;
        if (lack != SCREE_BULK_FOUND) continue;
        for (int k = 0; k < 3; k++) out->lower[k] = box.lower[k], out->upper[k] = box.upper[k];
        out->solid_fraction = fraction_in(bodies, &box);
        break;
    }
    return SCREE_OK;
}

scree_result scree_world_get_bulk(const scree_world *world, scree_bulk *out) {
    if (!world || !out)
        return fail(SCREE_ERROR_ARGUMENT, "scree_world_get_bulk: world and out must not be null");
    const body_array *bodies = &world->bodies;
    *out = (scree_bulk){{NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN, SCREE_BULK_EMPTY};
    if (bodies->dynamic < 1) return SCREE_OK;
    float *values = memory_allocate((size_t)bodies->dynamic, sizeof *values);
    if (!values) return fail(SCREE_ERROR_MEMORY, "out of memory for the bulk of %d bodies", bodies->dynamic);
    const scree_result result = find_bulk(bodies, values, out);
    memory_release(values);
    return result;
}
