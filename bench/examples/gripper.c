/* A gripper: two fingers press a box with a given force, and a servo lifts it. The box is held by friction
 * alone. Prints how far it slips. */
#include "check.h"

static const float GRIP = 30, LIFT = 0.4f, MASS = 1; /* N; m; kg */

static scree_body_id add_box(scree_world *world, scree_vec3 half, scree_vec3 at, float mass) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = scree_shape_box(half.x, half.y, half.z);
    def.state.position = at;
    def.mass = mass;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* Adds a slider of b along a direction of a, which may be null for the world. */
static scree_joint_id add_slider(scree_world *world, scree_body_id a, scree_body_id b, scree_vec3 at,
                                 scree_vec3 along, bool servo) {
    scree_joint_def def = scree_default_joint_def(SCREE_JOINT_SLIDER);
    scree_joint_id id;
    def.a = a, def.b = b;
    if (servo) {
        def.axes[SCREE_AXIS_X].drive = SCREE_DRIVE_POSITION;
        def.axes[SCREE_AXIS_X].servo = (scree_spring){.frequency = 4, .damping_ratio = 1};
    }
    CHECK(scree_joint_get_frame(world, &def, at, along, (scree_vec3){0, 0, 0}));
    CHECK(scree_joint_create(world, &def, &id));
    return id;
}

static float height_above(const scree_world *world, scree_body_id box, scree_body_id palm) {
    scree_body_state one, other;
    CHECK(scree_body_get_state(world, box, &one));
    CHECK(scree_body_get_state(world, palm, &other));
    return one.position.z - other.position.z;
}

int main(void) {
    const scree_vec3 up = {0, 0, 1}, left = {0, -1, 0}, right = {0, 1, 0};
    scree_world_def def = scree_default_world_def();
    scree_body_def table = scree_default_body_def();
    scree_world *world;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    def.time_step = 1.0 / 240;
    CHECK(scree_world_create(&def, &world));
    table.type = SCREE_BODY_STATIC;
    table.shape = scree_shape_half_space();
    CHECK(scree_body_create(world, &table, NULL));
    const scree_body_id box = add_box(world, (scree_vec3){0.05f, 0.05f, 0.05f}, (scree_vec3){0, 0, 0.05f},
                                      MASS),
                        palm = add_box(world, (scree_vec3){0.05f, 0.1f, 0.02f}, (scree_vec3){0, 0, 0.2f}, 2);
    const scree_joint_id arm =
        add_slider(world, (scree_body_id){0, 0, 0}, palm, (scree_vec3){0, 0, 0.2f}, up, true);
    scree_joint_id fingers[2];
    for (int i = 0; i < 2; i++) {
        const scree_vec3 at = {0, i ? -0.075f : 0.075f, 0.08f};
        const scree_body_id finger = add_box(world, (scree_vec3){0.02f, 0.01f, 0.06f}, at, 0.2f);
        fingers[i] = add_slider(world, palm, finger, at, i ? right : left, false);
    }

    float held = 0;
    for (int step = 0; step < 1200; step++) {
        for (int i = 0; i < 2; i++) CHECK(scree_joint_apply_force(world, fingers[i], SCREE_AXIS_X, GRIP));
        if (step >= 120 && step < 600) /* lift, in two seconds */
            CHECK(scree_joint_set_target(world, arm, SCREE_AXIS_X, LIFT * (float)(step - 119) / 480));
        CHECK(scree_world_step(world, NULL));
        if (step == 600) held = height_above(world, box, palm);
    }
    scree_contact contacts[16];
    const int count = scree_contact_list_of_body(world, box, contacts, 16);
    double carried = 0; /* the upward component of all forces on the box, N */
    for (int i = 0; i < count && i < 16; i++) {
        const double sign = contacts[i].b.index == box.index ? 1 : -1;
        carried += sign * (double)contacts[i].impulse.z / def.time_step;
    }
    scree_body_state state;
    CHECK(scree_body_get_state(world, box, &state));
    printf("box at %.3f m, carried by %.2f N (weight %.2f N), slip %.1e m in 2.5 s\n",
           (double)state.position.z, carried, 9.81 * (double)MASS,
           (double)(held - height_above(world, box, palm)));
    scree_world_destroy(world);
    return 0;
}
