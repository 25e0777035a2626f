/** @file
 * Statistics of a step. */
#ifndef SCREE_STATISTICS_H
#define SCREE_STATISTICS_H

#include <scree/body.h>
#include <scree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Wall time of the phases of a step, s: sums of its stages. */
typedef struct scree_timing {
    double bounds;     /**< bounding boxes and their tree */
    double pairs;      /**< broadphase */
    double manifolds;  /**< contact points and contact cache; with the pipeline `device` also the search for
                          their pairs */
    double problem;    /**< blocks, colours, order */
    double predict;    /**< free velocities */
    double solve;      /**< velocity and position passes, over all detection passes */
    double integrate;  /**< poses, impulses of contacts and joints */
    double statistics; /**< preparation, checks for NaN, verification, inlets and outlets, scree_statistics */
    double total;      /**< the whole step */
    double first_solve; /**< part of `solve` spent in the first solve of the step */
} scree_timing;

/** Stages of a step. Each moment of a step belongs to one of them; detection passes assemble and solve again,
 * which counts to those stages. */
typedef enum scree_step_stage {
    SCREE_STAGE_BOUNDS,    /**< boxes around the bodies */
    SCREE_STAGE_PAIRS,     /**< pairs of boxes that meet */
    SCREE_STAGE_CONTACTS,  /**< contact points, matched with those of the last step */
    SCREE_STAGE_ROWS,      /**< blocks of contacts and joints, their order and incidence */
    SCREE_STAGE_COLOURS,   /**< colours of the blocks: those of a colour share no movable body */
    SCREE_STAGE_PREDICT,   /**< free velocities */
    SCREE_STAGE_SOLVE,     /**< the velocity pass; with `substep` all substeps */
    SCREE_STAGE_POSITIONS, /**< the position pass of `split` */
    SCREE_STAGE_INTEGRATE, /**< poses, impulses of contacts and joints */
    SCREE_STAGE_DETECTION, /**< search for contacts of the trial motion */
    SCREE_STAGE_COMMIT, /**< preparation, checks for NaN, verification, commit, inlets and outlets, statistics
                         */
    SCREE_STAGE_COUNT
} scree_step_stage;

/** Returns "bounds", "pairs" and so on; null outside the range. */
SCREE_API const char *scree_step_stage_name(scree_step_stage stage);

/** Work of an OpenCL device in a step or a stage; all zero for other backends. */
typedef struct scree_device_traffic {
    int launches;                  /**< kernel launches, and copies and fills within the device */
    int waits;                     /**< number of times that the host waited for the device */
    uint64_t bytes_up, bytes_down; /**< copied to and from the device */
    uint64_t work_items;           /**< of all kernel launches */
    double busy; /**< time in kernels from OpenCL events, s; 0 without scree_world_def.profile */
} scree_device_traffic;

/** Time and device work of a stage. A device may still work for a stage while the host is in the next one. */
typedef struct scree_stage_report {
    double seconds;              /**< wall time of the host */
    scree_device_traffic device; /**< commands enqueued in this stage, and waits */
} scree_stage_report;

/** Whose time a span is. */
typedef enum scree_track {
    SCREE_TRACK_STEPS,   /**< a whole step */
    SCREE_TRACK_HOST,    /**< a stage on the host */
    SCREE_TRACK_KERNELS, /**< a launch on the device */
    SCREE_TRACK_COPIES,  /**< a copy or fill on the device, or between it and the host */
    SCREE_TRACK_COUNT
} scree_track;

/** A span of time within a step. */
typedef struct scree_trace_span {
    scree_track track;
    scree_step_stage stage;
    const char *name;    /**< of the stage, kernel or buffer; valid as long as the world */
    double begin, end;   /**< s of a monotonic clock of the host. Times of the device are shifted to it by one
                            offset for each step, so that no command is queued before the call that did it */
    uint64_t work_items; /**< of a launch */
    uint64_t bytes;      /**< of a copy or fill */
} scree_trace_span;

/** Statistics of one step. */
typedef struct scree_statistics {
    uint64_t step;      /**< steps since the world was made, including this one */
    double time;        /**< simulated time after the step, s */
    int bodies;         /**< living bodies after inlets and outlets acted */
    int dynamic_bodies; /**< those of them that are dynamic */
    int pairs;          /**< pairs with overlapping bounds */
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
    uint64_t device_memory;                       /**< bytes of the buffers on the device after the step */
    scree_stage_report stages[SCREE_STAGE_COUNT]; /**< the parts of `timing.total` and of `device`; timing:
                          pairs includes detection, problem is rows and colours, solve includes positions */
    const char
        *contacts_barrier; /**< why the host searched for contacts although the pipeline is `device`,
                              such as "a body reaches beyond the cells next to its own"; NULL: it did not */
    const char *stay_barrier; /**< why contacts that the device had found were brought to the host in the step,
                                 such as "the stabilisation is substep"; NULL: they were not */
    uint64_t sweep_bytes;  /**< bytes of constraints, impulses and bodies that a forward sweep over the
                              contacts of the last solve reads and writes, each counted once; without momentum
                              and residual tests. 0 without scree_world_def.profile and for
                                     `reference` */
} scree_statistics;

#ifdef __cplusplus
}
#endif
#endif
