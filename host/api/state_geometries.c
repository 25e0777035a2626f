#include "state_geometries.h"

#include "base/error.h"
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
#define GEOMETRY(field) offsetof(geometry_row, field)
#define SPHERE(field) offsetof(scree_clump_sphere, field)
#define CHILD(field) offsetof(child_row, field)

_Static_assert(sizeof(vec3s) == sizeof(scree_vec3) && sizeof(int) == 4, "the columns give these types");

static const scree_column geometry_columns[] = {
    {"kind", SCREE_VALUE_INT32, 1, GEOMETRY(kind)},
    {"spheres", SCREE_VALUE_INT32, 1, GEOMETRY(spheres)},
    {"vertices", SCREE_VALUE_INT32, 1, GEOMETRY(vertices)},
    {"triangles", SCREE_VALUE_INT32, 1, GEOMETRY(triangles)},
    {"parts", SCREE_VALUE_INT32, 1, GEOMETRY(parts)},
};
static const scree_column sphere_columns[] = {
    {"position", SCREE_VALUE_FLOAT, 3, SPHERE(position)},
    {"radius", SCREE_VALUE_FLOAT, 1, SPHERE(radius)},
};
static const scree_column vertex_columns[] = {{"position", SCREE_VALUE_FLOAT, 3, 0}};
static const scree_column triangle_columns[] = {{"corners", SCREE_VALUE_INT32, 3, 0}};
static const scree_column child_columns[] = {
    {"shape", SCREE_VALUE_INT32, 1, CHILD(kind)},
    {"geometry", SCREE_VALUE_INT32, 1, CHILD(geometry)},
    {"size", SCREE_VALUE_FLOAT, 3, CHILD(part.shape.size)},
    {"position", SCREE_VALUE_FLOAT, 3, CHILD(part.position)},
    {"rotation", SCREE_VALUE_FLOAT, 4, CHILD(part.rotation)},
    {"relative_density", SCREE_VALUE_FLOAT, 1, CHILD(part.relative_density)},
};

typedef enum geometry_table { GEOMETRIES, SPHERES, VERTICES, TRIANGLES, CHILDREN, TABLES } geometry_table;
#define TABLE(title, list, row)                                                                              \
    { .name = title, .columns = list, .column_count = COUNT(list), .row_size = sizeof(row) }
static const scree_table described[TABLES] = {
    [GEOMETRIES] = TABLE("geometries", geometry_columns, geometry_row),
    [SPHERES] = TABLE("geometry_spheres", sphere_columns, scree_clump_sphere),
    [VERTICES] = TABLE("geometry_vertices", vertex_columns, scree_vec3),
    [TRIANGLES] = TABLE("geometry_triangles", triangle_columns, scree_triangle),
    [CHILDREN] = TABLE("geometry_parts", child_columns, child_row),
};

/* Contents of the tables, in memory. */
typedef struct tables {
    int counts[TABLES];
    void *rows[TABLES];
} tables;

static scree_result reserve(tables *self) {
    bool made = true;
    for (int i = 0; i < TABLES; i++) {
        self->rows[i] = memory_allocate((size_t)self->counts[i], described[i].row_size);
        made = made && self->rows[i];
    }
    if (made) return SCREE_OK;
    return fail(SCREE_ERROR_MEMORY, "out of memory for %d geometries", self->counts[GEOMETRIES]);
}

static void release(tables *self) {
    for (int i = 0; i < TABLES; i++) memory_release(self->rows[i]);
}

static geometry_row row_of(const scree_geometry *of) {
    const bool meshed = of->kind == SCREE_SHAPE_MESH;
    return (geometry_row){(int32_t)of->kind, of->count, meshed ? of->surface.vertex_count : of->point_count,
                          meshed ? of->surface.count : of->face_count, of->child_count};
}

/* Returns 1 + the place of a geometry; 0: null or not listed. */
static int32_t place_of(const scree_geometry *const *items, int count, const scree_geometry *geometry) {
    for (int i = 0; i < count && geometry; i++)
        if (items[i] == geometry) return i + 1;
    return 0;
}

/* Fills the children of geometry i, which refer to geometries before it. */
static scree_result fill_children(const scree_geometry *const *items, int i, child_row *out) {
    for (int k = 0; k < items[i]->child_count; k++) {
        const scree_compound_child *part = &items[i]->given_children[k];
        const int32_t place = place_of(items, i, part->shape.geometry);
        if (part->shape.geometry && !place)
            return fail(SCREE_ERROR_ARGUMENT,
                        "geometry %d: that of child %d is not listed before it; must precede the compound", i,
                        k);
        out[k] = (child_row){.part = *part, .kind = (int32_t)part->shape.kind, .geometry = place};
    }
    return SCREE_OK;
}

static void fill_surface(const scree_geometry *of, scree_vec3 *vertices, scree_triangle *triangles) {
    const mesh *surface = &of->surface;
    if (of->kind != SCREE_SHAPE_MESH) {
        for (int k = 0; k < of->point_count; k++) vertices[k] = of->points[k];
        for (int k = 0; k < of->face_count; k++) triangles[k] = of->faces[k];
        return;
    }
    for (int k = 0; k < surface->vertex_count; k++) vertices[k] = vec3_out(surface->vertices[k]);
    for (int k = 0; k < surface->count; k++)
        memcpy(&triangles[k], surface->triangles[k].corners, sizeof *triangles);
}

static scree_result fill(const scree_geometry *const *items, int count, tables *self) {
    geometry_row *row = self->rows[GEOMETRIES];
    scree_clump_sphere *sphere = self->rows[SPHERES];
    scree_vec3 *vertex = self->rows[VERTICES];
    scree_triangle *triangle = self->rows[TRIANGLES];
    child_row *child = self->rows[CHILDREN];
    for (int i = 0; i < count; i++, row++) {
        *row = row_of(items[i]);
        for (int k = 0; k < row->spheres; k++) sphere[k] = items[i]->given[k];
        fill_surface(items[i], vertex, triangle);
        TRY(fill_children(items, i, child));
        sphere += row->spheres;
        vertex += row->vertices;
        triangle += row->triangles;
        child += row->parts;
    }
    return SCREE_OK;
}

static tables count_rows(const scree_geometry *const *items, int count) {
    tables self = {.counts = {[GEOMETRIES] = count}};
    for (int i = 0; i < count; i++) {
        const geometry_row row = row_of(items[i]);
        self.counts[SPHERES] += row.spheres;
        self.counts[VERTICES] += row.vertices;
        self.counts[TRIANGLES] += row.triangles;
        self.counts[CHILDREN] += row.parts;
    }
    return self;
}

static scree_result write(const scree_state_sink *sink, const tables *self) {
    for (int i = 0; i < TABLES; i++)
        TRY(state_write(sink, &described[i], (size_t)self->counts[i], self->rows[i]));
    return SCREE_OK;
}

scree_result state_save_geometries(const scree_state_sink *sink, const scree_geometry *const *items,
                                   int count) {
    tables self = count_rows(items, count);
    scree_result result = reserve(&self);
    if (result == SCREE_OK) result = fill(items, count, &self);
    if (result == SCREE_OK) result = write(sink, &self);
    release(&self);
    return result;
}

/* Makes a compound from geometries made before it. */
static scree_result make_compound(const child_row *rows, int count, const geometry_list *list,
                                  scree_geometry **made) {
    scree_compound_child *parts = memory_allocate((size_t)count, sizeof *parts);
    scree_result result = parts ? SCREE_OK : fail(SCREE_ERROR_MEMORY, "out of memory for a compound");
    for (int i = 0; i < count && result == SCREE_OK; i++) {
        const int from = rows[i].geometry;
        parts[i] = rows[i].part;
        parts[i].shape.kind = (scree_shape_kind)rows[i].kind;
        if (from < 0 || from > list->count)
            result = fail(SCREE_ERROR_FORMAT, "child %d: geometry %d; must be one of the %d before it", i,
                          from, list->count);
        else
            parts[i].shape.geometry = from ? list->items[from - 1] : NULL;
    }
    if (result == SCREE_OK) result = scree_compound_create(parts, count, made);
    memory_release(parts);
    return result;
}

/* Returns whether the rows of a geometry are among those left, and of one kind of table. */
static bool is_possible(const geometry_row *row, const geometry_row *left) {
    return row->spheres >= 0 && row->vertices >= 0 && row->triangles >= 0 && row->parts >= 0 &&
           row->spheres <= left->spheres && row->vertices <= left->vertices &&
           row->triangles <= left->triangles && row->parts <= left->parts &&
           (row->spheres > 0) + (row->vertices > 0 || row->triangles > 0) + (row->parts > 0) <= 1;
}

/* Makes a geometry through the public functions, which check the stored data, from the first of the rows
 * that are left. */
static scree_result make_of_kind(const tables *self, const geometry_row *row, const geometry_row *left,
                                 const geometry_list *list, scree_geometry **made) {
    const scree_clump_sphere *all_spheres = self->rows[SPHERES];
    const scree_vec3 *all_vertices = self->rows[VERTICES];
    const scree_triangle *all_triangles = self->rows[TRIANGLES];
    const child_row *all_children = self->rows[CHILDREN];
    const scree_vec3 *vertices = all_vertices + self->counts[VERTICES] - left->vertices;
    const scree_triangle *triangles = all_triangles + self->counts[TRIANGLES] - left->triangles;
    switch (row->kind) {
    case SCREE_SHAPE_CLUMP:
        return scree_clump_create(all_spheres + self->counts[SPHERES] - left->spheres, row->spheres, made);
    case SCREE_SHAPE_MESH:
        return scree_mesh_create(vertices, row->vertices, triangles, row->triangles, made);
    case SCREE_SHAPE_HULL:
        return scree_hull_create(vertices, row->vertices, made);
    case SCREE_SHAPE_SOLID:
        return scree_solid_create(vertices, row->vertices, triangles, row->triangles, made);
    case SCREE_SHAPE_COMPOUND:
        return make_compound(all_children + self->counts[CHILDREN] - left->parts, row->parts, list, made);
    default:
        return fail(SCREE_ERROR_FORMAT, "kind: %d; must be one with a geometry", row->kind);
    }
}

static scree_result make_one(const tables *self, int i, const geometry_list *list, geometry_row *left,
                             scree_geometry **made) {
    const geometry_row *row = (const geometry_row *)self->rows[GEOMETRIES] + i;
    if (!is_possible(row, left))
        return fail(SCREE_ERROR_FORMAT,
                    "geometry %d: %d spheres, %d vertices, %d triangles, %d parts; must fit its kind", i,
                    row->spheres, row->vertices, row->triangles, row->parts);
    if (make_of_kind(self, row, left, list, made) != SCREE_OK)
        return fail_prefix(SCREE_ERROR_FORMAT, "geometry %d", i);
    left->spheres -= row->spheres;
    left->vertices -= row->vertices;
    left->triangles -= row->triangles;
    left->parts -= row->parts;
    return SCREE_OK;
}

static scree_result make(const tables *self, geometry_list *list) {
    geometry_row left = {.spheres = self->counts[SPHERES],
                         .vertices = self->counts[VERTICES],
                         .triangles = self->counts[TRIANGLES],
                         .parts = self->counts[CHILDREN]};
    for (int i = 0; i < self->counts[GEOMETRIES]; i++) {
        scree_geometry *made;
        TRY(make_one(self, i, list, &left, &made));
        const scree_result kept = geometry_list_keep(list, made);
        scree_geometry_release(made);
        TRY(kept);
    }
    if (left.spheres || left.vertices || left.triangles || left.parts)
        return fail(SCREE_ERROR_FORMAT, "spheres, vertices, triangles or children belong to no geometry");
    return SCREE_OK;
}

static scree_result read(const scree_state_source *source, tables *self) {
    for (int i = 0; i < TABLES; i++) TRY(source->count(source->user, &described[i], &self->counts[i]));
    TRY(reserve(self));
    for (int i = 0; i < TABLES; i++)
        TRY(source->read(source->user, &described[i], (size_t)self->counts[i], self->rows[i]));
    return SCREE_OK;
}

scree_result state_load_geometries(const scree_state_source *source, geometry_list *list) {
    tables self = {.counts = {0}};
    scree_result result = read(source, &self);
    if (result == SCREE_OK) result = make(&self, list);
    release(&self);
    return result;
}

scree_result scree_geometry_save_state(const scree_geometry *const *geometries, int count,
                                       const scree_state_sink *sink) {
    REQUIRE(sink);
    if (count < 0) return fail(SCREE_ERROR_ARGUMENT, "count: %d; must be >= 0", count);
    if (count > 0) REQUIRE(geometries);
    for (int i = 0; i < count; i++) REQUIRE(geometries[i]);
    TRY(state_check_sink(sink));
    return state_save_geometries(sink, geometries, count);
}

scree_result scree_geometry_load_state(const scree_state_source *source, const scree_geometry **out,
                                       int capacity, int *count) {
    REQUIRE(source);
    REQUIRE(count);
    if (capacity < 0) return fail(SCREE_ERROR_ARGUMENT, "capacity: %d; must be >= 0", capacity);
    if (capacity > 0) REQUIRE(out);
    TRY(state_check_source(source));
    int stored;
    TRY(source->count(source->user, &described[GEOMETRIES], &stored));
    if (capacity < stored || stored == 0) {
        *count = stored;
        return SCREE_OK;
    }
    geometry_list list = {0};
    const scree_result result = state_load_geometries(source, &list);
    if (result == SCREE_OK) {
        for (int i = 0; i < list.count; i++) out[i] = geometry_share(list.items[i]);
        *count = list.count;
    }
    geometry_list_release(&list);
    return result;
}
