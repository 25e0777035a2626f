/** @file
 * measurements.csv: rows that hold the figures of a step, and maxima, means and sums since the row before;
 * and files of the rows of gauges. */
#ifndef SCREE_TOOLS_STATISTICS_FILE_H
#define SCREE_TOOLS_STATISTICS_FILE_H

#include <scree/measurement.h>
#include <scree/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_statistics_file scree_statistics_file;

/** Opens `path` and writes the header (column names with units). With `from_step` > 0 rows of an earlier run
 * up to that step stay, later ones are dropped. Errors: FILE, DISK_FULL, FORMAT, MEMORY. */
SCREE_API scree_result scree_statistics_file_open(const char *path, uint64_t from_step,
                                                  scree_statistics_file **out);
/** Takes a step into the interval that the next row sums up: its maxima, means and sums are over all steps
 * that were added or written since the row before. Errors: ARGUMENT. */
SCREE_API scree_result scree_statistics_file_add(scree_statistics_file *measurements,
                                                 const scree_statistics *statistics);
/** Appends a row, flushed; adds the step if that was not done. `bulk` is that of the world after the step;
 * null leaves its cells empty, as where there is none. Errors: FILE, DISK_FULL. */
SCREE_API scree_result scree_statistics_file_write(scree_statistics_file *measurements,
                                                   const scree_statistics *statistics,
                                                   const scree_bulk *bulk);
/** What the column `stage` says from now on; null: nothing. Errors: ARGUMENT (64 bytes or more; a comma,
 * quote or end of line). */
SCREE_API scree_result scree_statistics_file_set_stage(scree_statistics_file *measurements, const char *name);
/** Closes; null is fine. Errors: FILE, DISK_FULL. */
SCREE_API scree_result scree_statistics_file_close(scree_statistics_file *measurements);

typedef struct scree_measurement_file scree_measurement_file;

/** Opens a CSV file for the rows of a gauge and writes the header; `from_step` as in
 * scree_statistics_file_open. Errors: HANDLE, and as there. */
SCREE_API scree_result scree_measurement_file_open(const char *path, const scree_world *world,
                                                   scree_measurement_id measurement, uint64_t from_step,
                                                   scree_measurement_file **out);
/** Appends the gauge's last row if it is of the world's last step. Errors: HANDLE, FILE, DISK_FULL, MEMORY.
 */
SCREE_API scree_result scree_measurement_file_write(scree_measurement_file *file, const scree_world *world);
/** What the column `stage` says from now on; as scree_statistics_file_set_stage. */
SCREE_API scree_result scree_measurement_file_set_stage(scree_measurement_file *file, const char *name);
/** The step of the last row that an earlier run left in a file when it was opened; 0: none. */
SCREE_API uint64_t scree_measurement_file_get_last_step(const scree_measurement_file *file);
/** How many rows were written. */
SCREE_API int scree_measurement_file_row_count(const scree_measurement_file *file);
/** Closes; null is fine. Errors: FILE, DISK_FULL. */
SCREE_API scree_result scree_measurement_file_close(scree_measurement_file *file);

#ifdef __cplusplus
}
#endif
#endif
