/* Clumps: mass properties of the union of spheres, contacts by sphere, and rigid motion. */
#include "base/vector.h"
#include "geometry/children.h"
#include "frame_file.h"
#include "random_vectors.h"
#include "rotation.h"
#include "scenery.h"
#include "geometry/geometry.h"

static const scree_clump_sphere tripod[] = {
    {{0.1f, 0, 0}, 0.1f}, {{-0.1f, 0.02f, 0}, 0.08f}, {{0.01f, 0.15f, 0.03f}, 0.09f}};

static scree_geometry *clump_of(const scree_clump_sphere *spheres, int count) {
    scree_geometry *made = NULL;
    CHECK(scree_clump_create(spheres, count, &made));
    return made;
}

/* V = Σ 4/3 π r³; I about the axis 2/5 Σ m r², across it 2/5 m r² + m d² of each. */
static void separate_spheres_are_the_sum(void **state) {
    (void)state;
    const scree_clump_sphere two[] = {{{0, 0, 1}, 0.5f}, {{0, 0, -1}, 0.5f}};
    scree_geometry *made = clump_of(two, 2);
    const scree_shape shape = scree_shape_clump(made, 2);
    const double volume = 2 * 4 * M_PI / 3, along = 0.4, across = 0.4 + 4;
    ASSERT_NEAR(scree_shape_get_volume(shape), volume, 1e-7);
    const vec3s inertia = shape_unit_inertia(shape);
    ASSERT_NEAR(inertia.z, along, 1e-6);
    ASSERT_NEAR(inertia.x, across, 1e-6);
    ASSERT_NEAR(inertia.y, across, 1e-6);
    ASSERT_NEAR(scree_shape_get_radius(shape), 3, 1e-6);
    ASSERT_NEAR(scree_shape_get_sieve_size(shape), 2, 1e-6);
    scree_geometry_release(made);
}

static double turned_sieve_size(const scree_clump_sphere *spheres, int count, versors turn) {
    scree_clump_sphere turned[8];
    for (int k = 0; k < count; k++)
        turned[k] =
            (scree_clump_sphere){vec3_out(rotate(turn, vec3_in(spheres[k].position))), spheres[k].radius};
    scree_geometry *made = clump_of(turned, count);
    const double size = scree_shape_get_sieve_size(scree_shape_clump(made, 1));
    scree_geometry_release(made);
    return size;
}

/* The middle edge of the bounding box, for any rotation: one, two and three spheres in a row, a triangle of
 * sides a with the box a + 2 r by √3/2 a + 2 r by 2 r, the tetrahedron on it of height √(2/3) a + 2 r, eight
 * at a cube's corners. */
static void sieve_size_is_independent_of_axes(void **state) {
    (void)state;
    const float h = 0.8660254f, third = 0.28867513f, up = 0.81649658f, r = 0.25f;
    const struct {
        int count;
        double size;
        scree_clump_sphere spheres[8];
    } tries[] = {
        {1, 0.5, {{{1, 2, 3}, r}}},
        {2, 1, {{{0, 0, 0}, 0.5f}, {{0, 2, 0}, r}}},
        {3, 2, {{{0, 0, 0}, 1}, {{1, 0, 0}, r}, {{-1.5f, 0, 0}, 0.3f}}},
        {3, (double)h + 0.5, {{{0, 0, 0}, r}, {{1, 0, 0}, r}, {{0.5f, h, 0}, r}}},
        {4, (double)h + 0.5, {{{0, 0, 0}, r}, {{1, 0, 0}, r}, {{0.5f, h, 0}, r}, {{0.5f, third, up}, r}}},
        {8,
         1.5,
         {{{0, 0, 0}, r},
          {{1, 0, 0}, r},
          {{0, 1, 0}, r},
          {{1, 1, 0}, r},
          {{0, 0, 1}, r},
          {{1, 0, 1}, r},
          {{0, 1, 1}, r},
          {{1, 1, 1}, r}}}};
    uint64_t seed = 5;
    for (int i = 0; i < 60; i++)
        ASSERT_NEAR(turned_sieve_size(tries[i % 6].spheres, tries[i % 6].count,
                                      i < 6 ? versor_of(0, 0, 0, 1) : random_rotation(&seed)),
                    tries[i % 6].size, 2e-6);
}

static double width_along(const scree_clump_sphere *spheres, int count, double angle) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++) {
        const double at =
            (double)spheres[k].position.x * cos(angle) + (double)spheres[k].position.y * sin(angle);
        low = fmin(low, at - (double)spheres[k].radius), high = fmax(high, at + (double)spheres[k].radius);
    }
    return high - low;
}

/* Spheres of all sizes in a plane: the least-area rectangle among many angles. */
static void flat_clumps_have_the_least_rectangle(void **state) {
    (void)state;
    enum { SPHERES = 6, ANGLES = 20000 };
    uint64_t seed = 11;
    for (int try = 0; try < 30; try++) {
        scree_clump_sphere spheres[SPHERES];
        double thick = 0, least = INFINITY, middle = 0;
        for (int k = 0; k < SPHERES; k++) {
            const vec3s at = random_vector(&seed, -1, 1);
            spheres[k] = (scree_clump_sphere){{at.x, at.y, 0}, (float)random_between(&seed, 0.05, 0.6)};
            thick = fmax(thick, 2 * (double)spheres[k].radius);
        }
        for (int i = 0; i < ANGLES; i++) {
            const double angle = M_PI / 2 * i / ANGLES, a = width_along(spheres, SPHERES, angle),
                         b = width_along(spheres, SPHERES, angle + M_PI / 2);
            if (a * b < least) least = a * b, middle = fmax(fmin(a, b), fmin(fmax(a, b), thick));
        }
        ASSERT_NEAR(turned_sieve_size(spheres, SPHERES, random_rotation(&seed)), middle, 2e-4);
    }
}

/* Two equal spheres at the distance d: V = 8/3 π r³ − π (4 r + d)(2 r − d)²/12, along each axis. */
static void lens_is_counted_once(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        const double r = 0.3, d = 0.25;
        scree_clump_sphere two[2] = {{{7, -3, 2}, (float)r}, {{7, -3, 2}, (float)r}};
        *(axis == 0 ? &two[1].position.x : axis == 1 ? &two[1].position.y : &two[1].position.z) += (float)d;
        scree_geometry *made = clump_of(two, 2);
        const double volume =
            8.0 / 3 * M_PI * r * r * r - M_PI * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12;
        ASSERT_NEAR(scree_shape_get_volume(scree_shape_clump(made, 1)), volume, 1e-6);
        scree_geometry_release(made);
    }
}

/* Compares with random points of the box about the union. */
static void moments_are_those_of_random_points(void **state) {
    (void)state;
    enum { POINTS = 400000 };
    scree_geometry *made = clump_of(tripod, 3);
    const scree_shape shape = scree_shape_clump(made, 1);
    uint64_t seed = 7;
    const vec3s half = made->half;
    double inside = 0, first[3] = {0}, square[3] = {0}, product[3] = {0};
    for (int i = 0; i < POINTS; i++) {
        double p[3];
        bool in = false;
        for (int k = 0; k < 3; k++) p[k] = (random_between(&seed, -1, 1)) * (double)vec3_along(half, k);
        for (int k = 0; k < made->count; k++) {
            const geometry_ball *of = &made->balls[k];
            const double x = p[0] - (double)of->centre.x, y = p[1] - (double)of->centre.y,
                         z = p[2] - (double)of->centre.z, r = (double)of->radius;
            in |= x * x + y * y + z * z < r * r;
        }
        if (!in) continue;
        inside++;
        for (int k = 0; k < 3; k++) {
            first[k] += p[k], square[k] += p[k] * p[k];
            product[k] += p[(k + 1) % 3] * p[(k + 2) % 3];
        }
    }
    const double box = 8 * (double)half.x * (double)half.y * (double)half.z, size = 0.15;
    ASSERT_NEAR(scree_shape_get_volume(shape), box * inside / POINTS, 1e-2);
    const vec3s inertia = shape_unit_inertia(shape);
    for (int k = 0; k < 3; k++) {
        ASSERT_WITHIN(first[k] / inside, 0, 2e-3 * size);
        ASSERT_WITHIN(product[k] / inside, 0, 5e-3 * size * size);
        ASSERT_NEAR(vec3_along(inertia, k), (square[(k + 1) % 3] + square[(k + 2) % 3]) / inside, 1e-2);
    }
    scree_geometry_release(made);
}

/* The frame maps the given spheres to those of the body. */
static void frame_maps_spheres_to_the_body(void **state) {
    (void)state;
    scree_vec3 origin;
    scree_quat axes;
    scree_geometry *made = clump_of(tripod, 3);
    scree_geometry_get_frame(made, &origin, &axes);
    for (int i = 0; i < 3; i++) {
        const vec3s at = glms_vec3_add(
            vec3_in(origin), rotate(quat_in(axes), vec3_in(scree_clump_get_sphere(made, i).position)));
        ASSERT_WITHIN(at.x, tripod[i].position.x, 1e-6);
        ASSERT_WITHIN(at.y, tripod[i].position.y, 1e-6);
        ASSERT_WITHIN(at.z, tripod[i].position.z, 1e-6);
    }
    scree_geometry_release(made);
}

/* Coincident spheres, spheres inside others, and a hundred in a row. */
static void awkward_unions_have_their_volume(void **state) {
    (void)state;
    scree_clump_sphere row[100];
    const scree_clump_sphere equal[] = {{{0, 0, 0}, 1}, {{0, 0, 0}, 1}, {{0.1f, 0, 0}, 0.5f}};
    scree_geometry *made = clump_of(equal, 3);
    ASSERT_NEAR(scree_shape_get_volume(scree_shape_clump(made, 1)), 4 * M_PI / 3, 1e-6);
    scree_geometry_release(made);
    for (int i = 0; i < 100; i++) row[i] = (scree_clump_sphere){{0, 3 * (float)i, 0}, 1};
    made = clump_of(row, 100);
    ASSERT_NEAR(scree_shape_get_volume(scree_shape_clump(made, 1)), 400 * M_PI / 3, 1e-5);
    scree_geometry_release(made);
}

/* Returns the volume shared by two balls of radii r, s at the distance d. */
static double lens_of(double r, double s, double d) {
    const double deep = r + s - d;
    return M_PI * deep * deep * (d * d + 2 * d * (r + s) - 3 * (r - s) * (r - s)) / (12 * d);
}

/* Unions of many spheres without triple overlaps: the sum of the spheres minus the pairwise lenses. Small
 * ones far apart, small ones on a large one, and a skewed lattice. */
static void many_spheres_have_their_volume(void **state) {
    (void)state;
    enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE };
    static scree_clump_sphere spheres[COUNT];
    const versors turn = {0.5f, 0.5f, 0.1f, 0.7f};
    uint64_t seed = 5;
    for (int i = 0; i < 25; i++) {
        const double y = random_between(&seed, 0, 0.3), z = random_between(&seed, 0, 0.3);
        spheres[i] = (scree_clump_sphere){{(float)i / 25, (float)y, (float)z}, 0.003f};
    }
    scree_geometry *made = clump_of(spheres, 25);
    ASSERT_NEAR(scree_shape_get_volume(scree_shape_clump(made, 1)), 25 * 4 * M_PI / 3 * pow(0.003, 3), 1e-6);
    scree_geometry_release(made);
    spheres[0] = (scree_clump_sphere){{0, 0, 0}, 1};
    double volume = 4 * M_PI / 3;
    for (int i = 1; i < 32; i++) { /* a spiral from pole to pole */
        const double z = i / 16.0 - 1, r = sqrt(1 - z * z), angle = 2.4 * i;
        spheres[i] =
            (scree_clump_sphere){{(float)(r * cos(angle)), (float)(r * sin(angle)), (float)z}, 0.03f};
        volume += 4 * M_PI / 3 * pow(0.03, 3) - lens_of(1, 0.03, 1);
    }
    made = clump_of(spheres, 32);
    ASSERT_NEAR(scree_shape_get_volume(scree_shape_clump(made, 1)), volume, 1e-6);
    scree_geometry_release(made);
    for (int i = 0; i < COUNT; i++) {
        const vec3s at = rotate(turn, vec3_of(1.6f * (float)(i % SIDE), 1.6f * (float)(i / SIDE % SIDE),
                                              1.6f * (float)(i / SIDE / SIDE)));
        spheres[i] = (scree_clump_sphere){{at.x, at.y, at.z}, 1};
    }
    made = clump_of(spheres, COUNT);
    ASSERT_NEAR(scree_shape_get_volume(scree_shape_clump(made, 1)),
                COUNT * 4 * M_PI / 3 - 3 * SIDE * SIDE * (SIDE - 1) * lens_of(1, 1, 1.6), 1e-5);
    scree_geometry_release(made);
}

/* A geometry of one kind is rejected for shapes of another kind. */
static void geometries_of_other_kinds_are_rejected(void **state) {
    (void)state;
    const scree_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const scree_triangle one = {{0, 1, 2}};
    scree_geometry *surface = NULL, *spheres = clump_of(tripod, 3);
    const scree_world_def world_def = scree_default_world_def();
    scree_world *world = NULL;
    scree_body_def def = scree_default_body_def();
    CHECK(scree_world_create(&world_def, &world));
    CHECK(scree_mesh_create(corners, 3, &one, 1, &surface));
    const scree_shape wrong[] = {scree_shape_clump(surface, 1), scree_shape_mesh(spheres, 1)};
    const char *const words[] = {"shape.geometry", "shape.geometry"};
    def.type = SCREE_BODY_STATIC;
    for (int i = 0; i < 2; i++) {
        CHECK_FAILS(scree_validate_shape(wrong[i]), SCREE_ERROR_ARGUMENT, words[i]);
        def.shape = wrong[i];
        CHECK_FAILS(scree_body_create(world, &def, NULL), SCREE_ERROR_ARGUMENT, words[i]);
        assert_true(scree_shape_get_volume(wrong[i]) == 0);
    }
    scree_world_destroy(world);
    scree_geometry_release(surface);
    scree_geometry_release(spheres);
}

static void invalid_spheres_are_rejected(void **state) {
    (void)state;
    scree_geometry *made = NULL;
    scree_clump_sphere one = {{0, 0, 0}, 0};
    CHECK_FAILS(scree_clump_create(&one, 1, &made), SCREE_ERROR_ARGUMENT, "radius");
    one.radius = 1, one.position.y = NAN;
    CHECK_FAILS(scree_clump_create(&one, 1, &made), SCREE_ERROR_ARGUMENT, "position");
    CHECK_FAILS(scree_clump_create(&one, 0, &made), SCREE_ERROR_ARGUMENT, "");
    CHECK_FAILS(scree_clump_create(&one, SCREE_CLUMP_SPHERES + 1, &made), SCREE_ERROR_ARGUMENT, "");
    CHECK_FAILS(scree_validate_shape(scree_shape_clump(NULL, 1)), SCREE_ERROR_ARGUMENT, "geometry");
    CHECK_FAILS(scree_clump_create(NULL, 4, &made), SCREE_ERROR_ARGUMENT, "spheres");
    assert_true(scree_shape_get_volume(scree_shape_clump(NULL, 1)) == 0);
    scree_geometry_release(NULL);
}

/* A clump of one sphere bounces and rolls like the sphere. */
static void clump_of_one_sphere_moves_like_it(void **state) {
    const scree_clump_sphere one = {{0.4f, 0.1f, 0}, 0.25f};
    (void)def_on(state); /* may skip, so call it before allocating */
    scree_geometry *made = clump_of(&one, 1);
    scree_body_state end[2];
    for (int k = 0; k < 2; k++) {
        scree_world *world = ground_on(state, 0.4f, 0.5f);
        const scree_shape shape = k ? scree_shape_clump(made, 2) : scree_shape_sphere(0.5f);
        const scree_body_id body = add_body(world, shape, (scree_vec3){0, 0, 1.2f}, (scree_vec3){2, 0, 0});
        add_body(world, shape, (scree_vec3){3, 0.1f, 0.5f}, (scree_vec3){0, 0, 0});
        run_for(world, 2);
        end[k] = state_of(world, body);
        scree_world_destroy(world);
    }
    ASSERT_WITHIN(end[1].position.x, end[0].position.x, 1e-3);
    ASSERT_WITHIN(end[1].position.y, end[0].position.y, 1e-3);
    ASSERT_WITHIN(end[1].position.z, end[0].position.z, 1e-3);
    ASSERT_WITHIN(end[1].linear_velocity.x, end[0].linear_velocity.x, 1e-3);
    ASSERT_WITHIN(end[1].angular_velocity.y, end[0].angular_velocity.y, 4e-3);
    scree_geometry_release(made);
}

/* Three spheres stand on the ground: three contacts of one pair, which bear m g. */
static void stands_on_three_spheres(void **state) {
    const scree_clump_sphere four[] = {
        {{1, 0, 0}, 0.5f}, {{-0.5f, 0.866f, 0}, 0.5f}, {{-0.5f, -0.866f, 0}, 0.5f}, {{0, 0, 1}, 0.7f}};
    scree_world *world = ground_on(state, 0.5f, 0);
    scree_geometry *made = clump_of(four, 4);
    scree_vec3 origin;
    scree_geometry_get_frame(made, &origin, NULL);
    const scree_body_id body = add_body(world, scree_shape_clump(made, 1),
                                        (scree_vec3){0, 0, 0.5f + origin.z}, (scree_vec3){0, 0, 0});
    scree_geometry_release(made); /* the world keeps a reference */
    const scree_statistics s = run_for(world, 1);
    float mass;
    CHECK(scree_body_get_mass(world, body, &mass, NULL));
    const scree_body_state at = state_of(world, body);
    ASSERT_WITHIN(at.position.z, 0.5f + origin.z, 1e-3);
    ASSERT_AT_MOST(length_of(at.linear_velocity), 1e-3);
    assert_int_equal(s.contacts, 3);
    assert_int_equal(s.touching, 1);
    ASSERT_NEAR(fabs(s.static_impulse[2]) / scree_world_get_def(world).time_step, (double)mass * 9.81, 1e-3);
    scree_world_destroy(world);
}

/* A clump on three spheres warm-starts each sphere's contact on any ground: only round-off remains to be
 * solved. */
static void spheres_warm_start_their_contacts(void **state) {
    const scree_clump_sphere four[] = {
        {{0, 0, 0}, 0.1f}, {{0.3f, 0, 0}, 0.1f}, {{0.1f, 0.25f, 0}, 0.1f}, {{0.12f, 0.1f, 0.2f}, 0.15f}};
    const struct {
        scree_shape shape;
        scree_vec3 at;
        scree_quat rotation;
    } bases[] = {{scree_shape_half_space(), {0, 0, 0}, {0, 0, 0, 1}},
                 {scree_shape_cylinder(2, 1), {0, 0, -1}, {0, 0, 0, 1}},
                 {scree_shape_cone(3, 4), {0, 0, -1}, {1, 0, 0, 0}},
                 {scree_shape_ellipsoid(100, 100, 1), {0, 0, -1}, {0, 0, 0, 1}}};
    for (int i = 0; i < 4; i++) {
        const scree_world_def on = def_on(state);
        scree_world *world = world_of(&on);
        scree_geometry *made = clump_of(four, 4);
        scree_body_def def = scree_default_body_def();
        scree_body_id id;
        def.type = SCREE_BODY_STATIC, def.shape = bases[i].shape;
        def.state.position = bases[i].at, def.state.rotation = bases[i].rotation;
        CHECK(scree_body_create(world, &def, &id));
        def = scree_default_body_def(), def.shape = scree_shape_clump(made, 1);
        scree_geometry_get_frame(made, &def.state.position, &def.state.rotation);
        def.state.position = (scree_vec3){0, 0, def.state.position.z + 0.1f};
        CHECK(scree_body_create(world, &def, &id));
        scree_geometry_release(made);
        const scree_statistics s = run_for(world, 1.5);
        assert_int_equal(s.contacts, 3);
        assert_int_equal(s.cache_hits, 3);
        ASSERT_AT_MOST(s.solve.residual_before, 1e-3);
        scree_world_destroy(world);
    }
}

/* Two spinning clumps collide in free space: momentum and angular momentum are conserved, and energy does not
 * grow. */
static void collision_keeps_momentum(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    def.time_step = 0.002;
    def.material.friction = 0.3f, def.material.restitution = 0.6f;
    scree_world *world = world_of(&def);
    scree_geometry *made = clump_of(tripod, 3);
    scree_body_id ids[2];
    for (int i = 0; i < 2; i++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_clump(made, i ? 1 : 1.3f);
        body.state.position = (scree_vec3){i ? 0.5f : -0.5f, i ? 0.05f : 0, 0};
        body.state.linear_velocity = (scree_vec3){i ? -1.0f : 1.0f, 0, 0};
        body.state.angular_velocity = (scree_vec3){0.5f, i ? 2.0f : -1.0f, 1};
        CHECK(scree_body_create(world, &body, &ids[i]));
    }
    scree_geometry_release(made);
    double sums[2][7];
    for (int end = 0; end < 2; end++) {
        memset(sums[end], 0, sizeof sums[end]);
        if (end) run_for(world, 1);
        for (int i = 0; i < 2; i++) {
            float mass;
            scree_vec3 inertia;
            CHECK(scree_body_get_mass(world, ids[i], &mass, &inertia));
            const scree_body_state s = state_of(world, ids[i]);
            const versors q = quat_in(s.rotation);
            const vec3s v = vec3_in(s.linear_velocity), w = vec3_in(s.angular_velocity),
                        local = rotate_inverse(q, w),
                        spin = rotate(q, glms_vec3_mul(vec3_in(inertia), local)),
                        orbit = glms_vec3_scale(glms_vec3_cross(vec3_in(s.position), v), mass);
            for (int k = 0; k < 3; k++) {
                sums[end][k] += (double)mass * (double)vec3_along(v, k);
                sums[end][3 + k] += (double)vec3_along(spin, k) + (double)vec3_along(orbit, k);
            }
            sums[end][6] += 0.5 * (double)(mass * glms_vec3_norm2(v) + glms_vec3_dot(w, spin));
        }
    }
    const double scale = sums[0][6];
    for (int k = 0; k < 6; k++) ASSERT_WITHIN(sums[1][k], sums[0][k], 0.01 * scale);
    ASSERT_AT_MOST(sums[1][6], 1.001 * sums[0][6]);
    ASSERT_AT_MOST(sums[1][6], 0.98 * sums[0][6]); /* they did collide */
    scree_world_destroy(world);
}

/* A run with clumps continues from its checkpoint bit for bit. */
static void checkpoint_continues_bit_for_bit(void **state) {
    const char *path = "test_clump.checkpoint";
    scree_world *world = ground_on(state, 0.5f, 0);
    scree_world_def runtime = def_on(state);
    scree_geometry *made = clump_of(tripod, 3);
    for (int i = 0; i < 8; i++) {
        const float x = 0.3f * (float)(i % 2), y = 0.3f * (float)(i / 2 % 2);
        add_body(world, scree_shape_clump(made, 1 + 0.1f * (float)i),
                 (scree_vec3){x, y, 0.4f + 0.5f * (float)(i / 4)}, (scree_vec3){0, 0, 0});
    }
    scree_geometry_release(made);
    for (int i = 0; i < 40; i++) CHECK(scree_world_step(world, NULL));
    check_goes_on(world, &runtime, path);
    scree_world_destroy(world);
}

/* A frame file restores the shapes. */
static void frame_file_restores_shapes(void **state) {
    scree_world *world = ground_on(state, 0.5f, 0);
    scree_geometry *made = clump_of(tripod, 3);
    add_body(world, scree_shape_clump(made, 1.7f), (scree_vec3){0, 0, 1}, (scree_vec3){0, 0, 0});
    scree_geometry_release(made);
    scree_frame frame = {0}, back = {0};
    frame_through_file(world, &frame, &back);
    assert_int_equal(back.geometry_count, 1);
    assert_int_equal(back.shapes[1].kind, SCREE_SHAPE_CLUMP);
    assert_true(back.shapes[1].size.x == 1.7f);
    assert_int_equal(scree_clump_sphere_count(back.shapes[1].geometry), 3);
    ASSERT_NEAR(scree_shape_get_volume(back.shapes[1]), scree_shape_get_volume(frame.shapes[1]), 1e-9);
    assert_null(back.shapes[0].geometry);
    scree_frame_release(&frame);
    scree_frame_release(&back);
}

/* A ray hits the nearest sphere, and an overlap query tests all spheres. */
static void queries_test_all_spheres(void **state) {
    scree_world *world = ground_on(state, 0.5f, 0);
    const scree_clump_sphere two[] = {{{0, 0, 1}, 0.5f}, {{0, 0, -1}, 0.5f}};
    scree_geometry *made = clump_of(two, 2);
    const scree_body_id body =
        add_body(world, scree_shape_clump(made, 1), (scree_vec3){0, 0, 5}, (scree_vec3){0, 0, 0});
    scree_geometry_release(made);
    scree_ray ray = {.origin = {0, 0, 9}, .direction = {0, 0, -1}, .distance = 100};
    scree_ray_hit hit;
    scree_body_id found[4];
    int count = 0;
    CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
    assert_true(hit.body.index == body.index);
    ASSERT_NEAR(hit.distance, 2.5, 1e-5);
    ray.origin = (scree_vec3){-3, 0, 5}, ray.direction = (scree_vec3){1, 0, 0}; /* between the spheres */
    CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
    assert_true(hit.body.index == 0);
    CHECK(scree_world_overlap_sphere(world, (scree_vec3){0, 0, 5}, 0.4f, NULL, found, 4, &count));
    assert_int_equal(count, 0);
    CHECK(scree_world_overlap_sphere(world, (scree_vec3){0, 0, 5}, 0.6f, NULL, found, 4, &count));
    assert_int_equal(count, 1);
    scree_world_destroy(world);
}

/* Half of a clump's volume is on either side of a plane of symmetry. */
static void symmetry_plane_halves_the_volume(void **state) {
    (void)state;
    const scree_clump_sphere two[] = {{{0, 0, 0.3f}, 0.5f}, {{0, 0, -0.3f}, 0.5f}};
    scree_geometry *made = clump_of(two, 2);
    const scree_shape shape = scree_shape_clump(made, 1);
    const body_pose pose = {.position = vec3_of(1, 2, 3), .rotation = versor_of(0, 0, 0, 1)};
    const cut_box half = {{-9, -9, -9}, {9, 9, 3}}, other = {{-9, 2, -9}, {9, 9, 9}};
    ASSERT_NEAR(cut_volume(shape, pose, &half), scree_shape_get_volume(shape) / 2, 3e-3);
    ASSERT_NEAR(cut_volume(shape, pose, &other), scree_shape_get_volume(shape) / 2, 3e-3);
    scree_geometry_release(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_spheres_are_the_sum),
        cmocka_unit_test(sieve_size_is_independent_of_axes),
        cmocka_unit_test(flat_clumps_have_the_least_rectangle),
        cmocka_unit_test(lens_is_counted_once),
        cmocka_unit_test(moments_are_those_of_random_points),
        cmocka_unit_test(frame_maps_spheres_to_the_body),
        cmocka_unit_test(awkward_unions_have_their_volume),
        cmocka_unit_test(many_spheres_have_their_volume),
        cmocka_unit_test(geometries_of_other_kinds_are_rejected),
        cmocka_unit_test(invalid_spheres_are_rejected),
        cmocka_unit_test(symmetry_plane_halves_the_volume),
        ON_EACH_BACKEND(clump_of_one_sphere_moves_like_it),
        ON_EACH_BACKEND(stands_on_three_spheres),
        ON("native", spheres_warm_start_their_contacts),
        ON_EACH_BACKEND(collision_keeps_momentum),
        ON("native", checkpoint_continues_bit_for_bit),
        ON("native", frame_file_restores_shapes),
        ON("native", queries_test_all_spheres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
