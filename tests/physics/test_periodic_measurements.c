/* Measurements and queries of periodic worlds, and floors continued by their periodic images. */
#include "frame_file.h"
#include "measurement_scenery.h"

static scree_world_def periodic_on(void **state, float x, float y, float z) {
    scree_world_def def = def_on(state);
    def.period = (scree_vec3){x, y, z};
    return def;
}

static scree_vec3 vector(double x, double y, double z) { return (scree_vec3){(float)x, (float)y, (float)z}; }

static double place_along_x(const scree_world *world, scree_body_id id) {
    int periods[3];
    CHECK(scree_body_get_periods(world, id, periods));
    return (double)state_of(world, id).position.x + periods[0] * (double)scree_world_get_def(world).period.x;
}

static scree_body_id add_floor(scree_world *world, scree_body_type type, double at, double speed) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = type;
    def.shape = scree_shape_box(1, 1, 0.5f);
    def.state.position = vector(at, 0.1, -0.5);
    def.state.linear_velocity = vector(speed, 0, 0);
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* g (sin θ − μ cos θ) over a floor that ends where its image begins, and no jump there. */
static void a_floor_continues_across_the_boundary(void **state) {
    const double theta = 0.5, mu = 0.3, g = 9.81, seconds = 3, a = g * (sin(theta) - mu * cos(theta));
    scree_world_def def = periodic_on(state, 2, 2, 0);
    def.gravity = vector(g * sin(theta), 0, -g * cos(theta));
    def.material.friction = (float)mu;
    def.time_step = 1.0 / 240;
    scree_world *world = world_of(&def);
    add_floor(world, SCREE_BODY_STATIC, 0.3, 0);
    const scree_body_id block = add_body(world, scree_shape_box(0.3f, 0.3f, 0.2f), vector(0, 0.9, 0.2),
                                         vector(0, 0, 0)),
                        ball =
                            add_body(world, scree_shape_sphere(0.1f), vector(0.9, 0, 0.1), vector(0, 0, 0));
    run_for(world, seconds);
    assert_float_equal(place_along_x(world, block), a * seconds * seconds / 2,
                       0.01 * a * seconds * seconds / 2);
    assert_float_equal((double)state_of(world, block).linear_velocity.x, a * seconds, 0.01 * a * seconds);
    assert_float_equal((double)state_of(world, block).position.z, 0.2, 0.002);
    /* tan θ = 0.55 < 7/2 μ: the ball rolls, at 5/7 of free sliding */
    const double rolls = 5.0 / 7 * g * sin(theta);
    assert_float_equal((double)state_of(world, ball).linear_velocity.x, rolls * seconds,
                       0.01 * rolls * seconds);
    assert_float_equal((double)state_of(world, ball).position.z, 0.1, 0.002);
    scree_world_destroy(world);
}

/* A belt across the whole cell carries a body across the boundary. */
static void a_belt_carries_across_the_boundary(void **state) {
    scree_world_def def = periodic_on(state, 2, 2, 0);
    def.material.friction = 0.5f;
    scree_world *world = world_of(&def);
    const scree_body_id belt = add_floor(world, SCREE_BODY_KINEMATIC, 0.2, 0.8),
                        block = add_body(world, scree_shape_box(0.2f, 0.2f, 0.1f), vector(0.7, 0, 0.1),
                                         vector(0.8, 0, 0));
    run_for(world, 5);
    assert_float_equal(place_along_x(world, belt), 0.2 + 4, 1e-4);
    assert_float_equal(place_along_x(world, block), 0.7 + 4, 1e-3);
    assert_float_equal((double)state_of(world, block).position.z, 0.1, 1e-3);
    assert_true(state_of(world, belt).position.x >= -1 && state_of(world, belt).position.x <= 1);
    scree_world_destroy(world);
}

/* Spheres across the boundary fill the cell like others, whichever part is measured. */
static void solid_fraction_is_exact_at_the_boundary(void **state) {
    scree_world_def def = periodic_on(state, 2, 2, 2);
    def.gravity = vector(0, 0, 0);
    scree_world *world = world_of(&def);
    const double r = 0.2, ball = 4 * 3.14159265358979 / 3 * r * r * r;
    const scree_body_id corner =
        add_body(world, scree_shape_sphere((float)r), vector(0.95, 0.98, -0.99), vector(0, 0, 0));
    add_body(world, scree_shape_sphere((float)r), vector(-0.95, 0.1, 0), vector(0, 0, 0));
    scree_measurement_def whole = measurement_def_of(SCREE_MEASUREMENT_SOLID_FRACTION, "whole"),
                          left = measurement_def_of(SCREE_MEASUREMENT_SOLID_FRACTION, "left"),
                          profile = measurement_def_of(SCREE_MEASUREMENT_PROFILE, "profile");
    whole.everywhere = left.everywhere = profile.everywhere = false;
    whole.zone = profile.zone = zone_of(SCREE_ZONE_BOX, vector(1, 1, 1), vector(0, 0, 0));
    left.zone = zone_of(SCREE_ZONE_BOX, vector(0.4, 1, 1), vector(-1.1, 0, 0));
    const scree_measurement_id all = measurement_made(world, whole), part = measurement_made(world, left),
                               density = measurement_made(world, profile);
    CHECK(scree_world_step(world, NULL));
    assert_float_equal(sample_of(world, all, "solid_fraction"), 2 * ball / 8, 1e-5 * ball);
    assert_float_equal(sample_of(world, part, "solid_fraction"), 2 * ball / (8 * 0.4), 1e-5 * ball);
    assert_float_equal(row_of(world, density).sample[0], 2 * ball / 8 * (double)def.material.density,
                       1e-4 * (double)def.material.density * ball);
    int found = 0;
    scree_body_id id;
    CHECK(scree_world_overlap_sphere(world, vector(-0.9, -0.9, 0.9), 0.05f, NULL, &id, 1, &found));
    assert_int_equal(found, 1);
    assert_int_equal(id.index, corner.index);
    CHECK(scree_world_overlap_sphere(world, vector(-0.9, -0.9, 0.6), 0.05f, NULL, &id, 1, &found));
    assert_int_equal(found, 0);
    scree_world_destroy(world);
}

/* Two spheres that push each other have the stress of the same two in the middle: Σ f l/V. */
static void stress_crosses_the_boundary(void **state) {
    double stress[2];
    for (int across = 0; across < 2; across++) {
        scree_world_def def = periodic_on(state, 2, 2, 2);
        def.gravity = vector(0, 0, 0);
        scree_world *world = world_of(&def);
        const double x = across ? 0.9 : 0;
        add_body(world, scree_shape_sphere(0.2f), vector(x, 0, 0), vector(1, 0, 0));
        add_body(world, scree_shape_sphere(0.2f), vector(x + 0.4, 0, 0), vector(-1, 0, 0));
        scree_measurement_def measurement = measurement_def_of(SCREE_MEASUREMENT_STRESS, "stress");
        measurement.everywhere = false;
        measurement.zone = zone_of(SCREE_ZONE_BOX, vector(1, 1, 1), vector(0, 0, 0));
        const scree_measurement_id id = measurement_made(world, measurement);
        CHECK(scree_world_step(world, NULL));
        scree_contact contact;
        assert_int_equal(scree_contact_list(world, &contact, 1), 1);
        assert_float_equal((double)contact.offset.x, across ? 2 : 0, 1e-6);
        stress[across] = sample_of(world, id, "stress_xx_Pa");
        const double force = length_of(contact.impulse) / def.time_step;
        /* centres after the step, which no longer moves them */
        assert_float_equal(stress[across], force * 0.4 / 8, 1e-3 * force);
        scree_world_destroy(world);
    }
    assert_float_equal(stress[0], stress[1], 1e-5 * stress[0]);
}

static const double APART = 2; /* m: the period */
enum { COPIES = 4 };           /* in each direction, to imitate a periodic world */

/* Makes two spheres that push each other in a periodic cell, or COPIES cells about the one at `middle`. */
static scree_world *pushing(void **state, bool periodic, const int middle[3]) {
    scree_world_def def = def_on(state);
    def.gravity = vector(0, 0, 0);
    if (periodic) def.period = vector(APART, APART, APART);
    scree_world *world = world_of(&def);
    const int copies = periodic ? 0 : COPIES;
    for (int z = -copies; z <= copies; z++)
        for (int y = -copies; y <= copies; y++)
            for (int x = -copies; x <= copies; x++)
                for (int one = 0; one < 2; one++) {
                    const double at[3] = {0.9 + 0.4 * one + APART * (periodic ? 0 : middle[0] + x),
                                          0.1 + APART * (periodic ? 0 : middle[1] + y),
                                          0.2 + APART * (periodic ? 0 : middle[2] + z)};
                    add_body(world, scree_shape_sphere(0.2f), vector(at[0], at[1], at[2]),
                             vector(one ? -1 : 1, 0.1, 0));
                }
    return world;
}

/* Zones far from the cell and wider than it measure the same as with explicit copies of the cell. */
static void zones_include_every_image(void **state) {
    static const scree_measurement_kind kinds[] = {SCREE_MEASUREMENT_SOLID_FRACTION,
                                                   SCREE_MEASUREMENT_PROFILE, SCREE_MEASUREMENT_SURFACE,
                                                   SCREE_MEASUREMENT_STRESS};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    const int middle[3] = {9, -7, 2};
    scree_world *worlds[2];
    scree_measurement_id ids[2][KINDS];
    for (int i = 0; i < 2; i++) {
        worlds[i] = pushing(state, i == 0, middle);
        for (int kind = 0; kind < KINDS; kind++) {
            char name[8];
            snprintf(name, sizeof name, "g%d", kind);
            scree_measurement_def measurement = measurement_def_of(kinds[kind], name);
            measurement.everywhere = false;
            measurement.zone = zone_of(SCREE_ZONE_BOX, vector(4.3, 2.1, 0.7), vector(18.4, -14.3, 4.6));
            measurement.zone.rotation = (scree_quat){0, 0, sinf(0.3f), cosf(0.3f)};
            if (kinds[kind] != SCREE_MEASUREMENT_STRESS) measurement.cells[0] = 12, measurement.cells[1] = 7;
            ids[i][kind] = measurement_made(worlds[i], measurement);
        }
        CHECK(scree_world_step(worlds[i], NULL));
    }
    for (int kind = 0; kind < KINDS; kind++) {
        const scree_measurement_row seen = row_of(worlds[0], ids[0][kind]),
                                    copied = row_of(worlds[1], ids[1][kind]);
        double largest = 0;
        assert_int_equal(seen.count, copied.count);
        for (int i = 0; i < seen.count; i++) largest = fmax(largest, fabs(copied.sample[i]));
        assert_true(largest > 0);
        for (int i = 0; i < seen.count; i++) {
            assert_int_equal(isnan(seen.sample[i]), isnan(copied.sample[i]));
            if (!isnan(seen.sample[i])) assert_float_equal(seen.sample[i], copied.sample[i], 2e-5 * largest);
        }
    }
    for (int i = 0; i < 2; i++) scree_world_destroy(worlds[i]);
}

/* A zone of whole periods has the same fraction anywhere, and one with too many images is rejected. */
static void whole_periods_have_equal_fractions(void **state) {
    static const double off[] = {0, 1.4, 10, 50}, wide[] = {1, 4, 10};
    const double r = 0.2, ball = 4 * 3.14159265358979 / 3 * r * r * r;
    scree_world *world = pushing(state, true, (const int[3]){0, 0, 0});
    scree_measurement_id ids[12];
    scree_measurement_def measurement = measurement_def_of(SCREE_MEASUREMENT_SOLID_FRACTION, "whole");
    measurement.everywhere = false;
    for (int i = 0; i < 12; i++) {
        char name[8];
        snprintf(name, sizeof name, "w%d", i);
        measurement.name = name;
        measurement.zone =
            zone_of(SCREE_ZONE_BOX, vector(wide[i % 3], wide[i % 3], 1), vector(APART * off[i / 3], 0, 0));
        ids[i] = measurement_made(world, measurement);
    }
    CHECK(scree_world_step(world, NULL));
    for (int i = 0; i < 12; i++)
        assert_float_equal(sample_of(world, ids[i], "solid_fraction"), 2 * ball / 8, 1e-5 * ball);
    measurement.name = "refused";
    measurement.zone.size.y = 101;
    assert_int_equal(scree_measurement_create(world, &measurement, &ids[0]), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "zone"));
    measurement.zone = zone_of(SCREE_ZONE_BOX, vector(1, 1, 1), vector(0, 0, -300));
    assert_int_equal(scree_measurement_create(world, &measurement, &ids[0]), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "zone.position.z"));
    scree_world_destroy(world);
}

/* A thin zone across the cell's corner: grains and contacts count once if any image is in it. */
static void tilted_zones_miss_no_grain(void **state) {
    enum { GRAINS = 60 };
    scree_world_def def = periodic_on(state, 2, 2, 0);
    def.gravity = vector(0, 0, 0);
    scree_world *world = world_of(&def);
    const double c = cos(0.6), s = sin(0.6), half[2] = {2.9, 0.12};
    double grains = 0, contacts = 0, nearest = 0;
    for (int i = 0; i < GRAINS; i++) {
        /* Pairs that push each other, far from the others. */
        const double x = -0.97 + 0.2 * (i % 10), y = -0.95 + 0.3 * (i / 10);
        bool in[3] = {false};
        for (int one = 0; one < 2; one++)
            add_body(world, scree_shape_sphere(0.02f), vector(x + 0.04 * one, y, 0),
                     vector(one ? -1 : 1, 0, 0));
        for (int px = -3; px <= 3; px++)
            for (int py = -3; py <= 3; py++)
                for (int k = 0; k < 3; k++) {
                    const double at[2] = {x + 0.02 * k + 2 * px, y + 2 * py};
                    const double u = c * at[0] + s * at[1], v = c * at[1] - s * at[0];
                    const bool is = fabs(u) <= half[0] && fabs(v) <= half[1];
                    in[k] |= is;
                    nearest += is && k != 1 && fabs(at[0]) < 1 && fabs(at[1]) < 1;
                }
        grains += in[0] + in[2], contacts += in[1];
    }
    static const scree_measurement_kind kinds[] = {SCREE_MEASUREMENT_COORDINATION, SCREE_MEASUREMENT_MIXING,
                                                   SCREE_MEASUREMENT_FABRIC, SCREE_MEASUREMENT_CONTACT_FORCE};
    scree_measurement_id ids[4];
    for (int i = 0; i < 4; i++) {
        char name[8];
        snprintf(name, sizeof name, "t%d", i);
        scree_measurement_def measurement = measurement_def_of(kinds[i], name);
        measurement.everywhere = false;
        measurement.zone = zone_of(SCREE_ZONE_BOX, vector(half[0], half[1], 1), vector(0, 0, 0));
        measurement.zone.rotation = (scree_quat){0, 0, sinf(0.3f), cosf(0.3f)};
        if (kinds[i] == SCREE_MEASUREMENT_MIXING)
            measurement.cells[0] = 12, measurement.cells[1] = 2, measurement.cells[2] = 1;
        ids[i] = measurement_made(world, measurement);
    }
    CHECK(scree_world_step(world, NULL));
    assert_true(grains > nearest + 10 && contacts > 10 && grains < 2 * GRAINS);
    assert_float_equal(sample_of(world, ids[0], "grains"), grains, 0.1);
    assert_float_equal(sample_of(world, ids[1], "grains"), grains, 0.1);
    assert_float_equal(sample_of(world, ids[2], "contacts"), contacts, 0.1);
    assert_float_equal(sample_of(world, ids[3], "contacts"), contacts, 0.1);
    scree_world_destroy(world);
}

/* A body that falls through its cell for ever conserves energy, and crosses a plane once per period. */
static void crossings_are_counted(void **state) {
    scree_world_def def = periodic_on(state, 0, 0, 2);
    scree_world *world = world_of(&def);
    add_body(world, scree_shape_sphere(0.2f), vector(0, 0, 0.5), vector(0, 0, 0));
    scree_measurement_id flows[3];
    for (int i = 0; i < 3; i++) {
        char name[8];
        snprintf(name, sizeof name, "f%d", i);
        scree_measurement_def measurement = measurement_def_of(SCREE_MEASUREMENT_FLOW, name);
        measurement.everywhere = false;
        measurement.zone = zone_of(SCREE_ZONE_HALF_SPACE, vector(0, 0, 0),
                                   vector(0, 0,
                                          i == 0   ? -1
                                          : i == 1 ? 0.97
                                                   : 0.1));
        flows[i] = measurement_made(world, measurement);
    }
    scree_statistics first, s;
    CHECK(scree_world_step(world, &first));
    s = run_for(world, 2);
    /* 20 m: ten periods. Velocities are those of half a step later: m v g h/2, where a period is m g L */
    const double way = 0.5 - (2 * (double)s.potential_energy / (2 * 9.81 * s.dynamic_mass));
    assert_true(way > 19 && way < 21.5);
    assert_float_equal(s.kinetic_energy + s.potential_energy, first.kinetic_energy + first.potential_energy,
                       6e-3 * s.kinetic_energy);
    for (int i = 0; i < 3; i++) {
        const double plane = i == 0 ? -1 : i == 1 ? 0.97 : 0.1, bottom = 0.5 - way;
        double crossings = 0;
        for (int n = 0; n < 30; n++) crossings += plane - 2 * n > bottom && plane - 2 * n < 0.5;
        assert_float_equal(sample_of(world, flows[i], "grains"), crossings, 0.1);
    }
    scree_world_destroy(world);
}

/* A frame file records how often a body has crossed each boundary, and in which periodic image a contact has
 * its second body; that of a non-periodic world records neither. */
static void frames_record_periodic_crossings(void **state) {
    const uint32_t only = 1u << SCREE_FRAME_PERIODS | 1u << SCREE_FRAME_OFFSET;
    for (int periodic = 0; periodic < 2; periodic++) {
        scree_world_def def = periodic_on(state, periodic ? 2 : 0, 0, 0);
        def.gravity = vector(0, 0, 0);
        scree_world *world = world_of(&def);
        scree_frame frame, back;
        add_body(world, scree_shape_sphere(0.1f), vector(-0.5, 0, 1), vector(-7, 0, 0));
        add_body(world, scree_shape_sphere(0.1f), vector(0.9, 0, 0), vector(0, 0, 0));
        add_body(world, scree_shape_sphere(0.1f), vector(periodic ? -0.9 : 1.1, 0, 0), vector(0, 0, 0));
        run_for(world, 1);
        frame_through_file(world, &frame, &back);
        assert_int_equal(back.fields & only, periodic ? only : 0);
        for (int i = 0; i < 3; i++)
            assert_memory_equal(frame.periods[i], back.periods[i], sizeof *back.periods);
        assert_int_equal(back.periods[0][0], periodic ? -4 : 0); /* −7.5 m */
        ASSERT_WITHIN(back.states[0].position.x + 2.0f * (float)back.periods[0][0], -7.5, 1e-4);
        assert_int_equal(back.contact_count, 1);
        for (int i = 0; i < back.contact_count; i++) {
            const scree_vec3 offset = back.contacts[i].offset;
            assert_memory_equal(&offset, &frame.contacts[i].offset, sizeof offset);
            ASSERT_WITHIN(fabsf(offset.x), periodic ? 2 : 0, 0);
        }
        scree_frame_release(&frame), scree_frame_release(&back);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(a_floor_continues_across_the_boundary),
        ON_EACH_BACKEND(a_belt_carries_across_the_boundary),
        ON("native", solid_fraction_is_exact_at_the_boundary),
        ON("native", stress_crosses_the_boundary),
        ON("native", zones_include_every_image),
        ON("native", whole_periods_have_equal_fractions),
        ON("native", tilted_zones_miss_no_grain),
        ON("native", crossings_are_counted),
        ON("native", frames_record_periodic_crossings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
