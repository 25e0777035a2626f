/* scree-laws: differences between the friction laws, measured on one sliding body; JSON on standard output.
 *
 * `lift`: a body that cannot turn slides on a floor; its upward and its tangential velocity after one step.
 * `angle`: the direction of friction relative to the direction of sliding, for sliding directions from 0 to
 * 90 degrees: `block` for the same body in a world, `corner` for a box that touches with a corner, whose
 * block couples normal and tangents, as a separate problem. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

static const double gravity = 9.81, time_step = 1.0 / 240, pi = 3.14159265358979323846;

static void check(scree_result result) {
    if (result == SCREE_OK) return;
    fprintf(stderr, "scree-laws: %s\n", scree_error_get_message());
    exit(1);
}

/* Makes one step of a body of 1 kg that slides on a floor with (x, y) m/s. Returns its velocity after the
 * step, and the impulse from the floor. */
static void slide(scree_law law, double friction, double x, double y, double velocity[3], double impulse[3]) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE, def.threads = 1, def.time_step = time_step;
    def.material.friction = (float)friction, def.material.restitution = 0;
    def.solver.law = law,
    def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_BAUMGARTE);
    scree_world *world;
    scree_body_id floor, id;
    check(scree_world_create(&def, &world));
    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_STATIC, body.shape = scree_shape_half_space();
    check(scree_body_create(world, &body, &floor));
    body = scree_default_body_def();
    body.shape = scree_shape_sphere(0.5f), body.mass = 1;
    body.locks = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z;
    body.state.position = (scree_vec3){0, 0, 0.5f};
    body.state.linear_velocity = (scree_vec3){(float)x, (float)y, 0};
    check(scree_body_create(world, &body, &id));
    check(scree_world_step(world, NULL));
    scree_body_state state;
    check(scree_body_get_state(world, id, &state));
    const scree_vec3 v = state.linear_velocity;
    velocity[0] = (double)v.x, velocity[1] = (double)v.y, velocity[2] = (double)v.z;
    impulse[0] = velocity[0] - x, impulse[1] = velocity[1] - y,
    impulse[2] = velocity[2] + gravity * time_step;
    scree_world_destroy(world);
}

/* Returns A = J M⁻¹ Jᵀ of a box of 1 kg and sides 0.2, 0.1 and 0.05 m touched at a lower corner, rows z, x,
 * y. */
static void corner_block(double a[9]) {
    static const double side[3] = {0.2, 0.1, 0.05}, axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    double lever[3][3];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            const int y = (i + 1) % 3, z = (i + 2) % 3;
            const double ry = y == 2 ? -side[2] / 2 : side[y] / 2, rz = z == 2 ? -side[2] / 2 : side[z] / 2;
            lever[k][i] = ry * axes[k][z] - rz * axes[k][y];
        }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            a[3 * k + l] = k == l;
            for (int i = 0; i < 3; i++) {
                const int y = (i + 1) % 3, z = (i + 2) % 3;
                const double inertia = (side[y] * side[y] + side[z] * side[z]) / 12;
                a[3 * k + l] += lever[k][i] * lever[l][i] / inertia;
            }
        }
}

static void touch_corner(scree_law law, double friction, const double q[3], double u[3], double r[3]) {
    static const int first[2] = {0, 1}, column[1] = {0};
    double a[9];
    corner_block(a);
    const scree_problem_def def = {
        .contacts = 1, .first = first, .column = column, .blocks = a, .q = q, .friction = &friction};
    scree_problem *problem;
    check(scree_problem_create(&def, &problem));
    scree_problem_options options = scree_default_problem_options();
    options.law = law, options.tolerance = 1e-12;
    check(scree_problem_solve(problem, &options, r, u, NULL));
    scree_problem_destroy(problem);
}

/* Prints the angle from −u_T to r_T in degrees, and |r_T| / (μ r_N). */
static void print_angle(const char *what, scree_law law, double sliding, double friction, const double u[2],
                        const double r[2], double normal) {
    const double cross = -u[0] * r[1] + u[1] * r[0], dot = -u[0] * r[0] - u[1] * r[1];
    printf(",\n{\"kind\": \"%s\", \"law\": \"%s\", \"friction\": %g, \"degrees\": %g, \"error\": %.9g, "
           "\"share\": %.9g}",
           what, scree_law_name(law), friction, sliding, fabs(atan2(cross, dot)) * 180 / pi,
           hypot(r[0], r[1]) / (friction * normal));
}

static void angles(scree_law law, double friction) {
    for (int degrees = 0; degrees <= 90; degrees += 3) {
        const double x = cos(degrees * pi / 180), y = sin(degrees * pi / 180);
        double v[3], p[3], u[3], r[3];
        slide(law, friction, 5 * x, 5 * y, v, p);
        print_angle("block", law, degrees, friction, v, p, p[2]);
        const double q[3] = {-1, 5 * x, 5 * y}; /* approaches at 1 m/s while it slides */
        touch_corner(law, friction, q, u, r);
        print_angle("corner", law, degrees, friction, u + 1, r + 1, r[0]);
    }
}

int main(void) {
    static const double frictions[] = {0.2, 0.5, 0.8}, speeds[] = {0.25, 0.5, 1, 1.5, 2, 2.5, 3};
    double a[9];
    corner_block(a);
    printf(
        "[{\"kind\": \"corner block\", \"entries\": [%.12g, %.12g, %.12g, %.12g, %.12g, %.12g, %.12g, %.12g, "
        "%.12g]}",
        a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
    for (int law = 0; law < SCREE_LAW_COUNT; law++) {
        for (size_t f = 0; f < sizeof frictions / sizeof *frictions; f++)
            for (size_t s = 0; s < sizeof speeds / sizeof *speeds; s++) {
                double v[3], p[3];
                slide((scree_law)law, frictions[f], speeds[s], 0, v, p);
                printf(
                    ",\n{\"kind\": \"lift\", \"law\": \"%s\", \"friction\": %g, \"speed\": %g, \"up\": %.9g, "
                    "\"along\": %.9g}",
                    scree_law_name((scree_law)law), frictions[f], speeds[s], v[2], v[0]);
            }
        angles((scree_law)law, 0.5);
    }
    printf("]\n");
    return 0;
}
