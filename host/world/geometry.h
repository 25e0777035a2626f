/* What shapes refer to that three lengths do not say: never changed once made, shared by count of its users.
 */
#ifndef SCREE_WORLD_GEOMETRY_H
#define SCREE_WORLD_GEOMETRY_H

#include <scree/shape.h>

#include "mesh.h"

#include <stdatomic.h>

typedef struct geometry_ball {
    vec3s centre; /* m */
    scalar radius;
} geometry_ball;

struct scree_geometry {
    atomic_int users;
    scree_shape_kind kind;                         /* of the shapes that it is for */
    mesh surface;                                  /* of a mesh, else nothing */
    int count;                                     /* spheres; 0: a mesh */
    scree_clump_sphere *given;                     /* as they came, for files */
    geometry_ball *balls;                          /* about the centre of mass, along the principal axes */
    double volume, radius, sieve_size, half_width; /* as of shapes */
    vec3s unit_inertia, half;
    scree_vec3 origin; /* of the body in the coordinates of `given` */
    scree_quat axes;
};

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
