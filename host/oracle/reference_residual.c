#include "base/memory.h"
#include "base/vector.h"
#include "reference.h"
#include "reference_block.h"
#include "reference_matrix.h"

/* Computes V = V* + M⁻¹ Jᵀ r of every body and r as numbers, in one allocation: 6 per body, then 3 per block.
 * Without impulses r = 0 and V = V*. */
static scree_result motion_of(const problem *p, const block_impulse *impulses, bool position_pass,
                              double **out) {
    double *v = memory_allocate(6 * (size_t)p->body_count + 3 * (size_t)p->block_count, sizeof *v),
           *r = v + 6 * (size_t)p->body_count;
    if (!v) return fail(SCREE_ERROR_MEMORY, "out of memory: velocities of %d bodies", p->body_count);
    for (int i = 0; i < p->block_count && impulses; i++) vec3_to_doubles(impulses[i].value, &r[3 * i]);
    reference_body_velocities(p, r, position_pass, v);
    *out = v;
    return SCREE_OK;
}

scree_result reference_velocities(const problem *p, const block_impulse *impulses, bool position_pass,
                                  double *u, double *q) {
    double *v = NULL, *without = NULL;
    scree_result result = motion_of(p, impulses, position_pass, &v);
    if (result == SCREE_OK) result = motion_of(p, NULL, position_pass, &without);
    for (int i = 0; i < p->block_count && result == SCREE_OK; i++) {
        const double *r = v + 6 * (size_t)p->body_count;
        if (u) reference_block_velocity(p, i, v, r, position_pass, u + 3 * (size_t)i);
        if (q) reference_block_velocity(p, i, without, NULL, position_pass, q + 3 * (size_t)i);
    }
    memory_release(v);
    memory_release(without);
    return result;
}

static void add_block(const problem *p, int i, scree_law law, const double *v, const double *without,
                      bool position_pass, reference_sum *sum) {
    const constraint_block *block = &p->blocks[i];
    const double *r = v + 6 * (size_t)p->body_count, pressed = i > 0 ? fmax(0, r[3 * (size_t)i - 3]) : 0;
    reference_rule rule = {.kind = (scree_block_kind)block->kind,
                           .law = law,
                           .friction = position_pass ? 0 : (double)block->friction,
                           .rolling = position_pass ? 0 : (double)block->rolling * pressed,
                           .spinning = position_pass ? 0 : (double)block->spinning * pressed};
    double a[9], u[3], q[3];
    if (block->kind == BLOCK_BOUNDED) reference_bounds(p, i, position_pass, rule.low, rule.high);
    reference_own_block(p, i, position_pass, a);
    reference_block_velocity(p, i, v, r, position_pass, u);
    reference_block_velocity(p, i, without, NULL, position_pass, q);
    reference_sum_add(sum, &rule, a, r + 3 * (size_t)i, u, q);
}

scree_result reference_residual(const problem *p, scree_law law, const block_impulse *impulses,
                                bool position_pass, reference_error *out) {
    double *v = NULL, *without = NULL;
    reference_sum sum = {0};
    scree_result result = motion_of(p, impulses, position_pass, &v);
    if (result == SCREE_OK) result = motion_of(p, NULL, position_pass, &without);
    for (int i = 0; i < p->block_count && result == SCREE_OK; i++)
        add_block(p, i, law, v, without, position_pass, &sum);
    *out = reference_error_of(&sum);
    memory_release(v);
    memory_release(without);
    return result;
}
