#include "sweep_plan.h"

#include "base/memory.h"
#include "base/union_find.h"

#include <string.h>

/* Larger bundles save no launch: with three contacts a body, clusters of four colours span the pile. */
enum {
    BUNDLE = 256, /* groups per work-group of a launch, and most groups of a cluster */
    WHOLE = 1024  /* up to this many groups may form one cluster instead of several launches */
};

static bool is_large(const int *colour_first, int colour, int largest) {
    return colour_first[colour + 1] - colour_first[colour] > largest;
}

/* Returns the end of the run of colours from `colour` on: small ones, or a large one alone. */
static int end_of_run(int colour_count, const int *colour_first, int colour, int largest) {
    int end = colour;
    while (end < colour_count && !is_large(colour_first, end, largest)) ++end;
    return end > colour ? end : colour + 1;
}

static int larger(int a, int b) { return a > b ? a : b; }

/* Places the groups [first, end) of a run of colours. Each goes to the first wave that comes after the
 * earlier groups of its bodies; it joins the clusters of its bodies in that wave if they have space. Returns
 * the number of waves. */
static int place_groups(sweep_plan *self, const sweep_graph *graph, int first, int end, int *cluster_count) {
    const sweep_ends *ends = graph->ends;
    const int most = end - first <= WHOLE ? WHOLE : BUNDLE;
    int waves = 0, clusters = 0;
    for (int i = first - graph->first; i < end - graph->first; i++)
        self->of_body[end_slot(ends[i].a)].wave = self->of_body[end_slot(ends[i].b)].wave = -1;
    for (int g = first; g < end; g++) {
        const sweep_ends pair = ends[g - graph->first];
        const int bodies[2] = {end_slot(pair.a), end_slot(pair.b)};
        const bool movable[2] = {pair.a & ENDS_MASS, pair.b & ENDS_MASS};
        int own[2] = {-1, -1}, total = 1;
        sweep_place place = {0};
        for (int side = 0; side < 2; side++)
            if (movable[side]) place.wave = larger(place.wave, self->of_body[bodies[side]].wave);
        for (int side = 0; side < 2; side++) {
            const sweep_place *last = &self->of_body[bodies[side]];
            if (!movable[side] || last->wave != place.wave) continue;
            own[side] = union_find_root(self->parent, last->cluster);
            place.rank = larger(place.rank, last->rank + 1);
            if (side == 0 || own[1] != own[0]) total += self->size[own[side]];
        }
        if (total > most) place = (sweep_place){.wave = place.wave + 1}, own[0] = own[1] = -1, total = 1;
        for (int side = 0; side < 2; side++)
            if (movable[side] && self->of_body[bodies[side]].wave < 0)
                place.firsts |= side ? ORDER_FIRST_B : ORDER_FIRST_A;
        place.cluster = own[0] >= 0 ? own[0] : own[1];
        if (place.cluster < 0) place.cluster = clusters, self->parent[clusters] = clusters, clusters++;
        if (own[1] >= 0) self->parent[own[1]] = place.cluster;
        self->size[place.cluster] = total;
        self->of_group[g - first] = place;
        for (int side = 0; side < 2; side++)
            if (movable[side]) self->of_body[bodies[side]] = place;
        waves = larger(waves, place.wave + 1);
    }
    *cluster_count = clusters;
    return waves;
}

/* Puts the clusters of each wave into bundles in order; from here on, a group's `cluster` is the number of
 * its bundle. Also counts the ranks of each bundle. */
static scree_result bundle_clusters(sweep_plan *self, int count, int waves, int clusters) {
    for (int i = 0; i < clusters; i++) self->bundle[i] = -1;
    for (int wave = 0; wave < waves; wave++) {
        sweep_launch *launch = &self->launches[self->launch_count++];
        launch->bundled = true, launch->first = self->bundle_count;
        int scratch = 0;
        for (int i = 0; i < count; i++) {
            sweep_place *place = &self->of_group[i];
            if (place->wave != wave) continue;
            const int cluster = union_find_root(self->parent, place->cluster);
            if (self->bundle[cluster] < 0) {
                if (self->size[cluster] > scratch) {
                    TRY(MEMORY_RESERVE(self->bundle_first, self->bundle_capacity, self->bundle_count + 2,
                                       NULL));
                    self->bundle_first[self->bundle_count++ + 1] = 0;
                    scratch = BUNDLE;
                }
                self->bundle[cluster] = self->bundle_count - 1;
                scratch -= self->size[cluster];
            }
            place->cluster = self->bundle[cluster];
            int *ranks = &self->bundle_first[place->cluster + 1];
            *ranks = larger(*ranks, place->rank + 1);
        }
        launch->count = self->bundle_count - launch->first;
    }
    return SCREE_OK;
}

/* Stable counting sort by bundle and rank. */
static scree_result sort_groups(sweep_plan *self, int first, int count, int first_bundle) {
    const int first_rank = self->rank_count;
    for (int b = first_bundle; b < self->bundle_count; b++)
        self->bundle_first[b + 1] += self->bundle_first[b];
    self->rank_count = self->bundle_first[self->bundle_count];
    TRY(MEMORY_RESERVE(self->rank_first, self->rank_capacity, self->rank_count + 1, NULL));
    TRY(MEMORY_RESERVE(self->order, self->order_capacity, self->order_count + count, NULL));
    int *places = self->rank_first; /* first the count of each rank, then the position of its next group */
    memset(places + first_rank, 0, sizeof *places * (size_t)(self->rank_count + 1 - first_rank));
    for (int i = 0; i < count; i++)
        ++places[self->bundle_first[self->of_group[i].cluster] + self->of_group[i].rank];
    int next = self->order_count;
    for (int r = first_rank; r < self->rank_count; r++) {
        const int here = places[r];
        places[r] = next, next += here;
    }
    for (int i = 0; i < count; i++)
        self->order[places[self->bundle_first[self->of_group[i].cluster] + self->of_group[i].rank]++] =
            (first + i) << ORDER_SHIFT | self->of_group[i].firsts;
    for (int r = self->rank_count; r > first_rank; r--) places[r] = places[r - 1];
    places[first_rank] = self->order_count;
    self->order_count = next;
    return SCREE_OK;
}

/* Plans the launches of the colours [colour, end), which are all small or a single one. */
static scree_result plan_run(sweep_plan *self, const sweep_graph *graph, int colour, int end) {
    const int first = graph->colour_first[colour], count = graph->colour_first[end] - first;
    const int first_bundle = self->bundle_count;
    int clusters;
    if (end == colour + 1) {
        self->launches[self->launch_count++] =
            (sweep_launch){.first = first, .count = count, .colour = colour, .colour_end = end};
        return SCREE_OK;
    }
    TRY(MEMORY_RESERVE(self->of_group, self->group_capacity, count, NULL));
    TRY(MEMORY_RESERVE(self->of_body, self->body_capacity, graph->body_count, NULL));
    TRY(MEMORY_RESERVE(self->parent, self->parent_capacity, count, NULL));
    TRY(MEMORY_RESERVE(self->size, self->size_capacity, count, NULL));
    TRY(MEMORY_RESERVE(self->bundle, self->cluster_bundle_capacity, count, NULL));
    const int waves = place_groups(self, graph, first, first + count, &clusters);
    for (int wave = 0; wave < waves; wave++) {
        self->launches[self->launch_count + wave].colour = colour;
        self->launches[self->launch_count + wave].colour_end = end;
    }
    TRY(bundle_clusters(self, count, waves, clusters));
    return sort_groups(self, first, count, first_bundle);
}

slice sweep_plan_tail(int colour_count, const int *colour_first, int largest) {
    slice out = {0, 0};
    for (int colour = 0, end; colour < colour_count; colour = end) {
        end = end_of_run(colour_count, colour_first, colour, largest);
        if (end == colour + 1) continue;
        if (out.end == 0) out.first = colour_first[colour];
        out.end = colour_first[end];
    }
    return out;
}

scree_result sweep_plan_make(sweep_plan *self, const sweep_graph *graph, int largest) {
    self->launch_count = self->bundle_count = self->rank_count = self->order_count = 0;
    TRY(MEMORY_RESERVE(self->bundle_first, self->bundle_capacity, 1, NULL));
    TRY(MEMORY_RESERVE(self->rank_first, self->rank_capacity, 1, NULL));
    self->bundle_first[0] = self->rank_first[0] = 0;
    for (int colour = 0, end; colour < graph->colour_count; colour = end) {
        end = end_of_run(graph->colour_count, graph->colour_first, colour, largest);
        TRY(plan_run(self, graph, colour, end));
    }
    return SCREE_OK;
}

/* Static and kinematic bodies have no incidence, and do not order groups. */
static unsigned end_of(const problem *p, int body) {
    return (unsigned)body | (p->incidence_first[body + 1] > p->incidence_first[body] ? ENDS_MASS : 0);
}

scree_result sweep_plan_of_problem(sweep_plan *self, const problem *p, int largest) {
    const slice tail = sweep_plan_tail(p->colour_count, p->colour_first, largest);
    TRY(MEMORY_RESERVE(self->ends, self->end_capacity, tail.end - tail.first + 1, NULL));
    for (int g = tail.first; g < tail.end; g++)
        self->ends[g - tail.first] =
            (sweep_ends){end_of(p, p->groups[g].body_a), end_of(p, p->groups[g].body_b)};
    const sweep_graph graph = {.colour_count = p->colour_count,
                               .colour_first = p->colour_first,
                               .body_count = p->body_count,
                               .first = tail.first,
                               .ends = self->ends};
    return sweep_plan_make(self, &graph, largest);
}

void sweep_plan_release(sweep_plan *self) {
    memory_release(self->bundle_first);
    memory_release(self->rank_first);
    memory_release(self->order);
    memory_release(self->ends);
    memory_release(self->of_group);
    memory_release(self->of_body);
    memory_release(self->parent);
    memory_release(self->size);
    memory_release(self->bundle);
    *self = (sweep_plan){0};
}
