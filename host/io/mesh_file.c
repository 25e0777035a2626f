/* Surfaces from files: STL, binary and ASCII, and Wavefront OBJ. Error messages name the place in the
 * file. */
#include <scree/tools/geometry_file.h>

#include "file.h"
#include "number.h"
#include "polygon.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    FILE_MOST = 1 << 30, /* bytes */
    STL_HEADER = 84,     /* bytes before the triangles of a binary file; the last four hold their number */
    STL_TRIANGLE = 50,   /* bytes: a normal, three corners, two unused bytes */
    STL_CORNERS = 12     /* offset of the corners in a triangle */
};

typedef struct soup {
    const char *path;
    int vertex_count, vertex_capacity, count, capacity;
    scree_vec3 *vertices;
    scree_triangle *triangles;
} soup;

/* Cursor of the text parser. */
typedef struct text {
    const char *path, *at;
    int line;
} text;

static void soup_release(soup *self) {
    memory_release(self->vertices);
    memory_release(self->triangles);
}
#define SCOPED_SOUP __attribute__((cleanup(soup_release))) soup

static scree_result add_vertex(soup *self, scree_vec3 vertex) {
    TRY(MEMORY_RESERVE(self->vertices, self->vertex_capacity, self->vertex_count + 1, NULL));
    self->vertices[self->vertex_count++] = vertex;
    return SCREE_OK;
}

static scree_result add_triangle(soup *self, int a, int b, int c) {
    if (self->count >= SCREE_MESH_TRIANGLES)
        return fail(SCREE_ERROR_FORMAT, "'%s': more than %d triangles; must be at most this many", self->path,
                    SCREE_MESH_TRIANGLES);
    TRY(MEMORY_RESERVE(self->triangles, self->capacity, self->count + 1, NULL));
    self->triangles[self->count++] = (scree_triangle){{a, b, c}};
    return SCREE_OK;
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

static bool is_binary(const char *bytes, size_t length) {
    if (length < STL_HEADER) return false;
    const uint64_t count = little((const unsigned char *)bytes + STL_HEADER - 4);
    return STL_HEADER + STL_TRIANGLE * count == length;
}

static scree_result read_binary(const char *path, const char *bytes, soup *out) {
    const int count = (int)little((const unsigned char *)bytes + STL_HEADER - 4);
    if (!count)
        return fail(SCREE_ERROR_FORMAT, "'%s': byte %d: no triangles; must be one or more", path,
                    STL_HEADER - 4);
    for (int i = 0; i < count; i++) {
        const size_t first = STL_HEADER + (size_t)STL_TRIANGLE * (size_t)i + STL_CORNERS;
        for (int k = 0; k < 3; k++) {
            const unsigned char *at = (const unsigned char *)bytes + first + 12 * k;
            const scree_vec3 corner = {little_float(at), little_float(at + 4), little_float(at + 8)};
            if (!isfinite(corner.x) || !isfinite(corner.y) || !isfinite(corner.z))
                return fail(SCREE_ERROR_FORMAT, "'%s': byte %zu: corner %d of triangle %d: must be finite",
                            path, first + 12 * (size_t)k, k, i);
            TRY(add_vertex(out, corner));
        }
        TRY(add_triangle(out, 3 * i, 3 * i + 1, 3 * i + 2));
    }
    return SCREE_OK;
}

/* -- Words and numbers ---------------------------------------------------------------- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_spaces(text *self) {
    while (is_space(*self->at)) ++self->at;
}

static void skip_lines(text *self) {
    for (; is_space(*self->at) || *self->at == '\n'; self->at++) self->line += *self->at == '\n';
}

static void skip_rest(text *self) {
    while (*self->at && *self->at != '\n' && *self->at != '\r') ++self->at;
}

static size_t word_length(const text *self) {
    size_t length = 0;
    while (self->at[length] && !is_space(self->at[length]) && self->at[length] != '\n') ++length;
    return length;
}

static bool at_word(const text *self, const char *word) {
    const size_t length = strlen(word);
    return word_length(self) == length && !strncasecmp(self->at, word, length);
}

static scree_result expected(const text *self, const char *what) {
    const size_t length = word_length(self);
    return fail(SCREE_ERROR_FORMAT, "'%s':%d: %s%.*s%s; must be %s", self->path, self->line,
                length ? "\"" : "nothing", (int)(length < 40 ? length : 40), self->at, length ? "\"" : "",
                what);
}

static scree_result take_number(text *self, float *out) {
    char *end = NULL;
    skip_spaces(self);
    const double value = *self->at == '\n' || !*self->at ? NAN : strtod(self->at, &end);
    if (!isfinite((float)value) || end == self->at || (*end && !is_space(*end) && *end != '\n'))
        return expected(self, "a number");
    self->at = end;
    *out = (float)value;
    return SCREE_OK;
}

static scree_result take_vertex(text *self, soup *out) {
    scree_vec3 v;
    TRY(take_number(self, &v.x));
    TRY(take_number(self, &v.y));
    TRY(take_number(self, &v.z));
    return add_vertex(out, v);
}

static scree_result take_word(text *self, const char *word) {
    skip_lines(self);
    if (!at_word(self, word)) {
        char what[32];
        snprintf(what, sizeof what, "\"%s\"", word);
        return expected(self, what);
    }
    self->at += strlen(word);
    return SCREE_OK;
}

/* -- ASCII STL ------------------------------------------------------------------------ */

static scree_result read_facet(text *self, soup *out) {
    const int first = out->vertex_count;
    TRY(take_word(self, "facet"));
    skip_rest(self); /* skips the normal, which follows from the corners */
    TRY(take_word(self, "outer"));
    TRY(take_word(self, "loop"));
    for (int k = 0; k < 3; k++) {
        TRY(take_word(self, "vertex"));
        TRY(take_vertex(self, out));
    }
    TRY(take_word(self, "endloop"));
    TRY(take_word(self, "endfacet"));
    return add_triangle(out, first, first + 1, first + 2);
}

static scree_result read_ascii(text *self, soup *out) {
    for (skip_lines(self); *self->at; skip_lines(self)) {
        TRY(take_word(self, "solid"));
        skip_rest(self);
        for (skip_lines(self); !at_word(self, "endsolid"); skip_lines(self)) TRY(read_facet(self, out));
        skip_rest(self);
    }
    return SCREE_OK;
}

/* -- OBJ ------------------------------------------------------------------------------ */

/* A corner is v, v/t, v//n or v/t/n. Only v is used; it counts from 1, or backwards from −1. */
static scree_result take_corner(text *self, const soup *out, int *vertex) {
    char *end = NULL;
    errno = 0;
    const long number = strtol(self->at, &end, 10);
    const long index = number < 0 ? out->vertex_count + number : number - 1;
    if (end == self->at || errno || (*end && *end != '/' && !is_space(*end) && *end != '\n') || number == 0 ||
        index < 0 || index >= out->vertex_count) {
        char what[64];
        snprintf(what, sizeof what, "the number of a vertex, 1 to %d", out->vertex_count);
        return expected(self, what);
    }
    self->at += word_length(self);
    *vertex = (int)index;
    return SCREE_OK;
}

static scree_result add_polygon(const text *self, const int *corners, int count, soup *out) {
    scree_triangle triangles[POLYGON_MOST];
    int made = 0;
    if (count == 3) return add_triangle(out, corners[0], corners[1], corners[2]);
    const scree_result result = polygon_triangulate(out->vertices, corners, count, triangles, &made);
    if (result != SCREE_OK) return fail_prefix(result, "'%s':%d", self->path, self->line);
    for (int i = 0; i < made; i++) {
        const int *of = triangles[i].corners;
        TRY(add_triangle(out, of[0], of[1], of[2]));
    }
    return SCREE_OK;
}

static scree_result read_face(text *self, soup *out) {
    int corners[POLYGON_MOST], count = 0;
    for (skip_spaces(self); *self->at && *self->at != '\n' && *self->at != '#'; skip_spaces(self)) {
        if (count == POLYGON_MOST) return expected(self, "at most 1000 corners in a face");
        TRY(take_corner(self, out, &corners[count++]));
    }
    return count < 3 ? expected(self, "three corners of a face or more")
                     : add_polygon(self, corners, count, out);
}

static scree_result read_obj(text *self, soup *out) {
    for (skip_lines(self); *self->at; skip_lines(self)) {
        if (at_word(self, "v")) {
            ++self->at;
            TRY(take_vertex(self, out));
        } else if (at_word(self, "f")) {
            ++self->at;
            TRY(read_face(self, out));
        }
        skip_rest(self);
    }
    return SCREE_OK;
}

/* -- Files ---------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *end) {
    const size_t length = strlen(name), remainder = strlen(end);
    return length >= remainder && !strcasecmp(name + length - remainder, end);
}

static scree_result read(const char *path, const char *bytes, size_t length, soup *out) {
    text words = {.path = path, .at = bytes, .line = 1};
    const bool obj = ends_with(path, ".obj");
    if (!obj && is_binary(bytes, length)) return read_binary(path, bytes, out);
    if (!strncmp(bytes, "\xef\xbb\xbf", 3)) words.at += 3; /* a byte order mark, which some editors write */
    skip_lines(&words);
    if (!obj && !at_word(&words, "solid")) {
        const uint64_t count =
            length < STL_HEADER ? 0 : little((const unsigned char *)bytes + STL_HEADER - 4);
        return fail(
            SCREE_ERROR_FORMAT,
            "'%s': byte %d: %llu triangles in %zu bytes; must be a binary STL file of %d + %d bytes a "
            "triangle, an ASCII one that begins with \"solid\", or a name that ends in .obj",
            path, STL_HEADER - 4, (unsigned long long)count, length, STL_HEADER, STL_TRIANGLE);
    }
    if (strlen(bytes) != length)
        return fail(SCREE_ERROR_FORMAT, "'%s': byte %zu: a zero; must be text%s", path, strlen(bytes),
                    obj ? "" : ", or a binary STL file of 84 bytes and 50 for each triangle");
    SCOPED_LOCALE before = number_locale_set();
    TRY(obj ? read_obj(&words, out) : read_ascii(&words, out));
    if (!out->count)
        return fail(SCREE_ERROR_FORMAT, "'%s':%d: no triangles; must be one or more", path, words.line);
    return SCREE_OK;
}

/* Reads a file's surface and makes a geometry from it. */
static scree_result load(const char *path,
                         scree_result (*make)(const scree_vec3 *, int, const scree_triangle *, int,
                                              scree_geometry **),
                         scree_geometry **out) {
    SCOPED char *bytes = NULL;
    size_t length = 0;
    SCOPED_SOUP all = {.path = path};
    TRY(file_read(path, FILE_MOST, &bytes, &length));
    TRY(read(path, bytes, length, &all));
    const scree_result result = make(all.vertices, all.vertex_count, all.triangles, all.count, out);
    return result == SCREE_ERROR_ARGUMENT ? fail_prefix(SCREE_ERROR_FORMAT, "'%s'", path) : result;
}

static scree_result make_hull(const scree_vec3 *vertices, int vertex_count, const scree_triangle *triangles,
                              int count, scree_geometry **out) {
    (void)triangles;
    (void)count;
    return scree_hull_create(vertices, vertex_count, out);
}

scree_result scree_mesh_load(const char *path, scree_geometry **out) {
    REQUIRE(path);
    REQUIRE(out);
    return load(path, scree_mesh_create, out);
}

scree_result scree_hull_load(const char *path, scree_geometry **out) {
    REQUIRE(path);
    REQUIRE(out);
    return load(path, make_hull, out);
}

scree_result scree_solid_load(const char *path, scree_geometry **out) {
    REQUIRE(path);
    REQUIRE(out);
    return load(path, scree_solid_create, out);
}
