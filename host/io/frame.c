#include <scree/tools/frame.h>

#include "frame_file.h"

#include "base/memory.h"
#include "base/quat_matrix.h"
#include "base/vector.h"
#include "rotation.h"

#include <stdio.h>
#include <string.h>

/* The arrays of a frame that have an item for each body, contact or joint. */
static const struct frame_array {
    size_t place, size, count; /* of the pointer, of an item, of the number of items in a frame */
} arrays[] = {
#define ARRAY(MEMBER, COUNT)                                                                                 \
    { offsetof(scree_frame, MEMBER), sizeof *((scree_frame *)0)->MEMBER, offsetof(scree_frame, COUNT) }
    ARRAY(ids, count),
    ARRAY(types, count),
    ARRAY(shapes, count),
    ARRAY(states, count),
    ARRAY(kinetic_energies, count),
    ARRAY(contact_counts, count),
    ARRAY(masses, count),
    ARRAY(materials, count),
    ARRAY(periods, count),
    ARRAY(contacts, contact_count),
    ARRAY(joints, joint_count),
#undef ARRAY
};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

void scree_frame_release(scree_frame *frame) {
    if (!frame) return;
    for (int i = 0; i < frame->geometry_count; i++) scree_geometry_release(frame->geometries[i]);
    for (int i = 0; i < ARRAYS; i++) {
        void *block;
        memcpy(&block, (char *)frame + arrays[i].place, sizeof block);
        memory_release(block);
    }
    memory_release(frame->geometries);
    memory_release(frame->material_names);
    memory_release(frame->quantities);
    *frame = (scree_frame){0};
}

scree_result frame_reserve(scree_frame *frame, int count, int contacts, int joints) {
    frame->count = count;
    frame->contact_count = contacts;
    frame->joint_count = joints;
    for (int i = 0; i < ARRAYS; i++) {
        const int items = *(const int *)((char *)frame + arrays[i].count);
        void *block = memory_allocate((size_t)items, arrays[i].size);
        memcpy((char *)frame + arrays[i].place, &block, sizeof block);
        if (!block)
            return fail(SCREE_ERROR_MEMORY,
                        "out of memory for a frame of %d bodies, %d contacts and %d joints", count, contacts,
                        joints);
    }
    return SCREE_OK;
}

scree_result frame_reserve_names(scree_frame *frame, int materials) {
    frame->material_names = memory_allocate((size_t)materials, sizeof *frame->material_names);
    if (!frame->material_names)
        return fail(SCREE_ERROR_MEMORY, "out of memory for the names of %d materials", materials);
    frame->material_count = materials;
    return SCREE_OK;
}

scree_result frame_reserve_quantities(scree_frame *frame, int quantities) {
    frame->quantities = memory_allocate((size_t)quantities, sizeof *frame->quantities);
    if (!frame->quantities) return fail(SCREE_ERROR_MEMORY, "out of memory for %d statistics", quantities);
    frame->quantity_count = quantities;
    return SCREE_OK;
}

/* ½ m ‖v‖² + ½ ω·I ω with ω in the body's axes, in double precision. Zero for bodies without mass (static,
 * kinematic). */
static double kinetic_energy(double mass, scree_vec3 moments, const scree_body_state *state) {
    const scree_vec3 v = state->linear_velocity, w = state->angular_velocity;
    const scree_quat q = state->rotation;
    const double inertia[3] = {moments.x, moments.y, moments.z};
    double axes[3][3];
    quat_axes(q.x, q.y, q.z, q.w, axes);
    double energy = 0.5 * mass * ((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
    for (int i = 0; i < 3 && mass > 0; i++) {
        const double rate = axes[i][0] * w.x + axes[i][1] * w.y + axes[i][2] * w.z;
        energy += 0.5 * inertia[i] * rate * rate;
    }
    return energy;
}

scree_result frame_rows_make(const scree_frame *frame, frame_rows *out) {
    *out = (frame_rows){.count = 0};
    for (int i = 0; i < frame->count; i++)
        if (frame->ids[i].index >= out->count) out->count = frame->ids[i].index + 1;
    out->rows = memory_allocate(out->count, sizeof *out->rows);
    if (!out->rows) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d bodies", frame->count);
    for (int i = 0; i < frame->count; i++) out->rows[frame->ids[i].index] = i + 1;
    return SCREE_OK;
}

int frame_row_of(const frame_rows *self, scree_body_id body) {
    return body.index < self->count ? self->rows[body.index] - 1 : -1;
}

static scree_result take_body(const scree_world *world, scree_frame *frame, int row) {
    scree_body_def def;
    scree_vec3 inertia;
    const scree_body_id id = frame->ids[row];
    TRY(scree_body_get_def(world, id, &def));
    TRY(scree_body_get_mass(world, id, &frame->masses[row], &inertia));
    TRY(scree_body_get_periods(world, id, frame->periods[row]));
    frame->types[row] = def.type;
    frame->shapes[row] = def.shape;
    frame->states[row] = def.state;
    frame->materials[row] = def.material.index ? (int)def.material.index - 1 : 0;
    frame->kinetic_energies[row] = kinetic_energy((double)frame->masses[row], inertia, &def.state);
    return SCREE_OK;
}

static void count_contact(scree_body_id body, const frame_rows *table, scree_frame *frame) {
    const int row = frame_row_of(table, body);
    if (row >= 0) ++frame->contact_counts[row];
}

static void take_contacts(const scree_world *world, const frame_rows *table, scree_frame *frame) {
    scree_contact_list(world, frame->contacts, frame->contact_count);
    for (int i = 0; i < frame->contact_count; i++) {
        const scree_contact *contact = &frame->contacts[i];
        if (contact->impulse.x == 0 && contact->impulse.y == 0 && contact->impulse.z == 0) continue;
        count_contact(contact->a, table, frame);
        count_contact(contact->b, table, frame);
    }
}

/* Copies the names of materials, if any has one. */
static scree_result take_names(const scree_world *world, scree_frame *frame) {
    const int count = scree_material_count(world);
    SCOPED scree_material_id *materials = memory_allocate((size_t)count, sizeof *materials);
    if (!materials) return fail(SCREE_ERROR_MEMORY, "out of memory for %d materials", count);
    scree_material_list(world, materials, count);
    for (int i = 0; i < count; i++) {
        scree_material_def def;
        TRY(scree_material_get_def(world, materials[i], &def));
        if (!def.name[0]) continue;
        if (!frame->material_names) TRY(frame_reserve_names(frame, (int)materials[count - 1].index));
        memcpy(frame->material_names[materials[i].index - 1], def.name, sizeof def.name);
    }
    return SCREE_OK;
}

/* Appends the columns of a measurement's last row, if it has one. */
static scree_result take_row(const scree_world *world, scree_measurement_id id, scree_frame *frame) {
    scree_measurement_def def;
    scree_measurement_row row;
    TRY(scree_measurement_get_def(world, id, &def));
    TRY(scree_measurement_get_row(world, id, &row));
    for (int k = 0; k < row.count && row.step > 0; k++) {
        scree_frame_quantity *next = &frame->quantities[frame->quantity_count++];
        *next = (scree_frame_quantity){.step = row.step,
                                       .time = row.time,
                                       .sample = row.sample[k],
                                       .mean = row.mean[k],
                                       .maximum = row.maximum[k]};
        snprintf(next->measurement, sizeof next->measurement, "%s", def.name);
        TRY(scree_measurement_get_quantity_name(world, id, k, 0, next->name, sizeof next->name));
    }
    return SCREE_OK;
}

static scree_result take_quantities(const scree_world *world, scree_frame *frame) {
    const int count = scree_measurement_list(world, NULL, 0);
    int quantities = 0;
    SCOPED scree_measurement_id *ids = memory_allocate((size_t)count, sizeof *ids);
    if (!ids) return fail(SCREE_ERROR_MEMORY, "out of memory for %d measurements", count);
    scree_measurement_list(world, ids, count);
    for (int i = 0; i < count; i++) {
        scree_measurement_row row;
        TRY(scree_measurement_get_row(world, ids[i], &row));
        quantities += row.step > 0 ? row.count : 0;
    }
    TRY(frame_reserve_quantities(frame, quantities));
    frame->quantity_count = 0;
    for (int i = 0; i < count; i++) TRY(take_row(world, ids[i], frame));
    return SCREE_OK;
}

/* Returns the rotation of a joint's frame on body a, or on the world if a is null. */
static scree_quat joint_frame(const scree_joint_def *def, const frame_rows *table, const scree_frame *frame) {
    const int row = frame_row_of(table, def->a);
    const versors body = row >= 0 ? quat_in(frame->states[row].rotation) : versor_of(0, 0, 0, 1);
    return quat_out(rotation_normalised(rotation_product(body, quat_in(def->frame_a))));
}

static scree_result take_joint(const scree_world *world, scree_joint_id id, const frame_rows *table,
                               const scree_frame *frame, scree_frame_joint *out) {
    scree_joint_def def;
    TRY(scree_joint_get_def(world, id, &def));
    *out = (scree_frame_joint){
        .id = id, .kind = def.kind, .a = def.a, .b = def.b, .frame = joint_frame(&def, table, frame)};
    return scree_joint_get_state(world, id, &out->state);
}

static scree_result take_joints(const scree_world *world, const frame_rows *table, scree_frame *frame) {
    SCOPED scree_joint_id *ids = memory_allocate((size_t)frame->joint_count, sizeof *ids);
    if (!ids) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d joints", frame->joint_count);
    scree_joint_list(world, ids, frame->joint_count);
    for (int i = 0; i < frame->joint_count; i++)
        TRY(take_joint(world, ids[i], table, frame, &frame->joints[i]));
    return SCREE_OK;
}

int frame_find_geometry(const scree_frame *frame, const scree_geometry *geometry) {
    for (int i = 0; i < frame->geometry_count; i++)
        if (frame->geometries[i] == geometry) return i;
    return -1;
}

/* Adds a reference to a geometry unless the frame has it, after those of its children. Null is ignored. */
static scree_result keep_geometry(scree_frame *frame, const scree_geometry *geometry, int *capacity) {
    if (!geometry || frame_find_geometry(frame, geometry) >= 0) return SCREE_OK;
    for (int i = 0; i < scree_compound_child_count(geometry); i++)
        TRY(keep_geometry(frame, scree_compound_get_child(geometry, i).shape.geometry, capacity));
    TRY(MEMORY_RESERVE(frame->geometries, *capacity, frame->geometry_count + 1, NULL));
    scree_geometry_retain(geometry);
    frame->geometries[frame->geometry_count++] = geometry;
    return SCREE_OK;
}

static scree_result take_bodies(const scree_world *world, scree_frame *frame) {
    int capacity = 0;
    scree_body_list(world, frame->ids, frame->count);
    for (int i = 0; i < frame->count; i++) {
        TRY(take_body(world, frame, i));
        TRY(keep_geometry(frame, frame->shapes[i].geometry, &capacity));
    }
    return SCREE_OK;
}

static scree_result take(const scree_world *world, scree_frame *frame) {
    const scree_world_def def = scree_world_get_def(world);
    const bool periodic = def.period.x > 0 || def.period.y > 0 || def.period.z > 0;
    frame_rows table;
    TRY(frame_reserve(frame, scree_body_count(world), scree_contact_count(world), scree_joint_count(world)));
    frame->step = scree_world_step_count(world);
    frame->time = scree_world_get_time(world);
    frame->time_step = (float)def.time_step;
    frame->fields = FRAME_ALL_FIELDS & ~(periodic ? 0 : FRAME_PERIODIC_FIELDS);
    TRY(take_bodies(world, frame));
    TRY(take_names(world, frame));
    TRY(take_quantities(world, frame));
    TRY(frame_rows_make(frame, &table));
    take_contacts(world, &table, frame);
    const scree_result result = take_joints(world, &table, frame);
    memory_release(table.rows);
    return result;
}

scree_result scree_frame_from_world(const scree_world *world, scree_frame *out) {
    REQUIRE(world);
    REQUIRE(out);
    scree_frame frame = {0};
    const scree_result result = take(world, &frame);
    if (result == SCREE_OK)
        *out = frame;
    else
        scree_frame_release(&frame);
    return result;
}
