#include "opencl_assembly.h"

#include "base/memory.h"
#include "rows/linked_rows.h"
#include "rows/row_input.h"

#include <string.h>

void opencl_assembly_open(opencl_assembly *self, opencl_collide *collide, arranged_problem to) {
    opencl_primitives *primitives = &collide->pairs->primitives;
    *self = (opencl_assembly){.collide = collide};
    opencl_arrange_open(&self->arrange, primitives, to);
    opencl_links_open(&self->links, primitives);
    opencl_rows_open(&self->rows, primitives);
    opencl_cohesion_open(&self->cohesion, primitives);
}

void opencl_assembly_close(opencl_assembly *self) {
    opencl_buffer *const buffers[] = {&self->body_materials, &self->resists, &self->earlier};
    if (!self->collide) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->collide->mirror.device, buffers[i]);
    opencl_arrange_close(&self->arrange);
    opencl_links_close(&self->links);
    opencl_rows_close(&self->rows);
    opencl_cohesion_close(&self->cohesion);
    *self = (opencl_assembly){0};
}

#define SEND(self, buffer, items, count, waits)                                                              \
    opencl_buffer_write((self)->collide->mirror.device, &(self)->buffer, items,                              \
                        (size_t)(count) * sizeof *(items), waits, #buffer)

/* Sends the constants of the bodies if they have changed. */
static scree_result send_constants(opencl_assembly *self, const problem_input *from) {
    const body_array *bodies = from->bodies;
    if (self->sent == bodies->definitions + 1) return SCREE_OK;
    self->sent = 0;
    self->kinematic = false;
    for (int slot = 0; slot < bodies->count; slot++) self->kinematic |= bodies->types[slot] == SLOT_KINEMATIC;
    TRY(opencl_rows_send_bodies(&self->rows, bodies, from->joints));
    TRY(SEND(self, body_materials, bodies->materials, bodies->count, CL_TRUE));
    self->sent = bodies->definitions + 1;
    return SCREE_OK;
}

/* Sends the properties of materials if they have changed. */
static scree_result send_materials(opencl_assembly *self, const material_table *materials) {
    uint32_t bits[STAY_MATERIALS * STAY_MATERIALS / 32 + 1];
    const int words = material_resistance_words(materials);
    const size_t bytes = (size_t)words * sizeof *bits;
    material_resistances(materials, bits);
    TRY(opencl_rows_send_materials(&self->rows, materials));
    if (self->resist_words == words && memcmp(self->resist_bits, bits, bytes) == 0) return SCREE_OK;
    self->resist_words = 0;
    memcpy(self->resist_bits, bits, bytes);
    TRY(SEND(self, resists, self->resist_bits, words, CL_FALSE));
    self->resist_words = words;
    return SCREE_OK;
}

/* Sends the velocities before the step of kinematic bodies if they have changed. */
static scree_result send_earlier(opencl_assembly *self, const body_array *bodies) {
    const body_array *here = &self->held;
    if (!self->kinematic || (here->earlier == bodies->earlier && here->count == bodies->count &&
                             here->written == bodies->written && here->kept == bodies->kept))
        return SCREE_OK;
    self->held = (body_array){0};
    TRY(SEND(self, earlier, bodies->earlier, bodies->count, CL_FALSE));
    self->held = *bodies;
    return SCREE_OK;
}

/* Sends what may change in every step. It must not change before the next wait. */
static scree_result send_bodies(opencl_assembly *self, const problem_input *from, assembly_bodies on) {
    const body_array *bodies = from->bodies;
    TRY(send_constants(self, from));
    TRY(send_earlier(self, bodies));
    self->bodies = (device_row_bodies){.poses = on.poses,
                                       .remainders = on.remainders,
                                       .velocities = on.velocities,
                                       .masses = on.masses,
                                       .loads = on.loads,
                                       .earlier = self->kinematic ? &self->earlier : NULL,
                                       .children = self->collide->bodies.children};
    return SCREE_OK;
}

static scree_result begin_arrangement(opencl_assembly *self, const problem_input *from,
                                      const device_contacts *contacts, assembly_bodies on, const problem *p) {
    const bool resists = material_resists(from->materials);
    const arranged_bodies bodies = {.count = (cl_uint)from->bodies->count,
                                    .types = &self->collide->pairs->bodies.types,
                                    .masses = on.masses,
                                    .velocities = on.velocities,
                                    .shapes = &self->collide->shapes,
                                    .loads = on.loaded ? on.loads : NULL,
                                    .materials = resists ? &self->body_materials : NULL,
                                    .resists = resists ? &self->resists : NULL,
                                    .material_count = resists ? from->materials->count : 0,
                                    .grounded = p->body_count > from->bodies->count,
                                    .links = p->linked > 0 ? &self->links : NULL,
                                    .several = self->collide->bodies.children != NULL};
    stage_enter(SCREE_STAGE_COLOURS);
    return opencl_arrange_begin(&self->arrange, &bodies, contacts, from->motion,
                                (cl_int)from->options->colours);
}

/* Finds the programs that can sweep the colours, if that depends on the blocks. */
static scree_result find_kinds(opencl_assembly *self, const device_row_places *places) {
    const bool balls = self->collide->kinds >> SCREE_SHAPE_SPHERE & 1;
    if (!balls && self->arrange.contacts_alone) return SCREE_OK;
    stage_enter(SCREE_STAGE_COLOURS);
    return opencl_arrange_find_kinds(&self->arrange, places->blocks, places->block_capacity,
                                     self->collide->bodies.masses);
}

cohesive_step opencl_assembly_cohesive(const opencl_assembly *self, device_contacts *contacts) {
    return (cohesive_step){.rows = &self->rows,
                           .bodies = &self->bodies,
                           .shapes = &self->collide->bodies,
                           .parameters = &self->parameters,
                           .contacts = contacts};
}

const opencl_buffer *opencl_assembly_loads(const opencl_assembly *self, const opencl_buffer *own) {
    return self->cohered ? &self->cohesion.loads : own;
}

/* Applies cohesion to contacts that have been found or added since it was applied last. */
static scree_result cohere(opencl_assembly *self, const problem_input *from, device_contacts *contacts) {
    const cohesive_step step = opencl_assembly_cohesive(self, contacts);
    if (self->cohered || material_reach(from->materials) < 0) return SCREE_OK;
    self->cohered = true;
    from->contacts->cohesive = true;
    stage_enter(SCREE_STAGE_ROWS);
    return opencl_cohesion_apply(&self->cohesion, &step);
}

scree_result opencl_assembly_begin(opencl_assembly *self, const problem_input *from,
                                   device_contacts *contacts, assembly_bodies on, device_row_places places,
                                   const problem *p) {
    const row_parameters parameters = row_parameters_of(from, 1, 1);
    places.arrangement = &self->arrange.words;
    self->parameters = parameters;
    TRY(send_materials(self, from->materials));
    TRY(send_bodies(self, from, on));
    TRY(opencl_links_send(&self->links, p, from->bodies));
    TRY(cohere(self, from, contacts));
    TRY(begin_arrangement(self, from, contacts, on, p));
    stage_enter(SCREE_STAGE_ROWS);
    TRY(opencl_rows_fill(&self->rows, &self->bodies, contacts, &parameters, &places));
    if (self->rows.bounces) TRY(opencl_rows_rebound(&self->rows, &self->rebounds));
    return find_kinds(self, &places);
}

scree_result opencl_assembly_finish(opencl_assembly *self, const problem_input *from, int largest,
                                    problem *p) {
    stage_enter(SCREE_STAGE_COLOURS);
    TRY(opencl_arrange_finish(&self->arrange, largest, p));
    self->parameters = row_parameters_of(from, p->kilograms, 1);
    return SCREE_OK;
}

scree_result opencl_assembly_link(opencl_assembly *self, const problem_input *from,
                                  const device_row_places *places, int threads, problem *p, int *regrown) {
    TRY(opencl_links_take_places(&self->links, p));
    TRY(linked_rows_fill(p, from, threads, regrown));
    return opencl_links_place(&self->links, p, places->blocks, places->impulses, places->pseudo_impulses);
}
