/** @file
 * Collision shapes: small values that a body stores by copy. The origin of a shape is its centre of mass. */
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include <scree/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of shape. SCREE_SHAPE_COUNT is their number. `size` is scree_shape.size. */
typedef enum scree_shape_kind {
    SCREE_SHAPE_SPHERE,     /**< size.x = radius */
    SCREE_SHAPE_BOX,        /**< size = half extents along the body's axes */
    SCREE_SHAPE_HALF_SPACE, /**< solid below the local plane z = 0; static or kinematic bodies only */
    SCREE_SHAPE_CAPSULE,    /**< all points within size.x of a segment of half length size.y along z */
    SCREE_SHAPE_CYLINDER,   /**< around z: size.x = radius, size.y = half height */
    SCREE_SHAPE_CONE, /**< around z, tip up: size.x = radius of the base, size.y = height; the base lies a
                         quarter of the height below the centre of mass */
    SCREE_SHAPE_ELLIPSOID, /**< size = semi-axes along the body's axes */
    SCREE_SHAPE_CLUMP,     /**< overlapping spheres of a geometry; size.x = scale */
    SCREE_SHAPE_TRIANGLE,  /**< a sheet with corners (0, 0, 0), (size.x, 0, 0) and (size.y, size.z, 0); static
                              or kinematic bodies only */
    SCREE_SHAPE_MESH,  /**< a sheet of the triangles of a geometry; size.x = scale; static or kinematic bodies
                          only */
    SCREE_SHAPE_HULL,  /**< convex hull of the points of a geometry; size.x = scale */
    SCREE_SHAPE_SOLID, /**< interior of the closed surface of a geometry; size.x = scale. Does not collide
                          with other solids and meshes: a step in which they meet fails (scree_solid_create)
                        */
    SCREE_SHAPE_COMPOUND, /**< rigidly connected convex children of a geometry; size.x = scale */
    SCREE_SHAPE_COUNT
} scree_shape_kind;

/** Shape data that does not fit into three lengths. A geometry is immutable and shared by all shapes that
 * refer to it, also those of worlds that different threads use. Worlds and frames keep the geometries of
 * their bodies alive until they are destroyed. */
typedef struct scree_geometry scree_geometry;

/** One sphere of a clump. */
typedef struct scree_clump_sphere {
    scree_vec3 position; /**< centre, m, within ±1e9 */
    float radius;        /**< m, > 0, up to 1e9 */
} scree_clump_sphere;

/** Largest number of spheres in a clump. */
#define SCREE_CLUMP_SPHERES 1000

/** A shape. Lengths that the kind uses are within 1e-12 to 1e12 m, the others 0. For kinds with a geometry
 * the scale is > 0 and the scaled radius is in this range. */
typedef struct scree_shape {
    scree_shape_kind kind;
    scree_vec3 size;                /**< m, or the scale: see scree_shape_kind */
    const scree_geometry *geometry; /**< null for kinds without a geometry */
} scree_shape;

/** Returns a sphere of `radius` (m, > 0). */
SCREE_API scree_shape scree_shape_sphere(float radius);
/** Returns a box of half extents `x`, `y`, `z` (m, each > 0). */
SCREE_API scree_shape scree_shape_box(float x, float y, float z);
/** Returns the half-space below the body's local plane z = 0. */
SCREE_API scree_shape scree_shape_half_space(void);
/** Returns a capsule: all points within `radius` of the segment from −half_length to half_length along the
 * body's z (m, each > 0). */
SCREE_API scree_shape scree_shape_capsule(float radius, float half_length);
/** Returns a cylinder around the body's z from −half_height to half_height (m, each > 0). */
SCREE_API scree_shape scree_shape_cylinder(float radius, float half_height);
/** Returns a solid cone around the body's z (m, each > 0) with its base at −height/4 and its tip at 3/4
 * height. */
SCREE_API scree_shape scree_shape_cone(float radius, float height);
/** Returns an ellipsoid of semi-axes `x`, `y`, `z` (m, each > 0). */
SCREE_API scree_shape scree_shape_ellipsoid(float x, float y, float z);

/** Returns a clump of `geometry` (may be null: no call accepts the shape) scaled by `scale` (> 0). */
SCREE_API scree_shape scree_shape_clump(const scree_geometry *geometry, float scale);

/** Makes the geometry of a clump: a rigid body of `count` spheres (1 to SCREE_CLUMP_SPHERES) of equal density
 * that may overlap, in any coordinates. The mass properties are those of the union, by quadrature to a
 * relative error of 1e-6. The body's origin is the centre of mass and its axes are principal axes; the axes
 * of the given coordinates are kept if they are principal. Free it with scree_geometry_release. Errors:
 * ARGUMENT, MEMORY. */
SCREE_API scree_result scree_clump_create(const scree_clump_sphere *spheres, int count, scree_geometry **out);
/** Adds a reference to a geometry, to be released with scree_geometry_release. Null is allowed. */
SCREE_API void scree_geometry_retain(const scree_geometry *geometry);
/** Releases the caller's reference to a geometry. Shapes of living bodies may continue to refer to it. Null
 * is allowed. */
SCREE_API void scree_geometry_release(const scree_geometry *geometry);
/** A triangle. */
typedef struct scree_triangle {
    int corners[3]; /**< indices of vertices, from 0 */
} scree_triangle;

/** Largest number of triangles in a mesh. */
#define SCREE_MESH_TRIANGLES 10000000

/** Returns a mesh of `geometry` (may be null: no call accepts the shape) scaled by `scale` (> 0). */
SCREE_API scree_shape scree_shape_mesh(const scree_geometry *geometry, float scale);

/** Makes the geometry of a mesh: a surface of `count` triangles (1 to SCREE_MESH_TRIANGLES) that is solid to
 * either side. Vertices are within ±1e9 m. Vertices at the same position are merged; degenerate and duplicate
 * triangles are dropped. Bodies slide without disturbance across edges between coplanar triangles, including
 * T-junctions (a corner within 1e-4 of the length of the other edge). Overlapping triangles, and flat sides
 * of bodies over triangles below an edge, may still feel edges. The body's origin and axes are those of the
 * vertices. Free it with scree_geometry_release. Errors: ARGUMENT (names the triangle or vertex), MEMORY. */
SCREE_API scree_result scree_mesh_create(const scree_vec3 *vertices, int vertex_count,
                                         const scree_triangle *triangles, int count, scree_geometry **out);
/** Returns the number of triangles of a mesh or solid; 0 for null and other geometries. */
SCREE_API int scree_mesh_triangle_count(const scree_geometry *geometry);

/** Returns the number of spheres of a clump; 0 for null and other geometries. */
SCREE_API int scree_clump_sphere_count(const scree_geometry *geometry);
/** Returns sphere i of a clump in the body's axes about its origin, at scale 1; zero for null and other
 * geometries, and if i is out of range. */
SCREE_API scree_clump_sphere scree_clump_get_sphere(const scree_geometry *geometry, int i);

/** Largest number of points that a hull is made from, and of corners that it may have. */
#define SCREE_HULL_POINTS 10000000
#define SCREE_HULL_CORNERS 1000 /**< see SCREE_HULL_POINTS */

/** Returns a hull of `geometry` (may be null: no call accepts the shape) scaled by `scale` (> 0). */
SCREE_API scree_shape scree_shape_hull(const scree_geometry *geometry, float scale);

/** Makes the geometry of the solid convex hull of `count` points (4 to SCREE_HULL_POINTS, within ±1e9 m, not
 * coplanar within 1e-5 of their extent), with density 1. Interior points are dropped. The body's origin is
 * the centre of mass and its axes are principal axes; the axes of the given coordinates are kept if they are
 * principal. Free it with scree_geometry_release. Errors: ARGUMENT (points that are not finite or are
 * coplanar, or more than SCREE_HULL_CORNERS corners), MEMORY. */
SCREE_API scree_result scree_hull_create(const scree_vec3 *points, int count, scree_geometry **out);
/** Returns the number of corners of a hull, or of the hull of a solid; 0 for null and other geometries. */
SCREE_API int scree_hull_corner_count(const scree_geometry *geometry);
/** Returns corner i of a hull in the body's axes about its origin, at scale 1; zero for null and other
 * geometries, and if i is out of range. */
SCREE_API scree_vec3 scree_hull_get_corner(const scree_geometry *geometry, int i);

/** Returns a solid of `geometry` (may be null: no call accepts the shape) scaled by `scale` (> 0). */
SCREE_API scree_shape scree_shape_solid(const scree_geometry *geometry, float scale);

/** Makes the geometry of a solid: the interior of a closed surface, convex or not, of `count` triangles that
 * are counter-clockwise seen from outside. Vertices and triangles are as in scree_mesh_create.
 *
 * Topology: boundary vertices that differ by round-off only are merged, within 1e-6 of the longest side of
 * the surface's bounding box (or 4 units in the last place of its farthest coordinate). The surface may have
 * several shells next to each other or touching. A shell inside another is a cavity and must be oriented
 * inwards; a shell in a cavity is solid again. Rejected are triangles that cross by more than these 4 units,
 * a nested shell that is not a cavity (its volume would count twice), and an inward shell that is not
 * enclosed. Degenerate triangles are dropped. Their neighbours then share no edge, so a closed surface must
 * not contain any.
 *
 * Mass properties are exact, with density 1. The body's origin is the centre of mass and its axes are
 * principal axes, as for hulls.
 *
 * Contacts: other shapes touch the triangles; half-spaces touch the convex hull, which has at most
 * SCREE_HULL_CORNERS corners. Contacts between two solids, or a solid and a mesh, are not supported: a step
 * in which they come close returns SCREE_ERROR_UNSUPPORTED, and scree_error_get_bodies has the two bodies,
 * unless their groups or a joint between them exclude the contact. The creation of such bodies is no error,
 * since they may never meet. Make one of the two a hull or a compound of hulls, or put both in groups that do
 * not touch.
 *
 * Free it with scree_geometry_release. Errors: ARGUMENT (names the triangles by index and the open or
 * inverted edge or the point of self-intersection), MEMORY. */
SCREE_API scree_result scree_solid_create(const scree_vec3 *vertices, int vertex_count,
                                          const scree_triangle *triangles, int count, scree_geometry **out);

/** One child of a compound, in the coordinates of the compound. */
typedef struct scree_compound_child {
    scree_shape shape;      /**< a sphere, box, capsule, cylinder, cone, ellipsoid or hull */
    scree_vec3 position;    /**< of the child's centre of mass, m, within ±1e9 */
    scree_quat rotation;    /**< of the child's axes, unit within 0.001 */
    float relative_density; /**< factor of the density of the body's material, > 0 */
} scree_compound_child;

/** Largest number of children of a compound. */
#define SCREE_COMPOUND_CHILDREN 1000

/** Returns a sphere of radius 0.5 m at the origin, unrotated, of relative density 1. */
SCREE_API scree_compound_child scree_default_compound_child(void);

/** Returns a compound of `geometry` (may be null: no call accepts the shape) scaled by `scale` (> 0). */
SCREE_API scree_shape scree_shape_compound(const scree_geometry *geometry, float scale);

/** Makes the geometry of a compound: a rigid body of `count` convex children (1 to SCREE_COMPOUND_CHILDREN),
 * which may overlap or be apart. Each child makes contacts. Volume, mass and inertia are the sums over the
 * children, so overlaps count twice; scree_body_def.mass and inertia override them. The body's origin is the
 * centre of mass and its axes are principal axes; the axes of the given coordinates are kept if they are
 * principal. The compound holds references to the geometries of hulls, so the caller may release them. Free
 * it with scree_geometry_release. Errors: ARGUMENT (names the child: a kind that is not allowed, such as a
 * compound, mesh or half-space, or lengths, position, rotation or relative density out of range), MEMORY. */
SCREE_API scree_result scree_compound_create(const scree_compound_child *parts, int count,
                                             scree_geometry **out);
/** Returns the number of children of a compound; 0 for null and other geometries. */
SCREE_API int scree_compound_child_count(const scree_geometry *geometry);
/** Returns child i of a compound in the body's axes about its origin, at scale 1; the default child for null
 * and other geometries, and if i is out of range. */
SCREE_API scree_compound_child scree_compound_get_child(const scree_geometry *geometry, int i);

/** Returns the body's origin and axes in the coordinates in which the spheres of a clump, the children of a
 * compound, the points of a hull or the vertices of a mesh or solid were given. `geometry`, `origin` and
 * `axes` may be null. */
SCREE_API void scree_geometry_get_frame(const scree_geometry *geometry, scree_vec3 *origin, scree_quat *axes);

/** Returns "sphere", "box", "half-space", "capsule", "cylinder", "cone", "ellipsoid", "clump", "triangle",
 * "mesh", "hull", "solid" or "compound"; null for an unknown kind. */
SCREE_API const char *scree_shape_kind_name(scree_shape_kind kind);
/** Returns the volume, m³: infinite for half-spaces, triangles and meshes, 0 for an unknown kind. */
SCREE_API double scree_shape_get_volume(scree_shape shape);
/** Returns the mass (kg) at `density` (kg/m³). The relative densities of a compound's children are included.
 * 0 for an unknown kind. */
SCREE_API double scree_shape_get_mass(scree_shape shape, double density);
/** Returns the radius of the smallest sphere around the shape's origin that contains the shape, m; for a
 * compound, of a sphere that contains the bounding spheres of its children. 0 for an unknown kind. */
SCREE_API double scree_shape_get_radius(scree_shape shape);
/** Returns the half extents, m, of the smallest box along the shape's own axes that is centred at its origin
 * and contains it; infinite for half-spaces, 0 for an unknown kind. */
SCREE_API scree_vec3 scree_shape_get_half_extents(scree_shape shape);
/** Returns the shape of `kind` with these half extents, m, as scree_shape_get_half_extents gives them. The
 * geometry is null, and all sizes are 0 for half-spaces and an unknown kind. */
SCREE_API scree_shape scree_shape_of_half_extents(scree_shape_kind kind, scree_vec3 half);
/** Returns half of the smallest width, m: the radius of a sphere or the smallest half extent of a box. Cone
 * and hull: the least distance of the surface from the centre of mass. Solid: volume / surface area. Clump:
 * the radius of its largest sphere. Compound: the value of its thinnest child. 0 for an unknown kind. */
SCREE_API double scree_shape_get_half_width(scree_shape shape);
/** Returns the sieve size, m: the side of the smallest square opening that the shape falls through. A sphere
 * has its diameter, other shapes the middle edge of a bounding box along their axes. Hulls and solids use the
 * smallest box in which the hull lies on one of its faces; clumps and compounds the one in which the hull of
 * their spheres' centres and their children's corners and ends does. 0 for an unknown kind. */
SCREE_API double scree_shape_get_sieve_size(scree_shape shape);
/** Returns the shape with all lengths multiplied by `factor` (> 0). */
SCREE_API scree_shape scree_shape_scale(scree_shape shape, double factor);
/** Returns whether the shape is a solid of flat faces: a box, hull, solid or half-space. */
SCREE_API bool scree_shape_has_flat_faces(scree_shape shape);

/** A shape with a pose. */
typedef struct scree_placed_shape {
    scree_shape shape;
    scree_vec3 position; /**< of the shape's origin, m */
    scree_quat rotation; /**< from the shape's axes, unit within 0.0005 */
} scree_placed_shape;

/** Returns the number of pieces that rays meet: the spheres of a clump, the triangles of a mesh or of the
 * surface of a hull or solid, or the pieces of a compound's children. 1 for other shapes, 0 for an unknown
 * kind. */
SCREE_API int scree_shape_piece_count(scree_shape shape);
/** Returns piece i with its pose in the axes of the shape; the shape itself if i is out of range. */
SCREE_API scree_placed_shape scree_shape_get_piece(scree_shape shape, int i);

/** Returns the bounding box of a shape at a pose; infinite for half-spaces. */
SCREE_API scree_box scree_shape_get_box(scree_shape shape, scree_pose pose);
/** Returns the volume of a shape at a pose inside an axis-aligned box, m³, also of half-spaces. Exact for
 * spheres, boxes, half-spaces and hulls, to 1e-5 for other shapes, to a few thousandths for clumps that the
 * box cuts; for compounds the sum over their children. `lower` and `upper` are finite, m. */
SCREE_API double scree_shape_cut_volume(scree_shape shape, scree_pose pose, const double lower[3],
                                        const double upper[3]);
/** Returns the distance along a ray from `origin` (m) in the unit `direction` at which it enters a shape at a
 * pose, m; infinite if it misses the shape. */
SCREE_API float scree_shape_cast_ray(scree_shape shape, scree_pose pose, scree_vec3 origin,
                                     scree_vec3 direction);
/** Checks kind, sizes and geometry as scree_shape states. Errors: ARGUMENT (names the field). */
SCREE_API scree_result scree_validate_shape(scree_shape shape);

/** Makes the geometry of a mesh (see scree_mesh_create) over a grid of heights (m), two triangles a cell. The
 * grid has `columns` (≥ 2) heights along x in each of `rows` (≥ 2) rows along y, and at most
 * SCREE_MESH_TRIANGLES/2 cells. `spacing_x` and `spacing_y` (m, > 0) are the distances between grid points.
 * The body's origin is in the middle of the grid at height 0. Free it with scree_geometry_release. Errors:
 * ARGUMENT, MEMORY. */
SCREE_API scree_result scree_height_field_create(const float *heights, int columns, int rows, float spacing_x,
                                                 float spacing_y, scree_geometry **out);

#ifdef __cplusplus
}
#endif
#endif
