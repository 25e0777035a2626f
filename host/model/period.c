#include "period.h"

#include "base/vector.h"

#include <math.h>
#include <stdlib.h>

enum { PERIOD_IMAGE_END = 1 << 29 };

period period_make(scree_vec3 length, scree_vec3 centre) {
    const vec3s l = vec3_in(length);
    return (period){.any = l.x > 0 || l.y > 0 || l.z > 0,
                    .length = l,
                    .lower = glms_vec3_sub(vec3_in(centre), glms_vec3_scale(l, 0.5f))};
}

void period_cells(int image, int out[3]) {
    for (int axis = 0; axis < 3; axis++, image = image_rest(image)) out[axis] = image_digit(image);
}

bool period_is_image(const period *self, int image) {
    int n[3];
    bool is = image > -PERIOD_IMAGE_END && image < PERIOD_IMAGE_END;
    if (is) period_cells(image, n);
    for (int axis = 0; axis < 3 && is; axis++)
        is = n[axis] == 0 || (vec3_along(self->length, axis) > 0 && abs(n[axis]) <= PERIOD_CELLS_MOST);
    return is;
}

vec3s period_shift(const period *self, int image) { return image_shift(image, self->length); }

/* Returns minus the index of the cell that contains a coordinate; cell 0 begins at `lower`. */
static int cells_back(scalar at, scalar lower, scalar length) {
    const scalar cells = length > 0 ? floorf((at - lower) / length) : 0;
    return -(int)scalar_clamp(cells, -PERIOD_CELLS_MOST, PERIOD_CELLS_MOST);
}

static int image_by(const period *self, vec3s point, vec3s lower) {
    const vec3s l = self->length;
    const int n[3] = {cells_back(point.x, lower.x, l.x), cells_back(point.y, lower.y, l.y),
                      cells_back(point.z, lower.z, l.z)};
    return period_image(n);
}

int period_wrap(const period *self, vec3s point) {
    return self->any ? image_by(self, point, self->lower) : 0;
}

int period_nearest(const period *self, vec3s point, vec3s to) {
    return self->any ? image_by(self, point, glms_vec3_sub(to, glms_vec3_scale(self->length, 0.5f))) : 0;
}

int period_around(const period *self, int out[PERIOD_IMAGES]) {
    const int most[3] = {self->length.x > 0, self->length.y > 0, self->length.z > 0};
    int count = 0;
    out[count++] = 0;
    for (int z = -most[2]; z <= most[2]; z++)
        for (int y = -most[1]; y <= most[1]; y++)
            for (int x = -most[0]; x <= most[0]; x++) {
                const int image = period_image((const int[3]){x, y, z});
                if (image) out[count++] = image;
            }
    return count;
}
