/* The wide sweep in terms of the kernels' functions: included once by an object of each width, before the
 * other bodies. */
#include "wide_sweep.h"

#include "base/lanes.h"
#include "nesterov.h"

#define INLINE __attribute__((always_inline)) static inline

/* The numbers of one point, and its A_cc. */
typedef struct wide_point {
    constraint_block block;
    block_diagonal diagonal;
} wide_point;

INLINE wide_point point_of(const float *at) {
    enum { W = SCREE_WIDTH };
    wide_point p;
    p.block.kind = BLOCK_CONTACT;
    p.block.normal = load3(at + FIELD_NORMAL * W), p.block.tangent = load3(at + FIELD_TANGENT * W);
    p.block.arm_a = load3(at + FIELD_ARM_A * W), p.block.arm_b = load3(at + FIELD_ARM_B * W);
    p.block.friction = load(at + FIELD_FRICTION * W), p.block.compliance = load(at + FIELD_COMPLIANCE * W);
    p.block.bias = load(at + FIELD_BIAS * W), p.block.correction = load(at + FIELD_CORRECTION * W);
    p.diagonal.diagonal = load3(at + FIELD_DIAGONAL * W);
    p.diagonal.inverse_normal = load(at + FIELD_INVERSE_NORMAL * W);
    p.diagonal.off_diagonal = load3(at + FIELD_OFF_DIAGONAL * W);
    p.diagonal.inverse_tangent = load(at + FIELD_INVERSE_TANGENT * W);
    return p;
}

/* The same of a resistance. */
INLINE wide_point resistance_of(const float *at) {
    enum { W = SCREE_WIDTH };
    wide_point p = point_of(at);
    p.block.rolling = load(at + FIELD_ROLLING * W), p.block.spinning = load(at + FIELD_SPINNING * W);
    p.block.length = load(at + FIELD_LENGTH * W);
    return p;
}

INLINE vec3s xyz(quad q) { return vec3_of(q.x, q.y, q.z); }
INLINE quad quad_of(vec3s v, scalar w) { return (quad){v.x, v.y, v.z, w}; }

INLINE body_velocity velocity_of(const float *base, const int *at) {
    const quad linear = gather(base, at), angular = gather(base + 4, at);
    body_velocity v;
    v.linear = xyz(linear), v.reserved = linear.w, v.angular = xyz(angular), v.reserved_angular = angular.w;
    return v;
}

INLINE void put_velocity(float *base, const int *at, uint32_t which, body_velocity v) {
    scatter(base, at, which, quad_of(v.linear, v.reserved));
    scatter(base + 4, at, which, quad_of(v.angular, v.reserved_angular));
}

INLINE body_mobility mobility_at(const float *base, const int *at) {
    body_mobility m;
    m.inverse_mass = xyz(gather(base, at)), m.diagonal = xyz(gather(base + 4, at)),
    m.off_diagonal = xyz(gather(base + 8, at));
    return m;
}

INLINE block_impulse impulse_of(const float *base, const int *at) {
    const quad q = gather(base, at);
    block_impulse r;
    r.value = xyz(q), r.shift = q.w;
    return r;
}

INLINE void put_impulse(float *base, const int *at, uint32_t which, block_impulse r) {
    scatter(base, at, which, quad_of(r.value, r.shift));
}

/* One batch. Points, kind and what is done are known when this is compiled, once for each. */
INLINE void sweep_batch(const wide_job *job, const batch *of, int points, int isotropic, int resists,
                        int position, int momentum) {
    solve_parameters parameters = job->parameters;
    parameters.position_pass = position;
    const float *fields = job->fields + of->first_field;
    const body_mobility mobility_a = mobility_at(job->mobility, of->mobility_a),
                        mobility_b = mobility_at(job->mobility, of->mobility_b);
    body_velocity a = velocity_of(job->velocities, of->velocity_a),
                  b = velocity_of(job->velocities, of->velocity_b);
    block_impulse r[BATCH_POINTS], before[BATCH_POINTS], start[BATCH_POINTS];
    for (int k = 0; k < points; k++) {
        r[k] = impulse_of(job->impulses + 4 * k, of->impulse);
        if (!momentum) continue;
        before[k] = r[k];
        r[k] = impulse_extrapolated(r[k], impulse_of(job->before + 4 * k, of->impulse),
                                    scalar_of(job->extrapolation));
        put_impulse(job->before + 4 * k, of->impulse, of->lanes, before[k]);
        start[k] = r[k];
    }
    const int sweeps = points > 1 && !resists ? parameters.local_sweeps : 1;
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int i = 0; i < points; i++) {
            const int k = parameters.backward ? points - 1 - i : i;
            const float *at = fields + (size_t)k * POINT_FIELDS * SCREE_WIDTH;
            block_step step;
            if (resists && k == 1) {
                if (position) continue; /* which turns nothing back */
                const wide_point p = resistance_of(at);
                step = resistance_swept_isotropic(p.block, p.diagonal, parameters, r[1], r[0].value.x, a, b,
                                                  mobility_a, mobility_b);
            } else {
                const wide_point p = point_of(at);
                step = contact_swept(p.block, p.diagonal, parameters, isotropic, r[k], a, b, mobility_a,
                                     mobility_b);
            }
            r[k] = step.impulse, a = step.a, b = step.b;
        }
    for (int k = 0; k < points; k++) {
        put_impulse(job->impulses + 4 * k, of->impulse, of->lanes, r[k]);
        if (!momentum) continue;
        const wide_point p = point_of(fields + (size_t)k * POINT_FIELDS * SCREE_WIDTH);
        const scalar uphill = block_uphill(p.diagonal, start[k], r[k], before[k]);
        for (int lane = 0; lane < SCREE_WIDTH; lane++)
            if (of->lanes >> lane & 1) job->uphill[of->impulse[lane] / 4 + k] = uphill[lane];
    }
    put_velocity(job->velocities, of->velocity_a, of->moves_a, a);
    put_velocity(job->velocities, of->velocity_b, of->moves_b, b);
}

INLINE void sweep_all(const wide_job *job, int first, int last, int position, int momentum) {
    for (int i = first; i < last; i++) {
        const batch *of = &job->items[i];
        if (of->resists) {
            sweep_batch(job, of, 2, 1, 1, position, momentum);
            continue;
        }
        if (of->isotropic) {
            sweep_batch(job, of, 1, 1, 0, position, momentum);
            continue;
        }
        switch (of->points) {
        case 1:
            sweep_batch(job, of, 1, 0, 0, position, momentum);
            break;
        case 2:
            sweep_batch(job, of, 2, 0, 0, position, momentum);
            break;
        case 3:
            sweep_batch(job, of, 3, 0, 0, position, momentum);
            break;
        default:
            sweep_batch(job, of, 4, 0, 0, position, momentum);
        }
    }
}

static void sweep_batches(const wide_job *job, int first, int last) {
    const int position = job->parameters.position_pass;
    if (position && job->momentum)
        sweep_all(job, first, last, 1, 1);
    else if (position)
        sweep_all(job, first, last, 1, 0);
    else if (job->momentum)
        sweep_all(job, first, last, 0, 1);
    else
        sweep_all(job, first, last, 0, 0);
}
