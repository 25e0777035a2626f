/* Convex shapes as their support functions: the farthest point in a direction, and the face, line or point
 * that faces it.
 *
 * A shape is its core and everything within `radius` of it: the core of a sphere is a point, that of a
 * capsule a line, and every other shape is its own core. Points and directions are in the body's own axes;
 * directions have any length but zero. Every kind in SHAPE_KINDS has NAME_radius, NAME_farthest and
 * NAME_face. */
#ifndef SCREE_KERNELS_SUPPORT_H
#define SCREE_KERNELS_SUPPORT_H

#include "hull_table.h"
#include "kinds.h"
#include "rotation.h"

enum { FACE_POINTS = HULL_SIDE_CORNERS };

/* Parameters of a core. */
typedef struct convex_core {
    vec3s size;      /* as in scree_shape */
    hull_table hull; /* for hulls */
} convex_core;

/* Feature of a core that faces a direction: one point, the two ends of a line, or the corners of a flat face
 * in order, numbered so that a corner keeps its number while the body moves. All are points of the body, so
 * they are never beyond its farthest point. */
typedef struct convex_face {
    int count;
    scalar round; /* m. For a line: the radius of curvature of the surface across it, including the shape's
                     radius; for a flat face: its radius if it is a disc, else 0 */
    vec3s points[FACE_POINTS];
    int corners[FACE_POINTS]; /* < 2¹³ */
} convex_face;

SHARED convex_face face_of_point(vec3s point) {
    convex_face face;
    face.count = 1, face.round = 0, face.points[0] = point, face.corners[0] = 0;
    return face;
}

SHARED convex_face face_of_line(vec3s from, vec3s to, int corner, scalar round) {
    convex_face face;
    face.count = 2, face.round = round;
    face.points[0] = from, face.points[1] = to;
    face.corners[0] = corner, face.corners[1] = corner + 1;
    return face;
}

/* Returns a disc about the z axis as eight evenly spaced points of its rim. */
SHARED convex_face face_of_disc(scalar radius, scalar z, int corner) {
    const scalar askew = radius * (scalar)0.70710678118654752;
    convex_face face;
    face.count = 8, face.round = radius;
    face.points[0] = vec3_of(radius, 0, z), face.points[1] = vec3_of(askew, askew, z);
    face.points[2] = vec3_of(0, radius, z), face.points[3] = vec3_of(-askew, askew, z);
    face.points[4] = vec3_of(-radius, 0, z), face.points[5] = vec3_of(-askew, -askew, z);
    face.points[6] = vec3_of(0, -radius, z), face.points[7] = vec3_of(askew, -askew, z);
    for (int i = 0; i < 8; ++i) face.corners[i] = corner + i;
    return face;
}

SHARED scalar support_sign(scalar x) { return x < 0 ? -1 : 1; }

/* Returns the component of a direction across the z axis, scaled to the length `radius`; zero if there is
 * none. */
SHARED vec3s support_across(vec3s direction, scalar radius) {
    const scalar length = scalar_sqrt(direction.x * direction.x + direction.y * direction.y);
    if (!(length > 0)) return vec3_of(0, 0, 0);
    return vec3_of(direction.x * (radius / length), direction.y * (radius / length), 0);
}

SHARED scalar sphere_radius(convex_core core) { return core.size.x; }
SHARED vec3s sphere_farthest(convex_core core, vec3s direction) {
    (void)core, (void)direction;
    return vec3_of(0, 0, 0);
}
SHARED convex_face sphere_face(convex_core core, vec3s direction) {
    return face_of_point(sphere_farthest(core, direction));
}

SHARED scalar box_radius(convex_core core) { return (void)core, 0; }
SHARED vec3s box_farthest(convex_core core, vec3s direction) {
    return vec3_of(support_sign(direction.x) * core.size.x, support_sign(direction.y) * core.size.y,
                   support_sign(direction.z) * core.size.z);
}
/* Corners are three bits; bit k is set on the positive side of axis k. */
SHARED convex_face box_face_towards(vec3s size, int axis, int side) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    convex_face face;
    face.count = 4, face.round = 0;
    for (int i = 0; i < 4; ++i) {
        const int corner =
            (side ? 1 << axis : 0) | (i == 1 || i == 2 ? 1 << next : 0) | (i > 1 ? 1 << last : 0);
        face.points[i] = vec3_of(corner & 1 ? size.x : -size.x, corner & 2 ? size.y : -size.y,
                                 corner & 4 ? size.z : -size.z);
        face.corners[i] = corner;
    }
    return face;
}
SHARED convex_face box_face(convex_core core, vec3s direction) {
    const scalar x = scalar_abs(direction.x), y = scalar_abs(direction.y), z = scalar_abs(direction.z);
    const int axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    return box_face_towards(core.size, axis, vec3_along(direction, axis) > 0);
}

/* Unused: half-spaces have contact functions of their own. */
SHARED scalar half_space_radius(convex_core core) { return (void)core, 0; }
SHARED vec3s half_space_farthest(convex_core core, vec3s direction) {
    return sphere_farthest(core, direction);
}
SHARED convex_face half_space_face(convex_core core, vec3s direction) { return sphere_face(core, direction); }

/* Capsules: size.x = radius, size.y = half the length of the line, along z. */
SHARED scalar capsule_radius(convex_core core) { return core.size.x; }
SHARED vec3s capsule_farthest(convex_core core, vec3s direction) {
    return vec3_of(0, 0, support_sign(direction.z) * core.size.y);
}
SHARED convex_face capsule_face(convex_core core, vec3s direction) {
    (void)direction;
    return face_of_line(vec3_of(0, 0, -core.size.y), vec3_of(0, 0, core.size.y), 0, core.size.x);
}

/* Cylinders: size.x = radius, size.y = half the height, along z. Their faces are the caps up to 45° from the
 * axis, else the line of the side. Corners are numbered from 0 and 8 on the caps, 16 and 17 on the line. */
SHARED scalar cylinder_radius(convex_core core) { return (void)core, 0; }
SHARED vec3s cylinder_farthest(convex_core core, vec3s direction) {
    const vec3s across = support_across(direction, core.size.x);
    return vec3_of(across.x, across.y, support_sign(direction.z) * core.size.y);
}
SHARED convex_face cylinder_face(convex_core core, vec3s direction) {
    const vec3s across = support_across(direction, core.size.x);
    const scalar square = direction.x * direction.x + direction.y * direction.y;
    if (direction.z * direction.z > square)
        return face_of_disc(core.size.x, support_sign(direction.z) * core.size.y, direction.z < 0 ? 0 : 8);
    return face_of_line(vec3_of(across.x, across.y, -core.size.y), vec3_of(across.x, across.y, core.size.y),
                        16, core.size.x);
}

/* Cones: size.x = radius of the base, size.y = height; the centre of mass is a quarter of the height above
 * the base. */
SHARED scalar cone_radius(convex_core core) { return (void)core, 0; }
SHARED scalar cone_base(vec3s size) { return -size.y / 4; }
SHARED scalar cone_tip(vec3s size) { return size.y * 3 / 4; }
SHARED vec3s cone_farthest(convex_core core, vec3s direction) {
    const vec3s across = support_across(direction, core.size.x);
    const scalar rim = across.x * direction.x + across.y * direction.y;
    return rim > core.size.y * direction.z ? vec3_of(across.x, across.y, cone_base(core.size))
                                           : vec3_of(0, 0, cone_tip(core.size));
}
/* The side has the normal (h, r)/√(h² + r²) away from the axis and along it, the base has −z; the nearer one
 * faces the direction. */
SHARED convex_face cone_face(convex_core core, vec3s direction) {
    const scalar side = scalar_sqrt(direction.x * direction.x + direction.y * direction.y) * core.size.y +
                        direction.z * core.size.x,
                 length = scalar_sqrt(core.size.x * core.size.x + core.size.y * core.size.y);
    if (-direction.z * length > side) return face_of_disc(core.size.x, cone_base(core.size), 0);
    const vec3s across = support_across(direction, core.size.x);
    return face_of_line(vec3_of(across.x, across.y, cone_base(core.size)), vec3_of(0, 0, cone_tip(core.size)),
                        8, core.size.x);
}

/* Ellipsoids: size = semi-axes. max n·x is ‖S n‖ at S² n/‖S n‖. */
SHARED scalar ellipsoid_radius(convex_core core) { return (void)core, 0; }
SHARED vec3s ellipsoid_farthest(convex_core core, vec3s direction) {
    const vec3s scaled = glms_vec3_mul(core.size, direction);
    const scalar length = glms_vec3_norm(scaled);
    if (!(length > 0)) return vec3_of(0, 0, 0);
    return glms_vec3_mul(core.size, glms_vec3_scale(scaled, 1 / length));
}
SHARED convex_face ellipsoid_face(convex_core core, vec3s direction) {
    return face_of_point(ellipsoid_farthest(core, direction));
}

SHARED vec3s triangle_corner(vec3s size, int i) {
    return i == 0 ? vec3_of(0, 0, 0) : i == 1 ? vec3_of(size.x, 0, 0) : vec3_of(size.y, size.z, 0);
}

SHARED scalar triangle_radius(convex_core core) { return (void)core, 0; }
SHARED vec3s triangle_farthest(convex_core core, vec3s direction) {
    vec3s best = triangle_corner(core.size, 0);
    for (int i = 1; i < 3; ++i) {
        const vec3s corner = triangle_corner(core.size, i);
        if (glms_vec3_dot(corner, direction) > glms_vec3_dot(best, direction)) best = corner;
    }
    return best;
}

/* Returns either side of the triangle, or for directions along it the edge that faces them most. */
SHARED convex_face triangle_face(convex_core core, vec3s direction) {
    const scalar up = direction.z * direction.z,
                 along = direction.x * direction.x + direction.y * direction.y;
    if (up > along) {
        convex_face face;
        face.count = 3, face.round = 0;
        for (int i = 0; i < 3; ++i) {
            face.corners[i] = direction.z < 0 ? (3 - i) % 3 : i;
            face.points[i] = triangle_corner(core.size, face.corners[i]);
        }
        return face;
    }
    int best = 0;
    scalar most = -1e30f;
    for (int i = 0; i < 3; ++i) {
        const vec3s way =
            glms_vec3_sub(triangle_corner(core.size, (i + 1) % 3), triangle_corner(core.size, i));
        const scalar looks = (way.y * direction.x - way.x * direction.y) / glms_vec3_norm(way);
        if (looks > most) most = looks, best = i;
    }
    return face_of_line(triangle_corner(core.size, best), triangle_corner(core.size, (best + 1) % 3),
                        4 + best, 0);
}

/* Unused: contacts of meshes are found per triangle. */
SHARED scalar mesh_radius(convex_core core) { return (void)core, 0; }
SHARED vec3s mesh_farthest(convex_core core, vec3s direction) { return sphere_farthest(core, direction); }
SHARED convex_face mesh_face(convex_core core, vec3s direction) { return sphere_face(core, direction); }

/* Unused: contacts of solids are found per triangle. */
SHARED scalar solid_radius(convex_core core) { return (void)core, 0; }
SHARED vec3s solid_farthest(convex_core core, vec3s direction) { return sphere_farthest(core, direction); }
SHARED convex_face solid_face(convex_core core, vec3s direction) { return sphere_face(core, direction); }

/* Unused: contacts of clumps are found per sphere. */
SHARED scalar clump_radius(convex_core core) { return (void)core, 0; }
SHARED vec3s clump_farthest(convex_core core, vec3s direction) { return sphere_farthest(core, direction); }
SHARED convex_face clump_face(convex_core core, vec3s direction) { return sphere_face(core, direction); }

/* Unused: contacts of compounds are found per child. */
SHARED scalar compound_radius(convex_core core) { return (void)core, 0; }
SHARED vec3s compound_farthest(convex_core core, vec3s direction) { return sphere_farthest(core, direction); }
SHARED convex_face compound_face(convex_core core, vec3s direction) { return sphere_face(core, direction); }

/* Hulls: size.x = scale of all lengths. The first of equal candidates is taken. */
SHARED scalar hull_radius(convex_core core) { return (void)core, 0; }

SHARED vec3s hull_corner_at(hull_table hull, int i) {
    return vec3_of(hull.corners[i].x, hull.corners[i].y, hull.corners[i].z);
}

SHARED vec3s hull_normal_at(hull_table hull, int i) {
    return vec3_of(hull.sides[i].x, hull.sides[i].y, hull.sides[i].z);
}

SHARED vec3s hull_farthest(convex_core core, vec3s direction) {
    vec3s best = hull_corner_at(core.hull, 0);
    scalar most = glms_vec3_dot(best, direction);
    for (int i = 1; i < core.hull.corner_count; ++i) {
        const vec3s corner = hull_corner_at(core.hull, i);
        const scalar along = glms_vec3_dot(corner, direction);
        if (along > most) most = along, best = corner;
    }
    return glms_vec3_scale(best, core.size.x);
}

SHARED convex_face hull_face(convex_core core, vec3s direction) {
    int best = 0;
    scalar most = -1e30f;
    for (int i = 0; i < core.hull.side_count; ++i) {
        const scalar along = glms_vec3_dot(hull_normal_at(core.hull, i), direction);
        if (along > most) most = along, best = i;
    }
    convex_face face;
    face.count = core.hull.sides[best].count, face.round = 0;
    for (int i = 0; i < FACE_POINTS; ++i) { /* unused places repeat the first corner */
        face.corners[i] = core.hull.sides[best].corners[i];
        face.points[i] = glms_vec3_scale(hull_corner_at(core.hull, face.corners[i]), core.size.x);
    }
    return face;
}

/* A convex shape at its current pose. `width`: half its smallest width, m. */
typedef struct convex {
    int kind; /* shape_kind */
    convex_core core;
    scalar radius, width;
    vec3s centre, x, y, z; /* m; the body's axes, unit */
} convex;

SHARED vec3s convex_inwards(convex self, vec3s direction) {
    return vec3_of(glms_vec3_dot(self.x, direction), glms_vec3_dot(self.y, direction),
                   glms_vec3_dot(self.z, direction));
}

/* Returns a direction of the body's axes in world axes. */
SHARED vec3s convex_turned(convex self, vec3s direction) {
    return glms_vec3_add(
        glms_vec3_scale(self.x, direction.x),
        glms_vec3_add(glms_vec3_scale(self.y, direction.y), glms_vec3_scale(self.z, direction.z)));
}

/* Returns a point of the body's axes in world coordinates. */
SHARED vec3s convex_outwards(convex self, vec3s point) {
    return glms_vec3_add(glms_vec3_add(self.centre, glms_vec3_scale(self.x, point.x)),
                         glms_vec3_add(glms_vec3_scale(self.y, point.y), glms_vec3_scale(self.z, point.z)));
}

SHARED scalar convex_radius_of(int kind, convex_core core) {
#define ROW(KIND, name)                                                                                      \
    if (kind == SHAPE_##KIND) return name##_radius(core);
    SHAPE_KINDS(ROW)
#undef ROW
    return 0;
}

/* `hull` is ignored by other kinds. */
SHARED convex convex_of(int kind, vec3s size, hull_table hull, scalar width, vec3s centre, versors rotation) {
    const versors q = rotation_normalised(rotation);
    convex self;
    self.kind = kind, self.core.size = size, self.core.hull = hull;
    self.radius = convex_radius_of(kind, self.core), self.width = width;
    self.centre = centre;
    self.x = rotate(q, vec3_of(1, 0, 0)), self.y = rotate(q, vec3_of(0, 1, 0));
    self.z = rotate(q, vec3_of(0, 0, 1));
    return self;
}

/* Returns the farthest point of the core in world coordinates. */
SHARED vec3s convex_farthest(convex self, vec3s direction) {
    const vec3s inwards = convex_inwards(self, direction);
    vec3s point = vec3_of(0, 0, 0);
#define ROW(KIND, name)                                                                                      \
    if (self.kind == SHAPE_##KIND) point = name##_farthest(self.core, inwards);
    SHAPE_KINDS(ROW)
#undef ROW
    return convex_outwards(self, point);
}

/* Returns a direction close to the normal of a round side towards a point in the body's axes: S⁻² x for an
 * ellipsoid, else across the z axis, inclined by r/h for a cone. Its length is arbitrary. */
SHARED vec3s convex_sidewards(convex self, vec3s x) {
    if (self.kind == SHAPE_ELLIPSOID)
        return vec3_of(x.x / (self.core.size.x * self.core.size.x),
                       x.y / (self.core.size.y * self.core.size.y),
                       x.z / (self.core.size.z * self.core.size.z));
    const scalar lean = self.kind == SHAPE_CONE ? self.core.size.x / self.core.size.y : 0;
    return vec3_of(x.x, x.y, lean * scalar_sqrt(x.x * x.x + x.y * x.y));
}

/* Returns the face of the core in world coordinates. */
SHARED convex_face convex_face_of(convex self, vec3s direction) {
    const vec3s inwards = convex_inwards(self, direction);
    convex_face face = face_of_point(vec3_of(0, 0, 0));
#define ROW(KIND, name)                                                                                      \
    if (self.kind == SHAPE_##KIND) face = name##_face(self.core, inwards);
    SHAPE_KINDS(ROW)
#undef ROW
    for (int i = 0; i < face.count; ++i) face.points[i] = convex_outwards(self, face.points[i]);
    return face;
}

#endif
