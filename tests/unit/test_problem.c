/* Problem assembly against blocks computed by hand, incidence and split counts by brute force, and the bias
 * of every scheme. */
#include "expect.h"
#include "stabilisations.h"
#include "random.h"
#include "base/memory.h"
#include "rows/problem.h"
#include "rows/stabilisation.h"

enum { MOST_BODIES = 64, MOST_PAIRS = 256 };

/* a small world made by hand */
static struct {
    body_array bodies;
    body_pose poses[MOST_BODIES];
    body_remainder remainders[MOST_BODIES];
    body_velocity velocities[MOST_BODIES];
    body_mass masses[MOST_BODIES];
    body_load loads[MOST_BODIES];
    body_settings settings[MOST_BODIES];
    scree_shape shapes[MOST_BODIES];
    int materials[MOST_BODIES];
    uint8_t types[MOST_BODIES];
    scree_material_def material_defs[2];
    material_pair material_pairs[1];
    material_table table;
    contact_pair pairs[MOST_PAIRS];
    contact_action actions[MOST_PAIRS * MANIFOLD_POINTS];
    manifold_point places[MOST_PAIRS * MANIFOLD_POINTS];
    contact_set contacts;
    scree_solver_def options;
} w;

static int set_up(void **state) {
    (void)state;
    memory_release(w.contacts.colours);
    memset(&w, 0, sizeof w);
    w.bodies = (body_array){.capacity = MOST_BODIES,
                            .poses = w.poses,
                            .remainders = w.remainders,
                            .velocities = w.velocities,
                            .masses = w.masses,
                            .loads = w.loads,
                            .shapes = w.shapes,
                            .materials = w.materials,
                            .types = w.types,
                            .settings = w.settings};
    for (int i = 0; i < MOST_BODIES; i++) w.shapes[i].kind = SCREE_SHAPE_BOX; /* arms end at the points */
    w.material_defs[0] = (scree_material_def){.friction = 0.5f, .restitution = 0, .density = 1000};
    w.material_defs[1] = (scree_material_def){.friction = 0.25f, .restitution = 0.75f, .density = 1000};
    w.material_pairs[0] =
        (material_pair){.a = 0, .b = 1, .contact = {.friction = 0.125f, .restitution = 0.5f}};
    w.table = (material_table){.count = 2,
                               .capacity = 2,
                               .materials = w.material_defs,
                               .pair_count = 1,
                               .pair_capacity = 1,
                               .pairs = w.material_pairs};
    w.contacts =
        (contact_set){.capacity = MOST_PAIRS, .pairs = w.pairs, .places = w.places, .actions = w.actions};
    w.options = (scree_solver_def){.method = SCREE_METHOD_PGS,
                                   .iterations = 1,
                                   .check_every = 1,
                                   .relaxation = 1,
                                   .warm_start = true,
                                   .colours = 12,
                                   .stabilisation = SCREE_STABILISATION_BAUMGARTE,
                                   .baumgarte = {.error_reduction = 0.25f, .correction_speed = 3},
                                   .restitution_speed = 0.5f};
    return 0;
}

/* Returns `def` with a stabilisation whose parameters are those of the tests. */
static scree_solver_def options_with(scree_solver_def def, scree_stabilisation kind) {
    def = scree_solver_def_with_stabilisation(def, kind);
    set_error_reduction(&def, 0.25);
    if (kind != SCREE_STABILISATION_SUBSTEP) set_contact_spring(&def, 1e4, 50);
    return def;
}

static int add_body(slot_type type, scalar mass, vec3s position) {
    const int slot = w.bodies.count++;
    w.types[slot] = (uint8_t)type;
    w.masses[slot].mass = type == SLOT_DYNAMIC ? mass : 0;
    w.masses[slot].inertia = vec3_of(1, 1, 1);
    w.masses[slot].gravity_scale = 1;
    w.poses[slot].position = position;
    w.poses[slot].rotation = versor_of(0, 0, 0, 1);
    return slot;
}

static contact_pair *add_pair(int a, int b, vec3s normal, int points) {
    contact_pair *pair = &w.pairs[w.contacts.count++];
    *pair =
        (contact_pair){.manifold = {.a = a, .b = b, .normal = normal, .count = points}, .last_colour = -1};
    pair->first = MANIFOLD_POINTS * (int)(pair - w.pairs);
    w.contacts.points += points;
    return pair;
}

static contact_action *actions_of(const contact_pair *pair) { return contact_actions(&w.contacts, pair); }
static manifold_point *places_of(const contact_pair *pair) { return contact_places(&w.contacts, pair); }

static void assemble(problem *p, scalar time_step) {
    CHECK(problem_assemble(p,
                           &(problem_input){.contacts = &w.contacts,
                                            .bodies = &w.bodies,
                                            .materials = &w.table,
                                            .options = &w.options,
                                            .motion = {.time_step = time_step}},
                           2, NULL));
    CHECK(problem_validate(p, &w.bodies));
}

static void assert_vector(vec3s value, double x, double y, double z, double tolerance) {
    ASSERT_WITHIN(value.x, x, tolerance);
    ASSERT_WITHIN(value.y, y, tolerance);
    ASSERT_WITHIN(value.z, z, tolerance);
}

static void block_agrees_with_hand_calculation(void **state) {
    (void)state;
    const int floor = add_body(SLOT_STATIC, 0, vec3_of(0, 0, -1)),
              ball = add_body(SLOT_DYNAMIC, 2, vec3_of(1, 2, 0.5f));
    w.materials[ball] = 1;
    contact_pair *pair = add_pair(floor, ball, vec3_of(0, 0, 1), 2);
    places_of(pair)[0] = (manifold_point){.position = vec3_of(1.25f, 2, 0), .gap = -0.01f};
    places_of(pair)[1] = (manifold_point){.position = vec3_of(0.75f, 2, 0), .gap = 0.02f};
    actions_of(pair)[0].impulse = vec3_of(0.1f, -0.2f, 3);
    actions_of(pair)[1].impulse = vec3_of(0, 0, 1);
    problem p = {0};
    assemble(&p, 0.01f);
    assert_int_equal(p.block_count, 2);
    assert_int_equal(p.group_count, 1);
    assert_int_equal(p.colour_count, 1);
    assert_int_equal(p.pair_group[0], 0);
    const constraint_block *block = p.blocks;
    assert_int_equal(block->body_a, floor);
    assert_int_equal(block->body_b, ball);
    assert_vector(block->arm_a, 1.25, 2, 1, 1e-6);
    assert_vector(block->arm_b, 0.25, 0, -0.5, 1e-6);
    ASSERT_WITHIN(block->friction, 0.125, 0); /* the pair table, not √(0.5 × 0.25) */
    ASSERT_WITHIN(block->bias, 0.25 / 0.01 * -0.01, 1e-6);
    ASSERT_WITHIN(block[1].bias, 0.02 / 0.01, 1e-6);
    ASSERT_WITHIN(block->correction, 0, 0);
    ASSERT_WITHIN(block->compliance, 0, 0);
    assert_vector(block->normal, 0, 0, 1, 0);
    ASSERT_WITHIN(glms_vec3_norm(block->tangent), 1, 1e-6);
    ASSERT_WITHIN(glms_vec3_dot(block->tangent, block->normal), 0, 1e-7);
    /* Impulses keep their length and their components along the frame. */
    const vec3s r = p.impulses[0].value, t = block->tangent, s = glms_vec3_cross(block->normal, t);
    ASSERT_WITHIN(r.x, 3, 1e-6);
    ASSERT_WITHIN(r.y, t.x * 0.1 + t.y * -0.2, 1e-6);
    ASSERT_WITHIN(r.z, s.x * 0.1 + s.y * -0.2, 1e-6);
    /* Scattering returns the gathered impulses. */
    actions_of(pair)[0].impulse = actions_of(pair)[1].impulse = vec3_of(9, 9, 9);
    problem_scatter(&p,
                    &(problem_input){.contacts = &w.contacts,
                                     .bodies = &w.bodies,
                                     .materials = &w.table,
                                     .options = &w.options,
                                     .motion = {.time_step = 0.01f}},
                    problem_solved(&p), 2);
    assert_vector(actions_of(pair)[0].impulse, 0.1, -0.2, 3, 1e-6);
    assert_vector(actions_of(pair)[1].impulse, 0, 0, 1, 1e-6);
    problem_release(&p);
}

/* Returns an impulse within a friction of 0.5. */
static vec3s impulse_along(vec3s normal) {
    return glms_vec3_add(glms_vec3_scale(normal, 3), glms_vec3_cross(normal, vec3_of(0.6f, 0, 0.8f)));
}

/* Normals in all directions, including the poles, give right-handed orthonormal frames. */
static void frames_are_orthonormal(void **state) {
    (void)state;
    const int a = add_body(SLOT_STATIC, 0, vec3_of(0, 0, 0));
    for (int i = 0; i < 60; ++i) {
        const int b = add_body(SLOT_DYNAMIC, 1, vec3_of(0, 0, 0));
        const double z = i == 0 ? 1 : i == 1 ? -1 : 2 * ((i * 37) % 60) / 60.0 - 1, angle = 2.4 * i;
        const double across = sqrt(1 - z * z);
        const vec3s n = vec3_of((scalar)(across * cos(angle)), (scalar)(across * sin(angle)), (scalar)z);
        actions_of(add_pair(a, b, n, 1))[0].impulse = impulse_along(n);
    }
    problem p = {0};
    assemble(&p, 0.01f);
    for (int i = 0; i < p.block_count; ++i) {
        ASSERT_WITHIN(glms_vec3_norm(p.blocks[i].tangent), 1, 1e-6);
        ASSERT_WITHIN(glms_vec3_dot(p.blocks[i].tangent, p.blocks[i].normal), 0, 1e-6);
        ASSERT_WITHIN(p.impulses[i].value.x, 3, 1e-5);
        ASSERT_WITHIN(glms_vec3_norm(p.impulses[i].value), glms_vec3_norm(impulse_along(p.blocks[i].normal)),
                      1e-5);
    }
    memset(actions_of(&w.pairs[5]), 0, MANIFOLD_POINTS * sizeof(contact_action));
    problem_scatter(&p,
                    &(problem_input){.contacts = &w.contacts,
                                     .bodies = &w.bodies,
                                     .materials = &w.table,
                                     .options = &w.options,
                                     .motion = {.time_step = 0.01f}},
                    problem_solved(&p), 2);
    for (int i = 0; i < w.contacts.count; ++i) {
        const vec3s r = impulse_along(w.pairs[i].manifold.normal);
        assert_vector(actions_of(&w.pairs[i])[0].impulse, (double)r.x, (double)r.y, (double)r.z, 1e-5);
    }
    problem_release(&p);
}

static uint64_t seed;

static void make_random_contacts(uint64_t from) {
    seed = from;
    for (int i = 0; i < 40; ++i)
        add_body(i % 9 == 0    ? SLOT_STATIC
                 : i % 13 == 5 ? SLOT_KINEMATIC
                               : SLOT_DYNAMIC,
                 1, vec3_of((scalar)i, 0, 0));
    for (int a = 0; a < 40; ++a)
        for (int b = a + 1; b < 40; ++b)
            if ((body_is_dynamic(&w.bodies, a) || body_is_dynamic(&w.bodies, b)) &&
                random_below(&seed, 100) < (a == 4 ? 90 : 8)) {
                contact_pair *pair = add_pair(a, b, vec3_of(0, 0, 1), 1 + random_below(&seed, 4));
                for (int i = 0; i < pair->manifold.count; ++i)
                    places_of(pair)[i].gap = (scalar)random_below(&seed, 100) * 1e-4f - 5e-3f;
            }
}

/* A search over all blocks finds every incidence list; the split counts are their lengths. */
static void incidence_agrees_with_brute_force(void **state) {
    (void)state;
    make_random_contacts(11);
    w.options.colours = 6; /* only body 4 has more pairs, so there is an uncoloured remainder */
    problem p = {0};
    assemble(&p, 0.01f);
    assert_int_equal(p.block_count, w.contacts.points);
    assert_true(p.remainder_first < p.block_count);
    assert_int_equal(p.colour_count, 6);
    for (int slot = 0; slot < p.body_count; ++slot) {
        int entry = p.incidence_first[slot], remainder = 0;
        for (int block = 0; block < p.block_count; ++block)
            for (int side = 0; side < 2; ++side) {
                const int body = side ? p.blocks[block].body_b : p.blocks[block].body_a;
                if (body != slot || w.types[slot] != SLOT_DYNAMIC) continue;
                assert_int_equal(p.incidence[entry++], 2 * block + side);
                remainder += block >= p.remainder_first;
            }
        assert_int_equal(entry, p.incidence_first[slot + 1]);
        const int count = entry - p.incidence_first[slot];
        assert_int_equal((int)p.splits[slot].all, count ? count : 1);
        assert_int_equal((int)p.splits[slot].remainder, remainder ? remainder : 1);
    }
    /* Each pair occurs once, in the order of the pairs within a colour. */
    bool seen[MOST_PAIRS] = {false};
    int pair_of[MOST_PAIRS];
    for (int i = 0; i < p.pairs.count; ++i) pair_of[p.pair_group[i]] = i;
    for (int colour = 0; colour <= p.colour_count; ++colour)
        for (int i = p.colour_first[colour]; i < p.colour_first[colour + 1]; ++i) {
            const int pair = pair_of[i];
            assert_false(seen[pair]);
            seen[pair] = true;
            assert_int_equal(p.groups[i].count, w.pairs[pair].manifold.count);
            if (i > p.colour_first[colour]) assert_true(pair > pair_of[i - 1]);
            for (int k = 0; k < p.groups[i].count; ++k) {
                const vec3s arm = glms_vec3_sub(places_of(&w.pairs[pair])[k].position,
                                                w.poses[w.pairs[pair].manifold.a].position);
                assert_memory_equal(&p.blocks[p.groups[i].first + k].arm_a, &arm, sizeof arm);
            }
        }
    problem_release(&p);
}

static void kinematic_group_is_equal_for_every_thread_count(void **state) {
    (void)state;
    make_random_contacts(12);
    problem one = {0}, many = {0};
    CHECK(problem_assemble(&one,
                           &(problem_input){.contacts = &w.contacts,
                                            .bodies = &w.bodies,
                                            .materials = &w.table,
                                            .options = &w.options,
                                            .motion = {.time_step = 0.01f}},
                           1, NULL));
    for (int i = 0; i < w.contacts.count; ++i) w.pairs[i].last_colour = -1;
    CHECK(problem_assemble(&many,
                           &(problem_input){.contacts = &w.contacts,
                                            .bodies = &w.bodies,
                                            .materials = &w.table,
                                            .options = &w.options,
                                            .motion = {.time_step = 0.01f}},
                           5, NULL));
    assert_int_equal(one.block_count, many.block_count);
    assert_memory_equal(one.blocks, many.blocks, (size_t)one.block_count * sizeof *one.blocks);
    assert_memory_equal(one.impulses, many.impulses, (size_t)one.block_count * sizeof *one.impulses);
    assert_memory_equal(one.incidence, many.incidence,
                        (size_t)one.incidence_first[one.body_count] * sizeof(int));
    problem_release(&one);
    problem_release(&many);
}

/* A problem that grew, shrank and emptied is still whole, and `regrown` counts. */
static void a_reused_problem_is_whole(void **state) {
    (void)state;
    problem p = {0};
    int regrown = 0;
    CHECK(problem_assemble(&p,
                           &(problem_input){.contacts = &w.contacts,
                                            .bodies = &w.bodies,
                                            .materials = &w.table,
                                            .options = &w.options,
                                            .motion = {.time_step = 0.01f}},
                           1, &regrown));
    assert_int_equal(p.block_count + p.group_count + p.colour_count + p.remainder_first, 0);
    CHECK(problem_validate(&p, &w.bodies));
    make_random_contacts(13);
    CHECK(problem_assemble(&p,
                           &(problem_input){.contacts = &w.contacts,
                                            .bodies = &w.bodies,
                                            .materials = &w.table,
                                            .options = &w.options,
                                            .motion = {.time_step = 0.01f}},
                           1, &regrown));
    CHECK(problem_validate(&p, &w.bodies));
    assert_true(regrown > 0);
    w.contacts.count = 3;
    p.pseudo_velocity[2].linear.x = 1;
    p.pseudo_impulses[0].value.x = 1;
    assemble(&p, 0.01f);
    assert_int_equal(p.group_count, 3);
    assert_true(p.pseudo_velocity[2].linear.x == 0 && p.pseudo_impulses[0].value.x == 0);
    problem_release(&p);
}

/* Each invariant, broken by hand, is detected. */
static void validation_detects_broken_invariants(void **state) {
    (void)state;
    make_random_contacts(14);
    problem p = {0};
    assemble(&p, 0.01f);
    int *const integers[] = {&p.groups[1].first,    &p.groups[1].count,
                             &p.blocks[2].body_b,   &p.incidence[4],
                             &p.incidence_first[5], &p.colour_first[1],
                             &p.remainder_first,    &p.body_count,
                             &p.block_count,        &p.groups[p.group_count / 2].body_a};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i) {
        ++*integers[i];
        assert_int_equal(problem_validate(&p, &w.bodies), SCREE_ERROR_ARGUMENT);
        assert_true(strlen(scree_error_get_message()) > 0);
        --*integers[i];
    }
    p.splits[1].all += 1;
    assert_int_equal(problem_validate(&p, &w.bodies), SCREE_ERROR_ARGUMENT);
    p.splits[1].all -= 1;
    CHECK(problem_validate(&p, &w.bodies));
    problem_release(&p);
}

static void *failing_allocate(size_t bytes, void *user) { return --*(int *)user < 0 ? NULL : malloc(bytes); }

static void failing_release(void *block, void *user) {
    (void)user;
    free(block);
}

/* The n-th allocation fails, for every n: an error, nothing leaked (ASan), and the problem assembles once
 * memory is available. */
static void out_of_memory_is_reported(void **state) {
    (void)state;
    make_random_contacts(15);
    scree_result result = SCREE_ERROR_MEMORY;
    int calls = 0;
    for (; result != SCREE_OK; ++calls) {
        problem p = {0};
        int left = calls;
        scree_set_allocator(&(scree_allocator){failing_allocate, failing_release, &left});
        result = problem_assemble(&p,
                                  &(problem_input){.contacts = &w.contacts,
                                                   .bodies = &w.bodies,
                                                   .materials = &w.table,
                                                   .options = &w.options,
                                                   .motion = {.time_step = 0.01f}},
                                  1, NULL);
        scree_set_allocator(NULL);
        assert_true(calls < 100);
        if (result == SCREE_OK) assert_true(left == 0);
        if (result != SCREE_OK) assert_int_equal(result, SCREE_ERROR_MEMORY);
        assemble(&p, 0.01f);
        problem_release(&p);
    }
    assert_true(calls > 10);
}

/* Returns the stabilisation of a contact whose overlap before the step is that of its row. */
static stabilisation stabilisation_at(const scree_solver_def *options, scalar gap, scalar approach,
                                      scalar acceleration, scalar restitution, scalar time_step) {
    const row_state at = {.gap = gap, .overlap = fmaxf(-gap, 0), .rate = approach, .rate_before = approach};
    const row_scheme scheme = row_scheme_of(options, time_step);
    return stabilisation_of(&scheme, &at, acceleration, restitution);
}

static void each_scheme_has_its_bias(void **state) {
    (void)state;
    const scalar h = 0.01f;
    scree_solver_def options = w.options;
    for (int scheme = 0; scheme < SCREE_STABILISATION_COUNT; ++scheme) {
        options = options_with(options, (scree_stabilisation)scheme);
        const stabilisation open = stabilisation_at(&options, 0.003f, -1, 0, 0, h);
        ASSERT_WITHIN(open.bias, 0.3, 1e-6);
        const bool spring = scheme == SCREE_STABILISATION_SOFT || scheme == SCREE_STABILISATION_PENALTY;
        assert_true(spring ? open.compliance > 0 : open.compliance == 0);
        ASSERT_WITHIN(open.correction,
                      stabilisation_has_position_pass(options.stabilisation) ||
                              stabilisation_uses_substeps(options.stabilisation)
                          ? 0.3
                          : 0,
                      1e-6);
    }
    options.slop = 0.001f;
    options = options_with(options, SCREE_STABILISATION_BAUMGARTE);
    ASSERT_WITHIN(stabilisation_at(&options, -0.005f, 0, 0, 0, h).bias, 0.25 / 0.01 * -0.004, 1e-6);
    ASSERT_WITHIN(stabilisation_at(&options, -0.0005f, 0, 0, 0, h).bias, 0, 0); /* within the slop */
    ASSERT_WITHIN(stabilisation_at(&options, -0.5f, 0, 0, 0, h).bias, -3, 0);   /* limited by the correction
                                                                                 * speed */
    options = options_with(options, SCREE_STABILISATION_SPLIT);
    const stabilisation split = stabilisation_at(&options, -0.005f, 0, 0, 0, h);
    ASSERT_WITHIN(split.bias, 0, 0);
    ASSERT_WITHIN(split.correction, 0.25 / 0.01 * -0.004, 1e-6);
    ASSERT_WITHIN(stabilisation_at(&options, -0.5f, 0, 0, 0, h).correction, -3, 0);
    options = options_with(options, SCREE_STABILISATION_RELAXED);
    options.relaxed.relaxation_time = 0.04f, options.relaxed.damping_ratio = 0.5f; /* h/δ = 1/4 */
    ASSERT_WITHIN(stabilisation_at(&options, -0.005f, 2, 0, 0, h).bias, -0.75 * 2 - 0.01 / 0.0016 * 0.004,
                  1e-6);
    ASSERT_WITHIN(scheme_slip_factor(row_scheme_of(&options, h)), -0.75, 1e-6);
    ASSERT_WITHIN(stabilisation_at(&options, -0.5f, 0, 0, 0, h).bias, -3, 1e-6); /* limited by the correction
                                                                                  * speed */
    ASSERT_WITHIN(stabilisation_at(&options, -0.5f, 8, 0, 0, h).bias, -0.75 * 8, 1e-5); /* does not brake */
    options.relaxed.relaxation_time = 1e-6f;                                            /* clamped to 2 h */
    ASSERT_WITHIN(stabilisation_at(&options, -0.005f, 2, 0, 0, h).bias, -0.5 * 2 - 0.25 / 0.01 * 0.004, 1e-6);
}

static void restitution_sets_the_bias(void **state) {
    (void)state;
    const scalar h = 0.01f, e = 0.5f;
    scree_solver_def options = w.options;
    ASSERT_WITHIN(stabilisation_at(&options, 0.005f, -2, 0, e, h).bias, -1, 1e-6); /* reaches the surface
                                                                                    * within the step */
    ASSERT_WITHIN(stabilisation_at(&options, 0.03f, -2, 0, e, h).bias, 3, 1e-5);   /* does not */
    ASSERT_WITHIN(stabilisation_at(&options, 0, -0.4f, 0, e, h).bias, 0, 0);       /* too slow to bounce */
    ASSERT_WITHIN(stabilisation_at(&options, 0, 2, 0, e, h).bias, 0, 0);           /* separating */
    ASSERT_WITHIN(stabilisation_at(&options, -0.001f, -2, 0, e, h).bias, -1, 1e-6); /* stronger than −0.025 */
    ASSERT_WITHIN(stabilisation_at(&options, -0.1f, -2, 0, e, h).bias, 0.25 * -10,
                  1e-5); /* weaker than −2.5 */
    options = options_with(options, SCREE_STABILISATION_SOFT);
    ASSERT_WITHIN(stabilisation_at(&options, -0.001f, -2, 0, e, h).compliance, 0, 0); /* an impact is rigid */
    assert_true(stabilisation_at(&options, -0.001f, -0.1f, 0, e, h).compliance > 0);
    options = options_with(options, SCREE_STABILISATION_SPLIT);
    const stabilisation split = stabilisation_at(&options, -0.001f, -2, 0, e, h);
    ASSERT_WITHIN(split.bias, -1, 1e-6);
    ASSERT_WITHIN(stabilisation_at(&options, 0.01f, 3, 0, e, h).bias, 1.5, 1e-6); /* the gap allows e u */
    ASSERT_WITHIN(stabilisation_at(&options, 0.02f, 3, 0, e, h).bias, 2, 1e-6);   /* allowed by the gap
                                                                                   * anyway */
    ASSERT_WITHIN(stabilisation_at(&options, 0.01f, 3, 0, e, h).correction, 1, 1e-6);
    ASSERT_WITHIN(split.correction, -1, 1e-6); /* more than the 0.025 for the overlap */
    /* It reaches the surface after half of the step and moves away for the other half at 1 m/s. */
    ASSERT_WITHIN(stabilisation_at(&options, 0.01f, -2, 0, e, h).correction, 0.01 / h - 0.5 * 2 * 0.5, 1e-6);
}

/* Under a steady acceleration the velocity of a step is that of half a step earlier: v + a h/2 is the body's
 * own, which conserves v²/2 − a x. A rebound leaves e² of it, at the place that the body reaches: h u⁺ from
 * its old one, or where the position pass puts it. */
static void restitution_holds_under_acceleration(void **state) {
    (void)state;
    const double h = 0.01, e = 0.7, a = -10;
    scree_solver_def options = w.options;
    for (int split = 0; split < 2; ++split)
        for (int i = 0; i < 20; ++i) {
            const double u = -2, c = 0.02 / 19 * i;
            options =
                options_with(options, split ? SCREE_STABILISATION_SPLIT : SCREE_STABILISATION_BAUMGARTE);
            const stabilisation s =
                stabilisation_at(&options, (scalar)c, (scalar)u, (scalar)a, (scalar)e, (scalar)h);
            const double after = -(double)s.bias,
                         place = split ? c - h * (double)s.correction : c + h * after;
            const double before = pow(u + a * h / 2, 2) / 2 - a * c;
            assert_true(after > 0 && place > 0);
            ASSERT_NEAR(pow(after + a * h / 2, 2) / 2 - a * place, e * e * before, 1e-5);
        }
    /* V* takes it below the surface though V does not. */
    assert_true(stabilisation_at(&options, 0.0205f, -2, -10, (scalar)e, (scalar)h).bias < 0);
    assert_true(stabilisation_at(&options, 0.0211f, -2, -10, (scalar)e, (scalar)h).bias > 0);
}

/* The acceleration is that of the loads at the contact, of one body minus that of the other, excluding
 * massless bodies and locked axes. */
static void restitution_includes_loads(void **state) {
    (void)state;
    const scalar h = 0.01f;
    for (int kind = 0; kind < 4; ++kind) {
        set_up(state);
        w.options = options_with(w.options, SCREE_STABILISATION_SPLIT);
        const int a = add_body(kind == 2 ? SLOT_DYNAMIC : SLOT_STATIC, 1, vec3_of(0, 0, -1)),
                  b = add_body(SLOT_DYNAMIC, 2, vec3_of(0, 0, 1));
        w.materials[a] = w.materials[b] = 1;
        w.velocities[b].linear.z = -2;
        if (kind == 3) w.masses[b].locks = SCREE_LOCK_Z;
        if (kind == 1) w.loads[b].force.z = 20, w.loads[b].torque.y = -7;
        contact_pair *pair = add_pair(a, b, vec3_of(0, 0, 1), 1);
        places_of(pair)[0] = (manifold_point){.position = vec3_of(1, 0, 0), .gap = 0.01f};
        problem p = {0};
        CHECK(problem_assemble(&p,
                               &(problem_input){.contacts = &w.contacts,
                                                .bodies = &w.bodies,
                                                .materials = &w.table,
                                                .options = &w.options,
                                                .motion = {.gravity = vec3_of(0, 0, -10), .time_step = h}},
                               1, NULL));
        const scalar expected[] = {-10, 7, 0, 0};
        const stabilisation s = stabilisation_at(&w.options, 0.01f, -2, expected[kind], 0.75f, h);
        ASSERT_WITHIN(p.blocks[0].bias, (double)s.bias, 1e-6);
        ASSERT_WITHIN(p.blocks[0].closing, (double)s.correction, 1e-5);
        problem_release(&p);
    }
}

/* The approach velocity is that of the contact point, from both bodies, before the step: a ball that rotates
 * over the resting floor meets it at ω r, and a body at rest on a rising platform at 0. */
static void restitution_uses_the_point_velocity(void **state) {
    (void)state;
    const int a = add_body(SLOT_KINEMATIC, 0, vec3_of(0, 0, 0)),
              b = add_body(SLOT_DYNAMIC, 1, vec3_of(1, 0, 1));
    w.materials[a] = w.materials[b] = 1;
    contact_pair *pair = add_pair(a, b, vec3_of(0, 0, 1), 1);
    places_of(pair)[0] = (manifold_point){.position = vec3_of(2, 0, 0.5f)};
    w.velocities[b].angular = vec3_of(0, 4, 0);     /* the point moves at ω × r = (.., .., −4 × 1) */
    w.velocities[a].angular = vec3_of(0, -0.5f, 0); /* and the platform's at +0.5 × 2 */
    w.velocities[a].linear = vec3_of(0, 0, 0.25f);
    problem p = {0};
    assemble(&p, 0.01f);
    ASSERT_WITHIN(p.blocks[0].bias, 0.75 * (-4 - 1 - 0.25), 1e-5);
    problem_release(&p);
}

/* One normal contact without friction, mass m pressed by g: the contact equation m (v⁺ − v*) = r, v⁺ + b + γ
 * r = 0 must give the implicit Euler step of m v̇ = −m g − k c − d ċ, solved here directly. */
static void soft_is_the_implicit_spring_damper(void **state) {
    (void)state;
    const double m = 3, g = 9.81, h = 0.01, c = -0.004, k = 1e4, d = 50;
    for (int i = 0; i < 5; ++i) {
        const double v = -0.4 + 0.1 * i;
        scree_solver_def options = w.options;
        options = options_with(options, SCREE_STABILISATION_SOFT);
        const stabilisation soft = stabilisation_at(&options, (scalar)c, (scalar)v, 0, 0, (scalar)h);
        const double free = v - h * g;
        const double impulse = -(free + soft.bias) / (1 / m + soft.compliance);
        const double expected = (m * v - h * (m * g + k * c)) / (m + h * h * k + h * d);
        assert_true(impulse > 0);
        ASSERT_WITHIN(free + impulse / m, expected, 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(block_agrees_with_hand_calculation, set_up),
        cmocka_unit_test_setup(frames_are_orthonormal, set_up),
        cmocka_unit_test_setup(incidence_agrees_with_brute_force, set_up),
        cmocka_unit_test_setup(kinematic_group_is_equal_for_every_thread_count, set_up),
        cmocka_unit_test_setup(a_reused_problem_is_whole, set_up),
        cmocka_unit_test_setup(validation_detects_broken_invariants, set_up),
        cmocka_unit_test_setup(out_of_memory_is_reported, set_up),
        cmocka_unit_test_setup(each_scheme_has_its_bias, set_up),
        cmocka_unit_test_setup(restitution_sets_the_bias, set_up),
        cmocka_unit_test_setup(restitution_holds_under_acceleration, set_up),
        cmocka_unit_test_setup(restitution_includes_loads, set_up),
        cmocka_unit_test_setup(restitution_uses_the_point_velocity, set_up),
        cmocka_unit_test_setup(soft_is_the_implicit_spring_damper, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
