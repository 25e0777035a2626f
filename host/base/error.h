/* How the library reports a failure: a result code returned, and one sentence kept for the calling thread. */
#ifndef SCREE_BASE_ERROR_H
#define SCREE_BASE_ERROR_H

#include <scree/result.h>

/* Keeps the sentence for scree_error_get_message() and returns `result`, so that callers write `return
 * fail(...)`. */
scree_result fail(scree_result result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " before the sentence kept by the last fail() of this thread; returns `result`. */
scree_result fail_prefix(scree_result result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* fail() with SCREE_ERROR_DISK_FULL for ENOSPC and EDQUOT, else SCREE_ERROR_FILE; the sentence ends in
 * strerror(error). */
scree_result fail_file(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Keeps for scree_error_get_bodies() which bodies the sentence of the last fail() names, by their slots;
 * `other` −1: one. Returns `result`. */
scree_result fail_naming(scree_result result, int slot, int other);

/* In public calls: returns SCREE_ERROR_ARGUMENT, naming call and parameter, where a pointer is null. */
#define REQUIRE(pointer) REQUIRE_IN(__func__, pointer)

/* The same in what such a call `call` asks. */
#define REQUIRE_IN(call, pointer)                                                                            \
    do {                                                                                                     \
        if (!(pointer)) return fail(SCREE_ERROR_ARGUMENT, "%s: %s is null", call, #pointer);                 \
    } while (0)

/* The same where what is returned is no result; scree_error_get_result() then tells. */
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

#endif
