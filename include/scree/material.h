/** @file
 * Materials and what happens where two of them touch. */
#ifndef SCREE_MATERIAL_H
#define SCREE_MATERIAL_H

#include <scree/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_world scree_world;

/** A material of one world. All zero is null and stands for the world's default material. The id of a
 * destroyed material or of another world's is caught by every call (SCREE_ERROR_HANDLE). */
typedef struct scree_material_id {
    uint32_t index; /**< slot + 1 */
    uint32_t generation;
    uint32_t world; /**< number of the world within this process */
} scree_material_id;

/** Bytes of a material's name, its final zero included. */
#define SCREE_MATERIAL_NAME_SIZE 32

/** What a body is made of. */
typedef struct scree_material_def {
    float friction;                      /**< Coulomb coefficient μ, 0 … 1e6 */
    float restitution;                   /**< Newton's coefficient e, 0 … 1 */
    float density;                       /**< kg/m³, > 0 */
    float rolling_friction;              /**< l_r ≥ 0, m: see scree_material_pair_def */
    float spinning_friction;             /**< l_s ≥ 0, m */
    float cohesion;                      /**< F ≥ 0, N */
    float cohesion_distance;             /**< ≥ 0, m */
    float stiffness;                     /**< k ≥ 0, N/m: see scree_material_pair_def */
    float damping;                       /**< d ≥ 0, N s/m */
    char name[SCREE_MATERIAL_NAME_SIZE]; /**< for legends, ended by a zero; empty: it has none. A scene's
                                            material has the name that the scene gives it, cut to fit */
} scree_material_def;

/** Friction 0.5, restitution 0, density 1000 kg/m³, no rolling or spinning friction, no cohesion, cohesion
 * distance 0.01 mm, no stiffness of its own, no name. */
SCREE_API scree_material_def scree_default_material_def(void);

/** Adds a material. Errors: ARGUMENT, MEMORY. Where two materials meet and no pair is set, friction is √(μₐ
 * μ_b), cohesion √(Fₐ F_b) (what has none sticks to nothing), springs and dampers of two that have them are
 * one behind the other, k = kₐ k_b/(kₐ + k_b) and d likewise, and the others are the larger of the two (what
 * is soft or rough rolls badly on everything). */
SCREE_API scree_result scree_material_create(scree_world *world, const scree_material_def *def,
                                             scree_material_id *out);

/** Removes a material and what was set for its pairs. Errors: HANDLE; ARGUMENT for the default material, and
 * while a body is made of it (names the body: give that another material first). */
SCREE_API scree_result scree_material_destroy(scree_world *world, scree_material_id material);
/** Whether `material` is alive; false for null. */
SCREE_API bool scree_material_is_valid(const scree_world *world, scree_material_id material);
/** What a material is. Errors: HANDLE. */
SCREE_API scree_result scree_material_get_def(const scree_world *world, scree_material_id material,
                                              scree_material_def *out);
/** Replaces that from the next step on. With a new density, bodies of the material whose mass follows from it
 * (scree_body_def.mass 0) get their new mass, and keep their velocities. Errors: HANDLE; ARGUMENT (a range,
 * or a body's mass outside single precision: nothing changes then). */
SCREE_API scree_result scree_material_set_def(scree_world *world, scree_material_id material,
                                              const scree_material_def *def);
/** Number of living materials, the default material included. */
SCREE_API int scree_material_count(const scree_world *world);
/** Copies their ids, the default material first, into `out` (room for `capacity`; null with 0); returns how
 * many there are. */
SCREE_API int scree_material_list(const scree_world *world, scree_material_id *out, int capacity);

/** What happens where two materials touch. With r_N the normal impulse of a contact in a step of h and ω the
 * relative angular velocity of the two bodies:
 *
 * Rolling and spinning friction are torques between the bodies that oppose ω's part in the contact plane and
 * along the normal, as large as it takes to stop that and at most l_r r_N/h and l_s r_N/h: a sphere of radius
 * R stays on a slope of up to tan θ = l_r/R (Tasora & Anitescu 2013; Leine & Glocker 2003).
 *
 * Cohesion is a constant pull F between the two bodies while the gap is at most the cohesion distance at the
 * start of a step, spread evenly over the points where it is: r_N ≥ −h F. The contact's law holds for the
 * impulse without the pull, r_N + h F, which also bounds its friction: ‖r_T‖ ≤ μ (r_N + h F). Pulling bodies
 * apart takes F, over the cohesion distance.
 *
 * Stiffness and damping are those of the spring that each contact point is under the stabilisations `soft`
 * and `penalty`, and an overlap under `substep` without a contact frequency: with one of the first two a
 * point carries a weight m g at the depth m g/k. Without a stiffness those of the solver hold
 * (scree_solver_def), and damping means nothing. */
typedef struct scree_material_pair_def {
    float friction;          /**< μ, 0 … 1e6 */
    float restitution;       /**< e, 0 … 1 */
    float rolling_friction;  /**< l_r ≥ 0, m */
    float spinning_friction; /**< l_s ≥ 0, m */
    float cohesion;          /**< F ≥ 0, N */
    float cohesion_distance; /**< ≥ 0, m */
    float stiffness;         /**< k, N/m, 0 to 1e20; 0: the solver's, and its damping */
    float damping;           /**< d, N s/m, 0 to 1e20 */
} scree_material_pair_def;

/** That of two default materials. */
SCREE_API scree_material_pair_def scree_default_material_pair_def(void);

/** What holds between `a` and `b`: what was set for them, else what follows from the two. Errors: HANDLE. */
SCREE_API scree_result scree_material_get_pair(const scree_world *world, scree_material_id a,
                                               scree_material_id b, scree_material_pair_def *out);
/** Sets what holds for contacts between `a` and `b` (either order; a = b allowed).
 * Errors: HANDLE, ARGUMENT, MEMORY. */
SCREE_API scree_result scree_material_set_pair(scree_world *world, scree_material_id a, scree_material_id b,
                                               const scree_material_pair_def *def);
/** Takes that back: what follows from the two materials holds again. None set is no error. Errors: HANDLE. */
SCREE_API scree_result scree_material_clear_pair(scree_world *world, scree_material_id a,
                                                 scree_material_id b);

#ifdef __cplusplus
}
#endif
#endif
