/* Contacts of a detection pass among those of a step on the device (kernels/insert.cl): contacts_add and
 * contacts_settle of detect/contacts.h. Nothing is read back. */
#pragma once

#include "opencl_contacts.h"

/* Inserts the entries of `more` into `set`, each after those that it has of the pair; colours must not have
 * been assigned yet. `pairs`, `points`: numbers of entries and points of `set`; `more` is filled to its
 * capacities at most. The buffers change places with those of `spare`. Enqueues commands and does not wait.
 * Errors: KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_insert_contacts(opencl_primitives *primitives, device_contacts *set, cl_uint pairs,
                                    cl_uint points, const device_contacts *more, device_contacts *spare);

/* Does what contacts_cross does, with an int for each body, its endless axes, and the lengths of the cell.
 * Enqueues commands and does not wait. Errors: KERNEL_BUILD, DEVICE. */
scree_result opencl_insert_crossings(opencl_primitives *primitives, const device_contacts *set,
                                     const opencl_buffer *crossed, const opencl_buffer *endless,
                                     const float period[3]);

/* Limits the overlap of predicted entries to the overlap before the step. Enqueues commands and does not
 * wait. Errors: KERNEL_BUILD, DEVICE. */
scree_result opencl_insert_settle(opencl_primitives *primitives, const device_contacts *set);
