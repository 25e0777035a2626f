/** @file
 * Joints: constraints between two bodies, or between a body and the world. Call these functions between steps
 * only.
 *
 * A joint has a frame on each of its bodies. Its coordinates are those of frame b relative to frame a: the
 * displacement along a's axes x, y, z (m), and the angles α, β, γ (rad) of the rotation R_x(α) R_y(β) R_z(γ):
 * about a's x, then the rotated y, then b's z. |β| stays below 90°, where α and γ coincide: if either of them
 * is locked, limited, driven or has friction, β must be locked or limited on both sides. Each coordinate is
 * free, locked or limited, and may have a drive and dry friction. All kinds of joint are this one with
 * different default axes, so any coordinate that a kind leaves free can be limited, driven and so on. The
 * rows of joints are part of the same problem as the contacts and are solved by the same method (solver.h).
 */
#ifndef SCREE_JOINT_H
#define SCREE_JOINT_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A joint of one world; all zero is null. */
typedef struct scree_joint_id {
    uint32_t index; /**< slot + 1 */
    uint32_t generation;
    uint32_t world; /**< scree_world_get_number */
} scree_joint_id;

/** Kinds of joint: the coordinates that scree_default_joint_def leaves free. The others are locked. */
typedef enum scree_joint_kind {
    SCREE_JOINT_FIXED,       /**< none */
    SCREE_JOINT_HINGE,       /**< rotation about x */
    SCREE_JOINT_SLIDER,      /**< displacement along x */
    SCREE_JOINT_CYLINDRICAL, /**< displacement along x and rotation about x */
    SCREE_JOINT_UNIVERSAL,   /**< rotations about a's x and b's z */
    SCREE_JOINT_BALL,        /**< all rotations */
    SCREE_JOINT_PLANAR,      /**< displacements along y and z and rotation about x, the normal of the plane */
    /** All coordinates except the distance of the two anchors, which replaces the displacement along x.
       Locked at `low` the joint is a rod, limited a rope, free with a position drive a spring. The frames'
       axes have no effect and the other coordinates stay free. The default locks the distance at 0; a rod
       needs its length in `low`. */
    SCREE_JOINT_DISTANCE,
    SCREE_JOINT_GENERAL, /**< all, to be restricted by the caller */
    /** Displacement along a's x and rotation about b's z: a wheel b on the suspension of a, with x upwards
       along the travel of the spring and z along the axle. The spring is the position drive of x; with
       stiffness k it carries a load F at x = target + F/k. Rotation x is locked; free and driven it steers
       the wheel. */
    SCREE_JOINT_SUSPENSION,
    SCREE_JOINT_KIND_COUNT
} scree_joint_kind;

/** Returns "fixed", "hinge", "slider", "cylindrical", "universal", "ball", "planar", "distance", "general" or
 * "suspension"; null outside the range. */
SCREE_API const char *scree_joint_kind_name(scree_joint_kind kind);

/** The coordinates of a joint. */
typedef enum scree_axis {
    SCREE_AXIS_X,
    SCREE_AXIS_Y,
    SCREE_AXIS_Z,
    SCREE_AXIS_ROTATION_X,
    SCREE_AXIS_ROTATION_Y,
    SCREE_AXIS_ROTATION_Z,
    SCREE_AXIS_COUNT
} scree_axis;

/** How a coordinate is constrained. */
typedef enum scree_axis_mode {
    SCREE_AXIS_FREE,
    SCREE_AXIS_LOCKED,  /**< held at `low` */
    SCREE_AXIS_LIMITED, /**< low ≤ coordinate ≤ high */
    SCREE_AXIS_MODE_COUNT
} scree_axis_mode;

/** How a coordinate is driven. */
typedef enum scree_drive {
    SCREE_DRIVE_NONE,
    SCREE_DRIVE_VELOCITY, /**< motor: to velocity `target`, m/s or rad/s, with at most `max_force` */
    SCREE_DRIVE_POSITION, /**< servo: a spring with rest position `target`, m or rad */
    SCREE_DRIVE_COUNT
} scree_drive;

/** Returns "free", "locked" or "limited"; null outside the range. */
SCREE_API const char *scree_axis_mode_name(scree_axis_mode mode);
/** Returns "none", "velocity" or "position"; null outside the range. */
SCREE_API const char *scree_drive_name(scree_drive drive);

/** A spring and damper with force −k c − d ċ. Give either k and d, or a frequency f > 0 with k and d zero:
 * then k = (2π f)² m and d = 2 ζ (2π f) m, with m the effective mass of the axis at the start of the step
 * (1/A of its row). The integration is implicit and stable for all values. Its numerical damping h k counts
 * as part of d, so the motion has the given damping as long as d ≥ h k, that is ζ ≥ π f h. */
typedef struct scree_spring {
    float stiffness;     /**< k, N/m or N m/rad, 0 to 1e20 */
    float damping;       /**< d, N s/m or N m s/rad, 0 to 1e20 */
    float frequency;     /**< f, Hz, 0 to 1e9; 0: use stiffness and damping */
    float damping_ratio; /**< ζ, 0 to 1e6, used with a frequency */
} scree_spring;

/** One coordinate of a joint. Lengths and angles that its mode and drive use are within ±1e6; others have no
 * effect. */
typedef struct scree_joint_axis {
    scree_axis_mode mode;
    /** m or rad. `free`: not used. `locked`: held at low; high is not used. `limited`: low ≤ high, where −∞
     * and ∞ mean no limit and equal values are a lock. Limits and locks of α and γ count full turns; those of
     * β are within ±1.48 rad (85°); those of a distance are ≥ 0. */
    float low, high;
    scree_spring spring; /**< compliance of a lock, or of limits beyond their bounds; all zero: rigid, apart
                            from the world's stabilisation */
    scree_drive drive;   /**< not allowed on a locked axis */
    float target;        /**< of the drive; a position must be one at which the axis could be locked */
    scree_spring
        servo;       /**< spring of SCREE_DRIVE_POSITION, not all zero; damping alone is viscous friction */
    float max_force; /**< of the drive, N or N m, ≥ 0, may be ∞ */
    float friction;  /**< largest force of dry friction, N or N m, 0 to 1e20; 0 on a locked axis */
    double start;    /**< world time at which the drive's target begins, s, ≥ 0; it is 0 before */
    double ramp;     /**< time in which the target then grows linearly from 0, s, ≥ 0; 0: at once */
} scree_joint_axis;

/** Definition of a joint. */
typedef struct scree_joint_def {
    scree_joint_kind kind;
    scree_body_id a, b;            /**< at least one is dynamic; one may be null: the world */
    scree_vec3 anchor_a, anchor_b; /**< origins of the frames, m, within ±1e9: in body axes relative to the
                                      centre of mass, or in world coordinates for the world */
    scree_quat frame_a, frame_b; /**< rotation from the frame to the body's axes (or the world's), unit within
                                    0.0005 */
    scree_joint_axis axes[SCREE_AXIS_COUNT];
    bool collide;       /**< true: the two bodies may touch */
    float break_force;  /**< N, > 0: the joint breaks if its force exceeds this; ∞: never */
    float break_torque; /**< N m, > 0: the joint breaks if its torque exceeds this; ∞: never */
    uint64_t user_data; /**< free for the caller */
} scree_joint_def;

/** Returns a definition with null bodies, anchors at the centres of mass, frames along the bodies' axes, axes
 * as `kind` describes, no springs, drives or friction, max_force ∞, no contacts between the bodies,
 * unbreakable. */
SCREE_API scree_joint_def scree_default_joint_def(scree_joint_kind kind);

/** Fills anchors and frames of `def` for the current poses of its bodies, so that all coordinates are 0: both
 * origins at `point` (m), both x axes along `x`, both y axes along the component of `y` normal to `x`. `x`
 * and `y` are in world axes, of any length; zero `y` leaves the choice to the function.
 * In a periodic world the periodic image of each body nearest to `point` is used. Errors: ARGUMENT, HANDLE.
 */
SCREE_API scree_result scree_joint_get_frame(const scree_world *world, scree_joint_def *def, scree_vec3 point,
                                             scree_vec3 x, scree_vec3 y);

/** Adds a joint; `out` may be null. Destroying either body destroys the joint. In a periodic world the joint
 * holds the periodic image of b whose anchor is nearest to a's at creation, and continues to do so however
 * often the bodies cross the boundary. Errors: ARGUMENT (names the field), HANDLE, MEMORY. */
SCREE_API scree_result scree_joint_create(scree_world *world, const scree_joint_def *def,
                                          scree_joint_id *out);
/** Destroys a joint. Errors: HANDLE. */
SCREE_API scree_result scree_joint_destroy(scree_world *world, scree_joint_id joint);
/** Returns true if `joint` exists, broken or not. */
SCREE_API bool scree_joint_is_valid(const scree_world *world, scree_joint_id joint);
/** Returns the definition of a joint. Errors: HANDLE. */
SCREE_API scree_result scree_joint_get_def(const scree_world *world, scree_joint_id joint,
                                           scree_joint_def *out);
/** Replaces the definition of a joint and repairs a broken one. Errors: those of scree_joint_create; the
 * joint is then unchanged. */
SCREE_API scree_result scree_joint_set_def(scree_world *world, scree_joint_id joint,
                                           const scree_joint_def *def);
/** Sets the target of the drive of an axis; its `start` and `ramp` remain. Errors: HANDLE, ARGUMENT (no such
 * axis, an axis without a drive, or a target out of range). */
SCREE_API scree_result scree_joint_set_target(scree_world *world, scree_joint_id joint, scree_axis axis,
                                              float target);

/** Adds a force to a coordinate of a joint for the next step only, as a motor of given force or torque does:
 * N along a displacement, N m about an angle. Both bodies get it, with opposite signs: its power is `force`
 * times the rate of the coordinate (scree_joint_state.velocity). Directions are those at the time of the
 * call. It has no effect on static and kinematic bodies, along a locked coordinate, and if the joint is
 * broken. Loads that are already set add up (scree_body_apply_force). Errors: HANDLE; ARGUMENT (no such axis,
 * not finite, or too large for a finite state together with the bodies' other loads; nothing changes then).
 */
SCREE_API scree_result scree_joint_apply_force(scree_world *world, scree_joint_id joint, scree_axis axis,
                                               float force);

/** Coordinates of a joint, and its loads in the last step. */
typedef struct scree_joint_state {
    float position[SCREE_AXIS_COUNT]; /**< coordinates, m and rad; α and γ count full turns */
    float velocity[SCREE_AXIS_COUNT]; /**< of the coordinates, m/s and rad/s */
    scree_vec3 point_a, point_b;      /**< the anchors in world coordinates, m */
    scree_vec3 force;                 /**< N on b at its anchor, world axes, mean over the step */
    scree_vec3 torque;                /**< N m on b about its anchor, world axes, mean over the step */
    float error;       /**< violation of rigid locks and limits of displacements, m: √(Σ c²) */
    float angle_error; /**< violation of rigid locks and limits of angles, rad: √(Σ c²) */
    bool broken;       /**< the joint no longer acts */
} scree_joint_state;

/** Returns the state of a joint. Errors: HANDLE. */
SCREE_API scree_result scree_joint_get_state(const scree_world *world, scree_joint_id joint,
                                             scree_joint_state *out);

/** Returns the number of joints, including broken ones. */
SCREE_API int scree_joint_count(const scree_world *world);
/** Writes the ids of up to `capacity` joints to `out` (may be null if 0), in slot order and including broken
 * ones, and returns the total number. */
SCREE_API int scree_joint_list(const scree_world *world, scree_joint_id *out, int capacity);
/** Writes the ids of up to `capacity` joints that broke in the last step to `out` (may be null if 0), in slot
 * order, and returns their total number. Joints that were repaired or destroyed since are not listed. */
SCREE_API int scree_joint_list_broken(const scree_world *world, scree_joint_id *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
