#include "numbers.h"

#include "base/vector.h"
#include "render/snapshot_colour.h"

#include <stdarg.h>
#include <stdio.h>

static void add(body_numbers *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(body_numbers *self, const char *format, ...) {
    if (self->count == NUMBER_LINES) return;
    va_list values;
    va_start(values, format);
    vsnprintf(self->lines[self->count++], NUMBER_LINE, format, values);
    va_end(values);
}

static void add_vector(body_numbers *self, const char *name, scree_vec3 v, const char *unit) {
    add(self, "%s %.4g %.4g %.4g %s", name, (double)v.x, (double)v.y, (double)v.z, unit);
}

static bool has(const scree_frame *frame, scree_frame_field field) { return frame->fields >> field & 1; }

static void add_material(body_numbers *self, const scree_frame *frame, int row) {
    const int number = frame->materials[row];
    if (!has(frame, SCREE_FRAME_MATERIAL)) return;
    if (number < frame->material_count && frame->material_names[number][0])
        add(self, "material %s", frame->material_names[number]);
    else
        add(self, "material %d", number);
}

/* Adds the number of contact points with the body and the sum of the normal forces. */
static void add_contacts(body_numbers *self, const scree_frame *frame, scree_body_id id) {
    int points = 0;
    double force = 0;
    for (int i = 0; i < frame->contact_count; i++) {
        const scree_contact *contact = &frame->contacts[i];
        if (contact->a.index != id.index && contact->b.index != id.index) continue;
        const vec3s normal = vec3_in(contact->normal), impulse = vec3_in(contact->impulse);
        force += fabs((double)glms_vec3_dot(normal, impulse));
        points += glms_vec3_norm2(impulse) > 0;
    }
    if (!has(frame, SCREE_FRAME_IMPULSE)) return;
    add(self, "contacts %d", points);
    if (frame->time_step > 0) add(self, "normal force %.5g N", force / (double)frame->time_step);
}

body_numbers numbers_of(const scree_frame *frame, uint32_t index) {
    static const char *const types[] = {"static", "kinematic", "dynamic"};
    body_numbers out = {.count = 0};
    const int row = index ? snapshot_find(frame, (scree_body_id){.index = index}) : -1;
    if (row < 0) return out;
    const scree_body_state *state = &frame->states[row];
    add(&out, "id %u, %s %s", (unsigned)index, types[frame->types[row]],
        scree_shape_kind_name(frame->shapes[row].kind));
    add_material(&out, frame, row);
    add_vector(&out, "position", state->position, "m");
    if (has(frame, SCREE_FRAME_VELOCITY)) {
        add_vector(&out, "velocity", state->linear_velocity, "m/s");
        add(&out, "speed %.5g m/s", (double)glms_vec3_norm(vec3_in(state->linear_velocity)));
    }
    if (has(frame, SCREE_FRAME_ANGULAR_VELOCITY)) add_vector(&out, "spin", state->angular_velocity, "rad/s");
    if (has(frame, SCREE_FRAME_MASS) && frame->types[row] == SCREE_BODY_DYNAMIC)
        add(&out, "mass %.5g kg", (double)frame->masses[row]);
    add_contacts(&out, frame, frame->ids[row]);
    return out;
}
