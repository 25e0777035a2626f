/* Each axis of the six-axis joint by itself, the free axes of each kind, and very long chains. */
#include "joint_scenery.h"

enum { HALF = SCREE_AXIS_ROTATION_X };
static const double H = 1.0 / 240, MASS = 2, INERTIA = 0.4;
static const double TURNED[4] = {0.2, -0.4, 0.1, 0.888819442}; /* of both frames relative to the world */

/* a weightless body on a joint to the world with rotated axes */
typedef struct bench {
    scree_world *world;
    scree_body_id body;
    scree_joint_id joint;
    scree_vec3 axes[3];
} bench;

static scree_vec3 along(const scree_quat q, int k) {
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                               {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                               {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    return (scree_vec3){(float)rows[k][0], (float)rows[k][1], (float)rows[k][2]};
}

/* Makes a joint with all axes locked except `k`, which is as given; −1 keeps the kind's defaults. */
static bench bench_of(void **state, scree_joint_kind kind, int k, const scree_joint_axis *axis) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    def.time_step = H;
    def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_ACCURATE);
    bench out = {.world = world_of(&def)};
    out.body = add_mass(out.world, MASS, INERTIA, (scree_vec3){0.3f, -0.2f, 1});
    scree_joint_def joint = scree_default_joint_def(kind);
    joint.b = out.body;
    joint.anchor_a = (scree_vec3){0.3f, -0.2f, 1};
    joint.frame_a = joint.frame_b =
        (scree_quat){(float)TURNED[0], (float)TURNED[1], (float)TURNED[2], (float)TURNED[3]};
    for (int i = 0; i < SCREE_AXIS_COUNT && k >= 0; i++) joint.axes[i].mode = SCREE_AXIS_LOCKED;
    if (k >= 0) joint.axes[k] = *axis;
    out.joint = add_joint(out.world, &joint);
    for (int i = 0; i < 3; i++) out.axes[i] = along(joint.frame_a, i);
    return out;
}

/* Applies a force of F m, or a torque of F I, along axis k for `seconds`, so that a free axis gains F per
 * second; returns its coordinate. */
static double push(bench *self, int k, double strength, double seconds) {
    const scree_vec3 e = self->axes[k % HALF];
    const float size = (float)(strength * (k < HALF ? MASS : INERTIA));
    const scree_vec3 load = {size * e.x, size * e.y, size * e.z};
    CHECK(scree_body_set_loads(self->world, self->body, k < HALF ? load : any, k < HALF ? any : load));
    run_for(self->world, seconds);
    return (double)joint_state_of(self->world, self->joint).position[k];
}

/* Returns the largest of the other coordinates. */
static double others(const bench *self, int k) {
    double most = 0;
    for (int i = 0; i < SCREE_AXIS_COUNT; i++)
        if (i != k) most = fmax(most, fabs((double)joint_state_of(self->world, self->joint).position[i]));
    return most;
}

static scree_joint_axis axis_of_mode(scree_axis_mode mode, int k) {
    scree_joint_axis out = scree_default_joint_def(SCREE_JOINT_GENERAL).axes[k];
    out.mode = mode;
    if (mode == SCREE_AXIS_LIMITED) out.low = -0.2f, out.high = 0.1f;
    return out;
}

/* Returns a free axis within its range: the second angle ends before 90°. */
static scree_joint_axis free_axis(int k) {
    scree_joint_axis out = axis_of_mode(SCREE_AXIS_FREE, k);
    if (k == SCREE_AXIS_ROTATION_Y) out.mode = SCREE_AXIS_LIMITED, out.low = -1.4f, out.high = 1.4f;
    return out;
}

static void check_axis(void **state, int k) {
    const double t = 0.5, way = 1 * t * (t + H) / 2; /* h² n (n + 1)/2 */
    scree_joint_axis axis = free_axis(k);
    bench b = bench_of(state, SCREE_JOINT_GENERAL, k, &axis);
    ASSERT_NEAR(push(&b, k, 1, t), way, 1e-3);
    ASSERT_AT_MOST(others(&b, k), 1e-5);
    scree_world_destroy(b.world);
    axis = axis_of_mode(SCREE_AXIS_LOCKED, k);
    b = bench_of(state, SCREE_JOINT_GENERAL, k, &axis);
    ASSERT_AT_MOST(fabs(push(&b, k, 10, t)), 1e-5);
    scree_world_destroy(b.world);
    axis = axis_of_mode(SCREE_AXIS_LIMITED, k);
    b = bench_of(state, SCREE_JOINT_GENERAL, k, &axis);
    ASSERT_NEAR(push(&b, k, 3, t), 0.1, 2e-3);
    ASSERT_NEAR(push(&b, k, -3, 1), -0.2, 2e-3);
    scree_world_destroy(b.world);
}

static void every_axis_is_free_locked_or_limited(void **state) {
    for (int k = 0; k < SCREE_AXIS_COUNT; k++) check_axis(state, k);
}

static void check_drives(void **state, int k) {
    const double unit = k < HALF ? MASS : INERTIA;
    scree_joint_axis axis = free_axis(k);
    axis.drive = SCREE_DRIVE_VELOCITY, axis.target = 0.3f, axis.max_force = (float)(2 * unit);
    bench b = bench_of(state, SCREE_JOINT_GENERAL, k, &axis);
    push(&b, k, 0, 0.1);
    ASSERT_NEAR((double)joint_state_of(b.world, b.joint).velocity[k], 0.2, 2e-3); /* still by 2 a second */
    push(&b, k, -1, 0.4);
    ASSERT_NEAR((double)joint_state_of(b.world, b.joint).velocity[k], 0.3, 1e-3);
    scree_world_destroy(b.world);
    axis = free_axis(k);
    axis.drive = SCREE_DRIVE_POSITION, axis.target = 0.15f;
    axis.servo = (scree_spring){.frequency = 2, .damping_ratio = 1};
    b = bench_of(state, SCREE_JOINT_GENERAL, k, &axis);
    ASSERT_NEAR(push(&b, k, 0, 1.5), 0.15, 1e-3);
    ASSERT_NEAR(push(&b, k, 4, 1.5), 0.15 + 4 / (16 * M_PI * M_PI), 5e-3); /* F/k = F/(m (2π f)²) */
    scree_world_destroy(b.world);
    axis = free_axis(k);
    axis.friction = (float)(2 * unit);
    b = bench_of(state, SCREE_JOINT_GENERAL, k, &axis);
    ASSERT_AT_MOST(fabs(push(&b, k, 1.9, 0.3)), 1e-5);
    ASSERT_NEAR(push(&b, k, 3, 0.5), 0.5 * (0.5 + H) / 2, 5e-3);
    scree_world_destroy(b.world);
}

static void every_axis_has_drives_and_friction(void **state) {
    for (int k = 0; k < SCREE_AXIS_COUNT; k++) check_drives(state, k);
}

/* Pushed and turned slightly along all axes, so that angles are those of small rotations. */
static void kinds_leave_their_axes_free(void **state) {
    static const struct {
        scree_joint_kind kind;
        const char *free; /* of x, y, z and the angles */
    } kinds[] = {{SCREE_JOINT_FIXED, "000000"},     {SCREE_JOINT_HINGE, "000100"},
                 {SCREE_JOINT_SLIDER, "100000"},    {SCREE_JOINT_CYLINDRICAL, "100100"},
                 {SCREE_JOINT_UNIVERSAL, "000101"}, {SCREE_JOINT_BALL, "000111"},
                 {SCREE_JOINT_PLANAR, "011100"},    {SCREE_JOINT_GENERAL, "111111"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bench b = bench_of(state, kinds[i].kind, -1, NULL);
        scree_vec3 all = any;
        for (int k = 0; k < 3; k++) all.x += b.axes[k].x, all.y += b.axes[k].y, all.z += b.axes[k].z;
        const float m = (float)MASS, inertia = (float)INERTIA;
        CHECK(scree_body_set_loads(b.world, b.body, (scree_vec3){m * all.x, m * all.y, m * all.z},
                                   (scree_vec3){inertia * all.x, inertia * all.y, inertia * all.z}));
        CHECK(scree_world_set_verify(b.world, 10));
        const double t = 0.25, way = t * (t + H) / 2;
        const scree_statistics s = run_for(b.world, t);
        const scree_joint_state at = joint_state_of(b.world, b.joint);
        for (int k = 0; k < SCREE_AXIS_COUNT; k++) {
            const bool is_free = kinds[i].free[k] == '1';
            print_message("%s%s%.2e", k ? "" : scree_joint_kind_name(kinds[i].kind), " ",
                          (double)at.position[k]);
            if (is_free)
                ASSERT_NEAR((double)at.position[k], way, 0.05);
            else
                ASSERT_AT_MOST(fabs((double)at.position[k]), 1e-5);
        }
        print_message(", verified %d: %.1e m/s\n", s.verified, s.verify_difference);
        if (s.verified) ASSERT_AT_MOST(s.verify_difference, 1e-5);
        scree_world_destroy(b.world);
    }
}

/* A thousand links, held at one end and released horizontally, with few sweeps and no trees: joints open by
 * less than a fiftieth of a link, the residual reports it, and no energy is gained. */
static void a_thousand_links_stay_together(void **state) {
    skip_if_short();
    enum { LINKS = 1000 };
    const float l = 0.1f;
    scree_world_def def = def_on(state);
    def.time_step = H;
    def.solver.direct_joints = false;
    scree_world *world = world_of(&def);
    scree_body_id last = nothing;
    for (int i = 0; i < LINKS; i++) {
        const scree_body_id link = add_body(world, scree_shape_box(l / 2, 0.02f, 0.02f),
                                            (scree_vec3){l * ((float)i + 0.5f), 0, 0}, any);
        const scree_joint_def ball = joint_at(world, SCREE_JOINT_BALL, last, link,
                                              (scree_vec3){l * (float)i, 0, 0}, (scree_vec3){1, 0, 0});
        add_joint(world, &ball);
        last = link;
    }
    double most = 0, highest = -1e300, fall = 0;
    scree_statistics s = {0};
    for (int step = 0; step < 40; step++) {
        CHECK(scree_world_step(world, &s));
        most = fmax(most, s.joint_error_max);
        highest = fmax(highest, s.kinetic_energy + s.potential_energy);
        fall = fmin(fall, s.potential_energy);
    }
    print_message(
        "largest error %.2e of a link, at the end %.2e; energy at most %.3e of what fell; residual %.1e\n",
        most / (double)l, s.joint_error_max / (double)l, highest / -fall, s.solve.residual);
    ASSERT_AT_MOST(most, 0.02 * (double)l);
    ASSERT_AT_MOST(highest, -0.01 * fall);
    assert_true(s.solve.residual > 1e-6);
    scree_world_destroy(world);
}

/* A motor begins at 0.2 s and reaches its speed v 0.5 s later, so that it has turned by v (0.25 + 0.3) s
 * after 1 s. A servo moves its place alike. A copy of the world continues with the same bits. */
static void targets_grow_from_their_start(void **state) {
    for (int i = 0; i < 4; i++) {
        const bool servo = i & 1;
        const int k = i & 2 ? SCREE_AXIS_ROTATION_X : SCREE_AXIS_X;
        scree_joint_axis axis = {.mode = SCREE_AXIS_FREE, .target = 0.6f, .max_force = INFINITY};
        axis.start = 0.2, axis.ramp = 0.5;
        axis.drive = servo ? SCREE_DRIVE_POSITION : SCREE_DRIVE_VELOCITY;
        if (servo) axis.servo = (scree_spring){.frequency = 1e5f, .damping_ratio = 1};
        bench self = bench_of(state, SCREE_JOINT_GENERAL, k, &axis);
        run_for(self.world, 0.1);
        ASSERT_WITHIN(joint_state_of(self.world, self.joint).position[k], 0, 1e-7);
        run_for(self.world, 0.35);
        const scree_joint_state middle = joint_state_of(self.world, self.joint);
        ASSERT_NEAR(servo ? middle.position[k] : middle.velocity[k], 0.3, 1e-3);
        scree_world *copy;
        CHECK(scree_world_clone(self.world, &copy));
        run_for(self.world, 0.55);
        run_for(copy, 0.55);
        const scree_joint_state end = joint_state_of(self.world, self.joint);
        ASSERT_NEAR(servo ? end.position[k] : end.velocity[k], 0.6, 1e-4);
        if (!servo) ASSERT_NEAR(end.position[k], 0.6 * 0.55, 0.01);
        assert_true(scree_world_get_hash(copy) == scree_world_get_hash(self.world));
        scree_world_destroy(copy);
        scree_world_destroy(self.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(every_axis_is_free_locked_or_limited),
        ON_EACH_BACKEND(every_axis_has_drives_and_friction),
        ON_EACH_BACKEND(targets_grow_from_their_start),
        ON_EACH_BACKEND(kinds_leave_their_axes_free),
        ON("native", a_thousand_links_stay_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
