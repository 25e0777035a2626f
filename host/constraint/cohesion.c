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
static bool is_near(const contact_pair *pair, const body_array *bodies, scalar distance) {
    const int a = pair->manifold.a, b = pair->manifold.b;
    const scree_shape shape_a = body_touched(bodies, a), shape_b = body_touched(bodies, b);
    /* of several parts another may have been near */
    if (shape_has_parts(shape_a) || shape_has_parts(shape_b)) return true;
    return parts_manifold(shape_a, bodies->poses[a], shape_b,
                          body_image_pose(bodies, b, pair->manifold.image), pair->manifold.part, distance)
               .count > 0;
}

/* 2 |s|. */
static scalar way_of(const contact_pair *pair, const body_array *bodies, scalar time_step) {
    enum { STEPS = 2 };
    const int a = pair->manifold.a, b = pair->manifold.b;
    return 2 * STEPS * time_step *
           glms_vec3_norm(glms_vec3_sub(bodies->velocities[b].linear, bodies->velocities[a].linear));
}

/* Marks the points of pair i that touch by a pull of 1; how many these are. */
static int mark_pair(contact_set *contacts, const body_array *bodies, int i, scalar distance,
                     scalar time_step) {
    const contact_pair *pair = &contacts->pairs[i];
    const manifold_point *at = contact_places(contacts, pair);
    const scalar way = way_of(pair, bodies, time_step);
    int touching = 0, near = -1; /* not asked yet, which costs a narrow phase */
    for (int k = 0; k < pair->manifold.count; ++k) {
        if (!(at[k].gap <= distance)) continue;
        if (!(at[k].gap + way <= distance)) {
            if (near < 0) near = is_near(pair, bodies, distance);
            if (!near) continue;
        }
        contacts->pulls[i].of_point[k] = 1;
        ++touching;
    }
    return touching;
}

/* The same of all pairs from pair i on that are of its bodies. */
static int mark_bodies(contact_set *contacts, const body_array *bodies, int i,
                       const scree_material_pair_def *material, scalar time_step) {
    int touching = 0;
    for (int part = i; part < contacts->count; ++part) {
        if (!contact_same_bodies(&contacts->pairs[i], &contacts->pairs[part])) break;
        contacts->pulls[part] = (pair_pulls){{0}};
        if (material->cohesion > 0 && !contacts->pairs[part].foreseen)
            touching += mark_pair(contacts, bodies, part, material->cohesion_distance, time_step);
    }
    return touching;
}

/* Pulls at the points that are marked. */
static void pull(contact_set *contacts, const body_array *bodies, int i, scalar share, scalar time_step,
                 body_load *loads) {
    const contact_pair *pair = &contacts->pairs[i];
    const contact_manifold *shape = &pair->manifold;
    const manifold_point *at = contact_places(contacts, pair);
    const vec3s on_a = glms_vec3_scale(shape->normal, share), on_b = glms_vec3_negate(on_a);
    body_load *a = &loads[shape->a], *b = &loads[shape->b];
    for (int k = 0; k < shape->count; ++k) {
        scalar *of_point = &contacts->pulls[i].of_point[k];
        if (!(*of_point > 0)) continue;
        *of_point = time_step * share;
        a->force = glms_vec3_add(a->force, on_a);
        a->torque =
            glms_vec3_add(a->torque, glms_vec3_cross(arm_of(bodies, pair, false, at[k].position), on_a));
        b->force = glms_vec3_add(b->force, on_b);
        b->torque =
            glms_vec3_add(b->torque, glms_vec3_cross(arm_of(bodies, pair, true, at[k].position), on_b));
    }
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
        if (i == 0 || !contact_same_bodies(&contacts->pairs[i - 1], pair))
            touching = mark_bodies(contacts, bodies, i, &material, time_step);
        if (touching > 0) pull(contacts, bodies, i, material.cohesion / (scalar)touching, time_step, loads);
    }
    return SCREE_OK;
}
