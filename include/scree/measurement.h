/** @file
 * Gauges: measurements of a world while it runs. Each has a kind, what it looks at and a period; it takes a
 * sample at the end of steps, before inlets and outlets act, and once a period makes a row of it: for every
 * figure the last sample, the mean and the maximum since the row before. Sums are in double precision and in
 * an order that does not depend on the number of threads; a checkpoint holds unfinished rows too, so that a
 * run that goes on makes the same rows to the bit. A grain is a dynamic body; one whose locks leave it no
 * turn and one way at most, as a platen, is a wall. */
#ifndef SCREE_MEASUREMENT_H
#define SCREE_MEASUREMENT_H

#include <scree/flow.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_measurement_kind {
    /** Force and torque on bodies by the contacts that they have with others: of a wall, a floor, a drum. */
    SCREE_MEASUREMENT_FORCE,
    /** Grains and mass through a plane or a part of it: the zone's own plane z = 0, as far as a box, a
     * cylinder or a sphere about it reaches, or all of a half-space's. A grain goes through where its centre
     * does, and counts as forward from above to below. */
    SCREE_MEASUREMENT_FLOW,
    /** Share of a zone that grains fill, shapes cut exactly at its faces, in all and cell by cell. */
    SCREE_MEASUREMENT_SOLID_FRACTION,
    /** How many others each grain touches with a force: mean, without rattlers, and distribution. */
    SCREE_MEASUREMENT_COORDINATION,
    /** Stress of the contacts in a zone after Love and Weber, compression positive. */
    SCREE_MEASUREMENT_STRESS,
    /** Fabric tensor of the contacts in a zone: the mean of n nᵀ over those with a force. */
    SCREE_MEASUREMENT_FABRIC,
    /** Normal forces between pairs of bodies: mean, largest, and how often which share of the mean comes. */
    SCREE_MEASUREMENT_CONTACT_FORCE,
    /** Density, velocity and granular temperature in the cells of a box: a profile where they lie in a row.
     */
    SCREE_MEASUREMENT_PROFILE,
    /** Height of the free surface over the cells of a box, its slope and its angle of repose. */
    SCREE_MEASUREMENT_SURFACE,
    /** Lacey's mixing index of two sorts of grains over the cells of a box. */
    SCREE_MEASUREMENT_MIXING,
    /** Energy of all dynamic bodies, and what contacts take and give: friction, impacts, rolling, driven
       bodies. */
    SCREE_MEASUREMENT_ENERGY,
    /** Where bodies are and how fast, on average: of a platen. */
    SCREE_MEASUREMENT_POSITION,
    SCREE_MEASUREMENT_COUNT
} scree_measurement_kind;

/** "force", …: as a scene calls them. Null outside the range. */
SCREE_API const char *scree_measurement_kind_name(scree_measurement_kind kind);

/** Most cells of a gauge. */
#define SCREE_MEASUREMENT_CELLS_MOST 10000

/** Bytes of a gauge's name, its final zero included. */
#define SCREE_MEASUREMENT_NAME_SIZE 64

/** What a new gauge needs; what its kind does not name is not looked at. */
typedef struct scree_measurement_def {
    const char *name; /**< 1 to 63 letters, digits, "-" and "_", copied; no two of a world are the same */
    scree_measurement_kind kind;
    scree_span every;      /**< between two rows, ≥ 1 step: rows come at the steps that it divides */
    bool paused;           /**< whether it takes no samples and makes no rows */
    uint64_t sample_every; /**< steps between two samples, ≥ 1; that of a row's step is always taken */
    const scree_body_id *bodies; /**< force: what it acts on, copied; what is between them does not count;
                                    position: of which it is the mean. May
                                    be destroyed later */
    int body_count;              /**< ≥ 0 */
    scree_vec3 point;            /**< m; force: of the torque */
    bool everywhere;             /**< whether there is no zone: coordination and fabric of all grains */
    scree_zone zone;             /**< flow, and where; no half-space but of a flow */
    double range; /**< > 0; contact force: the largest share of the mean in the distribution, whose
                      classes are the cells */
    scree_material_id material; /**< mixing: of the one sort; null: its size tells */
    double size_above;          /**< m, ≥ 0; mixing: what a sieve sees of the one sort is above this */
    int cells[3];               /**< ≥ 1, at most SCREE_MEASUREMENT_CELLS_MOST in all; along a box's own
                                  axes, 1 in other zones */
} scree_measurement_def;

/** No name, force, every step, no bodies, the origin, everywhere, a box with half sides of 0.5 m, one cell,
 * range 5, no material, size 0.
 */
SCREE_API scree_measurement_def scree_default_measurement_def(void);

/** Whether a gauge could be made of a definition, but for its bodies. Errors: ARGUMENT (names the field). */
SCREE_API scree_result scree_validate_measurement_def(const scree_measurement_def *def);

/** A gauge of one world; all zero is null. */
typedef struct scree_measurement_id {
    uint32_t index; /**< place + 1 */
    uint32_t generation;
    uint32_t world;
} scree_measurement_id;

/** A gauge's last row. The arrays are the world's, until the gauge or the world is destroyed. */
typedef struct scree_measurement_row {
    uint64_t step;    /**< at the end of which it was made; 0: there is none yet, and everything is 0 */
    double time;      /**< s */
    uint64_t samples; /**< that its means and maxima are over */
    int count;        /**< of figures */
    /** By figure; NaN where it has no value. The mean and the maximum are over the samples that have one; of
     * a running total (scree_measurement_quantity_is_total) they are the sample. */
    const double *sample, *mean, *maximum;
} scree_measurement_row;

/** Makes a gauge; `out` may be null. Errors: ARGUMENT (names the field), HANDLE (a body), MEMORY. */
SCREE_API scree_result scree_measurement_create(scree_world *world, const scree_measurement_def *def,
                                                scree_measurement_id *out);
/** Errors: HANDLE. */
SCREE_API scree_result scree_measurement_destroy(scree_world *world, scree_measurement_id measurement);
SCREE_API bool scree_measurement_is_valid(const scree_world *world, scree_measurement_id measurement);
/** The ids of all, as scree_body_list. */
SCREE_API int scree_measurement_list(const scree_world *world, scree_measurement_id *out, int capacity);
/** The gauge of that name; null where there is none. */
SCREE_API scree_measurement_id scree_measurement_find(const scree_world *world, const char *name);
/** What it was made with; name and bodies are the world's, until the gauge or the world is destroyed. Errors:
 * HANDLE. */
SCREE_API scree_result scree_measurement_get_def(const scree_world *world, scree_measurement_id measurement,
                                                 scree_measurement_def *out);
/** Gives a gauge another definition from the next step on: what it measures, how often, and whether it is
 * paused. Name, kind and cells stay; running totals go on, and the row that it is making begins anew. Errors:
 * HANDLE, and as scree_measurement_create; then it is as it was. */
SCREE_API scree_result scree_measurement_set_def(scree_world *world, scree_measurement_id measurement,
                                                 const scree_measurement_def *def);
/** Other bodies from the next step on. Errors: ARGUMENT, HANDLE, MEMORY. */
SCREE_API scree_result scree_measurement_set_bodies(scree_world *world, scree_measurement_id measurement,
                                                    const scree_body_id *bodies, int count);
/** Makes a row of what each gauge has sampled since its last one, with the last sample for the row's own, as
 * the end of a stage does; one without samples makes none. The next row comes when it is due. */
SCREE_API scree_result scree_measurement_end_rows(scree_world *world);
/** Errors: HANDLE. */
SCREE_API scree_result scree_measurement_get_row(const scree_world *world, scree_measurement_id measurement,
                                                 scree_measurement_row *out);
/** A figure's name with "sample", "mean" or "max" in it (0, 1, 2), and its unit: "force_z_mean_N", written to
 * `out` and cut to `size`. Errors: HANDLE, ARGUMENT (no such figure). */
SCREE_API scree_result scree_measurement_get_quantity_name(const scree_world *world,
                                                           scree_measurement_id measurement, int quantity,
                                                           int part, char *out, size_t size);
/** The figure and the part of it that a column's name, such as "force_z_mean_N", stands for in a gauge of
 * that definition. Errors: ARGUMENT (the definition; no such column: names those that there are). */
SCREE_API scree_result scree_measurement_find_column(const scree_measurement_def *def, const char *column,
                                                     int *quantity, int *part);
/** Whether a figure is a total since the gauge was made, which has no mean and no maximum. */
SCREE_API bool scree_measurement_quantity_is_total(const scree_world *world, scree_measurement_id measurement,
                                                   int quantity);

#ifdef __cplusplus
}
#endif
#endif
