/* Rays against analytic intersections, and against clipping of the ray by planes in double precision. */
#include "expect.h"
#include "random_vectors.h"
#include "base/vector.h"
#include "ray.h"

static uint64_t seed = 1;

/* A ray at distance b from the centre hits the sphere √(r² − b²) before the point nearest to the centre. */
static void sphere_is_hit_at_its_surface(void **unused) {
    (void)unused;
    const vec3s along = vec3_of(0, 1, 0);
    for (int i = 0; i < 20; ++i) {
        const double b = 0.05 * i, expected = 7 - sqrt(1 - b * b);
        const scalar got = ray_sphere(vec3_of((scalar)b, -7, 3), along, vec3_of(0, 0, 3), 1);
        assert_float_equal(got, expected, 2e-6);
    }
    assert_true(ray_sphere(vec3_of(1.001f, -7, 3), along, vec3_of(0, 0, 3), 1) == RAY_FAR);
    assert_true(ray_sphere(vec3_of(0, 7, 3), along, vec3_of(0, 0, 3), 1) == RAY_FAR);    /* behind */
    assert_true(ray_sphere(vec3_of(0, 0.5f, 3), along, vec3_of(0, 0, 3), 1) == RAY_FAR); /* inside */
}

/* A bead of a millimetre seen from 10 m: the textbook's b² − c loses it in the rounding of 100 m². */
static void far_bead_keeps_its_digits(void **unused) {
    (void)unused;
    const double radius = 0.001, distance = 10;
    for (int i = 0; i < 10; ++i) {
        const double b = 0.0001 * (i + 0.5), expected = distance - sqrt(radius * radius - b * b);
        const scalar got =
            ray_sphere(vec3_of((scalar)b, 0, 0), vec3_of(0, 0, -1), vec3_of(0, 0, -10), (scalar)radius);
        assert_float_equal(got, expected, 2e-6);
    }
    assert_true(ray_sphere(vec3_of(0.00102f, 0, 0), vec3_of(0, 0, -1), vec3_of(0, 0, -10), (scalar)radius) ==
                RAY_FAR);
}

/* A cube rotated by 45° shows its edge, √2 h from its centre. */
static void rotated_box_is_hit_at_its_edge(void **unused) {
    (void)unused;
    const versors turn = versor_of(0, 0, sinf((float)M_PI / 8), cosf((float)M_PI / 8));
    const vec3s extents = vec3_of(1, 1, 1), along = vec3_of(1, 0, 0);
    for (int i = -9; i <= 9; ++i) {
        const double y = 0.1 * i, expected = 5 - (sqrt(2.0) - fabs(y));
        const scalar got = ray_box(vec3_of(-5, (scalar)y, 0.3f), along, vec3_of(0, 0, 0), turn, extents);
        assert_float_equal(got, expected, 5e-6);
    }
    assert_true(ray_box(vec3_of(-5, 1.42f, 0), along, vec3_of(0, 0, 0), turn, extents) == RAY_FAR);
    assert_true(ray_box(vec3_of(-5, 0, 1.01f), along, vec3_of(0, 0, 0), turn, extents) == RAY_FAR);
    assert_true(ray_box(vec3_of(5, 0, 0), along, vec3_of(0, 0, 0), turn, extents) == RAY_FAR);
    assert_true(ray_box(vec3_of(0.2f, 0, 0), along, vec3_of(0, 0, 0), turn, extents) == RAY_FAR);
}

/* Clips a ray by the box's six planes in double precision; −1 if it misses. */
static double clipped(vec3s origin, vec3s direction, vec3s position, versors rotation, vec3s extents,
                      vec3s *normal) {
    double enter = 0, leave = 1e9;
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2;
        const vec3s n = rotate(rotation, vec3_axis(axis, face % 2 ? -1 : 1));
        const double h = vec3_along(extents, axis);
        double height = -h, speed = 0;
        for (int k = 0; k < 3; ++k) {
            height += ((double)vec3_along(origin, k) - vec3_along(position, k)) * vec3_along(n, k);
            speed += (double)vec3_along(direction, k) * vec3_along(n, k);
        }
        if (speed < 0 && -height / speed > enter) enter = -height / speed, *normal = n;
        if (speed > 0 && -height / speed < leave) leave = -height / speed;
        if (speed == 0 && height > 0) return -1;
    }
    return enter < leave ? enter : -1;
}

static void boxes_agree_with_a_clip_by_planes(void **unused) {
    (void)unused;
    int met = 0;
    for (int i = 0; i < 20000; ++i) {
        ray_body body = {
            .position = random_vector(&seed, -1, 1), .kind = SHAPE_BOX, .rotation = random_rotation(&seed)};
        for (int k = 0; k < 3; ++k)
            *vec3_component(&body.size, k) = (scalar)(0.55 + 0.45 * random_noise(&seed));
        const vec3s origin = glms_vec3_scale(random_direction(&seed), 6);
        const vec3s direction = ray_normalised(glms_vec3_sub(random_vector(&seed, -1.5, 1.5), origin));
        vec3s normal = vec3_of(0, 0, 0);
        const double expected = clipped(origin, direction, body.position, body.rotation, body.size, &normal);
        const scalar got = ray_body_distance(origin, direction, body);
        /* Rays that graze an edge may hit or miss. */
        vec3s unused_normal;
        const vec3s larger = glms_vec3_scale(body.size, 1.0001f),
                    smaller = glms_vec3_scale(body.size, 0.9999f);
        const double outer = clipped(origin, direction, body.position, body.rotation, larger, &unused_normal);
        const double inner =
            clipped(origin, direction, body.position, body.rotation, smaller, &unused_normal);
        if ((outer < 0) != (inner < 0) || fabs(outer - inner) > 1e-2) continue;
        assert_int_equal(expected < 0, got >= RAY_FAR);
        if (expected < 0) continue;
        ++met;
        assert_float_equal(got, expected, 2e-5);
        const vec3s found = ray_body_normal(origin, direction, got, body);
        assert_true(glms_vec3_dot(direction, found) < 0);
        assert_float_equal(glms_vec3_norm(found), 1, 1e-5);
        if (glms_vec3_dot(found, normal) < 0.999f) {
            /* Another face is allowed only where two meet. */
            const vec3s local = rotate_inverse(
                body.rotation, glms_vec3_sub(ray_point(origin, direction, got), body.position));
            int faces = 0;
            for (int k = 0; k < 3; ++k)
                faces += vec3_along(body.size, k) - fabsf(vec3_along(local, k)) < 1e-4f;
            assert_true(faces >= 2);
        }
    }
    assert_true(met > 3000);
}

static void half_space_is_hit_at_height_over_cosine(void **unused) {
    (void)unused;
    for (int i = 0; i < 8; ++i) {
        const double slant = 0.19 * i;
        const vec3s down = vec3_of((scalar)sin(slant), 0, (scalar)-cos(slant));
        const scalar got = ray_half_space(vec3_of(4, 5, 3), down, vec3_of(-1, 9, 1), vec3_of(0, 0, 1));
        assert_float_equal(got, 2 / cos(slant), 2e-5);
    }
    const vec3s point = vec3_of(0, 0, 1), up = vec3_of(0, 0, 1);
    assert_true(ray_half_space(vec3_of(0, 0, 3), vec3_of(1, 0, 0), point, up) == RAY_FAR);
    assert_true(ray_half_space(vec3_of(0, 0, 3), vec3_of(0, 0, 1), point, up) == RAY_FAR);
    assert_true(ray_half_space(vec3_of(0, 0, 0.5f), vec3_of(0, 0, -1), point, up) == RAY_FAR);
}

/* A ray enters every box around a body before the body, also with zeros in its direction. */
static void bounds_are_entered_before_their_content(void **unused) {
    (void)unused;
    int met = 0, cut = 0;
    for (int i = 0; i < 20000; ++i) {
        const scalar radius = (scalar)(0.6 + 0.4 * random_noise(&seed));
        const vec3s centre = random_vector(&seed, -1, 1);
        const vec3s margin = vec3_of(radius, radius, radius);
        const vec3s lower = glms_vec3_sub(centre, margin), upper = glms_vec3_add(centre, margin);
        vec3s direction = random_direction(&seed);
        if (i % 3 == 0) *vec3_component(&direction, i / 3 % 3) = 0;
        if (i % 7 == 0) direction = vec3_axis(i / 7 % 3, i & 1 ? 1 : -1);
        direction = ray_normalised(direction);
        const vec3s origin = ray_point(random_vector(&seed, -1.2, 1.2), direction, -4);
        const vec3s inverse =
            vec3_of(ray_inverse(direction.x), ray_inverse(direction.y), ray_inverse(direction.z));
        const scalar sphere = ray_sphere(origin, direction, centre, radius);
        if (sphere >= RAY_FAR) continue;
        ++met;
        assert_true(ray_bounds(origin, inverse, lower, upper, RAY_FAR) <= sphere * 1.00001f);
        /* The box extends √3 radii from its middle, the sphere one: it is at most 1.8 nearer. */
        if (!(sphere * 0.8f > 1.8f)) continue;
        assert_true(ray_bounds(origin, inverse, lower, upper, sphere * 0.2f) >= RAY_FAR);
        ++cut;
    }
    assert_true(met > 3000);
    assert_true(cut > 1000);
    const vec3s inverse = vec3_of(ray_inverse(1), ray_inverse(0), ray_inverse(0));
    const vec3s lower = vec3_of(1, 1, 1), upper = vec3_of(2, 2, 2);
    assert_float_equal(ray_bounds(vec3_of(0, 1.5f, 1.5f), inverse, lower, upper, RAY_FAR), 1, 1e-6);
    assert_float_equal(ray_bounds(vec3_of(1.5f, 1.5f, 1.5f), inverse, lower, upper, RAY_FAR), 0, 0);
    assert_true(ray_bounds(vec3_of(0, 2.5f, 1.5f), inverse, lower, upper, RAY_FAR) == RAY_FAR);
    assert_true(ray_bounds(vec3_of(3, 1.5f, 1.5f), inverse, lower, upper, RAY_FAR) == RAY_FAR);
}

/* Seen from 10 m with pixels of 10 mrad, an edge is 100 mm wide: 50 mm on the visible face. */
static void outline_is_a_pixel_wide(void **unused) {
    (void)unused;
    const ray_body box = {.kind = SHAPE_BOX, .rotation = versor_of(0, 0, 0, 1), .size = vec3_of(1, 1, 1)};
    const vec3s along = vec3_of(1, 0, 0);
    assert_float_equal(ray_outline(vec3_of(-11, 0.96f, 0), along, box, 0.01f), 10, 1e-5);
    assert_float_equal(ray_outline(vec3_of(-11, 0, -0.96f), along, box, 0.01f), 10, 1e-5);
    assert_true(ray_outline(vec3_of(-11, 0.94f, 0), along, box, 0.01f) == RAY_FAR);
    assert_true(ray_outline(vec3_of(-11, 1.01f, 0), along, box, 0.01f) == RAY_FAR);
}

static void squares_alternate_through_the_origin(void **unused) {
    (void)unused;
    for (int row = -5; row < 5; ++row)
        for (int column = -5; column < 5; ++column)
            assert_int_equal(ray_parity((scalar)column + 0.3f, (scalar)row + 0.7f), (row + column) & 1);
}

/* The darkest and the brightest light, and one that inverts: (186/255)² = 0.532. */
static void bytes_are_the_square_root_of_light(void **unused) {
    (void)unused;
    assert_int_equal(ray_byte(-1), 0);
    assert_int_equal(ray_byte(7), 255);
    for (int byte = 0; byte < 256; ++byte)
        assert_int_equal(ray_byte((scalar)(byte * byte) / (255 * 255)), byte);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_is_hit_at_its_surface),
        cmocka_unit_test(far_bead_keeps_its_digits),
        cmocka_unit_test(rotated_box_is_hit_at_its_edge),
        cmocka_unit_test(boxes_agree_with_a_clip_by_planes),
        cmocka_unit_test(half_space_is_hit_at_height_over_cosine),
        cmocka_unit_test(bounds_are_entered_before_their_content),
        cmocka_unit_test(outline_is_a_pixel_wide),
        cmocka_unit_test(squares_alternate_through_the_origin),
        cmocka_unit_test(bytes_are_the_square_root_of_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
