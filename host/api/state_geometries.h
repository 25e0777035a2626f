/* Geometries as tables: one has the numbers of spheres, vertices and triangles of each geometry, other tables
 * have the data of all. */
#pragma once

#include "geometry/geometry.h"

#include <scree/state.h>

/* Writes geometries, those of children before their compounds. Errors: ARGUMENT, MEMORY, those of the sink.
 */
scree_result state_save_geometries(const scree_state_sink *sink, const scree_geometry *const *items,
                                   int count);
/* Creates the geometries in their order. The list must be empty; release it whatever the result. Errors:
 * FORMAT, MEMORY, those of the source. */
scree_result state_load_geometries(const scree_state_source *source, geometry_list *list);

/* Check that a sink or a source has its functions. Errors: ARGUMENT. */
scree_result state_check_sink(const scree_state_sink *sink);
scree_result state_check_source(const scree_state_source *source);

/* Writes a table whose rows are in memory. */
scree_result state_write(const scree_state_sink *sink, const scree_table *table, size_t count,
                         const void *rows);
