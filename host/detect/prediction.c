/* The rows of a contact predict its gap at the end of a step as c + h J V, with the normal and the arms of
 * the step's beginning. This is wrong if bodies rotate by a fifth of a radian: a corner comes down next to
 * the edge that was near, and an edge turns its normal. With the gap c' and the Jacobian J' at the end of the
 * motion V, the row
 *
 *     c + h J' V⁺ ≥ 0,   c = c' − h J' V
 *
 * gives c' where V⁺ = V and is correct to first order around it: solving on with it is a step of Newton's
 * method for the gaps at the end. */
#include "prediction.h"

#include "base/memory.h"
#include "child_contacts.h"

/* Relative to the smaller half size. TURNED: rotation of both surfaces together that is checked. WORTH:
 * overlap at the end that justifies another solve. DEEP: overlap whose rows are then renewed too, as that
 * costs nothing. UNKNOWN: excess over the overlap that the rows predict; the solve could not, or should not,
 * remove a predicted overlap. On the landing of B1000 (8 seeds) WORTH = 0.08 leaves overlaps of 3.3 mm
 * instead of 2.6 mm, DEEP = 0.05 leaves 80 steps above 2 mm instead of 55, and WORTH = 0.03 takes 7 % more
 * iterations. */
static const scalar TURNED = (scalar)0.03, WORTH = (scalar)0.05, DEEP = (scalar)0.03, UNKNOWN = (scalar)0.02;

typedef enum foresight { SHALLOW, FORESEEN, WORTH_SOLVING } foresight;

static scalar turning_of(const body_array *moving, const contact_manifold *now) {
    const int a = now->a, b = now->b;
    const body_pose pose_b = body_image_pose(moving, b, now->image);
    const scalar distance = glms_vec3_norm(glms_vec3_sub(pose_b.position, moving->poses[a].position));
    return bounds_turning_speed(moving, a, distance) + bounds_turning_speed(moving, b, distance);
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

/* Returns the manifold at the end of the step of the children that touch now. */
static manifold manifold_at_end(const body_array *moving, const motion_ahead *ahead,
                                const contact_manifold *now, scalar reach) {
    const int a = now->a, b = now->b;
    manifold found =
        children_manifold(body_touched(moving, a), ahead->poses[a], body_touched(moving, b),
                          period_pose(&moving->period, ahead->poses[b], now->image), now->children, reach);
    children_settle(body_touched(moving, a), ahead->poses[a], body_touched(moving, b),
                    period_pose(&moving->period, ahead->poses[b], now->image), now->children, &found);
    found.a = a, found.b = b, found.image = now->image;
    return found;
}

/* Returns the lowest gap at the end that the rows of a pair's children predict. After a detection pass the
 * children may have several entries. */
static scalar gap_said(const body_array *moving, scalar time_step, const contact_set *contacts, int first,
                       int count) {
    const contact_pair *pairs = &contacts->pairs[first];
    scalar said = INFINITY;
    for (int k = 0; k < count; k++) {
        const contact_manifold *shape = &pairs[k].manifold;
        for (int i = 0; i < shape->count && shape->children == pairs->manifold.children; i++) {
            const manifold_point *point = &contact_places(contacts, &pairs[k])[i];
            said = scalar_min(said, point->gap + time_step * parting_speed(moving, shape, point->position));
        }
    }
    return said;
}

static foresight foresee(const body_array *moving, const motion_ahead *ahead, const contact_set *contacts,
                         int first, int count) {
    const contact_pair *pairs = &contacts->pairs[first];
    const int a = pairs->manifold.a, b = pairs->manifold.b;
    const scalar h = ahead->time_step, size = bounds_pair_half_width(moving, a, b);
    if (!(h * turning_of(moving, &pairs->manifold) > TURNED * size)) return SHALLOW;
    const manifold at_end = manifold_at_end(moving, ahead, &pairs->manifold, -DEEP * size);
    scalar gap = INFINITY;
    for (int i = 0; i < at_end.count; i++) gap = scalar_min(gap, at_end.points[i].gap);
    if (!(gap < gap_said(moving, h, contacts, first, count) - UNKNOWN * size)) return SHALLOW;
    return gap <= -WORTH * size ? WORTH_SOLVING : FORESEEN;
}

/* Returns the number of entries of a pair from `first` on; 0 if the first is one of a detection pass. */
static int count_from(const contact_set *contacts, int first) {
    int count = 1;
    if (contacts->pairs[first].predicted) return 0;
    while (first + count < contacts->count &&
           contact_same_bodies(&contacts->pairs[first], &contacts->pairs[first + count]))
        count++;
    return count;
}

/* Returns the displacement of the contact over the step: that of the body with mass if the other has none,
 * else the mean, in which each body has the weight of the other's mass. */
static vec3s common_motion(const body_array *moving, int a, int b, scalar time_step) {
    const scalar mass_a = moving->masses[a].mass, mass_b = moving->masses[b].mass;
    const scalar fraction_a = !(mass_a > 0) ? 0 : !(mass_b > 0) ? 1 : mass_b / (mass_a + mass_b);
    return glms_vec3_scale(glms_vec3_add(glms_vec3_scale(moving->velocities[a].linear, fraction_a),
                                         glms_vec3_scale(moving->velocities[b].linear, 1 - fraction_a)),
                           time_step);
}

/* Returns the points at the end, moved back to the beginning of the step, with the gap c. Both bodies share
 * one point, since an impulse must not have a moment of its own. */
manifold prediction_manifold(const body_array *moving, const motion_ahead *ahead, const contact_pair *now) {
    const int a = now->manifold.a, b = now->manifold.b;
    const scalar h = ahead->time_step;
    const vec3s velocity = glms_vec3_sub(moving->velocities[b].linear, moving->velocities[a].linear);
    const scalar reach = ahead->margin + h * (glms_vec3_norm(velocity) + turning_of(moving, &now->manifold));
    const vec3s back = common_motion(moving, a, b, h);
    manifold out = manifold_at_end(moving, ahead, &now->manifold, reach);
    const contact_manifold rows = contact_manifold_of(&out);
    for (int i = 0; i < out.count; i++) {
        manifold_point *point = &out.points[i];
        point->position = glms_vec3_sub(point->position, back);
        point->gap -= h * parting_speed(moving, &rows, point->position);
    }
    return out;
}

scree_result prediction_find(prediction *self, const motion_ahead *ahead, const body_array *moving,
                             scalar turning, const contact_set *contacts, int threads, contact_set *predicted,
                             int *regrown) {
    int worth = 0;
    contacts_clear(predicted);
    if (!(turning > TURNED / 2 * ahead->smallest)) return SCREE_OK;
    TRY(MEMORY_RESERVE(self->marks, self->mark_capacity, contacts->count, regrown));
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads) reduction(| : worth)
    for (int i = 0; i < contacts->count; i++) {
        const int count = count_from(contacts, i);
        const foresight seen = count > 0 ? foresee(moving, ahead, contacts, i, count) : SHALLOW;
        self->marks[i] = seen != SHALLOW;
        worth |= seen == WORTH_SOLVING;
    }
    if (!worth) return SCREE_OK;
    for (int i = 0; i < contacts->count; i++) {
        if (!self->marks[i]) continue;
        const contact_pair *now = &contacts->pairs[i];
        const manifold found = prediction_manifold(moving, ahead, now);
        if (found.count == 0) continue; /* the contact in reach is a neighbouring child's */
        const contact_pair pair = {.last_colour = -1, .predicted = true};
        TRY(contacts_append(predicted, pair, &found, regrown));
    }
    return SCREE_OK;
}

void prediction_release(prediction *self) {
    memory_release(self->marks);
    *self = (prediction){0};
}
