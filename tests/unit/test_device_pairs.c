/* The broadphase on the device test_device() finds the pairs of a plain loop, in order: for boxes of equal
 * and of very different sizes, at cells' borders, far from the origin, infinite, free and not a number, and
 * for any number of work-groups. `--small` (for simulators of devices) takes few boxes. */
#include "boxes.h"

#include "base/memory.h"
#include "geometry/tree.h"

static bool simulated;
static opencl_grid grid;

static uint32_t count_of(uint32_t n) { return simulated ? 24 : n; }

/* Runs `check` with either kind of work-groups and with few and many groups. */
static void on_groups(void (*check)(void)) {
    static const struct {
        cl_uint groups, direct;
        group_kind kind;
    } runs[] = {{1024, 64, GROUPS_OF_MANY}, {3, 3, GROUPS_OF_ONE}, {1, 0, GROUPS_OF_MANY}};
    for (int k = 0; k < (simulated ? 2 : 3); k++) {
        rig_open(runs[k].groups, runs[k].direct, runs[k].kind);
        opencl_grid_open(&grid, &rig.primitives);
        check();
        opencl_grid_close(&grid);
        rig_close();
    }
}

/* Checks the sample, frees it, and returns the number of pairs. */
static uint32_t check_and_free(box_sample s) {
    const uint32_t total = check_boxes(&grid, s);
    free(s.boxes);
    return total;
}

static void check_few(void) {
    for (uint32_t n = 0; n < (simulated ? 3 : 6); n++)
        for (int apart = 0; apart < 2; apart++) {
            box_sample s = boxes_make(n, n % 2 * 300);
            for (uint32_t i = 0; i < n; i++)
                s.boxes[i] = box_at(vec3_of((float)(apart * 3 * (int)i), 0, 0), vec3_of(1, 1, 1));
            assert_int_equal(check_and_free(s), apart || n == 0 ? 0 : n * (n - 1) / 2);
        }
}
static void few_boxes_are_found(void **state) {
    (void)state;
    on_groups(check_few);
}

/* Equal cubes, about 7 partners each; sides at, below and above a power of two. */
static void check_equal_sizes(void) {
    static const float sides[] = {0.01f, 0.25f, 0.2499999f, 0.2500001f, 3e-39f, 1e12f};
    for (int k = 0; k < (simulated ? 1 : 6); k++) {
        uint64_t seed = (uint64_t)k;
        box_sample s = boxes_make(count_of(2000), 77);
        const double half = 0.5 * (double)sides[k] * cbrt((double)s.n);
        for (uint32_t i = 0; i < s.n; i++)
            s.boxes[i] = box_at(random_vector(&seed, -half, half), vec3_of(sides[k], sides[k], sides[k]));
        assert_true(check_and_free(s) > s.n || simulated);
    }
}
static void equal_sizes_are_found(void **state) {
    (void)state;
    on_groups(check_equal_sizes);
}

static void check_five_decades(void) {
    for (int k = 0; k < (simulated ? 1 : 3); k++) {
        uint64_t seed = (uint64_t)k;
        box_sample s = boxes_make(count_of(3000), 0);
        const double half = simulated ? 0.2 : 0.7;
        for (uint32_t i = 0; i < s.n; i++) {
            const float scale = (float)pow(10, random_between(&seed, -5, 0));
            s.boxes[i] = box_at(random_vector(&seed, -half, half), random_vector(&seed, 0, (double)scale));
        }
        assert_true(check_and_free(s) > 0 || simulated);
    }
}
static void sizes_over_five_decades_are_found(void **state) {
    (void)state;
    on_groups(check_five_decades);
}

static void check_same_box(void) {
    box_sample s = boxes_make(count_of(300), 3);
    for (uint32_t i = 0; i < s.n; i++) s.boxes[i] = box_at(vec3_of(-7, 3, 0.1f), vec3_of(0.3f, 0.2f, 0.7f));
    assert_int_equal(check_and_free(s), s.n * (s.n - 1) / 2);
}
static void boxes_at_one_place_are_found(void **state) {
    (void)state;
    on_groups(check_same_box);
}

/* Cubes of a lattice touch at the borders of cells: 26 partners inside. A lattice that is a little wider has
 * none. */
static void check_lattice(float side, float pitch, bool touches) {
    const int m = simulated ? 3 : 11;
    box_sample s = boxes_make((uint32_t)(m * m * m), 0);
    for (int i = 0; i < m * m * m; i++) {
        const vec3s at = vec3_of((float)(i % m - 5), (float)(i / m % m - 5), (float)(i / m / m - 5));
        s.boxes[i] = box_at(glms_vec3_scale(at, pitch), vec3_of(side, side, side));
    }
    const int runs = 3 * m - 2,
              expected = (runs * runs * runs - m * m * m) / 2; /* neighbours along an axis: 3m − 2 */
    assert_int_equal(check_and_free(s), touches ? expected : 0);
}
static void check_lattices(void) {
    static const float sides[] = {1, 0.5f, 0.375f, 1024};
    for (int k = 0; k < (simulated ? 1 : 4); k++) {
        check_lattice(sides[k], sides[k], true);
        check_lattice(sides[k], sides[k] * 1.001f, false);
    }
}
static void boxes_that_touch_at_borders_are_found(void **state) {
    (void)state;
    on_groups(check_lattices);
}

/* Boxes of 1 cm and points, 10 km and more from the origin, with other coordinates that are very small. */
static void check_far(void) {
    static const double places[] = {1e4, -1e4, 1e10, 3e37};
    for (int k = 0; k < (simulated ? 1 : 4); k++)
        for (int points = 0; points < 2; points++) {
            uint64_t seed = (uint64_t)k;
            box_sample s = boxes_make(count_of(1500), 0);
            for (uint32_t i = 0; i < s.n; i++) {
                const vec3s corner = random_vector(&seed, -0.02, 0.02);
                const float side = points ? 0 : 0.01f;
                s.boxes[i] = box_at(vec3_of((float)places[k] + corner.x, corner.y, corner.z * 1e-30f),
                                    vec3_of(side, side, side));
                if (!points) continue;
                s.boxes[i].lower.y = s.boxes[i].upper.y = (float)((int)i % 4 - 2);
                if (i % 8 < 4) s.boxes[i].lower.z = s.boxes[i].upper.z = 0;
            }
            assert_true(check_and_free(s) > 0 || simulated);
        }
}
static void boxes_far_away_are_found(void **state) {
    (void)state;
    on_groups(check_far);
}

/* A long line of equal boxes: many cells apart along one axis. */
static void check_lines(void) {
    for (int axis = simulated ? 2 : 0; axis < 3; axis++) {
        box_sample s = boxes_make(count_of(3000), 0);
        for (uint32_t i = 0; i < s.n; i++) {
            float at[3] = {0, 0, 0};
            at[axis] = (float)(s.n - 1 - i) * 1.75f - 1000;
            s.boxes[i] = box_at(vec3_of(at[0], at[1], at[2]), vec3_of(1.8f, 1.8f, 1.8f));
        }
        assert_int_equal(check_and_free(s), s.n - 1);
    }
}
static void boxes_in_a_line_are_found(void **state) {
    (void)state;
    on_groups(check_lines);
}

/* Replaces some of random boxes by unusual ones. */
static void check_unusual(void) {
    const bounds unusual[] = {
        {.lower = {-INFINITY, -INFINITY, -INFINITY}, .upper = {INFINITY, INFINITY, INFINITY}},
        {.lower = {-INFINITY, -1, 0}, .upper = {0, 1, INFINITY}},
        {.lower = {0, 0, 0}, .upper = {1, 1, INFINITY}},
        {.lower = {INFINITY, 0, 0}, .upper = {INFINITY, 1, 1}},
        {.lower = {-INFINITY, 0, 0}, .upper = {-INFINITY, 1, 1}},
        {.lower = {-1e30f, -2, -2}, .upper = {1e30f, 2, 2}},
        {.lower = {-3e38f, 0, 0}, .upper = {3e38f, 1, 1}},
        {.lower = {-0.0f, 0, 0}, .upper = {0, -0.0f, 0}},
        {.lower = {-1e-45f, 0, 0}, .upper = {0, 1e-45f, 0}},
        BOUNDS_NOWHERE,
        {.lower = {0, 0, 1}, .upper = {1, 1, 0.5f}},
        {.lower = {NAN, 0, 0}, .upper = {1, 1, 1}},
        {.lower = {0, 0, 0}, .upper = {1, 1, NAN}},
        {.lower = {NAN, NAN, NAN}, .upper = {NAN, NAN, NAN}},
    };
    const int kinds = sizeof unusual / sizeof *unusual;
    uint64_t seed = 4;
    box_sample s = boxes_make(count_of(1000), 9);
    for (uint32_t i = 0; i < s.n; i++) {
        const vec3s corner = random_vector(&seed, -1, 1);
        s.boxes[i] = box_at(corner, random_vector(&seed, 0, 0.2));
        if (i % 3 == 0) s.boxes[i] = unusual[random_below(&seed, kinds)];
    }
    assert_true(check_and_free(s) > s.n || simulated);
}
static void unusual_boxes_are_found(void **state) {
    (void)state;
    on_groups(check_unusual);
}

static void check_all_free(void) {
    box_sample s = boxes_make(count_of(700), 0);
    for (uint32_t i = 0; i < s.n; i++) s.boxes[i] = BOUNDS_NOWHERE;
    assert_int_equal(check_and_free(s), 0);
}
static void free_slots_meet_nothing(void **state) {
    (void)state;
    on_groups(check_all_free);
}

/* Bodies of all types, few of them wanted, among two half-spaces that turn. */
static void check_filters(void) {
    enum { PLANES = 2 };
    const uint32_t n = count_of(1500);
    body_plane planes[PLANES];
    uint8_t *types = rig_array(n, sizeof *types), *wanted = rig_array(n, sizeof *wanted);
    uint64_t seed = 6;
    box_sample s = boxes_make(n, 0);
    for (uint32_t i = 0; i < n; i++) {
        types[i] = (uint8_t)(SLOT_STATIC + random_below(&seed, 3));
        wanted[i] = random_below(&seed, 4) == 0;
        s.boxes[i] = box_at(random_vector(&seed, -1, 1), random_vector(&seed, 0, i % 50 ? 0.2 : 1));
    }
    for (int i = 0; i < PLANES; i++) {
        const uint32_t slot = (uint32_t)i * (n / 2);
        planes[i] = (body_plane){.normal = {0.6f, 0, 0.8f},
                                 .padding = 0.1f,
                                 .origin = {0, 0, -0.5f * (float)i},
                                 .rotation_angle = 0.05f,
                                 .slot = (int)slot};
        types[slot] = i ? SLOT_KINEMATIC : SLOT_STATIC;
        s.boxes[slot] =
            (bounds){.lower = {-INFINITY, -INFINITY, -INFINITY}, .upper = {INFINITY, INFINITY, INFINITY}};
    }
    s.types = types, s.planes = (plane_list){PLANES, PLANES, planes};
    const uint32_t all = check_boxes(&grid, s);
    s.wanted = wanted;
    const uint32_t some = check_and_free(s);
    assert_true(some > 0 && some < all);
    free(types);
    free(wanted);
}
static void pairs_are_filtered(void **state) {
    (void)state;
    on_groups(check_filters);
}

static int compare_words(const void *one, const void *other) {
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* Appends the pairs that the host's tree finds, in order. */
static void tree_pairs(box_sample s, const tree *within, found_pairs *out) {
    uint32_t *partners = rig_array(s.n, sizeof *partners);
    for (uint32_t a = 0; a < s.n; a++) {
        uint32_t count = 0;
        tree_walk walk;
        tree_walk_begin(&walk, within, &s.boxes[a]);
        for (int item; (item = tree_walk_next(&walk)) >= 0;)
            if (within->members[item] > (int)a) partners[count++] = (uint32_t)within->members[item];
        qsort(partners, count, sizeof *partners, compare_words);
        for (uint32_t k = 0; k < count; k++) found_add(out, a, partners[k]);
    }
    free(partners);
}

static void check_tree(void) {
    uint64_t seed = 9;
    box_sample s = boxes_make(simulated ? 60 : 12000, simulated ? 0 : 1000);
    tree within = {0};
    int regrown = 0;
    for (uint32_t i = 0; i < s.n; i++) {
        const double scale = pow(10, random_between(&seed, -2, 0));
        s.boxes[i] = box_at(random_vector(&seed, -5, 5), random_vector(&seed, 0, scale));
    }
    tree_key *scratch = rig_array(2 * (size_t)s.n, sizeof *scratch);
    CHECK(tree_build(&within, s.boxes, (int)s.n, scratch, 1, &regrown));
    found_pairs expected = found_make(10 * s.n + 100);
    tree_pairs(s, &within, &expected);
    found_pairs found = device_search(&grid, s, expected.capacity);
    expect_pairs(&found, &expected);
    assert_int_equal(found.listed, expected.listed);
    found_release(&found);
    found_release(&expected);
    tree_release(&within);
    free(scratch);
    free(s.boxes);
}
static void pairs_are_those_of_the_hosts_tree(void **state) {
    (void)state;
    on_groups(check_tree);
}

/* -- Images ------------------------------------------------------------------------------- */

static const float cell[3] = {4, 0,
                              3}; /* lengths of a cell that begins at the origin, periodic along x and z */

/* Returns whether a body meets an image of another one, which has no component along an axis of `endless`. */
static bool image_meets(const box_sample *s, uint32_t a, uint32_t b, const int n[3], int endless) {
    const vec3s by = vec3_of((float)n[0] * cell[0], (float)n[1] * cell[1], (float)n[2] * cell[2]);
    bounds moved = s->boxes[b];
    for (int axis = 0; axis < 3; axis++)
        if (n[axis] && (endless >> axis & 1 || !(cell[axis] > 0))) return false;
    if (!n[0] && !n[1] && !n[2]) return sample_meets(s, a, b);
    if (plane_at_slot(s, a) || plane_at_slot(s, b)) return false;
    if (s->types[a] != SLOT_DYNAMIC && s->types[b] != SLOT_DYNAMIC) return false;
    moved.lower = glms_vec3_add(moved.lower, by), moved.upper = glms_vec3_add(moved.upper, by);
    return bounds_meet(&s->boxes[a], &moved);
}

/* Compares with a plain loop over all pairs and images; returns the number of pairs with an image. */
static int expect_images(box_sample s, const uint8_t *endless, const device_pairs *pairs) {
    const uint32_t total = rig_total();
    uint32_t *a = rig_array(total, sizeof *a), *b = rig_array(total, sizeof *b), k = 0;
    int *images = rig_array(total, sizeof *images), moved = 0;
    rig_read(&pairs->a, a, total * sizeof *a), rig_read(&pairs->b, b, total * sizeof *b);
    rig_read(&pairs->images, images, total * sizeof *images);
    for (uint32_t i = 0; i < s.n; i++)
        for (uint32_t j = i + 1; j < s.n; j++)
            for (int code = 0; code < 27; code++) {
                const int n[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1},
                          image = n[0] + 1024 * (n[1] + 1024 * n[2]);
                if (!image_meets(&s, i, j, n, endless[i] | endless[j])) continue;
                assert_true(k < total);
                assert_int_equal(a[k], i), assert_int_equal(b[k], j), assert_int_equal(images[k], image);
                moved += image != 0, k++;
            }
    assert_int_equal(k, total);
    free(a), free(b), free(images);
    return moved;
}

/* Boxes within and around a cell: few are static, and some join their images along x; the first is a plane.
 */
static void check_images(void) {
    const uint32_t n = count_of(300);
    uint64_t seed = 3;
    box_sample s = boxes_make(n, 0);
    uint8_t *types = rig_array(n, 1), *endless = rig_array(n, 1);
    body_plane floor = {.slot = 0, .normal = vec3_of(0, 1, 0)};
    opencl_images images;
    opencl_buffer sent = {0};
    device_pairs pairs = {.capacity = 40 * n, .total = rig_total_word};
    uint32_t words[PERIODIC_WORDS];
    for (uint32_t i = 0; i < n; i++) {
        s.boxes[i] = box_at(random_vector(&seed, -0.3, 3.4), random_vector(&seed, 0, simulated ? 1.5 : 0.6));
        types[i] = random_below(&seed, 4) ? SLOT_DYNAMIC : SLOT_STATIC;
        if (i % 50 == 7) s.boxes[i].lower.x = -8, s.boxes[i].upper.x = 8, endless[i] = 1;
    }
    s.boxes[0] =
        (bounds){.lower = {-INFINITY, -INFINITY, -INFINITY}, .upper = {INFINITY, INFINITY, INFINITY}};
    types[0] = SLOT_STATIC;
    s.types = types, s.planes = (plane_list){.items = &floor, .count = 1};
    grid_bodies bodies = bodies_send(s);
    opencl_images_open(&images, &rig.primitives);
    rig_send(&sent, endless, n);
    bodies.images = &images, bodies.endless = &sent;
    for (int axis = 0; axis < 3; axis++) bodies.period[axis] = cell[axis];
    do { /* from room for one image on */
        CHECK(opencl_buffer_reserve(&rig.device, &bodies.boxes, (n + images.capacity) * sizeof(bounds),
                                    "boxes"));
        rig_send(&bodies.boxes, s.boxes, n * sizeof *s.boxes);
        opencl_scratch_clear(&rig.device);
        CHECK(opencl_grid_search(&grid, &bodies, &pairs));
        rig_read(&images.words, words, sizeof words);
        assert_int_equal(words[PERIODIC_FAR], 0);
    } while (opencl_images_grow(&images, words[PERIODIC_IMAGES]));
    assert_true(expect_images(s, endless, &pairs) > (simulated ? 0 : 30));
    opencl_buffer *const buffers[] = {&bodies.boxes, &bodies.types, &bodies.planes, &pairs.a,
                                      &pairs.b,      &pairs.images, &sent};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(&rig.device, buffers[i]);
    opencl_images_close(&images);
    free(types), free(endless), free(s.boxes);
}
static void images_are_found(void **state) {
    (void)state;
    on_groups(check_images);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_boxes_are_found),
        cmocka_unit_test(equal_sizes_are_found),
        cmocka_unit_test(sizes_over_five_decades_are_found),
        cmocka_unit_test(boxes_at_one_place_are_found),
        cmocka_unit_test(boxes_that_touch_at_borders_are_found),
        cmocka_unit_test(boxes_far_away_are_found),
        cmocka_unit_test(boxes_in_a_line_are_found),
        cmocka_unit_test(unusual_boxes_are_found),
        cmocka_unit_test(free_slots_meet_nothing),
        cmocka_unit_test(pairs_are_filtered),
        cmocka_unit_test(pairs_are_those_of_the_hosts_tree),
        cmocka_unit_test(images_are_found),
    };
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
