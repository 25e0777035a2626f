#include "geometry_table.h"

#include "base/memory.h"

#include <string.h>

typedef struct geometry_row {
    int32_t spheres;
} geometry_row;

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const hdf5_column geometry_columns[] = {
    {"spheres", HDF5_INT32, 1, offsetof(geometry_row, spheres)},
};
static const hdf5_column sphere_columns[] = {
    {"position", HDF5_FLOAT, 3, offsetof(scree_clump_sphere, position)},
    {"radius", HDF5_FLOAT, 1, offsetof(scree_clump_sphere, radius)},
};
static const hdf5_table geometry_rows = {"geometries", geometry_columns, COUNT(geometry_columns),
                                         sizeof(geometry_row)};
static const hdf5_table sphere_rows = {"geometry_spheres", sphere_columns, COUNT(sphere_columns),
                                       sizeof(scree_clump_sphere)};

/* Both tables while they are on their way. */
typedef struct tables {
    int count, sphere_count;
    geometry_row *rows;
    scree_clump_sphere *spheres;
} tables;

static scree_result reserve(tables *self) {
    self->rows = memory_allocate((size_t)self->count, sizeof *self->rows);
    self->spheres = memory_allocate((size_t)self->sphere_count, sizeof *self->spheres);
    if (self->rows && self->spheres) return SCREE_OK;
    return fail(SCREE_ERROR_MEMORY, "out of memory for %d geometries", self->count);
}

static void release(tables *self) {
    memory_release(self->rows);
    memory_release(self->spheres);
}

static scree_result write(hdf5_file *file, const geometry_list *list, tables *self) {
    scree_clump_sphere *next;
    TRY(reserve(self));
    next = self->spheres;
    for (int i = 0; i < list->count; ++i) {
        const scree_geometry *of = list->items[i];
        self->rows[i].spheres = of->count;
        memcpy(next, of->given, sizeof *next * (size_t)of->count);
        next += of->count;
    }
    TRY(hdf5_write(file, &geometry_rows, self->rows, (size_t)self->count));
    return hdf5_write(file, &sphere_rows, self->spheres, (size_t)self->sphere_count);
}

scree_result geometry_table_write(hdf5_file *file, const geometry_list *list) {
    tables self = {.count = list->count};
    for (int i = 0; i < list->count; ++i) self.sphere_count += list->items[i]->count;
    const scree_result result = write(file, list, &self);
    release(&self);
    return result;
}

/* What a file claims is made as if somebody had given it. */
static scree_result make(const tables *self, geometry_list *list) {
    int first = 0;
    for (int i = 0; i < self->count; ++i) {
        scree_geometry *made;
        const int spheres = self->rows[i].spheres;
        if (spheres < 1 || spheres > self->sphere_count - first)
            return fail(SCREE_ERROR_FORMAT, "geometry %d has %d spheres", i, spheres);
        if (scree_clump_create(self->spheres + first, spheres, &made) != SCREE_OK)
            return fail_prefix(SCREE_ERROR_FORMAT, "geometry %d", i);
        first += spheres;
        const scree_result kept = geometry_list_keep(list, made);
        scree_geometry_release(made);
        TRY(kept);
    }
    if (first != self->sphere_count) return fail(SCREE_ERROR_FORMAT, "there are spheres of no geometry");
    return SCREE_OK;
}

static scree_result read(hdf5_file *file, tables *self, geometry_list *list) {
    TRY(hdf5_rows(file, &geometry_rows, &self->count));
    TRY(hdf5_rows(file, &sphere_rows, &self->sphere_count));
    TRY(reserve(self));
    TRY(hdf5_read(file, &geometry_rows, self->rows, (size_t)self->count));
    TRY(hdf5_read(file, &sphere_rows, self->spheres, (size_t)self->sphere_count));
    return make(self, list);
}

scree_result geometry_table_read(hdf5_file *file, geometry_list *list) {
    tables self = {0};
    const scree_result result = read(file, &self, list);
    release(&self);
    return result;
}
