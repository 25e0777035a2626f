/* Warnings about input that is valid but rarely intended. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

enum { BODY_NAME_SIZE = 64, JOINT_NAME_SIZE = 2 * BODY_NAME_SIZE + 64 };

/* Returns `out`: the body's entry in the scene, or else its id; "the world" for a null id. */
const char *body_describe(const scree_world *world, scree_body_id id, char out[BODY_NAME_SIZE]);
/* Returns `out`: a joint by its kind, id and bodies, since files name joints only by their order. */
const char *joint_describe(const scree_world *world, scree_joint_id id, char out[JOINT_NAME_SIZE]);
/* Returns whether the world has an inlet, so that bodies may appear during the run. */
bool has_inlet(const scree_world *world);
/* Prints warnings before a run of `length` seconds (0: given in steps) to step `last` (0: unknown): those
 * about the files that the scene names; no body can move; bodies are so small or large that lengths may not
 * be in metres, or so light that densities may be in g/cm³; the speculative distance exceeds the size of the
 * smallest body; the centre of one of about a hundred sampled bodies starts inside a solid, where nothing
 * touches it; joint limits or targets beyond two turns, which may be in degrees; springs of materials that
 * the stabilisation does not use; rolling or spinning friction beyond the radius of a body; a body so slow,
 * by its definition, that its speed is rounded; a length below half a time step; measurements that make no
 * row up to `last`. */
void warnings_print(const scree_scene *scene, scree_world *world, double length, uint64_t last, FILE *out);
/* The bodies of a world at some time. */
typedef struct body_snapshot {
    uint32_t *generations; /* by index; 0: no body */
    uint32_t count;
} body_snapshot;
/* Returns an empty body_snapshot if memory runs out. Release it with body_snapshot_release. */
body_snapshot body_snapshot_of(const scree_world *world);
void body_snapshot_release(body_snapshot *self);
/* Warns about bodies that overlapped at the beginning of the last step, if at least one of them is not in
 * `before` (NULL: any body). `when` precedes the message. */
void warnings_about_overlaps(const scree_world *world, const body_snapshot *before, const char *when,
                             FILE *out);
