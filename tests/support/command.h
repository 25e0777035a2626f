/* Tests of the program from outside: runs `scree` in a temporary folder and reads its output and files. */
#pragma once

#include "expect.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

#define PROGRAM SCREE_BUILD_DIR "/scree"

static char folder[] = "/tmp/scree-test-command-XXXXXX";
static char standard_output[1 << 16], standard_error[1 << 16];

static inline void read_text(const char *name, char *out, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    out[fread(out, 1, size - 1, file)] = 0;
    fclose(file);
}

static inline void write_text(const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline bool exists(const char *name) {
    char path[512];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &status) == 0;
}

/* Runs a shell command in the test's folder with `scree` as the program; returns its exit code. */
static inline int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline int shell(const char *format, ...) {
    char command[2048], whole[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    snprintf(whole, sizeof whole, "cd %s && scree() { '%s' \"$@\"; } && { %s\n} >stdout 2>stderr", folder,
             PROGRAM, command);
    const int status = system(whole);
    read_text("stdout", standard_output, sizeof standard_output);
    read_text("stderr", standard_error, sizeof standard_error);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

#define EXPECT_CODE(code, expected)                                                                          \
    do {                                                                                                     \
        const int expect_code_ = (code);                                                                     \
        if (expect_code_ != (expected))                                                                      \
            fail_msg("exit code %d, expected %d; stderr: %s", expect_code_, expected, standard_error);       \
    } while (0)

static inline int count_lines(const char *text) {
    int lines = 0;
    for (; *text; ++text) lines += *text == '\n';
    return lines;
}

/* Loads the world of a checkpoint in the folder. */
static inline scree_world *checkpoint_world(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    scree_world_def runtime = scree_default_world_def();
    runtime.backend = SCREE_BACKEND_NATIVE;
    runtime.threads = 1;
    scree_world *world = NULL;
    CHECK(scree_checkpoint_load(path, &runtime, &world));
    return world;
}

/* Returns the hash of that world and its step. */
static inline uint64_t checkpoint_hash(const char *name, uint64_t *step) {
    scree_world *world = checkpoint_world(name);
    const uint64_t hash = scree_world_get_hash(world);
    *step = scree_world_step_count(world);
    scree_world_destroy(world);
    return hash;
}

static inline bool have_opencl(void) {
    int count = 0;
    return scree_device_list(NULL, 0, &count) == SCREE_OK && count > 0;
}

static inline int folder_set_up(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

/* Sets up the folder without OpenCL, which is faster where pictures are not compared. */
static inline int folder_set_up_without_devices(void **state) {
    setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
    setenv("OPENCL_VENDOR_PATH", "/nonexistent", 1);
    return folder_set_up(state);
}

static inline int folder_tear_down(void **state) {
    char command[512];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}
