#include "geometry.h"

#include "ball_union.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Of the trace: products of inertia below it are rounding, and the axes principal. */
static const double PRINCIPAL = 1e-6;
/* Of a mesh's vertices along each axis: areas of larger triangles leave single precision when squared. */
static const float FARTHEST = 1e9f;

const scree_geometry *geometry_share(const scree_geometry *self) {
    if (self) atomic_fetch_add(&((scree_geometry *)self)->users, 1);
    return self;
}

void scree_geometry_release(const scree_geometry *geometry) {
    scree_geometry *self = (scree_geometry *)geometry;
    if (!self || atomic_fetch_sub(&self->users, 1) != 1) return;
    mesh_release(&self->surface);
    memory_release(self->given);
    memory_release(self->balls);
    memory_release(self);
}

int geometry_list_find(const geometry_list *self, const scree_geometry *geometry) {
    for (int i = 0; i < self->count; i++)
        if (self->items[i] == geometry) return i;
    return -1;
}

scree_result geometry_list_keep(geometry_list *self, const scree_geometry *geometry) {
    if (!geometry || geometry_list_find(self, geometry) >= 0) return SCREE_OK;
    TRY(MEMORY_RESERVE(self->items, self->capacity, self->count + 1, NULL));
    self->items[self->count++] = geometry_share(geometry);
    return SCREE_OK;
}

void geometry_list_release(geometry_list *self) {
    for (int i = 0; i < self->count; i++) scree_geometry_release(self->items[i]);
    memory_release(self->items);
    *self = (geometry_list){0};
}

/* A symmetric matrix made diagonal by Jacobi's rotations; `axes` gets the eigenvectors for columns, a proper
 * rotation. */
static void diagonalise(double m[3][3], double axes[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) axes[i][j] = i == j;
    for (int round = 0; round < 60; round++) {
        const int p = round % 3 == 2 ? 1 : 0, q = round % 3 == 0 ? 1 : 2;
        if (fabs(m[p][q]) <= 1e-17 * (m[0][0] + m[1][1] + m[2][2])) continue;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
            const double kp = m[k][p], kq = m[k][q];
            m[k][p] = c * kp - s * kq, m[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; k++) {
            const double pk = m[p][k], qk = m[q][k], ap = axes[k][p], aq = axes[k][q];
            m[p][k] = c * pk - s * qk, m[q][k] = s * pk + c * qk;
            axes[k][p] = c * ap - s * aq, axes[k][q] = s * ap + c * aq;
        }
    }
}

/* With the largest of the four components for divisor. */
static scree_quat quaternion_of(double m[3][3]) {
    const double square[4] = {1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                              1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]};
    int best = 3;
    for (int i = 0; i < 3; i++)
        if (square[i] > square[best]) best = i;
    const double w = sqrt(square[best]) / 2, f = 1 / (4 * w);
    double q[4];
    q[best] = w;
    if (best == 3) {
        for (int i = 0; i < 3; i++) q[i] = (m[(i + 2) % 3][(i + 1) % 3] - m[(i + 1) % 3][(i + 2) % 3]) * f;
    } else {
        const int j = (best + 1) % 3, k = (best + 2) % 3;
        q[j] = (m[best][j] + m[j][best]) * f, q[k] = (m[best][k] + m[k][best]) * f;
        q[3] = (m[k][j] - m[j][k]) * f;
    }
    return (scree_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

/* Centre, principal axes (columns) and moments of a solid, for mass 1. */
static void principal_frame(const solid_moments *of, double centre[3], double axes[3][3], double moments[3]) {
    static const int other[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}}; /* place in `second` */
    double about[3][3], inertia[3][3], off = 0;
    for (int i = 0; i < 3; i++) centre[i] = of->first[i] / of->volume;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            about[i][j] = of->second[other[i][j]] / of->volume - centre[i] * centre[j];
    const double trace = about[0][0] + about[1][1] + about[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            inertia[i][j] = (i == j ? trace : 0) - about[i][j];
            if (i != j) off = fmax(off, fabs(inertia[i][j]));
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) axes[i][j] = i == j;
    if (off > PRINCIPAL * trace) diagonalise(inertia, axes);
    for (int i = 0; i < 3; i++) moments[i] = inertia[i][i];
}

static scree_result check_spheres(const scree_clump_sphere *spheres, int count) {
    if (!spheres) return fail(SCREE_ERROR_ARGUMENT, "the spheres of a clump are null, expected an array");
    if (count < 1 || count > SCREE_CLUMP_SPHERES)
        return fail(SCREE_ERROR_ARGUMENT, "%d spheres of a clump, expected 1 to %d", count,
                    SCREE_CLUMP_SPHERES);
    for (int i = 0; i < count; i++) {
        const scree_vec3 at = spheres[i].position;
        if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z))
            return fail(SCREE_ERROR_ARGUMENT, "sphere %d of a clump: its position is not finite", i);
        if (!(spheres[i].radius > 0) || !isfinite(spheres[i].radius))
            return fail(SCREE_ERROR_ARGUMENT,
                        "sphere %d of a clump: its radius is %g, expected a length above 0 m", i,
                        (double)spheres[i].radius);
    }
    return SCREE_OK;
}

/* The lengths of the union in the body's axes. */
static void measure(scree_geometry *self) {
    double low[3], high[3], widths[3];
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (int i = 0; i < self->count; i++) {
        const geometry_ball *of = &self->balls[i];
        const double at[3] = {(double)of->centre.x, (double)of->centre.y, (double)of->centre.z},
                     r = (double)of->radius;
        for (int k = 0; k < 3; k++) low[k] = fmin(low[k], at[k] - r), high[k] = fmax(high[k], at[k] + r);
        self->radius = fmax(self->radius, sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) + r);
        self->half_width = fmax(self->half_width, r);
    }
    for (int k = 0; k < 3; k++) widths[k] = high[k] - low[k];
    self->sieve_size = fmax(fmin(widths[0], widths[1]), fmin(fmax(widths[0], widths[1]), widths[2]));
    self->half = vec3_of((scalar)fmax(-low[0], high[0]), (scalar)fmax(-low[1], high[1]),
                         (scalar)fmax(-low[2], high[2]));
}

/* About the first sphere, so that a clump far from the origin keeps its digits. */
static scree_result take_moments(const scree_geometry *self, solid_moments *out) {
    const scree_vec3 about = self->given[0].position;
    solid_ball *balls = memory_allocate((size_t)self->count, sizeof *balls);
    if (!balls) return fail(SCREE_ERROR_MEMORY, "out of memory for a clump of %d spheres", self->count);
    for (int i = 0; i < self->count; i++) {
        const scree_vec3 at = self->given[i].position;
        balls[i] = (solid_ball){(double)at.x - (double)about.x, (double)at.y - (double)about.y,
                                (double)at.z - (double)about.z, (double)self->given[i].radius};
    }
    const scree_result result = ball_union_moments(balls, self->count, out);
    memory_release(balls);
    return result;
}

static scree_result fill(scree_geometry *self) {
    double centre[3], axes[3][3], moments[3];
    solid_moments of;
    TRY(take_moments(self, &of));
    principal_frame(&of, centre, axes, moments);
    centre[0] += (double)self->given[0].position.x;
    centre[1] += (double)self->given[0].position.y;
    centre[2] += (double)self->given[0].position.z;
    self->volume = of.volume;
    self->unit_inertia = vec3_of((scalar)moments[0], (scalar)moments[1], (scalar)moments[2]);
    self->origin = (scree_vec3){(float)centre[0], (float)centre[1], (float)centre[2]};
    self->axes = quaternion_of(axes);
    for (int i = 0; i < self->count; i++) {
        const scree_vec3 at = self->given[i].position;
        const double away[3] = {(double)at.x - centre[0], (double)at.y - centre[1], (double)at.z - centre[2]};
        double in[3] = {0};
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++) in[k] += axes[j][k] * away[j];
        self->balls[i] =
            (geometry_ball){vec3_of((scalar)in[0], (scalar)in[1], (scalar)in[2]), self->given[i].radius};
    }
    measure(self);
    return SCREE_OK;
}

scree_result scree_clump_create(const scree_clump_sphere *spheres, int count, scree_geometry **out) {
    if (!out) return fail(SCREE_ERROR_ARGUMENT, "scree_clump_create: out must not be null");
    TRY(check_spheres(spheres, count));
    scree_geometry *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory for a clump");
    atomic_init(&self->users, 1);
    self->kind = SCREE_SHAPE_CLUMP;
    self->count = count;
    self->given = memory_allocate((size_t)count, sizeof *self->given);
    self->balls = memory_allocate((size_t)count, sizeof *self->balls);
    scree_result result = SCREE_OK;
    if (!self->given || !self->balls)
        result = fail(SCREE_ERROR_MEMORY, "out of memory for a clump of %d spheres", count);
    if (result == SCREE_OK) {
        memcpy(self->given, spheres, sizeof *spheres * (size_t)count);
        result = fill(self);
    }
    if (result == SCREE_OK)
        *out = self;
    else
        scree_geometry_release(self);
    return result;
}

static scree_result check_vertices(const scree_vec3 *vertices, int vertex_count,
                                   const scree_triangle *triangles, int count) {
    if (!vertices || !triangles)
        return fail(SCREE_ERROR_ARGUMENT, "the %s of a mesh are null, expected an array",
                    vertices ? "triangles" : "vertices");
    if (count < 1 || count > SCREE_MESH_TRIANGLES || vertex_count < 3 ||
        vertex_count > 3 * SCREE_MESH_TRIANGLES)
        return fail(SCREE_ERROR_ARGUMENT,
                    "%d triangles and %d vertices of a mesh, expected 1 to %d and 3 or more", count,
                    vertex_count, SCREE_MESH_TRIANGLES);
    for (int i = 0; i < vertex_count; i++)
        if (!isfinite(vertices[i].x) || !isfinite(vertices[i].y) || !isfinite(vertices[i].z))
            return fail(SCREE_ERROR_ARGUMENT, "vertex %d of a mesh is not finite", i);
        else if (!(fabsf(vertices[i].x) <= FARTHEST && fabsf(vertices[i].y) <= FARTHEST &&
                   fabsf(vertices[i].z) <= FARTHEST))
            return fail(SCREE_ERROR_ARGUMENT, "vertex %d of a mesh is (%g, %g, %g), expected it within %g", i,
                        (double)vertices[i].x, (double)vertices[i].y, (double)vertices[i].z,
                        (double)FARTHEST);
    return SCREE_OK;
}

static void measure_mesh(scree_geometry *self) {
    const mesh *of = &self->surface;
    self->volume = INFINITY;
    for (int i = 0; i < of->vertex_count; i++) {
        const vec3s at = of->vertices[i];
        self->radius = fmax(self->radius, (double)glms_vec3_norm(at));
        self->half =
            vec3_of(scalar_max(self->half.x, scalar_abs(at.x)), scalar_max(self->half.y, scalar_abs(at.y)),
                    scalar_max(self->half.z, scalar_abs(at.z)));
    }
    self->half_width = self->radius, self->sieve_size = 2 * self->radius;
    self->axes = (scree_quat){0, 0, 0, 1};
}

scree_result scree_mesh_create(const scree_vec3 *vertices, int vertex_count, const scree_triangle *triangles,
                               int count, scree_geometry **out) {
    if (!out) return fail(SCREE_ERROR_ARGUMENT, "scree_mesh_create: out must not be null");
    TRY(check_vertices(vertices, vertex_count, triangles, count));
    scree_geometry *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh");
    atomic_init(&self->users, 1);
    self->kind = SCREE_SHAPE_MESH;
    const scree_result result = mesh_build(&self->surface, vertices, vertex_count, triangles, count);
    if (result == SCREE_OK) {
        measure_mesh(self);
        *out = self;
    } else {
        scree_geometry_release(self);
    }
    return result;
}

int scree_mesh_count(const scree_geometry *geometry) { return geometry ? geometry->surface.count : 0; }

int scree_clump_count(const scree_geometry *geometry) { return geometry ? geometry->count : 0; }

scree_clump_sphere scree_clump_sphere_at(const scree_geometry *geometry, int i) {
    if (!geometry || i < 0 || i >= geometry->count) return (scree_clump_sphere){{0, 0, 0}, 0};
    const vec3s at = geometry->balls[i].centre;
    return (scree_clump_sphere){{at.x, at.y, at.z}, geometry->balls[i].radius};
}

void scree_clump_frame(const scree_geometry *geometry, scree_vec3 *origin, scree_quat *axes) {
    if (origin) *origin = geometry ? geometry->origin : (scree_vec3){0, 0, 0};
    if (axes) *axes = geometry ? geometry->axes : (scree_quat){0, 0, 0, 1};
}
