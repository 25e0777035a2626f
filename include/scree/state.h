/** @file
 * The complete state of a world as tables of named columns, for programs that store it: a run resumed from
 * it is identical bit for bit. scree/tools/checkpoint.h stores it in HDF5 files. Tables and columns may
 * change from version to version of this library. */
#ifndef SCREE_STATE_H
#define SCREE_STATE_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Types of the values of a column. */
typedef enum scree_value_type {
    SCREE_VALUE_UINT8,
    SCREE_VALUE_INT32,
    SCREE_VALUE_UINT32,
    SCREE_VALUE_INT64,
    SCREE_VALUE_UINT64,
    SCREE_VALUE_FLOAT,
    SCREE_VALUE_DOUBLE
} scree_value_type;

/** One column of a table: `components` values of `type` at `offset` bytes of each row. */
typedef struct scree_column {
    const char *name;      /**< unique in its table */
    scree_value_type type; /**< of each value */
    int components;        /**< values in a row, ≥ 1 */
    size_t offset;         /**< of the first value in a row, bytes */
} scree_column;

/** A table. Bytes of a row that no column covers have no meaning. */
typedef struct scree_table {
    const char *name; /**< unique in a state */
    const scree_column *columns;
    int column_count; /**< ≥ 1 */
    size_t row_size;  /**< bytes */
} scree_table;

/** Writes rows [first, first + count) of a table to `out`. A sink calls it with consecutive ranges, from the
 * first row to the last, once. */
typedef void (*scree_rows)(void *source, size_t first, size_t count, void *out);

/** Stores tables. An error of `write` ends the call that uses the sink, which returns it. */
typedef struct scree_state_sink {
    /** Stores a table of `count` rows, which `rows` produces from `source`. */
    scree_result (*write)(void *user, const scree_table *table, size_t count, scree_rows rows, void *source);
    void *user; /**< passed to `write` unchanged */
} scree_state_sink;

/** Returns stored tables. An error of a function ends the call that uses the source, which returns it. */
typedef struct scree_state_source {
    /** Writes the number of rows of a table to `out`. */
    scree_result (*count)(void *user, const scree_table *table, int *out);
    /** Writes all columns of all `count` rows to `out`. */
    scree_result (*read)(void *user, const scree_table *table, size_t count, void *out);
    void *user; /**< passed to the functions unchanged */
} scree_state_source;

/** Writes the state of a world to a sink, without measurements. Bodies and contacts are converted piece by
 * piece. Errors: ARGUMENT (the sink has no function), MEMORY, those of the sink. */
SCREE_API scree_result scree_world_save_state(const scree_world *world, const scree_state_sink *sink);
/** Makes a world from a stored state; every value is checked. `runtime` gives backend, pipeline, device,
 * group, threads and profile; it may be null, for the defaults. Errors: FORMAT (not a state of a world; the
 * message names the item), those of the source and of scree_world_create. */
SCREE_API scree_result scree_world_load_state(const scree_state_source *source,
                                              const scree_world_def *runtime, scree_world **out);

/** Writes the data of geometries to a sink. Geometries of a compound's children must precede it. `geometries`
 * may be null if `count` is 0. Errors: ARGUMENT, MEMORY, those of the sink. */
SCREE_API scree_result scree_geometry_save_state(const scree_geometry *const *geometries, int count,
                                                 const scree_state_sink *sink);
/** Writes the number of stored geometries to `count`. If `capacity` is at least this number, also makes the
 * geometries, in their order; the caller releases them. `out` may be null if `capacity` is 0. Errors: FORMAT
 * (names the geometry), MEMORY, those of the source. */
SCREE_API scree_result scree_geometry_load_state(const scree_state_source *source, const scree_geometry **out,
                                                 int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
