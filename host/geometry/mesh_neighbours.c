/* Sides with the same two vertices form one edge. Where only one triangle has an edge, the surface either
 * ends or continues in triangles with other corners (a T-junction): a search of the tree finds edges on
 * the same line, and corners on it. */
#include "mesh_neighbours.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>

enum {
    FINDS_MOST = 1 << 24
}; /* T-junctions in a mesh: as many as 16 million cells along edges of larger triangles */
static const scalar ON_EDGE = 1e-4f; /* relative to an edge's length: tolerance for a point on an edge */

/* A direction at a vertex, or a wing of an edge. */
typedef struct find {
    int of;
    mesh_wing wing;
} find;

typedef struct finds {
    find *items;
    int count, capacity;
} finds;

typedef struct finder {
    mesh *self;
    mesh_side *sides; /* sorted by their vertices: those of an edge are adjacent */
    int *first;       /* first side of each edge, and the end */
    int edges;
    finds wings, spokes; /* those that T-junctions add */
} finder;

/* The edge for which the search runs, from its lower vertex. */
typedef struct line {
    int edge, triangle;
    vec3s from, along, away; /* `along` unit */
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
static vec3s away_from(const mesh *self, const mesh_side *of) {
    const mesh_triangle *triangle = &self->triangles[of->triangle];
    const vec3s from = self->vertices[triangle->corners[of->at]],
                to = self->vertices[triangle->corners[(of->at + 1) % 3]];
    return glms_vec3_cross(triangle->normal, unit(glms_vec3_sub(to, from)));
}

static scree_result note(finds *to, int of, mesh_wing wing) {
    if (to->count == FINDS_MOST)
        return fail(
            SCREE_ERROR_ARGUMENT,
            "more than %d T-junctions (corners of triangles on other triangles' edges); must be fewer",
            FINDS_MOST);
    TRY(MEMORY_RESERVE(to->items, to->capacity, to->count + 1, NULL));
    to->items[to->count++] = (find){of, wing};
    return SCREE_OK;
}

/* Returns the position of a point along a line as a fraction of its length; NaN if it is off the line. */
static scalar place_on(const line *at, vec3s point) {
    const vec3s arm = glms_vec3_sub(point, at->from);
    const scalar reach = glms_vec3_dot(arm, at->along);
    const vec3s beside = glms_vec3_sub(arm, glms_vec3_scale(at->along, reach));
    return glms_vec3_norm(beside) <= ON_EDGE * at->length ? reach / at->length : NAN;
}

static line line_of(const finder *of, int edge) {
    const mesh_side *first = &of->sides[of->first[edge]];
    const vec3s from = of->self->vertices[first->low],
                arm = glms_vec3_sub(of->self->vertices[first->high], from);
    const scalar length = glms_vec3_norm(arm);
    return (line){edge,  first->triangle, from, glms_vec3_scale(arm, 1 / length), away_from(of->self, first),
                  length};
}

/* If another triangle's edge overlaps the line, adds it as a wing of the line's edge. If that edge has two
 * or more sides, no search runs for it, so adds the reverse wing as well. */
static scree_result try_edge(finder *to, const line *at, int triangle, int k, scalar from, scalar end) {
    mesh *self = to->self;
    const scalar low = scalar_max(scalar_min(from, end), 0), high = scalar_min(scalar_max(from, end), 1);
    if (isnan(from) || isnan(end) || !(high - low > ON_EDGE)) return SCREE_OK;
    const mesh_side other = {.triangle = triangle, .at = k};
    TRY(note(&to->wings, at->edge, (mesh_wing){away_from(self, &other), triangle, low, high}));
    const int edge = self->triangles[triangle].edges[k];
    if (to->first[edge + 1] - to->first[edge] == 1) return SCREE_OK;
    const line back = line_of(to, edge);
    const scalar start = glms_vec3_dot(glms_vec3_sub(at->from, back.from), back.along) / back.length,
                 step = glms_vec3_dot(at->along, back.along) * at->length / back.length;
    const mesh_wing wing = {at->away, at->triangle, scalar_min(start, start + step),
                            scalar_max(start, start + step)};
    return note(&to->wings, edge, wing);
}

static scree_result try_triangle(finder *to, const line *at, int triangle) {
    const mesh *self = to->self;
    const int *corners = self->triangles[triangle].corners;
    scalar places[3];
    if (triangle == at->triangle) return SCREE_OK;
    for (int k = 0; k < 3; k++) {
        places[k] = place_on(at, self->vertices[corners[k]]);
        if (!(places[k] > ON_EDGE && places[k] < 1 - ON_EDGE)) continue;
        const vec3s ways[3] = {at->along, glms_vec3_negate(at->along), at->away};
        for (int i = 0; i < 3; i++) TRY(note(&to->spokes, corners[k], (mesh_wing){.away = ways[i]}));
    }
    for (int k = 0; k < 3; k++) TRY(try_edge(to, at, triangle, k, places[k], places[(k + 1) % 3]));
    return SCREE_OK;
}

/* Returns whether a line enters a box (slab test). */
static bool enters(const line *at, const mesh_node *node) {
    const scalar scratch = 2 * ON_EDGE * at->length;
    scalar low = 0, high = at->length;
    for (int k = 0; k < 3; k++) {
        const scalar below = vec3_along(node->lower, k) - scratch - vec3_along(at->from, k),
                     above = vec3_along(node->upper, k) + scratch - vec3_along(at->from, k),
                     way = vec3_along(at->along, k);
        if (scalar_abs(way) < 1e-6f) {
            if (below > 0 || above < 0) return false;
            continue;
        }
        low = scalar_max(low, scalar_min(below / way, above / way));
        high = scalar_min(high, scalar_max(below / way, above / way));
    }
    return low <= high + scratch;
}

static scree_result search(finder *to, const line *at, int node) {
    const mesh_node *of = &to->self->nodes[node];
    if (!enters(at, of)) return SCREE_OK;
    if (of->child) {
        TRY(search(to, at, of->child));
        return search(to, at, of->child + 1);
    }
    for (int i = of->first; i < of->first + of->count; i++) TRY(try_triangle(to, at, to->self->order[i]));
    return SCREE_OK;
}

/* Counting sort: counts into first[of + 2]; after sum_up, first[of + 1] is the next place to fill. */
static int *starts(int count, const finds *more) {
    int *first = memory_allocate((size_t)count + 2, sizeof *first);
    for (int i = 0; first && i < more->count; i++) first[more->items[i].of + 2]++;
    return first;
}

static void sum_up(int *first, int count) {
    for (int i = 0; i < count; i++) first[i + 2] += first[i + 1];
}

static scree_result lay_wings(finder *of) {
    mesh *self = of->self;
    const int sides = 3 * self->count;
    int *first = self->wing_first = starts(of->edges, &of->wings);
    self->wings = memory_allocate((size_t)sides + (size_t)of->wings.count, sizeof *self->wings);
    if (!first || !self->wings) return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh's edges");
    for (int e = 0; e < of->edges; e++) first[e + 2] += of->first[e + 1] - of->first[e];
    sum_up(first, of->edges);
    for (int e = 0; e < of->edges; e++)
        for (int i = of->first[e]; i < of->first[e + 1]; i++)
            self->wings[first[e + 1]++] =
                (mesh_wing){away_from(self, &of->sides[i]), of->sides[i].triangle, -1, 2};
    for (int i = 0; i < of->wings.count; i++)
        self->wings[first[of->wings.items[i].of + 1]++] = of->wings.items[i].wing;
    return SCREE_OK;
}

static scree_result lay_spokes(finder *of) {
    mesh *self = of->self;
    int *first = self->spoke_first = starts(self->vertex_count, &of->spokes);
    self->spokes = memory_allocate(2 * (size_t)of->edges + (size_t)of->spokes.count, sizeof *self->spokes);
    if (!first || !self->spokes) return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh's edges");
    for (int e = 0; e < of->edges; e++) {
        const mesh_side *at = &of->sides[of->first[e]];
        first[at->low + 2]++, first[at->high + 2]++;
    }
    sum_up(first, self->vertex_count);
    for (int e = 0; e < of->edges; e++) {
        const mesh_side *at = &of->sides[of->first[e]];
        const vec3s way = line_of(of, e).along;
        self->spokes[first[at->low + 1]++] = way;
        self->spokes[first[at->high + 1]++] = glms_vec3_negate(way);
    }
    for (int i = 0; i < of->spokes.count; i++)
        self->spokes[first[of->spokes.items[i].of + 1]++] = of->spokes.items[i].wing.away;
    return SCREE_OK;
}

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
    for (int e = 0; e < of->edges; e++) {
        if (of->first[e + 1] - of->first[e] > 1) continue;
        const line at = line_of(of, e);
        TRY(search(of, &at, 0));
    }
    TRY(lay_wings(of));
    return lay_spokes(of);
}

scree_result mesh_neighbours_find(mesh *self) {
    finder of = {.self = self,
                 .sides = mesh_sides_sorted(self),
                 .first = memory_allocate(3 * (size_t)self->count + 1, sizeof *of.first)};
    scree_result result = SCREE_OK;
    if (!of.sides || !of.first) {
        result = fail(SCREE_ERROR_MEMORY, "out of memory for a mesh's edges");
    } else {
        number_edges(&of);
        result = find_all(&of);
    }
    memory_release(of.sides);
    memory_release(of.first);
    memory_release(of.wings.items);
    memory_release(of.spokes.items);
    return result;
}
