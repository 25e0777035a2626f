/* Pairs of bodies with joints in an arrangement on the device (kernels/links.cl), and the blocks of their
 * joints, which the host fills (rows/linked_rows.h). Calls enqueue commands and do not wait; arrays of the
 * host must not change before the next wait. Errors: MEMORY, KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
#pragma once

#include "opencl_contacts.h"
#include "rows/problem.h"

#include "linked_pair.h"

typedef struct opencl_links {
    opencl_primitives *primitives;
    cl_uint count, rows;  /* pairs; blocks of joints */
    linked_pair *pairs;   /* as sent */
    linked_place *places; /* of these, as last read */
    int *targets;         /* block of each of the joints' */
    joint_node *nodes;    /* of trees, with these blocks */
    int pair_capacity, place_capacity, target_capacity, node_capacity;

    opencl_buffer linked, found;          /* pairs, and their places */
    opencl_buffer entries, alone, before; /* of pairs (links.cl) */
    opencl_buffer numbers, held;          /* among all pairs; colours until they get theirs (colours.cl) */
    opencl_buffer at, blocks, starts, pushes, taken; /* of the joints' blocks */
} opencl_links;

/* Arguments that launches of an arrangement share. */
typedef struct links_run {
    const device_contacts *contacts;
    const opencl_buffer *words;  /* its report */
    const opencl_buffer *run_of; /* of each entry: pairs of entries before it; NULL: each is a pair */
    cl_int limit, most;          /* colours; blocks of a pair */
    const opencl_buffer *pairs, *colours, *blocks, *firsts, *once, *twice; /* of pairs; marks of colours */
} links_run;

/* `primitives` outlive the links. */
void opencl_links_open(opencl_links *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_links_close(opencl_links *self);

/* Sends the pairs of a problem whose joints have been collected (linked_rows_collect). */
scree_result opencl_links_send(opencl_links *self, const problem *p, const body_array *bodies);
/* Finds their places among the entries; then enters them and their blocks; then reads their colours and first
 * blocks back. */
scree_result opencl_links_find(opencl_links *self, const links_run *run);
scree_result opencl_links_enter(opencl_links *self, const links_run *run);
scree_result opencl_links_finish(opencl_links *self, const links_run *run);

/* Sets `targets`, and the colours of p's pairs, from the places. */
scree_result opencl_links_take_places(opencl_links *self, problem *p);
/* Sends the blocks of joints to their places. */
scree_result opencl_links_place(opencl_links *self, const problem *p, const opencl_buffer *blocks,
                                const opencl_buffer *starts, const opencl_buffer *pushes);
/* Reads their impulses from a solution back. */
scree_result opencl_links_read(opencl_links *self, const opencl_buffer *solution, block_impulse *out);
/* Sets `nodes`: those of trees, whose rows refer to the blocks of the whole problem. */
scree_result opencl_links_number(opencl_links *self, const joint_forest *forest);
