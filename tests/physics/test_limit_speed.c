/* Limits of joints hold for bodies that move by up to 1 rad or 10 lengths a step, add no energy, and hold
 * back nothing that stays within them. */
#include "joint_scenery.h"
#include "native_bits.h"

static const double STEP = 1.0 / 120;

/* Stabilisations whose limits are rigid: the springs of the others yield by their definition. */
static const scree_stabilisation rigid[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_BAUMGARTE};
enum { RIGID = sizeof rigid / sizeof *rigid };

static scree_world *free_world(void **state, scree_stabilisation stabilisation) {
    scree_world_def def = def_on(state);
    def.time_step = STEP;
    def.gravity = any;
    def.solver = scree_solver_def_with_stabilisation(def.solver, stabilisation);
    return world_of(&def);
}

/* Adds a cube of 125 kg/m³. */
static scree_body_id add_cube(scree_world *world, double half, scree_vec3 position, scree_vec3 velocity,
                              scree_vec3 spin) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = scree_shape_box((float)half, (float)half, (float)half);
    def.mass = (float)(1000 * half * half * half);
    def.state.position = position;
    def.state.linear_velocity = velocity;
    def.state.angular_velocity = spin;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static scree_body_id add_moving(scree_world *world, scree_vec3 position, scree_vec3 velocity,
                                scree_vec3 spin) {
    return add_cube(world, 0.1, position, velocity, spin);
}

static void limit(scree_joint_def *def, scree_axis axis, double low, double high) {
    def->axes[axis].mode = SCREE_AXIS_LIMITED;
    def->axes[axis].low = (float)low;
    def->axes[axis].high = (float)high;
}

/* Steps, and checks that the kinetic energy does not grow, up to a fraction of its first value. */
static void step_with_gain(scree_world *world, double energy[2], double fraction) {
    scree_statistics s;
    CHECK(scree_world_step(world, &s));
    if (energy[0] == 0) energy[0] = energy[1] = s.kinetic_energy;
    ASSERT_AT_MOST(s.kinetic_energy, energy[1] + fraction * energy[0]);
    energy[1] = s.kinetic_energy;
}

static const double ROUNDING = 1e-5; /* relative to the energy at the start */

static void step_without_gain(scree_world *world, double energy[2]) {
    step_with_gain(world, energy, ROUNDING);
}

/* Checks that a rope stays within `most` and gains at most a fraction of the first energy in any step. */
static void check_rope(scree_world *world, const scree_joint_def *def, int steps, double fraction,
                       double most) {
    const scree_joint_id joint = add_joint(world, def);
    double energy[2] = {0};
    for (int i = 0; i < steps; i++) {
        step_with_gain(world, energy, fraction);
        ASSERT_AT_MOST(joint_state_of(world, joint).position[SCREE_AXIS_X], most);
    }
}

/* A body turns about y alone, towards the limit of the middle angle, and stops there. */
static void the_middle_angle_stops_at_its_limit(void **state) {
    static const double limits[] = {0.5, 1.2, 1.48}, turns[] = {0.05, 0.17, 0.5, 1};
    for (int i = 0; i < RIGID * 12; i++) {
        const double most = limits[i % 3], turn = turns[i / 3 % 4];
        scree_world *world = free_world(state, rigid[i / 12]);
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_BALL);
        def.b = add_moving(world, any, any, (scree_vec3){0, (float)(turn / STEP), 0});
        for (int axis = SCREE_AXIS_ROTATION_X; axis <= SCREE_AXIS_ROTATION_Z; axis++)
            limit(&def, (scree_axis)axis, -most, most);
        const scree_joint_id joint = add_joint(world, &def);
        double energy[2] = {0};
        for (int k = 0; k < 3 + (int)(most / turn) + 5; k++) step_without_gain(world, energy);
        ASSERT_WITHIN(joint_state_of(world, joint).position[SCREE_AXIS_ROTATION_Y], most, 2e-3);
        ASSERT_WITHIN(state_of(world, def.b).angular_velocity.y, 0, 1e-2);
        scree_world_destroy(world);
    }
}

/* z_B passes x_A at 0.2 rad, outside the cone of 0.091 rad that the limits of β forbid: nothing acts. The
 * axis of rotation is normal to the plane through both, tilted by 0.2 rad from y about x. */
static void an_axis_passes_the_pole_of_the_angles(void **state) {
    for (int i = 0; i < RIGID * 3; i++) {
        static const double turns[] = {0.1, 0.4, 1};
        const double speed = turns[i % 3] / STEP;
        scree_world *world = free_world(state, rigid[i / 3]);
        const scree_vec3 spin = {0, (float)(speed * cos(0.2)), (float)(speed * sin(0.2))};
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_BALL);
        def.b = add_moving(world, any, any, spin);
        const double tilt = 0.2;
        def.frame_b = (scree_quat){(float)-sin(tilt / 2), 0, 0, (float)cos(tilt / 2)};
        def.frame_a = def.frame_b;
        limit(&def, SCREE_AXIS_ROTATION_Y, -1.48, 1.48);
        add_joint(world, &def);
        for (int k = 0; k < 40; k++) CHECK(scree_world_step(world, NULL));
        ASSERT_WITHIN(state_of(world, def.b).angular_velocity.y, spin.y, 1e-3 * speed);
        ASSERT_WITHIN(state_of(world, def.b).angular_velocity.z, spin.z, 1e-3 * speed);
        scree_world_destroy(world);
    }
}

/* A body on a slack rope flies past the anchor, at 0 or 20 mm. */
static void a_slack_rope_lets_a_body_pass_its_anchor(void **state) {
    for (int i = 0; i < SCREE_STABILISATION_COUNT * 6; i++) {
        static const double strides[] = {0.05, 0.2, 0.8};
        const double speed = strides[i % 3] / STEP;
        scree_world *world = free_world(state, (scree_stabilisation)(i / 6));
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
        def.b = add_moving(world, (scree_vec3){0.5f, i / 3 % 2 ? 0.02f : 0, 0},
                           (scree_vec3){(float)-speed, 0, 0}, any);
        limit(&def, SCREE_AXIS_X, 0, 1);
        add_joint(world, &def);
        const int steps = (int)(0.9 / (speed * STEP));
        for (int k = 0; k < steps; k++) CHECK(scree_world_step(world, NULL));
        ASSERT_WITHIN(state_of(world, def.b).position.x, 0.5 - steps * speed * STEP, 1e-5);
        ASSERT_WITHIN(state_of(world, def.b).linear_velocity.x, -speed, 1e-4 * speed);
        ASSERT_WITHIN(state_of(world, def.b).linear_velocity.y, 0, 0);
        scree_world_destroy(world);
    }
}

/* The rope becomes taut within the step, wherever the body flies. */
static void a_rope_holds_a_fast_body(void **state) {
    for (int i = 0; i < RIGID * 12; i++) {
        static const double strides[] = {0.6, 3, 10};
        const double speed = strides[i % 3] / STEP, angle = 0.5 + i / 3 % 4;
        scree_world *world = free_world(state, rigid[i / 12]);
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
        def.b = add_moving(world, (scree_vec3){0.5f, 0, 0},
                           (scree_vec3){(float)(speed * cos(angle)), (float)(speed * sin(angle)), 0}, any);
        limit(&def, SCREE_AXIS_X, 0, 1);
        check_rope(world, &def, 20, ROUNDING, 1.001);
        scree_world_destroy(world);
    }
}

/* Returns a number from −1 to 1 that is the same in every run. */
static double any_number(unsigned long long *seed) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static scree_vec3 any_direction(unsigned long long *seed, double length) {
    const double x = any_number(seed), y = any_number(seed), z = any_number(seed),
                 factor = length / sqrt(x * x + y * y + z * z);
    return (scree_vec3){(float)(factor * x), (float)(factor * y), (float)(factor * z)};
}

/* Two boxes turn and part, on a rope at an arm of three half widths: its pull spins the lighter end. */
static void a_rope_at_an_arm_holds(void **state) {
    skip_bits_of_native(state);
    unsigned long long seed = 7;
    for (int i = 0; i < RIGID * 12; i++) {
        static const double strides[] = {0.05, 0.3, 1, 3}, turns[] = {0.05, 0.05, 0.2, 0.4};
        scree_world *world = free_world(state, rigid[i / 12]);
        const double turn = turns[i % 4] / STEP;
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
        def.a = add_moving(world, any, any, any_direction(&seed, 0.5 * turn));
        def.b = add_moving(world, (scree_vec3){0.5f, 0.3f, 0}, any_direction(&seed, strides[i % 4] / STEP),
                           any_direction(&seed, turn));
        def.anchor_b = (scree_vec3){0, -0.3f, 0};
        limit(&def, SCREE_AXIS_X, 0, 1);
        check_rope(world, &def, 40, 1e-3, 1.03);
        scree_world_destroy(world);
    }
}

/* Two grains of 2 µm part in the same way. */
static void a_rope_at_an_arm_holds_grains(void **state) {
    unsigned long long seed = 7;
    for (int i = 0; i < RIGID; i++) {
        scree_world *world = free_world(state, rigid[i]);
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
        def.a = add_cube(world, 1e-6, any, any, any);
        def.b = add_cube(world, 1e-6, (scree_vec3){5e-6f, 3e-6f, 0}, any_direction(&seed, 3e-6 / STEP),
                         any_direction(&seed, 0.2 / STEP));
        def.anchor_b = (scree_vec3){0, -3e-6f, 0};
        limit(&def, SCREE_AXIS_X, 0, 1e-5);
        const scree_joint_id joint = add_joint(world, &def);
        for (int k = 0; k < 40; k++) {
            CHECK(scree_world_step(world, NULL));
            ASSERT_AT_MOST(joint_state_of(world, joint).position[SCREE_AXIS_X], 1.03e-5);
        }
        scree_world_destroy(world);
    }
}

/* A plate turns about changing axes on a rope at its corner. */
static void a_rope_holds_a_plate(void **state) {
    skip_bits_of_native(state);
    unsigned long long seed = 77;
    for (int i = 0; i < RIGID * 20; i++) {
        scree_world *world = free_world(state, rigid[i / 20]);
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_box(0.3f, 0.3f, 0.05f), body.mass = 1;
        body.state.linear_velocity = any_direction(&seed, 0.5 / STEP);
        body.state.angular_velocity = any_direction(&seed, 0.5 / STEP);
        CHECK(scree_body_create(world, &body, &def.b));
        def.anchor_b = (scree_vec3){-0.3f, -0.3f, 0.05f};
        def.anchor_a = (scree_vec3){-0.45f, -0.45f, 0.9f};
        limit(&def, SCREE_AXIS_X, 0, 1);
        check_rope(world, &def, 60, 2e-3, 1.06);
        scree_world_destroy(world);
    }
}

/* A body that only turns winds a rope up on its arm of 0.3 m, 1.2 m from the anchor; the arm is along the
 * rope at the start, towards the anchor or away from it. */
static void a_rope_stops_a_body_that_only_turns(void **state) {
    for (int i = 0; i < RIGID * 8; i++) {
        static const double turns[] = {0.05, 0.2, 0.5, 1};
        scree_world *world = free_world(state, rigid[i / 8]);
        const double length = i / 4 % 2 ? 1 : 1.3;
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
        scree_body_def body;
        def.b = add_moving(world, any, any, (scree_vec3){0, 0, (float)(turns[i % 4] / STEP)});
        CHECK(scree_body_get_def(world, def.b, &body));
        body.locks = SCREE_LOCK_X | SCREE_LOCK_Y | SCREE_LOCK_Z;
        CHECK(scree_body_set_def(world, def.b, &body));
        def.anchor_a = (scree_vec3){1.2f, 0, 0}, def.anchor_b = (scree_vec3){0.3f, 0, 0};
        limit(&def, SCREE_AXIS_X, 0, length);
        check_rope(world, &def, 100, ROUNDING, 1.001 * length);
        scree_world_destroy(world);
    }
}

/* Boxes hang on ropes between arms and fall from the horizontal; the lengths hold, and the energy falls. */
static void a_chain_of_ropes_gains_no_energy(void **state) {
    enum { LINKS = 3 };
    for (int i = 0; i < RIGID; i++) {
        scree_world *world = free_world(state, rigid[i]);
        scree_world_set_gravity(world, (scree_vec3){0, 0, -9.81f});
        scree_joint_id joints[LINKS];
        scree_body_id before = {0};
        double potential[2] = {0};
        for (int k = 0; k < LINKS; k++) {
            scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
            def.a = before;
            if (k > 0) def.anchor_a = (scree_vec3){0.3f, 0, 0};
            def.anchor_b = (scree_vec3){-0.3f, 0, 0};
            def.b = before = add_moving(world, (scree_vec3){(float)(1.59 * k + 1.29), 0, 0},
                                        (scree_vec3){0, (float)(3 * k + 3), 0}, (scree_vec3){1, 0.3f, 0.2f});
            limit(&def, SCREE_AXIS_X, 0, 1);
            joints[k] = add_joint(world, &def);
        }
        for (int k = 0; k < 600; k++) {
            scree_statistics s;
            CHECK(scree_world_step(world, &s));
            const double total = s.kinetic_energy + s.potential_energy;
            if (k == 0) potential[0] = total;
            ASSERT_AT_MOST(total, potential[0] + 1e-3 * 9.81 * LINKS * (LINKS + 1));
            for (int j = 0; j < LINKS; j++)
                ASSERT_AT_MOST(joint_state_of(world, joints[j]).position[SCREE_AXIS_X], 1.01);
        }
        scree_world_destroy(world);
    }
}

/* Heading for the anchor, the body stops at the smallest distance; it passes at 0.3 m from it. */
static void the_smallest_distance_holds(void **state) {
    for (int i = 0; i < RIGID * 6; i++) {
        static const double strides[] = {0.1, 1, 10};
        const bool passes = i / 3 % 2;
        const double speed = strides[i % 3] / STEP;
        scree_world *world = free_world(state, rigid[i / 6]);
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
        def.b = add_moving(world, (scree_vec3){0.5f, passes ? 0.3f : 0, 0}, (scree_vec3){(float)-speed, 0, 0},
                           any);
        limit(&def, SCREE_AXIS_X, 0.2, INFINITY);
        const scree_joint_id joint = add_joint(world, &def);
        for (int k = 0; k < 10; k++) CHECK(scree_world_step(world, NULL));
        if (passes)
            ASSERT_WITHIN(state_of(world, def.b).linear_velocity.x, -speed, 1e-4 * speed);
        else
            ASSERT_WITHIN(joint_state_of(world, joint).position[SCREE_AXIS_X], 0.2, 1e-4);
        scree_world_destroy(world);
    }
}

/* A body turns about the anchor, beyond the smallest distance, and another one strikes it towards it. */
static void a_struck_body_stays_beyond_the_smallest_distance(void **state) {
    for (int i = 0; i < RIGID; i++) {
        const float across = (float)(0.06 / STEP);
        scree_world *world = free_world(state, rigid[i]);
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
        def.b = add_moving(world, (scree_vec3){0.3f, 0, 0}, (scree_vec3){0, across, 0}, any);
        add_cube(world, 0.2, (scree_vec3){0.61f, 0, 0}, (scree_vec3){(float)(-0.3 / STEP), across, 0}, any);
        limit(&def, SCREE_AXIS_X, 0.2, 1);
        const scree_joint_id joint = add_joint(world, &def);
        for (int k = 0; k < 10; k++) {
            CHECK(scree_world_step(world, NULL));
            ASSERT_AT_LEAST(joint_state_of(world, joint).position[SCREE_AXIS_X], 0.199);
        }
        scree_world_destroy(world);
    }
}

/* A body reaches the smallest distance in one of the substeps, in the first of which its line turns. */
static void the_smallest_distance_holds_in_each_substep(void **state) {
    scree_world *world = free_world(state, SCREE_STABILISATION_SUBSTEP);
    scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
    def.b = add_moving(world, (scree_vec3){0.3f, 0, 0},
                       (scree_vec3){(float)(-0.15 / STEP), (float)(0.06 / STEP), 0}, any);
    limit(&def, SCREE_AXIS_X, 0.2, 1);
    const scree_joint_id joint = add_joint(world, &def);
    for (int k = 0; k < 10; k++) {
        CHECK(scree_world_step(world, NULL));
        ASSERT_AT_LEAST(joint_state_of(world, joint).position[SCREE_AXIS_X], 0.199);
    }
    scree_world_destroy(world);
}

/* Returns the distance at which a body circles on a spring of rest length 0.5 m, that would be 0.9 m in small
 * steps, with a limit of `most`, m. */
static double orbit(void **state, scree_stabilisation stabilisation, double turn, double most) {
    const double rate = turn / STEP;
    scree_world *world = free_world(state, stabilisation);
    scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
    scree_joint_axis *axis = &def.axes[SCREE_AXIS_X];
    def.b = add_moving(world, (scree_vec3){0.9f, 0, 0}, (scree_vec3){0, (float)(rate * 0.9), 0}, any);
    limit(&def, SCREE_AXIS_X, 0, most);
    axis->drive = SCREE_DRIVE_POSITION, axis->target = 0.5f;
    axis->servo.stiffness = (float)(rate * rate * 0.9 / 0.4);
    const scree_joint_id joint = add_joint(world, &def);
    for (int k = 0; k < 100; k++) CHECK(scree_world_step(world, NULL));
    const double distance = (double)joint_state_of(world, joint).position[SCREE_AXIS_X];
    scree_world_destroy(world);
    return distance;
}

static void a_limit_beyond_an_orbit_does_not_change_it(void **state) {
    static const double turns[] = {0.1, 0.2};
    for (int i = 0; i < RIGID * 2; i++)
        ASSERT_WITHIN(orbit(state, rigid[i / 2], turns[i % 2], 1),
                      orbit(state, rigid[i / 2], turns[i % 2], 9), 1e-4);
}

/* A body turns and glides on a plane, at an arm, to limits of both displacements: each turns it. */
static void limits_at_an_arm_add_no_energy(void **state) {
    skip_bits_of_native(state);
    unsigned long long seed = 3;
    for (int i = 0; i < RIGID * 30; i++) {
        static const double turns[] = {0.05, 0.3, 1};
        const double turn = turns[i % 3] / STEP;
        scree_world *world = free_world(state, rigid[i / 30]);
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_PLANAR);
        const scree_vec3 glide = any_direction(&seed, 0.05 / STEP);
        def.b = add_moving(world, (scree_vec3){0, -0.3f, 0},
                           (scree_vec3){0, glide.y, glide.z + (float)(0.3 * turn)},
                           (scree_vec3){(float)-turn, 0, 0});
        def.anchor_b = (scree_vec3){0, 0.3f, 0};
        limit(&def, SCREE_AXIS_Y, -0.1, 0.1);
        limit(&def, SCREE_AXIS_Z, -0.1, 0.1);
        add_joint(world, &def);
        double energy[2] = {0};
        for (int k = 0; k < 40; k++) step_with_gain(world, energy, 1e-3);
        scree_world_destroy(world);
    }
}

/* Two free bodies, turning together by 0.5 rad a step, run to the ends of a slider; others turn to the limits
 * of both angles of a universal joint. */
static void limits_between_turning_bodies_hold(void **state) {
    for (int i = 0; i < RIGID * 6; i++) {
        static const double strides[] = {0.3, 3, 10}, turns[] = {0.1, 0.4, 1};
        const bool slides = i / 3 % 2;
        const float speed = (float)(strides[i % 3] / STEP), turn = (float)(turns[i % 3] / STEP);
        const scree_vec3 spin = {0.2f * turn, 0.3f * turn, -0.3f * turn};
        scree_world *world = free_world(state, rigid[i / 6]);
        scree_joint_def def = scree_default_joint_def(slides ? SCREE_JOINT_SLIDER : SCREE_JOINT_UNIVERSAL);
        def.a = add_moving(world, any, any, spin);
        def.b = add_moving(world, any, (scree_vec3){slides ? speed : 0, 0, 0},
                           slides ? spin : (scree_vec3){spin.x + 0.7f * turn, spin.y, spin.z + 0.7f * turn});
        if (slides) limit(&def, SCREE_AXIS_X, -1, 1);
        if (!slides) limit(&def, SCREE_AXIS_ROTATION_X, -0.7, 0.7);
        if (!slides) limit(&def, SCREE_AXIS_ROTATION_Z, -1, 1);
        const scree_joint_id joint = add_joint(world, &def);
        for (int k = 0; k < 20; k++) {
            CHECK(scree_world_step(world, NULL));
            const scree_joint_state now = joint_state_of(world, joint);
            if (slides) ASSERT_WITHIN(now.position[SCREE_AXIS_X], 0, 1.01);
            if (!slides) ASSERT_WITHIN(now.position[SCREE_AXIS_ROTATION_X], 0, 0.71);
            if (!slides) ASSERT_WITHIN(now.position[SCREE_AXIS_ROTATION_Z], 0, 1.01);
        }
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(the_middle_angle_stops_at_its_limit),
        ON_EACH_BACKEND(an_axis_passes_the_pole_of_the_angles),
        ON_EACH_BACKEND(a_slack_rope_lets_a_body_pass_its_anchor),
        ON_EACH_BACKEND(a_rope_holds_a_fast_body),
        ON_EACH_BACKEND(a_rope_at_an_arm_holds),
        ON_EACH_BACKEND(a_rope_at_an_arm_holds_grains),
        ON_EACH_BACKEND(a_rope_holds_a_plate),
        ON_EACH_BACKEND(a_rope_stops_a_body_that_only_turns),
        ON_EACH_BACKEND(a_chain_of_ropes_gains_no_energy),
        ON_EACH_BACKEND(the_smallest_distance_holds),
        ON_EACH_BACKEND(a_struck_body_stays_beyond_the_smallest_distance),
        ON_EACH_BACKEND(the_smallest_distance_holds_in_each_substep),
        ON_EACH_BACKEND(a_limit_beyond_an_orbit_does_not_change_it),
        ON_EACH_BACKEND(limits_at_an_arm_add_no_energy),
        ON_EACH_BACKEND(limits_between_turning_bodies_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
