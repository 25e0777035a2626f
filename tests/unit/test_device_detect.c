/* The device test_device() gives the boxes of bounds_compute_padded and the results of detection_pass_find to
 * the bit: motions, straying bodies, marks of contacts and of dropped ones, and new contacts, in order; for
 * balls, boxes and half-spaces. It asks the host for others. `--small` (for simulators of devices) takes few
 * bodies. */
#include "box_pairs.h"
#include "device_detect.h"

static bool simulated;

/* Runs `check` with either kind of work-groups and with few and many groups. */
static void on_groups(void (*check)(void)) {
    static const struct {
        cl_uint groups, direct;
        group_kind kind;
    } runs[] = {{3, 3, GROUPS_OF_ONE}, {2, 1, GROUPS_OF_MANY}, {1024, 64, GROUPS_OF_MANY}};
    if (device_is_there() && !device_has_native_bits()) skip();
    for (int k = 0; k < (simulated ? 1 : 3); k++) {
        rig_open(runs[k].groups, runs[k].direct, runs[k].kind);
        opencl_contacts_open(&narrow, &rig.primitives);
        opencl_grid_open(&detect_grid, &rig.primitives);
        opencl_detect_open(&detect, &rig.primitives, &detect_grid);
        check();
        opencl_detect_close(&detect);
        opencl_grid_close(&detect_grid);
        opencl_contacts_close(&narrow);
        rig_close();
    }
}

static int count_of(int n) { return simulated ? 12 : n; }

/* How far a solve deflects bodies. */
typedef struct deflection {
    double share;       /* of the bodies that it deflects */
    double speed, spin; /* m/s, rad/s */
} deflection;

/* Begins a step with the contacts of the bodies, and ends it with some of them deflected. */
static trial_step trial_step_of(body_array *bodies, deflection by, uint64_t seed) {
    const size_t n = (size_t)bodies->count;
    trial_step step = {.bodies = bodies, .ends = rig_array(n, sizeof *step.ends)};
    step.rows = host_search_of(bodies, &(contact_set){0});
    act_at(&step.rows.contacts, seed);
    for (size_t i = 0; i < n; i++) {
        body_velocity v = bodies->velocities[i];
        if (random_between(&seed, 0, 1) < by.share && bodies->types[i] != SLOT_STATIC) {
            v.linear = glms_vec3_add(v.linear, random_vector(&seed, -by.speed, by.speed));
            v.angular = glms_vec3_add(v.angular, random_vector(&seed, -by.spin, by.spin));
        }
        const body_pose from = bodies->poses[i];
        step.ends[i] = from;
        if (bodies->types[i] == SLOT_STATIC) continue;
        step.ends[i] = pose_of(glms_vec3_add(from.position, glms_vec3_scale(v.linear, contact_step)),
                               rotation_turned(glms_vec3_scale(v.angular, contact_step), from.rotation));
    }
    return step;
}

static void trial_step_release(trial_step *self) {
    host_search_release(&self->rows);
    free(self->ends);
}

static void add_up(detect_comparison *sum, detect_comparison seen) {
    sum->asks += seen.asks, sum->straying += seen.straying, sum->deviating += seen.deviating;
    sum->moved += seen.moved, sum->worth += seen.worth, sum->dropped += seen.dropped;
    sum->met += seen.met, sum->found += seen.found, sum->launches += seen.launches;
}

/* Compares with these deflections, for the host's search around few bodies and for that over all. */
static detect_comparison compare_deflections(body_array *bodies, const deflection *by, int count) {
    detect_comparison sum = {0};
    compare_boxes(bodies);
    for (int k = 0; k < count; k++) {
        trial_step step = trial_step_of(bodies, by[k], 10 + (uint64_t)k);
        for (int again = 0; again < 2; again++) {
            step.again = again;
            add_up(&sum, compare_pass(&step, NULL));
        }
        trial_step_release(&step);
    }
    return sum;
}

/* Bodies of one shape at random in a cube of that side, with that speed. */
static body_array random_bodies(int count, scree_shape_kind kind, double side, double speed, uint64_t seed) {
    body_array bodies = bodies_make(count);
    for (int i = 0; i < count; i++) {
        const vec3s size = random_vector(&seed, 0.2, 0.5);
        bodies.shapes[i] = shape_of(kind, size.x, size.y, size.z);
        bodies.poses[i] = pose_of(random_vector(&seed, 0, side), random_rotation(&seed));
        bodies.velocities[i].linear = random_vector(&seed, -speed, speed);
        bodies.velocities[i].angular = random_vector(&seed, -speed, speed);
        bodies.masses[i].mass = size.z;
    }
    return bodies;
}

/* Turns one body into a half-space below the others, which moves. */
static void put_floor(body_array *bodies, int slot, slot_type type, float height) {
    bodies->types[slot] = (uint8_t)type, bodies->masses[slot].mass = 0;
    bodies->shapes[slot] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
    bodies->poses[slot].position = vec3_of(0, 0, height);
    bodies->poses[slot].rotation = rotation_normalised(versor_of(0.1f, -0.05f, 0, 1));
    if (type == SLOT_STATIC) bodies->velocities[slot] = (body_velocity){0};
}

/* Frees a slot, and makes another body static and thin, and two kinematic. */
static void put_gaps(body_array *bodies) {
    const int slot = bodies->count / 2;
    if (bodies->count < 8) return;
    bodies->types[slot] = SLOT_FREE, bodies->types[slot + 1] = SLOT_STATIC;
    bodies->shapes[slot + 1].size.z = bodies->shapes[slot + 1].kind == SCREE_SHAPE_BOX ? 0.005f : 0;
    bodies->types[slot + 2] = bodies->types[slot + 3] = SLOT_KINEMATIC;
    for (int i = slot; i < slot + 4; i++) bodies->masses[i] = (body_mass){0};
    bodies->velocities[slot + 1] = (body_velocity){0};
}

static const deflection deflections[] = {{0, 0, 0},   {0.1, 5, 2}, {0.5, 0.5, 20},
                                         {1, 60, 60}, {1, 0.1, 0}, {1, 2, 5}};
enum { DEFLECTIONS = sizeof deflections / sizeof *deflections };

static void check_balls(void) {
    body_array bodies = random_bodies(count_of(400), SCREE_SHAPE_SPHERE, simulated ? 1.6 : 6, 1, 3);
    put_floor(&bodies, bodies.count / 3, SLOT_KINEMATIC, 0.3f);
    put_gaps(&bodies);
    const detect_comparison seen = compare_deflections(&bodies, deflections, simulated ? 2 : DEFLECTIONS);
    assert_true(seen.asks == 0 && (simulated || (seen.straying > 50 && seen.met > 50 && seen.deviating > 0)));
    bodies_free(&bodies);
}
static void balls_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_groups(check_balls);
}

static void check_boxes(void) {
    for (int type = SLOT_STATIC; type <= (simulated ? SLOT_STATIC : SLOT_KINEMATIC); type++) {
        body_array bodies = random_bodies(count_of(200), SCREE_SHAPE_BOX, simulated ? 1.6 : 4,
                                          type == SLOT_STATIC ? 0.2 : 0.5, 4);
        put_floor(&bodies, bodies.count / 3, (slot_type)type, 0.3f);
        put_gaps(&bodies);
        const detect_comparison seen = compare_deflections(&bodies, deflections, simulated ? 2 : DEFLECTIONS);
        assert_true(simulated || (seen.met > 20 && seen.worth > 20 && seen.moved > seen.worth));
        bodies_free(&bodies);
    }
}
static void boxes_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_groups(check_boxes);
}

/* Drops every other pair of boxes that moves by at most this fraction of its size in a step, also such that
 * have a contact. Detection itself drops few pairs. */
static void drop_pairs(trial_step *step, float most) {
    const body_array *bodies = step->bodies;
    skim_list *skims = &step->rows.skims;
    skims->count = 0;
    CHECK(MEMORY_RESERVE(skims->items, skims->capacity, step->rows.count + 1, NULL));
    for (int i = 0; i < step->rows.count; i += 2) {
        const body_pair pair = step->rows.pairs[i];
        const vec3s motion =
            glms_vec3_sub(bodies->velocities[pair.b].linear, bodies->velocities[pair.a].linear);
        const bool boxes =
            bodies->shapes[pair.a].kind == SCREE_SHAPE_BOX && bodies->shapes[pair.b].kind == SCREE_SHAPE_BOX;
        const scalar size = bounds_pair_half_width(bodies, pair.a, pair.b);
        if (boxes && contact_step * glms_vec3_norm(motion) <= most * size)
            skims->items[skims->count++] = (skim){.pair = pair};
    }
}

static detect_comparison compare_dropped(float most, const deflection *by, int count) {
    detect_comparison sum = {0};
    body_array bodies = random_bodies(count_of(200), SCREE_SHAPE_BOX, simulated ? 1.6 : 3.2, 0.5, 7);
    put_gaps(&bodies);
    for (int k = 0; k < count; k++) {
        trial_step step = trial_step_of(&bodies, by[k], 40 + (uint64_t)k);
        drop_pairs(&step, most);
        add_up(&sum, compare_pass(&step, NULL));
        trial_step_release(&step);
    }
    bodies_free(&bodies);
    return sum;
}

/* A cube that rocks from one edge to the other, and overlaps slightly there, gets no new contact along with
 * two others that meet. */
static void check_slight(void) {
    body_array bodies = bodies_make(4);
    for (int i = 0; i < 4; i++) {
        bodies.shapes[i] = shape_of(SCREE_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
        bodies.poses[i].position = vec3_of(i % 2 ? 1 + (float)(i / 2) / 2 : 0, 10 * (float)(i / 2), 0);
    }
    const versors upright = versor_of(0, 0, 0, 1);
    bodies.poses[1].position.x = 1.0196f;
    bodies.poses[1].rotation = rotation_turned(vec3_of(0, -0.04f, 0), upright);
    trial_step step = trial_step_of(&bodies, deflections[0], 0);
    step.ends[1].position.x = 1;
    step.ends[1].rotation = rotation_turned(vec3_of(0, 0.04f, 0), upright);
    step.ends[3].position.x -= 0.6f;
    const detect_comparison seen = compare_pass(&step, NULL);
    assert_true(seen.moved == 1 && seen.worth == 0 && seen.met == 1 && seen.found == 1);
    trial_step_release(&step);
    bodies_free(&bodies);
}

static void check_dropped(void) {
    check_slight();
    static const deflection slow[] = {{1, 6, 0}, {0.5, 6, 1}, {0.5, 3, 20}}, fast[] = {{0.5, 60, 0}};
    const detect_comparison seen = compare_dropped(0.1f, slow, simulated ? 1 : 3);
    assert_true(seen.asks == 0 && (simulated || (seen.dropped > 30 && seen.met > 10 && seen.worth > 10)));
    assert_true(compare_dropped(INFINITY, fast, 1).asks == 1 || simulated);
}
static void dropped_contacts_are_recovered(void **state) {
    (void)state;
    on_groups(check_dropped);
}

/* Pairs of boxes far from each other, of which some slide past each other. */
static body_array pairs_of_boxes(int count, uint64_t seed) {
    body_array bodies = bodies_make(2 * count);
    for (int i = 0; i < count; i++) {
        const vec3s cell = vec3_of((float)(i % 8 * 8), (float)(i / 8 % 8 * 8), (float)(i / 64 * 8));
        set_pair(&bodies, 2 * i, &seed, 1, 0);
        for (int k = 2 * i; k < 2 * i + 2; k++) {
            bodies.poses[k].position = glms_vec3_add(bodies.poses[k].position, cell);
            if (bodies.types[k] != SLOT_DYNAMIC) bodies.masses[k].mass = 0;
        }
    }
    return bodies;
}

static void check_passing(void) {
    static const deflection slight[] = {{1, 0.5, 0.01}, {0.3, 5, 0}, {0.5, 20, 1}};
    detect_comparison sum = {0};
    for (int k = 0; k < (simulated ? 1 : 4); k++) {
        body_array bodies = pairs_of_boxes(simulated ? 8 : 500, (uint64_t)k);
        add_up(&sum, compare_deflections(&bodies, slight, simulated ? 1 : 3));
        bodies_free(&bodies);
    }
    assert_true(simulated || (sum.met > 20 && sum.found > 100));
}
static void boxes_about_to_touch_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_groups(check_passing);
}

/* A second pass has the entries of the first among its rows. */
static void check_second_pass(void) {
    body_array bodies = random_bodies(count_of(200), SCREE_SHAPE_BOX, simulated ? 1.2 : 4, 0.5, 9);
    detect_comparison sum = {0};
    for (int k = 1; k < (simulated ? 2 : DEFLECTIONS); k++) {
        trial_step step = trial_step_of(&bodies, deflections[k], 20),
                   next = trial_step_of(&bodies, deflections[k], 21);
        contact_set found;
        int regrown = 0;
        add_up(&sum, compare_pass(&step, &found));
        CHECK(contacts_add(&next.rows.contacts, &found, 0, &regrown));
        act_at(&next.rows.contacts, 22);
        next.again = true;
        add_up(&sum, compare_pass(&next, NULL));
        contacts_release(&found);
        trial_step_release(&step), trial_step_release(&next);
    }
    assert_true(simulated || sum.found > 50);
    bodies_free(&bodies);
}
static void entries_of_earlier_passes_are_known(void **state) {
    (void)state;
    on_groups(check_second_pass);
}

/* New contacts are inserted behind those of their pairs, several passes in turn. */
static void check_insertion(void) {
    body_array bodies = random_bodies(count_of(200), SCREE_SHAPE_BOX, simulated ? 1.2 : 4, 0.5, 12);
    int inserted = 0;
    for (int k = 1; k < (simulated ? 3 : 4); k++) {
        trial_step step = trial_step_of(&bodies, deflections[k], 50), next;
        for (int i = 0; i < step.rows.contacts.count; i++) step.rows.contacts.pairs[i].load = (float)i;
        for (int pass = 0; pass < 3; pass++) {
            inserted += compare_insertion(&step, pass == 2);
            next = trial_step_of(&bodies, deflections[k], 51 + (uint64_t)pass);
            memcpy(step.ends, next.ends, (size_t)bodies.count * sizeof *step.ends);
            step.again = true;
            trial_step_release(&next);
        }
        trial_step_release(&step);
    }
    assert_true(inserted > (simulated ? 0 : 100));
    bodies_free(&bodies);
}
static void new_contacts_are_inserted_as_on_the_host(void **state) {
    (void)state;
    on_groups(check_insertion);
}

/* A chain of n + 1 bodies that fold into each other. */
static void check_chain(int n, scree_shape_kind kind) {
    body_array bodies = bodies_make(n + 1);
    for (int i = 0; i <= n; i++) {
        bodies.shapes[i] = shape_of(kind, 0.5f, 0.5f, 0.5f);
        bodies.poses[i].position = vec3_of((float)i, 0, 0);
    }
    for (int k = 0; k < 3; k++) {
        static const int by[] = {0, 2, 3};
        trial_step step = trial_step_of(&bodies, deflections[by[k]], 30);
        const detect_comparison seen = compare_pass(&step, NULL);
        if (k == 0) assert_true(seen.launches == 3 && seen.waits == 1 && seen.found == 0);
        trial_step_release(&step);
    }
    compare_boxes(&bodies);
    bodies_free(&bodies);
}

static void check_sizes(void) {
    static const int sizes[] = {0, 1, 2, 2 * BROADPHASE_STRAYS, 255, 256, 257, 511, 1023, 1024, 1025, 2049};
    for (int k = 0; k < (simulated ? 4 : 12); k++) check_chain(sizes[k], SCREE_SHAPE_SPHERE);
    for (int k = 0; k < (simulated ? 2 : 8); k++) check_chain(sizes[k], SCREE_SHAPE_BOX);
    body_array none = bodies_make(0);
    trial_step step = trial_step_of(&none, deflections[0], 1);
    assert_int_equal(compare_pass(&step, NULL).found, 0);
    compare_boxes(&none);
    trial_step_release(&step);
    bodies_free(&none);
}
static void any_number_of_bodies_is_tested(void **state) {
    (void)state;
    on_groups(check_sizes);
}

/* Groups and joints keep bodies apart. */
static void check_filters(void) {
    body_array bodies = random_bodies(count_of(150), SCREE_SHAPE_SPHERE, 3, 1, 6);
    bodies.settings = calloc((size_t)bodies.count, sizeof *bodies.settings);
    bodies.apart = calloc((size_t)bodies.count, sizeof *bodies.apart);
    for (int i = 0; i < bodies.count; i += 3)
        body_settings_set(&bodies, i, (body_settings){.groups = 1u << i % 4, .mask = 5});
    for (int i = 0; i + 1 < bodies.count; i += 4) bodies.apart[bodies.apart_count++] = (slot_pair){i, i + 1};
    const detect_comparison seen = compare_deflections(&bodies, deflections, simulated ? 2 : DEFLECTIONS);
    assert_true(simulated || seen.met > 10);
    free(bodies.settings), free(bodies.apart);
    bodies_free(&bodies);
}
static void filters_are_respected(void **state) {
    (void)state;
    on_groups(check_filters);
}

/* Bodies of these shapes on a floor. */
static detect_comparison compare_mixture(const scree_shape_kind *kinds, int kind_count) {
    uint64_t seed = 5;
    body_array bodies = random_bodies(count_of(150), SCREE_SHAPE_BOX, simulated ? 1 : 3, 0.5, seed);
    for (int i = 0; i < bodies.count; i++) bodies.shapes[i].kind = kinds[random_below(&seed, kind_count)];
    put_floor(&bodies, bodies.count / 3, SLOT_KINEMATIC, 0.4f);
    const detect_comparison seen = compare_deflections(&bodies, deflections, simulated ? 2 : DEFLECTIONS);
    bodies_free(&bodies);
    return seen;
}

/* The pass asks for the host where kernels have no test. */
static void check_mixture(void) {
    static const scree_shape_kind kinds[] = {SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX, SCREE_SHAPE_CAPSULE};
    assert_true(compare_mixture(kinds, 3).asks > 0);
    const detect_comparison seen = compare_mixture(kinds, 2);
    assert_true(simulated || (seen.straying > 0 && seen.moved + seen.asks > 0));
}
static void the_host_is_asked_for_other_shapes(void **state) {
    (void)state;
    on_groups(check_mixture);
}

int main(int argc, char **argv) {
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls_have_the_contacts_of_the_host),
                                       cmocka_unit_test(boxes_have_the_contacts_of_the_host),
                                       cmocka_unit_test(dropped_contacts_are_recovered),
                                       cmocka_unit_test(boxes_about_to_touch_have_the_contacts_of_the_host),
                                       cmocka_unit_test(entries_of_earlier_passes_are_known),
                                       cmocka_unit_test(new_contacts_are_inserted_as_on_the_host),
                                       cmocka_unit_test(any_number_of_bodies_is_tested),
                                       cmocka_unit_test(filters_are_respected),
                                       cmocka_unit_test(the_host_is_asked_for_other_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
