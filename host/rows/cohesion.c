#include "cohesion.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "detect/compound_children.h"
#include "contact_point.h"

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
    if (shape_has_children(shape_a) || shape_has_children(shape_b)) return true;
    return children_manifold(shape_a, bodies->poses[a], shape_b,
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

/* The points of pair i that touch are marked by a pull of 1; how many these are. */
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
        contacts->cohesive_impulses[i].of_point[k] = 1;
        ++touching;
    }
    return touching;
}

/* Behind all pairs from pair i on that are of its bodies. */
static int bodies_end(const contact_set *contacts, int i) {
    int end = i + 1;
    while (end < contacts->count && contact_same_bodies(&contacts->pairs[i], &contacts->pairs[end])) ++end;
    return end;
}

/* Of all of these, the first of which is i: the force at each point that touches, N. */
static void share_force(contact_set *contacts, const body_array *bodies, const material_table *materials,
                        int i, scalar time_step) {
    const contact_manifold *of = &contacts->pairs[i].manifold;
    const scree_material_pair_def material =
        material_combine(materials, bodies->materials[of->a], bodies->materials[of->b]);
    const int end = bodies_end(contacts, i);
    int touching = 0;
    for (int j = i; j < end; ++j) {
        contacts->cohesive_impulses[j] = (pair_cohesion){{0}};
        if (material.cohesion > 0 && !contacts->pairs[j].predicted)
            touching += mark_pair(contacts, bodies, j, material.cohesion_distance, time_step);
    }
    if (touching == 0) return;
    const scalar force = material.cohesion / (scalar)touching;
    for (int j = i; j < end; ++j)
        for (int k = 0; k < contacts->pairs[j].manifold.count; ++k)
            contacts->cohesive_impulses[j].of_point[k] *= force;
}

static void load(body_load *load, vec3s force, vec3s arm) {
    load->force = glms_vec3_add(load->force, force);
    load->torque = glms_vec3_add(load->torque, glms_vec3_cross(arm, force));
}

/* A step's contacts and bodies, or those of one of its parts (`moved`): each pull is along the normal that
 * stays, at the point where its contact acts now. With the arms of the step's beginning the two of a pair
 * that turns at ω have the moment Δ × F together, where Δ is what their points have come apart: d F ω t along
 * ω, which spins agglomerates up. */
typedef struct pulling {
    const contact_set *contacts;
    const body_array *bodies;
    const problem_input *moved; /* null: nothing has moved */
    scalar time;                /* of which the pulls are impulses, s; 1: they are forces */
} pulling;

static contact_arms arms_of(const pulling *self, const contact_pair *pair, int k) {
    if (self->moved)
        return contact_arms_before(self->moved, pair, contact_point_now(self->moved, pair, k).position);
    const vec3s at = contact_places(self->contacts, pair)[k].position;
    return (contact_arms){arm_of(self->bodies, pair, false, at), arm_of(self->bodies, pair, true, at)};
}

/* What pair i pulls those of its bodies with that are in a share of the slots. */
static void cohesion_apply_pair(const pulling *self, int i, slice share, body_load *loads) {
    const contact_pair *pair = &self->contacts->pairs[i];
    const contact_manifold *of = &pair->manifold;
    const bool has_a = of->a >= share.first && of->a < share.end,
               has_b = of->b >= share.first && of->b < share.end;
    for (int k = 0; (has_a || has_b) && k < of->count; ++k) {
        const scalar force = self->contacts->cohesive_impulses[i].of_point[k] / self->time;
        if (!(force > 0)) continue;
        const vec3s on_a = glms_vec3_scale(of->normal, force);
        const contact_arms arms = arms_of(self, pair, k);
        if (has_a) load(&loads[of->a], on_a, arms.a);
        if (has_b) load(&loads[of->b], glms_vec3_negate(on_a), arms.b);
    }
}

/* Each thread walks over all pairs for the bodies of its own share of the slots, so that a body's loads are
 * summed in the order of the pairs. */
static void cohesion_apply_all(const pulling *self, const body_load *own, int threads, body_load *loads) {
    const int count = self->contacts->count, shares = parallel_threads(threads, count);
#pragma omp parallel for schedule(static) num_threads(shares)
    for (int number = 0; number < shares; ++number) {
        const slice share = slice_of(self->bodies->count, number, shares);
        if (share.first == share.end) continue;
        memcpy(loads + share.first, own + share.first, sizeof *loads * (size_t)(share.end - share.first));
        for (int i = 0; i < count; ++i) cohesion_apply_pair(self, i, share, loads);
    }
}

scree_result cohesion_apply(contact_set *contacts, const body_array *bodies, const material_table *materials,
                            scalar time_step, int threads, body_load *loads) {
    const int shares = parallel_threads(threads, contacts->count);
    TRY(MEMORY_RESERVE(contacts->cohesive_impulses, contacts->cohesion_capacity, contacts->count, NULL));
    contacts->cohesive = true;
#pragma omp parallel for schedule(static) num_threads(shares)
    for (int i = 0; i < contacts->count; ++i)
        if (i == 0 || !contact_same_bodies(&contacts->pairs[i - 1], &contacts->pairs[i]))
            share_force(contacts, bodies, materials, i, time_step);
    const pulling forces = {.contacts = contacts, .bodies = bodies, .time = 1};
    cohesion_apply_all(&forces, bodies->loads, threads, loads);
#pragma omp parallel for schedule(static) num_threads(shares)
    for (int i = 0; i < contacts->count; ++i)
        for (int k = 0; k < MANIFOLD_POINTS; ++k) contacts->cohesive_impulses[i].of_point[k] *= time_step;
    return SCREE_OK;
}

void cohesion_follow(const problem_input *from, const body_load *own, scalar time_step, int threads,
                     body_load *loads) {
    const pulling on = {.contacts = from->contacts, .bodies = from->bodies, .moved = from, .time = time_step};
    cohesion_apply_all(&on, own, threads, loads);
}
