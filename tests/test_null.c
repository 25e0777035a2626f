/* A null pointer where none is allowed is refused by every public call. The table below has a row for each
 * function that the library exports, and a test compares it with the library's symbols, so that a new one
 * cannot be forgotten. */
#include "scenery.h"

#include "folder.h"

/* What the calls are made with, all of it alive. */
typedef struct fixture {
    scree_world *world;
    scree_body_id body;
    scree_material_id material;
    scree_scene *scene;
    scree_problem *problem;
    scree_frame frame;
    scree_series *series;
    scree_measurements *measurements;
    folder place;
} fixture;

/* The call says ARGUMENT, and is the one that said so last. */
#define REFUSES(call)                                                                                        \
    do {                                                                                                     \
        (fail)(SCREE_ERROR_FORMAT, "before");                                                                \
        const scree_result refuses_ = (call);                                                                \
        if (refuses_ != SCREE_ERROR_ARGUMENT || scree_error_result() != SCREE_ERROR_ARGUMENT ||              \
            !strcmp(scree_error_message(), "before"))                                                        \
            fail_msg("%s: %s, \"%s\"", #call, scree_result_name(refuses_), scree_error_message());           \
    } while (0)

/* The same for a call that returns something else, here as an expression that is true if that is zero. */
#define REFUSES_WITH(zero)                                                                                   \
    do {                                                                                                     \
        (fail)(SCREE_ERROR_FORMAT, "before");                                                                \
        const bool zero_ = (zero);                                                                           \
        if (!zero_ || scree_error_result() != SCREE_ERROR_ARGUMENT)                                          \
            fail_msg("%s: %s, \"%s\"", #zero, scree_result_name(scree_error_result()),                       \
                     scree_error_message());                                                                 \
    } while (0)

/* The call is happy with null. */
#define TAKES(call)                                                                                          \
    do {                                                                                                     \
        (fail)(SCREE_ERROR_FORMAT, "before");                                                                \
        call;                                                                                                \
        assert_int_equal(scree_error_result(), SCREE_ERROR_FORMAT);                                          \
    } while (0)

static const scree_vec3 up = {0, 0, 1};

static void bodies_made(const fixture *f) {
    const scree_body_def def = scree_default_body_def();
    REFUSES(scree_body_create(NULL, &def, NULL));
    REFUSES(scree_body_create(f->world, NULL, NULL));
    TAKES(CHECK(scree_body_create(f->world, &def, NULL)));
}

static void body_destroy(const fixture *f) { REFUSES(scree_body_destroy(NULL, f->body)); }
static void body_is_valid(const fixture *f) { REFUSES_WITH(!scree_body_is_valid(NULL, f->body)); }

static void body_get(const fixture *f) {
    scree_body_def def;
    REFUSES(scree_body_get(NULL, f->body, &def));
    REFUSES(scree_body_get(f->world, f->body, NULL));
}

static void body_set(const fixture *f) {
    const scree_body_def def = scree_default_body_def();
    REFUSES(scree_body_set(NULL, f->body, &def));
    REFUSES(scree_body_set(f->world, f->body, NULL));
}

static void body_mass_get(const fixture *f) {
    float mass;
    REFUSES(scree_body_mass_get(NULL, f->body, &mass, NULL));
    TAKES(CHECK(scree_body_mass_get(f->world, f->body, NULL, NULL)));
}

static void body_user_data_get(const fixture *f) {
    uint64_t data;
    REFUSES(scree_body_user_data_get(NULL, f->body, &data));
    REFUSES(scree_body_user_data_get(f->world, f->body, NULL));
}

static void body_user_data_set(const fixture *f) { REFUSES(scree_body_user_data_set(NULL, f->body, 1)); }

static void body_state_get(const fixture *f) {
    scree_body_state body;
    REFUSES(scree_body_state_get(NULL, f->body, &body));
    REFUSES(scree_body_state_get(f->world, f->body, NULL));
}

static void body_state_set(const fixture *f) {
    const scree_body_state still = {.rotation = {0, 0, 0, 1}};
    REFUSES(scree_body_state_set(NULL, f->body, &still));
    REFUSES(scree_body_state_set(f->world, f->body, NULL));
}

static void body_states_get(const fixture *f) {
    scree_body_state body;
    REFUSES(scree_body_states_get(NULL, &f->body, 1, &body));
    REFUSES(scree_body_states_get(f->world, NULL, 1, &body));
    REFUSES(scree_body_states_get(f->world, &f->body, 1, NULL));
    REFUSES(scree_body_states_get(f->world, &f->body, -1, &body));
    TAKES(CHECK(scree_body_states_get(f->world, NULL, 0, NULL)));
}

static void body_states_set(const fixture *f) {
    const scree_body_state still = {.rotation = {0, 0, 0, 1}};
    REFUSES(scree_body_states_set(NULL, &f->body, 1, &still));
    REFUSES(scree_body_states_set(f->world, NULL, 1, &still));
    REFUSES(scree_body_states_set(f->world, &f->body, 1, NULL));
    REFUSES(scree_body_states_set(f->world, &f->body, -1, &still));
    TAKES(CHECK(scree_body_states_set(f->world, NULL, 0, NULL)));
}

static void body_apply_force(const fixture *f) { REFUSES(scree_body_apply_force(NULL, f->body, up)); }
static void body_apply_force_at(const fixture *f) {
    REFUSES(scree_body_apply_force_at(NULL, f->body, up, up));
}
static void body_apply_torque(const fixture *f) { REFUSES(scree_body_apply_torque(NULL, f->body, up)); }
static void body_apply_impulse(const fixture *f) { REFUSES(scree_body_apply_impulse(NULL, f->body, up)); }
static void body_apply_impulse_at(const fixture *f) {
    REFUSES(scree_body_apply_impulse_at(NULL, f->body, up, up));
}
static void body_apply_angular_impulse(const fixture *f) {
    REFUSES(scree_body_apply_angular_impulse(NULL, f->body, up));
}

static void body_count(const fixture *f) {
    (void)f;
    REFUSES_WITH(scree_body_count(NULL) == 0);
}

static void body_list(const fixture *f) {
    scree_body_id id;
    REFUSES_WITH(scree_body_list(NULL, &id, 1) == 0);
    REFUSES_WITH(scree_body_list(f->world, NULL, 1) == 0);
    TAKES(assert_true(scree_body_list(f->world, NULL, 0) > 0));
}

static void material_create(const fixture *f) {
    const scree_material_def def = scree_default_material_def();
    scree_material_id id;
    REFUSES(scree_material_create(NULL, &def, &id));
    REFUSES(scree_material_create(f->world, NULL, &id));
    REFUSES(scree_material_create(f->world, &def, NULL));
}

static void material_destroy(const fixture *f) { REFUSES(scree_material_destroy(NULL, f->material)); }
static void material_is_valid(const fixture *f) { REFUSES_WITH(!scree_material_is_valid(NULL, f->material)); }

static void material_get(const fixture *f) {
    scree_material_def def;
    REFUSES(scree_material_get(NULL, f->material, &def));
    REFUSES(scree_material_get(f->world, f->material, NULL));
}

static void material_set(const fixture *f) {
    const scree_material_def def = scree_default_material_def();
    REFUSES(scree_material_set(NULL, f->material, &def));
    REFUSES(scree_material_set(f->world, f->material, NULL));
}

static void material_count(const fixture *f) {
    (void)f;
    REFUSES_WITH(scree_material_count(NULL) == 0);
}

static void material_list(const fixture *f) {
    scree_material_id id;
    REFUSES_WITH(scree_material_list(NULL, &id, 1) == 0);
    REFUSES_WITH(scree_material_list(f->world, NULL, 1) == 0);
}

static void material_pair_get(const fixture *f) {
    scree_material_pair_def def;
    REFUSES(scree_material_pair_get(NULL, f->material, f->material, &def));
    REFUSES(scree_material_pair_get(f->world, f->material, f->material, NULL));
}

static void material_pair_set(const fixture *f) {
    const scree_material_pair_def def = scree_default_material_pair_def();
    REFUSES(scree_material_pair_set(NULL, f->material, f->material, &def));
    REFUSES(scree_material_pair_set(f->world, f->material, f->material, NULL));
}

static void material_pair_unset(const fixture *f) {
    REFUSES(scree_material_pair_unset(NULL, f->material, f->material));
}

static void world_create(const fixture *f) {
    const scree_world_def def = scree_default_world_def();
    scree_world *world;
    (void)f;
    REFUSES(scree_world_create(NULL, &world));
    REFUSES(scree_world_create(&def, NULL));
}

static void world_destroy(const fixture *f) {
    (void)f;
    TAKES(scree_world_destroy(NULL));
}

static void world_step(const fixture *f) {
    scree_statistics statistics;
    REFUSES(scree_world_step(NULL, &statistics));
    TAKES(CHECK(scree_world_step(f->world, NULL)));
}

static void world_get(const fixture *f) {
    (void)f;
    REFUSES_WITH(scree_world_get(NULL).time_step == 0);
}

static void world_getters(const fixture *f) {
    (void)f;
    REFUSES_WITH(scree_world_backend(NULL) == NULL);
    REFUSES_WITH(scree_world_time(NULL) == 0);
    REFUSES_WITH(scree_world_steps(NULL) == 0);
    REFUSES_WITH(scree_world_hash(NULL) == 0);
    REFUSES_WITH(scree_world_number(NULL) == 0);
    REFUSES_WITH(scree_world_note(NULL) == NULL);
    REFUSES_WITH(!scree_world_resists(NULL));
}

static void world_setters(const fixture *f) {
    const scree_solver_def solver = scree_default_solver_def();
    REFUSES(scree_world_solver_set(NULL, &solver));
    REFUSES(scree_world_solver_set(f->world, NULL));
    REFUSES(scree_world_gravity_set(NULL, up));
    REFUSES(scree_world_time_step_set(NULL, 1));
    REFUSES(scree_world_verify_set(NULL, 1));
    REFUSES(scree_world_limits_set(NULL, 1, 1));
    REFUSES(scree_world_note_set(NULL, "note"));
    TAKES(CHECK(scree_world_note_set(f->world, NULL)));
    REFUSES(scree_world_prepare(NULL));
}

static void world_bulk(const fixture *f) {
    scree_bulk bulk;
    REFUSES(scree_world_bulk(NULL, &bulk));
    REFUSES(scree_world_bulk(f->world, NULL));
}

static void rays(const fixture *f) {
    const scree_ray ray = {up, up, 1};
    scree_ray_hit hit;
    int count;
    REFUSES(scree_world_cast_ray(NULL, &ray, &hit));
    REFUSES(scree_world_cast_ray(f->world, NULL, &hit));
    REFUSES(scree_world_cast_ray(f->world, &ray, NULL));
    REFUSES(scree_world_cast_ray_all(NULL, &ray, &hit, 1, &count));
    REFUSES(scree_world_cast_ray_all(f->world, NULL, &hit, 1, &count));
    REFUSES(scree_world_cast_ray_all(f->world, &ray, NULL, 1, &count));
    REFUSES(scree_world_cast_ray_all(f->world, &ray, &hit, 1, NULL));
    REFUSES(scree_world_cast_ray_all(f->world, &ray, &hit, -1, &count));
    TAKES(CHECK(scree_world_cast_ray_all(f->world, &ray, NULL, 0, &count)));
}

static void overlaps(const fixture *f) {
    const scree_quat none = {0, 0, 0, 1};
    const scree_vec3 half = {1, 1, 1};
    scree_body_id id;
    int count;
    REFUSES(scree_world_overlap_sphere(NULL, up, 1, &id, 1, &count));
    REFUSES(scree_world_overlap_sphere(f->world, up, 1, NULL, 1, &count));
    REFUSES(scree_world_overlap_sphere(f->world, up, 1, &id, 1, NULL));
    REFUSES(scree_world_overlap_sphere(f->world, up, 1, &id, -1, &count));
    REFUSES(scree_world_overlap_box(NULL, up, half, none, &id, 1, &count));
    REFUSES(scree_world_overlap_box(f->world, up, half, none, NULL, 1, &count));
    REFUSES(scree_world_overlap_box(f->world, up, half, none, &id, 1, NULL));
    TAKES(CHECK(scree_world_overlap_box(f->world, up, half, none, NULL, 0, &count)));
}

static void contacts(const fixture *f) {
    scree_contact contact;
    REFUSES_WITH(scree_contact_count(NULL) == 0);
    REFUSES_WITH(scree_contact_list(NULL, &contact, 1) == 0);
    REFUSES_WITH(scree_contact_list(f->world, NULL, 1) == 0);
}

static void checkpoints(const fixture *f) {
    scree_world *world;
    REFUSES(scree_checkpoint_save(NULL, "nowhere"));
    REFUSES(scree_checkpoint_save(f->world, NULL));
    REFUSES(scree_checkpoint_load(NULL, NULL, &world));
    REFUSES(scree_checkpoint_load("nowhere", NULL, NULL));
}

static void device_list(const fixture *f) {
    scree_device_info info;
    int count;
    (void)f;
    REFUSES(scree_device_list(&info, 1, NULL));
    REFUSES(scree_device_list(NULL, 1, &count));
}

static void frames(const fixture *f) {
    scree_frame frame;
    REFUSES(scree_frame_from_world(NULL, &frame));
    REFUSES(scree_frame_from_world(f->world, NULL));
    REFUSES(scree_frame_load(NULL, &frame));
    REFUSES(scree_frame_load("nowhere", NULL));
    TAKES(scree_frame_release(NULL));
}

static void series(const fixture *f) {
    scree_series *out;
    REFUSES(scree_series_open(NULL, 0, NULL, &out));
    REFUSES(scree_series_open(f->place.path, 0, NULL, NULL));
    REFUSES(scree_series_write(NULL, &f->frame));
    REFUSES(scree_series_write(f->series, NULL));
    REFUSES_WITH(scree_series_path(NULL) == NULL);
    TAKES(CHECK(scree_series_close(NULL)));
}

static void measurements(const fixture *f) {
    const scree_statistics statistics = {0};
    scree_measurements *out;
    REFUSES(scree_measurements_open(NULL, 0, &out));
    REFUSES(scree_measurements_open("nowhere", 0, NULL));
    REFUSES(scree_measurements_add(NULL, &statistics));
    REFUSES(scree_measurements_add(f->measurements, NULL));
    REFUSES(scree_measurements_write(NULL, &statistics, NULL));
    REFUSES(scree_measurements_write(f->measurements, NULL, NULL));
    TAKES(CHECK(scree_measurements_close(NULL)));
}

static void snapshot_save(const fixture *f) {
    const scree_view view = scree_default_view();
    REFUSES(scree_snapshot_save(NULL, &view, "nowhere"));
    REFUSES(scree_snapshot_save(&f->frame, NULL, "nowhere"));
    REFUSES(scree_snapshot_save(&f->frame, &view, NULL));
}

static void scenes(const fixture *f) {
    scree_scene *out;
    REFUSES(scree_scene_load(NULL, &out));
    REFUSES(scree_scene_load("nowhere", NULL));
    REFUSES(scree_scene_parse(NULL, 1, "text", &out));
    REFUSES(scree_scene_parse("{}", 2, NULL, &out));
    REFUSES(scree_scene_parse("{}", 2, "text", NULL));
    REFUSES(scree_scene_build(NULL, f->world, 0));
    REFUSES(scree_scene_build(f->scene, NULL, 0));
    const scree_resume_def resume = scree_default_resume_def();
    REFUSES(scree_scene_resume(NULL, f->world, &resume));
    REFUSES(scree_scene_resume(f->scene, NULL, &resume));
    REFUSES(scree_scene_resume(f->scene, f->world, NULL));
    REFUSES_WITH(scree_scene_world_def(NULL).time_step == 0);
    REFUSES_WITH(scree_scene_run_def(NULL).seed == 0);
    TAKES(scree_scene_destroy(NULL));
}

static void problem_made(const fixture *f) {
    const scree_problem_def empty = {0};
    scree_problem *out;
    REFUSES(scree_problem_create(NULL, &out));
    REFUSES(scree_problem_create(&empty, NULL));
    REFUSES(scree_problem_from_world(NULL, &out));
    REFUSES(scree_problem_from_world(f->world, NULL));
    TAKES(scree_problem_destroy(NULL));
}

static void problem_files(const fixture *f) {
    const double numbers[3] = {0};
    scree_problem *out;
    REFUSES(scree_problem_load(NULL, &out));
    REFUSES(scree_problem_load("nowhere", NULL));
    REFUSES(scree_problem_save(NULL, "nowhere", NULL, NULL));
    REFUSES(scree_problem_save(f->problem, NULL, NULL, NULL));
    REFUSES(scree_problem_save(f->problem, "nowhere", numbers, NULL));
    REFUSES(scree_problem_save(f->problem, "nowhere", NULL, numbers));
    REFUSES(scree_problem_save_solution(NULL, "source", "nowhere", numbers, numbers));
    REFUSES(scree_problem_save_solution(f->problem, NULL, "nowhere", numbers, numbers));
    REFUSES(scree_problem_save_solution(f->problem, "source", NULL, numbers, numbers));
    REFUSES(scree_problem_save_solution(f->problem, "source", "nowhere", NULL, numbers));
    REFUSES(scree_problem_save_solution(f->problem, "source", "nowhere", numbers, NULL));
}

static void problem_getters(const fixture *f) {
    (void)f;
    REFUSES_WITH(scree_problem_contacts(NULL) == 0);
    REFUSES_WITH(scree_problem_blocks(NULL) == 0);
    REFUSES_WITH(scree_problem_dofs(NULL) == 0);
    REFUSES_WITH(scree_problem_start(NULL) == NULL);
}

static void problem_solved(const fixture *f) {
    const scree_problem_options options = scree_default_problem_options();
    const double impulses[3] = {0};
    double residual[SCREE_MEASURE_COUNT];
    REFUSES(scree_problem_solve(NULL, &options, NULL, NULL, NULL));
    REFUSES(scree_problem_solve(f->problem, NULL, NULL, NULL, NULL));
    REFUSES(scree_problem_residual(NULL, SCREE_LAW_COULOMB, impulses, NULL, residual));
    REFUSES(scree_problem_residual(f->problem, SCREE_LAW_COULOMB, NULL, NULL, residual));
    REFUSES(scree_problem_residual(f->problem, SCREE_LAW_COULOMB, impulses, NULL, NULL));
}

static void validate_solver_def(const fixture *f) {
    (void)f;
    REFUSES(scree_validate_solver_def(NULL));
}

static void set_allocator(const fixture *f) {
    (void)f;
    TAKES(scree_set_allocator(NULL));
}

typedef struct row {
    const char *name;
    void (*check)(const fixture *f); /* null: the function takes no pointers */
} row;

#define ROW(name, check)                                                                                     \
    { "scree_" #name, check }

/* Some checks stand for several functions. */
static const row rows[] = {
    ROW(backend_name, NULL),
    ROW(body_apply_angular_impulse, body_apply_angular_impulse),
    ROW(body_apply_force, body_apply_force),
    ROW(body_apply_force_at, body_apply_force_at),
    ROW(body_apply_impulse, body_apply_impulse),
    ROW(body_apply_impulse_at, body_apply_impulse_at),
    ROW(body_apply_torque, body_apply_torque),
    ROW(body_count, body_count),
    ROW(body_create, bodies_made),
    ROW(body_destroy, body_destroy),
    ROW(body_get, body_get),
    ROW(body_is_valid, body_is_valid),
    ROW(body_list, body_list),
    ROW(body_mass_get, body_mass_get),
    ROW(body_set, body_set),
    ROW(body_state_get, body_state_get),
    ROW(body_state_set, body_state_set),
    ROW(body_states_get, body_states_get),
    ROW(body_states_set, body_states_set),
    ROW(body_user_data_get, body_user_data_get),
    ROW(body_user_data_set, body_user_data_set),
    ROW(box, NULL),
    ROW(checkpoint_load, checkpoints),
    ROW(checkpoint_save, checkpoints),
    ROW(colouring_name, NULL),
    ROW(contact_count, contacts),
    ROW(contact_list, contacts),
    ROW(contact_mode_name, NULL),
    ROW(default_body_def, NULL),
    ROW(default_material_def, NULL),
    ROW(default_material_pair_def, NULL),
    ROW(default_series_def, NULL),
    ROW(default_problem_options, NULL),
    ROW(default_resume_def, NULL),
    ROW(default_solver_def, NULL),
    ROW(default_view, NULL),
    ROW(default_world_def, NULL),
    ROW(device_list, device_list),
    ROW(error_message, NULL),
    ROW(error_result, NULL),
    ROW(frame_field_name, NULL),
    ROW(frame_from_world, frames),
    ROW(frame_load, frames),
    ROW(frame_release, frames),
    ROW(half_space, NULL),
    ROW(law_name, NULL),
    ROW(material_count, material_count),
    ROW(material_create, material_create),
    ROW(material_destroy, material_destroy),
    ROW(material_get, material_get),
    ROW(material_is_valid, material_is_valid),
    ROW(material_list, material_list),
    ROW(material_pair_get, material_pair_get),
    ROW(material_pair_set, material_pair_set),
    ROW(material_pair_unset, material_pair_unset),
    ROW(material_set, material_set),
    ROW(measure_name, NULL),
    ROW(measurements_add, measurements),
    ROW(measurements_close, measurements),
    ROW(measurements_open, measurements),
    ROW(measurements_write, measurements),
    ROW(method_name, NULL),
    ROW(precision_name, NULL),
    ROW(problem_blocks, problem_getters),
    ROW(problem_contacts, problem_getters),
    ROW(problem_create, problem_made),
    ROW(problem_destroy, problem_made),
    ROW(problem_dofs, problem_getters),
    ROW(problem_from_world, problem_made),
    ROW(problem_load, problem_files),
    ROW(problem_residual, problem_solved),
    ROW(problem_save, problem_files),
    ROW(problem_save_solution, problem_files),
    ROW(problem_solve, problem_solved),
    ROW(problem_start, problem_getters),
    ROW(result_name, NULL),
    ROW(scene_build, scenes),
    ROW(scene_destroy, scenes),
    ROW(scene_load, scenes),
    ROW(scene_parse, scenes),
    ROW(scene_resume, scenes),
    ROW(scene_run_def, scenes),
    ROW(scene_world_def, scenes),
    ROW(series_close, series),
    ROW(series_open, series),
    ROW(series_path, series),
    ROW(series_write, series),
    ROW(set_allocator, set_allocator),
    ROW(shape_half_width, NULL),
    ROW(shape_kind_name, NULL),
    ROW(shape_radius, NULL),
    ROW(shape_scaled, NULL),
    ROW(shape_sieve_size, NULL),
    ROW(shape_volume, NULL),
    ROW(snapshot_save, snapshot_save),
    ROW(span_steps, NULL),
    ROW(sphere, NULL),
    ROW(stabilisation_name, NULL),
    ROW(stop_name, NULL),
    ROW(validate_shape, NULL),
    ROW(validate_solver_def, validate_solver_def),
    ROW(world_backend, world_getters),
    ROW(world_bulk, world_bulk),
    ROW(world_cast_ray, rays),
    ROW(world_cast_ray_all, rays),
    ROW(world_create, world_create),
    ROW(world_destroy, world_destroy),
    ROW(world_get, world_get),
    ROW(world_gravity_set, world_setters),
    ROW(world_hash, world_getters),
    ROW(world_limits_set, world_setters),
    ROW(world_note, world_getters),
    ROW(world_note_set, world_setters),
    ROW(world_number, world_getters),
    ROW(world_overlap_box, overlaps),
    ROW(world_overlap_sphere, overlaps),
    ROW(world_prepare, world_setters),
    ROW(world_resists, world_getters),
    ROW(world_solver_set, world_setters),
    ROW(world_step, world_step),
    ROW(world_steps, world_getters),
    ROW(world_time, world_getters),
    ROW(world_time_step_set, world_setters),
    ROW(world_verify_set, world_setters),
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void set_up(fixture *f) {
    static const char text[] = "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}]}";
    scree_world_def def = scree_default_world_def();
    const scree_material_def material = scree_default_material_def();
    *f = (fixture){.place = folder_make()};
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    f->world = world_of(&def);
    f->body = add_body(f->world, scree_sphere(0.1f), up, up);
    CHECK(scree_material_create(f->world, &material, &f->material));
    CHECK(scree_world_step(f->world, NULL));
    CHECK(scree_scene_parse(text, strlen(text), "text", &f->scene));
    CHECK(scree_problem_from_world(f->world, &f->problem));
    CHECK(scree_frame_from_world(f->world, &f->frame));
    CHECK(scree_series_open(f->place.path, 0, NULL, &f->series));
    CHECK(scree_measurements_open(folder_file(&f->place, "measurements.csv"), 0, &f->measurements));
}

static void tear_down(fixture *f) {
    scree_series_close(f->series);
    scree_measurements_close(f->measurements);
    scree_frame_release(&f->frame);
    scree_problem_destroy(f->problem);
    scree_scene_destroy(f->scene);
    scree_world_destroy(f->world);
    folder_remove(&f->place);
}

static void null_is_refused_by_every_call(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    for (int i = 0; i < ROWS; i++)
        if (rows[i].check) rows[i].check(&f);
    tear_down(&f);
}

static const row *row_of(const char *name) {
    for (int i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].name, name)) return &rows[i];
    return NULL;
}

/* What `nm` finds in the shared library, and what stands above, name by name. */
static void the_table_has_every_exported_function(void **state) {
    (void)state;
    bool seen[ROWS] = {false};
    char line[512], name[256], kind;
    FILE *symbols = popen("nm -D --defined-only " SCREE_BUILD_DIR "/libscree.so", "r");
    assert_non_null(symbols);
    while (fgets(line, sizeof line, symbols)) {
        if (sscanf(line, "%*s %c %255s", &kind, name) != 2 || strncmp(name, "scree_", 6) != 0) continue;
        const row *found = row_of(name);
        if (!found) fail_msg("%s is exported and has no row in tests/test_null.c", name);
        seen[found - rows] = true;
    }
    assert_int_equal(pclose(symbols), 0);
    for (int i = 0; i < ROWS; i++)
        if (!seen[i]) fail_msg("%s has a row and is not exported", rows[i].name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_refused_by_every_call),
        cmocka_unit_test(the_table_has_every_exported_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
