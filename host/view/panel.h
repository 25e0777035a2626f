/* The buttons, the numbers of the marked body, the help. */
#pragma once

#include "viewer.h"

/* Draws the widgets over the current picture, and does what the mouse chose. */
void panel_draw(viewer *self);
