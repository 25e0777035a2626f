#include "reference_displacement.h"

#include "reference_matrix.h"

/* Under `split` only restitution gives a negative bias: it requires more than closing a gap or keeping an
 * overlap's velocity. */
static bool bounces(const constraint_block *block) { return block->kind == BLOCK_CONTACT && block->bias < 0; }

void reference_displace(problem *p, double *rebounds, double *v, double *r) {
    for (int i = 0; i < p->block_count; ++i) {
        r[3 * i] = bounces(&p->blocks[i]) ? -(double)p->impulses[i].value.x : 0;
        r[3 * i + 1] = r[3 * i + 2] = 0;
    }
    reference_body_velocities(p, r, true, rebounds);
    for (int slot = 0; slot < p->body_count; ++slot) {
        const vec3s linear = p->velocity[slot].linear, angular = p->velocity[slot].angular;
        const double after[6] = {(double)linear.x,  (double)linear.y,  (double)linear.z,
                                 (double)angular.x, (double)angular.y, (double)angular.z};
        for (int k = 0; k < 6; ++k) v[6 * slot + k] = after[k] + rebounds[6 * slot + k];
    }
    for (int i = 0; i < p->block_count; ++i) {
        constraint_block *block = &p->blocks[i];
        double u[3];
        if (block->kind == BLOCK_BOUNDED) {
            bounded_rows *rows = &p->rows[block->rows];
            rows->correction = rows->closing;
            reference_block_velocity(p, i, v, r, true, u);
            rows->correction = vec3_of((scalar)u[0], (scalar)u[1], (scalar)u[2]);
        }
        if (block->kind != BLOCK_CONTACT) continue;
        block->correction = block->closing;
        reference_block_velocity(p, i, v, r, true, u);
        block->correction = (scalar)u[0];
    }
}
