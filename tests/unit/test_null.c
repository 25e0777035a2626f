/* Every public call rejects NULL where it is not allowed. The table below has a row for each exported
 * function, and a test compares it with the library's symbols, so that a new one is not forgotten. */
#include "null_kinematic_groups.h"
#include "null_bodies.h"
#include "null_flows.h"
#include "null_measurements.h"
#include "null_geometries.h"
#include "null_grains.h"
#include "null_joints.h"
#include "null_scenes.h"
#include "null_zones.h"

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

static void world_get_def(const fixture *f) {
    (void)f;
    REFUSES_WITH(scree_world_get_def(NULL).time_step == 0);
}

static void world_getters(const fixture *f) {
    (void)f;
    REFUSES_WITH(scree_world_get_device_name(NULL) == NULL);
    REFUSES_WITH(scree_world_get_time(NULL) == 0);
    REFUSES_WITH(scree_world_step_count(NULL) == 0);
    REFUSES_WITH(scree_world_get_hash(NULL) == 0);
    REFUSES_WITH(scree_world_get_number(NULL) == 0);
    REFUSES_WITH(scree_world_get_note(NULL) == NULL);
    REFUSES_WITH(!scree_world_has_rolling_resistance(NULL));
}

static void world_setters(const fixture *f) {
    const scree_solver_def solver = scree_default_solver_def();
    REFUSES(scree_world_set_solver(NULL, &solver));
    REFUSES(scree_world_set_solver(f->world, NULL));
    REFUSES(scree_world_set_gravity(NULL, up));
    REFUSES(scree_world_set_time_step(NULL, 1));
    REFUSES(scree_world_set_verify(NULL, 1));
    REFUSES(scree_world_set_limits(NULL, 1, 1));
    REFUSES(scree_world_set_note(NULL, "note"));
    TAKES(CHECK(scree_world_set_note(f->world, NULL)));
    REFUSES(scree_world_prepare(NULL));
}

static void world_get_bulk(const fixture *f) {
    scree_bulk bulk;
    REFUSES(scree_world_get_bulk(NULL, &bulk));
    REFUSES(scree_world_get_bulk(f->world, NULL));
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

static void device_measure(const fixture *f) {
    (void)f;
    REFUSES(scree_device_measure(NULL, NULL));
}

static void device_find(const fixture *f) {
    (void)f;
    REFUSES(scree_device_find(NULL, NULL));
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
    const scree_series_def def = scree_default_series_def();
    REFUSES(scree_series_set_def(NULL, &def));
    REFUSES(scree_series_set_def(f->series, NULL));
    REFUSES_WITH(scree_series_get_path(NULL) == NULL);
    TAKES(CHECK(scree_series_close(NULL)));
}

static void statistics_file(const fixture *f) {
    const scree_statistics statistics = {0};
    scree_statistics_file *out;
    REFUSES(scree_statistics_file_open(NULL, 0, &out));
    REFUSES(scree_statistics_file_open("nowhere", 0, NULL));
    REFUSES(scree_statistics_file_add(NULL, &statistics));
    REFUSES(scree_statistics_file_add(f->statistics_file, NULL));
    REFUSES(scree_statistics_file_set_stage(NULL, "pour"));
    TAKES(CHECK(scree_statistics_file_set_stage(f->statistics_file, NULL)));
    REFUSES(scree_statistics_file_write(NULL, &statistics, NULL));
    REFUSES(scree_statistics_file_write(f->statistics_file, NULL, NULL));
    TAKES(CHECK(scree_statistics_file_close(NULL)));
}

static void snapshot_save(const fixture *f) {
    const scree_view view = scree_default_view();
    REFUSES(scree_snapshot_save(NULL, &view, "nowhere"));
    REFUSES(scree_snapshot_save(&f->frame, NULL, "nowhere"));
    REFUSES(scree_snapshot_save(&f->frame, &view, NULL));
}

static void image_trace(const fixture *f) {
    const scree_image_def empty = {0};
    uint8_t pixel[3];
    (void)f;
    REFUSES(scree_image_trace(NULL, pixel));
    REFUSES(scree_image_trace(&empty, NULL));
    REFUSES(scree_image_trace(&empty, pixel));
}

static void problem_made(const fixture *f) {
    const scree_problem_def empty = {0};
    scree_problem *out;
    REFUSES(scree_problem_create(NULL, &out));
    REFUSES(scree_problem_create(&empty, NULL));
    const scree_local_problem_def local = {0}, missing_local = {.contacts = 1};
    REFUSES(scree_problem_create_local(NULL, &out));
    REFUSES(scree_problem_create_local(&local, NULL));
    REFUSES(scree_problem_create_local(&missing_local, &out));
    const scree_global_problem_def global = {0}, missing_global = {.dofs = 1};
    REFUSES(scree_problem_create_global(NULL, &out));
    REFUSES(scree_problem_create_global(&global, NULL));
    REFUSES(scree_problem_create_global(&missing_global, &out));
    REFUSES(scree_problem_from_world(NULL, &out));
    REFUSES(scree_problem_from_world(f->world, NULL));
    TAKES(scree_problem_destroy(NULL));
}

static void problem_files(const fixture *f) {
    const double numbers[3] = {0};
    scree_problem *out;
    REFUSES(scree_fclib_load(NULL, &out));
    REFUSES(scree_fclib_load("nowhere", NULL));
    REFUSES(scree_fclib_save(NULL, "nowhere", NULL, NULL));
    REFUSES(scree_fclib_save(f->problem, NULL, NULL, NULL));
    REFUSES(scree_fclib_save(f->problem, "nowhere", numbers, NULL));
    REFUSES(scree_fclib_save(f->problem, "nowhere", NULL, numbers));
    REFUSES(scree_fclib_save_solution(NULL, "source", "nowhere", numbers, numbers));
    REFUSES(scree_fclib_save_solution(f->problem, NULL, "nowhere", numbers, numbers));
    REFUSES(scree_fclib_save_solution(f->problem, "source", NULL, numbers, numbers));
    REFUSES(scree_fclib_save_solution(f->problem, "source", "nowhere", NULL, numbers));
    REFUSES(scree_fclib_save_solution(f->problem, "source", "nowhere", numbers, NULL));
}

static void problem_getters(const fixture *f) {
    (void)f;
    REFUSES_WITH(scree_problem_contact_count(NULL) == 0);
    REFUSES_WITH(scree_problem_block_count(NULL) == 0);
    REFUSES_WITH(scree_problem_dof_count(NULL) == 0);
    REFUSES_WITH(scree_problem_bilateral_count(NULL) == 0);
    REFUSES_WITH(scree_problem_get_def(NULL).contacts == 0);
    REFUSES_WITH(scree_problem_get_warm_start(NULL) == NULL);
}

static void problem_solved(const fixture *f) {
    const scree_problem_options options = scree_default_problem_options();
    const double impulses[3] = {0};
    double residual[SCREE_MEASURE_COUNT];
    REFUSES(scree_problem_solve(NULL, &options, NULL, NULL, NULL));
    REFUSES(scree_problem_solve(f->problem, NULL, NULL, NULL, NULL));
    double velocities[3];
    REFUSES(scree_problem_compute_dof_velocities(NULL, impulses, velocities));
    REFUSES(scree_problem_compute_dof_velocities(f->problem, NULL, velocities));
    REFUSES(scree_problem_compute_dof_velocities(f->problem, impulses, NULL));
    REFUSES(scree_problem_compute_residual(NULL, SCREE_LAW_COULOMB, impulses, NULL, residual));
    REFUSES(scree_problem_compute_residual(f->problem, SCREE_LAW_COULOMB, NULL, NULL, residual));
    REFUSES(scree_problem_compute_residual(f->problem, SCREE_LAW_COULOMB, impulses, NULL, NULL));
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
    void (*check)(const fixture *f); /* NULL: the function takes no pointers */
} row;

#define ROW(name, check)                                                                                     \
    { "scree_" #name, check }

/* Some checks cover several functions. */
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
    ROW(body_get_def, body_get_def),
    ROW(body_is_valid, body_is_valid),
    ROW(body_list, body_list),
    ROW(body_set_loads, body_set_loads),
    ROW(body_get_mass, body_get_mass),
    ROW(body_get_periods, body_get_periods),
    ROW(body_set_def, body_set_def),
    ROW(body_get_state, body_get_state),
    ROW(body_set_state, body_set_state),
    ROW(body_get_states, body_get_states),
    ROW(body_set_states, body_set_states),
    ROW(body_get_user_data, body_get_user_data),
    ROW(body_set_user_data, body_set_user_data),
    ROW(shape_box, NULL),
    ROW(shape_capsule, NULL),
    ROW(checkpoint_load, checkpoints),
    ROW(checkpoint_save, checkpoints),
    ROW(shape_clump, NULL),
    ROW(clump_sphere_count, clumps),
    ROW(clump_create, clumps),
    ROW(clump_get_sphere, clumps),
    ROW(colouring_name, NULL),
    ROW(shape_compound, NULL),
    ROW(compound_child_count, compounds),
    ROW(compound_create, compounds),
    ROW(compound_get_child, compounds),
    ROW(shape_cone, NULL),
    ROW(contact_count, contacts),
    ROW(contact_list, contacts),
    ROW(contact_mode_name, NULL),
    ROW(shape_cylinder, NULL),
    ROW(default_body_def, NULL),
    ROW(default_compound_child, NULL),
    ROW(default_material_def, NULL),
    ROW(default_material_pair_def, NULL),
    ROW(default_series_def, NULL),
    ROW(default_problem_options, NULL),
    ROW(default_resume_def, NULL),
    ROW(default_solver_def, NULL),
    ROW(default_view, NULL),
    ROW(default_world_def, NULL),
    ROW(device_list, device_list),
    ROW(device_find, device_find),
    ROW(device_measure, device_measure),
    ROW(shape_ellipsoid, NULL),
    ROW(error_get_message, NULL),
    ROW(error_set, NULL),
    ROW(error_set_bodies, NULL),
    ROW(get_allocator, NULL),
    ROW(error_get_bodies, NULL),
    ROW(error_get_result, NULL),
    ROW(fclib_load, problem_files),
    ROW(fclib_save, problem_files),
    ROW(fclib_save_solution, problem_files),
    ROW(frame_field_name, NULL),
    ROW(frame_from_world, frames),
    ROW(frame_load, frames),
    ROW(frame_release, frames),
    ROW(geometry_get_frame, clumps),
    ROW(geometry_release, clumps),
    ROW(height_field_create, meshes),
    ROW(height_field_load, meshes),
    ROW(shape_get_half_extents, NULL),
    ROW(shape_get_piece, NULL),
    ROW(shape_has_flat_faces, NULL),
    ROW(shape_hull, NULL),
    ROW(image_trace, image_trace),
    ROW(hull_get_corner, hulls),
    ROW(hull_corner_count, hulls),
    ROW(hull_create, hulls),
    ROW(hull_load, hulls),
    ROW(shape_mesh, NULL),
    ROW(mesh_triangle_count, meshes),
    ROW(mesh_create, meshes),
    ROW(mesh_load, meshes),
    ROW(shape_half_space, NULL),
    ROW(axis_mode_name, NULL),
    ROW(drive_name, NULL),
    ROW(default_joint_def, NULL),
    ROW(joint_kind_name, NULL),
    ROW(kinematic_group_get_bodies, kinematic_groups),
    ROW(kinematic_group_count, kinematic_groups),
    ROW(kinematic_group_create, kinematic_groups),
    ROW(kinematic_group_destroy, kinematic_groups),
    ROW(kinematic_group_is_valid, kinematic_groups),
    ROW(kinematic_group_list, kinematic_groups),
    ROW(kinematic_group_get_motions, kinematic_groups),
    ROW(kinematic_group_set_motions, kinematic_groups),
    ROW(default_kinematic_group_def, NULL),
    ROW(default_motion_def, NULL),
    ROW(motion_kind_name, NULL),
    ROW(validate_motions, kinematic_groups),
    ROW(world_get_gravity_schedule, gravity_schedule),
    ROW(world_set_gravity_schedule, gravity_schedule),
    ROW(default_measurement_def, NULL),
    ROW(default_inlet_def, NULL),
    ROW(default_outlet_def, NULL),
    ROW(flow_destroy, flows),
    ROW(flow_is_valid, flows),
    ROW(flow_list, flows),
    ROW(flow_get_state, flows),
    ROW(measurement_set_bodies, measurements),
    ROW(measurement_find_column, measurements),
    ROW(measurement_create, measurements),
    ROW(measurement_destroy, measurements),
    ROW(measurement_quantity_is_total, measurements),
    ROW(measurement_get_quantity_name, measurements),
    ROW(measurement_file_close, measurements),
    ROW(measurement_file_get_last_step, measurements),
    ROW(measurement_file_open, measurements),
    ROW(measurement_file_row_count, measurements),
    ROW(measurement_file_set_stage, measurements),
    ROW(measurement_file_write, measurements),
    ROW(measurement_find, measurements),
    ROW(measurement_get_def, measurements),
    ROW(measurement_is_valid, measurements),
    ROW(measurement_kind_name, NULL),
    ROW(measurement_list, measurements),
    ROW(measurement_get_row, measurements),
    ROW(measurement_end_rows, measurements),
    ROW(measurement_set_def, measurements),
    ROW(grains_from_world, grains),
    ROW(grains_load, grains),
    ROW(grains_parse, grains),
    ROW(grains_release, grains),
    ROW(grains_save, grains),
    ROW(validate_measurement_def, measurements),
    ROW(inlet_create, flows),
    ROW(inlet_set_def, flows),
    ROW(outlet_create, flows),
    ROW(outlet_set_def, flows),
    ROW(zone_kind_name, NULL),
    ROW(shape_piece_count, NULL),
    ROW(shape_cast_ray, NULL),
    ROW(shape_cut_volume, shapes_at_poses),
    ROW(shape_get_box, NULL),
    ROW(contact_read, views),
    ROW(world_get_columns, views),
    ROW(world_get_contact_work, views),
    ROW(world_add_observer, observers),
    ROW(world_find_observer, observers),
    ROW(validate_zone, zones),
    ROW(world_check_zone, zones),
    ROW(zone_cut_shape, zones),
    ROW(zone_get_frame, zones),
    ROW(zone_get_images, zones),
    ROW(zone_get_local_pair, zones),
    ROW(zone_get_local_point, zones),
    ROW(zone_get_local_pose, zones),
    ROW(zone_get_segment_share, zones),
    ROW(zone_get_volume, zones),
    ROW(zone_holds, zones),
    ROW(zone_holds_local, zones),
    ROW(zone_images_next, zones),
    ROW(joint_count, joints),
    ROW(joint_create, joints),
    ROW(joint_destroy, joints),
    ROW(joint_get_def, joints),
    ROW(joint_is_valid, joints),
    ROW(joint_list, joints),
    ROW(joint_get_frame, joints),
    ROW(joint_set_def, joints),
    ROW(joint_get_state, joints),
    ROW(joint_set_target, joints),
    ROW(law_name, NULL),
    ROW(material_count, material_count),
    ROW(material_create, material_create),
    ROW(material_destroy, material_destroy),
    ROW(material_get_def, material_get_def),
    ROW(material_is_valid, material_is_valid),
    ROW(material_list, material_list),
    ROW(material_get_pair, material_get_pair),
    ROW(material_set_pair, material_set_pair),
    ROW(material_clear_pair, material_clear_pair),
    ROW(material_set_def, material_set_def),
    ROW(measure_name, NULL),
    ROW(statistics_file_add, statistics_file),
    ROW(statistics_file_close, statistics_file),
    ROW(statistics_file_open, statistics_file),
    ROW(statistics_file_set_stage, statistics_file),
    ROW(statistics_file_write, statistics_file),
    ROW(method_name, NULL),
    ROW(precision_name, NULL),
    ROW(preset_name, NULL),
    ROW(problem_block_count, problem_getters),
    ROW(problem_contact_count, problem_getters),
    ROW(problem_bilateral_count, problem_getters),
    ROW(problem_compute_dof_velocities, problem_solved),
    ROW(problem_create, problem_made),
    ROW(problem_create_global, problem_made),
    ROW(problem_create_local, problem_made),
    ROW(problem_get_def, problem_getters),
    ROW(problem_destroy, problem_made),
    ROW(problem_dof_count, problem_getters),
    ROW(problem_from_world, problem_made),
    ROW(problem_compute_residual, problem_solved),
    ROW(problem_solve, problem_solved),
    ROW(problem_get_warm_start, problem_getters),
    ROW(result_name, NULL),
    ROW(scene_build, scenes),
    ROW(scene_destroy, scenes),
    ROW(scene_load, scenes),
    ROW(scene_parse, scenes),
    ROW(scene_print_schema, scenes),
    ROW(scene_resume, scenes),
    ROW(scene_generator_count, scenes),
    ROW(scene_get_body_path, scenes),
    ROW(scene_get_size_classes, scenes),
    ROW(scene_get_stage, scenes),
    ROW(scene_stage_count, scenes),
    ROW(scene_get_stage_criterion, scenes),
    ROW(scene_end_stage, scenes),
    ROW(scene_stage_has_ended, scenes),
    ROW(scene_enter_stage, scenes),
    ROW(scene_get_stage_name, scenes),
    ROW(scene_stage_is_over, scenes),
    ROW(scene_get_stage_run_def, scenes),
    ROW(scene_get_stage_steps, scenes),
    ROW(scene_get_run_def, scenes),
    ROW(scene_get_world_def, scenes),
    ROW(series_close, series),
    ROW(series_open, series),
    ROW(series_get_path, series),
    ROW(series_set_def, series),
    ROW(series_write, series),
    ROW(set_allocator, set_allocator),
    ROW(shape_get_half_width, NULL),
    ROW(shape_kind_name, NULL),
    ROW(shape_get_mass, NULL),
    ROW(shape_get_radius, NULL),
    ROW(shape_scale, NULL),
    ROW(shape_get_sieve_size, NULL),
    ROW(shape_get_volume, NULL),
    ROW(snapshot_save, snapshot_save),
    ROW(solver_def_with_preset, NULL),
    ROW(solver_def_with_stabilisation, NULL),
    ROW(span_get_steps, NULL),
    ROW(shape_solid, NULL),
    ROW(solid_create, meshes),
    ROW(solid_load, meshes),
    ROW(shape_sphere, NULL),
    ROW(stabilisation_name, NULL),
    ROW(stop_name, NULL),
    ROW(validate_shape, NULL),
    ROW(validate_solver_def, validate_solver_def),
    ROW(world_get_device_name, world_getters),
    ROW(world_get_bulk, world_get_bulk),
    ROW(world_cast_ray, rays),
    ROW(world_cast_ray_all, rays),
    ROW(world_create, world_create),
    ROW(world_destroy, world_destroy),
    ROW(world_get_def, world_get_def),
    ROW(world_set_gravity, world_setters),
    ROW(world_get_hash, world_getters),
    ROW(world_set_limits, world_setters),
    ROW(world_get_note, world_getters),
    ROW(world_set_note, world_setters),
    ROW(world_get_number, world_getters),
    ROW(world_overlap_box, overlaps),
    ROW(world_overlap_sphere, overlaps),
    ROW(world_prepare, world_setters),
    ROW(world_has_rolling_resistance, world_getters),
    ROW(world_set_solver, world_setters),
    ROW(world_step, world_step),
    ROW(world_step_count, world_getters),
    ROW(world_get_time, world_getters),
    ROW(world_set_time_step, world_setters),
    ROW(world_set_verify, world_setters),
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
    f->body = add_body(f->world, scree_shape_sphere(0.1f), up, up);
    CHECK(scree_material_create(f->world, &material, &f->material));
    CHECK(scree_world_step(f->world, NULL));
    CHECK(scree_scene_parse(text, strlen(text), "text", &f->scene));
    CHECK(scree_problem_from_world(f->world, &f->problem));
    CHECK(scree_frame_from_world(f->world, &f->frame));
    CHECK(scree_series_open(f->place.path, 0, NULL, &f->series));
    CHECK(scree_statistics_file_open(folder_file(&f->place, "measurements.csv"), 0, &f->statistics_file));
}

static void tear_down(fixture *f) {
    scree_series_close(f->series);
    scree_statistics_file_close(f->statistics_file);
    scree_frame_release(&f->frame);
    scree_problem_destroy(f->problem);
    scree_scene_destroy(f->scene);
    scree_world_destroy(f->world);
    folder_remove(&f->place);
}

static void null_is_rejected_by_every_call(void **state) {
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

/* Compares the symbols of `nm` with the table, name by name. */
static void the_table_has_every_exported_function(void **state) {
    (void)state;
    bool seen[ROWS] = {false};
    char line[512], name[256], kind;
    FILE *symbols = popen("nm -D --defined-only " SCREE_BUILD_DIR "/libscree.so", "r");
    assert_non_null(symbols);
    while (fgets(line, sizeof line, symbols)) {
        if (sscanf(line, "%*s %c %255s", &kind, name) != 2 || strncmp(name, "scree_", 6) != 0) continue;
        const row *found = row_of(name);
        if (!found) fail_msg("%s is exported and has no row in tests/unit/test_null.c", name);
        seen[found - rows] = true;
    }
    assert_int_equal(pclose(symbols), 0);
    for (int i = 0; i < ROWS; i++)
        if (!seen[i]) fail_msg("%s has a row and is not exported", rows[i].name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_rejected_by_every_call),
        cmocka_unit_test(the_table_has_every_exported_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
