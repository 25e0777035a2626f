/* A short, repeatable run of the fuzz target: every file of the corpus unchanged, then mutations. */
#include "fuzz_scene.c"
#define CORPUS_INPUT_MOST 16384
#include "corpus.h"

#include "expect.h"

enum { MUTATIONS = 20000 };

/* Finds the number or word that starts at or after a random place. */
static size_t find_token(const input *in, size_t *length) {
    size_t at = draw_number(in->size);
    while (at < in->size && !strchr("-0123456789tfn\"", in->bytes[at])) at++;
    size_t end = at + (at < in->size);
    while (end < in->size && !strchr(",:]} \n\"", in->bytes[end])) end++;
    if (end < in->size && in->bytes[at] == '"') end++;
    *length = end - at;
    return at;
}

static void mutate(input *in) {
    static const char *const tokens[] = {
        "0",           "-1",          "1",           "1e-7",        "1e30",       "1e308",
        "-0.0",        "2147483648",  "4294967296",  "1e15",        "100000",     "3",
        "true",        "null",        "\"box\"",     "\"fill\"",    "\"sphere\"", "\"half-space\"",
        "\"kind\"",    "{}",          "[]",          "[1,1,1]",     "[0,0,0]",    "[1e9,1,1]",
        "\"\\u0000\"", "\"\\ud800\"", "\xff",        "\"static\"",  "0.001",      "99999999",
        "1e-6",        "\"sieve\"",   "\"lattice\"", "\"pyramid\"", "\"hopper\"", "\"size\""};
    const input *other = &corpus[draw_number((size_t)corpus_count)];
    size_t length;
    size_t at = draw_number(in->size);
    switch (draw_number(6)) {
    case 0:
        in->bytes[at] = (char)draw_number(256);
        break;
    case 1:
        input_splice(in, at, 1 + draw_number(8), "", 0);
        break;
    case 2: /* copy part of another file */
        length = 1 + draw_number(64);
        const size_t from = draw_number(other->size);
        if (length > other->size - from) length = other->size - from;
        input_splice(in, at, draw_number(2) * length, other->bytes + from, length);
        break;
    default: { /* replace a token by another */
        const char *token = tokens[draw_number(sizeof tokens / sizeof *tokens)];
        at = find_token(in, &length);
        input_splice(in, at, length, token, strlen(token));
        break;
    }
    }
}

static void corpus_is_accepted(void **state) {
    (void)state;
    corpus_read(SCREE_SOURCE_DIR "/tests/data/fuzz_scene");
    assert_true(corpus_count >= 8);
    int taken = 0;
    for (int i = 0; i < corpus_count; ++i) {
        scree_scene *scene = NULL;
        taken += scree_scene_parse(corpus[i].bytes, corpus[i].size, "corpus", &scene) == SCREE_OK;
        scree_scene_destroy(scene);
        LLVMFuzzerTestOneInput((const uint8_t *)corpus[i].bytes, corpus[i].size);
    }
    assert_true(taken >= 8); /* most of the corpus is valid: mutations go deep */
}

static void mutations_are_survived(void **state) {
    (void)state;
    static input mutant;
    int refused = 0;
    for (int i = 0; i < MUTATIONS; ++i) {
        mutant = corpus[draw_number((size_t)corpus_count)];
        for (size_t n = 1 + draw_number(4); n > 0 && mutant.size > 0; --n) mutate(&mutant);
        scree_scene *scene = NULL;
        char *exact = malloc(mutant.size + 1); /* so that reading past the end is detected */
        assert_non_null(exact);
        memcpy(exact, mutant.bytes, mutant.size);
        refused += scree_scene_parse(exact, mutant.size, "mutant", &scene) != SCREE_OK;
        scree_scene_destroy(scene);
        LLVMFuzzerTestOneInput((const uint8_t *)exact, mutant.size);
        free(exact);
    }
    assert_true(refused > MUTATIONS / 10 && refused < MUTATIONS); /* both outcomes occur */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(corpus_is_accepted),
                                       cmocka_unit_test(mutations_are_survived)};
    return cmocka_run_group_tests_name("scene fuzz", tests, NULL, NULL);
}
