/* Who computes free velocities, solves a problem and integrates: native (native.c), a device (opencl.c) or
 * the double-precision reference (reference.c). */
#ifndef SCREE_DEVICE_BACKEND_H
#define SCREE_DEVICE_BACKEND_H

#include "rows/problem.h"

#include <scree/statistics.h>
#include <scree/world.h>

typedef struct backend backend;

typedef struct backend_verbs {
    void (*destroy)(backend *self);

    /* Free velocities V* = V + h M⁻¹ f (gravity, loads) and mobilities of every body, into p. The host copies
     * in p are valid after `fetch`; until then the backend's own count, and changes made to them on the host
     * are not seen. */
    scree_result (*predict)(backend *self, const body_array *bodies, motion_parameters motion, problem *p);

    /* Solves p from p->impulses (if options->warm_start, else from zero). p->impulses and p->pseudo_impulses
     * are valid on the host after `fetch` or `integrate`, velocities after `fetch`. */
    scree_result (*solve)(backend *self, problem *p, const scree_solver_def *options,
                          scree_solve_report *report);

    /* Makes p->mobility, free_velocity, velocity, pseudo_velocity, diagonals and the impulses valid on the
     * host; of blocks that are packed not the diagonals but themselves, without closings, where corrections
     * stand, and until others use the problem's room. */
    scree_result (*fetch)(backend *self, problem *p);

    /* The bodies' poses after the step, from p's velocities, and these, whose spins are those before the
     * bodies turn (step/gyroscopic.h), into the caller's arrays (bodies->count long). */
    scree_result (*integrate)(backend *self, const body_array *bodies, problem *p, motion_parameters motion,
                              body_pose *poses, body_velocity *velocities);

    /* Whether it solves such problems without their incidence, as long as they have no tail. Null: never. */
    bool (*sums_by_colour)(const backend *self, const scree_solver_def *options);

    /* Whether it is to be expected that it packs the blocks of such problems, if they lie in the problem's
     * room. Null: it never does. */
    bool (*packs)(const backend *self, const scree_solver_def *options);

    /* What was asked of the device since the last call. Null: there is no device. */
    void (*traffic)(backend *self, scree_device_traffic *out);

    /* Bytes of a forward sweep over p, which it has just solved (sweep_bytes.h). Null: not counted. */
    uint64_t (*sweep_bytes)(const backend *self, const problem *p, const body_array *bodies,
                            const scree_solver_def *options);

    /* The spin that a body, which the solve has left at `omega`, comes to while it turns from its pose as
     * `turned` says. Null: spin_after (motion.h). */
    vec3s (*spin)(body_pose pose, vec3s omega, body_mass mass, versors turned, scalar time_step);
} backend_verbs;

/* Every backend begins with this. */
struct backend {
    const backend_verbs *verbs;
    scree_backend_kind kind;
    char name[192]; /* "native, 2 threads" */
};

scree_result native_create(int threads, backend **out);
scree_result opencl_create(const char *device, backend **out);
/* Lets the device time its kernels from now on. Errors: DEVICE. */
scree_result opencl_profile(backend *opencl);
scree_result reference_create(int threads, backend **out);

/* Makes the backend that `def` asks for; `auto` takes a GPU if there is one, else whichever of native and the
 * CPU device is faster at `bodies` bodies (0: not known yet). */
scree_result backend_create(const scree_world_def *def, int bodies, backend **out);

#endif
