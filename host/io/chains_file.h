/* Force chains: a frame's contacts as lines in VTK's format (PolyData, chains_<step>.vtp). */
#pragma once

#include "file.h"

#include <scree/tools/frame.h>

enum { CHAINS_NAME_SIZE = 48 };

/* "chains_00000012.vtp" */
void chains_file_name(uint64_t step, char out[CHAINS_NAME_SIZE]);
/* Writes a line for each pair of bodies with a normal force, between their centres; a body that is not
 * dynamic is replaced by the contact point. Errors: FILE, DISK_FULL, MEMORY. */
scree_result chains_file_write(const scree_frame *frame, const char *path);
