/* What shapes refer to that three lengths do not say: never changed once made, shared by count of its users.
 */
#ifndef SCREE_WORLD_GEOMETRY_H
#define SCREE_WORLD_GEOMETRY_H

#include <scree/shape.h>

#include "mesh.h"
#include "solid_moments.h"

#include <stdatomic.h>

typedef struct geometry_ball {
    vec3s centre; /* m */
    scalar radius;
} geometry_ball;

struct scree_geometry {
    atomic_int users;
    scree_shape_kind kind; /* of the shapes that it is for */
    mesh surface;          /* of a mesh or hull, else nothing */
    /* Of a clump: spheres, as they came for files, and about the centre of mass along the principal axes. */
    int count;
    scree_clump_sphere *given;
    geometry_ball *balls;
    /* Of a hull: the points that are its corners as they came, for files, and in the body's axes. */
    int corner_count, side_count;
    scree_vec3 *points;
    hull_corner *corners;
    hull_side *sides;
    double volume, radius, sieve_size, half_width; /* as of shapes */
    vec3s unit_inertia, half;
    scree_vec3 origin; /* of the body in the coordinates of what was given */
    scree_quat axes;
};

/* Whether shapes of a kind refer to a geometry. */
bool geometry_needed(scree_shape_kind kind);

/* An empty one with one user; null: out of memory, which is said. */
scree_geometry *geometry_make(scree_shape_kind kind);
/* Volume, inertia and where the body lies; the sizes of a box about the body's origin, along its axes. */
void geometry_take_frame(scree_geometry *self, double volume, const solid_frame *frame);
void geometry_take_box(scree_geometry *self, const double low[3], const double high[3]);

/* One more user, who releases it. */
const scree_geometry *geometry_share(const scree_geometry *self);

/* Geometries that somebody uses, each once. */
typedef struct geometry_list {
    int count, capacity;
    const scree_geometry **items;
} geometry_list;

/* Makes the list a user of a geometry, or of none (null), unless it is one. Errors: MEMORY. */
scree_result geometry_list_keep(geometry_list *self, const scree_geometry *geometry);
/* The place of a geometry, −1: not there. */
int geometry_list_find(const geometry_list *self, const scree_geometry *geometry);
void geometry_list_release(geometry_list *self);

#endif
