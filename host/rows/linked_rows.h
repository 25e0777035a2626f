/* The rows of joints of a problem whose contacts are on a device (problem.away). The host has the problem of
 * the joints alone: the first `linked` of `pairs` and `groups`, and the blocks and their impulses in the
 * order of `rows`. */
#pragma once

#include "problem.h"

/* Chooses the rows of joints and collects their pairs; sets the number of bodies, too. `from` may have no
 * joints. Errors: MEMORY. */
scree_result linked_rows_collect(problem *self, const problem_input *from, int *regrown);
/* Fills the rows, the blocks with their warm start, and the trees, once the unit of mass and the number of
 * all blocks are known. Errors: MEMORY. */
scree_result linked_rows_fill(problem *self, const problem_input *from, int threads, int *regrown);
/* Gives the joints the solution. */
void linked_rows_scatter(const problem *self, const problem_input *from, int threads);
/* Makes trees and systems refer to all groups and blocks, when the host gets these: `groups` of the pairs
 * with joints, `blocks` of those of the rows. */
void linked_rows_renumber(problem *self, const int *groups, const int *blocks);
