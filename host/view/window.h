/* The window, by GLFW, with a context of OpenGL 3.3. */
#pragma once

#include "viewer.h"

typedef struct window window;

/* Opens a window that is not shown yet, and makes its context current. Errors: DEVICE (there is no display,
 * or no OpenGL 3.3). */
scree_result window_open(int width, int height, const char *title, window **out);
void window_close(window *self);
/* Shows the window, whose input goes to the viewer from now on, until it is closed. Errors: those of
 * viewer_draw. */
scree_result window_run(window *self, viewer *shown);
