/* Triangulates by ear clipping. An ear is a triangle of three consecutive corners that turns as the polygon
 * does and has no other corner inside or on its border; a simple polygon has two, whether or not corners are
 * in line, and remains simple without one (Meisters 1975). The ear clipped is that whose area, and whose
 * clearance from the other corners, is largest relative to its sides: no triangle is left that is so thin
 * that meshes drop it, if there is another way.
 *
 * Tests of position are made in the polygon's mean plane, that of Newell's normal. A bent polygon is accepted
 * if its projection there is simple. Double precision keeps the rounding of the projection 1e-9 times below
 * that of the corners, so that only places which coincide in the file need the tolerance FLAT.
 */
#include "polygon.h"

#include "base/error.h"

#include <math.h>

/* Largest distance of a corner from the mean plane, relative to the polygon's extent: that of a square whose
 * halves are tilted against the plane by 45 degrees. Two triangulations of the same corners differ by up to
 * twice this distance. */
#define BEND 0.25
/* Relative height below which a triangle has no area, as in scree_mesh_create. */
#define FLAT 1e-6

typedef struct place {
    double x[3];
} place;

typedef struct corner {
    int vertex, before, after; /* the neighbours are corners */
    place at;
    double u, v;    /* projection, in which the polygon is counter-clockwise */
    double quality; /* of the ear at this corner; 0: none */
} corner;

typedef struct ear {
    const corner *a, *b, *c;
} ear;

typedef struct polygon {
    int count, ear_count;
    ear ears[POLYGON_MOST];
    place normal; /* twice the area; not unit */
    corner corners[POLYGON_MOST];
} polygon;

static place difference(place a, place b) {
    return (place){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

static double dot(place a, place b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }

static place cross(place a, place b) {
    return (place){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                    a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static bool same(place a, place b) { return a.x[0] == b.x[0] && a.x[1] == b.x[1] && a.x[2] == b.x[2]; }

/* Copies the corners except equal consecutive ones. */
static void take_corners(polygon *self, const scree_vec3 *vertices, const int *corners, int count) {
    self->count = 0;
    for (int i = 0; i < count; i++) {
        const scree_vec3 v = vertices[corners[i]];
        const place at = {{(double)v.x, (double)v.y, (double)v.z}};
        if (self->count && same(at, self->corners[self->count - 1].at)) continue;
        self->corners[self->count++] = (corner){.vertex = corners[i], .at = at};
    }
    while (self->count > 1 && same(self->corners[0].at, self->corners[self->count - 1].at)) self->count--;
    for (int i = 0; i < self->count; i++) {
        self->corners[i].before = (i + self->count - 1) % self->count;
        self->corners[i].after = (i + 1) % self->count;
    }
}

/* Returns the largest distance between the first and another corner. */
static double extent(const polygon *self, place *far) {
    double most = 0;
    *far = (place){{0}};
    for (int i = 1; i < self->count; i++) {
        const place reach = difference(self->corners[i].at, self->corners[0].at);
        if (dot(reach, reach) <= most) continue;
        most = dot(reach, reach);
        *far = reach;
    }
    return sqrt(most);
}

static bool in_line(const polygon *self) {
    place far;
    const double longest = extent(self, &far);
    for (int i = 1; i < self->count; i++) {
        const place across = cross(far, difference(self->corners[i].at, self->corners[0].at));
        if (dot(across, across) > FLAT * FLAT * pow(longest, 4)) return false;
    }
    return true;
}

/* Sets the mean normal. */
static void find_normal(polygon *self) {
    self->normal = (place){{0}};
    for (int i = 1; i + 1 < self->count; i++) {
        const place part = cross(difference(self->corners[i].at, self->corners[0].at),
                                 difference(self->corners[i + 1].at, self->corners[0].at));
        for (int k = 0; k < 3; k++) self->normal.x[k] += part.x[k];
    }
}

static place scaled(place a, double factor) {
    return (place){{factor * a.x[0], factor * a.x[1], factor * a.x[2]}};
}

/* Sets the coordinates in the mean plane. The first axis is perpendicular to that along which the normal is
 * shortest. */
static void project(polygon *self) {
    const place n = self->normal;
    int shortest = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(n.x[k]) < fabs(n.x[shortest])) shortest = k;
    const place axis = {{shortest == 0, shortest == 1, shortest == 2}}, across = cross(axis, n),
                along = scaled(across, 1 / sqrt(dot(across, across))),
                other = scaled(cross(n, along), 1 / sqrt(dot(n, n)));
    for (int i = 0; i < self->count; i++) {
        const place from = difference(self->corners[i].at, self->corners[0].at);
        self->corners[i].u = dot(from, along);
        self->corners[i].v = dot(from, other);
    }
}

/* Returns twice the area of a triangle in the projection: positive if it is counter-clockwise. */
static double turn(const corner *a, const corner *b, const corner *c) {
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

static scree_result check_bend(const polygon *self, int count) {
    place far;
    const double normal = sqrt(dot(self->normal, self->normal)), longest = extent(self, &far);
    double low = 0, high = 0;
    for (int i = 0; i < self->count; i++) {
        const double height = dot(self->normal, difference(self->corners[i].at, self->corners[0].at));
        low = fmin(low, height);
        high = fmax(high, height);
    }
    const double bend = (high - low) / 2 / normal;
    if (bend > BEND * longest)
        return fail(SCREE_ERROR_FORMAT,
                    "a face of %d corners: one is %.3g from the mean plane; must be at most %g of the face's "
                    "extent of %.3g",
                    count, bend, BEND, longest);
    return SCREE_OK;
}

static bool same_projection(const corner *a, const corner *b) { return a->u == b->u && a->v == b->v; }

/* Returns how far the remaining corners are beyond the side from c to a, where the triangle separates them:
 * the least of their areas with that side, relative to its square. 0 if a corner is in the triangle or on its
 * border, except at the places of its corners. */
static double clearance(const polygon *self, const corner *a, const corner *b, const corner *c) {
    const double square = (c->u - a->u) * (c->u - a->u) + (c->v - a->v) * (c->v - a->v);
    double least = INFINITY;
    for (int i = c->after; &self->corners[i] != a; i = self->corners[i].after) {
        const corner *other = &self->corners[i];
        if (same_projection(other, a) || same_projection(other, b) || same_projection(other, c)) continue;
        if (turn(a, b, other) < 0 || turn(b, c, other) < 0) continue;
        least = fmin(least, fmax(-turn(c, a, other), 0) / square);
    }
    return least;
}

/* Returns twice the area of the ear at a corner relative to the square of its longest side, or its clearance
 * if that is less; 0: no ear. */
static double ear_quality(const polygon *self, const corner *b) {
    const corner *a = &self->corners[b->before], *c = &self->corners[b->after];
    if (!(turn(a, b, c) > 0)) return 0;
    const place one = difference(b->at, a->at), two = difference(c->at, b->at),
                three = difference(a->at, c->at), area = cross(one, two);
    const double longest = fmax(dot(one, one), fmax(dot(two, two), dot(three, three)));
    return fmin(sqrt(dot(area, area)) / longest, clearance(self, a, b, c));
}

/* Returns the best ear, the first of equal ones after `from`; 0 as quality: none is left. */
static corner *best_ear(polygon *self, int from) {
    corner *best = &self->corners[from];
    for (int i = best->after; i != from; i = self->corners[i].after)
        if (self->corners[i].quality > best->quality) best = &self->corners[i];
    return best;
}

static void measure_all(polygon *self, int from) {
    int i = from;
    do {
        self->corners[i].quality = ear_quality(self, &self->corners[i]);
        i = self->corners[i].after;
    } while (i != from);
}

/* Clips ears until a triangle remains. An ear that another corner blocked is measured again when its
 * neighbour has been clipped, or when no other is left. */
static bool clip(polygon *self) {
    int from = 1; /* the first of two triangles of a rectangle is that of corners 0, 1 and 2 */
    measure_all(self, from);
    for (self->ear_count = 0; self->ear_count < self->count - 2; self->ear_count++) {
        if (!(best_ear(self, from)->quality > 0)) measure_all(self, from);
        const corner *best = best_ear(self, from);
        if (!(best->quality > 0)) return false;
        corner *before = &self->corners[best->before], *after = &self->corners[best->after];
        self->ears[self->ear_count] = (ear){before, best, after};
        before->after = best->after;
        after->before = best->before;
        before->quality = ear_quality(self, before);
        after->quality = ear_quality(self, after);
        from = best->after;
    }
    return true;
}

/* Returns whether a triangle is on the right of the line from a to b, or not farther on its left than two
 * sides that coincide may be. */
static bool parts(const corner *a, const corner *b, ear from) {
    const double width = b->u - a->u, height = b->v - a->v, slack = FLAT * (width * width + height * height);
    return turn(a, b, from.a) <= slack && turn(a, b, from.b) <= slack && turn(a, b, from.c) <= slack;
}

static bool are_apart(ear one, ear other) {
    return parts(one.a, one.b, other) || parts(one.b, one.c, other) || parts(one.c, one.a, other) ||
           parts(other.a, other.b, one) || parts(other.b, other.c, one) || parts(other.c, other.a, one);
}

/* Returns whether triangles overlap. Ears add up to the winding number of the polygon, so that sides that
 * cross leave a place that is negative, where no ear can be, or twice covered. */
static bool ears_overlap(const polygon *self) {
    for (int i = 0; i < self->ear_count; i++)
        for (int k = i + 1; k < self->ear_count; k++)
            if (!are_apart(self->ears[i], self->ears[k])) return true;
    return false;
}

scree_result polygon_triangulate(const scree_vec3 *vertices, const int *corners, int count,
                                 scree_triangle *out, int *out_count) {
    polygon self;
    *out_count = 0;
    take_corners(&self, vertices, corners, count);
    if (self.count < 3 || in_line(&self)) return SCREE_OK;
    find_normal(&self);
    if (dot(self.normal, self.normal) > 0) {
        TRY(check_bend(&self, count));
        project(&self);
    }
    if (!clip(&self) || ears_overlap(&self))
        return fail(SCREE_ERROR_FORMAT, "a face of %d corners: its sides cross or overlap; must be simple",
                    count);
    for (int i = 0; i < self.ear_count; i++)
        out[i] = (scree_triangle){{self.ears[i].a->vertex, self.ears[i].b->vertex, self.ears[i].c->vertex}};
    *out_count = self.ear_count;
    return SCREE_OK;
}
