/* Geometries in files: one group holds the numbers of spheres, vertices and triangles of each, other
 * groups hold the data of all. */
#ifndef SCREE_IO_GEOMETRY_TABLE_H
#define SCREE_IO_GEOMETRY_TABLE_H

#include "hdf5_file.h"
#include "geometry/geometry.h"

/* Errors: MEMORY. */
scree_result geometry_table_write(hdf5_file *file, const geometry_list *list);
/* Creates the geometries in their order. The list must be empty; release it whatever the result. Errors:
 * FORMAT, MEMORY. */
scree_result geometry_table_read(hdf5_file *file, geometry_list *list);

#endif
