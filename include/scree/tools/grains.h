/** @file
 * Grains as a table: spheres with places, sizes and densities in a CSV file that other programs read and
 * write, and the way back. host/io/README.md has the columns. */
#ifndef SCREE_TOOLS_GRAINS_H
#define SCREE_TOOLS_GRAINS_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One grain. */
typedef struct scree_grain {
    scree_vec3 position; /**< m */
    float radius;        /**< m, > 0; of another shape than a sphere half of what a sieve sees of it */
    double density;      /**< kg/m³, > 0; 0: that of the material */
    uint64_t id;         /**< the file's own number of it, no two the same */
    scree_vec3 velocity; /**< m/s */
    scree_vec3 angular_velocity; /**< rad/s, world axes */
} scree_grain;

/** A table of grains. */
typedef struct scree_grains {
    scree_grain *items;
    int count;
} scree_grains;

/** Reads a CSV file. Errors: FILE; FORMAT with "file:line:field: what was expected"; MEMORY. */
SCREE_API scree_result scree_grains_load(const char *path, scree_grains *out);
/** The same from memory; `name` stands for the file in messages. */
SCREE_API scree_result scree_grains_parse(const char *text, size_t length, const char *name,
                                          scree_grains *out);
/** Writes a CSV file, which reads back as the same numbers to the bit. Errors: FILE, DISK_FULL, MEMORY. */
SCREE_API scree_result scree_grains_save(const scree_grains *grains, const char *path);
/** All dynamic spheres of a world in the order of their slots, with densities that give their masses back;
 * the ids are the bodies' user data where all have some and no two the same, else the indices of their ids.
 * `others` (may be null) gets the number of dynamic bodies that are no spheres, which are left out. Errors:
 * MEMORY. */
SCREE_API scree_result scree_grains_from_world(const scree_world *world, scree_grains *out, int *others);
/** Frees what a table holds, which is empty then; null is fine. */
SCREE_API void scree_grains_release(scree_grains *grains);

#ifdef __cplusplus
}
#endif
#endif
