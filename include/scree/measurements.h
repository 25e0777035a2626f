/** @file
 * measurements.csv: one row for each output step. */
#ifndef SCREE_MEASUREMENTS_H
#define SCREE_MEASUREMENTS_H

#include <scree/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_measurements scree_measurements;

/** Opens `path` and writes the header (column names with units). With `from_step` > 0 rows of an earlier run
 * up to that step stay, later ones are dropped. Errors: FILE, DISK_FULL, FORMAT, MEMORY. */
SCREE_API scree_result scree_measurements_open(const char *path, uint64_t from_step,
                                               scree_measurements **out);
/** Appends a row, flushed. Errors: FILE, DISK_FULL. */
SCREE_API scree_result scree_measurements_write(scree_measurements *measurements,
                                                const scree_statistics *statistics);
/** Closes; null is fine. Errors: FILE, DISK_FULL. */
SCREE_API scree_result scree_measurements_close(scree_measurements *measurements);

#ifdef __cplusplus
}
#endif
#endif
