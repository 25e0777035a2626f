/* The last error of each thread. Part of the engine only; the tools reach it through the public calls. */
#include "error.h"

#include <stdio.h>
#include <string.h>

/* Kernel build logs are the longest messages. */
enum { MESSAGE_SIZE = 16384 };
static _Thread_local char message[MESSAGE_SIZE];
static _Thread_local scree_result last = SCREE_OK;
static _Thread_local uint32_t named[2]; /* bodies */
static _Thread_local int named_count;

scree_result scree_error_set(scree_result result, const char *text) {
    snprintf(message, sizeof message, "%s", text ? text : "");
    named_count = 0;
    return last = result;
}

scree_result scree_error_set_bodies(scree_result result, const uint32_t bodies[2], int count) {
    named_count = !bodies || count < 0 ? 0 : count > 2 ? 2 : count;
    for (int i = 0; i < named_count; i++) named[i] = bodies[i];
    return result;
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
