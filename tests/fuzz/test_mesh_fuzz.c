/* A short, repeatable run of the fuzz target: every file of the corpus unchanged, then mutations. */
#include "fuzz_mesh.c"
#define CORPUS_INPUT_MOST 4096
#include "corpus.h"

#include "expect.h"

enum { MUTATIONS = 6000 };

static void mutate(input *in) {
    static const char *const tokens[] = {
        "0",    "-1", "1e39",   "1e-45",         "nan",       "1.0D+00",  "f ", "v ", "\n",           "\r",
        "\\\n", "#",  "//",     "solid",         "end solid", "endsolid", ",",  ";",  "\xef\xbb\xbf", "\r\n",
        "7 ",   "  ", "vertex", "facet normal ", "endloop",   "outer ",   "1/2"};
    const size_t at = draw_number(in->size), length = 1 + draw_number(16);
    const char *token = tokens[draw_number(sizeof tokens / sizeof *tokens)];
    const input *other = &corpus[draw_number((size_t)corpus_count)];
    const size_t from = draw_number(other->size);
    switch (draw_number(4)) {
    case 0:
        in->bytes[at] = (char)draw_number(256);
        break;
    case 1:
        input_splice(in, at, length, "", 0);
        break;
    case 2:
        input_splice(in, at, 0, other->bytes + from,
                     length < other->size - from ? length : other->size - from);
        break;
    default:
        input_splice(in, at, draw_number(4), token, strlen(token));
        break;
    }
}

static void corpus_is_survived(void **state) {
    (void)state;
    corpus_read(SCREE_SOURCE_DIR "/tests/data/fuzz_mesh");
    assert_true(corpus_count >= 10);
    for (int i = 0; i < corpus_count; i++)
        LLVMFuzzerTestOneInput((const uint8_t *)corpus[i].bytes, corpus[i].size);
}

static void mutations_are_survived(void **state) {
    (void)state;
    static input mutant;
    for (int i = 0; i < MUTATIONS; i++) {
        mutant = corpus[draw_number((size_t)corpus_count)];
        for (size_t n = 1 + draw_number(4); n > 0 && mutant.size > 0; n--) mutate(&mutant);
        uint8_t *exact = malloc(mutant.size + 1); /* so that reading past the end is detected */
        assert_non_null(exact);
        memcpy(exact, mutant.bytes, mutant.size);
        LLVMFuzzerTestOneInput(exact, mutant.size);
        free(exact);
    }
}

/* Many polygons of four to nine corners at random places of a small grid are simple. */
static void random_polygons_are_covered_or_refused(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint8_t bytes[18];
        for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)draw_number(5);
        try_polygon(bytes, 2 * (4 + draw_number(6)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(corpus_is_survived),
                                       cmocka_unit_test(mutations_are_survived),
                                       cmocka_unit_test(random_polygons_are_covered_or_refused)};
    return cmocka_run_group_tests_name("mesh fuzz", tests, NULL, NULL);
}
