/* The launches of a sweep on a processor, whose kernels update as many groups of a colour at once as a
 * register has floats (kernels/wide_sweep.cl): groups of one kind and of equal numbers of contacts side by
 * side. The order of a colour's groups changes no bit, as they share no movable body. */
#ifndef SCREE_DEVICE_OPENCL_WIDE_PLAN_H
#define SCREE_DEVICE_OPENCL_WIDE_PLAN_H

#include "rows/problem.h"

/* What a group is: one contact of balls, 1 to 4 contacts of anything else, or what lanes do not know. */
typedef enum wide_class { WIDE_LOOSE = 0, WIDE_MANIFOLD = 1, WIDE_BALL = 5, WIDE_CLASSES } wide_class;
enum { WIDE_POINTS = 4 }; /* of WIDE_MANIFOLD + points − 1 */

typedef enum wide_launch_kind { WIDE_BALLS, WIDE_MANIFOLDS, WIDE_BUNDLES } wide_launch_kind;

/* Of batches, or of bundles of loose groups. */
typedef struct wide_launch {
    wide_launch_kind kind;
    int first, count;
} wide_launch;

/* Batches are as in kernels/wide_batch.h, with places in units of `width` floats for their fields:
 * `number_count` numbers and `field_count` fields in all. Loose groups are bundles as in sweep_plan.h. */
typedef struct wide_plan {
    int width;
    int launch_count, batch_count, number_count, field_count, order_count, bundle_count;
    int launch_first[PROBLEM_COLOURS + 1]; /* of each colour */
    wide_launch launches[3 * PROBLEM_COLOURS];
    int *batches, *order, *rank_first, *bundle_first; /* a rank a bundle */
    int batch_capacity, order_capacity, rank_capacity, bundle_capacity;
    int class_capacity;
    unsigned char *classes; /* wide_class of each group; the caller's to fill */
} wide_plan;

/* Room for the classes of a problem's groups. Errors: MEMORY. */
scree_result wide_plan_begin(wide_plan *self, const problem *p);
/* Plans forward sweeps over the colours by the classes. Errors: MEMORY. */
scree_result wide_plan_make(wide_plan *self, const problem *p);
/* The batches of launch *at, and if they are no more than `few` those of the launches of the same kind that
 * follow up to `end` with no more each, which then one work-item has; *at goes on behind them. */
batch_range wide_plan_range(const wide_plan *self, int *at, int end, int few);
/* The work-items of a launch over it. */
static inline int wide_range_items(batch_range range) {
    return (range.end - range.first + range.each - 1) / range.each;
}
void wide_plan_release(wide_plan *self);

#endif
