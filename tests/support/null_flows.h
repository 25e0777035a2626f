/* NULL arguments of calls on flows: rows of the table in tests/unit/test_null.c. */
#ifndef SCREE_TESTS_NULL_FLOWS_H
#define SCREE_TESTS_NULL_FLOWS_H

#include "null_fixture.h"

static void flows(const fixture *f) {
    scree_inlet_def inlet = scree_default_inlet_def();
    const scree_outlet_def outlet = scree_default_outlet_def();
    scree_flow_state state;
    scree_flow_id id;
    inlet.rate = 1;
    REFUSES(scree_inlet_create(NULL, &inlet, &id));
    REFUSES(scree_inlet_create(f->world, NULL, &id));
    REFUSES(scree_outlet_create(NULL, &outlet, &id));
    REFUSES(scree_outlet_create(f->world, NULL, &id));
    CHECK(scree_inlet_create(f->world, &inlet, &id));
    REFUSES(scree_flow_get_state(NULL, id, &state));
    REFUSES(scree_flow_get_state(f->world, id, NULL));
    REFUSES_WITH(!scree_flow_is_valid(NULL, id));
    REFUSES_WITH(scree_flow_list(NULL, &id, 1) == 0);
    REFUSES_WITH(scree_flow_list(f->world, NULL, 1) == 0);
    REFUSES(scree_inlet_set_def(NULL, id, &inlet));
    REFUSES(scree_inlet_set_def(f->world, id, NULL));
    scree_flow_id out;
    CHECK(scree_outlet_create(f->world, &outlet, &out));
    REFUSES(scree_outlet_set_def(NULL, out, &outlet));
    REFUSES(scree_outlet_set_def(f->world, out, NULL));
    CHECK(scree_flow_destroy(f->world, out));
    REFUSES(scree_flow_destroy(NULL, id));
    CHECK(scree_flow_destroy(f->world, id));
}

#endif
