/** @file
 * The world: bodies, materials, and the step that moves them. One world is used by one thread at a time. */
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
    SCREE_BACKEND_AUTO, /**< a GPU if there is one, else the faster of native and a CPU device at this size */
    SCREE_BACKEND_OPENCL,    /**< single precision kernels */
    SCREE_BACKEND_NATIVE,    /**< the same functions in C with OpenMP */
    SCREE_BACKEND_REFERENCE, /**< double precision, dense blocks, iterated to convergence: slow and right */
    SCREE_BACKEND_COUNT
} scree_backend_kind;

/** "auto", "opencl", "native", "reference". Null outside the range. */
SCREE_API const char *scree_backend_name(scree_backend_kind kind);

/** Everything a new world needs. */
typedef struct scree_world_def {
    scree_vec3 gravity;          /**< m/s² */
    float time_step;             /**< h, s, > 0 */
    float speculative_distance;  /**< m, ≥ 0: contacts are made for gaps up to this, plus how far the bodies
                                    approach in a step */
    scree_material_def material; /**< the default material */
    scree_solver_def solver;
    scree_backend_kind backend;
    const char *device; /**< part of an OpenCL device's name, or its index as text; null: the best */
    int threads; /**< for host loops, ≥ 1; 0: as many as the machine has. Results do not depend on it */
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

/** Advances by one time step and fills `out` (may be null). On error the world is as it was before the call.
 * Errors: MEMORY, CAPACITY, DEVICE_MEMORY, DEVICE, NOT_FINITE. */
SCREE_API scree_result scree_world_step(scree_world *world, scree_statistics *out);

/** Solves the steps whose number is a multiple of `every` again by `reference` and by the other backend, from
 * the impulses that the step began with; 0 stops that. The figures are in scree_statistics. Exact Coulomb
 * friction need not have one solution: a large difference is an error only with a large residual. Errors:
 * ARGUMENT, MEMORY. */
SCREE_API scree_result scree_world_verify(scree_world *world, int every);

/** The definition in force (strings excepted), with `backend` the one in use. */
SCREE_API scree_world_def scree_world_read(const scree_world *world);
/** What the backend runs on: "native, 2 threads", "opencl: <device>". Never null. */
SCREE_API const char *scree_world_backend(const scree_world *world);
/** Changes solver options, gravity or time step between steps. Errors: ARGUMENT (the old ones stay). */
SCREE_API scree_result scree_world_solver_set(scree_world *world, const scree_solver_def *solver);
SCREE_API scree_result scree_world_gravity_set(scree_world *world, scree_vec3 gravity);
SCREE_API scree_result scree_world_time_step_set(scree_world *world, float time_step);
/** Simulated time (s) and number of steps made. */
SCREE_API double scree_world_time(const scree_world *world);
SCREE_API uint64_t scree_world_steps(const scree_world *world);

/** A hash (FNV-1a, 64 bit) of the complete state: poses, velocities, contact cache, colours. Equal worlds
 * have equal hashes; used to compare runs. */
SCREE_API uint64_t scree_world_hash(const scree_world *world);

/** One contact point of the last step. */
typedef struct scree_contact {
    scree_body_id a, b;
    scree_vec3 point;   /**< m, midway between the surfaces */
    scree_vec3 normal;  /**< unit, from a to b */
    scree_vec3 impulse; /**< N s on b, world axes; divided by the time step: the mean force */
    float gap;          /**< m before the step, negative when overlapping */
} scree_contact;

/** Number of contacts of the last step, and a copy of them (room for `capacity`), in a fixed order. */
SCREE_API int scree_contact_count(const scree_world *world);
SCREE_API int scree_contact_list(const scree_world *world, scree_contact *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
