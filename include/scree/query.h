/** @file
 * Spatial queries: rays, overlaps, ways of convex shapes, and nearest bodies.
 *
 * Results refer to the poses at the time of the call, and their order depends on nothing else. The first
 * query after a step or after a change of a body builds a tree of all bodies in O(n log n). Further queries
 * cost about the logarithm of the number of bodies plus the number of results and, within the bounds of a
 * solid, its triangles. In a periodic world all periodic images of a body are included, up to a hundred
 * periods from a ray's origin. A `filter` selects the bodies that a query sees; null: all bodies. */
#ifndef SCREE_QUERY_H
#define SCREE_QUERY_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Selects the bodies that a query sees. All zero: all bodies. */
typedef struct scree_query_filter {
    uint32_t mask; /**< sees only bodies in one of these groups (scree_body_def.groups); 0: all bodies, also
                      those in no group */
    const scree_body_id *ignored; /**< bodies that are not seen; may be null if `ignored_count` is 0 */
    int ignored_count;            /**< ≥ 0. Ids that are not alive have no effect */
    /** Returns false for a body that is not seen; null: all that pass the other tests are. May be called
     * several times for a body, in any order. It must not change the world or query it. */
    bool (*accepts)(const scree_world *world, scree_body_id body, void *user);
    void *user; /**< passed to `accepts` unchanged */
} scree_query_filter;

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
 * contains the ray's origin is not hit. `filter` may be null. Errors: ARGUMENT (names the field), MEMORY,
 * CAPACITY. */
SCREE_API scree_result scree_world_cast_ray(scree_world *world, const scree_ray *ray,
                                            const scree_query_filter *filter, scree_ray_hit *out);
/** Finds all bodies that a ray enters, ordered by distance, then by id. Writes the first `capacity` hits to
 * `out` (may be null if 0) and their total number to `count`. Each periodic image is a separate hit. `filter`
 * may be null. Errors: those of scree_world_cast_ray. */
SCREE_API scree_result scree_world_cast_ray_all(scree_world *world, const scree_ray *ray,
                                                const scree_query_filter *filter, scree_ray_hit *out,
                                                int capacity, int *count);

/** Finds the bodies that share a point with the sphere of `radius` (m, > 0) around `centre` (m), ordered by
 * id. Touching counts, within single precision. Writes the first `capacity` ids to `out` (may be null if 0)
 * and their total number to `count`. `filter` may be null. Errors: ARGUMENT (names the field), MEMORY,
 * CAPACITY. */
SCREE_API scree_result scree_world_overlap_sphere(scree_world *world, scree_vec3 centre, float radius,
                                                  const scree_query_filter *filter, scree_body_id *out,
                                                  int capacity, int *count);
/** Finds the bodies that share a point with a box of half extents `half` (m, each > 0) around `centre` (m),
 * rotated by `rotation` (unit within 0.0005). Otherwise as scree_world_overlap_sphere; `filter` may be null
 * and `out` may be null if `capacity` is 0. */
SCREE_API scree_result scree_world_overlap_box(scree_world *world, scree_vec3 centre, scree_vec3 half,
                                               scree_quat rotation, const scree_query_filter *filter,
                                               scree_body_id *out, int capacity, int *count);
/** Finds the bodies that share a point with a placed convex shape (scree_cast.placed). Otherwise as
 * scree_world_overlap_sphere; `filter` may be null and `out` may be null if `capacity` is 0. */
SCREE_API scree_result scree_world_overlap_shape(scree_world *world, const scree_placed_shape *placed,
                                                 const scree_query_filter *filter, scree_body_id *out,
                                                 int capacity, int *count);

/** The way of a convex shape, without rotation. */
typedef struct scree_cast {
    scree_placed_shape placed; /**< at the start: a sphere, box, capsule, cylinder, cone, ellipsoid or hull.
                                  In a periodic world at most one period long */
    scree_vec3 translation;    /**< m, to the end; any length > 0 */
} scree_cast;

/** The first contact of a shape on its way. */
typedef struct scree_cast_hit {
    scree_body_id body; /**< null: the shape meets nothing */
    int child;          /**< child of a compound, sphere of a clump or triangle of a mesh or solid; else 0 */
    float fraction;     /**< of the translation until the contact, 0 to 1; 1 without a contact */
    scree_vec3 point;   /**< of the contact, m */
    scree_vec3 normal;  /**< unit, outward from the body's surface */
} scree_cast_hit;

/** Finds the first body that a convex shape meets on its way; at equal distances the body with the lower id,
 * and its lower child. The shape stops within 5e-7 of its half width, and the rounding of positions, before
 * the surface. A body that the shape touches or overlaps at the start is met at fraction 0 if the way leads
 * further into it, against `normal`, and not at all if it leads along its surface or out of it. A solid is
 * met at 0 if it contains the origin of the shape. `filter` may be null. Errors: ARGUMENT (names the field),
 * MEMORY, CAPACITY. */
SCREE_API scree_result scree_world_cast_shape(scree_world *world, const scree_cast *cast,
                                              const scree_query_filter *filter, scree_cast_hit *out);

/** The body nearest to a shape. */
typedef struct scree_nearest {
    scree_body_id body; /**< null: none within the distance */
    int child;          /**< as in scree_cast_hit */
    float distance; /**< m; negative: depth of the overlap with a convex child, 0 inside a solid; the largest
                       distance if there is no body */
    scree_vec3 point;  /**< of the body, nearest to the shape, m */
    scree_vec3 other;  /**< of the shape, nearest to the body, m */
    scree_vec3 normal; /**< unit, from the body to the shape, along which they are `distance` apart */
} scree_nearest;

/** Finds the body nearest to a placed shape, as in scree_cast, up to `distance` (m, > 0, finite); at equal
 * distances the body with the lower id, and its lower child. Among overlapping bodies the deepest is the
 * nearest. A sphere may have radius 0: a point. In a periodic world the bodies of the shape's cell and of the
 * cells around it are found. `filter` may be null. Errors: ARGUMENT (names the field), MEMORY, CAPACITY. */
SCREE_API scree_result scree_world_find_nearest(scree_world *world, const scree_placed_shape *placed,
                                                float distance, const scree_query_filter *filter,
                                                scree_nearest *out);

#ifdef __cplusplus
}
#endif
#endif
