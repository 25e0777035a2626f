/* Ways of shapes, nearest bodies and filters, against closed forms and against overlap queries, which go by
 * the narrow phase. */
#include "scenery.h"

#include "random_vectors.h"

static const scree_vec3 still = {0, 0, 0};
static const scree_quat upright = {0, 0, 0, 1};

static scree_world *make_world(void) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    return world_of(&def);
}

static scree_cast_hit cast(scree_world *world, scree_shape shape, scree_vec3 from, scree_vec3 way) {
    scree_cast_hit hit;
    const scree_cast by = {{shape, from, upright}, way};
    CHECK(scree_world_cast_shape(world, &by, NULL, &hit));
    return hit;
}

/* A ball that passes a ball at the offset d meets it where their centres are R + r apart. */
static void a_ball_meets_a_ball(void **state) {
    (void)state;
    scree_world *world = make_world();
    const scree_body_id body = add_body(world, scree_shape_sphere(0.5f), (scree_vec3){3, 0, 0}, still);
    for (int i = 0; i <= 20; i++) {
        const double d = 0.049 * i, sum = 0.75;
        const scree_cast_hit hit =
            cast(world, scree_shape_sphere(0.25f), (scree_vec3){0, (float)d, 0}, (scree_vec3){6, 0, 0});
        if (d > sum) {
            assert_int_equal(hit.body.index, 0);
            ASSERT_WITHIN(hit.fraction, 1, 0);
            continue;
        }
        const double at = 3 - sqrt(sum * sum - d * d);
        assert_int_equal(hit.body.index, body.index);
        ASSERT_WITHIN(6 * (double)hit.fraction, at, 5e-6);
        ASSERT_WITHIN(hit.normal.y, d / sum, 1e-5);
        ASSERT_WITHIN(hit.normal.x, (at - 3) / sum, 1e-5);
        ASSERT_WITHIN(hit.point.y, 0.5 * d / sum, 1e-5);
    }
    scree_world_destroy(world);
}

/* A box that falls askew on a plane meets it with its lowest corner; on a box, with the face. */
static void a_box_meets_a_plane_and_a_box(void **state) {
    (void)state;
    scree_world *world = make_world();
    scree_cast_hit hit;
    add_slope(world, 0);
    const scree_body_id box = add_body(world, scree_shape_box(1, 1, 0.5f), (scree_vec3){10, 0, 0.5f}, still);
    const scree_quat q = {0.2f, -0.4f, 0.1f, sqrtf(1 - 0.21f)};
    const scree_cast fall = {{scree_shape_box(0.3f, 0.2f, 0.1f), {0, 0, 2}, q}, {1, 0, -4}};
    CHECK(scree_world_cast_shape(world, &fall, NULL, &hit));
    const double x = q.x, y = q.y, z = q.z, w = q.w, /* third row of the rotation */
        low = 0.3 * fabs(2 * (x * z - y * w)) + 0.2 * fabs(2 * (y * z + x * w)) +
              0.1 * fabs(1 - 2 * (x * x + y * y));
    ASSERT_WITHIN(hit.fraction, (2 - low) / 4, 1e-6);
    ASSERT_WITHIN(hit.normal.z, 1, 1e-6);
    ASSERT_WITHIN(hit.point.z, 0, 1e-6);
    hit =
        cast(world, scree_shape_box(0.3f, 0.2f, 0.1f), (scree_vec3){10.5f, 0.2f, 3}, (scree_vec3){0, 0, -4});
    assert_int_equal(hit.body.index, box.index);
    ASSERT_WITHIN(hit.fraction, 1.9 / 4, 1e-6);
    /* It rests on the ground: it slides along it, leaves it, and does not go into it. */
    assert_int_equal(
        cast(world, scree_shape_box(0.3f, 0.2f, 0.1f), (scree_vec3){0, 0, 0.1f}, (scree_vec3){5, 0, 0})
            .body.index,
        0);
    assert_int_equal(
        cast(world, scree_shape_sphere(0.2f), (scree_vec3){0, 0, 0.1f}, (scree_vec3){0, 0, 5}).body.index, 0);
    hit = cast(world, scree_shape_sphere(0.2f), (scree_vec3){0, 0, 0.1f}, (scree_vec3){0, 0, -1});
    assert_int_equal(hit.body.index, 1);
    ASSERT_WITHIN(hit.fraction, 0, 0);
    scree_world_destroy(world);
}

static bool overlaps(scree_world *world, scree_placed_shape placed, float fraction, scree_vec3 way) {
    int count;
    placed.position.x += fraction * way.x, placed.position.y += fraction * way.y,
        placed.position.z += fraction * way.z;
    CHECK(scree_world_overlap_shape(world, &placed, NULL, NULL, 0, &count));
    return count > 0;
}

static scree_shape shape_of(int i, const scree_geometry *hull) {
    const scree_shape shapes[] = {scree_shape_sphere(0.3f),         scree_shape_box(0.2f, 0.3f, 0.4f),
                                  scree_shape_capsule(0.15f, 0.3f), scree_shape_cylinder(0.2f, 0.3f),
                                  scree_shape_cone(0.3f, 0.5f),     scree_shape_ellipsoid(0.2f, 0.3f, 0.15f),
                                  scree_shape_hull(hull, 1)};
    return shapes[i % 7];
}

static scree_quat random_quat(uint64_t *seed) {
    const versors q = random_rotation(seed);
    return (scree_quat){q.x, q.y, q.z, q.w};
}

static scree_vec3 random_point(uint64_t *seed, double low, double high) {
    const vec3s v = random_vector(seed, low, high);
    return (scree_vec3){v.x, v.y, v.z};
}

static scree_geometry *make_hull(void) {
    const scree_vec3 corners[6] = {{0.3f, 0, 0}, {-0.2f, 0.2f, 0},    {0, -0.3f, 0.1f},
                                   {0, 0, 0.4f}, {0.1f, 0.1f, -0.3f}, {-0.1f, -0.1f, -0.2f}};
    scree_geometry *hull;
    CHECK(scree_hull_create(corners, 6, &hull));
    return hull;
}

/* Adds bodies of all convex kinds, a compound, a clump and a mesh at random places. */
static void fill(scree_world *world, uint64_t *seed, const scree_geometry *hull) {
    const scree_clump_sphere balls[2] = {{{0, 0, 0}, 0.2f}, {{0.3f, 0, 0}, 0.25f}};
    const scree_vec3 vertices[4] = {
        {-0.5f, -0.5f, 0}, {0.5f, -0.5f, 0.2f}, {0.5f, 0.5f, 0}, {-0.5f, 0.5f, 0.1f}};
    const scree_triangle triangles[2] = {{{0, 1, 2}}, {{0, 2, 3}}};
    scree_compound_child children[2] = {scree_default_compound_child(), scree_default_compound_child()};
    children[0].shape = scree_shape_box(0.4f, 0.1f, 0.1f);
    children[1].shape = scree_shape_hull(hull, 0.8f), children[1].position.x = 0.5f;
    scree_geometry *clump, *mesh, *compound;
    CHECK(scree_clump_create(balls, 2, &clump));
    CHECK(scree_mesh_create(vertices, 4, triangles, 2, &mesh));
    CHECK(scree_compound_create(children, 2, &compound));
    scree_body_def def = scree_default_body_def();
    def.type = SCREE_BODY_STATIC;
    for (int i = 0; i < 40; i++) {
        def.shape = i % 10 == 7   ? scree_shape_clump(clump, 1)
                    : i % 10 == 8 ? scree_shape_mesh(mesh, 1)
                    : i % 10 == 9 ? scree_shape_compound(compound, 1)
                                  : shape_of(i % 10, hull);
        def.state.position = random_point(seed, -3, 3);
        def.state.rotation = random_quat(seed);
        CHECK(scree_body_create(world, &def, NULL));
    }
    scree_geometry_release(clump), scree_geometry_release(mesh), scree_geometry_release(compound);
}

/* Just before the fraction that a cast returns the shape overlaps nothing, all the way; just behind it it
 * does. Grazing ways may go either way. */
static void casts_end_where_overlaps_begin(void **state) {
    (void)state;
    uint64_t seed = 5;
    scree_world *world = make_world();
    scree_geometry *hull = make_hull();
    int hits = 0, misses = 0, grazing = 0;
    fill(world, &seed, hull);
    for (int i = 0; i < 1500; i++) {
        const scree_placed_shape placed = {shape_of(i, hull), random_point(&seed, -4, 4), random_quat(&seed)};
        const scree_vec3 way = random_point(&seed, -6, 6);
        const scree_cast by = {placed, way};
        const float near = 2e-4f / (float)length_of(way);
        scree_cast_hit hit;
        if (overlaps(world, placed, 0, way)) continue;
        CHECK(scree_world_cast_shape(world, &by, NULL, &hit));
        for (int k = 0; k < 40; k++)
            if (overlaps(world, placed, (hit.fraction - near) * (float)k / 40, way))
                fail_msg("case %d overlaps at %d/40 of the way to %g", i, k, (double)hit.fraction);
        if (!hit.body.index) {
            misses++;
            continue;
        }
        const double facing =
            (double)(hit.normal.x * way.x + hit.normal.y * way.y + hit.normal.z * way.z) / length_of(way);
        ASSERT_WITHIN(length_of(hit.normal), 1, 1e-5);
        assert_true(facing < 0);
        assert_false(overlaps(world, placed, hit.fraction - near, way));
        if (facing < -0.05)
            assert_true(overlaps(world, placed, hit.fraction + 20 * near, way));
        else
            grazing++;
        hits++;
    }
    assert_in_range(hits, 250, 1500);
    assert_in_range(misses, 100, 1500);
    assert_in_range(grazing, 0, 30);
    scree_geometry_release(hull);
    scree_world_destroy(world);
}

/* Spheres and points: the nearest of many balls and boxes by closed forms. */
static double gap_to(scree_shape shape, scree_vec3 at, scree_vec3 point, double radius) {
    const double d[3] = {(double)point.x - (double)at.x, (double)point.y - (double)at.y,
                         (double)point.z - (double)at.z},
                 half[3] = {shape.size.x, shape.size.y, shape.size.z};
    double square = 0, inside = -INFINITY;
    if (shape.kind == SCREE_SHAPE_SPHERE)
        return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - (double)shape.size.x - radius;
    for (int i = 0; i < 3; i++) {
        const double out = fabs(d[i]) - half[i];
        inside = fmax(inside, out);
        if (out > 0) square += out * out;
    }
    return (square > 0 ? sqrt(square) : inside) - radius;
}

static void the_nearest_body_is_found(void **state) {
    (void)state;
    enum { BODIES = 200 };
    uint64_t seed = 11;
    scree_world *world = make_world();
    scree_body_def def = scree_default_body_def();
    scree_vec3 places[BODIES];
    scree_shape shapes[BODIES];
    int found = 0, none = 0;
    for (int i = 0; i < BODIES; i++) {
        shapes[i] = i % 2 ? scree_shape_sphere(0.2f) : scree_shape_box(0.1f, 0.2f, 0.3f);
        places[i] = random_point(&seed, -6, 6);
        def.shape = shapes[i], def.state.position = places[i];
        CHECK(scree_body_create(world, &def, NULL));
    }
    for (int i = 0; i < 1000; i++) {
        const float radius = i % 3 ? 0 : 0.15f;
        const scree_placed_shape placed = {
            {SCREE_SHAPE_SPHERE, {radius, 0, 0}, NULL}, random_point(&seed, -7, 7), upright};
        scree_nearest nearest;
        double least = INFINITY;
        CHECK(scree_world_find_nearest(world, &placed, 1.5f, NULL, &nearest));
        for (int k = 0; k < BODIES; k++)
            least = fmin(least, gap_to(shapes[k], places[k], placed.position, (double)radius));
        if (least > 1.5) {
            assert_int_equal(nearest.body.index, 0);
            ASSERT_WITHIN(nearest.distance, 1.5, 0);
            none++;
            continue;
        }
        ASSERT_WITHIN(nearest.distance, least, 1e-5);
        const int at = (int)nearest.body.index - 1;
        ASSERT_WITHIN(gap_to(shapes[at], places[at], placed.position, (double)radius), least, 1e-5);
        if (least > 1e-3) {
            const scree_vec3 between = {nearest.other.x - nearest.point.x, nearest.other.y - nearest.point.y,
                                        nearest.other.z - nearest.point.z};
            ASSERT_WITHIN(length_of(between), least, 1e-5);
            ASSERT_WITHIN(between.x, (double)nearest.normal.x * least, 1e-5);
            ASSERT_WITHIN(between.z, (double)nearest.normal.z * least, 1e-5);
            ASSERT_WITHIN(gap_to(shapes[at], places[at], nearest.point, 0), 0, 1e-5);
        }
        found++;
    }
    assert_in_range(found, 300, 1000);
    assert_in_range(none, 10, 1000);
    scree_world_destroy(world);
}

/* The child of a compound, the ball of a clump and the triangle of a mesh. Inside a solid the distance is 0.
 */
static void children_are_named(void **state) {
    (void)state;
    scree_world *world = make_world();
    const scree_vec3 vertices[8] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                    {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    const scree_triangle sides[12] = {{{0, 2, 1}}, {{0, 3, 2}}, {{4, 5, 6}}, {{4, 6, 7}},
                                      {{0, 1, 5}}, {{0, 5, 4}}, {{1, 2, 6}}, {{1, 6, 5}},
                                      {{2, 3, 7}}, {{2, 7, 6}}, {{3, 0, 4}}, {{3, 4, 7}}};
    scree_compound_child children[3];
    for (int i = 0; i < 3; i++) {
        children[i] = scree_default_compound_child();
        children[i].shape = scree_shape_box(0.2f, 0.2f, 0.2f);
        children[i].position.x = (float)(i - 1);
    }
    scree_geometry *compound, *solid;
    scree_body_def def = scree_default_body_def();
    def.type = SCREE_BODY_STATIC;
    CHECK(scree_compound_create(children, 3, &compound));
    CHECK(scree_solid_create(vertices, 8, sides, 12, &solid));
    def.shape = scree_shape_compound(compound, 1);
    CHECK(scree_body_create(world, &def, NULL));
    def.shape = scree_shape_solid(solid, 1), def.state.position.y = 10;
    CHECK(scree_body_create(world, &def, NULL));
    for (int i = 0; i < 3; i++) {
        const scree_vec3 above = {(float)(i - 1), 0, 2};
        const scree_placed_shape ball = {scree_shape_sphere(0.1f), above, upright};
        scree_nearest nearest;
        assert_int_equal(cast(world, ball.shape, above, (scree_vec3){0, 0, -4}).child, i);
        CHECK(scree_world_find_nearest(world, &ball, 5, NULL, &nearest));
        assert_int_equal(nearest.child, i);
    }
    const scree_cast_hit top =
        cast(world, scree_shape_sphere(0.1f), (scree_vec3){0.5f, 10.2f, 3}, (scree_vec3){0, 0, -4});
    assert_int_equal(top.body.index, 2);
    assert_in_range(top.child, 2, 3);
    ASSERT_WITHIN(top.fraction, 1.9 / 4, 1e-6);
    const scree_placed_shape inside = {scree_shape_sphere(0.1f), {0.2f, 10.3f, 0.1f}, upright};
    scree_nearest nearest;
    CHECK(scree_world_find_nearest(world, &inside, 5, NULL, &nearest));
    assert_int_equal(nearest.body.index, 2);
    ASSERT_WITHIN(nearest.distance, 0, 0);
    ASSERT_WITHIN(cast(world, inside.shape, inside.position, (scree_vec3){5, 0, 0}).fraction, 0, 0);
    scree_geometry_release(compound), scree_geometry_release(solid);
    scree_world_destroy(world);
}

/* A shape goes on across the boundary of a periodic world, and its neighbours there are near. */
static void images_are_met_and_near(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.period = (scree_vec3){2, 2, 0};
    scree_world *world = world_of(&def);
    const scree_body_id body = add_body(world, scree_shape_sphere(0.25f), (scree_vec3){-0.8f, 0, 0}, still);
    const scree_cast_hit hit =
        cast(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0.5f, 0, 0}, (scree_vec3){7, 0, 0});
    assert_int_equal(hit.body.index, body.index);
    ASSERT_WITHIN(7 * (double)hit.fraction, 0.7 - 0.25 - 0.1, 1e-5);
    ASSERT_WITHIN(hit.point.x, 1.2 - 0.25, 1e-5);
    const scree_placed_shape point = {{SCREE_SHAPE_SPHERE, {0, 0, 0}, NULL}, {0.9f, 0, 0}, upright};
    scree_nearest nearest;
    CHECK(scree_world_find_nearest(world, &point, 1, NULL, &nearest));
    ASSERT_WITHIN(nearest.distance, 0.3 - 0.25, 1e-5);
    ASSERT_WITHIN(nearest.point.x, 1.2 - 0.25, 1e-5);
    scree_world_destroy(world);
}

static bool is_odd(const scree_world *world, scree_body_id body, void *user) {
    assert_true(scree_body_is_valid(world, body));
    ++*(int *)user;
    return body.index % 2;
}

/* Every query sees the bodies of a filter only. Four balls stand in a row; a group, a list and a function
 * exclude them one after the other. */
static void filters_select_bodies(void **state) {
    (void)state;
    scree_world *world = make_world();
    scree_body_id ids[4], found[4];
    scree_body_def def = scree_default_body_def();
    for (int i = 0; i < 4; i++) {
        def.shape = scree_shape_sphere(0.5f);
        def.state.position.x = 2 * (float)i + 2;
        def.groups = i < 3 ? UINT32_C(1) << i : 0; /* the last one is in no group */
        CHECK(scree_body_create(world, &def, &ids[i]));
    }
    int calls = 0;
    const scree_query_filter of_group = {.mask = 6}, of_list = {.ignored = ids, .ignored_count = 2},
                             of_call = {.ignored = ids,
                                        .ignored_count = 1,
                                        .accepts = is_odd,
                                        .user = &calls},
                             of_all = {0};
    const struct {
        const scree_query_filter *filter;
        unsigned seen; /* bits */
    } cases[] = {{NULL, 15}, {&of_all, 15}, {&of_group, 6}, {&of_list, 12}, {&of_call, 4}};
    for (int i = 0; i < 5; i++) {
        int first = 0, bodies = 0, count;
        while (!(cases[i].seen >> first & 1)) first++;
        for (unsigned bits = cases[i].seen; bits; bits >>= 1) bodies += bits & 1;
        scree_ray_hit hit, hits[4];
        scree_cast_hit met;
        scree_nearest nearest;
        const scree_ray ray = {{0, 0, 0}, {1, 0, 0}, 100};
        const scree_cast way = {{scree_shape_sphere(0.1f), {0, 0, 0}, upright}, {100, 0, 0}};
        CHECK(scree_world_cast_ray(world, &ray, cases[i].filter, &hit));
        assert_int_equal(hit.body.index, ids[first].index);
        CHECK(scree_world_cast_ray_all(world, &ray, cases[i].filter, hits, 4, &count));
        assert_int_equal(count, bodies);
        CHECK(scree_world_overlap_sphere(world, still, 100, cases[i].filter, found, 4, &count));
        assert_int_equal(count, bodies);
        assert_int_equal(found[0].index, ids[first].index);
        CHECK(scree_world_overlap_box(world, still, (scree_vec3){9, 9, 9}, upright, cases[i].filter, found, 4,
                                      &count));
        assert_int_equal(count, bodies);
        CHECK(scree_world_cast_shape(world, &way, cases[i].filter, &met));
        assert_int_equal(met.body.index, ids[first].index);
        CHECK(scree_world_find_nearest(world, &way.placed, 100, cases[i].filter, &nearest));
        assert_int_equal(nearest.body.index, ids[first].index);
    }
    assert_true(calls > 0);
    const scree_query_filter wrong = {.ignored_count = 1};
    const scree_ray ray = {{0, 0, 0}, {1, 0, 0}, 100};
    scree_ray_hit hit;
    CHECK_FAILS(scree_world_cast_ray(world, &ray, &wrong, &hit), SCREE_ERROR_ARGUMENT, "ignored_count");
    scree_world_destroy(world);
}

static void other_shapes_are_refused(void **state) {
    (void)state;
    scree_world *world = make_world();
    scree_cast_hit hit;
    scree_nearest nearest;
    scree_cast by = {{scree_shape_half_space(), {0, 0, 0}, upright}, {1, 0, 0}};
    CHECK_FAILS(scree_world_cast_shape(world, &by, NULL, &hit), SCREE_ERROR_ARGUMENT, "placed.shape");
    by.placed.shape = scree_shape_sphere(0);
    CHECK_FAILS(scree_world_cast_shape(world, &by, NULL, &hit), SCREE_ERROR_ARGUMENT, "size.x");
    by.placed.shape = scree_shape_sphere(1), by.translation = still;
    CHECK_FAILS(scree_world_cast_shape(world, &by, NULL, &hit), SCREE_ERROR_ARGUMENT, "translation");
    by.placed.rotation.w = 2;
    CHECK_FAILS(scree_world_cast_shape(world, &by, NULL, &hit), SCREE_ERROR_ARGUMENT, "placed.rotation");
    by.placed.rotation.w = 1;
    CHECK_FAILS(scree_world_find_nearest(world, &by.placed, INFINITY, NULL, &nearest), SCREE_ERROR_ARGUMENT,
                "distance");
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_meets_a_ball),
        cmocka_unit_test(a_box_meets_a_plane_and_a_box),
        cmocka_unit_test(casts_end_where_overlaps_begin),
        cmocka_unit_test(the_nearest_body_is_found),
        cmocka_unit_test(children_are_named),
        cmocka_unit_test(images_are_met_and_near),
        cmocka_unit_test(filters_select_bodies),
        cmocka_unit_test(other_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
