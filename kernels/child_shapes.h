/* Shapes made of children on a device, as geometry/children.h has them on the host: tables of their
 * geometries, the place of a child, and the children near a box. In C: the tables' structs. */
#ifndef SCREE_KERNELS_CHILD_SHAPES_H
#define SCREE_KERNELS_CHILD_SHAPES_H

#include "kinds.h"
#include "layout.h"
#include "mesh_table.h"
#include "swept_box.h"

/* A ball of a clump or a child of a compound, in the geometry's lengths and axes. */
typedef struct child_part {
    vec3s size; /* as in scree_shape */
    int kind;
    versors rotation;
    vec3s centre;
    int corner_count;
    vec3s lower; /* bounding box of a compound's child */
    int side_count;
    vec3s upper;
    int first_corner;  /* of a hull */
    scalar half_width; /* of a hull's geometry */
    int first_side;
    int reserved[2];
} WORDS child_part;

/* A geometry; indices of its first items in the tables. */
typedef struct child_geometry {
    int kind;  /* of the shapes that use it */
    int count; /* children */
    int part;
    int triangle, vertex, node, edge, facet, vertex_direction, direction;
    int first_corner, corner_count, first_side, side_count; /* hull of a solid */
    scalar half_width;
    int reserved;
    vec3s half_size; /* of the box of a mesh, about `middle` */
    int reserved_half;
    vec3s middle;
    int reserved_middle;
} WORDS child_geometry;

/* Each body. */
typedef struct child_body {
    int geometry; /* −1: the body has no children */
    int count;    /* children; 1 for other bodies */
    scalar scale;
    int surface; /* whether it is made of triangles */
} WORDS child_body;

#if SCREE_WIDTH == 1
STATIC_ASSERT(sizeof(child_part) == 17 * sizeof(scalar) + 28, "child_part");
STATIC_ASSERT(sizeof(child_geometry) == 7 * sizeof(scalar) + 68, "child_geometry");
STATIC_ASSERT(sizeof(child_body) == sizeof(scalar) + 12, "child_body");
#endif

/* Returns half the smallest width of a convex shape or triangle, m; `hull`: half_width of a hull's geometry.
 */
SHARED scalar shape_half_width(int kind, vec3s size, scalar hull) {
    const scalar least = scalar_min(size.x, scalar_min(size.y, size.z));
    if (kind == SHAPE_BOX || kind == SHAPE_ELLIPSOID) return least;
    if (kind == SHAPE_CYLINDER) return scalar_min(size.x, size.y);
    if (kind == SHAPE_CONE) return cone_half_width(size);
    if (kind == SHAPE_TRIANGLE) return scalar_max(size.x, glms_vec3_norm(vec3_of(size.y, size.z, 0)));
    return kind == SHAPE_HULL ? size.x * hull : size.x;
}

#ifdef __OPENCL_VERSION__

#include "rotation.h"

/* -- Tables ----------------------------------------------------------------------------- */

typedef struct child_tables {
    global const child_body *bodies;
    global const child_geometry *geometries;
    global const child_part *parts;
    global const mesh_triangle *triangles;
    global const vec3s *vertices;
    global const mesh_node *nodes;
    global const int *order;       /* triangles of leaves */
    global const int *edge_firsts; /* facet_first and direction_first of all meshes */
    global const edge_facet *facets;
    global const vec3s *directions;
    global const convex_shape *shapes; /* of bodies */
    global const hull_corner *corners;
} child_tables;

#define CHILD_TABLES                                                                                         \
    global const child_body *children, global const child_geometry *geometries,                              \
        global const child_part *parts, global const mesh_triangle *triangles, global const vec3s *vertices, \
        global const mesh_node *nodes, global const int *leaf_order, global const int *edge_firsts,          \
        global const edge_facet *facets, global const vec3s *directions, global const convex_shape *shapes,  \
        LOOKUP hull_corner *corners
#define CHILD_TABLES_HERE                                                                                    \
    child_tables_of(children, geometries, parts, triangles, vertices, nodes, leaf_order, edge_firsts,        \
                    facets, directions, shapes, corners)

SHARED child_tables child_tables_of(CHILD_TABLES) {
    child_tables out;
    out.bodies = children, out.geometries = geometries, out.parts = parts;
    out.triangles = triangles, out.vertices = vertices, out.nodes = nodes, out.order = leaf_order;
    out.edge_firsts = edge_firsts, out.facets = facets, out.directions = directions;
    out.shapes = shapes, out.corners = corners;
    return out;
}

/* Returns the surface of a geometry. */
SHARED mesh_table surface_table(const child_tables tables, const int geometry) {
    global const child_geometry *of = &tables.geometries[geometry];
    mesh_table out;
    out.triangles = tables.triangles + of->triangle, out.vertices = tables.vertices + of->vertex;
    out.facet_first = tables.edge_firsts + of->edge, out.facets = tables.facets + of->facet;
    out.direction_first = tables.edge_firsts + of->vertex_direction;
    out.directions = tables.directions + of->direction;
    return out;
}

SHARED int has_children(const child_tables tables, const int body) {
    return tables.bodies[body].geometry >= 0;
}

/* Numbers of children of two bodies: child of a · children of b + child of b. */
typedef struct child_numbers {
    int a, b;
} child_numbers;

SHARED child_numbers children_of(const child_tables tables, const int body_b, const int number) {
    const int count = tables.bodies[body_b].count;
    child_numbers out;
    out.a = number / count, out.b = number % count;
    return out;
}

/* -- Places ----------------------------------------------------------------------------- */

/* A child as a body of its own. */
typedef struct placed_child {
    convex_shape of;
    body_pose pose;
    vec3s arm; /* from the body's centre to the child's, m, world axes */
} placed_child;

SHARED convex_shape shape_sized(const int kind, const vec3s size, const scalar hull) {
    convex_shape out;
    out.size = size, out.kind = kind, out.width = shape_half_width(kind, size, hull);
    out.corner_count = out.side_count = out.first_corner = out.first_side = 0;
    return out;
}

SHARED convex_shape part_shape(const child_part part, const scalar scale) {
    convex_shape out = shape_sized(part.kind, glms_vec3_scale(part.size, scale), part.half_width);
    out.first_corner = part.first_corner, out.first_side = part.first_side;
    out.corner_count = part.corner_count, out.side_count = part.side_count;
    return out;
}

SHARED convex_shape solid_hull(const child_geometry of, const scalar scale) {
    convex_shape out = shape_sized(SHAPE_HULL, vec3_of(scale, 0, 0), of.half_width);
    out.first_corner = of.first_corner, out.first_side = of.first_side;
    out.corner_count = of.corner_count, out.side_count = of.side_count;
    return out;
}

SHARED placed_child placed_at(const convex_shape of, const body_pose body, const vec3s centre,
                              const versors rotation) {
    placed_child out;
    out.of = of, out.arm = rotate(body.rotation, centre);
    out.pose.position = glms_vec3_add(body.position, out.arm);
    out.pose.rotation = rotation_product(body.rotation, rotation);
    return out;
}

/* Returns child number `child` of a body at a pose; a body without children is its own only child. */
SHARED placed_child child_place(const child_tables tables, const int slot, const body_pose pose,
                                const int child) {
    const child_body body = tables.bodies[slot];
    if (body.geometry < 0) {
        placed_child own;
        own.of = tables.shapes[slot], own.pose = pose, own.arm = glms_vec3_zero();
        return own;
    }
    const child_geometry of = tables.geometries[body.geometry];
    if (!body.surface) {
        const child_part part = tables.parts[of.part + child];
        return placed_at(part_shape(part, body.scale), pose, glms_vec3_scale(part.centre, body.scale),
                         part.rotation);
    }
    if (of.kind == SHAPE_SOLID && child == of.count - 1)
        return placed_at(solid_hull(of, body.scale), pose, glms_vec3_zero(), versor_of(0, 0, 0, 1));
    const mesh_triangle triangle = tables.triangles[of.triangle + child];
    return placed_at(shape_sized(SHAPE_TRIANGLE, glms_vec3_scale(triangle.size, body.scale), 0), pose,
                     glms_vec3_scale(tables.vertices[of.vertex + triangle.corners[0]], body.scale),
                     triangle.rotation);
}

/* Returns the kind of its shape. */
SHARED int shape_of_child(const child_tables tables, const int slot, const int child) {
    const child_body body = tables.bodies[slot];
    if (body.geometry < 0) return tables.shapes[slot].kind;
    global const child_geometry *of = &tables.geometries[body.geometry];
    if (!body.surface) return tables.parts[of->part + child].kind;
    return of->kind == SHAPE_SOLID && child == of->count - 1 ? SHAPE_HULL : SHAPE_TRIANGLE;
}

/* -- Boxes ------------------------------------------------------------------------------ */

SHARED vec3s hull_extent(LOOKUP hull_corner *corners, const int count, const scalar scale,
                         const versors rotation) {
    vec3s most = glms_vec3_zero();
    for (int i = 0; i < count; i++)
        most = vec3_greater(
            most, vec3_absolute(rotate(rotation, vec3_of(corners[i].x, corners[i].y, corners[i].z))));
    return glms_vec3_scale(most, scale);
}

SHARED vec3s convex_extent(const convex_shape of, LOOKUP hull_corner *corners, const versors rotation) {
    switch (of.kind) {
    case SHAPE_SPHERE:
        return ball_extent(of.size);
    case SHAPE_BOX:
        return box_turned_extent(of.size, rotation);
    case SHAPE_CAPSULE:
        return capsule_extent(of.size, rotation);
    case SHAPE_CYLINDER:
        return cylinder_extent(of.size, rotation);
    case SHAPE_CONE:
        return cone_extent(of.size, rotation);
    case SHAPE_ELLIPSOID:
        return ellipsoid_extent(of.size, rotation);
    case SHAPE_HULL:
        return hull_extent(corners + of.first_corner, of.corner_count, of.size.x, rotation);
    case SHAPE_TRIANGLE:
        return vec3_greater(vec3_absolute(rotate(rotation, vec3_of(of.size.x, 0, 0))),
                            vec3_absolute(rotate(rotation, vec3_of(of.size.y, of.size.z, 0))));
    default:
        return vec3_equal(INFINITY);
    }
}

SHARED vec3s clump_extent(const child_tables tables, const child_geometry of, const scalar scale,
                          const versors rotation) {
    vec3s most = glms_vec3_zero();
    for (int i = 0; i < of.count; i++) {
        const child_part part = tables.parts[of.part + i];
        most = vec3_greater(
            most, glms_vec3_add(vec3_absolute(rotate(rotation, part.centre)), vec3_equal(part.size.x)));
    }
    return glms_vec3_scale(most, scale);
}

SHARED vec3s compound_extent(const child_tables tables, const int slot, const child_geometry of,
                             const versors rotation) {
    vec3s most = glms_vec3_zero();
    body_pose pose;
    pose.position = glms_vec3_zero(), pose.rotation = rotation;
    for (int i = 0; i < of.count; i++) {
        const placed_child child = child_place(tables, slot, pose, i);
        const bounds box = bounds_around(child.pose.position,
                                         convex_extent(child.of, tables.corners, child.pose.rotation), 0);
        most = vec3_greater(most, vec3_greater(glms_vec3_negate(box.lower), box.upper));
    }
    return most;
}

/* Returns the exact box of a body at a pose. */
SHARED bounds body_box(const child_tables tables, const int slot, const body_pose pose) {
    const child_body body = tables.bodies[slot];
    if (body.geometry < 0)
        return bounds_around(pose.position, convex_extent(tables.shapes[slot], tables.corners, pose.rotation),
                             0);
    const child_geometry of = tables.geometries[body.geometry];
    const vec3s middle =
        glms_vec3_add(pose.position, rotate(pose.rotation, glms_vec3_scale(of.middle, body.scale)));
    vec3s extent;
    if (of.kind == SHAPE_CLUMP)
        extent = clump_extent(tables, of, body.scale, pose.rotation);
    else if (of.kind == SHAPE_COMPOUND)
        extent = compound_extent(tables, slot, of, pose.rotation);
    else if (of.kind == SHAPE_SOLID)
        extent = hull_extent(tables.corners + of.first_corner, of.corner_count, body.scale, pose.rotation);
    else
        extent = box_turned_extent(glms_vec3_scale(of.half_size, body.scale), pose.rotation);
    return bounds_around(middle, extent, 0);
}

/* Returns the pose in the axes of a body. */
SHARED body_pose pose_in(const body_pose body, const body_pose pose) {
    const versors q = body.rotation;
    body_pose out;
    out.position = rotate_inverse(q, glms_vec3_sub(pose.position, body.position));
    out.rotation = rotation_product(versor_of(-q.x, -q.y, -q.z, q.w), pose.rotation);
    return out;
}

/* Returns the box of a child in the axes of a body. */
SHARED bounds child_box_in(const child_tables tables, const body_pose body, const placed_child child) {
    const body_pose pose = pose_in(body, child.pose);
    return bounds_around(pose.position, convex_extent(child.of, tables.corners, pose.rotation), 0);
}

SHARED bounds bounds_extended(bounds box, const scalar reach) {
    box.lower = glms_vec3_sub(box.lower, vec3_equal(reach));
    box.upper = glms_vec3_add(box.upper, vec3_equal(reach));
    return box;
}

/* -- Search ----------------------------------------------------------------------------- */

/* A walk over the children of a body whose boxes meet a box in the body's axes, in the order of the host's
 * visit. */
typedef struct child_walk {
    child_geometry of;
    scalar scale;
    bounds around;
    int one;       /* a body or a solid of which one child is near */
    int next, end; /* parts, or triangles of a leaf */
    int depth, stack[MESH_TREE_DEPTH];
} child_walk;

/* Begins the walk of a body without children. */
SHARED void walk_begin_whole(child_walk *self) { self->one = 1, self->next = 0; }

SHARED void walk_begin(child_walk *self, const child_tables tables, const int slot, bounds around) {
    const child_body body = tables.bodies[slot];
    self->of = tables.geometries[body.geometry];
    self->scale = body.scale;
    self->next = 0, self->end = body.surface ? 0 : self->of.count;
    self->one = self->of.kind == SHAPE_SOLID && isinf(around.upper.x);
    if (self->one) self->next = self->of.count - 1;
    self->depth = body.surface, self->stack[0] = 0;
    if (body.surface) {
        around.lower = glms_vec3_scale(around.lower, 1 / body.scale);
        around.upper = glms_vec3_scale(around.upper, 1 / body.scale);
    }
    self->around = around;
}

SHARED int part_is_near(const child_walk *self, const child_part part) {
    if (self->of.kind == SHAPE_COMPOUND)
        return corners_meet(glms_vec3_scale(part.lower, self->scale),
                            glms_vec3_scale(part.upper, self->scale), self->around.lower, self->around.upper);
    const vec3s centre = glms_vec3_scale(part.centre, self->scale), r = vec3_equal(self->scale * part.size.x);
    return corners_meet(self->around.lower, self->around.upper, glms_vec3_sub(centre, r),
                        glms_vec3_add(centre, r));
}

SHARED int triangle_is_near(const child_walk *self, const child_tables tables, const int triangle) {
    global const mesh_triangle *of = &tables.triangles[self->of.triangle + triangle];
    global const vec3s *vertices = tables.vertices + self->of.vertex;
    const vec3s a = vertices[of->corners[0]], b = vertices[of->corners[1]], c = vertices[of->corners[2]];
    return corners_meet(self->around.lower, self->around.upper, vec3_lesser(a, vec3_lesser(b, c)),
                        vec3_greater(a, vec3_greater(b, c)));
}

/* Enters nodes until a leaf; returns whether there is one. */
SHARED int walk_leaf(child_walk *self, const child_tables tables) {
    while (self->depth > 0) {
        const mesh_node node = tables.nodes[self->of.node + self->stack[--self->depth]];
        if (!corners_meet(self->around.lower, self->around.upper, node.lower, node.upper)) continue;
        if (!node.child) {
            self->next = node.first, self->end = node.first + node.count;
            return 1;
        }
        self->stack[self->depth++] = node.child + 1;
        self->stack[self->depth++] = node.child;
    }
    return 0;
}

/* Returns the next child; −1 at the end. */
SHARED int walk_next(child_walk *self, const child_tables tables) {
    if (self->one) {
        const int only = self->next;
        self->next = -1;
        return only;
    }
    const int surface = self->of.kind == SHAPE_MESH || self->of.kind == SHAPE_SOLID;
    for (;;) {
        while (self->next < self->end) {
            const int at = self->next++;
            if (!surface) {
                if (part_is_near(self, tables.parts[self->of.part + at])) return at;
                continue;
            }
            const int triangle = tables.order[self->of.triangle + at];
            if (triangle_is_near(self, tables, triangle)) return triangle;
        }
        if (!surface || !walk_leaf(self, tables)) return -1;
    }
}

#endif

#endif
