/* The state of a world as tables (scree/state.h), kept in memory: a world that is loaded from them is equal
 * to the one that was saved. */
#include "checkpoint_scenery.h"

#include <string.h>

enum { TABLES_MOST = 32 };

typedef struct stored_table {
    const char *name;
    size_t count;
    char *rows;
} stored_table;

typedef struct store {
    int count;
    stored_table tables[TABLES_MOST];
} store;

static scree_result keep(void *user, const scree_table *table, size_t count, scree_rows rows, void *source) {
    store *self = user;
    stored_table *kept = &self->tables[self->count++];
    assert_true(self->count <= TABLES_MOST);
    *kept = (stored_table){table->name, count, calloc(count + 1, table->row_size)};
    for (size_t i = 0; i < count; i += 100) /* piece by piece */
        rows(source, i, count - i < 100 ? count - i : 100, kept->rows + i * table->row_size);
    return SCREE_OK;
}

static const stored_table *find(const store *self, const char *name) {
    for (int i = 0; i < self->count; i++)
        if (!strcmp(self->tables[i].name, name)) return &self->tables[i];
    fail_msg("no table '%s'", name);
    return NULL;
}

static scree_result count(void *user, const scree_table *table, int *out) {
    *out = (int)find(user, table->name)->count;
    return SCREE_OK;
}

/* Copies what columns cover, as a file does: bytes between them are not kept. */
static scree_result read(void *user, const scree_table *table, size_t rows, void *out) {
    static const size_t sizes[] = {1, 4, 4, 8, 8, 4, 8};
    const stored_table *kept = find(user, table->name);
    for (int c = 0; c < table->column_count; c++)
        for (size_t i = 0; i < rows; i++) {
            const size_t at = i * table->row_size + table->columns[c].offset;
            memcpy((char *)out + at, kept->rows + at,
                   sizes[table->columns[c].type] * (size_t)table->columns[c].components);
        }
    return SCREE_OK;
}

static void release(store *self) {
    for (int i = 0; i < self->count; i++) free(self->tables[i].rows);
}

/* Two worlds are alike now and after ten more steps. */
static void expect_same_future(scree_world *one, scree_world *other) {
    assert_true(scree_world_get_hash(one) == scree_world_get_hash(other));
    run(one, 10);
    run(other, 10);
    assert_true(scree_world_get_hash(one) == scree_world_get_hash(other));
}

static void a_loaded_world_continues_bit_for_bit(void **state) {
    (void)state;
    const scree_world_def runtime = native();
    store kept = {0};
    scree_world *one = make_world(), *other;
    run(one, 20);
    CHECK(scree_world_save_state(one, &(scree_state_sink){.write = keep, .user = &kept}));
    CHECK(scree_world_load_state(&(scree_state_source){count, read, &kept}, &runtime, &other));
    expect_same_future(one, other);
    scree_world_destroy(one);
    scree_world_destroy(other);
    release(&kept);
}

/* A destroyed body leaves contacts behind until the next step; readers and the stored state skip them. */
static void contacts_of_destroyed_bodies_are_not_saved(void **state) {
    (void)state;
    const scree_world_def runtime = native();
    store kept = {0};
    scree_world *one = make_world(), *other;
    scree_body_id bodies[64];
    run(one, 20);
    const int count_before = scree_contact_count(one), bodies_there = scree_body_list(one, bodies, 64);
    CHECK(scree_body_destroy(one, bodies[bodies_there - 1]));
    assert_true(scree_contact_count(one) < count_before);
    CHECK(scree_world_save_state(one, &(scree_state_sink){.write = keep, .user = &kept}));
    CHECK(scree_world_load_state(&(scree_state_source){count, read, &kept}, &runtime, &other));
    assert_int_equal(scree_contact_count(one), scree_contact_count(other));
    expect_same_future(one, other);
    scree_world_destroy(one);
    scree_world_destroy(other);
    release(&kept);
}

static void a_compound_follows_the_geometries_of_its_children(void **state) {
    (void)state;
    const scree_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    scree_geometry *hull, *compound;
    scree_compound_child child = scree_default_compound_child();
    store kept = {0};
    const scree_state_sink sink = {.write = keep, .user = &kept};
    CHECK(scree_hull_create(corners, 4, &hull));
    child.shape = scree_shape_hull(hull, 1);
    CHECK(scree_compound_create(&child, 1, &compound));
    const scree_geometry *wrong[2] = {compound, hull}, *right[2] = {hull, compound}, *loaded[2];
    assert_int_equal(scree_geometry_save_state(wrong, 2, &sink), SCREE_ERROR_ARGUMENT);
    assert_int_equal(kept.count, 0);
    CHECK(scree_geometry_save_state(right, 2, &sink));
    const scree_state_source source = {count, read, &kept};
    int number = 0;
    CHECK(scree_geometry_load_state(&source, NULL, 0, &number));
    assert_int_equal(number, 2);
    CHECK(scree_geometry_load_state(&source, loaded, 2, &number));
    assert_int_equal(scree_hull_corner_count(loaded[0]), 4);
    assert_ptr_equal(scree_compound_get_child(loaded[1], 0).shape.geometry, loaded[0]);
    for (int i = 0; i < 2; i++) {
        scree_geometry_release(loaded[i]);
        scree_geometry_release(right[i]);
    }
    release(&kept);
}

/* The error of a sink is the result of the call. */
static scree_result refuse(void *user, const scree_table *table, size_t rows, scree_rows make, void *source) {
    (void)user, (void)table, (void)rows, (void)make, (void)source;
    return scree_error_set(SCREE_ERROR_DISK_FULL, "no space");
}

static void errors_of_a_sink_are_returned(void **state) {
    (void)state;
    scree_world *world = make_world();
    assert_int_equal(scree_world_save_state(world, &(scree_state_sink){.write = refuse}),
                     SCREE_ERROR_DISK_FULL);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_world_continues_bit_for_bit),
        cmocka_unit_test(contacts_of_destroyed_bodies_are_not_saved),
        cmocka_unit_test(a_compound_follows_the_geometries_of_its_children),
        cmocka_unit_test(errors_of_a_sink_are_returned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
