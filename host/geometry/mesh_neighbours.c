/* Sides with the same two vertices form one edge. Where only one triangle has an edge, the surface either
 * ends or continues in triangles with other corners (a T-junction): a search of the tree finds edges on
 * the same line, and corners on it. */
#include "mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/vector.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Most T-junctions: as many as 16 million cells along edges of larger triangles. */
enum { FINDS_MOST = 1 << 24 };
static const scalar ON_EDGE = 1e-4f; /* relative to an edge's length: tolerance for a point on an edge */

/* A direction at a vertex, or a triangle at an edge. */
typedef struct find {
    int of;
    edge_facet facet;
} find;

typedef struct finds {
    find *items;
    int count, capacity, sides; /* sides: those of the edges' own triangles, noted before all others */
} finds;

typedef struct finder {
    mesh *self;
    mesh_side *sides; /* sorted by their vertices: those of an edge are adjacent */
    int *first;       /* first side of each edge, and the end */
    int edges;
    finds facets, directions;
} finder;

/* The edge for which the search runs, from its lower vertex. */
typedef struct line {
    int edge, triangle;
    vec3s from, along, inward; /* `along` unit */
    scalar length;
} line;

static int compare_sides(const void *a, const void *b) {
    const mesh_side *one = a, *other = b;
    if (one->low != other->low) return (one->low > other->low) - (one->low < other->low);
    if (one->high != other->high) return (one->high > other->high) - (one->high < other->high);
    return (one->triangle > other->triangle) - (one->triangle < other->triangle);
}

bool mesh_same_edge(const mesh_side *one, const mesh_side *other) {
    return one->low == other->low && one->high == other->high;
}

mesh_side *mesh_sides_sorted(const mesh *self) {
    const int count = 3 * self->count;
    mesh_side *sides = memory_allocate((size_t)count, sizeof *sides);
    for (int i = 0; sides && i < count; i++) {
        const int *corners = self->triangles[i / 3].corners, from = corners[i % 3], to = corners[(i + 1) % 3];
        sides[i] = (mesh_side){from < to ? from : to, from < to ? to : from, i / 3, i % 3};
    }
    if (sides) qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    return sides;
}

static vec3s unit(vec3s v) { return glms_vec3_scale(v, 1 / glms_vec3_norm(v)); }

/* Returns the direction from an edge into its triangle, in the triangle's plane. */
static vec3s inward_of(const mesh *self, const mesh_side *of) {
    const mesh_triangle *triangle = &self->triangles[of->triangle];
    const vec3s from = self->vertices[triangle->corners[of->at]],
                to = self->vertices[triangle->corners[(of->at + 1) % 3]];
    return glms_vec3_cross(triangle->normal, unit(glms_vec3_sub(to, from)));
}

static scree_result note(finds *to, int of, edge_facet facet) {
    if (to->sides && to->count - to->sides == FINDS_MOST)
        return fail(
            SCREE_ERROR_ARGUMENT,
            "more than %d T-junctions (corners of triangles on other triangles' edges); must be fewer",
            FINDS_MOST);
    TRY(MEMORY_RESERVE(to->items, to->capacity, to->count + 1, NULL));
    to->items[to->count++] = (find){of, facet};
    return SCREE_OK;
}

/* Returns the position of a point along a line as a fraction of its length; NaN if it is off the line. */
static scalar fraction_on(const line *at, vec3s point) {
    const vec3s arm = glms_vec3_sub(point, at->from);
    const scalar reach = glms_vec3_dot(arm, at->along);
    const vec3s off = glms_vec3_sub(arm, glms_vec3_scale(at->along, reach));
    return glms_vec3_norm(off) <= ON_EDGE * at->length ? reach / at->length : NAN;
}

static line line_of(const finder *of, int edge) {
    const mesh_side *first = &of->sides[of->first[edge]];
    const vec3s from = of->self->vertices[first->low],
                arm = glms_vec3_sub(of->self->vertices[first->high], from);
    const scalar length = glms_vec3_norm(arm);
    return (line){edge,  first->triangle, from, glms_vec3_scale(arm, 1 / length), inward_of(of->self, first),
                  length};
}

/* If another triangle's edge overlaps the line, adds its triangle as a facet of the line's edge. If that edge
 * has two or more sides, no search runs for it, so adds the line's triangle as its facet as well. */
static scree_result try_edge(finder *to, const line *at, int triangle, int k, scalar from, scalar end) {
    mesh *self = to->self;
    const scalar low = scalar_max(scalar_min(from, end), 0), high = scalar_min(scalar_max(from, end), 1);
    if (isnan(from) || isnan(end) || !(high - low > ON_EDGE)) return SCREE_OK;
    const mesh_side other = {.triangle = triangle, .at = k};
    TRY(note(&to->facets, at->edge, (edge_facet){inward_of(self, &other), triangle, low, high}));
    const int edge = self->triangles[triangle].edges[k];
    if (to->first[edge + 1] - to->first[edge] == 1) return SCREE_OK;
    const line back = line_of(to, edge);
    const scalar start = glms_vec3_dot(glms_vec3_sub(at->from, back.from), back.along) / back.length,
                 step = glms_vec3_dot(at->along, back.along) * at->length / back.length;
    const edge_facet facet = {at->inward, at->triangle, scalar_min(start, start + step),
                              scalar_max(start, start + step)};
    return note(&to->facets, edge, facet);
}

static scree_result try_triangle(finder *to, const line *at, int triangle) {
    const mesh *self = to->self;
    const int *corners = self->triangles[triangle].corners;
    scalar fractions[3];
    if (triangle == at->triangle) return SCREE_OK;
    for (int k = 0; k < 3; k++) {
        fractions[k] = fraction_on(at, self->vertices[corners[k]]);
        if (!(fractions[k] > ON_EDGE && fractions[k] < 1 - ON_EDGE)) continue;
        const vec3s ways[3] = {at->along, glms_vec3_negate(at->along), at->inward};
        for (int i = 0; i < 3; i++) TRY(note(&to->directions, corners[k], (edge_facet){.inward = ways[i]}));
    }
    for (int k = 0; k < 3; k++) TRY(try_edge(to, at, triangle, k, fractions[k], fractions[(k + 1) % 3]));
    return SCREE_OK;
}

/* Returns whether a line enters a box (slab test). */
static bool enters(const void *line_at, const mesh_node *node) {
    const line *at = line_at;
    const scalar slack = 2 * ON_EDGE * at->length;
    scalar low = 0, high = at->length;
    for (int k = 0; k < 3; k++) {
        const scalar below = vec3_along(node->lower, k) - slack - vec3_along(at->from, k),
                     above = vec3_along(node->upper, k) + slack - vec3_along(at->from, k),
                     way = vec3_along(at->along, k);
        if (scalar_abs(way) < 1e-6f) {
            if (below > 0 || above < 0) return false;
            continue;
        }
        low = scalar_max(low, scalar_min(below / way, above / way));
        high = scalar_min(high, scalar_max(below / way, above / way));
    }
    return low <= high + slack;
}

static scree_result search(finder *to, const line *at) {
    mesh_walk walk = mesh_walk_begin();
    for (const mesh_node *leaf; (leaf = mesh_walk_next(&walk, to->self, enters, at));)
        for (int i = leaf->first; i < leaf->first + leaf->count; i++)
            TRY(try_triangle(to, at, to->self->order[i]));
    return SCREE_OK;
}

/* Notes the triangles of each edge, and the edges of each vertex. */
static scree_result note_sides(finder *of) {
    for (int e = 0; e < of->edges; e++)
        for (int i = of->first[e]; i < of->first[e + 1]; i++)
            TRY(note(&of->facets, e,
                     (edge_facet){inward_of(of->self, &of->sides[i]), of->sides[i].triangle, -1, 2}));
    for (int e = 0; e < of->edges; e++) {
        const mesh_side *at = &of->sides[of->first[e]];
        const vec3s way = line_of(of, e).along;
        TRY(note(&of->directions, at->low, (edge_facet){.inward = way}));
        TRY(note(&of->directions, at->high, (edge_facet){.inward = glms_vec3_negate(way)}));
    }
    of->facets.sides = of->facets.count;
    of->directions.sides = of->directions.count;
    return SCREE_OK;
}

/* Sorts finds by their edge or vertex, in the order in which they were noted (counting sort). Fills the first
 * of each and the end, and the first `size` bytes of each facet. first[i + 1] is the next place to fill. */
static scree_result sort_finds(const finds *from, int count, size_t size, int **first, void **out) {
    int *next = *first = memory_allocate((size_t)count + 2, sizeof *next);
    char *to = *out = memory_allocate((size_t)from->count, size);
    if (!next || !to) return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh's edges");
    for (int i = 0; i < from->count; i++) next[from->items[i].of + 2]++;
    for (int i = 0; i < count; i++) next[i + 2] += next[i + 1];
    for (int i = 0; i < from->count; i++)
        memcpy(to + size * (size_t)next[from->items[i].of + 1]++, &from->items[i].facet, size);
    return SCREE_OK;
}
_Static_assert(offsetof(edge_facet, inward) == 0, "a direction is the beginning of a facet");

static void number_edges(finder *of) {
    const int count = 3 * of->self->count;
    for (int i = 0; i < count; i++) {
        const mesh_side *at = &of->sides[i], *last = i ? at - 1 : NULL;
        if (!last || !mesh_same_edge(at, last)) of->first[of->edges++] = i;
        of->self->triangles[at->triangle].edges[at->at] = of->edges - 1;
    }
    of->first[of->edges] = count;
}

static scree_result find_all(finder *of) {
    TRY(note_sides(of));
    for (int e = 0; e < of->edges; e++) {
        if (of->first[e + 1] - of->first[e] > 1) continue;
        const line at = line_of(of, e);
        TRY(search(of, &at));
    }
    mesh *self = of->self;
    TRY(sort_finds(&of->facets, of->edges, sizeof *self->facets, &self->facet_first, (void **)&self->facets));
    return sort_finds(&of->directions, self->vertex_count, sizeof *self->directions, &self->direction_first,
                      (void **)&self->directions);
}

scree_result mesh_neighbours_find(mesh *self) {
    SCOPED mesh_side *sides = mesh_sides_sorted(self);
    SCOPED int *first = memory_allocate(3 * (size_t)self->count + 1, sizeof *first);
    if (!sides || !first) return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh's edges");
    finder of = {.self = self, .sides = sides, .first = first};
    number_edges(&of);
    const scree_result result = find_all(&of);
    memory_release(of.facets.items);
    memory_release(of.directions.items);
    return result;
}
