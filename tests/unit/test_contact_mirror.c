/* Contacts between the host and the device: sets come back as they were sent, those that the device has get
 * their actions alone, and dropped contacts are listed. */
#include "device.h"
#include "expect.h"

#include "device/opencl/contact_mirror.h"
#include "random_vectors.h"

/* A set with all that an entry can have. */
static contact_set random_set(int pairs, uint64_t seed) {
    contact_set set = {0};
    int regrown = 0;
    for (int i = 0; i < pairs; i++) {
        const contact_pair pair = {.last_colour = (short)(random_below(&seed, 40) - 1),
                                   .hits = (signed char)random_below(&seed, 5),
                                   .deferred = random_below(&seed, 2),
                                   .predicted = random_below(&seed, 2),
                                   .load = (float)random_between(&seed, -1, 1)};
        manifold found = {.a = i, .b = i + 1 + random_below(&seed, 9), .count = 1 + random_below(&seed, 4)};
        found.image = random_below(&seed, 9) - 4, found.children = random_below(&seed, 3);
        found.normal = random_vector(&seed, -1, 1);
        for (int k = 0; k < found.count; k++)
            found.points[k] = (manifold_point){random_vector(&seed, -1, 1), (float)random_noise(&seed),
                                               (uint32_t)random_bits(&seed)};
        CHECK(contacts_append(&set, pair, &found, &regrown));
    }
    CHECK(MEMORY_RESERVE(set.actions, set.action_capacity, set.points, &regrown));
    CHECK(MEMORY_RESERVE(set.colours, set.colour_capacity, pairs, &regrown));
    CHECK(contacts_turn(&set, &regrown));
    for (int i = 0; i < pairs; i++) set.colours[i] = (signed char)(i % 40 - 1);
    for (int k = 0; k < set.points; k++) {
        set.actions[k] = (contact_action){random_vector(&seed, -1, 1), 1, 2, 3};
        set.actions[k].push = (float)random_noise(&seed), set.actions[k].bias = (float)random_noise(&seed);
        set.torques[k] = random_vector(&seed, -1, 1);
    }
    return set;
}

static void expect_equal(const contact_set *is, const contact_set *set) {
    const size_t points = (size_t)set->points;
    assert_int_equal(is->count, set->count);
    assert_int_equal(is->points, set->points);
    assert_int_equal(is->action_count, set->action_count);
    assert_int_equal(is->several, set->several);
    assert_int_equal(is->has_resistance, set->has_resistance);
    assert_memory_equal(is->places, set->places, points * sizeof *set->places);
    assert_memory_equal(is->actions, set->actions, points * sizeof *set->actions);
    assert_memory_equal(is->torques, set->torques, points * sizeof *set->torques);
    for (int i = 0; i < set->count; i++) {
        const contact_pair *one = &is->pairs[i], *other = &set->pairs[i];
        assert_true(contact_same_bodies(one, other));
        assert_int_equal(one->first, other->first);
        assert_int_equal(one->last_colour, other->last_colour);
        assert_int_equal(one->hits, other->hits);
        assert_int_equal(one->deferred, other->deferred);
        assert_int_equal(one->predicted, other->predicted);
        assert_int_equal(one->manifold.children, other->manifold.children);
        assert_int_equal(one->manifold.count, other->manifold.count);
        assert_memory_equal(&one->manifold.normal, &other->manifold.normal, sizeof(vec3s));
        assert_memory_equal(&one->load, &other->load, sizeof one->load);
    }
}

/* Sends a set and reads the copy. Returns the bytes that were sent. */
static uint64_t send_and_read(contact_mirror *mirror, const contact_set *set, contact_set *out) {
    scratch_arena scratch = {0};
    device_contacts *before, *next;
    const cl_uint counts[CONTACTS_COUNTS] = {(cl_uint)set->count, (cl_uint)set->points};
    cl_uint sent[CONTACTS_COUNTS];
    int regrown = 0;
    const uint64_t bytes = mirror->device->traffic.bytes_up;
    CHECK(contact_mirror_send(mirror, set, &scratch, 1, &before, &next, &regrown));
    assert_ptr_not_equal(before, next);
    CHECK(opencl_buffer_read(mirror->device, &before->counts, sent, sizeof sent, CL_TRUE, "counts"));
    const uint64_t up = mirror->device->traffic.bytes_up - bytes;
    assert_memory_equal(sent, counts, sizeof sent);
    CHECK(contact_mirror_read(mirror, before, counts, &scratch, out, &regrown));
    CHECK(opencl_device_wait(mirror->device));
    contact_mirror_take(mirror, before, 1, out);
    scratch_release(&scratch);
    return up;
}

/* Lets a set without contacts follow a copy, and another one follow that in the copy's place. */
static void overwrite(contact_mirror *mirror, const contact_set *copied) {
    const cl_uint none[CONTACTS_COUNTS] = {0};
    scratch_arena scratch = {0};
    device_contacts *before, *next, *place;
    contact_set empty = {0};
    int regrown = 0;
    CHECK(contact_mirror_send(mirror, copied, &scratch, 1, &place, &next, &regrown));
    CHECK(device_contacts_clear(mirror->device, next));
    CHECK(contact_mirror_read(mirror, next, none, &scratch, &empty, &regrown));
    contact_mirror_take(mirror, next, 1, &empty);
    CHECK(contact_mirror_send(mirror, &empty, &scratch, 1, &before, &next, &regrown));
    CHECK(opencl_device_wait(mirror->device));
    assert_ptr_equal(next, place);
    contacts_release(&empty);
    scratch_release(&scratch);
}

/* A set comes back as it was sent. A copy of it that is on the device gets its actions alone. */
static void sets_come_back(void **state) {
    (void)state;
    opencl_device device = {0};
    contact_mirror mirror;
    contact_set back = {0}, again = {0};
    if (!device_is_there()) skip();
    CHECK(opencl_device_open(test_device(), &device));
    contact_mirror_open(&mirror, &device);
    contact_set set = random_set(700, 4);
    const uint64_t all = send_and_read(&mirror, &set, &back);
    expect_equal(&back, &set);
    assert_true(back.copy != 0 && set.copy == 0);
    CHECK(MEMORY_RESERVE(back.colours, back.colour_capacity, set.count, NULL));
    for (int k = 0; k < back.points; k++) back.actions[k].impulse.x += 1, back.torques[k].z -= 1;
    const uint64_t actions = send_and_read(&mirror, &back, &again);
    expect_equal(&again, &back);
    assert_int_equal(actions, set.points * (16 + 8 + 16) + set.count);
    assert_int_equal(all, actions + set.points * 20u + set.count * 40u + sizeof(cl_uint) * CONTACTS_COUNTS);
    assert_true(send_and_read(&mirror, &set, &again) == all); /* another set takes its place */
    CHECK(MEMORY_RESERVE(again.colours, again.colour_capacity, set.count, NULL));
    overwrite(&mirror, &again);
    assert_true(send_and_read(&mirror, &again, &back) == all);
    contacts_release(&set);
    contacts_release(&back);
    contacts_release(&again);
    contact_mirror_close(&mirror);
    assert_int_equal(device.memory_used, 0);
    opencl_device_close(&device);
}

/* A function that changes pairs or places makes the device's copy an old one. */
static void changed_sets_have_no_copy(void **state) {
    (void)state;
    contact_set set = random_set(5, 1), more = random_set(2, 2);
    int regrown = 0;
    const manifold one = {.a = 7, .b = 9, .count = 1};
    set.copy = 1;
    CHECK(contacts_add(&set, &more, 0, &regrown));
    assert_int_equal(set.copy, 0);
    set.copy = 1;
    contacts_settle(&set, 1);
    assert_int_equal(set.copy, 0);
    set.copy = 1;
    CHECK(contacts_append(&set, (contact_pair){.load = 0}, &one, &regrown));
    assert_int_equal(set.copy, 0);
    set.copy = 1;
    contacts_clear(&set);
    assert_int_equal(set.copy, 0);
    contacts_release(&set);
    contacts_release(&more);
}

/* Boxes that pass each other without a contact hardly occur, so that the list of indices is made here. */
static void skims_are_listed_as_pairs(void **state) {
    (void)state;
    enum { PAIRS = 900, SKIMS = 300 };
    cl_int a[PAIRS], b[PAIRS];
    skim is[SKIMS];
    cl_uint list[SKIMS], counts[CONTACTS_COUNTS] = {[CONTACTS_SKIMS] = SKIMS};
    opencl_device device = {0};
    opencl_primitives primitives;
    opencl_contacts contacts;
    device_pairs pairs = {.capacity = PAIRS};
    device_contacts found = {0};
    opencl_buffer out = {0};
    if (!device_is_there()) skip();
    for (int i = 0; i < PAIRS; i++) a[i] = i / 3, b[i] = 7 * i + 1;
    for (cl_uint k = 0; k < SKIMS; k++) list[k] = 3 * k + k % 2;
    CHECK(opencl_device_open(test_device(), &device));
    opencl_primitives_open(&primitives, &device);
    opencl_contacts_open(&contacts, &primitives);
    CHECK(opencl_buffer_write(&device, &pairs.a, a, sizeof a, CL_TRUE, "a"));
    CHECK(opencl_buffer_write(&device, &pairs.b, b, sizeof b, CL_TRUE, "b"));
    CHECK(opencl_buffer_write(&device, &contacts.skims, list, sizeof list, CL_TRUE, "list"));
    CHECK(opencl_buffer_write(&device, &found.counts, counts, sizeof counts, CL_TRUE, "counts"));
    CHECK(opencl_contacts_list_skims(&contacts, &pairs, NULL, &found, SKIMS, &out));
    CHECK(opencl_buffer_read(&device, &out, is, sizeof is, CL_TRUE, "pairs"));
    for (int k = 0; k < SKIMS; k++) {
        const body_pair pair = {a[list[k]], b[list[k]], 0};
        assert_int_equal(body_pair_order(is[k].pair, pair), 0);
        assert_int_equal(is[k].children, 0);
    }
    opencl_buffer *const buffers[] = {&pairs.a, &pairs.b, &found.counts, &out};
    for (int i = 0; i < 4; i++) opencl_buffer_release(&device, buffers[i]);
    opencl_contacts_close(&contacts);
    opencl_primitives_close(&primitives);
    opencl_device_close(&device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_come_back),
        cmocka_unit_test(changed_sets_have_no_copy),
        cmocka_unit_test(skims_are_listed_as_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
