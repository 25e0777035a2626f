/** @file
 * The world: bodies, materials, and the step that moves them. One world is used by one thread at a time;
 * different worlds may be used by different threads at once, on any backend (the library looks for OpenCL
 * devices, and opens and closes them, one thread after the other). Frames and checkpoints of several threads
 * at once need an HDF5 library that was built thread-safe. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include <scree/body.h>
#include <scree/device.h>
#include <scree/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Who solves. */
typedef enum scree_backend_kind {
    SCREE_BACKEND_AUTO,      /**< a GPU if there is one, else native */
    SCREE_BACKEND_OPENCL,    /**< single precision kernels */
    SCREE_BACKEND_NATIVE,    /**< the same functions in C with OpenMP */
    SCREE_BACKEND_REFERENCE, /**< the oracle: double precision, plain sweeps over A formed in blocks until it
                                is solved: slow and right */
    SCREE_BACKEND_HOST, /**< of problems that come as a matrix (problem.h), not of worlds: double precision,
                             momentum and a second-order finish, one thread */
    SCREE_BACKEND_COUNT
} scree_backend_kind;

/** "auto", "opencl", "native", "reference", "host". Null outside the range. */
SCREE_API const char *scree_backend_name(scree_backend_kind kind);

/** Everything a new world needs. */
typedef struct scree_world_def {
    scree_vec3 gravity;         /**< m/s² */
    double time_step;           /**< h, s, > 0; the step computes with it in the backend's precision */
    float speculative_distance; /**< m, ≥ 0: contacts are made for gaps up to this, plus how far the bodies
                                   approach in a step */
    /** m, ≥ 0: the world repeats itself after this along each axis; 0: it does not. Bodies stand in the cell
     * of these lengths around `period_centre`, whatever leaves it comes in at the opposite side
     * (scree_body_get_periods counts), and they touch each other's images across its border. A dynamic body
     * is narrower than a period, the sphere around it taken for it, and another one at most as long; a box
     * that is just as long, and lies along the axis, is a floor without seams. Half-spaces look across.
     * Joints hold the images that are nearest when they are made (scree_joint_create). */
    scree_vec3 period;
    scree_vec3 period_centre;    /**< m, at most 100 periods from 0; of no meaning along other axes */
    scree_material_def material; /**< the default material */
    scree_solver_def solver;
    scree_backend_kind backend;
    const char *device; /**< part of an OpenCL device's name, or its number in the list; null: the best */
    bool profile; /**< whether an OpenCL device times its kernels (scree_device_traffic.busy), and bytes of
                     sweeps are counted (scree_statistics.sweep_bytes): costs time */
    int threads; /**< for host loops, ≥ 1; 0: as OMP_NUM_THREADS says, or as the machine has. Results do not
                    depend on it */
    int maximum_bodies;   /**< a limit that the caller sets; 0: none */
    int maximum_contacts; /**< likewise; a step that needs more fails with CAPACITY, the world unchanged */
} scree_world_def;

/** g = (0, 0, −9.81), h = 1/120 s, speculative distance 1 mm, defaults of the other structs, backend auto. */
SCREE_API scree_world_def scree_default_world_def(void);

/** Makes an empty world. `def` is copied. Errors: ARGUMENT, MEMORY, and for `opencl` NO_PLATFORM, NO_DEVICE,
 * KERNEL_BUILD, DEVICE_MEMORY, DEVICE. */
SCREE_API scree_result scree_world_create(const scree_world_def *def, scree_world **out);
/** Frees a world; null is fine. */
SCREE_API void scree_world_destroy(scree_world *world);

/** Does what the first step does before it moves anything, so that errors come before there is something to
 * lose: `auto` chooses for the bodies that there are, and the backend is made. Errors: those of
 * scree_world_create. */
SCREE_API scree_result scree_world_prepare(scree_world *world);

/** Advances by one time step and fills `out` (may be null). On error the world is as it was before the call.
 * Errors: MEMORY, CAPACITY, DEVICE_MEMORY, DEVICE, NOT_FINITE. */
SCREE_API scree_result scree_world_step(scree_world *world, scree_statistics *out);

/** Solves the steps whose number is a multiple of `every` again by `reference` and by the other backend, from
 * the impulses that the step began with; 0 stops that. The figures are in scree_statistics. Exact Coulomb
 * friction need not have one solution: a large difference is an error only with a large residual. Errors:
 * ARGUMENT, MEMORY. */
SCREE_API scree_result scree_world_set_verify(scree_world *world, int every);

/** The number that the ids of this world's bodies and materials carry: another one for each world of this
 * process, not kept in checkpoints. */
SCREE_API uint32_t scree_world_get_number(const scree_world *world);

/** The definition in force (strings excepted), with `backend` the one in use. */
SCREE_API scree_world_def scree_world_get_def(const scree_world *world);
/** What the backend runs on: "native, 2 threads", "opencl: <device>". */
SCREE_API const char *scree_world_get_device_name(const scree_world *world);
/** Gravity at a time. */
typedef struct scree_gravity_key {
    double time;        /**< s from now, above that of the key before */
    scree_vec3 gravity; /**< m/s² */
} scree_gravity_key;

/** Changes solver options, gravity (which ends a schedule) or time step between steps. Errors: ARGUMENT (the
 * old ones stay). */
SCREE_API scree_result scree_world_set_solver(scree_world *world, const scree_solver_def *solver);
SCREE_API scree_result scree_world_set_gravity(scree_world *world, scree_vec3 gravity);
SCREE_API scree_result scree_world_set_time_step(scree_world *world, double time_step);
/** Lets gravity follow keys, copied, whose times count from now: even between two, that of the first before
 * it and that of the last after it. A step has the gravity of its middle, which is what changes velocities
 * exactly where keys are at ends of steps; it stands in the definition then. 0 keys: gravity stays as it is.
 * Errors: ARGUMENT (names the key; the old ones stay), MEMORY. */
SCREE_API scree_result scree_world_set_gravity_schedule(scree_world *world, const scree_gravity_key *keys,
                                                        int count);
/** Copies the keys, with times from now (below 0: gone), into `out` (room for `capacity`; null with 0);
 * returns how many there are. */
SCREE_API int scree_world_get_gravity_schedule(const scree_world *world, scree_gravity_key *out,
                                               int capacity);
/** Changes the limits of the definition; 0: none. Errors: ARGUMENT (below 0). */
SCREE_API scree_result scree_world_set_limits(scree_world *world, int maximum_bodies, int maximum_contacts);
/** Simulated time (s) and number of steps made. The time is that of the last change of the time step plus the
 * steps made since times the time step, in double precision, so that it does not drift. */
SCREE_API double scree_world_get_time(const scree_world *world);
SCREE_API uint64_t scree_world_step_count(const scree_world *world);

/** Finds the bulk of the pile as it stands. Costs about as much as sorting the bodies, so no step does it.
 * Errors: MEMORY. */
SCREE_API scree_result scree_world_get_bulk(const scree_world *world, scree_bulk *out);

/** Whether contacts between bodies of this world may have rolling or spinning friction: problems with them
 * cannot be written as FCLIB files. */
SCREE_API bool scree_world_has_rolling_resistance(const scree_world *world);

/** A text that stays with the world and its checkpoints, and changes nothing: scree_scene_build keeps the
 * scene there. Copied; null is the empty text. Errors: ARGUMENT (more than 1 GiB), MEMORY; the old note stays
 * then. */
SCREE_API scree_result scree_world_set_note(scree_world *world, const char *note);
/** The note, owned by the world; "" if there is none. */
SCREE_API const char *scree_world_get_note(const scree_world *world);

/** A hash (FNV-1a, 64 bit) of the complete state: poses, velocities, contact cache, colours, what joints
 * carry and where their drives go. Equal worlds have equal hashes; used to compare runs. */
SCREE_API uint64_t scree_world_get_hash(const scree_world *world);

/** What a contact does, by its impulse. */
typedef enum scree_contact_mode {
    SCREE_CONTACT_OPEN,     /**< nothing presses: no impulse but, maybe, the pull of cohesion */
    SCREE_CONTACT_STICKING, /**< friction holds: the impulse is inside the bound of its law */
    SCREE_CONTACT_SLIDING,  /**< friction is on its bound, to 0.1 %; always so without friction */
    SCREE_CONTACT_MODE_COUNT
} scree_contact_mode;

/** "open", "sticking", "sliding". Null outside the range. */
SCREE_API const char *scree_contact_mode_name(scree_contact_mode mode);

/** One contact point of the last step. */
typedef struct scree_contact {
    scree_body_id a, b;
    scree_vec3 point;   /**< m, midway between the surfaces */
    scree_vec3 normal;  /**< unit, from a to b */
    scree_vec3 offset;  /**< m: b touches a, and `point` lies, where its position is by this farther on; 0 but
                           across the border of a periodic cell */
    scree_vec3 impulse; /**< N s on b, world axes; divided by the time step: the mean force */
    scree_vec3 torque;  /**< N m s on b, world axes: what rolling and spinning friction do beside the impulse;
                           divided by the time step: the mean torque. The impulse's own arm is a sphere's
                           radius along the normal, from another shape's centre before the step it reaches
                           to `point` */
    float gap;          /**< m before the step, negative when overlapping: then no deeper than the bodies were
                           there, to a thousandth of the smaller one's half size. Where they meet later in
                           the step, at another normal, a positive gap is that along it */
    float friction;     /**< μ between the two materials, as they are now; 0 in a frame from a file, like the
                           next two */
    float restitution;  /**< e, likewise */
    scree_contact_mode mode;
    float bias; /**< b of its normal row in the velocity pass, m/s: J V⁺ + b + compliance r_N ≥ 0 with
                   equality where r_N > 0, so that −b is the least velocity along the normal that was asked
                   for. c/h of an open gap, of an overlap what its scheme makes of c + slop
                   (scree_stabilisation; 0 of `split`, whose position pass removes it), and less where
                   restitution asks for more; of `substep` that of the last part's relax sweep, 0 of an
                   overlap; 0 in a frame from a file */
    float compliance; /**< what is added to A_NN, 1/kg: 1/(h (h k + d)) of `soft`, the implicit spring and
                         damper (Smith, Open Dynamics Engine: CFM/h), 1/(h max(h k, d)) of `penalty`, else 0
                         (also of `substep`'s relax sweep); 0 in a frame from a file */
} scree_contact;

/** Number of contacts of the last step, and a copy of them (room for `capacity`), in a fixed order. */
SCREE_API int scree_contact_count(const scree_world *world);
SCREE_API int scree_contact_list(const scree_world *world, scree_contact *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
