/* Preliminary test whether grazing.c must examine the motion of two boxes, in the dialect, for any width. It
 * returns true where rounding might. */
#ifndef SCREE_DETECT_SKIMMING_WIDE_H
#define SCREE_DETECT_SKIMMING_WIDE_H

#include "box_points.h"

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
/* Cosine between a normal and an axis above which they are parallel. */
#define SKIMMING_ALONG 0.999999f

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

/* Two boxes, b's centre from a's, and the motion of b relative to a. */
typedef struct skimming_boxes {
    oriented_box a, b;
    vec3s velocity; /* m/s */
    scalar turning; /* of both, m/s */
    scalar far;     /* m: bound of all coordinates of the centres */
} skimming_boxes;

/* Returns whether b overlaps a by no more than `slight` along an axis of a other than the normal. grazing.c
 * chooses the same axes to the bit. */
SHARED scalar_mask box_maybe_beside(oriented_box a, oriented_box b, vec3s between, vec3s normal,
                                    scalar slight) {
    scalar_mask beside = slight < slight;
    for (int i = 0; i < 3; i++) {
        scalar overlap = a.halves[i] - scalar_abs(glms_vec3_dot(between, a.axes[i]));
        for (int j = 0; j < 3; j++)
            overlap = overlap + scalar_abs(glms_vec3_dot(a.axes[i], b.axes[j])) * b.halves[j];
        beside =
            beside | ((overlap <= slight) & (scalar_abs(glms_vec3_dot(normal, a.axes[i])) < SKIMMING_ALONG));
    }
    return beside;
}

/* Returns whether boxes that touch at `found` may pass each other over a time step h. */
SHARED scalar_mask boxes_may_skim(skimming_boxes of, manifold_points found, scalar h) {
    const vec3s normal = found.normal;
    scalar gap = scalar_of(INFINITY);
    for (int i = 0; i < MANIFOLD_POINTS && any_lane(found.count > i); i++)
        gap = choose(found.count > i, scalar_min(gap, found.points[i].gap), gap);
    const scalar approach = -glms_vec3_dot(normal, of.velocity),
                 width = scalar_min(box_smallest_half(of.a), box_smallest_half(of.b));
    const scalar_mask looks = (approach > 0) & (of.turning * h <= SKIMMING_STEADY * width) &
                              (gap >= -SKIMMING_SHALLOW * width) & (gap <= SKIMMING_STEPS * h * approach) &
                              (approach * h >= SKIMMING_AT_REST * SKIMMING_SLIGHT * width);
    if (!any_lane(looks)) return looks;
    const scalar time = scalar_max(gap, scalar_of(0)) / approach;
    const vec3s between =
        glms_vec3_add(glms_vec3_sub(of.b.centre, of.a.centre), glms_vec3_scale(of.velocity, time));
    const scalar size = of.a.halves[0] + of.a.halves[1] + of.a.halves[2] + of.b.halves[0] + of.b.halves[1] +
                        of.b.halves[2] + glms_vec3_norm(between);
    const scalar slight = 2 * SKIMMING_SLIGHT * width + 1e-5f * size + 1e-6f * of.far;
    const scalar aside = skimming_aside(normal, of.velocity, scalar_max(gap, scalar_of(0)), approach);
    const scalar_mask flat = skimming_spans(found.points, found.count, aside, SKIMMING_SLIGHT * width);
    return looks & (flat == 0) &
           (box_maybe_beside(of.a, of.b, between, normal, slight) |
            box_maybe_beside(of.b, of.a, between, normal, slight));
}

#endif
