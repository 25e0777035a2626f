#include "frame_file.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char purpose[] = "a frame";

/* One body as stored in the file. */
typedef struct body_row {
    scree_body_state state;
    scree_body_id id;
    int32_t type, shape;
    double kinetic_energy;
    int32_t contact_count, material, periods[3];
    float mass;
    float orientation[4]; /* w, x, y, z: the order of VTK's glyphs */
    float extent[3];      /* full lengths along the body's axes, scale of a unit glyph; 0 for a half-space */
    float radius;         /* of the sphere of equal volume; 0 for a half-space */
} body_row;

/* One joint as stored in the file. */
typedef struct joint_row {
    scree_frame_joint joint;
    int32_t kind, broken;
    float orientation[4]; /* joint frame on a; w, x, y, z: the order of VTK's glyphs */
} joint_row;

/* Geometry of a body, in frames that have geometries: 1 + its place, or 0, and the scale of its lengths. */
typedef struct geometry_use {
    int32_t geometry;
    float scale;
} geometry_use;

/* A vertex of an unstructured grid. The offsets have one entry more than there are points. */
typedef struct grid_row {
    int64_t connectivity;
    uint8_t type;
} grid_row;

typedef struct time_row {
    uint64_t step;
    double time;
    float time_step;
} time_row;

#define BODY(field) offsetof(body_row, field)
#define CONTACT(field) offsetof(scree_contact, field)
#define JOINT(field) offsetof(joint_row, field)

static const scree_column body_position[] = {{"Points", SCREE_VALUE_FLOAT, 3, BODY(state.position)}};
static const frame_column body_columns[] = {
    {FRAME_ALWAYS, {"id", SCREE_VALUE_UINT32, 1, BODY(id.index)}},
    {FRAME_ALWAYS, {"generation", SCREE_VALUE_UINT32, 1, BODY(id.generation)}},
    {FRAME_ALWAYS, {"type", SCREE_VALUE_INT32, 1, BODY(type)}},
    {FRAME_ALWAYS, {"shape", SCREE_VALUE_INT32, 1, BODY(shape)}},
    {FRAME_ALWAYS, {"extent", SCREE_VALUE_FLOAT, 3, BODY(extent)}},
    {SCREE_FRAME_ORIENTATION, {"orientation", SCREE_VALUE_FLOAT, 4, BODY(orientation)}},
    {SCREE_FRAME_VELOCITY, {"velocity", SCREE_VALUE_FLOAT, 3, BODY(state.linear_velocity)}},
    {SCREE_FRAME_ANGULAR_VELOCITY, {"angular_velocity", SCREE_VALUE_FLOAT, 3, BODY(state.angular_velocity)}},
    {SCREE_FRAME_MATERIAL, {"material", SCREE_VALUE_INT32, 1, BODY(material)}},
    {SCREE_FRAME_MASS, {"mass", SCREE_VALUE_FLOAT, 1, BODY(mass)}},
    {SCREE_FRAME_CONTACT_COUNT, {"contact_count", SCREE_VALUE_INT32, 1, BODY(contact_count)}},
    {SCREE_FRAME_KINETIC_ENERGY, {"kinetic_energy", SCREE_VALUE_DOUBLE, 1, BODY(kinetic_energy)}},
    {SCREE_FRAME_RADIUS, {"radius", SCREE_VALUE_FLOAT, 1, BODY(radius)}},
    {SCREE_FRAME_PERIODS, {"periods", SCREE_VALUE_INT32, 3, BODY(periods)}},
};
static const scree_column contact_position[] = {{"Points", SCREE_VALUE_FLOAT, 3, CONTACT(point)}};
static const frame_column contact_columns[] = {
    {FRAME_ALWAYS, {"body_a", SCREE_VALUE_UINT32, 1, CONTACT(a.index)}},
    {FRAME_ALWAYS, {"generation_a", SCREE_VALUE_UINT32, 1, CONTACT(a.generation)}},
    {FRAME_ALWAYS, {"body_b", SCREE_VALUE_UINT32, 1, CONTACT(b.index)}},
    {FRAME_ALWAYS, {"generation_b", SCREE_VALUE_UINT32, 1, CONTACT(b.generation)}},
    {SCREE_FRAME_NORMAL, {"normal", SCREE_VALUE_FLOAT, 3, CONTACT(normal)}},
    {SCREE_FRAME_IMPULSE, {"impulse", SCREE_VALUE_FLOAT, 3, CONTACT(impulse)}},
    {SCREE_FRAME_TORQUE, {"torque", SCREE_VALUE_FLOAT, 3, CONTACT(torque)}},
    {SCREE_FRAME_GAP, {"gap", SCREE_VALUE_FLOAT, 1, CONTACT(gap)}},
    {SCREE_FRAME_OFFSET, {"offset", SCREE_VALUE_FLOAT, 3, CONTACT(offset)}},
};
static const scree_column joint_position[] = {{"Points", SCREE_VALUE_FLOAT, 3, JOINT(joint.state.point_b)}};
static const frame_column joint_columns[] = {
    {FRAME_ALWAYS, {"id", SCREE_VALUE_UINT32, 1, JOINT(joint.id.index)}},
    {FRAME_ALWAYS, {"generation", SCREE_VALUE_UINT32, 1, JOINT(joint.id.generation)}},
    {FRAME_ALWAYS, {"kind", SCREE_VALUE_INT32, 1, JOINT(kind)}},
    {FRAME_ALWAYS, {"body_a", SCREE_VALUE_UINT32, 1, JOINT(joint.a.index)}},
    {FRAME_ALWAYS, {"generation_a", SCREE_VALUE_UINT32, 1, JOINT(joint.a.generation)}},
    {FRAME_ALWAYS, {"body_b", SCREE_VALUE_UINT32, 1, JOINT(joint.b.index)}},
    {FRAME_ALWAYS, {"generation_b", SCREE_VALUE_UINT32, 1, JOINT(joint.b.generation)}},
    {FRAME_ALWAYS, {"anchor_a", SCREE_VALUE_FLOAT, 3, JOINT(joint.state.point_a)}},
    {FRAME_ALWAYS, {"orientation", SCREE_VALUE_FLOAT, 4, JOINT(orientation)}},
    {FRAME_ALWAYS, {"coordinates", SCREE_VALUE_FLOAT, SCREE_AXIS_COUNT, JOINT(joint.state.position)}},
    {FRAME_ALWAYS, {"rates", SCREE_VALUE_FLOAT, SCREE_AXIS_COUNT, JOINT(joint.state.velocity)}},
    {FRAME_ALWAYS, {"force", SCREE_VALUE_FLOAT, 3, JOINT(joint.state.force)}},
    {FRAME_ALWAYS, {"torque", SCREE_VALUE_FLOAT, 3, JOINT(joint.state.torque)}},
    {FRAME_ALWAYS, {"error", SCREE_VALUE_FLOAT, 1, JOINT(joint.state.error)}},
    {FRAME_ALWAYS, {"angle_error", SCREE_VALUE_FLOAT, 1, JOINT(joint.state.angle_error)}},
    {FRAME_ALWAYS, {"broken", SCREE_VALUE_INT32, 1, JOINT(broken)}},
};
_Static_assert(HDF5_COUNT(contact_columns) <= FRAME_COLUMNS_MOST &&
                   HDF5_COUNT(body_columns) <= FRAME_COLUMNS_MOST &&
                   HDF5_COUNT(joint_columns) <= FRAME_COLUMNS_MOST,
               "FRAME_COLUMNS_MOST fits every group");
static const scree_column grid_columns[] = {
    {"Connectivity", SCREE_VALUE_INT64, 1, offsetof(grid_row, connectivity)},
    {"Types", SCREE_VALUE_UINT8, 1, offsetof(grid_row, type)},
};
static const scree_column offset_column[] = {{"Offsets", SCREE_VALUE_INT64, 1, 0}};
static const scree_column size_columns[] = {
    {"NumberOfPoints", SCREE_VALUE_INT64, 1, 0},
    {"NumberOfCells", SCREE_VALUE_INT64, 1, 0},
    {"NumberOfConnectivityIds", SCREE_VALUE_INT64, 1, 0},
};
static const scree_column time_columns[] = {
    {"step", SCREE_VALUE_UINT64, 1, offsetof(time_row, step)},
    {"time", SCREE_VALUE_DOUBLE, 1, offsetof(time_row, time)},
    {"time_step", SCREE_VALUE_FLOAT, 1, offsetof(time_row, time_step)},
};

static const scree_column name_column[] = {
    {"material_names", SCREE_VALUE_UINT8, SCREE_MATERIAL_NAME_SIZE, 0}};

static const scree_table body_position_table = HDF5_TABLE("VTKHDF", body_position, body_row);
static const scree_table contact_position_table = HDF5_TABLE("contacts", contact_position, scree_contact);
static const scree_table joint_position_table = HDF5_TABLE("joints", joint_position, joint_row);
static const scree_table time_table = HDF5_TABLE("VTKHDF/FieldData", time_columns, time_row);
static const scree_column use_columns[] = {
    {"geometry", SCREE_VALUE_INT32, 1, offsetof(geometry_use, geometry)},
    {"scale", SCREE_VALUE_FLOAT, 1, offsetof(geometry_use, scale)},
};
static const scree_table use_table = HDF5_TABLE("VTKHDF/PointData", use_columns, geometry_use);
static const scree_table name_table =
    HDF5_TABLE("VTKHDF/FieldData", name_column, char[SCREE_MATERIAL_NAME_SIZE]);

#define GROUP(NAME, INDEX, PATH, ITEM, ROW, ROWS)                                                            \
    {                                                                                                        \
        .name = (NAME), .index = (INDEX), .path = (PATH), .arrays = PATH "/PointData",                       \
        .positions = &ITEM##_position_table, .columns = ITEM##_columns, .count = HDF5_COUNT(ITEM##_columns), \
        .stride = sizeof(ROW), .rows = offsetof(frame_summary, ROWS)                                         \
    }
static const frame_group frame_bodies = GROUP("bodies", "frames.xdmf", "VTKHDF", body, body_row, bodies);
static const frame_group frame_contacts =
    GROUP("contacts", "contacts.xdmf", "contacts", contact, scree_contact, contacts);
static const frame_group frame_joints = GROUP("joints", "joints.xdmf", "joints", joint, joint_row, joints);
const frame_group *const frame_groups[FRAME_GROUPS] = {&frame_bodies, &frame_contacts, &frame_joints};

const char *scree_frame_field_name(scree_frame_field field) {
    for (int g = 0; g < FRAME_GROUPS; g++)
        for (int i = 0; i < frame_groups[g]->count && (int)field >= 0; i++)
            if (frame_groups[g]->columns[i].field == (int)field) return frame_groups[g]->columns[i].data.name;
    return NULL;
}

scree_series_def scree_default_series_def(void) {
    const uint32_t derived = 1u << SCREE_FRAME_KINETIC_ENERGY | 1u << SCREE_FRAME_RADIUS;
    return (scree_series_def){.fields = FRAME_ALL_FIELDS & ~derived, .contacts = true, .compression = 4};
}

void frame_file_name(uint64_t step, char out[FRAME_NAME_SIZE]) {
    snprintf(out, FRAME_NAME_SIZE, "frame_%08" PRIu64 ".vtkhdf", step);
}

#define QUANTITY(field) offsetof(scree_frame_quantity, field)
static const scree_column quantity_columns[] = {
    {"measurement", SCREE_VALUE_UINT8, SCREE_MEASUREMENT_NAME_SIZE, QUANTITY(measurement)},
    {"figure", SCREE_VALUE_UINT8, sizeof((scree_frame_quantity *)0)->name, QUANTITY(name)},
    {"step", SCREE_VALUE_UINT64, 1, QUANTITY(step)},
    {"time", SCREE_VALUE_DOUBLE, 1, QUANTITY(time)},
    {"sample", SCREE_VALUE_DOUBLE, 1, QUANTITY(sample)},
    {"mean", SCREE_VALUE_DOUBLE, 1, QUANTITY(mean)},
    {"maximum", SCREE_VALUE_DOUBLE, 1, QUANTITY(maximum)},
};
static const scree_table quantity_table = HDF5_TABLE("measurements", quantity_columns, scree_frame_quantity);

/* Returns the point arrays of a file with these fields. */
static scree_table arrays_of(const frame_group *group, uint32_t fields,
                             scree_column columns[FRAME_COLUMNS_MOST]) {
    int count = 0;
    for (int i = 0; i < group->count; i++)
        if (frame_column_is_in(&group->columns[i], fields)) columns[count++] = group->columns[i].data;
    return (scree_table){group->arrays, columns, count, group->stride};
}

static body_row body_to_row(const scree_frame *frame, int i) {
    const scree_shape shape = frame->shapes[i];
    const scree_quat q = frame->states[i].rotation;
    body_row row = {.state = frame->states[i],
                    .id = frame->ids[i],
                    .type = (int32_t)frame->types[i],
                    .shape = (int32_t)shape.kind,
                    .kinetic_energy = frame->kinetic_energies[i],
                    .contact_count = frame->contact_counts[i],
                    .mass = frame->masses[i],
                    .material = frame->materials[i],
                    .orientation = {q.w, q.x, q.y, q.z}};
    if (frame->periods) memcpy(row.periods, frame->periods[i], sizeof row.periods);
    const double volume = scree_shape_get_volume(shape);
    if (!isfinite(volume)) return row;
    row.radius = (float)cbrt(3 * volume / (4 * M_PI));
    const scree_vec3 half = scree_shape_get_half_extents(shape);
    row.extent[0] = 2 * half.x;
    row.extent[1] = 2 * half.y;
    row.extent[2] = 2 * half.z;
    return row;
}

/* Converts a row back. Checks the file's values, since pictures are drawn from them. */
static scree_result row_to_body(const body_row *row, const char *path, scree_frame *frame, int i) {
    if (row->type < SCREE_BODY_STATIC || row->type > SCREE_BODY_DYNAMIC)
        return fail(SCREE_ERROR_FORMAT, "'%s': body %d: type: %d; unknown", path, i, (int)row->type);
    if (row->shape < 0 || row->shape >= SCREE_SHAPE_COUNT)
        return fail(SCREE_ERROR_FORMAT, "'%s': body %d: shape: %d; unknown", path, i, (int)row->shape);
    const scree_vec3 half = {row->extent[0] / 2, row->extent[1] / 2, row->extent[2] / 2};
    const scree_shape shape = scree_shape_of_half_extents((scree_shape_kind)row->shape, half);
    if (!isfinite(row->state.position.x) || !isfinite(row->state.position.y) ||
        !isfinite(row->state.position.z))
        return fail(SCREE_ERROR_FORMAT, "'%s': body %d: position must be finite", path, i);
    frame->ids[i] = row->id;
    frame->types[i] = (scree_body_type)row->type;
    frame->shapes[i] = shape;
    frame->states[i] = row->state;
    frame->states[i].rotation =
        (scree_quat){row->orientation[1], row->orientation[2], row->orientation[3], row->orientation[0]};
    frame->kinetic_energies[i] = row->kinetic_energy;
    frame->contact_counts[i] = row->contact_count;
    frame->masses[i] = row->mass;
    frame->materials[i] = row->material;
    memcpy(frame->periods[i], row->periods, sizeof row->periods);
    return SCREE_OK;
}

static joint_row joint_to_row(const scree_frame_joint *joint) {
    const scree_quat q = joint->frame;
    return (joint_row){.joint = *joint,
                       .kind = (int32_t)joint->kind,
                       .broken = joint->state.broken,
                       .orientation = {q.w, q.x, q.y, q.z}};
}

/* Converts a row back, as row_to_body does. */
static scree_result row_to_joint(const joint_row *row, scree_frame_joint *out) {
    const float *q = row->orientation;
    if (row->kind < 0 || row->kind >= SCREE_JOINT_KIND_COUNT)
        return fail(SCREE_ERROR_FORMAT, "kind: %d; unknown", (int)row->kind);
    *out = row->joint;
    out->kind = (scree_joint_kind)row->kind;
    out->state.broken = row->broken != 0;
    out->frame = (scree_quat){q[1], q[2], q[3], q[0]};
    return SCREE_OK;
}

/* Writes a grid of `count` vertices without point arrays. */
static scree_result write_vertices(hdf5_file *file, const char *group, int count) {
    enum { VTK_VERTEX = 1 };
    static const int64_t version[2] = {1, 0};
    TRY(hdf5_write_integers(file, group, "Version", version, 2));
    TRY(hdf5_write_text(file, group, "Type", "UnstructuredGrid"));
    const int64_t size = count;
    const scree_table sizes = {group, size_columns, HDF5_COUNT(size_columns), sizeof size};
    TRY(hdf5_write(file, &sizes, &size, 1));

    SCOPED grid_row *rows = memory_allocate((size_t)count + 1, sizeof *rows);
    if (!rows) return fail(SCREE_ERROR_MEMORY, "out of memory for a grid of %d points", count);
    for (int i = 0; i <= count; i++) rows[i] = (grid_row){i, VTK_VERTEX};
    const scree_table cells = {group, grid_columns, HDF5_COUNT(grid_columns), sizeof *rows};
    const scree_table offsets = {group, offset_column, HDF5_COUNT(offset_column), sizeof *rows};
    TRY(hdf5_write(file, &cells, rows, (size_t)count));
    return hdf5_write(file, &offsets, rows, (size_t)count + 1);
}

static scree_result write_group(hdf5_file *file, const frame_group *group, uint32_t fields, const void *rows,
                                int count) {
    scree_column columns[FRAME_COLUMNS_MOST];
    const scree_table arrays = arrays_of(group, fields, columns);
    TRY(write_vertices(file, group->path, count));
    TRY(hdf5_write(file, group->positions, rows, (size_t)count));
    return hdf5_write(file, &arrays, rows, (size_t)count);
}

static scree_result write_bodies(hdf5_file *file, const scree_frame *frame, uint32_t fields) {
    SCOPED body_row *rows = memory_allocate((size_t)frame->count, sizeof *rows);
    if (!rows) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d bodies", frame->count);
    for (int i = 0; i < frame->count; i++) rows[i] = body_to_row(frame, i);
    return write_group(file, &frame_bodies, fields, rows, frame->count);
}

static scree_result write_joints(hdf5_file *file, const scree_frame *frame, const frame_summary *what) {
    if (!what->joints) return SCREE_OK;
    SCOPED joint_row *rows = memory_allocate((size_t)what->joints, sizeof *rows);
    if (!rows) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d joints", what->joints);
    for (int i = 0; i < what->joints; i++) rows[i] = joint_to_row(&frame->joints[i]);
    return write_group(file, &frame_joints, what->fields, rows, what->joints);
}

static scree_result write_geometries(hdf5_file *file, const scree_frame *frame) {
    const scree_state_sink sink = hdf5_sink(file);
    if (!frame->geometry_count) return SCREE_OK;
    SCOPED geometry_use *uses = memory_allocate((size_t)frame->count, sizeof *uses);
    if (!uses) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d bodies", frame->count);
    for (int i = 0; i < frame->count; i++)
        uses[i] = (geometry_use){1 + frame_find_geometry(frame, frame->shapes[i].geometry),
                                 frame->shapes[i].size.x};
    TRY(hdf5_write(file, &use_table, uses, (size_t)frame->count));
    return scree_geometry_save_state(frame->geometries, frame->geometry_count, &sink);
}

static scree_result write_all(hdf5_file *file, const scree_frame *frame, const frame_summary *what) {
    const time_row now = {frame->step, frame->time, frame->time_step};
    TRY(write_bodies(file, frame, what->fields));
    TRY(write_geometries(file, frame));
    TRY(hdf5_write(file, &time_table, &now, 1));
    if (frame->material_count && what->fields & 1u << SCREE_FRAME_MATERIAL)
        TRY(hdf5_write(file, &name_table, frame->material_names, (size_t)frame->material_count));
    TRY(write_group(file, &frame_contacts, what->fields, frame->contacts, what->contacts));
    TRY(write_joints(file, frame, what));
    if (frame->quantity_count)
        TRY(hdf5_write(file, &quantity_table, frame->quantities, (size_t)frame->quantity_count));
    return hdf5_replace(file, false);
}

scree_result frame_file_write(const scree_frame *frame, const scree_series_def *def, const char *path,
                              frame_summary *out) {
    *out = (frame_summary){.step = frame->step,
                           .time = frame->time,
                           .bodies = frame->count,
                           .contacts = def->contacts ? frame->contact_count : 0,
                           .joints = frame->joint_count,
                           .fields = frame->fields & def->fields};
    SCOPED_HDF5 file;
    TRY(hdf5_create(path, purpose, 0, &file));
    file.compression = def->compression;
    return write_all(&file, frame, out);
}

/* Returns the fields whose arrays the file has. */
static uint32_t find_fields(hdf5_file *file, const frame_group *group) {
    uint32_t fields = 0;
    for (int i = 0; i < group->count; i++) {
        char path[64];
        const frame_column *column = &group->columns[i];
        snprintf(path, sizeof path, "%s/%s", group->arrays, column->data.name);
        if (column->field != FRAME_ALWAYS && hdf5_has(file, path)) fields |= 1u << column->field;
    }
    return fields;
}

static scree_result read_summary(hdf5_file *file, frame_summary *out, float *time_step) {
    time_row now;
    TRY(hdf5_read(file, &time_table, &now, 1));
    if (!(fabs(now.time) < 1e15) || !(now.time_step > 0) || !isfinite(now.time_step))
        return fail(SCREE_ERROR_FORMAT, "'%s' is not %s: its time %g s or time step %g s is out of range",
                    file->path, purpose, now.time, (double)now.time_step);
    *out = (frame_summary){.step = now.step, .time = now.time};
    *time_step = now.time_step;
    out->fields = find_fields(file, &frame_bodies) | find_fields(file, &frame_contacts);
    TRY(hdf5_rows(file, frame_bodies.positions, &out->bodies));
    TRY(hdf5_rows(file, frame_contacts.positions, &out->contacts));
    return hdf5_has(file, frame_joints.arrays) ? hdf5_rows(file, frame_joints.positions, &out->joints)
                                               : SCREE_OK;
}

scree_result frame_file_summary(const char *path, frame_summary *out) {
    SCOPED_HDF5 file;
    float time_step;
    TRY(hdf5_open(path, purpose, HDF5_READ, &file));
    return read_summary(&file, out, &time_step);
}

static scree_result read_group(hdf5_file *file, const frame_group *group, uint32_t fields, void *rows,
                               int count) {
    scree_column columns[FRAME_COLUMNS_MOST];
    const scree_table arrays = arrays_of(group, fields, columns);
    TRY(hdf5_read(file, group->positions, rows, (size_t)count));
    return hdf5_read(file, &arrays, rows, (size_t)count);
}

static scree_result read_bodies(hdf5_file *file, scree_frame *frame) {
    SCOPED body_row *rows = memory_allocate((size_t)frame->count, sizeof *rows);
    if (!rows) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d bodies", frame->count);
    for (int i = 0; i < frame->count; i++) rows[i].orientation[0] = 1;
    TRY(read_group(file, &frame_bodies, frame->fields, rows, frame->count));
    for (int i = 0; i < frame->count; i++) TRY(row_to_body(&rows[i], file->path, frame, i));
    return SCREE_OK;
}

static scree_result read_joints(hdf5_file *file, scree_frame *frame) {
    if (!frame->joint_count) return SCREE_OK;
    SCOPED joint_row *rows = memory_allocate((size_t)frame->joint_count, sizeof *rows);
    if (!rows) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d joints", frame->joint_count);
    TRY(read_group(file, &frame_joints, frame->fields, rows, frame->joint_count));
    for (int i = 0; i < frame->joint_count; i++) {
        const scree_result result = row_to_joint(&rows[i], &frame->joints[i]);
        if (result != SCREE_OK) return fail_prefix(result, "'%s': joint %d", file->path, i);
    }
    return SCREE_OK;
}

static scree_result read_uses(hdf5_file *file, scree_frame *frame) {
    SCOPED geometry_use *uses = memory_allocate((size_t)frame->count, sizeof *uses);
    if (!uses) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d bodies", frame->count);
    TRY(hdf5_read(file, &use_table, uses, (size_t)frame->count));
    for (int i = 0; i < frame->count; i++) {
        if (uses[i].geometry < 0 || uses[i].geometry > frame->geometry_count)
            return fail(SCREE_ERROR_FORMAT, "'%s': body %d: geometry: %d; must be below %d", file->path, i,
                        (int)uses[i].geometry, frame->geometry_count);
        if (!uses[i].geometry) continue;
        frame->shapes[i].geometry = frame->geometries[uses[i].geometry - 1];
        frame->shapes[i].size = (scree_vec3){uses[i].scale, 0, 0};
    }
    return SCREE_OK;
}

static scree_result load_geometries(hdf5_file *file, scree_frame *frame) {
    const scree_state_source source = hdf5_source(file);
    int count;
    TRY(scree_geometry_load_state(&source, NULL, 0, &count));
    frame->geometries = memory_allocate((size_t)count, sizeof *frame->geometries);
    if (!frame->geometries) return fail(SCREE_ERROR_MEMORY, "out of memory for %d geometries", count);
    return scree_geometry_load_state(&source, frame->geometries, count, &frame->geometry_count);
}

/* Reads the geometries, if any, and completes the shapes. */
static scree_result read_geometries(hdf5_file *file, scree_frame *frame) {
    if (hdf5_has(file, "VTKHDF/PointData/geometry")) {
        TRY(load_geometries(file, frame));
        TRY(read_uses(file, frame));
    }
    for (int i = 0; i < frame->count; i++)
        if (scree_validate_shape(frame->shapes[i]) != SCREE_OK)
            return fail_prefix(SCREE_ERROR_FORMAT, "'%s': body %d", file->path, i);
    return SCREE_OK;
}

/* Reads the names of materials, if any. */
static scree_result read_names(hdf5_file *file, scree_frame *frame) {
    int count;
    if (!hdf5_has(file, "VTKHDF/FieldData/material_names")) return SCREE_OK;
    TRY(hdf5_rows(file, &name_table, &count));
    TRY(frame_reserve_names(frame, count));
    TRY(hdf5_read(file, &name_table, frame->material_names, (size_t)count));
    for (int i = 0; i < count; i++) frame->material_names[i][SCREE_MATERIAL_NAME_SIZE - 1] = 0;
    return SCREE_OK;
}

/* Reads the rows of measurements, if any. */
static scree_result read_quantities(hdf5_file *file, scree_frame *frame) {
    int count;
    if (!hdf5_has(file, quantity_table.name)) return SCREE_OK;
    TRY(hdf5_rows(file, &quantity_table, &count));
    TRY(frame_reserve_quantities(frame, count));
    TRY(hdf5_read(file, &quantity_table, frame->quantities, (size_t)count));
    for (int i = 0; i < count; i++) {
        scree_frame_quantity *of = &frame->quantities[i];
        of->measurement[sizeof of->measurement - 1] = of->name[sizeof of->name - 1] = 0;
    }
    return SCREE_OK;
}

static scree_result read_all(hdf5_file *file, scree_frame *frame) {
    frame_summary summary;
    TRY(read_summary(file, &summary, &frame->time_step));
    frame->step = summary.step;
    frame->time = summary.time;
    frame->fields = summary.fields;
    TRY(frame_reserve(frame, summary.bodies, summary.contacts, summary.joints));
    TRY(read_bodies(file, frame));
    TRY(read_geometries(file, frame));
    TRY(read_names(file, frame));
    TRY(read_joints(file, frame));
    TRY(read_quantities(file, frame));
    return read_group(file, &frame_contacts, frame->fields, frame->contacts, frame->contact_count);
}

scree_result scree_frame_load(const char *path, scree_frame *out) {
    REQUIRE(path);
    REQUIRE(out);
    SCOPED_HDF5 file;
    scree_frame frame = {0};
    TRY(hdf5_open(path, purpose, HDF5_READ, &file));
    const scree_result result = read_all(&file, &frame);
    if (result == SCREE_OK)
        *out = frame;
    else
        scree_frame_release(&frame);
    return result;
}
