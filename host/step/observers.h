/* Observers of a world's steps. */
#pragma once

#include <scree/observer.h>

typedef struct observer_list {
    int count, capacity;
    scree_observer *items;
    bool need_work; /* whether an observer of this step needs the work of contacts */
} observer_list;

/* Runs the observers before a step. Errors: theirs. */
scree_result observers_begin(observer_list *self, const scree_world *world);
/* Runs the observers at the end of a step. */
void observers_end(const observer_list *self, const scree_world *world, const scree_statistics *s);
/* Runs the observers after the world has returned to a snapshot. */
void observers_restored(const observer_list *self, const scree_world *world);
void observers_release(observer_list *self);
