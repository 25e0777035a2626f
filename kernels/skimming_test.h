/* The first tests of skimming.h, in the dialect, for any width: contacts that fail them are not examined. */
#ifndef SCREE_KERNELS_SKIMMING_TEST_H
#define SCREE_KERNELS_SKIMMING_TEST_H

#include "box_separation.h"
#include "manifold_points.h"

/* Relative to the smaller half width: a negligible overlap (box_separation.h treats axes whose overlaps
 * differ by as much as equal), and the largest overlap of an examined pair. Beyond SKIMMING_SHALLOW the
 * choice among the axes is right by itself. */
#define SKIMMING_SLIGHT 1e-3f
#define SKIMMING_SHALLOW 3e-3f
/* Relative to SKIMMING_SLIGHT: approach of bodies at rest in a step. */
#define SKIMMING_AT_REST 0.01f
/* In steps: longest time until the gap closes. A pair that approaches faster in the next step is then still
 * examined in time. */
#define SKIMMING_STEPS 2
/* Relative to the smaller half width: bodies that rotate by more within the step do not follow their
 * translation alone. */
#define SKIMMING_STEADY 3e-3f
/* Relative to the smaller half width: by how much bodies are moved deeper into each other. */
#define SKIMMING_SET_IN 4e-3f
/* Cosine above which two normals are the same. */
#define SKIMMING_SAME_NORMAL 0.99999f

/* Returns the lateral displacement of the bodies until a gap has closed. */
SHARED scalar skimming_aside(vec3s normal, vec3s velocity, scalar gap, scalar approach) {
    const vec3s aside = glms_vec3_add(velocity, glms_vec3_scale(normal, approach));
    return gap / approach * glms_vec3_norm(aside);
}

/* Returns whether the points span a face so wide that bodies displaced laterally by `aside` still block each
 * other. The distance of a point from the line through two others is less than twice the smallest width. */
SHARED scalar_mask skimming_spans(const manifold_point *points, scalar_int count, scalar aside,
                                  scalar slight) {
    const vec3s first = points[0].position;
    vec3s longest = glms_vec3_zero();
    scalar widest = scalar_of(0), least = scalar_of(INFINITY), most = -least;
    if (!any_lane(count >= 3)) return count >= 3;
    for (int i = 0; i < MANIFOLD_POINTS && any_lane(count > i); i++) {
        const vec3s to = glms_vec3_sub(points[i].position, first);
        const scalar_mask is = count > i;
        longest = vec3_choose(is & (glms_vec3_norm2(to) > glms_vec3_norm2(longest)), to, longest);
        least = choose(is, scalar_min(least, points[i].gap), least);
        most = choose(is, scalar_max(most, points[i].gap), most);
    }
    for (int i = 0; i < MANIFOLD_POINTS && any_lane(count > i); i++) {
        const vec3s to = glms_vec3_sub(points[i].position, first);
        widest = choose(count > i, scalar_max(widest, glms_vec3_norm(glms_vec3_cross(longest, to))), widest);
    }
    return (count >= 3) & (most - least < slight) &
           (widest > (32 * slight + 2 * aside) * glms_vec3_norm(longest));
}

/* The motion of b relative to a. */
typedef struct skimming_motion {
    vec3s velocity;       /* m/s */
    scalar turning_speed; /* of both surfaces, m/s */
    scalar width;         /* smaller half width, m */
} skimming_motion;

SHARED scalar skimming_approach(vec3s normal, vec3s velocity) { return -glms_vec3_dot(normal, velocity); }

/* Returns whether bodies still approach by more than bodies at rest do. */
SHARED scalar_mask skimming_approaches(scalar approach, scalar h, scalar width) {
    return approach * h >= SKIMMING_AT_REST * SKIMMING_SLIGHT * width;
}

/* Returns the smallest gap of some points. */
SHARED scalar skimming_least_gap(const manifold_point *points, scalar_int count) {
    scalar least = scalar_of(INFINITY);
    for (int i = 0; i < MANIFOLD_POINTS && any_lane(count > i); i++)
        least = choose(count > i, scalar_min(least, points[i].gap), least);
    return least;
}

/* Returns whether bodies that touch at these points may pass each other over a time step h. `mean`: the
 * normal is between those of two edges that meet. It turns to that of a face while the bodies slide along the
 * face, so their approach along it is less than what decides whether they are at rest. */
SHARED scalar_mask skimming_possible(skimming_motion of, vec3s normal, const manifold_point *points,
                                     scalar_int count, scalar_mask mean, scalar h) {
    const scalar gap = skimming_least_gap(points, count), approach = skimming_approach(normal, of.velocity);
    const scalar_mask possible =
        (approach > 0) & (of.turning_speed * h <= SKIMMING_STEADY * of.width) &
        (gap >= -SKIMMING_SHALLOW * of.width) & (gap <= SKIMMING_STEPS * h * approach) &
        skimming_approaches(choose(mean, glms_vec3_norm(of.velocity), approach), h, of.width);
    if (!any_lane(possible)) return possible;
    const scalar aside = skimming_aside(normal, of.velocity, scalar_max(gap, scalar_of(0)), approach);
    return possible & (mean | (skimming_spans(points, count, aside, SKIMMING_SLIGHT * of.width) == 0));
}

/* Returns the motion deeper along the normal: the relative motion itself if it leads mostly there, since the
 * normal is arbitrary between edges that are about to meet; otherwise straight along the normal. */
SHARED vec3s skimming_set_in(vec3s normal, vec3s velocity, scalar deeper) {
    const scalar approach = skimming_approach(normal, velocity);
    return vec3_choose(approach > 0.5f * glms_vec3_norm(velocity),
                       glms_vec3_scale(velocity, deeper / approach), glms_vec3_scale(normal, -deeper));
}

/* Returns the axes of two boxes after a motion of b. */
SHARED box_axes skimming_axes(oriented_box a, oriented_box b, vec3s motion) {
    b.centre = glms_vec3_add(b.centre, motion);
    return box_axes_of(box_couple_of(a, b), scalar_of(INFINITY));
}

/* Returns whether boxes that may pass each other are in each other's way: the normal is that of the time of
 * impact, and deeper in they overlap along all axes by more than is negligible. `gap`: the smallest one. */
SHARED scalar_mask skimming_blocked(oriented_box a, oriented_box b, skimming_motion of, vec3s normal,
                                    scalar gap) {
    const scalar slop = box_separation_slop(a, b), none = scalar_of(0);
    const scalar time = scalar_max(gap, none) / skimming_approach(normal, of.velocity);
    const vec3s until = glms_vec3_scale(of.velocity, time);
    const vec3s deeper =
        skimming_set_in(normal, of.velocity, SKIMMING_SET_IN * of.width + scalar_min(gap, none));
    const box_axes in = skimming_axes(a, b, glms_vec3_add(until, deeper));
    const scalar_mask deep = scalar_max(best_face(in), in.edges) < -2 * slop, touching = gap <= 0;
    if (!any_lane(deep & (touching == 0))) return deep;
    const box_axes at = skimming_axes(a, b, until);
    b.centre = glms_vec3_add(b.centre, until);
    const vec3s then = box_separation_of(a, b, at).best.normal;
    return deep & (touching | (glms_vec3_dot(normal, then) >= SKIMMING_SAME_NORMAL));
}

#endif
