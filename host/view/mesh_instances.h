/* Shapes other than balls: surfaces on the graphics card and the instances that show them. */
#pragma once

#include "gl_program.h"
#include "surface.h"

/* A shape relative to the painter's origin. */
typedef struct mesh_instance {
    float position[3], rotation[4], size[3];
    uint8_t colour[4]; /* red, green, blue with the display's gamma; not used */
    float body;        /* index of its body's id */
} mesh_instance;

/* Instances of one surface: of a kind, or of a geometry, which has one. */
typedef struct mesh_batch {
    surface_kind kind;
    scree_shape shape;  /* with a geometry; else its geometry is NULL */
    const bool *hidden; /* of each triangle, in a batch of one instance; NULL: all are drawn */
    mesh_instance *instances;
    int count, capacity;
} mesh_batch;

typedef struct mesh_surface {
    const scree_geometry *geometry; /* retained; NULL: of the kind of its place */
    GLuint buffer;
    int corners;
    bool used; /* since the last sweep */
} mesh_surface;

typedef struct mesh_instances {
    GLuint program, array, instances, flags, flag_texture;
    GLint sheared, flagged;
    mesh_surface kinds[SURFACE_KINDS];
    mesh_surface *geometries;
    int count, capacity;
} mesh_instances;

scree_result mesh_instances_make(mesh_instances *self);
void mesh_instances_release(mesh_instances *self);
/* Drops the surfaces of geometries that have not been drawn since the last call. */
void mesh_instances_sweep(mesh_instances *self);
/* Errors: MEMORY, at the first use of a surface. */
scree_result mesh_instances_draw(mesh_instances *self, const mesh_batch *batch);
