/* The narrow phase on the device (kernels/contacts.cl, contacts_balls_boxes.cl, contacts_convex.cl,
 * children.cl, contacts_children.cl, contacts_children_convex.cl): the contacts of pairs of balls, boxes,
 * half-spaces, convex shapes and shapes made of children, also with periodic images, with what they keep from
 * the last step. Nothing is read back. */
#pragma once

#include "opencl_grid.h"

#include <scree/shape.h>

#include "contact_set.h"

/* The contacts of a step. Words of `counts`: CONTACTS_PAIRS, …; they count what does not fit, too. */
typedef struct device_contacts {
    cl_uint pair_capacity, point_capacity, slot_capacity;
    opencl_buffer counts;
    opencl_buffer heads, tags; /* of pairs, sorted by (a, b, image): contact_head, contact_tag */
    opencl_buffer colours;     /* of pairs, char; written by the colouring */
    opencl_buffer places;      /* of points: position and gap */
    opencl_buffer features;
    opencl_buffer impulses; /* impulse, push */
    opencl_buffer rows;     /* contact_row */
    opencl_buffer torques;  /* three scalars and one unused; only if `resists` */
    bool shared;            /* whether the buffers of pairs and points are parts of scratch memory */
    bool resists;           /* whether a material has rolling or spinning friction */
    bool cohesive;          /* whether a pair is cohesive (contact_set.cohesive) */
    opencl_buffer pulls;    /* of pairs: the cohesive impulse at each of four points; only if `cohesive` */
} device_contacts;

/* Tables of shapes made of children, in the order of CHILD_TABLES in kernels/child_shapes.h behind the one of
 * the bodies. */
enum {
    CHILD_GEOMETRIES,
    CHILD_PARTS,
    CHILD_TRIANGLES,
    CHILD_VERTICES,
    CHILD_NODES,
    CHILD_ORDER,
    CHILD_EDGE_FIRSTS,
    CHILD_FACETS,
    CHILD_DIRECTIONS,
    CHILD_TABLE_COUNT
};

/* Children as the narrow phase reads them: a child_body for each body, the tables, and the convex_shape of
 * bodies without children with the tables of all hulls. */
typedef struct device_children {
    const opencl_buffer *bodies, *tables, *shapes, *corners, *sides;
} device_children;

/* Arguments CHILD_TABLES of kernels/child_shapes.h. */
#define CHILDREN(of)                                                                                         \
    BUFFER(*(of)->bodies), BUFFER((of)->tables[CHILD_GEOMETRIES]), BUFFER((of)->tables[CHILD_PARTS]),        \
        BUFFER((of)->tables[CHILD_TRIANGLES]), BUFFER((of)->tables[CHILD_VERTICES]),                         \
        BUFFER((of)->tables[CHILD_NODES]), BUFFER((of)->tables[CHILD_ORDER]),                                \
        BUFFER((of)->tables[CHILD_EDGE_FIRSTS]), BUFFER((of)->tables[CHILD_FACETS]),                         \
        BUFFER((of)->tables[CHILD_DIRECTIONS]), BUFFER(*(of)->shapes), BUFFER(*(of)->corners)

/* Bodies as the narrow phase reads them. */
typedef struct device_bodies {
    cl_uint count;
    const opencl_buffer *shapes; /* record_shape (narrow_phase_shape) */
    const opencl_buffer *poses, *velocities, *masses;
    bool balls,
        boxes;   /* whether a body may be one; without `balls`, pairs of a ball and a box have no test */
    bool others; /* whether a body may be of a shape that has no test (device_shape_tested) */
    /* For convex shapes, null if there are none: a convex_shape for each body, whatever its shape, and the
     * hull_corner and hull_side of all hulls. */
    const opencl_buffer *convexes, *corners, *sides;
    const device_children *children; /* null: no body has any */
    bool convex_children; /* whether children may be other than balls that meet balls, boxes, half-spaces and
                             triangles */
    float period[3];      /* lengths of a periodic world's cell, m; read if there are images */
    const opencl_buffer *groups; /* groups and mask of each body; null: all may touch */
    const opencl_buffer *apart;  /* pairs that joints keep from touching, sorted; null: none */
    cl_uint apart_count;
    const opencl_buffer *gone; /* a byte for each body: 1: its old contacts are not its own; null: none */
} device_bodies;

/* Pairs of bodies without children and of children that are near each other, in the order of the pairs. */
typedef struct opencl_items {
    bool any;                     /* whether the last search had items */
    opencl_buffer counts, firsts; /* of each pair of bodies */
    device_pairs pairs;           /* the bodies of each item */
    opencl_buffer numbers;        /* of the children of each item */
} opencl_items;

typedef struct opencl_contacts {
    opencl_primitives *primitives;
    opencl_items items;
    /* Parts of the device's scratch; `left` and `skims` stay valid after a search. */
    opencl_buffer records;              /* of bodies */
    opencl_buffer kinds, order, places; /* of pairs; places: their slots */
    opencl_buffer numbers, firsts;      /* of pairs: their points, and the first one's index */
    opencl_buffer kept;                 /* flags of the pairs left to the host */
    opencl_buffer examined;             /* flags of bodies that may pass each other, then of those that do */
    opencl_buffer list;                 /* pairs with these flags, then pairs with points */
    opencl_buffer slots;                /* points of pairs with several */
    opencl_buffer left;  /* indices of the pairs that the host must test, ascending; CONTACTS_LEFT is their
                            number */
    opencl_buffer skims; /* indices of the pairs of bodies that pass each other (narrow_phase.h);
                            CONTACTS_SKIMS is their number */
} opencl_contacts;

/* `primitives` outlive the contacts. */
void opencl_contacts_open(opencl_contacts *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_contacts_close(opencl_contacts *self);

/* Reserves buffers for the set's capacities; the contents are lost. Errors: DEVICE_MEMORY, DEVICE. */
scree_result device_contacts_reserve(opencl_device *device, device_contacts *set);
/* Reserves and clears the counts: a set without contacts. Errors: DEVICE_MEMORY, DEVICE. */
scree_result device_contacts_clear(opencl_device *device, device_contacts *set);
void device_contacts_release(opencl_device *device, device_contacts *set);
/* Raises each capacity that is below its count (CONTACTS_COUNTS numbers) to 1.5 times that, and returns
 * whether there is one. The search must then be repeated. */
bool device_contacts_grow(device_contacts *set, const cl_uint *counts);
/* Does the same for the items of a search. */
bool opencl_contacts_grow(opencl_contacts *self, const cl_uint *counts);

/* Returns whether pairs of bodies with this shape and of any other tested shape have a test on the device:
 * balls, boxes, half-spaces; with double precision also capsules, cylinders, cones, ellipsoids and hulls.
 * Clumps, compounds, meshes and solids have tests of their children (opencl_children.h). */
bool device_shape_tested(const opencl_device *device, scree_shape_kind kind);

/* Finds the contacts of `pairs` as contacts_update does (detect/contacts.h), and matches them with `before`,
 * which has fitted. `images`: of the pairs; null: all 0. Left to the host are pairs with a shape that has no
 * test; they have no entry. If an entry or a point does not fit, the counts are complete, and the rest is not
 * valid. Enqueues commands and does not wait. The result does not depend on the number of work-groups.
 * Errors: KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_contacts_search(opencl_contacts *self, const device_bodies *bodies,
                                    const device_pairs *pairs, const opencl_buffer *images, float margin,
                                    float time_step, const device_contacts *before, device_contacts *out);

/* Returns the pairs that the last search has tested, to which its skims refer: its items, or `pairs`. */
const device_pairs *opencl_contacts_tested(const opencl_contacts *self, const device_pairs *pairs);

/* After a search that found `count` pairs of boxes which pass each other: writes these pairs: two slots,
 * image and children, as in a skim. Reserves `out` and does not wait. Errors: as above. */
scree_result opencl_contacts_list_skims(opencl_contacts *self, const device_pairs *pairs,
                                        const opencl_buffer *images, const device_contacts *found,
                                        cl_uint count, opencl_buffer *out);
