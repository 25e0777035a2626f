/* The rows of contacts that the device test_device() fills are those of problem_fill to the bit, and the
 * impulses that it reads back those of problem_scatter, and the impacts that it defers those of
 * deferred_impact_mark: for bodies without children. `--small` (for simulators of devices) takes few bodies.
 */
#include "displacement.h"
#include "device_rows.h"

static bool simulated;

/* Runs `check` with either kind of work-groups and with few and many groups. */
static void on_groups(void (*check)(void)) {
    static const struct {
        cl_uint groups;
        group_kind kind;
    } runs[] = {{3, GROUPS_OF_ONE}, {1024, GROUPS_OF_MANY}};
    if (device_is_there() && !device_has_native_bits()) skip();
    for (int k = 0; k < (simulated ? 1 : 2); k++) {
        rig_open(runs[k].groups, 1, runs[k].kind);
        opencl_rows_open(&device_rows, &rig.primitives);
        opencl_impacts_open(&device_impacts, &rig.primitives);
        check();
        opencl_impacts_close(&device_impacts);
        opencl_rows_close(&device_rows);
        rig_close();
    }
}

/* A scene: shapes by turns, and how they rest on the floor. */
typedef struct row_scene {
    scree_world_def def;
    const scree_shape_kind *kinds;
    int kind_count, side, layers;
    bool tables; /* a turning table and a belt under the bodies; else one tilted floor */
    row_changes changes;
    uint32_t locks;
} row_scene;

static const scree_shape_kind balls[] = {SCREE_SHAPE_SPHERE}, plain[] = {SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX},
                              rolling[] = {SCREE_SHAPE_CAPSULE,   SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE,
                                           SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_SPHERE,   SCREE_SHAPE_BOX,
                                           SCREE_SHAPE_HULL};

static row_scene scene_with(const scree_shape_kind *kinds, int kind_count) {
    row_scene out = {
        .def = scree_default_world_def(), .kinds = kinds, .kind_count = kind_count, .changes.bounces = true};
    out.def.backend = SCREE_BACKEND_NATIVE;
    out.def.threads = 1;
    out.def.solver.iterations = 20;
    out.side = simulated ? 2 : 5, out.layers = simulated ? 2 : 3;
    return out;
}

/* Other materials than the default one: bouncing, rolling, on a spring of its own. */
static void add_materials(scree_world *world, bool bounces, scree_material_id out[3]) {
    for (int i = 0; i < 3; i++) {
        scree_material_def def = scree_default_material_def();
        def.friction = 0.3f + 0.2f * (float)i;
        if (i == 0 && bounces) def.restitution = 0.6f;
        if (i == 1) def.rolling_friction = 0.01f, def.spinning_friction = 0.005f;
        if (i == 2) def.stiffness = 3e4f, def.damping = 20;
        CHECK(scree_material_create(world, &def, &out[i]));
    }
}

static scree_geometry *wedge; /* a hull */

static scree_geometry *wedge_make(void) {
    static const scree_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {0, 1, 1}};
    scree_geometry *out = NULL;
    CHECK(scree_hull_create(corners, 6, &out));
    return out;
}

static scree_shape shape_at(scree_shape_kind kind, float size) {
    switch (kind) {
    case SCREE_SHAPE_BOX:
        return scree_shape_box(size, size * 0.8f, size * 0.6f);
    case SCREE_SHAPE_CAPSULE:
        return scree_shape_capsule(size * 0.5f, size * 0.6f);
    case SCREE_SHAPE_CYLINDER:
        return scree_shape_cylinder(size * 0.8f, size * 0.6f);
    case SCREE_SHAPE_CONE:
        return scree_shape_cone(size * 0.8f, size * 1.5f);
    case SCREE_SHAPE_HULL:
        return scree_shape_hull(wedge, size);
    case SCREE_SHAPE_ELLIPSOID:
        return scree_shape_ellipsoid(size, size * 0.8f, size * 0.6f);
    default:
        return scree_shape_sphere(size);
    }
}

static void add_grounds(const row_scene *scene, scree_world *world) {
    if (!scene->tables) {
        add_slope(world, scene->def.period.x > 0 ? 0 : 0.1f);
        return;
    }
    scree_body_def table = scree_default_body_def();
    table.type = SCREE_BODY_KINEMATIC;
    table.shape = scree_shape_box(0.3f, 2, 0.05f);
    table.state.position = (scree_vec3){0, 0, -0.05f};
    table.state.angular_velocity = (scree_vec3){0, 0, 3};
    CHECK(scree_body_create(world, &table, NULL));
    table.shape = scree_shape_box(0.6f, 2, 0.05f);
    table.state.position = (scree_vec3){0.95f, 0, -0.05f};
    table.state.angular_velocity = (scree_vec3){0, 0, 0};
    table.surface_velocity = (scree_vec3){0.5f, 0.2f, 0.1f};
    CHECK(scree_body_create(world, &table, NULL));
}

static scree_world *world_with(const row_scene *scene) {
    scree_world *world = world_of(&scene->def);
    scree_material_id materials[4] = {{0}};
    uint64_t seed = 3;
    add_materials(world, scene->changes.bounces, materials + 1);
    add_grounds(scene, world);
    for (int i = 0; i < scene->side * scene->side * scene->layers; i++) {
        scree_body_def body = scree_default_body_def();
        const int x = i % scene->side, y = i / scene->side % scene->side, z = i / (scene->side * scene->side);
        const float size = 0.05f + 0.002f * (float)(i % 7);
        body.shape = shape_at(scene->kinds[i % scene->kind_count], size);
        body.material = materials[i % 5 % 4];
        body.state.position = (scree_vec3){0.11f * (float)x + 0.004f * (float)(i % 5), 0.11f * (float)y,
                                           0.06f + 0.11f * (float)z};
        body.state.angular_velocity = (scree_vec3){(float)random_noise(&seed), (float)random_noise(&seed),
                                                   (float)random_noise(&seed) * 5};
        body.state.linear_velocity.z = -1.5f;
        body.locks = scene->locks;
        body.force = (scree_vec3){0.1f, -0.2f, 0};
        body.torque = (scree_vec3){1e-3f, 0, 2e-3f};
        CHECK(scree_body_create(world, &body, NULL));
    }
    return world;
}

/* Compares the rows after each of several steps. Returns the sums. */
static rows_seen compare_scene(const row_scene *scene, int steps) {
    scree_world *world = world_with(scene);
    rows_seen sum = {0};
    for (int i = 0; i < (simulated ? 7 : steps); i++) {
        CHECK(scree_world_step(world, NULL));
        if (simulated ? i < 6 : i % 2 == 0 && i > 6) continue;
        const rows_seen seen = compare_world(world, (uint64_t)i, scene->changes);
        sum.blocks += seen.blocks, sum.rebounds += seen.rebounds, sum.bends += seen.bends;
        sum.resistances += seen.resistances, sum.predicted += seen.predicted;
        sum.deferred += seen.deferred, sum.marked += seen.marked, sum.images += seen.images;
    }
    scree_world_destroy(world);
    return sum;
}

static const scree_stabilisation schemes[] = {SCREE_STABILISATION_SPLIT,   SCREE_STABILISATION_BAUMGARTE,
                                              SCREE_STABILISATION_SOFT,    SCREE_STABILISATION_RELAXED,
                                              SCREE_STABILISATION_PENALTY, SCREE_STABILISATION_SUBSTEP};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* Compares a mixture of shapes under each scheme, on either ground. */
static void compare_schemes(const scree_shape_kind *kinds, int kind_count) {
    for (int k = 0; k < SCHEMES; k++)
        for (int tables = 0; tables < (simulated ? 1 : 2); tables++) {
            row_scene scene = scene_with(kinds, kind_count);
            scene.tables = simulated ? k % 2 : tables;
            scene.def.solver = scree_solver_def_with_stabilisation(scene.def.solver, schemes[k]);
            if (k == 5 && tables) scene.def.solver.substep.contact_frequency = 0;
            scene.changes.moved = schemes[k] == SCREE_STABILISATION_SUBSTEP && !tables;
            if (k % 2) scene.def.solver.law = SCREE_LAW_PYRAMID;
            const rows_seen seen = compare_scene(&scene, 14);
            print_message("%s: %d blocks, %d resistances, %d rebounds, %d with slip, %d predicted, %d "
                          "deferred, %d marked\n",
                          scree_stabilisation_name(schemes[k]), seen.blocks, seen.resistances, seen.rebounds,
                          seen.bends, seen.predicted, seen.deferred, seen.marked);
            if (simulated) continue;
            assert_true(seen.blocks > 500 && seen.resistances > 20 && seen.predicted > 20);
            assert_true(seen.deferred > 20);
            if (schemes[k] == SCREE_STABILISATION_SPLIT) assert_true(seen.rebounds > 0 && seen.marked > 0);
        }
}

static void check_balls(void) { compare_schemes(balls, 1); }
static void balls_have_the_rows_of_the_host(void **state) {
    (void)state;
    on_groups(check_balls);
}

static void check_plain(void) { compare_schemes(plain, 2); }
static void balls_and_boxes_have_the_rows_of_the_host(void **state) {
    (void)state;
    on_groups(check_plain);
}

static void check_rolling(void) { compare_schemes(rolling, 7); }
static void round_bodies_have_the_rows_of_the_host(void **state) {
    (void)state;
    on_groups(check_rolling);
}

/* Without restitution `split` reads no velocities, and has a kernel of its own. */
static void check_resting(void) {
    for (int tables = 0; tables < 2; tables++) {
        row_scene scene = scene_with(rolling, 7);
        scene.changes.bounces = false, scene.tables = tables;
        const rows_seen seen = compare_scene(&scene, 14);
        assert_true((seen.blocks > 500 && seen.predicted > 20) || simulated);
        assert_int_equal(seen.rebounds + seen.deferred, 0);
    }
}
static void rows_without_restitution_are_those_of_the_host(void **state) {
    (void)state;
    on_groups(check_resting);
}

/* Bodies that joints hold turn with their spin of the last step, and small bends of theirs count. */
static void check_held(void) {
    for (int locks = 0; locks < 2; locks++) {
        row_scene scene = scene_with(rolling, 7);
        scene.changes.held = true, scene.locks = locks ? SCREE_LOCK_ROTATION_X | SCREE_LOCK_Y : 0;
        assert_true(compare_scene(&scene, 10).bends > 100);
    }
}
static void bodies_that_joints_hold_have_the_rows_of_the_host(void **state) {
    (void)state;
    if (simulated) skip();
    on_groups(check_held);
}

static void check_periodic(void) {
    row_scene scene = scene_with(plain, 2);
    scene.def.period = (scree_vec3){0.56f, 0.56f, 0};
    scene.def.period_centre = (scree_vec3){0.25f, 0.25f, 0};
    assert_true(compare_scene(&scene, 10).images > 20);
}
static void images_have_the_rows_of_the_host(void **state) {
    (void)state;
    if (simulated) skip();
    on_groups(check_periodic);
}

/* A row of n + 1 balls has n contacts. */
static void check_sizes(void) {
    static const int sizes[] = {0, 1, 2, 3, 255, 256, 257, 1025};
    for (int k = 0; k < (simulated ? 3 : 8); k++) {
        const row_scene scene = scene_with(balls, 1);
        scree_world *world = world_of(&scene.def);
        for (int i = 0; i <= sizes[k]; i++)
            add_body(world, scree_shape_sphere(0.5f), (scree_vec3){(float)i, 0, 0}, (scree_vec3){0, 0, 0});
        CHECK(scree_world_step(world, NULL));
        assert_int_equal(world->state.contacts.count, sizes[k]);
        assert_int_equal(compare_world_as_it_is(world).blocks, sizes[k]);
        scree_world_destroy(world);
    }
}
static void any_number_of_contacts_is_filled(void **state) {
    (void)state;
    on_groups(check_sizes);
}

/* Bodies that cohesion holds have arms to one point, and bends that open or close their gaps. */
static void check_bound(void) {
    static const scree_stabilisation some[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_RELAXED};
    for (int k = 0; k < (simulated ? 1 : 4); k++) {
        row_scene scene = scene_with(k % 2 ? balls : rolling, k % 2 ? 1 : 7);
        scene.changes.bound = true, scene.changes.held = k == 2, scene.tables = k == 0;
        scene.def.solver = scree_solver_def_with_stabilisation(scene.def.solver, some[k % 2]);
        if (k == 3) scene.def.period = (scree_vec3){0.56f, 0.56f, 0}, scene.tables = false;
        if (k == 3) scene.def.period_centre = (scree_vec3){0.25f, 0.25f, 0};
        assert_true(compare_scene(&scene, 12).bends > 100 || simulated);
    }
}
static void held_bodies_have_the_rows_of_the_host(void **state) {
    (void)state;
    on_groups(check_bound);
}

int main(int argc, char **argv) {
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls_have_the_rows_of_the_host),
                                       cmocka_unit_test(balls_and_boxes_have_the_rows_of_the_host),
                                       cmocka_unit_test(round_bodies_have_the_rows_of_the_host),
                                       cmocka_unit_test(rows_without_restitution_are_those_of_the_host),
                                       cmocka_unit_test(bodies_that_joints_hold_have_the_rows_of_the_host),
                                       cmocka_unit_test(images_have_the_rows_of_the_host),
                                       cmocka_unit_test(any_number_of_contacts_is_filled),
                                       cmocka_unit_test(held_bodies_have_the_rows_of_the_host)};
    wedge = wedge_make();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scree_geometry_release(wedge);
    return failed;
}
