/** @file
 * Questions about where bodies are: rays, and what overlaps a sphere or a box. Answers are those of the poses
 * at the moment of the call, in an order that depends on nothing else. The first question after a step or a
 * change of a body sorts all bodies into a tree, O(n log n); further ones cost about the logarithm of their
 * number and the answers, and, within the bounds of a solid, its triangles. In a periodic world all images of
 * a body are there, as far as a hundred periods from a ray's origin. */
#ifndef SCREE_QUERY_H
#define SCREE_QUERY_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A ray from a point along a direction. */
typedef struct scree_ray {
    scree_vec3 origin;    /**< m */
    scree_vec3 direction; /**< of any length above 0 */
    float distance;       /**< how far it reaches, m, > 0; may be infinite */
} scree_ray;

/** Where a ray enters a body. */
typedef struct scree_ray_hit {
    scree_body_id body; /**< null: the ray meets nothing */
    float distance;     /**< from the ray's origin, m */
    scree_vec3 point;   /**< m */
    scree_vec3 normal;  /**< unit, outward from the body's surface */
} scree_ray_hit;

/** The first body that a ray enters; of two at the same distance that of the lower id. A body that the ray
 * begins in is not met. Errors: ARGUMENT (names the field), MEMORY, CAPACITY. */
SCREE_API scree_result scree_world_cast_ray(scree_world *world, const scree_ray *ray, scree_ray_hit *out);
/** All bodies that a ray enters, by distance and then by id: the first `capacity` of them go to `out` (null
 * with 0), their number to `count`. Images count one by one. Errors: as scree_world_cast_ray. */
SCREE_API scree_result scree_world_cast_ray_all(scree_world *world, const scree_ray *ray, scree_ray_hit *out,
                                                int capacity, int *count);

/** The bodies that share a point with a sphere around `centre` (m) of `radius` (m, > 0), in the order of
 * their ids: the first `capacity` of them go to `out` (null with 0), their number to `count`. Touching
 * counts, to within single precision. Errors: ARGUMENT (names the field), MEMORY, CAPACITY. */
SCREE_API scree_result scree_world_overlap_sphere(scree_world *world, scree_vec3 centre, float radius,
                                                  scree_body_id *out, int capacity, int *count);
/** The same for a box of half extents `half` (m, each > 0), turned by `rotation`. Errors: as
 * scree_world_overlap_sphere. */
SCREE_API scree_result scree_world_overlap_box(scree_world *world, scree_vec3 centre, scree_vec3 half,
                                               scree_quat rotation, scree_body_id *out, int capacity,
                                               int *count);

#ifdef __cplusplus
}
#endif
#endif
