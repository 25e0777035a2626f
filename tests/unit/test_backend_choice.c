/* The backend that a definition and the devices of the machine select. */
#include "device.h"
#include "device/backend.h"
#include "expect.h"

#include <scree/scree.h>

static void expect_name(const scree_world_def *def, const char *part) {
    backend *chosen = NULL;
    CHECK(backend_create(def, &chosen));
    if (!strstr(chosen->name, part)) fail_msg("`%s` does not contain `%s`", chosen->name, part);
    chosen->operations->destroy(chosen);
}

static void backends_are_chosen(void **state) {
    (void)state;
    scree_world_def def = {.threads = 2};
    def.backend = SCREE_BACKEND_NATIVE;
    expect_name(&def, "native, 2 threads");
    def.threads = 1;
    expect_name(&def, "native, 1 thread");
    def.backend = SCREE_BACKEND_OPENCL;
    expect_name(&def, "opencl: ");
    def.backend = SCREE_BACKEND_REFERENCE;
    expect_name(&def, "reference");
    def.backend = SCREE_BACKEND_AUTO;
    /* The device of this run may be another one than `auto` prefers. */
    scree_device_info all[32];
    int count = 0;
    bool gpu = false;
    CHECK(scree_device_list(all, 32, &count));
    for (int i = 0; i < count && i < 32; i++) gpu |= all[i].chosen && all[i].gpu;
    expect_name(&def, gpu ? "opencl" : "native");
    def.device = all[0].name;
    expect_name(&def, all[0].gpu ? "opencl" : "native");
    def.device = "no such device";
    backend *chosen = NULL;
    assert_int_equal(backend_create(&def, &chosen), SCREE_ERROR_NO_DEVICE);
    def.backend = SCREE_BACKEND_HOST;
    assert_int_equal(backend_create(&def, &chosen), SCREE_ERROR_ARGUMENT);
    def.backend = SCREE_BACKEND_COUNT;
    assert_int_equal(backend_create(&def, &chosen), SCREE_ERROR_ARGUMENT);
    assert_null(chosen);
    assert_string_equal(scree_backend_name(SCREE_BACKEND_OPENCL), "opencl");
    assert_null(scree_backend_name(SCREE_BACKEND_COUNT));
}

int main(void) {
    if (!device_is_there()) {
        printf("1..0 # SKIP %s\n", scree_error_get_message());
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(backends_are_chosen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
