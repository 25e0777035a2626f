/** @file
 * Flows: inlets, which add grains to a running world, and outlets, which remove and count them (including
 * grains that leave the domain). Both act at the end of a step. */
#ifndef SCREE_FLOW_H
#define SCREE_FLOW_H

#include <scree/body.h>
#include <scree/zone.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Definition of an inlet. */
typedef struct scree_inlet_def {
    scree_zone zone;     /**< random positions of the centres of new grains; not a half-space */
    scree_body_def body; /**< definition of each grain; dynamic. Its position is ignored. If its material is
                            destroyed later, grains get the default material */
    /** Sieve sizes, m, ascending, copied; null: the size of the shape. They are quantiles of the number
     * distribution at equal intervals from the smallest to the largest grain, linearly interpolated. In any
     * sequence of consecutive grains each size range has its share of their number to within four grains.
     * Requires zero body.mass and body.inertia. */
    const float *sizes;
    int size_count;       /**< 0 if `sizes` is null, else ≥ 1 */
    bool random_rotation; /**< true: uniformly distributed rotations instead of the body's */
    double mass_rate;     /**< kg/s, ≥ 0; exactly one of the two rates is > 0 */
    double rate;          /**< grains/s, ≥ 0 */
    double start, stop;   /**< s from now, 0 ≤ start < stop; INFINITY: without end */
    uint64_t count;       /**< largest number of grains; 0: no limit */
    uint64_t seed;        /**< equal worlds and seeds give equal grains */
    bool closed;          /**< true: adds nothing */
} scree_inlet_def;

/** Returns a box at the origin with half extents of 0.5 m, default bodies, no rate, from 0 s without end. */
SCREE_API scree_inlet_def scree_default_inlet_def(void);

/** Definition of an outlet. */
typedef struct scree_outlet_def {
    scree_zone zone;
    bool outside; /**< true: removes grains outside the zone instead of inside */
    bool stops;   /**< true: a step in which a grain would leave fails with CAPACITY */
    bool closed;  /**< true: removes nothing */
} scree_outlet_def;

/** Returns an outlet that removes all grains outside a box at the origin with half extents of 0.5 m. */
SCREE_API scree_outlet_def scree_default_outlet_def(void);

/** An inlet or outlet of one world; all zero is null. */
typedef struct scree_flow_id {
    uint32_t index; /**< slot + 1 */
    uint32_t generation;
    uint32_t world; /**< scree_world_get_number */
} scree_flow_id;

/** Totals of a flow. */
typedef struct scree_flow_state {
    bool inlet;      /**< true: an inlet, false: an outlet */
    uint64_t grains; /**< number of grains so far */
    double mass;     /**< mass of these grains, kg */
    bool waiting;    /**< the inlet's next grain is due but has no free position */
} scree_flow_state;

/** Makes an inlet; `out` may be null. A grain is added at the end of the first step in which the accumulated
 * rate covers the whole grain, so that mass and number equal rate × time to within one grain, and in which
 * its position is free: its bounding sphere overlaps nothing. Otherwise it waits and tries 32 other positions
 * in every step; the following grains queue behind it and catch up. A grain also waits while the world has
 * maximum_bodies. Grains that still wait after the step that contains `stop` are dropped. Errors: ARGUMENT
 * (names the field), HANDLE (material), MEMORY. */
SCREE_API scree_result scree_inlet_create(scree_world *world, const scree_inlet_def *def, scree_flow_id *out);
/** Makes an outlet; `out` may be null. Dynamic bodies whose centres are in its region at the end of a step
 * are destroyed and counted. In a periodic world a body is in the region if one of its periodic images is; a
 * half-space considers only the cell. Errors: ARGUMENT (including a zone more than 99 periods from the cell
 * or 100 periods wide), MEMORY. */
SCREE_API scree_result scree_outlet_create(scree_world *world, const scree_outlet_def *def,
                                           scree_flow_id *out);
/** Replaces the definition of an inlet. start, stop, count and the accumulated rate restart now; totals
 * continue and earlier random grains do not recur. Errors: HANDLE, and those of scree_inlet_create; the inlet
 * is then unchanged. */
SCREE_API scree_result scree_inlet_set_def(scree_world *world, scree_flow_id inlet,
                                           const scree_inlet_def *def);
/** Replaces the definition of an outlet; totals continue. Errors: HANDLE, ARGUMENT; the outlet is then
 * unchanged. */
SCREE_API scree_result scree_outlet_set_def(scree_world *world, scree_flow_id outlet,
                                            const scree_outlet_def *def);
/** Destroys an inlet or outlet. Errors: HANDLE. */
SCREE_API scree_result scree_flow_destroy(scree_world *world, scree_flow_id flow);
/** Returns true if `flow` exists. */
SCREE_API bool scree_flow_is_valid(const scree_world *world, scree_flow_id flow);
/** Returns the totals of a flow. Errors: HANDLE. */
SCREE_API scree_result scree_flow_get_state(const scree_world *world, scree_flow_id flow,
                                            scree_flow_state *out);
/** Writes the ids of up to `capacity` inlets and outlets to `out` (may be null if 0) and returns the total
 * number. */
SCREE_API int scree_flow_list(const scree_world *world, scree_flow_id *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
