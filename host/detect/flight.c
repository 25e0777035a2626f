#include "flight.h"

#include "flight_points.h"

scalar flight_least_gap(const manifold *found) { return skimming_least_gap(found->points, found->count); }

manifold flight_after(const flight *self, vec3s motion) {
    body_pose pose_b = self->pose_b;
    pose_b.position = glms_vec3_add(pose_b.position, motion);
    return manifold_of(self->shape_a, self->pose_a, self->shape_b, pose_b, self->reach);
}

manifold flight_linearised(manifold found, vec3s motion, scalar of_b) {
    const flight_return back = flight_return_of(found.normal, motion, of_b);
    for (int i = 0; i < found.count; i++) found.points[i] = flight_point_back(found.points[i], back);
    return found;
}

scalar flight_time_of_impact(const flight *self, scalar most, scalar width, manifold *at) {
    const flight_event event = flight_impact(self, self->velocity, most, width, manifold_points_in(at));
    *at = manifold_from(event.at);
    return event.time;
}
