#include "query.h"

#include "base/memory.h"
#include "base/vector.h"
#include "parts.h"
#include "ray.h"
#include "shape.h"

#include <stdlib.h>

/* Boxes are this much larger than the bodies in them, relative to coordinates and size, so that no rounding
 * of a box loses what the exact test of the body finds. */
static const scalar slack = 4e-6f;

static bool endless(scree_shape shape) { return shape_is_plane(shape); }

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

static const bounds nowhere = {{INFINITY, INFINITY, INFINITY}, 0, {-INFINITY, -INFINITY, -INFINITY}, 0};

scree_result query_update(query *self, const body_array *bodies, int threads) {
    if (self->built && self->changes == bodies->changes) return SCREE_OK;
    self->built = false;
    self->endless_count = 0;
    TRY(MEMORY_RESERVE(self->boxes, self->box_capacity, bodies->count, NULL));
    for (int slot = 0; slot < bodies->count; slot++) {
        self->boxes[slot] = nowhere;
        if (bodies->types[slot] == SLOT_FREE) continue;
        if (endless(bodies->shapes[slot])) {
            TRY(MEMORY_RESERVE(self->endless, self->endless_capacity, self->endless_count + 1, NULL));
            self->endless[self->endless_count++] = slot;
        } else {
            self->boxes[slot] = box_around(bodies->shapes[slot], bodies->poses[slot]);
        }
    }
    TRY(tree_build(&self->tree, self->boxes, bodies->count, threads, NULL));
    self->changes = bodies->changes;
    self->built = true;
    return SCREE_OK;
}

/* Whether a ray begins inside of a part. */
static bool begins_in(const placed_part *part, query_ray ray) {
    const body_pose at = {.position = ray.origin, .rotation = versor_of(0, 0, 0, 1)};
    return manifold_of(part->shape, part->pose, scree_sphere(0), at, 0).count > 0;
}

/* Where a ray enters a body, if it does so within its limit. */
static bool meet(const body_array *bodies, int slot, query_ray ray, query_hit *out) {
    out->slot = slot;
    if (endless(bodies->shapes[slot])) {
        const body_pose pose = bodies->poses[slot];
        out->normal = rotate(pose.rotation, vec3_of(0, 0, 1));
        out->distance = ray_half_space(ray.origin, ray.direction, pose.position, out->normal);
        return out->distance <= ray.limit;
    }
    const scree_shape shape = bodies->shapes[slot];
    const int parts = parts_seen_count(shape);
    bool leaves = false; /* a solid through its surface, from inside */
    out->distance = RAY_FAR;
    for (int i = 0; i < parts; i++) {
        const placed_part part = parts_seen(shape, bodies->poses[slot], i);
        const ray_body body = parts_ray(&part);
        const scalar distance = ray_body_distance(ray.origin, ray.direction, body);
        if (parts > 1 && shape_movable(part.shape) && begins_in(&part, ray)) return false;
        if (!(distance < out->distance)) continue;
        out->distance = distance;
        leaves = shape_movable(shape) && !shape_movable(part.shape) &&
                 glms_vec3_dot(rotate(part.pose.rotation, vec3_of(0, 0, 1)), ray.direction) > 0;
        if (distance <= ray.limit) out->normal = ray_body_normal(ray.origin, ray.direction, distance, body);
    }
    return out->distance <= ray.limit && out->distance < RAY_FAR && !leaves;
}

static bool before(query_hit a, query_hit b) {
    return a.distance < b.distance || (a.distance == b.distance && a.slot < b.slot);
}

static vec3s inverse_of(vec3s direction) {
    return vec3_of(ray_inverse(direction.x), ray_inverse(direction.y), ray_inverse(direction.z));
}

/* The hits nearest first: whichever child a ray enters sooner is looked at before the other. What begins
 * beyond the best hit is left out; at the same distance it is not, for the sake of the lower slot. */
query_hit query_first(const query *self, const body_array *bodies, query_ray ray) {
    const vec3s inverse = inverse_of(ray.direction);
    const tree_node *nodes = self->tree.nodes;
    int stack[TREE_STACK], depth = 0;
    query_hit best = {.slot = -1, .distance = RAY_FAR}, hit;
    for (int i = 0; i < self->endless_count; i++)
        if (meet(bodies, self->endless[i], ray, &hit) && (best.slot < 0 || before(hit, best))) best = hit;
    if (self->tree.node_count > 0) stack[depth++] = 0;
    while (depth > 0) {
        const tree_node *node = &nodes[stack[--depth]];
        const scalar limit = best.slot < 0 ? ray.limit : best.distance;
        if (ray_bounds(ray.origin, inverse, node->lower, node->upper, limit) >= RAY_FAR) continue;
        if (node->child > 0) {
            const tree_node *left = &nodes[node->child], *right = left + 1;
            const bool swap = ray_bounds(ray.origin, inverse, right->lower, right->upper, limit) <
                              ray_bounds(ray.origin, inverse, left->lower, left->upper, limit);
            stack[depth++] = node->child + (swap ? 0 : 1);
            stack[depth++] = node->child + (swap ? 1 : 0);
            continue;
        }
        for (int i = node->end + node->child; i < node->end; i++)
            if (meet(bodies, self->tree.members[i], ray, &hit) && (best.slot < 0 || before(hit, best)))
                best = hit;
    }
    return best;
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

scree_result query_all(query *self, const body_array *bodies, query_ray ray) {
    const vec3s inverse = inverse_of(ray.direction);
    const tree_node *nodes = self->tree.nodes;
    int stack[TREE_STACK], depth = 0;
    query_hit hit;
    self->hit_count = 0;
    for (int i = 0; i < self->endless_count; i++)
        if (meet(bodies, self->endless[i], ray, &hit)) TRY(add_hit(self, hit));
    if (self->tree.node_count > 0) stack[depth++] = 0;
    while (depth > 0) {
        const tree_node *node = &nodes[stack[--depth]];
        if (ray_bounds(ray.origin, inverse, node->lower, node->upper, ray.limit) >= RAY_FAR) continue;
        if (node->child > 0) {
            stack[depth++] = node->child + 1;
            stack[depth++] = node->child;
            continue;
        }
        for (int i = node->end + node->child; i < node->end; i++)
            if (meet(bodies, self->tree.members[i], ray, &hit)) TRY(add_hit(self, hit));
    }
    if (self->hit_count > 0) qsort(self->hits, (size_t)self->hit_count, sizeof *self->hits, compare_hits);
    return SCREE_OK;
}

/* Two shapes overlap where the collision stage finds a contact without a gap. */
static bool overlap(const body_array *bodies, int slot, scree_shape shape, body_pose pose) {
    return parts_meet(bodies->shapes[slot], bodies->poses[slot], shape, pose, 0);
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

/* The bodies whose boxes meet that of the shape at one place. */
static scree_result overlap_at(query *self, const body_array *bodies, scree_shape shape, body_pose pose) {
    const bounds box = box_around(shape, pose);
    const tree_node *nodes = self->tree.nodes;
    int stack[TREE_STACK], depth = 0;
    if (self->tree.node_count > 0) stack[depth++] = 0;
    while (depth > 0) {
        const tree_node *node = &nodes[stack[--depth]];
        const bounds around = {.lower = node->lower, .upper = node->upper};
        if (!bounds_meet(&box, &around)) continue;
        if (node->child > 0) {
            stack[depth++] = node->child + 1;
            stack[depth++] = node->child;
            continue;
        }
        for (int i = node->end + node->child; i < node->end; i++)
            if (bounds_meet(&box, &self->tree.boxes[i]) &&
                overlap(bodies, self->tree.members[i], shape, pose))
                TRY(add_slot(self, self->tree.members[i]));
    }
    return SCREE_OK;
}

/* Sorted, each once. */
static void settle_slots(query *self) {
    int kept = 0;
    if (self->slot_count > 0)
        qsort(self->slots, (size_t)self->slot_count, sizeof *self->slots, compare_slots);
    for (int i = 0; i < self->slot_count; i++)
        if (i == 0 || self->slots[i] != self->slots[i - 1]) self->slots[kept++] = self->slots[i];
    self->slot_count = kept;
}

scree_result query_overlap(query *self, const body_array *bodies, scree_shape shape, body_pose pose) {
    const period *cell = &bodies->period;
    const body_pose home = period_pose(cell, pose, period_wrap(cell, pose.position));
    int images[PERIOD_IMAGES];
    const int count = period_around(cell, images);
    self->slot_count = 0;
    for (int i = 0; i < self->endless_count; i++)
        if (overlap(bodies, self->endless[i], shape, pose)) TRY(add_slot(self, self->endless[i]));
    for (int i = 0; i < count; i++) TRY(overlap_at(self, bodies, shape, period_pose(cell, home, images[i])));
    settle_slots(self);
    return SCREE_OK;
}

void query_release(query *self) {
    tree_release(&self->tree);
    memory_release(self->boxes);
    memory_release(self->endless);
    memory_release(self->hits);
    memory_release(self->slots);
    *self = (query){0};
}
