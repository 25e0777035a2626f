/* What a frame takes from a world. */
#include <scree/scree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "folder.h"

#define assert_ok(call) assert_string_equal((call) == SCREE_OK ? "" : scree_error_message(), "")

static scree_world *make_world(void) {
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    assert_ok(scree_world_create(&def, &world));
    return world;
}

static scree_body_id add(scree_world *world, scree_body_type type, scree_shape shape, scree_body_state state,
                         float mass) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = type;
    def.shape = shape;
    def.state = state;
    def.mass = mass;
    assert_ok(scree_body_create(world, &def, &id));
    return id;
}

static const scree_quat upright = {0, 0, 0, 1};

/* A destroyed body's slot is left out, a new one in its place is in; kinds, sizes and states are the world's.
 */
static void bodies_are_the_living_ones(void **state) {
    (void)state;
    scree_world *world = make_world();
    const scree_body_state still = {{0, 0, 0}, upright, {0, 0, 0}, {0, 0, 0}};
    const scree_body_state moving = {{1, 2, 3}, {0.6f, 0, 0, 0.8f}, {4, 5, 6}, {7, 8, 9}};
    const scree_body_id ground = add(world, SCREE_BODY_STATIC, scree_half_space(), still, 0);
    const scree_body_id dead = add(world, SCREE_BODY_DYNAMIC, scree_sphere(1), still, 1);
    const scree_body_id box = add(world, SCREE_BODY_KINEMATIC, scree_box(1, 2, 3), moving, 0);
    const scree_body_id late = add(world, SCREE_BODY_DYNAMIC, scree_sphere(0.25f), moving, 2);
    assert_ok(scree_body_destroy(world, dead));
    scree_frame frame;
    assert_ok(scree_frame_take(world, &frame));
    assert_int_equal(frame.count, 3);
    const scree_body_id expected[3] = {ground, box, late};
    assert_memory_equal(frame.ids, expected, sizeof expected);
    assert_int_equal(frame.types[0], SCREE_BODY_STATIC);
    assert_int_equal(frame.types[1], SCREE_BODY_KINEMATIC);
    assert_int_equal(frame.types[2], SCREE_BODY_DYNAMIC);
    assert_int_equal(frame.shapes[1].kind, SCREE_SHAPE_BOX);
    assert_true(frame.shapes[1].size.z == 3 && frame.shapes[2].size.x == 0.25f);
    scree_body_state states[3];
    assert_ok(scree_body_states(world, expected, 3, states));
    assert_memory_equal(frame.states, states, sizeof states);
    assert_int_equal(frame.step, 0);
    assert_true(frame.time == 0 && frame.time_step == 1.0f / 120);
    scree_frame_release(&frame);

    const scree_body_id again = add(world, SCREE_BODY_DYNAMIC, scree_sphere(1), still, 1);
    assert_ok(scree_frame_take(world, &frame));
    assert_int_equal(frame.count, 4);
    assert_memory_equal(&frame.ids[1], &again, sizeof again);
    scree_frame_release(&frame);
    scree_world_destroy(world);
}

/* ½ m v² + ½ ω·I ω: a sphere has I = 2/5 m r² about any axis; a box turned by 90° about z swaps its x and y
 * moments. */
static void kinetic_energy_is_that_of_the_formula(void **state) {
    (void)state;
    scree_world *world = make_world();
    const float s = sqrtf(0.5f);
    add(world, SCREE_BODY_DYNAMIC, scree_sphere(0.5f),
        (scree_body_state){{0, 0, 0}, upright, {3, 0, 4}, {0, 2, 0}}, 2);
    add(world, SCREE_BODY_DYNAMIC, scree_box(1, 2, 3),
        (scree_body_state){{9, 0, 0}, {0, 0, s, s}, {0, 0, 0}, {5, 0, 0}}, 3);
    add(world, SCREE_BODY_KINEMATIC, scree_box(1, 2, 3),
        (scree_body_state){{19, 0, 0}, upright, {5, 0, 0}, {5, 0, 0}}, 0);
    scree_frame frame;
    assert_ok(scree_frame_take(world, &frame));
    assert_true(fabs(frame.kinetic_energies[0] - (0.5 * 2 * 25 + 0.5 * 0.4 * 2 * 0.25 * 4)) < 1e-5);
    /* The spin is about world x, the box's own −y axis: I_y = m (x² + z²)/3. */
    assert_true(fabs(frame.kinetic_energies[1] - 0.5 * (3 * (1 + 9) / 3.0) * 25) < 1e-3);
    assert_true(frame.kinetic_energies[2] == 0);
    scree_frame_release(&frame);
    scree_world_destroy(world);
}

/* A sphere at rest on the ground: one contact, whose force is the weight. */
static void contacts_are_counted_and_carry_forces(void **state) {
    (void)state;
    scree_world *world = make_world();
    const scree_body_state ground = {{0, 0, 0}, upright, {0, 0, 0}, {0, 0, 0}};
    const scree_body_state resting = {{0, 0, 0.5f}, upright, {0, 0, 0}, {0, 0, 0}};
    const scree_body_state far_up = {{0, 0, 50}, upright, {0, 0, 0}, {0, 0, 0}};
    add(world, SCREE_BODY_STATIC, scree_half_space(), ground, 0);
    add(world, SCREE_BODY_DYNAMIC, scree_sphere(0.5f), resting, 2);
    add(world, SCREE_BODY_DYNAMIC, scree_sphere(0.5f), far_up, 2);
    for (int i = 0; i < 60; ++i) assert_ok(scree_world_step(world, NULL));
    scree_frame frame;
    assert_ok(scree_frame_take(world, &frame));
    assert_int_equal(frame.step, 60);
    assert_true(fabs(frame.time - 0.5) < 1e-6);
    assert_int_equal(frame.contact_count, 1);
    assert_int_equal(frame.contact_counts[0], 1);
    assert_int_equal(frame.contact_counts[1], 1);
    assert_int_equal(frame.contact_counts[2], 0);
    const double force = (double)frame.contacts[0].impulse.z / (double)frame.time_step;
    assert_true(fabs(fabs(force) - 2 * 9.81) < 0.02 * 9.81);
    scree_frame_release(&frame);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_the_living_ones),
        cmocka_unit_test(kinetic_energy_is_that_of_the_formula),
        cmocka_unit_test(contacts_are_counted_and_carry_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
