/* Fuzz target: arbitrary bytes as an STL file or, if the first byte is odd, as an OBJ file. An accepted file
 * has triangles and is accepted or rejected as a solid. With clang's libFuzzer this file is a program of its
 * own: build/asan/fuzz_mesh -dict=tests/fuzz/fuzz_mesh.dict tests/data/fuzz_mesh */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <scree/tools/geometry_file.h>

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    scree_geometry *made = NULL;
    snprintf(path, sizeof path, "/tmp/fuzz_mesh_%ld.%s", (long)getpid(), size && data[0] & 1 ? "obj" : "stl");
    FILE *file = fopen(path, "wb");
    require(file && fwrite(data, 1, size, file) == size, "no file");
    fclose(file);
    const scree_result result = scree_mesh_load(path, &made);
    if (result == SCREE_OK) {
        require(scree_mesh_triangle_count(made) > 0, "a mesh without triangles");
        scree_geometry_release(made);
    } else {
        check_refusal(result, path);
    }
    const scree_result solid = scree_solid_load(path, &made);
    if (solid == SCREE_OK) {
        require(result == SCREE_OK, "a solid of what is no mesh");
        require(scree_shape_get_volume(scree_shape_solid(made, 1)) > 0, "a solid without volume");
        scree_geometry_release(made);
    } else {
        check_refusal(solid, path);
    }
    remove(path);
    return 0;
}
