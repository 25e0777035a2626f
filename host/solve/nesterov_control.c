#include "nesterov_control.h"

#include "eager.h"

#include <math.h>

enum {
    PLAIN_START = 6,     /* of the patient control: enough for problems with weakly coupled blocks */
    PLAIN_RECOVERY = 20, /* iterations after a fallback */
    PLAIN_ROUND = 400,   /* iterations once the lowest ceiling does not help */
    PATIENCE = 10000,
    PATIENCE_FORWARD = 1500 /* the same before symmetric sweeps and held shifts */
};
static const double LOWEST_CEILING = EAGER_LOWEST_CEILING, HIGHEST_CEILING = EAGER_HIGHEST_CEILING;

nesterov_control nesterov_control_begin(double residual, bool patient, bool holds) {
    return (nesterov_control){.patient = patient,
                              .holds = holds,
                              .ceiling = HIGHEST_CEILING,
                              .best = residual,
                              .milestone = residual,
                              .round_start = residual,
                              .plain = patient ? PLAIN_START : 0};
}

void nesterov_control_made(nesterov_control *self, int iterations) {
    self->since += iterations;
    self->nesterov_since += iterations;
    if (self->plain == 0) return;
    self->plain -= iterations;
    if (self->plain == 0) {
        self->nesterov_since = 0;
        if (self->patient) self->since = 0;
    }
}

static void judge_eagerly(nesterov_control *self, double residual) {
    const eager_control after = eager_judged((eager_control){.ceiling = self->ceiling,
                                                             .milestone = self->milestone,
                                                             .since = self->since,
                                                             .nesterov_since = self->nesterov_since},
                                             residual);
    self->ceiling = after.ceiling;
    self->milestone = after.milestone;
    self->since = after.since;
    self->nesterov_since = after.nesterov_since;
}

bool nesterov_control_test(nesterov_control *self, double residual) {
    if (!self->patient) judge_eagerly(self, residual);
    if (!(residual < self->best)) return false;
    self->best = residual;
    if (self->patient && self->best < self->milestone / 2) {
        self->milestone = self->best;
        self->since = 0;
        self->rises = 0;
        self->ceiling = fmin(1.5 * self->ceiling, HIGHEST_CEILING);
    }
    return true;
}

static bool rose(const nesterov_control *self, double residual) { return eager_rose(residual, self->best); }

bool nesterov_control_rejects(const nesterov_control *self, double residual) {
    return rose(self, residual) ||
           (self->patient && self->since > (self->holds ? PATIENCE : PATIENCE_FORWARD));
}

void nesterov_control_hold_back(nesterov_control *self, double residual, double t) {
    ++self->fallbacks;
    self->plain = PLAIN_RECOVERY;
    const bool held = self->holds;
    self->holds = true;
    if (!self->patient) return;
    self->since = 0;
    if (!held || (rose(self, residual) && !self->rises++)) return; /* the first time is ignored */
    if (self->ceiling > LOWEST_CEILING) {
        self->ceiling = fmax(LOWEST_CEILING, fmin(self->ceiling, t) / 2);
        return;
    }
    self->ceiling = HIGHEST_CEILING;
    self->plain = PLAIN_ROUND;
    self->fruitless = self->best > self->round_start / 2;
    self->round_start = self->best;
}
