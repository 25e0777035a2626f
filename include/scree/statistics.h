/** @file
 * Statistics of a step. */
#ifndef SCREE_STATISTICS_H
#define SCREE_STATISTICS_H

#include <scree/body.h>
#include <scree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Wall time of the stages of a step, s. */
typedef struct scree_timing {
    double bounds;    /**< bounding boxes and their tree */
    double pairs;     /**< broadphase */
    double manifolds; /**< contact points and contact cache; with the pipeline `device` also the search for
                         their pairs */
    double problem;   /**< blocks, colours, order */
    double predict;   /**< free velocities */
    double solve;
    double integrate;
    double statistics; /**< preparation, checks for NaN, verification, inlets and outlets, scree_statistics */
    double total;
    double first_solve; /**< part of `solve` spent in the first solve of the step */
} scree_timing;

/** Work of an OpenCL device in a step; all zero for other backends. */
typedef struct scree_device_traffic {
    int launches;                  /**< kernel launches, and copies and fills within the device */
    int waits;                     /**< number of times that the host waited for the device */
    uint64_t bytes_up, bytes_down; /**< copied to and from the device */
    double busy; /**< time in kernels from OpenCL events, s; 0 without scree_world_def.profile */
} scree_device_traffic;

/** Statistics of one step. */
typedef struct scree_statistics {
    uint64_t step; /**< steps since the world was made, including this one */
    double time;   /**< simulated time after the step, s */
    int bodies;    /**< living bodies after inlets and outlets acted */
    int dynamic_bodies;
    int pairs;      /**< pairs with overlapping bounds */
    int touching;   /**< pairs of bodies that touch: with an impulse that is not zero, or a gap of at most 0
                       before the step (the definition of scree_world_set_contact_events) */
    int contacts;   /**< contact points, including speculative ones */
    int late;       /**< contacts that a detection pass after the first solve found or moved */
    int colours;    /**< colours in use, without the uncoloured remainder */
    int remainder;  /**< uncoloured remainder: contacts solved with mass splitting */
    int cache_hits; /**< contacts warm-started from the cache */
    int joints;     /**< including broken ones */
    int joints_broken;            /**< joints that broke in this step */
    double joint_error_max;       /**< largest scree_joint_state.error after the step, m */
    double joint_angle_error_max; /**< largest scree_joint_state.angle_error after the step, rad */
    int regrown;                  /**< buffers that grew in this step */
    int inserted, removed; /**< grains added by inlets and removed by outlets at the end of this step */
    uint64_t inserted_total, removed_total; /**< since the existing flows were made */
    double inserted_mass, removed_mass;     /**< mass of these grains, kg */
    int inlets_waiting;                     /**< inlets whose next grain is due but has no free position */
    scree_solve_report solve;       /**< of all solves of the step; several if new contacts were found */
    scree_solve_report first_solve; /**< of the first solve, which has contacts − late contacts */
    double penetration_max;         /**< largest overlap before the step, m; 0 if none */
    double penetration_mean;        /**< mean over overlapping contacts before the step, m; 0 if none */
    /** Largest travel in a step relative to size: max h |v| / half width over all dynamic and kinematic
     * bodies after the step (scree_shape_get_half_width). Above about 1, impacts need more detection passes:
     * overlaps become deeper and steps slower. */
    double travel_max;
    double dynamic_mass;        /**< of all dynamic bodies, kg */
    double kinetic_energy;      /**< translation and rotation of dynamic bodies after the step, J */
    double potential_energy;    /**< −Σ m s (g·x), s the gravity scale, J */
    double momentum[3];         /**< N s */
    double angular_momentum[3]; /**< about the origin, N m s */
    double static_impulse[3]; /**< impulse on static and kinematic bodies, and by joints on the world, in this
                                 step, N s */
    bool verified;            /**< true: the step was also solved by `reference` (scree_world_set_verify) */
    double verify_difference; /**< largest difference of a velocity component from `reference`, m/s */
    double verify_backend_difference; /**< largest difference from the other backend (native or opencl), m/s;
                                         NaN without another backend */
    double verify_residual;           /**< scaled residual of `reference` on the same problem */
    scree_timing timing;
    scree_device_traffic device;
    scree_device_traffic device_pairs; /**< part of `device` in searches for pairs of bodies; all zero where
                                          the host searches (scree_pipeline) */
    scree_device_traffic device_contacts; /**< part of `device` in the search for contacts; all zero where the
                                             host searches */
    const char *contacts_barrier; /**< why the host searched for contacts although the pipeline is `device`,
                                     such as "the world is periodic"; NULL: it did not */
    uint64_t sweep_bytes;         /**< bytes of constraints, impulses and bodies that a forward sweep over the
                                     contacts of the last solve reads and writes, each counted once; without momentum
                                     and residual tests. 0 without scree_world_def.profile and for `reference` */
} scree_statistics;

#ifdef __cplusplus
}
#endif
#endif
