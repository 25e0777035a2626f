/* A pass over all blocks: wide where batches hold them, one by one elsewhere. */
#include "native_state.h"

static void blocks_piece(void *context, int piece) {
    const native_loop *loop = context;
    const span of = span_of(loop, piece, BLOCK_PIECE);
    for (int i = of.first; i < of.end; i++) loop->each(loop, i);
}

static void batches_piece(void *context, int piece) {
    const native_loop *loop = context;
    const span of = span_of(loop, piece, BATCH_PIECE);
    loop->wide(loop->job, of.first, of.end);
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

void native_each_block(native_loop with) {
    const native *self = with.self;
    if (!all_sorted(self)) {
        with.count = self->p->block_count;
        share_items(&with, BLOCK_PIECE, blocks_piece);
        return;
    }
    with.count = self->batches.count;
    share_items(&with, BATCH_PIECE, batches_piece);
    with.count = self->batches.loose_first[self->p->colour_count];
    share_items(&with, GROUP_PIECE, loose_piece);
}
