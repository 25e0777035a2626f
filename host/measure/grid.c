#include "grid.h"

#include "detect/bounds.h"
#include "rotation.h"

#include <math.h>

grid grid_of(const zone_frame *box, const int cells[3]) {
    grid out = {.cells = cells};
    for (int k = 0; k < 3; k++) out.half[k] = box->size[k], out.width[k] = 2 * box->size[k] / cells[k];
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
    *first = (int)fmax(from, 0), *last = (int)fmin(to, self->cells[axis] - 1);
    return true;
}

static cut_box cell_at(const grid *self, int x, int y, int z) {
    const int at[3] = {x, y, z};
    cut_box cell;
    for (int k = 0; k < 3; k++) {
        cell.lower[k] = at[k] * self->width[k] - self->half[k];
        cell.upper[k] = (at[k] + 1) * self->width[k] - self->half[k];
    }
    return cell;
}

void grid_cut(const grid *self, scree_shape shape, body_pose local, double factor, grid_visit *visit,
              void *context) {
    const bounds around = bounds_of(shape, local);
    int first[3], last[3];
    for (int k = 0; k < 3; k++)
        if (!grid_span(self, k, (double)vec3_along(around.lower, k), (double)vec3_along(around.upper, k),
                       &first[k], &last[k]))
            return;
    for (int z = first[2]; z <= last[2]; z++)
        for (int y = first[1]; y <= last[1]; y++)
            for (int x = first[0]; x <= last[0]; x++) {
                const cut_box cell = cell_at(self, x, y, z);
                visit(context, (z * self->cells[1] + y) * self->cells[0] + x,
                      factor * cut_volume(shape, local, &cell));
            }
}
