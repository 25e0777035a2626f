/* Generators against formulas, analytic moments and brute force. */
#include "expect.h"
#include "random.h"

#include <scree/tools/scene.h>

/* bodies of a world */
typedef struct bodies {
    int count;
    scree_body_def *items;
} bodies;

static bodies build_scene(scree_scene *scene, uint64_t seed) {
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, seed));
    bodies out = {scree_body_count(world), NULL};
    scree_body_id *ids = malloc((size_t)out.count * sizeof *ids);
    out.items = malloc((size_t)out.count * sizeof *out.items);
    assert_true(ids && out.items);
    scree_body_list(world, ids, out.count);
    for (int i = 0; i < out.count; ++i) {
        CHECK(scree_body_get_def(world, ids[i], &out.items[i]));
        CHECK(scree_body_get_mass(world, ids[i], &out.items[i].mass, NULL));
    }
    free(ids);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    return out;
}

static bodies build_text(const char *text, uint64_t seed) {
    scree_scene *scene = NULL;
    CHECK(scree_scene_parse(text, strlen(text), "text", &scene));
    return build_scene(scene, seed);
}

static bodies build_file(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/bench/scenes/%s.json", SCREE_SOURCE_DIR, name);
    scree_scene *scene = NULL;
    CHECK(scree_scene_load(path, &scene));
    const scree_run_def run = scree_scene_get_run_def(scene);
    const scree_world_def world = scree_scene_get_world_def(scene);
    if (strcmp(name, "beads")) assert_true(world.time_step == 1.0 / 120);
    assert_true(world.gravity.z == -9.81f && world.material.friction == 0.5f &&
                world.material.restitution == 0);
    return build_scene(scene, run.seed);
}

/* Noise as the benchmark scenes define it. */
static uint32_t hash(uint32_t x) {
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu, x ^= x >> 16;
    return x;
}

static double u(int b, int c) { return (hash(8u * (uint32_t)b + (uint32_t)c) >> 8) / 16777216.0; }

static void check_position(const scree_body_def *body, double x, double y, double z) {
    assert_true(body->state.position.x == (float)x);
    assert_true(body->state.position.y == (float)y);
    assert_true(body->state.position.z == (float)z);
}

/* Asserts that the walls leave the container |x|, |y| < side/2, 0 < z < height free along the axes. */
static void check_container(const scree_body_def *walls, double side, double height) {
    double below = -1e9, left = -1e9, right = 1e9, front = -1e9, back = 1e9;
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(walls[i].type, SCREE_BODY_STATIC);
        const scree_vec3 p = walls[i].state.position, h = walls[i].shape.size;
        if (p.x == 0 && p.y == 0) below = fmax(below, p.z + h.z);
        if (p.x < 0) left = fmax(left, p.x + h.x);
        if (p.x > 0) right = fmin(right, p.x - h.x);
        if (p.y < 0) front = fmax(front, p.y + h.y);
        if (p.y > 0) back = fmin(back, p.y - h.y);
        if (p.x != 0 || p.y != 0) assert_true(fabs(p.z + h.z - height) < 1e-5 && fabs(p.z - h.z) < 1e-5);
    }
    assert_true(fabs(below) < 1e-5 && fabs(left + side / 2) < 1e-5 && fabs(right - side / 2) < 1e-5);
    assert_true(fabs(front + side / 2) < 1e-5 && fabs(back - side / 2) < 1e-5);
}

/* Checks scenes A (spheres of radius 0.05) and B (randomly rotated cubes of half extent 0.04) of N bodies. */
static void check_settle(const char *name, bool cubes, int N, int n) {
    const bodies all = build_file(name);
    const double S = cubes ? 0.15 : 0.11;
    assert_int_equal(all.count, N + 5);
    check_container(all.items, n * S + 0.02, n * S + 1);
    for (int b = 0; b < N; ++b) {
        const scree_body_def *body = &all.items[5 + b];
        const int i = b % n, j = b / n % n, k = b / (n * n);
        check_position(body, (i + 0.5) * S - n * S / 2 + 0.004 * (2 * u(b, 0) - 1),
                       (j + 0.5) * S - n * S / 2 + 0.004 * (2 * u(b, 1) - 1),
                       0.01 + (k + 0.5) * S + 0.004 * (2 * u(b, 2) - 1));
        assert_int_equal(body->shape.kind, cubes ? SCREE_SHAPE_BOX : SCREE_SHAPE_SPHERE);
        assert_true(body->shape.size.x == (cubes ? 0.04f : 0.05f));
        const double volume = cubes ? 0.08 * 0.08 * 0.08 : 4 / 3.0 * 3.14159265358979 * 0.05 * 0.05 * 0.05;
        assert_true(fabs(body->mass - 1000 * volume) < 1e-6);
        const double turn = 2 * 3.14159265358979323846;
        const double q[4] = {sqrt(1 - u(b, 3)) * sin(turn * u(b, 4)), sqrt(1 - u(b, 3)) * cos(turn * u(b, 4)),
                             sqrt(u(b, 3)) * sin(turn * u(b, 5)), sqrt(u(b, 3)) * cos(turn * u(b, 5))};
        const scree_quat r = body->state.rotation;
        if (cubes) /* to a few units in the last place: the world may normalise */
            assert_true(fabs(r.x - q[0]) < 3e-7 && fabs(r.y - q[1]) < 3e-7 && fabs(r.z - q[2]) < 3e-7 &&
                        fabs(r.w - q[3]) < 3e-7);
        else
            assert_true(r.x == 0 && r.y == 0 && r.z == 0 && r.w == 1);
    }
    free(all.items);
}

static void settling_scenes_follow_their_definition(void **state) {
    (void)state;
    check_settle("A1000", false, 1000, 10);
    check_settle("A8000", false, 8000, 20);
    check_settle("A27000", false, 27000, 30);
    check_settle("B1000", true, 1000, 10);
    check_settle("B8000", true, 8000, 20);
}

static void check_cube(const scree_body_def *body, double mass) {
    assert_int_equal(body->shape.kind, SCREE_SHAPE_BOX);
    assert_true(body->shape.size.x == 0.05f && body->shape.size.y == 0.05f && body->shape.size.z == 0.05f);
    assert_true(body->mass == (float)mass);
}

static void check_pyramid(const char *name, int n) {
    const bodies all = build_file(name);
    assert_int_equal(all.count, 1 + n * (n + 1) / 2);
    assert_int_equal(all.items[0].shape.kind, SCREE_SHAPE_HALF_SPACE);
    int b = 1;
    for (int r = 0; r < n; ++r)
        for (int i = 0; i < n - r; ++i, ++b) {
            check_position(&all.items[b], (i - (n - r - 1) / 2.0) * 0.101, 0, 0.051 + 0.101 * r);
            check_cube(&all.items[b], 1);
        }
    free(all.items);
}

static void stacked_scenes_follow_their_definition(void **state) {
    (void)state;
    check_pyramid("C20", 20);
    check_pyramid("C30", 30);
    static const struct {
        const char *name;
        double mass;
    } towers[] = {{"D10", 10}, {"D100", 100}, {"D1000", 1000}};
    for (size_t t = 0; t < 3; ++t) {
        const bodies all = build_file(towers[t].name);
        assert_int_equal(all.count, 12);
        for (int k = 0; k < 11; ++k) {
            check_position(&all.items[1 + k], 0, 0, 0.051 + 0.101 * k);
            check_cube(&all.items[1 + k], k < 10 ? 1 : towers[t].mass);
        }
        free(all.items);
    }
}

/* Bodies stand at equal distances from the axis and from each other, and look the same from the axis: a
 * body's x axis, turned by 30°, points away from it. */
static void rings_are_round(void **state) {
    (void)state;
    const bodies all = build_text(
        "{\"generators\": [{\"kind\": \"ring\", \"radius\": 2, \"columns\": 5, \"rows\": 3, \"rise\": 0.5, "
        "\"first_degrees\": 10, \"turn_degrees\": 36, \"position\": [1, -1, 3], \"body\": {\"shape\": "
        "{\"kind\": "
        "\"box\", \"size\": [0.3, 0.2, 0.1]}, \"rotation\": {\"axis\": [0, 0, 1], \"angle_degrees\": "
        "-30}}}]}",
        0);
    assert_int_equal(all.count, 15);
    for (int i = 0; i < 15; i++) {
        const scree_body_state at = all.items[i].state;
        const double angle = (10 + 72 * (i % 5) + 36 * (i / 5)) * (M_PI / 180), turned = angle - M_PI / 6;
        const scree_quat q = at.rotation;
        assert_true(fabs((double)at.position.x - (1 + 2 * cos(angle))) < 1e-6);
        assert_true(fabs((double)at.position.y - (-1 + 2 * sin(angle))) < 1e-6);
        assert_true(fabs((double)at.position.z - (3 + 0.5 * (i / 5))) < 1e-6);
        /* x axis of the body: (1 − 2 (y² + z²), 2 (x y + w z), 2 (x z − w y)) */
        assert_true(fabs((double)(1 - 2 * (q.y * q.y + q.z * q.z)) - cos(turned)) < 1e-6);
        assert_true(fabs((double)(2 * (q.x * q.y + q.w * q.z)) - sin(turned)) < 1e-6);
        assert_true(fabs((double)(2 * (q.x * q.z - q.w * q.y))) < 1e-6);
    }
    free(all.items);
}

/* A storey of the tower is 35 radial planks in an even course, and 70 that bridge them in an odd one. */
static void towers_have_their_planks(void **state) {
    (void)state;
    scree_scene *scene = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/bench/scenes/kapla11340.json", SCREE_SOURCE_DIR);
    CHECK(scree_scene_load(path, &scene));
    const bodies all = build_scene(scene, 0);
    assert_int_equal(all.count, 1 + 11340);
    for (int i = 1; i < all.count; i++) {
        const double course = ((double)all.items[i].state.position.z - 0.0039) / 0.0078;
        assert_true(fabs(course - round(course)) < 1e-3 && course > -0.1 && course < 215.1);
        assert_true((int)round(course) % 2 == (i > 35 * 108));
    }
    free(all.items);
}

/* Returns the smallest distance between the bounding spheres of two bodies, over all pairs. */
static double smallest_gap(const bodies *all, int first) {
    double least = 1e9;
    for (int a = first; a < all->count; ++a)
        for (int b = a + 1; b < all->count; ++b) {
            double radii = 0;
            const scree_body_def *pair[2] = {&all->items[a], &all->items[b]};
            for (int k = 0; k < 2; ++k) {
                const scree_vec3 s = pair[k]->shape.size;
                radii +=
                    pair[k]->shape.kind == SCREE_SHAPE_SPHERE ? s.x : sqrt(s.x * s.x + s.y * s.y + s.z * s.z);
            }
            const scree_vec3 p = pair[0]->state.position, q = pair[1]->state.position;
            least = fmin(least, hypot(hypot(p.x - q.x, p.y - q.y), p.z - q.z) - radii);
        }
    return least;
}

/* The demo's region is as full as random placement allows. */
static void beads_fill_with_every_seed(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 10; ++seed) {
        scree_scene *scene = NULL;
        if (scree_scene_load(SCREE_SOURCE_DIR "/bench/scenes/beads.json", &scene) != SCREE_OK)
            fail_msg("%s", scree_error_get_message());
        const bodies beads = build_scene(scene, seed);
        assert_int_equal(beads.count, 20005);
        free(beads.items);
    }
}

static void fills_do_not_overlap(void **state) {
    (void)state;
    /* Radii over a factor of 100, so that the grid has several levels. */
    const bodies mixed = build_text(
        "{\"generators\": [{\"kind\": \"fill\", \"count\": 3000, \"gap\": 0.001,"
        "\"region\": {\"kind\": \"box\", \"size\": [2, 2], \"height\": 2, \"position\": [5, 6, 7]},"
        "\"size\": {\"kind\": \"log-normal\", \"median\": 0.02, \"deviation\": 0.8,"
        "\"minimum\": 0.004, \"maximum\": 0.4}, \"body\": {\"shape\": {\"kind\": \"sphere\"}}}]}",
        3);
    assert_int_equal(mixed.count, 3000);
    assert_true(smallest_gap(&mixed, 0) >= 0.001 - 1e-7);
    for (int i = 0; i < mixed.count; ++i) {
        const scree_vec3 p = mixed.items[i].state.position;
        const double r = mixed.items[i].shape.size.x - 1e-5;
        assert_true(fabs(p.x - 5) <= 1 - r && fabs(p.y - 6) <= 1 - r && p.z >= 7 + r && p.z <= 9 - r);
    }
    free(mixed.items);
    const bodies boxes = build_text(
        "{\"generators\": [{\"kind\": \"fill\", \"solid_fraction\": 0.06, \"orientation\": \"random\","
        "\"region\": {\"kind\": \"cylinder\", \"radius\": 1, \"height\": 3},"
        "\"body\": {\"shape\": {\"kind\": \"box\", \"size\": [0.1, 0.1, 0.2]}}}]}",
        0);
    /* N = φ V / v, to the nearest */
    assert_int_equal(boxes.count, (int)(0.06 * 3 * 3.14159265358979 / 0.002 + 0.5));
    assert_true(smallest_gap(&boxes, 0) >= -1e-7);
    const double around = sqrt(0.05 * 0.05 * 2 + 0.01);
    for (int i = 0; i < boxes.count; ++i) {
        const scree_vec3 p = boxes.items[i].state.position;
        assert_true(hypot(p.x, p.y) <= 1 - around + 1e-6 && p.z >= around - 1e-6 && p.z <= 3 - around + 1e-6);
    }
    free(boxes.items);
}

/* Consecutive grains are near each other: in a cube of side 2 two random places are 1.32 apart in the mean,
 * while the next along a Morton curve is at most some spacings of (8/n)^(1/3) away. Sizes move with their
 * places, and their distribution does not change. */
static void fills_follow_a_curve(void **state) {
    (void)state;
    const bodies grains = build_text("{\"generators\": [{\"kind\": \"fill\", \"count\": 4000,"
                                     "\"region\": {\"kind\": \"box\", \"size\": [2, 2], \"height\": 2},"
                                     "\"size\": {\"kind\": \"uniform\", \"minimum\": 0.02, \"maximum\": 0.1},"
                                     "\"body\": {\"shape\": {\"kind\": \"sphere\"}}}]}",
                                     5);
    assert_int_equal(grains.count, 4000);
    assert_true(smallest_gap(&grains, 0) >= -1e-7);
    double way = 0, sizes = 0;
    for (int i = 0; i < grains.count; ++i) {
        const scree_vec3 p = grains.items[i].state.position, q = grains.items[i ? i - 1 : 0].state.position;
        way += sqrt(pow((double)p.x - (double)q.x, 2) + pow((double)p.y - (double)q.y, 2) +
                    pow((double)p.z - (double)q.z, 2));
        sizes += 2 * (double)grains.items[i].shape.size.x;
    }
    assert_true(way / grains.count < 2 * cbrt(8.0 / 4000));
    assert_true(fabs(sizes / grains.count - 0.06) < 4 * 0.08 / sqrt(12.0 * 4000)); /* 4 σ */
    free(grains.items);
}

static void rain_finds_its_height(void **state) {
    (void)state;
    const bodies rain =
        build_text("{\"generators\": [{\"kind\": \"fill\", \"count\": 2000, \"solid_fraction\": 0.05,"
                   "\"region\": {\"kind\": \"box\", \"size\": [1, 1], \"position\": [0, 0, 2]},"
                   "\"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}}]}",
                   1);
    const double height = 2000 * (4 / 3.0 * 3.14159265358979 * 0.05 * 0.05 * 0.05) / 0.05;
    double low = 1e9, high = 0, sum = 0;
    for (int i = 0; i < rain.count; ++i) {
        const double z = rain.items[i].state.position.z;
        low = fmin(low, z);
        high = fmax(high, z);
        sum += z;
    }
    assert_true(low >= 2.05 - 1e-5 && low < 2.3 && high <= 2 + height - 0.05 + 1e-4 && high > 1.8 + height);
    assert_true(fabs(sum / rain.count - (2 + height / 2)) <
                4 * height / sqrt(12.0 * 2000)); /* evenly spread: 4 σ */
    free(rain.items);
}

enum { SAMPLES = 100000 };

/* Draws diameters of spheres on a lattice with the given size distribution. */
static double *draw_sizes(const char *size, uint64_t seed) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"generators\": [{\"kind\": \"lattice\", \"cells\": [100, 100, 10], \"spacing\": 1, \"size\": %s,"
        "\"body\": {\"shape\": {\"kind\": \"sphere\"}}}]}",
        size);
    const bodies all = build_text(text, seed);
    assert_int_equal(all.count, SAMPLES);
    double *sizes = malloc(SAMPLES * sizeof *sizes);
    assert_non_null(sizes);
    for (int i = 0; i < SAMPLES; ++i) sizes[i] = 2 * (double)all.items[i].shape.size.x;
    free(all.items);
    return sizes;
}

/* Asserts that sample mean and deviation are within four standard errors of the distribution's (that of the
 * deviation is at most the normal distribution's for the flat-tailed ones here). */
static void check_moments(const char *size, double mean, double deviation, double minimum, double maximum) {
    double *sizes = draw_sizes(size, 5), sum = 0, squares = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        assert_true(sizes[i] >= minimum * (1 - 1e-6) && sizes[i] <= maximum * (1 + 1e-6));
        sum += sizes[i];
    }
    const double found = sum / SAMPLES;
    for (int i = 0; i < SAMPLES; ++i) squares += (sizes[i] - found) * (sizes[i] - found);
    const double spread = sqrt(squares / (SAMPLES - 1));
    if (fabs(found - mean) > 4 * deviation / sqrt(SAMPLES) + 1e-7 * mean)
        fail_msg("%s: mean %.9g instead of %.9g", size, found, mean);
    if (fabs(spread - deviation) > 0.01 * deviation + 1e-7 * mean)
        fail_msg("%s: deviation %.9g instead of %.9g", size, spread, deviation);
    free(sizes);
}

static double phi(double x) { return exp(-x * x / 2) / sqrt(2 * 3.14159265358979323846); }
static double Phi(double x) { return 0.5 * erfc(-x / sqrt(2)); }

static void sizes_have_the_moments_of_their_distribution(void **state) {
    (void)state;
    check_moments("0.3", 0.3, 0, 0.3, 0.3);
    check_moments("{\"kind\": \"constant\", \"value\": 0.3}", 0.3, 0, 0.3, 0.3);
    check_moments("{\"kind\": \"uniform\", \"minimum\": 0.1, \"maximum\": 0.4}", 0.25, 0.3 / sqrt(12), 0.1,
                  0.4);
    /* Normal, truncated at ± 3 σ: variance σ² (1 − 6 φ(3)/(2Φ(3) − 1)). */
    check_moments("{\"kind\": \"normal\", \"mean\": 0.01, \"deviation\": 0.0005}", 0.01,
                  0.0005 * sqrt(1 - 6 * phi(3) / (2 * Phi(3) - 1)), 0.0085, 0.0115);
    /* Truncated on one side at the mean: a half-normal of mean σ √(2/π), variance σ² (1 − 2/π) (the other
     * limit is 10 σ away). */
    check_moments(
        "{\"kind\": \"normal\", \"mean\": 0.2, \"deviation\": 0.05, \"minimum\": 0.2, \"maximum\": 0.7}",
        0.2 + 0.05 * sqrt(2 / 3.14159265358979), 0.05 * sqrt(1 - 2 / 3.14159265358979), 0.2, 0.7);
    /* Log-normal, truncated at ± 3 σ: E[dⁿ] = mⁿ e^(n²σ²/2) (Φ(3 − nσ) − Φ(−3 − nσ))/(2Φ(3) − 1). */
    const double s = 0.4, m = 0.02, whole = 2 * Phi(3) - 1;
    const double first = m * exp(s * s / 2) * (Phi(3 - s) - Phi(-3 - s)) / whole;
    const double second = m * m * exp(2 * s * s) * (Phi(3 - 2 * s) - Phi(-3 - 2 * s)) / whole;
    check_moments("{\"kind\": \"log-normal\", \"median\": 0.02, \"deviation\": 0.4}", first,
                  sqrt(second - first * first), m * exp(-3 * s), m * exp(3 * s));
}

static void sieves_keep_their_fractions(void **state) {
    (void)state;
    const double openings[4] = {0.1, 0.2, 0.4, 0.8}, fractions[3] = {0.2, 0.5, 0.3};
    for (int by_number = 0; by_number < 2; ++by_number) {
        double *sizes = draw_sizes(by_number ? "{\"kind\": \"sieve\", \"openings\": [0.1, 0.2, 0.4, 0.8],"
                                               "\"fractions\": [2, 5, 3], \"by\": \"number\"}"
                                             : "{\"kind\": \"sieve\", \"openings\": [0.1, 0.2, 0.4, 0.8],"
                                               "\"fractions\": [2, 5, 3]}",
                                   11);
        double share[3] = {0}, total = 0;
        for (int i = 0; i < SAMPLES; ++i) {
            const int class = sizes[i] < openings[1] ? 0 : sizes[i] < openings[2] ? 1 : 2;
            assert_true(sizes[i] > openings[0] * (1 - 1e-6) && sizes[i] < openings[3] * (1 + 1e-6));
            const double weight = by_number ? 1 : sizes[i] * sizes[i] * sizes[i];
            share[class] += weight;
            total += weight;
        }
        for (int c = 0; c < 3; ++c) assert_true(fabs(share[c] / total - fractions[c]) < 0.015);
        free(sizes);
    }
}

/* Every class has its requested amount within one of its largest grains, after any number of grains; the
 * bodies match the classes of the scene; and a lattice shows no order. */
static void each_class_is_within_a_grain(void **state) {
    static const char *const tables[] = {
        "{\"kind\": \"sieve\", \"openings\": [0.1, 0.2, 0.4, 0.8], \"fractions\": [2, 5, 3]}",
        "{\"kind\": \"sieve\", \"openings\": [0.1, 0.2, 0.4, 0.8], \"fractions\": [0.01, 0, 7], \"by\": "
        "\"mass\"}",
        "{\"kind\": \"sieve\", \"openings\": [0.1, 0.2, 0.4, 0.8], \"fractions\": [2, 5, 3], \"by\": "
        "\"number\"}",
        "{\"kind\": \"discrete\", \"values\": [0.1, 0.3], \"fractions\": [1, 3]}",
        "{\"kind\": \"discrete\", \"values\": [0.1, 0.3], \"fractions\": [1, 3], \"by\": \"number\"}",
    };
    (void)state;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; ++t)
        for (int count = 1; count < 2000; count = 3 * count + 1) {
            char text[512];
            scree_scene *scene = NULL;
            scree_size_class classes[3];
            snprintf(text, sizeof text,
                     "{\"generators\": [{\"kind\": \"lattice\", \"cells\": [10, 10, 20], \"count\": %d, "
                     "\"spacing\": 1, \"size\": %s, \"body\": {\"shape\": {\"kind\": \"sphere\"}}}]}",
                     count, tables[t]);
            const bodies all = build_text(text, 3);
            CHECK(scree_scene_parse(text, strlen(text), "sizes.json", &scene));
            assert_int_equal(scree_scene_generator_count(scene), 1);
            const int found = scree_scene_get_size_classes(scene, 0, 3, classes, 3);
            assert_int_equal(scree_scene_get_size_classes(scene, 1, 3, classes, 3), 0);
            assert_int_equal(found, t < 3 ? 3 : 2);
            for (int k = 0; k < found; ++k) {
                double amount = 0;
                uint64_t grains = 0;
                const bool by_number = strstr(tables[t], "number");
                const double largest = by_number ? 1 : 1000 * 3.14159265358979 / 6 * pow(classes[k].to, 3);
                for (int i = 0; i < all.count; ++i) {
                    const double size = 2 * (double)all.items[i].shape.size.x;
                    if (size < classes[k].from * (1 - 1e-6) || size > classes[k].to * (1 + 1e-6)) continue;
                    amount += by_number ? 1 : 1000 * 3.14159265358979 / 6 * pow(size, 3);
                    grains++;
                }
                assert_int_equal(grains, classes[k].grains);
                assert_true(fabs(amount - classes[k].made) <= 1e-5 * amount);
                assert_true(classes[k].made <= classes[k].asked * (1 + 1e-12));
                assert_true(classes[k].asked - classes[k].made < largest);
            }
            free(all.items);
            scree_scene_destroy(scene);
        }
    /* 1000 grains of two sorts by number: neighbours are alike as often as in a random order, 5/8 within 4
     * σ. */
    const bodies mixed = build_text("{\"generators\": [{\"kind\": \"lattice\", \"cells\": [10, 10, 10], "
                                    "\"spacing\": 1, \"size\": {\"kind\": "
                                    "\"discrete\", \"values\": [0.1, 0.3], \"fractions\": [1, 3], \"by\": "
                                    "\"number\"}, \"body\": {\"shape\": "
                                    "{\"kind\": \"sphere\"}}}]}",
                                    3);
    int alike = 0;
    for (int i = 1; i < 1000; ++i) alike += mixed.items[i].shape.size.x == mixed.items[i - 1].shape.size.x;
    assert_true(fabs(alike / 999.0 - 0.625) < 4 * sqrt(0.625 * 0.375 / 999));
    free(mixed.items);
}

static void sizes_scale_boxes_by_their_middle_edge(void **state) {
    (void)state;
    const bodies all =
        build_text("{\"generators\": [{\"kind\": \"lattice\", \"cells\": [1, 1, 1], \"spacing\": 1,"
                   "\"size\": 0.3, \"body\": {\"shape\": {\"kind\": \"box\", \"size\": [4, 1, 2]}}}]}",
                   0);
    const scree_vec3 half = all.items[0].shape.size;
    assert_true(fabs(half.x - 0.3) < 1e-6 && fabs(half.y - 0.075) < 1e-6 && fabs(half.z - 0.15) < 1e-6);
    assert_true(fabs(all.items[0].mass - 1000 * 0.6 * 0.15 * 0.3) < 1e-4);
    free(all.items);
}

/* For rotations uniform over all, every entry of the matrix averages 0 and its square 1/3. */
static void random_orientations_are_isotropic(void **state) {
    (void)state;
    enum { N = 20000 };
    const bodies all =
        build_text("{\"generators\": [{\"kind\": \"lattice\", \"cells\": [100, 100, 2], \"spacing\": 1,"
                   "\"orientation\": \"random\", \"body\": {\"shape\": {\"kind\": \"box\","
                   "\"size\": [1, 1, 1]}}}]}",
                   99);
    double mean[3] = {0}, square[3] = {0};
    for (int i = 0; i < N; ++i) {
        const scree_quat q = all.items[i].state.rotation;
        const double z[3] = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                             1 - 2 * (q.x * q.x + q.y * q.y)};
        assert_true(fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-6);
        for (int k = 0; k < 3; ++k) {
            mean[k] += z[k] / N;
            square[k] += z[k] * z[k] / N;
        }
    }
    /* standard errors √(1/3N) and √((1/5 − 1/9)/N) */
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(mean[k]) < 4 * sqrt(1 / (3.0 * N)));
        assert_true(fabs(square[k] - 1 / 3.0) < 4 * sqrt((1 / 5.0 - 1 / 9.0) / N));
    }
    free(all.items);
}

#define TWO_FILLS                                                                                            \
    "{\"generators\": [{\"kind\": \"fill\", \"count\": 200, \"region\": {\"kind\": \"box\", \"size\": [1, "  \
    "1],"                                                                                                    \
    "\"height\": 1}, \"size\": {\"kind\": \"uniform\", \"minimum\": 0.02, \"maximum\": 0.05},"               \
    "\"body\": {\"shape\": {\"kind\": \"sphere\"}}}, {\"kind\": \"fill\", \"count\": 200, \"region\": "      \
    "{\"kind\": \"box\","                                                                                    \
    "\"size\": [1, 1], \"height\": 1}, \"size\": {\"kind\": \"uniform\", \"minimum\": 0.02, \"maximum\": "   \
    "0.05},"                                                                                                 \
    "\"body\": {\"shape\": {\"kind\": \"sphere\"}}}]}"

/* Returns how many of `count` bodies have the same place. */
static int coincident(const scree_body_def *a, const scree_body_def *b, int count) {
    int same = 0;
    for (int i = 0; i < count; ++i)
        same += !memcmp(&a[i].state.position, &b[i].state.position, sizeof a[i].state.position);
    return same;
}

static void seeds_determine_the_result(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 3; ++seed) {
        const bodies a = build_text(TWO_FILLS, seed), b = build_text(TWO_FILLS, seed);
        assert_int_equal(coincident(a.items, b.items, 400), 400);
        for (int i = 0; i < 400; ++i) assert_true(a.items[i].shape.size.x == b.items[i].shape.size.x);
        assert_int_equal(coincident(a.items, a.items + 200, 200),
                         0); /* equal generators differ by their index */
        const bodies c = build_text(TWO_FILLS, seed + (UINT64_C(1) << 40));
        assert_int_equal(coincident(a.items, c.items, 400), 0);
        free(a.items), free(b.items), free(c.items);
    }
    /* An item does not depend on the number of items. */
    const char *lattice =
        "{\"generators\": [{\"kind\": \"lattice\", \"cells\": [10, 10, %d], \"spacing\": 1,"
        "\"jitter\": [0.1, 0.2, 0.3], \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}}]}";
    char few[512], many[512];
    snprintf(few, sizeof few, lattice, 2);
    snprintf(many, sizeof many, lattice, 9);
    const bodies a = build_text(few, 8), b = build_text(many, 8);
    assert_int_equal(coincident(a.items, b.items, a.count), a.count);
    free(a.items), free(b.items);
}

static void beads_are_ready_to_fall(void **state) {
    (void)state;
    const bodies all = build_file("beads");
    assert_int_equal(all.count, 20005);
    double mass = 0, low = 1e9;
    for (int i = 5; i < all.count; ++i) {
        mass += all.items[i].mass;
        low = fmin(low, all.items[i].state.position.z - all.items[i].shape.size.x);
    }
    /* E[d³] of the untruncated normal distribution is μ³ + 3μσ²; truncating at 3 σ removes about 0.03 % of
     * it. */
    const double cube = 1e-6 + 3 * 0.01 * 0.0005 * 0.0005;
    assert_true(fabs(mass / (20000 * 2500 * 3.14159265358979 / 6 * cube) - 1) < 0.005);
    assert_true(low > 0);
    free(all.items);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settling_scenes_follow_their_definition),
        cmocka_unit_test(stacked_scenes_follow_their_definition),
        cmocka_unit_test(rings_are_round),
        cmocka_unit_test(towers_have_their_planks),
        cmocka_unit_test(beads_fill_with_every_seed),
        cmocka_unit_test(fills_do_not_overlap),
        cmocka_unit_test(fills_follow_a_curve),
        cmocka_unit_test(rain_finds_its_height),
        cmocka_unit_test(sizes_have_the_moments_of_their_distribution),
        cmocka_unit_test(sieves_keep_their_fractions),
        cmocka_unit_test(each_class_is_within_a_grain),
        cmocka_unit_test(sizes_scale_boxes_by_their_middle_edge),
        cmocka_unit_test(random_orientations_are_isotropic),
        cmocka_unit_test(seeds_determine_the_result),
        cmocka_unit_test(beads_are_ready_to_fall),
    };
    return cmocka_run_group_tests_name("generator", tests, NULL, NULL);
}
