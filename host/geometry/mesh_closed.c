/* Checks whether a surface is closed, and closes cracks caused by round-off. */
#include "mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "base/real3.h"
#include "base/vector.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

static const double CRACK = 1e-6;   /* relative to the longest side of the bounding box */
static const double ON_EDGE = 1e-4; /* relative to an edge's length: tolerance for a point on an edge */
static const double BESIDE =
    0.01; /* relative to an edge's length: corners this close were probably meant to coincide */

/* Vertices of edges that belong to one triangle only. */
typedef struct opening {
    int count;
    int *vertices; /* each once, in increasing order; released by the owner */
} opening;

/* Returns the distance within which corners are merged, m: above the precision of single-precision
 * coordinates. */
static double crack_of(const mesh *self) {
    double longest = 0, farthest = 0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < self->vertex_count; i++) {
            const double x = (double)vec3_along(self->vertices[i], k);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        longest = fmax(longest, high - low);
        farthest = fmax(farthest, fmax(high, -low));
    }
    return fmax(CRACK * longest, 4 * (double)FLT_EPSILON * farthest);
}

static scree_result opening_of(const mesh *self, const mesh_side *sides, opening *out) {
    const int count = 3 * self->count;
    SCOPED bool *open = memory_allocate((size_t)self->vertex_count, sizeof *open);
    out->count = 0;
    out->vertices = memory_allocate((size_t)self->vertex_count, sizeof *out->vertices);
    if (!open || !out->vertices)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a solid of %d triangles", self->count);
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && mesh_same_edge(&sides[end], &sides[first]);) end++;
        if (end - first == 1) open[sides[first].low] = open[sides[first].high] = true;
    }
    for (int i = 0; i < self->vertex_count; i++)
        if (open[i]) out->vertices[out->count++] = i;
    return SCREE_OK;
}

static real3 vertex(const mesh *self, int i) { return real3_of(self->vertices[i]); }

static double distance(real3 a, real3 b) { return real3_length(real3_difference(a, b)); }

/* -- Cracks --------------------------------------------------------------------------- */

typedef struct placed {
    double along; /* along a direction parallel to no edge of common geometries */
    int vertex;
} placed;

static int compare_placed(const void *a, const void *b) {
    const placed *one = a, *other = b;
    if (one->along != other->along) return one->along < other->along ? -1 : 1;
    return (one->vertex > other->vertex) - (one->vertex < other->vertex);
}

/* Connects vertices of the opening that are within `crack` of each other; each group's root is its lowest
 * number. Returns whether any two were connected. */
static bool join(const mesh *self, const opening *of, double crack, placed *sorted, int *parents) {
    static const real3 askew = {0.5415, 0.6180, 0.5700}; /* shorter than 1 by less than 1 % */
    bool joined = false;
    for (int i = 0; i < of->count; i++)
        sorted[i] = (placed){real3_inner(askew, vertex(self, of->vertices[i])), of->vertices[i]};
    qsort(sorted, (size_t)of->count, sizeof *sorted, compare_placed);
    for (int i = 0; i < of->count; i++)
        for (int k = i + 1; k < of->count && sorted[k].along - sorted[i].along <= 1.01 * crack; k++) {
            if (distance(vertex(self, sorted[i].vertex), vertex(self, sorted[k].vertex)) > crack) continue;
            union_find_join(parents, sorted[i].vertex, sorted[k].vertex);
            joined = true;
        }
    return joined;
}

/* Rebuilds the surface with each vertex replaced by its root; triangles keep their `given` numbers. */
static scree_result rebuild(mesh *self, int *parents) {
    SCOPED scree_vec3 *vertices = memory_allocate((size_t)self->vertex_count, sizeof *vertices);
    SCOPED scree_triangle *triangles = memory_allocate((size_t)self->count, sizeof *triangles);
    mesh joined = {0};
    if (!vertices || !triangles)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a solid of %d triangles", self->count);
    for (int i = 0; i < self->vertex_count; i++)
        vertices[i] = vec3_out(self->vertices[union_find_root(parents, i)]);
    for (int i = 0; i < self->count; i++)
        for (int k = 0; k < 3; k++) triangles[i].corners[k] = self->triangles[i].corners[k];
    const scree_result result = mesh_build(&joined, vertices, self->vertex_count, triangles, self->count);
    for (int i = 0; i < joined.count && result == SCREE_OK; i++)
        joined.triangles[i].given = self->triangles[joined.triangles[i].given].given;
    mesh_release(result == SCREE_OK ? self : &joined);
    if (result == SCREE_OK) *self = joined;
    return result;
}

static scree_result close_opening(mesh *self, const opening *of) {
    SCOPED placed *sorted = memory_allocate((size_t)of->count, sizeof *sorted);
    SCOPED int *parents = memory_allocate((size_t)self->vertex_count, sizeof *parents);
    if (!sorted || !parents)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a solid of %d triangles", self->count);
    union_find_init(parents, self->vertex_count);
    return join(self, of, crack_of(self), sorted, parents) ? rebuild(self, parents) : SCREE_OK;
}

scree_result mesh_close_cracks(mesh *self) {
    SCOPED mesh_side *sides = mesh_sides_sorted(self);
    opening open = {0};
    if (!sides) return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh's edges");
    scree_result result = opening_of(self, sides, &open);
    if (result == SCREE_OK && open.count) result = close_opening(self, &open);
    memory_release(open.vertices);
    return result;
}

/* -- Closed --------------------------------------------------------------------------- */

/* Returns whether a vertex lies between the ends of an edge. */
static bool lies_on(const mesh *self, const mesh_side *edge, int i) {
    const real3 from = vertex(self, edge->low), arm = real3_difference(vertex(self, edge->high), from),
                to = real3_difference(vertex(self, i), from);
    const double length = real3_length(arm), fraction = real3_inner(to, arm) / (length * length);
    return i != edge->low && i != edge->high && fraction > BESIDE && fraction < 1 - BESIDE &&
           distance(to, real3_scaled(fraction, arm)) <= ON_EDGE * length;
}

/* Returns a vertex on an edge, or an end of this edge that lies on another edge of one triangle; −1: none. */
static int vertex_on(const mesh *self, const mesh_side *sides, const mesh_side *edge) {
    const int count = 3 * self->count;
    for (int i = 0; i < self->vertex_count; i++)
        if (lies_on(self, edge, i)) return i;
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && mesh_same_edge(&sides[end], &sides[first]);) end++;
        if (end - first > 1) continue;
        if (lies_on(self, &sides[first], edge->low)) return edge->low;
        if (lies_on(self, &sides[first], edge->high)) return edge->high;
    }
    return -1;
}

/* Describes why an edge belongs to one triangle only: a corner lies inside an edge, or close to one of its
 * ends. */
static scree_result find_reason(const mesh *self, const mesh_side *sides, const mesh_side *edge, size_t size,
                                char *out) {
    const int on = vertex_on(self, sides, edge);
    if (on >= 0) {
        const real3 at = vertex(self, on);
        snprintf(out, size,
                 ": corner (%g, %g, %g) lies between the ends of another triangle's edge, but neighbours "
                 "share whole edges",
                 at.x, at.y, at.z);
        return SCREE_OK;
    }
    opening open = {0};
    const scree_result result = opening_of(self, sides, &open);
    double least = BESIDE * distance(vertex(self, edge->low), vertex(self, edge->high));
    for (int i = 0; i < open.count && result == SCREE_OK; i++) {
        const real3 at = vertex(self, open.vertices[i]);
        if (open.vertices[i] == edge->low || open.vertices[i] == edge->high) continue;
        const double away =
            fmin(distance(at, vertex(self, edge->low)), distance(at, vertex(self, edge->high)));
        if (!(away < least)) continue;
        least = away;
        snprintf(out, size,
                 ": corner (%g, %g, %g) of another such edge is %.3g m from one of its ends; corners within "
                 "%.3g m are merged",
                 at.x, at.y, at.z, away, crack_of(self));
    }
    memory_release(open.vertices);
    return result;
}

/* Returns whether a triangle traverses the edge from its lower vertex to its higher one. */
static bool runs_up(const mesh *self, const mesh_side *at) {
    const int *corners = self->triangles[at->triangle].corners;
    return corners[at->at] < corners[(at->at + 1) % 3];
}

static scree_result check_edge(const mesh *self, const mesh_side *at, int count, const char *reason) {
    const vec3s a = self->vertices[at->low], b = self->vertices[at->high];
    const int one = self->triangles[at->triangle].given;
    char where[160];
    snprintf(where, sizeof where, "edge (%g, %g, %g) to (%g, %g, %g)", (double)a.x, (double)a.y, (double)a.z,
             (double)b.x, (double)b.y, (double)b.z);
    if (count == 1)
        return fail(SCREE_ERROR_ARGUMENT, "%s: of triangle %d alone; surface must be closed%s", where, one,
                    reason);
    const int other = self->triangles[at[1].triangle].given;
    if (count > 2)
        return fail(SCREE_ERROR_ARGUMENT, "%s: of triangles %d, %d and %d; must be of two", where, one, other,
                    self->triangles[at[2].triangle].given);
    if (runs_up(self, at) == runs_up(self, at + 1))
        return fail(SCREE_ERROR_ARGUMENT,
                    "%s: of triangles %d and %d, one of which is inverted; all must be "
                    "counter-clockwise from outside",
                    where, one, other);
    return SCREE_OK;
}

scree_result mesh_check_closed(const mesh *self) {
    const int count = 3 * self->count;
    SCOPED mesh_side *sides = mesh_sides_sorted(self);
    if (!sides) return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh's edges");
    for (int first = 0, end; first < count; first = end) {
        char reason[200] = "";
        for (end = first + 1; end < count && mesh_same_edge(&sides[end], &sides[first]);) end++;
        if (end - first == 1) TRY(find_reason(self, sides, &sides[first], sizeof reason, reason));
        TRY(check_edge(self, &sides[first], end - first, reason));
    }
    return SCREE_OK;
}
