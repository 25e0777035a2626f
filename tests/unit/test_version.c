/* The version of the loaded library, as a number and as text, is that of the headers. */
#include "expect.h"

#include <scree/core.h>

#if SCREE_VERSION != SCREE_VERSION_MAJOR * 1000000 + SCREE_VERSION_MINOR * 1000 + SCREE_VERSION_PATCH
#error "SCREE_VERSION is a constant of the preprocessor"
#endif

static void number_is_that_of_the_headers(void **state) {
    (void)state;
    assert_int_equal(scree_version(), SCREE_VERSION);
}

static void text_has_the_three_parts(void **state) {
    (void)state;
    int major, minor, patch, end = 0;
    assert_int_equal(sscanf(scree_version_name(), "%d.%d.%d%n", &major, &minor, &patch, &end), 3);
    assert_int_equal(end, (int)strlen(scree_version_name()));
    assert_int_equal(major * 1000000 + minor * 1000 + patch, scree_version());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_is_that_of_the_headers),
        cmocka_unit_test(text_has_the_three_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
