/* Host memory runs out: an allocation fails, for every chain of calls to one in a small scene. Nothing
 * crashes or leaks, and a failed step can be repeated. */
#include "scenery.h"

#include "base/hash.h"
#include "base/memory.h"

#include <execinfo.h>
#include <sys/mman.h>

static long countdown, live;

/* Chains of calls to an allocation, by their hashes: the first allocation of each in the present run; −1: the
 * run has none. Chains before `known` have failed on other backends. */
enum { MOST_CHAINS = 4096, CHAIN = 64 };
static struct {
    long made;
    int known, count;
    int above; /* calls above small_run, which are no part of a chain */
    uint64_t chains[MOST_CHAINS];
    long first[MOST_CHAINS];
} places;
static bool notes_places;

static void note_place(void) {
    void *calls[CHAIN];
    const int depth = backtrace(calls, CHAIN) - places.above;
    const uint64_t chain = hash_bytes(HASH_BASIS, calls, (size_t)depth * sizeof *calls);
    int i = 0;
    while (i < places.count && places.chains[i] != chain) i++;
    if (i == places.count) {
        assert_true(places.count < MOST_CHAINS);
        places.chains[i] = chain, places.first[i] = places.made, places.count++;
    }
    if (places.first[i] < 0) places.first[i] = places.made;
    places.made++;
}

/* Begins to note the allocations of another run. */
static void note_places(void) {
    void *calls[CHAIN];
    for (int i = 0; i < places.count; i++) places.first[i] = -1;
    places.above = backtrace(calls, CHAIN) - 1; /* without this one */
    places.known = places.count, places.made = 0, notes_places = true;
}

static void *failing_allocate(size_t bytes, void *user) {
    (void)user;
    if (notes_places) note_place();
    if (countdown-- == 0) return NULL;
    live++;
    return malloc(bytes);
}

static void counting_release(void *block, void *user) {
    (void)user;
    live -= block != NULL;
    free(block);
}

/* Runs a world with a few grains for three steps and a frame; ends at the first failure, or repeats a failed
 * step. */
static scree_result small_run(scree_backend_kind backend, scree_pipeline pipeline, uint64_t *hash) {
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    scree_body_def body = scree_default_body_def();
    scree_frame frame = {0};
    def.backend = backend;
    def.pipeline = pipeline;
    def.threads = 1;
    def.solver.colours = 2;
    scree_result result = scree_world_create(&def, &world);
    if (result != SCREE_OK) return result;
    for (int i = 0; result == SCREE_OK && i < 8; i++) {
        body.shape = i % 2 ? scree_shape_sphere(0.1f) : scree_shape_box(0.1f, 0.1f, 0.1f);
        body.type = i ? SCREE_BODY_DYNAMIC : SCREE_BODY_STATIC;
        body.state.position = (scree_vec3){0.1f * (float)i, 0, 0.15f * (float)i};
        result = scree_body_create(world, &body, NULL);
    }
    for (int i = 0; result == SCREE_OK && i < 3; i++) {
        result = scree_world_step(world, NULL);
        /* One allocation failed and no more will: the step must succeed now. */
        if (result == SCREE_ERROR_MEMORY && countdown < 0) result = scree_world_step(world, NULL);
    }
    if (result == SCREE_OK) *hash = scree_world_get_hash(world);
    /* 0: the contacts could not be brought from the device, where they stay. */
    if (result == SCREE_OK && *hash == 0 && countdown < 0) *hash = scree_world_get_hash(world);
    if (result == SCREE_OK) result = scree_frame_from_world(world, &frame);
    scree_frame_release(&frame);
    scree_world_destroy(world);
    return result;
}

static void fail_each_allocation(scree_backend_kind backend, scree_pipeline pipeline) {
    const scree_allocator allocator = {failing_allocate, counting_release, NULL};
    uint64_t expected = 0, hash = 0;
    scree_set_allocator(&allocator);
    countdown = 1000000;
    note_places();
    CHECK(small_run(backend, pipeline, &expected));
    notes_places = false;
    assert_int_equal(live, 0);
    assert_true(places.count - places.known > 5);
    /* A run on a device takes a tenth of a second, and a quarter under a sanitizer. Some of the chains that
     * failed on another backend suffice there. */
    const bool device = backend == SCREE_BACKEND_OPENCL, brief = getenv("SCREE_TEST_SHORT");
    int failed = 0;
    for (int i = 0; i < places.count; i++) {
        const int apart = !device ? 1 : i < places.known ? (brief ? 28 : 4) : brief ? 7 : 1;
        if (places.first[i] < 0 || i % apart) continue;
        failed++;
        countdown = places.first[i];
        hash = expected;
        const scree_result result = small_run(backend, pipeline, &hash);
        if (result != SCREE_OK && result != SCREE_ERROR_MEMORY)
            fail_msg("allocation %ld of %ld: %s: %s", places.first[i], places.made, scree_result_name(result),
                     scree_error_get_message());
        assert_int_equal(hash, expected);
        assert_int_equal(live, 0);
    }
    print_message("%ld allocations in %d places and %d new ones, of which %d failed once\n", places.made,
                  places.known, places.count - places.known, failed);
    scree_set_allocator(NULL);
}

static void every_allocation_may_fail(void **state) {
    const scree_backend_kind backend = def_on(state).backend;
    fail_each_allocation(backend, SCREE_PIPELINE_HOST);
    if (backend == SCREE_BACKEND_OPENCL) fail_each_allocation(backend, SCREE_PIPELINE_DEVICE);
}

/* A step that fails may have moved the memory in which the blocks of the last step lie. */
static void a_failed_step_has_no_problem(void **state) {
    scree_world_def def = def_on(state);
    scree_problem *problem = NULL;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 63; i++) {
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0.3f * (float)i, 0, 0.1f},
                 (scree_vec3){0, 0, 0});
        if (i == 2) run_for(world, 0.05);
    }
    CHECK(scree_world_set_limits(world, 0, 1));
    assert_int_equal(scree_world_step(world, NULL), SCREE_ERROR_CAPACITY);
    CHECK(scree_problem_from_world(world, &problem));
    assert_int_equal(scree_problem_contact_count(problem), 0);
    scree_problem_destroy(problem);
    CHECK(scree_world_set_limits(world, 0, 0));
    CHECK(scree_world_step(world, NULL));
    CHECK(scree_problem_from_world(world, &problem));
    assert_int_equal(scree_problem_contact_count(problem), 252);
    scree_problem_destroy(problem);
    scree_world_destroy(world);
}

/* Returns bodies to their initial states and lets them fall; with `held` no step may allocate. */
static void fall(scree_world *world, const scree_body_id *ids, const scree_body_state *begin, int count,
                 bool held) {
    for (int i = 0; i < count; i++) CHECK(scree_body_set_state(world, ids[i], &begin[i]));
    for (int i = 0; i < 60; i++) {
        const long before = countdown;
        CHECK(scree_world_step(world, NULL));
        if (held && countdown != before) fail_msg("step %d: %ld allocations", i, before - countdown);
    }
}

/* Balls and cubes fall into a heap, fast enough for further detection passes, repeatedly from the same
 * places: the memory of one fall suffices for the next. */
static void a_step_allocates_nothing(void **state) {
    enum { BODIES = 125 };
    scree_world_def def = def_on(state);
    scree_body_id ids[BODIES];
    scree_body_state begin[BODIES];
    const scree_allocator allocator = {failing_allocate, counting_release, NULL};
#ifdef SCREE_VALIDATE
    skip(); /* validation allocates too */
#endif
    scree_set_allocator(&allocator);
    countdown = 1000000;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < BODIES; i++) {
        const scree_vec3 at = {0.19f * (float)(i % 5), 0.19f * (float)(i / 5 % 5),
                               0.3f + 0.23f * (float)(i / 25)};
        ids[i] = add_body(world, i % 3 ? scree_shape_sphere(0.1f) : scree_shape_box(0.08f, 0.08f, 0.08f), at,
                          (scree_vec3){0, 0, -2 - 2 * (float)(i / 25)});
        begin[i] = state_of(world, ids[i]);
    }
    for (int falls = 0; falls < 4; falls++) fall(world, ids, begin, BODIES, falls == 3);
    scree_world_destroy(world);
    scree_set_allocator(NULL);
    assert_int_equal(live, 0);
}

/* bytes; see memory_per_body_and_contact_is_bounded */
enum { MOST_OF_BODY = 1500, MOST_OF_CONTACT = 970 };

static size_t held;

/* The size is stored before each block. */
static void *weighing_allocate(size_t bytes, void *user) {
    (void)user;
    max_align_t *block = malloc(bytes + sizeof *block);
    if (!block) return NULL;
    memcpy(block, &bytes, sizeof bytes);
    held += bytes;
    return block + 1;
}

static void weighing_release(void *block, void *user) {
    (void)user;
    if (!block) return;
    size_t bytes;
    max_align_t *at = (max_align_t *)block - 1;
    memcpy(&bytes, at, sizeof bytes);
    held -= bytes;
    free(at);
}

/* Adds a wall of a square shaft of this width around balls that start at the origin. */
static void add_wall(scree_world *world, int side, float width) {
    const float turn = sqrtf(0.5f), at = side % 2 ? width - 0.05f : -0.05f, to = side % 2 ? -turn : turn;
    scree_body_def wall = scree_default_body_def();
    wall.type = SCREE_BODY_STATIC, wall.shape = scree_shape_half_space();
    if (side < 2)
        wall.state.position.x = at, wall.state.rotation = (scree_quat){0, to, 0, turn};
    else
        wall.state.position.y = at, wall.state.rotation = (scree_quat){-to, 0, 0, turn};
    CHECK(scree_body_create(world, &wall, NULL));
}

/* Memory per body and per contact, including spare capacity, of balls on a lattice that falls and comes to
 * rest; it does not grow with time. The bounds are a tenth above the measured values. */
static void memory_per_body_and_contact_is_bounded(void **state) {
    enum { SIDE = 12, BODIES = SIDE * SIDE * SIDE };
    scree_world_def def = def_on(state);
    scree_statistics s;
    const scree_allocator allocator = {weighing_allocate, weighing_release, NULL};
#ifdef SCREE_VALIDATE
    skip(); /* validation allocates too */
#endif
    scree_set_allocator(&allocator);
    def.threads = 1;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 4; i++) add_wall(world, i, 0.1f * (float)SIDE);
    for (int i = 0; i < BODIES; i++) {
        const int row = i / SIDE % SIDE, layer = i / SIDE / SIDE;
        add_body(world, scree_shape_sphere(0.05f),
                 (scree_vec3){0.1f * (float)(i % SIDE), 0.1f * (float)row, 0.0505f + 0.1f * (float)layer},
                 (scree_vec3){0, 0, 0});
    }
    for (int i = 0; i < 100; i++) CHECK(scree_world_step(world, &s));
    const size_t before = held;
    print_message("%d bodies, %d contacts: %zu bytes\n", s.bodies, s.contacts, held);
    assert_true(s.contacts > BODIES);
    assert_true(held < MOST_OF_BODY * (size_t)s.bodies + MOST_OF_CONTACT * (size_t)s.contacts);
    for (int i = 0; i < 40; i++) CHECK(scree_world_step(world, &s));
    print_message("later %d contacts: %zu bytes\n", s.contacts, held);
    assert_true(held <= before + before / 50);
    scree_world_destroy(world);
    scree_set_allocator(NULL);
    assert_int_equal(held, 0);
}

#ifdef MEMORY_HAS_PAGES
static size_t resident(const void *block, size_t bytes) {
    enum { PAGE = 4096 };
    static unsigned char pages[1 << 16];
    char *first = (char *)((uintptr_t)block / PAGE * PAGE);
    size_t count = ((size_t)((const char *)block - first) + bytes + PAGE - 1) / PAGE, there = 0;
    assert_true(count <= sizeof pages);
    assert_int_equal(mincore(first, count * PAGE, pages), 0);
    for (size_t i = 0; i < count; i++) there += pages[i] & 1;
    return there * PAGE;
}
#endif

/* Untouched scratch takes no memory; written data stays when a large block grows, and the rest is zero. */
static void untouched_scratch_takes_no_memory(void **state) {
    (void)state;
    enum { FEW = 1000, MANY = 20000000 };
    int capacity = 0, *numbers = NULL;
    CHECK(MEMORY_RESERVE(numbers, capacity, FEW, NULL));
    for (int i = 0; i < FEW; i++) numbers[i] = i + 1;
    const int needed[] = {10 * FEW, 1000 * FEW, MANY};
    for (int k = 0; k < 3; k++) {
        CHECK(MEMORY_RESERVE(numbers, capacity, needed[k], NULL));
        assert_true((uintptr_t)numbers % 64 == 0);
        for (int i = 0; i < FEW; i++) assert_int_equal(numbers[i], i + 1);
    }
    assert_true(numbers[FEW] == 0 && numbers[MANY - 1] == 0);
#ifdef MEMORY_HAS_PAGES
    assert_true(resident(numbers, MANY * sizeof *numbers) < 1 << 20);
#endif
    memory_release(numbers);
}

/* Consecutive stages get the same memory, which grows with their needs. */
static void scratch_is_reused(void **state) {
    (void)state;
    enum { FEW = 1000, MANY = 5000000 };
    scratch_arena scratch = {0};
    void *first = NULL, *second = NULL, *third = NULL;
    int regrown = 0;
    CHECK(scratch_take(&scratch, MANY, &first, &regrown));
    memset(first, 1, MANY);
    CHECK(scratch_take(&scratch, FEW, &second, &regrown));
    assert_ptr_equal(first, second);
    assert_int_equal(regrown, 0);
    CHECK(scratch_take(&scratch, 3 * MANY, &third, &regrown));
    assert_int_equal(regrown, 1);
    assert_true((uintptr_t)third % 64 == 0);
    memset(third, 2, 3 * MANY);
    scratch_release(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scratch_is_reused),
        ON("native", memory_per_body_and_contact_is_bounded),
        cmocka_unit_test(untouched_scratch_takes_no_memory),
        ON("native", every_allocation_may_fail),
        ON("reference", every_allocation_may_fail),
        ON("opencl", every_allocation_may_fail),
        ON_EACH_BACKEND(a_failed_step_has_no_problem),
        ON("native", a_step_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
