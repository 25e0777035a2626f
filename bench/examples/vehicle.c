/* A car: a chassis on four suspended wheels, the rear ones driven, the front ones steered. It accelerates
 * straight on, then turns. Prints its speed and the radius of its turn. */
#include "check.h"

#include <math.h>

enum { WHEELS = 4 }; /* front left, front right, rear left, rear right */
static const float RADIUS = 0.35f, BASE = 2.6f, TRACK = 1.6f; /* m */

typedef struct car {
    scree_body_id chassis;
    scree_joint_id wheels[WHEELS];
} car;

/* Coordinates of a suspension: x is the travel of the spring, rotation x the steering, rotation z the wheel's
 * turning about its axle. */
static scree_joint_def suspension(scree_body_id chassis, scree_body_id wheel, bool front) {
    scree_joint_def def = scree_default_joint_def(SCREE_JOINT_SUSPENSION);
    scree_joint_axis *travel = &def.axes[SCREE_AXIS_X], *steering = &def.axes[SCREE_AXIS_ROTATION_X],
                     *axle = &def.axes[SCREE_AXIS_ROTATION_Z];
    def.a = chassis, def.b = wheel;
    travel->drive = SCREE_DRIVE_POSITION;
    travel->servo = (scree_spring){.stiffness = 30000, .damping = 3000};
    if (front) {
        steering->mode = SCREE_AXIS_FREE;
        steering->drive = SCREE_DRIVE_POSITION;
        steering->servo = (scree_spring){.frequency = 10, .damping_ratio = 1};
    } else {
        axle->drive = SCREE_DRIVE_VELOCITY;
        axle->max_force = 400; /* N m */
    }
    return def;
}

static void add_wheel(scree_world *world, car *self, int i) {
    const scree_vec3 at = {i < 2 ? BASE / 2 : -BASE / 2, i % 2 ? -TRACK / 2 : TRACK / 2, RADIUS};
    scree_body_def def = scree_default_body_def();
    scree_body_id wheel;
    def.shape = scree_shape_sphere(RADIUS);
    def.state.position = at;
    def.mass = 20;
    CHECK(scree_body_create(world, &def, &wheel));
    scree_joint_def joint = suspension(self->chassis, wheel, i < 2);
    CHECK(scree_joint_get_frame(world, &joint, at, (scree_vec3){0, 0, 1}, (scree_vec3){1, 0, 0}));
    CHECK(scree_joint_create(world, &joint, &self->wheels[i]));
}

static car add_car(scree_world *world) {
    scree_body_def def = scree_default_body_def();
    car self;
    def.shape = scree_shape_box(2, 0.8f, 0.3f);
    def.state.position.z = 0.9f;
    def.mass = 1200;
    CHECK(scree_body_create(world, &def, &self.chassis));
    for (int i = 0; i < WHEELS; i++) add_wheel(world, &self, i);
    return self;
}

static void drive(scree_world *world, const car *self, float wheel_speed, float steering) {
    for (int i = 0; i < WHEELS; i++)
        CHECK(scree_joint_set_target(world, self->wheels[i],
                                     i < 2 ? SCREE_AXIS_ROTATION_X : SCREE_AXIS_ROTATION_Z,
                                     i < 2 ? steering : wheel_speed));
}

static scree_body_state run(scree_world *world, const car *self, int steps) {
    scree_body_state state;
    for (int i = 0; i < steps; i++) CHECK(scree_world_step(world, NULL));
    CHECK(scree_body_get_state(world, self->chassis, &state));
    return state;
}

int main(void) {
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    scree_body_def road = scree_default_body_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    def.material.friction = 0.9f;
    CHECK(scree_world_create(&def, &world));
    road.type = SCREE_BODY_STATIC;
    road.shape = scree_shape_half_space();
    CHECK(scree_body_create(world, &road, NULL));
    const car self = add_car(world);

    drive(world, &self, 20, 0);
    const scree_body_state straight = run(world, &self, 1200);
    drive(world, &self, 20, 0.2f);
    const scree_body_state turning = run(world, &self, 480);
    const scree_vec3 v = turning.linear_velocity;
    printf("speed %.2f m/s (wheels: %.2f), turn of radius %.1f m (wheelbase / tan of the steering: %.1f)\n",
           (double)straight.linear_velocity.x, 20 * (double)RADIUS,
           (double)(hypotf(v.x, v.y) / turning.angular_velocity.z), (double)(BASE / tanf(0.2f)));
    scree_world_destroy(world);
    return 0;
}
