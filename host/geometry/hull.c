/* Uses Qhull (Barber, Dobkin and Huhdanpaa 1996, The Quickhull algorithm for convex hulls), which merges
 * facets that are coplanar to round-off. */
#include "hull.h"

#include "base/error.h"
#include "base/memory.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FLAT = 1e-5; /* relative to the extent */

static void subtract(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Returns the distance from the first point, from the line through it along `line`, or from the plane
 * through it normal to `normal`. */
static double away(const double from[3], int flatness, const double line[3], const double normal[3]) {
    double aside[3];
    if (flatness == 0) return sqrt(dot(from, from));
    if (flatness == 2) return fabs(dot(from, normal));
    cross(line, from, aside);
    return sqrt(dot(aside, aside));
}

static void unit(double v[3]) {
    const double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++) v[k] /= length;
}

int hull_flatness(double (*points)[3], int count, double line[3], double normal[3]) {
    double extent = 0;
    for (int flatness = 0; flatness < 3; flatness++) {
        double farthest = 0, best[3] = {0};
        for (int i = 1; i < count; i++) {
            double from[3];
            subtract(points[i], points[0], from);
            const double distance = away(from, flatness, line, normal);
            if (distance > farthest) {
                farthest = distance;
                memcpy(best, from, sizeof best);
            }
        }
        if (flatness == 0) extent = farthest;
        if (!(farthest > FLAT * extent)) return flatness;
        if (flatness == 0) {
            memcpy(line, best, sizeof best);
            unit(line);
        }
        if (flatness == 1) {
            cross(line, best, normal);
            unit(normal);
        }
    }
    return 3;
}

scree_result hull_check(double (*points)[3], int count) {
    static const char *const where[] = {"at one place", "on one line", "in one plane"};
    double line[3] = {0}, normal[3] = {0};
    const int flatness = hull_flatness(points, count, line, normal);
    if (flatness == 3) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "hull: its %d points lie %s; must span space", count, where[flatness]);
}

/* Newell's method. */
void hull_normal(double (*points)[3], const int *corners, int count, double out[3]) {
    double sum[3] = {0};
    for (int i = 0; i < count; i++) {
        double a[3], b[3], of[3];
        subtract(points[corners[i]], points[corners[0]], a);
        subtract(points[corners[(i + 1) % count]], points[corners[0]], b);
        cross(a, b, of);
        for (int k = 0; k < 3; k++) sum[k] += of[k];
    }
    unit(sum);
    memcpy(out, sum, sizeof sum);
}

/* Returns whether the corners are counter-clockwise as seen from the side that the normal points to. */
static bool turns_left(double (*points)[3], const int *corners, int count, const double normal[3]) {
    double of[3];
    hull_normal(points, corners, count, of);
    return dot(of, normal) > 0;
}

static void reverse(int *items, int count) {
    for (int i = 0, k = count - 1; i < k; i++, k--) {
        const int item = items[i];
        items[i] = items[k];
        items[k] = item;
    }
}

/* Takes the facets' corners; null arrays: only counts them. */
static void take_facets(qhT *qh, double (*points)[3], hull_sides *out, int *corners) {
    facetT *facet;
    vertexT *vertex, **vertexp;
    *corners = out->count = 0;
    FORALLfacets {
        setT *around = qh_facet3vertex(qh, facet);
        const int first = *corners;
        FOREACHvertex_(around) {
            if (out->corners) out->corners[*corners] = qh_pointid(qh, vertex->point);
            ++*corners;
        }
        qh_settempfree(qh, &around);
        if (out->first) out->first[out->count + 1] = *corners;
        if (out->corners && !turns_left(points, out->corners + first, *corners - first, facet->normal))
            reverse(out->corners + first, *corners - first);
        out->count++;
    }
}

static scree_result take(qhT *qh, double (*points)[3], hull_sides *out) {
    int corners;
    qh->NOerrexit = False;
    if (setjmp(qh->errexit)) {
        qh->NOerrexit = True;
        return fail(SCREE_ERROR_ARGUMENT, "cannot separate the sides of a hull");
    }
    take_facets(qh, points, out, &corners);
    out->first = memory_allocate((size_t)out->count + 1, sizeof *out->first);
    out->corners = memory_allocate((size_t)corners, sizeof *out->corners);
    if (out->first && out->corners) take_facets(qh, points, out, &corners);
    qh->NOerrexit = True;
    return out->first && out->corners ? SCREE_OK
                                      : fail(SCREE_ERROR_MEMORY, "out of memory for a hull's sides");
}

/* Qhull has thresholds in the unit of length, which change the order of the facets of hulls of a few
 * micrometres. Returns the points in the power of two that holds the largest coordinate; NULL: no memory. */
static double (*scaled(double (*points)[3], int count))[3] {
    double(*out)[3] = memory_allocate((size_t)count, sizeof *out), largest = 0;
    for (int i = 0; i < 3 * count; i++) largest = fmax(largest, fabs(points[i / 3][i % 3]));
    const int exponent = largest > 0 ? ilogb(largest) : 0;
    for (int i = 0; out && i < 3 * count; i++) out[i / 3][i % 3] = scalbn(points[i / 3][i % 3], -exponent);
    return out;
}

static scree_result find_sides(double (*points)[3], int count, hull_sides *out) {
    static char options[] = "qhull Pp";
    qhT qhull, *qh = &qhull;
    char *words = NULL;
    size_t length = 0;
    int left, pieces;
    FILE *said = open_memstream(&words, &length);
    if (!said) return fail(SCREE_ERROR_MEMORY, "out of memory for a hull");
    qh_zero(qh, said);
    const int code = qh_new_qhull(qh, 3, count, &points[0][0], False, options, NULL, said);
    scree_result result = code ? SCREE_ERROR_ARGUMENT : take(qh, points, out);
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &left, &pieces);
    fclose(said);
    if (code && words)
        fail(SCREE_ERROR_ARGUMENT, "no hull of %d points: %.*s", count, (int)strcspn(words, "\n"), words);
    free(words);
    return result;
}

scree_result hull_find(double (*points)[3], int count, hull_sides *out) {
    double(*own)[3] = scaled(points, count);
    if (!own) return fail(SCREE_ERROR_MEMORY, "out of memory for a hull");
    const scree_result result = find_sides(own, count, out);
    memory_release(own);
    return result;
}

void hull_release(hull_sides *self) {
    memory_release(self->first);
    memory_release(self->corners);
    *self = (hull_sides){0};
}
