/* The camera: it looks at a target point from a distance, and turns about it. */
#pragma once

#include <scree/tools/scene.h>
#include <scree/tools/snapshot.h>

#include "gl_program.h"

#include "base/vector.h"

typedef struct orbit {
    vec3s target;
    double distance;      /* of the eye, m */
    double turn, rise;    /* direction from target to eye: about z from x, above the horizon; rad */
    double field_of_view; /* vertical, degrees */
} orbit;

orbit orbit_from(const scree_view *view);
/* Sets the camera of a view, which is then no longer automatic. */
void orbit_to(const orbit *self, scree_view *view);
/* Turns by pixels of a picture of this height, of which half turns by a right angle. */
void orbit_turn(orbit *self, double across, double down, int height);
/* Moves eye and target so that the target follows the mouse by pixels. */
void orbit_pan(orbit *self, double across, double down, int height);
/* Multiplies the distance. */
void orbit_zoom(orbit *self, double factor);
/* Looks along −x, −y or −z (axis 0, 1, 2). */
void orbit_look_along(orbit *self, int axis);

/* A pixel's ray from the eye. */
typedef struct orbit_ray {
    vec3s origin, direction; /* m; unit */
} orbit_ray;

/* Returns the ray of the place (x, y) of a picture, pixels from its upper left corner. */
orbit_ray orbit_ray_at(const scree_view *settled, double x, double y);
/* Returns the place of a point in pixels, and in `depth` the distance along the view, m. */
vec3s orbit_project(const scree_view *settled, vec3s point);

/* Fills camera, light and ground of `out`. The picture shows what is between a hundredth of the distance of
 * the target and `reach` (m) beyond it. */
void orbit_scene(const scree_view *settled, vec3s origin, double reach, gl_scene *out);
