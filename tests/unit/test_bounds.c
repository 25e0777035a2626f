/* Bounding boxes of bodies against sampled surfaces, and their padding by motion. */
#include "body_fixture.h"
#include "detect/body_bounds.h"

/* Boxes contain every sampled surface point, and one point touches each face. */
static void bounds_hold_the_surface(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 200; round++) {
        const bool sphere = round % 2;
        const vec3s half = random_vector(&seed, 0.001, 1);
        const scree_shape shape = sphere ? shape_of(SCREE_SHAPE_SPHERE, half.x, 0, 0)
                                         : shape_of(SCREE_SHAPE_BOX, half.x, half.y, half.z);
        const body_pose pose = pose_of(random_vector(&seed, -2, 2), random_rotation(&seed));
        const bounds box = bounds_of(shape, pose);
        assert_true(box.padding == 0);
        const double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
        const double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
        const double centre[3] = {pose.position.x, pose.position.y, pose.position.z};
        double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
        for (int sample = 0; sample < (sphere ? 2000 : 8); sample++) {
            double local[3], point[3];
            if (sphere) {
                const double z = 2 * (sample + 0.5) / 2000 - 1, angle = 2.399963229728653 * sample;
                local[0] = half.x * sqrt(1 - z * z) * cos(angle);
                local[1] = half.x * sqrt(1 - z * z) * sin(angle);
                local[2] = half.x * z;
            } else {
                local[0] = sample & 1 ? half.x : -half.x;
                local[1] = sample & 2 ? half.y : -half.y;
                local[2] = sample & 4 ? half.z : -half.z;
            }
            rotate_in_double(pose.rotation, local, point);
            for (int axis = 0; axis < 3; axis++) {
                const double x = centre[axis] + point[axis];
                assert_true(x >= lower[axis] - 2e-6 && x <= upper[axis] + 2e-6);
                low[axis] = fmin(low[axis], x), high[axis] = fmax(high[axis], x);
            }
        }
        const double tolerance = sphere ? 0.005 * half.x : 2e-6;
        for (int axis = 0; axis < 3; axis++) {
            assert_true(low[axis] - lower[axis] <= tolerance);
            assert_true(upper[axis] - high[axis] <= tolerance);
        }
    }
}

static void bounds_are_padded_by_motion(void **state) {
    (void)state;
    body_array bodies = bodies_make(6);
    bounds boxes[6];
    for (int i = 0; i < 6; i++) {
        bodies.velocities[i].linear = vec3_of(3, 0, -4);
        bodies.velocities[i].angular = vec3_of(0, 2, 0);
    }
    bodies.shapes[1] = shape_of(SCREE_SHAPE_BOX, 1, 2, 2);
    bodies.types[2] = SLOT_STATIC;
    bodies.types[3] = SLOT_FREE;
    bodies.types[4] = SLOT_KINEMATIC, bodies.shapes[4].kind = SCREE_SHAPE_HALF_SPACE;
    bodies.types[5] = SLOT_STATIC, bodies.shapes[5].kind = SCREE_SHAPE_HALF_SPACE;
    bounds_compute_padded(&bodies, 0.02f, 0.1f, 2, boxes);
    /* Half of the margin and of the speculative margin 0.1 · 5, just within the sphere's radius. */
    assert_float_equal(boxes[0].padding, 0.51, 1e-7);
    assert_float_equal(boxes[0].upper.x, 1.01 + 0.1 * 3, 1e-6);
    assert_float_equal(boxes[0].lower.x, -1.01, 1e-6);
    assert_float_equal(boxes[0].upper.y, 1.01, 1e-6);
    assert_float_equal(boxes[0].upper.z, 1.01, 1e-6);
    assert_float_equal(boxes[0].lower.z, -1.01 - 0.1 * 4, 1e-6);
    assert_float_equal(boxes[1].padding, 0.51 + 0.1 * 2 * 3, 1e-6);
    assert_float_equal(boxes[2].upper.x, 0.51, 1e-6);
    assert_true(boxes[3].lower.x > boxes[3].upper.x);
    assert_true(isinf(boxes[4].upper.y) && boxes[4].lower.y < 0 && isinf(boxes[4].lower.y));
    assert_float_equal(boxes[4].padding, 0.51 + 0.1 * 5, 1e-6);
    assert_float_equal(boxes[4].rotation_angle, 0.2, 1e-6);
    assert_float_equal(boxes[5].padding, 0.01, 1e-7);
    assert_true(boxes[5].rotation_angle == 0);
    bodies_free(&bodies);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_the_surface),
        cmocka_unit_test(bounds_are_padded_by_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
