/* Similarity: a scene in other units of length, time and mass moves in the same way. With units that are
 * powers of two every bit of the motion is the same, and so are the residual and the work of the solver.
 * Joints that are solved directly agree to VANISHING, and their reports are not compared. */
#include "units.h"

typedef struct similarity_case {
    const char *name;
    int steps;
    unsigned shapes; /* bits of scree_shape_kind */
    scree_law law;
    scree_method method;
    scree_stabilisation stabilisation;
    bool accurate, direct; /* preset; joints solved directly */
    float friction, restitution, rolling, cohesion;
    float speed;                               /* of the bodies at the start, m/s */
    float period;                              /* along x and y, m; 0: a box of walls */
    scree_shape_kind triangles;                /* mesh or solid: a body made of triangles below the others */
    uint32_t locks;                            /* of two bodies in three */
    bool weightless, joints, moving, bouncing; /* bouncing: restitution_speed 0 */
} similarity_case;

#define BIT(KIND) (1u << SCREE_SHAPE_##KIND)
#define PLAIN (BIT(SPHERE) | BIT(BOX) | BIT(CAPSULE) | BIT(CYLINDER) | BIT(CONE) | BIT(ELLIPSOID))
#define MADE (BIT(HULL) | BIT(CLUMP) | BIT(COMPOUND))
#define FEW (BIT(SPHERE) | BIT(BOX) | BIT(HULL) | BIT(CLUMP))
/* The solver's defaults, apart from those of the case. */
#define BY(LAW, METHOD, STABILISATION)                                                                       \
    .law = SCREE_LAW_##LAW, .method = SCREE_METHOD_##METHOD,                                                 \
    .stabilisation = SCREE_STABILISATION_##STABILISATION
#define DEFAULTS BY(COULOMB, ACCELERATED_PGS, SPLIT)

static const similarity_case cases[] = {
    {"all shapes", 40, PLAIN | MADE, DEFAULTS, .friction = 0.5f},
    {"all shapes, bouncing", 40, PLAIN | MADE, DEFAULTS, .friction = 0.3f, .restitution = 0.7f, .speed = 1},
    {"a solid", 40, FEW, DEFAULTS, .friction = 0.5f, .triangles = SCREE_SHAPE_SOLID},
    {"a mesh", 40, PLAIN | MADE, DEFAULTS, .friction = 0.5f, .triangles = SCREE_SHAPE_MESH},
    {"rolling", 40, BIT(SPHERE) | BIT(CAPSULE) | BIT(ELLIPSOID), DEFAULTS, .friction = 0.5f,
     .rolling = 2e-3f},
    {"cohesion", 40, BIT(SPHERE) | BIT(BOX) | BIT(CLUMP), DEFAULTS, .friction = 0.5f, .cohesion = 3},
    {"baumgarte", 40, FEW, BY(COULOMB, ACCELERATED_PGS, BAUMGARTE), .friction = 0.5f, .restitution = 0.3f},
    {"soft", 40, FEW, BY(COULOMB, ACCELERATED_PGS, SOFT), .friction = 0.5f},
    {"relaxed", 40, FEW, BY(COULOMB, ACCELERATED_PGS, RELAXED), .friction = 0.5f},
    {"penalty", 40, FEW, BY(COULOMB, ACCELERATED_PGS, PENALTY), .friction = 0.5f},
    {"substep", 20, FEW, BY(COULOMB, PGS, SUBSTEP), .friction = 0.5f},
    {"pyramid, jacobi", 40, FEW, BY(PYRAMID, JACOBI, SPLIT), .friction = 0.5f},
    {"associated, accelerated jacobi", 40, FEW, BY(ASSOCIATED, ACCELERATED_JACOBI, SPLIT), .friction = 0.5f},
    {"radial, pgs", 40, FEW, BY(RADIAL, PGS, SPLIT), .friction = 0.5f},
    {"accurate", 12, PLAIN | MADE, DEFAULTS, .accurate = true, .friction = 0.5f},
    {"periodic", 60, BIT(SPHERE) | BIT(BOX) | BIT(HULL), DEFAULTS, .friction = 0.5f, .restitution = 0.2f,
     .speed = 1, .period = 0.75f},
    {"gas", 60, BIT(SPHERE), DEFAULTS, .restitution = 1, .speed = 1, .weightless = true, .bouncing = true},
    {"fast", 40, FEW, DEFAULTS, .friction = 0.5f, .restitution = 0.4f, .speed = 8},
    {"locked", 40, FEW, DEFAULTS, .friction = 0.5f,
     .locks = SCREE_LOCK_Y | SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Z},
    {"moving grounds", 40, FEW, DEFAULTS, .friction = 0.5f, .moving = true},
    {"joints", 40, BIT(BOX), DEFAULTS, .friction = 0.5f, .joints = true},
    {"direct joints", 40, BIT(BOX), DEFAULTS, .friction = 0.5f, .joints = true, .direct = true},
    {"soft joints", 40, BIT(BOX), BY(COULOMB, ACCELERATED_PGS, SOFT), .friction = 0.5f, .joints = true},
    {"joints in substeps", 20, BIT(BOX), BY(COULOMB, PGS, SUBSTEP), .friction = 0.5f, .joints = true},
};
enum { CASES = sizeof cases / sizeof cases[0], GRAINS = 27 };

/* Masses from 1e-14 to 1e13 kg, sizes from 0.5 um to 60 m, gravity from 1e-8 to 1e5 m/s². Each case takes one
 * of each half. */
static const units changes[] = {
    {-7, 0, 0},  {-10, -5, -20}, {0, -6, 0}, {-14, 12, -36}, {-17, -9, -47},
    {10, 5, 20}, {0, 8, 0},      {10, 0, 0}, {-3, 0, 30},    {-14, 8, -42},
};
enum { CHANGES = sizeof changes / sizeof changes[0] };

static scree_solver_def solver_of(const similarity_case *of) {
    scree_solver_def def = scree_default_solver_def();
    if (of->accurate) def = scree_solver_def_with_preset(def, SCREE_PRESET_ACCURATE);
    def = scree_solver_def_with_stabilisation(def, of->stabilisation);
    def.law = of->law, def.method = of->method;
    def.direct_joints = of->direct;
    if (of->bouncing) def.restitution_speed = 0;
    return def;
}

static void begin(void **state, const similarity_case *of, site *out) {
    scree_world_def def = def_on(state);
    def.material.friction = of->friction, def.material.restitution = of->restitution;
    def.material.rolling_friction = of->rolling, def.material.spinning_friction = of->rolling / 2;
    def.material.cohesion = of->cohesion, def.material.cohesion_distance = 1e-3f;
    def.period = (scree_vec3){of->period, of->period, 0};
    def.solver = solver_of(of);
    if (of->weightless) def.gravity = (scree_vec3){0};
    site_begin(out, def);
}

static void add_ground(site *self, scree_shape shape, scree_vec3 at, bool moving) {
    scree_body_def def = scree_default_body_def();
    def.type = moving ? SCREE_BODY_KINEMATIC : SCREE_BODY_STATIC;
    def.shape = shape, def.state.position = at;
    if (moving) def.state.angular_velocity.z = 1.5f;
    if (moving) def.surface_velocity = (scree_vec3){1, 0.2f, 0};
    site_add(self, def);
}

static void add_walls(site *self, float half) {
    const float thick = 0.1f, wide = half + 2 * thick;
    for (int i = 0; i < 4; i++) {
        const float side = i % 2 ? half + thick : -half - thick;
        const scree_shape wall =
            scree_shape_box(length_in(self, (double)(i < 2 ? thick : wide)),
                            length_in(self, (double)(i < 2 ? wide : thick)), length_in(self, 1));
        add_ground(self, wall, (scree_vec3){i < 2 ? side : 0, i < 2 ? 0 : side, 1}, false);
    }
}

static scree_quat rotation_out(versors q) { return (scree_quat){q.x, q.y, q.z, q.w}; }

static scree_shape_kind kind_at(unsigned shapes, int i) {
    int kind = 0;
    for (int k = i % __builtin_popcount(shapes); k >= 0; kind++) k -= (int)(shapes >> kind & 1);
    return (scree_shape_kind)(kind - 1);
}

static void add_grains(site *self, const similarity_case *of) {
    for (int i = 0; i < GRAINS; i++) {
        scree_body_def def = scree_default_body_def();
        const float size = 0.06f * (float)random_between(&self->seed, 0.5, 1);
        def.shape = site_shape(self, kind_at(of->shapes, i), size);
        def.state.position = (scree_vec3){0.15f * (float)(i % 3 - 1), 0.15f * (float)(i / 3 % 3 - 1),
                                          (of->triangles ? 0.35f : 0) + 0.1f + 0.12f * (float)(i / 9)};
        def.state.rotation = rotation_out(random_rotation(&self->seed));
        def.state.linear_velocity =
            vec3_out(random_vector(&self->seed, -(double)of->speed, (double)of->speed));
        def.state.angular_velocity =
            vec3_out(random_vector(&self->seed, -5 * (double)of->speed, 5 * (double)of->speed));
        if (i % 3) def.locks = of->locks;
        if (i == 4) def.force = (scree_vec3){5, 0, 2}, def.torque = (scree_vec3){0, 0.01f, 0};
        site_add(self, def);
    }
}

/* Links move in no plane of symmetry: components that are zero but for rounding would leave single precision
 * in some units. */
static scree_body_id add_link(site *self, float x, float y) {
    scree_body_def def = scree_default_body_def();
    def.state.linear_velocity = vec3_out(random_vector(&self->seed, -0.1, 0.1));
    def.state.angular_velocity = vec3_out(random_vector(&self->seed, -1, 1));
    def.shape = scree_shape_box(length_in(self, 0.1), length_in(self, 0.05), length_in(self, 0.04));
    def.state.position = (scree_vec3){x, y, 1};
    return site_add(self, def);
}

/* Gives an axis of each kind of row a limit, a motor, a servo, a spring or friction. */
static void set_axes(const site *self, scree_joint_def *def) {
    scree_joint_axis *x = &def->axes[SCREE_AXIS_X], *turn = &def->axes[SCREE_AXIS_ROTATION_X],
                     *tilt = &def->axes[SCREE_AXIS_ROTATION_Y];
    if (def->kind == SCREE_JOINT_HINGE) {
        turn->mode = SCREE_AXIS_LIMITED, turn->low = -0.5f, turn->high = 0.5f;
        turn->friction = quantity(self, 0.02, 2, -2, 1);
    } else if (def->kind == SCREE_JOINT_SLIDER) {
        x->drive = SCREE_DRIVE_POSITION, x->target = length_in(self, 0.05);
        x->servo.stiffness = quantity(self, 2000, 0, -2, 1), x->servo.damping = quantity(self, 50, 0, -1, 1);
        x->max_force = quantity(self, 50, 1, -2, 1);
    } else if (def->kind == SCREE_JOINT_CYLINDRICAL) {
        turn->drive = SCREE_DRIVE_VELOCITY, turn->target = quantity(self, 3, 0, -1, 0);
        turn->max_force = quantity(self, 2, 2, -2, 1);
    } else if (def->kind == SCREE_JOINT_BALL) {
        tilt->mode = SCREE_AXIS_LIMITED, tilt->low = -0.3f, tilt->high = 0.3f;
        tilt->spring.stiffness = quantity(self, 5, 2, -2, 1);
        tilt->spring.damping = quantity(self, 0.1, 2, -1, 1);
    } else if (def->kind == SCREE_JOINT_DISTANCE) {
        x->mode = SCREE_AXIS_LIMITED, x->low = 0, x->high = length_in(self, 0.2);
    } else if (def->kind == SCREE_JOINT_SUSPENSION) {
        x->drive = SCREE_DRIVE_POSITION;
        x->servo.frequency = quantity(self, 3, 0, -1, 0), x->servo.damping_ratio = 0.3f;
    }
}

static void join(const site *self, scree_joint_kind kind, scree_body_id a, scree_body_id b, scree_vec3 at) {
    scree_joint_def def = scree_default_joint_def(kind);
    def.a = a, def.b = b;
    CHECK(scree_joint_get_frame(self->world, &def, vector_quantity(self, at, 1, 0, 0), (scree_vec3){1, 0, 0},
                                (scree_vec3){0}));
    set_axes(self, &def);
    CHECK(scree_joint_create(self->world, &def, NULL));
}

/* Adds a pair of bodies with a joint of each kind, held by the world, and a chain. */
static void add_joints(site *self) {
    scree_body_id last = {0};
    for (int kind = 0; kind < SCREE_JOINT_KIND_COUNT; kind++) {
        const float y = 0.5f * (float)kind;
        const scree_body_id a = add_link(self, 0, y), b = add_link(self, 0.25f, y);
        join(self, SCREE_JOINT_FIXED, (scree_body_id){0}, a, (scree_vec3){-0.1f, y, 1});
        join(self, (scree_joint_kind)kind, a, b, (scree_vec3){0.12f, y, 1});
    }
    for (int i = 0; i < 8; i++) {
        const scree_body_id next = add_link(self, 0.2f * (float)i, -1);
        join(self, SCREE_JOINT_UNIVERSAL, last, next, (scree_vec3){0.2f * (float)i - 0.1f, -1, 1});
        last = next;
    }
}

/* Adds a prism of triangles: a sheet is static, a solid falls. */
static void add_prism(site *self, scree_shape_kind kind) {
    scree_body_def def = scree_default_body_def();
    def.type = kind == SCREE_SHAPE_MESH ? SCREE_BODY_STATIC : SCREE_BODY_DYNAMIC;
    def.shape = site_shape(self, kind, 0.22f);
    def.state.position.z = kind == SCREE_SHAPE_MESH ? -0.1f : 0.2f;
    site_add(self, def);
}

static void build(void **state, const similarity_case *of, site *out) {
    begin(state, of, out);
    if (!of->weightless) add_ground(out, scree_shape_half_space(), (scree_vec3){0}, false);
    if (of->joints) {
        add_joints(out);
        return;
    }
    if (of->moving)
        add_ground(out, scree_shape_box(length_in(out, 0.4), length_in(out, 0.4), length_in(out, 0.04)),
                   (scree_vec3){0}, true);
    if (!(of->period > 0)) add_walls(out, 0.25f);
    if (of->triangles) add_prism(out, of->triangles);
    add_grains(out, of);
}

typedef struct outcome {
    scree_body_state states[SITE_BODIES];
    scree_solve_report report;
    int contacts, late;
} outcome;

static outcome *outcomes_make(int steps) {
    outcome *out = calloc((size_t)steps, sizeof *out);
    assert_non_null(out);
    return out;
}

/* Simulates a case and records its motion in the units. */
static void simulate(void **state, const similarity_case *of, units in, bool by_factor, outcome *out) {
    site at = {.in = in, .by_factor = by_factor, .seed = 7};
    scree_statistics s;
    build(state, of, &at);
    for (int step = 0; step < of->steps; step++) {
        CHECK(scree_world_step(at.world, &s));
        out[step] = (outcome){.report = s.solve, .contacts = s.contacts, .late = s.late};
        out[step].report.residual_absolute =
            scalbn(s.solve.residual_absolute, -in.mass - in.length + in.time);
        for (int i = 0; i < at.count; i++) out[step].states[i] = site_state(&at, i);
    }
    site_end(&at);
}

/* Returns the largest difference of a number of two states, and writes the body. */
static double apart(const outcome *a, const outcome *b, int *body) {
    enum { NUMBERS = sizeof(scree_body_state) / sizeof(float) };
    double largest = 0;
    for (int i = 0; i < SITE_BODIES * NUMBERS; i++) {
        const double d = fabs((double)((const float *)a->states)[i] - (double)((const float *)b->states)[i]);
        if (d > largest) *body = i / NUMBERS;
        largest = fmax(largest, d);
    }
    return largest;
}

static bool reports_equal(const scree_solve_report *a, const scree_solve_report *b) {
    return a->iterations == b->iterations && a->stop == b->stop && a->residual == b->residual &&
           a->violation == b->violation && a->residual_absolute == b->residual_absolute;
}

/* Largest difference of numbers of order 1 that counts as none: squares that vanish in some unit, and the
 * remainders of rounding, which joints that are solved directly compute from doubles. */
static const double VANISHING = 1e-12;

/* Returns whether two outcomes are the same; else prints the first difference. */
static bool are_equal(const similarity_case *of, units in, const char *by, const outcome *base,
                      const outcome *seen) {
    for (int step = 0; step < of->steps; step++) {
        const outcome *a = &base[step], *b = &seen[step];
        int body = -1;
        const double d = apart(a, b, &body);
        if (!(d > VANISHING) && (of->direct || reports_equal(&a->report, &b->report)) &&
            a->contacts == b->contacts && a->late == b->late)
            continue;
        print_message("%s in 2^%d m, 2^%d s, 2^%d kg%s: step %d: %.3g apart (body %d), %d and %d contacts, "
                      "residual %.9g and %.9g, absolute %.9g and %.9g, %d and %d iterations\n",
                      of->name, in.length, in.time, in.mass, by, step, d, body, a->contacts, b->contacts,
                      a->report.residual, b->report.residual, a->report.residual_absolute,
                      b->report.residual_absolute, a->report.iterations, b->report.iterations);
        return false;
    }
    return true;
}

/* Returns the number of units in which the motion differs. */
static int differences(void **state, const similarity_case *of, int first, int stride) {
    int different = 0;
    outcome *base = outcomes_make(of->steps), *seen = outcomes_make(of->steps);
    simulate(state, of, (units){0}, false, base);
    for (int i = first; i < CHANGES; i += stride) {
        simulate(state, of, changes[i], false, seen);
        different += !are_equal(of, changes[i], "", base, seen);
    }
    free(base);
    free(seen);
    return different;
}

static void motion_does_not_depend_on_the_units(void **state) {
    const bool native = backend_of(state) == SCREE_BACKEND_NATIVE;
    const int all = getenv("SCREE_TEST_UNITS") != NULL;
    int different = 0;
    for (int i = 0; i < CASES; i += native ? 1 : 7)
        different += differences(state, &cases[i], all ? 0 : i % 5, all ? 1 : 5);
    assert_int_equal(different, 0);
}

/* Shapes whose geometry has a factor, and those whose points are multiplied by it. */
static void a_factor_equals_scaled_points(void **state) {
    const similarity_case scenes[] = {
        {"factor", 40, MADE | BIT(SPHERE) | BIT(BOX), DEFAULTS, .friction = 0.4f, .restitution = 0.3f,
         .speed = 3},
        {"factor of a solid", 30, FEW, DEFAULTS, .friction = 0.4f, .triangles = SCREE_SHAPE_SOLID},
        {"factor of a mesh", 30, FEW, DEFAULTS, .friction = 0.4f, .triangles = SCREE_SHAPE_MESH}};
    int different = 0;
    for (int i = 0; i < 3; i++) {
        outcome *points = outcomes_make(scenes[i].steps), *factor = outcomes_make(scenes[i].steps);
        for (int exponent = -16; exponent <= 10; exponent += 13) {
            const units in = {exponent, 0, 3 * exponent};
            simulate(state, &scenes[i], in, false, points);
            simulate(state, &scenes[i], in, true, factor);
            different += !are_equal(&scenes[i], in, " by a factor", points, factor);
        }
        free(points);
        free(factor);
    }
    assert_int_equal(different, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", motion_does_not_depend_on_the_units), /* the reference works without units */
        ON("opencl", motion_does_not_depend_on_the_units),
        ON("native", a_factor_equals_scaled_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
