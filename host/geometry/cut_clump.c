/* Volume of a clump inside a box: columns along z, in which the union of the spheres' chords is exact, over a
 * uniform grid of the two other axes. */
#include "children.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 48, CHORDS = 64 }; /* per side; distinct chords per column */

typedef struct chord {
    double from, to;
} chord;

/* A sphere; its centre is relative to the clump's. */
typedef struct cut_ball {
    double x, y, z, r;
} cut_ball;

/* Inserts a chord into sorted disjoint ones and merges those that it meets; returns their number. Drops it if
 * there are already CHORDS. */
static int join(chord *all, int count, chord with) {
    int first = 0, end;
    while (first < count && all[first].to < with.from) first++;
    for (end = first; end < count && all[end].from <= with.to; end++)
        with = (chord){fmin(with.from, all[end].from), fmax(with.to, all[end].to)};
    if (end == first && count == CHORDS) return count;
    memmove(&all[first + 1], &all[end], (size_t)(count - end) * sizeof *all);
    all[first] = with;
    return count + first + 1 - end;
}

static double column(const cut_ball *balls, int near, double x, double y, double low, double high) {
    chord all[CHORDS + 1];
    int count = 0;
    double sum = 0;
    for (int i = 0; i < near; i++) {
        const cut_ball *of = &balls[i];
        const double dx = x - of->x, dy = y - of->y, square = of->r * of->r - dx * dx - dy * dy;
        if (!(square > 0)) continue;
        const chord with = {fmax(low, of->z - sqrt(square)), fmin(high, of->z + sqrt(square))};
        if (with.to > with.from) count = join(all, count, with);
    }
    for (int i = 0; i < count; i++) sum += all[i].to - all[i].from;
    return sum;
}

static double square_of(double x, double y, double z) { return x * x + y * y + z * z; }

/* Return the distance from a point to the nearest or the farthest point of an interval. */
static double nearest_in(double low, double width, double at) {
    return fmax(fmax(low - at, at - low - width), 0);
}
static double farthest_in(double low, double width, double at) {
    return fmax(fabs(low - at), fabs(low + width - at));
}

/* Lists the spheres that reach into a box; returns their number, or −1 if one of them contains the box. */
static int balls_near(scree_shape shape, versors rotation, const double low[3], const double width[3],
                      cut_ball *out) {
    const body_pose pose = {.position = vec3_of(0, 0, 0), .rotation = rotation};
    int count = 0;
    for (int i = 0; i < children_count(shape); i++) {
        const placed_child child = children_place(shape, pose, i);
        const vec3s at = child.pose.position;
        const cut_ball ball = {(double)at.x, (double)at.y, (double)at.z, (double)child.shape.size.x};
        const double square = ball.r * ball.r;
        if (square_of(farthest_in(low[0], width[0], ball.x), farthest_in(low[1], width[1], ball.y),
                      farthest_in(low[2], width[2], ball.z)) <= square)
            return -1;
        if (square_of(nearest_in(low[0], width[0], ball.x), nearest_in(low[1], width[1], ball.y),
                      nearest_in(low[2], width[2], ball.z)) < square)
            out[count++] = ball;
    }
    return count;
}

double cut_clump(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const vec3s most = bounds_of(shape, (body_pose){.rotation = rotation}).upper;
    const double half[3] = {(double)most.x, (double)most.y, (double)most.z};
    cut_ball balls[SCREE_CLUMP_SPHERES];
    double low[3], width[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = fmax(box->lower[k] - centre[k], -half[k]);
        width[k] = fmin(box->upper[k] - centre[k], half[k]) - low[k];
        if (!(width[k] > 0)) return 0;
    }
    const int near = balls_near(shape, rotation, low, width, balls);
    if (near < 0) return width[0] * width[1] * width[2];
    for (int i = 0; i < COLUMNS * COLUMNS && near > 0; i++)
        sum += column(balls, near, low[0] + (i % COLUMNS + 0.5) * width[0] / COLUMNS,
                      low[1] + (i / COLUMNS + 0.5) * width[1] / COLUMNS, low[2], low[2] + width[2]);
    return sum * width[0] * width[1] / (COLUMNS * COLUMNS);
}
