#include "source.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "history.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE = 1024, HISTORY_BYTES = 1 << 29 };

/* A thread makes the steps, so that the window follows the mouse while a step lasts. The world belongs to the
 * thread while it works, else to the caller. */
typedef enum work_state { WORK_NONE, WORK_REQUESTED, WORK_DONE, WORK_ENDED } work_state;

typedef struct live {
    view_source source; /* first: functions get its address */
    source_run run;
    int stage; /* −1: the scene has none */
    double stage_time;
    char stage_note[128];
    bool over;
    history history;
    int shown;
    char note[128]; /* of the last frame */
    pull wanted;    /* of the next steps */

    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    work_state state; /* guarded by `lock`; the next fields belong to the thread while it is REQUESTED */
    int steps;        /* to make */
    pull pull;
    scree_frame made;
    scree_result result;
    char message[MESSAGE];
} live;

static live *of(view_source *source) { return (live *)source; }

/* Finds the world's stage and the last step, unless a limit is given. */
static scree_result find_stage(live *self) {
    self->stage = -1;
    if (!self->run.scene || !scree_scene_stage_count(self->run.scene)) return SCREE_OK;
    TRY(scree_scene_get_stage(self->run.world, &self->stage, &self->stage_time));
    snprintf(self->stage_note, sizeof self->stage_note, "stage %s",
             scree_scene_get_stage_name(self->run.scene, self->stage));
    if (self->run.limited) return SCREE_OK;
    uint64_t left;
    TRY(scree_scene_get_stage_steps(self->run.scene, self->run.world, &left));
    self->run.last = scree_world_step_count(self->run.world) + (left ? left : 1);
    return SCREE_OK;
}

static scree_result enter_next(live *self) {
    scree_resume_def def = scree_default_resume_def();
    def.seed = self->run.seed;
    TRY(scree_scene_enter_stage(self->run.scene, self->run.world, self->stage + 1, &def));
    return find_stage(self);
}

/* Ends the stage if the step has ended it, and begins the next one, as `scree run` does. */
static scree_result follow_stages(live *self, const scree_statistics *statistics) {
    if (self->stage < 0 || self->over ||
        !scree_scene_stage_is_over(self->run.scene, self->stage, self->stage_time, self->run.world,
                                   statistics))
        return SCREE_OK;
    self->over = self->stage + 1 == scree_scene_stage_count(self->run.scene);
    TRY(scree_scene_end_stage(self->run.scene, self->run.world));
    return self->over ? SCREE_OK : enter_next(self);
}

static scree_result make_step(live *self) {
    scree_statistics statistics;
    if (self->pull.body.index) TRY(pull_apply(&self->pull, self->run.world));
    TRY(scree_world_step(self->run.world, &statistics));
    TRY(follow_stages(self, &statistics));
    if (statistics.step == self->run.last) self->over = true;
    return SCREE_OK;
}

static scree_result work(live *self) {
    const double from = clock_seconds();
    self->over = false;
    for (int i = 0; i < self->steps && !self->over && (i == 0 || clock_seconds() - from < 0.05); i++)
        TRY(make_step(self));
    return scree_frame_from_world(self->run.world, &self->made);
}

static void *run_thread(void *context) {
    live *self = context;
    pthread_mutex_lock(&self->lock);
    for (;;) {
        while (self->state == WORK_NONE || self->state == WORK_DONE)
            pthread_cond_wait(&self->changed, &self->lock);
        if (self->state == WORK_ENDED) break;
        pthread_mutex_unlock(&self->lock);
        self->result = work(self);
        if (self->result != SCREE_OK)
            snprintf(self->message, sizeof self->message, "%s", scree_error_get_message());
        pthread_mutex_lock(&self->lock);
        if (self->state == WORK_REQUESTED) self->state = WORK_DONE;
        pthread_cond_broadcast(&self->changed);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

static work_state state_of(live *self, bool wait) {
    pthread_mutex_lock(&self->lock);
    while (wait && self->state == WORK_REQUESTED) pthread_cond_wait(&self->changed, &self->lock);
    const work_state out = self->state;
    pthread_mutex_unlock(&self->lock);
    return out;
}

static void set_state(live *self, work_state state) {
    pthread_mutex_lock(&self->lock);
    self->state = state;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

static const scree_frame *frame(view_source *source) {
    return &of(source)->history.frames[of(source)->shown];
}
static int count(view_source *source) { return of(source)->history.count; }
static int place(view_source *source) { return of(source)->shown; }
static bool is_busy(view_source *source) { return state_of(of(source), false) == WORK_REQUESTED; }
static bool is_last(const live *self) { return self->shown == self->history.count - 1; }
static const char *note(view_source *source) { return of(source)->note; }

static scree_result seek(view_source *source, int wanted) {
    live *self = of(source);
    const int last = self->history.count - 1;
    self->shown = wanted < 0 ? 0 : wanted > last ? last : wanted;
    return SCREE_OK;
}

static bool is_over(view_source *source) {
    live *self = of(source);
    return is_last(self) && !is_busy(source) && self->over;
}

static void request(live *self, int steps) {
    if (state_of(self, false) != WORK_NONE) return;
    self->steps = steps;
    self->pull = self->wanted;
    set_state(self, WORK_REQUESTED);
}

static scree_result step(view_source *source) {
    live *self = of(source);
    if (!is_last(self)) return seek(source, self->shown + 1);
    request(self, 1);
    return SCREE_OK;
}

static double next_time(view_source *source) {
    const live *self = of(source);
    const scree_frame *now = frame(source);
    return is_last(self) ? now->time + (double)now->time_step : self->history.frames[self->shown + 1].time;
}

static scree_result advance(view_source *source, double until) {
    live *self = of(source);
    while (!is_last(self) && self->history.frames[self->shown + 1].time <= until) self->shown++;
    if (!is_last(self)) return SCREE_OK;
    const scree_frame *now = frame(source);
    const double steps = (until - now->time) / (double)now->time_step + 1e-6;
    if (steps >= 1) request(self, (int)fmin(steps, 1e6));
    return SCREE_OK;
}

/* Takes the frame that the thread has made. */
static scree_result take_frame(live *self, bool follows) {
    const int before = self->history.count;
    TRY(history_add(&self->history, &self->made));
    if (self->history.count <= before) self->shown /= 2; /* it was thinned out */
    if (follows) self->shown = self->history.count - 1;
    memcpy(self->note, self->stage_note, sizeof self->note);
    return SCREE_OK;
}

static scree_result poll_made(view_source *source, bool wait, bool *changed) {
    live *self = of(source);
    *changed = state_of(self, wait) == WORK_DONE;
    if (!*changed) return SCREE_OK;
    const bool follows = is_last(self);
    set_state(self, WORK_NONE);
    if (self->result != SCREE_OK) {
        self->over = true;
        *changed = false;
        return fail(self->result, "%s", self->message);
    }
    return take_frame(self, follows);
}

static void pull_body(view_source *source, const pull *with) { of(source)->wanted = *with; }

static void release(view_source *source) {
    live *self = of(source);
    if (self->started) {
        state_of(self, true);
        set_state(self, WORK_ENDED);
        pthread_join(self->thread, NULL);
    }
    pthread_mutex_destroy(&self->lock);
    pthread_cond_destroy(&self->changed);
    scree_frame_release(&self->made);
    history_release(&self->history);
    memory_release(self);
}

static scree_result begin(live *self) {
    bool ended = false;
    TRY(find_stage(self));
    if (self->stage >= 0) TRY(scree_scene_stage_has_ended(self->run.scene, self->run.world, &ended));
    if (ended && self->stage + 1 < scree_scene_stage_count(self->run.scene)) TRY(enter_next(self));
    TRY(scree_frame_from_world(self->run.world, &self->made));
    TRY(take_frame(self, true));
    const int error = pthread_create(&self->thread, NULL, run_thread, self);
    self->started = !error;
    return error ? fail(SCREE_ERROR_MEMORY, "cannot start a thread: %s", strerror(error)) : SCREE_OK;
}

scree_result source_live_make(const source_run *run, view_source **out) {
    live *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory for the run");
    self->run = *run;
    self->history.most = HISTORY_BYTES;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    self->source = (view_source){.live = true,
                                 .frame = frame,
                                 .count = count,
                                 .place = place,
                                 .seek = seek,
                                 .step = step,
                                 .advance = advance,
                                 .poll = poll_made,
                                 .is_busy = is_busy,
                                 .is_over = is_over,
                                 .next_time = next_time,
                                 .pull = pull_body,
                                 .note = note,
                                 .release = release};
    const scree_result result = begin(self);
    if (result != SCREE_OK)
        release(&self->source);
    else
        *out = &self->source;
    return result;
}
