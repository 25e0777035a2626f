#include "zone.h"

#include "base/finite.h"
#include "base/vector.h"
#include "rotation.h"

#include <math.h>

static bool in_box(vec3s p, vec3s size) {
    return fabsf(p.x) <= size.x && fabsf(p.y) <= size.y && fabsf(p.z) <= size.z;
}
static bool in_cylinder(vec3s p, vec3s size) {
    return p.x * p.x + p.y * p.y <= size.x * size.x && fabsf(p.z) <= size.z;
}
static bool in_sphere(vec3s p, vec3s size) { return glms_vec3_norm2(p) <= size.x * size.x; }
static bool in_half_space(vec3s p, vec3s size) {
    (void)size;
    return p.z <= 0;
}

static const double TURN = 6.283185307179586476925;

static vec3s point_in_box(vec3s size, const double u[3]) {
    return vec3_of((scalar)(2 * u[0] - 1) * size.x, (scalar)(2 * u[1] - 1) * size.y,
                   (scalar)(2 * u[2] - 1) * size.z);
}
/* Uniform over the disc: r = R √u. */
static vec3s point_in_cylinder(vec3s size, const double u[3]) {
    const double r = (double)size.x * sqrt(u[0]);
    return vec3_of((scalar)(r * cos(TURN * u[1])), (scalar)(r * sin(TURN * u[1])),
                   (scalar)(2 * u[2] - 1) * size.z);
}
/* Uniform in the ball: r = R ∛u, z uniform on the unit sphere (Archimedes). */
static vec3s point_in_sphere(vec3s size, const double u[3]) {
    const double r = (double)size.x * cbrt(u[0]), z = 2 * u[2] - 1, rho = r * sqrt(1 - z * z);
    return vec3_of((scalar)(rho * cos(TURN * u[1])), (scalar)(rho * sin(TURN * u[1])), (scalar)(r * z));
}

/* One row per kind of zone. `point` is null if the zone is unbounded; `sizes`: bits of the components in
 * use. */
static const struct {
    const char *name;
    bool (*holds)(vec3s point, vec3s size);
    vec3s (*point)(vec3s size, const double unit[3]);
    int sizes;
} rows[] = {
    [SCREE_ZONE_BOX] = {"box", in_box, point_in_box, 7},
    [SCREE_ZONE_CYLINDER] = {"cylinder", in_cylinder, point_in_cylinder, 5},
    [SCREE_ZONE_SPHERE] = {"sphere", in_sphere, point_in_sphere, 1},
    [SCREE_ZONE_HALF_SPACE] = {"half-space", in_half_space, NULL, 0},
};
_Static_assert(sizeof rows / sizeof *rows == SCREE_ZONE_COUNT, "every zone has a row");

const char *scree_zone_kind_name(scree_zone_kind kind) {
    return (unsigned)kind < SCREE_ZONE_COUNT ? rows[kind].name : NULL;
}

bool zone_holds(const scree_zone *zone, vec3s point) {
    const vec3s local = glms_vec3_sub(point, vec3_in(zone->position));
    return rows[zone->kind].holds(rotate_inverse(rotation_normalised(quat_in(zone->rotation)), local),
                                  vec3_in(zone->size));
}

vec3s zone_point(const scree_zone *zone, const double unit[3]) {
    const vec3s local = rows[zone->kind].point(vec3_in(zone->size), unit);
    return glms_vec3_add(vec3_in(zone->position),
                         rotate(rotation_normalised(quat_in(zone->rotation)), local));
}

scree_result zone_validate(const scree_zone *zone) {
    if ((unsigned)zone->kind >= SCREE_ZONE_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "zone.kind: %d; must be 0 to %d", (int)zone->kind,
                    SCREE_ZONE_COUNT - 1);
    const float sizes[3] = {zone->size.x, zone->size.y, zone->size.z};
    for (int k = 0; k < 3; k++)
        if (rows[zone->kind].sizes >> k & 1 && !(sizes[k] > 0 && isfinite(sizes[k])))
            return fail(SCREE_ERROR_ARGUMENT, "zone.size: %g m; lengths must be > 0 m", (double)sizes[k]);
    const scree_quat q = zone->rotation;
    const float norm2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    TRY(finite_check(zone->position, "m", "zone.position"));
    if (fabsf(norm2 - 1) < 1e-3f) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "zone.rotation: norm %g; must be a unit quaternion",
                (double)sqrtf(norm2));
}
