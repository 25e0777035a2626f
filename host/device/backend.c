#include "backend.h"

const char *scree_backend_name(scree_backend_kind kind) {
    static const char *const names[] = {"auto", "opencl", "native", "reference", "host"};
    _Static_assert(sizeof names / sizeof *names == SCREE_BACKEND_COUNT, "every backend has a name");
    return (unsigned)kind < SCREE_BACKEND_COUNT ? names[kind] : NULL;
}

const char *scree_pipeline_name(scree_pipeline pipeline) {
    static const char *const names[] = {"auto", "host", "device"};
    _Static_assert(sizeof names / sizeof *names == SCREE_PIPELINE_COUNT, "every pipeline has a name");
    return (unsigned)pipeline < SCREE_PIPELINE_COUNT ? names[pipeline] : NULL;
}
