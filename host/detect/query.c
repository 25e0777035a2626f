#include "query.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/real3.h"
#include "base/vector.h"
#include "child_contacts.h"
#include "ray.h"
#include "rotation.h"
#include "geometry/shape.h"
#include "geometry/geometry.h"

#include <stdlib.h>
#include <string.h>

/* Enlargement of boxes, relative to coordinates and size, so that rounding of a box never loses a hit of the
 * exact test. */
static const scalar slack = 4e-6f;

static scalar largest(vec3s v) {
    return scalar_max(scalar_abs(v.x), scalar_max(scalar_abs(v.y), scalar_abs(v.z)));
}

static bounds box_around(scree_shape shape, body_pose pose) {
    bounds box = bounds_of(shape, pose);
    const scalar margin = slack * (largest(box.lower) + largest(box.upper));
    const vec3s around = vec3_of(margin, margin, margin);
    box.lower = glms_vec3_sub(box.lower, around);
    box.upper = glms_vec3_add(box.upper, around);
    return box;
}

typedef struct box_loop {
    const body_array *bodies;
    query *self;
    int *left;
} box_loop;

static void box_slice(const void *context, slice part) {
    const box_loop loop = *(const box_loop *)context;
    int left = 0;
    for (int slot = part.first; slot < part.end; slot++) {
        const bool alive = loop.bodies->types[slot] != SLOT_FREE,
                   bounded = !shape_is_plane(loop.bodies->shapes[slot]);
        loop.self->boxes[slot] = BOUNDS_NOWHERE, loop.self->images[slot] = 0;
        left += alive && !bounded;
        if (!alive || !bounded) continue;
        const bounds box = bounds_of(loop.bodies->shapes[slot], loop.bodies->poses[slot]);
        /* A mesh may lie many periods from its origin, which is in the cell. */
        loop.self->images[slot] = period_wrap(
            &loop.bodies->period, glms_vec3_scale(glms_vec3_add(box.lower, box.upper), (scalar)0.5f));
        loop.self->boxes[slot] = box_around(loop.bodies->shapes[slot],
                                            body_image_pose(loop.bodies, slot, loop.self->images[slot]));
    }
    parallel_add(loop.left, left);
}

scree_result query_update(query *self, const body_array *bodies, int threads) {
    if (self->built && self->changes == bodies->changes) return SCREE_OK;
    self->built = false;
    self->endless_count = 0;
    TRY(MEMORY_RESERVE(self->boxes, self->box_capacity, bodies->count, NULL));
    TRY(MEMORY_RESERVE(self->images, self->image_capacity, bodies->count, NULL));
    int left = 0;
    parallel_for(threads, bodies->count, box_slice,
                 &(const box_loop){.bodies = bodies, .self = self, .left = &left});
    TRY(MEMORY_RESERVE(self->endless, self->endless_capacity, left, NULL));
    for (int slot = 0; left > 0; slot++)
        if (bodies->types[slot] != SLOT_FREE && shape_is_plane(bodies->shapes[slot]))
            self->endless[self->endless_count++] = slot, left--;
    TRY(MEMORY_RESERVE(self->keys, self->key_capacity, 2 * (size_t)bodies->count, NULL));
    TRY(tree_build(&self->tree, self->boxes, bodies->count, self->keys, threads, NULL));
    self->changes = bodies->changes;
    self->built = true;
    return SCREE_OK;
}

/* Returns whether a ray begins inside a child. */
static bool begins_in_child(scree_shape shape, body_pose pose, query_ray ray) {
    const body_pose at = {.position = ray.origin, .rotation = versor_of(0, 0, 0, 1)};
    return shape_has_whole_children(shape) && children_meet(shape, pose, scree_shape_sphere(0), at, 0);
}

/* A body while a ray is tested against its children. */
typedef struct ray_meeting {
    scree_shape shape;
    body_pose pose;
    query_ray ray;
    query_hit *out;
    bool leaves; /* the ray leaves a solid through its surface */
} ray_meeting;

static void meet_child(void *context, int i) {
    ray_meeting *self = context;
    const query_ray ray = self->ray;
    const placed_child child = children_seen(self->shape, self->pose, i);
    const ray_body body = children_ray(&child);
    const scalar distance = ray_body_distance(ray.origin, ray.direction, body);
    if (!(distance < self->out->distance)) return;
    self->out->distance = distance;
    self->leaves = shape_movable(self->shape) && !shape_movable(child.shape) &&
                   glms_vec3_dot(rotate(child.pose.rotation, vec3_of(0, 0, 1)), ray.direction) > 0;
    if (distance <= ray.limit) self->out->normal = ray_body_normal(ray.origin, ray.direction, distance, body);
}

/* Finds where a ray enters a body; returns whether it does so within its limit. */
static bool meet(const query *of, const body_array *bodies, int slot, query_ray ray, query_hit *out) {
    const scree_shape shape = bodies->shapes[slot];
    const body_pose pose = body_image_pose(bodies, slot, of->images[slot]);
    *out = (query_hit){.slot = slot, .distance = RAY_FAR};
    if (!query_accepts(ray.filter, slot)) return false;
    if (ray.solid) return query_solid_meets(bodies, slot, pose, ray, out);
    if (shape_is_plane(shape)) {
        out->normal = rotate(pose.rotation, vec3_of(0, 0, 1));
        out->distance = ray_half_space(ray.origin, ray.direction, pose.position, out->normal);
        return out->distance <= ray.limit;
    }
    ray_meeting self = {shape, pose, ray, out, false};
    children_seen_along(shape, pose, ray.origin, ray.direction, meet_child, &self);
    return out->distance <= ray.limit && out->distance < RAY_FAR && !self.leaves &&
           !begins_in_child(shape, pose, ray);
}

static bool before(query_hit a, query_hit b) {
    return a.distance < b.distance || (a.distance == b.distance && a.slot < b.slot);
}

/* Descent to the leaves of the tree that a ray meets. */
typedef struct ray_descent {
    const tree *within;
    vec3s origin, inverse; /* inverse of the direction */
    vec3s half;            /* by which boxes are larger, since the solid on the ray is not a point */
    int depth, stack[TREE_STACK];
} ray_descent;

static ray_descent descent_begin(const query *self, query_ray ray) {
    const vec3s d = ray.direction, none = vec3_of(0, 0, 0);
    return (ray_descent){.within = &self->tree,
                         .origin = glms_vec3_add(ray.origin, ray.solid ? ray.solid->middle : none),
                         .half = ray.solid ? ray.solid->half : none,
                         .inverse = vec3_of(ray_inverse(d.x), ray_inverse(d.y), ray_inverse(d.z)),
                         .depth = self->tree.node_count > 0};
}

static scalar box_entry(const ray_descent *self, vec3s lower, vec3s upper, scalar limit) {
    return ray_bounds(self->origin, self->inverse, glms_vec3_sub(lower, self->half),
                      glms_vec3_add(upper, self->half), limit);
}

static scalar descent_distance(const ray_descent *self, const tree_node *node, scalar limit) {
    return box_entry(self, node->lower, node->upper, limit);
}

/* Returns whether the ray meets the box of an item. */
static bool meets_box(const ray_descent *self, const bounds *box, scalar limit) {
    return box_entry(self, box->lower, box->upper, limit) < RAY_FAR;
}

/* Returns the next leaf that begins within `limit`; null at the end. The child node that the ray enters
 * sooner is visited first. */
static const tree_node *descent_next(ray_descent *self, scalar limit) {
    while (self->depth > 0) {
        const tree_node *node = &self->within->nodes[self->stack[--self->depth]];
        if (descent_distance(self, node, limit) >= RAY_FAR) continue;
        if (node->child <= 0) return node;
        const tree_node *left = &self->within->nodes[node->child], *right = left + 1;
        const bool swap = descent_distance(self, right, limit) < descent_distance(self, left, limit);
        self->stack[self->depth++] = node->child + !swap;
        self->stack[self->depth++] = node->child + swap;
    }
    return NULL;
}

/* Returns the first of `best` and the hits at distance `from` or beyond of bodies with boxes. Nodes that
 * begin beyond the best hit are skipped; those at the same distance are not, since they may have a lower
 * slot. */
static query_hit first_boxed(const query *self, const body_array *bodies, query_ray ray, scalar from,
                             query_hit best) {
    ray_descent descent = descent_begin(self, ray);
    const tree_node *leaf;
    query_hit hit;
    while ((leaf = descent_next(&descent, best.slot < 0 ? ray.limit : scalar_min(ray.limit, best.distance))))
        for (int i = leaf->end + leaf->child; i < leaf->end; i++)
            if (meets_box(&descent, &self->tree.boxes[i], ray.limit) &&
                meet(self, bodies, self->tree.members[i], ray, &hit) && hit.distance >= from &&
                (best.slot < 0 || before(hit, best)))
                best = hit;
    return best;
}

/* A ray on its way through the cells of a periodic world: its current cell, as an image, and its interval
 * there. */
typedef struct ray_walk {
    query_ray ray; /* begins in the cell itself */
    int cells[3];
    scalar from, to;
    bool last;
} ray_walk;

/* Finds where the ray leaves its cell, and the cell after it; `next` is the same cell if the ray ends
 * there. */
static void walk_measure(ray_walk *self, const period *cell, int next[3]) {
    int leaving = -1;
    self->to = self->ray.limit;
    for (int axis = 0; axis < 3; axis++) {
        const scalar length = vec3_along(cell->length, axis), d = vec3_along(self->ray.direction, axis),
                     border = vec3_along(cell->lower, axis) +
                              length * (scalar)(self->cells[axis] + (d > 0 ? 1 : 0)),
                     at = (border - vec3_along(self->ray.origin, axis)) * ray_inverse(d);
        if (length > 0 && scalar_abs(d) > 1e-18f && at < self->to)
            self->to = scalar_max(at, self->from), leaving = axis;
        next[axis] = self->cells[axis];
    }
    self->last = leaving < 0;
    if (leaving >= 0) next[leaving] += vec3_along(self->ray.direction, leaving) > 0 ? 1 : -1;
    for (int axis = 0; axis < 3; axis++) self->last |= abs(next[axis]) > PERIOD_CELLS_MOST;
}

static ray_walk walk_begin(const period *cell, query_ray ray) {
    ray_walk self = {.ray = ray};
    if (!cell->any) {
        self.to = ray.limit, self.last = true;
        return self;
    }
    self.ray.origin = period_moved(cell, ray.origin, period_wrap(cell, ray.origin));
    int next[3];
    walk_measure(&self, cell, next);
    return self;
}

static void walk_on(ray_walk *self, const period *cell) {
    int next[3];
    walk_measure(self, cell, next);
    memcpy(self->cells, next, sizeof next);
    self->from = self->to;
    walk_measure(self, cell, next);
}

/* Returns the ray as it passes the bodies of the cell, where it passes their images in a cell around its
 * current one. */
static query_ray walk_ray(const ray_walk *self, const period *cell, int around) {
    const int image = period_image(self->cells) + around;
    query_ray ray = self->ray;
    ray.limit = self->to;
    if (image) ray.origin = glms_vec3_sub(ray.origin, period_shift(cell, image));
    return ray;
}

query_hit query_first(const query *self, const body_array *bodies, query_ray ray) {
    const period *cell = &bodies->period;
    query_hit best = {.slot = -1, .distance = RAY_FAR}, hit;
    int images[PERIOD_IMAGES];
    const int count = period_around(cell, images);
    for (int i = 0; i < self->endless_count; i++)
        if (meet(self, bodies, self->endless[i], ray, &hit) && (best.slot < 0 || before(hit, best)))
            best = hit;
    for (ray_walk walk = walk_begin(cell, ray);; walk_on(&walk, cell)) {
        for (int i = 0; i < count; i++)
            best = first_boxed(self, bodies, walk_ray(&walk, cell, images[i]), walk.from, best);
        if (walk.last || (best.slot >= 0 && best.distance <= walk.to)) return best;
    }
}

static scree_result add_hit(query *self, query_hit hit) {
    TRY(MEMORY_RESERVE(self->hits, self->hit_capacity, self->hit_count + 1, NULL));
    self->hits[self->hit_count++] = hit;
    return SCREE_OK;
}

static int compare_hits(const void *a, const void *b) {
    const query_hit *first = a, *second = b;
    return before(*first, *second) ? -1 : before(*second, *first) ? 1 : 0;
}

/* Adds all hits of bodies with boxes at `from` or beyond, before the ray's limit or, if `closed`, at it. */
static scree_result add_boxed(query *self, const body_array *bodies, query_ray ray, scalar from,
                              bool closed) {
    ray_descent descent = descent_begin(self, ray);
    query_hit hit;
    for (const tree_node *leaf; (leaf = descent_next(&descent, ray.limit));)
        for (int i = leaf->end + leaf->child; i < leaf->end; i++)
            if (meet(self, bodies, self->tree.members[i], ray, &hit) && hit.distance >= from &&
                (closed || hit.distance < ray.limit))
                TRY(add_hit(self, hit));
    return SCREE_OK;
}

scree_result query_all(query *self, const body_array *bodies, query_ray ray) {
    const period *cell = &bodies->period;
    query_hit hit;
    int images[PERIOD_IMAGES];
    const int count = period_around(cell, images);
    self->hit_count = 0;
    for (int i = 0; i < self->endless_count; i++)
        if (meet(self, bodies, self->endless[i], ray, &hit)) TRY(add_hit(self, hit));
    for (ray_walk walk = walk_begin(cell, ray);; walk_on(&walk, cell)) {
        for (int i = 0; i < count; i++)
            TRY(add_boxed(self, bodies, walk_ray(&walk, cell, images[i]), walk.from, walk.last));
        if (walk.last) break;
    }
    if (self->hit_count > 0) qsort(self->hits, (size_t)self->hit_count, sizeof *self->hits, compare_hits);
    return SCREE_OK;
}

/* Returns the solid angle of a triangle as seen from the origin, above 0 from behind: tan(Ω/2) = a·(b ×
 * c)/(|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|) (Van Oosterom & Strackee 1983). */
static double solid_angle(real3 a, real3 b, real3 c) {
    const double l = real3_length(a), m = real3_length(b), n = real3_length(c);
    return 2 * atan2(real3_inner(a, real3_cross(b, c)),
                     l * m * n + real3_inner(a, b) * n + real3_inner(b, c) * l + real3_inner(c, a) * m);
}

/* Returns whether a point is inside a solid: its surface then fills the solid angle 4π. */
bool query_holds(scree_shape shape, body_pose pose, vec3s point) {
    const mesh *surface = &shape.geometry->surface;
    const real3 at = real3_of(rotate_inverse(pose.rotation, glms_vec3_sub(point, pose.position)));
    double seen = 0;
    for (int i = 0; i < surface->count; i++) {
        real3 corners[3];
        for (int k = 0; k < 3; k++) {
            const real3 corner = real3_of(surface->vertices[surface->triangles[i].corners[k]]);
            corners[k] = real3_difference(real3_scaled((double)shape.size.x, corner), at);
        }
        seen += solid_angle(corners[0], corners[1], corners[2]);
    }
    return seen > 2 * M_PI;
}

/* Returns whether two shapes overlap: the narrow phase finds a contact without a gap, or a solid, which
 * collides by its triangles only, has all of the other inside. */
static bool overlap(const query *self, const body_array *bodies, int slot, scree_shape shape, body_pose pose,
                    query_filter filter) {
    if (!query_accepts(filter, slot)) return false;
    const scree_shape own = bodies->shapes[slot];
    const body_pose image = body_image_pose(bodies, slot, self->images[slot]);
    return children_meet(own, image, shape, pose, 0) ||
           (own.kind == SCREE_SHAPE_SOLID && query_holds(own, image, pose.position));
}

static scree_result add_slot(query *self, int slot) {
    TRY(MEMORY_RESERVE(self->slots, self->slot_capacity, self->slot_count + 1, NULL));
    self->slots[self->slot_count++] = slot;
    return SCREE_OK;
}

static int compare_slots(const void *a, const void *b) {
    const int *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* Adds the bodies that overlap the shape at one place. */
static scree_result overlap_at(query *self, const body_array *bodies, scree_shape shape, body_pose pose,
                               query_filter filter) {
    const bounds box = box_around(shape, pose);
    tree_walk walk;
    tree_walk_begin(&walk, &self->tree, &box);
    for (int item; (item = tree_walk_next(&walk)) >= 0;)
        if (overlap(self, bodies, self->tree.members[item], shape, pose, filter))
            TRY(add_slot(self, self->tree.members[item]));
    return SCREE_OK;
}

/* Sorts the slots and removes repetitions. */
static void settle_slots(query *self) {
    int kept = 0;
    if (self->slot_count > 0)
        qsort(self->slots, (size_t)self->slot_count, sizeof *self->slots, compare_slots);
    for (int i = 0; i < self->slot_count; i++)
        if (i == 0 || self->slots[i] != self->slots[i - 1]) self->slots[kept++] = self->slots[i];
    self->slot_count = kept;
}

scree_result query_overlap(query *self, const body_array *bodies, scree_shape shape, body_pose pose,
                           query_filter filter) {
    const period *cell = &bodies->period;
    const body_pose home = period_pose(cell, pose, period_wrap(cell, pose.position));
    int images[PERIOD_IMAGES];
    const int count = period_around(cell, images);
    self->slot_count = 0;
    for (int i = 0; i < self->endless_count; i++)
        if (overlap(self, bodies, self->endless[i], shape, pose, filter))
            TRY(add_slot(self, self->endless[i]));
    for (int i = 0; i < count; i++)
        TRY(overlap_at(self, bodies, shape, period_pose(cell, home, images[i]), filter));
    settle_slots(self);
    return SCREE_OK;
}

void query_release(query *self) {
    tree_release(&self->tree);
    memory_release(self->boxes);
    memory_release(self->keys);
    memory_release(self->images);
    memory_release(self->endless);
    memory_release(self->hits);
    memory_release(self->slots);
    *self = (query){0};
}
