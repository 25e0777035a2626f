/* Normals of boxes and hulls whose edges meet: the middle of the directions in the normal cones of both. */
#include "body_fixture.h"

#include "detect/manifold.h"
#include "rotation.h"

#include <scree/scree.h>

enum { KINDS = 4 };

/* A wedge of two blocks, as seen along their edges: block a's face x and block b's face −x meet at edges on
 * the y axis, each at the angle `lean` from the plane between them. */
typedef struct wedge {
    scree_shape a, b;
    body_pose pose_a, pose_b;
} wedge;

static scree_shape block_of(bool hull, vec3s half) {
    scree_vec3 corners[8];
    scree_geometry *made = NULL;
    if (!hull) return shape_of(SCREE_SHAPE_BOX, half.x, half.y, half.z);
    for (int i = 0; i < 8; i++)
        corners[i] =
            (scree_vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
    CHECK(scree_hull_create(corners, 8, &made));
    return scree_shape_hull(made, 1);
}

static void release(wedge *self) {
    if (self->a.geometry) scree_geometry_release((scree_geometry *)(uintptr_t)self->a.geometry);
    if (self->b.geometry) scree_geometry_release((scree_geometry *)(uintptr_t)self->b.geometry);
}

/* b's edge is at (apart, 0, above) from a's. */
static wedge wedge_of(int kinds, double lean, double apart, double above, scalar scale) {
    const vec3s origin = vec3_of(0, 0, 0);
    const versors level = versor_of(0, 0, 0, 1);
    const vec3s half_a = glms_vec3_scale(vec3_of(0.1f, 0.5f, 1), scale),
                half_b = glms_vec3_scale(vec3_of(0.15f, 0.3f, 0.8f), scale);
    wedge out = {block_of(kinds & 1, half_a), block_of(kinds & 2, half_b), pose_of(origin, level),
                 pose_of(origin, level)};
    for (int i = 0; i < 2; i++) {
        const double side = i ? -1 : 1;
        const vec3s half = i ? half_b : half_a;
        const versors turn = rotation_turned(vec3_of(0, (scalar)(side * lean), 0), versor_of(0, 0, 0, 1));
        const vec3s edge = rotate(turn, vec3_of((scalar)side * half.x, 0, half.z));
        const vec3s at =
            i ? glms_vec3_scale(vec3_of((scalar)apart, 0, (scalar)above), scale) : vec3_of(0, 0, 0);
        *(i ? &out.pose_b : &out.pose_a) = pose_of(glms_vec3_sub(at, edge), turn);
    }
    return out;
}

static manifold touch_of(const wedge *of, scalar reach) {
    return manifold_levelled(of->a, of->pose_a, of->b, of->pose_b, reach);
}

/* Edges that meet, or overlap by up to a hundredth of the thickness: the normal is along x, at both ends of
 * the common length. At 45 degrees the faces are flush, and the edges may overlap by the margin. */
static void edges_push_along_the_middle(void **state) {
    (void)state;
    static const double leans[] = {3, 10, 25, 40, 45}, overlaps[] = {0, 1e-6, 1e-4, 1e-3};
    for (int i = 0; i < 80; i++) {
        const double overlap = overlaps[i / 5 % 4], flush = i % 5 == 4 ? 1e-4 + 0.02 * overlap : 0;
        wedge w = wedge_of(i / 20, leans[i % 5] * M_PI / 180, -overlap, 0, 1);
        const manifold m = touch_of(&w, 1e-3f);
        double low = 1, high = -1;
        assert_true(m.mean && m.count >= 2);
        ASSERT_AT_LEAST((double)m.normal.x, 1 - 1e-5);
        for (int k = 0; k < m.count; k++) {
            if ((double)m.points[k].gap > 1e-4 + flush) continue;
            ASSERT_WITHIN((double)m.points[k].position.x, 0, 2e-3);
            low = fmin(low, (double)m.points[k].position.y),
            high = fmax(high, (double)m.points[k].position.y);
            ASSERT_AT_LEAST((double)m.points[k].gap, flush - overlap - 1e-6);
        }
        ASSERT_WITHIN(low, -0.3, 1e-3);
        ASSERT_WITHIN(high, 0.3, 1e-3);
        release(&w);
    }
}

static scalar least_gap(const manifold *of) {
    scalar least = INFINITY;
    for (int i = 0; i < of->count; i++) least = scalar_min(least, of->points[i].gap);
    return least;
}

/* An edge that stands on the other body's face, away from its edge, keeps the normal of the face, and the
 * normal and the gap turn to it without a jump. */
static void normals_turn_to_faces_without_a_jump(void **state) {
    (void)state;
    enum { STEPS = 4000 };
    for (int k = 0; k < 2 * KINDS; k++) {
        const int kinds = k / 2;
        const double lean = (k % 2 ? 45 : 25) * M_PI / 180;
        vec3s last = vec3_of(0, 0, 0);
        double jump = 0, along_a = 0, along_b = 0, last_gap = 0, gap_jump = 0;
        for (int i = 0; i <= STEPS; i++) {
            const double above = 1e-3 * (2.0 * i / STEPS - 1); /* ten times the margin 1e-4 each way */
            /* b's edge moves along a's face below a's edge, and a's edge along b's face above */
            wedge w = wedge_of(kinds, lean, -fabs(above) * tan(lean), above, 1);
            const manifold m = touch_of(&w, 1e-3f);
            assert_true(m.count > 0);
            const double gap = (double)least_gap(&m);
            if (i > 0) jump = fmax(jump, (double)glms_vec3_norm(glms_vec3_sub(m.normal, last)));
            if (i > 0) gap_jump = fmax(gap_jump, fabs(gap - last_gap));
            last = m.normal, last_gap = gap;
            if (i == 0) along_a = (double)m.normal.z;
            along_b = (double)m.normal.z;
            release(&w);
        }
        print_message("kinds %d: from %.5f to %.5f, at most %.1e in a step, gap %.1e\n", kinds, along_a,
                      along_b, jump, gap_jump);
        ASSERT_WITHIN(along_a, -sin(lean), 1e-5);
        ASSERT_WITHIN(along_b, sin(lean), 1e-5);
        ASSERT_AT_MOST(jump, 0.02);
        ASSERT_AT_MOST(gap_jump, 5e-6);
    }
}

static wedge turned(wedge w, versors by, vec3s shift) {
    w.pose_a.rotation = rotation_product(by, w.pose_a.rotation);
    w.pose_b.rotation = rotation_product(by, w.pose_b.rotation);
    w.pose_a.position = glms_vec3_add(shift, rotate(by, w.pose_a.position));
    w.pose_b.position = glms_vec3_add(shift, rotate(by, w.pose_b.position));
    return w;
}

/* The middle does not depend on the frame, the unit of length or the order of the bodies. */
static void normals_follow_frame_scale_and_order(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 400; i++) {
        const double lean = random_between(&seed, 0.05, 0.75), above = random_between(&seed, -1e-4, 1e-4);
        const scalar scale = i % 2 ? 0.015625f : 1;
        const versors by = random_rotation(&seed);
        wedge plain = wedge_of(i % KINDS, lean, 0, above, 1),
              other = turned(wedge_of(i % KINDS, lean, 0, above, scale), by,
                             random_vector(&seed, -0.1 * (double)scale, 0.1 * (double)scale));
        const manifold m = touch_of(&plain, 0.01f),
                       n = manifold_levelled(other.b, other.pose_b, other.a, other.pose_a, 0.01f * scale);
        const vec3s back = glms_vec3_negate(rotate_inverse(by, n.normal));
        ASSERT_AT_MOST((double)glms_vec3_norm(glms_vec3_sub(back, m.normal)), 0.01); /* rounding/margin */
        release(&plain), release(&other);
    }
}

/* Faces on faces and edges on faces keep the normal of the face to the bit. */
static void faces_keep_their_normals(void **state) {
    (void)state;
    for (int kinds = 0; kinds < KINDS; kinds++) {
        const scree_shape a = block_of(kinds & 1, vec3_of(0.5f, 0.5f, 0.5f)),
                          b = block_of(kinds & 2, vec3_of(0.5f, 0.5f, 0.5f));
        const versors upright = versor_of(0, 0, 0, 1);
        const body_pose below = pose_of(vec3_of(0, 0, 0), upright);
        const body_pose above[] = {pose_of(vec3_of(0, 0, 1), upright),
                                   pose_of(vec3_of(0.3f, 0, 0.9999f), upright),
                                   pose_of(vec3_of(0.99f, 0.2f, 1), upright),
                                   pose_of(vec3_of(0.2f, 0, 0.5f + sqrtf(0.5f)),
                                           versor_of(0, sinf((float)M_PI / 8), 0, cosf((float)M_PI / 8)))};
        for (int i = 0; i < 4; i++) {
            const manifold best = manifold_of(a, below, b, above[i], 0.01f),
                           found = manifold_levelled(a, below, b, above[i], 0.01f);
            assert_true(!found.mean && found.count == best.count && found.count >= 2);
            ASSERT_AT_LEAST((double)found.normal.z, 1 - 1e-6);
            assert_memory_equal(&found.normal, &best.normal, sizeof found.normal);
        }
        wedge both = {.a = a, .b = b};
        release(&both);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_push_along_the_middle), cmocka_unit_test(normals_turn_to_faces_without_a_jump),
        cmocka_unit_test(normals_follow_frame_scale_and_order), cmocka_unit_test(faces_keep_their_normals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
