/* The rows of a world's contacts on the device, compared with problem_fill and problem_scatter. */
#pragma once

#include "device_contacts.h"
#include "scenery.h"
#include "device/opencl/opencl_rows.h"
#include "device/opencl/opencl_work.h"
#include "rows/contact_work.h"
#include "device/opencl/opencl_impacts.h"
#include "rows/deferred_impact.h"
#include "rows/problem.h"
#include "rows/mass_unit.h"
#include "rows/row_input.h"
#include "step/world.h"

#include "displacement.h"

static opencl_rows device_rows;
static opencl_impacts device_impacts;

/* -- Contacts --------------------------------------------------------------------------- */

/* Returns a copy with torques and colours, without cohesive forces. */
static inline contact_set copy_of_set(const contact_set *from) {
    int regrown = 0;
    contact_set out = {.count = from->count,
                       .points = from->points,
                       .action_count = from->action_count,
                       .has_resistance = from->has_resistance,
                       .several = from->several};
    const int points = from->action_count > from->points ? from->action_count : from->points;
    CHECK(MEMORY_RESERVE(out.pairs, out.capacity, from->count + 1, &regrown));
    CHECK(MEMORY_RESERVE(out.places, out.place_capacity, points + 1, &regrown));
    CHECK(MEMORY_RESERVE(out.actions, out.action_capacity, points + 1, &regrown));
    CHECK(MEMORY_RESERVE(out.torques, out.torque_capacity, points + 1, &regrown));
    CHECK(MEMORY_RESERVE(out.colours, out.colour_capacity, from->count + 1, &regrown));
    if (from->count == 0) return out;
    memcpy(out.pairs, from->pairs, (size_t)from->count * sizeof *out.pairs);
    memcpy(out.places, from->places, (size_t)points * sizeof *out.places);
    memcpy(out.actions, from->actions, (size_t)points * sizeof *out.actions);
    memset(out.torques, 0, (size_t)points * sizeof *out.torques);
    if (from->has_resistance) memcpy(out.torques, from->torques, (size_t)points * sizeof *out.torques);
    memset(out.colours, -1, (size_t)from->count);
    return out;
}

/* Adds an entry of a detection pass behind every fourth pair, a bit away; marks deferred impacts, if contacts
 * may bounce. */
static inline void add_predicted(contact_set *set, uint64_t seed, bool bounces) {
    contact_set more = {0};
    int regrown = 0;
    for (int i = 0; i < set->count; i += 4) {
        const contact_pair *of = &set->pairs[i];
        manifold found = {.a = of->manifold.a, .b = of->manifold.b, .count = of->manifold.count};
        found.image = of->manifold.image;
        found.normal = of->manifold.normal;
        for (int k = 0; k < found.count; k++) {
            found.points[k] = contact_places(set, of)[k];
            found.points[k].gap += (float)random_between(&seed, -2e-3, 2e-3);
        }
        CHECK(contacts_append(&more, (contact_pair){.last_colour = -1, .predicted = true}, &found, &regrown));
    }
    CHECK(contacts_add(set, &more, 0, &regrown));
    contacts_release(&more);
    for (int i = 0; i < set->count; i++) {
        contact_pair *pair = &set->pairs[i];
        pair->deferred = bounces && random_below(&seed, 8) == 0;
        for (int k = 0; k < (int)pair->manifold.count && pair->deferred; k++)
            contact_actions(set, pair)[k].bias = (float)random_between(&seed, -0.5, 2);
    }
}

/* Lets cohesion hold half of the pairs, at their first point or elsewhere. */
static inline void hold_at_random(contact_set *set, uint64_t seed) {
    CHECK(MEMORY_RESERVE(set->cohesive_impulses, set->cohesion_capacity, set->count + 1, NULL));
    set->cohesive = true;
    for (int i = 0; i < set->count; i++)
        for (int k = 0; k < MANIFOLD_POINTS; k++)
            set->cohesive_impulses[i].of_point[k] =
                set->pairs[i].predicted || random_below(&seed, 2) ? 0 : (float)random_between(&seed, 0, 1e-3);
}

/* -- Device ----------------------------------------------------------------------------- */

/* Buffers of a world's bodies and of a problem, in the rig's context. */
typedef struct sent_rows {
    opencl_buffer poses, collided, remainders, velocities, masses, loads, earlier;
    opencl_buffer firsts, blocks, impulses, pseudo_impulses;
    device_row_bodies bodies;
    device_row_places places;
    device_contacts contacts;
    row_parameters parameters;
} sent_rows;

static inline void send_row_bodies(const problem_input *from, sent_rows *out) {
    const body_array *bodies = from->bodies;
    const size_t n = (size_t)bodies->count;
    CHECK(opencl_rows_send_bodies(&device_rows, bodies, from->joints));
    CHECK(opencl_rows_send_materials(&device_rows, from->materials));
    rig_send(&out->poses, bodies->poses, n * sizeof *bodies->poses);
    rig_send(&out->remainders, bodies->remainders, n * sizeof *bodies->remainders);
    rig_send(&out->velocities, bodies->velocities, n * sizeof *bodies->velocities);
    rig_send(&out->earlier, bodies->earlier, n * sizeof *bodies->earlier);
    out->bodies.poses = &out->poses, out->bodies.remainders = &out->remainders;
    out->bodies.velocities = &out->velocities, out->bodies.earlier = &out->earlier;
    if (!from->collided) return;
    rig_send(&out->collided, from->collided, n * sizeof *from->collided);
    out->bodies.collided = &out->collided;
}

/* Sends masses and loads in a unit of 2^exponent kg. */
static inline void send_masses(const body_array *bodies, int exponent, sent_rows *out) {
    const size_t n = (size_t)bodies->count;
    const scalar factor = scalar_shifted(1, -exponent);
    body_mass *masses = rig_array(n, sizeof *masses);
    body_load *loads = rig_array(n, sizeof *loads);
    for (size_t i = 0; i < n; i++) {
        masses[i] = mass_unit_of(bodies->masses[i], exponent);
        loads[i].force = glms_vec3_scale(bodies->loads[i].force, factor);
        loads[i].torque = glms_vec3_scale(bodies->loads[i].torque, factor);
    }
    rig_send(&out->masses, masses, n * sizeof *masses);
    rig_send(&out->loads, loads, n * sizeof *loads);
    out->bodies.masses = &out->masses, out->bodies.loads = &out->loads;
    free(masses), free(loads);
}

static inline void send_row_places(const problem *p, sent_rows *out) {
    const size_t blocks = (size_t)p->block_count + 1;
    int *firsts = rig_array((size_t)p->pairs.count + 1, sizeof *firsts);
    for (int i = 0; i < p->pairs.count; i++) firsts[i] = p->groups[p->pair_group[i]].first;
    rig_send(&out->firsts, firsts, ((size_t)p->pairs.count + 1) * sizeof *firsts);
    free(firsts);
    CHECK(opencl_buffer_reserve(&rig.device, &out->blocks, blocks * sizeof *p->blocks, "blocks"));
    CHECK(opencl_buffer_reserve(&rig.device, &out->impulses, blocks * sizeof *p->impulses, "impulses"));
    CHECK(opencl_buffer_reserve(&rig.device, &out->pseudo_impulses, blocks * sizeof *p->impulses, "pushes"));
    out->places = (device_row_places){.firsts = &out->firsts,
                                      .blocks = &out->blocks,
                                      .impulses = &out->impulses,
                                      .pseudo_impulses = &out->pseudo_impulses};
}

static inline void sent_rows_release(sent_rows *self) {
    opencl_buffer *const buffers[] = {&self->poses,      &self->collided,       &self->remainders,
                                      &self->velocities, &self->masses,         &self->loads,
                                      &self->earlier,    &self->firsts,         &self->blocks,
                                      &self->impulses,   &self->pseudo_impulses};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(&rig.device, buffers[i]);
    device_contacts_release(&rig.device, &self->contacts);
}

/* -- Comparison ------------------------------------------------------------------------- */

/* Numbers that a comparison has seen. */
typedef struct rows_seen {
    int blocks, rebounds, bends, resistances, predicted, deferred, marked, images;
} rows_seen;

static inline void expect_blocks(const problem *p, const sent_rows *sent, rows_seen *seen) {
    const size_t n = (size_t)p->block_count;
    constraint_block *blocks = rig_array(n, sizeof *blocks);
    block_impulse *impulses = rig_array(n, sizeof *impulses), *pushes = rig_array(n, sizeof *pushes);
    rig_read(&sent->blocks, blocks, n * sizeof *blocks);
    rig_read(&sent->impulses, impulses, n * sizeof *impulses);
    rig_read(&sent->pseudo_impulses, pushes, n * sizeof *pushes);
    for (int i = 0; i < p->block_count; i++) {
        const constraint_block *is = &blocks[i], *of = &p->blocks[i];
        if (memcmp(is, of, sizeof *is) != 0)
            fail_msg("block %d of (%d, %d): bias %a, closing %a, compliance %a, slip %a %a, arms %a %a; "
                     "expected %a, %a, %a, %a %a, %a %a",
                     i, is->body_a, is->body_b, (double)is->bias, (double)is->closing, (double)is->compliance,
                     (double)is->rolling, (double)is->spinning, (double)is->arm_a.x, (double)is->arm_b.x,
                     (double)of->bias, (double)of->closing, (double)of->compliance, (double)of->rolling,
                     (double)of->spinning, (double)of->arm_a.x, (double)of->arm_b.x);
        assert_memory_equal(&impulses[i], &p->impulses[i], sizeof *impulses);
        assert_memory_equal(&pushes[i], &p->pseudo_impulses[i], sizeof *pushes);
        seen->resistances += of->kind == BLOCK_RESISTANCE;
        seen->bends += of->kind == BLOCK_CONTACT && of->spinning != 0;
    }
    seen->blocks += p->block_count;
    free(blocks), free(impulses), free(pushes);
}

/* Compares the rows, or with `impulses` what acted, at the points of a set. */
static inline void expect_actions(const contact_set *set, const sent_rows *sent, bool impulses) {
    const size_t n = (size_t)set->points;
    contact_row *rows = rig_array(n, sizeof *rows);
    float4_host *acted = rig_array(n, sizeof *acted), *turned = rig_array(n, sizeof *turned);
    rig_read(&sent->contacts.rows, rows, n * sizeof *rows);
    rig_read(&sent->contacts.impulses, acted, n * sizeof *acted);
    if (set->has_resistance) rig_read(&sent->contacts.torques, turned, n * sizeof *turned);
    for (int i = 0; i < set->count; i++)
        for (int k = 0; k < (int)set->pairs[i].manifold.count; k++) {
            const int at = set->pairs[i].first + k;
            const contact_action *of = &set->actions[at];
            const contact_row row = {of->bias, of->compliance};
            const float4_host impulse = four_of(of->impulse, of->push), torque = four_of(set->torques[at], 0);
            assert_memory_equal(&rows[at], &row, sizeof row);
            if (!impulses) continue;
            assert_memory_equal(&acted[at], &impulse, sizeof impulse);
            if (set->has_resistance) assert_memory_equal(&turned[at], &torque, sizeof torque);
        }
    free(rows), free(acted), free(turned);
}

static inline void solve_at_random(problem *p, uint64_t seed, sent_rows *sent) {
    const size_t n = (size_t)p->block_count;
    for (int i = 0; i < p->block_count; i++) {
        p->impulses[i].value = random_vector(&seed, -1, 1);
        p->pseudo_impulses[i].value = vec3_of((float)random_noise(&seed), 0, 0);
    }
    if (n == 0) return;
    rig_send(&sent->impulses, p->impulses, n * sizeof *p->impulses);
    rig_send(&sent->pseudo_impulses, p->pseudo_impulses, n * sizeof *p->pseudo_impulses);
}

static inline void fill_rows(const sent_rows *sent) {
    const scree_device_traffic start = rig.device.traffic;
    const int first = device_rows.counts.memory == NULL; /* which clears the counts */
    CHECK(opencl_rows_fill(&device_rows, &sent->bodies, &sent->contacts, &sent->parameters, &sent->places));
    const scree_device_traffic *end = &rig.device.traffic;
    assert_int_equal(end->waits, start.waits);
    assert_int_equal(end->bytes_up + end->bytes_down, start.bytes_up + start.bytes_down);
    assert_in_range(end->launches - start.launches, 1, 2 + first + sent->contacts.cohesive);
}

/* Fills rows again after a launch that is refused. */
static inline void fill_rows_again(const sent_rows *sent) {
    opencl_test_hooks.failing_command = 1;
    assert_int_not_equal(
        opencl_rows_fill(&device_rows, &sent->bodies, &sent->contacts, &sent->parameters, &sent->places),
        SCREE_OK);
    CHECK(opencl_rows_fill(&device_rows, &sent->bodies, &sent->contacts, &sent->parameters, &sent->places));
}

/* Sends a problem whose contacts are those of `from`, before the problem is assembled. */
static inline void send_input(const problem_input *from, sent_rows *out) {
    *out = (sent_rows){.contacts = send_contacts(from->contacts)};
    out->contacts.pair_capacity += 5; /* beyond the last one; must not matter */
    send_row_bodies(from, out);
}

static inline uint32_t read_count(int count) {
    uint32_t counts[2 * ROWS_COUNTS];
    rig_read(&device_rows.counts, counts, sizeof counts);
    return counts[device_rows.counts_at + (cl_uint)count];
}

/* Compares the work that the contacts do while bodies get random velocities. */
static inline void compare_work(const problem_input *from, uint64_t seed, const sent_rows *sent) {
    const size_t n = (size_t)from->bodies->count;
    opencl_work device_work;
    opencl_buffer after = {0};
    work_terms works[WORK_SLICES];
    contact_work on_host = {0}, on_device = {0};
    if (from->collided || !rig.device.info.fp64) return; /* substeps are the host's */
    body_velocity *velocities = rig_array(n, sizeof *velocities);
    for (size_t i = 0; i < n; i++)
        velocities[i] =
            (body_velocity){.linear = random_vector(&seed, -1, 1), .angular = random_vector(&seed, -5, 5)};
    rig_send(&after, velocities, n * sizeof *velocities);
    const worked_step step = {&device_rows, &sent->bodies, &sent->places, &sent->contacts,
                              &after,       &sent->loads,  from->motion,  from->materials->count};
    opencl_work_open(&device_work, &rig.primitives);
    CHECK(opencl_work_find(&device_work, &step, works));
    CHECK(opencl_device_wait(&rig.device));
    contact_work_sum(works, &on_device);
    contact_work_add(from, velocities, 1, 2, &on_host);
    assert_memory_equal(&on_device, &on_host, sizeof on_host);
    assert_true(from->contacts->points == 0 || (on_host.friction != 0 && on_host.impact != 0));
    opencl_work_close(&device_work);
    opencl_buffer_release(&rig.device, &after);
    free(velocities);
}

/* Gives all points rows of which many rebound, on both sides. */
static inline void rebound_at_random(contact_set *set, uint64_t seed, sent_rows *sent) {
    const size_t n = (size_t)set->points;
    contact_row *rows = rig_array(n, sizeof *rows);
    for (size_t k = 0; k < n; k++) {
        set->actions[k].bias = (float)random_between(&seed, -4, 3);
        rows[k] = (contact_row){set->actions[k].bias, set->actions[k].compliance};
    }
    if (n > 0) rig_send(&sent->contacts.rows, rows, n * sizeof *rows);
    free(rows);
}

static inline void expect_struck(const body_array *bodies, const deferred_impact *impacts) {
    const size_t n = (size_t)bodies->count;
    body_velocity *struck = rig_array(n, sizeof *struck);
    rig_read(&device_impacts.struck, struck, n * sizeof *struck);
    for (size_t i = 0; i < n; i++)
        if (bodies->masses[i].mass > 0) assert_memory_equal(&struck[i], &impacts->struck[i], sizeof *struck);
    free(struck);
}

/* Marks the impacts that the impulses of the contacts defer on both sides, and compares the marks. Returns
 * their number. */
static inline int compare_marks(const problem_input *from, uint64_t seed, sent_rows *sent) {
    const size_t n = (size_t)from->contacts->count;
    deferred_impact impacts = {0};
    int marked, marked_here;
    contact_tag *tags = rig_array(n, sizeof *tags);
    rebound_at_random(from->contacts, seed, sent);
    CHECK(deferred_impact_mark(&impacts, from, 1, &marked, NULL));
    opencl_scratch_clear(&rig.device);
    CHECK(opencl_impacts_mark(&device_impacts, &device_rows, &sent->bodies, (cl_uint)from->bodies->count,
                              &sent->contacts, &sent->places, &sent->parameters, &marked_here));
    assert_int_equal(marked_here, marked);
    rig_read(&sent->contacts.tags, tags, n * sizeof *tags);
    for (size_t i = 0; i < n; i++)
        assert_int_equal((tags[i].bits & TAG_DEFERRED) != 0, from->contacts->pairs[i].deferred);
    expect_actions(from->contacts, sent, true);
    if (impacts.struck) expect_struck(from->bodies, &impacts);
    deferred_impact_release(&impacts);
    free(tags);
    return marked;
}

/* Fills the rows of `from` on both sides, compares them, and reads random impulses back on both sides. */
static inline rows_seen compare_rows(const problem_input *from, uint64_t seed) {
    problem p = {0};
    sent_rows sent;
    rows_seen seen = {0};
    send_input(from, &sent);
    CHECK(problem_assemble(&p, from, 1, NULL));
    const int exponent = seed % 2 ? p.mass_exponent : 0;
    sent.parameters = row_parameters_of(from, p.kilograms, scalar_shifted(1, exponent));
    send_masses(from->bodies, exponent, &sent);
    send_row_places(&p, &sent);
    fill_rows(&sent);
    assert_int_equal(read_count(ROWS_REBOUND), p.rebounds);
    expect_blocks(&p, &sent, &seen);
    expect_actions(from->contacts, &sent, false);
    solve_at_random(&p, seed, &sent);
    problem_scatter(&p, from, problem_solved(&p), 1);
    CHECK(opencl_rows_read(&device_rows, &sent.bodies, &sent.contacts, &sent.parameters, &sent.places));
    expect_actions(from->contacts, &sent, true);
    compare_work(from, seed, &sent);
    if (from->options->stabilisation == SCREE_STABILISATION_SPLIT && exponent == 0)
        seen.marked += compare_marks(from, seed, &sent);
    for (int i = 0; i < p.block_count; i++) seen.rebounds += block_rebounds(p.blocks[i]);
    for (int i = 0; i < from->contacts->count; i++) {
        seen.predicted += from->contacts->pairs[i].predicted;
        seen.deferred += from->contacts->pairs[i].deferred;
        seen.images += from->contacts->pairs[i].manifold.image != 0;
    }
    problem_release(&p);
    sent_rows_release(&sent);
    return seen;
}

/* Returns an input of a world's next problem with these contacts and bodies. */
static inline problem_input input_of_world(const scree_world *world, contact_set *set,
                                           const body_array *bodies) {
    const world_model *model = &world->model;
    const int substeps = model->def.solver.stabilisation == SCREE_STABILISATION_SUBSTEP
                             ? model->def.solver.substep.substeps
                             : 1;
    const scree_vec3 g = model->def.gravity;
    return (problem_input){
        .contacts = set,
        .bodies = bodies,
        .materials = &model->materials,
        .options = &model->def.solver,
        .motion = {vec3_of(g.x, g.y, g.z), (scalar)(model->def.time_step / (double)substeps)},
        .substeps = substeps};
}

/* Compares the rows of the contacts that the last step of a world left. */
static inline rows_seen compare_world_as_it_is(const scree_world *world) {
    contact_set set = copy_of_set(&world->state.contacts);
    const problem_input from = input_of_world(world, &set, &world->state.bodies);
    const rows_seen seen = compare_rows(&from, 1);
    contacts_release(&set);
    return seen;
}

/* Changes of an input of compare_world. */
typedef struct row_changes {
    bool bounces; /* deferred impacts */
    bool held;    /* joints, which are of no pair, hold every third body */
    bool moved;   /* the bodies have moved since their contacts were found */
    bool bound;   /* cohesion holds some of them */
} row_changes;

/* Returns the velocities before the step of bodies with prescribed motion, at random. */
static inline body_velocity *earlier_at_random(const body_array *bodies, uint64_t seed) {
    body_velocity *earlier = rig_array((size_t)bodies->count, sizeof *earlier);
    for (int i = 0; i < bodies->count; i++)
        earlier[i] =
            (body_velocity){.linear = random_vector(&seed, -1, 1), .angular = random_vector(&seed, -1, 1)};
    return earlier;
}

/* Returns the poses of a substep before. */
static inline body_pose *poses_before(const body_array *bodies, uint64_t seed) {
    body_pose *poses = rig_array((size_t)bodies->count, sizeof *poses);
    for (int i = 0; i < bodies->count; i++) {
        poses[i] = bodies->poses[i];
        if (bodies->types[i] == SLOT_STATIC) continue;
        poses[i].position = glms_vec3_add(poses[i].position, random_vector(&seed, -1e-3, 1e-3));
        poses[i].rotation = rotation_turned(random_vector(&seed, -0.02, 0.02), poses[i].rotation);
    }
    return poses;
}

/* Does the same with further entries (add_predicted), random velocities before prescribed motion, and these
 * changes. */
static inline rows_seen compare_world(const scree_world *world, uint64_t seed, row_changes changes) {
    contact_set set = copy_of_set(&world->state.contacts);
    add_predicted(&set, seed, changes.bounces);
    if (changes.bound) hold_at_random(&set, seed);
    body_array bodies = world->state.bodies;
    joint_array joints = {.first_capacity = bodies.count,
                          .first_side = rig_array((size_t)bodies.count, sizeof *joints.first_side)};
    body_pose *collided = poses_before(&bodies, seed);
    bodies.earlier = earlier_at_random(&bodies, seed);
    for (int i = 0; i < bodies.count; i++) joints.first_side[i] = i % 3 == 0;
    problem_input from = input_of_world(world, &set, &bodies);
    if (changes.held) from.joints = &joints;
    if (changes.moved) from.collided = collided;
    const rows_seen seen = compare_rows(&from, seed);
    free(bodies.earlier), free(joints.first_side), free(collided);
    contacts_release(&set);
    return seen;
}
