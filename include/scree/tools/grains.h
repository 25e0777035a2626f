/** @file
 * Grain tables: spheres with positions, sizes and densities in a CSV file that other programs can read and
 * write. host/io/README.md lists the columns. */
#ifndef SCREE_TOOLS_GRAINS_H
#define SCREE_TOOLS_GRAINS_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One grain. */
typedef struct scree_grain {
    scree_vec3 position;         /**< m */
    float radius;                /**< m, > 0; for other shapes half of the sieve size */
    double density;              /**< kg/m³, > 0; 0: the density of the material */
    uint64_t id;                 /**< number of the grain in the file, unique */
    scree_vec3 velocity;         /**< m/s */
    scree_vec3 angular_velocity; /**< rad/s, world axes */
} scree_grain;

/** A table of grains. */
typedef struct scree_grains {
    scree_grain *items; /**< owned by the table; may be null if `count` is 0 */
    int count;          /**< ≥ 0 */
} scree_grains;

/** Reads a CSV file. Errors: FILE; FORMAT with "file:line:field: what was expected"; MEMORY. */
SCREE_API scree_result scree_grains_load(const char *path, scree_grains *out);
/** Reads CSV text from memory. Messages use `name` as the file name. Errors: FORMAT, MEMORY. */
SCREE_API scree_result scree_grains_parse(const char *text, size_t length, const char *name,
                                          scree_grains *out);
/** Writes a CSV file. Reading it back yields the same values bit for bit. Errors: FILE, DISK_FULL, MEMORY. */
SCREE_API scree_result scree_grains_save(const scree_grains *grains, const char *path);
/** Makes a table of all dynamic spheres of a world in slot order, with densities that reproduce their masses.
 * The ids are the bodies' user data if all are set and distinct, else the indices of the body ids. `others`
 * (may be null) receives the number of other dynamic bodies, which are left out. Errors: MEMORY. */
SCREE_API scree_result scree_grains_from_world(const scree_world *world, scree_grains *out, int *others);
/** Frees the content of a table and leaves it empty. Null is allowed. */
SCREE_API void scree_grains_release(scree_grains *grains);

#ifdef __cplusplus
}
#endif
#endif
