/* Runs of all worlds of a scene with `worlds`. */
#pragma once

#include "settings.h"

/* Runs each world in a process of its own, as many at once as the run has threads, and writes their tables.
 * Returns the exit code of the program. */
int ensemble_run(const settings *settings, const scree_scene *scene, int argc, char **argv);
