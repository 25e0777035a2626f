/* Separating directions of boxes. */
#include "expect.h"

#include "box_separation.h"
#include "random_vectors.h"

/* Edges 1 to 3 mrad apart: round-off of their directions is a thousand times larger relative to their cross
 * product, but the normal must still be unit and perpendicular to both. */
static void normals_of_nearly_parallel_edges_are_unit(void **state) {
    (void)state;
    uint64_t seed = 3;
    double longest = 0, along = 0;
    for (int trial = 0; trial < 3000; trial++) {
        const versors q = random_rotation(&seed);
        const scalar angle = (scalar)random_between(&seed, 1e-3, 3e-3);
        const versors turned = rotation_turned(glms_vec3_scale(random_direction(&seed), angle), q);
        const vec3s halves = vec3_of(1, 1, 1);
        const oriented_box a = oriented_box_of(halves, q, vec3_of(0, 0, 0)),
                           b = oriented_box_of(halves, turned, random_vector(&seed, 1, 2));
        const vec3s n = edges_normal(a, b, b.centre, trial % 3, trial % 3);
        const double x = (double)n.x, y = (double)n.y, z = (double)n.z;
        longest = fmax(longest, fabs(sqrt(x * x + y * y + z * z) - 1));
        along = fmax(along, fabs((double)glms_vec3_dot(n, a.axes[trial % 3])));
        along = fmax(along, fabs((double)glms_vec3_dot(n, b.axes[trial % 3])));
    }
    print_message("off unit by %.1e, along an edge %.1e\n", longest, along);
    ASSERT_AT_MOST(longest, 5e-7);
    ASSERT_AT_MOST(along, 4e-7);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(normals_of_nearly_parallel_edges_are_unit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
