/* Executors over a matrix: the launches of executor.h for rows instead of bodies and blocks. The interface is
 * in double; each executor has its own precision. */
#pragma once

#include "solve/executor.h"
#include "matrix_operator.h"

/* The first member of every matrix executor. */
typedef struct matrix_executor {
    executor executor;
    void (*destroy)(struct matrix_executor *self);
    const matrix_operator *a;
    double *r; /* the caller's, 3 per row: initial impulses before `begin`, the solution after `end` */
    char name[192];
} matrix_executor;

/* Creates a native executor in single precision. The operator and r must outlive it. Errors: MEMORY. */
scree_result native_matrix_create(const matrix_operator *a, double *r, int threads, matrix_executor **out);
/* Creates a native executor in double precision. */
scree_result native_matrix_create_double(const matrix_operator *a, double *r, int threads,
                                         matrix_executor **out);
/* Creates an executor on a device, named as in opencl_device_open. Errors: as opencl_create; UNSUPPORTED if
 * fp64 is set and the device has no double precision. */
scree_result opencl_matrix_create(const matrix_operator *a, double *r, const char *device, bool fp64,
                                  matrix_executor **out);
