/* Shared by the tests of measurements: creates measurements and reads their values by name. */
#pragma once

#include "scenery.h"

static inline scree_measurement_row row_of(const scree_world *world, scree_measurement_id id) {
    scree_measurement_row row;
    CHECK(scree_measurement_get_row(world, id, &row));
    return row;
}

/* Returns the index of a value by the name of its sample. */
static inline int quantity_of(const scree_world *world, scree_measurement_id id, const char *name) {
    char found[96];
    for (int i = 0; i < row_of(world, id).count; i++) {
        CHECK(scree_measurement_get_quantity_name(world, id, i, 0, found, sizeof found));
        if (!strcmp(found, name)) return i;
    }
    fail_msg("no figure is called %s", name);
    return -1;
}

static inline double sample_of(const scree_world *world, scree_measurement_id id, const char *name) {
    return row_of(world, id).sample[quantity_of(world, id, name)];
}
static inline double mean_of(const scree_world *world, scree_measurement_id id, const char *name) {
    return row_of(world, id).mean[quantity_of(world, id, name)];
}

/* Returns a definition that samples at every step. */
static inline scree_measurement_def measurement_def_of(scree_measurement_kind kind, const char *name) {
    scree_measurement_def def = scree_default_measurement_def();
    def.kind = kind, def.name = name;
    return def;
}
static inline scree_measurement_id measurement_made(scree_world *world, scree_measurement_def def) {
    scree_measurement_id id;
    CHECK(scree_measurement_create(world, &def, &id));
    return id;
}

/* Returns a zone centred at a point. */
static inline scree_zone zone_of(scree_zone_kind kind, scree_vec3 size, scree_vec3 position) {
    return (scree_zone){kind, size, position, {0, 0, 0, 1}};
}
