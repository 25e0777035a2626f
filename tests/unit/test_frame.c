/* Contents of a frame of a world. */
#include "expect.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include "folder.h"

static scree_world *make_world(void) {
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    CHECK(scree_world_create(&def, &world));
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
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static const scree_quat upright = {0, 0, 0, 1};

/* A destroyed body's slot is left out, a body that reuses it is included; kinds, sizes and states are the
 * world's. */
static void only_existing_bodies_are_included(void **state) {
    (void)state;
    scree_world *world = make_world();
    const scree_body_state still = {{0, 0, 0}, upright, {0, 0, 0}, {0, 0, 0}};
    const scree_body_state moving = {{1, 2, 3}, {0.6f, 0, 0, 0.8f}, {4, 5, 6}, {7, 8, 9}};
    const scree_body_id ground = add(world, SCREE_BODY_STATIC, scree_shape_half_space(), still, 0);
    const scree_body_id dead = add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(1), still, 1);
    const scree_body_id box = add(world, SCREE_BODY_KINEMATIC, scree_shape_box(1, 2, 3), moving, 0);
    const scree_body_id late = add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.25f), moving, 2);
    CHECK(scree_body_destroy(world, dead));
    scree_frame frame;
    CHECK(scree_frame_from_world(world, &frame));
    assert_int_equal(frame.count, 3);
    const scree_body_id expected[3] = {ground, box, late};
    assert_memory_equal(frame.ids, expected, sizeof expected);
    assert_int_equal(frame.types[0], SCREE_BODY_STATIC);
    assert_int_equal(frame.types[1], SCREE_BODY_KINEMATIC);
    assert_int_equal(frame.types[2], SCREE_BODY_DYNAMIC);
    assert_int_equal(frame.shapes[1].kind, SCREE_SHAPE_BOX);
    assert_true(frame.shapes[1].size.z == 3 && frame.shapes[2].size.x == 0.25f);
    scree_body_state states[3];
    CHECK(scree_body_get_states(world, expected, 3, states));
    assert_memory_equal(frame.states, states, sizeof states);
    assert_int_equal(frame.step, 0);
    assert_true(frame.time == 0 && frame.time_step == 1.0f / 120);
    scree_frame_release(&frame);

    const scree_body_id again = add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(1), still, 1);
    CHECK(scree_frame_from_world(world, &frame));
    assert_int_equal(frame.count, 4);
    assert_memory_equal(&frame.ids[1], &again, sizeof again);
    scree_frame_release(&frame);
    scree_world_destroy(world);
}

/* ½ m v² + ½ ω·I ω: a sphere has I = 2/5 m r² about any axis; a box rotated by 90° about z swaps its x and y
 * moments. */
static void kinetic_energy_is_exact(void **state) {
    (void)state;
    scree_world *world = make_world();
    const float s = sqrtf(0.5f);
    add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f),
        (scree_body_state){{0, 0, 0}, upright, {3, 0, 4}, {0, 2, 0}}, 2);
    add(world, SCREE_BODY_DYNAMIC, scree_shape_box(1, 2, 3),
        (scree_body_state){{9, 0, 0}, {0, 0, s, s}, {0, 0, 0}, {5, 0, 0}}, 3);
    add(world, SCREE_BODY_KINEMATIC, scree_shape_box(1, 2, 3),
        (scree_body_state){{19, 0, 0}, upright, {5, 0, 0}, {5, 0, 0}}, 0);
    scree_frame frame;
    CHECK(scree_frame_from_world(world, &frame));
    assert_true(fabs(frame.kinetic_energies[0] - (0.5 * 2 * 25 + 0.5 * 0.4 * 2 * 0.25 * 4)) < 1e-5);
    /* The spin is about world x, the box's own −y axis: I_y = m (x² + z²)/3. */
    assert_true(fabs(frame.kinetic_energies[1] - 0.5 * (3 * (1 + 9) / 3.0) * 25) < 1e-3);
    assert_true(frame.kinetic_energies[2] == 0);
    scree_frame_release(&frame);
    scree_world_destroy(world);
}

/* A sphere at rest on the ground has one contact, whose force is the weight. */
static void contacts_have_forces(void **state) {
    (void)state;
    scree_world *world = make_world();
    const scree_body_state ground = {{0, 0, 0}, upright, {0, 0, 0}, {0, 0, 0}};
    const scree_body_state resting = {{0, 0, 0.5f}, upright, {0, 0, 0}, {0, 0, 0}};
    const scree_body_state far_up = {{0, 0, 50}, upright, {0, 0, 0}, {0, 0, 0}};
    add(world, SCREE_BODY_STATIC, scree_shape_half_space(), ground, 0);
    add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f), resting, 2);
    add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f), far_up, 2);
    for (int i = 0; i < 60; ++i) CHECK(scree_world_step(world, NULL));
    scree_frame frame;
    CHECK(scree_frame_from_world(world, &frame));
    assert_int_equal(frame.step, 60);
    assert_true(fabs(frame.time - 0.5) < 1e-6);
    assert_int_equal(frame.contact_count, 1);
    assert_int_equal(frame.contact_counts[0], 1);
    assert_int_equal(frame.contact_counts[1], 1);
    assert_int_equal(frame.contact_counts[2], 0);
    const double force = (double)frame.contacts[0].impulse.z / (double)frame.time_step;
    ASSERT_NEAR(fabs(force), 2 * 9.81, 0.001);
    scree_frame_release(&frame);
    scree_world_destroy(world);
}

typedef struct vector {
    double x, y, z;
} vector;

static vector vector_of(scree_vec3 v) { return (vector){(double)v.x, (double)v.y, (double)v.z}; }
static vector add_scaled(vector a, vector b, double factor) {
    return (vector){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}
static vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double length_of(vector v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/* Balls that roll, spin and lean on each other with rolling and spinning friction. For every ball, from
 * frames read back from files, momentum and angular momentum change by gravity, the impulses at its points
 * and the torques: m Δv = m g h + Σ ± r, 2/5 m R² Δω = Σ (a × ± r ± τ), a = ∓ R n. */
static void forces_and_moments_balance(void **state) {
    (void)state;
    enum { BALLS = 12 };
    scree_world *world = make_world();
    scree_material_def rough = scree_default_material_def();
    rough.rolling_friction = 0.05f;
    rough.spinning_friction = 0.03f;
    strcpy(rough.name, "rough");
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    CHECK(scree_material_create(world, &rough, &def.material));
    def.type = SCREE_BODY_STATIC;
    def.shape = scree_shape_half_space();
    CHECK(scree_body_create(world, &def, &id));
    def.type = SCREE_BODY_DYNAMIC;
    for (int i = 0; i < BALLS; ++i) {
        const float x = (float)(i % 4), z = (float)(i / 4);
        def.shape = scree_shape_sphere(0.4f + 0.02f * (float)i);
        def.state = (scree_body_state){
            {0.9f * x + 0.3f * z, 0.1f * x, 0.6f + 0.9f * z}, upright, {1 - x, 0.5f, 0}, {x, -2, 3}};
        CHECK(scree_body_create(world, &def, &id));
    }
    for (int i = 0; i < 30; ++i) CHECK(scree_world_step(world, NULL));
    const folder place = folder_make();
    scree_series *series;
    scree_frame frame, before, after;
    CHECK(scree_series_open(place.path, 0, NULL, &series));
    for (int i = 0; i < 2; ++i) {
        CHECK(scree_frame_from_world(world, &frame));
        CHECK(scree_series_write(series, &frame));
        scree_frame_release(&frame);
        CHECK(scree_world_step(world, NULL));
    }
    CHECK(scree_series_close(series));
    CHECK(scree_frame_load(folder_file(&place, "frame_00000030.vtkhdf"), &before));
    CHECK(scree_frame_load(folder_file(&place, "frame_00000031.vtkhdf"), &after));
    assert_int_equal(after.material_count, 2);
    assert_string_equal(after.material_names[0], "");
    assert_string_equal(after.material_names[1], "rough");
    double torques = 0;
    for (int i = 0; i < after.count; ++i) {
        if (after.types[i] != SCREE_BODY_DYNAMIC) continue;
        assert_int_equal(after.materials[i], 1);
        const double m = (double)after.masses[i], radius = (double)after.shapes[i].size.x,
                     h = (double)after.time_step, inertia = 0.4 * m * radius * radius;
        assert_true(fabs(m - 4 * M_PI / 3 * pow(radius, 3) * 1000) < 1e-5 * m);
        vector push = {0, 0, -9.81 * m * h}, turn = {0, 0, 0};
        for (int k = 0; k < after.contact_count; ++k) {
            const scree_contact *c = &after.contacts[k];
            const int side = c->b.index == after.ids[i].index ? 1 : c->a.index == after.ids[i].index ? -1 : 0;
            const vector r = vector_of(c->impulse), torque = vector_of(c->torque);
            /* A sphere's arm is its radius towards the other body, also across a gap. */
            const vector arm = add_scaled((vector){0, 0, 0}, vector_of(c->normal), -side * radius);
            push = add_scaled(push, r, side);
            turn = add_scaled(add_scaled(turn, cross(arm, r), side), torque, side);
            torques += length_of(torque);
        }
        const vector dv = add_scaled(vector_of(after.states[i].linear_velocity),
                                     vector_of(before.states[i].linear_velocity), -1);
        const vector dw = add_scaled(vector_of(after.states[i].angular_velocity),
                                     vector_of(before.states[i].angular_velocity), -1);
        const double scale = m * 9.81 * h;
        assert_true(length_of(add_scaled(push, dv, -m)) < 1e-4 * scale);
        assert_true(length_of(add_scaled(turn, dw, -inertia)) < 1e-4 * scale * radius);
    }
    assert_true(torques > 1); /* without them the moments are wrong by this much, N m s */
    scree_frame_release(&before);
    scree_frame_release(&after);
    folder_remove(&place);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_existing_bodies_are_included),
        cmocka_unit_test(kinetic_energy_is_exact),
        cmocka_unit_test(contacts_have_forces),
        cmocka_unit_test(forces_and_moments_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
