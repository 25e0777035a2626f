/** @file
 * Assemblies: kinematic bodies that move together as they are told, such as a drum with its lifters, a shaken
 * tray, a mixer's blade or a gate. Where they are follows from the time and not from a sum of steps, so that
 * it does not drift; contacts see the velocities that carry them to where they are at the end of a step. */
#ifndef SCREE_KINEMATIC_GROUP_H
#define SCREE_KINEMATIC_GROUP_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An assembly of one world; all zero is null. */
typedef struct scree_kinematic_group_id {
    uint32_t index; /**< place + 1 */
    uint32_t generation;
    uint32_t world;
} scree_kinematic_group_id;

/** With τ the time since the motion's start, at most stop − start, and e(τ) = τ²/(2 ramp) up to the ramp's
 * end and τ − ramp/2 from then on: */
typedef enum scree_motion_kind {
    SCREE_MOTION_LINEAR,      /**< shifted by e(τ) velocity */
    SCREE_MOTION_ROTATION,    /**< turned by the angle e(τ) speed about the axis through the point */
    SCREE_MOTION_OSCILLATION, /**< shifted along the axis by a (sin(2π f τ + phase) − sin(phase)), a the
                                 amplitude times min(1, τ/ramp) */
    SCREE_MOTION_SWING,       /**< turned by that angle about the axis through the point */
    SCREE_MOTION_TABLE,       /**< by the keys, even between them; after the last key it rests */
    SCREE_MOTION_COUNT
} scree_motion_kind;

/** "linear", "rotation", "oscillation", "swing", "table". Null outside the range. */
SCREE_API const char *scree_motion_kind_name(scree_motion_kind kind);

/** Where a table has led to at a time. */
typedef struct scree_motion_key {
    double time;         /**< s since the motion's start; above that of the key before, ≥ 0 */
    scree_vec3 offset;   /**< m, by which everything is shifted after the turn */
    scree_quat rotation; /**< unit, about the motion's point */
} scree_motion_key;

/** One motion. Numbers that its kind does not use are not looked at. */
typedef struct scree_motion_def {
    scree_motion_kind kind;
    double start;        /**< s since the assembly's motions were given, ≥ 0: before, it does nothing */
    double stop;         /**< s, > start: from then on it stays where it has led to; INFINITY: never */
    double ramp;         /**< s, ≥ 0: in which the speed, or the amplitude, rises evenly from 0 */
    scree_vec3 velocity; /**< m/s, linear */
    scree_vec3 axis;     /**< of rotation, swing and oscillation: any length but 0 */
    scree_vec3 point;    /**< m, of rotation, swing and table: where the axis is when the motion begins */
    double speed;        /**< rad/s, rotation, by the right-hand rule */
    double amplitude;    /**< m, oscillation; rad, swing */
    double frequency;    /**< Hz, ≥ 0, of oscillation and swing */
    double phase;        /**< rad, likewise; −π/2 begins at rest */
    const scree_motion_key *keys; /**< of a table, copied; before the first one is a key at 0 s that neither
                                     shifts nor turns, and a first one at 0 s must be that */
    int key_count;
} scree_motion_def;

/** Of this kind, from 0 s on for ever, without ramp, about or along z through the origin, all else 0. */
SCREE_API scree_motion_def scree_default_motion_def(scree_motion_kind kind);

/** Whether an assembly can have these motions. Errors: ARGUMENT, naming motion and number. */
SCREE_API scree_result scree_validate_motions(const scree_motion_def *motions, int count);

/** What a new assembly needs. */
typedef struct scree_kinematic_group_def {
    const scree_body_id *bodies; /**< kinematic, of no other assembly, none twice */
    int body_count;
    const scree_motion_def *motions; /**< each carries the ones before it: the first is the innermost */
    int motion_count;                /**< 0: they stand still */
} scree_kinematic_group_def;

/** No bodies, no motions. */
SCREE_API scree_kinematic_group_def scree_default_kinematic_group_def(void);

/** Makes an assembly of bodies as they stand; times of its motions count from now. The poses and velocities
 * of its bodies cannot be set while it lives; a body that is destroyed leaves it. `out` may be null. Errors:
 * ARGUMENT (names motion or body), HANDLE, MEMORY. */
SCREE_API scree_result scree_kinematic_group_create(scree_world *world, const scree_kinematic_group_def *def,
                                                    scree_kinematic_group_id *out);
/** Its bodies stay where they are, at rest and free of it. Errors: HANDLE. */
SCREE_API scree_result scree_kinematic_group_destroy(scree_world *world, scree_kinematic_group_id kinematic);
SCREE_API bool scree_kinematic_group_is_valid(const scree_world *world, scree_kinematic_group_id kinematic);
/** Other motions, from where the bodies are now, with times that count from now. Errors: HANDLE, ARGUMENT,
 * MEMORY; the old motions go on then. */
SCREE_API scree_result scree_kinematic_group_set_motions(scree_world *world,
                                                         scree_kinematic_group_id kinematic,
                                                         const scree_motion_def *motions, int count);
/** Copies its motions (whose keys belong to the world), or the bodies that it still has, into `out` (room for
 * `capacity`; null with 0); returns how many there are, 0 for what is no assembly. */
SCREE_API int scree_kinematic_group_get_motions(const scree_world *world, scree_kinematic_group_id kinematic,
                                                scree_motion_def *out, int capacity);
SCREE_API int scree_kinematic_group_get_bodies(const scree_world *world, scree_kinematic_group_id kinematic,
                                               scree_body_id *out, int capacity);
/** How many there are, and their ids in order, as scree_body_list. */
SCREE_API int scree_kinematic_group_count(const scree_world *world);
SCREE_API int scree_kinematic_group_list(const scree_world *world, scree_kinematic_group_id *out,
                                         int capacity);

#ifdef __cplusplus
}
#endif
#endif
