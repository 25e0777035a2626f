/* Fills batches from a problem's blocks; included by an object of each width after wide_sweep_body.h. Offsets
 * of a block's words follow layout.h; the sizes of its structs differ at this width. */
enum {
    BLOCK_FLOATS = 24,
    BLOCK_ARM_A = 0,
    BLOCK_ARM_B = 4,
    BLOCK_CORRECTION = 7,
    BLOCK_NORMAL = 8,
    BLOCK_TANGENT = 12,
    BLOCK_BODIES = 16,
    BLOCK_CLOSING = 20,
    DIAGONAL_FLOATS = 8
};

INLINE void store3(float *to, quad q) {
    store(to, q.x), store(to + SCREE_WIDTH, q.y), store(to + 2 * SCREE_WIDTH, q.z);
}

/* Returns the length ≥ 0 whose product with n is exactly the arm, as for a sphere; −1 if there is none. The
 * quotient of the largest components is that length up to its last digit. */
INLINE scalar length_along(vec3s arm, vec3s n) {
    const scalar x = scalar_abs(n.x), y = scalar_abs(n.y), z = scalar_abs(n.z);
    const scalar_mask first = (x >= y) & (x >= z), second = y >= z;
    const scalar quotient =
        choose(first, arm.x, choose(second, arm.y, arm.z)) / choose(first, n.x, choose(second, n.y, n.z));
    scalar out = scalar_of(-1);
    for (int i = -1; i <= 1; i++) {
        const scalar length = quotient + quotient * ((float)i * SCALAR_EPSILON);
        const vec3s made = glms_vec3_scale(n, length);
        out = choose((made.x == arm.x) & (made.y == arm.y) & (made.z == arm.z) & (length >= 0), length, out);
    }
    return out;
}

static void prepare_blocks(const wide_source *from, const int *blocks, bool resistances) {
    int at[SCREE_WIDTH], out[SCREE_WIDTH], mobility_a[SCREE_WIDTH], mobility_b[SCREE_WIDTH];
    for (int lane = 0; lane < SCREE_WIDTH; lane++) {
        int bodies[2];
        at[lane] = BLOCK_FLOATS * blocks[lane], out[lane] = DIAGONAL_FLOATS * blocks[lane];
        __builtin_memcpy(bodies, from->blocks + at[lane] + BLOCK_BODIES, sizeof bodies);
        mobility_a[lane] = 12 * bodies[0], mobility_b[lane] = 12 * bodies[1];
    }
    const quad_pair frame = gather_pair(from->blocks + BLOCK_NORMAL, at);
    const body_mobility of_a = mobility_at(from->mobility, mobility_a),
                        of_b = mobility_at(from->mobility, mobility_b);
    scalar_mask along = scalar_of(0) > 0;
    block_diagonal a;
    constraint_block block;
    block.kind = BLOCK_CONTACT;
    block.normal = xyz(frame.first);
    block.tangent = xyz(frame.second), block.compliance = frame.second.w;
    if (resistances) {
        block.length = gather(from->blocks + BLOCK_CLOSING, at).w;
        a = angular_prepared(block, of_a, of_b);
    } else {
        const quad_pair arms = gather_pair(from->blocks + BLOCK_ARM_A, at);
        block.arm_a = xyz(arms.first), block.arm_b = xyz(arms.second);
        along = (length_along(block.arm_a, block.normal) >= 0) &
                (length_along(block.arm_b, glms_vec3_negate(block.normal)) >= 0);
        a = block_prepared(block, of_a, of_b);
    }
    for (int lane = 0; lane < SCREE_WIDTH && from->marks; lane++)
        from->marks[blocks[lane]] = (unsigned char)((a.inverse_tangent[lane] > 0 ? MARK_ISOTROPIC : 0) |
                                                    (along[lane] ? MARK_ALONG : 0));
    if (!from->diagonals) return;
    const uint32_t all = (uint32_t)((1u << SCREE_WIDTH) - 1);
    scatter_pair(
        from->diagonals, out, all,
        (quad_pair){quad_of(a.diagonal, a.inverse_normal), quad_of(a.off_diagonal, a.inverse_tangent)});
}

/* The numbers of a point that batches use, with scalars in the fourth places. */
typedef struct point_quads {
    quad arm_a, arm_b, normal, tangent, diagonal, off_diagonal;
} point_quads;

/* Returns A_cc as it was prepared, or recomputes it in the same way. */
INLINE quad_pair diagonal_of(const wide_source *from, const batch *of, const quad_pair *arms,
                             const quad_pair *frame, const scalar *length, const int *diagonal) {
    if (from->diagonals) return gather_pair(from->diagonals, diagonal);
    const body_mobility of_a = mobility_of(from->mobility, of->velocity_a),
                        of_b = mobility_of(from->mobility, of->velocity_b);
    constraint_block block;
    block.kind = BLOCK_CONTACT;
    block.normal = xyz(frame->first);
    block.tangent = xyz(frame->second), block.compliance = frame->second.w;
    block.arm_a = xyz(arms->first), block.arm_b = xyz(arms->second);
    if (length) block.length = *length;
    const block_diagonal a = length ? angular_prepared(block, of_a, of_b) : block_prepared(block, of_a, of_b);
    return (quad_pair){quad_of(a.diagonal, a.inverse_normal), quad_of(a.off_diagonal, a.inverse_tangent)};
}

INLINE point_quads gather_point(const wide_source *from, const batch *of, const int *block,
                                const int *diagonal, const scalar *length) {
    const quad_pair arms = gather_pair(from->blocks + BLOCK_ARM_A, block),
                    frame = gather_pair(from->blocks + BLOCK_NORMAL, block),
                    a = diagonal_of(from, of, &arms, &frame, length, diagonal);
    return (point_quads){arms.first, arms.second, frame.first, frame.second, a.first, a.second};
}

INLINE void fill_prepared(float *to, schur2 s) {
    enum { W = SCREE_WIDTH };
#define STORE(place, x) store(to + (place)*W, x)
    SCHUR2_STORE(s, STORE);
#undef STORE
}

/* Fills one point of each lane's group. */
INLINE void fill_point(const wide_source *from, const batch *head, float *to, const int *block,
                       const int *diagonal) {
    enum { W = SCREE_WIDTH };
    const point_quads of = gather_point(from, head, block, diagonal, NULL);
    store3(to + FIELD_NORMAL * W, of.normal), store3(to + FIELD_TANGENT * W, of.tangent);
    store3(to + FIELD_ARM_A * W, of.arm_a), store3(to + FIELD_ARM_B * W, of.arm_b);
    store(to + FIELD_FRICTION * W, of.normal.w), store(to + FIELD_COMPLIANCE * W, of.tangent.w);
    store(to + FIELD_BIAS * W, of.arm_a.w), store(to + FIELD_CORRECTION * W, of.arm_b.w);
    const quad drift = gather(from->blocks + BLOCK_CLOSING, block); /* closing, rolling, spinning, length */
    store(to + FIELD_ROLLING * W, drift.y), store(to + FIELD_SPINNING * W, drift.z);
    store3(to + FIELD_DIAGONAL * W, of.diagonal), store(to + FIELD_INVERSE_NORMAL * W, of.diagonal.w);
    store3(to + FIELD_OFF_DIAGONAL * W, of.off_diagonal),
        store(to + FIELD_INVERSE_TANGENT * W, of.off_diagonal.w);
    fill_prepared(to + FIELD_PREPARED * W,
                  coulomb_prepared(symmetric_of(xyz(of.diagonal), xyz(of.off_diagonal))));
}

/* Fills a contact of balls. */
INLINE void fill_ball(const wide_source *from, const batch *head, float *to, const int *block,
                      const int *diagonal) {
    enum { W = SCREE_WIDTH };
    const point_quads of = gather_point(from, head, block, diagonal, NULL);
    store3(to + BALL_NORMAL * W, of.normal), store3(to + BALL_TANGENT * W, of.tangent);
    store(to + BALL_FRICTION * W, of.normal.w), store(to + BALL_COMPLIANCE * W, of.tangent.w);
    store(to + BALL_BIAS * W, of.arm_a.w), store(to + BALL_CORRECTION * W, of.arm_b.w);
    store(to + BALL_INVERSE_NORMAL * W, of.diagonal.w),
        store(to + BALL_INVERSE_TANGENT * W, of.off_diagonal.w);
    store(to + BALL_TRACE * W, of.diagonal.x + of.diagonal.y + of.diagonal.z);
    store(to + BALL_LENGTH_A * W, length_along(xyz(of.arm_a), xyz(of.normal)));
    store(to + BALL_LENGTH_B * W, length_along(xyz(of.arm_b), glms_vec3_negate(xyz(of.normal))));
}

/* Fills the resistance of a contact. */
INLINE void fill_turn(const wide_source *from, const batch *head, float *to, const int *block,
                      const int *diagonal) {
    enum { W = SCREE_WIDTH };
    const quad lengths = gather(from->blocks + BLOCK_CLOSING, block); /* closing, rolling, spinning, length */
    const point_quads of = gather_point(from, head, block, diagonal, &lengths.w);
    const quad a = of.diagonal, off = of.off_diagonal;
    store(to + TURN_ROLLING * W, lengths.y), store(to + TURN_SPINNING * W, lengths.z);
    store(to + TURN_LENGTH * W, lengths.w), store(to + TURN_TRACE * W, a.x + a.y + a.z);
    store(to + TURN_INVERSE_NORMAL * W, a.w), store(to + TURN_INVERSE_TANGENT * W, off.w);
    if (head->ball) return;
    const resistance_discs discs = resistance_prepared(symmetric_of(xyz(a), xyz(off)));
    store3(to + RESISTANCE_DIAGONAL * W, a), store3(to + RESISTANCE_OFF_DIAGONAL * W, off);
    store(to + RESISTANCE_INVERSE * W, discs.inverse);
    store(to + RESISTANCE_FREE * W, discs.free.inverse_normal);
    fill_prepared(to + (RESISTANCE_FREE + 1) * W, discs.free);
    store(to + RESISTANCE_HELD * W, discs.held.inverse_normal);
    fill_prepared(to + (RESISTANCE_HELD + 1) * W, discs.held);
}

/* Advances to each group's next block. */
INLINE void step_on(int *block, int *diagonal) {
    for (int lane = 0; lane < SCREE_WIDTH; lane++)
        block[lane] += BLOCK_FLOATS, diagonal[lane] += DIAGONAL_FLOATS;
}

/* Fills the couplings after the points of a manifold. */
INLINE void fill_couplings(const wide_source *from, const batch *of, float *points) {
    enum { W = SCREE_WIDTH };
    const body_mobility mobility_a = mobility_of(from->mobility, of->velocity_a),
                        mobility_b = mobility_of(from->mobility, of->velocity_b);
    press rows;
    rows.count = of->points;
    for (int k = 0; k < of->points; k++) {
        const wide_point p = point_of(points + k * POINT_FIELDS * W);
        press_row *row = &rows.rows[k];
        row->normal = p.block.normal;
        row->a = press_side_of(p.block.normal, p.block.arm_a, mobility_a, of->round);
        row->b = press_side_of(p.block.normal, p.block.arm_b, mobility_b, of->round);
    }
    const press_couplings found = press_coupled(&rows);
    for (int k = 0; k < batch_couplings(of->points); k++)
        store(points + (of->points * POINT_FIELDS + k) * W, found.values[k]);
}

/* Writes zeros to lanes that have no such block. */
INLINE void clear_unused(float *to, int rows, scalar_mask used) {
    if (!any_lane(used == 0)) return;
    for (int i = 0; i < rows; i++, to += SCREE_WIDTH) store(to, choose(used, load(to), scalar_of(0)));
}

/* Fills lanes that differ in their number of blocks. */
INLINE void fill_several(const wide_source *from, const batch *out, const int *groups, int count) {
    float *to = from->fields + out->first_field, counts[SCREE_WIDTH];
    for (int lane = 0; lane < SCREE_WIDTH; lane++)
        counts[lane] = (float)from->groups[groups[lane < count ? lane : 0]].count;
    const scalar all = load(counts);
    for (int k = 0; k < out->points; k++) {
        float *at = to + batch_block_at(out->resists, k) * SCREE_WIDTH;
        int block[SCREE_WIDTH], diagonal[SCREE_WIDTH];
        for (int lane = 0; lane < SCREE_WIDTH; lane++) {
            const int i = out->impulse[lane] / 4 + (counts[lane] > (float)k ? k : k % 2);
            block[lane] = BLOCK_FLOATS * i, diagonal[lane] = DIAGONAL_FLOATS * i;
        }
        const bool turns = out->resists && k % 2;
        if (turns)
            fill_turn(from, out, at, block, diagonal);
        else
            fill_point(from, out, at, block, diagonal);
        clear_unused(at, turns ? RESISTANCE_FIELDS : POINT_FIELDS, all > (float)k);
    }
    store(to + batch_block_at(out->resists, out->points) * SCREE_WIDTH, all);
}

static void fill_batch(const wide_source *from, batch *out, const int *groups, int count) {
    int block[SCREE_WIDTH], diagonal[SCREE_WIDTH];
    for (int lane = 0; lane < SCREE_WIDTH; lane++) {
        const int g = groups[lane < count ? lane : 0];
        const block_group group = from->groups[g];
        const uint32_t bit = lane < count ? 1u << lane : 0;
        out->velocity_a[lane] = 8 * group.body_a, out->velocity_b[lane] = 8 * group.body_b;
        out->impulse[lane] = 4 * group.first;
        block[lane] = BLOCK_FLOATS * group.first, diagonal[lane] = DIAGONAL_FLOATS * group.first;
        out->lanes |= bit;
        if (from->bodies[group.body_a] & BATCH_MOVES) out->moves_a |= bit;
        if (from->bodies[group.body_b] & BATCH_MOVES) out->moves_b |= bit;
    }
    out->row = out->points == 1 && count == SCREE_WIDTH;
    for (int lane = 1; lane < count; lane++) out->row &= out->impulse[lane] == out->impulse[0] + 4 * lane;
    float *to = from->fields + out->first_field;
    if (out->several) {
        fill_several(from, out, groups, count);
        return;
    }
    if (out->ball) {
        fill_ball(from, out, to, block, diagonal);
        step_on(block, diagonal);
        if (out->resists) fill_turn(from, out, to + BALL_FIELDS * SCREE_WIDTH, block, diagonal);
        return;
    }
    for (int k = 0; k < out->points; k++, step_on(block, diagonal))
        fill_point(from, out, to + k * POINT_FIELDS * SCREE_WIDTH, block, diagonal);
    if (out->points > 1) fill_couplings(from, out, to);
}
