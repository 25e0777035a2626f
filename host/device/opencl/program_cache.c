#include "program_cache.h"

#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096, LARGEST = 1 << 28 };

/* The header of every file. */
typedef struct cache_header {
    char magic[16];
    program_key key;
    uint64_t bytes;
    uint64_t sum; /* hash of the binary */
} cache_header;

static const char magic[16] = "scree program 1";

program_key program_key_begin(void) { return (program_key){HASH_BASIS, hash_bytes(HASH_BASIS, "second", 6)}; }

program_key program_key_add(program_key key, const char *text) {
    const uint64_t length = strlen(text);
    key.high = hash_bytes(hash_bytes(key.high, &length, sizeof length), text, length);
    /* The second half hashes the text backwards, so that a collision in one half is none in the other. */
    for (size_t i = length; i-- > 0;) key.low = hash_bytes(key.low, text + i, 1);
    key.low = hash_bytes(key.low, &length, sizeof length);
    return key;
}

/* Finds the cache's folder; false if caching is disabled. */
static bool cache_folder(char *path) {
    const char *own = getenv("SCREE_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (own)
        length = own[0] ? snprintf(path, PATH, "%s", own) : -1;
    else if (xdg && xdg[0] == '/')
        length = snprintf(path, PATH, "%s/scree", xdg);
    else if (home && home[0] == '/')
        length = snprintf(path, PATH, "%s/.cache/scree", home);
    return length > 0 && length < PATH - 80;
}

static void make_folders(char *path) {
    for (char *slash = path + 1; *slash; slash++)
        if (*slash == '/') {
            *slash = 0;
            mkdir(path, 0700);
            *slash = '/';
        }
    mkdir(path, 0700);
}

static void append_name(char *folder, program_key key) {
    const size_t length = strlen(folder);
    snprintf(folder + length, PATH - length, "/%016llx%016llx.bin", (unsigned long long)key.high,
             (unsigned long long)key.low);
}

void *program_cache_load(program_key key, size_t *bytes) {
    char path[PATH];
    if (!cache_folder(path)) return NULL;
    append_name(path, key);
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    cache_header header;
    void *binary = NULL;
    if (fread(&header, sizeof header, 1, file) == 1 && memcmp(header.magic, magic, sizeof magic) == 0 &&
        header.key.high == key.high && header.key.low == key.low && header.bytes <= LARGEST)
        binary = memory_allocate(header.bytes, 1);
    if (binary && (fread(binary, 1, header.bytes, file) != header.bytes || fgetc(file) != EOF ||
                   hash_bytes(HASH_BASIS, binary, header.bytes) != header.sum)) {
        memory_release(binary);
        binary = NULL;
    }
    fclose(file);
    if (binary) *bytes = header.bytes;
    return binary;
}

void program_cache_store(program_key key, const void *binary, size_t bytes) {
    char path[PATH], temporary[PATH + 32];
    if (bytes > LARGEST || !cache_folder(path)) return;
    make_folders(path);
    append_name(path, key);
    /* O_EXCL and the process id separate two writers; of two threads in one process, one gives up. */
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    const int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (!file) {
        if (descriptor >= 0) close(descriptor);
        return;
    }
    cache_header header = {.key = key, .bytes = bytes, .sum = hash_bytes(HASH_BASIS, binary, bytes)};
    memcpy(header.magic, magic, sizeof magic);
    bool written = fwrite(&header, sizeof header, 1, file) == 1 && fwrite(binary, 1, bytes, file) == bytes;
    written = fclose(file) == 0 && written;
    if (!written || rename(temporary, path) != 0) unlink(temporary);
}
