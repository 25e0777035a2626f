/* A frame filled by hand, for tests that draw or measure frames. */
#pragma once

#include "expect.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

enum { BODIES = 1200 };

/* a frame with memory for its bodies and contacts */
typedef struct moment {
    scree_frame frame;
    scree_body_id ids[BODIES];
    scree_body_type types[BODIES];
    scree_shape shapes[BODIES];
    scree_body_state states[BODIES];
    int materials[BODIES];
    scree_contact contacts[BODIES];
} moment;

/* Returns an empty frame with all fields present; the same storage at every call. */
static inline moment *empty_still(void) {
    static moment shared;
    memset(&shared, 0, sizeof shared);
    shared.frame = (scree_frame){.ids = shared.ids,
                                 .types = shared.types,
                                 .shapes = shared.shapes,
                                 .states = shared.states,
                                 .materials = shared.materials,
                                 .contacts = shared.contacts,
                                 .time_step = 0.01f,
                                 .fields = ~UINT32_C(0)};
    return &shared;
}

/* Adds an upright body at rest at (x, y, z), m; returns its index. */
static inline int add(moment *self, scree_body_type type, scree_shape shape, float x, float y, float z) {
    const int i = self->frame.count++;
    assert_true(i < BODIES);
    self->ids[i] = (scree_body_id){(uint32_t)i + 1, 1, 0};
    self->types[i] = type;
    self->shapes[i] = shape;
    self->states[i] = (scree_body_state){.position = {x, y, z}, .rotation = {0, 0, 0, 1}};
    return i;
}
