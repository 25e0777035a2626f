/* Surfaces as programs write them. */
#include "geometry/geometry.h"
#include "scenery.h"

/* Returns the area and the volume of the triangles of a mesh. */
static void measure(const scree_geometry *made, double *area, double *volume) {
    *area = *volume = 0;
    for (int i = 0; i < made->surface.count; i++) {
        double p[3][3], n[3];
        for (int k = 0; k < 3; k++) {
            const vec3s v = made->surface.vertices[made->surface.triangles[i].corners[k]];
            p[k][0] = (double)v.x, p[k][1] = (double)v.y, p[k][2] = (double)v.z;
        }
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            n[k] = (p[1][a] - p[0][a]) * (p[2][b] - p[0][b]) - (p[1][b] - p[0][b]) * (p[2][a] - p[0][a]);
        }
        *area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
        *volume += (p[0][0] * n[0] + p[0][1] * n[1] + p[0][2] * n[2]) / 6;
    }
}

/* -- Concave faces -------------------------------------------------------------------- */

/* The prism over an L, the square (0, 0) to (2, 2) without that from (1, 1): two faces are hexagons, which
 * begin at corner `first`. Coordinates are `origin` and the prism's. */
static void write_prism(const char *name, int first, const double origin[3]) {
    static const int outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    for (int i = 0; i < 12; i++)
        fprintf(file, "v %.9f %.9f %.9f\n", origin[0] + outline[i % 6][0], origin[1] + outline[i % 6][1],
                origin[2] + i / 6);
    fputc('f', file);
    for (int i = 0; i < 6; i++) fprintf(file, " %d", 1 + (first + 5 - i) % 6);
    fputs("\nf", file);
    for (int i = 0; i < 6; i++) fprintf(file, " %d", 7 + (first + i) % 6);
    fputc('\n', file);
    for (int i = 0; i < 6; i++)
        fprintf(file, "f %d %d %d %d\n", 1 + i, 1 + (i + 1) % 6, 7 + (i + 1) % 6, 7 + i);
    assert_int_equal(fclose(file), 0);
}

/* Area 2 · 3 + 8 · 1, volume 3, whichever corner comes first. */
static void concave_faces_have_their_area(void **state) {
    (void)state;
    for (int first = 0; first < 6; first++) {
        scree_geometry *made = NULL;
        double area, volume;
        write_prism("test_geometry.obj", first, (double[3]){0, 0, 0});
        CHECK(scree_mesh_load("test_geometry.obj", &made));
        assert_int_equal(scree_mesh_triangle_count(made), 20);
        measure(made, &area, &volume);
        ASSERT_NEAR(area, 14, 1e-12);
        ASSERT_NEAR(volume, 3, 1e-12);
        scree_geometry_release(made);
        CHECK(scree_solid_load("test_geometry.obj", &made));
        ASSERT_NEAR(scree_shape_get_volume(scree_shape_solid(made, 1)), 3, 1e-6);
        scree_geometry_release(made);
    }
    remove("test_geometry.obj");
}

/* A ball falls freely through the notch and rests on the arm. */
static void notch_lets_a_ball_through(void **state) {
    scree_world_def def = def_on(state);
    const double h = def.time_step, seconds = 0.5;
    const long n = lround(seconds / h);
    for (int first = 0; first < 6; first++) {
        scree_world *world = world_of(&def);
        scree_body_def body = scree_default_body_def();
        scree_geometry *made = NULL;
        write_prism("test_geometry.obj", first, (double[3]){0, 0, 0});
        CHECK(scree_mesh_load("test_geometry.obj", &made));
        body.type = SCREE_BODY_STATIC;
        body.shape = scree_shape_mesh(made, 1);
        CHECK(scree_body_create(world, &body, NULL));
        scree_geometry_release(made);
        const scree_body_id falls = add_body(world, scree_shape_sphere(0.1f),
                                             (scree_vec3){1.25f, 1.25f, 1.2f}, (scree_vec3){0, 0, 0}),
                            rests = add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0.5f, 1.25f, 1.2f},
                                             (scree_vec3){0, 0, 0});
        run_for(world, seconds);
        ASSERT_WITHIN(state_of(world, falls).position.z, 1.2 - 9.81 * h * h * (double)n * (double)(n + 1) / 2,
                      2e-5);
        ASSERT_WITHIN(state_of(world, rests).position.z, 1.1, 1e-3);
        scree_world_destroy(world);
    }
    remove("test_geometry.obj");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concave_faces_have_their_area),
        ON_EACH_BACKEND(notch_lets_a_ball_through),
    };
    return cmocka_run_group_tests_name("geometry file", tests, NULL, NULL);
}
