/* NULL arguments of calls on assemblies and schedules: rows of the table in tests/unit/test_null.c. */
#ifndef SCREE_TESTS_NULL_KINEMATIC_GROUPS_H
#define SCREE_TESTS_NULL_KINEMATIC_GROUPS_H

#include "null_fixture.h"

static void kinematic_groups(const fixture *f) {
    scree_kinematic_group_def def = scree_default_kinematic_group_def();
    scree_motion_def motion = scree_default_motion_def(SCREE_MOTION_LINEAR);
    scree_kinematic_group_id id;
    scree_body_id body;
    REFUSES(scree_validate_motions(NULL, 1));
    TAKES(CHECK(scree_validate_motions(NULL, 0)));
    REFUSES(scree_kinematic_group_create(NULL, &def, &id));
    REFUSES(scree_kinematic_group_create(f->world, NULL, &id));
    def.body_count = 1;
    REFUSES(scree_kinematic_group_create(f->world, &def, &id));
    def.body_count = 0;
    CHECK(scree_kinematic_group_create(f->world, &def, &id));
    REFUSES(scree_kinematic_group_set_motions(NULL, id, &motion, 1));
    TAKES(CHECK(scree_kinematic_group_set_motions(f->world, id, NULL, 0)));
    REFUSES_WITH(scree_kinematic_group_get_motions(NULL, id, &motion, 1) == 0);
    REFUSES_WITH(scree_kinematic_group_get_motions(f->world, id, NULL, 1) == 0);
    REFUSES_WITH(scree_kinematic_group_get_bodies(NULL, id, &body, 1) == 0);
    REFUSES_WITH(scree_kinematic_group_get_bodies(f->world, id, NULL, 1) == 0);
    REFUSES_WITH(!scree_kinematic_group_is_valid(NULL, id));
    REFUSES_WITH(scree_kinematic_group_count(NULL) == 0);
    REFUSES_WITH(scree_kinematic_group_list(NULL, &id, 1) == 0);
    REFUSES_WITH(scree_kinematic_group_list(f->world, NULL, 1) == 0);
    REFUSES(scree_kinematic_group_destroy(NULL, id));
    CHECK(scree_kinematic_group_destroy(f->world, id));
}

static void gravity_schedule(const fixture *f) {
    scree_gravity_key key = {0};
    REFUSES(scree_world_set_gravity_schedule(NULL, &key, 1));
    REFUSES(scree_world_set_gravity_schedule(f->world, NULL, 1));
    TAKES(CHECK(scree_world_set_gravity_schedule(f->world, NULL, 0)));
    REFUSES_WITH(scree_world_get_gravity_schedule(NULL, &key, 1) == 0);
    REFUSES_WITH(scree_world_get_gravity_schedule(f->world, NULL, 1) == 0);
}

#endif
