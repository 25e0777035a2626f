/* The search for the contacts of a step on the device: pairs, contact points, and what these keep from the
 * last step. */
#pragma once

#include "device/backend.h"
#include "contact_mirror.h"
#include "opencl_children.h"
#include "opencl_pairs.h"

/* Poses, velocities and masses of the bodies on the device. */
typedef struct collide_motion {
    const opencl_buffer *poses, *velocities, *masses;
} collide_motion;

/* A search with its counts. */
typedef struct collide_run {
    contact_request request;
    pair_search pairs; /* of the request */
    contact_set *out;
    int *pair_count; /* receives the number of pairs */
    int *regrown;
    device_bodies bodies;
    device_contacts *before, *found;
    cl_uint pair_counts[PAIR_COUNTS], counts[CONTACTS_COUNTS];
    cl_uint images[PERIODIC_SPAN]; /* words of opencl_images */
    scratch_mark begin, end; /* of its parts of the scratch memory: pairs, and those whose bodies pass */
    bool pending;            /* enqueued, and its counts have not been read */
} collide_run;

typedef struct opencl_collide {
    opencl_pairs *pairs;
    opencl_contacts contacts;
    opencl_convexes convexes;
    opencl_children children;
    contact_mirror mirror;
    /* 1 + body_array.definitions for which `kinds` are known and the buffers of bodies were sent; 0: none. */
    uint64_t kinds_known, sent;
    uint32_t kinds, dynamic_kinds; /* a bit for each kind of shape in use */
    device_bodies told;            /* what they tell of shapes (opencl_convexes_refer) */
    opencl_buffer shapes, groups, apart;
    opencl_buffer gone;
    opencl_buffer skims;
    collide_run run; /* the last search; the target of a read that does not wait outlives a failure here */
    device_bodies bodies;
    cl_uint skim_count;
    bool keeps_skims; /* whether stages after a search leave its parts: there have been contacts to drop */
    scratch_arena *scratch;
    int threads;
    contact_store source; /* of contacts that stay here */
} opencl_collide;

/* `pairs` outlive the search. */
void opencl_collide_open(opencl_collide *self, opencl_pairs *pairs);
/* A zeroed struct is allowed. */
void opencl_collide_close(opencl_collide *self);

/* Gives back the memory that searches reserved, but for the copy of a set. */
void opencl_collide_shrink(opencl_collide *self, const contact_set *set);

/* Returns why the host must find the contacts; null: the device can. The text ends a sentence. */
const char *opencl_collide_barrier(opencl_collide *self, const contact_request *request);
/* Returns whether the device also computes the boxes of these bodies, all of which it tests. */
bool opencl_collide_boxes(opencl_collide *self, const body_array *bodies);

/* Fills a set whose contacts have stayed here. Errors: MEMORY, DEVICE. */
scree_result opencl_collide_bring(opencl_collide *self, contact_set *out);
/* Fills the list of dropped contacts of the last search. Errors: as above. */
scree_result opencl_collide_bring_skims(opencl_collide *self, const contact_set *contacts, skim_list *out,
                                        int *regrown);

/* Finds the contacts as backend_operations.find_contacts does where there is no barrier. If they stay, it
 * does not wait: the counts of the set and the number of pairs follow in opencl_collide_settle. Errors:
 * MEMORY, CAPACITY, KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_collide_find(opencl_collide *self, const contact_request *request, collide_motion motion,
                                 contact_finding *out, int *regrown);
/* Returns the height of the scratch memory from which on stages after the last search may take it. */
scratch_mark opencl_collide_end(const opencl_collide *self);
/* Enqueues the read of the counts of a search that is pending, if there is one. After a wait, the second
 * takes them, or enlarges what was too small, enqueues the search again and sets `repeat`. Errors: as above.
 */
scree_result opencl_collide_fetch(opencl_collide *self);
scree_result opencl_collide_settle(opencl_collide *self, bool *repeat);
