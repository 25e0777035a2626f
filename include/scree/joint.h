/** @file
 * Joints: what holds two bodies, or a body and the world, together. All calls are made between steps.
 *
 * A joint has a frame on each of its bodies. Its coordinates are those of frame b seen from frame a: the
 * displacement along a's axes x, y, z (m), and the angles α, β, γ (rad) of the rotation R_x(α) R_y(β) R_z(γ),
 * first about a's x, then about the y that it leaves, then about b's z; |β| stays below 90°, where α and γ
 * are one turn: where either is locked, limited, driven or rubs, β is locked or limited on both sides. Each
 * of the six is free, locked or limited, may be driven and may rub. All kinds of joints are this one with
 * different axes: what a kind leaves free can be limited, driven and so on. A joint's rows stand in the same
 * problem as contacts and are solved by the same method (solver.h). */
#ifndef SCREE_JOINT_H
#define SCREE_JOINT_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A joint of one world; all zero is null. */
typedef struct scree_joint_id {
    uint32_t index; /**< place + 1 */
    uint32_t generation;
    uint32_t world; /**< scree_world_get_number */
} scree_joint_id;

/** What scree_default_joint_def leaves free; the rest is locked. */
typedef enum scree_joint_kind {
    SCREE_JOINT_FIXED,       /**< nothing */
    SCREE_JOINT_HINGE,       /**< the angle about x */
    SCREE_JOINT_SLIDER,      /**< the way along x */
    SCREE_JOINT_CYLINDRICAL, /**< the way along x and the angle about it */
    SCREE_JOINT_UNIVERSAL,   /**< the angles about a's x and b's z */
    SCREE_JOINT_BALL,        /**< all angles */
    SCREE_JOINT_PLANAR,      /**< the ways along y and z and the angle about x, the normal of the plane */
    /** All but the distance of the two anchors, which takes the place of the way along x: locked at `low` it
     * is a rod, limited a rope, free and driven to a position a spring. The frames' axes do not matter, and
     * the other coordinates stay free. The default, locked at 0, pulls the anchors into one point: a rod
     * needs its length in `low`. */
    SCREE_JOINT_DISTANCE,
    SCREE_JOINT_GENERAL, /**< everything: for axes of one's own choice */
    /** The way along a's x and the angle about b's z: a wheel b on a's suspension, with the way of its spring
     * along x, up, and its axle along z. The spring is a servo of x, whose stiffness k carries a load F at x
     * = target + F/k. Rotation x, locked, steers where it is free and driven. */
    SCREE_JOINT_SUSPENSION,
    SCREE_JOINT_KIND_COUNT
} scree_joint_kind;

/** "fixed", "hinge", "slider", "cylindrical", "universal", "ball", "planar", "distance", "general",
 * "suspension". Null outside the range. */
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

typedef enum scree_axis_mode {
    SCREE_AXIS_FREE,
    SCREE_AXIS_LOCKED,  /**< held at `low` */
    SCREE_AXIS_LIMITED, /**< low ≤ coordinate ≤ high */
    SCREE_AXIS_MODE_COUNT
} scree_axis_mode;

typedef enum scree_drive {
    SCREE_DRIVE_NONE,
    SCREE_DRIVE_VELOCITY, /**< to `target`, m/s or rad/s, by at most `max_force` */
    SCREE_DRIVE_POSITION, /**< a spring with its rest at `target`, m or rad: a servo */
    SCREE_DRIVE_COUNT
} scree_drive;

/** "free", "locked", "limited"; "none", "velocity", "position". Null outside the range. */
SCREE_API const char *scree_axis_mode_name(scree_axis_mode mode);
SCREE_API const char *scree_drive_name(scree_drive drive);

/** A spring and damper, force −k c − d ċ, by k and d, or by a frequency above 0 and neither of them: k = (2π
 * f)² m, d = 2 ζ (2π f) m, with m the mass that the axis moves at the step's begin (1/A of its row). It is
 * taken implicitly, stable for any numbers; the damping h k that this brings counts as a part of d, so that
 * the motion has the damping asked for as long as d ≥ h k, that is ζ ≥ π f h. */
typedef struct scree_spring {
    float stiffness;     /**< k, N/m or N m/rad, 0 to 1e20 */
    float damping;       /**< d, N s/m or N m s/rad, 0 to 1e20 */
    float frequency;     /**< f, Hz, 0 to 1e9; 0: stiffness and damping hold */
    float damping_ratio; /**< ζ, 0 to 1e6, with a frequency */
} scree_spring;

/** One coordinate of a joint. */
typedef struct scree_joint_axis {
    scree_axis_mode mode;
    float low, high; /**< m or rad, within ±1e6; of `limited` low ≤ high, −∞ and ∞ for none, both the same a
                        lock; of `locked` low is where it is held. Limits and locks of α and γ count full
                        turns, those of β lie within ±1.48 (85°), those of a distance are ≥ 0 */
    scree_spring spring; /**< what lock and limits yield by, limits beyond them; all zero: not at all, up to
                            the world's stabilisation */
    scree_drive drive;   /**< of an axis that is not locked */
    float target;        /**< of the drive, within ±1e6; a position is where a lock could be */
    scree_spring servo;  /**< of SCREE_DRIVE_POSITION */
    float max_force;     /**< of the drive, N or N m, ≥ 0, ∞ allowed */
    float friction;      /**< largest force of dry friction, N or N m, 0 to 1e20; 0 of a locked axis */
} scree_joint_axis;

/** Everything a new joint needs. */
typedef struct scree_joint_def {
    scree_joint_kind kind;
    scree_body_id a, b;            /**< one of them dynamic; null: the world, of one of them */
    scree_vec3 anchor_a, anchor_b; /**< origin of the frame, m, in the body's axes from its centre of mass; of
                                      the world in world axes; within ±1e9 */
    scree_quat frame_a, frame_b;   /**< axes of the frame, to the body's (or the world's), unit */
    scree_joint_axis axes[SCREE_AXIS_COUNT];
    bool collide;       /**< whether the two bodies may touch */
    float break_force;  /**< N, > 0: the joint breaks where the force on it is larger; ∞: never */
    float break_torque; /**< N m, likewise */
    uint64_t user_data; /**< the caller's own */
} scree_joint_def;

/** Null bodies, anchors at centres, frames along the bodies' axes, axes as the kind says, no springs, drives
 * or friction, max_force ∞, no collision, unbreakable. */
SCREE_API scree_joint_def scree_default_joint_def(scree_joint_kind kind);

/** Fills anchors and frames of `def` for the bodies where they are now: both origins at `point` (m), both x
 * axes along `x`, both y axes along what of `y` is normal to `x` (world axes, any length; y all zero: any).
 * The squares of `x` and `y` are finite. All coordinates begin at 0. In a periodic world of each body the
 * image that is nearest to the point. Errors: ARGUMENT, HANDLE. */
SCREE_API scree_result scree_joint_get_frame(const scree_world *world, scree_joint_def *def, scree_vec3 point,
                                             scree_vec3 x, scree_vec3 y);

/** Adds a joint; `out` may be null. Where either body is destroyed so is the joint. In a periodic world it
 * holds that image of b whose anchor is nearest to a's, however often the two go round then. Errors: ARGUMENT
 * (names the field), HANDLE, MEMORY. */
SCREE_API scree_result scree_joint_create(scree_world *world, const scree_joint_def *def,
                                          scree_joint_id *out);
/** Errors: HANDLE. */
SCREE_API scree_result scree_joint_destroy(scree_world *world, scree_joint_id joint);
SCREE_API bool scree_joint_is_valid(const scree_world *world, scree_joint_id joint);
/** The definition, and another one in its place, which mends a broken joint. Errors: those of
 * scree_joint_create; the old one stays then. */
SCREE_API scree_result scree_joint_get_def(const scree_world *world, scree_joint_id joint,
                                           scree_joint_def *out);
SCREE_API scree_result scree_joint_set_def(scree_world *world, scree_joint_id joint,
                                           const scree_joint_def *def);
/** Changes the target of an axis' drive. Errors: HANDLE, ARGUMENT (no such axis, one without a drive, out of
 * range). */
SCREE_API scree_result scree_joint_set_target(scree_world *world, scree_joint_id joint, scree_axis axis,
                                              float target);

/** How a joint stands, and what it did in the last step. */
typedef struct scree_joint_state {
    float position[SCREE_AXIS_COUNT]; /**< coordinates, m and rad; α and γ count full turns */
    float velocity[SCREE_AXIS_COUNT]; /**< of the coordinates, m/s and rad/s */
    scree_vec3 point_a, point_b;      /**< the anchors in the world, m */
    scree_vec3 force;                 /**< N on b at its anchor, world axes, mean over the step */
    scree_vec3 torque;                /**< N m on b about its anchor, likewise */
    float error;       /**< by how much hard locks and limits of ways are violated, m: √(Σ c²) */
    float angle_error; /**< of angles, rad */
    bool broken;       /**< it acts no more */
} scree_joint_state;

/** Errors: HANDLE. */
SCREE_API scree_result scree_joint_get_state(const scree_world *world, scree_joint_id joint,
                                             scree_joint_state *out);

/** Number of joints, broken ones included, and their ids in the order of their places (room for `capacity`;
 * null with 0); returns how many there are. */
SCREE_API int scree_joint_count(const scree_world *world);
SCREE_API int scree_joint_list(const scree_world *world, scree_joint_id *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
