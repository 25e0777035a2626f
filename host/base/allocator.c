/* The allocator in force. Part of the engine only; the tools reach it through the public calls. */
#include <scree/core.h>

static scree_allocator current;

void scree_set_allocator(const scree_allocator *allocator) {
    current = allocator && allocator->allocate && allocator->release ? *allocator : (scree_allocator){0};
}

scree_allocator scree_get_allocator(void) { return current; }
