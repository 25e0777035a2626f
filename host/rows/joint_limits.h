/* Limits of joints in a step: which have rows, and the motion for which these are linearised. */
#pragma once

#include "joint_bend.h"
#include "joint_path.h"
#include "joint_rope.h"
#include "problem_input.h"

/* Chooses the limits that have rows and numbers the rows of all joints. Returns the number of their blocks.
 *
 * A limit without a row is one that neither the velocities of the bodies nor their loads reach within the
 * step, even if they were twice as large. Impulses of the step may be larger still: joint_limits_find then
 * adds the row, and the solve resumes. */
int joint_limits_choose(const problem_input *from);
/* Adds rows to the limits that the trial motion violates, and marks the joints whose rows it invalidates.
 * Returns their number; they are linearised for that motion from now on. */
int joint_limits_find(const problem_input *from);

/* Motion for which the limits of a joint are linearised. */
typedef struct limit_motion {
    bool followed;       /* the path is known, because the joint turns or moves far enough to need it */
    joint_motion motion; /* at mean velocities */
    vec3s gained[2];     /* mean spins of a and b less those of the solve, rad/s (gyration_of) */
    joint_path path;
    scalar length; /* coordinate x at the beginning, m */
    bool roped;    /* the upper limit of a distance acts */
    joint_rope rope;
} limit_motion;

/* `at`, `a`, `b`: the joint and its bodies at the beginning of the step. */
limit_motion limit_motion_of(const problem_input *from, int joint, const joint_geometry *at,
                             const joint_side *a, const joint_side *b);

/* A block at the time of the step at which its rows are linearised. */
typedef struct limit_view {
    scalar time; /* fraction of the step */
    joint_geometry at;
    joint_motion motion; /* bodies at that time */
} limit_view;

/* The coordinate of a limited row at the end of the step is linear in the impulses of the step. With the
 * motion V for which it is known,
 *
 *     c(V⁺) = c(V) + h J (V⁺ − V).
 *
 * The directions J are those of the time at which V reaches the first limit of the block: a frame of angles
 * may turn by any amount on the way to it. Directions that have turned little are those of the beginning, as
 * for other rows. */
limit_view limit_view_of(const scree_joint_def *def, const limit_motion *self, const joint_block_plan *plan,
                         const joint_geometry *at);

/* Position and bend of a limited row as joint_row_source has them. */
typedef struct limited_row {
    bool known; /* false: the row is none of a followed limit */
    scalar position, bend;
    int side;
} limited_row;

/* Rates of a coordinate in the directions of the view: at V, and after the step if no row acted. */
typedef struct row_rates {
    scalar trial, free;
} row_rates;

limited_row limit_view_row(const scree_joint_def *def, const limit_motion *self, const limit_view *view,
                           const joint_block_plan *plan, int k, row_rates rates);
