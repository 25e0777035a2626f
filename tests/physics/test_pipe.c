/* Fast bodies in a pipe made of flat facets, all of one mesh: each facet deflects them towards the next. */
#include "scenery.h"

static const double radius = 0.004, pipe = 0.0486, step = 0.002;

/* Adds a pipe along z whose facets touch a circle of radius `pipe` at their edges. */
static void add_pipe(scree_world *world, int facets) {
    scree_vec3 corners[2 * 60];
    scree_triangle triangles[2 * 60];
    scree_geometry *made = NULL;
    scree_body_def wall = scree_default_body_def();
    for (int i = 0; i < facets; i++) {
        const double angle = 2 * M_PI * i / facets;
        const float x = (float)(pipe * cos(angle)), y = (float)(pipe * sin(angle));
        corners[2 * i] = (scree_vec3){x, y, -0.02f}, corners[2 * i + 1] = (scree_vec3){x, y, 0.02f};
        const int a = 2 * i, b = 2 * ((i + 1) % facets);
        triangles[2 * i] = (scree_triangle){{a, b + 1, b}};
        triangles[2 * i + 1] = (scree_triangle){{a, a + 1, b + 1}};
    }
    CHECK(scree_mesh_create(corners, 2 * facets, triangles, 2 * facets, &made));
    wall.type = SCREE_BODY_STATIC, wall.shape = scree_shape_mesh(made, 1);
    CHECK(scree_body_create(world, &wall, NULL));
    scree_geometry_release(made);
}

/* Returns the depth of a round body's surface below the facet at its angle, m. */
static double depth_at(scree_vec3 at, int facets) {
    const double sector = 2 * M_PI / facets, x = (double)at.x, y = (double)at.y,
                 middle = (floor(atan2(y, x) / sector) + 0.5) * sector;
    return x * cos(middle) + y * sin(middle) + radius - pipe * cos(sector / 2);
}

/* A body whirls round at some radii a step. Asserts that it stays inside and does not gain speed. */
static void whirl(void **state, scree_shape shape, int facets, float radii, float restitution) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0}, def.time_step = step;
    def.material.friction = 0, def.material.restitution = restitution;
    def.solver.restitution_speed = 0;
    scree_world *world = world_of(&def);
    add_pipe(world, facets);
    const float speed = radii * (float)(radius / step);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.shape = shape, body.locks = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y; /* stays upright */
    body.state.position.x = (float)(pipe - 1.05 * radius), body.state.linear_velocity.y = speed;
    CHECK(scree_body_create(world, &body, &id));
    double deepest = 0;
    for (int i = 0; i < 100; i++) {
        CHECK(scree_world_step(world, NULL));
        deepest = fmax(deepest, depth_at(state_of(world, id).position, facets));
        ASSERT_AT_MOST(length_of(state_of(world, id).linear_velocity), 1.003 * (double)speed);
    }
    ASSERT_AT_MOST(deepest, 0.02 * radius);
    scree_world_destroy(world);
}

static void spheres_stay_in_a_pipe_of_facets(void **state) {
    for (int radii = 1; radii <= 4; radii++)
        for (int bounce = 0; bounce <= 2; bounce++) {
            whirl(state, scree_shape_sphere((float)radius), 24, (float)radii, (float)bounce / 2);
            whirl(state, scree_shape_sphere((float)radius), 60, (float)radii, (float)bounce / 2);
        }
}

static void cylinders_and_capsules_stay_in_a_pipe_of_facets(void **state) {
    const scree_shape shapes[] = {scree_shape_cylinder((float)radius, (float)radius),
                                  scree_shape_capsule((float)radius, (float)radius / 2)};
    for (int i = 0; i < 2; i++)
        for (int radii = 1; radii <= 2; radii++) {
            whirl(state, shapes[i], 24, (float)radii, 0);
            whirl(state, shapes[i], 60, (float)radii, 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {ON("native", spheres_stay_in_a_pipe_of_facets),
                                       ON("native", cylinders_and_capsules_stay_in_a_pipe_of_facets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
