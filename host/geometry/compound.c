/* Builds the geometry of a compound: its children about the centre of mass, along the principal axes. */
#include "children.h"

#include "base/finite.h"
#include "base/memory.h"
#include "base/quat_matrix.h"
#include "base/vector.h"
#include "rotation.h"
#include "support.h"
#include "geometry.h"

#include <math.h>
#include <string.h>

scree_compound_child scree_default_compound_child(void) {
    return (scree_compound_child){
        .shape = scree_shape_sphere(0.5f), .rotation = {0, 0, 0, 1}, .relative_density = 1};
}

static bool is_convex(scree_shape shape) { return !children_rows[shape.kind] && shape_movable(shape); }

static double length_of(scree_quat q) {
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return sqrt(x * x + y * y + z * z + w * w);
}

static scree_result check_child(const scree_compound_child *child, int i) {
    const double length = length_of(child->rotation);
    if (scree_validate_shape(child->shape) != SCREE_OK)
        return fail_prefix(SCREE_ERROR_ARGUMENT, "compound: parts[%d]", i);
    if (!is_convex(child->shape))
        return fail(
            SCREE_ERROR_ARGUMENT,
            "compound: parts[%d].shape: %s; must be a sphere, box, capsule, cylinder, cone, ellipsoid "
            "or hull",
            i, scree_shape_kind_name(child->shape.kind));
    TRY(finite_check(child->position, "m", "compound: parts[%d].position", i));
    if (!geometry_reaches(child->position))
        return fail(SCREE_ERROR_ARGUMENT,
                    "compound: parts[%d].position: (%g, %g, %g) m; coordinates must be within ±1e+09 m", i,
                    (double)child->position.x, (double)child->position.y, (double)child->position.z);
    if (!(fabs(length - 1) <= 1e-3))
        return fail(SCREE_ERROR_ARGUMENT,
                    "compound: parts[%d].rotation: quaternion of length %g; must have length 1", i, length);
    if (!(child->relative_density > 0) || !isfinite(child->relative_density))
        return fail(SCREE_ERROR_ARGUMENT, "compound: parts[%d].relative_density: %g; must be > 0 and finite",
                    i, (double)child->relative_density);
    return SCREE_OK;
}

static scree_result check(const scree_compound_child *parts, int count) {
    if (count < 1 || count > SCREE_COMPOUND_CHILDREN)
        return fail(SCREE_ERROR_ARGUMENT, "compound: %d parts; must be 1 to %d", count,
                    SCREE_COMPOUND_CHILDREN);
    for (int i = 0; i < count; i++) TRY(check_child(&parts[i], i));
    return SCREE_OK;
}

/* Computes the axes (columns) of a quaternion of length about 1. */
static void child_axes(scree_quat q, double out[3][3]) {
    double columns[3][3];
    quat_axes((double)q.x, (double)q.y, (double)q.z, (double)q.w, columns);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out[i][k] = columns[k][i];
}

/* Adds a child of mass m at c with principal moments m I. `sum->volume` is the mass, since densities differ.
 * About the child's centre, ∫ x_k x_k dm = m s_k with s_x = (I_y + I_z − I_x)/2, so that
 *
 *     ∫ x dm = m c,   ∫ x_i x_j dm = m (c_i c_j + Σ_k R_ik s_k R_jk). */
static void add_child(solid_moments *sum, const scree_compound_child *child, scree_vec3 about) {
    static const int axis[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    const double mass = scree_shape_get_volume(child->shape) * (double)child->relative_density;
    const double c[3] = {(double)child->position.x - (double)about.x,
                         (double)child->position.y - (double)about.y,
                         (double)child->position.z - (double)about.z};
    const vec3s unit = shape_unit_inertia(child->shape);
    const double x = (double)unit.x, y = (double)unit.y, z = (double)unit.z,
                 s[3] = {(y + z - x) / 2, (x + z - y) / 2, (x + y - z) / 2};
    double r[3][3];
    child_axes(child->rotation, r);
    sum->volume += mass;
    for (int k = 0; k < 3; k++) sum->first[k] += mass * c[k];
    for (int k = 0; k < 6; k++) {
        const int i = axis[k][0], j = axis[k][1];
        double product = c[i] * c[j];
        for (int n = 0; n < 3; n++) product += r[i][n] * s[n] * r[j][n];
        sum->second[k] += mass * product;
    }
}

static versors conjugate(versors q) { return versor_of(-q.x, -q.y, -q.z, q.w); }

/* Sets the child's box from its support points. */
static void take_box(geometry_child *child) {
    const convex of = convex_of((int)child->shape.kind, vec3_in(child->shape.size),
                                geometry_hull(child->shape), 0, child->centre, child->rotation);
    const vec3s axes[3] = {vec3_of(1, 0, 0), vec3_of(0, 1, 0), vec3_of(0, 0, 1)};
    for (int k = 0; k < 3; k++) {
        const vec3s high = convex_farthest(of, axes[k]), low = convex_farthest(of, glms_vec3_negate(axes[k]));
        *vec3_component(&child->upper, k) = vec3_along(high, k) + of.radius;
        *vec3_component(&child->lower, k) = vec3_along(low, k) - of.radius;
    }
}

static void place_child(scree_geometry *self, int i, const solid_frame *frame) {
    const scree_compound_child *given = &self->given_children[i];
    geometry_child *child = &self->children[i];
    child->centre = vec3_in(solid_frame_place_vec3(frame, given->position));
    child->rotation =
        rotation_product(conjugate(quat_in(self->axes)), rotation_normalised(quat_in(given->rotation)));
    take_box(child);
}

/* Computes radius, turning radius, half width and box of the compound, in the body's axes. */
static void measure_children(scree_geometry *self) {
    double low[3], high[3];
    self->half_width = INFINITY;
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < self->child_count; i++) {
        const geometry_child *child = &self->children[i];
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], (double)vec3_along(child->lower, k));
            high[k] = fmax(high[k], (double)vec3_along(child->upper, k));
        }
        const double away = (double)glms_vec3_norm(child->centre);
        self->radius = fmax(self->radius, away + scree_shape_get_radius(child->shape));
        self->turning_radius = fmax(self->turning_radius, away + (double)bounds_turning_radius(child->shape));
        self->half_width = fmin(self->half_width, scree_shape_get_half_width(child->shape));
    }
    geometry_take_box(self, low, high);
}

/* -- Sieve size ------------------------------------------------------------------------- */

/* Balls whose convex hull is that of all children. */
typedef struct ball_list {
    solid_ball *items;
    int count, capacity;
} ball_list;

/* Adds a point of the child, in its own axes, with a radius around it. */
static scree_result add_ball(ball_list *to, const scree_compound_child *child, scree_vec3 about,
                             const double p[3], double radius) {
    const double at[3] = {(double)child->position.x - (double)about.x,
                          (double)child->position.y - (double)about.y,
                          (double)child->position.z - (double)about.z};
    double axes[3][3], out[3];
    child_axes(child->rotation, axes);
    for (int k = 0; k < 3; k++) out[k] = at[k] + axes[k][0] * p[0] + axes[k][1] * p[1] + axes[k][2] * p[2];
    TRY(MEMORY_RESERVE(to->items, to->capacity, to->count + 1, NULL));
    to->items[to->count++] = (solid_ball){out[0], out[1], out[2], radius};
    return SCREE_OK;
}

static scree_result add_corners(ball_list *to, const scree_compound_child *child, scree_vec3 about) {
    const scree_geometry *of = child->shape.geometry;
    const double scale = (double)child->shape.size.x;
    for (int i = 0; i < of->corner_count; i++) {
        const hull_corner *corner = &of->corners[i];
        const double p[3] = {scale * (double)corner->x, scale * (double)corner->y, scale * (double)corner->z};
        TRY(add_ball(to, child, about, p, 0));
    }
    return SCREE_OK;
}

/* Returns the factor by which the corners of a regular polygon lie outside the circle that its sides touch;
 * for an ellipsoid, its square: a circle of latitude and a meridian, exact for equal axes only; 1 for kinds
 * without a round outline. */
static double circumscribed(scree_shape_kind kind, int sides) {
    const double once = 1 / cos(M_PI / sides);
    if (kind == SCREE_SHAPE_ELLIPSOID) return once * once;
    return kind == SCREE_SHAPE_CYLINDER || kind == SCREE_SHAPE_CONE ? once : 1;
}

/* Adds the child's support points in `sides` directions on each of sides/2 circles of latitude; equal points
 * once. */
static scree_result add_farthest(ball_list *to, const scree_compound_child *child, scree_vec3 about,
                                 int sides) {
    const scree_shape shape = child->shape;
    const convex of = convex_of((int)shape.kind, vec3_in(shape.size), (hull_table){0}, 0, vec3_of(0, 0, 0),
                                versor_of(0, 0, 0, 1));
    const double across = circumscribed(shape.kind, sides),
                 along = shape.kind == SCREE_SHAPE_ELLIPSOID ? across : 1;
    const int first = to->count;
    for (int i = 0; i < sides / 2; i++)
        for (int k = 0; k < sides; k++) {
            const double up = M_PI * ((i + 0.5) / (sides / 2) - 0.5), around = 2 * M_PI * (k + 0.5) / sides;
            const vec3s at = convex_farthest(of, vec3_of((scalar)(cos(up) * cos(around)),
                                                         (scalar)(cos(up) * sin(around)), (scalar)sin(up)));
            const double p[3] = {across * (double)at.x, across * (double)at.y, along * (double)at.z};
            TRY(add_ball(to, child, about, p, (double)of.radius));
            bool is_new = true;
            const solid_ball *last = &to->items[to->count - 1];
            for (int other = first; other < to->count - 1 && is_new; other++)
                is_new = memcmp(&to->items[other], last, sizeof *last) != 0;
            to->count -= !is_new;
        }
    return SCREE_OK;
}

/* Computes sieve_size_of_balls of the children's corners, ends and centres, m. Round outlines become
 * polygons. Cylinders keep their width. The size of one ellipsoid with half axes of 0.3 to 2 m is wrong by
 * −1.4 to 0.5 % with 32 sides, −5 to 2 % with 16 and −17 to 8 % with 8. The polygons follow the children's
 * own axes, so that rotating a compound does not change its size. Errors: MEMORY. */
static scree_result sieve_size(const scree_compound_child *parts, int count, double *out) {
    const int sides = count <= 8 ? 32 : count <= 64 ? 16 : 8;
    ball_list all = {0};
    scree_result result = SCREE_OK;
    for (int i = 0; i < count && result == SCREE_OK; i++)
        result = parts[i].shape.kind == SCREE_SHAPE_HULL
                     ? add_corners(&all, &parts[i], parts[0].position)
                     : add_farthest(&all, &parts[i], parts[0].position, sides);
    if (result == SCREE_OK) result = sieve_size_of_balls(all.items, all.count, out);
    memory_release(all.items);
    return result;
}

/* -- Geometry --------------------------------------------------------------------------- */

/* Fills the geometry: children, frame, lengths, sieve size. Moments are about the first child, so that a
 * compound far from the origin keeps its precision. */
static scree_result fill_geometry(scree_geometry *self, const scree_compound_child *parts, int count) {
    const scree_vec3 about = parts[0].position;
    solid_moments sum = {0};
    double volume = 0;
    int seen = 0;
    self->given_children = memory_allocate((size_t)count, sizeof *self->given_children);
    self->children = memory_allocate((size_t)count, sizeof *self->children);
    if (!self->given_children || !self->children)
        return fail(SCREE_ERROR_MEMORY, "out of memory: compound of %d parts", count);
    for (int i = 0; i < count; i++) {
        self->given_children[i] = parts[i];
        self->children[i].shape = parts[i].shape;
        geometry_share(parts[i].shape.geometry);
        self->child_count++;
        self->children[i].seen = seen;
        seen += children_seen_count(parts[i].shape);
        volume += scree_shape_get_volume(parts[i].shape);
        add_child(&sum, &parts[i], about);
    }
    solid_frame frame = solid_frame_of(&sum);
    solid_frame_shift(&frame, about, 1);
    geometry_take_frame(self, volume, &frame);
    self->relative_density = sum.volume / volume;
    for (int i = 0; i < count; i++) place_child(self, i, &frame);
    measure_children(self);
    return sieve_size(parts, count, &self->sieve_size);
}

scree_result scree_compound_create(const scree_compound_child *parts, int count, scree_geometry **out) {
    REQUIRE(parts);
    REQUIRE(out);
    TRY(check(parts, count));
    scree_geometry *self = geometry_make(SCREE_SHAPE_COMPOUND);
    return self ? geometry_finish(self, fill_geometry(self, parts, count), out) : SCREE_ERROR_MEMORY;
}

int scree_compound_child_count(const scree_geometry *geometry) {
    return geometry ? geometry->child_count : 0;
}

scree_compound_child scree_compound_get_child(const scree_geometry *geometry, int i) {
    if (!geometry || i < 0 || i >= geometry->child_count) return scree_default_compound_child();
    const geometry_child *child = &geometry->children[i];
    return (scree_compound_child){child->shape, vec3_out(child->centre), quat_out(child->rotation),
                                  geometry->given_children[i].relative_density};
}
