/* A temporary folder for one test's files, removed with its contents. */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct folder {
    char path[64];
} folder;

static inline folder folder_make(void) {
    folder made = {"/tmp/scree-test-XXXXXX"};
    if (!mkdtemp(made.path)) abort();
    return made;
}

/* Returns the path of a file in the folder, in one of eight rotating buffers. */
static inline const char *folder_file(const folder *self, const char *name) {
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", self->path, name);
    return path;
}

/* Returns the number of files whose names contain `part`. */
static inline int folder_count(const folder *self, const char *part) {
    int count = 0;
    DIR *open = opendir(self->path);
    for (struct dirent *entry; open && (entry = readdir(open));)
        count += entry->d_name[0] != '.' && strstr(entry->d_name, part) != NULL;
    if (open) closedir(open);
    return count;
}

static inline void folder_remove(const folder *self) {
    DIR *open = opendir(self->path);
    for (struct dirent *entry; open && (entry = readdir(open));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            unlink(folder_file(self, entry->d_name));
    if (open) closedir(open);
    rmdir(self->path);
}
