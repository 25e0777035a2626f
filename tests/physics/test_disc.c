/* Contacts with the flat side of a cylinder or cone are on the disc itself: points within its circle, small
 * bodies anywhere on it or beyond its rim, and the disc standing on other bodies. */
#include "joint_scenery.h"
#include "native_bits.h"

#include "body_fixture.h"
#include "detect/manifold.h"
#include "convex_geometry.h"

static const double R = 0.1, HALF = 0.0015; /* m: radius of the disc, half size of a cube */
static const float THICK = 0.02f;

static scree_body_id add_fixed(scree_world *world, scree_shape shape, scree_vec3 position) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = SCREE_BODY_STATIC, def.shape = shape, def.state.position = position;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static scree_quat about_z(double angle) {
    return (scree_quat){0, 0, (float)sin(angle / 2), (float)cos(angle / 2)};
}

static scree_body_id add_at(scree_world *world, scree_shape shape, double x, double y, double z,
                            double angle) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = shape;
    def.state.position = (scree_vec3){(float)x, (float)y, (float)z}, def.state.rotation = about_z(angle);
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* Cubes on a disc thirty times as wide stand while their middle is on it by a tenth of their half size,
 * anywhere around the rim and at any angle; as far beyond it they fall. */
static void small_cubes_stand_up_to_the_rim(void **state) {
    skip_bits_of_native(state);
    enum { AROUND = 15, PLACES = 4, CUBES = AROUND * PLACES };
    const double out[PLACES] = {0.5 * R, R - 1.5 * HALF, R - 0.1 * HALF, R + 0.1 * HALF};
    for (int cone = 0; cone < 2; cone++) {
        scree_world_def def = def_on(state);
        def.time_step = 1e-3;
        scree_world *world = world_of(&def);
        scree_body_def base = scree_default_body_def();
        scree_body_id id, ids[CUBES];
        base.type = SCREE_BODY_STATIC;
        base.shape = cone ? scree_shape_cone((float)R, 4 * THICK) : scree_shape_cylinder((float)R, THICK);
        base.state.position.z = -THICK;
        if (cone) base.state.rotation = (scree_quat){1, 0, 0, 0};
        CHECK(scree_body_create(world, &base, &id));
        scree_body_state before[CUBES];
        for (int i = 0; i < CUBES; i++) {
            const double around = 2 * M_PI * i / CUBES, away = out[i % PLACES];
            ids[i] = add_at(world, scree_shape_box((float)HALF, (float)HALF, (float)HALF), away * cos(around),
                            away * sin(around), HALF, around + 0.37 * i);
            before[i] = state_of(world, ids[i]);
        }
        double fastest[CUBES] = {0};
        for (int step = 0; step < 2000; step++) {
            CHECK(scree_world_step(world, NULL));
            for (int i = 0; i < CUBES && step > 10; i++)
                fastest[i] = fmax(fastest[i], length_of(state_of(world, ids[i]).angular_velocity));
        }
        for (int i = 0; i < CUBES; i++) {
            const scree_body_state s = state_of(world, ids[i]);
            const scree_vec3 p = before[i].position;
            const double moved = hypot(s.position.x - p.x, s.position.y - p.y);
            if (out[i % PLACES] > R) {
                if (!(s.position.z < -THICK)) fail_msg("cube %d beyond the rim stays at %g", i, s.position.z);
                continue;
            }
            if (!(moved < 1e-3 * HALF && fabs(s.position.z - HALF) < 1e-2 * HALF && fastest[i] < 2e-3))
                fail_msg("cube %d went %g m, to the height %g, turning at up to %g/s", i, moved,
                         (double)s.position.z, fastest[i]);
        }
        scree_world_destroy(world);
    }
}

/* A cylinder stands on bodies that are smaller, larger, or shifted by less than either half width. */
static void cylinders_stand(void **state) {
    skip_bits_of_native(state);
    const struct {
        scree_shape base;
        double x, y;
    } cases[] = {{scree_shape_half_space(), 0, 0},
                 {scree_shape_box(0.2f, 0.2f, 0.05f), 0, 0},
                 {scree_shape_box(0.03f, 0.02f, 0.05f), 0, 0},
                 {scree_shape_box(0.2f, 0.2f, 0.05f), 0.19, 0.18},
                 {scree_shape_box(0.02f, 0.2f, 0.05f), 0.01, 0},
                 {scree_shape_cylinder(0.05f, 0.05f), 0, 0},
                 {scree_shape_cylinder(0.05f, 0.05f), 0.02, 0.03},
                 {scree_shape_cylinder(0.2f, 0.05f), 0, 0},
                 {scree_shape_cylinder(0.2f, 0.05f), 0.17, -0.09},
                 {scree_shape_cylinder(0.01f, 0.05f), 0, 0},
                 {scree_shape_cylinder(0.01f, 0.05f), 0.003, 0.004}};
    enum { CASES = sizeof cases / sizeof *cases };
    scree_world_def def = def_on(state);
    def.time_step = 1.0 / 500;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    scree_body_id ids[CASES];
    for (int i = 0; i < CASES; i++) {
        const float x = (float)i;
        const double top = i > 0 ? 0.1 : 0;
        if (i > 0) add_fixed(world, cases[i].base, (scree_vec3){x, 0, 0.05f});
        ids[i] = add_at(world, scree_shape_cylinder(0.05f, 0.08f), x + cases[i].x, cases[i].y, top + 0.08,
                        0.2 * i);
    }
    run_for(world, 2);
    for (int i = 0; i < CASES; i++) {
        const scree_body_state s = state_of(world, ids[i]);
        const double moved = hypot(s.position.x - i - cases[i].x, s.position.y - cases[i].y),
                     height = s.position.z - (i > 0 ? 0.1 : 0);
        if (!(moved < 1e-4 && fabs(height - 0.08) < 1e-4 && length_of(s.angular_velocity) < 1e-2))
            fail_msg("case %d went %g m, to the height %g, turning at %g/s", i, moved, height,
                     length_of(s.angular_velocity));
    }
    scree_world_destroy(world);
}

/* A cube whose middle is a tenth of its half size beyond the rim tips over: only the rim supports it, with
 * overlap below a hundredth of its half size. */
static void cubes_tip_over_the_rim(void **state) {
    skip_bits_of_native(state);
    enum { CUBES = 8 };
    const double half = 0.0035, radius = 0.03;
    scree_world_def def = def_on(state);
    def.time_step = 2e-4;
    scree_world *world = world_of(&def);
    scree_body_id ids[CUBES];
    const body_pose below = pose_of(vec3_of(0, 0, -THICK), versor_of(0, 0, 0, 1));
    const solid disc = solid_of(scree_shape_cylinder((float)radius, THICK), below);
    const scree_shape cube = scree_shape_box((float)half, (float)half, (float)half);
    add_fixed(world, scree_shape_cylinder((float)radius, THICK), (scree_vec3){0, 0, -THICK});
    for (int i = 0; i < CUBES; i++) {
        const double around = 2 * M_PI * i / CUBES + 0.03 * i, away = radius + 0.1 * half;
        ids[i] = add_at(world, cube, away * cos(around), away * sin(around), half, around + 0.2 * i);
    }
    double deepest = 0;
    for (int step = 0; step < 2000; step++) {
        scree_statistics quantities;
        CHECK(scree_world_step(world, &quantities));
        if (step % 20) continue;
        for (int i = 0; i < CUBES; i++) {
            const scree_body_state s = state_of(world, ids[i]);
            const solid body =
                solid_of(cube, pose_of(vec3_of(s.position.x, s.position.y, s.position.z),
                                       versor_of(s.rotation.x, s.rotation.y, s.rotation.z, s.rotation.w)));
            if (s.position.z > -THICK) deepest = fmax(deepest, -solid_separation(&body, &disc, 600));
        }
    }
    print_message("# deepest %g of the half size\n", deepest / half);
    ASSERT_AT_MOST(deepest, 0.01 * half);
    for (int i = 0; i < CUBES; i++) ASSERT_AT_MOST(state_of(world, ids[i]).position.z, -THICK);
    scree_world_destroy(world);
}

/* A cube turning on a disc's rim without friction keeps turning at constant height and tilt at every
 * angle. */
static void cubes_turn_on_the_rim(void **state) {
    skip_bits_of_native(state);
    enum { CUBES = 6 };
    scree_world_def def = def_on(state);
    def.time_step = 1e-3;
    def.material.friction = 0;
    scree_world *world = world_of(&def);
    scree_body_id ids[CUBES];
    add_fixed(world, scree_shape_cylinder((float)R, THICK), (scree_vec3){0, 0, -THICK});
    for (int i = 0; i < CUBES; i++) {
        scree_body_def body = scree_default_body_def();
        const double around = 2 * M_PI * i / CUBES + 0.1 * i, away = R - 0.3 * HALF;
        body.shape = scree_shape_box((float)HALF, (float)HALF, (float)HALF);
        body.state.position =
            (scree_vec3){(float)(away * cos(around)), (float)(away * sin(around)), (float)HALF};
        body.state.angular_velocity = (scree_vec3){0, 0, 2};
        CHECK(scree_body_create(world, &body, &ids[i]));
    }
    double lift = 0, tilt = 0;
    for (int step = 0; step < 1600; step++) {
        CHECK(scree_world_step(world, NULL));
        for (int i = 0; i < CUBES; i++) {
            const scree_body_state s = state_of(world, ids[i]);
            lift = fmax(lift, fabs(s.position.z - HALF));
            tilt = fmax(tilt, hypot(s.angular_velocity.x, s.angular_velocity.y));
        }
    }
    print_message("# lift %g of the half size, turns over at up to %g/s\n", lift / HALF, tilt);
    ASSERT_AT_MOST(lift, 0.01 * HALF);
    ASSERT_AT_MOST(tilt, 0.05);
    for (int i = 0; i < CUBES; i++) ASSERT_NEAR(state_of(world, ids[i]).angular_velocity.z, 2, 1e-2);
    scree_world_destroy(world);
}

/* Points of a box, disc or bar lying flat on a disc are within its circle and within the body; three or more
 * if the middle of a box or disc is on it. */
static void points_are_within_the_circle(void **unused) {
    (void)unused;
    uint64_t seed = 11;
    const versors up = {0, 0, 0, 1};
    const body_pose below = pose_of(vec3_of(0, 0, -THICK), up);
    int found = 0;
    for (int i = 0; i < 4000; i++) {
        const double radius = random_between(&seed, 0.05, 1), half = random_between(&seed, 0.02, 0.5),
                     away = random_between(&seed, 0, radius + half), around = random_between(&seed, 0, 6.3);
        const scree_shape shapes[] = {scree_shape_box((float)half, (float)(0.7 * half), (float)half),
                                      scree_shape_cylinder((float)half, (float)half),
                                      scree_shape_capsule((float)(half / 4), (float)half)};
        const int kind = i % 3;
        const scree_quat turn = about_z(random_between(&seed, 0, 6.3));
        versors q = versor_of(turn.x, turn.y, turn.z, turn.w);
        if (kind == 2) q = rotation_product(q, versor_of(0.70710678f, 0, 0, 0.70710678f));
        const body_pose pose = pose_of(vec3_of((float)(away * cos(around)), (float)(away * sin(around)),
                                               (float)(kind == 2 ? half / 4 : half)),
                                       q);
        const manifold m =
            manifold_of(scree_shape_cylinder((float)radius, THICK), below, shapes[kind], pose, 1e-3f);
        const solid over = solid_of(shapes[kind], pose);
        if (away < radius - 1e-3 && kind < 2) assert_true(m.count >= 3);
        for (int k = 0; k < m.count; k++) {
            const vec3s p = m.points[k].position;
            const double half_gap = m.points[k].gap / 2, n[3] = {m.normal.x, m.normal.y, m.normal.z},
                         on_b[3] = {p.x + half_gap * n[0], p.y + half_gap * n[1], p.z + half_gap * n[2]};
            ASSERT_AT_MOST(hypot(p.x - half_gap * n[0], p.y - half_gap * n[1]), radius * (1 + 1e-6));
            assert_true(solid_holds(&over, on_b, 2e-3 * half));
            found++;
            for (int l = 0; l < k; l++) assert_int_not_equal(m.points[k].feature, m.points[l].feature);
        }
    }
    ASSERT_AT_LEAST(found, 6000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_within_the_circle),
        ON("native", small_cubes_stand_up_to_the_rim),
        ON("opencl", small_cubes_stand_up_to_the_rim),
        ON("native", cylinders_stand),
        ON("opencl", cylinders_stand),
        ON("native", cubes_tip_over_the_rim),
        ON("opencl", cubes_tip_over_the_rim),
        ON("native", cubes_turn_on_the_rim),
        ON("opencl", cubes_turn_on_the_rim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
