/** @file
 * Rigid bodies: creating, changing, pushing and reading them. All calls are made between steps. */
#ifndef SCREE_BODY_H
#define SCREE_BODY_H

#include <scree/material.h>
#include <scree/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A body of one world; all zero is null. The id of a destroyed body or of another world's is caught by every
 * call (SCREE_ERROR_HANDLE). A world that is loaded from a checkpoint is another world: of the ids of its
 * bodies and materials `index` and `generation` are the same, and `world` is its scree_world_get_number. */
typedef struct scree_body_id {
    uint32_t index; /**< slot + 1 */
    uint32_t generation;
    uint32_t world; /**< number of the world within this process */
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
    scree_vec3 position;         /**< centre of mass, m; its square is finite, up to 1.8e19 m */
    scree_quat rotation;         /**< body to world, unit */
    scree_vec3 linear_velocity;  /**< m/s; its square is finite, up to 1.8e19 m/s */
    scree_vec3 angular_velocity; /**< rad/s, world axes; likewise */
} scree_body_state;

/** Everything a new body needs. */
typedef struct scree_body_def {
    scree_body_type type;
    scree_shape shape;
    scree_material_id material; /**< null: the world's default material */
    scree_body_state state;
    /** kg; 0: volume × density of the material, also when that changes. Mass, moments of inertia and one over
     * each are within single precision, say 1e-37 to 1e37. Dynamic bodies only. */
    float mass;
    /** Principal moments about the body's axes, kg m², none more than 1 % above the sum of the other two; 0:
     * those of the shape, homogeneous. Dynamic bodies only. */
    scree_vec3 inertia;
    float gravity_scale; /**< multiplies gravity, any finite number */
    uint32_t locks;      /**< scree_lock bits; of dynamic bodies only, the others move as they are told */
    scree_vec3 force;    /**< N, world axes, at the centre of mass in every step; of dynamic bodies only */
    scree_vec3 torque;   /**< N m, world axes, likewise */
    /** m/s, the body's axes; of static and kinematic bodies only: what touches the body is dragged along by
     * friction as if its surface ran that fast, as that of a belt does, while the body stays. Of it counts
     * what lies in a contact's plane; its square is finite. */
    scree_vec3 surface_velocity;
    /** Bits of the groups that the body is in, and of those that it touches: two bodies touch where each is
     * in a group that the other touches. With 0 in either nothing touches it. */
    uint32_t groups, mask;
    uint64_t user_data; /**< the caller's own: kept, written to checkpoints, never looked at */
} scree_body_def;

/** A dynamic sphere of radius 0.5 m at the origin, at rest, gravity scale 1, no locks, no force, in group 1,
 * touching all. */
SCREE_API scree_body_def scree_default_body_def(void);

/** Adds a body; `out` may be null. Errors: ARGUMENT (names the field; also mass, inertia, locks, force or
 * torque of a body that is not dynamic, a surface velocity of one that is, and velocities or loads so large
 * that the body leaves the range of single precision within a step), HANDLE (material), MEMORY, CAPACITY. */
SCREE_API scree_result scree_body_create(scree_world *world, const scree_body_def *def, scree_body_id *out);
/** Removes a body with its contacts. Errors: HANDLE. */
SCREE_API scree_result scree_body_destroy(scree_world *world, scree_body_id body);
/** Whether `body` is alive. */
SCREE_API bool scree_body_is_valid(const scree_world *world, scree_body_id body);

/** A body's definition with its state as it stands now: what scree_body_set_def takes to leave it as it is,
 * so mass and inertia are 0 where they follow from shape and material. Errors: HANDLE. */
SCREE_API scree_result scree_body_get_def(const scree_world *world, scree_body_id body, scree_body_def *out);
/** Replaces everything about a body: type, shape, material, state, mass, locks. Errors as scree_body_create,
 * and ARGUMENT where an assembly moves it and type or state are not those that it has; on error the body
 * stays as it was. */
SCREE_API scree_result scree_body_set_def(scree_world *world, scree_body_id body, const scree_body_def *def);
/** The mass (kg) that a body has, and its principal moments about the body's axes (kg m²); either may be
 * null. 0 of static and kinematic bodies. Errors: HANDLE. */
SCREE_API scree_result scree_body_get_mass(const scree_world *world, scree_body_id body, float *mass,
                                           scree_vec3 *inertia);
/** The caller's own number of a body. Errors: HANDLE. */
SCREE_API scree_result scree_body_get_user_data(const scree_world *world, scree_body_id body, uint64_t *out);
SCREE_API scree_result scree_body_set_user_data(scree_world *world, scree_body_id body, uint64_t user_data);
/** How many periods a body is away, along each axis, from where it stands in the cell of a periodic world
 * (scree_world_def): its position plus so many periods is where it has come to. 0 when it is created, or
 * given to an assembly. Errors: HANDLE. */
SCREE_API scree_result scree_body_get_periods(const scree_world *world, scree_body_id body, int out[3]);
/** Pose and velocities. Errors: HANDLE; ARGUMENT for values that are not finite, or do not stay so within a
 * step, and to set those of a body that an assembly moves. */
SCREE_API scree_result scree_body_get_state(const scree_world *world, scree_body_id body,
                                            scree_body_state *out);
SCREE_API scree_result scree_body_set_state(scree_world *world, scree_body_id body,
                                            const scree_body_state *state);

/** Changes the force (N) and the torque (N m) that act in every step, world axes. Errors: HANDLE; ARGUMENT
 * (not finite, so large that the state would not stay finite, or not zero on a body that is not dynamic). */
SCREE_API scree_result scree_body_set_loads(scree_world *world, scree_body_id body, scree_vec3 force,
                                            scree_vec3 torque);
/** Adds a force (N) that acts during the next step only: at the centre of mass, or at a world point (m),
 * where it also has a moment. World axes; no effect on static and kinematic bodies. Errors: HANDLE; ARGUMENT
 * (not finite, or with what else acts on the body so large that its state would not stay finite). */
SCREE_API scree_result scree_body_apply_force(scree_world *world, scree_body_id body, scree_vec3 force);
SCREE_API scree_result scree_body_apply_force_at(scree_world *world, scree_body_id body, scree_vec3 force,
                                                 scree_vec3 point);
/** Adds a torque (N m, world axes), likewise. */
SCREE_API scree_result scree_body_apply_torque(scree_world *world, scree_body_id body, scree_vec3 torque);
/** Changes velocities at once by an impulse (N s, world axes): at the centre of mass, or at a world point
 * (m), where it also turns the body. No effect on static and kinematic bodies. Errors: HANDLE; ARGUMENT (not
 * finite, or so large that the body's state would not stay finite: the body keeps its velocity). */
SCREE_API scree_result scree_body_apply_impulse(scree_world *world, scree_body_id body, scree_vec3 impulse);
SCREE_API scree_result scree_body_apply_impulse_at(scree_world *world, scree_body_id body, scree_vec3 impulse,
                                                   scree_vec3 point);
/** Changes the angular velocity at once by an angular impulse (N m s, world axes), likewise. */
SCREE_API scree_result scree_body_apply_angular_impulse(scree_world *world, scree_body_id body,
                                                        scree_vec3 impulse);

/** Number of living bodies. */
SCREE_API int scree_body_count(const scree_world *world);
/** Copies the ids of the living bodies, in slot order, into `out` (room for `capacity`; null with 0); returns
 * how many there are. */
SCREE_API int scree_body_list(const scree_world *world, scree_body_id *out, int capacity);
/** Copies the states of `count` bodies into `out`, or sets them from `states`. With `count` 0 the arrays may
 * be null. Errors: HANDLE, ARGUMENT (names the entry; nothing is written then). */
SCREE_API scree_result scree_body_get_states(const scree_world *world, const scree_body_id *bodies, int count,
                                             scree_body_state *out);
SCREE_API scree_result scree_body_set_states(scree_world *world, const scree_body_id *bodies, int count,
                                             const scree_body_state *states);

#ifdef __cplusplus
}
#endif
#endif
