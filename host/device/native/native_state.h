/* Internals shared by the files of the native backend: its state, and loops whose pieces its team shares. */
#pragma once

#include "device/backend.h"
#include "solve/executor.h"

#include "base/team.h"
#include "batches.h"
#include "nesterov.h"
#include "wide_sweep.h"

#include <stddef.h>

typedef struct native {
    backend base;
    executor executor;
    int threads;
    team *team; /* of the running solve */
    problem *p;
    /* The running pass works on one of the problem's two sets of impulses and velocities. */
    block_impulse *impulses;
    body_velocity *velocities;
    int kept_capacity;
    block_impulse *kept;
    bool keeps; /* impulses have been kept in this pass */
    int chunk_capacity;
    residual_sum *chunks;
    /* Accelerated methods: the starting point of the iteration (only for blocks swept one by one), the
     * iterate before, the best iterate. Before the first iteration of a pass, `before` holds the ρ q terms of
     * the residual. */
    int start_capacity, uphill_capacity;
    block_impulse *starts, *before, *best;
    body_velocity *velocities_before; /* in scratch memory, as before, best, records and sums */
    scalar *uphill;
    nesterov_state nesterov;
    int rebound_capacity;
    body_velocity *rebounds; /* P₀ of displacement.h */
    /* NULL: every group is swept by itself. */
    const wide_code *wide;
    batches batches;
    bool displaced; /* the batches of the velocity pass hold the corrections of the position pass */
    bool has_loose; /* some groups of the last problem are in no batch */
    bool packed;    /* the batches hold all blocks of `p`, which has no array of them */
    bool windowed;  /* while they are packed: those of the array lie in scratch memory */
    const problem_input *assembly; /* of the running solve (solve_request) */
    bool cold;                     /* the running solve starts from zero */
    bool bounced;                  /* contacts of the last `split` solve bounced */
    int diagonal_capacity;
    block_diagonal *diagonals; /* A_cc of each block, unless packed */
    int move_capacity;
    unsigned char *moves;      /* BATCH_MOVES and BATCH_ROUND of each body */
    void *sorting;             /* scratch of the sort of groups into batches, while these are built */
    unsigned char *marks;      /* then: MARK_ISOTROPIC and MARK_ALONG of each block; else NULL */
    scratch_arena own_scratch; /* used unless the problem has one */
    /* These share memory, one after the other. */
    block_impulse *records; /* of each block: the terms of the residual */
    body_velocity *sums;    /* of each body: impulses, in the layout of velocities */
    bool drives_known;      /* ρ q has been computed in this pass */
    int tree_state_capacity;
    joint_node_state *tree_states;
    scalar *uphill_terms; /* of each block; shares memory with the records while no residual is computed */
} native;

/* Arguments of the pieces of a loop. */
typedef struct native_loop native_loop;
typedef void native_block(const native_loop *loop, int block);
struct native_loop {
    native *self;
    solve_parameters parameters;
    int first, count; /* items */
    int colour;
    const wide_job *job;
    const body_velocity *sums; /* of impulses; NULL: summed over the incidence */
    float extrapolation;
    bool bounces, starts;
    wide_pass *wide;    /* native_each_block: applied to batches, */
    native_block *each; /* and to each block that is in none */
};

/* Items per piece: enough to make the cost of taking a piece small. */
enum { BLOCK_PIECE = 256, BODY_PIECE = 256, GROUP_PIECE = 16 };

typedef struct span {
    int first, end;
} span;

static inline span span_of(const native_loop *loop, int piece, int size) {
    const int first = piece * size, end = first + size;
    return (span){loop->first + first, loop->first + (end < loop->count ? end : loop->count)};
}

/* Returns the number of pieces of a colour: those of its batches, then those of its loose groups. */
static inline int colour_batches(const batches *of, int colour) {
    return of->piece_first[colour + 1] - of->piece_first[colour];
}
static inline int colour_pieces(const batches *of, int colour) {
    const int loose = of->loose_first[colour + 1] - of->loose_first[colour];
    return colour_batches(of, colour) + (loose + GROUP_PIECE - 1) / GROUP_PIECE;
}

/* Returns true and a range of batches, or false and a range of `loose`. */
static inline bool colour_piece_of(const native_loop *loop, int piece, span *out) {
    const batches *of = &loop->self->batches;
    const int wide = colour_batches(of, loop->colour), *first = of->pieces + of->piece_first[loop->colour];
    const native_loop rest = {.first = of->loose_first[loop->colour],
                              .count = of->loose_first[loop->colour + 1] - of->loose_first[loop->colour]};
    *out = piece < wide ? (span){first[piece], first[piece + 1]} : span_of(&rest, piece - wide, GROUP_PIECE);
    return piece < wide;
}

/* Returns half of a colour's batches. */
static inline span colour_half(const batches *of, int colour, int side) {
    return side == 0 ? (span){of->batch_first[colour], of->middle[colour]}
                     : (span){of->middle[colour], of->batch_first[colour + 1]};
}

/* Returns whether the two threads of a team march (team.h) from colour to colour: the colours are too small
 * to be offered one by one. */
static inline bool colours_march(const native *self) {
    const batches *of = &self->batches;
    return team_size(self->team) == 2 && of->small && of->loose_first[self->p->colour_count] == 0;
}

/* Runs one of two halves of a loop over items in pieces of `size`. */
static inline void run_half(native_loop *loop, int size, int side, team_piece *run) {
    const int pieces = (loop->count + size - 1) / size, middle = (pieces + 1) / 2;
    for (int piece = side == 0 ? 0 : middle; piece < (side == 0 ? middle : pieces); piece++) run(loop, piece);
}

/* Shares a loop over items in pieces of `size` among the team. */
static inline void share_items(native_loop *loop, int size, team_piece *run) {
    team_share(loop->self->team, (loop->count + size - 1) / size, run, loop);
}

static inline native *native_of(executor *self) {
    return (native *)((char *)self - offsetof(native, executor));
}

static inline bool all_coloured(const problem *p) { return p->remainder_first == p->block_count; }

/* Returns whether every block is in a batch or a loose group. */
static inline bool all_sorted(const native *self) { return self->wide && all_coloured(self->p); }

/* Returns whether batches can be swept under this law: the general block of the associated law has no wide
 * form. */
static inline bool native_sweeps_wide(const native *self, int law) {
    return self->wide && law != LAW_ASSOCIATED;
}

wide_job native_job(const native *self, solve_parameters parameters);

/* Returns the normal impulse that bounds block i if it is a resistance. */
static inline scalar normal_before(const native *self, int i) {
    return block_is_resistance(self->p->blocks[i]) ? self->impulses[i - 1].value.x : 0;
}

/* Returns the number of chunks of blocks, for sums. */
static inline int chunks_of(const native *self) {
    return (self->p->block_count + RESIDUAL_CHUNK - 1) / RESIDUAL_CHUNK;
}

/* native_launches.c: computes A_cc of all blocks, and their marks. Errors: MEMORY. */
scree_result native_prepare_blocks(native *self);
/* native_unpack.c: restores the problem's blocks from the batches that have packed them. The first restores
 * blocks and diagonals in the middle of a solve, the second the blocks alone when no solve runs. Errors:
 * MEMORY. */
scree_result native_unpack(native *self);
void native_unpack_to(const native *self, constraint_block *blocks);
/* native_blocks.c: processes all blocks, in lanes where batches hold them; memcpy by all threads. */
void native_each_block(native_loop with);
void native_copy(native *self, void *to, const void *from, size_t bytes);
/* native_gather.c: velocities from impulses; the sum of a body's impulses, or of its bouncing contacts'
 * alone, over its incidence. */
body_impulse native_body_summed(const native *self, bool rebounds, int body);
scree_result native_gather(executor *base, solve_parameters parameters);
scree_result native_gather_remainder(executor *base, solve_parameters parameters);
scree_result native_regather(executor *base, solve_parameters parameters);
/* native_trees.c: factors of a pass, of trees and of single joints, the direct solution, and the momentum
 * terms of the blocks that it changed. */
scree_result native_factor_trees(native *self, solve_parameters parameters);
void native_factor_systems(native *self, solve_parameters parameters);
scree_result native_solve_trees(executor *base, solve_parameters parameters);
void native_tree_terms(native *self);
/* native_residual.c */
scree_result native_residual(executor *base, solve_parameters parameters, residual_sum *out);

/* native_sweep.c: sweeps and the momentum between them, as in executor_operations. */
scree_result native_sweep(executor *base, int first, int count, solve_parameters parameters);
scree_result native_nesterov_begin(executor *base, solve_parameters parameters);
scree_result native_nesterov_step(executor *base, solve_parameters parameters);
scree_result native_nesterov_read(executor *base, nesterov_values *out);
scree_result native_iterate(executor *base, iteration_run run, solve_parameters parameters,
                            solve_parameters step, bool *done);

extern const executor_operations native_executor_operations; /* native_launches.c */
