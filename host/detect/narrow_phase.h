/* From pairs whose boxes meet to their contact points. */
#pragma once

#include "body_record.h"
#include "body_bounds.h"
#include "manifold.h"
#include "pair_rows.h"
#include "narrow_phase_simd.h"

#include "base/memory.h"

enum { NARROW_PAIRS = RECORD_PAIRS }; /* tested together */

/* Bodies as pairs read them. */
typedef struct narrow_phase {
    int width;     /* lanes; 0: not chosen yet */
    bool in_lanes; /* an int can index the floats of all records; otherwise pairs are tested one by one */
    const narrow_phase_simd *tests;
    scratch_arena own_scratch, *scratch; /* scratch that others use between searches; null: own_scratch */
    body_record *records;                /* of each slot, in scratch */
} narrow_phase;

/* Two children within reach whose contact was dropped because of their motion: they pass each other
 * (kernels/skimming.h), or another child of a surface takes precedence (mesh_edges.c). */
typedef struct skim {
    body_pair pair;
    int children; /* manifold.children */
} skim;

typedef struct skim_list {
    int count, capacity;
    skim *items;
} skim_list;

/* Returns the kind of a shape's record: RECORD_BALL, … */
int narrow_phase_kind(scree_shape_kind kind);
/* Returns the constants of a body's shape in its record. */
record_shape narrow_phase_shape(const body_array *bodies, int slot);

/* Copies the current bodies. Errors: MEMORY. */
scree_result narrow_phase_begin(narrow_phase *self, const body_array *bodies, int threads, int *regrown);

/* Appends the manifolds of pairs, count ≤ NARROW_PAIRS, in the pairs' order, without empty ones. Points are
 * those whose gap can close within the time step: gap ≤ margin + the pair's speculative margin
 * (body_bounds.h) + approach (reach.h). A pair has one manifold for each two children that touch. Dropped
 * contacts are appended to `skims`. Results are equal to the bit at every width. Errors: MEMORY, UNSUPPORTED
 * (two bodies made of triangles). */
scree_result narrow_phase_find(const narrow_phase *self, const body_array *bodies, const body_pair *pairs,
                               int count, scalar margin, scalar time_step, manifold_list *out,
                               skim_list *skims);

/* Appends the manifolds of one pair, without speculative margin. Errors: MEMORY, UNSUPPORTED. */
scree_result narrow_phase_pair(const body_array *bodies, body_pair pair, scalar margin, scalar time_step,
                               manifold_list *out);

/* Returns the manifold of two children of a pair, without margins. */
manifold narrow_phase_children(const body_array *bodies, body_pair pair, int children, scalar time_step);

void narrow_phase_release(narrow_phase *self);
