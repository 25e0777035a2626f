/* Bodies that cohesion holds turn as one body, and bonds of any strength hold. */
#include "scenery.h"

enum { BALLS = 4 };

/* Adds touching balls on a line or at the corners of a tetrahedron, which turn as one body at `rate` about
 * the axis (0.3, 0.5, 0.81), or z. Sets their mass to hold with `times` the force that they need. */
static int add_balls(scree_world_def *def, int count, double rate, double times, scree_world **world,
                     scree_body_id ids[BALLS]) {
    const double r = 0.01, a = r / sqrt(2), mass = 1000 * 4.0 / 3 * M_PI * r * r * r,
                 corners[BALLS][3] = {{a, a, a}, {a, -a, -a}, {-a, a, -a}, {-a, -a, a}},
                 axis[3] = {count == 2 ? 0 : 0.3006, count == 2 ? 0 : 0.5010, count == 2 ? 1 : 0.8116};
    def->gravity = (scree_vec3){0, 0, 0};
    def->material.cohesion = (float)(times * mass * rate * rate * r);
    *world = world_of(def);
    for (int i = 0; i < count; i++) {
        const double line[3] = {i ? r : -r, 0, 0}, *x = count == 2 ? line : corners[i],
                     w[3] = {rate * axis[0], rate * axis[1], rate * axis[2]};
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere((float)r);
        body.state.position = (scree_vec3){(float)x[0], (float)x[1], (float)x[2]};
        body.state.angular_velocity = (scree_vec3){(float)w[0], (float)w[1], (float)w[2]};
        body.state.linear_velocity =
            (scree_vec3){(float)(w[1] * x[2] - w[2] * x[1]), (float)(w[2] * x[0] - w[0] * x[2]),
                         (float)(w[0] * x[1] - w[1] * x[0])};
        CHECK(scree_body_create(*world, &body, &ids[i]));
    }
    return count;
}

/* Runs and returns the largest relative change of the angular momentum, from the first step on. */
static double momentum_change(scree_world *world, double seconds) {
    scree_statistics s;
    double first[3], most = 0, size = 0;
    const long steps = lround(seconds / scree_world_get_def(world).time_step);
    for (long step = 0; step < steps; step++) {
        double change = 0;
        CHECK(scree_world_step(world, &s));
        for (int k = 0; k < 3; k++) {
            if (step == 0) first[k] = s.angular_momentum[k], size += first[k] * first[k];
            change += pow(s.angular_momentum[k] - first[k], 2);
        }
        most = fmax(most, sqrt(change / size));
    }
    return most;
}

static double distance_between(const scree_world *world, scree_body_id a, scree_body_id b) {
    const scree_vec3 p = state_of(world, a).position, q = state_of(world, b).position;
    return length_of((scree_vec3){p.x - q.x, p.y - q.y, p.z - q.z});
}

/* Balls that cohesion binds turn as one body: they do not part, and keep their angular momentum, whatever the
 * angle that they turn by in a step. On tangents they would part by R (h ω)², 2.5 mm at 60 rad/s. Substeps
 * with fixed normals took 12 to 40 % of the angular momentum in a second. */
static void bound_balls_turn_as_one(void **state) {
    static const struct {
        int count;
        double rate, step;
        scree_stabilisation kind;
    } cases[] = {
        {2, 4, 1 / 120.0, SCREE_STABILISATION_SPLIT},    {2, 60, 1 / 120.0, SCREE_STABILISATION_SPLIT},
        {2, 100, 1e-3, SCREE_STABILISATION_SPLIT},       {2, 4, 1 / 120.0, SCREE_STABILISATION_SUBSTEP},
        {2, 60, 1 / 120.0, SCREE_STABILISATION_SUBSTEP}, {2, 100, 1e-3, SCREE_STABILISATION_SUBSTEP},
        {4, 20, 1 / 120.0, SCREE_STABILISATION_SPLIT},   {4, 20, 1 / 120.0, SCREE_STABILISATION_BAUMGARTE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scree_world_def def = def_on(state);
        scree_world *world;
        scree_body_id ids[BALLS];
        def.time_step = cases[i].step;
        def.solver = scree_solver_def_with_stabilisation(def.solver, cases[i].kind);
        const int count = add_balls(&def, cases[i].count, cases[i].rate, 5, &world, ids);
        const double change = momentum_change(world, 10);
        print_message("%d balls, %g rad/s, %g s, %s: angular momentum %.1e\n", count, cases[i].rate,
                      cases[i].step, scree_stabilisation_name(cases[i].kind), change);
        ASSERT_AT_MOST(change, 1e-4);
        for (int k = 1; k < count; k++) ASSERT_WITHIN(distance_between(world, ids[0], ids[k]), 0.02, 1e-5);
        scree_world_destroy(world);
    }
}

enum { SITES = 5, CLUSTER = (SITES * SITES * SITES + 1) / 2 };

/* Adds balls of 1 cm at half of the sites of a lattice, which turn as one body about the axis (0, 0.6, 0.8).
 */
static void add_cluster(scree_world *world, double rate) {
    const double apart = 0.01 * sqrt(2), w[3] = {0, 0.6 * rate, 0.8 * rate};
    for (int site = 0; site < SITES * SITES * SITES; site++) {
        const int at[3] = {site % SITES, site / SITES % SITES, site / (SITES * SITES)};
        if ((at[0] + at[1] + at[2]) % 2) continue;
        scree_body_def body = scree_default_body_def();
        double x[3];
        for (int k = 0; k < 3; k++) x[k] = (at[k] - SITES / 2) * apart;
        body.shape = scree_shape_sphere(0.01f);
        body.state.position = (scree_vec3){(float)x[0], (float)x[1], (float)x[2]};
        body.state.angular_velocity = (scree_vec3){0, (float)w[1], (float)w[2]};
        body.state.linear_velocity =
            (scree_vec3){(float)(w[1] * x[2] - w[2] * x[1]), (float)(w[2] * x[0]), (float)(-w[1] * x[0])};
        CHECK(scree_body_create(world, &body, NULL));
    }
}

/* An agglomerate of 63 balls keeps its angular momentum at the default tolerance, although each bond carries
 * up to a hundred times the force of its rotation: 1e-4. With arms that do not meet, and pushes that widen
 * what turns, it changed by 0.1 in a second. */
static void agglomerates_keep_their_angular_momentum(void **state) {
    static const scree_stabilisation kinds[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_BAUMGARTE};
    for (int i = 0; i < 4; i++) {
        const bool fast = i < 2;
        scree_world_def def = def_on(state);
        def.time_step = 1e-3, def.gravity = (scree_vec3){0, 0, 0};
        def.material.cohesion = fast ? 10 : 2, def.material.cohesion_distance = 1e-4f;
        def.solver = scree_solver_def_with_stabilisation(def.solver, kinds[i % 2]);
        scree_world *world = world_of(&def);
        scree_statistics s;
        add_cluster(world, fast ? 100 : 20);
        const double change = momentum_change(world, 1);
        CHECK(scree_world_step(world, &s));
        print_message("%d balls, %s: angular momentum %.1e\n", CLUSTER,
                      scree_stabilisation_name(kinds[i % 2]), change);
        ASSERT_AT_MOST(change, 1e-4);
        assert_int_equal(s.touching, 240); /* no bond has broken */
        scree_world_destroy(world);
    }
}

/* Eight cubes that cohesion holds turn as one at 0.08 rad a step, about an axis that is not theirs: none
 * parts, and they keep energy and angular momentum for two seconds. Pushes of the position pass of `split`
 * that are not taken back add 7 % to the energy. */
static void bound_cubes_turn_as_one(void **state) {
    static const scree_stabilisation kinds[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_BAUMGARTE};
    const double half = 0.01, w[3] = {0, 6, 8};
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        scree_statistics s;
        double first = 0, momentum[3] = {0}, change = 0;
        def.gravity = (scree_vec3){0, 0, 0};
        def.material.cohesion = 0.32f, def.material.cohesion_distance = 1e-4f;
        def.solver = scree_solver_def_with_stabilisation(def.solver, kinds[i]);
        scree_world *world = world_of(&def);
        for (int k = 0; k < 8; k++) {
            const double x[3] = {k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half};
            scree_body_def body = scree_default_body_def();
            body.shape = scree_shape_box((float)half, (float)half, (float)half);
            body.state.position = (scree_vec3){(float)x[0], (float)x[1], (float)x[2]};
            body.state.angular_velocity = (scree_vec3){0, (float)w[1], (float)w[2]};
            body.state.linear_velocity =
                (scree_vec3){(float)(w[1] * x[2] - w[2] * x[1]), (float)(w[2] * x[0]), (float)(-w[1] * x[0])};
            CHECK(scree_body_create(world, &body, NULL));
        }
        for (int step = 0; step < 240; step++) {
            CHECK(scree_world_step(world, &s));
            if (step > 0) continue;
            first = s.kinetic_energy;
            memcpy(momentum, s.angular_momentum, sizeof momentum);
        }
        for (int k = 0; k < 3; k++) change = fmax(change, fabs(s.angular_momentum[k] - momentum[k]));
        change /= hypot(hypot(momentum[0], momentum[1]), momentum[2]);
        print_message("%s: %d pairs, %.4f of the energy, angular momentum to %.1e\n",
                      scree_stabilisation_name(kinds[i]), s.touching, s.kinetic_energy / first, change);
        ASSERT_AT_LEAST(s.touching, 24); /* 12 pairs share a face, 12 an edge, 4 a corner */
        ASSERT_WITHIN(s.kinetic_energy / first, 1, 2e-3);
        ASSERT_AT_MOST(change, 1e-4);
        scree_world_destroy(world);
    }
}

/* Two bodies that cohesion holds. */
typedef struct bound_bodies {
    const char *name;
    scree_shape shape, other;
    double at; /* distance of the centres, m */
    bool lies; /* the axes of both are along the line between the centres */
} bound_bodies;

static scree_geometry *dumbbell(void) {
    const scree_clump_sphere balls[] = {{{0, 0, -0.006f}, 0.01f}, {{0, 0, 0.006f}, 0.01f}};
    scree_geometry *out;
    CHECK(scree_clump_create(balls, 2, &out));
    return out;
}

static scree_geometry *studded_box(void) {
    scree_compound_child children[] = {scree_default_compound_child(), scree_default_compound_child()};
    scree_geometry *out;
    children[0].shape = scree_shape_capsule(0.01f, 0.01f);
    children[1].shape = scree_shape_box(0.006f, 0.006f, 0.006f);
    CHECK(scree_compound_create(children, 2, &out));
    return out;
}

static void add_bound(scree_world *world, scree_shape shape, bool lies, double x, scree_body_id *id) {
    const float half = sqrtf(0.5f);
    scree_body_def body = scree_default_body_def();
    body.shape = shape;
    if (lies) body.state.rotation = (scree_quat){0, half, 0, half};
    body.state.position.x = (float)x;
    body.state.angular_velocity = (scree_vec3){0, 6, 8};
    body.state.linear_velocity = (scree_vec3){0, (float)(8 * x), (float)(-6 * x)};
    CHECK(scree_body_create(world, &body, id));
}

/* Any two bodies that cohesion holds turn as one at 0.08 rad a step, about an axis that is not theirs. On
 * tangents those that are not boxes parted in the first step. */
static void bound_bodies_turn_as_one(void **state) {
    const float r = 0.01f;
    scree_geometry *clump = dumbbell(), *compound = studded_box();
    const scree_shape ball = scree_shape_sphere(r), capsule = scree_shape_capsule(r, r),
                      cylinder = scree_shape_cylinder(r, r), cone = scree_shape_cone(r, 2 * r),
                      ellipsoid = scree_shape_ellipsoid(r, 1.5f * r, 2 * r),
                      pair = scree_shape_clump(clump, 1), studded = scree_shape_compound(compound, 1);
    const bound_bodies cases[] = {
        {"capsules", capsule, capsule, 0.02, false},
        {"capsules in line", capsule, capsule, 0.04, true},
        {"cylinders", cylinder, cylinder, 0.02, false},
        {"discs", cylinder, cylinder, 0.02, true},
        {"ellipsoids", ellipsoid, ellipsoid, 0.02, false},
        {"clumps", pair, pair, 0.02, false},
        {"compounds", studded, studded, 0.02, false},
        {"clump, ball", pair, ball, sqrt(0.0004 - 0.000036), false},
        {"cylinder, cone", cylinder, cone, 0.015, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scree_world_def def = def_on(state);
        scree_body_id a, b;
        scree_statistics s;
        def.gravity = (scree_vec3){0, 0, 0};
        def.time_step = 1 / 120.0;
        def.material.cohesion = 0.1f;
        scree_world *world = world_of(&def);
        add_bound(world, cases[i].shape, cases[i].lies, -cases[i].at / 2, &a);
        add_bound(world, cases[i].other, cases[i].lies, cases[i].at / 2, &b);
        const double change = momentum_change(world, 1);
        CHECK(scree_world_step(world, &s));
        print_message("%s: distance %.1e, angular momentum %.1e\n", cases[i].name,
                      distance_between(world, a, b) - cases[i].at, change);
        assert_int_equal(s.touching, 1);
        ASSERT_WITHIN(distance_between(world, a, b), cases[i].at, 1e-5);
        ASSERT_AT_MOST(change, 1e-4);
        scree_world_destroy(world);
    }
    scree_geometry_release(clump);
    scree_geometry_release(compound);
}

/* A clump and a ball that it holds by two contacts, of which one or the other is out of reach now and then,
 * keep their energy. It grew by 6 % in 2 s where contacts began with h F instead of the impulse that acted in
 * the last step. */
static void renewed_bonds_give_no_energy(void **state) {
    scree_geometry *clump = dumbbell();
    scree_world_def def = def_on(state);
    scree_body_id id;
    scree_statistics s;
    def.gravity = (scree_vec3){0, 0, 0};
    def.time_step = 1 / 120.0;
    def.material.cohesion = 10;
    def.solver.violation_tolerance = 0;
    scree_world *world = world_of(&def);
    const double at = sqrt(0.0004 - 0.000036) / 2;
    add_bound(world, scree_shape_clump(clump, 1), false, -at, &id);
    add_bound(world, scree_shape_sphere(0.01f), false, at, &id);
    CHECK(scree_world_step(world, &s));
    const double before = s.kinetic_energy;
    const double after = run_for(world, 2).kinetic_energy;
    print_message("%.4f of the energy\n", after / before);
    ASSERT_WITHIN(after / before, 1, 2e-3);
    scree_world_destroy(world);
    scree_geometry_release(clump);
}

/* A cylinder and a box that cohesion holds to a floor rock, wherever the origin of the floor is. With the
 * spin of a cylinder at half share at the floor's origin, it was thrown off at 200 times its energy at
 * 10 km, and with arms of the box from there, it lost 0.6 % in the first step at 100 km. */
static void origins_of_floors_do_not_matter(void **state) {
    const scree_shape shapes[] = {scree_shape_cylinder(0.05f, 0.05f), scree_shape_box(0.05f, 0.05f, 0.05f)};
    for (int i = 0; i < 4; i++) {
        double energies[2];
        for (int far = 0; far < 2; far++) {
            scree_world_def def = def_on(state);
            def.time_step = 1 / 120.0;
            def.material.cohesion = 200, def.material.cohesion_distance = 1e-4f;
            scree_world *world = world_of(&def);
            scree_body_def ground = scree_default_body_def(), body = ground;
            ground.type = SCREE_BODY_STATIC, ground.shape = scree_shape_half_space();
            ground.state.position.x = far ? 1e5f : 0;
            body.shape = shapes[i / 2], body.state.position.z = 0.05f;
            body.state.angular_velocity = (scree_vec3){3, 1, 5};
            CHECK(scree_body_create(world, i % 2 ? &body : &ground, NULL));
            CHECK(scree_body_create(world, i % 2 ? &ground : &body, NULL));
            energies[far] = run_for(world, def.time_step).kinetic_energy;
            scree_world_destroy(world);
        }
        ASSERT_NEAR(energies[1], energies[0], 1e-6);
    }
}

/* A bond of 15 000 times the force that it needs holds. */
static void strong_bonds_hold(void **state) {
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        scree_world *world;
        scree_body_id ids[BALLS];
        def.time_step = 1 / 120.0;
        if (i) def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_SUBSTEP);
        add_balls(&def, 2, 4, 15000, &world, ids);
        run_for(world, 10);
        ASSERT_WITHIN(distance_between(world, ids[0], ids[1]), 0.02, 1e-6);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", bound_balls_turn_as_one),
        ON("native", agglomerates_keep_their_angular_momentum),
        ON("native", bound_cubes_turn_as_one),
        ON("native", bound_bodies_turn_as_one),
        ON("native", renewed_bonds_give_no_energy),
        ON("native", origins_of_floors_do_not_matter),
        ON("native", strong_bonds_hold),
        ON("opencl", strong_bonds_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
