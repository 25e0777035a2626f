/** @file
 * Geometries from files: surfaces in STL (binary or ASCII) and Wavefront OBJ files, and height fields in text
 * files. Free them with scree_geometry_release. */
#ifndef SCREE_TOOLS_GEOMETRY_FILE_H
#define SCREE_TOOLS_GEOMETRY_FILE_H

#include <scree/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a surface is read from a file. */
typedef struct scree_surface_def {
    double origin[3]; /**< subtracted from the coordinates of the file in double precision, before they are
                         rounded to single: a place near the surface, in the file's units, within ±1e9. A
                         terrain in coordinates of a map would otherwise be rounded to metres */
    /** Called with each warning about the content, such as "'part.stl': unread bytes after the last triangle:
     * 2"; may be null. */
    void (*warn)(void *context, const char *warning);
    void *context; /**< passed to `warn` */
} scree_surface_def;

/** Returns origin (0, 0, 0), no callback. */
SCREE_API scree_surface_def scree_default_surface_def(void);

/** Makes a mesh (scree_mesh_create) from an STL file (binary or ASCII) or a Wavefront OBJ file, as `def`
 * says, which may be null (the default). Only vertices and faces of an OBJ file are read. Its polygons are
 * triangulated, convex or not; they must be simple, and no corner may be farther from the polygon's mean
 * plane than a quarter of its extent. Errors: ARGUMENT (`def`); FILE; FORMAT (names the line or byte and the
 * expected content); MEMORY. */
SCREE_API scree_result scree_mesh_load(const char *path, const scree_surface_def *def, scree_geometry **out);
/** Makes a hull (scree_hull_create) of the vertices of a file that scree_mesh_load can read. `def`
 * may be null. Errors: ARGUMENT, FILE, FORMAT, MEMORY. */
SCREE_API scree_result scree_hull_load(const char *path, const scree_surface_def *def, scree_geometry **out);
/** Makes a solid (scree_solid_create) from a file that scree_mesh_load can read. `def` may be
 * null. Errors: ARGUMENT, FILE, FORMAT, MEMORY. */
SCREE_API scree_result scree_solid_load(const char *path, const scree_surface_def *def, scree_geometry **out);
/** Makes a compound (scree_compound_create) from an OBJ file. Each object (line "o name" or "g name") with
 * faces is a part: the convex hull of their corners. `def` may be null. Errors: ARGUMENT (`def`); FILE;
 * FORMAT (names the line and number of the object, and the expected content); MEMORY. */
SCREE_API scree_result scree_compound_load(const char *path, const scree_surface_def *def,
                                           scree_geometry **out);
/** Makes a height field (scree_height_field_create) from a text file. Each line is a row, beginning with the
 * lowest y. Blanks separate the numbers, or commas, or semicolons, the same throughout the file; # begins a
 * comment. Errors: FILE; FORMAT (names the line and the expected content); MEMORY. */
SCREE_API scree_result scree_height_field_load(const char *path, float spacing_x, float spacing_y,
                                               scree_geometry **out);

#ifdef __cplusplus
}
#endif
#endif
