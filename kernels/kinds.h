/* Kinds shared by host and device, one line each: ROW(KIND, name). All dispatch is generated from these
 * lists, so a kind that lacks one of its functions does not compile. The order is that of the public enums,
 * which the host asserts. host/README.md lists what a new line requires. */
#ifndef SCREE_KERNELS_KINDS_H
#define SCREE_KERNELS_KINDS_H

#include "dialect.h"

/* Shapes. Each requires NAME_distance and NAME_normal in ray.h, NAME_radius, NAME_farthest and NAME_face in
 * support.h, the row shape_NAME in host/geometry/shape_NAME.c, and its contacts in host/detect/manifold.c. */
#define SHAPE_KINDS(ROW)                                                                                     \
    ROW(SPHERE, sphere)                                                                                      \
    ROW(BOX, box)                                                                                            \
    ROW(HALF_SPACE, half_space)                                                                              \
    ROW(CAPSULE, capsule)                                                                                    \
    ROW(CYLINDER, cylinder)                                                                                  \
    ROW(CONE, cone)                                                                                          \
    ROW(ELLIPSOID, ellipsoid)                                                                                \
    ROW(CLUMP, clump)                                                                                        \
    ROW(TRIANGLE, triangle)                                                                                  \
    ROW(MESH, mesh)                                                                                          \
    ROW(HULL, hull)                                                                                          \
    ROW(SOLID, solid)                                                                                        \
    ROW(COMPOUND, compound)

/* Friction laws. Each requires NAME_solve, NAME_solve_isotropic, NAME_admissible and NAME_natural_map in
 * law.h. */
#define LAW_KINDS(ROW)                                                                                       \
    ROW(COULOMB, coulomb)                                                                                    \
    ROW(PYRAMID, pyramid)                                                                                    \
    ROW(ASSOCIATED, associated)                                                                              \
    ROW(RADIAL, radial)

/* Blocks of three rows. Each requires NAME_row_solve, NAME_row_clamp and NAME_row_map in matrix.h. */
#define BLOCK_KINDS(ROW)                                                                                     \
    ROW(CONTACT, contact)                                                                                    \
    ROW(RESISTANCE, resistance)                                                                              \
    ROW(BOUNDED, bounded)

#define ROW(KIND, name) SHAPE_##KIND,
typedef enum shape_kind { SHAPE_KINDS(ROW) SHAPE_KIND_COUNT } shape_kind;
#undef ROW
#define ROW(KIND, name) LAW_##KIND,
typedef enum law_kind { LAW_KINDS(ROW) LAW_KIND_COUNT } law_kind;
#undef ROW
#define ROW(KIND, name) BLOCK_##KIND,
typedef enum block_kind { BLOCK_KINDS(ROW) BLOCK_KIND_COUNT } block_kind;
#undef ROW

#endif
