/* A contact problem from arrays: a block of mass m that slides at speed v on a floor and is stopped, as far
 * as friction can, within one time step h. With u = W r + q, W = 1/m and q = (−h g, v, 0), Coulomb's law
 * gives r_N = m h g, and friction takes μ h g from v, or all of it if v is less. */
#include "check.h"

static void solve(double mass, double friction, double speed) {
    enum { N = 1 };
    const double h = 0.01, g = 9.81;
    const int first[N + 1] = {0, 1}, column[N] = {0};
    const double blocks[9 * N] = {1 / mass, 0, 0, 0, 1 / mass, 0, 0, 0, 1 / mass},
                            q[3 * N] = {-h * g, speed, 0}, mu[N] = {friction};
    const scree_problem_def def = {
        .contacts = N, .first = first, .column = column, .blocks = blocks, .q = q, .friction = mu};
    const scree_problem_options options = scree_default_problem_options();
    scree_problem_report report;
    scree_problem *problem;
    double r[3 * N], u[3 * N];
    CHECK(scree_problem_create(&def, &problem));
    CHECK(scree_problem_solve(problem, &options, r, u, &report));
    const double left = speed > friction * h * g ? speed - friction * h * g : 0;
    printf("mu %.1f: r = (%.5f, %.5f) N s, speed %.5f m/s (exact: %.5f), residual %.0e by %s\n", friction,
           r[0], r[1], u[1], left, report.residual[SCREE_MEASURE_SCALED], report.solver);
    scree_problem_destroy(problem);
}

int main(void) {
    solve(2, 0.3, 0.1); /* slides on */
    solve(2, 1.5, 0.1); /* sticks */
    return 0;
}
