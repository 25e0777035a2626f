/* The arrangement of a problem on the device (kernels/arrange.cl): what problem_arrange and problem_index
 * compute. The host reads a report of ARRANGED_REPORTED words, and the places of pairs with joints. */
#pragma once

#include "opencl_colours.h"
#include "opencl_contacts.h"
#include "opencl_links.h"
#include "sweep_plan.h"
#include "rows/problem.h"

#include "arrangement.h"

/* Most groups of a colour that shares launches, where the host must fetch them for a plan. It plans 1000
 * groups in 37 us (A8000, A27000), and saves a launch of 5 us in each of about 18 sweeps by each colour. */
enum { ARRANGE_LARGEST_SHARED = 2048 };

/* Bodies as the arrangement reads them. Masses are in kg. */
typedef struct arranged_bodies {
    cl_uint count;
    const opencl_buffer *types; /* a byte each, slot_type */
    const opencl_buffer *masses, *velocities;
    const opencl_buffer *shapes;    /* record_shape */
    const opencl_buffer *loads;     /* null: all 0 */
    const opencl_buffer *materials; /* int; null: no material resists rolling or spinning */
    const opencl_buffer *resists;   /* bits of material_resistances; null as `materials` */
    cl_int material_count;          /* 0 as `materials` */
    bool grounded;                  /* whether a joint holds a body to the ground, the slot after all */
    opencl_links *links;            /* pairs with joints; null: there are none */
    bool several;                   /* whether pairs may have several entries, for their children */
} arranged_bodies;

/* Buffers of the caller that receive arrays of `problem`, in scratch memory but for the last two. Remainder
 * bodies and pieces (of gather_pieces) are filled if there is an uncoloured remainder. */
typedef struct arranged_problem {
    opencl_buffer *groups, *incidence_first, *incidence, *splits, *remainder_bodies, *pieces;
} arranged_problem;

typedef struct opencl_arrange {
    opencl_primitives *primitives;
    arranged_problem to;
    opencl_colours colours;
    opencl_buffer pair_group; /* as of a problem */
    opencl_buffer firsts;     /* first block of each entry of the contacts */
    /* For pairs with joints or several entries: whether a pair begins with an entry, the pairs of entries
     * before it, and its pair; colour and first block of each pair. */
    opencl_buffer leads, run_of, pair_of, pair_colours, pair_firsts;
    bool wide;                         /* whether pairs may have more than 15 blocks */
    opencl_buffer ends;                /* of each group: its pair (pair_ends.h) */
    cl_uint report[ARRANGED_REPORTED]; /* as last read */
    scratch_mark end;                  /* of the arrays of the problem in scratch memory */
    slice tail;                        /* groups that a plan of the sweeps reads */
    sweep_graph graph;                 /* with these */

    opencl_buffer pairs; /* their bodies */

    /* Scratch. */
    opencl_buffer words;                  /* the report */
    opencl_buffer last, blocks;           /* of pairs: colours, numbers of blocks */
    opencl_buffer tallies, rest, degrees; /* of slots: blocks of each colour, of the remainder, of both */
    opencl_buffer counts, parts;          /* of work-groups: pairs and blocks of each colour; degrees */
    opencl_buffer keys, values, before;   /* of the ends of the remainder */
    cl_uint slots, pair_capacity;         /* of the last arrangement, as the rounds of its colouring */
    cl_int limit;
    int rounds;
    scalar time_step;
    bool reported;
    bool contacts_alone; /* there are no other blocks than contacts */
    bool kinds_found;    /* by opencl_arrange_find_kinds */
    slice guess;         /* groups that are read with the report, because the last step's tail was there */

    /* The tail, the colours and the ends of the graph that was last read, on the device as well. */
    slice kept;
    int kept_colours, kept_firsts[PROBLEM_COLOURS + 1];
    opencl_buffer kept_ends;
    bool planned; /* whether the sweeps have been planned for it (opencl_arrange_planned) */
    bool same;    /* whether `graph` is still that one */
    int fetched_capacity;
    sweep_ends *fetched;
} opencl_arrange;

/* `primitives` and the buffers outlive the arrangement. */
void opencl_arrange_open(opencl_arrange *self, opencl_primitives *primitives, arranged_problem to);
/* A zeroed struct is allowed. */
void opencl_arrange_close(opencl_arrange *self);

/* Arranges the contacts, whose `colours` receive those of this step; 1 ≤ limit ≤ 32. If contacts did not fit
 * into their set, the problem has no groups. Enqueues commands and does not wait. Errors: KERNEL_BUILD,
 * DEVICE, DEVICE_MEMORY. */
scree_result opencl_arrange_begin(opencl_arrange *self, const arranged_bodies *bodies,
                                  const device_contacts *contacts, motion_parameters motion, cl_int limit);
/* Finds the kinds of the colours, from the filled blocks, of which there is room for `block_capacity`; call
 * it, if at all, before opencl_arrange_finish. Enqueues a launch. Errors: as above. */
scree_result opencl_arrange_find_kinds(opencl_arrange *self, const opencl_buffer *blocks,
                                       cl_uint block_capacity, const opencl_buffer *masses);
/* Says whether the plan of the sweeps is now that of `graph`. While it is, the next arrangement compares its
 * groups with those of the graph on the device, and does not read them if they are the same. */
void opencl_arrange_planned(opencl_arrange *self, bool planned);
/* Returns why the host must arrange the problem that was reported last; NULL: it need not. The text ends a
 * sentence. */
const char *opencl_arrange_barrier(const opencl_arrange *self);
/* Lets arrangements hold pairs with many blocks, if the last one had such pairs and could not. Returns
 * whether it must be repeated. */
bool opencl_arrange_widen(opencl_arrange *self);
/* Waits for the report, and sets the counts, the colours and the unit of mass of a problem; its arrays and
 * what it has of joints are left as they are. Reads the groups of colours that share launches
 * (sweep_plan_tail) for a plan, which takes a second wait if they were elsewhere in the last step: `graph`
 * refers to colour_first of `p`. Enqueues the incidence of the uncoloured remainder, if there is one. Gives
 * back the scratch memory but for the arrays of the problem. Errors: as above, CAPACITY, MEMORY. */
scree_result opencl_arrange_finish(opencl_arrange *self, int largest, problem *p);
/* Writes the kind of each colour of the problem; without opencl_arrange_find_kinds none is of balls, and all
 * are of blocks unless `contacts_alone`. Returns the number of colours. */
int opencl_arrange_kinds(const opencl_arrange *self, sweep_kind *kinds);
