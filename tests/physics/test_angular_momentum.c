/* Angular momentum in impacts: which settings conserve it and how large the errors of the others are. */
#include "scenery.h"

#include "random_vectors.h"

static void add_cross(double sum[3], double mass, const double x[3], const double v[3]) {
    for (int k = 0; k < 3; k++)
        sum[k] += mass * (x[(k + 1) % 3] * v[(k + 2) % 3] - x[(k + 2) % 3] * v[(k + 1) % 3]);
}

static void put3(scree_vec3 v, double out[3]) {
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

static double norm_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double mass_of(const scree_world *world, scree_body_id id) {
    float mass;
    CHECK(scree_body_get_mass(world, id, &mass, NULL));
    return (double)mass;
}

/* Computes L about the origin of bodies with equal principal moments. */
static void angular_momentum_of(const scree_world *world, const scree_body_id *ids, int count,
                                double out[3]) {
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < count; i++) {
        const scree_body_state at = state_of(world, ids[i]);
        double x[3], v[3], spin[3];
        float mass;
        scree_vec3 inertia;
        CHECK(scree_body_get_mass(world, ids[i], &mass, &inertia));
        put3(at.position, x), put3(at.linear_velocity, v), put3(at.angular_velocity, spin);
        add_cross(out, (double)mass, x, v);
        for (int k = 0; k < 3; k++) out[k] += (double)inertia.x * spin[k];
    }
}

static void places_of(const scree_world *world, const scree_body_id *ids, int count, double (*x)[3]) {
    for (int i = 0; i < count; i++) put3(state_of(world, ids[i]).position, x[i]);
}

/* Adds Σ m δx × v, where δx are displacements of centres beyond their velocities in a step that began at
 * x. */
static void add_ways(const scree_world *world, const scree_body_id *ids, int count, double (*x)[3], double h,
                     double sum[3]) {
    for (int i = 0; i < count; i++) {
        const scree_body_state now = state_of(world, ids[i]);
        double v[3], way[3];
        put3(now.linear_velocity, v), put3(now.position, way);
        for (int k = 0; k < 3; k++) way[k] -= x[i][k] + h * v[k];
        add_cross(sum, mass_of(world, ids[i]), way, v);
    }
}

/* Cubes of edge 2 a collide obliquely at 2 m/s. Impulses act at one point of both and conserve L = Σ m x ×
 * v + I ω. Only displacements δx beyond the velocities (the position pass of `split`) change it, by Σ m δx
 * × v. */
static void oblique_impacts_conserve_angular_momentum(void **state) {
    const scree_stabilisation kinds[] = {SCREE_STABILISATION_BAUMGARTE, SCREE_STABILISATION_SOFT,
                                         SCREE_STABILISATION_SPLIT};
    const double h = 0.004, a = 0.08;
    double moved = 0;
    for (int trial = 0; trial < 30; trial++) {
        uint64_t seed = (uint64_t)(trial / 3) + 1;
        scree_world_def def = def_on(state);
        def.time_step = h, def.gravity = (scree_vec3){0, 0, 0};
        def.material.restitution = 0.5f, def.solver.restitution_speed = 0;
        def.solver = scree_solver_def_with_stabilisation(def.solver, kinds[trial % 3]);
        scree_world *world = world_of(&def);
        scree_body_id ids[2];
        for (int i = 0; i < 2; i++) {
            scree_body_def body = scree_default_body_def();
            const vec3s place = random_vector(&seed, -0.08f, 0.08f), turn = random_vector(&seed, -0.4f, 0.4f);
            body.shape = scree_shape_box((float)a, (float)a, (float)a);
            body.state.position = (scree_vec3){i ? 0.3f : 0, place.y, place.z};
            body.state.rotation = (scree_quat){
                turn.x, turn.y, turn.z, sqrtf(1 - turn.x * turn.x - turn.y * turn.y - turn.z * turn.z)};
            body.state.linear_velocity.x = i ? -2 : 0;
            CHECK(scree_body_create(world, &body, &ids[i]));
        }
        double before[3], after[3], way[3] = {0, 0, 0}, left = 0, all = 0;
        angular_momentum_of(world, ids, 2, before);
        for (int step = 0; step < 60; step++) {
            double x[2][3];
            places_of(world, ids, 2, x);
            CHECK(scree_world_step(world, NULL));
            add_ways(world, ids, 2, x, h, way);
        }
        angular_momentum_of(world, ids, 2, after);
        for (int k = 0; k < 3; k++) {
            left += pow(after[k] - before[k] - way[k], 2);
            all += pow(way[k], 2);
        }
        const double unit = mass_of(world, ids[0]) * 2 * a;
        ASSERT_AT_MOST(sqrt(left) / unit, 5e-6);
        if (kinds[trial % 3] == SCREE_STABILISATION_SPLIT)
            moved = fmax(moved, sqrt(all) / unit);
        else
            ASSERT_AT_MOST(sqrt(all) / unit, 5e-6);
        scree_world_destroy(world);
    }
    ASSERT_AT_LEAST(moved, 1e-3);
    ASSERT_AT_MOST(moved, 5e-2);
}

enum { BALLS = 27 };

/* Makes balls of 5 to 8 cm that fly out of a lattice towards each other and spin. */
static scree_world *swarm(scree_world_def def, scree_body_id ids[BALLS], double radii[BALLS]) {
    uint64_t seed = 5;
    def.gravity = (scree_vec3){0, 0, 0};
    def.material.restitution = 0.5f, def.solver.restitution_speed = 0;
    scree_world *world = world_of(&def);
    for (int i = 0; i < BALLS; i++) {
        scree_body_def body = scree_default_body_def();
        const vec3s aside = random_vector(&seed, -0.02, 0.02), spin = random_vector(&seed, -5, 5);
        const float radius = (float)random_between(&seed, 0.05, 0.08),
                    x = 0.25f * (float)(i % 3 - 1) + aside.x, y = 0.25f * (float)(i / 3 % 3 - 1) + aside.y,
                    z = 0.25f * (float)(i / 9 - 1) + aside.z;
        body.shape = scree_shape_sphere(radius), radii[i] = (double)radius;
        body.state.position = (scree_vec3){x, y, z};
        body.state.linear_velocity = (scree_vec3){-3 * x - 2 * y, -3 * y + 2 * x, -3 * z};
        body.state.angular_velocity = (scree_vec3){spin.x, spin.y, spin.z};
        CHECK(scree_body_create(world, &body, &ids[i]));
    }
    return world;
}

static int place_of(const scree_body_id ids[BALLS], scree_body_id id) {
    int i = 0;
    while (i < BALLS && ids[i].index != id.index) i++;
    assert_true(i < BALLS);
    return i;
}

/* Adds the change of L by a step's impulses; `arms` sums its lengths. The arms are those at impact, r_a n and
 * −r_b n, relative to the centres x at the beginning of the step: (x_b − x_a − (r_a + r_b) n) × J per
 * contact. */
static void add_arms(const scree_world *world, const scree_body_id ids[BALLS], const double radii[BALLS],
                     double x[BALLS][3], double sum[3], double *arms) {
    scree_contact contacts[BALLS * 6];
    const int count = scree_contact_list(world, contacts, BALLS * 6);
    for (int i = 0; i < count; i++) {
        const int a = place_of(ids, contacts[i].a), b = place_of(ids, contacts[i].b);
        double n[3], impulse[3], moment[3] = {0, 0, 0};
        put3(contacts[i].normal, n), put3(contacts[i].impulse, impulse);
        for (int k = 0; k < 3; k++) n[k] = x[b][k] - x[a][k] - (radii[a] + radii[b]) * n[k];
        add_cross(moment, 1, n, impulse);
        for (int k = 0; k < 3; k++) sum[k] += moment[k];
        *arms += norm_of(moment);
    }
}

/* Returns the sum of the lengths of these arms' moments, relative to the angular momentum. L is conserved
 * except for `arms` and for Σ m δx × v of the position pass. */
static double arms_of_swarm(scree_world_def def, double h) {
    scree_body_id ids[BALLS];
    double radii[BALLS], before[3], after[3], added[3] = {0, 0, 0}, arms = 0;
    def.time_step = h;
    scree_world *world = swarm(def, ids, radii);
    angular_momentum_of(world, ids, BALLS, before);
    for (long step = 0; step < lround(0.5 / h); step++) {
        double x[BALLS][3];
        places_of(world, ids, BALLS, x);
        CHECK(scree_world_step(world, NULL));
        add_arms(world, ids, radii, x, added, &arms);
        add_ways(world, ids, BALLS, x, h, added);
    }
    angular_momentum_of(world, ids, BALLS, after);
    for (int k = 0; k < 3; k++) after[k] -= before[k] + added[k];
    ASSERT_AT_MOST(norm_of(after) / norm_of(before), 1e-6);
    scree_world_destroy(world);
    return arms / norm_of(before);
}

/* The arms cause a first-order error with every stabilisation; nothing else is lost. */
static void angular_momentum_error_is_that_of_impact_arms(void **state) {
    const scree_stabilisation kinds[] = {SCREE_STABILISATION_BAUMGARTE, SCREE_STABILISATION_SPLIT,
                                         SCREE_STABILISATION_RELAXED};
    for (int i = 0; i < 3; i++) {
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_stabilisation(def.solver, kinds[i]);
        const double coarse = arms_of_swarm(def, 0.008), fine = arms_of_swarm(def, 0.001);
        print_message("moments of arms over L: %.2e, an eighth of the step %.2e\n", coarse, fine);
        ASSERT_AT_LEAST(coarse, 1e-3);
        ASSERT_AT_MOST(fine, coarse / 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", oblique_impacts_conserve_angular_momentum),
        ON("native", angular_momentum_error_is_that_of_impact_arms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
