/* Draws frames: bodies, ground, force chains, joints. */
#pragma once

#include "edges.h"
#include "ground.h"
#include "impostors.h"
#include "marks.h"
#include "mesh_instances.h"

#include "render/snapshot_colour.h"

/* The part of space that is shown: points p with normal · p ≥ offset; a zero normal: all. */
typedef struct clip_plane {
    vec3s normal;
    double offset; /* m */
} clip_plane;

/* The part of a frame that a picture shows, and how. */
typedef struct painter_look {
    scree_view view; /* its camera is found; legend, scale bar and time are drawn elsewhere */
    clip_plane clip;
    uint32_t chosen; /* index of the marked body's id; 0: none */
    bool chains;     /* shows force chains, and the bodies faintly */
} painter_look;

typedef struct painter {
    impostors balls;     /* of bodies that are one ball */
    impostors joined[3]; /* of the parts below */
    rods rods;           /* of the marks */
    mesh_instances meshes;
    ground ground;
    edges edges;
    GLuint scene;          /* buffer of gl_scene */
    part_set parts[3];     /* of dynamic bodies, of the others, marks */
    snapshot_scale scale;  /* meaning of the colours */
    ball_instance *sorted; /* balls by distance from the eye */
    int sorted_capacity;
    bool *cut; /* flags of snapshot_cut */
    int cut_capacity;
    scree_vec3 cut_eye; /* for which they are */
    double reach;       /* radius about the origin that contains all finite bodies, m */
    double chain_high;  /* N */
} painter;

/* Errors: DEVICE (the card refuses a program). */
scree_result painter_make(painter *self);
void painter_release(painter *self);
/* Takes a frame, to be called when it or the colouring has changed. Positions count from `origin` (m).
 * Errors: ARGUMENT (the frame lacks what the colours show), MEMORY. */
scree_result painter_take(painter *self, const scree_frame *frame, const scree_view *view, vec3s origin);
/* Draws the frame taken. Errors: MEMORY. */
scree_result painter_draw(painter *self, const scree_frame *frame, const painter_look *look);
