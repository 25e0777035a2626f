/* What the null calls of tests/unit/test_null.c are made with, and what they are held to. */
#ifndef SCREE_TESTS_NULL_FIXTURE_H
#define SCREE_TESTS_NULL_FIXTURE_H

#include "folder.h"
#include "scenery.h"

/* What the calls are made with, all of it alive. */
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

/* The call says ARGUMENT, of a null by its own name, and is the one that said so last. */
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

/* The same for a call that returns something else, here as an expression that is true if that is zero. */
#define REFUSES_WITH(zero)                                                                                   \
    do {                                                                                                     \
        (fail)(SCREE_ERROR_FORMAT, "before");                                                                \
        const bool zero_ = (zero);                                                                           \
        if (!zero_ || scree_error_get_result() != SCREE_ERROR_ARGUMENT)                                      \
            fail_msg("%s: %s, \"%s\"", #zero, scree_result_name(scree_error_get_result()),                   \
                     scree_error_get_message());                                                             \
    } while (0)

/* The call is happy with null. */
#define TAKES(call)                                                                                          \
    do {                                                                                                     \
        (fail)(SCREE_ERROR_FORMAT, "before");                                                                \
        call;                                                                                                \
        assert_int_equal(scree_error_get_result(), SCREE_ERROR_FORMAT);                                      \
    } while (0)

static const scree_vec3 up = {0, 0, 1};

#endif
