/* The kernels over a matrix: against the same problem of bodies, against the statements of the laws, native
 * against OpenCL bit for bit, and the invariants of the operator. `--small` (for simulators of devices) only
 * compares native and OpenCL on few contacts. */
#include "random.h"
#include "problem/contact_problem.h"
#include "problem/matrix_operator.h"
#include "base/memory.h"
#include "device.h"
#include "scenery.h"

#include <scree/problem.h>

/* a random pile's matrix W = J M⁻¹ Jᵀ in double precision: contacts between bodies of near indices; body −1
 * is fixed */
typedef struct random_matrix {
    uint64_t state;
    int count;
    int *first, *column;
    double *blocks, *q, *friction;
} random_matrix;

static double noise(random_matrix *self) { return random_noise(&self->state); }

/* a contact: its bodies, and its 3×6 row of J on each (force, then torque) */
typedef struct link {
    int body[2];
    double row[2][3][6];
} link;

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1], out[1] = a[2] * b[0] - a[0] * b[2],
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double v[3]) {
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) v[i] /= size;
}

static link random_link(random_matrix *self, int body, int bodies) {
    link out = {.body = {body - 1 - (int)(fabs(noise(self)) * 4), body}};
    (void)bodies;
    if (out.body[0] < 0) out.body[0] = -1;
    double axis[3][3] = {{noise(self), noise(self), 1.5}, {noise(self), noise(self), noise(self)}};
    normalise(axis[0]);
    cross(axis[0], axis[1], axis[2]);
    normalise(axis[2]);
    cross(axis[2], axis[0], axis[1]);
    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1 : -1;
        double arm[3];
        for (int k = 0; k < 3; k++) arm[k] = -sign * 0.5 * axis[0][k] + 0.2 * noise(self);
        for (int i = 0; i < 3; i++) {
            double turn[3];
            cross(arm, axis[i], turn);
            for (int k = 0; k < 3; k++)
                out.row[side][i][k] = sign * axis[i][k], out.row[side][i][3 + k] = sign * turn[k];
        }
    }
    return out;
}

/* Computes W_ab from the bodies that a and b share; returns whether there is one. Inverse masses go from 1 to
 * 4. */
static bool couple(const link *a, const link *b, double out[9]) {
    bool any = false;
    memset(out, 0, 9 * sizeof *out);
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++) {
            if (a->body[s] < 0 || a->body[s] != b->body[t]) continue;
            const double mass = 1 + a->body[s] % 4;
            any = true;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    for (int k = 0; k < 6; k++)
                        out[3 * i + j] += (k < 3 ? mass : 8 * mass) * a->row[s][i][k] * b->row[t][j][k];
        }
    return any;
}

/* Makes two or three contacts below each body. */
static random_matrix make_matrix(int count, uint64_t seed) {
    random_matrix self = {.state = seed, .count = count};
    const int bodies = 2 * count / 5 + 1;
    link *links = calloc((size_t)count, sizeof *links);
    self.first = calloc((size_t)count + 1, sizeof(int));
    self.column = calloc((size_t)count * 64, sizeof(int));
    self.blocks = calloc((size_t)count * 64 * 9, sizeof(double));
    self.q = calloc(3 * (size_t)count, sizeof(double));
    self.friction = calloc((size_t)count, sizeof(double));
    for (int i = 0; i < count; i++) {
        links[i] = random_link(&self, i * bodies / count, bodies);
        self.friction[i] = i % 9 == 0 ? 0 : 0.3 + 0.3 * noise(&self);
        self.q[3 * i] = -1 + 0.8 * noise(&self);
        self.q[3 * i + 1] = noise(&self), self.q[3 * i + 2] = noise(&self);
    }
    int used = 0;
    for (int i = 0; i < count; i++) {
        for (int j = i > 60 ? i - 60 : 0; j < count && j <= i + 60; j++)
            if (couple(&links[i], &links[j], self.blocks + 9 * (size_t)used)) self.column[used++] = j;
        self.first[i + 1] = used;
    }
    free(links);
    return self;
}

static scree_problem_def def_of(const random_matrix *self) {
    return (scree_problem_def){.contacts = self->count,
                               .first = self->first,
                               .column = self->column,
                               .blocks = self->blocks,
                               .q = self->q,
                               .friction = self->friction};
}

static void release_matrix(random_matrix *self) {
    free(self->first);
    free(self->column);
    free(self->blocks);
    free(self->q);
    free(self->friction);
}

static scree_problem *make_problem(int count, uint64_t seed) {
    random_matrix matrix = make_matrix(count, seed);
    const scree_problem_def def = def_of(&matrix);
    scree_problem *out;
    CHECK(scree_problem_create(&def, &out));
    release_matrix(&matrix);
    return out;
}

static scree_problem_options options_on(scree_backend_kind backend, scree_precision precision,
                                        scree_method method, scree_law law) {
    scree_problem_options options = scree_default_problem_options();
    options.backend = backend, options.precision = precision, options.method = method, options.law = law;
    options.device = test_device();
    options.threads = 2;
    return options;
}

typedef struct answer {
    int count;
    double *r, *u;
    scree_problem_report report;
} answer;

static answer solve(const scree_problem *p, const scree_problem_options *options) {
    answer out = {.count = scree_problem_contact_count(p)};
    out.r = calloc(3 * (size_t)out.count, sizeof *out.r);
    out.u = calloc(3 * (size_t)out.count, sizeof *out.u);
    CHECK(scree_problem_solve(p, options, out.r, out.u, &out.report));
    return out;
}

static void release(answer *x) {
    free(x->r);
    free(x->u);
}

static double farthest(const double *a, const double *b, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* On processors every bit is native's: with one launch for whole iterations of a small problem, and with a
 * launch per colour of a larger one. A GPU may round differently. */
static void native_and_opencl_agree(int count, int iterations, bool simulated) {
    if (!device_is_there()) skip();
    scree_problem *p = make_problem(count, 7);
    /* In a simulator with a thousand contacts: one precision, and methods that together launch every
     * kernel. */
    const bool few = simulated && count > 500;
    for (int precision = few; precision < SCREE_PRECISION_COUNT; precision++)
        for (int k = 0; k < SCREE_METHOD_COUNT * SCREE_LAW_COUNT; k += few ? 2 : 1) {
            const scree_method method = (scree_method)(k % SCREE_METHOD_COUNT);
            scree_problem_options options =
                options_on(SCREE_BACKEND_NATIVE, (scree_precision)precision, method, (scree_law)(k / 4));
            if (count > 500 && k / 4 != (int)SCREE_LAW_COULOMB) continue;
            options.tolerance = 0, options.check_every = 5;
            options.iterations = few && method == SCREE_METHOD_PGS ? 1 : iterations;
            if (method == SCREE_METHOD_PGS) options.relaxation = 1.25f;
            answer native = solve(p, &options);
            options.backend = SCREE_BACKEND_OPENCL;
            answer device = solve(p, &options);
            const double off = farthest(native.r, device.r, 3 * count);
            if (device_has_native_bits())
                assert_memory_equal(native.r, device.r, 3 * (size_t)count * sizeof *native.r);
            else
                assert_true(off < (precision ? 1e-9 : 1e-3));
            assert_int_equal(native.report.iterations, options.iterations);
            assert_true(isfinite(native.report.residual[SCREE_MEASURE_SCALED]));
            release(&native);
            release(&device);
        }
    scree_problem_destroy(p);
}

static void small_problems_are_equal_on_native_and_opencl(void **state) {
    (void)state;
    native_and_opencl_agree(120, 33, false);
}

static void large_problems_are_equal_on_native_and_opencl(void **state) {
    (void)state;
    native_and_opencl_agree(1500, 12, false);
}

static void few_contacts_are_equal_on_native_and_opencl(void **state) {
    (void)state;
    native_and_opencl_agree(12, 3, true);
    native_and_opencl_agree(1030, 12, true); /* of which 6 come before the momentum and 4 after it */
}

/* Momentum restarts, falls back and extrapolates over many iterations with the same bits. */
static void long_solves_are_equal_on_native_and_opencl(void **state) {
    (void)state;
    if (!device_is_there()) skip();
    scree_problem *p = make_problem(300, 11);
    scree_problem_options options = options_on(SCREE_BACKEND_NATIVE, SCREE_PRECISION_DOUBLE,
                                               SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_COULOMB);
    options.tolerance = 1e-10;
    answer native = solve(p, &options);
    options.backend = SCREE_BACKEND_OPENCL;
    answer device = solve(p, &options);
    assert_int_equal(native.report.stop, SCREE_STOP_RESIDUAL);
    assert_int_equal(device.report.stop, SCREE_STOP_RESIDUAL);
    assert_true(native.report.restarts > 0);
    if (device_has_native_bits()) {
        assert_memory_equal(native.r, device.r, 900 * sizeof *native.r);
        assert_int_equal(native.report.restarts, device.report.restarts);
        assert_int_equal(native.report.sweeps, device.report.sweeps);
    }
    release(&native);
    release(&device);
    scree_problem_destroy(p);
}

/* Returns the largest violation of a contact's law relative to the sizes of u and r. */
static double violation(scree_law law, const double *r, const double *u, double mu) {
    const double rt = hypot(r[1], r[2]), ut = hypot(u[1], u[2]);
    double worst = fmax(0, -r[0]);
    if (law == SCREE_LAW_PYRAMID) {
        for (int i = 1; i < 3; i++) {
            const double bound = mu * r[0];
            worst = fmax(worst, fabs(r[i]) - bound);
            worst = fmax(worst, u[i] > 0 ? u[i] * (r[i] + bound) : -u[i] * (bound - r[i]));
        }
        return fmax(worst, fmax(-u[0], fabs(u[0] * r[0])));
    }
    worst = fmax(worst, rt - mu * r[0]);
    if (law == SCREE_LAW_RADIAL) return fmax(worst, -u[0] * (rt < 0.999 * mu * r[0]));
    const double un = law == SCREE_LAW_COULOMB ? u[0] + mu * ut : u[0];
    return fmax(worst, fmax(mu * ut - un, fabs(un * r[0] + u[1] * r[1] + u[2] * r[2])));
}

/* Every method reaches its tolerance for every law, and the law's statement holds there. */
static void every_method_solves_every_law(void **state) {
    (void)state;
    enum { COUNT = 200 };
    random_matrix matrix = make_matrix(COUNT, 3);
    const scree_problem_def def = def_of(&matrix);
    scree_problem *p;
    CHECK(scree_problem_create(&def, &p));
    for (int k = 0; k < SCREE_METHOD_COUNT * SCREE_LAW_COUNT; k++) {
        const scree_law law = (scree_law)(k / SCREE_METHOD_COUNT);
        const scree_method method = (scree_method)(k % SCREE_METHOD_COUNT);
        scree_problem_options options = options_on(SCREE_BACKEND_NATIVE, SCREE_PRECISION_DOUBLE, method, law);
        /* Plain Jacobi would need tens of thousands of iterations for the tolerance of the others. */
        options.tolerance = method == SCREE_METHOD_JACOBI ? 1e-6 : 1e-9;
        answer x = solve(p, &options);
        double worst = 0;
        for (int i = 0; i < COUNT; i++) {
            /* u = W r + q, recomputed. */
            double u[3];
            memcpy(u, matrix.q + 3 * (size_t)i, sizeof u);
            for (int e = matrix.first[i]; e < matrix.first[i + 1]; e++)
                for (int c = 0; c < 9; c++)
                    u[c / 3] += matrix.blocks[9 * (size_t)e + c] * x.r[3 * matrix.column[e] + c % 3];
            assert_true(farthest(u, x.u + 3 * (size_t)i, 3) < 1e-12);
            worst = fmax(worst, violation(law, x.r + 3 * (size_t)i, u, matrix.friction[i]));
        }
        print_message("%-10s %-20s %6d iterations, worst violation %.1e\n", scree_law_name(law),
                      scree_method_name(method), x.report.iterations, worst);
        assert_int_equal(x.report.stop, SCREE_STOP_RESIDUAL);
        assert_true(x.report.residual[SCREE_MEASURE_SCALED] <= 1.01 * options.tolerance);
        assert_true(worst < 1e4 * options.tolerance);
        release(&x);
    }
    scree_problem_destroy(p);
    release_matrix(&matrix);
}

/* Over- and underrelaxed sweeps reach the same velocities; the best ω is above 1 here. */
static void relaxation_does_not_change_the_result(void **state) {
    (void)state;
    scree_problem *p = make_problem(200, 5);
    static const float omegas[] = {0.6f, 1, 1.4f};
    answer x[3];
    for (int i = 0; i < 3; i++) {
        scree_problem_options options =
            options_on(SCREE_BACKEND_NATIVE, SCREE_PRECISION_DOUBLE, SCREE_METHOD_PGS, SCREE_LAW_ASSOCIATED);
        options.relaxation = omegas[i], options.tolerance = 1e-10;
        x[i] = solve(p, &options);
        print_message("omega %g: %d sweeps\n", (double)omegas[i], x[i].report.sweeps);
        assert_int_equal(x[i].report.stop, SCREE_STOP_RESIDUAL);
        assert_true(farthest(x[i].u, x[0].u, 600) < 1e-6);
    }
    assert_true(x[2].report.sweeps < x[1].report.sweeps && x[1].report.sweeps < x[0].report.sweeps);
    for (int i = 0; i < 3; i++) release(&x[i]);
    scree_problem_destroy(p);
}

static void threads_do_not_change_bits(void **state) {
    (void)state;
    scree_problem *p = make_problem(1500, 2);
    for (int m = 0; m < SCREE_METHOD_COUNT; m++) {
        answer x[3];
        for (int i = 0; i < 3; i++) {
            scree_problem_options options =
                options_on(SCREE_BACKEND_NATIVE, SCREE_PRECISION_FLOAT, (scree_method)m, SCREE_LAW_COULOMB);
            options.threads = 1 << i, options.iterations = 12, options.tolerance = 0;
            x[i] = solve(p, &options);
            assert_memory_equal(x[i].r, x[0].r, 4500 * sizeof(double));
        }
        for (int i = 0; i < 3; i++) release(&x[i]);
    }
    scree_problem_destroy(p);
}

/* Rows of a colour do not couple, every entry is preserved, and W ⪯ blockdiag(s_a W_aa): tested by xᵀWx of
 * random and of alternating x, which are near the largest eigenvectors of chains. */
static void operator_keeps_its_invariants(void **state) {
    (void)state;
    enum { COUNT = 400 };
    scree_problem *p = make_problem(COUNT, 9);
    matrix_operator a;
    CHECK(matrix_operator_create(&a, &p->a));
    bool seen[COUNT] = {false};
    for (int c = 0; c < a.colour_count; c++)
        for (int i = a.colour_first[c]; i < a.colour_first[c + 1]; i++) {
            assert_false(seen[a.contact[i]]);
            seen[a.contact[i]] = true;
            for (int k = a.first[i]; k < a.first[i + 1]; k++)
                assert_false(a.column[k] >= a.colour_first[c] && a.column[k] < a.colour_first[c + 1]);
        }
    assert_int_equal(a.colour_first[a.colour_count], COUNT);
    double closest = 0;
    random_matrix random = {.state = 1};
    for (int trial = 0; trial < 300; trial++) {
        double x[3 * COUNT], whole = 0, split = 0;
        for (int i = 0; i < 3 * COUNT; i++) x[i] = noise(&random);
        /* Power iterations from there, with the operator's own arrays. */
        for (int power = 0; power < 4; power++) {
            double y[3 * COUNT] = {0}, size = 0;
            whole = split = 0;
            for (int i = 0; i < COUNT; i++) {
                for (int e = 0; e < 9; e++) {
                    const double part = a.diagonal[9 * i + e] * x[3 * i + e % 3];
                    y[3 * i + e / 3] += part, split += a.split_count[i] * x[3 * i + e / 3] * part;
                }
                for (int k = a.first[i]; k < a.first[i + 1]; k++)
                    for (int e = 0; e < 9; e++)
                        y[3 * i + e / 3] += a.entries[9 * (size_t)k + e] * x[3 * a.column[k] + e % 3];
            }
            for (int i = 0; i < 3 * COUNT; i++) whole += x[i] * y[i], size += y[i] * y[i];
            assert_true(whole <= split * (1 + 1e-12));
            closest = fmax(closest, whole / split);
            for (int i = 0; i < 3 * COUNT; i++) x[i] = y[i] / sqrt(size);
        }
    }
    print_message("%d colours; x'Wx up to %.2f of the split form\n", a.colour_count, closest);
    assert_true(closest > 0.2);
    matrix_operator_release(&a);
    scree_problem_destroy(p);
}

/* Resistances and bounded rows among contacts, and a slightly asymmetric W: the kernels against the
 * reference, which shares no code with them. */
static void kinds_and_asymmetry_match_the_reference(void **state) {
    (void)state;
    enum { COUNT = 120 };
    random_matrix matrix = make_matrix(COUNT, 21);
    scree_problem_def def = def_of(&matrix);
    scree_block_kind kind[COUNT];
    double rolling[COUNT], spinning[COUNT], low[3 * COUNT], high[3 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        kind[i] = i % 10 == 5   ? SCREE_BLOCK_RESISTANCE
                  : i % 10 == 8 ? SCREE_BLOCK_BOUNDED
                                : SCREE_BLOCK_CONTACT;
        rolling[i] = 0.02, spinning[i] = 0.05;
        for (int k = 0; k < 3; k++) low[3 * i + k] = i % 20 < 10 ? -INFINITY : -0.02, high[3 * i + k] = 0.1;
    }
    for (int k = 0; k < 9 * matrix.first[COUNT]; k++) matrix.blocks[k] *= 1 + 1e-4 * noise(&matrix);
    def.kind = kind, def.rolling = rolling, def.spinning = spinning, def.low = low, def.high = high;
    scree_problem *p;
    CHECK(scree_problem_create(&def, &p));
    for (int law = 0; law < SCREE_LAW_COUNT; law++) {
        scree_problem_options options = options_on(SCREE_BACKEND_REFERENCE, SCREE_PRECISION_DOUBLE,
                                                   SCREE_METHOD_ACCELERATED_PGS, (scree_law)law);
        options.tolerance = 1e-11;
        answer truth = solve(p, &options);
        assert_int_equal(truth.report.stop, SCREE_STOP_RESIDUAL);
        options.backend = SCREE_BACKEND_NATIVE;
        for (int m = 0; m < SCREE_METHOD_COUNT; m++) {
            options.method = (scree_method)m;
            options.tolerance = m == SCREE_METHOD_JACOBI ? 1e-6 : 1e-9;
            answer x = solve(p, &options);
            const double off = farthest(x.u, truth.u, 3 * COUNT);
            print_message("%-10s %-20s %6d iterations, residual %.1e, u off by %.1e\n",
                          scree_law_name((scree_law)law), scree_method_name((scree_method)m),
                          x.report.iterations, x.report.residual[SCREE_MEASURE_SCALED], off);
            assert_int_equal(x.report.stop, SCREE_STOP_RESIDUAL);
            assert_true(x.report.residual[SCREE_MEASURE_SCALED] <= 1.01 * options.tolerance);
            assert_true(off < 1e4 * options.tolerance);
            release(&x);
        }
        release(&truth);
    }
    scree_problem_destroy(p);
    release_matrix(&matrix);
}

/* The problem of a world's step is solved over bodies by the step and over its matrix here. */
static void matrix_solution_matches_the_step(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.solver.method = SCREE_METHOD_ACCELERATED_PGS;
    def.solver.iterations = 2000, def.solver.tolerance = 1e-6f;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 12; i++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_box(0.1f, 0.1f, 0.1f);
        body.state.position =
            (scree_vec3){0.13f * (float)(i % 3), 0.01f * (float)(i % 2), 0.1f + 0.2f * (float)(i / 3)};
        body.state.linear_velocity = (scree_vec3){0.3f * (float)(i % 2), 0.1f, 0};
        scree_body_id id;
        CHECK(scree_body_create(world, &body, &id));
    }
    for (int i = 0; i < 5; i++) CHECK(scree_world_step(world, NULL));
    scree_problem *p;
    CHECK(scree_problem_from_world(world, &p));
    const int count = scree_problem_contact_count(p);
    assert_true(count > 20);
    double residual[SCREE_MEASURE_COUNT], *u = calloc(3 * (size_t)count, sizeof *u);
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, scree_problem_get_warm_start(p), u, residual));
    scree_problem_options options = options_on(SCREE_BACKEND_NATIVE, SCREE_PRECISION_DOUBLE,
                                               SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_COULOMB);
    options.tolerance = 1e-6; /* twelve boxes wedged into each other: some of their steps do not reach 1e-8 */
    answer x = solve(p, &options);
    print_message("%d contacts: residual over bodies %.1e, over the matrix %.1e, u apart by %.1e m/s\n",
                  count, residual[SCREE_MEASURE_SCALED], x.report.residual[SCREE_MEASURE_SCALED],
                  farthest(x.u, u, 3 * count));
    assert_true(residual[SCREE_MEASURE_SCALED] < 3e-5); /* single precision reaches 1.9e-5, pressed 2.1e-5 */
    assert_int_equal(x.report.stop, SCREE_STOP_RESIDUAL);
    /* Wedged boxes: u is about 90 times as far off as the residual in single precision. */
    assert_true(farthest(x.u, u, 3 * count) < 100 * residual[SCREE_MEASURE_SCALED]);
    release(&x);
    free(u);
    scree_problem_destroy(p);
    scree_world_destroy(world);
}

static void an_empty_problem_is_solved(void **state) {
    (void)state;
    const int first = 0;
    const double none = 0;
    const scree_problem_def def = {
        .first = &first, .column = &first, .blocks = &none, .q = &none, .friction = &none};
    scree_problem *p;
    CHECK(scree_problem_create(&def, &p));
    const scree_problem_options options =
        options_on(SCREE_BACKEND_NATIVE, SCREE_PRECISION_FLOAT, SCREE_METHOD_PGS, SCREE_LAW_COULOMB);
    answer x = solve(p, &options);
    assert_int_equal(x.report.stop, SCREE_STOP_NONE);
    assert_true(x.report.residual[SCREE_MEASURE_SCALED] == 0);
    assert_int_equal(x.report.worst, -1);
    release(&x);
    scree_problem_destroy(p);
}

static void invalid_options_are_rejected(void **state) {
    (void)state;
    scree_problem *p = make_problem(4, 1);
    scree_problem_options options = scree_default_problem_options();
    options.relaxation = 2;
    assert_int_equal(scree_problem_solve(p, &options, NULL, NULL, NULL), SCREE_ERROR_ARGUMENT);
    options.relaxation = 1, options.check_every = 0;
    assert_int_equal(scree_problem_solve(p, &options, NULL, NULL, NULL), SCREE_ERROR_ARGUMENT);
    options =
        options_on(SCREE_BACKEND_REFERENCE, SCREE_PRECISION_DOUBLE, SCREE_METHOD_JACOBI, SCREE_LAW_COULOMB);
    assert_int_equal(scree_problem_solve(p, &options, NULL, NULL, NULL), SCREE_ERROR_UNSUPPORTED);
    options = options_on(SCREE_BACKEND_REFERENCE, SCREE_PRECISION_FLOAT, SCREE_METHOD_PGS, SCREE_LAW_COULOMB);
    assert_int_equal(scree_problem_solve(p, &options, NULL, NULL, NULL), SCREE_ERROR_UNSUPPORTED);
    options = options_on(SCREE_BACKEND_NATIVE, SCREE_PRECISION_FLOAT, SCREE_METHOD_JACOBI, SCREE_LAW_COULOMB);
    options.relaxation = 1.5f;
    assert_int_equal(scree_problem_solve(p, &options, NULL, NULL, NULL), SCREE_ERROR_ARGUMENT);
    scree_problem_destroy(p);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_problems_are_equal_on_native_and_opencl),
        cmocka_unit_test(large_problems_are_equal_on_native_and_opencl),
        cmocka_unit_test(long_solves_are_equal_on_native_and_opencl),
        cmocka_unit_test(every_method_solves_every_law),
        cmocka_unit_test(relaxation_does_not_change_the_result),
        cmocka_unit_test(threads_do_not_change_bits),
        cmocka_unit_test(operator_keeps_its_invariants),
        cmocka_unit_test(kinds_and_asymmetry_match_the_reference),
        cmocka_unit_test(matrix_solution_matches_the_step),
        cmocka_unit_test(an_empty_problem_is_solved),
        cmocka_unit_test(invalid_options_are_rejected),
    };
    const struct CMUnitTest small[] = {cmocka_unit_test(few_contacts_are_equal_on_native_and_opencl)};
    if (count > 1 && strcmp(arguments[1], "--small") == 0)
        return cmocka_run_group_tests_name("matrix, small", small, NULL, NULL);
    return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}
