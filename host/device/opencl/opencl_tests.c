/* Tests of the residual that the device evaluates itself, so that the host does not wait. */
#include "opencl_backend.h"

#include "base/memory.h"
#include "eager.h"

#include <stddef.h>

/* Per test: the sums, and the restarts so far. */
enum { TEST_NUMBERS = RESIDUAL_NUMBERS + 1 };

static opencl_backend *backend_of_executor(executor *self) {
    return (opencl_backend *)((char *)self - offsetof(opencl_backend, executor));
}

static bool available(const executor *base) {
    return backend_of_executor((executor *)base)->device.info.fp64;
}

static scree_result reserve(opencl_backend *self) {
    TRY(ENGINE_RESERVE(self, control, eager_control, 1));
    TRY(ENGINE_RESERVE(self, tests, double, TESTS_AHEAD *TEST_NUMBERS));
    return ENGINE_RESERVE(self, best, block_impulse, self->p->block_count);
}

static scree_result begin(executor *base, solve_parameters parameters, solve_test test) {
    opencl_backend *self = backend_of_executor(base);
    const engine_buffers *on = &self->buffers;
    const int chunks = opencl_chunk_count(self->p), momentum = test.momentum;
    if (test.number == 0) TRY(reserve(self));
    const kernel_argument judged[] = {BUFFER(on->chunks),   BUFFER(on->tests),  BUFFER(on->control),
                                      BUFFER(on->nesterov), ARGUMENT(chunks),   ARGUMENT(test.number),
                                      ARGUMENT(test.made),  ARGUMENT(momentum), ARGUMENT(self->momentum)};
    const kernel_argument kept[] = {BUFFER(on->control), BUFFER(on->impulses), BUFFER(on->best),
                                    ARGUMENT(self->p->block_count)};
    TRY(opencl_residual_chunks(self, parameters));
    TRY(ENGINE_LAUNCH(self, KERNEL_judge, WORK_GROUP, judged));
    /* If it is the best, the last iterate is used in place, so it is not copied. */
    return test.last ? SCREE_OK : ENGINE_LAUNCH(self, KERNEL_keep_best, self->p->block_count, kept);
}

static scree_result read_back(executor *base, int count, residual_sum *sums, int *restarts) {
    opencl_backend *self = backend_of_executor(base);
    const engine_buffers *on = &self->buffers;
    const kernel_argument taken[] = {BUFFER(on->control), BUFFER(on->impulses), BUFFER(on->best),
                                     ARGUMENT(self->p->block_count)};
    TRY(ENGINE_LAUNCH(self, KERNEL_take_best, self->p->block_count, taken));
    TRY(MEMORY_RESERVE(self->tests, self->test_capacity, count * TEST_NUMBERS, NULL));
    TRY(ENGINE_FETCH(self, nesterov, self->states, 2));
    TRY(ENGINE_READ(self, tests, self->tests, count * TEST_NUMBERS));
    self->states_stale = false;
    for (int i = 0; i < count; ++i) {
        const double *numbers = self->tests + TEST_NUMBERS * i;
        sums[i] = *(const residual_sum *)numbers;
        restarts[i] = (int)numbers[RESIDUAL_NUMBERS];
    }
    return SCREE_OK;
}

static scree_result restarts_set(executor *base, int restarts) {
    opencl_backend *self = backend_of_executor(base);
    self->states[self->momentum].restarts = restarts;
    return ENGINE_SEND(self, nesterov, self->states, 2);
}

const test_verbs opencl_test_verbs = {available, begin, read_back, restarts_set};
