#include "opencl_children.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/vector.h"
#include "geometry/children.h"
#include "geometry/geometry.h"

#include <stdlib.h>
#include <string.h>

void opencl_children_open(opencl_children *self, opencl_device *device) {
    *self = (opencl_children){.device = device};
}

static void forget(opencl_children *self) {
    for (int i = 0; i < self->count; i++) scree_geometry_release(self->geometries[i]);
    self->count = 0;
}

void opencl_children_close(opencl_children *self) {
    if (!self->device) return;
    forget(self);
    for (int k = 0; k < CHILD_TABLE_COUNT; k++) {
        opencl_buffer_release(self->device, &self->on_device[k]);
        memory_release(self->tables[k].bytes);
    }
    for (int k = 0; k < 2; k++) memory_release(self->sent[k].bytes);
    opencl_buffer_release(self->device, &self->bodies_on_device);
    memory_release(self->geometries);
    memory_release(self->listed);
    memory_release(self->bodies);
    *self = (opencl_children){0};
}

bool device_children_tested(const opencl_device *device, scree_shape_kind kind) {
    return kind == SCREE_SHAPE_CLUMP || (device->info.fp64 && children_rows[kind]);
}

/* -- Tables ----------------------------------------------------------------------------- */

static scree_result append(child_table *to, const void *items, size_t size, int *regrown) {
    TRY(MEMORY_RESERVE(to->bytes, to->capacity, (size_t)to->size + size, regrown));
    if (size > 0) memcpy(to->bytes + to->size, items, size);
    to->size += (int)size;
    return SCREE_OK;
}

static bool is_surface(const scree_geometry *of) {
    return of->kind == SCREE_SHAPE_MESH || of->kind == SCREE_SHAPE_SOLID;
}

static int edge_count(const mesh *of) {
    int last = -1;
    for (int i = 0; i < of->count; i++)
        for (int k = 0; k < 3; k++)
            if (of->triangles[i].edges[k] > last) last = of->triangles[i].edges[k];
    return last + 1;
}

static int part_count(const scree_geometry *of) {
    return of->kind == SCREE_SHAPE_CLUMP ? of->count : of->kind == SCREE_SHAPE_COMPOUND ? of->child_count : 0;
}

/* First items of the next geometry. */
typedef struct table_places {
    int part, triangle, vertex, node, edge, facet, direction;
} table_places;

static child_geometry surface_row(const scree_geometry *of, const opencl_convexes *convexes,
                                  table_places *at) {
    const mesh *surface = &of->surface;
    const int edges = edge_count(surface);
    child_geometry out = {.kind = (int)of->kind,
                          .count = surface->count,
                          .triangle = at->triangle,
                          .vertex = at->vertex,
                          .node = at->node,
                          .edge = at->edge,
                          .facet = at->facet,
                          .vertex_direction = at->edge + edges + 1,
                          .direction = at->direction,
                          .half_width = (scalar)of->half_width,
                          .half_size = of->half,
                          .middle = of->middle};
    at->triangle += surface->count, at->vertex += surface->vertex_count, at->node += surface->node_count;
    at->edge += edges + 1 + surface->vertex_count + 1, at->facet += surface->facet_first[edges];
    at->direction += surface->direction_first[surface->vertex_count];
    if (of->kind != SCREE_SHAPE_SOLID) return out;
    const hull_place *hull = opencl_convexes_hull(convexes, of);
    out.count++;
    out.first_corner = hull->first_corner, out.corner_count = of->corner_count;
    out.first_side = hull->first_side, out.side_count = of->side_count;
    return out;
}

static child_geometry row_of(const scree_geometry *of, const opencl_convexes *convexes, table_places *at) {
    if (is_surface(of)) return surface_row(of, convexes, at);
    const child_geometry out = {
        .kind = (int)of->kind, .count = part_count(of), .part = at->part, .middle = of->middle};
    at->part += out.count;
    return out;
}

static child_part ball_part(const geometry_ball *of) {
    return (child_part){.size = {of->radius, 0, 0},
                        .kind = SHAPE_SPHERE,
                        .rotation = versor_of(0, 0, 0, 1),
                        .centre = of->centre};
}

static child_part convex_part(const geometry_child *of, const opencl_convexes *convexes) {
    child_part out = {.size = vec3_in(of->shape.size),
                      .kind = (int)of->shape.kind,
                      .rotation = of->rotation,
                      .centre = of->centre,
                      .lower = of->lower,
                      .upper = of->upper};
    if (of->shape.kind != SCREE_SHAPE_HULL) return out;
    const scree_geometry *hull = of->shape.geometry;
    const hull_place *place = opencl_convexes_hull(convexes, hull);
    out.half_width = (scalar)hull->half_width;
    out.first_corner = place->first_corner, out.corner_count = hull->corner_count;
    out.first_side = place->first_side, out.side_count = hull->side_count;
    return out;
}

static scree_result add_parts(child_table *to, const scree_geometry *of, const opencl_convexes *convexes,
                              int *regrown) {
    for (int i = 0; i < part_count(of); i++) {
        const child_part part = of->kind == SCREE_SHAPE_CLUMP ? ball_part(&of->balls[i])
                                                              : convex_part(&of->children[i], convexes);
        TRY(append(to, &part, sizeof part, regrown));
    }
    return SCREE_OK;
}

static scree_result fill_rows(opencl_children *self, const opencl_convexes *convexes, int *regrown) {
    child_table *rows = &self->tables[CHILD_GEOMETRIES], *parts = &self->tables[CHILD_PARTS];
    table_places at = {0};
    rows->size = parts->size = 0;
    for (int i = 0; i < self->count; i++) {
        const child_geometry row = row_of(self->geometries[i], convexes, &at);
        TRY(append(rows, &row, sizeof row, regrown));
        TRY(add_parts(parts, self->geometries[i], convexes, regrown));
    }
    return SCREE_OK;
}

#define APPEND(table, items, count)                                                                          \
    append(&self->tables[table], items, (size_t)(count) * sizeof *(items), regrown)

static scree_result add_surface(opencl_children *self, const mesh *of, int *regrown) {
    const int edges = edge_count(of), vertices = of->vertex_count;
    TRY(APPEND(CHILD_TRIANGLES, of->triangles, of->count));
    TRY(APPEND(CHILD_VERTICES, of->vertices, vertices));
    TRY(APPEND(CHILD_NODES, of->nodes, of->node_count));
    TRY(APPEND(CHILD_ORDER, of->order, of->count));
    TRY(APPEND(CHILD_EDGE_FIRSTS, of->facet_first, edges + 1));
    TRY(APPEND(CHILD_EDGE_FIRSTS, of->direction_first, vertices + 1));
    TRY(APPEND(CHILD_FACETS, of->facets, of->facet_first[edges]));
    return APPEND(CHILD_DIRECTIONS, of->directions, of->direction_first[vertices]);
}

static scree_result fill_surfaces(opencl_children *self, int *regrown) {
    for (int k = CHILD_TRIANGLES; k < CHILD_TABLE_COUNT; k++) self->tables[k].size = 0;
    for (int i = 0; i < self->count; i++)
        if (is_surface(self->geometries[i])) TRY(add_surface(self, &self->geometries[i]->surface, regrown));
    return SCREE_OK;
}

/* -- Bodies ----------------------------------------------------------------------------- */

static int pointer_order(const void *one, const void *other) {
    const uintptr_t a = (uintptr_t) * (const scree_geometry *const *)one,
                    b = (uintptr_t) * (const scree_geometry *const *)other;
    return (a > b) - (a < b);
}

static const scree_geometry *geometry_of(const body_array *bodies, int slot) {
    if (bodies->types[slot] == SLOT_FREE) return NULL;
    const scree_shape shape = body_collision_shape(bodies, slot);
    return shape_has_children(shape) ? shape.geometry : NULL;
}

/* Lists the geometries of the bodies; returns their number. */
static int list_geometries(opencl_children *self, const body_array *bodies) {
    int count = 0, kept = 0;
    for (int slot = 0; slot < bodies->count; slot++) {
        const scree_geometry *of = geometry_of(bodies, slot);
        if (of) self->listed[count++] = of;
    }
    if (count == 0) return 0;
    qsort(self->listed, (size_t)count, sizeof *self->listed, pointer_order);
    for (int i = 0; i < count; i++)
        if (kept == 0 || self->listed[kept - 1] != self->listed[i]) self->listed[kept++] = self->listed[i];
    return kept;
}

/* Takes the list of geometries; `changed`: it is another one. */
static scree_result take_geometries(opencl_children *self, const body_array *bodies, bool *changed,
                                    int *regrown) {
    TRY(MEMORY_RESERVE(self->listed, self->listed_capacity, bodies->count, regrown));
    const int count = list_geometries(self, bodies);
    const size_t bytes = (size_t)count * sizeof *self->listed;
    *changed = count != self->count || (count > 0 && memcmp(self->listed, self->geometries, bytes) != 0);
    if (!*changed) return SCREE_OK;
    TRY(MEMORY_RESERVE(self->geometries, self->capacity, count, regrown));
    for (int i = 0; i < count; i++) geometry_share(self->listed[i]);
    forget(self);
    if (count > 0) memcpy(self->geometries, self->listed, bytes);
    self->count = count;
    return SCREE_OK;
}

static child_body body_of(const opencl_children *self, const body_array *bodies, int slot) {
    const scree_geometry *of = geometry_of(bodies, slot);
    if (!of) return (child_body){.geometry = -1, .count = 1};
    const scree_geometry **at =
        bsearch(&of, self->geometries, (size_t)self->count, sizeof *self->geometries, pointer_order);
    const scree_shape shape = body_collision_shape(bodies, slot);
    return (child_body){.geometry = (int)(at - self->geometries),
                        .count = children_count(shape),
                        .scale = shape.size.x,
                        .surface = is_surface(of)};
}

static scree_result fill_bodies(opencl_children *self, const body_array *bodies, int *regrown) {
    TRY(MEMORY_RESERVE(self->bodies, self->body_capacity, bodies->count, regrown));
    for (int slot = 0; slot < bodies->count; slot++) self->bodies[slot] = body_of(self, bodies, slot);
    return SCREE_OK;
}

/* -- Transfer --------------------------------------------------------------------------- */

/* No buffer is empty. */
static scree_result send_table(opencl_children *self, int k) {
    static const unsigned char nothing[64];
    const child_table *table = &self->tables[k];
    const bool empty = table->size == 0;
    return opencl_buffer_write(self->device, &self->on_device[k], empty ? nothing : table->bytes,
                               empty ? sizeof nothing : (size_t)table->size, CL_TRUE, "children of shapes");
}

/* Sends a table of rows if it differs from that on the device. */
static scree_result send_rows(opencl_children *self, int k) {
    child_table *table = &self->tables[k], *sent = &self->sent[k];
    if (table->size == sent->size && table->size > 0 &&
        memcmp(table->bytes, sent->bytes, (size_t)table->size) == 0)
        return SCREE_OK;
    sent->size = 0;
    TRY(send_table(self, k));
    const child_table other = *sent;
    *sent = *table;
    *table = other;
    return SCREE_OK;
}

static scree_result send_surfaces(opencl_children *self, int *regrown) {
    TRY(fill_surfaces(self, regrown));
    for (int k = CHILD_TRIANGLES; k < CHILD_TABLE_COUNT; k++) TRY(send_table(self, k));
    return SCREE_OK;
}

scree_result opencl_children_send(opencl_children *self, const opencl_convexes *convexes,
                                  const body_array *bodies, int *regrown) {
    bool changed;
    TRY(take_geometries(self, bodies, &changed, regrown));
    self->surfaces_sent &= !changed;
    if (!self->surfaces_sent) TRY(send_surfaces(self, regrown));
    self->surfaces_sent = true;
    TRY(fill_rows(self, convexes, regrown));
    TRY(send_rows(self, CHILD_GEOMETRIES));
    TRY(send_rows(self, CHILD_PARTS));
    TRY(fill_bodies(self, bodies, regrown));
    return opencl_buffer_write(self->device, &self->bodies_on_device, self->bodies,
                               sizeof *self->bodies * (size_t)bodies->count, CL_TRUE, "children of bodies");
}

void opencl_children_refer(opencl_children *self, const opencl_convexes *convexes, device_bodies *out) {
    self->told = (device_children){.bodies = &self->bodies_on_device,
                                   .tables = self->on_device,
                                   .shapes = &convexes->on_device,
                                   .corners = &convexes->corners_on_device,
                                   .sides = &convexes->sides_on_device};
    out->children = self->count > 0 ? &self->told : NULL;
}
