/* What contacts do to the energy of the bodies that they act between. */
#ifndef SCREE_ROWS_CONTACT_WORK_H
#define SCREE_ROWS_CONTACT_WORK_H

#include "problem_input.h"

/* Taken by friction, impacts, and rolling and spinning friction; given by what is static or driven. J. */
typedef struct contact_work {
    double friction, impact, rolling, drive;
} contact_work;

/* Adds what a step's contacts do, or those of a part of it, whose impulses stand in the pairs and which
 * brings the bodies of the assembly to the velocities `after`; `share` of the step's time is the part's.
 * Equal results for every number of threads. */
void contact_work_add(const problem_input *from, const body_velocity *after, double share, int threads,
                      contact_work *sum);

#endif
