/* Every kind of shape can be read, drawn, hit, written and touched. The tests iterate over all kinds, so that
 * no stage omits a new one. */
#include "base/vector.h"
#include "geometry/bounds.h"
#include "geometry/cut_volume.h"
#include "detect/manifold.h"
#include "geometry/shape.h"
#include "device.h"
#include "expect.h"
#include "ray.h"
#include "render/snapshot_scene.h"
#include "rotation.h"
#include "geometry/geometry.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

enum { KINDS = SCREE_SHAPE_COUNT, SIDE = 64 };

/* Returns whether a kind refers to a geometry; these have separate tests (test_clump.c, test_mesh.c,
 * test_hull.c). */
static bool refers(int kind) { return geometry_needed((scree_shape_kind)kind); }

/* Returns a shape with lengths that distinguish the kinds; those that the kind does not use are 0. */
static scree_shape example(int kind) {
    const int used = kind == SCREE_SHAPE_TRIANGLE ? 3 : shape_rows[kind]->sizes;
    return (scree_shape){
        (scree_shape_kind)kind, {used > 0 ? 0.5f : 0, used > 1 ? 0.3f : 0, used > 2 ? 0.2f : 0}, NULL};
}

static const versors turned = {0.18257418f, 0.36514837f, 0.54772256f, 0.73029674f};

static ray_body drawn(int kind) {
    return (ray_body){.kind = kind, .rotation = turned, .size = vec3_of(0.5f, 0.3f, 0.2f)};
}

/* Returns a direction of a Fibonacci lattice on the sphere. */
static vec3s direction_of(int i, int count) {
    const double z = 1 - (2 * i + 1.0) / count, around = 2.399963229728653 * i, r = sqrt(1 - z * z);
    return vec3_of((scalar)(r * cos(around)), (scalar)(r * sin(around)), (scalar)z);
}

static void every_kind_has_a_distinct_name(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        const char *name = scree_shape_kind_name((scree_shape_kind)kind);
        assert_non_null(name);
        if (!refers(kind)) CHECK(scree_validate_shape(example(kind)));
        for (int other = 0; other < kind; other++)
            assert_string_not_equal(name, scree_shape_kind_name((scree_shape_kind)other));
    }
    assert_null(scree_shape_kind_name(SCREE_SHAPE_COUNT));
}

/* Every public call survives a shape whose geometry is missing, or is there although the kind has none: a
 * struct that was filled field by field. */
static void wrong_geometries_are_refused(void **state) {
    (void)state;
    const scree_geometry *stray = (const scree_geometry *)(uintptr_t)0x1234;
    const scree_pose pose = {.rotation = {0, 0, 0, 1}};
    const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
    scree_world *world = NULL;
    scree_body_def body = scree_default_body_def();
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    CHECK(scree_world_create(&def, &world));
    body.type = SCREE_BODY_STATIC;
    for (int kind = 0; kind < KINDS; kind++) {
        scree_shape shape = example(kind);
        if (!refers(kind)) shape.geometry = stray;
        body.shape = shape;
        CHECK_FAILS(scree_validate_shape(shape), SCREE_ERROR_ARGUMENT, "shape.geometry");
        CHECK_FAILS(scree_body_create(world, &body, NULL), SCREE_ERROR_ARGUMENT, "geometry");
        assert_true(scree_shape_get_volume(shape) == 0 && scree_shape_get_mass(shape, 1) == 0);
        assert_true(scree_shape_get_radius(shape) == 0 && scree_shape_get_half_width(shape) == 0);
        assert_true(scree_shape_get_sieve_size(shape) == 0 && scree_shape_get_half_extents(shape).x == 0);
        assert_true(scree_shape_get_box(shape, pose).upper.x == 0);
        assert_true(scree_shape_cut_volume(shape, pose, low, high) == 0);
        assert_true(isinf(scree_shape_cast_ray(shape, pose, (scree_vec3){0, 0, 9}, (scree_vec3){0, 0, -1})));
        assert_int_equal(scree_shape_piece_count(shape), 0);
        assert_false(scree_shape_has_flat_faces(shape));
    }
    scree_world_destroy(world);
}

static void every_row_has_all_functions(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        const shape_row *row = shape_rows[kind];
        assert_true(row->volume && row->bounding_radius && row->sieve_size && row->unit_inertia &&
                    row->size_from_box);
        assert_true(row->half_extent && row->turning_radius && row->half_width && row->cut);
    }
}

/* Rays towards the middle hit the surface: V = ∫ r³/3 dΩ of a body star-shaped about its centre. No point is
 * outside its bounding sphere or box, and each is touched. */
static void rays_bounds_and_volume_agree(void **state) {
    (void)state;
    enum { RAYS = 40000 };
    for (int kind = 0; kind < KINDS; kind++) {
        const scree_shape shape = example(kind);
        if (refers(kind) || !shape_movable(shape)) continue;
        const ray_body body = drawn(kind);
        const bounds box = bounds_of(shape, (body_pose){.rotation = turned});
        double volume = 0, farthest = 0, least = INFINITY, reached[3] = {0};
        for (int i = 0; i < RAYS; i++) {
            const vec3s out = direction_of(i, RAYS), eye = glms_vec3_scale(out, 3);
            const vec3s inward = glms_vec3_negate(out);
            const scalar distance = ray_body_distance(eye, inward, body);
            assert_true(distance < RAY_FAR);
            const double r = 3 - (double)distance;
            volume += r * r * r / 3 * 4 * M_PI / RAYS;
            farthest = fmax(farthest, r), least = fmin(least, r);
            const vec3s point = glms_vec3_scale(out, (scalar)r);
            for (int k = 0; k < 3; k++) {
                const double at = fabs((double)vec3_along(point, k));
                ASSERT_AT_MOST(at, (double)vec3_along(box.upper, k) + 1e-5);
                reached[k] = fmax(reached[k], at);
            }
            const vec3s normal = ray_body_normal(eye, inward, distance, body);
            ASSERT_WITHIN(glms_vec3_norm(normal), 1, 1e-5);
            assert_true(glms_vec3_dot(normal, out) > 0);
        }
        ASSERT_NEAR(volume, scree_shape_get_volume(shape), 2e-3);
        ASSERT_NEAR(farthest, scree_shape_get_radius(shape), 2e-2);
        ASSERT_AT_MOST(farthest, scree_shape_get_radius(shape) + 1e-5);
        ASSERT_NEAR(least, scree_shape_get_half_width(shape), 1e-3);
        for (int k = 0; k < 3; k++) ASSERT_NEAR(reached[k], (double)vec3_along(box.upper, k), 2e-2);
        ASSERT_WITHIN(scree_shape_get_half_width(scree_shape_scale(shape, 2)),
                      2 * scree_shape_get_half_width(shape), 1e-6);
        assert_true(scree_shape_get_sieve_size(shape) >= 2 * scree_shape_get_half_width(shape) - 1e-6);
        assert_true(scree_shape_get_sieve_size(shape) <= 2 * scree_shape_get_radius(shape) + 1e-6);
    }
}

/* Boxes that contain a body on either side of a plane through its centre contain it together, half each for
 * symmetric bodies. (Any convex body has between 27/64 and 37/64 there: Grünbaum, 1960.) */
static void half_of_every_kind_is_cut(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        const scree_shape shape = example(kind);
        if (refers(kind) || !shape_movable(shape)) continue;
        const body_pose pose = {.rotation = turned};
        const cut_box upper = {{0, -2, -2}, {2, 2, 2}}, lower = {{-2, -2, -2}, {0, 2, 2}};
        const double all = scree_shape_get_volume(shape), one = cut_volume(shape, pose, &upper) / all,
                     other = cut_volume(shape, pose, &lower) / all;
        ASSERT_WITHIN(one + other, 1, 1e-5);
        ASSERT_WITHIN(one, 0.5, kind == SCREE_SHAPE_CONE ? 5.0 / 64 : 1e-5);
    }
}

/* Two bodies slightly apart are pushed apart, in either order; the upper one is upside down, so that its
 * farthest point faces the other. */
static void every_pair_touches(void **state) {
    (void)state;
    const scalar gap = 0.01f;
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++) {
            const scree_shape shape_a = example(a), shape_b = example(b);
            if (refers(a) || refers(b) || !shape_movable(shape_a)) continue;
            const body_pose low = {.position = vec3_of(0, 0, 0), .rotation = versor_of(0, 0, 0, 1)};
            body_pose high = {.rotation = versor_of(1, 0, 0, 0)};
            high.position.z = bounds_of(shape_a, low).upper.z + gap;
            if (!shape_is_plane(shape_b)) high.position.z += bounds_of(shape_b, low).upper.z;
            const manifold up = manifold_of(shape_a, low, shape_b, high, 0.1f),
                           down = manifold_of(shape_b, high, shape_a, low, 0.1f);
            assert_true(up.count > 0 && up.count == down.count);
            ASSERT_WITHIN(up.normal.z, 1, 1e-5);
            ASSERT_WITHIN(down.normal.z, -1, 1e-5);
            ASSERT_WITHIN(up.points[0].gap, gap, 1e-5);
            ASSERT_WITHIN(down.points[0].gap, gap, 1e-5);
        }
}

/* Each kind has the size in a picture that rays give. */
static void every_kind_is_drawn(void **state) {
    (void)state;
    static uint8_t with[SIDE * SIDE][3], without[SIDE * SIDE][3];
    for (int kind = -1; kind < KINDS; kind++) {
        if (kind >= 0 && refers(kind)) continue;
        scree_body_id id = {1, 1, 0};
        scree_body_type type =
            kind >= 0 && shape_is_plane(example(kind)) ? SCREE_BODY_STATIC : SCREE_BODY_DYNAMIC;
        scree_shape shape = example(kind < 0 ? 0 : kind);
        scree_body_state body = {.rotation = {turned.x, turned.y, turned.z, turned.w}};
        scree_frame frame = {
            .count = kind >= 0, .ids = &id, .types = &type, .shapes = &shape, .states = &body};
        scree_view view = scree_default_view();
        view.width = view.height = SIDE, view.automatic = false, view.field_of_view = 30,
        view.colouring = SCREE_COLOURING_ID;
        view.eye =
            vec3_out(glms_vec3_scale(rotate(turned, vec3_of(0.6f, 0, 0.8f)), 3)); /* over a half-space */
        snapshot_scene scene;
        CHECK(snapshot_scene_make(&frame, &view, &scene));
        scene.image.samples = 1;
        scene.image.device = test_device();
        const scree_result result = scree_image_trace(&scene.image, kind < 0 ? without[0] : with[0]);
        const scree_image_def camera = scene.image;
        snapshot_scene_release(&scene);
        if (!device_is_there()) skip();
        CHECK(result);
        if (kind < 0) continue;
        int seen = 0, expected = 0;
        for (int i = 0; i < SIDE * SIDE; i++) {
            const scalar x = (2 * (i % SIDE) + 1.0f) / SIDE - 1, y = 1 - (2 * (i / SIDE) + 1.0f) / SIDE;
            const vec3s ray = ray_normalised(ray_point(
                ray_point(vec3_in(camera.forward), vec3_in(camera.right), x), vec3_in(camera.up), y));
            expected += ray_body_distance(vec3_in(camera.eye), ray, drawn(kind)) < RAY_FAR;
            seen += memcmp(with[i], without[i], 3) != 0;
        }
        assert_true(expected > 50);
        ASSERT_NEAR(seen, expected, 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_distinct_name),
        cmocka_unit_test(wrong_geometries_are_refused),
        cmocka_unit_test(every_row_has_all_functions),
        cmocka_unit_test(rays_bounds_and_volume_agree),
        cmocka_unit_test(half_of_every_kind_is_cut),
        cmocka_unit_test(every_pair_touches),
        cmocka_unit_test(every_kind_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
