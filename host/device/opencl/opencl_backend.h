/* The OpenCL backend's state: device, kernels, buffers, and which problem they hold. */
#ifndef SCREE_DEVICE_OPENCL_OPENCL_BACKEND_H
#define SCREE_DEVICE_OPENCL_OPENCL_BACKEND_H

#include "device/backend.h"
#include "solve/executor.h"
#include "opencl_device.h"
#include "sweep_plan.h"
#include "wide_plan.h"

/* Entry files, and the kernels with the file that each is in. What every problem needs is built when the
 * device is opened, the others when they are first launched. */
#define ENGINE_PROGRAMS(X)                                                                                   \
    X(motion) X(solve) X(sweep) X(update) X(trees) X(nesterov) X(residual) X(wide_blocks)
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
    X(nesterov, nesterov_total)                                                                              \
    X(nesterov, nesterov_step)                                                                               \
    X(nesterov, nesterov_bodies)                                                                             \
    X(residual, residual_chunks)                                                                             \
    X(residual, judge)                                                                                       \
    X(residual, keep_best)                                                                                   \
    X(residual, take_best)                                                                                   \
    X(wide_blocks, prepare_wide)                                                                             \
    X(wide_blocks, residual_wide_chunks)                                                                     \
    X(wide_blocks, push_batches)                                                                             \
    X(wide_blocks, gather_sums)                                                                              \
    X(wide_blocks, fill_batches)                                                                             \
    X(wide_blocks, fill_corrections)                                                                         \
    X(wide_blocks, sum_uphill)

/* What is on the device; `poses` to `loads` are those before the step. */
#define ENGINE_BUFFERS(X)                                                                                    \
    X(poses)                                                                                                 \
    X(velocities)                                                                                            \
    X(masses)                                                                                                \
    X(loads)                                                                                                 \
    X(poses_after)                                                                                           \
    X(mobility)                                                                                              \
    X(free_velocity)                                                                                         \
    X(velocity)                                                                                              \
    X(pseudo_velocity)                                                                                       \
    X(blocks)                                                                                                \
    X(rows)                                                                                                  \
    X(diagonals)                                                                                             \
    X(shares)                                                                                                \
    X(groups)                                                                                                \
    X(order)                                                                                                 \
    X(rank_first)                                                                                            \
    X(bundle_first)                                                                                          \
    X(batches)                                                                                               \
    X(fields)                                                                                                \
    X(impulses)                                                                                              \
    X(kept)                                                                                                  \
    X(incidence_first)                                                                                       \
    X(incidence)                                                                                             \
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
    X(velocities_before)                                                                                     \
    X(rebounds)                                                                                              \
    X(uphill)                                                                                                \
    X(terms)                                                                                                 \
    X(sums_of_bodies)                                                                                        \
    X(nesterov)                                                                                              \
    X(control)                                                                                               \
    X(tests)                                                                                                 \
    X(chunks)

#define PROGRAM_ENUM(name) PROGRAM_##name,
#define KERNEL_ENUM(file, name) KERNEL_##name,
#define BUFFER_FIELD(name) opencl_buffer name;
enum { ENGINE_PROGRAMS(PROGRAM_ENUM) PROGRAM_COUNT };
typedef enum engine_kernel { ENGINE_KERNELS(KERNEL_ENUM) KERNEL_COUNT } engine_kernel;

/* Programs of balls.cl and of wide_sweep.cl, one for each law of a sweep, each plain (ω = 1) and relaxed,
 * with these kernels. Held shifts and the position pass are laws of their own here. */
typedef enum law_kernel {
    BALLS_OF_COLOUR,
    BALLS_OF_BUNDLES,
    BALLS_AHEAD,
    BALL_KERNELS,
    LANES_OF_BALLS = BALL_KERNELS,
    LANES_OF_MANIFOLDS,
    LANES_OF_BALLS_AHEAD,
    LANES_OF_MANIFOLDS_AHEAD,
    LAW_KERNELS
} law_kernel;
enum {
    SWEEP_LAW_HELD = LAW_KIND_COUNT,
    SWEEP_LAW_POSITIONS,
    SWEEP_LAW_COUNT,
    LAW_PROGRAMS = 2 * SWEEP_LAW_COUNT, /* of either file */
    ALL_PROGRAMS = PROGRAM_COUNT + 2 * LAW_PROGRAMS,
    ALL_KERNELS = KERNEL_COUNT + LAW_KERNELS * LAW_PROGRAMS
};
typedef struct engine_buffers {
    ENGINE_BUFFERS(BUFFER_FIELD)
} engine_buffers;
#undef PROGRAM_ENUM
#undef KERNEL_ENUM
#undef BUFFER_FIELD

typedef struct opencl_backend {
    backend base;
    executor executor;
    opencl_device device;
    cl_program programs[ALL_PROGRAMS]; /* null until they are built */
    cl_kernel kernels[ALL_KERNELS];
    engine_buffers buffers;

    /* Problems whose results are newer on the device than on the host: from predict (mobility, free velocity)
     * and from solve (velocities, A_cc) until fetch, or until another problem takes their place. Null: none.
     */
    const problem *predicted, *solved;

    problem *p;                      /* of the solve that runs */
    sweep_plan plan;                 /* of its sweeps */
    wide_plan wide;                  /* the same in lanes, where a device has more than one */
    bool balls[PROBLEM_COLOURS];     /* of its colours: whether balls.cl sweeps them */
    int largest_shared;              /* groups of the largest colours that share launches */
    bool in_lanes;                   /* sweeps are the wide plan's */
    bool fields_up;                  /* those of its batches are on the device */
    cl_mem no_sums;                  /* the buffer of bodies' sums, if these are zero */
    int piece_count, piece_capacity; /* of bodies with many blocks */
    cl_int2 *pieces;
    bool contacts_alone; /* all blocks are contacts that lanes know */
    /* The bodies that were sent up last: what they are told apart by, since the step works on copies of the
     * world's. */
    body_array sent;
    cl_mem no_loads; /* the buffer of loads as it was when it was all zeros; null: it is not */
    int few_chunks;  /* as many sums every work-group adds up by itself; more are a launch of their own */
    int momentum;    /* which of the two states on the device is the momentum's */
    nesterov_state states[2]; /* both, as they were read last */
    bool states_stale;        /* they have changed since */
    bool pushes;    /* a position pass of p has been begun, without which pseudo-velocities are zero */
    bool shares_up; /* those of p, which mass-split updates alone ask for */
    bool keeps;     /* impulses of p have been kept */
    bool drive_up;  /* the chunks on the device have the sums that do not change in a pass */
    bool pushes_up; /* whether the impulses on the device are those that a position pass of p ended with */
    bool profiled;
    int event_count, event_capacity;
    cl_event *events; /* of the launches since the traffic was asked for, if profiled */
    int sum_capacity;
    residual_sum *sums;
    int test_capacity;
    double *tests; /* as they come back */
} opencl_backend;

/* An argument of a kernel: ARGUMENT(int, struct or cl_mem), BUFFER(opencl_buffer). */
typedef struct kernel_argument {
    size_t bytes;
    const void *value;
} kernel_argument;
#define ARGUMENT(x)                                                                                          \
    { sizeof(x), &(x) }
#define BUFFER(buffer)                                                                                       \
    { sizeof(cl_mem), &(buffer).memory }

/* Enqueues a kernel (engine_kernel, or engine_law_kernel's) over `count` work-items, building its program if
 * it is the first of that; none for count 0. Errors: KERNEL_BUILD; DEVICE and DEVICE_MEMORY, naming the
 * kernel. */
scree_result engine_launch(opencl_backend *self, int kernel, int count, const kernel_argument *arguments,
                           int argument_count);
/* A kernel of the program of balls.cl or wide_sweep.cl that sweeps with these parameters. */
int engine_law_kernel(solve_parameters parameters, law_kernel kernel);
#define ENGINE_LAUNCH(self, kernel, count, arguments)                                                        \
    engine_launch(self, kernel, count, arguments, (int)(sizeof(arguments) / sizeof *(arguments)))

/* Copy `count` items to a buffer (growing it), or back, or make room for them. */
#define ENGINE_WRITE(self, buffer, items, count)                                                             \
    opencl_buffer_write(&(self)->device, &(self)->buffers.buffer, items, (size_t)(count) * sizeof *(items),  \
                        #buffer)
#define ENGINE_READ(self, buffer, items, count)                                                              \
    opencl_buffer_read(&(self)->device, &(self)->buffers.buffer, items, (size_t)(count) * sizeof *(items),   \
                       #buffer)
/* The same without a wait (opencl_device.h). */
#define ENGINE_SEND(self, buffer, items, count)                                                              \
    opencl_buffer_send(&(self)->device, &(self)->buffers.buffer, items, (size_t)(count) * sizeof *(items),   \
                       #buffer)
#define ENGINE_FETCH(self, buffer, items, count)                                                             \
    opencl_buffer_fetch(&(self)->device, &(self)->buffers.buffer, items, (size_t)(count) * sizeof *(items),  \
                        #buffer)
#define ENGINE_RESERVE(self, buffer, item, count)                                                            \
    opencl_buffer_reserve(&(self)->device, &(self)->buffers.buffer, (size_t)(count) * sizeof(item), #buffer)

/* Opens the device, checks its layouts, builds everything. Errors as opencl_create. */
scree_result engine_open(opencl_backend *self, const char *device);
/* As backend_verbs.traffic; the queue is idle. */
void engine_traffic(opencl_backend *self, scree_device_traffic *out);
/* Frees everything but `self`; also fine after a failed engine_open. */
void engine_close(opencl_backend *self);

/* The velocities that the running pass works on. */
static inline opencl_buffer *pass_velocities(opencl_backend *self, solve_parameters parameters) {
    return parameters.position_pass ? &self->buffers.pseudo_velocity : &self->buffers.velocity;
}

/* Finds what may be swept as balls in self->p and plans its sweeps, sends the plan, and sweeps: a colour, or
 * all of them in order. */
scree_result opencl_sweep_plan(opencl_backend *self);
scree_result opencl_sweep(opencl_backend *self, int first, int count, solve_parameters parameters);
scree_result opencl_sweep_colours(opencl_backend *self, solve_parameters parameters);
/* The corrections of the position pass have been filled. */
scree_result opencl_sweep_corrected(opencl_backend *self);
/* Whether sweeps without held shifts may take the step of the momentum along, in bundles, and such a sweep:
 * after nesterov_chunks, of whose sums there are `chunks`. */
bool opencl_sweep_goes_ahead(const opencl_backend *self);
scree_result opencl_sweep_ahead(opencl_backend *self, solve_parameters parameters, int chunks);
/* Whether lanes hold all blocks, so that what follows is there. */
bool opencl_lanes_hold_all(const opencl_backend *self, solve_parameters parameters);
/* So many sweeps over all colours in one launch, if one work-item makes each. */
scree_result opencl_lanes_repeat(opencl_backend *self, solve_parameters parameters, int sweeps, bool *done);
/* Adds Σ Jᵀ r to the sums of all bodies. */
scree_result opencl_lanes_push(opencl_backend *self);
/* The same in lanes, for impulses: such a sweep begins at what momentum makes of the iterate `before` and of
 * the impulses, where it leaves the next one, and the restart's terms of all blocks. If one work-item makes
 * it, so many sweeps are made `together` with the momentum's steps between them, which exchange impulses and
 * velocities with those before, and with the sums of the restart's terms. */
scree_result opencl_lanes_ahead(opencl_backend *self, solve_parameters parameters, int sweeps,
                                bool *together);

/* Tests without a wait, as executor_verbs has them (opencl_tests.c), and the sums of a residual's chunks,
 * which both kinds of tests begin with. */
extern const test_verbs opencl_test_verbs;
scree_result opencl_residual_chunks(opencl_backend *self, solve_parameters parameters);

static inline int opencl_chunk_count(const problem *p) {
    return (p->block_count + RESIDUAL_CHUNK - 1) / RESIDUAL_CHUNK;
}

extern const executor_verbs opencl_executor_verbs;

#endif
