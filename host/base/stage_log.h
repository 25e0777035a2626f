/* Stages of a step: whose turn it is, the time of each, and spans for a trace. The log of a step is that of
 * the thread which makes it; without a log the calls do nothing. No result depends on it. */
#pragma once

#include <scree/statistics.h>

typedef struct stage_log {
    scree_step_stage stage;
    double begun, mark; /* when the step and the current stage began, s (clock_seconds) */
    double seconds[SCREE_STAGE_COUNT];
    bool wants_spans;
    int span_count, span_capacity;
    scree_trace_span *spans;
} stage_log;

/* Begins a step in the stage `commit`. */
void stage_log_begin(stage_log *self, bool wants_spans);
/* Ends the current stage and the step; returns the step's duration, s. */
double stage_log_end(stage_log *self);
/* Keeps a span, if spans are wanted and memory suffices. */
void stage_log_span(stage_log *self, scree_trace_span span);
void stage_log_release(stage_log *self);

/* Makes the calling thread write to `self` (NULL: to none), and returns the log that it wrote to before. */
stage_log *stage_log_lead(stage_log *self);

/* Ends the current stage and begins `next`. */
void stage_enter(scree_step_stage next);
/* Returns the current stage, `commit` without a log. */
scree_step_stage stage_current(void);
