#include "cohesion.h"

#include "arm.h"
#include "base/memory.h"
#include "collide/parts.h"

#include <string.h>

/* A pull F holds r_N ≥ −h F. With r̂ = r + h F n the law of a contact without cohesion holds for r̂, and
 *
 *     V = V* + M⁻¹ Jᵀ r = (V* − M⁻¹ Jᵀ h F n) + M⁻¹ Jᵀ r̂:
 *
 * the pull is a pair of opposite forces on the two bodies with the arms of the block, which belong to V* like
 * any load, and the problem to be solved is one of contacts without cohesion, whose residual is that of r̂. r̂
 * is what the solver, the cache and dumps hold; figures and frames show r = r̂ − h F n.
 *
 * A pair touches where its gap at the start of the step is within the distance: what only passes would be
 * pulled in every step on its way, were it the gap that a row says, which is led back from where they are
 * nearest. As |c − c'| ≤ |s| for the gap c' there and the motion s until then, of two steps at most, the gap
 * at the start is at most c + 2 |s|. F is shared among the points that touch, so that it does not matter by
 * how many points a face is represented. */
static bool is_near(const contact_pair *pair, const body_array *bodies, scalar gap, scalar distance,
                    scalar time_step) {
    enum { STEPS = 2 };
    const int a = pair->manifold.a, b = pair->manifold.b;
    const scree_shape shape_a = body_touched(bodies, a), shape_b = body_touched(bodies, b);
    const scalar speed =
        glms_vec3_norm(glms_vec3_sub(bodies->velocities[b].linear, bodies->velocities[a].linear));
    if (gap + 2 * STEPS * time_step * speed <= distance) return true;
    /* of several parts another may have been near */
    if (shape_has_parts(shape_a) || shape_has_parts(shape_b)) return true;
    return parts_manifold(shape_a, bodies->poses[a], shape_b,
                          body_image_pose(bodies, b, pair->manifold.image), pair->manifold.part, distance)
               .count > 0;
}

/* Whether point k of a pair is pulled. */
static bool is_pulled(const contact_set *contacts, const contact_pair *pair, const body_array *bodies, int k,
                      scalar distance, scalar time_step) {
    const scalar gap = contact_places(contacts, pair)[k].gap;
    return gap <= distance && is_near(pair, bodies, gap, distance, time_step);
}

static pair_pulls pull(const contact_set *contacts, const contact_pair *pair, const body_array *bodies,
                       const scree_material_pair_def *material, int touching, scalar time_step,
                       body_load *loads) {
    const contact_manifold *shape = &pair->manifold;
    const manifold_point *at = contact_places(contacts, pair);
    pair_pulls pulls = {{0}};
    for (int k = 0; k < shape->count; ++k) {
        if (!is_pulled(contacts, pair, bodies, k, material->cohesion_distance, time_step)) continue;
        const scalar share = material->cohesion / (scalar)touching;
        const vec3s on_a = glms_vec3_scale(shape->normal, share), on_b = glms_vec3_negate(on_a);
        body_load *a = &loads[shape->a], *b = &loads[shape->b];
        const vec3s arm_a = arm_of(bodies, pair, false, at[k].position);
        const vec3s arm_b = arm_of(bodies, pair, true, at[k].position);
        pulls.of_point[k] = time_step * share;
        a->force = glms_vec3_add(a->force, on_a);
        a->torque = glms_vec3_add(a->torque, glms_vec3_cross(arm_a, on_a));
        b->force = glms_vec3_add(b->force, on_b);
        b->torque = glms_vec3_add(b->torque, glms_vec3_cross(arm_b, on_b));
    }
    return pulls;
}

/* How many points of the bodies of pair i touch; those of the pair before count for the same bodies. */
static int count_touching(const contact_set *contacts, const body_array *bodies, int i, int before,
                          const scree_material_pair_def *material, scalar time_step) {
    int touching = 0;
    if (i > 0 && contact_same_bodies(&contacts->pairs[i - 1], &contacts->pairs[i])) return before;
    for (int part = i; part < contacts->count; ++part) {
        const contact_pair *pair = &contacts->pairs[part];
        if (!contact_same_bodies(&contacts->pairs[i], pair)) break;
        for (int k = 0; k < pair->manifold.count && !pair->foreseen; ++k)
            touching += is_pulled(contacts, pair, bodies, k, material->cohesion_distance, time_step);
    }
    return touching;
}

scree_result cohesion_apply(contact_set *contacts, const body_array *bodies, const material_table *materials,
                            scalar time_step, body_load *loads) {
    TRY(MEMORY_RESERVE(contacts->pulls, contacts->pull_capacity, contacts->count, NULL));
    if (bodies->count > 0) memcpy(loads, bodies->loads, sizeof *loads * (size_t)bodies->count);
    contacts->pulled = true;
    int touching = 0;
    for (int i = 0; i < contacts->count; ++i) {
        const contact_pair *pair = &contacts->pairs[i];
        const scree_material_pair_def material = material_combine(
            materials, bodies->materials[pair->manifold.a], bodies->materials[pair->manifold.b]);
        contacts->pulls[i] = (pair_pulls){{0}};
        if (!(material.cohesion > 0) || pair->foreseen) continue;
        touching = count_touching(contacts, bodies, i, touching, &material, time_step);
        contacts->pulls[i] = pull(contacts, pair, bodies, &material, touching, time_step, loads);
    }
    return SCREE_OK;
}
