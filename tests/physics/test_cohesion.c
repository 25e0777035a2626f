/* Cohesion: a constant attractive force while bodies touch. Grains hang by it up to the given force, and fall
 * above it. */
#include "scenery.h"

#include "step/world.h"

static const double g = 9.81;

/* a ball of 0.1 m below something, with a cohesion of `share` times its weight */
static const double radius = 0.1;
static double weight(void) { return 1000 * 4.0 / 3 * M_PI * radius * radius * radius * g; }

static scree_world *world_with(void **state, double share, double distance) {
    scree_world_def def = def_on(state);
    def.time_step = 1 / 240.0;
    def.material.cohesion = (float)(share * weight());
    def.material.cohesion_distance = (float)distance;
    return world_of(&def);
}

/* Adds the half-space above z = 0. */
static scree_body_id add_ceiling(scree_world *world) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = SCREE_BODY_STATIC;
    def.shape = scree_shape_half_space();
    def.state.rotation = (scree_quat){1, 0, 0, 0};
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* The reported force between the ball and the ceiling is its weight, for any cohesive force. */
static void grain_hangs_below_a_ceiling(void **state) {
    scree_world *world = world_with(state, 1.05, 1e-5);
    add_ceiling(world);
    const scree_body_id ball = add_body(world, scree_shape_sphere((float)radius),
                                        (scree_vec3){0, 0, -(float)radius}, (scree_vec3){0, 0, 0});
    const scree_statistics s = run_for(world, 10);
    const double h = scree_world_get_def(world).time_step;
    const scree_body_state now = state_of(world, ball);
    ASSERT_AT_MOST(fabs((double)now.position.z + radius), 1e-6);
    ASSERT_AT_MOST(length_of(now.linear_velocity), 1e-6);
    ASSERT_NEAR(s.static_impulse[2], -weight() * h, 1e-4);
    scree_contact contact;
    assert_int_equal(scree_contact_list(world, &contact, 1), 1);
    ASSERT_NEAR(fabs((double)contact.impulse.z), weight() * h, 1e-4);
    ASSERT_AT_MOST(s.solve.residual, 1e-5);
    scree_world_destroy(world);
}

/* Above the cohesive force it falls, pulled back by F over the range. */
static void grain_falls_above_the_force(void **state) {
    scree_world *world = world_with(state, 0.95, 1e-5);
    add_ceiling(world);
    const scree_body_id ball = add_body(world, scree_shape_sphere((float)radius),
                                        (scree_vec3){0, 0, -(float)radius}, (scree_vec3){0, 0, 0});
    run_for(world, 0.5);
    ASSERT_NEAR(-radius - (double)state_of(world, ball).position.z, g * 0.5 * 0.5 / 2, 0.03);
    scree_world_destroy(world);
}

/* Two balls hang in a chain from a fixed one: the upper contact bears both. */
static void chain_is_as_strong_as_its_weakest_link(void **state) {
    for (int breaks = 0; breaks < 2; breaks++) {
        scree_world *world = world_with(state, breaks ? 1.9 : 2.1, 1e-5);
        scree_body_def def = scree_default_body_def();
        scree_body_id fixed;
        def.type = SCREE_BODY_STATIC;
        def.shape = scree_shape_sphere((float)radius);
        CHECK(scree_body_create(world, &def, &fixed));
        const scree_vec3 still = {0, 0, 0};
        const scree_body_id upper =
            add_body(world, scree_shape_sphere((float)radius), (scree_vec3){0, 0, -0.2f}, still);
        const scree_body_id lower =
            add_body(world, scree_shape_sphere((float)radius), (scree_vec3){0, 0, -0.4f}, still);
        run_for(world, 1);
        const double z = (double)state_of(world, upper).position.z;
        const double apart = z - (double)state_of(world, lower).position.z;
        ASSERT_NEAR(apart, 0.2, 1e-3); /* the lower link holds either way */
        if (breaks)
            ASSERT_AT_MOST(z, -1.5);
        else
            ASSERT_NEAR(z, -0.2, 1e-3);
        scree_world_destroy(world);
    }
}

/* A slab attached by its face with four points has the cohesive force of the pair, not four times it. */
static void a_face_has_the_force_of_one_pair(void **state) {
    for (int falls = 0; falls < 2; falls++) {
        scree_world_def def = def_on(state);
        const double slab = 1000 * 0.2 * 0.2 * 0.02 * g;
        def.material.cohesion = (float)((falls ? 0.9 : 1.1) * slab);
        scree_world *world = world_of(&def);
        add_ceiling(world);
        const scree_body_id id = add_body(world, scree_shape_box(0.1f, 0.1f, 0.01f),
                                          (scree_vec3){0, 0, -0.01f}, (scree_vec3){0, 0, 0});
        run_for(world, 1);
        const scree_body_state now = state_of(world, id);
        if (falls)
            ASSERT_AT_MOST((double)now.position.z, -3);
        else
            ASSERT_AT_MOST(fabs((double)now.position.z + 0.01) + length_of(now.angular_velocity), 1e-4);
        scree_world_destroy(world);
    }
}

/* Cohesion bounds friction: a weightless ball held to a wall by the cohesive force F slides if pulled by more
 * than μ F, and not by less. */
static void cohesion_bounds_friction(void **state) {
    for (int slides = 0; slides < 2; slides++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){slides ? 6.0f : 4.0f, 0, 0};
        def.time_step = 1e-3;
        def.material.cohesion = (float)(weight() / g * 10);
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        body.shape = scree_shape_sphere((float)radius);
        body.state.position.z = (float)radius;
        body.locks = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z;
        CHECK(scree_body_create(world, &body, &id));
        run_for(world, 1);
        const double speed = (double)state_of(world, id).linear_velocity.x;
        if (slides)
            ASSERT_NEAR(speed, 6 - 0.5 * 10, 0.01);
        else
            ASSERT_AT_MOST(speed, 1e-4);
        scree_world_destroy(world);
    }
}

/* Separating two balls in free space takes the work F d: below the speed √(4 F d/m) (energy F d, reduced mass
 * m/2, relative speed v) they return, above it they part. Momentum is conserved. */
static void separation_takes_the_work_of_cohesion(void **state) {
    const double distance = 0.01, mass = weight() / g, force = weight();
    for (int parts = 0; parts < 2; parts++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        def.time_step = 1e-4;
        def.material.cohesion = (float)force;
        def.material.cohesion_distance = (float)distance;
        scree_world *world = world_of(&def);
        const double speed = (parts ? 1.05 : 0.95) * sqrt(4 * force * distance / mass);
        add_body(world, scree_shape_sphere((float)radius), (scree_vec3){0, 0, 0}, (scree_vec3){0, 0, 0});
        add_body(world, scree_shape_sphere((float)radius), (scree_vec3){2 * (float)radius, 0, 0},
                 (scree_vec3){(float)speed, 0, 0});
        const scree_statistics s = run_for(world, 0.3);
        ASSERT_NEAR(s.momentum[0], mass * speed, 1e-4);
        /* Parted balls have no contact beyond the speculative margin; joined balls have one. */
        assert_int_equal(s.contacts, parts ? 0 : 1);
        scree_world_destroy(world);
    }
}

/* A ball without friction does not turn, even when attracted in passing: every force acts through its centre.
 * The attraction deflects it. */
static void cohesion_does_not_turn_a_ball(void **state) {
    const scree_shape fixed[] = {scree_shape_box(5, 5, 0.5f), scree_shape_sphere(5),
                                 scree_shape_half_space()};
    for (int i = 0; i < 3; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        def.material.friction = 0;
        def.material.cohesion = 10;
        def.material.cohesion_distance = 0.05f;
        scree_world *world = world_of(&def);
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        body.type = SCREE_BODY_STATIC;
        body.shape = fixed[i];
        body.state.position.z = i == 0 ? -0.5f : i == 1 ? -5 : 0;
        CHECK(scree_body_create(world, &body, &id));
        body = scree_default_body_def();
        body.shape = scree_shape_sphere((float)radius), body.mass = 1;
        body.state.position = (scree_vec3){-0.5f, 0, 0.14f};
        body.state.linear_velocity = (scree_vec3){3, 0, -0.2f};
        CHECK(scree_body_create(world, &body, &id));
        for (int k = 0; k < 30; k++) {
            CHECK(scree_world_step(world, NULL));
            ASSERT_AT_MOST(length_of(state_of(world, id).angular_velocity), 1e-5);
        }
        if (i == 1) { /* at a thousandth of the step: 3.00026 and −0.1484 m/s */
            ASSERT_WITHIN((double)state_of(world, id).linear_velocity.x, 3.00026, 1e-3);
            ASSERT_WITHIN((double)state_of(world, id).linear_velocity.z, -0.1484, 0.01);
        } else {
            ASSERT_AT_MOST((double)state_of(world, id).linear_velocity.x, 3.001);
        }
        scree_world_destroy(world);
    }
}

/* A ball flies past another at half the cohesive range, a hundred ranges per step. It is attracted only in
 * steps that begin within the range, whose number over 200 passes matches the path length. */
static void passing_ball_is_attracted_only_within_range(void **state) {
    enum { PASSES = 200 };
    const double speed = 100, step = 1e-3, distance = 1e-3, off = 2 * radius + distance / 2;
    int cohesive = 0;
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    def.time_step = step;
    def.material.friction = 0, def.material.cohesion = 1, def.material.cohesion_distance = (float)distance;
    scree_world *world = world_of(&def);
    scree_body_id ids[PASSES];
    for (int i = 0; i < PASSES; i++) {
        scree_body_def fixed = scree_default_body_def();
        fixed.type = SCREE_BODY_STATIC, fixed.shape = scree_shape_sphere((float)radius);
        fixed.state.position.y = (float)i;
        CHECK(scree_body_create(world, &fixed, NULL));
        ids[i] = add_body(world, fixed.shape,
                          (scree_vec3){(float)(-0.4 - speed * step * i / PASSES), (float)i, (float)off},
                          (scree_vec3){(float)speed, 0, 0});
    }
    for (int k = 0; k < 10; k++) {
        scree_body_state before[PASSES];
        for (int i = 0; i < PASSES; i++) before[i] = state_of(world, ids[i]);
        CHECK(scree_world_step(world, NULL));
        for (int i = 0; i < PASSES; i++) {
            const scree_body_state is = state_of(world, ids[i]);
            const bool near =
                hypot((double)before[i].position.x, (double)before[i].position.z) <= 2 * radius + distance;
            const double change = hypot((double)is.linear_velocity.x - (double)before[i].linear_velocity.x,
                                        (double)is.linear_velocity.z - (double)before[i].linear_velocity.z);
            if (!near) ASSERT_AT_MOST(change, 1e-9);
            cohesive += change > 1e-9;
        }
    }
    const double way = 2 * sqrt((2 * radius + distance) * (2 * radius + distance) - off * off);
    ASSERT_WITHIN(cohesive, PASSES * way / (speed * step), 3);
    scree_world_destroy(world);
}

/* After a change of the time step, contacts report the impulses of the same forces for the new step. */
static void force_is_kept_when_the_time_step_changes(void **state) {
    scree_world *world = world_with(state, 10, 0.01);
    add_slope(world, 0);
    add_body(world, scree_shape_sphere((float)radius), (scree_vec3){0, 0, (float)radius},
             (scree_vec3){0, 0, 0});
    run_for(world, 0.5);
    const double h = scree_world_get_def(world).time_step;
    scree_contact contact;
    assert_int_equal(scree_contact_list(world, &contact, 1), 1);
    ASSERT_NEAR((double)contact.impulse.z / h, weight(), 1e-3);
    CHECK(scree_world_set_time_step(world, h / 2));
    assert_int_equal(scree_contact_list(world, &contact, 1), 1);
    ASSERT_NEAR((double)contact.impulse.z / (h / 2), weight(), 1e-3);
    scree_world_destroy(world);
}

/* Two cubes that stick together keep spinning: with substeps, too, the cohesive forces on both have no net
 * moment, and conserve angular momentum and energy. */
static void sticking_cubes_keep_spinning(void **state) {
    for (int parts = 0; parts < 2; parts++) {
        const float half = 0.01f, turn = 1;
        scree_world_def def = def_on(state);
        scree_statistics s;
        double first = 0;
        def.gravity = (scree_vec3){0, 0, 0};
        def.time_step = 1 / 120.0;
        def.material.cohesion = (float)(8 * half * half * half * 1000 * g);
        def.material.cohesion_distance = 1e-4f;
        if (parts) def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_REALTIME);
        scree_world *world = world_of(&def);
        for (int side = -1; side <= 1; side += 2) {
            scree_body_def body = scree_default_body_def();
            scree_body_id id;
            body.shape = scree_shape_box(half, half, half);
            body.state.position.x = (float)side * half;
            body.state.linear_velocity.y = (float)side * half * turn;
            body.state.angular_velocity.z = turn;
            CHECK(scree_body_create(world, &body, &id));
        }
        for (int step = 0; step < 240; step++) {
            CHECK(scree_world_step(world, &s));
            if (step == 0) first = s.angular_momentum[2];
        }
        ASSERT_WITHIN(s.angular_momentum[2] / first, 1, 1e-3);
        ASSERT_WITHIN(s.kinetic_energy / (first * (double)turn / 2), 1, 1e-3);
        scree_world_destroy(world);
    }
}

/* A floor binds a sliding cube alike wherever the origin of its plane is. */
static void the_origin_of_a_floor_does_not_matter(void **state) {
    scree_vec3 after[2];
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.material.cohesion = 1, def.material.friction = 0;
        scree_world *world = world_of(&def);
        scree_body_def floor = scree_default_body_def();
        floor.type = SCREE_BODY_STATIC, floor.shape = scree_shape_half_space();
        if (i) floor.state.position = (scree_vec3){0.3f, -0.2f, 0};
        CHECK(scree_body_create(world, &floor, NULL));
        const scree_body_id id = add_body(world, scree_shape_box(0.05f, 0.05f, 0.05f),
                                          (scree_vec3){0.1f, 0, 0.049f}, (scree_vec3){1, 0, 0});
        run_for(world, 0.25);
        after[i] = state_of(world, id).linear_velocity;
        scree_world_destroy(world);
    }
    ASSERT_WITHIN(after[0].x, 1, 1e-5);
    ASSERT_WITHIN(after[1].x, 1, 1e-5);
    ASSERT_WITHIN(after[1].z, after[0].z, 1e-5);
}

/* Balls with one centre have no direction between them. */
static void concentric_balls_stay_finite(void **state) {
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.material.cohesion = 1;
        if (i) def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_SUBSTEP);
        scree_world *world = world_of(&def);
        for (int k = 0; k < 2; k++)
            add_body(world, scree_shape_sphere(k ? 0.01f : 0.02f), (scree_vec3){0, 0, 0},
                     (scree_vec3){0, 0, 0});
        run_for(world, 1);
        scree_world_destroy(world);
    }
}

/* Every accepted force acts: the pair's is a mean of products that overflow single precision. */
static void forces_of_any_size_act(void **state) {
    const float forces[] = {2e19f, 1e-30f};
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.material.cohesion = forces[i];
        scree_world *world = world_of(&def);
        const scree_material_pair_def pair = material_combine(&world->model.materials, 0, 0);
        assert_true(pair.cohesion == forces[i]);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(grain_hangs_below_a_ceiling),
        ON_EACH_BACKEND(grain_falls_above_the_force),
        ON_EACH_BACKEND(chain_is_as_strong_as_its_weakest_link),
        ON_EACH_BACKEND(a_face_has_the_force_of_one_pair),
        ON_EACH_BACKEND(cohesion_bounds_friction),
        ON_EACH_BACKEND(separation_takes_the_work_of_cohesion),
        ON_EACH_BACKEND(cohesion_does_not_turn_a_ball),
        ON_EACH_BACKEND(passing_ball_is_attracted_only_within_range),
        ON("native", force_is_kept_when_the_time_step_changes),
        ON("native", sticking_cubes_keep_spinning),
        ON("opencl", sticking_cubes_keep_spinning),
        ON("native", the_origin_of_a_floor_does_not_matter),
        ON("native", concentric_balls_stay_finite),
        ON("opencl", concentric_balls_stay_finite),
        ON("native", forces_of_any_size_act),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
