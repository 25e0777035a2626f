/* The body under the mouse. */
#pragma once

#include "orbit.h"
#include "painter.h"

typedef struct picked {
    int row;     /* of the body in the frame; −1: none */
    vec3s point; /* where the ray meets it, m */
    double distance;
} picked;

/* Finds the first body that a ray meets, among those that the painter shows: bodies that are cut away, and
 * points that the clip plane hides, are passed. */
picked picker_find(const scree_frame *frame, const bool *cut, const clip_plane *clip, orbit_ray ray);
