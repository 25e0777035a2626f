/* cmocka plus the assertions of every test: library calls that succeed or fail with a message, and numeric
 * comparisons that print both numbers. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scree/core.h>

/* Included first: cmocka's macro `fail` would hide the library's function of this name. */
#include "base/error.h"

#include <cmocka.h>

/* Asserts that the call succeeds. */
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const scree_result check_result_ = (call);                                                           \
        if (check_result_ != SCREE_OK)                                                                       \
            fail_msg("%s: %s: %s", #call, scree_result_name(check_result_), scree_error_get_message());      \
    } while (0)

/* Asserts that the call fails with that result and a message that names `place`: a field, a file or a line.
 * tests/data/messages.txt has the wording. */
#define CHECK_FAILS(call, expected, place)                                                                   \
    do {                                                                                                     \
        const scree_result check_result_ = (call), check_expected_ = (expected);                             \
        if (check_result_ != check_expected_ || !strstr(scree_error_get_message(), place))                   \
            fail_msg("%s: %s, \"%s\": expected %s and \"%s\"", #call, scree_result_name(check_result_),      \
                     scree_error_get_message(), scree_result_name(check_expected_), place);                  \
    } while (0)

/* Asserts |actual − expected| ≤ share |expected|. */
#define ASSERT_NEAR(actual, expected, share)                                                                 \
    do {                                                                                                     \
        const double near_a_ = (double)(actual), near_e_ = (double)(expected), near_s_ = (double)(share);    \
        if (!(fabs(near_a_ - near_e_) <= near_s_ * fabs(near_e_)))                                           \
            fail_msg("%s is %.9g, expected %.9g within %g of it", #actual, near_a_, near_e_, near_s_);       \
    } while (0)

/* Asserts |actual − expected| ≤ tolerance. */
#define ASSERT_WITHIN(actual, expected, tolerance)                                                           \
    do {                                                                                                     \
        const double within_a_ = (double)(actual), within_e_ = (double)(expected),                           \
                     within_t_ = (double)(tolerance);                                                        \
        if (!(fabs(within_a_ - within_e_) <= within_t_))                                                     \
            fail_msg("%s is %.9g, expected %.9g to %g", #actual, within_a_, within_e_, within_t_);           \
    } while (0)

/* Asserts actual ≤ bound. */
#define ASSERT_AT_MOST(actual, bound)                                                                        \
    do {                                                                                                     \
        const double most_a_ = (double)(actual), most_b_ = (double)(bound);                                  \
        if (!(most_a_ <= most_b_)) fail_msg("%s is %.9g, expected at most %.9g", #actual, most_a_, most_b_); \
    } while (0)

/* Asserts actual ≥ bound. */
#define ASSERT_AT_LEAST(actual, bound)                                                                       \
    do {                                                                                                     \
        const double least_a_ = (double)(actual), least_b_ = (double)(bound);                                \
        if (!(least_a_ >= least_b_))                                                                         \
            fail_msg("%s is %.9g, expected at least %.9g", #actual, least_a_, least_b_);                     \
    } while (0)

/* Asserts that a text contains another. */
#define ASSERT_HOLDS(text, part)                                                                             \
    do {                                                                                                     \
        const char *holds_text_ = (text), *holds_part_ = (part);                                             \
        if (!strstr(holds_text_, holds_part_)) fail_msg("expected \"%s\" in: %s", holds_part_, holds_text_); \
    } while (0)
