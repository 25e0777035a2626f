/* Files of pictures: PNG of 8 bits a channel. */
#pragma once

#include "base/error.h"

#include <stdint.h>

/* Writes width × height pixels, red, green, blue, rows from the top, under a temporary name, and renames the
 * file. Errors: FILE, DISK_FULL, MEMORY. */
scree_result picture_file_write(const char *path, int width, int height, const uint8_t *pixels);
