/* Triangles of polygons. */
#pragma once

#include <scree/shape.h>

enum { POLYGON_MOST = 1000 /* corners */ };

/* Triangulates a polygon whose `count` corners (3 to POLYGON_MOST) are indices of vertices. Every triangle
 * has the polygon's orientation and has an area, no corner is lost, and none is added: polygons that share
 * their sides share those of the triangles. Equal consecutive corners count once. A polygon whose corners lie
 * on one line has no triangles, as if it were a triangle without area. `out` holds count − 2 triangles.
 * Errors: FORMAT (sides cross, or corners lie far from the mean plane). */
scree_result polygon_triangulate(const scree_vec3 *vertices, const int *corners, int count,
                                 scree_triangle *out, int *out_count);
