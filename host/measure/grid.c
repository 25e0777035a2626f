#include "grid.h"

#include <math.h>

grid grid_of(const scree_zone_frame *box, const int cells[3]) {
    grid out = {.cells = cells};
    for (int k = 0; k < 3; k++) {
        out.half[k] = box->size[k];
        out.width[k] = 2 * box->size[k] / cells[k];
    }
    return out;
}

int grid_cell(const grid *self, const double local[3]) {
    int at[3];
    for (int k = 0; k < 3; k++) {
        const double place = (local[k] + self->half[k]) / self->width[k];
        if (!(place >= 0 && place < self->cells[k])) return -1;
        at[k] = (int)place;
    }
    return (at[2] * self->cells[1] + at[1]) * self->cells[0] + at[0];
}

bool grid_span(const grid *self, int axis, double low, double high, int *first, int *last) {
    const double from = (low + self->half[axis]) / self->width[axis],
                 to = (high + self->half[axis]) / self->width[axis];
    if (to < 0 || from >= self->cells[axis]) return false;
    *first = (int)fmax(from, 0);
    *last = (int)fmin(to, self->cells[axis] - 1);
    return true;
}

static double cut_cell(const grid *self, const int at[3], scree_shape shape, scree_pose local) {
    double lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
        lower[k] = at[k] * self->width[k] - self->half[k];
        upper[k] = (at[k] + 1) * self->width[k] - self->half[k];
    }
    return scree_shape_cut_volume(shape, local, lower, upper);
}

void grid_cut(const grid *self, scree_shape shape, scree_pose local, double factor, grid_visit *visit,
              void *context) {
    const scree_box box = scree_shape_get_box(shape, local);
    const float lower[3] = {box.lower.x, box.lower.y, box.lower.z},
                upper[3] = {box.upper.x, box.upper.y, box.upper.z};
    int first[3], last[3];
    for (int k = 0; k < 3; k++)
        if (!grid_span(self, k, (double)lower[k], (double)upper[k], &first[k], &last[k])) return;
    for (int z = first[2]; z <= last[2]; z++)
        for (int y = first[1]; y <= last[1]; y++)
            for (int x = first[0]; x <= last[0]; x++)
                visit(context, (z * self->cells[1] + y) * self->cells[0] + x,
                      factor * cut_cell(self, (int[3]){x, y, z}, shape, local));
}
