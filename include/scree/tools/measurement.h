/** @file
 * Measurements of a running world. A measurement takes samples at the end of steps, before inlets and
 * outlets act. Once a period it makes a row: for every figure the last sample, and the mean and maximum since
 * the previous row.
 *
 * Sums are in double precision and in an order that does not depend on the number of threads. Checkpoints
 * include unfinished rows, so a resumed run makes the same rows bit for bit. Measurements treat dynamic
 * bodies as grains, except those whose locks leave no rotation and at most one translation, such as a platen:
 * these are walls. */
#ifndef SCREE_TOOLS_MEASUREMENT_H
#define SCREE_TOOLS_MEASUREMENT_H

#include <scree/body.h>
#include <scree/zone.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of measurement. */
typedef enum scree_measurement_kind {
    /** Force and torque that contacts with other bodies exert on a set of bodies: a wall, a floor, a drum. */
    SCREE_MEASUREMENT_FORCE,
    /** Number and mass of grains that cross a plane: the zone's local plane z = 0, within its box, cylinder
       or sphere, or the whole plane of a half-space. The centre of the grain counts; forward is from above to
       below. */
    SCREE_MEASUREMENT_FLOW,
    /** Volume fraction of grains in a zone and in each of its cells; shapes are cut exactly at the faces. */
    SCREE_MEASUREMENT_SOLID_FRACTION,
    /** Coordination number, the number of bodies that a grain touches with a force: mean, mean without
     * rattlers, distribution.
     */
    SCREE_MEASUREMENT_COORDINATION,
    /** Stress of the contacts in a zone by the Love–Weber formula, compression positive. */
    SCREE_MEASUREMENT_STRESS,
    /** Fabric tensor of the contacts in a zone: the mean of n nᵀ over contacts with a force. */
    SCREE_MEASUREMENT_FABRIC,
    /** Normal forces between pairs of bodies: mean, maximum, and distribution relative to the mean. */
    SCREE_MEASUREMENT_CONTACT_FORCE,
    /** Density, velocity and granular temperature in the cells of a box; a profile if the cells form a row.
     */
    SCREE_MEASUREMENT_PROFILE,
    /** Height of the free surface over the cells of a box, its slope and its angle of repose. */
    SCREE_MEASUREMENT_SURFACE,
    /** Lacey's mixing index of two species of grains over the cells of a box. */
    SCREE_MEASUREMENT_MIXING,
    /** Energy of all dynamic bodies, and the energy that contacts dissipate or supply: friction, impacts,
       rolling, driven bodies. */
    SCREE_MEASUREMENT_ENERGY,
    /** Mean position and velocity of a set of bodies, such as a platen. */
    SCREE_MEASUREMENT_POSITION,
    SCREE_MEASUREMENT_COUNT
} scree_measurement_kind;

/** Returns the name of a kind in scenes, such as "force"; null outside the range. */
SCREE_API const char *scree_measurement_kind_name(scree_measurement_kind kind);

/** Largest number of cells of a measurement. */
#define SCREE_MEASUREMENT_CELLS_MOST 10000

/** Size of a measurement's name in bytes, including the terminating zero. */
#define SCREE_MEASUREMENT_NAME_SIZE 64

/** Definition of a measurement. Fields that the kind does not use are ignored. */
typedef struct scree_measurement_def {
    const char *name; /**< 1 to 63 letters, digits, "-" and "_", unique in its world, copied */
    scree_measurement_kind kind;
    scree_span every;      /**< period of the rows, ≥ 1 step: rows are made at its multiples */
    bool paused;           /**< true: takes no samples and makes no rows */
    uint64_t sample_every; /**< period of the samples in steps, ≥ 1; the step of a row is always sampled */
    /** Bodies of a force or position measurement, copied; they may be destroyed later. Forces between them do
     * not count. */
    const scree_body_id *bodies;
    int body_count;   /**< ≥ 0 */
    scree_vec3 point; /**< force: reference point of the torque, m */
    bool everywhere;  /**< coordination, fabric: true: all grains, without a zone */
    scree_zone
        zone; /**< region of the measurement, or plane of a flow measurement; a half-space for flow only */
    double range; /**< contact force: end of the distribution as a multiple of the mean, > 0; cells are its
                     classes */
    scree_material_id material; /**< mixing: material of the first species; null: selected by size */
    double size_above;          /**< mixing: the first species has sieve sizes above this, m, ≥ 0 */
    int cells[3]; /**< ≥ 1, product at most SCREE_MEASUREMENT_CELLS_MOST; along a box's own axes; 1 in other
                   * zones
                   */
} scree_measurement_def;

/** Returns a force measurement without a name: every step, no bodies, point at the origin, everywhere, a box
 * with half extents of 0.5 m, one cell, range 5, no material, size 0. */
SCREE_API scree_measurement_def scree_default_measurement_def(void);

/** Checks a definition except for its bodies. Errors: ARGUMENT (names the field). */
SCREE_API scree_result scree_validate_measurement_def(const scree_measurement_def *def);

/** A measurement of one world; all zero is null. */
typedef struct scree_measurement_id {
    uint32_t index; /**< slot + 1 */
    uint32_t generation;
    uint32_t world; /**< scree_world_get_number */
} scree_measurement_id;

/** The last row of a measurement. The world owns the arrays; they are valid until the measurement or the
 * world is destroyed. */
typedef struct scree_measurement_row {
    uint64_t step;    /**< step at whose end the row was made; 0: no row yet, all fields are 0 */
    double time;      /**< s */
    uint64_t samples; /**< number of samples in the means and maxima */
    int count;        /**< number of figures (entries of each array) */
    /** Values of each figure; NaN if there is no value. Mean and maximum are over the samples with a value;
     * for running totals (scree_measurement_quantity_is_total) they equal the sample. */
    const double *sample, *mean, *maximum;
} scree_measurement_row;

/** Makes a measurement; `out` may be null. Errors: ARGUMENT (names the field), HANDLE (a body), MEMORY. */
SCREE_API scree_result scree_measurement_create(scree_world *world, const scree_measurement_def *def,
                                                scree_measurement_id *out);
/** Destroys a measurement. Errors: HANDLE. */
SCREE_API scree_result scree_measurement_destroy(scree_world *world, scree_measurement_id measurement);
/** Returns true if `measurement` exists. */
SCREE_API bool scree_measurement_is_valid(const scree_world *world, scree_measurement_id measurement);
/** Writes the ids of up to `capacity` measurements to `out` (may be null if 0) and returns the total number.
 */
SCREE_API int scree_measurement_list(const scree_world *world, scree_measurement_id *out, int capacity);
/** Returns the measurement with the given name; a null id if there is none. */
SCREE_API scree_measurement_id scree_measurement_find(const scree_world *world, const char *name);
/** Returns the definition of a measurement. The world owns `name` and `bodies`; they are valid until the
 * measurement or the world is destroyed. Errors: HANDLE. */
SCREE_API scree_result scree_measurement_get_def(const scree_world *world, scree_measurement_id measurement,
                                                 scree_measurement_def *out);
/** Replaces the definition of a measurement from the next step on, except for name, kind and cells, which
 * must not change. Running totals continue; the unfinished row restarts. Errors: HANDLE, and those of
 * scree_measurement_create; the measurement is then unchanged. */
SCREE_API scree_result scree_measurement_set_def(scree_world *world, scree_measurement_id measurement,
                                                 const scree_measurement_def *def);
/** Replaces the bodies of a measurement from the next step on. Errors: ARGUMENT, HANDLE, MEMORY. */
SCREE_API scree_result scree_measurement_set_bodies(scree_world *world, scree_measurement_id measurement,
                                                    const scree_body_id *bodies, int count);
/** Ends the unfinished row of each measurement, as the end of a stage does: the row covers the samples since
 * the previous row and has the last sample as its own. A measurement without samples makes no row. The
 * schedule of later rows does not change. */
SCREE_API scree_result scree_measurement_end_rows(scree_world *world);
/** Returns the last row of a measurement. Errors: HANDLE. */
SCREE_API scree_result scree_measurement_get_row(const scree_world *world, scree_measurement_id measurement,
                                                 scree_measurement_row *out);
/** Writes the column name of a figure with its unit, such as "force_z_mean_N", to `out`, truncated to `size`
 * bytes. `component` is 0 for the sample, 1 for the mean, 2 for the maximum. Errors: HANDLE, ARGUMENT (no
 * such figure). */
SCREE_API scree_result scree_measurement_get_quantity_name(const scree_world *world,
                                                           scree_measurement_id measurement, int quantity,
                                                           int component, char *out, size_t size);
/** Finds the figure and component of a column name, such as "force_z_mean_N", for a measurement of the given
 * definition. Errors: ARGUMENT (invalid definition, or no such column; the message lists the columns). */
SCREE_API scree_result scree_measurement_find_column(const scree_measurement_def *def, const char *column,
                                                     int *quantity, int *component);
/** Returns true if a figure is a running total since the measurement was made, which has no mean and no
 * maximum. */
SCREE_API bool scree_measurement_quantity_is_total(const scree_world *world, scree_measurement_id measurement,
                                                   int quantity);

#ifdef __cplusplus
}
#endif
#endif
