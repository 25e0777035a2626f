/* Executors over a matrix: the launches of executor.h for rows instead of bodies and blocks. The precision of
 * a kernel is its own: what goes in and out here is double. */
#ifndef SCREE_PROBLEM_MATRIX_EXECUTOR_H
#define SCREE_PROBLEM_MATRIX_EXECUTOR_H

#include "solve/executor.h"
#include "matrix_operator.h"

/* Every one begins with this. */
typedef struct matrix_executor {
    executor executor;
    void (*destroy)(struct matrix_executor *self);
    const matrix_operator *a;
    double *r; /* of the caller, 3 a row: start impulses before `begin`, the solution after `end` */
    char name[192];
} matrix_executor;

/* The operator and r must outlive the executor. Errors: MEMORY. */
scree_result native_matrix_create(const matrix_operator *a, double *r, int threads, matrix_executor **out);
/* The same with double arithmetic. */
scree_result native_matrix_create_double(const matrix_operator *a, double *r, int threads,
                                         matrix_executor **out);
/* On a device, named as in opencl_device_open. Errors: as opencl_create; UNSUPPORTED where double precision
 * is asked for and the device has none. */
scree_result opencl_matrix_create(const matrix_operator *a, double *r, const char *device, bool fp64,
                                  matrix_executor **out);

#endif
