/* Error reports when OpenCL is missing, the device does not exist, a kernel does not build, or device memory
 * runs out. */
#include "expect.h"
#include "device/opencl/opencl_device.h"
#include "base/error.h"
#include "device.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include <errno.h>
#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self_path;
static char folder[256]; /* of this run */

static int open_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/scree-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[320];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void write_text(const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/* Opens the device of this run, or skips the test without one. */
static opencl_device open_device(void) {
    opencl_device device = {0};
    const scree_result result = opencl_device_open(test_device(), &device);
    if (result == SCREE_ERROR_NO_PLATFORM || result == SCREE_ERROR_NO_DEVICE) skip();
    assert_int_equal(result, SCREE_OK);
    return device;
}

/* The loader reads its environment once per process, so this runs in a child. */
static int child_without_platform(void) {
    opencl_device device;
    scree_device_info info;
    int count;
    if (opencl_device_open(NULL, &device) != SCREE_ERROR_NO_PLATFORM) return 1;
    if (!strstr(scree_error_get_message(), "pocl-opencl-icd")) return 2;
    if (scree_device_list(&info, 1, &count) != SCREE_ERROR_NO_PLATFORM) return 3;
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    def.backend = SCREE_BACKEND_OPENCL;
    if (scree_world_create(&def, &world) != SCREE_ERROR_NO_PLATFORM || world) return 4;
    /* `auto` falls back to native. */
    def.backend = SCREE_BACKEND_AUTO;
    if (scree_world_create(&def, &world) != SCREE_OK || scree_world_step(world, NULL) != SCREE_OK) return 5;
    if (!strstr(scree_world_get_device_name(world), "native")) return 6;
    scree_world_destroy(world);
    return 0;
}

static void no_platform_is_reported(void **state) {
    (void)state;
    char vendors[300];
    snprintf(vendors, sizeof vendors, "%s/vendors", folder);
    assert_int_equal(mkdir(vendors, 0700), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("OCL_ICD_VENDORS", vendors, 1);
        setenv("OPENCL_VENDOR_PATH", vendors, 1);
        execl(self_path, self_path, "--without-platform", (char *)NULL);
        _exit(99);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void unknown_device_lists_all_devices(void **state) {
    (void)state;
    opencl_device device = open_device(), other;
    assert_int_equal(opencl_device_open("no such device", &other), SCREE_ERROR_NO_DEVICE);
    assert_non_null(strstr(scree_error_get_message(), "no such device"));
    assert_non_null(strstr(scree_error_get_message(), device.info.name));
    assert_int_equal(opencl_device_open("9999", &other), SCREE_ERROR_NO_DEVICE);
    opencl_device_close(&device);
}

/* Lookup by index, by part of a name in another case, and by default always finds the listed device. */
static void device_is_found_by_index_and_name(void **state) {
    (void)state;
    opencl_device device;
    if (!device_is_there()) skip();
    CHECK(opencl_device_open(NULL, &device));
    opencl_device_close(&device);
    scree_device_info infos[16];
    int count = 0, chosen = 0;
    CHECK(scree_device_list(infos, 16, &count));
    assert_in_range(count, 1, 16);
    for (int i = 0; i < count; ++i) {
        if (infos[i].chosen) ++chosen, assert_string_equal(infos[i].name, device.info.name);
        assert_true(infos[i].memory > 0 && infos[i].max_allocation > 0 && infos[i].compute_units > 0);
        char index[16];
        snprintf(index, sizeof index, "%d", i);
        CHECK(opencl_device_open(index, &device));
        assert_string_equal(device.info.name, infos[i].name);
        opencl_device_close(&device);
    }
    assert_int_equal(chosen, 1);
    char part[128];
    memcpy(part, infos[0].name + 1, sizeof part - 1);
    for (char *c = part; *c; ++c) *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    CHECK(opencl_device_open(part, &device));
    assert_string_equal(device.info.name, infos[0].name);
    opencl_device_close(&device);
}

static const char entry_text[] =
    "#include \"part.h\"\n#include \"part.h\"\n"
    "kernel void twice(global float *x)\n{\n    x[get_global_id(0)] = doubled(x[get_global_id(0)]);\n}\n";

static void broken_kernel_names_file_and_line(void **state) {
    (void)state;
    opencl_device device = open_device();
    cl_program program = NULL;
    setenv("SCREE_KERNEL_DIR", folder, 1);
    write_text("broken.cl", entry_text);
    write_text("part.h", "/* μ */\n\nfloat doubled(float x)\n{\n    return 2 * unheard_of;\n}\n");
    assert_int_equal(opencl_program_build(&device, "broken.cl", NULL, &program), SCREE_ERROR_KERNEL_BUILD);
    assert_non_null(strstr(scree_error_get_message(), "part.h:5"));
    assert_non_null(strstr(scree_error_get_message(), "unheard_of"));

    /* Line numbers continue after an include. */
    write_text("part.h", "float doubled(float x) { return 2 * x; }\n");
    write_text("broken.cl",
               "#include \"part.h\"\n\nkernel void f(global float *x) { x[0] = missing(x[0]; }\n");
    assert_int_equal(opencl_program_build(&device, "broken.cl", NULL, &program), SCREE_ERROR_KERNEL_BUILD);
    assert_non_null(strstr(scree_error_get_message(), "broken.cl:3"));

    write_text("broken.cl", "\n#include \"absent.h\"\n");
    assert_int_not_equal(opencl_program_build(&device, "broken.cl", NULL, &program), SCREE_OK);
    assert_non_null(strstr(scree_error_get_message(), "broken.cl:2"));
    assert_non_null(strstr(scree_error_get_message(), "absent.h"));
    unsetenv("SCREE_KERNEL_DIR");
    opencl_device_close(&device);
}

/* Builds twice.cl, runs it on 21, and returns whether it was built from source. OpenCL reports no source for
 * a program made from a binary. */
static bool built_from_source(opencl_device *device, float expected) {
    cl_program program = NULL;
    cl_kernel kernel = NULL;
    CHECK(opencl_program_build(device, "twice.cl", NULL, &program));
    CHECK(opencl_kernel_create(device, program, "twice", &kernel));
    size_t bytes = 0;
    char source[4096] = "";
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof source, source, &bytes), CL_SUCCESS);
    opencl_buffer buffer = {0};
    float value = 21;
    const size_t one = 1;
    CHECK(opencl_buffer_write(device, &buffer, &value, sizeof value, CL_TRUE, "test"));
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer.memory), CL_SUCCESS);
    assert_int_equal(clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
    CHECK(opencl_buffer_read(device, &buffer, &value, sizeof value, CL_TRUE, "test"));
    assert_true(value == expected);
    opencl_buffer_release(device, &buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return strstr(source, "twice") != NULL;
}

/* Overwrites every file of the cache: flips the last byte, halves the file, or replaces it by a few words.
 * Returns their number. */
static int damage_cache(const char *cache, int how) {
    DIR *directory = opendir(cache);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", cache, entry->d_name);
        struct stat status;
        assert_int_equal(stat(path, &status), 0);
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        if (how == 0) {
            assert_int_equal(fseek(file, -1, SEEK_END), 0);
            const int last = fgetc(file);
            assert_int_equal(fseek(file, -1, SEEK_END), 0);
            fputc(last ^ 1, file);
        }
        if (how == 1) assert_int_equal(ftruncate(fileno(file), status.st_size / 2), 0);
        if (how == 2) {
            assert_int_equal(ftruncate(fileno(file), 0), 0);
            fputs("not a program", file);
        }
        assert_int_equal(fclose(file), 0);
        ++count;
    }
    closedir(directory);
    return count;
}

static void second_build_comes_from_the_cache(void **state) {
    (void)state;
    opencl_device device = open_device();
    char cache[300], deep[320];
    snprintf(cache, sizeof cache, "%s/cache", folder);
    snprintf(deep, sizeof deep, "%s/a/b", cache);
    setenv("SCREE_KERNEL_DIR", folder, 1);
    setenv("SCREE_CACHE_DIR", deep, 1);
    write_text("twice.cl", entry_text);
    write_text("part.h", "float doubled(float x) { return 2 * x; }\n");
    assert_true(built_from_source(&device, 42));
    assert_false(built_from_source(&device, 42));

    /* A change in an included file makes another program. */
    write_text("part.h", "float doubled(float x) { return 3 * x; }\n");
    assert_true(built_from_source(&device, 63));
    assert_false(built_from_source(&device, 63));

    for (int how = 0; how < 3; ++how) {
        assert_int_equal(damage_cache(deep, how), 2);
        assert_true(built_from_source(&device, 63));
        assert_false(built_from_source(&device, 63));
    }

    /* With an unwritable cache it builds each time without error. A file instead of the folder stops even
     * root. */
    write_text("blocked", "");
    char blocked[300];
    snprintf(blocked, sizeof blocked, "%s/blocked/cache", folder);
    setenv("SCREE_CACHE_DIR", blocked, 1);
    assert_true(built_from_source(&device, 63));
    assert_true(built_from_source(&device, 63));
    setenv("SCREE_CACHE_DIR", "", 1);
    assert_true(built_from_source(&device, 63));
    unsetenv("SCREE_CACHE_DIR");
    unsetenv("SCREE_KERNEL_DIR");
    opencl_device_close(&device);
}

/* A buffer that does not fit gives an error with name and size and stays unchanged. */
static void memory_limit_is_reported(void **state) {
    (void)state;
    setenv("SCREE_DEVICE_MEMORY_LIMIT", "1000000", 1);
    opencl_device device = open_device();
    unsetenv("SCREE_DEVICE_MEMORY_LIMIT");
    opencl_buffer first = {0}, second = {0};
    CHECK(opencl_buffer_reserve(&device, &first, 600000, "blocks"));
    assert_int_equal(opencl_buffer_reserve(&device, &second, 400001, "impulses"), SCREE_ERROR_DEVICE_MEMORY);
    assert_non_null(strstr(scree_error_get_message(), "impulses"));
    assert_non_null(strstr(scree_error_get_message(), "400001"));
    assert_non_null(strstr(scree_error_get_message(), "400000"));
    assert_null(second.memory);
    CHECK(opencl_buffer_reserve(&device, &second, 400000, "impulses"));
    const cl_mem kept = second.memory;
    assert_int_equal(opencl_buffer_reserve(&device, &second, 400001, "impulses"), SCREE_ERROR_DEVICE_MEMORY);
    assert_ptr_equal(second.memory, kept);
    opencl_buffer_release(&device, &first);
    opencl_buffer_release(&device, &second);
    assert_int_equal(device.memory_used, 0);
    opencl_device_close(&device);
}

static void fill_part(opencl_device *device, const opencl_buffer *buffer, uint32_t with) {
    const uint32_t words[2] = {with, with + 1};
    opencl_buffer to = *buffer;
    CHECK(opencl_buffer_write(device, &to, words, sizeof words, CL_TRUE, "a part"));
}

static uint32_t word_of(opencl_device *device, const opencl_buffer *buffer) {
    uint32_t word;
    CHECK(opencl_buffer_read(device, buffer, &word, sizeof word, CL_TRUE, "a part"));
    return word;
}

/* Parts of scratch memory do not overlap until their memory is given back, and those of an earlier step are
 * replaced by a buffer of their own. After a step that needed several chunks, one suffices. */
static void scratch_is_used_again(void **state) {
    (void)state;
    opencl_device device = open_device();
    opencl_buffer parts[3] = {0};
    const size_t bytes = 1000000;
    CHECK(opencl_buffer_share(&device, &parts[0], 8, "a part"));
    const scratch_mark mark = opencl_scratch_mark(&device);
    CHECK(opencl_buffer_share(&device, &parts[1], bytes, "a part"));
    fill_part(&device, &parts[0], 10), fill_part(&device, &parts[1], 20);
    assert_true(word_of(&device, &parts[0]) == 10 && word_of(&device, &parts[1]) == 20);
    opencl_scratch_reset(&device, mark);
    CHECK(opencl_buffer_share(&device, &parts[2], bytes, "a part"));
    assert_int_equal(word_of(&device, &parts[2]), 20);
    fill_part(&device, &parts[2], 30);
    assert_true(word_of(&device, &parts[0]) == 10 && word_of(&device, &parts[1]) == 30);
    assert_true(device.scratch.chunk_count == 2 && device.memory_used < 2 * bytes);
    opencl_scratch_clear(&device);
    CHECK(opencl_buffer_reserve(&device, &parts[1], 8, "a buffer"));
    fill_part(&device, &parts[1], 40);
    CHECK(opencl_buffer_share(&device, &parts[0], 8, "a part"));
    CHECK(opencl_buffer_share(&device, &parts[2], bytes, "a part"));
    fill_part(&device, &parts[0], 50), fill_part(&device, &parts[2], 60);
    assert_int_equal(word_of(&device, &parts[1]), 40);
    assert_int_equal(device.scratch.chunk_count, 1);
    for (int i = 0; i < 3; i++) opencl_buffer_release(&device, &parts[i]);
    opencl_scratch_release(&device);
    assert_int_equal(device.memory_used, 0);
    opencl_device_close(&device);
}

/* The device's largest allocation is reported even without a configured limit. */
static void largest_allocation_is_reported(void **state) {
    (void)state;
    opencl_device device = open_device();
    opencl_buffer buffer = {0};
    assert_int_equal(
        opencl_buffer_reserve(&device, &buffer, (size_t)device.info.max_allocation + 1, "blocks"),
        SCREE_ERROR_DEVICE_MEMORY);
    assert_null(buffer.memory);
    opencl_device_close(&device);
}

/* Adds a grid of touching spheres on a floor. */
static void add_spheres(scree_world *world, int side, scree_body_id *last) {
    scree_body_def body = scree_default_body_def();
    for (int i = 0; i < side * side; i++) {
        body.state.position = (scree_vec3){(float)(i % side), (float)(i / side), 0.5f};
        CHECK(scree_body_create(world, &body, last));
    }
}

static scree_world *world_on_device(void) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_OPENCL;
    def.device = test_device();
    scree_world *world = NULL;
    CHECK(scree_world_create(&def, &world));
    scree_body_def floor = scree_default_body_def();
    floor.type = SCREE_BODY_STATIC;
    floor.shape = scree_shape_half_space();
    scree_body_id id;
    CHECK(scree_body_create(world, &floor, &id));
    return world;
}

/* A pile outgrows the device's memory: the step fails, the world is unchanged, and continues once the pile
 * has shrunk. */
static void world_survives_memory_failure(void **state) {
    (void)state;
    opencl_device device = open_device();
    opencl_device_close(&device);
    setenv("SCREE_DEVICE_MEMORY_LIMIT", "450000", 1);
    scree_world *world = world_on_device();
    unsetenv("SCREE_DEVICE_MEMORY_LIMIT");
    scree_body_id id;
    scree_statistics statistics;
    add_spheres(world, 5, &id);
    CHECK(scree_world_step(world, &statistics));
    assert_true(statistics.contacts >= 25);
    const int few = scree_body_count(world);
    add_spheres(world, 30, &id);
    const uint64_t before = scree_world_get_hash(world);
    assert_int_equal(scree_world_step(world, &statistics), SCREE_ERROR_DEVICE_MEMORY);
    assert_non_null(strstr(scree_error_get_message(), "device memory"));
    assert_true(scree_world_get_hash(world) == before);
    assert_int_equal((int)scree_world_step_count(world), 1);
    scree_body_id ids[1000];
    const int all = scree_body_list(world, ids, 1000);
    for (int i = few; i < all; i++) CHECK(scree_body_destroy(world, ids[i]));
    /* Slots remain, so the body arrays are as long as before, but contacts are few. */
    const scree_result result = scree_world_step(world, &statistics);
    if (result != SCREE_OK) fail_msg("%s", scree_error_get_message());
    assert_int_equal((int)scree_world_step_count(world), 2);
    scree_world_destroy(world);
}

enum { HEAP = 300 };

/* Balls apart from each other on a floor. */
static scree_world *apart_on_device(uint64_t limit, scree_body_id ids[HEAP]) {
    char text[32];
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    scree_body_def body = scree_default_body_def();
    def.backend = SCREE_BACKEND_OPENCL, def.device = test_device(), def.pipeline = SCREE_PIPELINE_DEVICE;
    snprintf(text, sizeof text, "%llu", (unsigned long long)limit);
    if (limit) setenv("SCREE_DEVICE_MEMORY_LIMIT", text, 1);
    CHECK(scree_world_create(&def, &world));
    unsetenv("SCREE_DEVICE_MEMORY_LIMIT");
    body.type = SCREE_BODY_STATIC, body.shape = scree_shape_half_space();
    CHECK(scree_body_create(world, &body, NULL));
    body = scree_default_body_def();
    for (int i = 0; i < HEAP; i++) {
        body.state.position = (scree_vec3){2 * (float)(i % 20), 2 * (float)(i / 20), 0.5f};
        CHECK(scree_body_create(world, &body, &ids[i]));
    }
    return world;
}

/* Moves all balls to one place. */
static void heap(scree_world *world, const scree_body_id ids[HEAP]) {
    scree_body_state at = scree_default_body_def().state;
    for (int i = 0; i < HEAP; i++) {
        at.position = (scree_vec3){1e-3f * (float)i, 0, 0.5f};
        CHECK(scree_body_set_state(world, ids[i], &at));
    }
}

static void put_back(scree_world *world, const scree_body_id ids[HEAP], const scree_body_state at[HEAP]) {
    for (int i = 0; i < HEAP; i++) CHECK(scree_body_set_state(world, ids[i], &at[i]));
}

static bool makes_steps(uint64_t limit) {
    scree_body_id ids[HEAP];
    scree_world *world = apart_on_device(limit, ids);
    const bool makes = scree_world_step(world, NULL) == SCREE_OK && scree_world_step(world, NULL) == SCREE_OK;
    scree_world_destroy(world);
    return makes;
}

/* Contacts outgrow the device's memory where they stay: once there are few again, the world goes on as one
 * with ample memory. */
static void pipeline_survives_memory_failure(void **state) {
    (void)state;
    enum { LEAST = 250000, MOST = 2000000 };
    scree_body_id ids[HEAP], ids_of_other[HEAP];
    scree_body_state at[HEAP];
    scree_world *world, *other;
    uint64_t limit = LEAST;
    opencl_device device = open_device();
    opencl_device_close(&device);
    while (limit < MOST && !makes_steps(limit)) limit += limit / 4;
    world = apart_on_device(2 * limit, ids);
    for (int i = 0; i < 2; i++) CHECK(scree_world_step(world, NULL));
    other = apart_on_device(0, ids_of_other);
    for (int i = 0; i < 2; i++) CHECK(scree_world_step(other, NULL));
    for (int round = 0; round < 2; round++) {
        CHECK(scree_body_get_states(world, ids, HEAP, at));
        heap(world, ids);
        assert_int_equal(scree_world_step(world, NULL), SCREE_ERROR_DEVICE_MEMORY);
        put_back(world, ids, at), put_back(other, ids_of_other, at);
        for (int i = 0; i < 3; i++) CHECK(scree_world_step(world, NULL));
        for (int i = 0; i < 3; i++) CHECK(scree_world_step(other, NULL));
        assert_true(scree_world_get_hash(world) == scree_world_get_hash(other));
    }
    scree_world_destroy(world);
    scree_world_destroy(other);
}

static void world_reports_broken_kernels(void **state) {
    (void)state;
    opencl_device device = open_device();
    opencl_device_close(&device);
    char command[1024];
    snprintf(command, sizeof command,
             "mkdir '%s/broken' && cp '%s'/kernels/* '%s/broken' && echo 'oops' >> '%s/broken/law.h'", folder,
             SCREE_SOURCE_DIR, folder, folder);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s/broken", folder);
    setenv("SCREE_KERNEL_DIR", command, 1);
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_OPENCL;
    def.device = test_device();
    scree_world *world = NULL;
    assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_KERNEL_BUILD);
    unsetenv("SCREE_KERNEL_DIR");
    assert_null(world);
    assert_non_null(strstr(scree_error_get_message(), "solve.cl"));
    assert_non_null(strstr(scree_error_get_message(), "law.h:"));
}

static void codes_are_named(void **state) {
    (void)state;
    assert_int_equal(opencl_fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "while trying"),
                     SCREE_ERROR_DEVICE_MEMORY);
    assert_int_equal(opencl_fail(CL_INVALID_KERNEL_ARGS, "while trying"), SCREE_ERROR_DEVICE);
    assert_non_null(strstr(scree_error_get_message(), "CL_INVALID_KERNEL_ARGS"));
    assert_non_null(strstr(scree_error_get_message(), "while trying"));
    assert_int_equal(opencl_fail(-98765, "while trying"), SCREE_ERROR_DEVICE);
    assert_non_null(strstr(scree_error_get_message(), "-98765"));
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "--without-platform") == 0) return child_without_platform();
    self_path = arguments[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_platform_is_reported),
        cmocka_unit_test(unknown_device_lists_all_devices),
        cmocka_unit_test(device_is_found_by_index_and_name),
        cmocka_unit_test(broken_kernel_names_file_and_line),
        cmocka_unit_test(second_build_comes_from_the_cache),
        cmocka_unit_test(memory_limit_is_reported),
        cmocka_unit_test(scratch_is_used_again),
        cmocka_unit_test(largest_allocation_is_reported),
        cmocka_unit_test(codes_are_named),
        cmocka_unit_test(world_survives_memory_failure),
        cmocka_unit_test(pipeline_survives_memory_failure),
        cmocka_unit_test(world_reports_broken_kernels),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
