/** @file
 * Ray-traced images of shapes, made on an OpenCL device.
 *
 * All positions are in one coordinate system of the caller's choice. Lengths are in single precision, so its
 * origin should be close to the bodies that the image shows. */
#ifndef SCREE_IMAGE_H
#define SCREE_IMAGE_H

#include <scree/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A body of an image. A half-space has a pattern of squares, casts no shadow, and is drawn only if the eye
 * is outside of it. */
typedef struct scree_image_body {
    scree_shape shape;
    scree_vec3 position; /**< m */
    scree_quat rotation; /**< any length > 0 */
    scree_vec3 colour;   /**< red, green, blue: linear light, 0 … 1 */
    const bool *hidden;  /**< of each piece (scree_shape_piece_count): true: not drawn; null: all are drawn */
} scree_image_body;

/** A box of which the edges are drawn faintly, in front of everything. */
typedef struct scree_image_outline {
    scree_vec3 position; /**< m */
    scree_quat rotation; /**< any length > 0 */
    scree_vec3 half;     /**< half extents, m */
} scree_image_outline;

/** Camera, light and content of an image. The ray of a pixel at (x, y), each in −1 … 1 from left to right and
 * from bottom to top, has the direction forward + x right + y up. */
typedef struct scree_image_def {
    int width, height;             /**< pixels, 1 … 32768 */
    int samples;                   /**< rays of a pixel along each axis, 1 … 16 */
    scree_vec3 eye;                /**< m */
    scree_vec3 forward, right, up; /**< without unit; the lengths of `right` and `up` set the field of view */
    float pixel_angle;             /**< angle of a pixel, rad, > 0 */
    scree_vec3 light;              /**< unit vector towards the light */
    float light_spread;            /**< tangent of the light's half angle, ≥ 0: softness of shadows */
    float tile;                    /**< side of the squares of half-spaces, m, > 0 */
    float fade;                    /**< distance at which half-spaces fade into the background, m, > 0 */
    float reach;                   /**< distance within which bodies darken each other, m, > 0 */
    int body_count;                /**< ≥ 0 */
    const scree_image_body *bodies;      /**< may be null if `body_count` is 0 */
    int outline_count;                   /**< ≥ 0 */
    const scree_image_outline *outlines; /**< may be null if `outline_count` is 0 */
    const char *device;                  /**< as scree_world_def.device; null: the best */
} scree_image_def;

/** Traces an image into `rgb`: width × height × 3 bytes, red, green, blue, rows from the top. Equal
 * definitions give equal images on equal devices. Errors: ARGUMENT (names the field), NO_PLATFORM, NO_DEVICE,
 * KERNEL_BUILD, DEVICE_MEMORY, DEVICE, MEMORY, CAPACITY. */
SCREE_API scree_result scree_image_trace(const scree_image_def *def, uint8_t *rgb);

#ifdef __cplusplus
}
#endif
#endif
