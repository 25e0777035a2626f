#include "ensemble_table.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "csv_rows.h"
#include "ensemble_folder.h"
#include "ensemble_summary.h"

/* Columns that every file of a world has, and that the table has once. */
static const char *const shared[] = {"step", "time_s", "stage"};
enum { SHARED = 3, STEP = 0, FILES_MOST = 1024 };

/* The files of a world. */
typedef struct world_files {
    int count;
    struct world_file {
        char prefix[SCREE_MEASUREMENT_NAME_SIZE + 1]; /* "measurement."; empty for the statistics */
        csv_rows rows;
        int next, *places; /* the next row; column of the table for each of the file, −1: none */
    } files[FILES_MOST];
} world_files;

typedef struct table {
    const ensemble_view *of;
    FILE *text;
    int columns, capacity; /* after those of the world and the shared ones */
    char **names;
    const char **cells; /* of the row that is being written */
    double *last;       /* the last value of each column of a world; NaN: none */
    world_files files;
} table;

static scree_result no_memory(void) {
    return fail(SCREE_ERROR_MEMORY, "out of memory for the table of worlds");
}

/* Wall times and the growth of buffers are left out, so that equal ensembles have equal tables, also resumed
 * ones. */
static bool is_left_out(const char *column) {
    const size_t length = strlen(column);
    return !strcmp(column, "regrown") || (length > 3 && !strcmp(column + length - 3, "_ms"));
}

static bool is_shared(const char *column) {
    for (int i = 0; i < SHARED; i++)
        if (!strcmp(column, shared[i])) return true;
    return false;
}

static scree_result column_add(table *self, const char *prefix, const char *column) {
    const size_t size = strlen(prefix) + strlen(column) + 1;
    TRY(MEMORY_RESERVE(self->names, self->capacity, self->columns + 1, NULL));
    char *kept = memory_allocate(size, 1);
    if (!kept) return no_memory();
    snprintf(kept, size, "%s%s", prefix, column);
    self->names[self->columns++] = kept;
    return SCREE_OK;
}

static bool is_column(const table *self, int place, const char *prefix, const char *column) {
    const size_t length = strlen(prefix);
    return place < self->columns && !strncmp(self->names[place], prefix, length) &&
           !strcmp(self->names[place] + length, column);
}

/* Finds the column of the table for one of a file, adding it if necessary. It is usually that at `hint`. */
static scree_result column_find(table *self, const char *prefix, const char *column, int hint, int *place) {
    for (*place = hint; *place < self->columns; ++*place)
        if (is_column(self, *place, prefix, column)) return SCREE_OK;
    for (*place = 0; *place < hint; ++*place)
        if (is_column(self, *place, prefix, column)) return SCREE_OK;
    *place = self->columns;
    return column_add(self, prefix, column);
}

static scree_result places_find(table *self, struct world_file *file, int *hint) {
    file->places = memory_allocate((size_t)file->rows.columns, sizeof *file->places);
    if (!file->places) return no_memory();
    for (int i = 0; i < file->rows.columns; i++) {
        const char *column = file->rows.names[i];
        file->places[i] = -1;
        if (is_shared(column) || is_left_out(column)) continue;
        TRY(column_find(self, file->prefix, column, *hint, &file->places[i]));
        *hint = file->places[i] + 1;
    }
    return SCREE_OK;
}

static void files_release(world_files *self) {
    for (int i = 0; i < self->count; i++) {
        csv_rows_release(&self->files[i].rows);
        memory_release(self->files[i].places);
    }
    self->count = 0;
}

static scree_result file_add(table *self, const char *path, const char *prefix, int *hint) {
    struct world_file *file = &self->files.files[self->files.count];
    if (self->files.count == FILES_MOST) return SCREE_OK;
    *file = (struct world_file){0};
    snprintf(file->prefix, sizeof file->prefix, "%s", prefix);
    self->files.count++;
    TRY(csv_rows_read(path, &file->rows));
    return places_find(self, file, hint);
}

/* Returns whether a file is that of a measurement, and its prefix. */
static bool prefix_of(const char *file, char prefix[SCREE_MEASUREMENT_NAME_SIZE + 1]) {
    static const char begin[] = "measurement_", end[] = ".csv";
    const size_t length = strlen(file), name = length - (sizeof begin - 1) - (sizeof end - 1);
    if (length <= sizeof begin + sizeof end - 2 || strncmp(file, begin, sizeof begin - 1) ||
        strcmp(file + length - (sizeof end - 1), end) || name >= SCREE_MEASUREMENT_NAME_SIZE)
        return false;
    snprintf(prefix, SCREE_MEASUREMENT_NAME_SIZE + 1, "%.*s.", (int)name, file + sizeof begin - 1);
    return true;
}

static int is_measurement(const struct dirent *entry) {
    char prefix[SCREE_MEASUREMENT_NAME_SIZE + 1];
    return prefix_of(entry->d_name, prefix);
}

static scree_result measurements_read(table *self, const char *folder, int *hint) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_measurement, alphasort);
    scree_result result = SCREE_OK;
    for (int i = 0; i < count; i++) {
        char path[FOLDER_PATH], prefix[SCREE_MEASUREMENT_NAME_SIZE + 1];
        prefix_of(entries[i]->d_name, prefix);
        if (result == SCREE_OK)
            result = file_add(self, folder_path(folder, entries[i]->d_name, path), prefix, hint);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    return result;
}

/* Reads the files of a world and adds their columns to the table. */
static scree_result files_read(table *self, int world) {
    char folder[FOLDER_PATH], path[FOLDER_PATH];
    int hint = 0;
    files_release(&self->files);
    ensemble_world_folder(self->of->folder, world, folder);
    TRY(file_add(self, folder_path(folder, folder_measurements, path), "", &hint));
    return measurements_read(self, folder, &hint);
}

/* Prints a cell, in quotes if it has a comma, a quote or a line end. */
static void print_text(const char *text, FILE *out) {
    const bool quoted = strpbrk(text, ",\"\n\r") != NULL;
    if (quoted) fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    if (quoted) fputc('"', out);
}

void ensemble_print_number(double value, FILE *out) {
    char text[32] = "";
    for (int digits = 15; digits <= 17 && !isnan(value); digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, out);
}

static bool seed_varies(const table *self) {
    for (int i = 0; i < self->of->worlds.varied; i++)
        if (!strcmp(scree_scene_get_varied_path(self->of->scene, i), "seed")) return true;
    return false;
}

static void print_header(const table *self) {
    FILE *out = self->text;
    fputs("world", out);
    for (int i = 0; i < self->of->worlds.varied; i++) {
        fputc(',', out);
        print_text(scree_scene_get_varied_path(self->of->scene, i), out);
    }
    if (!seed_varies(self)) fputs(",seed", out);
    fputs(",failure", out);
    for (int i = 0; i < SHARED; i++) fprintf(out, ",%s", shared[i]);
    for (int i = 0; i < self->columns; i++) fprintf(out, ",%s", self->names[i]);
    fputc('\n', out);
}

/* Prints a row from self->cells; `row` has the shared cells, NULL: none. */
static void print_row(table *self, int world, const char *failure, char *const *row) {
    const ensemble_view *of = self->of;
    FILE *out = self->text;
    fprintf(out, "%d", world);
    for (int i = 0; i < of->worlds.varied; i++) {
        fputc(',', out);
        ensemble_print_number(scree_scene_get_varied_value(of->scene, i, world, of->seed), out);
    }
    if (!seed_varies(self)) fprintf(out, ",%llu", (unsigned long long)(of->seed + (uint64_t)world));
    fputc(',', out);
    print_text(failure, out);
    for (int i = 0; i < SHARED; i++) fprintf(out, ",%s", row ? row[i] : "");
    for (int i = 0; i < self->columns; i++) {
        const char *cell = self->cells[i] ? self->cells[i] : "";
        fprintf(out, ",%s", cell);
        char *end;
        const double value = strtod(cell, &end);
        if (*cell && !*end) self->last[i] = value;
    }
    fputc('\n', out);
}

/* Returns the first step of which a file has a row that was not written yet. */
static uint64_t next_step(const world_files *self) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < self->count; i++) {
        const uint64_t step = csv_rows_step(&self->files[i].rows, self->files[i].next);
        if (step < least) least = step;
    }
    return least;
}

/* Takes the next row of a file into self->cells; returns its cells. */
static char **row_take(table *self, struct world_file *file) {
    char **row = file->rows.cells + (size_t)file->next * (size_t)file->rows.columns;
    for (int i = 0; i < file->rows.columns; i++)
        if (file->places[i] >= 0) self->cells[file->places[i]] = row[i];
    file->next++;
    return row;
}

/* Writes the rows of a world: one for each step at which a file has one, at least one. */
static void write_rows(table *self, int world, const char *failure) {
    world_files *files = &self->files;
    for (int i = 0; i < self->columns; i++) self->last[i] = NAN;
    bool any = false;
    for (uint64_t step; (step = next_step(files)) != UINT64_MAX; any = true) {
        char **row = NULL;
        memset(self->cells, 0, (size_t)self->columns * sizeof *self->cells);
        for (int i = 0; i < files->count; i++)
            if (csv_rows_step(&files->files[i].rows, files->files[i].next) == step)
                row = row_take(self, &files->files[i]);
        print_row(self, world, failure, row);
    }
    memset(self->cells, 0, (size_t)self->columns * sizeof *self->cells);
    if (!any) print_row(self, world, failure, NULL);
}

static scree_result write_worlds(table *self, ensemble_sums *sums) {
    char failure[WORLD_FAILURE];
    for (int world = 0; world < self->of->worlds.count; world++) {
        const world_outcome outcome = ensemble_world_outcome(self->of->folder, world, failure);
        if (outcome == WORLD_OPEN) continue;
        TRY(files_read(self, world));
        write_rows(self, world, failure);
        TRY(ensemble_sums_add(sums, world, outcome == WORLD_FAILED ? NULL : self->last));
    }
    return ensemble_sums_end(sums);
}

/* Collects the columns of all worlds. */
static scree_result find_columns(table *self) {
    char failure[WORLD_FAILURE];
    for (int world = 0; world < self->of->worlds.count; world++)
        if (ensemble_world_outcome(self->of->folder, world, failure) != WORLD_OPEN)
            TRY(files_read(self, world));
    self->cells = memory_allocate((size_t)self->columns, sizeof *self->cells);
    self->last = memory_allocate((size_t)self->columns, sizeof *self->last);
    return self->cells && self->last ? SCREE_OK : no_memory();
}

static void table_release(table *self) {
    files_release(&self->files);
    for (int i = 0; i < self->columns; i++) memory_release(self->names[i]);
    memory_release(self->names);
    memory_release(self->cells);
    memory_release(self->last);
}

/* Writes the messages of the worlds, each line after the world's number. */
static void print_messages(const ensemble_view *of, FILE *out) {
    for (int world = 0; world < of->worlds.count; world++) {
        char path[FOLDER_PATH];
        SCOPED char *text = ensemble_read(ensemble_world_file(of->folder, world, "messages.txt", path));
        for (char *line = text; line && *line;) {
            const size_t length = strcspn(line, "\n");
            fprintf(out, "world %d: %.*s\n", world, (int)length, line);
            line += length + (line[length] == '\n');
        }
    }
}

/* Writes the file of messages if there are any. */
static scree_result save_messages(const ensemble_view *of) {
    char path[FOLDER_PATH];
    FILE *file = ensemble_draft(of->folder, ensemble_messages);
    if (file) print_messages(of, file);
    const bool any = !file || ftell(file) > 0;
    TRY(ensemble_draft_end(of->folder, ensemble_messages, file));
    if (!any) unlink(folder_path(of->folder, ensemble_messages, path));
    return SCREE_OK;
}

/* Writes both tables to their drafts. */
static scree_result print_tables(table *self, FILE *summary, FILE *shown) {
    ensemble_sums sums = {0};
    print_header(self);
    scree_result result = ensemble_sums_begin(&sums, self->of, self->names, self->columns, summary, shown);
    if (result == SCREE_OK) result = write_worlds(self, &sums);
    if (result == SCREE_OK) result = ensemble_plots_write(&sums.plots);
    ensemble_sums_release(&sums);
    return result;
}

static scree_result make_tables(table *self, FILE *shown) {
    TRY(find_columns(self));
    self->text = ensemble_draft(self->of->folder, ensemble_table);
    if (!self->text) return ensemble_draft_end(self->of->folder, ensemble_table, NULL);
    FILE *summary = ensemble_draft(self->of->folder, ensemble_summary);
    const scree_result printed = summary ? print_tables(self, summary, shown) : SCREE_OK;
    const scree_result also = ensemble_draft_end(self->of->folder, ensemble_summary, summary),
                       saved = ensemble_draft_end(self->of->folder, ensemble_table, self->text);
    return printed != SCREE_OK ? printed : also != SCREE_OK ? also : saved;
}

scree_result ensemble_table_write(const ensemble_view *view, FILE *out) {
    SCOPED table *self = memory_allocate(1, sizeof *self);
    if (!self) return no_memory();
    self->of = view;
    const scree_result result = make_tables(self, out);
    table_release(self);
    return result == SCREE_OK ? save_messages(view) : result;
}
