/* Failure reporting: functions return a result code and store one error message per thread. */
#pragma once

#include <scree/core.h>

/* Stores the message for scree_error_get_message() and returns `result`, so that callers write `return
 * fail(...)`. */
scree_result fail(scree_result result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prepends "prefix: " to the message of this thread's last fail(); returns `result`. */
scree_result fail_prefix(scree_result result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* fail() with SCREE_ERROR_DISK_FULL for ENOSPC and EDQUOT, else SCREE_ERROR_FILE. Appends ": " and
 * strerror(error) to the message. */
scree_result fail_file(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Stores for scree_error_get_bodies() the slots of the bodies that the message of the last fail() names.
 * `other` is −1 if it names one body. Returns `result`. */
scree_result fail_naming(scree_result result, int slot, int other);

/* For public calls: returns SCREE_ERROR_ARGUMENT if a pointer is null. The message names the call and the
 * parameter. */
#define REQUIRE(pointer) REQUIRE_IN(__func__, pointer)

/* REQUIRE for helpers of the public call named `call`. */
#define REQUIRE_IN(call, pointer)                                                                            \
    do {                                                                                                     \
        if (!(pointer)) return fail(SCREE_ERROR_ARGUMENT, "%s: %s is null", call, #pointer);                 \
    } while (0)

/* REQUIRE for functions that return no result code: returns `value`; scree_error_get_result() returns the
 * code. */
#define REQUIRE_ELSE(pointer, value)                                                                         \
    do {                                                                                                     \
        if (!(pointer)) {                                                                                    \
            fail(SCREE_ERROR_ARGUMENT, "%s: %s is null", __func__, #pointer);                                \
            return value;                                                                                    \
        }                                                                                                    \
    } while (0)

/* Returns from the calling function with the result of `call` if it failed. */
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const scree_result try_result_ = (call);                                                             \
        if (try_result_ != SCREE_OK) return try_result_;                                                     \
    } while (0)
