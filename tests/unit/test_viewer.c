/* Keys, mouse and files of the viewer. */
#include "display.h"

#ifdef SCREE_VIEWER

#include "command.h"

#include "view/history.h"
#include "view/keys.h"
#include "view/numbers.h"

#include <png.h>

static const float RADIUS = 0.1f;

/* A ball at rest on the ground, and a viewer that looks at it. */
typedef struct stage {
    scree_world *world;
    scree_body_id ball;
    view_source *source;
    viewer viewer;
} stage;

static scree_world *make_world(scree_body_id *ball) {
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    CHECK(scree_world_create(&def, &world));
    scree_body_def floor_def = scree_default_body_def();
    floor_def.type = SCREE_BODY_STATIC;
    floor_def.shape = scree_shape_half_space();
    CHECK(scree_body_create(world, &floor_def, NULL));
    scree_body_def body = scree_default_body_def();
    body.shape = scree_shape_sphere(RADIUS);
    body.state.position.z = RADIUS;
    CHECK(scree_body_create(world, &body, ball));
    return world;
}

static void set_up(stage *self) {
    self->world = make_world(&self->ball);
    const source_run run = {.world = self->world, .last = UINT64_MAX, .limited = true};
    CHECK(source_live_make(&run, &self->source));
    const scree_view view = view_from((scree_vec3){0, -2, 0.4f}, (scree_vec3){0, 0, 0.3f}, 40);
    CHECK(viewer_make(&self->viewer, self->source, &view));
    self->viewer.panel = false;
    CHECK(viewer_draw(&self->viewer));
}

static void tear_down(stage *self) {
    viewer_release(&self->viewer);
    self->source->release(self->source);
    scree_world_destroy(self->world);
}

static scree_vec3 position_of(const stage *self) {
    scree_body_state state;
    CHECK(scree_body_get_state(self->world, self->ball, &state));
    return state.position;
}

static void move_to(stage *self, scree_vec3 point) {
    double at[3];
    pinhole(&self->viewer.view, point, at);
    viewer_move_mouse(&self->viewer, at[0], at[1]);
}

static void click(stage *self, scree_vec3 point) {
    move_to(self, point);
    viewer_press(&self->viewer, 0, true, false, false);
    viewer_press(&self->viewer, 0, false, false, false);
}

/* A click at the projection of the ball's centre marks it; one beside it marks the ground, one at the sky
 * nothing. */
static void a_click_marks_the_body(void **unused) {
    (void)unused;
    stage self;
    set_up(&self);
    click(&self, (scree_vec3){0, 0, RADIUS});
    assert_int_equal(self.viewer.chosen, self.ball.index);
    const body_numbers numbers = numbers_of(self.source->frame(self.source), self.viewer.chosen);
    char id[32];
    snprintf(id, sizeof id, "id %u, dynamic sphere", (unsigned)self.ball.index);
    assert_string_equal(numbers.lines[0], id);
    assert_string_equal(numbers.lines[2], "position 0 0 0.1 m");
    click(&self, (scree_vec3){0.15f, 0, 0.02f});
    assert_int_equal(self.viewer.chosen, 1);
    click(&self, (scree_vec3){0, 10, 4});
    assert_int_equal(self.viewer.chosen, 0);
    assert_int_equal(numbers_of(self.source->frame(self.source), 0).count, 0);
    tear_down(&self);
}

/* The numbers of a ball at rest are its mass, one contact, and its weight. */
static void the_numbers_are_those_of_the_body(void **unused) {
    (void)unused;
    stage self;
    set_up(&self);
    for (int i = 0; i < 20; i++) {
        viewer_type(&self.viewer, '.', false);
        viewer_pass(&self.viewer, 0, true);
    }
    const body_numbers numbers = numbers_of(self.source->frame(self.source), self.ball.index);
    const double mass = 1000 * 4 / 3.0 * M_PI * 1e-3;
    double value = 0;
    int points = 0;
    for (int i = 0; i < numbers.count; i++) {
        if (sscanf(numbers.lines[i], "mass %lf", &value) == 1) ASSERT_NEAR(value, mass, 1e-4);
        if (sscanf(numbers.lines[i], "contacts %d", &points) == 1) assert_int_equal(points, 1);
        if (sscanf(numbers.lines[i], "normal force %lf", &value) == 1) ASSERT_NEAR(value, mass * 9.81, 0.01);
    }
    assert_int_equal(points, 1);
    tear_down(&self);
}

/* A body hangs below the mouse by half its radius: the spring's length under its weight. */
static void the_mouse_pulls_a_body(void **unused) {
    (void)unused;
    stage self;
    set_up(&self);
    move_to(&self, (scree_vec3){0, 0, RADIUS});
    viewer_press(&self.viewer, 0, true, true, false);
    assert_int_equal(self.viewer.hand, HAND_PULLS);
    move_to(&self, (scree_vec3){0, 0, 0.5f});
    viewer_type(&self.viewer, ' ', false);
    for (int i = 0; i < 40; i++) viewer_pass(&self.viewer, 0.1, true);
    /* The gripped point was on the ball's front; it hangs below the ray's point at its distance from the eye.
     */
    const scree_vec3 goal = self.viewer.pull.goal, now = position_of(&self);
    scree_body_state state;
    CHECK(scree_body_get_state(self.world, self.ball, &state));
    assert_true(goal.z > 0.4f);
    ASSERT_WITHIN(now.z, (double)goal.z - RADIUS / 2,
                  RADIUS); /* the grip is on the surface, above the centre */
    viewer_press(&self.viewer, 0, false, true, false);
    for (int i = 0; i < 20; i++) viewer_pass(&self.viewer, 0.1, true);
    ASSERT_WITHIN(position_of(&self).z, RADIUS, 1e-3); /* it fell back */
    tear_down(&self);
}

/* With a grip at the centre, the spring is longer by half the radius: g/ω² with ω² = 2 g/r. */
static void the_spring_is_as_long_as_stated(void **unused) {
    (void)unused;
    scree_body_id ball;
    scree_world *world = make_world(&ball);
    const pull with = {.body = ball, .goal = {0, 0, 1}};
    for (int i = 0; i < 480; i++) {
        CHECK(pull_apply(&with, world));
        CHECK(scree_world_step(world, NULL));
    }
    scree_body_state state;
    CHECK(scree_body_get_state(world, ball, &state));
    ASSERT_NEAR(1 - (double)state.position.z, RADIUS / 2, 1e-3);
    scree_world_destroy(world);
}

/* Space plays: after t seconds the frame shown is that of the time t. */
static void playing_follows_the_clock(void **unused) {
    (void)unused;
    stage self;
    set_up(&self);
    viewer_type(&self.viewer, ' ', false);
    for (int i = 0; i < 25; i++) viewer_pass(&self.viewer, 0.01, true);
    const double h = 1 / 120.0;
    ASSERT_WITHIN(self.source->frame(self.source)->time, 0.25, h);
    viewer_type(&self.viewer, '-', false); /* half as fast */
    for (int i = 0; i < 50; i++) viewer_pass(&self.viewer, 0.01, true);
    ASSERT_WITHIN(self.source->frame(self.source)->time, 0.5, 2 * h);
    viewer_type(&self.viewer, ' ', false);
    const uint64_t step = self.source->frame(self.source)->step;
    viewer_pass(&self.viewer, 1, true);
    assert_int_equal(self.source->frame(self.source)->step, step);
    viewer_type(&self.viewer, '.', false);
    viewer_pass(&self.viewer, 0, true);
    assert_int_equal(self.source->frame(self.source)->step, step + 1);
    viewer_type(&self.viewer, VIEWER_KEY_HOME, false);
    assert_int_equal(self.source->frame(self.source)->step, 0);
    tear_down(&self);
}

/* A scene of two stages changes gravity in the second, and ends after it. */
static void a_live_run_follows_its_stages(void **unused) {
    (void)unused;
    static const char text[] =
        "{\"time_step\": 0.01, \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}],"
        "\"stages\": [{\"name\": \"fall\", \"until\": {\"time\": 0.1}},"
        "{\"name\": \"rise\", \"gravity\": [0, 0, 5], \"until\": {\"time\": 0.1}}]}";
    scree_scene *scene;
    scree_world *world;
    CHECK(scree_scene_parse(text, sizeof text - 1, "stages", &scene));
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 1));
    const source_run run = {.world = world, .scene = scene};
    view_source *source;
    CHECK(source_live_make(&run, &source));
    bool changed = true;
    for (int i = 0; i < 50 && !source->is_over(source); i++) {
        CHECK(source->step(source));
        CHECK(source->poll(source, true, &changed));
        assert_string_equal(source->note(source), i < 9 ? "stage fall" : "stage rise");
    }
    assert_int_equal(source->frame(source)->step, 20);
    ASSERT_NEAR(source->frame(source)->states[0].linear_velocity.z, 0.1 * (5 - 9.81), 1e-4);
    source->release(source);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

static void write_frames(const char *path, int count) {
    scree_body_id ball;
    scree_world *world = make_world(&ball);
    scree_series *series;
    CHECK(scree_series_open(path, 0, NULL, &series));
    for (int i = 0; i < count; i++) {
        scree_frame frame;
        CHECK(scree_frame_from_world(world, &frame));
        CHECK(scree_series_write(series, &frame));
        scree_frame_release(&frame);
        for (int k = 0; k < 12; k++) CHECK(scree_world_step(world, NULL));
    }
    CHECK(scree_series_close(series));
    scree_world_destroy(world);
}

/* Recorded frames: the last is shown first; keys, the clock and the slider reach each. */
static void recorded_frames_are_shown_by_time(void **unused) {
    (void)unused;
    viewer self;
    view_source *source;
    write_frames(folder, 6);
    CHECK(source_recorded_make(folder, &source));
    assert_int_equal(source->count(source), 6);
    assert_int_equal(source->frame(source)->step, 60);
    const scree_view view = view_from((scree_vec3){0, -2, 0.4f}, (scree_vec3){0, 0, 0.3f}, 40);
    CHECK(viewer_make(&self, source, &view));
    viewer_type(&self, VIEWER_KEY_HOME, false);
    viewer_type(&self, VIEWER_KEY_RIGHT, false);
    assert_int_equal(source->frame(source)->step, 12);
    viewer_type(&self, ' ', false);
    for (int i = 0; i < 25; i++) viewer_pass(&self, 0.01, false); /* 0.1 s + 0.25 s */
    assert_int_equal(source->frame(source)->step, 36);
    for (int i = 0; i < 50; i++) viewer_pass(&self, 0.01, false);
    assert_int_equal(source->frame(source)->step, 60);
    assert_false(self.playing);
    CHECK(viewer_draw(&self)); /* places the slider */
    const widget_box slider = self.widgets.boxes[self.widgets.box_count - 2];
    viewer_move_mouse(&self, slider.left + 0.4 * slider.width, slider.top + slider.height / 2.0);
    viewer_press(&self, 0, true, false, false);
    CHECK(viewer_draw(&self));
    viewer_press(&self, 0, false, false, false);
    assert_int_equal(source->frame(source)->step, 24);
    viewer_release(&self);
    source->release(source);
    CHECK_FAILS(source_recorded_make("/", &source), SCREE_ERROR_ARGUMENT, "no frames");
}

/* Thinned frames keep the first and the last, in order. */
static void a_full_history_keeps_the_whole_run(void **unused) {
    (void)unused;
    history kept = {.most = 4000};
    for (int i = 0; i < 200; i++) {
        scree_frame frame = {.step = (uint64_t)i, .count = 1};
        CHECK(history_add(&kept, &frame));
    }
    assert_true(kept.count < 100);
    assert_int_equal(kept.frames[0].step, 0);
    assert_int_equal(kept.frames[kept.count - 1].step, 199);
    for (int i = 1; i < kept.count; i++) assert_true(kept.frames[i].step > kept.frames[i - 1].step);
    history_release(&kept);
}

static char copied[512];
static void copy(void *context, const char *text) {
    (void)context;
    snprintf(copied, sizeof copied, "%s", text);
}

/* A drag turns the eye about the target at its distance; a scene reads the camera that K copies, and has the
 * same one. */
static void the_camera_goes_to_a_scene(void **unused) {
    (void)unused;
    stage self;
    set_up(&self);
    self.viewer.clipboard = copy;
    viewer_press(&self.viewer, 0, true, false, false);
    viewer_move_mouse(&self.viewer, self.viewer.x + HEIGHT / 4.0, self.viewer.y + 20);
    viewer_press(&self.viewer, 0, false, false, false);
    viewer_type(&self.viewer, 'K', false);
    char text[1024];
    snprintf(text, sizeof text, "{\"bodies\": [], \"outputs\": {%s}}", copied);
    scree_scene *scene;
    CHECK(scree_scene_parse(text, strlen(text), "camera", &scene));
    const scree_camera camera = scree_scene_get_run_def(scene).camera;
    scree_scene_destroy(scene);
    const double x = camera.eye.x, y = camera.eye.y, z = (double)camera.eye.z - 0.3;
    ASSERT_NEAR(sqrt(x * x + y * y + z * z), sqrt(4 + 0.01), 1e-4);
    /* a quarter of the height is an eighth of a turn, to the left as the picture moves to the right */
    ASSERT_NEAR(atan2(y, x), -M_PI / 2 - M_PI / 4, 1e-4);
    ASSERT_NEAR(asin(z / sqrt(4.01)), asin(0.1 / sqrt(4.01)) + 20 * M_PI / HEIGHT, 1e-3);
    ASSERT_NEAR(camera.field_of_view, 40, 1e-5);
    tear_down(&self);
}

/* A picture's file has the pixels of the picture. */
static void a_picture_is_saved(void **unused) {
    (void)unused;
    stage self;
    char path[256];
    const uint8_t *pixels;
    set_up(&self);
    snprintf(path, sizeof path, "%s/view.png", folder);
    CHECK(viewer_save(&self.viewer, path));
    CHECK(viewer_picture(&self.viewer, &pixels));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    static uint8_t read[PIXELS][3];
    assert_true(image.width == WIDTH && image.height == HEIGHT);
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
    assert_memory_equal(read, pixels, sizeof read);
    tear_down(&self);
}

/* A video has a picture for each thirtieth of a second, and the size of the window. Without ffmpeg the
 * message names it. */
static void a_video_is_recorded(void **unused) {
    (void)unused;
    recorder film;
    char *const path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    CHECK_FAILS(recorder_begin(&film, "x.mp4", 16, 16), SCREE_ERROR_FILE, "ffmpeg");
    setenv("PATH", path, 1);
    free(path);
    if (!recorder_is_there()) skip();
    stage self;
    char name[256];
    set_up(&self);
    snprintf(name, sizeof name, "%s/view.mp4", folder);
    CHECK(recorder_begin(&self.viewer.film, name, WIDTH, HEIGHT));
    viewer_type(&self.viewer, ' ', false);
    for (int i = 0; i < 12; i++) viewer_pass(&self.viewer, 5, false);
    ASSERT_WITHIN(self.source->frame(self.source)->time, 12 / 30.0, 1 / 120.0);
    CHECK(recorder_end(&self.viewer.film));
    EXPECT_CODE(shell("ffmpeg -loglevel error -i view.mp4 -f rawvideo -pix_fmt rgb24 - | wc -c"), 0);
    assert_int_equal(atoi(standard_output), 12 * 3 * PIXELS);
    tear_down(&self);
}

/* Each key of the table has an action that can be taken at any time, and leaves a picture. */
static void every_key_works(void **unused) {
    (void)unused;
    stage self;
    set_up(&self);
    assert_int_equal(chdir(folder), 0); /* of pictures and videos */
    self.viewer.panel = true;
    for (const key_action *row = keys_table(); row->help; row++) {
        if (!row->act) continue;
        viewer_type(&self.viewer, row->key, row->shift);
        viewer_pass(&self.viewer, 0.01, true);
        CHECK(viewer_draw(&self.viewer));
    }
    assert_true(self.viewer.closing);
    EXPECT_CODE(shell("ls view-*.png"), 0);
    tear_down(&self);
}

/* The program draws a picture of a scene, refuses to run without a display, and names another command. */
static void the_program_views_files(void **unused) {
    (void)unused;
    write_text(
        "ball.json",
        "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}], \"run\": {\"steps\": 9}}");
    EXPECT_CODE(shell("scree view ball.json --at 5 --backend native --picture ball.png --size 64x48"), 0);
    ASSERT_HOLDS(standard_output, "ball.png: step 5");
    assert_true(exists("ball.png"));
    write_text(
        "camera.json",
        "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}], \"outputs\": {\"camera\": "
        "{\"eye\": [1, -2, 1], \"target\": [0, 0, 0.1], \"field_of_view_degrees\": 30}}}");
    EXPECT_CODE(
        shell("scree view camera.json --backend native --paused --picture one.png --size 64x48 && "
              "scree view ball.json --backend native --at 0 --picture two.png --size 64x48 --eye 1,-2,1 "
              "--target 0,0,0.1 --fov 30 && cmp one.png two.png"),
        0);
    EXPECT_CODE(shell("scree view frame_00000012.vtkhdf --picture frame.png --size 64x48"), 0);
    EXPECT_CODE(shell("DISPLAY= && scree view ball.json"), 2);
    ASSERT_HOLDS(standard_error, "no display");
    ASSERT_HOLDS(standard_error, "`scree run ball.json --snapshot 100`");
    EXPECT_CODE(shell("scree view ball.json --picture ball.jpg"), 2);
    EXPECT_CODE(shell("scree view stdout"), 2);
}

static int open_all(void **state) { return folder_set_up_without_devices(state) || display_open(state); }

static int close_all(void **state) {
    display_close(state);
    return folder_tear_down(state);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_click_marks_the_body),
    cmocka_unit_test(the_numbers_are_those_of_the_body),
    cmocka_unit_test(the_mouse_pulls_a_body),
    cmocka_unit_test(the_spring_is_as_long_as_stated),
    cmocka_unit_test(playing_follows_the_clock),
    cmocka_unit_test(a_live_run_follows_its_stages),
    cmocka_unit_test(recorded_frames_are_shown_by_time),
    cmocka_unit_test(a_full_history_keeps_the_whole_run),
    cmocka_unit_test(the_camera_goes_to_a_scene),
    cmocka_unit_test(a_picture_is_saved),
    cmocka_unit_test(a_video_is_recorded),
    cmocka_unit_test(every_key_works),
    cmocka_unit_test(the_program_views_files),
};

DISPLAY_MAIN(tests, open_all, close_all)

#else

DISPLAY_MAIN(, , )

#endif
