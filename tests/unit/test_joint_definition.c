/* Definitions of joints: rejected values, scenes, and fields that are part of the state. */
#include "joint_scenery.h"

/* The target of a drive is part of the state. */
static void targets_are_part_of_the_hash(void **state) {
    scree_world *world = exact_world(state, 0.005);
    const scree_body_id wheel = add_mass(world, 1, 0.1, any);
    scree_joint_def motor = joint_at(world, SCREE_JOINT_HINGE, nothing, wheel, any, (scree_vec3){0, 0, 1});
    motor.axes[SCREE_AXIS_ROTATION_X].drive = SCREE_DRIVE_VELOCITY;
    const scree_joint_id joint = add_joint(world, &motor);
    const uint64_t before = scree_world_get_hash(world);
    CHECK(scree_joint_set_target(world, joint, SCREE_AXIS_ROTATION_X, 3));
    assert_true(scree_world_get_hash(world) != before);
    CHECK(scree_joint_set_target(world, joint, SCREE_AXIS_ROTATION_X, 0));
    assert_true(scree_world_get_hash(world) == before);
    scree_world_destroy(world);
}

/* Invalid definitions are rejected with the field's name, and add nothing. */
static void invalid_joints_are_rejected(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world = world_of(&def);
    const scree_body_id a = add_mass(world, 1, 1, any);
    scree_joint_def good = scree_default_joint_def(SCREE_JOINT_HINGE), bad;
    good.b = a;
    CHECK(scree_joint_create(world, &good, NULL));
#define REFUSED(change, result, words)                                                                       \
    bad = good, change;                                                                                      \
    CHECK_FAILS(scree_joint_create(world, &bad, NULL), result, words)
    REFUSED(bad.a = a, SCREE_ERROR_ARGUMENT, "a and b");
    REFUSED(bad.b = nothing, SCREE_ERROR_ARGUMENT, "a and b");
    REFUSED(bad.b.generation = 9, SCREE_ERROR_HANDLE, "b: ");
    REFUSED(bad.a.generation = 5, SCREE_ERROR_HANDLE, "a: "); /* index 0: not the world, but no body */
    REFUSED(bad.a.world = a.world, SCREE_ERROR_HANDLE, "a: ");
    REFUSED(bad.b.index = 0, SCREE_ERROR_HANDLE, "b: ");
    REFUSED(bad.frame_a.w = 2, SCREE_ERROR_ARGUMENT, "frame_a");
    REFUSED(bad.anchor_b.x = NAN, SCREE_ERROR_ARGUMENT, "anchor_b");
    REFUSED(bad.anchor_a.z = -2e9f, SCREE_ERROR_ARGUMENT, "anchor_a:");
    REFUSED(bad.break_force = 0, SCREE_ERROR_ARGUMENT, "break_force");
    REFUSED(bad.kind = SCREE_JOINT_KIND_COUNT, SCREE_ERROR_ARGUMENT, "kind:");
    REFUSED(bad.axes[3].friction = -1, SCREE_ERROR_ARGUMENT, "rotation_x.friction");
    REFUSED(bad.axes[3].target = INFINITY, SCREE_ERROR_ARGUMENT, "rotation_x.target");
    REFUSED((bad.axes[2].mode = SCREE_AXIS_LIMITED, bad.axes[2].low = 1), SCREE_ERROR_ARGUMENT, "z:");
    REFUSED(bad.axes[3].drive = SCREE_DRIVE_POSITION, SCREE_ERROR_ARGUMENT, "rotation_x");
    REFUSED(bad.axes[3].target = 2e6f, SCREE_ERROR_ARGUMENT, "rotation_x.target");
    REFUSED(bad.axes[0].drive = SCREE_DRIVE_VELOCITY, SCREE_ERROR_ARGUMENT, "x:");
    REFUSED(bad.axes[5].friction = 1, SCREE_ERROR_ARGUMENT, "rotation_z:");
    REFUSED(bad.axes[4].low = 1.5f, SCREE_ERROR_ARGUMENT, "rotation_y.low:");
    REFUSED(bad.axes[0].low = -2e6f, SCREE_ERROR_ARGUMENT, "x.low:");
    REFUSED(bad.axes[0].spring.frequency = 1e20f, SCREE_ERROR_ARGUMENT, "x.spring.frequency:");
    REFUSED((bad.axes[3].servo = (scree_spring){.frequency = 2, .stiffness = 5}), SCREE_ERROR_ARGUMENT,
            "rotation_x.servo.frequency:");
    REFUSED(bad.axes[3].servo.stiffness = 1e30f, SCREE_ERROR_ARGUMENT, "rotation_x.servo.stiffness");
#define LIMITED(i, from, to)                                                                                 \
    (bad.axes[i].mode = SCREE_AXIS_LIMITED, bad.axes[i].low = (from), bad.axes[i].high = (to))
    REFUSED(LIMITED(3, INFINITY, INFINITY), SCREE_ERROR_ARGUMENT, "rotation_x.low:");
    REFUSED(LIMITED(3, -INFINITY, -INFINITY), SCREE_ERROR_ARGUMENT, "rotation_x.high:");
    REFUSED(LIMITED(0, 0, 2e6f), SCREE_ERROR_ARGUMENT, "x.high:");
    REFUSED(LIMITED(4, -1.5f, 1), SCREE_ERROR_ARGUMENT, "rotation_y.low:");
    REFUSED(LIMITED(4, -1, 1.5f), SCREE_ERROR_ARGUMENT, "rotation_y.high:");
    good = scree_default_joint_def(SCREE_JOINT_DISTANCE), good.b = a;
    REFUSED(bad.axes[1].mode = SCREE_AXIS_LOCKED, SCREE_ERROR_ARGUMENT, "y:");
    REFUSED(bad.axes[3].mode = SCREE_AXIS_LOCKED, SCREE_ERROR_ARGUMENT, "rotation_x:");
    REFUSED(bad.axes[5].friction = 1, SCREE_ERROR_ARGUMENT, "rotation_z:");
    REFUSED(bad.axes[0].low = -1, SCREE_ERROR_ARGUMENT, "x.low:");
    REFUSED(LIMITED(0, -1, 1), SCREE_ERROR_ARGUMENT, "x.low:");
    REFUSED((bad.axes[0].mode = SCREE_AXIS_FREE, bad.axes[0].drive = SCREE_DRIVE_POSITION,
             bad.axes[0].servo.stiffness = 1, bad.axes[0].target = -1),
            SCREE_ERROR_ARGUMENT, "x.target:");
#undef LIMITED
    scree_body_def held = scree_default_body_def();
    scree_body_id post[2];
    held.type = SCREE_BODY_STATIC;
    CHECK(scree_body_create(world, &held, &post[0]));
    held.type = SCREE_BODY_KINEMATIC;
    CHECK(scree_body_create(world, &held, &post[1]));
    REFUSED(bad.b = post[0], SCREE_ERROR_ARGUMENT, "a and b");
    REFUSED(bad.b = post[1], SCREE_ERROR_ARGUMENT, "a and b");
    REFUSED((bad.a = post[0], bad.b = post[1]), SCREE_ERROR_ARGUMENT, "a and b");
    REFUSED((bad.a = a, bad.b = post[0], bad.axes[0].low = INFINITY), SCREE_ERROR_ARGUMENT, "x.low:");
#undef REFUSED
    assert_int_equal(scree_joint_count(world), 1);
    scree_joint_id hinge;
    assert_int_equal(scree_joint_list(world, &hinge, 1), 1);
    bad = good, bad.axes[0].low = -1;
    CHECK_FAILS(scree_joint_set_def(world, hinge, &bad), SCREE_ERROR_ARGUMENT, "x.low:");
    CHECK_FAILS(scree_joint_set_target(world, hinge, SCREE_AXIS_ROTATION_X, 1), SCREE_ERROR_ARGUMENT,
                "rotation_x:");
    CHECK_FAILS(scree_joint_set_target(world, hinge, SCREE_AXIS_Y, 0), SCREE_ERROR_ARGUMENT, "y:");
    CHECK(scree_joint_get_def(world, hinge, &bad));
    bad.axes[SCREE_AXIS_ROTATION_X].drive = SCREE_DRIVE_VELOCITY;
    CHECK(scree_joint_set_def(world, hinge, &bad));
    CHECK_FAILS(scree_joint_set_target(world, hinge, SCREE_AXIS_ROTATION_X, NAN), SCREE_ERROR_ARGUMENT,
                "rotation_x.target:");
    CHECK(scree_joint_set_target(world, hinge, SCREE_AXIS_ROTATION_X, 1));
    CHECK(scree_body_destroy(world, a)); /* also destroys its joints */
    assert_int_equal(scree_joint_count(world), 0);
    CHECK(scree_world_step(world, NULL));
    scree_world_destroy(world);
}

/* A scene makes the same joints as calls; its errors name their place. */
static void scenes_have_joints(void **state) {
    (void)state;
    static const char text[] =
        "{\"backend\": {\"kind\": \"native\"},"
        " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [1, 0, 0]},"
        "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [1, 0, -2]}],"
        " \"joints\": [{\"kind\": \"hinge\", \"b\": 0, \"point\": [0, 0, 0], \"axis\": [0, 1, 0],"
        "   \"axes\": {\"rotation_x\": {\"mode\": \"limited\", \"high\": 0.5, \"friction\": 0.25}}},"
        "  {\"kind\": \"distance\", \"a\": 0, \"b\": 1, \"point\": [1, 0, 0], \"point_b\": [1, 0, -2],"
        "   \"break_force\": 7}]}";
    scree_scene *scene = NULL;
    CHECK(scree_scene_parse(text, strlen(text), "joints.json", &scene));
    scree_world_def def = scree_scene_get_world_def(scene);
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, 0));
    scree_joint_id ids[3];
    scree_joint_def got;
    assert_int_equal(scree_joint_list(world, ids, 3), 2);
    CHECK(scree_joint_get_def(world, ids[0], &got));
    assert_int_equal(got.a.index, 0);
    assert_int_equal(got.b.index, 1);
    ASSERT_WITHIN(got.anchor_b.x, -1, 1e-6);
    const scree_joint_axis *axis = &got.axes[SCREE_AXIS_ROTATION_X];
    assert_true(axis->mode == SCREE_AXIS_LIMITED && axis->low == -INFINITY && axis->high == 0.5f &&
                axis->friction == 0.25f);
    CHECK(scree_joint_get_def(world, ids[1], &got));
    assert_true(got.axes[SCREE_AXIS_X].low == 2 && got.break_force == 7);
    CHECK(scree_world_step(world, NULL));
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    static const char *const wrong[][2] = {
        {"{\"joints\": [{\"kind\": \"hinge\", \"b\": 0, \"point\": [0, 0, 0]}]}", "joints[0].b:"},
        {"{\"joints\": [{\"kind\": \"hinge\", \"point\": [0, 0, 0]}]}", "joints[0]"},
        {"{\"joints\": [{\"kind\": \"hing\"}]}", "joints[0].kind"},
        {"{\"joints\": [{\"kind\": \"ball\", \"axes\": {\"x\": {\"frictoin\": 1}}}]}",
         "joints[0].axes.x.frictoin"},
    };
    for (int i = 0; i < (int)(sizeof wrong / sizeof *wrong); i++)
        CHECK_FAILS(scree_scene_parse(wrong[i][0], strlen(wrong[i][0]), "w.json", &scene), SCREE_ERROR_FORMAT,
                    wrong[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(targets_are_part_of_the_hash),
        cmocka_unit_test(invalid_joints_are_rejected),
        cmocka_unit_test(scenes_have_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
