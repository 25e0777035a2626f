/* Compounds: mass properties as the sum of children, bounds, queries and cut volumes by child. */
#include "base/vector.h"
#include "compound_scenery.h"
#include "geometry/children.h"
#include "geometry/geometry.h"
#include "rotation.h"

static const scree_quat across = {0, 0.70710678f, 0, 0.70710678f};

/* Two balls on a rod, V = 2 (4/3 π R³) + π r² h: I along 2/5 m R² and m r²/2, across 2/5 m R² + m d² and m (3
 * r² + h²)/12. The balls are four times as dense. */
static void dumbbell_is_the_sum(void **state) {
    (void)state;
    const double R = 0.2, r = 0.05, h = 0.6, d = 0.5, scale = 2;
    scree_compound_child parts[] = {child_at(scree_shape_sphere((float)R), 3.5f, 1, -2),
                                    child_at(scree_shape_sphere((float)R), 2.5f, 1, -2),
                                    child_at(scree_shape_cylinder((float)r, (float)(h / 2)), 3, 1, -2)};
    parts[0].relative_density = parts[1].relative_density = 4;
    parts[2].rotation = across;
    scree_geometry *made = compound_of(parts, 3);
    const scree_shape shape = scree_shape_compound(made, (float)scale);
    const double ball = 4.0 / 3 * M_PI * R * R * R, rod = M_PI * r * r * h, volume = 2 * ball + rod,
                 mass = 8 * ball + rod, along = 8 * ball * 0.4 * R * R + rod * r * r / 2,
                 over = 8 * ball * (0.4 * R * R + d * d) + rod * (3 * r * r + h * h) / 12;
    scree_vec3 origin;
    scree_geometry_get_frame(made, &origin, NULL);
    ASSERT_NEAR(origin.x, 3, 1e-6);
    ASSERT_NEAR(origin.y, 1, 1e-6);
    ASSERT_NEAR(origin.z, -2, 1e-6);
    ASSERT_NEAR(scree_shape_get_volume(shape), 8 * volume, 1e-6);
    ASSERT_NEAR(scree_shape_get_mass(shape, 700), 700 * 8 * mass, 1e-6);
    const vec3s inertia = shape_unit_inertia(shape);
    ASSERT_NEAR(inertia.x, 4 * along / mass, 1e-5);
    ASSERT_NEAR(inertia.y, 4 * over / mass, 1e-5);
    ASSERT_NEAR(inertia.z, 4 * over / mass, 1e-5);
    ASSERT_NEAR(scree_shape_get_radius(shape), 2 * (d + R), 1e-6);
    ASSERT_NEAR(scree_shape_get_sieve_size(shape), 4 * R, 1e-6);
    ASSERT_NEAR(scree_shape_get_half_width(shape), 2 * r, 1e-6);
    scree_geometry_release(made);
}

/* The sieve size does not depend on the coordinates: for an L of two bars, whose principal axes are its
 * diagonals, the 2 m of its box; for one child, the child's own. */
static void sieve_size_is_independent_of_axes(void **state) {
    (void)state;
    scree_geometry *hull = brick_hull(0.5f, 0.3f, 0.2f);
    const struct {
        scree_shape shape;
        double size, within;
    } alone[] = {{scree_shape_sphere(0.3f), 0.6, 1e-6},
                 {scree_shape_box(0.5f, 0.3f, 0.2f), 0.6, 1e-6},
                 {scree_shape_capsule(0.2f, 0.5f), 0.4, 1e-6},
                 {scree_shape_cylinder(0.2f, 0.5f), 0.4, 1e-6},
                 {scree_shape_cylinder(0.2f, 0.05f), 0.4, 1e-6},
                 {scree_shape_hull(hull, 1), 0.6, 1e-6},
                 {scree_shape_ellipsoid(0.5f, 0.3f, 0.2f), 0.6, 6e-3}};
    for (int turn = 0; turn < 12; turn++) {
        const scalar angle = 0.37f * (scalar)turn;
        const versors q = rotation_normalised(
            versor_of(sinf(angle), 0.3f * (scalar)(turn % 4), 0.2f * (scalar)(turn % 3), cosf(angle)));
        for (int i = 0; i < COUNT(alone); i++) {
            scree_compound_child part = child_at(alone[i].shape, 5, -3, 1);
            part.rotation = quat_out(q);
            scree_geometry *made = compound_of(&part, 1);
            ASSERT_NEAR(scree_shape_get_sieve_size(scree_shape_compound(made, 2)), 2 * alone[i].size,
                        alone[i].within);
            scree_geometry_release(made);
        }
        scree_compound_child bars[] = {child_at(scree_shape_box(1, 0.5f, 0.5f), 0.5f, 0, 0),
                                       child_at(scree_shape_box(0.5f, 0.5f, 0.5f), 0, 1, 0)};
        for (int i = 0; i < 2; i++) {
            bars[i].rotation = quat_out(q);
            bars[i].position = vec3_out(rotate(q, vec3_in(bars[i].position)));
        }
        scree_geometry *made = compound_of(bars, 2);
        ASSERT_NEAR(scree_shape_get_sieve_size(scree_shape_compound(made, 1)), 2, 1e-5);
        scree_geometry_release(made);
    }
    scree_geometry_release(hull);
}

/* An L of two bars of 2 × 1 × 1 and 1 × 2 × 1 has the moments of its three cubes, however it is composed. */
static void l_shape_has_the_moments_of_its_cubes(void **state) {
    (void)state;
    const double places[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    const scree_compound_child bars[] = {child_at(scree_shape_box(1, 0.5f, 0.5f), 0.5f, 0, 0),
                                         child_at(scree_shape_box(0.5f, 0.5f, 0.5f), 0, 1, 0)};
    scree_geometry *cube = brick_hull(0.5f, 0.5f, 0.5f);
    scree_compound_child turned[] = {child_at(scree_shape_box(0.5f, 0.5f, 1), 0.5f, 0, 0),
                                     child_at(scree_shape_hull(cube, 1), 0, 1, 0)};
    turned[0].rotation = across;
    const scree_geometry *both[2] = {compound_of(bars, 2), compound_of(turned, 2)};
    scree_geometry_release(cube); /* the compound keeps a reference */
    double xx = 0, xy = 0;
    for (int i = 0; i < 3; i++) {
        const double x = places[i][0] - 1.0 / 3, y = places[i][1] - 1.0 / 3;
        xx += (x * x + 1.0 / 12) / 3, xy += x * y / 3;
    }
    /* By symmetry the principal axes are (1, 1), (1, −1) and z. */
    const double expected[3] = {xx - xy + 1.0 / 12, xx + xy + 1.0 / 12, 2 * xx};
    for (int k = 0; k < 2; k++) {
        const vec3s inertia = shape_unit_inertia(scree_shape_compound(both[k], 1));
        const double low = fmin((double)inertia.x, (double)inertia.y),
                     high = fmax((double)inertia.x, (double)inertia.y);
        scree_vec3 origin;
        scree_geometry_get_frame(both[k], &origin, NULL);
        ASSERT_NEAR(origin.x, 1.0 / 3, 1e-5);
        ASSERT_NEAR(origin.y, 1.0 / 3, 1e-5);
        ASSERT_WITHIN(origin.z, 0, 1e-6);
        ASSERT_NEAR(low, fmin(expected[0], expected[1]), 1e-5);
        ASSERT_NEAR(high, fmax(expected[0], expected[1]), 1e-5);
        ASSERT_NEAR(inertia.z, expected[2], 1e-5);
        scree_geometry_release(both[k]);
    }
}

/* For every convex kind, rotated as a child: the bounds of the whole are those of the child. */
static void bounds_are_those_of_the_rotated_child(void **state) {
    (void)state;
    scree_geometry *hull = brick_hull(0.1f, 0.2f, 0.3f);
    const scree_shape shapes[] = {scree_shape_sphere(0.3f),        scree_shape_box(0.1f, 0.2f, 0.3f),
                                  scree_shape_capsule(0.1f, 0.3f), scree_shape_cylinder(0.2f, 0.3f),
                                  scree_shape_cone(0.2f, 0.5f),    scree_shape_ellipsoid(0.1f, 0.2f, 0.3f),
                                  scree_shape_hull(hull, 1)};
    scree_compound_child parts[COUNT(shapes)];
    for (int i = 0; i < COUNT(shapes); i++) {
        const double a = 0.3 + i, s = sin(a) / sqrt(3);
        parts[i] = child_at(shapes[i], (float)i, 0.3f * (float)(i * i), 0.1f * (float)(i % 3));
        parts[i].rotation = (scree_quat){(float)s, (float)s, (float)s, (float)cos(a)};
    }
    scree_geometry *made = compound_of(parts, COUNT(shapes));
    scree_vec3 origin;
    scree_quat axes;
    scree_geometry_get_frame(made, &origin, &axes);
    const body_pose pose = {.position = vec3_in(origin), .rotation = quat_in(axes)};
    const scree_shape whole = scree_shape_compound(made, 1);
    const bounds all = bounds_of(whole, pose);
    assert_int_equal(scree_compound_child_count(made), COUNT(shapes));
    for (int i = 0; i < COUNT(shapes); i++) {
        const placed_child part = children_place(whole, pose, i);
        const vec3s at = part.pose.position, given = vec3_in(parts[i].position);
        const versors q = part.pose.rotation, p = quat_in(parts[i].rotation);
        ASSERT_WITHIN(glms_vec3_norm(glms_vec3_sub(at, given)), 0, 1e-5);
        ASSERT_WITHIN(fabs((double)(q.x * p.x + q.y * p.y + q.z * p.z + q.w * p.w)), 1, 1e-5);
        const bounds one = bounds_of(part.shape, part.pose);
        for (int k = 0; k < 3; k++) {
            assert_true(vec3_along(one.lower, k) >= vec3_along(all.lower, k) - 1e-5f);
            assert_true(vec3_along(one.upper, k) <= vec3_along(all.upper, k) + 1e-5f);
        }
        assert_true((double)glms_vec3_norm(glms_vec3_sub(at, pose.position)) +
                        scree_shape_get_half_width(part.shape) <=
                    scree_shape_get_radius(whole));
    }
    scree_geometry_release(made);
    scree_geometry_release(hull);
}

static void invalid_children_are_rejected(void **state) {
    (void)state;
    scree_geometry *made = NULL, *other = table_of(1);
    scree_compound_child parts[2] = {child_at(scree_shape_sphere(1), 0, 0, 0),
                                     child_at(scree_shape_sphere(1), 2, 0, 0)};
#define REFUSED(change, message)                                                                             \
    do {                                                                                                     \
        const scree_compound_child was = parts[1];                                                           \
        change;                                                                                              \
        CHECK_FAILS(scree_compound_create(parts, 2, &made), SCREE_ERROR_ARGUMENT, message);                  \
        parts[1] = was;                                                                                      \
    } while (0)
    REFUSED(parts[1].shape = scree_shape_compound(other, 1), "compound: parts[1].shape:");
    REFUSED(parts[1].shape = scree_shape_half_space(), "compound: parts[1].shape:");
    REFUSED(parts[1].shape = scree_shape_sphere(0), "compound: parts[1]:");
    REFUSED(parts[1].shape = scree_shape_hull(NULL, 1), "compound: parts[1]:");
    REFUSED(parts[1].position.y = NAN, "compound: parts[1].position:");
    REFUSED(parts[1].rotation.w = 2, "compound: parts[1].rotation:");
    REFUSED(parts[1].relative_density = 0, "compound: parts[1].relative_density:");
#undef REFUSED
    CHECK_FAILS(scree_compound_create(parts, 0, &made), SCREE_ERROR_ARGUMENT, "parts");
    CHECK_FAILS(scree_compound_create(NULL, 1, &made), SCREE_ERROR_ARGUMENT, "parts");
    CHECK_FAILS(scree_validate_shape(scree_shape_clump(other, 1)), SCREE_ERROR_ARGUMENT, "geometry");
    assert_int_equal(scree_compound_child_count(NULL), 0);
    scree_geometry_release(other);
}

/* Rays hit the nearest child from outside, none from inside of any, and an overlap query tests all
 * children. */
static void queries_test_all_children(void **state) {
    scree_geometry *hull = NULL;
    scree_world_def on = def_on(state);
    scree_world *world = world_of(&on);
    hull = brick_hull(0.5f, 0.5f, 0.5f);
    const scree_shape ends[] = {scree_shape_box(0.5f, 0.5f, 0.5f), scree_shape_hull(hull, 1),
                                scree_shape_cylinder(0.5f, 0.5f), scree_shape_cone(0.5f, 1),
                                scree_shape_ellipsoid(0.5f, 0.5f, 0.5f)};
    scree_body_id ids[COUNT(ends)];
    for (int i = 0; i < COUNT(ends); i++) {
        const scree_compound_child two[] = {child_at(ends[i], 0, 0, 1.5f), child_at(ends[i], 0, 0, -1.5f)};
        scree_geometry *made = compound_of(two, 2);
        ids[i] = add_body(world, scree_shape_compound(made, 1), (scree_vec3){5 * (float)i, 0, 0},
                          (scree_vec3){0, 0, 0});
        scree_geometry_release(made);
    }
    scree_geometry_release(hull);
    for (int i = 0; i < COUNT(ends); i++) {
        const float x = 5 * (float)i;
        scree_ray ray = {.origin = {x, 0, 9}, .direction = {0, 0, -1}, .distance = 100};
        scree_ray_hit hit;
        scree_body_id found[4];
        int count = 0;
        CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
        assert_true(hit.body.index == ids[i].index);
        ASSERT_NEAR(hit.distance, ends[i].kind == SCREE_SHAPE_CONE ? 9 - 1.5 - 0.75 : 7, 1e-4);
        ray.origin.z = 1.5f; /* inside the upper child, with the lower one ahead */
        CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
        assert_int_equal(hit.body.generation, 0);
        ray.origin = (scree_vec3){x, -3, 0}, ray.direction = (scree_vec3){0, 1, 0}; /* between the children */
        CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
        assert_int_equal(hit.body.generation, 0);
        CHECK(scree_world_overlap_sphere(world, (scree_vec3){x, 0, 0}, 0.7f, NULL, found, 4, &count));
        assert_int_equal(count, 0);
        CHECK(scree_world_overlap_sphere(world, (scree_vec3){x, 0, 0}, 1.3f, NULL, found, 4, &count));
        assert_int_equal(count, 1);
    }
    scree_world_destroy(world);
}

/* Boxes on either side of a plane contain the sum of the children's cut volumes. */
static void cut_volume_is_the_sum_of_children(void **state) {
    (void)state;
    const scree_compound_child two[] = {child_at(scree_shape_box(0.5f, 0.3f, 0.2f), 0, 0, 0.7f),
                                        child_at(scree_shape_box(0.5f, 0.3f, 0.2f), 0, 0, -0.7f)};
    scree_geometry *made = compound_of(two, 2);
    const scree_shape shape = scree_shape_compound(made, 1);
    const body_pose pose = {.position = vec3_of(1, 2, 3), .rotation = versor_of(0, 0, 0, 1)};
    const cut_box quarter = {{-9, -9, -9}, {9, 9, 2.3}}, side = {{1.25, -9, -9}, {9, 9, 9}};
    ASSERT_NEAR(cut_volume(shape, pose, &quarter), scree_shape_get_volume(shape) / 4, 1e-5);
    ASSERT_NEAR(cut_volume(shape, pose, &side), scree_shape_get_volume(shape) / 4, 1e-5);
    scree_geometry_release(made);
}

static scree_result load_text(const char *text, scree_scene **out) {
    return scree_scene_parse(text, strlen(text), "test", out);
}

/* A hammer of a handle and a heavier head, whose points are rotated: the body stands as its coordinates
 * define. */
static void scene_defines_children(void **state) {
    (void)state;
    scree_scene *scene = NULL;
    scree_world *world = NULL;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    CHECK(load_text("{\"shapes\": {\"handle\": {\"kind\": \"cylinder\", \"radius\": 0.02, \"height\": 0.4}},"
                    " \"bodies\": [{\"shape\": {\"kind\": \"compound\", \"scale\": 2, \"parts\": ["
                    "{\"shape\": \"handle\"},"
                    "{\"shape\": {\"kind\": \"box\", \"size\": [0.1, 0.06, 0.06]}, \"position\": [0, 0, 0.2],"
                    " \"rotation\": {\"axis\": [0, 0, 1], \"angle_degrees\": 90}, \"relative_density\": 8}"
                    "]}}]}",
                    &scene));
    world = world_of(&def);
    CHECK(scree_scene_build(scene, world, 0));
    scree_body_id id;
    scree_body_list(world, &id, 1);
    scree_body_def body;
    float mass;
    CHECK(scree_body_get_def(world, id, &body));
    CHECK(scree_body_get_mass(world, id, &mass, NULL));
    const double handle = M_PI * 0.02 * 0.02 * 0.4, head = 0.1 * 0.06 * 0.06;
    assert_int_equal(scree_compound_child_count(body.shape.geometry), 2);
    ASSERT_NEAR(mass, 8 * (handle + 8 * head) * (double)def.material.density, 1e-5);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    CHECK_FAILS(load_text("{\"bodies\": [{\"shape\": {\"kind\": \"compound\", \"parts\": []}}]}", &scene),
                SCREE_ERROR_FORMAT, "parts");
    CHECK_FAILS(load_text("{\"bodies\": [{\"shape\": {\"kind\": \"compound\", \"parts\": "
                          "[{\"shape\": {\"kind\": \"half-space\"}}]}}]}",
                          &scene),
                SCREE_ERROR_FORMAT, "compound: parts[0].shape:");
    CHECK_FAILS(load_text("{\"bodies\": [{\"shape\": {\"kind\": \"compound\", \"parts\": "
                          "[{\"shape\": {\"kind\": \"sphere\"}}]}}]}",
                          &scene),
                SCREE_ERROR_FORMAT, "radius");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dumbbell_is_the_sum),
        cmocka_unit_test(l_shape_has_the_moments_of_its_cubes),
        cmocka_unit_test(bounds_are_those_of_the_rotated_child),
        cmocka_unit_test(invalid_children_are_rejected),
        cmocka_unit_test(sieve_size_is_independent_of_axes),
        cmocka_unit_test(cut_volume_is_the_sum_of_children),
        cmocka_unit_test(scene_defines_children),
        ON("native", queries_test_all_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
