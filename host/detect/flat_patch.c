/* A box on a floor of small triangles touches each of them at corners of either and where edges cross. Points
 * between the outermost ones carry no load that those could not, but they make the problem larger and
 * singular: from the fourth on, each point in a plane adds three redundant rows. The points kept are corners
 * of the patch, mostly of the body itself, whose features are the same on all triangles of a plane. */
#include "child_contacts.h"

#include "box_points.h"

/* Tolerances of coplanar triangles: of a unit normal, and relative to the width. */
static const scalar SAME_NORMAL = 2e-3f, SAME_HEIGHT = 1e-3f;

enum { DIRECTIONS = 8 };
/* Oblique, so that no side of a patch along the axes is normal to one. */
static const scalar directions[DIRECTIONS][2] = {{0.8f, 0.6f},      {0.1414f, 0.99f}, {-0.6f, 0.8f},
                                                 {-0.99f, 0.1414f}, {-0.8f, -0.6f},   {-0.1414f, -0.99f},
                                                 {0.6f, -0.8f},     {0.99f, -0.1414f}};

/* The manifolds of one plane with one child of the touching body. */
typedef struct flat {
    vec3s origin, normal, u, v;
    scalar tolerance;
    const flat_touch *by;
    int child;
} flat;

static int child_of(const flat_touch *by, const manifold *of) {
    return of->children / by->divisor % by->count;
}

static vec3s on_surface(const flat *self, const manifold_point *point) {
    const scalar to = -self->by->side * point->gap / 2;
    return glms_vec3_add(glms_vec3_sub(point->position, self->origin), glms_vec3_scale(self->normal, to));
}

static flat flat_of(const manifold *one, const flat_touch *by) {
    flat self = {
        .normal = one->normal, .by = by, .child = child_of(by, one), .tolerance = SAME_HEIGHT * by->width};
    self.origin = on_surface(&self, &one->points[0]);
    self.u = tangent_of(self.normal), self.v = glms_vec3_cross(self.normal, self.u);
    return self;
}

static bool lies_in(const flat *self, const manifold *other) {
    const vec3s turn = glms_vec3_sub(other->normal, self->normal);
    bool in = other->count > 0 && child_of(self->by, other) == self->child &&
              glms_vec3_norm2(turn) <= SAME_NORMAL * SAME_NORMAL;
    for (int i = 0; i < other->count && in; i++)
        in = scalar_abs(glms_vec3_dot(on_surface(self, &other->points[i]), self->normal)) <= self->tolerance;
    return in;
}

static clip_point seen(const flat *self, const manifold_point *point, int label) {
    const vec3s at = on_surface(self, point);
    return (clip_point){
        .u = glms_vec3_dot(at, self->u), .v = glms_vec3_dot(at, self->v), .gap = point->gap, .label = label};
}

/* Returns the farthest point in each direction and the deepest one, without repetition. `label` is 4 ×
 * manifold + point. */
static clip_points outermost(const flat *self, const manifold_list *list, int first) {
    clip_point best[DIRECTIONS + 1];
    scalar far[DIRECTIONS + 1];
    clip_points out = {0};
    for (int k = 0; k <= DIRECTIONS; k++) far[k] = -INFINITY;
    for (int i = first; i < list->count; i++) {
        if (!lies_in(self, &list->items[i])) continue;
        for (int p = 0; p < list->items[i].count; p++) {
            const clip_point point = seen(self, &list->items[i].points[p], MANIFOLD_POINTS * i + p);
            for (int k = 0; k <= DIRECTIONS; k++) {
                const scalar at =
                    k < DIRECTIONS ? directions[k][0] * point.u + directions[k][1] * point.v : -point.gap;
                if (at > far[k]) far[k] = at, best[k] = point;
            }
        }
    }
    for (int k = 0; k <= DIRECTIONS; k++) {
        bool is_new = far[k] > -INFINITY;
        for (int i = 0; i < out.count; i++) is_new &= out.at[i].label != best[k].label;
        if (is_new) out.at[out.count++] = best[k];
    }
    return out;
}
_Static_assert(DIRECTIONS + 1 <= CLIP_POINTS, "all outermost points fit");

static void keep(manifold *of, int number, const clip_points *points, chosen_points chosen) {
    int kept = 0;
    for (int p = 0; p < of->count; p++) {
        bool is_chosen = false;
        for (int i = 0; i < chosen.count; i++)
            is_chosen |= points->at[chosen.at[i]].label == MANIFOLD_POINTS * number + p;
        if (is_chosen) of->points[kept++] = of->points[p];
    }
    of->count = kept;
}

static int points_in(const flat *self, const manifold_list *list, int first) {
    int points = 0;
    for (int i = first; i < list->count; i++)
        if (lies_in(self, &list->items[i])) points += list->items[i].count;
    return points;
}

void flat_patch_thin(manifold_list *list, int first, const flat_touch *by) {
    int left = first;
    for (int i = first; i < list->count; i++) {
        if (list->items[i].count == 0) continue;
        const flat self = flat_of(&list->items[i], by);
        if (points_in(&self, list, first) <= MANIFOLD_POINTS) continue;
        const clip_points outer = outermost(&self, list, first);
        const chosen_points chosen = clip_chosen(&outer, self.tolerance);
        for (int k = first; k < list->count; k++)
            if (lies_in(&self, &list->items[k])) keep(&list->items[k], k, &outer, chosen);
    }
    for (int i = first; i < list->count; i++)
        if (list->items[i].count > 0) list->items[left++] = list->items[i];
    list->count = left;
}
