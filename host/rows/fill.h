/* Sources of constraints. Each source is a row of one table (fill.c): it counts its blocks for a pair of
 * bodies, fills them with their warm start, and takes the solution back. */
#pragma once

#include "problem.h"

#include "normal_row.h"

/* Terms that all blocks of a step share. */
typedef struct fill_terms {
    const problem_input *from;
    problem *p;
    bool split, relaxed, substeps; /* the stabilisation, or what it uses */
    bool fixed_arms;       /* whether bodies without children have the arms of lay_base (fill_contact.c) */
    scalar unit, fraction; /* factors of the stored pushes and impulses in the warm start */
    row_scheme scheme;     /* of contacts */
    scalar slip_factor;    /* scheme_slip_factor */
} fill_terms;

typedef struct constraint_source {
    /* Returns the number of blocks between the bodies of a pair; `links`: of its joints, here and below. */
    int (*count)(const problem_input *from, const constraint_pair *pair, slice links);
    /* Fills these blocks, from block `first` on, and their warm start, in the problem's unit of mass. Returns
     * their number. May run for different pairs at once. */
    int (*fill)(const fill_terms *terms, const constraint_pair *pair, slice links, int first);
    /* Reads the impulses of a solution back. Returns the number of blocks. May run for different pairs at
     * once. */
    int (*read_back)(const problem_input *from, const constraint_pair *pair, slice links, const problem *p,
                     const problem_solution *solution, int first);
} constraint_source;

extern const constraint_source joint_source, contact_source;

/* Returns an impulse of the problem in N s. */
static inline vec3s impulse_in_kilograms(const problem *p, block_impulse impulse) {
    return glms_vec3_scale(impulse.value, p->kilograms);
}

fill_terms fill_terms_of(const problem_input *from, problem *p);

/* Apply all sources to pair i of the problem, in the order of the table. */
int sources_count(const problem_input *from, const problem *p, int i);
void sources_fill(const fill_terms *terms, int i, int first);
void sources_read_back(const problem_input *from, const problem *p, int i, const problem_solution *solution,
                       int first);
