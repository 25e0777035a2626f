#include "history.h"

#include "base/memory.h"

static size_t bytes_of(const scree_frame *frame) {
    const size_t body = sizeof *frame->ids + sizeof *frame->types + sizeof *frame->shapes +
                        sizeof *frame->states + sizeof *frame->kinetic_energies +
                        sizeof *frame->contact_counts + sizeof *frame->masses + sizeof *frame->periods +
                        sizeof *frame->materials;
    return (size_t)frame->count * body + (size_t)frame->contact_count * sizeof *frame->contacts +
           (size_t)frame->joint_count * sizeof *frame->joints;
}

void history_release(history *self) {
    for (int i = 0; i < self->count; i++) scree_frame_release(&self->frames[i]);
    memory_release(self->frames);
    *self = (history){.most = self->most};
}

/* Drops every second frame. */
static void thin_out(history *self) {
    int kept = 0;
    for (int i = 0; i < self->count; i++)
        if (i % 2 == 0) {
            self->frames[kept++] = self->frames[i];
        } else {
            self->bytes -= bytes_of(&self->frames[i]);
            scree_frame_release(&self->frames[i]);
        }
    self->count = kept;
}

scree_result history_add(history *self, scree_frame *frame) {
    if (self->bytes > self->most && self->count > 2) thin_out(self);
    if (self->count == self->capacity)
        TRY(MEMORY_RESERVE(self->frames, self->capacity, 2 * self->count + 1, NULL));
    self->frames[self->count++] = *frame;
    self->bytes += bytes_of(frame);
    *frame = (scree_frame){0};
    return SCREE_OK;
}
