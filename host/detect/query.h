/* Rays and overlaps against all bodies, through a tree over their current boxes. */
#pragma once

#include "geometry/tree.h"
#include "state/bodies.h"

/* The point where a ray or a moving solid meets a body. */
typedef struct query_hit {
    int slot; /* −1: none */
    scalar distance;
    vec3s normal; /* unit, outward */
    int child;    /* of the body that a solid meets */
    vec3s reach;  /* from the ray's origin to the point of the body that a solid meets */
} query_hit;

/* Which bodies a query sees. */
typedef struct query_filter {
    bool (*accepts)(const void *context, int slot); /* null: all bodies */
    const void *context;
} query_filter;

static inline bool query_accepts(query_filter filter, int slot) {
    return !filter.accepts || filter.accepts(filter.context, slot);
}

/* A convex solid. Its box is that of its rotation, around `middle` from its origin. */
typedef struct query_solid {
    scree_shape shape;
    versors rotation;
    vec3s middle, half;
} query_solid;

/* A ray, or the way of a solid's origin: `direction` is a unit vector. */
typedef struct query_ray {
    vec3s origin, direction;
    scalar limit;             /* m */
    const query_solid *solid; /* null: a ray */
    query_filter filter;
} query_ray;

/* The body nearest to a solid. */
typedef struct query_nearest {
    int slot, child;    /* −1: none within the limit */
    scalar gap;         /* m, negative: depth */
    vec3s normal;       /* unit, from the body to the solid */
    vec3s point, other; /* on the body; on the solid */
} query_nearest;

/* The tree, and the results of the last query. */
typedef struct query {
    tree tree;
    bool built;
    uint64_t changes;  /* body_array.changes when it was built (bodies.h) */
    int endless_count; /* bodies without a finite box: half-spaces */
    int *endless;
    bounds *boxes;
    tree_key *keys;
    int *images; /* of each body, the one with the middle of its box in the cell */
    int hit_count, slot_count;
    query_hit *hits;
    int *slots;
    int endless_capacity, box_capacity, key_capacity, image_capacity, hit_capacity, slot_capacity;
} query;

/* Builds the tree if bodies changed since it was built. Errors: MEMORY, CAPACITY. */
scree_result query_update(query *self, const body_array *bodies, int threads);
/* Returns the first body that a ray enters or a solid meets; at equal distances the lower slot. */
query_hit query_first(const query *self, const body_array *bodies, query_ray ray);
/* Finds all bodies that a ray enters, in `hits`, by distance and slot. Errors: MEMORY. */
scree_result query_all(query *self, const body_array *bodies, query_ray ray);
/* Finds the bodies that overlap a shape, images included, in `slots`, ascending. Errors: MEMORY. */
scree_result query_overlap(query *self, const body_array *bodies, scree_shape shape, body_pose pose,
                           query_filter filter);
query_solid query_solid_of(scree_shape shape, versors rotation);
/* Returns the body nearest to a solid at a position, up to a gap of `limit` (m); at equal gaps the lower
 * slot.
 */
query_nearest query_find_nearest(const query *self, const body_array *bodies, const query_solid *solid,
                                 vec3s position, scalar limit, query_filter filter);

/* Finds where a solid meets a body other than by a ray (query_solid.c); returns whether it does so within the
 * ray's limit. */
bool query_solid_meets(const body_array *bodies, int slot, body_pose pose, query_ray ray, query_hit *out);
/* Returns whether a point is inside a solid made of triangles. */
bool query_holds(scree_shape shape, body_pose pose, vec3s point);
void query_release(query *self);
