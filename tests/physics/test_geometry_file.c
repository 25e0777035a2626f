/* Surfaces and heights as programs write them: every variant of a file gives the same geometry. */
#include "geometry/geometry.h"
#include "random.h"
#include "scenery.h"

static void write_bytes(const char *name, const void *bytes, size_t length) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *name, const char *text) { write_bytes(name, text, strlen(text)); }

static char last_warning[512];

static void keep_warning(void *context, const char *warning) {
    (*(int *)context)++;
    snprintf(last_warning, sizeof last_warning, "%s", warning);
}

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
        CHECK(scree_mesh_load("test_geometry.obj", NULL, &made));
        assert_int_equal(scree_mesh_triangle_count(made), 20);
        measure(made, &area, &volume);
        ASSERT_NEAR(area, 14, 1e-12);
        ASSERT_NEAR(volume, 3, 1e-12);
        scree_geometry_release(made);
        CHECK(scree_solid_load("test_geometry.obj", NULL, &made));
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
        CHECK(scree_mesh_load("test_geometry.obj", NULL, &made));
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

/* -- Variants ------------------------------------------------------------------------- */

#define FACET(x)                                                                                             \
    "facet normal 0 0 1\nouter loop\nvertex " x " 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
#define LINE(x) "facet normal 0 0 1 outer loop vertex " x " 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet "

/* Every file holds the triangle (0, 0), (1, 0), (0, 1), half a square metre, and perhaps one more of the same
 * area. */
static const struct variant {
    const char *name, *text;
    int count;
    const char *warning; /* null: none */
} variants[] = {
    {"a.stl", "solid a\n" FACET("0") "endsolid a\n", 1, NULL},
    {"a.stl", "\xef\xbb\xbfsolid a\r\n" FACET("0") "endsolid\r\n", 1, NULL},
    {"a.stl", "solid a\n" FACET("0") "end solid a\n", 1, NULL},
    {"a.stl", "solid\n" FACET("0") "end solid\n", 1, NULL},
    {"a.stl", "solid a\n" FACET("0"), 1, "'a.stl':9: no \"endsolid\""},
    {"a.stl", "solid a\n" FACET("0") "solid b\n" FACET("2") "endsolid b\n", 2, NULL},
    {"a.stl", "solid a facet of a plate\n" FACET("0") "endsolid a facet of a plate\n", 1, NULL},
    {"a.stl", "solid a " LINE("0") LINE("2") "endsolid a", 2, NULL},
    {"a.stl", "solid " LINE("0") "endsolid solid b " LINE("2") "end solid b", 2, NULL},
    {"a.stl",
     "SOLID A\n FACET NORMAL 0 0 1\n OUTER LOOP\n VERTEX 0 0 0\n VERTEX 1 0 0\n VERTEX 0 1 0\n END LOOP\n"
     " END FACET\nENDSOLID A\n",
     1, NULL},
    {"a.stl",
     "solid a\nfacet normal nan -nan(ind) 1.#QNAN\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
     "endloop\nendfacet\nendsolid a\n",
     1, NULL},
    {"a.stl",
     "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0.0D+00 0.d0 0\nvertex 0.1D+01 0 0\n"
     "vertex 0 10.0d-1 0\nendloop\nendfacet\nendsolid a\n",
     1, NULL},
    {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 1, NULL},
    {"a.obj", "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", 1, NULL},
    {"a.obj", "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r", 1, NULL},
    {"a.obj", "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n", 1, NULL},
    {"a.obj", "v 0 0 0\nv 1 \\\n 0 0\nv 0 1 0\nf 1 2 \\  \n3\n", 1, NULL},
    {"a.obj", "v 0 0 0\r\nv 1 0\\\r\n0\r\nv 0 1 0\r\nf 1\\\r\n2\\\r\n3\\", 1, NULL},
    {"a.obj", "# C:\\parts\\\nv 0 0 0 # C:\\\nv 1 0 0\nv 0 1 0\nf 1 2 3 # \\\n", 1, NULL},
    {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\\\n f 1 1 1\nf 1 2 3\n", 1, NULL},
    {"a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", 2, NULL},
    {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 3\nf 1 1 2 2\n", 1, NULL},
};

static void every_variant_is_read(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const struct variant *v = &variants[i];
        int warnings = 0;
        double area, volume;
        scree_surface_def def = scree_default_surface_def();
        scree_geometry *made = NULL;
        def.warn = keep_warning;
        def.context = &warnings;
        write_text(v->name, v->text);
        if (scree_mesh_load(v->name, &def, &made) != SCREE_OK)
            fail_msg("%s: %s", v->text, scree_error_get_message());
        measure(made, &area, &volume);
        if (scree_mesh_triangle_count(made) != v->count || fabs(area - 0.5 * v->count) > 1e-12)
            fail_msg("%s: %d triangles of %g", v->text, scree_mesh_triangle_count(made), area);
        assert_int_equal(warnings, v->warning != NULL);
        if (v->warning) assert_non_null(strstr(last_warning, v->warning));
        scree_geometry_release(made);
        remove(v->name);
    }
}

/* A continued line counts: the fault is in the last one. */
static void faults_name_the_line(void **state) {
    (void)state;
    static const char *const faults[][3] = {
        {"a.obj", "v 0 \\\n0 \\\nx\n", ":3: \"x\""},
        {"a.obj", "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 7\r", ":4: \"7\""},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 1 0\n\nf 1 2 3 4\n",
         ":6: a face of 4 corners: its sides cross"},
        {"a.obj", "v 0 0 0 0x1\nv 0x1 0 0\n", ":2: \"0x1\""},
        {"a.obj", "v 0 1D 0\n", ":1: \"1D\""},
        {"a.stl", "solid a\r\n" FACET("0,5") "endsolid\n", ":4: \"0,5\""},
        {"a.stl", "solid a\n" FACET("0") "endfile\n", ":9: \"endfile\""},
        {"a.stl", "solid a\n" FACET("0") "facet normal 0 0 1\nouter loop\nvertex 0 0 0\n", ":12: nothing"},
    };
    scree_geometry *made = NULL;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        write_text(faults[i][0], faults[i][1]);
        CHECK_FAILS(scree_mesh_load(faults[i][0], NULL, &made), SCREE_ERROR_FORMAT, faults[i][2]);
        remove(faults[i][0]);
    }
}

/* -- Binary files --------------------------------------------------------------------- */

static size_t binary_of(const float corners[9], unsigned char out[200]) {
    memset(out, 0, 200);
    memcpy(out, "solid", 5); /* as some programs write in binary files, too */
    out[80] = 1;
    memcpy(out + 96, corners, 9 * sizeof *corners);
    return 134;
}

static void bytes_after_the_triangles_are_reported(void **state) {
    (void)state;
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    unsigned char bytes[200];
    const size_t length = binary_of(corners, bytes);
    for (size_t more = 0; more < 3; more++) {
        int warnings = 0;
        scree_surface_def def = {.warn = keep_warning, .context = &warnings};
        scree_geometry *made = NULL;
        write_bytes("a.stl", bytes, length + more);
        CHECK(scree_mesh_load("a.stl", &def, &made));
        assert_int_equal(scree_mesh_triangle_count(made), 1);
        assert_int_equal(warnings, more > 0);
        scree_geometry_release(made);
        CHECK(scree_mesh_load("a.stl", NULL, &made)); /* without a callback */
        scree_geometry_release(made);
    }
    assert_non_null(strstr(last_warning, "'a.stl': unread bytes after the last triangle: 2"));
    remove("a.stl");
}

/* The scene keeps the warning of a file once, also those of a stage's file. */
static void scenes_keep_warnings(void **state) {
    (void)state;
    static const char scene_text[] =
        "{\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"mesh\", \"file\": \"a.stl\"}}], "
        "\"stages\": [{\"name\": \"one\", \"until\": {\"time\": 1}}, {\"name\": \"two\", \"until\": "
        "{\"time\": 1}, "
        "\"bodies\": {\"add\": [{\"type\": \"static\", \"shape\": {\"kind\": \"mesh\", \"file\": "
        "\"b.stl\"}}]}}]}";
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    unsigned char bytes[200];
    scree_scene *scene = NULL;
    const size_t length = binary_of(corners, bytes) + 1;
    write_bytes("a.stl", bytes, length);
    write_bytes("b.stl", bytes, length);
    CHECK(scree_scene_parse(scene_text, strlen(scene_text), "s", &scene));
    assert_int_equal(scree_scene_warning_count(scene), 2);
    assert_non_null(strstr(scree_scene_get_warning(scene, 0), "'a.stl'"));
    assert_non_null(strstr(scree_scene_get_warning(scene, 1), "'b.stl'"));
    assert_null(scree_scene_get_warning(scene, 2));
    assert_null(scree_scene_get_warning(scene, -1));
    scree_scene_destroy(scene);
    remove("a.stl");
    remove("b.stl");
}

/* -- Origins -------------------------------------------------------------------------- */

static const double utm[3] = {448262.7, 5411932.8, 1127.4};

static scree_geometry *terrain(const double at[3], const scree_surface_def *def,
                               scree_result (*load)(const char *, const scree_surface_def *,
                                                    scree_geometry **)) {
    scree_geometry *made = NULL;
    write_prism("test_terrain.obj", 2, at);
    CHECK(load("test_terrain.obj", def, &made));
    remove("test_terrain.obj");
    return made;
}

static double farthest(const scree_geometry *a, const scree_geometry *b) {
    double most = 0;
    assert_int_equal(a->surface.vertex_count, b->surface.vertex_count);
    for (int i = 0; i < a->surface.vertex_count; i++) {
        const vec3s one = a->surface.vertices[i], other = b->surface.vertices[i];
        most = fmax(most, fabs((double)one.x - (double)other.x));
        most = fmax(most, fabs((double)one.y - (double)other.y));
        most = fmax(most, fabs((double)one.z - (double)other.z));
    }
    return most;
}

/* The surface is that of a file without an offset, to 1e-6. */
static void origin_is_subtracted_before_rounding(void **state) {
    (void)state;
    scree_surface_def def = scree_default_surface_def();
    const double offset[3] = {utm[0] + 1.0 / 3, utm[1] + 0.1, utm[2] - 0.7}, away[3] = {1.0 / 3, 0.1, -0.7};
    memcpy(def.origin, utm, sizeof utm);
    scree_geometry *plain = terrain(away, NULL, scree_mesh_load),
                   *shifted = terrain(offset, &def, scree_mesh_load),
                   *solid = terrain(offset, &def, scree_solid_load),
                   *hull = terrain(offset, &def, scree_hull_load);
    ASSERT_AT_MOST(farthest(plain, shifted), 1e-6);
    ASSERT_NEAR(scree_shape_get_volume(scree_shape_solid(solid, 1)), 3, 1e-6);
    ASSERT_NEAR(scree_shape_get_volume(scree_shape_hull(hull, 1)), 3.5, 1e-6);
    scree_vec3 centre;
    scree_geometry_get_frame(solid, &centre, NULL);
    ASSERT_WITHIN(centre.x, 1.0 / 3 + 5.0 / 6, 1e-6);
    ASSERT_WITHIN(centre.z, -0.7 + 0.5, 1e-6);
    scree_geometry_release(plain);
    scree_geometry_release(shifted);
    scree_geometry_release(solid);
    scree_geometry_release(hull);
}

/* Corners of a binary file are single-precision numbers: the shift is exact. */
static void origin_shifts_binary_files(void **state) {
    (void)state;
    const float corners[9] = {448262.75f, 5411932, 0, 448263.75f, 5411932, 0, 448262.75f, 5411933, 0};
    unsigned char bytes[200];
    const scree_surface_def def = {.origin = {448262.75, 5411932, -1}};
    scree_geometry *made = NULL;
    double area, volume;
    write_bytes("a.stl", bytes, binary_of(corners, bytes));
    CHECK(scree_mesh_load("a.stl", &def, &made));
    measure(made, &area, &volume);
    ASSERT_NEAR(area, 0.5, 1e-12);
    for (int i = 0; i < 3; i++) ASSERT_WITHIN(made->surface.vertices[i].z, 1, 0);
    scree_geometry_release(made);
    remove("a.stl");
}

static void wrong_origins_are_refused(void **state) {
    (void)state;
    scree_geometry *made = NULL;
    scree_surface_def def = scree_default_surface_def();
    def.origin[1] = NAN;
    CHECK_FAILS(scree_mesh_load("a.stl", &def, &made), SCREE_ERROR_ARGUMENT, "origin.y");
    def.origin[1] = -2e9;
    CHECK_FAILS(scree_hull_load("a.stl", &def, &made), SCREE_ERROR_ARGUMENT, "origin.y");
}

/* The key of a scene is the field of the definition. */
static void scenes_have_origins(void **state) {
    (void)state;
    static const char scene_text[] = "{\"backend\": {\"kind\": \"native\"}, \"bodies\": [{\"type\": "
                                     "\"static\", \"shape\": {\"kind\": \"mesh\", \"file\": "
                                     "\"a.stl\", \"origin\": [448262.75, 5411932, -1]}}]}";
    const float corners[9] = {448262.75f, 5411932, 0, 448263.75f, 5411932, 0, 448262.75f, 5411933, 0};
    unsigned char bytes[200];
    scree_scene *scene = NULL;
    scree_body_id body;
    scree_body_def def;
    write_bytes("a.stl", bytes, binary_of(corners, bytes));
    CHECK(scree_scene_parse(scene_text, strlen(scene_text), "s", &scene));
    remove("a.stl");
    const scree_world_def world_def = scree_scene_get_world_def(scene);
    scree_world *world = world_of(&world_def);
    CHECK(scree_scene_build(scene, world, 0));
    assert_int_equal(scree_body_list(world, &body, 1), 1);
    CHECK(scree_body_get_def(world, body, &def));
    ASSERT_WITHIN(def.shape.geometry->half.x, 0.5, 0);
    ASSERT_WITHIN(def.shape.geometry->middle.z, 1, 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

/* -- Heights -------------------------------------------------------------------------- */

/* Rows 0 1 2 and 3 4 5. */
static void heights_are_read_with_every_separator(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0 1 2\n3 4 5\n",         "0\t1  2\r\n3 \t4 5\r\n",
        "0,1,2\r3,4,5\r",         "0, 1 ,2,\n\n3,4,5,\n",
        "0;1;2\n# x\n3;4; 5;\n",  "\xef\xbb\xbf 0 1 2\n3 4 5",
        "0D0 1.0D+0 2\n3 4 .5d1", "\xef\xbb\xbf# x\n0,1,2#\n3,4,5#,",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        scree_geometry *made = NULL;
        write_text("heights.txt", texts[i]);
        if (scree_height_field_load("heights.txt", 1, 1, &made) != SCREE_OK)
            fail_msg("%s: %s", texts[i], scree_error_get_message());
        assert_int_equal(scree_mesh_triangle_count(made), 4);
        ASSERT_WITHIN(made->half.x, 1, 0);
        ASSERT_WITHIN(made->half.z, 2.5, 0);
        scree_geometry_release(made);
    }
    remove("heights.txt");
}

static void mixed_separators_are_refused(void **state) {
    (void)state;
    static const char *const faults[][2] = {
        {"0,0;0,1;0,0\n0,0;0,1;0,0\n", ":1: a semicolon"},
        {"0,5 0,7\n1 2 3 4\n", ":1: a blank"},
        {"# x\n0,0\n\n0;1\n", ":4: a semicolon"},
        {"0 1\n2,3\n", ":2: a comma"},
        {"0,,1\n2,3,4\n", ":1: nothing"},
        {",0,1\n2,3,4\n", ":1: nothing"},
    };
    scree_geometry *made = NULL;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        write_text("heights.txt", faults[i][0]);
        CHECK_FAILS(scree_height_field_load("heights.txt", 1, 1, &made), SCREE_ERROR_FORMAT, faults[i][1]);
    }
    remove("heights.txt");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concave_faces_have_their_area),
        ON_EACH_BACKEND(notch_lets_a_ball_through),
        cmocka_unit_test(every_variant_is_read),
        cmocka_unit_test(faults_name_the_line),
        cmocka_unit_test(bytes_after_the_triangles_are_reported),
        cmocka_unit_test(origin_is_subtracted_before_rounding),
        cmocka_unit_test(origin_shifts_binary_files),
        cmocka_unit_test(wrong_origins_are_refused),
        cmocka_unit_test(scenes_keep_warnings),
        cmocka_unit_test(scenes_have_origins),
        cmocka_unit_test(heights_are_read_with_every_separator),
        cmocka_unit_test(mixed_separators_are_refused),
    };
    return cmocka_run_group_tests_name("geometry file", tests, NULL, NULL);
}
