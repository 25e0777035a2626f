#include "surface.h"

#include "base/memory.h"
#include "base/vector.h"
#include "ray.h"
#include "rotation.h"

/* Sides of round shapes: the corners stand out by 1 − cos(π/48) = 0.2 % of the radius, a pixel of 470. */
enum { SIDES = 48, RINGS = 24 };

static void put(surface *self, vec3s position, vec3s normal) {
    self->corners[self->count++] =
        (surface_corner){{position.x, position.y, position.z}, {normal.x, normal.y, normal.z}};
}

static scree_result add_triangle(surface *self, const vec3s at[3], const vec3s normals[3]) {
    if (self->count + 3 > self->capacity)
        TRY(MEMORY_RESERVE(self->corners, self->capacity, 2 * self->count + 3, NULL));
    for (int k = 0; k < 3; k++) put(self, at[k], normals[k]);
    return SCREE_OK;
}

static scree_result add_flat(surface *self, vec3s a, vec3s b, vec3s c) {
    const vec3s across = glms_vec3_cross(glms_vec3_sub(b, a), glms_vec3_sub(c, a));
    const scalar area = glms_vec3_norm(across);
    const vec3s normal = area > 0 ? glms_vec3_scale(across, 1 / area) : vec3_of(0, 0, 1);
    return add_triangle(self, (const vec3s[]){a, b, c}, (const vec3s[]){normal, normal, normal});
}

static scree_result add_box(surface *self) {
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            vec3s at[4];
            for (int k = 0; k < 4; k++) {
                *vec3_component(&at[k], axis) = (scalar)side;
                *vec3_component(&at[k], (axis + 1) % 3) = k & 1 ? 1 : -1;
                *vec3_component(&at[k], (axis + 2) % 3) = k & 2 ? 1 : -1;
            }
            const int second = side > 0 ? 1 : 2, third = 3 - second;
            TRY(add_flat(self, at[0], at[second], at[3]));
            TRY(add_flat(self, at[0], at[3], at[third]));
        }
    return SCREE_OK;
}

static vec3s around(int k, scalar z) {
    const double angle = 2 * M_PI * (k % SIDES) / SIDES;
    return vec3_of((scalar)cos(angle), (scalar)sin(angle), z);
}

/* Adds a round side from radius 1 at `low` to radius `top` at `high`; its normals have the slope `rise`. */
static scree_result add_side(surface *self, scalar low, scalar high, scalar top, scalar rise) {
    for (int k = 0; k < SIDES; k++) {
        const vec3s n[2] = {ray_normalised(around(k, rise)), ray_normalised(around(k + 1, rise))};
        const vec3s a = around(k, low), b = around(k + 1, low);
        const vec3s c = vec3_of(top * b.x, top * b.y, high), d = vec3_of(top * a.x, top * a.y, high);
        TRY(add_triangle(self, (const vec3s[]){a, b, c}, (const vec3s[]){n[0], n[1], n[1]}));
        if (top > 0) TRY(add_triangle(self, (const vec3s[]){a, c, d}, (const vec3s[]){n[0], n[1], n[0]}));
    }
    return SCREE_OK;
}

static scree_result add_disc(surface *self, scalar z, bool up) {
    for (int k = 0; k < SIDES; k++)
        TRY(add_flat(self, vec3_of(0, 0, z), around(up ? k : k + 1, z), around(up ? k + 1 : k, z)));
    return SCREE_OK;
}

static scree_result add_cylinder(surface *self) {
    TRY(add_side(self, -1, 1, 1, 0));
    TRY(add_disc(self, 1, true));
    return add_disc(self, -1, false);
}

static scree_result add_cone(surface *self) {
    TRY(add_side(self, -0.25f, 0.75f, 0, 1));
    return add_disc(self, -0.25f, false);
}

static vec3s on_ball(int ring, int k) {
    const double angle = M_PI * ring / RINGS;
    const vec3s flat = around(k, 0);
    return vec3_of(flat.x * (scalar)sin(angle), flat.y * (scalar)sin(angle), (scalar)cos(angle));
}

static scree_result add_ball(surface *self) {
    for (int ring = 0; ring < RINGS; ring++)
        for (int k = 0; k < SIDES; k++) {
            const vec3s a = on_ball(ring, k), b = on_ball(ring + 1, k), c = on_ball(ring + 1, k + 1),
                        d = on_ball(ring, k + 1);
            const vec3s lower[3] = {a, b, c}, upper[3] = {a, c, d};
            if (ring < RINGS - 1) TRY(add_triangle(self, lower, lower));
            if (ring > 0) TRY(add_triangle(self, upper, upper));
        }
    return SCREE_OK;
}

scree_result surface_of_kind(surface_kind kind, surface *out) {
    switch (kind) {
    case SURFACE_BOX:
        return add_box(out);
    case SURFACE_CYLINDER:
        return add_cylinder(out);
    case SURFACE_PIPE:
        return add_side(out, -1, 1, 1, 0);
    case SURFACE_CONE:
        return add_cone(out);
    case SURFACE_BALL:
        return add_ball(out);
    case SURFACE_TRIANGLE: {
        const vec3s at[3] = {vec3_of(0, 0, 0), vec3_of(1, 0, 0), vec3_of(0, 1, 1)}, up = vec3_of(0, 0, 1);
        return add_triangle(out, at, (const vec3s[]){up, up, up});
    }
    case SURFACE_KINDS:
        break;
    }
    return SCREE_OK;
}

scree_result surface_of_geometry(scree_shape shape, surface *out) {
    shape.size.x = 1;
    const int count = scree_shape_piece_count(shape);
    TRY(MEMORY_RESERVE(out->corners, out->capacity, 3 * (size_t)count, NULL));
    for (int i = 0; i < count; i++) {
        const scree_placed_shape piece = scree_shape_get_piece(shape, i);
        const vec3s size = vec3_in(piece.shape.size), origin = vec3_in(piece.position);
        const versors turn = quat_in(piece.rotation);
        const vec3s second = rotate(turn, vec3_of(size.x, 0, 0)),
                    third = rotate(turn, vec3_of(size.y, size.z, 0));
        TRY(add_flat(out, origin, glms_vec3_add(origin, second), glms_vec3_add(origin, third)));
    }
    return SCREE_OK;
}

void surface_release(surface *self) {
    memory_release(self->corners);
    *self = (surface){.corners = NULL};
}
