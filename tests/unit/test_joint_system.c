/* The rows of a joint solved together, against their statement: J V from the blocks, bounds and
 * complementarity of every row, and the impulses that the bodies receive. */
#include "random_vectors.h"
#include "scenery.h"

#include "rows/problem.h"
#include "bounded_rows.h"
#include "joint_system.h"

#include <string.h>

static uint64_t seed = 11;

static float noise(void) { return (float)random_noise(&seed); }
static vec3s any_vector(void) { return random_vector(&seed, -1, 1); }

static body_mobility random_mobility(void) {
    const symmetric3 inertia = random_symmetric(&seed, 10);
    const float mass = 1.5f + noise();
    return (body_mobility){.inverse_mass = {mass, mass, mass},
                           .diagonal = inertia.diagonal,
                           .off_diagonal = inertia.off_diagonal};
}

enum { BLOCKS = 4 };

/* A joint between two bodies: a block of locked translations, one of locked angles with a free axis, one of
 * bounded angles, and one of springs. */
typedef struct joint_case {
    body_mobility mobility[2];
    body_velocity start[2], velocity[2];
    constraint_block blocks[BLOCKS];
    bounded_rows rows[BLOCKS];
    block_impulse impulses[BLOCKS];
    int row_systems[BLOCKS];
    system_place place;
    joint_system system;
    problem p;
} joint_case;

static void set_bounds(bounded_rows *rows, int axis, float low, float high) {
    float *of_low[] = {&rows->low.x, &rows->low.y, &rows->low.z},
          *of_high[] = {&rows->high.x, &rows->high.y, &rows->high.z};
    *of_low[axis] = low;
    *of_high[axis] = high;
}

static void fill_block(joint_case *m, int i) {
    const vec3s normal = random_direction(&seed);
    m->blocks[i] = (constraint_block){.kind = BLOCK_BOUNDED,
                                      .body_b = 1,
                                      .angular = i > 0,
                                      .rows = i,
                                      .arm_a = m->blocks[0].arm_a,
                                      .arm_b = any_vector(),
                                      .normal = normal,
                                      .tangent = tangent_of(normal),
                                      .length = i > 0 ? 0.7f : 0};
    m->rows[i].bias = any_vector();
    for (int k = 0; k < 3; k++) {
        if (i == 0 || (i == 1 && k < 2) || i == 3) set_bounds(&m->rows[i], k, -INFINITY, INFINITY);
        if (i == 2) set_bounds(&m->rows[i], k, -0.1f, k < 2 ? 0.1f : INFINITY);
    }
    if (i == 3) m->rows[i].compliance = vec3_of(3, 4, 5);
}

static void random_case(joint_case *m, int number) {
    *m = (joint_case){.place = {.block_count = 1 + number % BLOCKS}};
    for (int side = 0; side < 2; side++) {
        if (side > 0 || number % 5) m->mobility[side] = random_mobility();
        m->start[side] = m->velocity[side] = (body_velocity){.linear = any_vector(), .angular = any_vector()};
    }
    for (int i = 0; i < BLOCKS; i++) fill_block(m, i);
    m->place.a = m->mobility[0];
    m->place.b = m->mobility[1];
    m->p = (problem){.blocks = m->blocks,
                     .rows = m->rows,
                     .row_systems = m->row_systems,
                     .places = &m->place,
                     .systems = &m->system};
    joint_system_place(&m->p, 0, m->place);
    joint_system_factor(&m->p, 0, false);
}

static void sweep(joint_case *m) {
    const size_t half = sizeof m->velocity[0], impulses = sizeof *m->impulses * (size_t)m->place.block_count;
    system_state state;
    memcpy(state.velocities, m->velocity, 2 * half);
    memcpy(state.impulses, m->impulses, impulses);
    for (int i = 0; i < m->place.block_count; i++)
        memcpy(state.bias + 4 * i, &m->rows[i].bias, 4 * sizeof *state.bias);
    system_swept(&m->system, 1, &state);
    memcpy(m->velocity, state.velocities, 2 * half);
    memcpy(m->impulses, state.impulses, impulses);
}

/* Checks every row of the joint to `most`, except bounded ones that the others keep from moving. */
static void check_rows(const joint_case *m, double most) {
    for (int i = 0; i < m->place.block_count; i++) {
        const vec3s u = bounded_velocity(m->blocks[i], m->rows[i], (solve_parameters){.relaxation = 1},
                                         m->impulses[i].value, m->velocity[0], m->velocity[1]);
        for (int k = 0; k < 3; k++) {
            const double r = (double)vec3_along(m->impulses[i].value, k), v = (double)vec3_along(u, k),
                         low = (double)vec3_along(m->rows[i].low, k),
                         high = (double)vec3_along(m->rows[i].high, k);
            assert_true(r >= low && r <= high);
            const bool moves = m->system.inverses[4 * i + k] > 0;
            if (low == high || (!isinf(low) && !moves)) continue;
            if (r > low) ASSERT_AT_MOST(v, most);
            if (r < high) ASSERT_AT_MOST(-v, most);
        }
    }
}

/* Checks that the velocities are those of the start and the impulses. */
static void check_velocities(const joint_case *m) {
    for (int side = 0; side < 2; side++) {
        body_impulse sum = {glms_vec3_zero(), glms_vec3_zero()};
        for (int i = 0; i < m->place.block_count; i++)
            sum = body_impulse_plus(sum, m->blocks[i], m->impulses[i], side);
        const body_velocity v = velocity_after(m->start[side], m->mobility[side], sum.linear, sum.angular);
        for (int k = 0; k < 3; k++) {
            ASSERT_WITHIN(vec3_along(m->velocity[side].linear, k), vec3_along(v.linear, k), 1e-4);
            ASSERT_WITHIN(vec3_along(m->velocity[side].angular, k), vec3_along(v.angular, k), 1e-3);
        }
    }
}

/* Without bounds one update solves all rows; with them a few do, although every update is exact in the
 * others. */
static void a_joint_is_solved(void **state) {
    (void)state;
    for (int number = 0; number < 400; number++) {
        joint_case m;
        random_case(&m, number);
        sweep(&m);
        if (number % BLOCKS < 2) check_rows(&m, 2e-4);
        for (int i = 0; i < 100; i++) sweep(&m);
        check_rows(&m, 2e-4);
        check_velocities(&m);
    }
}

/* A second joint at the same place is redundant: its rows take no part, and the others are solved. */
static void redundant_rows_are_left_out(void **state) {
    (void)state;
    for (int number = 0; number < 100; number++) {
        joint_case m;
        random_case(&m, 4 * number + 1);
        m.blocks[1] = m.blocks[0];
        m.blocks[1].rows = 1;
        m.rows[1] = m.rows[0];
        joint_system_factor(&m.p, 0, false);
        sweep(&m);
        assert_int_equal(m.system.held_count, 3);
        check_rows(&m, 2e-4);
        check_velocities(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_is_solved),
        cmocka_unit_test(redundant_rows_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
