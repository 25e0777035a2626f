/* Films: pictures sent to the program ffmpeg, which writes the file. */
#pragma once

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum { RECORDER_RATE = 30 }; /* pictures a second */

typedef struct recorder {
    const char *path;
    int width, height;
    int pipe; /* to ffmpeg; −1: none */
    pid_t process;
    int frames;
} recorder;

/* Returns whether the PATH has ffmpeg. */
bool recorder_is_there(void);
/* Starts ffmpeg, which replaces the file at `path`. The ending of its name chooses the format. Errors: FILE
 * (there is no ffmpeg, or it does not start). */
scree_result recorder_begin(recorder *self, const char *path, int width, int height);
/* Adds a picture: red, green, blue, rows from the top. Errors: FILE (ffmpeg has ended; its message is on
 * stderr). */
scree_result recorder_add(recorder *self, const uint8_t *pixels);
/* Completes the file. Does nothing if it was never begun. Errors: FILE. */
scree_result recorder_end(recorder *self);
