/* Triangles of polygons: they cover the polygon once. The area is the shoelace formula's, and the inside that
 * of the even-odd rule. */
#include "io/polygon.h"

#include "expect.h"
#include "random_vectors.h"

enum { CORNERS = 64, SAMPLES = 40 };

typedef struct outline {
    int count;
    double x[CORNERS], y[CORNERS];
    versors turn; /* of the plane */
    double size;
} outline;

/* Places the outline in its plane, with numbers instead of order: corner i is vertex 3 i + 1. */
static void place(const outline *self, scree_vec3 *vertices, int *corners) {
    for (int i = 0; i < self->count; i++) {
        const vec3s at = rotate(
            self->turn, vec3_of((scalar)(self->size * self->x[i]), (scalar)(self->size * self->y[i]), 0));
        vertices[3 * i + 1] = (scree_vec3){at.x, at.y, at.z};
        corners[i] = 3 * i + 1;
    }
}

static double area_of(const double x[3], const double y[3]) {
    return ((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])) / 2;
}

static double shoelace(const outline *self) {
    double sum = 0;
    for (int i = 0, k = self->count - 1; i < self->count; k = i++)
        sum += (self->x[k] * self->y[i] - self->x[i] * self->y[k]) / 2;
    return sum;
}

static bool inside(int count, const double *x, const double *y, double px, double py) {
    bool odd = false;
    for (int i = 0, k = count - 1; i < count; k = i++)
        if ((y[i] > py) != (y[k] > py) && px < x[i] + (x[k] - x[i]) * (py - y[i]) / (y[k] - y[i])) odd = !odd;
    return odd;
}

static void corners_of(const outline *self, scree_triangle triangle, double x[3], double y[3]) {
    for (int k = 0; k < 3; k++) {
        x[k] = self->x[triangle.corners[k] / 3];
        y[k] = self->y[triangle.corners[k] / 3];
    }
}

static void check_covered_once(const outline *self, const scree_triangle *made, int count, uint64_t *seed) {
    double x[3], y[3];
    for (int i = 0; i < SAMPLES; i++) {
        const double px = random_between(seed, -1.1, 1.1), py = random_between(seed, -1.1, 1.1);
        int times = 0;
        for (int k = 0; k < count; k++) {
            corners_of(self, made[k], x, y);
            times += inside(3, x, y, px, py);
        }
        assert_int_equal(times, inside(self->count, self->x, self->y, px, py));
    }
}

/* Every triangle turns as the outline does; together they have its area and cover it once. */
static void check_triangles(const outline *self, int expected, uint64_t *seed) {
    scree_vec3 vertices[3 * CORNERS + 3] = {{0}};
    scree_triangle made[CORNERS];
    int corners[CORNERS], count;
    double sum = 0;
    place(self, vertices, corners);
    CHECK(polygon_triangulate(vertices, corners, self->count, made, &count));
    assert_int_equal(count, expected);
    for (int k = 0; k < count; k++) {
        double x[3], y[3];
        corners_of(self, made[k], x, y);
        ASSERT_AT_LEAST(area_of(x, y), 1e-9);
        sum += area_of(x, y);
    }
    ASSERT_NEAR(sum, shoelace(self), 1e-12);
    check_covered_once(self, made, count, seed);
}

/* Corners at random distances, in order of their angles. */
static outline random_star(uint64_t *seed) {
    outline out = {.count = 4 + random_below(seed, CORNERS - 4),
                   .turn = random_rotation(seed),
                   .size = ldexp(1, random_below(seed, 40) - 20)};
    for (int i = 0; i < out.count; i++) {
        const double angle = 2 * 3.14159265358979 * (i + random_between(seed, 0, 0.8)) / out.count,
                     radius = random_between(seed, 0.1, 1);
        out.x[i] = radius * cos(angle), out.y[i] = radius * sin(angle);
    }
    return out;
}

static void random_stars_are_covered(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 400; i++) {
        const outline star = random_star(&seed);
        check_triangles(&star, star.count - 2, &seed);
    }
}

/* A band of two turns: most corners are hidden from each other. */
static void spirals_are_covered(void **state) {
    (void)state;
    uint64_t seed = 12;
    for (int n = 0; n < 20; n++) {
        outline spiral = {.count = CORNERS, .turn = random_rotation(&seed), .size = 1};
        for (int i = 0; i < CORNERS; i++) {
            const int along = i < CORNERS / 2 ? i : CORNERS - 1 - i;
            const double angle = 0.4 * along, radius = (i < CORNERS / 2 ? 1.0 : 0.8) - 0.022 * along;
            spiral.x[i] = radius * cos(angle), spiral.y[i] = radius * sin(angle);
        }
        check_triangles(&spiral, CORNERS - 2, &seed);
    }
}

/* The sides of the triangles include those of the polygon, so that it fits its neighbours: a square with a
 * corner in the middle of each side, and one whose first corners are in line. */
static void corners_in_line_are_kept(void **state) {
    (void)state;
    uint64_t seed = 13;
    const outline square = {.count = 8,
                            .x = {-1, 0, 1, 1, 1, 0, -1, -1},
                            .y = {-1, -1, -1, 0, 1, 1, 1, 0},
                            .turn = versor_of(0, 0, 0, 1),
                            .size = 1};
    const outline half = {.count = 6,
                          .x = {-1, -0.5, 0, 0.5, 1, 0},
                          .y = {0, 0, 0, 0, 0, 1},
                          .turn = versor_of(0, 0, 0, 1),
                          .size = 1};
    check_triangles(&square, 6, &seed);
    check_triangles(&half, 4, &seed);
}

/* An outline that runs to a hole and back along one line: a square with a square hole. */
static void holes_are_left_out(void **state) {
    (void)state;
    uint64_t seed = 14;
    const outline frame = {.count = 10,
                           .x = {-1, 1, 1, -1, -1, -0.5, -0.5, 0.5, 0.5, -0.5},
                           .y = {-1, -1, 1, 1, -1, -0.5, 0.5, 0.5, -0.5, -0.5},
                           .turn = versor_of(0.5f, 0.5f, 0.5f, 0.5f),
                           .size = 4};
    ASSERT_NEAR(shoelace(&frame), 3, 1e-12);
    check_triangles(&frame, 8, &seed);
}

static void equal_corners_count_once(void **state) {
    (void)state;
    const scree_vec3 vertices[5] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 0, 0}};
    scree_triangle made[3];
    int count;
    CHECK(polygon_triangulate(vertices, (int[]){0, 1, 2, 3, 0}, 5, made, &count));
    assert_int_equal(count, 1);
    CHECK(polygon_triangulate(vertices, (int[]){0, 1, 4, 1}, 4, made, &count)); /* in line */
    assert_int_equal(count, 0);
    CHECK(polygon_triangulate(vertices, (int[]){0, 1, 0, 2}, 4, made, &count));
    assert_int_equal(count, 0);
}

/* Four corners of a unit square, of which the first and third are lifted by `up`, and the others lowered. */
static scree_result try_bent(float up, int *count) {
    const scree_vec3 vertices[4] = {{0, 0, up}, {1, 0, -up}, {1, 1, up}, {0, 1, -up}};
    scree_triangle made[2];
    return polygon_triangulate(vertices, (int[]){0, 1, 2, 3}, 4, made, count);
}

/* Half a diagonal's square has triangles tilted by atan(2 √2 up): 45 degrees at up = 0.354. */
static void other_polygons_are_refused(void **state) {
    (void)state;
    const scree_vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {0, 1, 0}};
    scree_vec3 star[5];
    scree_triangle made[3];
    int count;
    for (int i = 0; i < 5; i++)
        star[i] = (scree_vec3){(float)cos(2 * i * 2 * 3.14159265358979 / 5), 0,
                               (float)sin(2 * i * 2 * 3.14159265358979 / 5)};
    CHECK_FAILS(polygon_triangulate(square, (int[]){0, 1, 3, 2}, 4, made, &count), SCREE_ERROR_FORMAT,
                "cross");
    CHECK_FAILS(polygon_triangulate(star, (int[]){0, 1, 2, 3, 4}, 5, made, &count), SCREE_ERROR_FORMAT,
                "cross");
    /* there and back, with a detour: no side crosses another */
    CHECK_FAILS(polygon_triangulate(square, (int[]){0, 1, 2, 1}, 4, made, &count), SCREE_ERROR_FORMAT,
                "overlap");
    CHECK(try_bent(0.34f, &count));
    assert_int_equal(count, 2);
    CHECK_FAILS(try_bent(0.37f, &count), SCREE_ERROR_FORMAT, "mean plane");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_stars_are_covered), cmocka_unit_test(spirals_are_covered),
        cmocka_unit_test(corners_in_line_are_kept), cmocka_unit_test(holes_are_left_out),
        cmocka_unit_test(equal_corners_count_once), cmocka_unit_test(other_polygons_are_refused),
    };
    return cmocka_run_group_tests_name("polygon", tests, NULL, NULL);
}
