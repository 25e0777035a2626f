/* Valid arguments and assertions for the calls with NULL in tests/unit/test_null.c. */
#ifndef SCREE_TESTS_NULL_FIXTURE_H
#define SCREE_TESTS_NULL_FIXTURE_H

#include "folder.h"
#include "scenery.h"

/* valid objects passed as the other arguments */
typedef struct fixture {
    scree_world *world;
    scree_body_id body;
    scree_material_id material;
    scree_scene *scene;
    scree_problem *problem;
    scree_frame frame;
    scree_series *series;
    scree_statistics_file *statistics_file;
    folder place;
} fixture;

/* Asserts that the call returns SCREE_ERROR_ARGUMENT and sets the error message. A message "... is null" must
 * begin with the called function's name. */
#define REFUSES(call)                                                                                        \
    do {                                                                                                     \
        (fail)(SCREE_ERROR_FORMAT, "before");                                                                \
        const scree_result refuses_ = (call);                                                                \
        if (refuses_ != SCREE_ERROR_ARGUMENT || scree_error_get_result() != SCREE_ERROR_ARGUMENT ||          \
            !strcmp(scree_error_get_message(), "before") ||                                                  \
            (strstr(scree_error_get_message(), " is null") &&                                                \
             strncmp(scree_error_get_message(), #call, strcspn(#call, "(")) != 0))                           \
            fail_msg("%s: %s, \"%s\"", #call, scree_result_name(refuses_), scree_error_get_message());       \
    } while (0)

/* Like REFUSES for a call that returns another type; `zero` is an expression that is true if it returns
 * zero. */
#define REFUSES_WITH(zero)                                                                                   \
    do {                                                                                                     \
        (fail)(SCREE_ERROR_FORMAT, "before");                                                                \
        const bool zero_ = (zero);                                                                           \
        if (!zero_ || scree_error_get_result() != SCREE_ERROR_ARGUMENT)                                      \
            fail_msg("%s: %s, \"%s\"", #zero, scree_result_name(scree_error_get_result()),                   \
                     scree_error_get_message());                                                             \
    } while (0)

/* Asserts that the call accepts NULL. */
#define TAKES(call)                                                                                          \
    do {                                                                                                     \
        (fail)(SCREE_ERROR_FORMAT, "before");                                                                \
        call;                                                                                                \
        assert_int_equal(scree_error_get_result(), SCREE_ERROR_FORMAT);                                      \
    } while (0)

static const scree_vec3 up = {0, 0, 1};

#endif
