/** @file
 * What every step reports. */
#ifndef SCREE_STATISTICS_H
#define SCREE_STATISTICS_H

#include <scree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Wall time of each stage of a step, seconds. */
typedef struct scree_timing {
    double bounds;    /**< bounding boxes and the tree */
    double pairs;     /**< broadphase */
    double manifolds; /**< contact points and the cache */
    double problem;   /**< blocks, colours, order */
    double predict;   /**< free velocities */
    double solve;
    double integrate;
    double statistics; /**< the figures below, and the check for NaN */
    double total;
} scree_timing;

/** One step's figures. */
typedef struct scree_statistics {
    uint64_t step; /**< steps made since the world began, this one included */
    double time;   /**< simulated time after the step, s */
    int bodies;    /**< living bodies */
    int dynamic_bodies;
    int pairs;      /**< pairs whose bounds meet */
    int touching;   /**< pairs with at least one contact */
    int contacts;   /**< contact points, speculative ones included */
    int colours;    /**< colours in use, the tail not counted */
    int tail;       /**< contacts solved mass-split because the colours ran out */
    int cache_hits; /**< contacts warm-started from the cache */
    int regrown;    /**< buffers that had to grow in this step */
    scree_solve_report solve;
    double penetration_largest; /**< m, over overlapping contacts before the step; 0 if none */
    double penetration_mean;    /**< m, likewise */
    double
        solid_fraction; /**< share of the bulk that dynamic bodies fill, 0 … 1: volumes of those with their
                           centre in the box of one standard deviation of the centres to either side of their
                           mean (58 % of a filled container's width, height and depth); 0 below 2 bodies */
    double kinetic_energy;            /**< J, after the step, translation and rotation of dynamic bodies */
    double potential_energy;          /**< J, −Σ m s (g·x), s the gravity scale */
    double momentum[3];               /**< N s */
    double angular_momentum[3];       /**< N m s, about the origin */
    double static_impulse[3];         /**< N s that static and kinematic bodies received in this step */
    bool verified;                    /**< whether this step was also solved by `reference` */
    double verify_difference;         /**< m/s: largest difference of a velocity component from `reference` */
    double verify_backend_difference; /**< m/s: likewise between this backend and the other one (native or
                                         opencl); NaN if there is no other */
    double verify_residual;           /**< scaled residual that `reference` reached on the same problem */
    scree_timing timing;
} scree_statistics;

#ifdef __cplusplus
}
#endif
#endif
