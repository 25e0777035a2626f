/* Pairs of bounding boxes that meet, against brute force. */
#include "base/team.h"
#include "body_fixture.h"

#include "detect/broadphase.h"

enum { THREAD_CHOICES = 4 };
static const int thread_choices[THREAD_CHOICES] = {1, 2, 3, 8};
static const scalar step = 1 / 120.0f;

typedef enum answer {
    APART,
    MEET,
    EITHER /* too close to decide in single precision */
} answer;

/* Finds all pairs in one array, which the caller frees. */
static scree_result find_pairs(broadphase *self, const body_array *bodies, const bounds *boxes, int threads,
                               body_pair **pairs, int *count, int *regrown) {
    int found = 0;
    const scree_result result = broadphase_pairs(self, bodies, boxes, NULL, step, threads, count, regrown);
    if (result != SCREE_OK) return result;
    *pairs = malloc(((size_t)*count + BROADPHASE_PIECE) * sizeof **pairs);
    assert_non_null(*pairs);
    for (int piece = 0; piece < broadphase_piece_count(self); piece++)
        found += broadphase_piece(self, piece, *pairs + found);
    assert_int_equal(found, *count);
    return SCREE_OK;
}

/* Finds the box corner deepest below the plane, in double precision. */
static answer plane_answer(const bounds *box, const bounds *half_space, body_pose pose) {
    double normal[3];
    rotate_in_double(pose.rotation, (double[3]){0, 0, 1}, normal);
    const double x = (normal[0] > 0 ? box->lower.x : box->upper.x) - (double)pose.position.x;
    const double y = (normal[1] > 0 ? box->lower.y : box->upper.y) - (double)pose.position.y;
    const double z = (normal[2] > 0 ? box->lower.z : box->upper.z) - (double)pose.position.z;
    const double height = normal[0] * x + normal[1] * y + normal[2] * z - half_space->padding;
    const double warning = 1e-5 * (1 + fabs(x) + fabs(y) + fabs(z));
    return fabs(height) < warning ? EITHER : height < 0 ? MEET : APART;
}

static answer brute_answer(const body_array *bodies, const bounds *boxes, int a, int b) {
    if (bodies->types[a] == SLOT_FREE || bodies->types[b] == SLOT_FREE) return APART;
    if (bodies->types[a] != SLOT_DYNAMIC && bodies->types[b] != SLOT_DYNAMIC) return APART;
    const bool plane_a = bodies->shapes[a].kind == SCREE_SHAPE_HALF_SPACE;
    const bool plane_b = bodies->shapes[b].kind == SCREE_SHAPE_HALF_SPACE;
    if (plane_a && plane_b) return APART;
    if (plane_a) return plane_answer(&boxes[b], &boxes[a], bodies->poses[a]);
    if (plane_b) return plane_answer(&boxes[a], &boxes[b], bodies->poses[b]);
    const bounds *p = &boxes[a], *q = &boxes[b];
    const bool meet = p->lower.x <= q->upper.x && q->lower.x <= p->upper.x && p->lower.y <= q->upper.y &&
                      q->lower.y <= p->upper.y && p->lower.z <= q->upper.z && q->lower.z <= p->upper.z;
    return meet ? MEET : APART;
}

/* Checks the pairs of a scene against brute force and against other thread counts; returns their number. */
static int check_pairs(const body_array *bodies, const bounds *boxes) {
    body_pair *first = NULL;
    int first_count = 0;
    for (int choice = 0; choice < THREAD_CHOICES; choice++) {
        const int threads = thread_choices[choice];
        broadphase *self = NULL;
        CHECK(broadphase_create(&self, BROADPHASE_SKIN));
        for (int again = 0; again < 2; again++) {
            body_pair *pairs = NULL;
            int count = -1, regrown = 0;
            CHECK(find_pairs(self, bodies, boxes, threads, &pairs, &count, &regrown));
            assert_int_equal(regrown, 0);
            if (!first) {
                first = malloc(((size_t)count + 1) * sizeof *first);
                assert_non_null(first);
                if (count) memcpy(first, pairs, (size_t)count * sizeof *first);
                first_count = count;
            }
            assert_int_equal(count, first_count);
            assert_true(count == 0 || memcmp(pairs, first, (size_t)count * sizeof *first) == 0);
            free(pairs);
        }
        broadphase_destroy(self);
    }
    int next = 0;
    for (int a = 0; a < bodies->count; a++)
        for (int b = a + 1; b < bodies->count; b++) {
            const answer expected = brute_answer(bodies, boxes, a, b);
            const bool found = next < first_count && first[next].a == a && first[next].b == b;
            if (found) next++;
            if (found ? expected == APART : expected == MEET)
                fail_msg("pair (%d, %d): found %d, expected %d", a, b, found, expected);
        }
    assert_int_equal(next, first_count);
    free(first);
    return first_count;
}

static int check_scene(body_array *bodies) {
    bounds *boxes = calloc((size_t)bodies->count + 1, sizeof *boxes);
    assert_non_null(boxes);
    bounds_compute_padded(bodies, 0.001f, 1 / 120.0f, 2, boxes);
    const int count = check_pairs(bodies, boxes);
    free(boxes);
    return count;
}

static void no_body_and_one_body(void **state) {
    (void)state;
    for (int count = 0; count < 2; count++) {
        body_array bodies = bodies_make(count);
        assert_int_equal(check_scene(&bodies), 0);
        bodies_free(&bodies);
    }
}

/* Radii from 1 mm to 1 m, uniform in their logarithm; all types, shapes, free slots and tilted
 * half-spaces. */
static void mixed_sizes(void **state) {
    (void)state;
    for (uint64_t round = 0; round < 6; round++) {
        uint64_t seed = 100 + round;
        body_array bodies = bodies_make(1500);
        const vec3s origin = round % 2 ? vec3_of(100, -100, 100) : vec3_of(0, 0, 0);
        for (int i = 0; i < bodies.count; i++) {
            const float radius = 0.001f * powf(1000, random_between(&seed, 0, 1));
            const bool box = random_bits(&seed) % 2;
            bodies.shapes[i] = shape_of(box ? SCREE_SHAPE_BOX : SCREE_SHAPE_SPHERE, radius,
                                        box ? radius * random_between(&seed, 0.1, 1) : 0, box ? radius : 0);
            bodies.poses[i] =
                pose_of(glms_vec3_add(origin, random_vector(&seed, -4, 4)), random_rotation(&seed));
            bodies.velocities[i].linear = random_vector(&seed, -2, 2);
            bodies.types[i] = (uint8_t)(random_bits(&seed) % 4);
        }
        for (int i = 0; i < 5; i++) {
            const int slot = (int)(random_bits(&seed) % 1500);
            bodies.shapes[slot] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
            bodies.types[slot] = i % 2 ? SLOT_STATIC : SLOT_KINEMATIC;
        }
        assert_true(check_scene(&bodies) > 1000);
        bodies_free(&bodies);
    }
}

/* Clusters a few millimetres wide, metres apart, and one body that has fallen a kilometre. */
static void clusters(void **state) {
    (void)state;
    uint64_t seed = 7;
    body_array bodies = bodies_make(2000);
    vec3s centre = vec3_of(0, 0, 0);
    for (int i = 0; i < bodies.count; i++) {
        if (i % 200 == 0) centre = random_vector(&seed, -50, 50);
        bodies.shapes[i].size.x = random_between(&seed, 0.0005, 0.0015);
        bodies.poses[i].position = glms_vec3_add(centre, random_vector(&seed, -0.01, 0.01));
    }
    bodies.poses[77].position.z = -1000;
    assert_true(check_scene(&bodies) > 1000);
    bodies_free(&bodies);
}

static void identical_positions(void **state) {
    (void)state;
    body_array bodies = bodies_make(700);
    assert_int_equal(check_scene(&bodies), 700 * 699 / 2);
    bodies_free(&bodies);
}

static void one_huge_among_tiny(void **state) {
    (void)state;
    for (int huge = 0; huge < 5001; huge += 2500) {
        uint64_t seed = 9;
        body_array bodies = bodies_make(5001);
        for (int i = 0; i < bodies.count; i++) {
            bodies.shapes[i].size.x = 0.001f;
            bodies.poses[i].position = random_vector(&seed, -0.1, 0.1);
        }
        bodies.shapes[huge].size.x = 10;
        assert_true(check_scene(&bodies) >= 5000);
        bodies_free(&bodies);
    }
}

/* Bodies fly, fall asleep, appear, vanish and change type between steps; one half-space moves, one turns, one
 * rests. A broad phase with history finds the pairs of one without. */
static void pairs_do_not_depend_on_history(void **state) {
    (void)state;
    enum { BODIES = 900, STEPS = 60, SKINS = 4 };
    static const scalar skins[SKINS] = {0, BROADPHASE_SKIN, 0.5f, 3};
    broadphase *old[SKINS];
    body_array bodies = bodies_make(BODIES);
    bounds *boxes = calloc(BODIES, sizeof *boxes);
    assert_non_null(boxes);
    uint64_t seed = 31;
    for (int i = 0; i < BODIES; i++) {
        bodies.poses[i] = pose_of(random_vector(&seed, -4, 4), random_rotation(&seed));
        bodies.shapes[i].size.x = i % 50 ? random_between(&seed, 0.1, 0.4) : 2;
        if (i % 3 == 0) bodies.shapes[i] = shape_of(SCREE_SHAPE_BOX, 0.3f, 0.2f, 0.1f);
        bodies.velocities[i].linear = random_vector(&seed, -0.5, 0.5);
        bodies.types[i] = (uint8_t)(i % 40 ? SLOT_DYNAMIC : SLOT_STATIC);
    }
    for (int i = 0; i < 3; i++) {
        bodies.shapes[300 * i] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
        bodies.types[300 * i] = i ? SLOT_KINEMATIC : SLOT_STATIC;
    }
    bodies.velocities[600].angular = vec3_of(0, 0.3f, 0);
    bodies.poses[600].rotation = versor_of(0, 0, 0, 1), bodies.poses[600].position.z = -3;
    for (int k = 0; k < SKINS; k++) CHECK(broadphase_create(&old[k], skins[k]));
    int found = 0;
    for (int t = 0; t < STEPS; t++) {
        const bool many = t % 20 == 19;
        for (int i = 1; i < BODIES; i++) {
            if (t % 2 == 0 && i % 300 && i > 5) continue; /* most rest in every second step */
            bodies.poses[i].position =
                glms_vec3_add(bodies.poses[i].position, glms_vec3_scale(bodies.velocities[i].linear, step));
        }
        bodies.poses[600].rotation = versor_of(0, sinf(0.01f * (float)t), 0, cosf(0.01f * (float)t));
        for (int change = 0; change < (many ? 200 : 4); change++) {
            const int slot = (int)(random_bits(&seed) % BODIES);
            if (slot % 300 == 0) continue;
            bodies.types[slot] = (uint8_t)(random_bits(&seed) % 4);
            if (change % 2) bodies.poses[slot].position = random_vector(&seed, -4, 4);
        }
        if (t == 30) bodies.types[300] = SLOT_FREE; /* a plane disappears, */
        if (t == 40)
            bodies.types[300] = SLOT_KINEMATIC, bodies.shapes[300] = bodies.shapes[1]; /* a ball appears */
        bounds_compute_padded(&bodies, 0.01f, step, 2, boxes);
        broadphase *fresh = NULL;
        body_pair *pairs = NULL, *expected = NULL;
        int count, expected_count, regrown = 0;
        CHECK(broadphase_create(&fresh, 0));
        CHECK(find_pairs(fresh, &bodies, boxes, 1, &expected, &expected_count, &regrown));
        for (int k = 0; k < SKINS; k++) {
            CHECK(find_pairs(old[k], &bodies, boxes, 1 + t % 3, &pairs, &count, &regrown));
            assert_int_equal(count, expected_count);
            assert_memory_equal(pairs, expected, (size_t)count * sizeof *pairs);
            free(pairs);
        }
        free(expected);
        found += count;
        broadphase_destroy(fresh);
    }
    assert_true(found > 1000 * STEPS);
    for (int k = 0; k < SKINS; k++) broadphase_destroy(old[k]);
    free(boxes);
    bodies_free(&bodies);
}

/* A slot is free while a half-space rises to the place of its body, which then returns to the same place. */
static void returned_bodies_meet_planes(void **state) {
    (void)state;
    enum { BODIES = 20, PLANE = 0, BALL = 1 };
    body_array bodies = bodies_make(BODIES);
    bounds boxes[BODIES];
    broadphase *self;
    for (int i = 0; i < BODIES; i++) {
        bodies.shapes[i].size.x = 0.1f;
        bodies.poses[i].position = vec3_of((scalar)i, 0, 0.2f);
    }
    bodies.shapes[PLANE] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
    bodies.types[PLANE] = SLOT_KINEMATIC;
    bodies.poses[PLANE] = pose_of(vec3_of(0, 0, -1), versor_of(0, 0, 0, 1));
    CHECK(broadphase_create(&self, BROADPHASE_SKIN));
    for (int t = 0; t < 4; t++) {
        body_pair *pairs = NULL;
        int count, regrown = 0;
        bodies.types[BALL] = t == 1 || t == 2 ? SLOT_FREE : SLOT_DYNAMIC;
        bodies.poses[PLANE].position.z = t < 2 ? -1 : 0.15f;
        bounds_compute_padded(&bodies, 0.01f, step, 1, boxes);
        CHECK(find_pairs(self, &bodies, boxes, 1, &pairs, &count, &regrown));
        assert_int_equal(count, t < 2 ? 0 : t == 2 ? BODIES - 2 : BODIES - 1);
        free(pairs);
    }
    broadphase_destroy(self);
    bodies_free(&bodies);
}

/* Pairs of a few strayed bodies equal those of a full search, along any path. */
static void pairs_of_strayed_bodies_are_complete(void **state) {
    (void)state;
    enum { BODIES = 400, ROUNDS = 40 };
    body_array bodies = bodies_make(BODIES);
    bounds boxes[BODIES], ways[BODIES];
    uint8_t strays[BODIES];
    uint64_t seed = 47;
    int found = 0, met_planes = 0;
    for (int i = 0; i < BODIES; i++) {
        if (i % 3 == 0)
            bodies.shapes[i] = shape_of(SCREE_SHAPE_BOX, 0.3f, 0.2f, 0.1f);
        else
            bodies.shapes[i].size.x = i % 50 ? 0.2f : 1;
        bodies.types[i] = (uint8_t)(i % 40 ? SLOT_DYNAMIC : i % 80 ? SLOT_KINEMATIC : SLOT_STATIC);
    }
    bodies.shapes[0] = bodies.shapes[200] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        broadphase *self = NULL, *fresh = NULL;
        body_pair *expected = NULL;
        const body_pair *pairs;
        int count, expected_count, regrown = 0, next = 0;
        for (int i = 0; i < BODIES; i++) {
            bodies.poses[i] = pose_of(random_vector(&seed, -2, 2), random_rotation(&seed));
            bodies.velocities[i].linear = random_vector(&seed, -0.5, 0.5);
            bodies.velocities[i].angular = random_vector(&seed, -0.5, 0.5);
        }
        bodies.types[7] = round % 2 ? SLOT_DYNAMIC : SLOT_FREE;
        CHECK(broadphase_create(&self, BROADPHASE_SKIN));
        bounds_compute_padded(&bodies, 0.01f, step, 1, boxes);
        CHECK(find_pairs(self, &bodies, boxes, 1, &expected, &expected_count, &regrown));
        free(expected);
        memset(strays, 0, sizeof strays);
        for (int k = 0; k < 1 + round; k++) {
            const int slot = (int)(random_bits(&seed) % BODIES);
            if (bodies.types[slot] != SLOT_DYNAMIC) continue;
            strays[slot] = 1;
            bodies.velocities[slot].linear = random_vector(&seed, -200, 200);
        }
        body_swept_boxes(&bodies, step, 1, ways);
        CHECK(broadphase_create(&fresh, 0));
        CHECK(find_pairs(fresh, &bodies, ways, 1, &expected, &expected_count, &regrown));
        CHECK(broadphase_pairs_of_strays(self, &bodies, strays, boxes, step, &pairs, &count, &regrown));
        for (int i = 0; i < expected_count; i++) {
            if (!strays[expected[i].a] && !strays[expected[i].b]) continue;
            assert_true(next < count);
            assert_memory_equal(&pairs[next], &expected[i], sizeof *pairs);
            met_planes += expected[i].a == 0;
            next++;
        }
        assert_int_equal(next, count);
        found += count;
        free(expected);
        broadphase_destroy(self);
        broadphase_destroy(fresh);
    }
    assert_true(found > 20 * ROUNDS && met_planes > ROUNDS);
    bodies_free(&bodies);
}

/* Boxes that are NaN, infinite or extremely far are survived; valid bodies still find their pairs. */
static void non_finite_boxes_are_survived(void **state) {
    (void)state;
    body_array bodies = bodies_make(6);
    bodies.poses[1].position = vec3_of(NAN, 0, 0);
    bodies.poses[2].position = vec3_of(0, INFINITY, 0);
    bodies.poses[3].position = vec3_of(3e38f, -3e38f, 3e38f);
    bodies.shapes[4].size.x = INFINITY;
    bodies.velocities[3].linear = vec3_of(1e30f, 1e30f, 0);
    bounds boxes[6];
    bounds_compute_padded(&bodies, 0.001f, 1 / 120.0f, 1, boxes);
    broadphase *self = NULL;
    body_pair *pairs = NULL;
    int count = 0, regrown = 0;
    CHECK(broadphase_create(&self, BROADPHASE_SKIN));
    CHECK(find_pairs(self, &bodies, boxes, 2, &pairs, &count, &regrown));
    assert_int_equal(count, 1);
    assert_int_equal(pairs[0].a, 0);
    assert_int_equal(pairs[0].b, 5);
    free(pairs);
    broadphase_destroy(self);
    bodies_free(&bodies);
}

static int allocations_left;

static void *allocate_some(size_t bytes, void *user) {
    (void)user;
    return allocations_left-- > 0 ? malloc(bytes) : NULL;
}

static void release_some(void *block, void *user) {
    (void)user;
    free(block);
}

/* Each allocation in turn fails: the call returns an error, leaks nothing, and the next call succeeds. */
static void memory_failures_are_reported(void **state) {
    (void)state;
    body_array bodies = bodies_make(600);
    bodies.shapes[3] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0), bodies.types[3] = SLOT_STATIC;
    bounds boxes[600];
    bounds_compute_padded(&bodies, 0.001f, 1 / 120.0f, 1, boxes);
    scree_set_allocator(&(scree_allocator){allocate_some, release_some, NULL});
    int failures = 0;
    for (int n = 0;; n++) {
        broadphase *self = NULL;
        body_pair *pairs = NULL;
        int count = 0, regrown = 0;
        allocations_left = n;
        scree_result result = broadphase_create(&self, BROADPHASE_SKIN);
        if (result == SCREE_OK) result = find_pairs(self, &bodies, boxes, 2, &pairs, &count, &regrown);
        if (result == SCREE_OK) {
            free(pairs);
            broadphase_destroy(self);
            break;
        }
        assert_int_equal(result, SCREE_ERROR_MEMORY);
        failures++;
        if (self) {
            allocations_left = 1000;
            CHECK(find_pairs(self, &bodies, boxes, 2, &pairs, &count, &regrown));
            assert_int_equal(count, 599 * 598 / 2 + 599);
            free(pairs);
        }
        broadphase_destroy(self);
    }
    assert_true(failures > 10);
    scree_set_allocator(NULL);
    bodies_free(&bodies);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_body_and_one_body),
        cmocka_unit_test(mixed_sizes),
        cmocka_unit_test(clusters),
        cmocka_unit_test(identical_positions),
        cmocka_unit_test(one_huge_among_tiny),
        cmocka_unit_test(pairs_do_not_depend_on_history),
        cmocka_unit_test(returned_bodies_meet_planes),
        cmocka_unit_test(pairs_of_strayed_bodies_are_complete),
        cmocka_unit_test(non_finite_boxes_are_survived),
        cmocka_unit_test(memory_failures_are_reported),
    };
    team *helpers = team_create(7, NULL);
    team_lead(helpers);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    team_destroy(helpers);
    return failed;
}
