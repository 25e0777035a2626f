/* Geometries in files: a group with the numbers of spheres, vertices and triangles of each, and one with
 * those of all. */
#ifndef SCREE_IO_GEOMETRY_TABLE_H
#define SCREE_IO_GEOMETRY_TABLE_H

#include "hdf5_file.h"
#include "geometry/geometry.h"

/* Errors: MEMORY. */
scree_result geometry_table_write(hdf5_file *file, const geometry_list *list);
/* Makes them anew, in their order; the list is empty before, and to be released whatever comes back. Errors:
 * FORMAT, MEMORY. */
scree_result geometry_table_read(hdf5_file *file, geometry_list *list);

#endif
