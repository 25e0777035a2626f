/* Compiled device programs, cached on disk. The folder is SCREE_CACHE_DIR if set (empty: no cache), else
 * $XDG_CACHE_HOME/scree, else ~/.cache/scree. No function fails: an unreadable cache is a miss, an unwritable
 * one stays empty. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A 128-bit hash of everything that a binary depends on. */
typedef struct program_key {
    uint64_t high, low;
} program_key;

program_key program_key_begin(void);
/* Adds a string and its length, so that ("ab", "c") and ("a", "bc") differ. */
program_key program_key_add(program_key key, const char *text);

/* Loads a binary; NULL if there is none. The caller releases it with memory_release. A damaged file fails its
 * checksum and is a miss. */
void *program_cache_load(program_key key, size_t *bytes);
/* Stores a binary under a temporary name and renames it, so that readers see the old file or the new one. */
void program_cache_store(program_key key, const void *binary, size_t bytes);
