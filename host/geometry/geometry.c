#include "geometry.h"

#include "bounds.h"
#include "base/finite.h"
#include "base/memory.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

static const float FARTHEST = 1e9f; /* m */

const scree_geometry *geometry_share(const scree_geometry *self) {
    if (self) atomic_fetch_add(&((scree_geometry *)self)->users, 1);
    return self;
}

void scree_geometry_retain(const scree_geometry *geometry) { geometry_share(geometry); }

void scree_geometry_release(const scree_geometry *geometry) {
    scree_geometry *self = (scree_geometry *)geometry;
    if (!self || atomic_fetch_sub(&self->users, 1) != 1) return;
    mesh_release(&self->surface);
    memory_release(self->given);
    memory_release(self->balls);
    memory_release(self->points);
    memory_release(self->corners);
    memory_release(self->sides);
    memory_release(self->faces);
    for (int i = 0; i < self->child_count; i++) scree_geometry_release(self->children[i].shape.geometry);
    memory_release(self->children);
    memory_release(self->given_children);
    memory_release(self);
}

int geometry_list_find(const geometry_list *self, const scree_geometry *geometry) {
    for (int i = 0; i < self->count; i++)
        if (self->items[i] == geometry) return i;
    return -1;
}

scree_result geometry_list_keep(geometry_list *self, const scree_geometry *geometry) {
    if (!geometry || geometry_list_find(self, geometry) >= 0) return SCREE_OK;
    for (int i = 0; i < geometry->child_count; i++)
        TRY(geometry_list_keep(self, geometry->children[i].shape.geometry));
    TRY(MEMORY_RESERVE(self->items, self->capacity, self->count + 1, NULL));
    self->items[self->count++] = geometry_share(geometry);
    return SCREE_OK;
}

void geometry_list_release(geometry_list *self) {
    for (int i = 0; i < self->count; i++) scree_geometry_release(self->items[i]);
    memory_release(self->items);
    *self = (geometry_list){0};
}

bool geometry_needed(scree_shape_kind kind) {
    static const bool needed[SCREE_SHAPE_COUNT] = {[SCREE_SHAPE_CLUMP] = true,
                                                   [SCREE_SHAPE_MESH] = true,
                                                   [SCREE_SHAPE_HULL] = true,
                                                   [SCREE_SHAPE_SOLID] = true,
                                                   [SCREE_SHAPE_COMPOUND] = true};
    return needed[kind];
}

scree_geometry *geometry_make(scree_shape_kind kind) {
    scree_geometry *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory for a geometry"), NULL;
    atomic_init(&self->users, 1);
    self->kind = kind;
    self->axes = (scree_quat){0, 0, 0, 1};
    self->relative_density = 1;
    return self;
}

scree_result geometry_finish(scree_geometry *self, scree_result result, scree_geometry **out) {
    if (result == SCREE_OK)
        *out = self;
    else
        scree_geometry_release(self);
    return result;
}

void geometry_take_frame(scree_geometry *self, double volume, const solid_frame *frame) {
    const double *centre = frame->centre, *moments = frame->moments;
    self->volume = volume;
    self->unit_inertia = vec3_of((scalar)moments[0], (scalar)moments[1], (scalar)moments[2]);
    self->origin = (scree_vec3){(float)centre[0], (float)centre[1], (float)centre[2]};
    self->axes = solid_frame_rotation(frame);
}

void geometry_take_box(scree_geometry *self, const double low[3], const double high[3]) {
    self->half = vec3_of((scalar)fmax(-low[0], high[0]), (scalar)fmax(-low[1], high[1]),
                         (scalar)fmax(-low[2], high[2]));
}

bool geometry_reaches(scree_vec3 point) {
    return fabsf(point.x) <= FARTHEST && fabsf(point.y) <= FARTHEST && fabsf(point.z) <= FARTHEST;
}

static scree_result check_spheres(const scree_clump_sphere *spheres, int count) {
    if (count < 1 || count > SCREE_CLUMP_SPHERES)
        return fail(SCREE_ERROR_ARGUMENT, "clump: %d spheres; must be 1 to %d", count, SCREE_CLUMP_SPHERES);
    for (int i = 0; i < count; i++) {
        const scree_vec3 at = spheres[i].position;
        TRY(finite_check(at, "m", "clump: sphere %d: position", i));
        if (!(spheres[i].radius > 0) || !isfinite(spheres[i].radius))
            return fail(SCREE_ERROR_ARGUMENT, "clump: sphere %d: radius: %g; must be > 0 m", i,
                        (double)spheres[i].radius);
        if (!geometry_reaches(at) || spheres[i].radius > FARTHEST)
            return fail(SCREE_ERROR_ARGUMENT,
                        "clump: sphere %d: at (%g, %g, %g) with radius %g; both must be within %g m", i,
                        (double)at.x, (double)at.y, (double)at.z, (double)spheres[i].radius,
                        (double)FARTHEST);
    }
    return SCREE_OK;
}

/* Measures the union in the body's axes. */
static void measure(scree_geometry *self) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < self->count; i++) {
        const geometry_ball *of = &self->balls[i];
        const double at[3] = {(double)of->centre.x, (double)of->centre.y, (double)of->centre.z},
                     r = (double)of->radius;
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], at[k] - r);
            high[k] = fmax(high[k], at[k] + r);
        }
        const double away = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        self->radius = fmax(self->radius, away + r);
        self->turning_radius = fmax(self->turning_radius, away);
        self->half_width = fmax(self->half_width, r);
    }
    geometry_take_box(self, low, high);
}

/* Computes moments and sieve size relative to the first sphere, which preserves precision far from the
 * origin. */
static scree_result take_whole(scree_geometry *self, solid_moments *out) {
    const scree_vec3 about = self->given[0].position;
    SCOPED solid_ball *balls = memory_allocate((size_t)self->count, sizeof *balls);
    if (!balls) return fail(SCREE_ERROR_MEMORY, "out of memory for a clump of %d spheres", self->count);
    for (int i = 0; i < self->count; i++) {
        const scree_vec3 at = self->given[i].position;
        balls[i] = (solid_ball){(double)at.x - (double)about.x, (double)at.y - (double)about.y,
                                (double)at.z - (double)about.z, (double)self->given[i].radius};
    }
    TRY(ball_union_moments(balls, self->count, out));
    return sieve_size_of_balls(balls, self->count, &self->sieve_size);
}

static scree_result fill(scree_geometry *self, const scree_clump_sphere *spheres, int count) {
    solid_moments of;
    self->count = count;
    self->given = memory_allocate((size_t)count, sizeof *self->given);
    self->balls = memory_allocate((size_t)count, sizeof *self->balls);
    if (!self->given || !self->balls)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a clump of %d spheres", count);
    memcpy(self->given, spheres, sizeof *spheres * (size_t)count);
    TRY(take_whole(self, &of));
    solid_frame frame = solid_frame_of(&of);
    solid_frame_shift(&frame, self->given[0].position, 1);
    geometry_take_frame(self, of.volume, &frame);
    for (int i = 0; i < count; i++)
        self->balls[i] = (geometry_ball){vec3_in(solid_frame_place_vec3(&frame, self->given[i].position)),
                                         self->given[i].radius};
    measure(self);
    return SCREE_OK;
}

scree_result scree_clump_create(const scree_clump_sphere *spheres, int count, scree_geometry **out) {
    REQUIRE(spheres);
    REQUIRE(out);
    TRY(check_spheres(spheres, count));
    scree_geometry *self = geometry_make(SCREE_SHAPE_CLUMP);
    return self ? geometry_finish(self, fill(self, spheres, count), out) : SCREE_ERROR_MEMORY;
}

scree_result geometry_check_vertices(const scree_vec3 *vertices, int vertex_count, int count) {
    if (count < 1 || count > SCREE_MESH_TRIANGLES || vertex_count < 3 ||
        vertex_count > 3 * SCREE_MESH_TRIANGLES)
        return fail(SCREE_ERROR_ARGUMENT, "mesh: %d triangles, %d vertices; must be 1 to %d, and 3 or more",
                    count, vertex_count, SCREE_MESH_TRIANGLES);
    for (int i = 0; i < vertex_count; i++) {
        TRY(finite_check(vertices[i], "m", "mesh: vertex %d", i));
        if (!geometry_reaches(vertices[i]))
            return fail(SCREE_ERROR_ARGUMENT, "mesh: vertex %d: (%g, %g, %g); must be within %g m", i,
                        (double)vertices[i].x, (double)vertices[i].y, (double)vertices[i].z,
                        (double)FARTHEST);
    }
    return SCREE_OK;
}

static void measure_mesh(scree_geometry *self) {
    const mesh *of = &self->surface;
    vec3s low = of->vertices[0], high = low;
    self->volume = INFINITY;
    for (int i = 0; i < of->vertex_count; i++) {
        const vec3s at = of->vertices[i];
        self->radius = fmax(self->radius, (double)glms_vec3_norm(at));
        low = vec3_lesser(low, at);
        high = vec3_greater(high, at);
    }
    self->middle = glms_vec3_scale(glms_vec3_add(low, high), 0.5f);
    self->half = vec3_greater(glms_vec3_sub(high, self->middle), glms_vec3_sub(self->middle, low));
    self->half_width = self->turning_radius = self->radius;
    self->sieve_size = 2 * self->radius;
}

scree_result scree_mesh_create(const scree_vec3 *vertices, int vertex_count, const scree_triangle *triangles,
                               int count, scree_geometry **out) {
    REQUIRE(vertices);
    REQUIRE(triangles);
    REQUIRE(out);
    TRY(geometry_check_vertices(vertices, vertex_count, count));
    scree_geometry *self = geometry_make(SCREE_SHAPE_MESH);
    if (!self) return SCREE_ERROR_MEMORY;
    const scree_result result = mesh_build(&self->surface, vertices, vertex_count, triangles, count);
    if (result == SCREE_OK) measure_mesh(self);
    return geometry_finish(self, result, out);
}

int scree_mesh_triangle_count(const scree_geometry *geometry) {
    return geometry && geometry->kind != SCREE_SHAPE_HULL ? geometry->surface.count : 0;
}

int scree_clump_sphere_count(const scree_geometry *geometry) { return geometry ? geometry->count : 0; }

scree_clump_sphere scree_clump_get_sphere(const scree_geometry *geometry, int i) {
    if (!geometry || i < 0 || i >= geometry->count) return (scree_clump_sphere){{0, 0, 0}, 0};
    const vec3s at = geometry->balls[i].centre;
    return (scree_clump_sphere){{at.x, at.y, at.z}, geometry->balls[i].radius};
}

void scree_geometry_get_frame(const scree_geometry *geometry, scree_vec3 *origin, scree_quat *axes) {
    if (origin) *origin = geometry ? geometry->origin : (scree_vec3){0, 0, 0};
    if (axes) *axes = geometry ? geometry->axes : (scree_quat){0, 0, 0, 1};
}
