/* Images of bodies in the adjacent cells of a periodic world, as a device searches them for pairs. */
#ifndef SCREE_KERNELS_PERIODIC_PAIRS_H
#define SCREE_KERNELS_PERIODIC_PAIRS_H

#include "periodic_image.h"

/* Words of a search. SPAN: ordered bits of the largest −lower and upper corners of the boxes. */
enum {
    PERIODIC_BOXES, /* of bodies and images */
    PERIODIC_BODIES,
    PERIODIC_IMAGES, /* that may meet a body, also those that did not fit */
    PERIODIC_FAR,    /* whether an image beyond the adjacent cells may */
    PERIODIC_SPAN,
    PERIODIC_WORDS = PERIODIC_SPAN + 6
};

/* An image of the adjacent cells, n from −1 to 1 along each axis, has the code Σ 3^axis (n + 1), which has
 * the order of images. Sort keys have it below the bits of a slot. */
enum { PERIODIC_CODES = 27, PERIODIC_CODE_BITS = 5, PERIODIC_CODE_MASK = (1 << PERIODIC_CODE_BITS) - 1 };

#if SCREE_WIDTH == 1

SHARED int image_of_code(int code) {
    return code % 3 - 1 + PERIOD_DIGIT * (code / 3 % 3 - 1 + PERIOD_DIGIT * (code / 9 - 1));
}

SHARED int code_of_image(int image) {
    const int rest = image_rest(image);
    return image_digit(image) + 1 + 3 * (image_digit(rest) + 1) + 9 * (image_rest(rest) + 1);
}

#ifdef __OPENCL_VERSION__

SHARED uint periodic_end(const uint slot, const int image) {
    return slot << PERIODIC_CODE_BITS | (uint)code_of_image(image);
}

/* Bits with the order of floats, above 0. */
SHARED uint span_bits(const float x) {
    const uint bits = as_uint(x);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}
SHARED float span_value(const uint bits) { return as_float(bits >> 31 ? bits & 0x7fffffffu : ~bits); }

/* Numbers of periods, from −1 to 1, as bits 0 to 2 for each axis; far: others are needed, too. */
typedef struct image_range {
    int x, y, z, far;
} image_range;

SHARED image_range images_none(void) {
    image_range out;
    out.x = out.y = out.z = 2, out.far = 0;
    return out;
}

/* Rounding of images relative to the period, as in fat_pairs.c. */
#define PERIODIC_ROUNDING 1e-6f

/* Returns (as x) the numbers of periods by which a box from `lower` to `upper` may be moved into the span of
 * all, whose lower corner is −`below`. */
SHARED image_range images_along(const float below, const float above, const float lower, const float upper,
                                const float length) {
    image_range out = images_none();
    if (!(length > 0)) return out;
    const float slack = PERIODIC_ROUNDING * length;
    const int first = -(int)floor(scalar_clamp((below + upper + slack) / length, -2, 2)),
              last = (int)floor(scalar_clamp((above - lower + slack) / length, -2, 2));
    out.x = (first <= -1 && last >= -1 ? 1 : 0) | 2 | (first <= 1 && last >= 1 ? 4 : 0);
    out.far = first < -1 || last > 1;
    return out;
}

SHARED image_range images_joined(const image_range x, const image_range y, const image_range z) {
    image_range out;
    out.x = x.x, out.y = y.x, out.z = z.x, out.far = x.far || y.far || z.far;
    return out;
}

/* Returns whether the image of a code is in the range; that of the body itself is not. */
SHARED int image_is_in(const image_range of, const int code) {
    return code != PERIODIC_CODES / 2 && of.x >> code % 3 & 1 && of.y >> code / 3 % 3 & 1 &&
           of.z >> code / 9 & 1;
}

SHARED uint images_in(const image_range of) {
    return popcount((uint)of.x) * popcount((uint)of.y) * popcount((uint)of.z) - 1;
}

#endif

#endif

#endif
