/** @file
 * Spatial queries: rays, and overlaps with a sphere or a box.
 *
 * Results refer to the poses at the time of the call, and their order depends on nothing else. The first
 * query after a step or after a change of a body builds a tree of all bodies in O(n log n). Further queries
 * cost about the logarithm of the number of bodies plus the number of results and, within the bounds of a
 * solid, its triangles. In a periodic world all periodic images of a body are included, up to a hundred
 * periods from a ray's origin. */
#ifndef SCREE_QUERY_H
#define SCREE_QUERY_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A ray. */
typedef struct scree_ray {
    scree_vec3 origin;    /**< m */
    scree_vec3 direction; /**< any length > 0 */
    float distance;       /**< length of the ray, m, > 0; may be infinite */
} scree_ray;

/** The point where a ray enters a body. */
typedef struct scree_ray_hit {
    scree_body_id body; /**< null: the ray hits nothing */
    float distance;     /**< from the ray's origin, m */
    scree_vec3 point;   /**< m */
    scree_vec3 normal;  /**< unit, outward from the body's surface */
} scree_ray_hit;

/** Finds the first body that a ray enters; at equal distances the body with the lower id. A body that
 * contains the ray's origin is not hit. Errors: ARGUMENT (names the field), MEMORY, CAPACITY. */
SCREE_API scree_result scree_world_cast_ray(scree_world *world, const scree_ray *ray, scree_ray_hit *out);
/** Finds all bodies that a ray enters, ordered by distance, then by id. Writes the first `capacity` hits to
 * `out` (may be null if 0) and their total number to `count`. Each periodic image is a separate hit. Errors:
 * those of scree_world_cast_ray. */
SCREE_API scree_result scree_world_cast_ray_all(scree_world *world, const scree_ray *ray, scree_ray_hit *out,
                                                int capacity, int *count);

/** Finds the bodies that share a point with the sphere of `radius` (m, > 0) around `centre` (m), ordered by
 * id. Touching counts, within single precision. Writes the first `capacity` ids to `out` (may be null if 0)
 * and their total number to `count`. Errors: ARGUMENT (names the field), MEMORY, CAPACITY. */
SCREE_API scree_result scree_world_overlap_sphere(scree_world *world, scree_vec3 centre, float radius,
                                                  scree_body_id *out, int capacity, int *count);
/** Finds the bodies that share a point with a box of half extents `half` (m, each > 0) around `centre` (m),
 * rotated by `rotation`. Output and errors as in scree_world_overlap_sphere. */
SCREE_API scree_result scree_world_overlap_box(scree_world *world, scree_vec3 centre, scree_vec3 half,
                                               scree_quat rotation, scree_body_id *out, int capacity,
                                               int *count);

#ifdef __cplusplus
}
#endif
#endif
