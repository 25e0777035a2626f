/* Snapshots and clones of a world: one that returns to a snapshot, or a clone, goes on with the bits of a
 * twin that was never touched. */
#include "checkpoint_scenery.h"

enum { BEFORE = 70, AFTER = 30 }; /* steps; the inlet starts in step 84 */

/* Adds a pendulum whose first joint breaks soon, a hull and a sensor force to the scenery. */
static scree_world *make_full_world(void) {
    scree_world *world = make_world();
    const scree_vec3 corners[5] = {{0, 0, 0}, {0.2f, 0, 0}, {0, 0.2f, 0}, {0, 0, 0.2f}, {0.1f, 0.1f, 0.1f}};
    scree_geometry *hull;
    scree_body_def body = scree_default_body_def();
    scree_body_id link[3];
    CHECK(scree_hull_create(corners, 5, &hull));
    add(world, body, scree_shape_hull(hull, 1), (scree_vec3){0.3f, 0.3f, 1.4f});
    scree_geometry_release(hull);
    for (int i = 0; i < 3; i++) {
        body.shape = scree_shape_capsule(0.03f, 0.1f);
        body.state.position = (scree_vec3){0.3f * (float)(i + 1), -0.5f, 1.6f};
        CHECK(scree_body_create(world, &body, &link[i]));
        scree_joint_def joint = scree_default_joint_def(i ? SCREE_JOINT_BALL : SCREE_JOINT_HINGE);
        joint.a = i ? link[i - 1] : (scree_body_id){0, 0, 0}, joint.b = link[i];
        joint.break_force = i == 1 ? 60 : INFINITY;
        CHECK(scree_joint_get_frame(world, &joint, (scree_vec3){0.3f * (float)i + 0.15f, -0.5f, 1.6f},
                                    (scree_vec3){0, 1, 0}, (scree_vec3){0, 0, 0}));
        CHECK(scree_joint_create(world, &joint, NULL));
    }
    return world;
}

static scree_body_id body_at(const scree_world *world, int place) {
    scree_body_id ids[256];
    assert_in_range(scree_body_list(world, ids, 256), place + 1, 256);
    return ids[place];
}

/* Sets loads that act in the next step only. */
static void push(scree_world *world) {
    CHECK(scree_body_apply_force(world, body_at(world, 20), (scree_vec3){0, 5, 40}));
}

/* Steps a twin and notes its hashes; they are what the tests expect. */
static void note_twin(uint64_t hashes[AFTER + 1]) {
    scree_world *twin = make_full_world();
    run(twin, BEFORE);
    push(twin);
    hashes[0] = scree_world_get_hash(twin);
    for (int i = 1; i <= AFTER; i++) {
        run(twin, 1);
        hashes[i] = scree_world_get_hash(twin);
    }
    scree_world_destroy(twin);
}

static void expect_steps(scree_world *world, const uint64_t hashes[AFTER + 1]) {
    assert_true(scree_world_get_hash(world) == hashes[0]);
    for (int i = 1; i <= AFTER; i++) {
        run(world, 1);
        if (scree_world_get_hash(world) != hashes[i]) fail_msg("step %d after the snapshot differs", i);
    }
}

/* Changes everything that calls between steps can change. */
static scree_body_id spoil(scree_world *world, scree_body_id killed) {
    scree_material_id material;
    scree_joint_id joint;
    scree_flow_id flows[2];
    scree_body_id made;
    const scree_material_def hard = scree_default_material_def();
    CHECK(scree_body_destroy(world, killed));
    run(world, 3);
    CHECK(scree_body_create(world,
                            &(scree_body_def){.shape = scree_shape_sphere(0.05f),
                                              .state = {.position = {0, 0, 3}, .rotation = {0, 0, 0, 1}},
                                              .type = SCREE_BODY_DYNAMIC,
                                              .groups = 4,
                                              .mask = 1},
                            &made));
    CHECK(scree_material_create(world, &hard, &material));
    assert_int_equal(scree_joint_list(world, &joint, 1), 3);
    CHECK(scree_joint_destroy(world, joint));
    assert_int_equal(scree_flow_list(world, flows, 2), 2);
    CHECK(scree_flow_destroy(world, flows[1]));
    CHECK(scree_world_set_time_step(world, 0.002));
    CHECK(scree_world_set_gravity(world, (scree_vec3){3, 0, 0}));
    CHECK(scree_world_set_note(world, "spoiled"));
    scree_solver_def solver = scree_default_solver_def();
    CHECK(scree_world_set_solver(world, &solver));
    run(world, 15);
    return made;
}

static void a_restored_world_continues_bit_for_bit(void **state) {
    (void)state;
    uint64_t hashes[AFTER + 1];
    note_twin(hashes);
    scree_world *world = make_full_world();
    scree_world_snapshot *snapshot;
    run(world, BEFORE);
    push(world);
    CHECK(scree_world_snapshot_create(world, &snapshot));
    expect_steps(world, hashes);
    for (int round = 0; round < 2; round++) {
        const scree_body_id killed = body_at(world, 7), made = spoil(world, killed);
        assert_false(scree_body_is_valid(world, killed));
        CHECK(scree_world_snapshot_restore(snapshot, world));
        assert_true(scree_body_is_valid(world, killed));
        assert_false(scree_body_is_valid(world, made));
        assert_string_equal(scree_world_get_note(world), "");
        assert_true(scree_world_get_def(world).time_step == 1.0 / 120);
        expect_steps(world, hashes);
    }
    scree_world_destroy(world);
    scree_world_snapshot_destroy(snapshot);
}

/* Snapshots of one world, restored out of order. */
static void snapshots_are_restored_in_any_order(void **state) {
    (void)state;
    uint64_t hashes[AFTER + 1];
    note_twin(hashes);
    scree_world *world = make_full_world();
    scree_world_snapshot *at[AFTER + 1];
    run(world, BEFORE);
    push(world);
    for (int i = 0; i <= AFTER; i += 10) {
        CHECK(scree_world_snapshot_create(world, &at[i]));
        run(world, i < AFTER ? 10 : 0);
    }
    for (int i = AFTER; i >= 0; i -= 10) {
        CHECK(scree_world_snapshot_restore(at[i], world));
        assert_true(scree_world_get_hash(world) == hashes[i]);
        if (i == AFTER) continue;
        run(world, 1);
        assert_true(scree_world_get_hash(world) == hashes[i + 1]);
    }
    for (int i = 0; i <= AFTER; i += 10) scree_world_snapshot_destroy(at[i]);
    scree_world_destroy(world);
}

static void a_clone_continues_bit_for_bit(void **state) {
    (void)state;
    uint64_t hashes[AFTER + 1];
    note_twin(hashes);
    scree_world *world = make_full_world(), *clone;
    run(world, BEFORE);
    push(world);
    CHECK(scree_world_clone(world, &clone));
    assert_true(scree_world_get_number(clone) != scree_world_get_number(world));
    assert_string_equal(scree_world_get_device_name(clone), scree_world_get_device_name(world));
    const scree_body_id own = body_at(world, 7), same = body_at(clone, 7);
    assert_int_equal(own.index, same.index);
    assert_int_equal(own.generation, same.generation);
    assert_false(scree_body_is_valid(clone, own));
    spoil(clone, same);
    expect_steps(world, hashes);
    scree_world_destroy(clone);
    CHECK(scree_world_clone(world, &clone));
    scree_world_destroy(world);
    assert_true(scree_world_get_hash(clone) == hashes[AFTER]);
    run(clone, 1);
    scree_world_destroy(clone);
}

/* Bodies of a periodic world cross its boundary, on a mesh that is one period long. */
static scree_world *make_periodic_world(void) {
    scree_world_def def = native();
    def.period = (scree_vec3){1, 1, 0};
    scree_world *world;
    const scree_vec3 corners[4] = {{-0.5f, -0.5f, 0}, {0.5f, -0.5f, 0}, {0.5f, 0.5f, 0}, {-0.5f, 0.5f, 0}};
    const scree_triangle floor[2] = {{{0, 1, 2}}, {{0, 2, 3}}};
    scree_geometry *mesh;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_mesh_create(corners, 4, floor, 2, &mesh));
    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_STATIC;
    add(world, body, scree_shape_mesh(mesh, 1), (scree_vec3){0, 0, 0});
    scree_geometry_release(mesh);
    body.type = SCREE_BODY_DYNAMIC;
    body.state.linear_velocity = (scree_vec3){4, 3, 0};
    for (int i = 0; i < 27; i++)
        add(world, body, i % 2 ? scree_shape_sphere(0.1f) : scree_shape_box(0.1f, 0.08f, 0.09f),
            (scree_vec3){0.3f * (float)(i % 3) - 0.3f, 0.3f * (float)(i / 3 % 3) - 0.3f,
                         0.15f + 0.3f * (float)(i / 9)});
    return world;
}

static void periodic_worlds_are_restored(void **state) {
    (void)state;
    scree_world *world = make_periodic_world();
    scree_world_snapshot *snapshot;
    uint64_t hashes[40];
    run(world, 60);
    CHECK(scree_world_snapshot_create(world, &snapshot));
    for (int i = 0; i < 40; i++) {
        run(world, 1);
        hashes[i] = scree_world_get_hash(world);
    }
    CHECK(scree_world_snapshot_restore(snapshot, world));
    for (int i = 0; i < 40; i++) {
        run(world, 1);
        assert_true(hashes[i] == scree_world_get_hash(world));
    }
    scree_world_snapshot_destroy(snapshot);
    scree_world_destroy(world);
}

/* Queries and contact events see the restored bodies. */
static void readers_follow_a_restored_world(void **state) {
    (void)state;
    scree_world *world = make_full_world();
    scree_world_snapshot *snapshot;
    scree_ray_hit before, after;
    const scree_ray down = {{0.1f, 0.1f, 5}, {0, 0, -1}, 10};
    run(world, 30);
    CHECK(scree_world_cast_ray(world, &down, NULL, &before));
    CHECK(scree_world_snapshot_create(world, &snapshot));
    run(world, 30);
    CHECK(scree_body_destroy(world, before.body));
    CHECK(scree_world_cast_ray(world, &down, NULL, &after));
    assert_true(after.body.index != before.body.index || after.distance != before.distance);
    CHECK(scree_world_snapshot_restore(snapshot, world));
    CHECK(scree_world_cast_ray(world, &down, NULL, &after));
    assert_int_equal(after.body.index, before.body.index);
    assert_true(after.distance == before.distance);
    scree_world_snapshot_destroy(snapshot);
    scree_world_destroy(world);
}

static void a_snapshot_belongs_to_its_world(void **state) {
    (void)state;
    scree_world *world = make_world(), *other = make_world();
    scree_world_snapshot *snapshot;
    CHECK(scree_world_snapshot_create(world, &snapshot));
    const uint64_t hash = scree_world_get_hash(other);
    CHECK_FAILS(scree_world_snapshot_restore(snapshot, other), SCREE_ERROR_HANDLE, "snapshot");
    assert_true(scree_world_get_hash(other) == hash);
    scree_world_destroy(world);
    scree_world_destroy(other);
    scree_world_snapshot_destroy(snapshot);
}

/* Grants a number of allocations, then fails. */
typedef struct grant {
    int left;
} grant;

static void *granted(size_t bytes, void *user) {
    grant *self = user;
    return self->left-- > 0 ? malloc(bytes) : NULL;
}

static void returned(void *block, void *user) {
    (void)user;
    free(block);
}

/* Without memory a call fails as a whole: the world is as before. */
static void calls_without_memory_change_nothing(void **state) {
    (void)state;
    grant memory = {INT32_MAX};
    scree_set_allocator(&(scree_allocator){granted, returned, &memory});
    scree_world *world = make_full_world();
    scree_world_snapshot *snapshot = NULL, *more = NULL;
    run(world, 5);
    CHECK(scree_world_snapshot_create(world, &snapshot));
    run(world, 5);
    const uint64_t hash = scree_world_get_hash(world);
    scree_result restored = SCREE_ERROR_MEMORY, made = SCREE_ERROR_MEMORY;
    int tries = 0;
    for (; restored != SCREE_OK || made != SCREE_OK; tries++) {
        memory.left = tries;
        made = scree_world_snapshot_create(world, &more);
        if (made == SCREE_OK) scree_world_snapshot_destroy(more);
        memory.left = tries;
        restored = scree_world_snapshot_restore(snapshot, world);
        if (restored != SCREE_OK) assert_true(scree_world_get_hash(world) == hash);
        assert_true(restored == SCREE_OK || restored == SCREE_ERROR_MEMORY);
        assert_true(made == SCREE_OK || made == SCREE_ERROR_MEMORY);
        if (restored == SCREE_OK) break;
    }
    assert_true(tries > 20);
    memory.left = INT32_MAX;
    run(world, 5);
    assert_true(scree_world_get_hash(world) == hash);
    scree_world_destroy(world);
    scree_world_snapshot_destroy(snapshot);
    scree_set_allocator(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restored_world_continues_bit_for_bit),
        cmocka_unit_test(snapshots_are_restored_in_any_order),
        cmocka_unit_test(a_clone_continues_bit_for_bit),
        cmocka_unit_test(periodic_worlds_are_restored),
        cmocka_unit_test(readers_follow_a_restored_world),
        cmocka_unit_test(a_snapshot_belongs_to_its_world),
        cmocka_unit_test(calls_without_memory_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
