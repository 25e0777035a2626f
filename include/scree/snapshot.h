/** @file
 * Pictures of a frame, ray-cast by an OpenCL kernel. */
#ifndef SCREE_SNAPSHOT_H
#define SCREE_SNAPSHOT_H

#include <scree/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a body's colour shows. */
typedef enum scree_colouring {
    SCREE_COLOURING_SPEED, /**< blue at rest to red at `colour_range` m/s and above */
    SCREE_COLOURING_DEPTH, /**< by height over the lowest body */
    SCREE_COLOURING_ID,    /**< a different colour for neighbouring ids */
    SCREE_COLOURING_COUNT
} scree_colouring;

/** "speed", "depth", "id". Null outside the range. */
SCREE_API const char *scree_colouring_name(scree_colouring colouring);

/** Camera and picture. */
typedef struct scree_view {
    int width, height; /**< pixels, 16 … 8192 */
    bool automatic; /**< find eye, target and field of view from the dynamic bodies; the three below are then
                       ignored */
    scree_vec3 eye, target; /**< m; the z axis is up in the picture */
    float field_of_view;    /**< vertical, degrees, 1 … 150 */
    scree_colouring colouring;
    float colour_range; /**< m/s at full red (speed); 0: the fastest body's */
    const char *device; /**< as in scree_world_def; null: the best */
} scree_view;

/** 960 × 720, automatic camera, colour by speed. */
SCREE_API scree_view scree_default_view(void);

/** Draws a frame into a PNG file (temporary name, then renamed): shadows, edges smoothed, static boxes that
 * stand between the camera and the dynamic bodies cut away. Errors: ARGUMENT, NO_PLATFORM, NO_DEVICE,
 * KERNEL_BUILD, DEVICE_MEMORY, DEVICE, FILE, DISK_FULL, MEMORY. */
SCREE_API scree_result scree_snapshot_write(const scree_frame *frame, const scree_view *view,
                                            const char *path);

#ifdef __cplusplus
}
#endif
#endif
