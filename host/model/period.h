/* Periodic world: bodies stand in one cell and touch each other's periodic images in adjacent cells.
 *
 * A periodic image is a displacement by a whole number of periods along each axis, stored as one integer:
 * n_x + 1024 n_y + 1024² n_z. Images add as these integers do, the image of one body seen from the other
 * is the negative, and their order is that of the cells whatever is added to all. */
#pragma once

#include "layout.h"
#include "periodic_image.h"

#include <scree/core.h>

#include <stdbool.h>

enum {
    PERIOD_CELLS_MOST = 100, /* largest number of cells that a point is wrapped by at once; sums of a few stay
                                within a digit */
    PERIOD_IMAGES = 27
};

typedef struct period {
    bool any;     /* whether any axis is periodic */
    vec3s length; /* m; 0: axis not periodic */
    vec3s lower;  /* corner of the cell, m */
} period;

period period_make(scree_vec3 length, scree_vec3 centre);

/* Returns the displacement of an image, m. */
vec3s period_shift(const period *self, int image);

static inline vec3s period_moved(const period *self, vec3s point, int image) {
    return image_position(point, image, self->length);
}
static inline body_pose period_pose(const period *self, body_pose pose, int image) {
    pose.position = period_moved(self, pose.position, image);
    return pose;
}

static inline int period_image(const int cells[3]) {
    return cells[0] + PERIOD_DIGIT * (cells[1] + PERIOD_DIGIT * cells[2]);
}
void period_cells(int image, int out[3]);
/* Returns whether an integer is a valid image: few periods, along periodic axes only. */
bool period_is_image(const period *self, int image);

/* Returns the image that brings a point into the cell; 0: it is inside. */
int period_wrap(const period *self, vec3s point);
/* Returns the image of `point` that is nearest to `to`. */
int period_nearest(const period *self, vec3s point, vec3s to);
static inline vec3s period_near(const period *self, vec3s point, vec3s to) {
    return period_moved(self, point, period_nearest(self, point, to));
}
/* Lists the images of the cell itself (first) and of its neighbours; returns their number. */
int period_around(const period *self, int out[PERIOD_IMAGES]);
