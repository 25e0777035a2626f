#include "sheet_cut.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "ray.h"

#include <math.h>
#include <stdlib.h>

/* Corners in one cell of this part of the mesh's radius are the same. Rounding puts few of them into two
 * cells, and triangles meet at several corners. */
static const scalar CELL = 1e-4f;

/* A corner of a triangle in the mesh's axes, in cells. */
typedef struct sheet_corner {
    int cell[3], triangle;
} sheet_corner;

/* Those of a sheet are at its first triangle, the root of the others. */
typedef struct sheet {
    cover cover; /* of the triangles that may be cut */
    double side; /* of the bodies: > 0: that of the normals */
} sheet;

typedef struct cutting {
    scree_shape mesh;
    const scree_body_state *state;
    vec3s eye;
    const vec3s *witnesses; /* relative to the eye */
    int witness_count, count;
    sheet *sheets;
    int *parents;
    sheet_corner *corners;
} cutting;

/* Returns triangle k relative to the eye. */
static ray_body triangle_of(const cutting *self, int k) {
    const scree_placed_shape piece = scree_shape_get_piece(self->mesh, k);
    const versors rotation = quat_in(self->state->rotation);
    const vec3s from = glms_vec3_sub(vec3_in(self->state->position), self->eye),
                arm = rotate(rotation, vec3_in(piece.position));
    return (ray_body){.position = glms_vec3_add(from, arm),
                      .kind = (int)piece.shape.kind,
                      .rotation = rotation_product(rotation, quat_in(piece.rotation)),
                      .size = vec3_in(piece.shape.size)};
}

static vec3s centroid_of(const ray_body *triangle) {
    const vec3s size = triangle->size, middle = vec3_of((size.x + size.y) / 3, size.z / 3, 0);
    return glms_vec3_add(triangle->position, rotate(triangle->rotation, middle));
}

static vec3s normal_of(const ray_body *triangle) { return rotate(triangle->rotation, vec3_of(0, 0, 1)); }

static void add_corners(cutting *self, int k) {
    const scree_placed_shape piece = scree_shape_get_piece(self->mesh, k);
    const vec3s size = vec3_in(piece.shape.size);
    const vec3s local[3] = {vec3_of(0, 0, 0), vec3_of(size.x, 0, 0), vec3_of(size.y, size.z, 0)};
    const scalar cell = CELL * (scalar)scree_shape_get_radius(self->mesh);
    for (int i = 0; i < 3; i++) {
        const vec3s at = glms_vec3_add(vec3_in(piece.position), rotate(quat_in(piece.rotation), local[i]));
        sheet_corner *corner = &self->corners[3 * k + i];
        corner->triangle = k;
        for (int axis = 0; axis < 3; axis++) corner->cell[axis] = (int)lrintf(vec3_along(at, axis) / cell);
    }
}

static int compare_cells(const void *a, const void *b) {
    const sheet_corner *first = a, *second = b;
    for (int axis = 0; axis < 3; axis++)
        if (first->cell[axis] != second->cell[axis]) return first->cell[axis] < second->cell[axis] ? -1 : 1;
    return 0;
}

/* Joins triangles that meet to sheets. */
static void join(cutting *self) {
    union_find_init(self->parents, self->count);
    for (int k = 0; k < self->count; k++) add_corners(self, k);
    qsort(self->corners, 3 * (size_t)self->count, sizeof *self->corners, compare_cells);
    for (int i = 1; i < 3 * self->count; i++)
        if (!compare_cells(&self->corners[i - 1], &self->corners[i]))
            union_find_join(self->parents, self->corners[i - 1].triangle, self->corners[i].triangle);
}

static sheet *sheet_of(const cutting *self, int k) {
    return &self->sheets[union_find_root(self->parents, k)];
}

/* Adds the side of the witness next to a triangle, in inverse proportion to its squared distance. */
static void vote(const cutting *self, int k) {
    const ray_body triangle = triangle_of(self, k);
    const vec3s centroid = centroid_of(&triangle);
    scalar least = INFINITY;
    vec3s nearest = centroid;
    for (int i = 0; i < self->witness_count; i++) {
        const vec3s away = glms_vec3_sub(self->witnesses[i], centroid);
        if (glms_vec3_norm2(away) < least) nearest = away;
        if (glms_vec3_norm2(away) < least) least = glms_vec3_norm2(away);
    }
    const scalar height = glms_vec3_dot(normal_of(&triangle), nearest);
    if (least > 0) sheet_of(self, k)->side += (height > 0 ? 1 : -1) / (double)least;
}

/* Returns whether a triangle shows the eye, the origin, the side without bodies. */
static bool turns_away(const cutting *self, int k) {
    const ray_body triangle = triangle_of(self, k);
    const scalar height = -glms_vec3_dot(normal_of(&triangle), centroid_of(&triangle));
    return (double)height * sheet_of(self, k)->side < 0;
}

/* Adds what a triangle hides to its sheet. */
static void add_cover(const cutting *self, int k) {
    const ray_body triangle = triangle_of(self, k);
    cover *out = &sheet_of(self, k)->cover;
    for (int i = 0; i < self->witness_count; i++) {
        const scalar distance = glms_vec3_norm(self->witnesses[i]);
        if (!(distance > 0)) continue;
        const vec3s along = glms_vec3_scale(self->witnesses[i], 1 / distance);
        const scalar way = ray_body_distance(vec3_of(0, 0, 0), along, triangle);
        if (way < RAY_FAR) ++*(way < distance ? &out->hidden : &out->before);
    }
}

static void find(cutting *self, bool *cut) {
    join(self);
    for (int k = 0; k < self->count; k++) vote(self, k);
    for (int k = 0; k < self->count; k++) cut[k] = turns_away(self, k);
    for (int k = 0; k < self->count; k++)
        if (cut[k]) add_cover(self, k);
    for (int k = 0; k < self->count; k++) cut[k] = cut[k] && cover_is_in_the_way(sheet_of(self, k)->cover);
}

scree_result sheet_cut(scree_shape mesh, const scree_body_state *state, vec3s eye, const vec3s *witnesses,
                       int count, bool *cut) {
    const int triangles = scree_shape_piece_count(mesh);
    SCOPED sheet *sheets = memory_allocate((size_t)triangles, sizeof *sheets);
    SCOPED int *parents = memory_allocate((size_t)triangles, sizeof *parents);
    SCOPED sheet_corner *corners = memory_allocate((size_t)triangles, 3 * sizeof *corners);
    if (!sheets || !parents || !corners)
        return fail(SCREE_ERROR_MEMORY, "out of memory for finding triangles in front of the bodies, of %d",
                    triangles);
    cutting self = {mesh, state, eye, witnesses, count, triangles, sheets, parents, corners};
    find(&self, cut);
    return SCREE_OK;
}
