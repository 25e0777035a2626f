/** @file
 * Rigid bodies: creating, changing, pushing and reading them. All calls are made between steps. */
#ifndef SCREE_BODY_H
#define SCREE_BODY_H

#include <scree/material.h>
#include <scree/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A body of one world; {0, 0} is null. A destroyed body's id is caught by every call (SCREE_ERROR_HANDLE).
 */
typedef struct scree_body_id {
    uint32_t index; /**< slot + 1 */
    uint32_t generation;
} scree_body_id;

typedef enum scree_body_type {
    SCREE_BODY_STATIC,    /**< never moves */
    SCREE_BODY_KINEMATIC, /**< moves with its given velocity, pushes others, is not pushed */
    SCREE_BODY_DYNAMIC    /**< obeys Newton and Euler */
} scree_body_type;

/** World axes along or about which a body cannot move; combine with |. */
typedef enum scree_lock {
    SCREE_LOCK_X = 1,
    SCREE_LOCK_Y = 2,
    SCREE_LOCK_Z = 4,
    SCREE_LOCK_ROTATION_X = 8,
    SCREE_LOCK_ROTATION_Y = 16,
    SCREE_LOCK_ROTATION_Z = 32
} scree_lock;

/** Where a body is and how it moves: what a step changes. */
typedef struct scree_body_state {
    scree_vec3 position;         /**< centre of mass, m */
    scree_quat rotation;         /**< body to world, unit */
    scree_vec3 linear_velocity;  /**< m/s */
    scree_vec3 angular_velocity; /**< rad/s, world axes */
} scree_body_state;

/** Everything a new body needs. */
typedef struct scree_body_def {
    scree_body_type type;
    scree_shape shape;
    scree_material_id material; /**< null: the world's default material */
    scree_body_state state;
    float mass; /**< kg; 0: volume × density */
    scree_vec3
        inertia; /**< principal moments about the body's axes, kg m²; 0: those of the shape, homogeneous */
    float gravity_scale; /**< multiplies gravity, any finite number */
    uint32_t locks;      /**< scree_lock bits */
} scree_body_def;

/** A dynamic sphere of radius 0.5 m at the origin, at rest, gravity scale 1, no locks. */
SCREE_API scree_body_def scree_default_body_def(void);

/** Adds a body. Errors: ARGUMENT (names the field), HANDLE (material), MEMORY, CAPACITY. */
SCREE_API scree_result scree_body_create(scree_world *world, const scree_body_def *def, scree_body_id *out);
/** Removes a body with its contacts. Errors: HANDLE. */
SCREE_API scree_result scree_body_destroy(scree_world *world, scree_body_id body);
/** Whether `body` is alive. */
SCREE_API bool scree_body_is_valid(const scree_world *world, scree_body_id body);

/** Reads a body's definition as it stands now (mass and inertia filled in). Errors: HANDLE. */
SCREE_API scree_result scree_body_read(const scree_world *world, scree_body_id body, scree_body_def *out);
/** Replaces everything about a body: type, shape, material, state, mass, locks. Errors as scree_body_create;
 * on error the body stays as it was. */
SCREE_API scree_result scree_body_change(scree_world *world, scree_body_id body, const scree_body_def *def);
/** Reads or sets pose and velocities. Errors: HANDLE; ARGUMENT for values that are not finite. */
SCREE_API scree_result scree_body_state_read(const scree_world *world, scree_body_id body,
                                             scree_body_state *out);
SCREE_API scree_result scree_body_state_set(scree_world *world, scree_body_id body,
                                            const scree_body_state *state);

/** Adds a force (N) at a world point (m), or a force and torque (N, N m) at the centre of mass; they act
 * during the next step only. No effect on static and kinematic bodies. Errors: HANDLE, ARGUMENT. */
SCREE_API scree_result scree_body_push(scree_world *world, scree_body_id body, scree_vec3 force,
                                       scree_vec3 point);
SCREE_API scree_result scree_body_load(scree_world *world, scree_body_id body, scree_vec3 force,
                                       scree_vec3 torque);
/** Changes velocities at once by an impulse (N s) at a world point, or by impulse and angular impulse (N m s)
 * at the centre of mass. Errors: HANDLE, ARGUMENT. */
SCREE_API scree_result scree_body_strike(scree_world *world, scree_body_id body, scree_vec3 impulse,
                                         scree_vec3 point);
SCREE_API scree_result scree_body_kick(scree_world *world, scree_body_id body, scree_vec3 impulse,
                                       scree_vec3 angular_impulse);

/** Number of living bodies. */
SCREE_API int scree_body_count(const scree_world *world);
/** Copies the ids of the living bodies, in slot order, into `out` (room for `capacity`); returns how many
 * there are. */
SCREE_API int scree_body_list(const scree_world *world, scree_body_id *out, int capacity);
/** Copies the states of `count` bodies into `out`. Errors: HANDLE (nothing is written then). */
SCREE_API scree_result scree_body_states(const scree_world *world, const scree_body_id *bodies, int count,
                                         scree_body_state *out);

#ifdef __cplusplus
}
#endif
#endif
