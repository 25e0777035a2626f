/* The colours of bodies, in linear light 0 … 1. */
#ifndef SCREE_IO_SNAPSHOT_COLOUR_H
#define SCREE_IO_SNAPSHOT_COLOUR_H

#include <scree/frame.h>
#include <scree/snapshot.h>

#include "dialect.h"

/* Blue (0) over yellow to red (1): ColorBrewer's RdYlBu from its blue end (Brewer, Hatchard and Harrower
 * 2003). */
vec3s snapshot_colour_speed(scalar share);
/* Dark blue (0) over green to yellow (1), equal steps looking equal: Matplotlib's viridis (Smith and van der
 * Walt 2015). */
vec3s snapshot_colour_height(scalar share);
/* Neighbouring indices differ in hue by the golden angle. */
vec3s snapshot_colour_id(uint32_t index);
/* What nothing moves: grey; kinematic bodies a little darker and warmer. */
vec3s snapshot_colour_fixed(scree_body_type type);

/* How the colours of one frame's dynamic bodies are scaled: the value at the low end and the one at the high
 * end. */
typedef struct snapshot_scale {
    scree_colouring colouring;
    scalar low, high; /* m/s or m */
} snapshot_scale;

snapshot_scale snapshot_scale_of(const scree_frame *frame, const scree_view *view);
vec3s snapshot_colour_of(const snapshot_scale *scale, const scree_frame *frame, int body);

#endif
