/* The upper limit of a distance joint, a rope, in a step in which its bodies turn or the line between the
 * anchors does. */
#pragma once

#include "joint_bend.h"
#include "joint_path.h"

typedef struct joint_rope {
    vec3s line;          /* direction of the pull, from a to b */
    vec3s arm_a, arm_b;  /* arms of the pull, m */
    joint_motion motion; /* bodies that the rope alone holds at its length */
    joint_geometry end;  /* of that motion */
} joint_rope;

/* Returns the pull that holds two bodies, which otherwise move as in `motion`, at the length of the rope.
 * `gained`: as in limit_motion. */
joint_rope joint_rope_of(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion,
                         const joint_side *a, const joint_side *b, const vec3s gained[2]);
/* Returns `motion` without a force of the step on b, and its reaction on a, at the given arms. */
joint_motion joint_rope_released(const joint_motion *motion, vec3s force, const vec3s arms[2],
                                 const joint_side *a, const joint_side *b);
