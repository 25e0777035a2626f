#include "wide_plan.h"

#include "base/memory.h"
#include "wide_batch.h"

enum { LOOSE_BUNDLE = 64 }; /* groups that a work-group sweeps */

scree_result wide_plan_begin(wide_plan *self, const problem *p) {
    return MEMORY_RESERVE(self->classes, self->class_capacity, p->group_count, NULL);
}

static void add_launch(wide_plan *self, wide_launch_kind kind, int first, int end) {
    if (first == end) return;
    self->launches[self->launch_count++] = (wide_launch){.kind = kind, .first = first, .count = end - first};
}

static void put_lane(int *to, int width, int lane, const block_group *group, int count) {
    to[BATCH_A * width + lane] = group->body_a, to[BATCH_B * width + lane] = group->body_b;
    to[BATCH_FIRST * width + lane] = group->first, to[BATCH_COUNT * width + lane] = count;
}

/* A batch of which this is the first group, and which all lanes repeat until others come. */
static scree_result open_batch(wide_plan *self, const block_group *group, bool balls, int **batch) {
    const int width = self->width;
    TRY(MEMORY_RESERVE(self->batches, self->batch_capacity, self->number_count + BATCH_ROWS * width, NULL));
    int *to = *batch = self->batches + self->number_count;
    self->batch_count++, self->number_count += BATCH_ROWS * width;
    for (int lane = 0; lane < width; lane++) put_lane(to, width, lane, group, 0);
    to[BATCH_PLACES * width + PLACE_FIELDS] = self->field_count;
    to[BATCH_PLACES * width + PLACE_BALLS] = balls;
    self->field_count += balls ? ROUND_FIELDS + BALL_FIELDS : BODY_FIELDS + POINT_FIELDS * group->count;
    return SCREE_OK;
}

/* The groups [first, end) of one class, in their order. */
static scree_result batch_class(wide_plan *self, const problem *p, int first, int end, int class) {
    const int width = self->width;
    int lane = width, *batch = NULL;
    for (int g = first; g < end; g++) {
        if (self->classes[g] != class) continue;
        if (lane == width) {
            TRY(open_batch(self, &p->groups[g], class == WIDE_BALL, &batch));
            lane = 0;
        }
        put_lane(batch, width, lane++, &p->groups[g], p->groups[g].count);
    }
    return SCREE_OK;
}

static scree_result bundle_loose(wide_plan *self, int first, int end) {
    int scratch = 0;
    for (int g = first; g < end; g++) {
        if (self->classes[g] != WIDE_LOOSE) continue;
        TRY(MEMORY_RESERVE(self->order, self->order_capacity, self->order_count + 1, NULL));
        if (scratch == 0) {
            const int bundle = ++self->bundle_count;
            TRY(MEMORY_RESERVE(self->rank_first, self->rank_capacity, bundle + 1, NULL));
            TRY(MEMORY_RESERVE(self->bundle_first, self->bundle_capacity, bundle + 1, NULL));
            self->bundle_first[bundle] = bundle;
            scratch = LOOSE_BUNDLE;
        }
        self->order[self->order_count++] = g << ORDER_SHIFT;
        self->rank_first[self->bundle_count] = self->order_count;
        scratch--;
    }
    return SCREE_OK;
}

static scree_result plan_colour(wide_plan *self, const problem *p, int colour) {
    const int first = p->colour_first[colour], end = p->colour_first[colour + 1];
    const int balls = self->batch_count, bundles = self->bundle_count;
    self->launch_first[colour] = self->launch_count;
    TRY(batch_class(self, p, first, end, WIDE_BALL));
    add_launch(self, WIDE_BALLS, balls, self->batch_count);
    const int manifolds = self->batch_count;
    for (int points = WIDE_POINTS; points > 0; points--)
        TRY(batch_class(self, p, first, end, WIDE_MANIFOLD + points - 1));
    add_launch(self, WIDE_MANIFOLDS, manifolds, self->batch_count);
    TRY(bundle_loose(self, first, end));
    add_launch(self, WIDE_BUNDLES, bundles, self->bundle_count);
    return SCREE_OK;
}

scree_result wide_plan_make(wide_plan *self, const problem *p) {
    self->launch_count = self->batch_count = self->number_count = self->field_count = self->order_count =
        self->bundle_count = 0;
    TRY(MEMORY_RESERVE(self->rank_first, self->rank_capacity, 1, NULL));
    TRY(MEMORY_RESERVE(self->bundle_first, self->bundle_capacity, 1, NULL));
    self->rank_first[0] = self->bundle_first[0] = 0;
    for (int colour = 0; colour < p->colour_count; colour++) TRY(plan_colour(self, p, colour));
    self->launch_first[p->colour_count] = self->launch_count;
    return SCREE_OK;
}

batch_range wide_plan_range(const wide_plan *self, int *at, int end, int few) {
    const wide_launch *from = &self->launches[(*at)++];
    batch_range range = {.first = from->first, .end = from->first + from->count, .each = 1, .sweeps = 1};
    for (; *at < end; ++*at) {
        const wide_launch *next = &self->launches[*at];
        if (next->kind != from->kind || next->first != range.end || from->count > few || next->count > few)
            break;
        range.end += next->count, range.each = range.end - range.first;
    }
    return range;
}

void wide_plan_release(wide_plan *self) {
    memory_release(self->batches);
    memory_release(self->order);
    memory_release(self->rank_first);
    memory_release(self->bundle_first);
    memory_release(self->classes);
    *self = (wide_plan){0};
}
