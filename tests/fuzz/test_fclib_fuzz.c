/* A short, repeatable run of the fuzz target: every valid form, then edits of it, then truncated files. */
#include "fuzz_fclib.c"
#include "random.h"

#include "expect.h"

enum { RECIPES = 1500 };

static uint64_t seed = 42;

static uint8_t draw_byte(void) { return (uint8_t)(random_bits(&seed) >> 56); }

static scree_result load_model(const model *m, const char *path) {
    scree_problem *p = NULL;
    write_model(m, path);
    const scree_result result = scree_fclib_load(path, &p);
    scree_problem_destroy(p);
    return result;
}

static void valid_forms_are_accepted(void **state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/scree-form-%ld.hdf5", (long)getpid());
    for (int form = 0; form < 6; ++form) {
        model m;
        make_model(&m, form);
        if (load_model(&m, path) != SCREE_OK) fail_msg("form %d: %s", form, scree_error_get_message());
        LLVMFuzzerTestOneInput(&(uint8_t){(uint8_t)form}, 1);
    }
    unlink(path);
}

static void edited_files_are_accepted_or_rejected(void **state) {
    (void)state;
    char path[64];
    int refused = 0;
    snprintf(path, sizeof path, "/tmp/scree-edit-%ld.hdf5", (long)getpid());
    for (int i = 0; i < RECIPES; ++i) {
        uint8_t recipe[17];
        const size_t length = 1 + 4 * (1 + (size_t)draw_byte() % 4);
        for (size_t k = 0; k < length; ++k) recipe[k] = draw_byte();
        model m;
        make_model(&m, recipe[0] % 6);
        for (size_t at = 1; at + 4 <= length; at += 4) edit(&m, recipe + at);
        refused += load_model(&m, path) != SCREE_OK;
        LLVMFuzzerTestOneInput(recipe, length);
    }
    unlink(path);
    assert_true(refused > RECIPES / 10 && refused < 9 * RECIPES / 10); /* both outcomes occur */
}

static void truncated_files_are_rejected(void **state) {
    (void)state;
    char path[64];
    model m;
    snprintf(path, sizeof path, "/tmp/scree-short-%ld.hdf5", (long)getpid());
    make_model(&m, 4);
    assert_int_equal(load_model(&m, path), SCREE_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    fclose(file);
    for (long cut = 0; cut < length; cut += 61) {
        scree_problem *p = NULL;
        write_model(&m, path);
        assert_int_equal(truncate(path, cut), 0);
        assert_int_equal(scree_fclib_load(path, &p), SCREE_ERROR_FORMAT);
        assert_null(p);
    }
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(valid_forms_are_accepted),
                                       cmocka_unit_test(edited_files_are_accepted_or_rejected),
                                       cmocka_unit_test(truncated_files_are_rejected)};
    return cmocka_run_group_tests_name("FCLIB fuzz", tests, NULL, NULL);
}
