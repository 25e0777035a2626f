/* Convex hulls of points: corners about the centre of mass, and the sides used for contacts. */
#include "geometry.h"

#include "base/finite.h"
#include "base/memory.h"
#include "base/vector.h"
#include "hull.h"

#include <math.h>
#include <string.h>

typedef double point[3];

/* Scratch of the search for corners. */
typedef struct corner_search {
    int count;
    scree_vec3 *points; /* candidates for corners */
    point *places;      /* relative to the first point, to preserve precision far from the origin */
    bool *used;
    hull_sides sides;
} corner_search;

static scree_result check(const scree_vec3 *points, int count) {
    if (count < 4 || count > SCREE_HULL_POINTS)
        return fail(SCREE_ERROR_ARGUMENT, "hull: %d points; must be 4 to %d", count, SCREE_HULL_POINTS);
    for (int i = 0; i < count; i++) {
        TRY(finite_check(points[i], "m", "hull: point %d", i));
        if (!geometry_reaches(points[i]))
            return fail(SCREE_ERROR_ARGUMENT, "hull: point %d: (%g, %g, %g); must be within 1e+09 m", i,
                        (double)points[i].x, (double)points[i].y, (double)points[i].z);
    }
    return SCREE_OK;
}

/* Computes the hull of the remaining points and marks those that are corners. */
static scree_result find_corners(corner_search *self) {
    for (int i = 0; i < self->count; i++) {
        self->places[i][0] = (double)self->points[i].x - (double)self->points[0].x;
        self->places[i][1] = (double)self->points[i].y - (double)self->points[0].y;
        self->places[i][2] = (double)self->points[i].z - (double)self->points[0].z;
        self->used[i] = false;
    }
    TRY(hull_check(self->places, self->count));
    hull_release(&self->sides);
    TRY(hull_find(self->places, self->count, &self->sides));
    for (int i = 0; i < self->sides.first[self->sides.count]; i++) self->used[self->sides.corners[i]] = true;
    return SCREE_OK;
}

/* Repeats until every remaining point is a corner, so that reloading the stored points gives the same
 * hull. Call end() whatever the result. */
static scree_result search(corner_search *self, const scree_vec3 *points, int count) {
    *self = (corner_search){.count = count};
    TRY(check(points, count));
    self->points = memory_allocate((size_t)count, sizeof *self->points);
    self->places = memory_allocate((size_t)count, sizeof *self->places);
    self->used = memory_allocate((size_t)count, sizeof *self->used);
    if (!self->points || !self->places || !self->used)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a hull of %d points", count);
    memcpy(self->points, points, (size_t)count * sizeof *points);
    for (int before = 0; self->count != before;) {
        before = self->count;
        TRY(find_corners(self));
        self->count = 0;
        for (int i = 0; i < before; i++)
            if (self->used[i]) self->points[self->count++] = self->points[i];
    }
    if (self->count <= SCREE_HULL_CORNERS) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "hull: %d corners; must be at most %d", self->count,
                SCREE_HULL_CORNERS);
}

/* Splits each side into a fan of triangles. */
static solid_moments moments_of(const corner_search *self) {
    const hull_sides *sides = &self->sides;
    solid_moments sum = {0};
    for (int i = 0; i < sides->count; i++) {
        const int *corners = sides->corners + sides->first[i];
        for (int k = 2; k < sides->first[i + 1] - sides->first[i]; k++)
            solid_moments_add(&sum, self->places[corners[0]], self->places[corners[k - 1]],
                              self->places[corners[k]]);
    }
    return sum;
}

static vec3s corner_at(const scree_geometry *self, int i) {
    return vec3_of(self->corners[i].x, self->corners[i].y, self->corners[i].z);
}

/* Returns twice the area that a polygon loses without a corner. */
static scalar area_at(const scree_geometry *self, const int *corners, int count, int i) {
    const vec3s at = corner_at(self, corners[i]), before = corner_at(self, corners[(i + count - 1) % count]),
                after = corner_at(self, corners[(i + 1) % count]);
    return glms_vec3_norm(glms_vec3_cross(glms_vec3_sub(before, at), glms_vec3_sub(after, at)));
}

/* Removes the corners that contribute least area until at most `most` are left; returns their number. */
static int thinned(const scree_geometry *self, int *corners, int count, int most) {
    while (count > most) {
        int least = 0;
        for (int i = 1; i < count; i++)
            if (area_at(self, corners, count, i) < area_at(self, corners, count, least)) least = i;
        memmove(corners + least, corners + least + 1, (size_t)(count - least - 1) * sizeof *corners);
        count--;
    }
    return count;
}

/* Newell's method. */
static vec3s normal_of(const scree_geometry *self, const int *corners, int count) {
    const vec3s origin = corner_at(self, corners[0]);
    double sum[3] = {0};
    for (int i = 0; i < count; i++) {
        const vec3s of = glms_vec3_cross(glms_vec3_sub(corner_at(self, corners[i]), origin),
                                         glms_vec3_sub(corner_at(self, corners[(i + 1) % count]), origin));
        sum[0] += (double)of.x;
        sum[1] += (double)of.y;
        sum[2] += (double)of.z;
    }
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    return vec3_of((scalar)(sum[0] / length), (scalar)(sum[1] / length), (scalar)(sum[2] / length));
}

/* half_width is the smallest distance of a side from the centre of mass. */
static void lay_sides(scree_geometry *self, corner_search *from) {
    self->half_width = INFINITY;
    for (int i = 0; i < from->sides.count; i++) {
        int *corners = from->sides.corners + from->sides.first[i];
        const int count = from->sides.first[i + 1] - from->sides.first[i];
        const vec3s normal = normal_of(self, corners, count);
        hull_side *side = &self->sides[self->side_count++];
        self->half_width = fmin(self->half_width, (double)glms_vec3_dot(normal, corner_at(self, corners[0])));
        side->x = normal.x;
        side->y = normal.y;
        side->z = normal.z;
        side->count = thinned(self, corners, count, HULL_SIDE_CORNERS);
        memcpy(side->corners, corners, (size_t)side->count * sizeof *corners);
    }
}

static void lay_corners(scree_geometry *self, const corner_search *from, const solid_frame *frame) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < from->count; i++) {
        double at[3];
        solid_frame_place(frame, from->places[i], at);
        self->corners[self->corner_count++] = (hull_corner){(float)at[0], (float)at[1], (float)at[2], 0};
        self->radius = fmax(self->radius, sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    self->turning_radius = self->radius;
    geometry_take_box(self, low, high);
}

/* Builds the triangles for ray casts. */
static scree_result lay_surface(scree_geometry *self, const hull_sides *sides) {
    const int count = sides->first[sides->count] - 2 * sides->count;
    SCOPED scree_triangle *triangles = memory_allocate((size_t)count, sizeof *triangles);
    SCOPED scree_vec3 *vertices = memory_allocate((size_t)self->corner_count, sizeof *vertices);
    if (!triangles || !vertices) return fail(SCREE_ERROR_MEMORY, "out of memory for a hull's surface");
    for (int i = 0; i < self->corner_count; i++) vertices[i] = vec3_out(corner_at(self, i));
    for (int i = 0, next = 0; i < sides->count; i++) {
        const int *corners = sides->corners + sides->first[i];
        for (int k = 2; k < sides->first[i + 1] - sides->first[i]; k++)
            triangles[next++] = (scree_triangle){{corners[0], corners[k - 1], corners[k]}};
    }
    return mesh_build(&self->surface, vertices, self->corner_count, triangles, count);
}

/* Measures the boxes that have a face on one of the sides. */
static scree_result measure_sieve_size(scree_geometry *self) {
    SCOPED solid_ball *points = memory_allocate((size_t)self->corner_count, sizeof *points);
    SCOPED point *normals = memory_allocate((size_t)self->side_count, sizeof *normals);
    if (!points || !normals)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a hull of %d corners", self->corner_count);
    for (int i = 0; i < self->corner_count; i++) {
        const hull_corner *of = &self->corners[i];
        points[i] = (solid_ball){(double)of->x, (double)of->y, (double)of->z, 0};
    }
    for (int i = 0; i < self->side_count; i++) {
        const hull_side *of = &self->sides[i];
        normals[i][0] = (double)of->x;
        normals[i][1] = (double)of->y;
        normals[i][2] = (double)of->z;
    }
    return sieve_size_of(points, self->corner_count, normals, self->side_count, &self->sieve_size);
}

/* Fills corners and sides; `frame` refers to `places`. */
static scree_result lay_hull(scree_geometry *self, corner_search *from, const solid_frame *frame) {
    self->corners = memory_allocate((size_t)from->count, sizeof *self->corners);
    self->sides = memory_allocate((size_t)from->sides.count, sizeof *self->sides);
    if (!self->corners || !self->sides)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a hull of %d corners", from->count);
    lay_corners(self, from, frame);
    return SCREE_OK;
}

static scree_result fill(scree_geometry *self, corner_search *from) {
    const solid_moments of = moments_of(from);
    solid_frame frame = solid_frame_of(&of);
    self->points = memory_allocate((size_t)from->count, sizeof *self->points);
    if (!self->points) return fail(SCREE_ERROR_MEMORY, "out of memory for a hull of %d corners", from->count);
    memcpy(self->points, from->points, (size_t)from->count * sizeof *self->points);
    self->point_count = from->count;
    TRY(lay_hull(self, from, &frame));
    TRY(lay_surface(self, &from->sides));
    lay_sides(self, from);
    TRY(measure_sieve_size(self));
    solid_frame_shift(&frame, from->points[0], 1);
    geometry_take_frame(self, of.volume, &frame);
    return SCREE_OK;
}

static void end(corner_search *self) {
    memory_release(self->points);
    memory_release(self->places);
    memory_release(self->used);
    hull_release(&self->sides);
}

scree_result scree_hull_create(const scree_vec3 *points, int count, scree_geometry **out) {
    corner_search from;
    REQUIRE(points);
    REQUIRE(out);
    scree_result result = search(&from, points, count);
    scree_geometry *self = result == SCREE_OK ? geometry_make(SCREE_SHAPE_HULL) : NULL;
    if (result == SCREE_OK)
        result = self ? geometry_finish(self, fill(self, &from), out) : SCREE_ERROR_MEMORY;
    end(&from);
    return result;
}

scree_result geometry_add_hull(scree_geometry *self, const scree_vec3 *points, int count,
                               const solid_frame *frame) {
    corner_search from;
    scree_result result = search(&from, points, count);
    if (result == SCREE_OK) {
        solid_frame of = *frame;
        solid_frame_shift(&of, from.points[0], -1);
        result = lay_hull(self, &from, &of);
    }
    if (result == SCREE_OK) lay_sides(self, &from);
    if (result == SCREE_OK) result = measure_sieve_size(self);
    end(&from);
    return result;
}

int scree_hull_corner_count(const scree_geometry *geometry) { return geometry ? geometry->corner_count : 0; }

scree_vec3 scree_hull_get_corner(const scree_geometry *geometry, int i) {
    if (!geometry || i < 0 || i >= geometry->corner_count) return (scree_vec3){0, 0, 0};
    return vec3_out(corner_at(geometry, i));
}
