/* Public queries. */
#include <scree/query.h>

#include "base/finite.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "geometry/children.h"
#include "rotation.h"
#include "step/world.h"

static const scalar FARTHEST = 1e29f; /* m; longest ray */

static scree_result check_length(const char *field, float length) {
    if (length > 0 && isfinite(length)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: %g; must be > 0 m and finite", field, (double)length);
}

static scree_result check_rotation(const char *field, scree_quat q) {
    const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (fabsf(square - 1) < 1e-3f) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: norm %g; must be a unit quaternion", field, (double)sqrtf(square));
}

static scree_result check_capacity(int capacity) {
    if (capacity >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "capacity: %d; must be >= 0", capacity);
}

/* A caller's filter in a world. */
typedef struct caller_filter {
    const scree_world *world;
    const scree_query_filter *from; /* null: all bodies */
} caller_filter;

static bool is_ignored(const scree_query_filter *from, scree_body_id body) {
    for (int i = 0; i < from->ignored_count; i++)
        if (from->ignored[i].index == body.index && from->ignored[i].generation == body.generation &&
            from->ignored[i].world == body.world)
            return true;
    return false;
}

static bool caller_accepts(const void *context, int slot) {
    const caller_filter *self = context;
    const scree_query_filter *from = self->from;
    const body_array *bodies = &self->world->state.bodies;
    const scree_body_id body = body_id_of(bodies, slot);
    if (from->mask && !(body_settings_of(bodies, slot).groups & from->mask)) return false;
    if (is_ignored(from, body)) return false;
    return !from->accepts || from->accepts(self->world, body, from->user);
}

static scree_result check_filter(const scree_query_filter *filter) {
    if (!filter || (filter->ignored_count >= 0 && (filter->ignored || filter->ignored_count == 0)))
        return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "filter.ignored_count: %d; must be >= 0 and the number of ignored bodies",
                filter->ignored_count);
}

static query_filter filter_in(const caller_filter *filter) {
    return (query_filter){.accepts = filter->from ? caller_accepts : NULL, .context = filter};
}

/* Writes the unit vector along a direction and its length, which may be null. Scales by the largest component
 * first, since the square may overflow or vanish. */
static scree_result direction_in(const char *field, scree_vec3 direction, vec3s *out, double *length) {
    const vec3s d = vec3_in(direction);
    const scalar largest = scalar_max(scalar_abs(d.x), scalar_max(scalar_abs(d.y), scalar_abs(d.z)));
    if (!vec3_finite(d) || !(largest > 0) || !isfinite(1 / largest))
        return fail(SCREE_ERROR_ARGUMENT, "%s: (%g, %g, %g); must be finite and not zero", field, (double)d.x,
                    (double)d.y, (double)d.z);
    const vec3s scaled = vec3_of(d.x / largest, d.y / largest, d.z / largest);
    *out = glms_vec3_scale(scaled, 1 / glms_vec3_norm(scaled));
    if (length) *length = (double)largest * (double)glms_vec3_norm(scaled);
    return SCREE_OK;
}

static scree_result ray_in(const scree_ray *ray, query_ray *out) {
    *out = (query_ray){.origin = vec3_in(ray->origin), .limit = scalar_min(ray->distance, FARTHEST)};
    TRY(finite_check(ray->origin, "m", "origin"));
    TRY(direction_in("direction", ray->direction, &out->direction, NULL));
    if (ray->distance > 0) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "distance: %g; must be > 0 m", (double)ray->distance);
}

static scree_result update(scree_world *world) {
    TRY(bodies_bring(&world->state.bodies));
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

scree_result scree_world_cast_ray(scree_world *world, const scree_ray *ray, const scree_query_filter *filter,
                                  scree_ray_hit *out) {
    const caller_filter by = {world, filter};
    query_ray line;
    REQUIRE(world);
    REQUIRE(ray);
    REQUIRE(out);
    TRY(ray_in(ray, &line));
    TRY(check_filter(filter));
    line.filter = filter_in(&by);
    TRY(update(world));
    const query_hit hit = query_first(&world->queries, &world->state.bodies, line);
    *out = hit.slot < 0 ? (scree_ray_hit){0} : hit_out(world, line, hit);
    return SCREE_OK;
}

scree_result scree_world_cast_ray_all(scree_world *world, const scree_ray *ray,
                                      const scree_query_filter *filter, scree_ray_hit *out, int capacity,
                                      int *count) {
    const caller_filter by = {world, filter};
    query_ray line;
    REQUIRE(world);
    REQUIRE(ray);
    REQUIRE(count);
    TRY(check_capacity(capacity));
    if (capacity > 0) REQUIRE(out);
    TRY(ray_in(ray, &line));
    TRY(check_filter(filter));
    line.filter = filter_in(&by);
    TRY(update(world));
    TRY(query_all(&world->queries, &world->state.bodies, line));
    *count = world->queries.hit_count;
    for (int i = 0; i < *count && i < capacity; i++) out[i] = hit_out(world, line, world->queries.hits[i]);
    return SCREE_OK;
}

/* Shared part of the overlap queries, after their arguments have been checked. */
static scree_result find_overlaps(scree_world *world, scree_shape shape, body_pose pose,
                                  const scree_query_filter *filter, scree_body_id *out, int capacity,
                                  int *count) {
    const caller_filter by = {world, filter};
    TRY(check_capacity(capacity));
    TRY(check_filter(filter));
    TRY(update(world));
    TRY(query_overlap(&world->queries, &world->state.bodies, shape, pose, filter_in(&by)));
    *count = world->queries.slot_count;
    for (int i = 0; i < *count && i < capacity; i++)
        out[i] = body_id_of(&world->state.bodies, world->queries.slots[i]);
    return SCREE_OK;
}

scree_result scree_world_overlap_sphere(scree_world *world, scree_vec3 centre, float radius,
                                        const scree_query_filter *filter, scree_body_id *out, int capacity,
                                        int *count) {
    const body_pose pose = {.position = vec3_in(centre), .rotation = versor_of(0, 0, 0, 1)};
    REQUIRE(world);
    REQUIRE(count);
    if (capacity > 0) REQUIRE(out);
    TRY(finite_check(centre, "m", "centre"));
    TRY(check_length("radius", radius));
    return find_overlaps(world, scree_shape_sphere(radius), pose, filter, out, capacity, count);
}

scree_result scree_world_overlap_box(scree_world *world, scree_vec3 centre, scree_vec3 half,
                                     scree_quat rotation, const scree_query_filter *filter,
                                     scree_body_id *out, int capacity, int *count) {
    REQUIRE(world);
    REQUIRE(count);
    if (capacity > 0) REQUIRE(out);
    TRY(finite_check(centre, "m", "centre"));
    TRY(check_length("half.x", half.x));
    TRY(check_length("half.y", half.y));
    TRY(check_length("half.z", half.z));
    TRY(check_rotation("rotation", rotation));
    const body_pose pose = {.position = vec3_in(centre), .rotation = rotation_normalised(quat_in(rotation))};
    return find_overlaps(world, scree_shape_box(half.x, half.y, half.z), pose, filter, out, capacity, count);
}

static bool is_convex(scree_shape shape) { return shape_movable(shape) && !shape_has_children(shape); }

static scree_result check_placed(const scree_placed_shape *placed) {
    TRY(scree_validate_shape(placed->shape));
    if (!is_convex(placed->shape))
        return fail(SCREE_ERROR_ARGUMENT, "placed.shape: a %s; must be convex and bounded",
                    scree_shape_kind_name(placed->shape.kind));
    TRY(finite_check(placed->position, "m", "placed.position"));
    return check_rotation("placed.rotation", placed->rotation);
}

static versors rotation_in(const scree_placed_shape *placed) {
    return rotation_normalised(quat_in(placed->rotation));
}

scree_result scree_world_overlap_shape(scree_world *world, const scree_placed_shape *placed,
                                       const scree_query_filter *filter, scree_body_id *out, int capacity,
                                       int *count) {
    REQUIRE(world);
    REQUIRE(placed);
    REQUIRE(count);
    if (capacity > 0) REQUIRE(out);
    TRY(check_placed(placed));
    const body_pose pose = {.position = vec3_in(placed->position), .rotation = rotation_in(placed)};
    return find_overlaps(world, placed->shape, pose, filter, out, capacity, count);
}

scree_result scree_world_cast_shape(scree_world *world, const scree_cast *cast,
                                    const scree_query_filter *filter, scree_cast_hit *out) {
    const caller_filter by = {world, filter};
    double length;
    REQUIRE(world);
    REQUIRE(cast);
    REQUIRE(out);
    TRY(check_placed(&cast->placed));
    TRY(check_filter(filter));
    const query_solid solid = query_solid_of(cast->placed.shape, rotation_in(&cast->placed));
    query_ray way = {.origin = vec3_in(cast->placed.position), .solid = &solid, .filter = filter_in(&by)};
    TRY(direction_in("translation", cast->translation, &way.direction, &length));
    way.limit = (scalar)fmin(length, (double)FARTHEST);
    TRY(update(world));
    const query_hit hit = query_first(&world->queries, &world->state.bodies, way);
    *out = (scree_cast_hit){.fraction = 1};
    if (hit.slot < 0) return SCREE_OK;
    *out = (scree_cast_hit){.body = body_id_of(&world->state.bodies, hit.slot),
                            .child = hit.child,
                            .fraction = (float)fmin(1, (double)hit.distance / length),
                            .point = vec3_out(glms_vec3_add(way.origin, hit.reach)),
                            .normal = vec3_out(hit.normal)};
    return SCREE_OK;
}

scree_result scree_world_find_nearest(scree_world *world, const scree_placed_shape *placed, float distance,
                                      const scree_query_filter *filter, scree_nearest *out) {
    const caller_filter by = {world, filter};
    REQUIRE(world);
    REQUIRE(placed);
    REQUIRE(out);
    scree_placed_shape checked = *placed;
    const bool is_point = checked.shape.kind == SCREE_SHAPE_SPHERE && checked.shape.size.x == 0;
    if (is_point) checked.shape.size.x = 1;
    TRY(check_placed(&checked));
    TRY(check_length("distance", distance));
    TRY(check_filter(filter));
    TRY(update(world));
    const query_solid solid = query_solid_of(placed->shape, rotation_in(placed));
    const query_nearest found = query_find_nearest(&world->queries, &world->state.bodies, &solid,
                                                   vec3_in(placed->position), distance, filter_in(&by));
    *out = (scree_nearest){.distance = distance};
    if (found.slot < 0) return SCREE_OK;
    *out = (scree_nearest){.body = body_id_of(&world->state.bodies, found.slot),
                           .child = found.child,
                           .distance = found.gap,
                           .point = vec3_out(found.point),
                           .other = vec3_out(found.other),
                           .normal = vec3_out(found.normal)};
    return SCREE_OK;
}
