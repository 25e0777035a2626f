/* A world with everything that a checkpoint stores, for the tests of checkpoints. */
#pragma once

#include "expect.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

static inline scree_world_def native(void) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    return def;
}

static inline void add(scree_world *world, scree_body_def def, scree_shape shape, scree_vec3 position) {
    scree_body_id id;
    def.shape = shape;
    def.state.position = position;
    CHECK(scree_body_create(world, &def, &id));
}

/* Makes boxes and spheres that fall into a corner, with two materials, a pair override, free slots in the
 * middle, a pending load and unusual solver options. */
static inline scree_world *make_world(void) {
    scree_world_def def = native();
    def.solver.method = SCREE_METHOD_PGS;
    def.solver.iterations = 12;
    def.solver.relaxation = 1.1f;
    def.solver.colours = 3;
    def.gravity = (scree_vec3){0.5f, -0.25f, -9.0f};
    def.maximum_bodies = 5000;
    scree_world *world;
    scree_material_id gone, rough;
    CHECK(scree_world_create(&def, &world));
    const scree_material_def material = {.friction = 0.9f,
                                         .restitution = 0.3f,
                                         .density = 2500,
                                         .spinning_friction = 0.002f,
                                         .cohesion = 0.5f,
                                         .cohesion_distance = 1e-4f,
                                         .stiffness = 3e5f,
                                         .damping = 40,
                                         .name = "rough"};
    const scree_material_pair_def same = {.friction = 0.7f,
                                          .restitution = 0.1f,
                                          .rolling_friction = 0.01f,
                                          .spinning_friction = 0.003f,
                                          .cohesion = 0.25f,
                                          .cohesion_distance = 2e-4f,
                                          .stiffness = 2e5f,
                                          .damping = 30},
                                  other = {.friction = 0.2f, .rolling_friction = 0.005f};
    CHECK(scree_material_create(world, &material, &gone));
    CHECK(scree_material_destroy(world, gone));
    CHECK(scree_material_create(world, &material, &rough)); /* reuses the destroyed material's slot */
    CHECK(scree_material_create(world, &material, &gone));
    CHECK(scree_material_destroy(world, gone));
    CHECK(scree_material_set_pair(world, rough, rough, &same));
    CHECK(scree_material_set_pair(world, rough, (scree_material_id){0}, &other));

    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_STATIC;
    add(world, body, scree_shape_half_space(), (scree_vec3){0, 0, 0});
    body.type = SCREE_BODY_KINEMATIC;
    add(world, body, scree_shape_box(0.2f, 2, 2), (scree_vec3){-0.4f, 0, 0});
    body.type = SCREE_BODY_DYNAMIC;
    for (int i = 0; i < 60; ++i) {
        const float x = 0.21f * (float)(i % 4), y = 0.21f * (float)(i / 4 % 4),
                    z = 0.12f + 0.22f * (float)(i / 16);
        body.material = i % 3 ? rough : (scree_material_id){0};
        body.force = (scree_vec3){0, i % 4 ? 0 : 3, 0};
        body.torque.z = i % 6 ? 0 : 0.05f;
        body.user_data = UINT64_C(1) << i;
        body.mass = i % 9 ? 0 : 12;
        body.locks = i % 7 ? 0 : SCREE_LOCK_ROTATION_X;
        body.groups = i % 11 ? 1 : 2, body.mask = i % 11 ? UINT32_MAX : ~UINT32_C(2);
        body.state.angular_velocity = (scree_vec3){0, (float)(i % 5), 1};
        add(world, body, i % 2 ? scree_shape_sphere(0.1f) : scree_shape_box(0.1f, 0.08f, 0.09f),
            (scree_vec3){x, y, z});
    }
    scree_body_id ids[64];
    assert_int_equal(scree_body_list(world, ids, 64), 62);
    for (int i = 10; i < 40; i += 10) CHECK(scree_body_destroy(world, ids[i]));
    const scree_motion_key keys[2] = {{0.1, {0.05f, 0, 0}, {0, 0, 0, 1}}, {0.5, {0, 0, 0}, {0, 0, 0, 1}}};
    scree_motion_def motion = scree_default_motion_def(SCREE_MOTION_TABLE);
    motion.keys = keys, motion.key_count = 2;
    CHECK(scree_kinematic_group_create(world, &(scree_kinematic_group_def){&ids[1], 1, &motion, 1}, NULL));
    scree_outlet_def outlet = scree_default_outlet_def();
    outlet.zone.size = (scree_vec3){3, 1, 3};
    CHECK(scree_outlet_create(world, &outlet, NULL));
    scree_inlet_def inlet = scree_default_inlet_def();
    const float sizes[2] = {0.1f, 0.14f};
    inlet.body.material = rough;
    inlet.zone.position.z = 2, inlet.rate = 30, inlet.start = 0.7, inlet.sizes = sizes, inlet.size_count = 2;
    CHECK(scree_inlet_create(world, &inlet, NULL));
    scree_measurement_def measurement = scree_default_measurement_def();
    measurement.name = "wall", measurement.every.steps = 40, measurement.bodies = &ids[0],
    measurement.body_count = 1;
    CHECK(scree_measurement_create(world, &measurement, NULL));
    const scree_gravity_key fall = {0.2, {0.5f, -0.25f, -9.0f}};
    CHECK(scree_world_set_gravity_schedule(world, &fall, 1));
    CHECK(scree_body_apply_force(world, ids[50], (scree_vec3){1, 2, 30}));
    CHECK(scree_body_apply_torque(world, ids[50], (scree_vec3){0, 0, 0.1f}));
    return world;
}

static inline void run(scree_world *world, int steps) {
    for (int i = 0; i < steps; ++i) CHECK(scree_world_step(world, NULL));
}

static inline scree_world *load(const char *path) {
    const scree_world_def runtime = native();
    scree_world *world = NULL;
    CHECK(scree_checkpoint_load(path, &runtime, &world));
    return world;
}
