/* Contact points of capsules, cylinders, cones, ellipsoids, boxes and spheres with each other and with
 * half-spaces: closed forms, a search over directions in double precision, exchange and rigid motion, and
 * degenerate cases. */
#include "body_fixture.h"
#include "convex_geometry.h"
#include "exchange.h"

#include "geometry/bounds.h"
#include "geometry/cut_volume.h"
#include "detect/manifold.h"
#include "geometry/shape.h"
#include "rotation.h"

static const versors upright = {0, 0, 0, 1};
static const versors lying = {0.70710678f, 0, 0, 0.70710678f}; /* the axis z along −y */

static body_pose at(float x, float y, float z, versors rotation) {
    return pose_of(vec3_of(x, y, z), rotation);
}

static body_pose ground(void) { return at(0, 0, 0, upright); }

/* -- Closed forms ------------------------------------------------------------------------------------------
 */

static void capsules(void **state) {
    (void)state;
    const scree_shape rod = scree_shape_capsule(0.1f, 0.5f);
    /* Lying on the plane: a point under each end. */
    manifold m = manifold_of(scree_shape_half_space(), ground(), rod, at(0, 0, 0.11f, lying), 0.05f);
    assert_int_equal(m.count, 2);
    ASSERT_WITHIN(m.normal.z, 1, 1e-6);
    for (int i = 0; i < 2; i++) {
        ASSERT_WITHIN(m.points[i].gap, 0.01, 1e-6);
        ASSERT_WITHIN(fabs((double)m.points[i].position.y), 0.5, 1e-6);
        ASSERT_WITHIN(m.points[i].position.z, 0.005, 1e-6);
    }
    assert_int_not_equal(m.points[0].feature, m.points[1].feature);
    /* Standing: one point. */
    m = manifold_of(scree_shape_half_space(), ground(), rod, at(0, 0, 0.59f, upright), 0.05f);
    assert_int_equal(m.count, 1);
    ASSERT_WITHIN(m.points[0].gap, -0.01, 1e-6);
    /* Crossed at 0.25: one point, midway. */
    m = manifold_of(rod, at(0, 0, 0, lying), rod, at(0, 0, 0.25f, (versors){0, 0.70710678f, 0, 0.70710678f}),
                    0.1f);
    assert_int_equal(m.count, 1);
    ASSERT_WITHIN(m.points[0].gap, 0.05, 1e-6);
    ASSERT_WITHIN(m.points[0].position.z, 0.125, 1e-6);
    /* Parallel, shifted by 0.4: the ends of the common stretch. */
    m = manifold_of(rod, at(0, 0, 0, lying), rod, at(0, 0.4f, 0.19f, lying), 0);
    assert_int_equal(m.count, 2);
    for (int i = 0; i < 2; i++) ASSERT_WITHIN(m.points[i].gap, -0.01, 1e-6);
    ASSERT_WITHIN(fabs((double)m.points[0].position.y - (double)m.points[1].position.y), 0.6, 1e-5);
    /* A sphere near the end: distance of its centre from the segment's end minus the radii. */
    m = manifold_of(scree_shape_sphere(0.2f), at(0.3f, 0, 0.9f, upright), rod, at(0, 0, 0, upright), 1);
    assert_int_equal(m.count, 1);
    ASSERT_WITHIN(m.points[0].gap, 0.5 - 0.3, 1e-6);
    ASSERT_WITHIN(m.normal.x, -0.6, 1e-6);
    /* On a box shorter than the capsule: at the box's edges. */
    m = manifold_of(scree_shape_box(0.3f, 0.3f, 0.1f), ground(), rod, at(0, 0, 0.199f, lying), 0.01f);
    assert_int_equal(m.count, 2);
    for (int i = 0; i < 2; i++) {
        ASSERT_WITHIN(m.points[i].gap, -0.001, 1e-6);
        ASSERT_WITHIN(fabs((double)m.points[i].position.y), 0.3, 1e-5);
    }
}

static void standing_and_lying(void **state) {
    (void)state;
    const scree_shape drum = scree_shape_cylinder(0.2f, 0.3f), cone = scree_shape_cone(0.3f, 0.4f);
    const struct {
        scree_shape shape, base;
        float height, base_height;
        versors rotation;
        int count;
        double out; /* of the points from the axis, or along it */
    } cases[] = {
        {drum, scree_shape_half_space(), 0.299f, 0, upright, 4, 0.2},
        {drum, scree_shape_box(1, 1, 1), 0.299f, -1, upright, 4, 0.2},
        {drum, scree_shape_cylinder(0.5f, 1), 0.299f, -1, upright, 4, 0.2},
        {drum, scree_shape_cylinder(0.1f, 1), 0.299f, -1, upright, 4, 0.1},
        {drum, scree_shape_half_space(), 0.199f, 0, lying, 2, 0.3},
        {drum, scree_shape_box(1, 1, 1), 0.199f, -1, lying, 2, 0.3},
        {drum, scree_shape_box(1, 0.1f, 1), 0.199f, -1, lying, 2, 0.1},
        {cone, scree_shape_half_space(), 0.099f, 0, upright, 4, 0.3},
        {cone, scree_shape_box(1, 1, 1), 0.099f, -1, upright, 4, 0.3},
        {scree_shape_ellipsoid(0.3f, 0.2f, 0.1f), scree_shape_half_space(), 0.099f, 0, upright, 1, 0},
        {scree_shape_ellipsoid(0.3f, 0.1f, 0.2f), scree_shape_box(1, 1, 1), 0.099f, -1, lying, 1, 0},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        const manifold m = manifold_of(cases[i].base, at(0, 0, cases[i].base_height, upright), cases[i].shape,
                                       at(0, 0, cases[i].height, cases[i].rotation), 0.01f);
        if (m.count != cases[i].count) fail_msg("case %d has %d points", i, m.count);
        ASSERT_WITHIN(m.normal.z, 1, 1e-6);
        for (int k = 0; k < m.count; k++) {
            const vec3s p = m.points[k].position;
            ASSERT_WITHIN(m.points[k].gap, -0.001, 1e-6);
            ASSERT_WITHIN(hypot((double)p.x, (double)p.y), cases[i].out, 2e-5);
            for (int l = 0; l < k; l++) assert_int_not_equal(m.points[k].feature, m.points[l].feature);
        }
    }
}

/* A cylinder that rolls on its side by any angle, or turns on its cap, keeps its feature ids. */
static void features_persist(void **state) {
    (void)state;
    const scree_shape drum = scree_shape_cylinder(0.2f, 0.3f);
    const versors level = lying;
    manifold before = {0};
    for (int i = 0; i < 100; i++) {
        const double angle = 0.13 * i;
        const versors roll = {0, 0, (float)sin(angle / 2), (float)cos(angle / 2)};
        const manifold m = manifold_of(scree_shape_half_space(), ground(), drum,
                                       at(0, 0, 0.2f, rotation_product(level, roll)), 0.01f);
        assert_int_equal(m.count, 2);
        for (int k = 0; k < 2 && i > 0; k++) {
            assert_int_equal(m.points[k].feature, before.points[k].feature);
            assert_true(glms_vec3_norm(glms_vec3_sub(m.points[k].position, before.points[k].position)) <
                        1e-5f);
        }
        before = m;
    }
}

/* A segment that ends on an edge keeps its feature ids under jitter. */
static void features_at_edges_persist(void **state) {
    (void)state;
    const scree_shape rod = scree_shape_capsule(0.1f, 0.5f);
    const struct {
        scree_shape under;
        float height;
    } cases[] = {
        {scree_shape_box(0.5f, 0.5f, 0.1f), 0.2f}, {rod, 0.2f}, {scree_shape_cylinder(0.1f, 0.5f), 0.2f}};
    for (int i = 0; i < 3; i++) {
        manifold before = {0};
        for (int k = -4; k <= 4; k++) {
            const versors turn = cases[i].under.kind == SCREE_SHAPE_BOX ? upright : lying;
            const manifold m = manifold_of(cases[i].under, at(0, 0, 0, turn), rod,
                                           at(0, 1e-5f * (float)k, cases[i].height, lying), 0.01f);
            assert_int_equal(m.count, 2);
            for (int p = 0; p < 2 && k > -4; p++)
                assert_int_equal(m.points[p].feature, before.points[p].feature);
            before = m;
        }
    }
}

/* Returns how many of a manifold's points have the feature id of a point of another. */
static int known(const manifold *m, const manifold *before) {
    int count = 0;
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < before->count; k++)
            if (m->points[i].feature == before->points[k].feature) {
                assert_true(glms_vec3_norm(glms_vec3_sub(m->points[i].position, before->points[k].position)) <
                            2e-3f);
                count++;
            }
    return count;
}

/* A disc on a box's corner or edge, a disc under box corners, and a block on a block keep their feature ids
 * under jitter, each once. */
static void features_on_corners_persist(void **state) {
    (void)state;
    scree_geometry *brick = NULL;
    scree_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = (scree_vec3){i & 1 ? 0.3f : -0.3f, i & 2 ? 0.2f : -0.2f, i & 4 ? 0.1f : -0.1f};
    CHECK(scree_hull_create(corners, 8, &brick));
    const scree_shape box = scree_shape_box(0.5f, 0.5f, 0.1f), drum = scree_shape_cylinder(0.2f, 0.1f),
                      block = scree_shape_hull(brick, 1);
    const struct {
        scree_shape under, over;
        float x, y, angle;
    } cases[] = {{box, drum, 0.5f, 0.5f, 0},
                 {box, drum, 0.5f, 0, 0},
                 {box, drum, -0.5f, -0.5f, 0.3927f},
                 {box, drum, 0.1f, 0.5f, 0.7854f},
                 {drum, drum, 0, 0, 0},
                 {drum, drum, 0.2f, 0, 0},
                 {box, scree_shape_cone(0.2f, 0.4f), 0.5f, 0.5f, 0},
                 {block, block, 0, 0, 0},
                 {block, block, 0.3f, 0.2f, 0},
                 {block, block, 0.3f, 0, 0},
                 {block, box, 0.2f, 0.3f, 0}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        manifold before = {0};
        for (int k = 0; k < 64; k++) {
            const double shake = 1e-5, angle = (double)cases[i].angle + shake * (k * 5 % 7 - 3);
            const body_pose pose =
                at(cases[i].x + (float)(shake * (k % 5 - 2)), cases[i].y + (float)(shake * (k * 3 % 11 - 5)),
                   0.199f,
                   (versors){(float)(shake * (k * 2 % 5 - 2)), (float)(shake * (k * 4 % 9 - 4)),
                             (float)sin(angle / 2), (float)cos(angle / 2)});
            const manifold m = manifold_of(cases[i].under, at(0, 0, 0, upright), cases[i].over, pose, 0.01f);
            for (int p = 0; p < m.count; p++)
                for (int q = 0; q < p; q++) assert_int_not_equal(m.points[p].feature, m.points[q].feature);
            if (k > 0 && (m.count != before.count || known(&m, &before) != m.count))
                fail_msg("case %d, shake %d: %d of %d points have the names of %d before", i, k,
                         known(&m, &before), m.count, before.count);
            assert_in_range(m.count, 3, 4);
            before = m;
        }
    }
    scree_geometry_release(brick);
}

/* A body that leans slightly on a disc touches at or next to the lowest point of the disc. */
static void leaning_discs_touch_lowest(void **state) {
    (void)state;
    const scree_shape shapes[] = {scree_shape_cylinder(0.1f, 0.2f), scree_shape_cone(0.1f, 0.8f)};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 5 * 64; k++) {
            const double around = 0.01 + k / 5 * M_PI / 32, tilt = 0.5 * (5e-4 + 0.01 * (k % 5));
            const body_pose pose = at(0, 0, 0.2f,
                                      (versors){(float)(sin(tilt) * cos(around)),
                                                (float)(sin(tilt) * sin(around)), 0, (float)cos(tilt)});
            const solid body = solid_of(shapes[i], pose);
            const double lowest = 0.2f - solid_width(&body, (double[3]){0, 0, -1});
            const manifold m = manifold_of(scree_shape_half_space(), ground(), shapes[i], pose, 0.05f);
            assert_in_range(m.count, 3, 4);
            ASSERT_AT_LEAST(least_gap(&m), lowest - 1e-6);
            ASSERT_AT_MOST(least_gap(&m), lowest + 1.11e-3 * bounds_half_width(shapes[i]));
        }
}

/* -- Any two of them ---------------------------------------------------------------------------------------
 */

static const scree_shape_kind kinds[] = {SCREE_SHAPE_SPHERE,   SCREE_SHAPE_BOX,  SCREE_SHAPE_CAPSULE,
                                         SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE, SCREE_SHAPE_ELLIPSOID};
enum { KINDS = sizeof kinds / sizeof *kinds };

static scree_shape random_shape(uint64_t *seed, scree_shape_kind kind, double low, double high) {
    const vec3s size = random_vector(seed, low, high);
    return (scree_shape){kind, {size.x, size.y, size.z}, NULL};
}

/* Boxes with boxes and spheres have separate functions (test_manifold.c). */
static bool is_old(scree_shape_kind a, scree_shape_kind b) {
    return a <= SCREE_SHAPE_BOX && b <= SCREE_SHAPE_BOX;
}

/* The normal is unit, the gap along it agrees with the support functions, and no direction has a larger one;
 * points are on both bodies with distinct feature ids. Where cores overlap deeply, another direction may be
 * nearly as short. */
static void pairs_agree_with_a_search_over_directions(void **state) {
    (void)state;
    uint64_t seed = 5;
    int losing = 0;
    double worst = 0;
    for (int i = 0; i < KINDS * KINDS * 40; i++) {
        const scree_shape_kind kind_a = kinds[i % KINDS], kind_b = kinds[i / KINDS % KINDS];
        if (is_old(kind_a, kind_b)) continue;
        const scree_shape a = random_shape(&seed, kind_a, 0.2, 1), b = random_shape(&seed, kind_b, 0.2, 1);
        const vec3s out = glms_vec3_scale(random_direction(&seed), (scalar)random_between(&seed, 0.02, 1.6));
        const body_pose pose_a = pose_of(vec3_of(0, 0, 0), random_rotation(&seed)),
                        pose_b = pose_of(out, random_rotation(&seed));
        const solid solid_a = solid_of(a, pose_a), solid_b = solid_of(b, pose_b);
        const double truth = solid_separation(&solid_a, &solid_b, 600);
        const manifold m = manifold_of(a, pose_a, b, pose_b, 3);
        assert_in_range(m.count, 1, 4);
        ASSERT_WITHIN(glms_vec3_norm(m.normal), 1, 1e-6);
        const double n[3] = {m.normal.x, m.normal.y, m.normal.z}, least = least_gap(&m);
        const double along = solid_gap(&solid_a, &solid_b, n);
        if (!(fabs(least - along) < 1e-6 + 2e-3 * fmin(bounds_half_width(a), bounds_half_width(b))))
            fail_msg("case %d: %g along the normal, not %g", i, along, least);
        const double width = fmin(bounds_half_width(a), bounds_half_width(b));
        const double loss = truth - along, allowed = truth > -width / 3 ? 1e-5 : -0.2 * truth;
        if (loss > 0.01 * width) losing++;
        if (!(loss < allowed))
            fail_msg("case %d, %s with %s: %g, another direction %g", i, scree_shape_kind_name(kind_a),
                     scree_shape_kind_name(kind_b), along, truth);
        worst = fmax(worst, loss);
        for (int k = 0; k < m.count; k++) {
            const vec3s p = m.points[k].position;
            const double half = m.points[k].gap / 2, more = 0.02 * fmax(1, fabs(half));
            const double on_a[3] = {p.x - half * n[0], p.y - half * n[1], p.z - half * n[2]},
                         on_b[3] = {p.x + half * n[0], p.y + half * n[1], p.z + half * n[2]};
            if (!solid_holds(&solid_a, on_a, more) || !solid_holds(&solid_b, on_b, more))
                fail_msg("case %d, %s with %s: point %d of %d is not on the bodies", i,
                         scree_shape_kind_name(kind_a), scree_shape_kind_name(kind_b), k, m.count);
            assert_true((double)m.points[k].gap >= least);
            for (int l = 0; l < k; l++) assert_int_not_equal(m.points[k].feature, m.points[l].feature);
        }
    }
    print_message("# largest loss %g, %d of more than 1 %%\n", worst, losing);
}

static bool has_rim(scree_shape_kind kind) {
    return kind == SCREE_SHAPE_CYLINDER || kind == SCREE_SHAPE_CONE;
}

/* The contact with a and b exchanged, or moved, is the same. Where the side of a cylinder or cone meets
 * another's rim, the gap is as sensitive as its direction from the axis, and nearest points are not compared
 * where those of the faces are within a thousandth of a half width of them. */
static void exchange_and_motion(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < KINDS * KINDS * 40; i++) {
        const scree_shape_kind kind_a = kinds[i % KINDS], kind_b = kinds[i / KINDS % KINDS];
        if (is_old(kind_a, kind_b)) continue;
        const scree_shape a = random_shape(&seed, kind_a, 0.3, 1), b = random_shape(&seed, kind_b, 0.3, 1);
        const bool rims = has_rim(kind_a) && has_rim(kind_b);
        assert_exchange_and_motion(&seed, a, b, rims ? 1e-4 : 3e-5, 0.05);
    }
}

/* A ball pressed into the side of a cone by less than its radius has the side's normal, however far its
 * centre is from the cone's, and however near the base is. */
static void balls_on_cones(void **state) {
    (void)state;
    const double cones[][2] = {{1, 1}, {0.3, 3}, {3, 0.3}}, depths[] = {1e-3, 0.1, 0.3};
    for (int i = 0; i < 3; i++)
        for (double ball = 0.1; ball > 5e-4; ball /= 5)
            for (int k = 0; k < 3 * 16 * 12; k++) {
                const double radius = cones[i][0], height = cones[i][1], depth = depths[k % 3] * ball,
                             around = 0.1 + k / 3 % 16 * M_PI / 8, share = 0.02 + 0.08 * (k / 48),
                             slant = hypot(radius, height);
                const double out = radius * (1 - share) + height / slant * (ball - depth),
                             up = height * (share - 0.25) + radius / slant * (ball - depth);
                const manifold m = manifold_of(
                    scree_shape_sphere((float)ball),
                    at((float)(out * cos(around)), (float)(out * sin(around)), (float)up, upright),
                    scree_shape_cone((float)radius, (float)height), ground(), (float)ball);
                assert_int_equal(m.count, 1);
                ASSERT_WITHIN(m.points[0].gap, -depth, 1e-3 * ball);
                ASSERT_WITHIN(m.normal.z, -radius / slant, 1e-3);
            }
}

/* -- Degenerate cases
 * -------------------------------------------------------------------------------------- */

static void assert_sensible(const manifold *m, const char *what, int i, int k) {
    if (m->count < 1) fail_msg("%s of kinds %d and %d: no contact", what, i, k);
    if (!(fabsf(glms_vec3_norm(m->normal) - 1) < 1e-5f)) fail_msg("%s of %d and %d: normal", what, i, k);
    for (int p = 0; p < m->count; p++)
        if (!isfinite(m->points[p].gap) || !isfinite(glms_vec3_norm(m->points[p].position)))
            fail_msg("%s of %d and %d: not finite", what, i, k);
}

static void degenerate_cases(void **state) {
    (void)state;
    for (int i = 0; i < KINDS; i++)
        for (int k = 0; k < KINDS; k++) {
            if (is_old(kinds[i], kinds[k])) continue;
            const scree_shape a = {kinds[i], {0.5f, 0.4f, 0.3f}, NULL},
                              b = {kinds[k], {0.4f, 0.3f, 0.5f}, NULL};
            /* Coincident centres and axes: the depth is at most the way out along an axis. */
            manifold m = manifold_of(a, ground(), b, ground(), 0);
            assert_sensible(&m, "one centre", i, k);
            const solid solid_a = solid_of(a, ground()), solid_b = solid_of(b, ground());
            const double truth = solid_separation(&solid_a, &solid_b, 600);
            ASSERT_AT_LEAST(least_gap(&m), 1.05 * truth - 1e-5);
            /* Parallel axes, touching exactly. */
            const float up = bounds_of(a, ground()).upper.z + bounds_of(b, ground()).upper.z;
            const body_pose over = at(0, 0, up, (versors){1, 0, 0, 0});
            m = manifold_of(a, ground(), b, over, 0.01f);
            assert_sensible(&m, "touching", i, k);
            ASSERT_WITHIN(least_gap(&m), 0, 1e-6);
            ASSERT_WITHIN(m.normal.z, 1, 1e-4);
            /* A thousand times smaller, on top of the other, 1 % of its size above and below the surface. */
            const scree_shape grain = scree_shape_scale(b, 1e-3);
            for (int side = -1; side <= 1; side += 2) {
                const float height = bounds_of(a, ground()).upper.z + bounds_of(grain, ground()).upper.z;
                m = manifold_of(a, ground(), grain, at(0, 0, height + 3e-6f * side, over.rotation), 1e-4f);
                assert_sensible(&m, "small", i, k);
                ASSERT_WITHIN(least_gap(&m), 3e-6 * side, 2e-7);
                ASSERT_WITHIN(m.normal.z, 1, 1e-2);
            }
        }
}

/* Volumes in boxes that clip arbitrarily, by counting points. */
static void cut_volumes(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 2; i < KINDS; i++) {
        const scree_shape shape = random_shape(&seed, kinds[i], 0.3, 1);
        const body_pose pose = pose_of(random_vector(&seed, -0.5, 0.5), random_rotation(&seed));
        const solid body = solid_of(shape, pose);
        const cut_box box = {{-0.3, -0.2, -0.4}, {0.35, 0.3, 0.5}};
        enum { SIDE = 80 };
        int inside = 0;
        for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
            const int index[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
            double p[3];
            for (int axis = 0; axis < 3; axis++)
                p[axis] = box.lower[axis] + (index[axis] + 0.5) / SIDE * (box.upper[axis] - box.lower[axis]);
            inside += solid_holds(&body, p, 0);
        }
        const double all = 0.65 * 0.5 * 0.9;
        ASSERT_WITHIN(cut_volume(shape, pose, &box) / all, inside / (double)(SIDE * SIDE * SIDE), 1e-3);
    }
}

/* The eight parts of a body cut by any three planes add up to the whole. */
static void parts_make_up_the_whole(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 300 * (KINDS - 2); trial++) {
        const scree_shape shape = random_shape(&seed, kinds[2 + trial % (KINDS - 2)], 0.3, 1);
        const body_pose pose = pose_of(random_vector(&seed, -0.5, 0.5), random_rotation(&seed));
        const double reach = 1 + scree_shape_get_radius(shape);
        double cuts[3], sum = 0;
        for (int k = 0; k < 3; k++)
            cuts[k] =
                (double)vec3_along(pose.position, k) + scree_shape_get_radius(shape) * random_noise(&seed);
        for (int part = 0; part < 8; part++) {
            cut_box box = {{-reach, -reach, -reach}, {reach, reach, reach}};
            for (int k = 0; k < 3; k++) *(part >> k & 1 ? &box.lower[k] : &box.upper[k]) = cuts[k];
            sum += cut_volume(shape, pose, &box);
        }
        ASSERT_NEAR(sum, scree_shape_get_volume(shape), 1e-5);
    }
}

/* Moments of inertia by counting points. */
static void moments_of_inertia(void **state) {
    (void)state;
    uint64_t seed = 8;
    for (int i = 2; i < KINDS; i++) {
        const scree_shape shape = random_shape(&seed, kinds[i], 0.3, 1);
        const solid body = solid_of(shape, ground());
        const vec3s half = bounds_half_size(shape);
        enum { SIDE = 100 };
        double moments[3] = {0}, middle = 0;
        int inside = 0;
        for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
            const double p[3] = {half.x * ((k % SIDE + 0.5) / SIDE * 2 - 1),
                                 half.y * ((k / SIDE % SIDE + 0.5) / SIDE * 2 - 1),
                                 half.z * ((k / SIDE / SIDE + 0.5) / SIDE * 2 - 1)};
            if (!solid_holds(&body, p, 0)) continue;
            inside++, middle += p[2];
            for (int axis = 0; axis < 3; axis++)
                moments[axis] +=
                    p[(axis + 1) % 3] * p[(axis + 1) % 3] + p[(axis + 2) % 3] * p[(axis + 2) % 3];
        }
        const vec3s unit = shape_unit_inertia(shape);
        ASSERT_WITHIN(middle / inside, 0, 5e-3);
        for (int axis = 0; axis < 3; axis++)
            ASSERT_NEAR(vec3_along(unit, axis), moments[axis] / inside, 2e-2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capsules),
        cmocka_unit_test(standing_and_lying),
        cmocka_unit_test(features_persist),
        cmocka_unit_test(features_at_edges_persist),
        cmocka_unit_test(features_on_corners_persist),
        cmocka_unit_test(leaning_discs_touch_lowest),
        cmocka_unit_test(pairs_agree_with_a_search_over_directions),
        cmocka_unit_test(exchange_and_motion),
        cmocka_unit_test(balls_on_cones),
        cmocka_unit_test(degenerate_cases),
        cmocka_unit_test(cut_volumes),
        cmocka_unit_test(parts_make_up_the_whole),
        cmocka_unit_test(moments_of_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
