/* Rays and overlaps against all bodies, through a tree over their current boxes. */
#pragma once

#include "geometry/tree.h"
#include "state/bodies.h"

/* The point where a ray enters a body. */
typedef struct query_hit {
    int slot; /* −1: none */
    scalar distance;
    vec3s normal; /* unit, outward */
} query_hit;

/* A ray: `direction` is a unit vector. */
typedef struct query_ray {
    vec3s origin, direction;
    scalar limit; /* m */
} query_ray;

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
/* Returns the first body that a ray enters; at equal distances the lower slot. */
query_hit query_first(const query *self, const body_array *bodies, query_ray ray);
/* Finds all bodies that a ray enters, in `hits`, by distance and slot. Errors: MEMORY. */
scree_result query_all(query *self, const body_array *bodies, query_ray ray);
/* Finds the bodies that overlap a shape, images included, in `slots`, ascending. Errors: MEMORY. */
scree_result query_overlap(query *self, const body_array *bodies, scree_shape shape, body_pose pose);
void query_release(query *self);
