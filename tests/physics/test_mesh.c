/* Meshes: files and their faults, and triangle surfaces without internal-edge artefacts. */
#include "base/vector.h"
#include "detect/child_contacts.h"
#include "pour.h"
#include "random_vectors.h"
#include "scenery.h"
#include "geometry/geometry.h"

enum { CELLS = 12 };

/* Makes a square of the plane z = 0 of cells cut along a diagonal, rotated by `turn`. */
static scree_geometry *tiles_of(float side, float turn) {
    scree_vec3 vertices[(CELLS + 1) * (CELLS + 1)];
    scree_triangle triangles[2 * CELLS * CELLS];
    scree_geometry *made = NULL;
    int count = 0;
    for (int i = 0; i < (CELLS + 1) * (CELLS + 1); i++) {
        const float x = side * ((float)(i % (CELLS + 1)) / CELLS - 0.5f),
                    y = side * ((float)(i / (CELLS + 1)) / CELLS - 0.5f);
        vertices[i] = (scree_vec3){cosf(turn) * x - sinf(turn) * y, sinf(turn) * x + cosf(turn) * y, 0};
    }
    for (int i = 0; i < CELLS * CELLS; i++) {
        const int a = i / CELLS * (CELLS + 1) + i % CELLS, b = a + 1, c = a + CELLS + 1, d = c + 1;
        triangles[count++] = (scree_triangle){{a, b, d}};
        triangles[count++] = (scree_triangle){{a, d, c}};
    }
    CHECK(scree_mesh_create(vertices, (CELLS + 1) * (CELLS + 1), triangles, count, &made));
    return made;
}

static scree_body_id add_static(scree_world *world, scree_shape shape) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = SCREE_BODY_STATIC, def.shape = shape;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* A sphere that slides over eight tiles without friction keeps its velocity to round-off. */
static void edges_do_not_deflect_sliding(void **state) {
    scree_world_def def = def_on(state);
    def.material.friction = 0, def.time_step = 0.01;
    for (int i = 0; i < 4; i++) {
        scree_world *world = world_of(&def);
        scree_geometry *tiles = tiles_of(8, 0.3f * (float)i);
        add_static(world, scree_shape_mesh(tiles, 1));
        scree_geometry_release(tiles);
        const scree_body_id ball = add_body(world, scree_shape_sphere(0.3f), (scree_vec3){-2.5f, 0.07f, 0.3f},
                                            (scree_vec3){3, 0.1f, 0});
        for (int step = 0; step < 160; step++) {
            CHECK(scree_world_step(world, NULL));
            const scree_body_state at = state_of(world, ball);
            ASSERT_WITHIN(at.linear_velocity.x, 3, 1e-5);
            ASSERT_WITHIN(at.linear_velocity.y, 0.1, 1e-5);
            ASSERT_WITHIN(at.linear_velocity.z, 0, 1e-4);
            ASSERT_WITHIN(at.position.z, 0.3, 1e-4);
        }
        scree_world_destroy(world);
    }
}

/* Returns the state of a body after sliding over a mesh for a time, s; the mesh then belongs to the world. */
static scree_body_state slid_over(scree_world *world, scree_geometry *made, scree_shape shape,
                                  scree_vec3 position, scree_vec3 velocity, double seconds) {
    add_static(world, scree_shape_mesh(made, 1));
    scree_geometry_release(made);
    const scree_body_id id = add_body(world, shape, position, velocity);
    run_for(world, seconds);
    return state_of(world, id);
}

/* A box that slides over tiles is supported by corners of both: it stays as level and as fast as on one
 * plane. */
static void box_slides_on_tiles(void **state) {
    scree_world_def def = def_on(state);
    def.material.friction = 0, def.time_step = 0.01;
    scree_world *world = world_of(&def);
    const scree_body_state at = slid_over(world, tiles_of(8, 0.3f), scree_shape_box(0.4f, 0.3f, 0.2f),
                                          (scree_vec3){-2.5f, 0.07f, 0.2f}, (scree_vec3){3, 0.1f, 0}, 1.5);
    ASSERT_WITHIN(at.linear_velocity.x, 3, 3e-2);
    ASSERT_WITHIN(at.linear_velocity.y, 0.1, 3e-2);
    ASSERT_WITHIN(at.position.z, 0.2, 5e-3);
    ASSERT_AT_MOST(length_of(at.angular_velocity), 3e-2);
    scree_world_destroy(world);
}

/* A floor or table of fine tiles acts as one plane: a box has at most four points anywhere, slides straight
 * for v²/(2 μ g); over the table's edge it stays while its centre is inside and tips otherwise. */
static void a_plane_of_tiles_has_one_patch(void **state) {
    const float half[3] = {0.9f, 0.6f, 0.3f};
    scree_world_def def = def_on(state);
    def.material.friction = 0.5f, def.time_step = 0.005;
    scree_world *world = world_of(&def);
    scree_geometry *tiles = tiles_of(4, 0.3f);
    add_static(world, scree_shape_mesh(tiles, 1));
    scree_geometry_release(tiles);
    const float c = cosf(0.3f), s = sinf(0.3f);
    const scree_body_id slider =
        add_body(world, scree_shape_box(half[0], half[1], half[2]),
                 (scree_vec3){-0.9f * c, -0.9f * s, half[2]}, (scree_vec3){2.5f * c, 2.5f * s, 0});
    for (int step = 0; step < 160; step++) {
        CHECK(scree_world_step(world, NULL));
        assert_in_range(scree_contact_count(world), 3, 4);
    }
    const scree_body_state rests = state_of(world, slider);
    const double way = 2.5 * 2.5 / (2 * 0.5 * 9.81);
    ASSERT_WITHIN((rests.position.x + 0.9f * c) * c + (rests.position.y + 0.9f * s) * s, way, 0.02);
    ASSERT_WITHIN((rests.position.y + 0.9f * s) * c - (rests.position.x + 0.9f * c) * s, 0, 0.01);
    ASSERT_WITHIN(rests.position.z, half[2], 1e-3);
    ASSERT_AT_MOST(length_of(rests.linear_velocity), 1e-3);
    for (int beyond = 0; beyond < 2; beyond++) {
        scree_body_state at = rests;
        const float x = 2 + (beyond ? 0.05f : -0.05f);
        at.position = (scree_vec3){x * c, x * s, half[2]};
        at.rotation = (scree_quat){0, 0, sinf(0.15f), cosf(0.15f)};
        at.linear_velocity = at.angular_velocity = (scree_vec3){0, 0, 0};
        CHECK(scree_body_set_state(world, slider, &at));
        run_for(world, 0.6);
        const double sunk = half[2] - state_of(world, slider).position.z;
        if (beyond)
            assert_true(sunk > 0.02);
        else
            ASSERT_WITHIN(sunk, 0, 1e-3);
    }
    scree_world_destroy(world);
}

/* triangles with separate corners, as in STL files */
typedef struct soup {
    scree_vec3 vertices[3 * 8 * CELLS * CELLS];
    scree_triangle triangles[8 * CELLS * CELLS];
    int count;
} soup;

static void add_triangle(soup *to, scree_vec3 a, scree_vec3 b, scree_vec3 c) {
    const int first = 3 * to->count;
    to->vertices[first] = a, to->vertices[first + 1] = b, to->vertices[first + 2] = c;
    to->triangles[to->count++] = (scree_triangle){{first, first + 1, first + 2}};
}

typedef enum flaw { SHIFTED, TWICE, TWO_SIDED, RIBBED, FLAW_COUNT } flaw;

/* Makes the plane z = 0 with every other column of its cells shifted by half a cell, with copies of every
 * triangle, or with ribs below every column's border. */
static void flawed_plane(flaw kind, soup *out) {
    const float cell = 8.0f / CELLS;
    out->count = 0;
    for (int i = 0; i < CELLS * CELLS; i++) {
        const float x = cell * (float)(i / CELLS) - 4, y = cell * ((float)(i % CELLS) - CELLS / 2) +
                                                           (kind == SHIFTED && i / CELLS % 2 ? cell / 2 : 0);
        const scree_vec3 a = {x, y, 0}, b = {x + cell, y, 0}, c = {x + cell, y + cell, 0},
                         d = {x, y + cell, 0}, deep = {x, y, -1}, deeper = {x, y + cell, -1};
        add_triangle(out, a, b, c), add_triangle(out, a, c, d);
        if (kind == TWICE) add_triangle(out, b, c, a), add_triangle(out, a, c, d);
        if (kind == TWO_SIDED) add_triangle(out, a, c, b), add_triangle(out, a, d, c);
        if (kind == RIBBED) add_triangle(out, a, d, deeper), add_triangle(out, a, deeper, deep);
    }
}

/* Bodies keep their velocity on a plane with corners on edges, duplicate triangles, or edges with three
 * triangles. */
static void mesh_flaws_do_not_deflect_sliding(void **state) {
    static soup plane;
    const scree_shape shapes[] = {scree_shape_sphere(0.3f), scree_shape_box(0.4f, 0.3f, 0.2f),
                                  scree_shape_cylinder(0.2f, 0.3f)};
    const float heights[] = {0.3f, 0.2f, 0.3f};
    for (int i = 0; i < FLAW_COUNT; i++) {
        scree_world_def def = def_on(state);
        def.material.friction = 0, def.time_step = 0.01;
        scree_world *world = world_of(&def);
        scree_geometry *made = NULL;
        scree_body_id bodies[3];
        flawed_plane((flaw)i, &plane);
        CHECK(scree_mesh_create(plane.vertices, 3 * plane.count, plane.triangles, plane.count, &made));
        if (i == TWICE || i == TWO_SIDED)
            assert_int_equal(scree_mesh_triangle_count(made), 2 * CELLS * CELLS);
        add_static(world, scree_shape_mesh(made, 1));
        scree_geometry_release(made);
        for (int k = 0; k < 3; k++)
            bodies[k] =
                add_body(world, shapes[k], (scree_vec3){-2.5f, 0.07f + 1.5f * (float)(k - 1), heights[k]},
                         (scree_vec3){3, 0.1f, 0});
        run_for(world, 1.5);
        for (int k = 0; k < 3; k++) {
            const scree_body_state at = state_of(world, bodies[k]);
            if (i == RIBBED && k == 1) continue; /* a box's side hits the side of a rib */
            ASSERT_WITHIN(at.linear_velocity.x, 3, 3e-2);
            ASSERT_WITHIN(at.linear_velocity.y, 0.1, 3e-2);
            ASSERT_WITHIN(at.position.z, heights[k], 5e-3);
            ASSERT_AT_MOST(length_of(at.angular_velocity), 3e-2);
        }
        scree_world_destroy(world);
    }
}

/* Two triangles abut on 400 cells along one edge, like a coarse plate on a finely meshed part: a box slides
 * over all of their corners as over a few. */
static void rows_of_corners_do_not_deflect_sliding(void **state) {
    static soup plane;
    enum { ROW = 400 };
    scree_world_def def = def_on(state);
    scree_geometry *made = NULL;
    const scree_vec3 low = {0, -1, 0}, high = {0, 1, 0}, far_low = {-2, -1, 0}, far_high = {-2, 1, 0};
    def.material.friction = 0, def.time_step = 1 / 240.0f;
    plane.count = 0;
    add_triangle(&plane, far_low, low, high), add_triangle(&plane, far_low, high, far_high);
    for (int i = 0; i < ROW; i++) {
        const float from = 2.0f * (float)i / ROW - 1, to = 2.0f * (float)(i + 1) / ROW - 1;
        add_triangle(&plane, (scree_vec3){0, from, 0}, (scree_vec3){2, from, 0}, (scree_vec3){2, to, 0});
        add_triangle(&plane, (scree_vec3){0, from, 0}, (scree_vec3){2, to, 0}, (scree_vec3){0, to, 0});
    }
    CHECK(scree_mesh_create(plane.vertices, 3 * plane.count, plane.triangles, plane.count, &made));
    scree_world *world = world_of(&def);
    const scree_body_state at = slid_over(world, made, scree_shape_box(0.1f, 0.1f, 0.1f),
                                          (scree_vec3){-0.3f, 0.07f, 0.1f}, (scree_vec3){2, 0.1f, 0}, 0.3);
    ASSERT_WITHIN(at.linear_velocity.x, 2, 1e-4);
    ASSERT_WITHIN(at.linear_velocity.y, 0.1, 1e-4);
    ASSERT_WITHIN(at.position.z, 0.1, 1e-3);
    scree_world_destroy(world);
}

/* A body tumbling on tiles without friction is never pushed sideways by edges between them. */
static void edges_do_not_deflect_tumbling(void **state) {
    const scree_shape shapes[] = {scree_shape_box(0.3f, 0.2f, 0.05f), scree_shape_capsule(0.1f, 0.2f),
                                  scree_shape_cylinder(0.2f, 0.1f), scree_shape_ellipsoid(0.3f, 0.2f, 0.1f)};
    uint64_t seed = 11;
    for (int i = 0; i < 16; i++) {
        scree_world_def def = def_on(state);
        def.material.friction = 0, def.time_step = 1 / 60.0f;
        scree_world *world = world_of(&def);
        scree_geometry *tiles = tiles_of(6, 0.3f);
        add_static(world, scree_shape_mesh(tiles, 1));
        scree_geometry_release(tiles);
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        const vec3s at = random_vector(&seed, -1, 1), axis = random_direction(&seed),
                    spin = random_vector(&seed, -15, 15);
        body.shape = shapes[i % 4];
        body.state.position = (scree_vec3){at.x, at.y, 0.6f};
        body.state.rotation = (scree_quat){axis.x * 0.8f, axis.y * 0.8f, axis.z * 0.8f, 0.6f};
        body.state.linear_velocity = (scree_vec3){0, 0, -3 + 2 * at.z};
        body.state.angular_velocity = (scree_vec3){spin.x, spin.y, spin.z};
        CHECK(scree_body_create(world, &body, &id));
        for (int step = 0; step < 60; step++) {
            CHECK(scree_world_step(world, NULL));
            const scree_body_state now = state_of(world, id);
            ASSERT_AT_MOST(hypot((double)now.linear_velocity.x, (double)now.linear_velocity.y), 0.01);
            ASSERT_AT_LEAST(now.position.z, 0.03);
        }
        scree_world_destroy(world);
    }
}

static pour pour_on_floor(void **state, scree_shape floor) {
    scree_world_def def = def_on(state);
    def.material.friction = 0.4f, def.time_step = 0.005;
    scree_world *world = world_of(&def);
    add_static(world, floor);
    return pour_on(world, def.time_step);
}

static void pour_matches_a_half_space(void **state) {
    skip_if_short();
    scree_geometry *tiles = tiles_of(6, 0.2f);
    const pour tiled = pour_on_floor(state, scree_shape_mesh(tiles, 1));
    scree_geometry_release(tiles);
    assert_same_pour(tiled, pour_on_floor(state, scree_shape_half_space()));
}

/* A ridge supports a balanced sphere, and its faces turn one away. */
static void ridge_supports_a_sphere(void **state) {
    (void)state;
    const scree_vec3 roof[] = {{-1, -1, 0}, {-1, 1, 0}, {1, -1, 0}, {1, 1, 0}, {0, -1, 0.5f}, {0, 1, 0.5f}};
    const scree_triangle sides[] = {{{0, 4, 5}}, {{0, 5, 1}}, {{4, 2, 3}}, {{4, 3, 5}}};
    scree_geometry *made = NULL;
    CHECK(scree_mesh_create(roof, 6, sides, 4, &made));
    const scree_shape shape = scree_shape_mesh(made, 1), ball = scree_shape_sphere(0.2f);
    const body_pose still = {.rotation = versor_of(0, 0, 0, 1)};
    int kept = 0;
    for (int over = 0; over < 2; over++) {
        const body_pose at = {.position = vec3_of(over ? 0.5f : 0, 0.1f, over ? 0.48f : 0.72f),
                              .rotation = versor_of(0, 0, 0, 1)};
        for (int part = 0; part < 4; part++) {
            manifold found = children_manifold(ball, at, shape, still, part, 0.1f);
            children_settle(ball, at, shape, still, part, &found);
            if (!found.count) continue;
            kept++;
            ASSERT_WITHIN(found.normal.x, over ? -1 / sqrt(5) : 0, 1e-5);
            ASSERT_WITHIN(found.normal.z, over ? -2 / sqrt(5) : -1, 1e-5);
            if (!over) ASSERT_WITHIN(found.points[0].gap, 0.02, 1e-5);
        }
        assert_true(kept > over);
    }
    scree_geometry_release(made);
}

/* The nose of a step supports a grain even if a wall's corner is near relative to the triangles. */
static void step_supports_a_grain_near_a_wall(void **state) {
    (void)state;
    const float s = 10, radius = 0.004f;
    const scree_vec3 corners[] = {{-s, 0, 0}, {0, 0, 0},  {0, s, 0}, {-s, s, 0},
                                  {0, 0, -s}, {0, s, -s}, {0, 0, s}, {-s, 0, s}};
    const scree_triangle faces[] = {{{0, 1, 2}}, {{0, 2, 3}}, {{1, 4, 5}},
                                    {{1, 5, 2}}, {{0, 7, 6}}, {{0, 6, 1}}};
    scree_geometry *made = NULL;
    CHECK(scree_mesh_create(corners, 8, faces, 6, &made));
    const scree_shape shape = scree_shape_mesh(made, 1), ball = scree_shape_sphere(radius);
    const body_pose still = {.rotation = versor_of(0, 0, 0, 1)},
                    at = {.position = vec3_of(0.7f * radius, 0.0045f, 0.7f * radius),
                          .rotation = still.rotation};
    int bearing = 0;
    for (int part = 0; part < 6; part++) {
        manifold found = children_manifold(ball, at, shape, still, part, 1e-4f);
        children_settle(ball, at, shape, still, part, &found);
        bearing += found.count && found.normal.x < -0.7f && found.normal.z < -0.7f;
    }
    scree_geometry_release(made);
    assert_true(bearing > 0);
}

/* Bodies on many triangles warm-start each point: nothing is left to solve. */
/* Gaps of 1e-10 m decide which points of the rim of a cylinder at rest are kept, so one may change. */
static void points_warm_start_their_impulses(void **state) {
    const scree_shape shapes[] = {scree_shape_box(0.4f, 0.3f, 0.2f), scree_shape_cylinder(0.3f, 0.2f)};
    for (int i = 0; i < 2; i++) {
        const scree_world_def def = def_on(state);
        scree_world *world = world_of(&def);
        scree_geometry *tiles = tiles_of(4, 0.3f);
        add_static(world, scree_shape_mesh(tiles, 1));
        scree_geometry_release(tiles);
        add_body(world, shapes[i], (scree_vec3){0.037f, 0.061f, 0.2f}, (scree_vec3){0, 0, 0});
        int hits = 0, contacts = 0;
        run_for(world, 1.5);
        for (int step = 0; step < 50; step++) {
            scree_statistics s;
            CHECK(scree_world_step(world, &s));
            ASSERT_AT_MOST(s.solve.residual_before, 1e-3);
            hits += s.cache_hits, contacts += s.contacts;
        }
        print_message("%d of %d points known\n", hits, contacts);
        ASSERT_AT_LEAST(hits, 0.98 * contacts);
        scree_world_destroy(world);
    }
}

/* Compares with the nearest of random points of the triangle. */
static void nearest_point_is_nearest(void **state) {
    (void)state;
    uint64_t seed = 11;
    const scree_shape triangle = {SCREE_SHAPE_TRIANGLE, {1, 0.3f, 0.8f}, NULL};
    const body_pose still = {.rotation = versor_of(0, 0, 0, 1)};
    for (int i = 0; i < 200; i++) {
        const body_pose at = {.position = vec3_of((scalar)random_between(&seed, -1, 2),
                                                  (scalar)random_between(&seed, -1, 2),
                                                  (scalar)random_between(&seed, -1, 1)),
                              .rotation = versor_of(0, 0, 0, 1)};
        const manifold found = manifold_of(scree_shape_sphere(0.1f), at, triangle, still, 10);
        double least = INFINITY;
        for (int k = 0; k < 4000; k++) {
            double u = random_between(&seed, 0, 1), v = random_between(&seed, 0, 1);
            if (u + v > 1) u = 1 - u, v = 1 - v;
            const double x = u + 0.3 * v - (double)at.position.x, y = 0.8 * v - (double)at.position.y;
            least = fmin(least, sqrt(x * x + y * y + (double)at.position.z * (double)at.position.z));
        }
        assert_int_equal(found.count, 1);
        ASSERT_AT_MOST((double)found.points[0].gap, least - 0.1 + 1e-5);
        ASSERT_WITHIN(found.points[0].gap, least - 0.1, 0.04);
    }
}

static void write_file(const char *name, const void *bytes, size_t length) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static const char ascii[] = "solid one\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
                            "   vertex 0 1 0\n  endloop\n endfacet\nendsolid one\n";
static const char obj[] =
    "# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1 -1//1\n";

static void binary_of(unsigned char out[134]) {
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    memset(out, 0, 134);
    out[80] = 1;
    memcpy(out + 96, corners, sizeof corners);
}

static void files_are_read(void **state) {
    (void)state;
    unsigned char binary[134];
    scree_geometry *made = NULL;
    binary_of(binary);
    write_file("test_mesh.stl", ascii, sizeof ascii - 1);
    CHECK(scree_mesh_load("test_mesh.stl", NULL, &made));
    assert_int_equal(scree_mesh_triangle_count(made), 1);
    scree_geometry_release(made);
    char returns[sizeof ascii]; /* lines that end in CR only */
    for (size_t i = 0; i < sizeof ascii; i++) returns[i] = (char)(ascii[i] == '\n' ? '\r' : ascii[i]);
    write_file("test_mesh.stl", returns, sizeof ascii - 1);
    CHECK(scree_mesh_load("test_mesh.stl", NULL, &made));
    assert_int_equal(scree_mesh_triangle_count(made), 1);
    scree_geometry_release(made);
    write_file("test_mesh.stl", binary, sizeof binary);
    CHECK(scree_mesh_load("test_mesh.stl", NULL, &made));
    assert_int_equal(scree_mesh_triangle_count(made), 1);
    scree_geometry_release(made);
    write_file("test_mesh.obj", obj, sizeof obj - 1);
    CHECK(scree_mesh_load("test_mesh.obj", NULL, &made));
    assert_int_equal(scree_mesh_triangle_count(made), 2);
    assert_int_equal(made->surface.vertex_count, 4);
    scree_geometry_release(made);
    remove("test_mesh.stl"), remove("test_mesh.obj");
}

static void faults_are_named(void **state) {
    (void)state;
    static const struct {
        const char *name, *text, *words;
    } faults[] = {
        {"test_mesh.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", ":4:"},
        {"test_mesh.stl", "solid a\nfacet normal 0 0 1\nouter lop\n", ":3:"},
        {"test_mesh.stl", "solid a\nendsolid a\n", ""},
        {"test_mesh.stl", "hello", "byte 80"},
        {"test_mesh.obj", "v 0 0 0\nf 1 2 3\n", ":2:"},
        {"test_mesh.obj", "v 0 0 x\n", ":1:"},
        {"test_mesh.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", ":3:"},
        {"test_mesh.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", ""},
    };
    scree_geometry *made = NULL;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        write_file(faults[i].name, faults[i].text, strlen(faults[i].text));
        CHECK_FAILS(scree_mesh_load(faults[i].name, NULL, &made), SCREE_ERROR_FORMAT, faults[i].words);
        remove(faults[i].name);
    }
    static const unsigned char empty[84] = {0}; /* a binary file without triangles */
    write_file("test_mesh.stl", empty, sizeof empty);
    CHECK_FAILS(scree_mesh_load("test_mesh.stl", NULL, &made), SCREE_ERROR_FORMAT, "");
    CHECK_FAILS(scree_hull_load("test_mesh.stl", NULL, &made), SCREE_ERROR_FORMAT, "");
    remove("test_mesh.stl");
    CHECK_FAILS(scree_mesh_load("test_mesh_that_is_not.stl", NULL, &made), SCREE_ERROR_FILE,
                "test_mesh_that_is_not");
}

/* A binary file of one triangle: with missing bytes, a wrong triangle count, no triangles and more bytes, or
 * non-finite corners. */
static void faults_of_bytes_are_named(void **state) {
    (void)state;
    const float nowhere = NAN, beyond = 1e30f;
    const struct {
        size_t at, length;
        const void *bytes;
        size_t count;
        const char *words;
    } faults[] = {
        {0, 0, "", 133, "byte 80"},           {0, 5, "solid", 133, "byte 80: 1 triangles in 133"},
        {80, 1, "\2", 134, "byte 80"},        {83, 1, "\377", 134, "byte 80"},
        {108, 4, &nowhere, 134, "byte 108"},  {108, 4, &beyond, 134, "vertex 1"},
        {80, 5, "\0\0\0\0x", 135, "byte 80"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        unsigned char bytes[135] = {0};
        scree_geometry *made = NULL;
        binary_of(bytes);
        memcpy(bytes + faults[i].at, faults[i].bytes, faults[i].length);
        write_file("test_mesh.stl", bytes, faults[i].count);
        CHECK_FAILS(scree_mesh_load("test_mesh.stl", NULL, &made), SCREE_ERROR_FORMAT, faults[i].words);
        remove("test_mesh.stl");
    }
}

static void moving_meshes_are_rejected(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_geometry *tiles = tiles_of(1, 0);
    scree_body_def body = scree_default_body_def();
    body.shape = scree_shape_mesh(tiles, 1);
    CHECK_FAILS(scree_body_create(world, &body, NULL), SCREE_ERROR_ARGUMENT, "mesh");
    scree_geometry_release(tiles);
    scree_world_destroy(world);
}

/* A clump and spheres come to rest on tiles; frames, checkpoints and rays include the tiles. */
static void mesh_is_saved_and_restored(void **state) {
    const char *path = "test_mesh.checkpoint";
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def), *other = NULL;
    scree_geometry *tiles = tiles_of(4, 0.4f), *pair = NULL;
    const scree_clump_sphere two[] = {{{0.1f, 0, 0}, 0.1f}, {{-0.1f, 0, 0}, 0.1f}};
    add_static(world, scree_shape_mesh(tiles, 0.5f));
    CHECK(scree_clump_create(two, 2, &pair));
    scree_geometry_release(tiles);
    const scree_body_id body =
        add_body(world, scree_shape_clump(pair, 1), (scree_vec3){0, 0, 0.15f}, (scree_vec3){0, 0, 0});
    scree_geometry_release(pair);
    run_for(world, 0.5);
    ASSERT_WITHIN(state_of(world, body).position.z, 0.1, 1e-3);
    CHECK(scree_checkpoint_save(world, path));
    CHECK(scree_checkpoint_load(path, &def, &other));
    remove(path);
    run_for(world, 0.2), run_for(other, 0.2);
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(other));
    const scree_ray ray = {.origin = {0.7f, 0.1f, 1}, .direction = {0, 0, -1}, .distance = 5};
    scree_ray_hit hit;
    CHECK(scree_world_cast_ray(other, &ray, NULL, &hit));
    ASSERT_NEAR(hit.distance, 1, 1e-5);
    ASSERT_NEAR(hit.normal.z, 1, 1e-5);
    scree_world_destroy(world);
    scree_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_point_is_nearest),
        cmocka_unit_test(ridge_supports_a_sphere),
        cmocka_unit_test(step_supports_a_grain_near_a_wall),
        ON("native", points_warm_start_their_impulses),
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(faults_of_bytes_are_named),
        ON_EACH_BACKEND(edges_do_not_deflect_sliding),
        ON("native", box_slides_on_tiles),
        ON("native", a_plane_of_tiles_has_one_patch),
        ON("native", mesh_flaws_do_not_deflect_sliding),
        ON("native", rows_of_corners_do_not_deflect_sliding),
        ON("native", edges_do_not_deflect_tumbling),
        ON("native", pour_matches_a_half_space),
        ON("native", moving_meshes_are_rejected),
        ON("native", mesh_is_saved_and_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
