#include "body_definition.h"

#include "base/finite.h"
#include "base/vector.h"
#include "block.h"
#include "geometry/shape.h"
#include "motion.h"

_Static_assert((int)SCREE_LOCK_X == LOCK_X && (int)SCREE_LOCK_ROTATION_Z == LOCK_ROTATION_Z,
               "one set of lock bits");

static const double ROUNDED = 0.01; /* relative tolerance of moments of inertia given with two decimals */

/* Squares, as in lengths and energies, exceed single precision beyond 1.8e19. */
static bool square_finite(scree_vec3 v) { return isfinite(glms_vec3_norm2(vec3_in(v))); }

scree_result body_check_state(const scree_body_state *state) {
    TRY(finite_check(state->position, "m", "state.position"));
    if (!square_finite(state->position))
        return fail(SCREE_ERROR_ARGUMENT, "state.position: (%g, %g, %g) m; length must be below 1.8e19 m",
                    (double)state->position.x, (double)state->position.y, (double)state->position.z);
    TRY(finite_check(state->linear_velocity, "m/s", "state.linear_velocity"));
    TRY(finite_check(state->angular_velocity, "rad/s", "state.angular_velocity"));
    const scree_quat q = state->rotation;
    const float norm2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(fabsf(norm2 - 1) < 1e-3f))
        return fail(SCREE_ERROR_ARGUMENT, "state.rotation: norm %g; must be a unit quaternion",
                    (double)sqrtf(norm2));
    return SCREE_OK;
}

/* Rejects properties that only a dynamic body has. */
static scree_result check_unmoved(const scree_body_def *def) {
    const scree_vec3 i = def->inertia, f = def->force, t = def->torque;
    const char *given = def->mass != 0                     ? "mass"
                        : i.x != 0 || i.y != 0 || i.z != 0 ? "inertia"
                        : def->locks                       ? "locks"
                        : f.x != 0 || f.y != 0 || f.z != 0 ? "force"
                        : t.x != 0 || t.y != 0 || t.z != 0 ? "torque"
                                                           : NULL;
    if (def->type == SCREE_BODY_DYNAMIC || !given) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: set on a body that is not dynamic; must be 0", given);
}

/* Moments of inertia are I_x = Σ m (y² + z²) and so on, so none exceeds the sum of the other two; a flat body
 * reaches it. Rounded values may exceed it slightly. */
static scree_result check_inertia(scree_vec3 inertia) {
    const double x = (double)inertia.x, y = (double)inertia.y, z = (double)inertia.z, sum = x + y + z,
                 largest = fmax(x, fmax(y, z));
    if (x == 0 && y == 0 && z == 0) return SCREE_OK;
    if (!isfinite(sum) || !(x > 0 && y > 0 && z > 0))
        return fail(SCREE_ERROR_ARGUMENT, "inertia: (%g, %g, %g); must be three moments > 0 kg m², or all 0",
                    x, y, z);
    if (largest > (1 + ROUNDED) * (sum - largest))
        return fail(SCREE_ERROR_ARGUMENT,
                    "inertia: (%g, %g, %g); no moment may exceed the sum of the other two", x, y, z);
    return SCREE_OK;
}

scree_result body_check_def(const scree_body_def *def) {
    if ((unsigned)def->type > SCREE_BODY_DYNAMIC)
        return fail(SCREE_ERROR_ARGUMENT, "type: %d; must be 0 to %d", (int)def->type, SCREE_BODY_DYNAMIC);
    TRY(scree_validate_shape(def->shape));
    TRY(body_check_state(&def->state));
    if (def->type == SCREE_BODY_DYNAMIC && !shape_movable(def->shape))
        return fail(SCREE_ERROR_ARGUMENT, "type: a dynamic %s; must be static or kinematic",
                    scree_shape_kind_name(def->shape.kind));
    if (!(def->mass >= 0) || !isfinite(def->mass))
        return fail(SCREE_ERROR_ARGUMENT, "mass: %g; must be > 0 kg, or 0 to derive it from the shape",
                    (double)def->mass);
    TRY(check_inertia(def->inertia));
    if (!isfinite(def->gravity_scale))
        return fail(SCREE_ERROR_ARGUMENT, "gravity_scale: %g; must be finite", (double)def->gravity_scale);
    if (def->locks > 63) return fail(SCREE_ERROR_ARGUMENT, "locks: %u; must be scree_lock bits", def->locks);
    TRY(finite_check(def->force, "N", "force"));
    TRY(finite_check(def->torque, "N m", "torque"));
    TRY(finite_check(def->surface_velocity, "m/s", "surface_velocity"));
    const scree_vec3 belt = def->surface_velocity;
    if (!square_finite(belt))
        return fail(SCREE_ERROR_ARGUMENT,
                    "surface_velocity: (%g, %g, %g) m/s; length must be below 1.8e19 m/s", (double)belt.x,
                    (double)belt.y, (double)belt.z);
    if (def->type == SCREE_BODY_DYNAMIC && (belt.x != 0 || belt.y != 0 || belt.z != 0))
        return fail(SCREE_ERROR_ARGUMENT, "surface_velocity: set on a dynamic body; must be 0");
    return check_unmoved(def);
}

scree_result body_mass_of(const scree_body_def *def, float density, body_mass *out) {
    *out = (body_mass){.gravity_scale = def->gravity_scale, .locks = (int)def->locks};
    if (def->type != SCREE_BODY_DYNAMIC) return SCREE_OK;
    out->mass = def->mass > 0 ? def->mass : (float)scree_shape_get_mass(def->shape, (double)density);
    out->inertia = def->inertia.x > 0 ? vec3_in(def->inertia)
                                      : glms_vec3_scale(shape_unit_inertia(def->shape), out->mass);
    if (!(out->mass > 0) || !isfinite(out->mass) || !isfinite(1 / out->mass) || !(out->inertia.x > 0) ||
        !(out->inertia.y > 0) || !(out->inertia.z > 0) || !vec3_finite(out->inertia) ||
        !isfinite(1 / out->inertia.x) || !isfinite(1 / out->inertia.y) || !isfinite(1 / out->inertia.z))
        return fail(SCREE_ERROR_ARGUMENT,
                    "mass %g kg and inertia (%g, %g, %g) kg m² of this %s: outside single precision; change "
                    "shape or density",
                    (double)out->mass, (double)out->inertia.x, (double)out->inertia.y, (double)out->inertia.z,
                    scree_shape_kind_name(def->shape.kind));
    return SCREE_OK;
}

body_pose body_pose_in(const scree_body_state *state) {
    return (body_pose){.position = vec3_in(state->position),
                       .rotation = rotation_normalised(quat_in(state->rotation))};
}

body_velocity body_velocity_in(const scree_body_state *state) {
    return (body_velocity){.linear = vec3_in(state->linear_velocity),
                           .angular = vec3_in(state->angular_velocity)};
}

/* A rotation uses the square of the turn, so an angular velocity with an infinite square destroys the pose.
 * Energies use the squares of both velocities, and a step fails if they are infinite. */
static bool velocity_finite(body_velocity v) {
    return isfinite(glms_vec3_norm2(v.linear)) && isfinite(glms_vec3_norm2(v.angular));
}

scree_result body_check_motion(motion_parameters motion, body_pose pose, body_velocity velocity,
                               body_mass mass, body_load load) {
    const body_velocity still = {0},
                        after = free_velocity_of(pose, velocity, mass, load, mobility_of(pose, mass), motion);
    const body_pose next =
        place_after((body_place){.pose = pose}, mass, after, after, still, motion.time_step).pose;
    if (velocity_finite(velocity) && vec3_finite(load.force) && vec3_finite(load.torque) &&
        velocity_finite(after) && vec3_finite(next.position))
        return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "state: not finite after a step of %g s; reduce velocity %g, %g, %g m/s, angular velocity "
                "%g, %g, %g rad/s, force %g, %g, %g N or torque %g, %g, %g N m",
                (double)motion.time_step, (double)velocity.linear.x, (double)velocity.linear.y,
                (double)velocity.linear.z, (double)velocity.angular.x, (double)velocity.angular.y,
                (double)velocity.angular.z, (double)load.force.x, (double)load.force.y, (double)load.force.z,
                (double)load.torque.x, (double)load.torque.y, (double)load.torque.z);
}
