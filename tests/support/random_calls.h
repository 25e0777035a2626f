/* Random calls on two worlds, which are the same but for their pipelines: bodies, materials, joints,
 * settings, snapshots and checkpoints change between steps. */
#pragma once

#include "scenery.h"

#include "device/opencl/opencl_device.h"
#include "children_pool.h"
#include "step/world.h"

#include <unistd.h>

enum {
    MOST = 160,  /* bodies of a world, at any time */
    TRAIL = 2000 /* characters */
};
static const float CELL = 0.8f; /* period of a periodic world, m */

/* -- Two worlds ------------------------------------------------------------------------- */

/* Two worlds with the same calls, on the pipelines `host` and `device`. */
typedef struct both {
    scree_world *worlds[2];
    scree_world_def defs[2];
    scree_world_snapshot *snapshots[2];
    scree_statistics s[2];
    uint64_t seed, begun; /* of the calls; at the start */
    int step, stayed;     /* stayed: steps in which the device searched */
    char trail[TRAIL];    /* the calls so far */
} both;

/* Fails with the calls that led here, to be repeated with SCREE_TEST_SEED. */
#define AGREE(self, condition, what)                                                                         \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            fail_msg("seed %llu, step %d: %s differs; calls:%s", (unsigned long long)(self)->begun,          \
                     (self)->step, what, (self)->trail);                                                     \
    } while (0)

static void note(both *self, const char *name) {
    char more[64];
    const int length = snprintf(more, sizeof more, " %d:%s", self->step, name);
    const size_t used = strlen(self->trail);
    if (used + (size_t)length < TRAIL) memcpy(self->trail + used, more, (size_t)length + 1);
}

/* The lists of ids of a world, which both worlds share but for the worlds' numbers. */
static int ids_of(const scree_world *world, scree_body_id *ids) {
    const int count = scree_body_list(world, ids, MOST);
    assert_true(count <= MOST);
    return count;
}

static scree_body_id any_body(const scree_world *world, uint64_t *seed) {
    scree_body_id ids[MOST];
    const int count = ids_of(world, ids);
    return count ? ids[random_below(seed, count)] : (scree_body_id){0};
}

static scree_body_def def_of(const scree_world *world, scree_body_id id) {
    scree_body_def def;
    CHECK(scree_body_get_def(world, id, &def));
    return def;
}

/* -- Worlds ----------------------------------------------------------------------------- */

/* Worlds whose seeds begin here have clumps (even seeds), and compounds (odd), and two of three have meshes
 * and solids. */
enum { WITH_CHILDREN = 1000 };

/* `flavour`: 0: balls; 1: boxes; 2: both; 3: all kinds without children; more: with children. */
static scree_shape any_shape(uint64_t *seed, int flavour) {
    const vec3s size = random_vector(seed, 0.04, 0.09);
    const int hull = random_below(seed, POOL);
    if (flavour > 3 && random_below(seed, 2))
        return children_shape(seed, flavour == 4 ? SCREE_SHAPE_CLUMP : SCREE_SHAPE_COMPOUND, 0.06, 0.15);
    if (flavour > 3) flavour = flavour == 4 ? 2 : 3;
    switch (flavour < 2 ? flavour : random_below(seed, flavour == 2 ? 2 : 6)) {
    case 0:
        return scree_shape_sphere(size.x);
    case 1:
        return scree_shape_box(size.x, size.y, size.z);
    case 2:
        return scree_shape_capsule(size.x, size.y);
    case 3:
        return scree_shape_cylinder(size.x, size.y);
    case 4:
        return scree_shape_cone(size.x, size.y);
    default:
        return scree_shape_hull(hull_pool[hull], size.x);
    }
}

static scree_vec3 vector(uint64_t *seed, double size) {
    const vec3s at = random_vector(seed, -size, size);
    return (scree_vec3){at.x, at.y, at.z};
}

static scree_body_def any_def(uint64_t *seed, int flavour) {
    scree_body_def def = scree_default_body_def();
    def.shape = any_shape(seed, flavour);
    def.state.position = vector(seed, 0.35);
    def.state.position.z += 0.5f;
    def.state.linear_velocity = vector(seed, 1);
    def.state.angular_velocity = vector(seed, 3);
    if (random_below(seed, 3) == 0) {
        const versors q = random_rotation(seed);
        def.state.rotation = (scree_quat){q.x, q.y, q.z, q.w};
    }
    return def;
}

static void add_plane(scree_world *world, scree_vec3 at, scree_quat rotation, scree_vec3 velocity) {
    scree_body_def def = scree_default_body_def();
    def.shape = scree_shape_half_space();
    def.type = length_of(velocity) > 0 ? SCREE_BODY_KINEMATIC : SCREE_BODY_STATIC;
    def.state.position = at, def.state.rotation = rotation, def.state.linear_velocity = velocity;
    CHECK(scree_body_create(world, &def, NULL));
}

/* A floor, which may rise, and four walls. */
static void add_bin(scree_world *world, uint64_t *seed) {
    const float half = sqrtf(0.5f);
    const scree_vec3 rise = {0, 0, random_below(seed, 2) ? 0.1f : 0};
    add_plane(world, (scree_vec3){0}, (scree_quat){0, 0, 0, 1}, rise);
    add_plane(world, (scree_vec3){0.4f, 0, 0}, (scree_quat){0, -half, 0, half}, (scree_vec3){0});
    add_plane(world, (scree_vec3){-0.4f, 0, 0}, (scree_quat){0, half, 0, half}, (scree_vec3){0});
    add_plane(world, (scree_vec3){0, 0.4f, 0}, (scree_quat){half, 0, 0, half}, (scree_vec3){0});
    add_plane(world, (scree_vec3){0, -0.4f, 0}, (scree_quat){-half, 0, 0, half}, (scree_vec3){0});
}

static int flavour_of(uint64_t begun) { return (int)(begun >= WITH_CHILDREN ? 4 + begun % 2 : begun % 4); }

/* A rough field or steps, and a block, which moves in some worlds. */
static void add_surfaces(scree_world *world, uint64_t *seed) {
    scree_body_def def = scree_default_body_def();
    const bool moves = random_below(seed, 2);
    def.type = moves ? SCREE_BODY_KINEMATIC : SCREE_BODY_STATIC;
    def.shape = scree_shape_mesh(mesh_pool[random_below(seed, CHILD_POOL - 1)], 0.8f);
    def.state.position.z = 0.15f;
    if (moves) def.state.linear_velocity = vector(seed, 0.1);
    CHECK(scree_body_create(world, &def, NULL));
    def.shape = scree_shape_solid(solid_pool[random_below(seed, 2)], 0.3f);
    def.state.position = vector(seed, 0.2), def.state.position.z += 0.4f;
    def.state.linear_velocity = moves ? vector(seed, 0.3) : (scree_vec3){0};
    CHECK(scree_body_create(world, &def, NULL));
}

/* A floor, or a box as long as the period, which joins its images, under a cell without walls. */
static void add_ground(scree_world *world, uint64_t *seed) {
    scree_body_def def = scree_default_body_def();
    def.type = SCREE_BODY_STATIC, def.shape = scree_shape_box(CELL / 2, CELL / 2, 0.02f);
    if (random_below(seed, 2))
        CHECK(scree_body_create(world, &def, NULL));
    else
        add_plane(world, (scree_vec3){0}, (scree_quat){0, 0, 0, 1}, (scree_vec3){0});
}

/* Worlds with a period have one along x and y, and no walls. */
static scree_world *world_with(const scree_world_def *def, uint64_t begun) {
    scree_world *world = world_of(def);
    uint64_t seed = begun;
    const int bodies = begun % 7 == 5 ? 0 : 10 + random_below(&seed, begun % 9 == 8 ? 130 : 40);
    if (bodies > 0 && def->period.x > 0)
        add_ground(world, &seed);
    else if (bodies > 0)
        add_bin(world, &seed);
    if (bodies > 0 && begun >= WITH_CHILDREN && begun % 3 != 2) add_surfaces(world, &seed);
    for (int i = 0; i < bodies; i++) {
        const scree_body_def body = any_def(&seed, flavour_of(begun));
        CHECK(scree_body_create(world, &body, NULL));
    }
    return world;
}

/* -- Calls ------------------------------------------------------------------------------ */

/* A call on one of both worlds, which draws the same numbers for each. */
typedef void call(both *self, int k, uint64_t *seed);

static void add_some(both *self, int k, uint64_t *seed) {
    const int count = 1 + random_below(seed, 6);
    for (int i = 0; i < count && scree_body_count(self->worlds[k]) < MOST - 10; i++) {
        const scree_body_def def = any_def(seed, flavour_of(self->begun));
        CHECK(scree_body_create(self->worlds[k], &def, NULL));
    }
}

static void remove_some(both *self, int k, uint64_t *seed) {
    const int count = 1 + random_below(seed, 4);
    for (int i = 0; i < count && scree_body_count(self->worlds[k]) > 0; i++)
        CHECK(scree_body_destroy(self->worlds[k], any_body(self->worlds[k], seed)));
}

static void remove_all(both *self, int k, uint64_t *seed) {
    scree_body_id ids[MOST];
    const int count = ids_of(self->worlds[k], ids);
    if (random_below(seed, 4)) return; /* one call in four */
    for (int i = 0; i < count; i++) CHECK(scree_body_destroy(self->worlds[k], ids[i]));
}

/* Changes dynamic bodies alone: others may belong to a kinematic group. */
static void replace(both *self, int k, uint64_t *seed) {
    scree_world *world = self->worlds[k];
    const scree_body_id id = any_body(world, seed);
    const scree_shape shape = any_shape(seed, flavour_of(self->begun));
    const int which = random_below(seed, 5);
    if (!id.index) return;
    scree_body_def def = def_of(world, id);
    if (def.type != SCREE_BODY_DYNAMIC) return;
    if (which == 0) def.shape = shape;
    if (which == 1) def.type = SCREE_BODY_STATIC;
    if (which == 2) def.type = SCREE_BODY_KINEMATIC;
    if (which == 3) def.mass = 0.3f;
    if (def.type != SCREE_BODY_DYNAMIC) def.force = (scree_vec3){0}, def.mass = 0;
    if (which == 4) def.groups = 2, def.mask = 3;
    CHECK(scree_body_set_def(world, id, &def));
}

static void drag(both *self, int k, uint64_t *seed) {
    scree_world *world = self->worlds[k];
    const scree_body_id id = any_body(world, seed);
    const scree_vec3 by = vector(seed, 0.5);
    if (!id.index) return;
    scree_body_def def = def_of(world, id);
    if (def.type == SCREE_BODY_DYNAMIC) return;
    def.surface_velocity = by;
    CHECK(scree_body_set_def(world, id, &def));
}

static void displace(both *self, int k, uint64_t *seed) {
    const scree_body_id id = any_body(self->worlds[k], seed);
    const scree_vec3 by = vector(seed, 0.1), speed = vector(seed, 2);
    if (!id.index || def_of(self->worlds[k], id).type != SCREE_BODY_DYNAMIC) return;
    scree_body_state at = state_of(self->worlds[k], id);
    at.position.x += by.x, at.position.y += by.y, at.linear_velocity = speed;
    CHECK(scree_body_set_state(self->worlds[k], id, &at));
}

/* Bodies that stray from their boxes meet others late. */
static void strike_all(both *self, int k, uint64_t *seed) {
    scree_body_id ids[MOST];
    const int count = ids_of(self->worlds[k], ids);
    const double speed = random_between(seed, 1, 8);
    for (int i = 0; i < count; i++) {
        const scree_vec3 by = vector(seed, speed);
        scree_body_state at = state_of(self->worlds[k], ids[i]);
        if (def_of(self->worlds[k], ids[i]).type != SCREE_BODY_DYNAMIC) continue;
        at.linear_velocity = by, at.angular_velocity = by;
        CHECK(scree_body_set_state(self->worlds[k], ids[i], &at));
    }
}

static void push(both *self, int k, uint64_t *seed) {
    for (int i = 0; i < 5; i++) {
        const scree_body_id id = any_body(self->worlds[k], seed);
        const scree_vec3 by = vector(seed, i ? 1 : 20);
        if (!id.index || def_of(self->worlds[k], id).type != SCREE_BODY_DYNAMIC) continue;
        if (i % 3 == 0) CHECK(scree_body_apply_impulse(self->worlds[k], id, by));
        if (i % 3 == 1) CHECK(scree_body_apply_force(self->worlds[k], id, by));
        if (i % 3 == 2) CHECK(scree_body_set_loads(self->worlds[k], id, by, (scree_vec3){0}));
    }
}

static scree_material_id any_material(const scree_world *world, uint64_t *seed) {
    scree_material_id ids[64];
    const int count = scree_material_list(world, ids, 64);
    return ids[random_below(seed, count < 64 ? count : 64)];
}

static void change_material(both *self, int k, uint64_t *seed) {
    scree_material_def def = scree_default_material_def();
    const scree_material_id id = any_material(self->worlds[k], seed);
    const int which = random_below(seed, 8);
    def.friction = (float)random_between(seed, 0, 1);
    if (which == 0) def.restitution = 0.5f;
    if (which == 1) def.cohesion = 0.3f;
    if (which == 2 || which == 3) def.rolling_friction = 0.01f, def.spinning_friction = 0.003f;
    if (which == 4) def.density = 300;
    if (which == 5) def.stiffness = 1e5f, def.damping = 10;
    CHECK(scree_material_set_def(self->worlds[k], id, &def));
}

static void add_materials(both *self, int k, uint64_t *seed) {
    scree_world *world = self->worlds[k];
    const int count = random_below(seed, 4) ? 2 : 32;
    for (int i = 0; i < count && scree_material_count(world) < 60; i++) {
        scree_material_def def = scree_default_material_def();
        scree_material_id id;
        def.friction = (float)random_between(seed, 0, 1);
        if (random_below(seed, 4) == 0) def.rolling_friction = 0.01f;
        CHECK(scree_material_create(world, &def, &id));
        const scree_body_id body = any_body(world, seed);
        if (!body.index) continue;
        scree_body_def of = def_of(world, body);
        of.material = id;
        CHECK(scree_body_set_def(world, body, &of));
    }
}

static void set_pair(both *self, int k, uint64_t *seed) {
    scree_world *world = self->worlds[k];
    scree_material_pair_def def = scree_default_material_pair_def();
    const scree_material_id a = any_material(world, seed), b = any_material(world, seed);
    const int which = random_below(seed, 6);
    def.friction = (float)random_between(seed, 0, 1);
    if (which == 0) def.restitution = 0.4f;
    if (which == 1) def.rolling_friction = 0.01f;
    if (which == 2) def.cohesion = 0.2f;
    CHECK(which > 3 ? scree_material_clear_pair(world, a, b) : scree_material_set_pair(world, a, b, &def));
}

/* Those that no body uses. */
static void remove_materials(both *self, int k, uint64_t *seed) {
    scree_world *world = self->worlds[k];
    for (int i = 0; i < 8; i++) (void)scree_material_destroy(world, any_material(world, seed));
}

static void set_solver(both *self, int k, uint64_t *seed) {
    scree_solver_def def = scree_world_get_def(self->worlds[k]).solver;
    const int which = random_below(seed, 10), value = random_below(seed, 12);
    if (which == 0) def.method = (scree_method)(value % SCREE_METHOD_COUNT);
    if (which == 1) def.law = (scree_law)(value % SCREE_LAW_COUNT);
    if (which == 2) def.warm_start = value % 2;
    if (which == 3) def.colours = (int[]){1, 2, 3, 32}[value % 4];
    if (which == 4) def.iterations = 1 + 3 * value;
    if (which == 5) def.check_every = 1 + value;
    if (which == 6) def.reduction = value % 2 ? 1 : 0.05f, def.violation_tolerance = value % 3 ? 0.1f : 0;
    if (which == 7) def.local_sweeps = 1 + value % 3;
    if (which > 7)
        def = scree_solver_def_with_stabilisation(def,
                                                  (scree_stabilisation)(value % SCREE_STABILISATION_COUNT));
    if (def.stabilisation == SCREE_STABILISATION_SUBSTEP) def.substep.substeps = 2;
    CHECK(scree_world_set_solver(self->worlds[k], &def));
}

/* Most steps have the default scheme, whose contacts stay. */
static void restore_solver(both *self, int k, uint64_t *seed) {
    scree_solver_def def = scree_default_solver_def();
    def.iterations = 6 + random_below(seed, 10);
    CHECK(scree_world_set_solver(self->worlds[k], &def));
}

static void restore_materials(both *self, int k, uint64_t *seed) {
    scree_material_id ids[64];
    const int count = scree_material_list(self->worlds[k], ids, 64);
    const scree_material_def def = scree_default_material_def();
    (void)seed;
    for (int i = 0; i < count && i < 64; i++) CHECK(scree_material_set_def(self->worlds[k], ids[i], &def));
}

static void set_time_step(both *self, int k, uint64_t *seed) {
    const double steps[] = {1 / 120.0, 1 / 240.0, 1 / 60.0};
    CHECK(scree_world_set_time_step(self->worlds[k], steps[random_below(seed, 3)]));
}

static void set_gravity(both *self, int k, uint64_t *seed) {
    scree_vec3 g = vector(seed, 3);
    g.z -= 9;
    CHECK(scree_world_set_gravity(self->worlds[k], g));
}

static void take_snapshot(both *self, int k, uint64_t *seed) {
    (void)seed;
    scree_world_snapshot_destroy(self->snapshots[k]);
    CHECK(scree_world_snapshot_create(self->worlds[k], &self->snapshots[k]));
}

static void go_back(both *self, int k, uint64_t *seed) {
    (void)seed;
    if (self->snapshots[k]) CHECK(scree_world_snapshot_restore(self->snapshots[k], self->worlds[k]));
}

static void forget_snapshot(both *self) {
    for (int k = 0; k < 2; k++) scree_world_snapshot_destroy(self->snapshots[k]), self->snapshots[k] = NULL;
}

static void clone(both *self, int k, uint64_t *seed) {
    scree_world *made = NULL;
    (void)seed;
    CHECK(scree_world_clone(self->worlds[k], &made));
    scree_world_destroy(self->worlds[k]);
    self->worlds[k] = made;
}

static void save_and_load(both *self, int k, uint64_t *seed) {
    char path[512];
    scree_world *made = NULL;
    (void)seed;
    snprintf(path, sizeof path, SCREE_BUILD_DIR "/pipeline_stay_%d.h5", (int)getpid());
    CHECK(scree_checkpoint_save(self->worlds[k], path));
    CHECK(scree_checkpoint_load(path, &self->defs[k], &made));
    remove(path);
    scree_world_destroy(self->worlds[k]);
    self->worlds[k] = made;
}

/* The reference takes seconds to solve more contacts. */
static void set_verify(both *self, int k, uint64_t *seed) {
    const bool few = self->s[0].contacts < 12;
    CHECK(scree_world_set_verify(self->worlds[k], few && random_below(seed, 4) ? 1 : 0));
}

static void set_events(both *self, int k, uint64_t *seed) {
    CHECK(scree_world_set_contact_events(self->worlds[k], random_below(seed, 2)));
}

static scree_result ask_for_work(const scree_world *world, void *user, bool *needs_work) {
    (void)user;
    *needs_work = scree_world_step_count(world) / 4 % 2;
    return SCREE_OK;
}

/* Every other four steps compute the work of the contacts, so their contacts do not stay. */
static void watch(both *self, int k, uint64_t *seed) {
    const scree_observer observer = {.name = "work", .user = self, .begin = ask_for_work};
    (void)seed;
    if (!scree_world_find_observer(self->worlds[k], "work"))
        CHECK(scree_world_add_observer(self->worlds[k], &observer));
}

static void join(both *self, int k, uint64_t *seed) {
    scree_world *world = self->worlds[k];
    for (int i = 0; i < 3; i++) {
        const scree_joint_kind kinds[] = {SCREE_JOINT_BALL, SCREE_JOINT_HINGE, SCREE_JOINT_SLIDER,
                                          SCREE_JOINT_FIXED};
        scree_joint_def def = scree_default_joint_def(kinds[random_below(seed, 4)]);
        def.a = any_body(world, seed), def.b = any_body(world, seed);
        def.anchor_a = vector(seed, 0.05), def.anchor_b = vector(seed, 0.05);
        def.collide = random_below(seed, 2);
        if (def.a.index == def.b.index || !def.a.index) continue;
        if (def_of(world, def.a).type != SCREE_BODY_DYNAMIC &&
            def_of(world, def.b).type != SCREE_BODY_DYNAMIC)
            continue;
        CHECK(scree_joint_create(world, &def, NULL));
    }
}

static void part(both *self, int k, uint64_t *seed) {
    scree_joint_id ids[64];
    const int count = scree_joint_list(self->worlds[k], ids, 64);
    (void)seed;
    for (int i = 0; i < count && i < 64; i++) CHECK(scree_joint_destroy(self->worlds[k], ids[i]));
}

static void move_group(both *self, int k, uint64_t *seed) {
    scree_world *world = self->worlds[k];
    scree_body_def def = any_def(seed, flavour_of(self->begun));
    scree_kinematic_group_def group = scree_default_kinematic_group_def();
    scree_motion_def motion = scree_default_motion_def(SCREE_MOTION_LINEAR);
    scree_kinematic_group_id old[8];
    const int count = scree_kinematic_group_list(world, old, 8);
    if (count > 0) {
        for (int i = 0; i < count; i++) CHECK(scree_kinematic_group_destroy(world, old[i]));
        return;
    }
    if (scree_body_count(world) > MOST - 10) return;
    scree_body_id id;
    def.type = SCREE_BODY_KINEMATIC;
    CHECK(scree_body_create(world, &def, &id));
    motion.velocity = vector(seed, 0.4);
    group.bodies = &id, group.body_count = 1, group.motions = &motion, group.motion_count = 1;
    CHECK(scree_kinematic_group_create(world, &group, NULL));
}

static void drain(both *self, int k, uint64_t *seed) {
    scree_outlet_def def = scree_default_outlet_def();
    scree_flow_id old[8];
    const int count = scree_flow_list(self->worlds[k], old, 8);
    (void)seed;
    for (int i = 0; i < count; i++) CHECK(scree_flow_destroy(self->worlds[k], old[i]));
    if (count > 0) return;
    def.outside = true;
    CHECK(scree_outlet_create(self->worlds[k], &def, NULL));
}

typedef struct named_call {
    const char *name;
    call *make;
} named_call;

#define NAMED(name)                                                                                          \
    { #name, name }
static const named_call calls[] = {NAMED(add_some),
                                   NAMED(add_some),
                                   NAMED(remove_some),
                                   NAMED(remove_all),
                                   NAMED(replace),
                                   NAMED(replace),
                                   NAMED(drag),
                                   NAMED(displace),
                                   NAMED(push),
                                   NAMED(push),
                                   NAMED(push),
                                   NAMED(change_material),
                                   NAMED(add_materials),
                                   NAMED(restore_materials),
                                   NAMED(set_solver),
                                   NAMED(set_solver),
                                   NAMED(restore_solver),
                                   NAMED(restore_solver),
                                   NAMED(restore_materials),
                                   NAMED(set_time_step),
                                   NAMED(set_gravity),
                                   NAMED(take_snapshot),
                                   NAMED(go_back),
                                   NAMED(clone),
                                   NAMED(save_and_load),
                                   NAMED(set_verify),
                                   NAMED(set_events),
                                   NAMED(join),
                                   NAMED(part),
                                   NAMED(part),
                                   NAMED(move_group),
                                   NAMED(move_group),
                                   NAMED(drain),
                                   NAMED(set_pair),
                                   NAMED(remove_materials),
                                   NAMED(strike_all),
                                   NAMED(strike_all),
                                   NAMED(watch)};

/* Makes the same random call on both worlds. */
static void call_both(both *self) {
    const named_call *some = &calls[random_below(&self->seed, (int)(sizeof calls / sizeof *calls))];
    const uint64_t before = random_bits(&self->seed);
    note(self, some->name);
    for (int k = 0; k < 2; k++) {
        uint64_t seed = before;
        some->make(self, k, &seed);
    }
    if (some->make == clone || some->make == save_and_load) forget_snapshot(self); /* of the old worlds */
}
