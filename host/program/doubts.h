/* A word about what is no error and seldom meant. */
#ifndef SCREE_PROGRAM_DOUBTS_H
#define SCREE_PROGRAM_DOUBTS_H

#include <stdio.h>

#include <scree/scree.h>

/* No bodies that can move; bodies so small or large that their unit may be another than the metre.
 */
void doubts_about_bodies(const scree_world *world, FILE *out);
/* Bodies inside each other at the beginning of the step that was just made. */
void doubts_about_overlaps(const scree_world *world, FILE *out);

/* A length of the run below half a time step, both s; one step is made. */
void doubts_about_length(double length, double time_step, FILE *out);

#endif
