/* A word about what is no error and seldom meant. */
#ifndef SCREE_CLI_WARNINGS_H
#define SCREE_CLI_WARNINGS_H

#include <stdbool.h>
#include <stdio.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

/* Whether bodies may come in while it runs. */
bool has_inlet(const scree_world *world);
/* No bodies that can move; bodies so small or large that their unit may be another than the metre,
 * or so light that that of their density may be g/cm³; a distance of contacts that is none for bodies so
 * small; a body, one of a hundred that are asked, whose centre begins inside of a solid, where nothing
 * touches it. */
void warnings_about_bodies(scree_world *world, FILE *out);
/* Limits and targets of joints beyond two turns, which may be degrees. */
void warnings_about_joints(const scree_world *world, FILE *out);
/* The bodies that a world has at some time. */
typedef struct presence {
    uint32_t *generations; /* by index; 0: no body */
    uint32_t count;
} presence;
/* Empty without memory. presence_release frees it. */
presence presence_of(const scree_world *world);
void presence_release(presence *self);
/* Bodies inside each other at the beginning of the step that was just made, one of which at least came after
 * `before` (null: all did). `when` begins the sentence. */
void warnings_about_overlaps(const scree_world *world, const presence *before, const char *when, FILE *out);

/* A length of the run below half a time step, both s; one step is made. */
void warnings_about_length(double length, double time_step, FILE *out);

/* Measurements that make no row until the step `last`, with which the run ends. */
void warnings_about_measurements(const scree_world *world, uint64_t last, FILE *out);

/* What a solver's options, or materials, say to stabilisations other than the one in force. */
void warnings_about_stabilisation(const scree_world *world, FILE *out);

#endif
