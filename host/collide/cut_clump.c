/* The volume of a clump in a box: columns along z, in which the union of the spheres' chords is exact, over
 * an even grid of the two other axes. */
#include "parts.h"

#include "base/vector.h"

#include <math.h>

enum { COLUMNS = 48, CHORDS = 64 }; /* of a side; of a column that are told apart */

typedef struct chord {
    double from, to;
} chord;

/* Puts a chord among those that are sorted and apart, joined with what it meets. */
static int join(chord *all, int count, chord with) {
    int first = 0, end;
    while (first < count && all[first].to < with.from) first++;
    for (end = first; end < count && all[end].from <= with.to; end++)
        with = (chord){fmin(with.from, all[end].from), fmax(with.to, all[end].to)};
    if (end == first && count == CHORDS) return count;
    const int shift = first + 1 - end;
    if (shift > 0)
        for (int i = count - 1; i >= end; i--) all[i + shift] = all[i];
    else
        for (int i = end; i < count; i++) all[i + shift] = all[i];
    all[first] = with;
    return count + shift;
}

static double column(scree_shape shape, body_pose pose, double x, double y, double low, double high) {
    chord all[CHORDS + 1];
    int count = 0;
    double sum = 0;
    for (int i = 0; i < parts_count(shape); i++) {
        const placed_part part = parts_place(shape, pose, i);
        const double dx = x - (double)part.pose.position.x, dy = y - (double)part.pose.position.y,
                     z = (double)part.pose.position.z, r = (double)part.shape.size.x,
                     square = r * r - dx * dx - dy * dy;
        if (!(square > 0)) continue;
        const chord with = {fmax(low, z - sqrt(square)), fmin(high, z + sqrt(square))};
        if (with.to > with.from) count = join(all, count, with);
    }
    for (int i = 0; i < count; i++) sum += all[i].to - all[i].from;
    return sum;
}

double cut_clump(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    const vec3s most = bounds_of(shape, (body_pose){.rotation = rotation}).upper;
    const double half[3] = {(double)most.x, (double)most.y, (double)most.z};
    const body_pose pose = {.position = vec3_of(0, 0, 0), .rotation = rotation};
    double low[3], width[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = fmax(box->lower[k] - centre[k], -half[k]);
        width[k] = fmin(box->upper[k] - centre[k], half[k]) - low[k];
        if (!(width[k] > 0)) return 0;
    }
    for (int i = 0; i < COLUMNS * COLUMNS; i++)
        sum += column(shape, pose, low[0] + (i % COLUMNS + 0.5) * width[0] / COLUMNS,
                      low[1] + (i / COLUMNS + 0.5) * width[1] / COLUMNS, low[2], low[2] + width[2]);
    return sum * width[0] * width[1] / (COLUMNS * COLUMNS);
}
