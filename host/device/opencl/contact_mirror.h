/* The contacts of a world on the device and on the host: those of the last step and those of the step.
 *
 * The device holds two sets, each a copy of one of the host's. A number identifies the copy
 * (contact_set.copy); the host's functions that change pairs or places clear it. A set with a number
 * therefore equals its copy but for actions, torques and colours; the host's are newer, because its solve
 * writes them. */
#pragma once

#include "detect/contacts.h"
#include "opencl_contacts.h"

typedef struct contact_mirror {
    opencl_device *device;
    device_contacts sets[2];
    uint64_t copies[2];          /* numbers of the sets; 0: equal to no set of the host */
    uint64_t last;               /* largest number so far */
    int pair_count, point_count; /* of the columns below, in scratch */
    bool resists;
    contact_head *heads;
    contact_tag *tags;
    struct mirror_word *places, *impulses, *torques;
    cl_uint *features;
    contact_row *rows;
} contact_mirror;

/* `device` outlives the mirror. */
void contact_mirror_open(contact_mirror *self, opencl_device *device);
/* A zeroed struct is allowed. */
void contact_mirror_close(contact_mirror *self);

/* Returns the copy of a set; null: there is none. */
device_contacts *contact_mirror_find(contact_mirror *self, const contact_set *set);
/* Gives back the memory of what is no copy of `set`. */
void contact_mirror_shrink(contact_mirror *self, const contact_set *set);
/* Declares a set that a search has filled the copy of `out`, whose contacts stay on the device. */
void contact_mirror_leave(contact_mirror *self, const device_contacts *found, const cl_uint *counts,
                          const contact_store *source, contact_set *out);
/* Copies the host's set to the device, where it differs. Neither it nor `scratch` may change until the next
 * wait. Sets `before` to the copy and `next` to the other set, which the next search fills. Errors: MEMORY,
 * DEVICE_MEMORY, DEVICE. */
scree_result contact_mirror_send(contact_mirror *self, const contact_set *set, scratch_arena *scratch,
                                 int threads, device_contacts **before, device_contacts **next, int *regrown);
/* Reads a set that a search has filled, with these counts (CONTACTS_COUNTS numbers), into a set of the host;
 * from then on one is a copy of the other. The first enqueues copies to `scratch`; after a wait the second
 * fills `out`. Errors: MEMORY, DEVICE. */
scree_result contact_mirror_read(contact_mirror *self, const device_contacts *found, const cl_uint *counts,
                                 scratch_arena *scratch, contact_set *out, int *regrown);
void contact_mirror_take(contact_mirror *self, const device_contacts *found, int threads, contact_set *out);
