/* Warnings about input that is valid but rarely intended. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

/* Returns whether the world has an inlet, so that bodies may appear during the run. */
bool has_inlet(const scree_world *world);
/* Warns if no body can move; if bodies are so small or large that lengths may not be in metres, or so light
 * that densities may be in g/cm³; if the speculative distance exceeds the size of the smallest body; if the
 * centre of one of about a hundred sampled bodies starts inside a solid, where nothing touches it. */
void warnings_about_bodies(scree_world *world, FILE *out);
/* Warns about joint limits and targets beyond two turns, which may be in degrees. */
void warnings_about_joints(const scree_world *world, FILE *out);
/* The bodies of a world at some time. */
typedef struct presence {
    uint32_t *generations; /* by index; 0: no body */
    uint32_t count;
} presence;
/* Returns an empty presence if memory runs out. Release it with presence_release. */
presence presence_of(const scree_world *world);
void presence_release(presence *self);
/* Warns about bodies that overlapped at the beginning of the last step, if at least one of them is not in
 * `before` (NULL: any body). `when` precedes the message. */
void warnings_about_overlaps(const scree_world *world, const presence *before, const char *when, FILE *out);

/* Warns if the length of the run is below half a time step, both s; one step is made. */
void warnings_about_length(double length, double time_step, FILE *out);

/* Warns about measurements without a row up to the step `last`, with which the run ends. */
void warnings_about_measurements(const scree_world *world, uint64_t last, FILE *out);

/* Warns about springs of materials that the stabilisation does not use. */
void warnings_about_springs(const scree_world *world, FILE *out);
