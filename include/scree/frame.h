/** @file
 * A frame is what can be seen of a world at one moment: taken from a world or read back from a file, drawn as
 * a picture, written to a time series for ParaView. */
#ifndef SCREE_FRAME_H
#define SCREE_FRAME_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One moment. All arrays have `count` entries, one for each living body in slot order; the frame owns them.
 */
typedef struct scree_frame {
    uint64_t step;
    double time; /**< s */
    int count;
    scree_body_id *ids;
    scree_body_type *types;
    scree_shape *shapes;
    scree_body_state *states;
    double *kinetic_energies; /**< J */
    int *contact_counts;      /**< contact points of the body in the last step that carry an impulse */
    int contact_count;        /**< contacts of the last step */
    scree_contact *contacts;
    float time_step; /**< s: contacts' impulses divided by it are forces */
} scree_frame;

/** Copies what a frame holds from a world. Errors: MEMORY. */
SCREE_API scree_result scree_frame_take(const scree_world *world, scree_frame *out);
/** Frees a frame's arrays and zeroes it. */
SCREE_API void scree_frame_release(scree_frame *frame);

/** A time series being written into a folder: HDF5 heavy data, and the index that ParaView opens. Complete
 * and readable after every write. */
typedef struct scree_series scree_series;

/** Begins a series in `folder` (which exists). With `from_step` > 0 frames of an earlier run up to and
 * including that step stay, later ones are dropped (a resumed run writes them again). Errors: FILE,
 * DISK_FULL, FORMAT, MEMORY. */
SCREE_API scree_result scree_series_open(const char *folder, uint64_t from_step, scree_series **out);
/** Appends a frame. Errors: FILE, DISK_FULL, MEMORY; the series stays readable up to the frame before. */
SCREE_API scree_result scree_series_write(scree_series *series, const scree_frame *frame);
/** The file to open in ParaView. */
SCREE_API const char *scree_series_path(const scree_series *series);
/** Ends the series; null is fine. Errors: FILE, DISK_FULL. */
SCREE_API scree_result scree_series_close(scree_series *series);

/** Reads a frame back: `path` is one frame's HDF5 file of a series. Errors: FILE; FORMAT; MEMORY. */
SCREE_API scree_result scree_frame_read(const char *path, scree_frame *out);

#ifdef __cplusplus
}
#endif
#endif
