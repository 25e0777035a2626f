/** @file
 * Pictures of a frame, ray-cast by an OpenCL kernel. */
#ifndef SCREE_TOOLS_SNAPSHOT_H
#define SCREE_TOOLS_SNAPSHOT_H

#include <scree/tools/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a dynamic body's colour shows. Static bodies are grey, kinematic ones brownish. */
typedef enum scree_colouring {
    /** Blue at rest over yellow to red at `colour_range` m/s and above (ColorBrewer's RdYlBu). */
    SCREE_COLOURING_SPEED,
    /** The height of its centre: dark blue for the lowest bodies over green to yellow for the highest
       (viridis), without the 1 % at either end, which have the colour of the end. */
    SCREE_COLOURING_DEPTH,
    /** A different colour for neighbouring ids; no legend. */
    SCREE_COLOURING_ID,
    /** Its sieve size (scree_shape_get_sieve_size), in the colours of heights. */
    SCREE_COLOURING_SIZE,
    /** Its material, in the order in which they were made; twenty colours, then again. The legend has their
        names, or that number for one without. */
    SCREE_COLOURING_MATERIAL,
    /** The sum of the normal forces of its contacts in the last step, N: pale yellow for none over orange to
       dark red at `colour_range` and above (ColorBrewer's YlOrRd). */
    SCREE_COLOURING_FORCE,
    SCREE_COLOURING_COUNT
} scree_colouring;

/** "speed", "depth", "id", "size", "material", "force". Null outside the range. */
SCREE_API const char *scree_colouring_name(scree_colouring colouring);

/** Camera and picture. */
typedef struct scree_view {
    int width, height; /**< pixels, 16 … 8192 */
    /** Find eye, target and field of view: looking down by 24° from the front (−y), 30° to the right, as near
     * as all dynamic bodies are seen beside the legend, but for those that have left the others: of 5 or more
     * the fifth farthest out where it is three times as far out as the rest, of 100 or more what is much
     * farther out than 99 %. The three below are then ignored. */
    bool automatic;
    scree_vec3 eye,
        target; /**< m, different points; the z axis is up in the picture (y when looking straight down) */
    float field_of_view; /**< vertical, degrees, 1 … 150 */
    scree_colouring colouring;
    /** Speed (m/s) or force (N) at full red, ≥ 0. 0: the fastest body's speed, but no less than √(2 g d), the
     * speed of a fall through the bodies' mean bounding diameter d with g = 9.81 m/s², so that a pile at rest
     * looks at rest; of forces the one that 1 % of the bodies exceed. */
    float colour_range;
    /** Written into pictures of 240 × 180 pixels or more: what the colours mean (with a "+" where some bodies
     * lie beyond the end), a length at the distance of the target, the frame's time. */
    bool legend, scale_bar, time;
    /** Joints, over what hides them and in pictures of any size: both anchors and what is between them, and
     * the axis of a hinge, a slider and a cylindrical joint, the normal of a planar one and both axes of a
     * universal one; red where broken. */
    bool joints;
    const char *device; /**< as in scree_world_def; null: the best */
} scree_view;

/** 960 × 720, automatic camera, colour by speed, everything written and drawn into it. */
SCREE_API scree_view scree_default_view(void);

/** Draws a frame into a PNG file (8-bit RGB; temporary name, then renamed): shadows of one light behind and
 * above the camera, edges smoothed by nine rays a pixel. Static and kinematic boxes that stand between the
 * camera and the dynamic bodies are cut away, of the first 32 faint outlines remain. Half-spaces carry a
 * pattern of squares with sides of 1, 2 or 5 times a power of ten metres; they cast no shadow and are not
 * drawn from inside. Equal frames give equal pictures on equal devices. Errors: ARGUMENT (also where the
 * frame lacks what colours by speed, material or force need), NO_PLATFORM, NO_DEVICE, KERNEL_BUILD,
 * DEVICE_MEMORY, DEVICE, FILE, DISK_FULL, MEMORY. */
SCREE_API scree_result scree_snapshot_save(const scree_frame *frame, const scree_view *view,
                                           const char *path);

#ifdef __cplusplus
}
#endif
#endif
