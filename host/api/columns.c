/* Read-only views of a world's arrays. */
#include "step/world.h"

#include <scree/columns.h>

#define COLUMN(array, field)                                                                                 \
    { .base = (array) ? &(array)->field : NULL, .stride = sizeof *(array) }

_Static_assert((int)SLOT_STATIC == 1 + SCREE_BODY_STATIC && (int)SLOT_DYNAMIC == 1 + SCREE_BODY_DYNAMIC &&
                   SLOT_FREE == 0,
               "types of slots are public");
_Static_assert(sizeof(body_cells) == 3 * sizeof(int), "periods are public");

scree_result scree_world_get_columns(const scree_world *world, scree_body_columns *out) {
    REQUIRE(world);
    REQUIRE(out);
    const body_array *bodies = &world->state.bodies;
    TRY(bodies_bring(bodies));
    *out = (scree_body_columns){.count = bodies->count,
                                .types = bodies->types,
                                .generations = bodies->generations,
                                .shapes = bodies->shapes,
                                .materials = bodies->materials,
                                .positions = COLUMN(bodies->poses, position),
                                .rotations = COLUMN(bodies->poses, rotation),
                                .velocities = COLUMN(bodies->velocities, linear),
                                .spins = COLUMN(bodies->velocities, angular),
                                .masses = COLUMN(bodies->masses, mass),
                                .inertias = COLUMN(bodies->masses, inertia),
                                .gravity_scales = COLUMN(bodies->masses, gravity_scale),
                                .locks = COLUMN(bodies->masses, locks),
                                .periods = bodies->cells ? bodies->cells->n : NULL,
                                .endless = bodies->endless};
    return SCREE_OK;
}

scree_contact_work scree_world_get_contact_work(const scree_world *world) {
    REQUIRE_ELSE(world, (scree_contact_work){0});
    return world->state.work;
}
