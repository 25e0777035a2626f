/* Free motion of the reference backend: conserved quantities, locks, and comparison with the shared dialect's
 * motion. */
#include "expect.h"
#include "random.h"
#include "oracle/reference_motion.h"
#include "motion.h"

#include <scree/body.h>

static uint64_t seed;

static scalar noise(void) { return (scalar)random_noise(&seed); }

static reference_body random_body(int locks) {
    reference_body body = {
        .mass = {.mass = 2 + noise(), .gravity_scale = 1 + 0.5f * noise(), .locks = locks}};
    body.mass.inertia = vec3_of(1.5f + 0.5f * noise(), 1.5f + 0.5f * noise(), 1.5f + 0.5f * noise());
    body.pose.position = vec3_of(noise(), noise(), noise());
    body.pose.rotation = rotation_normalised(versor_of(noise(), noise(), noise(), noise()));
    body.velocity.linear = vec3_of(noise(), noise(), noise());
    body.velocity.angular = vec3_of(5 * noise(), 5 * noise(), 5 * noise());
    body.load.force = vec3_of(noise(), noise(), noise());
    body.load.torque = vec3_of(noise(), noise(), noise());
    return body;
}

static double rotational_energy(reference_body body, vec3s *momentum) {
    const vec3s omega = rotate_inverse(body.pose.rotation, body.velocity.angular);
    const vec3s spin = glms_vec3_mul(body.mass.inertia, omega);
    *momentum = rotate(body.pose.rotation, spin);
    return 0.5 * (double)glms_vec3_dot(omega, spin);
}

/* A box that spins about its unstable axis tumbles for 2000 steps; energy and angular momentum are
 * conserved. */
static void torque_free_spin_is_conserved(void **state) {
    (void)state;
    reference_body body = {.mass = {.mass = 1, .inertia = {1, 2, 3}}};
    body.pose.rotation = versor_of(0, 0, 0, 1);
    body.velocity.angular = vec3_of(0.01f, 4, 0.01f);
    const motion_parameters motion = {.time_step = 0.01f};
    vec3s before, after;
    const double energy = rotational_energy(body, &before);
    scalar lowest = 1;
    for (int step = 0; step < 2000; ++step) {
        const body_velocity velocity = reference_free_velocity(body, motion);
        const body_pose from = body.pose;
        body = reference_moved(body, velocity, (body_velocity){0}, 0.01);
        body.velocity.angular =
            reference_spin_after(from, velocity.angular, body.mass, body.pose.rotation, 0.01f);
        lowest = scalar_min(lowest, rotate(body.pose.rotation, vec3_of(0, 1, 0)).y);
    }
    ASSERT_WITHIN(rotational_energy(body, &after), energy, 1e-4 * energy);
    assert_true(glms_vec3_norm(glms_vec3_sub(after, before)) < 1e-4f * glms_vec3_norm(before));
    assert_true(lowest < -0.9f); /* it did turn over */
}

static void free_fall_is_exact(void **state) {
    (void)state;
    reference_body body = random_body(0);
    const motion_parameters motion = {.gravity = vec3_of(0, 0, -10), .time_step = 0.02f};
    const body_velocity v = reference_free_velocity(body, motion);
    const double m = (double)body.mass.mass, s = (double)body.mass.gravity_scale;
    ASSERT_WITHIN(v.linear.x, (double)body.velocity.linear.x + 0.02 * (double)body.load.force.x / m, 1e-6);
    ASSERT_WITHIN(v.linear.z,
                  (double)body.velocity.linear.z + 0.02 * ((double)body.load.force.z / m - 10 * s), 1e-6);
    const body_velocity pseudo = {.linear = vec3_of(1, 0, 0)};
    const body_pose pose = reference_moved(body, v, pseudo, 0.02).pose;
    ASSERT_WITHIN(pose.position.x, (double)body.pose.position.x + 0.02 * ((double)v.linear.x + 1), 1e-6);
}

/* Contacts that add Δω about a fixed axis rotate a sphere by h Δω. */
static void contacts_turn_a_sphere(void **state) {
    (void)state;
    reference_body body = {.mass = {.mass = 1, .inertia = {1, 1, 1}}};
    body.pose.rotation = versor_of(0, 0, 0, 1);
    const body_velocity none = {0}, after = {.angular = vec3_of(0, 0, 30)};
    const body_pose pose = reference_moved(body, after, none, 0.01).pose;
    ASSERT_WITHIN(pose.rotation.z, sin(0.15), 1e-7);
    ASSERT_WITHIN(pose.rotation.w, cos(0.15), 1e-7);
}

/* The inverse of the world inertia's free part: M⁻¹ I is the identity on the free axes, and zero on the
 * locked ones. */
static void locked_inverse_inertia_is_exact(void **state) {
    (void)state;
    for (int locks = 0; locks < 64; ++locks) {
        const reference_body body = random_body(locks);
        const body_mobility m = reference_mobility(body);
        const symmetric3 inverse = symmetric_of(m.diagonal, m.off_diagonal);
        const int rotation = locks >> 3;
        for (int axis = 0; axis < 3; ++axis) {
            const vec3s e = vec3_of(axis == 0, axis == 1, axis == 2);
            const vec3s omega = symmetric_times(inverse, e);
            const vec3s spin =
                rotate(body.pose.rotation,
                       glms_vec3_mul(body.mass.inertia, rotate_inverse(body.pose.rotation, omega)));
            for (int other = 0; other < 3; ++other) {
                if (rotation >> other & 1) assert_true(vec3_along(omega, other) == 0);
                if (!(rotation >> other & 1) && !(rotation >> axis & 1))
                    ASSERT_WITHIN(vec3_along(spin, other), other == axis, 2e-6);
            }
            ASSERT_WITHIN(vec3_along(m.inverse_mass, axis),
                          locks >> axis & 1 ? 0 : 1 / (double)body.mass.mass, 1e-7);
        }
    }
}

static double distance(vec3s a, vec3s b) { return (double)glms_vec3_norm(glms_vec3_sub(a, b)); }

/* Two independent implementations: the dialect's functions in float agree to round-off, for every combination
 * of locks. */
static void motion_agrees_with_the_dialect(void **state) {
    (void)state;
    const motion_parameters motion = {.gravity = vec3_of(0.5f, -1, -9.81f), .time_step = 0.01f};
    for (int i = 0; i < 640; ++i) {
        const reference_body body = random_body(i % 64);
        const body_mobility mobility = reference_mobility(body), theirs = mobility_of(body.pose, body.mass);
        assert_true(distance(mobility.diagonal, theirs.diagonal) < 2e-6);
        assert_true(distance(mobility.off_diagonal, theirs.off_diagonal) < 2e-6);
        assert_true(distance(mobility.inverse_mass, theirs.inverse_mass) < 1e-6);
        const body_velocity v = reference_free_velocity(body, motion);
        const body_velocity w =
            free_velocity_of(body.pose, body.velocity, body.mass, body.load, theirs, motion);
        assert_true(distance(v.linear, w.linear) < 2e-6);
        assert_true(distance(v.angular, w.angular) < 2e-5);
        body_velocity after = v;
        if (!(body.mass.locks & SCREE_LOCK_ROTATION_Y)) after.angular.y += 0.5f;
        after.linear.x -= 0.5f;
        const body_velocity pseudo = {.linear = vec3_of(0.1f, 0, 0), .angular = vec3_of(0, 0, 0.2f)};
        const body_pose p = reference_moved(body, after, pseudo, 0.01).pose;
        const body_pose q = place_after((body_place){body.pose, body.remainder}, body.mass, v, after, pseudo,
                                        motion.time_step)
                                .pose;
        assert_true(distance(p.position, q.position) < 1e-6);
        assert_true(distance(reference_spin_after(body.pose, after.angular, body.mass, p.rotation, 0.01f),
                             spin_after(body.pose, after.angular, body.mass, p.rotation, 0.01f)) < 2e-5);
        for (int k = 0; k < 4; ++k)
            ASSERT_WITHIN(((const scalar *)&p.rotation)[k], ((const scalar *)&q.rotation)[k], 1e-6);
    }
}

/* Massless bodies keep their velocity under any load. */
static void static_and_kinematic_ignore_loads(void **state) {
    (void)state;
    reference_body body = random_body(0);
    body.mass.mass = 0;
    const body_velocity v =
        reference_free_velocity(body, (motion_parameters){.gravity = vec3_of(0, 0, -10), .time_step = 1});
    assert_true(distance(v.linear, body.velocity.linear) == 0 &&
                distance(v.angular, body.velocity.angular) == 0);
    const body_mobility m = reference_mobility(body);
    assert_true(glms_vec3_norm(m.inverse_mass) == 0 && glms_vec3_norm(m.diagonal) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torque_free_spin_is_conserved),  cmocka_unit_test(free_fall_is_exact),
        cmocka_unit_test(contacts_turn_a_sphere),         cmocka_unit_test(locked_inverse_inertia_is_exact),
        cmocka_unit_test(motion_agrees_with_the_dialect), cmocka_unit_test(static_and_kinematic_ignore_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
