/* Bodies in a trial motion on a device, and the gaps that rows predict at its end, for the launches of a
 * detection pass (detect.cl, child_trial.h). */
#ifndef SCREE_KERNELS_TRIAL_BODIES_H
#define SCREE_KERNELS_TRIAL_BODIES_H

#include "body_record.h"
#include "contact_set.h"
#include "periodic_image.h"
#include "trial_motion.h"

#ifdef __OPENCL_VERSION__

typedef struct trial_arrays {
    global const record_shape *shapes;
    global const body_pose *poses, *ends; /* at the beginning and at the end */
    global const body_velocity *motions;
    global const body_mass *masses;
    vec3s period;
} trial_arrays;

#define TRIAL_ARGUMENTS                                                                                      \
    global const record_shape *records, global const body_pose *poses, global const body_pose *ends,         \
        global const body_velocity *motions, global const body_mass *masses, const vec3s period
#define TRIAL_HERE trial_arrays_of(records, poses, ends, motions, masses, period)

SHARED trial_arrays trial_arrays_of(TRIAL_ARGUMENTS) {
    trial_arrays out;
    out.shapes = records, out.poses = poses, out.ends = ends, out.motions = motions, out.masses = masses;
    out.period = period;
    return out;
}

/* A pair of bodies, the second at an image. */
typedef struct trial_pair {
    int a, b, image;
    trial_body of_a, of_b;
} trial_pair;

/* Returns a body, moved to an image. */
SHARED trial_body trial_body_at(const trial_arrays of, const int at, const int image) {
    const body_velocity motion = of.motions[at];
    trial_body out;
    out.position = image_position(of.poses[at].position, image, of.period);
    out.linear = motion.linear, out.angular = motion.angular;
    out.turning_radius = of.shapes[at].turning_radius;
    return out;
}

SHARED trial_pair trial_pair_of(const trial_arrays of, const int a, const int b, const int image) {
    trial_pair out;
    out.a = a, out.b = b, out.image = image;
    out.of_a = trial_body_at(of, a, 0), out.of_b = trial_body_at(of, b, image);
    return out;
}

/* Returns the smaller half width of two bodies, m. */
SHARED float pair_size(const trial_arrays of, const int a, const int b) {
    return scalar_min(of.shapes[a].half_width, of.shapes[b].half_width);
}

/* Returns the pose of the second body of a pair at the end. */
SHARED body_pose end_of_second(const trial_arrays of, const trial_pair pair) {
    body_pose end = of.ends[pair.b];
    end.position = image_position(end.position, pair.image, of.period);
    return end;
}

/* Returns the gap up to which points at the end matter, m. */
SHARED float reach_at_end(const trial_pair pair, const float margin, const float h) {
    return margin + glms_vec3_norm(trial_relative_motion(pair.of_a, pair.of_b, h)) +
           trial_pair_turn(pair.of_a, pair.of_b, h);
}

/* Returns points at the end, moved back to the beginning of the step with their linearised gaps. */
SHARED manifold_points points_back(const trial_arrays of, const trial_pair pair, manifold_points out,
                                   const float h) {
    const vec3s back =
        trial_common_motion(pair.of_a, of.masses[pair.a].mass, pair.of_b, of.masses[pair.b].mass, h);
    for (int i = 0; i < out.count; i++)
        out.points[i] = trial_point_back(out.points[i], out.normal, pair.of_a, pair.of_b, back, h);
    return out;
}

/* Returns the lowest gap at the end that rows for these points predict. */
SHARED float gap_of_points(const trial_pair pair, const manifold_points of, const float h) {
    float lowest = INFINITY;
    for (int k = 0; k < of.count; k++)
        lowest = scalar_min(
            lowest, trial_gap(pair.of_a, pair.of_b, of.normal, of.points[k].position, of.points[k].gap, h));
    return lowest;
}

/* Returns that of an entry. */
SHARED float gap_of_entry(const trial_pair pair, const contact_head head, global const float4 *places,
                          const float h) {
    float lowest = INFINITY;
    for (int k = 0; k < head_count(head); k++) {
        const float4 at = places[head.first + k];
        lowest = scalar_min(lowest,
                            trial_gap(pair.of_a, pair.of_b, head.normal, vec3_of(at.x, at.y, at.z), at.w, h));
    }
    return lowest;
}

/* Returns that of the entries of the same children, from entry i of n on. */
SHARED float gap_of_entries(const trial_pair pair, global const contact_head *heads,
                            global const contact_tag *tags, global const float4 *places, const uint n,
                            const uint i, const float h) {
    float lowest = INFINITY;
    for (uint k = i; k < n; k++) {
        const contact_head head = heads[k];
        if (head.a != pair.a || head.b != pair.b || head_image(head) != pair.image) break;
        if (tags[k].children == tags[i].children)
            lowest = scalar_min(lowest, gap_of_entry(pair, head, places, h));
    }
    return lowest;
}

#endif

#endif
