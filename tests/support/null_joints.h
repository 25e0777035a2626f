/* NULL arguments of calls on joints: rows of the table in tests/unit/test_null.c. */
#ifndef SCREE_TESTS_NULL_JOINTS_H
#define SCREE_TESTS_NULL_JOINTS_H

#include "null_fixture.h"

/* Returns a joint between the fixture's body and the world. */
static scree_joint_def held(const fixture *f) {
    scree_joint_def def = scree_default_joint_def(SCREE_JOINT_BALL);
    def.b = f->body;
    return def;
}

static void joints(const fixture *f) {
    const scree_joint_def def = held(f);
    scree_joint_def got = def;
    scree_joint_state state;
    scree_joint_id id;
    REFUSES(scree_joint_create(NULL, &def, &id));
    REFUSES(scree_joint_create(f->world, NULL, &id));
    TAKES(CHECK(scree_joint_create(f->world, &def, NULL)));
    CHECK(scree_joint_create(f->world, &def, &id));
    REFUSES(scree_joint_get_def(NULL, id, &got));
    REFUSES(scree_joint_get_def(f->world, id, NULL));
    REFUSES(scree_joint_set_def(NULL, id, &def));
    REFUSES(scree_joint_set_def(f->world, id, NULL));
    REFUSES(scree_joint_get_state(NULL, id, &state));
    REFUSES(scree_joint_get_state(f->world, id, NULL));
    REFUSES(scree_joint_set_target(NULL, id, SCREE_AXIS_X, 0));
    REFUSES(scree_joint_get_frame(NULL, &got, up, up, up));
    REFUSES(scree_joint_get_frame(f->world, NULL, up, up, up));
    REFUSES_WITH(!scree_joint_is_valid(NULL, id));
    REFUSES_WITH(scree_joint_count(NULL) == 0);
    REFUSES_WITH(scree_joint_list(NULL, &id, 1) == 0);
    REFUSES_WITH(scree_joint_list(f->world, NULL, 1) == 0);
    REFUSES(scree_joint_destroy(NULL, id));
    CHECK(scree_joint_destroy(f->world, id));
}

#endif
