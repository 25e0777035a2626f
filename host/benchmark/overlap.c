#include "overlap.h"

#include "base/memory.h"
#include "base/quat_matrix.h"

#include <math.h>
#include <string.h>

/* A body, or a sphere of a clump. */
typedef struct solid {
    int body;
    scree_shape_kind kind;
    bool dynamic;
    double position[3], axis[3][3]; /* axis[i]: the body's i-th axis in world coordinates */
    double half[3], reach;          /* m; reach: radius of the bounding sphere */
} solid;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static solid solid_of(const scree_body_def *def, int body) {
    const scree_vec3 p = def->state.position, size = def->shape.size;
    const scree_quat f = def->state.rotation;
    solid s = {.body = body,
               .kind = def->shape.kind,
               .dynamic = def->type == SCREE_BODY_DYNAMIC,
               .position = {(double)p.x, (double)p.y, (double)p.z},
               .half = {(double)size.x, (double)size.y, (double)size.z}};
    quat_axes((double)f.x, (double)f.y, (double)f.z, (double)f.w, s.axis);
    s.reach = s.kind == SCREE_SHAPE_SPHERE      ? s.half[0]
              : s.kind == SCREE_SHAPE_BOX       ? sqrt(dot(s.half, s.half))
              : s.kind > SCREE_SHAPE_HALF_SPACE ? 0
                                                : INFINITY;
    return s;
}

/* Writes one solid, or one per sphere of a clump, and returns their number; `solids` may be NULL. */
static int solids_of(const scree_body_def *def, int body, solid *solids) {
    const solid whole = solid_of(def, body);
    const int spheres =
        def->shape.kind == SCREE_SHAPE_CLUMP ? scree_clump_sphere_count(def->shape.geometry) : 0;
    for (int i = 0; i < spheres && solids; i++) {
        const scree_clump_sphere of = scree_clump_get_sphere(def->shape.geometry, i);
        const double scale = (double)def->shape.size.x,
                     at[3] = {(double)of.position.x, (double)of.position.y, (double)of.position.z};
        solid *s = &solids[i];
        *s = whole;
        s->kind = SCREE_SHAPE_SPHERE;
        s->half[0] = s->reach = scale * (double)of.radius;
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++) s->position[k] += scale * at[axis] * whole.axis[axis][k];
    }
    if (!spheres && solids) solids[0] = whole;
    return spheres ? spheres : 1;
}

/* Returns half the width of a box along a direction. */
static double box_width(const solid *box, const double direction[3]) {
    double width = 0;
    for (int i = 0; i < 3; i++) width += box->half[i] * fabs(dot(box->axis[i], direction));
    return width;
}

static double half_space_overlap(const solid *body, const solid *ground) {
    double offset[3];
    for (int i = 0; i < 3; i++) offset[i] = body->position[i] - ground->position[i];
    const double width = body->kind == SCREE_SHAPE_SPHERE ? body->half[0] : box_width(body, ground->axis[2]);
    return width - dot(offset, ground->axis[2]);
}

static double sphere_overlap(const solid *a, const solid *b) {
    double offset[3];
    for (int i = 0; i < 3; i++) offset[i] = b->position[i] - a->position[i];
    return a->half[0] + b->half[0] - sqrt(dot(offset, offset));
}

/* Returns the radius minus the distance of the centre. For a centre inside the box the distance is minus the
 * depth to the nearest face. */
static double sphere_box_overlap(const solid *sphere, const solid *box) {
    double offset[3], outside = 0, inside = INFINITY;
    for (int i = 0; i < 3; i++) offset[i] = sphere->position[i] - box->position[i];
    for (int i = 0; i < 3; i++) {
        const double beyond = fabs(dot(offset, box->axis[i])) - box->half[i];
        if (beyond > 0) outside += beyond * beyond;
        if (-beyond < inside) inside = -beyond;
    }
    return sphere->half[0] - (outside > 0 ? sqrt(outside) : -inside);
}

/* Returns the smallest overlap over the 15 separating axes. */
static double box_overlap(const solid *a, const solid *b) {
    double offset[3], least = INFINITY;
    for (int i = 0; i < 3; i++) offset[i] = b->position[i] - a->position[i];
    for (int k = 0; k < 15; k++) {
        double direction[3];
        if (k < 6) {
            memcpy(direction, k < 3 ? a->axis[k] : b->axis[k - 3], sizeof direction);
        } else {
            const double *u = a->axis[(k - 6) / 3], *v = b->axis[(k - 6) % 3];
            for (int i = 0; i < 3; i++)
                direction[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
            const double length = sqrt(dot(direction, direction));
            if (length < 1e-6) continue; /* for parallel edges the face axes suffice */
            for (int i = 0; i < 3; i++) direction[i] /= length;
        }
        const double depth = box_width(a, direction) + box_width(b, direction) - fabs(dot(offset, direction));
        if (depth < least) least = depth;
        if (least <= 0) break;
    }
    return least;
}

static double pair_overlap(const solid *a, const solid *b) {
    if (a->kind > SCREE_SHAPE_HALF_SPACE || b->kind > SCREE_SHAPE_HALF_SPACE) return 0;
    if (a->kind > b->kind) {
        const solid *swap = a;
        a = b;
        b = swap;
    }
    if (b->kind == SCREE_SHAPE_HALF_SPACE)
        return a->kind == SCREE_SHAPE_HALF_SPACE ? 0 : half_space_overlap(a, b);
    if (b->kind == SCREE_SHAPE_SPHERE) return sphere_overlap(a, b);
    return a->kind == SCREE_SHAPE_SPHERE ? sphere_box_overlap(a, b) : box_overlap(a, b);
}

static void add_pair(overlap *sum, const solid *a, const solid *b) {
    const double depth = a->body == b->body ? 0 : pair_overlap(a, b);
    if (!(depth > 0)) return;
    ++sum->pairs;
    sum->mean += depth;
    sum->rms += depth * depth;
    if (depth > sum->largest) sum->largest = depth;
}

/* A grid of cells as wide as the largest dynamic body (wider if bodies are few), each with a linked list:
 * partners are in neighbouring cells. */
typedef struct grid {
    double lower[3], width;
    int size[3];
    int *first, *next;
} grid;

static int grid_cell(const grid *g, const double position[3], int cell[3]) {
    for (int i = 0; i < 3; i++) cell[i] = (int)((position[i] - g->lower[i]) / g->width);
    return (cell[2] * g->size[1] + cell[1]) * g->size[0] + cell[0];
}

static bool grid_build(grid *g, const solid *solids, int count) {
    double upper[3] = {-INFINITY, -INFINITY, -INFINITY}, reach = 1e-9;
    for (int i = 0; i < 3; i++) g->lower[i] = INFINITY;
    for (int s = 0; s < count; s++) {
        if (!solids[s].dynamic) continue;
        reach = fmax(reach, solids[s].reach);
        for (int i = 0; i < 3; i++) {
            g->lower[i] = fmin(g->lower[i], solids[s].position[i]);
            upper[i] = fmax(upper[i], solids[s].position[i]);
        }
    }
    double cells;
    for (g->width = 2 * reach;; g->width *= 2) {
        cells = 1;
        for (int i = 0; i < 3; i++) cells *= floor((upper[i] - g->lower[i]) / g->width) + 1;
        if (!(cells > 8.0 * count + 64)) break;
    }
    for (int i = 0; i < 3; i++)
        g->size[i] = upper[i] >= g->lower[i] ? (int)((upper[i] - g->lower[i]) / g->width) + 1 : 1;
    const size_t total = (size_t)g->size[0] * (size_t)g->size[1] * (size_t)g->size[2];
    g->first = memory_allocate(total, sizeof *g->first);
    g->next = memory_allocate((size_t)count, sizeof *g->next);
    if (!g->first || !g->next) return false;
    for (size_t c = 0; c < total; c++) g->first[c] = -1;
    for (int s = 0; s < count; s++) {
        int cell[3];
        if (!solids[s].dynamic) continue;
        const int c = grid_cell(g, solids[s].position, cell);
        g->next[s] = g->first[c];
        g->first[c] = s;
    }
    return true;
}

static void add_neighbours(overlap *sum, const grid *g, const solid *solids, int s) {
    int cell[3];
    grid_cell(g, solids[s].position, cell);
    for (int k = 0; k < 27; k++) {
        const int x = cell[0] + k % 3 - 1, y = cell[1] + k / 3 % 3 - 1, z = cell[2] + k / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= g->size[0] || y >= g->size[1] || z >= g->size[2]) continue;
        for (int other = g->first[(z * g->size[1] + y) * g->size[0] + x]; other >= 0; other = g->next[other])
            if (other < s) add_pair(sum, &solids[s], &solids[other]);
    }
}

/* Lists the solids of all bodies and returns their number; −1: the world or memory fails. `solids` may be
 * NULL. */
static int list_solids(const scree_world *world, solid *solids) {
    const int bodies = scree_body_count(world);
    int count = 0;
    SCOPED scree_body_id *ids = memory_allocate((size_t)bodies, sizeof *ids);
    if (!ids) return -1;
    scree_body_list(world, ids, bodies);
    for (int i = 0; i < bodies; i++) {
        scree_body_def def;
        if (scree_body_get_def(world, ids[i], &def) != SCREE_OK) return -1;
        count += solids_of(&def, i, solids ? solids + count : NULL);
    }
    return count;
}

bool overlap_measure(const scree_world *world, overlap *out) {
    const int count = list_solids(world, NULL);
    SCOPED solid *solids = count < 0 ? NULL : memory_allocate((size_t)count, sizeof *solids);
    if (!solids || list_solids(world, solids) < 0) return false;
    grid g = {0};
    overlap sum = {0};
    const bool good = grid_build(&g, solids, count);
    for (int s = 0; good && s < count; s++) {
        if (solids[s].dynamic) add_neighbours(&sum, &g, solids, s);
        for (int other = 0; !solids[s].dynamic && other < count; other++)
            if (solids[other].dynamic) add_pair(&sum, &solids[s], &solids[other]);
    }
    memory_release(g.first);
    memory_release(g.next);
    if (sum.pairs) {
        sum.mean /= sum.pairs;
        sum.rms = sqrt(sum.rms / sum.pairs);
    }
    *out = sum;
    return good;
}
