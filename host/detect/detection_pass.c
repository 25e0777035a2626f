#include "detection_pass.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "child_contacts.h"
#include "rotation.h"

#include <limits.h>

/* Relative to the smaller half size: an overlap left to the stabilisation. */
static const scalar HARMLESS = (scalar)1 / 400;
enum { WORTH_SHARING = 64 }; /* fewest pairs worth several threads; most are in contact already */

/* Returns a bound, m, on the distance of any point of a body at the end from where its velocity would have
 * led it. */
static scalar strayed(const motion_ahead *ahead, int slot, const body_velocity *motion) {
    const body_velocity *before = &ahead->bodies->velocities[slot];
    const scalar turned = glms_vec3_norm(glms_vec3_sub(motion->angular, before->angular));
    const scalar arm = turned > 0 ? bounds_turning_radius(ahead->bodies->shapes[slot]) * turned : 0;
    return ahead->time_step * (glms_vec3_norm(glms_vec3_sub(motion->linear, before->linear)) + arm);
}

/* A pair has a contact unless its gap along a separating normal exceeds m + l + h max(0, approach), with the
 * margin m and the pair's speculative margin l (contacts.c). If the displacement of body i differs by e_i
 * from h v_i, the gap of a pair without contact exceeds m + l − e_a − e_b at the end of the step. With l_i =
 * min(h |v_i|, the smallest half size), l is at least (l_a + l_b)/2, so that a pair that overlaps at the end
 * has a body with
 *
 *     e_i > (m + l_i)/2.
 *
 * Bodies without mass follow their prescribed motion. */
static bool strays(const motion_ahead *ahead, int slot, const body_velocity *motion) {
    const body_array *bodies = ahead->bodies;
    const body_velocity *before = &bodies->velocities[slot];
    const scalar h = ahead->time_step;
    const scalar speculative_margin = scalar_min(h * glms_vec3_norm(before->linear), ahead->smallest);
    return strayed(ahead, slot, motion) > (ahead->margin + speculative_margin) / 2;
}

/* Computes displacement and rotation over h; the rotation vector is that of q' q⁻¹. */
static void find_motion(const motion_ahead *ahead, int slot, body_velocity *out) {
    const body_pose *from = &ahead->bodies->poses[slot], *to = &ahead->poses[slot];
    const scalar rate = 1 / ahead->time_step;
    const versors q = from->rotation, turn = rotation_product(to->rotation, versor_of(-q.x, -q.y, -q.z, q.w));
    out->linear = glms_vec3_scale(glms_vec3_sub(to->position, from->position), rate);
    out->angular = glms_vec3_scale(rotation_vector(turn), rate);
    out->reserved = out->reserved_angular = 0;
}

/* Result of the scan of all bodies. */
typedef struct glance {
    int restless;                  /* number of bodies that may need new contacts */
    bool deviates_from_prescribed; /* some kinematic bodies deviate from their velocities */
    scalar turning;                /* largest displacement of a surface by rotation, m */
} glance;

/* Fills motions and marks restless bodies. */
static glance glance_at_all(detection_pass *self, const motion_ahead *ahead, int threads) {
    const body_array *bodies = ahead->bodies;
    int restless = 0, deviates_from_prescribed = 0;
    scalar turning = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : restless)                       \
    reduction(| : deviates_from_prescribed) reduction(max : turning)
    for (int slot = 0; slot < bodies->count; slot++) {
        body_velocity *motion = &self->motion[slot];
        find_motion(ahead, slot, motion);
        const bool dynamic = body_is_dynamic(bodies, slot), astray = dynamic && strays(ahead, slot, motion);
        const scalar speed = glms_vec3_norm(motion->angular);
        if (speed > 0)
            turning =
                scalar_max(turning, ahead->time_step * speed * bounds_turning_radius(bodies->shapes[slot]));
        self->restless[slot] = astray;
        restless += astray;
        deviates_from_prescribed |=
            bodies->types[slot] == SLOT_KINEMATIC && strayed(ahead, slot, motion) > ahead->margin / 2;
    }
    return (glance){restless, deviates_from_prescribed, turning};
}

/* Returns whether the bodies overlap on the way or at the end. */
static bool meets(const manifold *found, const body_array *moving, const motion_ahead *ahead) {
    const int a = found->a, b = found->b;
    const scalar most = -HARMLESS * bounds_pair_half_width(moving, a, b);
    const vec3s motion = glms_vec3_scale(
        glms_vec3_sub(moving->velocities[b].linear, moving->velocities[a].linear), ahead->time_step);
    const scalar closing = scalar_max(0, -glms_vec3_dot(found->normal, motion));
    for (int i = 0; i < found->count; i++)
        if (found->points[i].gap - closing < most) return true;
    return children_manifold(body_touched(moving, a), ahead->poses[a], body_touched(moving, b),
                             period_pose(&moving->period, ahead->poses[b], found->image), found->children,
                             most)
               .count > 0;
}

/* Returns whether a skimming contact overlaps at the end because its bodies were deflected. */
static bool enters(const skim *of, const body_array *moving, const motion_ahead *ahead) {
    const int a = of->pair.a, b = of->pair.b;
    const scalar most = HARMLESS * bounds_pair_half_width(moving, a, b);
    if (!(strayed(ahead, a, &moving->velocities[a]) + strayed(ahead, b, &moving->velocities[b]) > most))
        return false;
    return children_manifold(body_touched(moving, a), ahead->poses[a], body_touched(moving, b),
                             period_pose(&moving->period, ahead->poses[b], of->pair.image), of->children,
                             -most)
               .count > 0;
}

/* Fills `entered`. Errors: MEMORY. */
static scree_result find_entered(detection_pass *self, const body_array *moving, const motion_ahead *ahead,
                                 const contact_set *contacts, const skim_list *skims, int threads,
                                 int *regrown) {
    contact_set *entered = &self->entered;
    contacts_clear(entered);
    TRY(MEMORY_RESERVE(self->marks, self->mark_capacity, skims->count, regrown));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < skims->count; i++) {
        const skim *of = &skims->items[i];
        self->marks[i] = enters(of, moving, ahead) && !contacts_have(contacts, of->pair, of->children);
    }
    for (int i = 0; i < skims->count; i++) {
        const skim *of = &skims->items[i];
        const contact_pair now = {
            .manifold = {
                .a = of->pair.a, .b = of->pair.b, .image = of->pair.image, .children = of->children}};
        if (!self->marks[i]) continue;
        const manifold found = prediction_manifold(moving, ahead, &now);
        if (found.count == 0) continue; /* the contact in reach is a neighbouring child's */
        TRY(contacts_append(entered, (contact_pair){.last_colour = -1, .predicted = true}, &found, regrown));
    }
    return SCREE_OK;
}

/* Appends the manifolds of a pair that meet and have no contact yet. Errors: MEMORY, UNSUPPORTED. */
static scree_result find_missed(const detection_pass *self, const body_array *moving,
                                const motion_ahead *ahead, const contact_set *contacts, body_pair pair,
                                manifold_list *out) {
    const bool known = contacts_find(contacts, pair) >= 0;
    int kept = out->count;
    if (known && children_count(body_touched(moving, pair.a)) == 1 &&
        children_count(body_touched(moving, pair.b)) == 1)
        return SCREE_OK;
    TRY(narrow_phase_pair(moving, pair, 0, ahead->time_step, out));
    for (int i = kept; i < out->count; i++)
        if (!(known && contacts_have(contacts, pair, out->items[i].children)) &&
            !contacts_have(&self->entered, pair, out->items[i].children) &&
            meets(&out->items[i], moving, ahead))
            out->items[kept++] = out->items[i];
    out->count = kept;
    return SCREE_OK;
}

/* Pairs of restless bodies. */
typedef struct near_pairs {
    const broadphase *all; /* those of a search over all swept boxes */
    const body_pair *few;  /* or these; null: use `all` */
    int count;
} near_pairs;

/* find_missed for the pairs of restless bodies in a slice of all pairs. */
static scree_result search_slice(detection_pass *self, const body_array *moving, const motion_ahead *ahead,
                                 const contact_set *contacts, near_pairs pairs, int number) {
    manifold_list *out = &self->found[number];
    out->count = 0;
    if (pairs.few) {
        const slice of = slice_of(pairs.count, number, PASS_SLICES);
        for (int i = of.first; i < of.end; i++)
            TRY(find_missed(self, moving, ahead, contacts, pairs.few[i], out));
        return SCREE_OK;
    }
    const slice pieces = slice_of(broadphase_piece_count(pairs.all), number, PASS_SLICES);
    for (int piece = pieces.first; piece < pieces.end; piece++) {
        body_pair near[BROADPHASE_PIECE];
        const int count = broadphase_piece(pairs.all, piece, near);
        for (int i = 0; i < count; i++)
            if (self->restless[near[i].a] | self->restless[near[i].b])
                TRY(find_missed(self, moving, ahead, contacts, near[i], out));
    }
    return SCREE_OK;
}

static scree_result collect(detection_pass *self, int *regrown) {
    for (int number = 0; number < PASS_SLICES; number++)
        for (int i = 0; i < self->found[number].count; i++)
            TRY(contacts_append(&self->missed, (contact_pair){.last_colour = -1},
                                &self->found[number].items[i], regrown));
    return SCREE_OK;
}

/* A body that does not stray stays within its box of the search, which extends m/2 + l_i ≥ e_i around its
 * predicted position. A thin body with prescribed motion has a smaller speculative margin. If few bodies
 * stray, the result of that search is used again. */
static scree_result find_pairs(const detection_pass *self, const body_array *moving,
                               const motion_ahead *ahead, const glance *seen, broadphase *pairs,
                               bounds *boxes, int threads, near_pairs *out, int *regrown) {
    const scalar h = ahead->time_step;
    *out = (near_pairs){.all = pairs};
    if (seen->restless <= BROADPHASE_STRAYS && !seen->deviates_from_prescribed && !ahead->again &&
        !moving->period.any)
        return broadphase_pairs_of_strays(pairs, moving, self->restless, boxes, h, &out->few, &out->count,
                                          regrown);
    bounds_sweep(moving, h, threads, boxes);
    return broadphase_pairs(pairs, moving, boxes, h, threads, &out->count, regrown);
}

scree_result detection_pass_find(detection_pass *self, const motion_ahead *ahead, const contact_set *contacts,
                                 const skim_list *skims, broadphase *pairs, bounds *boxes, int threads,
                                 int *regrown) {
    body_array moving = *ahead->bodies;
    int failed = PASS_SLICES;
    near_pairs near;
    contacts_clear(&self->missed);
    TRY(MEMORY_RESERVE(self->motion, self->motion_capacity, moving.count, regrown));
    TRY(MEMORY_RESERVE(self->restless, self->restless_capacity, moving.count, regrown));
    const glance seen = glance_at_all(self, ahead, threads);
    moving.velocities = self->motion;
    TRY(prediction_find(&self->prediction, ahead, &moving, seen.turning, contacts, threads, &self->predicted,
                        regrown));
    TRY(find_entered(self, &moving, ahead, contacts, skims, parallel_threads(threads, skims->count),
                     regrown));
    if (!seen.restless) return SCREE_OK;
    TRY(find_pairs(self, &moving, ahead, &seen, pairs, boxes, threads, &near, regrown));
    if (near.count == 0) return SCREE_OK;
#pragma omp parallel for schedule(dynamic) num_threads(near.count < WORTH_SHARING ? 1 : threads)             \
    reduction(min                                                                                            \
              : failed)
    for (int number = 0; number < PASS_SLICES; number++)
        if (search_slice(self, &moving, ahead, contacts, near, number) != SCREE_OK && number < failed)
            failed = number;
    /* Error messages are thread-local; repeat the call on this thread to set it. */
    if (failed < PASS_SLICES) TRY(search_slice(self, &moving, ahead, contacts, near, failed));
    return collect(self, regrown);
}

void detection_pass_release(detection_pass *self) {
    memory_release(self->motion);
    memory_release(self->restless);
    memory_release(self->marks);
    prediction_release(&self->prediction);
    contacts_release(&self->missed);
    contacts_release(&self->predicted);
    contacts_release(&self->entered);
    for (int i = 0; i < PASS_SLICES; i++) memory_release(self->found[i].items);
    *self = (detection_pass){0};
}
