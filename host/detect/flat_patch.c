/* Manifolds of a pair of bodies of which one is made of triangles (kernels/flat_patch.h). */
#include "child_contacts.h"

/* Manifolds of a list, with the number of the touching body's child in theirs. */
typedef struct flat_manifolds {
    manifold *items;
    const flat_children *by;
} flat_manifolds;

static inline int flat_count(flat_manifolds of, int i) { return of.items[i].count; }
static inline vec3s flat_normal(flat_manifolds of, int i) { return of.items[i].normal; }
static inline manifold_point flat_point(flat_manifolds of, int i, int p) { return of.items[i].points[p]; }
static inline int flat_child(flat_manifolds of, int i) {
    return of.items[i].children / of.by->divisor % of.by->count;
}

static inline void flat_keep(flat_manifolds of, int i, int kept) {
    manifold *item = &of.items[i];
    int count = 0;
    for (int p = 0; p < item->count; p++)
        if (kept >> p & 1) item->points[count++] = item->points[p];
    item->count = count;
}

#define FLAT_LIST flat_manifolds
#include "flat_patch.h"

static void compact(manifold_list *list, int first) {
    int left = first;
    for (int i = first; i < list->count; i++)
        if (list->items[i].count > 0) list->items[left++] = list->items[i];
    list->count = left;
}

void flat_patch_thin(manifold_list *list, int first, const flat_children *by) {
    const flat_manifolds of = {list->items, by};
    const flat_touch touch = {first, list->count, by->side, by->width};
    flat_drop_twins(of, touch);
    if (by->flats) flat_thin(of, touch);
    compact(list, first);
}
