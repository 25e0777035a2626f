/* Public calls on zones. */
#include "base/error.h"
#include "base/vector.h"
#include "geometry/shape.h"
#include "detect/zone_frame.h"
#include "model/zone.h"
#include "step/world.h"

scree_result scree_validate_zone(const scree_zone *zone) {
    REQUIRE(zone);
    return zone_validate(zone);
}

scree_result scree_world_check_zone(const scree_world *world, const scree_zone *zone, bool plane) {
    REQUIRE(world);
    REQUIRE(zone);
    TRY(zone_validate(zone));
    return zone_images_check(zone, &world->state.bodies.period, plane);
}

scree_zone_frame scree_zone_get_frame(const scree_zone *zone) {
    REQUIRE_ELSE(zone, (scree_zone_frame){0});
    return zone_frame_of(zone);
}

double scree_zone_get_volume(const scree_zone_frame *zone) {
    REQUIRE_ELSE(zone, 0);
    return zone_frame_volume(zone);
}

void scree_zone_get_local_point(const scree_zone_frame *zone, scree_vec3 point, double out[3]) {
    REQUIRE_ELSE(zone, );
    REQUIRE_ELSE(out, );
    zone_frame_local(zone, vec3_in(point), out);
}

scree_pose scree_zone_get_local_pose(const scree_zone_frame *zone, scree_pose pose) {
    REQUIRE_ELSE(zone, pose);
    return pose_out(zone_frame_pose(zone, pose_in(pose)));
}

bool scree_zone_holds_local(const scree_zone_frame *zone, const double local[3]) {
    REQUIRE_ELSE(zone, false);
    REQUIRE_ELSE(local, false);
    return zone_frame_holds(zone, local);
}

double scree_zone_get_segment_share(const scree_zone_frame *zone, const double a[3], const double b[3]) {
    REQUIRE_ELSE(zone, 0);
    REQUIRE_ELSE(a, 0);
    REQUIRE_ELSE(b, 0);
    return zone_frame_fraction(zone, a, b);
}

double scree_zone_cut_shape(const scree_zone_frame *zone, scree_shape shape, scree_pose pose) {
    REQUIRE_ELSE(zone, 0);
    return shape_is_complete(shape) ? zone_frame_cut(zone, shape, pose_in(pose)) : 0;
}

bool scree_zone_holds(const scree_world *world, const scree_zone_frame *zone, scree_vec3 point,
                      double local[3]) {
    REQUIRE_ELSE(world, false);
    REQUIRE_ELSE(zone, false);
    REQUIRE_ELSE(local, false);
    return zone_images_hold(zone, &world->state.bodies.period, vec3_in(point), local);
}

void scree_zone_get_local_pair(const scree_world *world, const scree_zone_frame *zone, scree_vec3 a,
                               scree_vec3 b, double a_local[3], double b_local[3]) {
    REQUIRE_ELSE(world, );
    REQUIRE_ELSE(zone, );
    REQUIRE_ELSE(a_local, );
    REQUIRE_ELSE(b_local, );
    const vec3s other = vec3_in(b);
    zone_frame_images(zone, &world->state.bodies.period, vec3_in(a), a_local, &other, b_local);
}

scree_zone_images scree_zone_get_images(const scree_world *world, const scree_zone_frame *zone,
                                        scree_box around) {
    REQUIRE_ELSE(world, (scree_zone_images){0});
    REQUIRE_ELSE(zone, (scree_zone_images){0});
    return zone_images_of(zone, &world->state.bodies.period,
                          (bounds){.lower = vec3_in(around.lower), .upper = vec3_in(around.upper)});
}

bool scree_zone_images_next(scree_zone_images *images) {
    REQUIRE_ELSE(images, false);
    return zone_images_next(images);
}
