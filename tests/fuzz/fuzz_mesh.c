/* Fuzz target: arbitrary bytes as an STL file or, if the first byte is odd, as an OBJ file, with and without
 * an origin; as a file of heights; as a table of grains; and as a polygon of two bytes a corner. An accepted
 * file has triangles and is accepted or rejected as a solid. With clang's libFuzzer this file is a program of
 * its own: build/asan/fuzz_mesh -dict=tests/fuzz/fuzz_mesh.dict tests/data/fuzz_mesh. test_mesh_fuzz.c
 * includes it for a short run with any compiler. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <scree/tools/geometry_file.h>
#include <scree/tools/grains.h>

#include "io/polygon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_mesh: %s: %s\n", what, scree_error_get_message());
    abort();
}

/* Asserts that an error message names the file. */
static void check_refusal(scree_result result, const char *path) {
    require(result != SCREE_OK && *scree_error_get_message(), "a refusal without a sentence");
    require(result == SCREE_ERROR_MEMORY || strstr(scree_error_get_message(), path),
            "a refusal without a file");
}

static void check_warning(void *context, const char *warning) {
    require(strstr(warning, context), "a warning without a file");
}

static scree_result try_mesh(const char *path, const scree_surface_def *def) {
    scree_geometry *made = NULL;
    const scree_result result = scree_mesh_load(path, def, &made);
    if (result == SCREE_OK)
        require(scree_mesh_triangle_count(made) > 0, "a mesh without triangles");
    else
        check_refusal(result, path);
    scree_geometry_release(made);
    return result;
}

static void try_solid(const char *path, bool is_mesh) {
    scree_geometry *made = NULL;
    const scree_result result = scree_solid_load(path, NULL, &made);
    if (result == SCREE_OK) {
        require(is_mesh, "a solid of what is no mesh");
        require(scree_shape_get_volume(scree_shape_solid(made, 1)) > 0, "a solid without volume");
    } else {
        check_refusal(result, path);
    }
    scree_geometry_release(made);
}

static void try_compound(const char *path) {
    scree_geometry *made = NULL;
    const scree_result result = scree_compound_load(path, NULL, &made);
    if (result == SCREE_OK)
        require(scree_compound_child_count(made) > 0, "a compound without children");
    else
        check_refusal(result, path);
    scree_geometry_release(made);
}

static void try_heights(const char *path) {
    scree_geometry *made = NULL;
    const scree_result result = scree_height_field_load(path, 1, 1, &made);
    if (result != SCREE_OK) check_refusal(result, path);
    scree_geometry_release(made);
}

static void try_grains(const uint8_t *data, size_t size) {
    scree_grains made = {0};
    const scree_result result = scree_grains_parse((const char *)data, size, "/grains", &made);
    if (result != SCREE_OK) check_refusal(result, "/grains");
    scree_grains_release(&made);
}

static double area_of(const scree_vec3 *corners, int a, int b, int c) {
    const scree_vec3 p = corners[a], q = corners[b], r = corners[c];
    return (double)((q.x - p.x) * (r.y - p.y) - (r.x - p.x) * (q.y - p.y)) / 2;
}

static bool holds(const scree_vec3 *places, scree_triangle triangle, scree_vec3 at) {
    bool odd = false;
    for (int k = 0; k < 3; k++) {
        const scree_vec3 a = places[triangle.corners[k]], b = places[triangle.corners[(k + 1) % 3]];
        if ((a.y > at.y) != (b.y > at.y) && at.x < a.x + (b.x - a.x) * (at.y - a.y) / (b.y - a.y)) odd = !odd;
    }
    return odd;
}

static void check_covered_once(const scree_vec3 *places, const scree_triangle *made, int count) {
    for (int i = 0; i < 16 * 16; i++) {
        const scree_vec3 at = {(float)(i % 16) + 0.4703f, (float)(i / 16) + 0.5171f, 0};
        int times = 0;
        for (int k = 0; k < count; k++) times += holds(places, made[k], at);
        require(times < 2, "two triangles over each other");
    }
}

/* The triangles turn as the polygon does and have its area; whole coordinates make both exact. */
static void try_polygon(const uint8_t *data, size_t size) {
    scree_vec3 places[POLYGON_MOST];
    scree_triangle made[POLYGON_MOST];
    int corners[POLYGON_MOST], count = 0, made_count;
    double area = 0, sum = 0;
    for (; count < 64 && 2 * (size_t)count + 1 < size; count++) {
        places[count] = (scree_vec3){(float)(data[2 * count] % 16), (float)(data[2 * count + 1] % 16), 0};
        corners[count] = count;
    }
    if (count < 3 || polygon_triangulate(places, corners, count, made, &made_count) != SCREE_OK) return;
    for (int i = 1; i + 1 < count; i++) area += area_of(places, 0, i, i + 1);
    for (int i = 0; i < made_count; i++) {
        const double part = area_of(places, made[i].corners[0], made[i].corners[1], made[i].corners[2]);
        require(part * area > 0, "a triangle that turns otherwise than its polygon");
        sum += part;
    }
    require(sum == area, "another area than that of the polygon");
    check_covered_once(places, made, made_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    scree_surface_def def = {.origin = {1e6, -0.1, 3}, .warn = check_warning, .context = path};
    snprintf(path, sizeof path, "/tmp/fuzz_mesh_%ld.%s", (long)getpid(), size && data[0] & 1 ? "obj" : "stl");
    FILE *file = fopen(path, "wb");
    require(file && fwrite(data, 1, size, file) == size, "no file");
    fclose(file);
    try_mesh(path, &def);
    try_solid(path, try_mesh(path, NULL) == SCREE_OK);
    try_compound(path);
    try_heights(path);
    remove(path);
    try_grains(data, size);
    try_polygon(data, size);
    return 0;
}
