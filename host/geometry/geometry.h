/* Immutable, reference-counted data of shapes that three lengths cannot describe. */
#pragma once

#include <scree/shape.h>

#include "mesh.h"
#include "solid_moments.h"

#include <stdatomic.h>

typedef struct geometry_ball {
    vec3s centre; /* m */
    scalar radius;
} geometry_ball;

/* A child of a compound, in the body's axes. */
typedef struct geometry_child {
    scree_shape shape; /* holds a reference to its geometry */
    vec3s centre;      /* m */
    versors rotation;
    vec3s lower, upper; /* bounding box, m */
    int seen;           /* index of the child's first item among all that rays see of the compound */
} geometry_child;

struct scree_geometry {
    atomic_int users;
    scree_shape_kind kind; /* kind of the shapes that use it */
    mesh surface;          /* triangles of a mesh, hull or solid; empty otherwise */
    /* Clump: spheres as given (for files), and about the centre of mass along the principal axes. */
    int count;
    scree_clump_sphere *given;
    geometry_ball *balls;
    /* Hull, or hull of a solid: corners and sides in the body's axes. For files, as given: the points that
     * are a hull's corners, or a solid's vertices and triangles. */
    int corner_count, side_count, point_count, face_count;
    scree_vec3 *points;
    scree_triangle *faces;
    hull_corner *corners;
    hull_side *sides;
    /* Compound: children as given (for files), and about the centre of mass along the principal axes. */
    int child_count;
    scree_compound_child *given_children;
    geometry_child *children;
    double relative_density;                       /* mean over the children; 1 for other kinds */
    double volume, radius, sieve_size, half_width; /* as for shapes */
    double turning_radius;    /* largest distance from the origin of a point that rotation moves, m; a clump
                                 counts its balls' centres */
    vec3s unit_inertia, half; /* half: of the bounding box along its own axes, about `middle` */
    vec3s middle;             /* zero except for meshes, whose origin is arbitrary */
    scree_vec3 origin;        /* of the body, in the coordinates of the given data */
    scree_quat axes;
};

/* Returns whether shapes of a kind need a geometry. */
bool geometry_needed(scree_shape_kind kind);

/* Returns the corners and sides of a hull; none for other shapes. */
static inline hull_table geometry_hull(scree_shape shape) {
    const scree_geometry *of = shape.geometry;
    if (shape.kind != SCREE_SHAPE_HULL) return (hull_table){0};
    return (hull_table){of->corners, of->sides, of->corner_count, of->side_count};
}

/* Returns an empty geometry with one reference, or null with an error message if out of memory. */
scree_geometry *geometry_make(scree_shape_kind kind);
/* Gives a geometry to its first user if `result` is OK, else releases it; returns `result`. */
scree_result geometry_finish(scree_geometry *self, scree_result result, scree_geometry **out);
/* geometry_take_frame sets volume, inertia, origin and axes; geometry_take_box the half sizes of a box
 * about the body's origin, along its axes. */
void geometry_take_frame(scree_geometry *self, double volume, const solid_frame *frame);
void geometry_take_box(scree_geometry *self, const double low[3], const double high[3]);

/* Adds corners and sides of the points' convex hull, radius, box and half width, in the axes of a frame.
 * Errors: ARGUMENT, MEMORY. */
scree_result geometry_add_hull(scree_geometry *self, const scree_vec3 *points, int count,
                               const solid_frame *frame);
/* Returns whether a point is within 1e9 m of the origin along each axis; squared areas of larger
 * geometries exceed single precision. */
bool geometry_reaches(scree_vec3 point);
/* Checks counts and that all vertices are finite and in range. Errors: ARGUMENT. */
scree_result geometry_check_vertices(const scree_vec3 *vertices, int vertex_count, int count);

/* Adds a reference, which the new user releases; null is allowed. */
const scree_geometry *geometry_share(const scree_geometry *self);

/* Referenced geometries, each once. */
typedef struct geometry_list {
    int count, capacity;
    const scree_geometry **items;
} geometry_list;

/* Adds a reference to a geometry unless it is listed, after those of its children. Null is ignored.
 * Errors: MEMORY. */
scree_result geometry_list_keep(geometry_list *self, const scree_geometry *geometry);
/* Returns the place of a geometry; −1: not listed. */
int geometry_list_find(const geometry_list *self, const scree_geometry *geometry);
void geometry_list_release(geometry_list *self);
