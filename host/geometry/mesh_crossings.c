/* A closed surface of oriented triangles has a winding number at each point: how often the point is
 * inside, minus one for each inverted shell. It changes by one where a path crosses a triangle from
 * outside to inside; a solid has 0 outside and 1 inside of each triangle. If no two triangles intersect,
 * the number is constant over each side of a triangle. So all pairs are tested first. Rays then count
 * winding numbers: from one triangle of each shell, and from those that touch others without a common
 * corner, where the number may change. */
#include "mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "base/real3.h"
#include "base/vector.h"

#include <float.h>

typedef struct corners {
    real3 at[3], normal; /* unit */
} corners;

/* Intersection of a triangle with another's plane: empty, or two points, one of which may be a corner. */
typedef struct cut {
    bool through; /* has corners on both sides */
    double above, below, distances[3];
    real3 ends[2];
} cut;

typedef struct checker {
    const mesh *self;
    double slack; /* round-off of the vertices, m */
    bool *asks;   /* for each triangle, whether a ray starts there */
} checker;

static corners corners_of(const mesh *self, int triangle) {
    corners out;
    for (int k = 0; k < 3; k++) out.at[k] = real3_of(self->vertices[self->triangles[triangle].corners[k]]);
    const real3 across =
        real3_cross(real3_difference(out.at[1], out.at[0]), real3_difference(out.at[2], out.at[0]));
    out.normal = real3_scaled(1 / real3_length(across), across);
    return out;
}

static real3 between(real3 a, real3 b, double fraction) {
    return real3_sum(a, real3_scaled(fraction, real3_difference(b, a)));
}

/* A common corner (bits of `common`) lies in the plane regardless of round-off. */
static cut cut_of(const corners *a, const corners *plane, unsigned common, double slack) {
    cut out = {.through = false};
    for (int k = 0; k < 3; k++) {
        double d = real3_inner(plane->normal, real3_difference(a->at[k], plane->at[0]));
        if (common >> k & 1 || fabs(d) <= slack) d = 0;
        out.distances[k] = d;
        out.above = fmax(out.above, d);
        out.below = fmax(out.below, -d);
    }
    if (!(out.above > 0 && out.below > 0)) return out;
    out.through = true;
    int count = 0;
    for (int k = 0; k < 3; k++) {
        const double d = out.distances[k], next = out.distances[(k + 1) % 3];
        if (d == 0) out.ends[count++] = a->at[k];
        if (d * next < 0) out.ends[count++] = between(a->at[k], a->at[(k + 1) % 3], d / (d - next));
    }
    return out;
}

/* Two triangles intersect if each has corners on both sides of the other's plane and their sections of the
 * planes' common line overlap (Möller, A fast triangle-triangle intersection test, 1997). `at` gets the
 * middle of the overlap. */
static bool cross(const cut *one, const cut *other, real3 along, double slack, real3 *at) {
    double low = -INFINITY, high = INFINITY;
    const cut *const cuts[] = {one, other};
    const real3 from = one->ends[0], way = real3_scaled(1 / real3_length(along), along);
    for (int i = 0; i < 2; i++) {
        const double a = real3_inner(way, real3_difference(cuts[i]->ends[0], from)),
                     b = real3_inner(way, real3_difference(cuts[i]->ends[1], from));
        low = fmax(low, fmin(a, b));
        high = fmin(high, fmax(a, b));
    }
    *at = real3_sum(from, real3_scaled((low + high) / 2, way));
    return high - low > slack;
}

/* Returns whether a direction separates two triangles by more than a slack. */
static bool separates(const corners *a, const corners *b, real3 way, double slack) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    const double length = real3_length(way);
    for (int k = 0; k < 3; k++) {
        const double x = real3_inner(way, real3_difference(a->at[k], a->at[0])),
                     y = real3_inner(way, real3_difference(b->at[k], a->at[0]));
        low[0] = fmin(low[0], x);
        high[0] = fmax(high[0], x);
        low[1] = fmin(low[1], y);
        high[1] = fmax(high[1], y);
    }
    return fmax(low[1] - high[0], low[0] - high[1]) > slack * length;
}

/* Tries the separating axes of two convex bodies of three corners: normals, in-plane edge normals, and
 * products of edges. Slivers for which all of these vanish count as touching. */
static bool apart(const corners *a, const corners *b, double slack) {
    if (separates(a, b, a->normal, slack) || separates(a, b, b->normal, slack)) return true;
    for (int i = 0; i < 3; i++) {
        const real3 edge = real3_difference(a->at[(i + 1) % 3], a->at[i]),
                    other = real3_difference(b->at[(i + 1) % 3], b->at[i]);
        if (separates(a, b, real3_cross(edge, a->normal), slack)) return true;
        if (separates(a, b, real3_cross(other, b->normal), slack)) return true;
        for (int k = 0; k < 3; k++)
            if (separates(a, b, real3_cross(edge, real3_difference(b->at[(k + 1) % 3], b->at[k])), slack))
                return true;
    }
    return false;
}

/* Shrinks a triangle slightly, so that triangles with a common corner do not touch there. */
static corners shrunk(const corners *of) {
    const real3 middle = real3_scaled(1.0 / 3, real3_sum(of->at[0], real3_sum(of->at[1], of->at[2])));
    corners out = *of;
    for (int k = 0; k < 3; k++) out.at[k] = between(of->at[k], middle, 1e-3);
    return out;
}

static int count_bits(unsigned bits) { return (int)(bits & 1) + (int)(bits >> 1 & 1) + (int)(bits >> 2 & 1); }

/* Returns which corners of one triangle the other also has. */
static unsigned common_of(const mesh *self, int triangle, int other) {
    unsigned out = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            if (self->triangles[triangle].corners[k] == self->triangles[other].corners[i]) out |= 1u << k;
    return out;
}

/* Triangles with a common edge intersect nowhere else unless they overlap. */
static scree_result check_pair(checker *of, int one, int other) {
    const unsigned common = common_of(of->self, one, other);
    const int shared = count_bits(common);
    if (shared > 1) return SCREE_OK;
    const corners a = corners_of(of->self, one), b = corners_of(of->self, other);
    const cut cut_a = cut_of(&a, &b, common, of->slack);
    const bool beside =
        !cut_a.through && (cut_a.above > 0 || cut_a.below > 0) && shared &&
        (cut_a.distances[0] != 0) + (cut_a.distances[1] != 0) + (cut_a.distances[2] != 0) == 2;
    if (beside) return SCREE_OK; /* only the common corner is in the plane */
    const cut cut_b = cut_of(&b, &a, common_of(of->self, other, one), of->slack);
    real3 at;
    if (cut_a.through && cut_b.through &&
        cross(&cut_a, &cut_b, real3_cross(a.normal, b.normal), of->slack, &at))
        return fail(SCREE_ERROR_ARGUMENT,
                    "triangles %d and %d cross at (%g, %g, %g); the surface of a solid must not cross itself",
                    of->self->triangles[one].given, of->self->triangles[other].given, at.x, at.y, at.z);
    if (!shared) {
        if (apart(&a, &b, of->slack)) return SCREE_OK;
    } else {
        const corners less_a = shrunk(&a), less_b = shrunk(&b);
        if (apart(&less_a, &less_b, 0)) return SCREE_OK;
    }
    of->asks[one] = of->asks[other] = true;
    return SCREE_OK;
}

typedef struct box {
    double lower[3], upper[3];
} box;

static box box_of(const checker *of, int triangle) {
    box out;
    for (int k = 0; k < 3; k++) {
        out.lower[k] = INFINITY;
        out.upper[k] = -INFINITY;
        for (int i = 0; i < 3; i++) {
            const double x =
                (double)vec3_along(of->self->vertices[of->self->triangles[triangle].corners[i]], k);
            out.lower[k] = fmin(out.lower[k], x - of->slack);
            out.upper[k] = fmax(out.upper[k], x + of->slack);
        }
    }
    return out;
}

static bool meets(const void *query, const mesh_node *node) {
    const box *around = query;
    for (int k = 0; k < 3; k++)
        if ((double)vec3_along(node->lower, k) > around->upper[k] ||
            (double)vec3_along(node->upper, k) < around->lower[k])
            return false;
    return true;
}

/* Tests the triangle against those near it that have a higher number. */
static scree_result check_near(checker *of, int triangle) {
    const box around = box_of(of, triangle);
    mesh_walk walk = mesh_walk_begin();
    for (const mesh_node *leaf; (leaf = mesh_walk_next(&walk, of->self, meets, &around));)
        for (int i = leaf->first; i < leaf->first + leaf->count; i++)
            if (of->self->order[i] > triangle) TRY(check_pair(of, triangle, of->self->order[i]));
    return SCREE_OK;
}

/* -- Winding numbers ------------------------------------------------------------------ */

/* A ray from a triangle and its signed crossings: `far` beyond, `here` within round-off of the start,
 * including the triangle itself. Leaving the solid counts 1, entering it −1. */
typedef struct ray {
    real3 from, way, across[2]; /* unit, right-handed: across[0], across[1], way */
    int triangle;
    int here, far;
    double slack;
} ray;

/* Follows the normal, tilted so that the ray avoids edges and corners of axis-aligned surfaces. */
static ray ray_of(const corners *of, int triangle, const double weights[3], double slack) {
    static const real3 askew = {0.2718281828, 0.1414213562, 0.1732050808};
    real3 from = {0, 0, 0}, way = real3_sum(of->normal, askew);
    for (int k = 0; k < 3; k++) from = real3_sum(from, real3_scaled(weights[k], of->at[k]));
    way = real3_scaled(1 / real3_length(way), way);
    const real3 other = fabs(way.x) < 0.6 ? (real3){1, 0, 0} : (real3){0, 1, 0};
    const real3 aside = real3_cross(way, other), first = real3_scaled(1 / real3_length(aside), aside);
    return (ray){from, way, {first, real3_cross(way, first)}, triangle, 1, 0, slack};
}

/* Returns on which side of an edge the ray passes. Both triangles of the edge get the same result, so that
 * the ray cannot slip between them. */
static bool left_of(const ray *self, const mesh *surface, int from, int to) {
    const int low = from < to ? from : to, high = from < to ? to : from;
    const real3 a = real3_difference(real3_of(surface->vertices[low]), self->from),
                b = real3_difference(real3_of(surface->vertices[high]), self->from);
    const double turn = real3_inner(self->across[0], a) * real3_inner(self->across[1], b) -
                        real3_inner(self->across[1], a) * real3_inner(self->across[0], b);
    return (turn >= 0) == (from < to);
}

static void pass(ray *self, const checker *of, int triangle) {
    const int *c = of->self->triangles[triangle].corners;
    const bool left = left_of(self, of->self, c[0], c[1]);
    if (triangle == self->triangle || left != left_of(self, of->self, c[1], c[2]) ||
        left != left_of(self, of->self, c[2], c[0]))
        return;
    const corners at = corners_of(of->self, triangle);
    const double along = real3_inner(at.normal, self->way),
                 away = real3_inner(at.normal, real3_difference(at.at[0], self->from)), reach = away / along;
    if (fabs(reach) <= of->slack || fabs(away) <= of->slack)
        self->here += left ? 1 : -1;
    else if (reach > 0)
        self->far += left ? 1 : -1;
}

/* Slab test. */
static bool enters(const void *query, const mesh_node *node) {
    const ray *self = query;
    const double slack = self->slack;
    const double from[3] = {self->from.x, self->from.y, self->from.z},
                 way[3] = {self->way.x, self->way.y, self->way.z};
    double low = -2 * slack, high = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double below = (double)vec3_along(node->lower, k) - slack - from[k],
                     above = (double)vec3_along(node->upper, k) + slack - from[k];
        if (way[k] == 0) {
            if (below > 0 || above < 0) return false;
            continue;
        }
        low = fmax(low, fmin(below / way[k], above / way[k]));
        high = fmin(high, fmax(below / way[k], above / way[k]));
    }
    return low <= high;
}

static void trace(ray *self, const checker *of) {
    mesh_walk walk = mesh_walk_begin();
    for (const mesh_node *leaf; (leaf = mesh_walk_next(&walk, of->self, enters, self));)
        for (int i = leaf->first; i < leaf->first + leaf->count; i++) pass(self, of, of->self->order[i]);
}

/* The winding number is `far` beyond all triangles at the ray's start, and `far` + `here` before them. A
 * ray that starts on another triangle's edge may miscount, so an error requires several rays to agree. */
static scree_result check_turns(const checker *of, int triangle) {
    static const double weights[3][3] = {{1.0 / 3, 1.0 / 3, 1.0 / 3}, {0.61, 0.26, 0.13}, {0.17, 0.12, 0.71}};
    const corners at = corners_of(of->self, triangle);
    int most = 0;
    real3 from = at.at[0];
    for (int i = 0; i < 3; i++) {
        ray self = ray_of(&at, triangle, weights[i], of->slack);
        trace(&self, of);
        const int beyond = self.far, before = self.far + self.here;
        if (beyond >= 0 && beyond <= 1 && before >= 0 && before <= 1) return SCREE_OK;
        most = beyond > before ? beyond : before;
        from = self.from;
    }
    const int given = of->self->triangles[triangle].given;
    if (most > 1)
        return fail(SCREE_ERROR_ARGUMENT,
                    "triangle %d at (%g, %g, %g) lies inside of another shell, where volume would count "
                    "twice; shells must be disjoint, or hollows, clockwise as seen from outside",
                    given, from.x, from.y, from.z);
    return fail(SCREE_ERROR_ARGUMENT,
                "triangle %d at (%g, %g, %g) is clockwise as seen from outside, but no shell encloses it "
                "whose hollow it could be; must be counter-clockwise",
                given, from.x, from.y, from.z);
}

/* -- Shells --------------------------------------------------------------------------- */

/* Starts a ray at the first triangle of each shell, the triangles connected by edges. */
static scree_result ask_shells(checker *of) {
    const int count = of->self->count;
    SCOPED int *parents = memory_allocate((size_t)count, sizeof *parents),
               *owners = memory_allocate(3 * (size_t)count, sizeof *owners); /* of edges: triangle + 1 */
    if (!parents || !owners)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a solid of %d triangles", count);
    union_find_init(parents, count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            int *owner = &owners[of->self->triangles[i].edges[k]];
            if (!*owner) *owner = i + 1;
            union_find_join(parents, *owner - 1, i);
        }
    for (int i = 0; i < count; i++) of->asks[i] |= parents[i] == i;
    return SCREE_OK;
}

static double farthest_of(const mesh *self) {
    double out = 0;
    for (int i = 0; i < self->vertex_count; i++)
        for (int k = 0; k < 3; k++) out = fmax(out, fabs((double)vec3_along(self->vertices[i], k)));
    return out;
}

scree_result mesh_check_crossings(const mesh *self) {
    SCOPED bool *asks = memory_allocate((size_t)self->count, sizeof *asks);
    checker of = {self, 4 * (double)FLT_EPSILON * farthest_of(self), asks};
    if (!asks) return fail(SCREE_ERROR_MEMORY, "out of memory for a solid of %d triangles", self->count);
    TRY(ask_shells(&of));
    for (int i = 0; i < self->count; i++) TRY(check_near(&of, i));
    for (int i = 0; i < self->count; i++)
        if (asks[i]) TRY(check_turns(&of, i));
    return SCREE_OK;
}
