#include "contact_point.h"
#include "held_pair.h"

#include "base/vector.h"
#include "contact_surface.h"
#include "bound_pair.h"
#include "geometry/children.h"

static contact_surface surface_of(const placed_child *of) {
    return contact_surface_of((int)of->shape.kind, vec3_in(of->shape.size), of->pose.position,
                              of->pose.rotation);
}

/* A body that has moved. */
typedef struct moved_body {
    int slot;
    body_pose was, is;
} moved_body;

/* Returns the radius of a body about its centre, m; INFINITY if it is not dynamic. */
static scalar reach_of(const body_array *bodies, int slot) {
    return body_is_dynamic(bodies, slot) ? (scalar)scree_shape_get_radius(body_collision_shape(bodies, slot))
                                         : INFINITY;
}

/* Returns the place on a moved body of the contact that was at `point` of a child (contact_surface.h). */
static touched_place moved_place(const problem_input *from, moved_body body, int part, vec3s normal,
                                 vec3s point) {
    const body_array *bodies = from->bodies;
    const scree_shape shape = body_collision_shape(bodies, body.slot);
    const placed_child before = children_place(shape, body.was, part),
                       now = children_place(shape, body.is, part);
    return surface_place_moved(surface_of(&before), surface_of(&now), reach_of(bodies, body.slot), normal,
                               point);
}

/* Returns a body that has moved since detection. */
static moved_body since_detection(const problem_input *from, int slot, int image) {
    return (moved_body){slot, period_pose(&from->bodies->period, from->collided[slot], image),
                        body_image_pose(from->bodies, slot, image)};
}

manifold_point contact_point_moved(const problem_input *from, const contact_pair *contact, int i) {
    const contact_manifold *pair = &contact->manifold;
    manifold_point point = contact_places(from->contacts, contact)[i];
    if (held_pair_follows(from, contact, i)) return point;
    const child_numbers parts = children_of(body_collision_shape(from->bodies, pair->b), pair->children);
    const touched_place a = moved_place(from, since_detection(from, pair->a, 0), parts.a, pair->normal,
                                        point.position),
                        b = moved_place(from, since_detection(from, pair->b, pair->image), parts.b,
                                        pair->normal, point.position);
    point.gap += glms_vec3_dot(pair->normal, glms_vec3_sub(b.position, a.position));
    point.position = place_between(a, b);
    return point;
}

contact_arms contact_arms_joined(const body_array *bodies, const contact_pair *contact, contact_arms arms) {
    const contact_manifold *of = &contact->manifold;
    const vec3s between =
        glms_vec3_sub(body_image_pose(bodies, of->b, of->image).position, bodies->poses[of->a].position);
    const bool on_b = body_is_dynamic(bodies, of->b) &&
                      (!body_is_dynamic(bodies, of->a) || shape_is_ball(bodies->shapes[of->b]));
    const joined_arms out = arms_joined(of->normal, between, on_b, arms.a, arms.b);
    return (contact_arms){out.a, out.b};
}

bool contact_place_is_carried(const problem_input *from, int slot) {
    const scree_shape shape = body_collision_shape(from->bodies, slot);
    return !shape_has_children(shape) && !surface_is_round((int)shape.kind);
}

vec3s contact_arm_turned(const problem_input *from, const contact_pair *contact, bool second, vec3s arm,
                         versors turn) {
    const contact_manifold *pair = &contact->manifold;
    const int slot = second ? pair->b : pair->a;
    const child_numbers parts = children_of(body_collision_shape(from->bodies, pair->b), pair->children);
    const scree_shape shape = body_collision_shape(from->bodies, slot);
    const int part = second ? parts.b : parts.a;
    const body_pose was = {.position = glms_vec3_zero(), .rotation = from->bodies->poses[slot].rotation},
                    is = {.position = was.position, .rotation = rotation_product(turn, was.rotation)};
    const placed_child before = children_place(shape, was, part), now = children_place(shape, is, part);
    return surface_arm_turned(surface_of(&before), surface_of(&now), pair->normal, arm);
}

scalar contact_place_radius(const problem_input *from, const contact_pair *contact, bool second) {
    const contact_manifold *pair = &contact->manifold;
    const int slot = second ? pair->b : pair->a;
    const child_numbers parts = children_of(body_collision_shape(from->bodies, pair->b), pair->children);
    const placed_child of = children_place(body_collision_shape(from->bodies, slot),
                                           from->bodies->poses[slot], second ? parts.b : parts.a);
    const vec3s axis = rotate(of.pose.rotation, vec3_of(0, 0, 1));
    return surface_roundness((int)of.shape.kind, axis, axis, pair->normal) > (scalar)0.5 ? of.shape.size.x
                                                                                         : INFINITY;
}

scalar contact_place_share(const problem_input *from, const contact_pair *contact) {
    const int slot_a = contact->manifold.a, slot_b = contact->manifold.b;
    const scree_shape a = body_collision_shape(from->bodies, slot_a),
                      b = body_collision_shape(from->bodies, slot_b);
    if (shape_is_ball(a) && shape_is_ball(b)) return a.size.x / (a.size.x + b.size.x);
    return surface_share(reach_of(from->bodies, slot_a), reach_of(from->bodies, slot_b));
}
