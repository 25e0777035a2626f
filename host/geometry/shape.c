#include "bounds.h"
#include "children.h"

#include "base/error.h"
#include "base/vector.h"
#include "geometry.h"
#include "rotation.h"

#include <math.h>

const shape_row *const shape_rows[SCREE_SHAPE_COUNT] = {
#define ROW(KIND, name) [SCREE_SHAPE_##KIND] = &shape_##name,
    SHAPE_KINDS(ROW)
#undef ROW
};

#define ROW(KIND, name) _Static_assert((int)SHAPE_##KIND == (int)SCREE_SHAPE_##KIND, "one order of kinds");
SHAPE_KINDS(ROW)
#undef ROW
_Static_assert((int)SHAPE_KIND_COUNT == (int)SCREE_SHAPE_COUNT, "kinds.h lists every public kind");

/* Cubes of lengths in this range fit single precision. */
static const float SHORTEST = 1e-12f, LONGEST = 1e12f; /* m */

static bool known(scree_shape_kind kind) { return (unsigned)kind < SCREE_SHAPE_COUNT; }

bool shape_is_complete(scree_shape shape) {
    if (!known(shape.kind)) return false;
    if (!geometry_needed(shape.kind)) return !shape.geometry;
    return shape.geometry && shape.geometry->kind == shape.kind;
}

const char *scree_shape_kind_name(scree_shape_kind kind) {
    return known(kind) ? shape_rows[kind]->name : NULL;
}

double scree_shape_get_volume(scree_shape shape) {
    return shape_is_complete(shape) ? shape_rows[shape.kind]->volume(shape) : 0;
}

double scree_shape_get_mass(scree_shape shape, double density) {
    const double mass = scree_shape_get_volume(shape) * density;
    return shape_is_complete(shape) && shape.geometry ? mass * shape.geometry->relative_density : mass;
}

double scree_shape_get_radius(scree_shape shape) {
    return shape_is_complete(shape) ? shape_rows[shape.kind]->bounding_radius(shape) : 0;
}

double scree_shape_get_sieve_size(scree_shape shape) {
    return shape_is_complete(shape) ? shape_rows[shape.kind]->sieve_size(shape) : 0;
}

double scree_shape_get_half_width(scree_shape shape) {
    return shape_is_complete(shape) ? (double)shape_rows[shape.kind]->half_width(shape) : 0;
}

scree_shape scree_shape_scale(scree_shape shape, double factor) {
    const scree_vec3 size = shape.size;
    shape.size = (scree_vec3){(float)(size.x * factor), (float)(size.y * factor), (float)(size.z * factor)};
    return shape;
}

vec3s shape_unit_inertia(scree_shape shape) { return shape_rows[shape.kind]->unit_inertia(shape); }

scree_vec3 scree_shape_get_half_extents(scree_shape shape) {
    return shape_is_complete(shape) ? vec3_out(bounds_half_size(shape)) : (scree_vec3){0, 0, 0};
}

scree_shape scree_shape_of_half_extents(scree_shape_kind kind, scree_vec3 half) {
    const scree_vec3 none = {0, 0, 0};
    return (scree_shape){.kind = kind,
                         .size = known(kind) ? shape_rows[kind]->size_from_box(vec3_in(half)) : none};
}

double shape_diameter(scree_shape shape) { return 2 * (double)shape.size.x; }
double shape_endless(scree_shape shape) { return (void)shape, INFINITY; }

vec3s shape_endless_inertia(scree_shape shape) {
    (void)shape;
    return vec3_of(INFINITY, INFINITY, INFINITY);
}

double shape_middle_length(scree_shape shape) {
    const double x = shape.size.x, y = shape.size.y, z = shape.size.z;
    return 2 * fmax(fmin(x, y), fmin(fmax(x, y), z));
}

scree_vec3 shape_size_of_half(vec3s half) { return vec3_out(half); }
scree_vec3 shape_first_of_half(vec3s half) { return (scree_vec3){half.x, 0, 0}; }

scalar shape_whole_radius(scree_shape shape) { return (scalar)shape_row_of(shape)->bounding_radius(shape); }
scalar shape_first_size(scree_shape shape) { return shape.size.x; }

scalar shape_smallest_half(scree_shape shape) {
    return scalar_min(shape.size.x, scalar_min(shape.size.y, shape.size.z));
}

double scaled_volume(scree_shape shape) {
    const double scale = (double)shape.size.x;
    return scale * scale * scale * shape.geometry->volume;
}

double scaled_bounding_radius(scree_shape shape) { return (double)shape.size.x * shape.geometry->radius; }
double scaled_sieve_size(scree_shape shape) { return (double)shape.size.x * shape.geometry->sieve_size; }

vec3s scaled_unit_inertia(scree_shape shape) {
    return glms_vec3_scale(shape.geometry->unit_inertia, shape.size.x * shape.size.x);
}

scalar scaled_turning_radius(scree_shape shape) {
    return (scalar)((double)shape.size.x * shape.geometry->turning_radius);
}
scalar scaled_half_width(scree_shape shape) { return shape.size.x * (scalar)shape.geometry->half_width; }

bool shape_movable(scree_shape shape) { return isfinite(shape_rows[shape.kind]->volume(shape)); }

/* Returns the centre of a shape's box, from its origin along its own axes. */
static vec3s middle_of(scree_shape shape) {
    return shape.geometry ? glms_vec3_scale(shape.geometry->middle, shape.size.x) : vec3_of(0, 0, 0);
}

bounds bounds_padded(const scree_shape *shape, body_pose pose, scalar padding) {
    vec3s middle = pose.position;
    if (shape->geometry) middle = glms_vec3_add(middle, rotate(pose.rotation, middle_of(*shape)));
    return bounds_around(middle, shape_row_of(*shape)->half_extent(*shape, pose.rotation), padding);
}

bounds bounds_of(scree_shape shape, body_pose pose) { return bounds_padded(&shape, pose, 0); }

vec3s bounds_half_size(scree_shape shape) {
    const vec3s half_extent = shape_row_of(shape)->half_extent(shape, versor_of(0, 0, 0, 1)),
                middle = middle_of(shape);
    return glms_vec3_add(half_extent, vec3_absolute(middle));
}

scalar bounds_turning_radius(scree_shape shape) { return shape_row_of(shape)->turning_radius(shape); }

scalar bounds_half_width(scree_shape shape) { return shape_row_of(shape)->half_width(shape); }

scree_result scree_validate_shape(scree_shape shape) {
    if (!known(shape.kind))
        return fail(SCREE_ERROR_ARGUMENT, "shape.kind: %d; must be 0 to %d", (int)shape.kind,
                    SCREE_SHAPE_COUNT - 1);
    const float sizes[3] = {shape.size.x, shape.size.y, shape.size.z};
    for (int i = 0; i < shape_rows[shape.kind]->sizes; i++)
        if (!(sizes[i] > 0) || !isfinite(sizes[i]))
            return fail(SCREE_ERROR_ARGUMENT, "shape.size.%c of kind \"%s\": %g; must be > 0 m and finite",
                        "xyz"[i], shape_rows[shape.kind] -> name, (double)sizes[i]);
        else if (!geometry_needed(shape.kind) && !(sizes[i] >= SHORTEST && sizes[i] <= LONGEST))
            return fail(SCREE_ERROR_ARGUMENT, "shape.size.%c of kind \"%s\": %g; must be %g to %g m",
                        "xyz"[i], shape_rows[shape.kind] -> name, (double)sizes[i], (double)SHORTEST,
                        (double)LONGEST);
    for (int i = shape_rows[shape.kind]->sizes; i < 3 && shape.kind != SCREE_SHAPE_TRIANGLE; i++)
        if (sizes[i] != 0)
            return fail(SCREE_ERROR_ARGUMENT,
                        "shape.size.%c of kind \"%s\": %g; not used by this kind, must be 0", "xyz"[i],
                        shape_rows[shape.kind] -> name, (double)sizes[i]);
    if (!shape_is_complete(shape) && !geometry_needed(shape.kind))
        return fail(SCREE_ERROR_ARGUMENT, "shape.geometry of a %s: not null; must be null",
                    shape_rows[shape.kind]->name);
    if (!shape_is_complete(shape))
        return fail(SCREE_ERROR_ARGUMENT, "shape.geometry of a %s: %s%s; must be of the same kind",
                    shape_rows[shape.kind]->name, shape.geometry ? "that of a " : "null",
                    shape.geometry ? shape_rows[shape.geometry->kind]->name : "");
    if (shape.kind == SCREE_SHAPE_TRIANGLE &&
        !(fabsf(shape.size.y) <= LONGEST && shape.size.z >= SHORTEST && shape.size.z <= LONGEST))
        return fail(
            SCREE_ERROR_ARGUMENT,
            "third corner of a triangle: (%g, %g, 0) m; must be within %g m, and at least %g m away from "
            "the edge",
            (double)shape.size.y, (double)shape.size.z, (double)LONGEST, (double)SHORTEST);
    const double radius = scree_shape_get_radius(shape);
    if (geometry_needed(shape.kind) && !(radius >= (double)SHORTEST && radius <= (double)LONGEST))
        return fail(SCREE_ERROR_ARGUMENT,
                    "shape.size.x of kind \"%s\": %g, so that the radius is %g m; must be %g to %g m",
                    shape_rows[shape.kind]->name, (double)shape.size.x, radius, (double)SHORTEST,
                    (double)LONGEST);
    return SCREE_OK;
}

bool scree_shape_has_flat_faces(scree_shape shape) {
    return shape_is_complete(shape) && shape_is_flat(shape);
}

int scree_shape_piece_count(scree_shape shape) {
    return shape_is_complete(shape) ? children_seen_count(shape) : 0;
}

scree_placed_shape scree_shape_get_piece(scree_shape shape, int i) {
    const body_pose still = {.rotation = versor_of(0, 0, 0, 1)};
    placed_child piece = {.shape = shape, .pose = still};
    if (i >= 0 && i < scree_shape_piece_count(shape)) piece = children_seen(shape, still, i);
    return (scree_placed_shape){.shape = piece.shape,
                                .position = vec3_out(piece.pose.position),
                                .rotation = quat_out(piece.pose.rotation)};
}
