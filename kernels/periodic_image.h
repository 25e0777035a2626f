/* Images of a body in a periodic world: displacements by whole numbers of periods n, stored as one integer,
 * n_x + 1024 n_y + 1024² n_z. */
#ifndef SCREE_KERNELS_PERIODIC_IMAGE_H
#define SCREE_KERNELS_PERIODIC_IMAGE_H

#include "dialect.h"

#if SCREE_WIDTH == 1

enum { PERIOD_DIGIT = 1024 };

/* Returns the lowest digit of a balanced number. */
SHARED int image_digit(int image) {
    const int half_digit = PERIOD_DIGIT / 2;
    return ((image + half_digit) % PERIOD_DIGIT + PERIOD_DIGIT) % PERIOD_DIGIT - half_digit;
}

/* Returns the number without its lowest digit. */
SHARED int image_rest(int image) { return (image - image_digit(image)) / PERIOD_DIGIT; }

/* Returns the displacement of an image, m. */
SHARED vec3s image_shift(int image, vec3s length) {
    const int rest = image_rest(image);
    return vec3_of((scalar)image_digit(image) * length.x, (scalar)image_digit(rest) * length.y,
                   (scalar)image_digit(image_rest(rest)) * length.z);
}

/* Returns the position of an image of a body. */
SHARED vec3s image_position(vec3s position, int image, vec3s length) {
    return image ? glms_vec3_add(position, image_shift(image, length)) : position;
}

#endif

#endif
