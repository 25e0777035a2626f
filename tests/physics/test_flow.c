/* Inlets and outlets: inserted amount against rate times time, free places, and bounds. */
#include "folder.h"
#include "scenery.h"

static scree_flow_state flow_of(const scree_world *world, scree_flow_id id) {
    scree_flow_state state;
    CHECK(scree_flow_get_state(world, id, &state));
    return state;
}

/* Makes a column in which grains of 10 to 20 mm rain onto an outlet as floor. */
static scree_world *rain(void **state, scree_flow_id *in, scree_flow_id *out) {
    scree_world_def def = def_on(state);
    def.time_step = 0.01;
    scree_world *world = world_of(&def);
    scree_inlet_def inlet = scree_default_inlet_def();
    const float sizes[3] = {0.01f, 0.014f, 0.02f};
    inlet.zone.kind = SCREE_ZONE_CYLINDER;
    inlet.zone.size = (scree_vec3){0.2f, 0, 0.05f};
    inlet.zone.position.z = 1;
    inlet.body.state.linear_velocity.z = -1;
    inlet.sizes = sizes, inlet.size_count = 3;
    inlet.mass_rate = 0.2;
    inlet.start = 0.1;
    inlet.seed = 7;
    CHECK(scree_inlet_create(world, &inlet, in));
    scree_outlet_def outlet = scree_default_outlet_def();
    outlet.zone.kind = SCREE_ZONE_HALF_SPACE;
    outlet.outside = false;
    CHECK(scree_outlet_create(world, &outlet, out));
    return world;
}

/* The inserted mass is rate × time within the largest grain; in free fall the removed mass is that inserted
 * long enough before; nothing is lost. */
static void inserted_mass_is_rate_times_time(void **state) {
    scree_flow_id in, out;
    scree_world *world = rain(state, &in, &out);
    const double largest = 4188.79 * pow(0.01, 3);
    double before[101] = {0};
    scree_statistics s;
    for (int step = 1; step <= 100; step++) {
        CHECK(scree_world_step(world, &s));
        const double due = fmax(0, 0.2 * (step * 0.01 - 0.1)), came = flow_of(world, in).mass;
        before[step] = came;
        assert_true(came <= due * (1 + 1e-6));
        ASSERT_AT_LEAST(came, due - largest);
        assert_false(flow_of(world, in).waiting);
        assert_int_equal(s.dynamic_bodies, s.inserted_total - s.removed_total);
        assert_true(s.inserted_mass == came && s.removed_mass == flow_of(world, out).mass);
    }
    /* From 0.95 and 1.05 m at 1 m/s: √(1 + 2 g z)/g − 1/g = 0.350 s and 0.372 s, and two steps for rounding
     * up */
    ASSERT_AT_MOST(s.removed_mass, before[100 - 35] * (1 + 1e-9)); /* except for the order of summation */
    ASSERT_AT_LEAST(s.removed_mass, before[100 - 39]);
    assert_true(s.removed_total > 20);
    scree_world_destroy(world);
}

/* Each class has its fraction, a quarter of the number, at any time and from any grain on. */
static void each_class_has_its_fraction(void **state) {
    enum { GRAINS = 600, CLASSES = 4 };
    const float sizes[CLASSES + 1] = {0.002f, 0.003f, 0.005f, 0.006f, 0.01f};
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    scree_inlet_def inlet = scree_default_inlet_def();
    inlet.zone.size = (scree_vec3){0.5f, 0.5f, 0.5f};
    inlet.sizes = sizes, inlet.size_count = CLASSES + 1, inlet.seed = 11;
    inlet.rate = 20 / def.time_step, inlet.count = GRAINS;
    CHECK(scree_inlet_create(world, &inlet, NULL));
    static int had[GRAINS + 1][CLASSES];
    static scree_body_id ids[GRAINS];
    for (int step = 0; step < GRAINS / 20 + 2; step++) CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_body_list(world, ids, GRAINS), GRAINS);
    bool mixed = false;
    for (int i = 0, last = -1; i < GRAINS; i++) {
        scree_body_def body;
        int class = 0;
        CHECK(scree_body_get_def(world, ids[i], &body));
        while (class + 1 < CLASSES && 2 * body.shape.size.x >= sizes[class + 1]) class ++;
        for (int k = 0; k < CLASSES; k++) had[i + 1][k] = had[i][k] + (k == class);
        mixed |= i > 0 && class < last, last = class;
    }
    assert_true(mixed);
    for (int from = 0; from < GRAINS; from += 7)
        for (int to = from + 1; to <= GRAINS; to++)
            for (int k = 0; k < CLASSES; k++)
                ASSERT_WITHIN(had[to][k] - had[from][k], (to - from) / (double)CLASSES, 4);
    scree_world_destroy(world);
}

/* In a narrow pipe a grain waits until the previous one has fallen far enough: no two ever overlap, and the
 * flow is that of free fall, not the rate. */
static void a_grain_waits_until_its_place_is_free(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.005;
    scree_world *world = world_of(&def);
    scree_inlet_def inlet = scree_default_inlet_def();
    scree_flow_id in;
    inlet.zone.size = (scree_vec3){1e-6f, 1e-6f, 1e-6f};
    inlet.body.shape = scree_shape_sphere(0.05f);
    inlet.rate = 1000, inlet.count = 9;
    CHECK(scree_inlet_create(world, &inlet, &in));
    int last = 0;
    for (int step = 1, since = 0; step <= 400; step++, since++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        ASSERT_WITHIN(s.penetration_max, 0, 1e-6);
        const scree_flow_state now = flow_of(world, in);
        assert_int_equal(s.inserted, (int)now.grains - last);
        assert_true(now.waiting == (now.grains < 9));
        if ((int)now.grains == last) continue;
        assert_int_equal(now.grains, last + 1);
        /* g h² n (n + 1)/2 ≥ 0.1: symplectic Euler's fall in n steps */
        if (last) assert_int_equal(since, 29 - 1 + (9.81 * 0.005 * 0.005 * 28 * 29 / 2 < 0.1));
        last = (int)now.grains, since = 0;
    }
    assert_int_equal(last, 9);
    scree_world_destroy(world);
}

/* The zone is a point, so that a grain of radius r falling from rest frees it after sqrt(4 r/g) = 0.064 s: of
 * the 50 grains due until 0.1 s two are inserted, and none after the stop. */
static void waiting_grains_are_dropped_at_the_stop(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.001;
    scree_world *world = world_of(&def);
    scree_inlet_def inlet = scree_default_inlet_def();
    scree_flow_id in;
    inlet.zone.size = (scree_vec3){1e-6f, 1e-6f, 1e-6f};
    inlet.body.shape = scree_shape_sphere(0.01f);
    inlet.rate = 500;
    inlet.stop = 0.1;
    CHECK(scree_inlet_create(world, &inlet, &in));
    run_for(world, 0.1);
    assert_int_equal(flow_of(world, in).grains, 2);
    run_for(world, 0.2);
    assert_int_equal(flow_of(world, in).grains, 2);
    assert_false(flow_of(world, in).waiting);
    scree_world_destroy(world);
}

static void bounds_remove_or_stop(void **state) {
    for (int stops = 0; stops < 2; stops++) {
        scree_world_def def = def_on(state);
        def.time_step = 0.01;
        def.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&def);
        scree_outlet_def outlet = scree_default_outlet_def();
        scree_flow_id out;
        outlet.zone.position.x = 1, outlet.zone.rotation = (scree_quat){0, 0, sinf(0.5f), cosf(0.5f)};
        outlet.stops = stops;
        CHECK(scree_outlet_create(world, &outlet, &out));
        const scree_body_id runner = add_body(world, scree_shape_sphere(0.1f), (scree_vec3){1, 0, 0.2f},
                                              (scree_vec3){(float)cos(1), (float)sin(1), 0});
        add_slope(world, 0); /* not dynamic */
        run_for(world, 0.49);
        if (stops) {
            while (scree_world_step(world, NULL) == SCREE_OK) {
            }
            const uint64_t before = scree_world_get_hash(world);
            CHECK_FAILS(scree_world_step(world, NULL), SCREE_ERROR_CAPACITY, "id 1");
            assert_true(scree_world_get_hash(world) == before);
            assert_in_range(scree_world_step_count(world), 49,
                            50); /* 0.5 m, on the face except for round-off */
            CHECK(scree_flow_destroy(world, out));
            CHECK(scree_world_step(world, NULL));
        } else {
            run_for(world, 0.02);
            assert_false(scree_body_is_valid(world, runner));
            assert_int_equal(flow_of(world, out).grains, 1);
            ASSERT_NEAR(flow_of(world, out).mass, 4188.79 * 1e-3, 1e-5);
            CHECK(scree_flow_destroy(world, out));
        }
        CHECK_FAILS(scree_flow_destroy(world, out), SCREE_ERROR_HANDLE, "");
        assert_int_equal(scree_flow_list(world, NULL, 0), 0);
        scree_world_destroy(world);
    }
}

/* Equal runs are equal, runs with another seed differ, and a resumed one continues bit for bit. */
static void a_resumed_run_is_the_same_to_the_bit(void **state) {
    const folder place = folder_make();
    const char *path = folder_file(&place, "rain.checkpoint");
    scree_flow_id in, out, ids[2];
    scree_world *stayed = rain(state, &in, &out), *resumed = NULL;
    add_slope(stayed, 0.2f);
    run_for(stayed, 0.53);
    CHECK(scree_checkpoint_save(stayed, path));
    scree_world_def runtime = scree_world_get_def(stayed);
    runtime.device = test_device(), runtime.threads = 1;
    CHECK(scree_checkpoint_load(path, &runtime, &resumed));
    assert_int_equal(scree_flow_list(resumed, ids, 2), 2);
    run_for(stayed, 0.3), run_for(resumed, 0.3);
    assert_true(scree_world_get_hash(stayed) == scree_world_get_hash(resumed));
    assert_true(flow_of(stayed, in).grains == flow_of(resumed, ids[0]).grains);
    assert_true(flow_of(stayed, out).mass == flow_of(resumed, ids[1]).mass);
    scree_world_destroy(stayed);
    scree_world_destroy(resumed);
    folder_remove(&place);
}

static const char silo[] = "{\"backend\": {\"kind\": \"native\", \"threads\": 1}, \"time_step\": 0.01,\n"
                           " \"inlets\": [{\"zone\": {\"kind\": \"box\", \"size\": [1, 1, 0.1], "
                           "\"position\": [0, 0, 1]}, \"rate\": 50,\n"
                           "  \"size\": {\"kind\": \"uniform\", \"minimum\": 0.02, \"maximum\": 0.04}, "
                           "\"orientation\": \"random\",\n"
                           "  \"body\": {\"shape\": {\"kind\": \"box\"}}, \"count\": 30%s}],\n"
                           " \"outlets\": [{\"zone\": {\"kind\": \"half-space\"%s}}]}\n";

static void a_scene_defines_flows(void **state) {
    (void)state;
    static const struct {
        const char *inlet, *outlet, *words;
    } tries[] = {{"", "", NULL},
                 {", \"mass_rate\": 1", "", "inlets[0]"},
                 {", \"start\": 2, \"stop\": 1", "", "inlets[0]"},
                 {"", ", \"radius\": 1", "outlets[0]"}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char text[2048];
        scree_scene *scene = NULL;
        snprintf(text, sizeof text, silo, tries[i].inlet, tries[i].outlet);
        if (tries[i].words) {
            CHECK_FAILS(scree_scene_parse(text, strlen(text), "silo.json", &scene), SCREE_ERROR_FORMAT,
                        tries[i].words);
            continue;
        }
        CHECK(scree_scene_parse(text, strlen(text), "silo.json", &scene));
        uint64_t hashes[3];
        for (int k = 0; k < 3; k++) {
            const scree_world_def def = scree_scene_get_world_def(scene);
            scree_world *world = world_of(&def);
            CHECK(scree_scene_build(scene, world, k == 2));
            const scree_statistics s = run_for(world, 0.9);
            assert_int_equal(s.inserted_total, 30);
            ASSERT_NEAR(s.inserted_mass / 30, 1000 * 3e-5, 0.3); /* ∫ d³ = 3e-5 m³, within a few grains */
            assert_true(s.removed_total > 15 && s.removed_total < 30);
            hashes[k] = scree_world_get_hash(world);
            scree_world_destroy(world);
        }
        assert_true(hashes[0] == hashes[1] && hashes[0] != hashes[2]);
        scree_scene_destroy(scene);
    }
}

static void invalid_definitions_are_rejected(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world = world_of(&def);
    scree_inlet_def inlet = scree_default_inlet_def();
    CHECK_FAILS(scree_inlet_create(world, &inlet, NULL), SCREE_ERROR_ARGUMENT, "rate");
    inlet.rate = 1, inlet.zone.kind = SCREE_ZONE_HALF_SPACE;
    CHECK_FAILS(scree_inlet_create(world, &inlet, NULL), SCREE_ERROR_ARGUMENT, "zone");
    inlet.zone.kind = SCREE_ZONE_BOX, inlet.body.type = SCREE_BODY_STATIC;
    CHECK_FAILS(scree_inlet_create(world, &inlet, NULL), SCREE_ERROR_ARGUMENT, "body");
    const float falling[2] = {2, 1};
    inlet.body.type = SCREE_BODY_DYNAMIC, inlet.sizes = falling, inlet.size_count = 2;
    CHECK_FAILS(scree_inlet_create(world, &inlet, NULL), SCREE_ERROR_ARGUMENT, "sizes[1]:");
    scree_outlet_def outlet = scree_default_outlet_def();
    outlet.zone.size.y = 0;
    CHECK_FAILS(scree_outlet_create(world, &outlet, NULL), SCREE_ERROR_ARGUMENT, "zone");
    scree_world_destroy(world);
}

/* In a periodic world a zone beyond or across the boundary acts on periodic images: inserted and removed
 * grains are those of the zone shifted by whole periods. */
static void zones_act_across_the_periodic_boundary(void **state) {
    const double places[3] = {0, 3, -1}; /* of the zone's middle, m: within the cell, beyond and across its
                                          * boundary */
    for (int i = 0; i < 3; i++) {
        scree_world_def def = def_on(state);
        def.period = (scree_vec3){2, 0, 0}, def.period_centre.x = i == 2 ? 0 : 1;
        def.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&def);
        scree_body_id ids[20];
        for (int k = 0; k < 20; k++) /* at −0.95, −0.85, … 0.95 m from the middle of the first cell */
            ids[k] = add_body(world, scree_shape_sphere(0.02f), (scree_vec3){0.05f + 0.1f * (float)k, 0, 0},
                              (scree_vec3){0, 0, 0});
        scree_outlet_def outlet = scree_default_outlet_def();
        scree_flow_id id;
        outlet.zone.size = (scree_vec3){0.3f, 0.1f, 0.1f};
        outlet.zone.position.x = (float)places[i];
        outlet.outside = i == 1;
        CHECK(scree_outlet_create(world, &outlet, &id));
        CHECK(scree_world_step(world, NULL));
        for (int k = 0; k < 20; k++) {
            const double away = remainder(0.05 + 0.1 * k - places[i], 2);
            assert_int_equal(scree_body_is_valid(world, ids[k]), (fabs(away) > 0.3) != outlet.outside);
        }
        assert_int_equal(flow_of(world, id).grains, outlet.outside ? 14 : 6);
        outlet.zone.size.x = 101;
        CHECK_FAILS(scree_outlet_create(world, &outlet, NULL), SCREE_ERROR_ARGUMENT, "zone");
        scree_world_destroy(world);
    }
}

/* An inlet across the periodic boundary fills both sides of the cell and inserts no overlapping grain. */
static void inlets_act_across_the_periodic_boundary(void **state) {
    scree_world_def def = def_on(state);
    def.period = (scree_vec3){1, 0, 0}, def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    scree_inlet_def inlet = scree_default_inlet_def();
    scree_body_id ids[60];
    scree_statistics s;
    inlet.zone.size = (scree_vec3){0.2f, 0.1f, 0.1f}, inlet.zone.position.x = 2.5f;
    inlet.body.shape = scree_shape_sphere(0.03f);
    inlet.rate = 1000, inlet.count = 40;
    CHECK(scree_inlet_create(world, &inlet, NULL));
    int sides[2] = {0, 0};
    for (int step = 0; step < 60; step++) {
        CHECK(scree_world_step(world, &s));
        assert_true(s.penetration_max == 0);
    }
    const int count = scree_body_list(world, ids, 60);
    ASSERT_AT_LEAST(count, 20);
    for (int i = 0; i < count; i++) {
        const scree_vec3 at = state_of(world, ids[i]).position;
        assert_true(fabsf(at.x) >= 0.3f - 1e-5f && fabsf(at.x) <= 0.5f);
        sides[at.x > 0]++;
    }
    assert_true(sides[0] > 5 && sides[1] > 5);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(inserted_mass_is_rate_times_time),
        ON("native", each_class_has_its_fraction),
        ON_EACH_BACKEND(a_grain_waits_until_its_place_is_free),
        ON("native", waiting_grains_are_dropped_at_the_stop),
        ON_EACH_BACKEND(bounds_remove_or_stop),
        ON("native", a_resumed_run_is_the_same_to_the_bit),
        ON("opencl", a_resumed_run_is_the_same_to_the_bit),
        cmocka_unit_test(a_scene_defines_flows),
        cmocka_unit_test(invalid_definitions_are_rejected),
        ON("native", zones_act_across_the_periodic_boundary),
        ON("native", inlets_act_across_the_periodic_boundary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
