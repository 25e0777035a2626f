/* Observers of a world's steps, and the views that they read. */
#include "base/column.h"
#include "scenery.h"

typedef struct record {
    int begun, ended, destroyed;
    bool fails, needs_work;
    uint64_t last_step;
    double friction;
} record;

static scree_result begin(const scree_world *world, void *user, bool *needs_work) {
    record *self = user;
    assert_non_null(world);
    self->begun++;
    *needs_work = self->needs_work;
    return self->fails ? SCREE_ERROR_MEMORY : SCREE_OK;
}

static void end(const scree_world *world, const scree_statistics *statistics, void *user) {
    record *self = user;
    self->ended++;
    self->last_step = scree_world_step_count(world);
    assert_true(statistics->step == self->last_step);
    self->friction += scree_world_get_contact_work(world).friction;
}

static void destroy(void *user) { ((record *)user)->destroyed++; }

/* Ball `i` of a row slides over the ground. */
static scree_world *sliding_balls(void **state, int count) {
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < count; i++)
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0.5f * (float)i, 0, 0.1f},
                 (scree_vec3){0, 1, 0});
    return world;
}

static scree_observer observer_of(const char *name, record *user) {
    return (scree_observer){.name = name, .user = user, .begin = begin, .end = end, .destroy = destroy};
}

static void an_observer_sees_every_step(void **state) {
    scree_world *world = sliding_balls(state, 2);
    record one = {.needs_work = true}, other = {0};
    const scree_observer first = observer_of("first", &one), second = observer_of("second", &other);
    CHECK(scree_world_add_observer(world, &first));
    CHECK(scree_world_add_observer(world, &second));
    assert_int_equal(scree_world_add_observer(world, &first), SCREE_ERROR_ARGUMENT);
    assert_ptr_equal(scree_world_find_observer(world, "first"), &one);
    assert_null(scree_world_find_observer(world, "third"));
    for (int i = 0; i < 3; i++) CHECK(scree_world_step(world, NULL));
    assert_true(one.begun == 3 && one.ended == 3 && other.ended == 3 && one.last_step == 3);
    assert_true(one.friction > 0);
    scree_world_destroy(world);
    assert_true(one.destroyed == 1 && other.destroyed == 1);
}

static void work_is_computed_only_if_needed(void **state) {
    scree_world *world = sliding_balls(state, 1);
    record seen = {0};
    const scree_observer observer = observer_of("seen", &seen);
    CHECK(scree_world_add_observer(world, &observer));
    CHECK(scree_world_step(world, NULL));
    assert_true(seen.friction == 0);
    seen.needs_work = true;
    CHECK(scree_world_step(world, NULL));
    assert_true(seen.friction > 0);
    scree_world_destroy(world);
}

static void a_failing_observer_leaves_the_world_unchanged(void **state) {
    scree_world *world = sliding_balls(state, 1);
    record seen = {.fails = true};
    const scree_observer observer = observer_of("seen", &seen);
    CHECK(scree_world_add_observer(world, &observer));
    const uint64_t before = scree_world_get_hash(world);
    assert_int_equal(scree_world_step(world, NULL), SCREE_ERROR_MEMORY);
    assert_true(scree_world_get_hash(world) == before && scree_world_step_count(world) == 0);
    assert_int_equal(seen.ended, 0);
    scree_world_destroy(world);
}

static void columns_are_the_states_of_bodies(void **state) {
    scree_world *world = sliding_balls(state, 3);
    scree_body_id ids[4];
    scree_body_columns columns;
    assert_int_equal(scree_body_list(world, ids, 4), 4);
    CHECK(scree_body_destroy(world, ids[2]));
    CHECK(scree_world_step(world, NULL));
    CHECK(scree_world_get_columns(world, &columns));
    assert_int_equal(columns.count, 4);
    assert_true(columns.types[0] == 1 + SCREE_BODY_STATIC && columns.types[1] == 1 + SCREE_BODY_DYNAMIC &&
                columns.types[2] == 0);
    scree_body_state at;
    float mass;
    CHECK(scree_body_get_state(world, ids[3], &at));
    CHECK(scree_body_get_mass(world, ids[3], &mass, NULL));
    const scree_vec3 position = column_vec3(columns.positions, 3),
                     velocity = column_vec3(columns.velocities, 3);
    const scree_quat rotation = column_quat(columns.rotations, 3);
    assert_memory_equal(&position, &at.position, sizeof position);
    assert_memory_equal(&velocity, &at.linear_velocity, sizeof velocity);
    assert_memory_equal(&rotation, &at.rotation, sizeof rotation);
    assert_true(column_float(columns.masses, 3) == mass);
    assert_true(column_int(columns.locks, 3) == 0 && columns.generations[3] == ids[3].generation);
    assert_null(columns.periods);
    scree_world_destroy(world);
}

/* Whatever the capacity, the contacts that are read are those of the list. */
static void contacts_are_read_in_batches(void **state) {
    enum { BALLS = 7 };
    scree_world *world = sliding_balls(state, BALLS);
    scree_contact all[BALLS], batch[3];
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_contact_list(world, all, BALLS), BALLS);
    scree_contact_cursor cursor = {0};
    int count, seen = 0;
    while ((count = scree_contact_read(world, &cursor, batch, 3)) > 0) {
        assert_memory_equal(batch, all + seen, sizeof *batch * (size_t)count);
        seen += count;
    }
    assert_int_equal(seen, BALLS);
    scree_world_destroy(world);
}

/* A ray hits the nearest of a clump's two spheres. */
static void rays_hit_shapes(void **state) {
    (void)state;
    const scree_clump_sphere spheres[] = {{{0, 0, 1}, 0.5f}, {{0, 0, -1}, 0.5f}};
    const scree_pose pose = {.position = {0, 0, 5}, .rotation = {0, 0, 0, 1}};
    scree_geometry *made = NULL;
    CHECK(scree_clump_create(spheres, 2, &made));
    const scree_shape clump = scree_shape_clump(made, 1);
    const scree_vec3 above = {0, 0, 10}, aside = {3, 0, 10}, down = {0, 0, -1};
    ASSERT_NEAR((double)scree_shape_cast_ray(clump, pose, above, down), 3.5, 1e-6);
    assert_true(isinf(scree_shape_cast_ray(clump, pose, aside, down)));
    const scree_box box = scree_shape_get_box(clump, pose);
    ASSERT_NEAR((double)box.upper.z, 6.5, 1e-6);
    const double lower[3] = {-1, -1, 5}, upper[3] = {1, 1, 7};
    ASSERT_NEAR(scree_shape_cut_volume(clump, pose, lower, upper), 4 * M_PI / 3 / 8, 5e-3);
    scree_geometry_release(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(an_observer_sees_every_step),
        ON("native", work_is_computed_only_if_needed),
        ON("native", a_failing_observer_leaves_the_world_unchanged),
        ON("native", columns_are_the_states_of_bodies),
        ON("native", contacts_are_read_in_batches),
        cmocka_unit_test(rays_hit_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
