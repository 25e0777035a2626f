/* Force chains: lines of a frame against weights, and their files from a series and VTK. */
#include "folder.h"
#include "scenery.h"

/* Makes a column of 3 balls on the ground, next to it a box with its 4 corner contacts, and a falling
 * ball. */
static scree_world *column(void **state) {
    scree_world_def def = def_on(state);
    def.solver.tolerance = 1e-6f, def.solver.iterations = 300;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 3; i++)
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){1, 0, 0.1f + 0.2f * (float)i},
                 (scree_vec3){0, 0, 0});
    add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){2, 0, 0.1f}, (scree_vec3){0, 0, 0});
    add_body(world, scree_shape_sphere(0.1f), (scree_vec3){3, 0, 50}, (scree_vec3){0, 0, 0});
    return world;
}

/* Returns an array of the appended data by its name. */
static const void *array_of(const char *text, size_t length, const char *name, uint64_t *bytes) {
    char key[64];
    snprintf(key, sizeof key, "Name=\"%s\"", name);
    const char *row = strstr(text, key), *data = memmem(text, length, "raw\">_", 6);
    assert_true(row && data);
    const size_t offset = strtoul(strstr(row, "offset=\"") + 8, NULL, 10);
    memcpy(bytes, data + 6 + offset, sizeof *bytes);
    return data + 6 + offset + sizeof *bytes;
}

static char *contents(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1 << 16, 1);
    *length = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    return text;
}

static void lines_sum_to_the_weight(void **state) {
    const folder place = folder_make();
    scree_world *world = column(state);
    scree_series *series = NULL;
    scree_series_def def = scree_default_series_def();
    scree_frame frame = {0};
    assert_false(def.chains);
    def.chains = true, def.contacts = false;
    run_for(world, 1);
    CHECK(scree_frame_from_world(world, &frame));
    CHECK(scree_series_open(place.path, 0, &def, &series));
    CHECK(scree_series_write(series, &frame));
    CHECK(scree_series_close(series));
    size_t length;
    uint64_t bytes;
    char *text = contents(folder_file(&place, "chains_00000120.vtp"), &length);
    assert_non_null(strstr(text, "NumberOfPoints=\"8\" NumberOfLines=\"4\""));
    assert_non_null(strstr(text, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">1<"));
    const double ball = 1000 * 4 * M_PI / 3 * 1e-3 * 9.81, box = 8 * 9.81, mean = (6 * ball + box) / 4;
    float forces[4], shares[4], points[4][2][3];
    int64_t ends[8], offsets[4];
    memcpy(forces, array_of(text, length, "normal_force", &bytes), sizeof forces);
    assert_int_equal(bytes, sizeof forces);
    memcpy(shares, array_of(text, length, "force_over_mean", &bytes), sizeof shares);
    memcpy(points, array_of(text, length, "points", &bytes), sizeof points);
    assert_int_equal(bytes, sizeof points);
    memcpy(ends, array_of(text, length, "connectivity", &bytes), sizeof ends);
    memcpy(offsets, array_of(text, length, "offsets", &bytes), sizeof offsets);
    assert_int_equal(bytes, sizeof offsets);
    for (int i = 0; i < 4; i++) {
        /* by pairs: ground and ball, ground and box, balls */
        const double expected[4] = {3 * ball, box, 2 * ball, ball};
        ASSERT_NEAR(forces[i], expected[i], 1e-3);
        ASSERT_NEAR(shares[i], expected[i] / mean, 1e-3);
        assert_true(ends[2 * i] == 2 * i && ends[2 * i + 1] == 2 * i + 1 && offsets[i] == 2 * i + 2);
    }
    ASSERT_WITHIN(points[0][0][2], 0, 1e-3);
    ASSERT_WITHIN(points[0][1][2], 0.1, 1e-3);
    ASSERT_WITHIN(points[3][0][2], 0.3, 1e-3);
    ASSERT_WITHIN(points[3][1][2], 0.5, 1e-3);
    free(text);
    scree_frame_release(&frame);
    scree_world_destroy(world);
    folder_remove(&place);
}

/* Files after the step of a continued run are removed; a new run removes all. */
static void chain_files_follow_their_frames(void **state) {
    const folder place = folder_make();
    scree_world *world = column(state);
    scree_series_def def = scree_default_series_def();
    def.chains = true;
    for (int round = 0; round < 3; round++) {
        scree_series *series = NULL;
        CHECK(scree_series_open(place.path, round == 1 ? 5 : 0, &def, &series));
        assert_int_equal(folder_count(&place, "chains_"), round == 1 ? 2 : 0);
        for (int i = 0; i < 3 && round == 0; i++) {
            scree_frame frame = {0};
            CHECK(scree_frame_from_world(world, &frame));
            CHECK(scree_series_write(series, &frame)); /* steps 0, 5 and 10 */
            scree_frame_release(&frame);
            run_for(world, 5.0 / 120);
        }
        CHECK(scree_series_close(series));
    }
    scree_world_destroy(world);
    folder_remove(&place);
}

/* VTK's own reader, if installed, reads the same values. */
static void vtk_reads_chain_files(void **state) {
    const folder place = folder_make();
    scree_world *world = column(state);
    scree_series *series = NULL;
    scree_series_def def = scree_default_series_def();
    scree_frame frame = {0};
    char command[1024];
    def.chains = true;
    run_for(world, 1);
    CHECK(scree_frame_from_world(world, &frame));
    CHECK(scree_series_open(place.path, 0, &def, &series));
    CHECK(scree_series_write(series, &frame));
    CHECK(scree_series_close(series));
    snprintf(command, sizeof command,
             "/usr/bin/python3 -I -c \"\ntry:\n    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader\n"
             "except Exception:\n    raise SystemExit(77)\nr = vtkXMLPolyDataReader()\n"
             "r.SetFileName('%s')\nr.Update()\np = r.GetOutput()\n"
             "a = p.GetCellData().GetArray('normal_force')\n"
             "raise SystemExit(0 if p.GetNumberOfLines() == 4 and 230 < a.GetValue(0) * 2 < 250 and "
             "p.GetPoint(1)[0] == 1 else 1)\n\"",
             folder_file(&place, "chains_00000120.vtp"));
    const int code = system(command);
    scree_frame_release(&frame);
    scree_world_destroy(world);
    folder_remove(&place);
    if (code == 77 << 8) skip();
    assert_int_equal(code, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(lines_sum_to_the_weight),
        ON("native", chain_files_follow_their_frames),
        ON("native", vtk_reads_chain_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
