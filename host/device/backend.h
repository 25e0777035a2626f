/* A backend computes free velocities, solves a problem and integrates: native (native.c), OpenCL (opencl.c)
 * or the double-precision reference (reference.c). */
#pragma once

#include "detect/contacts.h"
#include "solve/solve_request.h"
#include "rows/problem.h"

#include <scree/statistics.h>
#include <scree/world.h>

typedef struct backend backend;

/* A search for the contacts of a step. */
typedef struct contact_request {
    const pair_search *pairs;  /* unmarked; boxes as for contacts_update */
    const contact_set *before; /* the last step's */
    scalar margin, time_step;
    bool cohesive; /* whether a material is */
    int maximum_contacts, threads;
    scratch_arena *scratch;
} contact_request;

/* Its result. */
typedef struct contact_finding {
    const char *barrier; /* why the host must search; null: it need not. The text ends a sentence */
    int pairs;           /* number of pairs whose boxes meet */
    contact_set *contacts;
    skim_list *skims;
} contact_finding;

typedef struct backend_operations {
    void (*destroy)(backend *self);

    /* Finds pairs and contacts as broadphase_pairs and contacts_update do, or sets `barrier` and does nothing
     * else. Call once at the beginning of a step: until the next call, bodies with the same arrays, count and
     * changes do not change. Errors: those of both. NULL: the host does. */
    scree_result (*find_contacts)(backend *self, const contact_request *request, contact_finding *out,
                                  int *regrown);

    /* Searches for pairs as pair_source.find does. NULL: the host does. */
    scree_result (*find_pairs)(backend *self, const pair_search *search, pair_rows *out, int *regrown);

    /* Computes the free velocities V* = V + h M⁻¹ f (gravity, loads) and the mobilities of all bodies. The
     * host copies in p are valid after `fetch`. Until then the backend uses its own and ignores changes of
     * the host's. */
    scree_result (*predict)(backend *self, const body_array *bodies, motion_parameters motion, problem *p);

    /* Solves p, starting from p->impulses if request->options->warm_start, else from zero. On the host,
     * p->impulses and p->pseudo_impulses are valid after `fetch` or `integrate`, velocities after `fetch`. */
    scree_result (*solve)(backend *self, problem *p, const solve_request *request,
                          scree_solve_report *report);

    /* Makes p->blocks, mobility, free_velocity, velocity, pseudo_velocity and the impulses valid on the host.
     * Blocks of the backend's memory are valid until the problem's scratch memory is used again; their
     * `closing` can be the correction. */
    scree_result (*fetch)(backend *self, problem *p);

    /* Writes the bodies' poses after the step with their remainders, from p's velocities, and those
     * velocities to the caller's arrays (bodies->count long). The spins are those before the bodies turn
     * (step/gyroscopic.h). */
    scree_result (*integrate)(backend *self, const body_array *bodies, problem *p, motion_parameters motion,
                              body_pose *poses, body_remainder *remainders, body_velocity *velocities);

    /* Prepares an arranged problem (problem_arrange) for this backend: sets p->blocks to the memory to which
     * problem_fill writes them, and builds the incidence if the solve needs it. After the solve the blocks
     * are valid after `fetch`, in memory of the problem's own also without. NULL: problem_own_blocks and
     * problem_index. */
    scree_result (*place_blocks)(backend *self, problem *p, const problem_input *from, int *regrown);

    /* Reports the requests to the device since the last call, and those of them that searched for pairs and
     * for contacts. NULL: there is no device. */
    void (*traffic)(backend *self, scree_device_traffic *all, scree_device_traffic *pairs,
                    scree_device_traffic *contacts);

    /* Returns the bytes of a forward sweep over p, which the backend has just solved (sweep_bytes.h). NULL:
     * not counted. */
    uint64_t (*sweep_bytes)(const backend *self, const problem *p, const body_array *bodies,
                            const scree_solver_def *options);

    /* Returns the spin of a body after it has turned from `pose` to the orientation `turned`; the solve left
     * it at the spin `omega`. NULL: spin_after (motion.h). */
    vec3s (*spin)(body_pose pose, vec3s omega, body_mass mass, versors turned, scalar time_step);
} backend_operations;

/* The first member of every backend. */
struct backend {
    const backend_operations *operations;
    scree_backend_kind kind;
    char name[192]; /* "native, 2 threads" */
};

scree_result native_create(int threads, backend **out);
scree_result opencl_create(const char *device, backend **out);
/* Times the device's kernels from now on. Errors: DEVICE. */
scree_result opencl_profile(backend *opencl);
scree_result reference_create(int threads, backend **out);

/* Creates the backend of `def`; `auto` takes a GPU if there is one, else native. Errors: those of the
 * backend's create function; ARGUMENT for a kind that solves no worlds. */
scree_result backend_create(const scree_world_def *def, backend **out);
