/* Structs shared by host and device: the probe agrees on a good device and detects one with another layout,
 * simulated by kernels with an altered layout.h. */
#include "device/opencl/opencl_device.h"
#include "expect.h"
#include "base/error.h"
#include "device.h"

#include "layout_fields.h"

/* Every struct is one word of 64 bits or whole words of 128 bits. */
static void structs_are_whole_words(void **state) {
    (void)state;
#define SIZE_OF(type) assert_true(sizeof(type) == 8 || sizeof(type) % 16 == 0);
#define OFFSET_OF(type, field)
    LAYOUT_FIELDS(SIZE_OF, OFFSET_OF)
#undef SIZE_OF
#undef OFFSET_OF
}

/* LAYOUT_FIELDS lists every field: the fields fill each struct without holes. */
static void no_field_is_missing(void **state) {
    (void)state;
    size_t expected = 0, size = 0;
    const char *name = "";
#define SIZE_OF(type)                                                                                        \
    if (expected != size) fail_msg("fields of %s end at %zu of %zu", name, expected, size);                  \
    name = #type, size = sizeof(type), expected = 0;
#define OFFSET_OF(type, field)                                                                               \
    if (offsetof(type, field) != expected)                                                                   \
        fail_msg("%s.%s is not where the field before it ends", #type, #field);                              \
    expected += sizeof(((type *)0)->field);
    LAYOUT_FIELDS(SIZE_OF, OFFSET_OF)
#undef SIZE_OF
#undef OFFSET_OF
    if (expected != size) fail_msg("fields of %s end at %zu of %zu", name, expected, size);
}

static opencl_device open_device(void) {
    opencl_device device = {0};
    const scree_result result = opencl_device_open(test_device(), &device);
    if (result == SCREE_ERROR_NO_PLATFORM || result == SCREE_ERROR_NO_DEVICE) skip();
    assert_int_equal(result, SCREE_OK);
    return device;
}

static void every_device_agrees(void **state) {
    (void)state;
    opencl_device device = open_device();
    opencl_device_close(&device);
    int count = 0;
    scree_device_info infos[16];
    CHECK(scree_device_list(infos, 16, &count));
    for (int i = 0; i < count && i < 16; i++) {
        char index[16];
        snprintf(index, sizeof index, "%d", i);
        if (!infos[i].available) continue;
        CHECK(opencl_device_open(index, &device));
        CHECK(opencl_layout_check(&device));
        opencl_device_close(&device);
    }
}

/* Probes with a copy of the kernels changed by a sed script. */
static scree_result check_altered(opencl_device *device, const char *script) {
    char folder[] = "/tmp/scree-test-XXXXXX", command[1024];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "cp '%s'/kernels/* '%s' && sed -i '%s' '%s/layout.h'", SCREE_SOURCE_DIR,
             folder, script, folder);
    assert_int_equal(system(command), 0);
    setenv("SCREE_KERNEL_DIR", folder, 1);
    setenv("SCREE_CACHE_DIR", "", 1);
    const scree_result result = opencl_layout_check(device);
    unsetenv("SCREE_KERNEL_DIR");
    unsetenv("SCREE_CACHE_DIR");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    return result;
}

static void altered_layouts_are_caught(void **state) {
    (void)state;
    opencl_device device = open_device();
    CHECK(check_altered(&device, ""));
    /* two fields swapped */
    assert_int_equal(check_altered(&device, "s/int body_a, body_b;/int body_b, body_a;/"),
                     SCREE_ERROR_DEVICE);
    assert_non_null(strstr(scree_error_get_message(), "body_a"));
    /* a field too wide */
    assert_int_equal(check_altered(&device, "s/scalar closing; /double closing; /"), SCREE_ERROR_DEVICE);
    assert_non_null(strstr(scree_error_get_message(), "constraint_block"));
    opencl_device_close(&device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_are_whole_words),
        cmocka_unit_test(no_field_is_missing),
        cmocka_unit_test(every_device_agrees),
        cmocka_unit_test(altered_layouts_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
