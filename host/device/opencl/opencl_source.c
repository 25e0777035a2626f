/* Joins a kernel's entry file and its includes into one string: OpenCL has no portable way to pass
 * headers. */

#include "opencl_device.h"

#include "base/memory.h"
#include "kernel_source.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 64, NAME = 96, DEPTH = 16 };

/* The text so far, and the files already included. */
typedef struct expansion {
    char *text;
    int length, capacity;
    int file_count;
    char files[FILES][NAME];
    const char *folder; /* SCREE_KERNEL_DIR; NULL: the library's own table */
} expansion;

static scree_result append(expansion *self, const char *text, size_t length) {
    TRY(MEMORY_RESERVE(self->text, self->capacity, (size_t)self->length + length + 1, NULL));
    /* OpenCL C is ASCII; some compilers refuse other characters even in comments. */
    for (size_t i = 0; i < length; i++)
        self->text[(size_t)self->length + i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    self->length += (int)length;
    self->text[self->length] = 0;
    return SCREE_OK;
}

/* Adds a #line directive for the next line. */
static scree_result append_line(expansion *self, int line, const char *name) {
    char text[NAME + 32];
    const int length = snprintf(text, sizeof text, "#line %d \"%s\"\n", line, name);
    return append(self, text, (size_t)length);
}

static scree_result read_file(const char *path, char **out) {
    FILE *file = fopen(path, "rb");
    if (!file) return fail_file(errno, "cannot open the kernel source %s", path);
    int length = 0, capacity = 0;
    char *text = NULL;
    scree_result result;
    do {
        result = MEMORY_RESERVE(text, capacity, length + 4096 + 1, NULL);
        if (result != SCREE_OK) break;
        length += (int)fread(text + length, 1, (size_t)(capacity - length - 1), file);
    } while (!feof(file) && !ferror(file));
    if (result == SCREE_OK && ferror(file))
        result = fail_file(errno, "cannot read the kernel source %s", path);
    fclose(file);
    if (result == SCREE_OK) {
        text[length] = 0;
        *out = text;
    } else
        memory_release(text);
    return result;
}

/* Finds the text of a file. If `*owned` is set, the caller must release it. */
static scree_result find_file(const expansion *self, const char *name, const char **text, char **owned) {
    *owned = NULL;
    if (self->folder) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", self->folder, name);
        TRY(read_file(path, owned));
        *text = *owned;
        return SCREE_OK;
    }
    for (const kernel_source *source = kernel_sources; source->name; source++)
        if (strcmp(source->name, name) == 0) {
            *text = source->text;
            return SCREE_OK;
        }
    return fail(SCREE_ERROR_KERNEL_BUILD, "the kernel source `%s` is not part of the library", name);
}

/* Returns whether a line is `#include "name"`, and copies the name. Includes in angle brackets are for the
 * host only. */
static bool is_include(const char *line, char *name) {
    const char *at = line + strspn(line, " \t");
    if (*at++ != '#') return false;
    at += strspn(at, " \t");
    if (strncmp(at, "include", 7) != 0) return false;
    at += 7 + strspn(at + 7, " \t");
    int used = 0;
    return sscanf(at, "\"%95[^\"\n]\"%n", name, &used) == 1 && used > 0;
}
_Static_assert(NAME == 96, "the length in the format of is_include");

static bool remember(expansion *self, const char *name, bool *known) {
    *known = false;
    for (int i = 0; i < self->file_count; i++)
        if (strcmp(self->files[i], name) == 0) *known = true;
    if (*known) return true;
    if (self->file_count == FILES) return false;
    snprintf(self->files[self->file_count++], NAME, "%s", name);
    return true;
}

static scree_result expand(expansion *self, const char *name, int depth);

/* Forgets the file name.h if a line undefines its guard, SCREE_KERNELS_NAME_H, so that it may be included
 * again. */
static void forget_undefined(expansion *self, const char *line) {
    char name[NAME];
    int end = 0;
    if (sscanf(line, "#undef SCREE_KERNELS_%93[A-Z0-9_]%n", name, &end) != 1 || end == 0) return;
    const size_t length = strlen(name);
    if (length < 2 || strcmp(name + length - 2, "_H") != 0) return;
    name[length - 2] = '.', name[length - 1] = 'h';
    for (size_t i = 0; i + 2 < length; i++) name[i] = (char)tolower((unsigned char)name[i]);
    for (int i = 0; i < self->file_count; i++)
        if (strcmp(self->files[i], name) == 0) self->files[i][0] = 0;
}

/* Copies a text line by line and replaces its includes with the named files. */
static scree_result expand_text(expansion *self, const char *name, const char *text, int depth) {
    TRY(append_line(self, 1, name));
    int line = 1;
    while (*text) {
        const char *newline = strchr(text, '\n');
        const size_t length = newline ? (size_t)(newline - text) : strlen(text);
        char included[NAME];
        if (is_include(text, included)) {
            const scree_result result = expand(self, included, depth + 1);
            if (result != SCREE_OK) return fail_prefix(result, "%s:%d", name, line);
            TRY(append_line(self, line + 1, name));
        } else {
            TRY(append(self, text, length));
            TRY(append(self, "\n", 1));
            forget_undefined(self, text);
        }
        text += length + (newline ? 1 : 0);
        ++line;
    }
    return SCREE_OK;
}

static scree_result expand(expansion *self, const char *name, int depth) {
    bool known;
    if (!remember(self, name, &known) || depth == DEPTH)
        return fail(SCREE_ERROR_KERNEL_BUILD, "too many kernel sources, or included too deep (at `%s`)",
                    name);
    if (known) return SCREE_OK;
    const char *text;
    char *owned;
    TRY(find_file(self, name, &text, &owned));
    const scree_result result = expand_text(self, name, text, depth);
    memory_release(owned);
    return result;
}

scree_result opencl_source_expand(const char *entry, char **out) {
    expansion self = {.folder = getenv("SCREE_KERNEL_DIR")};
    if (self.folder && !self.folder[0]) self.folder = NULL;
    const scree_result result = expand(&self, entry, 0);
    if (result == SCREE_OK)
        *out = self.text;
    else
        memory_release(self.text);
    return result;
}
