/* Collision groups and masks. */
#include "scenery.h"

static scree_body_id add_in(scree_world *world, uint32_t groups, uint32_t mask, scree_shape shape,
                            scree_vec3 position) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.groups = groups, def.mask = mask, def.shape = shape, def.state.position = position;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* Balls and boxes over a floor of group 2: bodies excluded by their mask, or whose group the floor's mask
 * excludes, fall freely through it and through each other, bit for bit as if alone. */
static void contacts_require_both_masks(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_body_def floor = scree_default_body_def();
    floor.type = SCREE_BODY_STATIC, floor.shape = scree_shape_box(5, 5, 0.5f), floor.state.position.z = -0.5f;
    floor.groups = 2, floor.mask = 1 | 4;
    CHECK(scree_body_create(world, &floor, NULL));
    const scree_shape ball = scree_shape_sphere(0.1f), box = scree_shape_box(0.1f, 0.1f, 0.1f);
    const scree_body_id lands = add_in(world, 1, UINT32_MAX, ball, (scree_vec3){0, 0, 0.5f}),
                        both = add_in(world, 4 | 8, 2, box, (scree_vec3){1, 0, 0.5f}),
                        unheard =
                            add_in(world, 8, UINT32_MAX, ball, (scree_vec3){2, 0, 0.5f}), /* excluded by the
                                                                                           * floor's mask */
        deaf = add_in(world, 1, ~UINT32_C(2), box, (scree_vec3){3, 0, 0.5f}), /* excluded by its own mask */
        through = add_in(world, 4, 2, ball, (scree_vec3){0, 0, 0.8f});        /* excluded by the first ball */
    const scree_statistics s = run_for(world, 1);
    ASSERT_WITHIN(state_of(world, lands).position.z, 0.1, 2e-3);
    ASSERT_WITHIN(state_of(world, both).position.z, 0.1, 2e-3);
    ASSERT_WITHIN(state_of(world, through).position.z, 0.1, 2e-3);
    ASSERT_NEAR(state_of(world, unheard).linear_velocity.z, -9.81, 1e-5);
    ASSERT_NEAR(state_of(world, deaf).linear_velocity.z, -9.81, 1e-5);
    assert_int_equal(s.touching, 3);
    /* A body whose mask is changed falls from then on. */
    scree_body_def changed;
    CHECK(scree_body_get_def(world, lands, &changed));
    assert_true(changed.groups == 1 && changed.mask == UINT32_MAX);
    changed.mask = 1;
    CHECK(scree_body_set_def(world, lands, &changed));
    run_for(world, 0.5);
    ASSERT_NEAR(state_of(world, lands).linear_velocity.z, -9.81 * 0.5, 1e-2);
    scree_world_destroy(world);
}

static void scenes_have_groups(void **state) {
    (void)state;
    static const char text[] =
        "{\"containers\": [{\"kind\": \"box\", \"inner_size\": [1, 1, 1], \"groups\": [3]}],\n"
        " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"groups\": [0, 31], "
        "\"touches\": [1]}]}";
    scree_scene *scene = NULL;
    CHECK(scree_scene_parse(text, strlen(text), "scene.json", &scene));
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, 0));
    scree_body_id ids[8];
    scree_body_def body;
    assert_int_equal(scree_body_list(world, ids, 8), 6);
    CHECK(scree_body_get_def(world, ids[0], &body));
    assert_true(body.groups == 8 && body.mask == UINT32_MAX);
    CHECK(scree_body_get_def(world, ids[5], &body));
    assert_true(body.groups == (1 | UINT32_C(1) << 31) && body.mask == 2);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    static const char wrong[] = "{\"bodies\": [{\"shape\": {\"kind\": \"half-space\"}, \"groups\": [32]}]}";
    CHECK_FAILS(scree_scene_parse(wrong, strlen(wrong), "scene.json", &scene), SCREE_ERROR_FORMAT,
                "bodies[0].groups[0]:");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(contacts_require_both_masks),
        cmocka_unit_test(scenes_have_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
