/* Contacts of convex shapes in double precision (kernels/convex.h), for callers whose scalar is a float. */
#pragma once

#include "layout.h"

/* A shape and its pose. */
typedef struct convex_body {
    int kind;         /* shape_kind */
    float size[3];    /* m */
    hull_table hull;  /* of a hull */
    float width;      /* half its smallest width, m */
    double centre[3]; /* m */
    float rotation[4];
} convex_body;

/* Up to four points; the normal is a unit vector from a to b. */
typedef struct convex_points {
    int count, mean; /* as in manifold */
    double normal[3];
    double position[4][3], gap[4]; /* m */
    unsigned int feature[4];
} convex_points;

/* Gap of two convex bodies, m, along the unit normal from a to b along which it is largest, and a pair of
 * nearest points. */
typedef struct convex_distance {
    double gap, normal[3], on_a[3], on_b[3];
} convex_distance;

/* Find the gap of two convex bodies, or of a and the half-space below b's plane z = 0. */
typedef void convex_distance_function(const convex_body *a, const convex_body *b, convex_distance *out);
convex_distance_function convex_pair_separate, convex_plane_separate;

/* Find the points with gap ≤ reach (m) of two convex bodies, also along the mean normal of sides that are
 * equally good (kernels/edge_normal.h), or of a and the half-space below b's plane z = 0. */
typedef void convex_function(const convex_body *a, const convex_body *b, double reach, convex_points *out);
convex_function convex_pair_find, convex_pair_find_levelled, convex_plane_find;
