/* Contacts of balls in the dialect; the object of each width includes this file once. */
#include "wide_balls.h"

#include "ball_impact.h"
#include "reach.h"
#include "wide_record.h"

INLINE void store_mask(int *to, scalar_mask mask, int count) {
    __builtin_memcpy(to, &mask, (size_t)count * sizeof *to);
}

INLINE void store3(float to[3][RECORD_PAIRS], int first, vec3s v, int count) {
    store(to[0] + first, v.x, count), store(to[1] + first, v.y, count), store(to[2] + first, v.z, count);
}

/* A ball's surface does not approach by rotation. */
void BALLS(const body_record *records, const int *a, const int *b, int count, float margin, float time_step,
           wide_balls *out) {
    const scalar h = scalar_of(time_step), still = scalar_of(0);
    for (int first = 0; first < count; first += SCREE_WIDTH) {
        const int here = count - first < SCREE_WIDTH ? count - first : SCREE_WIDTH;
        int at_a[SCREE_WIDTH], at_b[SCREE_WIDTH];
        place_records(a + first, b + first, here, at_a, at_b);
        const quad a0 = word(records, at_a, 0), b0 = word(records, at_b, 0), a1 = word(records, at_a, 1),
                   b1 = word(records, at_b, 1), a2 = word(records, at_a, 2), b2 = word(records, at_b, 2);
        const ball ball_a = {xyz(a0), a1.x}, ball_b = {xyz(b0), b1.x};
        const vec3s velocity = glms_vec3_sub(xyz(b2), xyz(a2));
        const scalar looking = scalar_of(margin) + reach_margin(a2.w, b2.w, a1.w, b1.w, h);
        const ball_contact found =
            ball_impact(ball_a, ball_b, velocity, h, reach_of(looking, velocity, still, h));
        const scalar closing = reach_along(looking, found.normal, velocity, still, h);
        store_mask(out->touches + first, found.touches & (found.gap <= closing), here);
        store3(out->normal, first, found.normal, here);
        store3(out->position, first, found.position, here);
        store(out->gap + first, found.gap, here);
    }
}
