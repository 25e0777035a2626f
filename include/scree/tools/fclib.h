/** @file
 * FCLIB files (HDF5) of frictional contact problems and their solutions (Acary, Brémond, Huber 2014). */
#ifndef SCREE_TOOLS_FCLIB_H
#define SCREE_TOOLS_FCLIB_H

#include <scree/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Reads an FCLIB file with three components a contact, in local form (scree_local_problem_def) or global
 * form (scree_global_problem_def). Matrices may be triplets (duplicates are added), compressed columns or
 * compressed rows; an M stored as one triangle is mirrored. The first guess in the file becomes the warm
 * start. Errors: FILE; FORMAT (names the dataset and the expected content); UNSUPPORTED (two components,
 * rolling friction); CAPACITY (more than 2000 coupled degrees of freedom in M); MEMORY. */
SCREE_API scree_result scree_fclib_load(const char *path, scree_problem **out);
/** Writes an FCLIB file in local form, with /solution if `impulses` and `velocities` (3 n each, both or
 * neither null) are given. Equality rows become V, R and s; axes that a joint leaves free are omitted.
 * Errors: FILE, DISK_FULL, MEMORY; UNSUPPORTED (rolling or spinning friction, or bounded rows other than
 * equalities, which the format cannot represent). */
SCREE_API scree_result scree_fclib_save(const scree_problem *problem, const char *path,
                                        const double *impulses, const double *velocities);
/** Writes a copy of `source`, the file that `problem` was loaded from, with /solution replaced by r, u, l of
 * the bilateral rows and, for the global form, the velocities v of the degrees of freedom. `path` may be the
 * same file. Errors: FILE, DISK_FULL, FORMAT, MEMORY. */
SCREE_API scree_result scree_fclib_save_solution(const scree_problem *problem, const char *source,
                                                 const char *path, const double *impulses,
                                                 const double *velocities);

#ifdef __cplusplus
}
#endif
#endif
