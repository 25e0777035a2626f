#include "plane.h"

#include "base/vector.h"
#include "rotation.h"

/* Relative to the lengths that enter a distance: covers its rounding. */
static const scalar ROUNDING = 1e-6f;

plane plane_of(const body_array *bodies, const bounds *boxes, int slot) {
    return (plane){.slot = slot,
                   .normal = rotate(bodies->poses[slot].rotation, vec3_of(0, 0, 1)),
                   .origin = bodies->poses[slot].position,
                   .padding = boxes[slot].padding,
                   .rotation_angle = boxes[slot].rotation_angle};
}

static vec3s extent_of(const bounds *box) {
    return glms_vec3_scale(glms_vec3_sub(box->upper, box->lower), 0.5f);
}

/* The box's support point against the normal is centre · n − |n| · extent above the plane. `away`: length by
 * which the centre may be farther off than the box's. */
static bool comes_below(const plane *self, const bounds *box, vec3s extent, scalar away, scalar rounding) {
    const vec3s n = self->normal;
    const vec3s centre = glms_vec3_sub(glms_vec3_add(box->lower, extent), self->origin);
    const scalar size = scalar_abs(n.x) * extent.x + scalar_abs(n.y) * extent.y + scalar_abs(n.z) * extent.z;
    const scalar distance = glms_vec3_norm(centre) + away;
    const scalar reach = self->padding + self->rotation_angle * distance + rounding * (distance + size);
    return glms_vec3_dot(n, centre) - size <= reach;
}

bool plane_meets(const plane *self, const bounds *box) {
    return comes_below(self, box, extent_of(box), 0, ROUNDING);
}

/* With n the same, n · (x − o) = n · (x − o') + n · (o' − o), and |x − o'| ≤ |x − o| + |o' − o|. */
bool plane_covers(const plane *self, const plane *other) {
    const vec3s n = self->normal, m = other->normal;
    const vec3s shift = glms_vec3_sub(other->origin, self->origin);
    const scalar way = glms_vec3_norm(shift);
    return n.x == m.x && n.y == m.y && n.z == m.z && other->rotation_angle <= self->rotation_angle &&
           other->padding + glms_vec3_dot(n, shift) + (other->rotation_angle + 4 * ROUNDING) * way <=
               self->padding;
}

/* The centre of a box within this one is at most half a diagonal away from its centre. */
bool plane_may_meet(const plane *self, const bounds *box) {
    const vec3s extent = extent_of(box);
    return comes_below(self, box, extent, glms_vec3_norm(extent), 4 * ROUNDING);
}
