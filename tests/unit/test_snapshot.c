/* Snapshots against independent projections by the pinhole camera. */
#include "render/camera.h"
#include "render/snapshot_colour.h"
#include "render/snapshot_scene.h"
#include "base/vector.h"
#include "ray.h"

#include "device.h"
#include "still_frame.h"

#include <png.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIDE = 200 };

static scree_shape ball(float radius) { return (scree_shape){SCREE_SHAPE_SPHERE, {radius, 0, 0}, NULL}; }
static scree_shape brick(float x, float y, float z) {
    return (scree_shape){SCREE_SHAPE_BOX, {x, y, z}, NULL};
}
static scree_shape ground(void) { return (scree_shape){SCREE_SHAPE_HALF_SPACE, {0, 0, 0}, NULL}; }

/* Returns a camera at `eye` that looks at the origin; f is SIDE/2 / tan(15°) pixels. */
static scree_view view_from(float x, float y, float z) {
    scree_view view = scree_default_view();
    view.width = view.height = SIDE;
    view.automatic = false;
    view.eye = (scree_vec3){x, y, z};
    view.field_of_view = 30;
    view.colouring = SCREE_COLOURING_ID;
    return view;
}

static double focal_length(void) { return SIDE / 2 / tan(15 * M_PI / 180); }

typedef struct picture {
    uint8_t pixels[SIDE][SIDE][3];
} picture;

/* Draws; with one ray through the middle of each pixel, pixel counts measure area without bias, and shadows
 * are hard. */
static void draw(const moment *still, const scree_view *view, int samples, picture *out) {
    snapshot_scene scene;
    CHECK(snapshot_scene_make(&still->frame, view, &scene));
    scene.image.samples = samples;
    scene.image.device = test_device();
    const scree_result result = scree_image_trace(&scene.image, &out->pixels[0][0][0]);
    snapshot_scene_release(&scene);
    if (!device_is_there()) skip();
    if (result != SCREE_OK) print_message("%s\n", scree_error_get_message());
    assert_int_equal(result, SCREE_OK);
}

/* area (pixels) and centroid (pixels from the left and upper edge) */
typedef struct patch {
    double area, x, y;
} patch;

/* Returns the patch in which two pictures differ by more than `least` levels. */
static patch difference(const picture *a, const picture *b, int least) {
    patch sum = {0};
    for (int row = 0; row < SIDE; ++row)
        for (int column = 0; column < SIDE; ++column) {
            int most = 0;
            for (int k = 0; k < 3; ++k) {
                const int apart = abs(a->pixels[row][column][k] - b->pixels[row][column][k]);
                if (apart > most) most = apart;
            }
            if (most > least) ++sum.area, sum.x += column + 0.5, sum.y += row + 0.5;
        }
    if (sum.area > 0) sum.x /= sum.area, sum.y /= sum.area;
    return sum;
}

static picture with, without;

/* A sphere of radius r at distance d in the middle is a disc of radius f r/√(d² − r²) in the picture. */
static void sphere_in_the_middle_is_a_disc(void **unused) {
    (void)unused;
    const scree_view view = view_from(0, -10, 0);
    draw(empty_still(), &view, 1, &without);
    moment *still = empty_still();
    add(still, SCREE_BODY_DYNAMIC, ball(1), 0, 0, 0);
    draw(still, &view, 1, &with);
    const double radius = focal_length() / sqrt(99);
    const patch seen = difference(&with, &without, 2);
    assert_float_equal(seen.area, M_PI * radius * radius, radius); /* a sixth of a pixel of radius */
    assert_float_equal(seen.x, SIDE / 2.0, 0.2);
    assert_float_equal(seen.y, SIDE / 2.0, 0.2);
}

/* A sphere at the angle θ from the axis, of angular radius α = asin(r/D), is an ellipse: from f tan(θ − α) to
 * f tan(θ + α) along the radius, with eccentricity sin θ/cos α. */
static void sphere_off_the_axis_is_an_ellipse(void **unused) {
    (void)unused;
    const scree_view view = view_from(0, -10, 0);
    draw(empty_still(), &view, 1, &without);
    moment *still = empty_still();
    add(still, SCREE_BODY_DYNAMIC, ball(0.5f), 1.6f, 0, -0.8f);
    draw(still, &view, 1, &with);
    const double out = sqrt(1.6 * 1.6 + 0.8 * 0.8), theta = atan2(out, 10);
    const double alpha = asin(0.5 / sqrt(100 + out * out)), f = focal_length();
    const double middle = f * (tan(theta + alpha) + tan(theta - alpha)) / 2;
    const double major = f * (tan(theta + alpha) - tan(theta - alpha)) / 2;
    const double eccentricity = sin(theta) / cos(alpha);
    const double minor = major * sqrt(1 - eccentricity * eccentricity);
    const patch seen = difference(&with, &without, 2);
    assert_float_equal(seen.area, M_PI * major * minor, major);
    assert_float_equal(seen.x, SIDE / 2.0 + middle * 1.6 / out, 0.3);
    assert_float_equal(seen.y, SIDE / 2.0 + middle * 0.8 / out, 0.3);
}

/* The near face of a box, at distance d − h, hides the rest: a rectangle of 2 h f/(d − h). */
static void box_face_is_a_rectangle(void **unused) {
    (void)unused;
    const scree_view view = view_from(10, 0, 0);
    draw(empty_still(), &view, 1, &without);
    moment *still = empty_still();
    add(still, SCREE_BODY_DYNAMIC, brick(1, 1.5f, 0.7f), 0, 0, 0);
    draw(still, &view, 1, &with);
    const double scale = focal_length() / 9;
    const patch seen = difference(&with, &without, 2);
    assert_float_equal(seen.area, 3 * 1.4 * scale * scale, 4.4 * scale); /* a pixel along half the rim */
    assert_float_equal(seen.x, SIDE / 2.0, 0.2);
    assert_float_equal(seen.y, SIDE / 2.0, 0.2);
}

/* Seen from straight above, a ball of radius r at p casts the shadow of a parallel light l on the ground: an
 * ellipse about p − l p_z/l_z of the semi-axes r and r/l_z. The ball is coloured, its shadow is grey. */
static void shadow_follows_the_light(void **unused) {
    (void)unused;
    const scree_view view = view_from(0, 0, 12);
    moment *still = empty_still();
    add(still, SCREE_BODY_STATIC, ground(), 0, 0, 0);
    draw(still, &view, 1, &without);
    add(still, SCREE_BODY_DYNAMIC, ball(0.5f), 1, 1, 2.5f);
    draw(still, &view, 1, &with);
    for (int row = 0; row < SIDE; ++row)
        for (int column = 0; column < SIDE; ++column) {
            uint8_t *pixel = with.pixels[row][column];
            const bool coloured = abs(pixel[0] - pixel[1]) > 12 || abs(pixel[1] - pixel[2]) > 12;
            if (coloured) memcpy(pixel, without.pixels[row][column], 3);
        }
    const vec3s light = vec3_in(camera_image(&view).light);
    const double scale = focal_length() / 12;
    const patch seen = difference(&with, &without, 20);
    assert_float_equal(seen.x, SIDE / 2.0 + scale * (1 - 2.5 * light.x / light.z), 0.3);
    assert_float_equal(seen.y, SIDE / 2.0 - scale * (1 - 2.5 * light.y / light.z), 0.3);
    assert_float_equal(seen.area, M_PI * 0.25 / light.z * scale * scale, 0.5 * scale);
}

static void equal_frames_give_equal_pictures(void **unused) {
    (void)unused;
    moment *still = empty_still();
    add(still, SCREE_BODY_STATIC, ground(), 0, 0, 0);
    for (int i = 0; i < 300; ++i)
        add(still, SCREE_BODY_DYNAMIC, i % 3 ? ball(0.2f) : brick(0.2f, 0.1f, 0.15f), 0.3f * (float)(i % 7),
            0.3f * (float)(i / 7 % 7), 0.2f + 0.3f * (float)(i / 49));
    scree_view view = scree_default_view();
    view.width = view.height = SIDE;
    draw(still, &view, 3, &with);
    draw(still, &view, 3, &without);
    assert_memory_equal(&with, &without, sizeof with);
}

/* Returns how far a point is from the middle of a settled view's picture (1: at the edge). */
static double off_centre(const scree_view *view, scree_vec3 point) {
    const scree_image_def ray = camera_image(view);
    const vec3s from = vec3_of(point.x - view->eye.x, point.y - view->eye.y, point.z - view->eye.z);
    const double depth = glms_vec3_dot(from, vec3_in(ray.forward));
    const double x = glms_vec3_dot(from, vec3_in(ray.right)) / glms_vec3_norm2(vec3_in(ray.right)) / depth;
    const double y = glms_vec3_dot(from, vec3_in(ray.up)) / glms_vec3_norm2(vec3_in(ray.up)) / depth;
    return depth > 0 ? fmax(fabs(x), fabs(y)) : 1e9;
}

/* A block of balls fills the picture, with ten distant balls (1 %) or none, also a hundred metres from the
 * origin. */
static void automatic_camera_frames_the_pile(void **unused) {
    (void)unused;
    for (int strays = 0; strays <= 10; strays += 10)
        for (int place = 0; place <= 100; place += 100) {
            moment *still = empty_still();
            for (int i = 0; i < 1000; ++i)
                add(still, SCREE_BODY_DYNAMIC, ball(0.01f), (float)place + 0.02f * (float)(i % 10),
                    0.02f * (float)(i / 10 % 10), 0.02f * (float)(i / 100));
            for (int i = 0; i < strays; ++i)
                add(still, SCREE_BODY_DYNAMIC, ball(0.01f), (float)(50 * i), -80, 1);
            const scree_view wanted = scree_default_view();
            scree_view view;
            CHECK(camera_find(&still->frame, &wanted, &view));
            double farthest = 0;
            for (int i = 0; i < 1000; ++i)
                farthest = fmax(farthest, off_centre(&view, still->states[i].position));
            assert_true(farthest < 1);
            assert_true(farthest > 0.75);
            const double down = atan2(view.eye.z - view.target.z,
                                      hypot(view.eye.x - view.target.x, view.eye.y - view.target.y));
            assert_float_equal(down * 180 / M_PI, 24, 0.1);
        }
}

/* For an open box, the two walls on the camera's side (right, +x; front, −y) are cut away; back, left and
 * floor stay. A pillar within the pile stays too. */
static void near_walls_are_cut(void **unused) {
    (void)unused;
    moment *still = empty_still();
    const int floor = add(still, SCREE_BODY_STATIC, brick(1, 1, 0.1f), 0, 0, -0.1f);
    const int right = add(still, SCREE_BODY_STATIC, brick(0.1f, 1, 2), 1.1f, 0, 2);
    const int left = add(still, SCREE_BODY_STATIC, brick(0.1f, 1, 2), -1.1f, 0, 2);
    const int back = add(still, SCREE_BODY_STATIC, brick(1, 0.1f, 2), 0, 1.1f, 2);
    const int front = add(still, SCREE_BODY_KINEMATIC, brick(1, 0.1f, 2), 0, -1.1f, 2);
    const int pillar = add(still, SCREE_BODY_STATIC, brick(0.1f, 0.1f, 2), 0, 0, 2);
    for (int i = 0; i < 500; ++i)
        add(still, SCREE_BODY_DYNAMIC, ball(0.1f), -0.9f + 0.2f * (float)(i % 10),
            -0.9f + 0.2f * (float)(i / 10 % 10), 0.1f + 0.2f * (float)(i / 100));
    const scree_view wanted = scree_default_view();
    scree_view view;
    CHECK(camera_find(&still->frame, &wanted, &view));
    bool cut[BODIES] = {0};
    CHECK(snapshot_cut(&still->frame, view.eye, cut));
    assert_true(cut[right] && cut[front]);
    assert_false(cut[floor] || cut[left] || cut[back] || cut[pillar]);
    for (int i = 6; i < still->frame.count; ++i) assert_false(cut[i]);
    /* From below, the floor hides the pile. */
    CHECK(snapshot_cut(&still->frame, (scree_vec3){0, 0, -5}, cut));
    assert_true(cut[floor]);
}

/* For a tube of four sides as a mesh, the two triangles of the side in front of the grains are cut away. */
static void near_triangles_are_cut(void **unused) {
    (void)unused;
    const scree_vec3 vertices[] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    const scree_triangle sides[] = {{{0, 1, 5}}, {{0, 5, 4}}, {{1, 2, 6}}, {{1, 6, 5}},
                                    {{2, 3, 7}}, {{2, 7, 6}}, {{3, 0, 4}}, {{3, 4, 7}}};
    scree_geometry *tube;
    CHECK(scree_mesh_create(vertices, 8, sides, 8, &tube));
    moment *still = empty_still();
    add(still, SCREE_BODY_DYNAMIC, ball(0.1f), 0.5f, 0, -0.5f);
    add(still, SCREE_BODY_STATIC, scree_shape_mesh(tube, 1), 0, 0, 0);
    for (int i = 0; i < 400; ++i)
        add(still, SCREE_BODY_DYNAMIC, ball(0.1f), -0.9f + 0.2f * (float)(i % 10),
            -0.9f + 0.2f * (float)(i / 10 % 10), -0.9f + 0.4f * (float)(i / 100));
    bool cut[BODIES + 7] = {0};
    CHECK(snapshot_cut(&still->frame, (scree_vec3){0, -10, 0}, cut));
    for (int part = 0; part < still->frame.count + 7; ++part)
        assert_int_equal(cut[part], part == 1 || part == 2);
    CHECK(snapshot_cut(&still->frame, (scree_vec3){10, 0, 0}, cut));
    for (int part = 0; part < still->frame.count + 7; ++part)
        assert_int_equal(cut[part], part == 3 || part == 4);
    scree_geometry_release(tube);
}

/* A tube of 16 sides that grains fill to a fifth is cut over its whole height where its outside faces the
 * eye. */
static void a_vessel_is_cut_at_its_outline(void **unused) {
    (void)unused;
    enum { SIDES = 16, TRIANGLES = 4 * SIDES };
    scree_vec3 vertices[3 * SIDES];
    scree_triangle faces[TRIANGLES];
    for (int i = 0; i < 3 * SIDES; ++i) {
        const double angle = 2 * M_PI * (i % SIDES) / SIDES;
        vertices[i] = (scree_vec3){(float)cos(angle), (float)sin(angle), 1.5f * (float)(i / SIDES)};
    }
    for (int i = 0; i < 2 * SIDES; ++i) {
        const int ring = i / SIDES * SIDES, next = ring + (i + 1) % SIDES;
        faces[2 * i] = (scree_triangle){{i, next, next + SIDES}};
        faces[2 * i + 1] = (scree_triangle){{i, next + SIDES, i + SIDES}};
    }
    scree_geometry *tube;
    CHECK(scree_mesh_create(vertices, 3 * SIDES, faces, TRIANGLES, &tube));
    moment *still = empty_still();
    add(still, SCREE_BODY_STATIC, scree_shape_mesh(tube, 1), 0, 0, 0);
    for (int i = 0; i < 200; ++i)
        add(still, SCREE_BODY_DYNAMIC, ball(0.05f), -0.6f + 0.1333f * (float)(i % 10),
            -0.6f + 0.1333f * (float)(i / 10 % 10), 0.1f + 0.4f * (float)(i / 100));
    bool cut[BODIES + TRIANGLES] = {0};
    const scree_vec3 eye = {2, -6, 3};
    CHECK(snapshot_cut(&still->frame, eye, cut));
    for (int k = 0; k < TRIANGLES; ++k) {
        const double angle = 2 * M_PI * (k / 2 % SIDES + 0.5) / SIDES;
        const double outside = cos(angle) * (double)eye.x + sin(angle) * (double)eye.y - cos(M_PI / SIDES);
        assert_int_equal(cut[k], outside > 0);
    }
    scree_geometry_release(tube);
}

static double brightness(vec3s colour) { return 0.2126 * colour.x + 0.7152 * colour.y + 0.0722 * colour.z; }

static void colours_mean_what_they_say(void **unused) {
    (void)unused;
    const vec3s rest = colouring_row_of(SCREE_COLOURING_SPEED)->colour(0),
                fast = colouring_row_of(SCREE_COLOURING_SPEED)->colour(1);
    assert_true(rest.z > 2 * rest.x && fast.x > 10 * fast.y && fast.x > 5 * fast.z);
    for (int i = 0; i < 100; ++i) /* viridis brightens monotonically */
        assert_true(brightness(colouring_row_of(SCREE_COLOURING_DEPTH)->colour((scalar)(i + 1) / 100)) >
                    brightness(colouring_row_of(SCREE_COLOURING_DEPTH)->colour((scalar)i / 100)));
    for (uint32_t id = 1; id < 1000; ++id) {
        const vec3s apart = glms_vec3_sub(snapshot_colour_id(id), snapshot_colour_id(id + 1));
        assert_true(glms_vec3_norm(apart) > 0.15f);
    }
}

static float upper_end(const moment *still, const scree_view *view) {
    snapshot_scale scale;
    CHECK(snapshot_scale_make(&still->frame, view, &scale));
    snapshot_scale_release(&scale);
    return scale.high;
}

/* A nearly resting pile is blue; falling bodies are red; a given range is used unchanged. */
static void colours_are_scaled_by_the_fastest(void **unused) {
    (void)unused;
    moment *still = empty_still();
    add(still, SCREE_BODY_DYNAMIC, ball(0.05f), 0, 0, 0);
    add(still, SCREE_BODY_DYNAMIC, ball(0.05f), 1, 0, 0);
    scree_view view = scree_default_view();
    still->states[0].linear_velocity.x = 0.001f;
    assert_float_equal(upper_end(still, &view), sqrt(2 * 9.81 * 0.1), 1e-5);
    still->states[1].linear_velocity.z = -7;
    assert_float_equal(upper_end(still, &view), 7, 0);
    view.colour_range = 0.5f;
    assert_float_equal(upper_end(still, &view), 0.5, 0);
}

static char folder[] = "/tmp/scree_test_snapshot_XXXXXX";
static char path[128];

static scree_result write_small(const scree_view *view, const char *where) {
    moment *still = empty_still();
    add(still, SCREE_BODY_STATIC, ground(), 0, 0, 0);
    add(still, SCREE_BODY_DYNAMIC, ball(0.5f), 0, 0, 0.5f);
    return scree_snapshot_save(&still->frame, view, where);
}

static scree_view small_view(void) {
    scree_view view = scree_default_view();
    view.width = 40, view.height = 24, view.device = test_device();
    return view;
}

static void need_device(void) {
    if (!device_is_there()) skip();
}

/* libpng reads the size, and the colour of a red ball in the middle. */
static void picture_is_a_png(void **unused) {
    (void)unused;
    need_device();
    const scree_view view = small_view();
    CHECK(write_small(&view, path));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, 40);
    assert_int_equal(image.height, 24);
    assert_int_equal(image.format, PNG_FORMAT_RGB);
    uint8_t pixels[24][40][3];
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    assert_true(pixels[12][20][2] > pixels[12][20][0] + 40); /* at rest: blue */
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(unlink(path), 0);
}

static void empty_frame_is_drawn(void **unused) {
    (void)unused;
    need_device();
    const scree_view view = small_view();
    CHECK(scree_snapshot_save(&empty_still()->frame, &view, path));
    assert_int_equal(unlink(path), 0);
}

/* Bodies with a non-finite state are left out. */
static void lost_bodies_are_left_out(void **unused) {
    (void)unused;
    moment *still = empty_still();
    add(still, SCREE_BODY_DYNAMIC, ball(1), 0, 0, 0);
    add(still, SCREE_BODY_DYNAMIC, ball(1), NAN, 0, 0);
    still->states[add(still, SCREE_BODY_DYNAMIC, ball(1), 0, 0, 0)].rotation.w = INFINITY;
    const scree_view view = scree_default_view();
    snapshot_scene scene;
    CHECK(snapshot_scene_make(&still->frame, &view, &scene));
    assert_int_equal(scene.image.body_count, 1);
    assert_true(scene.image.eye.x > 0);
    snapshot_scene_release(&scene);
}

/* Each field of bodies gives the scale's ends: spin, mass (g), contacts, energy, overlap, velocity. */
static void scales_show_every_field(void **unused) {
    (void)unused;
    float masses[2] = {0.5f, 2};
    int counts[2] = {3, 5};
    double energies[2] = {1, 4};
    moment *still = empty_still();
    for (int i = 0; i < 2; i++) add(still, SCREE_BODY_DYNAMIC, ball(1), 0, 0, (float)i);
    still->frame.masses = masses;
    still->frame.contact_counts = counts;
    still->frame.kinetic_energies = energies;
    still->frame.contact_count = 1;
    still->contacts[0] = (scree_contact){.a = still->ids[0], .b = still->ids[1], .gap = -0.01f};
    still->states[0].angular_velocity = (scree_vec3){3, 0, 4};
    still->states[1].linear_velocity = (scree_vec3){-7, 2, 0.5f};
    const struct {
        scree_colouring colouring;
        float low, high;
    } expected[] = {{SCREE_COLOURING_SPIN, 0, 5},        {SCREE_COLOURING_MASS, 500, 2000},
                    {SCREE_COLOURING_CONTACTS, 0, 5},    {SCREE_COLOURING_ENERGY, 0, 4},
                    {SCREE_COLOURING_OVERLAP, 0, 0.01f}, {SCREE_COLOURING_VELOCITY_X, -7, 7},
                    {SCREE_COLOURING_VELOCITY_Y, -2, 2}, {SCREE_COLOURING_VELOCITY_Z, -0.5f, 0.5f}};
    for (int k = 0; k < 8; k++) {
        scree_view view = scree_default_view();
        view.colouring = expected[k].colouring;
        snapshot_scale scale;
        CHECK(snapshot_scale_make(&still->frame, &view, &scale));
        assert_float_equal(scale.low, expected[k].low, 1e-6);
        assert_float_equal(scale.high, expected[k].high, 1e-6);
        snapshot_scale_release(&scale);
    }
    still->frame.fields &= ~(1u << SCREE_FRAME_KINETIC_ENERGY);
    scree_view view = scree_default_view();
    view.colouring = SCREE_COLOURING_ENERGY;
    snapshot_scale scale;
    CHECK_FAILS(snapshot_scale_make(&still->frame, &view, &scale), SCREE_ERROR_ARGUMENT, "kinetic energies");
}

static void invalid_views_are_rejected(void **unused) {
    (void)unused;
    scree_view bad[12];
    for (int i = 0; i < 12; ++i) bad[i] = view_from(1, 2, 3);
    bad[0].width = 15;
    bad[1].width = 8193;
    bad[2].height = 0;
    bad[3].height = 100000;
    bad[4].colouring = SCREE_COLOURING_COUNT;
    bad[5].colour_range = -1;
    bad[6].colour_range = NAN;
    bad[7].target = bad[7].eye;
    bad[8].eye.x = INFINITY;
    bad[9].target.z = NAN;
    bad[10].field_of_view = 0.5f;
    bad[11].field_of_view = NAN;
    for (int i = 0; i < 12; ++i) {
        assert_int_equal(write_small(&bad[i], path), SCREE_ERROR_ARGUMENT);
        assert_true(strlen(scree_error_get_message()) > 20);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    assert_int_equal(write_small(NULL, path), SCREE_ERROR_ARGUMENT);
    const scree_view view = small_view();
    assert_int_equal(write_small(&view, NULL), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_snapshot_save(NULL, &view, path), SCREE_ERROR_ARGUMENT);
    assert_null(scree_colouring_name(SCREE_COLOURING_COUNT));
}

static void unknown_device_is_rejected(void **unused) {
    (void)unused;
    need_device();
    scree_view view = small_view();
    view.device = "no such device";
    assert_int_equal(write_small(&view, path), SCREE_ERROR_NO_DEVICE);
}

/* A missing folder or a full file system (imitated by a limit on file sizes) leaves no file behind. */
static void unwritable_paths_are_reported(void **unused) {
    (void)unused;
    need_device();
    const scree_view view = small_view();
    assert_int_equal(write_small(&view, "/nonexistent/folder/picture.png"), SCREE_ERROR_FILE);
    assert_non_null(strstr(scree_error_get_message(), "/nonexistent/folder/picture.png"));

    scree_view large = view;
    large.width = large.height = 600;
    CHECK(write_small(&large, path)); /* the driver writes its own files first */
    assert_int_equal(unlink(path), 0);
    struct rlimit before, tight;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = before;
    tight.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const scree_result result = write_small(&large, path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(result, SCREE_ERROR_FILE);
    assert_int_equal(rmdir(folder), 0); /* the folder is empty */
    assert_int_equal(mkdir(folder, 0700), 0);
}

/* an allocator that fails at one call */
typedef struct meagre {
    int calls, failing, held;
} meagre;

static void *meagre_allocate(size_t bytes, void *user) {
    meagre *self = user;
    if (self->calls++ == self->failing) return NULL;
    void *block = malloc(bytes);
    self->held += block != NULL;
    return block;
}

static void meagre_release(void *block, void *user) {
    meagre *self = user;
    self->held -= block != NULL;
    free(block);
}

static void running_out_of_memory_leaks_nothing(void **unused) {
    (void)unused;
    need_device();
    const scree_view view = small_view();
    scree_result result = SCREE_ERROR_MEMORY;
    for (int failing = 0; result != SCREE_OK; ++failing) {
        assert_true(failing < 1000);
        meagre memory = {0, failing, 0};
        scree_set_allocator(&(scree_allocator){meagre_allocate, meagre_release, &memory});
        result = write_small(&view, path);
        scree_set_allocator(NULL);
        assert_int_equal(memory.held, 0);
        /* The program cache is skipped without memory. */
        assert_true(result == SCREE_ERROR_MEMORY || result == SCREE_OK);
        if (result == SCREE_OK && memory.calls > failing) result = SCREE_ERROR_MEMORY;
    }
    assert_int_equal(unlink(path), 0);
}

/* oclgrind interprets the kernel and reports stray accesses, races and uninitialised values. It runs this
 * program again. */
static void oclgrind_reports_no_errors(void **unused) {
    (void)unused;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* it preloads its runtime, and so must ASan */
#endif
    if (system("oclgrind --version > /dev/null 2>&1") != 0) skip();
    char self[512] = "", command[2048], log[160];
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    snprintf(log, sizeof log, "%s/oclgrind.log", folder);
    snprintf(command, sizeof command,
             "oclgrind --build-options -DSCREE_INLINE= --data-races --uninitialized --log %s %s --draw %s",
             log, self, path);
    assert_int_equal(system(command), 0);
    struct stat status;
    assert_int_equal(stat(log, &status), 0);
    if (status.st_size) {
        snprintf(command, sizeof command, "head -c 4000 %s", log);
        (void)!system(command);
    }
    assert_int_equal(status.st_size, 0);
    assert_int_equal(unlink(log), 0);
    assert_int_equal(unlink(path), 0);
}

/* Draws every kind of object under oclgrind. */
static int draw_tiny(const char *where) {
    moment *still = empty_still();
    add(still, SCREE_BODY_STATIC, ground(), 0, 0, 0);
    add(still, SCREE_BODY_STATIC, brick(3, 0.1f, 1), 0, -2, 1); /* cut away */
    for (int i = 0; i < 12; ++i)
        add(still, SCREE_BODY_DYNAMIC, i % 3 ? ball(0.2f) : brick(0.2f, 0.1f, 0.15f), 0.4f * (float)(i % 4),
            0.4f * (float)(i / 4), 0.3f);
    scree_view view = scree_default_view();
    view.width = 20, view.height = 17;
    const scree_result result = scree_snapshot_save(&still->frame, &view, where);
    if (result != SCREE_OK) fprintf(stderr, "%s\n", scree_error_get_message());
    return result != SCREE_OK;
}

static int make_folder(void **unused) {
    (void)unused;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/picture.png", folder);
    return 0;
}

static int remove_folder(void **unused) {
    (void)unused;
    return rmdir(folder);
}

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "--draw") == 0) return draw_tiny(arguments[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_in_the_middle_is_a_disc),
        cmocka_unit_test(sphere_off_the_axis_is_an_ellipse),
        cmocka_unit_test(box_face_is_a_rectangle),
        cmocka_unit_test(shadow_follows_the_light),
        cmocka_unit_test(equal_frames_give_equal_pictures),
        cmocka_unit_test(automatic_camera_frames_the_pile),
        cmocka_unit_test(near_walls_are_cut),
        cmocka_unit_test(near_triangles_are_cut),
        cmocka_unit_test(a_vessel_is_cut_at_its_outline),
        cmocka_unit_test(colours_mean_what_they_say),
        cmocka_unit_test(colours_are_scaled_by_the_fastest),
        cmocka_unit_test(picture_is_a_png),
        cmocka_unit_test(empty_frame_is_drawn),
        cmocka_unit_test(lost_bodies_are_left_out),
        cmocka_unit_test(scales_show_every_field),
        cmocka_unit_test(invalid_views_are_rejected),
        cmocka_unit_test(unknown_device_is_rejected),
        cmocka_unit_test(unwritable_paths_are_reported),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
        cmocka_unit_test(oclgrind_reports_no_errors),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
