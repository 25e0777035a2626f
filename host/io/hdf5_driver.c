#include "hdf5_driver.h"

#include "base/memory.h"
#include "file.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* An open file; HDF5 requires its own part first. */
typedef struct driven_file {
    H5FD_t base;
    hdf5_target *target;
    haddr_t end, length; /* allocated, and written so far */
} driven_file;

static driven_file *driven(H5FD_t *file) { return (driven_file *)file; }

/* The name is only used in messages. */
static H5FD_t *open_target(const char *name, unsigned flags, hid_t access, haddr_t most) {
    (void)name, (void)flags, (void)most;
    hdf5_target *const *target = H5Pget_driver_info(access);
    driven_file *self = target ? memory_allocate(1, sizeof *self) : NULL;
    if (self) self->target = *target;
    return self ? &self->base : NULL;
}

static herr_t close_target(H5FD_t *file) {
    memory_release(file);
    return 0;
}

/* Same flags as HDF5's memory and disk drivers, so that all write the same bytes. */
static herr_t query(const H5FD_t *file, unsigned long *flags) {
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t get_end(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const driven_file *)file)->end;
}

static herr_t set_end(H5FD_t *file, H5FD_mem_t type, haddr_t address) {
    (void)type;
    driven(file)->end = address;
    return 0;
}

static haddr_t get_length(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const driven_file *)file)->length;
}

/* Bytes that were never or could not be written read as zeros. */
static herr_t read_target(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                          void *out) {
    (void)type, (void)transfer;
    hdf5_target *target = driven(file)->target;
    memset(out, 0, size);
    if (lseek(target->descriptor, target->offset + (off_t)address, SEEK_SET) >= 0 &&
        file_read_all(target->descriptor, out, size) >= 0)
        return 0;
    if (!target->error) target->error = errno;
    return 0;
}

static herr_t write_target(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *bytes) {
    (void)type, (void)transfer;
    driven_file *self = driven(file);
    hdf5_target *target = self->target;
    if (address + size > self->length) self->length = address + size;
    if (target->error) return 0;
    const off_t at = target->offset + (off_t)address;
    target->error =
        lseek(target->descriptor, at, SEEK_SET) < 0 ? errno : file_write_all(target->descriptor, bytes, size);
    return 0;
}

static herr_t truncate_target(H5FD_t *file, hid_t transfer, hbool_t closing) {
    (void)transfer, (void)closing;
    driven_file *self = driven(file);
    hdf5_target *target = self->target;
    if (self->length == self->end) return 0;
    if (!target->error && ftruncate(target->descriptor, target->offset + (off_t)self->end))
        target->error = errno;
    self->length = self->end;
    return 0;
}

static const H5FD_class_t class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)511, /* from the range that HDF5 reserves for private drivers under test */
#endif
    .name = "scree",
    .maxaddr = (haddr_t)1 << 62,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(hdf5_target *),
    .open = open_target,
    .close = close_target,
    .query = query,
    .get_eoa = get_end,
    .set_eoa = set_end,
    .get_eof = get_length,
    .read = read_target,
    .write = write_target,
    .truncate = truncate_target,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t hdf5_driver_set(hid_t access, hdf5_target *target) {
    const hid_t driver = H5FDregister(&class);
    if (driver < 0 || H5Pset_driver(access, driver, &target) >= 0) return driver;
    H5Idec_ref(driver);
    return H5I_INVALID_HID;
}
