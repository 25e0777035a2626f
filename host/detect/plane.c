#include "plane.h"

#include "base/vector.h"
#include "geometry/shape.h"
#include "half_space.h"

body_plane plane_of(const body_array *bodies, const bounds *boxes, int slot) {
    return body_plane_at(slot, bodies->poses[slot], boxes[slot]);
}

bool plane_meets(const body_plane *self, const bounds *box) {
    return plane_reached(*self, box->lower, box_extent(box->lower, box->upper), 0, PLANE_ROUNDING);
}

/* With n the same, n · (x − o) = n · (x − o') + n · (o' − o), and |x − o'| ≤ |x − o| + |o' − o|. */
bool plane_covers(const body_plane *self, const body_plane *other) {
    const vec3s n = self->normal, m = other->normal;
    const vec3s shift = glms_vec3_sub(other->origin, self->origin);
    const scalar way = glms_vec3_norm(shift);
    return n.x == m.x && n.y == m.y && n.z == m.z && other->rotation_angle <= self->rotation_angle &&
           other->padding + glms_vec3_dot(n, shift) + (other->rotation_angle + 4 * PLANE_ROUNDING) * way <=
               self->padding;
}

/* The centre of a box within this one is at most half a diagonal away from its centre. */
bool plane_may_meet(const body_plane *self, const bounds *box) {
    const vec3s extent = box_extent(box->lower, box->upper);
    return plane_reached(*self, box->lower, extent, glms_vec3_norm(extent), 4 * PLANE_ROUNDING);
}

scree_result planes_find(plane_list *self, const body_array *bodies, const bounds *boxes, int *regrown) {
    self->count = 0;
    for (int slot = 0; slot < bodies->count; slot++) {
        if (bodies->types[slot] == SLOT_FREE || bodies->types[slot] == SLOT_DYNAMIC ||
            !shape_is_plane(bodies->shapes[slot]))
            continue;
        TRY(MEMORY_RESERVE(self->items, self->capacity, self->count + 1, regrown));
        self->items[self->count++] = plane_of(bodies, boxes, slot);
    }
    return SCREE_OK;
}
