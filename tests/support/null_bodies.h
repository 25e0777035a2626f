/* NULL arguments of calls on bodies and materials: rows of the table in tests/unit/test_null.c. */
#ifndef SCREE_TESTS_NULL_BODIES_H
#define SCREE_TESTS_NULL_BODIES_H

#include "null_fixture.h"

static void bodies_made(const fixture *f) {
    const scree_body_def def = scree_default_body_def();
    REFUSES(scree_body_create(NULL, &def, NULL));
    REFUSES(scree_body_create(f->world, NULL, NULL));
    TAKES(CHECK(scree_body_create(f->world, &def, NULL)));
}

static void body_destroy(const fixture *f) { REFUSES(scree_body_destroy(NULL, f->body)); }
static void body_is_valid(const fixture *f) { REFUSES_WITH(!scree_body_is_valid(NULL, f->body)); }

static void body_get_def(const fixture *f) {
    scree_body_def def;
    REFUSES(scree_body_get_def(NULL, f->body, &def));
    REFUSES(scree_body_get_def(f->world, f->body, NULL));
}

static void body_set_def(const fixture *f) {
    const scree_body_def def = scree_default_body_def();
    REFUSES(scree_body_set_def(NULL, f->body, &def));
    REFUSES(scree_body_set_def(f->world, f->body, NULL));
}

static void body_get_mass(const fixture *f) {
    float mass;
    REFUSES(scree_body_get_mass(NULL, f->body, &mass, NULL));
    TAKES(CHECK(scree_body_get_mass(f->world, f->body, NULL, NULL)));
}

static void body_get_periods(const fixture *f) {
    int periods[3];
    REFUSES(scree_body_get_periods(NULL, f->body, periods));
    REFUSES(scree_body_get_periods(f->world, f->body, NULL));
}

static void body_get_user_data(const fixture *f) {
    uint64_t data;
    REFUSES(scree_body_get_user_data(NULL, f->body, &data));
    REFUSES(scree_body_get_user_data(f->world, f->body, NULL));
}

static void body_set_user_data(const fixture *f) { REFUSES(scree_body_set_user_data(NULL, f->body, 1)); }

static void body_get_state(const fixture *f) {
    scree_body_state body;
    REFUSES(scree_body_get_state(NULL, f->body, &body));
    REFUSES(scree_body_get_state(f->world, f->body, NULL));
}

static void body_set_state(const fixture *f) {
    const scree_body_state still = {.rotation = {0, 0, 0, 1}};
    REFUSES(scree_body_set_state(NULL, f->body, &still));
    REFUSES(scree_body_set_state(f->world, f->body, NULL));
}

static void body_get_states(const fixture *f) {
    scree_body_state body;
    REFUSES(scree_body_get_states(NULL, &f->body, 1, &body));
    REFUSES(scree_body_get_states(f->world, NULL, 1, &body));
    REFUSES(scree_body_get_states(f->world, &f->body, 1, NULL));
    REFUSES(scree_body_get_states(f->world, &f->body, -1, &body));
    TAKES(CHECK(scree_body_get_states(f->world, NULL, 0, NULL)));
}

static void body_set_states(const fixture *f) {
    const scree_body_state still = {.rotation = {0, 0, 0, 1}};
    REFUSES(scree_body_set_states(NULL, &f->body, 1, &still));
    REFUSES(scree_body_set_states(f->world, NULL, 1, &still));
    REFUSES(scree_body_set_states(f->world, &f->body, 1, NULL));
    REFUSES(scree_body_set_states(f->world, &f->body, -1, &still));
    TAKES(CHECK(scree_body_set_states(f->world, NULL, 0, NULL)));
}

static void body_apply_force(const fixture *f) { REFUSES(scree_body_apply_force(NULL, f->body, up)); }
static void body_apply_force_at(const fixture *f) {
    REFUSES(scree_body_apply_force_at(NULL, f->body, up, up));
}
static void body_apply_torque(const fixture *f) { REFUSES(scree_body_apply_torque(NULL, f->body, up)); }
static void body_apply_impulse(const fixture *f) { REFUSES(scree_body_apply_impulse(NULL, f->body, up)); }
static void body_apply_impulse_at(const fixture *f) {
    REFUSES(scree_body_apply_impulse_at(NULL, f->body, up, up));
}
static void body_apply_angular_impulse(const fixture *f) {
    REFUSES(scree_body_apply_angular_impulse(NULL, f->body, up));
}

static void body_count(const fixture *f) {
    (void)f;
    REFUSES_WITH(scree_body_count(NULL) == 0);
}

static void body_set_loads(const fixture *f) {
    const scree_vec3 none = {0, 0, 0};
    REFUSES(scree_body_set_loads(NULL, f->body, none, none));
}

static void body_list(const fixture *f) {
    scree_body_id id;
    REFUSES_WITH(scree_body_list(NULL, &id, 1) == 0);
    REFUSES_WITH(scree_body_list(f->world, NULL, 1) == 0);
    TAKES(assert_true(scree_body_list(f->world, NULL, 0) > 0));
}

static void material_create(const fixture *f) {
    const scree_material_def def = scree_default_material_def();
    scree_material_id id;
    REFUSES(scree_material_create(NULL, &def, &id));
    REFUSES(scree_material_create(f->world, NULL, &id));
    REFUSES(scree_material_create(f->world, &def, NULL));
}

static void material_destroy(const fixture *f) { REFUSES(scree_material_destroy(NULL, f->material)); }
static void material_is_valid(const fixture *f) { REFUSES_WITH(!scree_material_is_valid(NULL, f->material)); }

static void material_get_def(const fixture *f) {
    scree_material_def def;
    REFUSES(scree_material_get_def(NULL, f->material, &def));
    REFUSES(scree_material_get_def(f->world, f->material, NULL));
}

static void material_set_def(const fixture *f) {
    const scree_material_def def = scree_default_material_def();
    REFUSES(scree_material_set_def(NULL, f->material, &def));
    REFUSES(scree_material_set_def(f->world, f->material, NULL));
}

static void material_count(const fixture *f) {
    (void)f;
    REFUSES_WITH(scree_material_count(NULL) == 0);
}

static void material_list(const fixture *f) {
    scree_material_id id;
    REFUSES_WITH(scree_material_list(NULL, &id, 1) == 0);
    REFUSES_WITH(scree_material_list(f->world, NULL, 1) == 0);
}

static void material_get_pair(const fixture *f) {
    scree_material_pair_def def;
    REFUSES(scree_material_get_pair(NULL, f->material, f->material, &def));
    REFUSES(scree_material_get_pair(f->world, f->material, f->material, NULL));
}

static void material_set_pair(const fixture *f) {
    const scree_material_pair_def def = scree_default_material_pair_def();
    REFUSES(scree_material_set_pair(NULL, f->material, f->material, &def));
    REFUSES(scree_material_set_pair(f->world, f->material, f->material, NULL));
}

static void material_clear_pair(const fixture *f) {
    REFUSES(scree_material_clear_pair(NULL, f->material, f->material));
}

#endif
