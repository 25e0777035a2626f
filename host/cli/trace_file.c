#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

static const char head[] = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n", tail[] = "\n]}\n";

/* Threads of the trace. Stages lie within their step, so both are on one. */
static const struct {
    int thread;
    const char *name;
} tracks[SCREE_TRACK_COUNT] = {{1, "host"}, {1, "host"}, {2, "device: kernels"}, {3, "device: copies"}};

/* Writes all bytes at an offset. */
static bool write_at(int file, const char *text, size_t bytes, long long at) {
    while (bytes > 0) {
        const ssize_t written = pwrite(file, text, bytes, (off_t)at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text += written, bytes -= (size_t)written, at += written;
    }
    return true;
}

/* Replaces the end of the file by `text`, which includes the new end, in one write: what reads the file, or
 * is left of it after a kill, is complete before and after it. */
static scree_result append(trace_file *self, const char *text, size_t bytes) {
    if (!write_at(self->file, text, bytes, self->end))
        return fail(SCREE_ERROR_FILE, "cannot write the trace: %s", strerror(errno));
    self->end += (long long)(bytes - strlen(tail));
    return SCREE_OK;
}

static void print_names(FILE *out) {
    fputs(head, out);
    for (int i = SCREE_TRACK_HOST; i < SCREE_TRACK_COUNT; i++)
        fprintf(out,
                "%s{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": %d, \"args\": {\"name\": "
                "\"%s\"}}",
                i > SCREE_TRACK_HOST ? ",\n" : "", tracks[i].thread, tracks[i].name);
}

/* Times are rounded to ns from one origin, so that what nests in time also does in the file. */
static void print_span(FILE *out, const trace_file *self, const scree_trace_span *span, uint64_t step) {
    const long long begin = llround(1e9 * (span->begin - self->origin)),
                    end = llround(1e9 * (span->end - self->origin));
    fprintf(out,
            ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": %d, \"name\": \"%s\", \"cat\": \"%s\", \"ts\": %.3f, "
            "\"dur\": %.3f, \"args\": {\"step\": %llu",
            tracks[span->track].thread, span->name, scree_step_stage_name(span->stage), 1e-3 * (double)begin,
            1e-3 * (double)(end - begin), (unsigned long long)step);
    if (span->track == SCREE_TRACK_KERNELS)
        fprintf(out, ", \"work_items\": %llu", (unsigned long long)span->work_items);
    if (span->track == SCREE_TRACK_COPIES) fprintf(out, ", \"bytes\": %llu", (unsigned long long)span->bytes);
    fputs("}}", out);
}

static scree_result write_text(trace_file *self, void (*print)(FILE *, trace_file *, const scree_world *),
                               const scree_world *world) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return fail(SCREE_ERROR_MEMORY, "out of memory: trace");
    print(out, self, world);
    fputs(tail, out);
    const bool whole = fclose(out) == 0;
    const scree_result result =
        whole ? append(self, text, bytes) : fail(SCREE_ERROR_MEMORY, "out of memory: trace");
    free(text);
    return result;
}

static void print_head(FILE *out, trace_file *self, const scree_world *world) {
    (void)self, (void)world;
    print_names(out);
}

static void print_step(FILE *out, trace_file *self, const scree_world *world) {
    const scree_trace_span *spans = NULL;
    const int count = scree_world_get_trace(world, &spans);
    for (int i = 0; i < count && !(self->origin > 0); i++)
        if (spans[i].track == SCREE_TRACK_STEPS) self->origin = spans[i].begin;
    for (int i = 0; i < count; i++) print_span(out, self, &spans[i], scree_world_step_count(world));
}

typedef enum content { CONTENT_NONE, CONTENT_TRACE, CONTENT_OTHER } content;

/* Returns whether a file has the content of a trace, or of something else such as a scene or a table. */
static content content_of(const char *path) {
    char found[sizeof head] = {0};
    FILE *file = fopen(path, "rb");
    if (!file) return CONTENT_NONE;
    const size_t bytes = fread(found, 1, sizeof head - 1, file);
    fclose(file);
    if (bytes == 0) return CONTENT_NONE;
    return memcmp(found, head, sizeof head - 1) ? CONTENT_OTHER : CONTENT_TRACE;
}

scree_result trace_file_open(trace_file *self, const char *path, bool resumed) {
    *self = (trace_file){0};
    if (!path) return SCREE_OK;
    const content found = content_of(path);
    if (found == CONTENT_TRACE && resumed)
        return fail(SCREE_ERROR_ARGUMENT,
                    "--trace: \"%s\" is the trace of an earlier run; must be a new file with --resume", path);
    if (found == CONTENT_OTHER)
        return fail(SCREE_ERROR_ARGUMENT, "--trace: \"%s\" is not a trace; must be one, or a new file", path);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return fail(SCREE_ERROR_ARGUMENT, "--trace: cannot write \"%s\": %s", path, strerror(errno));
    self->file = file;
    return write_text(self, print_head, NULL);
}

scree_result trace_file_step(trace_file *self, const scree_world *world) {
    return self->file ? write_text(self, print_step, world) : SCREE_OK;
}

void trace_file_close(trace_file *self) {
    if (self->file) close(self->file);
    *self = (trace_file){0};
}
