#include "mesh.h"

#include "bounds.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/vector.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, CODE_STEPS = 32 };

static int compare_scalars(scalar a, scalar b) { return (a > b) - (a < b); }

typedef struct placed_vertex {
    vec3s at;
    int index;
} placed_vertex;

static int compare_vertices(const void *a, const void *b) {
    const placed_vertex *one = a, *other = b;
    int order = compare_scalars(one->at.x, other->at.x);
    if (!order) order = compare_scalars(one->at.y, other->at.y);
    if (!order) order = compare_scalars(one->at.z, other->at.z);
    return order ? order : (one->index > other->index) - (one->index < other->index);
}

static bool same_place(vec3s a, vec3s b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Keeps one vertex per position; `place` maps old indices to new ones. */
static scree_result weld(mesh *self, const scree_vec3 *vertices, int count, int *place) {
    SCOPED placed_vertex *sorted = memory_allocate((size_t)count, sizeof *sorted);
    self->vertices = memory_allocate((size_t)count, sizeof *self->vertices);
    if (!sorted || !self->vertices)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh of %d corners", count);
    for (int i = 0; i < count; i++) sorted[i] = (placed_vertex){vec3_in(vertices[i]), i};
    qsort(sorted, (size_t)count, sizeof *sorted, compare_vertices);
    for (int i = 0; i < count; i++) {
        if (i == 0 || !same_place(sorted[i].at, sorted[i - 1].at))
            self->vertices[self->vertex_count++] = sorted[i].at;
        place[sorted[i].index] = self->vertex_count - 1;
    }
    return SCREE_OK;
}

static vec3s unit(vec3s v) { return glms_vec3_scale(v, 1 / glms_vec3_norm(v)); }

/* Returns the rotation with columns x, y, z. Divides by the largest of the four components. */
static versors rotation_to(vec3s x, vec3s y, vec3s z) {
    const double square[4] = {
        1 + (double)x.x - (double)y.y - (double)z.z, 1 - (double)x.x + (double)y.y - (double)z.z,
        1 - (double)x.x - (double)y.y + (double)z.z, 1 + (double)x.x + (double)y.y + (double)z.z};
    int best = 3;
    for (int i = 0; i < 3; i++)
        if (square[i] > square[best]) best = i;
    const scalar w = (scalar)(sqrt(square[best]) / 2), f = 1 / (4 * w);
    switch (best) {
    case 0:
        return versor_of(w, (x.y + y.x) * f, (x.z + z.x) * f, (y.z - z.y) * f);
    case 1:
        return versor_of((x.y + y.x) * f, w, (y.z + z.y) * f, (z.x - x.z) * f);
    case 2:
        return versor_of((x.z + z.x) * f, (y.z + z.y) * f, w, (x.y - y.x) * f);
    default:
        return versor_of((y.z - z.y) * f, (z.x - x.z) * f, (x.y - y.x) * f, w);
    }
}

/* Quantises a normal to CODE_STEPS steps per axis. */
static int plane_code_of(vec3s normal) {
    const int x = (int)((normal.x + 1) * (CODE_STEPS / 2 - 1) + 0.5f),
              y = (int)((normal.y + 1) * (CODE_STEPS / 2 - 1) + 0.5f),
              z = (int)((normal.z + 1) * (CODE_STEPS / 2 - 1) + 0.5f);
    return (x * CODE_STEPS + y) * CODE_STEPS + z;
}

/* Fills frame and normal of a triangle; returns whether it has an area. */
static bool lay_out(const mesh *self, mesh_triangle *out) {
    const vec3s a = self->vertices[out->corners[0]], b = self->vertices[out->corners[1]],
                c = self->vertices[out->corners[2]];
    const vec3s along = glms_vec3_sub(b, a), other = glms_vec3_sub(c, a),
                across = glms_vec3_cross(along, other);
    const scalar width = glms_vec3_norm(along), area = glms_vec3_norm(across),
                 longest = scalar_max(width,
                                      scalar_max(glms_vec3_norm(other), glms_vec3_norm(glms_vec3_sub(c, b))));
    if (!(area > 1e-6f * longest * longest) || !isfinite(area)) return false;
    const vec3s x = glms_vec3_scale(along, 1 / width), z = glms_vec3_scale(across, 1 / area),
                y = unit(glms_vec3_cross(z, x));
    out->size = vec3_of(width, glms_vec3_dot(other, x), glms_vec3_dot(other, y));
    out->normal = z;
    out->rotation = rotation_to(x, y, z);
    out->plane_code = plane_code_of(z);
    return true;
}

/* A triangle's centroid along an axis, times 3; equal values are sorted by index. */
typedef struct middle {
    scalar at;
    int triangle;
} middle;

static int compare_middles(const void *a, const void *b) {
    const middle *one = a, *other = b;
    const int order = compare_scalars(one->at, other->at);
    return order ? order : (one->triangle > other->triangle) - (one->triangle < other->triangle);
}

static scalar middle_of(const mesh *self, int triangle, int axis) {
    const int *corners = self->triangles[triangle].corners;
    scalar sum = 0;
    for (int k = 0; k < 3; k++) sum += vec3_along(self->vertices[corners[k]], axis);
    return sum;
}

/* Splits a node at the median centroid along the longest side of its box. */
static void split(mesh *self, int at, middle *scratch) {
    mesh_node *node = &self->nodes[at];
    node->lower = BOUNDS_NOWHERE.lower;
    node->upper = BOUNDS_NOWHERE.upper;
    for (int i = node->first; i < node->first + node->count; i++)
        for (int k = 0; k < 3; k++) {
            const vec3s corner = self->vertices[self->triangles[self->order[i]].corners[k]];
            node->lower = vec3_lesser(node->lower, corner);
            node->upper = vec3_greater(node->upper, corner);
        }
    if (node->count <= LEAF) return;
    const vec3s size = glms_vec3_sub(node->upper, node->lower);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    for (int i = 0; i < node->count; i++) {
        const int triangle = self->order[node->first + i];
        scratch[i] = (middle){middle_of(self, triangle, axis), triangle};
    }
    qsort(scratch, (size_t)node->count, sizeof *scratch, compare_middles);
    for (int i = 0; i < node->count; i++) self->order[node->first + i] = scratch[i].triangle;
    const int half = node->count / 2, child = node->child = self->node_count;
    self->node_count += 2;
    self->nodes[child] = (mesh_node){.first = node->first, .count = half};
    self->nodes[child + 1] = (mesh_node){.first = node->first + half, .count = node->count - half};
    split(self, child, scratch);
    split(self, child + 1, scratch);
}

static scree_result plant(mesh *self) {
    SCOPED middle *scratch = memory_allocate((size_t)self->count, sizeof *scratch);
    self->order = memory_allocate((size_t)self->count, sizeof *self->order);
    self->nodes = memory_allocate(2 * (size_t)self->count, sizeof *self->nodes);
    if (!scratch || !self->order || !self->nodes)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh of %d triangles", self->count);
    for (int i = 0; i < self->count; i++) self->order[i] = i;
    self->nodes[0] = (mesh_node){.count = self->count};
    self->node_count = 1;
    split(self, 0, scratch);
    return SCREE_OK;
}

/* The corners of a triangle in increasing order. */
typedef struct corner_set {
    int corners[3], triangle;
} corner_set;

static int compare_sets(const void *a, const void *b) {
    const corner_set *one = a, *other = b;
    for (int k = 0; k < 3; k++)
        if (one->corners[k] != other->corners[k])
            return (one->corners[k] > other->corners[k]) - (one->corners[k] < other->corners[k]);
    return (one->triangle > other->triangle) - (one->triangle < other->triangle);
}

static corner_set set_of(const mesh *self, int triangle) {
    const int *c = self->triangles[triangle].corners;
    const int low = c[0] < c[1] ? c[0] : c[1], high = c[0] < c[1] ? c[1] : c[0];
    if (c[2] < low) return (corner_set){{c[2], low, high}, triangle};
    return c[2] < high ? (corner_set){{low, c[2], high}, triangle}
                       : (corner_set){{low, high, c[2]}, triangle};
}

/* Removes triangles with equal corners, in any orientation, except the first: both of its sides are solid. */
static scree_result drop_copies(mesh *self) {
    SCOPED corner_set *sets = memory_allocate((size_t)self->count, sizeof *sets);
    if (!sets) return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh of %d triangles", self->count);
    for (int i = 0; i < self->count; i++) sets[i] = set_of(self, i);
    qsort(sets, (size_t)self->count, sizeof *sets, compare_sets);
    for (int i = 1; i < self->count; i++)
        if (!memcmp(sets[i].corners, sets[i - 1].corners, sizeof sets[i].corners))
            self->triangles[sets[i].triangle].corners[0] = -1;
    int kept = 0;
    for (int i = 0; i < self->count; i++)
        if (self->triangles[i].corners[0] >= 0) self->triangles[kept++] = self->triangles[i];
    self->count = kept;
    return SCREE_OK;
}

static scree_result take(mesh *self, const scree_triangle *triangles, int count, const int *place,
                         int vertices) {
    self->triangles = memory_allocate((size_t)count, sizeof *self->triangles);
    if (!self->triangles) return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh of %d triangles", count);
    for (int i = 0; i < count; i++) {
        mesh_triangle *of = &self->triangles[self->count];
        *of = (mesh_triangle){.given = i};
        for (int k = 0; k < 3; k++) {
            const int corner = triangles[i].corners[k];
            if (corner < 0 || corner >= vertices)
                return fail(SCREE_ERROR_ARGUMENT, "mesh: triangle %d: corner: %d; must be 0 to %d", i, corner,
                            vertices - 1);
            of->corners[k] = place[corner];
        }
        self->count += lay_out(self, of);
    }
    if (!self->count)
        return fail(SCREE_ERROR_ARGUMENT, "mesh: none of %d triangles has an area; one must", count);
    return drop_copies(self);
}

scree_result mesh_build(mesh *out, const scree_vec3 *vertices, int vertex_count,
                        const scree_triangle *triangles, int count) {
    SCOPED int *place = memory_allocate((size_t)vertex_count, sizeof *place);
    if (!place) return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh of %d corners", vertex_count);
    TRY(weld(out, vertices, vertex_count, place));
    TRY(take(out, triangles, count, place, vertex_count));
    TRY(plant(out));
    return mesh_neighbours_find(out);
}

void mesh_release(mesh *self) {
    memory_release(self->vertices);
    memory_release(self->triangles);
    memory_release(self->order);
    memory_release(self->nodes);
    memory_release(self->facet_first);
    memory_release(self->facets);
    memory_release(self->direction_first);
    memory_release(self->directions);
    *self = (mesh){0};
}
