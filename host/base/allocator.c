/* The allocator in force. Part of the engine only; the tools reach it through the public calls. */
#include "error.h"

static scree_allocator current;

void scree_set_allocator(const scree_allocator *allocator) {
    if (allocator && !allocator->allocate != !allocator->release)
        fail(SCREE_ERROR_ARGUMENT, "allocator: only %s is given; must be allocate and release, or neither",
             allocator->allocate ? "allocate" : "release");
    else
        current = allocator ? *allocator : (scree_allocator){0};
}

scree_allocator scree_get_allocator(void) { return current; }
