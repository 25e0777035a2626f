/** @file
 * Rigid bodies: creation, state, loads. Call these functions between steps only. */
#ifndef SCREE_BODY_H
#define SCREE_BODY_H

#include <scree/material.h>
#include <scree/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A body of one world; all zero is null. Every call rejects the id of a destroyed body or of another world
 * (SCREE_ERROR_HANDLE). A world loaded from a checkpoint is a new world: the ids of its bodies and materials
 * keep `index` and `generation`, and `world` is its scree_world_get_number. */
typedef struct scree_body_id {
    uint32_t index; /**< slot + 1 */
    uint32_t generation;
    uint32_t world; /**< number of the world within this process */
} scree_body_id;

/** How a body moves. */
typedef enum scree_body_type {
    SCREE_BODY_STATIC,    /**< never moves */
    SCREE_BODY_KINEMATIC, /**< moves with its prescribed velocity; contacts do not affect it */
    SCREE_BODY_DYNAMIC    /**< moves by the Newton–Euler equations */
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

/** Pose and velocity of a body, which a step changes. */
typedef struct scree_body_state {
    scree_vec3 position; /**< centre of mass, m; magnitude up to 1.8e19 m (finite square) */
    scree_quat rotation; /**< body to world, unit within 0.0005; stored normalised */
    /** m/s; magnitude up to 1.8e19 m/s (finite square). That of a static body is 0, whatever is given. */
    scree_vec3 linear_velocity;
    /** rad/s, world axes; magnitude up to 1.8e19 rad/s (finite square). That of a static body is 0, whatever
     * is given. That of a kinematic half-space in a periodic world is along its normal or along the only
     * periodic axis, so that the normal stays perpendicular to it. */
    scree_vec3 angular_velocity;
} scree_body_state;

/** Definition of a body. */
typedef struct scree_body_def {
    scree_body_type type;
    scree_shape shape; /**< static and kinematic bodies may have any, dynamic ones a shape with volume */
    scree_material_id material; /**< null: the world's default material */
    scree_body_state state;
    /** Mass, kg. 0: volume × density of the material, also after the density changes. Masses, moments of
     * inertia and their reciprocals must fit single precision (about 1e-37 to 1e37). Dynamic bodies only. */
    float mass;
    /** Principal moments of inertia about the body's axes, kg m²; none more than 1 % above the sum of the
     * other two. 0: those of the homogeneous shape. Dynamic bodies only. */
    scree_vec3 inertia;
    float gravity_scale; /**< factor of gravity, finite */
    uint32_t locks;      /**< scree_lock bits; dynamic bodies only */
    scree_vec3 force;    /**< N, world axes, acts at the centre of mass in every step; dynamic bodies only */
    scree_vec3 torque;   /**< N m, world axes, acts in every step; dynamic bodies only */
    /** Surface velocity, m/s, body axes, finite square; static and kinematic bodies only. Friction drags
     * touching bodies along as if the surface moved at this velocity, like a conveyor belt, while the body
     * itself stays. Only the component in the plane of the contact is used. */
    scree_vec3 surface_velocity;
    /** Collision filter: bits of the groups that the body belongs to, and of the groups that it touches. Two
     * bodies touch if each belongs to a group that the other touches. A body with 0 in either touches
     * nothing. */
    uint32_t groups, mask;
    uint64_t user_data; /**< for the caller, not interpreted; checkpoints hold it */
} scree_body_def;

/** Returns a dynamic sphere of radius 0.5 m at the origin, at rest, with gravity scale 1, no locks and no
 * loads, in group 1, touching all groups. */
SCREE_API scree_body_def scree_default_body_def(void);

/** Adds a body; `out` may be null. Errors: ARGUMENT (names the field; includes mass, inertia, locks, force or
 * torque of a body that is not dynamic, a surface velocity of a dynamic body, and velocities or loads that
 * would leave single precision within a step), HANDLE (material), MEMORY, CAPACITY. */
SCREE_API scree_result scree_body_create(scree_world *world, const scree_body_def *def, scree_body_id *out);
/** Adds `count` bodies, or none if one of them is refused, and writes their ids to `out` (may be null).
 * `defs` may be null if `count` is 0. Errors: those of scree_body_create; the message names the entry. */
SCREE_API scree_result scree_body_create_all(scree_world *world, const scree_body_def *defs, int count,
                                             scree_body_id *out);
/** Removes a body, its contacts and its joints. Errors: HANDLE. */
SCREE_API scree_result scree_body_destroy(scree_world *world, scree_body_id body);
/** Returns true if `body` is alive. */
SCREE_API bool scree_body_is_valid(const scree_world *world, scree_body_id body);

/** Returns the definition of a body with its current state. Passing it to scree_body_set_def changes nothing:
 * mass and inertia are 0 if they follow from shape and material. Errors: HANDLE. */
SCREE_API scree_result scree_body_get_def(const scree_world *world, scree_body_id body, scree_body_def *out);
/** Replaces the definition of a body: type, shape, material, state, mass, locks and all other fields. Errors:
 * those of scree_body_create, and ARGUMENT if a kinematic group moves the body and type or state differ from
 * the current ones; the body is then unchanged. */
SCREE_API scree_result scree_body_set_def(scree_world *world, scree_body_id body, const scree_body_def *def);
/** Returns the effective mass (kg) and the principal moments of inertia about the body's axes (kg m²); 0 for
 * static and kinematic bodies. `mass` and `inertia` may be null. Errors: HANDLE. */
SCREE_API scree_result scree_body_get_mass(const scree_world *world, scree_body_id body, float *mass,
                                           scree_vec3 *inertia);
/** Returns the user data of a body. Errors: HANDLE. */
SCREE_API scree_result scree_body_get_user_data(const scree_world *world, scree_body_id body, uint64_t *out);
/** Sets the user data of a body. Errors: HANDLE. */
SCREE_API scree_result scree_body_set_user_data(scree_world *world, scree_body_id body, uint64_t user_data);
/** Returns the number of periods that a body has crossed along each axis of a periodic world
 * (scree_world_def.period). Its unwrapped position is its position plus these multiples of the period. 0 when
 * the body is created or becomes part of a kinematic group. Errors: HANDLE. */
SCREE_API scree_result scree_body_get_periods(const scree_world *world, scree_body_id body, int out[3]);
/** Returns pose and velocities. Errors: HANDLE. */
SCREE_API scree_result scree_body_get_state(const scree_world *world, scree_body_id body,
                                            scree_body_state *out);
/** Sets pose and velocities. Errors: HANDLE; ARGUMENT (a value out of its range, values that would not
 * remain finite within a step, or a body that a kinematic group moves). */
SCREE_API scree_result scree_body_set_state(scree_world *world, scree_body_id body,
                                            const scree_body_state *state);

/** Sets the force (N) and torque (N m) that act in every step, world axes. Errors: HANDLE; ARGUMENT (not
 * finite, too large for a finite state, or not zero on a body that is not dynamic). */
SCREE_API scree_result scree_body_set_loads(scree_world *world, scree_body_id body, scree_vec3 force,
                                            scree_vec3 torque);
/** Adds a force (N, world axes) at the centre of mass for the next step only. No effect on static and
 * kinematic bodies. Errors: HANDLE; ARGUMENT (not finite, or too large for a finite state together with the
 * body's other loads). */
SCREE_API scree_result scree_body_apply_force(scree_world *world, scree_body_id body, scree_vec3 force);
/** Adds a force (N, world axes) at the world point `point` (m) for the next step only, including its moment
 * about the centre of mass. Otherwise as scree_body_apply_force. */
SCREE_API scree_result scree_body_apply_force_at(scree_world *world, scree_body_id body, scree_vec3 force,
                                                 scree_vec3 point);
/** Adds a torque (N m, world axes) for the next step only. Otherwise as scree_body_apply_force. */
SCREE_API scree_result scree_body_apply_torque(scree_world *world, scree_body_id body, scree_vec3 torque);
/** Changes the velocity at once by an impulse (N s, world axes) at the centre of mass. No effect on static
 * and kinematic bodies. Errors: HANDLE; ARGUMENT (not finite, or too large for a finite state; the velocity
 * is then unchanged). */
SCREE_API scree_result scree_body_apply_impulse(scree_world *world, scree_body_id body, scree_vec3 impulse);
/** Changes linear and angular velocity at once by an impulse (N s, world axes) at the world point `point`
 * (m). Otherwise as scree_body_apply_impulse. */
SCREE_API scree_result scree_body_apply_impulse_at(scree_world *world, scree_body_id body, scree_vec3 impulse,
                                                   scree_vec3 point);
/** Changes the angular velocity at once by an angular impulse (N m s, world axes). Otherwise as
 * scree_body_apply_impulse. */
SCREE_API scree_result scree_body_apply_angular_impulse(scree_world *world, scree_body_id body,
                                                        scree_vec3 impulse);

/** Returns the number of living bodies. */
SCREE_API int scree_body_count(const scree_world *world);
/** Writes the ids of up to `capacity` living bodies to `out` (may be null if 0), in slot order, and returns
 * the total number. */
SCREE_API int scree_body_list(const scree_world *world, scree_body_id *out, int capacity);
/** Writes the states of `count` bodies to `out`. `bodies` and `out` may be null if `count` is 0. Errors:
 * HANDLE, ARGUMENT (names the entry); nothing is written then. */
SCREE_API scree_result scree_body_get_states(const scree_world *world, const scree_body_id *bodies, int count,
                                             scree_body_state *out);
/** Sets the states of `count` bodies. `bodies` and `states` may be null if `count` is 0. Errors: HANDLE,
 * ARGUMENT (names the entry); nothing changes then. */
SCREE_API scree_result scree_body_set_states(scree_world *world, const scree_body_id *bodies, int count,
                                             const scree_body_state *states);

#ifdef __cplusplus
}
#endif
#endif
