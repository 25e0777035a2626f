#include "cohesion.h"

/* A pull F holds r_N ≥ −h F. With r̂ = r + h F n the law of a contact without cohesion holds for r̂, and
 *
 *     V = V* + M⁻¹ Jᵀ r = (V* − M⁻¹ Jᵀ h F n) + M⁻¹ Jᵀ r̂:
 *
 * the pull is a pair of opposite forces on the two bodies at the contact point, which belong to V* like any
 * load, and the problem to be solved is one of contacts without cohesion, whose residual is that of r̂. r̂ is
 * what the solver, the cache and dumps hold; figures and frames show r = r̂ − h F n.
 *
 * A pair touches where its gap at the start of the step is within the distance. F is shared among the points
 * that touch, so that it does not matter by how many points a face is represented. */
static void pull(contact_pair *pair, const body_array *bodies, const scree_material_pair_def *material,
                 scalar time_step, body_load *loads) {
    manifold *shape = &pair->shape;
    int touching = 0;
    for (int k = 0; k < shape->count; ++k) touching += shape->points[k].gap <= material->cohesion_distance;
    for (int k = 0; k < shape->count; ++k) {
        if (!(shape->points[k].gap <= material->cohesion_distance)) continue;
        const scalar share = material->cohesion / (scalar)touching;
        const vec3s on_a = glms_vec3_scale(shape->normal, share), on_b = glms_vec3_negate(on_a);
        body_load *a = &loads[shape->a], *b = &loads[shape->b];
        const vec3s arm_a = glms_vec3_sub(shape->points[k].position, bodies->poses[shape->a].position);
        const vec3s arm_b = glms_vec3_sub(shape->points[k].position, bodies->poses[shape->b].position);
        pair->pulls[k] = time_step * share;
        a->force = glms_vec3_add(a->force, on_a);
        a->torque = glms_vec3_add(a->torque, glms_vec3_cross(arm_a, on_a));
        b->force = glms_vec3_add(b->force, on_b);
        b->torque = glms_vec3_add(b->torque, glms_vec3_cross(arm_b, on_b));
    }
}

void cohesion_apply(contact_set *contacts, const body_array *bodies, const material_table *materials,
                    scalar time_step, body_load *loads) {
    for (int i = 0; i < contacts->count; ++i) {
        contact_pair *pair = &contacts->pairs[i];
        const scree_material_pair_def material =
            material_combine(materials, bodies->materials[pair->shape.a], bodies->materials[pair->shape.b]);
        if (material.cohesion > 0) pull(pair, bodies, &material, time_step, loads);
    }
}
