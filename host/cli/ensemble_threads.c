#include "ensemble_threads.h"

#include <pthread.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct ensemble_crew {
    const ensemble_jobs *jobs;
    scree_group *group;
    pthread_mutex_t mutex;
    int running; /* threads */
} ensemble_crew;

static int next_world(ensemble_crew *self) {
    pthread_mutex_lock(&self->mutex);
    const int world = self->jobs->next(self->jobs->context);
    pthread_mutex_unlock(&self->mutex);
    return world;
}

static void end_world(ensemble_crew *self, int world, int code) {
    pthread_mutex_lock(&self->mutex);
    self->jobs->ended(self->jobs->context, world, code);
    pthread_mutex_unlock(&self->mutex);
}

static void *work(void *context) {
    ensemble_crew *self = context;
    scree_group_enter(self->group);
    for (int world; (world = next_world(self)) >= 0;)
        end_world(self, world, self->jobs->run(self->jobs->context, world));
    scree_group_leave(self->group);
    pthread_mutex_lock(&self->mutex);
    self->running--;
    pthread_mutex_unlock(&self->mutex);
    return NULL;
}

/* Calls `watch`; returns whether threads run. */
static bool watch(ensemble_crew *self) {
    pthread_mutex_lock(&self->mutex);
    const bool any = self->running > 0;
    self->jobs->watch(self->jobs->context);
    pthread_mutex_unlock(&self->mutex);
    return any;
}

/* Begins the threads; returns how many there are. The group expects the others, too. */
static int begin(ensemble_crew *self, pthread_t *threads, int count) {
    int begun = 0;
    self->running = count;
    while (begun < count && pthread_create(&threads[begun], NULL, work, self) == 0) begun++;
    pthread_mutex_lock(&self->mutex);
    self->running -= count - begun;
    pthread_mutex_unlock(&self->mutex);
    for (int i = begun; i < count; i++) {
        scree_group_enter(self->group);
        scree_group_leave(self->group);
    }
    return begun;
}

scree_result ensemble_threads_run(const ensemble_jobs *jobs, scree_group *group, int threads) {
    ensemble_crew self = {.jobs = jobs, .group = group};
    SCOPED pthread_t *all = memory_allocate((size_t)threads, sizeof *all);
    if (!all) return fail(SCREE_ERROR_MEMORY, "out of memory for %d threads", threads);
    pthread_mutex_init(&self.mutex, NULL);
    const int begun = begin(&self, all, threads);
    while (watch(&self)) nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    for (int i = 0; i < begun; i++) pthread_join(all[i], NULL);
    pthread_mutex_destroy(&self.mutex);
    return begun ? SCREE_OK : fail(SCREE_ERROR_MEMORY, "no thread could be made");
}
