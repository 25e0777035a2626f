/** @file
 * Zones: regions of space in which inlets, outlets and gauges act. */
#ifndef SCREE_ZONE_H
#define SCREE_ZONE_H

#include <scree/core.h>

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
    scree_quat rotation; /**< unit */
} scree_zone;

#ifdef __cplusplus
}
#endif
#endif
