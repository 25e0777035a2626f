/* Formats messages. The message itself is kept by the engine (error_store.c), so that both libraries share
 * it. */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Kernel build logs are the longest messages. */
enum { MESSAGE_SIZE = 16384 };
scree_result fail(scree_result result, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return scree_error_set(result, message);
}

scree_result fail_naming(scree_result result, int slot, int other) {
    const uint32_t bodies[2] = {(uint32_t)slot + 1, (uint32_t)other + 1};
    return scree_error_set_bodies(result, bodies, other < 0 ? 1 : 2);
}

/* Adds ": text" after the first `length` characters of the message; cuts what does not fit. */
static void append(char *message, int length, const char *text) {
    if (length < 0 || length > MESSAGE_SIZE - 3) return;
    const size_t start = (size_t)length + 2, size = strnlen(text, MESSAGE_SIZE - 1 - start);
    memcpy(message + length, ": ", 2);
    memcpy(message + start, text, size);
    message[start + size] = 0;
}

scree_result fail_prefix(scree_result result, const char *format, ...) {
    char message[MESSAGE_SIZE];
    uint32_t bodies[2];
    const int body_count = scree_error_get_bodies(bodies);
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    append(message, length, scree_error_get_message());
    scree_error_set(result, message);
    return scree_error_set_bodies(result, bodies, body_count);
}

scree_result fail_file(int error, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    append(message, length, strerror(error));
    return scree_error_set(error == ENOSPC || error == EDQUOT ? SCREE_ERROR_DISK_FULL : SCREE_ERROR_FILE,
                           message);
}
