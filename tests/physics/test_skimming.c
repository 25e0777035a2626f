/* Bodies slide over coplanar boxes as over one box, whether these are bodies or children of a compound; a
 * protruding box stops them. Contacts are the same on every backend. */
#include "scenery.h"
#include "stabilisations.h"

#include "box_geometry.h"

enum { TILES = 20 };
static const float speed = 4, height = 0.2f;

/* Adds a row of tiles of 1 m along x with their tops at z = 0, one of them higher by `step`. */
static void add_tiles(scree_world *world, bool as_bodies, float step) {
    scree_body_def tile = scree_default_body_def();
    scree_compound_child parts[TILES];
    scree_body_id id;
    tile.type = SCREE_BODY_STATIC;
    for (int i = 0; i < TILES; i++) {
        parts[i] = scree_default_compound_child();
        parts[i].shape = scree_shape_box(0.5f, 1, 0.5f);
        parts[i].position = (scree_vec3){(float)i, 0, (i == 3 ? step : 0) - 0.5f};
        tile.shape = parts[i].shape, tile.state.position = parts[i].position;
        if (as_bodies) CHECK(scree_body_create(world, &tile, &id));
    }
    if (as_bodies) return;
    scree_geometry *made = NULL;
    CHECK(scree_compound_create(parts, TILES, &made));
    tile.shape = scree_shape_compound(made, 1);
    scree_geometry_get_frame(made, &tile.state.position, &tile.state.rotation);
    CHECK(scree_body_create(world, &tile, &id));
    scree_geometry_release(made);
}

/* Makes a compound of two boxes, one after the other along x. */
static scree_shape pair_of_boxes(void) {
    scree_compound_child parts[2] = {scree_default_compound_child(), scree_default_compound_child()};
    scree_geometry *made = NULL;
    for (int i = 0; i < 2; i++) {
        parts[i].shape = scree_shape_box(0.15f, 0.25f, height);
        parts[i].position.x = i ? 0.15f : -0.15f;
    }
    CHECK(scree_compound_create(parts, 2, &made));
    return scree_shape_compound(made, 1);
}

static scree_shape prism(void) {
    scree_vec3 corners[12];
    scree_geometry *made = NULL;
    for (int i = 0; i < 12; i++) {
        const float angle = (float)(i / 2) * (float)M_PI / 3;
        corners[i] = (scree_vec3){0.3f * cosf(angle), 0.25f * sinf(angle), i % 2 ? height : -height};
    }
    CHECK(scree_hull_create(corners, 12, &made));
    return scree_shape_hull(made, 1);
}

/* Makes a pyramid without its top, whose centre of mass is nearer to one end. */
static scree_shape frustum(float low, float high) {
    scree_vec3 corners[8];
    scree_geometry *made = NULL;
    for (int i = 0; i < 8; i++) {
        const float half = i & 4 ? high : low;
        corners[i] = (scree_vec3){i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? height : 0};
    }
    CHECK(scree_hull_create(corners, 8, &made));
    return scree_shape_hull(made, 1);
}

/* Shapes that are asymmetric about their centre of mass slide on as well. */
static void tapered_shapes_slide_over_coplanar_boxes(void **state) {
    const scree_shape shapes[] = {frustum(0.2f, 0.05f), frustum(0.2f, 0.4f), scree_shape_cone(0.15f, height)};
    for (int i = 0; i < 6; i++) {
        scree_world_def def = def_on(state);
        def.material.friction = 0, def.time_step = i % 2 ? 1.0 / 120 : 1.0 / 30;
        scree_world *world = world_of(&def);
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        body.shape = shapes[i / 2], body.state.position.z = height / 4; /* of the cone */
        add_tiles(world, true, 0);
        if (body.shape.geometry)
            scree_geometry_get_frame(body.shape.geometry, &body.state.position, &body.state.rotation);
        body.state.linear_velocity.x = speed;
        CHECK(scree_body_create(world, &body, &id));
        run_for(world, 1);
        ASSERT_NEAR((double)state_of(world, id).linear_velocity.x, speed, 0.0025 * speed);
        ASSERT_WITHIN(state_of(world, id).position.z, body.state.position.z, 1e-3);
        scree_world_destroy(world);
    }
    for (int i = 0; i < 2; i++) scree_geometry_release((scree_geometry *)(uintptr_t)shapes[i].geometry);
}

/* Adds a body on the first tile with its lowest points on the tops. */
static scree_body_id add_slider(scree_world *world, scree_shape shape) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = shape;
    if (shape.geometry) scree_geometry_get_frame(shape.geometry, NULL, &def.state.rotation);
    if (shape.kind == SCREE_SHAPE_CAPSULE) def.state.rotation = (scree_quat){0, sqrtf(0.5f), 0, sqrtf(0.5f)};
    def.state.position.z = height, def.state.linear_velocity.x = speed;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* Returns the greatest height reached in four seconds. */
static double highest(scree_world *world, scree_body_id id) {
    double most = 0;
    for (int i = 0; i < 480; i++) {
        CHECK(scree_world_step(world, NULL));
        most = fmax(most, (double)state_of(world, id).position.z - (double)height);
    }
    return most;
}

static void coplanar_boxes_stop_no_slider(void **state) {
    scree_world_def def = def_on(state);
    def.material.friction = 0;
    const scree_shape shapes[] = {scree_shape_box(0.3f, 0.25f, height),
                                  scree_shape_cylinder(0.2f, height),
                                  scree_shape_capsule(height, 0.3f),
                                  scree_shape_sphere(height),
                                  pair_of_boxes(),
                                  prism()};
    for (int i = 0; i < 12; i++) {
        scree_world *world = world_of(&def);
        const scree_shape shape = shapes[i / 2];
        add_tiles(world, i % 2, 0);
        const scree_body_id id = add_slider(world, shape);
        ASSERT_AT_MOST(highest(world, id), 1e-3);
        ASSERT_NEAR((double)state_of(world, id).linear_velocity.x, speed, 0.0025 * speed);
        scree_world_destroy(world);
    }
    scree_geometry_release((scree_geometry *)(uintptr_t)shapes[4].geometry);
    scree_geometry_release((scree_geometry *)(uintptr_t)shapes[5].geometry);
}

/* A cube that slides slowly stays near an edge for many steps; a normal of edges that meet, which leans
 * against the motion, would stop it. */
static void slow_sliders_pass_coplanar_boxes(void **state) {
    static const struct {
        double speed, rate;
    } cases[] = {{0.001, 240}, {0.004, 240}, {0.004, 1000}, {0.01, 1000}, {0.01, 3333}};
    for (int i = 0; i < 5; i++) {
        const double way = 0.004;
        scree_world_def def = def_on(state);
        def.material.friction = 0;
        def.time_step = 1 / cases[i].rate;
        scree_world *world = world_of(&def);
        for (int tile = -2; tile <= 2; tile++) {
            scree_body_def wall = scree_default_body_def();
            wall.type = SCREE_BODY_STATIC;
            wall.shape = scree_shape_box(0.1f, 0.1f, 0.1f);
            wall.state.position = (scree_vec3){0.2f * (float)tile, 0, -0.1f};
            CHECK(scree_body_create(world, &wall, NULL));
        }
        const scree_body_id id =
            add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){(float)(-way / 2), 0, 0.1f},
                     (scree_vec3){(float)cases[i].speed, 0, 0});
        run_for(world, way / cases[i].speed);
        ASSERT_NEAR((double)state_of(world, id).linear_velocity.x, cases[i].speed, 0.0025 * cases[i].speed);
        scree_world_destroy(world);
    }
}

/* Every force on a lying cylinder acts through its axis: without friction it does not start to turn, and
 * rolling it does not stop; upright it keeps spinning. */
static void cylinders_keep_their_spin_on_coplanar_boxes(void **state) {
    const float radius = 0.15f;
    const scree_shape shapes[] = {scree_shape_cylinder(radius, 0.2f), scree_shape_capsule(radius, 0.2f),
                                  scree_shape_cylinder(radius, radius)};
    for (int i = 0; i < 10; i++) {
        scree_world_def def = def_on(state);
        const int shape = i / 2 % 3;
        const bool rolls = shape < 2 && i >= 6, upright = shape == 2;
        const float spin = rolls ? speed / radius : upright ? 20 : 0;
        def.material.friction = rolls ? 0.3f : 0, def.time_step = i % 2 ? 1.0 / 120 : 1.0 / 30;
        scree_world *world = world_of(&def);
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        body.shape = shapes[shape], body.state.position = (scree_vec3){0.03f, 0.05f, radius};
        if (!upright) body.state.rotation = (scree_quat){sqrtf(0.5f), 0, 0, sqrtf(0.5f)};
        body.state.linear_velocity.x = speed;
        body.state.angular_velocity = (scree_vec3){0, upright ? 0 : spin, upright ? spin : 0};
        add_tiles(world, true, 0);
        CHECK(scree_body_create(world, &body, &id));
        run_for(world, 1.2);
        const scree_body_state at = state_of(world, id);
        ASSERT_NEAR((double)at.linear_velocity.x, speed, 0.0025 * speed);
        ASSERT_WITHIN(upright ? at.angular_velocity.z : at.angular_velocity.y, spin,
                      0.01 + 0.0025 * (double)spin);
        scree_world_destroy(world);
    }
}

static void a_step_stops_a_box(void **state) {
    scree_world_def def = def_on(state);
    def.material.friction = 0;
    for (int i = 0; i < 2; i++) {
        scree_world *world = world_of(&def);
        add_tiles(world, i, 0.02f);
        const scree_body_id id = add_slider(world, scree_shape_box(0.3f, 0.25f, height));
        highest(world, id);
        ASSERT_AT_MOST((double)state_of(world, id).linear_velocity.x, 0.5 * speed);
        ASSERT_AT_MOST((double)state_of(world, id).position.x, 2.5);
        scree_world_destroy(world);
    }
}

/* Free flight past a box below, at any clearance down to round-off below zero; and into it, by a hundredth of
 * the half height. */
static void passing_bodies_are_not_deflected(void **state) {
    const double clearance[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 0, -1e-6, -2e-3}, rate[] = {120, 480, 1920};
    for (int i = 0; i < 24; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0};
        def.material.friction = 0, def.time_step = 1 / rate[i / 8];
        scree_world *world = world_of(&def);
        scree_body_def block = scree_default_body_def();
        scree_body_id fixed;
        block.type = SCREE_BODY_STATIC, block.shape = scree_shape_box(0.5f, 1, 0.5f);
        block.state.position = (scree_vec3){1.5f, 0, -0.5f};
        CHECK(scree_body_create(world, &block, &fixed));
        const scree_body_id id =
            add_body(world, scree_shape_box(0.3f, 0.25f, height),
                     (scree_vec3){0, 0, (float)((double)height + clearance[i % 8])}, (scree_vec3){4, 0, 0});
        run_for(world, 0.5);
        const double v = (double)state_of(world, id).linear_velocity.x;
        if (clearance[i % 8] < -1e-3)
            ASSERT_AT_MOST(v, 2);
        else
            ASSERT_NEAR(v, speed, 1e-4);
        scree_world_destroy(world);
    }
}

/* 64 pairs of cubes, 5 m apart: each leaves the side of another one and crosses above its top only `late`
 * steps later. The stiffest stabilisation finds no overlap to correct. */
static void cubes_passing_a_corner_are_not_pushed(void **state) {
    enum { PAIRS = 64 };
    const double side = 0.2;
    for (int kind = 0; kind < SCREE_STABILISATION_COUNT; kind++) {
        scree_world_def def = def_on(state);
        scree_body_id ids[PAIRS];
        scree_vec3 velocities[PAIRS];
        def.gravity = (scree_vec3){0}, def.time_step = 1 / 240.0;
        def.solver = scree_solver_def_with_stabilisation(def.solver, (scree_stabilisation)kind);
        set_error_reduction(&def.solver, 1);
        set_correction_speed(&def.solver, 100);
        set_oscillator(&def.solver, def.time_step, 0.1);
        if (kind == SCREE_STABILISATION_SUBSTEP) {
            def.solver.substep.contact_frequency = 1e4f;
            def.solver.substep.contact_damping_ratio = 0;
        }
        scree_world *world = world_of(&def);
        for (int i = 0; i < PAIRS; i++) {
            const double late = 0.05 + 0.15 * (i % 8), phase = (i / 8) / 8.0, rise = 1 + 0.4 * (i % 5),
                         along = 4 - 0.5 * (i % 3), h = def.time_step, begin = h * (4 + phase), x = 5.0 * i;
            scree_body_def cube = scree_default_body_def();
            cube.type = SCREE_BODY_STATIC,
            cube.shape = scree_shape_box((float)side / 2, (float)side / 2, (float)side / 2);
            cube.state.position.x = (float)x;
            CHECK(scree_body_create(world, &cube, NULL));
            velocities[i] = (scree_vec3){(float)along, 0, (float)rise};
            ids[i] = add_body(
                world, cube.shape,
                (scree_vec3){(float)(x - side - along * (begin + late * h)), 0, (float)(side - rise * begin)},
                velocities[i]);
        }
        for (int step = 0; step < 10; step++) {
            scree_statistics s;
            CHECK(scree_world_step(world, &s));
            ASSERT_AT_MOST(s.penetration_max, 1e-3 * side / 2);
        }
        for (int i = 0; i < PAIRS; i++) {
            const scree_vec3 v = state_of(world, ids[i]).linear_velocity, w = velocities[i];
            ASSERT_AT_MOST(length_of((scree_vec3){v.x - w.x, v.y - w.y, v.z - w.z}), 1e-4);
        }
        scree_world_destroy(world);
    }
}

static double_box box_of(const scree_world *world, scree_body_id id) {
    scree_body_def def;
    CHECK(scree_body_get_def(world, id, &def));
    const scree_vec3 at = def.state.position;
    const scree_quat q = def.state.rotation;
    return double_box_of(def.shape, (body_pose){.position = vec3_of(at.x, at.y, at.z),
                                                .rotation = versor_of(q.x, q.y, q.z, q.w)});
}

static scree_body_id add_cube_in_flight(scree_world *world, uint32_t locks, scree_vec3 position,
                                        scree_vec3 velocity) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = scree_shape_box(0.1f, 0.1f, 0.1f);
    def.state.position = position, def.state.linear_velocity = velocity;
    def.locks = locks;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* A cube flies close past the top or side of a block, and is struck towards it in the step of the passage.
 * Returns the deepest overlap at the end of a step, m. */
static double deepest_when_struck(void **state, uint32_t locks) {
    enum { STRIKES = 4, PHASES = 8 };
    const float h = 1.0f / 120, strikes[STRIKES] = {0.5f, 1, 2, 4}, out = 0.5f + 0.1f + 1e-3f;
    double deepest = 0;
    for (int i = 0; i < 2 * STRIKES * PHASES; i++) {
        scree_world_def def = def_on(state);
        const bool beside = i % 2;
        def.gravity = (scree_vec3){0};
        def.material.friction = 0;
        scree_world *world = world_of(&def);
        const float strike = strikes[i / 2 % STRIKES], phase = (float)(i / 2 / STRIKES) / PHASES,
                    x = -0.5f - 0.1f - (3 + phase) * h * speed, far = out + 0.2f + 3.25f * h * strike;
        scree_body_def block = scree_default_body_def();
        scree_body_id fixed;
        block.type = SCREE_BODY_STATIC, block.shape = scree_shape_box(0.5f, 0.5f, 0.5f);
        CHECK(scree_body_create(world, &block, &fixed));
        const scree_body_id id =
            add_cube_in_flight(world, locks, beside ? (scree_vec3){x, out, 0} : (scree_vec3){x, 0, out},
                               (scree_vec3){speed, 0, 0});
        add_cube_in_flight(world, locks, beside ? (scree_vec3){x, far, 0} : (scree_vec3){x, 0, far},
                           beside ? (scree_vec3){speed, -strike, 0} : (scree_vec3){speed, 0, -strike});
        const double_box stands = box_of(world, fixed);
        for (int k = 0; k < 12; k++) {
            CHECK(scree_world_step(world, NULL));
            const double_box flies = box_of(world, id);
            deepest = fmax(deepest, -box_axis_separation(&stands, &flies));
        }
        scree_world_destroy(world);
    }
    print_message("struck towards a neighbour: overlap of at most %.2f mm\n", 1e3 * deepest);
    return deepest;
}

/* For cubes that turn when struck, an overlap of a twentieth of the half width is allowed. */
static void struck_cubes_do_not_enter_their_neighbour(void **state) {
    const uint32_t unturned = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z;
    ASSERT_AT_MOST(deepest_when_struck(state, unturned), 1e-3);
    ASSERT_AT_MOST(deepest_when_struck(state, 0), 6e-3);
}

/* Adds a cube that stands on an edge along y, and one inclined by `angle` about x with its lowest edge `gap`
 * above the upper edge of the first, at the distance `beyond` from the end of that edge: the plane of the
 * lower face is nearer to that end by `beyond` sin(angle). Returns the inclined cube, which falls at `fall`
 * (m/s). */
static scree_body_id add_crossing_edges(scree_world *world, double half, double angle, double gap,
                                        double beyond, double fall) {
    const float size = (float)half, eighth = (float)M_PI / 8;
    const double c = cos(angle), s = sin(angle);
    scree_body_def cube = scree_default_body_def();
    scree_body_id id;
    cube.type = SCREE_BODY_STATIC, cube.shape = scree_shape_box(size, size, size);
    cube.state.rotation = (scree_quat){0, sinf(eighth), 0, cosf(eighth)};
    CHECK(scree_body_create(world, &cube, NULL));
    cube.type = SCREE_BODY_DYNAMIC;
    cube.locks = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z;
    cube.state.rotation = (scree_quat){(float)sin(angle / 2), 0, 0, (float)cos(angle / 2)};
    cube.state.position = (scree_vec3){size / 10, (float)(half * (c - s - 1) + beyond),
                                       (float)(half * (sqrt(2) + s + c) + gap)};
    cube.state.linear_velocity.z = (float)-fall;
    CHECK(scree_body_create(world, &cube, &id));
    return id;
}

/* Edges that cross less than a negligible overlap from each other, farther than the bodies move in a step by
 * their velocity, stop a body that a load presses on within the step. */
static void slow_edges_support_a_load(void **state) {
    const double halves[] = {0.04, 0.5}, angles[] = {0.05, 0.1, 0.2, 0.3}, falls[] = {5e-5, 1e-4, 2e-4};
    for (int i = 0; i < 24; i++) {
        const double half = halves[i % 2], angle = angles[i / 2 % 4], h = 1.0 / 120, overlap = 6e-4 * half,
                     gap = overlap + 2e-5 * half, load = 2e-3 * half / (h * h);
        scree_world_def def = def_on(state);
        def.time_step = h, def.gravity = (scree_vec3){0, 0, (float)-load};
        scree_world *world = world_of(&def);
        const scree_body_id id =
            add_crossing_edges(world, half, angle, gap, overlap / angle, falls[i / 8] * half / h);
        const double before = (double)state_of(world, id).position.z;
        CHECK(scree_world_step(world, NULL));
        ASSERT_AT_MOST(before - (double)state_of(world, id).position.z, 1.02 * gap);
        scree_world_destroy(world);
    }
}

/* Gravity presses a cube on a block in the step in which it crosses the edge of the block, flush with its
 * top. */
static void passing_bodies_bear_a_load(void **state) {
    const double half = 0.1, h = 1.0 / 120, phases[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    for (int i = 0; i < 5; i++) {
        scree_world_def def = def_on(state);
        def.time_step = h, def.material.friction = 0;
        def.gravity = (scree_vec3){0, 0, (float)(-2e-3 * half / (h * h))};
        scree_world *world = world_of(&def);
        scree_body_def block = scree_default_body_def();
        block.type = SCREE_BODY_STATIC, block.shape = scree_shape_box(0.5f, 0.5f, 0.5f);
        CHECK(scree_body_create(world, &block, NULL));
        const scree_body_id id = add_cube_in_flight(
            world, SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z,
            (scree_vec3){(float)(-0.6 - phases[i] * h * (double)speed), 0, 0.6f}, (scree_vec3){speed, 0, 0});
        CHECK(scree_world_step(world, NULL));
        ASSERT_WITHIN(state_of(world, id).position.z, 0.6, 1e-4 * half);
        run_for(world, 0.1);
        ASSERT_NEAR((double)state_of(world, id).linear_velocity.x, speed, 1e-4);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", coplanar_boxes_stop_no_slider),
        ON("native", slow_sliders_pass_coplanar_boxes),
        ON("native", tapered_shapes_slide_over_coplanar_boxes),
        ON("native", cylinders_keep_their_spin_on_coplanar_boxes),
        ON("native", a_step_stops_a_box),
        ON("native", passing_bodies_are_not_deflected),
        ON("native", cubes_passing_a_corner_are_not_pushed),
        ON("native", struck_cubes_do_not_enter_their_neighbour),
        ON("native", slow_edges_support_a_load),
        ON("native", passing_bodies_bear_a_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
