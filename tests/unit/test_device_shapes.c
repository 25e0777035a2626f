/* The narrow phase on the device test_device() gives the contacts of contacts_update to the bit for pairs of
 * all convex shapes, turned, touching, overlapping, gliding and flying, and with half-spaces and periodic
 * images. `--small` takes few bodies. */
#include "contact_steps.h"
#include "hull_pool.h"

#include "detect/manifold.h"
#include "geometry/bounds.h"

static const scree_shape_kind convex_kinds[] = {SCREE_SHAPE_SPHERE,   SCREE_SHAPE_BOX,  SCREE_SHAPE_CAPSULE,
                                                SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE, SCREE_SHAPE_ELLIPSOID,
                                                SCREE_SHAPE_HULL};
enum { KINDS = sizeof convex_kinds / sizeof *convex_kinds };

/* Without double precision there is nothing to compare. */
static void on_double(void (*check)(void)) {
    scree_device_info info;
    if (device_describe(&info) && !info.fp64) skip();
    on_groups(check);
}

static scree_shape any_shape(uint64_t *seed, scree_shape_kind kind) {
    return pool_shape(seed, kind, 0.2, 0.5);
}

/* A quarter of a turn, or any rotation. */
static versors any_turn(uint64_t *seed) {
    static const versors turns[] = {
        {0, 0, 0, 1}, {0.70710678f, 0, 0, 0.70710678f}, {0, 0.70710678f, 0, 0.70710678f}};
    const int which = random_below(seed, 6);
    return which < 3 ? turns[which] : random_rotation(seed);
}

/* Moves b along the normal to one of several gaps from a, and lets it rest, glide, approach or fly past. */
static void approach(body_array *bodies, int a, int b, uint64_t *seed) {
    static const scalar gaps[] = {-0.2f, -0.02f, -1e-3f, 0, 1e-5f, 1e-3f, 0.02f, 0.3f};
    static const scalar speeds[] = {0, 1e-3f, 0.5f, 20}, spins[] = {0, 0, 0.01f, 3};
    const scree_shape of_a = bodies->shapes[a], of_b = bodies->shapes[b];
    const scalar width = scalar_min(bounds_half_width(of_a), bounds_half_width(of_b));
    const shape_gap at = shape_gap_of(of_a, bodies->poses[a], vec3_of(0, 0, 0), of_b, bodies->poses[b]);
    const scalar gap = width * gaps[random_below(seed, 8)], speed = speeds[random_below(seed, 4)],
                 spin = spins[random_below(seed, 4)];
    bodies->poses[b].position =
        glms_vec3_add(bodies->poses[b].position, glms_vec3_scale(at.normal, gap - at.gap));
    const vec3s any = random_vector(seed, -1, 1),
                along = glms_vec3_sub(any, glms_vec3_scale(at.normal, glms_vec3_dot(any, at.normal)));
    const scalar closing[] = {0, 0.01f, 0.3f, 1};
    bodies->velocities[b].linear = glms_vec3_scale(
        glms_vec3_sub(along, glms_vec3_scale(at.normal, closing[random_below(seed, 4)])), speed);
    bodies->velocities[b].angular = random_vector(seed, -(double)spin, (double)spin);
    bodies->velocities[a].angular = random_vector(seed, -(double)spin, (double)spin);
}

/* Pairs of bodies of two kinds, far from other pairs. */
static void set_pairs(body_array *bodies, int first, int count, scree_shape_kind of_a, scree_shape_kind of_b,
                      uint64_t *seed) {
    for (int k = 0; k < count; k++) {
        const int a = first + 2 * k, b = a + 1, cell = a / 2;
        const vec3s at =
            vec3_of((float)(cell % 32 * 8), (float)(cell / 32 % 32 * 8), (float)(cell / 1024 * 8));
        bodies->shapes[a] = any_shape(seed, of_a), bodies->shapes[b] = any_shape(seed, of_b);
        bodies->poses[a] = pose_of(at, any_turn(seed));
        bodies->poses[b] = pose_of(glms_vec3_add(at, random_vector(seed, -0.5, 0.5)), any_turn(seed));
        approach(bodies, a, b, seed);
        if (random_below(seed, 4) > 0) continue;
        bodies->types[a] = SLOT_STATIC, bodies->masses[a].mass = 0;
        bodies->velocities[a].angular = vec3_of(0, 0, 0);
    }
}

/* Every two kinds in either order, all of them in one search. */
static void check_pairs(void) {
    const int each = simulated ? 1 : 24;
    for (int round = 0; round < (simulated ? 1 : 2); round++) {
        uint64_t seed = 31 + (uint64_t)round;
        body_array bodies = bodies_make(2 * each * KINDS * KINDS);
        for (int k = 0; k < KINDS * KINDS; k++)
            set_pairs(&bodies, 2 * each * k, each, convex_kinds[k / KINDS], convex_kinds[k % KINDS], &seed);
        const comparison seen = compare_steps(&bodies, round ? 1e-3 : 0);
        assert_true(seen.left == 0 && seen.entries > each * KINDS * KINDS);
        assert_true((seen.hits > 0 && seen.examined > 100) || simulated);
        bodies_free(&bodies);
    }
}
static void pairs_of_all_kinds_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_double(check_pairs);
}

/* A cube or a cylinder of half size 0.5, upright; the cube as a hull or as a box. */
static scree_shape upright(int which, const scree_geometry *cube) {
    return which == 0   ? scree_shape_hull(cube, 0.5f)
           : which == 1 ? shape_of(SCREE_SHAPE_CYLINDER, 0.5f, 0.5f, 0)
                        : shape_of(SCREE_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
}

/* Lets b glide over the edge of a's top, or run into a's side: its bottom is about as high as a's top. */
static void glide(body_array *bodies, int a, const scree_geometry *cube, uint64_t *seed) {
    static const scalar heights[] = {-2e-3f, -4e-4f, -1e-5f, 0, 1e-4f, 1e-3f}, speeds[] = {0.3f, 2, 20},
                        climbs[] = {0, 0, -0.01f, 0.01f, 0.3f};
    const int b = a + 1, cell = a / 2, of_a = random_below(seed, 3),
              of_b = of_a == 2 ? random_below(seed, 2) : random_below(seed, 3);
    const scalar speed = speeds[random_below(seed, 3)];
    const vec3s at = vec3_of((float)(cell % 32 * 8), (float)(cell / 32 * 8), 0),
                to = vec3_of(1 + (float)random_between(seed, -1e-3, 0.02) * (1 + speed),
                             (float)random_between(seed, -0.3, 0.3), 1 + heights[random_below(seed, 6)]);
    bodies->shapes[a] = upright(of_a, cube), bodies->shapes[b] = upright(of_b, cube);
    bodies->poses[a].position = at, bodies->poses[b].position = glms_vec3_add(at, to);
    bodies->velocities[b].linear = glms_vec3_scale(
        vec3_of(-1, (float)random_between(seed, -0.1, 0.1), climbs[random_below(seed, 5)]), speed);
    if (random_below(seed, 2)) bodies->types[a] = SLOT_STATIC, bodies->masses[a].mass = 0;
}

/* Pairs far from each other, which may pass each other. */
static void check_passing(void) {
    const int count = simulated ? 8 : 600;
    scree_vec3 corners[8];
    scree_geometry *cube;
    uint64_t seed = 3;
    for (int i = 0; i < 8; i++) corners[i] = (scree_vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
    CHECK(scree_hull_create(corners, 8, &cube));
    body_array bodies = bodies_make(2 * count);
    for (int i = 0; i < count; i++) glide(&bodies, 2 * i, cube, &seed);
    const comparison seen = compare_steps(&bodies, 0);
    assert_true(seen.left == 0 && seen.examined > (simulated ? 0 : 100));
    bodies_free(&bodies);
    scree_geometry_release(cube);
}
static void bodies_that_pass_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_double(check_passing);
}

/* Bodies of all kinds in a heap, and half-spaces that spin through it. */
static body_array heap(int count, double side, double speed, uint64_t seed) {
    body_array bodies = bodies_make(count);
    for (int i = 0; i < count; i++) {
        bodies.shapes[i] = any_shape(&seed, convex_kinds[i % KINDS]);
        bodies.poses[i] = pose_of(random_vector(&seed, 0, side), any_turn(&seed));
        bodies.velocities[i].linear = random_vector(&seed, -speed, speed);
        bodies.velocities[i].angular = random_vector(&seed, -speed, speed);
    }
    return bodies;
}

static void set_plane(body_array *bodies, int slot, vec3s at, versors turn) {
    bodies->types[slot] = SLOT_KINEMATIC, bodies->masses[slot].mass = 0;
    bodies->shapes[slot] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
    bodies->poses[slot] = pose_of(at, rotation_normalised(turn));
}

static void check_heap(void) {
    for (int fast = 0; fast < (simulated ? 1 : 2); fast++) {
        const int count = simulated ? 16 : 250;
        body_array bodies = heap(count, simulated ? 0.8 : 3.2, fast ? 8 : 0.1, 12);
        set_plane(&bodies, 0, vec3_of(0, 0, 0.4f), versor_of(0, 0, 0, 1));
        set_plane(&bodies, count - 1, vec3_of(0.3f, 0, 0), versor_of(0.05f, 0.70710678f, 0, 0.70710678f));
        const comparison seen = compare_steps(&bodies, 1e-3);
        assert_true(seen.left == 0 && seen.entries > count && seen.points > seen.entries &&
                    (seen.hits > 0 || simulated));
        bodies_free(&bodies);
    }
}
static void heaps_on_half_spaces_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_double(check_heap);
}

static void check_periodic_heap(void) {
    body_array bodies = heap(200, 3, 1, 13);
    const size_t n = (size_t)bodies.count;
    bodies.period = period_make((scree_vec3){3, 3, 0}, (scree_vec3){1.5f, 1.5f, 0});
    bodies.cells = calloc(n, sizeof *bodies.cells);
    bodies.endless = calloc(n, 1);
    const comparison seen = compare_steps(&bodies, 1e-3);
    assert_true(seen.left == 0 && seen.images > 50);
    free(bodies.cells), free(bodies.endless);
    bodies_free(&bodies);
}
static void images_have_the_contacts_of_the_host(void **state) {
    (void)state;
    if (simulated) skip();
    on_double(check_periodic_heap);
}

int main(int argc, char **argv) {
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_of_all_kinds_have_the_contacts_of_the_host),
                                       cmocka_unit_test(bodies_that_pass_have_the_contacts_of_the_host),
                                       cmocka_unit_test(heaps_on_half_spaces_have_the_contacts_of_the_host),
                                       cmocka_unit_test(images_have_the_contacts_of_the_host)};
    return cmocka_run_group_tests(tests, hull_pool_make, hull_pool_release);
}
