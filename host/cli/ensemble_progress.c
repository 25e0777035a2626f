#include "ensemble_progress.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"

/* Sums over the worlds that run or ran. */
typedef struct watch_sums {
    double steps, worlds, residual; /* `worlds`: parts of running ones; `residual`: the largest */
} watch_sums;

static watch_sums sum_up(const ensemble_progress *self) {
    watch_sums sums = {0};
    for (int i = 0; i < self->worlds; i++) {
        const run_watch *watch = &self->watches[i];
        const bool runs = watch->steps && watch->step < watch->steps && !*watch->failure;
        sums.steps += (double)watch->step;
        if (runs) sums.worlds += (double)watch->step / (double)watch->steps;
        if (runs) sums.residual = fmax(sums.residual, watch->residual);
    }
    return sums;
}

ensemble_progress ensemble_progress_begin(bool quiet, int worlds, const run_watch *watches) {
    const progress line = progress_begin(quiet, 0, 0, 0);
    return (ensemble_progress){
        .line = line, .worlds = worlds, .watches = watches, .first = -1, .rate_from = line.started};
}

static void update_rate(ensemble_progress *self, double steps, double now) {
    if (now > self->rate_from) self->rate = fmax(0, (steps - self->steps_from) / (now - self->rate_from));
    self->rate_from = now;
    self->steps_from = steps;
}

void ensemble_progress_show(ensemble_progress *self, const ensemble_count *count) {
    const double now = clock_seconds();
    if (self->first < 0) self->first = (double)count->before / self->worlds;
    if (!progress_is_due(&self->line, now)) return;
    const watch_sums sums = sum_up(self);
    const double fraction = fmin(1, (count->ended + sums.worlds) / self->worlds),
                 wall = now - self->line.started, made = fraction - self->first;
    char took[32], left[32] = "?", failed[32] = "", text[PROGRESS_TEXT];
    update_rate(self, sums.steps, now);
    duration_text(wall, took);
    if (made > 0) duration_text(wall * (1 - fraction) / made, left);
    if (count->failed) snprintf(failed, sizeof failed, ", %d failed", count->failed);
    snprintf(text, sizeof text, "%.0f %%, %d/%d worlds%s, %.3g steps/s, wall %s, left %s, residual %.0e",
             100 * fraction, count->ended, self->worlds, failed, self->rate, took, left, sums.residual);
    progress_draw(&self->line, text, fraction);
}

void ensemble_progress_end(ensemble_progress *self) { progress_clear(&self->line); }
