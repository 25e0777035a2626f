/* OpenCL programs that sweep contacts of balls. --small selects problems small enough for a simulator. */
#include "device/opencl/opencl_backend.h"
#include "block.h"
#include "device.h"
#include "random_vectors.h"
#include "rotation.h"
#include "scenery.h"
#include "step/world.h"

static bool simulated;
static bool exact; /* the device agrees with native to the bit */

/* Makes cubes on a floor, each layer shifted by half a cube. */
static scree_world *heap_of_cubes(const scree_world_def *def) {
    scree_world *world = world_of(def);
    const int edge = simulated ? 2 : 4;
    add_slope(world, 0.1f);
    for (int i = 0; i < edge * edge * edge; i++) {
        const int layer = i / edge / edge;
        const float aside = layer % 2 ? 0.1f : 0;
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f),
                 (scree_vec3){0.21f * (float)(i % edge) + aside, 0.21f * (float)(i / edge % edge) + aside,
                              0.1f + 0.2f * (float)layer},
                 (scree_vec3){0, 0, -1});
    }
    return world;
}

/* Makes balls of two sizes in hollows of each other, on a floor. */
static scree_world *heap_of_balls(const scree_world_def *def) {
    scree_world *world = world_of(def);
    const int edge = simulated ? 2 : 5;
    add_slope(world, 0.1f);
    for (int i = 0; i < edge * edge * edge; i++) {
        const int layer = i / edge / edge;
        const float aside = layer % 2 ? 0.1f : 0, radius = i % 7 ? 0.1f : 0.097f;
        add_body(world, scree_shape_sphere(radius),
                 (scree_vec3){0.2f * (float)(i % edge) + aside, 0.2f * (float)(i / edge % edge) + aside,
                              0.1f + 0.1414f * (float)layer},
                 (scree_vec3){0, 0, -1});
    }
    return world;
}

/* Balls in bundles, colour by colour, or both; balls and a box; balls or cubes alone, with more iterations
 * between two tests; cubes colour by colour. */
typedef enum launch_kind {
    IN_BUNDLES,
    BY_COLOUR,
    WITH_A_BOX,
    BALLS_ALONE,
    CUBES_ALONE,
    BOTH_WAYS,
    CUBES_BY_COLOUR
} launch_kind;

/* Most groups of a colour that shares launches; −1: as the device has it. */
static int largest_shared(launch_kind kind) {
    return kind == BY_COLOUR || kind == CUBES_BY_COLOUR ? 0 : kind == BOTH_WAYS ? 40 : -1;
}

static void use_balls(scree_law law, scree_method method, float relaxation, launch_kind kind) {
    scree_world_def def = scree_default_world_def();
    scree_world *worlds[2];
    def.threads = 1;
    def.solver.law = law, def.solver.method = method, def.solver.relaxation = relaxation;
    def.solver.iterations = kind >= BALLS_ALONE ? 12 : 6, def.solver.tolerance = 0;
    if (kind >= BALLS_ALONE) def.solver.check_every = 4;
    def.device = test_device();
    for (int device = 0; device < 2; device++) {
        def.backend = device ? SCREE_BACKEND_OPENCL : SCREE_BACKEND_NATIVE;
        worlds[device] =
            kind == CUBES_ALONE || kind == CUBES_BY_COLOUR ? heap_of_cubes(&def) : heap_of_balls(&def);
        if (kind == WITH_A_BOX)
            add_body(worlds[device], scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){-0.25f, 0, 0.11f},
                     (scree_vec3){0, 0, -1});
        if (device && largest_shared(kind) >= 0)
            ((opencl_backend *)worlds[device]->backend)->largest_shared = largest_shared(kind);
        for (int step = 0; step < (simulated ? 1 : 3); step++) CHECK(scree_world_step(worlds[device], NULL));
    }
    if (exact && scree_world_get_hash(worlds[0]) != scree_world_get_hash(worlds[1]))
        fail_msg("%s, %s, relaxation %g: states differ", scree_law_name(law), scree_method_name(method),
                 (double)relaxation);
    for (int device = 0; device < 2; device++) scree_world_destroy(worlds[device]);
}

/* The program for balls gives the bits of the general program, under each law, plain and relaxed, in both
 * passes, forward and backward. */
static void ball_program_matches_the_general_one(void **state) {
    (void)state;
    for (int law = 0; law < SCREE_LAW_COUNT; law++) {
        use_balls((scree_law)law, SCREE_METHOD_PGS, law % 2 ? 1 : 1.3f, law < 2 ? IN_BUNDLES : BY_COLOUR);
        use_balls((scree_law)law, SCREE_METHOD_ACCELERATED_PGS, 1, law < 2 ? BY_COLOUR : IN_BUNDLES);
        use_balls((scree_law)law, SCREE_METHOD_ACCELERATED_PGS, law % 2 ? 1 : 1.3f, WITH_A_BOX);
        use_balls((scree_law)law, SCREE_METHOD_ACCELERATED_PGS, law % 2 ? 1.3f : 1, BALLS_ALONE);
        use_balls((scree_law)law, SCREE_METHOD_ACCELERATED_PGS, 1, CUBES_ALONE);
        use_balls((scree_law)law, SCREE_METHOD_ACCELERATED_PGS, 1, law % 2 ? CUBES_BY_COLOUR : BOTH_WAYS);
    }
}

/* Sweeps once under the convex law with Coulomb's shift held, which solves use only where momentum fails. */
static void sweep_held(scree_world *world, executor *run) {
    const solve_parameters free = {.law = LAW_COULOMB, .relaxation = 1, .read_shift = 1},
                           held = {.law = LAW_ASSOCIATED, .relaxation = 1, .held_shift = 1};
    problem *p = &world->scratch.problem;
    CHECK(world->backend->operations->fetch(world->backend, p));
    CHECK(run->operations->begin(run, p, free));
    CHECK(run->operations->gather(run, free));
    CHECK(run->operations->nesterov_begin(run, free));
    for (int c = 0; c < p->colour_count; c++)
        CHECK(run->operations->sweep(run, p->colour_first[c], p->colour_first[c + 1] - p->colour_first[c],
                                     held));
    CHECK(run->operations->end(run, held));
    CHECK(world->backend->operations->fetch(world->backend, p));
}

static void ball_program_matches_with_held_shifts(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    scree_world *worlds[2];
    def.threads = 1, def.device = test_device();
    for (int device = 0; device < 2; device++) {
        def.backend = device ? SCREE_BACKEND_OPENCL : SCREE_BACKEND_NATIVE;
        worlds[device] = heap_of_balls(&def);
        for (int step = 0; step < (simulated ? 1 : 3); step++) CHECK(scree_world_step(worlds[device], NULL));
        sweep_held(worlds[device], device ? opencl_executor(worlds[device]->backend)
                                          : native_executor(worlds[device]->backend));
    }
    const problem *native = &worlds[0]->scratch.problem, *on_device = &worlds[1]->scratch.problem;
    const opencl_backend *used = (const opencl_backend *)worlds[1]->backend;
    assert_non_null(used->programs[PROGRAM_COUNT + 2 * SWEEP_LAW_HELD]);
    assert_int_equal(native->block_count, on_device->block_count);
    float largest = 0;
    for (int i = 0; i < native->block_count; i++) largest = fmaxf(largest, native->impulses[i].shift);
    assert_true(largest > 0);
    if (exact)
        assert_memory_equal(native->impulses, on_device->impulses,
                            sizeof *native->impulses * (size_t)native->block_count);
    for (int device = 0; device < 2; device++) scree_world_destroy(worlds[device]);
}

/* Programs that a problem does not ask for are not built: sweeps over any blocks, the tail, trees of joints.
 * A box needs those for contacts alone. */
static void unneeded_programs_are_not_built(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.threads = 1;
    def.backend = SCREE_BACKEND_OPENCL, def.device = test_device();
    scree_world *world = heap_of_balls(&def);
    CHECK(scree_world_step(world, NULL));
    const opencl_backend *device = (const opencl_backend *)world->backend;
    assert_null(device->programs[PROGRAM_sweep]);
    assert_null(device->programs[PROGRAM_update]);
    assert_null(device->programs[PROGRAM_trees]);
    int built = 0;
    for (int i = PROGRAM_COUNT; i < ALL_PROGRAMS; i++) built += device->programs[i] != NULL;
    assert_int_equal(built, 2); /* one of each pass */
    add_body(world, scree_shape_box(0.2f, 0.2f, 0.2f), (scree_vec3){0.4f, 0.4f, 0.95f},
             (scree_vec3){0, 0, -1});
    for (int step = 0; step < 20; step++) CHECK(scree_world_step(world, NULL));
    assert_null(device->programs[PROGRAM_sweep]);
    assert_non_null(device->programs[PROGRAM_COUNT + LAW_PROGRAMS + 2 * (int)def.solver.law]);
    assert_non_null(device->programs[PROGRAM_COUNT + LAW_PROGRAMS + 2 * SWEEP_LAW_POSITIONS]);
    scree_world_destroy(world);
}

/* balls.cl assumes A_cc = diag(a, t, t) for contacts on the centre line of round bodies, of all sizes and
 * masses. */
static void balls_have_diagonal_blocks(void **state) {
    (void)state;
    uint64_t seed = 900;
    for (int i = 0; i < 200000; i++) {
        constraint_block block = {.kind = BLOCK_CONTACT};
        body_mobility bodies[2];
        memset(bodies, 0, sizeof bodies);
        for (int side = 0; side < 2; side++) {
            const float mass = (float)pow(10, random_between(&seed, -6, 6)),
                        inertia = (float)pow(10, random_between(&seed, -6, 6));
            if (i % 3 == side) continue; /* fixed */
            bodies[side].inverse_mass = vec3_of(mass, mass, mass);
            bodies[side].diagonal = vec3_of(inertia, inertia, inertia);
        }
        block.normal = random_direction(&seed);
        block.tangent = tangent_of(block.normal);
        block.arm_a = glms_vec3_scale(block.normal, (float)pow(10, random_between(&seed, -3, 3)));
        block.arm_b = glms_vec3_scale(block.normal, -(float)pow(10, random_between(&seed, -3, 3)));
        const block_diagonal a = block_prepared(block, bodies[0], bodies[1]);
        if (!(a.inverse_tangent > 0)) fail_msg("block %d is not diag(a, t, t)", i);
    }
}

int main(int count, char **arguments) {
    simulated = count == 2 && strcmp(arguments[1], "--small") == 0;
    if (!device_is_there()) {
        printf("1..0 # SKIP %s\n", scree_error_get_message());
        return 77;
    }
    exact = device_has_native_bits();
    const struct CMUnitTest tests[] = {cmocka_unit_test(ball_program_matches_the_general_one),
                                       cmocka_unit_test(ball_program_matches_with_held_shifts)};
    const struct CMUnitTest more[] = {cmocka_unit_test(unneeded_programs_are_not_built),
                                      cmocka_unit_test(balls_have_diagonal_blocks)};
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    return simulated ? failures : failures + cmocka_run_group_tests(more, NULL, NULL);
}
