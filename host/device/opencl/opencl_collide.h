/* The search for the contacts of a step on the device: pairs, contact points, and what these keep from the
 * last step. */
#pragma once

#include "device/backend.h"
#include "contact_mirror.h"
#include "opencl_children.h"
#include "opencl_pairs.h"

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
    opencl_buffer shapes, masses, groups, apart;
    opencl_buffer gone;
    opencl_buffer skims;
    /* The last search. */
    device_bodies bodies;
    cl_uint skim_count;
    scratch_arena *scratch;
    int threads;
    contact_store source; /* of contacts that stay here */
} opencl_collide;

/* `pairs` outlive the search. */
void opencl_collide_open(opencl_collide *self, opencl_pairs *pairs);
/* A zeroed struct is allowed. */
void opencl_collide_close(opencl_collide *self);

/* Returns why the host must find the contacts; null: the device can. The text ends a sentence. */
const char *opencl_collide_barrier(opencl_collide *self, const contact_request *request);

/* Poses and velocities of the bodies on the device. */
typedef struct collide_motion {
    const opencl_buffer *poses, *velocities;
} collide_motion;

/* Fills a set whose contacts have stayed here. Errors: MEMORY, DEVICE. */
scree_result opencl_collide_bring(opencl_collide *self, contact_set *out);
/* Fills the list of dropped contacts of the last search. Errors: as above. */
scree_result opencl_collide_bring_skims(opencl_collide *self, const contact_set *contacts, skim_list *out,
                                        int *regrown);

/* Finds the contacts as backend_operations.find_contacts does where there is no barrier. Errors: MEMORY,
 * CAPACITY, KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_collide_find(opencl_collide *self, const contact_request *request, collide_motion motion,
                                 contact_finding *out, int *regrown);
