/* Motion of compounds: against the box or clump of the same form, on grounds of every kind, and continued
 * from a checkpoint. */
#include "compound_scenery.h"
#include "frame_file.h"

/* Drops one body of a shape onto another and returns where it ends. */
static scree_body_state dropped(void **state, scree_shape shape) {
    scree_world *world = ground_on(state, 0.4f, 0.2f);
    add_body(world, shape, (scree_vec3){0, 0, 0.31f}, (scree_vec3){0, 0, 0});
    const scree_body_id body = add_body(world, shape, (scree_vec3){0.1f, 0.05f, 1}, (scree_vec3){0.2f, 0, 0});
    run_for(world, 0.8);
    const scree_body_state at = state_of(world, body);
    scree_world_destroy(world);
    return at;
}

static void assert_same(scree_body_state a, scree_body_state b, double tolerance) {
    ASSERT_WITHIN(a.position.x, b.position.x, tolerance);
    ASSERT_WITHIN(a.position.y, b.position.y, tolerance);
    ASSERT_WITHIN(a.position.z, b.position.z, tolerance);
    ASSERT_WITHIN(a.linear_velocity.x, b.linear_velocity.x, 10 * tolerance);
    ASSERT_WITHIN(a.linear_velocity.z, b.linear_velocity.z, 10 * tolerance);
    ASSERT_WITHIN(a.angular_velocity.y, b.angular_velocity.y, 20 * tolerance);
}

/* A compound of one box moves like the box. */
static void compound_of_one_box_moves_like_it(void **state) {
    const scree_compound_child one = child_at(scree_shape_box(0.25f, 0.2f, 0.15f), 4, 5, 6);
    (void)def_on(state); /* may skip, so call it before allocating */
    scree_geometry *made = compound_of(&one, 1);
    assert_same(dropped(state, scree_shape_compound(made, 2)),
                dropped(state, scree_shape_box(0.5f, 0.4f, 0.3f)), 1e-3);
    scree_geometry_release(made);
}

/* A compound of eight spheres moves like the clump of them. */
static void compound_of_spheres_moves_like_a_clump(void **state) {
    scree_compound_child parts[8];
    scree_clump_sphere spheres[8];
    (void)def_on(state);
    for (int i = 0; i < 8; i++) {
        const scree_vec3 at = {i & 1 ? 0.2f : -0.2f, i & 2 ? 0.15f : -0.15f, i & 4 ? 0.2f : -0.2f};
        spheres[i] = (scree_clump_sphere){at, 0.1f};
        parts[i] = child_at(scree_shape_sphere(0.1f), at.x, at.y, at.z);
    }
    scree_geometry *made = compound_of(parts, 8), *clump = NULL;
    CHECK(scree_clump_create(spheres, 8, &clump));
    assert_same(dropped(state, scree_shape_compound(made, 1)), dropped(state, scree_shape_clump(clump, 1)),
                1e-3);
    scree_geometry_release(made);
    scree_geometry_release(clump);
}

/* A table stands on its four legs and bears a box: the ground bears both weights, as a half-space or as tiles
 * of a mesh. */
static void table_stands(void **state) {
    (void)def_on(state);
    scree_geometry *table = table_of(0.5f), *sheet = NULL;
    const scree_vec3 square[] = {{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}};
    const scree_triangle halves[] = {{{0, 1, 2}}, {{0, 2, 3}}};
    CHECK(scree_mesh_create(square, 4, halves, 2, &sheet));
    const bool short_run =
        on_reference(state); /* the reference solves statically indeterminate stacks to round-off */
    for (int ground = 0; ground < 2 - short_run; ground++) {
        scree_world_def on = def_on(state);
        scree_world *world = world_of(&on);
        scree_body_def floor = scree_default_body_def();
        floor.type = SCREE_BODY_STATIC,
        floor.shape = ground ? scree_shape_mesh(sheet, 1) : scree_shape_half_space();
        CHECK(scree_body_create(world, &floor, NULL));
        scree_vec3 origin;
        scree_geometry_get_frame(table, &origin, NULL);
        const scree_body_id body = add_body(world, scree_shape_compound(table, 1),
                                            (scree_vec3){0, 0, origin.z}, (scree_vec3){0, 0, 0});
        const scree_body_id load = add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f),
                                            (scree_vec3){0.2f, 0.1f, 0.85f}, (scree_vec3){0, 0, 0});
        const scree_statistics s = run_for(world, short_run ? 0.02 : 1);
        float mass, more;
        CHECK(scree_body_get_mass(world, body, &mass, NULL));
        CHECK(scree_body_get_mass(world, load, &more, NULL));
        const double legs = 4 * M_PI * 0.03 * 0.03 * 0.7, top = 1.2 * 0.8 * 0.05,
                     density = (double)scree_world_get_def(world).material.density;
        ASSERT_NEAR(mass, density * (legs + 0.5 * top), 1e-5);
        ASSERT_WITHIN(state_of(world, body).position.z, origin.z, 2e-3);
        ASSERT_WITHIN(state_of(world, load).position.z, 0.85, 4e-3);
        ASSERT_AT_MOST(length_of(state_of(world, body).linear_velocity), 2e-3);
        ASSERT_AT_MOST(length_of(state_of(world, body).angular_velocity), 1e-2);
        assert_int_equal(s.touching, 2);
        ASSERT_NEAR(fabs(s.static_impulse[2]) / scree_world_get_def(world).time_step,
                    (double)(mass + more) * 9.81, 2e-3);
        scree_world_destroy(world);
    }
    scree_geometry_release(table);
    scree_geometry_release(sheet);
}

/* the plane z = 0 as a half-space, a height field, a mesh and the top of a solid */
enum { GROUNDS = 4 };
static scree_shape ground_of(int kind) {
    const float low = -1, flat[49] = {0};
    scree_geometry *made = NULL;
    scree_vec3 corners[8];
    const scree_triangle sides[] = {{{4, 5, 7}}, {{4, 7, 6}}, {{0, 2, 3}}, {{0, 3, 1}},
                                    {{0, 1, 5}}, {{0, 5, 4}}, {{2, 6, 7}}, {{2, 7, 3}},
                                    {{0, 4, 6}}, {{0, 6, 2}}, {{1, 3, 7}}, {{1, 7, 5}}};
    for (int i = 0; i < 8; i++) corners[i] = (scree_vec3){i & 1 ? 3 : -3, i & 2 ? 3 : -3, i & 4 ? 0 : low};
    if (kind == 1) CHECK(scree_height_field_create(flat, 7, 7, 1, 1, &made));
    if (kind == 2) CHECK(scree_mesh_create(corners, 8, sides, 2, &made));
    if (kind == 3) CHECK(scree_solid_create(corners, 8, sides, 12, &made));
    return kind == 0   ? scree_shape_half_space()
           : kind == 3 ? scree_shape_solid(made, 1)
                       : scree_shape_mesh(made, 1);
}

static scree_body_id add_ground(scree_world *world, int kind) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = SCREE_BODY_STATIC, def.shape = ground_of(kind);
    if (kind == 3) scree_geometry_get_frame(def.shape.geometry, &def.state.position, &def.state.rotation);
    CHECK(scree_body_create(world, &def, &id));
    scree_geometry_release(def.shape.geometry);
    return id;
}

/* Bodies on triangles have the same points as on a half-space, and slide as far. */
static void all_grounds_are_equivalent(void **state) {
    (void)def_on(state);
    const scree_compound_child planks[] = {child_at(scree_shape_box(0.2f, 0.4f, 0.02f), -0.4f, 0, 0.02f),
                                           child_at(scree_shape_box(0.2f, 0.4f, 0.02f), 0, 0, 0.02f),
                                           child_at(scree_shape_box(0.2f, 0.4f, 0.02f), 0.4f, 0, 0.02f)};
    scree_geometry *made[2] = {table_of(1), compound_of(planks, COUNT(planks))};
    for (int i = 0; i < 2; i++) {
        scree_vec3 origin;
        int points[GROUNDS];
        double way[GROUNDS];
        scree_geometry_get_frame(made[i], &origin, NULL);
        for (int kind = 0; kind < GROUNDS; kind++) {
            scree_world_def on = def_on(state);
            on.material.friction = 0.2f;
            scree_world *world = world_of(&on);
            add_ground(world, kind);
            const scree_body_id body =
                add_body(world, scree_shape_compound(made[i], 1), (scree_vec3){-0.3f, 0.02f, origin.z},
                         (scree_vec3){1, 0.2f, 0});
            run_for(world, 0.1);
            points[kind] = scree_contact_count(world);
            run_for(world, 0.9);
            way[kind] = (double)state_of(world, body).position.x + 0.3;
            ASSERT_WITHIN(state_of(world, body).position.z, origin.z, 2e-3);
            scree_world_destroy(world);
        }
        assert_int_equal(points[0], i ? 12 : 16);
        for (int kind = 1; kind < GROUNDS; kind++) {
            assert_int_equal(points[kind], points[0]);
            ASSERT_NEAR(way[kind], way[0], 1e-2);
        }
        ASSERT_NEAR(way[0], 1 / (2 * 0.2 * 9.81), 5e-2); /* v²/(2 μ g) */
        scree_geometry_release(made[i]);
    }
}

/* A solid falls on a standing compound and comes to rest on its top. */
static void solids_rest_on_compounds(void **state) {
    (void)def_on(state);
    scree_geometry *table = table_of(1), *stone = NULL;
    const scree_vec3 corners[] = {{0, 0, 0}, {0.3f, 0, 0}, {0, 0.3f, 0}, {0, 0, 0.3f}};
    const scree_triangle sides[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    scree_vec3 origin, centre;
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    CHECK(scree_solid_create(corners, 4, sides, 4, &stone));
    scree_geometry_get_frame(table, &origin, NULL);
    scree_world_def on = def_on(state);
    scree_world *world = world_of(&on);
    add_slope(world, 0);
    add_body(world, scree_shape_compound(table, 1), (scree_vec3){0, 0, origin.z}, (scree_vec3){0, 0, 0});
    def.shape = scree_shape_solid(stone, 1);
    scree_geometry_get_frame(stone, &centre, &def.state.rotation);
    def.state.position = (scree_vec3){0.1f, 0.1f, 0.75f + centre.z + 0.05f};
    CHECK(scree_body_create(world, &def, &id));
    const scree_statistics s = run_for(world, 1);
    ASSERT_WITHIN(state_of(world, id).position.z, 0.75 + (double)centre.z, 2e-3);
    ASSERT_AT_MOST(length_of(state_of(world, id).linear_velocity), 5e-3);
    assert_int_equal(s.touching, 2);
    scree_world_destroy(world);
    scree_geometry_release(table);
    scree_geometry_release(stone);
}

/* A kinematic compound of a floor and a board drives a ball along on a static one: compounds without
 * forces. */
static void kinematic_compound_drives_a_ball(void **state) {
    (void)def_on(state);
    scree_compound_child corner[] = {child_at(scree_shape_box(1, 1, 0.1f), 0, 0, -0.1f),
                                     child_at(scree_shape_box(0.1f, 1, 0.5f), 1.1f, 0, 0.5f)};
    scree_geometry *made = compound_of(corner, 2);
    scree_world_def on = def_on(state);
    scree_world *world = world_of(&on);
    scree_body_def def = scree_default_body_def();
    def.type = SCREE_BODY_STATIC, def.shape = scree_shape_compound(made, 1);
    scree_geometry_get_frame(made, &def.state.position, &def.state.rotation);
    CHECK(scree_body_create(world, &def, NULL));
    def.type = SCREE_BODY_KINEMATIC;
    def.state.position.x -= 2.5f, def.state.position.z += 0.02f;
    def.state.linear_velocity = (scree_vec3){0.4f, 0, 0};
    CHECK(scree_body_create(world, &def, NULL));
    scree_geometry_release(made);
    const scree_body_id ball =
        add_body(world, scree_shape_sphere(0.2f), (scree_vec3){0, 0, 0.2f}, (scree_vec3){0, 0, 0});
    run_for(world, 3);
    const scree_body_state at = state_of(world, ball);
    /* The upright board's face is at −1.3 + 0.4 t: the ball stays in front of it, and on this side of the
     * corner's board. */
    assert_true(at.position.x >= -1.3f + 1.2f + 0.195f && at.position.x <= 0.805f);
    assert_true(at.position.z > 0.19f);
    scree_world_destroy(world);
}

/* Drops tables, dumbbells of hulls and stones of every kind on a heap. */
static scree_world *heap_on(void **state) {
    scree_world *world = ground_on(state, 0.5f, 0);
    scree_geometry *hull = brick_hull(0.1f, 0.05f, 0.08f), *table = table_of(1);
    scree_compound_child parts[] = {child_at(scree_shape_capsule(0.04f, 0.1f), 0, 0, 0),
                                    child_at(scree_shape_hull(hull, 1), 0, 0, 0.15f),
                                    child_at(scree_shape_cone(0.08f, 0.15f), 0, 0.02f, -0.16f),
                                    child_at(scree_shape_ellipsoid(0.1f, 0.04f, 0.05f), 0.1f, 0, 0)};
    scree_geometry *stone = compound_of(parts, COUNT(parts));
    for (int i = 0; i < 9; i++)
        add_body(world,
                 i % 3 ? scree_shape_compound(stone, 1 + 0.1f * (float)i) : scree_shape_compound(table, 0.5f),
                 (scree_vec3){0.1f * (float)(i % 2), 0.12f * (float)(i / 2 % 2), 0.5f + 0.45f * (float)i},
                 (scree_vec3){0, 0, -2});
    scree_geometry_release(stone);
    scree_geometry_release(table);
    scree_geometry_release(hull);
    return world;
}

/* A run continues from its checkpoint bit for bit, and a frame file restores the shapes. */
static void checkpoint_continues_bit_for_bit(void **state) {
    const char *path = "test_compound_motion.checkpoint";
    scree_world_def runtime = def_on(state);
    scree_world *world = heap_on(state);
    for (int i = 0; i < 50; i++) CHECK(scree_world_step(world, NULL));
    check_goes_on(world, &runtime, path);
    scree_frame frame = {0}, back = {0};
    frame_through_file(world, &frame, &back);
    assert_int_equal(back.geometry_count, 3); /* the table, the hull and the compound that contains it */
    for (int i = 1; i < back.count; i++) {
        assert_int_equal(back.shapes[i].kind, SCREE_SHAPE_COMPOUND);
        assert_int_equal(scree_compound_child_count(back.shapes[i].geometry),
                         scree_compound_child_count(frame.shapes[i].geometry));
        assert_true(scree_shape_get_volume(back.shapes[i]) == scree_shape_get_volume(frame.shapes[i]));
    }
    scree_frame_release(&frame);
    scree_frame_release(&back);
}

static uint64_t hash_after(scree_backend_kind backend, int steps) {
    void *name = (void *)(uintptr_t)scree_backend_name(backend);
    scree_world *world = heap_on(&name);
    for (int i = 0; i < steps; i++) CHECK(scree_world_step(world, NULL));
    const uint64_t hash = scree_world_get_hash(world);
    scree_world_destroy(world);
    return hash;
}

/* Native and PoCL agree to the bit. */
static void backends_agree(void **state) {
    (void)def_on(state);
    assert_true(hash_after(SCREE_BACKEND_NATIVE, 60) == hash_after(SCREE_BACKEND_OPENCL, 60));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", all_grounds_are_equivalent),
        ON("opencl", all_grounds_are_equivalent),
        ON("native", solids_rest_on_compounds),
        ON_EACH_BACKEND(compound_of_one_box_moves_like_it),
        ON_EACH_BACKEND(compound_of_spheres_moves_like_a_clump),
        ON_EACH_BACKEND(table_stands),
        ON_EACH_BACKEND(kinematic_compound_drives_a_ball),
        ON("native", checkpoint_continues_bit_for_bit),
        ON("opencl", checkpoint_continues_bit_for_bit),
        ON("opencl", backends_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
