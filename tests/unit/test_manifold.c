/* Contact points against analytic cases, invariances, and double-precision geometry. */
#include "body_fixture.h"
#include "box_geometry.h"

#include "detect/manifold.h"
#include "rotation.h"

static const versors upright = {0, 0, 0, 1};

static scree_shape sphere(float radius) { return shape_of(SCREE_SHAPE_SPHERE, radius, 0, 0); }
static scree_shape box(float x, float y, float z) { return shape_of(SCREE_SHAPE_BOX, x, y, z); }
static scree_shape half_space(void) { return shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0); }

static versors turned(float x, float y, float z, double angle) {
    const double s = sin(angle / 2);
    return versor_of((float)(x * s), (float)(y * s), (float)(z * s), (float)cos(angle / 2));
}

static void assert_vector(vec3s v, double x, double y, double z, double tolerance) {
    if (fabs(v.x - x) > tolerance || fabs(v.y - y) > tolerance || fabs(v.z - z) > tolerance)
        fail_msg("(%g, %g, %g) instead of (%g, %g, %g)", (double)v.x, (double)v.y, (double)v.z, x, y, z);
}

static double smallest_gap(const manifold *m) {
    double smallest = INFINITY;
    for (int i = 0; i < m->count; i++) smallest = fmin(smallest, m->points[i].gap);
    return smallest;
}

/* Returns the index of the point nearest to (x, y, z), which must be within the tolerance. */
static int point_at(const manifold *m, double x, double y, double z, double tolerance) {
    for (int i = 0; i < m->count; i++) {
        const vec3s p = m->points[i].position;
        if (fabs(p.x - x) <= tolerance && fabs(p.y - y) <= tolerance && fabs(p.z - z) <= tolerance) return i;
    }
    fail_msg("no point at (%g, %g, %g)", x, y, z);
    return -1;
}

static void spheres(void **state) {
    (void)state;
    manifold m = manifold_of(sphere(1), pose_of(vec3_of(0, 0, 0), upright), sphere(2),
                             pose_of(vec3_of(0, 4, 0), upright), 1.5f);
    assert_int_equal(m.count, 1);
    assert_vector(m.normal, 0, 1, 0, 1e-6);
    ASSERT_WITHIN(m.points[0].gap, 1, 1e-6);
    assert_vector(m.points[0].position, 0, 1.5, 0, 1e-6);
    m = manifold_of(sphere(1), pose_of(vec3_of(0, 0, 0), upright), sphere(2),
                    pose_of(vec3_of(0, 4, 0), upright), 0.99f);
    assert_int_equal(m.count, 0);
    /* Two millimetre grains a hundred metres from the origin, overlapping by 0.1 mm. */
    m = manifold_of(sphere(0.001f), pose_of(vec3_of(100, -100, 100), upright), sphere(0.001f),
                    pose_of(vec3_of(100, -100, 100.0019f), upright), 0);
    assert_int_equal(m.count, 1);
    assert_vector(m.normal, 0, 0, 1, 1e-6);
    ASSERT_WITHIN(m.points[0].gap, (double)100.0019f - 100 - 0.002, 1e-8);
    /* Coincident centres: overlap by both radii, a fixed normal. */
    m = manifold_of(sphere(1), pose_of(vec3_of(1, 2, 3), upright), sphere(2),
                    pose_of(vec3_of(1, 2, 3), upright), 0);
    assert_int_equal(m.count, 1);
    assert_vector(m.normal, 0, 0, 1, 0);
    ASSERT_WITHIN(m.points[0].gap, -3, 0);
}

static void sphere_and_box(void **state) {
    (void)state;
    const scree_shape block = box(1, 2, 3), ball = sphere(0.5f);
    const struct {
        vec3s centre;
        double gap;
        double normal[3], position[3];
    } cases[] = {
        {vec3_of(1.6f, 0.3f, -1), 0.1, {-1, 0, 0}, {1.05, 0.3, -1}}, /* face */
        {vec3_of(0.2f, -2.4f, 1), -0.1, {0, 1, 0}, {0.2, -1.95, 1}}, /* face, overlapping */
        {vec3_of(1.3f, 2.4f, 0), 0, {-0.6, -0.8, 0}, {1, 2, 0}},     /* edge */
        {vec3_of(-1.2f, -2.2f, -3.1f),
         -0.2,
         {2 / 3.0, 2 / 3.0, 1 / 3.0},
         {-1 + 0.2 / 3, -2 + 0.2 / 3, -3 + 0.1 / 3}},
        {vec3_of(0.9f, 0, 0), -0.6, {-1, 0, 0}, {0.7, 0, 0}}, /* centre inside */
        {vec3_of(0.1f, 0.2f, -2.8f), -0.7, {0, 0, 1}, {0.1, 0.2, -2.65}},
        {vec3_of(0, -1.5f, 0), -1, {0, 1, 0}, {0, -1.5, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const manifold m = manifold_of(ball, pose_of(cases[i].centre, upright), block,
                                       pose_of(vec3_of(0, 0, 0), upright), 0.2f);
        assert_int_equal(m.count, 1);
        ASSERT_WITHIN(m.points[0].gap, cases[i].gap, 1e-6);
        assert_vector(m.normal, cases[i].normal[0], cases[i].normal[1], cases[i].normal[2], 1e-5);
        assert_vector(m.points[0].position, cases[i].position[0], cases[i].position[1], cases[i].position[2],
                      1e-5);
    }
    /* Too far along the diagonal of a corner, though near along each axis. */
    assert_int_equal(manifold_of(ball, pose_of(vec3_of(1.4f, 2.4f, 3.4f), upright), block,
                                 pose_of(vec3_of(0, 0, 0), upright), 0.1f)
                         .count,
                     0);
    /* The centre exactly on the surface, and in the middle. */
    ASSERT_WITHIN(
        manifold_of(ball, pose_of(vec3_of(1, 0, 0), upright), block, pose_of(vec3_of(0, 0, 0), upright), 0)
            .points[0]
            .gap,
        -0.5, 1e-6);
    ASSERT_WITHIN(
        manifold_of(ball, pose_of(vec3_of(0, 0, 0), upright), block, pose_of(vec3_of(0, 0, 0), upright), 0)
            .points[0]
            .gap,
        -1.5, 1e-6);
}

static void sphere_and_half_space(void **state) {
    (void)state;
    /* The plane through (0, 0, 1) tilted by 0.3 rad about y: its normal is (sin 0.3, 0, cos 0.3). */
    const body_pose plane = pose_of(vec3_of(0, 0, 1), turned(0, 1, 0, 0.3));
    const double nx = sin(0.3), nz = cos(0.3);
    for (int i = -2; i < 3; i++) {
        const double height = 0.25 + 0.1 * i, along = 7;
        const vec3s centre =
            vec3_of((float)(height * nx + along * nz), 2, (float)(1 + height * nz - along * nx));
        const manifold m = manifold_of(sphere(0.25f), pose_of(centre, upright), half_space(), plane, 0.15f);
        assert_int_equal(m.count, i < 2);
        if (!m.count) continue;
        ASSERT_WITHIN(m.points[0].gap, height - 0.25, 2e-6);
        assert_vector(m.normal, -nx, 0, -nz, 1e-6);
        const double middle = (height - 0.25) / 2;
        assert_vector(m.points[0].position, middle * nx + along * nz, 2, 1 + middle * nz - along * nx, 2e-6);
    }
    assert_int_equal(manifold_of(half_space(), plane, half_space(), plane, 1).count, 0);
}

static void box_and_half_space(void **state) {
    (void)state;
    const body_pose ground = pose_of(vec3_of(0, 0, 0), upright);
    /* Flat, 1 cm above the ground: the four lower corners. */
    manifold m =
        manifold_of(box(1, 2, 0.5f), pose_of(vec3_of(5, 0, 0.51f), upright), half_space(), ground, 0.02f);
    assert_int_equal(m.count, 4);
    assert_vector(m.normal, 0, 0, -1, 0);
    for (int i = 0; i < 4; i++) {
        point_at(&m, 5 + (i & 1 ? 1 : -1), i & 2 ? 2 : -2, 0.005, 1e-5);
        ASSERT_WITHIN(m.points[i].gap, 0.01, 1e-6);
        for (int k = 0; k < i; k++) assert_true(m.points[i].feature != m.points[k].feature);
    }
    /* On an edge, and on a corner (the corner (1, 1, 1) down: height √3). */
    m = manifold_of(box(1, 1, 1), pose_of(vec3_of(0, 0, 1.4f), turned(0, 1, 0, M_PI / 4)), half_space(),
                    ground, 0.1f);
    assert_int_equal(m.count, 2);
    for (int i = 0; i < 2; i++) ASSERT_WITHIN(m.points[i].gap, 1.4 - sqrt(2), 1e-6);
    const double angle = acos(-1 / sqrt(3));
    const versors corner_down = turned((float)(1 / sqrt(2)), (float)(-1 / sqrt(2)), 0, angle);
    m = manifold_of(box(1, 1, 1), pose_of(vec3_of(0, 0, 1.7f), corner_down), half_space(), ground, 0.1f);
    assert_int_equal(m.count, 1);
    ASSERT_WITHIN(m.points[0].gap, 1.7 - sqrt(3), 1e-6);
    /* Buried corner down: the corner and its neighbours, which span more than any face, at heights 1.7 −
     * 1/√3. */
    m = manifold_of(box(1, 1, 1), pose_of(vec3_of(0, 0, -3), corner_down), half_space(), ground, 0);
    assert_int_equal(m.count, 4);
    int neighbours = 0;
    for (int i = 0; i < 4; i++) neighbours += fabs(m.points[i].gap - (-3 - 1 / sqrt(3))) < 1e-5;
    assert_int_equal(neighbours, 3);
    ASSERT_WITHIN(smallest_gap(&m), -3 - sqrt(3), 1e-5);
    /* A thin plate lying almost flat, with all corners within the margin: its lower face, not one long
     * side. */
    m = manifold_of(box(1, 1, 1e-4f), pose_of(vec3_of(0, 0, 0.002f), turned(0, 1, 0, 1e-3)), half_space(),
                    ground, 1);
    assert_int_equal(m.count, 4);
    for (int i = 0; i < 4; i++) {
        const vec3s at = m.points[i].position;
        ASSERT_WITHIN(m.points[i].gap, 0.002 - 1e-4 - at.x * 1e-3, 2e-7);
    }
    ASSERT_WITHIN(smallest_gap(&m), 0.002 - 1e-4 - 1e-3, 2e-7);
}

/* A box standing across another: the overlap of the two faces is a rectangle, and the four points are its
 * corners. */
static void box_face_on_face(void **state) {
    (void)state;
    for (int sign = -1; sign < 2; sign += 2) {
        const double gap = sign * 0.001;
        const manifold m = manifold_of(box(1, 2, 0.5f), pose_of(vec3_of(0, 0, 0), upright), box(2, 1, 0.25f),
                                       pose_of(vec3_of(0.5f, 0.25f, (float)(0.75 + gap)), upright), 0.01f);
        assert_int_equal(m.count, 4);
        assert_vector(m.normal, 0, 0, 1, 1e-6);
        for (int i = 0; i < 4; i++) ASSERT_WITHIN(m.points[i].gap, gap, 1e-6);
        /* x: [−1, 1] of a within [−1.5, 2.5] of b; y: [−0.75, 1.25] of b within [−2, 2] of a. */
        for (int i = 0; i < 4; i++) point_at(&m, i & 1 ? 1 : -1, i & 2 ? 1.25 : -0.75, 0.5 + gap / 2, 3e-3);
    }
    /* Rotated by 45° the overlap of two equal squares is a regular octagon: four points still span most of
     * it. */
    const manifold m = manifold_of(box(1, 1, 1), pose_of(vec3_of(0, 0, 0), upright), box(1, 1, 1),
                                   pose_of(vec3_of(0, 0, 1.999f), turned(0, 0, 1, M_PI / 4)), 0.01f);
    assert_int_equal(m.count, 4);
    double area = 0;
    const vec3s p = m.points[0].position, q = m.points[1].position;
    for (int i = 2; i < 4; i++) {
        const vec3s r = m.points[i].position;
        area += 0.5 * fabs((double)(q.x - p.x) * (r.y - p.y) - (double)(q.y - p.y) * (r.x - p.x));
    }
    const double octagon = 8 * (sqrt(2) - 1);
    assert_true(area > 0.6 * octagon);
}

static void box_corner_edge_and_nothing(void **state) {
    (void)state;
    const scree_shape unit = box(1, 1, 1);
    const body_pose below = pose_of(vec3_of(0, 0, 0), upright);
    /* Corner down onto a face. */
    const versors corner_down = turned((float)(1 / sqrt(2)), (float)(-1 / sqrt(2)), 0, acos(-1 / sqrt(3)));
    manifold m = manifold_of(unit, below, unit, pose_of(vec3_of(0.2f, 0.3f, 2.7f), corner_down), 0.01f);
    assert_int_equal(m.count, 1);
    assert_vector(m.normal, 0, 0, 1, 1e-6);
    ASSERT_WITHIN(m.points[0].gap, 2.7 - 1 - sqrt(3), 1e-6);
    assert_vector(m.points[0].position, 0.2, 0.3, 1 + (1.7 - sqrt(3)) / 2, 1e-5);
    /* Two edges crossing at right angles: a rotated about x, b about y, heights √2 each. */
    for (int sign = -1; sign < 2; sign += 2) {
        const double gap = sign * 0.004;
        m = manifold_of(unit, pose_of(vec3_of(0, 0, 0), turned(1, 0, 0, M_PI / 4)), unit,
                        pose_of(vec3_of(0.3f, -0.2f, (float)(2 * sqrt(2) + gap)), turned(0, 1, 0, M_PI / 4)),
                        0.01f);
        assert_int_equal(m.count, 1);
        assert_vector(m.normal, 0, 0, 1, 1e-6);
        ASSERT_WITHIN(m.points[0].gap, gap, 1e-6);
        assert_vector(m.points[0].position, 0.3, 0, sqrt(2) + gap / 2, 1e-5);
    }
    /* Corner to corner, apart by (0.03, 0.04, 0.12): the distance is 0.13, and no face is in between. */
    const body_pose diagonal = pose_of(vec3_of(2.03f, 2.04f, 2.12f), upright);
    m = manifold_of(unit, below, unit, diagonal, 0.2f);
    assert_int_equal(m.count, 1);
    ASSERT_WITHIN(m.points[0].gap, 0.13, 1e-6);
    assert_vector(m.normal, 3 / 13.0, 4 / 13.0, 12 / 13.0, 1e-5);
    assert_int_equal(manifold_of(unit, below, unit, diagonal, 0.125f).count, 0);
    /* 5 mm sideways of an edge and 12 mm above it. */
    m = manifold_of(unit, below, unit, pose_of(vec3_of(2.005f, 0.3f, 2.012f), upright), 0.1f);
    ASSERT_WITHIN(smallest_gap(&m), 0.013, 1e-6);
    assert_vector(m.normal, 5 / 13.0, 0, 12 / 13.0, 1e-4);
    /* Coincident centres. */
    m = manifold_of(unit, below, unit, below, 0);
    assert_true(m.count >= 1);
    ASSERT_WITHIN(smallest_gap(&m), -2, 1e-5);
}

static scree_shape random_shape(uint64_t *seed, int kind) {
    const vec3s size = random_vector(seed, 0.1, 1);
    return kind == 0 ? sphere(size.x) : kind == 1 ? box(size.x, size.y, size.z) : half_space();
}

static body_pose moved(body_pose pose, versors rotation, vec3s shift) {
    return pose_of(glms_vec3_add(rotate(rotation, pose.position), shift),
                   rotation_normalised(rotation_product(rotation, pose.rotation)));
}

/* Returns whether another set of points was chosen: with other gaps, or another count. */
static bool chosen_otherwise(const manifold *m, const manifold *n) {
    double difference = 0;
    for (int i = 0; i < m->count; i++) difference += m->points[i].gap;
    for (int i = 0; i < n->count; i++) difference -= n->points[i].gap;
    return m->count != n->count || fabs(smallest_gap(m) - smallest_gap(n)) > 1e-5 || fabs(difference) > 4e-5;
}

/* Asserts that both have the same points, in any order, with the same gaps. */
static void assert_same_points(const manifold *m, const manifold *n, double tolerance) {
    assert_int_equal(m->count, n->count);
    for (int i = 0; i < m->count; i++) {
        const vec3s p = m->points[i].position;
        const int k = point_at(n, p.x, p.y, p.z, tolerance);
        ASSERT_WITHIN(n->points[k].gap, m->points[i].gap, tolerance);
    }
}

/* Moving both bodies by the same rigid motion moves the manifold; exchanging them reverses the normal. Poses
 * with two nearly equivalent features are skipped: round-off may choose either. */
static void rigid_motion_and_exchange(void **state) {
    (void)state;
    uint64_t seed = 5;
    int touching = 0, different = 0;
    for (int round = 0; round < 6000; round++) {
        const int kind_a = round % 3, kind_b = round / 3 % 3;
        if (kind_a == 2 && kind_b == 2) continue;
        const scree_shape a = random_shape(&seed, kind_a), b = random_shape(&seed, kind_b);
        const body_pose pose_a = pose_of(random_vector(&seed, -0.7, 0.7), random_rotation(&seed));
        const body_pose pose_b = pose_of(random_vector(&seed, -0.7, 0.7), random_rotation(&seed));
        const versors rotation = random_rotation(&seed);
        const vec3s shift = random_vector(&seed, -3, 3);
        const manifold m = manifold_of(a, pose_a, b, pose_b, 0.05f);
        assert_in_range(m.count, 0, MANIFOLD_POINTS);
        if (!m.count) continue;
        touching++;
        ASSERT_WITHIN(norm3(to_double3(m.normal)), 1, 1e-5);
        for (int i = 0; i < m.count; i++)
            for (int k = 0; k < i; k++) assert_true(m.points[i].feature != m.points[k].feature);
        manifold carried =
            manifold_of(a, moved(pose_a, rotation, shift), b, moved(pose_b, rotation, shift), 0.05f);
        if (chosen_otherwise(&carried, &m)) {
            different++;
            continue;
        }
        for (int i = 0; i < carried.count; i++)
            carried.points[i].position =
                rotate_inverse(rotation, glms_vec3_sub(carried.points[i].position, shift));
        const vec3s normal = rotate_inverse(rotation, carried.normal);
        assert_vector(normal, m.normal.x, m.normal.y, m.normal.z, 1e-3);
        assert_same_points(&m, &carried, 1e-3);
        const manifold exchanged = manifold_of(b, pose_b, a, pose_a, 0.05f);
        if (chosen_otherwise(&exchanged, &m)) {
            different++;
            continue;
        }
        assert_vector(exchanged.normal, -m.normal.x, -m.normal.y, -m.normal.z, 1e-3);
        assert_same_points(&m, &exchanged, 1e-3);
    }
    assert_true(touching > 2000);
    assert_true(different < touching / 50);
}

/* Gaps of boxes against distance and penetration depth in double precision; points against both surfaces. */
static void boxes_against_brute_force(void **state) {
    (void)state;
    uint64_t seed = 11;
    int apart = 0, overlapping = 0;
    for (int round = 0; round < 40000; round++) {
        const vec3s h = random_vector(&seed, 0.05, 1), g = round % 3 ? random_vector(&seed, 0.05, 1) : h;
        const scree_shape shape_a = box(h.x, h.y, h.z), shape_b = box(g.x, g.y, g.z);
        const body_pose pose_a = pose_of(random_vector(&seed, -1, 1), random_rotation(&seed));
        body_pose pose_b = pose_of(random_vector(&seed, -1.5, 1.5), random_rotation(&seed));
        if (round % 5 == 0) /* almost parallel */
            pose_b.rotation = rotation_turned(random_vector(&seed, -0.005, 0.005), pose_a.rotation);
        const double reach = 0.1;
        const manifold m = manifold_of(shape_a, pose_a, shape_b, pose_b, (float)reach);
        const double_box a = double_box_of(shape_a, pose_a), b = double_box_of(shape_b, pose_b);
        const double separation = box_axis_separation(&a, &b);
        const double distance = separation > 0 ? box_distance(&a, &b) : 0;
        /* Faces are preferred, and points chosen by area, within a thousandth of the size and 2 %. */
        const double slop = 1e-3 * fmin(fmin(h.x, fmin(h.y, h.z)), fmin(g.x, fmin(g.y, g.z))) + 1e-5;
        if (m.count == 0) {
            assert_true(distance > reach - slop);
            continue;
        }
        const double gap = smallest_gap(&m);
        if (separation > 0) {
            apart++;
            assert_true(gap <= 1.02 * distance + 2 * slop);
            assert_true(gap >= 0.96 * distance - 2 * slop);
        } else {
            overlapping++;
            assert_true(gap <= separation + 2 * slop + 0.02 * fabs(separation));
            assert_true(gap >= separation - slop - 0.021 * fabs(separation));
        }
        /* The surface points of a gap lie on the boxes: outside by at most the clipping tolerance. Near
         * features of separate boxes are found to a few hundredths of the gap. */
        for (int i = 0; i < m.count; i++) {
            const double3 at = to_double3(m.points[i].position);
            const double3 half = scale3(to_double3(m.normal), m.points[i].gap / 2.0);
            const double tolerance = 3 * slop + (separation > 0 ? 0.2 * fabs(gap) : 0);
            assert_true(outside_box(&a, sub3(at, half)) < tolerance);
            assert_true(outside_box(&b, add3(at, half)) < tolerance);
            const double buried = fmax(-m.points[i].gap, 0) + tolerance;
            assert_true(inside_box(&a, sub3(at, half)) < buried);
            assert_true(inside_box(&b, add3(at, half)) < buried);
        }
    }
    assert_true(apart > 1500 && overlapping > 10000);
}

/* Sheets a ten-thousandth as thick as they are wide, flat on each other or on edge on a block: distances are
 * rounded by up to a thousandth of the thickness, and all points are still on both. Cubes too. */
static void points_of_thin_sheets_are_on_both(void **state) {
    (void)state;
    static const float sizes[] = {1, 0.5f, 0.25f, 5e-5f}; /* m */
    const versors turns[] = {upright, turned(1, 0, 0, M_PI / 2), turned(0, 1, 0, M_PI / 2),
                             turned(0, 0, 1, M_PI / 2), turned(0, 0, 1, M_PI / 4)};
    uint64_t seed = 31;
    int touching = 0;
    for (int round = 0; round < 40000; round++) {
        float h[6];
        for (int k = 0; k < 6; k++) h[k] = sizes[(int)random_between(&seed, 0, 3.999)];
        const scree_shape shape_a = box(h[0], h[1], h[2]), shape_b = box(h[3], h[4], h[5]);
        const body_pose pose_a = pose_of(vec3_of(0, 0, 0), turns[round % 5]);
        body_pose pose_b = pose_of(vec3_of(0.3f * h[0], 0.2f * h[4], 0), turns[round / 5 % 5]);
        const double_box a = double_box_of(shape_a, pose_a);
        double_box b = double_box_of(shape_b, pose_b);
        pose_b.position.z = (float)(2 * (double)(h[0] + h[1] + h[2] + h[3] + h[4] + h[5]));
        b.centre.z = pose_b.position.z;
        pose_b.position.z -= (float)box_axis_separation(&a, &b);
        b.centre.z = pose_b.position.z;
        const double rounding = 1e-6 * (norm3(to_double3(vec3_of(h[0], h[1], h[2]))) +
                                        norm3(to_double3(vec3_of(h[3], h[4], h[5]))));
        double thin = h[0]; /* faces are clipped with a thousandth of it to spare on either side */
        for (int k = 1; k < 6; k++) thin = fmin(thin, h[k]);
        const double tolerance = 3e-3 * thin + 5 * rounding;
        const manifold m = manifold_of(shape_a, pose_a, shape_b, pose_b, (float)rounding);
        touching += m.count > 0;
        for (int i = 0; i < m.count; i++) {
            const double3 at = to_double3(m.points[i].position);
            assert_true(fabs(m.points[i].gap - box_axis_separation(&a, &b)) < 2 * rounding);
            ASSERT_AT_MOST(outside_box(&a, at), tolerance);
            ASSERT_AT_MOST(outside_box(&b, at), tolerance);
        }
    }
    assert_true(touching > 20000);
}

/* Returns a pose of the second of two cubes of 2 m, above the first and nearly face to face, but tilted so
 * that mostly edges or corners are nearest; `gap` apart, or overlapping if negative. */
static body_pose tilted_above(uint64_t *seed, scree_shape cube, body_pose below, double gap) {
    const vec3s tilt = random_vector(seed, -0.15, 0.15), aside = random_vector(seed, -0.9, 0.9);
    const versors yaw = turned(0, 0, 1, random_between(seed, 0, 3));
    body_pose pose = pose_of(vec3_of(aside.x, aside.y, 2.02f), rotation_turned(tilt, yaw));
    const double_box a = double_box_of(cube, below), b = double_box_of(cube, pose);
    pose.position.z += (float)(gap - box_axis_separation(&a, &b));
    return pose;
}

/* Returns how far the points of a manifold are from closing when b moves; negative if they forbid the
 * motion. */
static double room_left(const manifold *m, vec3s centre, vec3s push, vec3s turn) {
    double scratch = INFINITY;
    for (int i = 0; i < m->count; i++) {
        const vec3s arm = glms_vec3_sub(m->points[i].position, centre);
        const vec3s motion = glms_vec3_add(push, glms_vec3_cross(turn, arm));
        scratch = fmin(scratch, m->points[i].gap + glms_vec3_dot(m->normal, motion));
    }
    return scratch;
}

static double separation_at(scree_shape cube, body_pose pose_a, body_pose pose_b) {
    const double_box a = double_box_of(cube, pose_a), b = double_box_of(cube, pose_b);
    return box_axis_separation(&a, &b);
}

/* A motion that the points of a manifold allow does not make boxes overlap: b turns by up to 0.1 rad,
 * sideways motion is random, and along the normal it approaches as far as its points allow. The rest is
 * second order: 0.1² × √3 m, and sliding past a side. With only the nearest features as contacts, cubes
 * overlapped by up to 0.147 m and 3.0 mm in the mean. */
static void points_constrain_rotating_boxes(void **state) {
    (void)state;
    enum { ROUNDS = 20000 };
    const scree_shape cube = box(1, 1, 1);
    const body_pose pose_a = pose_of(vec3_of(0, 0, 0), upright);
    uint64_t seed = 23;
    double deepest = 0, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        body_pose pose_b = tilted_above(&seed, cube, pose_a, random_between(&seed, -0.02, 0.02));
        const manifold m = manifold_of(cube, pose_a, cube, pose_b, 0.3f);
        const vec3s turn = random_vector(&seed, -0.058, 0.058), push = random_vector(&seed, -0.03, 0.03);
        const double scratch = room_left(&m, pose_b.position, push, turn);
        pose_b.position =
            glms_vec3_add(pose_b.position, glms_vec3_sub(push, glms_vec3_scale(m.normal, (float)scratch)));
        pose_b.rotation = rotation_turned(turn, pose_b.rotation);
        const double overlap = fmax(0, -separation_at(cube, pose_a, pose_b));
        sum += overlap;
        deepest = fmax(deepest, overlap);
    }
    print_message("deepest %.4f m, mean %.5f m\n", deepest, sum / ROUNDS);
    ASSERT_AT_MOST(deepest, 0.07);
    ASSERT_AT_MOST(sum / ROUNDS, 0.0015);
}

/* Motions in which the cubes never meet, turning as above, sliding by up to 0.2 m and approaching by up to
 * 0.1 m. Constraints along fixed normals forbid a few of them slightly, however many there are: the nearest
 * features alone forbid 34, by up to 0.026 m and 0.09 mm in the mean. */
static void points_allow_motions_without_overlap(void **state) {
    (void)state;
    const scree_shape cube = box(1, 1, 1);
    const body_pose pose_a = pose_of(vec3_of(0, 0, 0), upright);
    uint64_t seed = 29;
    int free_motions = 0, forbidden = 0;
    double worst = 0, sum = 0;
    for (int round = 0; round < 40000; round++) {
        const body_pose pose_b = tilted_above(&seed, cube, pose_a, random_between(&seed, 0, 0.1));
        const manifold m = manifold_of(cube, pose_a, cube, pose_b, 0.3f);
        const vec3s turn = random_vector(&seed, -0.058, 0.058);
        vec3s push = random_vector(&seed, -0.2, 0.2);
        push.z = (float)random_between(&seed, -0.1, 0);
        bool meets = false;
        for (int part = 1; part <= 20 && !meets; part++) {
            const float share = (float)part / 20;
            const body_pose at = pose_of(glms_vec3_add(pose_b.position, glms_vec3_scale(push, share)),
                                         rotation_turned(glms_vec3_scale(turn, share), pose_b.rotation));
            meets = separation_at(cube, pose_a, at) <= 0;
        }
        if (meets) continue;
        free_motions++;
        const double stopped = fmax(0, -room_left(&m, pose_b.position, push, turn));
        forbidden += stopped > 0.01;
        sum += stopped;
        worst = fmax(worst, stopped);
    }
    print_message("%d of %d free motions forbidden, at worst by %.4f m, %.5f m in the mean\n", forbidden,
                  free_motions, worst, sum / free_motions);
    assert_true(free_motions > 15000);
    ASSERT_AT_MOST(forbidden, free_motions / 400.0);
    ASSERT_AT_MOST(worst, 0.03);
    ASSERT_AT_MOST(sum / free_motions, 1.5e-4);
}

/* Points keep their feature ids under jitter, whether from corners, crossing edges or clipping. */
static void features_are_stable(void **state) {
    (void)state;
    uint64_t seed = 17;
    const struct {
        scree_shape a, b;
        body_pose pose_b;
        int count;
    } cases[] = {
        {box(1, 1, 1), box(1, 1, 1), pose_of(vec3_of(0, 0, 2), upright), 4},        /* aligned stack */
        {box(1, 1, 1), box(1, 1, 1), pose_of(vec3_of(0.3f, -0.5f, 2), upright), 4}, /* brickwork */
        {box(1, 1, 1), box(1, 1, 1), pose_of(vec3_of(0.1f, 0, 2), turned(0, 0, 1, 0.5)), 4},
        {box(3, 3, 1), box(1, 1, 1), pose_of(vec3_of(0.5f, 0.2f, 2), turned(0, 0, 1, 1)), 4},
        {box(1, 1, 1), box(1, 1, 1),
         pose_of(vec3_of(0.3f, 0.2f, (float)(1 + sqrt(2))), turned(1, 0, 0, M_PI / 4)), 2},
        {box(3, 3, 1), box(1, 0.5f, 0.2f), pose_of(vec3_of(0, 0, 1.2f), turned(0, 0, 1, 0.2)), 4},
        {half_space(), box(1, 0.5f, 0.2f), pose_of(vec3_of(0, 0, 0.2f), turned(0, 0, 1, 0.2)), 4},
        {half_space(), box(1, 0.5f, 0.2f), pose_of(vec3_of(0, 0, 0.5f), turned(1, 0, 0, M_PI / 2)), 4},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const body_pose rest = pose_of(vec3_of(0, 0, 0), upright);
        const manifold still = manifold_of(cases[c].a, rest, cases[c].b, cases[c].pose_b, 1e-3f);
        assert_int_equal(still.count, cases[c].count);
        for (int round = 0; round < 300; round++) {
            /* Where four of eight points are chosen, the choice must also survive the rocking of a stack. */
            const double amplitude = c == 2 ? 8e-4 : 2e-5;
            body_pose pose = cases[c].pose_b;
            pose.position = glms_vec3_add(pose.position, random_vector(&seed, -amplitude, amplitude));
            pose.rotation = rotation_turned(random_vector(&seed, -amplitude, amplitude), pose.rotation);
            const manifold m = manifold_of(cases[c].a, rest, cases[c].b, pose, 4e-3f);
            assert_int_equal(m.count, still.count);
            for (int i = 0; i < m.count; i++) {
                int same = -1;
                for (int k = 0; k < still.count; k++)
                    if (still.points[k].feature == m.points[i].feature) same = k;
                if (same < 0) fail_msg("case %zu: a point lost its name", c);
                const vec3s p = m.points[i].position, q = still.points[same].position;
                assert_true(norm3(sub3(to_double3(p), to_double3(q))) < 5e-3);
            }
        }
    }
}

/* A box that slides over another keeps the feature ids of its own corners, and of the points where their
 * edges cross. */
static void features_follow_sliding(void **state) {
    (void)state;
    manifold before = {0};
    for (int step = 0; step < 90; step++) {
        const body_pose pose = pose_of(vec3_of(0.05f + 0.01f * (float)step, 0.3f, 2), upright);
        const manifold m =
            manifold_of(box(1, 1, 1), pose_of(vec3_of(0, 0, 0), upright), box(1, 1, 1), pose, 1e-3f);
        assert_int_equal(m.count, 4);
        for (int i = 0; step && i < 4; i++) {
            bool known = false;
            for (int k = 0; k < 4; k++) known |= m.points[i].feature == before.points[k].feature;
            assert_true(known);
        }
        before = m;
    }
}

/* Non-finite poses give no points and do not crash. */
static void non_finite_poses_give_no_points(void **state) {
    (void)state;
    for (int kind_a = 0; kind_a < 3; kind_a++)
        for (int kind_b = 0; kind_b < 3; kind_b++)
            for (int which = 0; which < 3; which++) {
                uint64_t seed = 1;
                const scree_shape a = random_shape(&seed, kind_a), b = random_shape(&seed, kind_b);
                body_pose pose = pose_of(vec3_of(0.1f, 0.2f, 0.3f), upright);
                if (which == 0) pose.position.y = NAN;
                if (which == 1) pose.position.z = INFINITY;
                if (which == 2) pose.rotation.w = NAN;
                const manifold m = manifold_of(a, pose_of(vec3_of(0, 0, 0), upright), b, pose, 0.01f);
                assert_in_range(m.count, 0, MANIFOLD_POINTS);
                for (int i = 0; i < m.count; i++) assert_true(m.points[i].gap <= 0.01f);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),
        cmocka_unit_test(sphere_and_box),
        cmocka_unit_test(sphere_and_half_space),
        cmocka_unit_test(box_and_half_space),
        cmocka_unit_test(box_face_on_face),
        cmocka_unit_test(box_corner_edge_and_nothing),
        cmocka_unit_test(rigid_motion_and_exchange),
        cmocka_unit_test(boxes_against_brute_force),
        cmocka_unit_test(points_of_thin_sheets_are_on_both),
        cmocka_unit_test(points_constrain_rotating_boxes),
        cmocka_unit_test(points_allow_motions_without_overlap),
        cmocka_unit_test(features_are_stable),
        cmocka_unit_test(features_follow_sliding),
        cmocka_unit_test(non_finite_poses_give_no_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
