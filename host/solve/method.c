#include "method.h"

static const method_row rows[] = {
    [SCREE_METHOD_PGS] = {"pgs", ITERATION_FORWARD, false},
    [SCREE_METHOD_JACOBI] = {"jacobi", ITERATION_JACOBI, false},
    [SCREE_METHOD_ACCELERATED_JACOBI] = {"accelerated-jacobi", ITERATION_JACOBI, true},
    [SCREE_METHOD_ACCELERATED_PGS] = {"accelerated-pgs", ITERATION_FORWARD, true},
};
_Static_assert(sizeof rows / sizeof *rows == SCREE_METHOD_COUNT, "every method has a row");

const method_row *method_row_of(scree_method method) { return &rows[method]; }

const char *scree_method_name(scree_method method) {
    return (unsigned)method < SCREE_METHOD_COUNT ? rows[method].name : NULL;
}

bool method_takes(scree_method method, float relaxation) {
    return relaxation > 0 && (rows[method].kind == ITERATION_JACOBI ? relaxation <= 1 : relaxation < 2);
}
