/* The end of a step on the device test_device() gives what the host does: angular velocities, prescribed
 * places, and the sums of the statistics, of random bodies and of worlds that run.
 * `--small` (for simulators of devices) takes few bodies. */
#include "device_contacts.h"
#include "scenery.h"

#include "base/vector.h"
#include "device/opencl/opencl_commit.h"
#include "device/opencl/opencl_sums.h"
#include "step/gyroscopic.h"
#include "step/statistics.h"

static bool simulated;
static uint64_t seed;

static opencl_report report;
static opencl_commit commit;
static opencl_sums sums;

static void on_groups(void (*check)(void)) {
    static const struct {
        cl_uint groups;
        group_kind kind;
    } runs[] = {{1024, GROUPS_OF_MANY}, {3, GROUPS_OF_ONE}, {1, GROUPS_OF_MANY}};
    if (device_is_there() && !device_has_native_bits()) skip();
    for (int k = 0; k < (simulated ? 1 : 3); k++) {
        seed = 41;
        rig_open(runs[k].groups, 64, runs[k].kind);
        opencl_report_open(&report, &rig.primitives);
        opencl_commit_open(&commit, &rig.primitives);
        opencl_sums_open(&sums, &rig.primitives);
        check();
        opencl_sums_close(&sums);
        opencl_commit_close(&commit);
        opencl_report_close(&report);
        rig_close();
    }
}

/* -- Bodies ----------------------------------------------------------------------------- */

/* Random bodies of all types and with locks, of which some turn slowly or not at all. */
static body_array random_bodies(int count) {
    body_array bodies = bodies_make(count);
    for (int i = 0; i < count; i++) {
        const vec3s moments = random_vector(&seed, 0.05, 1);
        bodies.types[i] = (uint8_t)(random_below(&seed, 3) ? SLOT_DYNAMIC : random_below(&seed, 4));
        bodies.poses[i] = pose_of(random_vector(&seed, -5, 5), random_rotation(&seed));
        bodies.remainders[i].position = random_vector(&seed, -1e-8, 1e-8);
        bodies.velocities[i].linear = random_vector(&seed, -3, 3);
        bodies.velocities[i].angular = glms_vec3_scale(random_vector(&seed, -9, 9), i % 5   ? 1
                                                                                    : i % 2 ? 1e-3f
                                                                                            : 0);
        bodies.masses[i] =
            bodies.types[i] != SLOT_DYNAMIC
                ? (body_mass){.mass = 0}
                : (body_mass){.mass = (scalar)random_between(&seed, 0.1, 2),
                              .inertia = i % 4 ? moments : vec3_of(moments.x, moments.x, moments.z),
                              .gravity_scale = i % 7 ? 1 : 0.5f,
                              .locks = i % 6 ? 0 : random_below(&seed, 64)};
        bodies.shapes[i] = shape_of(SCREE_SHAPE_SPHERE, (float)random_between(&seed, 0.01, 0.5), 0, 0);
    }
    return bodies;
}

static const int sizes[] = {0, 1, 2, 255, 256, 257, 1023, 1024, 1025, 5000};

typedef struct sent_state {
    opencl_buffer poses, poses_after, remainders_after, velocity, masses;
} sent_state;

static void sent_state_release(sent_state *self) {
    opencl_buffer *all = (opencl_buffer *)self;
    for (size_t i = 0; i < sizeof *self / sizeof *all; i++) opencl_buffer_release(&rig.device, &all[i]);
}

static void expect_spins(int count) {
    const scalar h = 0.01f;
    const size_t n = (size_t)count + 1;
    const backend_operations none = {.spin = NULL};
    const backend engine = {.operations = &none};
    body_array bodies = random_bodies(count);
    body_pose *after = rig_array(n, sizeof *after);
    body_velocity *found = rig_array(n, sizeof *found);
    sent_state sent = {0};
    for (int i = 0; i < count; i++) {
        const vec3s turn = glms_vec3_scale(bodies.velocities[i].angular, h);
        after[i] = bodies.poses[i];
        after[i].rotation = rotation_turned(
            i % 3 ? glms_vec3_add(turn, random_vector(&seed, -0.01, 0.01)) : turn, after[i].rotation);
    }
    rig_send(&sent.poses, bodies.poses, n * sizeof *after);
    rig_send(&sent.poses_after, after, n * sizeof *after);
    rig_send(&sent.masses, bodies.masses, n * sizeof *bodies.masses);
    rig_send(&sent.velocity, bodies.velocities, n * sizeof *found);
    CHECK(opencl_commit_spins(&commit, (cl_uint)count, &sent.poses, &sent.masses, &sent.poses_after,
                              &sent.velocity, &sent.velocity, h));
    rig_read(&sent.velocity, found, n * sizeof *found);
    gyroscopic_update(&engine, &bodies, after, h, 1, bodies.velocities);
    for (int i = 0; i < count; i++)
        if (memcmp(&found[i], &bodies.velocities[i], sizeof *found) != 0)
            fail_msg("body %d of %d: spin %g instead of %g", i, count, (double)found[i].angular.x,
                     (double)bodies.velocities[i].angular.x);
    sent_state_release(&sent);
    free(after);
    free(found);
    bodies_free(&bodies);
}
static void check_spins(void) {
    for (int k = 0; k < (simulated ? 3 : 10); k++) expect_spins(sizes[k]);
    if (simulated) expect_spins(30);
}
static void spins_are_those_of_the_host(void **state) {
    (void)state;
    on_groups(check_spins);
}

static void *random_records(size_t count, size_t floats) {
    float *out = rig_array(count * floats, sizeof *out);
    for (size_t i = 0; i < count * floats; i++) out[i] = (float)random_noise(&seed);
    return out;
}

static void expect_records(const opencl_buffer *buffer, const void *expected, size_t bytes) {
    void *found = rig_array(bytes, 1);
    if (bytes) rig_read(buffer, found, bytes);
    assert_memory_equal(found, expected, bytes);
    free(found);
}

/* Sends random records of 32 bytes and returns a copy. */
static void *send_records(opencl_buffer *buffer, size_t count) {
    void *items = random_records(count, 8);
    rig_send(buffer, items, count * 32);
    return items;
}

static void expect_prescribed(int count, int bodies) {
    const size_t n = (size_t)bodies + 1, some = (size_t)count + 1;
    sent_state sent = {0};
    body_pose *poses = send_records(&sent.poses_after, n), *to = random_records(some, 8);
    body_remainder *remainders = send_records(&sent.remainders_after, n), *left = random_records(some, 8);
    cl_int *slots = rig_array(some, sizeof *slots);
    for (int i = 0; i < count; i++) slots[i] = (count - 1 - i) * bodies / count; /* all different */
    const prescribed_places places = {(cl_uint)count, slots, to, left};
    CHECK(opencl_commit_send(&commit, &places));
    CHECK(opencl_commit_prescribe(&commit, places.count, &sent.poses_after, &sent.remainders_after));
    for (int i = 0; i < count; i++) poses[slots[i]] = to[i], remainders[slots[i]] = left[i];
    expect_records(&sent.poses_after, poses, n * sizeof *poses);
    expect_records(&sent.remainders_after, remainders, n * sizeof *remainders);
    void *const all[] = {poses, to, remainders, left, slots};
    for (int i = 0; i < 5; i++) free(all[i]);
    sent_state_release(&sent);
}
static void check_prescribed(void) {
    const int most = simulated ? 20 : 600;
    expect_prescribed(0, most), expect_prescribed(1, most), expect_prescribed(most / 2, most);
    expect_prescribed(most, most);
}
static void prescribed_places_replace_those_of_the_solve(void **state) {
    (void)state;
    on_groups(check_prescribed);
}

/* -- Statistics ------------------------------------------------------------------------- */

/* Returns the statistics that the device makes of a world's state. */
static scree_statistics statistics_on_device(const scree_world *world) {
    const body_array *bodies = &world->state.bodies;
    const contact_set *set = &world->state.contacts;
    const size_t n = (size_t)bodies->count + 1;
    sent_bodies sent = {0};
    opencl_buffer types = {0}, cells = {0};
    device_contacts contacts = send_contacts(set);
    scree_statistics out = {0};
    step_report found;
    rig_send(&types, bodies->types, n), send_shapes(bodies, &sent);
    rig_send(&sent.poses, bodies->poses, n * sizeof *bodies->poses);
    rig_send(&sent.velocities, bodies->velocities, n * sizeof *bodies->velocities);
    rig_send(&sent.masses, bodies->masses, n * sizeof *bodies->masses);
    if (bodies->cells) rig_send(&cells, bodies->cells, n * sizeof *bodies->cells);
    const summed_bodies summed = {.count = (cl_uint)bodies->count,
                                  .types = &types,
                                  .poses = &sent.poses,
                                  .velocities = &sent.velocities,
                                  .masses = &sent.masses,
                                  .shapes = &sent.shapes,
                                  .cells = bodies->cells ? &cells : NULL,
                                  .period = bodies->period.length,
                                  .gravity = vec3_in(world->state.gravity),
                                  .time_step = world->model.def.time_step};
    CHECK(opencl_report_begin(&report));
    const scree_device_traffic start = rig.device.traffic;
    CHECK(opencl_sums_make(&sums, &summed, &contacts, &report));
    assert_int_equal(rig.device.traffic.waits, start.waits);
    assert_int_equal(rig.device.traffic.launches - start.launches, 3);
    CHECK(opencl_report_fetch(&report, true, &found));
    CHECK(opencl_device_wait(&rig.device));
    for (int i = 0; i < REPORT_WORDS; i++) assert_int_equal(found.words[i], 0);
    statistics_of_bodies(found.bodies, &out);
    statistics_of_contacts(found.contacts, &out);
    device_contacts_release(&rig.device, &contacts);
    sent_bodies_release(&sent);
    opencl_buffer *const all[] = {&types, &cells};
    for (int i = 0; i < 2; i++) opencl_buffer_release(&rig.device, all[i]);
    return out;
}

/* Compares the numbers to the bit. */
static void expect_same_statistics(const scree_statistics *is, const scree_statistics *of) {
#define SAME(field)                                                                                          \
    if (memcmp(&is->field, &of->field, sizeof is->field) != 0)                                               \
    fail_msg(#field ": %.17g instead of %.17g", *(const double *)&is->field, *(const double *)&of->field)
    assert_int_equal(is->contacts, of->contacts);
    assert_int_equal(is->touching, of->touching);
    assert_int_equal(is->cache_hits, of->cache_hits);
    SAME(penetration_max);
    SAME(penetration_mean);
    SAME(travel_max);
    SAME(dynamic_mass);
    SAME(kinetic_energy);
    SAME(potential_energy);
    SAME(momentum);
    SAME(angular_momentum);
    SAME(static_impulse);
#undef SAME
}

/* Adds up some of the numbers plainly. */
static void expect_plain_sums(const scree_world *world, const scree_statistics *s) {
    const body_array *bodies = &world->state.bodies;
    double kinetic = 0, momentum = 0, fastest = 0, size = 0, depth = 0, deepest = 0, impulse = 0;
    int overlapping = 0, points = 0;
    for (int i = 0; i < bodies->count; i++) {
        const body_velocity v = bodies->velocities[i];
        const double m = (double)bodies->masses[i].mass, speed = sqrt((double)glms_vec3_norm2(v.linear)),
                     travel =
                         world->model.def.time_step * speed / (double)bounds_half_width(bodies->shapes[i]);
        const vec3s omega = rotate_inverse(bodies->poses[i].rotation, v.angular);
        if (bodies->types[i] >= SLOT_KINEMATIC && travel > fastest) fastest = travel;
        if (!body_is_dynamic(bodies, i)) continue;
        kinetic += m * speed * speed / 2;
        for (int axis = 0; axis < 3; axis++)
            kinetic += (double)vec3_along(bodies->masses[i].inertia, axis) *
                       pow((double)vec3_along(omega, axis), 2) / 2;
        momentum += m * (double)v.linear.z, size += m * fabs((double)v.linear.z);
    }
    for (int i = 0; i < world->state.contacts.count; i++) {
        const contact_pair *pair = &world->state.contacts.pairs[i];
        for (int k = 0; k < (int)pair->manifold.count; k++, points++) {
            const double gap = (double)contact_places(&world->state.contacts, pair)[k].gap;
            const double by = (body_is_dynamic(bodies, pair->manifold.b) ? 0 : 1) -
                              (body_is_dynamic(bodies, pair->manifold.a) ? 0 : 1);
            if (gap < 0) overlapping++, depth -= gap, deepest = fmax(deepest, -gap);
            impulse += by * (double)contact_impulse(&world->state.contacts, i, k).z;
        }
    }
    ASSERT_WITHIN(s->kinetic_energy, kinetic, 1e-6 * kinetic);
    ASSERT_WITHIN(s->momentum[2], momentum, 1e-12 * size);
    ASSERT_WITHIN(s->travel_max, fastest, 1e-12 * fastest);
    ASSERT_WITHIN(s->penetration_max, deepest, 0);
    ASSERT_WITHIN(s->penetration_mean, overlapping ? depth / overlapping : 0, 1e-12 * deepest);
    ASSERT_WITHIN(s->static_impulse[2], impulse, 1e-9 * (double)points);
    assert_int_equal(s->contacts, points);
}

/* Compares the statistics of a state for several numbers of threads. */
static void compare_statistics(scree_world *world) {
    const scree_statistics found = statistics_on_device(world);
    const int threads = world->model.threads;
    for (int k = 1; k < 4; k++) {
        scree_statistics expected = {0};
        world->model.threads = k;
        statistics_fill(world, NULL, &expected);
        expect_same_statistics(&found, &expected);
        expect_plain_sums(world, &expected);
    }
    world->model.threads = threads;
}

/* A state of random bodies without contacts. */
static void compare_random_state(int count) {
    scree_world *world = rig_array(1, sizeof *world);
    world->state.bodies = random_bodies(count);
    world->state.gravity = (scree_vec3){0.1f, -1, -9.81f};
    world->model.def.time_step = 0.01, world->model.threads = 1;
    compare_statistics(world);
    bodies_free(&world->state.bodies);
    free(world);
}
static void check_random_states(void) {
    if (!device_has_double()) skip();
    for (int k = 0; k < (simulated ? 3 : 10); k++) compare_random_state(sizes[k]);
    if (!simulated) compare_random_state(100000);
    if (simulated) compare_random_state(30);
}
static void random_states_have_the_sums_of_the_host(void **state) {
    (void)state;
    on_groups(check_random_states);
}

/* More chunks than a chunk of chunks holds. */
static void a_million_bodies_have_the_sums_of_the_host(void **state) {
    (void)state;
    if (simulated || getenv("SCREE_TEST_SHORT")) skip();
    if (device_is_there() && !(device_has_native_bits() && device_has_double())) skip();
    rig_open(0, 0, GROUPS_OF_DEVICE);
    opencl_report_open(&report, &rig.primitives);
    opencl_sums_open(&sums, &rig.primitives);
    compare_random_state(STATISTICS_CHUNK * STATISTICS_CHUNK + 3000);
    opencl_sums_close(&sums);
    opencl_report_close(&report);
    rig_close();
}

/* Balls, boxes and a kinematic platform in a corner that an entry of several contacts, or of none, can reach.
 */
static scree_world *make_world(int edge, bool cohesive, bool periodic) {
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    def.backend = SCREE_BACKEND_NATIVE, def.threads = 1;
    if (cohesive) def.material.cohesion = 0.5f, def.material.cohesion_distance = 1e-3f;
    if (periodic) def.period.x = 2;
    CHECK(scree_world_create(&def, &world));
    add_slope(world, 0);
    for (int i = 0; i < edge * edge * edge; i++) {
        const float size = 0.05f, x = 0.12f * (float)(i % edge), y = 0.12f * (float)(i / edge % edge);
        add_body(world, i % 3 ? scree_shape_sphere(size) : scree_shape_box(size, size, size),
                 (scree_vec3){x + 0.01f * (float)(i % 5), y, 0.06f + 0.11f * (float)(i / (edge * edge))},
                 (scree_vec3){periodic ? 3 : 0, 0, -1});
    }
    return world;
}

static void compare_steps(int edge, bool cohesive, bool periodic) {
    scree_world *world = make_world(edge, cohesive, periodic);
    int regrown = 0;
    for (int step = 0; step < (simulated ? 8 : 60); step++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        if (step % (simulated ? 7 : 10) != 0 && step > 3) continue;
        CHECK(contacts_turn(&world->state.contacts, &regrown));
        compare_statistics(world);
    }
    assert_true(world->state.statistics.touching > 0);
    assert_true(world->state.contacts.cohesive == cohesive);
    scree_world_destroy(world);
}
static void check_steps(void) {
    if (!device_has_double()) skip();
    compare_steps(simulated ? 2 : 10, false, false);
    compare_steps(simulated ? 2 : 5, true, false);
    compare_steps(simulated ? 2 : 5, false, true);
}
static void steps_have_the_sums_of_the_host(void **state) {
    (void)state;
    on_groups(check_steps);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spins_are_those_of_the_host),
        cmocka_unit_test(prescribed_places_replace_those_of_the_solve),
        cmocka_unit_test(random_states_have_the_sums_of_the_host),
        cmocka_unit_test(a_million_bodies_have_the_sums_of_the_host),
        cmocka_unit_test(steps_have_the_sums_of_the_host),
    };
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
