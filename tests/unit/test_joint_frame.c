/* Joints in frames, series and pictures: forces against statics, files against the world. */
#include "device.h"
#include "folder.h"
#include "joint_scenery.h"
#include "render/joint_marks.h"

#include <sys/wait.h>

static scree_world *hanging_world(void **state, scree_joint_id ids[3]) {
    scree_world *world = exact_world(state, 0.005);
    /* 2 kg under a hinge, 3 kg below it on a rod, and a joint that breaks at once. */
    const scree_body_id upper = add_mass(world, 2, 0.1, (scree_vec3){1, 0, 1}),
                        lower = add_mass(world, 3, 0.1, (scree_vec3){1, 0, 0.5f}),
                        loose = add_mass(world, 1, 0.1, (scree_vec3){4, 0, 1});
    scree_joint_def hinge =
        joint_at(world, SCREE_JOINT_HINGE, nothing, upper, (scree_vec3){1, 0, 2}, (scree_vec3){0, 1, 0});
    ids[0] = add_joint(world, &hinge);
    scree_joint_def rod = scree_default_joint_def(SCREE_JOINT_DISTANCE);
    rod.a = upper, rod.b = lower, rod.axes[SCREE_AXIS_X].low = 0.5f;
    ids[1] = add_joint(world, &rod);
    scree_joint_def weak =
        joint_at(world, SCREE_JOINT_BALL, nothing, loose, (scree_vec3){4, 0, 1}, (scree_vec3){1, 0, 0});
    weak.break_force = 1;
    ids[2] = add_joint(world, &weak);
    for (int i = 0; i < 3; i++) CHECK(scree_world_step(world, NULL));
    return world;
}

static void assert_same_joint(const scree_frame_joint *a, const scree_frame_joint *b) {
    assert_int_equal(a->id.index, b->id.index);
    assert_int_equal(a->id.generation, b->id.generation);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->a.index, b->a.index);
    assert_int_equal(a->a.generation, b->a.generation);
    assert_int_equal(a->b.index, b->b.index);
    assert_int_equal(a->b.generation, b->b.generation);
    assert_memory_equal(&a->frame, &b->frame, sizeof a->frame);
    assert_memory_equal(a->state.position, b->state.position, sizeof a->state.position);
    assert_memory_equal(a->state.velocity, b->state.velocity, sizeof a->state.velocity);
    assert_memory_equal(&a->state.point_a, &b->state.point_a, 4 * sizeof a->state.point_a);
    assert_true(a->state.error == b->state.error && a->state.angle_error == b->state.angle_error);
    assert_true(a->state.broken == b->state.broken);
}

/* The hinge carries both weights, the rod the lower one: in the frame and in its file. */
static void frames_record_joint_forces(void **state) {
    scree_joint_id ids[3];
    scree_world *world = hanging_world(state, ids);
    scree_frame frame, read;
    CHECK(scree_frame_from_world(world, &frame));
    assert_int_equal(frame.joint_count, 3);
    const scree_frame_joint *hinge = &frame.joints[0], *rod = &frame.joints[1], *weak = &frame.joints[2];
    ASSERT_WITHIN(5 * G, hinge->state.force.z, 0.01);
    ASSERT_WITHIN(3 * G, rod->state.force.z, 0.01);
    ASSERT_WITHIN(0.5, rod->state.position[SCREE_AXIS_X], 1e-4);
    ASSERT_WITHIN(0.5, rod->state.point_b.z, 1e-3);
    ASSERT_WITHIN(1, rod->state.point_a.z, 1e-3);
    assert_int_equal(hinge->a.index, 0);
    assert_int_equal(hinge->kind, SCREE_JOINT_HINGE);
    assert_true(weak->state.broken && !hinge->state.broken);
    const scree_quat q = hinge->frame; /* turns x to y */
    ASSERT_WITHIN(1, 2 * (q.x * q.y + q.w * q.z), 1e-6);

    const folder place = folder_make();
    scree_series *series;
    CHECK(scree_series_open(place.path, 0, NULL, &series));
    CHECK(scree_series_write(series, &frame));
    CHECK(scree_series_close(series));
    CHECK(scree_frame_load(folder_file(&place, "frame_00000003.vtkhdf"), &read));
    assert_int_equal(read.joint_count, 3);
    for (int i = 0; i < 3; i++) assert_same_joint(&frame.joints[i], &read.joints[i]);
    /* The index names the arrays, and h5py finds them. */
    char command[2048];
    snprintf(command, sizeof command,
             "/usr/bin/python3 -I -c 'import sys\ntry:\n import h5py\nexcept ImportError: sys.exit(77)\n"
             "import xml.etree.ElementTree as E\n"
             "grid = E.parse(\"%s/joints.xdmf\").find(\"./Domain/Grid/Grid\")\n"
             "items = {a.get(\"Name\"): a.find(\"DataItem\") for a in grid.findall(\"Attribute\")}\n"
             "name, path = items[\"force\"].text.split(\":\")\n"
             "force = h5py.File(\"%s/\" + name)[path][:]\n"
             "assert items[\"coordinates\"].get(\"Dimensions\") == \"3 6\"\n"
             "assert abs(force[0, 2] - 5 * 9.81) < 0.01 and abs(force[1, 2] - 3 * 9.81) < 0.01, force\n'",
             place.path, place.path);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    const int code = WEXITSTATUS(status);
    scree_frame_release(&read);
    scree_frame_release(&frame);
    scree_world_destroy(world);
    folder_remove(&place);
    if (code == 77) skip();
    assert_int_equal(code, 0);
}

enum { WIDTH = 480, HEIGHT = 360 };
static uint8_t picture[HEIGHT][WIDTH][3];

static bool is_marked(double column, double row) {
    const int c = (int)floor(column), r = (int)floor(row);
    return c >= 0 && c < WIDTH && r >= 0 && r < HEIGHT && picture[r][c][0] != 128;
}

/* A pinhole camera looks along y from 10 m: x and z of the anchors and along an axis are marked, a nearby
 * place is not, and joints behind the eye change nothing. */
static void joints_are_marked_at_their_place(void **state) {
    (void)state;
    scree_frame_joint joint = {.kind = SCREE_JOINT_HINGE, .frame = {0, 0, 0, 1}};
    joint.state.point_a = joint.state.point_b = (scree_vec3){1, 0, -0.5f};
    const scree_frame frame = {.joint_count = 1, .joints = &joint};
    scree_view view = scree_default_view();
    view.width = WIDTH, view.height = HEIGHT, view.automatic = false;
    view.eye = (scree_vec3){0, -10, 0}, view.target = (scree_vec3){0, 0, 0}, view.field_of_view = 30;
    const double scale = HEIGHT / 2.0 / tan(15 * M_PI / 180) / 10; /* pixels per metre */
    const double column = WIDTH / 2.0 + scale, row = HEIGHT / 2.0 + 0.5 * scale;

    memset(picture, 128, sizeof picture);
    joint_marks_draw(&frame, &view, &picture[0][0][0]);
    assert_true(is_marked(column, row));
    assert_true(is_marked(column - 15, row) && is_marked(column + 15, row)); /* along x */
    assert_false(is_marked(column, row - 8) || is_marked(column, row + 8) || is_marked(column + 25, row));

    joint.kind = SCREE_JOINT_DISTANCE;
    joint.state.point_b = (scree_vec3){1, 0, 0.5f};
    memset(picture, 128, sizeof picture);
    joint_marks_draw(&frame, &view, &picture[0][0][0]);
    assert_true(is_marked(column, row) && is_marked(column, row - scale) &&
                is_marked(column, row - scale / 2));
    assert_false(is_marked(column - 15, row) || is_marked(column, row + 8));

    joint.kind = SCREE_JOINT_BALL;
    joint.state.point_a = joint.state.point_b = (scree_vec3){0, -20, 0};
    memset(picture, 128, sizeof picture);
    joint_marks_draw(&frame, &view, &picture[0][0][0]);
    joint.state.point_a = joint.state.point_b = (scree_vec3){NAN, 0, 0};
    joint_marks_draw(&frame, &view, &picture[0][0][0]);
    for (int i = 0; i < WIDTH * HEIGHT; i++) assert_int_equal(picture[i / WIDTH][i % WIDTH][1], 128);
}

/* A picture differs at the joint only if joints are enabled. */
static void pictures_show_joints(void **state) {
    (void)state;
    if (!device_is_there()) skip();
    scree_joint_id ids[3];
    scree_world *world = hanging_world((void *[]){(void *)(uintptr_t) "native"}, ids);
    scree_frame frame;
    CHECK(scree_frame_from_world(world, &frame));
    const folder place = folder_make();
    scree_view view = scree_default_view();
    view.device = test_device();
    char with[256], without[256], plain[256];
    snprintf(with, sizeof with, "%s", folder_file(&place, "with.png"));
    snprintf(without, sizeof without, "%s", folder_file(&place, "without.png"));
    snprintf(plain, sizeof plain, "%s", folder_file(&place, "plain.png"));
    CHECK(scree_snapshot_save(&frame, &view, with));
    view.joints = false;
    CHECK(scree_snapshot_save(&frame, &view, without));
    frame.joint_count = 0;
    view.joints = true;
    CHECK(scree_snapshot_save(&frame, &view, plain));
    frame.joint_count = 3;
    char command[2048];
    snprintf(command, sizeof command, "cmp -s %s %s && ! cmp -s %s %s", without, plain, without, with);
    assert_int_equal(system(command), 0);
    scree_frame_release(&frame);
    scree_world_destroy(world);
    folder_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(frames_record_joint_forces),
        cmocka_unit_test(joints_are_marked_at_their_place),
        cmocka_unit_test(pictures_show_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
