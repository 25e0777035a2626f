/* Tables of grains as CSV: the header names each column with its unit; one row per grain. */
#include <scree/tools/grains.h>

#include "file.h"
#include "number.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 30, GRAINS_MOST = 100000000, FIELD = 64, COLUMNS_MOST = 64, UNITS = 4 };

/* A unit and its factor to SI units. */
typedef struct unit {
    const char *name;
    double factor;
} unit;

static const unit lengths[UNITS] = {{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}},
                  densities[UNITS] = {{"kg_per_m3", 1}, {"g_per_cm3", 1e3}},
                  speeds[UNITS] = {{"m_per_s", 1}, {"cm_per_s", 1e-2}, {"mm_per_s", 1e-3}},
                  turns[UNITS] = {{"rad_per_s", 1}};

/* A quantity of a column: a float of a scree_grain; DENSITY and ID have no `place`. */
typedef struct quantity {
    const char *name;
    const unit *units; /* null: none */
    size_t place;
    double low, high; /* in SI units */
} quantity;

#define PLACE(member) offsetof(scree_grain, member)
enum { X, Y, Z, RADIUS, DIAMETER, DENSITY, ID, MOTION, QUANTITIES = MOTION + 6 };
static const quantity quantities[QUANTITIES] = {
    [X] = {"x", lengths, PLACE(position.x), -1e9, 1e9},
    [Y] = {"y", lengths, PLACE(position.y), -1e9, 1e9},
    [Z] = {"z", lengths, PLACE(position.z), -1e9, 1e9},
    [RADIUS] = {"radius", lengths, PLACE(radius), 1e-6, 1e6},
    [DIAMETER] = {"diameter", lengths, PLACE(radius), 2e-6, 2e6},
    [DENSITY] = {"density", densities, 0, 1e-9, 1e12},
    [ID] = {"id", NULL, 0, 0, 0},
    [MOTION] = {"velocity_x", speeds, PLACE(velocity.x), -1e9, 1e9},
    {"velocity_y", speeds, PLACE(velocity.y), -1e9, 1e9},
    {"velocity_z", speeds, PLACE(velocity.z), -1e9, 1e9},
    {"angular_velocity_x", turns, PLACE(angular_velocity.x), -1e9, 1e9},
    {"angular_velocity_y", turns, PLACE(angular_velocity.y), -1e9, 1e9},
    {"angular_velocity_z", turns, PLACE(angular_velocity.z), -1e9, 1e9},
};

/* A column of the file. */
typedef struct column {
    int quantity;
    double factor;
    char name[FIELD];
} column;

typedef struct reader {
    const char *name, *at, *end;
    int line;
    column columns[COLUMNS_MOST];
    int column_count;
    bool has[QUANTITIES];
    int capacity;
    scree_grains out;
    struct row_id {
        uint64_t id;
        int line;
    } * ids;
    int id_capacity;
} reader;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Returns the next field of the line, without surrounding spaces and quotes. Stops before a comma, line
 * end or end of text. */
static const char *field_next(reader *self, size_t *length) {
    while (self->at < self->end && is_space(*self->at)) ++self->at;
    const char *begin = self->at;
    while (self->at < self->end && *self->at != ',' && *self->at != '\n') ++self->at;
    const char *end = self->at;
    while (end > begin && is_space(end[-1])) --end;
    if (end - begin >= 2 && *begin == '"' && end[-1] == '"') {
        ++begin;
        --end;
    }
    *length = (size_t)(end - begin);
    return begin;
}

/* Skips a comma if there is one; returns whether there was. */
static bool pass_comma(reader *self) {
    if (self->at == self->end || *self->at != ',') return false;
    ++self->at;
    return true;
}

static void pass_line_end(reader *self) {
    if (self->at == self->end) return;
    ++self->at;
    ++self->line;
}

static bool line_is_empty(const reader *self) {
    const char *at = self->at;
    while (at < self->end && is_space(*at)) ++at;
    return at == self->end || *at == '\n';
}

/* Lists "radius_m, radius_cm, …", or all quantities. */
static const char *list_names(const quantity *of, char *out, size_t size) {
    size_t used = 0;
    *out = 0;
    for (int i = 0; of && of->units && i < UNITS && of->units[i].name; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s_%s", i ? ", " : "", of->name, of->units[i].name);
    for (int i = 0; !of && i < QUANTITIES; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s%s%s", i ? ", " : "", quantities[i].name,
                                 quantities[i].units ? "_" : "",
                                 quantities[i].units ? quantities[i].units[0].name : "");
    return out;
}

static scree_result fail_column(const reader *self, const char *text, const quantity *near) {
    char names[512];
    if (!*text)
        return fail(SCREE_ERROR_FORMAT, "%.512s:%d: a column without a name; must be one of %s", self->name,
                    self->line, list_names(NULL, names, sizeof names));
    return fail(SCREE_ERROR_FORMAT, "%.512s:%d:%.40s: %s; must be %s%s", self->name, self->line, text,
                near ? "a column with another unit, or without one" : "an unknown column",
                near ? "" : "one of ", list_names(near, names, sizeof names));
}

/* Finds quantity and unit of a column's name. */
static scree_result column_find(const reader *self, column *out) {
    const quantity *near = NULL;
    for (int i = 0; i < QUANTITIES; i++) {
        const quantity *of = &quantities[i];
        const size_t length = strlen(of->name);
        if (strncmp(out->name, of->name, length)) continue;
        out->quantity = i;
        out->factor = 1;
        if (!of->units && !out->name[length]) return SCREE_OK;
        if (!of->units || (out->name[length] && out->name[length] != '_')) continue;
        near = of;
        for (int k = 0; k < UNITS && of->units[k].name && out->name[length]; k++) {
            out->factor = of->units[k].factor;
            if (!strcmp(out->name + length + 1, of->units[k].name)) return SCREE_OK;
        }
    }
    return fail_column(self, out->name, near);
}

static scree_result header_field_read(reader *self) {
    size_t length;
    const char *text = field_next(self, &length);
    if (self->column_count == COLUMNS_MOST)
        return fail(SCREE_ERROR_FORMAT, "%.512s:%d: more than %d columns", self->name, self->line,
                    COLUMNS_MOST);
    column *next = &self->columns[self->column_count];
    snprintf(next->name, sizeof next->name, "%.*s", (int)(length < FIELD ? length : FIELD - 1), text);
    TRY(column_find(self, next));
    if (self->has[next->quantity])
        return fail(SCREE_ERROR_FORMAT, "%.512s:%d:%s: duplicate column; each must be there once", self->name,
                    self->line, next->name);
    self->has[next->quantity] = true;
    ++self->column_count;
    return SCREE_OK;
}

static scree_result header_read(reader *self) {
    self->at += file_mark_length(self->at, (size_t)(self->end - self->at));
    while (self->at < self->end && line_is_empty(self)) {
        while (self->at < self->end && *self->at != '\n') ++self->at;
        pass_line_end(self);
    }
    do TRY(header_field_read(self));
    while (pass_comma(self));
    for (int i = X; i <= Z; i++)
        if (!self->has[i])
            return fail(SCREE_ERROR_FORMAT, "%.512s:%d:%s_m: missing; must be a column", self->name,
                        self->line, quantities[i].name);
    if (self->has[RADIUS] == self->has[DIAMETER])
        return fail(SCREE_ERROR_FORMAT, "%.512s:%d:radius_m: must be there, or diameter_m, not both",
                    self->name, self->line);
    pass_line_end(self);
    return SCREE_OK;
}

static scree_result fail_field(const reader *self, const column *of, const char *text, size_t length,
                               const char *expected) {
    return fail(SCREE_ERROR_FORMAT, "%.512s:%d:%s: \"%.*s\"; must be %s", self->name, self->line, of->name,
                (int)(length < 40 ? length : 40), text, expected);
}

/* Copies a field with a terminating zero; returns false if it is too long for a number. */
static bool field_copy(const char *text, size_t length, char out[FIELD]) {
    if (length >= FIELD || memchr(text, 0, length)) return false;
    memcpy(out, text, length);
    out[length] = 0;
    return length > 0;
}

static scree_result number_read(const reader *self, const column *of, const char *text, size_t length,
                                double *out) {
    const quantity *what = &quantities[of->quantity];
    char copy[FIELD], expected[96], *rest = NULL;
    snprintf(expected, sizeof expected, "a number from %.9g to %.9g", what->low / of->factor,
             what->high / of->factor);
    if (!field_copy(text, length, copy) || strspn(copy, "+-.0123456789eE") != length)
        return fail_field(self, of, text, length, expected);
    *out = strtod(copy, &rest) * of->factor;
    if (*rest || !(*out >= what->low * (1 - 1e-6 * (what->low > 0)) && *out <= what->high))
        return fail_field(self, of, text, length, expected);
    return SCREE_OK;
}

static scree_result id_read(const reader *self, const column *of, const char *text, size_t length,
                            uint64_t *out) {
    static const char expected[] = "a whole number from 0 to 18446744073709551615";
    char copy[FIELD];
    if (!field_copy(text, length, copy) || strspn(copy, "0123456789") != length)
        return fail_field(self, of, text, length, expected);
    errno = 0;
    *out = strtoull(copy, NULL, 10);
    return errno ? fail_field(self, of, text, length, expected) : SCREE_OK;
}

static scree_result field_read(const reader *self, const column *of, const char *text, size_t length,
                               scree_grain *out) {
    const quantity *what = &quantities[of->quantity];
    double value = 0;
    if (of->quantity == ID) return id_read(self, of, text, length, &out->id);
    TRY(number_read(self, of, text, length, &value));
    if (of->quantity == DENSITY)
        out->density = value;
    else
        *(float *)((char *)out + what->place) = (float)(of->quantity == DIAMETER ? value / 2 : value);
    return SCREE_OK;
}

static scree_result row_read(reader *self) {
    if (self->out.count >= GRAINS_MOST)
        return fail(SCREE_ERROR_FORMAT, "%.512s:%d: more than %d grains", self->name, self->line,
                    GRAINS_MOST);
    TRY(MEMORY_RESERVE(self->out.items, self->capacity, self->out.count + 1, NULL));
    TRY(MEMORY_RESERVE(self->ids, self->id_capacity, self->out.count + 1, NULL));
    scree_grain *grain = &self->out.items[self->out.count];
    *grain = (scree_grain){.id = (uint64_t)self->out.count + 1};
    for (int i = 0; i < self->column_count; i++) {
        size_t length;
        const char *text = field_next(self, &length);
        TRY(field_read(self, &self->columns[i], text, length, grain));
        const bool more = pass_comma(self);
        if (more != (i + 1 < self->column_count))
            return fail(SCREE_ERROR_FORMAT, "%.512s:%d:%s: %s fields; must be %d as in the header",
                        self->name, self->line, self->columns[i].name, more ? "more" : "fewer",
                        self->column_count);
    }
    self->ids[self->out.count++] = (struct row_id){grain->id, self->line};
    return SCREE_OK;
}

static int by_id(const void *a, const void *b) {
    const struct row_id *x = a, *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x->line > y->line) - (x->line < y->line);
}

static scree_result check_ids(reader *self) {
    if (!self->has[ID] || !self->out.count) return SCREE_OK;
    qsort(self->ids, (size_t)self->out.count, sizeof *self->ids, by_id);
    for (int i = 1; i < self->out.count; i++)
        if (self->ids[i].id == self->ids[i - 1].id)
            return fail(SCREE_ERROR_FORMAT,
                        "%.512s:%d:id: %" PRIu64 ": line %d has the same id; must be unique", self->name,
                        self->ids[i].line, self->ids[i].id, self->ids[i - 1].line);
    return SCREE_OK;
}

static scree_result read_all(reader *self) {
    TRY(header_read(self));
    while (self->at < self->end) {
        if (line_is_empty(self))
            while (self->at < self->end && *self->at != '\n') ++self->at;
        else
            TRY(row_read(self));
        pass_line_end(self);
    }
    return check_ids(self);
}

scree_result scree_grains_parse(const char *text, size_t length, const char *name, scree_grains *out) {
    REQUIRE(name);
    REQUIRE(out);
    if (length) REQUIRE(text);
    SCOPED reader *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "%s: out of memory for a table of grains", name);
    *self = (reader){.name = name, .at = length ? text : "", .line = 1};
    self->end = self->at + length;
    SCOPED_LOCALE before = number_locale_set();
    const scree_result result = read_all(self);
    SCOPED struct row_id *ids = self->ids;
    SCOPED scree_grain *items = self->out.items;
    TRY(result);
    *out = self->out;
    items = NULL;
    return SCREE_OK;
}

scree_result scree_grains_load(const char *path, scree_grains *out) {
    SCOPED char *bytes = NULL;
    size_t length = 0;
    REQUIRE(path);
    REQUIRE(out);
    TRY(file_read(path, FILE_MOST, &bytes, &length));
    return scree_grains_parse(bytes, length, path, out);
}

void scree_grains_release(scree_grains *grains) {
    if (!grains) return;
    memory_release(grains->items);
    *grains = (scree_grains){0};
}

/* All quantities are written except the diameter, and the density only if grains have one. */
static bool is_written(int which, const scree_grains *grains) {
    return which != DIAMETER && (which != DENSITY || (grains->count > 0 && grains->items[0].density > 0));
}

static size_t print_field(const scree_grain *grain, int which, char *out) {
    if (which == ID) return (size_t)snprintf(out, FIELD, "%" PRIu64, grain->id);
    if (which == DENSITY) return (size_t)number_print(grain->density, out, FIELD);
    const float value = *(const float *)((const char *)grain + quantities[which].place);
    return (size_t)snprintf(out, FIELD, "%.9g", (double)value);
}

static size_t print_header(const scree_grains *grains, char *out) {
    size_t length = 0;
    for (int i = 0; i < QUANTITIES; i++) {
        const quantity *of = &quantities[i];
        if (!is_written(i, grains)) continue;
        if (length) out[length++] = ',';
        length += (size_t)sprintf(out + length, "%s%s%s", of->name, of->units ? "_" : "",
                                  of->units ? of->units[0].name : "");
    }
    out[length++] = '\n';
    return length;
}

scree_result scree_grains_save(const scree_grains *grains, const char *path) {
    REQUIRE(grains);
    REQUIRE(path);
    if (grains->count > 0) REQUIRE(grains->items);
    SCOPED char *text = memory_allocate((size_t)grains->count + 1, (size_t)QUANTITIES * FIELD);
    if (!text) return fail(SCREE_ERROR_MEMORY, "%s: out of memory for a table of grains", path);
    SCOPED_LOCALE before = number_locale_set();
    size_t length = print_header(grains, text);
    for (int i = 0; i < grains->count; i++) {
        const size_t begin = length;
        for (int k = 0; k < QUANTITIES; k++) {
            if (!is_written(k, grains)) continue;
            if (length > begin) text[length++] = ',';
            length += print_field(&grains->items[i], k, text + length);
        }
        text[length++] = '\n';
    }
    return file_replace(path, &(file_piece){text, length}, 1, false);
}
