/** @file
 * The world: bodies, materials, and the step that advances them.
 *
 * Threads: use a world from one thread at a time. Different threads may use different worlds at once, on any
 * backend; the library serialises enumeration, opening and closing of OpenCL devices. Writing or reading
 * frames and checkpoints in several threads at once requires a thread-safe build of HDF5. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include <scree/bulk.h>
#include <scree/contact.h>
#include <scree/device.h>
#include <scree/group.h>
#include <scree/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Implementations of the solver. */
typedef enum scree_backend_kind {
    SCREE_BACKEND_AUTO,      /**< a GPU if there is one, else native */
    SCREE_BACKEND_OPENCL,    /**< OpenCL kernels in single precision */
    SCREE_BACKEND_NATIVE,    /**< the same functions in C, single precision */
    SCREE_BACKEND_REFERENCE, /**< verification: double precision, plain sweeps to convergence over A assembled
                                in blocks; slow */
    SCREE_BACKEND_HOST, /**< stand-alone problems only (problem.h), not for worlds: double precision, momentum
                           and a second-order phase, one thread */
    SCREE_BACKEND_COUNT
} scree_backend_kind;

/** Returns "auto", "opencl", "native", "reference" or "host"; null outside the range. */
SCREE_API const char *scree_backend_name(scree_backend_kind kind);

/** Where the stages of a step run that `host` leaves to the processor. Results do not depend on it, where the
 * device rounds as the processor does (scree_device_info.correctly_rounded). */
typedef enum scree_pipeline {
    SCREE_PIPELINE_AUTO, /**< device on a GPU, else host */
    SCREE_PIPELINE_HOST, /**< the device only solves and moves the bodies */
    /** It also searches for pairs of bodies and for their contacts, except where
     * scree_statistics.contacts_barrier has a reason. It also applies cohesion, makes the rows of contacts,
     * arranges them and makes the detection passes, and keeps the contacts until a call reads them, except
     * where scree_statistics.stay_barrier has a reason: substeps, verification, more than 32 materials;
     * `opencl` only. */
    SCREE_PIPELINE_DEVICE,
    SCREE_PIPELINE_COUNT
} scree_pipeline;

/** Returns "auto", "host" or "device"; null outside the range. */
SCREE_API const char *scree_pipeline_name(scree_pipeline pipeline);

/** Threads of the caller that run slices of a step, for a program with a pool or job system of its own. */
typedef struct scree_tasks {
    void *context; /**< given to `run` */
    /** Calls task(data, i) once for each i from 0 to count − 1 and returns when all calls have returned. The
     * calls may be made by any threads, at the same time or one after the other, in any order, also by the
     * calling thread; their floating-point environment is that of the calling thread. A thread with 128 kB of
     * stack suffices. The thread that steps or queries the world calls `run`, up to some hundred times in a
     * step; `count` is at most `threads`. `run` must not call functions of this world. Null: the world has
     * threads of its own. */
    void (*run)(void *context, int count, void (*task)(void *data, int index), void *data);
} scree_tasks;

/** Definition of a world. */
typedef struct scree_world_def {
    scree_vec3 gravity;         /**< m/s² */
    double time_step;           /**< h, s, > 0; rounded to the precision of the backend in a step */
    float speculative_distance; /**< speculative margin, m, ≥ 0: contacts are made for gaps up to this plus
                                   the approach of the bodies in a step */
    /** Period along each axis, m, ≥ 0; 0: not periodic. Bodies are kept in the cell of these lengths around
     * `period_centre`: a body that leaves it enters at the opposite side (counted by scree_body_get_periods).
     * Bodies touch periodic images across the boundary. The bounding sphere of a dynamic body must be
     * narrower than a period; other bodies are at most one period long. A box that is exactly one period long
     * and aligned with the axis is a seamless floor. Half-spaces extend across the boundary. Joints hold the
     * periodic images that are nearest at creation (scree_joint_create). */
    scree_vec3 period;
    scree_vec3 period_centre; /**< m, at most 100 periods from 0; ignored along axes that are not periodic */
    scree_material_def material; /**< the default material */
    scree_solver_def solver;     /**< method, law, tolerances and stabilisation */
    scree_backend_kind backend;  /**< `auto`, `opencl`, `native` or `reference` */
    scree_pipeline pipeline;     /**< where the stages of a step run */
    const char *device; /**< part of an OpenCL device's name, or its index (scree_device_list) as text; null:
                           the best */
    scree_group *group; /**< shares the launches of other worlds on OpenCL; its device replaces `device`.
                           Profiling is not possible. Null: none */
    bool profile;       /**< true: times kernels (scree_device_traffic.busy) and counts bytes of sweeps
                           (scree_statistics.sweep_bytes), which takes time */
    /** Host threads, 1 to 4096; 0: one for each processor that the process may use. Results do not depend on
     * it. The thread that steps the world is one of them. The first step with enough work starts the others,
     * which sleep when they have waited for about 20 µs, and end with the world; a fork leaves them behind,
     * and the child starts its own. */
    int threads;
    scree_tasks tasks;    /**< runs the slices on threads of the caller, at most `threads` at a time */
    int maximum_bodies;   /**< limit on the number of bodies; 0: none */
    int maximum_contacts; /**< limit on the number of contacts; 0: none. A step that needs more fails with
                             CAPACITY and leaves the world unchanged */
} scree_world_def;

/** Returns g = (0, 0, −9.81) m/s², h = 1/120 s, speculative margin 1 mm, default material and solver, backend
 * and pipeline auto, not periodic, no limits. */
SCREE_API scree_world_def scree_default_world_def(void);

/** Makes an empty world. `def` is copied. Errors: ARGUMENT (also if the environment variable SCREE_WIDTH is
 * neither unset nor 1, 4, 8 or 16, or for the pipeline `device` if the backend is not `opencl`), MEMORY; for
 * `opencl` also NO_PLATFORM, NO_DEVICE, KERNEL_BUILD, DEVICE_MEMORY, DEVICE. */
SCREE_API scree_result scree_world_create(const scree_world_def *def, scree_world **out);
/** Frees a world. Null is allowed. */
SCREE_API void scree_world_destroy(scree_world *world);

/** Creates the backend, which the first step does otherwise, so that its errors are reported before a run.
 * `auto` chooses for the present number of bodies. Errors: those of scree_world_create. */
SCREE_API scree_result scree_world_prepare(scree_world *world);

/** Advances the world by one time step and fills `out` (may be null). On error the world is unchanged.
 * Errors: MEMORY, CAPACITY, DEVICE_MEMORY, DEVICE, NOT_FINITE; UNSUPPORTED (two solids, or a solid and a
 * mesh, come near each other: scree_solid_create); ARGUMENT (a kinematic group has turned the normal of a
 * half-space towards a periodic axis); those of an observer (observer.h); in the first step also those of
 * scree_world_create. If the cause is a body or a pair, the message names it and scree_error_get_bodies
 * returns it; the world can go on once the cause is removed. Forces that act for one step stay pending. */
SCREE_API scree_result scree_world_step(scree_world *world, scree_statistics *out);

/** Memory that the steps of a world are expected to take, bytes. */
typedef struct scree_memory_estimate {
    int bodies;      /**< present, and grains that inlets add */
    double contacts; /**< points: the largest of those of the last step, of a settled bed, 3 for each dynamic
                        ball and 5.5 for each other dynamic body, and 4 where such bodies meet as they are */
    double host, host_body, host_contact;       /**< all; for each body and its pairs; for each contact */
    double device, device_body, device_contact; /**< likewise; 0 without a device */
    double host_by_host, device_by_host;        /**< `host` and `device` with the pipeline `host` */
    double host_memory, device_memory; /**< of this machine, and of the device in use; infinite if unknown */
} scree_memory_estimate;

/** Estimates the memory of the steps of the next `seconds` of a world, on its backend and pipeline, which
 * this creates. Grains of inlets count as if none were removed. Errors: ARGUMENT (seconds negative or not
 * finite), MEMORY, and those of scree_world_prepare. */
SCREE_API scree_result scree_world_estimate_memory(scree_world *world, double seconds,
                                                   scree_memory_estimate *out);

/** Sets `out` to the spans of the last step, and returns their number; 0 without scree_world_def.profile.
 * Valid until the next step. */
SCREE_API int scree_world_get_trace(const scree_world *world, const scree_trace_span **out);

/** Causes of a step without a solution. */
typedef enum scree_infeasible_kind {
    SCREE_INFEASIBLE_NONE, /**< none was found: the step may have a solution that the solver did not reach */
    /** Proof that no impulses solve the step under any law: contacts and joints press against each other, in
     * balance on every body, while prescribed motions close them, as under a kinematic plate. */
    SCREE_INFEASIBLE_CRUSHED,
    /** Impulses within the friction cones press against each other in balance while prescribed motions close
     * the contacts, as on a sphere in a closing wedge steeper than its friction. The associated law has no
     * solution. Under Coulomb's law bodies would have to slip away as fast as the contacts close, and in the
     * step they slip away less than half as fast. */
    SCREE_INFEASIBLE_JAMMED,
    SCREE_INFEASIBLE_COUNT
} scree_infeasible_kind;

/** The cause of a step without a solution. */
typedef struct scree_infeasible {
    scree_infeasible_kind kind;
    /** Two bodies that press into each other, such as a grain and the plate that crushes it; null if there is
     * no cause, and one of them for a joint that holds a body to the world. */
    scree_body_id a, b;
} scree_infeasible;

/** Searches for the reason why the last step was not solved, if its scree_solve_report.violation stays large
 * over several steps. Call it after the step, before bodies are destroyed: then it finds nothing. The search
 * considers contacts that close after the solve at more than 0.05 of both the velocity that gravity adds in a
 * step and the closing velocity around them without the solve, independently of the speed of other bodies. It
 * looks around those with the largest impulses, in up to 64 sets of 16 contacts and blocks of joints, 8 of
 * 128 and 2 of 2048, which takes at most about a second. Errors: MEMORY; for `opencl` also DEVICE. */
SCREE_API scree_result scree_world_find_infeasible(scree_world *world, scree_infeasible *out);

/** Enables verification: steps whose number is a multiple of `every` are solved again by `reference` and by
 * the other backend, from the same warm start; 0 disables it. Results are in scree_statistics. The solution
 * with exact Coulomb friction need not be unique, so a large difference is an error only together with a
 * large residual. Errors: ARGUMENT, MEMORY. */
SCREE_API scree_result scree_world_set_verify(scree_world *world, int every);

/** Returns the number in the ids of this world's objects. It is unique within the process and not stored in
 * checkpoints. */
SCREE_API uint32_t scree_world_get_number(const scree_world *world);

/** Returns the current definition, without strings and with the backend in use. */
SCREE_API scree_world_def scree_world_get_def(const scree_world *world);
/** Returns a description of the backend, such as "native, 2 threads" or "opencl: <device>". The world owns
 * it; it is valid until the next step. */
SCREE_API const char *scree_world_get_device_name(const scree_world *world);
/** Gravity at a time. */
typedef struct scree_gravity_key {
    double time;        /**< s from now, greater than that of the previous key */
    scree_vec3 gravity; /**< m/s² */
} scree_gravity_key;

/** Sets the solver settings, between steps. Errors: ARGUMENT; the old settings stay. */
SCREE_API scree_result scree_world_set_solver(scree_world *world, const scree_solver_def *solver);
/** Sets constant gravity (m/s²), between steps, and ends a schedule. Errors: ARGUMENT; nothing changes then.
 */
SCREE_API scree_result scree_world_set_gravity(scree_world *world, scree_vec3 gravity);
/** Sets the time step (s, > 0), between steps. Errors: ARGUMENT; the old value stays. */
SCREE_API scree_result scree_world_set_time_step(scree_world *world, double time_step);
/** Sets a schedule of gravity. `keys` (may be null if `count` is 0) are copied and their times count from
 * now; gravity is linear between keys and constant before the first and after the last. A step uses the value
 * at its middle, which is exact for velocities if keys are at ends of steps; scree_world_get_def returns it.
 * 0 keys: gravity keeps its value. Errors: ARGUMENT (names the key; the old schedule stays), MEMORY. */
SCREE_API scree_result scree_world_set_gravity_schedule(scree_world *world, const scree_gravity_key *keys,
                                                        int count);
/** Writes up to `capacity` keys to `out` (may be null if 0), with times from now (negative: past), and
 * returns the total number. */
SCREE_API int scree_world_get_gravity_schedule(const scree_world *world, scree_gravity_key *out,
                                               int capacity);
/** Sets the limits of the definition; 0: none. Errors: ARGUMENT (negative). */
SCREE_API scree_result scree_world_set_limits(scree_world *world, int maximum_bodies, int maximum_contacts);
/** Returns the simulated time, s: the time of the last change of the time step plus the number of steps since
 * × the time step, in double precision, so it does not drift. */
SCREE_API double scree_world_get_time(const scree_world *world);
/** Returns the number of steps made. */
SCREE_API uint64_t scree_world_step_count(const scree_world *world);

/** Returns true if any material or pair has rolling or spinning friction. Such problems cannot be written as
 * FCLIB files. */
SCREE_API bool scree_world_has_rolling_resistance(const scree_world *world);

/** Sets the `note` (may be null: empty), a text stored with the world and its checkpoints, without effect on
 * the simulation. It is copied. scree_scene_build stores the scene there. Errors: ARGUMENT (more than 1 GiB),
 * MEMORY; the old note stays then. */
SCREE_API scree_result scree_world_set_note(scree_world *world, const char *note);
/** Returns the note, owned by the world; "" if there is none. */
SCREE_API const char *scree_world_get_note(const scree_world *world);

/** Returns a hash (FNV-1a, 64 bit) of poses, velocities, contact cache, colours, impulses
 * of joints and targets of their drives. Equal worlds have equal hashes; use it to compare runs. */
SCREE_API uint64_t scree_world_get_hash(const scree_world *world);

#ifdef __cplusplus
}
#endif
#endif
