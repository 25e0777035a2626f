/* A backend computes free velocities, solves a problem and integrates: native (native.c), OpenCL (opencl.c)
 * or the double-precision reference (reference.c). */
#pragma once

#include "base/stage_log.h"
#include "detect/contacts.h"
#include "solve/solve_request.h"
#include "rows/contact_work.h"
#include "rows/problem.h"

#include "step_sums.h"

#include <scree/statistics.h>
#include <scree/world.h>

typedef struct backend backend;

/* A search for the contacts of a step. */
typedef struct contact_request {
    const pair_search *pairs;  /* unmarked; boxes as for contacts_update */
    const contact_set *before; /* the last step's */
    /* Whether the contacts may stay on the device (contacts_bring); then their numbers, that of the pairs,
     * and errors MEMORY and CAPACITY follow with the assembly. */
    bool stays;
    scalar margin, time_step;
    int maximum_contacts, threads;
    scratch_arena *scratch;
} contact_request;

/* Its result. */
typedef struct contact_finding {
    const char *barrier; /* why the host must search; null: it need not. The text ends a sentence */
    int *pairs;          /* receives the number of pairs whose boxes meet; later if the contacts stay */
    contact_set *contacts;
    skim_list *skims; /* empty if the contacts stay on the device (bring_skims) */
} contact_finding;

/* The motion that a solve has found, for a search for new contacts. */
typedef struct trial_request {
    const contact_set *contacts;
    scalar margin, time_step, smallest;
} trial_request;

/* New contacts of a detection pass on a device. */
typedef struct trial_finding {
    bool asks;           /* whether the host must make the pass; then nothing else is set */
    int entries, points; /* new */
    bool only_moved;
} trial_finding;

/* The rest of a step whose bodies stay on a device, if the next detection pass finds nothing. */
typedef struct step_outlook {
    trial_request trial;
    motion_parameters motion;
    double time_step; /* s */
} step_outlook;

/* Findings of a test of a solve. */
typedef struct solve_check {
    int first;      /* the first body whose state is not finite; their number: none */
    bool suspected; /* as of warm_start_find_excess */
} solve_check;

enum { STAY_MATERIALS = 32 }; /* most materials: the properties of their pairs are sent in every step */

/* Stages of a step whose contacts stay on a device (contact_request.stays). */
typedef struct stay_operations {
    /* Fills the list of the contacts that the last find_contacts dropped; the others still stay. */
    scree_result (*bring_skims)(backend *self, const contact_set *contacts, skim_list *out, int *regrown);
    /* Applies cohesion (cohesion_apply), and assembles p as problem_assemble does; its arrays stay on the
     * device (problem.away), or `barrier` is set to the reason why the host must assemble it. The text ends a
     * sentence. */
    scree_result (*assemble)(backend *self, problem *p, const problem_input *from, int threads,
                             const char **barrier, int *regrown);
    /* Replaces the poses of the bodies in these slots after the step by those of the arrays, which have all
     * bodies'. */
    scree_result (*prescribe)(backend *self, const int *slots, int count, const body_pose *poses,
                              const body_remainder *remainders);
    /* Gives the contacts and joints the solution of p, as problem_scatter does. */
    scree_result (*scatter)(backend *self, const problem *p, const problem_input *from, int threads);
    /* Brings p to the host, whose contacts are there. */
    scree_result (*bring_problem)(backend *self, problem *p, const problem_input *from, int threads,
                                  int *regrown);
    /* Tests bodies after p has been solved, they have been integrated, and the contacts have the solution;
     * for an excess only if it `weighs`. With an outlook, find_trial and `end` do not wait for what this has
     * computed already. */
    scree_result (*check)(backend *self, const problem *p, bool weighs, const step_outlook *outlook,
                          solve_check *out);
    /* Clears `suspected`, which `check` has set for p, if the device finds that warm_start_scale would scale
     * nothing. */
    scree_result (*weigh)(backend *self, const problem *p, bool *suspected);
    /* Does what deferred_impact_mark does after p has been solved and given to the contacts. */
    scree_result (*defer)(backend *self, const problem *p, const contact_set *contacts, int *marked);
    /* Makes a detection pass, as detection_pass_find does. */
    scree_result (*find_trial)(backend *self, const trial_request *request, trial_finding *out);
    /* Inserts what it has found, as contacts_add does. */
    scree_result (*add_trial)(backend *self, contact_set *contacts, const trial_finding *found,
                              int maximum_contacts);
    /* Does what held_pairs_settle does with these velocities, which integrate has given. */
    scree_result (*settle_pairs)(backend *self, const contact_set *contacts, int bodies,
                                 body_velocity *velocities);
    /* Brings the loads of the bodies with cohesive forces, which the last `assemble` has found for contacts
     * of cohesive materials. */
    scree_result (*bring_loads)(backend *self, int bodies, body_load *loads);
    /* Does what contacts_settle does. */
    scree_result (*settle)(backend *self, const contact_set *contacts);
    /* Does what contacts_cross does. */
    scree_result (*cross)(backend *self, const contact_set *contacts, const body_array *bodies,
                          const int *crossed);
    /* Adds up the contacts for the statistics (step_sums.h), if the device can: `done`. */
    scree_result (*sum_contacts)(backend *self, const contact_set *contacts, statistic_sums *out, bool *done);
    /* Adds the work of the contacts in the step that was solved last, as contact_work_add does, if the device
     * can: `done`. */
    scree_result (*add_work)(backend *self, const problem_input *from, contact_work *sum, bool *done);

    /* The following are for steps in which the motion of the bodies stays on the device, too: find_contacts
     * gets no boxes, and integrate gets null arrays.
     *
     * Returns whether the motion of these bodies can stay. */
    bool (*moves)(backend *self, const body_array *bodies);
    /* Brings the poses, remainders and velocities that integrate would have given. */
    scree_result (*bring_motion)(backend *self, int bodies, body_pose *poses, body_remainder *remainders,
                                 body_velocity *velocities);
    /* Updates the spins (step/gyroscopic.h) and adds up bodies and contacts at the end of the step. */
    scree_result (*end)(backend *self, const step_outlook *outlook, statistic_sums *of_bodies,
                        statistic_sums *of_contacts);
    /* Makes the results the motion of the world's bodies, which stays on the device until bodies_bring. */
    void (*commit)(backend *self, body_array *bodies);
} stay_operations;

typedef struct backend_operations {
    void (*destroy)(backend *self);

    /* Returns why the host must find the contacts; null: it need not. The text ends a sentence. Reads the
     * bodies. NULL exactly if find_contacts is. */
    const char *(*contacts_barrier)(backend *self, const contact_request *request);

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
     * (step/gyroscopic.h). Null arrays: the results stay on the device. */
    scree_result (*integrate)(backend *self, const body_array *bodies, problem *p, motion_parameters motion,
                              body_pose *poses, body_remainder *remainders, body_velocity *velocities);

    /* Prepares an arranged problem (problem_arrange) for this backend: gives it memory for the blocks, or
     * leaves it without: then the solve fills them. Builds the incidence if the solve needs it. After the
     * solve the blocks are valid after `fetch`, in memory of the problem's own also without. NULL:
     * problem_own_blocks and problem_index. */
    scree_result (*place_blocks)(backend *self, problem *p, const problem_input *from, int *regrown);

    /* Operations on contacts that stay on the device. NULL: none do. */
    const stay_operations *stay;

    /* Adds the requests to the device since the last call to the stages in which they were made, and keeps
     * their spans in `log`. NULL: there is no device. */
    void (*traffic)(backend *self, scree_stage_report to[SCREE_STAGE_COUNT], stage_log *log);

    /* Writes the bytes of the buffers on the device, and those that they may have. NULL: there is no device.
     */
    void (*memory)(const backend *self, uint64_t *used, uint64_t *limit);

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
/* Creates one that shares the launches of a group (scree/group.h), whose device it has; NULL: of none. */
scree_result opencl_create_in(scree_group *group, const char *device, backend **out);
/* Waits until all worlds of a group begin a step; NULL and other threads' groups are allowed. */
void group_meet(scree_group *group);
/* Times the device's kernels from now on. Errors: DEVICE. */
scree_result opencl_profile(backend *opencl);
bool opencl_is_gpu(const backend *opencl);
scree_result reference_create(int threads, backend **out);

/* Creates the backend of `def`; `auto` takes a GPU if there is one, else native. Errors: those of the
 * backend's create function; ARGUMENT for a kind that solves no worlds. */
scree_result backend_create(const scree_world_def *def, backend **out);
