#include "cohesion.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "detect/child_contacts.h"
#include "contact_point.h"
#include "held_pair.h"

#include "bound_pair.h"

#include <string.h>

/* A cohesive force F allows r_N ≥ −h F. With r̂ = r + h F n the law of a contact without cohesion applies to
 * r̂, and
 *
 *     V = V* + M⁻¹ Jᵀ r = (V* − M⁻¹ Jᵀ h F n) + M⁻¹ Jᵀ r̂:
 *
 * cohesion is a pair of opposite forces on the two bodies, with the arms of the block. They belong to V* like
 * any load, and the problem to solve is one of contacts without cohesion, whose residual is that of r̂. The
 * solver, the cache and dumps hold r̂; statistics and frames show r = r̂ − h F n.
 *
 * A pair is cohesive if its gap at the start of the step is within the distance. The gap of a row, which is
 * linearised about the closest approach, would attract bodies in every step in which they merely pass; it is
 * enough where it is at least the way (cohesion_way) below the distance. The touching points divide F, so the
 * number of points of a face does not matter. */
static bool is_near(const contact_pair *pair, const body_array *bodies, scalar distance) {
    const int a = pair->manifold.a, b = pair->manifold.b;
    const scree_shape shape_a = body_collision_shape(bodies, a), shape_b = body_collision_shape(bodies, b);
    /* For compounds another pair of children may be in range. */
    if (shape_has_children(shape_a) || shape_has_children(shape_b)) return true;
    return children_manifold(shape_a, bodies->poses[a], shape_b,
                             body_image_pose(bodies, b, pair->manifold.image), pair->manifold.children,
                             distance)
               .count > 0;
}

/* Marks the touching points of pair i with a force of 1 and returns their number. */
static int mark_pair(contact_set *contacts, const body_array *bodies, int i, scalar distance,
                     scalar time_step) {
    const contact_pair *pair = &contacts->pairs[i];
    const manifold_point *at = contact_places(contacts, pair);
    const scalar way = cohesion_way(bodies->velocities[pair->manifold.a].linear,
                                    bodies->velocities[pair->manifold.b].linear, time_step);
    int touching = 0, near = -1; /* not computed yet: costs a narrow phase */
    for (int k = 0; k < pair->manifold.count; k++) {
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

/* Returns the end of the run of pairs from pair i on with the same two bodies. */
static int bodies_end(const contact_set *contacts, int i) {
    int end = i + 1;
    while (end < contacts->count && contact_same_bodies(&contacts->pairs[i], &contacts->pairs[end])) ++end;
    return end;
}

/* Computes the force at each touching point, N, of all pairs with the bodies of pair i, the first of them. */
static void divide_force(contact_set *contacts, const body_array *bodies, const material_table *materials,
                         int i, scalar time_step) {
    const contact_manifold *of = &contacts->pairs[i].manifold;
    const scree_material_pair_def material =
        material_combine(materials, bodies->materials[of->a], bodies->materials[of->b]);
    const int end = bodies_end(contacts, i);
    int touching = 0;
    for (int j = i; j < end; j++) {
        contacts->cohesive_impulses[j] = (pair_cohesion){{0}};
        if (material.cohesion > 0 && !contacts->pairs[j].predicted)
            touching += mark_pair(contacts, bodies, j, material.cohesion_distance, time_step);
    }
    if (touching == 0) return;
    const scalar force = material.cohesion / (scalar)touching;
    for (int j = i; j < end; j++)
        for (int k = 0; k < contacts->pairs[j].manifold.count; k++)
            contacts->cohesive_impulses[j].of_point[k] *= force;
}

static void load(body_load *load, vec3s force, vec3s arm) {
    load->force = glms_vec3_add(load->force, force);
    load->torque = glms_vec3_add(load->torque, glms_vec3_cross(arm, force));
}

/* The contacts and bodies of a step, or of one of its substeps (`moved`). Each force is along the normal of
 * detection, at the current point of its contact. With the arms from the beginning of the step, the two
 * forces on a pair that turns at ω would have the moment Δ × F, where Δ is the separation of their points, d
 * F ω t along ω, which would spin agglomerates up. */
typedef struct pulling {
    const contact_set *contacts;
    const body_array *bodies;
    const problem_input *moved; /* null: no body has moved */
    scalar time;                /* duration for which `pulls` are impulses, s; 1: they are forces */
} pulling;

static contact_arms arms_of(const pulling *self, const contact_pair *pair, int k) {
    if (self->moved)
        return contact_arms_of(self->moved, pair, contact_point_now(self->moved, pair, k).position);
    const vec3s at = contact_places(self->contacts, pair)[k].position;
    return contact_arms_joined(
        self->bodies, pair,
        (contact_arms){arm_of(self->bodies, pair, false, at), arm_of(self->bodies, pair, true, at)});
}

/* Adds the cohesive forces of pair i to those of its bodies that are in a slice of the slots. */
static void cohesion_apply_pair(const pulling *self, int i, slice slots, body_load *loads) {
    const contact_pair *pair = &self->contacts->pairs[i];
    const contact_manifold *of = &pair->manifold;
    const bool has_a = of->a >= slots.first && of->a < slots.end,
               has_b = of->b >= slots.first && of->b < slots.end;
    for (int k = 0; (has_a || has_b) && k < of->count; k++) {
        const scalar force = self->contacts->cohesive_impulses[i].of_point[k] / self->time;
        if (!(force > 0)) continue;
        const vec3s on_a = glms_vec3_scale(of->normal, force);
        const contact_arms arms = arms_of(self, pair, k);
        if (has_a) load(&loads[of->a], on_a, arms.a);
        if (has_b) load(&loads[of->b], glms_vec3_negate(on_a), arms.b);
    }
}

typedef struct cohesion_loop {
    const pulling *self;
    int slices, count;
    body_load *loads;
    const body_load *own;
} cohesion_loop;

static void apply_slices(const void *context, slice part) {
    const cohesion_loop loop = *(const cohesion_loop *)context;
    for (int number = part.first; number < part.end; number++) {
        const slice slots = slice_of(loop.self->bodies->count, number, loop.slices);
        if (slots.first == slots.end) continue;
        memcpy(loop.loads + slots.first, loop.own + slots.first,
               sizeof *loop.loads * (size_t)(slots.end - slots.first));
        for (int i = 0; i < loop.count; i++) cohesion_apply_pair(loop.self, i, slots, loop.loads);
    }
}

/* Each thread loops over all pairs for the bodies of its slice of the slots, so a body's loads are summed in
 * the order of the pairs. */
static void cohesion_apply_all(const pulling *self, const body_load *own, int threads, body_load *loads) {
    const int count = self->contacts->count, slices = parallel_threads(threads, count);
    parallel_for(
        slices, slices, apply_slices,
        &(const cohesion_loop){.self = self, .slices = slices, .loads = loads, .own = own, .count = count});
}

typedef struct force_loop {
    contact_set *contacts;
    const body_array *bodies;
    const material_table *materials;
    scalar time_step;
    bool first; /* of the step */
} force_loop;

static void divide_slice(const void *context, slice part) {
    const force_loop loop = *(const force_loop *)context;
    for (int i = part.first; i < part.end; i++)
        if (i == 0 || !contact_same_bodies(&loop.contacts->pairs[i - 1], &loop.contacts->pairs[i]))
            divide_force(loop.contacts, loop.bodies, loop.materials, i, loop.time_step);
}

/* Turns forces into impulses. The warm start of r, without cohesion, becomes that of r̂: a bond that is new or
 * has broken begins with the impulse that acted, and not with the whole of h F. */
static void scale_slice(const void *context, slice part) {
    const force_loop loop = *(const force_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        const contact_pair *pair = &loop.contacts->pairs[i];
        contact_action *actions = contact_actions(loop.contacts, pair);
        for (int k = 0; k < MANIFOLD_POINTS; k++) {
            scalar *pull = &loop.contacts->cohesive_impulses[i].of_point[k];
            *pull *= loop.time_step;
            if (loop.first && *pull > 0)
                actions[k].impulse =
                    glms_vec3_add(actions[k].impulse, glms_vec3_scale(pair->manifold.normal, *pull));
        }
    }
}

scree_result cohesion_apply(contact_set *contacts, const body_array *bodies, const material_table *materials,
                            scalar time_step, int threads, body_load *loads) {
    const int slices = parallel_threads(threads, contacts->count);
    TRY(MEMORY_RESERVE(contacts->cohesive_impulses, contacts->cohesion_capacity, contacts->count, NULL));
    const bool first = !contacts->cohesive;
    contacts->cohesive = true;
    parallel_for(slices, contacts->count, divide_slice,
                 &(const force_loop){
                     .contacts = contacts, .bodies = bodies, .materials = materials, .time_step = time_step});
    held_pairs_follow(contacts, bodies, threads);
    const pulling forces = {.contacts = contacts, .bodies = bodies, .time = 1};
    cohesion_apply_all(&forces, bodies->loads, threads, loads);
    parallel_for(slices, contacts->count, scale_slice,
                 &(const force_loop){.contacts = contacts, .time_step = time_step, .first = first});
    return SCREE_OK;
}

void cohesion_follow(const problem_input *from, const body_load *own, scalar time_step, int threads,
                     body_load *loads) {
    const pulling on = {.contacts = from->contacts, .bodies = from->bodies, .moved = from, .time = time_step};
    cohesion_apply_all(&on, own, threads, loads);
}
