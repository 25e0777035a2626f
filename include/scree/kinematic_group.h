/** @file
 * Kinematic groups: kinematic bodies that share one prescribed motion, such as a drum with lifters, a
 * shaken tray, a mixer blade or a gate. Their pose is a function of time rather than a sum over steps, so it
 * does not drift. Contacts use the velocities that carry the bodies to their poses at the end of the step;
 * under `substep` those of each substep, of which the last remain in the state. */
#ifndef SCREE_KINEMATIC_GROUP_H
#define SCREE_KINEMATIC_GROUP_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A kinematic group of one world; all zero is null. */
typedef struct scree_kinematic_group_id {
    uint32_t index; /**< slot + 1 */
    uint32_t generation;
    uint32_t world; /**< scree_world_get_number */
} scree_kinematic_group_id;

/** Kinds of motion. τ is the time since the motion's start, at most stop − start; e(τ) = τ²/(2 ramp) up to
 * the end of the ramp and τ − ramp/2 afterwards. */
typedef enum scree_motion_kind {
    SCREE_MOTION_LINEAR,   /**< translation by e(τ) · velocity */
    SCREE_MOTION_ROTATION, /**< rotation by e(τ) · speed about the axis through the point */
    SCREE_MOTION_OSCILLATION, /**< translation along the axis by a (sin(2π f τ + phase) − sin(phase)), where a
                                 = amplitude · min(1, τ/ramp) */
    SCREE_MOTION_SWING, /**< rotation about the axis through the point by the angle a (sin(2π f τ + phase) −
                           sin(phase)), a as for the oscillation */
    SCREE_MOTION_TABLE, /**< interpolation of keys at constant velocity; at rest after the last key */
    SCREE_MOTION_COUNT
} scree_motion_kind;

/** Returns "linear", "rotation", "oscillation", "swing" or "table"; null outside the range. */
SCREE_API const char *scree_motion_kind_name(scree_motion_kind kind);

/** A key of a table motion: the displacement reached at a time. */
typedef struct scree_motion_key {
    double time;         /**< s since the motion's start, ≥ 0, greater than that of the previous key */
    scree_vec3 offset;   /**< translation, applied after the rotation, m */
    scree_quat rotation; /**< unit, about the motion's point */
} scree_motion_key;

/** Definition of a motion. Fields that the kind does not use are ignored. */
typedef struct scree_motion_def {
    scree_motion_kind kind;
    double start;        /**< s since the motions of the kinematic group were set, ≥ 0; no effect before */
    double stop;         /**< s, > start: the displacement stays constant from then on; INFINITY: never */
    double ramp;         /**< s, ≥ 0: time in which the speed or amplitude grows linearly from 0 */
    scree_vec3 velocity; /**< m/s; linear */
    scree_vec3 axis;     /**< any length > 0; rotation, swing and oscillation */
    scree_vec3 point;    /**< point on the axis when the motion begins, m; rotation, swing and table */
    double speed;        /**< rad/s, by the right-hand rule; rotation */
    double amplitude;    /**< m for oscillation, rad for swing */
    double frequency;    /**< Hz, ≥ 0; oscillation and swing */
    double phase;        /**< rad; oscillation and swing; −π/2 begins at rest */
    const scree_motion_key *keys; /**< table, copied. The motion begins with an identity key at 0 s; a first
                                     key at 0 s must be the identity */
    int key_count;
} scree_motion_def;

/** Returns a motion of `kind` from 0 s without end, without ramp, along or about z through the origin; all
 * other values 0. */
SCREE_API scree_motion_def scree_default_motion_def(scree_motion_kind kind);

/** Checks the motions of a kinematic group. `motions` may be null if `count` is 0. Errors: ARGUMENT (names
 * the motion and the field). */
SCREE_API scree_result scree_validate_motions(const scree_motion_def *motions, int count);

/** Definition of a kinematic group. */
typedef struct scree_kinematic_group_def {
    const scree_body_id *bodies; /**< kinematic, distinct, in no other kinematic group */
    int body_count;
    const scree_motion_def
        *motions;     /**< each motion carries the preceding ones; the first is the innermost */
    int motion_count; /**< 0: at rest */
} scree_kinematic_group_def;

/** Returns a definition without bodies and motions. */
SCREE_API scree_kinematic_group_def scree_default_kinematic_group_def(void);

/** Makes a kinematic group of bodies in their current poses; the times of its motions count from now. While
 * it exists, poses and velocities of its bodies cannot be set. Destroyed bodies leave it. `out` may be null.
 * Errors: ARGUMENT (names the motion or body), HANDLE, MEMORY. */
SCREE_API scree_result scree_kinematic_group_create(scree_world *world, const scree_kinematic_group_def *def,
                                                    scree_kinematic_group_id *out);
/** Destroys a kinematic group. Its bodies stay where they are, at rest. Errors: HANDLE. */
SCREE_API scree_result scree_kinematic_group_destroy(scree_world *world, scree_kinematic_group_id kinematic);
/** Returns true if the group exists. */
SCREE_API bool scree_kinematic_group_is_valid(const scree_world *world, scree_kinematic_group_id kinematic);
/** Replaces the motions. `motions` may be null if `count` is 0. The new ones begin at the current poses, with
 * times that count from now. Errors: HANDLE, ARGUMENT, MEMORY; the old motions then continue. */
SCREE_API scree_result scree_kinematic_group_set_motions(scree_world *world,
                                                         scree_kinematic_group_id kinematic,
                                                         const scree_motion_def *motions, int count);
/** Writes up to `capacity` motions to `out` (may be null if 0) and returns the total number; 0 for an invalid
 * id. The world owns their keys. */
SCREE_API int scree_kinematic_group_get_motions(const scree_world *world, scree_kinematic_group_id kinematic,
                                                scree_motion_def *out, int capacity);
/** Writes the ids of up to `capacity` remaining bodies to `out` (may be null if 0) and returns the total
 * number; 0 for an invalid id. */
SCREE_API int scree_kinematic_group_get_bodies(const scree_world *world, scree_kinematic_group_id kinematic,
                                               scree_body_id *out, int capacity);
/** Returns the number of kinematic groups. */
SCREE_API int scree_kinematic_group_count(const scree_world *world);
/** Writes the ids of up to `capacity` kinematic groups to `out` (may be null if 0), in slot order, and
 * returns the total number. */
SCREE_API int scree_kinematic_group_list(const scree_world *world, scree_kinematic_group_id *out,
                                         int capacity);

#ifdef __cplusplus
}
#endif
#endif
