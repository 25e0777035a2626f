/** @file
 * What every step reports. */
#ifndef SCREE_STATISTICS_H
#define SCREE_STATISTICS_H

#include <scree/body.h>
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
    double first_solve; /**< of `solve`, what the first of a step's solves took */
} scree_timing;

/** What a step asked of an OpenCL device; all zero where the backend is none. */
typedef struct scree_device_traffic {
    int launches;                  /**< of kernels, and copies and fills within the device */
    int waits;                     /**< times that the host stood still until the device was done */
    uint64_t bytes_up, bytes_down; /**< copied to the device and back */
    double busy; /**< s in kernels, from OpenCL's events; 0 unless scree_world_def.profile */
} scree_device_traffic;

/** One step's figures. */
typedef struct scree_statistics {
    uint64_t step; /**< steps made since the world began, this one included */
    double time;   /**< simulated time after the step, s */
    int bodies;    /**< living bodies, after what flows did */
    int dynamic_bodies;
    int pairs;      /**< pairs whose bounds meet */
    int touching;   /**< pairs with at least one contact */
    int contacts;   /**< contact points, speculative ones included */
    int late;       /**< of them, those found, or found to lie elsewhere, only after a first solve had driven
                       bodies towards each other or turned them */
    int colours;    /**< colours in use, the tail not counted */
    int remainder;  /**< contacts solved mass-split because the colours ran out */
    int cache_hits; /**< contacts warm-started from the cache */
    int joints;     /**< broken ones included */
    int joints_broken;      /**< that broke in this step */
    double joint_error_max; /**< m: the largest error of a joint after the step (scree_joint_state) */
    int regrown;            /**< buffers that had to grow in this step */
    int inserted, removed;  /**< grains that came in through inlets, and went out through outlets, at the end
                               of this step */
    uint64_t inserted_total, removed_total; /**< by the flows that there are, since they were made */
    double inserted_mass, removed_mass;     /**< kg, likewise */
    int inlets_waiting;                     /**< inlets whose next grain is due and finds no place */
    scree_solve_report solve; /**< of all solves of the step, which are several where contacts are late */
    scree_solve_report first_solve; /**< of the first one, which has `contacts` less `late` of them */
    /** Where solve.stop is SCREE_STOP_INFEASIBLE, two bodies that are pressed into each other by what cannot
     * yield, such as a grain and the plate that crushes it; else zero. It is looked for around contacts that
     * close, in spite of the solve, at more than 0.05 of what gravity adds in a step and of what would close
     * around them without the solve, however fast other bodies are: first after 4 steps in which
     * solve.violation is above 1e-5, then at rarer steps, at least every 64, and a few steps after
     * solve.violation rises above 0.05. Both bodies are alive and one of them is still pressed. */
    scree_body_id infeasible_a, infeasible_b;
    double penetration_max;  /**< m, over overlapping contacts before the step; 0 if none */
    double penetration_mean; /**< m, likewise */
    /** How far a body goes within a step: the largest h |v| over half size, of all dynamic and kinematic
     * bodies after the step; the half size is the smallest of the body's. Above about 1, more of what happens
     * in an impact has to be found out within the step: overlaps get deeper, and steps dearer. */
    double travel_max;
    double dynamic_mass;              /**< kg, of all dynamic bodies */
    double kinetic_energy;            /**< J, after the step, translation and rotation of dynamic bodies */
    double potential_energy;          /**< J, −Σ m s (g·x), s the gravity scale */
    double momentum[3];               /**< N s */
    double angular_momentum[3];       /**< N m s, about the origin */
    double static_impulse[3];         /**< N s that static and kinematic bodies, and the world by joints,
                                         received in this step */
    bool verified;                    /**< whether this step was also solved by `reference` */
    double verify_difference;         /**< m/s: largest difference of a velocity component from `reference` */
    double verify_backend_difference; /**< m/s: likewise between this backend and the other one (native or
                                         opencl); NaN if there is no other */
    double verify_residual;           /**< scaled residual that `reference` reached on the same problem */
    scree_timing timing;
    scree_device_traffic device;
    uint64_t sweep_bytes; /**< that a forward sweep over the contacts of the last solve reads and writes of
                             constraints, impulses and bodies, each once and wherever it lies; momentum and
                             tests of the residual are not counted. 0 unless scree_world_def.profile, and of
                             `reference` */
} scree_statistics;

/** Why there is no bulk. */
typedef enum scree_bulk_status {
    SCREE_BULK_FOUND,  /**< there is one */
    SCREE_BULK_EMPTY,  /**< no body is dynamic */
    SCREE_BULK_NARROW, /**< the box is less than 2 mean diameters wide: a single layer, a few grains */
    SCREE_BULK_GAPS,   /**< some part of the box is empty: a heap, a scattered gas */
    SCREE_BULK_LACK_COUNT
} scree_bulk_status;

/** The inside of a pile, away from walls and free surfaces, and how densely it is filled. The box has its
 * faces at centres of dynamic bodies: along each world axis those that 15 % of all centres lie before and
 * behind (one body far away does not matter). Where some part of that box, 2 mean diameters wide, is empty,
 * since the pile is no block, 20, 25, 30 and 35 % are tried. There is no bulk, and everything is NaN, if that
 * does not help or the box is less than 2 mean diameters wide: in a single layer, a heap of few grains, a
 * scattered gas. */
typedef struct scree_bulk {
    double lower[3], upper[3]; /**< m: the box */
    double solid_fraction; /**< volume of the dynamic bodies over that of the box, 0 … 1: all shapes are cut
                              at its faces exactly; overlaps count twice, and what static and kinematic bodies
                              take of the box is no part of it */
    scree_bulk_status lack; /**< what was wrong with the largest of the boxes */
} scree_bulk;

#ifdef __cplusplus
}
#endif
#endif
