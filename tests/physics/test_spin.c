/* Rotation under torques and locks, without contacts. */
#include "scenery.h"

enum { APPLY_TORQUE, APPLY_FORCE_AT, CONSTANT_TORQUE, WAYS };

static const scree_vec3 torque = {0.3f, -0.2f, 0.5f};

/* Applies a force at a point whose moment about the origin is the torque: F = τ × p, with p of unit length
 * and normal to τ. */
static void apply_moment(scree_world *world, scree_body_id id) {
    const scree_vec3 t = torque;
    const float s = 1 / sqrtf(t.x * t.x + t.y * t.y);
    const scree_vec3 p = {-t.y * s, t.x * s, 0};
    const scree_vec3 force = {t.y * p.z - t.z * p.y, t.z * p.x - t.x * p.z, t.x * p.y - t.y * p.x};
    CHECK(scree_body_apply_force_at(world, id, force, p));
    CHECK(scree_body_apply_force(world, id, (scree_vec3){-force.x, -force.y, -force.z}));
}

/* dL/dt = τ: after n steps the angular momentum is I ω₀ + n h τ in world axes, at any spin and by any of the
 * calls. */
static void torques_change_angular_momentum_exactly(void **state) {
    const scree_shape shapes[] = {scree_shape_sphere(0.1f), scree_shape_box(0.1f, 0.2f, 0.3f)};
    for (int i = 0; i < 2 * WAYS; i++) {
        const int way = i / 2, steps = 20;
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&def);
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        scree_vec3 moments;
        float mass;
        scree_statistics s;
        body.mass = 10;
        body.shape = shapes[i % 2];
        body.state.angular_velocity = (scree_vec3){0, i % 2 ? 6.0f : 100.0f, 0};
        if (way == CONSTANT_TORQUE) body.torque = torque;
        CHECK(scree_body_create(world, &body, &id));
        CHECK(scree_body_get_mass(world, id, &mass, &moments));
        for (int k = 0; k < steps; k++) {
            if (way == APPLY_TORQUE) CHECK(scree_body_apply_torque(world, id, torque));
            if (way == APPLY_FORCE_AT) apply_moment(world, id);
            CHECK(scree_world_step(world, &s));
        }
        const double gain = steps * def.time_step, start = (double)moments.y * (i % 2 ? 6 : 100);
        const double share = backend_of(state) == SCREE_BACKEND_REFERENCE ? 2e-5 : 1e-4;
        ASSERT_WITHIN(s.angular_momentum[0], gain * (double)torque.x, share * start);
        ASSERT_WITHIN(s.angular_momentum[1], start + gain * (double)torque.y, share * start);
        ASSERT_WITHIN(s.angular_momentum[2], gain * (double)torque.z, share * start);
        scree_world_destroy(world);
    }
}

/* A rod at 30° to the x axis, with rotation about z locked, lies in the plane of its free axes: an angular
 * impulse L along it adds L/I_axial to its axial spin and nothing across, for any slenderness. */
static void locked_rods_spin_about_their_axis(void **state) {
    const float widths[] = {0.05f, 0.001f, 5e-4f, 1e-4f, 5e-5f};
    for (int i = 0; i < 5; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&def);
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        scree_vec3 moments;
        float mass;
        const double angle = asin(0.5), c = cos(angle), s = sin(angle);
        body.shape = scree_shape_box(0.5f, widths[i], widths[i]);
        body.mass = 1;
        body.locks = SCREE_LOCK_ROTATION_Z;
        body.state.rotation = (scree_quat){0, 0, (float)sin(angle / 2), (float)cos(angle / 2)};
        CHECK(scree_body_create(world, &body, &id));
        CHECK(scree_body_get_mass(world, id, &mass, &moments));
        const scree_vec3 impulse = {moments.x * (float)c, moments.x * (float)s, 0};
        CHECK(scree_body_apply_angular_impulse(world, id, impulse));
        const float rate = (float)(1 / def.time_step);
        for (int turn = 1; turn <= 2; turn++) {
            const scree_vec3 omega = state_of(world, id).angular_velocity;
            ASSERT_WITHIN((double)omega.x * c + (double)omega.y * s, turn, 1e-5);
            ASSERT_WITHIN((double)omega.y * c - (double)omega.x * s, 0, 1e-5);
            assert_true(omega.z == 0);
            /* Repeats it with a torque during a step. */
            CHECK(scree_body_apply_torque(world, id, (scree_vec3){rate * impulse.x, rate * impulse.y, 0}));
            CHECK(scree_world_step(world, NULL));
        }
        scree_world_destroy(world);
    }
}

/* A lock's torque is along its axis and does no work on a spin perpendicular to it: angular momentum about
 * the two free axes and kinetic energy are conserved while the body turns over. */
static void locked_bodies_conserve_momentum_and_energy(void **state) {
    const int locks[] = {SCREE_LOCK_ROTATION_X, SCREE_LOCK_ROTATION_Y, SCREE_LOCK_ROTATION_Z};
    for (int axis = 0; axis < 3; axis++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&def);
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        scree_vec3 moments;
        float mass;
        scree_statistics now;
        body.shape = scree_shape_box(0.5f, 0.25f, 0.1f);
        body.locks = locks[axis];
        body.state.angular_velocity = (scree_vec3){axis == 0 ? 0 : 3, axis == 1 ? 0 : 3, axis == 2 ? 0 : 3};
        CHECK(scree_body_create(world, &body, &id));
        CHECK(scree_body_get_mass(world, id, &mass, &moments));
        const double m[3] = {(double)moments.x, (double)moments.y, (double)moments.z};
        const double share = backend_of(state) == SCREE_BACKEND_REFERENCE ? 3e-5 : 3e-4;
        double energy = 0, least = 1e30, most = 0, size = 0;
        for (int i = 0; i < 3; i++)
            if (i != axis) energy += 0.5 * m[i] * 9, size += 9 * m[i] * m[i];
        for (int step = 0; step < 600; step++) {
            CHECK(scree_world_step(world, &now));
            const scree_vec3 omega = state_of(world, id).angular_velocity;
            const double speed = length_of(omega);
            for (int i = 0; i < 3; i++)
                if (i != axis) ASSERT_WITHIN(now.angular_momentum[i], 3 * m[i], share * sqrt(size));
            ASSERT_NEAR(now.kinetic_energy, energy, 2e-3);
            assert_true((&omega.x)[axis] == 0);
            least = fmin(least, speed), most = fmax(most, speed);
        }
        assert_true(most > 1.05 * least); /* the inertia about the free axes did change */
        scree_world_destroy(world);
    }
}

/* Over 10 000 steps with unbiased round-off: a lock costs no energy. */
static void locks_do_not_lose_energy(void **state) {
    for (int i = 0; i < 3; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        def.time_step = i == 2 ? 0.001 : 0.01;
        scree_world *world = world_of(&def);
        scree_body_def body = scree_default_body_def();
        scree_statistics s;
        body.shape = scree_shape_sphere(0.01f);
        body.mass = 1, body.inertia = (scree_vec3){1, 2, 3};
        body.locks = i ? SCREE_LOCK_ROTATION_Z : SCREE_LOCK_ROTATION_X;
        body.state.rotation = (scree_quat){0.3f, 0.3f, 0.3f, sqrtf(0.73f)};
        body.state.angular_velocity = i ? (scree_vec3){1, 0.3f, 0} : (scree_vec3){0, 1, 0.1f};
        CHECK(scree_body_create(world, &body, NULL));
        CHECK(scree_world_step(world, &s));
        const double energy = s.kinetic_energy;
        for (int step = 0; step < 10000; step++) CHECK(scree_world_step(world, &s));
        ASSERT_NEAR(s.kinetic_energy, energy, 1e-4);
        scree_world_destroy(world);
    }
}

/* A load-free body turns by h ω in a step: a sphere, a box about its axis, a drum with prescribed motion. */
static void bodies_turn_by_their_spin_times_the_step(void **state) {
    const double turns[] = {0.01, 0.03, 0.1, 0.3, 0.5, 1, 2, 3};
    for (int i = 0; i < 8; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&def);
        const float spin = (float)(turns[i] / def.time_step);
        scree_body_def body = scree_default_body_def();
        scree_body_id ids[3];
        body.state.angular_velocity = (scree_vec3){0, spin, 0};
        for (int k = 0; k < 3; k++) {
            body.shape = k == 0 ? scree_shape_sphere(0.1f) : scree_shape_box(0.1f, 0.2f, 0.3f);
            body.type = k == 2 ? SCREE_BODY_KINEMATIC : SCREE_BODY_DYNAMIC;
            body.state.position.x = (float)k;
            CHECK(scree_body_create(world, &body, &ids[k]));
        }
        CHECK(scree_world_step(world, NULL));
        for (int k = 0; k < 3; k++) {
            const scree_quat q = state_of(world, ids[k]).rotation;
            const double size = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y +
                                     (double)q.z * (double)q.z + (double)q.w * (double)q.w);
            ASSERT_WITHIN(2 * atan2((double)q.y, (double)q.w), turns[i], 1e-6 * turns[i]);
            ASSERT_WITHIN(size, 1, 1e-7);
            assert_true(q.x == 0 && q.z == 0);
        }
        scree_world_destroy(world);
    }
}

/* A box that spins about its middle axis turns over repeatedly (Dzhanibekov): without torques energy and
 * spatial angular momentum are conserved, also at half a radian per step, and for lengths of 10 μm to 100
 * km. */
static void boxes_tumble_without_loss(void **state) {
    const float sizes[] = {0.1f, 0.1f, 5e-6f, 1e-4f, 5e4f};
    for (int i = 0; i < 5; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&def);
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        scree_vec3 moments;
        float mass;
        scree_statistics s;
        const double spin = (i == 1 ? 0.5 : 0.05) / def.time_step;
        body.shape = scree_shape_box(sizes[i], 2 * sizes[i], 3 * sizes[i]);
        body.state.angular_velocity = (scree_vec3){(float)(0.01 * spin), (float)spin, 0};
        CHECK(scree_body_create(world, &body, &id));
        CHECK(scree_body_get_mass(world, id, &mass, &moments));
        const double momentum = (double)moments.y * spin, energy = 0.5 * momentum * spin;
        double lowest = 1, again = -1;
        for (int step = 0; step < 2000; step++) {
            CHECK(scree_world_step(world, &s));
            const scree_quat q = state_of(world, id).rotation;
            const double up = 1 - 2 * ((double)q.x * (double)q.x + (double)q.z * (double)q.z);
            lowest = fmin(lowest, up);
            if (lowest < -0.9) again = fmax(again, up);
            ASSERT_NEAR(s.kinetic_energy, energy, 1e-3);
            ASSERT_NEAR(s.angular_momentum[1], momentum, 1e-3);
        }
        assert_true(lowest < -0.9 && again > 0.9);
        scree_world_destroy(world);
    }
}

static const scree_stabilisation rigid[] = {SCREE_STABILISATION_BAUMGARTE, SCREE_STABILISATION_SPLIT,
                                            SCREE_STABILISATION_RELAXED, SCREE_STABILISATION_SUBSTEP};
enum { RIGID = sizeof rigid / sizeof *rigid };

/* A ball with locked position overlaps a fixed one in any direction: nothing can separate them, so there is
 * no normal impulse or friction, though the contact arm and the normal are parallel except for round-off. */
static void locked_balls_spin_without_friction(void **state) {
    for (int i = 0; i < 8 * RIGID; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        def.solver = scree_solver_def_with_stabilisation(def.solver, rigid[i / 8]);
        const float turn = 0.7f * (float)(i % 8), out = cosf(turn);
        const scree_vec3 to = {0.195f * out * cosf(3 * turn), 0.195f * out * sinf(3 * turn),
                               0.195f * sinf(turn)};
        scree_world *world = world_of(&def);
        scree_body_def ball = scree_default_body_def();
        scree_body_id id;
        ball.shape = scree_shape_sphere(0.1f);
        ball.locks = SCREE_LOCK_X | SCREE_LOCK_Y | SCREE_LOCK_Z;
        ball.state.angular_velocity = (scree_vec3){0.3f, -0.8f, 0.5f};
        CHECK(scree_body_create(world, &ball, &id));
        ball.locks = 0, ball.type = SCREE_BODY_STATIC;
        ball.state = (scree_body_state){.position = to, .rotation = {0, 0, 0, 1}};
        CHECK(scree_body_create(world, &ball, NULL));
        (void)run_for(world, 0.2);
        const scree_vec3 spin = state_of(world, id).angular_velocity;
        ASSERT_NEAR(spin.x, 0.3, 1e-5);
        ASSERT_NEAR(spin.y, -0.8, 1e-5);
        ASSERT_NEAR(spin.z, 0.5, 1e-5);
        scree_world_destroy(world);
    }
}

/* A plane presses a ball locked at its height, then rotates under it until it no longer can: no old impulse
 * remains that would cause friction. */
static void a_lost_normal_impulse_leaves_no_friction(void **state) {
    for (int i = 0; i < 2 * RIGID; i++) {
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_stabilisation(def.solver, rigid[i / 2]);
        scree_world *world = world_of(&def);
        const scree_body_id plane = add_slope(world, 0.8f);
        scree_body_def ball = scree_default_body_def();
        scree_body_id id;
        ball.shape = scree_shape_sphere(0.1f);
        ball.mass = 1;
        ball.locks = SCREE_LOCK_Z;
        if (i % 2) ball.locks |= SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z;
        const scree_vec3 normal = {sinf(0.8f), 0, cosf(0.8f)};
        ball.state.position = (scree_vec3){0.1f * normal.x, 0, 0.1f * normal.z};
        ball.force.x = -100;
        CHECK(scree_body_create(world, &ball, &id));
        (void)run_for(world, 0.1);
        scree_contact contact;
        assert_int_equal(scree_contact_list(world, &contact, 1), 1);
        assert_true(fabsf(contact.impulse.x) > 0.3f); /* N s */
        scree_body_state turned = state_of(world, plane), sliding = state_of(world, id);
        turned.rotation = (scree_quat){0, 0, 0, 1};
        sliding.position = (scree_vec3){0, 0, 0.1f};
        sliding.linear_velocity = (scree_vec3){0, 1, 0};
        sliding.angular_velocity = (scree_vec3){0, 0, 0};
        CHECK(scree_body_set_state(world, plane, &turned));
        CHECK(scree_body_set_state(world, id, &sliding));
        CHECK(scree_body_set_loads(world, id, (scree_vec3){0, 0, 0}, (scree_vec3){0, 0, 0}));
        (void)run_for(world, 0.1);
        assert_int_equal(scree_contact_list(world, &contact, 1), 1);
        ASSERT_NEAR(contact.impulse.z, 0, 1e-6);
        ASSERT_NEAR(state_of(world, id).linear_velocity.y, 1, 1e-5);
        ASSERT_NEAR(state_of(world, id).angular_velocity.x, 0, 1e-4);
        scree_world_destroy(world);
    }
}

/* A box locked to the plane of its floor slides on, though the floor is not exactly in that plane. */
static void planar_bodies_slide_on_inclined_floors(void **state) {
    for (int i = 0; i < RIGID; i++) {
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_stabilisation(def.solver, rigid[i]);
        scree_world *world = world_of(&def);
        scree_body_def box = scree_default_body_def();
        scree_body_id id;
        (void)add_slope(world, 1e-6f);
        box.shape = scree_shape_box(0.1f, 0.1f, 0.1f);
        box.locks = SCREE_LOCK_Z | SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y;
        box.state.position.z = 0.095f;
        box.state.linear_velocity.x = 1;
        CHECK(scree_body_create(world, &box, &id));
        (void)run_for(world, 0.2);
        const scree_vec3 velocity = state_of(world, id).linear_velocity;
        ASSERT_NEAR(velocity.x, 1, 1e-5);
        ASSERT_NEAR(velocity.y, 0, 1e-5);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(bodies_turn_by_their_spin_times_the_step),
        ON_EACH_BACKEND(boxes_tumble_without_loss),
        ON_EACH_BACKEND(torques_change_angular_momentum_exactly),
        ON_EACH_BACKEND(locked_rods_spin_about_their_axis),
        ON_EACH_BACKEND(locked_bodies_conserve_momentum_and_energy),
        ON_EACH_BACKEND(locks_do_not_lose_energy),
        ON("native", locked_balls_spin_without_friction),
        ON("opencl", locked_balls_spin_without_friction),
        ON("reference", locked_balls_spin_without_friction),
        ON("native", a_lost_normal_impulse_leaves_no_friction),
        ON("opencl", a_lost_normal_impulse_leaves_no_friction),
        ON("reference", a_lost_normal_impulse_leaves_no_friction),
        ON("reference", planar_bodies_slide_on_inclined_floors),
        ON("native", planar_bodies_slide_on_inclined_floors),
        ON("opencl", planar_bodies_slide_on_inclined_floors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
