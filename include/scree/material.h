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
    float friction;    /**< Coulomb coefficient μ, ≥ 0 */
    float restitution; /**< Newton's coefficient e, 0 … 1 */
    float density;     /**< kg/m³, > 0 */
} scree_material_def;

/** Friction 0.5, restitution 0, density 1000 kg/m³. */
SCREE_API scree_material_def scree_default_material_def(void);

/** Adds a material. Errors: ARGUMENT, MEMORY. Where two materials meet and no pair is set, friction is √(μₐ
 * μ_b) and restitution max(eₐ, e_b). */
SCREE_API scree_result scree_material_create(scree_world *world, const scree_material_def *def,
                                             scree_material_id *out);

/** Sets friction and restitution for contacts between `a` and `b` (either order; a = b allowed).
 * Errors: HANDLE, ARGUMENT, MEMORY. */
SCREE_API scree_result scree_material_pair_set(scree_world *world, scree_material_id a, scree_material_id b,
                                               float friction, float restitution);

#ifdef __cplusplus
}
#endif
#endif
