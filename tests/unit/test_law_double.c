/* The laws of kernels/law.h in double precision: blocks of condition numbers to 1e10 against the statements,
 * so that no constant in them is tuned to float. */
#define SCREE_DOUBLE
#include "expect.h"
#include "random.h"
#include "bounded.h"

static uint64_t seed;

static double noise(void) { return random_noise(&seed); }

/* Returns Q diag(1, 1/√κ, 1/κ) Qᵀ for a random orthonormal Q (Gram–Schmidt). */
static symmetric3 random_block(double condition) {
    vec3s e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = vec3_of(noise(), noise(), noise());
        for (int j = 0; j < i; j++)
            e[i] = glms_vec3_sub(e[i], glms_vec3_scale(e[j], glms_vec3_dot(e[i], e[j])));
        e[i] = glms_vec3_scale(e[i], 1 / glms_vec3_norm(e[i]));
    }
    symmetric3 m = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        const double value = i == 0 ? 1 : i == 1 ? 1 / sqrt(condition) : 1 / condition;
        m.diagonal = glms_vec3_add(m.diagonal, glms_vec3_scale(glms_vec3_mul(e[i], e[i]), value));
        m.off_diagonal =
            glms_vec3_add(m.off_diagonal,
                          glms_vec3_scale(vec3_of(e[i].y * e[i].z, e[i].x * e[i].z, e[i].x * e[i].y), value));
    }
    return m;
}

/* Returns the violation of K* ∋ û ⟂ r ∈ K relative to r and the terms of u; û = u + (μ‖u_T‖, 0, 0) with
 * `shifted`. */
static double violation(symmetric3 a, vec3s q, double mu, vec3s r, int shifted) {
    const vec3s u = glms_vec3_add(symmetric_times(a, r), q);
    const double ut = hypot(u.y, u.z), rt = hypot(r.y, r.z), n = u.x + (shifted ? mu * ut : 0);
    const double size_r = glms_vec3_norm(r), size_u = glms_vec3_norm(q) + size_r * symmetric_trace(a);
    const double outside = fmax(0, rt - mu * r.x) / (size_r + 1e-300);
    const double dual = fmax(0, mu * ut - n) / size_u;
    return fmax(fmax(outside, dual), fabs(n * r.x + u.y * r.y + u.z * r.z) / (size_u * size_r + 1e-300));
}

static const double conditions[] = {1, 1e3, 1e6, 1e10};
static const double frictions[] = {0.04, 0.3, 0.7, 1, 3};

static void coulomb_blocks_satisfy_the_statement(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        double largest = 0;
        for (int i = 0; i < 50000; i++) {
            const symmetric3 a = random_block(conditions[k]);
            const vec3s q = vec3_of(noise(), noise(), noise());
            const double mu = frictions[i % 5];
            largest = fmax(largest, violation(a, q, mu, coulomb_solve(a, q, mu), 1));
        }
        print_message("coulomb, condition %g: largest violation %.1e\n", conditions[k], largest);
        assert_true(largest < 1e-13);
    }
}

static void associated_blocks_satisfy_the_statement(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        double largest = 0;
        for (int i = 0; i < 50000; i++) {
            const symmetric3 a = random_block(conditions[k]);
            const vec3s q = vec3_of(noise(), noise(), noise());
            const double mu = frictions[i % 5];
            largest = fmax(largest, violation(a, q, mu, associated_solve(a, q, mu), 0));
        }
        print_message("associated, condition %g: largest violation %.1e\n", conditions[k], largest);
        assert_true(largest < 1e-13);
    }
}

/* low ≤ r ≤ high with u = 0 inside, u ≥ 0 at low, u ≤ 0 at high; bounds on one side, on both, on none,
 * equal. */
static void bounded_blocks_satisfy_the_statement(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        double largest = 0;
        for (int i = 0; i < 50000; i++) {
            const symmetric3 a = random_block(conditions[k]);
            const vec3s q = vec3_of(noise(), noise(), noise());
            bounded_box box = {vec3_of(noise(), noise(), noise()), {0, 0, 0}};
            box.high = glms_vec3_add(box.low, vec3_of(fabs(noise()), i % 5 ? 1 : 0, fabs(noise())));
            if (i % 3 == 0) box.low.x = -INFINITY;
            if (i % 4 == 0) box.high.z = INFINITY;
            if (i % 7 == 0) box.low.y = -INFINITY, box.high.y = INFINITY;
            const vec3s r = bounded_solve(a, q, box), u = glms_vec3_add(symmetric_times(a, r), q);
            for (int axis = 0; axis < 3; axis++) {
                const double x = vec3_along(r, axis), low = vec3_along(box.low, axis),
                             high = vec3_along(box.high, axis), v = vec3_along(u, axis);
                assert_true(x >= low && x <= high);
                const double size = glms_vec3_norm(q) + glms_vec3_norm(r);
                if (x > low) largest = fmax(largest, v / size);
                if (x < high) largest = fmax(largest, -v / size);
            }
        }
        print_message("bounded, condition %g: largest violation %.1e\n", conditions[k], largest);
        assert_true(largest < 1e-13);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(coulomb_blocks_satisfy_the_statement),
                                       cmocka_unit_test(associated_blocks_satisfy_the_statement),
                                       cmocka_unit_test(bounded_blocks_satisfy_the_statement)};
    return cmocka_run_group_tests_name("laws in double precision", tests, NULL, NULL);
}
