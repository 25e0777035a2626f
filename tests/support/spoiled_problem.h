/* An FCLIB problem of two contacts, and files with one fault each. */
#pragma once

#include "expect.h"
#include "fclib_file.h"

/* Two coupled contacts; W is not symmetric, so a transposed one would be detected. */
static const double w6[36] = {4,    0.5, 0,   1,    0,   0.25, /* */
                              0.5,  3,   0,   0,    0.5, 0,    /* */
                              0,    0,   2,   0.75, 0,   0,    /* */
                              1.25, 0,   0.5, 5,    0,   0,    /* */
                              0,    0.5, 0,   0,    4,   1,    /* */
                              0.25, 0,   0,   0,    1,   3};
static const double q6[6] = {-1, 0.5, 0.25, -2, 1, 0}, mu2[2] = {0.5, 0.3};

static inline void put_local(const char *path, fclib_form form) {
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_true(fclib_put_integer(file, "fclib_local/spacedim", 3));
    fclib_put_matrix(file, "fclib_local/W", form, 6, 6, w6);
    fclib_put_numbers(file, "fclib_local/vectors/q", q6, 6);
    fclib_put_numbers(file, "fclib_local/vectors/mu", mu2, 2);
    H5Fclose(file);
}

/* one fault at a time; the error message names the dataset */
typedef struct spoiled {
    const char *name;
    enum { REMOVED, INTEGER, NUMBER, SHORTER, FLOATS } how;
    double value;
    const char *said;
    scree_result result;
} spoiled;

static inline void spoil(const char *path, const spoiled *what) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const double many[36] = {what->value};
    const float floats[6] = {0};
    if (what->how == REMOVED) H5Ldelete(file, what->name, H5P_DEFAULT);
    if (what->how == INTEGER) fclib_put_integer(file, what->name, (int)what->value);
    if (what->how == NUMBER) fclib_put_numbers(file, what->name, many, strstr(what->name, "mu") ? 2 : 6);
    if (what->how == SHORTER) fclib_put_numbers(file, what->name, many, 5);
    if (what->how == FLOATS) fclib_put(file, what->name, H5T_NATIVE_FLOAT, floats, 6);
    H5Fclose(file);
}

static const spoiled spoiled_list[] = {
    {"fclib_local", REMOVED, 0, "fclib_local", SCREE_ERROR_FORMAT},
    {"fclib_local/spacedim", INTEGER, 2, "spacedim", SCREE_ERROR_UNSUPPORTED},
    {"fclib_local/spacedim", INTEGER, 7, "spacedim", SCREE_ERROR_FORMAT},
    {"fclib_local/vectors/q", REMOVED, 0, "fclib_local/vectors/q", SCREE_ERROR_FORMAT},
    {"fclib_local/vectors/q", NUMBER, (double)NAN, "fclib_local/vectors/q", SCREE_ERROR_FORMAT},
    {"fclib_local/vectors/q", SHORTER, 0, "fclib_local/vectors/q", SCREE_ERROR_FORMAT},
    {"fclib_local/vectors/q", FLOATS, 0, "fclib_local/vectors/q", SCREE_ERROR_FORMAT},
    {"fclib_local/vectors/mu", NUMBER, -0.5, "fclib_local/vectors/mu", SCREE_ERROR_FORMAT},
    {"fclib_local/W/m", INTEGER, 9, "fclib_local/W", SCREE_ERROR_FORMAT},
    {"fclib_local/W/nz", INTEGER, -3, "fclib_local/W/nz", SCREE_ERROR_FORMAT},
    {"fclib_local/W/nz", INTEGER, 1000000000, "fclib_local/W/p", SCREE_ERROR_FORMAT},
    {"fclib_local/W/p", INTEGER, 0, "fclib_local/W/p", SCREE_ERROR_FORMAT},
    {"fclib_local/W/i", INTEGER, 0, "fclib_local/W/i", SCREE_ERROR_FORMAT},
    {"fclib_local/W/x", SHORTER, 0, "fclib_local/W/x", SCREE_ERROR_FORMAT},
    {"fclib_local/W/x", REMOVED, 0, "fclib_local/W/x", SCREE_ERROR_FORMAT},
    {"fclib_local/V/m", INTEGER, 3, "fclib_local/vectors/s", SCREE_ERROR_FORMAT},
    {"guesses/number_of_guesses", INTEGER, 1, "guesses/1/r", SCREE_ERROR_FORMAT},
};
