#include "hdf5_file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_SIZE = 128 };

/* Growth of an in-memory file, bytes. */
static const size_t growth = 1 << 20;
/* Largest chunk and smallest compressed dataset, bytes before compression. */
static const size_t chunk_bytes = 4 << 20, least_compressed = 2 << 10;
/* Half the number of entries of a node of the chunk index. With HDF5's default of 32 each index takes 2
 * kB, for a few chunks. */
enum { INDEX_HALF_RANK = 2 };
/* Deflate's largest compression ratio. */
enum { DEFLATE_RATIO_MAX = 1032 };

/* Type of a column: the bytes of a number, its name in messages, in files (little-endian on every machine)
 * and in memory. */
typedef struct number_type {
    size_t size;
    const char *name;
    hid_t stored, native;
} number_type;

static number_type type_of(scree_value_type type) {
    const number_type types[] = {
        [SCREE_VALUE_UINT8] = {1, "8-bit unsigned integers", H5T_STD_U8LE, H5T_NATIVE_UINT8},
        [SCREE_VALUE_INT32] = {4, "32-bit integers", H5T_STD_I32LE, H5T_NATIVE_INT32},
        [SCREE_VALUE_UINT32] = {4, "32-bit unsigned integers", H5T_STD_U32LE, H5T_NATIVE_UINT32},
        [SCREE_VALUE_INT64] = {8, "64-bit integers", H5T_STD_I64LE, H5T_NATIVE_INT64},
        [SCREE_VALUE_UINT64] = {8, "64-bit unsigned integers", H5T_STD_U64LE, H5T_NATIVE_UINT64},
        [SCREE_VALUE_FLOAT] = {4, "32-bit floating-point numbers", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT},
        [SCREE_VALUE_DOUBLE] = {8, "64-bit floating-point numbers", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE}};
    return types[type];
}

size_t hdf5_type_size(scree_value_type type) { return type_of(type).size; }

static size_t column_size(const scree_column *column) {
    return hdf5_type_size(column->type) * (size_t)column->components;
}

static int dimensions_of(const scree_column *column) { return column->components > 1 ? 2 : 1; }

/* A local identifier of HDF5 that is closed at the end of its scope. */
#define SCOPED_ID __attribute__((cleanup(close_local))) const hid_t
static void close_local(const hid_t *local) {
    if (*local >= 0) H5Idec_ref(*local);
}

/* Disables HDF5's printing of errors while a file is open, since error messages replace it. */
static void silence(hdf5_file *self) {
    H5Eget_auto2(H5E_DEFAULT, &self->report, &self->report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void hdf5_close(hdf5_file *self) {
    if (self->id >= 0) H5Fclose(self->id);
    if (self->driver >= 0) H5Idec_ref(self->driver);
    H5Eset_auto2(H5E_DEFAULT, self->report, self->report_data);
    self->id = self->driver = H5I_INVALID_HID;
    file_draft_drop(&self->draft);
}

/* Failures that are not the disk's are reported as lack of memory. */
static scree_result fail_building(const hdf5_file *self) {
    if (self->target.error) return fail_file(self->target.error, "cannot write '%s'", self->path);
    return fail(SCREE_ERROR_MEMORY, "out of memory: cannot build %s for '%s' with HDF5", self->purpose,
                self->path);
}

scree_result hdf5_create(const char *path, const char *purpose, int offset, hdf5_file *out) {
    *out = (hdf5_file){.id = H5I_INVALID_HID, .driver = H5I_INVALID_HID, .path = path, .purpose = purpose};
    silence(out);
    TRY(file_draft_begin(path, &out->draft));
    out->target = (hdf5_target){.descriptor = out->draft.descriptor, .offset = offset};
    SCOPED_ID access = H5Pcreate(H5P_FILE_ACCESS);
    SCOPED_ID creation = H5Pcreate(H5P_FILE_CREATE);
    if (access >= 0) out->driver = hdf5_driver_set(access, &out->target);
    if (out->driver >= 0 && creation >= 0 && H5Pset_istore_k(creation, INDEX_HALF_RANK) >= 0)
        out->id = H5Fcreate(out->draft.name, H5F_ACC_TRUNC, creation, access);
    return out->id >= 0 ? SCREE_OK : fail_building(out);
}

scree_result hdf5_finish(hdf5_file *self) {
    const herr_t closed = H5Fclose(self->id);
    self->id = H5I_INVALID_HID;
    return closed < 0 || self->target.error ? fail_building(self) : SCREE_OK;
}

scree_result hdf5_replace(hdf5_file *self, bool durable) {
    if (self->id >= 0) TRY(hdf5_finish(self));
    return file_draft_end(&self->draft, 0, durable);
}

scree_result hdf5_image(hdf5_file *self, file_piece *out) {
    void *handle = NULL;
    if (H5Fflush(self->id, H5F_SCOPE_GLOBAL) < 0) return fail_building(self);
    const ssize_t length = H5Fget_file_image(self->id, NULL, 0);
    /* The handle of an in-memory file is the address of the pointer to its bytes. */
    if (length < 0 || H5Fget_vfd_handle(self->id, H5P_DEFAULT, &handle) < 0 || !handle)
        return fail_building(self);
    *out = (file_piece){*(void **)handle, (size_t)length};
    return SCREE_OK;
}

scree_result hdf5_open(const char *path, const char *purpose, hdf5_mode mode, hdf5_file *out) {
    *out = (hdf5_file){.id = H5I_INVALID_HID, .driver = H5I_INVALID_HID, .path = path, .purpose = purpose};
    silence(out);
    /* Opens the file directly first: HDF5 does not pass on the system's errno. */
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return fail_file(errno, "cannot open '%s'", path);
    struct stat status;
    const int error = fstat(descriptor, &status) ? errno : 0;
    close(descriptor);
    if (error) return fail_file(error, "cannot open '%s'", path);
    if (!S_ISREG(status.st_mode)) return fail(SCREE_ERROR_FILE, "cannot open '%s': not a regular file", path);
    out->bytes = (uint64_t)status.st_size;
    SCOPED_ID access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && (mode == HDF5_READ || H5Pset_fapl_core(access, growth, false) >= 0))
        out->id = H5Fopen(path, mode == HDF5_COPY ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
    if (out->id >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_FORMAT, "'%s' is not %s: HDF5 cannot open it (not an HDF5 file, or damaged)",
                path, purpose);
}

scree_result hdf5_remove(hdf5_file *self, const char *name) {
    if (hdf5_has(self, name) && H5Ldelete(self->id, name, H5P_DEFAULT) < 0)
        return fail(SCREE_ERROR_FORMAT, "'%s': %s: cannot be replaced", self->path, name);
    return SCREE_OK;
}

static void dataset_name(const scree_table *table, const scree_column *column, char out[NAME_SIZE]) {
    snprintf(out, NAME_SIZE, "%s/%s", table->name, column->name);
}

/* Copy one column out of, or into, the items. */
static void gather(const scree_table *table, const scree_column *column, const void *items, size_t rows,
                   char *packed) {
    const size_t size = column_size(column);
    const char *from = (const char *)items + column->offset;
    for (size_t i = 0; i < rows; i++) memcpy(packed + i * size, from + i * table->row_size, size);
}

static void scatter(const scree_table *table, const scree_column *column, void *items, size_t rows,
                    const char *packed) {
    const size_t size = column_size(column);
    char *to = (char *)items + column->offset;
    for (size_t i = 0; i < rows; i++) memcpy(to + i * table->row_size, packed + i * size, size);
}

/* Shuffle stores the first bytes of all numbers, then their second bytes, and so on: signs, exponents and
 * high bytes of integers are alike. Chunks are long since frames are read whole. */
static bool set_filters(hid_t creation, const scree_column *column, size_t rows, int level) {
    const size_t row = column_size(column);
    const hsize_t most = chunk_bytes / row;
    const hsize_t chunk[2] = {rows < most ? rows : most, (hsize_t)column->components};
    if (!level || rows * row < least_compressed) return true;
    return H5Pset_chunk(creation, dimensions_of(column), chunk) >= 0 && H5Pset_shuffle(creation) >= 0 &&
           H5Pset_deflate(creation, (unsigned)level) >= 0;
}

/* Stores no timestamps, so that equal data gives equal files. */
static hid_t create_dataset(const hdf5_file *self, const scree_table *table, const scree_column *column,
                            size_t rows) {
    const hsize_t extent[2] = {rows, (hsize_t)column->components};
    char name[NAME_SIZE];
    dataset_name(table, column, name);
    SCOPED_ID space = H5Screate_simple(dimensions_of(column), extent, NULL);
    SCOPED_ID links = H5Pcreate(H5P_LINK_CREATE);
    SCOPED_ID creation = H5Pcreate(H5P_DATASET_CREATE);
    if (space < 0 || links < 0 || creation < 0 || H5Pset_create_intermediate_group(links, 1) < 0 ||
        H5Pset_obj_track_times(creation, false) < 0 ||
        !set_filters(creation, column, rows, self->compression))
        return H5I_INVALID_HID;
    return H5Dcreate2(self->id, name, type_of(column->type).stored, space, links, creation, H5P_DEFAULT);
}

/* Writes rows [first, first + count) of a dataset. */
static bool write_rows(hid_t set, const scree_column *column, size_t first, size_t count,
                       const void *packed) {
    const hsize_t start[2] = {first, 0}, extent[2] = {count, (hsize_t)column->components};
    SCOPED_ID space = H5Dget_space(set);
    SCOPED_ID scratch = H5Screate_simple(dimensions_of(column), extent, NULL);
    return space >= 0 && scratch >= 0 &&
           H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
           H5Dwrite(set, type_of(column->type).native, scratch, space, H5P_DEFAULT, packed) >= 0;
}

/* Writes rows piece by piece, for tables that are never in memory as a whole. Compressed datasets are
 * written at once, since their chunks are larger than a piece. */
static scree_result sink_write(void *file, const scree_table *table, size_t rows, scree_rows make,
                               void *source) {
    enum { PIECE = 4096, COLUMNS_MOST = 64 };
    hdf5_file *self = file;
    const size_t most = self->compression ? rows : PIECE;
    SCOPED char *items = memory_allocate(most, table->row_size);
    SCOPED char *packed = memory_allocate(most, table->row_size);
    if (!items || !packed)
        return fail(SCREE_ERROR_MEMORY, "out of memory: %zu rows of '%s'", rows, table->name);
    hid_t sets[COLUMNS_MOST];
    bool good = true;
    for (int i = 0; i < table->column_count; i++) {
        sets[i] = create_dataset(self, table, &table->columns[i], rows);
        good &= sets[i] >= 0;
    }
    for (size_t first = 0; good && first < rows; first += most) {
        const size_t count = rows - first < most ? rows - first : most;
        make(source, first, count, items);
        for (int i = 0; i < table->column_count && good; i++) {
            gather(table, &table->columns[i], items, count, packed);
            good = write_rows(sets[i], &table->columns[i], first, count, packed);
        }
    }
    for (int i = 0; i < table->column_count; i++)
        if (sets[i] >= 0 && H5Dclose(sets[i]) < 0) good = false;
    return good ? SCREE_OK : fail_building(self);
}

typedef struct item_array {
    const char *items;
    size_t size;
} item_array;

static void copy_items(void *source, size_t first, size_t count, void *out) {
    const item_array *from = source;
    memcpy(out, from->items + first * from->size, count * from->size);
}

scree_result hdf5_write(hdf5_file *self, const scree_table *table, const void *items, size_t rows) {
    item_array from = {items, table->row_size};
    return sink_write(self, table, rows, copy_items, &from);
}

static bool type_is(hid_t set, scree_value_type type) {
    SCOPED_ID found = H5Dget_type(set);
    const hid_t wanted = type_of(type).stored;
    if (found < 0) return false;
    const H5T_class_t class = H5Tget_class(found);
    return class == H5Tget_class(wanted) && H5Tget_size(found) == H5Tget_size(wanted) &&
           (class != H5T_INTEGER || H5Tget_sign(found) == H5Tget_sign(wanted));
}

/* Returns whether a contiguous dataset has all its values in this file, none in external ones. */
static bool contiguous_is_whole(const hdf5_file *self, hid_t set, hid_t creation, uint64_t size) {
    if (H5Pget_external_count(creation) != 0) return false;
    if (!size) return true;
    const haddr_t offset = H5Dget_offset(set);
    return offset != HADDR_UNDEF && offset <= self->bytes && size <= self->bytes - offset &&
           H5Dget_storage_size(set) == size;
}

/* Returns whether the values are stored in chunks, deflated after shuffle, none larger than the dataset. */
static bool stored_deflated(const hdf5_file *self, hid_t set, hid_t creation, const hsize_t extent[2],
                            int dimensions, uint64_t size) {
    static const H5Z_filter_t filters[] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE};
    hsize_t chunk[2] = {0, 1};
    if (H5Pget_chunk(creation, dimensions, chunk) != dimensions || chunk[0] > extent[0] ||
        chunk[1] != extent[1] || H5Pget_nfilters(creation) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        unsigned flags, values[8];
        size_t count = 8;
        if (H5Pget_filter2(creation, i, &flags, &count, values, 0, NULL, NULL) != filters[i]) return false;
    }
    const hsize_t stored = H5Dget_storage_size(set);
    return stored <= self->bytes && size / DEFLATE_RATIO_MAX <= stored;
}

/* Returns whether the values are stored in the file itself, so that a small file cannot claim a large
 * extent. */
static bool stored_whole(const hdf5_file *self, hid_t set, const hsize_t extent[2], int dimensions,
                         uint64_t size) {
    SCOPED_ID creation = H5Dget_create_plist(set);
    if (creation < 0) return false;
    const H5D_layout_t layout = H5Pget_layout(creation);
    if (layout == H5D_CONTIGUOUS) return contiguous_is_whole(self, set, creation, size);
    return layout == H5D_CHUNKED && stored_deflated(self, set, creation, extent, dimensions, size);
}

/* Opens a column's dataset, checks it and returns its number of rows. */
static scree_result open_dataset(hdf5_file *self, const char *name, const scree_column *column, hid_t *out,
                                 hsize_t *rows) {
    *out = H5Dopen2(self->id, name, H5P_DEFAULT);
    if (*out < 0)
        return fail(SCREE_ERROR_FORMAT, "'%s' is not %s: dataset %s: missing or damaged", self->path,
                    self->purpose, name);
    hsize_t extent[2] = {0, 1};
    const int dimensions = dimensions_of(column);
    SCOPED_ID space = H5Dget_space(*out);
    const bool shaped = space >= 0 && H5Sis_simple(space) > 0 &&
                        H5Sget_simple_extent_ndims(space) == dimensions &&
                        H5Sget_simple_extent_dims(space, extent, NULL) == dimensions &&
                        extent[1] == (hsize_t)column->components && extent[0] <= INT_MAX;
    const uint64_t size = shaped ? extent[0] * extent[1] * hdf5_type_size(column->type) : 0;
    *rows = extent[0];
    if (shaped && type_is(*out, column->type) && stored_whole(self, *out, extent, dimensions, size))
        return SCREE_OK;
    H5Dclose(*out);
    return fail(SCREE_ERROR_FORMAT,
                "'%s' is not %s: dataset %s: wrong type, extent or layout; must be %s in %d "
                "dimension%s, contiguous or deflated after shuffle",
                self->path, self->purpose, name, type_of(column->type).name, dimensions,
                dimensions > 1 ? "s" : "");
}

bool hdf5_has(hdf5_file *self, const char *path) {
    char parent[NAME_SIZE];
    for (const char *slash = path; slash; slash++) { /* H5Lexists requires that all parent groups exist */
        slash = strchr(slash, '/');
        snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - path) : (int)strlen(path), path);
        if (H5Lexists(self->id, parent, H5P_DEFAULT) <= 0) return false;
        if (!slash) break;
    }
    return true;
}

scree_result hdf5_rows(hdf5_file *self, const scree_table *table, int *rows) {
    char name[NAME_SIZE];
    hid_t set = H5I_INVALID_HID;
    hsize_t found = 0;
    dataset_name(table, &table->columns[0], name);
    TRY(open_dataset(self, name, &table->columns[0], &set, &found));
    H5Dclose(set);
    *rows = (int)found;
    return SCREE_OK;
}

static scree_result read_column(hdf5_file *self, const scree_table *table, const scree_column *column,
                                size_t rows, void *packed) {
    char name[NAME_SIZE];
    hid_t set = H5I_INVALID_HID;
    hsize_t found = 0;
    dataset_name(table, column, name);
    TRY(open_dataset(self, name, column, &set, &found));
    scree_result result = SCREE_OK;
    if (found != rows)
        result = fail(SCREE_ERROR_FORMAT, "'%s' is not %s: dataset %s: %llu rows; must be %zu", self->path,
                      self->purpose, name, (unsigned long long)found, rows);
    else if (rows && H5Dread(set, type_of(column->type).native, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed) < 0)
        result = fail(SCREE_ERROR_FORMAT, "'%s': dataset %s: cannot be read", self->path, name);
    H5Dclose(set);
    return result;
}

scree_result hdf5_read(hdf5_file *self, const scree_table *table, void *items, size_t rows) {
    SCOPED char *packed = memory_allocate(rows, table->row_size);
    if (!packed) return fail(SCREE_ERROR_MEMORY, "out of memory: %zu rows of '%s'", rows, table->name);
    for (int i = 0; i < table->column_count; i++) {
        TRY(read_column(self, table, &table->columns[i], rows, packed));
        scatter(table, &table->columns[i], items, rows, packed);
    }
    return SCREE_OK;
}

static scree_result source_count(void *file, const scree_table *table, int *out) {
    const scree_result result = hdf5_rows(file, table, out);
    ((hdf5_file *)file)->refused |= result != SCREE_OK;
    return result;
}

static scree_result source_read(void *file, const scree_table *table, size_t rows, void *out) {
    const scree_result result = hdf5_read(file, table, out, rows);
    ((hdf5_file *)file)->refused |= result != SCREE_OK;
    return result;
}

scree_state_sink hdf5_sink(hdf5_file *self) { return (scree_state_sink){.write = sink_write, .user = self}; }

scree_state_source hdf5_source(hdf5_file *self) {
    return (scree_state_source){.count = source_count, .read = source_read, .user = self};
}

/* Opens a group for its attributes, or creates it. */
static hid_t open_group(hid_t file, const char *name) {
    return H5Lexists(file, name, H5P_DEFAULT) > 0
               ? H5Gopen2(file, name, H5P_DEFAULT)
               : H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static scree_result write_attribute(hdf5_file *self, const char *group, const char *name, hid_t stored,
                                    hid_t native, hid_t space, const void *values) {
    SCOPED_ID owner = open_group(self->id, group);
    if (owner < 0 || space < 0 || stored < 0) return fail_building(self);
    const hid_t attribute = H5Acreate2(owner, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, native, values) >= 0;
    if (attribute >= 0 && H5Aclose(attribute) < 0) good = false;
    return good ? SCREE_OK : fail_building(self);
}

scree_result hdf5_write_integers(hdf5_file *self, const char *group, const char *name, const int64_t *values,
                                 int count) {
    const hsize_t extent = (hsize_t)count;
    SCOPED_ID space = H5Screate_simple(1, &extent, NULL);
    return write_attribute(self, group, name, H5T_STD_I64LE, H5T_NATIVE_INT64, space, values);
}

scree_result hdf5_write_text(hdf5_file *self, const char *group, const char *name, const char *text) {
    SCOPED_ID space = H5Screate(H5S_SCALAR);
    SCOPED_ID type = H5Tcopy(H5T_C_S1);
    if (type < 0 || H5Tset_size(type, strlen(text)) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0)
        return fail_building(self);
    return write_attribute(self, group, name, type, type, space, text);
}
