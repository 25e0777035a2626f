/* The folder of an ensemble: a folder for each world, which records how the world ended, and the tables. */
#pragma once

#include <stdio.h>

#include "folder.h"

enum { WORLD_FAILURE = 1024 };

typedef enum world_outcome {
    WORLD_OPEN, /* not run to its end yet */
    WORLD_DONE,
    WORLD_FAILED
} world_outcome;

extern const char *const ensemble_table, *const ensemble_summary, *const ensemble_messages;

/* Writes the path of a world's folder to `path` and returns it. */
const char *ensemble_world_folder(const char *folder, int world, char path[FOLDER_PATH]);
/* Writes the path of a file of a world and returns it. */
const char *ensemble_world_file(const char *folder, int world, const char *name, char path[FOLDER_PATH]);

/* Records that a world ended; an empty `failure`: as planned. Errors: FILE, DISK_FULL. */
scree_result ensemble_world_end(const char *folder, int world, const char *failure);
/* Returns how a world ended, with the reason of a failure. */
world_outcome ensemble_world_outcome(const char *folder, int world, char failure[WORLD_FAILURE]);
/* Removes the files of a world and its folder. */
void ensemble_world_remove(const char *folder, int world);

/* Begins an ensemble in a folder: removes the results of an earlier one and records `identity`, a text by
 * which a resumed run recognises its own worlds. Errors: FILE, DISK_FULL, MEMORY. */
scree_result ensemble_folder_begin(const char *folder, const char *identity);
/* Checks that a folder has an unfinished ensemble with this identity. Errors: ARGUMENT, MEMORY. */
scree_result ensemble_folder_check(const char *folder, const char *identity);
/* Records that all worlds have ended and the tables are written. */
void ensemble_folder_end(const char *folder);

/* Begins a file that replaces `name` when ensemble_draft_end is called, so that a reader finds either the old
 * or the new content; NULL with errno. */
FILE *ensemble_draft(const char *folder, const char *name);
/* Ends the draft; NULL is an error. Errors: FILE, DISK_FULL. */
scree_result ensemble_draft_end(const char *folder, const char *name, FILE *draft);
/* Reads a text file into a new, zero-terminated block; NULL: it cannot be read, or memory is exhausted. */
char *ensemble_read(const char *path);
