/* Tests of the residual that the device evaluates itself, so that the host does not wait. */
#include "opencl_backend.h"

#include "base/memory.h"
#include "eager.h"

#include <stddef.h>

/* Per test: the sums, and the restarts so far. */
enum { TEST_NUMBERS = RESIDUAL_NUMBERS + 1 };

static bool available(const executor *base) {
    return backend_of_executor((executor *)base)->device.info.fp64;
}

static scree_result reserve(opencl_backend *self) {
    TRY(ENGINE_RESERVE(self, control, eager_control, 1));
    TRY(ENGINE_RESERVE(self, tests, double, TESTS_AHEAD *TEST_NUMBERS));
    return ENGINE_TAKE(self, best, block_impulse, self->p->block_count);
}

static scree_result begin(executor *base, solve_parameters parameters, solve_test test) {
    opencl_backend *self = backend_of_executor(base);
    const int chunks = opencl_chunk_count(self->p), momentum = test.momentum;
    if (test.number == 0) TRY(reserve(self));
    TRY(opencl_residual_chunks(self, parameters));
    TRY(ENGINE_LAUNCH(self, KERNEL_judge, WORK_GROUP, OWN(chunks), OWN(tests), OWN(control), OWN(nesterov),
                      ARGUMENT(chunks), ARGUMENT(test.number), ARGUMENT(test.made), ARGUMENT(momentum),
                      ARGUMENT(self->momentum)));
    /* If it is the best, the last iterate is used in place, so it is not copied. */
    return test.last ? SCREE_OK
                     : ENGINE_LAUNCH(self, KERNEL_keep_best, self->p->block_count, OWN(control),
                                     OWN(impulses), OWN(best), ARGUMENT(self->p->block_count));
}

static scree_result read_back(executor *base, int count, residual_sum *sums, int *restarts) {
    opencl_backend *self = backend_of_executor(base);
    TRY(ENGINE_LAUNCH(self, KERNEL_take_best, self->p->block_count, OWN(control), OWN(impulses), OWN(best),
                      ARGUMENT(self->p->block_count)));
    TRY(MEMORY_RESERVE(self->tests, self->test_capacity, count * TEST_NUMBERS, NULL));
    TRY(ENGINE_FETCH(self, nesterov, self->states, 2));
    TRY(ENGINE_READ(self, tests, self->tests, count * TEST_NUMBERS));
    self->states_stale = false;
    for (int i = 0; i < count; i++) {
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

const test_operations opencl_test_operations = {available, begin, read_back, restarts_set};
