/* Mechanisms: chains, loops and spinning bodies, against their mechanics. */
#include "scenery.h"

static const double G = 9.81;
static const scree_body_id ground = {0, 0, 0};
static const scree_vec3 any = {0, 0, 0};

static scree_body_id add_rod(scree_world *world, double mass, scree_vec3 half, scree_vec3 position,
                             double angle_y) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = scree_shape_box(half.x, half.y, half.z);
    def.mass = (float)mass;
    def.state.position = position;
    def.state.rotation = (scree_quat){0, (float)sin(angle_y / 2), 0, (float)cos(angle_y / 2)};
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static scree_joint_id join(scree_world *world, scree_joint_kind kind, scree_body_id a, scree_body_id b,
                           scree_vec3 point, scree_vec3 axis) {
    scree_joint_def def = scree_default_joint_def(kind);
    scree_joint_id id;
    def.a = a, def.b = b;
    CHECK(scree_joint_get_frame(world, &def, point, axis, any));
    CHECK(scree_joint_create(world, &def, &id));
    return id;
}

static scree_joint_state joint_of(const scree_world *world, scree_joint_id id) {
    scree_joint_state out;
    CHECK(scree_joint_get_state(world, id, &out));
    return out;
}

/* A slider-crank driven at ω, crank r and rod l: x = r cos φ + √(l² − r² sin² φ). */
static void slider_crank_follows_its_closed_form(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = any, def.time_step = 0.002;
    def.solver.iterations = 60;
    scree_world *world = world_of(&def);
    const double r = 0.2, l = 0.6;
    const scree_vec3 thin = {0.01f, 0.01f, 0.01f}, y = {0, 1, 0};
    const scree_body_id crank =
                            add_rod(world, 1, (scree_vec3){0.1f, 0.01f, 0.01f}, (scree_vec3){0.1f, 0, 0}, 0),
                        rod =
                            add_rod(world, 1, (scree_vec3){0.3f, 0.01f, 0.01f}, (scree_vec3){0.5f, 0, 0}, 0),
                        piston = add_rod(world, 1, thin, (scree_vec3){0.8f, 0, 0}, 0);
    scree_joint_def motor = scree_default_joint_def(SCREE_JOINT_HINGE);
    scree_joint_id at_crank;
    motor.b = crank;
    CHECK(scree_joint_get_frame(world, &motor, any, y, any));
    motor.axes[SCREE_AXIS_ROTATION_X].drive = SCREE_DRIVE_VELOCITY;
    motor.axes[SCREE_AXIS_ROTATION_X].target = 3;
    CHECK(scree_joint_create(world, &motor, &at_crank));
    join(world, SCREE_JOINT_HINGE, crank, rod, (scree_vec3){0.2f, 0, 0}, y);
    join(world, SCREE_JOINT_HINGE, rod, piston, (scree_vec3){0.8f, 0, 0}, y);
    join(world, SCREE_JOINT_SLIDER, ground, piston, (scree_vec3){0.8f, 0, 0}, (scree_vec3){1, 0, 0});
    for (int step = 1; step <= 1500; step++) {
        CHECK(scree_world_step(world, NULL));
        const double phi = (double)joint_of(world, at_crank).position[SCREE_AXIS_ROTATION_X];
        const double x = r * cos(phi) + sqrt(l * l - r * r * sin(phi) * sin(phi));
        ASSERT_WITHIN(state_of(world, piston).position.x, x, 2e-3 * l);
        ASSERT_WITHIN(state_of(world, piston).position.z, 0, 1e-3 * l);
        if (step > 50) ASSERT_WITHIN(phi, 3 * 0.002 * step, 0.02);
    }
    scree_world_destroy(world);
}

/* A fast top on a fixed point, spin ω_s about its axis at the distance d from the point, precesses at m g
 * d/(I₃ ω_s) to first order in the ratio of precession to spin. */
static void a_top_precesses(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.00025;
    def.solver.iterations = 4; /* a single ball is solved at once */
    scree_world *world = world_of(&def);
    scree_body_def top = scree_default_body_def();
    scree_body_id id;
    const double mass = 1, along = 0.02, across = 0.012, d = 0.2, spin = 120, tilt = M_PI / 2;
    top.shape = scree_shape_sphere(0.02f), top.mass = (float)mass;
    top.inertia = (scree_vec3){(float)across, (float)across, (float)along};
    top.state.position = (scree_vec3){(float)d, 0, 0};
    top.state.rotation = (scree_quat){0, (float)sin(tilt / 2), 0, (float)cos(tilt / 2)};
    const double rate = mass * G * d / (along * spin);
    top.state.angular_velocity = (scree_vec3){(float)spin, 0, (float)rate};
    top.state.linear_velocity = (scree_vec3){0, (float)(rate * d), 0};
    CHECK(scree_body_create(world, &top, &id));
    join(world, SCREE_JOINT_BALL, ground, id, any, (scree_vec3){1, 0, 0});
    run_for(world, 1);
    const scree_vec3 at = state_of(world, id).position;
    ASSERT_NEAR(atan2((double)at.y, (double)at.x), rate, 0.02);
    ASSERT_WITHIN(at.z, 0, 0.02 * d);
    ASSERT_NEAR(length_of(at), d, 1e-3);
    scree_world_destroy(world);
}

/* A four-bar linkage with hinges in all corners has three redundant rows: it swings like a pendulum of two
 * bars and a coupler, without opening or drifting. */
static void a_four_bar_linkage_swings(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.004;
    def.solver.iterations = 60;
    scree_world *world = world_of(&def);
    const scree_vec3 y = {0, 1, 0};
    const double angle = 0.3, l = 1, dx = l * sin(angle), dz = -l * cos(angle);
    scree_body_id bars[2], coupler;
    scree_joint_id hinges[4];
    for (int i = 0; i < 2; i++)
        bars[i] = add_rod(world, 1, (scree_vec3){0.02f, 0.02f, 0.5f},
                          (scree_vec3){(float)(i + dx / 2), 0, (float)(dz / 2)}, -angle);
    coupler =
        add_rod(world, 2, (scree_vec3){0.5f, 0.02f, 0.02f}, (scree_vec3){(float)(0.5 + dx), 0, (float)dz}, 0);
    for (int i = 0; i < 2; i++) {
        hinges[i] = join(world, SCREE_JOINT_HINGE, ground, bars[i], (scree_vec3){(float)i, 0, 0}, y);
        hinges[2 + i] =
            join(world, SCREE_JOINT_HINGE, bars[i], coupler, (scree_vec3){(float)(i + dx), 0, (float)dz}, y);
    }
    scree_statistics s = {0};
    double most = 0, first = 0, least_energy = 1e30, most_energy = -1e30;
    for (int step = 0; step < 1500; step++) {
        CHECK(scree_world_step(world, &s));
        const double energy = s.kinetic_energy + s.potential_energy;
        least_energy = fmin(least_energy, energy), most_energy = fmax(most_energy, energy);
        most = fmax(most, s.joint_error_max);
        if (step == 0) first = energy;
        for (int i = 0; i < 4; i++) ASSERT_AT_MOST(joint_of(world, hinges[i]).angle_error, 2e-3);
    }
    ASSERT_AT_MOST(most, 2e-3 * l);
    const double swing = 3 * G * l * (1 - cos(angle)); /* J: two bars by half of l, the coupler by l */
    ASSERT_AT_MOST(most_energy - first, 0.02 * swing);
    ASSERT_AT_MOST(first - least_energy, 0.05 * swing);
    scree_world_destroy(world);
}

/* Asserts that a door on two hinges that are 10 µm out of line keeps turning. Solved exactly, the lower hinge
 * would hold it, with impulses of some 1e5 times the door's: A has (1e-5)² for that row, and no backend, in
 * particular not the reference, may solve it. */
static void turn_a_worn_door(void **state, bool direct) {
    scree_world_def def = def_on(state);
    def.solver.direct_joints = direct;
    def.time_step = 0.004;
    def.gravity = any;
    scree_world *world = world_of(&def);
    const scree_vec3 z = {0, 0, 1};
    const scree_body_id door =
        add_rod(world, 36, (scree_vec3){0.5f, 0.03f, 0.6f}, (scree_vec3){0.5f, 0, 0}, 0);
    scree_body_state moving = state_of(world, door);
    moving.angular_velocity.z = 3, moving.linear_velocity.y = 1.5f;
    CHECK(scree_body_set_state(world, door, &moving));
    join(world, SCREE_JOINT_HINGE, ground, door, (scree_vec3){0, 0, 0.5f}, z);
    join(world, SCREE_JOINT_HINGE, ground, door, (scree_vec3){1e-5f, 0, -0.5f}, z);
    for (int step = 0; step < 20; step++) {
        CHECK(scree_world_step(world, NULL));
        ASSERT_NEAR(state_of(world, door).angular_velocity.z, 3, 0.01);
    }
    scree_world_destroy(world);
}

static void a_door_on_worn_hinges_turns(void **state) {
    turn_a_worn_door(state, false);
    turn_a_worn_door(state, true);
}

/* A frictionless double pendulum conserves its energy to 1 % of its exchanged energy over 10 s. */
static void a_double_pendulum_conserves_energy(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.002;
    def.solver.iterations = 30;
    scree_world *world = world_of(&def);
    const scree_vec3 half = {0.5f, 0.02f, 0.02f}, y = {0, 1, 0};
    const scree_body_id upper = add_rod(world, 1, half, (scree_vec3){0.5f, 0, 0}, 0),
                        lower = add_rod(world, 1, half, (scree_vec3){1.5f, 0, 0}, 0);
    join(world, SCREE_JOINT_HINGE, ground, upper, any, y);
    join(world, SCREE_JOINT_HINGE, upper, lower, (scree_vec3){1, 0, 0}, y);
    scree_statistics s = run_for(world, 0.002);
    const double first = s.kinetic_energy + s.potential_energy;
    for (int step = 0; step < 5000; step++) {
        CHECK(scree_world_step(world, &s));
        ASSERT_WITHIN(s.kinetic_energy + s.potential_energy, first, 0.01 * 2 * G * 2);
        ASSERT_AT_MOST(s.joint_error_max, 2e-3);
    }
    scree_world_destroy(world);
}

/* Hangs a load of `ratio` link masses on a chain of ten links; returns the largest joint error over the last
 * second, in links. */
static double hanging_error(void **state, double ratio, int iterations) {
    scree_world_def def = def_on(state);
    def.solver.iterations = iterations;
    scree_world *world = world_of(&def);
    const scree_vec3 half = {0.02f, 0.02f, 0.05f}, x = {1, 0, 0};
    scree_body_id last = ground;
    for (int i = 0; i < 10; i++) {
        const scree_body_id link = add_rod(world, 1, half, (scree_vec3){0, 0, -0.05f - 0.1f * (float)i}, 0);
        join(world, SCREE_JOINT_BALL, last, link, (scree_vec3){0, 0, -0.1f * (float)i}, x);
        last = link;
    }
    const scree_body_id load =
        add_rod(world, ratio, (scree_vec3){0.5f, 0.5f, 0.5f}, (scree_vec3){0, 0, -1.5f}, 0);
    join(world, SCREE_JOINT_BALL, last, load, (scree_vec3){0, 0, -1}, x);
    run_for(world, 2);
    double most = 0;
    for (int i = 0; i < 60; i++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        most = fmax(most, s.joint_error_max / 0.1);
    }
    scree_world_destroy(world);
    return most;
}

static void a_chain_carries_its_load(void **state) { ASSERT_AT_MOST(hanging_error(state, 10, 60), 0.01); }

/* 100 links between two points hang in a catenary: the links lie on a cosh of the chain's length. (Short
 * links need short steps: a link under the tension T turns at ω² ~ 6 T/(m ℓ), and h ω must be below 2.) */
static void a_chain_hangs_in_a_catenary(void **state) {
    enum { LINKS = 100 };
    scree_world_def def = def_on(state);
    def.time_step = 0.004;
    def.solver.iterations = 60, def.solver.local_sweeps = 1;
    scree_world *world = world_of(&def);
    /* z = a cosh(x/a), from −w to w, has the length 2 a sinh(w/a): w = 8 m, length 20 m. */
    const double w = 8, half = 10, l = 2 * half / LINKS;
    double a = 6;
    for (int i = 0; i < 60; i++) a -= (a * sinh(w / a) - half) / (sinh(w / a) - w / a * cosh(w / a));
    scree_body_id links[LINKS], last = ground;
    scree_vec3 point = {(float)-w, 0, 0};
    const scree_vec3 y = {0, 1, 0};
    for (int i = 0; i < LINKS; i++) {
        /* The initial shape is the catenary with a small swing of the middle: points at equal arc lengths. */
        const double s = -half + l * (i + 1), x = a * asinh(s / a), z = a * (cosh(x / a) - cosh(w / a));
        const double dx = x - (double)point.x, dz = z - (double)point.z;
        links[i] =
            add_rod(world, 0.2, (scree_vec3){(float)(l / 2), 0.02f, 0.02f},
                    (scree_vec3){(float)((double)point.x + dx / 2), 0, (float)((double)point.z + dz / 2)},
                    -atan2(dz, dx));
        join(world, SCREE_JOINT_HINGE, last, links[i], point, y);
        last = links[i];
        point = (scree_vec3){(float)x, 0, (float)z};
    }
    join(world, SCREE_JOINT_HINGE, ground, last, point, y);
    const scree_statistics now = run_for(world, 2);
    for (int i = 0; i < LINKS; i++) {
        const scree_vec3 at = state_of(world, links[i]).position;
        const double z = a * (cosh((double)at.x / a) - cosh(w / a));
        ASSERT_WITHIN(at.z, z, 0.01 * 2 * half);
    }
    ASSERT_AT_MOST(now.joint_error_max, 0.01 * l);
    scree_world_destroy(world);
}

/* Returns the hash of a door on two hinges hit by grains; the same bits are required on any number of
 * threads, and on processors by OpenCL. */
static uint64_t door(scree_backend_kind kind, int threads) {
    scree_world_def def = scree_default_world_def();
    def.backend = kind, def.threads = threads, def.device = test_device();
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    const scree_vec3 z = {0, 0, 1};
    const scree_body_id leaf =
        add_rod(world, 5, (scree_vec3){0.5f, 0.03f, 0.5f}, (scree_vec3){0.5f, 0, 0.6f}, 0);
    for (int i = 0; i < 2; i++)
        join(world, SCREE_JOINT_HINGE, ground, leaf, (scree_vec3){0, 0, 0.3f + 0.6f * (float)i}, z);
    for (int i = 0; i < 200; i++)
        add_body(world, scree_shape_sphere(0.05f),
                 (scree_vec3){0.1f + 0.11f * (float)(i % 8), -0.4f - 0.12f * (float)(i / 40),
                              0.2f + 0.15f * (float)(i / 8 % 5)},
                 (scree_vec3){0, 4, 0});
    run_for(world, 1);
    const scree_body_state now = state_of(world, leaf);
    assert_true(fabs((double)now.rotation.z) > 0.05); /* it opened */
    ASSERT_WITHIN(now.position.z, 0.6, 2e-3);
    const uint64_t hash = scree_world_get_hash(world);
    scree_world_destroy(world);
    return hash;
}

static void a_door_has_the_same_bits_everywhere(void **state) {
    const char *only = getenv("SCREE_TEST_BACKEND");
    (void)state;
    const uint64_t one = door(SCREE_BACKEND_NATIVE, 1);
    assert_true(door(SCREE_BACKEND_NATIVE, 2) == one);
    assert_true(door(SCREE_BACKEND_NATIVE, 8) == one);
    if (device_has_native_bits() && !only) assert_true(door(SCREE_BACKEND_OPENCL, 2) == one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(slider_crank_follows_its_closed_form),
        ON_EACH_BACKEND(a_top_precesses),
        ON_EACH_BACKEND(a_four_bar_linkage_swings),
        ON_EACH_BACKEND(a_door_on_worn_hinges_turns),
        ON_EACH_BACKEND(a_double_pendulum_conserves_energy),
        ON_EACH_BACKEND(a_chain_carries_its_load),
        ON("native", a_chain_hangs_in_a_catenary),
        cmocka_unit_test(a_door_has_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
