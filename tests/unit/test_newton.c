/* The reference's second-order finish: its linear systems, and stacks of boxes that sweeps alone hardly
 * solve. */
#include "expect.h"
#include "random.h"
#include "problem/elimination.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

static uint64_t seed = 7;

static double noise(void) { return random_noise(&seed); }

enum { ROWS = 40 };

/* Makes a random sparse asymmetric system with a large diagonal: b = A x for a known x. */
static void put_system(elimination *system, int rows, const real3 *x, real3 *b) {
    elimination_begin(system, rows);
    memset(b, 0, (size_t)rows * sizeof *b);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j) {
            if (i != j && noise() < 0.8) continue;
            real3x3 *block = elimination_block(system, i, j);
            assert_non_null(block);
            for (int e = 0; e < 9; ++e) block->m[e / 3][e % 3] = noise() + (i == j && e % 4 == 0 ? 20 : 0);
            b[i] = real3_sum(b[i], real3x3_times(block, x[j]));
        }
}

static void systems_are_solved(void **state) {
    (void)state;
    elimination system;
    CHECK(elimination_allocate(&system, ROWS));
    for (int i = 0; i < 200; ++i) {
        const int rows = i % ROWS + 1;
        real3 x[ROWS], b[ROWS], again[ROWS];
        for (int k = 0; k < rows; ++k) x[k] = (real3){noise(), noise(), noise()};
        const uint64_t from = seed;
        double products = 1e9, few;
        put_system(&system, rows, x, b);
        memcpy(again, b, sizeof b);
        assert_true(elimination_solve(&system, b, &products));
        for (int k = 0; k < rows; ++k) assert_true(real3_length(real3_difference(b[k], x[k])) < 1e-12);
        seed = from;
        put_system(&system, rows, x, again);
        few = (1e9 - products) / 2;
        assert_false(elimination_solve(&system, again, &few));
    }
    elimination_begin(&system, 2); /* the first row is zero */
    elimination_block(&system, 0, 0);
    elimination_block(&system, 1, 1)->m[0][0] = 1;
    real3 b[2] = {{1, 0, 0}, {1, 0, 0}};
    double products = 1e9;
    assert_false(elimination_solve(&system, b, &products));
    elimination_release(&system);
}

/* Boxes of given masses on each other, each with four contacts above the one below: forces are not unique,
 * but each layer carries the weight above it. Relative to a box's centre, impulse p in a corner at (±½,
 * ±½, ±½) changes its motion by p/m and by (arm × p)/I, I = m/6; the rows of a contact are its normal z, x
 * and y. */
enum { BOXES = 8, CORNERS = 4, CONTACTS = BOXES * CORNERS };

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; ++i) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Returns the velocity along `axis` at `arm` of a box of that mass after a unit impulse along `push` at
 * `at`. */
static double response(double mass, const double arm[3], int axis, const double at[3], int push) {
    double impulse[3] = {0}, turn[3], velocity[3];
    impulse[push] = 1;
    cross(at, impulse, turn);
    for (int i = 0; i < 3; ++i) turn[i] *= 6 / mass;
    cross(turn, arm, velocity);
    return velocity[axis] + (axis == push ? 1 / mass : 0);
}

static scree_problem *stack(const double mass[BOXES], double drop) {
    static const int axis_of[3] = {2, 0, 1};
    int *first = calloc(CONTACTS + 1, sizeof *first), *column = calloc(CONTACTS * CONTACTS, sizeof *column);
    double *blocks = calloc(9 * CONTACTS * CONTACTS, sizeof *blocks), q[3 * CONTACTS] = {0},
           friction[CONTACTS];
    for (int i = 0; i < CONTACTS; ++i) {
        friction[i] = 0.5;
        q[3 * i] = i < CORNERS ? -drop : 0;           /* all boxes fall equally: only the ground has an
                                                       * approach velocity */
        q[3 * i + 1] = i < CORNERS ? 0.05 * drop : 0; /* not enough to tip it over */
        first[i + 1] = CONTACTS * (i + 1);
        for (int j = 0; j < CONTACTS; ++j) {
            column[CONTACTS * i + j] = j;
            for (int e = 0; e < 9; ++e)
                for (int box = 0; box < BOXES; ++box) {
                    /* Contact k is below box k / 4 and, except for the first layer, above the previous
                     * box. */
                    const int sides[2] = {i / CORNERS - box, j / CORNERS - box};
                    if (sides[0] < 0 || sides[0] > 1 || sides[1] < 0 || sides[1] > 1) continue;
                    double arm[2][3];
                    for (int s = 0; s < 2; ++s) {
                        const int corner = (s ? j : i) % CORNERS;
                        arm[s][0] = corner % 2 ? 0.5 : -0.5, arm[s][1] = corner / 2 ? 0.5 : -0.5;
                        arm[s][2] = sides[s] ? 0.5 : -0.5;
                    }
                    blocks[9 * (CONTACTS * i + j) + e] +=
                        (sides[0] == sides[1] ? 1 : -1) *
                        response(mass[box], arm[0], axis_of[e / 3], arm[1], axis_of[e % 3]);
                }
        }
    }
    const scree_problem_def def = {.contacts = CONTACTS,
                                   .first = first,
                                   .column = column,
                                   .blocks = blocks,
                                   .q = q,
                                   .friction = friction};
    scree_problem *out = NULL;
    CHECK(scree_problem_create(&def, &out));
    free(first);
    free(column);
    free(blocks);
    return out;
}

static void stacks_are_solved_to_round_off(void **state) {
    (void)state;
    int steps = 0;
    for (int k = 0; k < 4; ++k) {
        double mass[BOXES], r[3 * CONTACTS], u[3 * CONTACTS];
        for (int i = 0; i < BOXES; ++i) mass[i] = pow(k, i); /* the heaviest on top */
        for (int i = 0; i < BOXES && k == 0; ++i) mass[i] = 1 + 0.5 * noise();
        scree_problem *p = stack(mass, 0.1);
        scree_problem_options options = scree_default_problem_options();
        scree_problem_report report;
        options.tolerance = 1e-12;
        CHECK(scree_problem_solve(p, &options, r, u, &report));
        print_message("top over bottom %g: %d sweeps, %d linear systems, residual %.1e\n", mass[7] / mass[0],
                      report.sweeps, report.newton_steps, report.residual[SCREE_MEASURE_SCALED]);
        assert_int_equal(report.stop, SCREE_STOP_RESIDUAL);
        steps += report.newton_steps;
        double above = 0;
        for (int layer = BOXES - 1; layer >= 0; --layer) {
            double carried = 0, along = 0;
            above += mass[layer];
            for (int c = CORNERS * layer; c < CORNERS * (layer + 1); ++c)
                carried += r[3 * c], along += r[3 * c + 1];
            assert_true(fabs(carried - 0.1 * above) <= 1e-8 * above);
            assert_true(fabs(along + 0.005 * above) <= 1e-8 * above);
        }
        for (int i = 0; i < 3 * CONTACTS; ++i) assert_true(fabs(u[i]) <= 1e-8);
        scree_problem_destroy(p);
    }
    assert_true(steps > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(systems_are_solved),
                                       cmocka_unit_test(stacks_are_solved_to_round_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
