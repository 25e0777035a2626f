/* Public calls with one invalid argument each, for test_messages.c, which defines expect_call. */
#pragma once

#include "expect.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

/* Compares the result of a call and its message with the golden file. */
void expect_call(const char *input, scree_result result);

/* Makes `def` by a call, changes it, and passes it on. */
#define TRY_DEF(type, made, change, call)                                                                    \
    do {                                                                                                     \
        type def = made;                                                                                     \
        change;                                                                                              \
        expect_call(#call " with " #change, call);                                                           \
    } while (0)
#define TRY_CALL(call) expect_call(#call, call)

static inline scree_world *bad_calls_world(void) {
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    CHECK(scree_world_create(&def, &world));
    return world;
}

static inline scree_body_id bad_calls_body(scree_world *world, scree_body_type type) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = type;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static inline void call_with_wrong_width(void) {
    const scree_world_def def = scree_default_world_def();
    const char *given = getenv("SCREE_WIDTH");
    char kept[8] = "";
    scree_world *world = NULL;
    if (given) snprintf(kept, sizeof kept, "%s", given);
    setenv("SCREE_WIDTH", "abc", 1);
    TRY_CALL(scree_world_create(&def, &world));
    setenv("SCREE_WIDTH", kept, 1); /* empty: as if it were not set */
}

static inline void call_worlds(void) {
    scree_world *world = NULL;
#define WORLD(change)                                                                                        \
    TRY_DEF(scree_world_def, scree_default_world_def(), change, scree_world_create(&def, &world))
    WORLD(def.gravity.x = NAN);
    WORLD(def.time_step = 0);
    WORLD(def.speculative_distance = -1);
    WORLD(def.period.y = -1);
    WORLD((def.period.x = 1, def.period_centre.x = NAN));
    WORLD((def.period.x = 1, def.period_centre.x = 1000));
    WORLD(def.material.density = 0);
    WORLD(def.material.friction = -0.1f);
    WORLD(def.material.restitution = 1.5f);
    WORLD(def.material.stiffness = -1);
    WORLD(memset(def.material.name, 'x', sizeof def.material.name));
    WORLD(def.threads = -1);
    WORLD(def.tasks.context = &world);
    WORLD(def.backend = (scree_backend_kind)9);
    WORLD(def.backend = SCREE_BACKEND_HOST);
    WORLD(def.pipeline = (scree_pipeline)7);
    WORLD((def.backend = SCREE_BACKEND_NATIVE, def.pipeline = SCREE_PIPELINE_DEVICE));
    WORLD(def.maximum_bodies = -1);
    WORLD((def.backend = SCREE_BACKEND_OPENCL, def.device = "nosuch"));
    WORLD(def.solver.iterations = 0);
    WORLD(def.solver.relaxation = 2);
    WORLD(def.solver.colours = 33);
    WORLD(def.solver.method = SCREE_METHOD_COUNT);
    WORLD(def.solver.law = SCREE_LAW_COUNT);
    WORLD(def.solver.stabilisation = SCREE_STABILISATION_COUNT);
    WORLD(def.solver.split.error_reduction = 1.1f);
    WORLD((def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_SOFT),
           def.solver.soft.stiffness = 0));
    WORLD(def.solver.split.correction_speed = 0);
    WORLD(def.solver.slop = -1);
    WORLD(def.solver.tolerance = NAN);
    WORLD((def.solver.method = SCREE_METHOD_JACOBI, def.solver.relaxation = 1.5f));
#undef WORLD
    TRY_CALL(scree_world_create(NULL, &world));
    call_with_wrong_width();
    world = bad_calls_world();
    const scree_gravity_key back[2] = {{1, {0, 0, 0}}, {1, {0, 0, 0}}}, nowhere = {1, {0, NAN, 0}};
    const scree_observer observer = {.name = "o"};
    TRY_CALL(scree_world_set_gravity(world, (scree_vec3){0, 0, INFINITY}));
    TRY_CALL(scree_world_set_gravity_schedule(world, back, 2));
    TRY_CALL(scree_world_set_gravity_schedule(world, &nowhere, 1));
    TRY_CALL(scree_world_set_gravity_schedule(world, back, -1));
    TRY_CALL(scree_world_set_time_step(world, -1));
    TRY_CALL(scree_world_set_limits(world, -1, 0));
    TRY_CALL(scree_world_set_verify(world, -1));
    CHECK(scree_world_add_observer(world, &observer));
    TRY_CALL(scree_world_add_observer(world, &observer));
    scree_material_id ice;
    scree_material_def material = scree_default_material_def();
    scree_material_pair_def pair = scree_default_material_pair_def();
    CHECK(scree_material_create(world, &material, &ice));
    TRY_CALL(scree_material_destroy(world, (scree_material_id){0}));
    TRY_CALL(
        scree_material_get_def(world, (scree_material_id){7, 1, scree_world_get_number(world)}, &material));
    TRY_CALL(scree_material_get_def(world, (scree_material_id){1, 1, 1000}, &material));
    TRY_DEF(scree_material_def, material, def.rolling_friction = -1,
            scree_material_set_def(world, ice, &def));
    TRY_DEF(scree_material_pair_def, pair, def.rolling_friction = -1,
            scree_material_set_pair(world, ice, ice, &def));
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.material = ice;
    CHECK(scree_body_create(world, &body, &id));
    TRY_CALL(scree_material_destroy(world, ice));
    CHECK(scree_world_set_limits(world, 1, 0));
    TRY_CALL(scree_body_create(world, &body, &id));
    scree_world_destroy(world);
}

static inline void call_bodies(void) {
    scree_world *world = bad_calls_world();
    scree_body_id id;
#define BODY(change)                                                                                         \
    TRY_DEF(scree_body_def, scree_default_body_def(), change, scree_body_create(world, &def, &id))
    BODY(def.mass = -1);
    BODY(def.shape = scree_shape_sphere(0));
    BODY(def.shape = scree_shape_box(1, 1, INFINITY));
    BODY(def.shape = scree_shape_half_space());
    BODY(def.shape.kind = SCREE_SHAPE_COUNT);
    BODY(def.shape = scree_shape_sphere(1e-12f));
    BODY(def.shape = scree_shape_sphere(1e13f));
    BODY((def.type = SCREE_BODY_STATIC, def.shape = (scree_shape){SCREE_SHAPE_TRIANGLE, {1, 0, 0}, NULL}));
    BODY(def.state.position.y = NAN);
    BODY(def.state.position.z = 2e19f);
    BODY(def.state.linear_velocity.x = INFINITY);
    BODY(def.state.angular_velocity.x = INFINITY);
    BODY(def.state.angular_velocity.x = 3e38f);
    BODY(def.state.rotation.w = 2);
    BODY(def.inertia.x = 1);
    BODY((def.inertia = (scree_vec3){1, 1, 5}));
    BODY((def.mass = 1e-39f, def.inertia = (scree_vec3){1, 1, 1}));
    BODY(def.gravity_scale = NAN);
    BODY(def.locks = 64);
    BODY((def.locks = 1, def.type = SCREE_BODY_STATIC));
    BODY((def.mass = 1, def.type = SCREE_BODY_STATIC));
    BODY((def.force.z = 1, def.type = SCREE_BODY_KINEMATIC));
    BODY(def.force.z = NAN);
    BODY(def.torque.z = INFINITY);
    BODY((def.force.z = 3e38f, def.mass = 1e-3f));
    BODY(def.type = (scree_body_type)7);
    BODY(def.surface_velocity.x = 1);
    BODY(def.shape.size.y = 5);
    BODY(def.shape.size.z = NAN);
    BODY((def.type = SCREE_BODY_STATIC, def.surface_velocity.x = NAN));
    BODY((def.type = SCREE_BODY_STATIC, def.surface_velocity.x = 2e19f));
    BODY((def.material = (scree_material_id){7, 1, 1}));
#undef BODY
    scree_body_state state;
    const scree_vec3 none = {0, 0, 0}, up = {0, 0, 1}, far = {0, INFINITY, 0};
    const scree_body_id missing = {9, 1, scree_world_get_number(world)}, foreign = {1, 1, 1000},
                        ball = bad_calls_body(world, SCREE_BODY_DYNAMIC),
                        wall = bad_calls_body(world, SCREE_BODY_STATIC);
    const scree_body_id both[2] = {ball, missing};
    CHECK(scree_body_get_state(world, ball, &state));
    scree_body_state states[2] = {state, state};
    states[1].position.x = NAN;
    TRY_CALL(scree_body_get_state(world, missing, &state));
    TRY_CALL(scree_body_get_state(world, foreign, &state));
    TRY_CALL(scree_body_get_states(world, both, 2, states));
    TRY_CALL(scree_body_get_states(world, both, -1, states));
    TRY_CALL(scree_body_set_states(world, (scree_body_id[]){ball, wall}, 2, states));
    TRY_CALL(scree_body_set_loads(world, ball, far, none));
    TRY_CALL(scree_body_set_loads(world, wall, up, none));
    TRY_CALL(scree_body_apply_force(world, ball, far));
    TRY_CALL(scree_body_apply_force_at(world, ball, up, far));
    TRY_CALL(scree_body_apply_impulse(world, ball, far));
    TRY_CALL(scree_body_apply_impulse_at(world, ball, up, far));
    TRY_CALL(scree_body_apply_torque(world, ball, far));
    scree_world_destroy(world);
    scree_world_def def = scree_default_world_def();
    scree_body_def body = scree_default_body_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    def.period = (scree_vec3){2, 2, 0};
    CHECK(scree_world_create(&def, &world));
    body.shape = scree_shape_sphere(1);
    TRY_CALL(scree_body_create(world, &body, NULL));
    body.type = SCREE_BODY_STATIC;
    body.shape = scree_shape_box(1.1f, 1, 1);
    TRY_CALL(scree_body_create(world, &body, NULL));
    body.shape = scree_shape_half_space();
    body.state.rotation = (scree_quat){0, 0.70710678f, 0, 0.70710678f};
    TRY_CALL(scree_body_create(world, &body, NULL));
    body.type = SCREE_BODY_KINEMATIC;
    body.state.rotation = (scree_quat){0, 0, 0, 1};
    body.state.angular_velocity.x = 1;
    TRY_CALL(scree_body_create(world, &body, NULL));
    body.state.angular_velocity.x = 0;
    body.type = SCREE_BODY_STATIC;
    body.shape = scree_shape_sphere(0.1f);
    body.state.position.x = 1e6f;
    TRY_CALL(scree_body_create(world, &body, NULL));
    scree_world_destroy(world);
}

static inline void call_shapes(void) {
    scree_geometry *made = NULL, *ball = NULL;
    const scree_clump_sphere one = {{0, 0, 0}, 1}, flat = {{0, 0, 0}, 0}, nowhere = {{0, NAN, 0}, 1},
                             away = {{0, 2e9f, 0}, 1};
    CHECK(scree_clump_create(&one, 1, &ball));
    TRY_CALL(scree_clump_create(&one, 0, &made));
    TRY_CALL(scree_clump_create(&flat, 1, &made));
    TRY_CALL(scree_clump_create(&nowhere, 1, &made));
    TRY_CALL(scree_clump_create(&away, 1, &made));
    TRY_CALL(scree_clump_create(NULL, 1, &made));
    const scree_vec3 points[8] = {{0, 0, 0}, {1, 0, 0},   {0, 1, 0},    {1, 1, 0},
                                  {2, 1, 0}, {0, NAN, 0}, {0, 2e9f, 0}, {0, 0, 1}};
    const scree_vec3 line[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, same[4] = {{0, 0, 0}};
    TRY_CALL(scree_hull_create(points, 3, &made));
    TRY_CALL(scree_hull_create(points, 4, &made));
    TRY_CALL(scree_hull_create(line, 4, &made));
    TRY_CALL(scree_hull_create(same, 4, &made));
    TRY_CALL(scree_hull_create(points, 6, &made));
    TRY_CALL(scree_hull_create((scree_vec3[]){points[0], points[1], points[2], points[6]}, 4, &made));
    const scree_triangle triangle = {{0, 1, 2}}, outside = {{0, 1, 9}}, thin = {{0, 1, 1}};
    TRY_CALL(scree_mesh_create(points, 4, &triangle, 0, &made));
    TRY_CALL(scree_mesh_create(points, 4, &outside, 1, &made));
    TRY_CALL(scree_mesh_create(points, 4, &thin, 1, &made));
    TRY_CALL(scree_mesh_create(points, 6, &triangle, 1, &made));
    TRY_CALL(scree_mesh_create((scree_vec3[]){points[0], points[1], points[6]}, 3, &triangle, 1, &made));
    TRY_CALL(scree_mesh_load("missing.stl", NULL, &made));
    const scree_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const scree_triangle inside_out[4] = {{{0, 1, 2}}, {{0, 3, 1}}, {{0, 2, 3}}, {{1, 3, 2}}},
                         turned[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 2, 3}}, {{1, 2, 3}}};
    TRY_CALL(scree_solid_create(corners, 4, turned, 3, &made));
    TRY_CALL(scree_solid_create(corners, 4, turned, 4, &made));
    TRY_CALL(scree_solid_create(corners, 4, inside_out, 4, &made));
    const float heights[4] = {0, 0, NAN, 0};
    TRY_CALL(scree_height_field_create(heights, 2, 2, 1, 1, &made));
    TRY_CALL(scree_height_field_create(heights, 2, 2, 0, 1, &made));
    TRY_CALL(scree_height_field_create(heights, 1, 4, 1, 1, &made));
    TRY_CALL(scree_height_field_load("missing.txt", 1, 1, &made));
    const scree_compound_child child = scree_default_compound_child();
#define CHILD(change) TRY_DEF(scree_compound_child, child, change, scree_compound_create(&def, 1, &made))
    TRY_CALL(scree_compound_create(&child, 0, &made));
    CHILD(def.shape = scree_shape_half_space());
    CHILD(def.shape = scree_shape_sphere(0));
    CHILD(def.position.x = NAN);
    CHILD(def.position.z = -2e9f);
    CHILD(def.rotation.w = 2);
    CHILD(def.relative_density = 0);
#undef CHILD
    TRY_CALL(scree_validate_shape(scree_shape_clump(NULL, 1)));
    TRY_CALL(scree_validate_shape(scree_shape_mesh(ball, 1)));
    TRY_CALL(scree_validate_shape((scree_shape){.size = {1, 0, 0}, .geometry = ball}));
    TRY_CALL(scree_validate_shape(scree_shape_clump(ball, 0)));
    TRY_CALL(scree_validate_shape(scree_shape_clump(ball, 2e12f)));
    scree_geometry_release(ball);
}

static inline void call_joints(void) {
    scree_world *world = bad_calls_world();
    const scree_body_id a = bad_calls_body(world, SCREE_BODY_DYNAMIC),
                        wall = bad_calls_body(world, SCREE_BODY_STATIC);
    scree_joint_def hinge = scree_default_joint_def(SCREE_JOINT_HINGE),
                    rod = scree_default_joint_def(SCREE_JOINT_DISTANCE),
                    general = scree_default_joint_def(SCREE_JOINT_GENERAL);
    hinge.b = a;
    rod.b = a;
    general.b = a;
#define JOINT(from, change) TRY_DEF(scree_joint_def, from, change, scree_joint_create(world, &def, NULL))
    JOINT(hinge, def.a = a);
    JOINT(hinge, (def.b = (scree_body_id){0}));
    JOINT(hinge, def.b.generation = 9);
    JOINT(hinge, def.b.world = 1000);
    JOINT(hinge, def.b = wall);
    JOINT(hinge, def.frame_a.w = 2);
    JOINT(hinge, def.anchor_a.z = -2e9f);
    JOINT(hinge, def.break_force = 0);
    JOINT(hinge, def.kind = SCREE_JOINT_KIND_COUNT);
    JOINT(hinge, def.axes[3].mode = SCREE_AXIS_MODE_COUNT);
    JOINT(hinge, def.axes[3].friction = -1);
    JOINT(hinge, def.axes[3].target = INFINITY);
    JOINT(hinge, (def.axes[2].mode = SCREE_AXIS_LIMITED, def.axes[2].low = 1));
    JOINT(hinge, def.axes[3].drive = SCREE_DRIVE_POSITION);
    JOINT(hinge, def.axes[0].drive = SCREE_DRIVE_VELOCITY);
    JOINT(hinge, def.axes[5].friction = 1);
    JOINT(hinge, def.axes[4].low = 1.5f);
    JOINT(hinge, def.axes[0].low = -2e6f);
    JOINT(hinge, def.axes[0].spring.frequency = 1e20f);
    JOINT(hinge, (def.axes[3].servo = (scree_spring){.frequency = 2, .stiffness = 5}));
    JOINT(rod, def.axes[1].mode = SCREE_AXIS_LOCKED);
    JOINT(rod, def.axes[0].low = -1);
    JOINT(general,
          (def.axes[3].mode = def.axes[4].mode = SCREE_AXIS_FREE, def.axes[5].mode = SCREE_AXIS_LOCKED));
#undef JOINT
    scree_joint_id joint;
    const scree_vec3 none = {0, 0, 0}, up = {0, 0, 1}, across = {1, 0, 0};
    CHECK(scree_joint_create(world, &hinge, &joint));
    TRY_CALL(scree_joint_set_target(world, joint, SCREE_AXIS_ROTATION_X, 1));
    TRY_CALL(scree_joint_set_target(world, joint, SCREE_AXIS_COUNT, 1));
    hinge.axes[SCREE_AXIS_ROTATION_X].drive = SCREE_DRIVE_VELOCITY;
    CHECK(scree_joint_set_def(world, joint, &hinge));
    TRY_CALL(scree_joint_set_target(world, joint, SCREE_AXIS_ROTATION_X, NAN));
    TRY_CALL(scree_joint_apply_force(world, joint, SCREE_AXIS_COUNT, 1));
    TRY_CALL(scree_joint_apply_force(world, joint, SCREE_AXIS_ROTATION_X, NAN));
    TRY_CALL(scree_joint_apply_force(world, joint, SCREE_AXIS_ROTATION_X, 3e38f));
    TRY_CALL(scree_joint_get_frame(world, &hinge, none, none, up));
    TRY_CALL(scree_joint_get_frame(world, &hinge, none, across, across));
    TRY_CALL(scree_joint_get_frame(world, &hinge, (scree_vec3){NAN, 0, 0}, across, up));
    CHECK(scree_joint_destroy(world, joint));
    TRY_CALL(scree_joint_destroy(world, joint));
    scree_world_destroy(world);
}

static inline void call_groups_and_flows(void) {
    scree_world *world = bad_calls_world();
    const scree_body_id still = bad_calls_body(world, SCREE_BODY_STATIC),
                        wall = bad_calls_body(world, SCREE_BODY_KINEMATIC), twice[2] = {wall, wall},
                        missing = {9, 1, scree_world_get_number(world)};
    scree_kinematic_group_def group = {&wall, 1, NULL, 0};
    scree_kinematic_group_id id;
    scree_body_state state;
    scree_body_def body;
    CHECK(scree_body_get_state(world, wall, &state));
    TRY_CALL(scree_kinematic_group_create(world, &(scree_kinematic_group_def){&still, 1, NULL, 0}, NULL));
    TRY_CALL(scree_kinematic_group_create(world, &(scree_kinematic_group_def){twice, 2, NULL, 0}, NULL));
    TRY_CALL(scree_kinematic_group_create(world, &(scree_kinematic_group_def){&missing, 1, NULL, 0}, NULL));
    TRY_CALL(scree_kinematic_group_create(world, &(scree_kinematic_group_def){twice, -1, NULL, 0}, NULL));
    CHECK(scree_kinematic_group_create(world, &group, &id));
    TRY_CALL(scree_kinematic_group_create(world, &group, NULL));
    TRY_CALL(scree_body_set_state(world, wall, &state));
    CHECK(scree_body_get_def(world, wall, &body));
    body.state.position.x = 1;
    TRY_CALL(scree_body_set_def(world, wall, &body));
    const scree_motion_key late = {0, {1, 0, 0}, {0, 0, 0, 1}},
                           back[2] = {{1, {0, 0, 0}, {0, 0, 0, 1}}, {1, {0, 0, 0}, {0, 0, 0, 1}}},
                           broken = {1, {NAN, 0, 0}, {0, 0, 0, 1}}, early = {-1, {0, 0, 0}, {0, 0, 0, 1}};
#define MOTION(of, change)                                                                                   \
    TRY_DEF(scree_motion_def, scree_default_motion_def(of), change,                                          \
            scree_kinematic_group_set_motions(world, id, &def, 1))
    MOTION(SCREE_MOTION_LINEAR, def.velocity.x = NAN);
    MOTION(SCREE_MOTION_ROTATION, def.kind = SCREE_MOTION_COUNT);
    MOTION(SCREE_MOTION_ROTATION, def.start = -1);
    MOTION(SCREE_MOTION_ROTATION, def.stop = 0);
    MOTION(SCREE_MOTION_ROTATION, def.ramp = -1);
    MOTION(SCREE_MOTION_ROTATION, def.axis = ((scree_vec3){0, 0, 0}));
    MOTION(SCREE_MOTION_ROTATION, def.speed = NAN);
    MOTION(SCREE_MOTION_SWING, def.amplitude = NAN);
    MOTION(SCREE_MOTION_SWING, def.frequency = -1);
    MOTION(SCREE_MOTION_TABLE, def.key_count = 0);
    MOTION(SCREE_MOTION_TABLE, (def.keys = &late, def.key_count = 1));
    MOTION(SCREE_MOTION_TABLE, (def.keys = back, def.key_count = 2));
    MOTION(SCREE_MOTION_TABLE, (def.keys = &broken, def.key_count = 1));
    MOTION(SCREE_MOTION_TABLE, (def.keys = &early, def.key_count = 1));
    MOTION(SCREE_MOTION_TABLE, (def.keys = &broken, def.key_count = 1, def.point.x = NAN));
#undef MOTION
    TRY_CALL(scree_kinematic_group_set_motions(world, id, NULL, -1));
    CHECK(scree_kinematic_group_destroy(world, id));
    TRY_CALL(scree_kinematic_group_destroy(world, id));
    const float falling[2] = {2, 1};
    scree_inlet_def inlet = scree_default_inlet_def();
    TRY_CALL(scree_inlet_create(world, &inlet, NULL));
    inlet.rate = 1;
#define INLET(change) TRY_DEF(scree_inlet_def, inlet, change, scree_inlet_create(world, &def, NULL))
    INLET(def.zone.kind = SCREE_ZONE_HALF_SPACE);
    INLET(def.zone.kind = SCREE_ZONE_COUNT);
    INLET(def.zone.position.x = NAN);
    INLET(def.body.type = SCREE_BODY_STATIC);
    INLET(def.body.mass = -1);
    INLET((def.body.material = (scree_material_id){7, 7, 7}));
    INLET((def.start = 2, def.stop = 1));
    INLET(def.size_count = -1);
    INLET((def.sizes = falling, def.size_count = 2));
    INLET((def.sizes = falling, def.size_count = 1, def.body.mass = 1));
#undef INLET
    scree_flow_id outlet;
    scree_flow_state flow;
    TRY_DEF(scree_outlet_def, scree_default_outlet_def(), def.zone.size.y = 0,
            scree_outlet_create(world, &def, NULL));
    const scree_outlet_def good = scree_default_outlet_def();
    CHECK(scree_outlet_create(world, &good, &outlet));
    TRY_CALL(scree_inlet_set_def(world, outlet, &inlet));
    CHECK(scree_flow_destroy(world, outlet));
    TRY_CALL(scree_flow_get_state(world, outlet, &flow));
    scree_world_destroy(world);
}

static inline void call_queries(void) {
    scree_world *world = bad_calls_world();
    const scree_vec3 here = {0, 0, 0}, half = {1, 1, 1};
    const scree_quat none = {0, 0, 0, 1};
    scree_ray_hit hit;
    int count;
#define RAY(change)                                                                                          \
    TRY_DEF(scree_ray, ((scree_ray){{0, 0, 0}, {1, 0, 0}, 1}), change,                                       \
            scree_world_cast_ray(world, &def, NULL, &hit))
    RAY(def.origin.x = NAN);
    RAY(def.direction.x = 0);
    RAY(def.distance = 0);
#undef RAY
    TRY_CALL(scree_world_overlap_sphere(world, here, -1, NULL, NULL, 0, &count));
    TRY_CALL(scree_world_overlap_sphere(world, (scree_vec3){0, NAN, 0}, 1, NULL, NULL, 0, &count));
    TRY_CALL(scree_world_overlap_sphere(world, here, 1, NULL, NULL, -1, &count));
    TRY_CALL(scree_world_overlap_box(world, here, (scree_vec3){1, -1, 1}, none, NULL, NULL, 0, &count));
    TRY_CALL(scree_world_overlap_box(world, here, half, (scree_quat){0, 0, 0, 2}, NULL, NULL, 0, &count));
    const scree_query_filter filter = {.ignored_count = 1};
    TRY_CALL(scree_world_overlap_sphere(world, here, 1, &filter, NULL, 0, &count));
    scree_cast_hit met;
    scree_nearest nearest;
#define CAST(change)                                                                                         \
    TRY_DEF(scree_cast, ((scree_cast){{scree_shape_sphere(1), {0, 0, 0}, {0, 0, 0, 1}}, {1, 0, 0}}), change, \
            scree_world_cast_shape(world, &def, NULL, &met))
    CAST(def.placed.shape = scree_shape_half_space());
    CAST(def.placed.shape = scree_shape_sphere(0));
    CAST(def.placed.position.x = NAN);
    CAST(def.placed.rotation.x = 1);
    CAST(def.translation.x = 0);
#undef CAST
    const scree_placed_shape ball = {scree_shape_sphere(1), {0, 0, 0}, {0, 0, 0, 1}};
    TRY_CALL(scree_world_find_nearest(world, &ball, INFINITY, NULL, &nearest));
    scree_world_snapshot *snapshot;
    scree_world *other = bad_calls_world();
    CHECK(scree_world_snapshot_create(other, &snapshot));
    TRY_CALL(scree_world_snapshot_restore(snapshot, world));
    scree_world_snapshot_destroy(snapshot);
    scree_world_destroy(other);
    scree_world_destroy(world);
}

static inline void call_measurements(void) {
    scree_world *world = bad_calls_world();
    const scree_body_id ball = bad_calls_body(world, SCREE_BODY_DYNAMIC),
                        missing = {9, 1, scree_world_get_number(world)};
    scree_measurement_def good = scree_default_measurement_def();
    scree_measurement_id id;
    char name[64];
    int quantity, part;
    good.name = "a";
    good.bodies = &ball;
    good.body_count = 1;
    good.everywhere = false;
    CHECK(scree_measurement_create(world, &good, &id));
    TRY_CALL(scree_measurement_create(world, &good, NULL));
    good.name = "b";
#define MEASUREMENT(change)                                                                                  \
    TRY_DEF(scree_measurement_def, good, change, scree_measurement_create(world, &def, NULL))
    MEASUREMENT(def.name = "");
    MEASUREMENT(def.kind = SCREE_MEASUREMENT_COUNT);
    MEASUREMENT(def.every.steps = 0);
    MEASUREMENT(def.sample_every = 0);
    MEASUREMENT(def.point.y = INFINITY);
    MEASUREMENT(def.body_count = -1);
    MEASUREMENT(def.bodies = &missing);
    MEASUREMENT(def.cells[1] = 0);
    MEASUREMENT((def.kind = SCREE_MEASUREMENT_STRESS, def.zone.kind = SCREE_ZONE_HALF_SPACE));
    MEASUREMENT((def.kind = SCREE_MEASUREMENT_FLOW, def.everywhere = true));
    MEASUREMENT((def.kind = SCREE_MEASUREMENT_CONTACT_FORCE, def.range = 0));
    MEASUREMENT((def.kind = SCREE_MEASUREMENT_ENERGY, def.sample_every = 2));
    MEASUREMENT((def.kind = SCREE_MEASUREMENT_MIXING, def.size_above = -1));
    MEASUREMENT((def.kind = SCREE_MEASUREMENT_MIXING, def.material.index = 9));
    MEASUREMENT((def.kind = SCREE_MEASUREMENT_SOLID_FRACTION, def.cells[0] = 10001));
    MEASUREMENT(
        (def.kind = SCREE_MEASUREMENT_SOLID_FRACTION, def.cells[0] = 2, def.zone.kind = SCREE_ZONE_SPHERE));
    MEASUREMENT((def.kind = SCREE_MEASUREMENT_SURFACE, def.cells[2] = 2));
#undef MEASUREMENT
    TRY_CALL(scree_measurement_set_def(world, id, &good));
    TRY_CALL(scree_measurement_set_bodies(world, id, &ball, -1));
    TRY_CALL(scree_measurement_get_quantity_name(world, id, 99, 0, name, sizeof name));
    TRY_CALL(scree_measurement_find_column(&good, "grains", &quantity, &part));
    CHECK(scree_measurement_destroy(world, id));
    TRY_CALL(scree_measurement_destroy(world, id));
    scree_statistics_file *file = NULL;
    CHECK(scree_statistics_file_open("stages.csv", 0, &file));
    TRY_CALL(scree_statistics_file_set_stage(file, "a,b"));
    CHECK(scree_statistics_file_close(file));
    scree_world_destroy(world);
}

static inline void call_problems(void) {
    const int first[2] = {0, 1}, falling[2] = {0, -1}, late[2] = {1, 1}, column[1] = {0}, outside[1] = {1};
    const double blocks[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {0, 0, -1}, infinite[9] = {INFINITY},
                 friction[1] = {0.5}, negative[1] = {-0.5}, low[3] = {0, 1, 0}, high[3] = {0, 0.5, 0};
    const scree_block_kind resistance = SCREE_BLOCK_RESISTANCE, bounded = SCREE_BLOCK_BOUNDED,
                           unknown = SCREE_BLOCK_KIND_COUNT;
    const scree_problem_def good = {
        .contacts = 1, .first = first, .column = column, .blocks = blocks, .q = q, .friction = friction};
    scree_problem *made = NULL;
#define PROBLEM(change) TRY_DEF(scree_problem_def, good, change, scree_problem_create(&def, &made))
    PROBLEM(def.contacts = -1);
    PROBLEM(def.blocks = NULL);
    PROBLEM(def.first = late);
    PROBLEM(def.first = falling);
    PROBLEM(def.column = outside);
    PROBLEM(def.q = infinite);
    PROBLEM(def.blocks = infinite);
    PROBLEM(def.friction = negative);
    PROBLEM(def.kind = &unknown);
    PROBLEM(def.kind = &resistance);
    PROBLEM((def.kind = &bounded, def.low = low, def.high = high));
#undef PROBLEM
    const scree_triplet entry = {0, 0, 1}, far = {3, 0, 1}, nowhere = {0, 0, NAN};
    scree_local_problem_def local = {.contacts = 1, .w = {1, &entry}, .q = q, .friction = friction};
#define LOCAL(change) TRY_DEF(scree_local_problem_def, local, change, scree_problem_create_local(&def, &made))
    LOCAL(def.contacts = -1);
    LOCAL(def.q = NULL);
    LOCAL(def.w.entries = NULL);
    LOCAL(def.w.entries = &far);
    LOCAL(def.w.entries = &nowhere);
    LOCAL(def.friction = negative);
#undef LOCAL
    scree_problem *problem = NULL;
    CHECK(scree_problem_create(&good, &problem));
    const scree_problem_options options = scree_default_problem_options();
#define SOLVE(change)                                                                                        \
    TRY_DEF(scree_problem_options, options, change, scree_problem_solve(problem, &def, NULL, NULL, NULL))
    SOLVE(def.law = SCREE_LAW_COUNT);
    SOLVE(def.method = SCREE_METHOD_COUNT);
    SOLVE(def.backend = (scree_backend_kind)9);
    SOLVE(def.precision = SCREE_PRECISION_COUNT);
    SOLVE(def.measure = SCREE_MEASURE_COUNT);
    SOLVE(def.threads = -1);
    SOLVE(def.check_every = 0);
    SOLVE(def.relaxation = 2);
    SOLVE((def.method = SCREE_METHOD_JACOBI, def.relaxation = 1.5f));
    SOLVE(def.tolerance = -1);
    SOLVE(def.iterations = 0);
    SOLVE(def.history_capacity = -1);
    SOLVE(def.start = infinite);
    SOLVE((def.backend = SCREE_BACKEND_HOST, def.precision = SCREE_PRECISION_FLOAT));
    SOLVE((def.backend = SCREE_BACKEND_REFERENCE, def.method = SCREE_METHOD_JACOBI));
#undef SOLVE
    scree_problem_destroy(problem);
}

static inline void call_pictures(void) {
    scree_world *world = bad_calls_world();
    scree_frame frame;
    scree_series *series = NULL;
    bad_calls_body(world, SCREE_BODY_DYNAMIC);
    CHECK(scree_frame_from_world(world, &frame));
#define VIEW(change)                                                                                         \
    TRY_DEF(scree_view, scree_default_view(), change, scree_snapshot_save(&frame, &def, "picture.png"))
    VIEW(def.width = 15);
    VIEW(def.colouring = SCREE_COLOURING_COUNT);
    VIEW(def.colour_range = -1);
    VIEW((def.automatic = false, def.field_of_view = 40, def.eye.x = INFINITY));
    VIEW((def.automatic = false, def.field_of_view = 40, def.target = def.eye));
    VIEW((def.automatic = false, def.field_of_view = 0.5f, def.eye.x = 1));
    frame.fields = 0;
    VIEW(def.colouring = SCREE_COLOURING_SPEED);
    VIEW(def.colouring = SCREE_COLOURING_MATERIAL);
#undef VIEW
#define IMAGE(change)                                                                                        \
    TRY_DEF(scree_image_def,                                                                                 \
            ((scree_image_def){                                                                              \
                .width = 1, .height = 1, .samples = 1, .pixel_angle = 1, .tile = 1, .fade = 1, .reach = 1}), \
            change, scree_image_trace(&def, (uint8_t[3]){0}))
    IMAGE(def.width = 0);
    IMAGE(def.pixel_angle = 0);
    IMAGE(def.eye.x = NAN);
    IMAGE(def.light_spread = -1);
    IMAGE(def.body_count = 1);
#undef IMAGE
    TRY_DEF(scree_series_def, scree_default_series_def(), def.fields = 1u << 31,
            scree_series_open(".", 0, &def, &series));
    TRY_DEF(scree_series_def, scree_default_series_def(), def.compression = 10,
            scree_series_open(".", 0, &def, &series));
    TRY_CALL(scree_series_open("", 0, NULL, &series));
    TRY_CALL(scree_series_open("missing", 0, NULL, &series));
    CHECK(scree_series_open("out", 0, NULL, &series));
    CHECK(scree_series_write(series, &frame));
    TRY_CALL(scree_series_write(series, &frame));
    CHECK(scree_series_close(series));
    scree_frame_release(&frame);
    scree_world_destroy(world);
}
