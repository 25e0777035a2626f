/** @file
 * Views of the arrays of a world, for tools that read all bodies. */
#ifndef SCREE_COLUMNS_H
#define SCREE_COLUMNS_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A column of an array of structs: value i is at `base` + i · `stride` bytes. */
typedef struct scree_strided_column {
    const void *base; /**< of value 0 */
    size_t stride;    /**< bytes from one value to the next */
} scree_strided_column;

/** Read-only view of the bodies of a world. Value i of each column belongs to slot i, whose body has the id
 * index i + 1. Valid until the world changes. */
typedef struct scree_body_columns {
    int count;                   /**< number of slots, including free ones */
    const uint8_t *types;        /**< 1 + scree_body_type; 0: free slot */
    const uint32_t *generations; /**< of the ids */
    const scree_shape *shapes;
    const int *materials;                /**< index of the material's id − 1 */
    scree_strided_column positions;      /**< 3 floats, m */
    scree_strided_column rotations;      /**< 4 floats, as in scree_quat */
    scree_strided_column velocities;     /**< 3 floats, m/s */
    scree_strided_column spins;          /**< angular velocities, 3 floats, rad/s */
    scree_strided_column masses;         /**< 1 float, kg; 0: not dynamic */
    scree_strided_column inertias;       /**< 3 floats, kg m², principal moments */
    scree_strided_column gravity_scales; /**< 1 float */
    scree_strided_column locks;          /**< 1 int, scree_lock bits */
    const int *periods; /**< 3 a slot, as scree_body_get_periods; null: the world is not periodic */
    /** Not 0 if the body joins its own periodic images without a gap, like a floor as long as a period; null:
     * none */
    const uint8_t *endless;
} scree_body_columns;

/** Fills a view of the bodies. Errors: ARGUMENT (null). */
SCREE_API scree_result scree_world_get_columns(const scree_world *world, scree_body_columns *out);

#ifdef __cplusplus
}
#endif
#endif
