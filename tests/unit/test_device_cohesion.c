/* Cohesion of contacts on the device test_device() is that of cohesion_apply and held_pairs_settle to the
 * bit: forces, contacts of held balls, loads and velocities, for balls, convex shapes and shapes made of
 * children.
 * `--small` (for simulators of devices) takes few bodies. */
#include "device_rows.h"

#include "children_pool.h"
#include "device/opencl/opencl_cohesion.h"
#include "rows/cohesion.h"
#include "rows/held_pair.h"

static bool simulated;
static opencl_cohesion cohesion;

static void on_groups(void (*check)(void)) {
    static const struct {
        cl_uint groups;
        group_kind kind;
    } runs[] = {{3, GROUPS_OF_ONE}, {1024, GROUPS_OF_MANY}};
    if (device_is_there() && !device_has_native_bits()) skip();
    for (int k = 0; k < (simulated ? 1 : 2); k++) {
        rig_open(runs[k].groups, 64, runs[k].kind);
        opencl_rows_open(&device_rows, &rig.primitives);
        opencl_cohesion_open(&cohesion, &rig.primitives);
        check();
        opencl_cohesion_close(&cohesion);
        opencl_rows_close(&device_rows);
        rig_close();
    }
}

/* -- Worlds ----------------------------------------------------------------------------- */

static const scree_shape_kind balls[] = {SCREE_SHAPE_SPHERE},
                              convex[] = {SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX, SCREE_SHAPE_CAPSULE,
                                          SCREE_SHAPE_HULL, SCREE_SHAPE_ELLIPSOID},
                              children[] = {SCREE_SHAPE_CLUMP, SCREE_SHAPE_SPHERE, SCREE_SHAPE_COMPOUND,
                                            SCREE_SHAPE_BOX};

static scree_shape shape_at(uint64_t *seed, scree_shape_kind kind) {
    if (kind == SCREE_SHAPE_SPHERE) return scree_shape_sphere((float)random_between(seed, 0.04, 0.06));
    if (kind == SCREE_SHAPE_BOX) return scree_shape_box(0.05f, 0.04f, 0.045f);
    if (kind == SCREE_SHAPE_CAPSULE) return scree_shape_capsule(0.03f, 0.03f);
    if (kind == SCREE_SHAPE_HULL) return scree_shape_hull(hull_pool[0], 0.06f);
    if (kind == SCREE_SHAPE_ELLIPSOID) return scree_shape_ellipsoid(0.05f, 0.04f, 0.03f);
    return children_shape(seed, kind, 0.04, 0.06);
}

/* Bodies that fall onto a floor and past each other; some pairs of materials do not cohere. */
static scree_world *world_with(const scree_shape_kind *kinds, int kind_count, bool periodic) {
    scree_world_def def = scree_default_world_def();
    scree_material_def dry = def.material;
    scree_material_id materials[2] = {{0}};
    uint64_t seed = 11;
    const int edge = simulated ? 2 : 5;
    def.backend = SCREE_BACKEND_NATIVE, def.threads = 1, def.solver.iterations = 10;
    def.material.cohesion = 0.5f, def.material.cohesion_distance = 4e-3f;
    if (periodic) def.period = (scree_vec3){0.5f, 0.5f, 0};
    scree_world *world = world_of(&def);
    CHECK(scree_material_create(world, &dry, &materials[1]));
    add_slope(world, 0);
    for (int i = 0; i < edge * edge * 3; i++) {
        scree_body_def body = scree_default_body_def();
        body.shape = shape_at(&seed, kinds[i % kind_count]);
        body.material = materials[i % 7 == 6];
        body.state.position = (scree_vec3){0.1f * (float)(i % edge), 0.1f * (float)(i / edge % edge),
                                           0.07f + 0.1f * (float)(i / (edge * edge))};
        body.state.linear_velocity = (scree_vec3){(float)random_noise(&seed), (float)random_noise(&seed), -1};
        body.state.angular_velocity.y = 5 * (float)random_noise(&seed);
        body.force.x = 0.1f;
        CHECK(scree_body_create(world, &body, NULL));
    }
    return world;
}

/* -- Comparison ------------------------------------------------------------------------- */

/* A world's bodies and contacts on both sides. */
typedef struct cohesion_case {
    problem_input from;
    contact_set set; /* the host's */
    body_load *loads;
    sent_rows sent;
    sent_bodies shapes;
    cohesive_step step;
    int forces; /* points with a force */
} cohesion_case;

static void open_case(const scree_world *world, uint64_t seed, cohesion_case *out) {
    const body_array *bodies = &world->state.bodies;
    int regrown = 0;
    *out = (cohesion_case){.set = copy_of_set(&world->state.contacts)};
    add_predicted(&out->set, seed, false);
    CHECK(contacts_turn(&out->set, &regrown)); /* send_input sends torques */
    out->from = input_of_world(world, &out->set, bodies);
    out->loads = rig_array((size_t)bodies->count, sizeof *out->loads);
    send_input(&out->from, &out->sent);
    send_masses(bodies, 0, &out->sent);
    send_bodies(bodies, &out->shapes);
    out->sent.bodies.children = out->shapes.as.children;
    out->sent.parameters = row_parameters_of(&out->from, 1, 1);
    out->step = (cohesive_step){.rows = &device_rows,
                                .bodies = &out->sent.bodies,
                                .shapes = &out->shapes.as,
                                .parameters = &out->sent.parameters,
                                .contacts = &out->sent.contacts};
}

static void close_case(cohesion_case *self) {
    sent_rows_release(&self->sent);
    sent_bodies_release(&self->shapes);
    contacts_release(&self->set);
    free(self->loads);
}

static void expect(const opencl_buffer *buffer, const void *expected, size_t bytes, const char *what) {
    void *found = rig_array(bytes + 1, 1);
    if (bytes) rig_read(buffer, found, bytes);
    if (memcmp(found, expected, bytes) != 0) fail_msg("%s differ", what);
    free(found);
}

static void expect_contacts(const cohesion_case *self) {
    const contact_set *set = &self->set;
    const size_t pairs = (size_t)set->count, points = (size_t)set->points;
    contact_head *heads = rig_array(pairs + 1, sizeof *heads);
    float4_host *places = rig_array(points + 1, sizeof *places),
                *acted = rig_array(points + 1, sizeof *acted);
    rig_read(&self->sent.contacts.heads, heads, pairs * sizeof *heads);
    for (int i = 0; i < set->count; i++)
        assert_memory_equal(&heads[i].normal, &set->pairs[i].manifold.normal, sizeof heads->normal);
    for (size_t i = 0; i < points; i++) {
        places[i] = four_of(set->places[i].position, set->places[i].gap);
        acted[i] = four_of(set->actions[i].impulse, set->actions[i].push);
    }
    expect(&self->sent.contacts.pulls, set->cohesive_impulses, pairs * sizeof *set->cohesive_impulses,
           "cohesive impulses");
    expect(&self->sent.contacts.places, places, points * sizeof *places, "places");
    expect(&self->sent.contacts.impulses, acted, points * sizeof *acted, "impulses");
    free(heads), free(places), free(acted);
}

/* Applies cohesion on both sides. */
static void compare_forces(cohesion_case *self) {
    const body_array *bodies = self->from.bodies;
    CHECK(cohesion_apply(&self->set, bodies, self->from.materials, self->from.motion.time_step, 2,
                         self->loads));
    const int waits = (int)rig.device.traffic.waits;
    CHECK(opencl_cohesion_apply(&cohesion, &self->step));
    assert_int_equal(rig.device.traffic.waits, waits);
    expect_contacts(self);
    body_load *found = rig_array((size_t)bodies->count, sizeof *found);
    rig_read(&cohesion.loads, found, (size_t)bodies->count * sizeof *found);
    for (int i = 0; i < bodies->count; i++)
        if (bodies->masses[i].mass > 0 && memcmp(&found[i], &self->loads[i], sizeof *found) != 0)
            fail_msg("loads of body %d differ: %a instead of %a", i, (double)found[i].force.x,
                     (double)self->loads[i].force.x);
    free(found);
    for (int i = 0; i < self->set.count; i++)
        for (int k = 0; k < MANIFOLD_POINTS; k++)
            self->forces += self->set.cohesive_impulses[i].of_point[k] > 0;
}

/* Settles pairs with random pushes, after a random motion. */
static void compare_settling(cohesion_case *self, uint64_t seed) {
    const body_array *bodies = self->from.bodies;
    const size_t n = (size_t)bodies->count;
    float4_host *acted = rig_array((size_t)self->set.points + 1, sizeof *acted);
    body_pose *after = poses_before(bodies, seed);
    body_velocity *velocities = rig_array(n, sizeof *velocities);
    vec3s *impulses = rig_array((size_t)self->set.count + 1, sizeof *impulses);
    opencl_buffer to = {0}, later = {0}, out = {0};
    for (int i = 0; i < self->set.points; i++) {
        self->set.actions[i].push = (float)random_between(&seed, -1e-3, 1e-3);
        acted[i] = four_of(self->set.actions[i].impulse, self->set.actions[i].push);
    }
    for (size_t i = 0; i < n; i++) velocities[i].linear = random_vector(&seed, -1, 1);
    rig_send(&self->sent.contacts.impulses, acted, (size_t)self->set.points * sizeof *acted);
    rig_send(&to, after, n * sizeof *after);
    rig_send(&later, velocities, n * sizeof *velocities);
    rig_send(&out, velocities, n * sizeof *velocities);
    CHECK(opencl_cohesion_settle(&cohesion, &self->step, &to, &later, &out));
    held_pairs_settle(&self->from, after, 2, impulses, velocities);
    expect(&out, velocities, n * sizeof *velocities, "velocities");
    opencl_buffer *const buffers[] = {&to, &later, &out};
    for (int i = 0; i < 3; i++) opencl_buffer_release(&rig.device, buffers[i]);
    free(acted), free(after), free(velocities), free(impulses);
}

static void compare_scene(const scree_shape_kind *kinds, int kind_count, bool periodic) {
    scree_world *world = world_with(kinds, kind_count, periodic);
    int forces = 0;
    for (int step = 0; step < (simulated ? 4 : 12); step++) {
        cohesion_case of;
        CHECK(scree_world_step(world, NULL));
        if (step < 3 || step % 2 == 0) continue;
        open_case(world, (uint64_t)step, &of);
        compare_forces(&of);
        compare_forces(&of); /* as after a detection pass */
        compare_settling(&of, (uint64_t)step);
        forces += of.forces;
        close_case(&of);
    }
    assert_true(forces > 0);
    scree_world_destroy(world);
}

static void check_balls(void) {
    compare_scene(balls, 1, false);
    if (!simulated) compare_scene(balls, 1, true);
}
static void balls_cohere_as_on_the_host(void **state) {
    (void)state;
    on_groups(check_balls);
}

static void check_convex(void) {
    if (device_has_double()) compare_scene(convex, 5, false);
}
static void convex_shapes_cohere_as_on_the_host(void **state) {
    (void)state;
    on_groups(check_convex);
}

static void check_children(void) { compare_scene(children, simulated ? 2 : 4, false); }
static void children_cohere_as_on_the_host(void **state) {
    (void)state;
    on_groups(check_children);
}

int main(int argc, char **argv) {
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls_cohere_as_on_the_host),
                                       cmocka_unit_test(convex_shapes_cohere_as_on_the_host),
                                       cmocka_unit_test(children_cohere_as_on_the_host)};
    return cmocka_run_group_tests(tests, children_pool_make, children_pool_release);
}
