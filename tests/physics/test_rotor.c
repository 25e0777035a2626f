/* Bodies that joints turn about axes that are not principal keep their energy and their angular momentum
 * about the joint's axis. */
#include "joint_scenery.h"
#include "random.h"

static scree_quat turned(scree_vec3 axis, double angle) {
    const float s = (float)(sin(angle / 2) / length_of(axis));
    return (scree_quat){s * axis.x, s * axis.y, s * axis.z, (float)cos(angle / 2)};
}

static scree_world *space(void **state, double time_step, scree_stabilisation stabilisation) {
    scree_world_def def = def_on(state);
    def.time_step = time_step;
    def.gravity = (scree_vec3){0, 0, 0};
    def.solver = scree_solver_def_with_stabilisation(def.solver, stabilisation);
    return world_of(&def);
}

/* Adds a box of 1 kg on a hinge through its centre. Returns the hinge. */
static scree_joint_id add_rotor(scree_world *world, scree_vec3 half, scree_quat rotation, scree_vec3 spin) {
    scree_body_def box = scree_default_body_def();
    scree_body_id id;
    box.shape = scree_shape_box(half.x, half.y, half.z), box.mass = 1;
    box.state.rotation = rotation, box.state.angular_velocity = spin;
    CHECK(scree_body_create(world, &box, &id));
    const scree_joint_def hinge = joint_at(world, SCREE_JOINT_HINGE, nothing, id, any, spin);
    return add_joint(world, &hinge);
}

/* Moments of a box of 1 kg: (b² + c²)/3 with the half lengths b and c across. */
static double moment(double across, double other) { return (across * across + other * other) / 3; }

/* A box of 1 × 0.2 × 0.1 m, tilted by 0.4 rad in the plane of its longest and shortest axis: with I_x along
 * it and I_z across, the moment about the hinge is I = I_x sin² + I_z cos², and the hinge's torque across
 * (I_z − I_x) sin cos ω², which turns along. */
static void a_tilted_rotor_keeps_its_energy(void **state) {
    const scree_stabilisation kinds[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_SUBSTEP,
                                         SCREE_STABILISATION_BAUMGARTE};
    const double tilt = 0.4, omega = 10, along = moment(0.1, 0.05), across = moment(0.5, 0.1);
    const double about = along * sin(tilt) * sin(tilt) + across * cos(tilt) * cos(tilt),
                 torque = (across - along) * sin(tilt) * cos(tilt) * omega * omega;
    for (int i = 0; i < 6; i++) {
        const double h = i % 2 ? 1.0 / 240 : 1.0 / 120, share = 40 * h * h; /* 0.28 % and 0.07 % */
        scree_world *world = space(state, h, kinds[i / 2]);
        const scree_joint_id hinge = add_rotor(world, (scree_vec3){0.5f, 0.1f, 0.05f},
                                               turned((scree_vec3){0, 1, 0}, tilt), (scree_vec3){0, 0, 10});
        const scree_statistics s = run_for(world, on_reference(state) ? 1 : 4);
        ASSERT_NEAR(s.kinetic_energy, about * omega * omega / 2, share);
        ASSERT_NEAR(s.angular_momentum[2], about * omega, share);
        const scree_vec3 held = joint_state_of(world, hinge).torque;
        ASSERT_NEAR(hypot((double)held.x, (double)held.y), torque, 0.01);
        scree_world_destroy(world);
    }
}

static uint64_t seed;

static double drawn(void) { return random_noise(&seed); }

/* In 40 directions, at 0.15 and 0.3 rad a step. */
static void rotors_in_any_direction_keep_their_energy(void **state) {
    seed = 1;
    for (int i = 0; i < 40; i++) {
        const double h = 1.0 / 60, omega = (i % 2 ? 0.3 : 0.15) / h;
        scree_vec3 spin;
        spin.x = (float)drawn();
        spin.y = (float)drawn();
        spin.z = (float)drawn();
        const float length = (float)length_of(spin), rate = (float)omega / length;
        const double n[3] = {(double)(spin.x / length), (double)(spin.y / length), (double)(spin.z / length)};
        const double about = moment(0.1, 0.05) * n[0] * n[0] + moment(0.2, 0.05) * n[1] * n[1] +
                             moment(0.2, 0.1) * n[2] * n[2];
        scree_statistics s;
        spin = (scree_vec3){rate * spin.x, rate * spin.y, rate * spin.z};
        scree_world *world = space(state, h, SCREE_STABILISATION_SPLIT);
        add_rotor(world, (scree_vec3){0.2f, 0.1f, 0.05f}, (scree_quat){0, 0, 0, 1}, spin);
        CHECK(scree_world_step(world, &s));
        const double first = s.kinetic_energy;
        s = run_for(world, 4);
        const double momentum =
            s.angular_momentum[0] * n[0] + s.angular_momentum[1] * n[1] + s.angular_momentum[2] * n[2];
        ASSERT_NEAR(s.kinetic_energy, first, 0.002);
        ASSERT_NEAR(momentum, about * omega, 0.002);
        scree_world_destroy(world);
    }
}

/* A wheel spins at 15 rad/s on an arm that turns at 5 rad/s about a post: 0.13 rad a step. */
static void wheels_on_an_arm_keep_their_energy(void **state) {
    const scree_shape shapes[] = {scree_shape_cylinder(0.1f, 0.02f), scree_shape_capsule(0.1f, 0.1f)};
    const scree_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    for (int i = 0; i < 2; i++) {
        scree_world *world = space(state, 1.0 / 120, SCREE_STABILISATION_SPLIT);
        scree_body_def arm = scree_default_body_def(), wheel = arm;
        scree_body_id arm_id, wheel_id;
        scree_statistics s;
        arm.shape = scree_shape_box(0.15f, 0.02f, 0.02f), arm.mass = 0.2f;
        arm.state.position.x = 0.15f;
        arm.state.linear_velocity.y = 0.75f, arm.state.angular_velocity.z = 5;
        wheel.shape = shapes[i], wheel.mass = 1;
        wheel.state.position.x = 0.3f, wheel.state.rotation = turned(y, M_PI / 2);
        wheel.state.linear_velocity.y = 1.5f, wheel.state.angular_velocity = (scree_vec3){-15, 0, 5};
        CHECK(scree_body_create(world, &arm, &arm_id));
        CHECK(scree_body_create(world, &wheel, &wheel_id));
        const scree_joint_def post = joint_at(world, SCREE_JOINT_HINGE, nothing, arm_id, any, z),
                              axle = joint_at(world, SCREE_JOINT_HINGE, arm_id, wheel_id,
                                              wheel.state.position, x);
        add_joint(world, &post);
        add_joint(world, &axle);
        CHECK(scree_world_step(world, &s));
        const double first = s.kinetic_energy, momentum = s.angular_momentum[2];
        s = run_for(world, on_reference(state) ? 1 : 4);
        ASSERT_NEAR(s.kinetic_energy, first, 0.01);
        ASSERT_NEAR(s.angular_momentum[2], momentum, 1e-3);
        scree_world_destroy(world);
    }
}

/* Two plates on a hinge along y turn about z at 0.08 rad a step and cannot turn about x. Rows for the mean
 * spins of the step opened the hinge by 0.4 m. */
static void hinges_of_locked_bodies_hold(void **state) {
    const float rates[2] = {10, 3};
    scree_world *world = space(state, 1 / 120.0, SCREE_STABILISATION_SPLIT);
    scree_body_id ids[2];
    for (int i = 0; i < 2; i++) {
        scree_body_def plate = scree_default_body_def();
        plate.shape = scree_shape_box(0.1f, 0.1f, 0.05f), plate.mass = 1;
        plate.locks = SCREE_LOCK_ROTATION_X;
        plate.state.position.x = 0.25f * (float)i;
        plate.state.linear_velocity =
            (scree_vec3){0, rates[0] * plate.state.position.x, -rates[1] * plate.state.position.x};
        plate.state.angular_velocity = (scree_vec3){0, rates[1], rates[0]};
        CHECK(scree_body_create(world, &plate, &ids[i]));
    }
    const scree_joint_def hinge =
        joint_at(world, SCREE_JOINT_HINGE, ids[1], ids[0], (scree_vec3){0.125f, 0, 0}, (scree_vec3){0, 1, 0});
    add_joint(world, &hinge);
    scree_statistics s;
    CHECK(scree_world_step(world, &s));
    const double first = s.kinetic_energy;
    for (int step = 0; step < 480; step++) {
        CHECK(scree_world_step(world, &s));
        ASSERT_AT_MOST(s.joint_error_max, 1e-3);
    }
    ASSERT_WITHIN(s.kinetic_energy / first, 1, 0.01);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", hinges_of_locked_bodies_hold),
        ON_EACH_BACKEND(a_tilted_rotor_keeps_its_energy),
        ON("native", rotors_in_any_direction_keep_their_energy),
        ON_EACH_BACKEND(wheels_on_an_arm_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
