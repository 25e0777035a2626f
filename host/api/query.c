/* Public queries. */
#include <scree/query.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "rotation.h"
#include "step/world.h"

static const scalar FARTHEST = 1e29f; /* m; longest ray */

static scree_result check_vector(const char *field, scree_vec3 v) {
    if (vec3_finite(vec3_in(v))) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: (%g, %g, %g) m; must be finite", field, (double)v.x, (double)v.y,
                (double)v.z);
}

static scree_result check_length(const char *field, float length) {
    if (length > 0 && isfinite(length)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: %g; must be > 0 m", field, (double)length);
}

static scree_result check_capacity(int capacity) {
    if (capacity >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "capacity: %d; must be >= 0", capacity);
}

/* Converts a ray. Scales the direction by its largest component first, since its square may overflow or
 * vanish. */
static scree_result ray_in(const scree_ray *ray, query_ray *out) {
    const vec3s d = vec3_in(ray->direction);
    const scalar largest = scalar_max(scalar_abs(d.x), scalar_max(scalar_abs(d.y), scalar_abs(d.z)));
    TRY(check_vector("origin", ray->origin));
    if (!vec3_finite(d) || !(largest > 0) || !isfinite(1 / largest))
        return fail(SCREE_ERROR_ARGUMENT, "direction: (%g, %g, %g); must be finite and not zero", (double)d.x,
                    (double)d.y, (double)d.z);
    if (!(ray->distance > 0))
        return fail(SCREE_ERROR_ARGUMENT, "distance: %g; must be > 0 m", (double)ray->distance);
    const vec3s scaled = vec3_of(d.x / largest, d.y / largest, d.z / largest);
    *out = (query_ray){vec3_in(ray->origin), glms_vec3_scale(scaled, 1 / glms_vec3_norm(scaled)),
                       scalar_min(ray->distance, FARTHEST)};
    return SCREE_OK;
}

static scree_result update(scree_world *world) {
    team *const before = team_lead(world->team);
    const scree_result result =
        query_update(&world->queries, &world->state.bodies,
                     parallel_threads(world->model.threads, world->state.bodies.count));
    team_lead(before);
    return result;
}

static scree_ray_hit hit_out(const scree_world *world, query_ray ray, query_hit hit) {
    const vec3s point = glms_vec3_add(ray.origin, glms_vec3_scale(ray.direction, hit.distance));
    return (scree_ray_hit){body_id_of(&world->state.bodies, hit.slot), hit.distance, vec3_out(point),
                           vec3_out(hit.normal)};
}

scree_result scree_world_cast_ray(scree_world *world, const scree_ray *ray, scree_ray_hit *out) {
    query_ray line;
    REQUIRE(world);
    REQUIRE(ray);
    REQUIRE(out);
    TRY(ray_in(ray, &line));
    TRY(update(world));
    const query_hit hit = query_first(&world->queries, &world->state.bodies, line);
    *out = hit.slot < 0 ? (scree_ray_hit){0} : hit_out(world, line, hit);
    return SCREE_OK;
}

scree_result scree_world_cast_ray_all(scree_world *world, const scree_ray *ray, scree_ray_hit *out,
                                      int capacity, int *count) {
    query_ray line;
    REQUIRE(world);
    REQUIRE(ray);
    REQUIRE(count);
    TRY(check_capacity(capacity));
    if (capacity > 0) REQUIRE(out);
    TRY(ray_in(ray, &line));
    TRY(update(world));
    TRY(query_all(&world->queries, &world->state.bodies, line));
    *count = world->queries.hit_count;
    for (int i = 0; i < *count && i < capacity; i++) out[i] = hit_out(world, line, world->queries.hits[i]);
    return SCREE_OK;
}

/* Shared part of both overlap queries, after their arguments have been checked. */
static scree_result find_overlaps(scree_world *world, scree_shape shape, body_pose pose, scree_body_id *out,
                                  int capacity, int *count) {
    TRY(check_capacity(capacity));
    TRY(update(world));
    TRY(query_overlap(&world->queries, &world->state.bodies, shape, pose));
    *count = world->queries.slot_count;
    for (int i = 0; i < *count && i < capacity; i++)
        out[i] = body_id_of(&world->state.bodies, world->queries.slots[i]);
    return SCREE_OK;
}

scree_result scree_world_overlap_sphere(scree_world *world, scree_vec3 centre, float radius,
                                        scree_body_id *out, int capacity, int *count) {
    const body_pose pose = {.position = vec3_in(centre), .rotation = versor_of(0, 0, 0, 1)};
    REQUIRE(world);
    REQUIRE(count);
    if (capacity > 0) REQUIRE(out);
    TRY(check_vector("centre", centre));
    TRY(check_length("radius", radius));
    return find_overlaps(world, scree_shape_sphere(radius), pose, out, capacity, count);
}

scree_result scree_world_overlap_box(scree_world *world, scree_vec3 centre, scree_vec3 half,
                                     scree_quat rotation, scree_body_id *out, int capacity, int *count) {
    const versors q = quat_in(rotation);
    const scalar square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    REQUIRE(world);
    REQUIRE(count);
    if (capacity > 0) REQUIRE(out);
    TRY(check_vector("centre", centre));
    TRY(check_length("half.x", half.x));
    TRY(check_length("half.y", half.y));
    TRY(check_length("half.z", half.z));
    if (!(scalar_abs(square - 1) < 1e-3f))
        return fail(SCREE_ERROR_ARGUMENT, "rotation: norm %g; must be a unit quaternion",
                    (double)scalar_sqrt(square));
    const body_pose pose = {.position = vec3_in(centre), .rotation = rotation_normalised(q)};
    return find_overlaps(world, scree_shape_box(half.x, half.y, half.z), pose, out, capacity, count);
}
