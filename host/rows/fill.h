/* Where constraints come from. Every source is a row of one table (source.c): what it puts between a pair of
 * bodies, how it fills its blocks and the impulses that they start from, and how it takes the solution back.
 */
#ifndef SCREE_ROWS_FILL_H
#define SCREE_ROWS_FILL_H

#include "problem.h"

typedef struct constraint_source {
    /* Blocks that it puts between the bodies of a pair. */
    int (*count)(const problem_input *from, const constraint_pair *pair);
    /* Fills them, from block `first` on, with their start impulses. Called for different pairs at once. */
    void (*fill)(const problem_input *from, const constraint_pair *pair, problem *p, int first);
    /* Takes the impulses of the solution back; likewise. */
    void (*read_back)(const problem_input *from, const constraint_pair *pair, const problem *p, int first);
} constraint_source;

extern const constraint_source joint_source, contact_source;

/* What all sources together put between a pair; they follow one another in the order of the table. */
/* A block's impulse on body_b, in world axes. */
vec3s impulse_in_world(const problem *p, int block);

int sources_count(const problem_input *from, const constraint_pair *pair);
void sources_fill(const problem_input *from, const constraint_pair *pair, problem *p, int first);
void sources_read_back(const problem_input *from, const constraint_pair *pair, const problem *p, int first);

#endif
