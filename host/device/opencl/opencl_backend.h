/* State of the OpenCL backend: device, kernels, buffers, and the problem that they hold. */
#pragma once

#include "device/backend.h"
#include "solve/executor.h"
#include "opencl_device.h"
#include "opencl_assembly.h"
#include "opencl_commit.h"
#include "opencl_detect.h"
#include "opencl_excess.h"
#include "opencl_impacts.h"
#include "opencl_insert.h"
#include "opencl_sums.h"
#include "opencl_work.h"
#include "sweep_plan.h"

#include <stddef.h>

/* Entry files, and each kernel with its file. Programs that every problem needs are built when the device is
 * opened, the others when they are first launched. */
#define ENGINE_PROGRAMS(X) X(motion) X(solve) X(sweep) X(update) X(trees) X(nesterov) X(residual)
#define ENGINE_KERNELS(X)                                                                                    \
    X(motion, predict)                                                                                       \
    X(motion, integrate)                                                                                     \
    X(solve, prepare)                                                                                        \
    X(solve, gather_pieces)                                                                                  \
    X(solve, gather)                                                                                         \
    X(solve, gather_listed)                                                                                  \
    X(solve, regather)                                                                                       \
    X(sweep, sweep)                                                                                          \
    X(sweep, sweep_bundles)                                                                                  \
    X(update, update)                                                                                        \
    X(solve, rebound)                                                                                        \
    X(solve, correct)                                                                                        \
    X(trees, solve_trees)                                                                                    \
    X(solve, take_back)                                                                                      \
    X(nesterov, nesterov_chunks)                                                                             \
    X(nesterov, nesterov_terms)                                                                              \
    X(nesterov, nesterov_bodies)                                                                             \
    X(nesterov, nesterov_total)                                                                              \
    X(nesterov, nesterov_step)                                                                               \
    X(residual, residual_chunks)                                                                             \
    X(residual, judge)                                                                                       \
    X(residual, keep_best)                                                                                   \
    X(residual, take_best)

/* Buffers on the device; `poses` to `loads` are those before the step. */
#define ENGINE_BUFFERS(X)                                                                                    \
    X(poses)                                                                                                 \
    X(remainders)                                                                                            \
    X(velocities)                                                                                            \
    X(masses)                                                                                                \
    X(loads)                                                                                                 \
    X(poses_after)                                                                                           \
    X(remainders_after)                                                                                      \
    X(mobility)                                                                                              \
    X(free_velocity)                                                                                         \
    X(velocity)                                                                                              \
    X(pseudo_velocity)                                                                                       \
    X(blocks)                                                                                                \
    X(rows)                                                                                                  \
    X(row_systems)                                                                                           \
    X(systems)                                                                                               \
    X(diagonals)                                                                                             \
    X(ball_mobility)                                                                                         \
    X(splits)                                                                                                \
    X(groups)                                                                                                \
    X(order)                                                                                                 \
    X(rank_first)                                                                                            \
    X(bundle_first)                                                                                          \
    X(impulses)                                                                                              \
    X(kept)                                                                                                  \
    X(incidence_first)                                                                                       \
    X(incidence)                                                                                             \
    X(pushes)                                                                                                \
    X(pieces)                                                                                                \
    X(piece_sums)                                                                                            \
    X(remainder_bodies)                                                                                      \
    X(tree_first)                                                                                            \
    X(level_first)                                                                                           \
    X(tree_nodes)                                                                                            \
    X(tree_factors)                                                                                          \
    X(tree_states)                                                                                           \
    X(starts)                                                                                                \
    X(before)                                                                                                \
    X(best)                                                                                                  \
    X(marked)                                                                                                \
    X(marked_velocity)                                                                                       \
    X(velocities_before)                                                                                     \
    X(rebounds)                                                                                              \
    X(uphill)                                                                                                \
    X(nesterov)                                                                                              \
    X(control)                                                                                               \
    X(tests)                                                                                                 \
    X(chunks)

#define PROGRAM_ENUM(name) PROGRAM_##name,
#define KERNEL_ENUM(file, name) KERNEL_##name,
#define BUFFER_FIELD(name) opencl_buffer name;
enum { ENGINE_PROGRAMS(PROGRAM_ENUM) PROGRAM_COUNT };
typedef enum engine_kernel { ENGINE_KERNELS(KERNEL_ENUM) KERNEL_COUNT } engine_kernel;

/* Kernels of balls.cl and manifolds.cl, which are compiled to one program per law of a sweep, plain (ω = 1)
 * and relaxed. Held shifts and the position pass count as laws. */
typedef enum law_kernel {
    BALLS_OF_COLOUR,
    BALLS_OF_BUNDLES,
    BALLS_OF_COLOUR_AHEAD,
    BALLS_OF_BUNDLES_AHEAD,
    MANIFOLDS_OF_COLOUR,
    MANIFOLDS_OF_BUNDLES,
    LAW_KERNELS
} law_kernel;
typedef enum law_file { LAW_FILE_BALLS, LAW_FILE_MANIFOLDS, LAW_FILES } law_file;
enum {
    SWEEP_LAW_HELD = LAW_KIND_COUNT,
    SWEEP_LAW_POSITIONS,
    SWEEP_LAW_COUNT,
    LAW_PROGRAMS = 2 * SWEEP_LAW_COUNT, /* of a file */
    ALL_PROGRAMS = PROGRAM_COUNT + LAW_FILES * LAW_PROGRAMS,
    ALL_KERNELS = KERNEL_COUNT + LAW_KERNELS * LAW_PROGRAMS
};
typedef struct engine_buffers {
    ENGINE_BUFFERS(BUFFER_FIELD)
} engine_buffers;
#undef PROGRAM_ENUM
#undef KERNEL_ENUM
#undef BUFFER_FIELD

typedef struct step_foresight step_foresight;
/* Bodies whose poses after a step are prescribed. */
typedef struct prescribed_bodies {
    int slot_capacity, pose_capacity, remainder_capacity;
    cl_int *slots;
    body_pose *poses;
    body_remainder *remainders;
} prescribed_bodies;

typedef struct opencl_backend {
    backend base;
    executor executor;
    opencl_device device;
    cl_program programs[ALL_PROGRAMS]; /* NULL until built */
    cl_kernel kernels[ALL_KERNELS];
    engine_buffers buffers;
    opencl_pairs pairs;
    opencl_assembly assembly;
    opencl_detect detect;
    opencl_excess excess;
    opencl_impacts impacts;
    opencl_report report;
    step_report found; /* as last read */
    /* Whether the last check has also made the tests of a detection pass and the end of the step; until the
     * next assembly. */
    struct step_foresight {
        bool trial, end;
    } foreseen;
    device_trial trial;
    opencl_commit end;
    prescribed_bodies prescribed; /* as sent last */
    opencl_sums step_sums;
    opencl_work work;
    opencl_buffer crossed;    /* of each body: the image that it has become in a step */
    device_contacts spare;    /* for contacts that detection passes insert; in scratch memory */
    scratch_mark problem_end; /* height of the scratch memory above the problem that was assembled here */
    bool assembled;           /* whether that problem is still there */
    int block_room;           /* blocks for which assembly takes memory */
    bool starved;             /* a step has failed for lack of memory: the next one begins small */
    opencl_collide collide;

    /* Problems whose results on the device are newer than the host's: from predict (mobility, free velocity)
     * and from solve (velocities, A_cc), until fetch or until another problem replaces them. NULL: none. */
    const problem *predicted, *solved;

    problem *p;      /* of the running solve */
    sweep_plan plan; /* of its sweeps */
    sweep_kind kinds[PROBLEM_COLOURS];
    int manifold_bundle;             /* work-items per bundle of contacts */
    int largest_shared;              /* most groups of a colour that shares launches with others */
    int piece_count, piece_capacity; /* of bodies with many blocks */
    cl_int2 *pieces;
    /* The bodies that were sent last. They are identified by their arrays and count of changes, since the
     * step works on copies of the world's bodies. */
    body_array sent;
    /* Those whose poses, remainders and velocities are here, as long as no more is written
     * (body_array.written). */
    body_array moved;
    bool holds_moved;
    body_store store;    /* of bodies whose motion stays here */
    body_array weighed;  /* those whose masses are here */
    body_array burdened; /* those whose loads are here */
    cl_mem no_loads;     /* the buffer of loads if it holds zeros, else NULL */
    int few_chunks; /* up to this many sums are added by every work-group; more are added by a launch of their
                       own */
    int momentum;   /* index of the current one of the two momentum states on the device */
    nesterov_state states[2]; /* both, as last read */
    bool states_stale;        /* they have changed since */
    bool terms_up;     /* the last sweep has left terms of the restart test, in the place of `starts` */
    bool factors_sent; /* of the trees and systems of joints */
    int waits_before_factors; /* of the device's traffic, when they were sent */
    bool pushes;              /* a position pass of p has begun; before, pseudo-velocities are zero */
    bool splits_up;           /* the split counts of p are on the device; only mass-split updates use them */
    bool keeps;               /* impulses of p have been kept */
    bool pushes_up;           /* the impulses on the device are the result of a position pass of p */
    int sum_capacity;
    residual_sum *sums;
    int early_capacity[2], early_count[2];
    residual_sum *early[2]; /* sums that the next wait completes */
    int test_capacity;
    double *tests; /* as read back */
} opencl_backend;

#define OWN(name) BUFFER(self->buffers.name)

/* Enqueues a kernel (an engine_kernel or a result of engine_law_kernel) over `count` work-items; no launch
 * for count 0. Builds the kernel's program at its first launch. Errors: KERNEL_BUILD; DEVICE and
 * DEVICE_MEMORY, naming the kernel. */
scree_result engine_launch(opencl_backend *self, int kernel, int count, const kernel_argument *arguments,
                           int argument_count);
/* Returns the kernel of the program for these parameters. */
int engine_law_kernel(solve_parameters parameters, law_kernel kernel);
/* The arguments: OWN(buffer of self), BUFFER, ARGUMENT. */
#define ENGINE_LAUNCH(self, kernel, count, ...)                                                              \
    engine_launch(self, kernel, count, (const kernel_argument[]){__VA_ARGS__},                               \
                  (int)(sizeof((const kernel_argument[]){__VA_ARGS__}) / sizeof(kernel_argument)))

/* Copy `count` items to a buffer (growing it) or back, or reserve memory for them. */
#define ENGINE_READ(self, buffer, items, count)                                                              \
    opencl_buffer_read(&(self)->device, &(self)->buffers.buffer, items, (size_t)(count) * sizeof *(items),   \
                       CL_TRUE, #buffer)
/* Variants that do not wait (opencl_device.h). */
#define ENGINE_SEND(self, buffer, items, count)                                                              \
    opencl_buffer_write(&(self)->device, &(self)->buffers.buffer, items, (size_t)(count) * sizeof *(items),  \
                        CL_FALSE, #buffer)
#define ENGINE_FETCH(self, buffer, items, count)                                                             \
    opencl_buffer_read(&(self)->device, &(self)->buffers.buffer, items, (size_t)(count) * sizeof *(items),   \
                       CL_FALSE, #buffer)
/* Takes a part of the scratch memory. */
#define ENGINE_SHARE(self, buffer, item, count)                                                              \
    opencl_buffer_share(&(self)->device, &(self)->buffers.buffer, (size_t)(count) * sizeof(item), #buffer)
/* Does so unless the running solve already has the part. */
#define ENGINE_TAKE(self, buffer, item, count)                                                               \
    ((self)->buffers.buffer.memory ? SCREE_OK : ENGINE_SHARE(self, buffer, item, count))
#define ENGINE_RESERVE(self, buffer, item, count)                                                            \
    opencl_buffer_reserve(&(self)->device, &(self)->buffers.buffer, (size_t)(count) * sizeof(item), #buffer)

/* Opens the device, checks its struct layouts, and builds the programs that every problem needs. Errors: as
 * opencl_create. */
scree_result engine_open(opencl_backend *self, const char *device, scree_group *group);
/* Frees everything but `self`; allowed after a failed engine_open. */
void engine_close(opencl_backend *self);

/* Gives back the memory of pairs, contacts and problems, but for the copy of these contacts. Capacities begin
 * small again: a step need not find as much as one that did not fit. */
void engine_shrink(opencl_backend *self, const contact_set *contacts);

static inline opencl_backend *backend_of_executor(executor *self) {
    return (opencl_backend *)((char *)self - offsetof(opencl_backend, executor));
}

/* Returns the most groups of a colour of an arranged problem that shares launches with others. */
static inline int opencl_arranged_shared(const opencl_backend *self) {
    return self->largest_shared < ARRANGE_LARGEST_SHARED ? self->largest_shared : ARRANGE_LARGEST_SHARED;
}

/* Returns the velocities of the running pass. */
static inline opencl_buffer *pass_velocities(opencl_backend *self, solve_parameters parameters) {
    return parameters.position_pass ? &self->buffers.pseudo_velocity : &self->buffers.velocity;
}

/* The first finds the kinds of the colours of self->p, plans the sweeps and sends the plan. The
 * others sweep items of one colour, or all colours in order. */
scree_result opencl_sweep_plan(opencl_backend *self);
scree_result opencl_sweep(opencl_backend *self, int first, int count, solve_parameters parameters);
scree_result opencl_sweep_colours(opencl_backend *self, solve_parameters parameters);
/* Returns whether balls.cl sweeps a colour, which needs `ball_mobility`. */
bool opencl_sweep_has_balls(const opencl_backend *self);
/* The first returns whether sweeps without held shifts can include the momentum step of blocks: all are of
 * balls. The second returns whether they can include that of bodies as well: all of them run in bundles. The
 * third runs such a sweep; it computes the momentum's state from `chunks` sums, or is given it with 0. */
bool opencl_sweep_goes_ahead(const opencl_backend *self);
bool opencl_sweep_moves_bodies(const opencl_backend *self);
scree_result opencl_sweep_ahead(opencl_backend *self, solve_parameters parameters, int chunks);

/* Tests that do not wait, for executor_operations (opencl_tests.c), and the sums over chunks that both kinds
 * of tests begin with. */
extern const test_operations opencl_test_operations;
scree_result opencl_residual_chunks(opencl_backend *self, solve_parameters parameters);

static inline int opencl_chunk_count(const problem *p) {
    return (p->block_count + RESIDUAL_CHUNK - 1) / RESIDUAL_CHUNK;
}

extern const executor_operations opencl_executor_operations;

/* Returns `result`; if it is an error, waits for commands that may still access the host's memory. */
scree_result opencl_finished(opencl_backend *self, scree_result result);
/* Gives back the device's scratch memory, with the arrays of the last problem. */
void opencl_clear_scratch(opencl_backend *self);
/* Gives back what has been taken since the problem that was assembled here, or, if there is none, all. */
void opencl_reset_scratch(opencl_backend *self);
/* Bring poses, remainders, velocities and masses, or loads, of a world's bodies to the device, unless they
 * are known to be there. They must not change until the step's last wait. Errors: DEVICE_MEMORY, DEVICE. */
scree_result opencl_send_motion(opencl_backend *self, const body_array *bodies);
scree_result opencl_send_loads(opencl_backend *self, const body_array *bodies);
/* Declares the motion here to be that of the bodies. */
void opencl_hold_motion(opencl_backend *self, const body_array *bodies);
extern const stay_operations opencl_stay_operations;
