/* Null in calls on zones, observers and views: rows of the table in tests/unit/test_null.c. */
#ifndef SCREE_TESTS_NULL_ZONES_H
#define SCREE_TESTS_NULL_ZONES_H

#include "null_fixture.h"

static void zones(const fixture *f) {
    const scree_zone zone = {.size = {1, 1, 1}, .rotation = {0, 0, 0, 1}};
    const scree_zone_frame frame = scree_zone_get_frame(&zone);
    const scree_pose pose = {.rotation = {0, 0, 0, 1}};
    const double at[3] = {0, 0, 0};
    double out[3], other[3];
    REFUSES(scree_validate_zone(NULL));
    REFUSES(scree_world_check_zone(NULL, &zone, false));
    REFUSES(scree_world_check_zone(f->world, NULL, false));
    REFUSES_WITH(scree_zone_get_frame(NULL).size[0] == 0);
    REFUSES_WITH(scree_zone_get_volume(NULL) == 0);
    REFUSES_WITH((scree_zone_get_local_point(NULL, up, out), true));
    REFUSES_WITH((scree_zone_get_local_point(&frame, up, NULL), true));
    REFUSES_WITH(scree_zone_get_local_pose(NULL, pose).position.x == 0);
    REFUSES_WITH(!scree_zone_holds_local(NULL, at));
    REFUSES_WITH(!scree_zone_holds_local(&frame, NULL));
    REFUSES_WITH(scree_zone_get_segment_share(NULL, at, at) == 0);
    REFUSES_WITH(scree_zone_get_segment_share(&frame, NULL, at) == 0);
    REFUSES_WITH(scree_zone_get_segment_share(&frame, at, NULL) == 0);
    REFUSES_WITH(scree_zone_cut_shape(NULL, scree_shape_sphere(1), pose) == 0);
    REFUSES_WITH(!scree_zone_holds(NULL, &frame, up, out));
    REFUSES_WITH(!scree_zone_holds(f->world, NULL, up, out));
    REFUSES_WITH(!scree_zone_holds(f->world, &frame, up, NULL));
    REFUSES_WITH((scree_zone_get_local_pair(NULL, &frame, up, up, out, other), true));
    REFUSES_WITH((scree_zone_get_local_pair(f->world, NULL, up, up, out, other), true));
    REFUSES_WITH((scree_zone_get_local_pair(f->world, &frame, up, up, NULL, other), true));
    REFUSES_WITH((scree_zone_get_local_pair(f->world, &frame, up, up, out, NULL), true));
    REFUSES_WITH(scree_zone_get_images(NULL, &frame, (scree_box){up, up}).count[0] == 0);
    REFUSES_WITH(scree_zone_get_images(f->world, NULL, (scree_box){up, up}).count[0] == 0);
    REFUSES_WITH(!scree_zone_images_next(NULL));
}

static void shapes_at_poses(const fixture *f) {
    const scree_shape ball = scree_shape_sphere(1);
    const scree_pose pose = {.rotation = {0, 0, 0, 1}};
    const double at[3] = {0, 0, 0};
    (void)f;
    REFUSES_WITH(scree_shape_cut_volume(ball, pose, NULL, at) == 0);
    REFUSES_WITH(scree_shape_cut_volume(ball, pose, at, NULL) == 0);
}

static void views(const fixture *f) {
    scree_body_columns columns;
    scree_contact contact;
    scree_contact_cursor cursor = {0};
    REFUSES(scree_world_get_columns(NULL, &columns));
    REFUSES(scree_world_get_columns(f->world, NULL));
    REFUSES_WITH(scree_world_get_contact_work(NULL).friction == 0);
    REFUSES_WITH(scree_contact_read(NULL, &cursor, &contact, 1) == 0);
    REFUSES_WITH(scree_contact_read(f->world, NULL, &contact, 1) == 0);
    REFUSES_WITH(scree_contact_read(f->world, &cursor, NULL, 1) == 0);
}

static void observers(const fixture *f) {
    const scree_observer observer = {.name = "null"};
    REFUSES(scree_world_add_observer(NULL, &observer));
    REFUSES(scree_world_add_observer(f->world, NULL));
    REFUSES(scree_world_add_observer(f->world, &(scree_observer){0}));
    REFUSES_WITH(scree_world_find_observer(NULL, "null") == NULL);
    REFUSES_WITH(scree_world_find_observer(f->world, NULL) == NULL);
}

#endif
