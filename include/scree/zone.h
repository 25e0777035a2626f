/** @file
 * Zones: regions of space, such as those of inlets, outlets and measurements. */
#ifndef SCREE_ZONE_H
#define SCREE_ZONE_H

#include <scree/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of zone. */
typedef enum scree_zone_kind {
    SCREE_ZONE_BOX,        /**< size = half extents */
    SCREE_ZONE_CYLINDER,   /**< around its own z axis: size.x = radius, size.z = half height */
    SCREE_ZONE_SPHERE,     /**< size.x = radius */
    SCREE_ZONE_HALF_SPACE, /**< all points below its own plane z = 0 */
    SCREE_ZONE_COUNT
} scree_zone_kind;

/** Returns "box", "cylinder", "sphere" or "half-space"; null outside the range. */
SCREE_API const char *scree_zone_kind_name(scree_zone_kind kind);

/** A region of space. */
typedef struct scree_zone {
    scree_zone_kind kind;
    scree_vec3 size;     /**< m, > 0; components that the kind does not use are ignored */
    scree_vec3 position; /**< centre, or a point on the plane of a half-space, m */
    scree_quat rotation; /**< from the zone's axes, unit within 0.0005 */
} scree_zone;

/** Checks sizes, position and rotation. Errors: ARGUMENT (names the field). */
SCREE_API scree_result scree_validate_zone(const scree_zone *zone);
/** Checks that the periodic images of a zone can be counted: it is at most 99 periods from the cell and,
 * unless `plane` is true (only its plane z = 0 is used), 100 periods wide. Errors: ARGUMENT (names the
 * field). */
SCREE_API scree_result scree_world_check_zone(const scree_world *world, const scree_zone *zone, bool plane);

/** A zone in double precision, for many calls. Local coordinates are relative to its centre, along its axes.
 */
typedef struct scree_zone_frame {
    scree_zone_kind kind;
    double size[3];      /**< m: half extents; radius in [0] and, of a cylinder, half height in [2] */
    double centre[3];    /**< m */
    double axes[3][3];   /**< its own axes in world coordinates */
    scree_quat rotation; /**< from its own axes to the world's, unit */
} scree_zone_frame;

/** Returns the frame of a valid zone. */
SCREE_API scree_zone_frame scree_zone_get_frame(const scree_zone *zone);
/** Returns the volume, m³; infinite for a half-space. */
SCREE_API double scree_zone_get_volume(const scree_zone_frame *zone);
/** Writes the local coordinates of a point, m, without periodic images. */
SCREE_API void scree_zone_get_local_point(const scree_zone_frame *zone, scree_vec3 point, double out[3]);
/** Returns a pose in local coordinates. */
SCREE_API scree_pose scree_zone_get_local_pose(const scree_zone_frame *zone, scree_pose pose);
/** Returns true if the zone contains a point given by local coordinates. */
SCREE_API bool scree_zone_holds_local(const scree_zone_frame *zone, const double local[3]);
/** Returns the fraction, 0 to 1, of the segment between two points that is inside; local coordinates. */
SCREE_API double scree_zone_get_segment_share(const scree_zone_frame *zone, const double a[3],
                                              const double b[3]);
/** Returns the volume of a shape inside the zone, m³; not for half-spaces. Exact in boxes and for spheres, to
 * 1e-8 for spheres in cylinders, and to 1 % for other shapes that the surface of a zone cuts. At most the
 * volume of the zone, which is the value for a shape that contains the zone. */
SCREE_API double scree_zone_cut_shape(const scree_zone_frame *zone, scree_shape shape, scree_pose pose);

/** Returns true if a periodic image of a point is in the zone. `local` receives local coordinates: of that
 * image, or of the image that is nearest to the centre if none is inside. */
SCREE_API bool scree_zone_holds(const scree_world *world, const scree_zone_frame *zone, scree_vec3 point,
                                double local[3]);
/** Writes the local coordinates of two points, both displaced by the whole periods that bring their midpoint
 * nearest to the centre of the zone. */
SCREE_API void scree_zone_get_local_pair(const scree_world *world, const scree_zone_frame *zone, scree_vec3 a,
                                         scree_vec3 b, double a_local[3], double b_local[3]);

/** Iterates over the periodic images of a zone: `while (scree_zone_images_next(&images)) use(&images.zone);`.
 */
typedef struct scree_zone_images {
    scree_zone_frame zone;      /**< the current image, once scree_zone_images_next has returned true */
    double first[3], length[3]; /**< private: centre of the first image, periods, m */
    int count[3], next;         /**< private */
} scree_zone_images;

/** Returns the images of a zone that may meet a bounding box (m); without periods, and along axes in which
 * the box is infinite, the zone itself only. */
SCREE_API scree_zone_images scree_zone_get_images(const scree_world *world, const scree_zone_frame *zone,
                                                  scree_box around);
/** Sets `zone` to the next image; returns false after the last. */
SCREE_API bool scree_zone_images_next(scree_zone_images *images);

#ifdef __cplusplus
}
#endif
#endif
