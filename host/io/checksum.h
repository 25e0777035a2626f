/* A header of 512 bytes in front of an HDF5 file (its "user block", which HDF5 skips) with the file's
 * kind, length and checksum. It is checked before HDF5 reads the file, since HDF5 trusts its own metadata.
 * Its text is
 *
 *     scree checkpoint
 *     version 1
 *     bytes 123456
 *     crc64 0123456789abcdef
 *
 * followed by spaces, and a line end as the last byte. */
#pragma once

#include "file.h"

enum { CHECKSUM_SIZE = 512 };

/* Writes the header for the bytes from CHECKSUM_SIZE on; `path` is for messages. Errors: FILE, DISK_FULL,
 * MEMORY. */
scree_result checksum_put(int descriptor, const char *path, const char *kind, int version);

/* Reads the whole file and checks it against its header. Errors: FILE; FORMAT (another kind or version,
 * cut short, altered); MEMORY. */
scree_result checksum_check(const char *path, const char *kind, int version);
