/* Restores blocks from the batches that packed them. Members that a solve does not read are zero or derived
 * from the others. */
#include "native_state.h"

#include "base/parallel.h"

/* Reads three consecutive fields of a lane. */
static vec3s vector_at(const float *at, int width) { return vec3_of(at[0], at[width], at[2 * width]); }

static void unpack_point(const float *at, int width, constraint_block *out) {
    out->kind = BLOCK_CONTACT;
    out->normal = vector_at(at + FIELD_NORMAL * width, width);
    out->tangent = vector_at(at + FIELD_TANGENT * width, width);
    out->arm_a = vector_at(at + FIELD_ARM_A * width, width);
    out->arm_b = vector_at(at + FIELD_ARM_B * width, width);
    out->friction = at[FIELD_FRICTION * width], out->compliance = at[FIELD_COMPLIANCE * width];
    out->bias = at[FIELD_BIAS * width];
    out->rolling = at[FIELD_ROLLING * width], out->spinning = at[FIELD_SPINNING * width];
    out->closing = out->correction = at[FIELD_CORRECTION * width];
}

static void unpack_ball(const float *at, int width, constraint_block *out) {
    out->kind = BLOCK_CONTACT;
    out->normal = vector_at(at + BALL_NORMAL * width, width);
    out->tangent = vector_at(at + BALL_TANGENT * width, width);
    out->arm_a = glms_vec3_scale(out->normal, at[BALL_LENGTH_A * width]);
    out->arm_b = glms_vec3_scale(glms_vec3_negate(out->normal), at[BALL_LENGTH_B * width]);
    out->friction = at[BALL_FRICTION * width], out->compliance = at[BALL_COMPLIANCE * width];
    out->bias = at[BALL_BIAS * width];
    out->closing = out->correction = at[BALL_CORRECTION * width];
}

/* Restores a resistance, which follows its contact and uses its frame. */
static void unpack_turn(const float *at, int width, const constraint_block *contact, constraint_block *out) {
    out->kind = BLOCK_RESISTANCE, out->angular = 1;
    out->normal = contact->normal, out->tangent = contact->tangent;
    out->rolling = at[TURN_ROLLING * width], out->spinning = at[TURN_SPINNING * width];
    out->length = at[TURN_LENGTH * width];
}

static void unpack_batch(const batches *all, const batch *of, constraint_block *blocks) {
    const int width = all->width;
    for (int lane = 0; lane < width; lane++) {
        if (!(of->lanes >> lane & 1)) continue;
        const float *at = all->fields + of->first_field + lane;
        constraint_block *out = blocks + of->impulse[lane] / 4;
        const int points =
            of->several ? (int)at[batch_block_at(of->resists, of->points) * width] : of->points;
        for (int k = 0; k < points; k++, out++) {
            *out = (constraint_block){.body_a = of->velocity_a[lane] / 8, .body_b = of->velocity_b[lane] / 8};
            const int begin = of->ball ? k * BALL_FIELDS : batch_block_at(of->resists, k);
            if (of->resists && k % 2)
                unpack_turn(at + begin * width, width, out - 1, out);
            else if (of->ball)
                unpack_ball(at, width, out);
            else
                unpack_point(at + begin * width, width, out);
        }
    }
}

typedef struct unpack_loop {
    const batches *all;
    constraint_block *blocks;
} unpack_loop;

static void unpack_slice(const void *context, slice part) {
    const unpack_loop loop = *(const unpack_loop *)context;
    for (int i = part.first; i < part.end; i++) unpack_batch(loop.all, &loop.all->items[i], loop.blocks);
}

void native_unpack_to(const native *self, constraint_block *blocks) {
    const batches *all = &self->batches;
    parallel_for(parallel_threads(self->threads, self->p->block_count), all->count, unpack_slice,
                 &(const unpack_loop){.all = all, .blocks = blocks});
}

scree_result native_unpack(native *self) {
    problem *p = self->p;
    if (!self->packed) return SCREE_OK;
    TRY(problem_own_blocks(p, NULL));
    native_unpack_to(self, p->blocks);
    self->packed = false;
    return native_prepare_blocks(self);
}
