/* A folder of frames, frame_<step>.vtkhdf, and frames.xdmf, which lists them with their times.
 *
 * ParaView 5.11 reads neither VTKHDF with time steps (since 5.12) nor a .vtkhdf.series file, so the index is
 * XDMF over the same HDF5 files. It has two temporal collections, bodies and contacts. A grid without points
 * is left out: XDMF's readers refuse it. */
#include "frame_file.h"

#include "../base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAME_NAME_SIZE = 48 };
static const char index_name[] = "frames.xdmf";

/* A text that grows. */
typedef struct text {
    char *characters;
    int length, capacity;
} text;

struct scree_series {
    char *folder, *index;
    frame_summary *frames; /* by ascending step */
    int count, capacity;
    text xml; /* kept for its memory */
};

static void frame_name(uint64_t step, char out[FRAME_NAME_SIZE]) {
    snprintf(out, FRAME_NAME_SIZE, "frame_%08" PRIu64 ".vtkhdf", step);
}

/* Whether `name` begins with the name of a frame that this file writes; `rest` is what follows. */
static bool frame_name_parse(const char *name, uint64_t *step, char target[FRAME_NAME_SIZE]) {
    static const char prefix[] = "frame_";
    const char *digits = name + sizeof prefix - 1;
    if (strncmp(name, prefix, sizeof prefix - 1) || *digits < '0' || *digits > '9') return false;
    errno = 0;
    *step = strtoull(digits, NULL, 10);
    frame_name(*step, target);
    return errno == 0 && !strncmp(name, target, strlen(target));
}

static scree_result append(text *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
static scree_result append(text *self, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    TRY(MEMORY_RESERVE(self->characters, self->capacity, (size_t)self->length + (size_t)length + 1, NULL));
    va_start(arguments, format);
    vsnprintf(self->characters + self->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    self->length += length;
    return SCREE_OK;
}

static const char *number_type(hdf5_type type) {
    switch (type) {
    case HDF5_UINT8:
        return "UChar";
    case HDF5_INT32:
    case HDF5_INT64:
        return "Int";
    case HDF5_UINT32:
    case HDF5_UINT64:
        return "UInt";
    case HDF5_FLOAT:
    case HDF5_DOUBLE:
        return "Float";
    }
    return "";
}

/* A time as a decimal fraction whatever the locale: seconds and nanoseconds. */
static scree_result append_time(text *xml, double time) {
    const double sign = time < 0 ? -1 : 1;
    uint64_t seconds = (uint64_t)(sign * time);
    uint64_t nanoseconds = (uint64_t)((sign * time - (double)seconds) * 1e9 + 0.5);
    if (nanoseconds == 1000000000) {
        ++seconds;
        nanoseconds = 0;
    }
    return append(xml, "<Time Value=\"%s%" PRIu64 ".%09" PRIu64 "\"/>\n", sign < 0 ? "-" : "", seconds,
                  nanoseconds);
}

static scree_result append_item(text *xml, const char *file, const char *group, const hdf5_column *column,
                                int rows) {
    char columns[16] = "";
    if (column->columns > 1) snprintf(columns, sizeof columns, " %d", column->columns);
    return append(xml,
                  "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%zu\" "
                  "Dimensions=\"%d%s\">%s:/%s/%s</DataItem>",
                  number_type(column->type), hdf5_type_size(column->type), rows, columns, file, group,
                  column->name);
}

static scree_result append_grid(text *xml, const frame_summary *frame, const frame_group *group, int rows) {
    static const hdf5_column connectivity = {"Connectivity", HDF5_INT64, 1, 0};
    char file[FRAME_NAME_SIZE];
    frame_name(frame->step, file);
    TRY(append(xml, "<Grid Name=\"%s\" GridType=\"Uniform\">", group->name));
    TRY(append_time(xml, frame->time));
    TRY(append(xml, "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%d\" NodesPerElement=\"1\">",
               rows));
    TRY(append_item(xml, file, group->path, &connectivity, rows));
    TRY(append(xml, "</Topology>\n<Geometry GeometryType=\"XYZ\">"));
    TRY(append_item(xml, file, group->path, &group->positions->columns[0], rows));
    TRY(append(xml, "</Geometry>\n"));
    for (int i = 0; i < group->arrays->count; ++i) {
        const hdf5_column *column = &group->arrays->columns[i];
        const char *type = column->columns == 3 ? "Vector" : column->columns == 1 ? "Scalar" : "Matrix";
        TRY(append(xml, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">", column->name, type));
        TRY(append_item(xml, file, group->arrays->group, column, rows));
        TRY(append(xml, "</Attribute>\n"));
    }
    return append(xml, "</Grid>\n");
}

static scree_result append_collection(scree_series *self, const frame_group *group) {
    text *xml = &self->xml;
    bool begun = false;
    for (int i = 0; i < self->count; ++i) {
        const frame_summary *frame = &self->frames[i];
        const int rows = group == &frame_bodies ? frame->bodies : frame->contacts;
        if (!rows) continue;
        if (!begun)
            TRY(append(xml, "<Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                       group->name));
        begun = true;
        TRY(append_grid(xml, frame, group, rows));
    }
    return begun ? append(xml, "</Grid>\n") : SCREE_OK;
}

static scree_result write_index(scree_series *self) {
    text *xml = &self->xml;
    xml->length = 0;
    TRY(append(xml, "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf "
                    "Version=\"3.0\">\n<Domain>\n"));
    TRY(append_collection(self, &frame_bodies));
    TRY(append_collection(self, &frame_contacts));
    TRY(append(xml, "</Domain>\n</Xdmf>\n"));
    const file_piece piece = {xml->characters, (size_t)xml->length};
    return file_replace(self->index, &piece, 1, false);
}

static scree_result remember(scree_series *self, frame_summary frame) {
    TRY(MEMORY_RESERVE(self->frames, self->capacity, self->count + 1, NULL));
    self->frames[self->count++] = frame;
    return SCREE_OK;
}

/* What to do with one file of the folder: keep and remember it, drop it, or let it be. */
static scree_result sort_out(scree_series *self, const char *name, uint64_t from_step) {
    uint64_t step;
    char target[FRAME_NAME_SIZE], *path;
    if (!frame_name_parse(name, &step, target)) return SCREE_OK;
    const bool frame = !strcmp(name, target);
    if (!frame && !file_is_temporary_of(name, target)) return SCREE_OK;
    TRY(file_path_join(self->folder, name, &path));
    scree_result result = SCREE_OK;
    if (frame && from_step && step <= from_step) {
        frame_summary summary;
        result = frame_file_summary(path, &summary);
        if (result == SCREE_OK && summary.step != step)
            result = fail(SCREE_ERROR_FORMAT, "'%s' holds the frame of step %" PRIu64, path, summary.step);
        if (result == SCREE_OK) result = remember(self, summary);
    } else if (unlink(path)) {
        result = fail_file(errno, "cannot remove '%s'", path);
    }
    memory_release(path);
    return result;
}

static int by_step(const void *a, const void *b) {
    const uint64_t x = ((const frame_summary *)a)->step, y = ((const frame_summary *)b)->step;
    return (x > y) - (x < y);
}

static scree_result sort_out_folder(scree_series *self, uint64_t from_step) {
    DIR *folder = opendir(self->folder);
    if (!folder) return fail_file(errno, "cannot open the folder '%s'", self->folder);
    scree_result result = SCREE_OK;
    while (result == SCREE_OK) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry) {
            if (errno) result = fail_file(errno, "cannot read the folder '%s'", self->folder);
            break;
        }
        result = sort_out(self, entry->d_name, from_step);
    }
    closedir(folder);
    if (result == SCREE_OK && self->count)
        qsort(self->frames, (size_t)self->count, sizeof *self->frames, by_step);
    return result;
}

static void series_release(scree_series *self) {
    if (!self) return;
    memory_release(self->folder);
    memory_release(self->index);
    memory_release(self->frames);
    memory_release(self->xml.characters);
    memory_release(self);
}

static scree_result begin(scree_series *self, const char *folder, uint64_t from_step) {
    TRY(file_path_join(folder, "", &self->folder));
    TRY(file_path_join(folder, index_name, &self->index));
    TRY(sort_out_folder(self, from_step));
    return write_index(self);
}

scree_result scree_series_open(const char *folder, uint64_t from_step, scree_series **out) {
    if (!folder || !*folder || !out)
        return fail(SCREE_ERROR_ARGUMENT, "scree_series_open: a folder and out are needed");
    scree_series *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory for the series in '%s'", folder);
    const scree_result result = begin(self, folder, from_step);
    if (result == SCREE_OK)
        *out = self;
    else
        series_release(self);
    return result;
}

/* The frame's file first, then the index that names it: the index never names a file that is not there. */
static scree_result write_frame(scree_series *self, const scree_frame *frame, const char *path) {
    TRY(frame_file_write(frame, path));
    TRY(remember(self, (frame_summary){frame->step, frame->time, frame->count, frame->contact_count}));
    const scree_result result = write_index(self);
    if (result == SCREE_OK) return SCREE_OK;
    --self->count;
    return result;
}

scree_result scree_series_write(scree_series *series, const scree_frame *frame) {
    if (!series || !frame)
        return fail(SCREE_ERROR_ARGUMENT, "scree_series_write: series and frame must not be null");
    if (series->count && series->frames[series->count - 1].step >= frame->step)
        return fail(SCREE_ERROR_ARGUMENT,
                    "scree_series_write: step %" PRIu64 " does not come after step %" PRIu64, frame->step,
                    series->frames[series->count - 1].step);
    char name[FRAME_NAME_SIZE], *path;
    frame_name(frame->step, name);
    TRY(file_path_join(series->folder, name, &path));
    const scree_result result = write_frame(series, frame, path);
    if (result != SCREE_OK) unlink(path);
    memory_release(path);
    return result;
}

const char *scree_series_path(const scree_series *series) { return series ? series->index : ""; }

scree_result scree_series_close(scree_series *series) {
    series_release(series);
    return SCREE_OK;
}
