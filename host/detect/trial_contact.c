/* The rows of a contact predict its gap at the end of a step as c + h J V, with the normal and the arms of
 * the motion for which they were found. On another motion the bodies may meet elsewhere: a ball that a wall
 * deflects meets the next facet, the corner of a box that rotates comes down next to the edge that was near.
 * With the gap c' and the Jacobian J' found on the trial motion V, the row
 *
 *     c + h J' V⁺ ≥ 0,   c = c' − h J' V
 *
 * gives c' where V⁺ = V and is correct to first order around it: solving on with it is a step of Newton's
 * method for the gaps at the end. c' and J' belong to the manifold at the end of the trial motion. The centre
 * of a body that moves by more than its half width may be beyond a surface at the end. A contact that the
 * first detection dropped is then that of the time of impact, as always for balls. */
#include "trial_contact.h"

#include "base/vector.h"
#include "child_contacts.h"

/* Relative to the smaller half size: an overlap left to the stabilisation. */
static const scalar HARMLESS = (scalar)1 / 400;
/* Relative to the smaller half size. TURNED: rotation of both surfaces together that is checked. WORTH:
 * overlap at the end that justifies another solve. DEEP: overlap whose rows are then renewed too, as that
 * costs nothing. UNKNOWN: excess over the overlap that the rows predict; the solve could not, or should not,
 * remove a predicted overlap. On the landing of B1000 (8 seeds) WORTH = 0.08 leaves overlaps of 3.3 mm
 * instead of 2.6 mm, DEEP = 0.05 leaves 80 steps above 2 mm instead of 55, and WORTH = 0.03 takes 7 % more
 * iterations. */
static const scalar TURNED = (scalar)0.03, WORTH = (scalar)0.05, DEEP = (scalar)0.03, UNKNOWN = (scalar)0.02;

scalar trial_strayed(const trial_motion *trial, int slot) {
    const body_velocity *motion = &trial->moving.velocities[slot], *before = &trial->bodies->velocities[slot];
    const scalar turned = glms_vec3_norm(glms_vec3_sub(motion->angular, before->angular));
    const scalar arm = turned > 0 ? bounds_turning_radius(trial->bodies->shapes[slot]) * turned : 0;
    return trial->time_step * (glms_vec3_norm(glms_vec3_sub(motion->linear, before->linear)) + arm);
}

scalar trial_turned(const trial_motion *trial, int slot) {
    const scalar speed = glms_vec3_norm(trial->moving.velocities[slot].angular);
    return speed > 0 ? trial->time_step * speed * bounds_turning_radius(trial->bodies->shapes[slot]) : 0;
}

bool trial_may_have_turned(const trial_motion *trial, scalar largest) {
    return largest > TURNED / 2 * trial->smallest;
}

/* Returns whether pair_turned is at most `most`, from the turns of the bodies alone: their sum differs from
 * it by rounding. Most pairs of a pile turn by much less. */
static inline bool pair_hardly_turned(const trial_motion *trial, body_pair pair, scalar most) {
    return trial->turned[pair.a] + trial->turned[pair.b] < (1 - (scalar)1e-5) * most;
}

/* Returns the displacement of both surfaces by rotation, m. */
static scalar pair_turned(const trial_motion *trial, body_pair pair) {
    const body_array *moving = &trial->moving;
    const vec3s between =
        glms_vec3_sub(body_image_pose(moving, pair.b, pair.image).position, moving->poses[pair.a].position);
    const scalar distance = glms_vec3_norm(between);
    return trial->time_step *
           (bounds_turning_speed(moving, pair.a, distance) + bounds_turning_speed(moving, pair.b, distance));
}

static scalar pair_size(const trial_motion *trial, body_pair pair) {
    return bounds_pair_half_width(&trial->moving, pair.a, pair.b);
}

/* Normal forces do not rotate balls, so their points move with the centre. */
static vec3s velocity_at(const body_array *moving, int slot, int image, vec3s point) {
    const body_velocity velocity = moving->velocities[slot];
    if (!(bounds_turning_radius(moving->shapes[slot]) > 0)) return velocity.linear;
    const vec3s arm = glms_vec3_sub(point, body_image_pose(moving, slot, image).position);
    return glms_vec3_add(velocity.linear, glms_vec3_cross(velocity.angular, arm));
}

/* Returns J V of a point's normal row. */
static scalar parting_speed(const body_array *moving, const contact_manifold *shape, vec3s point) {
    return glms_vec3_dot(shape->normal, glms_vec3_sub(velocity_at(moving, shape->b, shape->image, point),
                                                      velocity_at(moving, shape->a, 0, point)));
}

/* Returns the lowest gap at the end of the step that rows for these points predict. */
static scalar gap_said(const trial_motion *trial, const contact_manifold *rows,
                       const manifold_point *points) {
    scalar lowest = INFINITY;
    for (int i = 0; i < (int)rows->count; i++)
        lowest = scalar_min(lowest, points[i].gap + trial->time_step * parting_speed(&trial->moving, rows,
                                                                                     points[i].position));
    return lowest;
}

/* Returns the lowest gap at the end that the rows of some children predict; `first`: the first entry of their
 * pair among `contacts`. After a detection pass the children may have several entries. */
static scalar gap_known(const trial_motion *trial, const contact_set *contacts, int first, int children) {
    scalar lowest = INFINITY;
    for (int i = first;
         i < contacts->count && contact_same_bodies(&contacts->pairs[i], &contacts->pairs[first]); i++) {
        const contact_pair *pair = &contacts->pairs[i];
        if (pair->manifold.children == children)
            lowest = scalar_min(lowest, gap_said(trial, &pair->manifold, contact_places(contacts, pair)));
    }
    return lowest;
}

static scalar gap_at_end(const trial_motion *trial, const manifold *of) {
    const contact_manifold rows = contact_manifold_of(of);
    return gap_said(trial, &rows, of->points);
}

static vec3s relative_motion(const trial_motion *trial, body_pair pair) {
    const body_velocity *v = trial->moving.velocities;
    return glms_vec3_scale(glms_vec3_sub(v[pair.b].linear, v[pair.a].linear), trial->time_step);
}

/* Returns the displacement of the contact over the step: that of the body with mass if the other has none,
 * else the mean, in which each body has the weight of the other's mass. */
static vec3s common_motion(const trial_motion *trial, body_pair pair) {
    const body_array *moving = &trial->moving;
    const scalar mass_a = moving->masses[pair.a].mass, mass_b = moving->masses[pair.b].mass;
    const scalar fraction_a = !(mass_a > 0) ? 0 : !(mass_b > 0) ? 1 : mass_b / (mass_a + mass_b);
    return glms_vec3_scale(glms_vec3_add(glms_vec3_scale(moving->velocities[pair.a].linear, fraction_a),
                                         glms_vec3_scale(moving->velocities[pair.b].linear, 1 - fraction_a)),
                           trial->time_step);
}

/* Returns the manifold at the end of the step. */
static manifold manifold_at_end(const trial_motion *trial, body_pair pair, int children, scalar reach) {
    const scree_shape a = body_collision_shape(&trial->moving, pair.a),
                      b = body_collision_shape(&trial->moving, pair.b);
    const body_pose pose_a = trial->poses[pair.a],
                    pose_b = period_pose(&trial->moving.period, trial->poses[pair.b], pair.image);
    manifold found = children_manifold(a, pose_a, b, pose_b, children, reach);
    children_settle(a, pose_a, b, pose_b, children, &found);
    found.a = pair.a, found.b = pair.b, found.image = pair.image;
    return found;
}

/* Returns the points at the end, moved back to the beginning of the step, with the gap c. Both bodies share
 * one point, since an impulse must not have a moment of its own. */
static manifold linearised_end(const trial_motion *trial, body_pair pair, int children) {
    const body_array *moving = &trial->moving;
    const scalar h = trial->time_step;
    const vec3s back = common_motion(trial, pair);
    const scalar reach =
        trial->margin + glms_vec3_norm(relative_motion(trial, pair)) + pair_turned(trial, pair);
    manifold out = manifold_at_end(trial, pair, children, reach);
    const contact_manifold rows = contact_manifold_of(&out);
    for (int i = 0; i < out.count; i++) {
        manifold_point *point = &out.points[i];
        point->position = glms_vec3_sub(point->position, back);
        point->gap -= h * parting_speed(moving, &rows, point->position);
    }
    return out;
}

/* Returns whether one of two children is a ball. */
static bool touches_as_ball(const body_array *moving, body_pair pair, int children) {
    const scree_shape a = body_collision_shape(moving, pair.a), b = body_collision_shape(moving, pair.b);
    const child_numbers at = children_of(b, children);
    return shape_is_ball(children_place(a, moving->poses[pair.a], at.a).shape) ||
           shape_is_ball(children_place(b, moving->poses[pair.b], at.b).shape);
}

trial_contact trial_contact_at_end(const trial_motion *trial, body_pair pair, int children) {
    return (trial_contact){.found = linearised_end(trial, pair, children), .at_end = true};
}

trial_contact trial_contact_of(const trial_motion *trial, body_pair pair, int children) {
    const body_array *moving = &trial->moving;
    const bool by_impact = touches_as_ball(moving, pair, children) ||
                           glms_vec3_norm(relative_motion(trial, pair)) > pair_size(trial, pair);
    if (!by_impact) return trial_contact_at_end(trial, pair, children);
    return (trial_contact){.found = narrow_phase_children(moving, pair, children, trial->time_step)};
}

trial_news trial_contact_test(const trial_motion *trial, const contact_set *contacts, int first) {
    const contact_manifold *known = &contacts->pairs[first].manifold;
    const body_pair pair = {known->a, known->b, known->image};
    const scalar size = pair_size(trial, pair);
    if (pair_hardly_turned(trial, pair, TURNED * size) || !(pair_turned(trial, pair) > TURNED * size))
        return TRIAL_KNOWN;
    const trial_contact now = trial_contact_at_end(trial, pair, known->children);
    const scalar gap = gap_at_end(trial, &now.found);
    if (!(gap <= -DEEP * size) ||
        !(gap < gap_known(trial, contacts, first, known->children) - UNKNOWN * size))
        return TRIAL_KNOWN;
    return gap <= -WORTH * size ? TRIAL_WORTH_SOLVING : TRIAL_SLIGHT;
}

bool trial_dropped_overlaps(const trial_motion *trial, const skim *of) {
    const scalar most = HARMLESS * pair_size(trial, of->pair);
    if (!(trial_strayed(trial, of->pair.a) + trial_strayed(trial, of->pair.b) > most)) return false;
    const trial_contact now = trial_contact_of(trial, of->pair, of->children);
    return gap_at_end(trial, &now.found) < -most;
}

bool trial_meets(const trial_motion *trial, const manifold *found) {
    const body_pair pair = {found->a, found->b, found->image};
    const scalar most = -HARMLESS * pair_size(trial, pair);
    return gap_at_end(trial, found) < most || manifold_at_end(trial, pair, found->children, most).count > 0;
}
