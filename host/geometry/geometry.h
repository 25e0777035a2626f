/* What shapes refer to that three lengths do not say: never changed once made, shared by count of its users.
 */
#ifndef SCREE_GEOMETRY_GEOMETRY_H
#define SCREE_GEOMETRY_GEOMETRY_H

#include <scree/shape.h>

#include "mesh.h"
#include "solid_moments.h"

#include <stdatomic.h>

typedef struct geometry_ball {
    vec3s centre; /* m */
    scalar radius;
} geometry_ball;

/* A part of a compound in the body's axes. */
typedef struct geometry_child {
    scree_shape shape; /* a user of its geometry */
    vec3s centre;      /* m */
    versors rotation;
    vec3s lower, upper; /* of its box, m */
    int seen;           /* of all that rays see of the compound, the place of the part's first */
} geometry_child;

struct scree_geometry {
    atomic_int users;
    scree_shape_kind kind; /* of the shapes that it is for */
    mesh surface;          /* of a mesh, hull or solid, else nothing */
    /* Of a clump: spheres, as they came for files, and about the centre of mass along the principal axes. */
    int count;
    scree_clump_sphere *given;
    geometry_ball *balls;
    /* Of a hull, or the hull of a solid: corners and sides in the body's axes. As they came, for files: the
     * points that are a hull's corners, or a solid's vertices and their triangles. */
    int corner_count, side_count, point_count, face_count;
    scree_vec3 *points;
    scree_triangle *faces;
    hull_corner *corners;
    hull_side *sides;
    /* Of a compound: parts, as they came for files, and about the centre of mass along the principal axes. */
    int part_count;
    scree_compound_child *given_parts;
    geometry_child *parts;
    double relative_density;                       /* mean of the parts', else 1 */
    double volume, radius, sieve_size, half_width; /* as of shapes */
    double turning_radius;                         /* likewise, m: a ball's centre alone is moved by it */
    vec3s unit_inertia, half;                      /* of the box along its own axes, about `middle` */
    vec3s middle;                                  /* 0 but for meshes, whose origin may be anywhere */
    scree_vec3 origin;                             /* of the body in the coordinates of what was given */
    scree_quat axes;
};

/* Whether shapes of a kind refer to a geometry. */
bool geometry_needed(scree_shape_kind kind);

/* An empty one with one user; null: out of memory, which is said. */
scree_geometry *geometry_make(scree_shape_kind kind);
/* Volume, inertia and where the body lies; the sizes of a box about the body's origin, along its axes. */
void geometry_take_frame(scree_geometry *self, double volume, const solid_frame *frame);
void geometry_take_box(scree_geometry *self, const double low[3], const double high[3]);

/* Gives it the corners and sides of the hull of points, with radius, box and half width, in the axes of a
 * frame. Errors: ARGUMENT, MEMORY. */
scree_result geometry_add_hull(scree_geometry *self, const scree_vec3 *points, int count,
                               const solid_frame *frame);
/* Whether a point that geometries are made of is within 1e9 m of the origin along each axis: areas of what is
 * larger leave single precision when squared. */
bool geometry_reaches(scree_vec3 point);
/* How many there are of each, and that they are finite. Errors: ARGUMENT. */
scree_result geometry_check_vertices(const scree_vec3 *vertices, int vertex_count,
                                     const scree_triangle *triangles, int count);

/* One more user, who releases it. */
const scree_geometry *geometry_share(const scree_geometry *self);

/* Geometries that somebody uses, each once. */
typedef struct geometry_list {
    int count, capacity;
    const scree_geometry **items;
} geometry_list;

/* Makes the list a user of a geometry, or of none (null), unless it is one; before it of those that its parts
 * refer to. Errors: MEMORY. */
scree_result geometry_list_keep(geometry_list *self, const scree_geometry *geometry);
/* The place of a geometry, −1: not there. */
int geometry_list_find(const geometry_list *self, const scree_geometry *geometry);
void geometry_list_release(geometry_list *self);

#endif
