/* The contact cache: impulses carried from step to step, and contacts found before bodies pass each other. */
#include "body_fixture.h"

#include "detect/contacts.h"

#include "base/memory.h"

static const scalar step = 1 / 120.0f;

/* Computes bounds, pairs and contacts of the bodies at their current poses. */
static scree_result update(contact_set *out, const contact_set *before, const body_array *bodies,
                           scalar margin, int maximum, int threads) {
    bounds *boxes = calloc((size_t)bodies->count + 1, sizeof *boxes);
    assert_non_null(boxes);
    broadphase *pairs_of = NULL;
    contact_search search = {0};
    int count = 0, regrown = 0;
    bounds_compute_padded(bodies, margin, step, threads, boxes);
    scree_result result = broadphase_create(&pairs_of, BROADPHASE_SKIN);
    if (result == SCREE_OK)
        result = broadphase_pairs(pairs_of, bodies, boxes, NULL, step, threads, &count, &regrown);
    if (result == SCREE_OK)
        result =
            contacts_update(out, before, &search, bodies, pairs_of, margin, step, maximum, threads, &regrown);
    /* A step also colours them. */
    if (result == SCREE_OK) result = MEMORY_RESERVE(out->colours, out->colour_capacity, out->count, NULL);
    for (int i = 0; i < out->count && result == SCREE_OK; i++) out->colours[i] = -1;
    if (result != SCREE_OK) out->count = out->points = 0;
    broadphase_destroy(pairs_of);
    contact_search_release(&search);
    free(boxes);
    return result;
}

/* Makes the ground, a box on it, a sphere on the box, and another sphere next to them. */
static body_array small_scene(void) {
    body_array bodies = bodies_make(4);
    bodies.types[0] = SLOT_STATIC, bodies.shapes[0] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
    bodies.shapes[1] = shape_of(SCREE_SHAPE_BOX, 1, 1, 0.5f), bodies.poses[1].position = vec3_of(0, 0, 0.5f);
    bodies.poses[2].position = vec3_of(0.2f, 0.1f, 1.5f);
    bodies.poses[3].position = vec3_of(5, 0, 0.5f);
    return bodies;
}

static contact_pair *find(contact_set *set, int a, int b) {
    for (int i = 0; i < set->count; i++)
        if (set->pairs[i].manifold.a == a && set->pairs[i].manifold.b == b) return &set->pairs[i];
    return NULL;
}

static void fill_impulses(contact_set *set) {
    for (int i = 0; i < set->count; i++) {
        set->colours[i] = i + 3;
        for (int k = 0; k < set->pairs[i].manifold.count; k++)
            contact_actions(set, &set->pairs[i])[k].impulse =
                vec3_of((float)i, (float)k, (float)contact_places(set, &set->pairs[i])[k].feature);
    }
}

static void impulses_follow_features(void **state) {
    (void)state;
    body_array bodies = small_scene();
    contact_set first = {0}, second = {0};
    CHECK(update(&first, &second, &bodies, 1e-3f, 0, 2));
    assert_int_equal(first.count, 3);
    assert_int_equal(first.points, 6);
    const int expected[3][3] = {{0, 1, 4}, {0, 3, 1}, {1, 2, 1}};
    for (int i = 0; i < 3; i++) {
        const contact_pair *pair = &first.pairs[i];
        assert_int_equal(pair->manifold.a, expected[i][0]);
        assert_int_equal(pair->manifold.b, expected[i][1]);
        assert_int_equal(pair->manifold.count, expected[i][2]);
        assert_int_equal(pair->last_colour, -1);
        assert_int_equal(pair->hits, 0);
        for (int k = 0; k < pair->manifold.count; k++)
            assert_true(glms_vec3_norm(contact_actions(&first, pair)[k].impulse) == 0);
    }
    fill_impulses(&first);

    /* Tilted about y: two corners of the box leave the ground; the separate sphere leaves too, and one lands
     * on the box. */
    bodies.poses[1].rotation = versor_of(0, -0.01f, 0, 1);
    bodies.poses[1].position.z = 0.52f;
    bodies.poses[2].position.z = 1.52f;
    bodies.poses[3].position = vec3_of(-0.9f, 0.1f, 1.502f);
    const manifold_point *old = contact_places(&first, &first.pairs[0]);
    const int old_count = first.pairs[0].manifold.count;
    CHECK(update(&second, &first, &bodies, 1e-3f, 0, 2));
    assert_null(find(&second, 0, 3));
    const contact_pair *ground = find(&second, 0, 1);
    assert_non_null(ground);
    assert_int_equal(ground->manifold.count, 2);
    assert_int_equal(ground->hits, 2);
    assert_int_equal(ground->last_colour, 3);
    for (int k = 0; k < 2; k++) {
        const uint32_t feature = contact_places(&second, ground)[k].feature;
        assert_true(contact_actions(&second, ground)[k].impulse.z == (float)feature);
        int same = -1;
        for (int i = 0; i < old_count; i++)
            if (old[i].feature == feature) same = i;
        assert_true(same >= 0 && contact_actions(&second, ground)[k].impulse.y == (float)same);
        assert_true(fabsf(old[same].position.x - contact_places(&second, ground)[k].position.x) < 0.05f);
    }
    const contact_pair *on_top = find(&second, 1, 2), *landed = find(&second, 1, 3);
    assert_non_null(on_top);
    assert_true(on_top->hits == 1 && on_top->last_colour == 5);
    assert_true(contact_actions(&second, on_top)[0].impulse.x == 2);
    assert_non_null(landed);
    assert_true(landed->hits == 0 && landed->last_colour == -1);
    /* The input set is unchanged. */
    assert_true(first.count == 3 && first.points == 6 &&
                contact_actions(&first, first.pairs)[1].impulse.y == 1);
    contacts_release(&first);
    contacts_release(&second);
    bodies_free(&bodies);
}

/* A box on two of its corners comes down on the other two. None has a previous feature id, and each takes
 * over the impulse of the corner on its side. The sum, which bears the box, stays. */
static void impulses_stay_with_a_pair_whose_points_change(void **state) {
    (void)state;
    body_array bodies = small_scene();
    contact_set first = {0}, second = {0};
    bodies.poses[1].rotation = versor_of(0, -0.01f, 0, 1), bodies.poses[1].position.z = 0.52f;
    CHECK(update(&first, &second, &bodies, 1e-3f, 0, 1));
    const contact_pair *before = find(&first, 0, 1);
    assert_non_null(before);
    assert_int_equal(before->manifold.count, 2);
    for (int k = 0; k < 2; k++)
        contact_actions(&first, before)[k].impulse =
            vec3_of(contact_places(&first, before)[k].position.y, 0, 5);
    bodies.poses[1].rotation = versor_of(0, 0.01f, 0, 1);
    CHECK(update(&second, &first, &bodies, 1e-3f, 0, 1));
    const contact_pair *after = find(&second, 0, 1);
    assert_non_null(after);
    assert_true(after->manifold.count == 2 && after->hits == 2);
    scalar sum = 0;
    for (int k = 0; k < 2; k++) {
        const manifold_point *point = &contact_places(&second, after)[k];
        const vec3s impulse = contact_actions(&second, after)[k].impulse;
        for (int i = 0; i < 2; i++) {
            const manifold_point *old = &contact_places(&first, before)[i];
            assert_true(old->feature != point->feature && old->position.x * point->position.x < 0);
        }
        assert_true(impulse.x * point->position.y > 0);
        sum += impulse.z;
    }
    assert_true(sum == 10);
    contacts_release(&first);
    contacts_release(&second);
    bodies_free(&bodies);
}

static void pairs_vanish_and_appear(void **state) {
    (void)state;
    body_array bodies = small_scene();
    contact_set first = {0}, second = {0};
    CHECK(update(&first, &second, &bodies, 1e-3f, 0, 1));
    fill_impulses(&first);
    bodies.types[1] = SLOT_FREE;
    bodies.poses[2].position = vec3_of(4.5f, 0, 1.2f);
    CHECK(update(&second, &first, &bodies, 1e-3f, 0, 1));
    assert_int_equal(second.count, 2);
    assert_non_null(find(&second, 0, 3));
    assert_int_equal(find(&second, 0, 3)->hits, 1);
    assert_non_null(find(&second, 2, 3));
    assert_int_equal(find(&second, 2, 3)->hits, 0);
    /* no bodies left */
    for (int i = 0; i < 4; i++) bodies.types[i] = SLOT_FREE;
    CHECK(update(&first, &second, &bodies, 1e-3f, 0, 1));
    assert_int_equal(first.count + first.points, 0);
    contacts_release(&first);
    contacts_release(&second);
    bodies_free(&bodies);
}

/* Asserts how many pairs and points a reader sees. */
static void assert_living(const contact_set *set, const body_array *bodies, int pairs, int points) {
    int seen;
    assert_int_equal(contacts_living(set, bodies, &seen), pairs);
    assert_int_equal(seen, points);
}

static void a_gone_slot_leaves_the_others(void **state) {
    (void)state;
    body_array bodies = small_scene();
    contact_set set = {0}, empty = {0};
    uint8_t gone[8] = {0};
    CHECK(update(&set, &empty, &bodies, 1e-3f, 0, 1));
    fill_impulses(&set);
    bodies.gone = gone;
    body_mark_gone(&bodies, 2);
    assert_living(&set, &bodies, 2, 5);
    assert_true(contacts_are_gone(&bodies, find(&set, 1, 2)));
    body_mark_gone(&bodies, 1);
    assert_living(&set, &bodies, 1, 1);
    assert_false(contacts_are_gone(&bodies, find(&set, 0, 3)));
    assert_true(set.colours[find(&set, 0, 3) - set.pairs] == 4);
    body_mark_gone(&bodies, 0);
    assert_living(&set, &bodies, 0, 0);
    body_mark_gone(&bodies, 0);
    assert_living(&set, &bodies, 0, 0);
    bodies.gone = NULL;
    contacts_release(&set);
    bodies_free(&bodies);
}

/* A ball, and a randomly oriented cube, flying at 5 m/s (and spinning) at a thin wall: some step before the
 * surfaces pass each other has a contact. */
static void fast_bodies_get_contacts_before_passing(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 200; round++) {
        body_array bodies = bodies_make(2);
        const bool cube = round % 2;
        bodies.types[0] = SLOT_STATIC, bodies.shapes[0] = shape_of(SCREE_SHAPE_BOX, 0.001f, 1, 1);
        bodies.shapes[1] = cube ? shape_of(SCREE_SHAPE_BOX, 0.01f, 0.01f, 0.01f)
                                : shape_of(SCREE_SHAPE_SPHERE, 0.002f, 0, 0);
        bodies.poses[1].rotation = random_rotation(&seed);
        bodies.poses[1].position = vec3_of(random_between(&seed, -0.3, -0.2), 0, 0);
        bodies.velocities[1].linear = vec3_of(5, random_between(&seed, -2, 2), random_between(&seed, -2, 2));
        bodies.velocities[1].angular = random_vector(&seed, -20, 20);
        contact_set first = {0}, second = {0};
        bool seen = false;
        while (bodies.poses[1].position.x < 0.1f && !seen) {
            CHECK(update(&first, &second, &bodies, 0, 0, 1));
            seen = first.count > 0;
            if (seen) {
                /* Still in front, with the normal opposing the motion. */
                assert_true(bodies.poses[1].position.x < -0.001f);
                assert_true(first.pairs[0].manifold.normal.x < -0.99f);
                double gap = 1;
                for (int i = 0; i < first.points; i++) gap = fmin(gap, first.places[i].gap);
                assert_true(gap > -1e-6);
            }
            bodies.poses[1].position =
                glms_vec3_add(bodies.poses[1].position, glms_vec3_scale(bodies.velocities[1].linear, step));
        }
        assert_true(seen);
        contacts_release(&first);
        contacts_release(&second);
        bodies_free(&bodies);
    }
}

/* Bodies that separate, or pass at a distance, get no contact beyond the margin and the speculative margin, 5
 * m/s · 8.3 ms. */
static void separating_bodies_get_no_contact(void **state) {
    (void)state;
    body_array bodies = bodies_make(2);
    bodies.poses[1].position.x = 1.06f;
    contact_set first = {0}, second = {0};
    const struct {
        vec3s velocity;
        int count;
    } cases[] = {
        {vec3_of(-5, 0, 0), 1}, {vec3_of(5, 0, 0), 0}, {vec3_of(0, 5, 0), 0}, {vec3_of(-1, 5, 0), 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bodies.velocities[1].linear = cases[i].velocity;
        CHECK(update(&first, &second, &bodies, 1e-3f, 0, 1));
        assert_int_equal(first.count, cases[i].count);
    }
    contacts_release(&first);
    contacts_release(&second);
    bodies_free(&bodies);
}

/* A body that falls along with others has no approach velocity, but stops when they do: a pair is found up to
 * h |v| and up to the smaller half size; at rest, no farther than the margin. */
static void common_motion_has_a_speculative_margin(void **state) {
    (void)state;
    const struct {
        float gap, speed, radius;
        int count;
    } cases[] = {{0.02f, 3, 0.5f, 1},    {0.02f, 2, 0.5f, 0},   {0.02f, 0, 0.5f, 0},
                 {0.02f, 30, 0.018f, 0}, {0.02f, 30, 0.02f, 1}, {0.0009f, 0, 0.5f, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        body_array bodies = bodies_make(2);
        contact_set first = {0}, second = {0};
        bodies.shapes[1].size.x = cases[i].radius;
        bodies.poses[1].position.z = 0.5f + cases[i].radius + cases[i].gap;
        for (int k = 0; k < 2; k++) bodies.velocities[k].linear.z = -cases[i].speed;
        CHECK(update(&first, &second, &bodies, 1e-3f, 0, 1));
        assert_int_equal(first.count, cases[i].count);
        contacts_release(&first);
        bodies_free(&bodies);
    }
}

/* Makes a heap of spheres and boxes of a few sizes on tilted ground. */
static body_array heap(int count) {
    uint64_t seed = 23;
    body_array bodies = bodies_make(count);
    for (int i = 0; i < count; i++) {
        const float r = random_between(&seed, 0.05, 0.1);
        bodies.shapes[i] =
            i % 3 ? shape_of(SCREE_SHAPE_SPHERE, r, 0, 0) : shape_of(SCREE_SHAPE_BOX, r, 0.7f * r, 0.5f * r);
        bodies.poses[i] = pose_of(random_vector(&seed, -1, 1), random_rotation(&seed));
        bodies.velocities[i].linear = random_vector(&seed, -1, 1);
        bodies.velocities[i].angular = random_vector(&seed, -5, 5);
    }
    bodies.types[7] = SLOT_STATIC, bodies.shapes[7].kind = SCREE_SHAPE_HALF_SPACE;
    return bodies;
}

static void thread_counts_agree(void **state) {
    (void)state;
    body_array bodies = heap(4000);
    contact_set before = {0}, empty = {0}, reference = {0};
    CHECK(update(&before, &empty, &bodies, 1e-3f, 0, 1));
    fill_impulses(&before);
    for (int i = 0; i < bodies.count; i++) bodies.poses[i].position.x *= 0.999f;
    CHECK(update(&reference, &before, &bodies, 1e-3f, 0, 1));
    assert_true(reference.count > 5000);
    int hits = 0, sorted = 0, points = 0;
    for (int i = 0; i < reference.count; i++) {
        const contact_manifold *shape = &reference.pairs[i].manifold,
                               *last = i ? &reference.pairs[i - 1].manifold : NULL;
        sorted += !last || last->a < shape->a || (last->a == shape->a && last->b < shape->b);
        hits += reference.pairs[i].hits;
        points += shape->count;
        if (i % 50) continue;
        const contact_pair *old = find(&before, shape->a, shape->b);
        assert_int_equal(reference.pairs[i].last_colour, old ? before.colours[old - before.pairs] : -1);
    }
    assert_int_equal(sorted, reference.count);
    assert_int_equal(points, reference.points);
    assert_true(hits > points / 2);
    for (int threads = 2; threads < 9; threads += threads == 2 ? 1 : 5) {
        contact_set other = {0};
        CHECK(update(&other, &before, &bodies, 1e-3f, 0, threads));
        assert_int_equal(other.count, reference.count);
        assert_int_equal(other.points, reference.points);
        assert_memory_equal(other.pairs, reference.pairs, (size_t)other.count * sizeof *other.pairs);
        assert_memory_equal(other.places, reference.places, (size_t)other.points * sizeof *other.places);
        contacts_release(&other);
    }
    contacts_release(&before);
    contacts_release(&reference);
    bodies_free(&bodies);
}

static void a_limit_is_kept(void **state) {
    (void)state;
    body_array bodies = small_scene();
    contact_set set = {0}, empty = {0};
    CHECK(update(&set, &empty, &bodies, 1e-3f, 6, 1));
    assert_int_equal(set.points, 6);
    assert_int_equal(update(&set, &empty, &bodies, 1e-3f, 5, 1), SCREE_ERROR_CAPACITY);
    assert_non_null(strstr(scree_error_get_message(), "contact points"));
    assert_int_equal(set.count + set.points, 0);
    contacts_release(&set);
    bodies_free(&bodies);
}

static _Atomic int allocations_left, blocks_held; /* each thread's narrow phase allocates */

static void *allocate_some(size_t bytes, void *user) {
    (void)user;
    if (allocations_left-- <= 0) return NULL;
    blocks_held++;
    return malloc(bytes);
}

static void release_some(void *block, void *user) {
    (void)user;
    blocks_held--;
    free(block);
}

static void memory_failures_are_reported(void **state) {
    (void)state;
    body_array bodies = heap(1500);
    scree_set_allocator(&(scree_allocator){allocate_some, release_some, NULL});
    contact_set before = {0}, empty = {0};
    allocations_left = 1000000;
    CHECK(update(&before, &empty, &bodies, 1e-3f, 0, 2));
    fill_impulses(&before);
    const size_t size = (size_t)before.count * sizeof *before.pairs;
    contact_pair *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, before.pairs, size);
    const int held = blocks_held;
    int failures = 0;
    for (int n = 0;; n++) {
        contact_set set = {0};
        allocations_left = n;
        const scree_result result = update(&set, &before, &bodies, 1e-3f, 0, 2);
        assert_memory_equal(copy, before.pairs, size);
        if (result != SCREE_OK) assert_int_equal(set.count + set.points, 0);
        contacts_release(&set);
        assert_int_equal(blocks_held, held);
        if (result == SCREE_OK) break;
        assert_int_equal(result, SCREE_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures > 10);
    contacts_release(&before);
    assert_int_equal(blocks_held, 0);
    scree_set_allocator(NULL);
    free(copy);
    bodies_free(&bodies);
}

enum { CELLS = 8 };

/* Makes a strip of squares of 1 m, two triangles each, below a compound of two adjacent boxes. */
static body_array strip_scene(void) {
    scree_vec3 corners[2 * (CELLS + 1)];
    scree_triangle triangles[2 * CELLS];
    scree_compound_child parts[2] = {scree_default_compound_child(), scree_default_compound_child()};
    scree_geometry *strip = NULL, *boxes = NULL;
    for (int i = 0; i <= CELLS; i++)
        for (int k = 0; k < 2; k++) corners[2 * i + k] = (scree_vec3){(float)i, k ? 1.5f : -1.5f, 0};
    for (int i = 0; i < CELLS; i++) {
        triangles[2 * i] = (scree_triangle){{2 * i, 2 * i + 2, 2 * i + 1}};
        triangles[2 * i + 1] = (scree_triangle){{2 * i + 1, 2 * i + 2, 2 * i + 3}};
    }
    for (int k = 0; k < 2; k++) {
        parts[k].shape = scree_shape_box(0.2f, 0.2f, 0.2f);
        parts[k].position.y = k ? 0.5f : -0.5f;
    }
    CHECK(scree_mesh_create(corners, 2 * (CELLS + 1), triangles, 2 * CELLS, &strip));
    CHECK(scree_compound_create(parts, 2, &boxes));
    body_array bodies = bodies_make(2);
    bodies.types[0] = SLOT_STATIC, bodies.shapes[0] = scree_shape_mesh(strip, 1);
    bodies.shapes[1] = scree_shape_compound(boxes, 1);
    return bodies;
}

/* When two child boxes move onto other triangles of a plane, each corner keeps its own impulse. */
static void children_keep_their_impulses_on_a_plane(void **state) {
    (void)state;
    body_array bodies = strip_scene();
    contact_set first = {0}, second = {0};
    int carried = 0;
    bodies.poses[1].position = vec3_of(2.5f, 0, 0.2f);
    CHECK(update(&first, &second, &bodies, 1e-3f, 0, 1));
    for (int i = 0; i < first.count; i++)
        for (int k = 0; k < first.pairs[i].manifold.count; k++) {
            const contact_pair *pair = &first.pairs[i];
            contact_actions(&first, pair)[k].impulse = glms_vec3_add(
                glms_vec3_sub(contact_places(&first, pair)[k].position, bodies.poses[1].position),
                vec3_of(10, 10, 10));
        }
    bodies.poses[1].position.x = 4.5f;
    CHECK(update(&second, &first, &bodies, 1e-3f, 0, 1));
    for (int i = 0; i < second.count; i++)
        for (int k = 0; k < second.pairs[i].manifold.count; k++) {
            const contact_pair *pair = &second.pairs[i];
            const vec3s had = contact_actions(&second, pair)[k].impulse;
            if (glms_vec3_norm2(had) == 0) continue;
            const vec3s at =
                glms_vec3_sub(contact_places(&second, pair)[k].position, bodies.poses[1].position);
            ASSERT_AT_MOST(glms_vec3_norm(glms_vec3_sub(had, glms_vec3_add(at, vec3_of(10, 10, 10)))), 1e-4);
            carried++;
        }
    assert_int_equal(carried, 8);
    contacts_release(&first), contacts_release(&second);
    for (int i = 0; i < 2; i++)
        scree_geometry_release((scree_geometry *)(uintptr_t)bodies.shapes[i].geometry);
    bodies_free(&bodies);
}

/* Fills in pairs a < b in order, some of the same bodies, whose gaps identify their points. */
static void fill_set(contact_set *set, uint64_t *seed, int count, scalar name) {
    int a = 0, b = 1;
    contacts_clear(set);
    for (int i = 0; i < count; i++) {
        const int steps = (int)(random_bits(seed) % 4);
        b += steps;
        if (b > 12) a++, b = a + 1;
        manifold found = {.a = a, .b = b, .count = 1 + (int)(random_bits(seed) % 3)};
        for (int k = 0; k < found.count; k++) found.points[k].gap = name + (scalar)(4 * i + k);
        CHECK(contacts_append(set, (contact_pair){.last_colour = -1}, &found, NULL));
    }
    CHECK(MEMORY_RESERVE(set->actions, set->action_capacity, (size_t)set->action_count + 1, NULL));
    for (int i = 0; i < set->action_count; i++)
        set->actions[i] = (contact_action){.push = set->places[i].gap};
}

/* Merging two sets keeps the order, existing pairs first, each with its own points. */
static void pairs_are_added_in_order(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 200; round++) {
        contact_set set = {0}, more = {0};
        int seen[2] = {0, 0}, same = 0;
        const int counts[2] = {round % 40, (round / 3) % 30};
        fill_set(&set, &seed, counts[0], 0);
        fill_set(&more, &seed, counts[1], 1000);
        CHECK(contacts_add(&set, &more, 0, NULL));
        assert_int_equal(set.count, counts[0] + counts[1]);
        for (int i = 0; i < set.count; i++) {
            const contact_pair *pair = &set.pairs[i];
            const manifold_point *at = contact_places(&set, pair);
            const bool added = at->gap >= 1000;
            const scalar name = (scalar)(1000 * added + 4 * seen[added]++);
            for (int k = 0; k < pair->manifold.count; k++) {
                assert_true(at[k].gap == name + (scalar)k);
                assert_true(contact_actions(&set, pair)[k].push == (added ? 0 : at[k].gap));
            }
            if (i == 0) continue;
            const contact_manifold *here = &pair->manifold, *before = &pair[-1].manifold;
            assert_true(before->a < here->a || (before->a == here->a && before->b <= here->b));
            if (before->a != here->a || before->b != here->b) continue;
            assert_false(contact_places(&set, pair - 1)->gap >= 1000 && !added);
            same++;
        }
        assert_true(same > 0 || round < 20 || counts[0] * counts[1] < 50);
        contacts_release(&set), contacts_release(&more);
    }
}

/* A pair that is added again reports no more overlap than before: that of the deepest point of the first
 * among those of the same child. */
static void added_again_pairs_keep_their_overlap(void **state) {
    (void)state;
    enum { PARTS = 3 };
    const manifold found = {.a = 1, .b = 2, .count = 1, .normal = vec3_of(0, 0, 1)};
    contact_set set = {0}, more = {0};
    for (int part = 0; part < PARTS; part++) {
        manifold now = found, at_end = found;
        now.children = at_end.children = part, now.count = 2;
        now.points[0].gap = -1e-3f * (float)part, now.points[1].gap = -2e-3f * (float)part;
        at_end.points[0].gap = -3e-3f;
        CHECK(contacts_append(&set, (contact_pair){.last_colour = -1}, &now, NULL));
        CHECK(contacts_append(&more, (contact_pair){.last_colour = -1, .predicted = true}, &at_end, NULL));
    }
    CHECK(contacts_add(&set, &more, 0, NULL));
    assert_int_equal(set.count, 2 * PARTS);
    for (int i = 0; i < set.count; i++) {
        const contact_pair *pair = &set.pairs[i];
        const float deepest = 2e-3f * (float)pair->manifold.children, own = pair->predicted ? 3e-3f : deepest;
        assert_true(pair->predicted == (i >= PARTS));
        assert_true(contact_overlap(&set, pair, pair->predicted ? 0 : 1) == fminf(own, deepest));
    }
    contacts_settle(&set, 1);
    for (int i = PARTS; i < set.count; i++)
        assert_true(contact_places(&set, &set.pairs[i])->gap ==
                    -fminf(3e-3f, 2e-3f * (float)set.pairs[i].manifold.children));
    contacts_release(&set), contacts_release(&more);
}

/* Bit fields hold the extremes of a pair: four points, and the largest periodic image indices. */
static void images_of_either_sign_are_kept(void **state) {
    (void)state;
    const int farthest = PERIOD_CELLS_MOST + 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        const int cells[3] = {sign * farthest, -sign * farthest, sign * farthest};
        const manifold found = {.count = MANIFOLD_POINTS, .image = period_image(cells)};
        const contact_manifold kept = contact_manifold_of(&found);
        assert_true(kept.image == found.image && kept.count == MANIFOLD_POINTS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_follow_features),
        cmocka_unit_test(children_keep_their_impulses_on_a_plane),
        cmocka_unit_test(impulses_stay_with_a_pair_whose_points_change),
        cmocka_unit_test(pairs_vanish_and_appear),
        cmocka_unit_test(a_gone_slot_leaves_the_others),
        cmocka_unit_test(fast_bodies_get_contacts_before_passing),
        cmocka_unit_test(separating_bodies_get_no_contact),
        cmocka_unit_test(common_motion_has_a_speculative_margin),
        cmocka_unit_test(thread_counts_agree),
        cmocka_unit_test(pairs_are_added_in_order),
        cmocka_unit_test(a_limit_is_kept),
        cmocka_unit_test(memory_failures_are_reported),
        cmocka_unit_test(added_again_pairs_keep_their_overlap),
        cmocka_unit_test(images_of_either_sign_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
