/* The corpus of a fuzz test and its mutations. Define CORPUS_INPUT_MOST, the largest input in bytes, before
 * including it. */
#pragma once

#include "random.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 64, INPUT_MOST = CORPUS_INPUT_MOST };

typedef struct input {
    size_t size;
    char bytes[INPUT_MOST];
} input;

static input corpus[FILES_MOST];
static int corpus_count;
static uint64_t seed = 42;

static inline size_t draw_number(size_t below) { return (size_t)random_below(&seed, (int)below); }

static inline int compare_names(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Reads the files of a folder in the order of their names. */
static inline void corpus_read(const char *folder) {
    struct dirent **entries = NULL;
    const int found = scandir(folder, &entries, NULL, compare_names);
    for (int i = 0; i < found; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%.200s", folder, entries[i]->d_name);
        FILE *file = entries[i]->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (file && corpus_count < FILES_MOST) {
            input *next = &corpus[corpus_count++];
            next->size = fread(next->bytes, 1, INPUT_MOST, file);
        }
        if (file) fclose(file);
        free(entries[i]);
    }
    free(entries);
}

/* Replaces `removed` bytes by others. */
static inline void input_splice(input *in, size_t at, size_t removed, const char *bytes, size_t added) {
    if (removed > in->size - at) removed = in->size - at;
    if (in->size - removed + added > INPUT_MOST) return;
    memmove(in->bytes + at + added, in->bytes + at + removed, in->size - at - removed);
    memcpy(in->bytes + at, bytes, added);
    in->size += added - removed;
}
