#include "pull.h"

#include "base/error.h"
#include "base/vector.h"
#include "rotation.h"

/* Returns the square of the frequency, 1/s². */
static double frequency_squared(const scree_world *world, scree_shape shape) {
    const double h = scree_world_get_def(world).time_step, most = 0.25 / h;
    return fmin(9.81 / (scree_shape_get_radius(shape) / 2), most * most);
}

scree_result pull_apply(const pull *self, scree_world *world) {
    scree_body_def def;
    float mass;
    if (!scree_body_is_valid(world, self->body)) return SCREE_OK;
    TRY(scree_body_get_def(world, self->body, &def));
    TRY(scree_body_get_mass(world, self->body, &mass, NULL));
    const double square = frequency_squared(world, def.shape);
    const vec3s arm = rotate(quat_in(def.state.rotation), vec3_in(self->grip)),
                point = glms_vec3_add(vec3_in(def.state.position), arm);
    const vec3s spin = glms_vec3_cross(vec3_in(def.state.angular_velocity), arm),
                velocity = glms_vec3_add(vec3_in(def.state.linear_velocity), spin);
    const vec3s spring = glms_vec3_scale(glms_vec3_sub(vec3_in(self->goal), point), (scalar)(mass * square)),
                damper = glms_vec3_scale(velocity, (scalar)(2 * mass * sqrt(square)));
    return scree_body_apply_force_at(world, self->body, vec3_out(glms_vec3_sub(spring, damper)),
                                     vec3_out(point));
}
