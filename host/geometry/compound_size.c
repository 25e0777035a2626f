#include "compound_size.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/quat_matrix.h"
#include "base/vector.h"
#include "rotation.h"
#include "support.h"
#include "geometry.h"
#include "sieve_size.h"

#include <math.h>
#include <string.h>

/* Balls whose convex hull is that of all children. */
typedef struct ball_list {
    solid_ball *items;
    int count, capacity;
} ball_list;

void compound_child_axes(scree_quat q, double out[3][3]) {
    double columns[3][3];
    quat_axes((double)q.x, (double)q.y, (double)q.z, (double)q.w, columns);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out[i][k] = columns[k][i];
}

/* Adds a point of the child, in its own axes, with a radius around it. */
static scree_result add(ball_list *to, const scree_compound_child *part, scree_vec3 about, const double p[3],
                        double radius) {
    const double at[3] = {(double)part->position.x - (double)about.x,
                          (double)part->position.y - (double)about.y,
                          (double)part->position.z - (double)about.z};
    double axes[3][3], out[3];
    compound_child_axes(part->rotation, axes);
    for (int k = 0; k < 3; k++) out[k] = at[k] + axes[k][0] * p[0] + axes[k][1] * p[1] + axes[k][2] * p[2];
    TRY(MEMORY_RESERVE(to->items, to->capacity, to->count + 1, NULL));
    to->items[to->count++] = (solid_ball){out[0], out[1], out[2], radius};
    return SCREE_OK;
}

static scree_result add_corners(ball_list *to, const scree_compound_child *part, scree_vec3 about) {
    const scree_geometry *of = part->shape.geometry;
    const double scale = (double)part->shape.size.x;
    for (int i = 0; i < of->corner_count; i++) {
        const hull_corner *corner = &of->corners[i];
        const double p[3] = {scale * (double)corner->x, scale * (double)corner->y, scale * (double)corner->z};
        TRY(add(to, part, about, p, 0));
    }
    return SCREE_OK;
}

/* The sides of a regular polygon with n corners touch a circle if the corners are 1/cos(π/n) farther out. For
 * an ellipsoid this applies twice. */
static double swelling(scree_shape_kind kind, int sides) {
    const double once = 1 / cos(M_PI / sides);
    if (kind == SCREE_SHAPE_ELLIPSOID) return once * once;
    return kind == SCREE_SHAPE_CYLINDER || kind == SCREE_SHAPE_CONE ? once : 1;
}

/* Adds the farthest points in each direction: sides/2 circles of latitude with `sides` directions each. */
static scree_result add_farthest(ball_list *to, const scree_compound_child *part, scree_vec3 about,
                                 int sides) {
    const scree_shape shape = part->shape;
    const convex of = convex_of((int)shape.kind, vec3_in(shape.size), (hull_table){0}, 0, vec3_of(0, 0, 0),
                                versor_of(0, 0, 0, 1));
    const double across = swelling(shape.kind, sides),
                 along = shape.kind == SCREE_SHAPE_ELLIPSOID ? across : 1;
    const int first = to->count;
    for (int i = 0; i < sides / 2; i++)
        for (int k = 0; k < sides; k++) {
            const double up = M_PI * ((i + 0.5) / (sides / 2) - 0.5), around = 2 * M_PI * (k + 0.5) / sides;
            const vec3s at = convex_farthest(of, vec3_of((scalar)(cos(up) * cos(around)),
                                                         (scalar)(cos(up) * sin(around)), (scalar)sin(up)));
            const double p[3] = {across * (double)at.x, across * (double)at.y, along * (double)at.z};
            TRY(add(to, part, about, p, (double)of.radius));
            bool is_new = true;
            const solid_ball *last = &to->items[to->count - 1];
            for (int other = first; other < to->count - 1 && is_new; other++)
                is_new = memcmp(&to->items[other], last, sizeof *last) != 0;
            to->count -= !is_new;
        }
    return SCREE_OK;
}

scree_result compound_sieve_size(const scree_compound_child *parts, int count, double *out) {
    const int sides = count <= 8 ? 32 : count <= 64 ? 16 : 8;
    ball_list all = {0};
    scree_result result = SCREE_OK;
    for (int i = 0; i < count && result == SCREE_OK; i++)
        result = parts[i].shape.kind == SCREE_SHAPE_HULL
                     ? add_corners(&all, &parts[i], parts[0].position)
                     : add_farthest(&all, &parts[i], parts[0].position, sides);
    if (result == SCREE_OK) result = sieve_size_of_balls(all.items, all.count, out);
    memory_release(all.items);
    return result;
}
