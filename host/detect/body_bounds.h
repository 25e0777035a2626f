/* Axis-aligned bounding boxes of all bodies, padded so that every contact within the step is found. */
#pragma once

#include "geometry/bounds.h"
#include "state/bodies.h"

/* Returns the speed at which a body's surface can approach by rotation alone, m/s. A half-space rotates about
 * a point as far away as the other body, at `distance`, m. */
scalar bounds_turning_speed(const body_array *bodies, int slot, scalar distance);

/* Returns the smaller of the half widths of two bodies, m. */
scalar bounds_pair_half_width(const body_array *bodies, int a, int b);

/* Returns the smallest half width of all dynamic bodies, m; infinity if there are none. */
scalar bounds_smallest_half_width(const body_array *bodies, int threads);

/* A body's speculative margin for a step h is min(h |v|, smallest half size), m: the length by which its
 * motion may be cut short. Bodies that fall together do not approach at the start of the step, but once the
 * lower ones stop, the upper ones run into them by up to h |v|. With half of the smaller body, this step
 * detects the impact of the first layers and the following steps that of the next ones. The margin vanishes
 * at rest. That of a pair, min(h max(|v_a|, |v_b|), the smaller half size) (reach_margin), is at most the
 * larger of the bodies' own. */

/* Fills out[0 … bodies->count) with exact boxes, extended by margin/2 + speculative margin + h |ω| · turning
 * radius in every direction and by h v along the motion. Two boxes then meet whenever the bodies, at constant
 * velocities, come within the margin plus the pair's speculative margin during the step h. A half-space keeps
 * its infinite box; its padding is margin/2 + speculative margin + h |v|, its rotation_angle h |ω|. */
void bounds_compute_padded(const body_array *bodies, scalar margin, scalar time_step, int threads,
                           bounds *out);

/* bounds_compute_padded without both margins: the boxes that bodies sweep at constant velocities. One body,
 * or all. */
bounds body_swept_box(const body_array *bodies, int slot, scalar time_step);
void body_swept_boxes(const body_array *bodies, scalar time_step, int threads, bounds *out);
