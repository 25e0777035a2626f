/* Frames as files: exact round trips, the folder of a series, and the values read by VTK. */
#include "expect.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include <sys/stat.h>
#include <sys/wait.h>

#include "folder.h"

enum { FEW = 7, BODIES = 9000, CONTACTS = 12000 };

static scree_body_id ids[BODIES];
static scree_body_type types[BODIES];
static scree_shape shapes[BODIES];
static scree_body_state states[BODIES];
static double energies[BODIES];
static int counts[BODIES], materials[BODIES], periods[BODIES][3];
static float masses[BODIES];
static scree_contact contacts[CONTACTS];

enum { ALL_FIELDS = (1 << SCREE_FRAME_FIELD_COUNT) - 1 };
/* Small frames are not compressed; those of BODIES bodies are. */
static const scree_series_def everything = {ALL_FIELDS, true, 4, false};

/* Makes a frame whose values follow from index and step by a formula that series_reader.py repeats. */
static scree_frame make_frame(uint64_t step, int count, int contact_count) {
    const float s = (float)step;
    for (int i = 0; i < count; ++i) {
        const float x = (float)i;
        ids[i] = (scree_body_id){(uint32_t)(3 * i + 1), (uint32_t)(i + 2), 0};
        types[i] = (scree_body_type)(i % 3);
        shapes[i] = i == 0       ? (scree_shape){SCREE_SHAPE_HALF_SPACE, {0, 0, 0}, NULL}
                    : i % 2 == 0 ? (scree_shape){SCREE_SHAPE_BOX, {x + 0.5f, x + 1.5f, x + 2.5f}, NULL}
                                 : (scree_shape){SCREE_SHAPE_SPHERE, {x / 3.0f, 0, 0}, NULL};
        states[i] = (scree_body_state){{x / 7.0f, s / 11.0f, x * s / 13.0f},
                                       {0.1f, 0.2f, 0.3f, x},
                                       {x, -x, s / 3.0f},
                                       {s, x / 9.0f, -s}};
        energies[i] = (double)i / 3.0 + (double)step;
        counts[i] = 2 * i + (int)step;
        masses[i] = x / 17.0f;
        materials[i] = i % 5;
        periods[i][0] = i, periods[i][1] = -i, periods[i][2] = 3;
    }
    for (int i = 0; i < contact_count; ++i) {
        const float x = (float)i;
        contacts[i] = (scree_contact){.a = {(uint32_t)(i + 1), 1, 0},
                                      .b = {(uint32_t)(i + 2), 4, 0},
                                      .point = {x, s, x / 3.0f},
                                      .normal = {0, 0.6f, 0.8f},
                                      .impulse = {x / 5.0f, s, 0.25f},
                                      .torque = {x / 19.0f, -s, 0.5f},
                                      .offset = {x, 0, -x},
                                      .gap = -x / 1000.0f};
    }
    return (scree_frame){.step = step,
                         .time = (double)step / 30.0,
                         .count = count,
                         .ids = ids,
                         .types = types,
                         .shapes = shapes,
                         .states = states,
                         .kinetic_energies = energies,
                         .contact_counts = counts,
                         .masses = masses,
                         .materials = materials,
                         .periods = periods,
                         .contact_count = contact_count,
                         .contacts = contacts,
                         .time_step = 0.125f,
                         .fields = ALL_FIELDS};
}

static void assert_same_frame(const scree_frame *a, const scree_frame *b) {
    assert_true(a->step == b->step && a->time == b->time && a->time_step == b->time_step);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->contact_count, b->contact_count);
    const size_t n = (size_t)a->count;
    assert_memory_equal(a->ids, b->ids, n * sizeof *a->ids);
    assert_memory_equal(a->types, b->types, n * sizeof *a->types);
    assert_memory_equal(a->shapes, b->shapes, n * sizeof *a->shapes);
    assert_memory_equal(a->states, b->states, n * sizeof *a->states);
    assert_memory_equal(a->kinetic_energies, b->kinetic_energies, n * sizeof *a->kinetic_energies);
    assert_memory_equal(a->contact_counts, b->contact_counts, n * sizeof *a->contact_counts);
    assert_memory_equal(a->masses, b->masses, n * sizeof *a->masses);
    assert_memory_equal(a->materials, b->materials, n * sizeof *a->materials);
    if (n > 0) assert_memory_equal(a->periods, b->periods, n * sizeof *a->periods);
    assert_int_equal(a->fields, b->fields);
    if (a->contact_count)
        assert_memory_equal(a->contacts, b->contacts, (size_t)a->contact_count * sizeof *a->contacts);
}

static void write_frame(scree_series *series, uint64_t step, int count, int contact_count) {
    const scree_frame frame = make_frame(step, count, contact_count);
    CHECK(scree_series_write(series, &frame));
}

static void frames_read_back_exactly(void **state) {
    (void)state;
    const folder place = folder_make();
    scree_series *series;
    CHECK(scree_series_open(place.path, 0, &everything, &series));
    write_frame(series, 4, BODIES, CONTACTS);
    write_frame(series, 123456789012, 3, 0);
    write_frame(series, 123456789013, 0, 0);
    CHECK(scree_series_close(series));

    static const struct {
        const char *name;
        uint64_t step;
        int count, contacts;
    } files[] = {{"frame_00000004.vtkhdf", 4, BODIES, CONTACTS},
                 {"frame_123456789012.vtkhdf", 123456789012, 3, 0},
                 {"frame_123456789013.vtkhdf", 123456789013, 0, 0}};
    for (int i = 0; i < 3; ++i) {
        scree_frame read;
        CHECK(scree_frame_load(folder_file(&place, files[i].name), &read));
        const scree_frame expected = make_frame(files[i].step, files[i].count, files[i].contacts);
        assert_same_frame(&expected, &read);
        scree_frame_release(&read);
        assert_null(read.ids);
    }
    assert_int_equal(folder_count(&place, ".tmp."), 0);
    folder_remove(&place);
}

/* Runs series_reader.py, which compares what VTK reads with the formulas of make_frame; 77 means that VTK is
 * not installed. */
static void run_reader(const char *arguments) {
    char command[1024];
    snprintf(command, sizeof command, "/usr/bin/python3 -I %s/tests/support/series_reader.py %s",
             SCREE_SOURCE_DIR, arguments);
    const int status = system(command);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip();
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void vtk_reads_the_same_values(void **state) {
    (void)state;
    const folder place = folder_make();
    scree_series *series;
    CHECK(scree_series_open(place.path, 0, &everything, &series));
    write_frame(series, 0, FEW, 0);
    write_frame(series, 5, BODIES, CONTACTS);
    write_frame(series, 10, FEW - 2, 0);
    write_frame(series, 15, FEW, 1);
    assert_string_equal(scree_series_get_path(series), folder_file(&place, "frames.xdmf"));
    run_reader(folder_file(&place, "frames.xdmf 0:7:0 5:9000:12000 10:5:0 15:7:1"));

    /* Resumed from step 10: the frame of step 15 is dropped and written again. */
    CHECK(scree_series_close(series));
    CHECK(scree_series_open(place.path, 10, &everything, &series));
    run_reader(folder_file(&place, "frames.xdmf 0:7:0 5:9000:12000 10:5:0"));
    write_frame(series, 15, 3, 2);
    write_frame(series, 20, 4, 3);
    CHECK(scree_series_close(series));
    run_reader(folder_file(&place, "frames.xdmf 0:7:0 5:9000:12000 10:5:0 15:3:2 20:4:3"));
    folder_remove(&place);
}

/* A frame of chosen fields has exactly these arrays, for VTK and for scree_frame_load. */
static void frames_contain_the_chosen_fields(void **state) {
    (void)state;
    const folder place = folder_make();
    scree_series *series;
    const scree_series_def some = {
        1u << SCREE_FRAME_VELOCITY | 1u << SCREE_FRAME_MASS | 1u << SCREE_FRAME_IMPULSE, true, 0, false};
    CHECK(scree_series_open(place.path, 0, &some, &series));
    write_frame(series, 3, FEW, 4);
    CHECK(scree_series_close(series));
    scree_frame read;
    CHECK(scree_frame_load(folder_file(&place, "frame_00000003.vtkhdf"), &read));
    assert_int_equal(read.fields, some.fields);
    assert_int_equal(read.contact_count, 4);
    for (int i = 0; i < FEW; ++i) {
        assert_true(read.states[i].linear_velocity.x == (float)i && read.masses[i] == (float)i / 17.0f);
        assert_true(read.states[i].angular_velocity.x == 0 && read.states[i].rotation.w == 1);
        assert_true(read.states[i].rotation.x == 0 && read.materials[i] == 0);
    }
    for (int i = 0; i < 4; ++i)
        assert_true(read.contacts[i].impulse.z == 0.25f && read.contacts[i].normal.y == 0 &&
                    read.contacts[i].b.index == (uint32_t)i + 2);
    scree_frame_release(&read);

    const scree_series_def bare = {0, false, 9, false};
    CHECK(scree_series_open(place.path, 3, &bare, &series)); /* the earlier frame is unchanged */
    write_frame(series, 4, FEW, 4);
    CHECK(scree_series_close(series));
    CHECK(scree_frame_load(folder_file(&place, "frame_00000004.vtkhdf"), &read));
    assert_true(read.contact_count == 0 && read.count == FEW);
    assert_int_equal(read.fields & ~(1u << SCREE_FRAME_NORMAL | 1u << SCREE_FRAME_IMPULSE), 0);
    scree_frame_release(&read);
    assert_int_equal(unlink(folder_file(&place, "frame_00000004.vtkhdf")), 0);
    CHECK(scree_series_open(place.path, 3, &bare, &series));
    CHECK(scree_series_close(series));
    char arguments[512];
    snprintf(arguments, sizeof arguments, "%s fields=velocity,mass,impulse 3:7:4",
             folder_file(&place, "frames.xdmf"));
    run_reader(arguments);
    folder_remove(&place);
}

static void invalid_definitions_are_rejected(void **state) {
    (void)state;
    scree_series *series;
    const scree_series_def field = {1u << SCREE_FRAME_FIELD_COUNT, true, 4, false},
                           level = {0, true, 10, false};
    assert_int_equal(scree_series_open("/tmp", 0, &field, &series), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_series_open("/tmp", 0, &level, &series), SCREE_ERROR_ARGUMENT);
    assert_null(scree_frame_field_name(SCREE_FRAME_FIELD_COUNT));
    assert_null(scree_frame_field_name((scree_frame_field)-1));
    for (int i = 0; i < SCREE_FRAME_FIELD_COUNT; ++i)
        assert_non_null(scree_frame_field_name((scree_frame_field)i));
}

static void touch(const char *path, const char *content) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static void a_new_series_removes_only_old_frames(void **state) {
    (void)state;
    const folder place = folder_make();
    scree_series *series;
    CHECK(scree_series_open(place.path, 0, &everything, &series));
    write_frame(series, 1, 2, 0);
    write_frame(series, 2, 2, 0);
    CHECK(scree_series_close(series));
    touch(folder_file(&place, "frame_00000003.vtkhdf.tmp.4711"), "cut short");
    touch(folder_file(&place, "frame_3.vtkhdf"), "mine");
    touch(folder_file(&place, "frame_00000003.vtkhdf.bak"), "mine");
    touch(folder_file(&place, "notes"), "mine");
    CHECK(scree_series_open(place.path, 1, &everything, &series));
    CHECK(scree_series_close(series));
    assert_int_equal(folder_count(&place, "frame_0000000"), 2); /* step 1, and the foreign copy */
    assert_int_equal(folder_count(&place, ".tmp."), 0);
    CHECK(scree_series_open(place.path, 0, &everything, &series));
    CHECK(scree_series_close(series));
    assert_int_equal(access(folder_file(&place, "frame_00000001.vtkhdf"), F_OK), -1);
    assert_int_equal(access(folder_file(&place, "frame_3.vtkhdf"), F_OK), 0);
    assert_int_equal(access(folder_file(&place, "frame_00000003.vtkhdf.bak"), F_OK), 0);
    assert_int_equal(access(folder_file(&place, "notes"), F_OK), 0);
    folder_remove(&place);
}

static void steps_must_grow(void **state) {
    (void)state;
    const folder place = folder_make();
    scree_series *series;
    CHECK(scree_series_open(place.path, 0, &everything, &series));
    write_frame(series, 3, 2, 0);
    const scree_frame again = make_frame(3, 2, 0);
    assert_int_equal(scree_series_write(series, &again), SCREE_ERROR_ARGUMENT);
    CHECK(scree_series_close(series));
    folder_remove(&place);
}

static void invalid_frames_are_rejected(void **state) {
    (void)state;
    const folder place = folder_make();
    scree_frame frame;
    assert_int_equal(scree_frame_load(folder_file(&place, "missing"), &frame), SCREE_ERROR_FILE);
    assert_non_null(strstr(scree_error_get_message(), "missing"));
    assert_int_equal(scree_frame_load(place.path, &frame), SCREE_ERROR_FILE);
    touch(folder_file(&place, "text"), "not HDF5 at all");
    assert_int_equal(scree_frame_load(folder_file(&place, "text"), &frame), SCREE_ERROR_FORMAT);
    assert_non_null(strstr(scree_error_get_message(), "text"));

    /* A truncated frame file, at every 97th length. */
    scree_series *series;
    CHECK(scree_series_open(place.path, 0, &everything, &series));
    write_frame(series, 1, FEW, 5);
    CHECK(scree_series_close(series));
    const char *path = folder_file(&place, "frame_00000001.vtkhdf");
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    for (off_t length = status.st_size - 1; length >= 0; length -= 97) {
        assert_int_equal(truncate(path, length), 0);
        assert_int_equal(scree_frame_load(path, &frame), SCREE_ERROR_FORMAT);
    }
    assert_int_equal(scree_series_open(place.path, 1, &everything, &series), SCREE_ERROR_FORMAT);
    assert_non_null(strstr(scree_error_get_message(), "frame_00000001"));
    folder_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_read_back_exactly),
        cmocka_unit_test(vtk_reads_the_same_values),
        cmocka_unit_test(frames_contain_the_chosen_fields),
        cmocka_unit_test(invalid_definitions_are_rejected),
        cmocka_unit_test(a_new_series_removes_only_old_frames),
        cmocka_unit_test(steps_must_grow),
        cmocka_unit_test(invalid_frames_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
