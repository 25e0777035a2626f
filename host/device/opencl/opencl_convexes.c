#include "opencl_convexes.h"

#include "base/error.h"
#include "base/memory.h"
#include "detect/narrow_phase.h"
#include "geometry/bounds.h"
#include "geometry/geometry.h"

#include <stdlib.h>
#include <string.h>

void opencl_convexes_open(opencl_convexes *self, opencl_device *device) {
    *self = (opencl_convexes){.device = device};
}

void opencl_convexes_close(opencl_convexes *self) {
    opencl_buffer *const buffers[] = {&self->on_device, &self->corners_on_device, &self->sides_on_device};
    if (!self->device) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->device, buffers[i]);
    memory_release(self->shapes);
    memory_release(self->hulls);
    memory_release(self->corners);
    memory_release(self->sides);
    *self = (opencl_convexes){0};
}

static int hull_order(const void *one, const void *other) {
    const uintptr_t a = (uintptr_t)((const hull_place *)one)->of,
                    b = (uintptr_t)((const hull_place *)other)->of;
    return (a > b) - (a < b);
}

/* Returns whether the geometry of a body has a hull of its own. */
static bool has_hull(const body_array *bodies, int slot) {
    const scree_shape_kind kind = bodies->shapes[slot].kind;
    return bodies->types[slot] != SLOT_FREE && (kind == SCREE_SHAPE_HULL || kind == SCREE_SHAPE_SOLID);
}

static scree_result add_hull(opencl_convexes *self, const scree_geometry *of, int *regrown) {
    if (self->hull_count > 0 && self->hulls[self->hull_count - 1].of == of) return SCREE_OK;
    TRY(MEMORY_RESERVE(self->hulls, self->hull_capacity, self->hull_count + 1, regrown));
    self->hulls[self->hull_count++] = (hull_place){.of = of};
    return SCREE_OK;
}

static scree_result add_hulls_of_children(opencl_convexes *self, scree_shape shape, int *regrown) {
    for (int i = 0; i < shape.geometry->child_count; i++) {
        const scree_shape child = shape.geometry->children[i].shape;
        if (child.kind == SCREE_SHAPE_HULL) TRY(add_hull(self, child.geometry, regrown));
    }
    return SCREE_OK;
}

/* Keeps each hull once, sorted. */
static void sort_hulls(opencl_convexes *self) {
    int kept = 0;
    if (self->hull_count == 0) return; /* there may be no array */
    qsort(self->hulls, (size_t)self->hull_count, sizeof *self->hulls, hull_order);
    for (int i = 0; i < self->hull_count; i++)
        if (kept == 0 || self->hulls[kept - 1].of != self->hulls[i].of) self->hulls[kept++] = self->hulls[i];
    self->hull_count = kept;
}

/* Lists the hulls of the bodies and their children. */
static scree_result list_hulls(opencl_convexes *self, const body_array *bodies, int *regrown) {
    self->hull_count = 0;
    for (int slot = 0; slot < bodies->count; slot++) {
        const scree_shape shape = bodies->shapes[slot];
        if (has_hull(bodies, slot)) TRY(add_hull(self, shape.geometry, regrown));
        if (bodies->types[slot] != SLOT_FREE && shape.kind == SCREE_SHAPE_COMPOUND)
            TRY(add_hulls_of_children(self, shape, regrown));
    }
    sort_hulls(self);
    return SCREE_OK;
}

/* Copies the tables of the listed hulls. */
static scree_result fill_tables(opencl_convexes *self, int *regrown) {
    int corners = 0, sides = 0;
    for (int i = 0; i < self->hull_count; i++) {
        hull_place *at = &self->hulls[i];
        at->first_corner = corners, at->first_side = sides;
        corners += at->of->corner_count, sides += at->of->side_count;
    }
    TRY(MEMORY_RESERVE(self->corners, self->corner_capacity, corners + 1, regrown));
    TRY(MEMORY_RESERVE(self->sides, self->side_capacity, sides + 1, regrown));
    for (int i = 0; i < self->hull_count; i++) {
        const hull_place *at = &self->hulls[i];
        memcpy(self->corners + at->first_corner, at->of->corners,
               sizeof *self->corners * (size_t)at->of->corner_count);
        memcpy(self->sides + at->first_side, at->of->sides, sizeof *self->sides * (size_t)at->of->side_count);
    }
    self->corner_count = corners, self->side_count = sides;
    return SCREE_OK;
}

const hull_place *opencl_convexes_hull(const opencl_convexes *self, const scree_geometry *of) {
    const hull_place key = {.of = of};
    return bsearch(&key, self->hulls, (size_t)self->hull_count, sizeof key, hull_order);
}

static convex_shape shape_of(const opencl_convexes *self, scree_shape of) {
    convex_shape out = {.size = {of.size.x, of.size.y, of.size.z}, .kind = (int)of.kind};
    if (of.kind != SCREE_SHAPE_HALF_SPACE) out.width = bounds_half_width(of);
    if (of.kind != SCREE_SHAPE_HULL) return out;
    const vec3s middle = glms_vec3_scale(of.geometry->middle, of.size.x);
    out.middle_x = middle.x, out.middle_y = middle.y, out.middle_z = middle.z;
    const hull_place *at = opencl_convexes_hull(self, of.geometry);
    out.first_corner = at->first_corner, out.first_side = at->first_side;
    out.corner_count = of.geometry->corner_count, out.side_count = of.geometry->side_count;
    return out;
}

static scree_result fill_shapes(opencl_convexes *self, const body_array *bodies, int *regrown) {
    TRY(MEMORY_RESERVE(self->shapes, self->capacity, bodies->count, regrown));
    for (int slot = 0; slot < bodies->count; slot++)
        self->shapes[slot] =
            bodies->types[slot] == SLOT_FREE || narrow_phase_kind(bodies->shapes[slot].kind) == RECORD_OTHER
                ? (convex_shape){0}
                : shape_of(self, body_collision_shape(bodies, slot));
    return SCREE_OK;
}

#define SEND(buffer, items, count)                                                                           \
    opencl_buffer_write(self->device, &self->buffer, self->items, sizeof *self->items *(size_t)(count),      \
                        CL_TRUE, "convex shapes")

scree_result opencl_convexes_send(opencl_convexes *self, const body_array *bodies, int *regrown) {
    TRY(list_hulls(self, bodies, regrown));
    TRY(fill_tables(self, regrown));
    TRY(fill_shapes(self, bodies, regrown));
    TRY(SEND(on_device, shapes, bodies->count));
    /* An item more, so that no buffer is empty. */
    self->corners[self->corner_count] = (hull_corner){0};
    self->sides[self->side_count] = (hull_side){0};
    TRY(SEND(corners_on_device, corners, self->corner_count + 1));
    return SEND(sides_on_device, sides, self->side_count + 1);
}

/* Returns whether children of bodies of these kinds may meet others than balls do (contacts_children.cl). */
static bool children_may_be_convex(uint32_t kinds) {
    const uint32_t box = UINT32_C(1) << SCREE_SHAPE_BOX, meshes = UINT32_C(1) << SCREE_SHAPE_MESH,
                   plain = UINT32_C(1) << SCREE_SHAPE_SPHERE | UINT32_C(1) << SCREE_SHAPE_HALF_SPACE |
                           UINT32_C(1) << SCREE_SHAPE_CLUMP | box | meshes;
    return (kinds & ~plain) || (kinds & box && kinds & meshes);
}

void opencl_convexes_refer(const opencl_convexes *self, const body_array *bodies, device_bodies *out) {
    bool convex = false;
    uint32_t kinds = 0;
    out->balls = out->boxes = out->others = false;
    for (int slot = 0; slot < bodies->count; slot++) {
        const scree_shape_kind kind = bodies->shapes[slot].kind;
        if (bodies->types[slot] == SLOT_FREE) continue;
        out->balls |= kind == SCREE_SHAPE_SPHERE, out->boxes |= kind == SCREE_SHAPE_BOX;
        out->others |= !device_shape_tested(self->device, kind);
        kinds |= UINT32_C(1) << kind;
        convex |= narrow_phase_kind(kind) > RECORD_HALF_SPACE && self->device->info.fp64;
    }
    out->convex_children = children_may_be_convex(kinds);
    out->convexes = convex ? &self->on_device : NULL;
    out->corners = &self->corners_on_device, out->sides = &self->sides_on_device;
}
