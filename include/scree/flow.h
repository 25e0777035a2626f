/** @file
 * Flows: inlets through which grains come into a world while it runs, and outlets that take them out and
 * count them, bounds of the domain among these. Both act at the end of a step. */
#ifndef SCREE_FLOW_H
#define SCREE_FLOW_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_zone_kind {
    SCREE_ZONE_BOX,        /**< size: half of each side */
    SCREE_ZONE_CYLINDER,   /**< about its own z axis; size.x: radius, size.z: half of its height */
    SCREE_ZONE_SPHERE,     /**< size.x: radius */
    SCREE_ZONE_HALF_SPACE, /**< all below its own plane z = 0 */
    SCREE_ZONE_COUNT
} scree_zone_kind;

/** "box", "cylinder", "sphere", "half-space". Null outside the range. */
SCREE_API const char *scree_zone_kind_name(scree_zone_kind kind);

/** A part of space. */
typedef struct scree_zone {
    scree_zone_kind kind;
    scree_vec3 size;     /**< m, > 0; what the kind does not name is not looked at */
    scree_vec3 position; /**< m: its centre, or a point of its plane */
    scree_quat rotation; /**< unit */
} scree_zone;

/** What a new inlet needs. */
typedef struct scree_inlet_def {
    scree_zone zone;     /**< centres of new grains are in it, at random; no half-space */
    scree_body_def body; /**< of each grain; dynamic; its position is not looked at, and of a material that
                            was destroyed the default one takes the place */
    const float *sizes; /**< m, rising, copied: what a sieve sees of the grains at even shares of their number
                           from the smallest to the largest, even between two; null: the shape's own. Of any
                           grains that come one after the other each range of sizes has its share of their
                           number but for less than four */
    int size_count;     /**< 0 with null, else ≥ 1 */
    bool random_rotation; /**< even over all, in place of the body's */
    double mass_rate;     /**< kg/s, ≥ 0 */
    double rate;          /**< grains/s, ≥ 0; this or the mass rate is above 0 */
    double start, stop;   /**< s from now, 0 ≤ start < stop; INFINITY: without end */
    uint64_t count;       /**< most grains in all; 0: no limit */
    uint64_t seed;        /**< equal worlds and seeds give equal grains */
    bool closed;          /**< whether nothing comes in */
} scree_inlet_def;

/** A box at the origin with half sides of 0.5 m, default bodies, no rate, from 0 s without end. */
SCREE_API scree_inlet_def scree_default_inlet_def(void);

/** What a new outlet needs. */
typedef struct scree_outlet_def {
    scree_zone zone;
    bool outside; /**< whether what is outside of the zone leaves, in place of what is inside */
    bool stops;   /**< whether a step in which a grain would leave fails with CAPACITY instead */
    bool closed;  /**< whether nothing leaves */
} scree_outlet_def;

/** Takes what is outside of a box of half sides of 0.5 m at the origin. */
SCREE_API scree_outlet_def scree_default_outlet_def(void);

/** An inlet or outlet of one world; all zero is null. */
typedef struct scree_flow_id {
    uint32_t index; /**< place + 1 */
    uint32_t generation;
    uint32_t world;
} scree_flow_id;

/** What went through so far. */
typedef struct scree_flow_state {
    bool inlet;
    uint64_t grains;
    double mass;  /**< kg */
    bool waiting; /**< whether an inlet's next grain is due and finds no place */
} scree_flow_state;

/** Makes an inlet. A grain comes at the end of the first step at which the rate has made room for all of it,
 * so that mass and number are the rate times the time within a grain, and when its place is free: its
 * circumscribed sphere overlaps nothing. Else it waits, tries 32 other places in every step, and the next
 * ones wait behind it and catch up; so it does where maximum_bodies are reached. `out` may be null. Errors:
 * ARGUMENT (names the field), HANDLE (material), MEMORY. */
SCREE_API scree_result scree_inlet_create(scree_world *world, const scree_inlet_def *def, scree_flow_id *out);
/** Makes an outlet: dynamic bodies whose centres are there at the end of a step are destroyed and counted. In
 * a periodic world those are there that an image is of, but for a half-space, which sees the cell. Errors:
 * ARGUMENT (also a zone more than 99 periods from the cell or 100 wide), MEMORY. */
SCREE_API scree_result scree_outlet_create(scree_world *world, const scree_outlet_def *def,
                                           scree_flow_id *out);
/** Gives an inlet another definition from now on: start, stop, count and what the rate has made room for
 * count from here, while what came in so far stays counted and its grains are never repeated. Errors: HANDLE,
 * and as scree_inlet_create; then it is as it was. */
SCREE_API scree_result scree_inlet_set_def(scree_world *world, scree_flow_id inlet,
                                           const scree_inlet_def *def);
/** Likewise an outlet. Errors: HANDLE, ARGUMENT. */
SCREE_API scree_result scree_outlet_set_def(scree_world *world, scree_flow_id outlet,
                                            const scree_outlet_def *def);
/** Errors: HANDLE. */
SCREE_API scree_result scree_flow_destroy(scree_world *world, scree_flow_id flow);
SCREE_API bool scree_flow_is_valid(const scree_world *world, scree_flow_id flow);
/** Errors: HANDLE. */
SCREE_API scree_result scree_flow_get_state(const scree_world *world, scree_flow_id flow,
                                            scree_flow_state *out);
/** The ids of all, as scree_body_list. */
SCREE_API int scree_flow_list(const scree_world *world, scree_flow_id *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
