#include "stage_log.h"

#include "clock.h"
#include "memory.h"

static const char *const names[SCREE_STAGE_COUNT] = {"bounds",    "pairs",     "contacts", "rows",
                                                     "colours",   "predict",   "solve",    "positions",
                                                     "integrate", "detection", "commit"};

const char *scree_step_stage_name(scree_step_stage stage) {
    return (unsigned)stage < SCREE_STAGE_COUNT ? names[stage] : NULL;
}

static _Thread_local stage_log *led;

stage_log *stage_log_lead(stage_log *self) {
    stage_log *const before = led;
    led = self;
    return before;
}

scree_step_stage stage_current(void) { return led ? led->stage : SCREE_STAGE_COMMIT; }

void stage_log_span(stage_log *self, scree_trace_span span) {
    if (!self->wants_spans ||
        MEMORY_RESERVE(self->spans, self->span_capacity, self->span_count + 1, NULL) != SCREE_OK)
        return;
    self->spans[self->span_count++] = span;
}

static void end_stage(stage_log *self, double now) {
    self->seconds[self->stage] += now - self->mark;
    stage_log_span(self, (scree_trace_span){.track = SCREE_TRACK_HOST,
                                            .stage = self->stage,
                                            .name = scree_step_stage_name(self->stage),
                                            .begin = self->mark,
                                            .end = now});
    self->mark = now;
}

void stage_enter(scree_step_stage next) {
    if (!led || led->stage == next) return;
    end_stage(led, clock_seconds());
    led->stage = next;
}

void stage_log_begin(stage_log *self, bool wants_spans) {
    scree_trace_span *const spans = self->spans;
    const int capacity = self->span_capacity;
    const double now = clock_seconds();
    *self = (stage_log){.stage = SCREE_STAGE_COMMIT,
                        .begun = now,
                        .mark = now,
                        .wants_spans = wants_spans,
                        .spans = spans,
                        .span_capacity = capacity};
}

double stage_log_end(stage_log *self) {
    end_stage(self, clock_seconds());
    stage_log_span(self, (scree_trace_span){.track = SCREE_TRACK_STEPS,
                                            .stage = SCREE_STAGE_COMMIT,
                                            .name = "step",
                                            .begin = self->begun,
                                            .end = self->mark});
    return self->mark - self->begun;
}

void stage_log_release(stage_log *self) {
    memory_release(self->spans);
    *self = (stage_log){0};
}
