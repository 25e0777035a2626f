#include "chains_file.h"
#include "frame_file.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void chains_file_name(uint64_t step, char out[CHAINS_NAME_SIZE]) {
    snprintf(out, CHAINS_NAME_SIZE, "chains_%08" PRIu64 ".vtp", step);
}

/* Contents of the file, by line. */
typedef struct chains {
    int count;
    float (*points)[2][3];
    int64_t (*connectivity)[2];
    int64_t *offsets;
    float *forces, *ratios; /* N; relative to the mean of all lines */
    frame_rows bodies;
} chains;

static void chains_release(chains *self) {
    memory_release(self->points);
    memory_release(self->connectivity);
    memory_release(self->offsets);
    memory_release(self->forces);
    memory_release(self->ratios);
    memory_release(self->bodies.rows);
}

static scree_result reserve(chains *self, const scree_frame *frame) {
    const size_t most = (size_t)frame->contact_count;
    TRY(frame_rows_make(frame, &self->bodies));
    self->points = memory_allocate(most, sizeof *self->points);
    self->connectivity = memory_allocate(most, sizeof *self->connectivity);
    self->offsets = memory_allocate(most, sizeof *self->offsets);
    self->forces = memory_allocate(most, sizeof *self->forces);
    self->ratios = memory_allocate(most, sizeof *self->ratios);
    if (self->points && self->connectivity && self->offsets && self->forces && self->ratios) return SCREE_OK;
    return fail(SCREE_ERROR_MEMORY, "out of memory for the force chains of %d contacts",
                frame->contact_count);
}

/* Returns an end of the line: the body's centre, or the contact point if the body is not dynamic. */
static void end_of(const chains *self, const scree_frame *frame, const scree_contact *contact, bool second,
                   float out[3]) {
    const int row = frame_row_of(&self->bodies, second ? contact->b : contact->a);
    scree_vec3 at = contact->point;
    if (row >= 0 && frame->types[row] == SCREE_BODY_DYNAMIC) at = frame->states[row].position;
    const bool moved = at.x != contact->point.x || at.y != contact->point.y || at.z != contact->point.z;
    if (second && moved)
        at = (scree_vec3){at.x + contact->offset.x, at.y + contact->offset.y, at.z + contact->offset.z};
    memcpy(out, &at, sizeof at);
}

static double pressure_of(const scree_contact *contact) {
    const scree_vec3 r = contact->impulse, n = contact->normal;
    return (double)r.x * (double)n.x + (double)r.y * (double)n.y + (double)r.z * (double)n.z;
}

static bool same_pair(const scree_contact *a, const scree_contact *b) {
    return a->a.index == b->a.index && a->b.index == b->b.index && a->offset.x == b->offset.x &&
           a->offset.y == b->offset.y && a->offset.z == b->offset.z;
}

/* The contacts of a pair are consecutive. */
static void take(chains *self, const scree_frame *frame) {
    double sum = 0;
    for (int i = 0, next; i < frame->contact_count; i = next) {
        const scree_contact *first = &frame->contacts[i];
        double impulse = 0;
        for (next = i; next < frame->contact_count && same_pair(first, &frame->contacts[next]); next++)
            impulse += pressure_of(&frame->contacts[next]);
        if (impulse == 0) continue;
        const int line = self->count++;
        end_of(self, frame, first, false, self->points[line][0]);
        end_of(self, frame, first, true, self->points[line][1]);
        for (int k = 0; k < 2; k++) self->connectivity[line][k] = 2 * (int64_t)line + k;
        self->offsets[line] = 2 * (int64_t)line + 2;
        self->forces[line] = (float)(impulse / (double)frame->time_step);
        sum += fabs((double)self->forces[line]);
    }
    for (int i = 0; i < self->count; i++)
        self->ratios[i] = (float)((double)self->forces[i] * self->count / sum);
}

/* The arrays follow the text in the order in which it names them, each preceded by its length in bytes. */
enum { ARRAYS = 5, TEXT_SIZE = 4096 };

static size_t print_head(const chains *self, const scree_frame *frame, const uint64_t *sizes, char *out) {
    static const struct {
        const char *before, *type, *name;
        int components;
    } arrays[ARRAYS] = {
        {"<Points>", "Float32", "points", 3},
        {"</Points>\n<Lines>", "Int64", "connectivity", 1},
        {"", "Int64", "offsets", 1},
        {"</Lines>\n<CellData Scalars=\"normal_force\">", "Float32", "normal_force", 1},
        {"", "Float32", "force_over_mean", 1},
    };
    uint64_t offset = 0;
    size_t length = (size_t)snprintf(
        out, TEXT_SIZE,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<PolyData>\n<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" "
        "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray></FieldData>\n<Piece NumberOfPoints=\"%d\" "
        "NumberOfLines=\"%d\">\n",
        frame->time, 2 * self->count, self->count);
    for (int i = 0; i < ARRAYS; i++) {
        length +=
            (size_t)snprintf(out + length, TEXT_SIZE - length,
                             "%s<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                             "format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
                             arrays[i].before, arrays[i].type, arrays[i].name, arrays[i].components, offset);
        offset += sizeof sizes[i] + sizes[i];
    }
    return length + (size_t)snprintf(out + length, TEXT_SIZE - length,
                                     "</CellData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">_");
}

static scree_result write_file(const chains *self, const scree_frame *frame, const char *path) {
    static const char remainder[] = "</AppendedData>\n</VTKFile>\n";
    const size_t lines = (size_t)self->count;
    const uint64_t sizes[ARRAYS] = {lines * sizeof *self->points, lines * sizeof *self->connectivity,
                                    lines * sizeof *self->offsets, lines * sizeof *self->forces,
                                    lines * sizeof *self->ratios};
    const void *const arrays[ARRAYS] = {self->points, self->connectivity, self->offsets, self->forces,
                                        self->ratios};
    char text[TEXT_SIZE];
    file_piece pieces[2 * ARRAYS + 2] = {{text, print_head(self, frame, sizes, text)}};
    for (int i = 0; i < ARRAYS; i++) {
        pieces[1 + 2 * i] = (file_piece){&sizes[i], sizeof sizes[i]};
        pieces[2 + 2 * i] = (file_piece){arrays[i], (size_t)sizes[i]};
    }
    pieces[2 * ARRAYS + 1] = (file_piece){remainder, sizeof remainder - 1};
    return file_replace(path, pieces, 2 * ARRAYS + 2, false);
}

scree_result chains_file_write(const scree_frame *frame, const char *path) {
    __attribute__((cleanup(chains_release))) chains self = {0};
    TRY(reserve(&self, frame));
    take(&self, frame);
    return write_file(&self, frame, path);
}
