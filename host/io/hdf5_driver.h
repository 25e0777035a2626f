/* HDF5 virtual file driver that writes to a descriptor, from an offset on.
 *
 * HDF5 1.10 does not recover from a full disk: a file that cannot be flushed cannot be closed either, and
 * the flush is retried at exit. So the driver's callbacks never fail. The first error is stored and later
 * writes are dropped; the caller checks `error` after closing the file. */
#pragma once

#include <hdf5.h>

#include <sys/types.h>

typedef struct hdf5_target {
    int descriptor; /* open for reading and writing; the driver does not close it */
    int error;      /* errno of the first failure; 0: none */
    off_t offset;   /* start of the HDF5 data, bytes */
} hdf5_target;

/* Makes files opened with `access` write to `target`, which must outlive them. Returns the driver. Call
 * H5Idec_ref on it after the files are closed, not earlier: HDF5 1.10 calls the driver's close after
 * releasing the file's own reference. Negative if HDF5 is out of memory. */
hid_t hdf5_driver_set(hid_t access, hdf5_target *target);
