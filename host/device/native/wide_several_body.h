/* Sweeps over batches whose lanes differ in their number of points; included by wide_sweep_body.h, which
 * sweeps the uniform batches. Each lane computes what sweep_group computes for its group. */

/* Returns where the sweep of block k starts: extrapolated with momentum, else its impulse. With momentum also
 * returns the iterate in `before`. */
INLINE block_impulse several_begun(const wide_job *job, const block_places *places, block_impulse *before) {
    const block_impulse r = impulse_at(job->impulses, places);
    if (!job->momentum) return r;
    *before = impulse_at(job->before, places);
    return impulse_extrapolated(*before, r, scalar_of(job->extrapolation));
}

/* Updates contacts; A_cc is diag(a, t, t) in some lanes. */
INLINE block_step several_contact(const visit *at, const float *fields, sweep_kind kind,
                                  solve_parameters parameters, block_impulse r) {
    const wide_point p = point_of(fields);
    if (kind.position)
        return block_pushed(p.block, p.diagonal, parameters, r, at->a, at->b, at->mobility_a, at->mobility_b,
                            kind.round);
    const scalar_mask isotropic = p.diagonal.inverse_tangent > 0;
    const schur2 prepared = prepared_of(fields);
    const vec3s u = contact_velocity(p.block, parameters, r, at->a, at->b);
    vec3s solved = block_solve_prepared(p.block, p.diagonal, prepared, parameters, 0, r.value, u);
    if (any_lane(isotropic))
        solved = vec3_choose(isotropic,
                             block_solve_prepared(p.block, p.diagonal, prepared, parameters, 1, r.value, u),
                             solved);
    return contact_applied(p.block, r, solved, at->a, at->b, at->mobility_a, at->mobility_b, kind.round);
}

/* Updates resistances; A_cc is isotropic in some lanes. */
INLINE block_step several_resistance(const visit *at, const float *fields, wide_point p, sweep_kind kind,
                                     solve_parameters parameters, block_impulse r, scalar normal) {
    const scalar_mask isotropic = p.diagonal.inverse_tangent > 0;
    const resistance_bound bound = resistance_bound_of(p.block, 0, normal);
    const vec3s u = resistance_velocity(p.block, at->a, at->b);
    vec3s solved = resistance_update_isotropic(parameters, p.diagonal, r.value, u, bound);
    if (any_lane(isotropic == 0)) {
        const symmetric3 delassus = symmetric_of(p.diagonal.diagonal, p.diagonal.off_diagonal);
        solved = vec3_choose(
            isotropic, solved,
            resistance_update_prepared(parameters, delassus, discs_of(fields), r.value, u, bound));
    }
    return resistance_applied(p.block, r, solved, at->a, at->b, at->mobility_a, at->mobility_b, kind.round);
}

INLINE void several_swept(const wide_job *job, const batch *of, const batch *end, sweep_kind kind) {
    solve_parameters parameters = job->parameters;
    parameters.position_pass = kind.position;
    block_impulse r[2 * SEVERAL_POINTS], before;
    visit at;
    const batch *next = batch_ahead(job, of, end, of->points, 1);
    if (next) {
        ask(job->fields + next->first_field, batch_rows(next) * SCREE_WIDTH);
        ask_bodies(job->velocities, next);
        ask_blocks(job->impulses, next, next->points);
        if (job->momentum) ask_blocks(job->before, next, next->points);
    }
    kind.points = of->points;
    visit_open(&at, job, of, kind);
    const scalar counts = counts_of(at.fields, kind);
    for (int k = 0; k < kind.points; k++) {
        const block_places places = places_of(of, counts, k);
        r[k] = several_begun(job, &places, &before);
    }
    const int sweeps = kind.resists ? resisted_sweeps(kind.points / 2, parameters).whole
                                    : manifold_sweeps(kind.points, parameters).whole;
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int i = 0; i < kind.points; i++) {
            const int k = point_at(kind, parameters, i);
            const float *fields = fields_of_block(at.fields, kind, k);
            const bool turns = kind.resists && k % 2;
            if (turns && kind.position) continue; /* resistances do not act in the position pass */
            const block_step step = turns ? several_resistance(&at, fields, point_of_kind(at.fields, kind, k),
                                                               kind, parameters, r[k], r[k - 1].value.x)
                                          : several_contact(&at, fields, kind, parameters, r[k]);
            r[k] = step.impulse, at.a = step.a, at.b = step.b;
        }
    for (int k = 0; k < kind.points; k++) {
        const block_places places = places_of(of, counts, k);
        if (job->momentum) {
            const block_impulse start = several_begun(job, &places, &before);
            put_each_at(job->uphill, &places,
                        block_uphill(point_of_kind(at.fields, kind, k).diagonal, start, r[k], before));
        }
        scatter(job->impulses, places.at, places.lanes, quad_of(r[k].value, r[k].shift));
    }
    visit_close(&at, job);
}

#define SWEEP(name, ...)                                                                                     \
    __attribute__((noinline)) static void name(const wide_job *job, const batch *of, int count) {            \
        for (const batch *end = of + count; of < end; of++)                                                  \
            several_swept(job, of, end, (sweep_kind){.several = 1, __VA_ARGS__});                            \
    }
#define SWEEPS(name, ...)                                                                                    \
    SWEEP(sweep_##name, __VA_ARGS__)                                                                         \
    SWEEP(push_##name, __VA_ARGS__, .position = 1)                                                           \
    static const sweep_row name = {sweep_##name, push_##name};
SWEEPS(several, .resists = 0)
SWEEPS(resisted, .resists = 1)
SWEEPS(round_resisted, .resists = 1, .round = 1)
#undef SWEEPS
#undef SWEEP
