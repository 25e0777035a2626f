/* The OpenCL backend's state: device, kernels, buffers, and which problem they hold. */
#ifndef SCREE_BACKEND_OPENCL_OPENCL_BACKEND_H
#define SCREE_BACKEND_OPENCL_OPENCL_BACKEND_H

#include "backend/backend.h"
#include "solve/executor.h"
#include "opencl_device.h"
#include "sweep_plan.h"

/* Entry files, and the kernels with the file that each is in. */
#define ENGINE_PROGRAMS(X) X(motion) X(solve) X(nesterov) X(residual)
#define ENGINE_KERNELS(X)                                                                                    \
    X(motion, predict)                                                                                       \
    X(motion, integrate)                                                                                     \
    X(solve, prepare)                                                                                        \
    X(solve, gather)                                                                                         \
    X(solve, gather_listed)                                                                                  \
    X(solve, regather)                                                                                       \
    X(solve, sweep)                                                                                          \
    X(solve, sweep_bundles)                                                                                  \
    X(solve, update)                                                                                         \
    X(solve, rebound)                                                                                        \
    X(solve, correct)                                                                                        \
    X(solve, solve_trees)                                                                                    \
    X(solve, take_back)                                                                                      \
    X(nesterov, nesterov_chunks)                                                                             \
    X(nesterov, nesterov_total)                                                                              \
    X(nesterov, nesterov_step)                                                                               \
    X(residual, residual_chunks)

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
    X(impulses)                                                                                              \
    X(kept)                                                                                                  \
    X(incidence_first)                                                                                       \
    X(incidence)                                                                                             \
    X(tail_bodies)                                                                                           \
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
    X(nesterov)                                                                                              \
    X(chunks)

#define PROGRAM_ENUM(name) PROGRAM_##name,
#define KERNEL_ENUM(file, name) KERNEL_##name,
#define BUFFER_FIELD(name) opencl_buffer name;
enum { ENGINE_PROGRAMS(PROGRAM_ENUM) PROGRAM_COUNT };
typedef enum engine_kernel { ENGINE_KERNELS(KERNEL_ENUM) KERNEL_COUNT } engine_kernel;
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
    cl_program programs[PROGRAM_COUNT];
    cl_kernel kernels[KERNEL_COUNT];
    engine_buffers buffers;

    /* Problems whose results are newer on the device than on the host: from predict (mobility, free velocity)
     * and from solve (velocities, A_cc) until fetch, or until another problem takes their place. Null: none.
     */
    const problem *predicted, *solved;

    problem *p;         /* of the solve that runs */
    sweep_plan plan;    /* of its sweeps */
    int largest_shared; /* groups of the largest colours that share launches */
    /* The bodies that were sent up last: what they are told apart by, since the step works on copies of the
     * world's. */
    body_array sent;
    int few_chunks; /* as many sums every work-group adds up by itself; more are a launch of their own */
    int momentum;   /* which of the two states on the device is the momentum's */
    nesterov_state states[2]; /* both, as they were read last */
    bool states_stale;        /* they have changed since */
    bool pushes_up; /* whether the impulses on the device are those that a position pass of p ended with */
    bool profiled;
    int event_count, event_capacity;
    cl_event *events; /* of the launches since the traffic was asked for, if profiled */
    int sum_capacity;
    residual_sum *sums;
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

/* Enqueues a kernel over `count` work-items; none for count 0. Errors: DEVICE and DEVICE_MEMORY, naming the
 * kernel. */
scree_result engine_launch(opencl_backend *self, engine_kernel kernel, int count,
                           const kernel_argument *arguments, int argument_count);
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

extern const executor_verbs opencl_executor_verbs;

#endif
