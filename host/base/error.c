#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Kernel build logs are the longest sentences. */
enum { MESSAGE_SIZE = 16384 };
static _Thread_local char message[MESSAGE_SIZE];
static _Thread_local scree_result last = SCREE_OK;
static _Thread_local uint32_t named[2]; /* bodies */
static _Thread_local int named_count;

scree_result fail(scree_result result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    named_count = 0;
    return last = result;
}

scree_result fail_naming(scree_result result, int slot, int other) {
    named[0] = (uint32_t)slot + 1, named[1] = (uint32_t)other + 1;
    named_count = other < 0 ? 1 : 2;
    return result;
}

/* Adds ": text" behind the first `length` characters of the message; what does not fit is cut off. */
static void append(int length, const char *text) {
    if (length < 0 || length > MESSAGE_SIZE - 3) return;
    const size_t start = (size_t)length + 2, size = strnlen(text, MESSAGE_SIZE - 1 - start);
    memcpy(message + length, ": ", 2);
    memcpy(message + start, text, size);
    message[start + size] = 0;
}

scree_result fail_prefix(scree_result result, const char *format, ...) {
    static _Thread_local char rest[MESSAGE_SIZE];
    memcpy(rest, message, sizeof rest);
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    append(length, rest);
    return last = result;
}

scree_result fail_file(int error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    append(length, strerror(error));
    named_count = 0;
    return last = error == ENOSPC || error == EDQUOT ? SCREE_ERROR_DISK_FULL : SCREE_ERROR_FILE;
}

const char *scree_error_get_message(void) { return message; }
scree_result scree_error_get_result(void) { return last; }

int scree_error_get_bodies(uint32_t out[2]) {
    for (int i = 0; i < named_count && out; i++) out[i] = named[i];
    return named_count;
}

const char *scree_result_name(scree_result result) {
    switch (result) {
    case SCREE_OK:
        return "success";
    case SCREE_ERROR_ARGUMENT:
        return "bad argument";
    case SCREE_ERROR_HANDLE:
        return "invalid handle";
    case SCREE_ERROR_MEMORY:
        return "out of memory";
    case SCREE_ERROR_CAPACITY:
        return "capacity exceeded";
    case SCREE_ERROR_NO_PLATFORM:
        return "no OpenCL platform";
    case SCREE_ERROR_NO_DEVICE:
        return "no OpenCL device";
    case SCREE_ERROR_KERNEL_BUILD:
        return "kernel build failed";
    case SCREE_ERROR_DEVICE_MEMORY:
        return "out of device memory";
    case SCREE_ERROR_DEVICE:
        return "device error";
    case SCREE_ERROR_NOT_FINITE:
        return "state not finite";
    case SCREE_ERROR_FILE:
        return "file error";
    case SCREE_ERROR_DISK_FULL:
        return "disk full";
    case SCREE_ERROR_FORMAT:
        return "bad file content";
    case SCREE_ERROR_UNSUPPORTED:
        return "not supported";
    }
    return "unknown result";
}
