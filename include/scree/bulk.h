/** @file
 * The bulk: the interior of a pile and its solid fraction. */
#ifndef SCREE_BULK_H
#define SCREE_BULK_H

#include <scree/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether a pile has a bulk, or why not. */
typedef enum scree_bulk_status {
    SCREE_BULK_FOUND,  /**< the bulk was found */
    SCREE_BULK_EMPTY,  /**< there are no dynamic bodies */
    SCREE_BULK_NARROW, /**< the box is narrower than 2 mean diameters: a single layer, a few grains */
    SCREE_BULK_GAPS,   /**< a part of the box is empty: a heap, a gas, falling grains */
    SCREE_BULK_STATUS_COUNT
} scree_bulk_status;

/** The bulk: the interior of a pile, away from walls and free surfaces, and its solid fraction. The faces of
 * the box are at the 15 % and 85 % quantiles of the centres of the dynamic bodies along each world axis, so
 * distant outliers have no effect. If no body reaches some cell of the box, which is a mean diameter wide,
 * quantiles of 20, 25, 30 and 35 % are tried. If that fails, or the box is narrower than 2 mean diameters,
 * there is no bulk and all values are NaN. */
typedef struct scree_bulk {
    double lower[3], upper[3]; /**< corners of the box, m */
    double solid_fraction; /**< volume of the dynamic bodies in the box over the volume of the box, 0 … 1.
                              Shapes are cut exactly at its faces; overlaps count twice; the volume that
                              static and kinematic bodies occupy is excluded from the box */
    scree_bulk_status status; /**< of the largest box; SCREE_BULK_FOUND if any box is the bulk */
} scree_bulk;

/** Finds the bulk of the pile in its current state. Costs about as much as sorting the bodies, so steps do
 * not do it. Errors: MEMORY. */
SCREE_API scree_result scree_world_get_bulk(const scree_world *world, scree_bulk *out);

#ifdef __cplusplus
}
#endif
#endif
