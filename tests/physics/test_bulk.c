/* Solid fraction of a pile: exact volumes of clipped bodies, and the box over which they are summed, on
 * packings of known fraction. */
#include <scree/scree.h>
#include <scree/tools/tools.h>

#include <float.h>

#include "body_fixture.h"
#include "geometry/cut_volume.h"
#include "rotation.h"

/* -- Clipped bodies against quadrature
 * --------------------------------------------------------------------- */

/* Computes the segment of the line (x, y, ·) inside a sphere, box or half-space at a pose. */
static void chord(scree_shape shape, body_pose pose, double x, double y, double *from, double *to) {
    const versors q = pose.rotation;
    const double c[3] = {(double)pose.position.x, (double)pose.position.y, (double)pose.position.z};
    const double s[3] = {(double)shape.size.x, (double)shape.size.y, (double)shape.size.z};
    *from = -1e9, *to = 1e9;
    if (shape.kind == SCREE_SHAPE_SPHERE) {
        const double square = s[0] * s[0] - (x - c[0]) * (x - c[0]) - (y - c[1]) * (y - c[1]);
        *from = c[2] - sqrt(fmax(square, 0)), *to = c[2] + sqrt(fmax(square, 0));
        return;
    }
    /* Rows of the transposed rotation matrix are the body's axes. */
    const double qx = (double)q.x, qy = (double)q.y, qz = (double)q.z, qw = (double)q.w;
    const double axes[3][3] = {
        {1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy + qw * qz), 2 * (qx * qz - qw * qy)},
        {2 * (qx * qy - qw * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz + qw * qx)},
        {2 * (qx * qz + qw * qy), 2 * (qy * qz - qw * qx), 1 - 2 * (qx * qx + qy * qy)}};
    const bool box = shape.kind == SCREE_SHAPE_BOX;
    for (int i = box ? 0 : 2; i < 3; i++) {
        const double at = axes[i][0] * (x - c[0]) + axes[i][1] * (y - c[1]) - axes[i][2] * c[2];
        const double lower = box ? -s[i] : -1e9, upper = box ? s[i] : 0;
        if (fabs(axes[i][2]) < 1e-12) {
            if (at < lower || at > upper) *to = *from;
            continue;
        }
        const double a = (lower - at) / axes[i][2], b = (upper - at) / axes[i][2];
        *from = fmax(*from, fmin(a, b)), *to = fmin(*to, fmax(a, b));
    }
}

/* Integrates by the midpoint rule over the columns of the box. */
static double by_columns(scree_shape shape, body_pose pose, const cut_box *box) {
    enum { COLUMNS = 400 };
    const double dx = (box->upper[0] - box->lower[0]) / COLUMNS,
                 dy = (box->upper[1] - box->lower[1]) / COLUMNS;
    double sum = 0;
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < COLUMNS; k++) {
            double from, to;
            chord(shape, pose, box->lower[0] + (i + 0.5) * dx, box->lower[1] + (k + 0.5) * dy, &from, &to);
            sum += fmax(fmin(to, box->upper[2]) - fmax(from, box->lower[2]), 0);
        }
    return sum * dx * dy;
}

static void assert_near(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance)) fail_msg("%.12g, not %.12g ± %g", found, expected, tolerance);
}

/* Random boxes about the surface of every shape; the rule's error is about the square of the column width. */
static void cut_bodies_have_the_volume_of_their_columns(void **state) {
    (void)state;
    uint64_t random = 1;
    const scree_shape shapes[] = {scree_shape_sphere(0.8f), scree_shape_box(0.7f, 0.4f, 0.9f),
                                  scree_shape_half_space()};
    for (int kind = 0; kind < 3; kind++)
        for (int i = 0; i < 60; i++) {
            const body_pose pose = {.position = random_vector(&random, -0.5, 0.5),
                                    .rotation = random_rotation(&random)};
            cut_box box;
            for (int k = 0; k < 3; k++) {
                box.lower[k] = (double)random_between(&random, -1.2, 0.6);
                box.upper[k] = box.lower[k] + (double)random_between(&random, 0.05, 1.2);
            }
            assert_near(cut_volume(shapes[kind], pose, &box), by_columns(shapes[kind], pose, &box), 2e-4);
        }
}

/* Half, quarter and eighth of a sphere; a cap, π h² (3 r − h)/3; and the parts on both sides of any three
 * planes add up to the whole. */
static void parts_of_a_sphere_are_exact(void **state) {
    (void)state;
    const body_pose pose = {.rotation = versor_of(0, 0, 0, 1)};
    const double whole = 4 * M_PI / 3;
    for (int planes = 0; planes <= 3; planes++) {
        cut_box box = {{-2, -2, -2}, {2, 2, 2}};
        for (int k = 0; k < planes; k++) box.lower[k] = 0;
        assert_near(cut_volume(scree_shape_sphere(1), pose, &box), whole / (1 << planes), 1e-14);
    }
    const cut_box cap = {{-2, -2, 0.75}, {2, 2, 2}};
    assert_near(cut_volume(scree_shape_sphere(1), pose, &cap), M_PI * 0.0625 * 2.75 / 3, 1e-14);

    uint64_t random = 7;
    for (int i = 0; i < 1000; i++) {
        double sum = 0, cuts[3];
        for (int k = 0; k < 3; k++) cuts[k] = (double)random_between(&random, -1.1, 1.1);
        for (int part = 0; part < 8; part++) {
            cut_box box = {{-2, -2, -2}, {2, 2, 2}};
            for (int k = 0; k < 3; k++) *(part >> k & 1 ? &box.lower[k] : &box.upper[k]) = cuts[k];
            const double volume = cut_volume(scree_shape_sphere(1), pose, &box);
            assert_true(volume >= 0);
            sum += volume;
        }
        assert_near(sum, whole, 1e-13);
    }
}

/* -- Packings -----------------------------------------------------------------------------------------------
 */

static scree_world *make_world(void) {
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    CHECK(scree_world_create(&def, &world));
    return world;
}

static void add(scree_world *world, scree_body_type type, scree_shape shape, vec3s at, versors rotation) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = type;
    def.shape = shape;
    def.state.position = (scree_vec3){at.x, at.y, at.z};
    def.state.rotation = (scree_quat){rotation.x, rotation.y, rotation.z, rotation.w};
    CHECK(scree_body_create(world, &def, &id));
}

static const versors upright = {0, 0, 0, 1};

/* Adds a lattice of `edge` places each way at `spacing`, all or those with an even index sum, rotated as a
 * whole. */
static void add_lattice(scree_world *world, int edge, float spacing, bool even, scree_shape shape,
                        versors turn) {
    for (int i = 0; i < edge * edge * edge; i++) {
        const int x = i % edge, y = i / edge % edge, z = i / (edge * edge);
        if (even && (x + y + z) % 2) continue;
        const vec3s at = vec3_of(spacing * (float)x, spacing * (float)y, spacing * (float)z);
        add(world, SCREE_BODY_DYNAMIC, shape, rotate(turn, at), turn);
    }
}

static scree_bulk bulk_of(const scree_world *world) {
    scree_bulk bulk;
    CHECK(scree_world_get_bulk(world, &bulk));
    return bulk;
}

static double finish(scree_world *world) {
    const double fraction = bulk_of(world).solid_fraction;
    scree_world_destroy(world);
    return fraction;
}

/* Simple cubic π/6, face-centred cubic π/√18, cubes with sides of 0.9 of their spacing 0.9³: exact up to
 * single precision, because faces through centres are mirror planes of these lattices. */
static void lattices_have_their_known_fractions(void **state) {
    (void)state;
    scree_world *world = make_world();
    add_lattice(world, 12, 1, false, scree_shape_sphere(0.5f), upright);
    assert_near(finish(world), M_PI / 6, 1e-6);
    world = make_world();
    add_lattice(world, 16, 1, true, scree_shape_sphere(sqrtf(0.5f)), upright);
    assert_near(finish(world), M_PI / sqrt(18), 1e-6);
    world = make_world();
    add_lattice(world, 12, 1, false, scree_shape_box(0.45f, 0.45f, 0.45f), upright);
    assert_near(finish(world), 0.9 * 0.9 * 0.9, 1e-6);
}

/* In a rotated lattice the faces of the box cut anywhere. */
static void rotated_lattices_have_the_same_fractions(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 3; i++) {
        const versors turn = random_rotation(&random);
        scree_world *world = make_world();
        add_lattice(world, 24, 1, false, scree_shape_sphere(0.5f), turn);
        assert_near(finish(world), M_PI / 6, 0.01);
        world = make_world();
        add_lattice(world, 24, 1, false, scree_shape_box(0.45f, 0.45f, 0.45f), turn);
        assert_near(finish(world), 0.729, 0.01);
    }
}

/* One body of a thousand that flew away changes nothing, at any distance. */
static void an_escapee_does_not_matter(void **state) {
    (void)state;
    static const float far[] = {30, 1e3f, 1e6f};
    for (int i = 0; i < 3; i++) {
        scree_world *world = make_world();
        add_lattice(world, 10, 1, false, scree_shape_sphere(0.5f), upright);
        add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f), vec3_of(-far[i], far[i], far[i]), upright);
        assert_near(finish(world), M_PI / 6, 1e-6);
    }
}

/* A cone leaves empty corners in the box of its middle 70 %: the box shrinks until its corners stick out by
 * less than a cell. */
static void a_heap_is_measured_inside(void **state) {
    (void)state;
    scree_world *world = make_world();
    enum { HEIGHT = 24 };
    for (int z = 0; z < HEIGHT; z++)
        for (int y = -HEIGHT; y <= HEIGHT; y++)
            for (int x = -HEIGHT; x <= HEIGHT; x++)
                if (x * x + y * y <= (HEIGHT - z) * (HEIGHT - z))
                    add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f),
                        vec3_of((float)x, (float)y, (float)z), upright);
    assert_near(finish(world), M_PI / 6, 0.002);
}

/* Static and kinematic bodies are excluded from the available volume: a static ball instead of 7 grains
 * leaves the fraction of the rest unchanged, and the ground does not count. */
static void obstacles_are_excluded_from_the_volume(void **state) {
    (void)state;
    scree_world *world = make_world();
    add_lattice(world, 12, 1, false, scree_shape_sphere(0.5f), upright);
    const scree_bulk before = bulk_of(world);
    double space = 1;
    for (int k = 0; k < 3; k++) space *= before.upper[k] - before.lower[k];
    add(world, SCREE_BODY_STATIC, scree_shape_half_space(), vec3_of(0, 0, -0.5f), upright);
    add(world, SCREE_BODY_STATIC, scree_shape_sphere(0.25f), vec3_of(5.5f, 5.5f, 5.5f), upright);
    add(world, SCREE_BODY_KINEMATIC, scree_shape_sphere(0.25f), vec3_of(4.5f, 5.5f, 5.5f), upright);
    const double taken = 2 * 4 * M_PI / 3 / 64;
    assert_near(finish(world), M_PI / 6 * space / (space - taken), 1e-6);
}

/* A scattered layer, a single body, a gas or two layers have no bulk: the result is NaN. */
static void without_a_bulk_the_fraction_is_nan(void **state) {
    (void)state;
    uint64_t random = 5;
    scree_world *world = make_world();
    assert_true(isnan(bulk_of(world).solid_fraction));
    assert_int_equal(bulk_of(world).status, SCREE_BULK_EMPTY);
    add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f), vec3_of(0, 0, 0), upright);
    assert_true(isnan(bulk_of(world).solid_fraction));
    for (int i = 0; i < 500; i++) {
        const float x = random_between(&random, 0, 40), y = random_between(&random, 0, 40);
        add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f),
            vec3_of(x, y, random_between(&random, 0, 1e-3)), upright);
    }
    const scree_bulk layer = bulk_of(world);
    assert_true(isnan(layer.solid_fraction) && isnan(layer.lower[0]) && isnan(layer.upper[2]));
    assert_int_equal(layer.status, SCREE_BULK_NARROW);
    scree_world_destroy(world);

    world = make_world();
    for (int i = 0; i < 1000; i++)
        add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f), random_vector(&random, 0, 40), upright);
    assert_int_equal(bulk_of(world).status, SCREE_BULK_GAPS);
    assert_true(isnan(finish(world)));

    /* An eighth of the volume is solid. The expected number of grains in a cell with its surroundings, 8
     * diameters³, is 8 × 0.125 × 6/π = 1.9, so exp(−1.9) = 0.15 of the cells are empty. */
    world = make_world();
    for (int i = 0; i < 400; i++)
        add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f),
            random_vector(&random, 0, (float)cbrt(400 * M_PI / 6 / 0.125)), upright);
    assert_int_equal(bulk_of(world).status, SCREE_BULK_GAPS);
    assert_true(isnan(finish(world)));

    world = make_world();
    for (int i = 0; i < 800; i++)
        add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.5f),
            vec3_of((float)(i % 20), (float)(i / 20 % 20), (float)(i / 400)), upright);
    assert_true(isnan(finish(world)));
}

static void null_is_rejected(void **state) {
    (void)state;
    scree_bulk bulk;
    assert_int_equal(scree_world_get_bulk(NULL, &bulk), SCREE_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_bodies_have_the_volume_of_their_columns),
        cmocka_unit_test(parts_of_a_sphere_are_exact),
        cmocka_unit_test(lattices_have_their_known_fractions),
        cmocka_unit_test(rotated_lattices_have_the_same_fractions),
        cmocka_unit_test(an_escapee_does_not_matter),
        cmocka_unit_test(a_heap_is_measured_inside),
        cmocka_unit_test(obstacles_are_excluded_from_the_volume),
        cmocka_unit_test(without_a_bulk_the_fraction_is_nan),
        cmocka_unit_test(null_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
