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

scalar trial_strayed(const trial_motion *trial, int slot) {
    return trial_deviation(trial->moving.velocities[slot], trial->bodies->velocities[slot],
                           bounds_turning_radius(trial->bodies->shapes[slot]), trial->time_step);
}

static trial_body body_of(const trial_motion *trial, int slot, int image) {
    const body_array *moving = &trial->moving;
    const body_velocity velocity = moving->velocities[slot];
    return (trial_body){body_image_pose(moving, slot, image).position, velocity.linear, velocity.angular,
                        bounds_turning_radius(moving->shapes[slot])};
}

/* Two bodies of a pair. */
typedef struct trial_bodies {
    trial_body a, b;
} trial_bodies;

static trial_bodies bodies_of(const trial_motion *trial, body_pair pair) {
    return (trial_bodies){body_of(trial, pair.a, 0), body_of(trial, pair.b, pair.image)};
}

static scalar pair_turned(const trial_motion *trial, body_pair pair) {
    const trial_bodies of = bodies_of(trial, pair);
    return trial_pair_turn(of.a, of.b, trial->time_step);
}

static scalar pair_size(const trial_motion *trial, body_pair pair) {
    return bounds_pair_half_width(&trial->moving, pair.a, pair.b);
}

/* Returns the lowest gap at the end of the step that rows for these points predict. */
static scalar gap_said(const trial_motion *trial, const contact_manifold *rows,
                       const manifold_point *points) {
    const trial_bodies of = bodies_of(trial, (body_pair){rows->a, rows->b, rows->image});
    scalar lowest = INFINITY;
    for (int i = 0; i < (int)rows->count; i++)
        lowest = scalar_min(
            lowest, trial_gap(of.a, of.b, rows->normal, points[i].position, points[i].gap, trial->time_step));
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

/* Returns the points at the end, linearised back to the beginning of the step. */
static manifold linearised_end(const trial_motion *trial, body_pair pair, int children) {
    const body_mass *masses = trial->moving.masses;
    const scalar h = trial->time_step;
    const trial_bodies of = bodies_of(trial, pair);
    const vec3s back = trial_common_motion(of.a, masses[pair.a].mass, of.b, masses[pair.b].mass, h);
    const scalar reach =
        trial->margin + glms_vec3_norm(trial_relative_motion(of.a, of.b, h)) + trial_pair_turn(of.a, of.b, h);
    manifold out = manifold_at_end(trial, pair, children, reach);
    for (int i = 0; i < out.count; i++)
        out.points[i] = trial_point_back(out.points[i], out.normal, of.a, of.b, back, h);
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
    const trial_bodies of = bodies_of(trial, pair);
    const bool by_impact =
        touches_as_ball(moving, pair, children) ||
        glms_vec3_norm(trial_relative_motion(of.a, of.b, trial->time_step)) > pair_size(trial, pair);
    if (!by_impact) return trial_contact_at_end(trial, pair, children);
    return (trial_contact){.found = narrow_phase_children(moving, pair, children, trial->time_step)};
}

trial_news trial_contact_test(const trial_motion *trial, const contact_set *contacts, int first) {
    const contact_manifold *known = &contacts->pairs[first].manifold;
    const body_pair pair = {known->a, known->b, known->image};
    const scalar size = pair_size(trial, pair);
    if (trial_hardly_turned(trial->turned[pair.a], trial->turned[pair.b], TRIAL_TURNED * size) ||
        !(pair_turned(trial, pair) > TRIAL_TURNED * size))
        return TRIAL_KNOWN;
    const trial_contact now = trial_contact_at_end(trial, pair, known->children);
    const scalar gap = gap_at_end(trial, &now.found);
    if (!(gap <= -TRIAL_DEEP * size)) return TRIAL_KNOWN;
    return trial_news_of(gap, gap_known(trial, contacts, first, known->children), size);
}

bool trial_dropped_overlaps(const trial_motion *trial, const skim *of) {
    const scalar most = TRIAL_HARMLESS * pair_size(trial, of->pair);
    if (!(trial_strayed(trial, of->pair.a) + trial_strayed(trial, of->pair.b) > most)) return false;
    const trial_contact now = trial_contact_of(trial, of->pair, of->children);
    return gap_at_end(trial, &now.found) < -most;
}

bool trial_meets(const trial_motion *trial, const manifold *found) {
    const body_pair pair = {found->a, found->b, found->image};
    const scalar most = -TRIAL_HARMLESS * pair_size(trial, pair);
    return gap_at_end(trial, found) < most || manifold_at_end(trial, pair, found->children, most).count > 0;
}
