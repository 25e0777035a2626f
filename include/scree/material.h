/** @file
 * Materials and the contact properties of pairs of materials. */
#ifndef SCREE_MATERIAL_H
#define SCREE_MATERIAL_H

#include <scree/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A material of one world. All zero is null and denotes the world's default material. Every call rejects the
 * id of a destroyed material or of another world (SCREE_ERROR_HANDLE). */
typedef struct scree_material_id {
    uint32_t index; /**< slot + 1 */
    uint32_t generation;
    uint32_t world; /**< number of the world within this process */
} scree_material_id;

/** Size of a material's name in bytes, including the terminating zero. */
#define SCREE_MATERIAL_NAME_SIZE 32

/** Definition of a material. scree_material_pair_def describes the fields and how two materials combine. */
typedef struct scree_material_def {
    float friction;                      /**< Coulomb coefficient μ, 0 … 1e6 */
    float restitution;                   /**< Newton's coefficient e, 0 … 1 */
    float density;                       /**< kg/m³, > 0 */
    float rolling_friction;              /**< l_r ≥ 0, m */
    float spinning_friction;             /**< l_s ≥ 0, m */
    float cohesion;                      /**< F ≥ 0, N */
    float cohesion_distance;             /**< ≥ 0, m */
    float stiffness;                     /**< k ≥ 0, N/m */
    float damping;                       /**< d ≥ 0, N s/m */
    char name[SCREE_MATERIAL_NAME_SIZE]; /**< for legends, zero-terminated; may be empty. Materials of a scene
                                            have their name in the scene, truncated */
} scree_material_def;

/** Returns friction 0.5, restitution 0, density 1000 kg/m³, no rolling or spinning friction, no cohesion,
 * cohesion distance 0.01 mm, stiffness 0 (that of the solver), no name. */
SCREE_API scree_material_def scree_default_material_def(void);

/** Adds a material. Errors: ARGUMENT, MEMORY.
 *
 * Two materials a and b without an explicit pair combine as follows: friction √(μₐ μ_b); cohesion √(Fₐ F_b),
 * so a material without cohesion sticks to nothing; springs and dampers in series, k = kₐ k_b/(kₐ + k_b) and
 * d alike, if both materials have a stiffness, else those of the material that has one; for all other
 * properties the larger value (the larger rolling friction wins). */
SCREE_API scree_result scree_material_create(scree_world *world, const scree_material_def *def,
                                             scree_material_id *out);

/** Removes a material and the explicit pairs that it is part of. Errors: HANDLE; ARGUMENT (the default
 * material, or a body still uses the material; the message names the body). */
SCREE_API scree_result scree_material_destroy(scree_world *world, scree_material_id material);
/** Returns true if `material` is alive; false for null. */
SCREE_API bool scree_material_is_valid(const scree_world *world, scree_material_id material);
/** Returns the definition of a material. Errors: HANDLE. */
SCREE_API scree_result scree_material_get_def(const scree_world *world, scree_material_id material,
                                              scree_material_def *out);
/** Replaces the definition of a material from the next step on. After a change of the density, bodies whose
 * mass follows from it (scree_body_def.mass 0) get a new mass and keep their velocities. Errors: HANDLE;
 * ARGUMENT (a value out of range, or the mass of a body outside single precision); nothing changes then. */
SCREE_API scree_result scree_material_set_def(scree_world *world, scree_material_id material,
                                              const scree_material_def *def);
/** Returns the number of living materials, including the default material. */
SCREE_API int scree_material_count(const scree_world *world);
/** Writes up to `capacity` material ids to `out` (may be null if 0), the default material first, and returns
 * the total number. */
SCREE_API int scree_material_list(const scree_world *world, scree_material_id *out, int capacity);

/** Contact properties of two materials. r_N is the normal impulse of a contact in a step of length h, ω the
 * relative angular velocity of the two bodies.
 *
 * Rolling and spinning friction are torques between the bodies. They oppose the components of ω in the
 * contact plane and along the normal, and are bounded by l_r r_N/h and l_s r_N/h: a sphere of radius R stays
 * at rest on slopes up to tan θ = l_r/R (Tasora & Anitescu 2013; Leine & Glocker 2003).
 *
 * Cohesion is a constant attractive force F between the two bodies in every step that begins with a gap of at
 * most the cohesion distance. It is distributed evenly over the points of the contact within that distance:
 * r_N ≥ −h F. The contact law holds for the impulse without the cohesive force, r_N + h F, which also bounds
 * friction: ‖r_T‖ ≤ μ (r_N + h F). Separating the bodies takes the force F over the cohesion distance.
 *
 * Stiffness and damping belong to the spring of each contact point under the stabilisations `soft` and
 * `penalty`, and of overlapping points under `substep` with contact frequency 0. Under `soft` and `penalty` a
 * point that carries a weight m g overlaps by m g/k. With stiffness 0 the solver's stiffness and damping
 * apply (scree_solver_def) and `damping` is ignored. */
typedef struct scree_material_pair_def {
    float friction;          /**< μ, 0 … 1e6 */
    float restitution;       /**< e, 0 … 1 */
    float rolling_friction;  /**< l_r ≥ 0, m */
    float spinning_friction; /**< l_s ≥ 0, m */
    float cohesion;          /**< F ≥ 0, N */
    float cohesion_distance; /**< ≥ 0, m */
    float stiffness;         /**< k, N/m, 0 to 1e20; 0: stiffness and damping of the solver */
    float damping;           /**< d, N s/m, 0 to 1e20 */
} scree_material_pair_def;

/** Returns the properties of a pair of default materials. */
SCREE_API scree_material_pair_def scree_default_material_pair_def(void);

/** Returns the properties in force between `a` and `b`: the explicit pair if there is one, else the
 * combination of the two materials. Errors: HANDLE. */
SCREE_API scree_result scree_material_get_pair(const scree_world *world, scree_material_id a,
                                               scree_material_id b, scree_material_pair_def *out);
/** Sets the properties of contacts between `a` and `b`, in either order; a = b is allowed. Errors: HANDLE,
 * ARGUMENT, MEMORY. */
SCREE_API scree_result scree_material_set_pair(scree_world *world, scree_material_id a, scree_material_id b,
                                               const scree_material_pair_def *def);
/** Removes an explicit pair, so that the combination of the two materials applies again. Does nothing if
 * there is none. Errors: HANDLE. */
SCREE_API scree_result scree_material_clear_pair(scree_world *world, scree_material_id a,
                                                 scree_material_id b);

#ifdef __cplusplus
}
#endif
#endif
