#include "ensemble_progress.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"

/* Sums over the worlds that run: their steps, the parts that they have made, and their largest residual. */
typedef struct watch_sums {
    double steps, parts, residual;
} watch_sums;

static watch_sums sum_up(const run_watch *watches, const ensemble_slot *running, int count) {
    watch_sums sums = {0};
    for (int i = 0; i < count; i++) {
        const run_watch *watch = &watches[running[i].world];
        if (!watch->steps) continue;
        sums.steps += (double)watch->step;
        sums.parts += (double)watch->step / (double)watch->steps;
        sums.residual = fmax(sums.residual, watch->residual);
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

void ensemble_progress_show(ensemble_progress *self, const ensemble_count *count,
                            const ensemble_slot *running) {
    const double now = clock_seconds();
    if (self->first < 0) self->first = (double)count->before / self->worlds;
    if (!progress_is_due(&self->line, now)) return;
    const watch_sums sums = sum_up(self->watches, running, count->running);
    const double fraction = fmin(1, (count->ended + sums.parts) / self->worlds),
                 wall = now - self->line.started, made = fraction - self->first;
    char took[32], left[32] = "?", failed[32] = "", text[PROGRESS_TEXT];
    update_rate(self, count->steps + sums.steps, now);
    duration_text(wall, took);
    if (made > 0) duration_text(wall * (1 - fraction) / made, left);
    if (count->failed) snprintf(failed, sizeof failed, ", %d failed", count->failed);
    snprintf(text, sizeof text, "%.0f %%, %d/%d worlds%s, %.3g steps/s, wall %s, left %s, residual %.0e",
             100 * fraction, count->ended, self->worlds, failed, self->rate, took, left, sums.residual);
    progress_draw(&self->line, text, fraction);
}

void ensemble_progress_end(ensemble_progress *self) { progress_clear(&self->line); }
