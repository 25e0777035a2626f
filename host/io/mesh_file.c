/* Surfaces from files: STL, binary and ASCII, and Wavefront OBJ. Error messages name the place in the
 * file. */
#include <scree/tools/geometry_file.h>

#include "file.h"
#include "polygon.h"
#include "text.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    FILE_MOST = 1 << 30, /* bytes */
    STL_HEADER = 84,     /* bytes before the triangles of a binary file; the last four hold their number */
    STL_TRIANGLE = 50,   /* bytes: a normal, three corners, two unused bytes */
    STL_CORNERS = 12,    /* offset of the corners in a triangle */
    WARNING = 512        /* bytes */
};

/* Largest coordinate of an origin, m. */
static const double ORIGIN_MOST = 1e9;

/* An object of an OBJ file: the triangles from `first` to that of the next object. */
typedef struct soup_part {
    int first, line;
} soup_part;

typedef struct soup {
    const char *path;
    const scree_surface_def *def;
    int vertex_count, vertex_capacity, count, capacity, part_count, part_capacity;
    scree_vec3 *vertices;
    scree_triangle *triangles;
    soup_part *parts;
} soup;

static void soup_release(soup *self) {
    memory_release(self->vertices);
    memory_release(self->triangles);
    memory_release(self->parts);
}
#define SCOPED_SOUP __attribute__((cleanup(soup_release))) soup

static float shifted(double coordinate, double origin) { return (float)(coordinate - origin); }

/* Adds the vertex at the file's coordinates, which must be finite. */
static scree_result add_vertex(soup *self, const double at[3]) {
    const double *origin = self->def->origin;
    TRY(MEMORY_RESERVE(self->vertices, self->vertex_capacity, self->vertex_count + 1, NULL));
    self->vertices[self->vertex_count++] =
        (scree_vec3){shifted(at[0], origin[0]), shifted(at[1], origin[1]), shifted(at[2], origin[2])};
    return SCREE_OK;
}

static scree_result add_triangle(soup *self, scree_triangle triangle) {
    if (self->count >= SCREE_MESH_TRIANGLES)
        return fail(SCREE_ERROR_FORMAT, "'%s': more than %d triangles; must be at most this many", self->path,
                    SCREE_MESH_TRIANGLES);
    TRY(MEMORY_RESERVE(self->triangles, self->capacity, self->count + 1, NULL));
    self->triangles[self->count++] = triangle;
    return SCREE_OK;
}

static void warn(const soup *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(const soup *self, const char *format, ...) {
    char warning[WARNING];
    va_list arguments;
    if (!self->def->warn) return;
    va_start(arguments, format);
    vsnprintf(warning, sizeof warning, format, arguments);
    va_end(arguments);
    self->def->warn(self->def->context, warning);
}

/* -- Binary STL ----------------------------------------------------------------------- */

static uint32_t little(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static float little_float(const unsigned char *at) {
    const uint32_t bits = little(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Returns the number of triangles that a binary file states; 0 for a file without a header. */
static uint64_t stated_count(const char *bytes, size_t length) {
    return length < STL_HEADER ? 0 : little((const unsigned char *)bytes + STL_HEADER - 4);
}

/* Returns whether a file holds the triangles that its header states. No text does: its bytes would state 7 GB
 * of triangles. */
static bool is_binary(const char *bytes, size_t length) {
    const uint64_t count = stated_count(bytes, length), needed = STL_HEADER + STL_TRIANGLE * count;
    return count ? needed <= length : needed == length;
}

static scree_result read_binary_vertex(const unsigned char *bytes, size_t first, int triangle, int k,
                                       soup *out) {
    const unsigned char *at = bytes + first;
    const double corner[3] = {(double)little_float(at), (double)little_float(at + 4),
                              (double)little_float(at + 8)};
    if (!isfinite(corner[0]) || !isfinite(corner[1]) || !isfinite(corner[2]))
        return fail(SCREE_ERROR_FORMAT, "'%s': byte %zu: corner %d of triangle %d: must be finite", out->path,
                    first, k, triangle);
    return add_vertex(out, corner);
}

static scree_result read_binary(const char *bytes, size_t length, soup *out) {
    const int count = (int)stated_count(bytes, length);
    if (!count)
        return fail(SCREE_ERROR_FORMAT, "'%s': byte %d: no triangles; must be one or more", out->path,
                    STL_HEADER - 4);
    for (int i = 0; i < count; i++) {
        const size_t first = STL_HEADER + (size_t)STL_TRIANGLE * (size_t)i + STL_CORNERS;
        for (int k = 0; k < 3; k++)
            TRY(read_binary_vertex((const unsigned char *)bytes, first + 12 * (size_t)k, i, k, out));
        TRY(add_triangle(out, (scree_triangle){{3 * i, 3 * i + 1, 3 * i + 2}}));
    }
    const size_t rest = length - STL_HEADER - STL_TRIANGLE * (size_t)count;
    if (rest) warn(out, "'%s': unread bytes after the last triangle: %zu", out->path, rest);
    return SCREE_OK;
}

/* -- Words and numbers ---------------------------------------------------------------- */

static scree_result expected(const text *self, const char *what) {
    return text_expected(self, text_word_length(self), what);
}

static scree_result take_number(text *self, double *out) {
    text_skip_blanks(self);
    const size_t length = text_word_length(self);
    if (!text_number(self, length, out) || !isfinite((float)*out)) return expected(self, "a number");
    self->at += length;
    return SCREE_OK;
}

static scree_result take_vertex(text *self, soup *out) {
    double at[3];
    for (int k = 0; k < 3; k++) TRY(take_number(self, &at[k]));
    return add_vertex(out, at);
}

static bool next_word(text *self, const char *word) {
    text_skip_lines(self);
    if (!text_at_word(self, word)) return false;
    self->at += strlen(word);
    return true;
}

static scree_result take_word(text *self, const char *word) {
    char what[32];
    if (next_word(self, word)) return SCREE_OK;
    snprintf(what, sizeof what, "\"%s\"", word);
    return expected(self, what);
}

/* -- ASCII STL ------------------------------------------------------------------------ */

/* Takes "endloop" or "end loop". */
static scree_result take_end(text *self, const char *both, const char *word) {
    if (next_word(self, "end")) return take_word(self, word);
    return take_word(self, both);
}

/* Skips the words of a line up to a word; if `next` is not null, it must follow. */
static void skip_to(text *self, const char *word, const char *next) {
    for (text_skip_blanks(self); !text_at_line_end(self); text_skip_blanks(self)) {
        text ahead = *self;
        if (text_at_word(self, word) && (!next || (next_word(&ahead, word) && next_word(&ahead, next))))
            return;
        self->at += text_word_length(self);
    }
}

/* Skips the normal, which follows from the corners. */
static scree_result read_facet(text *self, soup *out) {
    const int first = out->vertex_count;
    TRY(take_word(self, "facet"));
    skip_to(self, "outer", NULL);
    TRY(take_word(self, "outer"));
    TRY(take_word(self, "loop"));
    for (int k = 0; k < 3; k++) {
        TRY(take_word(self, "vertex"));
        TRY(take_vertex(self, out));
    }
    TRY(take_end(self, "endloop", "loop"));
    TRY(take_end(self, "endfacet", "facet"));
    return add_triangle(out, (scree_triangle){{first, first + 1, first + 2}});
}

/* Reads facets between lines that begin or end a solid. Files exist without the end, with it in two words,
 * and all in one line, so that a name ends at the line's end or before "facet normal". */
static scree_result read_ascii(text *self, soup *out) {
    bool open = false;
    for (text_skip_lines(self); *self->at; text_skip_lines(self)) {
        if (text_at_word(self, "facet")) {
            TRY(read_facet(self, out));
            continue;
        }
        open = text_at_word(self, "solid");
        if (!open && !text_at_word(self, "endsolid") && !text_at_word(self, "end"))
            return expected(self, "\"facet\", \"solid\" or \"endsolid\"");
        skip_to(self, "facet", "normal");
    }
    if (open)
        warn(out, "'%s':%d: no \"endsolid\" after the last facet; the file may be incomplete", out->path,
             self->line);
    return SCREE_OK;
}

/* -- OBJ ------------------------------------------------------------------------------ */

/* A corner is v, v/t, v//n or v/t/n. Only v is used; it counts from 1, or backwards from −1. */
static scree_result take_corner(text *self, const soup *out, int *vertex) {
    char *end = NULL;
    const size_t length = text_word_length(self);
    errno = 0;
    const long number = strtol(self->at, &end, 10);
    const long index = number < 0 ? out->vertex_count + number : number - 1;
    if (end == self->at || errno || (end != self->at + length && *end != '/') || number == 0 || index < 0 ||
        index >= out->vertex_count) {
        char what[64];
        snprintf(what, sizeof what, "the number of a vertex, 1 to %d", out->vertex_count);
        return expected(self, what);
    }
    self->at += length;
    *vertex = (int)index;
    return SCREE_OK;
}

static scree_result add_polygon(const text *self, const int *corners, int count, soup *out) {
    scree_triangle triangles[POLYGON_MOST];
    int made = 0;
    if (count == 3) return add_triangle(out, (scree_triangle){{corners[0], corners[1], corners[2]}});
    const scree_result result = polygon_triangulate(out->vertices, corners, count, triangles, &made);
    if (result != SCREE_OK) return fail_prefix(result, "'%s':%d", self->path, self->line);
    for (int i = 0; i < made; i++) TRY(add_triangle(out, triangles[i]));
    return SCREE_OK;
}

static scree_result read_face(text *self, soup *out) {
    int corners[POLYGON_MOST], count = 0;
    for (text_skip_blanks(self); !text_at_line_end(self) && *self->at != '#'; text_skip_blanks(self)) {
        if (count == POLYGON_MOST) return expected(self, "at most 1000 corners in a face");
        TRY(take_corner(self, out, &corners[count++]));
    }
    return count < 3 ? expected(self, "three corners of a face or more")
                     : add_polygon(self, corners, count, out);
}

/* Begins a part at a line "o name" or "g name". One without triangles gives its place to the next. */
static scree_result begin_part(const text *self, soup *out) {
    if (out->part_count && out->parts[out->part_count - 1].first == out->count) out->part_count--;
    TRY(MEMORY_RESERVE(out->parts, out->part_capacity, out->part_count + 1, NULL));
    out->parts[out->part_count++] = (soup_part){out->count, self->line};
    return SCREE_OK;
}

static scree_result read_obj(text *self, soup *out) {
    TRY(begin_part(self, out));
    for (text_skip_lines(self); *self->at; text_skip_lines(self)) {
        if (text_at_word(self, "v")) {
            self->at++;
            TRY(take_vertex(self, out));
        } else if (text_at_word(self, "f")) {
            self->at++;
            TRY(read_face(self, out));
        } else if (text_at_word(self, "o") || text_at_word(self, "g")) {
            TRY(begin_part(self, out));
        }
        text_skip_rest(self);
    }
    return SCREE_OK;
}

/* -- Files ---------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *end) {
    const size_t length = strlen(name), remainder = strlen(end);
    return length >= remainder && !strcasecmp(name + length - remainder, end);
}

static scree_result read_text(char *bytes, size_t length, bool obj, soup *out) {
    text words;
    TRY(text_begin(&words, out->path, bytes, length));
    words.joins = obj;
    TRY(obj ? read_obj(&words, out) : read_ascii(&words, out));
    if (!out->count)
        return fail(SCREE_ERROR_FORMAT, "'%s':%d: no triangles; must be one or more", out->path, words.line);
    return SCREE_OK;
}

/* Returns whether the bytes are a text that, after a byte order mark and spaces, begins with "solid". The
 * header of binary files may do so, too. */
static bool is_ascii(const char *bytes, size_t length) {
    if (strlen(bytes) != length) return false;
    bytes += file_mark_length(bytes, length);
    return !strncasecmp(bytes + strspn(bytes, " \t\r\n"), "solid", 5);
}

static scree_result read(char *bytes, size_t length, soup *out) {
    if (ends_with(out->path, ".obj")) return read_text(bytes, length, true, out);
    if (is_binary(bytes, length)) return read_binary(bytes, length, out);
    if (is_ascii(bytes, length)) return read_text(bytes, length, false, out);
    return fail(SCREE_ERROR_FORMAT,
                "'%s': byte %d: %llu triangles in %zu bytes; must be a binary STL file of %d + %d bytes a "
                "triangle, an ASCII one that begins with \"solid\", or a name that ends in .obj",
                out->path, STL_HEADER - 4, (unsigned long long)stated_count(bytes, length), length,
                STL_HEADER, STL_TRIANGLE);
}

scree_surface_def scree_default_surface_def(void) { return (scree_surface_def){0}; }

static scree_result check(const scree_surface_def *def) {
    for (int k = 0; k < 3; k++)
        if (!(fabs(def->origin[k]) <= ORIGIN_MOST))
            return fail(SCREE_ERROR_ARGUMENT, "surface_def.origin.%c: %g; must be within ±%g m", "xyz"[k],
                        def -> origin[k], ORIGIN_MOST);
    return SCREE_OK;
}

/* Reads a file's surface into `out`, whose `def` may be null. */
static scree_result read_file(const char *path, const scree_surface_def *def, soup *out) {
    static const scree_surface_def usual;
    SCOPED char *bytes = NULL;
    size_t length = 0;
    out->path = path;
    out->def = def ? def : &usual;
    TRY(check(out->def));
    TRY(file_read(path, FILE_MOST, &bytes, &length));
    return read(bytes, length, out);
}

/* Reads a file's surface and makes a geometry from it. */
static scree_result load(const char *path, const scree_surface_def *def,
                         scree_result (*make)(const scree_vec3 *, int, const scree_triangle *, int,
                                              scree_geometry **),
                         scree_geometry **out) {
    SCOPED_SOUP all = {0};
    TRY(read_file(path, def, &all));
    const scree_result result = make(all.vertices, all.vertex_count, all.triangles, all.count, out);
    return result == SCREE_ERROR_ARGUMENT ? fail_prefix(SCREE_ERROR_FORMAT, "'%s'", path) : result;
}

static scree_result make_hull(const scree_vec3 *vertices, int vertex_count, const scree_triangle *triangles,
                              int count, scree_geometry **out) {
    (void)triangles;
    (void)count;
    return scree_hull_create(vertices, vertex_count, out);
}

scree_result scree_mesh_load(const char *path, const scree_surface_def *def, scree_geometry **out) {
    REQUIRE(path);
    REQUIRE(out);
    return load(path, def, scree_mesh_create, out);
}

scree_result scree_hull_load(const char *path, const scree_surface_def *def, scree_geometry **out) {
    REQUIRE(path);
    REQUIRE(out);
    return load(path, def, make_hull, out);
}

scree_result scree_solid_load(const char *path, const scree_surface_def *def, scree_geometry **out) {
    REQUIRE(path);
    REQUIRE(out);
    return load(path, def, scree_solid_create, out);
}

/* -- Compounds ------------------------------------------------------------------------ */

typedef struct part_list {
    int count;
    scree_compound_child *children;
} part_list;

static void part_list_release(part_list *self) {
    for (int i = 0; i < self->count; i++)
        scree_geometry_release(self->children[i].shape.geometry);
    memory_release(self->children);
}

/* Writes the corners of triangles, with repetitions, to `points`. */
static void gather(const soup *all, int first, int end, scree_vec3 *points) {
    for (int i = first; i < end; i++)
        for (int k = 0; k < 3; k++) *points++ = all->vertices[all->triangles[i].corners[k]];
}

/* Adds the hull of a part, where it stands in the file. */
static scree_result add_part(const soup *all, int part, part_list *out) {
    const int first = all->parts[part].first,
              end = part + 1 < all->part_count ? all->parts[part + 1].first : all->count;
    scree_geometry *made = NULL;
    if (first == end) return SCREE_OK;
    SCOPED scree_vec3 *points = memory_allocate(3 * (size_t)(end - first), sizeof *points);
    if (!points) return fail(SCREE_ERROR_MEMORY, "out of memory for a part of '%s'", all->path);
    gather(all, first, end, points);
    const scree_result result = scree_hull_create(points, 3 * (end - first), &made);
    if (result != SCREE_OK)
        return fail_prefix(result == SCREE_ERROR_ARGUMENT ? SCREE_ERROR_FORMAT : result, "'%s':%d: object %d",
                           all->path, all->parts[part].line, part);
    scree_compound_child child = scree_default_compound_child();
    child.shape = scree_shape_hull(made, 1);
    scree_geometry_get_frame(made, &child.position, &child.rotation);
    out->children[out->count++] = child;
    return SCREE_OK;
}

scree_result scree_compound_load(const char *path, const scree_surface_def *def, scree_geometry **out) {
    REQUIRE(path);
    REQUIRE(out);
    SCOPED_SOUP all = {0};
    __attribute__((cleanup(part_list_release))) part_list list = {0};
    if (!ends_with(path, ".obj"))
        return fail(SCREE_ERROR_FORMAT, "'%s': no OBJ file; must have a name that ends in .obj", path);
    TRY(read_file(path, def, &all));
    list.children = memory_allocate((size_t)all.part_count, sizeof *list.children);
    if (!list.children) return fail(SCREE_ERROR_MEMORY, "out of memory for the parts of '%s'", path);
    for (int i = 0; i < all.part_count; i++) TRY(add_part(&all, i, &list));
    const scree_result result = scree_compound_create(list.children, list.count, out);
    return result == SCREE_ERROR_ARGUMENT ? fail_prefix(SCREE_ERROR_FORMAT, "'%s'", path) : result;
}
