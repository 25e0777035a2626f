#include "geometry_table.h"

#include "base/memory.h"
#include "base/vector.h"

#include <string.h>

/* Counts of the data of a geometry: spheres of a clump, vertices and triangles of a mesh or solid,
 * vertices of a hull, or children of a compound. */
typedef struct geometry_row {
    int32_t kind, spheres, vertices, triangles, parts;
} geometry_row;

/* A child, with 1 + the place of its geometry in the list; 0: none. */
typedef struct child_row {
    scree_compound_child part;
    int32_t kind, geometry;
} child_row;

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const hdf5_column geometry_columns[] = {
    {"spheres", HDF5_INT32, 1, offsetof(geometry_row, spheres)},
    {"vertices", HDF5_INT32, 1, offsetof(geometry_row, vertices)},
    {"triangles", HDF5_INT32, 1, offsetof(geometry_row, triangles)},
};
static const hdf5_column sphere_columns[] = {
    {"position", HDF5_FLOAT, 3, offsetof(scree_clump_sphere, position)},
    {"radius", HDF5_FLOAT, 1, offsetof(scree_clump_sphere, radius)},
};
/* Absent in files older than solids. */
static const hdf5_column kind_columns[] = {{"kind", HDF5_INT32, 1, offsetof(geometry_row, kind)}};
static const hdf5_table kind_rows = {"geometries", kind_columns, COUNT(kind_columns), sizeof(geometry_row)};
static const hdf5_table geometry_rows = {"geometries", geometry_columns, COUNT(geometry_columns),
                                         sizeof(geometry_row)};
static const hdf5_table sphere_rows = {"geometry_spheres", sphere_columns, COUNT(sphere_columns),
                                       sizeof(scree_clump_sphere)};

static const hdf5_column vertex_columns[] = {{"position", HDF5_FLOAT, 3, 0}};
static const hdf5_column triangle_columns[] = {{"corners", HDF5_INT32, 3, 0}};
static const hdf5_table vertex_rows = {"geometry_vertices", vertex_columns, COUNT(vertex_columns),
                                       sizeof(scree_vec3)};
static const hdf5_table triangle_rows = {"geometry_triangles", triangle_columns, COUNT(triangle_columns),
                                         sizeof(scree_triangle)};
/* Absent in files older than compounds. */
static const hdf5_column part_count_columns[] = {{"parts", HDF5_INT32, 1, offsetof(geometry_row, parts)}};
static const hdf5_column part_columns[] = {
    {"shape", HDF5_INT32, 1, offsetof(child_row, kind)},
    {"geometry", HDF5_INT32, 1, offsetof(child_row, geometry)},
    {"size", HDF5_FLOAT, 3, offsetof(child_row, part.shape.size)},
    {"position", HDF5_FLOAT, 3, offsetof(child_row, part.position)},
    {"rotation", HDF5_FLOAT, 4, offsetof(child_row, part.rotation)},
    {"relative_density", HDF5_FLOAT, 1, offsetof(child_row, part.relative_density)},
};
static const hdf5_table part_counts = {"geometries", part_count_columns, COUNT(part_count_columns),
                                       sizeof(geometry_row)};
static const hdf5_table child_rows = {"geometry_parts", part_columns, COUNT(part_columns), sizeof(child_row)};
_Static_assert(sizeof(vec3s) == sizeof(scree_vec3) && sizeof(int) == 4,
               "the tables give these types to HDF5");

/* Contents of the tables, in memory. */
typedef struct tables {
    int count, sphere_count, vertex_count, triangle_count, part_count;
    geometry_row *rows;
    scree_clump_sphere *spheres;
    scree_vec3 *vertices;
    scree_triangle *triangles;
    child_row *parts;
} tables;

static scree_result reserve(tables *self) {
    self->rows = memory_allocate((size_t)self->count, sizeof *self->rows);
    self->spheres = memory_allocate((size_t)self->sphere_count, sizeof *self->spheres);
    self->vertices = memory_allocate((size_t)self->vertex_count, sizeof *self->vertices);
    self->triangles = memory_allocate((size_t)self->triangle_count, sizeof *self->triangles);
    self->parts = memory_allocate((size_t)self->part_count, sizeof *self->parts);
    if (self->rows && self->spheres && self->vertices && self->triangles && self->parts) return SCREE_OK;
    return fail(SCREE_ERROR_MEMORY, "out of memory for %d geometries", self->count);
}

static void release(tables *self) {
    memory_release(self->rows);
    memory_release(self->spheres);
    memory_release(self->vertices);
    memory_release(self->triangles);
    memory_release(self->parts);
}

static geometry_row row_of(const scree_geometry *of) {
    const bool meshed = of->kind == SCREE_SHAPE_MESH;
    return (geometry_row){(int32_t)of->kind, of->count, meshed ? of->surface.vertex_count : of->point_count,
                          meshed ? of->surface.count : of->face_count, of->part_count};
}

static child_row child_row_of(const geometry_list *list, const scree_compound_child *part) {
    return (child_row){*part, (int32_t)part->shape.kind, 1 + geometry_list_find(list, part->shape.geometry)};
}

static scree_result write(hdf5_file *file, const geometry_list *list, tables *self) {
    scree_clump_sphere *sphere;
    scree_vec3 *vertex;
    scree_triangle *triangle;
    child_row *part;
    TRY(reserve(self));
    sphere = self->spheres, vertex = self->vertices, triangle = self->triangles, part = self->parts;
    for (int i = 0; i < list->count; ++i) {
        const scree_geometry *of = list->items[i];
        const mesh *surface = &of->surface;
        self->rows[i] = row_of(of);
        for (int k = 0; k < of->count; ++k) *sphere++ = of->given[k];
        for (int k = 0; k < of->point_count; ++k) *vertex++ = of->points[k];
        for (int k = 0; k < of->face_count; ++k) *triangle++ = of->faces[k];
        for (int k = 0; k < of->part_count; ++k) *part++ = child_row_of(list, &of->given_parts[k]);
        if (of->kind != SCREE_SHAPE_MESH) continue;
        for (int k = 0; k < surface->vertex_count; ++k) *vertex++ = vec3_out(surface->vertices[k]);
        for (int k = 0; k < surface->count; ++k)
            memcpy(triangle++, surface->triangles[k].corners, sizeof *triangle);
    }
    TRY(hdf5_write(file, &geometry_rows, self->rows, (size_t)self->count));
    TRY(hdf5_write(file, &kind_rows, self->rows, (size_t)self->count));
    TRY(hdf5_write(file, &part_counts, self->rows, (size_t)self->count));
    TRY(hdf5_write(file, &child_rows, self->parts, (size_t)self->part_count));
    TRY(hdf5_write(file, &sphere_rows, self->spheres, (size_t)self->sphere_count));
    TRY(hdf5_write(file, &vertex_rows, self->vertices, (size_t)self->vertex_count));
    return hdf5_write(file, &triangle_rows, self->triangles, (size_t)self->triangle_count);
}

scree_result geometry_table_write(hdf5_file *file, const geometry_list *list) {
    tables self = {.count = list->count};
    for (int i = 0; i < list->count; ++i) {
        const geometry_row row = row_of(list->items[i]);
        self.sphere_count += row.spheres;
        self.vertex_count += row.vertices;
        self.triangle_count += row.triangles;
        self.part_count += row.parts;
    }
    const scree_result result = write(file, list, &self);
    release(&self);
    return result;
}

/* Makes a compound from geometries made before it. */
static scree_result make_compound(const child_row *rows, int count, const geometry_list *list,
                                  scree_geometry **made) {
    scree_compound_child *parts = memory_allocate((size_t)count, sizeof *parts);
    scree_result result = parts ? SCREE_OK : fail(SCREE_ERROR_MEMORY, "out of memory for a compound");
    for (int i = 0; i < count && result == SCREE_OK; ++i) {
        const int from = rows[i].geometry;
        parts[i] = rows[i].part;
        parts[i].shape.kind = (scree_shape_kind)rows[i].kind;
        if (from < 0 || from > list->count)
            result = fail(SCREE_ERROR_FORMAT, "child %d has geometry %d; only %d precede it", i, from,
                          list->count);
        else
            parts[i].shape.geometry = from ? list->items[from - 1] : NULL;
    }
    if (result == SCREE_OK) result = scree_compound_create(parts, count, made);
    memory_release(parts);
    return result;
}

/* Makes geometry i through the public functions, which check the file's data. `first` holds the next
 * unused row of each table. */
static scree_result make_one(const tables *self, int i, const geometry_list *list, geometry_row *first,
                             scree_geometry **made) {
    const geometry_row row = self->rows[i];
    scree_result result;
    if (row.spheres < 0 || row.vertices < 0 || row.triangles < 0 ||
        row.spheres > self->sphere_count - first->spheres ||
        row.vertices > self->vertex_count - first->vertices ||
        row.triangles > self->triangle_count - first->triangles || row.parts < 0 ||
        row.parts > self->part_count - first->parts ||
        (row.spheres > 0) + (row.vertices > 0 || row.triangles > 0) + (row.parts > 0) > 1)
        return fail(SCREE_ERROR_FORMAT, "geometry %d has %d spheres, %d vertices, %d triangles and %d parts",
                    i, row.spheres, row.vertices, row.triangles, row.parts);
    const scree_vec3 *vertices = self->vertices + first->vertices;
    const scree_triangle *triangles = self->triangles + first->triangles;
    switch (row.kind) {
    case SCREE_SHAPE_CLUMP:
        result = scree_clump_create(self->spheres + first->spheres, row.spheres, made);
        break;
    case SCREE_SHAPE_MESH:
        result = scree_mesh_create(vertices, row.vertices, triangles, row.triangles, made);
        break;
    case SCREE_SHAPE_HULL:
        result = scree_hull_create(vertices, row.vertices, made);
        break;
    case SCREE_SHAPE_SOLID:
        result = scree_solid_create(vertices, row.vertices, triangles, row.triangles, made);
        break;
    case SCREE_SHAPE_COMPOUND:
        result = make_compound(self->parts + first->parts, row.parts, list, made);
        break;
    default:
        result = fail(SCREE_ERROR_FORMAT, "a shape of kind %d has no geometry", row.kind);
    }
    if (result != SCREE_OK) return fail_prefix(SCREE_ERROR_FORMAT, "geometry %d", i);
    first->spheres += row.spheres, first->vertices += row.vertices, first->triangles += row.triangles;
    first->parts += row.parts;
    return SCREE_OK;
}

static scree_result make(const tables *self, geometry_list *list) {
    geometry_row first = {0};
    for (int i = 0; i < self->count; ++i) {
        scree_geometry *made;
        TRY(make_one(self, i, list, &first, &made));
        const scree_result kept = geometry_list_keep(list, made);
        scree_geometry_release(made);
        TRY(kept);
    }
    if (first.spheres != self->sphere_count || first.vertices != self->vertex_count ||
        first.triangles != self->triangle_count || first.parts != self->part_count)
        return fail(SCREE_ERROR_FORMAT, "spheres, vertices, triangles or children belong to no geometry");
    return SCREE_OK;
}

/* Derives kinds for files older than solids. */
static void guess_kinds(tables *self) {
    for (int i = 0; i < self->count; ++i)
        self->rows[i].kind = self->rows[i].spheres     ? SCREE_SHAPE_CLUMP
                             : self->rows[i].triangles ? SCREE_SHAPE_MESH
                                                       : SCREE_SHAPE_HULL;
}

static scree_result read(hdf5_file *file, tables *self, geometry_list *list) {
    TRY(hdf5_rows(file, &geometry_rows, &self->count));
    TRY(hdf5_rows(file, &sphere_rows, &self->sphere_count));
    TRY(hdf5_rows(file, &vertex_rows, &self->vertex_count));
    TRY(hdf5_rows(file, &triangle_rows, &self->triangle_count));
    const bool parts = hdf5_has(file, "geometries/parts");
    if (parts) TRY(hdf5_rows(file, &child_rows, &self->part_count));
    TRY(reserve(self));
    TRY(hdf5_read(file, &geometry_rows, self->rows, (size_t)self->count));
    if (hdf5_has(file, "geometries/kind"))
        TRY(hdf5_read(file, &kind_rows, self->rows, (size_t)self->count));
    else
        guess_kinds(self);
    if (parts) {
        TRY(hdf5_read(file, &part_counts, self->rows, (size_t)self->count));
        TRY(hdf5_read(file, &child_rows, self->parts, (size_t)self->part_count));
    }
    TRY(hdf5_read(file, &sphere_rows, self->spheres, (size_t)self->sphere_count));
    TRY(hdf5_read(file, &vertex_rows, self->vertices, (size_t)self->vertex_count));
    TRY(hdf5_read(file, &triangle_rows, self->triangles, (size_t)self->triangle_count));
    return make(self, list);
}

scree_result geometry_table_read(hdf5_file *file, geometry_list *list) {
    tables self = {0};
    const scree_result result = read(file, &self, list);
    release(&self);
    return result;
}
