/* A car of four wheels on suspensions: its static depth, free rolling, and steering. */
#include "joint_scenery.h"

enum { WHEELS = 4 };
static const double RADIUS = 0.3, STIFFNESS = 20000, CHASSIS = 400, WHEEL = 20;

typedef struct car {
    scree_world *world;
    scree_body_id chassis, wheels[WHEELS];
    scree_joint_id joints[WHEELS];
} car;

/* x points ahead, z up; wheels 0 and 1 are in front */
static car make_car(void **state, double steering) {
    car self = {.world = exact_world(state, 0.005)};
    add_slope(self.world, 0);
    scree_body_def body = scree_default_body_def();
    body.shape = scree_shape_box(1.5f, 0.6f, 0.2f), body.mass = (float)CHASSIS;
    body.state.position = (scree_vec3){0, 0, 0.6f};
    CHECK(scree_body_create(self.world, &body, &self.chassis));
    for (int i = 0; i < WHEELS; i++) {
        const scree_vec3 at = {i < 2 ? 1 : -1, i % 2 ? 0.7f : -0.7f, (float)RADIUS};
        body.shape = scree_shape_sphere((float)RADIUS), body.mass = (float)WHEEL;
        body.state.position = at;
        CHECK(scree_body_create(self.world, &body, &self.wheels[i]));
        scree_joint_def joint = scree_default_joint_def(SCREE_JOINT_SUSPENSION);
        joint.a = self.chassis, joint.b = self.wheels[i];
        CHECK(scree_joint_get_frame(self.world, &joint, at, (scree_vec3){0, 0, 1}, (scree_vec3){1, 0, 0}));
        scree_joint_axis *way = &joint.axes[SCREE_AXIS_X], *turn = &joint.axes[SCREE_AXIS_ROTATION_X];
        way->drive = SCREE_DRIVE_POSITION,
        way->servo = (scree_spring){.stiffness = (float)STIFFNESS, .damping = 2500};
        if (steering != 0 && i < 2) {
            turn->mode = SCREE_AXIS_FREE, turn->drive = SCREE_DRIVE_POSITION, turn->target = (float)steering;
            turn->servo = (scree_spring){.stiffness = 20000, .damping = 500};
        }
        self.joints[i] = add_joint(self.world, &joint);
    }
    return self;
}

static void push(const car *self, double speed) {
    for (int i = -1; i < WHEELS; i++) {
        const scree_body_id id = i < 0 ? self->chassis : self->wheels[i];
        scree_body_state state = state_of(self->world, id);
        state.linear_velocity.x = (float)speed;
        if (i >= 0) state.angular_velocity.y = (float)(speed / RADIUS);
        CHECK(scree_body_set_state(self->world, id, &state));
    }
}

/* Each spring carries a quarter of the chassis at m g/k. */
static void car_rests_at_the_depth_of_its_springs(void **state) {
    const car self = make_car(state, 0);
    run_for(self.world, 2);
    for (int i = 0; i < WHEELS; i++) {
        const scree_joint_state joint = joint_state_of(self.world, self.joints[i]);
        ASSERT_NEAR(joint.position[SCREE_AXIS_X], CHASSIS / WHEELS * G / STIFFNESS, 1e-3);
        ASSERT_AT_MOST(joint.error, 1e-4);
    }
    ASSERT_WITHIN(0.6 - CHASSIS / WHEELS * G / STIFFNESS, state_of(self.world, self.chassis).position.z,
                  1e-4);
    scree_world_destroy(self.world);
}

/* Pushed, it rolls at constant speed, and its wheels turn by the distance over their radius. */
static void car_rolls_freely(void **state) {
    const car self = make_car(state, 0);
    run_for(self.world, 2);
    push(&self, 2);
    const double from = (double)state_of(self.world, self.chassis).position.x,
                 turned = (double)joint_state_of(self.world, self.joints[0]).position[SCREE_AXIS_ROTATION_Z];
    run_for(self.world, 3);
    const scree_body_state after = state_of(self.world, self.chassis);
    ASSERT_NEAR(after.linear_velocity.x, 2, 0.01);
    ASSERT_NEAR((double)after.position.x - from, 6, 0.01);
    ASSERT_AT_MOST(fabs((double)after.position.y), 1e-3);
    const double turn =
        (double)joint_state_of(self.world, self.joints[0]).position[SCREE_AXIS_ROTATION_Z] - turned;
    ASSERT_NEAR(fabs(turn) * RADIUS, (double)after.position.x - from, 0.01);
    scree_world_destroy(self.world);
}

/* Front wheels at δ, a wheelbase of 2 m: it turns at v tan δ/2 m. */
static void car_steers(void **state) {
    const double angle = 0.1;
    const car self = make_car(state, angle);
    run_for(self.world, 1.5);
    for (int i = 0; i < 2; i++)
        ASSERT_NEAR(joint_state_of(self.world, self.joints[i]).position[SCREE_AXIS_ROTATION_X], angle, 0.02);
    push(&self, 1);
    run_for(self.world, 1); /* into the bend */
    double turn = 0, way = 0;
    for (int step = 0; step < 200; step++) {
        CHECK(scree_world_step(self.world, NULL));
        const scree_body_state now = state_of(self.world, self.chassis);
        turn += 0.005 * (double)now.angular_velocity.z;
        way += 0.005 * hypot((double)now.linear_velocity.x, (double)now.linear_velocity.y);
    }
    ASSERT_NEAR(turn, way * tan(angle) / 2, 0.1);
    scree_world_destroy(self.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(car_rests_at_the_depth_of_its_springs),
        ON("native", car_rolls_freely),
        ON("opencl", car_rolls_freely),
        ON("native", car_steers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
