/* A header of 512 bytes before an HDF5 file (its "user block", which HDF5 skips) that says what the file is
 * and holds its length and checksum. It is checked before HDF5 sees a byte of the file, since HDF5 trusts its
 * own metadata. As text:
 *
 *     scree checkpoint
 *     version 1
 *     bytes 123456
 *     crc64 0123456789abcdef
 *
 * then spaces, and a line end as the last byte. */
#ifndef SCREE_IO_CHECKSUM_H
#define SCREE_IO_CHECKSUM_H

#include "file.h"

enum { CHECKSUM_SIZE = 512 };

/* Continues a CRC-64/XZ (ECMA-182 polynomial, reflected) over more bytes; it begins with 0. Any change within
 * 64 bits is found, any other with probability 1 − 2⁻⁶⁴. */
uint64_t checksum_of(uint64_t checksum, const void *bytes, size_t length);

/* Puts the header before what the file holds from CHECKSUM_SIZE on; `path` is for messages. Errors: FILE,
 * DISK_FULL, MEMORY. */
scree_result checksum_put(int descriptor, const char *path, const char *kind, int version);

/* Reads the whole file and compares. Errors: FILE; FORMAT (not of this kind, another version, cut short,
 * altered); MEMORY. */
scree_result checksum_check(const char *path, const char *kind, int version);

#endif
