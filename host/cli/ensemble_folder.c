#include "ensemble_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "ensemble_plot.h"

const char *const ensemble_table = "worlds.csv", *const ensemble_summary = "worlds_summary.csv",
                  *const ensemble_messages = "worlds_messages.txt";
static const char world_format[] = "world-%05llu", end_name[] = "end.txt", identity_name[] = "worlds.part",
                  done[] = "done\n";

const char *ensemble_world_folder(const char *folder, int world, char path[FOLDER_PATH]) {
    char name[32];
    snprintf(name, sizeof name, world_format, (unsigned long long)world);
    return folder_path(folder, name, path);
}

const char *ensemble_world_file(const char *folder, int world, const char *name, char path[FOLDER_PATH]) {
    char own[FOLDER_PATH];
    return folder_path(ensemble_world_folder(folder, world, own), name, path);
}

char *ensemble_read(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = NULL;
    int capacity = 0;
    size_t length = 0, count = 1;
    bool good = true;
    while (good && count) {
        good = MEMORY_RESERVE(text, capacity, length + 65536, NULL) == SCREE_OK;
        count = good ? fread(text + length, 1, (size_t)capacity - length - 1, file) : 0;
        length += count;
    }
    good = good && !ferror(file);
    fclose(file);
    if (good) text[length] = 0;
    if (good) return text;
    memory_release(text);
    return NULL;
}

static const char *draft_path(const char *folder, const char *name, char path[FOLDER_PATH]) {
    char temporary[64];
    snprintf(temporary, sizeof temporary, ".%s.new", name);
    return folder_path(folder, temporary, path);
}

FILE *ensemble_draft(const char *folder, const char *name) {
    char path[FOLDER_PATH];
    return fopen(draft_path(folder, name, path), "we");
}

/* Closes a file after its content has reached the disk; returns 0 or the errno of a failure. */
static int close_whole(FILE *file) {
    int error = fflush(file) || ferror(file) ? errno : 0;
    if (!error && fsync(fileno(file)) && errno != EINVAL && errno != EROFS) error = errno;
    if (fclose(file) && !error) error = errno;
    return error;
}

scree_result ensemble_draft_end(const char *folder, const char *name, FILE *draft) {
    char path[FOLDER_PATH], temporary[FOLDER_PATH];
    int error = draft ? close_whole(draft) : errno;
    draft_path(folder, name, temporary);
    if (!error && rename(temporary, folder_path(folder, name, path))) error = errno;
    if (!error) return SCREE_OK;
    unlink(temporary);
    return fail_file(error, "cannot write '%s'", folder_path(folder, name, path));
}

static scree_result write_text(const char *folder, const char *name, const char *text) {
    FILE *file = ensemble_draft(folder, name);
    if (file) fputs(text, file);
    return ensemble_draft_end(folder, name, file);
}

scree_result ensemble_world_end(const char *folder, int world, const char *failure) {
    char path[FOLDER_PATH];
    return write_text(ensemble_world_folder(folder, world, path), end_name, *failure ? failure : done);
}

world_outcome ensemble_world_outcome(const char *folder, int world, char failure[WORLD_FAILURE]) {
    char path[FOLDER_PATH];
    SCOPED char *text = ensemble_read(ensemble_world_file(folder, world, end_name, path));
    failure[0] = 0;
    if (!text) return WORLD_OPEN;
    if (!strcmp(text, done)) return WORLD_DONE;
    snprintf(failure, WORLD_FAILURE, "%s", text);
    return WORLD_FAILED;
}

void ensemble_world_remove(const char *folder, int world) {
    char own[FOLDER_PATH], path[FOLDER_PATH];
    DIR *open = opendir(ensemble_world_folder(folder, world, own));
    if (!open) return;
    for (const struct dirent *entry; (entry = readdir(open));) {
        struct stat status;
        folder_path(own, entry->d_name, path);
        if (!lstat(path, &status) && !S_ISDIR(status.st_mode)) unlink(path);
    }
    closedir(open);
    rmdir(own);
}

static void remove_named(const char *folder, const char *name) {
    char path[FOLDER_PATH];
    unlink(folder_path(folder, name, path));
}

scree_result ensemble_folder_begin(const char *folder, const char *identity) {
    DIR *open = opendir(folder);
    if (!open) return fail_file(errno, "cannot read the folder '%s'", folder);
    for (const struct dirent *entry; (entry = readdir(open));) {
        uint64_t world;
        if (folder_read_step(entry->d_name, world_format, &world)) ensemble_world_remove(folder, (int)world);
        if (ensemble_plot_is(entry->d_name)) remove_named(folder, entry->d_name);
    }
    closedir(open);
    remove_named(folder, ensemble_table);
    remove_named(folder, ensemble_summary);
    remove_named(folder, ensemble_messages);
    return write_text(folder, identity_name, identity);
}

scree_result ensemble_folder_check(const char *folder, const char *identity) {
    char path[FOLDER_PATH];
    SCOPED char *found = ensemble_read(folder_path(folder, identity_name, path));
    if (!found)
        return fail(SCREE_ERROR_ARGUMENT,
                    "--resume: \"%s\"; must be the folder of an unfinished run of a scene with \"worlds\"",
                    folder);
    if (!strcmp(found, identity)) return SCREE_OK;
    return fail(
        SCREE_ERROR_ARGUMENT,
        "--resume: the scene or the options differ from those of the worlds in \"%s\"; must be unchanged",
        folder);
}

void ensemble_folder_end(const char *folder) { remove_named(folder, identity_name); }
