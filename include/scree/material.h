/** @file
 * Materials and what happens where two of them touch. */
#ifndef SCREE_MATERIAL_H
#define SCREE_MATERIAL_H

#include <scree/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_world scree_world;

/** A material of one world. {0, 0} is null and stands for the world's default material. */
typedef struct scree_material_id {
    uint32_t index, generation;
} scree_material_id;

/** What a body is made of. */
typedef struct scree_material_def {
    float friction;          /**< Coulomb coefficient μ, ≥ 0 */
    float restitution;       /**< Newton's coefficient e, 0 … 1 */
    float density;           /**< kg/m³, > 0 */
    float rolling_friction;  /**< l_r ≥ 0, m: see scree_material_pair_def */
    float spinning_friction; /**< l_s ≥ 0, m */
    float cohesion;          /**< F ≥ 0, N */
    float cohesion_distance; /**< ≥ 0, m */
} scree_material_def;

/** Friction 0.5, restitution 0, density 1000 kg/m³, no rolling or spinning friction, no cohesion, cohesion
 * distance 0.01 mm. */
SCREE_API scree_material_def scree_default_material_def(void);

/** Adds a material. Errors: ARGUMENT, MEMORY. Where two materials meet and no pair is set, friction is √(μₐ
 * μ_b), cohesion √(Fₐ F_b) (what has none sticks to nothing), and the others are the larger of the two (what
 * is soft or rough rolls badly on everything). */
SCREE_API scree_result scree_material_create(scree_world *world, const scree_material_def *def,
                                             scree_material_id *out);

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
 * apart takes F, over the cohesion distance. */
typedef struct scree_material_pair_def {
    float friction;          /**< μ ≥ 0 */
    float restitution;       /**< e, 0 … 1 */
    float rolling_friction;  /**< l_r ≥ 0, m */
    float spinning_friction; /**< l_s ≥ 0, m */
    float cohesion;          /**< F ≥ 0, N */
    float cohesion_distance; /**< ≥ 0, m */
} scree_material_pair_def;

/** That of two default materials. */
SCREE_API scree_material_pair_def scree_default_material_pair_def(void);

/** Sets what holds for contacts between `a` and `b` (either order; a = b allowed).
 * Errors: HANDLE, ARGUMENT, MEMORY. */
SCREE_API scree_result scree_material_pair_set(scree_world *world, scree_material_id a, scree_material_id b,
                                               const scree_material_pair_def *def);

#ifdef __cplusplus
}
#endif
#endif
