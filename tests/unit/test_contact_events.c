/* Contact events against sets of pairs that the test gathers itself from the list of contacts; contacts of
 * one body; joints that broke in the last step. */
#include "joint_scenery.h"

enum { PAIRS = 4000 };

typedef struct pair_set {
    int count;
    scree_body_pair items[PAIRS];
} pair_set;

static bool same(scree_body_pair one, scree_body_pair other) {
    return one.a.index == other.a.index && one.b.index == other.b.index &&
           one.a.generation == other.a.generation && one.b.generation == other.b.generation;
}

static bool holds(const pair_set *self, scree_body_pair pair) {
    for (int i = 0; i < self->count; i++)
        if (same(self->items[i], pair)) return true;
    return false;
}

/* Gathers the pairs that have an impulse or no gap. */
static void gather(const scree_world *world, pair_set *out) {
    static scree_contact contacts[PAIRS];
    const int count = scree_contact_list(world, contacts, PAIRS);
    assert_in_range(count, 0, PAIRS - 1);
    out->count = 0;
    for (int i = 0; i < count; i++) {
        const scree_body_pair pair = {contacts[i].a, contacts[i].b};
        if (length_of(contacts[i].impulse) == 0 && contacts[i].gap > 0) continue;
        if (!holds(out, pair)) out->items[out->count++] = pair;
    }
}

/* Asserts that a list has exactly the pairs of `one` that are not in `other`, in ascending order. */
static int expect_difference(const scree_body_pair *list, int count, const pair_set *one,
                             const pair_set *other) {
    int expected = 0;
    for (int i = 0; i < one->count; i++) expected += !holds(other, one->items[i]);
    assert_int_equal(count, expected);
    for (int i = 0; i < count; i++) {
        assert_true(holds(one, list[i]) && !holds(other, list[i]));
        assert_true(list[i].a.index < list[i].b.index);
        if (i)
            assert_true(list[i - 1].a.index < list[i].a.index ||
                        (list[i - 1].a.index == list[i].a.index && list[i - 1].b.index < list[i].b.index));
    }
    return count;
}

static scree_world *make_pile(void) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    def.material.restitution = 0.4f;
    scree_world *world = world_of(&def);
    add_slope(world, 0.1f);
    for (int i = 0; i < 60; i++)
        add_body(
            world, i % 2 ? scree_shape_sphere(0.1f) : scree_shape_box(0.1f, 0.12f, 0.08f),
            (scree_vec3){0.25f * (float)(i % 4), 0.25f * (float)(i / 4 % 4), 0.3f + 0.3f * (float)(i / 16)},
            (scree_vec3){0, 0, 0});
    return world;
}

static void events_are_differences_of_steps(void **state) {
    (void)state;
    static pair_set before, now;
    static scree_body_pair begun[PAIRS], ended[PAIRS];
    scree_world *world = make_pile();
    int beginnings = 0, ends = 0, speculative = 0;
    assert_int_equal(scree_contact_list_begun(world, begun, PAIRS), 0);
    CHECK(scree_world_set_contact_events(world, true));
    gather(world, &before);
    for (int i = 0; i < 150; i++) {
        scree_statistics statistics;
        CHECK(scree_world_step(world, &statistics));
        gather(world, &now);
        assert_int_equal(statistics.touching, now.count);
        speculative += statistics.contacts && !statistics.touching;
        beginnings += expect_difference(begun, scree_contact_list_begun(world, begun, PAIRS), &now, &before);
        ends += expect_difference(ended, scree_contact_list_ended(world, ended, PAIRS), &before, &now);
        before = now;
    }
    assert_in_range(beginnings, 60, 100000);
    assert_in_range(ends, 10, 100000);
    assert_in_range(speculative, 1, 150); /* steps before the first impact with contact points */
    scree_world_destroy(world);
}

/* A ball that bounces once: one event when it hits the ground, one when it leaves. */
static void a_bounce_begins_and_ends(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.material.restitution = 1;
    scree_world *world = world_of(&def);
    const scree_body_id ground = add_slope(world, 0);
    const scree_body_id ball =
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0.5f}, (scree_vec3){0, 0, 0});
    CHECK(scree_world_set_contact_events(world, true));
    scree_body_pair pair = {0};
    int begun_at = -1, ended_at = -1;
    for (int i = 0; i < 50; i++) {
        const float before = state_of(world, ball).linear_velocity.z;
        CHECK(scree_world_step(world, NULL));
        const bool hit = state_of(world, ball).linear_velocity.z > before;
        assert_int_equal(scree_contact_list_begun(world, &pair, 1), hit);
        if (hit) {
            assert_true(same(pair, (scree_body_pair){ground, ball}));
            begun_at = i;
        }
        if (scree_contact_list_ended(world, &pair, 1)) ended_at = i;
    }
    assert_true(begun_at > 0);
    assert_int_equal(ended_at, begun_at + 1);
    scree_world_destroy(world);
}

/* Destroying makes no event; a failed step leaves the lists; a return to a snapshot clears them, and the next
 * step has the events that it had. */
static void events_survive_what_happens_between_steps(void **state) {
    (void)state;
    static scree_body_pair begun[PAIRS], again[PAIRS];
    scree_world *world = make_pile();
    scree_world_snapshot *snapshot;
    CHECK(scree_world_set_contact_events(world, true));
    int count = 0;
    for (int i = 0; i < 200 && count < 3; i++) {
        scree_world_snapshot_destroy(i ? snapshot : NULL);
        CHECK(scree_world_snapshot_create(world, &snapshot));
        CHECK(scree_world_step(world, NULL));
        count = scree_contact_list_begun(world, begun, PAIRS);
    }
    assert_in_range(count, 3, PAIRS);
    CHECK(scree_world_set_limits(world, 0, 1));
    assert_int_equal(scree_world_step(world, NULL), SCREE_ERROR_CAPACITY);
    assert_int_equal(scree_contact_list_begun(world, again, PAIRS), count);
    assert_memory_equal(begun, again, (size_t)count * sizeof *begun);
    CHECK(scree_world_snapshot_restore(snapshot, world));
    assert_int_equal(scree_contact_list_begun(world, again, PAIRS), 0);
    assert_int_equal(scree_contact_list_ended(world, again, PAIRS), 0);
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_contact_list_begun(world, again, PAIRS), count);
    assert_memory_equal(begun, again, (size_t)count * sizeof *begun);
    CHECK(scree_body_destroy(world, begun[0].b));
    assert_in_range(scree_contact_list_begun(world, again, PAIRS), 0, (uintmax_t)count - 1);
    for (int i = 0; i < scree_contact_list_ended(world, again, PAIRS); i++)
        assert_true(again[i].a.index != begun[0].b.index && again[i].b.index != begun[0].b.index);
    CHECK(scree_world_set_contact_events(world, false));
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_contact_list_begun(world, again, PAIRS), 0);
    scree_world_snapshot_destroy(snapshot);
    scree_world_destroy(world);
}

static void contacts_of_a_body_are_those_of_the_list(void **state) {
    (void)state;
    static scree_contact all[PAIRS], own[PAIRS];
    scree_world *world = make_pile();
    scree_body_id ids[64];
    run_for(world, 1);
    const int bodies = scree_body_list(world, ids, 64), count = scree_contact_list(world, all, PAIRS);
    int sum = 0;
    for (int i = 0; i < bodies; i++) {
        const int found = scree_contact_list_of_body(world, ids[i], own, PAIRS);
        int next = 0;
        for (int k = 0; k < count; k++) {
            if (all[k].a.index != ids[i].index && all[k].b.index != ids[i].index) continue;
            assert_true(next < found);
            assert_memory_equal(&own[next].impulse, &all[k].impulse, sizeof all[k].impulse);
            assert_memory_equal(&own[next].point, &all[k].point, sizeof all[k].point);
            next++;
        }
        assert_int_equal(next, found);
        assert_int_equal(scree_contact_list_of_body(world, ids[i], NULL, 0), found);
        sum += found;
    }
    assert_int_equal(sum, 2 * count);
    CHECK(scree_body_destroy(world, ids[5]));
    scree_error_set(SCREE_OK, "");
    assert_int_equal(scree_contact_list_of_body(world, ids[5], own, PAIRS), 0);
    assert_int_equal(scree_error_get_result(), SCREE_ERROR_HANDLE);
    scree_world_destroy(world);
}

/* Two joints hold 1 kg each. One breaks at 5 N, in the first step, and is listed for that step alone. */
static void joints_that_broke_are_listed_once(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world = world_of(&def);
    scree_joint_id joints[2], broken[2];
    for (int i = 0; i < 2; i++) {
        scree_joint_def joint = scree_default_joint_def(SCREE_JOINT_BALL);
        joint.b = add_mass(world, 1, 1, (scree_vec3){(float)i, 0, 0});
        joint.break_force = i ? 5 : 50;
        joint.anchor_a = (scree_vec3){(float)i, 0, 0};
        joints[i] = add_joint(world, &joint);
    }
    assert_int_equal(scree_joint_list_broken(world, broken, 2), 0);
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_joint_list_broken(world, broken, 2), 1);
    assert_int_equal(broken[0].index, joints[1].index);
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_joint_list_broken(world, broken, 2), 0);
    assert_true(joint_state_of(world, joints[1]).broken);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_differences_of_steps),
        cmocka_unit_test(a_bounce_begins_and_ends),
        cmocka_unit_test(events_survive_what_happens_between_steps),
        cmocka_unit_test(contacts_of_a_body_are_those_of_the_list),
        cmocka_unit_test(joints_that_broke_are_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
