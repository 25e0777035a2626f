/** @file
 * CSV files: measurements.csv with the statistics of steps, and one file for each measurement. */
#ifndef SCREE_TOOLS_STATISTICS_FILE_H
#define SCREE_TOOLS_STATISTICS_FILE_H

#include <scree/bulk.h>
#include <scree/tools/measurement.h>
#include <scree/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An open measurements.csv. A row has the statistics of its step, and maxima, means and sums over all steps
 * since the previous row. */
typedef struct scree_statistics_file scree_statistics_file;

/** Opens `path` and writes the header (column names with units). If `from_step` > 0, rows of an earlier run
 * up to and including that step are kept and later ones are dropped. Errors: FILE, DISK_FULL, FORMAT, MEMORY.
 */
SCREE_API scree_result scree_statistics_file_open(const char *path, uint64_t from_step,
                                                  scree_statistics_file **out);
/** Keeps the maxima, means and sums of the next row in `world`, so that its checkpoints hold them, and
 * continues those that it has. Use the file before the world is destroyed. Errors: MEMORY; the file then
 * keeps them itself. */
SCREE_API scree_result scree_statistics_file_attach(scree_statistics_file *measurements, scree_world *world);
/** Adds a step to the maxima, means and sums of the next row. Errors: ARGUMENT. */
SCREE_API scree_result scree_statistics_file_add(scree_statistics_file *measurements,
                                                 const scree_statistics *statistics);
/** Appends a row and flushes the file. Adds the step first if scree_statistics_file_add was not called for
 * it. `bulk` (may be null) is the bulk of the world after the step; with null, or without a bulk, its cells
 * stay empty. Errors: FILE, DISK_FULL. */
SCREE_API scree_result scree_statistics_file_write(scree_statistics_file *measurements,
                                                   const scree_statistics *statistics,
                                                   const scree_bulk *bulk);
/** Sets the text of column `stage` in the following rows to `name` (may be null: empty). Errors: ARGUMENT (64
 * bytes or more, or a comma, quote or line end in the name). */
SCREE_API scree_result scree_statistics_file_set_stage(scree_statistics_file *measurements, const char *name);
/** Closes the file. Null is allowed. Errors: FILE, DISK_FULL. */
SCREE_API scree_result scree_statistics_file_close(scree_statistics_file *measurements);

/** An open CSV file with the rows of one measurement. */
typedef struct scree_measurement_file scree_measurement_file;

/** Opens a CSV file for the rows of a measurement and writes the header. `from_step` has the meaning that it
 * has in scree_statistics_file_open. Errors: HANDLE, and those of scree_statistics_file_open. */
SCREE_API scree_result scree_measurement_file_open(const char *path, const scree_world *world,
                                                   scree_measurement_id measurement, uint64_t from_step,
                                                   scree_measurement_file **out);
/** Appends the measurement's last row if it was made in the world's last step. Errors: HANDLE, FILE,
 * DISK_FULL, MEMORY. */
SCREE_API scree_result scree_measurement_file_write(scree_measurement_file *file, const scree_world *world);
/** Sets the text of column `stage` in the following rows to `name` (may be null: empty). See
 * scree_statistics_file_set_stage. */
SCREE_API scree_result scree_measurement_file_set_stage(scree_measurement_file *file, const char *name);
/** Returns the step of the last row that was kept from an earlier run when the file was opened; 0: none. */
SCREE_API uint64_t scree_measurement_file_get_last_step(const scree_measurement_file *file);
/** Returns the number of rows written. */
SCREE_API int scree_measurement_file_row_count(const scree_measurement_file *file);
/** Closes the file. Null is allowed. Errors: FILE, DISK_FULL. */
SCREE_API scree_result scree_measurement_file_close(scree_measurement_file *file);

#ifdef __cplusplus
}
#endif
#endif
