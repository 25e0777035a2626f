/* Launches of the work of contacts. */
#include "opencl_work.h"

#include "base/error.h"

void opencl_work_open(opencl_work *self, opencl_primitives *primitives) {
    *self = (opencl_work){.primitives = primitives};
}

void opencl_work_close(opencl_work *self) {
    if (!self->primitives) return;
    opencl_buffer_release(self->primitives->device, &self->works);
    opencl_buffer_release(self->primitives->device, &self->sums);
    *self = (opencl_work){0};
}

static scree_result find_points(opencl_work *self, const worked_step *step) {
    const device_contacts *contacts = step->contacts;
    const device_row_bodies *bodies = step->bodies;
    const cl_int resists = contacts->resists, cohesive = contacts->cohesive;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_work_work_points,
                            primitive_groups(self->primitives, contacts->pair_capacity, TILE_GROUP),
                            BUFFER(contacts->heads), BUFFER(contacts->places), BUFFER(contacts->impulses),
                            BUFFER(*(resists ? &contacts->torques : &contacts->impulses)), ARGUMENT(resists),
                            BUFFER(contacts->pulls), ARGUMENT(cohesive), BUFFER(contacts->counts),
                            ARGUMENT(contacts->pair_capacity), BUFFER(step->rows->constants),
                            BUFFER(*bodies->poses), BUFFER(*bodies->velocities), BUFFER(*step->after),
                            BUFFER(*bodies->masses), BUFFER(*step->loads), BUFFER(step->rows->materials),
                            ARGUMENT(step->material_count), BUFFER(*step->places->firsts),
                            BUFFER(*step->places->blocks), ARGUMENT(step->motion), BUFFER(self->works));
}

scree_result opencl_work_find(opencl_work *self, const worked_step *step, work_terms out[WORK_SLICES]) {
    opencl_device *device = self->primitives->device;
    const device_contacts *contacts = step->contacts;
    const size_t bytes = WORK_SLICES * sizeof *out;
    TRY(opencl_buffer_reserve(device, &self->works, contacts->point_capacity * sizeof *out,
                              "work of contacts"));
    TRY(opencl_buffer_reserve(device, &self->sums, bytes, "work of contacts"));
    TRY(find_points(self, step));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_work_work_sums, 1, BUFFER(contacts->heads),
                         BUFFER(contacts->counts), ARGUMENT(contacts->pair_capacity), BUFFER(self->works),
                         BUFFER(self->sums)));
    return opencl_buffer_read(device, &self->sums, out, bytes, CL_FALSE, "work of contacts");
}
