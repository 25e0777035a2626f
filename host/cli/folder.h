/* The folder of a run's results: checks whether a run may write there. */
#pragma once

#include <scree/scree.h>
#include <scree/tools/tools.h>

/* Sizes of a path, and of the part kept for the name of a file. */
enum { FOLDER_PATH = 4096, FOLDER_NAME = 64 };

/* Names of the files of a run, except frames. */
extern const char *const folder_checkpoint, *const folder_measurements, *const folder_index;
extern const char *const folder_measurement_format; /* takes a measurement's name */
extern const char *const folder_picture_format, *const folder_problem_format,
                                                    *const folder_stage_format; /* take a step */

/* Writes "folder/name" to `path`. Truncates folders that are too long, which folder_make refuses. */
const char *folder_path(const char *folder, const char *name, char path[FOLDER_PATH]);

/* Reads the step from the name of a file, which must be as `format` writes it. */
bool folder_read_step(const char *name, const char *format, uint64_t *step);

/* Makes a folder and its parents, and checks that it is writable. Errors: ARGUMENT. */
scree_result folder_make(const char *folder);
/* Locks the folder for this process until folder_unlock or the end of the process, however it ends. `lock` is
 * −1 on file systems without locks. Errors: ARGUMENT (another run holds the lock). */
scree_result folder_lock(const char *folder, int *lock);
void folder_unlock(const char *folder, int lock);
/* Checks that a run can begin in the folder: its files can be replaced and the disk has space for `bytes`,
 * which it tests by reserving them in a temporary file. Existing files remain untouched. Errors: ARGUMENT. */
scree_result folder_check(const char *folder, uint64_t bytes);
/* Checks that the folder's results up to the step of `world` belong to its own run; `world` was resumed from
 * the file `checkpoint`, and the run keeps those results. Errors: ARGUMENT. */
scree_result folder_belongs(const char *folder, const char *checkpoint, const scree_world *world);
/* Returns whether the folder has results of steps up to `to`. */
bool folder_has_results(const char *folder, uint64_t to);
bool folder_has_frame(const char *folder, uint64_t step);
