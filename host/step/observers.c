#include "world.h"

#include "base/memory.h"

#include <string.h>

static scree_observer *find(const observer_list *self, const char *name) {
    for (int i = 0; i < self->count; i++)
        if (!strcmp(self->items[i].name, name)) return &self->items[i];
    return NULL;
}

scree_result scree_world_add_observer(scree_world *world, const scree_observer *observer) {
    REQUIRE(world);
    REQUIRE(observer);
    REQUIRE(observer->name);
    observer_list *all = &world->observers;
    if (find(all, observer->name))
        return fail(SCREE_ERROR_ARGUMENT, "name: '%s'; must differ from that of every other observer",
                    observer->name);
    TRY(MEMORY_RESERVE(all->items, all->capacity, all->count + 1, NULL));
    all->items[all->count++] = *observer;
    return SCREE_OK;
}

void *scree_world_find_observer(const scree_world *world, const char *name) {
    REQUIRE_ELSE(world, NULL);
    REQUIRE_ELSE(name, NULL);
    const scree_observer *found = find(&world->observers, name);
    return found ? found->user : NULL;
}

scree_result observers_begin(observer_list *self, const scree_world *world) {
    self->need_work = false;
    for (int i = 0; i < self->count; i++) {
        const scree_observer *item = &self->items[i];
        bool needs_work = false;
        if (item->begin) TRY(item->begin(world, item->user, &needs_work));
        self->need_work |= needs_work;
    }
    return SCREE_OK;
}

void observers_end(const observer_list *self, const scree_world *world, const scree_statistics *s) {
    for (int i = 0; i < self->count; i++)
        if (self->items[i].end) self->items[i].end(world, s, self->items[i].user);
}

void observers_restored(const observer_list *self, const scree_world *world) {
    for (int i = 0; i < self->count; i++)
        if (self->items[i].restored) self->items[i].restored(world, self->items[i].user);
}

void observers_release(observer_list *self) {
    for (int i = 0; i < self->count; i++)
        if (self->items[i].destroy) self->items[i].destroy(self->items[i].user);
    memory_release(self->items);
    *self = (observer_list){0};
}
