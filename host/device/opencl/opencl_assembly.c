#include "opencl_assembly.h"

#include "base/memory.h"
#include "rows/row_input.h"

void opencl_assembly_open(opencl_assembly *self, opencl_collide *collide, arranged_problem to) {
    opencl_primitives *primitives = &collide->pairs->primitives;
    *self = (opencl_assembly){.collide = collide};
    opencl_arrange_open(&self->arrange, primitives, to);
    opencl_links_open(&self->links, primitives);
    opencl_rows_open(&self->rows, primitives);
}

void opencl_assembly_close(opencl_assembly *self) {
    opencl_buffer *const buffers[] = {&self->types, &self->body_materials, &self->resists, &self->earlier};
    if (!self->collide) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->collide->mirror.device, buffers[i]);
    opencl_arrange_close(&self->arrange);
    opencl_links_close(&self->links);
    opencl_rows_close(&self->rows);
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
    TRY(SEND(self, types, bodies->types, bodies->count, CL_FALSE));
    TRY(SEND(self, body_materials, bodies->materials, bodies->count, CL_TRUE));
    self->sent = bodies->definitions + 1;
    return SCREE_OK;
}

static scree_result send_materials(opencl_assembly *self, const material_table *materials) {
    uint32_t bits[STAY_MATERIALS * STAY_MATERIALS / 32 + 1];
    material_resistances(materials, bits);
    TRY(opencl_rows_send_materials(&self->rows, materials));
    return SEND(self, resists, bits, material_resistance_words(materials), CL_TRUE);
}

/* Sends what may change in every step. It must not change before the next wait. */
static scree_result send_bodies(opencl_assembly *self, const problem_input *from, assembly_bodies on) {
    const body_array *bodies = from->bodies;
    TRY(send_constants(self, from));
    if (self->kinematic) TRY(SEND(self, earlier, bodies->earlier, bodies->count, CL_FALSE));
    self->bodies = (device_row_bodies){
        .poses = on.poses,
        .remainders = on.remainders,
        .velocities = on.velocities,
        .masses = on.masses,
        .loads = on.loads ? on.loads : on.velocities, /* contacts that do not bounce ignore them */
        .earlier = self->kinematic ? &self->earlier : NULL,
        .children = self->collide->bodies.children};
    return SCREE_OK;
}

scree_result opencl_assembly_arrange(opencl_assembly *self, const problem_input *from,
                                     const device_contacts *contacts, assembly_bodies on, int largest,
                                     problem *p, bool *refused) {
    const bool resists = material_resists(from->materials);
    TRY(send_materials(self, from->materials));
    TRY(send_bodies(self, from, on));
    TRY(opencl_links_send(&self->links, p, from->bodies));
    const arranged_bodies bodies = {.count = (cl_uint)from->bodies->count,
                                    .types = &self->types,
                                    .masses = on.masses,
                                    .velocities = on.velocities,
                                    .shapes = &self->collide->shapes,
                                    .loads = on.loads,
                                    .materials = resists ? &self->body_materials : NULL,
                                    .resists = resists ? &self->resists : NULL,
                                    .material_count = resists ? from->materials->count : 0,
                                    .grounded = p->body_count > from->bodies->count,
                                    .links = p->linked > 0 ? &self->links : NULL,
                                    .several = self->collide->bodies.children != NULL};
    *refused = bodies.links && bodies.several;
    if (*refused) return SCREE_OK;
    stage_enter(SCREE_STAGE_COLOURS);
    TRY(opencl_arrange_begin(&self->arrange, &bodies, contacts, from->motion,
                             (cl_int)from->options->colours));
    TRY(opencl_arrange_finish(&self->arrange, largest, p));
    *refused = opencl_arrange_refuses(&self->arrange);
    return *refused ? SCREE_OK : opencl_links_take_places(&self->links, p);
}

/* Reads which colours balls.cl can sweep. */
static scree_result find_balls(opencl_assembly *self, const device_row_places *places) {
    opencl_arrange *arrange = &self->arrange;
    if (!(self->collide->kinds >> SCREE_SHAPE_SPHERE & 1)) return SCREE_OK;
    stage_enter(SCREE_STAGE_COLOURS);
    TRY(opencl_arrange_find_balls(arrange, places->blocks, &self->collide->masses));
    cl_uint *others = &arrange->report[ARRANGED_OTHERS];
    return opencl_buffer_read_from(self->collide->mirror.device, &arrange->words,
                                   ARRANGED_OTHERS * sizeof *others, others, sizeof *others, CL_TRUE,
                                   "colours of balls");
}

scree_result opencl_assembly_fill(opencl_assembly *self, const problem_input *from,
                                  const device_contacts *contacts, const device_row_places *places,
                                  const problem *p) {
    self->parameters = row_parameters_of(from, p->kilograms, 1);
    TRY(opencl_links_place(&self->links, p, places->blocks, places->impulses, places->pseudo_impulses));
    TRY(opencl_rows_fill(&self->rows, &self->bodies, contacts, &self->parameters, places));
    return find_balls(self, places);
}
