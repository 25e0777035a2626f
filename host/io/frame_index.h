/* An XDMF file that lists one kind of thing over time, as a collection with one grid for each frame. It grows
 * by a grid at a time, in place, and is well-formed and complete at every moment: after a kill between any
 * two writes, and on a full disk.
 *
 * The file is a row of pages of 4096 bytes, filled up with blanks: the head; the grids, each at the beginning
 * of a page; a page that closes all elements and opens a processing instruction, `</Xdmf> <?next`; and one
 * that holds an instruction of its own, `<?next ?>`. Whatever stands between the two is part of the first
 * one's instruction, which ends with the file. So a grid is added by
 *
 *     1. more pages `<?next ?>` at the end (all the room that is needed: only here can a disk be full);
 *     2. the grid's pages but its first, and a new closing page behind them: they lie in the instruction;
 *     3. the grid's first page over the old closing page. Now the grid and what follows it count.
 *
 * A write of one aligned page is all or nothing when a process is killed (Linux looks for signals between
 * pages). Nothing is synced: after a power cut scree_series_open, which writes the index anew, repairs it. */
#ifndef SCREE_IO_FRAME_INDEX_H
#define SCREE_IO_FRAME_INDEX_H

#include "frame_file.h"

#include <sys/types.h>

typedef struct frame_index {
    const frame_group *group;
    char *path;
    int descriptor; /* -1: nothing is listed yet, and the file holds an empty domain */
    off_t closing;  /* where the closing page is */
    off_t before;   /* where it was before the last grid; -1: there was none */
    off_t last;     /* where the page `<?next ?>` is that ends the file */
    char *text;     /* of one grid or the whole file; kept for its memory */
    int length, capacity;
} frame_index;

/* Writes the group's index anew with those of the frames that have rows of the group (XDMF's readers refuse a
 * grid without points). The frames' files are in the same folder. Errors: FILE, DISK_FULL, MEMORY. */
scree_result frame_index_open(frame_index *self, const frame_group *group, const char *folder,
                              const frame_summary *frames, int count);
/* Adds a grid, if the frame has rows. On error the file is as it was. Errors: FILE, DISK_FULL, MEMORY. */
scree_result frame_index_append(frame_index *self, const frame_summary *frame);
/* Takes back what the last call added for `frame`. */
void frame_index_retract(frame_index *self, const frame_summary *frame);
scree_result frame_index_close(frame_index *self);

#endif
