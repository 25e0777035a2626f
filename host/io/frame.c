#include <scree/tools/frame.h>

#include "frame_file.h"

#include "base/memory.h"
#include "base/quat_matrix.h"
#include "base/vector.h"
#include "measure/measurements.h"
#include "rows/joint_geometry.h"
#include "rotation.h"
#include "step/world.h"

#include <math.h>
#include <string.h>

void scree_frame_release(scree_frame *frame) {
    if (!frame) return;
    memory_release(frame->ids);
    memory_release(frame->types);
    memory_release(frame->shapes);
    geometry_list_release(&(geometry_list){frame->geometry_count, 0, frame->geometries});
    memory_release(frame->states);
    memory_release(frame->kinetic_energies);
    memory_release(frame->contact_counts);
    memory_release(frame->masses);
    memory_release(frame->materials);
    memory_release(frame->periods);
    memory_release(frame->material_names);
    memory_release(frame->contacts);
    memory_release(frame->joints);
    memory_release(frame->quantities);
    *frame = (scree_frame){0};
}

scree_result frame_reserve(scree_frame *frame, int count, int contacts, int joints) {
    const size_t bodies = (size_t)count;
    frame->ids = memory_allocate(bodies, sizeof *frame->ids);
    frame->types = memory_allocate(bodies, sizeof *frame->types);
    frame->shapes = memory_allocate(bodies, sizeof *frame->shapes);
    frame->states = memory_allocate(bodies, sizeof *frame->states);
    frame->kinetic_energies = memory_allocate(bodies, sizeof *frame->kinetic_energies);
    frame->contact_counts = memory_allocate(bodies, sizeof *frame->contact_counts);
    frame->masses = memory_allocate(bodies, sizeof *frame->masses);
    frame->materials = memory_allocate(bodies, sizeof *frame->materials);
    frame->periods = memory_allocate(bodies, sizeof *frame->periods);
    frame->contacts = memory_allocate((size_t)contacts, sizeof *frame->contacts);
    frame->joints = memory_allocate((size_t)joints, sizeof *frame->joints);
    if (!frame->ids || !frame->types || !frame->shapes || !frame->states || !frame->kinetic_energies ||
        !frame->contact_counts || !frame->masses || !frame->materials || !frame->periods ||
        !frame->contacts || !frame->joints)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d bodies, %d contacts and %d joints",
                    count, contacts, joints);
    frame->count = count;
    frame->contact_count = contacts;
    frame->joint_count = joints;
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
static double kinetic_energy(body_mass mass, body_pose pose, body_velocity velocity) {
    const vec3s v = velocity.linear, w = velocity.angular;
    double axes[3][3];
    quat_axes(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w, axes);
    const double inertia[3] = {mass.inertia.x, mass.inertia.y, mass.inertia.z};
    double energy = 0.5 * (double)mass.mass * ((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
    for (int i = 0; i < 3 && mass.mass > 0; ++i) {
        const double rate = axes[i][0] * w.x + axes[i][1] * w.y + axes[i][2] * w.z;
        energy += 0.5 * inertia[i] * rate * rate;
    }
    return energy;
}

/* Copies the living bodies; `row_of` receives the frame's row of each slot, or −1. */
static void take_bodies(const body_array *bodies, scree_frame *frame, int *row_of) {
    int row = 0;
    for (int slot = 0; slot < bodies->count; ++slot) {
        row_of[slot] = -1;
        if (bodies->types[slot] == SLOT_FREE || row == frame->count) continue;
        const body_pose pose = bodies->poses[slot];
        const body_velocity velocity = bodies->velocities[slot];
        frame->ids[row] = body_id_of(bodies, slot);
        frame->types[row] = body_type_of(bodies, slot);
        frame->shapes[row] = bodies->shapes[slot];
        frame->states[row] = (scree_body_state){vec3_out(pose.position), quat_out(pose.rotation),
                                                vec3_out(velocity.linear), vec3_out(velocity.angular)};
        frame->masses[row] = bodies->masses[slot].mass;
        frame->materials[row] = bodies->materials[slot];
        if (bodies->cells) memcpy(frame->periods[row], bodies->cells[slot].n, sizeof *frame->periods);
        frame->kinetic_energies[row] = kinetic_energy(bodies->masses[slot], pose, velocity);
        row_of[slot] = row++;
    }
}

static void count_contact(const scree_world *world, scree_body_id body, const int *row_of,
                          scree_frame *frame) {
    const int slot = body_slot(&world->bodies, body);
    if (slot >= 0 && row_of[slot] >= 0) ++frame->contact_counts[row_of[slot]];
}

static scree_result take_names(const material_table *materials, scree_frame *frame) {
    bool named = false;
    for (int i = 0; i < materials->count; ++i) named |= materials->materials[i].name[0] != 0;
    if (!named) return SCREE_OK;
    TRY(frame_reserve_names(frame, materials->count));
    for (int i = 0; i < materials->count; ++i)
        memcpy(frame->material_names[i], materials->materials[i].name, sizeof *frame->material_names);
    return SCREE_OK;
}

static bool has_row(const measurement *self) { return measurement_is_alive(self) && self->row_step > 0; }

static scree_result take_quantities(const measurement_array *all, scree_frame *frame) {
    int count = 0;
    for (int i = 0; i < all->count; ++i)
        if (has_row(&all->items[i])) count += measurement_quantities(&all->items[i].def);
    TRY(frame_reserve_quantities(frame, count));
    scree_frame_quantity *next = frame->quantities;
    for (int i = 0; i < all->count; ++i) {
        const measurement *self = &all->items[i];
        for (int k = 0; has_row(self) && k < measurement_quantities(&self->def); ++k, ++next) {
            *next = (scree_frame_quantity){.step = self->row_step,
                                           .time = self->row_time,
                                           .sample = measurement_values(self, MEASUREMENT_ROW_SAMPLE)[k],
                                           .mean = measurement_values(self, MEASUREMENT_ROW_MEAN)[k],
                                           .maximum = measurement_values(self, MEASUREMENT_ROW_MAXIMUM)[k]};
            memcpy(next->measurement, self->name, sizeof next->measurement);
            measurement_quantity_name(&self->def, k, 0, next->name, sizeof next->name);
        }
    }
    return SCREE_OK;
}

static scree_result take_joints(const scree_world *world, scree_frame *frame) {
    const joint_array *joints = &world->joints;
    int row = 0;
    for (int place = 0; place < joints->count && row < frame->joint_count; ++place) {
        if (!joint_is_alive(joints, place)) continue;
        const scree_joint_def *def = &joints->defs[place];
        scree_frame_joint *joint = &frame->joints[row++];
        const versors body = joint_pose(world->bodies.poses, def->a).rotation;
        joint->id = joint_id_of(joints, place);
        joint->kind = def->kind;
        joint->a = def->a, joint->b = def->b;
        joint->frame = quat_out(rotation_normalised(rotation_product(body, quat_in(def->frame_a))));
        TRY(scree_joint_get_state(world, joint->id, &joint->state));
    }
    return SCREE_OK;
}

/* Lists the geometries of the living bodies; the frame holds references to them. */
static scree_result take_geometries(scree_frame *frame) {
    geometry_list list = {0};
    scree_result result = SCREE_OK;
    for (int i = 0; i < frame->count && result == SCREE_OK; ++i)
        result = geometry_list_keep(&list, frame->shapes[i].geometry);
    frame->geometry_count = list.count, frame->geometries = list.items;
    return result;
}

static scree_result take(const scree_world *world, scree_frame *frame) {
    TRY(frame_reserve(frame, world->bodies.living, scree_contact_count(world), scree_joint_count(world)));
    TRY(take_names(&world->materials, frame));
    TRY(take_joints(world, frame));
    TRY(take_quantities(measurements_of(world), frame));
    int *row_of = memory_allocate((size_t)world->bodies.count, sizeof *row_of);
    if (!row_of) return fail(SCREE_ERROR_MEMORY, "out of memory for a frame of %d bodies", frame->count);
    frame->step = world->steps;
    frame->time = world_time(world);
    frame->time_step = (float)world->def.time_step;
    frame->fields = FRAME_ALL_FIELDS & ~(world->bodies.period.any ? 0 : FRAME_PERIODIC_FIELDS);
    take_bodies(&world->bodies, frame, row_of);
    scree_contact_list(world, frame->contacts, frame->contact_count);
    for (int i = 0; i < frame->contact_count; ++i) {
        const scree_contact *contact = &frame->contacts[i];
        if (contact->impulse.x == 0 && contact->impulse.y == 0 && contact->impulse.z == 0) continue;
        count_contact(world, contact->a, row_of, frame);
        count_contact(world, contact->b, row_of, frame);
    }
    memory_release(row_of);
    return take_geometries(frame);
}

scree_result scree_frame_from_world(const scree_world *world, scree_frame *out) {
    if (!world || !out)
        return fail(SCREE_ERROR_ARGUMENT, "scree_frame_from_world: world and out must not be null");
    scree_frame frame = {0};
    const scree_result result = take(world, &frame);
    if (result == SCREE_OK)
        *out = frame;
    else
        scree_frame_release(&frame);
    return result;
}
