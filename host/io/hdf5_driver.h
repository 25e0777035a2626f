/* Where HDF5 writes a file: a descriptor, from an offset on.
 *
 * HDF5 1.10 does not recover from a full disk: a file that cannot be flushed cannot be closed either, and is
 * tried again when the program ends. So nothing fails here. The first error is remembered, what comes after
 * it is dropped, and whoever has closed the file asks. */
#ifndef SCREE_IO_HDF5_DRIVER_H
#define SCREE_IO_HDF5_DRIVER_H

#include <hdf5.h>

#include <sys/types.h>

typedef struct hdf5_target {
    int descriptor; /* open for reading and writing; stays open */
    int error;      /* errno of the first failure; 0: there was none */
    off_t offset;   /* where the file begins, bytes */
} hdf5_target;

/* Lets files that are opened with `access` be written to `target`, which has to outlive them. Returns the
 * driver, for H5Idec_ref when they are closed and not before: HDF5 1.10 still asks the driver how to close a
 * file when it has given up the file's share in it. Negative where HDF5 has no memory for it. */
hid_t hdf5_driver_set(hid_t access, hdf5_target *target);

#endif
