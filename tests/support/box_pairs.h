/* Random pairs of boxes about to touch, of any proportions: flush, crossed, slightly turned, sliding. */
#pragma once

#include "body_fixture.h"

#include "rotation.h"

static inline int one_of(uint64_t *seed, int count) {
    const int k = (int)random_between(seed, 0, count);
    return k < count ? k : count - 1;
}

static inline vec3s random_halves(uint64_t *seed, scalar scale, bool equal) {
    static const scalar few[] = {1, 0.5f, 0.25f}, thin[] = {1, 1, 1, 1e-2f, 1e-4f};
    const vec3s any = random_vector(seed, 0.05, 1),
                alike = vec3_of(few[one_of(seed, 3)], few[one_of(seed, 3)], few[one_of(seed, 3)]);
    const vec3s halves = glms_vec3_scale(equal ? alike : any, scale);
    return vec3_of(halves.x, halves.y, halves.z * thin[one_of(seed, 5)]);
}

/* Returns a random rotation; a quarter, half or eighth of a turn; or less than a milliradian from another
 * one. */
static inline versors random_turn(uint64_t *seed, versors beside) {
    static const versors turns[] = {{0, 0, 0, 1},
                                    {1, 0, 0, 0},
                                    {0.70710678f, 0, 0, 0.70710678f},
                                    {0, 0.70710678f, 0, 0.70710678f},
                                    {0.5f, 0.5f, 0.5f, 0.5f},
                                    {0, 0, 0.38268343f, 0.92387953f}};
    const int kind = one_of(seed, 4);
    return kind == 0   ? random_rotation(seed)
           : kind == 1 ? beside
           : kind == 2 ? rotation_turned(random_vector(seed, -5e-4, 5e-4), beside)
                       : turns[one_of(seed, 6)];
}

/* Returns a position of b about to touch, or slightly overlapping, along an axis of a, often along two. */
static inline vec3s beside_of(uint64_t *seed, vec3s a, vec3s b, scalar slight) {
    static const scalar shares[] = {0, 0.5f, 0.9f, 1};
    const vec3s sum = glms_vec3_add(a, b);
    vec3s at = vec3_of(shares[one_of(seed, 4)] * sum.x, shares[one_of(seed, 4)] * sum.y, sum.z);
    at = glms_vec3_add(at, random_vector(seed, -(double)slight, 2 * (double)slight));
    return one_of(seed, 2) ? at : vec3_of(at.z, at.x, at.y);
}

/* Makes bodies a and a + 1 boxes about to touch, within a cube of half size `far`. */
static inline void set_pair(body_array *bodies, int a, uint64_t *seed, scalar scale, scalar far) {
    static const scalar speeds[] = {0, 0.01f, 1, 30}, spins[] = {0, 0, 0.01f, 3};
    const vec3s half_a = random_halves(seed, scale, one_of(seed, 2)),
                half_b = one_of(seed, 4) ? random_halves(seed, scale, one_of(seed, 2)) : half_a;
    const versors turn_a = random_turn(seed, versor_of(0, 0, 0, 1)), turn_b = random_turn(seed, turn_a);
    const vec3s base = random_vector(seed, -(double)far, (double)far);
    const scalar thin = scalar_min(scalar_min(half_a.x, half_a.z), scalar_min(half_b.x, half_b.z)),
                 speed = scale * speeds[one_of(seed, 4)], spin = spins[one_of(seed, 4)];
    const vec3s at = beside_of(seed, half_a, half_b, thin * (one_of(seed, 2) ? 2e-3f : 0.1f));
    bodies->shapes[a] = shape_of(SCREE_SHAPE_BOX, half_a.x, half_a.y, half_a.z);
    bodies->shapes[a + 1] = shape_of(SCREE_SHAPE_BOX, half_b.x, half_b.y, half_b.z);
    bodies->poses[a] = pose_of(base, turn_a);
    bodies->poses[a + 1] = pose_of(glms_vec3_add(base, rotate(turn_a, at)), turn_b);
    bodies->types[a] = one_of(seed, 3) ? SLOT_DYNAMIC : SLOT_STATIC;
    bodies->velocities[a].angular = random_vector(seed, -(double)spin, (double)spin);
    bodies->velocities[a + 1].linear = /* mostly sideways, so that some skim past */
        rotate(turn_a, vec3_of(-speed, speed * (scalar)random_between(seed, -0.1, 0.1),
                               speed * (scalar)one_of(seed, 2) * -0.01f));
}
