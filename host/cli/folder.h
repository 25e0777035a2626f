/* The folder of a run's results: whether a run may write there. */
#ifndef SCREE_CLI_FOLDER_H
#define SCREE_CLI_FOLDER_H

#include <scree/scree.h>
#include <scree/tools/tools.h>

enum { FOLDER_PATH = 4096 };

/* Names of what a run writes, besides frames. */
extern const char *const folder_checkpoint, *const folder_measurements, *const folder_index;
extern const char *const folder_measurement_format; /* with a gauge's name */
extern const char *const folder_picture_format, *const folder_problem_format,
                                                    *const folder_stage_format; /* with a step */

/* "folder/name"; cut where that is too long, which folder_make refuses. */
const char *folder_path(const char *folder, const char *name, char path[FOLDER_PATH]);

/* Makes a folder, and those above it, that can be written into; else prints one sentence. */
bool folder_make(const char *folder);
/* Takes the folder for this process until folder_unlock or its end, however it ends; false, after one
 * sentence, while another run has it. `lock` is then −1, as where the file system knows no locks. */
bool folder_lock(const char *folder, int *lock);
void folder_unlock(const char *folder, int lock);
/* Whether a run can begin in the folder: its files can be replaced and the disk has room for `bytes` (which
 * is tried by reserving them in a file that goes again); else prints one sentence. Nothing that is there is
 * touched. */
bool folder_check(const char *folder, uint64_t bytes);
/* Whether the results in the folder up to the step of `world`, which was resumed from the file `checkpoint`
 * and keeps them, are those of its own run; else prints one sentence. */
bool folder_belongs(const char *folder, const char *checkpoint, const scree_world *world);
/* Whether it has results of steps up to `to`. */
bool folder_has_results(const char *folder, uint64_t to);
/* Whether the folder has a frame of that step. */
bool folder_has_frame(const char *folder, uint64_t step);

#endif
