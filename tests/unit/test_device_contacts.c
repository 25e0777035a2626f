/* The narrow phase on the device test_device() gives the contacts of contacts_update to the bit, in order,
 * with what they keep from the last step: for balls, boxes and half-spaces; it lists pairs that it has no
 * test for. test_device_shapes has other shapes. `--small` (for simulators of devices) takes few bodies. */
#include "box_pairs.h"
#include "contact_steps.h"

/* Bodies of one shape at random in a cube of that many shapes, with that speed. */
static body_array random_bodies(int count, scree_shape_kind kind, double side, double speed, uint64_t seed) {
    body_array bodies = bodies_make(count);
    for (int i = 0; i < count; i++) {
        const vec3s size = random_vector(&seed, 0.2, 0.5);
        bodies.shapes[i] = shape_of(kind, size.x, size.y, size.z);
        bodies.poses[i] = pose_of(random_vector(&seed, 0, side), random_rotation(&seed));
        bodies.velocities[i].linear = random_vector(&seed, -speed, speed);
        bodies.velocities[i].angular = random_vector(&seed, -speed, speed);
    }
    return bodies;
}

static void check_balls(void) {
    for (int fast = 0; fast < 2; fast++) {
        body_array bodies =
            random_bodies(count_of(500), SCREE_SHAPE_SPHERE, simulated ? 1.2 : 5, fast ? 40 : 1, 3);
        const comparison seen = compare_steps(&bodies, 0.01);
        assert_true(seen.entries > bodies.count && seen.hits > 0 && seen.left == 0);
        bodies_free(&bodies);
    }
}
static void balls_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_groups(check_balls);
}

static void check_boxes(void) {
    for (int fast = 0; fast < (simulated ? 1 : 2); fast++) {
        body_array bodies =
            random_bodies(count_of(200), SCREE_SHAPE_BOX, simulated ? 1.2 : 3.2, fast ? 5 : 0.01, 4);
        const comparison seen = compare_steps(&bodies, 1e-3);
        assert_true(seen.points > 2 * seen.entries && seen.entries > bodies.count && seen.hits > 0);
        bodies_free(&bodies);
    }
}
static void boxes_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_groups(check_boxes);
}

/* Layers of bricks on a floor, turned by a quarter from layer to layer; faces are flush, or nearly. */
static body_array bricks(int side, int layers, double noise, uint64_t seed) {
    body_array bodies = bodies_make(1 + side * side * layers);
    const int floor = bodies.count / 2; /* so that half-spaces come first and last */
    bodies.types[floor] = SLOT_STATIC, bodies.shapes[floor] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
    for (int i = 0, k = 0; i < bodies.count; i++) {
        if (i == floor) continue;
        const int layer = k / (side * side), row = k / side % side, column = k % side, turned = layer % 2;
        bodies.shapes[i] = shape_of(SCREE_SHAPE_BOX, turned ? 0.25f : 0.5f, turned ? 0.5f : 0.25f, 0.125f);
        const vec3s at = vec3_of((float)column * (turned ? 0.5f : 1), (float)row * (turned ? 1 : 0.5f),
                                 0.125f + 0.25f * (float)layer);
        bodies.poses[i].position = glms_vec3_add(at, random_vector(&seed, -noise, noise));
        bodies.poses[i].rotation =
            rotation_turned(random_vector(&seed, -noise, noise), versor_of(0, 0, 0, 1));
        bodies.velocities[i].linear = vec3_of(0, 0, noise > 0 ? -0.05f : 0);
        k++;
    }
    return bodies;
}

/* Pairs far from each other; some may pass each other although they approach. */
static body_array pairs_of_boxes(int count, uint64_t seed) {
    body_array bodies = bodies_make(2 * count);
    for (int i = 0; i < count; i++) {
        const vec3s cell = vec3_of((float)(i % 8 * 8), (float)(i / 8 % 8 * 8), (float)(i / 64 * 8));
        set_pair(&bodies, 2 * i, &seed, 1, 0);
        for (int k = 2 * i; k < 2 * i + 2; k++) {
            bodies.poses[k].position = glms_vec3_add(bodies.poses[k].position, cell);
            if (bodies.types[k] != SLOT_DYNAMIC) bodies.masses[k].mass = 0;
        }
    }
    return bodies;
}

static void check_passing(void) {
    comparison sum = {0};
    for (int k = 0; k < (simulated ? 1 : 4); k++) {
        body_array bodies = pairs_of_boxes(simulated ? 16 : 500, (uint64_t)k);
        const comparison seen = compare_steps(&bodies, k % 2 ? 1e-4 : 0);
        sum.examined += seen.examined, sum.skims += seen.skims, sum.entries += seen.entries;
        bodies_free(&bodies);
    }
    assert_true(sum.examined > 50 || simulated);
}
static void boxes_that_pass_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_groups(check_passing);
}

static void check_bricks(void) {
    static const double noises[] = {0, 1e-6, 1e-4, 2e-3};
    for (int k = 0; k < (simulated ? 1 : 4); k++) {
        body_array bodies = bricks(simulated ? 2 : 4, simulated ? 2 : 6, noises[k], (uint64_t)k);
        const comparison seen = compare_steps(&bodies, noises[k]);
        assert_true(seen.points > 3 * bodies.count && seen.hits > bodies.count);
        bodies_free(&bodies);
    }
}
static void bricks_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_groups(check_bricks);
}

/* Balls, boxes, capsules and a tilted, spinning half-space below them. */
static body_array mixture(int count, uint64_t seed) {
    static const scree_shape_kind kinds[] = {SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX, SCREE_SHAPE_CAPSULE};
    body_array bodies = random_bodies(count, SCREE_SHAPE_BOX, simulated ? 1 : 3, 0.5, seed);
    for (int i = 0; i < count; i++) bodies.shapes[i].kind = kinds[random_below(&seed, 3)];
    const int floor = count / 3;
    bodies.types[floor] = SLOT_KINEMATIC, bodies.masses[floor].mass = 0;
    bodies.shapes[floor] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
    bodies.poses[floor].position = vec3_of(0, 0, 0.4f);
    bodies.poses[floor].rotation = rotation_normalised(versor_of(0.1f, -0.05f, 0, 1));
    return bodies;
}

static void check_mixture(void) {
    body_array bodies = mixture(count_of(240), 5);
    const comparison seen = compare_steps(&bodies, 1e-3);
    assert_true(rig.device.info.fp64 ? seen.left == 0 : seen.left > 0);
    assert_true(seen.entries > bodies.count / 3 && seen.hits > 0);
    bodies_free(&bodies);
}
static void shapes_are_mixed(void **state) {
    (void)state;
    on_groups(check_mixture);
}

static void pairs_without_a_test_are_listed(void **state) {
    (void)state;
    opencl_test_hooks.without_double = true;
    on_groups(check_mixture);
    opencl_test_hooks.without_double = false;
}

/* A chain of n + 1 bodies has n pairs. */
static void check_chain(int n, scree_shape_kind kind) {
    body_array bodies = bodies_make(n + 1);
    for (int i = 0; i <= n; i++) {
        bodies.shapes[i] = shape_of(kind, 0.5f, 0.5f, 0.5f);
        bodies.poses[i].position = vec3_of((float)i, 0, 0);
    }
    host_search found;
    const comparison seen = compare_step(&bodies, &(contact_set){0}, &found);
    assert_int_equal(found.count, n);
    assert_int_equal(seen.entries, n);
    assert_int_equal(seen.points, kind == SCREE_SHAPE_BOX ? 4 * n : n);
    if (n > 0) assert_in_range(seen.launches, 6, kind == SCREE_SHAPE_BOX ? 17 : 6);
    host_search_release(&found);
    bodies_free(&bodies);
}

static void check_sizes(void) {
    static const int sizes[] = {0, 1, 2, 3, 255, 256, 257, 511, 513, 1023, 1024, 1025, 2048, 2049};
    for (int k = 0; k < (simulated ? 3 : 14); k++) check_chain(sizes[k], SCREE_SHAPE_SPHERE);
    for (int k = 0; k < (simulated ? 2 : 8); k++) check_chain(sizes[k], SCREE_SHAPE_BOX);
}
static void any_number_of_pairs_is_found(void **state) {
    (void)state;
    on_groups(check_sizes);
}

/* Groups, joints and bodies that are gone. */
static void check_filters(void) {
    body_array bodies = mixture(count_of(150), 6);
    const size_t n = (size_t)bodies.count;
    uint64_t seed = 9;
    bodies.settings = calloc(n, sizeof *bodies.settings);
    bodies.gone = calloc(n, 1);
    bodies.apart = calloc(n, sizeof *bodies.apart);
    host_search first, second;
    compare_step(&bodies, &(contact_set){0}, &first);
    act_at(&first.contacts, 1);
    for (int i = 0; i < bodies.count; i += 3)
        body_settings_set(&bodies, i, (body_settings){.groups = 1u << i % 4, .mask = 5});
    for (int i = 0; i < first.count && bodies.apart_count < bodies.count; i += 4)
        bodies.apart[bodies.apart_count++] = (slot_pair){first.pairs[i].a, first.pairs[i].b};
    for (int i = 0; i < bodies.count / 10 + 1; i++)
        body_mark_gone(&bodies, random_below(&seed, bodies.count));
    const comparison seen = compare_step(&bodies, &first.contacts, &second);
    assert_true(second.contacts.count < first.contacts.count && (seen.hits > 0 || simulated));
    host_search_release(&first);
    host_search_release(&second);
    free(bodies.settings), free(bodies.gone), free(bodies.apart);
    bodies_free(&bodies);
}
static void filters_and_gone_bodies_are_respected(void **state) {
    (void)state;
    on_groups(check_filters);
}

/* A pair may have several entries in the last step: those of detection passes and of other shapes' children.
 */
static void check_several_entries(void) {
    body_array bodies = bricks(simulated ? 2 : 3, 2, 1e-4, 8);
    contact_set more = {0};
    host_search first, second;
    int regrown = 0;
    uint64_t seed = 5;
    compare_step(&bodies, &(contact_set){0}, &first);
    for (int i = 0; i < first.contacts.count; i += 2) {
        const contact_pair *of = &first.contacts.pairs[i];
        manifold found = {.a = of->manifold.a, .b = of->manifold.b, .count = of->manifold.count};
        found.normal = of->manifold.normal;
        found.children = i % 8 == 0 ? 3 : 0;
        for (int k = 0; k < found.count; k++) {
            found.points[k] = contact_places(&first.contacts, of)[k];
            if (random_below(&seed, 2)) found.points[k].feature += 1000;
        }
        const contact_pair pair = {.last_colour = -1, .predicted = i % 4 == 0};
        CHECK(contacts_append(&more, pair, &found, &regrown));
    }
    CHECK(contacts_add(&first.contacts, &more, 0, &regrown));
    act_at(&first.contacts, 3);
    for (int k = 0; k < first.contacts.points; k += 5) first.contacts.places[k].feature += 500;
    move(&bodies, &seed, 1e-4);
    const comparison seen = compare_step(&bodies, &first.contacts, &second);
    assert_true(seen.hits > 0);
    contacts_release(&more);
    host_search_release(&first);
    host_search_release(&second);
    bodies_free(&bodies);
}
static void entries_of_detection_passes_pass_on_impulses(void **state) {
    (void)state;
    on_groups(check_several_entries);
}

/* Bricks between which cohesion pulls, of which some lose a feature. */
static void check_cohesion(void) {
    body_array bodies = bricks(simulated ? 2 : 3, 2, 1e-4, 8);
    host_search first, second;
    uint64_t seed = 5;
    compare_step(&bodies, &(contact_set){0}, &first);
    act_at(&first.contacts, 3);
    pull_at(&first.contacts, 4);
    for (int k = 0; k < first.contacts.points; k += 5) first.contacts.places[k].feature += 500;
    move(&bodies, &seed, 1e-4);
    const comparison seen = compare_step(&bodies, &first.contacts, &second);
    assert_true(seen.hits > 0);
    host_search_release(&first);
    host_search_release(&second);
    bodies_free(&bodies);
}
static void impulses_are_matched_without_cohesion(void **state) {
    (void)state;
    on_groups(check_cohesion);
}

/* Pairs across a periodic boundary. */
static void check_periodic(void) {
    body_array bodies = random_bodies(count_of(200), SCREE_SHAPE_SPHERE, 3, 1, 11);
    for (int i = 0; i < bodies.count; i += 2) bodies.shapes[i].kind = SCREE_SHAPE_BOX;
    const size_t n = (size_t)bodies.count;
    bodies.period = period_make((scree_vec3){3, 3, 0}, (scree_vec3){1.5f, 1.5f, 0});
    bodies.cells = calloc(n, sizeof *bodies.cells);
    bodies.endless = calloc(n, 1);
    const comparison seen = compare_steps(&bodies, 0);
    assert_true(seen.left == 0 && (seen.images > 10 || simulated));
    free(bodies.cells), free(bodies.endless);
    bodies_free(&bodies);
}
static void pairs_with_images_have_the_contacts_of_the_host(void **state) {
    (void)state;
    if (simulated) skip();
    on_groups(check_periodic);
}

int main(int argc, char **argv) {
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls_have_the_contacts_of_the_host),
                                       cmocka_unit_test(boxes_have_the_contacts_of_the_host),
                                       cmocka_unit_test(bricks_have_the_contacts_of_the_host),
                                       cmocka_unit_test(boxes_that_pass_have_the_contacts_of_the_host),
                                       cmocka_unit_test(shapes_are_mixed),
                                       cmocka_unit_test(pairs_without_a_test_are_listed),
                                       cmocka_unit_test(any_number_of_pairs_is_found),
                                       cmocka_unit_test(filters_and_gone_bodies_are_respected),
                                       cmocka_unit_test(entries_of_detection_passes_pass_on_impulses),
                                       cmocka_unit_test(impulses_are_matched_without_cohesion),
                                       cmocka_unit_test(pairs_with_images_have_the_contacts_of_the_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
