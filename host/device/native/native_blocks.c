/* Loops over all blocks: in lanes where batches hold them, one by one elsewhere; and copies of arrays of
 * blocks. */
#include "native_state.h"

#include <string.h>

static void blocks_piece(void *context, int piece) {
    const native_loop *loop = context;
    const span of = span_of(loop, piece, BLOCK_PIECE);
    for (int i = of.first; i < of.end; i++) loop->each(loop, i);
}

static void batches_piece(void *context, int piece) {
    const native_loop *loop = context;
    const int *first = loop->self->batches.pieces + piece;
    loop->wide(loop->job, first[0], first[1]);
}

static void loose_piece(void *context, int piece) {
    const native_loop *loop = context;
    const native *self = loop->self;
    const span of = span_of(loop, piece, GROUP_PIECE);
    for (int k = of.first; k < of.end; k++) {
        const block_group group = self->p->groups[self->batches.loose[k]];
        for (int i = group.first; i < group.first + group.count; i++) loop->each(loop, i);
    }
}

typedef struct copying {
    char *to;
    const char *from;
    size_t bytes;
} copying;

enum { COPY_PIECE = 1 << 16 /* bytes */ };

static void copy_piece(void *context, int piece) {
    const copying *of = context;
    const size_t first = (size_t)piece * COPY_PIECE, left = of->bytes - first;
    memcpy(of->to + first, of->from + first, left < COPY_PIECE ? left : COPY_PIECE);
}

void native_copy(native *self, void *to, const void *from, size_t bytes) {
    copying of = {to, from, bytes};
    team_share(self->team, (int)((bytes + COPY_PIECE - 1) / COPY_PIECE), copy_piece, &of);
}

void native_each_block(native_loop with) {
    const native *self = with.self;
    if (!all_sorted(self)) {
        with.count = self->p->block_count;
        share_items(&with, BLOCK_PIECE, blocks_piece);
        return;
    }
    team_share(with.self->team, self->batches.piece_first[self->p->colour_count], batches_piece, &with);
    with.count = self->batches.loose_first[self->p->colour_count];
    share_items(&with, GROUP_PIECE, loose_piece);
}
