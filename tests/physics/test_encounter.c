/* Fast convex bodies: those that pass each other keep their velocities, and those that meet do not pass
 * through each other. The separation is known from support functions in double precision. */
#include "base/vector.h"
#include "convex_geometry.h"
#include "random_vectors.h"
#include "scenery.h"

enum { KINDS = 7, PASSES = 1000, HITS = 100 };
static const float size = 0.1f; /* half width of all shapes, m */
static const double step = 0.01;

static scree_geometry *hull_of_points(uint64_t *seed) {
    scree_vec3 corners[12];
    scree_geometry *made = NULL;
    for (int i = 0; i < 12; i++) {
        const vec3s at = glms_vec3_scale(random_direction(seed), (scalar)random_between(seed, 0.1, 0.15));
        corners[i] = (scree_vec3){at.x, at.y, at.z};
    }
    CHECK(scree_hull_create(corners, 12, &made));
    return made;
}

static void make_shapes(scree_geometry *hull, scree_shape shapes[KINDS]) {
    shapes[0] = scree_shape_sphere(size);
    shapes[1] = scree_shape_box(size, 1.4f * size, 1.2f * size);
    shapes[2] = scree_shape_capsule(size, 0.8f * size);
    shapes[3] = scree_shape_cylinder(size, 1.3f * size);
    shapes[4] = scree_shape_ellipsoid(size, 1.5f * size, 1.2f * size);
    shapes[5] = scree_shape_cone(1.4f * size, 4 * size);
    shapes[6] = scree_shape_hull(hull, 1);
}

static double width_along(scree_shape shape, versors rotation, vec3s n) {
    const solid body = solid_of(shape, (body_pose){.rotation = rotation});
    return solid_width(&body, (double[3]){(double)n.x, (double)n.y, (double)n.z});
}

/* One of two bodies that meet. */
typedef struct flyer {
    scree_shape shape;
    versors rotation;
    vec3s position, velocity;
} flyer;

static scree_body_id add_flyer(scree_world *world, const flyer *of) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = of->shape;
    def.state.rotation = (scree_quat){of->rotation.x, of->rotation.y, of->rotation.z, of->rotation.w};
    def.state.position = vec3_out(of->position);
    def.state.linear_velocity = vec3_out(of->velocity);
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* Makes a step with two bodies and returns the relative velocity after it. */
static vec3s velocity_after_step(scree_world *world, const flyer pair[2]) {
    const scree_body_id a = add_flyer(world, &pair[0]), b = add_flyer(world, &pair[1]);
    CHECK(scree_world_step(world, NULL));
    const scree_body_state of_a = state_of(world, a), of_b = state_of(world, b);
    CHECK(scree_body_destroy(world, a));
    CHECK(scree_body_destroy(world, b));
    return glms_vec3_sub(vec3_in(of_b.linear_velocity), vec3_in(of_a.linear_velocity));
}

/* Both bodies move: a by a random fraction of the relative velocity. */
static void share_motion(uint64_t *seed, vec3s relative, flyer pair[2]) {
    pair[0].velocity = glms_vec3_scale(relative, (scalar)-random_between(seed, 0, 1));
    pair[1].velocity = glms_vec3_add(relative, pair[0].velocity);
}

/* The planes with normal n that support two bodies are 0.005 to 0.4 half widths apart, and the bodies move
 * along them by 0.4 to 7 half widths in the step: they cannot meet. */
static void pass(scree_world *world, uint64_t *seed, scree_shape a, scree_shape b) {
    const vec3s n = random_direction(seed), along = tangent_of(n);
    flyer pair[2] = {{.shape = a, .rotation = random_rotation(seed)},
                     {.shape = b, .rotation = random_rotation(seed)}};
    const double clearance = (double)size * (0.005 + 0.4 * pow(random_between(seed, 0, 1), 2)),
                 way = (double)size * random_between(seed, 0.4, 7),
                 ahead = way * random_between(seed, -0.1, 1.2),
                 apart = width_along(a, pair[0].rotation, n) + clearance +
                         width_along(b, pair[1].rotation, glms_vec3_negate(n));
    const vec3s aside =
                    glms_vec3_scale(glms_vec3_cross(n, along), size * (scalar)random_between(seed, -1, 1)),
                relative = glms_vec3_scale(along, (scalar)(way / step));
    pair[1].position = glms_vec3_add(
        glms_vec3_sub(glms_vec3_scale(n, (scalar)apart), glms_vec3_scale(along, (scalar)ahead)), aside);
    share_motion(seed, relative, pair);
    const vec3s velocity = velocity_after_step(world, pair);
    ASSERT_AT_MOST((double)glms_vec3_norm(glms_vec3_sub(velocity, relative)), 1e-5 * way / step);
}

/* The centre of b moves through that of a: the bodies meet on the way. */
static void hit(scree_world *world, uint64_t *seed, scree_shape a, scree_shape b) {
    const vec3s along = random_direction(seed);
    flyer pair[2] = {{.shape = a, .rotation = random_rotation(seed)},
                     {.shape = b, .rotation = random_rotation(seed)}};
    const double before = (double)size * random_between(seed, 4.5, 6), way = 1.9 * before;
    const vec3s relative = glms_vec3_scale(along, (scalar)(way / step));
    pair[1].position = glms_vec3_scale(along, (scalar)-before);
    share_motion(seed, relative, pair);
    const vec3s velocity = velocity_after_step(world, pair);
    ASSERT_AT_MOST((double)glms_vec3_dot(velocity, along), 0.99 * way / step);
}

typedef void encounter(scree_world *world, uint64_t *seed, scree_shape a, scree_shape b);

static void for_each_pair(void **state, encounter *of, int count) {
    uint64_t seed = 1;
    scree_world_def def = def_on(state);
    scree_shape shapes[KINDS];
    scree_geometry *hull = hull_of_points(&seed);
    make_shapes(hull, shapes);
    def.gravity = (scree_vec3){0, 0, 0}, def.material.friction = 0, def.time_step = step;
    scree_world *world = world_of(&def);
    for (int a = 0; a < KINDS; a++)
        for (int b = a; b < KINDS; b++)
            for (int i = 0; i < count; i++) of(world, &seed, shapes[a], shapes[b]);
    scree_world_destroy(world);
    scree_geometry_release(hull);
}

static void bodies_that_pass_are_not_deflected(void **state) { for_each_pair(state, pass, PASSES); }

static void bodies_that_meet_stop_each_other(void **state) { for_each_pair(state, hit, HITS); }

int main(void) {
    const struct CMUnitTest tests[] = {ON("native", bodies_that_pass_are_not_deflected),
                                       ON("native", bodies_that_meet_stop_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
