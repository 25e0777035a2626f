/* Boxes that rotate by a large part of a radian in the step in which they meet: contacts at its end differ
 * from those at its beginning. Overlaps are measured independently from the poses. */
#include "scenery.h"

#include "box_geometry.h"
#include "random_vectors.h"
#include "step/world.h"

static double_box box_of(const scree_body_def *def) {
    const scree_vec3 at = def->state.position;
    const scree_quat q = def->state.rotation;
    return double_box_of(def->shape, (body_pose){.position = vec3_of(at.x, at.y, at.z),
                                                 .rotation = versor_of(q.x, q.y, q.z, q.w)});
}

static double reach_of(const double_box *box) {
    return sqrt(box->half[0] * box->half[0] + box->half[1] * box->half[1] + box->half[2] * box->half[2]);
}

enum { MOST = 1100 };

/* Returns the deepest overlap of two boxes of which one is dynamic, m. */
static double deepest_overlap(const scree_world *world) {
    static scree_body_id ids[MOST];
    static double_box boxes[MOST];
    static bool dynamic[MOST];
    const int count = scree_body_count(world);
    double deepest = 0;
    assert_true(count <= MOST);
    scree_body_list(world, ids, MOST);
    for (int i = 0; i < count; i++) {
        scree_body_def def;
        CHECK(scree_body_get_def(world, ids[i], &def));
        assert_int_equal(def.shape.kind, SCREE_SHAPE_BOX);
        boxes[i] = box_of(&def);
        dynamic[i] = def.type == SCREE_BODY_DYNAMIC;
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            const double far = reach_of(&boxes[i]) + reach_of(&boxes[j]);
            if (!(dynamic[i] || dynamic[j]) || norm3(sub3(boxes[i].centre, boxes[j].centre)) > far) continue;
            deepest = fmax(deepest, -box_axis_separation(&boxes[i], &boxes[j]));
        }
    return deepest;
}

/* A thousand cubes of 8 cm in random orientations fall into a box on those before. With the contacts of the
 * step's beginning only they sank 6.4, 9.3 and 7.6 mm into each other, however well solved. */
static void landing_cubes_do_not_sink_into_each_other(void **state) {
    skip_if_short();
    const scree_world_def def = def_on(state);
    scree_scene *scene = scene_of("bench/scenes/B1000.json");
    scree_world_def own = scree_scene_get_world_def(scene);
    own.backend = def.backend, own.device = def.device, own.threads = 1;
    for (uint64_t seed = 0; seed < 3; seed++) {
        scree_world *world = world_of(&own);
        double deepest = 0;
        CHECK(scree_scene_build(scene, world, seed));
        for (int step = 0; step < 120; step++) {
            CHECK(scree_world_step(world, NULL));
            deepest = fmax(deepest, deepest_overlap(world));
        }
        print_message("seed %d: deepest overlap %.2f mm\n", (int)seed, 1e3 * deepest);
        ASSERT_AT_MOST(deepest, 0.003);
        scree_world_destroy(world);
    }
    scree_scene_destroy(scene);
}

/* Boxes that spin at up to 25 rad/s, a fifth of a radian per step, collide in separate pairs: none ends a
 * step deeper than a tenth of its half width, and without restitution energy does not grow. */
static void colliding_spinning_boxes_do_not_overlap(void **state) {
    scree_world_def def = def_on(state);
    const int pairs = def.backend == SCREE_BACKEND_REFERENCE ? 10 : 100; /* which solves to convergence */
    def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    uint64_t seed = 7;
    for (int i = 0; i < 2 * pairs; i++) {
        const bool second = i % 2;
        const vec3s turn = random_vector(&seed, -2, 2), spin = random_vector(&seed, -14, 14),
                    aside = random_vector(&seed, -0.03, 0.03);
        const versors q = rotation_turned(turn, versor_of(0, 0, 0, 1));
        scree_body_def body = scree_default_body_def();
        body.shape = i / 2 % 2 ? scree_shape_box(0.04f, 0.04f, 0.04f) : scree_shape_box(0.06f, 0.04f, 0.03f);
        body.state.position = (scree_vec3){0.5f * (float)(i / 2) + aside.x, aside.y, second ? 0.17f : 0};
        body.state.rotation = (scree_quat){q.x, q.y, q.z, q.w};
        body.state.linear_velocity = (scree_vec3){0, 0, second ? -1.5f : 1.5f};
        body.state.angular_velocity = (scree_vec3){spin.x, spin.y, spin.z};
        CHECK(scree_body_create(world, &body, NULL));
    }
    double deepest = 0, energy = INFINITY;
    int late = 0;
    for (int step = 0; step < 20; step++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        deepest = fmax(deepest, deepest_overlap(world));
        late += s.late;
        ASSERT_AT_MOST(s.kinetic_energy, (1 + 1e-5) * energy);
        energy = s.kinetic_energy;
    }
    print_message("deepest overlap %.2f mm, %d new contacts, energy %g J\n", 1e3 * deepest, late, energy);
    ASSERT_AT_MOST(deepest, 0.004);
    scree_world_destroy(world);
}

static scree_body_id add(scree_world *world, scree_shape shape, scree_body_type type, scree_vec3 at,
                         float speed) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = shape, def.type = type;
    def.state.position = at, def.state.linear_velocity.x = speed;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* One ball among ten thousand at rest is struck so that it would enter a wall g ahead, to which it had no
 * contact: at the end of the step it is at the wall, having moved at g/h. The global residual barely shows
 * that contact. */
static void one_new_contact_in_a_large_pile_is_solved(void **state) {
    scree_world_def def = def_on(state);
    def.threads = 1;
    scree_world *world = world_of(&def);
    const float gap = 0.02f;
    scree_body_state after;
    scree_statistics s;
    add(world, scree_shape_half_space(), SCREE_BODY_STATIC, (scree_vec3){0}, 0);
    for (int i = 0; i < 10000; i++)
        add(world, scree_shape_sphere(0.05f), SCREE_BODY_DYNAMIC,
            (scree_vec3){10 + 0.11f * (float)(i % 100), 0.11f * (float)(i / 100), 0.05f}, 0);
    for (int step = 0; step < 10; step++) CHECK(scree_world_step(world, NULL));
    add(world, scree_shape_box(0.01f, 1, 1), SCREE_BODY_STATIC, (scree_vec3){-0.06f, 0, 3}, 0);
    const scree_body_id struck =
        add(world, scree_shape_sphere(0.05f), SCREE_BODY_DYNAMIC, (scree_vec3){gap, 0, 3}, 0);
    add(world, scree_shape_sphere(0.05f), SCREE_BODY_DYNAMIC, (scree_vec3){gap + 0.101f, 0, 3}, -10);
    CHECK(scree_world_step(world, &s));
    CHECK(scree_body_get_state(world, struck, &after));
    assert_int_equal(s.late, 1);
    ASSERT_NEAR(after.linear_velocity.x, -gap / def.time_step, 5e-4);
    scree_world_destroy(world);
}

/* Balls in a touching row among ten thousand at rest: the first is struck at v, and a wall g ahead without a
 * contact stops the last. The inelastic solution has the velocities nearest to those before (in the energy
 * norm) of all with u_1 ≤ u_2 ≤ … ≤ g/h, which without the wall is their mean v/n each and with it g/h each,
 * as g/h < v/n. The wall's impulse must travel through the whole row. */
static void a_wall_found_late_stops_a_whole_row(void **state) {
    enum { ROW = 9 };
    scree_world_def def = def_on(state);
    def.threads = 1;
    def.material.friction = 0;
    scree_world *world = world_of(&def);
    const float gap = 0.005f, size = 0.1f, speed = 10;
    scree_body_id row[ROW];
    scree_statistics s;
    add(world, scree_shape_half_space(), SCREE_BODY_STATIC, (scree_vec3){0}, 0);
    for (int i = 0; i < 10000; i++)
        add(world, scree_shape_sphere(size / 2), SCREE_BODY_DYNAMIC,
            (scree_vec3){10 + 0.11f * (float)(i % 100), 0.11f * (float)(i / 100), size / 2}, 0);
    for (int step = 0; step < 10; step++) CHECK(scree_world_step(world, NULL));
    add(world, scree_shape_box(0.01f, 1, 1), SCREE_BODY_STATIC, (scree_vec3){0.01f + size / 2 + gap, 0, 3},
        0);
    for (int i = 0; i < ROW; i++)
        row[i] = add(world, scree_shape_sphere(size / 2), SCREE_BODY_DYNAMIC,
                     (scree_vec3){-size * (float)i, 0, 3}, i == ROW - 1 ? speed : 0);
    CHECK(scree_world_step(world, &s));
    assert_true(s.late >= 1);
    double worst = 0;
    for (int i = 0; i < ROW; i++) {
        scree_body_state after;
        CHECK(scree_body_get_state(world, row[i], &after));
        worst = fmax(worst, fabs((double)after.linear_velocity.x - (double)gap / def.time_step));
    }
    print_message("velocities off by at most %.4f of %.2f m/s\n", worst, (double)gap / def.time_step);
    ASSERT_AT_MOST(worst, 0.02 * gap / def.time_step);
    scree_world_destroy(world);
}

/* Manifolds of a later detection pass are not the ones from which the next step takes impulses of vanished
 * features: tumbling boxes continue from a checkpoint of any step bit for bit. */
static void a_landing_resumes_from_each_step(void **state) {
    const char *path = "test_landing.checkpoint";
    const scree_shape shapes[] = {scree_shape_box(0.06f, 0.04f, 0.03f), scree_shape_cylinder(0.05f, 0.05f),
                                  scree_shape_cone(0.06f, 0.1f)};
    scree_world_def def = def_on(state);
    def.material.restitution = 0.4f;
    scree_world *world = world_of(&def);
    scree_body_def floor = scree_default_body_def();
    scree_geometry *field;
    float heights[64];
    uint64_t seed = 3;
    for (int i = 0; i < 64; i++) heights[i] = 0.02f * (float)(i * i % 7);
    CHECK(scree_height_field_create(heights, 8, 8, 0.15f, 0.15f, &field));
    floor.type = SCREE_BODY_STATIC, floor.shape = scree_shape_mesh(field, 1);
    CHECK(scree_body_create(world, &floor, NULL));
    scree_geometry_release(field);
    for (int i = 0; i < 60; i++) {
        const vec3s turn = random_vector(&seed, -2, 2), spin = random_vector(&seed, -25, 25);
        const versors q = rotation_turned(turn, versor_of(0, 0, 0, 1));
        scree_body_def body = scree_default_body_def();
        body.shape = shapes[i % 3];
        body.state.position =
            (scree_vec3){0.12f * (float)(i % 4), 0.12f * (float)(i / 4 % 4), 0.1f + 0.12f * (float)(i / 16)};
        body.state.rotation = (scree_quat){q.x, q.y, q.z, q.w};
        body.state.linear_velocity = (scree_vec3){0, 0, -3};
        body.state.angular_velocity = (scree_vec3){spin.x, spin.y, spin.z};
        CHECK(scree_body_create(world, &body, NULL));
    }
    int predicted = 0;
    for (int step = 0; step < 60; step++) {
        scree_world *other;
        CHECK(scree_checkpoint_save(world, path));
        CHECK(scree_checkpoint_load(path, &def, &other));
        CHECK(scree_world_step(world, NULL));
        CHECK(scree_world_step(other, NULL));
        assert_true(scree_world_get_hash(world) == scree_world_get_hash(other));
        CHECK(scree_checkpoint_save(world, path));
        scree_world_destroy(other);
        CHECK(scree_checkpoint_load(path, &def, &other));
        for (int i = 0; i < world->state.contacts.count; i++) {
            assert_int_equal(other->state.contacts.pairs[i].predicted,
                             world->state.contacts.pairs[i].predicted);
            predicted += world->state.contacts.pairs[i].predicted;
        }
        scree_world_destroy(other);
    }
    remove(path);
    assert_true(predicted > 0);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {ON("native", landing_cubes_do_not_sink_into_each_other),
                                       ON("native", a_landing_resumes_from_each_step),
                                       ON("native", one_new_contact_in_a_large_pile_is_solved),
                                       ON("native", a_wall_found_late_stops_a_whole_row),
                                       ON_EACH_BACKEND(colliding_spinning_boxes_do_not_overlap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
