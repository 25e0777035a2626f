#include "frame_file.h"

#include "../base/memory.h"
#include "../collide/bounds.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char purpose[] = "a frame";

/* One body as it stands in the file. What a reader of pictures wants and a frame does not keep comes last. */
typedef struct body_row {
    scree_body_state state;
    scree_body_id id;
    int32_t type, shape;
    scree_vec3 size;
    double kinetic_energy;
    int32_t contact_count;
    float orientation[4]; /* w, x, y, z: the order of VTK's glyphs */
    float extent[3];      /* full lengths along the body's axes, 0 for a half-space: scales a unit glyph */
    float radius;         /* of the sphere of equal volume, 0 for a half-space */
} body_row;

typedef struct contact_row {
    scree_contact contact;
    float force[3];
} contact_row;

/* A vertex of an unstructured grid; the offsets have one entry more than there are points. */
typedef struct grid_row {
    int64_t connectivity;
    uint8_t type;
} grid_row;

typedef struct time_row {
    uint64_t step;
    double time;
    float time_step;
} time_row;

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const hdf5_column body_position[] = {{"Points", HDF5_FLOAT, 3, offsetof(body_row, state.position)}};
static const hdf5_column body_arrays[] = {
    {"id", HDF5_UINT32, 1, offsetof(body_row, id.index)},
    {"generation", HDF5_UINT32, 1, offsetof(body_row, id.generation)},
    {"type", HDF5_INT32, 1, offsetof(body_row, type)},
    {"shape", HDF5_INT32, 1, offsetof(body_row, shape)},
    {"size", HDF5_FLOAT, 3, offsetof(body_row, size)},
    {"orientation", HDF5_FLOAT, 4, offsetof(body_row, orientation)},
    {"velocity", HDF5_FLOAT, 3, offsetof(body_row, state.linear_velocity)},
    {"angular_velocity", HDF5_FLOAT, 3, offsetof(body_row, state.angular_velocity)},
    {"kinetic_energy", HDF5_DOUBLE, 1, offsetof(body_row, kinetic_energy)},
    {"contact_count", HDF5_INT32, 1, offsetof(body_row, contact_count)},
    {"extent", HDF5_FLOAT, 3, offsetof(body_row, extent)},
    {"radius", HDF5_FLOAT, 1, offsetof(body_row, radius)},
};
static const hdf5_column contact_position[] = {
    {"Points", HDF5_FLOAT, 3, offsetof(contact_row, contact.point)}};
static const hdf5_column contact_arrays[] = {
    {"body_a", HDF5_UINT32, 1, offsetof(contact_row, contact.a.index)},
    {"generation_a", HDF5_UINT32, 1, offsetof(contact_row, contact.a.generation)},
    {"body_b", HDF5_UINT32, 1, offsetof(contact_row, contact.b.index)},
    {"generation_b", HDF5_UINT32, 1, offsetof(contact_row, contact.b.generation)},
    {"normal", HDF5_FLOAT, 3, offsetof(contact_row, contact.normal)},
    {"impulse", HDF5_FLOAT, 3, offsetof(contact_row, contact.impulse)},
    {"gap", HDF5_FLOAT, 1, offsetof(contact_row, contact.gap)},
    {"force", HDF5_FLOAT, 3, offsetof(contact_row, force)},
};
static const hdf5_column grid_columns[] = {
    {"Connectivity", HDF5_INT64, 1, offsetof(grid_row, connectivity)},
    {"Types", HDF5_UINT8, 1, offsetof(grid_row, type)},
};
static const hdf5_column offset_column[] = {{"Offsets", HDF5_INT64, 1, 0}};
static const hdf5_column size_columns[] = {
    {"NumberOfPoints", HDF5_INT64, 1, 0},
    {"NumberOfCells", HDF5_INT64, 1, 0},
    {"NumberOfConnectivityIds", HDF5_INT64, 1, 0},
};
static const hdf5_column time_columns[] = {
    {"step", HDF5_UINT64, 1, offsetof(time_row, step)},
    {"time", HDF5_DOUBLE, 1, offsetof(time_row, time)},
    {"time_step", HDF5_FLOAT, 1, offsetof(time_row, time_step)},
};

static const hdf5_table body_position_table = {"VTKHDF", body_position, COUNT(body_position),
                                               sizeof(body_row)};
static const hdf5_table body_table = {"VTKHDF/PointData", body_arrays, COUNT(body_arrays), sizeof(body_row)};
static const hdf5_table contact_position_table = {"contacts", contact_position, COUNT(contact_position),
                                                  sizeof(contact_row)};
static const hdf5_table contact_table = {"contacts/PointData", contact_arrays, COUNT(contact_arrays),
                                         sizeof(contact_row)};
static const hdf5_table time_table = {"VTKHDF/FieldData", time_columns, COUNT(time_columns),
                                      sizeof(time_row)};

const frame_group frame_bodies = {"bodies", "VTKHDF", &body_position_table, &body_table};
const frame_group frame_contacts = {"contacts", "contacts", &contact_position_table, &contact_table};

static body_row body_to_row(const scree_frame *frame, int i) {
    const scree_shape shape = frame->shapes[i];
    const scree_quat q = frame->states[i].rotation;
    body_row row = {.state = frame->states[i],
                    .id = frame->ids[i],
                    .type = (int32_t)frame->types[i],
                    .shape = (int32_t)shape.kind,
                    .size = shape.size,
                    .kinetic_energy = frame->kinetic_energies[i],
                    .contact_count = frame->contact_counts[i],
                    .orientation = {q.w, q.x, q.y, q.z}};
    const body_pose still = {.rotation = versor_of(0, 0, 0, 1)};
    const bounds box = bounds_of(shape, still);
    const double volume = scree_shape_volume(shape);
    if (!isfinite(volume)) return row;
    row.radius = (float)cbrt(3 * volume / (4 * M_PI));
    row.extent[0] = box.upper.x - box.lower.x;
    row.extent[1] = box.upper.y - box.lower.y;
    row.extent[2] = box.upper.z - box.lower.z;
    return row;
}

/* The other way; what the file claims is checked, since pictures are drawn from it. */
static scree_result row_to_body(const body_row *row, const char *path, scree_frame *frame, int i) {
    if (row->type < SCREE_BODY_STATIC || row->type > SCREE_BODY_DYNAMIC)
        return fail(SCREE_ERROR_FORMAT, "'%s': body %d has the unknown type %d", path, i, (int)row->type);
    if (row->shape < 0 || row->shape >= SCREE_SHAPE_COUNT)
        return fail(SCREE_ERROR_FORMAT, "'%s': body %d has the unknown shape %d", path, i, (int)row->shape);
    const scree_shape shape = {(scree_shape_kind)row->shape, row->size};
    if (scree_validate_shape(shape) != SCREE_OK)
        return fail_prefix(SCREE_ERROR_FORMAT, "'%s': body %d", path, i);
    if (!isfinite(row->state.position.x) || !isfinite(row->state.position.y) ||
        !isfinite(row->state.position.z))
        return fail(SCREE_ERROR_FORMAT, "'%s': the position of body %d is not finite", path, i);
    frame->ids[i] = row->id;
    frame->types[i] = (scree_body_type)row->type;
    frame->shapes[i] = shape;
    frame->states[i] = row->state;
    frame->states[i].rotation =
        (scree_quat){row->orientation[1], row->orientation[2], row->orientation[3], row->orientation[0]};
    frame->kinetic_energies[i] = row->kinetic_energy;
    frame->contact_counts[i] = row->contact_count;
    return SCREE_OK;
}

/* A grid of `count` vertices without its arrays. */
static scree_result write_vertices(hdf5_file *file, const char *group, int count) {
    enum { VTK_VERTEX = 1 };
    static const int64_t version[2] = {1, 0};
    TRY(hdf5_write_integers(file, group, "Version", version, 2));
    TRY(hdf5_write_text(file, group, "Type", "UnstructuredGrid"));
    const int64_t size = count;
    const hdf5_table sizes = {group, size_columns, COUNT(size_columns), sizeof size};
    TRY(hdf5_write(file, &sizes, &size, 1));

    grid_row *rows = memory_allocate((size_t)count + 1, sizeof *rows);
    if (!rows) return fail(SCREE_ERROR_MEMORY, "out of memory for a grid of %d points", count);
    for (int i = 0; i <= count; ++i) rows[i] = (grid_row){i, VTK_VERTEX};
    const hdf5_table cells = {group, grid_columns, COUNT(grid_columns), sizeof *rows};
    const hdf5_table offsets = {group, offset_column, COUNT(offset_column), sizeof *rows};
    scree_result result = hdf5_write(file, &cells, rows, (size_t)count);
    if (result == SCREE_OK) result = hdf5_write(file, &offsets, rows, (size_t)count + 1);
    memory_release(rows);
    return result;
}

static scree_result write_group(hdf5_file *file, const frame_group *group, const void *rows, int count) {
    TRY(write_vertices(file, group->path, count));
    TRY(hdf5_write(file, group->positions, rows, (size_t)count));
    return hdf5_write(file, group->arrays, rows, (size_t)count);
}

static scree_result write_bodies(hdf5_file *file, const scree_frame *frame) {
    body_row *rows = memory_allocate((size_t)frame->count, sizeof *rows);
    if (!rows) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d bodies", frame->count);
    for (int i = 0; i < frame->count; ++i) rows[i] = body_to_row(frame, i);
    const scree_result result = write_group(file, &frame_bodies, rows, frame->count);
    memory_release(rows);
    return result;
}

static scree_result write_contacts(hdf5_file *file, const scree_frame *frame) {
    contact_row *rows = memory_allocate((size_t)frame->contact_count, sizeof *rows);
    if (!rows)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d contacts", frame->contact_count);
    for (int i = 0; i < frame->contact_count; ++i) {
        const scree_vec3 r = frame->contacts[i].impulse;
        const float h = frame->time_step;
        rows[i] = (contact_row){frame->contacts[i], {r.x / h, r.y / h, r.z / h}};
    }
    const scree_result result = write_group(file, &frame_contacts, rows, frame->contact_count);
    memory_release(rows);
    return result;
}

static scree_result write_all(hdf5_file *file, const scree_frame *frame, const char *path) {
    const time_row now = {frame->step, frame->time, frame->time_step};
    TRY(write_bodies(file, frame));
    TRY(hdf5_write(file, &time_table, &now, 1));
    TRY(write_contacts(file, frame));
    file_piece image;
    TRY(hdf5_image(file, &image));
    return file_replace(path, &image, 1, false);
}

scree_result frame_file_write(const scree_frame *frame, const char *path) {
    hdf5_file file;
    TRY(hdf5_create(path, purpose, &file));
    const scree_result result = write_all(&file, frame, path);
    hdf5_close(&file);
    return result;
}

static scree_result read_summary(hdf5_file *file, frame_summary *out, float *time_step) {
    time_row now;
    TRY(hdf5_read(file, &time_table, &now, 1));
    if (!(fabs(now.time) < 1e15) || !(now.time_step > 0) || !isfinite(now.time_step))
        return fail(SCREE_ERROR_FORMAT, "'%s' is not %s: its time %g s or time step %g s is impossible",
                    file->path, purpose, now.time, (double)now.time_step);
    *out = (frame_summary){.step = now.step, .time = now.time};
    *time_step = now.time_step;
    TRY(hdf5_rows(file, frame_bodies.positions, &out->bodies));
    return hdf5_rows(file, frame_contacts.positions, &out->contacts);
}

scree_result frame_file_summary(const char *path, frame_summary *out) {
    hdf5_file file;
    float time_step;
    TRY(hdf5_open(path, purpose, &file));
    const scree_result result = read_summary(&file, out, &time_step);
    hdf5_close(&file);
    return result;
}

static scree_result read_group(hdf5_file *file, const frame_group *group, void *rows, int count) {
    TRY(hdf5_read(file, group->positions, rows, (size_t)count));
    return hdf5_read(file, group->arrays, rows, (size_t)count);
}

static scree_result read_bodies(hdf5_file *file, scree_frame *frame) {
    body_row *rows = memory_allocate((size_t)frame->count, sizeof *rows);
    if (!rows) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d bodies", frame->count);
    scree_result result = read_group(file, &frame_bodies, rows, frame->count);
    for (int i = 0; i < frame->count && result == SCREE_OK; ++i)
        result = row_to_body(&rows[i], file->path, frame, i);
    memory_release(rows);
    return result;
}

static scree_result read_contacts(hdf5_file *file, scree_frame *frame) {
    contact_row *rows = memory_allocate((size_t)frame->contact_count, sizeof *rows);
    if (!rows)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d contacts", frame->contact_count);
    const scree_result result = read_group(file, &frame_contacts, rows, frame->contact_count);
    for (int i = 0; i < frame->contact_count && result == SCREE_OK; ++i) frame->contacts[i] = rows[i].contact;
    memory_release(rows);
    return result;
}

static scree_result read_all(hdf5_file *file, scree_frame *frame) {
    frame_summary summary;
    TRY(read_summary(file, &summary, &frame->time_step));
    frame->step = summary.step;
    frame->time = summary.time;
    TRY(frame_reserve(frame, summary.bodies, summary.contacts));
    TRY(read_bodies(file, frame));
    return read_contacts(file, frame);
}

scree_result scree_frame_read(const char *path, scree_frame *out) {
    if (!path || !out) return fail(SCREE_ERROR_ARGUMENT, "scree_frame_read: path and out must not be null");
    hdf5_file file;
    scree_frame frame = {0};
    TRY(hdf5_open(path, purpose, &file));
    const scree_result result = read_all(&file, &frame);
    hdf5_close(&file);
    if (result == SCREE_OK)
        *out = frame;
    else
        scree_frame_release(&frame);
    return result;
}
