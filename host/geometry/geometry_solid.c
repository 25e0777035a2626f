/* Solids: the interior of a closed surface, with exact mass properties, and their convex hull. */
#include "geometry.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/vector.h"

#include <string.h>

static void place_of(vec3s at, vec3s from, double out[3]) {
    out[0] = (double)at.x - (double)from.x;
    out[1] = (double)at.y - (double)from.y;
    out[2] = (double)at.z - (double)from.z;
}

/* Relative to the first vertex, to preserve precision far from the origin. */
static solid_moments moments_of(const mesh *surface) {
    solid_moments sum = {0};
    for (int i = 0; i < surface->count; i++) {
        const int *corners = surface->triangles[i].corners;
        double at[3][3];
        for (int k = 0; k < 3; k++) place_of(surface->vertices[corners[k]], surface->vertices[0], at[k]);
        solid_moments_add(&sum, at[0], at[1], at[2]);
    }
    return sum;
}

/* size.x and size.z of a triangle are its base and height. */
static double area_of(const mesh *surface) {
    double sum = 0;
    for (int i = 0; i < surface->count; i++)
        sum += 0.5 * (double)surface->triangles[i].size.x * (double)surface->triangles[i].size.z;
    return sum;
}

/* Stores what files keep. Reloading gives the same solid, since the vertices keep their order. */
static scree_result keep(scree_geometry *self, const mesh *from) {
    self->point_count = from->vertex_count;
    self->face_count = from->count;
    self->points = memory_allocate((size_t)from->vertex_count, sizeof *self->points);
    self->faces = memory_allocate((size_t)from->count, sizeof *self->faces);
    if (!self->points || !self->faces)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a solid of %d triangles", from->count);
    for (int i = 0; i < from->vertex_count; i++) self->points[i] = vec3_out(from->vertices[i]);
    for (int i = 0; i < from->count; i++)
        memcpy(self->faces[i].corners, from->triangles[i].corners, sizeof self->faces[i].corners);
    return SCREE_OK;
}

/* Builds the surface in the body's axes; `frame` refers to the given coordinates. */
static scree_result lay_surface(scree_geometry *self, const solid_frame *frame) {
    SCOPED scree_vec3 *vertices = memory_allocate((size_t)self->point_count, sizeof *vertices);
    if (!vertices) return fail(SCREE_ERROR_MEMORY, "out of memory for a solid's surface");
    for (int i = 0; i < self->point_count; i++) vertices[i] = solid_frame_place_vec3(frame, self->points[i]);
    return mesh_build(&self->surface, vertices, self->point_count, self->faces, self->face_count);
}

static scree_result fill(scree_geometry *self, const mesh *from) {
    TRY(mesh_check_closed(from));
    const solid_moments of = moments_of(from);
    if (!(of.volume > 0))
        return fail(SCREE_ERROR_ARGUMENT,
                    "%d triangles enclose %g m³; must be more than 0: triangles must be counter-clockwise "
                    "from outside",
                    from->count, of.volume);
    solid_frame frame = solid_frame_of(&of);
    solid_frame_shift(&frame, vec3_out(from->vertices[0]), 1);
    TRY(keep(self, from));
    TRY(lay_surface(self, &frame));
    TRY(geometry_add_hull(self, self->points, self->point_count, &frame));
    TRY(mesh_check_crossings(from));
    geometry_take_frame(self, of.volume, &frame);
    self->half_width = of.volume / area_of(from);
    return SCREE_OK;
}

scree_result scree_solid_create(const scree_vec3 *vertices, int vertex_count, const scree_triangle *triangles,
                                int count, scree_geometry **out) {
    mesh from = {0};
    REQUIRE(vertices);
    REQUIRE(triangles);
    REQUIRE(out);
    TRY(geometry_check_vertices(vertices, vertex_count, count));
    scree_geometry *self = geometry_make(SCREE_SHAPE_SOLID);
    if (!self) return SCREE_ERROR_MEMORY;
    scree_result result = mesh_build(&from, vertices, vertex_count, triangles, count);
    if (result == SCREE_OK) result = mesh_close_cracks(&from);
    if (result == SCREE_OK) result = fill(self, &from);
    mesh_release(&from);
    return geometry_finish(self, result, out);
}
