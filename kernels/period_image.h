/* Images of a periodic world as integers (host/model/period.h): n_x + 1024 n_y + 1024² n_z for a displacement
 * by n periods. */
#ifndef SCREE_KERNELS_PERIOD_IMAGE_H
#define SCREE_KERNELS_PERIOD_IMAGE_H

#include "dialect.h"

enum { PERIOD_DIGIT = 1024 };

/* Returns the lowest digit of a balanced number. */
SHARED int period_digit(int image) {
    const int middle = PERIOD_DIGIT / 2;
    return ((image + middle) % PERIOD_DIGIT + PERIOD_DIGIT) % PERIOD_DIGIT - middle;
}

/* Returns the number without its lowest digit. */
SHARED int period_digits_above(int image) { return (image - period_digit(image)) / PERIOD_DIGIT; }

/* Returns the displacement of an image, m. `length`: the periods, m. */
SHARED vec3s period_shift_of(vec3s length, int image) {
    const int of_yz = period_digits_above(image), of_z = period_digits_above(of_yz);
    return vec3_of((scalar)period_digit(image) * length.x, (scalar)period_digit(of_yz) * length.y,
                   (scalar)period_digit(of_z) * length.z);
}

#endif
