/* The dialect's vector functions give the bits of cglm's array functions of the same names. */
#include "expect.h"
#include "random.h"

#include <cglm/vec3.h>

#include "dialect.h"

static uint64_t seed;

static float noise(void) { return (float)(1000 * random_noise(&seed)); }

static void same(vec3s a, vec3 b) { assert_memory_equal(&a, b, sizeof a); }

static void vector_functions_match_cglm_bits(void **state) {
    (void)state;
    for (int i = 0; i < 10000; i++) {
        vec3 a = {noise(), noise(), noise()}, b = {noise(), noise(), noise()}, out;
        const vec3s as = vec3_of(a[0], a[1], a[2]), bs = vec3_of(b[0], b[1], b[2]);
        const float s = noise();
        glm_vec3_add(a, b, out), same(glms_vec3_add(as, bs), out);
        glm_vec3_sub(a, b, out), same(glms_vec3_sub(as, bs), out);
        glm_vec3_mul(a, b, out), same(glms_vec3_mul(as, bs), out);
        glm_vec3_scale(a, s, out), same(glms_vec3_scale(as, s), out);
        glm_vec3_negate_to(a, out), same(glms_vec3_negate(as), out);
        glm_vec3_cross(a, b, out), same(glms_vec3_cross(as, bs), out);
        glm_vec3_zero(out), same(glms_vec3_zero(), out);
        assert_true(glms_vec3_dot(as, bs) == glm_vec3_dot(a, b));
        assert_true(glms_vec3_norm2(as) == glm_vec3_norm2(a));
        assert_true(glms_vec3_norm(as) == glm_vec3_norm(a));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(vector_functions_match_cglm_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
