/* Solids: the inside of closed surfaces. Mass properties against boxes that make up the same body, contacts
 * against those of boxes, rejection of open surfaces, and files, checkpoints and queries. */
#include "base/vector.h"
#include "geometry/bounds.h"
#include "geometry/cut_volume.h"
#include "detect/child_contacts.h"
#include "geometry/shape.h"
#include "frame_file.h"
#include "random_vectors.h"
#include "scenery.h"
#include "geometry/geometry.h"

/* An L: the square (0, 0) to (2, 2) without that from (1, 1), 1 m thick: counter-clockwise below, then
 * above. */
enum { CORNERS = 6, VERTICES = 2 * CORNERS, TRIANGLES = 2 * (CORNERS - 2) + 2 * CORNERS };
static const float outline[CORNERS][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};

static void angle_of(scree_vec3 *vertices, scree_triangle *triangles) {
    static const int caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
    for (int i = 0; i < VERTICES; i++)
        vertices[i] = (scree_vec3){outline[i % CORNERS][0], outline[i % CORNERS][1], i < CORNERS ? 0 : 1};
    for (int i = 0; i < 4; i++) {
        triangles[2 * i] = (scree_triangle){{caps[i][0], caps[i][2], caps[i][1]}};
        triangles[2 * i + 1] =
            (scree_triangle){{CORNERS + caps[i][0], CORNERS + caps[i][1], CORNERS + caps[i][2]}};
    }
    for (int i = 0; i < CORNERS; i++) {
        const int next = (i + 1) % CORNERS;
        triangles[8 + 2 * i] = (scree_triangle){{i, next, CORNERS + next}};
        triangles[9 + 2 * i] = (scree_triangle){{i, CORNERS + next, CORNERS + i}};
    }
}

static scree_geometry *angle_solid(void) {
    scree_vec3 vertices[VERTICES];
    scree_triangle triangles[TRIANGLES];
    scree_geometry *made = NULL;
    angle_of(vertices, triangles);
    CHECK(scree_solid_create(vertices, VERTICES, triangles, TRIANGLES, &made));
    return made;
}

static scree_geometry *turned_box(float x, float y, float z, versors turn) {
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    scree_vec3 vertices[8];
    scree_triangle triangles[12];
    scree_geometry *made = NULL;
    for (int i = 0; i < 8; i++)
        vertices[i] = vec3_out(rotate(turn, vec3_of(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z)));
    for (int i = 0; i < 6; i++) {
        triangles[2 * i] = (scree_triangle){{faces[i][0], faces[i][1], faces[i][2]}};
        triangles[2 * i + 1] = (scree_triangle){{faces[i][0], faces[i][2], faces[i][3]}};
    }
    CHECK(scree_solid_create(vertices, 8, triangles, 12, &made));
    return made;
}

static scree_geometry *box_solid(float x, float y, float z) {
    return turned_box(x, y, z, versor_of(0, 0, 0, 1));
}

static void box_has_its_mass(void **state) {
    (void)state;
    scree_geometry *made = box_solid(0.5f, 0.3f, 0.2f);
    const scree_shape solid = scree_shape_solid(made, 2), box = scree_shape_box(1, 0.6f, 0.4f);
    ASSERT_NEAR(scree_shape_get_volume(solid), scree_shape_get_volume(box), 1e-6);
    ASSERT_NEAR(scree_shape_get_radius(solid), scree_shape_get_radius(box), 1e-6);
    ASSERT_NEAR(scree_shape_get_sieve_size(solid), 1.2, 1e-6);
    for (int k = 0; k < 3; k++)
        ASSERT_NEAR(vec3_along(shape_unit_inertia(solid), k), (double)vec3_along(shape_unit_inertia(box), k),
                    1e-6);
    scree_geometry_release(made);
}

/* Also of equal sides, whose moments define no axes. */
static void sieve_size_is_independent_of_axes(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 20; i++) {
        scree_geometry *made = turned_box(1, 1, i % 2 ? 1 : 2.5f, random_rotation(&seed));
        ASSERT_NEAR(scree_shape_get_sieve_size(scree_shape_solid(made, 1)), 2, 1e-6);
        scree_geometry_release(made);
    }
}

/* Three cubes: centre at 5/6, 5/6, 1/2; by Steiner's theorem for each, along and across the diagonal of
 * symmetry. */
static void l_shape_has_its_mass(void **state) {
    (void)state;
    scree_geometry *made = angle_solid();
    const scree_shape solid = scree_shape_solid(made, 1);
    scree_vec3 origin;
    scree_quat axes;
    scree_geometry_get_frame(made, &origin, &axes);
    ASSERT_NEAR(scree_shape_get_volume(solid), 3, 1e-6);
    ASSERT_NEAR(origin.x, 5.0 / 6, 1e-6);
    ASSERT_NEAR(origin.y, 5.0 / 6, 1e-6);
    ASSERT_NEAR(origin.z, 0.5, 1e-6);
    double expected[3] = {0}; /* about the diagonal (1, 1), (1, −1) and z, for mass 1 */
    for (int i = 0; i < 3; i++) {
        const double x = (i == 1 ? 1.5 : 0.5) - 5.0 / 6, y = (i == 2 ? 1.5 : 0.5) - 5.0 / 6;
        expected[0] += (1.0 / 6 + (x - y) * (x - y) / 2) / 3;
        expected[1] += (1.0 / 6 + (x + y) * (x + y) / 2) / 3;
        expected[2] += (1.0 / 6 + x * x + y * y) / 3;
    }
    const vec3s unit = shape_unit_inertia(solid);
    const double low = fmin(unit.x, unit.y), high = fmax(unit.x, unit.y);
    ASSERT_NEAR(low, fmin(expected[0], expected[1]), 1e-5);
    ASSERT_NEAR(high, fmax(expected[0], expected[1]), 1e-5);
    ASSERT_NEAR(unit.z, expected[2], 1e-5);
    scree_geometry_release(made);
}

/* The volume in a box, by the boxes that make up the L. */
static void clipped_volume_agrees_with_boxes(void **state) {
    (void)state;
    scree_geometry *made = angle_solid();
    uint64_t seed = 3;
    scree_vec3 origin;
    scree_quat axes;
    scree_geometry_get_frame(made, &origin, &axes);
    for (int i = 0; i < 100; i++) {
        const body_pose pose = {.position = vec3_in(origin), .rotation = quat_in(axes)};
        cut_box box;
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            const double a = random_between(&seed, -0.5, 2.5), b = random_between(&seed, -0.5, 2.5);
            box.lower[k] = fmin(a, b), box.upper[k] = fmax(a, b);
        }
        for (int c = 0; c < 3; c++) {
            const double low[3] = {c == 1, c == 2, 0};
            double part = 1;
            for (int k = 0; k < 3; k++)
                part *= fmax(0, fmin(box.upper[k], low[k] + 1) - fmax(box.lower[k], low[k]));
            sum += part;
        }
        ASSERT_WITHIN(cut_volume(scree_shape_solid(made, 1), pose, &box), sum, 1e-5);
    }
    scree_geometry_release(made);
}

static void faults_are_named(void **state) {
    (void)state;
    scree_vec3 vertices[VERTICES];
    scree_triangle triangles[TRIANGLES + 1];
    scree_geometry *made = NULL;
    angle_of(vertices, triangles);
    CHECK_FAILS(scree_solid_create(vertices, VERTICES, triangles, TRIANGLES - 1, &made), SCREE_ERROR_ARGUMENT,
                "");
    triangles[TRIANGLES] = (scree_triangle){{0, 1, 11}};
    CHECK_FAILS(scree_solid_create(vertices, VERTICES, triangles, TRIANGLES + 1, &made), SCREE_ERROR_ARGUMENT,
                "triangle"); /* one of its edges has three triangles, the others only it */
    const int corner = triangles[4].corners[0];
    triangles[4].corners[0] = triangles[4].corners[1], triangles[4].corners[1] = corner;
    CHECK_FAILS(scree_solid_create(vertices, VERTICES, triangles, TRIANGLES, &made), SCREE_ERROR_ARGUMENT,
                "");
    assert_non_null(strstr(scree_error_get_message(), " 4"));
    angle_of(vertices, triangles);
    for (int i = 0; i < TRIANGLES; i++) {
        const int first = triangles[i].corners[0];
        triangles[i].corners[0] = triangles[i].corners[1], triangles[i].corners[1] = first;
    }
    CHECK_FAILS(scree_solid_create(vertices, VERTICES, triangles, TRIANGLES, &made), SCREE_ERROR_ARGUMENT,
                "");
    FILE *file = fopen("test_solid.obj", "w");
    assert_non_null(file);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", file);
    fclose(file);
    CHECK_FAILS(scree_solid_load("test_solid.obj", NULL, &made), SCREE_ERROR_FORMAT, "test_solid.obj");
    remove("test_solid.obj");
    CHECK_FAILS(scree_validate_shape(scree_shape_solid(NULL, 1)), SCREE_ERROR_ARGUMENT, "geometry");
}

typedef struct nearest {
    scree_shape a, b;
    body_pose pose_a, pose_b;
    double gap;
    vec3s normal;
} nearest;

static void look(void *context, int number) {
    nearest *self = context;
    manifold found = children_manifold(self->a, self->pose_a, self->b, self->pose_b, number, 1);
    children_settle(self->a, self->pose_a, self->b, self->pose_b, number, &found);
    for (int i = 0; i < found.count; i++)
        if ((double)found.points[i].gap < self->gap)
            self->gap = (double)found.points[i].gap, self->normal = found.normal;
}

/* A sphere outside a box of triangles, or slightly inside, touches it like the box. */
static void solid_box_touches_like_a_box(void **state) {
    (void)state;
    scree_geometry *made = box_solid(0.5f, 0.4f, 0.3f);
    uint64_t seed = 7;
    for (int i = 0; i < 300; i++) {
        const scree_shape ball = scree_shape_sphere(0.2f), box = scree_shape_box(0.5f, 0.4f, 0.3f);
        const body_pose pose = {.position = random_vector(&seed, -1, 1), .rotation = random_rotation(&seed)},
                        at = {.position = random_vector(&seed, -0.2, 0.2), .rotation = versor_of(0, 0, 0, 1)};
        nearest self = {ball, scree_shape_solid(made, 1), at, pose, INFINITY, {0, 0, 0}};
        const manifold of = manifold_of(ball, at, box, pose, 1);
        children_near(self.a, self.pose_a, self.b, self.pose_b, 1, look, &self);
        if (of.count == 0 || of.points[0].gap > 0.9f || of.points[0].gap < -0.15f) continue;
        ASSERT_WITHIN(self.gap, of.points[0].gap, 2e-4); /* a tilt of 2 % is ignored */
        ASSERT_WITHIN(glms_vec3_norm(glms_vec3_sub(self.normal, of.normal)), 0, 3e-2);
    }
    scree_geometry_release(made);
}

/* A box of triangles rests on the ground, and supports a ball and a box. */
static void solid_box_rests_and_supports(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_geometry *made = box_solid(0.5f, 0.4f, 0.3f);
    add_slope(world, 0);
    const scree_vec3 still = {0, 0, 0};
    const scree_body_id low = add_body(world, scree_shape_solid(made, 1), (scree_vec3){0, 0, 0.3f}, still),
                        ball =
                            add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0.3f, 0.1f, 0.72f}, still),
                        box = add_body(world, scree_shape_box(0.1f, 0.15f, 0.1f),
                                       (scree_vec3){-0.2f, 0, 0.71f}, still);
    scree_geometry_release(made);
    const scree_statistics s = run_for(world, 1);
    ASSERT_WITHIN(state_of(world, low).position.z, 0.3, 1e-3);
    ASSERT_WITHIN(state_of(world, ball).position.z, 0.7, 2e-3);
    ASSERT_WITHIN(state_of(world, box).position.z, 0.7, 2e-3);
    ASSERT_AT_MOST(length_of(state_of(world, low).linear_velocity), 2e-3);
    float mass, sum = 0;
    const scree_body_id all[] = {low, ball, box};
    for (int i = 0; i < 3; i++) {
        CHECK(scree_body_get_mass(world, all[i], &mass, NULL));
        sum += mass;
    }
    ASSERT_NEAR(fabs(s.static_impulse[2]) / def.time_step, (double)sum * 9.81, 1e-2);
    scree_world_destroy(world);
}

/* Both faces of the notch of a fixed L hold a ball. */
static void notch_holds_a_ball(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){-5, -5, 0}, def.material.friction = 0;
    scree_world *world = world_of(&def);
    scree_geometry *made = angle_solid();
    scree_body_def body = scree_default_body_def();
    scree_quat axes;
    scree_geometry_get_frame(made, &body.state.position, &axes);
    body.shape = scree_shape_solid(made, 1), body.type = SCREE_BODY_STATIC, body.state.rotation = axes;
    CHECK(scree_body_create(world, &body, NULL));
    scree_geometry_release(made);
    const scree_body_id ball =
        add_body(world, scree_shape_sphere(0.2f), (scree_vec3){1.4f, 1.3f, 0.5f}, (scree_vec3){0, 0, 0});
    run_for(world, 1);
    const scree_body_state at = state_of(world, ball);
    ASSERT_WITHIN(at.position.x, 1.2, 1e-3);
    ASSERT_WITHIN(at.position.y, 1.2, 1e-3);
    ASSERT_WITHIN(at.position.z, 0.5, 1e-3);
    scree_world_destroy(world);
}

/* A ball hits a spinning L in free space: momentum is conserved, and energy does not grow. */
static void collision_keeps_momentum(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0}, def.time_step = 0.002;
    scree_world *world = world_of(&def);
    scree_geometry *made = angle_solid();
    scree_body_def body = scree_default_body_def();
    scree_body_id ids[2];
    double sums[2][4] = {{0}};
    body.shape = scree_shape_solid(made, 0.5f), body.state.angular_velocity = (scree_vec3){0.5f, 1, -1};
    CHECK(scree_body_create(world, &body, &ids[0]));
    ids[1] = add_body(world, scree_shape_sphere(0.4f), (scree_vec3){2, 0.2f, 0.1f}, (scree_vec3){-3, 0, 0});
    scree_geometry_release(made);
    for (int end = 0; end < 2; end++) {
        if (end) run_for(world, 1);
        for (int i = 0; i < 2; i++) {
            float mass;
            scree_vec3 inertia;
            CHECK(scree_body_get_mass(world, ids[i], &mass, &inertia));
            const scree_body_state s = state_of(world, ids[i]);
            const vec3s v = vec3_in(s.linear_velocity),
                        w = rotate_inverse(quat_in(s.rotation), vec3_in(s.angular_velocity));
            for (int k = 0; k < 3; k++) sums[end][k] += (double)mass * (double)vec3_along(v, k);
            sums[end][3] += 0.5 * (double)(mass * glms_vec3_norm2(v) +
                                           glms_vec3_dot(w, glms_vec3_mul(vec3_in(inertia), w)));
        }
    }
    for (int k = 0; k < 3; k++) ASSERT_WITHIN(sums[1][k], sums[0][k], 1e-3 * fabs(sums[0][0]));
    ASSERT_AT_MOST(sums[1][3], 0.98 * sums[0][3]); /* they did collide */
    scree_world_destroy(world);
}

static void triangles_do_not_touch_triangles(void **state) {
    for (int apart = 0; apart < 2; apart++) {
        scree_world_def def = def_on(state);
        scree_world *world = world_of(&def);
        scree_geometry *made = box_solid(0.5f, 0.4f, 0.3f);
        for (int i = 0; i < 2; i++) {
            scree_body_def body = scree_default_body_def();
            body.shape = scree_shape_solid(made, 1),
            body.state.position = (scree_vec3){0, 0, 0.59f * (float)i};
            if (apart) body.groups = UINT32_C(1) << i, body.mask = UINT32_C(1) << i;
            CHECK(scree_body_create(world, &body, NULL));
        }
        scree_geometry_release(made);
        if (apart)
            CHECK(scree_world_step(world, NULL));
        else
            CHECK_FAILS(scree_world_step(world, NULL), SCREE_ERROR_UNSUPPORTED, "ids 1 and 2");
        scree_world_destroy(world);
    }
}

/* Rays hit the notch; a checkpoint continues bit for bit, and a frame file restores the shape. */
static void solids_are_saved_and_restored(void **state) {
    const char *path = "test_solid.checkpoint";
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def), *other = NULL;
    scree_geometry *made = angle_solid();
    scree_vec3 origin;
    scree_quat axes;
    scree_geometry_get_frame(made, &origin, &axes);
    add_slope(world, 0);
    scree_body_def body = scree_default_body_def();
    body.shape = scree_shape_solid(made, 1);
    body.state.position = (scree_vec3){origin.x, origin.y, origin.z}, body.state.rotation = axes;
    CHECK(scree_body_create(world, &body, NULL));
    scree_geometry_release(made);
    scree_ray ray = {{1.5f, 1.5f, 5}, {0, 0, -1}, 20};
    scree_ray_hit hit;
    CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
    ASSERT_WITHIN(hit.point.z, 0, 1e-5);
    ray.origin = (scree_vec3){0.5f, 1.5f, 5};
    CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
    ASSERT_WITHIN(hit.point.z, 1, 1e-5);
    ray.origin.z = 0.5f;
    CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
    ASSERT_WITHIN(hit.point.z, 0, 1e-5);
    add_body(world, scree_shape_sphere(0.2f), (scree_vec3){0.5f, 0.5f, 1.5f}, (scree_vec3){0.3f, 0.2f, 0});
    run_for(world, 0.3);
    CHECK(scree_checkpoint_save(world, path));
    CHECK(scree_checkpoint_load(path, &def, &other));
    remove(path);
    run_for(world, 0.3), run_for(other, 0.3);
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(other));
    scree_world_destroy(other);
    scree_frame frame = {0}, back = {0};
    frame_through_file(world, &frame, &back);
    assert_int_equal(back.shapes[1].kind, SCREE_SHAPE_SOLID);
    assert_true(scree_shape_get_volume(back.shapes[1]) == scree_shape_get_volume(frame.shapes[1]));
    scree_frame_release(&frame);
    scree_frame_release(&back);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_has_its_mass),
        cmocka_unit_test(sieve_size_is_independent_of_axes),
        cmocka_unit_test(l_shape_has_its_mass),
        cmocka_unit_test(clipped_volume_agrees_with_boxes),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(solid_box_touches_like_a_box),
        ON("native", solid_box_rests_and_supports),
        ON("opencl", solid_box_rests_and_supports),
        ON_EACH_BACKEND(notch_holds_a_ball),
        ON("native", collision_keeps_momentum),
        ON("native", triangles_do_not_touch_triangles),
        ON("native", solids_are_saved_and_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
