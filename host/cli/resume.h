/* The command that continues a run. */
#pragma once

#include <stdio.h>

#include "settings.h"

/* Prints the command that resumes the run of `given` from `checkpoint`, at step `step`, in `folder`, with
 * every option of `argv` that still applies, quoted for a shell. */
void continuation_print(const settings *given, int argc, char **argv, const char *checkpoint,
                        const char *folder, uint64_t step, FILE *out);
