/* Colours, legends, scale bars, times, shadows, outlines and cameras of pictures, against the frame and a
 * pinhole camera. */
#include "device.h"
#include "render/annotation.h"
#include "render/camera.h"
#include "render/font.h"
#include "render/snapshot_scene.h"
#include "base/vector.h"
#include "ray.h"
#include "still_frame.h"

enum { WIDTH = 480, HEIGHT = 360 };

typedef uint8_t picture[HEIGHT][WIDTH][3];

static picture first, second, third;

static void touch(moment *self, int a, int b, float normal, float tangent) {
    self->contacts[self->frame.contact_count++] = (scree_contact){
        .a = self->ids[a], .b = self->ids[b], .normal = {0, 0, 1}, .impulse = {tangent, 0, normal}};
}

/* Returns a camera that looks along y at the origin from `distance`. */
static scree_view view_along_y(float distance) {
    scree_view view = scree_default_view();
    view.width = WIDTH, view.height = HEIGHT, view.automatic = false;
    view.eye = (scree_vec3){0, -distance, 0};
    view.field_of_view = 30;
    return view;
}

static void draw(const moment *still, const scree_view *view, picture out) {
    snapshot_scene scene;
    CHECK(snapshot_scene_make(&still->frame, view, &scene));
    const scree_result result = scree_image_trace(&scene.image, &out[0][0][0]);
    if (result == SCREE_OK) annotation_draw(&still->frame, &scene.settled, &scene.scale, &out[0][0][0]);
    snapshot_scene_release(&scene);
    if (!device_is_there()) skip();
    CHECK(result);
}

static bool is_ink(const uint8_t pixel[3]) {
    return pixel[0] == 0x20 && pixel[1] == 0x22 && pixel[2] == 0x26;
}

/* Returns whether `text` is drawn with its upper left corner at a place. */
static bool stands_at(picture image, int left, int top, const char *text) {
    for (int i = 0; text[i]; i++)
        for (int row = 0; row < FONT_HEIGHT; row++)
            for (int column = 0; column < FONT_WIDTH; column++) {
                const int x = left + i * FONT_ADVANCE + column, y = top + row;
                if (x >= WIDTH || y >= HEIGHT) return false;
                if (is_ink(image[y][x]) != font_pixel(text[i], column, row)) return false;
            }
    return true;
}

static bool stands(picture image, const char *text) {
    for (int top = 0; top < HEIGHT; top++)
        for (int left = 0; left < WIDTH; left++)
            if (stands_at(image, left, top, text)) return true;
    return false;
}

/* The force on a body is the sum of the normal impulses of its contacts over the step, r/h. */
static void forces_are_sums_of_contacts(void **state) {
    (void)state;
    moment *still = empty_still();
    for (int i = 0; i < 3; i++) add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f), 0, 0, (float)i);
    touch(still, 0, 1, 0.02f, 5);
    touch(still, 1, 2, 0.01f, -7);
    scree_view view = view_along_y(10);
    view.colouring = SCREE_COLOURING_FORCE;
    snapshot_scale scale;
    CHECK(snapshot_scale_make(&still->frame, &view, &scale));
    ASSERT_NEAR(scale.values[0], 2, 1e-6);
    ASSERT_NEAR(scale.values[1], 3, 1e-6);
    ASSERT_NEAR(scale.values[2], 1, 1e-6);
    ASSERT_NEAR(scale.high, 3, 1e-6);
    assert_true(scale.low == 0 && !scale.beyond);
    snapshot_scale_release(&scale);
    view.colour_range = 2;
    CHECK(snapshot_scale_make(&still->frame, &view, &scale));
    assert_true(scale.high == 2 && scale.beyond);
    snapshot_scale_release(&scale);
    still->frame.fields = 0;
    CHECK_FAILS(snapshot_scale_make(&still->frame, &view, &scale), SCREE_ERROR_ARGUMENT, "impulses");
    view.colouring = SCREE_COLOURING_MATERIAL;
    CHECK_FAILS(snapshot_scale_make(&still->frame, &view, &scale), SCREE_ERROR_ARGUMENT, "materials");
    view.colouring = SCREE_COLOURING_SPEED;
    CHECK_FAILS(snapshot_scale_make(&still->frame, &view, &scale), SCREE_ERROR_ARGUMENT, "velocities");
}

/* Asserts that the middle of a body has its colour in the legend up to brightness: ratios of channels in
 * linear light agree, because the surface is matt and lit by white light. */
static void check_hue(picture image, int column, int row, vec3s colour) {
    const double channels[3] = {image[row][column][0], image[row][column][1], image[row][column][2]};
    const double expected[3] = {colour.x, colour.y, colour.z};
    double dot = 0, a = 0, b = 0;
    for (int k = 0; k < 3; k++) {
        const double light = channels[k] * channels[k];
        dot += light * expected[k], a += light * light, b += expected[k] * expected[k];
    }
    ASSERT_AT_LEAST(dot / sqrt(a * b), 0.998);
}

static void bodies_match_the_legend_colours(void **state) {
    (void)state;
    const scree_view base = view_along_y(10);
    const double focal = HEIGHT / 2 / tan(15 * M_PI / 180);
    static const scree_colouring kinds[] = {SCREE_COLOURING_SIZE, SCREE_COLOURING_MATERIAL,
                                            SCREE_COLOURING_FORCE};
    for (int k = 0; k < 3; k++) {
        moment *still = empty_still();
        for (int i = 0; i < 3; i++) { /* boxes: flat and matt; 0.4, 0.6 and 0.8 m */
            const float half = 0.2f + 0.1f * (float)i;
            add(still, SCREE_BODY_DYNAMIC, scree_shape_box(half, half, half), (float)i - 1, half, 0);
            still->materials[i] = 2 * i; /* no body has material 1 or 3 */
        }
        touch(still, 0, 1, 0.01f, 0); /* 1, 3 and 2 N */
        touch(still, 1, 2, 0.02f, 0);
        scree_view view = base;
        view.colouring = kinds[k];
        draw(still, &view, first);
        static const double shares[3][3] = {{0, 0.5, 1}, {0}, {1.0 / 3, 1, 2.0 / 3}};
        for (int i = 0; i < 3; i++) {
            const int column = WIDTH / 2 + (int)((i - 1) * focal / 10);
            const scalar share = (scalar)shares[k][i];
            check_hue(first, column, HEIGHT / 2,
                      k == 0   ? colouring_row_of(SCREE_COLOURING_DEPTH)->colour(share)
                      : k == 1 ? snapshot_colour_material(2 * i)
                               : colouring_row_of(SCREE_COLOURING_FORCE)->colour(share));
        }
        const annotation_bar bar = annotation_bar_of(&view);
        if (kinds[k] == SCREE_COLOURING_MATERIAL) {
            static const char *const names[] = {"0", "2", "4"}, *const named[] = {"default", "glass", "4"};
            static char given[3][SCREE_MATERIAL_NAME_SIZE] = {"", "sand", "glass"};
            const int left = WIDTH - 68 + bar.width + 4;
            for (int i = 0; i < 3; i++) assert_true(stands_at(first, left, bar.top + 12 * i, names[i]));
            still->frame.material_count = 3, still->frame.material_names = given;
            draw(still, &view, first);
            for (int i = 0; i < 3; i++) assert_true(stands_at(first, left, bar.top + 12 * i, named[i]));
            strcpy(given[2], "a stone of many words and more"); /* moves everything to the left */
            draw(still, &view, first);
            assert_true(stands_at(first, WIDTH - 8 - 30 * FONT_ADVANCE + 1, bar.top + 12, given[2]));
            continue;
        }
        if (kinds[k] == SCREE_COLOURING_SIZE)
            assert_true(stands_at(first, bar.left + bar.width + 4, bar.top - 4, "800") &&
                        stands_at(first, bar.left + bar.width + 4, bar.top + bar.height - 1 - 4, "400"));
        for (int end = 0; end < 2; end++) {
            const vec3s colour = kinds[k] == SCREE_COLOURING_SIZE
                                     ? colouring_row_of(SCREE_COLOURING_DEPTH)->colour((scalar)(1 - end))
                                     : colouring_row_of(SCREE_COLOURING_FORCE)->colour((scalar)(1 - end));
            const uint8_t *pixel = first[bar.top + end * (bar.height - 1)][bar.left + bar.width / 2];
            assert_int_equal(pixel[0], ray_byte(colour.x));
            assert_int_equal(pixel[1], ray_byte(colour.y));
            assert_int_equal(pixel[2], ray_byte(colour.z));
        }
        assert_true(stands(first, kinds[k] == SCREE_COLOURING_SIZE ? "size (mm)" : "force (N)"));
        /* Ticks are at their values: 600 mm is the middle of 400 to 800, 2 N a third below 3 N. */
        const int row = kinds[k] == SCREE_COLOURING_SIZE ? bar.top + (bar.height - 1) / 2
                                                         : bar.top + (bar.height - 1) / 3;
        const char *number = kinds[k] == SCREE_COLOURING_SIZE ? "600" : "2";
        bool found = false;
        for (int off = -1; off <= 1; off++)
            found = found || stands_at(first, bar.left + bar.width + 4, row - 4 + off, number);
        assert_true(found);
    }
}

/* The bar of bodies of one size has their colour from end to end. */
static void a_single_value_has_one_colour(void **state) {
    (void)state;
    moment *still = empty_still();
    for (int i = 0; i < 3; i++)
        add(still, SCREE_BODY_DYNAMIC, scree_shape_box(0.2f, 0.2f, 0.2f), (float)i - 1, 0.2f, 0);
    scree_view view = view_along_y(10);
    view.colouring = SCREE_COLOURING_SIZE;
    draw(still, &view, first);
    const annotation_bar bar = annotation_bar_of(&view);
    const vec3s colour = colouring_row_of(SCREE_COLOURING_SIZE)->colour(0);
    check_hue(first, WIDTH / 2, HEIGHT / 2, colour);
    for (int i = 0; i < bar.height; i++) {
        const uint8_t *pixel = first[bar.top + i][bar.left + bar.width / 2];
        assert_int_equal(pixel[0], ray_byte(colour.x));
        assert_int_equal(pixel[1], ray_byte(colour.y));
        assert_int_equal(pixel[2], ray_byte(colour.z));
    }
}

/* Two beads one scale bar apart at the target are as far apart in the picture as the bar is long. */
static void scale_bar_has_the_right_length(void **state) {
    (void)state;
    const float distances[] = {0.05f, 3, 700};
    static const char *const texts[] = {"5 mm", "500 mm", "100 m"};
    for (int k = 0; k < 3; k++) {
        const scree_view view = view_along_y(distances[k]);
        const annotation_length length = annotation_length_of(&view);
        const double focal = HEIGHT / 2 / tan(15 * M_PI / 180);
        ASSERT_NEAR(length.pixels, focal * length.metres / (double)distances[k], 1e-5);
        ASSERT_AT_MOST(length.pixels, WIDTH / 4.0);
        ASSERT_AT_LEAST(length.pixels, WIDTH / 4.0 / 2.5);
        draw(empty_still(), &view, first);
        assert_true(stands(first, texts[k]));
        int longest = 0;
        for (int row = HEIGHT - 30; row < HEIGHT; row++)
            for (int column = 0, run = 0; column < WIDTH / 2; column++) {
                run = is_ink(first[row][column]) ? run + 1 : 0;
                if (run > longest) longest = run;
            }
        ASSERT_WITHIN(longest, length.pixels, 0.51);
    }
}

static void time_is_drawn_and_all_parts_can_be_omitted(void **state) {
    (void)state;
    moment *still = empty_still();
    still->frame.time = 1.25;
    scree_view view = view_along_y(10);
    draw(still, &view, first);
    assert_true(stands(first, "t = 1.250 s"));
    assert_true(stands(first, "speed (m/s)") || stands(first, "speed (mm/s)"));
    view.time = view.legend = view.scale_bar = false;
    draw(still, &view, first);
    int ink = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) ink += is_ink(first[i / WIDTH][i % WIDTH]);
    assert_int_equal(ink, 0);
}

/* Two characters are drawn as designed, and no printable character is blank. */
static void font_is_legible(void **state) {
    (void)state;
    static const char *const one[] = {"..#..", ".##..", "..#..", "..#..", "..#..", "..#..", ".###."};
    for (int row = 0; row < 7; row++)
        for (int column = 0; column < 5; column++)
            assert_int_equal(font_pixel('1', column, row), one[row][column] == '#');
    static const char *const plus[] = {".....", "..#..", "..#..", "#####", "..#..", "..#.."};
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 5; column++)
            assert_int_equal(font_pixel('+', column, row), plus[row][column] == '#');
    for (char c = '!'; c > 0; c++) {
        int set = 0;
        for (int k = 0; k < FONT_WIDTH * FONT_HEIGHT; k++)
            set += font_pixel(c, k % FONT_WIDTH, k / FONT_WIDTH);
        assert_true(set > 1);
        if (c == FONT_MICRO) break;
    }
}

/* The light is a square of directions, (u, v) in ±spread about the middle, so an edge casts a ramp for any
 * orientation of the square. No row may deviate from the ramp by more than a ninth of the light (three by
 * three hard shadows made steps of a third). Seen from above, a plate with its edge at x = 0, height 3,
 * shades the ground on one side. */
static void shadow_edges_are_ramps(void **state) {
    (void)state;
    moment *still = empty_still();
    add(still, SCREE_BODY_STATIC, scree_shape_half_space(), 0, 0, 0);
    scree_view view = scree_default_view();
    view.width = WIDTH, view.height = HEIGHT, view.automatic = false;
    view.legend = view.time = view.scale_bar = false;
    view.eye = (scree_vec3){0, 0, 2.5f}, view.field_of_view = 30;
    draw(still, &view, first);
    const scree_image_def camera = camera_image(&view);
    const vec3s light = vec3_in(camera.light);
    const float top = 5, shift = top / light.z;
    /* The edge is along y; its shadow falls at x = 0 if the plate begins at x = shift · light.x. */
    add(still, SCREE_BODY_STATIC, scree_shape_box(10, 20, 0.01f), shift * light.x + 10, 0, top);
    /* A wall in front of bodies would be cut away; there are no bodies. */
    draw(still, &view, second);
    add(still, SCREE_BODY_STATIC, scree_shape_box(30, 30, 0.01f), 0, 0, top); /* all shaded */
    draw(still, &view, third);
    const double scale = HEIGHT / 2 / tan(15 * M_PI / 180) / 2.5;
    const vec3s a = tangent_of(light), b = glms_vec3_cross(light, a);
    double worst = 0;
    int ramp = 0;
    for (int column = WIDTH / 4; column < WIDTH * 3 / 4; column++) {
        const double x = (column + 0.5 - WIDTH / 2.0) / scale;
        int lit = 0;
        enum { CELLS = 60 };
        for (int i = 0; i < CELLS * CELLS; i++) {
            const scalar u = (scalar)((i % CELLS + 0.5) * 2 / CELLS - 1) * camera.light_spread,
                         v = (scalar)((i / CELLS + 0.5) * 2 / CELLS - 1) * camera.light_spread;
            const vec3s d = ray_point(ray_point(light, a, u), b, v);
            lit += x + (double)(top * d.x / d.z) < (double)(shift * light.x);
        }
        const double expected = (double)lit / (CELLS * CELLS);
        double open = 0, half = 0, dark = 0; /* sums of light */
        for (int row = HEIGHT / 2 - 24; row < HEIGHT / 2 + 24; row++) {
            open += pow(first[row][column][1], 2);
            half += pow(second[row][column][1], 2);
            dark += pow(third[row][column][1], 2);
        }
        if (expected > 0.02 && expected < 0.98) ramp++;
        const double got = (half - dark) / (open - dark);
        worst = fmax(worst, fabs(got - expected));
    }
    assert_true(ramp > 20);
    ASSERT_AT_MOST(worst, 0.06);
}

/* A wall in front of the grains is cut away, but its rim is drawn: a rectangle of dark lines at its edges. */
static void cut_walls_stay_outlined(void **state) {
    (void)state;
    scree_view view = view_along_y(10);
    view.legend = view.time = view.scale_bar = false;
    moment *still = empty_still();
    for (int i = 0; i < 9; i++)
        add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.3f), (float)(i % 3) - 1, 0, (float)(i / 3) - 1);
    draw(still, &view, first);
    add(still, SCREE_BODY_STATIC, scree_shape_box(2, 0.1f, 1.8f), 0, -2, 0);
    draw(still, &view, second);
    const double scale = HEIGHT / 2 / tan(15 * M_PI / 180) / 7.9; /* the face at y = −2.1 */
    const double wide = 2 * scale, high = 1.8 * scale;
    int rim = 0, elsewhere = 0, dark = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            const double x = fabs(column + 0.5 - WIDTH / 2.0), y = fabs(row + 0.5 - HEIGHT / 2.0);
            const double off = fmax(x - wide, y - high); /* 0 at the rim, negative inside */
            const bool differs = memcmp(first[row][column], second[row][column], 3) != 0;
            if (fabs(off + 0.5) < 0.5) rim++, dark += second[row][column][1] + 30 < first[row][column][1];
            if (fabs(off) > 2) elsewhere += differs;
        }
    assert_true(rim > 500);
    ASSERT_NEAR(dark, rim, 0.1);
    ASSERT_AT_MOST(elsewhere, 0);
}

/* If one of ten balls escapes by a thousand diameters in any direction, the camera frames the other nine. It
 * frames all of ten balls in a row, and both halves of a divided pile. */
static void camera_ignores_distant_outliers(void **state) {
    (void)state;
    for (int escape = 0; escape < 4; escape++) {
        moment *still = empty_still();
        for (int i = 0; i < 9; i++)
            add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.01f), 0.02f * (float)(i % 3),
                0.02f * (float)(i / 3), 0);
        if (escape)
            add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.01f), escape == 1 ? 20 : 0,
                escape == 2 ? -20 : 0, escape == 3 ? -20 : 0.02f);
        const scree_view wanted = scree_default_view();
        scree_view found;
        CHECK(camera_find(&still->frame, &wanted, &found));
        const vec3s eye =
            vec3_of(found.eye.x - found.target.x, found.eye.y - found.target.y, found.eye.z - found.target.z);
        ASSERT_AT_MOST(glms_vec3_norm(eye), 0.3);
        ASSERT_AT_LEAST(glms_vec3_norm(eye), 0.1);
    }
    for (int rows = 0; rows < 2; rows++) {
        moment *still = empty_still();
        for (int i = 0; i < 10; i++)
            add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.01f),
                rows ? 0.02f * (float)(i % 5) + (i < 5 ? 0 : 2) : 0.1f * (float)i, 0, 0);
        const scree_view wanted = scree_default_view();
        scree_view found;
        CHECK(camera_find(&still->frame, &wanted, &found));
        const double extent = rows ? 2.08 : 0.9;
        const vec3s eye =
            vec3_of(found.eye.x - found.target.x, found.eye.y - found.target.y, found.eye.z - found.target.z);
        ASSERT_AT_LEAST(glms_vec3_norm(eye), extent);
    }
}

/* The automatic camera keeps a row of balls left of the legend, with colours and with long material names;
 * without a legend the row extends further. */
static void legend_does_not_cover_bodies(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        moment *still = empty_still();
        for (int i = 0; i < 12; i++)
            add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.05f), 0.1f * (float)i, 0, 0);
        scree_view wanted = scree_default_view(), found;
        wanted.legend = kind != 3;
        wanted.colouring = kind == 1   ? SCREE_COLOURING_SIZE
                           : kind == 2 ? SCREE_COLOURING_MATERIAL
                                       : SCREE_COLOURING_SPEED;
        static char names[1][SCREE_MATERIAL_NAME_SIZE] = {"stainless steel, polished"};
        if (kind == 2) still->frame.material_names = names, still->frame.material_count = 1;
        CHECK(camera_find(&still->frame, &wanted, &found));
        const scree_image_def ray = camera_image(&found);
        double right = 0;
        for (int i = 0; i < 12; i++) {
            const scree_vec3 at = still->states[i].position;
            const vec3s from = vec3_of(at.x - found.eye.x, at.y - found.eye.y, at.z - found.eye.z);
            const double depth = (double)glms_vec3_dot(from, vec3_in(ray.forward)),
                         across = (double)(glms_vec3_dot(from, vec3_in(ray.right)) /
                                           glms_vec3_norm(vec3_in(ray.right))) +
                                  0.05,
                         half = depth * (double)glms_vec3_norm(vec3_in(ray.right));
            right = fmax(right, (1 + across / half) / 2 * found.width);
        }
        const int legend = annotation_legend_width(&still->frame, &wanted);
        if (kind == 3) {
            assert_int_equal(legend, 0);
            ASSERT_AT_LEAST(right, found.width - 2 * 72);
        } else {
            ASSERT_AT_LEAST(legend, kind == 2 ? 2 * (12 + 25 * 6) : 2 * 72);
            ASSERT_AT_MOST(right, found.width - legend);
            ASSERT_AT_LEAST(right, found.width - legend - 0.1 * found.width);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_sums_of_contacts),
        cmocka_unit_test(legend_does_not_cover_bodies),
        cmocka_unit_test(bodies_match_the_legend_colours),
        cmocka_unit_test(a_single_value_has_one_colour),
        cmocka_unit_test(scale_bar_has_the_right_length),
        cmocka_unit_test(time_is_drawn_and_all_parts_can_be_omitted),
        cmocka_unit_test(font_is_legible),
        cmocka_unit_test(shadow_edges_are_ramps),
        cmocka_unit_test(cut_walls_stay_outlined),
        cmocka_unit_test(camera_ignores_distant_outliers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
