/* Pictures as PNG files. */
#pragma once

#include <scree/core.h>

/* Writes `pixels` (red, green, blue bytes; rows from the top, `height` of them) to a temporary file next
 * to `path` and renames it, so that `path` never holds an incomplete picture. On error the temporary file
 * is removed and `path` is unchanged. Errors: FILE, DISK_FULL, MEMORY. */
scree_result png_file_write(const char *path, int width, int height, const uint8_t *pixels);
