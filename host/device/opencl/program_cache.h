/* Compiled device programs kept on disk. The folder is SCREE_CACHE_DIR if set (empty: no cache), else
 * $XDG_CACHE_HOME/scree, else ~/.cache/scree. Nothing here is an error: a cache that cannot be read is a
 * miss, one that cannot be written stays empty. */
#ifndef SCREE_DEVICE_OPENCL_PROGRAM_CACHE_H
#define SCREE_DEVICE_OPENCL_PROGRAM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 128 bits made of everything that a binary depends on. */
typedef struct program_key {
    uint64_t high, low;
} program_key;

program_key program_key_begin(void);
/* Adds a string and its length, so that ("ab", "c") and ("a", "bc") differ. */
program_key program_key_add(program_key key, const char *text);

/* A stored binary, or null; memory_release it. Checked against a sum, so that a damaged file is a miss. */
void *program_cache_load(program_key key, size_t *bytes);
/* Stores a binary under a temporary name and renames it: readers see the old file or the new one. */
void program_cache_store(program_key key, const void *binary, size_t bytes);

#endif
