/** @file
 * Collision shapes, small values that a body holds by copy. A shape's origin is its centre of mass. */
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include <scree/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of shape. SCREE_SHAPE_COUNT is their number. */
typedef enum scree_shape_kind {
    SCREE_SHAPE_SPHERE,     /**< size.x = radius */
    SCREE_SHAPE_BOX,        /**< size = half extents along the body's axes */
    SCREE_SHAPE_HALF_SPACE, /**< solid below the body's local plane z = 0; static or kinematic bodies only */
    SCREE_SHAPE_CAPSULE,   /**< everything within size.x of a line of half length size.y along the body's z */
    SCREE_SHAPE_CYLINDER,  /**< about the body's z: size.x = radius, size.y = half the height */
    SCREE_SHAPE_CONE,      /**< about the body's z, tip up: size.x = radius of the base, size.y = height; the
                                base is a quarter of the height below the centre of mass */
    SCREE_SHAPE_ELLIPSOID, /**< size = semi-axes along the body's axes */
    SCREE_SHAPE_CLUMP,     /**< overlapping spheres of a geometry; size.x = factor of all its lengths */
    SCREE_SHAPE_TRIANGLE,  /**< a sheet with corners at 0, (size.x, 0, 0) and (size.y, size.z, 0); bodies that
                              do not move by forces only */
    SCREE_SHAPE_MESH,      /**< a sheet of the triangles of a geometry; size.x = factor of all its lengths;
                              likewise */
    SCREE_SHAPE_HULL,      /**< the convex hull of a geometry's points; size.x = factor of all its lengths */
    SCREE_SHAPE_SOLID, /**< the inside of a geometry's closed surface; size.x = factor of all its lengths */
    SCREE_SHAPE_COMPOUND, /**< a rigid body of parts of a geometry; size.x = factor of all its lengths */
    SCREE_SHAPE_COUNT
} scree_shape_kind;

/** What does not fit into three lengths: made once, never changed, shared by the shapes that refer to it.
 * Worlds and frames keep what their bodies refer to until they are destroyed. */
typedef struct scree_geometry scree_geometry;

/** One sphere of a clump. */
typedef struct scree_clump_sphere {
    scree_vec3 position; /**< of its centre, m, within ±1e9 */
    float radius;        /**< m, > 0, up to 1e9 */
} scree_clump_sphere;

/** The most spheres of a clump. */
#define SCREE_CLUMP_SPHERES 1000

/** A shape: its kind and its lengths (m, 1e-12 to 1e12 where the kind uses them, else 0; of kinds with a
 * geometry the factor is > 0 and makes a radius in this range). */
typedef struct scree_shape {
    scree_shape_kind kind;
    scree_vec3 size;
    const scree_geometry *geometry; /**< of kinds that need one, else null */
} scree_shape;

/** A sphere of `radius` (m, > 0). */
SCREE_API scree_shape scree_shape_sphere(float radius);
/** A box of half extents `x`, `y`, `z` (m, each > 0). */
SCREE_API scree_shape scree_shape_box(float x, float y, float z);
/** The half-space below the body's local plane z = 0. */
SCREE_API scree_shape scree_shape_half_space(void);
/** Everything within `radius` of a line along the body's z from −half_length to half_length (m, each > 0). */
SCREE_API scree_shape scree_shape_capsule(float radius, float half_length);
/** A cylinder about the body's z from −half_height to half_height (m, each > 0). */
SCREE_API scree_shape scree_shape_cylinder(float radius, float half_height);
/** A solid cone about the body's z (m, each > 0): the base at −height/4, its tip at 3/4 height. */
SCREE_API scree_shape scree_shape_cone(float radius, float height);
/** An ellipsoid of semi-axes `x`, `y`, `z` (m, each > 0). */
SCREE_API scree_shape scree_shape_ellipsoid(float x, float y, float z);

/** A clump, the lengths of its geometry times `scale` (> 0). */
SCREE_API scree_shape scree_shape_clump(const scree_geometry *geometry, float scale);

/** Makes the geometry of a rigid body of `count` spheres (1 to SCREE_CLUMP_SPHERES) of equal density that may
 * overlap, given in coordinates of their own. Mass properties are those of the union, by quadrature to a
 * relative 1e-6. A body's origin is the centre of mass, and its axes are the principal ones; they are those
 * of the coordinates wherever these are principal. To be released. Errors: ARGUMENT, MEMORY. */
SCREE_API scree_result scree_clump_create(const scree_clump_sphere *spheres, int count, scree_geometry **out);
/** Gives up what was made; shapes of living bodies may go on referring to it. Null is fine. */
SCREE_API void scree_geometry_release(const scree_geometry *geometry);
/** The corners of a triangle, as places among the vertices. */
typedef struct scree_triangle {
    int corners[3];
} scree_triangle;

/** The most triangles of a mesh. */
#define SCREE_MESH_TRIANGLES 10000000

/** A mesh, the lengths of its geometry times `scale` (> 0). */
SCREE_API scree_shape scree_shape_mesh(const scree_geometry *geometry, float scale);

/** Makes the geometry of a surface of `count` triangles (1 to SCREE_MESH_TRIANGLES), solid to either side.
 * Vertices are within ±1e9 m. Those at the same place become one; triangles without an area are left out, and
 * copies of one. What slides over it feels no edge between triangles that lie in one plane, also where a
 * corner of one lies on the edge of another (within 1e-4 of its length); where triangles overlap it may, and
 * a flat side may where others stand below an edge. The body's origin and axes are those of the vertices. To
 * be released. Errors: ARGUMENT (names the triangle or vertex), MEMORY. */
SCREE_API scree_result scree_mesh_create(const scree_vec3 *vertices, int vertex_count,
                                         const scree_triangle *triangles, int count, scree_geometry **out);
/** The same from a file: STL, binary or ASCII, or Wavefront OBJ, of which vertices and faces (polygons become
 * fans of triangles) are read. Errors: FILE; FORMAT (names line or byte and what was expected); MEMORY. */
SCREE_API scree_result scree_mesh_load(const char *path, scree_geometry **out);
/** How many triangles a mesh or a solid has; 0 for null and other geometries. */
SCREE_API int scree_mesh_triangle_count(const scree_geometry *geometry);

/** How many spheres a clump has; 0 for null and other geometries. */
SCREE_API int scree_clump_sphere_count(const scree_geometry *geometry);
/** Sphere i of a clump in the body's axes about its origin, of scale 1. */
SCREE_API scree_clump_sphere scree_clump_get_sphere(const scree_geometry *geometry, int i);

/** The most points that a hull is made of, and the most of them that are its corners. */
#define SCREE_HULL_POINTS 10000000
#define SCREE_HULL_CORNERS 1000 /**< see SCREE_HULL_POINTS */

/** A hull, the lengths of its geometry times `scale` (> 0). */
SCREE_API scree_shape scree_shape_hull(const scree_geometry *geometry, float scale);

/** Makes the geometry of the convex hull of `count` points (4 to SCREE_HULL_POINTS, within ±1e9 m, not in one
 * plane within 1e-5 of their extent), solid, of density 1. Points inside of it are left out. A body's origin
 * is the centre of mass, and its axes are the principal ones; they are those of the coordinates wherever
 * these are principal. To be released. Errors: ARGUMENT (points that are not finite or span no space, more
 * than SCREE_HULL_CORNERS corners), MEMORY. */
SCREE_API scree_result scree_hull_create(const scree_vec3 *points, int count, scree_geometry **out);
/** The same of the vertices of a file that scree_mesh_load can read. Errors: FILE, FORMAT, MEMORY. */
SCREE_API scree_result scree_hull_load(const char *path, scree_geometry **out);
/** How many corners a hull, or the hull of a solid, has; 0 for null and other geometries. */
SCREE_API int scree_hull_corner_count(const scree_geometry *geometry);
/** Corner i of a hull in the body's axes about its origin, of scale 1. */
SCREE_API scree_vec3 scree_hull_get_corner(const scree_geometry *geometry, int i);

/** A solid, the lengths of its geometry times `scale` (> 0). */
SCREE_API scree_shape scree_shape_solid(const scree_geometry *geometry, float scale);

/** Makes the geometry of what is inside of a closed surface of `count` triangles, convex or not, that are
 * counter-clockwise as seen from outside; vertices and triangles as of scree_mesh_create. Corners that
 * rounding took apart become one: those of edges that one triangle has, within 1e-6 of the longest side of
 * the surface's box (or 4 units of the last place of its farthest coordinate). Every place is inside once or
 * not at all: a surface may have several shells, beside each other or touching; one inside of another is a
 * hollow and turned the other way, and one in a hollow is solid again. Triangles that cross, by more than
 * these 4 units, are refused, and so is a shell that lies inside of another, which would count its volume
 * twice, or one that is turned inwards with nothing around it. Triangles without an area are left out, so
 * that what they lay between shares no edge: a surface has to do without them. Mass properties are exact, of
 * density 1; a body's origin is the centre of mass, and its axes are the principal ones, as of hulls. What is
 * outside touches its triangles, and half-spaces touch its hull, of at most SCREE_HULL_CORNERS corners. Two
 * solids, or a solid and a mesh, cannot touch yet: a step in which they come near is SCREE_ERROR_UNSUPPORTED,
 * unless their groups are told apart. To be released. Errors: ARGUMENT (names the triangles, by their places,
 * and the edge at which a surface is open or inverted, or the point where it crosses itself), MEMORY. */
SCREE_API scree_result scree_solid_create(const scree_vec3 *vertices, int vertex_count,
                                          const scree_triangle *triangles, int count, scree_geometry **out);
/** The same from a file, as scree_mesh_load. Errors: FILE, FORMAT, MEMORY. */
SCREE_API scree_result scree_solid_load(const char *path, scree_geometry **out);

/** One part of a compound, in coordinates of the compound's own. */
typedef struct scree_compound_child {
    scree_shape shape;      /**< a sphere, box, capsule, cylinder, cone, ellipsoid or hull */
    scree_vec3 position;    /**< of the shape's origin, its centre of mass, m, within ±1e9 */
    scree_quat rotation;    /**< of the shape's axes, unit to 0.001 */
    float relative_density; /**< times the density of the body's material, > 0 */
} scree_compound_child;

/** The most parts of a compound. */
#define SCREE_COMPOUND_CHILDREN 1000

/** A sphere of radius 0.5 m at the origin, not turned, of relative density 1. */
SCREE_API scree_compound_child scree_default_compound_child(void);

/** A compound, the lengths of its geometry times `scale` (> 0). */
SCREE_API scree_shape scree_shape_compound(const scree_geometry *geometry, float scale);

/** Makes the geometry of a rigid body of `count` parts (1 to SCREE_COMPOUND_CHILDREN), convex each, which may
 * overlap or be apart. It touches by each of them. Volume, mass and inertia are the sums of the parts', so
 * that what lies in two of them counts twice; bodies may be given others (scree_body_def.mass, inertia). A
 * body's origin is the centre of mass, and its axes are the principal ones; they are those of the coordinates
 * wherever these are principal. Geometries of hulls are shared, so that they may be released. To be released.
 * Errors: ARGUMENT (names the part: one of another kind, such as a compound, a mesh or a half-space, lengths,
 * a position, a rotation or a relative density out of range), MEMORY. */
SCREE_API scree_result scree_compound_create(const scree_compound_child *parts, int count,
                                             scree_geometry **out);
/** How many parts a compound has; 0 for null and other geometries. */
SCREE_API int scree_compound_child_count(const scree_geometry *geometry);
/** Part i of a compound in the body's axes about its origin, of scale 1; the default part where there is
 * none. */
SCREE_API scree_compound_child scree_compound_get_child(const scree_geometry *geometry, int i);

/** Where the body's origin and axes lie in the coordinates in which a clump's spheres, a compound's parts, a
 * hull's points or the vertices of a mesh or a solid were given. */
SCREE_API void scree_geometry_get_frame(const scree_geometry *geometry, scree_vec3 *origin, scree_quat *axes);

/** "sphere", "box", "half-space", "capsule", "cylinder", "cone", "ellipsoid", "clump", "triangle",
 * "mesh", "hull", "solid", "compound". Null for an unknown kind. */
SCREE_API const char *scree_shape_kind_name(scree_shape_kind kind);
/** Volume in m³; infinite for half-spaces, triangles and meshes, 0 for an unknown kind, like the lengths
 * below. */
SCREE_API double scree_shape_get_volume(scree_shape shape);
/** Mass (kg) of a material of `density` (kg/m³): the volume times it and, of a compound, the relative density
 * of each part. */
SCREE_API double scree_shape_get_mass(scree_shape shape, double density);
/** Radius of the smallest sphere about the shape's origin that holds all of it, m; of a compound, of one that
 * holds the spheres of its parts. */
SCREE_API double scree_shape_get_radius(scree_shape shape);
/** Half of its smallest width, m: a sphere's radius, a box's smallest half extent; of a cone, the least
 * distance of its surface from the centre of mass, as of a hull; of a solid, its volume over its surface; of
 * a clump, the radius of its largest sphere; of a compound, that of its thinnest part. */
SCREE_API double scree_shape_get_half_width(scree_shape shape);
/** Side of the smallest square hole that it falls through, m, by which sieves sort: a sphere's diameter, of
 * any other the middle one of the edges of the box around it along its axes; of a hull or solid, that of the
 * least box in which the hull lies on one of its sides, of a clump or compound, on one of the sides of the
 * hull of its spheres' centres and its parts' corners and ends. */
SCREE_API double scree_shape_get_sieve_size(scree_shape shape);
/** The shape with all of its lengths multiplied by `factor` (> 0). */
SCREE_API scree_shape scree_shape_scale(scree_shape shape, double factor);
/** Checks the sizes, whose cubes single precision has to hold. SCREE_ERROR_ARGUMENT with a sentence naming
 * what is wrong. */
SCREE_API scree_result scree_validate_shape(scree_shape shape);

#ifdef __cplusplus
}
#endif
#endif
