/* Bodies with restitution come to rest at every restitution speed, and impacts one after the other within a
 * step keep their order. */
#include "random.h"
#include "scenery.h"

enum { MOST = 160 };

/* Bodies of a scene. */
typedef struct heap {
    scree_world *world;
    scree_body_id ids[MOST];
    int count;
} heap;

static void add_grain(heap *self, scree_shape shape, scree_vec3 at) {
    self->ids[self->count++] = add_body(self->world, shape, at, (scree_vec3){0, 0, 0});
}

static double rms_speed(const heap *self) {
    double sum = 0;
    for (int i = 0; i < self->count; i++)
        sum += pow(length_of(state_of(self->world, self->ids[i]).linear_velocity), 2);
    return sqrt(sum / self->count);
}

/* Returns the largest RMS speed of the steps that follow `seconds`. */
static double speed_after(const heap *self, double seconds) {
    double most = 0;
    run_for(self->world, seconds);
    for (int i = 0; i < 20; i++) {
        CHECK(scree_world_step(self->world, NULL));
        most = fmax(most, rms_speed(self));
    }
    return most;
}

static scree_world_def bouncing(void **state, double restitution, double speed, double time_step) {
    scree_world_def def = def_on(state);
    def.time_step = time_step;
    def.speculative_distance = 5e-4f;
    def.material.friction = 0.5f;
    def.material.restitution = (float)restitution;
    def.solver.restitution_speed = (float)speed;
    return def;
}

/* Five balls of 1 cm fall on each other. */
static double column_speed(void **state, double restitution, double speed) {
    const float radius = 0.01f;
    const scree_world_def def = bouncing(state, restitution, speed, 0.002);
    heap column = {.world = world_of(&def)};
    add_slope(column.world, 0);
    for (int i = 0; i < 5; i++)
        add_grain(&column, scree_shape_sphere(radius),
                  (scree_vec3){0, 0, radius + 2.02f * radius * (float)i});
    const double out = speed_after(&column, restitution < 0.9 ? 1 : 3);
    scree_world_destroy(column.world);
    return out;
}

/* A cycle of two steps gave 0.06 m/s. */
static void columns_come_to_rest(void **state) {
    const double restitutions[] = {0.1, 0.5, 0.9}, speeds[] = {0, 0.05};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) ASSERT_AT_MOST(column_speed(state, restitutions[i], speeds[k]), 1e-5);
}

/* Adds the walls of a box open at the top, half as wide as `half`. */
static void add_walls(scree_world *world, float half) {
    const float root = sqrtf(0.5f);
    const struct {
        scree_vec3 at;
        scree_quat rotation;
    } walls[] = {{{-half, 0, 0}, {0, root, 0, root}},
                 {{half, 0, 0}, {0, -root, 0, root}},
                 {{0, -half, 0}, {-root, 0, 0, root}},
                 {{0, half, 0}, {root, 0, 0, root}}};
    scree_body_def def = scree_default_body_def();
    def.type = SCREE_BODY_STATIC;
    def.shape = scree_shape_half_space();
    for (int i = 0; i < 4; i++) {
        def.state.position = walls[i].at;
        def.state.rotation = walls[i].rotation;
        CHECK(scree_body_create(world, &def, NULL));
    }
}

/* Pours layers of 16 balls into a box. */
static heap bed_of(const scree_world_def *def, float radius, int layers) {
    heap bed = {.world = world_of(def)};
    uint64_t seed = 1;
    add_slope(bed.world, 0);
    add_walls(bed.world, 4.4f * radius);
    for (int i = 0; i < 16 * layers; i++) {
        const int column = i % 16;
        const float jitter = 0.05f * radius * (float)random_between(&seed, 0, 1);
        add_grain(&bed, scree_shape_sphere(radius),
                  (scree_vec3){2.1f * radius * ((float)(column % 4) - 1.5f) + jitter,
                               2.1f * radius * ((float)(column / 4) - 1.5f) - jitter,
                               radius * (1 + 2.1f * (float)(i / 16))});
    }
    return bed;
}

/* Such beds kept 0.1 to 0.3 m/s. */
static void beds_come_to_rest(void **state) {
    const double restitutions[] = {0.1, 0.5, 0.9};
    if (on_reference(state)) skip();
    for (int i = 0; i < 3; i++) {
        const scree_world_def def = bouncing(state, restitutions[i], 0, 0.002);
        heap bed = bed_of(&def, 0.01f, 6);
        ASSERT_AT_MOST(speed_after(&bed, 3), 1e-3);
        scree_world_destroy(bed.world);
    }
}

/* A platen presses grains of 1 mm with 10 kPa: it accelerates by half a metre per second in a step, and the
 * grains kept 2 m/s. */
static void pressed_beds_come_to_rest(void **state) {
    const float radius = 0.001f, half = 4.4f * radius;
    scree_world_def def = bouncing(state, 0.1, 0, 1e-4);
    def.speculative_distance = radius / 20;
    heap bed = bed_of(&def, radius, 6);
    scree_body_def platen = scree_default_body_def();
    platen.shape = scree_shape_box(0.98f * half, 0.98f * half, radius);
    platen.state.position.z = 15 * radius;
    platen.force.z = -1e4f * 4 * half * half;
    platen.locks =
        SCREE_LOCK_X | SCREE_LOCK_Y | SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z;
    CHECK(scree_body_create(bed.world, &platen, &bed.ids[bed.count++]));
    ASSERT_AT_MOST(speed_after(&bed, 0.3), 5e-3);
    scree_world_destroy(bed.world);
}

/* A ball that meets another on a table passes on (1 + e)/2 of its velocity: the weight
 * that presses both on the table does not damp the impact. */
static void loads_do_not_damp_impacts(void **state) {
    const float radius = 0.05f, speed = 0.3f, e = 0.95f;
    scree_world_def def = bouncing(state, (double)e, 0, 1.0 / 60);
    def.material.friction = 0;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    const scree_body_id struck = add_body(world, scree_shape_sphere(radius), (scree_vec3){0, 0, radius},
                                          (scree_vec3){0, 0, 0}),
                        cue = add_body(world, scree_shape_sphere(radius), (scree_vec3){-0.25f, 0, radius},
                                       (scree_vec3){speed, 0, 0});
    run_for(world, 1);
    ASSERT_NEAR((double)state_of(world, struck).linear_velocity.x, (double)(speed * (1 + e) / 2), 2e-3);
    ASSERT_NEAR((double)state_of(world, cue).linear_velocity.x, (double)(speed * (1 - e) / 2), 2e-3);
    scree_world_destroy(world);
}

/* Cubes that bounced at every load of their own weight toppled within three seconds. */
static void stacks_stand(void **state) {
    const scree_world_def def = bouncing(state, 0.1, 0, 1.0 / 240);
    heap stack = {.world = world_of(&def)};
    add_slope(stack.world, 0);
    for (int i = 0; i < 5; i++)
        add_grain(&stack, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.1f + 0.2f * (float)i});
    ASSERT_AT_MOST(speed_after(&stack, on_reference(state) ? 0.5 : 4), 1e-4);
    ASSERT_NEAR((double)state_of(stack.world, stack.ids[4]).position.z, 0.9, 1e-4);
    scree_world_destroy(stack.world);
}

/* How a rack of 15 billiard balls is set up; the physics does not depend on it. */
typedef struct rack_setup {
    double restitution_speed, angle, shift, jitter; /* m/s, rad, m, m */
    scree_preset preset;
} rack_setup;

/* Returns the velocity of the cue ball along its initial direction after it struck the rack at 8 m/s. */
static double cue_velocity(void **state, const rack_setup *of) {
    const double radius = 0.0286, spacing = 2 * radius + 1e-4, c = cos(of->angle), s = sin(of->angle);
    scree_world_def def = bouncing(state, 0.9, of->restitution_speed, 0.001);
    uint64_t seed = 7;
    def.gravity = (scree_vec3){0, 0, 0};
    def.speculative_distance = 1e-4f;
    def.material.friction = 0;
    def.solver = scree_solver_def_with_preset(def.solver, of->preset);
    def.solver.restitution_speed = (float)of->restitution_speed;
    scree_world *world = world_of(&def);
    scree_body_id cue = {0};
    for (int row = -1; row < 5; row++)
        for (int k = 0; k <= (row < 0 ? 0 : row); k++) {
            const double x = row < 0 ? -0.2 : row * spacing * sqrt(3) / 2,
                         y = row < 0 ? 0 : (k - row / 2.0) * spacing,
                         noise = of->jitter * random_noise(&seed);
            const float speed = row < 0 ? 8 : 0;
            const scree_vec3 at = {(float)(c * x - s * y + of->shift + noise), (float)(s * x + c * y - noise),
                                   0};
            const scree_body_id id = add_body(world, scree_shape_sphere((float)radius), at,
                                              (scree_vec3){speed * (float)c, speed * (float)s, 0});
            if (row < 0) cue = id;
        }
    run_for(world, 0.05);
    const scree_vec3 v = state_of(world, cue).linear_velocity;
    scree_world_destroy(world);
    return c * (double)v.x + s * (double)v.y;
}

/* The impacts taken one after the other, in the limit of small steps, send the cue ball back at 0.99 m/s.
 * Equal racks gave −0.97 to −4.6 m/s. On the reference, 15 of 40 racks that are turned and shifted still do;
 * on native none does. */
static void a_rack_does_not_depend_on_rounding(void **state) {
    const rack_setup setups[] = {{.preset = SCREE_PRESET_BALANCED},
                                 {.preset = SCREE_PRESET_ACCURATE},
                                 {.preset = SCREE_PRESET_BALANCED, .jitter = 1e-7},
                                 {.preset = SCREE_PRESET_ACCURATE, .jitter = 1e-7},
                                 {.preset = SCREE_PRESET_BALANCED, .angle = 0.3, .shift = 0.3},
                                 {.preset = SCREE_PRESET_ACCURATE, .angle = 0.6, .shift = 0.6},
                                 {.preset = SCREE_PRESET_BALANCED, .restitution_speed = 0.001},
                                 {.preset = SCREE_PRESET_BALANCED, .restitution_speed = 0.5}};
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++)
        if (!on_reference(state) || setups[i].angle == 0)
            ASSERT_NEAR(cue_velocity(state, &setups[i]), -0.972, 0.01);
    ASSERT_NEAR(cue_velocity(state, &setups[0]), -0.99, 0.03);
}

/* 343 smooth elastic balls in a cube keep their energy, although several meet in a step. */
static void an_elastic_gas_keeps_its_energy(void **state) {
    scree_world_def def = bouncing(state, 1, 0, 0.002);
    uint64_t seed = 3;
    scree_statistics first, last = {0};
    if (on_reference(state)) skip();
    def.gravity = (scree_vec3){0, 0, 0};
    def.material.friction = 0;
    scree_world *world = world_of(&def);
    scree_body_def wall = scree_default_body_def();
    wall.type = SCREE_BODY_STATIC;
    wall.shape = scree_shape_half_space();
    wall.state.position.z = -1;
    CHECK(scree_body_create(world, &wall, NULL));
    wall.state.position.z = 1;
    wall.state.rotation = (scree_quat){1, 0, 0, 0};
    CHECK(scree_body_create(world, &wall, NULL));
    add_walls(world, 1);
    for (int i = 0; i < 343; i++) {
        const scree_vec3 at = {0.27f * (float)(i % 7 - 3), 0.27f * (float)(i / 7 % 7 - 3),
                               0.27f * (float)(i / 49 - 3)};
        scree_vec3 v;
        v.x = 2 * (float)random_noise(&seed);
        v.y = 2 * (float)random_noise(&seed);
        v.z = 2 * (float)random_noise(&seed);
        add_body(world, scree_shape_sphere(0.05f), at, v);
    }
    CHECK(scree_world_step(world, &first));
    for (int i = 0; i < 1000; i++) CHECK(scree_world_step(world, &last));
    ASSERT_NEAR(last.kinetic_energy / first.kinetic_energy, 1, 3e-4);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", columns_come_to_rest),
        ON("native", beds_come_to_rest),
        ON("native", pressed_beds_come_to_rest),
        ON_EACH_BACKEND(loads_do_not_damp_impacts),
        ON_EACH_BACKEND(stacks_stand),
        ON_EACH_BACKEND(a_rack_does_not_depend_on_rounding),
        ON("native", an_elastic_gas_keeps_its_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
