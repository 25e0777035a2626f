/* Plots of points with error bars, whose pictures libpng reads back. */
#include "expect.h"

#include <png.h>
#include <unistd.h>

#include <scree/tools/plot.h>

enum { WIDTH = 480, HEIGHT = 360 };

static const char path[] = "test_plot.png";
static uint8_t pixels[HEIGHT][WIDTH][3];

/* Columns and rows of some pixels. */
typedef struct extent {
    int left, right, top, bottom, count;
} extent;

static void draw(scree_plot_def def) {
    def.width = WIDTH, def.height = HEIGHT;
    CHECK(scree_plot_write(path, &def));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    assert_int_equal(unlink(path), 0);
}

static bool is_blue(const uint8_t *pixel) { return pixel[2] > pixel[0] + 60; }
static bool is_black(const uint8_t *pixel) { return pixel[0] < 64 && pixel[1] < 64 && pixel[2] < 64; }

/* Returns the extent of the pixels of a kind in some columns. */
static extent find(bool (*is)(const uint8_t *), int from, int to) {
    extent out = {WIDTH, -1, HEIGHT, -1, 0};
    for (int row = 0; row < HEIGHT; row++)
        for (int column = from; column < to; column++) {
            if (!is(pixels[row][column])) continue;
            out.left = column < out.left ? column : out.left;
            out.right = column > out.right ? column : out.right;
            out.top = row < out.top ? row : out.top;
            out.bottom = row > out.bottom ? row : out.bottom;
            out.count++;
        }
    return out;
}

/* Points at 0 and 1, 0 and 4: the ends of both scales lie a twentieth farther out. */
static void points_are_where_the_scales_say(void **state) {
    (void)state;
    const scree_plot_point points[] = {{0, 0, NAN}, {1, 4, NAN}, {0.5, 1, NAN}};
    scree_plot_def def = scree_default_plot_def();
    def.points = points, def.count = 3;
    draw(def);
    const extent all = find(is_blue, 0, WIDTH);
    const double width = all.right - all.left - 2, height = all.bottom - all.top - 2;
    assert_int_equal(all.count, 27); /* squares of 3 × 3 pixels */
    const extent middle = find(is_blue, all.left + 3, all.right - 3);
    assert_int_equal(middle.count, 9);
    ASSERT_WITHIN((middle.left + 1 - (all.left + 1)) / width, 0.5, 0.01);
    ASSERT_WITHIN(((all.bottom - 1) - (middle.top + 1)) / height, 0.25, 0.01);
    /* the frame */
    const extent frame = find(is_black, all.left + 20, all.right - 20);
    ASSERT_WITHIN((frame.bottom - frame.top) / height, 1.1, 0.1);
}

static void bars_have_the_length_of_the_interval(void **state) {
    (void)state;
    const scree_plot_point points[] = {{0, 0, 0.5}, {1, 4, 1}};
    scree_plot_def def = scree_default_plot_def();
    def.points = points, def.count = 2;
    draw(def);
    const extent all = find(is_blue, 0, WIDTH);
    const int half = (all.left + all.right) / 2;
    const extent one = find(is_blue, 0, half), two = find(is_blue, half, WIDTH);
    ASSERT_NEAR((double)(two.bottom - two.top) / (one.bottom - one.top), 2, 0.02);
    ASSERT_NEAR((double)(all.bottom - all.top) / (two.bottom - two.top), 5.5 / 2, 0.02);
}

static void logarithmic_axes_have_equal_ratios(void **state) {
    (void)state;
    const scree_plot_point points[] = {{0.01, 0, NAN}, {0.1, 1, NAN}, {1, 2, NAN}};
    scree_plot_def def = scree_default_plot_def();
    def.points = points, def.count = 3, def.x_logarithmic = true;
    draw(def);
    const extent all = find(is_blue, 0, WIDTH), middle = find(is_blue, all.left + 3, all.right - 3);
    ASSERT_WITHIN((double)(middle.left - all.left) / (all.right - 2 - all.left), 0.5, 0.01);
}

/* Points without a number are left out; a plot may have one point or none, and labels of any length. */
static void any_points_can_be_drawn(void **state) {
    (void)state;
    const scree_plot_point points[] = {{NAN, 0, 1}, {1, NAN, 1}, {INFINITY, 1, 1}, {2, 3, INFINITY}};
    scree_plot_def def = scree_default_plot_def();
    char label[2000];
    memset(label, 'm', sizeof label);
    label[sizeof label - 1] = 0;
    def.x_label = def.y_label = label;
    draw(def);
    assert_int_equal(find(is_blue, 0, WIDTH).count, 0);
    def.points = points, def.count = 4;
    draw(def);
    assert_int_equal(find(is_blue, 0, WIDTH).count, 9);
    const scree_plot_point large[] = {{1e300, -1e300, 1e300}, {-1e300, 1e300, 0}};
    def.points = large, def.count = 2;
    draw(def);
    assert_true(find(is_blue, 0, WIDTH).count > 18);
}

static void a_plot_refuses(void **state) {
    (void)state;
    scree_plot_def def = scree_default_plot_def();
    def.width = 239;
    CHECK_FAILS(scree_plot_write(path, &def), SCREE_ERROR_ARGUMENT, "width");
    def = scree_default_plot_def(), def.height = 8193;
    CHECK_FAILS(scree_plot_write(path, &def), SCREE_ERROR_ARGUMENT, "height");
    def = scree_default_plot_def(), def.count = -1;
    CHECK_FAILS(scree_plot_write(path, &def), SCREE_ERROR_ARGUMENT, "count");
    def.count = 1;
    CHECK_FAILS(scree_plot_write(path, &def), SCREE_ERROR_ARGUMENT, "points");
    def.count = 0;
    CHECK_FAILS(scree_plot_write("no folder/plot.png", &def), SCREE_ERROR_FILE, "no folder/plot.png");
    assert_int_not_equal(access(path, F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_where_the_scales_say),
        cmocka_unit_test(bars_have_the_length_of_the_interval),
        cmocka_unit_test(logarithmic_axes_have_equal_ratios),
        cmocka_unit_test(any_points_can_be_drawn),
        cmocka_unit_test(a_plot_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
