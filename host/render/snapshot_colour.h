/* The colours of bodies, in linear light 0 … 1, and what they mean. */
#ifndef SCREE_RENDER_SNAPSHOT_COLOUR_H
#define SCREE_RENDER_SNAPSHOT_COLOUR_H

#include <scree/tools/frame.h>
#include <scree/tools/snapshot.h>

#include "dialect.h"

/* Blue (0) over yellow to red (1): ColorBrewer's RdYlBu from its blue end (Brewer, Hatchard and Harrower
 * 2003). */
vec3s snapshot_colour_speed(scalar share);
/* Dark blue (0) over green to yellow (1), equal steps looking equal: Matplotlib's viridis (Smith and van der
 * Walt 2015). */
vec3s snapshot_colour_height(scalar share);
/* Pale yellow (0) over orange to dark red (1): ColorBrewer's YlOrRd. */
vec3s snapshot_colour_force(scalar share);
/* Twenty hues that are far apart, then again: Tableau's. */
vec3s snapshot_colour_material(int material);
/* Neighbouring indices differ in hue by the golden angle. */
vec3s snapshot_colour_id(uint32_t index);
/* What nothing moves: grey; kinematic bodies a little darker and warmer. */
vec3s snapshot_colour_fixed(scree_body_type type);

/* What a colouring shows. Rows are written without field names, since the compiler then refuses one that is
 * too short. */
typedef struct colouring_row {
    const char *name;
    const char *label, *unit;      /* of the legend; null: it has none */
    vec3s (*colour)(scalar share); /* null: colours do not stand for an amount */
    uint32_t needs;                /* 1 << scree_frame_field of what a frame must hold for it */
    const char *needed;            /* that in words; null: nothing */
} colouring_row;

/* The row of a known colouring. */
const colouring_row *colouring_row_of(scree_colouring colouring);

enum { SNAPSHOT_KINDS = 12 };

/* How the dynamic bodies of one frame are coloured: the value of each body, the values at both ends of the
 * colours, and whether some lie beyond the upper end. */
typedef struct snapshot_scale {
    scree_colouring colouring;
    scalar low, high; /* m/s, m or N */
    bool beyond;
    scalar *values;            /* of every body of the frame; null where colours do not stand for an amount */
    int kinds[SNAPSHOT_KINDS]; /* the materials that bodies have, rising, as far as there is room */
    int kind_count;
    bool more_kinds; /* whether there are others */
} snapshot_scale;

/* Errors: ARGUMENT where the frame lacks what is to be shown; MEMORY. */
scree_result snapshot_scale_make(const scree_frame *frame, const scree_view *view, snapshot_scale *out);
void snapshot_scale_release(snapshot_scale *scale);
vec3s snapshot_colour_of(const snapshot_scale *scale, const scree_frame *frame, int body);

#endif
