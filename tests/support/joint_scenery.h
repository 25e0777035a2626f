/* Bodies and joints between them, for the tests of joints. */
#pragma once

#include "scenery.h"

static const double G = 9.81;

/* Adds a body at rest with the given mass and three equal moments of inertia. */
static inline scree_body_id add_mass(scree_world *world, double mass, double inertia, scree_vec3 position) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = scree_shape_sphere(0.01f);
    def.mass = (float)mass;
    def.inertia = (scree_vec3){(float)inertia, (float)inertia, (float)inertia};
    def.state.position = position;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static const scree_body_id nothing = {0, 0, 0};
static const scree_vec3 any = {0, 0, 0};

/* Returns a joint between two bodies at their current positions, its x axis along `x`. */
static inline scree_joint_def joint_at(scree_world *world, scree_joint_kind kind, scree_body_id a,
                                       scree_body_id b, scree_vec3 point, scree_vec3 x) {
    scree_joint_def def = scree_default_joint_def(kind);
    def.a = a, def.b = b;
    CHECK(scree_joint_get_frame(world, &def, point, x, any));
    return def;
}

static inline scree_joint_id add_joint(scree_world *world, const scree_joint_def *def) {
    scree_joint_id id;
    CHECK(scree_joint_create(world, def, &id));
    return id;
}

static inline scree_joint_state joint_state_of(const scree_world *world, scree_joint_id id) {
    scree_joint_state out;
    CHECK(scree_joint_get_state(world, id, &out));
    return out;
}

/* Returns a definition with enough iterations to converge the joints. */
static inline scree_world *exact_world(void **state, double time_step) {
    scree_world_def def = def_on(state);
    def.time_step = time_step;
    def.solver.iterations = 100;
    def.solver.check_every = 2;
    def.solver.tolerance = 1e-6f;
    def.solver.split.position_iterations = 4;
    return world_of(&def);
}

/* Adds a cube with three arms of two links each, at the height z: joints of four kinds in a tree, which is
 * solved directly as the cube carries more than twice its mass. */
enum { CREATURE_BODIES = 7 };

static inline void add_creature(scree_world *world, float z, scree_body_id bodies[CREATURE_BODIES]) {
    const scree_joint_kind shoulders[] = {SCREE_JOINT_BALL, SCREE_JOINT_HINGE, SCREE_JOINT_FIXED},
                           elbows[] = {SCREE_JOINT_HINGE, SCREE_JOINT_UNIVERSAL, SCREE_JOINT_BALL};
    const scree_vec3 ways[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}}, upwards = {0, 0, 1};
    bodies[0] = add_body(world, scree_shape_box(0.07f, 0.07f, 0.07f), (scree_vec3){0, 0, z}, any);
    for (int i = 0; i < 3; i++)
        for (int part = 0; part < 2; part++) {
            const scree_vec3 way = ways[i];
            const float near = 0.1f + 0.3f * (float)part, middle = near + 0.15f;
            const scree_shape shape =
                way.y > 0 ? scree_shape_box(0.04f, 0.15f, 0.04f) : scree_shape_box(0.15f, 0.04f, 0.04f);
            const scree_body_id from = part ? bodies[2 * i + 1] : bodies[0],
                                id = add_body(world, shape, (scree_vec3){middle * way.x, middle * way.y, z},
                                              any);
            const scree_joint_def joint = joint_at(world, part ? elbows[i] : shoulders[i], from, id,
                                                   (scree_vec3){near * way.x, near * way.y, z}, upwards);
            add_joint(world, &joint);
            bodies[2 * i + 1 + part] = id;
        }
}
