#include "frame_index.h"

#include "base/memory.h"
#include "number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096 };

static const char head[] = "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n"
                           "<Xdmf Version=\"3.0\">\n<Domain>\n";
static const char foot[] = "</Domain>\n</Xdmf>\n";

static scree_result append(frame_index *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
static scree_result append(frame_index *self, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    TRY(MEMORY_RESERVE(self->text, self->capacity, (size_t)self->length + (size_t)length + 1, NULL));
    va_start(arguments, format);
    vsnprintf(self->text + self->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    self->length += length;
    return SCREE_OK;
}

/* Pads with blanks to the end of the page. */
static scree_result fill_page(frame_index *self) {
    const int missing = (PAGE - self->length % PAGE) % PAGE;
    TRY(MEMORY_RESERVE(self->text, self->capacity, self->length + missing, NULL));
    memset(self->text + self->length, ' ', (size_t)missing);
    self->length += missing;
    return SCREE_OK;
}

static const char *number_type(scree_value_type type) {
    static const char *const names[] = {
        [SCREE_VALUE_UINT8] = "UChar", [SCREE_VALUE_INT32] = "Int",   [SCREE_VALUE_UINT32] = "UInt",
        [SCREE_VALUE_INT64] = "Int",   [SCREE_VALUE_UINT64] = "UInt", [SCREE_VALUE_FLOAT] = "Float",
        [SCREE_VALUE_DOUBLE] = "Float"};
    return names[type];
}

/* Prints a time with a decimal point, whatever the program's locale. */
static scree_result append_time(frame_index *self, double time) {
    char text[32] = "";
    SCOPED_LOCALE before = number_locale_set();
    number_print(time, text, sizeof text);
    return append(self, "<Time Value=\"%s\"/>\n", text);
}

static scree_result append_item(frame_index *self, const char *file, const char *group,
                                const scree_column *column, int rows) {
    char columns[16] = "";
    if (column->components > 1) snprintf(columns, sizeof columns, " %d", column->components);
    return append(self,
                  "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%zu\" "
                  "Dimensions=\"%d%s\">%s:/%s/%s</DataItem>",
                  number_type(column->type), hdf5_type_size(column->type), rows, columns, file, group,
                  column->name);
}

static int rows_of(const frame_index *self, const frame_summary *frame) {
    return *(const int *)(const void *)((const char *)frame + self->group->rows);
}

/* Appends a frame's grid, on pages of its own. */
static scree_result append_grid(frame_index *self, const frame_summary *frame) {
    static const scree_column connectivity = {"Connectivity", SCREE_VALUE_INT64, 1, 0};
    const frame_group *group = self->group;
    const int rows = rows_of(self, frame);
    char file[FRAME_NAME_SIZE];
    frame_file_name(frame->step, file);
    TRY(append(self, "<Grid Name=\"%s\" GridType=\"Uniform\">", group->name));
    TRY(append_time(self, frame->time));
    TRY(append(self, "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%d\" NodesPerElement=\"1\">",
               rows));
    TRY(append_item(self, file, group->path, &connectivity, rows));
    TRY(append(self, "</Topology>\n<Geometry GeometryType=\"XYZ\">"));
    TRY(append_item(self, file, group->path, &group->positions->columns[0], rows));
    TRY(append(self, "</Geometry>\n"));
    for (int i = 0; i < group->count; i++) {
        const frame_column *column = &group->columns[i];
        if (!frame_column_is_in(column, frame->fields)) continue;
        const int width = column->data.components;
        TRY(append(self, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">", column->data.name,
                   width == 3   ? "Vector"
                   : width == 1 ? "Scalar"
                                : "Matrix"));
        TRY(append_item(self, file, group->arrays, &column->data, rows));
        TRY(append(self, "</Attribute>\n"));
    }
    TRY(append(self, "</Grid>\n"));
    return fill_page(self);
}

/* Appends the page that closes the file and opens the instruction, and the page that ends the instruction. */
static scree_result append_end(frame_index *self) {
    TRY(append(self, "</Grid>\n%s<?next ", foot));
    TRY(fill_page(self));
    TRY(append(self, "<?next ?>"));
    return fill_page(self);
}

static scree_result replace(frame_index *self) {
    const file_piece piece = {self->text, (size_t)self->length};
    return file_replace(self->path, &piece, 1, false);
}

/* Writes the whole file and opens it for growth. */
static scree_result write_whole(frame_index *self, const frame_summary *frames, int count) {
    self->length = 0;
    TRY(append(self, "%s<Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", head,
               self->group->name));
    TRY(fill_page(self));
    for (int i = 0; i < count; i++)
        if (rows_of(self, &frames[i])) TRY(append_grid(self, &frames[i]));
    const off_t closing = self->length;
    TRY(append_end(self));
    TRY(replace(self));
    self->descriptor = open(self->path, O_WRONLY | O_CLOEXEC);
    if (self->descriptor < 0) return fail_file(errno, "cannot open '%s'", self->path);
    self->before = -1;
    self->closing = closing;
    self->last = closing + PAGE;
    return SCREE_OK;
}

/* Writes a file without a collection, since XDMF's readers reject an empty one. */
static scree_result write_empty(frame_index *self) {
    if (self->descriptor >= 0) close(self->descriptor);
    self->descriptor = -1;
    self->length = 0;
    TRY(append(self, "%s%s", head, foot));
    return replace(self);
}

scree_result frame_index_open(frame_index *self, const frame_group *group, const char *folder,
                              const frame_summary *frames, int count) {
    *self = (frame_index){.group = group, .descriptor = -1};
    TRY(file_path_join(folder, group->index, &self->path));
    for (int i = 0; i < count; i++)
        if (rows_of(self, &frames[i])) return write_whole(self, frames, count);
    return write_empty(self);
}

/* Writes page `from` of the text at page `to` counted from the closing page; returns the errno of a
 * failure, else 0. */
static int write_page(const frame_index *self, int from, int to) {
    const char *page = self->text + (size_t)from * PAGE;
    ssize_t done;
    do {
        done = pwrite(self->descriptor, page, PAGE, self->closing + (off_t)to * PAGE);
    } while (done < 0 && errno == EINTR);
    return done == PAGE ? 0 : done < 0 ? errno : ENOSPC;
}

/* Follows the steps at the head of frame_index.h. The text holds the grid's pages and the two that end the
 * file. */
static scree_result write_grid(frame_index *self) {
    const int pages = self->length / PAGE - 2, end = (int)((self->last - self->closing) / PAGE);
    int error = 0;
    for (int i = end + 1; i < pages + 2 && !error; i++) error = write_page(self, pages + 1, i);
    if (error) {
        if (ftruncate(self->descriptor, self->last + PAGE)) error = errno;
        return fail_file(error, "cannot write '%s'", self->path);
    }
    for (int i = 1; i <= pages && !error; i++) error = write_page(self, i, i);
    if (!error) error = write_page(self, 0, 0);
    if (error) return fail_file(error, "cannot write '%s'", self->path);
    self->before = self->closing;
    self->closing += (off_t)pages * PAGE;
    if (end < pages + 1) self->last = self->closing + PAGE;
    return SCREE_OK;
}

scree_result frame_index_append(frame_index *self, const frame_summary *frame) {
    if (!rows_of(self, frame)) return SCREE_OK;
    if (self->descriptor < 0) return write_whole(self, frame, 1);
    self->length = 0;
    TRY(append_grid(self, frame));
    TRY(append_end(self));
    return write_grid(self);
}

/* Writes the closing page over the grid's first page. The rest of the file is then part of its instruction
 * again, and the next grid overwrites it. */
void frame_index_retract(frame_index *self, const frame_summary *frame) {
    if (!rows_of(self, frame)) return;
    if (self->before < 0) {
        write_empty(self);
        return;
    }
    self->closing = self->before;
    self->length = 0;
    if (append_end(self) == SCREE_OK) write_page(self, 0, 0);
}

scree_result frame_index_close(frame_index *self) {
    const int error = self->descriptor >= 0 && close(self->descriptor) ? errno : 0;
    const scree_result result = error ? fail_file(error, "cannot close '%s'", self->path) : SCREE_OK;
    memory_release(self->path);
    memory_release(self->text);
    *self = (frame_index){.descriptor = -1};
    return result;
}
