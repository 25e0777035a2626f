/* The spin that belongs to a mean spin is the one from which free rotation has that mean spin. */
#include "rows/body_turn.h"

#include "expect.h"
#include "motion.h"
#include "random.h"

static uint64_t seed;

static scalar drawn(void) { return (scalar)random_noise(&seed); }

static vec3s drawn_vector(void) {
    vec3s out;
    out.x = drawn();
    out.y = drawn();
    out.z = drawn();
    return out;
}

/* Boxes with no, one or two locked axes, at up to 1.2 rad a step. */
static void a_mean_spin_leads_back_to_its_spin(void **state) {
    (void)state;
    const int locks[] = {0, LOCK_ROTATION_X, LOCK_ROTATION_Y, LOCK_ROTATION_Z,
                         LOCK_ROTATION_X | LOCK_ROTATION_Z};
    seed = 1;
    for (int i = 0; i < 1000; i++) {
        const int own = locks[i % 5];
        const scalar h = (scalar)0.01, rate = (scalar)70 * (1 + drawn()) / 2;
        const vec3s size = drawn_vector(), way = drawn_vector(),
                    square = vec3_of(size.x * size.x + 1, size.y * size.y + 1, size.z * size.z + 1);
        const body_pose pose = {
            .rotation = rotation_turned(glms_vec3_scale(drawn_vector(), 3), versor_of(0, 0, 0, 1))};
        const body_mass mass = {.mass = 1,
                                .inertia =
                                    vec3_of(square.y + square.z, square.x + square.z, square.x + square.y),
                                .locks = own};
        const vec3s spin =
            vec3_of(own & LOCK_ROTATION_X ? 0 : rate * way.x, own & LOCK_ROTATION_Y ? 0 : rate * way.y,
                    own & LOCK_ROTATION_Z ? 0 : rate * way.z);
        const body_turn free = body_turn_free(pose, mass, spin, h),
                        back = body_turn_of_mean(pose, mass, free.mean, h);
        ASSERT_WITHIN(glms_vec3_norm(glms_vec3_sub(back.start, spin)), 0,
                      2e-6 * (double)glms_vec3_norm(spin));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_mean_spin_leads_back_to_its_spin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
