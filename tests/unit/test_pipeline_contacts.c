/* The pipeline `device` finds the contacts of the host, in every step: while bodies, joints, materials and
 * settings change between steps, and when the host searches in some steps. */
#include "box_pairs.h"
#include "children_pool.h"
#include "scenery.h"

#include "device/opencl/opencl_device.h"

#include "step/world.h"
#include "base/vector.h"
#include "random_vectors.h"

enum { STEPS = 220, MOST = 256 };

/* -- Worlds ----------------------------------------------------------------------------- */

static void add_wall(scree_world *world, scree_vec3 position, scree_quat rotation) {
    scree_body_def def = scree_default_body_def();
    def.type = SCREE_BODY_STATIC, def.shape = scree_shape_half_space();
    def.state.position = position, def.state.rotation = rotation;
    CHECK(scree_body_create(world, &def, NULL));
}

/* A floor, two walls and a plane that rises and turns. */
static void add_corner(scree_world *world) {
    const float half = sqrtf(0.5f);
    scree_body_def def = scree_default_body_def();
    add_slope(world, 0.05f);
    add_wall(world, (scree_vec3){0.5f, 0, 0}, (scree_quat){0, -half, 0, half});
    add_wall(world, (scree_vec3){0, 0.5f, 0}, (scree_quat){half, 0, 0, half});
    def.type = SCREE_BODY_KINEMATIC, def.shape = scree_shape_half_space();
    def.state.position = (scree_vec3){0, 0, -0.1f};
    def.state.linear_velocity = (scree_vec3){0, 0, 0.05f};
    def.state.angular_velocity = (scree_vec3){0.02f, 0, 0};
    CHECK(scree_body_create(world, &def, NULL));
}

static scree_world *balls(const scree_world_def *def) {
    scree_world *world = world_of(def);
    uint64_t seed = 2;
    add_corner(world);
    for (int i = 0; i < 90; i++)
        add_body(world, scree_shape_sphere((float)random_between(&seed, 0.03, 0.06)),
                 (scree_vec3){(float)(i % 5 - 2) * 0.13f, (float)(i / 5 % 5 - 2) * 0.13f,
                              0.08f + 0.14f * (float)(i / 25)},
                 (scree_vec3){(float)random_between(&seed, -1, 1), 0, -1});
    return world;
}

/* Boxes that a box sweeps away; some pass each other. */
static scree_world *boxes(const scree_world_def *def) {
    scree_world *world = world_of(def);
    scree_body_def plate = scree_default_body_def();
    add_corner(world);
    plate.type = SCREE_BODY_KINEMATIC, plate.shape = scree_shape_box(0.02f, 0.5f, 0.1f);
    plate.state.position = (scree_vec3){-0.5f, 0, 0.1f}, plate.state.linear_velocity.x = 0.5f;
    CHECK(scree_body_create(world, &plate, NULL));
    for (int i = 0; i < 45; i++)
        add_body(world, scree_shape_box(0.05f, 0.04f, 0.03f),
                 (scree_vec3){0.103f * (float)(i % 4 - 2), 0.083f * (float)(i / 4 % 4 - 2),
                              0.031f + 0.0605f * (float)(i / 16)},
                 (scree_vec3){0.3f * (float)(i / 16), 0, 0});
    return world;
}

static scree_shape clump_shape(scree_geometry **made) {
    const scree_clump_sphere spheres[] = {{{-0.03f, 0, 0}, 0.05f}, {{0.03f, 0, 0}, 0.05f}};
    CHECK(scree_clump_create(spheres, 2, made));
    return scree_shape_clump(*made, 1);
}

static scree_body_id add_clump(scree_world *world, scree_vec3 position) {
    scree_geometry *made;
    const scree_shape shape = clump_shape(&made);
    const scree_body_id id = add_body(world, shape, position, (scree_vec3){0});
    scree_geometry_release(made);
    return id;
}

/* Balls, boxes and a capsule, which the device cannot test without double precision. */
static scree_world *mixture(const scree_world_def *def) {
    scree_world *world = balls(def);
    for (int i = 0; i < 12; i++)
        add_body(world, scree_shape_box(0.05f, 0.04f, 0.03f),
                 (scree_vec3){0.12f * (float)(i % 4 - 2), 0.12f * (float)(i / 4 - 1), 0.8f}, (scree_vec3){0});
    add_body(world, scree_shape_capsule(0.04f, 0.05f), (scree_vec3){0, 0, 1}, (scree_vec3){0});
    return world;
}

/* -- Comparison ------------------------------------------------------------------------- */

/* Two worlds with the same calls, on the pipelines `host` and `device`. */
typedef struct both {
    scree_world *worlds[2];
    scree_world_def defs[2];
    scree_statistics s[2];
    int device_steps, host_steps; /* in which the device searched, and in which it could not */
    int late, regrown;
} both;

static both both_of(void **state, scree_world *(*make)(const scree_world_def *), scree_material_def material,
                    scree_stabilisation scheme) {
    both self = {.late = 0};
    for (int k = 0; k < 2; k++) {
        scree_world_def *def = &self.defs[k];
        *def = def_on(state);
        def->pipeline = k ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST;
        def->material = material;
        def->solver = scree_solver_def_with_stabilisation(def->solver, scheme);
        def->solver.method = SCREE_METHOD_PGS, def->solver.iterations = 4; /* few launches */
        self.worlds[k] = make(def);
    }
    return self;
}

static void both_release(both *self) {
    for (int k = 0; k < 2; k++) scree_world_destroy(self->worlds[k]);
}

/* The contacts that the searches of a step dropped, which its detection passes test. */
static void compare_skims(const both *self) {
    const skim_list *host = &self->worlds[0]->scratch.search.skims,
                    *device = &self->worlds[1]->scratch.search.skims;
    assert_int_equal(device->count, host->count);
    for (int i = 0; i < host->count; i++) {
        assert_int_equal(body_pair_order(device->items[i].pair, host->items[i].pair), 0);
        assert_int_equal(device->items[i].children, host->items[i].children);
    }
}

static void step_both(both *self) {
    for (int k = 0; k < 2; k++) CHECK(scree_world_step(self->worlds[k], &self->s[k]));
    const scree_statistics *host = &self->s[0], *device = &self->s[1];
    if (scree_world_get_hash(self->worlds[0]) != scree_world_get_hash(self->worlds[1]))
        fail_msg(
            "step %llu: %d pairs, %d contacts, %d late, %d hits on the host; %d, %d, %d, %d on the device",
            (unsigned long long)host->step, host->pairs, host->contacts, host->late, host->cache_hits,
            device->pairs, device->contacts, device->late, device->cache_hits);
    assert_int_equal(host->pairs, device->pairs);
    assert_int_equal(host->contacts, device->contacts);
    assert_int_equal(host->cache_hits, device->cache_hits);
    assert_int_equal(host->late, device->late);
    assert_null(host->contacts_barrier);
    assert_int_equal(host->stages[SCREE_STAGE_CONTACTS].device.launches, 0);
    assert_int_equal(device->stages[SCREE_STAGE_CONTACTS].device.launches > 0,
                     device->contacts_barrier == NULL);
    compare_skims(self);
    self->late += device->late, self->regrown += device->regrown;
    self->device_steps += !device->contacts_barrier, self->host_steps += device->contacts_barrier != NULL;
}

static void worlds_agree(void **state) {
    static const scree_stabilisation schemes[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_SUBSTEP};
    if (!device_has_native_bits()) skip();
    for (int k = 0; k < 2; k++)
        for (int kind = 0; kind < 2; kind++) {
            both pair = both_of(state, kind ? boxes : balls, scree_default_material_def(), schemes[k]);
            for (int i = 0; i < STEPS; i++) step_both(&pair);
            assert_int_equal(pair.device_steps, STEPS);
            assert_true(pair.s[1].contacts > 100 && pair.s[1].cache_hits > 50);
            both_release(&pair);
        }
}

/* The host searches, and the reason is reported. */
static void other_shapes_are_the_hosts(void **state) {
    if (!device_has_native_bits()) skip();
    opencl_test_hooks.without_double = true;
    both pair = both_of(state, mixture, scree_default_material_def(), SCREE_STABILISATION_SPLIT);
    for (int i = 0; i < STEPS; i++) step_both(&pair);
    opencl_test_hooks.without_double = false;
    assert_int_equal(pair.host_steps, STEPS);
    assert_non_null(strstr(pair.s[1].contacts_barrier, "shapes"));
    both_release(&pair);
}

/* A solid falls onto another solid, away from the balls. */
static scree_world *solids(const scree_world_def *def) {
    scree_world *world = balls(def);
    const scree_vec3 corners[] = {{0, 0, 0}, {0.1f, 0, 0}, {0, 0.1f, 0}, {0, 0, 0.1f}};
    const scree_triangle faces[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    scree_geometry *made;
    CHECK(scree_solid_create(corners, 4, faces, 4, &made));
    for (int i = 0; i < 2; i++)
        add_body(world, scree_shape_solid(made, 1), (scree_vec3){2, 2, 0.1f + 0.2f * (float)i},
                 (scree_vec3){0, 0, i ? -2 : 0});
    scree_geometry_release(made);
    return world;
}

/* The host reports the error. */
static void surfaces_that_meet_fail_alike(void **state) {
    char messages[2][512];
    if (!device_has_native_bits()) skip();
    both pair = both_of(state, solids, scree_default_material_def(), SCREE_STABILISATION_SPLIT);
    for (int k = 0; k < 2; k++) {
        int steps = 0;
        while (steps++ < 60 && scree_world_step(pair.worlds[k], &pair.s[k]) == SCREE_OK)
            assert_null(pair.s[k].contacts_barrier);
        snprintf(messages[k], sizeof messages[k], "%d: %s", steps, scree_error_get_message());
        assert_int_equal(scree_error_get_result(), SCREE_ERROR_UNSUPPORTED);
    }
    assert_string_equal(messages[0], messages[1]);
    assert_true(scree_world_get_hash(pair.worlds[0]) == scree_world_get_hash(pair.worlds[1]));
    both_release(&pair);
}

/* Rolling friction acts from the start, and balls rebound, which defers impacts. */
static void materials_agree(void **state) {
    scree_material_def material = scree_default_material_def();
    if (!device_has_native_bits()) skip();
    material.rolling_friction = 0.01f, material.spinning_friction = 0.005f, material.restitution = 0.6f;
    both pair = both_of(state, balls, material, SCREE_STABILISATION_SPLIT);
    for (int i = 0; i < STEPS; i++) step_both(&pair);
    assert_int_equal(pair.device_steps, STEPS);
    assert_true(pair.late > 0);
    both_release(&pair);
}

/* -- Changes between steps -------------------------------------------------------------- */

/* The bodies that live, by their numbers when the world was made. */
static scree_body_id body_at(const scree_world *world, int i) {
    scree_body_id ids[MOST];
    const int count = scree_body_list(world, ids, MOST);
    assert_true(count > i && count <= MOST);
    return ids[i];
}

static scree_body_def def_of(const scree_world *world, scree_body_id id) {
    scree_body_def def;
    CHECK(scree_body_get_def(world, id, &def));
    return def;
}

static void remove_some(scree_world *world) {
    for (int i = 10; i < 13; i++) CHECK(scree_body_destroy(world, body_at(world, i)));
}

/* The new bodies take over the slots of those that touched others. */
static void add_some(scree_world *world) {
    for (int i = 0; i < 5; i++) {
        scree_body_def def = def_of(world, body_at(world, 20));
        def.state.position.z += 0.15f * (float)(i + 1);
        CHECK(scree_body_create(world, &def, NULL));
    }
}

static void remove_and_add(scree_world *world) {
    const scree_body_id old = body_at(world, 15);
    const scree_body_def def = def_of(world, old);
    CHECK(scree_body_destroy(world, old));
    CHECK(scree_body_create(world, &def, NULL));
}

static void shrink(scree_world *world) {
    for (int i = 8; i < 40; i += 3) {
        scree_body_def def = def_of(world, body_at(world, i));
        def.shape.size.x *= 0.8f;
        CHECK(scree_body_set_def(world, body_at(world, i), &def));
    }
}

static void set_groups(scree_world *world) {
    for (int i = 8; i < 40; i++) {
        scree_body_def def = def_of(world, body_at(world, i));
        def.groups = 1u << i % 2, def.mask = i % 8 ? UINT32_MAX : 1;
        CHECK(scree_body_set_def(world, body_at(world, i), &def));
    }
}

static void reset_groups(scree_world *world) {
    for (int i = 8; i < 40; i++) {
        scree_body_def def = def_of(world, body_at(world, i));
        def.groups = 1, def.mask = UINT32_MAX;
        CHECK(scree_body_set_def(world, body_at(world, i), &def));
    }
}

static void displace(scree_world *world) {
    scree_body_state at = state_of(world, body_at(world, 9));
    at.position.z += 0.3f, at.linear_velocity = (scree_vec3){0, 0.2f, -1};
    CHECK(scree_body_set_state(world, body_at(world, 9), &at));
}

/* Velocities alone. */
static void strike(scree_world *world) {
    for (int i = 8; i < 20; i++)
        CHECK(scree_body_apply_impulse(world, body_at(world, i), (scree_vec3){0.1f, -0.05f, 0.2f}));
}

static void halve_time_step(scree_world *world) { CHECK(scree_world_set_time_step(world, 1 / 240.0)); }
static void restore_time_step(scree_world *world) { CHECK(scree_world_set_time_step(world, 1 / 120.0)); }

/* Joints keep bodies apart that touch. */
static void join(scree_world *world) {
    for (int i = 8; i < 24; i += 2) {
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_BALL);
        def.a = body_at(world, i), def.b = body_at(world, i + 1);
        def.anchor_a = (scree_vec3){0, 0, 0.01f}, def.anchor_b = (scree_vec3){0, 0, -0.01f};
        def.collide = false;
        CHECK(scree_joint_create(world, &def, NULL));
    }
}

static void part(scree_world *world) {
    scree_joint_id ids[16];
    const int count = scree_joint_list(world, ids, 16);
    for (int i = 0; i < count; i++) CHECK(scree_joint_destroy(world, ids[i]));
}

static void set_rolling(scree_world *world, float friction) {
    scree_material_def def;
    const scree_material_id first = {0};
    CHECK(scree_material_get_def(world, first, &def));
    def.rolling_friction = friction, def.density = friction > 0 ? 2000 : 1000;
    CHECK(scree_material_set_def(world, first, &def));
}
static void begin_rolling(scree_world *world) { set_rolling(world, 0.01f); }
static void end_rolling(scree_world *world) { set_rolling(world, 0); }

static void set_cohesion(scree_world *world, float force) {
    scree_material_def def;
    const scree_material_id first = {0};
    CHECK(scree_material_get_def(world, first, &def));
    def.cohesion = force;
    CHECK(scree_material_set_def(world, first, &def));
}
static void begin_cohesion(scree_world *world) { set_cohesion(world, 0.5f); }
static void end_cohesion(scree_world *world) { set_cohesion(world, 0); }

static void bring_clump(scree_world *world) { add_clump(world, (scree_vec3){0.2f, 0.2f, 0.5f}); }
static void take_clump(scree_world *world) {
    scree_body_id ids[MOST];
    const int count = scree_body_list(world, ids, MOST);
    for (int i = 0; i < count; i++)
        if (def_of(world, ids[i]).shape.kind == SCREE_SHAPE_CLUMP) CHECK(scree_body_destroy(world, ids[i]));
}

/* The device has then searched for contacts that the world never gets. */
static void fail_once(scree_world *world) {
    const uint64_t hash = scree_world_get_hash(world);
    CHECK(scree_world_set_limits(world, 0, 3));
    assert_int_equal(scree_world_step(world, NULL), SCREE_ERROR_CAPACITY);
    assert_non_null(strstr(scree_error_get_message(), "contact points: more than 3; "));
    assert_true(scree_world_get_hash(world) == hash);
    CHECK(scree_world_set_limits(world, 0, 0));
}

static void fail_and_strike(scree_world *world) {
    fail_once(world);
    strike(world);
}

/* The world goes back in time; the device holds contacts that it has not made yet. */
static void go_back(scree_world *world) {
    scree_world_snapshot *snapshot;
    CHECK(scree_world_snapshot_create(world, &snapshot));
    for (int i = 0; i < 3; i++) CHECK(scree_world_step(world, NULL));
    CHECK(scree_world_snapshot_restore(snapshot, world));
    scree_world_snapshot_destroy(snapshot);
}

static void use_substeps(scree_world *world) {
    CHECK(scree_world_set_solver(
        world, &(scree_solver_def[]){scree_solver_def_with_stabilisation(scree_world_get_def(world).solver,
                                                                         SCREE_STABILISATION_SUBSTEP)}[0]));
}

typedef struct change {
    void (*make)(scree_world *world);
    int host_steps; /* steps until the next change in which the host must search */
} change;

enum { BETWEEN = 9 }; /* steps */

static void changes_reach_the_device(void **state) {
    static const change changes[] = {
        {remove_some, 0},     {add_some, 0},          {remove_and_add, 0}, {shrink, 0},
        {set_groups, 0},      {reset_groups, 0},      {displace, 0},       {strike, 0},
        {halve_time_step, 0}, {restore_time_step, 0}, {join, 0},           {part, 0},
        {begin_rolling, 0},   {end_rolling, 0},       {begin_cohesion, 0}, {end_cohesion, 0},
        {bring_clump, 0},     {take_clump, 0},        {fail_once, 0},      {fail_and_strike, 0},
        {go_back, 0},         {use_substeps, 0}};
    const int count = (int)(sizeof changes / sizeof *changes);
    if (!device_has_native_bits()) skip();
    for (int kind = 0; kind < 2; kind++) {
        both pair =
            both_of(state, kind ? boxes : balls, scree_default_material_def(), SCREE_STABILISATION_SPLIT);
        for (int i = 0; i < 2 * BETWEEN; i++) step_both(&pair);
        for (int c = 0; c < count; c++) {
            const int before = pair.host_steps;
            for (int k = 0; k < 2; k++) changes[c].make(pair.worlds[k]);
            for (int i = 0; i < BETWEEN; i++) step_both(&pair);
            if (pair.host_steps - before != changes[c].host_steps)
                fail_msg("change %d: the host searched in %d steps", c, pair.host_steps - before);
        }
        both_release(&pair);
    }
}

static void checkpoints_go_on(void **state) {
    char path[512];
    if (!device_has_native_bits()) skip();
    snprintf(path, sizeof path, SCREE_BUILD_DIR "/pipeline_contacts.h5");
    both pair = both_of(state, boxes, scree_default_material_def(), SCREE_STABILISATION_SPLIT);
    for (int i = 0; i < 60; i++) step_both(&pair);
    for (int k = 0; k < 2; k++) {
        scree_world *restored = NULL;
        CHECK(scree_checkpoint_save(pair.worlds[k], path));
        CHECK(scree_checkpoint_load(path, &pair.defs[!k], &restored)); /* and the pipelines change places */
        remove(path);
        scree_world_destroy(pair.worlds[k]);
        pair.worlds[k] = restored;
    }
    scree_world *const host = pair.worlds[1];
    pair.worlds[1] = pair.worlds[0], pair.worlds[0] = host;
    for (int i = 0; i < STEPS - 60; i++) step_both(&pair);
    assert_int_equal(pair.device_steps, STEPS);
    both_release(&pair);
}

/* Balls on a floor, and four times as many that all land in one step. */
static scree_world *landing(const scree_world_def *def) {
    scree_world *world = world_of(def);
    add_slope(world, 0);
    for (int i = 0; i < 100; i++)
        add_body(world, scree_shape_sphere(0.05f),
                 (scree_vec3){0.15f * (float)(i % 10), 0.15f * (float)(i / 10), i % 5 ? 0.6f : 0.05f},
                 (scree_vec3){0, 0, i % 5 ? -2 : 0});
    return world;
}

/* Waits for the numbers of contacts, which come with those of the problem. */
static int count_waits(const scree_statistics *s) {
    return s->stages[SCREE_STAGE_CONTACTS].device.waits + s->stages[SCREE_STAGE_COLOURS].device.waits;
}

/* Nothing is dropped where the contacts exceed the capacities, which begin with 1. */
static void contacts_grow(void **state) {
    if (!device_has_native_bits()) skip();
    both pair = both_of(state, landing, scree_default_material_def(), SCREE_STABILISATION_SPLIT);
    bool doubled = false;
    int waits = 0;
    for (int i = 0, last = 0; i < STEPS; i++) {
        step_both(&pair);
        if (i == 0) assert_true(count_waits(&pair.s[1]) > 1 && pair.s[1].regrown > 0);
        doubled |= last > 10 && pair.s[1].contacts >= 2 * last;
        waits += count_waits(&pair.s[1]);
        last = pair.s[1].contacts;
    }
    assert_true(doubled && pair.s[1].contacts >= 100);
    assert_in_range(waits, STEPS + 2,
                    STEPS + 16); /* a search is repeated once for each growth; the graph grows, too */
    both_release(&pair);
}

/* Pairs of boxes that meet at up to a quarter of their size in a step, and a ball that strikes a row of
 * others: contacts close so fast that solves make several position passes. */
static scree_world *struck(const scree_world_def *def, uint64_t seed) {
    enum { PAIRS = 100, EDGE = 10, ROW = 10 };
    scree_world_def own = *def;
    body_array bodies = bodies_make(2 * PAIRS);
    own.period = (scree_vec3){12, 12, 0}, own.gravity = (scree_vec3){0};
    scree_world *world = world_of(&own);
    for (int i = 0; i < 2 * PAIRS; i++) {
        scree_body_def body = scree_default_body_def();
        if (i % 2 == 0) set_pair(&bodies, i, &seed, 0.1f, 0);
        const vec3s at = bodies.poses[i].position;
        const versors q = bodies.poses[i].rotation;
        body.type = bodies.types[i] == SLOT_STATIC ? SCREE_BODY_STATIC : SCREE_BODY_DYNAMIC;
        body.shape = bodies.shapes[i];
        body.state.position =
            (scree_vec3){at.x + (float)(i / 2 % EDGE) - 4.5f, at.y + (float)(i / 2 / EDGE) - 4.5f, at.z};
        body.state.rotation = (scree_quat){q.x, q.y, q.z, q.w};
        body.state.linear_velocity = vec3_out(bodies.velocities[i].linear);
        CHECK(scree_body_create(world, &body, NULL));
    }
    for (int i = 0; i < ROW; i++)
        add_body(world, scree_shape_sphere(0.05f), (scree_vec3){0.11f * (float)i - (i ? 0 : 1), 0, 3},
                 (scree_vec3){i ? 0 : 120, 0, 0});
    bodies_free(&bodies);
    return world;
}

/* Both pipelines have the bits of the native backend. */
static void fast_impacts_agree(void **state) {
    static const struct {
        uint64_t seed;
        float restitution;
    } worlds[] = {{2, 0}, {5, 0}, {2, 0.5f}, {5, 0.5f}};
    if (!device_has_native_bits()) skip();
    for (int number = 0; number < 4; number++) {
        uint64_t hash = 0;
        for (int k = 0; k < 3; k++) {
            scree_world_def def = def_on(state);
            scree_statistics s;
            if (k == 0) def.backend = SCREE_BACKEND_NATIVE;
            def.pipeline = k == 2 ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST;
            def.material.restitution = worlds[number].restitution;
            scree_world *world = struck(&def, worlds[number].seed);
            int late = 0;
            for (int i = 0; i < 3; i++, late += s.late) CHECK(scree_world_step(world, &s));
            assert_true(late > 0);
            if (k == 0) hash = scree_world_get_hash(world);
            if (scree_world_get_hash(world) != hash) fail_msg("world %d, run %d: another hash", number, k);
            scree_world_destroy(world);
        }
    }
}

/* A shape with a flat bottom at z = −0.25. */
static scree_shape upright(int which) {
    if (which == 0) return scree_shape_compound(compound_pool[CHILD_POOL - 1], 1);
    if (which == 1) return scree_shape_solid(solid_pool[0], 0.25f / 0.3f);
    return which == 2 ? scree_shape_box(0.2f, 0.1f, 0.25f) : scree_shape_cylinder(0.15f, 0.25f);
}

/* Bodies that glide over edges of others. `solids`: whether some of them are made of triangles. */
static scree_world *gliding(const scree_world_def *def, bool solids) {
    enum { PAIRS = 60 };
    static const float heights[] = {-2e-3f, -4e-4f, -1e-5f, 0, 1e-4f, 1e-3f};
    scree_world *world = world_of(def);
    uint64_t seed = 2;
    for (int i = 0; i < PAIRS; i++) {
        scree_body_def body = scree_default_body_def();
        const int below = random_below(&seed, 2), above = random_below(&seed, 4);
        const bool boxes = above == 1 && (below == 1 || !solids);
        const float x = (float)random_between(&seed, -0.8, 0.8), y = (float)random_between(&seed, -0.3, 0.3),
                    speed = (float)random_between(&seed, 1, 20);
        body.type = SCREE_BODY_STATIC, body.shape = upright(below);
        body.state.position = (scree_vec3){8 * (float)(i % 8), 8 * (float)(i / 8), 0};
        CHECK(scree_body_create(world, &body, NULL));
        add_body(world, upright(boxes ? 2 : above),
                 (scree_vec3){body.state.position.x + x, body.state.position.y + y,
                              0.5f + heights[random_below(&seed, 6)]},
                 (scree_vec3){-speed, y, 0});
    }
    return world;
}

/* Later stages find the dropped contacts of a search, whether its counts are known at once, as where two
 * bodies made of triangles might meet, or with the assembly. */
static void dropped_contacts_stay(void **state) {
    if (!device_has_native_bits() || !device_has_double()) skip();
    for (int solids = 0; solids < 2; solids++) {
        both pair = {.late = 0};
        for (int k = 0; k < 2; k++) {
            scree_world_def def = def_on(state);
            def.pipeline = k ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST;
            pair.worlds[k] = gliding(&def, solids);
        }
        for (int i = 0; i < 3; i++) {
            step_both(&pair);
            assert_true(pair.worlds[1]->scratch.search.skims.count > 20);
        }
        both_release(&pair);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("opencl", dropped_contacts_stay),
        ON("opencl", fast_impacts_agree),
        ON("opencl", worlds_agree),
        ON("opencl", other_shapes_are_the_hosts),
        ON("opencl", surfaces_that_meet_fail_alike),
        ON("opencl", materials_agree),
        ON("opencl", changes_reach_the_device),
        ON("opencl", checkpoints_go_on),
        ON("opencl", contacts_grow),
    };
    return cmocka_run_group_tests(tests, children_pool_make, children_pool_release);
}
