/* An XDMF file that lists one kind of item over time: a collection with one grid per frame. It grows in
 * place by one grid at a time, and is well-formed and complete at every moment: after a kill between any
 * two writes, and on a full disk.
 *
 * The file is a sequence of pages of 4096 bytes, padded with blanks: the head; the grids, each starting on
 * a page; a page that closes all elements and opens a processing instruction, `</Xdmf> <?next`; and a page
 * that holds an instruction of its own, `<?next ?>`. Everything between the last two pages is part of the
 * first instruction, which ends with the file. A grid is added by
 *
 *     1. more pages `<?next ?>` at the end (all the space required: only this can find the disk full);
 *     2. the grid's pages except its first, and a new closing page after them, inside the instruction;
 *     3. the grid's first page over the old closing page, which makes the grid and what follows valid.
 *
 * A write of one aligned page is all or nothing when a process is killed (Linux checks for signals between
 * pages). Nothing is synced: after a power cut scree_series_open rewrites the index. */
#pragma once

#include "frame_file.h"

#include <sys/types.h>

typedef struct frame_index {
    const frame_group *group;
    char *path;
    int descriptor; /* -1: nothing is listed yet, and the file holds an empty domain */
    off_t closing;  /* position of the closing page */
    off_t before;   /* position of the closing page before the last grid; -1: none */
    off_t last;     /* position of the page `<?next ?>` that ends the file */
    char *text;     /* of one grid or the whole file; kept to reuse its memory */
    int length, capacity;
} frame_index;

/* Rewrites the group's index with the frames that have rows of the group (XDMF's readers reject a grid
 * without points). The frames' files are in the same folder. Errors: FILE, DISK_FULL, MEMORY. */
scree_result frame_index_open(frame_index *self, const frame_group *group, const char *folder,
                              const frame_summary *frames, int count);
/* Adds a grid if the frame has rows. On error the file is unchanged. Errors: FILE, DISK_FULL, MEMORY. */
scree_result frame_index_append(frame_index *self, const frame_summary *frame);
/* Undoes the last frame_index_append, which was for `frame`. */
void frame_index_retract(frame_index *self, const frame_summary *frame);
scree_result frame_index_close(frame_index *self);
