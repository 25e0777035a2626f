/* A world that repeats itself: bodies stand in one cell, and touch each other's images in the cells around.
 *
 * An image is where a body would be after so many periods along each axis, which is kept as one whole number:
 * n_x + 1024 n_y + 1024² n_z. So images add up as the numbers do, that of one body seen from the other is the
 * negative, and their order is that of the cells, whatever is added to all. */
#ifndef SCREE_MODEL_PERIOD_H
#define SCREE_MODEL_PERIOD_H

#include "layout.h"

#include <scree/types.h>

#include <stdbool.h>

enum {
    PERIOD_DIGIT = 1024,
    PERIOD_CELLS_MOST = 100, /* that a point is wrapped by at once: sums of a few stay within a digit */
    PERIOD_IMAGES = 27
};

typedef struct period {
    bool any;     /* whether there is one along some axis */
    vec3s length; /* m; 0: none along this axis */
    vec3s lower;  /* corner of the cell, m */
} period;

period period_make(scree_vec3 length, scree_vec3 centre);

/* By how much an image is displaced, m. */
vec3s period_shift(const period *self, int image);

static inline vec3s period_moved(const period *self, vec3s point, int image) {
    return image ? glms_vec3_add(point, period_shift(self, image)) : point;
}
static inline body_pose period_pose(const period *self, body_pose pose, int image) {
    pose.position = period_moved(self, pose.position, image);
    return pose;
}

static inline int period_image(const int cells[3]) {
    return cells[0] + PERIOD_DIGIT * (cells[1] + PERIOD_DIGIT * cells[2]);
}
void period_cells(int image, int out[3]);
/* Whether it is one, of few periods and along periodic axes only. */
bool period_is_image(const period *self, int image);

/* The image that has a point in the cell; 0: it is there. */
int period_wrap(const period *self, vec3s point);
/* That of `point` that is nearest to `to`. */
int period_nearest(const period *self, vec3s point, vec3s to);
static inline vec3s period_near(const period *self, vec3s point, vec3s to) {
    return period_moved(self, point, period_nearest(self, point, to));
}
/* The images of the cell itself (first) and of those around; returns how many. */
int period_around(const period *self, int out[PERIOD_IMAGES]);

#endif
