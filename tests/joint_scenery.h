/* Bodies and joints between them, for the tests of joints. */
#ifndef SCREE_TESTS_JOINT_SCENERY_H
#define SCREE_TESTS_JOINT_SCENERY_H

#include "scenery.h"

static const double G = 9.81;

/* A body of given mass and moments (all alike), at rest. */
static inline scree_body_id add_mass(scree_world *world, double mass, double inertia, scree_vec3 position) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = scree_sphere(0.01f);
    def.mass = (float)mass;
    def.inertia = (scree_vec3){(float)inertia, (float)inertia, (float)inertia};
    def.state.position = position;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static const scree_body_id nothing = {0, 0, 0};
static const scree_vec3 any = {0, 0, 0};

/* A joint between bodies where they are, its x axis along `x`. */
static inline scree_joint_def joint_at(scree_world *world, scree_joint_kind kind, scree_body_id a,
                                       scree_body_id b, scree_vec3 point, scree_vec3 x) {
    scree_joint_def def = scree_default_joint_def(kind);
    def.a = a, def.b = b;
    CHECK(scree_joint_place(world, &def, point, x, any));
    return def;
}

static inline scree_joint_id add_joint(scree_world *world, const scree_joint_def *def) {
    scree_joint_id id;
    CHECK(scree_joint_create(world, def, &id));
    return id;
}

static inline scree_joint_state joint_state_of(const scree_world *world, scree_joint_id id) {
    scree_joint_state out;
    CHECK(scree_joint_state_get(world, id, &out));
    return out;
}

/* Enough iterations that the joints are solved. */
static inline scree_world *exact_world(void **state, double time_step) {
    scree_world_def def = def_on(state);
    def.time_step = time_step;
    def.solver.iterations = 100;
    def.solver.check_every = 2;
    def.solver.tolerance = 1e-6f;
    def.solver.position_iterations = 4;
    return world_of(&def);
}

#endif
