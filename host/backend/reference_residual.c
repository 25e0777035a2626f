#include "reference.h"

#include "../base/memory.h"
#include "reference_block.h"
#include "reference_law.h"
#include "reference_resistance.h"

/* V = V* + M⁻¹ Jᵀ r of every body: impulses are summed over blocks first, so that bodies without mass take
 * part too, with M⁻¹ = 0. */
static void body_velocities(const problem *p, const block_impulse *impulses, bool position_pass,
                            reference_velocity *out) {
    for (int slot = 0; slot < p->body_count; ++slot) out[slot] = (reference_velocity){{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < p->block_count; ++i) {
        const contact_block *block = &p->blocks[i];
        const reference_frame frame = reference_frame_of(block);
        const real3 on_b = reference_on_b(&frame, real3_of(impulses[i].value));
        const reference_velocity push_a = reference_applied(&frame, 0, on_b),
                                 push_b = reference_applied(&frame, 1, on_b);
        reference_velocity *a = &out[block->body_a], *b = &out[block->body_b];
        a->linear = real3_difference(a->linear, push_a.linear);
        a->angular = real3_difference(a->angular, push_a.angular);
        b->linear = real3_sum(b->linear, push_b.linear);
        b->angular = real3_sum(b->angular, push_b.angular);
    }
    for (int slot = 0; slot < p->body_count; ++slot) {
        reference_velocity v = reference_response(&p->mobility[slot], out[slot]);
        if (!position_pass) {
            v.linear = real3_sum(v.linear, real3_of(p->free_velocity[slot].linear));
            v.angular = real3_sum(v.angular, real3_of(p->free_velocity[slot].angular));
        }
        out[slot] = v;
    }
}

static real3 block_velocity(const problem *p, int i, const reference_velocity *velocities, real3 r,
                            bool position_pass) {
    const contact_block *block = &p->blocks[i];
    const reference_frame frame = reference_frame_of(block);
    real3 u = reference_relative(&frame, velocities[block->body_a], velocities[block->body_b]);
    u.x += position_pass ? (double)block->correction : (double)block->bias + (double)block->compliance * r.x;
    return u;
}

/* A_ii, column by column from the response to unit impulses along the three axes. */
static real3x3 block_of(const problem *p, int i, bool position_pass) {
    const contact_block *block = &p->blocks[i];
    const reference_frame frame = reference_frame_of(block);
    const body_mobility *bodies[2] = {&p->mobility[block->body_a], &p->mobility[block->body_b]};
    real3x3 out = {0};
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k) {
            const reference_velocity v =
                reference_response(bodies[side], reference_applied(&frame, side, frame.axis[k]));
            const real3 at = reference_seen(&frame, side, v);
            for (int row = 0; row < 3; ++row) out.m[row][k] += real3_inner(frame.axis[row], at);
        }
    if (!position_pass) out.m[0][0] += (double)block->compliance;
    return out;
}

scree_result reference_velocities(const problem *p, const block_impulse *impulses, bool position_pass,
                                  real3 *u, real3 *q) {
    reference_velocity *velocities = memory_allocate((size_t)p->body_count, sizeof *velocities);
    if (!velocities) return fail(SCREE_ERROR_MEMORY, "out of memory: velocities of %d bodies", p->body_count);
    body_velocities(p, impulses, position_pass, velocities);
    for (int i = 0; i < p->block_count; ++i) {
        if (u) u[i] = block_velocity(p, i, velocities, real3_of(impulses[i].value), position_pass);
        if (q) q[i] = reference_drive(p, i, position_pass);
    }
    memory_release(velocities);
    return SCREE_OK;
}

scree_result reference_residual(const problem *p, scree_law law, const block_impulse *impulses,
                                bool position_pass, reference_error *out) {
    *out = (reference_error){0, 0};
    reference_velocity *velocities = memory_allocate((size_t)p->body_count, sizeof *velocities);
    if (!velocities) return fail(SCREE_ERROR_MEMORY, "out of memory: velocities of %d bodies", p->body_count);
    body_velocities(p, impulses, position_pass, velocities);
    double map = 0, impulse = 0, drive = 0;
    for (int i = 0; i < p->block_count; ++i) {
        const real3 r = real3_of(impulses[i].value), u = block_velocity(p, i, velocities, r, position_pass);
        const real3x3 block = block_of(p, i, position_pass);
        const double trace = real3x3_trace(&block), rho = trace > 0 ? 3 / trace : 0;
        const double friction = position_pass ? 0 : (double)p->blocks[i].friction;
        const double pressed = p->blocks[i].length > 0 ? fmax((double)impulses[i - 1].value.x, 0) : 0;
        const reference_bound bound = {position_pass ? 0 : (double)p->blocks[i].spinning * pressed,
                                       friction * pressed};
        const double f =
            real3_square(p->blocks[i].length > 0 ? reference_resistance_map(r, u, bound, rho)
                                                 : reference_natural_map(law, &block, r, u, friction, rho));
        map += f;
        impulse += real3_square(r);
        drive += rho * rho * real3_square(reference_drive(p, i, position_pass));
        out->absolute = fmax(out->absolute, sqrt(f));
    }
    memory_release(velocities);
    if (fmax(impulse, drive) > 0) out->scaled = sqrt(map / fmax(impulse, drive));
    return SCREE_OK;
}
