/* The colours of bodies, in linear light 0 … 1, and their meaning. */
#pragma once

#include <scree/tools/frame.h>
#include <scree/tools/snapshot.h>

#include "dialect.h"

/* Twenty well-separated hues, repeated: Tableau's. */
vec3s snapshot_colour_material(int material);
/* Hues of consecutive indices differ by the golden angle. */
vec3s snapshot_colour_id(uint32_t index);

/* Properties of a colouring. */
typedef struct colouring_row {
    const char *name;
    const char *label, *unit;         /* of the legend; NULL: no legend */
    vec3s (*colour)(scalar fraction); /* NULL: colours do not represent a quantity */
    uint32_t needs;                   /* 1 << scree_frame_field of the field that a frame must contain */
    const char *needed;               /* that field in words; NULL: none */
    scalar (*value)(const scree_frame *frame, int body); /* NULL: of the contacts, or none */
    bool from_zero;                                      /* the scale begins at 0 */
    bool robust; /* the scale leaves out the extreme 1 % of 100 bodies or more */
    bool signs;  /* the ends of the scale are equally far from 0 */
} colouring_row;

const colouring_row *colouring_row_of(scree_colouring colouring);

enum { SNAPSHOT_KINDS = 12 };

/* Colours of the dynamic bodies of one frame: the value of each body, the values at both ends of the colour
 * scale, and whether some values exceed the upper end. */
typedef struct snapshot_scale {
    scree_colouring colouring;
    scalar low, high; /* m/s, m or N */
    bool beyond;
    scalar *values;            /* of every body of the frame; NULL if colours do not represent a quantity */
    int kinds[SNAPSHOT_KINDS]; /* the materials of bodies, ascending, up to SNAPSHOT_KINDS */
    int kind_count;
    bool more_kinds; /* whether there are more materials */
} snapshot_scale;

/* Computes the colour scale. Errors: ARGUMENT (the frame lacks the required field); MEMORY. */
scree_result snapshot_scale_make(const scree_frame *frame, const scree_view *view, snapshot_scale *out);
void snapshot_scale_release(snapshot_scale *scale);
/* Returns the mean radius of the dynamic bodies, m; 0: there are none. */
double snapshot_mean_radius(const scree_frame *frame);
/* Returns the index of a body in the frame, whose slots ascend; −1: none. */
int snapshot_find(const scree_frame *frame, scree_body_id id);
vec3s snapshot_colour_of(const snapshot_scale *scale, const scree_frame *frame, int body);
