/* Points of boxes are found in lanes, several pairs at a time, or pair by pair, with the same bits for any
 * boxes and poses. */
#include "box_pairs.h"

#include "base/memory.h"
#include "detect/narrow_phase.h"
#include "rotation.h"

#include <limits.h>
#include <string.h>

enum { PAIRS = NARROW_PAIRS, BODIES = 2 * PAIRS, ROUNDS = 240 };

static const scalar step = 0.01f;

/* result of detection at a width */
typedef struct found_points {
    manifold_list manifolds;
    skim_list skims;
} found_points;

static void find_at(const char *width, const body_array *bodies, const body_pair *pairs, int count,
                    found_points *out) {
    narrow_phase narrow = {0};
    *out = (found_points){0};
    setenv("SCREE_WIDTH", width, 1);
    assert_int_equal(narrow_phase_begin(&narrow, bodies, 1, NULL), SCREE_OK);
    assert_int_equal(
        narrow_phase_find(&narrow, bodies, pairs, count, 1e-3f, step, &out->manifolds, &out->skims),
        SCREE_OK);
    unsetenv("SCREE_WIDTH");
    narrow_phase_release(&narrow);
}

static void found_release(found_points *found) {
    memory_release(found->manifolds.items);
    memory_release(found->skims.items);
}

static bool same_bits(const manifold *one, const manifold *other) {
    bool same = one->a == other->a && one->b == other->b && one->count == other->count &&
                memcmp(&one->normal, &other->normal, sizeof one->normal) == 0;
    for (int k = 0; k < one->count && same; k++) {
        const manifold_point *p = &one->points[k], *q = &other->points[k];
        same = memcmp(&p->position, &q->position, sizeof p->position) == 0 &&
               memcmp(&p->gap, &q->gap, sizeof p->gap) == 0 && p->feature == q->feature;
    }
    return same;
}

static void assert_same(const found_points *one, const found_points *other, const char *width, int round) {
    assert_int_equal(one->manifolds.count, other->manifolds.count);
    assert_int_equal(one->skims.count, other->skims.count);
    for (int i = 0; i < one->manifolds.count; i++)
        if (!same_bits(&one->manifolds.items[i], &other->manifolds.items[i]))
            fail_msg("round %d, width %s, boxes %d and %d", round, width, one->manifolds.items[i].a,
                     one->manifolds.items[i].b);
    for (int i = 0; i < one->skims.count; i++)
        assert_int_equal(one->skims.items[i].pair.a, other->skims.items[i].pair.a);
}

/* Returns how many pairs come near in the step, but do not meet: their contact only bears a load. */
static long count_passing(const found_points *found, const body_array *bodies) {
    long count = 0;
    for (int i = 0; i < found->manifolds.count; i++) {
        const manifold *m = &found->manifolds.items[i];
        const vec3s w = glms_vec3_sub(bodies->velocities[m->b].linear, bodies->velocities[m->a].linear);
        const scalar approach = -step * glms_vec3_dot(m->normal, w);
        scalar least = INFINITY;
        for (int k = 0; k < m->count; k++) least = scalar_min(least, m->points[k].gap);
        count += approach > 0 && least >= (scalar)0.9999f * approach && least <= 2 * approach;
    }
    return count;
}

static void box_contacts_are_equal_at_every_width(void **state) {
    (void)state;
    static const scalar scales[] = {1, 1e-4f, 1e4f}, fars[] = {0, 1e2f, 3e4f};
    static const char *const widths[] = {"4", "8", "16"};
    body_array bodies = bodies_make(BODIES);
    body_pair pairs[PAIRS];
    uint64_t seed = 41;
    long touching = 0, passing = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const scalar scale = scales[round % 3];
        const int count = round % 2 ? PAIRS : 1 + one_of(&seed, PAIRS);
        for (int i = 0; i < PAIRS; i++) {
            set_pair(&bodies, 2 * i, &seed, scale, scale * fars[round / 3 % 3]);
            pairs[i] = (body_pair){.a = 2 * i, .b = 2 * i + 1};
        }
        found_points one;
        find_at("1", &bodies, pairs, count, &one);
        for (int i = 0; i < 3; i++) {
            found_points wide;
            find_at(widths[i], &bodies, pairs, count, &wide);
            assert_same(&one, &wide, widths[i], round);
            found_release(&wide);
        }
        touching += one.manifolds.count, passing += count_passing(&one, &bodies);
        found_release(&one);
    }
    print_message("%ld pairs touch, %ld pass\n", touching, passing);
    assert_true(touching > 10000 && passing > 100);
    bodies_free(&bodies);
}

/* Returns how far a box extends in a direction. */
static scalar extent_along(vec3s n, vec3s halves, versors turn) {
    const vec3s in = rotate_inverse(turn, n);
    return scalar_abs(in.x) * halves.x + scalar_abs(in.y) * halves.y + scalar_abs(in.z) * halves.z;
}

/* Places a cube over the middle of a slab, with one of its edges a milliradian from parallel to one of the
 * slab's, at a gap of less than a ten-thousandth of its size, which its velocity closes in up to two steps.
 */
static void set_cube_on_slab(body_array *bodies, int slab, uint64_t *seed) {
    static const vec3s slab_halves = {1, 1, 0.5f}, cube_halves = {0.1f, 0.1f, 0.1f};
    const versors turn = random_rotation(seed),
                  tilted = rotation_turned(vec3_of((scalar)random_between(seed, 0.02, 0.7), 0, 0),
                                           versor_of(0, 0, 0, 1)),
                  skew = rotation_turned(vec3_of(0, 0, (scalar)random_between(seed, 1e-3, 1.5e-3)), tilted),
                  cube_turn = rotation_product(turn, skew);
    const vec3s up = rotate(turn, vec3_of(0, 0, 1)), side = rotate(turn, vec3_of(1, 0, 0));
    const scalar gap = (scalar)random_between(seed, 1e-7, 1e-5),
                 speed = gap / (step * (scalar)random_between(seed, 0.1, 1.9)),
                 height = slab_halves.z + extent_along(up, cube_halves, cube_turn) + gap;
    bodies->shapes[slab] = shape_of(SCREE_SHAPE_BOX, slab_halves.x, slab_halves.y, slab_halves.z);
    bodies->shapes[slab + 1] = shape_of(SCREE_SHAPE_BOX, cube_halves.x, cube_halves.y, cube_halves.z);
    bodies->poses[slab] = pose_of(vec3_of(0, 0, 0), turn);
    bodies->poses[slab + 1] = pose_of(glms_vec3_scale(up, height), cube_turn);
    bodies->types[slab] = SLOT_STATIC;
    bodies->velocities[slab + 1].linear = glms_vec3_add(
        glms_vec3_scale(up, -speed), glms_vec3_scale(side, speed * (scalar)random_between(seed, -2, 2)));
}

/* These cubes have no side to pass. Rounding makes the separation along nearly parallel
 * edges larger than the gap. */
static void cubes_that_settle_on_a_slab_keep_their_contacts(void **state) {
    (void)state;
    static const char *const widths[] = {"1", "4", "8", "16"};
    body_array bodies = bodies_make(BODIES);
    body_pair pairs[PAIRS];
    uint64_t seed = 17;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < PAIRS; i++) {
            set_cube_on_slab(&bodies, 2 * i, &seed);
            pairs[i] = (body_pair){.a = 2 * i, .b = 2 * i + 1};
        }
        found_points found;
        find_at(widths[round % 4], &bodies, pairs, PAIRS, &found);
        assert_int_equal(found.manifolds.count, PAIRS);
        assert_int_equal(found.skims.count, 0);
        found_release(&found);
    }
    bodies_free(&bodies);
}

/* Records of slots beyond some 89 million are at offsets in floats that exceed an int. Earlier slots are
 * never written, so they take no memory. */
static void far_slots_are_found(void **state) {
    (void)state;
#ifndef MEMORY_HAS_PAGES
    skip();
#else
    enum { FAR = INT_MAX / RECORD_FLOATS + 10, COUNT = FAR + 2 };
    body_array bodies = {.count = COUNT, .capacity = COUNT};
    bodies.poses = memory_allocate(COUNT, sizeof *bodies.poses);
    bodies.velocities = memory_allocate(COUNT, sizeof *bodies.velocities);
    bodies.shapes = memory_allocate(COUNT, sizeof *bodies.shapes);
    bodies.types = memory_allocate(COUNT, sizeof *bodies.types); /* SLOT_FREE */
    narrow_phase narrow = {0};
    manifold_list found = {0};
    const body_pair pair = {.a = FAR, .b = FAR + 1};
    const bool scratch = bodies.poses && bodies.velocities && bodies.shapes && bodies.types &&
                         narrow_phase_begin(&narrow, &bodies, 1, NULL) == SCREE_OK;
    for (int i = FAR; scratch && i < COUNT; i++) {
        bodies.types[i] = SLOT_DYNAMIC;
        bodies.shapes[i] = shape_of(SCREE_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
        bodies.poses[i] = pose_of(vec3_of(0, 0, (scalar)(i - FAR)), versor_of(0, 0, 0, 1));
    }
    if (scratch) {
        assert_int_equal(narrow_phase_begin(&narrow, &bodies, 1, NULL), SCREE_OK);
        assert_int_equal(narrow_phase_find(&narrow, &bodies, &pair, 1, 1e-3f, step, &found, NULL), SCREE_OK);
        assert_int_equal(found.count, 1);
        assert_int_equal(found.items[0].count, MANIFOLD_POINTS);
    }
    memory_release(found.items);
    narrow_phase_release(&narrow);
    memory_release(bodies.poses), memory_release(bodies.velocities);
    memory_release(bodies.shapes), memory_release(bodies.types);
    if (!scratch) skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(box_contacts_are_equal_at_every_width),
                                       cmocka_unit_test(cubes_that_settle_on_a_slab_keep_their_contacts),
                                       cmocka_unit_test(far_slots_are_found)};
    return cmocka_run_group_tests_name("wide boxes", tests, NULL, NULL);
}
