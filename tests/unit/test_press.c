/* Pressed manifolds: the normal rows of up to four contacts, against their statement in double precision. */
#include "random_vectors.h"
#include "scenery.h"

#include "update.h"

static uint64_t seed = 7;

static float noise(void) { return (float)random_noise(&seed); }
static vec3s any_vector(void) { return random_vector(&seed, -1, 1); }

static body_velocity random_velocity(void) {
    return (body_velocity){.linear = any_vector(), .angular = any_vector()};
}

static body_mobility random_mobility(bool moves) {
    if (!moves) return (body_mobility){0};
    const symmetric3 inertia = random_symmetric(&seed, 10);
    const float mass = 1.5f + noise();
    return (body_mobility){.inverse_mass = {mass, mass, mass},
                           .diagonal = inertia.diagonal,
                           .off_diagonal = inertia.off_diagonal};
}

/* a manifold: points of one face between two bodies, each with its own arms */
typedef struct manifold_case {
    body_mobility mobility[2];
    body_velocity velocity[2];
    constraint_block blocks[PRESS_POINTS];
    block_diagonal diagonals[PRESS_POINTS];
    block_impulse impulses[PRESS_POINTS];
    int count;
} manifold_case;

static manifold_case random_case(int i) {
    manifold_case m = {.count = 2 + i % 3};
    m.mobility[0] = random_mobility(i % 5 != 0), m.mobility[1] = random_mobility(true);
    m.velocity[0] = random_velocity(), m.velocity[1] = random_velocity();
    const vec3s normal = random_direction(&seed);
    for (int k = 0; k < m.count; k++) {
        constraint_block *block = &m.blocks[k];
        *block = (constraint_block){.kind = BLOCK_CONTACT,
                                    .body_b = 1,
                                    .arm_a = any_vector(),
                                    .arm_b = any_vector(),
                                    .normal = normal,
                                    .friction = 0.5f,
                                    .bias = noise(),
                                    .correction = noise(),
                                    .compliance = i % 7 ? 0 : 0.5f};
        m.diagonals[k] = block_prepared(*block, m.mobility[0], m.mobility[1]);
        m.impulses[k].value = vec3_of(fabsf(noise()), noise(), noise());
    }
    return m;
}

static press rows_of(const manifold_case *m, solve_parameters parameters) {
    press rows;
    rows.count = m->count;
    for (int k = 0; k < m->count; k++)
        rows.rows[k] = press_row_of(m->blocks[k], m->diagonals[k], parameters, m->impulses[k], m->velocity[0],
                                    m->velocity[1], m->mobility[0], m->mobility[1], 0);
    return rows;
}

/* Returns u_N of a contact in double precision, from the velocities after all impulses. */
static double normal_velocity(const constraint_block *block, solve_parameters parameters, float impulse,
                              body_velocity a, body_velocity b) {
    const double n[3] = {(double)block->normal.x, (double)block->normal.y, (double)block->normal.z};
    const vec3s arms[2] = {block->arm_a, block->arm_b};
    const body_velocity v[2] = {a, b};
    double u = parameters.position_pass ? (double)block->correction
                                        : (double)block->bias + (double)block->compliance * (double)impulse;
    for (int side = 0; side < 2; side++) {
        const double r[3] = {(double)arms[side].x, (double)arms[side].y, (double)arms[side].z};
        const double w[3] = {(double)v[side].angular.x, (double)v[side].angular.y, (double)v[side].angular.z};
        const double l[3] = {(double)v[side].linear.x, (double)v[side].linear.y, (double)v[side].linear.z};
        const double at[3] = {l[0] + w[1] * r[2] - w[2] * r[1], l[1] + w[2] * r[0] - w[0] * r[2],
                              l[2] + w[0] * r[1] - w[1] * r[0]};
        for (int k = 0; k < 3; k++) u += (side ? 1 : -1) * n[k] * at[k];
    }
    return u;
}

/* Many sweeps solve the rows: r_N ≥ 0 ⟂ u_N ≥ 0, with the velocities that the impulses cause. */
static void pressed_rows_satisfy_their_statement(void **state) {
    (void)state;
    double worst = 0;
    int open = 0, closed = 0;
    for (int i = 0; i < 3000; i++) {
        const manifold_case m = random_case(i);
        solve_parameters parameters = {.law = LAW_COULOMB, .relaxation = 1, .position_pass = i % 2};
        /* A pass without compliance ignores that of its contacts. */
        const press rows = rows_of(&m, parameters);
        const press_impulses after = press_swept(&rows, 2000, 1);
        const body_velocity a = press_applied(&rows, after, m.velocity[0], -1),
                            b = press_applied(&rows, after, m.velocity[1], 1);
        for (int k = 0; k < m.count; k++) {
            const double u = normal_velocity(&m.blocks[k], parameters, after.values[k], a, b),
                         r = (double)after.values[k];
            assert_true(r >= 0);
            worst = fmax(worst, -u);
            if (r > 0)
                worst = fmax(worst, fabs(u)), closed++;
            else
                open++;
        }
    }
    print_message("largest violation %.1e m/s of %d closed and %d open contacts\n", worst, closed, open);
    assert_true(closed > 1000 && open > 1000);
    assert_true(worst < 1e-5);
}

/* One sweep over the rows equals sweeping the contacts one by one: the position pass of groups that are not
 * pressed. */
static void pressing_equals_sweeping_the_normals(void **state) {
    (void)state;
    for (int i = 0; i < 3000; i++) {
        const manifold_case m = random_case(i);
        const solve_parameters parameters = {.law = LAW_COULOMB, .relaxation = 0.9f, .position_pass = 1};
        const press rows = rows_of(&m, parameters);
        const press_impulses pressed = press_swept(&rows, 3, parameters.relaxation);
        const body_velocity a = press_applied(&rows, pressed, m.velocity[0], -1),
                            b = press_applied(&rows, pressed, m.velocity[1], 1);
        block_step step = {.a = m.velocity[0], .b = m.velocity[1]};
        block_impulse r[PRESS_POINTS];
        for (int k = 0; k < m.count; k++) r[k] = m.impulses[k];
        for (int sweep = 0; sweep < 3; sweep++)
            for (int k = 0; k < m.count; k++) {
                step = block_pushed(m.blocks[k], m.diagonals[k], parameters, r[k], step.a, step.b,
                                    m.mobility[0], m.mobility[1], 0);
                r[k] = step.impulse;
            }
        for (int k = 0; k < m.count; k++) assert_float_equal(pressed.values[k], r[k].value.x, 2e-5f);
        assert_float_equal(glms_vec3_norm(glms_vec3_sub(a.linear, step.a.linear)), 0, 5e-5f);
        assert_float_equal(glms_vec3_norm(glms_vec3_sub(a.angular, step.a.angular)), 0, 5e-4f);
        assert_float_equal(glms_vec3_norm(glms_vec3_sub(b.linear, step.b.linear)), 0, 5e-5f);
        assert_float_equal(glms_vec3_norm(glms_vec3_sub(b.angular, step.b.angular)), 0, 5e-4f);
    }
}

/* Half of the sweeps press if the normal row is independent of the tangential ones. */
static void laws_with_coupled_normals_are_not_pressed(void **state) {
    (void)state;
    solve_parameters parameters = {.law = LAW_COULOMB, .local_sweeps = 5};
    assert_int_equal(manifold_sweeps(4, parameters).pressed, 2);
    assert_int_equal(manifold_sweeps(4, parameters).whole, 3);
    assert_int_equal(manifold_sweeps(1, parameters).whole, 1);
    assert_int_equal(manifold_sweeps(5, parameters).whole, 5);
    const int laws[] = {LAW_ASSOCIATED, LAW_RADIAL};
    for (int i = 0; i < 2; i++) {
        parameters.law = laws[i], parameters.position_pass = 0;
        assert_int_equal(manifold_sweeps(4, parameters).pressed, 0);
        assert_int_equal(manifold_sweeps(4, parameters).whole, 5);
        parameters.position_pass = 1;
        assert_int_equal(manifold_sweeps(4, parameters).pressed, 5);
        assert_int_equal(manifold_sweeps(4, parameters).whole, 0);
    }
}

/* A box slides down a slope of 0.6 rad: local sweeps affect time only, not the solution of any law. */
static void local_sweeps_do_not_change_the_solution(void **state) {
    enum { STEPS = 20 };
    const float angle = 0.6f, friction = 0.4f, g = 9.81f;
    for (int law = 0; law < SCREE_LAW_COUNT; law++) {
        float speed = 0;
        for (int sweeps = 1; sweeps <= 4; sweeps += 3) {
            scree_world_def def = def_on(state);
            scree_statistics s = {0};
            double residual = 0;
            def.solver.law = (scree_law)law, def.solver.local_sweeps = sweeps;
            def.solver.iterations = 500, def.solver.tolerance = 1e-6f;
            def.material.friction = friction, def.time_step = 1 / 240.0f;
            def.gravity = (scree_vec3){g * sinf(angle), 0, -g * cosf(angle)};
            scree_world *world = world_of(&def);
            add_slope(world, 0);
            const scree_body_id box =
                add_body(world, scree_shape_box(0.2f, 0.1f, 0.3f), (scree_vec3){0, 0, 0.3f}, (scree_vec3){0});
            for (int i = 0; i < STEPS; i++) {
                CHECK(scree_world_step(world, &s));
                residual = fmax(residual, (double)s.solve.residual);
            }
            assert_true(residual <= 2e-6);
            const float reached = state_of(world, box).linear_velocity.x;
            if (sweeps > 1) assert_float_equal(reached, speed, 1e-3f * speed);
            speed = reached;
            scree_world_destroy(world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressed_rows_satisfy_their_statement),
        cmocka_unit_test(pressing_equals_sweeping_the_normals),
        cmocka_unit_test(laws_with_coupled_normals_are_not_pressed),
        ON("native", local_sweeps_do_not_change_the_solution),
        ON("opencl", local_sweeps_do_not_change_the_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
