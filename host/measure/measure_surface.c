/* The free surface: for each cell of a box's base the highest point of grains at its centre, above the floor
 * of the box; the slope of the plane and the angle of the cone about the box's axis that fit these heights
 * best. */
#include "measurement.h"
#include "grid.h"

#include "base/error.h"
#include "base/vector.h"
#include "rotation.h"

#include <math.h>

enum { MEAN, HIGHEST, COVERED, SLOPE, REPOSE, RADIUS };

static const measurement_quantity quantities[] = {
    {"height", "m"},      {"height_highest", "m"}, {"covered", ""},
    {"slope", "degrees"}, {"repose", "degrees"},   {"covered_radius", "m"},
};
static const measurement_quantity cell_quantities[] = {{"height", "m"}};

static double middle(const grid *over, int axis, int cell) {
    return (cell + 0.5) * over->width[axis] - over->half[axis];
}

/* Raises the heights of the columns at whose centres a ray from above hits a grain. */
static void add_part(const grid *over, scree_shape shape, scree_pose local, double *heights) {
    const scree_box box = scree_shape_get_box(shape, local);
    const float above = box.upper.z + box.upper.z - box.lower.z;
    int first[2], last[2];
    if (!grid_span(over, 0, (double)box.lower.x, (double)box.upper.x, &first[0], &last[0]) ||
        !grid_span(over, 1, (double)box.lower.y, (double)box.upper.y, &first[1], &last[1]))
        return;
    for (int y = first[1]; y <= last[1]; y++)
        for (int x = first[0]; x <= last[0]; x++) {
            const scree_vec3 eye = {(float)middle(over, 0, x), (float)middle(over, 1, y), above};
            const float way = scree_shape_cast_ray(shape, local, eye, (scree_vec3){0, 0, -1});
            const double height = (double)above - (double)way + over->half[2];
            double *old = &heights[y * over->cells[0] + x];
            if (height >= 0 && height <= 2 * over->half[2] && !(height <= *old)) *old = height;
        }
}

static scree_pose pose_of(const scree_placed_shape *piece, scree_pose body) {
    const versors q = quat_in(body.rotation);
    const vec3s arm = rotate(q, vec3_in(piece->position));
    return (scree_pose){.position = vec3_out(glms_vec3_add(vec3_in(body.position), arm)),
                        .rotation = quat_out(rotation_product(q, quat_in(piece->rotation)))};
}

static void add_grain(const grid *over, scree_shape shape, scree_pose local, double *heights) {
    for (int i = 0; i < scree_shape_piece_count(shape); i++) {
        const scree_placed_shape piece = scree_shape_get_piece(shape, i);
        add_part(over, piece.shape, pose_of(&piece, local), heights);
    }
}

/* Sums over the covered columns, for the fits. */
typedef struct fit_sums {
    double n, h, x, y, r, xx, xy, yy, rr, xh, yh, rh;
} fit_sums;

static fit_sums sum_up(const grid *over, const double *heights) {
    fit_sums s = {0};
    for (int i = 0; i < over->cells[0] * over->cells[1]; i++) {
        const double h = heights[i], x = middle(over, 0, i % over->cells[0]),
                     y = middle(over, 1, i / over->cells[0]), r = hypot(x, y);
        if (isnan(h)) continue;
        s = (fit_sums){s.n + 1,      s.h + h,      s.x + x,      s.y + y,      s.r + r,      s.xx + x * x,
                       s.xy + x * y, s.yy + y * y, s.rr + r * r, s.xh + x * h, s.yh + y * h, s.rh + r * h};
    }
    return s;
}

static const double DEGREES = 57.29577951308232;

/* Fits h = a + b x + c y by least squares, with the normal equations about the means; the slope is atan √(b²
 * + c²). For a single row of columns the fit is h = a + b x along the row. */
static double slope_of(const fit_sums *s) {
    const double xx = s->xx - s->x * s->x / s->n, yy = s->yy - s->y * s->y / s->n,
                 xy = s->xy - s->x * s->y / s->n, xh = s->xh - s->x * s->h / s->n,
                 yh = s->yh - s->y * s->h / s->n, det = xx * yy - xy * xy;
    const double none = 1e-12 * s->rr;
    if (yy <= none && xx > none) return atan(fabs(xh / xx)) * DEGREES;
    if (xx <= none && yy > none) return atan(fabs(yh / yy)) * DEGREES;
    if (!(det > 1e-12 * s->xx * s->yy)) return NAN;
    return atan(hypot((xh * yy - yh * xy) / det, (yh * xx - xh * xy) / det)) * DEGREES;
}

/* Fits h = a − s r by least squares; positive for a heap. */
static double repose_of(const fit_sums *s) {
    const double rr = s->rr - s->r * s->r / s->n, rh = s->rh - s->r * s->h / s->n;
    return rr > 1e-12 * s->rr ? atan(-rh / rr) * DEGREES : NAN;
}

static void measure(const measurement_view *view, const measurement *self, double *out) {
    const scree_body_columns *bodies = &view->bodies;
    const scree_zone_frame zone = scree_zone_get_frame(&self->def.zone);
    const grid over = grid_of(&zone, self->def.cells);
    const int cells = measurement_cells(&self->def);
    double *heights = out + measurement_cell_quantity(&self->def, 0); /* initially NaN */
    for (int i = 0; i < bodies->count; i++)
        if (measurement_is_grain(bodies, i))
            for (scree_zone_images in = measurement_images(view, &zone, i); scree_zone_images_next(&in);)
                add_grain(&over, bodies->shapes[i],
                          scree_zone_get_local_pose(&in.zone, measurement_pose(bodies, i)), heights);
    for (int i = 0; i < cells; i++)
        if (!isnan(heights[i]) && !(heights[i] <= out[HIGHEST])) out[HIGHEST] = heights[i];
    const fit_sums sums = sum_up(&over, heights);
    out[COVERED] = sums.n / cells;
    out[RADIUS] = sqrt(sums.n * over.width[0] * over.width[1] / M_PI);
    if (sums.n > 0) out[MEAN] = sums.h / sums.n;
    if (sums.n > 2) out[SLOPE] = slope_of(&sums);
    if (sums.n > 2) out[REPOSE] = repose_of(&sums);
}

static scree_result check(const scree_measurement_def *def) {
    if (def->cells[2] == 1) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "cells[2]: %d; must be 1 along z", def->cells[2]);
}

const measurement_kind measurement_surface =
    MEASUREMENT_KIND("surface", quantities, .cell_quantities = cell_quantities,
                     .cell_quantity_count = MEASUREMENT_COUNT_OF(cell_quantities), .needs_zone = true,
                     .needs_box = true, .check = check);
