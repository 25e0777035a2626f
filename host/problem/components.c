#include "components.h"

#include "base/memory.h"
#include "base/union_find.h"

static bool connects(const real3x3 *entry) {
    for (int i = 0; i < 9; ++i)
        if (entry->m[i / 3][i % 3] != 0) return true;
    return false;
}

scree_result components_find(components *self, const delassus *a) {
    const size_t n = (size_t)a->count;
    int *parent = memory_allocate(2 * n, sizeof *parent), *next = parent + n;
    *self = (components){.first = memory_allocate(2 * n + 1, sizeof *self->first)};
    if (!parent || !self->first) {
        memory_release(parent);
        components_release(self);
        return fail(SCREE_ERROR_MEMORY, "out of memory: the components of %d contacts", a->count);
    }
    self->rows = self->first + n + 1;
    union_find_init(parent, a->count);
    for (int i = 0; i < a->count; ++i)
        for (int k = a->first[i]; k < a->first[i + 1]; ++k)
            if (connects(&a->entries[k])) union_find_join(parent, i, a->column[k]);
    /* The root is the lowest row, so its component has a number before the other rows are counted. */
    for (int i = 0; i < a->count; ++i) {
        const int root = union_find_root(parent, i);
        next[i] = root == i ? self->count++ : next[root];
        ++self->first[next[i] + 1];
    }
    for (int c = 0; c < self->count; ++c) self->first[c + 1] += self->first[c];
    for (int i = a->count - 1; i >= 0; --i) parent[i] = next[i]; /* the component of each row */
    for (int c = 0; c < self->count; ++c) next[c] = self->first[c];
    for (int i = 0; i < a->count; ++i) self->rows[next[parent[i]]++] = i;
    memory_release(parent);
    return SCREE_OK;
}

void components_release(components *self) {
    memory_release(self->first);
    *self = (components){0};
}
