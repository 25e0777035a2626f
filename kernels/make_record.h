/* The record of a body from its shape's constants, its pose and its velocity. */
#ifndef SCREE_KERNELS_MAKE_RECORD_H
#define SCREE_KERNELS_MAKE_RECORD_H

#include "body_record.h"
#include "oriented_box.h"

/* Returns the angular speed that moves a body's surface, rad/s. Spin about an axis of revolution does not. */
SHARED scalar record_spin(int kind, body_pose pose, vec3s angular) {
    return glms_vec3_norm(
        record_revolves(kind) ? glms_vec3_cross(angular, rotate(pose.rotation, vec3_of(0, 0, 1))) : angular);
}

/* Returns the record of a body. `spin`: the angular speed that moves its surface, rad/s. */
SHARED body_record body_record_of(record_shape shape, body_pose pose, body_velocity velocity, scalar spin) {
    const vec3s at = pose.position, v = velocity.linear, halves = shape.halves;
    const vec3s none = glms_vec3_zero();
    oriented_box box;
    box.axes[0] = box.axes[1] = box.axes[2] = none;
    if (shape.kind == RECORD_BOX) box = oriented_box_of(halves, pose.rotation, at);
    if (shape.kind == RECORD_HALF_SPACE) box.axes[2] = rotate(pose.rotation, vec3_of(0, 0, 1));
    const vec3s x = box.axes[0], y = box.axes[1], z = box.axes[2];
    body_record r;
    r.centre[0] = at.x, r.centre[1] = at.y, r.centre[2] = at.z, r.radius = shape.radius;
    r.halves[0] = halves.x, r.halves[1] = halves.y, r.halves[2] = halves.z, r.half_width = shape.half_width;
    r.velocity[0] = v.x, r.velocity[1] = v.y, r.velocity[2] = v.z, r.square_speed = glms_vec3_norm2(v);
    r.axis_x[0] = x.x, r.axis_x[1] = x.y, r.axis_x[2] = x.z, r.kind = shape.kind;
    r.axis_y[0] = y.x, r.axis_y[1] = y.y, r.axis_y[2] = y.z;
    r.turning_speed = shape.turning_radius < INFINITY ? spin * shape.turning_radius : spin;
    r.axis_z[0] = z.x, r.axis_z[1] = z.y, r.axis_z[2] = z.z, r.reserved = 0;
    return r;
}

#endif
