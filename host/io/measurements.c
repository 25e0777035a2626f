#include <scree/measurements.h>

#include "file.h"

#include "../base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How a column of the table is printed. */
typedef enum column_kind {
    COLUMN_STEP,         /* uint64_t */
    COLUMN_COUNT,        /* int */
    COLUMN_FLAG,         /* bool, as 0 or 1 */
    COLUMN_STOP,         /* scree_stop, by name */
    COLUMN_FIGURE,       /* double: the shortest text that reads back as the same number */
    COLUMN_VERIFY,       /* the same, empty where nothing was compared */
    COLUMN_MILLISECONDS, /* seconds, printed as ms */
} column_kind;

typedef struct column {
    const char *name;
    column_kind kind;
    size_t offset;
} column;

#define AT(field) offsetof(scree_statistics, field)

static const column columns[] = {
    {"step", COLUMN_STEP, AT(step)},
    {"time_s", COLUMN_FIGURE, AT(time)},
    {"bodies", COLUMN_COUNT, AT(bodies)},
    {"dynamic_bodies", COLUMN_COUNT, AT(dynamic_bodies)},
    {"pairs", COLUMN_COUNT, AT(pairs)},
    {"touching", COLUMN_COUNT, AT(touching)},
    {"contacts", COLUMN_COUNT, AT(contacts)},
    {"colours", COLUMN_COUNT, AT(colours)},
    {"tail", COLUMN_COUNT, AT(tail)},
    {"cache_hits", COLUMN_COUNT, AT(cache_hits)},
    {"regrown", COLUMN_COUNT, AT(regrown)},
    {"iterations", COLUMN_COUNT, AT(solve.iterations)},
    {"stop", COLUMN_STOP, AT(solve.stop)},
    {"residual_before", COLUMN_FIGURE, AT(solve.residual_before)},
    {"residual", COLUMN_FIGURE, AT(solve.residual)},
    {"residual_absolute_Ns", COLUMN_FIGURE, AT(solve.residual_absolute)},
    {"change", COLUMN_FIGURE, AT(solve.change)},
    {"penetration_largest_m", COLUMN_FIGURE, AT(penetration_largest)},
    {"penetration_mean_m", COLUMN_FIGURE, AT(penetration_mean)},
    {"solid_fraction", COLUMN_FIGURE, AT(solid_fraction)},
    {"kinetic_energy_J", COLUMN_FIGURE, AT(kinetic_energy)},
    {"potential_energy_J", COLUMN_FIGURE, AT(potential_energy)},
    {"momentum_x_Ns", COLUMN_FIGURE, AT(momentum[0])},
    {"momentum_y_Ns", COLUMN_FIGURE, AT(momentum[1])},
    {"momentum_z_Ns", COLUMN_FIGURE, AT(momentum[2])},
    {"angular_momentum_x_Nms", COLUMN_FIGURE, AT(angular_momentum[0])},
    {"angular_momentum_y_Nms", COLUMN_FIGURE, AT(angular_momentum[1])},
    {"angular_momentum_z_Nms", COLUMN_FIGURE, AT(angular_momentum[2])},
    {"static_impulse_x_Ns", COLUMN_FIGURE, AT(static_impulse[0])},
    {"static_impulse_y_Ns", COLUMN_FIGURE, AT(static_impulse[1])},
    {"static_impulse_z_Ns", COLUMN_FIGURE, AT(static_impulse[2])},
    {"verified", COLUMN_FLAG, AT(verified)},
    {"verify_difference_m_per_s", COLUMN_VERIFY, AT(verify_difference)},
    {"verify_backend_difference_m_per_s", COLUMN_VERIFY, AT(verify_backend_difference)},
    {"verify_residual", COLUMN_VERIFY, AT(verify_residual)},
    {"bounds_ms", COLUMN_MILLISECONDS, AT(timing.bounds)},
    {"pairs_ms", COLUMN_MILLISECONDS, AT(timing.pairs)},
    {"manifolds_ms", COLUMN_MILLISECONDS, AT(timing.manifolds)},
    {"problem_ms", COLUMN_MILLISECONDS, AT(timing.problem)},
    {"predict_ms", COLUMN_MILLISECONDS, AT(timing.predict)},
    {"solve_ms", COLUMN_MILLISECONDS, AT(timing.solve)},
    {"integrate_ms", COLUMN_MILLISECONDS, AT(timing.integrate)},
    {"statistics_ms", COLUMN_MILLISECONDS, AT(timing.statistics)},
    {"total_ms", COLUMN_MILLISECONDS, AT(timing.total)},
};
enum {
    COLUMN_TOTAL = sizeof columns / sizeof *columns,
    FIELD_SIZE = 40,
    ROW_SIZE = COLUMN_TOTAL * FIELD_SIZE
};

struct scree_measurements {
    char *path;
    int descriptor;
    off_t end;       /* of the last whole row; -1 where the file has no positions (a pipe) */
    locale_t locale; /* the point as decimal sign, whatever the program's locale */
};

/* The shortest decimal that reads back as the same double (17 digits always do). */
static int print_figure(double value, char *out, size_t size) {
    int length = 0;
    for (int digits = 9; digits <= 17; digits += digits == 9 ? 6 : 1) {
        length = snprintf(out, size, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
    return length;
}

static int print_field(const column *field, const scree_statistics *statistics, char *out, size_t size) {
    const char *value = (const char *)statistics + field->offset;
    switch (field->kind) {
    case COLUMN_STEP:
        return snprintf(out, size, "%" PRIu64, *(const uint64_t *)value);
    case COLUMN_COUNT:
        return snprintf(out, size, "%d", *(const int *)value);
    case COLUMN_FLAG:
        return snprintf(out, size, "%d", *(const bool *)value ? 1 : 0);
    case COLUMN_STOP: {
        const char *name = scree_stop_name(*(const scree_stop *)value);
        return snprintf(out, size, "%s", name ? name : "");
    }
    case COLUMN_VERIFY:
        if (!statistics->verified || isnan(*(const double *)value)) return 0;
        return print_figure(*(const double *)value, out, size);
    case COLUMN_FIGURE:
        return print_figure(*(const double *)value, out, size);
    case COLUMN_MILLISECONDS:
        return snprintf(out, size, "%.6g", 1e3 * *(const double *)value);
    }
    return 0;
}

static size_t print_header(char out[ROW_SIZE]) {
    size_t length = 0;
    for (int i = 0; i < COLUMN_TOTAL; ++i)
        length += (size_t)snprintf(out + length, ROW_SIZE - length, "%s%s", columns[i].name,
                                   i + 1 < COLUMN_TOTAL ? "," : "\n");
    return length;
}

static size_t print_row(const scree_statistics *statistics, char out[ROW_SIZE]) {
    size_t length = 0;
    for (int i = 0; i < COLUMN_TOTAL; ++i) {
        length += (size_t)print_field(&columns[i], statistics, out + length, ROW_SIZE - length);
        out[length++] = i + 1 < COLUMN_TOTAL ? ',' : '\n';
    }
    return length;
}

/* All or nothing: a row that does not fit is taken back, so that the file stays a table. */
static scree_result write_text(scree_measurements *self, const char *text, size_t length) {
    const int error = file_write_all(self->descriptor, text, length);
    if (!error) {
        if (self->end >= 0) self->end += (off_t)length;
        return SCREE_OK;
    }
    if (self->end >= 0 && ftruncate(self->descriptor, self->end))
        return fail_file(error, "cannot write '%s', which now ends in half a row", self->path);
    return fail_file(error, "cannot write '%s'", self->path);
}

/* Whether the line is a row: as many fields as there are columns, and the first one is a step. */
static bool parse_row(const char *row, const char *newline, uint64_t *step) {
    int fields = 1;
    char *rest;
    for (const char *c = row; c < newline; ++c) fields += *c == ',';
    errno = 0;
    *step = strtoull(row, &rest, 10);
    return *row >= '0' && *row <= '9' && *rest == ',' && !errno && fields == COLUMN_TOTAL;
}

/* Finds the end of the rows up to `from_step`. A last line without its end is a row that was cut short:
 * dropped. */
static scree_result find_end(const char *path, const char *text, size_t length, uint64_t from_step,
                             size_t *end) {
    char header[ROW_SIZE];
    const size_t header_length = print_header(header);
    if (length < header_length || memcmp(text, header, header_length))
        return fail(SCREE_ERROR_FORMAT, "'%s': line 1: the columns are not those of this version of scree",
                    path);
    *end = header_length;
    for (int line = 2; *end < length; ++line) {
        const char *row = text + *end, *newline = memchr(row, '\n', length - *end);
        if (!newline) break;
        uint64_t step;
        if (!parse_row(row, newline, &step))
            return fail(SCREE_ERROR_FORMAT, "'%s': line %d: expected a row of %d fields, the step first",
                        path, line, (int)COLUMN_TOTAL);
        if (step > from_step) break;
        *end = (size_t)(newline - text) + 1;
    }
    return SCREE_OK;
}

/* Cuts an earlier run's file after `from_step`; false in `kept` if there is none. */
static scree_result keep_rows(const char *path, uint64_t from_step, bool *kept) {
    *kept = false;
    if (access(path, F_OK) && errno == ENOENT) return SCREE_OK;
    char *text;
    size_t length, end = 0;
    TRY(file_read(path, SIZE_MAX / 2, &text, &length));
    scree_result result = find_end(path, text, length, from_step, &end);
    memory_release(text);
    if (result == SCREE_OK && truncate(path, (off_t)end))
        result = fail_file(errno, "cannot shorten '%s'", path);
    *kept = result == SCREE_OK;
    return result;
}

static void measurements_release(scree_measurements *self) {
    if (self->descriptor >= 0) close(self->descriptor);
    if (self->locale) freelocale(self->locale);
    memory_release(self->path);
    memory_release(self);
}

static scree_result begin(scree_measurements *self, const char *path, uint64_t from_step) {
    bool kept = false;
    TRY(file_path_join("", path, &self->path));
    self->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!self->locale) return fail(SCREE_ERROR_MEMORY, "out of memory for '%s'", path);
    if (from_step) TRY(keep_rows(path, from_step, &kept));
    self->descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (kept ? 0 : O_TRUNC), 0666);
    if (self->descriptor < 0) return fail_file(errno, "cannot open '%s'", path);
    self->end = lseek(self->descriptor, 0, SEEK_END);
    if (kept) return SCREE_OK;
    char header[ROW_SIZE];
    return write_text(self, header, print_header(header));
}

scree_result scree_measurements_open(const char *path, uint64_t from_step, scree_measurements **out) {
    if (!path || !out)
        return fail(SCREE_ERROR_ARGUMENT, "scree_measurements_open: path and out must not be null");
    scree_measurements *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory for '%s'", path);
    self->descriptor = -1;
    const scree_result result = begin(self, path, from_step);
    if (result == SCREE_OK)
        *out = self;
    else
        measurements_release(self);
    return result;
}

scree_result scree_measurements_write(scree_measurements *measurements, const scree_statistics *statistics) {
    if (!measurements || !statistics)
        return fail(SCREE_ERROR_ARGUMENT,
                    "scree_measurements_write: measurements and statistics must not be null");
    char row[ROW_SIZE];
    const locale_t before = uselocale(measurements->locale);
    const size_t length = print_row(statistics, row);
    uselocale(before);
    return write_text(measurements, row, length);
}

scree_result scree_measurements_close(scree_measurements *measurements) {
    if (!measurements) return SCREE_OK;
    const int error = close(measurements->descriptor) ? errno : 0;
    measurements->descriptor = -1;
    const scree_result result = error ? fail_file(error, "cannot close '%s'", measurements->path) : SCREE_OK;
    measurements_release(measurements);
    return result;
}
