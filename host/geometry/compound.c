/* Builds the geometry of a compound: its children about the centre of mass, along the principal axes. */
#include "children.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/vector.h"
#include "compound_size.h"
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

static scree_result check_part(const scree_compound_child *part, int i) {
    const double length = length_of(part->rotation);
    if (scree_validate_shape(part->shape) != SCREE_OK)
        return fail_prefix(SCREE_ERROR_ARGUMENT, "compound: parts[%d]", i);
    if (!is_convex(part->shape))
        return fail(
            SCREE_ERROR_ARGUMENT,
            "compound: parts[%d].shape: %s; must be a sphere, box, capsule, cylinder, cone, ellipsoid "
            "or hull",
            i, scree_shape_kind_name(part->shape.kind));
    if (!vec3_finite(vec3_in(part->position)))
        return fail(SCREE_ERROR_ARGUMENT, "compound: parts[%d].position: NaN or infinite; must be finite", i);
    if (!geometry_reaches(part->position))
        return fail(SCREE_ERROR_ARGUMENT,
                    "compound: parts[%d].position: (%g, %g, %g) m; coordinates must be within ±1e+09 m", i,
                    (double)part->position.x, (double)part->position.y, (double)part->position.z);
    if (!(fabs(length - 1) <= 1e-3))
        return fail(SCREE_ERROR_ARGUMENT,
                    "compound: parts[%d].rotation: quaternion of length %g; must have length 1", i, length);
    if (!(part->relative_density > 0) || !isfinite(part->relative_density))
        return fail(SCREE_ERROR_ARGUMENT, "compound: parts[%d].relative_density: %g; must be > 0 and finite",
                    i, (double)part->relative_density);
    return SCREE_OK;
}

static scree_result check(const scree_compound_child *parts, int count) {
    if (count < 1 || count > SCREE_COMPOUND_CHILDREN)
        return fail(SCREE_ERROR_ARGUMENT, "compound: %d parts; must be 1 to %d", count,
                    SCREE_COMPOUND_CHILDREN);
    for (int i = 0; i < count; i++) TRY(check_part(&parts[i], i));
    return SCREE_OK;
}

/* Adds a child of mass m at c with principal moments m I. Mass takes the role of volume in the moments. About
 * the child's centre, ∫ x_k x_k dm = m s_k with s_x = (I_y + I_z − I_x)/2, so that
 *
 *     ∫ x dm = m c,   ∫ x_i x_j dm = m (c_i c_j + Σ_k R_ik s_k R_jk). */
static void add_part(solid_moments *sum, const scree_compound_child *part, scree_vec3 about) {
    static const int axis[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    const double mass = scree_shape_get_volume(part->shape) * (double)part->relative_density;
    const double c[3] = {(double)part->position.x - (double)about.x,
                         (double)part->position.y - (double)about.y,
                         (double)part->position.z - (double)about.z};
    const vec3s unit = shape_unit_inertia(part->shape);
    const double x = (double)unit.x, y = (double)unit.y, z = (double)unit.z,
                 s[3] = {(y + z - x) / 2, (x + z - y) / 2, (x + y - z) / 2};
    double r[3][3];
    compound_child_axes(part->rotation, r);
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

static convex convex_from(const geometry_child *part) {
    const scree_geometry *of = part->shape.geometry;
    const hull_table hull =
        of ? (hull_table){of->corners, of->sides, of->corner_count, of->side_count} : (hull_table){0};
    return convex_of((int)part->shape.kind, vec3_in(part->shape.size), hull, 0, part->centre, part->rotation);
}

/* Sets the child's box from its support points. */
static void take_box(geometry_child *part) {
    const convex of = convex_from(part);
    const vec3s axes[3] = {vec3_of(1, 0, 0), vec3_of(0, 1, 0), vec3_of(0, 0, 1)};
    for (int k = 0; k < 3; k++) {
        const vec3s high = convex_farthest(of, axes[k]), low = convex_farthest(of, glms_vec3_negate(axes[k]));
        *vec3_component(&part->upper, k) = vec3_along(high, k) + of.radius;
        *vec3_component(&part->lower, k) = vec3_along(low, k) - of.radius;
    }
}

static void place_part(scree_geometry *self, int i, const solid_frame *frame) {
    const scree_compound_child *given = &self->given_parts[i];
    geometry_child *part = &self->parts[i];
    const double point[3] = {(double)given->position.x, (double)given->position.y, (double)given->position.z};
    double at[3];
    solid_frame_place(frame, point, at);
    part->centre = vec3_of((scalar)at[0], (scalar)at[1], (scalar)at[2]);
    part->rotation =
        rotation_product(conjugate(quat_in(self->axes)), rotation_normalised(quat_in(given->rotation)));
    take_box(part);
}

/* Computes the lengths and the box of all children in the body's axes. */
static void measure(scree_geometry *self) {
    double low[3], high[3];
    self->half_width = INFINITY;
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (int i = 0; i < self->part_count; i++) {
        const geometry_child *part = &self->parts[i];
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], (double)vec3_along(part->lower, k));
            high[k] = fmax(high[k], (double)vec3_along(part->upper, k));
        }
        const double away = (double)glms_vec3_norm(part->centre);
        self->radius = fmax(self->radius, away + scree_shape_get_radius(part->shape));
        self->turning_radius = fmax(self->turning_radius, away + (double)bounds_turning_radius(part->shape));
        self->half_width = fmin(self->half_width, scree_shape_get_half_width(part->shape));
    }
    geometry_take_box(self, low, high);
}

/* Computes moments about the first child, so that a compound far from the origin keeps its precision. */
static scree_result fill(scree_geometry *self, const scree_compound_child *parts, int count) {
    const scree_vec3 about = parts[0].position;
    solid_moments sum = {0};
    double volume = 0;
    int seen = 0;
    self->given_parts = memory_allocate((size_t)count, sizeof *self->given_parts);
    self->parts = memory_allocate((size_t)count, sizeof *self->parts);
    if (!self->given_parts || !self->parts)
        return fail(SCREE_ERROR_MEMORY, "out of memory: compound of %d parts", count);
    for (int i = 0; i < count; i++) {
        self->given_parts[i] = parts[i];
        self->parts[i].shape = parts[i].shape;
        geometry_share(parts[i].shape.geometry);
        self->part_count++;
        self->parts[i].seen = seen;
        seen += children_seen_count(parts[i].shape);
        volume += scree_shape_get_volume(parts[i].shape);
        add_part(&sum, &parts[i], about);
    }
    solid_frame frame = solid_frame_of(&sum);
    solid_frame_shift(&frame, about, 1);
    geometry_take_frame(self, volume, &frame);
    self->relative_density = sum.volume / volume;
    for (int i = 0; i < count; i++) place_part(self, i, &frame);
    measure(self);
    return compound_sieve_size(parts, count, &self->sieve_size);
}

scree_result scree_compound_create(const scree_compound_child *parts, int count, scree_geometry **out) {
    REQUIRE(parts);
    REQUIRE(out);
    TRY(check(parts, count));
    scree_geometry *self = geometry_make(SCREE_SHAPE_COMPOUND);
    if (!self) return SCREE_ERROR_MEMORY;
    const scree_result result = fill(self, parts, count);
    if (result == SCREE_OK)
        *out = self;
    else
        scree_geometry_release(self);
    return result;
}

int scree_compound_child_count(const scree_geometry *geometry) { return geometry ? geometry->part_count : 0; }

scree_compound_child scree_compound_get_child(const scree_geometry *geometry, int i) {
    if (!geometry || i < 0 || i >= geometry->part_count) return scree_default_compound_child();
    const geometry_child *part = &geometry->parts[i];
    return (scree_compound_child){part->shape, vec3_out(part->centre), quat_out(part->rotation),
                                  geometry->given_parts[i].relative_density};
}
