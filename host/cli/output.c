#include "output.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "folder.h"
#include "messages.h"
#include "progress.h"

const char *output_path(const output *self, output_kind kind, uint64_t step, char path[OUTPUT_PATH]) {
    const char *const formats[OUTPUT_KINDS] = {
        [OUTPUT_FRAMES] = folder_index,
        [OUTPUT_ROWS] = folder_measurements,
        [OUTPUT_PICTURES] = folder_picture_format,
        [OUTPUT_PROBLEMS] = folder_problem_format,
        [OUTPUT_STAGES] = folder_stage_format,
        [OUTPUT_CHECKPOINTS] = folder_checkpoint,
    };
    char name[48];
    snprintf(name, sizeof name, formats[kind], (unsigned long long)step);
    return folder_path(self->folder, name, path);
}

static bool is_written(const output *self, output_kind kind, uint64_t step) {
    return self->written[kind].count && self->written[kind].step == step;
}

static void count_written(output *self, output_kind kind, uint64_t step) {
    ++self->written[kind].count;
    self->written[kind].step = step;
}

bool output_fields_read(const char *list, uint32_t *fields, char wrong[32]) {
    *fields = 0;
    if (!strcmp(list, "none")) return true;
    for (const char *at = list; at;) {
        const size_t length = strcspn(at, ",");
        const char *name;
        int field = 0;
        while ((name = scree_frame_field_name((scree_frame_field)field)) &&
               (strlen(name) != length || strncmp(name, at, length)))
            ++field;
        if (!name) {
            snprintf(wrong, 32, "%.*s", (int)(length < 31 ? length : 31), at);
            return false;
        }
        *fields |= UINT32_C(1) << field;
        at = at[length] ? at + length + 1 : NULL;
    }
    return true;
}

void output_fields_list(char *out, size_t size) {
    size_t length = 0;
    const char *name;
    for (int i = 0; (name = scree_frame_field_name((scree_frame_field)i)) && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%s", i ? "," : "", name);
}

/* Returns whether a file is named as by folder_measurement_format. */
static bool is_measurement_file(const char *name) {
    static const char begin[] = "measurement_", end[] = ".csv";
    const size_t length = strlen(name);
    return length > sizeof begin - 1 + sizeof end - 1 && !strncmp(name, begin, sizeof begin - 1) &&
           !strcmp(name + length - (sizeof end - 1), end);
}

/* Removes pictures, stages and problems of steps that this run has yet to make, and measurements of another
 * scene, which would be mistaken for its own. */
static void remove_stale(const output *self, uint64_t from_step) {
    DIR *folder = opendir(self->folder);
    if (!folder) return;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[OUTPUT_PATH];
        uint64_t step;
        const bool numbered = folder_read_step(entry->d_name, folder_picture_format, &step) ||
                              folder_read_step(entry->d_name, folder_stage_format, &step) ||
                              folder_read_step(entry->d_name, folder_problem_format, &step);
        if (numbered ? step > from_step : !from_step && is_measurement_file(entry->d_name))
            unlink(folder_path(self->folder, entry->d_name, path));
    }
    closedir(folder);
}

scree_result output_open(output *self, uint64_t from_step, const scree_series_def *frames) {
    char path[OUTPUT_PATH];
    /* Calls that may refuse an earlier run's files come first. */
    TRY(scree_statistics_file_open(output_path(self, OUTPUT_ROWS, 0, path), from_step,
                                   &self->statistics_file));
    TRY(scree_series_open(self->folder, from_step, frames, &self->series));
    snprintf(self->series_path, sizeof self->series_path, "%s", scree_series_get_path(self->series));
    self->from_step = from_step;
    remove_stale(self, from_step);
    return SCREE_OK;
}

scree_result output_frame(output *self, const scree_world *world) {
    const uint64_t step = scree_world_step_count(world);
    if (is_written(self, OUTPUT_FRAMES, step)) return SCREE_OK;
    scree_frame frame = {0};
    TRY(scree_frame_from_world(world, &frame));
    const scree_result result = scree_series_write(self->series, &frame);
    scree_frame_release(&frame);
    if (result == SCREE_OK) count_written(self, OUTPUT_FRAMES, step);
    return result;
}

scree_result output_step(output *self, const scree_statistics *statistics) {
    return scree_statistics_file_add(self->statistics_file, statistics);
}

scree_result output_stage(output *self, const char *name, const scree_series_def *frames) {
    TRY(scree_series_set_def(self->series, frames));
    self->stage = name;
    for (int i = 0; i < self->measurement_count; i++)
        TRY(scree_measurement_file_set_stage(self->measurements[i].file, name));
    return scree_statistics_file_set_stage(self->statistics_file, name);
}

scree_result output_row(output *self, const scree_world *world, const scree_statistics *statistics) {
    if (is_written(self, OUTPUT_ROWS, statistics->step)) return SCREE_OK;
    scree_bulk bulk;
    TRY(scree_world_get_bulk(world, &bulk));
    TRY(scree_statistics_file_write(self->statistics_file, statistics, &bulk));
    count_written(self, OUTPUT_ROWS, statistics->step);
    return SCREE_OK;
}

static const char *measurement_path(const output *self, const char *name, char path[OUTPUT_PATH]) {
    char file[SCREE_MEASUREMENT_NAME_SIZE + 32];
    snprintf(file, sizeof file, folder_measurement_format, name);
    return folder_path(self->folder, file, path);
}

static bool is_known(const output *self, scree_measurement_id id) {
    for (int i = 0; i < self->measurement_count; i++)
        if (self->measurements[i].id.index == id.index &&
            self->measurements[i].id.generation == id.generation)
            return true;
    return false;
}

/* Warns about missing rows: in a resumed run, a file must end with the row that its measurement made last. */
static scree_result warning_rows(const output *self, const scree_world *world, scree_measurement_id id,
                                 const scree_measurement_file *file, const char *path) {
    scree_measurement_row row;
    TRY(scree_measurement_get_row(world, id, &row));
    if (self->goes_on && row.step > 0 && row.step <= self->from_step &&
        scree_measurement_file_get_last_step(file) != row.step)
        fprintf(
            messages(),
            "scree run: warning: \"%s\" lacks the row of step %llu, which was measured: rows are missing\n",
            path, (unsigned long long)row.step);
    return SCREE_OK;
}

static scree_result open_measurement(output *self, const scree_world *world, scree_measurement_id id) {
    char path[OUTPUT_PATH];
    scree_measurement_def def;
    TRY(scree_measurement_get_def(world, id, &def));
    TRY(MEMORY_RESERVE(self->measurements, self->measurement_capacity, self->measurement_count + 1, NULL));
    struct output_measurement *last = &self->measurements[self->measurement_count];
    *last = (struct output_measurement){.id = id};
    snprintf(last->name, sizeof last->name, "%s", def.name);
    TRY(scree_measurement_file_open(measurement_path(self, def.name, path), world, id, self->from_step,
                                    &last->file));
    ++self->measurement_count;
    TRY(warning_rows(self, world, id, last->file, path));
    return scree_measurement_file_set_stage(last->file, self->stage);
}

/* A run only adds measurements, so all are known if their number is unchanged. */
scree_result output_measurements_open(output *self, const scree_world *world) {
    const int count = scree_measurement_list(world, NULL, 0);
    if (count == self->measurement_count) return SCREE_OK;
    SCOPED scree_measurement_id *ids = memory_allocate((size_t)count, sizeof *ids);
    if (!ids) return fail(SCREE_ERROR_MEMORY, "out of memory for %d measurements", count);
    scree_measurement_list(world, ids, count);
    for (int i = 0; i < count; i++)
        if (!is_known(self, ids[i])) TRY(open_measurement(self, world, ids[i]));
    return SCREE_OK;
}

scree_result output_measurements(output *self, const scree_world *world) {
    TRY(output_measurements_open(self, world));
    for (int i = 0; i < self->measurement_count; i++)
        TRY(scree_measurement_file_write(self->measurements[i].file, world));
    return SCREE_OK;
}

static bool is_about_opencl(scree_result result) {
    return result == SCREE_ERROR_NO_PLATFORM || result == SCREE_ERROR_NO_DEVICE ||
           result == SCREE_ERROR_KERNEL_BUILD || result == SCREE_ERROR_DEVICE_MEMORY ||
           result == SCREE_ERROR_DEVICE;
}

scree_result output_picture(output *self, const scree_world *world, bool quiet) {
    const uint64_t step = scree_world_step_count(world);
    if (!self->pictures || is_written(self, OUTPUT_PICTURES, step)) return SCREE_OK;
    char path[OUTPUT_PATH];
    scree_frame frame = {0};
    TRY(scree_frame_from_world(world, &frame));
    const scree_result result =
        scree_snapshot_save(&frame, &self->view, output_path(self, OUTPUT_PICTURES, step, path));
    scree_frame_release(&frame);
    if (result == SCREE_OK) {
        count_written(self, OUTPUT_PICTURES, step);
    } else if (!self->pictures_required && is_about_opencl(result)) {
        if (!quiet) fprintf(messages(), "scree run: warning: no pictures: %s\n", scree_error_get_message());
        self->pictures = false;
        return SCREE_OK;
    }
    return result;
}

/* Saves a problem. The velocities follow from its warm start, which is the step's solution. */
static scree_result save_problem(const scree_problem *problem, const char *path) {
    const double *impulses = scree_problem_get_warm_start(problem);
    if (!impulses) return scree_fclib_save(problem, path, NULL, NULL);
    double residual[SCREE_MEASURE_COUNT];
    const int contacts = scree_problem_contact_count(problem);
    SCOPED double *velocities = memory_allocate(3 * (size_t)contacts, sizeof *velocities);
    if (!velocities) return fail(SCREE_ERROR_MEMORY, "out of memory for velocities of %d contacts", contacts);
    TRY(scree_problem_compute_residual(problem, SCREE_LAW_COULOMB, impulses, velocities, residual));
    return scree_fclib_save(problem, path, impulses, velocities);
}

scree_result output_problem(output *self, scree_world *world) {
    const uint64_t step = scree_world_step_count(world);
    char path[OUTPUT_PATH];
    scree_problem *problem = NULL;
    TRY(scree_problem_from_world(world, &problem));
    const scree_result result = save_problem(problem, output_path(self, OUTPUT_PROBLEMS, step, path));
    scree_problem_destroy(problem);
    if (result == SCREE_OK) count_written(self, OUTPUT_PROBLEMS, step);
    if (result != SCREE_ERROR_UNSUPPORTED) return result;
    /* such as the limit of a joint that bodies reach in this step */
    fprintf(messages(), "scree run: warning: step %llu: the contact problem was not written: %s\n",
            (unsigned long long)step, scree_error_get_message());
    return SCREE_OK;
}

scree_result output_checkpoint(output *self, const scree_world *world, output_kind kind) {
    const uint64_t step = scree_world_step_count(world);
    char path[OUTPUT_PATH];
    if (is_written(self, kind, step)) return SCREE_OK;
    TRY(scree_checkpoint_save(world, output_path(self, kind, step, path)));
    count_written(self, kind, step);
    return SCREE_OK;
}

scree_result output_close(output *self) {
    scree_result result = scree_series_close(self->series);
    const scree_result second = scree_statistics_file_close(self->statistics_file);
    self->series = NULL;
    self->statistics_file = NULL;
    if (result == SCREE_OK) result = second;
    for (int i = 0; i < self->measurement_count; i++) {
        struct output_measurement *of = &self->measurements[i];
        if (of->file) of->rows = scree_measurement_file_row_count(of->file);
        const scree_result closed = scree_measurement_file_close(of->file);
        of->file = NULL;
        if (result == SCREE_OK) result = closed;
    }
    return result;
}

void output_release(output *self) {
    output_close(self);
    memory_release(self->measurements);
}

/* A resumed run counts what it adds to the folder. */
static const char *new_of(const output *self) { return self->from_step ? "new " : ""; }

static void report_kind(const output *self, output_kind kind, const char *label, const char *one,
                        const char *many, FILE *out) {
    const int count = self->written[kind].count;
    const unsigned long long step = self->written[kind].step;
    char path[OUTPUT_PATH];
    if (!count) return;
    fprintf(out, "  %-14s%s", label,
            kind == OUTPUT_FRAMES ? self->series_path : output_path(self, kind, step, path));
    if (one) fprintf(out, " (%d %s%s, to step %llu)", count, new_of(self), noun_of(count, one, many), step);
    if (kind == OUTPUT_PROBLEMS || kind == OUTPUT_STAGES) fprintf(out, " (%d in total)", count);
    if (kind == OUTPUT_CHECKPOINTS) fprintf(out, " (step %llu)", step);
    fputc('\n', out);
}

void output_report(const output *self, FILE *out) {
    char path[OUTPUT_PATH];
    report_kind(self, OUTPUT_FRAMES, "ParaView", "frame", "frames", out);
    report_kind(self, OUTPUT_ROWS, "measurements", "row", "rows", out);
    for (int i = 0; i < self->measurement_count; i++) {
        const struct output_measurement *of = &self->measurements[i];
        const int rows = of->file ? scree_measurement_file_row_count(of->file) : of->rows;
        if (!rows) continue;
        fprintf(out, "  measured      %s (%d %s%s)\n", measurement_path(self, of->name, path), rows,
                new_of(self), noun_of(rows, "row", "rows"));
    }
    report_kind(self, OUTPUT_PICTURES, "picture", NULL, NULL, out);
    report_kind(self, OUTPUT_PROBLEMS, "problem", NULL, NULL, out);
    report_kind(self, OUTPUT_STAGES, "stage", NULL, NULL, out);
    report_kind(self, OUTPUT_CHECKPOINTS, "checkpoint", NULL, NULL, out);
}
