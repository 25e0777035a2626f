/* Pictures as PNG files. */
#ifndef SCREE_IO_PNG_FILE_H
#define SCREE_IO_PNG_FILE_H

#include <scree/result.h>

/* Writes `pixels` (red, green, blue bytes; rows from the top, `height` of them) to a temporary name beside
 * `path` and renames it, so that `path` never holds half a picture. Errors: FILE, DISK_FULL, MEMORY; the
 * temporary file is then removed and `path` unchanged. */
scree_result png_file_write(const char *path, int width, int height, const uint8_t *pixels);

#endif
