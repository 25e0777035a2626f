/* Convex hulls: mass properties and contacts against closed forms, all directions, counted points and equal
 * boxes; rejected input; files, checkpoints and queries. */
#include "base/vector.h"
#include "geometry/bounds.h"
#include "geometry/cut_volume.h"
#include "geometry/shape.h"
#include "convex_geometry.h"
#include "exchange.h"
#include "frame_file.h"
#include "hull_pool.h"
#include "random_vectors.h"
#include "scenery.h"
#include "geometry/geometry.h"

static const scree_vec3 cube[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const versors upright = {0, 0, 0, 1};

static scree_geometry *hull_of(const scree_vec3 *points, int count) {
    scree_geometry *made = NULL;
    CHECK(scree_hull_create(points, count, &made));
    return made;
}

/* Makes the hull of a box's corners and of points inside and on it. */
static scree_geometry *box_hull(float x, float y, float z) {
    scree_vec3 points[24];
    uint64_t seed = 4;
    for (int i = 0; i < 24; i++) {
        const scree_vec3 of = cube[i % 8];
        const float in = i < 8 ? 1 : (float)random_between(&seed, -1, 1);
        points[i] = (scree_vec3){of.x * x * in, of.y * y * (i < 16 ? 1 : in), of.z * z};
    }
    return hull_of(points, 24);
}

/* -- Mass --------------------------------------------------------------------------------------------------
 */

static void box_has_its_mass(void **state) {
    (void)state;
    scree_geometry *made = box_hull(0.5f, 0.3f, 0.2f);
    const scree_shape hull = scree_shape_hull(made, 2), box = scree_shape_box(1, 0.6f, 0.4f);
    assert_int_equal(scree_hull_corner_count(made), 8);
    assert_int_equal(made->side_count, 6);
    ASSERT_NEAR(scree_shape_get_volume(hull), scree_shape_get_volume(box), 1e-6);
    ASSERT_NEAR(scree_shape_get_radius(hull), scree_shape_get_radius(box), 1e-6);
    ASSERT_NEAR(scree_shape_get_half_width(hull), 0.4, 1e-6);
    ASSERT_NEAR(scree_shape_get_sieve_size(hull), 1.2, 1e-6);
    for (int k = 0; k < 3; k++)
        ASSERT_NEAR(vec3_along(shape_unit_inertia(hull), k), (double)vec3_along(shape_unit_inertia(box), k),
                    1e-6);
    scree_geometry_release(made);
}

/* A tetrahedron: V = det/6, centre = mean of the corners. */
static void simplex_has_its_mass(void **state) {
    (void)state;
    const scree_vec3 corners[] = {{100, 7, 0}, {101, 7, 0}, {100, 9, 0}, {100, 7, 3}};
    scree_geometry *made = hull_of(corners, 4);
    scree_vec3 origin;
    scree_geometry_get_frame(made, &origin, NULL);
    ASSERT_NEAR(scree_shape_get_volume(scree_shape_hull(made, 1)), 1, 1e-6);
    ASSERT_NEAR(origin.x, 100.25, 1e-6);
    ASSERT_NEAR(origin.y, 7.5, 1e-6);
    ASSERT_NEAR(origin.z, 0.75, 1e-6);
    scree_geometry_release(made);
}

/* The middle edge of the bounding box, for any rotation: of equal sides (whose moments define no axes), of a
 * cube with bulging faces, of a hexagonal prism of sides 1 between faces √3 apart, and of the regular
 * tetrahedron lying on a face, a rectangle a × √3/2 a below the height √(2/3) a. */
static void sieve_size_is_independent_of_axes(void **state) {
    (void)state;
    const float h = 0.8660254f;
#define CUBE                                                                                                 \
    {-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, { 1, 1, 1 }
    const struct {
        int count;
        double size, error;
        scree_vec3 points[14];
    } tries[] = {{8, 2, 1e-6, {CUBE}},
                 {8,
                  2,
                  1e-6,
                  {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0}, {0, 0, 5}, {2, 0, 5}, {0, 2, 5}, {2, 2, 5}}},
                 {14,
                  2,
                  1e-3,
                  {CUBE,
                   {1.0002f, 0, 0},
                   {-1.0001f, 0, 0},
                   {0, 1.0003f, 0},
                   {0, -1.0001f, 0},
                   {0, 0, 1.0001f},
                   {0, 0, -1.0002f}}},
                 {12,
                  2,
                  1e-6,
                  {{1, 0, 0},
                   {0.5f, h, 0},
                   {-0.5f, h, 0},
                   {-1, 0, 0},
                   {-0.5f, -h, 0},
                   {0.5f, -h, 0},
                   {1, 0, 4},
                   {0.5f, h, 4},
                   {-0.5f, h, 4},
                   {-1, 0, 4},
                   {-0.5f, -h, 4},
                   {0.5f, -h, 4}}},
                 {4, 2.4494897, 1e-6, {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}}};
    uint64_t seed = 5;
    for (int i = 0; i < 50; i++) {
        const versors turn = i < 5 ? upright : random_rotation(&seed);
        const int of = i % 5, count = tries[of].count;
        scree_vec3 points[14];
        for (int k = 0; k < count; k++) points[k] = vec3_out(rotate(turn, vec3_in(tries[of].points[k])));
        scree_geometry *made = hull_of(points, count);
        ASSERT_NEAR(scree_shape_get_sieve_size(scree_shape_hull(made, 3)), 3 * tries[of].size,
                    3 * tries[of].error);
        scree_geometry_release(made);
    }
}

static bool holds(const scree_geometry *self, const double p[3]) {
    for (int i = 0; i < self->side_count; i++) {
        const hull_side *of = &self->sides[i];
        const hull_corner *at = &self->corners[of->corners[0]];
        if (of->x * (p[0] - at->x) + of->y * (p[1] - at->y) + of->z * (p[2] - at->z) > 1e-6) return false;
    }
    return true;
}

/* Moments, and the volume in a box, by counting points; the corners are on or below every face. */
static void moments_are_those_of_counted_points(void **state) {
    (void)state;
    enum { SIDE = 40 };
    for (int i = 0; i < POOL; i++) {
        const scree_geometry *of = hull_pool[i];
        const double half[3] = {of->half.x, of->half.y, of->half.z};
        const cut_box box = {{-0.2 * half[0], -0.5 * half[1], -0.3 * half[2]},
                             {0.6 * half[0], 0.1 * half[1], 0.7 * half[2]}};
        double first[3] = {0}, square[3] = {0}, product[3] = {0};
        int inside = 0, boxed = 0;
        for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
            const int index[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
            double p[3];
            bool in = true;
            for (int a = 0; a < 3; a++) p[a] = half[a] * (2 * (index[a] + 0.5) / SIDE - 1);
            if (!holds(of, p)) continue;
            for (int a = 0; a < 3; a++) {
                first[a] += p[a], square[a] += p[a] * p[a];
                product[a] += p[(a + 1) % 3] * p[(a + 2) % 3];
                in &= p[a] >= box.lower[a] && p[a] <= box.upper[a];
            }
            inside++, boxed += in;
        }
        const double cell = 8 * half[0] * half[1] * half[2] / (SIDE * SIDE * SIDE), size = of->radius;
        const scree_shape shape = scree_shape_hull(of, 1);
        ASSERT_NEAR(scree_shape_get_volume(shape), cell * inside, 2e-2);
        for (int a = 0; a < 3; a++) {
            ASSERT_WITHIN(first[a] / inside, 0, 5e-3 * size);
            ASSERT_WITHIN(product[a] / inside, 0, 5e-3 * size * size);
            ASSERT_NEAR(vec3_along(shape_unit_inertia(shape), a),
                        (square[(a + 1) % 3] + square[(a + 2) % 3]) / inside, 3e-2);
        }
        const body_pose pose = pose_of(vec3_of(0, 0, 0), upright);
        ASSERT_WITHIN(cut_volume(shape, pose, &box), cell * boxed, 0.02 * scree_shape_get_volume(shape));
        for (int c = 0; c < of->corner_count; c++) {
            const double p[3] = {of->corners[c].x, of->corners[c].y, of->corners[c].z};
            assert_true(holds(of, p));
        }
    }
}

/* Parts on both sides of a plane add up to the whole, for any pose. */
static void cuts_add_up(void **state) {
    (void)state;
    uint64_t seed = 12;
    for (int i = 0; i < 200; i++) {
        const scree_shape shape = pool_shape(&seed, SCREE_SHAPE_HULL, 0.5, 2);
        const body_pose pose = pose_of(random_vector(&seed, -0.5, 0.5), random_rotation(&seed));
        cut_box low = {{-9, -9, -9}, {9, 9, 9}}, high = low;
        low.upper[i % 3] = high.lower[i % 3] = random_between(&seed, -0.5, 0.5);
        ASSERT_NEAR(cut_volume(shape, pose, &low) + cut_volume(shape, pose, &high),
                    scree_shape_get_volume(shape), 1e-5);
    }
}

/* -- Contacts ----------------------------------------------------------------------------------------------
 */

static const scree_shape_kind kinds[] = {SCREE_SHAPE_SPHERE,   SCREE_SHAPE_BOX,  SCREE_SHAPE_CAPSULE,
                                         SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE, SCREE_SHAPE_ELLIPSOID,
                                         SCREE_SHAPE_HULL};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A box and the hull of its corners have the same contacts. */
static void hull_of_a_box_touches_like_a_box(void **state) {
    (void)state;
    uint64_t seed = 3;
    scree_geometry *made = box_hull(0.5f, 0.3f, 0.2f);
    const scree_shape hull = scree_shape_hull(made, 1), box = scree_shape_box(0.5f, 0.3f, 0.2f);
    for (int i = 0; i < 600; i++) {
        const bool plane = i % 4 == 0;
        const scree_shape other =
            plane ? scree_shape_half_space() : pool_shape(&seed, kinds[i % KINDS], 0.3, 0.6);
        const body_pose pose =
                            pose_of(glms_vec3_scale(random_direction(&seed), 0.8f), random_rotation(&seed)),
                        at = pose_of(vec3_of(0, 0, 0), plane ? upright : random_rotation(&seed));
        const manifold is = manifold_of(hull, pose, other, at, 0.5f),
                       of = manifold_of(box, pose, other, at, 0.5f);
        if (of.count && least_gap(&of) < -0.05) continue; /* another direction may be as short */
        assert_int_equal(is.count > 0, of.count > 0);
        if (!of.count || least_gap(&of) > 0.4) continue;
        if (other.kind == SCREE_SHAPE_BOX && least_gap(&of) > 0)
            continue;                              /* boxes measure along their axes */
        if (fabs(least_gap(&of)) < 0.02) continue; /* round-off chooses between directions */
        ASSERT_WITHIN(glms_vec3_norm(glms_vec3_sub(is.normal, of.normal)), 0, 5e-3);
    }
    /* Lying flat: four corners with distinct feature ids. */
    const manifold flat = manifold_of(scree_shape_half_space(), pose_of(vec3_of(0, 0, 0), upright), hull,
                                      pose_of(vec3_of(0, 0, 0.19f), upright), 0.1f);
    assert_int_equal(flat.count, 4);
    for (int i = 0; i < 4; i++) {
        ASSERT_WITHIN(flat.points[i].gap, -0.01, 1e-6);
        ASSERT_WITHIN(fabs((double)flat.points[i].position.x), 0.5, 1e-6);
        for (int k = 0; k < i; k++) assert_int_not_equal(flat.points[i].feature, flat.points[k].feature);
    }
    const manifold stack = manifold_of(hull, pose_of(vec3_of(0, 0, 0), upright), hull,
                                       pose_of(vec3_of(0.1f, 0.1f, 0.399f), upright), 0.1f);
    assert_int_equal(stack.count, 4);
    ASSERT_WITHIN(stack.normal.z, 1, 1e-6);
    for (int i = 0; i < 4; i++) ASSERT_WITHIN(stack.points[i].gap, -0.001, 1e-6);
    scree_geometry_release(made);
}

static void pairs_agree_with_a_search_over_directions(void **state) {
    (void)state;
    uint64_t seed = 5;
    double worst = 0;
    const int count = getenv("SCREE_TEST_SHORT") ? 140 : 1400;
    for (int i = 0; i < count; i++) {
        const scree_shape a = pool_shape(&seed, SCREE_SHAPE_HULL, 0.5, 1),
                          b = pool_shape(&seed, kinds[i % KINDS], 0.3, 1);
        const vec3s out = glms_vec3_scale(random_direction(&seed), (scalar)random_between(&seed, 0.1, 1.6));
        const body_pose pose_a = pose_of(vec3_of(0, 0, 0), random_rotation(&seed)),
                        pose_b = pose_of(out, random_rotation(&seed));
        const solid solid_a = solid_of(a, pose_a), solid_b = solid_of(b, pose_b);
        const double truth = solid_separation(&solid_a, &solid_b, 300);
        const manifold m = manifold_of(a, pose_a, b, pose_b, 3);
        assert_in_range(m.count, 1, 4);
        ASSERT_WITHIN(glms_vec3_norm(m.normal), 1, 1e-6);
        const double n[3] = {m.normal.x, m.normal.y, m.normal.z}, along = solid_gap(&solid_a, &solid_b, n);
        const double width = fmin(bounds_half_width(a), bounds_half_width(b)), loss = truth - along;
        ASSERT_WITHIN(least_gap(&m), along, 1e-5 + 2e-3 * bounds_turning_radius(a));
        worst = fmax(worst, loss);
        if (!(loss < (truth > -width / 3 ? 2e-5 : -0.25 * truth)))
            fail_msg("case %d with %s: %g, another direction %g, half width %g", i,
                     scree_shape_kind_name(b.kind), along, truth, width);
        for (int k = 0; k < m.count; k++)
            for (int l = 0; l < k; l++) assert_int_not_equal(m.points[k].feature, m.points[l].feature);
    }
    print_message("# largest loss %g\n", worst);
}

/* Bodies apart, then pressed into each other by a hair along their separating normal, are no deeper than that
 * hair, including crossed edges of slender hulls: up to a fiftieth of the half width, beyond which other
 * directions are searched. */
static void slight_overlaps_are_measured_exactly(void **state) {
    (void)state;
    enum { SLENDER = 40, CORNERS = 6 };
    uint64_t seed = 12;
    scree_geometry *slender[SLENDER];
    for (int i = 0; i < SLENDER; i++) {
        scree_vec3 points[CORNERS];
        const double y = pow(10, random_between(&seed, -1, 0)), z = pow(10, random_between(&seed, -1, 0));
        for (int k = 0; k < CORNERS; k++) {
            const vec3s at = random_vector(&seed, -1, 1);
            points[k] = (scree_vec3){at.x, (float)y * at.y, (float)z * at.z};
        }
        CHECK(scree_hull_create(points, CORNERS, &slender[i]));
    }
    const int count = getenv("SCREE_TEST_SHORT") ? 400 : 4000;
    for (int i = 0; i < count; i++) {
        const scree_shape a = scree_shape_hull(slender[random_below(&seed, SLENDER)], 1),
                          b = i % 2 ? scree_shape_hull(slender[random_below(&seed, SLENDER)], 0.7f)
                                    : pool_shape(&seed, kinds[i / 2 % KINDS], 0.1, 1);
        const float size = bounds_turning_radius(a) + bounds_turning_radius(b);
        body_pose pose_a = pose_of(vec3_of(0, 0, 0), random_rotation(&seed)),
                  pose_b = pose_of(glms_vec3_scale(random_direction(&seed), size), random_rotation(&seed));
        const manifold apart = manifold_of(a, pose_a, b, pose_b, 2 * size);
        const double width = fmin(bounds_half_width(a), bounds_half_width(b)), hair = 1e-3 * width;
        const solid solid_a = solid_of(a, pose_a), far = solid_of(b, pose_b);
        const double gap =
            solid_gap(&solid_a, &far, (double[3]){apart.normal.x, apart.normal.y, apart.normal.z});
        pose_b.position = glms_vec3_sub(pose_b.position, glms_vec3_scale(apart.normal, (scalar)(gap + hair)));
        const manifold m = manifold_of(a, pose_a, b, pose_b, (scalar)hair);
        const solid solid_b = solid_of(b, pose_b);
        const double n[3] = {m.normal.x, m.normal.y, m.normal.z}, depth = -solid_gap(&solid_a, &solid_b, n);
        assert_in_range(m.count, 1, 4);
        if (!(depth < 1.01 * hair + 1e-6 * (double)size + 0.02 * width))
            fail_msg("case %d with %s: %g deep, pressed by %g, half width %g", i,
                     scree_shape_kind_name(b.kind), depth, hair, width);
    }
    for (int i = 0; i < SLENDER; i++) scree_geometry_release(slender[i]);
}

/* The contact with a and b exchanged, or moved, is the same. */
static void exchange_and_motion(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 600; i++) {
        const scree_shape a = pool_shape(&seed, SCREE_SHAPE_HULL, 0.5, 1),
                          b = pool_shape(&seed, kinds[i % KINDS], 0.3, 1);
        assert_exchange_and_motion(&seed, a, b, 1e-4, 0.2);
    }
}

static void assert_sensible(const manifold *m, const char *what, int i) {
    if (m->count < 1) fail_msg("%s of kind %d: no contact", what, i);
    if (!(fabsf(glms_vec3_norm(m->normal) - 1) < 1e-5f)) fail_msg("%s of kind %d: normal", what, i);
    for (int p = 0; p < m->count; p++)
        if (!isfinite(m->points[p].gap) || !isfinite(glms_vec3_norm(m->points[p].position)))
            fail_msg("%s of kind %d: not finite", what, i);
}

/* Coincident centres; touching exactly with parallel faces; a thousand times smaller or larger. */
static void degenerate_cases(void **state) {
    (void)state;
    scree_geometry *made = box_hull(0.5f, 0.4f, 0.3f);
    const scree_shape a = scree_shape_hull(made, 1);
    const body_pose still = pose_of(vec3_of(0, 0, 0), upright);
    for (int i = 0; i < KINDS; i++) {
        const scree_shape b = kinds[i] == SCREE_SHAPE_HULL ? a : shape_of(kinds[i], 0.4f, 0.3f, 0.5f);
        manifold m = manifold_of(a, still, b, still, 0);
        assert_sensible(&m, "one centre", i);
        const solid solid_a = solid_of(a, still), solid_b = solid_of(b, still);
        ASSERT_AT_LEAST(least_gap(&m), 1.05 * solid_separation(&solid_a, &solid_b, 600) - 1e-5);
        const float up = 0.3f + bounds_of(b, still).upper.z;
        m = manifold_of(a, still, b, pose_of(vec3_of(0, 0, up), (versors){1, 0, 0, 0}), 0.01f);
        assert_sensible(&m, "touching", i);
        ASSERT_WITHIN(least_gap(&m), 0, 1e-6);
        ASSERT_WITHIN(m.normal.z, 1, 1e-4);
        for (int side = -1; side <= 1; side += 2) {
            const scree_shape grain = scree_shape_scale(b, 1e-3), pebble = scree_shape_scale(a, 1e-3);
            float height = 0.3f + bounds_of(grain, still).upper.z + 3e-6f * side;
            m = manifold_of(a, still, grain, pose_of(vec3_of(0, 0, height), (versors){1, 0, 0, 0}), 1e-4f);
            assert_sensible(&m, "a grain", i);
            ASSERT_WITHIN(least_gap(&m), 3e-6 * side, 2e-7);
            ASSERT_WITHIN(m.normal.z, 1, 1e-2);
            height = bounds_of(b, still).upper.z + 0.3e-3f + 3e-6f * side;
            m = manifold_of(b, still, pebble, pose_of(vec3_of(0, 0, height), upright), 1e-4f);
            assert_sensible(&m, "a pebble", i);
            ASSERT_WITHIN(least_gap(&m), 3e-6 * side, 2e-7);
            ASSERT_WITHIN(m.normal.z, 1, 1e-2);
        }
    }
    scree_geometry_release(made);
}

/* For a face with more corners than a contact uses, the kept ones span most of its area. */
static void many_cornered_sides(void **state) {
    (void)state;
    scree_vec3 points[64];
    for (int i = 0; i < 64; i++) {
        const double angle = i % 32 * M_PI / 16;
        points[i] = (scree_vec3){(float)cos(angle), (float)sin(angle), i < 32 ? -0.2f : 0.2f};
    }
    scree_geometry *made = hull_of(points, 64);
    assert_int_equal(scree_hull_corner_count(made), 64);
    assert_int_equal(made->side_count, 34);
    ASSERT_NEAR(scree_shape_get_volume(scree_shape_hull(made, 1)), 16 * sin(M_PI / 16) * 0.4, 1e-6);
    const manifold m = manifold_of(scree_shape_half_space(), pose_of(vec3_of(0, 0, 0), upright),
                                   scree_shape_hull(made, 1), pose_of(vec3_of(0, 0, 0.2f), upright), 0.1f);
    double span = 0;
    assert_int_equal(m.count, 4);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            span = fmax(span, glms_vec3_norm(glms_vec3_sub(m.points[i].position, m.points[k].position)));
    assert_true(span > 1.9);
    scree_geometry_release(made);
}

/* -- Rejected input, files and queries
 * --------------------------------------------------------------------- */

static void invalid_points_are_rejected(void **state) {
    (void)state;
    scree_geometry *made = NULL;
    scree_vec3 points[2000] = {{0, 0, 0}};
    const char *const where[] = {"", "", ""};
    for (int flat = 0; flat < 3; flat++) {
        for (int i = 0; i < 8; i++)
            points[i] =
                (scree_vec3){flat > 0 ? cube[i].x : 1, flat > 1 ? cube[i].y : 1, flat > 2 ? cube[i].z : 5};
        CHECK_FAILS(scree_hull_create(points, 8, &made), SCREE_ERROR_ARGUMENT, where[flat]);
    }
    CHECK_FAILS(scree_hull_create(NULL, 8, &made), SCREE_ERROR_ARGUMENT, "points");
    CHECK_FAILS(scree_hull_create(cube, 3, &made), SCREE_ERROR_ARGUMENT, "");
    points[5].y = NAN;
    CHECK_FAILS(scree_hull_create(points, 8, &made), SCREE_ERROR_ARGUMENT, "point 5");
    for (int i = 0; i < 2000; i++) {
        const double z = 1 - (2 * i + 1.0) / 2000, around = 2.399963229728653 * i, r = sqrt(1 - z * z);
        points[i] = (scree_vec3){(float)(r * cos(around)), (float)(r * sin(around)), (float)z};
    }
    CHECK_FAILS(scree_hull_create(points, 2000, &made), SCREE_ERROR_ARGUMENT, "");
    CHECK_FAILS(scree_validate_shape(scree_shape_hull(NULL, 1)), SCREE_ERROR_ARGUMENT, "geometry");
    CHECK_FAILS(scree_validate_shape(scree_shape_mesh(hull_pool[0], 1)), SCREE_ERROR_ARGUMENT, "geometry");
    CHECK_FAILS(scree_validate_shape(scree_shape_hull(hull_pool[0], 0)), SCREE_ERROR_ARGUMENT, "size.x");
    assert_true(scree_shape_get_volume(scree_shape_clump(hull_pool[0], 1)) == 0);
}

/* The corners stored in files make the same geometry, bit for bit. */
static void corners_are_restored(void **state) {
    (void)state;
    for (int i = 0; i < POOL; i++) {
        const scree_geometry *of = hull_pool[i];
        scree_geometry *again = hull_of(of->points, of->corner_count);
        assert_int_equal(again->corner_count, of->corner_count);
        assert_int_equal(again->side_count, of->side_count);
        assert_memory_equal(again->corners, of->corners, sizeof *of->corners * (size_t)of->corner_count);
        assert_memory_equal(again->sides, of->sides, sizeof *of->sides * (size_t)of->side_count);
        assert_memory_equal(&again->unit_inertia, &of->unit_inertia, sizeof of->unit_inertia);
        scree_geometry_release(again);
    }
}

/* Rays towards the middle hit the surface, V = ∫ r³/3 dΩ; from inside they hit nothing. */
static void rays_measure_the_volume(void **state) {
    enum { RAYS = 4000 };
    scree_world_def def = def_on(state);
    for (int i = 0; i < POOL; i += 4) {
        scree_world *world = world_of(&def);
        uint64_t seed = 8;
        double volume = 0;
        scree_body_def body = scree_default_body_def();
        const versors q = random_rotation(&seed);
        scree_ray_hit hit;
        body.shape = scree_shape_hull(hull_pool[i], 1),
        body.state.rotation = (scree_quat){q.x, q.y, q.z, q.w};
        CHECK(scree_body_create(world, &body, NULL));
        for (int k = 0; k < RAYS; k++) {
            const double z = 1 - (2 * k + 1.0) / RAYS, around = 2.399963229728653 * k, r = sqrt(1 - z * z);
            const scree_vec3 out = {(float)(r * cos(around)), (float)(r * sin(around)), (float)z};
            const scree_ray ray = {{4 * out.x, 4 * out.y, 4 * out.z}, {-out.x, -out.y, -out.z}, 9};
            CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
            const double far = 4 - (double)hit.distance;
            assert_true(far > 0 && out.x * hit.normal.x + out.y * hit.normal.y + out.z * hit.normal.z > 0);
            volume += far * far * far / 3 * 4 * M_PI / RAYS;
        }
        ASSERT_NEAR(volume, scree_shape_get_volume(body.shape), 2e-2);
        const scree_ray inside = {{0, 0, 0}, {0, 0, 1}, 9};
        CHECK(scree_world_cast_ray(world, &inside, NULL, &hit));
        assert_true(hit.body.generation == 0);
        scree_world_destroy(world);
    }
}

/* Stones fall on a heap and come to rest; the run continues from its checkpoint bit for bit, and a frame file
 * restores the shapes. */
static void stones_come_to_rest_and_resume(void **state) {
    const char *path = "test_hull.checkpoint";
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def), *other = NULL;
    uint64_t seed = 2;
    add_slope(world, 0);
    for (int i = 0; i < 12; i++)
        add_body(world, pool_shape(&seed, SCREE_SHAPE_HULL, 0.3, 0.5),
                 (scree_vec3){0.3f * (float)(i % 2), 0.3f * (float)(i / 2 % 2), 0.5f + 0.5f * (float)(i / 4)},
                 (scree_vec3){0, 0, 0});
    for (int i = 0; i < 60; i++) CHECK(scree_world_step(world, NULL));
    CHECK(scree_checkpoint_save(world, path));
    CHECK(scree_checkpoint_load(path, &def, &other));
    remove(path);
    run_for(world, 0.5), run_for(other, 0.5);
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(other));
    scree_world_destroy(other);
    scree_frame frame = {0}, back = {0};
    frame_through_file(world, &frame, &back);
    assert_int_equal(back.count, frame.count);
    for (int i = 1; i < back.count; i++) {
        assert_int_equal(back.shapes[i].kind, SCREE_SHAPE_HULL);
        assert_true(scree_shape_get_volume(back.shapes[i]) == scree_shape_get_volume(frame.shapes[i]));
    }
    scree_frame_release(&frame);
    scree_frame_release(&back);
}

/* A hull of a box rests where the box does, on a plane and on a mesh, and supports one. */
static void hull_of_a_box_rests_like_a_box(void **state) {
    (void)def_on(state);
    scree_geometry *made = box_hull(0.5f, 0.4f, 0.3f), *sheet = NULL;
    const scree_vec3 square[] = {{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}};
    const scree_triangle halves[] = {{{0, 1, 2}}, {{0, 2, 3}}};
    CHECK(scree_mesh_create(square, 4, halves, 2, &sheet));
    for (int ground = 0; ground < 2; ground++) {
        scree_world_def def = def_on(state);
        scree_world *world = world_of(&def);
        scree_body_def floor = scree_default_body_def();
        floor.type = SCREE_BODY_STATIC,
        floor.shape = ground ? scree_shape_mesh(sheet, 1) : scree_shape_half_space();
        CHECK(scree_body_create(world, &floor, NULL));
        scree_body_id ids[3];
        for (int i = 0; i < 3; i++)
            ids[i] = add_body(world, i == 1 ? scree_shape_box(0.5f, 0.4f, 0.3f) : scree_shape_hull(made, 1),
                              (scree_vec3){0.1f * (float)i, 0.05f * (float)i, 0.31f + 0.62f * (float)i},
                              (scree_vec3){0, 0, 0});
        run_for(world, 1.5);
        for (int i = 0; i < 3; i++) {
            const scree_body_state at = state_of(world, ids[i]);
            ASSERT_WITHIN(at.position.z, 0.3 + 0.6 * i, 2e-3);
            ASSERT_WITHIN(at.position.x, 0.1 * i, 5e-3);
            ASSERT_AT_MOST(length_of(at.linear_velocity), 5e-3);
            ASSERT_AT_MOST(length_of(at.angular_velocity), 1e-2);
        }
        scree_world_destroy(world);
    }
    scree_geometry_release(made);
    scree_geometry_release(sheet);
}

/* A brick slides down a slope with a = g (sin α − μ cos α). */
static void brick_slides_with_coulomb_friction(void **state) {
    scree_world_def def = def_on(state);
    def.material.friction = 0.3f, def.time_step = 0.005;
    scree_world *world = world_of(&def);
    scree_geometry *made = box_hull(0.5f, 0.4f, 0.1f);
    const float angle = 0.6f;
    add_slope(world, angle);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.shape = scree_shape_hull(made, 1);
    body.state.position = (scree_vec3){0.1f * sinf(angle), 0, 0.1f * cosf(angle)};
    body.state.rotation = (scree_quat){0, sinf(angle / 2), 0, cosf(angle / 2)};
    CHECK(scree_body_create(world, &body, &id));
    scree_geometry_release(made);
    run_for(world, 1);
    const double speed = 9.81 * (sin((double)angle) - 0.3 * cos((double)angle));
    ASSERT_NEAR(length_of(state_of(world, id).linear_velocity), speed, 5e-3);
    scree_world_destroy(world);
}

static void scene_defines_points_or_file(void **state) {
    (void)state;
    static const char text[] =
        "{\"bodies\": [{\"shape\": {\"kind\": \"hull\", \"points\": [[0,0,0],[1,0,0],[0,2,0],[0,0,3]], "
        "\"scale\": 2}}, {\"shape\": {\"kind\": \"hull\", \"file\": \"test_hull.obj\"}}]}";
    FILE *file = fopen("test_hull.obj", "w");
    assert_non_null(file);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\n", file);
    fclose(file);
    scree_scene *scene = NULL;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    CHECK(scree_scene_parse(text, sizeof text - 1, "test", &scene));
    remove("test_hull.obj");
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, 0));
    scree_body_id ids[2];
    scree_body_list(world, ids, 2);
    scree_body_def body;
    CHECK(scree_body_get_def(world, ids[0], &body));
    ASSERT_NEAR(scree_shape_get_volume(body.shape), 8, 1e-5);
    CHECK(scree_body_get_def(world, ids[1], &body));
    ASSERT_NEAR(scree_shape_get_volume(body.shape), 1 / 6.0, 1e-5);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_has_its_mass),
        cmocka_unit_test(simplex_has_its_mass),
        cmocka_unit_test(sieve_size_is_independent_of_axes),
        cmocka_unit_test(moments_are_those_of_counted_points),
        cmocka_unit_test(cuts_add_up),
        cmocka_unit_test(hull_of_a_box_touches_like_a_box),
        cmocka_unit_test(pairs_agree_with_a_search_over_directions),
        cmocka_unit_test(slight_overlaps_are_measured_exactly),
        cmocka_unit_test(exchange_and_motion),
        cmocka_unit_test(degenerate_cases),
        cmocka_unit_test(many_cornered_sides),
        cmocka_unit_test(invalid_points_are_rejected),
        cmocka_unit_test(corners_are_restored),
        cmocka_unit_test(scene_defines_points_or_file),
        ON("native", rays_measure_the_volume),
        ON("native", stones_come_to_rest_and_resume),
        ON("native", hull_of_a_box_rests_like_a_box),
        ON("opencl", hull_of_a_box_rests_like_a_box),
        ON_EACH_BACKEND(brick_slides_with_coulomb_friction),
    };
    return cmocka_run_group_tests(tests, hull_pool_make, hull_pool_release);
}
