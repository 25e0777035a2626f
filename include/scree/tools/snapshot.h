/** @file
 * Pictures of frames, ray-cast by an OpenCL kernel. */
#ifndef SCREE_TOOLS_SNAPSHOT_H
#define SCREE_TOOLS_SNAPSHOT_H

#include <scree/tools/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Quantity shown by the colour of dynamic bodies. Static bodies are grey, kinematic ones brownish. */
typedef enum scree_colouring {
    /** Speed: from blue at rest through yellow to red at `colour_range` m/s and above (ColorBrewer RdYlBu).
     */
    SCREE_COLOURING_SPEED,
    /** Height of the centre: from dark blue for the lowest bodies through green to yellow for the highest
       (viridis). The scale excludes 1 % of the bodies at either end, which have the colour of the end. */
    SCREE_COLOURING_DEPTH,
    /** Id: different colours for consecutive ids; no legend. */
    SCREE_COLOURING_ID,
    /** Sieve size (scree_shape_get_sieve_size), in the colours of heights. */
    SCREE_COLOURING_SIZE,
    /** Material, in order of creation; the twenty colours repeat. The legend shows names, or numbers for
       materials without a name. */
    SCREE_COLOURING_MATERIAL,
    /** Sum of the normal forces of the body's contacts in the last step, N: from pale yellow for none through
       orange to dark red at `colour_range` and above (ColorBrewer YlOrRd). */
    SCREE_COLOURING_FORCE,
    /** Angular speed, rad/s, in the colours of speeds, from 0 to that of the fastest body. */
    SCREE_COLOURING_SPIN,
    /** Mass, kg, in the colours of heights. */
    SCREE_COLOURING_MASS,
    /** Number of contact points with an impulse in the last step, in the colours of heights. */
    SCREE_COLOURING_CONTACTS,
    /** Kinetic energy, J, in the colours of forces, from 0 to the value that 1 % of the bodies exceed. */
    SCREE_COLOURING_ENERGY,
    /** Deepest overlap of the body's contacts before the last step, m, in the colours of forces, from 0 to
       the value that 1 % of the bodies exceed. */
    SCREE_COLOURING_OVERLAP,
    /** Components of the velocity, m/s, in the colours of speeds: yellow is 0, the ends of the scale are
       equally far from it and 1 % of the bodies lie beyond them. */
    SCREE_COLOURING_VELOCITY_X,
    SCREE_COLOURING_VELOCITY_Y, /**< as SCREE_COLOURING_VELOCITY_X */
    SCREE_COLOURING_VELOCITY_Z, /**< as SCREE_COLOURING_VELOCITY_X */
    SCREE_COLOURING_COUNT
} scree_colouring;

/** Returns "speed", "depth", "id", "size", "material", "force", "spin", "mass", "contacts", "energy",
 * "overlap", "velocity-x", "velocity-y" or "velocity-z"; null outside the range. */
SCREE_API const char *scree_colouring_name(scree_colouring colouring);

/** Camera and content of a picture. */
typedef struct scree_view {
    int width, height; /**< pixels, 16 … 8192 */
    /** true: ignores the next three fields. The camera looks down by 24° from the front (−y), turned 30° to
     * the right, as close as possible with all dynamic bodies visible next to the legend. Outliers are
     * ignored. With 5 or more bodies, an outlier is a body in the outermost fifth that is more than three
     * times (and by four mean diameters) as far out as the next one inside, and every body beyond it; with
     * 100 or more, also bodies beyond 1.25 times the distance that contains 99 %. */
    bool automatic;
    scree_vec3 eye,
        target; /**< different points, m; z points up in the picture (y when looking straight down) */
    float field_of_view; /**< vertical, degrees, 1 … 150 */
    scree_colouring colouring;
    /** Speed (m/s) or force (N) at full red, ≥ 0. 0 selects it automatically. Speed: that of the fastest
     * body, but at least √(2 g d), the speed after a fall through the mean bounding diameter d with g = 9.81
     * m/s², so that a pile at rest looks at rest. Force: the value that 1 % of the bodies exceed. */
    float colour_range;
    /** Annotations of pictures of at least 240 × 180 pixels: colour scale (with "+" if some bodies lie beyond
     * its end), scale bar at the distance of the target, time of the frame. */
    bool legend, scale_bar, time;
    /** Joints, drawn in front of everything and in pictures of any size: both anchors and the line between
     * them; the axis of hinges, sliders and cylindrical joints, the normal of planar joints, both axes of
     * universal joints. Broken joints are red. */
    bool joints;
    const char *device; /**< as scree_world_def.device; null: the best */
} scree_view;

/** Returns 960 × 720 pixels, automatic camera, colour by speed, all annotations and joints. */
SCREE_API scree_view scree_default_view(void);

/** Draws a frame to a PNG file (8-bit RGB, written under a temporary name and renamed). One light behind and
 * above the camera casts shadows; nine rays a pixel smooth edges. Static and kinematic boxes between the
 * camera and the dynamic bodies are cut away; the first 32 remain as faint outlines. Half-spaces have a
 * pattern of squares with sides of 1, 2 or 5 times a power of ten metres, cast no shadow and are not drawn
 * from inside. Equal frames give equal pictures on equal devices. Errors: ARGUMENT (includes a frame without
 * the fields that colours by speed, material or force need), NO_PLATFORM, NO_DEVICE, KERNEL_BUILD,
 * DEVICE_MEMORY, DEVICE, FILE, DISK_FULL, MEMORY. */
SCREE_API scree_result scree_snapshot_save(const scree_frame *frame, const scree_view *view,
                                           const char *path);

#ifdef __cplusplus
}
#endif
#endif
