#include "checksum.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* tables[k][b] is the checksum of byte b followed by k zero bytes, for eight bytes at a time ("slicing by
 * 8", Kounavis and Berry 2005). */
typedef struct crc_tables {
    uint64_t tables[8][256];
} crc_tables;

static void fill_tables(crc_tables *out) {
    const uint64_t polynomial = 0xc96c5795d7870f42u;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t value = byte;
        for (int bit = 0; bit < 8; bit++) value = value & 1 ? (value >> 1) ^ polynomial : value >> 1;
        out->tables[0][byte] = value;
    }
    for (int k = 1; k < 8; k++)
        for (unsigned byte = 0; byte < 256; byte++) {
            const uint64_t before = out->tables[k - 1][byte];
            out->tables[k][byte] = (before >> 8) ^ out->tables[0][before & 255];
        }
}

/* Continues a CRC-64/XZ (ECMA-182 polynomial, reflected) over more bytes; start with 0. Detects any change
 * within 64 bits, and any other with probability 1 − 2⁻⁶⁴. */
static uint64_t checksum_of(uint64_t checksum, const void *bytes, size_t length) {
    crc_tables crc;
    fill_tables(&crc);
    const unsigned char *next = bytes;
    uint64_t value = ~checksum;
    for (; length >= 8; length -= 8, next += 8) {
        uint64_t word = 0;
        for (int i = 0; i < 8; i++) word |= (uint64_t)next[i] << (8 * i);
        word ^= value;
        value = 0;
        for (int i = 0; i < 8; i++) value ^= crc.tables[7 - i][(word >> (8 * i)) & 255];
    }
    for (; length; --length, ++next) value = (value >> 8) ^ crc.tables[0][(value ^ *next) & 255];
    return ~value;
}

static void print_header(char out[CHECKSUM_SIZE], const char *kind, int version, uint64_t length,
                         uint64_t checksum) {
    memset(out, ' ', CHECKSUM_SIZE);
    const int used =
        snprintf(out, CHECKSUM_SIZE, "scree %s\nversion %d\nbytes %" PRIu64 "\ncrc64 %016" PRIx64 "\n", kind,
                 version, length, checksum);
    if (used >= 0 && used < CHECKSUM_SIZE) out[used] = ' ';
    out[CHECKSUM_SIZE - 1] = '\n';
}

/* Computes length and checksum of the bytes after the header. */
static scree_result sum_rest(int descriptor, const char *path, uint64_t *length, uint64_t *checksum) {
    const size_t size = 1 << 20;
    SCOPED char *chunk = memory_allocate(size, 1);
    if (!chunk) return fail(SCREE_ERROR_MEMORY, "out of memory to check '%s'", path);
    ssize_t got;
    *length = *checksum = 0;
    while ((got = file_read_all(descriptor, chunk, size)) > 0) {
        *checksum = checksum_of(*checksum, chunk, (size_t)got);
        *length += (uint64_t)got;
    }
    return got < 0 ? fail_file(errno, "cannot read '%s'", path) : SCREE_OK;
}

scree_result checksum_put(int descriptor, const char *path, const char *kind, int version) {
    char header[CHECKSUM_SIZE];
    uint64_t length, checksum;
    if (lseek(descriptor, CHECKSUM_SIZE, SEEK_SET) < 0) return fail_file(errno, "cannot write '%s'", path);
    TRY(sum_rest(descriptor, path, &length, &checksum));
    print_header(header, kind, version, length, checksum);
    if (lseek(descriptor, 0, SEEK_SET) < 0) return fail_file(errno, "cannot write '%s'", path);
    const int error = file_write_all(descriptor, header, CHECKSUM_SIZE);
    return error ? fail_file(error, "cannot write '%s'", path) : SCREE_OK;
}

/* Checks kind and version of the header; `length` receives its length field. */
static scree_result check_header(const char header[CHECKSUM_SIZE], const char *path, const char *kind,
                                 int version, uint64_t *length) {
    char first[64], text[CHECKSUM_SIZE + 1];
    memcpy(text, header, CHECKSUM_SIZE);
    text[CHECKSUM_SIZE] = 0;
    const size_t used = (size_t)snprintf(first, sizeof first, "scree %s\nversion ", kind);
    if (strncmp(text, first, used))
        return fail(SCREE_ERROR_FORMAT, "'%s' is not a scree %s: its first line is not 'scree %s'", path,
                    kind, kind);
    char *rest;
    const long found = strtol(text + used, &rest, 10);
    if (found != version && *rest == '\n')
        return fail(SCREE_ERROR_FORMAT, "'%s' is a scree %s of version %ld; this scree reads version %d",
                    path, kind, found, version);
    if (sscanf(rest, "\nbytes %" SCNu64, length) != 1)
        return fail(SCREE_ERROR_FORMAT, "'%s' was altered: its header does not give a length", path);
    return SCREE_OK;
}

static scree_result check_open(int descriptor, const char *path, const char *kind, int version) {
    char header[CHECKSUM_SIZE], expected[CHECKSUM_SIZE];
    const ssize_t got = file_read_all(descriptor, header, CHECKSUM_SIZE);
    if (got < 0) return fail_file(errno, "cannot read '%s'", path);
    if (got < CHECKSUM_SIZE)
        return fail(SCREE_ERROR_FORMAT, "'%s' is not a scree %s, or was cut short: it has %zd bytes", path,
                    kind, got);
    uint64_t promised = 0, length = 0, checksum = 0;
    TRY(check_header(header, path, kind, version, &promised));
    TRY(sum_rest(descriptor, path, &length, &checksum));
    if (length < promised)
        return fail(SCREE_ERROR_FORMAT, "'%s' was cut short: %" PRIu64 " of %" PRIu64 " bytes are there",
                    path, length + CHECKSUM_SIZE, promised + CHECKSUM_SIZE);
    print_header(expected, kind, version, length, checksum);
    if (memcmp(header, expected, CHECKSUM_SIZE))
        return fail(SCREE_ERROR_FORMAT, "'%s' was altered: its checksum does not match", path);
    return SCREE_OK;
}

scree_result checksum_check(const char *path, const char *kind, int version) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return fail_file(errno, "cannot open '%s'", path);
    const scree_result result = check_open(descriptor, path, kind, version);
    close(descriptor);
    return result;
}
