#include "contact_point.h"

#include "base/vector.h"
#include "geometry/children.h"
#include "rotation.h"

/* Returns the present position of a body's point that was at `point` of a child when contacts were found. A
 * ball does not carry the point along as it turns. */
static vec3s moved_point(const problem_input *from, int slot, int image, int part, vec3s point) {
    const body_pose was = period_pose(&from->bodies->period, from->collided[slot], image),
                    is = body_image_pose(from->bodies, slot, image);
    const scree_shape shape = body_touched(from->bodies, slot);
    const placed_child before = children_place(shape, was, part), now = children_place(shape, is, part);
    vec3s arm = glms_vec3_sub(point, before.pose.position);
    if (!shape_is_ball(now.shape)) arm = rotate(is.rotation, rotate_inverse(was.rotation, arm));
    return glms_vec3_add(now.pose.position, arm);
}

manifold_point contact_point_moved(const problem_input *from, const contact_pair *contact, int i) {
    const contact_manifold *pair = &contact->manifold;
    manifold_point point = contact_places(from->contacts, contact)[i];
    const child_numbers parts = children_of(body_touched(from->bodies, pair->b), pair->children);
    const vec3s a = moved_point(from, pair->a, 0, parts.a, point.position),
                b = moved_point(from, pair->b, pair->image, parts.b, point.position);
    point.gap += glms_vec3_dot(pair->normal, glms_vec3_sub(b, a));
    point.position = glms_vec3_scale(glms_vec3_add(a, b), (scalar)0.5);
    return point;
}

/* Returns the arm whose velocity is the mean over the step h of a point that turns about the normal n at rate
 * ω. With θ = h ω, the displacement in the plane is (R − 1) r = sin θ n × r − (1 − cos θ) r = θ n × (sin θ/θ)
 * (r + tan(θ/2) n × r). With w = tan(θ/2), sin θ/θ is (2 w/θ)/(1 + w²). The tangent is approximated by 2 w/θ
 * = 1 + θ²/12, with an error of θ⁴/120. */
vec3s contact_arm_halfway(const problem_input *from, scalar rate, vec3s arm, vec3s normal) {
    const scalar half = (scalar)0.5 * from->motion.time_step * rate;
    const scalar stretch = 1 + half * half / 3, w = half * stretch;
    const vec3s along = glms_vec3_scale(normal, glms_vec3_dot(normal, arm)), flat = glms_vec3_sub(arm, along),
                ahead = glms_vec3_add(flat, glms_vec3_scale(glms_vec3_cross(normal, flat), w));
    return glms_vec3_add(along, glms_vec3_scale(ahead, stretch / (1 + w * w)));
}
