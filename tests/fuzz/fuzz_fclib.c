/* Fuzz target: FCLIB files with arbitrary datasets. The input is a recipe: the index of a valid problem, then
 * edits of four bytes each that change values, lengths and types of datasets or remove them. HDF5 writes the
 * container; its reading of damaged containers is not under test. With clang's libFuzzer this file is a
 * program of its own, run as build/asan/fuzz_fclib tests/data/fuzz_fclib; test_fclib_fuzz.c includes it for a
 * short run with any compiler. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "fclib_file.h"

#include <scree/tools/fclib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VALUES_MOST = 64, ITEMS_MOST = 32, EDITS_MOST = 16 };

typedef enum item_kind { ITEM_INTEGERS, ITEM_NUMBERS, ITEM_FLOATS, ITEM_ABSENT, ITEM_KINDS } item_kind;

/* one dataset */
typedef struct item {
    char name[64];
    item_kind kind;
    int count;
    double values[VALUES_MOST];
} item;

typedef struct model {
    int count;
    item items[ITEMS_MOST];
} model;

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_fclib: %s: %s\n", what, scree_error_get_message());
    abort();
}

static item *add_item(model *m, const char *group, const char *name, item_kind kind, int count) {
    item *out = &m->items[m->count++];
    *out = (item){.kind = kind, .count = count};
    fclib_name(out->name, group, name);
    return out;
}

static void add_value(model *m, const char *group, const char *name, item_kind kind, double value) {
    add_item(m, group, name, kind, 1)->values[0] = value;
}

static void add_matrix(model *m, const char *group, fclib_form form, int rows, int columns,
                       const double *dense) {
    add_value(m, group, "m", ITEM_INTEGERS, rows);
    add_value(m, group, "n", ITEM_INTEGERS, columns);
    item *nz = add_item(m, group, "nz", ITEM_INTEGERS, 1);
    const int lines = form == FCLIB_COLUMNS ? columns : rows, others = form == FCLIB_COLUMNS ? rows : columns;
    item *p = add_item(m, group, "p", ITEM_INTEGERS, lines + 1),
         *i = add_item(m, group, "i", ITEM_INTEGERS, 0), *x = add_item(m, group, "x", ITEM_NUMBERS, 0);
    for (int line = 0; line < lines; ++line) {
        for (int other = 0; other < others; ++other) {
            const double value =
                form == FCLIB_COLUMNS ? dense[other * columns + line] : dense[line * columns + other];
            if (value == 0) continue;
            if (form == FCLIB_TRIPLETS) p->values[x->count] = other;
            i->values[i->count++] = form == FCLIB_TRIPLETS ? line : other;
            x->values[x->count++] = value;
        }
        if (form != FCLIB_TRIPLETS) p->values[line + 1] = x->count;
    }
    if (form == FCLIB_TRIPLETS) p->count = x->count;
    nz->values[0] = form == FCLIB_TRIPLETS ? x->count : form == FCLIB_COLUMNS ? -1 : -2;
}

static void add_vector(model *m, const char *group, const char *name, int count) {
    item *out = add_item(m, group, name, ITEM_NUMBERS, count);
    for (int k = 0; k < count; ++k) out->values[k] = 0.25 * (k % 5 - 2);
}

/* Makes a problem of two contacts; forms 0 to 2 are local, 3 to 5 global. */
static void make_model(model *m, int form) {
    static const double dense[36] = {4, 1, 0, 1, 0, 0, /* */ 1, 3, 0, 0, 1, 0, /* */ 0, 0, 2, 0, 0, 0,
                                     1, 0, 0, 5, 0, 0, /* */ 0, 1, 0, 0, 4, 1, /* */ 0, 0, 0, 0, 1, 3};
    const bool global = form >= 3;
    const char *root = global ? "fclib_global" : "fclib_local",
               *vectors = global ? "fclib_global/vectors" : "fclib_local/vectors";
    m->count = 0;
    add_value(m, root, "spacedim", ITEM_INTEGERS, 3);
    add_matrix(m, global ? "fclib_global/M" : "fclib_local/W", (fclib_form)(form % 3), 6, 6, dense);
    if (global) {
        add_matrix(m, "fclib_global/H", (fclib_form)((form + 1) % 3), 6, 6, dense);
        add_vector(m, vectors, "f", 6);
        add_vector(m, vectors, "w", 6);
    } else {
        add_vector(m, vectors, "q", 6);
    }
    item *mu = add_item(m, vectors, "mu", ITEM_NUMBERS, 2);
    mu->values[0] = 0.5, mu->values[1] = 0.25;
    add_value(m, "guesses", "number_of_guesses", ITEM_INTEGERS, 1);
    add_vector(m, "guesses/1", "r", 6);
}

static void edit(model *m, const uint8_t bytes[4]) {
    static const double odd[] = {0,
                                 -1,
                                 1,
                                 2,
                                 3,
                                 6,
                                 -2,
                                 -3,
                                 4,
                                 5,
                                 7,
                                 1e-300,
                                 1e300,
                                 2147483647,
                                 -2147483648.0,
                                 (double)NAN,
                                 (double)INFINITY,
                                 1e9,
                                 1000,
                                 0.5,
                                 715827883,
                                 63};
    item *target = &m->items[bytes[0] % m->count];
    const double value = odd[bytes[3] % (sizeof odd / sizeof *odd)];
    double *place = &target->values[bytes[2] % (target->count ? target->count : 1)];
    switch (bytes[1] % 8) {
    case 0:
        target->count = bytes[2] % (VALUES_MOST + 1);
        break;
    case 1:
        target->kind = (item_kind)(bytes[2] % ITEM_KINDS);
        break;
    case 2:
        *place += (double)bytes[3] - 128;
        break;
    case 3: {
        const item *other = &m->items[bytes[2] % m->count];
        target->count = other->count;
        memcpy(target->values, other->values, sizeof target->values);
        break;
    }
    default:
        *place = value;
        break;
    }
}

static int to_integer(double value) {
    return value != value ? -7 : value <= INT_MIN ? INT_MIN : value >= INT_MAX ? INT_MAX : (int)value;
}

static void write_model(const model *m, const char *path) {
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    require(file >= 0, "the file cannot be written");
    for (int k = 0; k < m->count; ++k) {
        const item *from = &m->items[k];
        int integers[VALUES_MOST];
        float floats[VALUES_MOST];
        for (int i = 0; i < from->count; ++i) {
            integers[i] = to_integer(from->values[i]);
            floats[i] = (float)integers[i];
        }
        if (from->kind == ITEM_INTEGERS) fclib_put_integers(file, from->name, integers, (size_t)from->count);
        if (from->kind == ITEM_NUMBERS)
            fclib_put_numbers(file, from->name, from->values, (size_t)from->count);
        if (from->kind == ITEM_FLOATS)
            fclib_put(file, from->name, H5T_NATIVE_FLOAT, floats, (size_t)from->count);
    }
    H5Fclose(file);
}

/* Asserts that an accepted problem has finite numbers and can be solved and written. */
static void use(scree_problem *p, const char *path) {
    const int count = scree_problem_contact_count(p);
    double *r = calloc(6 * (size_t)count + 1, sizeof *r), *u = r + 3 * count, residual[SCREE_MEASURE_COUNT];
    require(r != NULL, "memory");
    require(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, u, residual) == SCREE_OK, "no residual");
    for (int i = 0; i < 3 * count; ++i) require(isfinite(u[i]), "a number that is not finite was taken");
    scree_problem_options options = scree_default_problem_options();
    options.iterations = 20;
    options.start = scree_problem_get_warm_start(p);
    require(scree_problem_solve(p, &options, r, u, NULL) == SCREE_OK, "not solved");
    require(scree_fclib_save_solution(p, path, path, r, u) == SCREE_OK, "the solution was not written");
    free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char path[64];
    if (!path[0]) snprintf(path, sizeof path, "/tmp/scree-fuzz-%ld.hdf5", (long)getpid());
    model m;
    make_model(&m, size ? data[0] % 6 : 0);
    for (size_t at = 1; at + 4 <= size && at < 4 * EDITS_MOST; at += 4) edit(&m, data + at);
    write_model(&m, path);
    scree_problem *p = NULL;
    const scree_result result = scree_fclib_load(path, &p);
    if (result == SCREE_OK) {
        use(p, path);
        scree_problem_destroy(p);
    } else {
        require((result == SCREE_ERROR_FORMAT || result == SCREE_ERROR_UNSUPPORTED ||
                 result == SCREE_ERROR_CAPACITY) &&
                    !p,
                "not refused as bad content");
        require(strstr(scree_error_get_message(), path) != NULL, "the message does not name the file");
    }
    unlink(path);
    return 0;
}
